//! Messages in pieces: payloads stay where they are.

use core::iter::FusedIterator;

#[cfg(feature = "std")]
use tam::{Error, ErrorKind, Words};

/// A payload that a message leaves where it is: what [`Backward::with_payloads`] keeps in the
/// places lent to it.
///
/// [`Backward::with_payloads`]: crate::Backward::with_payloads
#[derive(Clone, Copy, Debug, Default)]
pub struct Payload<'p> {
    /// Bytes in the buffer after it.
    pub(crate) after: usize,
    pub(crate) len: usize,
    /// Not there where the octets come from elsewhere.
    pub(crate) octets: Option<&'p [u8]>,
}

/// A piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Octets as they are.
    Octets(&'a [u8]),
    /// So many octets that come from elsewhere.
    Elsewhere(usize),
}

/// A message in pieces, in the order of the wire.
///
/// ```
/// use lengthwise_pon::{Backward, Payload, Piece};
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let picture = [0xFF; 50_000];
/// let (mut buffer, mut payloads) = ([0; 64], [Payload::default(); 1]);
/// let mut out = Backward::with_payloads(&mut buffer, &mut payloads);
/// let end = out.end();
/// out.integer(17);
/// out.key("id");
/// out.borrowed(&picture);
/// out.key("picture");
/// out.object(end);
///
/// let pieces = out.finish_pieces()?;
/// assert_eq!(pieces.len(), 50_027);
/// let all: Vec<_> = pieces.collect();
/// assert_eq!(all, [Piece::Octets(b"50021{picture:50000y"), Piece::Octets(&picture), Piece::Octets(b"id:2i17")]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    /// What is written, as far as it is not given out yet.
    written: &'a [u8],
    /// The payloads not given out yet, the next one last.
    payloads: &'a [Payload<'a>],
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(written: &'a [u8], payloads: &'a [Payload<'a>]) -> Pieces<'a> {
        Pieces { written, payloads }
    }

    /// Bytes of the pieces left: of the whole message before the first is taken.
    #[must_use]
    pub fn len(&self) -> usize {
        self.written.len() + self.payloads.iter().map(|payload| payload.len).sum::<usize>()
    }

    /// Whether there are none left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.payloads.is_empty()
    }

    /// Writes the message, the payloads that come from elsewhere being read from `sources`, in the
    /// order of the wire, as many octets of each as were said. No more than 64 KiB are in memory.
    ///
    /// ```
    /// # fn main() -> Result<(), lengthwise_pon::Error> {
    /// let (mut buffer, mut payloads) = ([0; 32], [lengthwise_pon::Payload::default(); 1]);
    /// let mut out = lengthwise_pon::Backward::with_payloads(&mut buffer, &mut payloads);
    /// let end = out.end();
    /// out.elsewhere(5);
    /// out.key("octets");
    /// out.object(end);
    ///
    /// let mut source = &b"\x00\x01\x02\x03\x04"[..];
    /// let mut wire = Vec::new();
    /// out.finish_pieces()?.write_to(&mut wire, &mut [&mut source])?;
    /// assert_eq!(wire, b"14{octets:5y\x00\x01\x02\x03\x04");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where reading or writing fails, where a source ends too early, or where
    /// there are not as many sources as payloads to be read from them. Then a part of the message
    /// may have been written.
    #[cfg(feature = "std")]
    pub fn write_to(self, out: &mut dyn std::io::Write, sources: &mut [&mut dyn std::io::Read]) -> Result<(), Error> {
        let wanted = self.clone().filter(|piece| matches!(piece, Piece::Elsewhere(_))).count();
        if wanted != sources.len() {
            let found = Words::Count(sources.len() as u64, "sources");
            return Err(io(0, found, Words::Count(wanted as u64, "sources, one for each payload from elsewhere")));
        }
        let mut sources = sources.iter_mut();
        let mut at = 0;
        for piece in self {
            at += match (piece, &mut sources) {
                (Piece::Octets(octets), _) => {
                    out.write_all(octets).map_err(|error| failed(at, error, "the message to be written"))?;
                    octets.len() as u64
                }
                (Piece::Elsewhere(len), sources) => match sources.next() {
                    Some(source) => copy(source, len, at, out)?,
                    None => 0,
                },
            };
        }
        Ok(())
    }
}

/// Copies `len` octets.
#[cfg(feature = "std")]
fn copy(source: &mut dyn std::io::Read, len: usize, at: u64, out: &mut dyn std::io::Write) -> Result<u64, Error> {
    let mut block = alloc::vec![0; len.min(64 * 1024)];
    let mut left = len;
    while left > 0 {
        let room = left.min(block.len());
        let at = at + (len - left) as u64;
        let got = match source.read(&mut block[..room]) {
            Ok(0) => {
                let found = Words::Count((len - left) as u64, "octets before the end of the source");
                return Err(io(at, found, Words::Count(len as u64, "octets of payload")));
            }
            Ok(got) => got,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed(at, error, "a payload to be read")),
        };
        out.write_all(&block[..got]).map_err(|error| failed(at, error, "the message to be written"))?;
        left -= got;
    }
    Ok(len as u64)
}

#[cfg(feature = "std")]
#[cold]
pub(crate) fn failed(at: u64, error: std::io::Error, expected: &'static str) -> Error {
    io(at, Words::Own(alloc::string::ToString::to_string(&error)), Words::Text(expected)).with_source(error)
}

#[cfg(feature = "std")]
#[cold]
fn io(at: u64, found: Words, expected: Words) -> Error {
    Error::new(ErrorKind::Io, crate::FORMAT, at, found, expected)
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let (payload, others) = match self.payloads.split_last() {
            Some((payload, others)) if self.written.len() == payload.after => (payload, others),
            next => {
                let after = next.map_or(0, |(payload, _)| payload.after);
                let (octets, rest) = self.written.split_at(self.written.len() - after);
                self.written = rest;
                return (!octets.is_empty()).then_some(Piece::Octets(octets));
            }
        };
        self.payloads = others;
        Some(payload.octets.map_or(Piece::Elsewhere(payload.len), Piece::Octets))
    }
}

impl FusedIterator for Pieces<'_> {}

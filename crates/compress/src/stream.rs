//! Decompresses bytes while they arrive.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use tam::{Error, ErrorKind, Limits};
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};
use zstd::zstd_safe::{DParameter, get_dict_id_from_frame};

use crate::{Dictionary, Method};

/// The longest head of a frame (RFC 8878 section 3.1.1.1).
const HEAD: usize = 18;

/// The bytes in frames of zstd or members of gzip, one after the other, while they arrive.
///
/// Reading gives errors of the kind [`InvalidData`](io::ErrorKind::InvalidData), which hold an [`Error`], where the bytes are
/// not whole, damaged, or need another dictionary.
pub struct Stream<'d, R: Read> {
    source: Source<'d, R>,
}

/// Bytes as they arrive: decompressed, if the first of them say that they are compressed by zstd or gzip. The dictionary is asked
/// for only then. Frames of zstd may ask for the `window` of the limits.
///
/// # Errors
/// Of the kind [`ErrorKind::Io`], if reading the first bytes fails.
pub fn decompressed<'d>(
    mut input: impl Read + Send + 'd,
    dictionary: impl FnOnce() -> Option<&'d Dictionary>,
    limits: &Limits,
) -> Result<Box<dyn Read + Send + 'd>, Error> {
    let mut first = Vec::new();
    // No more than it takes to see that nothing is compressed: what follows may take time to arrive.
    while Method::is_begun(&first) && input.by_ref().take(1).read_to_end(&mut first).map_err(unread)? > 0 {}
    let is_compressed = Method::sniff(&first).is_some();
    let whole = Cursor::new(first).chain(input);
    if is_compressed { Ok(Box::new(Stream::new(whole, dictionary(), limits)?)) } else { Ok(Box::new(whole)) }
}

#[cold]
fn unread(error: io::Error) -> Error {
    Error::new(ErrorKind::Io, "compression", 0, error.to_string(), "bytes")
}

enum Source<'d, R: Read> {
    Zstd(Box<Frames<'d, R>>),
    Gzip(Box<Members<R>>),
}

impl<R: Read> std::fmt::Debug for Stream<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("taken", &self.taken()).finish_non_exhaustive()
    }
}

impl<'d, R: Read> Stream<'d, R> {
    /// Reads what is compressed in the way that the first bytes say, with the dictionary if frames need it. Frames of
    /// zstd may ask for the `window` of the limits; their other bounds are for the reader to keep.
    ///
    /// # Errors
    /// If it is neither zstd nor gzip, or reading the first bytes fails.
    pub fn new(input: R, dictionary: Option<&'d Dictionary>, limits: &Limits) -> Result<Stream<'d, R>, Error> {
        let (mut input, mut first) = (input, Vec::new());
        (&mut input).take(HEAD as u64).read_to_end(&mut first).map_err(unread)?;
        let method = Method::sniff(&first);
        let input = Counted { inner: BufReader::new(Cursor::new(first).chain(input)), taken: 0, looked: 0 };
        let source = match method {
            Some(Method::Gzip) => {
                Source::Gzip(Box::new(Members { decoder: MultiGzDecoder::new(input), has_member: false }))
            }
            Some(Method::Zstd) => {
                let window = limits.window;
                let decoder = decoder(dictionary, window).map_err(unread)?;
                Source::Zstd(Box::new(Frames { input, dictionary, window, held: Vec::new(), decoder, is_open: false }))
            }
            None => {
                return Err(Error::new(ErrorKind::Syntax, "compression", 0, "other bytes", "zstd or gzip"));
            }
        };
        Ok(Stream { source })
    }

    /// How many compressed bytes have been taken.
    #[must_use]
    pub fn taken(&self) -> u64 {
        match &self.source {
            Source::Zstd(frames) => frames.taken(),
            Source::Gzip(members) => members.taken(),
        }
    }
}

impl<R: Read> Read for Stream<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            Source::Zstd(frames) => frames.read(out),
            Source::Gzip(members) => members.read(out),
        }
    }
}

/// Members of gzip, one after the other.
struct Members<R: Read> {
    decoder: MultiGzDecoder<Counted<R>>,
    /// Whether the header of a member has been read.
    has_member: bool,
}

impl<R: Read> Members<R> {
    fn taken(&self) -> u64 {
        self.decoder.get_ref().taken
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(out);
        let (is_in_header, taken) = (self.decoder.header().is_none(), self.taken());
        self.has_member |= !is_in_header;
        read.map_err(|error| match error.kind() {
            // RFC 1952 section 2.2: members follow each other, with nothing before, between or after them.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput if is_in_header && self.has_member => {
                let (found, place) = ("other bytes after the end of what is compressed", self.decoder.get_ref().looked);
                refusal(Error::new(ErrorKind::Syntax, "gzip", place, found, "another member of gzip, or no more bytes"))
            }
            io::ErrorKind::UnexpectedEof => cut("gzip", taken),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                refusal(Error::new(ErrorKind::Syntax, "gzip", taken, error.to_string(), "a member of gzip"))
            }
            _ => error,
        })
    }
}

/// Bytes, and how many of them have been taken.
struct Counted<R: Read> {
    inner: BufReader<Chain<Cursor<Vec<u8>>, R>>,
    taken: u64,
    /// How many had been taken when the buffer was last looked into: after a member of gzip the decoder looks whether there are more
    /// bytes, and then reads a header.
    looked: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(out)?;
        self.taken += read as u64;
        Ok(read)
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.looked = self.taken;
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.taken += len as u64;
        self.inner.consume(len);
    }
}

/// Frames of zstd, one after the other.
struct Frames<'d, R: Read> {
    input: Counted<R>,
    dictionary: Option<&'d Dictionary>,
    window: u32,
    /// The head of a frame, which has been taken and not been decompressed.
    held: Vec<u8>,
    decoder: Decoder<'d>,
    /// Whether a frame is being read.
    is_open: bool,
}

impl<R: Read> Frames<'_, R> {
    fn taken(&self) -> u64 {
        self.input.taken - self.held.len() as u64
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            if !self.is_open && !self.begin()? {
                return Ok(0);
            }
            let taken = self.taken();
            let is_held = !self.held.is_empty();
            let bytes = if is_held { &self.held[..] } else { self.input.fill_buf()? };
            let is_end = bytes.is_empty();
            let (mut from, mut to) = (InBuffer::around(bytes), OutBuffer::around(out));
            let left = self.decoder.run(&mut from, &mut to).map_err(|error| damaged(&error, taken, self.window))?;
            let (used, written) = (from.pos(), to.pos());
            match is_held {
                true => drop(self.held.drain(..used)),
                false => self.input.consume(used),
            }
            self.is_open = left > 0;
            if written > 0 {
                return Ok(written);
            }
            if is_end && left > 0 {
                return Err(cut("zstd", taken));
            }
        }
        Ok(0)
    }

    /// Begins the next frame, if there is one.
    fn begin(&mut self) -> io::Result<bool> {
        while self.held.len() < HEAD {
            let bytes = self.input.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            let count = bytes.len().min(HEAD - self.held.len());
            self.held.extend_from_slice(&bytes[..count]);
            self.input.consume(count);
        }
        if self.held.is_empty() {
            return Ok(false);
        }
        let number = Method::sniff(&self.held).and_then(|_| get_dict_id_from_frame(&self.held)).map(u32::from);
        let expected = match (number, self.dictionary) {
            (None, _) => None,
            (Some(number), Some(dictionary)) if number == dictionary.id() => None,
            (Some(_), Some(dictionary)) => Some(format!("dictionary {}, which was given", dictionary.id())),
            (Some(_), None) => Some("that dictionary, but none was given".to_owned()),
        };
        if let (Some(number), Some(expected)) = (number, expected) {
            let found = format!("a message that is compressed with dictionary {number}");
            return Err(refusal(Error::new(ErrorKind::Unsupported, "zstd", self.taken(), found, expected)));
        }
        self.is_open = true;
        Ok(true)
    }
}

/// A decoder of frames that have the number of a dictionary, or none.
fn decoder<'d>(dictionary: Option<&'d Dictionary>, window: u32) -> io::Result<Decoder<'d>> {
    let mut decoder = match dictionary {
        Some(dictionary) => Decoder::with_prepared_dictionary(dictionary.prepared())?,
        None => Decoder::new()?,
    };
    // From the least to the greatest that zstd takes on machines of any size.
    decoder.set_parameter(DParameter::WindowLogMax(window.max(1).ilog2().clamp(10, 30)))?;
    Ok(decoder)
}

/// The error for bytes that zstd refuses.
#[cold]
fn damaged(error: &io::Error, taken: u64, window: u32) -> io::Error {
    let found = error.to_string();
    let is_window = found.contains("too much memory");
    refusal(match is_window {
        true => Error::limit("zstd", taken, "a frame that needs more memory", "window", window.into()),
        false => Error::new(ErrorKind::Syntax, "zstd", taken, found, "a frame of zstd"),
    })
}

#[cold]
fn cut(name: &'static str, taken: u64) -> io::Error {
    refusal(Error::new(ErrorKind::Incomplete, name, taken, tam::Words::End, "more compressed bytes"))
}

#[cold]
fn refusal(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// The error of a stream.
#[cold]
pub(crate) fn located(error: io::Error) -> Error {
    let words = error.to_string();
    let own = error.into_inner().and_then(|inner| inner.downcast::<Error>().ok());
    own.map_or_else(|| Error::new(ErrorKind::Io, "compression", 0, words, "bytes"), |own| *own)
}

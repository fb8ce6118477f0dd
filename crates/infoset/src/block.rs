//! A block of strings, decompressed piece by piece.

use tam::{Error, ErrorKind, Words};
use xml::chars::{char_at, first_illegal_between_nuls};

use crate::compression::{Decompressed, decompress};
use crate::message::Message;
use crate::rules::{FORMAT, Octets, syntax};
use crate::store::Span;
use crate::{SharedStrings, Strings as Algorithm};

/// A block of strings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'m> {
    algorithm: Algorithm,
    octets: Octets,
    /// The strings, if both sides have them; there are no octets then.
    shared: Option<&'m SharedStrings>,
    /// The number of strings, if the block has it.
    pub(crate) strings: Option<u32>,
    /// The index of its first string, once known.
    pub(crate) first: u32,
}

/// The separator between the algorithm of a block and the number of its strings, which allows a reader to skip the
/// block.
const STRINGS: &str = "?strings=";

/// The start of the algorithm of a block whose strings both sides have; their number follows.
const SHARED: &str = "shared:";

impl<'m> Block<'m> {
    /// All blocks of a message, each with algorithm and octets.
    pub(crate) fn all(blocks: &[(Octets, Octets)], message: &Message<'m>) -> Result<Vec<Block<'m>>, Error> {
        let block = |(at, (algorithm, octets)): (usize, &(Octets, Octets))| {
            let mut name = Vec::new();
            message.copy(*algorithm, &mut name)?;
            let name = String::from_utf8_lossy(&name);
            if let Some(id) = name.strip_prefix(SHARED) {
                // Otherwise a few octets would name all of the strings again and again.
                if at > 0 {
                    let found = "shared strings in a later block";
                    return Err(syntax(algorithm.at, found, "shared strings in the first block"));
                }
                return Block::of_shared(id, *octets, message).map_err(|error| error.at_bit(algorithm.at));
            }
            Block::named(&name, *octets).ok_or_else(|| {
                let found = format!("the compression algorithm '{}'", name.escape_debug());
                let expected = "none (''), 'bzip2', 'deflate' or 'zstd'";
                Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected).at_bit(algorithm.at)
            })
        };
        blocks.iter().enumerate().map(block).collect()
    }

    fn of_shared(id: &str, octets: Octets, message: &Message<'m>) -> Result<Block<'m>, Error> {
        let unsupported = |found, expected: Words| Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected);
        match message.shared {
            Some(shared) if id == shared_id(shared) && octets.len == 0 => {
                let (algorithm, strings) = (Algorithm::None, Some(shared.count() as u32));
                Ok(Block { algorithm, octets, shared: Some(shared), strings, first: 0 })
            }
            Some(shared) if id == shared_id(shared) => {
                let found = Words::Count(octets.len, "octets of shared strings");
                Err(Error::new(ErrorKind::Syntax, FORMAT, 0, found, "no octets"))
            }
            shared => {
                let found = format!("strings that are shared: {}", id.escape_debug());
                Err(unsupported(
                    found,
                    match shared {
                        Some(shared) => Words::Own(format!("those that were given: {}", shared_id(shared))),
                        None => Words::Text("the file of these strings"),
                    },
                ))
            }
        }
    }

    /// The name of the algorithm of a block whose strings both sides have.
    pub(crate) fn shared_name(shared: &SharedStrings) -> String {
        format!("{SHARED}{}", shared_id(shared))
    }

    fn named(name: &str, octets: Octets) -> Option<Block<'m>> {
        let (name, strings) = match name.split_once(STRINGS) {
            Some((name, count)) => (name, Some(count.parse().ok()?)),
            None => (name, None),
        };
        let known = [Algorithm::None, Algorithm::Deflate, Algorithm::Bzip2, Algorithm::Zstd];
        let algorithm = known.into_iter().find(|known| known.as_str() == name)?;
        Some(Block { algorithm, octets, shared: None, strings, first: 0 })
    }

    /// Its position, in bits.
    pub(crate) fn at(&self) -> u64 {
        self.octets.at
    }

    /// Whether the block is long enough for this many strings. If not, no memory is reserved for their positions.
    pub(crate) fn may_have(&self, strings: u32) -> bool {
        self.shared.is_some() || u64::from(strings) <= 16 * (self.octets.len + 16)
    }

    /// The name of the algorithm of a block with this many strings.
    pub(crate) fn name(algorithm: Algorithm, strings: Option<usize>) -> String {
        match strings {
            Some(count) => format!("{}{STRINGS}{count}", algorithm.as_str()),
            None => algorithm.as_str().to_owned(),
        }
    }
}

/// The number of shared strings as messages have it.
fn shared_id(shared: &SharedStrings) -> String {
    format!("{:08x}", shared.id())
}

/// Text as it is decompressed, and the positions of the strings in it.
pub(crate) struct Incoming<'s> {
    text: &'s mut String,
    spans: &'s mut Vec<Span>,
    /// The start of the current string in `text`.
    start: u32,
    /// The bytes of a character that continues in the next piece.
    cut: Vec<u8>,
    /// The position of the block, in bits.
    at: u64,
    /// The most bytes that `text` may hold.
    most: usize,
}

impl<'s> Incoming<'s> {
    /// Appends to `text`, which may hold `most` bytes.
    pub(crate) fn new(text: &'s mut String, spans: &'s mut Vec<Span>, most: usize) -> Incoming<'s> {
        let start = text.len() as u32;
        Incoming { text, spans, start, cut: Vec::new(), at: 0, most }
    }

    /// Decompresses all strings of a block, at most `left` bytes. Returns the number of bytes.
    pub(crate) fn open(mut self, block: &Block<'_>, left: u64, message: &Message<'_>) -> Result<u64, Error> {
        let Block { algorithm, octets, strings, shared, .. } = *block;
        let before = (self.text.len(), self.spans.len());
        self.at = octets.at;
        if let Some(shared) = shared {
            // They were checked when they were loaded.
            if self.text.len() + shared.text().len() > self.most {
                return Err(Error::limit(FORMAT, 0, "more text", "message_bytes", u32::MAX.into()).at_bit(self.at));
            }
            self.text.push_str(shared.text());
            self.spans.extend(shared.spans().iter().map(|span| Span { at: before.0 as u32 + span.at, len: span.len }));
            return Ok(0);
        }
        if algorithm == Algorithm::None {
            self.text.reserve(octets.len as usize);
            message.pieces(octets, &mut |piece| self.take(piece))?;
            self.finish(strings, before.1)?;
            return Ok(0);
        }
        let mut packed = Vec::new();
        message.copy(octets, &mut packed)?;
        let at = self.at;
        // Short strings may not take more memory for their positions than text may.
        let most_strings = before.1.saturating_add(left as usize / size_of::<Span>());
        let mut take = |piece: &[u8]| {
            self.take(piece)?;
            if self.spans.len() > most_strings { Err(too_much(at, message)) } else { Ok(()) }
        };
        match decompress(&packed, algorithm, left, &mut take) {
            Decompressed::Whole => {}
            Decompressed::TooMuch => return Err(too_much(at, message)),
            Decompressed::Bad(error) => {
                let found = format!("a block of strings that does not decompress ({error})");
                return Err(syntax(at, found, algorithm.as_str()));
            }
            Decompressed::Refused(error) => return Err(error),
        }
        self.finish(strings, before.1)?;
        Ok((self.text.len() - before.0) as u64)
    }

    /// Takes the next piece.
    fn take(&mut self, piece: &[u8]) -> Result<(), Error> {
        let mut piece = piece;
        while !self.cut.is_empty()
            && let Some((first, rest)) = piece.split_first()
        {
            piece = rest;
            let mut cut = core::mem::take(&mut self.cut);
            cut.push(*first);
            self.text(&cut)?;
        }
        self.text(piece)
    }

    /// Takes text that may end within a character.
    fn text(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (text, rest) = match simdutf8::compat::from_utf8(bytes) {
            Ok(text) => (text, &b""[..]),
            Err(error) if error.error_len().is_none() => {
                let (sound, rest) = bytes.split_at(error.valid_up_to());
                (str::from_utf8(sound).unwrap_or_default(), rest)
            }
            Err(_) => return Err(syntax(self.at, "a block of strings that is not UTF-8", "UTF-8")),
        };
        self.cut.extend_from_slice(rest);
        if self.text.len() + text.len() > self.most {
            return Err(Error::limit(FORMAT, 0, "more text", "message_bytes", u32::MAX.into()).at_bit(self.at));
        }
        let is_legal = self.find_ends(text.as_bytes());
        let illegal = if is_legal { None } else { first_illegal_between_nuls(text.as_bytes()) };
        if let Some(c) = illegal.and_then(|at| char_at(text.as_bytes(), at)) {
            let found = Words::Own(format!("the character U+{:04X} in a string", u32::from(c)));
            return Err(syntax(self.at, found, "characters that XML allows"));
        }
        self.text.push_str(text);
        Ok(())
    }

    /// Finds the NULs after strings. Returns `false` if the text may contain other characters that XML does not allow.
    fn find_ends(&mut self, text: &[u8]) -> bool {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        // Sets the top bit of each byte that is a space or more.
        const SPACES: u64 = 0x6060_6060_6060_6060;
        let controls = |bytes: u64| !((bytes & LOW).wrapping_add(SPACES) | bytes) & !LOW;
        let mut at = self.text.len() as u32;
        let mut start = self.start;
        let mut is_legal = true;
        let mut any = 0;
        let (pairs, rest) = text.as_chunks::<16>();
        for pair in pairs {
            let pair = u128::from_le_bytes(*pair);
            let halves = [pair as u64, (pair >> 64) as u64];
            any |= halves[0] | halves[1];
            let found = halves.map(controls);
            if found[0] | found[1] != 0 {
                for (half, (bytes, mut controls)) in halves.into_iter().zip(found).enumerate() {
                    while controls != 0 {
                        let shift = controls.trailing_zeros() & !7;
                        match (bytes >> shift) as u8 {
                            0 => {
                                let end = at + 8 * half as u32 + shift / 8;
                                self.spans.push(Span { at: start, len: end - start });
                                start = end + 1;
                            }
                            b'\n' | b'\t' | b'\r' => {}
                            _ => is_legal = false,
                        }
                        controls &= controls - 1;
                    }
                }
            }
            at += 16;
        }
        for byte in rest {
            any |= u64::from(*byte);
            match byte {
                0 => {
                    self.spans.push(Span { at: start, len: at - start });
                    start = at + 1;
                }
                b'\n' | b'\t' | b'\r' | b' '.. => {}
                _ => is_legal = false,
            }
            at += 1;
        }
        self.start = start;
        // Above ASCII, XML forbids two characters.
        is_legal && any & !LOW == 0
    }

    /// After the last piece: checks the number of strings since `before`, if the block has it.
    fn finish(&mut self, strings: Option<u32>, before: usize) -> Result<(), Error> {
        if !self.cut.is_empty() {
            return Err(syntax(self.at, "a block of strings that is not UTF-8", "UTF-8"));
        }
        if self.start as usize != self.text.len() {
            return Err(syntax(self.at, "a block of strings that ends within one", "a NUL after each string"));
        }
        let count = self.spans.len() - before;
        if strings.is_some_and(|strings| strings as usize != count) {
            let found = Words::Count(count as u64, "strings");
            return Err(syntax(self.at, found, Words::Count(strings.unwrap_or(0).into(), "strings")));
        }
        Ok(())
    }
}

#[cold]
fn too_much(at: u64, message: &Message<'_>) -> Error {
    message.too_much("a larger block of strings").at_bit(at)
}

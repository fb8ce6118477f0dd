//! A block of strings that is being opened, piece by piece.

use tam::{Error, ErrorKind, Words};
use xml::chars::{char_at, first_illegal_between_nuls};

use crate::Strings as Algorithm;
use crate::compression::{Decompressed, decompress};
use crate::message::Message;
use crate::rules::{FORMAT, Octets, syntax};
use crate::store::Span;

/// A block of strings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    algorithm: Algorithm,
    octets: Octets,
    /// How many strings it has, if it says so.
    pub(crate) strings: Option<u32>,
    /// The index of its first string, once that is known.
    pub(crate) first: u32,
}

/// What stands between the algorithm of a block and the number of its strings, by which a reader
/// can pass over the block.
const STRINGS: &str = "?strings=";

impl Block {
    /// All blocks of a message, by algorithm and octets.
    pub(crate) fn all(blocks: &[(Octets, Octets)], message: &Message<'_>) -> Result<Vec<Block>, Error> {
        let block = |(algorithm, octets): &(Octets, Octets)| {
            let mut name = Vec::new();
            message.copy(*algorithm, &mut name)?;
            let name = String::from_utf8_lossy(&name);
            Block::named(&name, *octets).ok_or_else(|| {
                let found = format!("the compression algorithm '{}'", name.escape_debug());
                let expected = "none (''), 'bzip2', 'deflate' or 'zstd'";
                Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected).at_bit(algorithm.at)
            })
        };
        blocks.iter().map(block).collect()
    }

    fn named(name: &str, octets: Octets) -> Option<Block> {
        let (name, strings) = match name.split_once(STRINGS) {
            Some((name, count)) => (name, Some(count.parse().ok()?)),
            None => (name, None),
        };
        let known = [Algorithm::None, Algorithm::Deflate, Algorithm::Bzip2, Algorithm::Zstd];
        let algorithm = known.into_iter().find(|known| known.as_str() == name)?;
        Some(Block { algorithm, octets, strings, first: 0 })
    }

    /// Where it stands, in bits.
    pub(crate) fn at(&self) -> u64 {
        self.octets.at
    }

    /// Whether it is likely to have so many strings. Where it is not, it is no use to keep their places
    /// on its word.
    pub(crate) fn may_have(&self, strings: u32) -> bool {
        u64::from(strings) <= 16 * (self.octets.len + 16)
    }

    /// The name of the algorithm of a block with so many strings.
    pub(crate) fn name(algorithm: Algorithm, strings: Option<usize>) -> String {
        match strings {
            Some(count) => format!("{}{STRINGS}{count}", algorithm.as_str()),
            None => algorithm.as_str().to_owned(),
        }
    }
}

/// Text as it comes, and where the strings in it stand.
pub(crate) struct Incoming<'s> {
    text: &'s mut String,
    spans: &'s mut Vec<Span>,
    /// Where the string begins that comes, in `text`.
    start: u32,
    /// Bytes of a character that goes on in the next piece.
    cut: Vec<u8>,
    /// Where the block stands, in bits.
    at: u64,
    /// The most that `text` may hold.
    most: usize,
}

impl<'s> Incoming<'s> {
    /// Text to come behind what `text` has, which may hold `most` bytes.
    pub(crate) fn new(text: &'s mut String, spans: &'s mut Vec<Span>, most: usize) -> Incoming<'s> {
        let start = text.len() as u32;
        Incoming { text, spans, start, cut: Vec::new(), at: 0, most }
    }

    /// All strings of a block, of which `left` bytes may be decompressed; how many were.
    pub(crate) fn open(mut self, block: &Block, left: u64, message: &Message<'_>) -> Result<u64, Error> {
        let Block { algorithm, octets, strings, .. } = *block;
        let before = (self.text.len(), self.spans.len());
        self.at = octets.at;
        if algorithm == Algorithm::None {
            self.text.reserve(octets.len as usize);
            message.pieces(octets, &mut |piece| self.take(piece))?;
            self.finish(strings, before.1)?;
            return Ok(0);
        }
        let mut packed = Vec::new();
        message.copy(octets, &mut packed)?;
        let at = self.at;
        // Strings of a few bytes may take no more memory than text may.
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

    /// The next piece.
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

    /// Text that may end within a character.
    fn text(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (text, behind) = match simdutf8::compat::from_utf8(bytes) {
            Ok(text) => (text, &b""[..]),
            Err(error) if error.error_len().is_none() => {
                let (sound, behind) = bytes.split_at(error.valid_up_to());
                (str::from_utf8(sound).unwrap_or_default(), behind)
            }
            Err(_) => return Err(syntax(self.at, "a block of strings that is not UTF-8", "UTF-8")),
        };
        self.cut.extend_from_slice(behind);
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

    /// Finds the NULs behind strings; `false` if there may be other characters that XML does not allow.
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
        // Above ASCII there are two that are not allowed.
        is_legal && any & !LOW == 0
    }

    /// Behind the last piece: there are so many strings, if that was said, behind `before`.
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

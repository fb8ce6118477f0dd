//! Bodies whose character set the head of the request names: its word is above that of the XML declaration (RFC 7303
//! section 3.1).

use crate::decoder::Refusal;

/// A character set that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Charset {
    /// UTF-8.
    Utf8,
    /// UTF-16. The first character gives the order of bytes; without one the first byte comes first.
    Utf16,
    /// UTF-16, the less significant byte first.
    Utf16Le,
    /// UTF-16, the more significant byte first.
    Utf16Be,
    /// ISO-8859-1.
    Latin1,
    /// US-ASCII.
    Ascii,
}

impl Charset {
    /// What is read.
    pub const NAMES: &'static str = "utf-8, utf-16, iso-8859-1, us-ascii";

    /// The character set of a name of IANA's list.
    #[must_use]
    pub fn of(name: &str) -> Option<Charset> {
        Some(match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Charset::Utf8,
            "utf-16" => Charset::Utf16,
            "utf-16le" => Charset::Utf16Le,
            "utf-16be" => Charset::Utf16Be,
            "iso-8859-1" | "iso_8859-1" | "latin1" | "l1" => Charset::Latin1,
            "us-ascii" | "ascii" => Charset::Ascii,
            _ => return None,
        })
    }
}

/// Makes UTF-8 of a body, piece by piece.
#[derive(Debug)]
pub(crate) struct Transcoder {
    charset: Option<Charset>,
    /// The first byte of a unit of UTF-16, and the first unit of a pair, whose second has not arrived.
    byte: Option<u8>,
    surrogate: Option<u16>,
    /// The beginning of the text, until it is known whether an XML declaration has to be taken out.
    begin: Option<String>,
}

/// An XML declaration is no longer than this.
const DECLARATION: usize = 1 << 10;

const BROKEN: &str = "The message is not in the character set that its Content-Type names.";

impl Transcoder {
    pub(crate) fn new(charset: Option<Charset>) -> Transcoder {
        Transcoder { charset, byte: None, surrogate: None, begin: charset.map(|_| String::new()) }
    }

    /// Gives `to` what the next bytes come to.
    pub(crate) fn take<R>(
        &mut self,
        bytes: &[u8],
        mut to: impl FnMut(&[u8]) -> Result<(), Refusal<R>>,
    ) -> Result<(), Refusal<R>> {
        let Some(charset) = self.charset else { return to(bytes) };
        if charset == Charset::Utf8 && self.begin.is_none() {
            return to(bytes);
        }
        // So that little memory is taken for text that has not been taken yet.
        for bytes in bytes.chunks(1 << 12) {
            let text = match charset {
                Charset::Utf8 => {
                    // Only the beginning is looked at, which has to be ASCII for that.
                    match str::from_utf8(bytes) {
                        Ok(text) => text.to_owned(),
                        Err(_) => {
                            self.leave_begin(&mut to)?;
                            to(bytes)?;
                            continue;
                        }
                    }
                }
                Charset::Latin1 => bytes.iter().map(|&byte| char::from(byte)).collect(),
                Charset::Ascii if bytes.is_ascii() => bytes.iter().map(|&byte| char::from(byte)).collect(),
                Charset::Ascii => return Err(Refusal::Broken(BROKEN)),
                Charset::Utf16 | Charset::Utf16Le | Charset::Utf16Be => self.utf16(bytes)?,
            };
            let Some(begin) = &mut self.begin else {
                to(text.as_bytes())?;
                continue;
            };
            begin.push_str(&text);
            let is_whole = !begin.starts_with("<?xml") || begin.contains("?>") || begin.len() > DECLARATION;
            if begin.len() >= 5 && is_whole {
                self.leave_begin(&mut to)?;
            }
        }
        Ok(())
    }

    /// The body ends here.
    pub(crate) fn finish<R>(&mut self, mut to: impl FnMut(&[u8]) -> Result<(), Refusal<R>>) -> Result<(), Refusal<R>> {
        if self.byte.is_some() || self.surrogate.is_some() {
            return Err(Refusal::Broken(BROKEN));
        }
        self.leave_begin(&mut to)
    }

    /// Spaces in the place of an XML declaration that names another encoding, so that offsets stay what they are.
    fn leave_begin<R>(&mut self, to: &mut impl FnMut(&[u8]) -> Result<(), Refusal<R>>) -> Result<(), Refusal<R>> {
        let Some(mut begin) = self.begin.take() else { return Ok(()) };
        if begin.starts_with("<?xml")
            && let Some(end) = begin.find("?>")
            && let declaration = begin[..end].to_ascii_lowercase()
            && declaration.contains("encoding")
            && !declaration.contains("utf-8")
        {
            begin.replace_range(..end + 2, &" ".repeat(end + 2));
        }
        to(begin.as_bytes())
    }

    fn utf16<R>(&mut self, bytes: &[u8]) -> Result<String, Refusal<R>> {
        let mut text = String::with_capacity(bytes.len());
        for &byte in bytes {
            let Some(first) = self.byte.take() else {
                self.byte = Some(byte);
                continue;
            };
            let pair = [first, byte];
            let unit = match self.charset {
                Some(Charset::Utf16) => {
                    let is_little = matches!(pair, [0xFF, 0xFE] | [b'<', 0]);
                    self.charset = Some(if is_little { Charset::Utf16Le } else { Charset::Utf16Be });
                    if matches!(pair, [0xFF, 0xFE] | [0xFE, 0xFF]) {
                        continue;
                    }
                    if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
                }
                Some(Charset::Utf16Le) => u16::from_le_bytes(pair),
                _ => u16::from_be_bytes(pair),
            };
            let units = match self.surrogate.take() {
                Some(high) => [Some(high), Some(unit)],
                None if matches!(unit, 0xD800..0xDC00) => {
                    self.surrogate = Some(unit);
                    continue;
                }
                None => [Some(unit), None],
            };
            for read in char::decode_utf16(units.into_iter().flatten()) {
                text.push(read.map_err(|_| Refusal::Broken(BROKEN))?);
            }
        }
        Ok(text)
    }
}

//! Which characters the bytes of a document are (XML 1.0 section 4.3.3 and appendix F).

use std::sync::Arc;

use tam::{Error, ErrorKind, Words};
use xml::chars;
use xml::name::name_end;

/// An encoding that is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Ascii,
    Latin1,
    Utf16Le,
    Utf16Be,
}

/// A text that is lent, or shared by those who look at it.
#[derive(Clone, Debug)]
pub(crate) enum Text<'a> {
    Lent(&'a str),
    Shared(Arc<str>),
}

impl Text<'_> {
    #[inline(always)]
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Text::Lent(text) => text,
            Text::Shared(text) => text,
        }
    }
}

/// Why the characters of a document end where they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// There are no more bytes.
    End,
    /// A part of a character is left; its rest may still come.
    Cut,
    /// A character that XML does not allow.
    Char(char),
    /// A byte that is no part of a character in the encoding.
    Byte(u8, &'static str),
}

/// The characters of a document.
#[derive(Clone, Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Text<'a>,
    /// Where in the text reading has to stop, and why.
    pub(crate) end: usize,
    pub(crate) stop: Stop,
    /// The encoding of the input, which gives the size of a character, and the size of the byte order mark.
    unit: Encoding,
    mark: usize,
}

impl<'a> Decoded<'a> {
    /// A text whose characters are known; a byte order mark may still be among them.
    pub(crate) fn from_text(text: &'a str) -> Decoded<'a> {
        let (text, mark) = text.strip_prefix('\u{FEFF}').map_or((text, 0), |text| (text, 3));
        Decoded::lent(text, Stop::End, mark).checked(0)
    }

    /// A text that is lent, of UTF-8, whose characters are not checked.
    fn lent(text: &'a str, stop: Stop, mark: usize) -> Decoded<'a> {
        Decoded { text: Text::Lent(text), end: text.len(), stop, unit: Encoding::Utf8, mark }
    }

    /// Whether other bytes of the document would be read as UTF-8 as well.
    pub(crate) fn is_utf8(&self) -> bool {
        self.unit == Encoding::Utf8
    }

    /// Offset in the input of a place in the text, in bytes.
    pub(crate) fn offset(&self, at: usize) -> usize {
        let before = || self.text.as_str().get(..at).unwrap_or("").chars();
        self.mark
            + match self.unit {
                Encoding::Utf8 | Encoding::Ascii => at,
                Encoding::Latin1 => before().count(),
                Encoding::Utf16Le | Encoding::Utf16Be => before().map(|c| c.len_utf16() * 2).sum(),
            }
    }

    /// The same, reading ending at the first character that is not allowed; there is none before a place.
    fn checked(mut self, from: usize) -> Self {
        let text = self.text.as_str().as_bytes();
        if let Some(at) = chars::first_illegal(text.get(from..).unwrap_or_default()).map(|at| from + at)
            && let Some(c) = chars::char_at(text, at)
        {
            (self.end, self.stop) = (at, Stop::Char(c));
        }
        self
    }
}

/// The characters of `input`, by its byte order mark, its first bytes and its declaration.
pub(crate) fn decode(input: &[u8]) -> Result<Decoded<'_>, Error> {
    let decoded = match input {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, b'<', ..] | [b'<', 0, 0, 0, ..] => {
            return Err(unknown("UTF-32", 0));
        }
        [0x4C, 0x6F, 0xA7, 0x94, ..] => return Err(unknown("EBCDIC", 0)),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, Encoding::Utf16Le, 2)?,
        [0xFE, 0xFF, rest @ ..] => utf16(rest, Encoding::Utf16Be, 2)?,
        [b'<', 0, ..] => utf16(input, Encoding::Utf16Le, 0)?,
        [0, b'<', ..] => utf16(input, Encoding::Utf16Be, 0)?,
        [0xEF, 0xBB, 0xBF, rest @ ..] => {
            let expected = "UTF-8, as the byte order mark says";
            declared(rest, |at| 3 + at, |encoding| encoding == Declared::Is(Encoding::Utf8), expected)?;
            utf8(rest, 3)
        }
        _ => {
            let is_bytes =
                |encoding| matches!(encoding, Declared::Is(Encoding::Utf8 | Encoding::Ascii | Encoding::Latin1));
            match declared(input, |at| at, is_bytes, "an encoding of one byte a character, or UTF-8")? {
                Some(Declared::Is(Encoding::Ascii)) => ascii(input),
                Some(Declared::Is(Encoding::Latin1)) => latin1(input),
                _ => utf8(input, 0),
            }
        }
    };
    Ok(decoded)
}

fn utf8(input: &[u8], mark: usize) -> Decoded<'_> {
    let plain = match xml::ascii::plain_text(input) {
        Ok(text) => return Decoded::lent(text, Stop::End, mark),
        Err(plain) => plain,
    };
    let (text, stop) = match str::from_utf8(input) {
        Ok(text) => (text, Stop::End),
        Err(error) => {
            let (valid, rest) = input.split_at(error.valid_up_to());
            let stop = match (error.error_len(), rest.first()) {
                (Some(_), Some(&byte)) => Stop::Byte(byte, "UTF-8"),
                _ => Stop::Cut,
            };
            (str::from_utf8(valid).unwrap_or(""), stop)
        }
    };
    Decoded::lent(text, stop, mark).checked(plain)
}

fn ascii(input: &[u8]) -> Decoded<'_> {
    let end = input.iter().position(|byte| !byte.is_ascii()).unwrap_or(input.len());
    let (valid, rest) = input.split_at(end);
    let mut decoded = Decoded { unit: Encoding::Ascii, ..utf8(valid, 0) };
    if let (Stop::End, Some(&byte)) = (decoded.stop, rest.first()) {
        decoded.stop = Stop::Byte(byte, "US-ASCII");
    }
    decoded
}

fn latin1(input: &[u8]) -> Decoded<'_> {
    if input.is_ascii() {
        return Decoded { unit: Encoding::Ascii, ..utf8(input, 0) };
    }
    let text: String = input.iter().map(|&byte| char::from(byte)).collect();
    Decoded { end: text.len(), text: Text::Shared(text.into()), stop: Stop::End, unit: Encoding::Latin1, mark: 0 }
        .checked(0)
}

fn utf16(input: &[u8], unit: Encoding, mark: usize) -> Result<Decoded<'_>, Error> {
    let (pairs, odd) = input.as_chunks::<2>();
    let units = pairs.iter().map(|&pair| match unit {
        Encoding::Utf16Be => u16::from_be_bytes(pair),
        _ => u16::from_le_bytes(pair),
    });
    let mut text = String::with_capacity(input.len() / 2);
    let mut stop = if odd.is_empty() { Stop::End } else { Stop::Cut };
    let mut read = 0;
    for c in char::decode_utf16(units) {
        match c {
            Ok(c) => {
                text.push(c);
                read += c.len_utf16();
            }
            Err(half) if half.unpaired_surrogate() < 0xDC00 && read + 1 == pairs.len() => {
                stop = Stop::Cut;
                break;
            }
            Err(half) => {
                stop = Stop::Byte((half.unpaired_surrogate() >> 8) as u8, "UTF-16");
                break;
            }
        }
    }
    let decoded = Decoded { end: text.len(), text: Text::Shared(text.into()), stop, unit, mark };
    let fits = |encoding| encoding == Declared::Utf16 || encoding == Declared::Is(unit);
    let bytes = decoded.text.as_str().as_bytes();
    declared(bytes, |at| decoded.offset(at), fits, "UTF-16, as the bytes are")?;
    Ok(decoded.checked(0))
}

/// What an encoding declaration names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declared {
    Is(Encoding),
    /// In the order that the byte order mark says.
    Utf16,
}

/// The encoding that the XML declaration names, which must be known and fit the bytes; `offset` is
/// where a place in the declaration is in the input. A declaration that is not well-formed names
/// none; the reader will say what is wrong with it.
fn declared(
    bytes: &[u8],
    offset: impl Fn(usize) -> usize,
    fits: impl Fn(Declared) -> bool,
    expected: &'static str,
) -> Result<Option<Declared>, Error> {
    let Some((name, at)) = encoding_name(bytes) else {
        return Ok(None);
    };
    let encoding = match name.to_ascii_uppercase().as_str() {
        "UTF-8" => Declared::Is(Encoding::Utf8),
        "US-ASCII" | "ASCII" | "ANSI_X3.4-1968" | "ISO646-US" | "ISO-IR-6" | "US" | "CSASCII" => {
            Declared::Is(Encoding::Ascii)
        }
        "ISO-8859-1" | "ISO_8859-1" | "LATIN1" | "L1" | "ISO-IR-100" | "IBM819" | "CP819" | "CSISOLATIN1" => {
            Declared::Is(Encoding::Latin1)
        }
        "UTF-16" => Declared::Utf16,
        "UTF-16LE" => Declared::Is(Encoding::Utf16Le),
        "UTF-16BE" => Declared::Is(Encoding::Utf16Be),
        _ => return Err(placed(unknown(name, offset(at)), bytes, at)),
    };
    if fits(encoding) {
        return Ok(Some(encoding));
    }
    let found = Words::Own(format!("the encoding {name}"));
    Err(placed(Error::new(ErrorKind::Syntax, "xml", offset(at) as u64, found, expected), bytes, at))
}

/// The value of the pseudo-attribute `encoding`, where there is a well-formed one.
fn encoding_name(bytes: &[u8]) -> Option<(&str, usize)> {
    let mut at = 5;
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    loop {
        let name = chars::space_end(bytes, at);
        let end = name_end(bytes, name);
        if name == at || end == name {
            return None;
        }
        let equals = chars::space_end(bytes, end);
        if bytes.get(equals) != Some(&b'=') {
            return None;
        }
        let quote = chars::space_end(bytes, equals + 1);
        let mark = *bytes.get(quote).filter(|mark| matches!(mark, b'"' | b'\''))?;
        let value = bytes.get(quote + 1..)?;
        let value = &value[..memchr::memchr(mark, value)?];
        if &bytes[name..end] == b"encoding" {
            return str::from_utf8(value).ok().filter(|_| is_encoding_name(value)).map(|name| (name, quote + 1));
        }
        at = quote + 1 + value.len() + 1;
    }
}

/// Line and column of a place in a text, from 1, the column in characters. A line ends with LF, CR
/// or both.
pub(crate) fn line_and_column(text: &str, at: usize) -> (u64, u64) {
    let before = text.get(..at).unwrap_or(text);
    let bytes = before.as_bytes();
    let is_end = |n: &usize| bytes[*n] == b'\n' || bytes[*n] == b'\r' && text.as_bytes().get(n + 1) != Some(&b'\n');
    let ends = (0..bytes.len()).filter(is_end);
    let (lines, start) = ends.fold((0, 0), |(lines, _), end| (lines + 1, end + 1));
    (lines + 1, 1 + before.get(start..).unwrap_or("").chars().count() as u64)
}

/// EncName (production 81).
pub(crate) fn is_encoding_name(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-'))
}

fn unknown(name: &str, at: usize) -> Error {
    let found = Words::Own(format!("the encoding {name}"));
    Error::new(ErrorKind::Unsupported, "xml", at as u64, found, "UTF-8, UTF-16, ISO-8859-1 or US-ASCII").at_line(1, 1)
}

fn placed(error: Error, bytes: &[u8], at: usize) -> Error {
    let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or(&[]));
    let (line, column) = line_and_column(&before, before.len());
    error.at_line(line, column)
}

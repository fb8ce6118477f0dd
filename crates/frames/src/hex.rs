//! Messages as hexadecimal text.
//!
//! [`read`] takes digits in any layout, and dumps with offsets as Wireshark, `tshark -x`, `xxd`, `tcpdump -X`,
//! `hexdump -C` and `od` print them. [`line()`] takes one line of digits.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_frames::hex;
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! assert_eq!(hex::line(b"0x30, 0x03 020105")?, [0x30, 3, 2, 1, 5]);
//! let dump = "0000  30 03 02 01                                      0...\n0004  05                                               .\n";
//! let dumps = hex::read(dump.as_bytes())?;
//! assert_eq!((dumps.len(), &dumps[0].bytes[..]), (1, &[0x30, 3, 2, 1, 5][..]));
//! # Ok(())
//! # }
//! ```

use tam::{Error, ErrorKind, Words};

/// A message, and where it begins in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dump {
    /// Its first line, from 1.
    pub line: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The messages of a text.
///
/// A dump has an offset in each line, in hexadecimal, or in octal as `od` prints it. Its messages begin where the offset is 0 again, and after a line such as
/// `Reassembled SCTP (80 bytes):`, as `tshark -x` prints them. Text without offsets is one message. Empty lines and lines that
/// begin with `#` are comments.
///
/// # Errors
/// [`ErrorKind::Syntax`] with line and column if something else than digits is found, the number of digits is odd, or an
/// offset is not the number of bytes before it.
pub fn read(text: &[u8]) -> Result<Vec<Dump>, Error> {
    let mut dumps: Vec<Dump> = Vec::new();
    let (mut is_new, mut has_offsets) = (true, false);
    // The base of the offsets, once it shows.
    let mut base = None;
    let (mut start, text) = match text.strip_prefix(b"\xEF\xBB\xBF") {
        Some(text) => (3, text),
        None => (0, text),
    };
    for (number, full) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let place = Place { line: number, start };
        start += full.len() + 1;
        let line = full.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        if line.ends_with(b" bytes):") || line.ends_with(b" byte):") {
            is_new = true;
            continue;
        }
        if line == b"*" {
            return Err(place.error(full, line, "a line of * for lines that are left out", "all lines of the dump"));
        }
        let mut offset = offset(line);
        match &offset {
            Some(Offset { value: 0, rest, .. }) if !rest.is_empty() && (is_new || has_offsets) => {
                (is_new, has_offsets) = (true, true)
            }
            // The start of a dump is missing, or these are digits in groups.
            Some(found) if is_new => has_offsets = found.is_set_off && !found.rest.is_empty(),
            None if is_new => has_offsets = false,
            _ => {}
        }
        if is_new {
            dumps.push(Dump { line: number, bytes: Vec::new() });
            is_new = false;
        }
        if !has_offsets {
            offset = None;
        }
        let Some(dump) = dumps.last_mut() else { continue };
        match offset {
            Some(Offset { value, octal, rest, .. }) => {
                let len = dump.bytes.len() as u64;
                base = match (value == len, octal == Some(len)) {
                    (true, true) => base,
                    (true, false) if base != Some(8) => Some(16),
                    (false, true) if base != Some(16) => Some(8),
                    _ => {
                        let found = format!("the offset {value:x}");
                        let expected = match (len, base) {
                            (0, _) => "0".to_owned(),
                            (len, Some(8)) => format!("{len:o} or 0"),
                            (len, _) => format!("{len:x} or 0"),
                        };
                        return Err(place.error(full, line, found, expected));
                    }
                };
                octets(rest, &mut dump.bytes).map_err(|rest| place.of_digit(full, rest))?;
            }
            None if has_offsets => return Err(place.error(full, line, "a line without an offset", "an offset")),
            None => digits(line, &mut dump.bytes).map_err(|rest| place.of_digit(full, rest))?,
        }
    }
    dumps.retain(|dump| !dump.bytes.is_empty());
    Ok(dumps)
}

/// The bytes of a line of digits, in any groups: `3003020105`, `30:03`, `0x30, 0x3`, `\x30\x03`, `'3003'H`.
///
/// # Errors
/// [`ErrorKind::Syntax`] at what is no digit, or where a group has an odd number of digits.
pub fn line(text: &[u8]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    digits(text, &mut bytes).map_err(|rest| Place { line: 1, start: 0 }.of_digit(text, rest))?;
    Ok(bytes)
}

/// A line of a text.
struct Place {
    line: u64,
    /// Its offset.
    start: usize,
}

impl Place {
    /// An error where the rest of a line begins.
    fn error(&self, line: &[u8], rest: &[u8], found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        let at = rest.as_ptr() as usize - line.as_ptr() as usize;
        let column = String::from_utf8_lossy(&line[..at]).chars().count() + 1;
        let error = Error::new(ErrorKind::Syntax, "hex", (self.start + at) as u64, found, expected);
        error.at_line(self.line, column as u64)
    }

    fn of_digit(&self, line: &[u8], rest: &[u8]) -> Error {
        let found = match rest.first() {
            Some(byte) if byte.is_ascii_hexdigit() => Words::Text("a single hexadecimal digit"),
            Some(byte) => Words::Byte(*byte),
            None => Words::Text("a single hexadecimal digit"),
        };
        self.error(line, rest, found, "two hexadecimal digits")
    }
}

/// The offset at the start of a line of a dump.
struct Offset<'l> {
    value: u64,
    /// The same in octal.
    octal: Option<u64>,
    /// Whether a colon or more than one space separates it, which digits in groups do not have.
    is_set_off: bool,
    rest: &'l [u8],
}

/// The offset of a line, if it is a line of a dump: a number, a colon or space, and octets. A line of plain digits has groups
/// of another length than an octet, or begins with one.
fn offset(line: &[u8]) -> Option<Offset<'_>> {
    let bare = line.strip_prefix(b"0x").unwrap_or(line);
    let len = bare.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    if !(3..=8).contains(&len) {
        return None;
    }
    let digits = std::str::from_utf8(&bare[..len]).ok()?;
    let value = u64::from_str_radix(digits, 16).ok()?;
    let octal = u64::from_str_radix(digits, 8).ok();
    let rest = &bare[len..];
    let is_set_off = rest.starts_with(b":") || rest.starts_with(b"  ");
    if let Some(rest) = rest.strip_prefix(b":") {
        return (rest.is_empty() || rest.starts_with(b" ")).then_some(Offset { value, octal, is_set_off, rest });
    }
    let first = rest.trim_ascii_start();
    let is_octet = first.iter().take_while(|byte| byte.is_ascii_hexdigit()).count() == 2
        && first.get(2).is_none_or(|byte| byte.is_ascii_whitespace());
    // The last line of `hexdump` and `od` has no octets.
    (is_octet || first.is_empty()).then_some(Offset { value, octal, is_set_off, rest })
}

/// Appends the octets of a line of a dump, up to the column of characters. Returns what is no octet.
///
/// The column comes after two spaces or more; a gap of two after eight octets is one in the middle of the line.
fn octets<'l>(line: &'l [u8], bytes: &mut Vec<u8>) -> Result<(), &'l [u8]> {
    let mut rest = line;
    let mut count = 0;
    loop {
        let gap = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        rest = &rest[gap..];
        let group = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let is_column = count > 0 && gap > 1 && !(gap == 2 && count == 8);
        if rest.is_empty() || is_column {
            return Ok(());
        }
        let is_group = group > 0 && group % 2 == 0 && rest.get(group).is_none_or(|byte| byte.is_ascii_whitespace());
        match is_group {
            true => rest[..group].chunks_exact(2).for_each(|pair| bytes.push(octet(pair[0], pair[1]))),
            // After the gap in the middle, characters of a short line.
            false if count > 0 && gap == 2 => return Ok(()),
            false => return Err(rest),
        }
        count += group / 2;
        rest = &rest[group..];
    }
}

/// Appends the octets of digits in any groups. Returns what is no digit.
fn digits<'l>(line: &'l [u8], bytes: &mut Vec<u8>) -> Result<(), &'l [u8]> {
    let mut rest = line.trim_ascii();
    // Value notation: 'digits'H.
    if let Some(quoted) = rest.strip_prefix(b"'").and_then(|rest| rest.strip_suffix(b"'H")) {
        rest = quoted;
    }
    while let [first, after @ ..] = rest {
        match (first, after) {
            (b'0' | b'\\', [b'x' | b'X', digits @ ..]) => {
                let len = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                let pairs = match (len, digits) {
                    (0, _) => return Err(digits),
                    // One octet, as in C.
                    (1, [digit, ..]) => {
                        bytes.push(octet(b'0', *digit));
                        rest = &digits[1..];
                        continue;
                    }
                    _ => &digits[..len],
                };
                rest = match pairs.chunks_exact(2) {
                    pairs if pairs.remainder().is_empty() => {
                        pairs.for_each(|pair| bytes.push(octet(pair[0], pair[1])));
                        &digits[len..]
                    }
                    _ => return Err(&digits[len - 1..]),
                };
            }
            (a, [b, more @ ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                bytes.push(octet(*a, *b));
                rest = more;
            }
            (b' ' | b'\t' | b'\r' | b',' | b':' | b'"' | b';', _) => rest = after,
            _ => return Err(rest),
        }
    }
    Ok(())
}

fn octet(high: u8, low: u8) -> u8 {
    let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
    digit(high) << 4 | digit(low)
}

//! Identifier and length octets (X.690 clauses 8.1.2 and 8.1.3).

use crate::schema::{Tag, TagClass};

/// The end of contents that an end-of-contents terminates.
pub(super) const INDEFINITE: usize = usize::MAX;

/// A header as two numbers, so that it stays in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The tag as [`key`] returns it, and [`CONSTRUCTED`].
    identity: u64,
    /// The end of the contents, or [`INDEFINITE`].
    pub(super) end: usize,
}

/// Set if the contents are encodings themselves.
const CONSTRUCTED: u64 = 1 << 40;

/// A tag as a number: in the order of tags.
#[inline(always)]
pub(super) fn key(tag: Tag) -> u64 {
    (tag.class as u64) << 32 | u64::from(tag.number)
}

impl Header {
    #[inline(always)]
    pub(super) fn key(self) -> u64 {
        self.identity & !CONSTRUCTED
    }

    #[inline(always)]
    pub(super) fn is_constructed(self) -> bool {
        self.identity & CONSTRUCTED != 0
    }

    #[inline(always)]
    pub(super) fn is_indefinite(self) -> bool {
        self.end == INDEFINITE
    }

    pub(super) fn tag(self) -> Tag {
        Tag { class: class((self.identity >> 32) as u8), number: self.identity as u32 }
    }

    /// Whether this is an end-of-contents (X.690 clause 8.1.5).
    pub(super) fn is_end_of_contents(self) -> bool {
        self.key() == 0
    }
}

/// Why octets are not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The input ends within it: the position of the end, and the least number of octets missing.
    Short(usize, usize),
    /// The contents are longer than what is left: the position, and the number of octets missing.
    Beyond(usize, usize),
    /// Something invalid: its position, what was found, and what was expected.
    Bad(usize, &'static str, &'static str),
    /// A number that is too large: its position, what was found, and what was expected.
    Large(usize, &'static str, &'static str),
}

fn class(number: u8) -> TagClass {
    match number & 3 {
        0 => TagClass::Universal,
        1 => TagClass::Application,
        2 => TagClass::Context,
        _ => TagClass::Private,
    }
}

/// The first octet of an identifier and a number as an identity.
#[inline(always)]
fn identity(identifier: u8, number: u32) -> u64 {
    let form = if identifier & 0x20 != 0 { CONSTRUCTED } else { 0 };
    u64::from(identifier >> 6) << 32 | form | u64::from(number)
}

/// Parses the header at a position. Returns it and the start of its contents if identifier and length have one octet
/// each and the contents end within `end`.
#[inline(always)]
pub(super) fn parse_short(message: &[u8], start: usize, end: usize) -> Option<(Header, usize)> {
    let [identifier, length] = message.get(start..).and_then(<[u8]>::first_chunk::<2>)?;
    let contents = start + 2;
    let header =
        Header { identity: identity(*identifier, u32::from(identifier & 0x1F)), end: contents + usize::from(*length) };
    (identifier & 0x1F != 0x1F && *length < 0x80 && header.end <= end).then_some((header, contents))
}

/// Parses the header at a position within what ends at `end`. Returns it and the start of its contents.
#[inline(always)]
pub(super) fn parse(message: &[u8], start: usize, end: usize) -> Result<(Header, usize), Fault> {
    match parse_short(message, start, end) {
        Some(short) => Ok(short),
        None => parse_slowly(message.get(..end).unwrap_or(message), start),
    }
}

/// Parses every form; the slice ends where the surrounding contents end.
#[inline(never)]
fn parse_slowly(message: &[u8], start: usize) -> Result<(Header, usize), Fault> {
    let mut at = start;
    let mut next = || {
        let octet = message.get(at).copied();
        at += usize::from(octet.is_some());
        octet
    };
    let Some(identifier) = next() else { return Err(Fault::Short(start, 2)) };
    let mut number = u32::from(identifier & 0x1F);
    if number == 0x1F {
        number = 0;
        for octets in 0.. {
            // After the last octet of the identifier there is at least one octet of the length.
            let Some(octet) = next() else { return Err(Fault::Short(message.len(), 2)) };
            if octets == 0 && octet == 0x80 {
                return Err(Fault::Bad(start, "a tag number with a digit zero in front", "its shortest form"));
            }
            if number >> 25 != 0 {
                return Err(Fault::Large(start, "a tag number of more than 32 bits", "a smaller one"));
            }
            number = number << 7 | u32::from(octet & 0x7F);
            if octet & 0x80 == 0 {
                break;
            }
        }
        if number < 0x1F {
            return Err(Fault::Bad(start, "a tag number below 31 in the long form", "its short form"));
        }
    }
    let Some(first) = next() else { return Err(Fault::Short(message.len(), 1)) };
    let constructed = identifier & 0x20 != 0;
    // 64 bits on every processor, because the length may exceed what is present.
    let mut length = u64::from(first);
    match first {
        0..0x80 => {}
        0x80 if constructed => length = u64::MAX,
        0x80 => return Err(Fault::Bad(start, "an indefinite length of a primitive value", "a definite length")),
        0xFF => return Err(Fault::Bad(start, "a length of form 0xFF", "a length (X.690 clause 8.1.3.5)")),
        _ => {
            length = 0;
            for left in (1..=usize::from(first & 0x7F)).rev() {
                let Some(octet) = next() else { return Err(Fault::Short(message.len(), left)) };
                // No buffer is that long.
                if length >> (u64::BITS - 9) != 0 {
                    return Err(Fault::Large(start, "a length of more octets than there can be", "a shorter value"));
                }
                length = length << 8 | u64::from(octet);
            }
        }
    }
    let left = message.len() - at;
    let end = match usize::try_from(length) {
        _ if length == u64::MAX => INDEFINITE,
        Ok(length) if length <= left => at + length,
        _ => {
            let missing = usize::try_from(length - left as u64).unwrap_or(usize::MAX);
            return Err(Fault::Beyond(start, missing));
        }
    };
    Ok((Header { identity: identity(identifier, number), end }, at))
}

/// A tag as the notation writes it.
#[cold]
pub(super) fn notation(tag: Tag) -> String {
    match tag.class {
        TagClass::Universal => format!("[UNIVERSAL {}]", tag.number),
        TagClass::Application => format!("[APPLICATION {}]", tag.number),
        TagClass::Context => format!("[{}]", tag.number),
        TagClass::Private => format!("[PRIVATE {}]", tag.number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(octets: &[u8]) -> Result<(TagClass, u32, bool, usize, usize), Fault> {
        let (header, contents) = parse(octets, 0, octets.len())?;
        Ok((header.tag().class, header.tag().number, header.is_constructed(), contents, header.end))
    }

    /// Identifiers by X.690 clauses 8.1.2.2 to 8.1.2.4, lengths by 8.1.3.3 to 8.1.3.6; the length of
    /// 201 is the example of 8.1.3.5.
    #[test]
    fn every_form_is_read() {
        let with = |header: &[u8], contents: usize| [header, &vec![0; contents][..]].concat();
        let cases: [(Vec<u8>, _); 9] = [
            (with(&[0x02, 1], 1), (TagClass::Universal, 2, false, 2, 3)),
            (with(&[0x7E, 0], 0), (TagClass::Application, 30, true, 2, 2)),
            (with(&[0xBF, 0x1F, 2], 2), (TagClass::Context, 31, true, 3, 5)),
            (with(&[0xDF, 0x81, 0x00, 0], 0), (TagClass::Private, 128, false, 4, 4)),
            (with(&[0x5F, 0x8F, 0xFF, 0xFF, 0xFF, 0x7F, 0], 0), (TagClass::Application, u32::MAX, false, 7, 7)),
            (with(&[0x04, 0x81, 201], 201), (TagClass::Universal, 4, false, 3, 204)),
            (with(&[0x04, 0x84, 0, 0, 0, 3], 3), (TagClass::Universal, 4, false, 6, 9)),
            (with(&[&[0x04, 0xFE][..], &[0; 125], &[2]].concat(), 2), (TagClass::Universal, 4, false, 128, 130)),
            (with(&[0x30, 0x80], 0), (TagClass::Universal, 16, true, 2, INDEFINITE)),
        ];
        for (octets, expected) in cases {
            assert_eq!(header(&octets), Ok(expected), "{octets:02X?}");
            for len in 0..expected.3 {
                assert!(matches!(header(&octets[..len]), Err(Fault::Short(..))), "{:02X?}", &octets[..len]);
            }
            if expected.4 != INDEFINITE && expected.4 > expected.3 {
                assert_eq!(header(&octets[..expected.3]), Err(Fault::Beyond(0, expected.4 - expected.3)));
            }
        }
    }

    #[test]
    fn what_is_no_header() {
        let bad: [&[u8]; 5] =
            [&[0x1F, 0x80, 0x1F, 0], &[0x1F, 0x1E, 0], &[0x04, 0x80], &[0x30, 0xFF], &[0x04, 0xFF, 0]];
        for octets in bad {
            assert!(matches!(header(octets), Err(Fault::Bad(0, ..))), "{octets:02X?}");
        }
        let large: [&[u8]; 2] = [&[0x1F, 0x90, 0x80, 0x80, 0x80, 0x00, 0], &[0x04, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0]];
        for octets in large {
            assert!(matches!(header(octets), Err(Fault::Large(0, ..))), "{octets:02X?}");
        }
    }
}

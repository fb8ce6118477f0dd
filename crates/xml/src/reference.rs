//! References to characters and to the predefined entities (XML 1.0 sections 4.1 and 4.6).

use core::ops::Range;
use std::borrow::Cow;

use memchr::memchr;

use crate::chars::is_char;
use crate::name::token_end;

/// The character for the text between the `&` and the `;` of a reference: one of the five predefined entities, or a
/// number after `#` or `#x` that XML allows. `None` for anything else.
///
/// ```
/// use lengthwise_xml::reference::character;
///
/// assert_eq!([b"lt", &b"#65"[..], b"#x00041"].map(character), [Some('<'), Some('A'), Some('A')]);
/// assert_eq!([b"nbsp", &b"#0"[..], b"#X41"].map(character), [None; 3]);
/// ```
#[must_use]
pub fn character(name: &[u8]) -> Option<char> {
    let (digits, radix) = match name {
        b"lt" => return Some('<'),
        b"gt" => return Some('>'),
        b"amp" => return Some('&'),
        b"apos" => return Some('\''),
        b"quot" => return Some('"'),
        [b'#', b'x', digits @ ..] => (digits, 16),
        [b'#', digits @ ..] => (digits, 10),
        _ => return None,
    };
    if digits.is_empty() {
        return None;
    }
    let mut code = 0_u32;
    for byte in digits {
        code = code.saturating_mul(radix).saturating_add(char::from(*byte).to_digit(radix)?);
    }
    char::from_u32(code).filter(|&c| is_char(c))
}

/// Replaces references to characters. Copies the text only if it has references.
///
/// # Errors
/// The position of the first `&` that does not begin such a reference, and of the end of what was checked.
#[inline]
pub fn decode(raw: &str) -> Result<Cow<'_, str>, Range<usize>> {
    match memchr(b'&', raw.as_bytes()) {
        None => Ok(Cow::Borrowed(raw)),
        Some(first) => resolve(raw, first).map(Cow::Owned),
    }
}

#[cold]
fn resolve(raw: &str, first: usize) -> Result<String, Range<usize>> {
    let mut out = String::with_capacity(raw.len());
    let (mut at, mut from) = (first, 0);
    loop {
        out.push_str(raw.get(from..at).unwrap_or_default());
        let name = at + 1;
        let number = name + usize::from(raw.as_bytes().get(name) == Some(&b'#'));
        let end = token_end(raw.as_bytes(), number);
        let found = raw.as_bytes().get(name..end).filter(|_| raw.as_bytes().get(end) == Some(&b';'));
        match found.and_then(character) {
            Some(c) => out.push(c),
            None => return Err(at..end + usize::from(found.is_some())),
        }
        from = end + 1;
        match raw.as_bytes().get(from..).and_then(|rest| memchr(b'&', rest)) {
            Some(next) => at = from + next,
            None => break,
        }
    }
    out.push_str(raw.get(from..).unwrap_or_default());
    Ok(out)
}

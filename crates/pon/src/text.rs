//! UTF-8.

use tam::Words;

use crate::ascii;

/// The text that bytes are, if they are UTF-8. Most strings are short and ASCII, which is quicker to
/// see.
#[inline(always)]
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    match ascii::short(bytes) {
        Some(text) => Some(text),
        None => simdutf8::basic::from_utf8(bytes).ok(),
    }
}

/// Whether bytes are UTF-8.
#[inline]
pub(crate) fn is_utf8(bytes: &[u8]) -> bool {
    utf8(bytes).is_some()
}

/// Whether bytes are one character.
pub(crate) fn is_one_character(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_ok_and(|text| {
        let mut chars = text.chars();
        chars.next().is_some() && chars.next().is_none()
    })
}

/// Where the first bytes that are not UTF-8 begin.
#[cold]
pub(crate) fn first_fault(bytes: &[u8]) -> usize {
    core::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len)
}

/// Describes the beginning of bytes, for an error.
#[cold]
pub(crate) fn met(rest: &[u8]) -> Words {
    rest.first().map_or(Words::End, |&byte| Words::Byte(byte))
}

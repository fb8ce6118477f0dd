//! The leading zero that marks a message as one of the type set `value`.
//!
//! Both `value` and `json` have `{`, `[` and `'`. A message of only these, whose data are tokens of JSON,
//! is valid in both sets with different meanings: in `1{5zip'10115` the value is a number or a string.
//! A number may have leading zeros. One zero before such a message of `value` distinguishes the two:
//! `01{5zip'10115`. Readers that are given the set read it as before.

use tam::{Document, TypeSet, Vocabulary, json};

/// Whether data is the token of one JSON scalar: what a scalar of the type set `json` holds.
#[must_use]
pub fn is_token(data: &[u8]) -> bool {
    match data {
        b"true" | b"false" | b"null" => true,
        [b'"', ..] => json::string(data).is_ok_and(|(len, _)| len == data.len()),
        _ => json::number(data).is_ok_and(|(len, _)| len == data.len()),
    }
}

/// Whether a message begins with the mark of the type set `value`: one zero in front of its first number.
#[must_use]
pub fn is_marked(message: &[u8]) -> bool {
    match message {
        [b'0', b'1'..=b'9', ..] => true,
        [b'0', b'0', rest @ ..] => !rest.first().is_some_and(u8::is_ascii_digit),
        _ => false,
    }
}

/// Whether the message of a document needs the mark: both are of the type set `value`, and without it the
/// message could be one of `json`.
pub(crate) fn needs_mark(document: &Document<'_>, types: &TypeSet) -> bool {
    if [types, document.types()].iter().any(|types| types.vocabulary() != Vocabulary::Value) {
        return false;
    }
    let mut any = false;
    for row in document.rows().iter().filter(|row| !row.is_structured()) {
        if row.kind() != b'\'' || !is_token(document.text(row.value_at(), row.len())) {
            return false;
        }
        any = true;
    }
    any
}

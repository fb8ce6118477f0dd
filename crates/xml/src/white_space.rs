//! White space in values: the facet whiteSpace (XML Schema Part 2 section 4.3.6).

use crate::chars::is_space;

/// The facet whiteSpace: how white space is changed before a text is read as a value (section 4.3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(clippy::exhaustive_enums)] // The Recommendation has no others.
pub enum WhiteSpace {
    /// Nothing.
    Preserve,
    /// Each tab and line end becomes a space.
    Replace,
    /// Replaces tabs and line ends by spaces, then runs of spaces by one, and removes those at the ends.
    Collapse,
}

impl WhiteSpace {
    /// A text with its white space normalised. `scratch` holds it if it changes.
    ///
    /// ```
    /// use lengthwise_xml::white_space::WhiteSpace;
    ///
    /// let mut scratch = String::new();
    /// assert_eq!(WhiteSpace::Collapse.normalize(" a\n\nb ", &mut scratch), "a b");
    /// assert_eq!(WhiteSpace::Replace.normalize(" a\n\nb ", &mut scratch), " a  b ");
    /// ```
    pub fn normalize<'t>(self, text: &'t str, scratch: &'t mut String) -> &'t str {
        match self {
            WhiteSpace::Preserve => text,
            WhiteSpace::Replace => replace(text, scratch),
            WhiteSpace::Collapse => collapse(text, scratch),
        }
    }
}

/// A text without white space at its ends.
#[must_use]
#[inline]
pub fn trim(text: &str) -> &str {
    let bytes = text.as_bytes();
    let start = bytes.iter().position(|byte| !is_space(*byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !is_space(*byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// The facet `replace`: a text with a space for each tab and line end. `scratch` holds it if it changes.
pub fn replace<'t>(text: &'t str, scratch: &'t mut String) -> &'t str {
    if is_above(text.as_bytes(), 0x1F) {
        return text;
    }
    scratch.clear();
    scratch.extend(text.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
    scratch
}

/// The facet `collapse`: a text without white space at its ends and with one space for each run inside. `scratch`
/// holds it if it changes.
#[inline]
pub fn collapse<'t>(text: &'t str, scratch: &'t mut String) -> &'t str {
    if is_above(text.as_bytes(), b' ') { text } else { collapse_spaces(text, scratch) }
}

#[inline(never)]
fn collapse_spaces<'t>(text: &'t str, scratch: &'t mut String) -> &'t str {
    let trimmed = trim(text);
    // Reads all bytes, because compilers vectorize that.
    if !trimmed.bytes().fold(false, |any, byte| any | is_space(byte)) {
        return trimmed;
    }
    let mut before = b'x';
    let is_single = trimmed.bytes().all(|byte| {
        let single = !is_space(byte) || byte == b' ' && before != b' ';
        before = byte;
        single
    });
    if is_single {
        return trimmed;
    }
    scratch.clear();
    for (n, word) in words(trimmed).enumerate() {
        if n > 0 {
            scratch.push(' ');
        }
        scratch.push_str(word);
    }
    scratch
}

/// The words of a text, separated by white space.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = space_end(rest.as_bytes())?;
        let (word, after) = rest.split_at(space_from(rest.as_bytes(), start));
        rest = after;
        Some(&word[start..])
    })
}

/// Marks the highest bit of each of eight bytes that is at most `byte`, an ASCII character. The lowest mark is exact.
#[inline(always)]
fn up_to(eight: u64, byte: u8) -> u64 {
    eight.wrapping_sub(0x0101_0101_0101_0101 * u64::from(byte + 1)) & !eight & 0x8080_8080_8080_8080
}

/// Whether all bytes are above `byte`, which is the space or lower.
#[inline(always)]
fn is_above(text: &[u8], byte: u8) -> bool {
    let is = |eight: &[u8; 8]| up_to(u64::from_ne_bytes(*eight), byte) == 0;
    match text.last_chunk() {
        Some(last) => text.as_chunks().0.iter().all(is) && is(last),
        None => text.iter().all(|one| *one > byte),
    }
}

/// The end of the white space at the start, if anything follows it. Lines of a list are usually indented.
fn space_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while is_space(*text.get(at)?) {
        at += if text[at..].first_chunk() == Some(b"        ") { 8 } else { 1 };
    }
    Some(at)
}

/// The position of the first white space from `at` on, or the end.
fn space_from(text: &[u8], mut at: usize) -> usize {
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        // Other bytes up to the space are control characters, which are rare.
        let marks = up_to(u64::from_le_bytes(*eight), b' ');
        at += match marks {
            0 => 8,
            marks => marks.trailing_zeros() as usize / 8,
        };
        if marks != 0 {
            if text.get(at).copied().is_some_and(is_space) {
                return at;
            }
            at += 1;
        }
    }
    text.get(at..).and_then(|rest| rest.iter().position(|byte| is_space(*byte))).map_or(text.len(), |len| at + len)
}

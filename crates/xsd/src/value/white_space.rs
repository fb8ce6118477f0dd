//! White space before a value is looked at (Part 2 section 4.3.6).

use xml::chars::is_space;

use crate::components::WhiteSpace;

/// Whether a byte of a text is of some kind. All are looked at: compilers make vectors of that.
fn any(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |any, byte| any | is(byte))
}

/// Which of eight bytes are up to one of ASCII: the highest bit of each, of the lowest for certain.
#[inline(always)]
fn up_to(eight: u64, byte: u8) -> u64 {
    eight.wrapping_sub(0x0101_0101_0101_0101 * u64::from(byte + 1)) & !eight & 0x8080_8080_8080_8080
}

/// Whether a text is seen at once to have nothing up to a byte, the space or one below.
#[inline(always)]
fn is_above(text: &[u8], byte: u8) -> bool {
    let is = |eight: &[u8; 8]| up_to(u64::from_ne_bytes(*eight), byte) == 0;
    match text.last_chunk() {
        Some(last) => text.as_chunks().0.iter().all(is) && is(last),
        None => text.iter().all(|one| *one > byte),
    }
}

/// A text with its white space normalised; `scratch` holds it where it is another.
pub(crate) fn normalize<'t>(text: &'t str, white_space: WhiteSpace, scratch: &'t mut String) -> &'t str {
    match white_space {
        WhiteSpace::Preserve => text,
        WhiteSpace::Replace if is_above(text.as_bytes(), 0x1F) => text,
        WhiteSpace::Replace => {
            scratch.clear();
            scratch.extend(text.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
            scratch
        }
        WhiteSpace::Collapse => collapse(text, scratch),
    }
}

/// A text without white space at its ends and with one space for each run of it.
#[inline]
pub(crate) fn collapse<'t>(text: &'t str, scratch: &'t mut String) -> &'t str {
    if is_above(text.as_bytes(), b' ') { text } else { collapse_spaces(text, scratch) }
}

#[inline(never)]
fn collapse_spaces<'t>(text: &'t str, scratch: &'t mut String) -> &'t str {
    let trimmed = trim(text);
    if !any(trimmed, is_space) {
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

/// A text without white space at its ends.
pub(crate) fn trim(text: &str) -> &str {
    let bytes = text.as_bytes();
    let start = bytes.iter().position(|byte| !is_space(*byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !is_space(*byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// The words of a text, as white space parts them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = space_end(rest.as_bytes())?;
        let (word, behind) = rest.split_at(space_from(rest.as_bytes(), start));
        rest = behind;
        Some(&word[start..])
    })
}

/// The place behind the white space that a text begins with, if anything is there. Lines of a list are mostly indented.
fn space_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while is_space(*text.get(at)?) {
        at += if text[at..].first_chunk() == Some(b"        ") { 8 } else { 1 };
    }
    Some(at)
}

/// The place of the first white space from `at` on, or the end.
fn space_from(text: &[u8], mut at: usize) -> usize {
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        // The lowest byte marked is one up to the space, which are all white space but a few controls.
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

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::Random;
    use xml::chars::SPACE;

    #[test]
    fn words_are_what_stands_between_white_space() {
        let parts = [" ", "        ", "\n", "\t", "\r", "a", "bcdefgh", "ijklmnopqrstu", "é", "\u{B}", "\u{1F}"];
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let text: String = (0..random.below(16)).map(|_| random.of(&parts)).collect();
            let expected: Vec<&str> = text.split(SPACE).filter(|word| !word.is_empty()).collect();
            assert_eq!(words(&text).collect::<Vec<_>>(), expected, "{text:?}");
            let (mut scratch, mut other) = (String::new(), String::new());
            assert_eq!(normalize(&text, WhiteSpace::Collapse, &mut scratch), expected.join(" "), "{text:?}");
            let replaced = text.replace(['\t', '\n', '\r'], " ");
            assert_eq!(normalize(&text, WhiteSpace::Replace, &mut other), replaced, "{text:?}");
        }
    }
}

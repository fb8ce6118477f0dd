//! White space before a value is looked at (Part 2 section 4.3.6).

use crate::components::WhiteSpace;

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a byte of a text is of some kind. All are looked at: compilers make vectors of that.
fn any(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |any, byte| any | is(byte))
}

/// Whether a text is seen at once to have no white space: it has nothing up to the space.
#[inline]
fn is_bare(text: &[u8]) -> bool {
    let below = |eight: &[u8; 8]| {
        let eight = u64::from_ne_bytes(*eight);
        eight.wrapping_sub(0x2121_2121_2121_2121) & !eight & 0x8080_8080_8080_8080
    };
    match text.last_chunk() {
        Some(last) => text.as_chunks().0.iter().all(|eight| below(eight) == 0) && below(last) == 0,
        None => text.iter().all(|byte| *byte > b' '),
    }
}

/// A text with its white space normalised; `scratch` holds it where it is another.
pub(crate) fn normalize<'t>(text: &'t str, white_space: WhiteSpace, scratch: &'t mut String) -> &'t str {
    match white_space {
        WhiteSpace::Preserve => text,
        WhiteSpace::Replace if !any(text, |byte| is_space(byte) && byte != b' ') => text,
        WhiteSpace::Replace => {
            scratch.clear();
            scratch.extend(text.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
            scratch
        }
        WhiteSpace::Collapse => collapse(text, scratch),
    }
}

/// A text without white space at its ends and with one space for each run of it.
pub(crate) fn collapse<'t>(text: &'t str, scratch: &'t mut String) -> &'t str {
    if is_bare(text.as_bytes()) {
        return text;
    }
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
        let start = rest.bytes().position(|byte| !is_space(byte))?;
        let len = rest.as_bytes()[start..].iter().position(|byte| is_space(*byte));
        let (word, behind) = rest.split_at(len.map_or(rest.len(), |len| start + len));
        rest = behind;
        Some(&word[start..])
    })
}

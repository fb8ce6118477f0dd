//! Characters and names that XML allows (XML 1.0 fifth edition, sections 2.2 and 2.3).

/// White space: the S of the grammar.
#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a text is white space alone.
#[inline]
pub(crate) fn is_white(text: &[u8]) -> bool {
    text.iter().all(|&byte| is_space(byte))
}

fn is_name_start(c: char) -> bool {
    matches!(c, ':' | 'A'..='Z' | '_' | 'a'..='z'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}'
        | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

fn is_name_char(c: char) -> bool {
    is_name_start(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Whether a text is one Name (production 5).
pub(crate) fn is_name(text: &str) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':');
    let (first, rest) = text.as_bytes().split_first().unwrap_or((&0, &[]));
    if plain(first) && rest.iter().all(|byte| plain(byte) || matches!(byte, b'0'..=b'9' | b'-' | b'.')) {
        return true;
    }
    let mut chars = text.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_char)
}

/// Where the Name that a text begins with ends; 0 where none begins it.
pub(crate) fn name_end(text: &str) -> usize {
    if !text.starts_with(is_name_start) {
        return 0;
    }
    text.find(|c| !is_name_char(c)).unwrap_or(text.len())
}

/// Whether a text is ASCII without control characters other than white space; then XML allows it.
#[inline]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    // Without a branch inside, so that it is done many bytes at a time.
    let is_other = |byte: u8| (byte.wrapping_sub(b' ') >= 0x60) & (byte != b'\n') & (byte != b'\t') & (byte != b'\r');
    text.chunks(64).all(|chunk| !chunk.iter().fold(false, |any, byte| any | is_other(*byte)))
}

/// Where the first character is that is no Char (production 2), NUL counting as one if `nul` is
/// set, as it does between strings. All but the control characters, U+FFFE and U+FFFF are.
pub(crate) fn first_illegal(text: &[u8], nul: bool) -> Option<usize> {
    let least = u8::from(nul);
    for (n, chunk) in text.chunks(64).enumerate() {
        // Without a branch inside, so that it is done many bytes at a time.
        let suspects = chunk.iter().fold(false, |any, &byte| {
            any | ((byte < b' ') & (byte >= least) & (byte != b'\n') & (byte != b'\r') & (byte != b'\t'))
                | (byte == 0xEF)
        });
        if suspects {
            let illegal = (n * 64..n * 64 + chunk.len()).find(|&at| is_illegal_at(text, at, nul));
            if illegal.is_some() {
                return illegal;
            }
        }
    }
    None
}

fn is_illegal_at(text: &[u8], at: usize, nul: bool) -> bool {
    match text.get(at..) {
        Some([0xEF, 0xBF, 0xBE | 0xBF, ..]) => true,
        Some([0, ..]) => !nul,
        Some([byte, ..]) => *byte < b' ' && !is_space(*byte),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_found_illegal_where_it_is() {
        for c in '\0'..=char::MAX {
            let text = format!("{}{c}cd", "ab".repeat(40));
            let illegal = !matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
            assert_eq!(first_illegal(text.as_bytes(), false), illegal.then_some(80), "{c:?}");
            assert_eq!(first_illegal(text.as_bytes(), true), (illegal && c != '\0').then_some(80), "{c:?}");
            assert_eq!(is_plain(text.as_bytes()), c.is_ascii() && !illegal, "{c:?}");
        }
    }

    #[test]
    fn names_end_where_a_character_is_none_of_theirs() {
        for (text, end) in [("a>", 1), ("-a", 0), ("a-.9:_\u{B7}é=", 10), ("éa b", 3), ("\u{37E}", 0), ("", 0)] {
            assert_eq!(name_end(text), end, "{text}");
            assert_eq!(is_name(text), end > 0 && end == text.len(), "{text}");
        }
    }
}

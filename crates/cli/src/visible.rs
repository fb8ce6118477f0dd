//! Shows data on one line of a terminal.

use std::fmt::Write;

/// Octets of binary data shown in a row of a table.
const OCTETS_IN_ROW: usize = 16;

/// The number of decimal digits of a number.
pub(crate) fn digits(number: usize) -> usize {
    1 + number.checked_ilog10().unwrap_or(0) as usize
}

pub(crate) fn push_blank(out: &mut String, width: usize) {
    out.extend(std::iter::repeat_n(' ', width));
}

pub(crate) fn push_right(out: &mut String, text: &str, width: usize) {
    push_blank(out, width.saturating_sub(text.len()));
    out.push_str(text);
}

pub(crate) fn push_number(out: &mut String, number: usize, width: usize) {
    push_blank(out, width.saturating_sub(digits(number)));
    let _ = write!(out, "{number}");
}

/// Appends data like [`visible`], padded with blanks to a width.
pub(crate) fn push_visible(out: &mut String, data: &[u8], most: usize, width: usize) {
    let shown = match plain(data, most) {
        Some(text) => {
            out.push_str(text);
            text.len()
        }
        None => {
            let text = visible(data, most);
            out.push_str(&text);
            text.chars().count()
        }
    };
    push_blank(out, width.saturating_sub(shown));
}

/// Appends the first octets of binary data in hexadecimal, and `…` for more.
pub(crate) fn push_octets(out: &mut String, octets: &[u8]) {
    match octets.get(..OCTETS_IN_ROW) {
        Some(first) if octets.len() > OCTETS_IN_ROW => out.extend([&hex(first, " "), " …"]),
        _ => out.push_str(&hex(octets, " ")),
    }
}

pub(crate) fn hex(octets: &[u8], between: &str) -> String {
    let octets: Vec<_> = octets.iter().map(|octet| format!("{octet:02x}")).collect();
    octets.join(between)
}

/// The number of characters that [`visible`] shows.
pub(crate) fn width(data: &[u8], most: usize) -> usize {
    plain(data, most).map_or_else(|| visible(data, most).chars().count(), str::len)
}

/// Data that [`visible`] shows unchanged, which is the usual case: short, with characters of one byte.
fn plain(data: &[u8], most: usize) -> Option<&str> {
    let is_plain = data.len() <= most && data.iter().all(|c| matches!(c, b' '..=b'~'));
    if is_plain { std::str::from_utf8(data).ok() } else { None }
}

/// Data on one line: control characters and bytes that are not UTF-8 as escapes, and `…` for what exceeds `most`
/// characters.
fn visible(data: &[u8], most: usize) -> String {
    let mut out = String::new();
    // Data can be long, so only what may be shown is looked at.
    let start = data.get(..most.saturating_add(1).saturating_mul(4)).unwrap_or(data);
    let mut shown = 0;
    for chunk in start.utf8_chunks() {
        for c in chunk.valid().chars() {
            shown += 1;
            if shown > most {
                out.push('…');
                return out;
            }
            push_seen(&mut out, c);
        }
        for byte in chunk.invalid() {
            shown += 1;
            if shown > most {
                out.push('…');
                return out;
            }
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// A text on one line of a terminal, with control and invisible characters as escapes.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_seen(&mut out, c));
    out
}

/// Appends a character in visible form.
fn push_seen(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        c if is_unseen(c) => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
        c => out.push(c),
    }
}

/// Characters that control a terminal, or are invisible.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

/// Characters that would change how the line reads: direction marks and the like.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plain_is_shown_as_the_rest_is() {
        for data in [&b""[..], b"abc", b"abcd", b"a\x7f", b"a b~", "é".as_bytes(), b"\xff"] {
            let mut out = String::new();
            push_visible(&mut out, data, 3, 0);
            assert_eq!((out.as_str(), out.chars().count()), (visible(data, 3).as_str(), width(data, 3)));
        }
        assert_eq!([0, 9, 10, 99, 100].map(digits), [1, 1, 2, 2, 3]);
    }

    #[test]
    fn what_cannot_be_seen_is_escaped_and_what_is_long_is_cut() {
        assert_eq!(visible("a\nb\t\u{1b}[31m\u{202e}\u{61c}é".as_bytes(), 60), "a\\nb\\t\\u{1b}[31m\\u{202e}\\u{61c}é");
        assert_eq!(visible(b"\xff\0ok", 60), "\\xff\\u{0}ok");
        assert_eq!(visible(b"abcdef", 3), "abc…");
        assert_eq!(visible(b"abc", 3), "abc");
        assert_eq!(visible("é".repeat(500).as_bytes(), 3), "ééé…");
        assert_eq!(visible(&[0xff; 500], 2), "\\xff\\xff…");
    }
}

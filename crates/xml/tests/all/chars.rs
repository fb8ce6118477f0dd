//! Characters of XML 1.0 (fifth edition), over all code points. The productions are written out here as the
//! Recommendation has them, apart from the tables under test.

use lengthwise_xml::ascii::plain_text;
use lengthwise_xml::chars::*;

/// `[#x9, #xA]` as `(0x9, 0xA)`.
fn is_in(c: char, ranges: &[(u32, u32)]) -> bool {
    ranges.iter().any(|&(from, to)| (from..=to).contains(&u32::from(c)))
}

/// Section 2.2, production 2: Char ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF].
const CHAR: [(u32, u32); 6] =
    [(0x9, 0x9), (0xA, 0xA), (0xD, 0xD), (0x20, 0xD7FF), (0xE000, 0xFFFD), (0x1_0000, 0x10_FFFF)];

#[test]
fn char_is_production_2() {
    for c in '\0'..=char::MAX {
        assert_eq!(is_char(c), is_in(c, &CHAR), "{c:?}");
    }
}

/// The scan of many bytes at once finds what looking at each character finds, at any place of its chunks.
#[test]
fn the_first_illegal_character_is_found_where_it_is() {
    for c in '\0'..=char::MAX {
        for before in if c < '\u{1000}' || c > '\u{FF00}' && c < '\u{10000}' { 60..70 } else { 63..64 } {
            let text = format!("{}{c}cd", "a".repeat(before));
            let illegal = (!is_in(c, &CHAR)).then_some(before);
            assert_eq!(first_illegal(text.as_bytes()), illegal, "{c:?}");
            assert_eq!(first_illegal_between_nuls(text.as_bytes()), illegal.filter(|_| c != '\0'), "{c:?}");
            let plain = (c.is_ascii() && illegal.is_none()).then_some(&*text);
            assert_eq!(plain_text(text.as_bytes()).ok(), plain, "{c:?}");
            assert_eq!(char_at(text.as_bytes(), before), Some(c));
            assert_eq!(illegal_char(&text), illegal.map(|_| c));
        }
    }
}

#[test]
fn an_illegal_character_is_found_beyond_others_of_its_first_byte() {
    let text = format!("{}\u{FFFF}", "\u{FF0C}".repeat(100));
    assert_eq!(first_illegal(text.as_bytes()), Some(300));
    assert_eq!(first_illegal(b"a\0b\x01"), Some(1));
    assert_eq!(first_illegal_between_nuls(b"a\0b\x01"), Some(3));
}

/// Bytes that are no UTF-8 are no error of these functions, whatever they say.
#[test]
fn no_bytes_go_wrong() {
    for len in 0..4 {
        for byte in 0..=u8::MAX {
            let bytes = vec![byte; len];
            for at in 0..=len {
                let _ = (char_at(&bytes, at), space_end(&bytes, at));
            }
            let _ = (first_illegal(&bytes), plain_text(&bytes));
        }
    }
}

/// Section 2.3, production 3: S ::= (#x20 | #x9 | #xD | #xA)+.
#[test]
fn white_space_is_production_3() {
    for byte in 0..=u8::MAX {
        let is = [0x20, 0x9, 0xD, 0xA].contains(&byte);
        assert_eq!(is_space(byte), is, "{byte:#X}");
        assert_eq!(SPACE.contains(&char::from(byte)), is, "{byte:#X}");
        assert_eq!(is_white(&[b' ', byte]), is);
        assert_eq!(space_end(&[b'a', b' ', byte, b'a'], 1), if is { 3 } else { 2 });
    }
    assert!(is_white(b""));
}

/// Runs of one kind of space are looked at by words.
#[test]
fn texts_are_white_where_all_of_them_is() {
    for len in 1..40 {
        for space in SPACE {
            assert!(is_white(String::from_iter(std::iter::repeat_n(space, len)).as_bytes()));
        }
        assert!(is_white(format!("\n{:len$}", "").as_bytes()));
        assert!(is_white(format!("\r\n{}", "\t".repeat(len)).as_bytes()));
        assert!(!is_white(format!("\n{}", "x".repeat(len)).as_bytes()));
        for at in 0..len {
            for odd in ['x', '\u{B}', '!', '\u{1F}', '\0', '\n'] {
                let text = |n| if n == at { odd } else { ' ' };
                assert_eq!(is_white(String::from_iter((0..len).map(text)).as_bytes()), odd == '\n', "{len} {at}");
            }
        }
    }
}

/// Section 2.3, production 13: PubidChar ::= #x20 | #xD | #xA | [a-zA-Z0-9] | [-'()+,./:=?;!*#@$_%].
#[test]
fn public_identifiers_are_of_production_13() {
    for byte in 0..=u8::MAX {
        let is =
            [0x20, 0xD, 0xA].contains(&byte) || byte.is_ascii_alphanumeric() || b"-'()+,./:=?;!*#@$_%".contains(&byte);
        assert_eq!(is_public(byte), is, "{byte:#X}");
    }
}

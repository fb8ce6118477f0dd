//! White space: XML 1.0 production 3, and XML Schema Part 2 section 4.3.6.

use lengthwise_xml::chars::{is_space, is_white};
use lengthwise_xml::white_space::{collapse, replace, trim, words};
use test_support::Random;

/// Production 3: `S ::= (#x20 | #x9 | #xD | #xA)+`. Other controls, no-break spaces and the spaces of Unicode are text.
#[test]
fn white_space_is_four_characters() {
    for byte in 0..=u8::MAX {
        assert_eq!(is_space(byte), [0x20, 0x9, 0xD, 0xA].contains(&byte), "{byte}");
    }
    for text in ["\u{A0}", "\u{2003}", "\u{B}", "\u{C}", "\u{85}"] {
        assert_eq!((trim(text), words(text).count(), is_white(text.as_bytes())), (text, 1, false), "{text:?}");
    }
}

/// Section 4.3.6, `replace`: "All occurrences of #x9 (tab), #xA (line feed) and #xD (carriage return) are replaced with
/// #x20 (space)."
#[test]
fn replace_makes_a_space_of_each_tab_and_line_end() {
    let mut scratch = String::new();
    assert_eq!(replace("a\tb\r\nc  d ", &mut scratch), "a b  c  d ");
    assert_eq!(replace("a b\u{1F}", &mut scratch), "a b\u{1F}");
}

/// Section 4.3.6, `collapse`: "After the processing implied by replace, contiguous sequences of #x20's are collapsed to a
/// single #x20, and leading and trailing #x20's are removed."
#[test]
fn collapse_leaves_single_spaces_inside() {
    let mut scratch = String::new();
    for (text, collapsed) in
        [(" a ", "a"), ("a  b", "a b"), ("\ta\r\n\tb\n", "a b"), (" \n ", ""), ("a b", "a b"), ("", "")]
    {
        assert_eq!(collapse(text, &mut scratch), collapsed, "{text:?}");
    }
}

/// The vector code against the plain meaning, on texts of all lengths around its steps.
#[test]
fn words_are_the_text_between_white_space() {
    let parts = [" ", "        ", "\n", "\t", "\r", "a", "bcdefgh", "ijklmnopqrstu", "é", "\u{B}", "\u{1F}"];
    let mut random = Random::new(1);
    for _ in 0..test_support::rounds(20_000) {
        let text: String = (0..random.below(16)).map(|_| random.of(&parts)).collect();
        let expected: Vec<&str> = text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect();
        assert_eq!(words(&text).collect::<Vec<_>>(), expected, "{text:?}");
        let (mut scratch, mut other) = (String::new(), String::new());
        assert_eq!(collapse(&text, &mut scratch), expected.join(" "), "{text:?}");
        let replaced = text.replace(['\t', '\n', '\r'], " ");
        assert_eq!(replace(&text, &mut other), replaced, "{text:?}");
        assert_eq!(trim(&text), text.trim_matches([' ', '\t', '\n', '\r']), "{text:?}");
        assert_eq!(is_white(text.as_bytes()), expected.is_empty(), "{text:?}");
    }
}

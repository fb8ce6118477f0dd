//! Names of XML 1.0 (fifth edition) and of Namespaces in XML 1.0 (third edition), over all code points. The
//! productions are written out here as the Recommendations have them, apart from the tables under test.

use lengthwise_xml::name::*;

fn is_in(c: char, ranges: &[(u32, u32)]) -> bool {
    ranges.iter().any(|&(from, to)| (from..=to).contains(&u32::from(c)))
}

/// XML 1.0 section 2.3, production 4: NameStartChar.
fn starts(c: char) -> bool {
    c == ':'
        || c.is_ascii_uppercase()
        || c == '_'
        || c.is_ascii_lowercase()
        || is_in(c, &[(0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2FF), (0x370, 0x37D), (0x37F, 0x1FFF), (0x200C, 0x200D)])
        || is_in(c, &[(0x2070, 0x218F), (0x2C00, 0x2FEF), (0x3001, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFFD)])
        || is_in(c, &[(0x1_0000, 0xE_FFFF)])
}

/// XML 1.0 section 2.3, production 4a: NameChar.
fn goes_on(c: char) -> bool {
    starts(c)
        || c == '-'
        || c == '.'
        || c.is_ascii_digit()
        || is_in(c, &[(0xB7, 0xB7), (0x300, 0x36F), (0x203F, 0x2040)])
}

#[test]
fn characters_of_names_are_productions_4_and_4a() {
    for c in '\0'..=char::MAX {
        assert_eq!(is_start(c), starts(c), "{c:?}");
        assert_eq!(is_name_char(c), goes_on(c), "{c:?}");
    }
}

/// XML 1.0 productions 5 and 7, Namespaces productions 4 and 7: what each character makes of a text that it begins, or
/// is within. ASCII goes another way than the rest, and so does what comes before it.
#[test]
fn texts_are_names_where_their_characters_are() {
    let around = [("", ""), ("a", "b"), ("", "a"), ("a", ""), ("é", "b"), ("a-", "."), ("a", "é")];
    // All of the small ranges, and the bounds of the large ones.
    let bounds = [0xD7FF_u32, 0xE000, 0xF900, 0xFDCF, 0xFDF0, 0xFFFD, 0x1_0000, 0xE_FFFF, 0x10_FFFF];
    let chars = (0..0x3100).chain(bounds.into_iter().flat_map(|bound| bound - 1..bound + 2)).filter_map(char::from_u32);
    for c in chars {
        let (start, more, colon) = (starts(c), goes_on(c), c == ':');
        for (before, after) in around {
            let text = format!("{before}{c}{after}");
            let fits = if before.is_empty() { start } else { more };
            assert_eq!(is_name(&text), fits, "{text:?}");
            assert_eq!(is_token(&text), more, "{text:?}");
            assert_eq!(is_local(&text), fits && !colon, "{text:?}");
            let has_parts = !before.is_empty() && after.starts_with(starts);
            assert_eq!(is_qualified(&text), fits && (!colon || has_parts), "{text:?}");
            let end = if fits { text.len() } else { before.len() };
            assert_eq!(name_end(text.as_bytes(), 0), end, "{text:?}");
            assert_eq!(name_and_colon(text.as_bytes(), 0).0, end, "{text:?}");
            if before.is_ascii() {
                let fits = fits && c.is_ascii() && !colon;
                let end = if !fits {
                    before.len()
                } else if after.is_ascii() {
                    text.len()
                } else {
                    text.len() - after.len()
                };
                assert_eq!(local_end(text.as_bytes(), 0), end, "{text:?}");
            }
        }
    }
}

#[test]
fn nothing_is_no_name() {
    assert!(!is_name("") && !is_token("") && !is_local("") && !is_qualified(""));
    assert!(!is_local_part(b"") && local_end(b"", 0) == 0 && name_and_colon(b"", 3) == (3, 3));
}

#[test]
fn names_end_where_a_character_is_none_of_theirs() {
    for (text, end) in [("a>", 1), ("-a", 0), ("a-.9:_\u{B7}é=", 10), ("éa b", 3), ("\u{37E}", 0), ("", 0)] {
        assert_eq!(name_end(text.as_bytes(), 0), end, "{text}");
        assert_eq!(is_name(text), end > 0 && end == text.len(), "{text}");
    }
}

/// Namespaces, productions 7 to 11: one colon at the most, an NCName on both sides of it.
#[test]
fn names_are_found_with_their_colon() {
    for (text, found) in [
        ("a>", (1, 1)),
        ("a:b=", (3, 1)),
        (":a:b/", (4, 0)),
        ("é:é>", (5, 2)),
        ("aé:b", (5, 3)),
        ("a:é", (4, 1)),
        ("a:bé.", (6, 1)),
        ("a:b:c", (5, 0)),
        ("a:1", (3, 0)),
        ("a: ", (2, 0)),
        ("é:b:c", (6, 0)),
        ("-a:b", (0, 0)),
        ("", (0, 0)),
    ] {
        assert_eq!(name_and_colon(text.as_bytes(), 0), found, "{text}");
        assert_eq!(name_end(text.as_bytes(), 0), found.0, "{text}");
        let is_whole = found.0 == text.len() && found.1 > 0;
        assert_eq!(is_qualified(text), is_whole, "{text}");
        assert_eq!(is_local(text), is_whole && !text.contains(':'), "{text}");
    }
}

#[test]
fn names_are_split_at_the_first_colon() {
    for len in 0..30 {
        let text: String = ('a'..='z').cycle().take(len).collect();
        assert_eq!((split(&text), colon(text.as_bytes())), (("", &*text), None));
        for at in 0..len {
            let written = format!("{}:{}", &text[..at], &text[at..]);
            assert_eq!(split(&written), text.split_at(at));
            assert_eq!(split(&format!("{written}:;9")), (&text[..at], &*format!("{}:;9", &text[at..])));
        }
    }
}

/// Bytes that are no UTF-8 are no error of these functions, whatever they say.
#[test]
fn no_bytes_go_wrong() {
    for first in 0..=u8::MAX {
        for last in 0..=u8::MAX {
            for bytes in [&[first, last][..], &[b'a', first, last], &[b'a', b':', first, last]] {
                let (end, colon) = name_and_colon(bytes, 0);
                assert!(colon <= end && end <= bytes.len() + 2);
                let _ = (token_end(bytes, 0), local_end(bytes, 0), is_local_part(bytes));
            }
        }
    }
}

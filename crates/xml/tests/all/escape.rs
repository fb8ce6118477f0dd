//! Which characters are written as references (XML 1.0 sections 2.4, 2.11, 3.1, 3.3.3), and what references mean (4.1, 4.6).

use lengthwise_xml::chars::is_char;
use lengthwise_xml::escape::{Context, escaped, push, push_plain};
use lengthwise_xml::reference::{character, decode};

const CONTEXTS: [Context; 6] =
    [Context::Content, Context::Attribute, Context::Anywhere, Context::Lines, Context::Line, Context::Cell];

fn pushed(text: &str, context: Context) -> String {
    let mut out = b"]".to_vec();
    push(&mut out, text, context);
    let escaped = escaped(text, context);
    assert_eq!(out[1..], *escaped.as_bytes());
    escaped
}

/// What each context writes of a character, character by character: the twin of looking at eight at a time.
fn plainly(text: &str, context: Context) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in text.chars() {
        let is_attribute = context == Context::Attribute;
        let is_line = matches!(context, Context::Line | Context::Cell);
        let is_tdxml = is_line || context == Context::Lines;
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' if matches!(context, Context::Content | Context::Anywhere) => out.push_str("&gt;"),
            '>' if is_tdxml && before == ']' => out.push_str("&gt;"),
            '"' if is_attribute || context == Context::Anywhere => out.push_str("&quot;"),
            '\t' if is_attribute => out.push_str("&#9;"),
            '\n' if is_attribute || is_line => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '|' if context == Context::Cell => out.push_str("&#124;"),
            c => out.push(c),
        }
        before = c;
    }
    out
}

#[test]
fn references_are_where_they_must_be_at_every_place() {
    let marks = ['&', '<', '>', ']', '"', '\'', '\t', '\n', '\r', '|', '\u{1}', '\u{7F}', 'é', '€', '\u{1F98B}'];
    for len in 0..20 {
        for at in 0..=len {
            for first in marks {
                for second in marks {
                    let text = format!("{}{first}{second}{}", "a".repeat(at), "%".repeat(len - at));
                    for context in CONTEXTS {
                        assert_eq!(pushed(&text, context), plainly(&text, context), "{context:?}");
                    }
                }
            }
        }
    }
}

/// Section 2.4: `&`, `<` and the `>` of `]]>` are no character data. Section 3.1: `&`, `<` and the quote are no part of an
/// attribute value. Sections 2.11 and 3.3.3: a carriage return, and in an attribute a tab or line feed, is another
/// character when it is read, unless it is a reference.
#[test]
fn what_is_written_reads_back() {
    for c in (0..0x80).filter_map(char::from_u32).filter(|&c| is_char(c)).chain(['é', '\u{85}', '\u{2028}']) {
        let text = format!("]]{c}a{c}");
        for context in CONTEXTS {
            let out = pushed(&text, context);
            assert_eq!(decode(&out).unwrap(), text);
            assert!(!out.contains('<') && !out.contains('\r'));
            assert!(!out.contains("]]>") || context == Context::Attribute);
            if matches!(context, Context::Attribute) {
                assert!(!out.contains(['"', '\t', '\n']));
            }
        }
    }
}

/// The quick look takes no text that needs a reference, is not allowed or not ASCII, and all others.
#[test]
fn plain_texts_are_those_without_a_reference() {
    for byte in 0..=u8::MAX {
        for len in [1, 31, 32, 33, 40] {
            let mut text = vec![b'a'; len];
            text[len - 1] = byte;
            for context in CONTEXTS {
                let mut out = Vec::new();
                let is_plain = push_plain(&mut out, &text, context);
                assert_eq!(out, if is_plain { &text[..] } else { b"" });
                let is_same = str::from_utf8(&text).is_ok_and(|text| pushed(text, context) == text);
                let is = byte.is_ascii() && is_char(char::from(byte)) && is_same;
                let is_told = matches!(context, Context::Content | Context::Attribute);
                assert_eq!(is_plain, is && is_told, "{byte:#X} {context:?}");
            }
        }
    }
}

/// Section 4.6: the five predefined entities; section 4.1, production 66, and Legal Character: numbers of characters.
#[test]
fn references_are_those_of_xml() {
    for (name, c) in [("lt", '<'), ("gt", '>'), ("amp", '&'), ("apos", '\''), ("quot", '"')] {
        assert_eq!(character(name.as_bytes()), Some(c));
        assert_eq!(character(name.to_uppercase().as_bytes()), None);
    }
    for code in 0..0x11_0010 {
        let c = char::from_u32(code).filter(|&c| is_char(c));
        assert_eq!(character(format!("#{code}").as_bytes()), c);
        assert_eq!(character(format!("#x{code:x}").as_bytes()), c);
        assert_eq!(character(format!("#x00{code:X}").as_bytes()), c);
    }
    for none in
        ["", "#", "#x", "#X41", "#+65", "#-1", "#x+41", "#6 5", "#65a", "#xG", "#99999999999", "nbsp", "#x1F98B "]
    {
        assert_eq!(character(none.as_bytes()), None, "{none}");
    }
}

#[test]
fn texts_are_decoded_up_to_what_is_no_reference() {
    assert_eq!(decode("&lt;&#x41;&#65;&quot;&apos;&gt;&amp;lt;").unwrap(), "<AA\"'>&lt;");
    assert_eq!(decode("é").unwrap(), "é");
    // As many zeros as anybody likes (production 66).
    assert_eq!(decode("&#00000000000000000065;é").unwrap(), "Aé");
    for (raw, place) in [
        ("&", 0..1),
        ("&lt", 0..3),
        ("a&nbsp;", 1..7),
        ("&#0;", 0..4),
        ("&#xD800;", 0..8),
        ("&#x110000;", 0..10),
        ("&#+65;", 0..2),
        ("&#;", 0..3),
        ("x&;", 1..3),
        ("&lt;&#xFFFF;", 4..12),
        ("& lt;", 0..1),
        ("&é", 0..3),
    ] {
        assert_eq!(decode(raw), Err(place), "{raw}");
    }
}

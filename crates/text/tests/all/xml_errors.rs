//! What is said of typical mistakes: where, in which element, what was found and what expected.

use crate::xml_support::rewritten;
use tam::{Builder, Error, ErrorKind, Limits, Table, TypeSet};
use text::xml::{self, Options, Reader};

fn error(input: &[u8], options: &Options) -> Error {
    let error = xml::read(input, options, &mut Table::new()).map(|document| document.units()).expect_err("an error");
    assert_eq!(error.format(), "xml");
    error
}

fn said(input: &[u8]) -> String {
    error(input, &Options::default()).to_string()
}

#[test]
fn mistakes_are_reported_with_their_position() {
    for (input, expected) in [
        ("<a>\n <b>\n</a>", "syntax at byte 9 (line 3, column 1) in /a/b: found '</a>', expected '</b>'"),
        ("<a><b></b></c>", "syntax at byte 10 (line 1, column 11) in /a: found '</c>', expected '</a>'"),
        ("<a b=1/>", "syntax at byte 5 (line 1, column 6): found '1', expected a value in quotes"),
        ("<a b/>", "syntax at byte 4 (line 1, column 5): found '/', expected '='"),
        (
            "<a b='1' c='2' b='3'/>",
            "syntax at byte 15 (line 1, column 16): found the attribute 'b' a second time, expected each attribute once",
        ),
        ("<a b='1'c='2'/>", "syntax at byte 8 (line 1, column 9): found 'c', expected white space, '>' or '/>'"),
        (
            "<a b='<'/>",
            "syntax at byte 6 (line 1, column 7): found '<', expected no '<' in an attribute value ('&lt;')",
        ),
        (
            "<a>\n  <b>AT&T</b></a>",
            "syntax at byte 13 (line 2, column 10) in /a/b: found '<', expected ';' after the name of an entity ('&amp;' is the character)",
        ),
        (
            "<a>1 & 2</a>",
            "syntax at byte 6 (line 1, column 7) in /a: found ' ', expected the name of an entity after '&' ('&amp;' is the character)",
        ),
        (
            "<a><b/>&nbsp;</a>",
            "syntax at byte 7 (line 1, column 8) in /a: found '&nbsp;', an undeclared entity, expected a declared entity",
        ),
        (
            "<a>é\u{1}</a>",
            "syntax at byte 5 (line 1, column 5) in /a: found the character U+0001, expected a character that XML allows",
        ),
        (
            "<a>&#0;</a>",
            "syntax at byte 3 (line 1, column 4) in /a: found the reference &#0;, expected a character that XML allows",
        ),
        ("<a>&#xZ;</a>", "syntax at byte 6 (line 1, column 7) in /a: found 'Z', expected a hexadecimal digit"),
        ("", "incomplete at byte 0 (line 1, column 1): found the end of the input, expected the root element"),
        (" \n", "incomplete at byte 2 (line 2, column 1): found the end of the input, expected the root element"),
        ("text", "syntax at byte 0 (line 1, column 1): found 't', expected the root element"),
        ("<!--c-->text<a/>", "syntax at byte 8 (line 1, column 9): found 't', expected the root element"),
        (
            "<a/><b/>",
            "syntax at byte 4 (line 1, column 5): found a second root element, expected one root element alone",
        ),
        (
            "<a/>text",
            "syntax at byte 4 (line 1, column 5): found 't', expected only comments and instructions after the root element",
        ),
        (
            "<a/></a>",
            "syntax at byte 4 (line 1, column 5): found an unmatched end tag, expected one root element alone",
        ),
        ("<a>", "incomplete at byte 3 (line 1, column 4) in /a: found the end of the input, expected '</a>'"),
        (
            "<a><b",
            "incomplete at byte 5 (line 1, column 6) in /a: found the end of the input, expected white space, '>' or '/>'",
        ),
        ("<a b='1", "incomplete at byte 7 (line 1, column 8): found the end of the input, expected \"'\""),
        ("<a><!-- -", "incomplete at byte 9 (line 1, column 10) in /a: found the end of the input, expected '-->'"),
        (
            "<a><!-- x -- y --></a>",
            "syntax at byte 10 (line 1, column 11) in /a: found '--' inside a comment, expected '-->' at the comment's end",
        ),
        ("<a>]]></a>", "syntax at byte 3 (line 1, column 4) in /a: found ']]>', expected no ']]>' in text (']]&gt;')"),
        (
            "<a><![CDATA[x]]</a>",
            "incomplete at byte 19 (line 1, column 20) in /a: found the end of the input, expected ']]>'",
        ),
        (
            "<a><?XML x?></a>",
            "syntax at byte 3 (line 1, column 4) in /a: found the reserved target 'xml', expected an XML declaration only at the start",
        ),
        (
            "\n<?xml version='1.0'?><a/>",
            "syntax at byte 1 (line 2, column 1): found an XML declaration, expected an XML declaration only at the start",
        ),
        ("<?xml encoding='UTF-8'?><a/>", "syntax at byte 6 (line 1, column 7): found 'e', expected 'version'"),
        (
            "<?xml version='2.0'?><a/>",
            "syntax at byte 15 (line 1, column 16): found '2', expected a version number ('1.0')",
        ),
        (
            "<?xml version='1.0' encoding='KOI8-R'?><a/>",
            "unsupported at byte 30 (line 1, column 31): found the encoding KOI8-R, expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII",
        ),
        (
            "<?xml version='1.0'\n encoding='UTF-16'?><a/>",
            "syntax at byte 31 (line 2, column 12): found the encoding UTF-16, expected an encoding of one byte a character, or UTF-8",
        ),
        (
            "<a><1/></a>",
            "syntax at byte 4 (line 1, column 5) in /a: found '1', expected the name of an element ('&lt;' is the character)",
        ),
        (
            "<a>< b/></a>",
            "syntax at byte 4 (line 1, column 5) in /a: found ' ', expected the name of an element ('&lt;' is the character)",
        ),
        ("<a/ >", "syntax at byte 3 (line 1, column 4): found ' ', expected '>'"),
        (
            "<!doctype a><a/>",
            "syntax at byte 0 (line 1, column 1): found '<!', expected a comment, a DOCTYPE or the root element",
        ),
        (
            "<a/><!DOCTYPE a>",
            "syntax at byte 4 (line 1, column 5): found '<!', expected a comment, or one DOCTYPE before the root element",
        ),
        (
            "<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>",
            "syntax at byte 35 (line 1, column 36) in /a: found '&e;', an entity within itself in the text of '&e;', expected no recursion",
        ),
        (
            "<!DOCTYPE a [<!ENTITY e '</a>'>]><a><b>&e;</b></a>",
            "syntax at byte 39 (line 1, column 40) in /a/b: found an end tag in the text of '&e;', expected the element to have begun in the entity that ends it",
        ),
        (
            "<!DOCTYPE a [<!ENTITY e '<b>'>]><a>&e;</b></a>",
            "syntax at byte 35 (line 1, column 36) in /a/b: found the end of the text of '&e;', expected the end of an element that began there",
        ),
        (
            "<!DOCTYPE a [<!ENTITY e SYSTEM 'e.xml'>]><a>&e;</a>",
            "unsupported at byte 44 (line 1, column 45) in /a: found '&e;', an external entity, expected entities whose text is in the document",
        ),
        (
            "<!DOCTYPE a [<!ENTITY e SYSTEM 'e.xml'>]><a b='&e;'/>",
            "syntax at byte 47 (line 1, column 48): found '&e;', an external entity, expected only internal entities in an attribute value",
        ),
        (
            "<!DOCTYPE a SYSTEM 'a.dtd'><a>&e;</a>",
            "unsupported at byte 30 (line 1, column 31) in /a: found '&e;', an undeclared entity, expected entities declared in the document (external ones are not read)",
        ),
        (
            "<!DOCTYPE a [<!ELEMENT a (b,c|d)>]><a/>",
            "syntax at byte 29 (line 1, column 30): found '|', expected one kind of separator in a group",
        ),
        (
            "<!DOCTYPE a [<!ATTLIST a b STRING #IMPLIED>]><a/>",
            "syntax at byte 27 (line 1, column 28): found 'S', expected the type of an attribute",
        ),
        (
            "<!DOCTYPE a [<![INCLUDE[]]>]><a/>",
            "syntax at byte 13 (line 1, column 14): found a conditional section, expected a declaration, or ']' at the end of the internal subset",
        ),
        (
            "<!DOCTYPE a [\n<!ENTITY % p '<!ELEMENT'>\n %p;]><a/>",
            "syntax at byte 41 (line 3, column 2): found the end of the text of a parameter entity, expected white space",
        ),
        (
            "<a><b/><b><c/><c>😀<d></e></c></b></a>",
            "syntax at byte 24 (line 1, column 22) in /a/b[2]/c[2]/d: found '</e>', expected '</d>'",
        ),
        ("<!--c--><a><b></c></a>", "syntax at byte 14 (line 1, column 15) in /a/b: found '</c>', expected '</b>'"),
        ("<a>\r\n<b>\r</c></a>", "syntax at byte 9 (line 3, column 1) in /a/b: found '</c>', expected '</b>'"),
    ] {
        assert_eq!(said(input.as_bytes()), expected, "{input:?}");
    }
}

#[test]
fn bytes_that_are_not_characters_are_reported_with_their_position() {
    for (input, expected) in [
        (
            &b"<a>\xC3\xA9\n\xFF</a>"[..],
            "syntax at byte 6 (line 2, column 1) in /a: found the byte 0xFF, expected UTF-8",
        ),
        (b"\xEF\xBB\xBF<a>\n</b>", "syntax at byte 7 (line 2, column 1) in /a: found '</b>', expected '</a>'"),
        (
            b"\xEF\xBB\xBF<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
            "syntax at byte 33 (line 1, column 31): found the encoding ISO-8859-1, expected UTF-8, as the byte order mark says",
        ),
        (
            b"<?xml version='1.0' encoding='US-ASCII'?><a>\xE9</a>",
            "syntax at byte 44 (line 1, column 45) in /a: found the byte 0xE9, expected US-ASCII",
        ),
        (
            b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9&x;</a>",
            "syntax at byte 47 (line 1, column 48) in /a: found '&x;', an undeclared entity, expected a declared entity",
        ),
        (b"<a>\xE4\xB8", "incomplete at byte 3 (line 1, column 4) in /a: found the end of the input, expected '</a>'"),
        (
            b"\xFF\xFE<\0\xE9\0>\0&\0<\0",
            "syntax at byte 10 (line 1, column 5) in /é: found '<', expected the name of an entity after '&' ('&amp;' is the character)",
        ),
        (b"\xFE\xFF\0<\0a\0>\xDC\0", "syntax at byte 8 (line 1, column 4) in /a: found the byte 0xDC, expected UTF-16"),
        (
            b"\xFE\xFF\0<\0a\0>\xD8\x3D",
            "incomplete at byte 8 (line 1, column 4) in /a: found the end of the input, expected '</a>'",
        ),
        (
            b"\xFF\xFE\0\0<\0\0\0",
            "unsupported at byte 0 (line 1, column 1): found the encoding UTF-32, expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII",
        ),
        (
            b"<a>\xEF\xBF\xBF</a>",
            "syntax at byte 3 (line 1, column 4) in /a: found the character U+FFFF, expected a character that XML allows",
        ),
    ] {
        let said = said(input);
        if !expected.is_empty() {
            assert_eq!(said, expected);
        }
    }
}

#[test]
fn limits_name_themselves() {
    let limits = Limits { depth: 2, units: 4, message_bytes: 60, entity_expansion: 10, ..Limits::DEFAULT };
    let options = Options::default().with_limits(limits);
    for (input, expected) in [
        (
            "<a><b><c/></b></a>",
            "limit at byte 6 (line 1, column 7) in /a/b: found an element one level deeper, expected at most 2 (limit depth)",
        ),
        (
            "<a><b/><b/><b/><b/></a>",
            "limit at byte 15 (line 1, column 16) in /a: found one more unit, expected at most 4 (limit units)",
        ),
        (
            "<a>0123456789012345678901234567890123456789012345678901234567890</a>",
            "limit at byte 60: found 68 bytes, expected at most 60 (limit message_bytes)",
        ),
        (
            "<!DOCTYPE a [<!ENTITY e '012345'>]><a>&e;&e;</a>",
            "limit at byte 41 (line 1, column 42) in /a: found more text from entities, expected at most 10 (limit entity_expansion)",
        ),
        (
            "<!DOCTYPE a [<!ATTLIST b cc CDATA '0123'>]><a><b/><b/></a>",
            "limit at byte 46 (line 1, column 47) in /a/b/0: found one more unit, expected at most 4 (limit units)",
        ),
    ] {
        let error = error(input.as_bytes(), &options);
        assert_eq!(error.kind(), ErrorKind::Limit);
        if !expected.is_empty() {
            assert_eq!(error.to_string(), expected);
        }
    }
}

#[test]
fn callers_report_their_own_errors_at_the_last_event() {
    let mut reader = Reader::new(b"<a>\n <b/></a>", &Options::default()).unwrap();
    for _ in 0..3 {
        reader.next_event().unwrap();
    }
    assert_eq!((reader.offset(), reader.depth()), (5, 2));
    let error = reader.error(ErrorKind::Unsupported, "'b'", "'c'");
    assert_eq!(error.to_string(), "unsupported at byte 5 (line 2, column 2): found 'b', expected 'c'");
}

/// Line and column of each event, and its offset.
fn places(input: &str) -> Vec<(u64, u64, u64)> {
    let mut reader = Reader::new(input.as_bytes(), &Options::default()).unwrap();
    let mut places = Vec::new();
    while reader.next_event().unwrap().is_some() {
        let (line, column) = reader.error(ErrorKind::Schema, "", "").position().unwrap();
        places.push((line, column, reader.offset()));
    }
    places
}

#[test]
fn events_begin_after_the_white_space_between_them() {
    // The instruction, the comment, the element, its end, the comment.
    let input = "<?xml version='1.0'?>\n\n <?p?>\n\n  <!-- c -->\n\n\n  <x/>\n\n<!-- d -->\n";
    let expected = [(3, 2, 24), (5, 3, 33), (8, 3, 48), (8, 7, 52), (10, 1, 54)];
    assert_eq!(places(input), expected);
    assert_eq!(places("\n<!DOCTYPE x>\n <x>\n</x>"), [(2, 1, 1), (3, 2, 15), (3, 5, 18), (4, 1, 19)]);
}

/// Text begins with the first of what it is put together of.
#[test]
fn events_begin_after_references_without_text() {
    let doctype = "<!DOCTYPE x [<!ENTITY n ''><!ENTITY t 't'><!ENTITY e '<y/>'>]>";
    let at = |input: &str| -> Vec<u64> {
        let places = places(&format!("{doctype}{input}"));
        places.iter().skip(1).map(|(_, _, offset)| offset - doctype.len() as u64).collect()
    };
    assert_eq!(at("<x>&n;<y/></x>"), [0, 6, 10, 10]);
    assert_eq!(at("<x>&n;t</x>"), [0, 6, 7]);
    assert_eq!(at("<x>&t;&n;t</x>"), [0, 3, 10]);
    assert_eq!(at("<x>&n;&e;</x>"), [0, 6, 6, 9]);
}

/// Builds a document by hand, one unit a letter: `<` opens, `)` closes.
fn refused(units: &[(u8, &str, &str)]) -> String {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
    for (kind, name, value) in units {
        match kind {
            b'<' | b'=' | b'@' => builder.open(*kind, name.as_bytes()).unwrap(),
            b')' => builder.close().unwrap(),
            kind => builder.primitive(*kind, name.as_bytes(), value.as_bytes()).unwrap(),
        }
    }
    builder.finish().unwrap();
    let document = table.document(b"", TypeSet::XML);
    let error = xml::append(&document, &Options::default(), &mut Vec::new()).expect_err("an error");
    assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, "xml"));
    error.to_string()
}

#[test]
fn what_is_no_xml_is_not_written() {
    const A: (u8, &str, &str) = (b'<', "a", "");
    const B: (u8, &str, &str) = (b'<', "b", "");
    const LIST: (u8, &str, &str) = (b'=', "", "");
    const END: (u8, &str, &str) = (b')', "", "");
    for (units, expected) in [
        (&[(b'<', "1a", ""), END][..], "unsupported at byte 0 in /1a: found the name '1a', expected an XML name"),
        (&[(b'<', "", ""), END], "unsupported at byte 0: found an element without a name, expected an XML name"),
        (&[A, END, B, END], "unsupported at byte 0 in /b: found a second outermost unit, expected one root element"),
        (&[(b'[', "", "x")], "unsupported at byte 0: found text, expected a root element"),
        (
            &[A, B, (b'[', "", "\u{1}"), END, END],
            "unsupported at byte 0 in /a/b/0: found the character U+0001, expected a character that XML allows",
        ),
        (
            &[A, (b'[', "", ""), END],
            "unsupported at byte 0 in /a/0: found empty text, expected text of one character or more, or none at all",
        ),
        (
            &[A, (b'[', "", "x"), (b'[', "", "y"), END],
            "unsupported at byte 0 in /a/1: found text directly after text, expected a tag, a comment, an instruction or CDATA between two texts",
        ),
        (&[A, (b'[', "n", "x"), END], "unsupported at byte 0 in /a/n: found a name of text, expected no name"),
        (
            &[A, (b']', "", "x\ry"), END],
            "unsupported at byte 0 in /a/0: found a carriage return in CDATA, expected none (reading would change it)",
        ),
        (
            &[A, (b'+', "", "x--y"), END],
            "unsupported at byte 0 in /a/0: found '--' in a comment, or '-' at its end, expected neither",
        ),
        (
            &[A, (b'+', "", "x-"), END],
            "unsupported at byte 0 in /a/0: found '--' in a comment, or '-' at its end, expected neither",
        ),
        (
            &[A, (b'?', "", "xml x"), END],
            "unsupported at byte 0 in /a/0: found the target 'xml', expected a name other than 'xml'",
        ),
        (
            &[A, (b'?', "", "x  y"), END],
            "unsupported at byte 0 in /a/0: found white space before the data of an instruction, expected target, one space, data",
        ),
        (&[A, (b'?', "", "x y?>"), END], "unsupported at byte 0 in /a/0: found '?>' in an instruction, expected none"),
        (
            &[A, (b'@', "x", ""), END, END],
            "unsupported at byte 0 in /a/x: found an array, expected an element, text, CDATA, a comment or an instruction",
        ),
        (
            &[A, B, END, LIST, (b'[', "k", "v"), END, END],
            "unsupported at byte 0 in /a: found an attribute list, expected an element, text, CDATA, a comment or an instruction",
        ),
        (
            &[A, LIST, END, END],
            "unsupported at byte 0 in /a: found an empty attribute list, expected an unnamed list of attributes",
        ),
        (
            &[A, LIST, (b'[', "k", "v"), (b'[', "k", "w"), END, END],
            "unsupported at byte 0 in /a/@k: found an attribute a second time, expected each attribute once",
        ),
        (
            &[A, LIST, (b'+', "k", "v"), END, END],
            "unsupported at byte 0 in /a/@k: found a comment, expected an attribute ('[')",
        ),
        (
            &[A, LIST, (b'[', "k v", ""), END, END],
            "unsupported at byte 0 in /a/@k v: found the name 'k v', expected an XML name",
        ),
        (
            &[A, (b'!', "", "a"), END],
            "unsupported at byte 0 in /a/0: found a DOCTYPE, expected an element, text, CDATA, a comment or an instruction",
        ),
        (&[LIST, END], "unsupported at byte 0: found no element, expected a root element"),
        (
            &[LIST, A, END, B, END, END],
            "unsupported at byte 0 in /b: found a second root element, expected one root element",
        ),
        (
            &[LIST, A, END, (b'!', "", "a"), END],
            "unsupported at byte 0 in /1: found a DOCTYPE, expected one alone, before the root element",
        ),
        (
            &[LIST, A, END, (b'[', "", " "), END],
            "unsupported at byte 0 in /1: found text, expected only elements, comments, instructions and a DOCTYPE outside the root element",
        ),
        (
            &[LIST, (b'!', "", "a [<!ELEMENT b>]"), A, END, END],
            "unsupported at byte 0 in /0: found '>' at byte 14 of a DOCTYPE, expected white space",
        ),
        (
            &[LIST, (b'!', "", "a><b"), A, END, END],
            "unsupported at byte 0 in /0: found more than a DOCTYPE, expected the text between '<!DOCTYPE ' and its '>'",
        ),
        (
            &[LIST, (b'!', "", "a [<!ATTLIST a k CDATA 'v'>]"), A, END, END],
            "unsupported at byte 0 in /a: found an element without it, expected the attribute 'k', for which the DOCTYPE has a default",
        ),
        (
            &[LIST, (b'!', "", "a [<!ATTLIST a k ID #IMPLIED>]"), A, LIST, (b'[', "k", " v"), END, END, END],
            "unsupported at byte 0 in /a/@k: found spaces that its declared type drops, expected tokens with one space between",
        ),
    ] {
        let said = refused(units);
        if !expected.is_empty() {
            assert_eq!(said, expected);
        }
    }
}

/// References, line ends and `]]>` are looked for some kilobytes ahead: they are found wherever that ends, after one long text
/// and after many short ones.
#[test]
fn what_character_data_has_to_change_is_found_at_any_distance() {
    let text = |input: &str| rewritten(input.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap());
    for distance in (4080..4112).chain(8176..8208) {
        let long = format!("<b>{}</b>", "x".repeat(distance));
        let short = "<b>]</b>".repeat(distance / 8) + &"y".repeat(distance % 8);
        for before in [long, short] {
            for (written, read) in [("&amp;", "&amp;"), ("\r\n", "\n"), ("\r", "\n"), ("&#x41;", "A"), ("]]", "]]")] {
                let document = format!("<a>{before}<c>1{written}2</c></a>");
                assert_eq!(text(&document).unwrap(), document.replace(written, read), "{written:?} after {distance}");
            }
            let error = said(format!("<a>{before}<c>1]]>2</c></a>").as_bytes());
            let place = "<a>".len() + before.len() + "<c>1".len();
            assert!(error.starts_with(&format!("syntax at byte {place} ")), "{error}");
        }
    }
}

//! Names, type sets, limits and errors: the small parts.
#![cfg(feature = "alloc")]

use proptest::prelude::*;
use tam::{Error, ErrorKind, Limits, Name, Row, TypeSet, TypeSetError, Vocabulary, Words};

#[test]
fn an_empty_name_is_not_the_lack_of_one() {
    let (none, empty) = (Name::plain(b""), Name::extended(b"\""));
    assert!(none.is_none() && !empty.is_none());
    assert!(none != empty);
    assert!(empty == "" && empty == empty);
    assert_eq!((none.to_string(), empty.to_string()), (String::new(), String::new()));
}

#[test]
fn names_are_compared_without_their_escapes() {
    let (plain, extended) = (Name::plain(b"ab"), Name::extended(br#""a\b"#));
    assert!(plain == extended && extended == "ab" && extended == *b"ab" && plain != "a");
    assert!(extended != "a" && extended != "abc");
    assert_eq!(extended.to_bytes(), &b"ab"[..]);
    assert_eq!(extended.bytes().collect::<Vec<_>>(), b"ab");
    // An extended name without escapes is not copied.
    assert!(matches!(Name::extended(br#""64th"#).to_bytes(), std::borrow::Cow::Borrowed(b"64th")));
    assert!(Name::plain(br"a\b") == br"a\b"[..]);
}

#[test]
fn names_print_what_they_say() {
    assert_eq!(Name::extended("\"\\\"\\\\\\'é".as_bytes()).to_string(), "\"\\'é");
    assert_eq!(Name::plain(b"a\xFFb").to_string(), "a\u{FFFD}b");
    assert_eq!(Name::plain(b"a\xFFb").to_text(), "a\u{FFFD}b");
    // A name truncated after its escape.
    assert_eq!(Name::extended(br#""ab\"#).to_string(), "ab");
    assert_eq!(Name::extended(br#""ab\"#).bytes().count(), 2);
    assert_eq!(Name::extended(b"").to_string(), "");
    assert_eq!(format!("{:?}", Name::plain(b"id")), "Name(id)");
}

#[test]
fn names_that_could_be_misread_need_the_extended_form() {
    for name in ["64th", "\"", "a'b", "{", "é["] {
        assert!(tam::needs_extended_form(name.as_bytes(), TypeSet::JSON), "{name}");
    }
    for name in ["", "th64", "a\"b", "a\\b", "<#~", "é"] {
        assert!(!tam::needs_extended_form(name.as_bytes(), TypeSet::JSON), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// In the extended form any bytes are a name: no character of it is taken for a type, and it
    /// says the same.
    #[test]
    fn any_name_has_an_extended_form(name in prop::collection::vec(any::<u8>(), 0..40)) {
        for types in [TypeSet::XML, TypeSet::JSON, TypeSet::VALUE] {
            let mut written = Vec::new();
            tam::write_extended(name.iter().copied(), types, &mut written);
            prop_assert!(Name::extended(&written) == name[..]);
            let mut escaped = false;
            for &c in &written[1..] {
                prop_assert!(escaped || !types.is_type(c) && c != b'"');
                escaped = c == b'\\' && !escaped;
            }
            prop_assert!(!escaped);
            if !name.is_empty() && !tam::needs_extended_form(&name, types) {
                prop_assert!(Name::plain(&name) == Name::extended(&written));
            }
        }
    }
}

#[test]
fn built_in_type_sets_are_those_of_the_paper() {
    let set = |types: &TypeSet| String::from_utf8(types.characters().collect()).unwrap();
    assert_eq!(set(TypeSet::XML), "<=@!+?[]");
    assert_eq!(set(TypeSet::JSON), "[{'");
    assert_eq!(set(TypeSet::VALUE), "[{#%'*?^`~");
    let names = [TypeSet::XML, TypeSet::JSON, TypeSet::VALUE].map(|types| types.vocabulary().as_str());
    assert_eq!(names, ["xml", "json", "value"]);
    assert_eq!(format!("{:?}", TypeSet::JSON), "TypeSet(json: [ { ')");
    for types in [TypeSet::XML, TypeSet::JSON, TypeSet::VALUE] {
        assert_eq!(types.class(b'"'), TypeSet::QUOTE);
        assert!(!types.is_type(b'"') && !types.is_structured(b'"'));
        for c in 0..=255 {
            let is_type = types.characters().any(|other| other == c);
            assert_eq!((types.is_type(c), types.class(c) != 0), (is_type, is_type || c == b'"'));
            assert_eq!(types.is_structured(c), TypeSet::is_structured_class(types.class(c)) && is_type);
        }
    }
}

#[test]
fn type_sets_are_made_of_characters_that_can_be_types() {
    let refused = |structured: &[u8], primitive: &[u8]| TypeSet::new(structured, primitive).unwrap_err();
    assert_eq!(refused(b"", b""), TypeSetError::Empty);
    for c in [b'0', b'9', b'"', b'\\', 0x1F, 0x7F, 0x80, b'\n'] {
        assert_eq!((refused(&[c], b""), refused(b"<", &[c])), (TypeSetError::NotAType(c), TypeSetError::NotAType(c)));
    }
    assert_eq!(
        [refused(b"<<", b""), refused(b"<", b"<"), refused(b"", b"##")],
        [TypeSetError::Twice(b'<'), TypeSetError::Twice(b'<'), TypeSetError::Twice(b'#')]
    );
    assert_eq!(refused(b"<", b"<").to_string(), "the type '<' is named twice");
    assert_eq!(refused(b"", b"").to_string(), "a type set needs at least one type");
    assert_eq!(
        refused(b"", b"\"").to_string(),
        r#"'"' cannot be a type: types are ASCII 0x20-0x7E, not a digit, not '"' and not '\'"#
    );
    let mine = TypeSet::new(b" ", b"a~").unwrap();
    assert_eq!((mine.vocabulary(), mine.characters().collect::<Vec<_>>()), (Vocabulary::Custom, b" a~".to_vec()));
}

#[test]
fn a_row_keeps_its_parts() {
    let class = TypeSet::VALUE.class(b'{');
    let row = Row::new(class, 7, Row::MAX_NAME as u32, 9, u32::MAX).with_extended_name();
    assert_eq!(size_of::<Row>(), 16);
    assert_eq!((row.kind(), row.is_structured(), row.has_extended_name()), (b'{', true, true));
    assert_eq!((row.name_at(), row.name_len(), row.value_at(), row.len()), (7, Row::MAX_NAME as u32, 9, u32::MAX));
    assert!(!row.is_empty() && Row::EMPTY.is_empty() && !Row::EMPTY.is_structured());
}

#[test]
fn errors_say_what_where_and_what_was_expected() {
    let error = Error::new(ErrorKind::Syntax, "json", 12, Words::Byte(b']'), "a value");
    assert_eq!(error.to_string(), "syntax at byte 12: found ']', expected a value");
    let located = error.clone().at_line(3, 4).in_path("/a/0");
    assert_eq!(located.to_string(), "syntax at byte 12 (line 3, column 4) in /a/0: found ']', expected a value");
    assert_eq!(format!("{located:?}"), format!("json: {located}"));
    assert_eq!((located.position(), located.path(), located.needed()), (Some((3, 4)), "/a/0", None));
    assert_eq!((error.path(), error.position()), ("", None));
    let moved = error.met_in("xml", 99).with_found("nothing");
    assert_eq!((moved.format(), moved.offset(), moved.kind()), ("xml", 99, ErrorKind::Syntax));
    assert_eq!((moved.found(), moved.expected()), (&Words::Text("nothing"), &Words::Text("a value")));

    let more = Error::incomplete("tsf", 5, 3, "3 bytes more");
    assert_eq!((more.kind(), more.needed()), (ErrorKind::Incomplete, Some(3)));
    assert_eq!(more.to_string(), "incomplete at byte 5: found the end of the input, expected 3 bytes more");
    let limit = Error::limit("tsf", 0, Words::Count(7, "units"), "units", 3);
    assert_eq!(limit.to_string(), "limit at byte 0: found 7 units, expected at most 3 (limit units)");
}

#[test]
fn words_show_bytes_that_can_be_seen() {
    let shown = [b' ', b'~', b'\'', 0x1F, 0x7F, 0xFF].map(|byte| Words::Byte(byte).to_string());
    assert_eq!(shown, ["' '", "'~'", "'''", "byte 0x1F", "byte 0x7F", "byte 0xFF"]);
    assert_eq!(Words::from(String::from("x")), Words::Own("x".into()));
    let kinds = [ErrorKind::Syntax, ErrorKind::Incomplete, ErrorKind::Limit, ErrorKind::Unsupported, ErrorKind::Io];
    assert_eq!(kinds.map(|kind| kind.to_string()), ["syntax", "incomplete", "limit", "unsupported", "io"]);
}

#[test]
fn limits_have_the_defaults_they_name() {
    let limits = Limits::default();
    assert_eq!((limits.depth, limits.units), (1_000, 268_435_456));
    assert_eq!((limits.message_bytes, limits.entity_expansion), (1 << 30, 8 << 20));
}

#[test]
fn a_builder_knows_whether_names_of_json_hold_types_of_value() {
    let is_plain = |names: &[&str]| {
        let mut table = tam::Table::new();
        let mut builder = tam::Builder::new(b"", TypeSet::JSON, tam::Limits::DEFAULT, &mut table);
        builder.open(b'{', b"").unwrap();
        for name in names {
            builder.primitive(b'\'', name.as_bytes(), b"1").unwrap();
        }
        builder.close().unwrap();
        builder.finish().unwrap();
        table.document(b"", TypeSet::JSON).has_plain_names()
    };
    assert!(is_plain(&[]) && is_plain(&["a", "in kg", "@id", "é"]));
    for name in ["a#", "?", "64th%", "~", "*", "^", "`"] {
        assert!(!is_plain(&["a", name]), "{name}");
    }
    // Of rows that others made nothing is known.
    let row = tam::Row::new(TypeSet::JSON.class(b'\''), 0, 0, 0, 0);
    assert!(!tam::Document::from_rows(b"", b"", &[row], 0, 1, TypeSet::JSON).has_plain_names());
}

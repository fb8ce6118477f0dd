//! What is written: JSON, whatever the document holds, or nothing.

use tam::{Builder, Error, ErrorKind, Limits, Table, TypeSet};
use text::json::{self, Options};

/// The JSON text of a document made by hand.
fn written(
    types: &TypeSet,
    options: Options,
    make: impl FnOnce(&mut Builder<'_, '_, '_>) -> Result<(), Error>,
) -> Result<String, Error> {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", types, Limits::default(), &mut table);
    make(&mut builder).and_then(|()| builder.finish()).expect("a document");
    let mut out = b"before".to_vec();
    let result = json::append(&table.document(b"", types), &options, &mut out);
    let text = String::from_utf8(out.split_off(6)).expect("UTF-8");
    assert_eq!(out, b"before");
    if result.is_err() {
        assert_eq!(text, "", "half a text is left");
    }
    result.map(|()| text)
}

fn scalar(types: &TypeSet, kind: u8, value: &[u8]) -> Result<String, Error> {
    written(types, Options::default(), |builder| builder.primitive(kind, b"", value))
}

/// The error of a scalar that is a member of an array in an object.
fn refused(types: &TypeSet, kind: u8, value: &[u8]) -> String {
    let error = written(types, Options::default(), |builder| {
        builder.open(b'{', b"")?;
        builder.open(b'[', b"a")?;
        builder.primitive(kind, b"", value)?;
        builder.close()?;
        builder.close()
    });
    let error = error.expect_err("this should be refused");
    assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, "json"));
    error.to_string()
}

#[test]
fn values_are_written_as_json_has_them() {
    let written: [(u8, &[u8], &str); 16] = [
        (b'\'', b"", r#""""#),
        (b'\'', "a/é\u{1F600}\u{7F}\u{2028}".as_bytes(), "\"a/é\u{1F600}\u{7F}\u{2028}\""),
        (b'\'', b"\"\\\x08\x0C\n\r\t", r#""\"\\\b\f\n\r\t""#),
        (b'\'', b"\0 \x0B\x1F", r#""\u0000 \u000b\u001f""#),
        (b'#', b"-0", "-0"),
        (b'#', b"123456789012345678901234567890", "123456789012345678901234567890"),
        (b'%', b"1.50E+400", "1.50E+400"),
        (b'?', b"t", "true"),
        (b'?', b"f", "false"),
        (b'~', b"", "null"),
        // RFC 4648 section 10.
        (b'*', b"", r#""""#),
        (b'*', b"fo", r#""Zm8=""#),
        (b'*', b"foobar", r#""Zm9vYmFy""#),
        (b'*', b"\xFB\xFF\0", r#""+/8A""#),
        (b'^', "\u{1F600}".as_bytes(), "\"\u{1F600}\""),
        (b'`', b"\xFF", "255"),
    ];
    for (kind, value, text) in written {
        assert_eq!(scalar(TypeSet::VALUE, kind, value).as_deref(), Ok(text));
    }
    assert_eq!(scalar(TypeSet::VALUE, b'^', b"\"").as_deref(), Ok(r#""\"""#));
}

#[test]
fn values_that_json_cannot_say_are_refused() {
    let cases: [(u8, &[u8], &str); 17] = [
        (b'%', b"NaN", "found 'NaN', expected a number that JSON can write"),
        (b'%', b"-Infinity", "found '-Infinity', expected a number that JSON can write"),
        (b'#', b"", "found '', expected a number that JSON can write"),
        (b'#', b"007", "found '007', expected a number that JSON can write"),
        (b'#', b"1.0", "found '1.0', expected an integer"),
        (b'#', b"1e2", "found '1e2', expected an integer"),
        (b'#', b"1 ", "found '1 ', expected a number that JSON can write"),
        (b'#', b"1,\"x\":2", r#"found '1,\"x\":2', expected a number that JSON can write"#),
        (b'?', b"true", "found 'true', expected a boolean, t or f"),
        (b'~', b"0", "found '0', expected null, which has no data"),
        (b'^', b"", "found '', expected one character"),
        (b'^', b"ab", "found 'ab', expected one character"),
        (b'^', b"\xC3", "found text that is not UTF-8, expected UTF-8"),
        (b'`', b"", "found 0 bytes, expected one byte"),
        (b'`', b"12", "found 2 bytes, expected one byte"),
        (b'\'', b"\xFF", "found text that is not UTF-8, expected UTF-8"),
        (b'?', &[b'x'; 30], "found 'xxxxxxxxxxxxxxxxxxxxxxxx...', expected a boolean, t or f"),
    ];
    for (kind, value, text) in cases {
        assert_eq!(refused(TypeSet::VALUE, kind, value), format!("unsupported at byte 6 in /a/0: {text}"));
    }
}

#[test]
fn tokens_are_checked_and_then_kept() {
    for token in ["null", "true", "false", "-0.0e+0", r#""""#, r#""\u0041\/\ud83d\uDE00""#] {
        assert_eq!(scalar(TypeSet::JSON, b'\'', token.as_bytes()).as_deref(), Ok(token));
    }
    let cases: [(&[u8], &str); 12] = [
        (b"", "found '', expected the token of a JSON scalar"),
        (b"nul", "found 'nul', expected the token of a JSON scalar"),
        (b"hello", "found 'hello', expected the token of a JSON scalar"),
        (b"NaN", "found 'NaN', expected the token of a JSON scalar"),
        (b" 1", "found ' 1', expected the token of a JSON scalar"),
        (b"1 2", "found '1 2', expected the token of a JSON scalar"),
        (b"[]", "found '[]', expected the token of a JSON scalar"),
        (b"\"a", "found the end of the token, expected the end of the string"),
        (b"\"a\" ", r#"found '\"a\" ', expected one JSON string"#),
        (br#""\x""#, r#"found 'x', expected one of "\/bfnrtu after the backslash"#),
        (br#""\ude00""#, "found a low surrogate alone, expected a high surrogate before it"),
        (b"\"\xFF\"", "found text that is not UTF-8, expected UTF-8"),
    ];
    for (token, text) in cases {
        assert_eq!(refused(TypeSet::JSON, b'\'', token), format!("unsupported at byte 6 in /a/0: {text}"));
    }
}

#[test]
fn members_have_names_and_items_have_none() {
    let error = |make: fn(&mut Builder<'_, '_, '_>) -> Result<(), Error>| {
        written(TypeSet::VALUE, Options::default(), make).expect_err("this should be refused").to_string()
    };
    assert_eq!(
        error(|b| b.open(b'{', b"").and_then(|()| b.primitive(b'~', b"", b"")).and_then(|()| b.close())),
        "unsupported at byte 1 in /0: found no name, expected a name for each member of an object"
    );
    assert_eq!(
        error(|b| b.open(b'[', b"").and_then(|()| b.primitive(b'~', b"x", b"")).and_then(|()| b.close())),
        "unsupported at byte 1 in /x: found the name 'x', expected no names in an array"
    );
    assert_eq!(
        error(|b| b.open(b'[', b"").and_then(|()| b.primitive_member(b'~', Some(b""), b"")).and_then(|()| b.close())),
        "unsupported at byte 1 in /: found the name '', expected no names in an array"
    );
    assert_eq!(
        error(|b| b.open(b'{', b"").and_then(|()| b.primitive(b'~', b"\xFF", b"")).and_then(|()| b.close())),
        "unsupported at byte 1 in /\u{FFFD}: found a name that is not UTF-8, expected UTF-8"
    );
    assert_eq!(
        error(|b| b.primitive(b'~', b"x", b"")),
        "unsupported at byte 0: found the name 'x', expected an outermost value without a name"
    );
    assert_eq!(
        error(|b| b.primitive(b'~', b"", b"").and_then(|()| b.primitive(b'~', b"", b""))),
        "unsupported at byte 0: found 2 outermost units, expected one value"
    );
}

#[test]
fn names_of_any_kind_are_written() {
    let text = written(TypeSet::VALUE, Options::default(), |b| {
        b.open(b'{', b"")?;
        for name in ["{\\['", "64th", "\"", "a\nb", "é"] {
            b.primitive(b'~', name.as_bytes(), b"")?;
        }
        b.primitive_member(b'~', Some(b""), b"")?;
        b.open_member(b'[', Some(b""))?;
        b.close()?;
        b.close()
    });
    assert_eq!(text.as_deref(), Ok(r#"{"{\\['":null,"64th":null,"\"":null,"a\nb":null,"é":null,"":null,"":[]}"#));
}

#[test]
fn documents_of_other_vocabularies_are_refused() {
    let custom = TypeSet::new(b"{[", b"'").expect("a type set");
    for (types, name) in [(TypeSet::XML, "xml"), (&custom, "custom")] {
        let kind = types.characters().last().expect("a type");
        let error = scalar(types, kind, b"1").expect_err("this should be refused");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(
            error.to_string(),
            format!(
                "unsupported at byte 0: found a document of the type set {name}, expected one of the type set json or value"
            )
        );
    }
    let nothing = Table::new();
    let error = json::append(&nothing.document(b"", TypeSet::JSON), &Options::default(), &mut Vec::new());
    assert_eq!(
        error.expect_err("this should be refused").to_string(),
        "unsupported at byte 0: found 0 outermost units, expected one value"
    );
}

/// As Python's `json.dumps(value, indent=2, ensure_ascii=False)` prints it.
#[test]
fn pretty_text_has_two_spaces_a_level() {
    let mut table = Table::new();
    let options = Options::default().with_pretty(true);
    let text = br#"{"a":[1,[],{}, [{"b":"]"}] ],"c":null,"[":"{"}"#;
    let document = json::read(text, &options, &mut table).expect("JSON");
    let out = json::write(&document, &options).expect("JSON");
    let expected = r#"{
  "a": [
    1,
    [],
    {},
    [
      {
        "b": "]"
      }
    ]
  ],
  "c": null,
  "[": "{"
}"#;
    assert_eq!(String::from_utf8(out).as_deref(), Ok(expected));
}

//! JSON values in documents of either set, made by hand.
#![cfg(feature = "alloc")]

use std::borrow::Cow;

use tam::json::{Number, Text, Value};
use tam::{Builder, Limits, Table, TypeSet};

/// Looks at one scalar.
fn see<T>(types: &TypeSet, kind: u8, data: &[u8], look: impl FnOnce(Value<'_>) -> T) -> T {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", types, Limits::default(), &mut table);
    builder.primitive(kind, b"", data).unwrap();
    builder.finish().unwrap();
    look(Value::new(table.document(b"", types).root().unwrap()))
}

fn token<T>(token: &str, look: impl FnOnce(Value<'_>) -> T) -> T {
    see(TypeSet::JSON, b'\'', token.as_bytes(), look)
}

fn number<T>(text: &str, look: impl FnOnce(Number<'_>) -> T) -> T {
    token(text, |value| match value {
        Value::Number(number) => look(number),
        other => panic!("{text} is {other:?}"),
    })
}

fn string<T>(text: &str, look: impl FnOnce(Text<'_>) -> T) -> T {
    token(text, |value| match value {
        Value::String(text) => look(text),
        other => panic!("{text} is {other:?}"),
    })
}

#[test]
fn tokens_and_typed_values_are_seen_alike() {
    type Is = fn(&Value<'_>) -> bool;
    let pairs: [(&str, u8, &str, Is); 6] = [
        ("null", b'~', "", |value| matches!(value, Value::Null)),
        ("true", b'?', "t", |value| matches!(value, Value::Bool(true))),
        ("false", b'?', "f", |value| matches!(value, Value::Bool(false))),
        ("-7", b'#', "-7", |value| matches!(value, Value::Number(n) if n.as_i64() == Some(-7))),
        ("2.50", b'%', "2.50", |value| matches!(value, Value::Number(n) if n.as_str() == "2.50")),
        (r#""a\"b""#, b'\'', "a\"b", |value| matches!(value, Value::String(s) if *s == "a\"b")),
    ];
    for (text, kind, data, is) in pairs {
        assert!(token(text, |value| is(&value)), "{text}");
        assert!(see(TypeSet::VALUE, kind, data.as_bytes(), |value| is(&value)), "{data}");
    }
}

#[test]
fn what_json_does_not_have_is_seen_too() {
    assert!(see(TypeSet::VALUE, b'*', b"\0\xFF", |value| matches!(value, Value::Binary(b"\0\xFF"))));
    assert!(see(TypeSet::VALUE, b'^', "é".as_bytes(), |value| matches!(value, Value::Char('é'))));
    assert!(see(TypeSet::VALUE, b'`', b"\xFF", |value| matches!(value, Value::Byte(255))));
    let float = |text: &str| {
        see(TypeSet::VALUE, b'%', text.as_bytes(), |value| match value {
            Value::Number(number) => number.as_f64(),
            _ => None,
        })
    };
    assert_eq!([float("Infinity"), float("-Infinity")], [Some(f64::INFINITY), Some(f64::NEG_INFINITY)]);
    assert!(float("NaN").is_some_and(f64::is_nan));
    assert_eq!([float("nan"), float("inf"), float("+1"), float("1.")], [None; 4]);
}

#[test]
fn data_that_its_type_does_not_allow_is_no_value() {
    let invalid = |value: Value<'_>| matches!(value, Value::Invalid(_));
    let tokens =
        ["", "nul", "True", "01", "1 ", "+1", "NaN", "\"", "\"a", "\"a\"b", r#""\x""#, r#""\ud800""#, "\"\n\""];
    assert!(tokens.iter().all(|text| token(text, invalid)));
    let typed: [(u8, &[u8]); 12] = [
        (b'\'', b"\xFF"),
        (b'#', b""),
        (b'#', b"NaN"),
        (b'#', b"1.0"),
        (b'#', b"1e2"),
        (b'?', b"true"),
        (b'~', b"0"),
        (b'^', b""),
        (b'^', b"ab"),
        (b'^', b"\xC3"),
        (b'`', b""),
        (b'`', b"12"),
    ];
    assert!(typed.iter().all(|(kind, data)| see(TypeSet::VALUE, *kind, data, invalid)));
    assert!(see(TypeSet::JSON, b'\'', b"\"\xFF\"", invalid));
    assert!(see(TypeSet::XML, b'[', b"text", invalid));
}

#[test]
fn numbers_are_read_as_far_as_they_fit() {
    assert_eq!(number("18446744073709551615", |n| (n.as_u64(), n.as_i64())), (Some(u64::MAX), None));
    assert_eq!(number("-9223372036854775808", |n| (n.as_u64(), n.as_i64())), (None, Some(i64::MIN)));
    assert_eq!(number("1.0", |n| (n.as_i64(), n.as_f64())), (None, Some(1.0)));
    assert_eq!(number("1E400", |n| (n.as_f64(), n.to_string())), (None, "1E400".to_owned()));
    assert_eq!(number("-0", |n| (n.as_i64(), n.as_f64().map(f64::is_sign_negative))), (Some(0), Some(true)));
    assert_eq!(number("0.1", |n| n.as_f64()), Some(0.1));
}

#[test]
fn strings_show_what_they_say() {
    string(r#""\u00e9\ud83d\ude00\/""#, |text| {
        assert!(text == "é\u{1F600}/" && text != "é" && text != "é\u{1F600}/ ");
        assert_eq!((text.as_str(), text.to_string()), (None, "é\u{1F600}/".to_owned()));
        assert_eq!(text.chars().collect::<Vec<_>>(), ['é', '\u{1F600}', '/']);
        assert!(matches!(text.to_cow(), Cow::Owned(_)));
        string("\"é\u{1F600}/\"", |plain| assert_eq!(plain, text));
    });
    string(r#""plain""#, |text| {
        assert_eq!(text.as_str(), Some("plain"));
        assert!(matches!(text.to_cow(), Cow::Borrowed("plain")));
    });
    // In the set `value` a backslash is a backslash.
    let kept = see(TypeSet::VALUE, b'\'', br"\n", |value| match value {
        Value::String(text) => text.to_string(),
        other => panic!("{other:?}"),
    });
    assert_eq!(kept, r"\n");
}

#[test]
fn objects_and_arrays_are_gone_through_in_order() {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
    builder.open(b'{', b"").unwrap();
    builder.primitive(b'#', b"", b"0").unwrap();
    builder.primitive(b'#', b"a", b"1").unwrap();
    builder.primitive(b'#', b"64th", b"2").unwrap();
    builder.primitive(b'#', b"a", b"3").unwrap();
    builder.primitive_member(b'#', Some(b""), b"4").unwrap();
    builder.open(b'[', b"list").unwrap();
    builder.primitive(b'~', b"", b"").unwrap();
    builder.primitive(b'?', b"", b"t").unwrap();
    builder.close().unwrap();
    builder.close().unwrap();
    builder.finish().unwrap();
    let document = table.document(b"", TypeSet::VALUE);
    let root = Value::from(document.root().unwrap());
    let number = |name| match root.get(name) {
        Some(Value::Number(number)) => number.as_i64(),
        _ => None,
    };
    assert_eq!([number("a"), number("64th"), number(""), number("b")], [Some(1), Some(2), Some(4), None]);
    let Value::Object(members) = root.clone() else { panic!("{root:?}") };
    assert_eq!(members.len(), 6);
    let names: Vec<_> = members.map(|(name, _)| name.to_string()).collect();
    assert_eq!(names, ["", "a", "64th", "a", "", "list"]);
    let list = root.get("list").unwrap();
    assert!(matches!((list.at(0), list.at(1), list.at(2)), (Some(Value::Null), Some(Value::Bool(true)), None)));
    assert!(list.get("a").is_none() && root.at(0).is_none());
    let Value::Array(items) = list else { panic!("{list:?}") };
    assert_eq!(items.len(), 2);
}

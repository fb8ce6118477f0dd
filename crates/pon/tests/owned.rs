//! Values that own their content: what the message says, whatever is done with them, at any depth.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use std::thread;

use pon::{Array, Float, Integer, Kind, Object, Options, OwnedValue, Value};
use support::generate::{Random, spoiled, tree};
use support::samples::{nested, samples, wrapped};
use support::{Data, Unit, twin};
use tam::{ErrorKind, Limits, Table};

fn read(message: &[u8]) -> Result<OwnedValue, pon::Error> {
    OwnedValue::read(message, &Options::default())
}

fn shown(message: &[u8]) -> String {
    message.escape_ascii().to_string()
}

/// The value of units in document order, made in the plain way.
fn made<'u>(units: &mut impl Iterator<Item = &'u Unit>) -> (String, OwnedValue) {
    let unit = units.next().unwrap();
    let value = match &unit.data {
        Data::Null => OwnedValue::Null,
        Data::Boolean(value) => (*value).into(),
        Data::Integer(text) => OwnedValue::Integer(Integer::parse(text).unwrap()),
        Data::Float(text) => OwnedValue::Float(Float::parse(text).unwrap()),
        Data::String(text) => text.as_str().into(),
        Data::Binary(octets) => OwnedValue::Binary(octets.clone()),
        Data::Char(value) => (*value).into(),
        Data::Byte(value) => OwnedValue::Byte(*value),
        Data::Array(count) => (0..*count).map(|_| made(units).1).collect::<Array>().into(),
        Data::Object(count) => (0..*count).map(|_| made(units)).collect::<Object>().into(),
    };
    (unit.key.clone().unwrap_or_default(), value)
}

#[test]
fn a_value_is_what_its_message_says() {
    let mut random = Random::new(41);
    let made_up = (0..test_support::rounds(3_000)).map(|_| tree(&mut random, 40));
    for units in samples().into_iter().map(|sample| sample.units).chain(made_up) {
        let message = twin::write(&units);
        let value = read(&message).unwrap();
        let (_, expected) = made(&mut units.iter());
        assert_eq!(value, expected);
        assert_eq!(shown(&value.write().unwrap()), shown(&message));
        assert_eq!(format!("{value:?}"), shown(&message));
        let copy = value.clone();
        assert_eq!(copy, value);
        assert_eq!(shown(&copy.write().unwrap()), shown(&message));
        let mut out = b"before".to_vec();
        value.append(&mut out).unwrap();
        assert_eq!(shown(&out), shown(&[b"before", &message[..]].concat()));
    }
}

/// Values are equal where their messages are.
#[test]
fn equality_is_that_of_the_messages() {
    let mut random = Random::new(42);
    for _ in 0..test_support::rounds(2_000) {
        let units = tree(&mut random, 12);
        let message = twin::write(&units);
        let other = spoiled(&mut random, &units, &message, &message);
        if let Ok(value) = read(&other) {
            assert_eq!(value == read(&message).unwrap(), other == message, "{} {}", shown(&message), shown(&other));
        }
    }
    let values =
        ["2i-0", "1i0", "2d-0", "1d0", "3d0.0", "b0", "1s0", "1y0", "c0", "u", "f", "0[", "0{", "1[u", "3dNaN"];
    for one in values {
        for other in values {
            assert_eq!(read(one.as_bytes()) == read(other.as_bytes()), one == other, "{one} {other}");
        }
    }
    assert_ne!(read(b"6{a:ub:u"), read(b"6{b:ua:u"));
    assert_ne!(read(b"3{a:u"), read(b"6{a:ua:u"));
}

/// Of a damaged message it says what the reader of documents says, with the path.
#[test]
fn a_damaged_message_is_refused_as_the_reader_refuses_it() {
    let mut random = Random::new(43);
    let mut refused = 0;
    for _ in 0..test_support::rounds(10_000) {
        let units = tree(&mut random, 20);
        let message = spoiled(&mut random, &units, &twin::write(&units), b"24{room:5sattict:4d21.5ok:t");
        for limits in [Limits::default(), Limits { depth: 2, units: 9, message_bytes: 90, ..Limits::default() }] {
            let options = Options::default().with_limits(limits);
            let mut table = Table::new();
            match (OwnedValue::read(&message, &options), pon::read(&message, &options, &mut table)) {
                (Ok(value), Ok(_)) => assert_eq!(shown(&value.write().unwrap()), shown(&message)),
                (Err(one), Err(other)) => {
                    refused += 1;
                    assert_eq!(one, other, "{}", shown(&message));
                }
                (one, other) => panic!("{one:?} {:?}: {}", other.map(|_| ()), shown(&message)),
            }
        }
    }
    assert!(refused > test_support::rounds(3_000), "{refused}");
}

#[test]
fn limits_are_those_of_the_options() {
    let limited = |limits| Options::default().with_limits(limits);
    let options = limited(Limits { depth: 3, ..Limits::default() });
    OwnedValue::read(&nested(3, b"t"), &options).unwrap();
    let error = OwnedValue::read(&nested(4, b"t"), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert_eq!(error, pon::read(&nested(4, b"t"), &options, &mut Table::new()).unwrap_err());
    let options = limited(Limits { units: 3, ..Limits::default() });
    OwnedValue::read(b"2[tf", &options).unwrap();
    assert_eq!(OwnedValue::read(b"3[tft", &options).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(OwnedValue::from_value(Value::new(b"3[tft").unwrap(), &options).unwrap_err().kind(), ErrorKind::Limit);
    let options = limited(Limits { message_bytes: 3, ..Limits::default() });
    OwnedValue::read(b"1[t", &options).unwrap();
    assert_eq!(OwnedValue::read(b"2[tf", &options).unwrap_err().kind(), ErrorKind::Limit);
    // The default is deep enough for what people send, and refuses what only an attacker does.
    assert_eq!(read(&nested(1_001, b"t")).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn a_value_is_small() {
    assert!(size_of::<OwnedValue>() <= 32);
}

/// On a stack of 64 KiB nothing may recurse.
#[test]
fn levels_take_no_stack() {
    const LEVELS: usize = 100_000;
    let options = Options::default().with_limits(Limits { depth: u32::MAX, ..Limits::default() });
    let run = move || {
        for message in [nested(LEVELS, b"t"), nested(LEVELS, b""), wrapped(LEVELS)] {
            let value = OwnedValue::read(&message, &options).unwrap();
            let copy = value.clone();
            assert!(value == copy);
            assert!(value.write().unwrap() == message);
            assert_eq!(format!("{value:?}").len(), message.len());
            assert_eq!(value.find(&"/0".repeat(LEVELS + 1)), None);
            drop(value);
            let OwnedValue::Array(items) = copy else { continue };
            drop(items.into_vec());
        }
        // What is left of a value that is damaged deep inside is dropped as well.
        assert!(OwnedValue::from_value(Value::new(&nested(LEVELS, b"x")).unwrap(), &options).is_err());
    };
    thread::Builder::new().stack_size(64 * 1024).spawn(run).unwrap().join().unwrap();
}

#[test]
fn paths_lead_where_those_of_the_cursor_lead() {
    let members = br"a:4[1i7ta/b:3[cxum~n:10{x:6{y:u0:u01:b77:4[2i-1k\::1i5a:u";
    let message = [format!("{}{{", members.len()).as_bytes(), members].concat();
    let mut value = read(&message).unwrap();
    let lazy = Value::new(&message).unwrap();
    for path in [
        "",
        "/",
        "/a",
        "/a/0",
        "/a/1",
        "/a/2",
        "/a/00",
        "/a/-",
        "/a~1b",
        "/a~1b/1",
        "/m~0n/x/y",
        "/m~0n/x/0",
        "/m~n",
        "/01",
        "/7",
        "/7/0",
        "/k:",
        "a",
        "/a/",
        "//",
        "/~",
        "/~2",
    ] {
        let expected = lazy.find(path).unwrap();
        let found = value.find(path).cloned();
        assert_eq!(found.is_some(), expected.is_some(), "{path}");
        let expected = expected.map(|value| OwnedValue::from_value(value, &Options::default()).unwrap());
        assert_eq!(found, expected, "{path}");
        assert_eq!(value.find_mut(path).map(|value| value.clone()), expected, "{path}");
    }
    assert_eq!(value.get("a"), value.find("/a"));
    *value.find_mut("/m~0n/x/y").unwrap() = "new".into();
    assert_eq!(value.find("/m~0n/x/y").and_then(OwnedValue::as_str), Some("new"));
}

#[test]
fn numbers_keep_their_digits_and_are_what_they_are_worth() {
    let integers = [
        ("0", Some(0), Some(0)),
        ("-1", Some(-1), None),
        ("-0", Some(0), None),
        ("9223372036854775807", Some(i64::MAX), Some(i64::MAX as u64)),
        ("9223372036854775808", None, Some(1 << 63)),
        ("18446744073709551615", None, Some(u64::MAX)),
        ("18446744073709551616", None, None),
        ("-9223372036854775808", Some(i64::MIN), None),
        ("-9223372036854775809", None, None),
    ];
    for (text, signed, unsigned) in integers {
        let integer = Integer::parse(text).unwrap();
        assert_eq!((integer.to_string().as_str(), integer.as_i64(), integer.as_u64()), (text, signed, unsigned));
        assert_eq!(integer.as_f64(), text.parse().ok());
        // A number has one form, however it is made.
        if text != "-0" {
            signed.into_iter().for_each(|value| assert_eq!(Integer::from(value), integer));
            unsigned.into_iter().for_each(|value| assert_eq!(Integer::from(value), integer));
            assert_eq!(Integer::from(text.parse::<i128>().unwrap()), integer);
        }
    }
    for text in ["", "-", "00", "+1", "1.0", "1e5", " 1"] {
        assert_eq!(Integer::parse(text).unwrap_err().kind(), ErrorKind::Syntax, "{text}");
    }
    for text in ["", ".5", "5.", "nan", "inf"] {
        assert_eq!(Float::parse(text).unwrap_err().kind(), ErrorKind::Syntax, "{text}");
    }
    assert_eq!(Float::parse("1e400").unwrap().as_f64(), None);
    assert_eq!(Float::from(f64::NEG_INFINITY).as_str(), "-Infinity");
    assert!(Float::from(f64::NAN).as_f64().is_some_and(f64::is_nan));
    assert_eq!((OwnedValue::from(7_i64).kind(), OwnedValue::Byte(7).as_i64()), (Kind::Integer, Some(7)));
}

#[cfg(feature = "serde")]
mod by_serde {
    use std::collections::BTreeMap;

    use support::dynamic::Dynamic;

    use super::*;

    /// What serde makes of a message is the value that is read from it, but for the digits of numbers.
    #[test]
    fn values_come_from_and_to_other_types() {
        let mut random = Random::new(44);
        for _ in 0..test_support::rounds(3_000) {
            let mut units = tree(&mut random, 40);
            for unit in &mut units {
                match &mut unit.data {
                    Data::Float(text) => *text = "0.5".into(),
                    Data::Integer(text) => *text = text.parse::<i128>().map_or("-7".into(), |value| value.to_string()),
                    _ => {}
                }
            }
            let message = twin::write(&units);
            let value = read(&message).unwrap();
            assert_eq!(pon::from_slice::<OwnedValue>(&message).as_ref(), Ok(&value));
            assert_eq!(shown(&pon::to_vec(&value).unwrap()), shown(&message));
            assert_eq!(pon::from_slice::<Dynamic>(&pon::to_vec(&value).unwrap()), pon::from_slice(&message));
        }
    }

    #[test]
    fn json_becomes_a_value_and_json_again() {
        // Where another crate asks serde_json for numbers of any precision, it passes floats as maps; so there is none here.
        let text = r#"{"b":[null,true,-7,18446744073709551615,"x"],"a":{"":{}},"a":[]}"#;
        let value: OwnedValue = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
        assert_eq!(value.find("/b/3").and_then(OwnedValue::as_u64), Some(u64::MAX));
        let part: BTreeMap<String, OwnedValue> = pon::from_slice(b"14{a:4[1i7tb:2i-7").unwrap();
        assert_eq!(part["b"], (-7_i64).into());
    }

    #[test]
    fn by_serde_a_number_is_what_it_is_worth() {
        assert_eq!(pon::to_vec(&read(b"5d21.50").unwrap()).unwrap(), b"4d21.5");
        assert_eq!(pon::to_vec(&read(b"2i-0").unwrap()).unwrap(), b"1i0");
        let long = format!("40i{}", "9".repeat(40));
        for (message, found) in
            [(long.as_bytes(), "an integer of more than 128 bits"), (b"5d1e400", "a number beyond the largest double")]
        {
            let value = read(message).unwrap();
            assert_eq!(value.write().unwrap(), message);
            let error = pon::to_vec(&value).unwrap_err();
            assert_eq!((error.kind(), error.found().to_string().as_str()), (ErrorKind::Unsupported, found));
        }
        assert_eq!(pon::from_slice::<OwnedValue>(&nested(129, b"t")).unwrap_err().kind(), ErrorKind::Limit);
        let deepest = nested(128, b"t");
        assert_eq!(pon::to_vec(&pon::from_slice::<OwnedValue>(&deepest).unwrap()).unwrap(), deepest);
        // Deeper values, which `write` writes, do not fill the stack.
        for levels in [129, 100_000] {
            let value = (0..levels).fold(OwnedValue::Null, |inner, level| match level % 2 {
                0 => OwnedValue::Array([inner].into_iter().collect()),
                _ => OwnedValue::Object([("a".to_owned(), inner)].into_iter().collect()),
            });
            let error = pon::to_vec(&value).unwrap_err();
            assert_eq!(error.found().to_string(), "more than 128 levels");
            assert!(serde_json::to_string(&value).unwrap_err().to_string().starts_with("more than 128 levels"));
        }
    }
}

//! The cursor: what it is asked for it gives, as a look at every member and every digit would.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use pon::{Kind, Value};
use support::generate::{Random, key as made_up_key};
use tam::{Error, ErrorKind};

/// A node that has a length.
fn node(tag: char, data: &[u8]) -> Vec<u8> {
    [format!("{}{tag}", data.len()).as_bytes(), data].concat()
}

/// An object of these keys, whose values are their places.
fn object<K: AsRef<str>>(keys: &[K]) -> Vec<u8> {
    let mut members = Vec::new();
    for (place, key) in keys.iter().enumerate() {
        members.extend_from_slice(key.as_ref().replace('\\', r"\\").replace(':', r"\:").as_bytes());
        members.push(b':');
        members.extend(node('i', place.to_string().as_bytes()));
    }
    node('{', &members)
}

fn place(value: Result<Option<Value<'_>>, Error>) -> Option<usize> {
    value.unwrap().map(|value| value.as_u64().unwrap() as usize)
}

#[test]
fn every_kind_gives_what_it_is_and_refuses_what_it_is_not() {
    // -0 is no u64, as for the standard library.
    assert_eq!(Value::new(b"2i-0").unwrap().as_u64().unwrap_err().kind(), ErrorKind::Schema);
    // What each can be read as: boolean, i64, u64, f64, text, octets, character, byte.
    for (message, kind, had) in [
        (&b"u"[..], Kind::Null, "        "),
        (b"t", Kind::Boolean, "x       "),
        (b"f", Kind::Boolean, "x       "),
        (b"2i49", Kind::Integer, " xxxx   "),
        (b"2i-7", Kind::Integer, " x xx   "),
        (b"19i9223372036854775808", Kind::Integer, "  xxx   "),
        (b"20i18446744073709551616", Kind::Integer, "   xx   "),
        (b"4d17.3", Kind::Float, "   xx   "),
        (b"3dNaN", Kind::Float, "   xx   "),
        (b"5d1e400", Kind::Float, "    x   "),
        (b"2s49", Kind::String, "    xx  "),
        (b"2y49", Kind::Binary, "     x  "),
        (b"c\xC3\xA9", Kind::Char, "      x "),
        (b"b1", Kind::Byte, " xx    x"),
        (b"1[t", Kind::Array, "        "),
        (b"3{a:t", Kind::Object, "        "),
    ] {
        let value = Value::new(message).unwrap();
        assert_eq!(value.kind(), kind);
        let tried = [
            value.as_bool().map(|_| ()),
            value.as_i64().map(|_| ()),
            value.as_u64().map(|_| ()),
            value.as_f64().map(|_| ()),
            value.as_str().map(|_| ()),
            value.as_bytes().map(|_| ()),
            value.as_char().map(|_| ()),
            value.as_byte().map(|_| ()),
        ];
        let shown: String = tried.iter().map(|tried| if tried.is_ok() { 'x' } else { ' ' }).collect();
        assert_eq!(shown, had, "{}", message.escape_ascii());
        for error in tried.iter().filter_map(|tried| tried.as_ref().err()) {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Schema, value.offset() as u64), "{error}");
        }
        assert_eq!(value.is_null(), kind == Kind::Null);
        assert_eq!(value.get("a").is_ok(), kind == Kind::Object);
        assert_eq!(value.record().is_ok(), kind == Kind::Object);
        assert_eq!(value.at(0).is_ok(), kind == Kind::Array);
        assert_eq!(value.members().count(), usize::from(kind == Kind::Object));
        assert_eq!(value.items().count(), usize::from(kind == Kind::Array));
        assert_eq!(kind.is_container(), kind == Kind::Object || kind == Kind::Array);
    }
    assert_eq!(Value::new(b"b1").unwrap().as_i64(), Ok(49));
    assert_eq!(Value::new(b"c\xC3\xA9").unwrap().as_char(), Ok('\u{E9}'));
    let error = Value::new(b"3{a:t").unwrap().require("b").unwrap_err();
    assert_eq!(error.to_string(), "schema at byte 2: missing member 'b'");
    let error = Value::new(b"5{a:1st").unwrap().require("a").unwrap().as_bool().unwrap_err();
    assert_eq!(error.to_string(), "schema at byte 6: found a string, expected a boolean");
}

/// An integer as RFC 8259, section 6 has it.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'))
}

#[test]
fn integers_are_what_the_standard_library_says() {
    let mut random = Random::new(1);
    let (mut whole, mut wide) = (0, 0);
    for _ in 0..test_support::rounds(100_000) {
        let mut text: Vec<u8> = (0..random.below(23)).map(|_| b'0' + random.below(10) as u8).collect();
        if random.one_in(3) {
            text.insert(0, b'-');
        }
        if random.one_in(4) && !text.is_empty() {
            let at = random.below(text.len());
            text[at] = random.of(b"/:-+. \x00\xB0\xFA\xFFx0");
        }
        let message = node('i', &text);
        let value = Value::new(&message).unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        let expected = is_integer(&text);
        assert_eq!(value.as_i64().ok(), text.parse().ok().filter(|_| expected), "{text}");
        assert_eq!(value.as_u64().ok(), text.parse().ok().filter(|_| expected), "{text}");
        assert_eq!(value.as_str().is_ok(), expected, "{text}");
        assert_eq!(value.as_i64().err().is_some_and(|error| error.kind() == ErrorKind::Syntax), !expected, "{text}");
        #[cfg(feature = "serde")]
        {
            assert_eq!(pon::from_slice::<i64>(&message).ok(), text.parse().ok().filter(|_| expected), "{text}");
            assert_eq!(pon::from_slice::<i128>(&message).ok(), text.parse().ok().filter(|_| expected), "{text}");
            let no_sign = if text == "-0" { "0" } else { &*text };
            assert_eq!(pon::from_slice::<u32>(&message).ok(), no_sign.parse().ok().filter(|_| expected), "{text}");
        }
        whole += usize::from(expected);
        wide += usize::from(expected && text.len() > 16);
    }
    assert!(
        whole > test_support::rounds(50_000) && wide > test_support::rounds(10_000),
        "{whole} integers, {wide} of them long: texts that try little"
    );
}

#[test]
fn short_texts_are_text_as_the_standard_library_says() {
    let mut random = Random::new(2);
    for len in 0..70 {
        for _ in 0..300 {
            let mut text = vec![b'a'; len];
            for _ in 0..random.below(3).min(len) {
                let at = random.below(len);
                let piece: &[u8] =
                    random.of(&[b"\x80", b"\xFF", "\u{E9}".as_bytes(), "\u{1F98B}".as_bytes(), b"\0", b":"]);
                for (place, byte) in text[at..].iter_mut().zip(piece) {
                    *place = *byte;
                }
            }
            let message = node('s', &text);
            let expected = std::str::from_utf8(&text);
            assert_eq!(Value::new(&message).unwrap().as_str().ok(), expected.ok(), "{}", text.escape_ascii());
            let read = pon::read(&message, &pon::Options::default(), &mut tam::Table::new()).map(|_| ());
            assert_eq!(read.is_ok(), expected.is_ok(), "{}", text.escape_ascii());
            if let (Err(error), Err(expected)) = (read, expected) {
                let at = message.len() - len + expected.valid_up_to();
                assert_eq!(error.offset(), at as u64, "{}", text.escape_ascii());
            }
        }
    }
}

/// A key is found among others that differ in one byte, in length, or in an escape.
#[test]
fn keys_of_every_length_are_distinguished() {
    for len in 0..40 {
        let key = "k".repeat(len);
        let mut keys = vec![format!("{key}k"), format!("{key}:"), format!("{key}\\")];
        for at in 0..len {
            for other in ["K", ":", "\\", "\u{E9}", "k:"] {
                let mut near = key.clone();
                near.replace_range(at..=at, other);
                keys.push(near);
            }
        }
        keys.extend(len.checked_sub(1).map(|less| "k".repeat(less)));
        let after = keys.len();
        keys.push(key.clone());
        keys.push(key.clone());
        let message = object(&keys);
        let value = Value::new(&message).unwrap();
        for (at, key) in keys.iter().enumerate() {
            let first = keys.iter().position(|other| other == key).unwrap();
            assert_eq!(place(value.get(key)), Some(first), "{key:?}");
            assert_eq!(value.members().nth(at).unwrap().unwrap().0.to_string(), *key);
            assert!(value.members().nth(at).unwrap().unwrap().0 == *key.as_str());
            let path = format!("/{key}").replace('~', "~0");
            assert_eq!(place(value.find(&path)), Some(first), "{path:?}");
        }
        assert_eq!(place(value.get(&key)), Some(after), "the first of two");
        for absent in [format!("{key}z"), format!("{key}:z"), format!("z{key}"), format!("\\{key}z")] {
            assert_eq!(place(value.get(&absent)), None, "{absent:?}");
            assert_eq!(place(value.record().unwrap().get(&absent)), None, "{absent:?}");
        }
    }
}

#[test]
fn a_key_says_what_it_is_in_every_way() {
    let message = br"20{a\:b:ta:t\\\\:t:t0:t";
    let value = Value::new(message).unwrap();
    let keys: Vec<_> = value.members().map(|member| member.unwrap().0).collect();
    let expected = [(r"a\:b", "a:b"), ("a", "a"), (r"\\\\", r"\\"), ("", ""), ("0", "0")];
    assert_eq!(keys.len(), expected.len());
    for (key, (written, text)) in keys.into_iter().zip(expected) {
        assert_eq!((key.written(), key.has_escapes()), (written, written != text));
        assert_eq!(key.as_str(), (written == text).then_some(text));
        assert_eq!(
            (key.to_string(), key.chars().collect::<String>(), &*key.to_cow()),
            (text.into(), text.into(), text)
        );
        assert_eq!(matches!(key.to_cow(), std::borrow::Cow::Borrowed(_)), written == text);
        assert!(key == text && key == *text);
        for other in ["a", "a:", "a:bc", r"a\:b", r"\", r"\\\", "1", "00"] {
            assert_eq!(key == other, text == other, "{text} and {other}");
        }
    }
}

/// A record asked in any order: the member after the one found last if it has the key, otherwise the first one of the
/// object that has it.
#[test]
fn a_record_finds_its_members_in_any_order() {
    let mut random = Random::new(3);
    let mut found = 0;
    for _ in 0..test_support::rounds(3_000) {
        let mut keys: Vec<String> = (0..random.below(12)).map(|_| made_up_key(&mut random)).collect();
        if random.one_in(2) {
            // With an escape a key that comes twice is found the first time alone.
            keys.retain(|key| !key.contains([':', '\\']));
        } else {
            keys.sort();
            keys.dedup();
        }
        let message = object(&keys);
        let mut record = Value::new(&message).unwrap().record().unwrap();
        let mut after = 0;
        for number in 0..30 {
            let in_order = keys.get(number).filter(|_| number < keys.len());
            let key = match in_order {
                Some(key) if !random.one_in(6) => key.clone(),
                _ if keys.is_empty() || random.one_in(4) => made_up_key(&mut random),
                _ => keys[random.below(keys.len())].clone(),
            };
            let next = keys.get(after).filter(|next| **next == key).map(|_| after);
            let expected = next.or_else(|| keys.iter().position(|other| *other == key));
            assert_eq!(place(record.get(&key)), expected, "{key:?} after {after} of {keys:?}");
            after = expected.map_or(after, |place| place + 1);
            if random.one_in(3) {
                let required = record.require(&key).map(|value| value.as_u64().unwrap() as usize);
                let next = keys.get(after).filter(|next| **next == key).map(|_| after);
                let expected = next.or_else(|| keys.iter().position(|other| *other == key));
                assert_eq!(required.as_ref().ok().copied(), expected);
                if let Err(error) = required {
                    assert_eq!(error.kind(), ErrorKind::Schema, "{error}");
                }
                after = expected.map_or(after, |place| place + 1);
            }
            found += usize::from(expected.is_some());
        }
    }
    assert!(found > test_support::rounds(30_000), "{found} found: records that try little");
}

/// The document and the pointers of RFC 6901, section 5.
#[test]
fn paths_are_json_pointers() {
    let inside = [
        &b"foo:"[..],
        &node('[', b"3sbar3sbaz"),
        b":1i0",
        b"a/b:1i1",
        b"c%d:1i2",
        b"e^f:1i3",
        b"g|h:1i4",
        br"i\\j:1i5",
        b"k\"l:1i6",
        b" :1i7",
        b"m~n:1i8",
    ];
    let message = node('{', &inside.concat());
    let value = Value::new(&message).unwrap();
    let at = |path: &str| value.find(path).unwrap();
    assert_eq!(at("").unwrap().offset(), value.offset());
    assert_eq!(at("/foo").unwrap().items().count(), 2);
    assert_eq!(at("/foo/0").unwrap().as_str(), Ok("bar"));
    for (path, number) in [
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ("/k\"l", 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ] {
        assert_eq!(at(path).unwrap().as_i64(), Ok(number), "{path}");
    }
    for nowhere in ["/foo/2", "/foo/-", "/foo/-1", "/foo/x", "/foo/", "/foo/0/0", "//", "/a", "/m~1n", "/fo", "/ /"] {
        assert!(at(nowhere).is_none(), "{nowhere}");
    }
    // A pointer begins with a slash.
    for nowhere in ["foo", "foo/0", "x", "0", " "] {
        assert!(at(nowhere).is_none(), "{nowhere}");
    }
}

/// Iterators that have met damage have ended.
#[test]
fn after_the_damage_there_is_nothing() {
    for (message, before) in [
        (&b"5[tux1t"[..], 2),
        (b"4[t9st", 1),
        (b"2[1i", 0),
        (b"2[c\xFF", 0),
        (b"7{a:tb:xc:t"[..].split_at(9).0, 1),
        (b"6{a:tnoc", 1),
        (br"7{a:t\x:t", 1),
        (b"8{a:t\xFF:tt:", 1),
    ] {
        let value = Value::new(message).unwrap();
        let mut items = value.items();
        let mut members = value.members();
        let mut next = || match value.kind() {
            Kind::Array => items.next().map(|item| item.map(|_| ())),
            _ => members.next().map(|member| member.map(|_| ())),
        };
        for _ in 0..before {
            assert_eq!(next(), Some(Ok(())), "{}", message.escape_ascii());
        }
        assert_eq!(next().unwrap().unwrap_err().kind(), ErrorKind::Syntax, "{}", message.escape_ascii());
        for _ in 0..3 {
            assert_eq!(next(), None, "{}", message.escape_ascii());
        }
    }
}

/// After an error a record starts again from the object: bytes of a value are never taken for a key.
#[test]
fn a_record_is_in_step_after_an_error() {
    let mut record = pon::Value::new(b"9{a:xoo:1i1").unwrap().record().unwrap();
    assert_eq!(record.get("a").unwrap_err().offset(), 4);
    assert_eq!(record.get("xoo").unwrap_err().offset(), 4);
    assert_eq!(record.require("xoo").unwrap_err().offset(), 4);
}

/// RFC 6901, section 4: no sign, no leading zero.
#[test]
fn indexes_are_written_in_one_way() {
    let array = pon::Value::new(b"6[1i71i8").unwrap();
    assert_eq!(array.find("/1").unwrap().unwrap().as_i64().unwrap(), 8);
    for path in ["/01", "/+1", "/1 ", "/", "/-", "/00"] {
        assert!(array.find(path).unwrap().is_none(), "{path}");
    }
}

//! What the fuzz targets of PON hold true of any bytes.

#[path = "../../../crates/pon/tests/support/mod.rs"]
mod support;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_bytes::ByteBuf;
use support::dynamic::Dynamic;
use support::hold::{Outcome, has_its_path, hold};
use support::{Data, Unit, tree};
use tam::{ErrorKind, Limits, Table, TypeSet};

/// Messages that the tests know.
pub fn pon_seeds() -> Vec<Vec<u8>> {
    support::samples::samples().into_iter().map(|sample| sample.message).collect()
}

/// PON is read as its twin reads it, whole or from the start of a buffer, into a document, by the
/// cursor and by serde; what was read is written to the letter.
pub fn pon_read(message: &[u8]) {
    let mut table = Table::new();
    hold(message, false, &mut table);
    hold(message, true, &mut table);
    let options = pon::Options::default().with_limits(Limits::NONE);
    if let Err(error) = pon::read(message, &options, &mut table) {
        has_its_path(&error, message);
    }
}

/// What was read as PON comes back by every other way: TSF, JSON as far as that goes, serde, and
/// look-ups of every member.
pub fn pon_round(message: &[u8]) {
    let mut table = Table::new();
    let options = pon::Options::default().with_limits(Limits::NONE);
    let Ok(document) = pon::read(message, &options, &mut table) else { return };
    let units = tree(&document);
    assert_eq!(pon::encoded_len(&document).ok(), Some(message.len()));
    let mut room = vec![0; message.len()];
    assert_eq!(pon::write_into(&document, &mut room).ok(), Some(message.len()));
    assert_eq!(room, message);
    let value = pon::OwnedValue::read(message, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(value.write().ok().as_deref(), Some(message));
    assert!(value.clone() == value);

    let tsf_options = tsf::Options::new(TypeSet::VALUE).with_limits(Limits::NONE);
    let through = tsf::write(&document, &tsf_options).unwrap_or_else(|error| panic!("{error}"));
    let mut other = Table::new();
    let again = tsf::read(&through, &tsf_options, &mut other).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(pon::write(&again).ok().as_deref(), Some(message));

    let json_options = text::json::Options::default().with_limits(Limits::NONE);
    let mut json = Vec::new();
    match text::json::append(&document, &json_options, &mut json) {
        Ok(()) => {
            let again = text::json::read(&json, &json_options, &mut other).unwrap_or_else(|error| panic!("{error}"));
            let expected: Vec<Unit> = units.iter().map(as_json).collect();
            assert!(same_numbers(tree(&again)) == same_numbers(expected), "{}", json.escape_ascii());
            let written = pon::write(&again).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(hold(&written, true, &mut Table::new()), Outcome::Read);
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            let word = |unit: &Unit| matches!(&unit.data, Data::Float(text) if text.ends_with(char::is_alphabetic));
            assert!(units.iter().any(word), "{error}");
        }
    }

    if let Ok(value) = pon::from_slice::<Dynamic>(message) {
        let written = pon::to_vec(&value).unwrap_or_else(|error| panic!("{error}"));
        let again: Dynamic = pon::from_slice(&written).unwrap_or_else(|error| panic!("{error}"));
        // NaN is not equal to itself, and what is written of it is.
        assert_eq!(pon::to_vec(&again).ok(), Some(written));
    }
    look_up(message);
}

/// The first of every key is found by each way of looking.
fn look_up(message: &[u8]) {
    let Ok(root) = pon::Value::new(message) else { return };
    let mut values = vec![root];
    while let Some(value) = values.pop() {
        let mut record = value.record().ok();
        let members: Vec<_> = value.members().flatten().collect();
        for (place, (key, member)) in members.iter().enumerate().take(200) {
            let text = key.to_cow();
            let first = members.iter().position(|(other, _)| other.chars().eq(key.chars()));
            let first = first.map(|place| members[place].1.offset());
            let offset = |found: Result<Option<pon::Value<'_>>, tam::Error>| found.ok().flatten().map(|v| v.offset());
            assert_eq!(offset(value.get(&text)), first);
            assert_eq!(offset(value.find(&format!("/{}", text.replace('~', "~0").replace('/', "~1")))), first);
            // In the order of the message a record finds each, but for those with escapes.
            let found = record.as_mut().map(|record| offset(record.get(&text)));
            if !members[..=place].iter().any(|(key, _)| key.has_escapes()) {
                assert_eq!(found, Some(Some(member.offset())));
            }
        }
        for (index, item) in value.items().flatten().enumerate().take(200) {
            assert_eq!(value.at(index).ok().flatten().map(|item| item.offset()), Some(item.offset()));
        }
        values.extend(value.items().flatten().chain(members.into_iter().map(|(_, member)| member)).take(200));
    }
}

/// What a value is in JSON.
fn as_json(unit: &Unit) -> Unit {
    let data = match &unit.data {
        Data::Binary(octets) => Data::String(base64(octets)),
        Data::Char(c) => Data::String(c.to_string()),
        Data::Byte(byte) => Data::Integer(byte.to_string()),
        other => other.clone(),
    };
    Unit { key: unit.key.clone(), data }
}

/// In JSON a float without fraction and exponent is an integer.
fn same_numbers(mut units: Vec<Unit>) -> Vec<Unit> {
    for unit in &mut units {
        if let Data::Integer(text) | Data::Float(text) = &mut unit.data {
            unit.data = Data::Float(std::mem::take(text));
        }
    }
    units
}

/// RFC 4648, section 4, three octets after the other.
fn base64(octets: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in octets.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, &octet| bits << 8 | u32::from(octet)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let six = ALPHABET[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place > three.len() { '=' } else { char::from(six) });
        }
    }
    text
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Plain {
    key1: String,
    key2: Option<String>,
    #[serde(default)]
    a: bool,
    #[serde(rename = "a:b", default)]
    odd: Vec<i64>,
    #[serde(default)]
    inner: Option<Box<Plain>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    Newtype(u8),
    Tuple(i32, char),
    Struct { a: Option<u64>, b: i128 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Any {
    Null,
    Flag(bool),
    Number(i64),
    Text(String),
    List(Vec<Any>),
    Octets(ByteBuf),
    Map(BTreeMap<String, Any>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name")]
enum Tagged {
    A {
        id: i64,
    },
    B,
    #[serde(untagged)]
    Other(BTreeMap<String, Any>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(default)]
    id: i64,
    #[serde(flatten)]
    others: BTreeMap<String, Any>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Lent<'m> {
    #[serde(borrow, default)]
    name: Cow<'m, str>,
    #[serde(borrow, default)]
    key1: Option<&'m str>,
    #[serde(with = "serde_bytes", default)]
    blob: &'m [u8],
}

/// Does without what it cannot read.
#[derive(Debug, PartialEq)]
struct Lenient<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<T>, D::Error> {
        Ok(Lenient(T::deserialize(deserializer).ok()))
    }
}

/// A message is read as types of every shape, or refused; a value that was read is written so that
/// it reads as the same.
pub fn pon_serde(message: &[u8]) {
    fn again<T: DeserializeOwned + Serialize + PartialEq + Debug>(message: &[u8]) -> bool {
        let value = match pon::from_slice::<T>(message) {
            Ok(value) => value,
            Err(error) => {
                assert!(error.offset() <= message.len() as u64 && error.format() == "pon", "{error}");
                assert!(!error.found().to_string().is_empty(), "{error}");
                return false;
            }
        };
        let written = pon::to_vec(&value).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        assert_eq!(pon::serialized_len(&value).ok(), Some(written.len()));
        assert_eq!(pon::from_slice::<T>(&written).ok().as_ref(), Some(&value), "{}", written.escape_ascii());
        assert_eq!(hold(&written, true, &mut Table::new()), Outcome::Read);
        true
    }
    again::<Plain>(message);
    again::<Shape>(message);
    // A stream gives what a slice does, and keeps what follows the message.
    let mut stream = message;
    let streamed = pon::from_reader::<Any>(&mut stream, &pon::Options::default().with_limits(Limits::NONE));
    match (pon::from_prefix::<Any>(message), streamed) {
        (Ok((one, len)), Ok(other)) => {
            assert_eq!((format!("{one:?}"), len), (format!("{other:?}"), message.len() - stream.len()));
        }
        // The head of a message of 4 GiB makes it too long.
        (Err(one), Err(other)) if one.needed().is_some_and(|needed| needed > 1 << 31) => {
            assert_eq!(one.format(), other.format())
        }
        (Err(one), Err(other)) => assert_eq!((one.kind(), one.offset()), (other.kind(), other.offset())),
        (one, other) => panic!("{one:?} {other:?}"),
    }
    again::<Vec<Shape>>(message);
    again::<Any>(message);
    again::<pon::OwnedValue>(message);
    again::<Tagged>(message);
    again::<Flat>(message);
    again::<(i64, Vec<u8>, String)>(message);
    again::<BTreeMap<String, Shape>>(message);
    if let Ok(lent) = pon::from_slice::<Lent<'_>>(message) {
        let all = message.as_ptr_range();
        for part in [lent.key1.unwrap_or("").as_bytes(), lent.blob] {
            assert!(part.is_empty() || all.contains(&part.as_ptr()));
        }
    }
    // As many as there are, whatever of them cannot be read.
    let count = pon::Value::new(message).ok().filter(|value| value.kind() == pon::Kind::Array);
    let count = count.map(|value| value.items().collect::<Result<Vec<_>, _>>());
    if let Some(Ok(items)) = count {
        let shapes = pon::from_slice::<Vec<Lenient<Shape>>>(message).unwrap_or_else(|error| panic!("{error}"));
        let plain = pon::from_slice::<Vec<Lenient<Plain>>>(message).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((shapes.len(), plain.len()), (items.len(), items.len()));
        for ((shape, plain), item) in shapes.iter().zip(&plain).zip(&items) {
            // An item alone is what it is among others.
            let start = item.offset();
            let node = rebuilt(*item);
            // Among others it is a level deeper, which there may be too many of.
            if node.iter().filter(|c| matches!(c, b'{' | b'[')).count() < 120 {
                assert_eq!(pon::from_slice::<Shape>(&node).ok(), shape.0, "at {start}");
                assert_eq!(pon::from_slice::<Plain>(&node).ok(), plain.0, "at {start}");
            }
        }
    }
}

/// A value as a message of its own.
fn rebuilt(value: pon::Value<'_>) -> Vec<u8> {
    let data = value.data();
    let tag = match value.kind() {
        pon::Kind::Null => return b"u".to_vec(),
        pon::Kind::Boolean => return data.to_vec(),
        pon::Kind::Char => return [b"c", data].concat(),
        pon::Kind::Byte => return [b"b", data].concat(),
        pon::Kind::Integer => 'i',
        pon::Kind::Float => 'd',
        pon::Kind::String => 's',
        pon::Kind::Binary => 'y',
        pon::Kind::Array => '[',
        pon::Kind::Object => '{',
    };
    [format!("{}{tag}", data.len()).as_bytes(), data].concat()
}

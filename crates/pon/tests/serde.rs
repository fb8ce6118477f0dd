//! Rust's own types by serde: the bytes the page on the format says, the same values back, and errors
//! that say where.
#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Mutex;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::{ByteBuf, Bytes};
use support::dynamic::{self, Dynamic};
use support::generate::{Random, spoiled, tree as made_up};
use support::samples::nested;
use support::{Data, twin};
use tam::{ErrorKind, Table};

/// A node that has a length, around parts that are counted here.
fn node(tag: char, parts: &[&[u8]]) -> Vec<u8> {
    let inside = parts.concat();
    [format!("{}{tag}", inside.len()).as_bytes(), &inside].concat()
}

fn shown(message: &[u8]) -> String {
    message.escape_ascii().to_string()
}

/// The value is this message, and the message this value.
fn is<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, message: impl AsRef<[u8]>) {
    writes(&value, message.as_ref());
    reads(message.as_ref(), value);
}

fn writes<T: Serialize + ?Sized>(value: &T, message: &[u8]) {
    assert_eq!(shown(&pon::to_vec(value).unwrap()), shown(message));
    assert_eq!(pon::serialized_len(value).unwrap(), message.len());
    let mut out = b"before".to_vec();
    pon::to_buffer(value, &mut out).unwrap();
    assert_eq!(shown(&out), shown(&[b"before", message].concat()));
    let mut table = Table::new();
    let document = pon::read(message, &pon::Options::default(), &mut table).unwrap();
    assert_eq!(shown(&pon::write(&document).unwrap()), shown(message));
}

fn reads<'m, T: Deserialize<'m> + PartialEq + Debug>(message: &'m [u8], value: T) {
    assert_eq!(pon::from_slice::<T>(message).as_ref(), Ok(&value), "{}", shown(message));
    assert_eq!(pon::from_prefix::<T>(message), Ok((value, message.len())), "{}", shown(message));
}

/// Reading a `T` from the message fails in these words.
fn refused<'m, T: Deserialize<'m>>(message: &'m [u8], words: &str) {
    let error = pon::from_slice::<T>(message).err().unwrap_or_else(|| panic!("read: {}", shown(message)));
    assert_eq!(error.to_string(), words, "{}", shown(message));
    assert_eq!(error.format(), "pon", "{error}");
}

/// Writing the value fails in these words, and leaves what was written before.
fn unwritten<T: Serialize + ?Sized>(value: &T, words: &str) {
    let error = pon::to_vec(value).unwrap_err();
    assert_eq!(error.to_string(), words);
    assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, "pon"), "{error}");
    let mut out = b"before".to_vec();
    assert_eq!(pon::to_buffer(value, &mut out).unwrap_err().to_string(), words);
    assert_eq!(out, b"before");
}

#[test]
fn scalars_are_the_types_of_the_table() {
    is(true, "t");
    is(false, "f");
    is(65_u8, "bA");
    is(0_u8, "b\0");
    is(-5_i8, "2i-5");
    is(49_u16, "2i49");
    is(-300_i16, "4i-300");
    is(u32::MAX, "10i4294967295");
    is(i32::MIN, "11i-2147483648");
    is(u64::MAX, "20i18446744073709551615");
    is(i64::MIN, "20i-9223372036854775808");
    is(i128::MIN, "40i-170141183460469231731687303715884105728");
    is(i128::MAX, "39i170141183460469231731687303715884105727");
    is(u128::MAX, "39i340282366920938463463374607431768211455");
    is(0_i64, "1i0");
    is(17.3_f64, "4d17.3");
    is(0.5_f32, "3d0.5");
    is('A', "cA");
    is('\u{1F98B}', "c\u{1F98B}");
    is("hello".to_owned(), "5shello");
    is(String::new(), "0s");
    is((), "u");
    is(ByteBuf::from(b"\x00\xFF\x80"), b"3y\x00\xFF\x80");
    is(ByteBuf::new(), "0y");
    is(None::<i32>, "u");
    is(Some(7), "1i7");
    for (power, digits) in (0..20).map(|power| (10_u64.pow(power), power + 1)) {
        is(power, format!("{digits}i{power}"));
        if power > 1 {
            is(power - 1, format!("{}i{}", digits - 1, power - 1));
        }
    }
    for len in [0, 9, 10, 99, 100, 999, 1000, 9999, 10_000] {
        is("x".repeat(len), format!("{len}s{}", "x".repeat(len)));
        is(vec![true; len], format!("{len}[{}", "t".repeat(len)));
    }
}

#[test]
fn floats_come_back_to_the_bit() {
    let mut random = Random::new(1);
    let known = [f64::MIN_POSITIVE, f64::MAX, f64::MIN, f64::EPSILON, 5e-324, -0.0, 1e16, 1e-7, 0.1 + 0.2, 1e300];
    for double in known.into_iter().chain((0..test_support::rounds(20_000)).map(|_| f64::from_bits(random.next()))) {
        let single = f32::from_bits((double.to_bits() >> 7) as u32);
        let message = pon::to_vec(&(double, single)).unwrap();
        // What is written is a float of the format.
        pon::read(&message, &pon::Options::default(), &mut Table::new()).unwrap();
        let (again, single_again) = pon::from_slice::<(f64, f32)>(&message).unwrap();
        assert!(again.to_bits() == double.to_bits() || again.is_nan() && double.is_nan(), "{double}");
        assert!(single_again.to_bits() == single.to_bits() || single_again.is_nan() && single.is_nan(), "{single}");
    }
    writes(&f64::NAN, b"3dNaN");
    writes(&f64::NEG_INFINITY, b"9d-Infinity");
    writes(&f32::INFINITY, b"8dInfinity");
    assert!(pon::from_slice::<f64>(b"3dNaN").unwrap().is_nan());
    reads(b"9d-Infinity", f32::NEG_INFINITY);
    // 2^24 + 1 + 2^-36 is above the middle of two floats of 32 bits, but the nearest double, which is
    // 2^24 + 1, is in it, and would go to the even one below.
    let text = "16777217.000000000014551915228366851806640625";
    reads(format!("{}d{text}", text.len()).as_bytes(), 16_777_218_f32);
    // What is beyond the largest is no number of the type.
    refused::<f64>(b"5d1e400", "schema at byte 2: found a number beyond the largest, expected a double");
    for message in [&b"4d1e39"[..], b"5d1e400", b"5d-1e99", b"40i1000000000000000000000000000000000000000"] {
        let error = pon::from_slice::<f32>(message).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema, "{error}");
        assert!(error.to_string().starts_with("schema at byte"), "{error}");
    }
}

/// What a type can be read from beside what it is written as.
#[test]
fn types_are_read_from_what_says_the_same() {
    reads(b"2i65", 65_u8);
    reads(b"bA", 65_i64);
    reads(b"bA", 65_u32);
    reads(b"b\x80", 128_i16);
    reads(b"bA", 65_i128);
    reads(b"2i49", 49.0_f64);
    reads(b"2i49", 49.0_f32);
    reads(b"2i-0", 0_i32);
    reads(b"20i18446744073709551615", 18_446_744_073_709_551_615_i128);
    reads(b"1sA", 'A');
    reads(b"cA", "A".to_owned());
    reads(b"5shello", ByteBuf::from(b"hello"));
    reads(b"7[bhbi1i3", [104_u8, 105, 3]);
    reads(b"7[bhbi1i3", vec![104_u8, 105, 3]);
    reads(b"2i49", Some(49));
    reads(b"2i49", Box::new(49));
    reads(b"4[1i7t", (7, true));
    reads(b"4[1i7t", Pair(7, true));
}

/// A byte of the paper is Java's Byte: its octet is a number in two's complement where a type of 8 bits with a sign asks.
#[test]
fn a_byte_has_a_sign_where_the_type_has_one() {
    for octet in 0..=255_u8 {
        let message = [b'b', octet];
        let signed = if octet < 128 { i32::from(octet) } else { i32::from(octet) - 256 };
        let value = pon::Value::new(&message).unwrap();
        assert_eq!(i32::from(pon::from_slice::<i8>(&message).unwrap()), signed);
        assert_eq!(i32::from(value.as_signed_byte().unwrap()), signed);
        assert_eq!(value.as_i64(), Ok(octet.into()));
        reads(&message, octet);
        reads(&message, i16::from(octet));
        // It is written as an integer, which every other type reads as the same number.
        is(octet.cast_signed(), format!("{}i{signed}", signed.to_string().len()));
        reads(&pon::to_vec(&octet.cast_signed()).unwrap(), signed);
    }
    reads(b"6[b\x80b\xFFb\x7F", [-128_i8, -1, 127]);
    assert!(pon::Value::new(b"2i-2").unwrap().as_signed_byte().is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    refused::<u8>(b"3i256", "schema at byte 2: found integer `256`, expected u8");
    refused::<i8>(b"3i128", "schema at byte 2: found integer `128`, expected i8");
    refused::<u32>(b"2i-1", "schema at byte 2: found integer `-1`, expected u32");
    refused::<u64>(
        b"20i18446744073709551616",
        "schema at byte 3: found integer `18446744073709551616` as i128, expected u64",
    );
    refused::<i128>(
        b"40i1701411834604692317316873037158841057280",
        "schema at byte 3: found another integer, expected an integer of 128 bits",
    );
    refused::<i32>(b"3d1.0", "schema at byte 2: found floating point `1.0`, expected i32");
    refused::<bool>(b"u", "schema at byte 1: found unit value, expected a boolean");
    refused::<bool>(b"1i1", "schema at byte 2: found integer `1`, expected a boolean");
    refused::<String>(b"2i49", "schema at byte 2: found integer `49`, expected a string");
    refused::<char>(b"2sAB", "schema at byte 2: found string \"AB\", expected a character");
    refused::<()>(b"t", "schema at byte 0: found boolean `true`, expected unit");
    refused::<f64>(b"3s1.0", "schema at byte 2: found string \"1.0\", expected f64");
    refused::<Vec<i32>>(b"0{", "schema at byte 2: found map, expected a sequence");
    refused::<HashMap<String, i32>>(b"0[", "schema at byte 2: found sequence, expected a map");
}

#[test]
fn damage_is_reported_where_it_is_read() {
    let integer = "expected an integer as JSON writes it";
    refused::<i32>(b"2i07", &format!("syntax at byte 2: found a leading zero, {integer}"));
    refused::<u64>(b"0i", &format!("syntax at byte 2: found the end of the number, {integer}"));
    refused::<i128>(b"1i-", &format!("syntax at byte 3: found the end of the number, {integer}"));
    refused::<f64>(
        b"2d5.",
        "syntax at byte 4: found the end of the number, expected a number as JSON writes it, or NaN",
    );
    refused::<String>(b"2sa\xFF", "syntax at byte 3: found byte 0xFF, expected a string in UTF-8");
    let node = "expected a length, or one of the types t f u c b";
    refused::<Vec<bool>>(b"3[ttx", &format!("syntax at byte 4 in /2: found 'x', {node}"));
    refused::<Vec<bool>>(
        b"5[t5[tt",
        "syntax at byte 3 in /1: found 4 bytes before the end of its container, expected 7 bytes or more for the node",
    );
    let more = "found the end of the input, expected 1 byte more of the message";
    refused::<bool>(b"", &format!("incomplete at byte 0: {more}"));
    refused::<Vec<bool>>(b"3[tt", &format!("incomplete at byte 4: {more}"));
    refused::<bool>(b"tt", "syntax at byte 1: found 't', expected the end of the message");
    let map = refused::<BTreeMap<String, bool>>;
    map(b"4{a:t", &format!("incomplete at byte 5: {more}"));
    map(b"5{a:tbc", "syntax at byte 5: found 2 bytes to the end of the object, expected a key and its ':'");
    map(
        b"5{a:tb:",
        "syntax at byte 7 in /b: found 0 bytes before the end of its container, expected 1 byte or more for the node",
    );
    map(b"3{\xFF:t", "syntax at byte 2: found byte 0xFF, expected a key in UTF-8");
    map(br"5{a\b:t", r"syntax at byte 4: found 'b', expected a ':' or a '\' after the '\' of a key");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Reading {
    room: String,
    ok: bool,
    t: f64,
    cal: Vec<i32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Station {
    name: Option<String>,
    readings: Vec<Reading>,
    place: (f32, f32),
    tags: BTreeMap<String, char>,
}

fn attic() -> Reading {
    Reading { room: "attic".into(), ok: true, t: 21.5, cal: vec![-1, 8] }
}

fn station() -> Station {
    let cellar = Reading { room: "cellar".into(), ok: false, t: 1.0, cal: vec![] };
    Station {
        name: None,
        readings: vec![attic(), cellar],
        place: (0.5, -2.0),
        tags: BTreeMap::from([("a:b".into(), 'x'), (String::new(), '\u{E9}')]),
    }
}

const ATTIC: &[u8] = b"37{room:5sattict:4d21.5ok:tcal:7[2i-11i8";

#[test]
fn structs_are_objects_of_their_fields() {
    let attic = node('{', &[b"room:5sattic", b"ok:t", b"t:4d21.5", b"cal:7[2i-11i8"]);
    assert_eq!(attic.len(), ATTIC.len());
    is(self::attic(), &attic);
    let cellar = node('{', &[b"room:6scellar", b"ok:f", b"t:3d1.0", b"cal:0["]);
    let readings = node('[', &[&attic, &cellar]);
    let tags = node('{', &[b":c\xC3\xA9", br"a\:b:cx"]);
    let place = b"place:11[3d0.54d-2.0";
    is(station(), node('{', &[b"name:u", b"readings:", &readings, place, b"tags:", &tags]));
}

#[test]
fn members_are_found_in_any_order_and_strangers_skipped() {
    reads(ATTIC, attic());
    reads(&node('{', &[b"cal:7[2i-11i8", b"t:4d21.5", b"ok:t", b"room:5sattic"]), attic());
    reads(&node('{', &[b"t:4d21.5", b"room:5sattic", b"cal:7[2i-11i8", b"ok:t"]), attic());
    // Of a stranger the head is looked at, and what it holds is not.
    let strange = [&b"x:4[zzzz"[..], b"ro:8{no colon", br"a\:b:u", b"ok2:2i+1", b"rooms:1s\xFF", b":f"];
    for at in 0..5 {
        let mut members = vec![&b"room:5sattic"[..], b"ok:t", b"t:4d21.5", b"cal:7[2i-11i8"];
        members.splice(at..at, strange);
        reads(&node('{', &members), attic());
    }
    refused::<Reading>(
        b"4{x:9t",
        "syntax at byte 5 in /x: found 't', expected a digit, or one of the types s i d y { [",
    );
}

#[test]
fn errors_in_members_have_their_path() {
    let missing = node('{', &[b"room:5sattic", b"ok:t", b"t:1d0"]);
    refused::<Reading>(&missing, "schema at byte 3: missing member 'cal'");
    let twice = node('{', &[b"room:1sa", b"ok:t", b"room:1sb", b"t:1d0", b"cal:0["]);
    refused::<Reading>(&twice, "schema at byte 3: found a second member 'room', expected each member once");
    let wrong = node('{', &[b"room:5sattic", b"ok:1i1", b"t:1d0", b"cal:0["]);
    // After `30{`, `room:5sattic`, `ok:` and `1i`.
    refused::<Reading>(&wrong, "schema at byte 20 in /ok: found integer `1`, expected a boolean");

    // After `NN{`, `readings:`, `NN[`, a whole reading, `NN{`, `room:1sx`, `ok:t`, `t:1d0`, `cal:`, `4[`, `1i7` and
    // `t`, which has no length.
    let second = node('{', &[b"room:1sx", b"ok:t", b"t:1d0", b"cal:", b"4[1i7t"]);
    let message = node('{', &[b"readings:", &node('[', &[ATTIC, &second])]);
    let place = 3 + 9 + 3 + ATTIC.len() + 3 + 8 + 4 + 5 + 4 + 2 + 3;
    let words = format!("schema at byte {place} in /readings/1/cal/1: found boolean `true`, expected i32");
    refused::<Station>(&message, &words);
    // The member that is missing is the second reading's.
    let message = node('{', &[b"readings:", &node('[', &[ATTIC, b"0{"])]);
    let place = 3 + 9 + 3 + ATTIC.len() + 2;
    let words = format!("schema at byte {place} in /readings/1: missing member 'room'");
    refused::<Station>(&message, &words);
    // Steps are escaped as in RFC 6901, and an empty key is one.
    let map = refused::<BTreeMap<String, BTreeMap<String, bool>>>;
    map(b"10{a/~:4{:1i1", "schema at byte 12 in /a~1~0/: found integer `1`, expected a boolean");
    map(b"2{:u", "schema at byte 4 in /: found unit value, expected a map");
    map(br"11{a\:b:4{\\:u", r"schema at byte 14 in /a:b/\: found unit value, expected a boolean");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Nothing;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Meters(f64);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Pair(i32, bool);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct NoMembers {}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Through {
    inner: Vec<u16>,
}

#[test]
fn structs_of_every_shape() {
    is(Nothing, "u");
    is(Meters(17.3), "4d17.3");
    is(Pair(7, true), "4[1i7t");
    is(NoMembers {}, "0{");
    is(Through { inner: vec![1, 2] }, "6[1i11i2");
    is(PhantomData::<i32>, "u");
    is((1, 'c', ((),)), "8[1i1cc1[u");
    is([1_u8, 2, 3], "6[b\x01b\x02b\x03");
    is([(); 0], "0[");
    is(vec![Some(1), None, Some(3)], "7[1i1u1i3");
    is(vec![vec![], vec![true], vec![false, true]], "9[0[1[t2[ft");
    reads(b"u", None::<Option<()>>);
}

#[test]
fn tuples_have_as_many_items_as_their_type() {
    refused::<(i32, bool)>(b"3[1i7", "schema at byte 2: found 1 item, expected a tuple of size 2");
    refused::<(i32, bool)>(b"0[", "schema at byte 2: found 0 items, expected a tuple of size 2");
    let more = "found more items than the type takes, expected no more of them";
    refused::<(i32, bool)>(b"5[1i7tt", &format!("schema at byte 2: {more}"));
    refused::<[bool; 2]>(b"3[ttt", &format!("schema at byte 2: {more}"));
    refused::<[bool; 0]>(b"1[t", &format!("schema at byte 2: {more}"));
    refused::<Pair>(b"3[1i7", "schema at byte 2: found 1 item, expected tuple struct Pair with 2 elements");
    refused::<Pair>(b"5[1i7tt", &format!("schema at byte 2: {more}"));
    refused::<Vec<(bool, bool)>>(b"5[3[ttt", &format!("schema at byte 4 in /0: {more}"));
    refused::<Vec<(bool, bool)>>(b"7[2[tt1[t", "schema at byte 8 in /1: found 1 item, expected a tuple of size 2");
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct {
        a: i32,
    },
    #[serde(rename = "odd:\\")]
    Odd(Vec<Shape>),
}

const SHAPES: &str = r"one of 'Unit', 'Newtype', 'Tuple', 'Struct', 'odd:\\'";

#[test]
fn enums_are_as_json_has_them() {
    is(Shape::Unit, "4sUnit");
    is(Shape::Newtype(7), "11{Newtype:1i7");
    is(Shape::Tuple(7, true), "12{Tuple:4[1i7t");
    is(Shape::Struct { a: 7 }, "14{Struct:5{a:1i7");
    let inner = node('[', &[b"4sUnit", b"11{Newtype:1i7", br"10{odd\:\\:0["]);
    is(Shape::Odd(vec![Shape::Unit, Shape::Newtype(7), Shape::Odd(vec![])]), node('{', &[br"odd\:\\:", &inner]));
    is(Some(Shape::Unit), "4sUnit");
    // As an object of one member a variant without data has null.
    reads(b"6{Unit:u", Shape::Unit);

    refused::<Shape>(b"4sNope", &format!("schema at byte 2: found the variant 'Nope', expected {SHAPES}"));
    refused::<Shape>(b"6{Nope:u", &format!("schema at byte 2: found the variant 'Nope', expected {SHAPES}"));
    refused::<Shape>(b"7sNewtype", "schema at byte 2: found unit variant, expected a variant with a value");
    refused::<Shape>(b"5sTuple", "schema at byte 2: found unit variant, expected a variant with an array");
    refused::<Shape>(b"6sStruct", "schema at byte 2: found unit variant, expected a variant with an object");
    let shape = "expected a variant: a string, or an object of one member";
    refused::<Shape>(b"0{", &format!("schema at byte 2: found an object, {shape}"));
    refused::<Shape>(b"2i49", &format!("schema at byte 2: found an integer, {shape}"));
    refused::<Shape>(b"1[t", &format!("schema at byte 2: found an array, {shape}"));
    refused::<Shape>(
        b"12{Unit:uUnit:u",
        "schema at byte 3: found more members than one variant, expected no more of them",
    );
    refused::<Shape>(b"9{Newtype:t", "schema at byte 10 in /Newtype: found boolean `true`, expected i32");
    refused::<Vec<Shape>>(
        b"18[4sUnit9{Newtype:tu",
        "schema at byte 19 in /1/Newtype: found boolean `true`, expected i32",
    );
}

/// Where the data of a variant is not what it must be: the path, and which type it was.
#[test]
fn errors_in_a_variant_s_data_have_its_path() {
    for (message, path, found) in [
        (&b"6{Unit:t"[..], "/Unit", "boolean `true`"),
        (b"11{Tuple:3[1i7", "/Tuple", "1 item"),
        (b"13{Tuple:5[1i7tt", "/Tuple", "more items than the type takes"),
        (b"12{Tuple:4[1i71", "/Tuple/1", "1 byte before the end of its container"),
        (b"9{Struct:0{", "/Struct", "missing member 'a'"),
        (b"12{Struct:3{a:t", "/Struct/a", "boolean `true`"),
        (br"18{odd\:\\:8[6{Unit:t", r"/odd:\/0/Unit", "boolean `true`"),
    ] {
        let error = pon::from_slice::<Shape>(message).unwrap_err();
        assert_eq!((error.path(), error.found().to_string()), (path, found.to_owned()), "{error}: {}", shown(message));
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Event {
    Login { user: String, at: u64 },
    Logout,
    Moved(Place),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    x: i32,
    y: i32,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A,
    B(u8),
    C(i32, bool),
    D { x: f64 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Any {
    Null,
    Flag(bool),
    Number(i64),
    Float(f64),
    Text(String),
    // Before octets, which are read from a list of them too.
    List(Vec<Any>),
    Binary(ByteBuf),
    Map(BTreeMap<String, Any>),
}

#[test]
fn enums_tagged_in_other_ways() {
    is(Event::Login { user: "ada".into(), at: 7 }, node('{', &[b"type:5sLogin", b"user:3sada", b"at:1i7"]));
    is(Event::Logout, node('{', &[b"type:6sLogout"]));
    is(Event::Moved(Place { x: 1, y: -1 }), node('{', &[b"type:5sMoved", b"x:1i1", b"y:2i-1"]));
    // Wherever the tag is.
    reads(&node('{', &[b"at:1i7", b"user:3sada", b"type:5sLogin"]), Event::Login { user: "ada".into(), at: 7 });
    reads(&node('{', &[b"y:2i-1", b"type:5sMoved", b"x:1i1"]), Event::Moved(Place { x: 1, y: -1 }));
    let error = pon::from_slice::<Vec<Event>>(&node('[', &[&node('{', &[b"user:3sada"])])).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Schema, "/0"), "{error}");

    is(Adjacent::A, "5{t:1sA");
    is(Adjacent::B(65), "9{t:1sBc:bA");
    is(Adjacent::C(7, true), "13{t:1sCc:4[1i7t");
    is(Adjacent::D { x: 0.5 }, "16{t:1sDc:7{x:3d0.5");
    reads(b"13{c:4[1i7tt:1sC", Adjacent::C(7, true));

    is(Any::Null, "u");
    is(Any::Flag(true), "t");
    is(Any::Number(-7), "2i-7");
    is(Any::Float(0.5), "3d0.5");
    is(Any::Text("x".into()), "1sx");
    is(Any::Binary(ByteBuf::from(b"\xFF")), b"1y\xFF");
    let list = Any::List(vec![Any::Null, Any::List(vec![]), Any::Text("y".into())]);
    is(Any::Map(BTreeMap::from([("a:b".into(), list), ("z".into(), Any::Flag(false))])), br"16{a\:b:6[u0[1syz:f");
    reads(b"bA", Any::Number(65));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    id: u64,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    others: BTreeMap<String, Any>,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Strict {
    #[serde(rename = "a:b")]
    colon: i32,
    #[serde(rename = "\\")]
    escape: i32,
    #[serde(rename = "")]
    empty: i32,
    #[serde(rename = "17")]
    numeral: i32,
    #[serde(default, alias = "an-alias", alias = "x:y", skip_serializing_if = "is_zero")]
    two_words: i32,
    #[serde(default)]
    maybe: Option<bool>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's attribute hands over a reference.
fn is_zero(value: &i32) -> bool {
    *value == 0
}

#[test]
fn attributes_of_serde_do_what_they_say() {
    let others = BTreeMap::from([("k:".into(), Any::Flag(true)), ("z".into(), Any::Null)]);
    let flat = Flat { id: 17, place: Place { x: 1, y: 2 }, others };
    is(flat, node('{', &[b"id:2i17", b"x:1i1", b"y:1i2", br"k\::t", b"z:u"]));

    let odd: [&[u8]; 4] = [br"a\:b:1i1", br"\\:1i2", b":1i3", b"17:1i4"];
    let strict = |two_words, maybe| Strict { colon: 1, escape: 2, empty: 3, numeral: 4, two_words, maybe };
    is(strict(0, None), node('{', &[&odd.concat(), b"maybe:u"]));
    is(strict(5, Some(true)), node('{', &[&odd.concat(), b"two-words:1i5", b"maybe:t"]));
    reads(&node('{', &[&odd.concat()]), strict(0, None));
    let mut backward = odd;
    backward.reverse();
    reads(&node('{', &[&backward.concat()]), strict(0, None));
    for alias in [&b"an-alias:1i5"[..], br"x\:y:1i5", b"two-words:1i5"] {
        for at in 0..=4 {
            let mut members = odd.to_vec();
            members.insert(at, alias);
            reads(&node('{', &members), strict(5, None));
        }
    }
    let names = r"one of 'a:b', '\\', '', '17', 'an-alias', 'two-words', 'x:y', 'maybe'";
    let stranger = node('{', &[&odd.concat(), br"a\\b:u"]);
    let error = pon::from_slice::<Strict>(&stranger).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Schema, r"/a\b"), "{error}");
    assert_eq!(error.found().to_string(), r"the member 'a\\b'");
    assert_eq!(error.offset(), (3 + odd.concat().len()) as u64, "where the key begins: {error}");
    let mut expected: Vec<_> =
        error.expected().to_string().trim_start_matches("one of ").split(", ").map(str::to_owned).collect();
    let mut known: Vec<_> = names.trim_start_matches("one of ").split(", ").map(str::to_owned).collect();
    expected.sort();
    known.sort();
    assert_eq!(expected, known);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Borrowed<'m> {
    name: &'m str,
    #[serde(with = "serde_bytes")]
    octets: &'m [u8],
    #[serde(borrow)]
    cow: Cow<'m, str>,
    bytes: &'m Bytes,
    list: Vec<&'m str>,
    #[serde(borrow)]
    map: BTreeMap<&'m str, Option<&'m str>>,
}

/// Whether a slice lies in the message.
fn inside(message: &[u8], slice: &[u8]) -> bool {
    let (all, part) = (message.as_ptr_range(), slice.as_ptr_range());
    all.start <= part.start && part.end <= all.end
}

#[test]
fn texts_and_octets_are_lent_by_the_message() {
    let message = node(
        '{',
        &[b"name:3sada", b"octets:2y\x00\xFF", b"cow:3scow", b"bytes:1y\x80", b"list:6[1sx1sy", b"map:8{k:1svn:u"],
    );
    let borrowed: Borrowed<'_> = pon::from_slice(&message).unwrap();
    assert_eq!(shown(&pon::to_vec(&borrowed).unwrap()), shown(&message));
    let Cow::Borrowed(cow) = borrowed.cow else { panic!("copied") };
    let (key, value) = borrowed.map.first_key_value().unwrap();
    for text in [borrowed.name, cow, borrowed.list[0], borrowed.list[1], key, value.unwrap()] {
        assert!(inside(&message, text.as_bytes()), "{text} is elsewhere");
    }
    assert!(inside(&message, borrowed.octets) && inside(&message, borrowed.bytes));
    // Octets of a string are octets too, and octets may be text.
    let message = b"5shello";
    assert!(inside(message, pon::from_slice::<&[u8]>(message).unwrap()));
    let message = b"5yhello";
    assert!(inside(message, pon::from_slice::<&str>(message).unwrap().as_bytes()));
    refused::<&str>(b"1y\xFF", "schema at byte 2: found byte array, expected a borrowed string");
    // An untagged enum keeps what it tries; that is lent too.
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<'m> {
        Flag(u32),
        Text(&'m str),
        Octets(&'m Bytes),
    }
    for message in [&b"2[ft"[..], b"1sx", b"1yx"] {
        match pon::from_slice(message) {
            Ok(Either::Text(text)) => assert!(inside(message, text.as_bytes())),
            Ok(Either::Octets(octets)) => assert!(inside(message, octets)),
            Ok(Either::Flag(number)) => panic!("{number}"),
            Err(error) => assert_eq!((error.kind(), message), (ErrorKind::Schema, &b"2[ft"[..]), "{error}"),
        }
    }
}

/// With an escape a key is not there in one piece.
#[test]
fn a_key_with_escapes_is_lent_by_nobody() {
    let message = node('{', &[b"a:1sx", br"b\:c:1sy"]);
    let words = r#"schema at byte 8 in /b:c: found string "b:c", expected a borrowed string"#;
    refused::<BTreeMap<&str, &str>>(&message, words);
    let owned = BTreeMap::from([("a".to_owned(), "x"), ("b:c".to_owned(), "y")]);
    reads(&message, owned);
    let cows: BTreeMap<Cow<'_, str>, &str> = pon::from_slice(&message).unwrap();
    assert_eq!(cows["b:c"], "y");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Room {
    Attic,
    #[serde(rename = "c:l")]
    Cellar,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Id(String);

#[test]
fn keys_of_maps_are_what_is_a_string_in_json() {
    is(BTreeMap::from([("b".to_owned(), 1), ("a".to_owned(), 2)]), "10{a:1i2b:1i1");
    is(BTreeMap::from([('x', true), (':', false), ('\u{E9}', true)]), "11{\\::fx:t\u{E9}:t");
    is(BTreeMap::from([(Room::Attic, true), (Room::Cellar, false)]), br"13{Attic:tc\:l:f");
    is(BTreeMap::from([(Id("7".into()), ())]), "3{7:u");
    is(BTreeMap::from([(Some("k".to_owned()), ())]), "3{k:u");
    is(BTreeMap::from([(Box::new("k".to_owned()), ())]), "3{k:u");
    is(HashMap::from([(String::new(), HashMap::from([("\\".to_owned(), 7_u8)]))]), b"8{:5{\\\\:b\x07");
}

struct Pairs<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Pairs<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

#[derive(Serialize)]
struct Deep<T> {
    a: Vec<BTreeMap<&'static str, T>>,
}

/// A value somewhere inside another, at the path `/a/1/k`.
fn deep<T>(value: T) -> Deep<T> {
    Deep { a: vec![BTreeMap::new(), BTreeMap::from([("k", value)])] }
}

/// The digits of an integer are a key, as for serde_json.
#[test]
fn integers_and_booleans_are_keys_by_their_text() {
    is(BTreeMap::from([(2_u32, true), (10, false)]), "7{2:t10:f");
    is(BTreeMap::from([(-1_i64, 7), (0, 8)]), "11{-1:1i70:1i8");
    is(BTreeMap::from([(7_u8, ()), (255, ())]), "8{7:u255:u");
    is(BTreeMap::from([(false, 1), (true, 2)]), "17{false:1i1true:1i2");
    is(BTreeMap::from([(i128::MIN, ()), (i128::MAX, ())]), format!("83{{{}:u{}:u", i128::MIN, i128::MAX));
    is(HashMap::from([(u128::MAX, 'x')]), format!("42{{{}:cx", u128::MAX));
    is(HashMap::from([(Some(7_i16), ())]), "3{7:u");
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    struct Id(u16);
    is(BTreeMap::from([(Id(1), BTreeMap::from([(Id(2), true)]))]), "7{1:3{2:t");
    // At the ends of every type, and in an error's path.
    macro_rules! ends {
        ($($type:ty)*) => {$(
            let map = BTreeMap::from([(<$type>::MIN, 1), (1, 2), (<$type>::MAX, 3)]);
            let json = serde_json::to_string(&map).unwrap();
            assert_eq!(serde_json::from_str::<BTreeMap<$type, i32>>(&json).unwrap(), map);
            let message = pon::to_vec(&map).unwrap();
            assert_eq!(pon::from_slice::<BTreeMap<$type, i32>>(&message).as_ref(), Ok(&map));
            assert_eq!(pon::from_slice::<BTreeMap<String, i32>>(&message).unwrap(), serde_json::from_str(&json).unwrap());
        )*};
    }
    ends! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }
    refused::<BTreeMap<u32, bool>>(b"7{10:2i17", "schema at byte 7 in /10: found integer `17`, expected a boolean");
    refused::<BTreeMap<u8, ()>>(b"5{256:u", "schema at byte 2 in /256: found integer `256`, expected u8");
    refused::<BTreeMap<u64, ()>>(b"4{-1:u", "schema at byte 2 in /-1: found integer `-1`, expected u64");
}

/// A key is found by its text, so an integer has one text; and a type has one value for each.
#[test]
fn integer_keys_have_one_spelling_and_come_once() {
    for (text, shown) in [
        ("01", "01"),
        ("+1", "+1"),
        ("-0", "-0"),
        ("", ""),
        ("1.0", "1.0"),
        ("1e3", "1e3"),
        (" 1", " 1"),
        ("0x1", "0x1"),
        ("\u{663}", "\u{663}"),
        ("one", "one"),
        (r"\:", ":"),
    ] {
        let message = node('{', &[text.as_bytes(), b":t"]);
        for error in [
            pon::from_slice::<BTreeMap<i64, bool>>(&message).unwrap_err(),
            pon::from_slice::<HashMap<u8, bool>>(&message).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Schema, 2), "{error}");
            assert_eq!(error.found().to_string(), format!("string {shown:?}"));
            assert_eq!(error.expected().to_string(), "an integer without leading zeros as a key");
        }
    }
    refused::<BTreeMap<bool, ()>>(
        b"3{1:u",
        "schema at byte 2 in /1: found string \"1\", expected true or false as a key",
    );
    refused::<BTreeMap<u32, u32>>(
        b"15{7:1i18:1i27:1i3",
        "schema at byte 13 in /7: found a second member '7', expected each member once",
    );
    refused::<BTreeMap<bool, ()>>(
        b"12{true:utrue:u",
        "schema at byte 9 in /true: found a second member 'true', expected each member once",
    );
    // Of strings the last one counts, as in serde_json, and another object has members of its own.
    reads(b"10{7:1i17:1i2", BTreeMap::from([("7".to_owned(), 2)]));
    reads(b"10[3{7:t3{7:t", vec![BTreeMap::from([(7, true)]); 2]);
}

#[test]
fn maps_with_integer_keys_come_back() {
    let mut random = Random::new(31);
    for _ in 0..test_support::rounds(2_000) {
        let signed: HashMap<i64, BTreeMap<u32, char>> = (0..random.below(9))
            .map(|_| {
                let inner = (0..random.below(4)).map(|_| (random.next() as u32 >> random.below(32), 'x')).collect();
                (random.next() as i64 >> random.below(64), inner)
            })
            .collect();
        assert_eq!(pon::from_slice(&pon::to_vec(&signed).unwrap()).as_ref(), Ok(&signed));
    }
}

#[test]
fn other_keys_are_refused_by_what_they_are() {
    fn refuses<K: Serialize>(key: K, found: &str) {
        let words = format!("found {found}, expected a string, an integer or a boolean as the key of a map");
        let map = Pairs(vec![(key, ())]);
        unwritten(&map, &format!("unsupported at byte 0: {words}"));
        unwritten(&deep(map), &format!("unsupported at byte 0 in /a/1/k: {words}"));
    }
    refuses(0.5_f32, "a float as a key");
    refuses(0.5_f64, "a float as a key");
    refuses(Bytes::new(b"k"), "binary data as a key");
    refuses((), "a unit as a key");
    refuses(Nothing, "a unit struct as a key");
    refuses(None::<&str>, "no key at all");
    refuses(vec!["k"], "a sequence as a key");
    refuses(("k", "l"), "a tuple as a key");
    refuses(Pair(1, true), "a tuple as a key");
    refuses(BTreeMap::from([("k", 1)]), "a map as a key");
    refuses(Place { x: 1, y: 2 }, "a struct as a key");
    refuses(Shape::Newtype(1), "a variant with data as a key");
    refuses(Shape::Tuple(1, true), "a variant with data as a key");
    refuses(Shape::Struct { a: 1 }, "a variant with data as a key");
    // They are not read either: the format has no way to say them.
    refused::<BTreeMap<(), bool>>(b"2{:t", "schema at byte 2 in /: found string \"\", expected unit");
}

/// What a value's own code refuses, where it is.
#[test]
fn errors_of_a_value_s_own_code_have_a_path() {
    struct Refuses;
    impl Serialize for Refuses {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("on strike"))
        }
    }
    impl<'de> Deserialize<'de> for Refuses {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Refuses, D::Error> {
            Err(serde::de::Error::custom("on strike"))
        }
    }
    let words = "found on strike, expected a value that can be written";
    unwritten(&Refuses, &format!("unsupported at byte 0: {words}"));
    unwritten(&deep((1, Refuses)), &format!("unsupported at byte 0 in /a/1/k/1: {words}"));
    #[derive(Serialize)]
    enum Holds {
        Newtype(Refuses),
        Tuple(i32, Refuses),
        Struct { x: Refuses },
    }
    unwritten(&deep(Holds::Newtype(Refuses)), &format!("unsupported at byte 0 in /a/1/k/Newtype: {words}"));
    unwritten(&deep(Holds::Tuple(1, Refuses)), &format!("unsupported at byte 0 in /a/1/k/Tuple/1: {words}"));
    unwritten(&deep(Holds::Struct { x: Refuses }), &format!("unsupported at byte 0 in /a/1/k/Struct/x: {words}"));
    unwritten(&Pairs(vec![("", Refuses)]), &format!("unsupported at byte 0 in /: {words}"));
    unwritten(&Pairs(vec![("a:/~", Refuses)]), &format!("unsupported at byte 0 in /a:~1~0: {words}"));

    let words = "found on strike, expected a value that the type takes";
    refused::<Refuses>(b"2i49", &format!("schema at byte 2: {words}"));
    refused::<Vec<BTreeMap<String, Refuses>>>(b"8[0{4{k:0s", &format!("schema at byte 10 in /1/k: {words}"));
}

/// Every value is walked twice, for the lengths and for the bytes. One that is not the same the
/// second time must not become a message that is none.
struct Fickle {
    first: Dynamic,
    second: Option<Dynamic>,
    walked: Cell<bool>,
}

impl Fickle {
    fn new(first: Dynamic, second: Option<Dynamic>) -> Fickle {
        Fickle { first, second, walked: Cell::new(false) }
    }
}

impl Serialize for Fickle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.walked.replace(true) {
            return self.first.serialize(serializer);
        }
        match &self.second {
            Some(second) => second.serialize(serializer),
            None => Err(serde::ser::Error::custom("gone")),
        }
    }
}

#[test]
fn a_value_that_changes_while_it_is_written_is_refused() {
    let value = |message: &[u8]| pon::from_slice::<Dynamic>(message).unwrap();
    let cases: [(&[u8], &[u8]); 10] = [
        // Longer, shorter, more of them, fewer of them.
        (b"1sa", b"2sab"),
        (b"2sab", b"1sa"),
        (b"1[t", b"2[tt"),
        (b"2[tt", b"1[t"),
        (b"0[", b"t"),
        // As long, but cut otherwise.
        (b"11[4[2saa3[1sb", b"11[3[1sb4[2saa"),
        (b"3[ttt", b"3[0[t"),
        (b"3[0[t", b"3[ttt"),
        (b"5[0[1[t", b"5[1[t0["),
        // As long before there was something to be escaped.
        (b"3{a:t", br"4{\::t"),
    ];
    let words = "unsupported at byte 0: found a value that changes while it is written, \
                 expected a value that serializes alike twice";
    for (first, second) in cases {
        let mut out = b"before".to_vec();
        let fickle = Fickle::new(value(first), Some(value(second)));
        let error = pon::to_buffer(&fickle, &mut out).map_err(|error| error.to_string());
        let shown = [first, second, &out].map(shown);
        assert_eq!((error, &*out), (Err(words.to_owned()), &b"before"[..]), "{shown:?}");
    }
    // Or its code fails when the first half is written.
    let mut out = b"before".to_vec();
    let gone = Fickle::new(value(b"1sa"), None);
    let error = pon::to_buffer(&("written", gone), &mut out).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "/1"), "{error}");
    assert_eq!(out, b"before");
}

/// Whatever a value changes to, what is written is a message of it, or nothing.
#[test]
fn whatever_a_value_changes_to_what_is_written_is_sound() {
    /// Small values, many of them as long as others.
    fn small(random: &mut Random, levels: usize) -> Dynamic {
        let kinds = if levels == 0 { 3 } else { 8 };
        match random.below(kinds) {
            0 => Dynamic::Boolean(true),
            1 => Dynamic::String("x".repeat(random.below(3)), false),
            2 => Dynamic::Byte(b'0'),
            3..=5 => Dynamic::Array((0..random.below(4)).map(|_| small(random, levels - 1)).collect()),
            _ => {
                let member = |random: &mut Random| {
                    let key = random.of(&["", "a", "0s", ":", "\\"]);
                    (key.to_owned(), small(random, levels - 1))
                };
                Dynamic::Object((0..random.below(3)).map(|_| member(random)).collect())
            }
        }
    }
    let mut random = Random::new(4);
    let (mut same_length, mut written) = (0, 0);
    for _ in 0..test_support::rounds(60_000) {
        let (first, second) = (small(&mut random, 3), small(&mut random, 3));
        let lengths = [&first, &second].map(|value| pon::serialized_len(value).unwrap());
        same_length += usize::from(lengths[0] == lengths[1]);
        let expected = pon::to_vec(&second).unwrap();
        match pon::to_vec(&Fickle::new(first.clone(), Some(second.clone()))) {
            Ok(message) => {
                assert_eq!(shown(&message), shown(&expected), "{first:?}");
                written += 1;
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}"),
        }
    }
    assert!(
        same_length > test_support::rounds(5_000) && written > test_support::rounds(500),
        "{same_length} as long, {written} written: values that try little"
    );
}

/// A type can try to read something else, and do without it when that fails.
#[test]
fn a_type_that_passes_over_an_error_gets_the_rest_right() {
    #[derive(Debug, PartialEq)]
    struct Lenient<T>(Option<T>);
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<T>, D::Error> {
            Ok(Lenient(T::deserialize(deserializer).ok()))
        }
    }
    fn gets<T: Debug + PartialEq + DeserializeOwned>(items: &[&[u8]], expected: Vec<Option<T>>) {
        reads(&node('[', items), expected.into_iter().map(Lenient).collect::<Vec<_>>());
    }
    gets(&[b"t", b"1i5", b"t", b"u", b"f"], vec![Some(true), None, Some(true), None, Some(false)]);
    // In what it does not take there is something that it would.
    gets(&[b"2[tf", b"t", b"3{k:t", b"f"], vec![None, Some(true), None, Some(false)]);
    gets(
        &[b"2[tt", b"3[tft", b"1[t", b"2[t1", b"3[t1i", b"2[ff"],
        vec![Some((true, true)), None, None, None, None, Some((false, false))],
    );
    let (place, wrong) = (b"10{x:1i1y:1i2", b"8{x:1i1y:t");
    gets(&[place, wrong, b"5{x:1i1", place], vec![Some(Place { x: 1, y: 2 }), None, None, Some(Place { x: 1, y: 2 })]);
    let map = node('{', &[b"a:", wrong, b"b:", place, b"c:1[x", b"d:", place]);
    let map: BTreeMap<String, Lenient<Place>> = pon::from_slice(&map).unwrap();
    let found: Vec<_> = map.iter().map(|(key, place)| (key.as_str(), place.0.is_some())).collect();
    assert_eq!(found, [("a", false), ("b", true), ("c", false), ("d", true)]);
    gets(
        &[b"9{Newtype:t", b"13{Tuple:5[1i7tt", b"4sUnit", b"7sNewtype", b"6{Unit:u"],
        vec![None, None, Some(Shape::Unit), None, Some(Shape::Unit)],
    );
    // However often: levels that are left are left.
    let mut items = vec![&b"5[3[1[u"[..]; 300];
    items.push(b"5[3[1[t");
    let mut expected = vec![None; 300];
    expected.push(Some(vec![vec![vec![true]]]));
    gets(&items, expected);
}

/// A visitor can pass over the error of a type that has not looked at its value.
#[test]
fn what_failed_without_a_look_is_passed_over() {
    struct Failing;
    impl<'de> Deserialize<'de> for Failing {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Failing, D::Error> {
            Err(serde::de::Error::custom("never"))
        }
    }
    struct Keys(Vec<String>, usize);
    impl<'de> Deserialize<'de> for Keys {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
            struct Patient;
            impl<'de> serde::de::Visitor<'de> for Patient {
                type Value = Keys;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("anything that holds")
                }

                fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                    let mut keys = Vec::new();
                    while let Some(key) = map.next_key::<String>()? {
                        keys.push(key);
                        assert!(map.next_value::<Failing>().is_err());
                    }
                    Ok(Keys(keys, 0))
                }

                fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Keys, A::Error> {
                    let mut failed = 0;
                    while !matches!(items.next_element::<Failing>(), Ok(None)) {
                        failed += 1;
                        assert!(failed < 10);
                    }
                    Ok(Keys(Vec::new(), failed))
                }
            }
            deserializer.deserialize_any(Patient)
        }
    }
    let Keys(keys, _) = pon::from_slice(&node('{', &[b"a:", b"3sq:t", b"b:", b"2sx:"])).unwrap();
    assert_eq!(keys, ["a", "b"]);
    let Keys(_, failed) = pon::from_slice(b"6[1i11i2").unwrap();
    assert_eq!(failed, 2);
    // What is no node cannot be passed over; what follows it is not made up.
    let Keys(_, failed) = pon::from_slice(b"5[9i1ut").unwrap();
    assert_eq!(failed, 1);
}

/// A type can take a value without looking at it.
#[test]
fn what_a_type_does_not_look_at_is_passed_over() {
    #[derive(Debug, PartialEq)]
    struct Blind;
    impl<'de> Deserialize<'de> for Blind {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Blind, D::Error> {
            Ok(Blind)
        }
    }
    reads(b"5shello", Blind);
    reads(b"1[x", Blind);
    reads(&node('[', &[b"5shello", b"1[x", b"u", b"cA"]), vec![Blind, Blind, Blind, Blind]);
    reads(&node('{', &[b"a:1[x", b"b:t"]), BTreeMap::from([("a".to_owned(), Blind), ("b".to_owned(), Blind)]));
    reads(&node('[', &[b"1[x", b"t"]), (Blind, true));
    #[derive(Debug, PartialEq, Deserialize)]
    enum Holds {
        Newtype(Blind),
    }
    reads(b"12{Newtype:2[xx", Holds::Newtype(Blind));
    reads(b"2[xx", Some(Blind));
    assert!(pon::from_slice::<(IgnoredAny, bool)>(b"4[1[xt").unwrap().1);
    // Its head must be one all the same.
    refused::<Vec<Blind>>(
        b"2[tx",
        "syntax at byte 3 in /1: found 'x', expected a length, or one of the types t f u c b",
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Nest {
    inner: Option<Box<Nest>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum List {
    End,
    Item(bool, Box<List>),
}

#[test]
fn a_type_that_holds_itself_is_read_to_128_levels() {
    let nest = |levels: usize| (1..levels).fold(Nest { inner: None }, |inner, _| Nest { inner: Some(Box::new(inner)) });
    for levels in [1, 2, 127, 128] {
        let value = nest(levels);
        reads(&pon::to_vec(&value).unwrap(), value);
    }
    for levels in [129, 200] {
        let error = pon::from_slice::<Nest>(&pon::to_vec(&nest(levels)).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(error.to_string().ends_with("found one more level, expected at most 128 (limit depth)"), "{error}");
        assert_eq!(error.path(), "/inner".repeat(128), "{error}");
    }
    // A variant with data is two containers.
    let list = |items: usize| (0..items).fold(List::End, |rest, _| List::Item(true, Box::new(rest)));
    reads(&pon::to_vec(&list(64)).unwrap(), list(64));
    let error = pon::from_slice::<List>(&pon::to_vec(&list(65)).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    // Width is no depth.
    let wide = vec![vec![vec![true]]; 1000];
    reads(&pon::to_vec(&wide).unwrap(), wide);
    assert_eq!(pon::from_slice::<Dynamic>(&nested(129, b"t")).unwrap_err().kind(), ErrorKind::Limit);
    pon::from_slice::<Dynamic>(&nested(128, b"t")).unwrap();
}

#[test]
fn made_up_values_come_back() {
    let mut random = Random::new(11);
    let mut number = 0;
    while number < test_support::rounds(5_000) {
        let mut units = made_up(&mut random, 40);
        for unit in &mut units {
            match &mut unit.data {
                // A number is what it is worth, not its text.
                Data::Float(text) if text.parse::<f64>().is_ok_and(f64::is_finite) => *text = "0.5".into(),
                Data::Float(text) => *text = "Infinity".into(),
                Data::Integer(text) => *text = text.parse::<i128>().unwrap_or(i128::MIN).to_string(),
                _ => {}
            }
        }
        let message = twin::write(&units);
        let value: Dynamic = pon::from_slice(&message).unwrap();
        assert!(dynamic::is(&value, &mut units.iter()), "{value:?}: {}", shown(&message));
        assert_eq!(shown(&pon::to_vec(&value).unwrap()), shown(&message));
        number += 1;
    }
}

/// A JSON value of serde_json's.
fn json(random: &mut Random, levels: usize) -> serde_json::Value {
    use serde_json::Value;
    let scalars = 6;
    match random.below(if levels == 0 { scalars } else { scalars + 4 }) {
        0 => Value::Null,
        1 => Value::Bool(random.one_in(2)),
        2 => Value::from(random.next() as i64 >> random.below(64)),
        3 => Value::from(random.next()),
        4 => Value::from((random.next() as i32 >> random.below(32)) as f64 / 64.0),
        5 => Value::from(support::generate::key(random)),
        6 | 7 => (0..random.below(5)).map(|_| json(random, levels - 1)).collect(),
        _ => {
            let members = (0..random.below(5)).map(|_| (support::generate::key(random), json(random, levels - 1)));
            Value::Object(members.collect())
        }
    }
}

#[test]
fn values_of_serde_json_come_back() {
    let mut random = Random::new(12);
    for _ in 0..test_support::rounds(5_000) {
        let value = json(&mut random, 4);
        let message = pon::to_vec(&value).unwrap();
        assert_eq!(pon::from_slice::<serde_json::Value>(&message).unwrap(), value, "{}", shown(&message));
        // What JSON text says by way of a document is the same value.
        let mut table = Table::new();
        let text = serde_json::to_vec(&value).unwrap();
        let document = text::json::read(&text, &text::json::Options::default(), &mut table).unwrap();
        let message = pon::write(&document).unwrap();
        assert_eq!(pon::from_slice::<serde_json::Value>(&message).unwrap(), value, "{}", shown(&message));
    }
}

#[derive(Debug, PartialEq, Deserialize)]
struct Known {
    id: u32,
    name: String,
    #[serde(rename = "a:b")]
    odd: Option<bool>,
    #[serde(default)]
    list: Vec<i64>,
    #[serde(alias = "other", default)]
    inner: Option<Box<Known>>,
    shape: Option<Shape>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Denies {
    id: u32,
    name: Option<String>,
    #[serde(default)]
    list: Vec<i64>,
}

/// Members in any order, missing, double, unknown and of another type: serde_json takes the same
/// objects for the same values.
#[test]
fn structs_are_read_as_serde_json_reads_them() {
    fn object(random: &mut Random, levels: usize, strangers: bool) -> String {
        const KEYS: [&str; 9] = ["id", "name", "a:b", "list", "inner", "other", "shape", "ide", ""];
        let mut members: Vec<String> = Vec::new();
        let mut keys: Vec<&str> = Vec::new();
        for key in KEYS {
            // Some without one or the other, some twice, and in any order.
            let times = random.of(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 2]);
            let times = if matches!(key, "id" | "name") && !random.one_in(12) { 1 } else { times };
            let known_alone = !strangers && !matches!(key, "id" | "name" | "list");
            for _ in 0..if known_alone { 0 } else { times } {
                keys.insert(random.below(keys.len() + 1), key);
            }
        }
        for key in keys {
            let value = match key {
                _ if random.one_in(60) => {
                    random.of(&["null", "7", "\"x\"", "[]", "{}", "[1, true]", "-0.5"]).to_owned()
                }
                "id" => (random.next() >> random.of(&[31, 32, 40, 60])).to_string(),
                "name" => random.of(&["\"ada\"", "\"\"", "\"\u{E9}\\n\""]).to_owned(),
                "a:b" => random.of(&["true", "false", "null"]).to_owned(),
                "list" => random.of(&["[]", "[1, -2]", "[1.5]", "[9223372036854775808]"]).to_owned(),
                "inner" | "other" if levels > 0 && !random.one_in(3) => object(random, levels - 1, true),
                "shape" => random
                    .of(&[
                        "\"Unit\"",
                        "{\"Newtype\": 1}",
                        "{\"Tuple\": [1, true]}",
                        "{\"Tuple\": [1]}",
                        "{\"Struct\": {\"a\": 1, \"b\": 2}}",
                        "{\"odd:\\\\\": [\"Unit\"]}",
                        "\"None\"",
                        "{}",
                    ])
                    .to_owned(),
                _ => "null".to_owned(),
            };
            members.push(format!("\"{key}\": {value}"));
        }
        format!("{{{}}}", members.join(", "))
    }
    fn alike<T: DeserializeOwned + PartialEq + Debug>(text: &str) -> bool {
        let mut table = Table::new();
        let document = text::json::read(text.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
        let message = pon::write(&document).unwrap();
        let (ours, theirs) = (pon::from_slice::<T>(&message), serde_json::from_str::<T>(text));
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{text}"),
            (Err(ours), Err(_)) => assert_eq!(ours.kind(), ErrorKind::Schema, "{ours}: {text}"),
            _ => panic!("{ours:?} {theirs:?}: {text}"),
        }
        ours.is_ok()
    }
    let mut random = Random::new(13);
    let mut taken = [0; 2];
    for _ in 0..test_support::rounds(8_000) {
        let strangers = !random.one_in(3);
        let text = object(&mut random, 2, strangers);
        taken[0] += usize::from(alike::<Known>(&text));
        taken[1] += usize::from(alike::<Denies>(&text));
        alike::<Vec<Known>>(&format!("[{text}, {text}]"));
        alike::<HashMap<String, serde_json::Value>>(&text);
    }
    let enough = |of| test_support::rounds(of);
    assert!(taken[0] > enough(800) && taken[1] > enough(100), "{taken:?} taken: objects that try little");
}

/// The names of a struct are what its keys are expected to be; whatever they are, a key is what the
/// message says.
#[test]
fn keys_are_what_they_are_whatever_names_are_expected() {
    struct Keys(&'static [&'static str]);
    impl<'de> serde::de::DeserializeSeed<'de> for Keys {
        type Value = Vec<(String, u64)>;
        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
            deserializer.deserialize_struct("Made", self.0, self)
        }
    }
    impl<'de> serde::de::Visitor<'de> for Keys {
        type Value = Vec<(String, u64)>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("members")
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(member) = members.next_entry()? {
                all.push(member);
            }
            Ok(all)
        }
    }
    // Names are there for good; kept like this they are no leak to those who look for leaks.
    static KEPT: Mutex<Vec<&[&str]>> = Mutex::new(Vec::new());
    thread_local! {
        static NAMES: Cell<&'static [&'static str]> = const { Cell::new(&[]) };
    }
    struct Made(Vec<(String, u64)>);
    impl<'de> Deserialize<'de> for Made {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Made, D::Error> {
            serde::de::DeserializeSeed::deserialize(Keys(NAMES.get()), deserializer).map(Made)
        }
    }
    /// A key that differs from another a little, or not at all.
    fn near(random: &mut Random, key: &str) -> String {
        let mut chars: Vec<char> = key.chars().collect();
        let at = random.below(chars.len() + 1);
        match random.below(8) {
            0 => chars.insert(at, random.of(&['k', ':', '\\', '\u{E9}', '0'])),
            1 if at < chars.len() => drop(chars.remove(at)),
            2 if at < chars.len() => chars[at] = random.of(&['K', ':', '\\', '\u{E9}', '\0']),
            _ => {}
        }
        chars.into_iter().collect()
    }
    let mut random = Random::new(15);
    for _ in 0..test_support::rounds(4_000) {
        let mut names: Vec<&'static str> = Vec::new();
        for _ in 0..random.below(6) {
            let name = match random.below(3) {
                0 => support::generate::key(&mut random),
                1 => "k".repeat(random.below(40)),
                _ => near(&mut random, names.last().unwrap_or(&"key")),
            };
            names.push(name.leak());
        }
        let leaked: &'static [&'static str] = names.clone().leak();
        KEPT.lock().unwrap().push(leaked);
        NAMES.set(leaked);
        let mut keys: Vec<String> = Vec::new();
        for place in 0..random.below(9) {
            let name = names.get(place).filter(|_| !random.one_in(4)).or(names.first()).unwrap_or(&"k");
            keys.push(near(&mut random, name));
        }
        let members = keys.iter().zip(0..).map(|(key, value)| (key.clone(), value));
        let members: Vec<(String, u64)> = members.collect();
        let message = pon::to_vec(&Pairs(members.clone())).unwrap();
        let read = pon::from_slice::<Made>(&message).unwrap();
        assert_eq!(read.0, members, "{names:?}: {}", shown(&message));
    }
}

/// No message, however damaged, does more harm to a type than an error.
#[test]
fn spoiled_messages_are_values_or_errors() {
    let messages = [
        pon::to_vec(&station()).unwrap(),
        pon::to_vec(&[Shape::Unit, Shape::Tuple(1, true), Shape::Odd(vec![Shape::Struct { a: 1 }])]).unwrap(),
        node('[', &[&node('{', &[b"type:5sLogin", b"user:3sada", b"at:1i7"]), b"17{type:5sMovedx:1i1"]),
        node('{', &[br"a\:b:1i1", br"\\:1i2", b":1i3", b"17:1i4", b"maybe:t"]),
    ];
    let mut random = Random::new(14);
    let mut taken = 0;
    for number in 0..test_support::rounds(40_000) {
        let message = &messages[number % messages.len()];
        let (units, _) = twin::read(message, true).unwrap();
        let message = spoiled(&mut random, &units, message, ATTIC);
        let mut check = |read: Result<(), tam::Error>| match read {
            Ok(()) => taken += 1,
            Err(error) => assert!(error.offset() <= message.len() as u64 && error.format() == "pon", "{error}"),
        };
        match number % 4 {
            0 => check(pon::from_slice::<Station>(&message).map(|_| ())),
            1 => check(pon::from_slice::<Vec<Shape>>(&message).map(|_| ())),
            2 => check(pon::from_slice::<Vec<Event>>(&message).map(|_| ())),
            _ => check(pon::from_slice::<Strict>(&message).map(|_| ())),
        }
        check(pon::from_slice::<Any>(&message).map(|_| ()));
        check(pon::from_prefix::<(IgnoredAny, IgnoredAny)>(&message).map(|_| ()));
    }
    assert!(taken > test_support::rounds(1_000), "{taken} taken: damage that tries little");
}

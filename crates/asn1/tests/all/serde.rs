//! Values into Rust's own types and back: what their JSON says, and errors with the path of the value.
#![cfg(feature = "serde")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::jer_support::{MODULE, Made, text_of, uper_of};
use crate::serde_support::{Batch, Tree};
use asn1::{Compiled, Options, Values, from_value, jer, to_value};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use tam::{ErrorKind, Limits, Table};
use test_support::Random;
use text::json;

/// Values of the types of a module, by their JSON.
struct Module(Compiled);

impl Module {
    fn new(types: &str) -> Module {
        Module(Compiled::from_notation(&format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END")).unwrap())
    }

    fn read<T: DeserializeOwned>(&self, name: &str, text: &str) -> Result<T, tam::Error> {
        let mut table = Table::new();
        let options = json::Options::default().with_types(json::Types::Value).with_limits(Limits::NONE);
        let document = json::read(text.as_bytes(), &options, &mut table).unwrap();
        let mut values = Values::new();
        let node = self.0.find(name).unwrap();
        from_value(jer::read(&document, &self.0, node, &Limits::NONE, &mut values).unwrap())
    }

    /// The JSON of a value of a Rust type.
    fn written<T: Serialize>(&self, name: &str, value: T) -> Result<String, tam::Error> {
        let mut values = Values::new();
        text_of(to_value(&value, &self.0, self.0.find(name).unwrap(), &Limits::default(), &mut values)?)
    }

    fn unwritten<T: Serialize>(&self, name: &str, value: T) -> String {
        self.written(name, value).unwrap_err().to_string()
    }

    fn refused<T: DeserializeOwned + Debug>(&self, name: &str, text: &str) -> String {
        self.read::<T>(name, text).unwrap_err().to_string()
    }
}

#[test]
fn values_are_what_their_json_says() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(21);
    let (mut same, mut written, mut unknown) = (0, 0, 0);
    for _ in 0..test_support::rounds(800) {
        let mut message = uper_of(&types, ty, &Made::value(&types, ty, &mut random)).unwrap();
        for round in 0..4 {
            // Spoiled messages have values that no one writes.
            if round > 0 {
                let at = random.below(message.len());
                message[at] ^= 1 << random.below(8);
            }
            let mut values = Values::new();
            let Ok(value) = asn1::read(&message, &types, ty, &Options::uper(), &mut values) else { continue };
            match text_of(value) {
                Ok(text) => match serde_json::from_str::<Batch>(&text) {
                    Ok(expected) => {
                        let batch = from_value::<Batch>(value).unwrap();
                        assert_eq!(batch, expected, "{text}");
                        let mut others = Values::new();
                        let made = to_value(&batch, &types, ty, &Limits::NONE, &mut others).unwrap();
                        assert_eq!(from_value::<Batch>(made).unwrap(), batch, "{text}");
                        // A decimal number has become a double.
                        if !text.contains("base10Value") {
                            // DER leaves out values that are the default.
                            let der = |value| asn1::write(value, &Options::der()).unwrap();
                            assert_eq!(der(made), der(value), "{text}");
                            written += 1;
                        }
                        same += 1;
                    }
                    Err(error) => {
                        let ours = from_value::<Batch>(value).unwrap_err();
                        assert_eq!(ours.kind(), ErrorKind::Schema, "{error}: {ours}: {text}");
                    }
                },
                Err(_) => {
                    let error = from_value::<Batch>(value).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
                    unknown += 1;
                }
            }
        }
    }
    assert!(same > test_support::rounds(1000), "{same}");
    assert!(written > same / 2, "{written}");
    assert!(unknown > test_support::rounds(5), "{unknown}");
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weather<'m> {
    station: WeatherStation<'m>,
    since: &'m str,
    readings: Vec<Reading<'m>>,
    note: Option<&'m str>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct WeatherStation<'m> {
    id: u32,
    name: &'m str,
    place: BTreeMap<&'m str, i32>,
    kind: Kind,
    network: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Synoptic,
    Buoy,
    #[serde(other)]
    Other,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading<'m> {
    minute: u16,
    celsius: Option<i16>,
    percent: Option<u8>,
    #[serde(rename = "hPa")]
    pressure: u16,
    wind: Wind,
    rain: u16,
    sky: [bool; 4],
    #[serde(with = "serde_bytes", borrow, default)]
    picture: Option<&'m [u8]>,
    lux: Option<u32>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Wind {
    Calm,
    Steady { from: u16, speed: u16 },
    Gusts(Gusts),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Gusts {
    from: u16,
    speed: u16,
    most: u16,
}

/// The sample of the README, by structs as a program has them.
#[test]
fn the_sample_is_read_into_structs_that_borrow_from_the_message() {
    let types = Compiled::from_notation(include_str!("../../../../samples/weather.asn1")).unwrap();
    let ty = types.find("Batch").unwrap();
    let message = {
        let (mut table, mut values) = (Table::new(), Values::new());
        let text = include_bytes!("../../../../samples/weather.json");
        let document = json::read(text, &json::Options::default().with_types(json::Types::Value), &mut table).unwrap();
        let value = jer::read(&document, &types, ty, &Limits::default(), &mut values).unwrap();
        asn1::write(value, &Options::ber()).unwrap()
    };
    let mut values = Values::new();
    let value = asn1::read(&message, &types, ty, &Options::ber(), &mut values).unwrap();
    let weather: Weather<'_> = from_value(value).unwrap();
    assert_eq!((weather.station.id, weather.station.name), (10091, "Kap Arkona"));
    assert_eq!(weather.station.place, BTreeMap::from([("latitude", 5467900), ("longitude", 1343400), ("metres", 42)]));
    assert_eq!((weather.station.kind, weather.station.network.as_deref()), (Kind::Synoptic, Some("2.999.20.1")));
    assert_eq!(weather.since, "20250301060000Z");
    assert_eq!(weather.note, Some("Anemometer de-iced at 06:31 – gusts since then"));
    assert_eq!(weather.readings.len(), 8);
    let first = Reading {
        minute: 360,
        celsius: Some(-14),
        percent: Some(93),
        pressure: 10182,
        wind: Wind::Calm,
        rain: 0,
        sky: [false, false, true, false],
        picture: None,
        lux: None,
    };
    assert_eq!(weather.readings[0], first);
    let seventh = &weather.readings[6];
    assert_eq!(seventh.wind, Wind::Gusts(Gusts { from: 95, speed: 74, most: 141 }));
    assert_eq!((seventh.rain, seventh.sky, seventh.lux), (11, [true, false, false, true], Some(1740)));
    assert_eq!(seventh.picture.unwrap()[..4], [0xFF, 0xD8, 0xFF, 0xE0]);
    assert_eq!((weather.readings[3].celsius, &weather.readings[3].wind), (None, &Wind::Steady { from: 85, speed: 47 }));
    let within = |bytes: &[u8]| message.as_ptr_range().contains(&bytes.as_ptr());
    assert!(within(weather.note.unwrap().as_bytes()) && within(seventh.picture.unwrap()));
}

#[test]
fn integers_of_any_size_go_where_they_fit() {
    let module = Module::new("N ::= INTEGER  L ::= SEQUENCE OF INTEGER");
    assert_eq!(module.read::<u64>("N", "18446744073709551615").unwrap(), u64::MAX);
    assert_eq!(module.read::<i64>("N", "-9223372036854775808").unwrap(), i64::MIN);
    assert_eq!(module.read::<i128>("N", "-170141183460469231731687303715884105728").unwrap(), i128::MIN);
    assert_eq!(module.read::<u128>("N", "340282366920938463463374607431768211455").unwrap(), u128::MAX);
    assert_eq!(module.read::<f64>("N", "-7").unwrap(), -7.0);
    let longer = "340282366920938463463374607431768211456";
    for text in ["-7", "18446744073709551615", longer] {
        assert_eq!(module.read::<String>("N", text).unwrap(), text);
    }
    assert_eq!(
        module.refused::<u128>("N", longer),
        "schema at byte 0: found a number of more than 128 bits, expected an INTEGER of 128 bits, or a type that takes text"
    );
    assert_eq!(module.refused::<u8>("N", "256"), "schema at byte 0: found integer `256`, expected u8");
    // Both kinds of columns.
    assert_eq!(module.read::<Vec<i16>>("L", "[1,-2,3]").unwrap(), [1, -2, 3]);
    assert_eq!(module.read::<Vec<u64>>("L", "[1,18446744073709551615]").unwrap(), [1, u64::MAX]);
    assert_eq!(module.read::<Vec<Option<f32>>>("L", "[1,2]").unwrap(), [Some(1.0), Some(2.0)]);
    assert_eq!(module.refused::<Vec<u8>>("L", "[1,2,-3]"), "schema at byte 0 in /2: found integer `-3`, expected u8");
    assert_eq!(module.refused::<(u8, u8)>("L", "[1,2,3]"), "schema at byte 0: found 3 items, expected 2 items");
}

#[test]
fn a_choice_of_strings_is_a_string_where_one_is_asked_for() {
    let module = Module::new("D ::= CHOICE { day DATE, other VisibleString }  C ::= CHOICE { day DATE, none NULL }");
    assert_eq!(module.read::<String>("D", r#"{"day":"2025-03-01"}"#).unwrap(), "2025-03-01");
    assert_eq!(module.read::<String>("D", r#"{"other":"soon"}"#).unwrap(), "soon");
    assert_eq!(
        module.refused::<String>("C", r#"{"day":"2025-03-01"}"#),
        "schema at byte 0: found map, expected a string"
    );
}

#[derive(Debug, PartialEq, Deserialize)]
struct Price(i128, i32);

#[test]
fn decimals_are_exact() {
    let module = Module::new(
        "R ::= REAL  D ::= REAL (0 | WITH COMPONENTS { ..., base (10) })  L ::= SEQUENCE OF REAL  P ::= SEQUENCE OF D",
    );
    let exact = [
        ("133.56", "133.56", Price(13356, -2)),
        ("-1000", "-1000", Price(-1, 3)),
        ("0", "0", Price(0, 0)),
        ("0.1", "0.1", Price(1, -1)),
        (
            "12345678901234567890123456789.5",
            "12345678901234567890123456789.5",
            Price(123456789012345678901234567895, -1),
        ),
    ];
    for (text, digits, price) in exact {
        assert_eq!(module.read::<String>("D", text).unwrap(), digits);
        assert_eq!(module.read::<Price>("D", text).unwrap(), price);
        assert_eq!(module.read::<f64>("D", text).unwrap(), text.parse::<f64>().unwrap());
        assert_eq!(module.read::<f32>("D", text).unwrap(), text.parse::<f32>().unwrap());
    }
    assert_eq!(module.read::<Vec<(i64, i64)>>("P", "[4.90,11.5]").unwrap(), [(49, -1), (115, -1)]);
    // A double is what it is: 0.1 is not a tenth.
    assert_eq!(module.read::<Price>("R", "-12.5").unwrap(), Price(-125, -1));
    assert_eq!(
        module.refused::<Price>("R", "0.1"),
        "schema at byte 0: found 0.1, expected a decimal number whose digits fit in 128 bits"
    );
    assert_eq!(module.read::<Vec<f64>>("L", r#"[0.1,"INF",-2]"#).unwrap(), [0.1, f64::INFINITY, -2.0]);
    assert_eq!(module.read::<Vec<f32>>("L", "[0.1,3]").unwrap(), [0.1, 3.0]);
    assert_eq!(module.read::<Vec<String>>("L", r#"["-INF","NaN","-0",0.5]"#).unwrap(), ["-INF", "NaN", "-0", "0.5"]);
    assert_eq!(
        module.refused::<Vec<f32>>("L", "[1,1e300]"),
        format!("schema at byte 0 in /1: found 1{}, expected a REAL in the range of 32 bits", "0".repeat(300))
    );
    // A long exponent is not expanded.
    let long = r#"{"base10Value":"-7.E19999"}"#;
    assert_eq!(module.read::<String>("R", long).unwrap(), "-7.E19999");
    assert_eq!(module.read::<Price>("R", long).unwrap(), Price(-7, 19999));
    assert_eq!(
        module.refused::<f64>("R", long),
        "schema at byte 0: found -7.E19999, expected a REAL in the range of 64 bits"
    );
    assert_eq!(module.refused::<i64>("R", "1.5"), "schema at byte 0: found floating point `1.5`, expected i64");
    assert_eq!(
        module.refused::<Price>("R", r#""NaN""#).split(": ").nth(1).unwrap().split(',').next(),
        Some("found NaN")
    );
}

#[test]
fn octets_and_bits_are_taken_as_bytes_and_one_by_one() {
    let module = Module::new("O ::= OCTET STRING  B ::= BIT STRING  F ::= BIT STRING (SIZE (5))");
    assert_eq!(module.read::<serde_bytes::ByteBuf>("O", r#""00FF""#).unwrap(), vec![0, 255]);
    assert_eq!(module.read::<Vec<u8>>("O", r#""00FF""#).unwrap(), [0, 255]);
    assert_eq!(module.read::<[u8; 2]>("O", r#""00FF""#).unwrap(), [0, 255]);
    assert!(module.read::<[u8; 3]>("O", r#""00FF""#).is_err() && module.read::<[u8; 1]>("O", r#""00FF""#).is_err());
    let bits = r#"{"value":"A0","length":3}"#;
    assert_eq!(module.read::<Vec<bool>>("B", bits).unwrap(), [true, false, true]);
    assert_eq!(module.read::<[bool; 5]>("F", r#""08""#).unwrap(), [false, false, false, false, true]);
    assert_eq!(module.read::<serde_bytes::ByteBuf>("F", r#""08""#).unwrap(), vec![8]);
    assert_eq!(module.read::<serde_bytes::ByteBuf>("B", r#"{"value":"A0","length":8}"#).unwrap(), vec![0xA0]);
    // Without its length it would be another value.
    assert_eq!(module.refused::<serde_bytes::ByteBuf>("B", bits), "schema at byte 0: found map, expected byte array");
    #[derive(Debug, PartialEq, Deserialize)]
    struct Bits {
        value: Vec<u8>,
        length: u64,
    }
    assert_eq!(module.read::<Bits>("B", bits).unwrap(), Bits { value: vec![0xA0], length: 3 });
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code)] // Read to be refused.
struct Order {
    order_id: u16,
    lines: Vec<Line>,
    pay: Pay,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Line {
    title: String,
    copies: u8,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Pay {
    Cash,
    Card(String),
}

#[test]
fn errors_have_the_path_of_the_value() {
    let module = Module::new(
        "Order ::= SEQUENCE { order-id INTEGER, lines SEQUENCE OF SEQUENCE { title UTF8String, copies INTEGER DEFAULT 1,
             gift BOOLEAN OPTIONAL }, pay CHOICE { cash NULL, card UTF8String, voucher INTEGER } }
         Other ::= SEQUENCE { order-id INTEGER, lines SEQUENCE OF BOOLEAN }
         Less  ::= SEQUENCE { lines SEQUENCE OF SEQUENCE { title UTF8String } , pay ENUMERATED { cash, later } }
         B     ::= BOOLEAN",
    );
    let order = r#"{"order-id":7,"lines":[{"title":"a"},{"title":"b","copies":300}],"pay":{"cash":null}}"#;
    let fits = module.read::<Order>("Order", &order.replace("300", "2")).unwrap();
    assert_eq!((fits.order_id, fits.lines[0].copies, fits.lines[1].copies, fits.pay), (7, 1, 2, Pay::Cash));
    let error = module.read::<Order>("Order", order).unwrap_err();
    assert_eq!((error.kind(), error.format(), error.path()), (ErrorKind::Schema, "asn1", "/lines/1/copies"));
    assert_eq!((&*error.found().to_string(), &*error.expected().to_string()), ("integer `300`", "u8"));
    for (name, text, expected) in [
        (
            "Order",
            r#"{"order-id":7,"lines":[],"pay":{"voucher":1}}"#,
            "schema at byte 0 in /pay: found the variant 'voucher', expected one of 'cash', 'card'",
        ),
        (
            "Order",
            r#"{"order-id":70000,"lines":[],"pay":{"cash":null}}"#,
            "schema at byte 0 in /order-id: found integer `70000`, expected u16",
        ),
        (
            "Other",
            r#"{"order-id":7,"lines":[true]}"#,
            "schema at byte 0 in /lines/0: found boolean `true`, expected struct Line",
        ),
        ("Other", r#"{"order-id":7,"lines":[]}"#, "schema at byte 0: missing member 'pay'"),
        ("Less", r#"{"lines":[{"title":"x"}],"pay":"cash"}"#, "schema at byte 0 in /lines/0: missing member 'copies'"),
        (
            "Less",
            r#"{"lines":[],"pay":"later"}"#,
            "schema at byte 0 in /pay: found the variant 'later', expected one of 'cash', 'card'",
        ),
        ("B", "true", "schema at byte 0: found boolean `true`, expected struct Order"),
    ] {
        assert_eq!(module.refused::<Order>(name, text), expected);
    }
    assert_eq!(module.refused::<String>("B", "true"), "schema at byte 0: found boolean `true`, expected a string");
    assert_eq!(module.refused::<Pay>("B", "true"), "schema at byte 0: found boolean `true`, expected enum Pay");
}

/// Of the wind and the station's kind there are later versions, which the sample's module allows.
#[test]
fn a_later_version_is_the_other_variant_or_refused() {
    let later = Module::new("C ::= CHOICE { a NULL, ..., b INTEGER }  E ::= ENUMERATED { a, ..., b }");
    let now = Module::new("C ::= CHOICE { a NULL, ... }  E ::= ENUMERATED { a, ... }");
    #[derive(Debug, PartialEq, Deserialize)]
    enum Open {
        #[serde(rename = "a")]
        A,
        #[serde(other)]
        Other,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Closed {
        #[serde(rename = "a")]
        A,
    }
    for (name, text, what) in [("C", r#"{"b":7}"#, "alternative"), ("E", r#""b""#, "enumeration")] {
        let message = uper_of(&later.0, later.0.find(name).unwrap(), text).unwrap();
        let mut values = Values::new();
        let value = asn1::read(&message, &now.0, now.0.find(name).unwrap(), &Options::uper(), &mut values).unwrap();
        assert_eq!(from_value::<Open>(value).unwrap(), Open::Other);
        let error = from_value::<Closed>(value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!(from_value::<serde_json::Value>(value).unwrap_err().kind(), ErrorKind::Unsupported);
        from_value::<IgnoredAny>(value).unwrap();
    }
    assert_eq!(now.read::<Open>("E", r#""a""#).unwrap(), Open::A);
}

#[test]
fn types_that_hold_themselves_are_read_up_to_a_limit() {
    let module = Module(Compiled::from_notation(MODULE).unwrap());
    let nested = |levels: usize| format!("{}{{\"leaf\":1}}{}", r#"{"same":"#.repeat(levels), "}".repeat(levels));
    let mut tree = module.read::<Tree>("Tree", &nested(127)).unwrap();
    let mut levels = 0;
    while let Tree::Same(inner) = tree {
        (tree, levels) = (*inner, levels + 1);
    }
    assert_eq!((levels, tree), (127, Tree::Leaf(1)));
    let error = module.read::<Tree>("Tree", &nested(128)).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Limit, &*"/same".repeat(128)));
    assert_eq!(error.expected().to_string(), "at most 128 (limit depth)");
    // No recursion where the type does not recurse.
    assert_eq!(module.read::<Tree>("Tree", &nested(100_000)).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(module.read::<serde_json::Value>("Tree", &nested(100_000)).unwrap_err().kind(), ErrorKind::Limit);
    module.read::<IgnoredAny>("Tree", &nested(100_000)).unwrap();
}

#[test]
fn rust_types_are_written_as_they_are_read() {
    let module = Module::new(
        "N ::= INTEGER  R ::= REAL  D ::= REAL (0 | WITH COMPONENTS { ..., base (10) })  O ::= OCTET STRING
         B ::= BIT STRING  F ::= BIT STRING (SIZE (5))  I ::= OBJECT IDENTIFIER  L ::= SEQUENCE OF INTEGER
         S ::= CHOICE { day DATE, other VisibleString (SIZE (1..5)) }  E ::= ENUMERATED { on, off }
         C ::= CHOICE { none NULL, pair SEQUENCE OF REAL, point SEQUENCE { x INTEGER, y INTEGER OPTIONAL } }
         M ::= SEQUENCE { a-b INTEGER, c BOOLEAN DEFAULT TRUE, d UTF8String OPTIONAL }
         W ::= SEQUENCE { in OCTET STRING (CONTAINING C) }  Z ::= NULL
         Y ::= SEQUENCE { in OCTET STRING (CONTAINING OCTET STRING) }",
    );
    let same = |name: &str, written: Result<String, tam::Error>, expected: &str| {
        assert_eq!(written.unwrap(), expected, "{name}");
    };
    same("N", module.written("N", u64::MAX), "18446744073709551615");
    same("N", module.written("N", i128::MIN), &i128::MIN.to_string());
    same(
        "N",
        module.written("N", "-340282366920938463463374607431768211456"),
        "-340282366920938463463374607431768211456",
    );
    same("R", module.written("R", 7), "7");
    same("R", module.written("R", "0.1"), r#"{"base10Value":"0.1"}"#);
    let special = [(f64::NAN, r#""NaN""#), (f64::NEG_INFINITY, r#""-INF""#), (-0.0, r#""-0""#), (0.1, "0.1")];
    special.iter().for_each(|(number, expected)| same("R", module.written("R", number), expected));
    assert_eq!(module.read::<f64>("R", &module.written("R", 1e300).unwrap()).unwrap(), 1e300);
    // A float is the same number as a double, and of a decimal type the decimal number that it shows.
    assert_eq!(module.read::<f64>("R", &module.written("R", 0.1f32).unwrap()).unwrap(), f64::from(0.1f32));
    same("D", module.written("D", 0.1f32), "0.1");
    same("D", module.written("D", (13356i64, -2)), "133.56");
    same("D", module.written("D", "12345678901234567890123456789.5"), "12345678901234567890123456789.5");
    same("O", module.written("O", serde_bytes::Bytes::new(&[0, 255])), r#""00FF""#);
    same("O", module.written("O", [0u8, 255]), r#""00FF""#);
    same("B", module.written("B", [true, false, true]), r#"{"value":"A0","length":3}"#);
    same("B", module.written("B", [true; 9]), r#"{"value":"FF80","length":9}"#);
    same("B", module.written("B", Vec::<bool>::new()), r#"{"value":"","length":0}"#);
    same("B", module.written("B", serde_bytes::Bytes::new(&[0xA0])), r#"{"value":"A0","length":8}"#);
    same("F", module.written("F", serde_bytes::Bytes::new(&[0xA0])), r#""A0""#);
    same("I", module.written("I", "2.999.3"), r#""2.999.3""#);
    same("L", module.written("L", (1, -2)), "[1,-2]");
    same("S", module.written("S", "2025-03-01"), r#"{"day":"2025-03-01"}"#);
    same("S", module.written("S", "soon"), r#"{"other":"soon"}"#);
    same("S", module.written("S", BTreeMap::from([("other", "2025")])), r#"{"other":"2025"}"#);
    same("E", module.written("E", "off"), r#""off""#);
    same("Z", module.written("Z", ()), "null");
    same("M", module.written("M", BTreeMap::from([("a-b", 7)])), r#"{"a-b":7}"#);
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    struct M {
        d: Option<char>,
        c: bool,
        a_b: u8,
    }
    same("M", module.written("M", M { d: Some('x'), c: false, a_b: 1 }), r#"{"a-b":1,"c":false,"d":"x"}"#);
    same("M", module.written("M", M { d: None, c: true, a_b: 1 }), r#"{"a-b":1,"c":true}"#);
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum C {
        None,
        Pair(f64, f64),
        Point { x: i8, y: Option<i8> },
        Other(u8),
    }
    same("C", module.written("C", C::None), r#"{"none":null}"#);
    same("C", module.written("C", C::Pair(1.5, -2.0)), r#"{"pair":[1.5,-2]}"#);
    same("C", module.written("C", C::Point { x: 1, y: None }), r#"{"point":{"x":1}}"#);
    #[derive(Serialize)]
    struct W<T> {
        r#in: T,
    }
    for (value, expected) in [
        (C::None, r#"{"in":{"containing":{"none":null}}}"#),
        (C::Pair(1.0, 2.0), r#"{"in":{"containing":{"pair":[1,2]}}}"#),
        (C::Point { x: 1, y: Some(2) }, r#"{"in":{"containing":{"point":{"x":1,"y":2}}}}"#),
    ] {
        same("W", module.written("W", W { r#in: value }), expected);
    }
    same("W", module.written("W", W { r#in: serde_bytes::Bytes::new(&[0x99]) }), r#"{"in":"99"}"#);
    same("Y", module.written("Y", W { r#in: [0x99u8] }), r#"{"in":{"containing":"99"}}"#);
    same("Y", module.written("Y", W { r#in: serde_bytes::Bytes::new(&[0x99]) }), r#"{"in":"99"}"#);

    for (error, expected) in [
        (
            module.unwritten("N", "7a"),
            "schema at byte 0: found a string, expected a number without fraction and exponent (N)",
        ),
        (module.unwritten("L", [Some(1), None]), "schema at byte 0: found None, expected a value"),
        (module.unwritten("C", C::Other(1)), "schema at byte 0: found other, expected an alternative of C"),
        (
            module.unwritten("S", "tomorrow"),
            r#"schema at byte 0: found "tomorrow", expected what an alternative allows"#,
        ),
        (
            module.unwritten("O", [1u16, 256]),
            "schema at byte 0: found an item that is no integer of 8 bits, expected one for each octet",
        ),
        (module.unwritten("B", [1u8]), "schema at byte 0: found an item that is no boolean, expected one for each bit"),
        (
            module.unwritten("D", (1, 2, 3)),
            "schema at byte 0: found items that are no pair of integers, expected mantissa and exponent",
        ),
        (module.unwritten("M", BTreeMap::from([("a-b", true)])), "schema at byte 0 in /a-b: found"),
        (module.unwritten("M", BTreeMap::from([("c", true)])), "schema at byte 0: missing component a-b of M"),
        (module.unwritten("M", BTreeMap::from([("e", 1)])), "schema at byte 0: found e, expected a component of M"),
        (
            module.unwritten("C", BTreeMap::from([("point", BTreeMap::from([("x", None::<u8>)]))])),
            "schema at byte 0 in /point: missing component x",
        ),
    ] {
        assert!(error.starts_with(expected), "{error}");
    }
    // Depth is bounded.
    let module = Module(Compiled::from_notation(MODULE).unwrap());
    let tree = (0..2000).fold(Tree::Leaf(1), |tree, _| Tree::Same(Box::new(tree)));
    let mut values = Values::new();
    let error = to_value(&tree, &module.0, module.0.find("Tree").unwrap(), &Limits::default(), &mut values);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Limit);
}

//! Shapes of JSON, PON and TSF.

use std::fmt::Write;

use lengthwise::{Format, Limits, Options, convert};
use test_support::Random;

use crate::Family::{Counts, Names};
use crate::Shape;

const ALL: &[&str] = &["json"];
const PON: &[&str] = &["pon", "pon owned"];
const TSF: &[&str] = &["tsf"];

pub(crate) const SHAPES: &[Shape] = &[
    Shape { readers: ALL, family: Counts, name: "levels", make: |_, n| "[".repeat(n).into_bytes() },
    Shape { readers: ALL, family: Counts, name: "levels that end", make: levels },
    Shape { readers: ALL, family: Counts, name: "empty values", make: |_, n| items("[]", n) },
    Shape {
        readers: ALL,
        family: Counts,
        name: "escapes",
        make: |_, n| items(&format!("\"{}\"", "\\u0041".repeat(n / 6)), n),
    },
    Shape { readers: ALL, family: Counts, name: "short escapes", make: |_, n| items("\"\\n\"", n) },
    Shape { readers: ALL, family: Counts, name: "a long number", make: |_, n| "7".repeat(n).into_bytes() },
    Shape {
        readers: ALL,
        family: Counts,
        name: "long exponents",
        make: |_, n| items(&format!("1e{}", "9".repeat(n / 3)), n),
    },
    Shape { readers: ALL, family: Names, name: "many members", make: members },
    Shape { readers: ALL, family: Names, name: "one name, often", make: |_, n| object("\"a\":0", n) },
    Shape { readers: ALL, family: Names, name: "a long name, often", make: long_name },
    Shape { readers: ALL, family: Names, name: "names that are escaped", make: |_, n| object("\"\\u0061\":0", n) },
    Shape { readers: PON, family: Counts, name: "levels that end", make: |r, n| pon(&levels(r, n.min(1_900))) },
    Shape { readers: PON, family: Counts, name: "empty values", make: |_, n| pon(&items("[]", n)) },
    Shape { readers: PON, family: Counts, name: "nulls", make: |_, n| pon(&items("null", 4 * n)) },
    Shape { readers: PON, family: Counts, name: "a length beyond the end", make: |_, n| beyond(n, "[") },
    Shape { readers: PON, family: Names, name: "many members", make: |r, n| pon(&members(r, n)) },
    Shape {
        readers: PON,
        family: Names,
        name: "names that are escaped",
        make: |_, n| pon(&object("\"\\u0000\\\"/~\":0", n)),
    },
    Shape { readers: TSF, family: Counts, name: "levels that end", make: |r, n| tsf(&levels(r, n.min(1_900))) },
    Shape { readers: TSF, family: Counts, name: "empty units", make: |_, n| b"0<".repeat(n / 2) },
    Shape { readers: TSF, family: Counts, name: "empty values", make: |_, n| tsf(&items("[]", n)) },
    Shape { readers: TSF, family: Counts, name: "a length beyond the end", make: |_, n| beyond(n, "<") },
    Shape { readers: TSF, family: Counts, name: "a level in a unit", make: |_, n| b"1<".repeat(n / 2) },
    Shape {
        readers: TSF,
        family: Counts,
        name: "more units than there are bytes",
        make: |_, n| format!("{}<", n).repeat(n / 8).into_bytes(),
    },
    Shape { readers: TSF, family: Names, name: "many members", make: |r, n| tsf(&members(r, n)) },
    Shape { readers: TSF, family: Names, name: "many attributes", make: |_, n| xml_tsf(n) },
];

fn items(item: &str, size: usize) -> Vec<u8> {
    let count = size / (item.len() + 1) + 1;
    format!("[{}{item}]", format!("{item},").repeat(count - 1)).into_bytes()
}

fn object(member: &str, size: usize) -> Vec<u8> {
    let count = size / (member.len() + 1) + 1;
    format!("{{{}{member}}}", format!("{member},").repeat(count - 1)).into_bytes()
}

fn levels(random: &mut Random, size: usize) -> Vec<u8> {
    let (open, end) = random.of(&[("[", "]"), ("{\"a\":", "}")]);
    let count = size / (open.len() + end.len());
    (open.repeat(count) + "0" + &end.repeat(count)).into_bytes()
}

fn members(_: &mut Random, size: usize) -> Vec<u8> {
    let mut text = String::from("{\"a\":0");
    let mut count = 0;
    while text.len() < size {
        write!(text, ",\"m{count}\":0").unwrap();
        count += 1;
    }
    (text + "}").into_bytes()
}

fn long_name(random: &mut Random, size: usize) -> Vec<u8> {
    let name = "n".repeat(1 + random.below(size / 4 + 1));
    object(&format!("\"{name}\":0"), size)
}

fn of_json(json: &[u8], format: Format) -> Vec<u8> {
    convert(json, Format::Json, format, &Options::default().with_limits(Limits::NONE)).unwrap()
}

fn pon(json: &[u8]) -> Vec<u8> {
    of_json(json, Format::Pon)
}

fn tsf(json: &[u8]) -> Vec<u8> {
    of_json(json, Format::Tsf)
}

fn xml_tsf(size: usize) -> Vec<u8> {
    let mut text = String::from("<a");
    let mut count = 0;
    while text.len() < size {
        write!(text, " b{count}=''").unwrap();
        count += 1;
    }
    text += "/>";
    convert(text.as_bytes(), Format::Xml, Format::Tsf, &Options::default().with_limits(Limits::NONE)).unwrap()
}

/// Containers that claim more than there is.
fn beyond(size: usize, kind: &str) -> Vec<u8> {
    format!("4000000000{kind}").repeat(size / 11 + 1).into_bytes()
}

//! Shapes of TDXML.

use std::fmt::Write;

use test_support::Random;

use crate::Family::{Counts, Defaults, Names, Parameters, References};
use crate::Shape;

const BOTH: &[&str] = &["tdxml", "tdxml lookup"];

pub(crate) const SHAPES: &[Shape] = &[
    Shape { readers: BOTH, family: Names, name: "a long name, a row each", make: long_name },
    Shape { readers: BOTH, family: Names, name: "a long name, in a group", make: long_name_in_group },
    Shape { readers: BOTH, family: Names, name: "a long name of an attribute", make: long_attribute },
    Shape { readers: BOTH, family: Names, name: "a long name above empty elements", make: long_parent },
    Shape { readers: BOTH, family: Names, name: "many columns", make: many_columns },
    Shape { readers: BOTH, family: Defaults, name: "a long default, often", make: long_default },
    Shape { readers: BOTH, family: Defaults, name: "many defaults, often", make: many_defaults },
    Shape { readers: BOTH, family: Counts, name: "numbers that are not there", make: numbers },
    Shape { readers: BOTH, family: Counts, name: "a count in a group", make: group_count },
    Shape { readers: BOTH, family: Counts, name: "empty lines in a group", make: empty_lines },
    Shape { readers: BOTH, family: Counts, name: "levels of a path", make: deep_path },
    Shape { readers: BOTH, family: References, name: "definitions", make: definitions },
    Shape { readers: BOTH, family: References, name: "a record that holds itself", make: recursive },
    Shape { readers: BOTH, family: References, name: "references to characters", make: characters },
    Shape { readers: BOTH, family: Parameters, name: "parts of MIME", make: mime_parts },
    Shape { readers: BOTH, family: Parameters, name: "parameters of a header of MIME", make: mime_parameters },
    Shape { readers: BOTH, family: Parameters, name: "a part of MIME, often", make: mime_often },
];

fn envelope(schema: &str, rows: &str) -> Vec<u8> {
    format!(
        "<TDXML:Env xmlns:TDXML=\"urn:tdxml\">\n<TDXML:DS>\n{schema}\n</TDXML:DS>\n<TDXML:CT>\n{rows}</TDXML:CT>\n</TDXML:Env>\n"
    )
    .into_bytes()
}

/// A part of a size for something long, and the rest of it for what repeats.
fn parts(random: &mut Random, size: usize) -> (String, usize) {
    let part = 1 + random.below(size);
    ("n".repeat(part), size - part)
}

fn long_name(random: &mut Random, size: usize) -> Vec<u8> {
    let (name, rest) = parts(random, size);
    let rows: String = (0..rest / 16).map(|n| format!("[0][0]{n}[0] |1\n")).collect();
    envelope(&format!("a [0] ::= SEQUENCE {{ c[0] SEQUENCE OF {{ {name}[0] UTF8String }} }}"), &rows)
}

fn long_name_in_group(random: &mut Random, size: usize) -> Vec<u8> {
    let (name, rest) = parts(random, size);
    let rows = format!("[0][0]0{{[0]}}\n{}", "1\n".repeat(rest / 2));
    envelope(&format!("a [0] ::= SEQUENCE {{ c[0] SEQUENCE OF {{ {name}[0] UTF8String }} }}"), &rows)
}

fn long_attribute(random: &mut Random, size: usize) -> Vec<u8> {
    let (name, rest) = parts(random, size);
    let rows = format!("[0][0]0{{(0)}}\n{}", "1\n".repeat(rest / 2));
    envelope(&format!("a [0] ::= SEQUENCE {{ c[0] SEQUENCE OF {{ {name}(0) [ATTRIBUTE] UTF8String }} }}"), &rows)
}

fn long_parent(random: &mut Random, size: usize) -> Vec<u8> {
    let (name, rest) = parts(random, size);
    let rows = format!("[0][0]0{{[0]}}\n{}", "\"\"\n".repeat(rest / 3));
    envelope(&format!("a [0] ::= SEQUENCE {{ {name}[0] SEQUENCE OF {{ d[0] UTF8String OPTIONAL }} }}"), &rows)
}

fn many_columns(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let (mut columns, mut head) = (String::new(), String::new());
    let count = part / 28 + 1;
    for n in 0..count {
        write!(columns, "d{n}[{n}] UTF8String OPTIONAL ").unwrap();
        write!(head, "{}[{n}]", if n == 0 { "" } else { " " }).unwrap();
    }
    let rows = format!("[0][0]0{{{head}}}\n{}", ("|".repeat(count - 1) + "1\n").repeat((size - part) / (count + 1)));
    envelope(&format!("a [0] ::= SEQUENCE {{ c[0] SEQUENCE OF {{ {columns} }} }}"), &rows)
}

fn long_default(random: &mut Random, size: usize) -> Vec<u8> {
    let (default, rest) = parts(random, size);
    let rows = format!("[0][0]0{{[0]}}\n{}", "1\n".repeat(rest / 2));
    let schema = format!("b(0) [ATTRIBUTE] UTF8String (\"{default}\") d[0] UTF8String OPTIONAL");
    envelope(&format!("a [0] ::= SEQUENCE {{ c[0] SEQUENCE OF {{ {schema} }} }}"), &rows)
}

fn many_defaults(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let defaults: String = (0..part / 36 + 1).map(|n| format!("b{n}({n}) [ATTRIBUTE] UTF8String (\"x\") ")).collect();
    let rows = format!("[0][0]0{{[0]}}\n{}", "1\n".repeat((size - part) / 2));
    envelope(&format!("a [0] ::= SEQUENCE {{ c[0] SEQUENCE OF {{ {defaults} d[0] UTF8String OPTIONAL }} }}"), &rows)
}

fn numbers(random: &mut Random, size: usize) -> Vec<u8> {
    let number = random.of(&["4000000000", "99999999999999999999", "1", "1000000"]);
    let rows: String = (0..size / 30).map(|_| format!("[0][0]{number}[0] |1\n")).collect();
    envelope("a [0] ::= SEQUENCE { c[0] SEQUENCE OF { d[0] UTF8String } }", &rows)
}

fn group_count(random: &mut Random, size: usize) -> Vec<u8> {
    let count = random.of(&["4000000000", "99999999999999999999", "1000000", "0"]);
    let rows = format!("[0][0]0{{[0] [1]{{[0]}}}}\n{}", format!("1|{count}\n").repeat(size / 13 + 1));
    envelope("a [0] ::= SEQUENCE { c[0] SEQUENCE OF { d[0] UTF8String e[1] SEQUENCE OF { f[0] UTF8String } } }", &rows)
}

fn empty_lines(_: &mut Random, size: usize) -> Vec<u8> {
    let rows = format!("[0][0]0{{[0]}}\n{}", "\n".repeat(size));
    envelope("a [0] ::= SEQUENCE { c[0] SEQUENCE OF { d[0] UTF8String OPTIONAL } }", &rows)
}

fn deep_path(_: &mut Random, size: usize) -> Vec<u8> {
    let rows = format!("[0]{} |1\n", "[0]".repeat(size / 3));
    envelope("a [0] ::= R R ::= SEQUENCE { r[0] R OPTIONAL t[1] UTF8String OPTIONAL }", &rows)
}

fn recursive(random: &mut Random, size: usize) -> Vec<u8> {
    let depth = 1 + random.below(900.min(size / 8 + 1));
    let path = format!("[0]{}", "[0]".repeat(depth));
    let mut rows = String::new();
    while rows.len() < size {
        writeln!(rows, "{path}[1] |1").unwrap();
    }
    envelope("a [0] ::= R R ::= SEQUENCE { r[0] R OPTIONAL t[1] UTF8String OPTIONAL }", &rows)
}

fn definitions(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(6);
    let mut schema = String::from("a [0] ::= R0\n");
    let mut count = 0;
    while schema.len() < size {
        let members: String = (0..times).map(|n| format!("m{n}[{n}] R{} OPTIONAL ", count + 1)).collect();
        writeln!(schema, "R{count} ::= SEQUENCE {{ {members} }}").unwrap();
        count += 1;
    }
    write!(schema, "R{count} ::= SEQUENCE {{ x[0] UTF8String OPTIONAL }}").unwrap();
    let path = format!("[0]{}", "[0]".repeat(count.min(900)));
    envelope(&schema, &format!("{path} |1\n"))
}

fn characters(_: &mut Random, size: usize) -> Vec<u8> {
    let rows = format!("[0][0] |{}\n", "&#65;".repeat(size / 5));
    envelope("a [0] ::= SEQUENCE { c[0] UTF8String }", &rows)
}

/// A message of MIME: the envelope and parts.
fn mime(head: &str, rows: &str, parts: &str) -> Vec<u8> {
    let envelope = envelope("a [0] ::= SEQUENCE { c[0] SEQUENCE OF { d[0] OCTET STRING } }", rows);
    let envelope = String::from_utf8(envelope).unwrap();
    format!(
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"{head}\r\n\r\n\
         --b\r\nContent-Type: text/xml\r\n\r\n{envelope}\r\n{parts}--b--\r\n"
    )
    .into_bytes()
}

fn mime_parts(_: &mut Random, size: usize) -> Vec<u8> {
    let part = |n: usize| format!("--b\r\nContent-ID: <p{n}>\r\n\r\nx\r\n");
    let count = size / 40;
    let rows: String = (0..count).map(|n| format!("[0][0]{n}[0] |cid:p{n}\n")).collect();
    let parts: String = (0..count).map(part).collect();
    mime("", &rows, &parts)
}

fn mime_parameters(_: &mut Random, size: usize) -> Vec<u8> {
    let head: String = (0..size / 12).map(|n| format!("; p{n}=\"\\x\"")).collect();
    mime(&head, "[0][0]0[0] |cid:p\n", "--b\r\nContent-ID: <p>\r\n\r\nx\r\n")
}

fn mime_often(random: &mut Random, size: usize) -> Vec<u8> {
    let (text, rest) = parts(random, size);
    let rows: String = (0..rest / 20).map(|n| format!("[0][0]{n}[0] |cid:p\n")).collect();
    mime("", &rows, &format!("--b\r\nContent-ID: <p>\r\n\r\n{text}\r\n"))
}

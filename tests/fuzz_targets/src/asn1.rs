//! What the fuzz targets of ASN.1 hold true of any bytes.

#[path = "../../../crates/asn1/tests/jer_support/mod.rs"]
mod support;

use std::sync::LazyLock;

use asn1::{Compiled, NodeId, Options, Value, Values, jer, notation, xer};
use support::Made;
use tam::{Error, ErrorKind, Limits, Table};
use test_support::Random;
use text::{json, xml};

/// Deep enough to be seen, not so deep that a message of many levels is a slow one.
const LIMITS: Limits = Limits { depth: 200, units: 1 << 20, ..Limits::DEFAULT };

/// Types that the module of the tests does not have: odd constraints, and what is extensible.
const ODD: &str = r#"
Odd DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Odd ::= SEQUENCE OF CHOICE {
    wide     INTEGER (-9223372036854775808..9223372036854775807),
    from     INTEGER (3..MAX),
    upTo     INTEGER (MIN..3),
    holes    INTEGER (1..3 | 7..9 | 70000, ..., 100..200),
    none     INTEGER (7),
    long     OCTET STRING (SIZE (65536..70000)),
    some     OCTET STRING (SIZE (0 | 2..3, ...)),
    vowels   IA5String (FROM ("aeiou")) (SIZE (0..9)),
    narrow   VisibleString (FROM ("a".."d")),
    wideText UniversalString (SIZE (0..3)),
    latin    TeletexString,
    time     UTCTime,
    bits     BIT STRING { first(0), third(2), far(20) },
    set      SET OF INTEGER,
    map      SET { k [1] IA5String OPTIONAL, v [0] Odd OPTIONAL, ..., w [2] NULL },
    empty    SEQUENCE {},
    nothings SEQUENCE (SIZE (0..255)) OF NULL,
    def      SEQUENCE { a INTEGER DEFAULT 3, b SET OF BOOLEAN DEFAULT { TRUE }, c REAL DEFAULT 0.5 },
    groups   SEQUENCE { ..., [[ a NULL OPTIONAL, b NULL ]], c OCTET STRING, ..., z BOOLEAN },
    ...,
    later    Odd,
    laterRow SEQUENCE OF SEQUENCE { x INTEGER, y Odd OPTIONAL }
}
END"#;

/// The schemas with the types that messages are of.
static SCHEMAS: LazyLock<[(Compiled, NodeId); 2]> = LazyLock::new(|| {
    [(support::MODULE, "Batch"), (ODD, "Odd")].map(|(text, name)| {
        let types = Compiled::from_notation(text).unwrap_or_else(|error| panic!("{error}"));
        let node = types.find(name).unwrap_or_else(|error| panic!("{error}"));
        (types, node)
    })
});

fn schema(choice: u8) -> (&'static Compiled, NodeId) {
    let (types, node) = &SCHEMAS[usize::from(choice % 2)];
    (types, *node)
}

/// The rules that a choice represents.
fn rules(choice: u8) -> Options {
    let options = [Options::uper(), Options::aper(), Options::ber(), Options::oer()][usize::from(choice % 4)];
    options.with_limits(LIMITS)
}

/// An error is one that says something.
fn says_something(error: &Error) {
    assert!(!error.found().to_string().is_empty(), "{error}");
}

/// A text is read as modules or refused; modules that were read are printed, and read again as the
/// same; what can be compiled is.
pub fn asn1_notation(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let schema = match notation::parse_one(text, &LIMITS) {
        Ok(schema) => schema,
        Err(error) => return says_something(&error),
    };
    let printed = notation::print_schema(&schema);
    let again = notation::parse_one(&printed, &LIMITS).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert!(again == schema, "{printed}");
    assert_eq!(notation::print_schema(&again), printed);
    match (Compiled::new(&schema), Compiled::new(&again)) {
        (Ok(one), Ok(other)) => assert_eq!(one.types().count(), other.types().count()),
        (Err(one), Err(other)) => assert_eq!((one.kind(), one.found()), (other.kind(), other.found()), "{printed}"),
        (one, other) => panic!("{one:?} {other:?}\n{printed}"),
    }
}

/// A message is walked through without a schema, or refused at some place. Encodings come in order, within what they
/// are in.
pub fn asn1_elements(input: &[u8]) {
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    for element in asn1::Elements::new(input, &LIMITS) {
        let element = match element {
            Ok(element) => element,
            Err(error) => return says_something(&error),
        };
        assert!(at <= element.start && element.start < element.contents, "{element:?}");
        open.truncate(element.depth as usize);
        let end = element.end.unwrap_or(open.last().copied().unwrap_or(input.len()));
        assert!(open.len() == element.depth as usize && element.contents <= end, "{element:?}");
        assert!(open.last().is_none_or(|around| end <= *around) && end <= input.len(), "{element:?}");
        let goes_in = element.constructed || element.holds.is_some();
        assert!(goes_in || element.text(input).len() <= 3 * (end - element.contents) + 400, "{element:?}");
        at = if goes_in { element.holds.unwrap_or(element.contents) } else { end };
        open.push(end);
    }
}

/// A message is read by rules that its first byte chooses, or refused. What was read is written, and
/// what was written is read as the same, by these rules and by the others, as JSON and in notation.
pub fn asn1_read(input: &[u8]) {
    let Some((&choice, message)) = input.split_first() else { return };
    let (types, node) = schema(choice);
    message_of(message, types, node, rules(choice / 2));
}

/// Notation of X.681 to X.683, that a fuzzer puts together: an octet from 0x80 on is one of these pieces, any other a
/// character. A zero ends the notation; a message follows, of the type `R`.
const PIECES: [&str; 48] = [
    "C ::= CLASS { &id INTEGER UNIQUE, &Type }\n",
    "C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { ID &id TYPE &Type }\n",
    "C ::= CLASS { &id OBJECT IDENTIFIER, &kind BOOLEAN DEFAULT TRUE, &Type OPTIONAL, &Errors E OPTIONAL }\n",
    "C ::= TYPE-IDENTIFIER\n",
    "E ::= CLASS { &code INTEGER, &Parameter OPTIONAL }\n",
    "D ::= CLASS { &Set C, &Values INTEGER, &other C OPTIONAL }\n",
    " WITH SYNTAX { [X &id] [Y &Type] }",
    " WITH SYNTAX { [X [Y &Type] &id] }",
    "S C ::= { o | { 2 NULL } , ... }\n",
    "S C ::= { ... }\n",
    "S C ::= { S | P, ..., o }\n",
    "P C ::= { { ID 1 TYPE BOOLEAN } | { ID 2 TYPE R } | o }\n",
    "o C ::= { ID 3 TYPE SEQUENCE { a INTEGER OPTIONAL, ... } }\n",
    "o C ::= { &id 4, &Type UTF8String }\n",
    "o C ::= { BOOLEAN IDENTIFIED BY { 1 2 3 } }\n",
    "R ::= SEQUENCE { id C.&id ({S}), v C.&Type ({S}{@id}) }\n",
    "R ::= SEQUENCE { v C.&Type ({S}{@id}), id C.&id ({S}) }\n",
    "R ::= SEQUENCE { v C.&Type ({S}{@id}), ..., id C.&id ({S}) OPTIONAL }\n",
    "R ::= SET { id [0] C.&id ({S}), v [1] C.&Type ({S}{@id}) }\n",
    "R ::= SEQUENCE { list SEQUENCE OF SEQUENCE { v C.&Type ({S}{@head.id}) }, head SEQUENCE { id C.&id } }\n",
    "R ::= SEQUENCE OF T {{S}}\n",
    "R ::= T {INTEGER}\n",
    "R ::= SEQUENCE { a OCTET STRING (CONTAINING R2), b BIT STRING (CONTAINING R2) }\n",
    "R2 ::= SEQUENCE { a BOOLEAN, ... }\n",
    "R ::= INSTANCE OF C ({S})\n",
    "R ::= SEQUENCE { a ANY, b EXTERNAL OPTIONAL }\n",
    "T {C:Set} ::= SEQUENCE { id C.&id ({Set}), v C.&Type ({Set}{@id}) }\n",
    "T {Other} ::= SEQUENCE { a Other, b SEQUENCE OF Other }\n",
    "T {Other} ::= SEQUENCE { a T {T {Other}} OPTIONAL }\n",
    "T {INTEGER:n} ::= OCTET STRING (SIZE (0..n))\n",
    "T {C:o} ::= SEQUENCE { a o.&Type, b INTEGER (0..o.&id) }\n",
    "C.&Type",
    "C.&id",
    "o.&Type",
    "o.&id",
    "S.&id",
    " ({S})",
    " ({S}{@id})",
    " ({S}{@.id})",
    " ({S}{@a.id, @id})",
    " | ",
    " EXCEPT ",
    " UNIQUE",
    " OPTIONAL",
    "SEQUENCE { ",
    "CHOICE { ",
    " }",
    ", ..., ",
];

/// Classes, objects, tables and parameters are compiled or refused; a message of them holds what any does.
pub fn asn1_objects(input: &[u8]) {
    let Some((&choice, rest)) = input.split_first() else { return };
    let (notation, message) = match rest.iter().position(|octet| *octet == 0) {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &rest[..0]),
    };
    let mut text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n".to_owned();
    for octet in notation {
        match octet.checked_sub(0x80) {
            Some(piece) => text.push_str(PIECES[usize::from(piece) % PIECES.len()]),
            None => text.push(char::from(*octet)),
        }
    }
    text.push_str("\nEND");
    asn1_notation(text.as_bytes());
    let Ok(types) = Compiled::from_notation(&text) else { return };
    if let Ok(node) = types.find("R") {
        message_of(message, &types, node, rules(choice));
    }
}

/// Modules of classes to start from, each with a message.
pub fn asn1_objects_seeds() -> Vec<Vec<u8>> {
    let pieces = |numbers: &[u8], message: &[u8]| {
        let notation: Vec<u8> = numbers.iter().map(|number| 0x80 + number).collect();
        [&[0], &notation[..], &[0], message].concat()
    };
    vec![
        pieces(&[1, 10, 11, 12, 15], &[1, 1, 1, 0x80]),
        pieces(&[1, 10, 11, 12, 16], &[1, 0x80, 1, 1]),
        pieces(&[1, 10, 11, 12, 17], &[0x80, 1, 0x80, 1, 1]),
        pieces(&[1, 8, 12, 20, 26], &[1, 1, 2, 1, 0]),
        pieces(&[3, 14, 9, 24], &[3, 0x2A, 3, 4, 1, 0]),
        pieces(&[1, 10, 11, 12, 19], &[1, 1, 0x80, 1, 1]),
        pieces(&[22, 23], &[1, 0x40, 2, 0x40]),
        pieces(&[21, 27], &[1, 5, 1, 1, 6]),
        pieces(&[25], &[1, 0, 0]),
    ]
}

/// A message that is read holds what [`asn1_read`] says.
fn message_of(message: &[u8], types: &Compiled, node: NodeId, own: Options) {
    let mut values = Values::new();
    let value = match asn1::read_prefix(message, types, node, &own, &mut values) {
        Ok((value, used)) => {
            assert!(used <= message.len());
            value
        }
        Err(error) => return says_something(&error),
    };
    let written = match asn1::write(value, &own) {
        Ok(written) => written,
        // A semi-constrained INTEGER is read at any size, and written within 128 bits.
        Err(error) if error.found().to_string() == "a larger number" => return,
        Err(error) => panic!("{error}: {}", message.escape_ascii()),
    };
    comes_back(value, &written, &own);
    let canonical = own.with_canonical(true);
    let only = asn1::write(value, &canonical);
    if let Ok(only) = &only {
        let mut values = Values::new();
        let again = read(only, types, node, &canonical, &mut values);
        assert_eq!(asn1::write(again, &canonical).as_ref(), Ok(only));
    }
    let same = |other: Value<'_>, way: &str| {
        let again = asn1::write(other, &own).unwrap_or_else(|error| panic!("{error}"));
        // The number of presence bits of another version is not part of the value.
        let same = again == written || (only.is_ok() && asn1::write(other, &canonical) == only);
        assert!(same, "{way}: {} is not {}", again.escape_ascii(), written.escape_ascii());
    };
    // What is of a later version has no form elsewhere.
    let mut table = Table::new();
    let is_known = match jer::write(value, &mut table) {
        Ok(document) => {
            let mut values = Values::new();
            let other = jer::read(&document, types, node, &LIMITS, &mut values);
            same(other.unwrap_or_else(|error| panic!("{error}")), "JSON");
            true
        }
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Limit), "{error}");
            false
        }
    };
    if !is_known {
        return;
    }
    // XML has no base of a REAL, but what it has comes back.
    if let Ok(xml) = xer::write(value, false) {
        xml_comes_back(xml.as_bytes(), types, node);
    }
    // Octets of an open type of no known type have no notation.
    let text = match notation::write_value(value) {
        Err(error) if error.kind() == ErrorKind::Unsupported => return,
        text => text.unwrap_or_else(|error| panic!("{error}")),
    };
    let mut values = Values::new();
    let other = notation::read_value(&text, types, Some(node), &LIMITS, &mut values);
    same(other.unwrap_or_else(|error| panic!("{error}: {text}")), "notation");
    for other in 0..4 {
        let other = rules(other);
        if let Ok(written) = asn1::write(value, &other) {
            comes_back(value, &written, &other);
        }
    }
}

/// A message of a value is read as that value.
fn comes_back(value: Value<'_>, message: &[u8], options: &Options) {
    let (types, node) = (value.types(), value.node_id());
    let mut values = Values::new();
    let again = read(message, types, node, options, &mut values);
    let written = asn1::write(again, options).unwrap_or_else(|error| panic!("{error}"));
    assert!(written == message, "{} is not {}", written.escape_ascii(), message.escape_ascii());
    assert_eq!(asn1::encoded_len(value, options), Ok(message.len()));
}

fn read<'v>(
    message: &'v [u8],
    types: &'v Compiled,
    node: NodeId,
    options: &Options,
    values: &'v mut Values,
) -> Value<'v> {
    asn1::read(message, types, node, options, values)
        .unwrap_or_else(|error| panic!("{error}: {:?} {}", options.rules, message.escape_ascii()))
}

/// XML is read as a value, or refused. What was read is written, in either form, and read again as the same.
fn xml_comes_back(xml: &[u8], types: &Compiled, node: NodeId) {
    let mut table = Table::new();
    let Ok(document) = xml::read(xml, &xml::Options::default().with_limits(LIMITS), &mut table) else { return };
    let mut values = Values::new();
    let value = match xer::read(&document, types, node, &LIMITS, &mut values) {
        Ok(value) => value,
        Err(error) => return says_something(&error),
    };
    for canonical in [false, true] {
        let Ok(written) = xer::write(value, canonical) else { continue };
        let mut table = Table::new();
        let document = xml::read(written.as_bytes(), &xml::Options::default().with_limits(LIMITS), &mut table);
        let document = document.unwrap_or_else(|error| panic!("{error}: {written}"));
        let mut values = Values::new();
        let again = xer::read(&document, types, node, &LIMITS, &mut values);
        let again = again.unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(xer::write(again, canonical).as_ref(), Ok(&written));
    }
}

/// A text is read as a value, in notation, as JSON or as XML, or refused; what was read is written, and read
/// again as the same.
pub fn asn1_value(input: &[u8]) {
    let Some((&choice, text)) = input.split_first() else { return };
    let (types, node) = schema(choice);
    if choice & 8 != 0 {
        return xml_comes_back(text, types, node);
    }
    let options = Options::uper().with_limits(LIMITS);
    let mut values = Values::new();
    if choice & 2 == 0 {
        let Ok(text) = std::str::from_utf8(text) else { return };
        match notation::read_value(text, types, Some(node), &LIMITS, &mut values) {
            Ok(value) => {
                let message = asn1::write(value, &options);
                let printed = notation::write_value(value).unwrap_or_else(|error| panic!("{error}"));
                let mut values = Values::new();
                let again = notation::read_value(&printed, types, Some(node), &LIMITS, &mut values);
                let again = again.unwrap_or_else(|error| panic!("{error}: {printed}"));
                assert_eq!(asn1::write(again, &options), message);
            }
            Err(error) => says_something(&error),
        }
        return;
    }
    let mut table = Table::new();
    let kind = if choice & 4 == 0 { json::Types::Json } else { json::Types::Value };
    let Ok(document) = json::read(text, &json::Options::default().with_limits(LIMITS).with_types(kind), &mut table)
    else {
        return;
    };
    match jer::read(&document, types, node, &LIMITS, &mut values) {
        Ok(value) => {
            let message = asn1::write(value, &options);
            let mut table = Table::new();
            let document = jer::write(value, &mut table).unwrap_or_else(|error| panic!("{error}"));
            let mut values = Values::new();
            let again = jer::read(&document, types, node, &LIMITS, &mut values);
            assert_eq!(asn1::write(again.unwrap_or_else(|error| panic!("{error}")), &options), message);
        }
        Err(error) => {
            says_something(&error);
            // A place in the message.
            assert!(error.offset() <= text.len() as u64, "{error}");
        }
    }
}

/// Long messages take the fuzzer long, and show no more.
const LONGEST_SEED: usize = 4096;

/// Values of a schema, made up, as JSON text.
fn made(choice: u8, count: usize) -> Vec<String> {
    let (types, node) = schema(choice);
    let mut random = Random::new(u64::from(choice) + 1);
    let made = (0..count).map(|_| Made::value(types, node, &mut random));
    made.filter(|text| text.len() < LONGEST_SEED).collect()
}

/// Messages to start from, after the byte that selects schema and rules.
pub fn asn1_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for choice in 0..6u8 {
        let (types, node) = schema(choice);
        for text in made(choice, 40) {
            let mut table = Table::new();
            let Ok(document) = json::read(text.as_bytes(), &json::Options::default(), &mut table) else { continue };
            let mut values = Values::new();
            let Ok(value) = jer::read(&document, types, node, &LIMITS, &mut values) else { continue };
            if let Ok(message) = asn1::write(value, &rules(choice / 2))
                && message.len() < LONGEST_SEED
            {
                seeds.push([&[choice], &message[..]].concat());
            }
        }
    }
    seeds
}

/// Texts of values to start from, after the byte that selects schema and form.
pub fn asn1_value_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for choice in 0..2u8 {
        let (types, node) = schema(choice);
        for text in made(choice, 40) {
            seeds.push([&[choice | 2], text.as_bytes()].concat());
            let mut table = Table::new();
            let Ok(document) = json::read(text.as_bytes(), &json::Options::default(), &mut table) else { continue };
            let mut values = Values::new();
            let Ok(value) = jer::read(&document, types, node, &LIMITS, &mut values) else { continue };
            if let Ok(text) = notation::write_value(value) {
                seeds.push([&[choice], text.as_bytes()].concat());
            }
            if let Ok(text) = xer::write(value, false) {
                seeds.push([&[choice | 8], text.as_bytes()].concat());
            }
        }
    }
    seeds
}

/// Modules to start from.
pub fn asn1_notation_seeds() -> Vec<Vec<u8>> {
    [support::MODULE, ODD].map(|text| text.as_bytes().to_vec()).to_vec()
}

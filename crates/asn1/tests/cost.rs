//! What messages and modules that are made to cost may cost: memory within A bytes for each byte of the input and B
//! bytes beside, counted. Work that would be quadratic is done on inputs so long that minutes would show it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_asn1 as asn1;

mod support;

use asn1::{Compiled, Options, Values, jer, notation};
use support::{Type, hex};
use tam::{Error, ErrorKind, Limits, Table};
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often a thing comes beside itself: were the work quadratic, minutes would show it.
const MANY: usize = 30_000;

/// Bytes for each byte of a module that is compiled, and bytes beside.
const MODULE: (usize, usize) = (256, 1 << 20);

/// The same of a message that becomes values and JSON: eight values of a bit in each byte, each of 9 bytes in the
/// store and 16 in the document, while both grow by doubling.
const MESSAGE: (usize, usize) = (8 * 2 * (9 + 16 + 16), 1 << 18);

/// The same where the message is one text.
const TEXT: (usize, usize) = (8, 1 << 18);

#[track_caller]
fn within((factor, beside): (usize, usize), bytes: usize, peak: usize, what: &str) {
    assert!(peak <= factor * bytes + beside, "{what:.60}: {peak} bytes for {bytes}");
}

fn numbered(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

fn compiled(assignments: &str) -> Result<Compiled, Error> {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {assignments} END");
    let (types, peak, _) = cost(|| Compiled::from_notation(&text));
    within(MODULE, text.len(), peak, assignments);
    types
}

/// The values of a message, and its document of JSON.
fn converted(ty: &Type, message: &[u8], options: &Options, cost_of: (usize, usize)) -> Result<(), Error> {
    let work = || {
        let (mut values, mut table) = (Values::new(), Table::new());
        let value = asn1::read(message, &ty.types, ty.node, options, &mut values)?;
        jer::write(value, &mut table).map(|_| ())
    };
    let (result, peak, _) = cost(work);
    within(cost_of, message.len(), peak, &ty.types.node(ty.node).name);
    result
}

/// Names in values are found by tables.
#[test]
fn defaults_of_many_names_cost_no_more_than_their_notation() {
    let (names, last) = (numbered(MANY, |n| format!("e{n}")), MANY - 1);
    for assignments in [
        format!(
            "E ::= ENUMERATED {{ {names} }} T ::= SEQUENCE {{ {} }}",
            numbered(MANY, |n| format!("a{n} E DEFAULT e{last}"))
        ),
        format!(
            "I ::= INTEGER {{ {} }} T ::= SEQUENCE {{ {} }}",
            numbered(MANY, |n| format!("e{n}({n})")),
            numbered(MANY, |n| format!("a{n} I DEFAULT e{last}"))
        ),
        format!(
            "B ::= BIT STRING {{ {} }} T ::= SEQUENCE {{ a B DEFAULT {{ {} }} }}",
            numbered(MANY, |n| format!("e{n}({n})")),
            numbered(MANY, |n| format!("e{}", last - n))
        ),
        format!(
            "R ::= SEQUENCE {{ {} }} r R ::= {{ {} }} T ::= SEQUENCE {{ a R DEFAULT r }}",
            numbered(MANY, |n| format!("a{n} NULL")),
            numbered(MANY, |n| format!("a{} NULL", last - n))
        ),
        format!(
            "C ::= CHOICE {{ {} }} T ::= SEQUENCE {{ {} }}",
            numbered(MANY, |n| format!("a{n} NULL")),
            numbered(MANY, |n| format!("a{n} C DEFAULT a{last} : NULL"))
        ),
    ] {
        compiled(&assignments).unwrap_or_else(|error| panic!("{error} in {assignments:.60}"));
    }
}

/// The path of a component does not repeat all of a long name.
#[test]
fn long_names_are_not_kept_for_everything_in_a_type() {
    let (long, components) = ("a".repeat(MANY), numbered(MANY / 10, |n| format!("a{n} [{n}] NULL")));
    for assignments in [
        format!("A{long} ::= SEQUENCE {{ {components} }}"),
        format!("A{long} ::= CHOICE {{ {components} }}"),
        format!("T ::= SEQUENCE {{ {long} SEQUENCE {{ {components} }} }}"),
        format!("T ::= SEQUENCE {{ {long} SEQUENCE OF SET {{ {components} }} }}"),
    ] {
        compiled(&assignments).unwrap();
    }
    let module = format!(
        "M{long} DEFINITIONS ::= BEGIN {} END",
        numbered(MANY / 10, |n| format!("T{n} ::= NULL")).replace(',', " ")
    );
    let (types, peak, _) = cost(|| Compiled::from_notation(&module).unwrap());
    within(MODULE, module.len(), peak, "a module's name");
    assert_eq!(types.types().count(), MANY / 10);
    // Short paths are whole.
    let types = compiled("T ::= SEQUENCE { a SEQUENCE OF SEQUENCE { b INTEGER } }").unwrap();
    let path = |name: &str, node| types.node(types.member(node, name).unwrap().node).name.clone();
    assert_eq!(path("a", types.find("T").unwrap()), "T.a");
}

/// What short notation expands to is charged to `units`.
#[test]
fn short_notation_that_expands_to_much_is_bounded_by_units() {
    let doubled = |one: &dyn Fn(usize) -> String| (1..14).map(one).collect::<String>();
    let values = numbered(2_000, |n| (2 * n).to_string()).replace(',', "|");
    for assignments in [
        // Components of others, time and again.
        format!(
            "T ::= SEQUENCE {{ {} }} {}",
            numbered(500, |n| format!("a{n} NULL")),
            (0..30).map(|n| format!("T{n} ::= SEQUENCE {{ COMPONENTS OF T }} ")).collect::<String>()
        ),
        // Intervals of a long constraint, and what is cut out of it.
        format!(
            "T ::= INTEGER ({values}) {}",
            (0..100).map(|n| format!("T{n} ::= T (0..{}) ", 3_000 + n)).collect::<String>()
        ),
        // Values of values.
        format!(
            "T0 ::= SEQUENCE OF NULL v0 T0 ::= {{ NULL, NULL }} {} U ::= SEQUENCE {{ a T13 DEFAULT v13 }}",
            doubled(&|n| format!("T{n} ::= SEQUENCE OF T{0} v{n} T{n} ::= {{ v{0}, v{0}, v{0} }} ", n - 1))
        ),
    ] {
        let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {assignments} END");
        let schema = notation::parse_one(&text, &Limits::DEFAULT).unwrap();
        let limits = Limits { units: 10_000, ..Limits::DEFAULT };
        let (types, peak, _) = cost(|| Compiled::with_limits(&schema, &limits));
        let error = types.err().unwrap_or_else(|| panic!("{assignments:.60} is compiled"));
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(error.to_string().contains("limit units"), "{error}");
        within(MODULE, text.len(), peak, &assignments);
    }
}

/// A number of few octets that has many digits where it is written without an exponent (X.694 11.2: xs:decimal).
#[test]
fn zeros_that_exponents_expand_to_are_charged() {
    let decimal = "REAL (WITH COMPONENTS { ..., base (10) })";
    let ty = Type::new(&format!("T ::= SEQUENCE OF {decimal}"));
    let digits =
        |exponent: &str| [&[exponent.len() as u8 + 3, 3][..], b"1.E", exponent.as_bytes()].concat()[1..].to_vec();
    for exponent in ["-19998", "19998"] {
        let number = digits(exponent);
        let uper = |count: usize| {
            let mut message = vec![0x80 | (count >> 8) as u8, count as u8];
            (0..count).for_each(|_| message.extend([&[number.len() as u8][..], &number].concat()));
            message
        };
        let ber = |count: usize| {
            let mut message: Vec<u8> = Vec::new();
            (0..count).for_each(|_| message.extend([&[9, number.len() as u8][..], &number].concat()));
            [&[0x30, 0x82, (message.len() >> 8) as u8, message.len() as u8][..], &message].concat()
        };
        for (options, many, few) in [
            (Options::uper(), uper(1_000), uper(10)),
            (Options::aper(), uper(1_000), uper(10)),
            (Options::ber(), ber(1_000), ber(10)),
        ] {
            let error = converted(&ty, &many, &options, MESSAGE).unwrap_err();
            assert!(error.to_string().contains("(limit expansion_ratio)"), "{error}");
            // Ten of them have 200 kB of digits, in a buffer that grows by doubling.
            converted(&ty, &few, &options, (0, 4 * 200_000)).unwrap();
            let small = Limits { decompressed_bytes: 100_000, ..Limits::DEFAULT };
            let error = converted(&ty, &few, &options.with_limits(small), MESSAGE).unwrap_err();
            assert!(error.to_string().contains("at most 100000 (limit decompressed_bytes)"), "{error}");
        }
        let mut values = Values::new();
        let text = format!("{{ {} }}", numbered(1_000, |_| format!("1E{exponent}")));
        let read = notation::read_value(&text, &ty.types, Some(ty.node), &Limits::DEFAULT, &mut values);
        assert!(read.unwrap_err().to_string().contains("(limit expansion_ratio)"));
    }
}

/// The name of an enumeration is in a document once.
#[test]
fn names_of_enumerations_are_not_copied_for_every_value() {
    let name = "a".repeat(10_000);
    let ty = Type::new(&format!("T ::= SEQUENCE OF ENUMERATED {{ {name}, b }}"));
    // 16 383 values of a bit.
    let message = [hex("BFFF"), vec![0; 2_048]].concat();
    converted(&ty, &message, &Options::uper(), MESSAGE).unwrap();
    assert_eq!(ty.json(&hex("02 40"), &Options::uper()).unwrap(), format!("[\"{name}\",\"b\"]"));
}

/// Values that take no bit are charged to `units`, and no more than a million in a message.
#[test]
fn values_of_no_bit_are_charged() {
    // Four fragments of 65 536 and none.
    let many = hex("C4 C4 C4 C4 00");
    for assignment in [
        "NULL",
        "INTEGER (7)",
        "SEQUENCE { a NULL, b NULL, c INTEGER (3) }",
        "BIT STRING (SIZE (0))",
        "IA5String (FROM (\"a\")) (SIZE (50))",
        "SEQUENCE (SIZE (60000)) OF NULL",
        "CHOICE { a SEQUENCE (SIZE (60000)) OF BOOLEAN (TRUE) }",
    ] {
        let ty = Type::new(&format!("T ::= SEQUENCE OF {assignment}"));
        let limits = Limits { units: 10_000, ..Limits::DEFAULT };
        for options in [Options::uper(), Options::aper()] {
            let error = converted(&ty, &many, &options.with_limits(limits), MESSAGE).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Limit | ErrorKind::Incomplete), "{assignment}: {error}");
            let (_, peak, _) = cost(|| {
                let mut values = Values::new();
                asn1::read(&many, &ty.types, ty.node, &options, &mut values).map(|value| value.len())
            });
            assert!(peak < 40 << 20, "{assignment}: {peak}");
        }
    }
}

/// Strings in pieces of pieces are put together once, not at each level.
#[test]
fn strings_in_pieces_of_pieces_are_copied_once() {
    for (word, tag) in [("OCTET STRING", 0x04), ("UTF8String", 0x0C)] {
        let ty = Type::tagged("", &format!("T ::= {word}"));
        let content = vec![b'a'; 20_000];
        let mut message = [&[0x04, 0x82, 0x4E, 0x20][..], &content].concat();
        for level in (0..900).rev() {
            let tag = if level == 0 { tag | 0x20 } else { 0x24 };
            message = [&[tag, 0x80][..], &message, &[0, 0]].concat();
        }
        let result = converted(&ty, &message, &Options::ber(), TEXT);
        assert!(result.is_ok(), "{word}: {}", result.unwrap_err());
    }
}

/// Open types in fragments within each other are copied at each level, so that these are few.
#[test]
fn open_types_in_fragments_within_each_other_are_few() {
    let ty = Type::new("T ::= SEQUENCE { ..., a T OPTIONAL, b OCTET STRING OPTIONAL }");
    let fragmented = |octets: &[u8]| {
        let (whole, rest) = octets.split_at(octets.len() / 16_384 * 16_384);
        let mut out: Vec<u8> = whole.chunks(16_384).flat_map(|chunk| [&[0xC1][..], chunk].concat()).collect();
        out.extend([0x80 | (rest.len() >> 8) as u8, rest.len() as u8]);
        out.extend(rest);
        out
    };
    // An extension bit, one bit less two for the number of additions in 7, a bit for each, and the open type.
    let head = |bits: u8| [0x80 | 0x01, bits << 6];
    let mut message = [&head(0b01)[..], &fragmented(&vec![0; 100_000])].concat();
    for _ in 0..50 {
        message = [&head(0b10)[..], &fragmented(&message)].concat();
    }
    let work = || {
        let mut values = Values::new();
        asn1::read(&message, &ty.types, ty.node, &Options::aper(), &mut values).map(|_| ())
    };
    let (result, peak, _) = cost(work);
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Limit);
    // Eight levels are copied, and the vectors grow by doubling.
    within((2 * 8, 1 << 18), message.len(), peak, "fragments");
}

/// A size among very many that a constraint allows is found by halving.
#[test]
fn sizes_of_many_intervals_are_found_by_halving() {
    let sizes = numbered(MANY, |n| (2 * n).to_string()).replace(',', "|");
    let ty = Type::tagged("", &format!("T ::= SEQUENCE OF BIT STRING {{ last({}) }} (SIZE ({sizes}))", 2 * MANY));
    // Without the zeros at its end, a value has no bit, which is a size of its own: 15 000 of these, and one of 16 bits.
    let values = [hex("03 01 00").repeat(15_000), hex("03 03 00 00 01")].concat();
    let header = [0x30, 0x83, (values.len() >> 16) as u8, (values.len() >> 8) as u8, values.len() as u8];
    let message = [&header[..], &values].concat();
    converted(&ty, &message, &Options::ber(), MESSAGE).unwrap();
}

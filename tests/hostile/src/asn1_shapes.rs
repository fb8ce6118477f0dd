//! Shapes of modules of ASN.1, of messages by the encoding rules, and of values.

use std::fmt::Write;

use test_support::Random;

use crate::Family::{Counts, Defaults, Names, Parameters, Patterns, References};
use crate::Shape;
use crate::readers::BETWEEN;

const NOTATION: &[&str] = &["asn1 notation"];
const PER: &[&str] = &["per", "aligned per"];
const BER: &[&str] = &["ber"];
const OER: &[&str] = &["oer"];
const ANY: &[&str] = &["per", "aligned per", "ber"];

pub(crate) const SHAPES: &[Shape] = &[
    Shape { readers: NOTATION, family: References, name: "types that double", make: doubling },
    Shape { readers: NOTATION, family: References, name: "components of types that double", make: components_of },
    Shape { readers: NOTATION, family: References, name: "a chain of types", make: chain },
    Shape { readers: NOTATION, family: References, name: "a chain of values", make: value_chain },
    Shape { readers: NOTATION, family: References, name: "a ring of types", make: ring },
    Shape { readers: NOTATION, family: References, name: "modules that import each other", make: modules },
    Shape { readers: NOTATION, family: References, name: "constraints that contain types", make: contained },
    Shape { readers: NOTATION, family: Names, name: "many components", make: many_components },
    Shape { readers: NOTATION, family: Names, name: "long names", make: long_names },
    Shape { readers: NOTATION, family: Names, name: "many alternatives", make: many_alternatives },
    Shape { readers: NOTATION, family: Names, name: "many names of an enumeration", make: enumeration },
    Shape { readers: NOTATION, family: Names, name: "many types", make: many_types },
    Shape { readers: NOTATION, family: Names, name: "components without tags", make: untagged },
    Shape { readers: NOTATION, family: Names, name: "choices in choices", make: nested_choices },
    Shape { readers: NOTATION, family: Defaults, name: "long defaults", make: long_defaults },
    Shape { readers: NOTATION, family: Defaults, name: "a default of values, often", make: default_of_list },
    Shape { readers: NOTATION, family: Counts, name: "levels", make: levels },
    Shape { readers: NOTATION, family: Counts, name: "levels of constraints", make: constraint_levels },
    Shape { readers: NOTATION, family: Counts, name: "ranges", make: ranges },
    Shape { readers: NOTATION, family: Counts, name: "long numbers", make: long_numbers },
    Shape { readers: NOTATION, family: Counts, name: "sizes of sizes", make: sizes },
    Shape { readers: NOTATION, family: Patterns, name: "alphabets", make: alphabets },
    Shape { readers: NOTATION, family: Patterns, name: "values of a set", make: value_set },
    Shape { readers: NOTATION, family: Parameters, name: "types with parameters that double", make: parameters },
    Shape { readers: NOTATION, family: Parameters, name: "many arguments", make: arguments },
    Shape {
        readers: PER,
        family: Counts,
        name: "nulls without bits",
        make: |_, n| message("SEQUENCE OF NULL", &[0xC4].repeat(n)),
    },
    Shape {
        readers: PER,
        family: Counts,
        name: "fixed sizes without bits",
        make: |_, _| message("SEQUENCE (SIZE (65535)) OF SEQUENCE (SIZE (65535)) OF NULL", b""),
    },
    Shape {
        readers: PER,
        family: Counts,
        name: "numbers without bits",
        make: |_, n| message("SEQUENCE OF SEQUENCE { a INTEGER (7), b INTEGER (8) }", &[0xC4].repeat(n)),
    },
    Shape {
        readers: PER,
        family: Counts,
        name: "empty records",
        make: |_, n| message("SEQUENCE OF SEQUENCE {}", &[0xC4].repeat(n)),
    },
    Shape {
        readers: PER,
        family: Counts,
        name: "lengths that are not there",
        make: |_, n| message("SEQUENCE OF OCTET STRING", &[0xC4].repeat(n)),
    },
    Shape {
        readers: PER,
        family: Counts,
        name: "extensions that are not known",
        make: |_, n| message("SEQUENCE OF SEQUENCE { ... }", &[0xFF].repeat(n)),
    },
    Shape {
        readers: PER,
        family: Counts,
        name: "a fixed text, often",
        make: |_, n| message("SEQUENCE OF IA5String (SIZE (65535)) (FROM (\"a\"))", &[0x7F].repeat(n)),
    },
    Shape { readers: PER, family: Defaults, name: "a long default, often", make: per_default },
    Shape { readers: PER, family: Defaults, name: "many optional components, often", make: per_optional },
    Shape { readers: PER, family: Defaults, name: "many additions, often", make: per_additions },
    Shape {
        readers: BER,
        family: Counts,
        name: "lengths that are not there",
        make: |_, n| message("SEQUENCE OF OCTET STRING", &[0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF].repeat(n / 6 + 1)),
    },
    Shape {
        readers: BER,
        family: Counts,
        name: "levels without lengths",
        make: |_, n| {
            message(
                "T2 T2 ::= SEQUENCE { a T2 OPTIONAL }",
                &[&[0x30, 0x80], &[0xA0, 0x80][..].repeat(n / 2)[..]].concat(),
            )
        },
    },
    Shape {
        readers: BER,
        family: Counts,
        name: "levels that are not known",
        make: |_, n| message("SEQUENCE { ... }", &[&[0x30, 0x80], &[0xBF, 0x7F, 0x80][..]].concat().repeat(n / 3 + 1)),
    },
    Shape {
        readers: BER,
        family: Counts,
        name: "strings in pieces",
        make: |_, n| message("OCTET STRING", &[&[0x24, 0x80], &[0x04, 0][..].repeat(n / 2)[..], &[0, 0]].concat()),
    },
    Shape {
        readers: BER,
        family: Counts,
        name: "strings in levels of pieces",
        make: |_, n| message("OCTET STRING", &[0x24, 0x80].repeat(n / 2 + 1)),
    },
    Shape {
        readers: BER,
        family: Counts,
        name: "nulls",
        make: |_, n| message("SEQUENCE OF NULL", &[&[0x30, 0x80], &[5, 0][..].repeat(n / 2)[..], &[0, 0]].concat()),
    },
    Shape {
        readers: BER,
        family: Counts,
        name: "a long integer",
        make: |_, n| message("INTEGER", &[&[2, 0x84], &(n as u32).to_be_bytes()[..], &[0x7F].repeat(n)].concat()),
    },
    Shape { readers: BER, family: Defaults, name: "a long default, often", make: ber_default },
    Shape { readers: BER, family: Defaults, name: "many optional components, often", make: ber_optional },
    Shape { readers: BER, family: Names, name: "components of a set", make: set },
    Shape {
        readers: ANY,
        family: References,
        name: "types that double",
        make: |r, n| {
            let text = doubling(r, n / 2);
            [&text[..], &[BETWEEN][..], &[0xFF].repeat(n / 2)].concat()
        },
    },
    Shape {
        readers: &["asn1 value"],
        family: Counts,
        name: "a long number",
        make: |_, n| value("INTEGER", &"7".repeat(n)),
    },
    Shape {
        readers: &["asn1 value"],
        family: Counts,
        name: "a long fraction",
        make: |_, n| value("REAL", &format!("0.{}", "7".repeat(n))),
    },
    Shape {
        readers: &["asn1 value"],
        family: Counts,
        name: "long exponents",
        make: |_, n| value("SEQUENCE OF REAL", &format!("{{ {}1.0 }}", "1.0E999999999, ".repeat(n / 15))),
    },
    Shape {
        readers: &["asn1 value"],
        family: Counts,
        name: "levels",
        make: |_, n| value("T2 T2 ::= SEQUENCE OF T2", &("{".repeat(n / 2) + &"}".repeat(n / 2))),
    },
    Shape {
        readers: &["asn1 value"],
        family: Counts,
        name: "nulls",
        make: |_, n| value("SEQUENCE OF NULL", &format!("{{ {}NULL }}", "NULL,".repeat(n / 5))),
    },
    Shape { readers: &["asn1 value"], family: Defaults, name: "a long default, often", make: value_default },
    Shape { readers: &["jer"], family: Counts, name: "a long number", make: |_, n| value("INTEGER", &"7".repeat(n)) },
    Shape {
        readers: &["jer"],
        family: Counts,
        name: "levels",
        make: |_, n| value("T2 T2 ::= SEQUENCE OF T2", &("[".repeat(n / 2) + &"]".repeat(n / 2))),
    },
    Shape { readers: &["jer"], family: Defaults, name: "many optional components, often", make: jer_optional },
    Shape {
        readers: &["jer"],
        family: Names,
        name: "members that are not known",
        make: |_, n| {
            let members: String = (0..n / 10).map(|m| format!(",\"m{m}\":0")).collect();
            value("SEQUENCE { a NULL, ... }", &format!("{{\"a\":null{members}}}"))
        },
    },
];

pub(crate) const OER_SHAPES: &[Shape] = &[
    Shape {
        readers: OER,
        family: Counts,
        name: "nulls without octets",
        make: |_, n| message("SEQUENCE OF SEQUENCE OF NULL", &[2, 0x40, 0].repeat(n / 3 + 1)),
    },
    Shape {
        readers: OER,
        family: Counts,
        name: "quantities that are not there",
        make: |_, n| message("SEQUENCE OF OCTET STRING", &[4, 0x7F, 0xFF, 0xFF, 0xFF].repeat(n / 5 + 1)),
    },
    Shape {
        readers: OER,
        family: Counts,
        name: "long lengths",
        make: |_, n| message("SEQUENCE OF OCTET STRING", &[&[0xFF], &[0].repeat(n)[..]].concat()),
    },
    Shape {
        readers: OER,
        family: Counts,
        name: "levels of open types",
        make: |_, n| message("T2 T2 ::= SEQUENCE { ..., a T2 }", &[0x80, 2, 7, 0x80, 0x7F].repeat(n / 5 + 1)),
    },
    Shape {
        readers: OER,
        family: Counts,
        name: "extensions that are not known",
        make: |_, n| message("SEQUENCE { ... }", &[&[0x80, 0x82, 0x10, 0, 0][..], &[0xFF].repeat(n)].concat()),
    },
    Shape {
        readers: OER,
        family: Counts,
        name: "a long integer",
        make: |_, n| message("INTEGER (0..MAX)", &[&[0x84], &(n as u32).to_be_bytes()[..], &[0x7F].repeat(n)].concat()),
    },
    Shape { readers: OER, family: Defaults, name: "many additions, often", make: oer_additions },
    Shape { readers: OER, family: Defaults, name: "many optional components, often", make: oer_optional },
];

fn module(assignments: &str) -> Vec<u8> {
    format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{assignments}\nEND\n").into_bytes()
}

fn message(ty: &str, message: &[u8]) -> Vec<u8> {
    [&module(&format!("T ::= {ty}"))[..], &[BETWEEN], message].concat()
}

fn value(ty: &str, value: &str) -> Vec<u8> {
    message(ty, value.as_bytes())
}

/// Assignments that each refer to the next one.
fn each(size: usize, mut assignment: impl FnMut(&mut String, usize, usize), last: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::new();
    let mut count = 0;
    while text.len() < size {
        assignment(&mut text, count, count + 1);
        text.push('\n');
        count += 1;
    }
    module(&(text + &last(count)))
}

fn doubling(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(5);
    let name = |n: usize| if n == 0 { "T".to_owned() } else { format!("T{n}") };
    each(
        size,
        |text, n, next| {
            let members: Vec<String> = (0..times).map(|m| format!("m{m} {}", name(next))).collect();
            write!(text, "{} ::= SEQUENCE {{ {} }}", name(n), members.join(", ")).unwrap();
        },
        |n| format!("{} ::= NULL", name(n)),
    )
}

fn components_of(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(3);
    each(
        size,
        |text, n, next| {
            let members = vec![format!("COMPONENTS OF T{next}"); times].join(", ");
            write!(text, "T{n} ::= SEQUENCE {{ m{n} NULL, {members} }}").unwrap();
        },
        |n| format!("T{n} ::= SEQUENCE {{ x NULL }}"),
    )
}

fn chain(random: &mut Random, size: usize) -> Vec<u8> {
    let constraint = random.of(&["", " (0..9)", " (SIZE (0..9))", " (ALL EXCEPT 3)"]);
    let last = if constraint.contains("SIZE") { "OCTET STRING" } else { "INTEGER" };
    each(size, |text, n, next| write!(text, "T{n} ::= T{next}{constraint}").unwrap(), |n| format!("T{n} ::= {last}"))
}

fn value_chain(_: &mut Random, size: usize) -> Vec<u8> {
    each(
        size,
        |text, n, next| write!(text, "v{n} INTEGER ::= v{next}").unwrap(),
        |n| format!("v{n} INTEGER ::= 7 T ::= INTEGER (0..v0)"),
    )
}

fn ring(random: &mut Random, size: usize) -> Vec<u8> {
    let member = random.of(&["", "SEQUENCE OF ", "[1] ", "CHOICE { a "]);
    let end = if member.ends_with("a ") { " }" } else { "" };
    each(size, |text, n, next| write!(text, "T{n} ::= {member}T{next}{end}").unwrap(), |n| format!("T{n} ::= T0"))
}

fn modules(_: &mut Random, size: usize) -> Vec<u8> {
    let mut text = String::new();
    let count = size / 90 + 2;
    for n in 0..count {
        let next = (n + 1) % count;
        writeln!(
            text,
            "M{n} DEFINITIONS ::= BEGIN IMPORTS T{next} FROM M{next}; T{n} ::= SEQUENCE {{ t T{next} OPTIONAL }} END"
        )
        .unwrap();
    }
    text.into_bytes()
}

fn contained(_: &mut Random, size: usize) -> Vec<u8> {
    each(
        size,
        |text, n, next| write!(text, "T{n} ::= INTEGER (T{next} | T{next} ^ T{next})").unwrap(),
        |n| format!("T{n} ::= INTEGER (0..9)"),
    )
}

fn list(size: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut count = 0;
    while text.len() < size {
        if count > 0 {
            text += ", ";
        }
        text += &item(count);
        count += 1;
    }
    text
}

fn many_components(random: &mut Random, size: usize) -> Vec<u8> {
    let ending = random.of(&["", " OPTIONAL", " DEFAULT 3"]);
    module(&format!("T ::= SEQUENCE {{ {} }}", list(size, |n| format!("m{n} INTEGER{ending}"))))
}

fn long_names(random: &mut Random, size: usize) -> Vec<u8> {
    let name = "n".repeat(1 + random.below(size / 4 + 1));
    module(&format!("T ::= SEQUENCE {{ {} }}", list(size, |n| format!("{name}{n} NULL"))))
}

fn many_alternatives(_: &mut Random, size: usize) -> Vec<u8> {
    module(&format!("T ::= CHOICE {{ {} }}", list(size, |n| format!("m{n} NULL"))))
}

fn enumeration(random: &mut Random, size: usize) -> Vec<u8> {
    let numbered = random.one_in(2);
    let item = |n| if numbered { format!("e{n}({})", n * 7) } else { format!("e{n}") };
    module(&format!("T ::= ENUMERATED {{ {} }}", list(size, item)))
}

fn many_types(_: &mut Random, size: usize) -> Vec<u8> {
    each(size, |text, n, _| write!(text, "T{n} ::= BOOLEAN").unwrap(), |n| format!("T{n} ::= NULL"))
}

fn untagged(random: &mut Random, size: usize) -> Vec<u8> {
    let kind = random.of(&["SEQUENCE", "SET", "CHOICE"]);
    let text = format!("T ::= {kind} {{ {} }}", list(size, |n| format!("m{n} [{n}] NULL OPTIONAL")));
    let text = if kind == "CHOICE" { text.replace(" OPTIONAL", "") } else { text };
    format!("M DEFINITIONS ::= BEGIN {text} END").into_bytes()
}

fn nested_choices(random: &mut Random, size: usize) -> Vec<u8> {
    let width = 1 + random.below(20);
    let mut text = String::new();
    let mut count = 0;
    while text.len() < size {
        let own: String = (0..width).map(|m| format!(", n{m} [{}] NULL", count * width + m)).collect();
        writeln!(text, "T{count} ::= CHOICE {{ m T{}{own} }}", count + 1).unwrap();
        count += 1;
    }
    format!("M DEFINITIONS ::= BEGIN {text} T{count} ::= CHOICE {{ x BOOLEAN }} END").into_bytes()
}

fn long_defaults(random: &mut Random, size: usize) -> Vec<u8> {
    let default = "x".repeat(1 + random.below(size / 4 + 1));
    module(&format!("T ::= SEQUENCE {{ {} }}", list(size, |n| format!("m{n} UTF8String DEFAULT \"{default}\""))))
}

fn default_of_list(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let default = list(part, |_| "1".to_owned());
    let uses = list(size - part + 1, |n| format!("m{n} L DEFAULT v"));
    module(&format!("L ::= SEQUENCE OF INTEGER v L ::= {{ {default} }} T ::= SEQUENCE {{ {uses} }}"))
}

fn levels(random: &mut Random, size: usize) -> Vec<u8> {
    let (open, end) = random.of(&[("SEQUENCE OF ", ""), ("SEQUENCE { a ", " }"), ("[1] ", ""), ("CHOICE { a ", " }")]);
    let count = size / (open.len() + end.len());
    module(&format!("T ::= {}NULL{}", open.repeat(count), end.repeat(count)))
}

fn constraint_levels(random: &mut Random, size: usize) -> Vec<u8> {
    let (open, end) = random.of(&[("(", ")"), ("(ALL EXCEPT ", ")"), ("(1|", ")"), ("(SIZE ", ")")]);
    let count = size / (open.len() + end.len());
    module(&format!("T ::= INTEGER {}1{}", open.repeat(count), end.repeat(count)))
}

fn ranges(random: &mut Random, size: usize) -> Vec<u8> {
    let factor = 1 + random.below(5);
    let ranges = list(size, |n| format!("{}..{}", n * factor, n * factor + 1)).replace(',', " |");
    let except = if random.one_in(2) { format!("(ALL EXCEPT ({ranges}))") } else { format!("({ranges})") };
    module(&format!("T ::= INTEGER {except}"))
}

fn long_numbers(random: &mut Random, size: usize) -> Vec<u8> {
    let digits = "7".repeat(1 + random.below(size));
    module(&format!("T ::= INTEGER ({})", list(size, |_| digits.clone()).replace(',', " |")))
}

fn sizes(random: &mut Random, size: usize) -> Vec<u8> {
    let bound = random.of(&["0..9", "65535", "0..18446744073709551615", "0..MAX"]);
    each(
        size,
        |text, n, next| write!(text, "T{n} ::= SEQUENCE (SIZE ({bound})) OF T{next}").unwrap(),
        |n| format!("T{n} ::= NULL"),
    )
}

fn alphabets(random: &mut Random, size: usize) -> Vec<u8> {
    let ranges: Vec<String> =
        (0..size / 14).map(|n| format!("\"{0}\"..\"{0}\"", char::from(b'a' + (n % 26) as u8))).collect();
    let ty = random.of(&["IA5String", "BMPString", "UTF8String", "UniversalString"]);
    module(&format!("T ::= {ty} (FROM ({}))", ranges.join(" | ")))
}

fn value_set(_: &mut Random, size: usize) -> Vec<u8> {
    module(&format!("T ::= UTF8String ({})", list(size, |n| format!("\"v{n}\"")).replace(',', " |")))
}

fn parameters(random: &mut Random, size: usize) -> Vec<u8> {
    let times = 1 + random.below(3);
    each(
        size,
        |text, n, next| {
            let members: Vec<String> = (0..times).map(|m| format!("m{m} P{next}{{T}}")).collect();
            write!(text, "P{n}{{T}} ::= SEQUENCE {{ {} }}", members.join(", ")).unwrap();
        },
        |n| format!("P{n}{{T}} ::= T A ::= P0{{NULL}}"),
    )
}

fn arguments(_: &mut Random, size: usize) -> Vec<u8> {
    let names = list(size / 3, |n| format!("A{n}"));
    let members = list(size / 3, |n| format!("a{n} A{n}"));
    let arguments = list(size / 3, |_| "NULL".to_owned());
    module(&format!("P{{{names}}} ::= SEQUENCE {{ {members} }} T ::= P{{{arguments}}}"))
}

fn per_default(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ a UTF8String DEFAULT \"{}\" }}", "x".repeat(part));
    message(&ty, &records(1, size - part))
}

/// Bytes of notation a component, about.
const COMPONENT: usize = 18;

/// Records of so many components that are not there, a bit each, as many records as fit.
fn records(components: usize, size: usize) -> Vec<u8> {
    let count = (8 * size / components.max(1)).min(16_383);
    let length = (0x8000 | count as u16).to_be_bytes();
    [&length[..], &[0].repeat(size + components)].concat()
}

fn per_optional(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ending = random.of(&["OPTIONAL", "DEFAULT NULL"]);
    let ty = format!("SEQUENCE OF SEQUENCE {{ {} }}", list(part, |n| format!("m{n} NULL {ending}")));
    message(&ty, &records(part / COMPONENT, size - part))
}

fn per_additions(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ ..., {} }}", list(part, |n| format!("m{n} NULL OPTIONAL")));
    message(&ty, &records(1, size - part))
}

fn oer_additions(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ ..., {} }}", list(part, |n| format!("m{n} NULL OPTIONAL")));
    let count = (size - part) as u32;
    message(&ty, &[&[4], &count.to_be_bytes()[..], &[0].repeat(size - part)].concat())
}

fn oer_optional(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ {} }}", list(part, |n| format!("m{n} NULL OPTIONAL")));
    let count = ((size - part) / (part / COMPONENT / 8 + 1)) as u32;
    message(&ty, &[&[4], &count.to_be_bytes()[..], &[0].repeat(size + part)].concat())
}

fn ber_default(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ a UTF8String DEFAULT \"{}\" }}", "x".repeat(part));
    message(&ty, &[&[0x30, 0x80], &[0x30, 0][..].repeat((size - part) / 2)[..], &[0, 0]].concat())
}

fn ber_optional(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ {} }}", list(part, |n| format!("m{n} NULL OPTIONAL")));
    message(&ty, &[&[0x30, 0x80], &[0x30, 0][..].repeat((size - part) / 2)[..], &[0, 0]].concat())
}

fn set(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SET {{ {}, ... }}", list(part, |n| format!("m{n} NULL OPTIONAL")));
    let count = (part / 20).min(31);
    let members: Vec<u8> = (0..(size - part) / 2).flat_map(|n| [0x80 | (n % (count + 1)) as u8, 0]).collect();
    message(&ty, &[&[0x31, 0x80], &members[..], &[0, 0]].concat())
}

fn value_default(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ a UTF8String DEFAULT \"{}\" }}", "x".repeat(part));
    value(&ty, &format!("{{ {}{{}} }}", "{},".repeat((size - part) / 3)))
}

fn jer_optional(random: &mut Random, size: usize) -> Vec<u8> {
    let part = 1 + random.below(size);
    let ty = format!("SEQUENCE OF SEQUENCE {{ {} }}", list(part, |n| format!("m{n} NULL OPTIONAL")));
    value(&ty, &format!("[{}{{}}]", "{},".repeat((size - part) / 3)))
}

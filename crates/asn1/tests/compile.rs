//! Schemas that mean harm, or that are only strange: they hold themselves, name themselves, double
//! themselves, are very long. They are compiled or refused in time and memory that grow with their
//! length, and on a small stack.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_asn1 as asn1;

mod support;

use std::fmt::Write;
use std::thread;

use asn1::schema::{Constraint, Constraints, Fields, Kind, Meaning, Schema, Type as Notation};
use asn1::{Compiled, Limits, Options};
use support::{Type, compiled, modules};
use tam::{Error, ErrorKind};
use test_support::Random;
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

/// A small stack: 256 KiB; calls take a multiple of it where nothing is optimised.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { 256 << 10 };

/// Compiles on a small stack; with the most bytes held at once, and how often some were asked for.
fn on_a_small_stack(tags: &str, assignments: &str) -> (Result<Compiled, Error>, usize, usize) {
    thread::scope(|scope| {
        let work = || cost(|| compiled(tags, assignments));
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

fn refusal(tags: &str, assignments: &str) -> Error {
    match on_a_small_stack(tags, assignments).0 {
        Err(error) => error,
        Ok(_) => panic!("{assignments:.300} is compiled"),
    }
}

/// Faults of X.680, by clause: 51.5 (sizes), 31.2.9 (IMPLICIT), 16.2 (values of their types), 32.3 (names of arcs); and a name
/// of X.682 clause 10.
#[test]
fn faults_are_refused_at_their_place() {
    for (assignments, line, words) in [
        ("T ::=\nOCTET STRING (SIZE (-1..3))", 2, "found the size -1, expected sizes from 0 (X.680 clause 51.5)"),
        (
            "T ::= SEQUENCE { a NULL, b [1]\nIMPLICIT CHOICE { x NULL } }",
            1,
            "found IMPLICIT before CHOICE, expected EXPLICIT: a CHOICE and an open type have no tag to replace (X.680 clause \
             31.2.9)",
        ),
        ("T ::= NULL\nx INTEGER (0..3) ::= 7", 2, "found 7, expected a value of its type"),
        ("T ::= NULL x INTEGER (0..3) ::= y\ny INTEGER ::= 4", 1, "found 4, expected a value of its type"),
        ("T ::= NULL\nx OBJECT IDENTIFIER ::= { foo 3 }", 2, "foo is neither defined nor imported"),
        (
            "C ::= CLASS { &id INTEGER UNIQUE, &T } S C ::= { { &id 1, &T NULL } }\n\
             T ::= SEQUENCE { id C.&id ({S}), v C.&T ({S}\n{@ide}) }",
            2,
            "found @ide, expected a component around the open type",
        ),
    ] {
        let error = refusal("EXPLICIT TAGS", assignments);
        let text = error.to_string();
        assert_eq!(error.position().map(|(line, _)| line), Some(line), "{text}");
        assert!(text.ends_with(words), "{text}");
    }
    for assignments in [
        "T ::= OCTET STRING (SIZE (MIN..3))",
        "T ::= SEQUENCE { b [1] CHOICE { x NULL } }",
        "T ::= NULL x INTEGER (0..3, ...) ::= 7 y INTEGER { a(9) } ::= a",
        "T ::= NULL x OBJECT IDENTIFIER ::= { iso member-body 3 y } y INTEGER ::= 5 z OBJECT IDENTIFIER ::= { x y(4) 5 }",
    ] {
        on_a_small_stack("EXPLICIT TAGS", assignments).0.unwrap_or_else(|error| panic!("{assignments}: {error}"));
    }
}

#[test]
fn types_may_hold_themselves_by_any_way_round() {
    for assignments in [
        "T ::= SEQUENCE OF T",
        "T ::= SEQUENCE OF [1] T",
        "T ::= SEQUENCE OF [1] [2] EXPLICIT T",
        "T ::= SET OF T (SIZE (0..3))",
        "T ::= SEQUENCE OF U U ::= SEQUENCE OF [3] T",
        "T ::= SEQUENCE OF CHOICE { a T, b [5] T, c [6] SEQUENCE OF T (SIZE (1)) }",
        "T ::= SEQUENCE { a T }",
        "T ::= SEQUENCE { a [1] T OPTIONAL, b [2] SEQUENCE (SIZE (2)) OF [3] T }",
        "T ::= CHOICE { a T, b NULL }",
        "T ::= CHOICE { a [1] EXPLICIT T }",
        "T ::= SET { a U OPTIONAL } U ::= [7] V V ::= [8] T",
        "T ::= SEQUENCE { COMPONENTS OF U, t T OPTIONAL } U ::= SEQUENCE { u T OPTIONAL }",
        "T ::= SEQUENCE { a T DEFAULT {}, b BOOLEAN DEFAULT TRUE }",
    ] {
        let (types, peak, _) = on_a_small_stack("AUTOMATIC TAGS", assignments);
        types.unwrap_or_else(|error| panic!("{assignments}: {error}"));
        assert!(peak < 100_000, "{assignments}: {peak} bytes");
    }
    // The constraint holds for the inner ones, and goes on holding.
    let ty = Type::new("T ::= SEQUENCE OF T (SIZE (0..1))");
    for (json, fits) in [("[[],[],[]]", true), ("[[[[]]],[[]]]", true), ("[[[],[]]]", false), ("[[[[],[]]]]", false)] {
        assert_eq!(ty.message(json, &Options::uper()).is_ok(), fits, "{json}");
    }
}

#[test]
fn what_leads_nowhere_is_refused_with_its_place() {
    for assignments in [
        "T ::= U U ::= T",
        "T ::= T",
        "T ::= [1] T",
        "T ::= T (1)",
        "T ::= a < T",
        "T ::= CHOICE { a b < T, b a < T }",
        "T ::= SEQUENCE { COMPONENTS OF T }",
        "T ::= SEQUENCE { COMPONENTS OF U } U ::= SET { COMPONENTS OF T }",
        "T ::= INTEGER (0..a) a INTEGER ::= b b INTEGER ::= a",
        "T ::= INTEGER { a(b), b(a) } (a) c INTEGER ::= c",
        "T ::= INTEGER (T)",
        "T ::= INTEGER (U) U ::= INTEGER (V | 0) V ::= INTEGER (T ^ U)",
        "T ::= INTEGER (T (0..1) | T (2..3))",
        "T ::= IA5String (FROM (U)) U ::= IA5String (FROM (T))",
        "T ::= IA5String (FROM (a)) a IA5String ::= a",
        "T ::= SEQUENCE { a T DEFAULT v } v T ::= { a v }",
        "T ::= SEQUENCE OF T U ::= SEQUENCE { t T DEFAULT v } v T ::= { v, v }",
        "T ::= BOOLEAN U ::= SEQUENCE { t T DEFAULT v } v T ::= w w T ::= v",
        "T ::= ENUMERATED { a(b) } b INTEGER ::= b",
        "T ::= BIT STRING { a(b) } b INTEGER ::= c c INTEGER ::= b",
        "T ::= SEQUENCE { a Missing }",
        "T ::= INTEGER (missing)",
        "T ::= INTEGER (0..5) U ::= SEQUENCE { t T DEFAULT 9 }",
        "T ::= SEQUENCE { a INTEGER, COMPONENTS OF U } U ::= SEQUENCE { b NULL, a BOOLEAN }",
        "T ::= INTEGER (5..3)",
        "T ::= OCTET STRING (SIZE (1) ^ SIZE (2))",
        "T ::= IA5String (FROM (\"a\") ^ FROM (\"b\")) (SIZE (1))",
        "T ::= SEQUENCE { a T DEFAULT TRUE }",
        "T ::= REAL U ::= SEQUENCE { t T DEFAULT { mantissa 1, base 3, exponent 1 } }",
        "T ::= ENUMERATED { a(1), b(1) }",
        "T ::= ENUMERATED { a(9223372036854775808), b(9223372036854775808) }",
        "T ::= ENUMERATED { a, ..., b(9223372036854775808), c(9223372036854775807) }",
        "T ::= a < CHOICE { b NULL }",
    ] {
        let error = refusal("AUTOMATIC TAGS", assignments);
        assert!(matches!(error.kind(), ErrorKind::Schema | ErrorKind::Limit | ErrorKind::Unsupported), "{error}");
        assert!(error.position().is_some(), "{assignments}: {error}");
        assert!(error.to_string().len() < 400, "{error}");
    }
    for assignments in [
        "T ::= CHOICE { a T, b NULL }",
        "T ::= CHOICE { a U, b BOOLEAN } U ::= CHOICE { c T, d NULL }",
        "T ::= CHOICE { a INTEGER, b INTEGER }",
        "T ::= SET { a INTEGER, b CHOICE { c BOOLEAN, d INTEGER } }",
    ] {
        assert_eq!(refusal("EXPLICIT TAGS", assignments).kind(), ErrorKind::Schema, "{assignments}");
    }
}

#[test]
fn modules_that_import_from_each_other_in_a_circle_are_refused() {
    let text = |other: &str| format!("DEFINITIONS ::= BEGIN IMPORTS T FROM {other}; U ::= T END");
    let (a, b) = (format!("A {}", text("B")), format!("B {}", text("A")));
    let schema = asn1::notation::parse(&[("a", &a), ("b", &b)], &Limits::DEFAULT).unwrap();
    assert_eq!(Compiled::new(&schema).unwrap_err().kind(), ErrorKind::Schema);
    let own = format!("C {}", text("C"));
    let schema = asn1::notation::parse_one(&own, &Limits::DEFAULT);
    assert!(schema.and_then(|schema| Compiled::new(&schema)).is_err());
}

/// What X.680 clause 51 and X.682 have, and no value is checked against.
#[test]
fn constraints_that_nothing_is_checked_against_are_listed() {
    let found = |ty: &str| {
        let notation = format!(
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= {ty}
             Half ::= REAL (0.5) Word ::= IA5String (SIZE (1..9)) (\"a\" | \"b\") Few ::= INTEGER (1..3) END"
        );
        let types = Compiled::from_notation(&notation).unwrap_or_else(|error| panic!("{ty}: {error}"));
        let of_type = types.unchecked().iter().filter(|one| one.path.starts_with('T'));
        of_type.map(|one| one.element).collect::<Vec<_>>()
    };
    for ty in [
        "INTEGER (1 | 3..5 | Few)",
        "INTEGER (ALL EXCEPT 3)",
        "IA5String (SIZE (1..4)) (FROM (\"a\"..\"c\" | \"z\"))",
        "OCTET STRING (SIZE (4))",
        "BIT STRING (SIZE (4, ...))",
        "SEQUENCE (SIZE (1..2)) OF BOOLEAN",
        "DATE (\"2011-01-01\"..\"2011-12-31\")",
        "DURATION ((WITH COMPONENTS { ..., seconds ABSENT }))",
        "REAL (WITH COMPONENTS { ..., base (10) })",
        "OCTET STRING (CONTAINING INTEGER)",
        // An extensible constraint allows every value.
        "REAL (0.5..1.5, ...)",
    ] {
        assert!(found(ty).is_empty(), "{ty}: {:?}", found(ty));
    }
    for (ty, elements) in [
        ("REAL (0.5..1.5)", &["value range"][..]),
        ("REAL (1...2)", &["value range"]),
        ("REAL (0 | 0.5..<1)", &["value range", "single value"]),
        ("REAL (INCLUDES Half)", &["contained type"]),
        ("BOOLEAN (TRUE)", &["single value"]),
        ("ENUMERATED { x, y } (x)", &["single value"]),
        ("IA5String (\"a\")", &["single value"]),
        ("IA5String (SIZE (1) ^ PATTERN \"a*\")", &["PATTERN"]),
        ("OCTET STRING (CONTAINING INTEGER ENCODED BY {1 2 3})", &["CONTAINING"]),
        ("OCTET STRING (ENCODED BY {1 2 3})", &["CONTAINING"]),
        ("OCTET STRING (CONSTRAINED BY { -- twice -- })", &["CONSTRAINED BY"]),
        ("SEQUENCE { a NULL OPTIONAL } (WITH COMPONENTS { a ABSENT })", &["WITH COMPONENTS"]),
        ("SEQUENCE OF INTEGER (WITH COMPONENT (5))", &["WITH COMPONENT"]),
        ("SEQUENCE { a BOOLEAN (TRUE), b SEQUENCE OF REAL (0..1) }", &["single value", "value range"]),
        ("REAL (WITH COMPONENTS { ..., mantissa (0..9) })", &["WITH COMPONENTS"]),
        ("INTEGER (ALL EXCEPT (5 | CONSTRAINED BY {}))", &["CONSTRAINED BY"]),
    ] {
        let mut all = found(ty);
        all.sort_by_key(|element| elements.iter().position(|other| other == element));
        assert_eq!(all, elements, "{ty}");
    }
    // What a contained type asks for is in its own constraint.
    let types = Compiled::from_notation(
        "M DEFINITIONS ::= BEGIN T ::= IA5String (INCLUDES Word)\nWord ::= IA5String (\"a\" | \"b\") END",
    );
    let types = types.unwrap();
    assert!(types.unchecked().iter().all(|one| one.module == "M" && one.position.line == 2), "{:?}", types.unchecked());
    assert_eq!(types.unchecked().len(), 2);
}

/// Assignments that each contain the previous one twice.
fn doubled(count: usize, one: impl Fn(usize) -> String) -> String {
    (1..count).map(|i| one(i) + "\n").collect()
}

#[test]
fn what_doubles_is_bounded() {
    let values = |i: usize| {
        let before = i - 1;
        format!("T{i} ::= SEQUENCE {{ x T{before}, y T{before} }} v{i} T{i} ::= {{ x v{before}, y v{before} }}")
    };
    for assignments in [
        format!(
            "U0 ::= SEQUENCE {{}} {}",
            doubled(50, |i| format!("U{i} ::= SEQUENCE {{ COMPONENTS OF U{}, COMPONENTS OF U{0} }}", i - 1))
        ),
        format!(
            "U0 ::= SEQUENCE {{ a NULL }} {}",
            doubled(50, |i| format!("U{i} ::= SEQUENCE {{ COMPONENTS OF U{}, COMPONENTS OF U{0} }}", i - 1))
        ),
        format!(
            "A0 ::= INTEGER (0..9) {}",
            doubled(50, |i| format!("A{i} ::= INTEGER (A{} (0..9) | A{0} (0..8) | INCLUDES A{0})", i - 1))
        ),
        format!(
            "A0 ::= IA5String (FROM (\"a\")) {}",
            doubled(50, |i| format!("A{i} ::= IA5String (FROM (A{} (SIZE (1)) | A{0} (SIZE (2))))", i - 1))
        ),
        format!("T0 ::= NULL v0 T0 ::= NULL {} Z ::= SEQUENCE {{ z T40 DEFAULT v40 }}", doubled(41, values)),
        format!(
            "B ::= BIT STRING {{ b(4294967295) }} Z ::= SEQUENCE {{ z SEQUENCE OF B DEFAULT {{ {} {{b}} }} }}",
            "{b},".repeat(2000)
        ),
        format!(
            "B ::= BIT STRING {{ b(524287) }} Z ::= SEQUENCE {{ z SEQUENCE OF B DEFAULT {{ {} {{b}} }} }}",
            "{b},".repeat(2000)
        ),
        format!(
            "long UTF8String ::= \"{}\" Z ::= SEQUENCE {{ z SEQUENCE OF UTF8String DEFAULT {{ {} long }} }}",
            "x".repeat(50_000),
            "long,".repeat(5000)
        ),
        format!(
            "C0 ::= CHOICE {{ z [0] NULL }} {}",
            doubled(50, |i| format!("C{i} ::= CHOICE {{ a C{}, b C{0} }}", i - 1))
        ),
    ] {
        let (result, peak, _) = on_a_small_stack("IMPLICIT TAGS", &assignments);
        if let Err(error) = result {
            assert!(matches!(error.kind(), ErrorKind::Schema | ErrorKind::Limit), "{assignments:.200}: {error}");
        }
        assert!(peak < 300 << 20, "{assignments:.200}: {peak} bytes");
    }
    // A value of 2^40 values in no bit is sound, and is compiled.
    let sound = doubled(40, |i| format!("B{i} ::= SEQUENCE {{ a B{}, b B{0} }}", i - 1));
    on_a_small_stack("AUTOMATIC TAGS", &format!("B0 ::= NULL {sound}")).0.unwrap();
}

/// Long schemas of a shape, by how many there are of what makes them long.
type Shape = (&'static str, &'static str, fn(usize) -> String);

/// What makes a list of `count`.
fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    (0..count).for_each(|i| write!(text, "{}{}", if i > 0 { ", " } else { "" }, one(i)).unwrap());
    text
}

/// One a line.
fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(|i| one(i) + "\n").collect()
}

const CLASS: &str = "C ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &T } WITH SYNTAX { &T BY &id }";

const LONG: [Shape; 16] = [
    ("types", "AUTOMATIC TAGS", |n| {
        doubled(n, |i| format!("T{i} ::= SEQUENCE {{ a INTEGER (0..{i}), b T{i} OPTIONAL }}"))
    }),
    ("types that hold the one before", "AUTOMATIC TAGS", |n| {
        format!("T0 ::= NULL {}", doubled(n, |i| format!("T{i} ::= SEQUENCE {{ a T{} }}", i - 1)))
    }),
    ("arrays of the one before", "AUTOMATIC TAGS", |n| {
        format!("T0 ::= NULL {}", doubled(n, |i| format!("T{i} ::= SEQUENCE OF [1] T{}", i - 1)))
    }),
    ("alternatives", "AUTOMATIC TAGS", |n| format!("T ::= CHOICE {{ {} }}", list(n, |i| format!("a{i} INTEGER")))),
    ("components", "AUTOMATIC TAGS", |n| format!("T ::= SET {{ {} }}", list(n, |i| format!("a{i} INTEGER OPTIONAL")))),
    ("additions", "AUTOMATIC TAGS", |n| {
        format!("T ::= SEQUENCE {{ ..., {} }}", list(n / 2, |i| format!("a{i} NULL, [[ b{i} NULL ]]")))
    }),
    ("enumerations", "AUTOMATIC TAGS", |n| {
        format!("T ::= ENUMERATED {{ {}, ..., {} }}", list(n, |i| format!("a{i}")), list(n, |i| format!("b{i}")))
    }),
    ("enumerations used again", "AUTOMATIC TAGS", |n| {
        let items = list(n, |i| format!("e{i}"));
        format!("E ::= ENUMERATED {{ {items} }} T ::= SEQUENCE {{ {} }}", list(n, |i| format!("a{i} E")))
    }),
    ("values in a union", "AUTOMATIC TAGS", |n| {
        format!("E ::= INTEGER (9) T ::= INTEGER (E | {})", list(n, |i| (2 * i + 50).to_string()).replace(',', " |"))
    }),
    ("values in a union used again", "AUTOMATIC TAGS", |n| {
        let union = list(n, |i| (2 * i).to_string()).replace(',', " |");
        format!("E ::= INTEGER ({union}) T ::= SEQUENCE {{ {} }}", list(n, |i| format!("a{i} E")))
    }),
    ("names of numbers", "AUTOMATIC TAGS", |n| {
        let union = list(n, |i| format!("n{i}")).replace(',', " |");
        format!("T ::= INTEGER {{ {} }} ({union})", list(n, |i| format!("n{i}({})", 2 * i)))
    }),
    ("characters", "AUTOMATIC TAGS", |n| {
        let text: String = (0..n).map(|i| char::from_u32(0x2_0000 + 2 * i as u32).unwrap()).collect();
        format!("T ::= UniversalString (FROM (\"{text}\"))")
    }),
    ("characters used again", "AUTOMATIC TAGS", |n| {
        let text: String = (0..n).map(|i| char::from_u32(0x2_0000 + 2 * i as u32).unwrap()).collect();
        format!("E ::= UniversalString (FROM (\"{text}\")) T ::= SEQUENCE {{ {} }}", list(n, |i| format!("a{i} E")))
    }),
    ("components used again", "AUTOMATIC TAGS", |n| {
        let inner = list(n, |i| format!("a{i} BOOLEAN"));
        format!("B ::= SEQUENCE {{ {inner} }} T ::= SEQUENCE {{ {} }}", list(n, |i| format!("b{i} B")))
    }),
    ("tags", "EXPLICIT TAGS", |n| format!("T ::= {} INTEGER", "[1] ".repeat(n))),
    ("defaults", "AUTOMATIC TAGS", |n| {
        format!("T ::= SEQUENCE {{ {} }}", list(n, |i| format!("a{i} SEQUENCE OF INTEGER DEFAULT {{ {i}, {i} }}")))
    }),
];

/// What is expanded (X.681 to X.683), where two definitions are made of twenty characters.
const EXPANDED: [Shape; 5] = [
    ("instances", "AUTOMATIC TAGS", |n| {
        format!("A {{INTEGER:i}} ::= INTEGER (0..i) {}", many(n, |i| format!("X{i} ::= A {{{i}}}")))
    }),
    ("instances of instances", "AUTOMATIC TAGS", |n| {
        let one = |i| format!("X{i} ::= B {{B {{SEQUENCE {{ a INTEGER (0..{i}) }}}}}}");
        format!("B {{T}} ::= SEQUENCE {{ t T OPTIONAL }} {}", many(n, one))
    }),
    ("objects with identifiers, each twice", "AUTOMATIC TAGS", |n| {
        let objects = list(n, |i| format!("{{ INTEGER BY {{1 2 {}}} }}", i / 2)).replace("}, {", "} | {");
        format!("{CLASS} S C ::= {{ {objects} }} R ::= SEQUENCE {{ i C.&id ({{S}}), v C.&T ({{S}}{{@i}}) }}")
    }),
    ("sets of sets", "AUTOMATIC TAGS", |n| {
        let sets = many(n, |i| format!("S{i} C ::= {{ {{ INTEGER BY {{1 2 {i}}} }} }}"));
        let union = list(n, |i| format!("S{i}")).replace(',', " |");
        format!("{CLASS} {sets} S C ::= {{ {union} }} R ::= SEQUENCE {{ i C.&id ({{S}}), v C.&T ({{S}}{{@i}}) }}")
    }),
    ("objects without what is optional", "AUTOMATIC TAGS", |n| {
        let fields = list(100, |i| format!("&f{i} INTEGER OPTIONAL"));
        let syntax = many(100, |i| format!("[{} &f{i}]", "W".repeat(i + 1)));
        let objects = many(n / 10, |i| format!("o{i} D ::= {{ BY {i} }}"));
        let used = list(n / 10, |i| format!("c{i} INTEGER (0..o{i}.&id)"));
        format!(
            "D ::= CLASS {{ {fields}, &id INTEGER }} WITH SYNTAX {{ {syntax} BY &id }} {objects} T ::= SEQUENCE {{ {used} }}"
        )
    }),
];

/// Twice as long takes no more than a bit over twice as much. Were the time quadratic, minutes would
/// show it.
fn takes_by_its_length((name, tags, shape): Shape, size: usize, most: usize) {
    let (result, peak, allocations) = on_a_small_stack(tags, &shape(size));
    result.unwrap_or_else(|error| panic!("{name}: {error}"));
    let (result, twice, many) = on_a_small_stack(tags, &shape(2 * size));
    result.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(twice < peak * 5 / 2 + 100_000, "{name}: {peak} bytes, {twice} for twice as much");
    assert!(many < allocations * 5 / 2 + 1000, "{name}: {allocations}, {many} for twice as much");
    assert!(twice < shape(2 * size).len() * most, "{name}: {twice} bytes for {}", shape(2 * size).len());
}

#[test]
fn long_schemas_take_memory_and_time_by_their_length() {
    LONG.into_iter().for_each(|shape| takes_by_its_length(shape, 5_000, 150));
}

#[test]
fn what_is_expanded_takes_memory_and_time_by_its_length() {
    EXPANDED.into_iter().for_each(|shape| takes_by_its_length(shape, 2_000, 300));
}

/// What instances, parameters and fields multiply.
#[test]
fn what_multiplies_is_refused() {
    let components = list(400, |i| format!("c{i} INTEGER (0..i)"));
    let plain = list(400, |i| format!("c{i} INTEGER"));
    let instances = many(5_000, |i| format!("X{i} ::= A {{{i}}}"));
    let long = "x".repeat(50_000);
    let in_all = "at most 67108864 (limit characters in all instances)";
    for (assignments, expected) in [
        (format!("A {{INTEGER:i}} ::= SEQUENCE {{ {components} }} {instances}"), in_all),
        (
            format!("A {{INTEGER:i}} ::= SEQUENCE {{ a UTF8String DEFAULT \"{long}\", b INTEGER (0..i) }} {instances}"),
            in_all,
        ),
        (
            format!(
                "A {{INTEGER:i}} ::= INTEGER (i | {}) {instances}",
                list(1000, |i| i.to_string()).replace(',', " |")
            ),
            in_all,
        ),
        (
            format!(
                "B {{T}} ::= SEQUENCE {{ t T }} A {{INTEGER:i}} ::= B {{SEQUENCE {{ {plain}, n INTEGER (0..i) }}}} {instances}"
            ),
            in_all,
        ),
        (
            format!("A {{T}} ::= SEQUENCE {{ t T }} X ::= {}NULL{}", "A {".repeat(100_000), "}".repeat(100_000)),
            "at most 48 levels of types, constraints and values",
        ),
        (format!("A {{{}}} ::= NULL", list(100_000, |i| format!("T{i}"))), "at most 64 (limit parameters)"),
        (format!("C ::= CLASS {{ {} }}", list(100_000, |i| format!("&f{i} NULL"))), "at most 1024 (limit fields)"),
    ] {
        let (result, peak, _) = on_a_small_stack("AUTOMATIC TAGS", &assignments);
        let error = result.err().unwrap_or_else(|| panic!("{assignments:.200} is compiled"));
        assert_eq!(
            (error.kind(), error.expected().to_string().as_str()),
            (ErrorKind::Limit, expected),
            "{assignments:.200}"
        );
        assert!(peak < 300 << 20, "{assignments:.200}: {peak} bytes");
    }
    assert!(refusal("AUTOMATIC TAGS", "A {T, T} ::= T").to_string().contains("parameters of different names"));
}

/// If short notation expands to much, all schemas together have a limit.
#[test]
#[ignore = "half a minute; run with --release"]
fn short_schemas_that_expand_to_much_are_refused() {
    let components = list(60_000, |i| format!("a{i} I"));
    let alternatives = list(10_000, |i| format!("a{i} [{i}] NULL"));
    let union = list(30_000, |i| (2 * i).to_string()).replace(',', " |");
    let objects = list(1000, |i| format!("{{ INTEGER BY {{1 {i}}} }}")).replace("}, {", "} | {");
    let row = |i: usize| format!("X{i} ::= SEQUENCE {{ i C.&id ({{S {{{i}}}}}), v C.&T ({{S {{{i}}}}}{{@i}}) }}");
    let doubled = many(40, |i| format!("A{} {{T}} ::= SEQUENCE {{ a A{i} {{T}}, b A{i} {{SEQUENCE OF T}} }}", i + 1));
    for assignments in [
        format!("A0 {{T}} ::= SEQUENCE {{ t T }} {doubled} X ::= A40 {{BOOLEAN}}"),
        format!("{CLASS} S {{INTEGER:k}} C ::= {{ {objects} | {{ NULL BY {{2 k}} }} }} {}", many(2500, row)),
        format!(
            "I ::= INTEGER B ::= SEQUENCE {{ {components} }} {}",
            many(1000, |i| format!("X{i} ::= SEQUENCE {{ COMPONENTS OF B }}"))
        ),
        format!("C ::= CHOICE {{ {alternatives} }} {}", many(5000, |i| format!("X{i} ::= SET {{ c C }}"))),
        format!("E ::= INTEGER ({union}) {}", many(30_000, |i| format!("X{i} ::= E (0..{})", 60_000 - i))),
        format!("E ::= INTEGER ({union}) T ::= INTEGER (MIN..MAX {})", "^ E (0..60000) ".repeat(30_000)),
        format!("E ::= INTEGER ({union}) {}", many(30_000, |i| format!("X{i} ::= INTEGER (E) (0 | 8)"))),
    ] {
        let (result, peak, _) = on_a_small_stack("IMPLICIT TAGS", &assignments);
        let error = result.err().unwrap_or_else(|| panic!("{assignments:.200} is compiled"));
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(peak < 1 << 30, "{assignments:.200}: {peak} bytes");
    }
}

/// Notation is checked when it is parsed; a program may make what could not be.
#[test]
fn schemas_that_no_notation_makes_are_refused_or_compiled() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= NULL END";
    let with = |ty: Notation| {
        let mut schema = asn1::notation::parse_one(text, &Limits::DEFAULT).unwrap();
        schema.modules[0].assignments[0].meaning = Meaning::Type(ty);
        Compiled::new(&schema)
    };
    let nothing =
        |constraints: Constraints| Notation::new(Kind::Integer(Vec::new())).constrained(Constraint::from(constraints));
    assert!(with(Notation::new(Kind::Choice(Fields::default()))).is_err());
    assert!(with(Notation::new(Kind::Enumerated(asn1::schema::Enumeration::default()))).is_err());
    assert!(with(Notation::new(Kind::Sequence(Fields::default()))).is_ok());
    for constraints in [Constraints::Union(Vec::new()), Constraints::Intersection(Vec::new())] {
        assert!(with(nothing(constraints)).is_ok());
    }
    assert!(with(Notation::reference("")).is_err());
    assert!(Compiled::new(&Schema::default()).unwrap().types().next().is_none());
    let twice = asn1::notation::parse_one(text, &Limits::DEFAULT).unwrap();
    let twice = Schema { modules: [twice.modules.clone(), twice.modules].concat(), ..Schema::default() };
    assert_eq!(Compiled::new(&twice).unwrap_err().kind(), ErrorKind::Schema);
}

/// Modules with words changed, left out or said again.
fn spoiled_modules(count: usize, random: &mut Random) -> (usize, usize) {
    let (mut read, mut refused) = (0, 0);
    for _ in 0..count {
        let text = modules::module(random).text;
        let mut words: Vec<&str> = text.split(' ').collect();
        for _ in 0..=random.below(2) {
            let (at, other) = (random.below(words.len()), words[random.below(words.len())]);
            match random.below(5) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, other),
                2 => {
                    words[at] =
                        random.of(&["T0", "T1", "T3", "0", "-1", "MAX", "...,", "OPTIONAL", "340282366920938463463"])
                }
                _ => words[at] = other,
            }
        }
        let text = words.join(" ");
        let schema = asn1::notation::parse_one(&text, &Limits::DEFAULT);
        match schema.and_then(|schema| Compiled::new(&schema)) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(error.offset() <= text.len() as u64, "{error}");
                refused += 1;
            }
        }
    }
    (read, refused)
}

#[test]
fn spoiled_modules_are_refused_or_compiled() {
    let (read, refused) = spoiled_modules(400, &mut Random::new(30));
    assert!(read > 10 && refused > 100, "{read} compiled, {refused} refused");
}

#[test]
#[ignore = "minutes; run with --release"]
fn many_spoiled_modules_are_refused_or_compiled() {
    let (read, refused) = spoiled_modules(300_000, &mut Random::new(31));
    println!("{read} compiled, {refused} refused");
}

/// X.680 clause 13.16: a name imported from two modules is used with its module.
#[test]
fn names_imported_from_two_modules_need_the_module() {
    let text = |used: &str| {
        format!(
            "M DEFINITIONS ::= BEGIN IMPORTS T FROM A T FROM B; U ::= {used} END
             A DEFINITIONS ::= BEGIN T ::= INTEGER END  B DEFINITIONS ::= BEGIN T ::= BOOLEAN END"
        )
    };
    let error = Compiled::from_notation(&text("T")).unwrap_err().to_string();
    assert!(error.contains("T, which is imported from both A and B"), "{error}");
    assert!(Compiled::from_notation(&text("B.T")).is_ok());
    // One that passes the name on is no second definition.
    assert!(Compiled::from_notation(&text("T").replace("T ::= BOOLEAN", "IMPORTS T FROM A; X ::= T")).is_ok());
}

/// X.683 clause 9.5: a reference to a type with parameters has actual ones. Published modules leave them out.
#[test]
fn types_without_their_parameters_are_not_usable() {
    let types = Compiled::from_notation(
        "M DEFINITIONS ::= BEGIN P {X} ::= SEQUENCE { a X } T ::= SEQUENCE { p P } C ::= CHOICE { p [0] P } U ::= NULL END",
    );
    let types = types.unwrap();
    assert!(types.find("U").is_ok());
    for name in ["T", "C"] {
        let error = types.find(name).unwrap_err().to_string();
        assert!(error.contains("P without its parameters (1)"), "{error}");
    }
}

/// X.680 clause 13.16, and X.660 Annex A: the letters below `recommendation` are 1 to 26.
#[test]
fn published_import_lists_and_recommendations() {
    let text =
        "M DEFINITIONS ::= BEGIN IMPORTS A FROM N  play {}, B FROM O {0 0 q 773}; T ::= SEQUENCE { a A, b B } END
        N DEFINITIONS ::= BEGIN A ::= NULL END
        O {0 0 q 773} DEFINITIONS ::= BEGIN B ::= OBJECT IDENTIFIER (v) play {INTEGER:x} INTEGER ::= x
        v OBJECT IDENTIFIER ::= {itu-t recommendation q 773 as(1)} END";
    let types = Compiled::from_notation(text).unwrap();
    assert!(types.find("M.T").is_ok());
    let mut values = asn1::Values::new();
    let b = types.find("O.B").unwrap();
    let value = asn1::notation::read_value(
        "{itu-t recommendation q 773 as(1)}",
        &types,
        Some(b),
        &Limits::DEFAULT,
        &mut values,
    );
    // 0.0, 17, 773 = 6 * 128 + 5, 1.
    assert_eq!(asn1::write(value.unwrap(), &asn1::Options::ber()).unwrap(), [6, 5, 0, 17, 0x86, 5, 1]);
}

#[test]
fn errors_about_tags_name_the_source_of_the_type() {
    let one = "A DEFINITIONS ::= BEGIN IMPORTS U FROM B; T ::= SEQUENCE OF U END";
    for ty in ["CHOICE { a [0] NULL, b [0] NULL }", "SET { a [0] NULL, b [0] NULL }"] {
        let two = format!("B DEFINITIONS ::= BEGIN U ::= {ty} END");
        let error = Compiled::from_sources(&[("a", one), ("b", &two)], &Limits::DEFAULT).unwrap_err();
        assert_eq!(error.name, "b", "{}", error.error);
        // A type that can be used leaves the others.
        let one = "A DEFINITIONS ::= BEGIN T ::= NULL END";
        let (_, types) = Compiled::from_sources(&[("a", one), ("b", &two)], &Limits::DEFAULT).unwrap();
        let (module, name, error) = types.refused().next().unwrap();
        assert_eq!((module, name, error.path(), error.position()), ("B", "U", "B", Some((1, 31))));
        assert!(
            types.find("T").is_ok() && types.find("U").unwrap_err().to_string().contains("a and b of the same tag")
        );
    }
}

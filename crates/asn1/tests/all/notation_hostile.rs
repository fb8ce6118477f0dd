//! Notation that is made to hurt: deep, long, repetitive, cut off, spoiled. It is refused or read in
//! time and memory that grow with its length, and on a small stack.

use asn1::notation::{self, NESTING};
use asn1::schema::{Kind, Meaning, Schema};
use tam::{Error, ErrorKind, Limits};
use test_support::Random;

/// How often a thing is repeated within itself.
const DEEPLY: usize = 1_000_000;

/// How often a thing is repeated beside itself: were the time quadratic, minutes would show it.
const MANY: usize = 50_000;

fn parse(text: &str) -> Result<Schema, Error> {
    notation::parse_one(text, &Limits::default())
}

/// `M DEFINITIONS ::= BEGIN T ::= …`.
fn module(assignment: &str) -> String {
    format!("M DEFINITIONS ::= BEGIN T ::= {assignment}")
}

/// Deep notation: the text before the repeated part, the part, what is inside, what closes the part, and the text after
/// it.
const DEEP: [(&str, &str, &str, &str, &str); 17] = [
    ("", "SEQUENCE OF ", "NULL", "", ""),
    ("", "SET SIZE (1) OF a ", "NULL", "", ""),
    ("", "SEQUENCE { a ", "NULL", " }", ""),
    ("", "SET { ..., [[ 1: a ", "NULL", " ]] }", ""),
    ("", "CHOICE { a ", "NULL", " }", ""),
    ("", "SEQUENCE { COMPONENTS OF ", "U", " }", ""),
    ("", "a < ", "U", "", ""),
    ("", "[1] SEQUENCE OF ", "NULL", "", ""),
    ("INTEGER (", "(", "1", ")", ")"),
    ("INTEGER (", "INTEGER (", "1", ")", ")"),
    ("INTEGER (", "INCLUDES INTEGER (", "1", ")", ")"),
    ("INTEGER (", "SIZE (", "1", ")", ")"),
    ("INTEGER (", "WITH COMPONENTS { a (", "1", ") }", ")"),
    ("INTEGER (1 ! ", "INTEGER (1 ! ", "1", ") : 1", ")"),
    ("OCTET STRING (", "CONTAINING OCTET STRING (", "SIZE (1)", ")", ")"),
    ("INTEGER v U ::= ", "{ a ", "1", " }", ""),
    ("INTEGER v U ::= ", "a : ", "1", "", ""),
];

#[test]
fn what_is_nested_a_million_times_is_refused_where_it_gets_too_deep() {
    for (front, part, ..) in DEEP {
        let text = module(&format!("{front}{}", part.repeat(DEEPLY)));
        let error = parse(&text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{part}: {error}");
        let levels = error.offset() as usize / part.len();
        assert!(levels <= 2 * NESTING as usize, "{part}: {error}");
    }
}

#[test]
fn the_deepest_that_is_read_fits_on_a_small_stack() {
    for (front, part, within, close, after) in DEEP {
        // The most of them that can be read.
        let text = move |times| module(&format!("{front}{}{within}{}{after}", part.repeat(times), close.repeat(times)));
        let deepest = (1..).take_while(|times| parse(&text(*times)).is_ok()).last().unwrap_or_else(|| panic!("{part}"));
        assert!(deepest >= NESTING as usize / 2 - 3, "{part}: only {deepest}");
        let work = move || {
            let schema = parse(&text(deepest)).unwrap();
            let copy = schema.clone();
            assert_eq!(copy, schema);
            assert!(format!("{schema:?}").len() < 1_000_000);
            assert!(format!("{schema:#?}").len() < 10_000_000);
            let printed = notation::print_schema(&schema);
            assert_eq!(parse(&printed).unwrap().modules, copy.modules);
        };
        // Clippy's rustc, which compiles the tests of `make test`, leaves out the first optimizations, so frames are larger.
        let stack = if cfg!(clippy) { 512 << 10 } else { 256 << 10 };
        let thread = std::thread::Builder::new().stack_size(stack).spawn(work).unwrap();
        assert!(thread.join().is_ok(), "{part}");
    }
}

#[test]
fn a_lower_limit_of_depth_is_reported_by_its_name() {
    let limits = Limits { depth: 3, ..Limits::default() };
    assert!(notation::parse_one(&module("SET OF SET OF NULL"), &limits).is_ok());
    let error = notation::parse_one(&module("SET OF SET OF SET OF NULL"), &limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "limit at byte 51 (line 1, column 52) in M.T: found one more level, expected at most 3 (limit depth)"
    );
}

#[test]
fn long_notation_is_read_in_one_pass() {
    let numbered = |form: fn(usize) -> String| (0..MANY).map(form).collect::<String>();
    let texts = [
        format!("M DEFINITIONS ::= BEGIN {}", numbered(|n| format!("T{n}::=NULL "))),
        format!("M DEFINITIONS ::= BEGIN {}", numbered(|n| format!("v{n} T::=w "))),
        numbered(|n| format!("M{n} DEFINITIONS ::= BEGIN END ")),
        format!("M DEFINITIONS ::= BEGIN IMPORTS {} END", "A FROM B ".repeat(MANY) + ";"),
        module(&format!("ENUMERATED {{ {} }}", numbered(|n| format!("e{n},")) + "z")),
        module(&format!("ENUMERATED {{ {} }}", numbered(|n| format!("e{n}({n}),")) + "..., z")),
        module(&format!("INTEGER {{ {} }}", numbered(|n| format!("e{n}({n}),")) + "z(0)")),
        module(&format!("SEQUENCE {{ {} }}", numbered(|n| format!("e{n} NULL,")) + "..., z NULL")),
        module(&format!("CHOICE {{ z NULL, ..., {} }}", numbered(|n| format!("[[e{n} NULL]],")) + "y NULL")),
        module(&format!("{} NULL", "[1]".repeat(MANY))),
        module(&format!("INTEGER {}", "(1)".repeat(MANY))),
        module(&format!("INTEGER ({})", "1|".repeat(MANY) + "2")),
        module(&format!("INTEGER ({})", "1^".repeat(MANY) + "2")),
        module(&format!("INTEGER (CONSTRAINED BY {{ {}{} }})", "{".repeat(MANY), "}".repeat(MANY))),
        module(&format!("NULL v T ::= {{ {} }}", "a(1) ".repeat(MANY))),
        module(&format!("NULL v T ::= {{ {} }}", "a 1,".repeat(MANY) + "b 2")),
        module(&format!("NULL v T ::= \"{}\"", "\"\"".repeat(MANY))),
        module(&format!("NULL v T ::= \"{}\"", "  \n".repeat(MANY))),
        module(&format!("NULL v T ::= '{}'B", "0 ".repeat(MANY))),
        module(&format!("NULL v T ::= {}", "1".repeat(MANY))),
        module(&format!("NULL v T ::= a{}", "-b".repeat(MANY))),
        module(&format!("NULL {}", "--x--".repeat(MANY))),
        module(&format!("NULL {}{}", "/*".repeat(DEEPLY), "*/".repeat(DEEPLY))),
        module(&format!("[XER:LIST {}] NULL", "a ".repeat(MANY))),
        module(&format!("NULL ENCODING-CONTROL XER {}", "LIST T ".repeat(MANY))),
        module(&format!("NULL ENCODING-CONTROL XER LIST {}", "a.b,".repeat(MANY))),
    ];
    for text in texts {
        let start = &text[..text.floor_char_boundary(80)];
        let schema = parse(&text).unwrap_or_else(|error| panic!("{start}…: {error}"));
        drop(schema);
    }
}

#[test]
fn long_notation_that_is_wrong_at_its_end_is_refused_there() {
    let texts = [
        (module(&"/*".repeat(DEEPLY)), ErrorKind::Incomplete),
        (module(&format!("NULL v T ::= \"{}", "\"\"".repeat(MANY))), ErrorKind::Incomplete),
        (module(&format!("NULL v T ::= '{}", "0".repeat(MANY))), ErrorKind::Incomplete),
        (module(&format!("ENUMERATED {{ a{} }}", ", a".repeat(MANY))), ErrorKind::Syntax),
        (module(&format!("[{}", "[".repeat(MANY))), ErrorKind::Syntax),
        ("}".repeat(MANY), ErrorKind::Syntax),
        ("A".repeat(MANY), ErrorKind::Incomplete),
        (module(&"1".repeat(MANY)), ErrorKind::Syntax),
        (module(&format!("[{}] NULL", "1".repeat(MANY))), ErrorKind::Unsupported),
    ];
    for (text, kind) in texts {
        let error = parse(&text).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().len() < 300, "{error}");
    }
}

#[test]
fn every_lexical_item_is_one_of_the_units() {
    let text = module("SEQUENCE { a INTEGER (1..2) OPTIONAL }");
    let units = text.split_whitespace().count() as u32 + 4; // Parentheses, the dots and the 2 have no space.
    let limits = Limits { units, ..Limits::default() };
    assert!(notation::parse_one(&text, &limits).is_ok());
    let error = notation::parse_one(&text, &Limits { units: units - 1, ..limits }).unwrap_err();
    assert_eq!((error.kind(), error.offset() as usize), (ErrorKind::Limit, text.len() - 1));
}

#[test]
fn tags_that_are_named_in_a_circle_are_refused() {
    let chain = (0..MANY).map(|n| format!("v{n} INTEGER ::= v{} ", n + 1)).collect::<String>();
    for (values, number) in [
        ("a INTEGER ::= b b INTEGER ::= a", None),
        ("a INTEGER ::= a", None),
        ("a INTEGER ::= b", None),
        ("a INTEGER ::= M.b b INTEGER ::= 4294967295", Some(u32::MAX)),
        ("a INTEGER ::= 4294967296", None),
        ("a INTEGER ::= -1", None),
        ("a BOOLEAN ::= TRUE", None),
        (&format!("a INTEGER ::= v0 {chain}"), None),
    ] {
        let start = &values[..values.len().min(60)];
        match (parse(&format!("M DEFINITIONS ::= BEGIN {values} T ::= [a] NULL")), number) {
            (Ok(schema), Some(number)) => {
                let Meaning::Type(ty) = &schema.modules[0].assignment("T").unwrap().meaning else { panic!() };
                let asn1::schema::Prefix::Tag(tag, _) = &ty.prefixes[0] else { panic!() };
                assert_eq!((tag.number, &ty.kind), (number, &Kind::Null), "{start}");
            }
            (Err(error), None) => assert_eq!((error.kind(), error.path()), (ErrorKind::Schema, "M.T"), "{start}"),
            (other, _) => panic!("{start}: {other:?}"),
        }
    }
}

/// Notation of every kind, to be spoiled.
const SAMPLE: &str = include_str!("notation/sample.asn1");

/// That what is said of a text is so, whatever the text.
fn check(text: &str) {
    match parse(text) {
        Ok(schema) => {
            let printed = notation::print_schema(&schema);
            match parse(&printed) {
                Ok(again) => assert_eq!(again.modules, schema.modules, "from\n{text}\nas\n{printed}"),
                Err(error) => panic!("{error} in\n{printed}\nfrom\n{text}"),
            }
        }
        Err(error) => {
            let at = error.offset() as usize;
            let before = text.get(..at).unwrap_or_else(|| panic!("{error} in\n{text}"));
            let (line, column) = error.position().unwrap();
            assert_eq!(line as usize, before.matches('\n').count() + 1, "{error} in\n{text}");
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            assert_eq!(column as usize, before[start..].chars().count() + 1, "{error} in\n{text}");
            let at_end = error.kind() == ErrorKind::Incomplete;
            assert!(!at_end || at == text.len(), "{error} in\n{text}");
        }
    }
}

#[test]
fn every_beginning_of_a_module_is_read_or_refused() {
    for end in (0..=SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
        check(&SAMPLE[..end]);
    }
}

#[test]
fn spoiled_modules_are_read_or_refused() {
    let mut random = Random::new(680);
    // Words and signs, and what is between them.
    let mut parts: Vec<&str> = SAMPLE.split_inclusive(|c: char| !c.is_alphanumeric() && c != '-').collect();
    parts.retain(|part| !part.is_empty());
    for _ in 0..test_support::rounds(5_000) {
        let mut spoiled = parts.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(spoiled.len());
            match random.below(4) {
                0 => drop(spoiled.remove(at)),
                1 => spoiled.insert(at, random.of(&parts)),
                2 => spoiled[at] = random.of(&parts),
                _ => {
                    let other = random.below(spoiled.len());
                    spoiled.swap(at, other);
                }
            }
        }
        check(&spoiled.concat());
    }
}

#[test]
fn spoiled_characters_are_read_or_refused() {
    let mut random = Random::new(693);
    let characters: Vec<char> = SAMPLE.chars().collect();
    let others: Vec<char> = "\"'{}[]()|^.,:;!@<>-*/&=_\0\n\r\u{B} aZ09é\u{A0}\u{1F600}".chars().collect();
    for _ in 0..test_support::rounds(5_000) {
        let mut spoiled = characters.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(spoiled.len());
            match random.below(3) {
                0 => drop(spoiled.remove(at)),
                1 => spoiled.insert(at, random.of(&others)),
                _ => spoiled[at] = random.of(&others),
            }
        }
        check(&spoiled.into_iter().collect::<String>());
    }
}

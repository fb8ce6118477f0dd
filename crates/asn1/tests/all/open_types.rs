//! Open types: the table finds the type of a value by the object's identifier, in every set of rules.

use asn1::{Compiled, Limits, Options, Values, jer, notation};
use tam::{ErrorKind, Table};

/// A protocol in the style of the 3GPP, with a field that comes before its key as well.
const PROTOCOL: &str = "
    P DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Id ::= INTEGER (0..65535)
    Criticality ::= ENUMERATED { reject, ignore }
    IES ::= CLASS { &id Id UNIQUE, &criticality Criticality, &Value }
      WITH SYNTAX { ID &id CRITICALITY &criticality TYPE &Value }
    Container {IES:Set} ::= SEQUENCE (SIZE (0..9)) OF Field {{Set}}
    Field {IES:Set} ::= SEQUENCE {
      id IES.&id ({Set}), criticality IES.&criticality ({Set}{@id}), value IES.&Value ({Set}{@id}) }
    ValueFirst {IES:Set} ::= SEQUENCE { value IES.&Value ({Set}{@id}), id IES.&id ({Set}) }
    name IES ::= { ID 1 CRITICALITY reject TYPE UTF8String }
    Known IES ::= { name | { ID 300 CRITICALITY ignore TYPE Inner }, ... }
    Inner ::= SEQUENCE { list Container {{Known}}, flag BOOLEAN }
    Message ::= Container {{Known}}
    Late ::= ValueFirst {{Known}}
    END";

fn options() -> [Options; 5] {
    [Options::uper(), Options::aper(), Options::ber(), Options::der(), Options::oer()]
}

/// A message as JSON text, read and written by every set of rules, and as JSON again; cut short it is refused.
fn goes_round(types: &Compiled, root: &str, json: &str) {
    for message in goes_round_in(types, root, json, &options()) {
        for end in 0..message.1.len() {
            let mut values = Values::new();
            let read = asn1::read(&message.1[..end], types, types.find(root).unwrap(), &message.0, &mut values);
            assert!(read.is_err(), "{:?} {end}", message.0);
        }
    }
}

/// The same by some rules, without what is cut short. Returns the messages.
fn goes_round_in(types: &Compiled, root: &str, json: &str, rules: &[Options]) -> Vec<(Options, Vec<u8>)> {
    let node = types.find(root).unwrap();
    let mut table = Table::new();
    let document = text::json::read(json.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
    let mut messages = Vec::new();
    for options in rules {
        let mut values = Values::new();
        let value = jer::read(&document, types, node, &Limits::default(), &mut values).unwrap();
        let message = asn1::write(value, options).unwrap();
        let mut again = Values::new();
        let value = asn1::read(&message, types, node, options, &mut again).unwrap();
        assert_eq!(asn1::write(value, options).unwrap(), message, "{options:?}");
        let mut table = Table::new();
        let written = jer::write(value, &mut table).unwrap();
        let mut shown = Vec::new();
        text::json::append(&written, &text::json::Options::default(), &mut shown).unwrap();
        assert_eq!(String::from_utf8(shown).unwrap(), json, "{options:?}");
        messages.push((*options, message));
    }
    messages
}

#[test]
fn the_identifier_finds_the_type_before_and_behind_the_value() {
    let types = Compiled::from_notation(PROTOCOL).unwrap();
    let inner = r#"{"list":[{"id":1,"criticality":"reject","value":"x"}],"flag":true}"#;
    let json = format!(
        r#"[{{"id":1,"criticality":"reject","value":"é"}},{{"id":300,"criticality":"ignore","value":{inner}}}]"#
    );
    goes_round(&types, "Message", &json);
    goes_round(&types, "Late", &format!(r#"{{"value":{inner},"id":300}}"#));
}

/// By X.691 clauses 11.2 and 11.9: a length, then the value with its own padding.
#[test]
fn octets_are_those_of_the_clauses() {
    let types = Compiled::from_notation(PROTOCOL).unwrap();
    let node = types.find("Message").unwrap();
    // One component in four bits, identifier 1, reject; then an open type of three octets: a UTF8String of two.
    let message = [0x10, 0x00, 0x01, 0x00, 0x03, 0x02, 0x68, 0x69];
    let mut values = Values::new();
    let value = asn1::read(&message, &types, node, &Options::aper(), &mut values).unwrap();
    assert_eq!(value.get("0/value").unwrap().as_str(), Some("hi"));
    assert_eq!(asn1::write(value, &Options::aper()).unwrap(), message);
}

#[test]
fn what_no_row_has_stays_octets_and_says_so() {
    let types = Compiled::from_notation(PROTOCOL).unwrap();
    let node = types.find("Message").unwrap();
    for (options, name, json) in [
        (Options::uper(), "per", r#"[{"id":7,"criticality":"ignore","value":{"per":"0A0B"}}]"#),
        (Options::aper(), "per", r#"[{"id":7,"criticality":"ignore","value":{"per":"0A0B"}}]"#),
        (Options::oer(), "oer", r#"[{"id":7,"criticality":"ignore","value":{"oer":"0A0B"}}]"#),
        (Options::ber(), "ber", r#"[{"id":7,"criticality":"ignore","value":{"ber":"040141"}}]"#),
    ] {
        let mut table = Table::new();
        let document = text::json::read(json.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
        let mut values = Values::new();
        let value = jer::read(&document, &types, node, &Limits::default(), &mut values).unwrap();
        let message = asn1::write(value, &options).unwrap();
        let mut again = Values::new();
        let value = asn1::read(&message, &types, node, &options, &mut again).unwrap();
        assert!(value.get("0/value").unwrap().unknown().is_some(), "{name}");
        assert_eq!(asn1::write(value, &options).unwrap(), message);
        // Octets of other rules are refused.
        let other = if name == "ber" { Options::uper() } else { Options::ber() };
        assert_eq!(asn1::write(value, &other).unwrap_err().kind(), ErrorKind::Unsupported, "{name}");
    }
}

#[test]
fn keys_of_several_kinds_find_rows() {
    let types = Compiled::from_notation(
        "P DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         Code ::= CHOICE { local INTEGER, global OBJECT IDENTIFIER }
         OP ::= CLASS { &code Code, &sub VisibleString, &Type OPTIONAL } WITH SYNTAX { [ARGUMENT &Type] CODE &code SUB &sub }
         Ops OP ::= {
           { ARGUMENT BOOLEAN CODE local:5 SUB \"a\" } | { ARGUMENT INTEGER CODE local:5 SUB \"b\" } |
           { ARGUMENT UTF8String CODE global:{1 2 3} SUB \"a\" } | { CODE local:9 SUB \"a\" } }
         T ::= SEQUENCE { head SEQUENCE { code OP.&code ({Ops}), sub OP.&sub ({Ops}{@head.code}) },
           of SEQUENCE OF SEQUENCE { argument OP.&Type ({Ops}{@head.code, @head.sub}) } }
         END",
    )
    .unwrap();
    for (code, sub, argument) in
        [(r#"{"local":5}"#, "a", "true"), (r#"{"local":5}"#, "b", "77"), (r#"{"global":"1.2.3"}"#, "a", r#""text""#)]
    {
        let head = format!(r#"{{"code":{code},"sub":"{sub}"}}"#);
        let json = format!(r#"{{"head":{head},"of":[{{"argument":{argument}}},{{"argument":{argument}}}]}}"#);
        goes_round(&types, "T", &json);
    }
}

#[test]
fn classes_as_parameters_and_values_in_constraints() {
    let types = Compiled::from_notation(
        "P DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         BOUND ::= CLASS { &max INTEGER, &Type } WITH SYNTAX { UP TO &max OF &Type }
         small BOUND ::= { UP TO 3 OF BOOLEAN }
         List {BOUND:bound, INTEGER:least, Other} ::=
           SEQUENCE (SIZE (least..bound.&max)) OF SEQUENCE { one bound.&Type, other Other }
         T ::= List {small, 1, IA5String}
         END",
    )
    .unwrap();
    goes_round(&types, "T", r#"[{"one":true,"other":"x"},{"one":false,"other":""}]"#);
}

#[test]
fn a_missing_import_refuses_what_uses_it_alone() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN IMPORTS A, C FROM Elsewhere;
         T ::= SEQUENCE { a A } U ::= SEQUENCE OF T V ::= INTEGER W ::= SEQUENCE { x C.&Type } END",
    )
    .unwrap();
    assert!(types.find("V").is_ok());
    for name in ["T", "U", "W"] {
        let error = types.find(name).unwrap_err();
        let words = error.to_string();
        assert!(words.contains("module Elsewhere not found") && words.contains("in M"), "{words}");
    }
}

/// A type with another tag is a copy, of which the component is left out as well.
#[test]
fn a_missing_class_behind_a_tag_refuses_what_uses_it_alone() {
    let types = Compiled::from_notation(
        "M DEFINITIONS IMPLICIT TAGS ::= BEGIN IMPORTS ALGORITHM FROM Elsewhere;
         Body ::= SEQUENCE { r [4] Req } Req ::= SEQUENCE { alg AlgId {{Set}} }
         AlgId {ALGORITHM:IOSet} ::= SEQUENCE { algorithm ALGORITHM.&id({IOSet}) }
         Set ALGORITHM ::= { ... } Other ::= SEQUENCE { x INTEGER } END",
    )
    .unwrap();
    assert!(types.find("Other").is_ok());
    for name in ["Body", "Req"] {
        let words = types.find(name).unwrap_err().to_string();
        assert!(words.contains("module Elsewhere not found"), "{words}");
    }
}

#[test]
fn modules_of_one_name_are_told_apart_by_identifier() {
    let one = "N {iso 1} DEFINITIONS ::= BEGIN T ::= BOOLEAN END";
    let other = "N {iso 2} DEFINITIONS ::= BEGIN T ::= INTEGER END";
    let user = "M DEFINITIONS ::= BEGIN IMPORTS T FROM N {iso 2}; U ::= SEQUENCE { t T } END";
    let sources = [("1", one), ("2", other), ("3", user)];
    let (_, types) = Compiled::from_sources(&sources, &Limits::default()).unwrap();
    let member = types.member(types.find("U").unwrap(), "t").unwrap();
    assert_eq!(types.kind_name(member.node), "INTEGER");
}

/// Notation that names itself, or grows: an error or a result, soon.
#[test]
fn hostile_notation_ends() {
    let compile = |text: &str| Compiled::from_notation(&format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {text} END"));
    let growing = "A {T} ::= SEQUENCE { a A { B { T } } OPTIONAL } B {T} ::= SEQUENCE OF T R ::= A { NULL }";
    assert_eq!(compile(growing).unwrap_err().kind(), ErrorKind::Limit);
    compile("A {T} ::= SEQUENCE { a A { T } OPTIONAL, t T } R ::= A { NULL }").unwrap();
    let class = "C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }";
    let uses = "T ::= SEQUENCE { id C.&id ({S}), v C.&Type ({S}{@id}) }";
    for set in ["S C ::= { S }", "S C ::= { Q | { 1 NULL } } Q C ::= { S | { 2 NULL } }"] {
        compile(&format!("{class} {set} {uses}")).unwrap();
    }
    for object in ["S C ::= { o } o C ::= o", "S C ::= { o } o C ::= p p C ::= o"] {
        assert_eq!(compile(&format!("{class} {object} {uses}")).unwrap_err().kind(), ErrorKind::Schema, "{object}");
    }
    assert!(compile("C ::= D D ::= C T ::= C.&Type").is_err());
    compile("C ::= CLASS { &self C OPTIONAL, &Type OPTIONAL } T ::= SEQUENCE { a C.&self.&self.&Type }").unwrap();
    // Groups that start with the same words: the longest run decides.
    let ambiguous = "C ::= CLASS { &id INTEGER, &A OPTIONAL, &B OPTIONAL } WITH SYNTAX { [X &A] [X Y &B] ID &id }
        S C ::= { { X Y NULL ID 1 } | { X NULL ID 2 } } T ::= SEQUENCE { id C.&id ({S}), v C.&B ({S}{@id}) }";
    compile(ambiguous).unwrap();
}

#[test]
fn a_hundred_thousand_objects_are_found_by_their_numbers() {
    let mut text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
        T ::= SEQUENCE { id C.&id ({S}), v C.&Type ({S}{@id}) } S C ::= { "
        .to_owned();
    let objects: Vec<String> = (0..100_000)
        .map(|number| format!("{{{} {}}}", number * 7, if number % 2 == 0 { "NULL" } else { "BOOLEAN" }))
        .collect();
    text += &objects.join("|");
    text += " } END";
    let types = Compiled::from_notation(&text).unwrap();
    goes_round(&types, "T", r#"{"id":699993,"v":true}"#);
}

/// A key that comes after a megabyte of the value that it selects the type of.
#[test]
fn a_key_behind_a_megabyte_is_found_once() {
    let types = Compiled::from_notation(PROTOCOL).unwrap();
    let name = "x".repeat(1 << 20);
    goes_round_in(&types, "Late", &format!(r#"{{"value":"{name}","id":1}}"#), &options());
}

#[test]
fn values_in_notation_name_their_types() {
    let types = Compiled::from_notation(PROTOCOL).unwrap();
    let node = Some(types.find("Message").unwrap());
    let text = "{\n  {\n    id 1,\n    criticality reject,\n    value UTF8String : \"x\"\n  }\n}";
    let mut values = Values::new();
    let value = notation::read_value(text, &types, node, &Limits::default(), &mut values).unwrap();
    assert_eq!(notation::write_value(value).unwrap(), text);
}

/// Identifiers in additions, in a record around that of the value, and after it, in every combination.
#[test]
fn identifiers_are_found_wherever_they_come() {
    let types = Compiled::from_notation(
        "P DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
         S C ::= { { 1 UTF8String } | { 2 SEQUENCE { flag BOOLEAN, ... } } | { 70000 T } , ... }
         T ::= SEQUENCE { v C.&Type ({S}{@id}), ..., id C.&id ({S}) OPTIONAL }
         Group ::= SEQUENCE { v C.&Type ({S}{@id}) OPTIONAL, ..., [[ id C.&id ({S}), w C.&Type ({S}{@id}) ]] }
         Outer ::= SEQUENCE { inner SEQUENCE { list SEQUENCE OF SEQUENCE { v C.&Type ({S}{@head.id}), n NULL } },
           head SEQUENCE { other BOOLEAN, id C.&id ({S}) }, ..., last BOOLEAN }
         Any ::= SET { v [5] C.&Type ({S}{@id}), id C.&id ({S}) }
         Split ::= SEQUENCE { a BOOLEAN, ..., v C.&Type ({S}{@id}), ..., id C.&id ({S}) }
         END",
    )
    .unwrap();
    assert_eq!(types.unchecked(), []);
    goes_round(&types, "T", r#"{"v":"x","id":1}"#);
    goes_round(&types, "T", r#"{"v":{"v":{"flag":true},"id":2},"id":70000}"#);
    goes_round(&types, "Group", r#"{"v":"x","id":1,"w":"y"}"#);
    let outer = r#"{"inner":{"list":[{"v":{"flag":true},"n":null},{"v":{"flag":false},"n":null}]},"head":{"other":true,"id":2},"last":true}"#;
    goes_round(&types, "Outer", outer);
    goes_round(&types, "Any", r#"{"v":"x","id":1}"#);
    goes_round(&types, "Split", r#"{"a":true,"v":"x","id":1}"#);
}

/// What is read ahead for identifiers after their values is bounded, however many records are in each other.
#[test]
fn reading_ahead_is_bounded() {
    let types = Compiled::from_notation(
        "P DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
         S C ::= { { 1 BOOLEAN }, ... }
         T ::= SEQUENCE { inner CHOICE { more T, none SEQUENCE OF BOOLEAN }, v C.&Type ({S}{@id}), id C.&id ({S}) }
         END",
    )
    .unwrap();
    let list = vec!["true"; 1 << 17].join(",");
    let json =
        format!("{}{list}{}", r#"{"inner":{"more":"#.repeat(400) + r#"{"inner":{"none":["#, r#"]},"v":true,"id":1}"#)
            + &r#"},"v":true,"id":1}"#.repeat(400);
    let mut table = Table::new();
    let document = text::json::read(json.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
    for options in options() {
        let mut values = Values::new();
        let value = jer::read(&document, &types, types.find("T").unwrap(), &Limits::default(), &mut values).unwrap();
        let message = asn1::write(value, &options).unwrap();
        let mut again = Values::new();
        let error = asn1::read(&message, &types, types.find("T").unwrap(), &options, &mut again).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{options:?}: {error}");
    }
}

#[test]
fn ambiguous_syntax_is_refused_at_its_class() {
    let class = |fields: &str, syntax: &str| {
        let text =
            format!("M DEFINITIONS ::= BEGIN C ::= CLASS {{ {fields} }} WITH SYNTAX {{ {syntax} }} T ::= NULL END");
        Compiled::from_notation(&text).map(|_| ())
    };
    let fields = "&a INTEGER OPTIONAL, &b INTEGER OPTIONAL, &T OPTIONAL, &U OPTIONAL, &S INTEGER OPTIONAL";
    for syntax in [
        "[&a] [&b]",
        "[&T] [&U]",
        "[&a] &b",
        "[X &a] [X &b]",
        "[X Y &a] X Y &b",
        "[[&a]]",
        "[X [&T] [&U]]",
        "[X [Y &a] &b] [X &a]",
    ] {
        let error = class(fields, syntax).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema, "{syntax}: {error}");
        assert!(error.to_string().contains("X.681 clause 10.12"), "{error}");
    }
    for syntax in
        ["[X &a] [Y &b]", "[&a] [&T] [&S]", "[X &a] [X &T]", "[X &a] [X Y &b]", "[X &a] Y [X &b]", "X &a [X &b]"]
    {
        class(fields, syntax).unwrap();
    }
}

#[test]
fn an_identifier_of_several_types_is_reported() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         C ::= CLASS { &id INTEGER, &Type OPTIONAL } WITH SYNTAX { &id [&Type] }
         S C ::= { { 1 BOOLEAN } | { 1 INTEGER } | { 2 NULL } | { 2 } , ... }
         T ::= SEQUENCE { id C.&id ({S}), v C.&Type ({S}{@id}) } END",
    )
    .unwrap();
    let [several] = types.unchecked() else { panic!("{:?}", types.unchecked()) };
    assert_eq!((several.element, &several.path[..]), ("identifier of several types", "T.v"));
    assert_eq!((several.position.line, several.position.column), (4, 45));
    // An object without a type leaves its identifier to another one.
    goes_round(&types, "T", r#"{"id":2,"v":null}"#);
    goes_round_in(&types, "T", r#"{"id":1,"v":{"oer":"FF"}}"#, &[Options::oer()]);
}

/// The number of presence bits of another version is kept by PER and OER, so that its messages come back.
#[test]
fn presence_bits_of_other_versions_are_kept() {
    let older =
        Compiled::from_notation("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a NULL, ..., b BOOLEAN } END");
    let newer = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        T ::= SEQUENCE { a NULL, ..., b BOOLEAN, c INTEGER OPTIONAL, d NULL OPTIONAL } END";
    let (older, newer) = (older.unwrap(), Compiled::from_notation(newer).unwrap());
    let mut table = Table::new();
    let document = text::json::read(br#"{"a":null,"b":true}"#, &text::json::Options::default(), &mut table).unwrap();
    for options in [Options::uper(), Options::aper(), Options::oer()] {
        for (writes, reads) in [(&older, &newer), (&newer, &older)] {
            let mut values = Values::new();
            let value =
                jer::read(&document, writes, writes.find("T").unwrap(), &Limits::default(), &mut values).unwrap();
            let message = asn1::write(value, &options).unwrap();
            let mut again = Values::new();
            let value = asn1::read(&message, reads, reads.find("T").unwrap(), &options, &mut again).unwrap();
            assert_eq!(asn1::write(value, &options).unwrap(), message, "{options:?}");
            assert_ne!(asn1::write(value, &options.with_canonical(true)).unwrap(), message, "{options:?}");
        }
    }
}

/// A table that cannot be extended is reported for components that no others select.
#[test]
fn rows_that_values_are_not_checked_against_are_reported() {
    for (set, expected) in [("S", 1), ("Extensible", 0)] {
        let types = Compiled::from_notation(&format!(
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
             C ::= CLASS {{ &id INTEGER UNIQUE, &kind BOOLEAN, &Type }} WITH SYNTAX {{ &id &kind &Type }}
             S C ::= {{ {{ 1 TRUE BOOLEAN }} | {{ 2 FALSE NULL }} }} Extensible C ::= {{ S, ... }}
             T {{C:Set}} ::= SEQUENCE {{ id C.&id ({{Set}}), kind C.&kind ({{Set}}{{@id}}), v C.&Type ({{Set}}{{@id}}) }}
             U ::= T {{{{{set}}}}} END"
        ))
        .unwrap();
        let tables = types.unchecked().iter().filter(|one| one.element == "table").count();
        assert_eq!(tables, expected, "{set}: {:?}", types.unchecked());
    }
}

/// X.682 clause 10: the criticality of an identifier is that of its row. Reading takes any; a row that is not known asks for
/// nothing.
#[test]
fn components_are_compared_with_their_row() {
    let types = Compiled::from_notation(PROTOCOL).unwrap();
    let node = types.find("Message").unwrap();
    let count = |json: &str| {
        let mut table = Table::new();
        let document = text::json::read(json.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
        let mut values = Values::new();
        jer::read(&document, &types, node, &Limits::default(), &mut values)
            .unwrap()
            .accepted(&Options::ber())
            .unlike_rows
            .count
    };
    assert!(types.has_relations());
    assert_eq!(count(r#"[{"id":1,"criticality":"reject","value":"x"}]"#), 0);
    assert_eq!(count(r#"[{"id":1,"criticality":"ignore","value":"x"}]"#), 1);
    assert_eq!(count(r#"[{"id":7,"criticality":"ignore","value":{"per":"00"}}]"#), 0);
    let inner = r#"{"list":[{"id":1,"criticality":"ignore","value":"x"}],"flag":true}"#;
    assert_eq!(count(&format!(r#"[{{"id":300,"criticality":"reject","value":{inner}}}]"#)), 2);
    let json = format!(r#"[{{"id":300,"criticality":"ignore","value":{inner}}}]"#);
    assert_eq!(count(&json), 1);
    let (mut table, mut values) = (Table::new(), Values::new());
    let document = text::json::read(json.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
    let value = jer::read(&document, &types, node, &Limits::default(), &mut values).unwrap();
    assert_eq!(value.accepted(&Options::ber()).unlike_rows.first, "/0/value/list/0/criticality");
}

/// A set that cannot be extended, keys of several kinds, and a component that comes before its key.
#[test]
fn rows_are_found_by_any_keys() {
    let types = Compiled::from_notation(
        "P DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         OP ::= CLASS { &code OBJECT IDENTIFIER, &sub INTEGER, &name UTF8String } WITH SYNTAX { &code &sub NAME &name }
         Ops OP ::= { { {1 2} 1 NAME \"a\" } | { {1 2} 2 NAME \"b\" } }
         T ::= SEQUENCE { name OP.&name ({Ops}{@code, @sub}), code OP.&code ({Ops}), sub OP.&sub ({Ops}{@code}) } END",
    )
    .unwrap();
    let node = types.find("T").unwrap();
    for (name, sub, count) in [("a", 1, 0), ("b", 2, 0), ("a", 2, 1), ("a", 3, 0)] {
        let json = format!(r#"{{"name":"{name}","code":"1.2","sub":{sub}}}"#);
        let mut table = Table::new();
        let document = text::json::read(json.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
        let mut values = Values::new();
        let value = jer::read(&document, &types, node, &Limits::default(), &mut values).unwrap();
        assert_eq!(value.accepted(&Options::ber()).unlike_rows.count, count, "{json}");
    }
}

/// Types of all kinds, several of them of one kind.
const TABLE: &str = "
    C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
    Word ::= UTF8String Choice ::= CHOICE { a INTEGER, b Choice } Alias ::= SEQUENCE OF INTEGER
    Known C ::= { { 1 SEQUENCE OF INTEGER } | { 2 SEQUENCE OF Word } | { 3 SET OF INTEGER }
      | { 4 SEQUENCE OF SEQUENCE { x INTEGER } } | { 5 SEQUENCE { x INTEGER, y Word OPTIONAL } } | { 6 SET { x INTEGER } }
      | { 7 ENUMERATED { red, green } } | { 8 BIT STRING } | { 9 OBJECT IDENTIFIER } | { 10 Word } | { 11 Choice }
      | { 12 NULL } | { 13 EXTERNAL } | { 14 SEQUENCE OF item BOOLEAN } | { 15 Alias } | { 16 INTEGER (0..9) }
      | { 17 SEQUENCE { x BOOLEAN } } | { 18 CHOICE { z NULL } } | { 19 SEQUENCE OF SET OF Word } }";

/// X.681 clause 14.6: a value of an open type has its type before it, whatever notation that has.
#[test]
fn a_value_of_an_open_type_has_the_notation_of_its_type_before_it() {
    let module = |more: &str| {
        let fields = "id C.&id ({Known}), v C.&Type ({Known}{@id})";
        let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {TABLE} T ::= SEQUENCE {{ {fields} }} {more} END");
        Compiled::from_notation(&text).unwrap_or_else(|error| panic!("{error}\n{more}"))
    };
    let types = module("");
    let node = types.find("T").unwrap();
    // What is written, and what may be written as well.
    for (id, value, written, others) in [
        (1, "{ 1, 2 }", "SEQUENCE OF INTEGER", &["SEQUENCE (SIZE (2)) OF INTEGER", "[5] SEQUENCE OF INTEGER"][..]),
        (2, "{ \"a\" }", "SEQUENCE OF Word", &[]),
        (3, "{ 1 }", "SET OF INTEGER", &["SET OF", "SET SIZE (1) OF INTEGER (0..1)"]),
        (4, "{ { x 1 } }", "SEQUENCE OF SEQUENCE", &["SEQUENCE OF SEQUENCE { x INTEGER }"]),
        (5, "{ x 1 }", "SEQUENCE", &["SEQUENCE { x INTEGER, y Word OPTIONAL }"]),
        (6, "{ x 1 }", "SET", &["SET { x INTEGER }"]),
        (7, "green", "ENUMERATED", &["ENUMERATED { red, green }"]),
        (8, "'1'B", "BIT STRING", &["BIT STRING (SIZE (1))", "[APPLICATION 1] BIT STRING"]),
        (9, "{ 1 2 }", "OBJECT IDENTIFIER", &[]),
        (10, "\"a\"", "Word", &["M.Word", "UTF8String", "Word (SIZE (1))"]),
        (11, "b : a : 1", "Choice", &[]),
        (12, "NULL", "NULL", &[]),
        (13, "{ encoding octet-aligned : '00'H }", "EXTERNAL", &[]),
        (14, "{ TRUE }", "SEQUENCE OF item BOOLEAN", &["SEQUENCE OF BOOLEAN"]),
        (15, "{ 1 }", "Alias", &[]),
        (16, "5", "INTEGER", &["INTEGER (0..9)", "INTEGER { five(5) }"]),
        (17, "{ x TRUE }", "SEQUENCE", &["SEQUENCE { x BOOLEAN }"]),
        (18, "z : NULL", "CHOICE", &["CHOICE { z NULL }"]),
        (19, "{ { \"a\" } }", "SEQUENCE OF SET OF Word", &["SEQUENCE OF SET OF"]),
    ] {
        let expected = format!("{{ id {id}, v {written} : {value} }}");
        let mut messages = Vec::new();
        // Two types of the table are a SEQUENCE.
        for notation in others.iter().chain([&written].into_iter().filter(|written| **written != "SEQUENCE")) {
            let text = format!("{{ id {id}, v {notation} : {value} }}");
            let mut values = Values::new();
            let read = notation::read_value(&text, &types, Some(node), &Limits::default(), &mut values);
            let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
            messages.push(asn1::write(read, &Options::der()).unwrap());
            let shown = notation::write_value(read).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(shown, expected, "{text}");
            // Modules have the whole notation.
            if ["OF", "SEQUENCE", "SET", "ENUMERATED", "CHOICE"].iter().any(|short| notation.ends_with(short)) {
                continue;
            }
            let types = module(&format!("D ::= SEQUENCE {{ n NULL, t T DEFAULT {text} }}"));
            let (mut values, d) = (Values::new(), types.find("D").unwrap());
            let read = asn1::read(&[0x30, 2, 0x80, 0], &types, d, &Options::ber(), &mut values).unwrap();
            let default = asn1::write(read.get("t").unwrap(), &Options::der()).unwrap();
            assert_eq!(default.get(1..), messages[0].get(1..), "{text}");
        }
        assert!(messages.iter().all(|message| *message == messages[0]), "{written}");
    }
    let refused = |text: &str| {
        let text = format!("{{ id 1, v {text} }}");
        notation::read_value(&text, &types, Some(node), &Limits::default(), &mut Values::new()).unwrap_err().to_string()
    };
    for text in ["1", "{ 1 }", "TRUE", "red", "\"a\"", "'00'H", "CONTAINING 1"] {
        assert!(refused(text).contains("expected a type and ':'"), "{text}: {}", refused(text));
    }
    assert!(refused("Word 1").contains("expected ':'"), "{}", refused("Word 1"));
    for list in ["SEQUENCE OF ", "SEQUENCE (SIZE (1)) OF "] {
        let deep = refused(&format!("{} INTEGER : {{}}", list.repeat(100_000)));
        assert!(deep.contains("lists within each other that end") || deep.starts_with("limit"), "{deep}");
    }
}

/// What is in an open type is of the type that the identifier selects, wherever this comes. An error has its place.
#[test]
fn the_identifier_selects_the_type_in_notation() {
    let types = Compiled::from_notation(&format!(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {TABLE} More C ::= {{ Known | {{ 20 INTEGER (10..99) }} | {{ 21 T }}, ... }}
         H ::= CHOICE {{ h SEQUENCE {{ x UTF8String, id C.&id ({{More}}) }} }}
         T ::= SEQUENCE {{ v C.&Type ({{More}}{{@k.h.id}}), k H }} L ::= SEQUENCE OF T END"
    ))
    .unwrap();
    let node = types.find("L").unwrap();
    let item = |id: i64, value: &str| format!("{{ v {value},\n k h : {{ x \"}},\", id {id} }} }}");
    let read = |text: &str, values: &mut Values| {
        notation::read_value(text, &types, Some(node), &Limits::default(), values)
            .map(|value| asn1::write(value, &Options::der()).unwrap())
    };
    // Of several types of one kind the identifier selects one.
    for (id, value) in [
        (5, "SEQUENCE : { x 1 }"),
        (17, "SEQUENCE : { x TRUE }"),
        (16, "INTEGER : 5"),
        (20, "INTEGER : 50"),
        (1, "SEQUENCE OF : { 1 }"),
        (2, "SEQUENCE OF : { \"a\" }"),
        (15, "SEQUENCE OF INTEGER : { 1 }"),
        (10, "UTF8String : \"a\""),
        (21, &item(12, "NULL : NULL")),
    ] {
        let value = if id == 21 { format!("T : {value}") } else { value.to_owned() };
        let text = format!("{{ {}, {} }}", item(12, "NULL : NULL"), item(id, &value));
        let mut values = Values::new();
        let message = read(&text, &mut values).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (mut values, mut again) = (Values::new(), Values::new());
        let value = asn1::read(&message, &types, node, &Options::ber(), &mut values).unwrap();
        let written = notation::write_value(value).unwrap();
        assert_eq!(read(&written, &mut again).unwrap(), message, "{written}");
    }
    let inner = format!("T : {}", item(12, "Word : \"a\""));
    for (id, value, path, words) in [
        (12, "Word : \"a\"", "/1/v", "found Word:, expected the type that the identifier selects: NULL"),
        (
            10,
            "SEQUENCE OF INTEGER : { 1 }",
            "/1/v",
            "found SEQUENCE OF:, expected the type that the identifier selects: Word",
        ),
        (1, "SEQUENCE OF Word : { \"a\" }", "/1/v", "the type that the identifier selects: SEQUENCE OF INTEGER"),
        (99, "Word : \"a\"", "/1/v", "found Word:, expected an identifier that selects a type"),
        (16, "INTEGER : 50", "/1/v", "found 50"),
        (20, "INTEGER : 5", "/1/v", "found 5"),
        (21, &inner, "/1/v/v", "found Word:, expected the type that the identifier selects: NULL"),
    ] {
        let text = format!("{{ {},\n {} }}", item(12, "NULL : NULL"), item(id, value));
        let error = read(&text, &mut Values::new()).unwrap_err();
        assert!(error.path() == path && error.to_string().contains(words), "{error}\n{text}");
        let token = value.rsplit("v ").next().unwrap();
        let at = if value.starts_with("INTEGER") { value.trim_start_matches("INTEGER : ") } else { token };
        assert_eq!(error.offset(), text.rfind(at).unwrap() as u64, "{error}\n{text}");
        assert_eq!(error.position().unwrap().0, 3, "{error}\n{text}");
    }
    // What is read ahead is bounded.
    let deep = |levels: usize| {
        format!("{{ {}Word : \"a\"{} }}", "{ v T : ".repeat(levels), ", k h : { x \"\", id 21 } }".repeat(levels))
    };
    let error = read(&deep(900), &mut Values::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
}

/// X.680 clause 30: the type of an alternative of a CHOICE, which may itself be such a type.
#[test]
fn a_type_of_an_alternative_may_be_of_such_a_type() {
    let types = Compiled::from_notation(
        "M DEFINITIONS IMPLICIT TAGS ::= BEGIN
         C ::= CHOICE { a [0] CHOICE { b [1] INTEGER (0..255), c [2] B }, d [3] NULL } B ::= CHOICE { e [4] BOOLEAN }
         One ::= b < a < C Two ::= e < c < a < C Three ::= b < A A ::= a < C T ::= SEQUENCE { x b < a < C, y e < c < A } END",
    )
    .unwrap();
    let json = r#"{"x":7,"y":true}"#;
    let [message, ..] = &goes_round_in(&types, "T", json, &[Options::der()])[..] else { panic!() };
    assert_eq!(message.1, [0x30, 6, 0x81, 1, 7, 0x84, 1, 0xFF]);
    for (root, json) in [("One", "7"), ("Two", "true"), ("Three", "9")] {
        goes_round(&types, root, json);
    }
    for (body, words) in [
        ("T ::= b < c < C C ::= CHOICE { a CHOICE { b NULL } }", "no alternative c"),
        ("T ::= c < a < C C ::= CHOICE { a CHOICE { b NULL } }", "no alternative c"),
        ("T ::= b < a < C C ::= CHOICE { a NULL }", "no alternative b"),
        ("T ::= a < T", ""),
        ("T ::= a < U U ::= a < T", ""),
        ("T ::= a < C C ::= CHOICE { a a < a < C }", ""),
        ("T ::= a < a < C C ::= CHOICE { a a < a < a < C }", ""),
    ] {
        let error = Compiled::from_notation(&format!("M DEFINITIONS ::= BEGIN {body} END")).unwrap_err().to_string();
        assert!(error.contains(words), "{body}: {error}");
    }
}

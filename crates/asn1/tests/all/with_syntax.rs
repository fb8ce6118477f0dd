//! The shapes of `WITH SYNTAX` (X.681 clause 10), and the objects written by them.

use asn1::{Compiled, Options, Values};

const CLASS: &str = "C ::= CLASS { &Type OPTIONAL, &id INTEGER UNIQUE, &Other OPTIONAL, &value INTEGER OPTIONAL,
    &Set INTEGER OPTIONAL, &flag BOOLEAN DEFAULT FALSE } WITH SYNTAX";

/// Reads an object of each syntax: the type that its identifier selects is the one that it has.
fn finds(syntax: &str, object: &str, id: u8, field: &str, ty: Option<&str>) {
    let module = format!(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {CLASS} {{ {syntax} }} IDENTIFIED ::= UTF8String
         S C ::= {{ {object} | {{ {others} }}, ... }} T ::= SEQUENCE {{ id C.&id ({{S}}), v C.&{field} ({{S}}{{@id}}) }} END",
        others = "IDENTIFIED BY 99",
    );
    let types = Compiled::from_notation(&module).unwrap_or_else(|error| panic!("{syntax} {object}: {error}"));
    let node = types.find("T").unwrap();
    let mut values = Values::new();
    // An identifier, and an open type that is a BOOLEAN or three octets.
    let message = [0x30, 8, 0x80, 1, id, 0xA1, 3, 1, 1, 0xFF];
    let value = asn1::read(&message, &types, node, &Options::ber(), &mut values).unwrap();
    let value = value.get("v").unwrap();
    let found = value.unknown().is_none().then(|| types.kind_name(value.node_id()));
    assert_eq!(found, ty, "{syntax} {object}");
}

#[test]
fn optional_groups_may_be_left_out() {
    let boolean = Some("BOOLEAN");
    for (syntax, with, without) in [
        ("[&Type] IDENTIFIED BY &id", "{ BOOLEAN IDENTIFIED BY 7 }", "{ IDENTIFIED BY 7 }"),
        ("IDENTIFIED BY &id [&Type]", "{ IDENTIFIED BY 7 BOOLEAN }", "{ IDENTIFIED BY 7 }"),
        ("[TYPE &Type] IDENTIFIED BY &id", "{ TYPE BOOLEAN IDENTIFIED BY 7 }", "{ IDENTIFIED BY 7 }"),
        ("[&Type [WITH &Other]] IDENTIFIED BY &id", "{ BOOLEAN WITH NULL IDENTIFIED BY 7 }", "{ IDENTIFIED BY 7 }"),
        ("[&Type [&value]] IDENTIFIED BY &id", "{ BOOLEAN IDENTIFIED BY 7 }", "{ IDENTIFIED BY 7 }"),
        ("[&Type [&value]] IDENTIFIED BY &id", "{ BOOLEAN -3 IDENTIFIED BY 7 }", "{ IDENTIFIED BY 7 }"),
        ("[FIRST [&Type]] IDENTIFIED BY &id", "{ FIRST BOOLEAN IDENTIFIED BY 7 }", "{ FIRST IDENTIFIED BY 7 }"),
        ("[&Type] [&value] IDENTIFIED BY &id", "{ BOOLEAN 5 IDENTIFIED BY 7 }", "{ 5 IDENTIFIED BY 7 }"),
        ("[&Type] [&Set] IDENTIFIED BY &id", "{ BOOLEAN {1 | 2} IDENTIFIED BY 7 }", "{ {1 | 2} IDENTIFIED BY 7 }"),
        ("[&Type ,] IDENTIFIED BY &id", "{ BOOLEAN, IDENTIFIED BY 7 }", "{ IDENTIFIED BY 7 }"),
        ("[&Type] [IN &Other] IDENTIFIED BY &id", "{ BOOLEAN IN NULL IDENTIFIED BY 7 }", "{ IN NULL IDENTIFIED BY 7 }"),
    ] {
        finds(syntax, with, 7, "Type", boolean);
        finds(syntax, without, 7, "Type", None);
    }
}

/// A type may have the name of a word, if the words after it say so.
#[test]
fn a_type_may_be_named_as_a_word() {
    let syntax = "[&Type] IDENTIFIED BY &id";
    let module = format!(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {CLASS} {{ {syntax} }} IDENTIFIED ::= BOOLEAN
         S C ::= {{ {{ IDENTIFIED IDENTIFIED BY 7 }} }} T ::= SEQUENCE {{ id C.&id ({{S}}), v C.&Type ({{S}}{{@id}}) }} END"
    );
    let types = Compiled::from_notation(&module).unwrap();
    let mut values = Values::new();
    let message = [0x30, 8, 0x80, 1, 7, 0xA1, 3, 1, 1, 0xFF];
    let value = asn1::read(&message, &types, types.find("T").unwrap(), &Options::ber(), &mut values).unwrap();
    assert_eq!(value.get("v").unwrap().as_bool(), Some(true));
}

/// X.681 clause 10.12: what the next item does not distinguish.
#[test]
fn ambiguous_shapes_are_refused() {
    for syntax in [
        "[&Type] [&Other] IDENTIFIED BY &id",
        "[A &Type] [A &Other] IDENTIFIED BY &id",
        "[[&Type]] IDENTIFIED BY &id",
        "[&value] [&flag] IDENTIFIED BY &id",
    ] {
        let module = format!("M DEFINITIONS ::= BEGIN {CLASS} {{ {syntax} }} END");
        assert!(Compiled::from_notation(&module).is_err(), "{syntax}");
    }
    for (syntax, object) in [
        ("[&Type] IDENTIFIED BY &id", "{ BOOLEAN BY 7 }"),
        ("[&Type] IDENTIFIED BY &id", "{ BOOLEAN BOOLEAN IDENTIFIED BY 7 }"),
        ("[&Type] IDENTIFIED BY &id", "{ IDENTIFIED BY 7 BOOLEAN }"),
        ("IDENTIFIED BY &id [AS &Type]", "{ IDENTIFIED BY 7 AS }"),
    ] {
        let module = format!(
            "M DEFINITIONS ::= BEGIN {CLASS} {{ {syntax} }} S C ::= {{ {object} }}
             T ::= SEQUENCE {{ id C.&id ({{S}}), v C.&Type ({{S}}{{@id}}) }} END"
        );
        assert!(Compiled::from_notation(&module).is_err(), "{syntax} {object}");
    }
}

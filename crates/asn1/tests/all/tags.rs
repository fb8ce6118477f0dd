//! The purposes of tags: the order of components and alternatives, and distinguishing them.

use crate::support::{Type, compiled, hex};
use asn1::Options;
use tam::ErrorKind;

/// A type with the tags that the notation says, and a value of it by some rules.
fn held(assignments: &str, json: &str, messages: &[(Options, &str)]) {
    let ty = Type::tagged("IMPLICIT TAGS", assignments);
    for (options, message) in messages {
        let written = ty.message(json, options).unwrap();
        assert_eq!(written, hex(message), "{json} of {assignments} is {written:02X?}");
        assert_eq!(ty.json(&written, options).unwrap(), json, "{assignments}");
    }
}

/// The example of X.691 clause 21.1: e has [0] in a choice of a choice, b is [1], a is [3].
#[test]
fn components_of_a_set_are_in_the_order_of_their_least_tags() {
    let assignments = "T ::= SET { a [3] N, b [1] CHOICE { c [2] N, d [4] N },
        e CHOICE { f CHOICE { g [5] N, h [6] N }, i CHOICE { j [0] N } } } N ::= INTEGER (0..255)";
    // Of e the first alternative is i: 0 00001001; of b the second: 1 00001000; a: 00000111.
    let messages = [(Options::uper(), "04C201C0"), (Options::der(), "310B 800109 A103840108 830107")];
    held(assignments, r#"{"a":7,"b":{"d":8},"e":{"i":{"j":9}}}"#, &messages);
}

/// X.691 clause 21.1 takes the tags of RootAlternativeTypeList, so that a version that adds an
/// alternative leaves the order as it was; X.690 clause 10.3 takes the tag that is there.
#[test]
fn additions_of_an_untagged_choice_leave_the_order_of_a_set() {
    let version =
        |added: &str| format!("T ::= SET {{ a CHOICE {{ x [5] N, ...{added} }}, b [3] N }} N ::= INTEGER (0..255)");
    for added in ["", ", y [1] NULL", ", y CHOICE { z [1] NULL }"] {
        let messages = [(Options::uper(), "020080"), (Options::der(), "3106830102850101")];
        held(&version(added), r#"{"a":{"x":1},"b":2}"#, &messages);
    }
    // The marker is one, the addition the first of them: 1 0000000; an open type of one octet.
    let messages = [(Options::uper(), "02800100"), (Options::der(), "31058100830102")];
    held(&version(", y [1] NULL"), r#"{"a":{"y":null},"b":2}"#, &messages);
}

/// The same of alternatives (X.691 clause 23.2).
#[test]
fn additions_of_an_untagged_choice_leave_the_order_of_a_choice() {
    for added in ["", ", y [1] NULL"] {
        let assignments = format!("T ::= CHOICE {{ a CHOICE {{ x [5] NULL, ...{added} }}, b [3] NULL }}");
        held(&assignments, r#"{"b":null}"#, &[(Options::uper(), "00")]);
        held(&assignments, r#"{"a":{"x":null}}"#, &[(Options::uper(), "80")]);
    }
}

/// X.680 clause 25.6: optional components, and the one after them, have different tags.
#[test]
fn a_sequence_whose_components_cannot_be_distinguished_is_refused() {
    for (components, found) in [
        ("a NULL OPTIONAL, b NULL", "a and b"),
        ("a NULL DEFAULT NULL, b NULL OPTIONAL", "a and b"),
        ("a NULL OPTIONAL, b BOOLEAN OPTIONAL, c NULL", "a and c"),
        ("a [1] NULL OPTIONAL, b CHOICE { x [2] NULL, y [1] NULL }", "a and b"),
        ("a CHOICE { x [2] NULL, ..., y [1] NULL } OPTIONAL, b BOOLEAN OPTIONAL, c [1] NULL", "a and c"),
        ("a SEQUENCE { x NULL } OPTIONAL, b SEQUENCE OF NULL", "a and b"),
        // No markers are between any two of them,
        ("a NULL OPTIONAL, ..., b NULL", "a and b"),
        ("a NULL OPTIONAL, ..., [[ b NULL ]]", "a and b"),
        ("..., [[ a NULL OPTIONAL, b NULL ]]", "a and b"),
        ("..., a NULL OPTIONAL, [[ b NULL ]]", "a and b"),
        ("a NULL OPTIONAL, ..., ..., b NULL", "a and b"),
        ("a NULL OPTIONAL, ..., b BOOLEAN, ..., c NULL", "a and c"),
        // and additions are in no message of the first version.
        ("..., a NULL, ..., b NULL", "a and b"),
        ("..., a NULL, b BOOLEAN, ..., c [1] NULL OPTIONAL, d NULL", "a and d"),
    ] {
        let error = compiled("IMPLICIT TAGS", &format!("T ::= SEQUENCE {{ {components} }}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema, "{components}");
        assert_eq!(error.found().to_string(), format!("{found} of the same tag"), "{components}");
        assert_eq!(error.position(), Some((1, 45)), "{components}");
        // Automatic tags are all of them different.
        if !components.contains('[') {
            compiled("AUTOMATIC TAGS", &format!("T ::= SEQUENCE {{ {components} }}")).expect(components);
        }
    }
}

#[test]
fn a_sequence_whose_components_can_be_distinguished_is_not_refused() {
    for components in [
        "a NULL, b NULL OPTIONAL",
        "a NULL, b NULL, c NULL",
        "a NULL OPTIONAL, b BOOLEAN, c NULL OPTIONAL, d BOOLEAN",
        "a [1] NULL OPTIONAL, b [2] NULL OPTIONAL, c NULL",
        "a [1] NULL OPTIONAL, b [APPLICATION 1] NULL",
        "a CHOICE { x [1] NULL, y [2] NULL } OPTIONAL, b [3] NULL",
        "a SEQUENCE { x NULL } OPTIONAL, b SET OF NULL",
        "a NULL, ..., b NULL",
        // The second is there only where the first is.
        "..., a NULL, b NULL",
        "a NULL, ..., b BOOLEAN, ..., c NULL",
        "..., a BOOLEAN, ..., b NULL, c BOOLEAN",
    ] {
        compiled("IMPLICIT TAGS", &format!("T ::= SEQUENCE {{ {components} }}")).expect(components);
    }
}

/// X.680 clauses 27.3 and 29.3: all tags of a SET or CHOICE differ, those of additions too.
#[test]
fn a_set_or_choice_with_a_tag_twice_is_refused() {
    for parts in [
        "a NULL, b NULL",
        "a NULL, b BOOLEAN, ..., c NULL",
        "a NULL, ..., [[ b BOOLEAN, c NULL ]]",
        "a [1] NULL, b CHOICE { x NULL, y CHOICE { z [1] NULL } }",
        "a CHOICE { x NULL, ..., y BOOLEAN }, b BOOLEAN",
    ] {
        for of in ["SET", "CHOICE"] {
            let error = compiled("IMPLICIT TAGS", &format!("T ::= {of} {{ {parts} }}")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Schema, "{parts}");
            assert!(error.found().to_string().ends_with("of the same tag"), "{parts}: {error}");
            assert_eq!(error.position(), Some((1, 45)), "{parts}");
        }
    }
}

/// X.680 clause 25.2: tags are automatic unless one is written. The tag of INSTANCE OF, and those of its associated type
/// (X.681 Annex C), are not written.
#[test]
fn an_instance_of_a_class_does_not_end_automatic_tagging() {
    for kind in ["SEQUENCE", "SET"] {
        let ty = Type::tagged(
            "AUTOMATIC TAGS",
            &format!(
                "T ::= {kind} {{ a INTEGER, i INSTANCE OF C ({{S}}), b INTEGER OPTIONAL }}
                 C ::= TYPE-IDENTIFIER S C ::= {{ {{ BOOLEAN IDENTIFIED BY {{ 1 2 3 }} }}, ... }}"
            ),
        );
        let json = r#"{"a":5,"i":{"type-id":"1.2.3","value":true},"b":6}"#;
        let outer = if kind == "SET" { "31" } else { "30" };
        let message = format!("{outer}11 800105 A109 06022A03 A0030101FF 820106");
        let written = ty.message(json, &Options::der()).unwrap();
        assert_eq!(written, hex(&message), "{written:02X?}");
        assert_eq!(ty.json(&written, &Options::ber()).unwrap(), json);
    }
    // A tag that is written ends it, also before INSTANCE OF.
    let json = r#"{"a":5,"i":{"type-id":"1.2.3","value":{"ber":"0500"}}}"#;
    for (tag, message) in [("", "300D 020105 2808 06022A03 A0020500"), ("[7]", "300D 020105 A708 06022A03 A0020500")] {
        let c = if tag.is_empty() { ", c [9] NULL OPTIONAL" } else { "" };
        let ty = Type::tagged(
            "AUTOMATIC TAGS",
            &format!("T ::= SEQUENCE {{ a INTEGER, i {tag} INSTANCE OF TYPE-IDENTIFIER{c} }}"),
        );
        let written = ty.message(json, &Options::der()).unwrap();
        assert_eq!(written, hex(message), "{written:02X?}");
    }
}

/// What has such types is not usable; other types of the modules are, as published modules have both.
#[test]
fn types_that_cannot_be_distinguished_leave_the_others() {
    let types = compiled(
        "EXPLICIT TAGS",
        "Submit ::= SEQUENCE { data CHOICE { entries SET OF Entry, ids SET OF NULL }, n INTEGER }
         Entry ::= SEQUENCE { n INTEGER } User ::= SEQUENCE OF Submit Same ::= [5] Submit
         Pair ::= SET { a Entry, b Entry } Opt ::= SEQUENCE { a NULL OPTIONAL, b NULL } Free ::= CHOICE { e Entry, u NULL }",
    )
    .unwrap();
    let refused: Vec<&str> = types.refused().map(|(_, name, _)| name).collect();
    assert_eq!(refused, ["Submit", "User", "Same", "Pair", "Opt"]);
    for (name, found) in
        [("Submit", "entries and ids"), ("User", "entries and ids"), ("Pair", "a and b"), ("Opt", "a and b")]
    {
        let error = types.find(name).unwrap_err();
        assert_eq!(error.found().to_string(), format!("{found} of the same tag"));
        assert_eq!(
            (error.kind(), error.position().map(|(line, _)| line)),
            (ErrorKind::Schema, Some(if found == "a and b" { 3 } else { 1 }))
        );
    }
    for (name, json, message) in [("Entry", r#"{"n":7}"#, "3003020107"), ("Free", r#"{"u":null}"#, "0500")] {
        let ty = Type::tagged(
            "EXPLICIT TAGS",
            &format!(
                "T ::= {name} Entry ::= SEQUENCE {{ n INTEGER }} Free ::= CHOICE {{ e Entry, u NULL }} Bad ::= SET {{ a T, b T }}"
            ),
        );
        let written = ty.message(json, &Options::der()).unwrap();
        assert_eq!(written, hex(message));
        assert_eq!(ty.json(&written, &Options::ber()).unwrap(), json);
    }
}

//! Notation that is wrong or not supported, with its errors; and published modules, some of which are.

use std::fs;
use std::path::{Path, PathBuf};

use asn1::notation;
use asn1::schema::{Exports, Schema, Tagging};
use tam::{ErrorKind, Limits};

fn parse(text: &str) -> Result<Schema, tam::Error> {
    notation::parse_one(text, &Limits::default())
}

/// What is wrong in a module whose second line is given.
fn fault(line: &str) -> String {
    let text = format!("M DEFINITIONS ::= BEGIN\n{line}\n");
    match parse(&text) {
        Ok(_) => panic!("{line} is right"),
        // The byte offset is a sum of the others.
        Err(error) => error.to_string().split_once(" (").map(|(_, rest)| format!("{} ({rest}", error.kind())).unwrap(),
    }
}

#[test]
fn errors_have_their_position_and_what_was_expected() {
    let end = "incomplete (line 3, column 1) in M.T: found the end of the input, expected";
    for (line, words) in [
        ("t ::= <a/>", "unsupported (line 2, column 3) in M.t: found a value in XML, expected the type of a value"),
        (
            "t ::= NULL",
            "syntax (line 2, column 3) in M.t: found '::=', expected the type of a value; the name of a type begins with a \
             capital letter",
        ),
        (
            "IMPORTS A FROM N B ::= NULL",
            "syntax (line 2, column 18) in M: found 'B', expected ';' at the end of the imports, or ',' or FROM after this name",
        ),
        ("IMPORTS A B FROM N;", "syntax (line 2, column 11) in M: found 'B', expected ',' or FROM"),
        (
            "T ::= CHOICE { A NULL }",
            "syntax (line 2, column 16) in M.T: found 'A', expected an alternative, whose name begins with a small letter",
        ),
        (
            "T ::= [APPLICATON 1] NULL",
            "syntax (line 2, column 8) in M.T: found 'APPLICATON', expected a tag's number, or UNIVERSAL, APPLICATION or \
             PRIVATE before it",
        ),
        (
            "Cls ::= CLASS { &id INTEGER }",
            "syntax (line 2, column 9) in M.Cls: found 'CLASS', expected a type; the name of a class is in capitals (X.681 clause \
             7.1)",
        ),
        ("T NULL", "incomplete (line 3, column 1) in M.T: found the end of the input, expected '::='"),
        (
            "T = NULL",
            "syntax (line 2, column 3) in M.T: found '=', expected '::=' and a type, or a type and a set of its values",
        ),
        ("T ::= ", &format!("{end} a type")),
        ("T ::= lower", "syntax (line 2, column 7) in M.T: found 'lower', expected a type"),
        ("T ::= TRUE", "syntax (line 2, column 7) in M.T: found 'TRUE', expected a type"),
        ("T ::= OCTET", &format!("{end} STRING after OCTET")),
        ("T ::= SEQUENCE { a }", "syntax (line 2, column 20) in M.T.a: found '}', expected a type"),
        ("T ::= SEQUENCE { a NULL b NULL }", "syntax (line 2, column 25) in M.T: found 'b', expected ',' or '}'"),
        (
            "T ::= SEQUENCE { NULL }",
            "syntax (line 2, column 18) in M.T: found 'NULL', expected a component, whose name begins with a small letter",
        ),
        (
            "T ::= SEQUENCE { a NULL, a NULL }",
            "syntax (line 2, column 26) in M.T: found a second 'a', expected components of different names",
        ),
        (
            "T ::= SEQUENCE { a NULL, ..., [[ a NULL ]] }",
            "syntax (line 2, column 34) in M.T: found a second 'a', expected components of different names",
        ),
        (
            "T ::= SEQUENCE { ..., ..., a NULL, ... }",
            "syntax (line 2, column 36) in M.T: found '...', expected at most two extension markers",
        ),
        (
            "T ::= SEQUENCE { a SEQUENCE { b SET } }",
            "syntax (line 2, column 37) in M.T.a.b: found '}', expected '{', OF or a constraint",
        ),
        ("T ::= CHOICE { }", "syntax (line 2, column 16) in M.T: found '}', expected an alternative"),
        (
            "T ::= CHOICE { a NULL OPTIONAL }",
            "syntax (line 2, column 23) in M.T: found 'OPTIONAL', expected ',' or '}'",
        ),
        (
            "T ::= CHOICE { a NULL, ..., ..., b NULL }",
            "syntax (line 2, column 34) in M.T: found 'b', expected '}' after the second extension marker of a CHOICE",
        ),
        (
            "T ::= ENUMERATED { a, a }",
            "syntax (line 2, column 23) in M.T: found a second 'a', expected enumerations of different names",
        ),
        ("T ::= ENUMERATED { ... }", "syntax (line 2, column 20) in M.T: found '...', expected an enumeration"),
        (
            "T ::= ENUMERATED { a, ..., b, ... }",
            "syntax (line 2, column 31) in M.T: found '...', expected an enumeration",
        ),
        (
            "T ::= INTEGER { a(1), a(2) }",
            "syntax (line 2, column 23) in M.T: found a second 'a', expected numbers of different names",
        ),
        (
            "T ::= INTEGER { a(\"x\") }",
            "syntax (line 2, column 19) in M.T: found a character string, expected a number, or the name of a value",
        ),
        (
            "T ::= NULL T ::= NULL",
            "syntax (line 2, column 12) in M: found a second 'T', expected assignments of different names",
        ),
        ("T ::= INTEGER (1..)", "syntax (line 2, column 19) in M.T: found ')', expected a value"),
        ("T ::= INTEGER (1", &format!("{end} ')', or more of the constraint")),
        ("T ::= INTEGER (MIN)", "syntax (line 2, column 19) in M.T: found ')', expected '..' after MIN"),
        (
            "T ::= INTEGER (1, 2)",
            "syntax (line 2, column 19) in M.T: found '2', expected an extension marker after the comma",
        ),
        (
            "T ::= INTEGER (SIZE 4)",
            "syntax (line 2, column 21) in M.T: found '4', expected a constraint in parentheses",
        ),
        (
            "T ::= [4294967296] NULL",
            "unsupported (line 2, column 8) in M.T: found '4294967296', expected a tag below 4294967296",
        ),
        (
            "T ::= [XER:COLOUR] NULL",
            "syntax (line 2, column 12) in M.T: found 'COLOUR', expected an encoding instruction of XER",
        ),
        (
            "T ::= [PER:X] NULL",
            "unsupported (line 2, column 8) in M.T: found encoding instructions other than those of XER, expected XER or TAG",
        ),
        (
            "v T ::= -",
            "incomplete (line 3, column 1) in M.v: found the end of the input, expected a number after its sign",
        ),
        ("v T ::= { a, }", "syntax (line 2, column 14) in M.v: found '}', expected a value"),
        ("v T ::= Red", "syntax (line 2, column 9) in M.v: found 'Red', expected a value"),
        (
            "T ::= INTEGER (Red.blue.x)",
            "syntax (line 2, column 24) in M.T: found '.', expected ')', or more of the constraint",
        ),
        ("EXPORTS a b;", "syntax (line 2, column 11) in M: found 'b', expected ',', or ';' after the exports"),
        ("IMPORTS a, FROM B;", "syntax (line 2, column 12) in M: found 'FROM', expected the name of a type or a value"),
        ("IMPORTS a FROM b;", "syntax (line 2, column 16) in M: found 'b', expected a module's name"),
        ("T ::= NULL; U ::= NULL", "syntax (line 2, column 11) in M: found ';', expected an assignment, or END"),
        (
            "T ::= NULL END junk",
            "syntax (line 2, column 16): found 'junk', expected another module, or the end of the source",
        ),
        (
            "ENCODING-CONTROL PER",
            "unsupported (line 2, column 18) in M: found encoding control other than that of XER, expected XER",
        ),
    ] {
        assert_eq!(fault(line), words, "{line}");
    }
    assert_eq!(parse("").unwrap_err().kind(), ErrorKind::Incomplete);
    assert_eq!(
        parse("m DEFINITIONS").unwrap_err().to_string(),
        "syntax at byte 0 (line 1, column 1): found 'm', expected a module's name"
    );
}

#[test]
fn unsupported_notation_is_reported_by_name() {
    for (line, column, found) in [
        ("OP MACRO ::= BEGIN END", 4, "a macro, which ASN.1 dropped in 1994"),
        ("op OPERATION ARGUMENT T ::= 1", 4, "a use of the macro 'OPERATION'"),
        ("Op ::= OPERATION ARGUMENT a T", 8, "a use of the macro 'OPERATION'"),
        ("v T ::= <T>1</T>", 9, "a value in XML"),
    ] {
        let error = parse(&format!("M DEFINITIONS ::= BEGIN\n{line} END")).expect_err(line);
        assert_eq!((error.kind(), error.found().to_string().as_str()), (ErrorKind::Unsupported, found), "{line}");
        assert_eq!(error.position(), Some((2, column)), "{line}");
    }
}

/// A folder of the test data beside the project, if it is there.
fn data(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    test_support::skipped(format!("there is no ../shared/data/{folder}"));
    None
}

#[test]
fn the_infoset_module_of_the_paper_is_read() {
    let Some(folder) = data("infoset-golden") else { return };
    for name in ["Infoset.asn1", "Infoset_a1t.asn1"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let schema = parse(&text).unwrap();
        let module = schema.module("Infoset").unwrap();
        assert_eq!((module.tagging, &module.exports), (Tagging::Automatic, &Exports::All));
        let names: Vec<&str> = module.assignments.iter().map(|assignment| assignment.name.as_str()).collect();
        // A name at the beginning of a line, and the sign, in the text.
        let lines: Vec<&str> = text.lines().filter_map(|line| line.split_once(" ::= ")).map(|(name, _)| name).collect();
        assert_eq!(names, lines[1..], "{name}");
        assert_eq!(parse(&notation::print(module)).unwrap(), schema);
        // The paper prints it without the word at the end.
        let without_end = parse(text.trim_end().strip_suffix("END").unwrap()).unwrap();
        assert_eq!((without_end.modules, without_end.warnings.len()), (schema.modules, 1));
    }
}

#[test]
fn modules_of_ranap_are_read_and_printed() {
    let Some(folder) = data("ranap") else { return };
    let read = |name: &str| fs::read_to_string(folder.join(format!("RANAP-{name}.asn"))).unwrap();
    for (name, assignments) in [("CommonDataTypes", 7), ("Constants", 376)] {
        let text = read(name);
        let schema = parse(&text).unwrap();
        assert_eq!(schema.modules[0].assignments.len(), assignments, "{name}");
        assert_eq!(text.matches("::=").count(), assignments + 1, "{name}");
        assert_eq!(parse(&notation::print_schema(&schema)).unwrap(), schema, "{name}");
    }
    for name in ["CommonDataTypes", "Constants", "Containers", "IEs", "PDU-Contents", "PDU-Descriptions"] {
        let schema = parse(&read(name)).unwrap();
        assert_eq!(parse(&notation::print_schema(&schema)).unwrap(), schema, "{name}");
    }
}

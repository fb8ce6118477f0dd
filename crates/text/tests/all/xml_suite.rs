//! The W3C XML conformance suite: what is not well-formed is refused, the rest is kept whole.
//!
//! External entities are read from the folder of the suite.

use crate::xml_support::{Case, PLAIN, namespace_suite, python, rewritten, rewritten_by, suite};
use tam::ErrorKind;
use text::xml::{Event, Options, Reader};

/// Tests that the fifth edition decides otherwise than the edition they were written for: it allows
/// their characters, U+309A and U+0E5C, in names (productions 4 and 4a).
const WELL_FORMED_NOW: [&str; 2] = ["not-wf-sa-140", "not-wf-sa-141"];

/// Documents whose names are well-formed, but not to the canonicalizer: it processes namespaces, and
/// has the names of the fourth edition.
const NOT_CANONICALIZED: [&str; 5] = ["valid-sa-012", "o-p04pass1", "o-p05pass1", "not-wf-sa-140", "not-wf-sa-141"];

fn is_not_wf(case: &Case) -> bool {
    case.kind == "not-wf" && !WELL_FORMED_NOW.contains(&&*case.id)
}

/// The well-formed documents. Errors that a processor need not report ("error") are not among them.
fn well_formed() -> Option<Vec<Case>> {
    Some(suite()?.into_iter().filter(|case| !is_not_wf(case) && case.kind != "error").collect())
}

#[test]
fn what_is_not_well_formed_is_refused() {
    let Some(cases) = suite() else { return };
    let cases: Vec<_> = cases.iter().filter(|case| is_not_wf(case)).collect();
    for case in &cases {
        let read = case.alone(&PLAIN).and_then(|whole| rewritten_by(&whole, &PLAIN));
        let error = read.map(|out| String::from_utf8(out).unwrap()).expect_err(&case.id);
        assert!(matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Incomplete), "{}: {error}", case.id);
    }
    eprintln!("{} documents refused", cases.len());
}

#[test]
fn what_is_well_formed_is_kept_whole() {
    let Some(mut cases) = well_formed() else { return };
    // The canonicalizer reads no external entities.
    cases.retain(|case| case.entities == "none");
    let mut texts = Vec::new();
    for case in &cases {
        let input = case.input();
        texts.push(rewritten_by(&input, &PLAIN).unwrap_or_else(|error| panic!("{}: {error}", case.id)));
        texts.push(input);
    }
    let Some(canonical) = python("canonical.py", &texts) else { return };
    let mut compared = 0;
    for (case, pair) in cases.iter().zip(canonical.chunks(2)) {
        if pair[1].starts_with("error: ") {
            assert!(NOT_CANONICALIZED.contains(&&*case.id), "{}: {}", case.id, pair[1]);
            continue;
        }
        assert_eq!(pair[0], pair[1], "{}", case.id);
        compared += 1;
    }
    eprintln!("{compared} documents of {} compared under Canonical XML", cases.len());
}

/// Well-formed documents that are not namespace-well-formed: of names like ':' and 'A:._-0'.
const NOT_NAMESPACE_WELL_FORMED: [&str; 3] = ["valid-sa-012", "o-p04pass1", "o-p05pass1"];

#[test]
fn of_what_is_well_formed_all_but_odd_colons_is_namespace_well_formed() {
    let Some(cases) = well_formed() else { return };
    let refused =
        cases.iter().filter(|case| case.alone(&Options::default()).and_then(|whole| rewritten(&whole)).is_err());
    assert_eq!(refused.map(|case| &*case.id).collect::<Vec<_>>(), NOT_NAMESPACE_WELL_FORMED);
}

#[test]
fn what_is_not_namespace_well_formed_is_refused_unless_read_as_plain_xml() {
    let Some(cases) = namespace_suite() else { return };
    for case in &cases {
        // "error" is what a processor need not report: names of namespaces that are no absolute URIs.
        match (&*case.kind, rewritten(&case.input())) {
            ("not-wf", Err(error)) => {
                assert_eq!(error.kind(), ErrorKind::Syntax, "{}: {error}", case.id);
            }
            ("not-wf", Ok(_)) => panic!("{} is accepted", case.id),
            (_, Ok(_)) => {}
            (_, Err(error)) => panic!("{}: {error}", case.id),
        }
        let plain = rewritten_by(&case.input(), &PLAIN);
        // One has an attribute twice, which no XML may.
        assert_eq!(plain.is_ok(), case.id != "rmt-ns10-035", "{}: {plain:?}", case.id);
    }
    let refused = cases.iter().filter(|case| case.kind == "not-wf").count();
    assert!(refused >= 21, "{refused}");
}

#[test]
fn documents_have_the_canonical_form_that_the_suite_gives() {
    let Some(cases) = well_formed() else { return };
    let mut compared = 0;
    for case in &cases {
        let Some(output) = &case.output else { continue };
        let expected = String::from_utf8(std::fs::read(output).unwrap()).unwrap();
        // The second canonical form adds the notations, which are no part of the document here.
        let expected = match expected.split_once("]>\n") {
            Some((doctype, rest)) if doctype.starts_with("<!DOCTYPE") => rest.to_owned(),
            _ => expected,
        };
        assert_eq!(clark(case), expected, "{}", case.id);
        compared += 1;
    }
    eprintln!("{compared} documents compared with the suite's canonical form");
}

/// The first canonical form of the suite.
fn clark(case: &Case) -> String {
    let mut out = String::new();
    let (input, files) = (case.input(), case.files());
    let mut reader = Reader::new(&input, &PLAIN).unwrap().with_entities(&files, case.path.to_str());
    while let Some(event) = reader.next_event().unwrap_or_else(|error| panic!("{}: {error}", case.id)) {
        match event {
            Event::Start(tag) => {
                let mut attributes: Vec<_> = tag.attributes().collect();
                attributes.sort_unstable();
                out.push('<');
                out.push_str(tag.name());
                for (name, value) in attributes {
                    out.push_str(&format!(" {name}=\"{}\"", escaped(value)));
                }
                out.push('>');
            }
            Event::End(name) => out.push_str(&format!("</{name}>")),
            Event::Text(text) | Event::CData(text) => out.push_str(&escaped(text)),
            Event::Instruction(instruction) => {
                out.push_str(&format!("<?{} {}?>", instruction.target(), instruction.data()));
            }
            _ => {}
        }
    }
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

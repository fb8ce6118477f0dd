//! Reading by expectation beside reading event by event: the same values, and the same errors.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_x694 as x694;

mod generated;
mod instance_support;
mod mutation_support;

use std::fs;

use asn1::Values;
use generated::Generated;
use instance_support::{SETS, data, schema as schema_of};
use mutation_support::mutated;
use test_support::{Random, rounds};
use text::xml::Reader;
use x694::{mapping, xer};
use xsd::{Limits, Memory, Options, Schema};

/// What both ways make of a text: whether it is read.
fn both(types: &xer::Types, xml: &[u8], options: &Options) -> Result<(), tam::Error> {
    let (mut one, mut other) = (Values::new(), Values::new());
    let expected = xer::read_by_events(xml, types, options, &mut one);
    let shown = || String::from_utf8_lossy(xml).into_owned();
    // The second time more is expected.
    for _ in 0..2 {
        match (xer::read(xml, types, options, &mut other), &expected) {
            (Ok(found), Ok(expected)) => {
                let words = |value| asn1::notation::write_value(value).unwrap();
                let (found, expected) = (words(found), words(*expected));
                let differs = || found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
                assert!(found == expected, "{:?}\n{}", differs(), shown());
            }
            (found, expected) => assert_eq!(found.err().as_ref(), expected.as_ref().err(), "{}", shown()),
        }
    }
    expected.map(drop)
}

/// A text with a change of how it is written: mostly it says the same.
fn rewritten(text: &str, random: &mut Random) -> String {
    let mut out = text.to_owned();
    let tags: Vec<usize> = text.match_indices('>').map(|(at, _)| at + 1).collect();
    let at = tags[random.below(tags.len())];
    match random.below(12) {
        0 => out.insert_str(at, "<!-- c -->"),
        1 => out.insert_str(at, "\r\n"),
        2 => out.insert_str(at, "<?p i?>"),
        3 => out.insert_str(at, "<![CDATA[]]>"),
        4 => out.insert_str(at, "<![CDATA[x]]>"),
        5 => out.insert_str(at, "&#32;"),
        6 => out.insert_str(at, random.of(&["&amp;", "]]>", "&x;", "\t", "\u{1}", "é", "<"])),
        7 => out.insert_str(at - 1, random.of(&[" ", "\n", " xmlns:q='urn:q'", " xmlns='urn:q'", "/", "x"])),
        8 => {
            let said = ["nil='true'", "nil='false'", "type='t:base'", "type='t:more'", "nil='x'"];
            let said = format!(" xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:{}", random.of(&said));
            out.insert_str(at - 1, &said);
        }
        9 => {
            let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
            if !lines.is_empty() {
                out.insert(lines[random.below(lines.len())], ' ');
            }
        }
        10 => {
            // Any byte of ASCII, for any other.
            let at = random.below(out.len());
            if out.as_bytes()[at].is_ascii() {
                let byte = char::from(b' ' + random.below(95) as u8);
                out.replace_range(at..at + 1, &byte.to_string());
            }
        }
        _ => out.truncate((0..=random.below(out.len())).rev().find(|at| out.is_char_boundary(*at)).unwrap()),
    }
    out
}

fn changed(text: &str, random: &mut Random) -> String {
    let mut out = text.to_owned();
    for _ in 0..=random.below(3) {
        if out.is_empty() || !is_well_formed(&out) {
            break;
        }
        out = if random.one_in(2) { rewritten(&out, random) } else { mutated(&out, random) };
    }
    out
}

fn is_well_formed(text: &str) -> bool {
    let Ok(mut reader) = Reader::from_text(text, &text::xml::Options::default()) else { return false };
    loop {
        match reader.next_event() {
            Ok(Some(_)) => {}
            read => return read.is_ok(),
        }
    }
}

#[test]
fn real_instances_are_read_alike() {
    let Some(data) = data() else { return };
    let mut random = Random::new(24);
    let (mut good, mut bad) = (0, 0);
    for (path, instances) in SETS {
        let types = xer::Types::new(schema_of(&data, path), &mapping::Options::default()).unwrap();
        for name in *instances {
            let text = fs::read_to_string(data.join(name)).unwrap();
            both(&types, text.as_bytes(), &Options::default()).unwrap();
            let text = text.trim_start_matches('\u{FEFF}');
            let times = 500_000 / text.len().max(10_000) + 1;
            for _ in 0..rounds(times) {
                let changed = changed(text, &mut random);
                match both(&types, changed.as_bytes(), &Options::default()) {
                    Ok(()) => good += 1,
                    Err(_) => bad += 1,
                }
            }
        }
    }
    println!("{good} read, {bad} refused");
    assert!(good > rounds(50) && bad > rounds(80), "{good} {bad}");
}

#[test]
fn generated_instances_are_read_alike() {
    let mut random = Random::new(694);
    let (mut good, mut bad, mut limited) = (0, 0, 0);
    for _ in 0..rounds(80) {
        let generated = Generated::new(&mut random);
        let source = Memory::new().with("t.xsd", generated.schema());
        let schema = Schema::read_from(source, "t.xsd", &Options::default());
        let schema = schema.unwrap_or_else(|error| panic!("{error}\n{}", generated.schema()));
        let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
        for _ in 0..8 {
            let text = generated.instance(&mut random);
            let read = both(&types, text.as_bytes(), &Options::default());
            read.unwrap_or_else(|error| panic!("{error}\n{}\n{text}", generated.schema()));
            for _ in 0..6 {
                let changed = changed(&text, &mut random);
                match both(&types, changed.as_bytes(), &Options::default()) {
                    Ok(()) => good += 1,
                    Err(_) => bad += 1,
                }
            }
            let limits =
                Limits { units: random.below(400) as u32, depth: 2 + random.below(8) as u32, ..Limits::DEFAULT };
            let options = Options::default().with_limits(limits);
            limited += usize::from(both(&types, text.as_bytes(), &options).is_err());
        }
    }
    println!("{good} read, {bad} refused, {limited} beyond a limit");
    assert!(good > rounds(500) && bad > rounds(500) && limited > rounds(150), "{good} {bad} {limited}");
}

/// Bindings that change with each element, beside many that hold: no instance takes more than in proportion.
#[test]
fn many_bindings_are_not_looked_at_for_each_element() {
    let schema = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='r'><xs:complexType>
        <xs:sequence><xs:element name='e' type='xs:int' maxOccurs='unbounded'/></xs:sequence></xs:complexType>
        </xs:element></xs:schema>";
    let schema = Schema::read_from(Memory::new().with("t.xsd", schema), "t.xsd", &Options::default()).unwrap();
    let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
    let many: String = (0..900).map(|n| format!(" xmlns:p{n}='urn:{}'", "x".repeat(n))).collect();
    let shapes: [&dyn Fn(usize) -> String; 3] = [
        &|n| format!("<r{many}>{}</r>", "<e xmlns:q='urn:q'>1</e><e>2</e>".repeat(n)),
        &|n| format!("<r>{}</r>", (0..n).map(|n| format!("<e xmlns:q{n}='u'>1</e><e>2</e>")).collect::<String>()),
        &|n| format!("<r>{}</r>", (0..n).map(|n| format!("<e xmlns:q='u{n}'>1</e>")).collect::<String>()),
    ];
    for shape in shapes {
        both(&types, shape(20).as_bytes(), &Options::default()).unwrap();
        let (xml, started) = (shape(30_000), std::time::Instant::now());
        let mut values = Values::new();
        xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap();
        assert!(started.elapsed() < test_support::seconds(10), "{:?}", started.elapsed());
    }
}

/// The bindings of an element end with it, however its end tag is read.
#[test]
fn bindings_end_with_their_element() {
    let schema = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:t' elementFormDefault='qualified'>
        <xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' maxOccurs='unbounded'><xs:complexType>
        <xs:sequence><xs:element name='b' maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element></xs:sequence>
        </xs:complexType></xs:element></xs:schema>";
    let source = Memory::new().with("t.xsd", schema);
    let options = Options::default();
    let schema = Schema::read_from(source, "t.xsd", &options).unwrap();
    let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
    let mut values = Values::new();
    let declared = "<a xmlns='urn:t'><b/></a>";
    for rest in [declared, declared, declared, "<a><b/></a>", "<a><b/></a>", "<a><b/></a>", declared] {
        let xml = format!("<t:r xmlns:t='urn:t'>{declared}{declared}{rest}</t:r>");
        let read = xer::read(xml.as_bytes(), &types, &options, &mut values);
        assert_eq!(read.is_ok(), rest == declared, "{xml}");
    }
}

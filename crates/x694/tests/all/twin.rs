//! Reading by expectation beside reading event by event: the same values, and the same errors.

use std::fs;

use crate::generated::Generated;
use crate::instance_support::{SETS, data, schema as schema_of};
use crate::mutation_support::mutated;
use asn1::Values;
use test_support::cost::linear;
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

/// Lists of numbers, which are read in runs: of each kind, written in any way, spoiled, and beyond limits.
#[test]
fn runs_of_numbers_are_read_alike() {
    let item = |name: &str, ty: &str, most: &str| {
        format!(
            "<xs:element name='{name}'><xs:complexType><xs:sequence><xs:element name='i' type='{ty}' maxOccurs='{most}' nillable='{}'/>
            <xs:element name='j' type='xs:double' minOccurs='0' maxOccurs='unbounded'/></xs:sequence></xs:complexType>
            </xs:element>",
            name.starts_with("nil")
        )
    };
    let schema = format!(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:r' targetNamespace='urn:r'
        elementFormDefault='qualified'>
        <xs:simpleType name='few'><xs:restriction base='xs:int'><xs:minInclusive value='-50'/><xs:maxInclusive
        value='99990'/></xs:restriction></xs:simpleType>{}{}{}{}{}{}{}{}</xs:schema>",
        item("double", "xs:double", "unbounded"),
        item("int", "xs:int", "unbounded"),
        item("few", "few", "unbounded"),
        item("long", "xs:unsignedInt", "unbounded"),
        item("float", "xs:float", "unbounded"),
        item("double-300", "xs:double", "300"),
        item("nil-double", "xs:double", "unbounded"),
        item("nil-int", "xs:int", "unbounded"),
    );
    let schema = Schema::read_from(Memory::new().with("t.xsd", schema), "t.xsd", &Options::default()).unwrap();
    let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
    let mut random = Random::new(2024);
    let (mut good, mut bad, mut limited) = (0, 0, 0);
    for _ in 0..rounds(400) {
        let root = random.of(&["double", "int", "few", "long", "float", "double-300", "nil-double", "nil-int"]);
        let number = |random: &mut Random| match root {
            "int" | "nil-int" => (random.next() as i32 >> random.below(31)).to_string(),
            "few" => random.below(99_992).to_string(),
            "long" => (random.next() as u32 >> random.below(31)).to_string(),
            _ if random.one_in(8) => random.of(&["INF", "NaN", "-0", "1e400", "007", " 5 ", "+1"]).to_owned(),
            _ => format!("{:e}", f64::from_bits(random.next())).replace("inf", "INF"),
        };
        let (space, start) = (random.of(&["", "", "\n  "]), random.of(&["<i>", "<i >", "<i\n>"]));
        let count = random.of(&[1, 3, 130, 299, 301, 700]);
        let items: String = (0..count).map(|_| format!("{space}{start}{}</i>", number(&mut random))).collect();
        let rest = "<j>1.5</j>".repeat(random.of(&[0, 1, 200]));
        let instance = "http://www.w3.org/2001/XMLSchema-instance";
        let text = format!("<{root} xmlns='urn:r' xmlns:n='{instance}'>{items}{rest}{space}</{root}>");
        let text = match random.below(4) {
            0 => changed(&text, &mut random),
            1 => {
                // One item is written in another way.
                let at = text.match_indices("</i>").nth(random.below(count)).unwrap().0;
                let other =
                    random.of(&["<!-- c --></i>", "</i >", "</i><i>x</i>", "</j>", "</i>1", "&#49;</i>", "\u{1}</i>"]);
                format!("{}{other}{}", &text[..at], &text[at + 4..])
            }
            _ => text,
        };
        match both(&types, text.as_bytes(), &Options::default()) {
            Ok(()) => good += 1,
            Err(_) => bad += 1,
        }
        let units = random.below(2 * count + 10) as u32;
        let options = Options::default().with_limits(Limits { units, ..Limits::DEFAULT });
        limited += usize::from(both(&types, text.as_bytes(), &options).is_err());
    }
    println!("{good} read, {bad} refused, {limited} beyond a limit");
    assert!(good > rounds(150) && bad > rounds(60) && limited > rounds(100), "{good} {bad} {limited}");
}

/// Lists of records, which are read in runs: attributes, records in records, defaults, IDs, patterns; written in any way,
/// spoiled, and beyond limits.
#[test]
fn runs_of_records_are_read_alike() {
    let schema = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:r' targetNamespace='urn:r'
        elementFormDefault='qualified'>
        <xs:simpleType name='code'><xs:restriction base='xs:string'><xs:pattern value='[a-z]{3}'/></xs:restriction>
        </xs:simpleType>
        <xs:complexType name='money'><xs:simpleContent><xs:extension base='xs:decimal'><xs:attribute name='cur'
        type='code' use='required'/></xs:extension></xs:simpleContent></xs:complexType>
        <xs:element name='r'><xs:complexType><xs:sequence>
        <xs:element name='e' minOccurs='0' maxOccurs='unbounded' nillable='true'><xs:complexType><xs:sequence>
          <xs:element name='when' type='xs:dateTime'/>
          <xs:element name='to' minOccurs='0' nillable='true'><xs:complexType><xs:sequence><xs:element name='name' type='xs:token'
            default='none'/><xs:element name='n' type='xs:short' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>
          <xs:element name='sum' type='money'/>
          <xs:choice><xs:element name='on' type='xs:boolean'/><xs:element name='off'><xs:complexType/></xs:element>
          </xs:choice>
          <xs:element name='t' type='xs:string' minOccurs='0' maxOccurs='unbounded'/></xs:sequence>
          <xs:attribute name='id' type='xs:ID'/><xs:attribute name='k' type='xs:int' default='5'/></xs:complexType></xs:element>
        <xs:element name='p' minOccurs='0' maxOccurs='unbounded'><xs:complexType><xs:attribute name='x' type='xs:double'
          use='required'/><xs:attribute name='y' type='code'/></xs:complexType></xs:element>
        <xs:element name='s' type='xs:token' minOccurs='0' maxOccurs='400'/>
        </xs:sequence></xs:complexType></xs:element></xs:schema>";
    let schema = Schema::read_from(Memory::new().with("t.xsd", schema), "t.xsd", &Options::default()).unwrap();
    let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
    let mut random = Random::new(2025);
    let (mut good, mut bad, mut limited) = (0, 0, 0);
    for _ in 0..rounds(300) {
        let (space, odd) = (random.of(&["", "\n "]), random.of(&[1000, 20, 5]));
        let shape = random.below(8);
        let e = |n: usize, random: &mut Random| {
            let is_odd = random.one_in(odd);
            let shape = if is_odd { random.below(8) } else { shape };
            let id = if shape & 1 == 1 { format!(" id='i{}'", if is_odd { 1 } else { n }) } else { String::new() };
            let k = if random.one_in(odd) { random.of(&[" k='7'", " k=''", " k='1' k='2'"]) } else { "" };
            let name = if random.one_in(odd) { "" } else { random.of(&["a", "b c", "x", "&amp;", " y "]) };
            let to = match shape & 2 {
                0 => String::new(),
                _ => format!("{space}<to><name>{name}</name>{space}<n>{}</n></to>", random.below(32_000)),
            };
            let sum = random.of(&["1.50", "-3", "0.0001", "12345678901234567890.5"]);
            let choice = if shape & 4 == 0 { random.of(&["<on>true</on>", "<on>0</on>"]) } else { "<off/>" };
            let day = if random.one_in(odd) { 32 } else { 1 + random.below(28) };
            let code = if random.one_in(odd) { "EUR" } else { "eur" };
            format!(
                "{space}<e{id}{k}><when>2026-11-{day:02}T10:00:00Z</when>{to}<sum cur='{code}'>{sum}</sum>{choice}{}</e>",
                if is_odd { "<t>x</t>" } else { "" }
            )
        };
        let count = random.of(&[0, 2, 9, 120]);
        let mut text: String = (0..count).map(|n| e(n, &mut random)).collect();
        for _ in 0..random.of(&[0, 3, 60]) {
            let quote = if random.one_in(odd) { "'" } else { "\"" };
            text += &format!("<p x={quote}{}{quote} y='abc'/>", random.below(1000) as f64 / 8.0);
        }
        for _ in 0..random.of(&[0, 5, 398, 401]) {
            text += &format!("<s>{}</s>", random.of(&["a", "b c", "", "ü"]));
        }
        let text = format!("<r xmlns='urn:r'>{text}{space}</r>");
        let text = if random.one_in(3) { changed(&text, &mut random) } else { text };
        match both(&types, text.as_bytes(), &Options::default()) {
            Ok(()) => good += 1,
            Err(_) => bad += 1,
        }
        let limits =
            Limits { units: random.below(8 * count + 10) as u32, depth: 2 + random.below(3) as u32, ..Limits::DEFAULT };
        limited += usize::from(both(&types, text.as_bytes(), &Options::default().with_limits(limits)).is_err());
    }
    println!("{good} read, {bad} refused, {limited} beyond a limit");
    assert!(good > rounds(90) && bad > rounds(60) && limited > rounds(150), "{good} {bad} {limited}");
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
        linear("bindings", rounds(10_000), shape, |xml| {
            let mut values = Values::new();
            xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap();
        });
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

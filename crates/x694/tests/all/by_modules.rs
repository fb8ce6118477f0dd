//! Instances by the printed modules alone: the values and the XML are those by the XML Schema.

use std::fs;

use crate::generated::Generated;
use crate::instance_support::{SETS, data, schema as schema_of};
use asn1::{Compiled, Values, notation};
use test_support::Random;
use test_support::cost::within;
use x694::mapping::{self, Version};
use x694::xer;
use xsd::{Memory, Options, Schema};

fn by_modules(types: &xer::Types) -> xer::Types {
    let text = notation::print_schema(&types.mapping().schema);
    let (modules, compiled) = Compiled::from_sources(&[("", &text[..])], &tam::Limits::default()).unwrap();
    xer::Types::from_modules(modules, compiled.into()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Holds an instance by the modules against the same by the schema: the message, and the XML of it.
fn holds(by_schema: &xer::Types, by_modules: &xer::Types, xml: &[u8], name: &str) {
    let (options, rules) = (Options::default(), asn1::Options::ber());
    let carried = |types: &xer::Types| {
        let mut values = Values::new();
        let value = xer::read(xml, types, &options, &mut values)?;
        Ok::<_, tam::Error>((asn1::write(value, &rules)?, xer::write(value, types)?))
    };
    let Ok((message, written)) = carried(by_schema) else { return };
    let (other_message, other) = carried(by_modules).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(String::from_utf8_lossy(&other), String::from_utf8_lossy(&written), "{name}");
    assert!(message == other_message, "{name}");
}

fn module(text: &str) -> Result<xer::Types, tam::Error> {
    let (modules, compiled) = Compiled::from_sources(&[("", text)], &tam::Limits::default()).unwrap();
    xer::Types::from_modules(modules, compiled.into())
}

const ORDERS: &str = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
    Order ::= [NAME AS \"order\"] SEQUENCE {
      id [ATTRIBUTE] INTEGER (1..99), by Party, tags [LIST] SEQUENCE OF UTF8String,
      lines SEQUENCE (SIZE (1..3)) OF line Line, notes SEQUENCE OF Note, ways SET OF Party, done NULL OPTIONAL,
      colour Colour DEFAULT red, more [UNTAGGED] CHOICE { a INTEGER, b [NAME AS CAPITALIZED] BOOLEAN } OPTIONAL }
    Party ::= CHOICE { person UTF8String, company SEQUENCE { name UTF8String, parent Party OPTIONAL } }
    Line ::= SEQUENCE { no INTEGER, ..., [[ cut [ATTRIBUTE] BOOLEAN ]], ..., text [UNTAGGED] UTF8String }
    Note ::= UTF8String
    Colour ::= ENUMERATED { red, ..., green }
    ENCODING-CONTROL XER
      GLOBAL-DEFAULTS MODIFIED-ENCODINGS
      ATTRIBUTE Line.no
      TEXT Colour:ALL AS UPPERCASED
    END";

/// Values by hand, by the clauses of X.693 Amendment 1.
#[test]
fn modules_of_people_are_followed() {
    let types = module(ORDERS).unwrap();
    let xml = "<order id=\"7\"><by><company><name>A</name><parent><person>Ann</person></parent></company></by>\
        <tags>a b</tags><lines><line no=\"1\">x</line><line no=\"2\" cut=\"true\"/></lines><notes><Note>n</Note><Note/></notes>\
        <ways><person>p</person><company><name/></company></ways><done/><colour>GREEN</colour><B>true</B></order>";
    let value = "{ id 7, by company : { name \"A\", parent person : \"Ann\" }, tags { \"a\", \"b\" }, \
        lines { { no 1, text \"x\" }, { no 2, cut TRUE, text \"\" } }, notes { \"n\", \"\" }, \
        ways { person : \"p\", company : { name \"\" } }, done NULL, colour green, more b : TRUE }";
    let mut values = Values::new();
    let read = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap();
    let text = notation::write_value(read).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.split_once("::= ").map_or(&text[..], |(_, text)| text), value);
    assert_eq!(String::from_utf8(xer::write(read, &types).unwrap()).unwrap(), xml);
    let smallest = "<order id=\"1\"><by><person/></by><tags/><lines><line no=\"0\"/></lines><notes/><ways/></order>";
    let read = xer::read(smallest.as_bytes(), &types, &Options::default(), &mut values).unwrap();
    let message = asn1::write(read, &asn1::Options::uper()).unwrap();
    let back = asn1::read(&message, types.compiled(), read.node_id(), &asn1::Options::uper(), &mut values).unwrap();
    assert_eq!(String::from_utf8(xer::write(back, &types).unwrap()).unwrap(), smallest);
    for (from, to, words) in [
        ("id=\"1\"", "id=\"100\"", "at most 99"),
        ("<notes/>", "<notes><note/></notes>", "found <note>"),
        ("<by><person/></by>", "<by/>", "by"),
        ("<lines><line no=\"0\"/></lines>", "<lines/>", "line"),
    ] {
        let (xml, mut values) = (smallest.replace(from, to), Values::new());
        let error = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

const PARTS: &str = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
    Part ::= [NAME AS UNCAPITALIZED] SET {
      kind [ATTRIBUTE] OBJECT IDENTIFIER, flags BIT STRING { old(0), new(1) } (SIZE (2..9)), arcs RELATIVE-OID OPTIONAL,
      within Box OPTIONAL, sizes [LIST] SET OF INTEGER DEFAULT {}, kinds [LIST] SEQUENCE OF OBJECT IDENTIFIER OPTIONAL }
    Box ::= SET { b [TAG: 3] BOOLEAN, a [TAG: 1] INTEGER, parts SEQUENCE OF part Part }
    ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS
    END";

/// The elements of a SET come in any order, and are written in that of the notation; bits and identifiers are characters.
#[test]
fn the_components_of_a_set_come_in_any_order() {
    let types = module(PARTS).unwrap();
    let elements = [
        "<flags>1011</flags>",
        "<arcs>8571.3</arcs>",
        "<within><b>true</b><a>7</a><parts><part kind=\"2.999\"><flags>00</flags></part></parts></within>",
        "<sizes>3 4</sizes>",
        "<kinds>0.0 1.2.840</kinds>",
    ];
    let whole = |elements: &[&str]| format!("<part kind=\"1.3.6.1\">{}</part>", elements.concat());
    let read = |xml: &str| {
        let mut values = Values::new();
        let value = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values)?;
        let text = notation::write_value(value)?;
        Ok::<_, tam::Error>((text, String::from_utf8(xer::write(value, &types)?).unwrap()))
    };
    let (text, written) = read(&whole(&elements)).unwrap();
    assert_eq!(written, whole(&elements));
    for value in ["kind { 1 3 6 1 }", "flags '1011'B", "arcs { 8571 3 }", "{ 1 2 840 }", "b TRUE"] {
        assert!(text.contains(value), "{value}: {text}");
    }
    let mut random = Random::new(694);
    for _ in 0..test_support::rounds(400) {
        let mut order = elements;
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let kept: Vec<&str> =
            order.into_iter().filter(|one| one.starts_with("<flags") || random.below(4) > 0).collect();
        let inner = "<b>true</b><a>7</a>";
        let xml = whole(&kept).replace(inner, if random.below(2) == 0 { inner } else { "<a>7</a><b>true</b>" });
        let sorted: Vec<&str> = elements.into_iter().filter(|one| kept.contains(one)).collect();
        let (_, written) = read(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
        assert_eq!(written, whole(&sorted), "{xml}");
    }
    assert_eq!(read(&whole(&["<flags> 1 01\n1</flags>"])).unwrap().1, whole(&["<flags>1011</flags>"]));
    for (elements, words) in [
        ("", "flags"),
        ("<flags>1</flags>", "a size of 1, expected a size of 2 to 9 ("),
        ("<flags>12</flags>", "pattern"),
        ("<flags>11</flags><flags>11</flags>", "flags"),
        ("<flags>11</flags><arcs>1..2</arcs>", "pattern"),
        ("<flags>11</flags><kinds>1.40</kinds>", "pattern"),
        ("<flags>11</flags><kinds>1.2.340282366920938463463374607431768211456</kinds>", "identifier"),
        ("<flags>11</flags><within><a>7</a></within>", "b"),
    ] {
        let error = read(&whole(&[elements])).unwrap_err().to_string();
        assert!(error.contains(words), "{elements}: {error}");
    }
}

/// With an open type, a string that contains a value, and parameters.
const BOXES: &str = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
    T ::= SEQUENCE { id [ATTRIBUTE] C.&id ({S}), v C.&Type ({S}{@id}), s OCTET STRING (CONTAINING U),
      b SEQUENCE OF Box {BOOLEAN}, COMPONENTS OF Line {INTEGER} }
    Box {X} ::= SEQUENCE { c X, d CHOICE { x X, n NULL } OPTIONAL }
    Line {X} ::= SEQUENCE { n X }
    Party ::= Line {UTF8String}
    U ::= SEQUENCE { n INTEGER }
    C ::= CLASS { &id INTEGER UNIQUE, &Type }
    S C ::= { { &id 1, &Type BOOLEAN } | { &id 2, &Type U } | { &id 3, &Type Box {OBJECT IDENTIFIER} }
      | { &id 4, &Type SET OF BIT STRING } | { &id 5, &Type SEQUENCE { n NULL } }, ... }
    ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS
    END";

/// X.680 clause 25.5: the components of the root, those that it includes too, in their place; names are those of their module.
#[test]
fn components_of_other_types_are_in_their_place() {
    let text = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN IMPORTS Base FROM N;
        T ::= [NAME AS UNCAPITALIZED] SEQUENCE { first INTEGER, COMPONENTS OF Base, ..., [[ COMPONENTS OF U ]], ..., last Size }
        U ::= SEQUENCE { later UTF8String }
        Size ::= UTF8String
        END
        N DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
        Base ::= SEQUENCE { id [ATTRIBUTE] Size, COMPONENTS OF Inner, ..., no NULL }
        Inner ::= SEQUENCE { sizes SEQUENCE OF size Size, in SEQUENCE { deep Size } OPTIONAL }
        Size ::= INTEGER (0..9)
        END";
    let types = module(text).unwrap();
    let read = |xml: &str| {
        let mut values = Values::new();
        let value = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values)?;
        let text = notation::write_value(value)?.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok::<_, tam::Error>((text, String::from_utf8(xer::write(value, &types)?).unwrap()))
    };
    let xml = "<t id=\"7\"><first>1</first><sizes><size>3</size></sizes><in><deep>4</deep></in><later>x</later><last>y</last></t>";
    let (text, written) = read(xml).unwrap();
    assert_eq!(written, xml);
    assert!(text.ends_with("{ first 1, id 7, sizes { 3 }, in { deep 4 }, later \"x\", last \"y\" }"), "{text}");
    for (from, to, words) in [
        ("id=\"7\"", "id=\"10\"", "at most 9"),
        ("<later>", "<no/><later>", "found <no>"),
        ("<last>y</last>", "", "last"),
    ] {
        let error = read(&xml.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn what_is_not_supported_is_refused_where_it_is() {
    for (from, to, words) in [
        ("ATTRIBUTE Line.no", "ATTRIBUTE Line.nothing", "the target 'Line.nothing'"),
        ("ATTRIBUTE Line.no", "NOT ATTRIBUTE Line.no", "negated"),
        ("GLOBAL-DEFAULTS MODIFIED-ENCODINGS", "", "without GLOBAL-DEFAULTS MODIFIED-ENCODINGS"),
        ("Note ::= UTF8String", "Note ::= SET { a [UNTAGGED] CHOICE { b NULL } }", "in any order"),
        (
            "Note ::= UTF8String",
            "Note ::= SEQUENCE { a [BASE64] Held } Octets ::= OCTET STRING Held ::= [ATTRIBUTE] Octets (CONTAINING NULL)",
            "a string that contains a value",
        ),
        ("a INTEGER, b", "a INTEGER, a-1 [NAME AS \"a\"] INTEGER, b", "a"),
        ("[NAME AS \"order\"]", "[NAME AS \"no name\"]", "no name"),
    ] {
        let error = module(&ORDERS.replace(from, to)).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn real_instances_are_the_same() {
    let Some(data) = data() else { return };
    for (path, instances) in SETS.iter().take(if test_support::rounds(2) == 2 { 4 } else { 3 }) {
        let schema = schema_of(&data, path);
        let versions = if path.starts_with("ubl21") { &[Version::V2][..] } else { &[Version::V1, Version::V2] };
        for version in versions {
            let types = xer::Types::new(schema.clone(), &mapping::Options::default().with_version(*version)).unwrap();
            let modules = by_modules(&types);
            for name in *instances {
                holds(&types, &modules, &fs::read(data.join(name)).unwrap(), name);
            }
        }
    }
}

#[test]
fn generated_instances_are_the_same() {
    let mut random = Random::new(2615);
    for number in 0..test_support::rounds(300) {
        let generated = Generated::new(&mut random);
        let text = generated.schema();
        let source = Memory::new().with("t.xsd", text.clone());
        let Ok(schema) = Schema::read_from(source, "t.xsd", &Options::default()) else { continue };
        let types = xer::Types::new(schema, &mapping::Options::default()).unwrap();
        let modules = by_modules(&types);
        for _ in 0..4 {
            let xml = generated.instance(&mut random);
            holds(&types, &modules, xml.as_bytes(), &format!("{number}\n{text}\n{xml}"));
        }
    }
}

/// Types that contain themselves without an element, and groups that double, end with an error.
#[test]
fn hostile_modules_end() {
    let doubled: String = (0..60)
        .map(|n| format!("G{n} ::= [UNTAGGED] SEQUENCE {{ a G{}, b G{} }} ", n + 1, n + 1))
        .chain(["G60 ::= [UNTAGGED] SEQUENCE { x INTEGER OPTIONAL } T ::= SEQUENCE { g G0 }".to_owned()])
        .collect();
    // A table of 300 rows in 300 open types, and as many sets of objects.
    let rows: String = (0..300).map(|n| format!("{{ T{n} ID {n} }} | ")).collect();
    let uses: String = (0..300).map(|n| format!("i{n} C.&id ({{S}}), v{n} C.&Type ({{S}}{{@i{n}}}), ")).collect();
    let tables = format!(
        "C ::= CLASS {{ &id INTEGER UNIQUE, &Type }} WITH SYNTAX {{ &Type ID &id }} S C ::= {{ {rows} {{ NULL ID 300 }} }} {} \
         T ::= SEQUENCE {{ {uses} last NULL }}",
        (0..300).map(|n| format!("T{n} ::= SEQUENCE {{ x T OPTIONAL }} ")).collect::<String>()
    );
    let wide: String = (0..3000).map(|n| format!("a{n} T{n}, ")).collect();
    let types: String = (0..3000).map(|n| format!("T{n} ::= SEQUENCE {{ x INTEGER }} ")).collect();
    for (assignments, is_refused) in [
        ("T ::= [USE-TYPE] CHOICE { a T }", true),
        ("T ::= SEQUENCE { a [UNTAGGED] T OPTIONAL }", true),
        ("T ::= [USE-UNION] CHOICE { a T, b INTEGER }", true),
        ("T ::= [LIST] SEQUENCE OF T", true),
        ("T ::= CHOICE { a [UNTAGGED] T, b NULL }", true),
        ("T ::= SEQUENCE { a T OPTIONAL, b CHOICE { t T, n NULL } }", false),
        ("T ::= SEQUENCE { b B {T} OPTIONAL } B {X} ::= SEQUENCE { x X, b B {X} OPTIONAL }", false),
        (
            "T ::= SEQUENCE { a [UNTAGGED] B {T} OPTIONAL } B {X} ::= [UNTAGGED] SEQUENCE { x X, b B {X} OPTIONAL }",
            true,
        ),
        ("T ::= SEQUENCE { a OCTET STRING (CONTAINING T), b SEQUENCE OF OCTET STRING (CONTAINING T) }", false),
        (
            "T ::= SEQUENCE { u U } U ::= [UNTAGGED] SEQUENCE { i C.&id ({S}), v [UNTAGGED] C.&Type ({S}{@i}) } \
             S C ::= { { U IDENTIFIED BY {1 2} } } C ::= TYPE-IDENTIFIER",
            true,
        ),
        (&tables, false),
        ("T ::= SEQUENCE { a x < C } C ::= CHOICE { x x < C }", true),
        (&doubled, true),
        (&format!("{types} T ::= [USE-TYPE] CHOICE {{ {wide} a INTEGER }}"), false),
    ] {
        let text = format!("M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN {assignments} END");
        let Ok((modules, compiled)) = Compiled::from_sources(&[("", &text)], &tam::Limits::default()) else { continue };
        let shown = &text[..text.len().min(200)];
        let made = within(5, shown, || xer::Types::from_modules(modules, compiled.into()));
        assert_eq!(made.is_err(), is_refused, "{shown}: {:?}", made.err());
    }
}

/// Modules with changes: no panic, and what is read is written and read again.
#[test]
fn spoiled_modules_are_refused_or_followed() {
    let mut random = Random::new(2616);
    let (mut followed, mut refused) = (0, 0);
    let words = [
        "[UNTAGGED] ",
        "[ATTRIBUTE] ",
        "[LIST] ",
        "[USE-NIL] ",
        "[EMBED-VALUES] ",
        "[USE-TYPE] ",
        "[USE-UNION] ",
        "[USE-ORDER] ",
        "[ANY-ELEMENT] ",
        "[ANY-ATTRIBUTES] ",
        "[USE-QNAME] ",
        "[NAME AS \"\"] ",
        "[USE-NUMBER] ",
        "[BASE64] ",
        "[PI-OR-COMMENT AS \"<?p?>\" BEFORE-VALUE] ",
    ];
    let order = "<order id='7'><by><person>p</person></by><tags>a</tags><lines><line no='1'>x</line></lines></order>";
    let boxes = "<T id='2'><v><U><n>7</n></U></v><s><U><n>8</n></U></s><b><Box><c>true</c></Box></b><n>1</n></T>";
    let part = "<part kind='2.5'><within><a>7</a><parts/><b>1</b></within><sizes>3</sizes><flags>10</flags></part>";
    for n in 0..test_support::rounds(600) {
        let (module, xml) = [(PARTS, part), (ORDERS, order), (BOXES, boxes)][n % 3];
        let mut text = module.to_owned();
        for _ in 0..=random.below(3) {
            let places: Vec<usize> = [
                "INTEGER",
                "UTF8String",
                "SEQUENCE",
                "SET",
                "OBJECT",
                "BIT",
                "CHOICE",
                "Party",
                "Line",
                "BOOLEAN",
                "NULL",
            ]
            .iter()
            .flat_map(|word| text.match_indices(word).map(|(at, _)| at).collect::<Vec<_>>())
            .collect();
            text.insert_str(random.of(&places), random.of(&words));
        }
        let Ok((modules, compiled)) = Compiled::from_sources(&[("", &text)], &tam::Limits::default()) else { continue };
        match xer::Types::from_modules(modules, compiled.into()) {
            Ok(types) => {
                followed += 1;
                let mut values = Values::new();
                let Ok(value) = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values) else { continue };
                let _ = xer::write(value, &types);
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    println!("{followed} followed, {refused} refused");
    assert!(followed > test_support::rounds(10) && refused > test_support::rounds(40), "{followed} {refused}");
}

//! Rust's own types in rows and cells.
#![cfg(feature = "serde")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::support::{back, xml_said};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tam::ErrorKind;
use tdxml::{Binary, DataSchema, Options, Plan, Registry, Scheme, Tags};
use test_support::{Random, rounds};

fn plan(notation: &str, scheme: Scheme) -> Plan {
    Plan::new(notation.parse::<DataSchema>().unwrap()).with_scheme(scheme)
}

/// A value goes into a message that says what the XML does, and comes back; so does it from the messages
/// that documents are written as.
#[track_caller]
fn both_ways<T: Serialize + DeserializeOwned + PartialEq + Debug>(notation: &str, value: &T, xml: &str) {
    for scheme in crate::support::SCHEMES {
        for tags in [Tags::Short, Tags::Bare] {
            let plan = plan(notation, scheme).with_tags(tags);
            let message = plan.to_vec(value).unwrap();
            let shown = String::from_utf8_lossy(&message).into_owned();
            assert_eq!(&plan.read::<T>(&message).unwrap_or_else(|error| panic!("{error}\n{shown}")), value, "{shown}");
            assert_eq!(
                back(&message, &Options::default()).unwrap_or_else(|e| panic!("{e}\n{shown}")),
                xml_said(xml.as_bytes()),
                "{shown}"
            );
            let mut table = tam::Table::new();
            let document = crate::support::xml(xml.as_bytes(), &mut table);
            let options = Options::default().with_schema(plan.schema()).with_scheme(scheme).with_tags(tags);
            let written = tdxml::write(&document, &options).unwrap();
            let shown = String::from_utf8_lossy(&written);
            assert_eq!(&plan.read::<T>(&written).unwrap_or_else(|error| panic!("{error}\n{shown}")), value, "{shown}");
            // Line ends of other systems, and no end of the last line.
            for message in [&message, &written] {
                let text = String::from_utf8(message.clone()).unwrap();
                let no_end = text.replace("|\n</TDXML:CT>", "|</TDXML:CT>");
                for other in [no_end.replace('\n', "\r\n"), text.replace('\n', "\r\n"), no_end] {
                    let read = plan.read::<T>(other.as_bytes());
                    assert_eq!(&read.unwrap_or_else(|error| panic!("{error}\n{other}")), value, "{other}");
                    assert_eq!(
                        back(other.as_bytes(), &Options::default()).unwrap(),
                        xml_said(xml.as_bytes()),
                        "{other}"
                    );
                }
            }
        }
    }
}

/// The writer of documents, which makes items of everything before it writes rows, makes the same message.
#[track_caller]
fn as_documents_are(message: &[u8], options: &Options<'_>) {
    let mut table = tam::Table::new();
    let document = tdxml::read(message, options, &mut table).unwrap();
    let written = tdxml::write(&document, options).unwrap();
    for (number, (line, other)) in message.split(|c| *c == b'\n').zip(written.split(|c| *c == b'\n')).enumerate() {
        assert_eq!(String::from_utf8_lossy(line), String::from_utf8_lossy(other), "line {number}");
    }
    assert_eq!(message.len(), written.len());
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Order {
    #[serde(rename = "@id")]
    id: u32,
    #[serde(rename = "@note", skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    customer: Option<Customer>,
    #[serde(default)]
    line: Vec<Line>,
    #[serde(default)]
    tag: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Customer {
    // Not in the order of the schema.
    email: Option<String>,
    name: String,
    vip: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Line {
    #[serde(rename = "@sku")]
    sku: String,
    price: f64,
    size: Option<Size>,
    #[serde(default)]
    part: Vec<Part>,
    comment: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Size {
    w: Option<i16>,
    h: Option<i16>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Part {
    #[serde(rename = "@n")]
    n: u8,
    #[serde(rename = "$text", default)]
    text: String,
}

const ORDER: &str = "order [0] ::= SEQUENCE {
    id(0) [ATTRIBUTE] INTEGER
    note(1) [ATTRIBUTE] UTF8String OPTIONAL
    customer[0] SEQUENCE { name[0] UTF8String, email[1] UTF8String OPTIONAL, vip[2] BOOLEAN } OPTIONAL,
    line[1] SEQUENCE OF {
        sku(0) [ATTRIBUTE] UTF8String
        price[0] REAL,
        size[1] SEQUENCE { w[0] INTEGER OPTIONAL, h[1] INTEGER OPTIONAL } OPTIONAL,
        part[2] SEQUENCE OF { n(0) [ATTRIBUTE] INTEGER [TEXT] UTF8String },
        comment[3] UTF8String OPTIONAL },
    tag[2] SEQUENCE OF UTF8String }";

#[test]
fn structs_are_records_and_sequences_are_repeated_elements() {
    both_ways(ORDER, &Order { id: 1, ..Order::default() }, "<order id='1'/>");
    let customer = Customer { email: None, name: String::new(), vip: true };
    let one = Order { id: 2, customer: Some(customer), tag: vec!["x".into()], ..Order::default() };
    both_ways(ORDER, &one, "<order id='2'><customer><name/><vip>true</vip></customer><tag>x</tag></order>");
    let part = |n, text: &str| Part { n, text: text.into() };
    let line = |sku: &str, price| Line { sku: sku.into(), price, ..Line::default() };
    let order = Order {
        id: 3,
        note: Some("a|b [&<>\r\n\"\"".into()),
        customer: Some(Customer { email: Some("a@b".into()), name: "[x".into(), vip: false }),
        line: vec![
            line("", 2.5),
            Line { part: vec![part(1, "p|q"), part(2, "")], comment: Some(String::new()), ..line("[s", -1e300) },
            Line { size: Some(Size { w: Some(1), h: None }), comment: Some("c".into()), ..line("t", 0.1) },
            Line { size: Some(Size::default()), part: vec![part(9, "\"\"")], ..line("u", 3.0) },
        ],
        tag: vec!["".into(), "[0] |".into(), "é".into()],
    };
    let xml = "<order id='3' note='a|b [&amp;&lt;>&#13;&#10;\"\"'>\
        <customer><name>[x</name><email>a@b</email><vip>false</vip></customer>\
        <line sku=''><price>2.5</price></line>\
        <line sku='[s'><price>-1e+300</price><part n='1'>p|q</part><part n='2'/><comment/></line>\
        <line sku='t'><price>0.1</price><size><w>1</w></size><comment>c</comment></line>\
        <line sku='u'><price>3</price><size/><part n='9'>\"\"</part></line>\
        <tag/><tag>[0] |</tag><tag>é</tag></order>";
    both_ways(ORDER, &order, xml);
}

/// In which order a type has its fields makes no difference to what is written.
#[test]
fn fields_in_another_order_are_written_in_that_of_the_schema() {
    #[derive(Serialize)]
    struct Backward {
        tag: Vec<String>,
        line: Vec<BackwardLine>,
        customer: Option<Customer>,
        #[serde(rename = "@note")]
        note: Option<String>,
        #[serde(rename = "@id")]
        id: u32,
    }
    #[derive(Serialize)]
    struct BackwardLine {
        comment: Option<String>,
        size: Option<Size>,
        #[serde(rename = "@sku")]
        sku: String,
        part: Vec<Part>,
        price: f64,
    }
    let backward = |line: &Line| BackwardLine {
        comment: line.comment.clone(),
        size: line.size.clone(),
        sku: line.sku.clone(),
        part: line.part.clone(),
        price: line.price,
    };
    let part = |n, text: &str| Part { n, text: text.into() };
    let size = Some(Size { w: None, h: Some(2) });
    let customer = Some(Customer { email: Some("a@b".into()), name: "[0] |".into(), vip: true });
    let two = vec![part(1, "[x\n["), part(2, "")];
    for line in [
        vec![],
        vec![Line { sku: "[0]".into(), part: two.clone(), comment: Some("c".into()), ..Line::default() }],
        vec![
            Line { sku: "|".into(), size: size.clone(), ..Line::default() },
            Line { part: two, comment: Some(String::new()), ..Line::default() },
            Line { size, part: vec![part(3, "[3]")], ..Line::default() },
        ],
    ] {
        for tag in [vec![], vec!["x".to_owned()], vec!["[1]".to_owned(), String::new()]] {
            let note = Some("n".to_owned());
            let order = Order { id: 7, note, customer: customer.clone(), line: line.clone(), tag };
            let other = Backward {
                tag: order.tag.clone(),
                line: order.line.iter().map(backward).collect(),
                customer: order.customer.clone(),
                note: order.note.clone(),
                id: order.id,
            };
            for scheme in crate::support::SCHEMES {
                let plan = plan(ORDER, scheme);
                let (written, expected) = (plan.to_vec(&other).unwrap(), plan.to_vec(&order).unwrap());
                assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected));
            }
        }
    }
}

/// Which members the records of a sequence have decides whether they are written at once; it makes no difference.
#[test]
fn records_of_any_members_are_written_as_in_documents() {
    #[derive(Debug, Serialize)]
    struct Table {
        row: Vec<Row>,
        unsorted: Vec<Unsorted>,
        value: Vec<f64>,
    }
    #[derive(Debug, Serialize)]
    struct Row {
        #[serde(rename = "@k", skip_serializing_if = "Option::is_none")]
        k: Option<&'static str>,
        #[serde(rename = "$text")]
        text: Option<&'static str>,
        x: Option<i64>,
        y: Option<&'static str>,
    }
    #[derive(Debug, Serialize)]
    struct Unsorted {
        y: Option<&'static str>,
        x: u8,
    }
    let notation = "table[0] ::= SEQUENCE { row[0] SEQUENCE OF { k(0) [ATTRIBUTE] UTF8String OPTIONAL [TEXT] UTF8String \
        x[0] INTEGER OPTIONAL, y[1] UTF8String OPTIONAL }, unsorted[1] SEQUENCE OF { x[0] INTEGER, y[1] UTF8String \
        OPTIONAL }, value[2] SEQUENCE OF REAL }";
    let mut random = Random::new(25);
    for round in 0..rounds(120) {
        // Most records are like the first one, so that others come after many and after few.
        let odd = 2 + random.below(60);
        let text = |random: &mut Random| ["", "a", "[0]", "\"\"", "p|q\n", "\"x", "]]>&"][random.below(7)];
        let row = |random: &mut Random, like: usize| {
            let set = if random.below(odd) == 0 { random.below(16) } else { like };
            Row {
                k: (set & 1 > 0).then(|| text(random)),
                // An empty text is none in a document.
                text: (set & 2 > 0).then(|| ["t", "[1]", "\"\"", "|"][random.below(4)]),
                x: (set & 4 > 0).then(|| random.below(1000) as i64 - 500),
                y: (set & 8 > 0).then(|| text(random)),
            }
        };
        let (like, len) = (random.below(16), random.below(if round % 20 == 0 { 4000 } else { 20 }));
        let table = Table {
            row: (0..len).map(|_| row(&mut random, like)).collect(),
            unsorted: (0..random.below(4))
                .map(|x| Unsorted { y: (like > 3).then(|| text(&mut random)), x: x as u8 })
                .collect(),
            value: (0..random.below(4)).map(|value| value as f64 / 2.0).collect(),
        };
        for scheme in crate::support::SCHEMES {
            let plan = plan(notation, scheme);
            let options = Options::default().with_schema(plan.schema()).with_scheme(scheme);
            as_documents_are(&plan.to_vec(&table).unwrap(), &options);
        }
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Colour {
    #[serde(rename = "red")]
    Red,
    Blue,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    #[serde(rename = "circle")]
    Circle(f32),
    #[serde(rename = "box")]
    Box(Size),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Numbers {
    colour: Colour,
    shape: Option<Shape>,
    wide: i128,
    #[serde(default)]
    real: Vec<f64>,
    c: char,
    map: BTreeMap<String, String>,
}

#[test]
fn enums_numbers_and_maps_are_values_and_records() {
    let notation = "n[0] ::= SEQUENCE { colour[0] UTF8String, shape[1] CHOICE { circle[0] REAL, box[1] SEQUENCE { w[0] \
        INTEGER OPTIONAL, h[1] INTEGER OPTIONAL } } OPTIONAL, wide[2] INTEGER, real[3] SEQUENCE OF REAL, c[4] UTF8String, \
        map[5] SEQUENCE { k(0) [ATTRIBUTE] UTF8String OPTIONAL a[0] UTF8String OPTIONAL, b[1] UTF8String OPTIONAL } }";
    let map = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let value = Numbers {
        colour: Colour::Red,
        shape: Some(Shape::Circle(0.5)),
        wide: i128::MIN,
        real: vec![f64::INFINITY, f64::NEG_INFINITY, 1e-7, -0.0],
        c: '&',
        map: map(&[("@k", "v"), ("a", "1"), ("b", "")]),
    };
    let xml = "<n><colour>red</colour><shape><circle>0.5</circle></shape><wide>-170141183460469231731687303715884105728\
        </wide><real>INF</real><real>-INF</real><real>1e-7</real><real>-0</real><c>&amp;</c><map k=\"v\"><a>1</a><b/></map></n>";
    both_ways(notation, &value, xml);
    let shape = Some(Shape::Box(Size { w: None, h: Some(3) }));
    let value = Numbers { colour: Colour::Blue, shape, wide: 0, real: vec![], c: 'x', map: map(&[]) };
    let xml = "<n><colour>Blue</colour><shape><box><h>3</h></box></shape><wide>0</wide><c>x</c><map/></n>";
    both_ways(notation, &value, xml);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Folder {
    #[serde(rename = "@name")]
    name: String,
    #[serde(default)]
    folder: Vec<Folder>,
}

#[test]
fn types_may_hold_themselves_up_to_a_depth() {
    let notation =
        "folder[0] ::= Folder Folder ::= SEQUENCE { name(0) [ATTRIBUTE] UTF8String folder[0] SEQUENCE OF Folder }";
    let leaf = |name: &str| Folder { name: name.into(), folder: vec![] };
    let value =
        Folder { name: "a".into(), folder: vec![leaf("b"), Folder { name: "c".into(), folder: vec![leaf("d")] }] };
    let xml = "<folder name=\"a\"><folder name=\"b\"/><folder name=\"c\"><folder name=\"d\"/></folder></folder>";
    both_ways(notation, &value, xml);
    let mut deep = leaf("x");
    for _ in 0..200 {
        deep = Folder { name: "y".into(), folder: vec![deep] };
    }
    let plan = plan(notation, Scheme::Smaller);
    assert_eq!(plan.to_vec(&deep).unwrap_err().kind(), ErrorKind::Limit);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Picture<'m> {
    name: &'m str,
    #[serde(with = "serde_bytes")]
    octets: &'m [u8],
}

#[test]
fn octets_are_borrowed_from_their_part() {
    let notation = "picture[0] ::= SEQUENCE { name[0] UTF8String, octets[1] OCTET STRING }";
    let octets: Vec<u8> = (0..=255).collect();
    let plan = plan(notation, Scheme::Smaller).with_binary(Binary::Mime);
    let message = plan.to_vec(&Picture { name: "p", octets: &octets }).unwrap();
    let picture: Picture<'_> = plan.read(&message).unwrap();
    assert_eq!((picture.name, picture.octets), ("p", &octets[..]));
    assert!(message.as_ptr_range().contains(&picture.octets.as_ptr()));
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Owned {
        name: String,
        #[serde(with = "serde_bytes")]
        octets: Vec<u8>,
    }
    let base64 = self::plan(notation, Scheme::Smaller);
    let inside = base64.to_vec(&Picture { name: "p", octets: &octets }).unwrap();
    for message in [&message, &inside] {
        assert_eq!(base64.read::<Owned>(message).unwrap().octets, octets);
    }
    assert!(base64.read::<Picture<'_>>(&inside).is_err());
}

#[test]
fn defaults_of_the_schema_are_values() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Person {
        #[serde(rename = "@lang")]
        lang: String,
        #[serde(rename = "@age")]
        age: u8,
        name: String,
    }
    let plan = plan(
        "person[0] ::= SEQUENCE OF { lang(0) [ATTRIBUTE] UTF8String (\"English\") age(1) [ATTRIBUTE] INTEGER (\"7\") name[0] UTF8String }",
        Scheme::Smaller,
    );
    let head = "<TDXML:Env><TDXML:DS>".to_owned() + &plan.schema().to_string() + "</TDXML:DS><TDXML:CT>";
    for rows in
        ["[0]0[0] |Alan\n[0]1(0) |French\n[0]1(1) |9\n[0]1[0] |Chris", "[0]0{(0) (1) [0]}\n||Alan\nFrench|9|Chris"]
    {
        let message = format!("{head}{rows}</TDXML:CT></TDXML:Env>");
        let people: Vec<Person> = plan.read(message.as_bytes()).unwrap();
        let said: Vec<_> = people.iter().map(|one| (&*one.lang, one.age, &*one.name)).collect();
        assert_eq!(said, [("English", 7, "Alan"), ("French", 9, "Chris")]);
    }
}

/// However many attributes have defaults, the values in a message take precedence.
#[test]
fn values_in_the_message_are_not_defaults() {
    let count = 150;
    let attributes: String =
        (0..count).map(|n| format!("k{n}({n}) [ATTRIBUTE] UTF8String (\"d\")")).collect::<Vec<_>>().join(" ");
    let plan = plan(&format!("a[0] ::= SEQUENCE {{ {attributes} }}"), Scheme::Smaller);
    for missing in [0, 1, 63, 64, 65, 127, 128, 149] {
        let value = |n: usize| if n == missing { "d".to_owned() } else { format!("v{n}") };
        let rows: String = (0..count).filter(|n| *n != missing).map(|n| format!("[0]({n}) |{}\n", value(n))).collect();
        let message = format!(
            "<TDXML:Env><TDXML:DS>{}</TDXML:DS><TDXML:CT>{rows}</TDXML:CT></TDXML:Env>",
            plan.schema().to_string().replace('&', "&amp;")
        );
        let read: BTreeMap<String, String> = plan.read(message.as_bytes()).unwrap();
        let expected: BTreeMap<String, String> = (0..count).map(|n| (format!("@k{n}"), value(n))).collect();
        assert_eq!(read, expected);
    }
}

/// Whatever the order of elements, attributes and text come first, and each once.
#[test]
fn rows_of_sets_and_choices_are_held_against_the_schema() {
    let notation = "a[0] ::= SEQUENCE { s[0] SET { k(0) [ATTRIBUTE] UTF8String OPTIONAL [TEXT] UTF8String x[0] UTF8String \
        OPTIONAL, y[1] UTF8String OPTIONAL, z[2] SEQUENCE OF UTF8String } OPTIONAL, c[1] CHOICE { k(0) [ATTRIBUTE] \
        UTF8String OPTIONAL u[0] UTF8String, v[1] SEQUENCE OF UTF8String } OPTIONAL, e[2] SEQUENCE { f[0] UTF8String \
        OPTIONAL } OPTIONAL }";
    let plan = plan(notation, Scheme::Smaller);
    type Members = BTreeMap<String, crate::support::any::Any>;
    for (rows, is_sound) in [
        ("[0][0](0) |k\n[0][0] |t\n[0][0][1] |y\n[0][0][0] |x\n[0][0][2]0 |z\n[0][0][2]1 |z\n", true),
        ("[0][0][1] |y\n[0][0](0) |k\n", false),
        ("[0][0] |t\n[0][0](0) |k\n", false),
        ("[0][0][1] |y\n[0][0] |t\n", false),
        ("[0][0](0) |k\n[0][0](0) |k\n", false),
        ("[0][0][1] |y\n[0][0][0] |x\n[0][0][1] |y\n", false),
        ("[0][1](0) |k\n[0][1][0] |u\n", true),
        ("[0][1][1]0 |v\n[0][1][1]1 |v\n", true),
        ("[0][1][0] |u\n[0][1][1]0 |v\n", false),
        ("[0][1][0] |u\n[0][1](0) |k\n", false),
        ("[0][1][0] |u\n[0][1][0] |u\n", false),
        ("[0][2] |\n", true),
        ("[0][2] |\n[0][2][0] |f\n", true),
        ("[0][2] |\n[0][2] |\n", false),
        ("[0][2][0] |f\n[0][2] |\n", false),
    ] {
        let message =
            format!("<TDXML:Env><TDXML:DS>{}</TDXML:DS><TDXML:CT>{rows}</TDXML:CT></TDXML:Env>", plan.schema());
        assert_eq!(back(message.as_bytes(), &Options::default()).is_ok(), is_sound, "{rows}");
        let read = plan.read::<BTreeMap<String, Members>>(message.as_bytes());
        assert_eq!(read.is_ok(), is_sound, "{rows}: {read:?}");
    }
    // What a type has no form for.
    let rows = "[0][0][2]0 |z\n[0][0][0] |x\n[0][0][2]1 |z\n";
    let message = format!("<TDXML:Env><TDXML:DS>{}</TDXML:DS><TDXML:CT>{rows}</TDXML:CT></TDXML:Env>", plan.schema());
    assert!(back(message.as_bytes(), &Options::default()).is_ok());
    let read = plan.read::<BTreeMap<String, Members>>(message.as_bytes());
    assert_eq!(read.unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn fields_that_the_type_has_not_are_passed_over() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Few {
        line: Vec<FewLine>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct FewLine {
        comment: Option<String>,
    }
    let xml = b"<order id='3'><customer><name>n</name><vip>1</vip></customer><line sku='a'><price>1</price><size><w>1</w></size>\
        <part n='1'/><part n='2'/><comment>c</comment></line><line sku='b'><price>2</price></line><tag>x</tag><tag>y</tag></order>";
    for scheme in crate::support::SCHEMES {
        let plan = plan(ORDER, scheme);
        let mut table = tam::Table::new();
        let document = crate::support::xml(xml, &mut table);
        let message =
            tdxml::write(&document, &Options::default().with_schema(plan.schema()).with_scheme(scheme)).unwrap();
        let few: Few = plan.read(&message).unwrap();
        let said: Vec<_> = few.line.iter().map(|line| line.comment.as_deref()).collect();
        assert_eq!(said, [Some("c"), None]);
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let plan = plan(ORDER, Scheme::Smaller);
    let read = |rows: &str| {
        let message =
            format!("<TDXML:Env><TDXML:DS>{}</TDXML:DS><TDXML:CT>{rows}</TDXML:CT></TDXML:Env>", plan.schema());
        plan.read::<Order>(message.as_bytes())
            .map_err(|error| (error.kind(), error.offset() as usize - message.find(rows).unwrap()))
    };
    assert!(read("[0](0) |1").is_ok());
    assert_eq!(read("[0](0) |x"), Err((ErrorKind::Schema, 8)));
    assert_eq!(read("[0](0) |1\n[0](0) |1"), Err((ErrorKind::Schema, 10)));
    assert_eq!(read("[0](0) |1\n[0][1]1(0) |1").unwrap_err().0, ErrorKind::Schema);
    assert_eq!(read("[0](0) |1\n[0][2]0 |1\n[0][1]0(0) |1").unwrap_err().0, ErrorKind::Schema);
    assert_eq!(read("[0](0) |1\n[0][7] |1"), Err((ErrorKind::Schema, 10)));
    assert_eq!(read("[0](0) |1\n[0][1]0{(0) [9]}\na|b").unwrap_err().0, ErrorKind::Schema);
    assert_eq!(read("[0](0) |1\n[0][1]0{(0) [0]}\na"), Err((ErrorKind::Syntax, 28)));
    assert_eq!(read("[0](0) |1\n[0][1]0{(0) [0]}\na|1|"), Err((ErrorKind::Syntax, 30)));
    assert_eq!(
        read("[0](0) |1\n[0][0][0] |n\n[0][0][2] |1\n[0][1]0{(0) [0] [3]}\na|1|c|"),
        Err((ErrorKind::Syntax, 62))
    );
    assert_eq!(read("[0](0) |1\n[0][1]0{(0) [2]{(0)} [0]}\na|7\n1\n2").unwrap_err().0, ErrorKind::Schema);
    assert_eq!(read("[0](0) |1\n[0][1]0{(0) [0] [2]{(0)}}\na|1|7\n1\n2").unwrap_err().0, ErrorKind::Syntax);
    assert_eq!(read("[0](0) |1\r"), Ok(Order { id: 1, ..Order::default() }));
    assert_eq!(read("[0](0) |1\r\r\n").unwrap_err(), (ErrorKind::Syntax, 9));
    assert_eq!(read("[0](0) |1\r\n[0][2]0 |a\rb"), Err((ErrorKind::Syntax, 21)));
    // A line that ends before its cells do: those of the next line are none of them.
    assert_eq!(read("[0](0) |1\n[0][1]0{(0) [1][0] [1][1] [3]}\na||\nb|||").unwrap_err().0, ErrorKind::Syntax);
    assert_eq!(read("[1] |").unwrap_err().0, ErrorKind::Schema);
    assert_eq!(read("").unwrap_err().0, ErrorKind::Schema);
    // Values are held against the schema before they are written.
    #[derive(Serialize)]
    struct Odd {
        #[serde(rename = "@id")]
        id: &'static str,
    }
    let mut out = b"kept".to_vec();
    assert_eq!(plan.append(&Odd { id: "x" }, &mut out).unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(out, b"kept");
    let bounded = self::plan("a[0] ::= INTEGER (0..5) EMPTY", Scheme::Smaller);
    assert!(bounded.to_vec(&5).is_ok() && bounded.to_vec("").is_ok());
    assert_eq!(bounded.to_vec(&6).unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(bounded.to_vec("6").unwrap_err().kind(), ErrorKind::Schema);
    #[derive(Serialize)]
    struct Unknown {
        other: u8,
    }
    assert_eq!(plan.to_vec(&Unknown { other: 1 }).unwrap_err().kind(), ErrorKind::Schema);
}

#[test]
fn plans_are_found_by_the_identifier_of_a_message() {
    let mut registry = Registry::new();
    registry.insert("urn:order", ORDER.parse().unwrap());
    let plans = tdxml::Plans::from_registry(&registry);
    let order = Order { id: 7, ..Order::default() };
    let message = plans.get("urn:order").unwrap().to_vec(&order).unwrap();
    assert_eq!(plans.of(&message).unwrap().read::<Order>(&message).unwrap(), order);
    assert_eq!(back(&message, &Options::default().with_registry(&registry)).unwrap(), xml_said(b"<order id='7'/>"));
    let other = plan("a[0] ::= UTF8String", Scheme::Smaller);
    assert_eq!(other.read::<String>(&message).unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(plans.of(&other.to_vec("x").unwrap()).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn a_default_is_read_as_the_same_value_in_a_row_is() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct All {
        #[serde(rename = "@octets", with = "serde_bytes")]
        octets: Vec<u8>,
        #[serde(rename = "@large")]
        large: i128,
        #[serde(rename = "@natural")]
        natural: u128,
        #[serde(rename = "@real")]
        real: f64,
        #[serde(rename = "@single")]
        single: f32,
        #[serde(rename = "@truth")]
        truth: bool,
        #[serde(rename = "@letter")]
        letter: char,
        #[serde(rename = "@nothing")]
        nothing: (),
    }
    let attributes = [
        ("octets", "OCTET STRING", "QUJD"),
        ("large", "INTEGER", "-170141183460469231731687303715884105728"),
        ("natural", "INTEGER", "340282366920938463463374607431768211455"),
        ("real", "REAL", "INF"),
        ("single", "REAL", "-INF"),
        ("truth", "BOOLEAN", "1"),
        ("letter", "UTF8String", "\u{e4}"),
        ("nothing", "NULL", ""),
    ];
    let notation: String = attributes
        .iter()
        .enumerate()
        .map(|(n, (name, ty, value))| format!("{name}({n}) [ATTRIBUTE] {ty} (\"{value}\") "))
        .collect();
    let rows: String =
        attributes.iter().enumerate().map(|(n, (_, _, value))| format!("[0]0({n}) |{value}\n")).collect();
    let notation = format!("a[0] ::= SEQUENCE OF {{ {notation} b[0] UTF8String }}");
    let plan = Plan::new(notation.parse::<DataSchema>().unwrap());
    let read = |rows: &str| -> All {
        let message = format!(
            "<TDXML:Env xmlns:TDXML=\"urn:tdxml\"><TDXML:DS>{notation}</TDXML:DS><TDXML:CT>\n{rows}</TDXML:CT></TDXML:Env>"
        );
        let all: Vec<All> = plan.read(message.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{message}"));
        all.into_iter().next().unwrap()
    };
    let first = read(&format!("{rows}[0]0[0] |x\n"));
    assert_eq!((&first.octets[..], first.large, first.natural), (&b"ABC"[..], i128::MIN, u128::MAX));
    assert_eq!(read("[0]0[0] |x\n"), first);
    assert_eq!(read("[0]0{[0]}\nx\n"), first);
}

/// XML Schema Part 2: white space around numbers is no part of them (section 4.3.6), however it is written; `-0` is an
/// unsigned number (section 3.3.20), `+INF` is no number (section 3.2.5.1).
#[test]
fn typed_values_are_those_of_xml_schema() {
    fn read<T: DeserializeOwned>(ty: &str, text: &str) -> Result<T, ErrorKind> {
        let notation = format!("a[0] ::= {ty}");
        let message = format!(
            "<TDXML:Env xmlns:TDXML=\"urn:tdxml\"><TDXML:DS>{notation}</TDXML:DS><TDXML:CT>\n[0] |{text}\n</TDXML:CT></TDXML:Env>"
        );
        Plan::new(notation.parse::<DataSchema>().unwrap()).read(message.as_bytes()).map_err(|error| error.kind())
    }
    assert_eq!((read("INTEGER", " -7\t"), read("INTEGER", "&#10;-7&#13;&#32;")), (Ok(-7_i32), Ok(-7_i32)));
    assert_eq!(
        (read("INTEGER", "-0"), read("INTEGER", "+7"), read("INTEGER", "-7").ok()),
        (Ok(0_u8), Ok(7_u8), None::<u8>)
    );
    assert_eq!((read("BOOLEAN", "&#9;1 "), read("REAL", "&#10;.5")), (Ok(true), Ok(0.5)));
    assert_eq!((read("REAL", "INF"), read("REAL", "-INF")), (Ok(f64::INFINITY), Ok(f32::NEG_INFINITY)));
    // What the schema says besides counts as well, whatever the type.
    assert_eq!((read("INTEGER (0..5)", "5"), read::<u8>("INTEGER (0..5)", "6")), (Ok(5), Err(ErrorKind::Schema)));
    assert_eq!(read::<String>("UTF8String (SIZE (2))", "&lt;"), Err(ErrorKind::Schema));
    assert_eq!(read::<String>("DATE", "yesterday"), Err(ErrorKind::Schema));
    for text in ["+INF", "inf", "infinity", "nan", "+NaN"] {
        assert_eq!(
            (read::<f64>("REAL", text), read::<f32>("REAL", text)),
            (Err(ErrorKind::Schema), Err(ErrorKind::Schema))
        );
    }
}

/// Comments and text between elements are no fields.
#[test]
fn what_has_no_number_is_passed_over() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Item {
        #[serde(rename = "@k")]
        k: Option<u32>,
        n: u32,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct List {
        item: Vec<Item>,
    }
    let text = b"<list><!--one--><item k='1'><!--c--><n>1</n></item>x<item><n>2</n></item></list>";
    for scheme in crate::support::SCHEMES {
        let options = Options::default().with_scheme(scheme);
        let written = crate::support::message(text, &options).unwrap();
        let plan = Plan::new(tdxml::schema_of(&written, &options).unwrap());
        let read: List = plan.read(&written).unwrap();
        let items = vec![Item { k: Some(1), n: 1 }, Item { k: None, n: 2 }];
        assert_eq!(read, List { item: items }, "{}", String::from_utf8_lossy(&written));
    }
}

/// The reader refuses what a record lacks, so the writer does.
#[test]
fn values_that_no_reader_takes_are_not_written() {
    let schema = "o [0] ::= SEQUENCE { no(0) [ATTRIBUTE] INTEGER
        item[0] SEQUENCE OF { id(0) [ATTRIBUTE] INTEGER note(1) [ATTRIBUTE] UTF8String OPTIONAL
            name[0] UTF8String, price[1] REAL OPTIONAL },
        either[1] CHOICE { a[0] INTEGER, b[1] INTEGER } OPTIONAL,
        any[2] SET { x[0] INTEGER, y[1] INTEGER } OPTIONAL }";
    type Fields = BTreeMap<&'static str, u32>;
    #[derive(Serialize, Default)]
    struct Whole {
        #[serde(rename = "@no")]
        no: Option<u32>,
        any: Option<Fields>,
        either: Option<Fields>,
        item: Vec<Fields>,
    }
    let good = || Fields::from([("@id", 1), ("name", 2)]);
    let whole = |no| Whole { no, ..Whole::default() };
    let cases = [
        (whole(None), "/o: missing attribute no"),
        (
            Whole { item: vec![good(), Fields::from([("@id", 1), ("price", 3)])], ..whole(Some(1)) },
            "/o/item/1: missing element name",
        ),
        (Whole { item: vec![Fields::from([("name", 3)])], ..whole(Some(1)) }, "/o/item/0: missing attribute id"),
        (
            Whole { item: vec![Fields::from([("@id", 1), ("id", 3), ("name", 2)])], ..whole(Some(1)) },
            "/o/item/0: found @id a second time, expected one field for each member",
        ),
        (
            Whole { either: Some(Fields::from([("a", 1), ("b", 3)])), ..whole(Some(1)) },
            "/o/either: found several alternatives, expected one of those that the schema has",
        ),
        (
            Whole { either: Some(Fields::new()), ..whole(Some(1)) },
            "/o/either: found no alternative, expected one of those that the schema has",
        ),
        (Whole { any: Some(Fields::from([("y", 1)])), ..whole(Some(1)) }, "/o/any: missing element x"),
    ];
    for scheme in crate::support::SCHEMES {
        let plan = plan(schema, scheme);
        for (value, words) in &cases {
            let error = plan.to_vec(value).unwrap_err();
            assert_eq!((error.kind(), error.to_string()), (ErrorKind::Schema, format!("schema at byte 0 in {words}")));
        }
        let two = |first, second| Some(Fields::from([(first, 1), (second, 2)]));
        let both = Whole {
            item: vec![good(), good()],
            either: Some(Fields::from([("b", 3)])),
            any: two("y", "x"),
            ..whole(Some(1))
        };
        let message = plan.to_vec(&both).unwrap();
        back(&message, &Options::default()).unwrap();
    }
    // Records of more than 64 members.
    let many: Vec<String> = (0..100).map(|n| format!("e{n}[{n}] INTEGER")).collect();
    let plan = plan(&format!("m [0] ::= SEQUENCE {{ {} }}", many.join(", ")), Scheme::Smaller);
    let mut values: BTreeMap<String, u32> = (0..100).map(|n| (format!("e{n}"), n)).collect();
    back(&plan.to_vec(&values).unwrap(), &Options::default()).unwrap();
    values.remove("e90");
    assert_eq!(plan.to_vec(&values).unwrap_err().to_string(), "schema at byte 0 in /m: missing element e90");
}

//! With an XML Schema every format becomes every other: instances (XML, TSF, infosets, TDXML) and values.

use lengthwise::tam::Table;
use lengthwise::{
    ErrorKind, Format, Losses, Options, Schema, Types, check, convert, convert_with_losses, read, x694, xsd,
};

fn schema(types: &str) -> Schema {
    let text = format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>{types}</xs:schema>");
    let source = xsd::Memory::new().with("s.xsd", text.as_str());
    let schema = xsd::Schema::read_from(source, "s.xsd", &xsd::Options::default()).unwrap();
    Schema::from_xsd(schema, &x694::mapping::Options::default()).unwrap()
}

/// Two roots, so that the root element says of which type a message is; `trip` is the one that was named.
fn trips() -> Schema {
    let types = "<xs:element name='stop' type='xs:string'/>
        <xs:element name='trip'><xs:complexType>
          <xs:sequence><xs:element ref='stop' maxOccurs='unbounded'/><xs:element name='at' type='xs:decimal'/></xs:sequence>
          <xs:attribute name='line' default='U1'><xs:simpleType>
            <xs:restriction base='xs:string'><xs:pattern value='[A-Z][0-9]'/></xs:restriction>
          </xs:simpleType></xs:attribute>
        </xs:complexType></xs:element>";
    schema(types).with_root("trip").unwrap()
}

const TRIP: &str = "<trip line='U6'><!-- late --><stop>Alser Straße</stop><stop/><at>24.00</at></trip>";

/// Each format that a message can be in, and for TSF both of what it may hold.
fn forms() -> Vec<(Format, Option<Types<'static>>)> {
    let others = Format::ALL.iter().filter(|format| **format != Format::Tsf).map(|format| (*format, None));
    others.chain([(Format::Tsf, Some(Types::Xml)), (Format::Tsf, Some(Types::Value))]).collect()
}

fn options<'s>(schema: &'s Schema, [from, to]: [Option<Types<'s>>; 2]) -> Options<'s> {
    let mut options = Options::default().with_schema(schema);
    (options.input_types, options.output_types) = (from, to);
    options
}

#[test]
fn every_format_becomes_every_other() {
    let schema = trips();
    let by = |types| options(&schema, types);
    let uper = convert(TRIP.as_bytes(), Format::Xml, Format::Uper, &by([None; 2])).unwrap();
    let mut count = 0;
    for (from, from_types) in forms() {
        let message = convert(&uper, Format::Uper, from, &by([None, from_types])).unwrap();
        for (to, to_types) in forms() {
            let pair = format!("{from} {from_types:?} to {to} {to_types:?}");
            let there = convert(&message, from, to, &by([from_types, to_types]));
            let there = there.unwrap_or_else(|error| panic!("{pair}: {error}"));
            let back = convert(&there, to, Format::Uper, &by([to_types, None]));
            let back = back.unwrap_or_else(|error| panic!("{pair}, back: {error}"));
            assert_eq!(back, uper, "{pair}");
            // What came of PER has nothing that another format drops.
            let losses = Losses::between(&message, from, &there, to, &by([from_types, to_types]));
            let losses = losses.unwrap_or_else(|error| panic!("{pair}, losses: {error}"));
            assert!(losses.is_empty(), "{pair}: {losses}");
            count += 1;
        }
    }
    assert!(count > 300, "{count} pairs");
}

/// The same losses whatever format the document is in: its comment has no place in values, and `24.00` is a number.
#[test]
fn what_values_do_not_keep_is_counted_for_documents_in_every_format() {
    let schema = trips();
    for (from, types) in [
        (Format::Xml, None),
        (Format::Tsf, None),
        (Format::InfosetUper, None),
        (Format::InfosetAper, None),
        (Format::InfosetBer, None),
        (Format::Tdxml, None),
    ] {
        let message = match from {
            Format::Xml => TRIP.as_bytes().to_vec(),
            _ => convert(TRIP.as_bytes(), Format::Xml, from, &options(&schema, [None, types])).unwrap(),
        };
        for (to, types) in
            [(Format::Uper, None), (Format::Json, None), (Format::Pon, None), (Format::Tsf, Some(Types::Value))]
        {
            let (_, losses) = convert_with_losses(&message, from, to, &options(&schema, [None, types])).unwrap();
            let counts: Vec<String> = losses.iter().map(|loss| format!("{} {}", loss.count, loss.kind)).collect();
            assert_eq!(counts, ["1 comment", "1 spelling"], "{from} to {to}");
        }
    }
    // A default is left out by PER.
    let by = options(&schema, [None; 2]);
    let given = TRIP.replace("U6", "U1");
    let infoset = convert(given.as_bytes(), Format::Xml, Format::InfosetUper, &Options::default()).unwrap();
    let (_, losses) = convert_with_losses(&infoset, Format::InfosetUper, Format::Uper, &by).unwrap();
    let counts: Vec<String> = losses.iter().map(|loss| format!("{} {}", loss.count, loss.kind)).collect();
    assert_eq!(counts, ["1 attribute", "1 comment", "1 spelling"]);
}

#[test]
fn documents_in_every_format_are_checked() {
    let schema = trips();
    let by = |types| options(&schema, types);
    let bad = TRIP.replace("U6", "u6");
    for (from, types) in [(Format::Tsf, Types::Xml), (Format::InfosetBer, Types::Xml), (Format::Tdxml, Types::Xml)] {
        // Without the schema nothing is checked on the way.
        let options = Options::default().with_output_types(types);
        let [good, bad] = [TRIP, &bad].map(|text| convert(text.as_bytes(), Format::Xml, from, &options).unwrap());
        check(&good, from, &by([None; 2])).unwrap();
        let checked = check(&bad, from, &by([None; 2])).unwrap_err();
        let converted = convert(&bad, from, Format::Json, &by([None; 2])).unwrap_err();
        for error in [checked, converted] {
            // The place in the text of the instance is none of the message.
            let seen = (error.kind(), error.path(), error.has_place(), error.position());
            assert_eq!(seen, (ErrorKind::Schema, "/trip", false, None), "{from}: {error}");
            assert!(error.to_string().contains("found line='u6'"), "{error}");
        }
    }
    let json = r#"{"line":"U6","stop":["a"],"at":1}"#;
    check(json.as_bytes(), Format::Json, &by([None; 2])).unwrap();
    assert!(check(br#"{"line":"U6","stops":["a"],"at":1}"#, Format::Json, &by([None; 2])).is_err());
}

#[test]
fn a_document_changes_by_the_schema_where_the_other_kind_is_written() {
    let schema = trips();
    let (mut xml, mut json) = (Table::new(), Table::new());
    let xml = read(TRIP.as_bytes(), Format::Xml, &Options::default(), &mut xml).unwrap();
    let json = read(b"{}", Format::Json, &Options::default(), &mut json).unwrap();
    for (to, types, of_xml, of_json) in [
        (Format::Xml, None, false, true),
        (Format::InfosetAper, None, false, true),
        (Format::Tdxml, None, false, true),
        (Format::Json, None, true, false),
        (Format::Pon, None, true, false),
        (Format::Tsf, None, false, false),
        (Format::Tsf, Some(Types::Xml), false, true),
        (Format::Tsf, Some(Types::Value), true, false),
        (Format::Tsf, Some(Types::Json), true, false),
    ] {
        let by = options(&schema, [None, types]);
        assert_eq!(
            (by.changes_by_schema(&xml, to), by.changes_by_schema(&json, to)),
            (of_xml, of_json),
            "{to} {types:?}"
        );
        let mut without = by;
        without.schema = None;
        assert!(!without.changes_by_schema(&xml, to) && !without.changes_by_schema(&json, to));
    }
}

/// Elements, attributes and types have their names, whatever ASN.1 makes of these; dates and durations are texts, octets binary
/// data where there is such.
#[test]
fn parts_are_called_as_in_the_xml() {
    let schema = schema(
        "<xs:element name='M'><xs:complexType>
          <xs:sequence>
            <xs:element name='ID' type='xs:string'/>
            <xs:element name='Größe' type='xs:int' maxOccurs='2'/>
            <xs:choice><xs:element name='Day' type='xs:date'/><xs:element name='Span' type='xs:duration'/></xs:choice>
            <xs:element name='ID' type='xs:string' minOccurs='0'/>
            <xs:element ref='Shape'/>
          </xs:sequence>
          <xs:attribute name='ID' type='xs:int'/><xs:attribute name='x.y' type='xs:hexBinary'/>
        </xs:complexType></xs:element>
        <xs:element name='Shape' type='xs:int'/><xs:element name='Circle' type='xs:int' substitutionGroup='Shape'/>",
    );
    let schema = schema.with_root("M").unwrap();
    let options = options(&schema, [None; 2]);
    for (xml, json) in [
        (
            "<M ID='7' x.y='00FF'><ID>a</ID><Größe>1</Größe><Größe>2</Größe><Day>2025-03-01Z</Day><ID>b</ID><Circle>5</Circle></M>",
            r#"{"@ID":7,"x.y":"00FF","ID":"a","Größe":[1,2],"choice":{"Day":"2025-03-01Z"},"ID-1":"b","Shape-group":{"Circle":5}}"#,
        ),
        (
            "<M><ID/><Größe>-1</Größe><Span>-P1D</Span><Shape>0</Shape></M>",
            r#"{"ID":"","Größe":[-1],"choice":{"Span":"-P1D"},"Shape-group":{"Shape":0}}"#,
        ),
    ] {
        assert_eq!(convert(xml.as_bytes(), Format::Xml, Format::Json, &options).unwrap(), json.as_bytes());
        for other in [Format::Pon, Format::Uper, Format::Ber, Format::Asn1, Format::Xer] {
            let there = convert(json.as_bytes(), Format::Json, other, &options).unwrap();
            assert_eq!(convert(&there, other, Format::Json, &options).unwrap(), json.as_bytes(), "{other}");
            let back = convert(&there, other, Format::Xml, &options).unwrap();
            assert_eq!(convert(&back, Format::Xml, Format::Json, &options).unwrap(), json.as_bytes(), "{other}");
        }
        let pon = convert(xml.as_bytes(), Format::Xml, Format::Pon, &options).unwrap();
        assert_eq!(pon.windows(8).any(|bytes| bytes == b"x.y:2y\x00\xFF"), xml.contains("x.y"));
    }
    let error = convert(br#"{"ID":"","Gr":[1]}"#, Format::Json, Format::Uper, &options).unwrap_err();
    assert!(error.to_string().contains("found Gr, expected a component of M"), "{error}");
}

/// Values are called as in the XML, not by the identifiers of X.694 clause 12.4, which depend on their neighbours.
#[test]
fn enumerated_values_are_their_texts() {
    let schema = schema(
        "<xs:element name='m'><xs:complexType>
          <xs:sequence><xs:element name='c' maxOccurs='unbounded'><xs:simpleType><xs:restriction base='xs:string'>
            <xs:enumeration value='EUR'/><xs:enumeration value='A_1'/><xs:enumeration value='A-1'/>
            <xs:enumeration value='a 1'/><xs:enumeration value='1'/><xs:enumeration value='€'/>
          </xs:restriction></xs:simpleType></xs:element></xs:sequence>
          <xs:attribute name='n'><xs:simpleType><xs:restriction base='xs:int'>
            <xs:enumeration value='-1'/><xs:enumeration value='10'/>
          </xs:restriction></xs:simpleType></xs:attribute>
        </xs:complexType></xs:element>",
    );
    let by = options(&schema, [None; 2]);
    let xml = "<m n=\"-1\"><c>€</c><c>1</c><c>a 1</c><c>A-1</c><c>A_1</c><c>EUR</c></m>";
    let json = r#"{"n":-1,"c":["€","1","a 1","A-1","A_1","EUR"]}"#;
    for form in [Format::Uper, Format::Xml, Format::Pon, Format::Ber] {
        let message = convert(xml.as_bytes(), Format::Xml, form, &by).unwrap_or_else(|_| xml.as_bytes().to_vec());
        assert_eq!(String::from_utf8(convert(&message, form, Format::Json, &by).unwrap()).unwrap(), json, "{form}");
        assert_eq!(convert(json.as_bytes(), Format::Json, form, &by).unwrap(), message, "{form}");
    }
    let refused = |json: &str| convert(json.as_bytes(), Format::Json, Format::Xml, &by).unwrap_err().to_string();
    let error = refused(r#"{"c":["eUR"]}"#);
    assert!(error.contains(r#""EUR""#) && error.contains("found \"eUR\""), "{error}");
    assert!(refused(r#"{"n":3,"c":["EUR"]}"#).contains(r#"found 3, expected an enumeration of "#));
    // Value notation has identifiers: it is ASN.1.
    let notation = String::from_utf8(convert(xml.as_bytes(), Format::Xml, Format::Asn1, &by).unwrap()).unwrap();
    assert!(notation.contains("eUR") && !notation.contains("EUR"), "{notation}");

    #[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
    enum Currency {
        #[serde(rename = "EUR")]
        Euro,
        #[serde(rename = "€")]
        Sign,
    }
    #[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
    struct Message {
        n: i32,
        #[serde(rename = "c")]
        c: Vec<Currency>,
    }
    let message = Message { n: 10, c: vec![Currency::Sign, Currency::Euro] };
    let node = schema.root().unwrap();
    let mut values = lengthwise::asn1::Values::new();
    let value = lengthwise::asn1::to_value(&message, schema.types(), node, &by.limits, &mut values).unwrap();
    assert_eq!(lengthwise::asn1::from_value::<Message>(value).unwrap(), message);
    let mut out = Vec::new();
    lengthwise::append_value(value, Format::Xml, &by, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "<m n=\"10\"><c>€</c><c>EUR</c></m>");
}

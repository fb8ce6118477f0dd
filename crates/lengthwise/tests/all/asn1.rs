//! The formats of ASN.1 through the front door.

use std::path::Path;

use lengthwise::tam::{Table, TypeSet};
use lengthwise::{ErrorKind, Format, Limits, Options, Schema, Strings, Types, append, check, convert, read};

const MODULE: &str = "Weather DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Batch   ::= SEQUENCE { station UTF8String, readings SEQUENCE OF Reading, ... }
    Reading ::= SEQUENCE { at INTEGER (0..86399), celsius REAL OPTIONAL, sky Sky DEFAULT clear }
    Sky     ::= ENUMERATED { clear, clouds, rain, ... }
END";

const JSON: &str = r#"{"station":"Kap Arkona","readings":[{"at":60,"celsius":21.5},{"at":120,"sky":"rain"}]}"#;

fn schema(text: &str) -> Schema {
    Schema::from_notation(&[("module", text)], &Limits::default()).unwrap()
}

const TYPED: [Format; 3] = [Format::Uper, Format::Aper, Format::Ber];

const INFOSETS: [Format; 3] = [Format::InfosetUper, Format::InfosetAper, Format::InfosetBer];

#[test]
fn values_pass_between_all_formats_that_hold_json() {
    let schema = schema(MODULE);
    let options = Options::default().with_schema(&schema);
    for typed in TYPED {
        let message = convert(JSON.as_bytes(), Format::Json, typed, &options).unwrap();
        assert_eq!(check(&message, typed, &options).unwrap(), 9, "{typed}");
        for other in [Format::Json, Format::Tsf, Format::Pon].into_iter().chain(TYPED) {
            let there = convert(&message, typed, other, &options).unwrap();
            assert_eq!(convert(&there, other, typed, &options).unwrap(), message, "{typed} by way of {other}");
            assert_eq!(convert(&there, other, Format::Json, &options).unwrap(), JSON.as_bytes(), "{typed}, {other}");
        }
        for types in [Types::Json, Types::Value] {
            let options = options.with_output_types(types);
            let there = convert(&message, typed, Format::Tsf, &options).unwrap();
            assert_eq!(convert(&there, Format::Tsf, typed, &options).unwrap(), message);
        }
    }
    let xml = convert(JSON.as_bytes(), Format::Json, Format::Uper, &options).unwrap();
    let xml = convert(&xml, Format::Uper, Format::Xml, &options).unwrap();
    assert_eq!(xml, convert(JSON.as_bytes(), Format::Json, Format::Xml, &options).unwrap());
}

/// PON and TSF have binary data, JSON has none: by a schema, octets and bits are binary data in the former, and hexadecimal digits
/// in the latter, without a loss.
#[test]
fn octets_are_binary_data_where_a_format_has_it() {
    let schema = schema(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { a OCTET STRING, b BIT STRING, c BIT STRING (SIZE (12)), d UTF8String } END",
    );
    let options = Options::default().with_schema(&schema);
    let value = options.with_output_types(Types::Value);
    let json: &[u8] = br#"{"a":"FF007D","b":{"value":"A0","length":3},"c":"ABC0","d":"FF"}"#;
    let pon: &[u8] = b"43{a:3y\xFF\x00}b:19{value:1y\xA0length:1i3c:2y\xAB\xC0d:2sFF";
    let kept = |input: &[u8], from, to, options: &Options<'_>| {
        let (output, losses) = lengthwise::convert_with_losses(input, from, to, options).unwrap();
        assert!(losses.is_empty(), "{from} to {to}: {losses}");
        output
    };
    let uper = kept(json, Format::Json, Format::Uper, &options);
    for (from, message) in [(Format::Json, json), (Format::Uper, &uper), (Format::Pon, pon)] {
        assert_eq!(
            kept(message, from, Format::Pon, &options).escape_ascii().to_string(),
            pon.escape_ascii().to_string()
        );
        assert_eq!(kept(message, from, Format::Json, &options), json, "{from}");
        assert_eq!(kept(message, from, Format::Uper, &options), uper, "{from}");
        let tsf = kept(message, from, Format::Tsf, &value);
        assert_eq!(kept(&tsf, Format::Tsf, Format::Pon, &options), pon, "{from}");
        assert_eq!(kept(&tsf, Format::Tsf, Format::Json, &options), json, "{from}");
        // Under the type set `json` TSF has what JSON has.
        let tokens = kept(message, from, Format::Tsf, &options.with_output_types(Types::Json));
        assert_eq!(kept(&tokens, Format::Tsf, Format::Json, &Options::default()), json, "{from}");
        assert_eq!(kept(&tokens, Format::Tsf, Format::Pon, &options), pon, "{from}");
    }
    // So it is under a type set of the user's own, here one without binary data.
    let own = TypeSet::from_text("structured ( object\nprimitive = string\nprimitive i integer").unwrap();
    let own = options.with_output_types(Types::Own(&own));
    let tsf = kept(pon, Format::Pon, Format::Tsf, &own);
    let mut reading = options;
    reading.input_types = own.output_types;
    assert_eq!(kept(&tsf, Format::Tsf, Format::Pon, &reading), pon);
    // Without the schema nobody knows which strings are octets.
    let plain = Options::default();
    let base64: &[u8] = br#"{"a":"/wB9","b":{"value":"oA==","length":3},"c":"q8A=","d":"FF"}"#;
    let (output, losses) = lengthwise::convert_with_losses(pon, Format::Pon, Format::Json, &plain).unwrap();
    assert_eq!((&output[..], losses.to_string().as_str()), (base64, "3 types changed (in /a)"));
    // The schema holds for these conversions as for others.
    for (message, from, to) in
        [(&br#"{"a":"F!"}"#[..], Format::Json, Format::Pon), (b"6{a:2sF!", Format::Pon, Format::Json)]
    {
        let refused = convert(message, from, to, &options).unwrap_err();
        assert_eq!((refused.kind(), refused.path()), (ErrorKind::Schema, "/a"), "{from}");
    }
}

/// XML has a form for the octets of an open type, with the rules that they are of; other values of later versions have none.
#[test]
fn octets_of_open_types_pass_to_xml() {
    let module = |instructions: &str| {
        format!(
            "M DEFINITIONS {instructions} AUTOMATIC TAGS ::= BEGIN C ::= CLASS {{ &id INTEGER (0..255) UNIQUE, &Type }}
             S C ::= {{ {{ &id 1, &Type NULL }}, ... }} T ::= SEQUENCE {{ id C.&id ({{S}}), v C.&Type ({{S}}{{@id}}), e E }}
             E ::= CHOICE {{ a NULL, ... }} END"
        )
    };
    for (instructions, format) in [("", Format::Xer), ("", Format::Cxer), ("XER INSTRUCTIONS", Format::Xml)] {
        let schema = schema(&module(instructions));
        let options = Options::default().with_schema(&schema);
        for (name, json, rules) in [
            ("per", r#"{"id":9,"v":{"per":"0A0B"},"e":{"a":null}}"#, Format::Uper),
            ("oer", r#"{"id":9,"v":{"oer":"0A0B"},"e":{"a":null}}"#, Format::Oer),
            ("ber", r#"{"id":9,"v":{"ber":"04010B"},"e":{"a":null}}"#, Format::Ber),
        ] {
            let message = convert(json.as_bytes(), Format::Json, rules, &options).unwrap();
            let xml = convert(&message, rules, format, &options).unwrap();
            let octets = if name == "ber" { "04010B" } else { "0A0B" };
            let expected = format!("<T><id>9</id><v><{name}>{octets}</{name}></v><e><a/></e></T>");
            assert_eq!(String::from_utf8(xml.clone()).unwrap(), expected);
            assert_eq!(convert(&xml, format, rules, &options).unwrap(), message);
        }
        // The alternative of a later version, by its tag of BER.
        let later = b"\x30\x0c\x80\x01\x01\xa1\x02\x05\0\xa2\x03\x85\x01\x07";
        let error = convert(later, Format::Ber, format, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    }
}

#[test]
fn without_a_schema_nothing_can_be_said() {
    for typed in TYPED {
        for error in [
            read(b"", typed, &Options::default(), &mut Table::new()).map(|_| ()).unwrap_err(),
            check(b"", typed, &Options::default()).map(|_| ()).unwrap_err(),
            convert(b"{}", Format::Json, typed, &Options::default()).map(|_| ()).unwrap_err(),
            convert(b"", typed, Format::Uper, &Options::default()).map(|_| ()).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, typed.as_str()));
            assert_eq!(error.found().to_string(), "no schema");
        }
    }
    let two = schema("M DEFINITIONS ::= BEGIN A ::= NULL B ::= NULL END");
    let error = check(b"\0", Format::Uper, &Options::default().with_schema(&two)).unwrap_err();
    assert_eq!(error.found().to_string(), "2 types that no other refers to: A, B");
}

#[test]
fn a_document_of_xml_is_no_value_of_a_schema() {
    let schema = schema(MODULE);
    let error = convert(b"<a/>", Format::Xml, Format::Uper, &Options::default().with_schema(&schema)).unwrap_err();
    assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, "uper"));
}

#[test]
fn invalid_values_are_reported_with_line_and_path() {
    let schema = schema(MODULE);
    let options = Options::default().with_schema(&schema);
    let text = "{\n  \"station\": \"ä\",\n  \"readings\": [{\"at\": \"ü\", \"sky\": 1}]\n}";
    let error = convert(text.as_bytes(), Format::Json, Format::Ber, &options).unwrap_err();
    assert_eq!((error.kind(), error.position(), error.path()), (ErrorKind::Schema, Some((3, 23)), "/readings/0/at"));
    // A format of lengths has no lines.
    let tsf = convert(text.as_bytes(), Format::Json, Format::Tsf, &Options::default()).unwrap();
    let error = convert(&tsf, Format::Tsf, Format::Ber, &options).unwrap_err();
    assert_eq!((error.position(), error.path()), (None, "/readings/0/at"));
    let mut out = b"kept".to_vec();
    let mut table = Table::new();
    let document = read(text.as_bytes(), Format::Json, &options, &mut table).unwrap();
    assert!(append(&document, Format::Uper, &options, &mut out).is_err());
    assert_eq!(out, b"kept");
}

/// The octets of what is not known are by the rules that they came by: others would not be read as
/// what they are.
#[test]
fn what_a_later_version_has_put_in_stays_by_its_rules() {
    let earlier = schema("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= CHOICE { a NULL, ... } END");
    let later = schema("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= CHOICE { a NULL, ..., b INTEGER } END");
    let message = convert(br#"{"b":17}"#, Format::Json, Format::Uper, &Options::default().with_schema(&later)).unwrap();
    let options = Options::default().with_schema(&earlier);
    assert_eq!(check(&message, Format::Uper, &options).unwrap(), 2);
    let error = convert(&message, Format::Uper, Format::Json, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    for other in [Format::Aper, Format::Ber, Format::Asn1] {
        let error = convert(&message, Format::Uper, other, &options).unwrap_err();
        assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, other.as_str()));
    }
    let same = convert(&message, Format::Uper, Format::Uper, &options.with_canonical(true)).unwrap();
    let back = convert(&same, Format::Uper, Format::Json, &Options::default().with_schema(&later)).unwrap();
    assert_eq!(back, br#"{"b":17}"#);
    let ber = convert(br#"{"b":17}"#, Format::Json, Format::Ber, &Options::default().with_schema(&later)).unwrap();
    assert_eq!(check(&ber, Format::Ber, &options).unwrap(), 2);
    assert!(convert(&ber, Format::Ber, Format::Uper, &options).is_err());
}

#[test]
fn the_only_encoding_is_written_on_request() {
    let schema = schema("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SET OF INTEGER (0..255) END");
    let options = Options::default().with_schema(&schema);
    let write = |format, options: &Options<'_>| convert(b"[2,1]", Format::Json, format, options).unwrap();
    assert_eq!(write(Format::Uper, &options), [2, 2, 1]);
    assert_eq!(write(Format::Uper, &options.with_canonical(true)), [2, 1, 2]);
    assert_eq!(write(Format::Ber, &options.with_canonical(true)), [0x31, 6, 2, 1, 1, 2, 1, 2]);
}

#[test]
fn documents_of_xml_pass_through_the_infoset() {
    let xml = "<!--c--><a xmlns:p=\"urn:x\" p:k=\"v\"><?i d?>text<b/> &amp; <![CDATA[more]]></a>";
    let canonical = |text: &[u8], format| convert(text, format, Format::Xml, &Options::default()).unwrap();
    for format in INFOSETS {
        for strings in [Strings::None, Strings::Deflate, Strings::Bzip2, Strings::Zstd] {
            let options = Options::default().with_strings(strings);
            let message = convert(xml.as_bytes(), Format::Xml, format, &options).unwrap();
            let back = String::from_utf8(canonical(&message, format)).unwrap();
            assert_eq!(back.replace("more", "<![CDATA[more]]>"), xml, "{format}");
            let tsf = convert(&message, format, Format::Tsf, &options).unwrap();
            assert_eq!(convert(&tsf, Format::Tsf, format, &options).unwrap(), message);
            assert!(check(&message, format, &options).unwrap() > 5);
        }
        let paper = convert(xml.as_bytes(), Format::Xml, format, &Options::default().with_paper(true)).unwrap();
        assert!(!String::from_utf8(canonical(&paper, format)).unwrap().contains("<!--"));
        // JSON becomes XML on the way.
        let message = convert(JSON.as_bytes(), Format::Json, format, &Options::default()).unwrap();
        assert_eq!(canonical(&message, format), canonical(JSON.as_bytes(), Format::Json));
    }
}

/// The schema of infosets is that of the messages: by it their bytes come back.
#[test]
fn the_schema_of_infosets_is_theirs() {
    let schema = Schema::infoset().unwrap();
    let options = Options::default().with_schema(&schema);
    let xml = "<!--c--><a xmlns='urn:x' xmlns:p='urn:y' p:k='v' l='1'><?i d?>text<p:b/><![CDATA[more]]></a>";
    for (infoset, typed) in INFOSETS.into_iter().zip(TYPED) {
        let message = convert(xml.as_bytes(), Format::Xml, infoset, &options).unwrap();
        assert!(check(&message, typed, &options).unwrap() > 20);
        let json = convert(&message, typed, Format::Json, &options).unwrap();
        assert_eq!(convert(&json, Format::Json, typed, &options).unwrap(), message, "{infoset}");
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/infoset-golden/Infoset.asn1");
    let Ok(golden) = std::fs::read_to_string(&golden) else {
        test_support::skipped("there is no ../shared/data/infoset-golden");
        return;
    };
    let golden = Schema::from_notation(&[("", &golden)], &Limits::default()).unwrap();
    assert!(golden.model() == schema.model());
}

#[test]
fn documents_become_the_golden_infosets() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let options = Options::default().with_paper(true);
    for name in ["much_ado", "periodic_table", "soap2"] {
        let Ok(xml) = std::fs::read(data.join(format!("xmls/{name}.xml"))) else {
            test_support::skipped("there is no ../shared/data/xmls");
            return;
        };
        for (ending, format) in ["uper", "aper", "ber"].into_iter().zip(INFOSETS) {
            let golden = std::fs::read(data.join(format!("infoset-golden/{name}.{ending}"))).unwrap();
            assert!(convert(&xml, Format::Xml, format, &options).unwrap() == golden, "{name}.{ending}");
            let text = convert(&golden, format, Format::Xml, &options).unwrap();
            let tsf = convert(&golden, format, Format::Tsf, &options).unwrap();
            assert!(convert(&tsf, Format::Tsf, Format::Xml, &options).unwrap() == text, "{name}.{ending}");
        }
    }
}

//! Type sets of the user's own: their documents are values by what the types mean.

use lengthwise::tam::{Table, TypeSet};
use lengthwise::{ErrorKind, Format, LossKind, Losses, Options, Types, check, convert, read};

/// All types of `value` under other characters, a second string, and a type that means nothing here.
const SET: &str = "structured ( object
structured < array
primitive = string
primitive D string
primitive i integer
primitive f float
primitive t boolean
primitive ! null
primitive & binary
primitive ^ character
primitive ` byte
primitive $";

fn own(text: &str) -> TypeSet {
    TypeSet::from_text(text).unwrap()
}

fn converted(input: &[u8], from: Format, to: Format, options: &Options<'_>) -> Vec<u8> {
    convert(input, from, to, options).unwrap_or_else(|error| panic!("{error}"))
}

fn losses(input: &[u8], from: Format, to: Format, options: &Options<'_>) -> Vec<(LossKind, u64, String)> {
    let output = converted(input, from, to, options);
    let losses = Losses::between(input, from, &output, to, options).unwrap();
    losses.iter().map(|loss| (loss.kind, loss.count, loss.first.path.clone())).collect()
}

#[test]
fn values_go_into_a_set_and_come_back_from_it() {
    let set = own(SET);
    let (to, from) =
        (Options::default().with_output_types(Types::Own(&set)), Options::default().with_input_types(Types::Own(&set)));
    // Names that hold a type of one set and not of the other; the empty name; an integer beyond 64 bits.
    let json = r#"{"a#b":"x","a(b":[1,2.50,-1e9,true,false,null,123456789012345678901],"":"","i":{},"=":[],"\"q":"é"}"#;
    let message = converted(json.as_bytes(), Format::Json, Format::Tsf, &to);
    assert_eq!(converted(&message, Format::Tsf, Format::Json, &from), json.as_bytes());
    assert_eq!(check(&message, Format::Tsf, &from).unwrap(), 14);
    // By hand.
    let message = converted(br#"{"a#b":"x","a(b":[1,true]}"#, Format::Json, Format::Tsf, &to);
    assert_eq!(String::from_utf8(message).unwrap(), r#"2(1a#b=x2"a\(b<1i11tt"#);

    let pon = converted(json.as_bytes(), Format::Json, Format::Pon, &to);
    let message = converted(&pon, Format::Pon, Format::Tsf, &to);
    assert_eq!(converted(&message, Format::Tsf, Format::Pon, &from), pon);
    // Both sides.
    let both = from.with_output_types(Types::Value);
    let values = converted(b"3<2Dab2&\xFF\x001`x", Format::Tsf, Format::Tsf, &both);
    assert_eq!(values, b"3[2'ab2*\xFF\x001`x");
    let tokens = converted(b"3<2Dab2i171tt", Format::Tsf, Format::Tsf, &from.with_output_types(Types::Json));
    assert_eq!(tokens, br#"3[4'"ab"2'174'true"#);
    let xml = converted(b"1(1a=x", Format::Tsf, Format::Xml, &from);
    assert_eq!(xml, b"<e0s1><a>x</a></e0s1>");
}

#[test]
fn a_number_is_an_integer_or_a_float() {
    let set = own("structured [ array\nprimitive # number");
    let (to, from) =
        (Options::default().with_output_types(Types::Own(&set)), Options::default().with_input_types(Types::Own(&set)));
    let message = converted(b"[1,2.5,1e3]", Format::Json, Format::Tsf, &to);
    assert_eq!(message, b"3[1#13#2.53#1e3");
    assert_eq!(converted(&message, Format::Tsf, Format::Pon, &from), b"13[1i13d2.53d1e3");
    assert!(losses(b"[1,2.5,1e3]", Format::Json, Format::Tsf, &to).is_empty());
    assert!(losses(&message, Format::Tsf, Format::Json, &from).is_empty());
    assert!(losses(b"13[1i13d2.53d1e3", Format::Pon, Format::Tsf, &to).is_empty());
    let floats = b"26[3dNaN8dInfinity9d-Infinity";
    let message = converted(floats, Format::Pon, Format::Tsf, &to);
    assert_eq!(message, b"3[3#NaN8#Infinity9#-Infinity");
    assert_eq!(converted(&message, Format::Tsf, Format::Pon, &from), floats);
}

/// Reading TSF looks at no data, so converting between two sets must.
#[test]
fn data_that_is_not_what_its_type_means_is_refused_in_every_set() {
    let set =
        own("structured ( object\nprimitive # number\nprimitive i integer\nprimitive = string\nprimitive t boolean");
    let (own, from) = (Types::Own(&set), Options::default().with_input_types(Types::Own(&set)));
    for (unit, expected) in [
        ("1a#x", "found 'x', expected the data of 'number'"),
        ("3ai1.5", "found '1.5', expected the data of 'integer'"),
        ("3aiNaN", "found 'NaN', expected the data of 'integer'"),
        ("2ai01", "found '01', expected the data of 'integer'"),
        ("4attrue", "found 'true', expected the data of 'boolean'"),
    ] {
        for to in [Types::Value, Types::Json] {
            let message = format!("1({unit}");
            let error = convert(message.as_bytes(), Format::Tsf, Format::Tsf, &from.with_output_types(to)).unwrap_err();
            assert!(error.to_string().ends_with(&format!("in /a: {expected}")), "{error}");
        }
    }
    let values = Options::default().with_input_types(Types::Value).with_output_types(own);
    let error = convert(b"1{1a#x", Format::Tsf, Format::Tsf, &values).unwrap_err();
    assert!(error.to_string().ends_with("in /a: found 'x', expected the data of 'integer'"), "{error}");
    let error = convert(b"1(1a=\xFF", Format::Tsf, Format::Tsf, &from.with_output_types(Types::Value)).unwrap_err();
    assert!(error.to_string().ends_with("in /a: found '\u{FFFD}', expected the data of 'string'"), "{error}");
}

#[test]
fn what_the_set_has_no_type_for_is_refused_with_its_path() {
    let set = own("structured ( object\nprimitive = string\nprimitive $");
    let own = Types::Own(&set);
    let (to, from) = (Options::default().with_output_types(own), Options::default().with_input_types(own));
    for (json, expected) in [
        (
            r#"{"a":{"b":1}}"#,
            "/a/b: found a value that is 'integer', expected a type set with that meaning or 'number'",
        ),
        (r#"{"a":1.5}"#, "/a: found a value that is 'float', expected a type set with that meaning or 'number'"),
        (r#"{"a":null}"#, "/a: found a value that is 'null', expected a type set with that meaning"),
        (r#"{"a":[]}"#, "/a: found a value that is 'array', expected a type set with that meaning"),
    ] {
        let error = convert(json.as_bytes(), Format::Json, Format::Tsf, &to).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().ends_with(expected), "{error}");
    }
    for to in [Format::Json, Format::Pon, Format::Xml, Format::Tdxml] {
        let error = convert(b"1(2a$17", Format::Tsf, to, &from).unwrap_err();
        let expected = "unsupported at byte 0 in /a: found a unit of the type '$', which has no meaning, expected a type set that says \
             what it means";
        assert_eq!(error.to_string(), expected);
    }
    // TSF of the same set needs no meaning.
    let same = from.with_output_types(own).with_output_lengths(lengthwise::Lengths::Chars);
    assert_eq!(converted("1(3a$é!".as_bytes(), Format::Tsf, Format::Tsf, &same), "1(2a$é!".as_bytes());
    assert!(losses("1(3a$é!".as_bytes(), Format::Tsf, Format::Tsf, &same).is_empty());
    let xml = convert(b"<a/>", Format::Xml, Format::Tsf, &to).unwrap_err();
    assert!(xml.to_string().contains("found an XML document"), "{xml}");
}

#[test]
fn losses_are_those_of_values_and_types_that_share_a_meaning() {
    let set = own(SET);
    let from = Options::default().with_input_types(Types::Own(&set));
    let message = b"3(4when=2026 ";
    assert!(check(message, Format::Tsf, &from).is_err());
    let message = b"3(4whenD20264name=teas2raw&\xFF\x00";
    // The date is a string, as the name is; binary data becomes base64 in JSON and stays what it is in PON.
    let when = (LossKind::Type, 1, "/when".to_owned());
    assert_eq!(losses(message, Format::Tsf, Format::Json, &from), [(LossKind::Type, 2, "/when".to_owned())]);
    assert_eq!(losses(message, Format::Tsf, Format::Pon, &from), std::slice::from_ref(&when));
    assert_eq!(losses(message, Format::Tsf, Format::Tsf, &from.with_output_types(Types::Value)), [when]);
    assert_eq!(losses(message, Format::Tsf, Format::Tsf, &from), []);
    assert_eq!(losses(message, Format::Tsf, Format::Xml, &from), [(LossKind::Structure, 4, String::new())]);
}

#[test]
fn a_document_keeps_its_own_types() {
    let set = own(SET);
    let options = Options::default().with_input_types(Types::Own(&set));
    let mut table = Table::new();
    let document = read(b"2(4whenD20261n$x", Format::Tsf, &options, &mut table).unwrap();
    assert_eq!(document.types(), &set);
    let when = document.get("/when").unwrap();
    assert_eq!((when.kind(), when.value()), (b'D', &b"2026"[..]));
    assert_eq!(document.get("/n").unwrap().value(), b"x");
}

//! Heads and fields are places in the message: together they are all of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

use lengthwise::asn1::{self, EncodingRules};
use lengthwise::tam::{Table, Words};
use lengthwise::{ErrorKind, Format, Options, Schema, Types};
use lengthwise_inspect::{Units, fields, object_identifier};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn heads_and_data_are_the_whole_message() {
    let options = Options::default();
    for (name, from, to, types) in [
        ("order.xml", Format::Xml, Format::Tsf, None),
        ("map.xml", Format::Xml, Format::Tsf, None),
        ("sensors.json", Format::Json, Format::Tsf, Some(Types::Json)),
        ("sensors.json", Format::Json, Format::Tsf, Some(Types::Value)),
        ("sensors.json", Format::Json, Format::Pon, None),
        ("config.json", Format::Json, Format::Pon, None),
        ("vibration.pon", Format::Pon, Format::Pon, None),
    ] {
        let mut options = options;
        options.output_types = types;
        options.input_types = types;
        let message = lengthwise::convert(&sample(name), from, to, &options).unwrap();
        let mut table = Table::new();
        let document = lengthwise::read(&message, to, &options, &mut table).unwrap();
        let mut end = 0;
        for unit in Units::new(&document, &message, to) {
            let head = unit.head.unwrap();
            assert_eq!((unit.offset, head.offset), (Some(end), end), "{name} as {to}");
            assert!(message[end..].starts_with(head.bytes), "{name} as {to}");
            // The literals of PON have a letter instead of data.
            let data = if unit.node.is_structured() { 0 } else { head.number };
            end += head.bytes.len() + data;
        }
        assert_eq!(end, message.len(), "{name} as {to}");
    }
}

#[test]
fn the_data_of_a_text_is_where_the_offset_says() {
    let mut found = 0;
    for (name, format) in [("sensors.json", Format::Json), ("order.xml", Format::Xml)] {
        let (message, mut table) = (sample(name), Table::new());
        let document = lengthwise::read(&message, format, &Options::default(), &mut table).unwrap();
        for unit in Units::new(&document, &message, format).filter(|unit| !unit.node.is_structured()) {
            let Some(at) = unit.offset else { continue };
            assert!(message[at..].starts_with(unit.data()), "{name} at {at}");
            found += 1;
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn fields_are_all_bits_of_a_message() {
    let module = String::from_utf8(sample("weather.asn1")).unwrap();
    let schema = Schema::from_notation(&[("weather.asn1", &module)], &Options::default().limits).unwrap();
    let mut options = Options::default();
    options.schema = Some(&schema);
    for format in [Format::Uper, Format::Aper, Format::Ber, Format::Oer] {
        let mut message = lengthwise::convert(&sample("weather.json"), Format::Json, format, &options).unwrap();
        let rules = asn1::Options::of(format.rules().unwrap_or(EncodingRules::Ber));
        let (types, root) = (schema.types(), schema.root().unwrap());
        let (mut end, mut names) = (0, Vec::new());
        fields(&message, types, root, &rules, &mut |field| {
            // The headers of BER are of values that begin before their contents.
            assert_eq!(field.bit, end, "{format} at {}", field.path);
            end += field.bits;
            if field.path == "/station/name" {
                names.extend(field.value.map(str::to_owned));
            }
            true
        })
        .unwrap();
        assert_eq!((end, names.len()), (8 * message.len() as u64, 1), "{format}");
        assert!(String::from_utf8_lossy(&sample("weather.json")).contains(&names[0]), "{names:?}");

        let mut taken = 0;
        let stopped = fields(&message, types, root, &rules, &mut |_| {
            taken += 1;
            taken < 3
        });
        assert_eq!((stopped.is_ok(), taken), (true, 3));

        message.push(0);
        let error = fields(&message, types, root, &rules, &mut |_| true).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, message.len() as u64 - 1), "{format}");
        assert!(matches!(error.found(), Words::Count(1, _)), "{error}");
    }
}

/// X.500 attribute types (ITU-T X.520) and PKCS #1 (RFC 8017, appendix C).
#[test]
fn object_identifiers_have_their_published_names() {
    assert_eq!(object_identifier("2.5.4.3"), Some("commonName"));
    assert_eq!(object_identifier("1.2.840.113549.1.1.1"), Some("rsaEncryption"));
    assert_eq!(object_identifier("2.999"), None);
}

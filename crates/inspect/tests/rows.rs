//! Rows of a message: their paths, their bits, and where the bits go.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

use lengthwise::{Format, Options, Schema};
use lengthwise_inspect::Inspection;
use serde_json::{Value, json};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn seen(message: impl Into<Vec<u8>>, format: Format) -> Inspection {
    Inspection::new(message.into(), format, &Options::default())
}

fn weather() -> Schema {
    let module = String::from_utf8(sample("weather.asn1")).unwrap();
    Schema::from_notation(&[("weather.asn1", &module)], &Options::default().limits).unwrap()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rows(seen: &Inspection) -> Vec<Value> {
    let numbers: Vec<u32> = (0..seen.len() as u32).collect();
    parsed(&seen.rows(&numbers)).as_array().unwrap().clone()
}

#[test]
fn every_path_leads_back_to_its_row() {
    let schema = weather();
    let mut options = Options::default();
    options.schema = Some(&schema);
    let uper = lengthwise::convert(&sample("weather.json"), Format::Json, Format::Uper, &options).unwrap();
    let ber = lengthwise::convert(&sample("weather.json"), Format::Json, Format::Ber, &options).unwrap();
    for seen in [
        seen(sample("order.xml"), Format::Xml),
        seen(sample("sensors.json"), Format::Json),
        seen(sample("vibration.pon"), Format::Pon),
        seen(&br#"{"a/b": [{"~1": 2}], "c[1]": 3}"#[..], Format::Json),
        seen(&b"<a><b/>x<b>y</b><!--1--><!--2--></a>"[..], Format::Xml),
        Inspection::new(uper, Format::Uper, &options),
        seen(ber, Format::Ber),
    ] {
        assert!(seen.error().is_none() && seen.len() > 3);
        for (number, row) in (0..).zip(rows(&seen)) {
            // These are no steps: they have the path of the unit around them.
            if ["attributes", "document"].iter().any(|kind| row["kind"] == *kind) {
                continue;
            }
            assert_eq!(seen.row_at(&seen.path(number)), Some(number), "{} of {row}", seen.path(number));
        }
    }
}

#[test]
fn paths_are_those_of_get() {
    let seen = seen(&br#"{"a/b": [{"~1": 2}]}"#[..], Format::Json);
    let paths: Vec<String> = (0..4).map(|row| seen.path(row)).collect();
    assert_eq!(paths, ["/", "/a~1b", "/a~1b/0", "/a~1b/0/~01"]);
    let xml = Inspection::new(b"<a><b/><b i='1'/>t</a>".to_vec(), Format::Xml, &Options::default());
    let paths: Vec<String> = (0..xml.len() as u32).map(|row| xml.path(row)).collect();
    assert!(paths.ends_with(&["/a/b[2]/@i".to_owned(), "/a/text()".to_owned()]), "{paths:?}");
}

#[test]
fn bits_are_counted_by_name_and_kind() {
    // Bytes: the name `a` 1, the numbers 2 and 3, the name `b` 1, its value 4.
    let seen = seen(&br#"{"a":[10,200],"b":true}"#[..], Format::Json);
    let sum = |parent: Value, name: &str, kind: &str, row, rows, bits, own| json!({"parent": parent, "name": name, "kind": kind, "row": row, "rows": rows, "bits": bits, "own": own});
    let expected = [
        sum(Value::Null, "", "object", 0, 1, 88, 0),
        sum(0.into(), "a", "array", 1, 1, 48, 8),
        sum(1.into(), "", "number", 2, 2, 40, 40),
        sum(0.into(), "b", "boolean", 4, 1, 40, 40),
    ];
    assert_eq!(parsed(&seen.sizes()), Value::from(expected.to_vec()));
}

/// The sums of a message of PER are all of its bits but the padding, which counts for the outermost value.
#[test]
fn all_bits_of_a_packed_message_are_counted() {
    let schema = weather();
    let mut options = Options::default();
    options.schema = Some(&schema);
    let message = lengthwise::convert(&sample("weather.json"), Format::Json, Format::Uper, &options).unwrap();
    let bits = 8 * message.len();
    let seen = Inspection::new(message, Format::Uper, &options);
    let sums = parsed(&seen.sizes());
    assert_eq!(sums[0]["bits"], bits);
    let own: u64 = sums.as_array().unwrap().iter().map(|sum| sum["own"].as_u64().unwrap()).sum();
    assert_eq!(own, bits as u64);
    let readings = sums.as_array().unwrap().iter().filter(|sum| sum["name"] == "minute").collect::<Vec<_>>();
    assert_eq!((readings.len(), &readings[0]["rows"]), (1, &Value::from(8)));
    // A record without bits of its own has its type all the same.
    let place = rows(&seen).into_iter().find(|row| row["name"] == "place").unwrap();
    assert_eq!(place["kind"], "SEQUENCE");
}

#[test]
fn many_different_names_are_counted_for_those_above() {
    let text: String = (0..5_000).map(|n| format!("\"m{n:04}\":1,")).collect();
    let seen = seen(format!("{{{}}}", text.trim_end_matches(',')), Format::Json);
    let sums = parsed(&seen.sizes());
    assert_eq!(sums.as_array().unwrap().len(), 2_000);
    // 5 bytes of each name and 1 of its value.
    assert_eq!(sums[0]["bits"], 8 * 6 * 5_000);
}

#[test]
fn parts_of_a_row_are_its_own_bits() {
    let seen = seen(&br#"{"a":[10,200]}"#[..], Format::Json);
    let part = |bit: u64, bits: u64, part: &str, row: u64| json!({"bit": bit, "bits": bits, "part": part, "row": row});
    assert_eq!(parsed(&seen.parts(1)), json!([part(16, 8, "name", 1)]));
    assert_eq!(parsed(&seen.parts(2)), json!([part(48, 16, "value", 2)]));
    assert_eq!(parsed(&seen.parts(99)), json!([]));
}

/// The document is read from a copy in UTF-8, in which its units are, and not in the message.
#[test]
fn a_document_in_another_character_set_has_rows_without_bits() {
    let utf16: Vec<u8> = "\u{FEFF}<a b='1'>é</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let seen = seen(utf16, Format::Xml);
    let texts: Vec<Value> = rows(&seen).iter().map(|row| json!([row["name"], row["value"], row["bits"]])).collect();
    assert_eq!(texts, [json!(["a", null, 0]), json!(["", null, 0]), json!(["b", "1", 0]), json!(["", "é", 0])]);
    assert_eq!(seen.spans(0, 1_000), "[]");
}

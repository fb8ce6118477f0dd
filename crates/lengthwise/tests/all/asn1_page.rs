//! The page of ASN.1 says what is so: its tables are read and tried.

use std::fs;
use std::path::{Path, PathBuf};

use lengthwise::tam::Table;
use lengthwise::{Format, Limits, Options, Schema, convert, read};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The cells of the rows of the table that has these headings, without the marks of code.
fn rows(headings: &[&str]) -> Vec<Vec<String>> {
    let page = fs::read_to_string(top().join("docs/formats/asn1.md")).unwrap();
    let cells = |line: &str| -> Vec<String> {
        let inner = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')).unwrap_or(line);
        inner.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
    };
    let mut lines = page.lines().skip_while(|line| !line.starts_with('|') || cells(line) != headings);
    let rows: Vec<_> = lines.by_ref().skip(2).take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "no table {headings:?}");
    rows
}

fn schema(types: &str) -> Schema {
    let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END");
    Schema::from_notation(&[("", &module)], &Limits::default()).unwrap()
}

fn octets(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect()
}

#[test]
fn values_are_written_and_read_like_this() {
    for row in rows(&["type", "in notation", "in JSON", "UPER", "APER", "BER", "OER"]) {
        let schema = schema(&format!("T ::= {}", row[0]));
        let options = Options::default().with_schema(&schema);
        let tried = |input: &[u8], from, to| {
            convert(input, from, to, &options).unwrap_or_else(|error| panic!("{error}: {row:?}"))
        };
        for (format, digits) in [Format::Uper, Format::Aper, Format::Ber, Format::Oer].into_iter().zip(&row[3..]) {
            let message = octets(digits);
            assert_eq!(tried(row[2].as_bytes(), Format::Json, format), message, "{row:?}");
            assert_eq!(tried(row[1].as_bytes(), Format::Asn1, format), message, "{row:?}");
            assert_eq!(String::from_utf8(tried(&message, format, Format::Json)).unwrap(), row[2]);
            let notation = tried(&message, format, Format::Asn1);
            assert_eq!(tried(&notation, Format::Asn1, format), message, "{row:?}");
        }
    }
}

#[test]
fn the_sample_is_as_large_as_it_says() {
    let sample = |name: &str| fs::read_to_string(top().join("samples").join(name)).unwrap();
    let schema = Schema::from_notation(&[("", &sample("weather.asn1"))], &Limits::default()).unwrap();
    let options = Options::default().with_schema(&schema);
    let message = convert(sample("weather.json").as_bytes(), Format::Json, Format::Uper, &options).unwrap();
    for row in rows(&["format", "bytes"]) {
        let written = convert(&message, Format::Uper, Format::from_name(&row[0]).unwrap(), &options).unwrap();
        assert_eq!(written.len().to_string(), row[1], "{}", row[0]);
    }
}

#[test]
fn errors_are_in_these_words() {
    let schema = schema("T ::= SEQUENCE { a INTEGER (0..10), b UTF8String OPTIONAL }");
    let options = Options::default().with_schema(&schema);
    for row in rows(&["UPER", "error"]) {
        let error = read(&octets(&row[0]), Format::Uper, &options, &mut Table::new()).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), row[1], "{}", row[0]);
    }
    for row in rows(&["JSON", "error"]) {
        let error = convert(row[0].as_bytes(), Format::Json, Format::Uper, &options).unwrap_err();
        assert_eq!(error.to_string(), row[1], "{}", row[0]);
    }
}

#[test]
fn formats_have_these_names_and_endings() {
    for row in rows(&["format", "rules", "files"]) {
        let format = Format::from_name(&row[0]).unwrap();
        let endings: Vec<String> = format.extensions().iter().map(|ending| format!(".{ending}")).collect();
        assert_eq!(row[2].replace('`', ""), endings.join(", "));
    }
}

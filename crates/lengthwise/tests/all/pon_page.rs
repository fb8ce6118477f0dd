//! The page of PON says what is so: its tables are read and tried.

use std::fs;
use std::path::Path;

use lengthwise::tam::Table;
use lengthwise::{Format, Options, Types, convert, pon, read};

/// The cells of the rows of all tables that have these headings.
fn rows(headings: &[&str]) -> Vec<Vec<Vec<u8>>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/pon.md");
    let page = fs::read_to_string(page).unwrap();
    let cells = |line: &str| -> Vec<String> {
        let inner = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')).unwrap_or(line);
        inner.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut rows = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('|') && cells(line) == headings {
            lines.next();
            let table = lines.by_ref().take_while(|line| line.starts_with('|'));
            rows.extend(table.map(|row| cells(row).iter().map(|cell| bytes(cell)).collect::<Vec<_>>()));
        }
    }
    assert!(!rows.is_empty(), "no table {headings:?}");
    rows
}

/// What a cell holds: without the marks of code, `\xFF` being a byte and `⏎` a line feed.
fn bytes(cell: &str) -> Vec<u8> {
    let code = cell.strip_prefix("``").and_then(|code| code.strip_suffix("``"));
    let code = code.or_else(|| cell.strip_prefix('`').and_then(|code| code.strip_suffix('`'))).unwrap_or(cell);
    let mut rest = code.trim().split("\\x");
    let mut bytes = rest.next().unwrap_or("").replace('⏎', "\n").into_bytes();
    for part in rest {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(part[2..].replace('⏎', "\n").as_bytes());
    }
    bytes
}

fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

fn becomes(input: &[u8], from: Format, to: Format) -> String {
    let options = Options::default().with_input_types(Types::Value);
    shown(&convert(input, from, to, &options).unwrap_or_else(|error| panic!("{}: {error}", shown(input))))
}

#[test]
fn json_becomes_pon_and_comes_back() {
    for row in rows(&["JSON", "PON"]) {
        let [json, pon] = row.try_into().unwrap();
        assert_eq!(becomes(&json, Format::Json, Format::Pon), shown(&pon));
        let back = convert(&pon, Format::Pon, Format::Json, &Options::default()).unwrap();
        assert_eq!(becomes(&back, Format::Json, Format::Pon), shown(&pon));
    }
}

#[test]
fn pon_becomes_json_and_xml() {
    for (format, heading) in [(Format::Json, "JSON"), (Format::Xml, "XML")] {
        for row in rows(&["PON", heading]) {
            assert_eq!(becomes(&row[0], Format::Pon, format), shown(&row[1]));
        }
    }
}

#[test]
fn pon_and_tsf_become_each_other() {
    for row in rows(&["PON", "TSF"]) {
        assert_eq!(becomes(&row[0], Format::Pon, Format::Tsf), shown(&row[1]));
        assert_eq!(becomes(&row[1], Format::Tsf, Format::Pon), shown(&row[0]));
    }
}

#[test]
fn every_type_is_read_and_has_the_type_of_the_table() {
    for row in rows(&["type", "written", "its data", "in the table", "from JSON"]) {
        for written in String::from_utf8_lossy(&row[1]).split("`, `") {
            // The lossy copy has lost octets: the row of binary data has one form alone.
            let message = if written.contains('\u{FFFD}') { row[1].clone() } else { written.as_bytes().to_vec() };
            let mut table = Table::new();
            let document = read(&message, Format::Pon, &Options::default(), &mut table).unwrap();
            assert_eq!(document.root().unwrap().kind(), *row[3].first().unwrap(), "{written}");
        }
    }
}

#[test]
fn keys_are_written_like_this() {
    for row in rows(&["key", "as a member of an object"]) {
        let key = String::from_utf8(row[0].clone()).unwrap();
        let key = if key == "the empty string" { "" } else { &key };
        let (name, value) = pon::Value::new(&row[1]).unwrap().members().next().unwrap().unwrap();
        assert!(name == *key && value.data() == b"17", "{key}");
        assert_eq!(becomes(&row[1], Format::Pon, Format::Pon), shown(&row[1]));
    }
}

#[test]
fn what_has_arrived_shows_how_much_is_missing() {
    for row in rows(&["arrived so far", "`read_prefix` says", "`needed`"]) {
        let arrived = if row[0] == b"nothing" { &b""[..] } else { &row[0] };
        let mut table = Table::new();
        let said = pon::read_prefix(arrived, &pon::Options::default(), &mut table);
        let (says, needed) = match said {
            Ok((document, taken)) => (format!("{} units, {taken} bytes taken", document.units()), String::new()),
            Err(error) => (error.kind().to_string(), error.needed().map_or(String::new(), |n| n.to_string())),
        };
        assert_eq!((says.as_bytes(), needed.as_bytes()), (&row[1][..], &row[2][..]), "{}", shown(arrived));
    }
}

#[test]
fn errors_are_in_these_words() {
    for row in rows(&["message", "error"]) {
        let error = read(&row[0], Format::Pon, &Options::default(), &mut Table::new()).unwrap_err();
        assert_eq!(error.to_string(), String::from_utf8_lossy(&row[1]), "{}", shown(&row[0]));
    }
}

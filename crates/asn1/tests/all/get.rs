//! Values by their paths, held against the paths of documents.

use crate::jer_support::{MODULE, Made, text_of, uper_of};
use asn1::{Compiled, Options, Values, jer};
use tam::{Step, Table};
use test_support::Random;
use text::json;

/// What the document has at a path, as JSON text.
fn in_document(document: &tam::Document<'_>, path: &str) -> Option<String> {
    let node = document.get(path).ok()?;
    let mut rows = document.rows().to_vec();
    let row = node.row();
    let class = document.types().class(row.kind());
    rows.push(tam::Row::new(class, 0, 0, row.value_at(), row.len()));
    let (message, beside) = document.texts();
    let root = (rows.len() - 1) as u32;
    let alone = tam::Document::from_rows(message, beside, &rows, root, 1, document.types());
    Some(String::from_utf8(json::write(&alone, &json::Options::default()).unwrap()).unwrap())
}

#[test]
fn a_path_leads_where_it_leads_in_the_document() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(11);
    let (mut found, mut missing) = (0, 0);
    for _ in 0..test_support::rounds(200) {
        let message = uper_of(&types, ty, &Made::value(&types, ty, &mut random)).unwrap();
        let mut values = Values::new();
        let value = asn1::read(&message, &types, ty, &Options::uper(), &mut values).unwrap();
        let mut table = Table::new();
        let document = jer::write(value, &mut table).unwrap();
        for step in document.walk() {
            let (Step::Open(node) | Step::Primitive(node)) = step else { continue };
            let path = node.path();
            // Members of the object that X.697 has for a BIT STRING are no components.
            let bits = path.rsplit_once('/').and_then(|(parent, _)| value.get(parent));
            if bits.is_some_and(|parent| parent.as_bits().is_some() || parent.as_real().is_some()) {
                continue;
            }
            let at = value.get(&path).unwrap();
            assert_eq!(text_of(at).unwrap(), in_document(&document, &path).unwrap(), "{path}");
            assert_eq!(value.get(path.trim_start_matches('/')).map(|at| at.node_id()), Some(at.node_id()));
            found += 1;
            for wrong in ["/none", "/99", "/01", "/-1", "/a/", "//0", "/*"] {
                assert!(value.get(&format!("{path}{wrong}")).is_none(), "{path}{wrong}");
                missing += 1;
            }
        }
    }
    assert!(found > test_support::rounds(1000) && missing > found, "{found} {missing}");
}

#[test]
fn defaults_and_alternatives_are_found_by_name() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let (station, reading) = (types.find("Station").unwrap(), types.find("Reading").unwrap());
    let mut values = Values::new();
    let message = uper_of(&types, station, r#"{"id":7,"name":"x","where":{"latitude":1.5,"longitude":-2}}"#).unwrap();
    let value = asn1::read(&message, &types, station, &Options::uper(), &mut values).unwrap();
    assert_eq!(value.get("kind").unwrap().as_enumerated(), Some("mast"));
    assert_eq!(value.get("where/longitude").unwrap().as_f64(), Some(-2.0));
    let json = r#"{"at":1,"flags":{"value":"","length":0},"fixed":"FFF0","payload":"","source":{"via":"1.2"}}"#;
    let message = uper_of(&types, reading, json).unwrap();
    let value = asn1::read(&message, &types, reading, &Options::uper(), &mut values).unwrap();
    assert_eq!(value.get("source/via").unwrap().as_oid().unwrap(), "1.2");
    assert!(value.get("source/direct").is_none() && value.get("key").is_none() && value.get("at/0").is_none());
    assert_eq!(value.get("").unwrap().node_id(), reading);
    assert_eq!(value.get("/").unwrap().node_id(), reading);
}

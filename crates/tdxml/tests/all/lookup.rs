//! One value by its path: what reading the whole message has there.

use crate::support::{file, message};
use tam::xml::Element;
use tam::{ErrorKind, Step, Table};
use tdxml::{Binary, Lookup, Options, Scheme};

/// The paths of all attributes and elements of a document with what they hold; an element that holds
/// others has no value.
fn values(text: &[u8]) -> Vec<(String, String)> {
    let mut table = Table::new();
    let document = crate::support::xml(text, &mut table);
    let mut all = Vec::new();
    let mut path: Vec<(String, std::collections::HashMap<String, usize>)> = vec![(String::new(), Default::default())];
    for step in document.walk() {
        match step {
            Step::Open(node) => {
                let Some(element) = Element::new(node) else { continue };
                let name = element.name().to_string();
                let (above, counts) = path.last_mut().unwrap();
                let nth = counts.entry(name.clone()).or_insert(0);
                *nth += 1;
                let own = format!("{above}/{name}[{nth}]");
                for attribute in element.attributes() {
                    all.push((format!("{own}/@{}", attribute.name()), attribute.text().unwrap().to_owned()));
                }
                if element.elements().next().is_none() {
                    all.push((own.clone(), element.text().into_owned()));
                }
                path.push((own, Default::default()));
            }
            Step::Close(node) if Element::new(node).is_some() => drop(path.pop()),
            _ => {}
        }
    }
    all
}

/// Every value is found, by halving and by the index; of many every so manieth.
fn all_are_found(name: &str, text: &[u8]) {
    let expected = values(text);
    for scheme in crate::support::SCHEMES {
        let options = Options::default().with_scheme(scheme).with_drop_mixed(true);
        let written = message(text, &options).unwrap();
        let rows = Lookup::new(&written, &options).unwrap();
        let index = rows.index().unwrap();
        let each = expected.len().div_ceil(300);
        for (path, value) in expected.iter().step_by(each) {
            let found = rows.get(path).unwrap_or_else(|error| panic!("{name} {scheme:?} {path}: {error}"));
            // An element with attributes alone has no row of its own.
            let found = found.as_deref().unwrap_or("");
            assert_eq!(
                found,
                value,
                "{name} {scheme:?} {path}\n{}",
                String::from_utf8_lossy(&written[..written.len().min(3000)])
            );
            assert_eq!(index.get(&rows, path).unwrap().as_deref().unwrap_or(""), value, "{name} {scheme:?} {path}");
        }
    }
}

#[test]
fn every_value_is_found() {
    for text in [
        "<a/>",
        "<a k='v'>x</a>",
        "<a><b>1</b><b>2</b><b>3</b></a>",
        "<a><b k='1' l='2'>x</b><b/><b l='3'>&lt;</b><c>d</c></a>",
        "<a><b><c>1</c><c>2</c><d>3</d></b><b><d>4</d></b><b><c>5</c></b><e/><f><g>6</g><g>7</g></f></a>",
        "<a><b>1</b><c>2</c><b>3</b><c>4</c><b>5</b></a>",
        "<a><p><q><r k='1'>1</r><r>2</r></q><q/><s>x</s></p><p><q><r>3</r></q></p><p><s>y</s></p></a>",
        "<a><n><x><y>1</y><z>2</z></x><w>3</w></n><n><w>4</w></n><n><x><z>5</z></x><w/></n></a>",
    ] {
        all_are_found(text, text.as_bytes());
    }
}

#[test]
fn values_of_documents_are_found() {
    for name in [
        "tsf-paper/future001.xml",
        "gpx/ISSUE-82.gpx",
        "ubl21/UBL-Invoice-2.1-Example.xml",
        "tsf-paper/sccc.map.osm.xml",
    ] {
        if let Some(text) = file(name) {
            all_are_found(name, &text);
        }
    }
}

#[test]
fn values_far_in_a_large_group_are_found_from_the_head_before_them() {
    let mut text = String::from("<a><first>1</first>");
    for n in 0..5000 {
        text.push_str(&format!("<b k='{n}'><c>c{n}</c><d><e>{n}</e></d></b>"));
    }
    text.push_str("<last>2</last></a>");
    let options = Options::default().with_scheme(Scheme::Grouped);
    let written = message(text.as_bytes(), &options).unwrap();
    let heads = written.windows(3).filter(|at| at == b"\n[0").count();
    assert!(heads > 4, "{heads}");
    let rows = Lookup::new(&written, &options).unwrap();
    for n in [0, 1, 777, 2500, 4999] {
        assert_eq!(rows.get(&format!("/a/b[{}]/c", n + 1)).unwrap().unwrap(), format!("c{n}"));
        assert_eq!(rows.get(&format!("/a/b[{}]/d/e/text()", n + 1)).unwrap().unwrap(), n.to_string());
        assert_eq!(rows.get(&format!("/a/b[{}]/@k", n + 1)).unwrap().unwrap(), n.to_string());
    }
    assert_eq!(rows.get("/a/b[5001]/c").unwrap(), None);
    assert_eq!(rows.get("/a/first").unwrap().as_deref(), Some("1"));
    assert_eq!(rows.get("/a/last").unwrap().as_deref(), Some("2"));
}

#[test]
fn paths_that_the_schema_has_not_are_refused_and_those_without_a_row_are_nothing() {
    let written = message(b"<a k='1'><b>x</b><c/><c l='2'/></a>", &Options::default()).unwrap();
    let rows = Lookup::new(&written, &Options::default()).unwrap();
    for path in ["/x", "/a/d", "/a/@l", "/a/b/c", "/a/c[0]", "", "/", "/a/b[2]", "/a/c[x]"] {
        assert_eq!(rows.get(path).unwrap_err().kind(), ErrorKind::Schema, "{path}");
    }
    assert_eq!(rows.get("/a/c[1]/@l").unwrap(), None);
    assert_eq!(rows.get("/a/c[9]/@l").unwrap(), None);
    assert_eq!(rows.get("/a/c[2]/@l").unwrap().as_deref(), Some("2"));
}

#[test]
fn octets_of_a_part_are_borrowed() {
    let octets: Vec<u8> = (0..200).collect();
    let base64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==";
    let text = format!("<a><b>{base64}</b></a>");
    for binary in [Binary::Mime, Binary::Base64] {
        let options = Options::default().with_binary(binary);
        let written = message(text.as_bytes(), &options).unwrap();
        let rows = Lookup::new(&written, &options).unwrap();
        let found = rows.octets("/a/b").unwrap().unwrap();
        assert_eq!(&*found, &octets[..64]);
        assert_eq!(written.as_ptr_range().contains(&found.as_ptr()), binary == Binary::Mime);
    }
}

#[test]
fn what_is_not_on_the_way_is_not_looked_at() {
    let message = b"<Env xmlns='urn:tdxml'><DS>a[0] ::= SEQUENCE { b[0] SEQUENCE OF UTF8String }</DS><CT>\n\
        [0][0]0 |x\n[0][0]1 |y\n[0][0]2 |&nonsense;\n[0][0]3 |z\n</CT></Env>";
    let rows = Lookup::new(message, &Options::default()).unwrap();
    assert_eq!(rows.get("/a/b[4]").unwrap().as_deref(), Some("z"));
    assert!(rows.get("/a/b[3]").is_err());
}

/// Every unit that a row is the value of has the path of that row, and groups have the paths of rows.
#[test]
fn units_have_the_paths_of_their_rows() {
    let texts: [&[u8]; 6] = [
        b"<a k='' l='x'><b/><c>t</c><d><e/><e>u</e><e/></d><f m=''/><g><h/></g></a>",
        b"<a><b k=''/><b k='1'><c/></b><b><d><e/></d><d/></b></a>",
        b"<!--o--><a>t<!--c-->u<b k='1'/> v <b><?p q?></b><b/></a><?e?>",
        b"<a>t<b><c/>\n</b>w<d><!--x--></d></a>",
        b"<a/>",
        b"<a k='1'>t</a>",
    ];
    for text in texts {
        let rows = message(text, &Options::default().with_scheme(Scheme::Aggregated)).unwrap();
        let shown = String::from_utf8_lossy(&rows).into_owned();
        let (_, table) = shown.split_once("<TDXML:CT>\n").unwrap();
        let expected: Vec<&str> =
            table.lines().filter_map(|line| line.split_once(" |")).map(|(path, _)| path).collect();
        let expected: Vec<&str> = expected.into_iter().filter(|path| !path.ends_with("(*)")).collect();
        for scheme in crate::support::SCHEMES {
            let written = message(text, &Options::default().with_scheme(scheme)).unwrap();
            let paths = Lookup::new(&written, &Options::default()).unwrap().paths().unwrap();
            assert_eq!(paths.iter().flatten().map(String::as_str).collect::<Vec<_>>(), expected, "{shown}");
            let mut table = Table::new();
            let document = tdxml::read(&written, &Options::default(), &mut table).unwrap();
            let units: Vec<_> = document.walk().filter(|step| !matches!(step, Step::Close(_))).collect();
            assert_eq!(paths.len(), units.len(), "{shown}");
            for (unit, path) in units.iter().zip(&paths) {
                let (Step::Open(node) | Step::Primitive(node) | Step::Close(node)) = unit;
                assert!(!node.is_structured() || path.is_none() || node.children().len() == 0, "{shown}");
            }
        }
    }
}

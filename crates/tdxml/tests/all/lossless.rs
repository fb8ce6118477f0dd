//! XML to TDXML to XML: nothing is lost of data-oriented documents.

use crate::support::{DOCUMENTS, back, file, message, ways, xml_said};
use tdxml::{Options, Scheme};

#[test]
fn documents_come_back_from_aggregated_rows() {
    documents_come_back(Scheme::Aggregated);
}

#[test]
fn documents_come_back_from_groups() {
    documents_come_back(Scheme::Grouped);
}

#[test]
fn documents_come_back_by_the_smaller_scheme() {
    documents_come_back(Scheme::Smaller);
}

fn documents_come_back(scheme: Scheme) {
    for name in DOCUMENTS {
        let Some(text) = file(name) else { continue };
        let expected = xml_said(&text);
        // Comments are no data.
        let options = Options::default().with_scheme(scheme).with_drop_mixed(true);
        let written = message(&text, &options).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let read = back(&written, &options).unwrap_or_else(|error| panic!("{name} {scheme:?}: {error:?}"));
        if let Some((one, other)) = read.lines().zip(expected.lines()).find(|(one, other)| one != other) {
            panic!("{name} {scheme:?}: {one:?}, expected {other:?}");
        }
        assert!(read == expected, "{name} {scheme:?}");
        println!("{name} {scheme:?}: {} bytes of {}", written.len(), text.len());
    }
}

#[test]
fn made_up_documents_come_back_by_every_way() {
    let documents: &[&str] = &[
        "<a/>",
        "<a k=''/>",
        "<a>x</a>",
        "<a> </a>",
        "<a k='v'> x </a>",
        "<a><b/><b/></a>",
        "<a><b/><b>1</b><b> </b></a>",
        "<a><b k='1'/><b/><b l='2'>x</b></a>",
        "<a><b/><c/><b/><c/><c/></a>",
        "<a><b><c/><d/></b><b><d/><c/></b><b/></a>",
        "<a><b><c>1</c></b><b><c>1</c><c>2</c></b><b/></a>",
        "<a><b><c>1</c><d>2</d><e/></b><b><c>1</c><c>2</c><e/></b><b><d/></b></a>",
        "<a><b><x><y/></x></b><b><x/></b><b/></a>",
        "<a><b><x><y k='1'/></x><z/></b><b><x/></b><b><x><y/></x></b></a>",
        "<a><b>[</b><b>]]&gt;</b><b>\"\"</b><b>|&amp;&lt;&#13;&#10;</b><b>\u{FFFD}é</b></a>",
        "<a><b>[0] |x</b><b>[0]{</b></a>",
        "<a><b><c/></b><b>text</b></a>",
        "<a><b><c/></b><b> </b></a>",
        "<a>\n  <b>\n    <c/>\n  </b>\n  <b>\n  </b>\n</a>",
        "<a><p><q><r>1</r><r>2</r></q><q/><s/></p><p><q><r>3</r></q></p><p/></a>",
        "<a><a><a><a/></a></a></a>",
        "<o:a xmlns:o='urn:o' o:k='v'><o:b xml:lang='de'/></o:a>",
        "<a><![CDATA[x<]]>y<![CDATA[]]></a>",
        "<a><b k='1' l='2'/><b l='3'/><b k='4'/></a>",
        "<a><b><c/><c/></b></a>",
        "<a><b><c/><c/></b><b><c/><c/></b></a>",
        "<a><n>1</n><b><c/><c/></b><n>2</n><n>3</n><m/><n/></a>",
        "<a xmlns='urn:tdxml'><Env/></a>",
    ];
    let octets = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==";
    let binary = format!("<a><b>{octets}</b><b>{octets}</b><c k='{octets}'>{octets}</c><d>{octets} </d></a>");
    for document in documents.iter().copied().chain([&*binary]) {
        let expected = xml_said(document.as_bytes());
        for options in ways() {
            let written = message(document.as_bytes(), &options).unwrap();
            let read = back(&written, &options);
            let shown = String::from_utf8_lossy(&written);
            assert_eq!(read.as_ref(), Ok(&expected), "{document} {options:?}\n{shown}");
        }
    }
}

#[test]
fn mixed_content_and_comments_come_back_or_are_dropped() {
    let cases = [
        ("<a>x<b/>y</a>", "<a>x<b/></a>"),
        ("<a><!--c--><b/></a>", "<a><b/></a>"),
        ("<a>one<!--c-->two<?t d?></a>", "<a>onetwo</a>"),
        ("<a><?t d?></a>", "<a/>"),
        ("<a> <b/> <i>x</i> y </a>", "<a><b/><i>x</i></a>"),
        ("<a><b>1</b><b><!--2--></b><b/>!<b>3</b></a>", "<a><b>1</b><b/><b/><b>3</b></a>"),
        ("<!--before--><?x y?><a k=\"|\"/><!-- a < b \\ | -->", "<a k=\"|\"/>"),
        ("<!DOCTYPE a><a/>", "<a/>"),
        ("<a xml:space=\"preserve\"><b/> </a>", "<a xml:space=\"preserve\"><b/></a>"),
    ];
    let as_text = |message: &[u8]| {
        let mut table = tam::Table::new();
        let document = tdxml::read(message, &Options::default(), &mut table).unwrap();
        String::from_utf8(text::xml::write(&document, &text::xml::Options::default()).unwrap()).unwrap()
    };
    for (document, dropped) in cases {
        for options in ways() {
            let written = message(document.as_bytes(), &options).unwrap();
            let shown = String::from_utf8_lossy(&written);
            assert_eq!(as_text(&written).replace("&lt;", "<"), document, "{options:?}\n{shown}");
            let written = message(document.as_bytes(), &options.with_drop_mixed(true)).unwrap();
            assert_eq!(as_text(&written), dropped, "{options:?}");
        }
    }
    let Some(play) = file("xmls/much_ado.xml") else { return };
    let written = message(&play, &Options::default()).unwrap();
    let mut table = tam::Table::new();
    let expected = text::xml::write(&crate::support::xml(&play, &mut table), &text::xml::Options::default()).unwrap();
    let mut table = tam::Table::new();
    let back = as_text(&written);
    // White space between elements is not kept.
    let lines = |text: &str| text.replace(['\n', ' ', '\t'], "");
    assert_eq!(lines(&back), lines(&String::from_utf8(expected).unwrap()));
    crate::support::xml(back.as_bytes(), &mut table);
}

#[test]
fn the_smaller_scheme_is_taken() {
    let text = b"<a><b><c>1</c><d>2</d></b><b><c>3</c><d>4</d></b><b><c>5</c><d>6</d></b></a>";
    let size = |scheme| message(text, &Options::default().with_scheme(scheme)).unwrap().len();
    assert!(size(Scheme::Grouped) < size(Scheme::Aggregated));
    assert_eq!(size(Scheme::Smaller), size(Scheme::Grouped));
}

/// Types that hold themselves are recursive, equal records are one type, and values have the types that their texts show.
#[test]
fn inferred_types_are_shared() {
    let notation = |text: &str| {
        let mut table = tam::Table::new();
        let document = crate::support::xml(text.as_bytes(), &mut table);
        let schema = tdxml::infer(&document, &Options::default()).unwrap().to_string();
        for options in ways() {
            let written = message(text.as_bytes(), &options).unwrap();
            let shown = String::from_utf8_lossy(&written);
            assert_eq!(back(&written, &options).as_ref(), Ok(&xml_said(text.as_bytes())), "{options:?}\n{shown}");
        }
        schema
    };
    assert_eq!(
        notation("<d n='a'><d n='b'><d n='c'/><f>1</f></d><d n='d'/></d>"),
        "d [0] ::= d\nd ::= SEQUENCE {\n n(0) [ATTRIBUTE] UTF8String\n d[0] SEQUENCE OF d,\n f[1] INTEGER OPTIONAL }"
    );
    assert_eq!(
        notation("<a><x><p k='1' l='2'><q/></p></x><y m=''><p l='3' k='4'><q/><r>z</r></p></y></a>"),
        "a [0] ::= SEQUENCE {\n x[0] SEQUENCE {\n  p[0] p },\n y[1] SEQUENCE {\n  m(0) [ATTRIBUTE] UTF8String\n  p[0] p } }\n\
         p ::= SEQUENCE {\n k(0) [ATTRIBUTE] INTEGER\n l(1) [ATTRIBUTE] INTEGER\n q[0] UTF8String,\n r[1] UTF8String OPTIONAL }"
    );
    // Equal records need not have one name.
    assert_eq!(
        notation("<a><x k='1'>s</x><y k='b'/></a>"),
        "a [0] ::= SEQUENCE {\n x[0] x,\n y[1] x }\nx ::= SEQUENCE {\n k(0) [ATTRIBUTE] UTF8String\n [TEXT] UTF8String }"
    );
    // One order does not fit both.
    assert!(!notation("<a><x><p><q/><r/></p></x><y><p><r/><q/></p></y></a>").contains("::= p"));
    let values = |texts: &[&str]| {
        let all: String = texts.iter().map(|text| format!("<b>{text}</b>")).collect();
        notation(&format!("<a>{all}</a>")).split("SEQUENCE OF ").last().unwrap().trim_end_matches(" }").to_owned()
    };
    for (texts, expected) in [
        (&["0", "-17"][..], "INTEGER"),
        (&["1", "2.5", "-1e-7"], "REAL"),
        (&["true", "false"], "BOOLEAN"),
        (&["2004-07-20T13:20:00Z", "2004-07-20T13:20:00.50+10:00"], "DATE-TIME"),
        (&["007", "1"], "UTF8String"),
        (&["1.50", "1"], "UTF8String"),
        (&["1", ""], "UTF8String"),
        (&[" 1", "1"], "UTF8String"),
        (&["1", "true"], "UTF8String"),
        (&["+1", "-0"], "UTF8String"),
    ] {
        assert_eq!(values(texts), expected, "{texts:?}");
    }
}

/// Without a schema, messages of five kilobytes and more are no larger than their XML.
#[test]
fn larger_documents_do_not_grow() {
    let mut logarithms = Vec::new();
    for name in DOCUMENTS {
        let Some(text) = file(name).filter(|text| text.len() >= 5_000) else { continue };
        let written = message(&text, &Options::default().with_drop_comments(true)).unwrap();
        let ratio = written.len() as f64 / text.len() as f64;
        println!("{name}: {} of {} bytes, {ratio:.3}", written.len(), text.len());
        logarithms.push((ratio, name));
    }
    let worst = logarithms.iter().max_by(|one, other| one.0.total_cmp(&other.0));
    assert!(worst.is_none_or(|worst| worst.0 <= 1.0), "{worst:?}");
}

/// The element after a parent of the same recursive type is not one of the parent's.
#[test]
fn elements_of_recursive_types_stay_where_they_are() {
    let schema = "a[0] ::= A A ::= SEQUENCE { a[0] SEQUENCE OF A }".parse().unwrap();
    for text in ["<a><a><a/></a><a/></a>", "<a><a><a/><a/></a><a><a/></a><a/></a>"] {
        for scheme in crate::support::SCHEMES {
            let options = Options::default().with_scheme(scheme).with_schema(&schema);
            let written = message(text.as_bytes(), &options).unwrap();
            let shown = String::from_utf8_lossy(&written);
            assert_eq!(back(&written, &options).as_ref(), Ok(&xml_said(text.as_bytes())), "{shown}");
        }
    }
}

/// What the schema has no place for is refused with the construct, and where it is.
#[test]
fn errors_name_what_the_schema_has_there() {
    let schema: tdxml::DataSchema = "p:a[0] ::= SEQUENCE { k(0) [ATTRIBUTE] UTF8String OPTIONAL [ANY-ELEMENT FROM \"urn:w\"] \
        p:b[0] UTF8String OPTIONAL, p:c[1] CHOICE { p:d[0] UTF8String, p:e[1] UTF8String } OPTIONAL } NAMESPACE p \"urn:p\""
        .parse()
        .unwrap();
    for (content, path, found, expected) in [
        (
            "<x/>",
            "/a/x",
            "the element x",
            "elements that the schema has there: p:b, p:c; or any element of the namespaces \"urn:w\" (wildcard)",
        ),
        ("<c><d/></c><b/>", "/a/b", "the element b", "elements in the order of the SEQUENCE, none of it after p:c"),
        ("<b/><b/>", "/a/b[2]", "the element b", "one b: it is not repeated"),
        ("<c><d/><e/></c>", "/a/c/e", "the element e", "one alternative of the CHOICE, p:d"),
        ("<b y='1'/>", "/a/b/@y", "the attribute y", "no attribute: the schema has none there"),
    ] {
        let text = format!("<a xmlns='urn:p'>{content}</a>");
        let error = message(text.as_bytes(), &Options::default().with_schema(&schema)).unwrap_err();
        assert_eq!(
            (error.path(), &*error.found().to_string(), &*error.expected().to_string()),
            (path, found, expected)
        );
    }
}

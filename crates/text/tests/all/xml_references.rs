//! References to entities whose text is not read, where they are kept.

use crate::xml_support::{PLAIN, events, rewritten_by, suite};
use tam::{Builder, ErrorKind, Limits, Table, TypeSet};
use text::xml::{self, Event, Memory, Options, Reader};

const KEPT: Options = Options::new().with_entity_references(true);

/// The content of a document, references in braces.
fn content(text: &str, options: &Options) -> Result<String, tam::Error> {
    let mut out = String::new();
    let mut reader = Reader::new(text.as_bytes(), options)?;
    while let Some(event) = reader.next_event()? {
        match event {
            Event::Start(tag) => out.push_str(&format!("<{}>", tag.name())),
            Event::End(name) => out.push_str(&format!("</{name}>")),
            Event::Text(text) => out.push_str(&format!("[{text}]")),
            Event::CData(text) => out.push_str(&format!("[[{text}]]")),
            Event::EntityReference(name) => out.push_str(&format!("{{{name}}}")),
            _ => {}
        }
    }
    Ok(out)
}

/// Documents that have such references, and what their content is by hand.
const DOCUMENTS: &[(&str, &str)] = &[
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>", "<a>{e}</a>"),
    ("<!DOCTYPE a [<!ENTITY e PUBLIC 'p' 'e'>]><a>x&e;y&e;&e;z</a>", "<a>[x]{e}[y]{e}{e}[z]</a>"),
    (
        "<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a> &e;\r\n<b>&e;</b>&#13;&e;]]</a>",
        "<a>[ ]{e}[\n]<b>{e}</b>[\r]{e}[]]]</a>",
    ),
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&lt;&e;<![CDATA[&e;]]>&e;</a>", "<a>[<]{e}[[&e;]]{e}</a>"),
    // In the text of another entity.
    ("<!DOCTYPE a [<!ENTITY i 'x&e;y'><!ENTITY e SYSTEM 'e'>]><a>0&i;1&i;</a>", "<a>[0x]{e}[y1x]{e}[y]</a>"),
    ("<!DOCTYPE a [<!ENTITY i '&e;'><!ENTITY e SYSTEM 'e'>]><a>&i;<b/>&i;1</a>", "<a>{e}<b></b>{e}[1]</a>"),
    ("<!DOCTYPE a [<!ENTITY i '<b>&e;</b>'><!ENTITY e SYSTEM 'e'>]><a>&i;</a>", "<a><b>{e}</b></a>"),
    ("<!DOCTYPE a [<!ENTITY % p '<!ENTITY e SYSTEM \"e\">'>%p;]><a>&e;</a>", "<a>{e}</a>"),
    // What may be declared outside the document.
    ("<!DOCTYPE a SYSTEM 'd'><a>&none;</a>", "<a>{none}</a>"),
    ("<!DOCTYPE a PUBLIC 'p' 'd' [<!ENTITY i 'x'>]><a>&none;&i;</a>", "<a>{none}[x]</a>"),
    ("<!DOCTYPE a [%none;<!ENTITY i 'x'><!ENTITY e SYSTEM 'e'>]><a>&i;&e;</a>", "<a>{i}{e}</a>"),
    ("<!DOCTYPE a [<!ENTITY % p SYSTEM 'p'><!ENTITY i 'x'>%p;]><a>&i;&e;</a>", "<a>[x]{e}</a>"),
    // The first declaration holds.
    ("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'><!ENTITY e 'x'>]><a>&e;</a>", "<a>{e}</a>"),
    ("<?xml version='1.0' standalone='yes'?><!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>", "<a>{e}</a>"),
];

#[test]
fn references_to_texts_that_are_not_read_are_kept() {
    for (text, expected) in DOCUMENTS {
        assert_eq!(content(text, &KEPT).as_deref(), Ok(*expected), "{text}");
        let utf16: Vec<u8> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(events(&utf16, &KEPT), events(text.as_bytes(), &KEPT), "{text}");
    }
}

#[test]
fn without_the_option_they_are_refused() {
    for (text, _) in DOCUMENTS {
        let error = content(text, &Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{text}: {error}");
    }
}

#[test]
fn what_is_kept_reads_back_as_the_same_document() {
    for (text, _) in DOCUMENTS {
        let written = rewritten_by(text.as_bytes(), &KEPT).unwrap_or_else(|error| panic!("{text}: {error}"));
        let again = rewritten_by(&written, &KEPT).unwrap();
        assert_eq!(String::from_utf8(again), String::from_utf8(written.clone()));
        // The declaration, and with it `standalone`, is no part of a document.
        assert_eq!(content(str::from_utf8(&written).unwrap(), &KEPT), content(text, &KEPT), "{text}");
    }
    // A reference may be text, so no white space is added next to it.
    let text = "<!DOCTYPE a [<!ENTITY e SYSTEM \"e\">]>\n<a>\n  <b>&e;<c/></b>\n</a>";
    assert_eq!(rewritten_by(text.as_bytes(), &KEPT.with_pretty(true)).as_deref(), Ok(text.as_bytes()));
}

#[test]
fn a_document_with_references_has_a_type_set_that_says_so() {
    let mut table = Table::new();
    let document = xml::read(DOCUMENTS[0].0.as_bytes(), &KEPT, &mut table).unwrap();
    assert_eq!(document.types(), TypeSet::XML_REFERENCES);
    let document = xml::read(b"<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a/>", &KEPT, &mut table).unwrap();
    assert_eq!(document.types(), TypeSet::XML);
}

#[test]
fn what_xml_forbids_is_an_error_with_the_option_too() {
    const EXTERNAL: &str = "<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>";
    let cases = [
        ("<a>&e;</a>".to_owned(), "'&e;', an undeclared entity", ErrorKind::Syntax),
        ("<!DOCTYPE a><a>&e;</a>".to_owned(), "'&e;', an undeclared entity", ErrorKind::Syntax),
        (format!("{EXTERNAL}]><a>&f;</a>"), "'&f;', an undeclared entity", ErrorKind::Syntax),
        (format!("{EXTERNAL}]><a b='&e;'/>"), "'&e;', an external entity", ErrorKind::Syntax),
        (format!("{EXTERNAL}<!ENTITY i '&e;'>]><a b='&i;'/>"), "'&e;', an external entity", ErrorKind::Syntax),
        (format!("{EXTERNAL}<!ATTLIST a b CDATA '&e;'>]><a/>"), "'&e;', an external entity", ErrorKind::Syntax),
        (format!("{EXTERNAL}]><a/>&e;"), "'&'", ErrorKind::Syntax),
        (format!("{EXTERNAL}]>&e;<a/>"), "'&'", ErrorKind::Syntax),
        (format!("{EXTERNAL}]><a>&e</a>"), "'<'", ErrorKind::Syntax),
        ("<!DOCTYPE a [<!ENTITY u SYSTEM 'u' NDATA n>]><a>&u;</a>".to_owned(), "an unparsed entity", ErrorKind::Syntax),
        ("<!DOCTYPE a SYSTEM 'd'><a b='&none;'/>".to_owned(), "an undeclared entity", ErrorKind::Unsupported),
        ("<!DOCTYPE a SYSTEM 'd'><a>&n:o;</a>".to_owned(), "the name 'n:o'", ErrorKind::Syntax),
        (
            "<?xml version='1.0' standalone='yes'?><!DOCTYPE a SYSTEM 'd'><a>&none;</a>".to_owned(),
            "an undeclared entity",
            ErrorKind::Syntax,
        ),
        (
            "<?xml version='1.0' standalone='yes'?><!DOCTYPE a [<!ENTITY % p '<!ENTITY e SYSTEM \"e\">'>%p;]><a>&e;</a>"
                .to_owned(),
            "an entity declared in a parameter entity",
            ErrorKind::Syntax,
        ),
    ];
    for (text, found, kind) in cases {
        let error = content(&text, &KEPT).unwrap_err();
        assert!(error.kind() == kind && error.found().to_string().contains(found), "{text}: {error}");
    }
    assert_eq!(
        content("<!DOCTYPE a SYSTEM 'd'><a>&n:o;</a>", &PLAIN.with_entity_references(true)).unwrap(),
        "<a>{n:o}</a>"
    );
}

#[test]
fn a_document_that_is_cut_off_is_no_other_document() {
    for (text, _) in DOCUMENTS.iter().filter(|(text, _)| text.is_ascii()) {
        for cut in 0..text.len() {
            let error = content(&text[..cut], &KEPT).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incomplete, "{}: {error}", &text[..cut]);
        }
    }
}

#[test]
fn errors_and_events_after_references_have_their_places() {
    let text = "<!DOCTYPE a [<!ENTITY e SYSTEM 'e'><!ENTITY i 'x&e;y'>]><a>12&e;3&i;&none;</a>";
    let mut reader = Reader::new(text.as_bytes(), &KEPT).unwrap();
    let mut places = Vec::new();
    let error = loop {
        match reader.next_event() {
            Ok(Some(Event::EntityReference(name))) => places.push((name.to_owned(), reader.offset())),
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    let at = |what| text.rfind(what).unwrap() as u64;
    assert_eq!(places, [("e".to_owned(), at("&e;")), ("e".to_owned(), at("&i;"))]);
    assert_eq!((error.offset(), error.position()), (at("&none;"), Some((1, at("&none;") + 1))));
}

#[test]
fn a_source_that_has_the_text_comes_first() {
    let files = Memory::new().with("e", "<b/>");
    let text = b"<!DOCTYPE a SYSTEM 'd' [<!ENTITY e SYSTEM 'e'>]><a>&e;&none;</a>";
    let files = files.with("d", "<!ENTITY other 'x'>");
    let mut reader = Reader::new(text, &KEPT).unwrap().with_entities(&files, None);
    let mut seen = Vec::new();
    while let Some(event) = reader.next_event().unwrap() {
        match event {
            Event::Start(tag) => seen.push(tag.name().to_owned()),
            Event::EntityReference(name) => seen.push(format!("&{name};")),
            _ => {}
        }
    }
    assert_eq!(seen, ["a", "b", "&none;"]);
    // Nothing would declare it there.
    let error = xml::standalone(text, None, &KEPT, &files).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

#[test]
fn a_reference_that_would_not_read_back_is_not_written() {
    const SUBSET: &str =
        "[<!ENTITY e SYSTEM 'e'><!ENTITY i 'x'><!ENTITY u SYSTEM 'u' NDATA n><!ENTITY lt SYSTEM 'lt'>]";
    let written = |doctype: Option<&str>, name: &str, options: &Options| {
        let mut table = Table::new();
        let mut builder = Builder::new(b"", TypeSet::XML_REFERENCES, Limits::default(), &mut table);
        builder.open(b'=', b"").unwrap();
        if let Some(doctype) = doctype {
            builder.primitive(b'!', b"", doctype.as_bytes()).unwrap();
        }
        builder.open(b'<', b"a").unwrap();
        builder.primitive(b'&', b"", name.as_bytes()).unwrap();
        builder.close().unwrap();
        builder.close().unwrap();
        builder.finish().unwrap();
        xml::write(&table.document(b"", TypeSet::XML_REFERENCES), options)
    };
    let subset = format!("a {SUBSET}");
    let outside = format!("a SYSTEM 'd' {SUBSET}");
    for name in ["", "i", "u", "lt", "amp", "#65", "e;<b/>&e", "a b", "1", "\u{1}", "e\n"] {
        for doctype in [None, Some("a"), Some(&*subset), Some(&*outside)] {
            let error = written(doctype, name, &Options::default()).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "/a/0"), "{name:?}: {error}");
        }
    }
    for (doctype, name, is_written) in [
        (None, "e", false),
        (Some("a"), "e", false),
        (Some(&*subset), "e", true),
        (Some(&*subset), "none", false),
        (Some(&*outside), "none", true),
        (Some(&*outside), "n:o", false),
        (Some("a [%p;]"), "none", true),
    ] {
        let out = written(doctype, name, &Options::default());
        assert_eq!(out.is_ok(), is_written, "{doctype:?} {name}");
        if let Ok(out) = out {
            assert_eq!(rewritten_by(&out, &KEPT).unwrap(), out);
        }
    }
    assert!(written(Some(&*outside), "n:o", &PLAIN).is_ok());
}

#[test]
fn a_reference_is_content_of_an_element_and_nothing_else() {
    let built = |build: &dyn Fn(&mut Builder<'_, '_, '_>) -> Result<(), tam::Error>| {
        let mut table = Table::new();
        let mut builder = Builder::new(b"", TypeSet::XML_REFERENCES, Limits::default(), &mut table);
        builder.open(b'=', b"").unwrap();
        builder.primitive(b'!', b"", b"a [<!ENTITY e SYSTEM 'e'>]").unwrap();
        build(&mut builder).unwrap();
        builder.close().unwrap();
        builder.finish().unwrap();
        xml::write(&table.document(b"", TypeSet::XML_REFERENCES), &Options::default()).unwrap_err().to_string()
    };
    let outside = built(&|builder| {
        builder.primitive(b'&', b"", b"e")?;
        builder.open(b'<', b"a")?;
        builder.close()
    });
    assert!(outside.contains("a reference to an entity"), "{outside}");
    let in_list = built(&|builder| {
        builder.open(b'<', b"a")?;
        builder.open(b'=', b"")?;
        builder.primitive(b'&', b"k", b"e")?;
        builder.close()?;
        builder.close()
    });
    assert!(in_list.contains("a reference to an entity"), "{in_list}");
    let named = built(&|builder| {
        builder.open(b'<', b"a")?;
        builder.primitive(b'&', b"k", b"e")?;
        builder.close()
    });
    assert!(named.contains("a name of a reference to an entity"), "{named}");
}

#[test]
fn the_suite_with_its_references_reads_back() {
    let Some(cases) = suite() else { return };
    let options = PLAIN.with_entity_references(true);
    let mut kept = 0;
    for case in cases.iter().filter(|case| case.path.exists()) {
        let input = case.input();
        let Ok(expected) = events(&input, &options) else { continue };
        kept += usize::from(expected.contains("entity\x1F"));
        let written = rewritten_by(&input, &options).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        assert_eq!(events(&written, &options).unwrap(), expected, "{}", case.id);
    }
    assert!(kept > 15, "{kept}");
}

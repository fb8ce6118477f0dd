//! External entities and the external subset: what is read, what is refused, and what it may cost.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use tam::{Error, ErrorKind, Limits};
use text::xml::{self, Files, Memory, Options, Source};

/// The document `in/a.xml` with what it refers to, by default or with other limits.
fn alone_by(document: &str, source: &(dyn Source + Sync), limits: Limits) -> Result<String, Error> {
    let options = Options::default().with_limits(limits);
    let whole = xml::standalone(document.as_bytes(), Some("in/a.xml"), &options, source)?;
    Ok(String::from_utf8(whole.into_owned()).unwrap())
}

fn alone(document: &str, source: &Memory) -> Result<String, Error> {
    alone_by(document, source, Limits::DEFAULT)
}

/// What an error says after its kind and place.
fn refused(document: &str, source: &Memory) -> String {
    let error = alone(document, source).expect_err("an error").to_string();
    error.split_once(": ").map_or(error.clone(), |(_, words)| words.to_owned())
}

#[test]
fn a_document_that_refers_to_nothing_is_lent() {
    for document in
        ["<a/>", "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY e 'x'><!ENTITY % p '<!ATTLIST a b CDATA \"c\">'>%p;]><a/>"]
    {
        let whole = xml::standalone(document.as_bytes(), None, &Options::default(), &Memory::new()).unwrap();
        assert!(matches!(whole, std::borrow::Cow::Borrowed(_)), "{document}");
    }
}

/// The system identifier is relative to the file that the declaration is in (section 4.2.2).
#[test]
fn identifiers_are_relative_to_the_file_that_they_are_in() {
    let source = Memory::new()
        .with("dtd/a.dtd", "<!ENTITY % more SYSTEM 'more/b.mod'>%more;")
        .with("dtd/more/b.mod", "<!ENTITY e SYSTEM '../text/e.xml'>")
        .with("dtd/text/e.xml", "<b/>&f;")
        .with("in/f.xml", "<?xml encoding='UTF-8'?>\r\nline\r\n");
    let document = "<!DOCTYPE a SYSTEM '../dtd/a.dtd' [<!ENTITY f SYSTEM 'f.xml'>]><a>&e;</a>";
    assert_eq!(alone(document, &source).unwrap(), "<a><b/>\nline\n</a>");
}

/// The declarations of the internal subset come first, and the first one holds (sections 2.8, 4.2).
#[test]
fn the_internal_subset_holds() {
    let source = Memory::new().with("in/d", "<!ENTITY e 'theirs'><!ATTLIST a b CDATA 'theirs' c CDATA 'supplied'>");
    let document = "<!DOCTYPE a SYSTEM 'd' [<!ENTITY e 'ours'><!ATTLIST a b CDATA 'ours'>]><a>&e;</a>";
    assert_eq!(alone(document, &source).unwrap(), r#"<a b="ours" c="supplied">ours</a>"#);
}

/// XML 1.0, appendix D.
#[test]
fn the_example_of_the_recommendation() {
    let subset = "<!ENTITY % pub \"&#xc9;ditions Gallimard\" >\n<!ENTITY rights \"All rights reserved\" >\n\
        <!ENTITY book \"La Peste: Albert Camus,\n&#xA9; 1947 %pub;. &rights;\" >";
    let source = Memory::new().with("in/d", subset);
    let whole = alone("<!DOCTYPE a SYSTEM 'd'><a>&book;</a>", &source).unwrap();
    assert_eq!(whole, "<a>La Peste: Albert Camus,\n\u{a9} 1947 \u{c9}ditions Gallimard. All rights reserved</a>");
}

#[test]
fn entities_have_encodings_of_their_own() {
    let utf16: Vec<u8> = "\u{FEFF}<?xml encoding='UTF-16'?>\u{e9}".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let source = Memory::new().with("in/l", b"<?xml encoding='ISO-8859-1'?>\xe9".to_vec()).with("in/u", utf16);
    let document = "<!DOCTYPE a [<!ENTITY l SYSTEM 'l'><!ENTITY u SYSTEM 'u'>]><a>&l;&u;</a>";
    assert_eq!(alone(document, &source).unwrap(), "<a>\u{e9}\u{e9}</a>");
}

/// What is left out with the DOCTYPE is no part of the result; all else is.
#[test]
fn what_is_around_the_root_element_is_kept() {
    let source = Memory::new().with("in/d", "<!ENTITY e 'x'>");
    let document = "<?xml version='1.0'?><!--c--><!DOCTYPE a SYSTEM 'd'><?p d?><a>&e;<![CDATA[<]]></a><!--z-->";
    assert_eq!(alone(document, &source).unwrap(), "<!--c--><?p d?><a>x<![CDATA[<]]></a><!--z-->");
}

#[test]
fn errors_name_the_file_and_the_place_in_it() {
    let source = Memory::new()
        .with("in/d", "<!ELEMENT a ANY>\n  <!ATTLIST a b CDATA>")
        .with("in/open", "<![INCLUDE[\n<!ELEMENT a ANY>")
        .with("in/e", "line\n<b></c>")
        .with("in/c", "<b>")
        .with("in/n", "x\ny\u{1}")
        .with("in/o", b"<?xml version='1.0' encoding='ISO-8859-1' standalone='yes'?>".to_vec())
        .with("in/u", b"<?xml encoding='KOI8-R'?>".to_vec())
        .with("in/b", b"ab\xff".to_vec())
        .with("in/p", "<!ENTITY % p '<!ELEMENT'>\n%p;");
    let general = |file: &str| format!("<!DOCTYPE a [<!ENTITY e SYSTEM '{file}'>]><a>&e;</a>");
    let subset = |file: &str| format!("<!DOCTYPE a SYSTEM '{file}'><a/>");
    for (document, expected) in [
        (subset("d"), "found '>' in 'in/d' (line 2, column 3), expected white space"),
        (subset("open"), "found the end of the text in 'in/open' (line 2, column 17), expected ']]>'"),
        (subset("none"), "found no text of 'in/none' (entity not found), expected a file that can be read"),
        (subset("p"), "found the end of the text of a parameter entity, expected '>'"),
        (general("e"), "found '</c>' in 'in/e' (line 2, column 4), expected '</b>'"),
        (
            general("c"),
            "found the end of the text in 'in/c' (line 1, column 4), expected the end of an element that began there",
        ),
        (general("n"), "found the character U+0001 in 'in/n' (line 2, column 2), expected a character that XML allows"),
        (general("o"), "found 's' in 'in/o' (line 1, column 43), expected '?>'"),
        (
            general("u"),
            "found the encoding KOI8-R in 'in/u' (line 1, column 17), expected UTF-8, UTF-16, ISO-8859-1 or US-ASCII",
        ),
        (general("b"), "found the byte 0xFF in 'in/b' (line 1, column 3), expected UTF-8"),
        (
            general("http://example.org/e"),
            "found no text of 'http://example.org/e' (entity not found), expected a file that can be read",
        ),
    ] {
        assert_eq!(refused(&document, &source), expected, "{document}");
    }
    // The offset is that of the reference.
    let error = alone(&general("e"), &source).unwrap_err();
    assert_eq!((error.offset(), error.position(), error.kind()), (40, Some((1, 41)), ErrorKind::Syntax));
    assert_eq!(alone(&subset("none"), &source).unwrap_err().kind(), ErrorKind::Io);
}

/// Well-formedness constraints of sections 4.1, 4.4.4 and 2.8.
#[test]
fn references_that_are_not_allowed_are_refused() {
    let source = Memory::new()
        .with("in/e", "x")
        .with("in/self", "&e;")
        .with("in/d", "<!ENTITY e 'x'>")
        .with("in/loop", "<!ENTITY % l SYSTEM 'loop'>%l;")
        .with("in/value", "<!ENTITY % v '&#37;v;'><!ENTITY e '%v;'>");
    for (document, found) in [
        ("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a b='&e;'/>", "'&e;', an external entity"),
        ("<!DOCTYPE a [<!ENTITY e SYSTEM 'self'>]><a>&e;</a>", "'&e;', an entity within itself in 'in/self'"),
        ("<!DOCTYPE a SYSTEM 'd'><a>&f;</a>", "'&f;', an undeclared entity"),
        ("<?xml version='1.0' standalone='yes'?><!DOCTYPE a SYSTEM 'd'><a>&e;</a>", "'&e;', an entity declared in"),
        ("<!DOCTYPE a SYSTEM 'loop'><a/>", "'&l;', an entity within itself"),
        ("<!DOCTYPE a SYSTEM 'value'><a/>", "'&v;', an entity within itself"),
        ("<!DOCTYPE a [<!ENTITY % d SYSTEM 'd'><!ELEMENT a %d;>]><a/>", "'%'"),
    ] {
        let said = refused(document, &source);
        assert!(said.contains(found), "{document}: {said}");
    }
}

const COUNT: usize = 100_000;

/// The subset is read, and its first half is read or refused in the same time.
fn is_read(subset: &str) {
    let document = "<!DOCTYPE a SYSTEM 'd'><a/>";
    let whole = alone(document, &Memory::new().with("in/d", subset));
    assert_eq!(whole.as_deref(), Ok("<a/>"), "{}", &subset[..60]);
    let _ = alone(document, &Memory::new().with("in/d", &subset[..subset.len() / 2]));
}

/// Entities of entities cost time and memory by the length of all texts.
#[test]
fn chains_of_entities_are_read() {
    let mut chain = "<!ENTITY % e0 ''>".to_owned();
    for n in 1..COUNT {
        chain += &format!("<!ENTITY % e{n} '&#37;e{};'>", n - 1);
    }
    let last = format!("%e{};", COUNT - 1);
    is_read(&format!("{chain}{last}<!ELEMENT a {last}ANY><!ENTITY v '{last}'><![INCLUDE {last}[]]>"));
}

#[test]
fn deep_and_long_subsets_are_read() {
    let nested = |word: &str| format!("{}{}", word.repeat(COUNT), "]]>".repeat(COUNT));
    for subset in [
        nested("<![INCLUDE["),
        format!("<![IGNORE[{}]]>", nested("<![")),
        format!("<!ENTITY % x ''><!ENTITY v '{}'>", "%x; ".repeat(COUNT)),
        format!("<!ENTITY % x ''><!ATTLIST a {}>", "%x; ".repeat(COUNT)),
        "<![IGNORE[]]>".repeat(COUNT),
        "%none; ".repeat(COUNT),
    ] {
        is_read(&subset);
    }
    let entities: String = (0..COUNT).map(|n| format!("<!ENTITY e{n} SYSTEM 'e'>")).collect();
    let references: String = (0..COUNT).map(|n| format!("&e{n};")).collect();
    let document = format!("<!DOCTYPE a [{entities}]><a>{references}</a>");
    assert_eq!(alone(&document, &Memory::new().with("in/e", "")).unwrap(), "<a/>");
}

#[test]
fn external_text_counts_to_the_limit_of_entities() {
    let limits = Limits { entity_expansion: 10_000, ..Limits::DEFAULT };
    let limit = |document: &str, source: &Memory| {
        let error = alone_by(document, source, limits).expect_err("a limit");
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(error.to_string().ends_with("expected at most 10000 (limit entity_expansion)"), "{error}");
    };
    let general = "<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>";
    assert!(alone_by(general, &Memory::new().with("in/e", "x".repeat(10_000)), limits).is_ok());
    limit(general, &Memory::new().with("in/e", "x".repeat(10_001)));
    limit(&general.replace("&e;", "&e;&e;"), &Memory::new().with("in/e", "x".repeat(5_001)));
    limit("<!DOCTYPE a SYSTEM 'e'><a/>", &Memory::new().with("in/e", " ".repeat(10_001)));
    limit("<!DOCTYPE a [<!ENTITY % e SYSTEM 'e'>%e;%e;]><a/>", &Memory::new().with("in/e", " ".repeat(5_001)));
    // Laughs of parameter entities, between declarations, in one and in a value.
    let mut laughs = "<!ENTITY % e0 ' '>".to_owned();
    for n in 1..10 {
        laughs += &format!("<!ENTITY % e{n} '{}'>", format!("&#37;e{};", n - 1).repeat(10));
    }
    for last in ["%e9;", "<!ELEMENT a %e9; ANY>", "<!ENTITY v '%e9;'>"] {
        limit("<!DOCTYPE a SYSTEM 'e'><a/>", &Memory::new().with("in/e", format!("{laughs}{last}")));
    }
    // Latin-1 is longer as UTF-8.
    let latin = [b"<?xml encoding='ISO-8859-1'?>".to_vec(), vec![0xE9; 6_000]].concat();
    limit(general, &Memory::new().with("in/e", latin));
}

/// A source that gives more than it was asked for, and counts how often it is asked.
struct Endless(AtomicUsize);

impl Source for Endless {
    fn resolve(&self, _: Option<&str>, location: &str) -> String {
        location.to_owned()
    }

    fn load(&self, _: &str, most: u64) -> io::Result<Vec<u8>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(vec![b' '; usize::try_from(most).unwrap() + 1])
    }
}

#[test]
fn a_source_that_gives_too_much_is_not_believed() {
    let source = Endless(AtomicUsize::new(0));
    let limits = Limits { entity_expansion: 10_000, ..Limits::DEFAULT };
    let error = alone_by("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>", &source, limits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(source.0.load(Ordering::Relaxed), 1);
}

/// An entity is loaded when it is referred to, once a reading.
#[test]
fn what_is_not_referred_to_is_not_loaded() {
    struct Counting(AtomicUsize);
    impl Source for Counting {
        fn resolve(&self, _: Option<&str>, location: &str) -> String {
            location.to_owned()
        }
        fn load(&self, name: &str, _: u64) -> io::Result<Vec<u8>> {
            assert_eq!(name, "e");
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(b"x".to_vec())
        }
    }
    let source = Counting(AtomicUsize::new(0));
    let document = "<!DOCTYPE a [<!ENTITY e SYSTEM 'e'><!ENTITY f SYSTEM 'f'><!NOTATION n SYSTEM 'n'>\
        <!ENTITY u SYSTEM 'u' NDATA n>]><a>&e;&e;&e;</a>";
    assert_eq!(alone_by(document, &source, Limits::DEFAULT).unwrap(), "<a>xxx</a>");
    assert_eq!(source.0.load(Ordering::Relaxed), 1);
}

#[test]
fn only_files_of_the_folder_are_read() {
    let top = std::env::temp_dir().join(format!("xml-entities-{}", std::process::id()));
    std::fs::create_dir_all(top.join("in/sub")).unwrap();
    std::fs::write(top.join("secret"), "secret").unwrap();
    std::fs::write(top.join("in/sub/e"), "text").unwrap();
    let files = Files::new().allow(top.join("in")).unwrap();
    let read = |system: &str| {
        let document = format!("<!DOCTYPE a [<!ENTITY e SYSTEM '{system}'>]><a>&e;</a>");
        let base = top.join("in/a.xml");
        let whole = xml::standalone(document.as_bytes(), base.to_str(), &Options::default(), &files);
        whole.map(|whole| String::from_utf8(whole.into_owned()).unwrap()).map_err(|error| error.kind())
    };
    assert_eq!(read("sub/e").as_deref(), Ok("<a>text</a>"));
    assert_eq!(read("sub/../sub/./e").as_deref(), Ok("<a>text</a>"));
    let outside = format!("file://{}", top.join("secret").display());
    for system in
        ["../secret", "sub/../../secret", &outside, "/etc/passwd", "sub", "none", "http://localhost/e", "", "sub/e/x"]
    {
        assert_eq!(read(system), Err(ErrorKind::Io), "{system}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(top.join("secret"), top.join("in/link")).unwrap();
        assert_eq!(read("link"), Err(ErrorKind::Io));
    }
    std::fs::remove_dir_all(&top).unwrap();
}

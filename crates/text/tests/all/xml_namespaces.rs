//! Namespaces in XML 1.0 (third edition): what is not namespace-well-formed is refused, and read as
//! plain XML where the caller asks for that.

use crate::xml_support::{PLAIN, Random, python, rewritten, rewritten_by};
use tam::{Builder, ErrorKind, Limits, Table, TypeSet};
use text::xml::{self, Options};

#[test]
fn what_the_recommendation_forbids_is_refused() {
    for (xml, found) in [
        // Section 4: QNames.
        ("<a:b:c xmlns:a='u'/>", "the name 'a:b:c'"),
        ("<:a/>", "the name ':a'"),
        ("<a: xmlns:a='u'/>", "the name 'a:'"),
        ("<a:1 xmlns:a='u'/>", "the name 'a:1'"),
        ("<a xmlns:b='u' b:-='1'/>", "the name 'b:-'"),
        // Section 5: prefix declared.
        ("<a:b/>", "the prefix 'a', which is not declared"),
        ("<a b:c='1'/>", "the prefix 'b', which is not declared"),
        ("<a><b xmlns:p='u'/><p:c/></a>", "the prefix 'p', which is not declared"),
        ("<!DOCTYPE a [<!ATTLIST b p:c CDATA '1'>]><a><b/></a>", "the prefix 'p', which is not declared"),
        // Section 2.2: no prefix undeclaring in 1.0.
        ("<a xmlns:p='u'><b xmlns:p=''/></a>", "xmlns:p=\"\""),
        // Section 3: reserved prefixes and namespace names.
        ("<xmlns:a/>", "the prefix 'xmlns'"),
        ("<!DOCTYPE a SYSTEM 'a.dtd'><xmlns:a/>", "the prefix 'xmlns'"),
        ("<a xmlns:xml='u'/>", "the prefix 'xml' bound to another namespace"),
        ("<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>", "the namespace of the prefix 'xml'"),
        ("<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "the namespace of the prefix 'xml'"),
        ("<a xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>", "a declaration of the prefix 'xmlns'"),
        ("<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", "the namespace of the prefix 'xmlns'"),
        ("<a xmlns='http://www.w3.org/2000/xmlns/'/>", "the namespace of the prefix 'xmlns'"),
        ("<a xmlns:='u'/>", "the prefix ''"),
        ("<a xmlns:b:c='u'/>", "the prefix 'b:c'"),
        // Section 6.3: uniqueness of attributes.
        (
            "<a xmlns:p='u' xmlns:q='u'><b p:c='1' q:c='2'/></a>",
            "the attribute 'q:c', the second of its namespace and name",
        ),
        (
            "<a xmlns:p='u' xmlns:q='&#117;'><b p:c='1' q:c='2'/></a>",
            "the attribute 'q:c', the second of its namespace and name",
        ),
        // Section 7: other names have no colon.
        ("<?a:b c?><a/>", "the name 'a:b'"),
        ("<a><?b:c?></a>", "the name 'b:c'"),
        ("<!DOCTYPE a [<!ENTITY b:c 'd'>]><a/>", "the name 'b:c'"),
        ("<!DOCTYPE a [<!ENTITY % b:c 'd'>]><a/>", "the name 'b:c'"),
        ("<!DOCTYPE a [<!NOTATION b:c SYSTEM 'd'>]><a/>", "the name 'b:c'"),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'c' NDATA d:e>]><a/>", "the name 'd:e'"),
        ("<!DOCTYPE a [<!ATTLIST a b NOTATION (c:d) #IMPLIED>]><a/>", "the name 'c:d'"),
        ("<!DOCTYPE a [<?b:c?>]><a/>", "the name 'b:c'"),
        // Section 4, productions 17 to 21: names in declarations are QNames.
        ("<!DOCTYPE a [<!ELEMENT a:b:c ANY>]><a/>", "the name 'a:b:c'"),
        ("<!DOCTYPE a [<!ELEMENT a (b:,c)>]><a/>", "the name 'b:'"),
        ("<!DOCTYPE a [<!ELEMENT a (#PCDATA|:b)*>]><a/>", "the name ':b'"),
        ("<!DOCTYPE a [<!ATTLIST a b:c:d CDATA #IMPLIED>]><a/>", "the name 'b:c:d'"),
    ] {
        let error = rewritten(xml.as_bytes()).expect_err(xml);
        assert_eq!((error.kind(), error.found().to_string()), (ErrorKind::Syntax, found.to_owned()), "{xml}");
        assert!(error.position().is_some(), "{xml}");
        assert!(rewritten_by(xml.as_bytes(), &PLAIN).is_ok(), "{xml}");
    }
}

#[test]
fn what_the_recommendation_allows_is_kept() {
    let many: String = (0..40).map(|n| format!(" xmlns:p{n}='u{n}'")).collect();
    let used: String = (0..40).map(|n| format!(" p{n}:a='1'")).collect();
    for xml in [
        "<p:a xmlns:p='u' p:b='1' b='2'><p:c/></p:a>",
        "<a xmlns='u' xmlns:p='u' b='1' p:b='2'/>",
        "<a xmlns='u'><b xmlns=''/></a>",
        "<a xml:lang='en' xml:space='preserve'/>",
        "<a xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:lang='en'/>",
        "<a xmlns:xmlfoo='u' xmlfoo:b='1' xmlnsp='2'/>",
        "<p:a xmlns:p='u'><p:b xmlns:p='v' p:c='1'/><p:d/></p:a>",
        "<a xmlns:p='u' xmlns:q='v'><b p:c='1' q:c='2' xmlns:q='w'/></a>",
        "<!DOCTYPE a [<!ATTLIST a xmlns:p CDATA #FIXED 'u'>]><a><b xmlns:p='v'><p:c/></b></a>",
        "<!DOCTYPE a [<!ENTITY e '<p:b/>'>]><a xmlns:p='u'>&e;</a>",
        "<!DOCTYPE p:a [<!ELEMENT p:a (p:b|c)*><!ATTLIST p:a p:c CDATA #IMPLIED>]><p:a xmlns:p='u'/>",
        &format!("<a{many}><b{used}/></a>"),
    ] {
        let written = rewritten(xml.as_bytes()).unwrap_or_else(|error| panic!("{xml}: {error}"));
        assert_eq!(rewritten(&written).unwrap(), written, "{xml}");
    }
}

#[test]
fn an_error_names_the_attribute_and_its_place() {
    let error = rewritten(b"<a>\n <b c='1' p:d='2'/></a>").unwrap_err().to_string();
    let said = "syntax at byte 14 (line 2, column 11) in /a: found the prefix 'p', which is not declared, \
        expected a declaration xmlns:p=\"...\" around it";
    assert_eq!(error, said);
}

#[test]
fn a_prefix_that_only_the_external_subset_can_declare_is_unsupported() {
    let xml = "<!DOCTYPE a SYSTEM 'a.dtd'><p:a/>";
    assert_eq!(rewritten(xml.as_bytes()).unwrap_err().kind(), ErrorKind::Unsupported);
    let xml = "<?xml version='1.0' standalone='yes'?><!DOCTYPE a SYSTEM 'a.dtd'><p:a/>";
    assert_eq!(rewritten(xml.as_bytes()).unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn a_document_that_would_not_be_read_again_is_not_written() {
    let mut table = Table::new();
    for (element, attribute) in [("p:a", "b"), ("a", "p:b"), ("a", "xmlns:xmlns"), ("a:", "b")] {
        let mut builder = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
        builder.open(b'<', element.as_bytes()).unwrap();
        builder.open(b'=', b"").unwrap();
        builder.primitive(b'[', attribute.as_bytes(), b"1").unwrap();
        builder.close().unwrap();
        builder.close().unwrap();
        builder.finish().unwrap();
        let document = table.document(b"", TypeSet::XML);
        let mut out = Vec::new();
        let error = xml::append(&document, &Options::default(), &mut out).unwrap_err();
        assert_eq!((error.kind(), out.len()), (ErrorKind::Unsupported, 0), "{error}");
        xml::append(&document, &PLAIN, &mut out).unwrap();
        assert_eq!(out, format!("<{element} {attribute}=\"1\"/>").into_bytes());
    }
}

/// A document with few prefixes and few namespaces, so that it is often wrong.
fn document(random: &mut Random) -> String {
    let prefixes = ["p", "q", "r", "xml", "xmlns", "p:q", ""];
    let uris = ["u", "v", "", "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"];
    let mut out = String::new();
    let mut open = Vec::new();
    for n in 0..1 + random.below(6) {
        if n > 0 && random.below(3) == 0 && open.len() > 1 {
            out.push_str(&format!("</{}>", open.pop().unwrap()));
        }
        let mut attributes: Vec<(String, &str)> = Vec::new();
        for _ in 0..random.below(4) {
            let prefix = prefixes[random.below(3) + 4 * usize::from(random.below(40) == 0)];
            match random.below(4) {
                0 => attributes
                    .push((format!("xmlns:{prefix}"), uris[random.below(5) * usize::from(random.below(8) == 0)])),
                1 => attributes.push(("xmlns".to_owned(), uris[random.below(3) + usize::from(random.below(30) == 0)])),
                _ => attributes.push((format!("{prefix}:{}", random.one_of(&["a", "b"])), "1")),
            }
        }
        attributes.sort_unstable();
        attributes.dedup_by(|a, b| a.0 == b.0);
        let name = match random.below(3) {
            0 => "e".to_owned(),
            _ => format!("{}:e", prefixes[random.below(3) + 4 * usize::from(random.below(60) == 0)]),
        };
        // Most documents declare what they use.
        let declared = if n == 0 && random.below(4) > 0 { " xmlns:p='u' xmlns:q='v' xmlns:r='u'" } else { "" };
        if !declared.is_empty() {
            attributes.retain(|(name, _)| !declared.contains(&**name));
        }
        let attributes: String = attributes.iter().map(|(name, value)| format!(" {name}='{value}'")).collect();
        out.push_str(&format!("<{name}{declared}{attributes}>"));
        open.push(name);
    }
    for name in open.iter().rev() {
        out.push_str(&format!("</{name}>"));
    }
    out
}

#[test]
fn expat_says_the_same_of_generated_prefixes() {
    let mut random = Random(30);
    let texts: Vec<_> = (0..test_support::rounds(20_000)).map(|_| document(&mut random)).collect();
    let Some(answers) = python("expat_namespaces.py", &texts) else { return };
    let mut accepted = 0;
    for (text, theirs) in texts.iter().zip(&answers) {
        let ours = rewritten(text.as_bytes());
        assert_eq!(ours.is_ok(), theirs == "accepted", "{text}\n  ours {ours:?}\n  theirs {theirs}");
        accepted += usize::from(ours.is_ok());
    }
    assert!(accepted > test_support::rounds(2_000) && accepted < test_support::rounds(18_000), "{accepted}");
}

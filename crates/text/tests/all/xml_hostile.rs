//! Documents that mean harm: too deep, too wide, too much from too little, cut off, garbled.

use crate::xml_support::{Random, rewritten};
use tam::{Error, ErrorKind, Limits, Table};
use text::xml::{self, Options, Reader};

fn read(input: &[u8], limits: Limits) -> Result<usize, Error> {
    xml::read(input, &Options::default().with_limits(limits), &mut Table::new()).map(|document| document.units())
}

/// The limit that an error names.
fn limit(result: Result<usize, Error>) -> String {
    let error = result.expect_err("a limit");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    error.to_string().rsplit_once("(limit ").unwrap().1.trim_end_matches(')').to_owned()
}

#[test]
fn a_billion_laughs_are_not_laughed() {
    let limits = Limits { entity_expansion: 1 << 19, ..Limits::default() };
    let mut text = "<!DOCTYPE a [<!ENTITY e0 'ha!'>".to_owned();
    for n in 1..10 {
        text.push_str(&format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10)));
    }
    let content = format!("{text}]><a>&e9;</a>");
    assert_eq!(limit(read(content.as_bytes(), limits)), "entity_expansion");
    let attribute = format!("{text}]><a b='&e9;'/>");
    assert_eq!(limit(read(attribute.as_bytes(), limits)), "entity_expansion");
    let default = format!("{text}<!ATTLIST a b CDATA '&e9;'>]><a/>");
    assert_eq!(limit(read(default.as_bytes(), limits)), "entity_expansion");
    let limits = Limits { expansion_ratio: 100, expansion_threshold: 1 << 10, ..Limits::NONE };
    for text in [&content, &attribute, &default] {
        assert_eq!(limit(read(text.as_bytes(), limits)), "expansion_ratio");
    }
    let few = format!("{text}]><a>&e3;</a>");
    assert_eq!(read(few.as_bytes(), Limits::default()).unwrap(), 4);
}

#[test]
fn parameter_entities_do_not_laugh_either() {
    let mut text = "<!DOCTYPE a [<!ENTITY % e0 '<!ENTITY x \"\">'>".to_owned();
    for n in 1..10 {
        text.push_str(&format!("<!ENTITY % e{n} '{}'>", format!("&#37;e{};", n - 1).repeat(10)));
    }
    text.push_str("%e9;]><a/>");
    assert_eq!(limit(read(text.as_bytes(), Limits::default())), "entity_expansion");
}

#[test]
fn a_large_entity_often_is_too_much() {
    let text = format!("<!DOCTYPE a [<!ENTITY e '{}'>]><a>{}</a>", "x".repeat(100_000), "&e;".repeat(100_000));
    assert_eq!(limit(read(text.as_bytes(), Limits::default())), "entity_expansion");
}

#[test]
fn many_defaults_for_many_elements_are_too_much() {
    let defaults: String = (0..2_000).map(|n| format!(" a{n} CDATA 'v'")).collect();
    let text = format!("<!DOCTYPE a [<!ATTLIST b{defaults}>]><a>{}</a>", "<b/>".repeat(2_000));
    assert_eq!(limit(read(text.as_bytes(), Limits::default())), "entity_expansion");
}

#[test]
fn a_chain_of_entities_is_followed_without_recursion() {
    let count = 100_000;
    let mut text = "<!DOCTYPE a [<!ENTITY e0 'x'>".to_owned();
    for n in 1..count {
        text.push_str(&format!("<!ENTITY e{n} '&e{};'>", n - 1));
    }
    let last = count - 1;
    text.push_str(&format!("]><a b='&e{last};'>&e{last};</a>"));
    assert_eq!(read(text.as_bytes(), Limits::default()).unwrap(), 6);
    let looped = text.replace("<!ENTITY e0 'x'>", &format!("<!ENTITY e0 '&e{last};'>"));
    assert!(read(looped.as_bytes(), Limits::default()).unwrap_err().to_string().contains("an entity within itself"));
}

#[test]
fn a_million_levels_are_a_matter_of_the_limit() {
    let levels = 1_000_000;
    let text = format!("{}{}", "<a>".repeat(levels), "</a>".repeat(levels));
    assert_eq!(limit(read(text.as_bytes(), Limits::default())), "depth");
    let deep = Limits { depth: 1_000_000, ..Limits::default() };
    assert_eq!(read(text.as_bytes(), deep).unwrap(), levels);
    let mut table = Table::new();
    let document = xml::read(text.as_bytes(), &Options::default().with_limits(deep), &mut table).unwrap();
    let out = xml::write(&document, &Options::default()).unwrap();
    assert_eq!(out.len(), text.len() - 4 + 1);
}

#[test]
fn a_content_model_is_as_deep_as_it_likes() {
    let text = format!("<!DOCTYPE a [<!ELEMENT a {}b{}>]><a/>", "(".repeat(300_000), ")*".repeat(300_000));
    assert_eq!(read(text.as_bytes(), Limits::default()).unwrap(), 3);
    let open = format!("<!DOCTYPE a [<!ELEMENT a {}", "(".repeat(300_000));
    assert_eq!(read(open.as_bytes(), Limits::default()).unwrap_err().kind(), ErrorKind::Incomplete);
}

#[test]
fn many_attributes_take_no_time_each_for_each() {
    let attributes: String = (0..200_000).map(|n| format!(" a{n}='{n}'")).collect();
    let text = format!("<a{attributes}/>");
    assert_eq!(read(text.as_bytes(), Limits::default()).unwrap(), 200_002);
    assert_eq!(rewritten(text.as_bytes()).unwrap().len(), text.len());
    let doubled = format!("<a{attributes} a77=''/>");
    let error = read(doubled.as_bytes(), Limits::default()).unwrap_err();
    assert!(error.to_string().contains("the attribute 'a77' a second time"), "{error}");
}

#[test]
fn many_declared_attributes_take_no_time_for_each_element() {
    let declared: String = (0..50_000).map(|n| format!(" a{n} CDATA #IMPLIED")).collect();
    let text = format!("<!DOCTYPE a [<!ATTLIST b{declared}>]><a>{}</a>", "<b a7='1'/>".repeat(50_000));
    assert_eq!(read(text.as_bytes(), Limits::default()).unwrap(), 3 + 150_000);
}

#[test]
fn ampersands_brackets_and_returns_take_no_time_for_what_follows() {
    let text = format!("<a>{}</a>", "&amp;]<b/>\r\n".repeat(100_000));
    assert_eq!(read(text.as_bytes(), Limits::default()).unwrap(), 2 + 200_000);
}

/// Documents with about everything in them.
const RICH: &[&str] = &[
    "<?xml version='1.0' encoding=\"UTF-8\" standalone='no' ?><!-- c --><?p d?><!DOCTYPE a [<!ENTITY e 'x<b>&#38;#60;</b>'>\
     <!ENTITY % p '<!ENTITY f \"&#38;e;\">'> %p; <!ATTLIST a k NMTOKENS ' 1  2 ' l CDATA #FIXED \"v\" m (x|y) #IMPLIED><!ELEMENT a \
     ((b?,c)+|d)*><!ELEMENT b (#PCDATA|c)*><!NOTATION n PUBLIC 'p' \"s\"><!ENTITY u SYSTEM 's' NDATA n><!--d--><?i?>] ><a m = 'x' \
     \u{e9}='&lt;&#x1F600;&e2;'>t&f;<![CDATA[ ]] ]]><c />\u{4e2d}</a ><!--e--> <?q?>",
    "<a:b xmlns:a='u' c='d'>\r\n<e/>&#13;</a:b>",
    "<!DOCTYPE a PUBLIC 'p' 's'><a/>",
];

#[test]
fn what_is_cut_off_is_incomplete() {
    for text in RICH {
        let text = text.replace("&e2;", "");
        assert!(read(text.as_bytes(), Limits::default()).is_ok(), "{:?}", read(text.as_bytes(), Limits::default()));
        let root =
            text.rfind('>').unwrap().min(text.find("</a").map_or(usize::MAX, |at| at + text[at..].find('>').unwrap()));
        for end in 0..root {
            let error = read(&text.as_bytes()[..end], Limits::default()).expect_err(&text[..end.min(40)]);
            assert_eq!(error.kind(), ErrorKind::Incomplete, "{end}: {error}");
        }
        for end in root..text.len() {
            if let Err(error) = read(&text.as_bytes()[..end], Limits::default()) {
                assert_eq!(error.kind(), ErrorKind::Incomplete, "{end}: {error}");
            }
        }
    }
}

#[test]
fn what_is_cut_off_in_utf_16_is_incomplete() {
    let text: Vec<u8> = "\u{FEFF}<a>\u{1F600}</a>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert!(read(&text, Limits::default()).is_ok());
    for end in 2..text.len() {
        assert_eq!(read(&text[..end], Limits::default()).unwrap_err().kind(), ErrorKind::Incomplete, "{end}");
    }
}

#[test]
fn garbled_bytes_are_read_or_refused() {
    let mut random = Random(3);
    let mut read = 0;
    for n in 0..test_support::rounds(30_000) {
        let text = RICH[n % RICH.len()].as_bytes();
        let mut text = if n % 4 == 0 {
            let text = String::from_utf8(text.to_vec()).unwrap();
            text.replace("UTF-8", "UTF-16").encode_utf16().flat_map(u16::to_le_bytes).collect()
        } else {
            text.to_vec()
        };
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => text[at] = random.next() as u8,
                1 => drop(text.remove(at)),
                _ => text.insert(at, random.next() as u8),
            }
        }
        match rewritten(&text) {
            Ok(once) => {
                assert_eq!(rewritten(&once).unwrap(), once);
                read += 1;
            }
            Err(error) => assert!(error.position().is_some(), "{error}"),
        }
        if let Ok(mut reader) = Reader::new(&text, &Options::default()) {
            while let Ok(Some(_)) = reader.next_event() {}
        }
    }
    assert!(read > test_support::rounds(100), "{read}");
}

#[test]
fn a_reader_that_failed_may_be_asked_again() {
    for text in ["<a>&x;</a>", "<a></b>", "<a", "<!DOCTYPE a [<!ENTITY e '<b>'>]><a>&e;</a>", "<a/>x"] {
        let mut reader = Reader::new(text.as_bytes(), &Options::default()).unwrap();
        let mut errors = 0;
        for _ in 0..20 {
            errors += usize::from(reader.next_event().is_err());
        }
        assert!(errors > 0);
    }
}

//! Messages as others may write them: strings in their places, names in any form, whatever else the
//! schema lets them choose. They are made by the general codec; what they say is worked by hand.

use std::io::Write;

use crate::support::appendix_a::{Parts, block, children, element, text};
use crate::support::hold::{Outcome, hold};
use crate::support::{RULES, back, by_events};
use infoset::Options;
use tam::{ErrorKind, Table};

/// Options that keep references to entities.
fn keeping(rules: asn1::EncodingRules) -> Options<'static> {
    Options::of(rules).with_entity_references(true)
}

/// Reads a message under every rule, and BER with other forms of lengths.
fn reads(parts: &Parts, expected: &str) {
    for rules in RULES {
        let message = parts.encoded(rules);
        let options = keeping(rules);
        assert_eq!(back(&message, &options).as_deref(), Ok(expected), "{parts:?}");
        assert_eq!(hold(&message, &options), Outcome::Read);
    }
    let message = parts.encoded(asn1::EncodingRules::Ber);
    for form in [Form::Indefinite, Form::Long] {
        let mut other = Vec::new();
        relaid(&message, form, &mut other);
        let options = keeping(asn1::EncodingRules::Ber);
        assert_eq!(back(&other, &options).as_deref(), Ok(expected), "{form:?}");
        assert_eq!(hold(&other, &options), Outcome::Read);
    }
}

/// Forms of lengths (X.690 clauses 8.1.3.5 and 8.1.3.6).
#[derive(Clone, Copy, Debug)]
enum Form {
    Indefinite,
    /// In more octets than are needed.
    Long,
}

/// DER with other forms of lengths, also in nested constructed encodings.
fn relaid(der: &[u8], form: Form, out: &mut Vec<u8>) {
    let mut rest = der;
    while let [identifier, first, ..] = *rest {
        let (head, len) = match first {
            0..0x80 => (2, usize::from(first)),
            _ => {
                let octets = usize::from(first & 0x7F);
                (2 + octets, rest[2..2 + octets].iter().fold(0, |len, octet| len << 8 | usize::from(*octet)))
            }
        };
        let mut contents = rest[head..head + len].to_vec();
        rest = &rest[head + len..];
        let is_constructed = identifier & 0x20 != 0;
        if is_constructed {
            let primitive = core::mem::take(&mut contents);
            relaid(&primitive, form, &mut contents);
        }
        out.push(identifier);
        match form {
            Form::Indefinite if is_constructed => {
                out.push(0x80);
                contents.extend([0, 0]);
            }
            _ => {
                out.push(0x88);
                out.extend((contents.len() as u64).to_be_bytes());
            }
        }
        out.extend(contents);
    }
}

/// The refusal of a message, which is the same under every rule.
fn refused(parts: &Parts, kind: ErrorKind, found: &str) {
    refused_by(Options::of, parts, kind, found);
}

fn refused_by(options: fn(asn1::EncodingRules) -> Options<'static>, parts: &Parts, kind: ErrorKind, found: &str) {
    for rules in RULES {
        let message = parts.encoded(rules);
        let mut table = Table::new();
        let error = infoset::read(&message, &options(rules), &mut table).map(|_| ()).unwrap_err();
        assert!(error.kind() == kind && error.found().to_string().contains(found), "{rules:?}: {error}");
        assert!(error.bit().is_some(), "{error}");
        assert_eq!(hold(&message, &options(rules)), Outcome::Refused(kind));
    }
}

/// An element in notation, its name in its place.
fn named(name: &str, content: &str, more: &str) -> String {
    format!("element : {{ name name : {{ {name} }}, children {content}, {more} }}")
}

const SAME: &str = "in-scope-namespaces same-as-parent-element : NULL";
const NOTHING: &str = "children : {}";

/// A message without tables.
fn literal(children: &str) -> Parts {
    let mut parts = Parts::new(children, &[], &[]);
    parts.blocks.clear();
    parts
}

#[test]
fn strings_and_names_may_be_in_place() {
    let attributes = "attributes { { name name : { local-name ncname : \"c\" }, normalized-value string : \"1\" }, \
        { name name : { local-name ncname : \"d\", prefix ncname : \"p\", namespace-name namespace-name : uri : \"urn:p\" }, \
        normalized-value string : \"\" } }, namespace-attributes { { name name : { namespace-name namespace-name : \
        uri : \"http://www.w3.org/2000/xmlns/\", local-name ncname : \"p\", prefix ncname : \"xmlns\" }, \
        normalized-value string : \"urn:p\" } }";
    // The fields of a SEQUENCE come in its own order.
    let attributes = attributes.replace(
        "{ local-name ncname : \"d\", prefix ncname : \"p\", namespace-name namespace-name : uri : \"urn:p\" }",
        "{ namespace-name namespace-name : uri : \"urn:p\", local-name ncname : \"d\", prefix ncname : \"p\" }",
    );
    let inner = named(
        "local-name ncname : \"b\"",
        "element-content-characters : string : \"text\"",
        &format!("{attributes}, {SAME}"),
    );
    let comment = "comment : { content string : \"note\" }";
    let instruction =
        "processing-instruction : { target ncname : \"t\", content string : \"d\", base-URI same-as-parent : NULL }";
    let outer = named("local-name ncname : \"a\"", &children(&format!("{inner}, {comment}, {instruction}")), SAME);
    reads(
        &literal(&format!("{comment}, {outer}")),
        "<!--note--><a><b xmlns:p=\"urn:p\" c=\"1\" p:d=\"\">text</b><!--note--><?t d?></a>",
    );
}

#[test]
fn namespaces_may_be_those_of_the_element_around_the_owner_or_the_attribute_before() {
    let attributes = "attributes { { name name : { namespace-name same-as-owner-element : NULL, local-name ncname : \"x\", \
        prefix ncname : \"p\" }, normalized-value string : \"1\" }, { name name : { namespace-name \
        same-as-previous-attribute : NULL, local-name ncname : \"y\", prefix ncname : \"p\" }, normalized-value string : \"2\" } }";
    let inner = named(
        "namespace-name same-as-parent-element : NULL, local-name ncname : \"b\", prefix ncname : \"p\"",
        NOTHING,
        &format!("{attributes}, {SAME}"),
    );
    let outer = "namespace-name namespace-name : uri : \"urn:p\", local-name ncname : \"a\", prefix ncname : \"p\"";
    reads(&literal(&named(outer, &children(&inner), SAME)), "<p:a xmlns:p=\"urn:p\"><p:b p:x=\"1\" p:y=\"2\"/></p:a>");
}

#[test]
fn a_namespace_that_nothing_declares_is_declared() {
    // The default one, undone within; and one that is only said to be in scope.
    let none = named("local-name ncname : \"c\"", NOTHING, SAME);
    let default = named(
        "namespace-name namespace-name : uri : \"urn:d\", local-name ncname : \"b\"",
        NOTHING,
        "in-scope-namespaces in-scope-namespaces : { { namespace-name uri : \"urn:d\" }, \
         { prefix ncname : \"q\", namespace-name uri : \"urn:q\" } }",
    );
    let outer = named("local-name ncname : \"a\"", &children(&format!("{default}, {none}")), SAME);
    reads(&literal(&outer), "<a><b xmlns=\"urn:d\" xmlns:q=\"urn:q\"/><c/></a>");
}

#[test]
fn common_names_may_be_as_the_one_before() {
    let mut parts = Parts::new(
        &element(1, &children(&format!("{}, {}", element(2, NOTHING), element(3, NOTHING)))),
        &["urn:p", "a", "p", "b", "c"],
        &[],
    );
    parts.names =
        "{ namespace-name namespace-name : component-string-index : 1, local-name component-string-index : 2, \
         prefix prefix : component-string-index : 3 }, { namespace-name same-as-previous-item : NULL, \
         local-name component-string-index : 4, prefix same-as-previous-item : NULL }, \
         { local-name component-string-index : 5 }"
            .into();
    reads(&parts, "<p:a xmlns:p=\"urn:p\"><p:b/><c/></p:a>");
    let same = "{ namespace-name same-as-previous-item : NULL, local-name component-string-index : 2 }";
    for (names, found) in [
        (same.to_owned(), "'same-as-previous-item' without a previous item"),
        (
            format!("{{ local-name component-string-index : 2 }}, {same}"),
            "'same-as-previous-item' without a previous item",
        ),
    ] {
        parts.names = names;
        for rules in RULES {
            let mut table = Table::new();
            let error = infoset::read(&parts.encoded(rules), &Options::of(rules), &mut table).unwrap_err();
            assert!(error.found().to_string().contains(found), "{error}");
        }
    }
}

#[test]
fn blocks_may_be_several_each_under_its_own_algorithm_or_empty() {
    let content = format!("{}, {}, {}", element(2, &text(3)), element(2, &text(4)), element(2, &text(5)));
    let mut parts = Parts::new(&element(1, &children(&content)), &[], &[1, 2]);
    let mut deflate = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    deflate.write_all(&block(&["b", "one"])).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&block(&["two"])).unwrap();
    let blocks = [
        ("", vec![]),
        ("", block(&["a"])),
        ("deflate", deflate.finish().unwrap()),
        ("zstd", zstd::stream::encode_all(&[][..], 3).unwrap()),
        ("bzip2", bzip2.finish().unwrap()),
        ("zstd?strings=1", zstd::stream::encode_all(&b"three\0"[..], 19).unwrap()),
    ];
    parts.blocks = blocks.map(|(name, octets)| (name.to_owned(), octets)).into();
    reads(&parts, "<a><b>one</b><b>two</b><b>three</b></a>");
}

#[test]
fn text_may_be_in_pieces_in_its_place_empty_or_binary() {
    let characters =
        |characters: &str| format!("characters : {{ characters {characters}, element-content-whitespace FALSE }}");
    let [one, two] = ["one", "two"].map(|text| characters(&format!("characters : string : \"{text}\"")));
    let empty = characters("characters : component-string-index : 0");
    let also_empty = characters("characters : string : \"\"");
    // RFC 4648, section 10: "foobar".
    let binary = characters("binary-block : '666F6F626172'H");
    let index = characters("characters : component-string-index : 2");
    for (content, expected) in [
        (format!("{one}, {two}"), "<a>onetwo</a>"),
        (format!("{empty}, {one}, {also_empty}, {index}"), "<a>oneindex</a>"),
        (format!("{empty}, {also_empty}"), "<a/>"),
        (binary.clone(), "<a>Zm9vYmFy</a>"),
        (format!("{one}, {binary}, {two}, {index}"), "<a>oneZm9vYmFytwoindex</a>"),
        (format!("{binary}, {binary}"), "<a>Zm9vYmFyZm9vYmFy</a>"),
        (characters("binary-block : ''H"), "<a/>"),
        (format!("{one}, {}, {two}", element(1, NOTHING)), "<a>one<a/>two</a>"),
    ] {
        reads(&Parts::new(&element(1, &children(&content)), &["a", "index"], &[1]), expected);
    }
    for content in [text(0), "element-content-characters : string : \"\"".into(), NOTHING.into()] {
        reads(&Parts::new(&element(1, &content), &["a"], &[1]), "<a/>");
    }
}

#[test]
fn what_follows_from_the_rest_may_be_present_and_is_not_part_of_the_document() {
    let attribute = |more: &str| {
        format!("{{ name name : {{ local-name ncname : \"b\" }}, normalized-value string : \"v\", {more} }}")
    };
    for more in [
        "specified TRUE",
        "specified FALSE, attribute-type attribute-type : notation, references notation-index : 20",
        "attribute-type attribute-type : enumeration",
        "attribute-type unknown : NULL, references unknown : NULL",
        "references element-indexes : { { 1 2 300 }, { 4 } }",
        "references unparsed-entity-indexes : { 0, 15, 16, 100000 }",
    ] {
        let more = format!("attributes {{ {} }}, {SAME}, base-URI base-URI : uri : \"urn:base\"", attribute(more));
        let mut parts = literal(&named("local-name ncname : \"a\"", NOTHING, &more));
        parts.properties =
            "base-URI uri : \"urn:base\", character-encoding-scheme string : \"UTF-8\", standalone TRUE, \
             version string : \"1.0\", all-declarations-processed FALSE"
                .into();
        reads(&parts, "<a b=\"v\"/>");
    }
    let instruction = "processing-instruction : { target ncname : \"t\", content string : \"\", \
         base-URI base-URI : uri : \"urn:base\", notation notation-index : 3 }";
    let root = named("local-name ncname : \"a\"", NOTHING, &format!("{SAME}, base-URI same-as-parent-element : NULL"));
    reads(&literal(&format!("{instruction}, {root}, {instruction}")), "<?t?><a/><?t?>");
}

#[test]
fn declarations_make_a_doctype() {
    let root = named("local-name ncname : \"a\"", NOTHING, SAME);
    let mut parts = literal(&root);
    parts.notations = "{ name ncname : \"n\", system-identifier uri : \"s\", public-identifier uri : \"p\", \
         declaration-base-URI uri : \"urn:base\" }"
        .into();
    parts.entities =
        "{ name ncname : \"e\", system-identifier uri : \"it's\", declaration-base-URI uri : \"urn:base\", \
         notation-name ncname : \"n\", notation notation-index : 1 }"
            .into();
    let inside = "<!NOTATION n PUBLIC \"p\" \"s\"><!ENTITY e SYSTEM \"it's\" NDATA n>";
    reads(&parts, &format!("<!DOCTYPE a [{inside}]><a/>"));
    let instruction = "{ target ncname : \"t\", content string : \"d\", base-URI same-as-parent : NULL }";
    parts.children = format!(
        "comment : {{ content string : \"c\" }}, document-type-declaration : {{ system-identifier uri : \"a.dtd\", \
         children {{ {instruction} }} }}, {root}"
    );
    reads(&parts, &format!("<!--c--><!DOCTYPE a SYSTEM \"a.dtd\" [{inside}<?t d?>]><a/>"));
}

/// A reference to an entity in notation: its name, and its identifiers.
fn reference(name: &str, more: &str) -> String {
    format!("unexpanded-entity-reference : {{ name ncname : \"{name}\"{more} }}")
}

const SYSTEM: &str = ", system-identifier system-identifier : uri : \"s\"";
const PUBLIC: &str = ", public-identifier public-identifier : uri : \"p\"";
const BASE: &str = ", declaration-base-URI declaration-base-URI : uri : \"urn:base\"";
const UNKNOWN: &str =
    ", system-identifier unknown : NULL, public-identifier unknown : NULL, declaration-base-URI unknown : NULL";

/// A message of an element `a` with these children, after others.
fn with_children(before: &str, inside: &str) -> Parts {
    literal(&format!("{before}{}", named("local-name ncname : \"a\"", &children(inside), SAME)))
}

#[test]
fn references_to_entities_are_kept_and_declared() {
    let doctype = "document-type-declaration : { system-identifier uri : \"d\", children {} }, ";
    let known = reference("e", SYSTEM);
    for (inside, subset, content) in [
        (known.clone(), "<!ENTITY e SYSTEM \"s\">", "&e;"),
        (reference("e", &format!("{SYSTEM}{PUBLIC}{BASE}")), "<!ENTITY e PUBLIC \"p\" \"s\">", "&e;"),
        (reference("e", &format!("{SYSTEM}, public-identifier unknown : NULL")), "<!ENTITY e SYSTEM \"s\">", "&e;"),
        // One declaration for all references, in the order of the first ones.
        (
            format!("{}, {known}, {known}, {}", reference("z", SYSTEM), reference("z", UNKNOWN)),
            "<!ENTITY z SYSTEM \"s\"><!ENTITY e SYSTEM \"s\">",
            "&z;&e;&e;&z;",
        ),
        (format!("{}, {known}", reference("e", UNKNOWN)), "<!ENTITY e SYSTEM \"s\">", "&e;&e;"),
    ] {
        reads(&with_children("", &inside), &format!("<!DOCTYPE a [{subset}]><a>{content}</a>"));
        reads(&with_children(doctype, &inside), &format!("<!DOCTYPE a SYSTEM \"d\" [{subset}]><a>{content}</a>"));
    }
    // What an external subset may declare.
    for more in ["", UNKNOWN, ", system-identifier unknown : NULL"] {
        reads(&with_children(doctype, &reference("e", more)), "<!DOCTYPE a SYSTEM \"d\"><a>&e;</a>");
    }
    let text = "characters : { characters characters : string : \"x\", element-content-whitespace FALSE }";
    let mut parts = with_children("", &format!("{text}, {known}, {text}, {text}"));
    parts.notations = "{ name ncname : \"n\", system-identifier uri : \"s\" }".into();
    parts.entities = "{ name ncname : \"u\", system-identifier uri : \"s\", notation-name ncname : \"n\" }".into();
    let subset = "<!NOTATION n SYSTEM \"s\"><!ENTITY u SYSTEM \"s\" NDATA n><!ENTITY e SYSTEM \"s\">";
    reads(&parts, &format!("<!DOCTYPE a [{subset}]><a>x&e;xx</a>"));
}

#[test]
fn references_that_no_doctype_can_declare_are_refused() {
    let refused = |parts: &Parts, kind, found: &str| refused_by(keeping, parts, kind, found);
    let known = reference("e", SYSTEM);
    for name in ["", "1", "a b", "lt", "amp", "#65", "e;<b/>&e", "e\t"] {
        refused(&with_children("", &reference(name, SYSTEM)), ErrorKind::Syntax, "a reference to the entity '");
    }
    for (inside, found) in [
        (reference("e", PUBLIC), "the entity 'e' without a system identifier"),
        (format!("{known}, {}", reference("e", &format!("{SYSTEM}{PUBLIC}"))), "several identifiers"),
        (reference("e", &SYSTEM.replace("\"s\"", "\"'\"\"\"")), "both kinds"),
        (reference("e", &format!("{SYSTEM}{}", PUBLIC.replace("\"p\"", "\"{\""))), "the public identifier '{'"),
    ] {
        refused(&with_children("", &inside), ErrorKind::Syntax, found);
    }
    // Neither it nor what may declare it is there.
    let external = "document-type-declaration : { system-identifier uri : \"d\", children {} }, ";
    let unknown = "a reference to the entity 'e'";
    refused(&with_children("", &reference("e", UNKNOWN)), ErrorKind::Unsupported, unknown);
    let doctype = "document-type-declaration : { children {} }, ";
    refused(&with_children(doctype, &reference("e", "")), ErrorKind::Unsupported, unknown);
    let mut standalone = with_children(external, &reference("e", UNKNOWN));
    standalone.properties =
        format!("{}, all-declarations-processed TRUE", "character-encoding-scheme string : \"\", standalone TRUE");
    refused(&standalone, ErrorKind::Unsupported, unknown);
    // It is declared as another thing, or otherwise.
    let mut unparsed = with_children("", &known);
    unparsed.entities = "{ name ncname : \"e\", system-identifier uri : \"s\", notation-name ncname : \"n\" }".into();
    refused(&unparsed, ErrorKind::Unsupported, unknown);
    let whole = |subset: &str| {
        format!(
            "document-type-declaration : {{ children {{ {{ target ncname : \"lengthwise-doctype\", content string : \"{}\", \
             base-URI same-as-parent : NULL }} }} }}, ",
            subset.replace('"', "\"\"")
        )
    };
    for subset in [
        "a",
        "a SYSTEM 'd'",
        "a [%p;]",
        "a [<!ENTITY e 's'>]",
        "a [<!ENTITY e SYSTEM 't'>]",
        "a [<!ENTITY e PUBLIC 'p' 's'>]",
        "a [<!ENTITY e SYSTEM 's' NDATA n>]",
        "a [<!ENTITY e 's'><!ENTITY e SYSTEM 's'>]",
        "a [%p;<!ENTITY e SYSTEM 's'>]",
    ] {
        refused(&with_children(&whole(subset), &known), ErrorKind::Unsupported, unknown);
    }
    let subset = "a [ <!ENTITY e SYSTEM 's'><!ENTITY e 's'> %p;]";
    for (inside, content) in [(known, "&e;"), (reference("e", UNKNOWN), "&e;"), (reference("none", UNKNOWN), "&none;")]
    {
        let expected = format!("<!DOCTYPE {subset}><a>{content}</a>");
        reads(&with_children(&whole(subset), &inside), &expected);
    }
}

#[test]
fn what_no_document_can_hold_is_refused() {
    let root = |content: &str| literal(&named("local-name ncname : \"a\"", content, SAME));
    refused(
        &root(&children("unexpanded-entity-reference : { name ncname : \"e\", system-identifier unknown : NULL }")),
        ErrorKind::Unsupported,
        "a reference to the entity 'e'",
    );
    for (name, found) in [
        ("local-name ncname : \"\"", "the name ''"),
        ("local-name ncname : \"1\"", "the name '1'"),
        ("local-name ncname : \"a b\"", "the name 'a b'"),
        ("local-name ncname : \"\", prefix ncname : \"p\"", "the name 'p:'"),
        ("local-name ncname : \"b:c\", prefix ncname : \"p\"", "a colon"),
        ("local-name ncname : \"c\", prefix ncname : \"p:b\"", "a colon"),
        ("namespace-name namespace-name : uri : \"urn:x\", local-name ncname : \"p:b\"", "a colon"),
        (
            "namespace-name namespace-name : uri : \"urn:x\", local-name ncname : \"b\", prefix ncname : \"xml\"",
            "namespace",
        ),
    ] {
        refused(&literal(&named(name, NOTHING, SAME)), ErrorKind::Syntax, found);
    }
    let attributes = |attributes: &str| {
        literal(&named("local-name ncname : \"a\"", NOTHING, &format!("attributes {{ {attributes} }}, {SAME}")))
    };
    let attribute = |name: &str| format!("{{ name name : {{ {name} }}, normalized-value string : \"v\" }}");
    let b = attribute("local-name ncname : \"b\"");
    refused(&attributes(&format!("{b}, {b}")), ErrorKind::Syntax, "the attribute 'b' a second time");
    refused(
        &attributes(&attribute("namespace-name namespace-name : uri : \"urn:x\", local-name ncname : \"b\"")),
        ErrorKind::Syntax,
        "without a prefix",
    );
    let p = |uri: &str, local: &str| {
        attribute(&format!(
            "namespace-name namespace-name : uri : \"{uri}\", local-name ncname : \"{local}\", prefix ncname : \"p\""
        ))
    };
    refused(&attributes(&format!("{}, {}", p("urn:x", "b"), p("urn:y", "c"))), ErrorKind::Syntax, "namespace");
    for (child, found) in [
        ("comment : { content string : \"a--b\" }", "'--'"),
        ("comment : { content string : \"-\" }", "'-' at its end"),
        (
            "processing-instruction : { target ncname : \"t\", content string : \"?>\", base-URI same-as-parent : NULL }",
            "'?>'",
        ),
        (
            "processing-instruction : { target ncname : \"XML\", content string : \"\", base-URI same-as-parent : NULL }",
            "'XML'",
        ),
        (
            "processing-instruction : { target ncname : \"t\", content string : \" d\", base-URI same-as-parent : NULL }",
            "white space",
        ),
    ] {
        refused(&root(&children(child)), ErrorKind::Syntax, found);
    }
    let a = named("local-name ncname : \"a\"", NOTHING, SAME);
    let doctype = "document-type-declaration : { children {} }";
    for (outermost, found) in [
        (String::new(), "no element"),
        ("comment : { content string : \"c\" }".into(), "no element"),
        (format!("{a}, {a}"), "a second root element"),
        (format!("{a}, {doctype}"), "a document type declaration"),
        (format!("{doctype}, {doctype}, {a}"), "a document type declaration"),
    ] {
        refused(&literal(&outermost), ErrorKind::Syntax, found);
    }
    for (id, found) in [
        ("public-identifier uri : \"p\", ", "only a public identifier"),
        ("system-identifier uri : \"'\"\"\", ", "both kinds"),
        ("system-identifier uri : \"s\", public-identifier uri : \"{\", ", "the public identifier"),
    ] {
        let doctype = format!("document-type-declaration : {{ {id}children {{}} }}");
        refused(&literal(&format!("{doctype}, {a}")), ErrorKind::Syntax, found);
    }
}

/// Events return the namespaces of names unchanged; documents show them by declarations.
#[test]
fn events_return_namespaces_unchanged() {
    let name = "namespace-name namespace-name : uri : \"urn:p\", local-name ncname : \"a\", prefix ncname : \"p\"";
    for rules in RULES {
        let message = literal(&named(name, NOTHING, SAME)).encoded(rules);
        assert_eq!(by_events(&message, &Options::of(rules)).unwrap(), "<p:a></p:a>");
        let mut events = infoset::events(&message, &Options::of(rules)).unwrap();
        let Some(infoset::Event::Start(tag)) = events.next_event().unwrap() else { panic!() };
        let name = tag.name();
        assert_eq!((name.namespace(), name.prefix(), name.local()), (Some("urn:p"), Some("p"), "a"));
    }
}

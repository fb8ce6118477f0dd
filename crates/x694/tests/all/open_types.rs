//! EXTENDED-XER by modules with classes, parameters and contents: what is in open types, in strings and in instances of
//! parameterized types. Expected XML and values are by hand, by X.693 clause 9.5 and as the format `xer` has them.

use asn1::{Compiled, EncodingRules, Options as Rules, Values, notation};
use test_support::Random;
use x694::xer;
use xsd::Options;

pub(crate) fn module(assignments: &str, control: &str) -> Result<xer::Types, tam::Error> {
    let text = format!(
        "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN {assignments}
         ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS {control} END"
    );
    let (modules, compiled) = Compiled::from_sources(&[("", &text)], &tam::Limits::default()).unwrap();
    xer::Types::from_modules(modules, compiled.into())
}

pub(crate) fn value(types: &xer::Types, xml: &str) -> String {
    let (mut values, mut others) = (Values::new(), Values::new());
    let read = xer::read(xml.as_bytes(), types, &Options::default(), &mut values);
    let by_events = xer::read_by_events(xml.as_bytes(), types, &Options::default(), &mut others);
    let shown = |value: Result<asn1::Value<'_>, tam::Error>| match value {
        Ok(value) => {
            let text = notation::write_value(value).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
            text.split_once("::= ").map_or(text.clone(), |(_, text)| text.to_owned())
        }
        Err(error) => format!("error: {error}"),
    };
    let (read, by_events) = (shown(read), shown(by_events));
    assert_eq!(read, by_events, "{xml}");
    read
}

/// The XML of the same value after it was a message by some rules.
pub(crate) fn back(types: &xer::Types, xml: &str, rules: &Rules) -> String {
    let (mut values, mut again) = (Values::new(), Values::new());
    let value = xer::read(xml.as_bytes(), types, &Options::default(), &mut values).unwrap();
    let message = asn1::write(value, rules).unwrap_or_else(|error| panic!("{error}\n{xml}"));
    let value = asn1::read(&message, types.compiled(), value.node_id(), rules, &mut again).unwrap();
    String::from_utf8(xer::write(value, types).unwrap()).unwrap()
}

pub(crate) fn holds(types: &xer::Types, xml: &str, expected: &str) {
    assert_eq!(value(types, xml), expected, "{xml}");
    for rules in [Rules::uper(), Rules::aper(), Rules::ber(), Rules::der(), Rules::of(EncodingRules::Oer)] {
        assert_eq!(back(types, xml, &rules), xml, "{rules:?}");
    }
}

pub(crate) fn refuses(types: &xer::Types, cases: &[(&str, &str)]) {
    for (xml, words) in cases {
        let found = value(types, xml);
        assert!(found.starts_with("error: ") && found.contains(words), "{xml}: {found}");
    }
}

/// X.683: instances as components, items, alternatives, roots and in `COMPONENTS OF`; each parameter in its place.
#[test]
fn instances_of_parameterized_types_are_types() {
    let types = module(
        "Message ::= SEQUENCE { COMPONENTS OF Head {INTEGER (0..9)}, boxes SEQUENCE OF Box {Name}, one Box {BOOLEAN} OPTIONAL,
           more Either {Name, most} OPTIONAL }
         Head {Id} ::= SEQUENCE { id [ATTRIBUTE] Id, ..., later NULL }
         Box {Content} ::= SEQUENCE { content Content, all SEQUENCE OF Content, kinds [LIST] SEQUENCE OF Content }
         Either {Content, INTEGER:largest} ::= [UNTAGGED] CHOICE { text Content, number [NAME AS \"no\"] INTEGER (1..largest) }
         most INTEGER ::= 12
         Name ::= UTF8String
         Count ::= Box {INTEGER}",
        "NAME Message AS UNCAPITALIZED NAME Box.kinds AS CAPITALIZED",
    )
    .unwrap();
    holds(
        &types,
        "<message id=\"7\"><boxes><Box><content>a</content><all><Name>b</Name><Name/></all><Kinds>c d</Kinds></Box></boxes>\
         <one><content>true</content><all><BOOLEAN>false</BOOLEAN></all><Kinds>true</Kinds></one><no>12</no></message>",
        "{ id 7, boxes { { content \"a\", all { \"b\", \"\" }, kinds { \"c\", \"d\" } } }, \
         one { content TRUE, all { FALSE }, kinds { TRUE } }, more number : 12 }",
    );
    holds(
        &types,
        "<Count><content>1</content><all><INTEGER>2</INTEGER></all><Kinds>3 4</Kinds></Count>",
        "{ content 1, all { 2 }, kinds { 3, 4 } }",
    );
    refuses(
        &types,
        &[
            ("<message id='10'><boxes/></message>", "at most 9"),
            ("<message id='1'><boxes/><no>13</no></message>", "at most 12"),
            ("<message id='1'><boxes/><later/></message>", "<later>"),
            ("<Box><content>1</content><all/><Kinds/></Box>", "<Box>"),
            (
                "<message id='1'><boxes><Box><content/><all><INTEGER>1</INTEGER></all></Box></boxes></message>",
                "<INTEGER>",
            ),
        ],
    );
}

/// X.680 clauses 16.6 and 30; a name may be imported from a module that imports it.
#[test]
fn value_sets_selections_and_passed_on_names_are_types() {
    let text = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN IMPORTS Way FROM N;
        T ::= SEQUENCE { few Few, way left < Way, deep a < Deep, end Way }
        Few INTEGER ::= { 1 | 5 }
        Deep ::= CHOICE { a CHOICE { b SEQUENCE { x INTEGER } }, ... }
        END
        N DEFINITIONS ::= BEGIN IMPORTS Way FROM O; END
        O DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN Way ::= CHOICE { left UTF8String, right NULL } END";
    let (modules, compiled) = Compiled::from_sources(&[("", text)], &tam::Limits::default()).unwrap();
    let types = xer::Types::from_modules(modules, compiled.into()).unwrap();
    holds(
        &types,
        "<T><few>5</few><way>x</way><deep><b><x>7</x></b></deep><end><right/></end></T>",
        "{ few 5, way \"x\", deep b : { x 7 }, end right : NULL }",
    );
    refuses(&types, &[("<T><few>2</few></T>", "'2'"), ("<T><few>1</few><way><left/></way></T>", "<left>")]);
}

const FIELDS: &str = "C ::= CLASS { &id INTEGER UNIQUE, &Type OPTIONAL, &kind Kind } WITH SYNTAX { [&Type] ID &id KIND &kind }
    Kind ::= ENUMERATED { must, may }
    Known C ::= { { Word ID 1 KIND must } | { Way ID 2 KIND may } | { SEQUENCE OF INTEGER ID 3 KIND must }
      | { INTEGER (0..9) ID 4 KIND may } | { INTEGER (10..99) ID 5 KIND may } | { ID 6 KIND may }, ... }
    Word ::= [NAME AS UNCAPITALIZED] UTF8String
    Way ::= CHOICE { left NULL, field Field }
    Field ::= SEQUENCE { id [ATTRIBUTE] C.&id ({Known}), kind [ATTRIBUTE] C.&kind ({Known}{@id}), value C.&Type ({Known}{@id}) }
    Fields ::= SEQUENCE OF Field
    Late ::= SET { value [TAG: 1] C.&Type ({Known}{@id}), id [TAG: 0] C.&id ({Known}) }
    Outer ::= SEQUENCE { id C.&id ({Known}), in SEQUENCE { value [UNTAGGED] C.&Type ({Known}{@id}) } }
    Any ::= SEQUENCE { value C.&Type }";

#[test]
fn values_of_open_types_are_elements_of_their_type() {
    let types = module(FIELDS, "").unwrap();
    let field =
        |id: u32, kind: &str, value: &str| format!("<Field id=\"{id}\" kind=\"{kind}\"><value>{value}</value></Field>");
    let nested = field(1, "must", "<word>x</word>");
    let nested = nested.replace("<Field", "<field").replace("</Field>", "</field>");
    holds(
        &types,
        &format!(
            "<Fields>{}{}{}{}{}{}</Fields>",
            field(1, "must", "<word>a b</word>"),
            field(2, "may", "<Way><left/></Way>"),
            field(2, "may", &format!("<Way>{nested}</Way>")),
            field(3, "must", "<SEQUENCE_OF><INTEGER>7</INTEGER><INTEGER>-8</INTEGER></SEQUENCE_OF>"),
            field(4, "may", "<INTEGER>9</INTEGER>"),
            field(5, "may", "<INTEGER>10</INTEGER>"),
        ),
        "{ { id 1, kind must, value Word : \"a b\" }, { id 2, kind may, value Way : left : NULL }, \
         { id 2, kind may, value Way : field : { id 1, kind must, value Word : \"x\" } }, \
         { id 3, kind must, value SEQUENCE OF INTEGER : { 7, -8 } }, { id 4, kind may, value INTEGER : 9 }, \
         { id 5, kind may, value INTEGER : 10 } }",
    );
    // The identifier may be after the open type, or in a record around it, which may have no tag.
    holds(&types, "<Late><value><word>a</word></value><id>1</id></Late>", "{ value Word : \"a\", id 1 }");
    holds(&types, "<Outer><id>1</id><in><word>a</word></in></Outer>", "{ id 1, in { value Word : \"a\" } }");
    let one = |id: u32, value: &str| format!("<Fields>{}{}</Fields>", nested_free(1), field(id, "may", value));
    for (xml, words) in [
        (
            one(2, "<word>x</word>"),
            "in /Fields/Field[2]/value/word: found a value of Word, expected the type that the identifier selects: Way",
        ),
        (one(9, "<word>x</word>"), "because the identifier selects no type"),
        (one(1, "<per>00</per>"), "found octets of an open type"),
        (one(1, "<Word>x</Word>"), "<Word>"),
        (one(1, "x"), "'x'"),
        (one(1, ""), "value"),
        (one(1, "<word/><word/>"), "<word>"),
        (one(3, "<SEQUENCE_OF><INTEGER>x</INTEGER></SEQUENCE_OF>"), "'x'"),
    ] {
        refuses(&types, &[(&xml, words)]);
    }
    // Either range is read, and the one of the identifier is written.
    let mut values = Values::new();
    let xml = one(4, "<INTEGER>10</INTEGER>");
    let read = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap();
    let error = asn1::write(read, &Rules::uper()).unwrap_err();
    assert!(error.to_string().contains("found 10"), "{error}");
}

/// An identifier that changes alone selects another type, or one that the value is not of.
#[test]
fn templates_look_at_the_identifiers_of_each_instance() {
    let types = module(FIELDS, "").unwrap();
    let outer = |id: u32, word: &str| format!("<Outer><id>{id}</id><in>{word}</in></Outer>");
    let mut template = xer::Template::new();
    for (id, word) in [
        (1, "<word>a</word>"),
        (1, "<word>b</word>"),
        (2, "<word>b</word>"),
        (1, "<word>c</word>"),
        (4, "<INTEGER>9</INTEGER>"),
        (5, "<INTEGER>9</INTEGER>"),
        (5, "<INTEGER>10</INTEGER>"),
        (3, "<INTEGER>10</INTEGER>"),
        (4, "<INTEGER>10</INTEGER>"),
        (5, "<INTEGER>10</INTEGER>"),
    ] {
        let xml = outer(id, word);
        let mut values = Values::new();
        let whole = xer::read_by_events(xml.as_bytes(), &types, &Options::default(), &mut values);
        let mut buffer = xml.clone().into_bytes();
        let read = template.read(&mut buffer, &types, &Options::default());
        let message = |value: asn1::Value<'_>| asn1::write(value, &Rules::uper()).map_err(|error| error.to_string());
        assert_eq!(read.map(message), whole.map(message), "{id} {word}");
    }
}

fn nested_free(id: u32) -> String {
    format!("<Field id=\"{id}\" kind=\"must\"><value><word/></value></Field>")
}

/// Octets of no known type have the rules that they are of, which alone can carry them.
#[test]
fn open_types_of_no_known_type_are_octets() {
    let types = module(FIELDS, "").unwrap();
    for (name, rules) in
        [("per", Rules::uper()), ("per", Rules::aper()), ("ber", Rules::ber()), ("oer", Rules::of(EncodingRules::Oer))]
    {
        for xml in [
            format!("<Fields><Field id=\"9\" kind=\"may\"><value><{name}>0203AB</{name}></value></Field></Fields>"),
            format!("<Fields><Field id=\"6\" kind=\"may\"><value><{name}>0100</{name}></value></Field></Fields>"),
            format!("<Any><value><{name}>0100</{name}></value></Any>"),
        ] {
            let xml = if name == "ber" { xml.replace("0203AB", "0401AB").replace("0100", "0500") } else { xml };
            assert_eq!(back(&types, &xml, &rules), xml);
        }
    }
    refuses(
        &types,
        &[("<Any><value><per>0G</per></value></Any>", "'0G'"), ("<Any><value><word/></value></Any>", "<word>")],
    );
}

#[test]
fn values_in_strings_are_elements_of_their_type() {
    let types = module(
        "T ::= SEQUENCE { a OCTET STRING (CONTAINING Word), b Octets (CONTAINING SEQUENCE OF BOOLEAN) OPTIONAL,
           c [BASE64] OCTET STRING (CONTAINING Word) OPTIONAL, d BIT STRING (CONTAINING INTEGER) OPTIONAL,
           e SEQUENCE OF OCTET STRING (CONTAINING Inner), f SEQUENCE OF Box {Word}, g Boxed OPTIONAL,
           h OCTET STRING (CONTAINING Word ENCODED BY {joint-iso-itu-t asn1(1) 99}) OPTIONAL }
         Octets ::= OCTET STRING
         Boxed ::= OCTET STRING (CONTAINING Word ENCODED BY {joint-iso-itu-t asn1(1) basic-encoding(1)})
         Box {X} ::= BIT STRING (CONTAINING X)
         Inner ::= SEQUENCE { s OCTET STRING (CONTAINING Word) OPTIONAL, n INTEGER }
         Word ::= [NAME AS \"w\"] UTF8String",
        "",
    )
    .unwrap();
    holds(
        &types,
        "<T><a><w>x</w></a><b><SEQUENCE_OF><BOOLEAN>true</BOOLEAN></SEQUENCE_OF></b><d><INTEGER>-7</INTEGER></d>\
         <e><OCTET_STRING><Inner><s><w>y</w></s><n>1</n></Inner></OCTET_STRING><OCTET_STRING>FFFFFF</OCTET_STRING></e>\
         <f><Box><w/></Box></f><g><w>z</w></g></T>",
        "{ a CONTAINING \"x\", b CONTAINING { TRUE }, d CONTAINING -7, \
         e { CONTAINING { s CONTAINING \"y\", n 1 }, 'FFFFFF'H }, f { CONTAINING \"\" }, g CONTAINING \"z\" }",
    );
    // What is not the encoding of such a value stays characters, and so does what has rules that are not known.
    holds(
        &types,
        "<T><a>05FF</a><c>Bf8=</c><d>10101</d><e/><f/><h>0178</h></T>",
        "{ a '05FF'H, c '05FF'H, d '10101'B, e {}, f {}, h '0178'H }",
    );
    assert_eq!(value(&types, "<T><a> 05fF\n</a><e> </e><f/></T>"), "{ a '05FF'H, e {}, f {} }");
    assert_eq!(value(&types, "<T><a>\n <w>x</w><!-- c --> </a><e/><f/></T>"), "{ a CONTAINING \"x\", e {}, f {} }");
    refuses(
        &types,
        &[
            ("<T><a>0G</a><e/><f/></T>", "in /T/a: found '0G', expected hexadecimal digits"),
            ("<T><a>00<w/></a><e/><f/></T>", "found '00' beside an element"),
            ("<T><a><w/>00</a><e/><f/></T>", "found '00' beside an element"),
            ("<T><a><w/><w/></a><e/><f/></T>", "<w>"),
            ("<T><a><Word/></a><e/><f/></T>", "<Word>"),
            ("<T><a/><d>012</d><e/><f/></T>", "'012'"),
            ("<T><a/><e/><f/><h><w/></h></T>", "a place for the element"),
        ],
    );
}

/// Elements named by a type are in the namespace of its module; those named by keywords are in none, also where they are types of
/// objects and actual parameters.
#[test]
fn elements_of_types_are_in_the_namespace_of_their_module() {
    let text = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
        T ::= SEQUENCE { id C.&id ({S}), l SEQUENCE OF C.&Type ({S}{@id}), b Box {BOOLEAN}, n Box {N.Foo (0..9)}, few Few OPTIONAL }
        Box {X} ::= SEQUENCE OF X
        Few INTEGER ::= { 1 | 5 }
        C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &Type ID &id }
        S C ::= { { N.Foo ID 1 } | { Foo ID 2 } | { OCTET STRING (CONTAINING Foo) ID 3 } | { Boxes ID 4 } | { INTEGER (0..2) ID 5 }
          | { INTEGER (3..9) ID 6 } | { UTF8String ID 7 } }
        Foo ::= SEQUENCE { x INTEGER }
        Boxes ::= SEQUENCE OF Box {NULL}
        ENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS NAMESPACE ALL AS \"urn:m\" PREFIX \"m\"
        END
        N DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
        Foo ::= INTEGER
        ENCODING-CONTROL XER NAMESPACE ALL AS \"urn:n\" PREFIX \"n\"
        END";
    let (modules, compiled) = Compiled::from_sources(&[("", text)], &tam::Limits::default()).unwrap();
    let types = xer::Types::from_modules(modules, compiled.into()).unwrap();
    let n = " xmlns:n=\"urn:n\"";
    for (id, declared, element, shown) in [
        (1, n, "<n:Foo>1</n:Foo>", "Foo : 1"),
        (2, "", "<m:Foo><x>1</x></m:Foo>", "Foo : { x 1 }"),
        (3, "", "<OCTET_STRING><m:Foo><x>1</x></m:Foo></OCTET_STRING>", "OCTET STRING : CONTAINING { x 1 }"),
        (3, "", "<OCTET_STRING>FFFF</OCTET_STRING>", "OCTET STRING : 'FFFF'H"),
        (4, "", "<m:Boxes><m:Box><NULL/></m:Box></m:Boxes>", "Boxes : { { NULL } }"),
        (5, "", "<INTEGER>2</INTEGER>", "INTEGER : 2"),
        (6, "", "<INTEGER>3</INTEGER>", "INTEGER : 3"),
        (7, "", "<UTF8String>3</UTF8String>", "UTF8String : \"3\""),
    ] {
        let xml = |n: &str, items: &str| {
            format!(
                "<m:T xmlns:m=\"urn:m\"{n}><id>{id}</id><l><open_type>{element}</open_type></l><b><BOOLEAN>true</BOOLEAN></b>\
                 <n>{items}</n><few>5</few></m:T>"
            )
        };
        let shown = |items| format!("{{ id {id}, l {{ {shown} }}, b {{ TRUE }}, n {items}, few 5 }}");
        holds(&types, &xml(n, "<n:Foo>7</n:Foo>"), &shown("{ 7 }"));
        holds(&types, &xml(declared, "").replace("<n></n>", "<n/>"), &shown("{}"));
        refuses(&types, &[(&xml(n, "<n:Foo>10</n:Foo>"), "at most 9"), (&xml(n, "<m:Foo>1</m:Foo>"), "<m:Foo>")]);
    }
}

/// Of types that share a name, the identifier selects one if they are of characters. Of others the first is read and written.
#[test]
fn types_that_share_a_name_are_told_by_the_identifier_or_refused() {
    let types = module(
        "T ::= SEQUENCE { id C.&id ({S}), v C.&Type ({S}{@id}) }
         C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &Type ID &id }
         S C ::= { { SEQUENCE { a INTEGER } ID 1 } | { SEQUENCE { b INTEGER } ID 2 } | { UTF8String (SIZE (1)) ID 3 }
           | { UTF8String (SIZE (2)) ID 4 } | { BIT STRING (SIZE (1)) ID 5 } | { BIT STRING (SIZE (2)) ID 6 }
           | { OCTET STRING (SIZE (1)) ID 7 } | { OCTET STRING (SIZE (2)) ID 8 } }",
        "",
    )
    .unwrap();
    let xml = |id: u32, value: &str| format!("<T><id>{id}</id><v>{value}</v></T>");
    for (id, value, shown) in [
        (1, "<SEQUENCE><a>1</a></SEQUENCE>", "SEQUENCE : { a 1 }"),
        (3, "<UTF8String>a</UTF8String>", "UTF8String : \"a\""),
        (4, "<UTF8String>ab</UTF8String>", "UTF8String : \"ab\""),
        (5, "<BIT_STRING>1</BIT_STRING>", "BIT STRING : '1'B"),
        (7, "<OCTET_STRING>0A</OCTET_STRING>", "OCTET STRING : '0A'H"),
        (8, "<OCTET_STRING>0A0B</OCTET_STRING>", "OCTET STRING : '0A0B'H"),
    ] {
        holds(&types, &xml(id, value), &format!("{{ id {id}, v {shown} }}"));
    }
    refuses(
        &types,
        &[
            (&xml(2, "<SEQUENCE><b>1</b></SEQUENCE>"), "<b>"),
            (&xml(2, "<SEQUENCE><a>1</a></SEQUENCE>"), "found a value of SEQUENCE"),
            (&xml(6, "<BIT_STRING>10</BIT_STRING>"), "found a size of 2"),
            (&xml(3, "<UTF8String>abc</UTF8String>"), "'abc'"),
        ],
    );
    // An error is at the element in the open type, with its line.
    let error = xer::read(
        b"<T>\n <id>2</id>\n <v><SEQUENCE><a>1</a></SEQUENCE></v></T>",
        &types,
        &Options::default(),
        &mut Values::new(),
    )
    .unwrap_err();
    assert_eq!((error.path(), error.offset(), error.position()), ("/T/v/SEQUENCE", 20, Some((3, 5))), "{error}");
    let (mut values, node) = (Values::new(), types.root("T").unwrap().node());
    let second = asn1::read(&[1, 2, 2, 1, 7], types.compiled(), node, &Rules::uper(), &mut values).unwrap();
    let error = xer::write(second, &types).unwrap_err().to_string();
    assert!(error.contains("a type whose name another type of its table has"), "{error}");
}

/// X.680 clauses 36, 37 and 44: the associated types.
#[test]
fn types_with_associated_types_are_these() {
    let types = module(
        "T ::= SEQUENCE { e EXTERNAL OPTIONAL, p EMBEDDED PDV OPTIONAL, c CHARACTER STRING OPTIONAL }
         I ::= INSTANCE OF C
         C ::= TYPE-IDENTIFIER",
        "",
    )
    .unwrap();
    holds(
        &types,
        "<T><e><direct-reference>1.2.3</direct-reference><data-value-descriptor>d</data-value-descriptor>\
         <encoding><octet-aligned>00FF</octet-aligned></encoding></e>\
         <p><identification><syntaxes><abstract>1.2</abstract><transfer>1.3</transfer></syntaxes></identification>\
         <data-value>01</data-value></p>\
         <c><identification><fixed/></identification><string-value>6162</string-value></c></T>",
        "{ e { direct-reference { 1 2 3 }, data-value-descriptor \"d\", encoding octet-aligned : '00FF'H }, \
         p { identification syntaxes : { abstract { 1 2 }, transfer { 1 3 } }, data-value '01'H }, \
         c { identification fixed : NULL, string-value '6162'H } }",
    );
    // Items are named by table 4 of X.680.
    let items = module(
        "T ::= SEQUENCE { e SEQUENCE OF EXTERNAL, i SEQUENCE OF INSTANCE OF TYPE-IDENTIFIER, r SEQUENCE OF RELATIVE-OID }",
        "",
    )
    .unwrap();
    let xml = "<T><e><SEQUENCE><encoding><octet-aligned>00</octet-aligned></encoding></SEQUENCE></e>\
               <i><SEQUENCE><type-id>1.2.3</type-id><value><ber>020107</ber></value></SEQUENCE></i>\
               <r><RELATIVE_OID>1.2</RELATIVE_OID></r></T>";
    assert_eq!(back(&items, xml, &Rules::ber()), xml);
    let xml = "<I><type-id>1.2.3</type-id><value><ber>020107</ber></value></I>";
    assert_eq!(back(&types, xml, &Rules::ber()), xml);
    let xml = "<T><e><encoding><single-ASN1-type><per>0107</per></single-ASN1-type></encoding></e></T>";
    assert_eq!(back(&types, xml, &Rules::uper()), xml);
}

#[test]
fn what_has_no_characters_is_no_attribute_and_no_item_of_a_list() {
    for (component, words) in [
        ("a [ATTRIBUTE] OCTET STRING (CONTAINING NULL)", "found a string that contains a value"),
        ("a [LIST] SEQUENCE OF C.&Type", "found an open type"),
        ("a [UNTAGGED] OCTET STRING (CONTAINING NULL)", "found an UNTAGGED string that contains a value"),
        ("a [USE-UNION] CHOICE { b BIT STRING (CONTAINING NULL) }", "found a string that contains a value"),
        ("a [PI-OR-COMMENT AS \"<!--x-->\" BEFORE-TAG] [ATTRIBUTE] INTEGER", "at what has no tags"),
        ("a [PI-OR-COMMENT AS \"<!--x-->\" BEFORE-TAG] [UNTAGGED] CHOICE { b NULL }", "at what has no tags"),
        ("a [PI-OR-COMMENT AS \"<!--x-->\"] INTEGER", "BEFORE-VALUE"),
        ("a [PI-OR-COMMENT AS \"<!--x-->\" BETWEEN] INTEGER", "BEFORE-VALUE"),
        ("a [PI-OR-COMMENT AS \"<!--x-- -->\" AFTER-TAG] INTEGER", "processing instructions and comments"),
        ("a [PI-OR-COMMENT AS \"<b/>\" AFTER-TAG] INTEGER", "processing instructions and comments"),
        ("a [PI-OR-COMMENT AS \"</a><a>\" AFTER-TAG] INTEGER", "processing instructions and comments"),
        ("a [PI-OR-COMMENT AS \" <?x?>\" AFTER-TAG] INTEGER", "processing instructions and comments"),
        (
            "a [PI-OR-COMMENT AS \"<?xml version=\"\"1.0\"\"?>\" AFTER-TAG] INTEGER",
            "processing instructions and comments",
        ),
    ] {
        let error =
            module(&format!("T ::= SEQUENCE {{ {component} }} C ::= TYPE-IDENTIFIER"), "").map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(words) && error.to_string().contains("line 1"), "{component}: {error}");
    }
}

/// Each at its place, once for each element; what is read means nothing.
#[test]
fn instructions_and_comments_are_at_their_elements() {
    let types = module(
        "T ::= [PI-OR-COMMENT AS \"<?a href=\"\"b\"\"?>\" BEFORE-TAG] [PI-OR-COMMENT AS \"<!--end-->\" AFTER-TAG] SEQUENCE {
           k [ATTRIBUTE] UTF8String, a [PI-OR-COMMENT AS \"<?one?>\" BEFORE-VALUE] INTEGER OPTIONAL, b Name OPTIONAL,
           c [PI-OR-COMMENT AS \"<!--c-->\" BEFORE-TAG] Name OPTIONAL, d [PI-OR-COMMENT AS \"<!--d-->\" AFTER-TAG] SEQUENCE OF Name,
           e [PI-OR-COMMENT AS \"<!--e-->\" BEFORE-VALUE] SEQUENCE OF e [PI-OR-COMMENT AS \"<!--f-->\" BEFORE-VALUE] T }
         P ::= [EMBED-VALUES] SEQUENCE { texts SEQUENCE OF UTF8String, b [PI-OR-COMMENT AS \"<!--b-->\" AFTER-TAG] Name }
         Name ::= UTF8String",
        "PI-OR-COMMENT Name AS \"<?n?><!-- x -->\" AFTER-VALUE",
    )
    .unwrap();
    let inner = "<e k=\"\"><!--f--><d/><!--d--><e><!--e--></e></e>";
    let inner = format!("<?a href=\"b\"?>{inner}<!--end-->");
    let xml = format!(
        "<?a href=\"b\"?><T k=\"/>\"><a><?one?>1</a><b>x<?n?><!-- x --></b><!--c--><c><?n?><!-- x --></c>\
         <d><Name>y<?n?><!-- x --></Name></d><!--d--><e><!--e-->{inner}{inner}</e></T><!--end-->"
    );
    holds(
        &types,
        &xml,
        "{ k \"/>\", a 1, b \"x\", c \"\", d { \"y\" }, e { { k \"\", d {}, e {} }, { k \"\", d {}, e {} } } }",
    );
    assert_eq!(value(&types, "<T k=''><a><!--z-->1</a><d/><e/></T>"), "{ k \"\", a 1, d {}, e {} }");
    holds(&types, "<P>one<b>x<?n?><!-- x --></b><!--b-->two</P>", "{ texts { \"one\", \"two\" }, b \"x\" }");
}

/// Instances by their differences, event by event, and after changes: the same values and errors, and no panic.
#[test]
fn changed_instances_are_read_alike() {
    let types = module(
        &format!("{FIELDS} T ::= SEQUENCE {{ fields Fields, s SEQUENCE OF OCTET STRING (CONTAINING Field) }}"),
        "",
    );
    let types = types.unwrap();
    let mut random = Random::new(693);
    let mut template = xer::Template::new();
    let values =
        ["<word>x</word>", "<Way><left/></Way>", "<INTEGER>7</INTEGER>", "<INTEGER>12</INTEGER>", "<per>00</per>"];
    let (mut good, mut bad) = (0, 0);
    let mut fields: Vec<(usize, usize)> = (0..40).map(|n| (n % 2 + 1, n % 2)).collect();
    for _ in 0..test_support::rounds(400) {
        for _ in 0..random.below(3) {
            let at = random.below(fields.len());
            fields[at] = random.of(&[(1, 0), (2, 1), (4, 2), (5, 3), (9, 4), (1, 0), (2, 1), (5, 2), (1, 1)]);
        }
        let field = |(id, value): &(usize, usize)| {
            format!("<Field id=\"{id}\" kind=\"may\"><value>{}</value></Field>", values[*value])
        };
        let all: String = fields.iter().map(field).collect();
        let strings: String =
            fields.iter().skip(30).map(|one| format!("<OCTET_STRING>{}</OCTET_STRING>", field(one))).collect();
        let mut xml =
            format!("<T><fields>{all}</fields><s>{strings}<OCTET_STRING>FF</OCTET_STRING></s></T>").into_bytes();
        if random.below(8) == 0 {
            let at = random.below(xml.len());
            xml[at] = random.of(b"<>/x0 ");
        }
        let mut whole = Values::new();
        let expected = xer::read_by_events(&xml, &types, &Options::default(), &mut whole);
        let expected = expected.and_then(|value| notation::write_value(value)).map_err(|error| error.to_string());
        let mut quick = Values::new();
        let by_memory = xer::read(&xml, &types, &Options::default(), &mut quick);
        let by_memory = by_memory.and_then(|value| notation::write_value(value)).map_err(|error| error.to_string());
        let found = template.read(&mut xml.clone(), &types, &Options::default());
        let found = found.and_then(|value| notation::write_value(value)).map_err(|error| error.to_string());
        assert_eq!(by_memory, expected, "{}", String::from_utf8_lossy(&xml));
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(&xml));
        if expected.is_ok() {
            good += 1
        } else {
            bad += 1
        }
        if bad > good {
            fields = (0..40).map(|n| (n % 2 + 1, n % 2)).collect();
        }
    }
    assert!(good > test_support::rounds(40) && bad > test_support::rounds(20), "{good} {bad}");
}

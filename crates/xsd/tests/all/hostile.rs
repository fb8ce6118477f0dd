//! Schemas and instances that mean harm: refused or read in bounded time, without a panic.

use std::fmt::Write;

use tam::ErrorKind;
use test_support::cost::within;
use xsd::{Limits, Memory, Options, Schema};

fn read(body: &str) -> Result<Schema, tam::Error> {
    let text = format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>{body}</xs:schema>");
    // What is quadratic takes minutes.
    within(20, "a schema", || Schema::read_from(Memory::new().with("h.xsd", text), "h.xsd", &Options::default()))
}

fn limited(body: &str) {
    let error = read(body).expect_err("a limit");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert_eq!(error.path(), "h.xsd");
}

#[test]
fn groups_of_groups_of_groups_do_not_explode() {
    let mut body = String::from(
        "<xs:group name='g0'><xs:sequence><xs:element name='a'/><xs:element name='b'/></xs:sequence></xs:group>",
    );
    for n in 1..60 {
        let before = n - 1;
        write!(body, "<xs:group name='g{n}'><xs:sequence><xs:group ref='g{before}'/><xs:group ref='g{before}'/></xs:sequence></xs:group>").unwrap();
    }
    // As long as nothing is of that content, it is only defined.
    assert!(read(&body).is_ok());
    body += "<xs:element name='r'><xs:complexType><xs:group ref='g59'/></xs:complexType></xs:element>";
    limited(&body);
}

#[test]
fn unions_of_unions_do_not_explode() {
    let mut body = String::from("<xs:simpleType name='u0'><xs:union memberTypes='xs:int xs:date'/></xs:simpleType>");
    for n in 1..60 {
        let before = n - 1;
        write!(body, "<xs:simpleType name='u{n}'><xs:union memberTypes='u{before} u{before}'/></xs:simpleType>")
            .unwrap();
    }
    limited(&body);
}

#[test]
fn attribute_groups_of_attribute_groups_do_not_explode() {
    let mut body = String::from("<xs:attributeGroup name='g0'/>");
    for n in 1..40 {
        let before = n - 1;
        write!(body, "<xs:attributeGroup name='g{n}'><xs:attributeGroup ref='g{before}'/><xs:attributeGroup ref='g{before}'/></xs:attributeGroup>").unwrap();
    }
    assert!(read(&body).is_ok());
    let error =
        read(&body.replace("name='g0'/>", "name='g0'><xs:attribute name='a'/></xs:attributeGroup>")).unwrap_err();
    assert!(error.to_string().contains("each attribute once"), "{error}");
}

#[test]
fn long_chains_of_types_are_gone_through() {
    let mut body = String::from("<xs:complexType name='t0'/>");
    let mut simple = String::from("<xs:simpleType name='s0'><xs:restriction base='xs:string'/></xs:simpleType>");
    for n in 1..3000 {
        let before = n - 1;
        write!(body, "<xs:complexType name='t{n}'><xs:complexContent><xs:extension base='t{before}'/></xs:complexContent></xs:complexType>").unwrap();
        write!(simple, "<xs:simpleType name='s{n}'><xs:restriction base='s{before}'/></xs:simpleType>").unwrap();
    }
    assert!(read(&body).is_ok() && read(&simple).is_ok());
    // The last is the first again.
    let circle = body.replacen("<xs:complexType name='t0'/>", "<xs:complexType name='t0'><xs:complexContent><xs:extension base='t2999'/></xs:complexContent></xs:complexType>", 1);
    assert!(read(&circle).unwrap_err().to_string().contains("derived from itself"));
}

#[test]
fn groups_a_hundred_thousand_deep_by_reference_need_no_stack() {
    let mut body = String::new();
    for n in 1..20_000 {
        let before = n - 1;
        write!(
            body,
            "<xs:group name='g{n}'><xs:choice><xs:group ref='g{before}' minOccurs='0'/></xs:choice></xs:group>"
        )
        .unwrap();
    }
    let end = "<xs:group name='g0'><xs:sequence><xs:element name='a'/></xs:sequence></xs:group><xs:element name='r'><xs:complexType><xs:group ref='g19999'/></xs:complexType></xs:element>";
    let schema = read(&(body + end)).unwrap();
    assert!(schema.validate(b"<r><a/></r>", &Options::default()).is_ok());
    assert!(schema.validate(b"<r><a/><a/></r>", &Options::default()).is_err());
}

#[test]
fn types_that_hold_themselves_are_types() {
    let body = "<xs:group name='g'><xs:sequence><xs:element name='a' minOccurs='0'><xs:complexType><xs:group ref='g'/></xs:complexType></xs:element></xs:sequence></xs:group>
        <xs:element name='r'><xs:complexType><xs:group ref='g'/></xs:complexType></xs:element>";
    let schema = read(body).unwrap();
    let deep = format!("<r>{}{}</r>", "<a>".repeat(900), "</a>".repeat(900));
    assert!(schema.validate(deep.as_bytes(), &Options::default()).is_ok());
    let deeper = format!("<r>{}{}</r>", "<a>".repeat(2000), "</a>".repeat(2000));
    assert_eq!(schema.validate(deeper.as_bytes(), &Options::default()).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn elements_nested_in_a_schema_are_bounded_by_depth() {
    let nested = format!(
        "<xs:complexType name='t'>{}{}</xs:complexType>",
        "<xs:sequence>".repeat(5000),
        "</xs:sequence>".repeat(5000)
    );
    limited(&nested);
}

#[test]
fn many_elements_of_one_choice_are_no_pairs() {
    let mut body = String::from("<xs:element name='r'><xs:complexType><xs:choice maxOccurs='unbounded'>");
    for n in 0..20_000 {
        write!(body, "<xs:element name='e{n}' type='xs:int'/>").unwrap();
    }
    body += "</xs:choice></xs:complexType></xs:element>";
    let schema = read(&body).unwrap();
    assert!(schema.validate(b"<r><e19999>1</e19999><e0>1</e0></r>", &Options::default()).is_ok());
}

#[test]
fn many_elements_of_one_name_are_refused_or_read() {
    let mut body = String::from("<xs:complexType name='t'><xs:sequence>");
    for _ in 0..10_000 {
        body += "<xs:element name='a' type='xs:int'/>";
    }
    body += "</xs:sequence></xs:complexType>";
    limited(&body);
}

#[test]
fn documents_and_elements_are_counted() {
    let mut source = Memory::new();
    for n in 0..50 {
        let text = format!(
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:include schemaLocation='{}.xsd'/></xs:schema>",
            n + 1
        );
        source = source.with(format!("{n}.xsd"), text);
    }
    let error = Schema::read_from(source, "0.xsd", &Options::default().with_documents(20)).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Limit, "19.xsd"), "{error}");
    let limits = Limits { units: 3, ..Limits::DEFAULT };
    let text = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='a'/><xs:element name='b'/><xs:element name='c'/></xs:schema>";
    let options = Options::default().with_limits(limits);
    let error = Schema::read_from(Memory::new().with("a", text), "a", &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let options = Options::default().with_limits(Limits { message_bytes: 100, ..Limits::DEFAULT });
    let error = Schema::read_from(Memory::new().with("a", text), "a", &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn every_beginning_of_a_schema_is_refused_or_read() {
    let text = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:simpleType name='s'><xs:restriction base='xs:int'>\
        <xs:maxInclusive value='7'/></xs:restriction></xs:simpleType><xs:element name='a'><xs:complexType mixed='true'><xs:sequence>\
        <xs:element ref='a' minOccurs='0'/><xs:any namespace='##other' maxOccurs='2'/></xs:sequence><xs:attribute name='b' type='s'/>\
        </xs:complexType><xs:key name='k'><xs:selector xpath='.//a|a/b'/><xs:field xpath='@b'/></xs:key></xs:element></xs:schema>";
    for end in 0..text.len() {
        let read = Schema::read_from(Memory::new().with("a", &text[..end]), "a", &Options::default());
        assert!(read.is_err(), "{end}");
    }
    let mut random = test_support::Random::new(3);
    for _ in 0..test_support::rounds(3000) {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = *b"'<>/ xa0#&:*|".get(random.below(13)).unwrap(),
                1 => drop(bytes.remove(at)),
                _ => {
                    let to = (at + random.below(30)).min(bytes.len());
                    let piece = bytes[at..to].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        if let Ok(schema) = Schema::read_from(Memory::new().with("a", bytes), "a", &Options::default()) {
            let _ = schema.validate(b"<a b='1'>x<a b='2'><c xmlns='u'/></a></a>", &Options::default());
        }
    }
}

/// Whatever is wrong, the validator goes on to the end of what is well-formed, with no more errors than events.
#[test]
fn every_spoiled_instance_is_gone_through() {
    let schema = read(
        "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' maxOccurs='3'><xs:complexType>
         <xs:simpleContent><xs:extension base='xs:int'><xs:attribute name='k' type='xs:int'/></xs:extension>
         </xs:simpleContent></xs:complexType></xs:element><xs:element ref='b' minOccurs='0' maxOccurs='2'/>
         <xs:any namespace='##other' processContents='lax' minOccurs='0' maxOccurs='2'/></xs:sequence><xs:attribute name='id' type='xs:ID'/>
         </xs:complexType><xs:key name='k'><xs:selector xpath='a'/><xs:field xpath='@k'/></xs:key></xs:element>
         <xs:element name='b'><xs:complexType><xs:all><xs:element name='c' nillable='true' type='xs:date' fixed='2026-01-01'/>
         <xs:element name='d' type='xs:IDREF' minOccurs='0'/></xs:all></xs:complexType></xs:element>",
    )
    .unwrap();
    let whole = "<r id='i'><a k='1'>1</a><a k='2'>2</a><b><d>i</d><c>2026-01-01</c></b><b><c xsi:nil='1' \
                 xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'/></b><x xmlns='u' y='z'><b/>t</x></r>";
    let (mut random, mut several) = (test_support::Random::new(5), 0);
    for _ in 0..test_support::rounds(3000) {
        let mut text = whole.to_owned();
        for _ in 0..1 + random.below(4) {
            let names = ["a", "b", "c", "d", "x", "r", "1", "k", "nil", "i"];
            let (from, to) = (names[random.below(10)], names[random.below(10)]);
            // An element or a value becomes another one, wherever it is.
            let at = random.below(text.matches(from).count().max(1));
            if let Some((place, _)) = text.match_indices(from).nth(at) {
                text.replace_range(place..place + from.len(), to);
            }
        }
        let mut validator = xsd::Validator::new(&schema, text.as_bytes(), &Options::default()).unwrap();
        let mut errors = 0;
        let end = loop {
            match validator.next_event().map(|event| event.is_some()) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(_) if validator.recover() => errors += 1,
                Err(error) => break Err(error),
            }
        };
        assert!(errors < 40, "{text}");
        several += usize::from(errors > 1 && end.is_ok());
        let once = schema.validate(text.as_bytes(), &Options::default());
        match end {
            Ok(()) => assert_eq!(once.is_err(), errors > 0, "{text}"),
            Err(error) => assert!(error.kind() != ErrorKind::Schema && once.is_err(), "{text}: {error}"),
        }
    }
    assert!(several > 5, "{several}");
}

#[test]
fn instances_with_many_attributes_and_keys_take_linear_time() {
    let body = "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' maxOccurs='unbounded'><xs:complexType>\
        <xs:attribute name='k' type='xs:int'/></xs:complexType></xs:element></xs:sequence><xs:anyAttribute processContents='skip'/></xs:complexType>\
        <xs:key name='k'><xs:selector xpath='a'/><xs:field xpath='@k'/></xs:key></xs:element>";
    let schema = read(body).unwrap();
    let mut instance = String::from("<r");
    for n in 0..10_000 {
        write!(instance, " x{n}=''").unwrap();
    }
    instance.push('>');
    for n in 0..50_000 {
        write!(instance, "<a k='{n}'/>").unwrap();
    }
    instance += "</r>";
    within(10, "an instance", || schema.validate(instance.as_bytes(), &Options::default())).unwrap();
}

#[test]
fn namespace_declarations_are_bounded() {
    let text =
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='a' type='xs:int'/></xs:schema>";
    let schema = Schema::read_from(Memory::new().with("s.xsd", text), "s.xsd", &Options::default()).unwrap();
    let instance = |count: usize| {
        let declared: String = (0..count).map(|n| format!(" xmlns:p{n}='urn:p'")).collect();
        schema.validate(format!("<a{declared}>1</a>").as_bytes(), &Options::default())
    };
    instance(1_000).unwrap();
    let error = instance(1_001).unwrap_err();
    assert_eq!(error.kind(), tam::ErrorKind::Limit, "{error}");
}

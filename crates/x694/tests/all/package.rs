//! Documents that include octets from other parts: the values are those of the document with the octets in base64 in place
//! of each `Include`, which is what XOP section 3.2 makes of it.

use asn1::Values;
use tam::{Error, ErrorKind, Limits};
use test_support::{Random, rounds};
use x694::{mapping, xer};
use xml::xop::{NAMESPACE, Package};
use xsd::{Memory, Options, Schema};

const SCHEMA: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:p" targetNamespace="urn:p"
      elementFormDefault="qualified">
  <xs:simpleType name="short"><xs:restriction base="xs:base64Binary">
    <xs:minLength value="1"/><xs:maxLength value="4"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="begun"><xs:restriction base="xs:base64Binary"><xs:pattern value="AA.*"/></xs:restriction></xs:simpleType>
  <xs:element name="data">
    <xs:complexType>
      <xs:choice minOccurs="0" maxOccurs="unbounded">
        <xs:element name="photo">
          <xs:complexType><xs:simpleContent><xs:extension base="xs:base64Binary">
            <xs:attribute name="type"/></xs:extension></xs:simpleContent></xs:complexType>
        </xs:element>
        <xs:element name="text" type="xs:string"/>
        <xs:element name="short" type="short"/>
        <xs:element name="begun" type="begun"/>
        <xs:element name="key" type="xs:base64Binary"/>
        <xs:element name="fixed" type="xs:base64Binary" fixed="AQID"/>
        <xs:element name="any" type="xs:anySimpleType"/>
      </xs:choice>
    </xs:complexType>
    <xs:unique name="once"><xs:selector xpath="*"/><xs:field xpath="."/></xs:unique>
  </xs:element>
</xs:schema>"#;

fn types(schema: &str) -> xer::Types {
    let schema = Schema::read_from(Memory::new().with("t.xsd", schema), "t.xsd", &Options::default()).unwrap();
    xer::Types::new(schema, &mapping::Options::default()).unwrap()
}

/// Without the constraint, which asks for the characters of all elements.
fn without_constraint() -> String {
    let (before, rest) = SCHEMA.split_once("<xs:unique").unwrap();
    format!("{before}{}", rest.split_once("</xs:unique>").unwrap().1)
}

/// An element that includes a part.
fn including(name: &str, id: &str) -> String {
    format!("<{name}><xop:Include href=\"cid:{id}\"/></{name}>")
}

fn document(content: &str) -> String {
    let xsi = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"";
    format!("<data xmlns=\"urn:p\" xmlns:xop=\"{NAMESPACE}\" {xsi}>{content}</data>")
}

fn package(document: &str, parts: &[(&str, &[u8])]) -> Package {
    let mut package = Package::new();
    let (before, after) = parts.split_at(parts.len() / 2);
    let add = |package: &mut Package, parts: &[(&str, &[u8])]| {
        for (id, octets) in parts {
            package.begin_part(id);
            package.push(octets);
        }
    };
    add(&mut package, before);
    package.begin_document();
    package.push(document.as_bytes());
    add(&mut package, after);
    package
}

fn words(value: asn1::Value<'_>) -> String {
    asn1::notation::write_value(value).unwrap()
}

fn read(package: &Package, types: &xer::Types) -> Result<String, Error> {
    let mut values = Values::new();
    let read = xer::read_package(package, types, &Options::default(), &mut values).map(words);
    let (mut template, templates) = (xer::Template::new(), xer::Templates::new(1 << 20));
    for _ in 0..2 {
        let (mut one, mut other) = (package.clone(), package.clone());
        assert_eq!(template.read_package(&mut one, types, &Options::default()).map(words), read);
        assert_eq!(
            templates.read_package(&mut other, types, &Options::default()).map(|lease| words(lease.value())),
            read
        );
    }
    read
}

/// A package that is written has the value of the document, and its octets are beside it or in it by their number.
fn written_again(document: &str, types: &xer::Types) {
    let mut values = Values::new();
    let value = xer::read(document.as_bytes(), types, &Options::default(), &mut values).unwrap();
    let mut before = usize::MAX;
    for least in [0, 3, 5, usize::MAX] {
        let package = xer::write_package(value, types, least).unwrap();
        assert!(package.parts().all(|(_, octets)| octets.len() >= least));
        let text = String::from_utf8_lossy(package.document());
        let count = package.parts().count();
        assert_eq!(text.matches("<xop:Include ").count(), count, "{text}");
        // Octets in place are few enough.
        let in_place = text.split("<photo>").skip(1).filter(|rest| !rest.starts_with("<xop:Include "));
        let longest = in_place.filter_map(|rest| Some(rest.split_once('<')?.0.len())).max().unwrap_or(0);
        assert!(count <= before && longest / 4 * 3 < least.saturating_add(3), "{text}");
        before = count;
        let mut others = Values::new();
        let read = xer::read_package(&package, types, &Options::default(), &mut others).unwrap();
        assert_eq!(words(read), words(value), "{}", String::from_utf8_lossy(package.document()));
    }
}

#[test]
fn an_include_has_the_value_of_its_octets_in_base64() {
    let parts: [(&str, &[u8]); 4] = [("a", &[0, 1, 2]), ("b", &[1, 2, 3]), ("empty", &[]), ("long", &[0; 5000])];
    let of = |id: &str| parts.iter().find(|(one, _)| *one == id).unwrap().1;
    for schema in [SCHEMA.to_owned(), without_constraint()] {
        let types = types(&schema);
        let mut random = Random::new(11);
        for _ in 0..rounds(1_600) {
            let (mut included, mut inline) = (String::new(), String::new());
            for _ in 0..random.below(6) {
                let name = ["photo", "text", "short", "begun", "key", "fixed", "any"][random.below(7)];
                let id = ["a", "b", "empty", "long"][random.below(4)];
                let mut text = String::new();
                xml::base64::push(of(id), &mut text);
                match name {
                    "text" => [&mut included, &mut inline].iter_mut().for_each(|out| out.push_str("<text>a</text>")),
                    "any" => {
                        let start = "<any xsi:type=\"xs:base64Binary\">";
                        included += &including("any", id).replace("<any>", start);
                        inline += &format!("{start}{text}</any>");
                    }
                    _ => {
                        included += &including(name, id);
                        inline += &format!("<{name}>{text}</{name}>");
                    }
                }
            }
            let inline = document(&inline);
            let mut values = Values::new();
            let expected = xer::read(inline.as_bytes(), &types, &Options::default(), &mut values).map(words);
            let found = read(&package(&document(&included), &parts), &types);
            match (&found, &expected) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(found, expected, "{included}");
                    written_again(&inline, &types);
                }
                (Err(found), Err(expected)) => {
                    assert_eq!(found.kind(), expected.kind(), "{included}");
                    assert_eq!(found.path(), expected.path(), "{included}");
                    assert_eq!(found.expected().to_string(), expected.expected().to_string(), "{included}");
                }
                _ => panic!("{found:?} {expected:?} {included}"),
            }
        }
    }
}

/// The message of section 1.2, example 2, by a schema of its two elements.
#[test]
fn the_recommendation_s_example_is_read() {
    let types = types(
        r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://example.org/stuff"
             elementFormDefault="qualified" xmlns:t="http://www.w3.org/2005/05/xmlmime">
             <xs:import namespace="http://www.w3.org/2005/05/xmlmime"/>
             <xs:element name="data"><xs:complexType><xs:sequence>
               <xs:element name="photo" type="t:base64Binary"/><xs:element name="sig" type="t:base64Binary"/>
             </xs:sequence></xs:complexType></xs:element></xs:schema>"#,
    );
    let document = format!(
        "<m:data xmlns:m='http://example.org/stuff' xmlns:xmlmime='http://www.w3.org/2005/05/xmlmime'>\
         <m:photo xmlmime:contentType='image/png'><xop:Include xmlns:xop='{NAMESPACE}' \
         href='cid:http://example.org/me.png'/></m:photo><m:sig xmlmime:contentType='application/pkcs7-signature'>\
         <xop:Include xmlns:xop='{NAMESPACE}' href='cid:http://example.org/my.hsh'/></m:sig></m:data>"
    );
    let package =
        package(&document, &[("http://example.org/me.png", b"\x89PNG"), ("http://example.org/my.hsh", b"hash")]);
    let mut values = Values::new();
    let value = xer::read_package(&package, &types, &Options::default(), &mut values).unwrap();
    let octets = |path| value.get(path).and_then(asn1::Value::as_octets).unwrap();
    assert_eq!((octets("photo/base"), octets("sig/base")), (&b"\x89PNG"[..], &b"hash"[..]));
    // They are those of the package.
    assert!(package.bytes().as_ptr_range().contains(&octets("photo/base").as_ptr()));
}

#[test]
fn what_is_no_include_of_a_part_is_refused() {
    let types = types(&without_constraint());
    let parts: [(&str, &[u8]); 3] = [("a", &[1]), ("twice", &[2]), ("twice", &[3])];
    let cases = [
        (including("photo", "other"), "found href='cid:other', expected 'cid:' and the Content-ID of one part"),
        (including("photo", "twice"), "found href='cid:twice', expected 'cid:' and the Content-ID of one part"),
        ("<photo><xop:Include/></photo>".to_owned(), "found <xop:Include> without href, expected the attribute href"),
        (
            including("photo", "a").replace("<xop", "AA==<xop"),
            "found <xop:Include>, expected nothing else beside xop:Include",
        ),
        (
            including("photo", "a").replace("/></photo", "/> </photo"),
            "found characters, expected nothing beside xop:Include",
        ),
        (
            including("photo", "a").replace("<photo>", "<photo><xop:Include href='cid:a'/>"),
            "found <xop:Include>, expected nothing else beside xop:Include",
        ),
        (including("text", "a"), "found <xop:Include>, expected characters, and no elements"),
        (
            including("photo", "a").replace("xop:Include", "Include"),
            "found <Include>, expected characters, and no elements",
        ),
    ];
    for (content, words) in cases {
        let error = read(&package(&document(&content), &parts), &types).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema, "{error}");
        assert!(error.to_string().ends_with(words), "{error}");
        assert!(error.path().starts_with("/data/"), "{error}");
    }
    // Without a package there is no part.
    let mut values = Values::new();
    let xml = document(&including("photo", "a"));
    let error = xer::read(xml.as_bytes(), &types, &Options::default(), &mut values).unwrap_err();
    assert_eq!(error.expected().to_string(), "characters, and no elements");
    // What is inside an Include is another's (section 2.1).
    let inside =
        including("photo", "a").replace("/></photo", "><o:x xmlns:o='urn:o'> <o:y/></o:x></xop:Include></photo");
    assert!(read(&package(&document(&inside), &parts), &types).is_ok());
}

/// Octets that must become characters are charged, and others are not copied for each reference.
#[test]
fn a_part_that_many_elements_include_is_bounded() {
    let octets = vec![0; 1 << 18];
    let many: String = (0..2_000).map(|_| including("begun", "a")).collect();
    let (options, mut values) = (Options::default().with_limits(Limits::UNTRUSTED), Values::new());
    let read_package = package(&document(&many), &[("a", &octets)]);
    let error = xer::read_package(&read_package, &types(&without_constraint()), &options, &mut values).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    // What is wrong is said in few words.
    let twice = including("photo", "a").repeat(2);
    let error = read(&package(&document(&twice), &[("a", &octets)]), &types(SCHEMA)).unwrap_err();
    assert!(error.kind() == ErrorKind::Schema && error.to_string().len() < 500, "{}", error.to_string().len());

    let many = many.replace("begun", "photo");
    let (package, types) = (package(&document(&many), &[("a", &octets)]), types(&without_constraint()));
    let mut values = Values::new();
    let value = xer::read_package(&package, &types, &Options::default(), &mut values).unwrap();
    assert_eq!(value.get("choice-list/1999/photo/base").and_then(asn1::Value::as_octets), Some(octets.as_slice()));
    assert!(values.memory() < 8 << 20, "{}", values.memory());
}

/// The bytes of a package, and the same bytes without its parts, are not taken for each other.
#[test]
fn templates_do_not_take_a_package_for_a_document() {
    let types = types(&without_constraint());
    let (options, mut template) = (Options::default(), xer::Template::new());
    let xml = document(&including("photo", "a"));
    let first = package(&xml, &[("a", b"1")]);
    template.read_package(&mut first.clone(), &types, &options).unwrap();
    let mut bytes = first.bytes().to_vec();
    assert!(template.read(&mut bytes, &types, &options).is_err());
    assert_eq!(bytes, first.bytes());
    // Other octets of the same number.
    let second = package(&xml, &[("a", b"2")]);
    let value = template.read_package(&mut second.clone(), &types, &options).unwrap();
    assert!(words(value).contains("'32'H"), "{}", words(value));
    let mut plain = document("<photo>Mw==</photo>").into_bytes();
    let value = template.read(&mut plain, &types, &options).unwrap();
    assert!(words(value).contains("'33'H"), "{}", words(value));
    // What there was of another document is a part that nothing includes.
    let mut third = Package::new();
    for text in ["a", "b"] {
        third.begin_document();
        third.push(document(&format!("<text>{text}</text>")).as_bytes());
    }
    let value = template.read_package(&mut third.clone(), &types, &options).unwrap();
    assert!(words(value).contains("\"b\""), "{}", words(value));
    assert!(template.read(&mut third.into_bytes(), &types, &options).is_err());
}

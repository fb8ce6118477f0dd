//! What the fuzz targets of XML Schema hold true of any bytes.

use std::sync::LazyLock;

use tam::{ErrorKind, Limits, Table};
use x694::{mapping, xer};
use xsd::{Event, Global, Memory, Options, Schema, Validator};

/// Deep enough to be seen, small enough to cost no time.
const LIMITS: Limits = Limits { depth: 100, units: 1 << 12, entity_expansion: 1 << 14, ..Limits::DEFAULT };

/// Schema documents of one input, which a zero byte parts.
const DOCUMENTS: usize = 8;

fn options() -> Options {
    Options::default().with_limits(LIMITS).with_documents(DOCUMENTS as u32).with_particles(1 << 12)
}

/// Everything in a namespace: derivation, substitution, wildcards, identity, values.
const ORDERS: &str = r###"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:o" xmlns:o="urn:o"
    targetNamespace="urn:o" elementFormDefault="qualified">
  <xs:element name="orders">
    <xs:complexType>
      <xs:sequence>
        <xs:element ref="party" minOccurs="0" maxOccurs="3"/>
        <xs:choice maxOccurs="unbounded">
          <xs:element name="line" type="Line" nillable="true"/>
          <xs:element name="text" type="Text"/>
          <xs:any namespace="##other" processContents="lax"/>
        </xs:choice>
        <xs:any namespace="##local" processContents="skip" minOccurs="0" maxOccurs="2"/>
      </xs:sequence>
      <xs:attribute name="at" type="xs:dateTime"/>
      <xs:attribute name="n" type="xs:short" default="3"/>
      <xs:anyAttribute namespace="##other" processContents="skip"/>
    </xs:complexType>
    <xs:key name="lines"><xs:selector xpath=".//o:line"/><xs:field xpath="@id"/></xs:key>
    <xs:keyref name="after" refer="lines"><xs:selector xpath="o:line"/><xs:field xpath="@after"/></xs:keyref>
    <xs:unique name="goods"><xs:selector xpath="o:line"/><xs:field xpath="o:goods"/></xs:unique>
  </xs:element>
  <xs:element name="party" type="xs:string" abstract="true"/>
  <xs:element name="buyer" type="xs:token" substitutionGroup="party"/>
  <xs:element name="seller" type="Code" substitutionGroup="party"/>
  <xs:simpleType name="Code">
    <xs:restriction base="xs:string"><xs:pattern value="[A-Z]{2}\d*"/><xs:maxLength value="6"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="Sizes"><xs:list itemType="Size"/></xs:simpleType>
  <xs:simpleType name="Size">
    <xs:union memberTypes="xs:unsignedByte xs:date">
      <xs:simpleType><xs:restriction base="xs:NMTOKEN"><xs:enumeration value="large"/></xs:restriction></xs:simpleType>
    </xs:union>
  </xs:simpleType>
  <xs:complexType name="Line">
    <xs:all>
      <xs:element name="goods" type="Code"/>
      <xs:element name="price" minOccurs="0">
        <xs:simpleType><xs:restriction base="xs:decimal"><xs:fractionDigits value="2"/></xs:restriction></xs:simpleType>
      </xs:element>
      <xs:element name="sizes" type="Sizes" minOccurs="0" default="1 large"/>
    </xs:all>
    <xs:attribute name="id" type="xs:ID" use="required"/>
    <xs:attribute name="after" type="xs:IDREF"/>
  </xs:complexType>
  <xs:complexType name="Text" mixed="true">
    <xs:sequence><xs:element name="b" type="Text" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="Long" mixed="true">
    <xs:complexContent>
      <xs:extension base="Text">
        <xs:sequence><xs:element name="end" type="xs:boolean" fixed="true"/></xs:sequence>
        <xs:attribute name="octets" type="xs:hexBinary"/>
      </xs:extension>
    </xs:complexContent>
  </xs:complexType>
</xs:schema>"###;

/// Occurrences that have to be counted, in no namespace.
const COUNTS: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="r">
    <xs:complexType>
      <xs:sequence minOccurs="2" maxOccurs="3">
        <xs:element name="a" minOccurs="0" maxOccurs="4" type="xs:anyType"/>
        <xs:choice minOccurs="1" maxOccurs="2">
          <xs:sequence><xs:element name="b"/><xs:element name="c" minOccurs="3" maxOccurs="3"/></xs:sequence>
          <xs:element name="d" maxOccurs="5"/>
        </xs:choice>
      </xs:sequence>
    </xs:complexType>
  </xs:element>
</xs:schema>"#;

/// Two documents of one schema: what the first has of the second is included, and redefined.
const REDEFINED: &str = concat!(
    r#"<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:r" xmlns="urn:r">
  <s:import namespace="http://www.w3.org/XML/1998/namespace"/>
  <s:redefine schemaLocation="1.xsd">
    <s:group name="g"><s:sequence><s:group ref="g"/><s:element name="more"/></s:sequence></s:group>
    <s:simpleType name="t"><s:restriction base="t"><s:maxInclusive value="9"/></s:restriction></s:simpleType>
  </s:redefine>
  <s:element name="e"><s:complexType><s:group ref="g"/><s:attribute ref="xml:lang"/></s:complexType></s:element>
</s:schema>"#,
    "\0",
    r#"<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema">
  <s:group name="g"><s:sequence><s:element name="one" type="t" maxOccurs="2"/></s:sequence></s:group>
  <s:simpleType name="t"><s:restriction base="s:int"><s:minExclusive value="-1"/></s:restriction></s:simpleType>
  <s:attributeGroup name="as"><s:attribute name="a" type="s:QName"/></s:attributeGroup>
</s:schema>"#
);

/// Instances of [`ORDERS`] and of [`COUNTS`], by which of them they are of.
const INSTANCES: [(u8, &str); 6] = [
    (
        0,
        "<orders xmlns='urn:o' at='2004-10-28T12:00:00Z' x:y='' xmlns:x='urn:x'><buyer> a </buyer>\
         <seller>DE12</seller><line id='a'><price>1.50</price><goods>XY</goods></line>\
         <line id='b' after='a'><goods>XZ1</goods><sizes>1 large 2004-10-28</sizes></line><x:z><x:q/></x:z></orders>",
    ),
    (
        0,
        "<o:orders xmlns:o='urn:o' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' n=' 7 '>\
         <o:text i:type='o:Long' octets='0aFF'>x<o:b>y</o:b>z<o:end/></o:text><o:line i:nil='1' id='c'/>\
         <local><any/></local></o:orders>",
    ),
    (0, "<!DOCTYPE orders [<!ENTITY t '<text>&#65;</text>'>]>\n<orders xmlns='urn:o'>&t;<!-- c -->&t;</orders>"),
    (1, "<r><d/><a><x y='z'>1</x></a><b/><c/><c/><c/></r>"),
    (1, "<r>\n  <a/><a/>\n  <d/><d/>\n  <d/><b/><c/><c/><c/>\n</r>"),
    (1, "<r><d/><d/><d/><d/><d/><d/><d/></r>"),
];

static TYPES: LazyLock<[xer::Types; 2]> = LazyLock::new(|| {
    [(ORDERS, mapping::Version::V2), (COUNTS, mapping::Version::V1)].map(|(text, version)| {
        let memory = Memory::new().with("0.xsd", text);
        let schema = Schema::read_from(memory, "0.xsd", &Options::default());
        let mapping = mapping::Options::default().with_version(version);
        schema.and_then(|schema| xer::Types::new(schema, &mapping)).unwrap_or_else(|error| panic!("{error}"))
    })
});

/// Documents are read as a schema or refused, twice alike; what is wrong is in one of them; and elements that
/// were declared are known.
pub fn xsd_schema(input: &[u8]) {
    let texts: Vec<&[u8]> = input.split(|byte| *byte == 0).take(DOCUMENTS).collect();
    let read = || {
        let numbered = texts.iter().enumerate();
        let memory = numbered.fold(Memory::new(), |memory, (n, text)| memory.with(format!("{n}.xsd"), *text));
        Schema::read_from(memory, "0.xsd", &options())
    };
    let (schema, again) = match (read(), read()) {
        (Ok(schema), Ok(again)) => (schema, again),
        (Err(error), Err(again)) => {
            assert_eq!(error.to_string(), again.to_string());
            let number = error.path().strip_suffix(".xsd").and_then(|number| number.parse::<usize>().ok());
            let text = number.and_then(|number| texts.get(number)).unwrap_or_else(|| panic!("{error}"));
            assert!(error.offset() <= text.len() as u64, "{error}");
            return;
        }
        (read, again) => panic!("{:?}, {:?}", read.err(), again.err()),
    };
    assert_eq!((schema.globals.len(), schema.particles.len()), (again.globals.len(), again.particles.len()));
    for global in &schema.globals {
        let Global::Element(id) = global else { continue };
        let name = schema.elements[*id].name;
        let (uri, local) = (schema.names.uri(schema.names.namespace(name)), schema.names.local(name));
        assert_eq!(schema.find_element(uri, local), Some(*id));
        // An empty element is as good as the next instance.
        let uri = uri.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&apos;");
        let instance = if uri.is_empty() { format!("<{local}/>") } else { format!("<{local} xmlns='{uri}'/>") };
        let first = schema.validate(instance.as_bytes(), &options()).map_err(|error| error.to_string());
        assert_eq!(first, again.validate(instance.as_bytes(), &options()).map_err(|error| error.to_string()));
    }
}

/// An instance of the schema that its first byte selects is valid or refused. A valid one is well-formed, each of its
/// elements was reported with its end, and it is valid without identity constraints.
pub fn xsd_validate(input: &[u8]) {
    let Some((&choice, text)) = input.split_first() else { return };
    let types = &TYPES[usize::from(choice) % TYPES.len()];
    let (schema, options) = (types.schema(), options());
    let walked = walk(schema, text, &options);
    let loose = walk(schema, text, &options.clone().with_identity(false));
    carry(types, text, &options, walked.as_ref().err());
    match (&walked, recovered(schema, text, &options)) {
        (Ok(()), Ok(errors)) => assert_eq!(errors, 0),
        (Err(error), Ok(errors)) => assert!(error.kind() == ErrorKind::Schema && errors > 0, "{error}"),
        (Err(_), Err(last)) => assert_ne!(last.kind(), ErrorKind::Schema),
        (Ok(()), Err(error)) => panic!("{error}"),
    }
    let mut table = Table::new();
    let limits = Limits { units: u32::MAX, ..LIMITS };
    let sound = text::xml::read(text, &text::xml::Options::default().with_limits(limits), &mut table);
    match (walked, sound) {
        (Ok(()), sound) => {
            assert!(sound.is_ok(), "{:?}", sound.err());
            assert_eq!(loose, Ok(()));
        }
        (Err(error), _) if error.kind() == ErrorKind::Schema => {
            let before = text.get(..error.offset() as usize).unwrap_or_else(|| panic!("{error}"));
            if text.is_ascii() && !text.contains(&b'\r') {
                let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
                assert_eq!(error.position().map(|(line, _)| line), Some(line), "{error}");
            }
        }
        // What is no XML is so to both, at the same place.
        (Err(error), sound) => {
            let other = sound.err().unwrap_or_else(|| panic!("{error}"));
            assert_eq!((error.kind(), error.position()), (other.kind(), other.position()), "{error}; {other}");
        }
    }
}

/// Instances of the schema that the first byte selects, which a zero byte parts: each is read by its differences from those
/// before as it is by itself.
pub fn xsd_stream(input: &[u8]) {
    let Some((&choice, texts)) = input.split_first() else { return };
    let (types, options) = (&TYPES[usize::from(choice) % TYPES.len()], options());
    let rules = asn1::Options::uper().with_limits(LIMITS);
    let (templates, mut template) = (xer::Templates::new(1 << 16), xer::Template::new());
    for text in texts.split(|byte| *byte == 0) {
        let mut values = asn1::Values::new();
        let expected = xer::read_by_events(text, types, &options, &mut values).map(|value| asn1::write(value, &rules));
        let read = template.read(&mut text.to_vec(), types, &options).map(|value| asn1::write(value, &rules));
        assert_eq!(read, expected);
        let read = templates.read(&mut text.to_vec(), types, &options).map(|read| asn1::write(read.value(), &rules));
        assert_eq!(read, expected);
    }
}

/// Streams of instances: each again with more of it, and changed.
pub fn xsd_stream_seeds() -> Vec<Vec<u8>> {
    let line = |n: usize| format!("<line id='l{n}'><goods>XY{}</goods><price>{n}.50</price></line>", n % 100);
    let orders = |count: usize| {
        let lines: String = (0..count).map(line).collect();
        format!("<orders xmlns='urn:o' at='2004-10-28T12:00:00Z'><buyer>a</buyer>{lines}</orders>")
    };
    let texts: String =
        (0..30).map(|n| format!("<text>some words {n} <b>and more <b>{n}</b></b> to read</text>")).collect();
    let texts = |last: &str| format!("<orders xmlns='urn:o'>{texts}<text>{last}</text></orders>");
    [
        [orders(40), orders(41), orders(41).replace("7.50", "8.50"), orders(40).replace("</orders>", "")],
        [texts("a"), texts("b"), texts("<b/>"), texts("a").replace("some words 9", "<!-- c -->")],
    ]
    .map(|stream| [&[0][..], stream.join("\0").as_bytes()].concat())
    .into()
}

/// What is valid becomes a message, and that an instance which becomes the same message; what is not is refused
/// alike.
fn carry(types: &xer::Types, text: &[u8], options: &Options, refused: Option<&tam::Error>) {
    let (mut values, mut others) = (asn1::Values::new(), asn1::Values::new());
    let rules = asn1::Options::uper().with_limits(LIMITS);
    let (read, by_events) =
        (xer::read(text, types, options, &mut values), xer::read_by_events(text, types, options, &mut others));
    assert_eq!(read.as_ref().err(), by_events.as_ref().err());
    if let (Ok(one), Ok(other)) = (&read, &by_events) {
        assert_eq!(asn1::write(*one, &rules).ok(), asn1::write(*other, &rules).ok());
    }
    let value = match read {
        Ok(value) => value,
        // Values beyond what a type of ASN.1 carries, or cells beyond a limit.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Limit) => return,
        Err(error) => {
            assert_eq!(Some(&error), refused);
            return;
        }
    };
    assert_eq!(refused, None);
    let Ok(message) = asn1::write(value, &rules) else { return };
    assert_eq!(written(types, value.node_id(), &message).as_ref(), Some(&message));
}

/// The message that the instance becomes which a message is; `None` where it is none.
fn written(types: &xer::Types, root: asn1::NodeId, message: &[u8]) -> Option<Vec<u8>> {
    let (mut values, mut again, mut out) = (asn1::Values::new(), asn1::Values::new(), b"kept".to_vec());
    let rules = asn1::Options::uper().with_limits(LIMITS);
    let value = asn1::read(message, types.compiled(), root, &rules, &mut values).ok()?;
    if let Err(error) = xer::append(value, types, &mut out) {
        assert!(out == b"kept", "{error}");
        return None;
    }
    // A message says what facets forbid that are no constraints, but never what is no XML.
    match xer::read(&out[4..], types, &options(), &mut again) {
        Ok(value) => asn1::write(value, &rules).ok(),
        Err(error) => {
            assert!(!matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Incomplete), "{error}");
            None
        }
    }
}

/// A message of the schema that its first byte chooses is an instance or refused.
pub fn xsd_message(input: &[u8]) {
    let Some((&choice, message)) = input.split_first() else { return };
    let types = &TYPES[usize::from(choice) % TYPES.len()];
    for root in types.roots() {
        written(types, root.node(), message);
    }
}

/// How many errors of the schema there are up to the end; or what ends the instance before.
fn recovered(schema: &Schema, text: &[u8], options: &Options) -> Result<usize, tam::Error> {
    let mut validator = Validator::new(schema, text, options)?;
    let mut errors = 0;
    loop {
        match validator.next_event().map(|event| event.is_some()) {
            Ok(true) => {}
            Ok(false) => return Ok(errors),
            Err(_) if validator.recover() => errors += 1,
            Err(error) => return Err(error),
        }
    }
}

fn walk(schema: &Schema, text: &[u8], options: &Options) -> Result<(), tam::Error> {
    let mut validator = Validator::new(schema, text, options)?;
    let mut open = 0_u32;
    loop {
        match validator.next_event() {
            Ok(Some(Event::Start(_))) => open += 1,
            Ok(Some(Event::End(_))) => open = open.checked_sub(1).unwrap_or_else(|| panic!("an end too many")),
            Ok(Some(_)) => assert!(open > 0),
            Ok(None) => {
                assert_eq!(open, 0);
                return Ok(());
            }
            Err(error) => {
                assert_eq!(validator.next_event().err().as_ref(), Some(&error));
                return Err(error);
            }
        }
    }
}

/// Messages after their first byte.
pub fn xsd_message_seeds() -> Vec<Vec<u8>> {
    let messages = INSTANCES.iter().filter_map(|(choice, text)| {
        let mut values = asn1::Values::new();
        let types = &TYPES[usize::from(*choice)];
        let value = xer::read(text.as_bytes(), types, &options(), &mut values).ok()?;
        Some([&[*choice], &asn1::write(value, &asn1::Options::uper()).ok()?[..]].concat())
    });
    messages.collect()
}

/// Schemas, and instances after their first byte.
pub fn xsd_seeds() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let schemas = [ORDERS, COUNTS, REDEFINED].map(|text| text.as_bytes().to_vec());
    let instances = INSTANCES.iter().map(|(choice, text)| [&[*choice], text.as_bytes()].concat());
    (schemas.to_vec(), instances.collect())
}

/// What modules that describe XML are made of, each a byte from 0x80 on.
const PIECES: &[&str] = &[
    "T ::= ",
    "U ::= ",
    "SEQUENCE { ",
    "CHOICE { ",
    " }",
    "SEQUENCE OF ",
    ", ",
    "a ",
    "b ",
    "INTEGER",
    "UTF8String",
    "BOOLEAN",
    "NULL",
    "ENUMERATED { x, y }",
    "T",
    "U",
    " OPTIONAL",
    " (SIZE (1..2))",
    " (0..9)",
    "[UNTAGGED] ",
    "[ATTRIBUTE] ",
    "[LIST] ",
    "[USE-TYPE] ",
    "[USE-UNION] ",
    "[USE-NIL] ",
    "[EMBED-VALUES] ",
    "[USE-ORDER] ",
    "[ANY-ELEMENT] ",
    "[ANY-ATTRIBUTES] ",
    "[NAME AS \"c\"] ",
    "[DEFAULT-FOR-EMPTY AS \"1\"] ",
    "content ",
    ", ...",
    "[NAMESPACE AS \"urn:n\"] ",
    "[USE-NUMBER] ",
    "[WHITESPACE COLLAPSE] ",
];

/// Modules describe XML or are refused; a document of them that is read is written, and read as the same value.
pub fn xsd_modules(input: &[u8]) {
    let (notation, xml) = match input.iter().position(|octet| *octet == 0) {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (input, &input[..0]),
    };
    let mut text = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN\n".to_owned();
    for octet in notation {
        match octet.checked_sub(0x80) {
            Some(piece) => text.push_str(PIECES[usize::from(piece) % PIECES.len()]),
            None => text.push(char::from(*octet)),
        }
    }
    text.push_str("\nENCODING-CONTROL XER GLOBAL-DEFAULTS MODIFIED-ENCODINGS END");
    let Ok((modules, compiled)) = asn1::Compiled::from_sources(&[("", &text)], &LIMITS) else { return };
    let Ok(types) = xer::Types::from_modules(modules, compiled.into()) else { return };
    let (mut values, mut again, mut out) = (asn1::Values::new(), asn1::Values::new(), Vec::new());
    let Ok(value) = xer::read(xml, &types, &options(), &mut values) else { return };
    let Ok(message) = asn1::write(value, &asn1::Options::ber()) else { return };
    if xer::append(value, &types, &mut out).is_err() {
        return;
    }
    let read = xer::read(&out, &types, &options(), &mut again);
    let read = read.unwrap_or_else(|error| panic!("{error}\n{text}\n{}", String::from_utf8_lossy(&out)));
    let back = asn1::write(read, &asn1::Options::ber()).unwrap_or_default();
    assert!(back == message, "{text}\n{}", String::from_utf8_lossy(&out));
}

/// Modules to start from, each with a document.
pub fn xsd_modules_seeds() -> Vec<Vec<u8>> {
    let pieces = |numbers: &[u8], xml: &str| {
        let notation: Vec<u8> = numbers.iter().map(|number| 0x80 + number).collect();
        [&notation[..], &[0], xml.as_bytes()].concat()
    };
    vec![
        pieces(&[0, 2, 7, 20, 9, 6, 8, 10, 16, 4], "<T a='1'><b>x</b></T>"),
        pieces(&[0, 2, 7, 19, 5, 8, 9, 6, 8, 11, 4], "<T><b>1</b><b>2</b><b>true</b></T>"),
        pieces(&[0, 3, 7, 9, 6, 8, 14, 4], "<T><b><a>1</a></b></T>"),
        pieces(&[0, 5, 15, 1, 13], "<T><U>x</U><U>y</U></T>"),
        pieces(&[0, 2, 7, 21, 5, 9, 6, 8, 12, 4], "<T><a>1 2</a><b/></T>"),
        pieces(&[0, 25, 2, 7, 5, 10, 6, 8, 9, 16, 4], "<T>x<b>1</b>y</T>"),
        pieces(&[0, 24, 2, 31, 30, 9, 16, 4], "<T/>"),
        pieces(&[0, 2, 7, 23, 3, 7, 9, 6, 8, 10, 4, 32, 6, 8, 28, 5, 10, 4], "<T c='1'><a>z</a></T>"),
        pieces(&[0, 2, 7, 27, 10, 6, 8, 33, 29, 9, 18, 4], "<T><x/><c xmlns='urn:n'>7</c></T>"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_sound() {
        let (schemas, instances) = xsd_seeds();
        for text in &schemas {
            let parts = text.split(|byte| *byte == 0).enumerate();
            let memory = parts.fold(Memory::new(), |memory, (n, text)| memory.with(format!("{n}.xsd"), text));
            let read = Schema::read_from(memory, "0.xsd", &options());
            assert!(read.is_ok(), "{}", read.unwrap_err());
            xsd_schema(text);
        }
        for text in &instances {
            let checked = TYPES[usize::from(text[0])].schema().validate(&text[1..], &options());
            assert!(checked.is_ok(), "{}: {}", String::from_utf8_lossy(text), checked.unwrap_err());
            xsd_validate(text);
        }
        xsd_stream_seeds().iter().for_each(|stream| xsd_stream(stream));
        let messages = xsd_message_seeds();
        assert!(messages.len() >= 4);
        messages.iter().for_each(|message| xsd_message(message));
    }
}

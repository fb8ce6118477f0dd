//! The events of a validator.

use xsd::{Event, Memory, Name, Options, Schema, TypeId, Validator};

const SCHEMA: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:t' targetNamespace='urn:t' elementFormDefault='qualified'>
    <xs:simpleType name='size'><xs:union memberTypes='xs:int xs:token'/></xs:simpleType>
    <xs:complexType name='base'><xs:sequence/><xs:attribute name='a' type='size'/></xs:complexType>
    <xs:complexType name='more'><xs:complexContent><xs:extension base='base'><xs:sequence><xs:element name='m' type='size' default='7'/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
    <xs:element name='head' type='base'/><xs:element name='member' type='more' substitutionGroup='head'/>
    <xs:element name='r'><xs:complexType mixed='true'><xs:sequence>
      <xs:element ref='head' maxOccurs='unbounded'/><xs:any namespace='##other' processContents='lax'/>
    </xs:sequence></xs:complexType></xs:element></xs:schema>";

/// Events as lines.
fn events(schema: &Schema, text: &str) -> Vec<String> {
    let mut validator = Validator::new(schema, text.as_bytes(), &Options::default()).unwrap();
    let mut lines = Vec::new();
    while let Some(event) = validator.next_event().unwrap() {
        let local = |name: Name| schema.names.local(name).to_owned();
        let type_name = |ty: TypeId| schema.type_name(ty).map_or("-".to_owned(), local);
        lines.push(match event {
            Event::Start(start) => {
                let mut line = format!("start {} {}", local(start.name), start.ty.map_or("none".to_owned(), type_name));
                if let Some(transition) = start.transition {
                    line += if transition.again.is_some() { " again" } else { " on" };
                }
                for (one, value) in start.attributes() {
                    let ty = one.ty.map(|ty| type_name(TypeId::Simple(ty)));
                    line += &format!(" {}[{:?}]='{value}'({})", local(one.name), one.place, ty.unwrap_or_default());
                }
                line
            }
            Event::Text(text) => format!("text {text}"),
            Event::End(end) => {
                let ty = end.ty.map(|ty| type_name(TypeId::Simple(ty)));
                format!("end {:?} {} {}", end.value, ty.unwrap_or_default(), end.defaulted)
            }
            _ => panic!(),
        });
    }
    lines
}

#[test]
fn elements_are_told_with_type_particle_and_value() {
    let schema = Schema::read_from(Memory::new().with("t", SCHEMA), "t", &Options::default()).unwrap();
    let text = "<r xmlns='urn:t' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>one<head a='12'/>\
        <member a='x y'><m/></member><head xsi:type='more'><m> 5 </m></head><u xmlns='urn:u' b='c'>t<v/></u></r>";
    assert_eq!(
        events(&schema, text),
        [
            "start r -",
            "text one",
            "start head base on a[Some(0)]='12'(int)",
            "end None  false",
            "start member more again a[Some(0)]='x y'(token)",
            "start m size on",
            "end Some(\"7\") int true",
            "end None  false",
            "start head more again",
            "start m size on",
            "end Some(\" 5 \") int false",
            "end None  false",
            "start  none on [None]='c'()",
            "text t",
            "start  none",
            "end None  false",
            "end None  false",
            "end None  false",
        ]
    );
}

#[test]
fn errors_tell_path_line_and_what_was_expected() {
    let schema = Schema::read_from(Memory::new().with("t", SCHEMA), "t", &Options::default()).unwrap();
    let text = "<r xmlns='urn:t'>\n <head/>\n <head>\n  <no/></head></r>";
    let error = schema.validate(text.as_bytes(), &Options::default()).unwrap_err();
    // The type of `head` has a sequence of nothing.
    assert_eq!(
        error.to_string(),
        "schema at byte 34 (line 3, column 8) in /r/head[2]: found white space, expected nothing in the element, not even white space"
    );
    let error = schema.validate("<r xmlns='urn:t'>\n <member>\n  <no/>".as_bytes(), &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "schema at byte 30 (line 3, column 3) in /r/member/no: found <no>, expected <m>");
    let error = schema.validate("<r xmlns='urn:t'>".as_bytes(), &Options::default()).unwrap_err();
    assert_eq!(error.kind(), tam::ErrorKind::Incomplete);
}

/// At the value, not at the end tag after it; for an element without a value, at its end.
#[test]
fn a_value_that_is_none_is_told_where_it_stands() {
    let text =
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='n' type='xs:int'/></xs:schema>";
    let schema = Schema::read_from(Memory::new().with("n", text), "n", &Options::default()).unwrap();
    for (text, expected) in [
        ("<n\n>x</n>", "byte 4 (line 2, column 2) in /n: found 'x', expected an integer"),
        ("<n><!-- 1 --><![CDATA[x]]></n>", "byte 13 (line 1, column 14) in /n: found 'x', expected an integer"),
        ("<n></n>", "byte 3 (line 1, column 4) in /n: found '', expected an integer"),
    ] {
        let error = schema.validate(text.as_bytes(), &Options::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("schema at {expected}"));
    }
}

/// What is of the right name and the wrong namespace looks as if nothing were wrong.
#[test]
fn an_element_of_another_namespace_is_told_so() {
    let text = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:t' xmlns='urn:t'>
      <xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a'/><xs:element ref='b' maxOccurs='2'/>
      </xs:sequence><xs:attribute name='id' use='required'/></xs:complexType></xs:element><xs:element name='b'/></xs:schema>";
    let schema = Schema::read_from(Memory::new().with("t", text), "t", &Options::default()).unwrap();
    for (text, expected) in [
        ("<r xmlns='urn:t' id=''><a/></r>", "in /r/a: found <a>, expected <a> of no namespace"),
        ("<p:r xmlns:p='urn:t' id=''><a/><b/></p:r>", "in /p:r/b: found <b>, expected <b> of the namespace 'urn:t'"),
        ("<p:r xmlns:p='urn:t' id=''><a/><a/></p:r>", "in /p:r/a[2]: found <a>, expected <b>"),
        ("<p:r xmlns:p='urn:t'/>", "in /p:r: missing attribute 'id'"),
    ] {
        let error = schema.validate(text.as_bytes(), &Options::default()).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn an_error_is_told_again() {
    let schema = Schema::read_from(Memory::new().with("t", SCHEMA), "t", &Options::default()).unwrap();
    let mut validator = Validator::new(&schema, b"<x/>", &Options::default()).unwrap();
    let error = validator.next_event().unwrap_err();
    assert_eq!(validator.next_event().unwrap_err(), error);
}

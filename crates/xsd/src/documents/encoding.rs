//! The built-in schema of SOAP 1.1's encoding. Descriptions of services refer to it without a location.

use std::fmt::Write;

use crate::components::Builtin;

/// The name of the schema document.
pub(super) const LOCATION: &str = "(built-in) soap-encoding.xsd";

/// A schema of the namespace of SOAP's encoding (SOAP 1.1 section 5): arrays, structs, and each built-in type with the
/// attributes that an element of the encoding may have.
pub(super) fn schema() -> String {
    let mut text = String::from(
        r###"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:e="http://schemas.xmlsoap.org/soap/encoding/"
    targetNamespace="http://schemas.xmlsoap.org/soap/encoding/">
  <xs:attribute name="arrayType" type="xs:string"/>
  <xs:attribute name="offset" type="xs:string"/>
  <xs:attribute name="position" type="xs:string"/>
  <xs:attribute name="root" type="xs:boolean"/>
  <xs:attributeGroup name="commonAttributes">
    <xs:attribute name="id" type="xs:ID"/>
    <xs:attribute name="href" type="xs:anyURI"/>
    <xs:anyAttribute namespace="##other" processContents="lax"/>
  </xs:attributeGroup>
  <xs:attributeGroup name="arrayAttributes">
    <xs:attribute ref="e:arrayType"/><xs:attribute ref="e:offset"/>
  </xs:attributeGroup>
  <xs:attributeGroup name="arrayMemberAttributes"><xs:attribute ref="e:position"/></xs:attributeGroup>
  <xs:group name="Array">
    <xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  </xs:group>
  <xs:complexType name="Array">
    <xs:group ref="e:Array" minOccurs="0"/>
    <xs:attributeGroup ref="e:arrayAttributes"/><xs:attributeGroup ref="e:commonAttributes"/>
  </xs:complexType>
  <xs:group name="Struct">
    <xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
  </xs:group>
  <xs:complexType name="Struct">
    <xs:group ref="e:Struct" minOccurs="0"/><xs:attributeGroup ref="e:commonAttributes"/>
  </xs:complexType>
  <xs:element name="Array" type="e:Array"/>
  <xs:element name="Struct" type="e:Struct"/>
  <xs:simpleType name="base64"><xs:restriction base="xs:base64Binary"/></xs:simpleType>
"###,
    );
    // NOTATION is left out, because it has no values without an enumeration.
    let types = Builtin::ALL.iter().filter(|ty| !matches!(ty, Builtin::AnySimpleType | Builtin::Notation));
    for name in types.map(|ty| ty.name()) {
        let _ = writeln!(
            text,
            "  <xs:complexType name=\"{name}\"><xs:simpleContent><xs:extension base=\"xs:{name}\">\
             <xs:attributeGroup ref=\"e:commonAttributes\"/></xs:extension></xs:simpleContent></xs:complexType>\n  \
             <xs:element name=\"{name}\" type=\"e:{name}\"/>"
        );
    }
    text.push_str("</xs:schema>");
    text
}

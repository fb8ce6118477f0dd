//! Schemas that many documents import from a location that is not a local file. Each declares what documents refer to;
//! where a document is given for the namespace, that is used.

use std::borrow::Cow;

use crate::XML_NAMESPACE;
use crate::wsdl::{SOAP_11, SOAP_11_TYPES, SOAP_12, SOAP_12_TYPES};

/// The name and the text of the built-in document for a namespace.
pub(super) fn document(namespace: &str) -> Option<(&'static str, Cow<'static, str>)> {
    Some(match namespace {
        XML_NAMESPACE => ("(built-in) xml.xsd", XML.into()),
        SOAP_11 => ("(built-in) soap-1.1.xsd", envelope_types(SOAP_11, SOAP_11_TYPES).into()),
        SOAP_12 => ("(built-in) soap-1.2.xsd", envelope_types(SOAP_12, SOAP_12_TYPES).into()),
        "http://www.w3.org/2005/05/xmlmime" => ("(built-in) xmlmime.xsd", XMLMIME.into()),
        "http://www.w3.org/2004/08/xop/include" => ("(built-in) xop-include.xsd", XOP.into()),
        "http://www.w3.org/2005/08/addressing" => ("(built-in) ws-addressing.xsd", ADDRESSING.into()),
        _ => return None,
    })
}

/// The types of an envelope; the elements `Envelope` and `Fault` are left to the schema of a service's messages
/// ([`envelopes`](crate::wsdl::Description::envelopes)).
fn envelope_types(namespace: &str, types: &str) -> String {
    format!(
        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:t=\"{namespace}\" \
         targetNamespace=\"{namespace}\">{types}</xs:schema>"
    )
}

/// Extensible Markup Language (XML) 1.0, sections 2.10 and 2.12; XML Base; xml:id.
const XML: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    targetNamespace="http://www.w3.org/XML/1998/namespace">
  <xs:attribute name="lang">
    <xs:simpleType>
      <xs:union memberTypes="xs:language">
        <xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value=""/></xs:restriction></xs:simpleType>
      </xs:union>
    </xs:simpleType>
  </xs:attribute>
  <xs:attribute name="space">
    <xs:simpleType>
      <xs:restriction base="xs:NCName">
        <xs:enumeration value="default"/><xs:enumeration value="preserve"/>
      </xs:restriction>
    </xs:simpleType>
  </xs:attribute>
  <xs:attribute name="base" type="xs:anyURI"/>
  <xs:attribute name="id" type="xs:ID"/>
  <xs:attributeGroup name="specialAttrs">
    <xs:attribute ref="xml:base"/><xs:attribute ref="xml:lang"/>
    <xs:attribute ref="xml:space"/><xs:attribute ref="xml:id"/>
  </xs:attributeGroup>
</xs:schema>"#;

/// Describing Media Content of Binary Data in XML (W3C note, 2005), section 2.
const XMLMIME: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:t="http://www.w3.org/2005/05/xmlmime" targetNamespace="http://www.w3.org/2005/05/xmlmime">
  <xs:attribute name="contentType">
    <xs:simpleType><xs:restriction base="xs:string"><xs:minLength value="3"/></xs:restriction></xs:simpleType>
  </xs:attribute>
  <xs:attribute name="expectedContentTypes" type="xs:string"/>
  <xs:complexType name="base64Binary">
    <xs:simpleContent>
      <xs:extension base="xs:base64Binary"><xs:attribute ref="t:contentType"/></xs:extension>
    </xs:simpleContent>
  </xs:complexType>
  <xs:complexType name="hexBinary">
    <xs:simpleContent>
      <xs:extension base="xs:hexBinary"><xs:attribute ref="t:contentType"/></xs:extension>
    </xs:simpleContent>
  </xs:complexType>
</xs:schema>"#;

/// XML-binary Optimized Packaging, section 2.1.
const XOP: &str = r###"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:t="http://www.w3.org/2004/08/xop/include" targetNamespace="http://www.w3.org/2004/08/xop/include">
  <xs:element name="Include" type="t:Include"/>
  <xs:complexType name="Include">
    <xs:sequence><xs:any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    <xs:attribute name="href" type="xs:anyURI" use="required"/>
    <xs:anyAttribute namespace="##other" processContents="lax"/>
  </xs:complexType>
</xs:schema>"###;

/// Web Services Addressing 1.0, Core, sections 2 and 3.
const ADDRESSING: &str = r###"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:t="http://www.w3.org/2005/08/addressing" targetNamespace="http://www.w3.org/2005/08/addressing"
    elementFormDefault="qualified">
  <xs:element name="EndpointReference" type="t:EndpointReferenceType"/>
  <xs:complexType name="EndpointReferenceType">
    <xs:sequence>
      <xs:element name="Address" type="t:AttributedURIType"/>
      <xs:element ref="t:ReferenceParameters" minOccurs="0"/>
      <xs:element ref="t:Metadata" minOccurs="0"/>
      <xs:any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence>
    <xs:anyAttribute namespace="##other" processContents="lax"/>
  </xs:complexType>
  <xs:element name="ReferenceParameters" type="t:ReferenceParametersType"/>
  <xs:complexType name="ReferenceParametersType">
    <xs:sequence><xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    <xs:anyAttribute namespace="##other" processContents="lax"/>
  </xs:complexType>
  <xs:element name="Metadata" type="t:MetadataType"/>
  <xs:complexType name="MetadataType">
    <xs:sequence><xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
    <xs:anyAttribute namespace="##other" processContents="lax"/>
  </xs:complexType>
  <xs:element name="MessageID" type="t:AttributedURIType"/>
  <xs:element name="RelatesTo" type="t:RelatesToType"/>
  <xs:complexType name="RelatesToType">
    <xs:simpleContent>
      <xs:extension base="xs:anyURI">
        <xs:attribute name="RelationshipType" type="xs:anyURI" default="http://www.w3.org/2005/08/addressing/reply"/>
        <xs:anyAttribute namespace="##other" processContents="lax"/>
      </xs:extension>
    </xs:simpleContent>
  </xs:complexType>
  <xs:element name="ReplyTo" type="t:EndpointReferenceType"/>
  <xs:element name="From" type="t:EndpointReferenceType"/>
  <xs:element name="FaultTo" type="t:EndpointReferenceType"/>
  <xs:element name="To" type="t:AttributedURIType"/>
  <xs:element name="Action" type="t:AttributedURIType"/>
  <xs:complexType name="AttributedURIType">
    <xs:simpleContent>
      <xs:extension base="xs:anyURI"><xs:anyAttribute namespace="##other" processContents="lax"/></xs:extension>
    </xs:simpleContent>
  </xs:complexType>
  <xs:attribute name="IsReferenceParameter" type="xs:boolean"/>
</xs:schema>"###;

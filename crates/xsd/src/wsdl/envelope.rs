//! Schema documents of whole SOAP messages: the envelope around what the literal messages of a description have in their
//! bodies.

use std::collections::BTreeSet;
use std::fmt::Write;

use tam::Error;

use super::check::{Content, SOAP_11, SOAP_12};
use super::model::{Description, SoapVersion};
use crate::{Name, Options, Schema, TypeId};

/// A schema document that has been made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnvelopeDocument {
    /// A location to give it by.
    pub location: String,
    /// The document.
    pub text: String,
    /// The version of SOAP, if it declares an envelope; it may also declare what several envelopes have in common.
    pub version: Option<SoapVersion>,
    /// Namespace and local name of the first element of each message that its body may have, in their order.
    pub messages: Vec<(String, String)>,
    /// Namespace and local name of the elements of messages in SOAP's encoding that it declares.
    pub encoded: Vec<(String, String)>,
}

impl Description {
    /// Schema documents with an element `Envelope` for each version of SOAP, in whose body is one of the messages of its
    /// bindings or a fault; none if there are no messages. With the documents of the description ([`Description::read_all`]) they are a schema whose
    /// instances are the messages; [`Description::encode`] makes it one of messages in SOAP's encoding, too.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_xsd::wsdl::Description;
    /// use lengthwise_xsd::{Memory, Options};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let mut source = Memory::new().with(
    ///     "ping.wsdl",
    ///     r#"<definitions targetNamespace="urn:ping" xmlns:t="urn:ping" xmlns="http://schemas.xmlsoap.org/wsdl/"
    ///            xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
    ///          <message name="Ping"><part name="count" type="xs:int"/></message>
    ///          <portType name="Port"><operation name="ping"><input message="t:Ping"/></operation></portType>
    ///          <binding name="Soap" type="t:Port"><soap:binding style="rpc"/><operation name="ping">
    ///            <input><soap:body use="literal" namespace="urn:ping"/></input></operation></binding>
    ///        </definitions>"#,
    /// );
    /// let options = Options::default();
    /// let description = Description::read_from(&source, "ping.wsdl", &options)?;
    /// let mut locations = vec!["ping.wsdl".to_owned()];
    /// for document in description.envelopes() {
    ///     source = source.with(document.location.clone(), document.text);
    ///     locations.push(document.location);
    /// }
    /// let schema = Description::read_all(source, &locations, &options)?.schema;
    /// schema.validate(
    ///     br#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
    ///           <p:ping xmlns:p="urn:ping"><count>7</count></p:ping></e:Body></e:Envelope>"#,
    ///     &options,
    /// )?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn envelopes(&self) -> Vec<EnvelopeDocument> {
        let mut known: Vec<_> = self
            .bodies
            .known
            .iter()
            .filter(|(_, body)| body.has_schema)
            .map(|(name, body)| (self.uri_and_local(*name), body))
            .collect();
        known.sort_by_key(|(name, _)| *name);
        let mut documents = Vec::new();
        let has_messages =
            |body: &super::check::Body| body.versions != [false; 2] && !matches!(body.content, Content::Unchecked(_));
        if !known.iter().any(|(_, body)| has_messages(body)) {
            return documents;
        }
        for (version, (soap, types)) in [(SOAP_11, SOAP_11_TYPES), (SOAP_12, SOAP_12_TYPES)].into_iter().enumerate() {
            let mut document = Document::new(soap);
            let (mut messages, mut names) = (String::new(), Vec::new());
            for ((uri, local), body) in known.iter().filter(|(_, body)| body.versions[version]) {
                match &body.content {
                    Content::Elements(elements) if elements.len() == 1 => {
                        let name = document.name((*uri, *local));
                        _ = writeln!(messages, "<xs:element ref=\"{name}\"/>");
                    }
                    Content::Elements(elements) => {
                        messages.push_str("<xs:sequence>");
                        for element in elements {
                            let name = document.name(self.uri_and_local(self.schema.elements[*element].name));
                            _ = write!(messages, "<xs:element ref=\"{name}\"/>");
                        }
                        messages.push_str("</xs:sequence>\n");
                    }
                    Content::Parts(_) | Content::Encoded(_) => {
                        let name = document.name((*uri, *local));
                        _ = writeln!(messages, "<xs:element ref=\"{name}\"/>");
                    }
                    Content::Unchecked(_) => continue,
                }
                names.push(((*uri).to_owned(), (*local).to_owned()));
            }
            let least = usize::from(!self.bodies.may_be_empty);
            // Header blocks are in a namespace; those of SOAP 1.2 may be in its own.
            let blocks = ["##other", "##any"][version];
            let text = ENVELOPE.replace("BLOCKS", blocks).replace("LEAST", &least.to_string());
            let text = text.replace("MESSAGES", &messages) + types;
            let made = document.finish(&format!("soap-1.{}-envelope.xsd", version + 1), &text);
            let version = if version == 0 { SoapVersion::Soap11 } else { SoapVersion::Soap12 };
            documents.push(EnvelopeDocument { version: Some(version), messages: names, ..made });
        }
        let uris: BTreeSet<&str> = known.iter().map(|((uri, _), _)| *uri).collect();
        for (number, uri) in uris.into_iter().enumerate() {
            let (mut document, mut text, mut encoded) = (Document::new(uri), String::new(), Vec::new());
            for ((_, local), body) in known.iter().filter(|((other, _), _)| *other == uri) {
                let (Content::Parts(parts) | Content::Encoded(parts)) = &body.content else { continue };
                if let Content::Encoded(_) = body.content {
                    encoded.push((uri.to_owned(), (*local).to_owned()));
                }
                _ = writeln!(text, "<xs:element name=\"{local}\"><xs:complexType><xs:sequence>");
                for (part, ty) in parts {
                    let ty = document.name(self.type_of(*ty));
                    let part = self.schema.names.local(*part);
                    _ = writeln!(text, "<xs:element name=\"{part}\" type=\"{ty}\"/>");
                }
                text.push_str("</xs:sequence></xs:complexType></xs:element>\n");
            }
            if !text.is_empty() {
                let made = document.finish(&format!("soap-wrappers-{number}.xsd"), &text);
                documents.push(EnvelopeDocument { encoded, ..made });
            }
        }
        documents
    }

    /// The schema of a description that has been read with documents from [`Description::envelopes`]: elements of messages
    /// in SOAP's encoding have the types that the encoding makes of theirs (SOAP 1.1 section 5). Structs have their members
    /// in any order, arrays items of any name, and each element may have the attributes of the encoding and `xsi:type`.
    /// References to other elements (`href`) are not followed.
    ///
    /// # Errors
    /// Kind limit, if there are more members than [`Options::particles`](crate::Options::particles).
    pub fn encode(mut self, documents: &[EnvelopeDocument], options: &Options) -> Result<Schema, Error> {
        let names = documents.iter().flat_map(|document| &document.encoded);
        let elements = names.filter_map(|(uri, local)| self.schema.find_element(uri, local)).collect::<Vec<_>>();
        self.schema.encode(&elements, options.particles)?;
        Ok(self.schema)
    }

    fn uri_and_local(&self, name: Name) -> (&str, &str) {
        let names = &self.schema.names;
        (names.uri(names.namespace(name)), names.local(name))
    }

    /// The name of the type of a part, which is a reference by name.
    fn type_of(&self, ty: TypeId) -> (&str, &str) {
        self.schema.type_name(ty).map_or((crate::XSD_NAMESPACE, "anyType"), |name| self.uri_and_local(name))
    }
}

/// A document that is being made: its target namespace, and the namespaces that it imports.
struct Document<'d> {
    target: &'d str,
    imported: Vec<&'d str>,
}

impl<'d> Document<'d> {
    fn new(target: &'d str) -> Document<'d> {
        Document { target, imported: Vec::new() }
    }

    /// A name as it is written in the document.
    fn name(&mut self, (uri, local): (&'d str, &str)) -> String {
        if uri == crate::XSD_NAMESPACE {
            return format!("xs:{local}");
        }
        if uri == self.target {
            return format!("t:{local}");
        }
        let known = self.imported.iter().position(|other| *other == uri);
        let number = known.unwrap_or_else(|| {
            self.imported.push(uri);
            self.imported.len() - 1
        });
        if uri.is_empty() { local.to_owned() } else { format!("n{number}:{local}") }
    }

    fn finish(self, location: &str, text: &str) -> EnvelopeDocument {
        let escaped = |uri: &str| {
            let mut escaped = Vec::new();
            xml::escape::push(&mut escaped, uri, xml::escape::Context::Attribute);
            String::from_utf8_lossy(&escaped).into_owned()
        };
        let mut document = format!("<xs:schema xmlns:xs=\"{}\"", crate::XSD_NAMESPACE);
        if !self.target.is_empty() {
            let target = escaped(self.target);
            _ = write!(document, " targetNamespace=\"{target}\" xmlns:t=\"{target}\"");
        }
        let named = || self.imported.iter().enumerate().filter(|(_, uri)| !uri.is_empty());
        named().for_each(|(number, uri)| _ = write!(document, " xmlns:n{number}=\"{}\"", escaped(uri)));
        document.push_str(">\n");
        named().for_each(|(_, uri)| _ = writeln!(document, "<xs:import namespace=\"{}\"/>", escaped(uri)));
        if self.imported.contains(&"") {
            document.push_str("<xs:import/>\n");
        }
        document.push_str(text);
        document.push_str("</xs:schema>\n");
        let (messages, encoded) = (Vec::new(), Vec::new());
        EnvelopeDocument { location: location.to_owned(), text: document, version: None, messages, encoded }
    }
}

/// SOAP 1.1 section 4, and SOAP 1.2 section 5.1.
const ENVELOPE: &str = r###"<xs:element name="Envelope"><xs:complexType><xs:sequence>
<xs:element name="Header" minOccurs="0" form="qualified"><xs:complexType><xs:sequence>
<xs:any namespace="BLOCKS" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute namespace="##any" processContents="lax"/></xs:complexType></xs:element>
<xs:element name="Body" form="qualified"><xs:complexType><xs:choice minOccurs="LEAST">
MESSAGES<xs:element ref="t:Fault"/>
</xs:choice><xs:anyAttribute namespace="##any" processContents="lax"/></xs:complexType></xs:element>
</xs:sequence><xs:anyAttribute namespace="##any" processContents="lax"/></xs:complexType></xs:element>
<xs:element name="Fault" type="t:Fault"/>
"###;

/// The types and attributes of SOAP 1.1 section 4.
pub(crate) const SOAP_11_TYPES: &str = r###"<xs:attribute name="mustUnderstand" type="xs:boolean"/>
<xs:attribute name="actor" type="xs:anyURI"/>
<xs:attribute name="encodingStyle"><xs:simpleType><xs:list itemType="xs:anyURI"/></xs:simpleType></xs:attribute>
<xs:complexType name="Envelope"><xs:sequence>
<xs:element name="Header" type="t:Header" minOccurs="0" form="qualified"/>
<xs:element name="Body" type="t:Body" form="qualified"/>
<xs:any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute namespace="##other" processContents="lax"/></xs:complexType>
<xs:complexType name="Header"><xs:sequence>
<xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute processContents="lax"/></xs:complexType>
<xs:complexType name="Body"><xs:sequence>
<xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute processContents="lax"/></xs:complexType>
<xs:complexType name="Fault"><xs:sequence>
<xs:element name="faultcode" type="xs:QName"/><xs:element name="faultstring" type="xs:string"/>
<xs:element name="faultactor" type="xs:anyURI" minOccurs="0"/>
<xs:element name="detail" type="t:detail" minOccurs="0"/>
</xs:sequence></xs:complexType>
<xs:complexType name="detail"><xs:sequence>
<xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute processContents="lax"/></xs:complexType>
"###;

/// The types and attributes of SOAP 1.2 part 1, section 5.
pub(crate) const SOAP_12_TYPES: &str = r###"<xs:attribute name="mustUnderstand" type="xs:boolean"/>
<xs:attribute name="role" type="xs:anyURI"/>
<xs:attribute name="relay" type="xs:boolean"/>
<xs:attribute name="encodingStyle" type="xs:anyURI"/>
<xs:complexType name="Envelope"><xs:sequence>
<xs:element name="Header" type="t:Header" minOccurs="0" form="qualified"/>
<xs:element name="Body" type="t:Body" form="qualified"/>
</xs:sequence><xs:anyAttribute namespace="##other" processContents="lax"/></xs:complexType>
<xs:complexType name="Header"><xs:sequence>
<xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute processContents="lax"/></xs:complexType>
<xs:complexType name="Body"><xs:sequence>
<xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute processContents="lax"/></xs:complexType>
<xs:complexType name="Fault"><xs:sequence>
<xs:element name="Code" type="t:faultcode" form="qualified"/>
<xs:element name="Reason" type="t:faultreason" form="qualified"/>
<xs:element name="Node" type="xs:anyURI" minOccurs="0" form="qualified"/>
<xs:element name="Role" type="xs:anyURI" minOccurs="0" form="qualified"/>
<xs:element name="Detail" type="t:detail" minOccurs="0" form="qualified"/>
</xs:sequence></xs:complexType>
<xs:complexType name="faultcode"><xs:sequence>
<xs:element name="Value" type="xs:QName" form="qualified"/>
<xs:element name="Subcode" type="t:subcode" minOccurs="0" form="qualified"/>
</xs:sequence></xs:complexType>
<xs:complexType name="subcode"><xs:sequence>
<xs:element name="Value" type="xs:QName" form="qualified"/>
<xs:element name="Subcode" type="t:subcode" minOccurs="0" form="qualified"/>
</xs:sequence></xs:complexType>
<xs:complexType name="faultreason"><xs:sequence>
<xs:element name="Text" type="t:reasontext" maxOccurs="unbounded" form="qualified"/>
</xs:sequence></xs:complexType>
<xs:complexType name="reasontext"><xs:simpleContent>
<xs:extension base="xs:string"><xs:anyAttribute processContents="lax"/></xs:extension>
</xs:simpleContent></xs:complexType>
<xs:complexType name="detail"><xs:sequence>
<xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
</xs:sequence><xs:anyAttribute processContents="lax"/></xs:complexType>
"###;

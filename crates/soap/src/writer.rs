//! Messages from values of Rust's types.

use std::collections::BTreeMap;

use asn1::compiled::Kind;
use asn1::{Value, Values};
use serde_core::de::DeserializeOwned;
use serde_core::ser::{Serialize, SerializeMap, Serializer};
use tam::{Error, ErrorKind, Limits};
use x694::xer::{self, Package};
use xsd::wsdl::SoapVersion;
use xsd::{ENCODING_NAMESPACE, Options};

use crate::header::Header;
use crate::service::{Envelope, Name, Service};

/// What is before the body of a message that is written: its version of SOAP alone, or header blocks as well.
///
/// ```
/// # use ::xsd as lengthwise_xsd;
/// # use ::tam as lengthwise_tam;
/// # use lengthwise_soap::{Head, Header, Name, Service, SoapVersion};
/// # use lengthwise_xsd::{Memory, Options};
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// # let source = Memory::new().with(
/// #     "ping.wsdl",
/// #     r#"<definitions targetNamespace="urn:ping" xmlns:t="urn:ping" xmlns="http://schemas.xmlsoap.org/wsdl/"
/// #            xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
/// #          <types><xs:schema targetNamespace="urn:ping"><xs:element name="token" type="xs:string"/></xs:schema></types>
/// #          <message name="Ping"><part name="count" type="xs:int"/></message>
/// #          <message name="Auth"><part name="token" element="t:token"/></message>
/// #          <portType name="Port"><operation name="ping"><input message="t:Ping"/></operation></portType>
/// #          <binding name="Soap" type="t:Port"><soap:binding style="rpc"/><operation name="ping">
/// #            <input><soap:header message="t:Auth" part="token" use="literal"/>
/// #              <soap:body use="literal" namespace="urn:ping"/></input></operation></binding>
/// #        </definitions>"#,
/// # );
/// # let service = Service::read(source, "ping.wsdl", &Options::default())?;
/// let name = |local: &str| Name { namespace: "urn:ping".to_owned(), local: local.to_owned() };
/// let version = SoapVersion::Soap11;
/// let token = service.block(version, &Header::new(name("token")).that_must_be_understood(), "secret")?;
/// let head = Head { version, blocks: &[token] };
/// let mut out = Vec::new();
/// service.append(head, &name("ping"), &std::collections::BTreeMap::from([("count", 7)]), &mut out)?;
/// let text = String::from_utf8_lossy(&out);
/// assert!(text.contains(":mustUnderstand=\"1\"") && text.contains(">secret</"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Head<'h> {
    /// The version of SOAP.
    pub version: SoapVersion,
    /// The header blocks: the text of an element each ([`Service::block`]).
    pub blocks: &'h [String],
}

impl From<SoapVersion> for Head<'_> {
    fn from(version: SoapVersion) -> Self {
        Head { version, blocks: &[] }
    }
}

impl Service {
    /// Appends a message of a version of SOAP, with its header blocks: the element in its body, and its value
    /// ([`asn1::to_value`]). The names in the value are those of the X.694 mapping: `i-list` for elements `i` that repeat.
    ///
    /// ```
    /// # use ::xsd as lengthwise_xsd;
    /// # use ::tam as lengthwise_tam;
    /// # use lengthwise_soap::{Name, Service, SoapVersion};
    /// # use lengthwise_xsd::{Memory, Options};
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// # let source = Memory::new().with(
    /// #     "ping.wsdl",
    /// #     r#"<definitions targetNamespace="urn:ping" xmlns:t="urn:ping" xmlns="http://schemas.xmlsoap.org/wsdl/"
    /// #            xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
    /// #          <message name="Ping"><part name="count" type="xs:int"/></message>
    /// #          <portType name="Port"><operation name="ping"><input message="t:Ping"/></operation></portType>
    /// #          <binding name="Soap" type="t:Port"><soap:binding style="rpc"/><operation name="ping">
    /// #            <input><soap:body use="literal" namespace="urn:ping"/></input></operation></binding>
    /// #        </definitions>"#,
    /// # );
    /// # let service = Service::read(source, "ping.wsdl", &Options::default())?;
    /// #[derive(serde::Serialize)]
    /// struct Ping {
    ///     count: u32,
    /// }
    ///
    /// let name = Name { namespace: "urn:ping".to_owned(), local: "ping".to_owned() };
    /// let mut out = Vec::new();
    /// service.append(SoapVersion::Soap11, &name, &Ping { count: 7 }, &mut out)?;
    /// assert!(String::from_utf8_lossy(&out).contains("<count>7</count>"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Kind schema, if the version has no message of that name or the value is not one of its type; kind syntax or
    /// unsupported, if a header block is not one ([`Service::check_block`]). `out` is unchanged after an error.
    pub fn append<'h, T: Serialize + ?Sized>(
        &self,
        head: impl Into<Head<'h>>,
        name: &Name,
        value: &T,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.with_message(head.into(), name, value, |message| xer::append(message, self.types(), out))
    }

    /// A message like that of [`Service::append`] with octets in parts of their own (MTOM): those of the elements of
    /// base64 that have at least so many.
    ///
    /// # Errors
    /// Those of [`Service::append`].
    pub fn package<'h, T: Serialize + ?Sized>(
        &self,
        head: impl Into<Head<'h>>,
        name: &Name,
        value: &T,
        least: usize,
    ) -> Result<Package, Error> {
        self.with_message(head.into(), name, value, |message| xer::write_package(message, self.types(), least))
    }

    /// Appends a fault: its code, such as `Client` of the namespace of the envelope, what is wrong, in English, and the
    /// elements of its detail, such as those of [`Service::element`].
    ///
    /// # Errors
    /// Those of [`xer::check_element`] for a detail, and of [`Service::check_block`]. `out` is unchanged after an error.
    pub fn append_fault<'h>(
        &self,
        head: impl Into<Head<'h>>,
        code: &Name,
        reason: &str,
        details: &[impl AsRef<str>],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let head = head.into();
        let Some(envelope) = self.envelope(head.version) else { return Ok(()) };
        let details: Vec<&str> = details.iter().map(AsRef::as_ref).collect();
        let fault = Fault { version: head.version, code, reason, details: &details };
        self.with_body(envelope, head.blocks, (envelope.messages.len(), false), &fault, |message| {
            xer::append(message, self.types(), out)
        })
    }

    /// A header block that the description declares, as text.
    ///
    /// # Errors
    /// Those of [`Service::element`].
    pub fn block<T: Serialize + ?Sized>(
        &self,
        version: SoapVersion,
        header: &Header,
        value: &T,
    ) -> Result<String, Error> {
        let mut text = self.element(&header.name, value)?;
        let name_end = text.find([' ', '/', '>']).unwrap_or(text.len());
        let attributes = header.attributes(version, &text);
        text.insert_str(name_end, &attributes);
        Ok(text)
    }

    /// An element that the description declares globally, as text: what the detail of a fault is made of.
    ///
    /// # Errors
    /// Kind schema, if it is not declared or the value is not one of its type.
    pub fn element<T: Serialize + ?Sized>(&self, name: &Name, value: &T) -> Result<String, Error> {
        let types = self.types();
        let root = self.root(name)?;
        let mut values = Values::new();
        let value = asn1::to_value(value, types.compiled(), root.node(), &Limits::default(), &mut values)?;
        Ok(String::from_utf8_lossy(&xer::write(value, types)?).into_owned())
    }

    /// The value of an element that the description declares globally: a header block ([`Message::header`]), or one of the
    /// details of a fault. `T` is as for [`asn1::from_value`].
    ///
    /// [`Message::header`]: crate::Message::header
    ///
    /// # Errors
    /// Those of [`xer::read`], and kind schema if the value is not one of `T`.
    pub fn read_element<T: DeserializeOwned>(&self, element: &str, options: &Options) -> Result<T, Error> {
        let (mut values, options) = (Values::new(), options.clone().with_soap_attributes());
        asn1::from_value(xer::read(element.as_bytes(), self.types(), &options, &mut values)?)
    }

    /// Checks that a text is an element that a message of a version may have in its header: in SOAP 1.1 it is in a namespace that
    /// is not the envelope's (section 4.2), and if the description declares it, its value is one of its type.
    ///
    /// # Errors
    /// Those of [`xer::check_element`] and of [`xer::read`]; kind schema for a namespace that is not allowed.
    pub fn check_block(&self, version: SoapVersion, block: &str) -> Result<(), Error> {
        xer::check_element(block)?;
        let Some(header) = Header::of(block, version.namespace()) else { return Ok(()) };
        let namespace = &header.name.namespace[..];
        if version == SoapVersion::Soap11 && (namespace.is_empty() || namespace == version.namespace()) {
            let found = format!("the header block {}", header.name);
            return Err(Error::new(ErrorKind::Schema, "soap", 0, found, "one in a namespace of its own"));
        }
        if self.root(&header.name).is_ok() {
            let options = Options::default().with_soap_attributes();
            xer::read(block.as_bytes(), self.types(), &options, &mut Values::new())?;
        }
        Ok(())
    }

    /// The global element of a name.
    fn root(&self, name: &Name) -> Result<xer::Root, Error> {
        let root = self.types().root(&name.to_string())?;
        if root.namespace(self.types()) != name.namespace {
            let found = format!("the schema has no global element {name}");
            return Err(Error::new(ErrorKind::Schema, "xsd", 0, found, ""));
        }
        Ok(root)
    }

    fn envelope(&self, version: SoapVersion) -> Option<&Envelope> {
        self.envelopes.iter().find(|envelope| envelope.version == version)
    }

    fn with_message<T: Serialize + ?Sized, O>(
        &self,
        head: Head<'_>,
        name: &Name,
        value: &T,
        write: impl FnOnce(Value<'_>) -> Result<O, Error>,
    ) -> Result<O, Error> {
        let envelope = self.envelope(head.version);
        let place =
            envelope.and_then(|envelope| Some((envelope, envelope.messages.iter().position(|one| one == name)?)));
        let Some((envelope, place)) = place else {
            let found = format!("the element '{name}'");
            return Err(Error::new(ErrorKind::Schema, "soap", 0, found, "a message of the service"));
        };
        self.with_body(envelope, head.blocks, (place, self.encoded.contains(name)), value, write)
    }

    /// Makes a message with one of the alternatives in its body, in SOAP's encoding or not.
    fn with_body<T: Serialize + ?Sized, O>(
        &self,
        envelope: &Envelope,
        blocks: &[String],
        (place, is_encoded): (usize, bool),
        value: &T,
        write: impl FnOnce(Value<'_>) -> Result<O, Error>,
    ) -> Result<O, Error> {
        blocks.iter().try_for_each(|block| self.check_block(envelope.version, block))?;
        let types = self.types().compiled();
        let content = types.member(envelope.node, "Body").and_then(|body| match types.node(body.node).kind {
            Kind::Record(number) => types.record(number).members.last(),
            _ => None,
        });
        let Some(content) = content else {
            return Err(Error::new(ErrorKind::Schema, "soap", 0, "a message without a body", "one that has one"));
        };
        let alternative = match types.node(content.node).kind {
            Kind::Choice(number) => types.choice(number).alternatives.get(place).map(|one| &one.name[..]),
            // There are only faults.
            _ => None,
        };
        let style = format!("{} encodingStyle=\"{ENCODING_NAMESPACE}\"", envelope.version.namespace());
        let style = if is_encoded { &[&style[..]][..] } else { &[] };
        let inner = Element { attributes: None, name: alternative, value };
        let body = Element { attributes: Some(style), name: Some(&content.name), value: &inner };
        let message = Parts { blocks, body: &body };
        let mut values = Values::new();
        write(asn1::to_value(&message, types, envelope.node, &Limits::default(), &mut values)?)
    }
}

/// A record of the component of other attributes, where there is one, and one other; without a name the value itself.
struct Element<'e, T: ?Sized> {
    attributes: Option<&'e [&'e str]>,
    name: Option<&'e str>,
    value: &'e T,
}

impl<T: Serialize + ?Sized> Serialize for Element<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(name) = self.name else { return self.value.serialize(serializer) };
        let mut members = serializer.serialize_map(None)?;
        if let Some(attributes) = self.attributes {
            members.serialize_entry("attr", attributes)?;
        }
        members.serialize_entry(name, self.value)?;
        members.end()
    }
}

/// The parts of an envelope.
struct Parts<'p, T> {
    blocks: &'p [String],
    body: &'p T,
}

impl<T: Serialize> Serialize for Parts<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let none: &[&str] = &[];
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("attr", none)?;
        if !self.blocks.is_empty() {
            let header = Element { attributes: Some(none), name: Some("elem-list"), value: self.blocks };
            members.serialize_entry("Header", &header)?;
        }
        members.serialize_entry("Body", self.body)?;
        members.end()
    }
}

/// A fault (SOAP 1.1 section 4.4, SOAP 1.2 part 1 section 5.4).
struct Fault<'f> {
    version: SoapVersion,
    code: &'f Name,
    reason: &'f str,
    details: &'f [&'f str],
}

impl Serialize for Fault<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let code = BTreeMap::from([("uri", &self.code.namespace), ("name", &self.code.local)]);
        let mut members = serializer.serialize_map(None)?;
        match self.version {
            SoapVersion::Soap11 => {
                members.serialize_entry("faultcode", &code)?;
                members.serialize_entry("faultstring", self.reason)?;
            }
            SoapVersion::Soap12 => {
                members.serialize_entry("Code", &BTreeMap::from([("Value", code)]))?;
                let language = format!("{} lang=\"en\"", xsd::XML_NAMESPACE);
                let text = Element { attributes: Some(&[&language]), name: Some("base"), value: self.reason };
                members.serialize_entry("Reason", &BTreeMap::from([("Text", [text])]))?;
            }
        }
        if !self.details.is_empty() {
            let details = Element { attributes: Some(&[]), name: Some("elem-list"), value: self.details };
            let name = if self.version == SoapVersion::Soap11 { "detail" } else { "Detail" };
            members.serialize_entry(name, &details)?;
        }
        members.end()
    }
}

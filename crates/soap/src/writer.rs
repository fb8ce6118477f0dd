//! Messages from values, which a program gives as a document of JSON (ITU-T X.697).

use asn1::compiled::Kind;
use asn1::{Values, jer};
use tam::{Builder, Error, ErrorKind, Limits, Table, TypeSet};
use x694::xer;
use xsd::ENCODING_NAMESPACE;
use xsd::wsdl::SoapVersion;

use crate::service::{Envelope, Name, Service};

impl Service {
    /// Appends a message of a version of SOAP, whose first element in the body has a name. `fill` adds the value to a document of
    /// JSON as one unit, with the name that it is passed.
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
    /// let name = Name { namespace: "urn:ping".to_owned(), local: "ping".to_owned() };
    /// let mut out = Vec::new();
    /// service.append(SoapVersion::Soap11, &name, &mut out, |json, unit| {
    ///     json.open(b'{', unit)?;
    ///     json.primitive(b'#', b"count", b"7")?;
    ///     json.close()
    /// })?;
    /// assert!(String::from_utf8_lossy(&out).contains("<count>7</count>"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Kind schema, if the version has no message of that name or the value is not one of its type; those of `fill`. `out` is
    /// unchanged after an error.
    pub fn append(
        &self,
        version: SoapVersion,
        name: &Name,
        out: &mut Vec<u8>,
        fill: impl FnOnce(&mut Builder<'_, '_, '_>, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let envelope = self.envelope(version);
        let place =
            envelope.and_then(|envelope| Some((envelope, envelope.messages.iter().position(|one| one == name)?)));
        let Some((envelope, place)) = place else {
            let found = format!("the element '{name}'");
            return Err(Error::new(ErrorKind::Schema, "soap", 0, found, "a message of the service"));
        };
        self.append_body(envelope, place, self.encoded.contains(name), out, fill)
    }

    /// Appends a fault: its code, such as `Client` of the namespace of the envelope, and what is wrong, in English.
    ///
    /// # Errors
    /// Kind limit, if there is too much of it. `out` is unchanged after an error.
    pub fn append_fault(
        &self,
        version: SoapVersion,
        code: &Name,
        reason: &str,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let Some(envelope) = self.envelope(version) else { return Ok(()) };
        self.append_body(envelope, envelope.messages.len(), false, out, |json, unit| {
            let add_code = |json: &mut Builder<'_, '_, '_>, unit: &[u8]| {
                json.open(b'{', unit)?;
                json.primitive(b'\'', b"uri", code.namespace.as_bytes())?;
                json.primitive(b'\'', b"name", code.local.as_bytes())?;
                json.close()
            };
            json.open(b'{', unit)?;
            match version {
                SoapVersion::Soap11 => {
                    add_code(json, b"faultcode")?;
                    json.primitive(b'\'', b"faultstring", reason.as_bytes())?;
                }
                SoapVersion::Soap12 => {
                    json.open(b'{', b"code")?;
                    add_code(json, b"value")?;
                    json.close()?;
                    json.open(b'{', b"reason")?;
                    json.open(b'[', b"text-list")?;
                    json.open(b'{', b"")?;
                    attributes(json, Some(&format!("{} lang=\"en\"", xsd::XML_NAMESPACE)))?;
                    json.primitive(b'\'', b"base", reason.as_bytes())?;
                    json.close()?;
                    json.close()?;
                    json.close()?;
                }
            }
            json.close()
        })
    }

    fn envelope(&self, version: SoapVersion) -> Option<&Envelope> {
        self.envelopes.iter().find(|envelope| envelope.version == version)
    }

    /// Appends a message with one of the alternatives in its body.
    fn append_body(
        &self,
        envelope: &Envelope,
        place: usize,
        is_encoded: bool,
        out: &mut Vec<u8>,
        fill: impl FnOnce(&mut Builder<'_, '_, '_>, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let types = self.types().compiled();
        let body = types.member(envelope.node, "body");
        let content = body.and_then(|body| match types.node(body.node).kind {
            Kind::Record(number) => types.record(number).members.last(),
            _ => None,
        });
        let Some(content) = content else { return Ok(()) };
        let alternative = match types.node(content.node).kind {
            Kind::Choice(number) => types.choice(number).alternatives.get(place).map(|one| one.name.as_bytes()),
            _ => None,
        };
        let mut table = Table::new();
        let limits = Limits::default();
        let mut json = Builder::new(b"", TypeSet::VALUE, limits, &mut table);
        json.open(b'{', b"")?;
        attributes(&mut json, None)?;
        json.open(b'{', b"body")?;
        let style = format!("{} encodingStyle=\"{ENCODING_NAMESPACE}\"", envelope.version.namespace());
        attributes(&mut json, is_encoded.then_some(&style))?;
        match alternative {
            Some(alternative) => {
                json.open(b'{', content.name.as_bytes())?;
                fill(&mut json, alternative)?;
                json.close()?;
            }
            // There are only faults.
            None => fill(&mut json, content.name.as_bytes())?,
        }
        json.close()?;
        json.close()?;
        json.finish()?;
        let document = table.document(b"", TypeSet::VALUE);
        let mut values = Values::new();
        let value = jer::read(&document, types, envelope.node, &limits, &mut values)?;
        xer::append(value, self.types(), out)
    }
}

/// The component of other attributes, with at most one.
fn attributes(json: &mut Builder<'_, '_, '_>, one: Option<&String>) -> Result<(), Error> {
    json.open(b'[', b"attr")?;
    if let Some(one) = one {
        json.primitive(b'\'', b"", one.as_bytes())?;
    }
    json.close()
}

//! Messages of a service: what is in an envelope.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_soap as soap;

use std::collections::BTreeMap;

use asn1::Values;
use serde::{Deserialize, Serialize};
use soap::{Body, Head, Header, Name, Service, SoapVersion};
use tam::ErrorKind;
use x694::xer::{self, Templates};
use xsd::{Memory, Options};

const DESCRIPTION: &str = r#"<definitions targetNamespace="urn:s" xmlns:t="urn:s" xmlns:d="urn:d"
    xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <types><xs:schema targetNamespace="urn:d" elementFormDefault="qualified">
    <xs:element name="order"><xs:complexType><xs:sequence>
      <xs:element name="line" maxOccurs="unbounded"><xs:complexType><xs:simpleContent>
        <xs:extension base="xs:string"><xs:attribute name="quantity" type="xs:int" default="1"/></xs:extension>
      </xs:simpleContent></xs:complexType></xs:element>
      <xs:element name="total"><xs:complexType><xs:simpleContent>
        <xs:extension base="xs:decimal"><xs:attribute name="Ccy" use="required"/></xs:extension>
      </xs:simpleContent></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
    <xs:element name="answer" type="xs:dateTime"/>
    <xs:element name="auth"><xs:complexType><xs:sequence><xs:element name="user" type="xs:string"/>
      <xs:element name="token" type="xs:int"/></xs:sequence></xs:complexType></xs:element>
  </xs:schema></types>
  <message name="Order"><part name="order" element="d:order"/></message>
  <message name="Answer"><part name="answer" element="d:answer"/></message>
  <message name="Auth"><part name="auth" element="d:auth"/></message>
  <portType name="Port"><operation name="order"><input message="t:Order"/><output message="t:Answer"/></operation></portType>
  <binding name="Soap" type="t:Port"><soap:binding style="document"/><operation name="order">
    <input><soap:header message="t:Auth" part="auth" use="literal"/><soap:body use="literal"/></input>
    <output><soap:body use="literal"/></output></operation></binding>
  <binding name="Soap12" type="t:Port"><soap12:binding style="document"/><operation name="order">
    <input><soap12:body use="literal"/></input><output><soap12:body use="literal"/></output></operation></binding>
</definitions>"#;

fn service() -> Service {
    Service::read(Memory::new().with("s.wsdl", DESCRIPTION), "s.wsdl", &Options::default()).unwrap()
}

fn envelope(version: SoapVersion, header: &str, body: &str) -> String {
    let header = if header.is_empty() { String::new() } else { format!("<e:Header>{header}</e:Header>") };
    format!("<e:Envelope xmlns:e='{}'>{header}<e:Body>{body}</e:Body></e:Envelope>", version.namespace())
}

const ORDER: &str =
    "<order xmlns='urn:d'><line quantity='2'>pen</line><line>ink</line><total Ccy='EUR'>12.50</total></order>";

#[test]
fn a_body_has_the_value_of_its_element() {
    let (service, mut values) = (service(), Values::new());
    for version in [SoapVersion::Soap11, SoapVersion::Soap12] {
        let names: Vec<String> = service.messages(version).map(Name::to_string).collect();
        assert_eq!(names, ["{urn:d}answer", "{urn:d}order"]);
        let text = envelope(version, "", ORDER);
        let value = xer::read(text.as_bytes(), service.types(), &Options::default(), &mut values).unwrap();
        let message = service.message(value);
        assert_eq!((message.version(), message.headers().count()), (Some(version), 0));
        let Some(Body::Call { name, value }) = message.body() else { panic!("no call") };
        assert_eq!(name.to_string(), "{urn:d}order");
        assert_eq!(value.get("line/0/quantity").unwrap().as_i64(), Some(2));
        // A default that the message does not have.
        assert_eq!(value.get("line/1/quantity").unwrap().as_i64(), Some(1));
        assert_eq!(value.get("total/Ccy").unwrap().as_str(), Some("EUR"));
        // It can be written again.
        let again = xer::write(message.value(), service.types()).unwrap();
        assert!(String::from_utf8(again).unwrap().contains("Ccy=\"EUR\">12.5"));
        let answer = envelope(version, "", "<answer xmlns='urn:d'>2024-05-20T10:00:00Z</answer>");
        let value = xer::read(answer.as_bytes(), service.types(), &Options::default(), &mut values).unwrap();
        let Some(Body::Call { name, value }) = service.message(value).body() else { panic!("no call") };
        assert_eq!((name.local.as_str(), value.as_str()), ("answer", Some("2024-05-20T10:00:00Z")));
    }
}

#[test]
fn header_blocks_are_passed_on_and_those_to_be_understood_are_found() {
    let (service, mut values) = (service(), Values::new());
    let blocks = "<h:a xmlns:h='urn:h' e:mustUnderstand='1'>x</h:a><h:b xmlns:h='urn:h'/>\
        <c xmlns='urn:c' e:mustUnderstand='true' e:actor='urn:someone'/>\
        <d xmlns='urn:c' e:mustUnderstand='1' e:actor='http://schemas.xmlsoap.org/soap/actor/next'/>";
    let text = envelope(SoapVersion::Soap11, blocks, ORDER);
    let value = xer::read(text.as_bytes(), service.types(), &Options::default(), &mut values).unwrap();
    let message = service.message(value);
    assert_eq!(message.headers().count(), 4);
    assert!(message.headers().next().unwrap().contains(">x</h:a>"));
    let found: Vec<_> = message.mandatory().map(|header| header.name.to_string()).collect();
    assert_eq!(found, ["{urn:h}a", "{urn:c}d"]);
}

#[test]
fn faults_have_a_code_and_a_reason() {
    let (service, mut values) = (service(), Values::new());
    let of_11 = "<e:Fault><faultcode>e:Client</faultcode><faultstring>No such order</faultstring>\
        <detail><x xmlns='urn:x'>1</x></detail></e:Fault>";
    let of_12 = "<e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text xml:lang='en'>No such order</e:Text>\
        </e:Reason><e:Role>urn:me</e:Role></e:Fault>";
    for (version, fault, code) in [(SoapVersion::Soap11, of_11, "Client"), (SoapVersion::Soap12, of_12, "Sender")] {
        let text = envelope(version, "", fault);
        let value = xer::read(text.as_bytes(), service.types(), &Options::default(), &mut values).unwrap();
        let Some(Body::Fault(fault)) = service.message(value).body() else { panic!("no fault") };
        assert_eq!((fault.code(), fault.reason()), (Some((version.namespace(), code)), Some("No such order")));
        let (actor, detail) = match version {
            SoapVersion::Soap11 => (None, "<x xmlns='urn:x'>1</x>".replace('\'', "\"")),
            SoapVersion::Soap12 => (Some("urn:me"), String::new()),
        };
        assert_eq!((fault.actor(), fault.details().collect::<String>()), (actor, detail));
    }
}

/// SOAP 1.1 section 3, SOAP 1.2 part 1 section 5.
#[test]
fn messages_have_no_document_type_and_no_instructions() {
    let service = service();
    for version in [SoapVersion::Soap11, SoapVersion::Soap12] {
        let text = envelope(version, "", ORDER);
        let with_doctype = format!("<!DOCTYPE x [<!ENTITY a 'b'>]>{text}");
        let inside = text.replace("<line>", "<?x y?><line>");
        for (text, found) in [
            (with_doctype, "a document type declaration"),
            (inside, "a processing instruction"),
            (format!("<?x y?>{text}"), "a processing instruction"),
        ] {
            let mut values = Values::new();
            xer::read(envelope(version, "", ORDER).as_bytes(), service.types(), &Options::default(), &mut values)
                .unwrap();
            let error = xer::read(text.as_bytes(), service.types(), &Options::default(), &mut values).unwrap_err();
            assert_eq!((error.kind(), error.found().to_string().as_str()), (ErrorKind::Unsupported, found));
        }
    }
}

#[test]
fn what_is_no_message_is_refused_by_its_schema() {
    let service = service();
    let templates = Templates::new(1 << 20);
    for (body, expected) in
        [("<order xmlns='urn:d'><line>x</line></order>", "total"), ("<other xmlns='urn:d'/>", "order"), ("", "order")]
    {
        let mut text = envelope(SoapVersion::Soap12, "", body).into_bytes();
        let error = templates.read(&mut text, service.types(), &Options::default()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let encoded = DESCRIPTION.replace("use=\"literal\"", "use=\"encoded\"");
    let source = Memory::new().with("s.wsdl", encoded);
    let error = Service::read(source, "s.wsdl", &Options::default()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "s.wsdl"));
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Auth {
    user: String,
    token: i32,
}

/// What a header block is written with is read again, in the message and from it.
#[test]
fn header_blocks_are_written_and_read() {
    let service = service();
    let name = |local: &str| Name { namespace: "urn:d".to_owned(), local: local.to_owned() };
    let headers = &service.bindings()[0].operations[0];
    assert_eq!((&headers.request_headers[..], &headers.response_headers[..]), (&[name("auth")][..], &[][..]));
    let auth = Auth { user: "b > \"ob\"".to_owned(), token: 7 };
    let header = || Header::new(name("auth"));
    for version in [SoapVersion::Soap11, SoapVersion::Soap12] {
        for header in [
            header(),
            header().that_must_be_understood(),
            header().to("urn:a\"<b>"),
            header().to("urn:next").that_must_be_understood(),
        ] {
            let mine = "<x:id xmlns:x='urn:x' xmlns:soap0='urn:y'>1</x:id>".to_owned();
            let blocks = [service.block(version, &header, &auth).unwrap(), mine];
            let mut out = Vec::new();
            service
                .append(Head { version, blocks: &blocks }, &name("answer"), "2024-05-20T10:00:00Z", &mut out)
                .unwrap();
            let mut values = Values::new();
            let value = xer::read_by_events(&out, service.types(), &Options::default(), &mut values).unwrap();
            let message = service.message(value);
            let found: Vec<Header> =
                message.headers().map(|block| Header::of(block, version.namespace()).unwrap()).collect();
            assert_eq!((found.len(), &found[0], &found[1].name.local[..]), (2, &header, "id"));
            let block = message.header(&name("auth")).unwrap();
            assert_eq!(service.read_element::<Auth>(block, &Options::default()).unwrap(), auth);
            assert!(message.header(&name("answer")).is_none());
            // A fault has them, too.
            out.clear();
            let code = Name { namespace: version.namespace().to_owned(), local: "Sender".to_owned() };
            service.append_fault(Head { version, blocks: &blocks }, &code, "no", &[""; 0], &mut out).unwrap();
            let value = xer::read_by_events(&out, service.types(), &Options::default(), &mut values).unwrap();
            assert!(matches!(service.message(value).body(), Some(Body::Fault(_))));
            assert_eq!(service.message(value).headers().count(), 2);
        }
        let mut out = Vec::new();
        for (block, kind) in
            [("", ErrorKind::Incomplete), ("<a/><b/>", ErrorKind::Syntax), ("<!--c--><a/>", ErrorKind::Unsupported)]
        {
            let head = Head { version, blocks: &[block.to_owned()] };
            let error = service.append(head, &name("answer"), "2024-05-20T10:00:00Z", &mut out).unwrap_err();
            assert_eq!((error.kind(), out.len()), (kind, 0), "{block}: {error}");
        }
    }
    let version = SoapVersion::Soap11;
    assert!(service.block(version, &Header::new(name("other")), &auth).is_err());
    // A name without a namespace is not that of an element in one.
    let bare = Name { namespace: String::new(), local: "auth".to_owned() };
    assert!(
        service.block(version, &Header::new(bare.clone()), &auth).is_err() && service.element(&bare, &auth).is_err()
    );
    // SOAP 1.1 section 4.2: blocks are in a namespace.
    for (block, in_11) in [
        ("<x/>".to_owned(), false),
        (format!("<x xmlns='{}'/>", SoapVersion::Soap11.namespace()), false),
        ("<x xmlns='urn:x'/>".to_owned(), true),
    ] {
        assert_eq!(service.check_block(SoapVersion::Soap11, &block).is_ok(), in_11, "{block}");
        assert!(service.check_block(SoapVersion::Soap12, &block).is_ok(), "{block}");
    }
    // What is read of a block is held against the limits.
    let block = service.block(version, &header(), &auth).unwrap();
    let few = Options::default().with_limits(tam::Limits { units: 2, ..tam::Limits::default() });
    assert_eq!(service.read_element::<Auth>(&block, &few).unwrap_err().kind(), ErrorKind::Limit);
    // Text that looks like declarations costs nothing.
    let long = Auth { user: (0..20_000).map(|n| format!("xmlns:soap{n}=")).collect(), token: 1 };
    assert!(
        service.block(version, &header().that_must_be_understood(), &long).unwrap().contains(" soap0:mustUnderstand")
    );
    assert!(service.block(version, &header(), "a token").is_err());
    // A block whose value is not one of its type, an attribute that SOAP does not have, and SOAP's on another element.
    let block = service.block(version, &header().that_must_be_understood(), &auth).unwrap();
    for (from, to) in [(">7<", ">x<"), (":mustUnderstand", ":x"), ("<user", "<user soap0:mustUnderstand='1'")] {
        let other = block.replacen(from, to, 1);
        assert_ne!(other, block);
        assert!(service.read_element::<Auth>(&other, &Options::default()).is_err(), "{other}");
    }
}

#[derive(Serialize)]
struct Order<'o> {
    #[serde(rename = "line")]
    line_list: Vec<Line<'o>>,
    total: &'o Total<'o>,
}

#[derive(Serialize)]
struct Line<'o> {
    base: &'o str,
    quantity: Option<u8>,
}

#[derive(Serialize)]
struct Total<'o> {
    base: &'o str,
    #[serde(rename = "Ccy")]
    ccy: &'o str,
}

/// What is written is read again, by the schema and as a whole.
#[test]
fn messages_and_faults_are_written() {
    let (service, mut values) = (service(), Values::new());
    let name = |local: &str| Name { namespace: "urn:d".to_owned(), local: local.to_owned() };
    for version in [SoapVersion::Soap11, SoapVersion::Soap12] {
        let mut out = Vec::new();
        service.append(version, &name("answer"), "2024-05-20T10:00:00Z", &mut out).unwrap();
        let value = xer::read_by_events(&out, service.types(), &Options::default(), &mut values).unwrap();
        let Some(Body::Call { name: found, value }) = service.message(value).body() else { panic!("no call") };
        assert_eq!((found, value.as_str()), (&name("answer"), Some("2024-05-20T10:00:00Z")));
        out.clear();
        let code = Name { namespace: version.namespace().to_owned(), local: "Sender".to_owned() };
        let total = Total { base: "12.50", ccy: "EUR" };
        let order = service.element(&name("order"), &Order { line_list: Vec::new(), total: &total });
        assert_eq!(order.unwrap_err().path(), "/line");
        let line = Line { base: "pen", quantity: Some(2) };
        let order = service.element(&name("order"), &Order { line_list: vec![line], total: &total }).unwrap();
        for details in [&[][..], &[&order[..], "<x/>"]] {
            out.clear();
            service.append_fault(version, &code, "No <such> & order", details, &mut out).unwrap();
            let value = xer::read_by_events(&out, service.types(), &Options::default(), &mut values).unwrap();
            let Some(Body::Fault(fault)) = service.message(value).body() else { panic!("no fault") };
            let expected = (Some((version.namespace(), "Sender")), Some("No <such> & order"));
            assert_eq!((fault.code(), fault.reason()), expected);
            assert_eq!(fault.details().count(), details.len());
            if let Some(detail) = fault.details().next() {
                // By the schema it is the order that was given.
                let (mut one, mut other) = (Values::new(), Values::new());
                let read = |text: &str, values| {
                    let value = xer::read(text.as_bytes(), service.types(), &Options::default(), values).unwrap();
                    xer::write(value, service.types()).unwrap()
                };
                assert_eq!(read(detail, &mut one), read(&order, &mut other));
            }
        }
        let length = out.len();
        for (detail, kind) in [
            ("no element", ErrorKind::Syntax),
            ("<a/><b/>", ErrorKind::Syntax),
            ("<!--c--><a/>", ErrorKind::Unsupported),
        ] {
            let error = service.append_fault(version, &code, "", &[detail], &mut out).unwrap_err();
            assert_eq!((error.kind(), out.len()), (kind, length), "{detail}: {error}");
        }
        // What is not a message of the service, or has another value, is refused, and nothing is written.
        let len = out.len();
        let no_time = service.append(version, &name("answer"), &BTreeMap::<&str, u8>::new(), &mut out);
        let unknown = service.append(version, &name("line"), "", &mut out);
        for error in [no_time, unknown] {
            assert_eq!((error.unwrap_err().kind(), out.len()), (ErrorKind::Schema, len));
        }
    }
}

/// A service of SOAP 1.1 alone has faults of both versions (SOAP 1.2 part 1 appendix A).
#[test]
fn faults_are_of_either_version() {
    let wsdl = DESCRIPTION.split("  <binding name=\"Soap12\"").next().unwrap().to_owned() + "</definitions>";
    let service = Service::read(Memory::new().with("s.wsdl", wsdl), "s.wsdl", &Options::default()).unwrap();
    let (version, mut out, mut values) = (SoapVersion::Soap12, Vec::new(), Values::new());
    let code = Name { namespace: version.namespace().to_owned(), local: "VersionMismatch".to_owned() };
    service.append_fault(version, &code, "SOAP 1.1", &[""; 0], &mut out).unwrap();
    let value = xer::read(&out, service.types(), &Options::default(), &mut values).unwrap();
    let message = service.message(value);
    let Some(Body::Fault(fault)) = message.body() else { panic!("no fault") };
    let expected = (Some(version), Some((version.namespace(), "VersionMismatch")), Some("SOAP 1.1"));
    assert_eq!((message.version(), fault.code(), fault.reason()), expected);
    assert!(
        xer::read(envelope(version, "", ORDER).as_bytes(), service.types(), &Options::default(), &mut values).is_err()
    );
}

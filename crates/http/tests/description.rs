//! A service of any description, mounted as a `tower` service.
#![cfg(feature = "service")]
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::collections::BTreeMap;

use asn1::Value;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use lengthwise_http::service::{Answer, Call, Fault, Handler, Settings, SoapService, Stats};
use soap::{Body, Name, Service};
use tower_service::Service as _;
use xsd::{Memory, Options};

/// Attributes, a default, a wildcard and a choice; an array in SOAP's encoding.
const DESCRIPTION: &str = r###"<definitions targetNamespace="urn:s" xmlns:t="urn:s" xmlns:d="urn:d"
    xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:c="http://schemas.xmlsoap.org/soap/encoding/"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <types><xs:schema targetNamespace="urn:d" elementFormDefault="qualified">
    <xs:element name="pay"><xs:complexType><xs:sequence>
      <xs:element name="amount" maxOccurs="unbounded"><xs:complexType><xs:simpleContent><xs:extension base="xs:decimal">
        <xs:attribute name="Ccy" default="EUR"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
      <xs:choice><xs:element name="cash" type="xs:boolean"/><xs:element name="card" type="xs:string"/></xs:choice>
      <xs:any namespace="##other" processContents="lax" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
    <xs:element name="paid" type="xs:int"/>
    <xs:complexType name="ints"><xs:complexContent><xs:restriction base="c:Array">
      <xs:attribute ref="c:arrayType" w:arrayType="xs:int[]"/></xs:restriction></xs:complexContent></xs:complexType>
  </xs:schema></types>
  <message name="Pay"><part name="p" element="d:pay"/></message>
  <message name="Paid"><part name="p" element="d:paid"/></message>
  <portType name="Port"><operation name="pay"><input message="t:Pay"/><output message="t:Paid"/></operation></portType>
  <binding name="Soap" type="t:Port"><soap:binding style="document"/><operation name="pay">
    <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation></binding>
  <binding name="Soap12" type="t:Port"><soap12:binding style="document"/><operation name="pay">
    <input><soap12:body use="literal"/></input><output><soap12:body use="literal"/></output></operation></binding>
  <message name="Sum"><part name="data" type="d:ints"/></message>
  <message name="Summed"><part name="sum" type="xs:int"/></message>
  <portType name="Sums"><operation name="sum"><input message="t:Sum"/><output message="t:Summed"/></operation></portType>
  <binding name="Encoded" type="t:Sums"><soap:binding style="rpc"/><operation name="sum">
    <input><soap:body use="encoded" namespace="urn:s"/></input>
    <output><soap:body use="encoded" namespace="urn:s"/></output></operation></binding>
</definitions>"###;

struct Till;

impl Handler for Till {
    fn call(&self, call: &Call<'_>) -> Result<Answer, Fault> {
        let (name, number) = match call.message.body() {
            Some(Body::Call { name, value }) if name.local == "pay" => {
                (("urn:d", "paid"), value.get("amount").map_or(0, Value::len) as i64)
            }
            Some(Body::Call { name, value }) if name.local == "sum" => {
                let items = value.get("data/item").into_iter().flat_map(Value::items);
                (("urn:s", "sumResponse"), items.filter_map(|item| item.get("content")?.as_i64()).sum())
            }
            _ => return Err(Fault::sender("There is nothing to pay.")),
        };
        let is_sum = name.1 == "sumResponse";
        let name = Name { namespace: name.0.to_owned(), local: name.1.to_owned() };
        if is_sum {
            call.reply.answer(&name, &BTreeMap::from([("sum", number)]))
        } else {
            call.reply.answer(&name, &number)
        }
    }

    fn understands(&self, name: &Name) -> bool {
        name.to_string() == "{urn:h}known"
    }
}

fn till() -> SoapService<Till> {
    let source = Memory::new().with("s.wsdl", DESCRIPTION);
    let service = Service::read(source, "s.wsdl", &Options::default()).unwrap();
    SoapService::new(service, Till, Settings::default())
}

fn message(soap: &str, header: &str, amounts: usize) -> String {
    let amounts: String = (0..amounts).map(|n| format!("<amount Ccy='CHF'>{n}.50</amount>")).collect();
    format!(
        "<e:Envelope xmlns:e='{soap}'>{header}<e:Body><pay xmlns='urn:d'>{amounts}<card>3714</card>\
         <x xmlns='urn:x'/></pay></e:Body></e:Envelope>"
    )
}

const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

async fn answer(service: &mut SoapService<Till>, content_type: &str, body: String) -> (u16, String) {
    let request = Request::post("/").header("content-type", content_type).body(Full::<Bytes>::from(body)).unwrap();
    let response: Response<Full<Bytes>> = service.call(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8_lossy(&body).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_any_description_are_answered() {
    let mut service = till();
    for amounts in [1, 500, 501, 501] {
        let (status, body) = answer(&mut service, "text/xml", message(SOAP_11, "", amounts)).await;
        assert!(status == 200 && body.contains(&format!(">{amounts}</d:paid>")), "{status} {body}");
        let (status, body) = answer(&mut service, "application/soap+xml", message(SOAP_12, "", amounts)).await;
        assert!(status == 200 && body.contains(SOAP_12), "{status} {body}");
    }
    let Stats { messages, errors, bytes, bytes_skipped, .. } = service.stats();
    assert_eq!((messages, errors), (8, 0));
    assert!(bytes_skipped > bytes / 2, "{bytes_skipped} of {bytes}");
    for (block, status) in [("known", 200), ("other", 500)] {
        let header = format!("<e:Header><h:{block} xmlns:h='urn:h' e:mustUnderstand='1'/></e:Header>");
        let (found, body) = answer(&mut service, "text/xml", message(SOAP_11, &header, 3)).await;
        assert_eq!(found, status, "{body}");
        assert_eq!(body.contains(":MustUnderstand<"), status == 500, "{body}");
    }
    // SOAP 1.2 part 1 section 5.4.8: each has a block that names it.
    let header = "<e:Header><h:one xmlns:h='urn:a&amp;b' e:mustUnderstand='true'/><two e:mustUnderstand='true' xmlns='urn:2'/>\
        <h:known xmlns:h='urn:h' e:mustUnderstand='true'/></e:Header>";
    let (status, body) = answer(&mut service, "application/soap+xml", message(SOAP_12, header, 3)).await;
    assert!(
        status == 500 && body.contains("The header blocks {urn:a&amp;b}one, {urn:2}two are not understood."),
        "{body}"
    );
    let blocks: Vec<&str> = body.split(":NotUnderstood ").skip(1).collect();
    assert_eq!(blocks.len(), 2, "{body}");
    assert!(blocks[0].contains("=\"urn:a&amp;b\" qname=\"n:one\""), "{body}");
    assert!(blocks[1].contains("=\"urn:2\" qname=\"n:two\""), "{body}");
}

#[tokio::test]
async fn messages_in_soaps_encoding_are_answered() {
    let mut service = till();
    let call = |data: &str, after: &str| {
        format!(
            "<e:Envelope xmlns:e='{SOAP_11}' xmlns:c='http://schemas.xmlsoap.org/soap/encoding/' \
             xmlns:i='http://www.w3.org/2001/XMLSchema-instance' xmlns:x='http://www.w3.org/2001/XMLSchema'>\
             <e:Body><s:sum xmlns:s='urn:s'>{data}</s:sum>{after}</e:Body></e:Envelope>"
        )
    };
    let items = "<i i:type='x:int'>1</i><i i:type='x:int'>2</i>";
    for text in [
        call(&format!("<data i:type='c:Array' c:arrayType='x:int[2]'>{items}</data>"), ""),
        call("<data href='#1'/>", &format!("<c:Array id='1' c:arrayType='x:int[2]'>{items}</c:Array>")),
    ] {
        let (status, body) = answer(&mut service, "text/xml", text).await;
        assert!(status == 200 && body.contains("<sum>3</sum>"), "{status} {body}");
    }
    let (status, body) = answer(&mut service, "text/xml", call("<data c:arrayType='x:int[3]'/>", "")).await;
    assert!(status == 500 && body.contains(":Client<") && body.contains("0 items"), "{status} {body}");
    // A reference costs no count of its own.
    let Stats { messages, errors, .. } = service.stats();
    assert_eq!((messages, errors), (3, 1));
}

#[tokio::test]
async fn what_is_no_message_is_a_fault_of_the_sender() {
    let mut service = till();
    let (status, body) = answer(&mut service, "text/xml", message(SOAP_11, "", 0)).await;
    assert!(status == 500 && body.contains(":Client<") && body.contains("amount"), "{status} {body}");
    let (status, body) = answer(&mut service, "application/soap+xml", message(SOAP_12, "", 0)).await;
    assert!(status == 400 && body.contains(":Sender<"), "{status} {body}");
    let (_, body) = answer(&mut service, "text/xml", message(SOAP_11, "", 1).replace("pay", "play")).await;
    assert!(body.contains(":Client<"), "{body}");
    let other = message("urn:soap:13", "", 1);
    for (text, code) in [("<x/>", "Client"), ("<paid xmlns='urn:d'>1</paid>", "Client"), (&other, "VersionMismatch")] {
        let (status, body) = answer(&mut service, "text/xml", text.to_owned()).await;
        assert!(status == 500 && body.contains(&format!(":{code}<")), "{status} {body}");
    }
}

#[tokio::test]
async fn a_message_that_is_too_long_is_refused() {
    let source = Memory::new().with("s.wsdl", DESCRIPTION);
    let service = Service::read(source, "s.wsdl", &Options::default()).unwrap();
    let limits = tam::Limits { message_bytes: 1 << 10, ..tam::Limits::UNTRUSTED };
    let mut service = SoapService::new(service, Till, Settings::default().with_limits(limits));
    let (status, _) = answer(&mut service, "text/xml", message(SOAP_11, "", 100)).await;
    assert_eq!(status, 413);
}

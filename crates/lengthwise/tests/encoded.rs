//! Messages in SOAP's encoding, read by the schema of their service and by the reader of `dds`: the same values, and the
//! same messages refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

#[path = "../../dds/tests/support/mod.rs"]
mod support;

use asn1::Values;
use asn1::compiled::Kind;
use lengthwise::soap::{Body, Service};
use support::{Content, METHODS, ORDER, Toolkit, spoiled};
use test_support::Random;
use x694::xer::{self, Templates};
use xsd::wsdl::Description;
use xsd::{Memory, Options};

fn service() -> Service {
    Service::read(Memory::new().with("s.wsdl", support::description()), "s.wsdl", &Options::default()).unwrap()
}

/// A value of `dds`. A member that is nil says the same as one that is missing (SOAP 1.1 section 5.1, rule 9).
fn of_dds(value: &dds::Value) -> String {
    match value {
        dds::Value::Absent | dds::Value::Nil => "-".into(),
        dds::Value::Boolean(value) => value.to_string(),
        dds::Value::Int(value) => value.to_string(),
        dds::Value::Double(value) => double(*value),
        dds::Value::Text(text) => format!("{text:?}"),
        dds::Value::Binary(octets) => format!("{octets:?}"),
        dds::Value::Record(members) => format!("({})", members.iter().map(of_dds).collect::<Vec<_>>().join(",")),
        dds::Value::Array(array) => {
            let item = |n| of_dds(&array.get(n).unwrap());
            let sizes = array.dimensions().iter().map(|size| format!("{size}x")).collect::<String>();
            format!("{sizes}[{}]", (0..array.len()).map(item).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}

fn double(value: f64) -> String {
    if value.is_nan() { "nan".into() } else { format!("{:016x}", value.to_bits()) }
}

fn of_asn1(value: asn1::Value<'_>) -> String {
    match value.kind() {
        Kind::Boolean => value.as_bool().unwrap().to_string(),
        Kind::Integer(_) => value.as_i64().unwrap().to_string(),
        Kind::Real => double(value.as_f64().unwrap()),
        _ if value.as_str().is_some() => format!("{:?}", value.as_str().unwrap()),
        Kind::OctetString(_) => format!("{:?}", value.as_octets().unwrap()),
        _ if value.get("item-list").is_some() => {
            let sizes = value.get("dimensions").into_iter().flat_map(|sizes| sizes.items());
            let sizes = sizes.map(|size| format!("{}x", size.as_i64().unwrap())).collect::<String>();
            let items = value.get("item-list").unwrap();
            let item = |item: asn1::Value<'_>| item.get("content").map_or("-".into(), of_asn1);
            format!("{sizes}[{}]", items.items().map(item).collect::<Vec<_>>().join(","))
        }
        Kind::Record(number) => {
            let count = value.types().record(number).members.len();
            let member = |n| value.member(n as u32).map_or("-".into(), of_asn1);
            format!("({})", (0..count).map(member).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}

fn shown(service: &Service, value: asn1::Value<'_>) -> String {
    match service.message(value).body() {
        Some(Body::Call { name, value }) => format!("{} {}", name.local, of_asn1(value)),
        other => panic!("{other:?}"),
    }
}

/// What the schema makes of a message, event by event, by expectation and by differences; all of them say the same.
fn ours(service: &Service, templates: &Templates, message: &[u8]) -> Result<String, tam::Error> {
    let (mut one, mut other) = (Values::new(), Values::new());
    let options = Options::default();
    let by_events = xer::read_by_events(message, service.types(), &options, &mut one);
    let by_events = by_events.map(|value| shown(service, value));
    let read = xer::read(message, service.types(), &options, &mut other);
    let read = read.map(|value| shown(service, value));
    assert_eq!(read, by_events, "{}", String::from_utf8_lossy(message));
    let mut kept = message.to_vec();
    let by_differences = templates.read(&mut kept, service.types(), &options);
    let by_differences = by_differences.map(|lease| shown(service, lease.value()));
    assert_eq!(by_differences, by_events, "{}", String::from_utf8_lossy(message));
    by_events
}

#[test]
fn messages_have_the_values_that_dds_reads() {
    let service = service();
    let reader = dds::Reader::new(support::service(), &dds::Options::default());
    let templates = Templates::new(1 << 24);
    let mut random = Random::new(11);
    let (mut read, mut refused, mut same_place) = (0, 0, 0);
    for n in 0..test_support::rounds(1_000) {
        let method = n % METHODS;
        if method == ORDER {
            continue;
        }
        let toolkit = Toolkit::made(&mut random);
        let content = Content::made(&mut random, method);
        let next = content.changed(&mut random);
        for content in [content, next] {
            let mut message = content.write(&toolkit, &mut Random::new(n as u64));
            if random.one_in(3) {
                message = spoiled(&message, &mut random);
            }
            let expected = reader.read_plainly(&message);
            let found = ours(&service, &templates, &message);
            let text = || String::from_utf8_lossy(&message).into_owned();
            match (&expected, &found) {
                (Ok(expected), Ok(found)) => {
                    let name = &reader.schema().methods()[method].name.local;
                    assert_eq!(*found, format!("{name} {}", of_dds(expected.value().unwrap())), "{}", text());
                    read += 1;
                }
                (Err(expected), Err(found)) => {
                    // `dds` looks first whether all of the message is XML, and reads what an element refers to at its own place.
                    let path = expected.path().replace("[1]", "");
                    same_place += usize::from((expected.offset(), &*path) == (found.offset(), found.path()));
                    refused += 1;
                }
                // The schema of the envelope looks at the attributes of header blocks.
                (Ok(_), Err(error)) if error.path().contains(":Header/") => {}
                (expected, found) => panic!("{expected:?}\n{found:?}\n{}", text()),
            }
        }
    }
    assert!(read > refused && refused > 0 && same_place > refused * 4 / 5, "{read} {refused} {same_place}");
}

/// Reads a message by a description in both ways. The values are equal, if there are any.
fn both(text: &str, message: &[u8]) -> Option<String> {
    let options = Options::default();
    let description = Description::read_from(Memory::new().with("a", text), "a", &options).unwrap();
    let other = lengthwise::Service::from_wsdl(&description, &options).unwrap();
    let expected = dds::Reader::new(other.schema().clone(), &dds::Options::default()).read(message);
    let service = Service::read(Memory::new().with("a", text), "a", &options).unwrap();
    let found = ours(&service, &Templates::new(1 << 20), message);
    let text = || format!("{expected:?}\n{found:?}\n{}", String::from_utf8_lossy(message));
    assert_eq!(expected.is_ok(), found.is_ok(), "{}", text());
    let value = found.as_ref().ok()?.split_once(' ').map(|(_, value)| value);
    assert_eq!(value, expected.as_ref().ok()?.value().map(of_dds).as_deref(), "{}", text());
    found.ok()
}

#[test]
fn the_samples_have_the_values_that_dds_reads() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
    let description = std::fs::read_to_string(format!("{samples}/search.wsdl")).unwrap();
    let mut count = 0;
    for file in std::fs::read_dir(format!("{samples}/requests")).unwrap() {
        let message = std::fs::read(file.unwrap().path()).unwrap();
        let value = both(&description, &message).unwrap();
        // The searches of the paper's figure, and hundreds of doubles.
        assert!(value.contains("latin1") || value.matches(',').count() > 100, "{value}");
        count += 1;
    }
    assert_eq!(count, 10);
}

/// Arrays by their content and by `wsdl:arrayType`, of several dimensions, of arrays, of structs, of themselves.
#[test]
fn types_of_a_description_have_the_values_that_dds_reads() {
    let array = |name: &str, of: &str| {
        format!(
            "<xs:complexType name='{name}'><xs:complexContent><xs:restriction base='enc:Array'>\
             <xs:attribute ref='enc:arrayType' wsdl:arrayType='{of}'/></xs:restriction></xs:complexContent></xs:complexType>"
        )
    };
    let types = array("ints", "xs:int[]")
        + &array("grid", "xs:double[,]")
        + &array("rows", "xs:int[][]")
        + &array("selves", "b:selves[]")
        + "<xs:complexType name='points'><xs:complexContent><xs:restriction base='enc:Array'><xs:sequence>
             <xs:element name='p' type='b:point' minOccurs='0' maxOccurs='unbounded'/></xs:sequence></xs:restriction>
             </xs:complexContent></xs:complexType>
           <xs:complexType name='point'><xs:all><xs:element name='x' type='xs:int' minOccurs='0'/>
             <xs:element name='y' type='enc:int' minOccurs='0'/></xs:all></xs:complexType>
           <xs:complexType name='all'><xs:sequence><xs:element name='i' type='b:ints' minOccurs='0'/>
             <xs:element name='g' type='b:grid' minOccurs='0'/><xs:element name='r' type='b:rows' minOccurs='0'/>
             <xs:element name='p' type='b:points' minOccurs='0'/><xs:element name='s' type='b:selves' minOccurs='0'/>
             <xs:element name='b' type='xs:base64Binary' minOccurs='0'/></xs:sequence></xs:complexType>";
    let text = format!(
        "<definitions targetNamespace='urn:s' xmlns:t='urn:s' xmlns:b='urn:b' xmlns='http://schemas.xmlsoap.org/wsdl/'
    xmlns:wsdl='http://schemas.xmlsoap.org/wsdl/' xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/'
    xmlns:enc='http://schemas.xmlsoap.org/soap/encoding/' xmlns:xs='http://www.w3.org/2001/XMLSchema'>
  <types><xs:schema targetNamespace='urn:b'>{types}</xs:schema></types>
  <message name='M'><part name='v' type='b:all'/></message>
  <portType name='P'><operation name='go'><input message='t:M'/></operation></portType>
  <binding name='B' type='t:P'><soap:binding style='rpc'/><operation name='go'>
    <input><soap:body use='encoded' namespace='urn:n'/></input></operation></binding></definitions>"
    );
    for (content, is_read) in [
        ("<p enc:arrayType='b:point[2]'><p><y>2</y><x>1</x></p><p><x>3</x><y>4</y></p></p><i><i>9</i></i>", true),
        ("<g enc:arrayType='xs:double[1,2]'><d>.5</d><d>1</d></g>", true),
        ("<r enc:arrayType='xs:int[][1]'><r enc:arrayType='xs:int[2]'><i>7</i><i>8</i></r></r>", true),
        ("<r enc:arrayType='xs:int[,][1]'><r xsi:type='enc:Array'><i>7</i></r></r><b>AAEC</b>", true),
        ("<s><a><a/></a><a xsi:nil='1'/></s><b xsi:type='enc:base64'> AA== </b>", true),
        ("<p enc:arrayType='xs:anyType[1]'><b:any xsi:type='b:point'><x>1</x></b:any></p>", true),
        ("<p><p xsi:type='enc:Struct'/></p>", false),
        ("<p enc:arrayType='b:other[1]'><p><x>1</x></p></p>", false),
        ("<r enc:arrayType='xs:int[1]'><r/></r>", false),
        ("<i enc:arrayType='xs:int[][1]'><i>1</i></i>", false),
        ("<g enc:arrayType='xs:double[2,2]'><d>.5</d><d>1</d></g>", false),
        ("<p><p><x>1</x><x>2</x></p></p>", false),
        ("<i/><i/>", false),
        ("<b>AA=</b>", false),
        ("<b xsi:type='enc:string'>AA==</b>", false),
        ("<x/>", false),
    ] {
        let message = format!(
            "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:n='urn:n' xmlns:b='urn:b'
 xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:xs='http://www.w3.org/2001/XMLSchema'
 xmlns:enc='http://schemas.xmlsoap.org/soap/encoding/'><e:Body><n:go><v xsi:type='b:all'>{content}</v></n:go></e:Body></e:Envelope>"
        );
        assert_eq!(both(&text, message.as_bytes()).is_some(), is_read, "{content}");
    }
}

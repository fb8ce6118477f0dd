//! Messages in SOAP's encoding, by hand: what SOAP 1.1 section 5 says that they mean.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_soap as soap;

mod support;

use asn1::{Value, Values};
use soap::{Body, Service, SoapVersion};
use support::array;
use tam::{Error, ErrorKind, Limits};
use x694::xer::{self, Templates};
use xsd::{Memory, Options};

/// One operation `m`, whose parameters are `p` of a type, and `q`, a string.
fn service(types: &str, ty: &str) -> Service {
    let description = format!(
        "<definitions targetNamespace='urn:s' xmlns:t='urn:s' xmlns:x='urn:x' xmlns='http://schemas.xmlsoap.org/wsdl/'
    xmlns:wsdl='http://schemas.xmlsoap.org/wsdl/' xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/'
    xmlns:enc='http://schemas.xmlsoap.org/soap/encoding/' xmlns:xs='http://www.w3.org/2001/XMLSchema'>
  <types><xs:schema targetNamespace='urn:x'>{types}</xs:schema></types>
  <message name='M'><part name='p' type='{ty}'/><part name='q' type='xs:string'/></message>
  <portType name='P'><operation name='m'><input message='t:M'/></operation></portType>
  <binding name='B' type='t:P'><soap:binding style='rpc'/><operation name='m'>
    <input><soap:body use='encoded' namespace='urn:m'/></input></operation></binding></definitions>"
    );
    Service::read(Memory::new().with("s.wsdl", description), "s.wsdl", &Options::default()).unwrap()
}

fn ints() -> Service {
    service(&array("ints", "xs:int[]"), "x:ints")
}

const PERSON: &str = "<xs:complexType name='person'><xs:sequence><xs:element name='name' type='xs:string'/>\
    <xs:element name='street' type='xs:string'/><xs:element name='phone' type='xs:int' maxOccurs='unbounded'/>\
    </xs:sequence></xs:complexType>";

const NODE: &str = "<xs:complexType name='node'><xs:sequence><xs:element name='a' type='x:node' minOccurs='0'/>\
    <xs:element name='b' type='x:node' minOccurs='0'/></xs:sequence></xs:complexType>";

fn message(body: &str) -> String {
    format!(
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:c='http://schemas.xmlsoap.org/soap/encoding/' \
         xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:xsd='http://www.w3.org/2001/XMLSchema' \
         xmlns:x='urn:x'><e:Body e:encodingStyle='http://schemas.xmlsoap.org/soap/encoding/'>{body}</e:Body></e:Envelope>"
    )
}

fn call(content: &str) -> String {
    message(&format!("<m:m xmlns:m='urn:m'>{content}</m:m>"))
}

/// Reads a message three times, in different ways, and shows the value of the parameters.
fn read_with(service: &Service, text: &str, options: &Options) -> Result<String, Error> {
    let show = |value: Value<'_>| {
        let Some(Body::Call { value, .. }) = service.message(value).body() else { panic!("no call") };
        let shown = asn1::notation::write_value(value).unwrap();
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (types, mut values, templates) = (service.types(), Values::new(), Templates::new(1 << 20));
    let read = xer::read_by_events(text.as_bytes(), types, options, &mut values).map(show);
    for _ in 0..2 {
        assert_eq!(xer::read(text.as_bytes(), types, options, &mut values).map(show), read);
        let mut again = text.as_bytes().to_vec();
        assert_eq!(templates.read(&mut again, types, options).map(|lease| show(lease.value())), read);
        assert_eq!(again.is_empty(), read.is_ok());
    }
    read
}

fn read(service: &Service, text: &str) -> String {
    read_with(service, text, &Options::default()).unwrap()
}

fn error(service: &Service, text: &str) -> Error {
    read_with(service, text, &Options::default()).unwrap_err()
}

/// Section 5.1 rule 3: where the receiver may not know the type of an item, `xsi:type` says it. Clients such as zeep look
/// there and not at `arrayType`.
#[test]
fn simple_items_of_arrays_are_written_with_their_types() {
    let grades = "<xs:simpleType name='grade'><xs:restriction base='xs:int'/></xs:simpleType>";
    for (types, ty, written) in [
        (array("ints", "xs:int[]"), "x:ints", "XMLSchema:int"),
        (array("ints", "x:grade[]") + grades, "x:ints", "urn:x:grade"),
        (array("rows", "xs:int[][]"), "x:rows", "XMLSchema:int"),
    ] {
        let service = service(&types, ty);
        let items = "<i>3</i><i xsi:nil='1'/><i>4</i>";
        let p = if ty == "x:rows" { format!("<p><r>{items}</r><r/></p>") } else { format!("<p>{items}</p>") };
        let text = call(&format!("{p}<q>q</q>"));
        let (types, mut values) = (service.types(), Values::new());
        let value = xer::read(text.as_bytes(), types, &Options::default(), &mut values).unwrap();
        let out = String::from_utf8(xer::write(value, types).unwrap()).unwrap();
        let (before, local) = written.split_once(':').map(|_| written.rsplit_once(':').unwrap()).unwrap();
        let prefix = out.split(&format!("{before}\"")).next().unwrap().rsplit("xmlns:").next().unwrap();
        let prefix = prefix.split('=').next().unwrap();
        assert_eq!(out.matches(&format!("xsi:type=\"{prefix}:{local}\"")).count(), 3, "{out}");
        assert_eq!(out.matches("xsi:type").count(), 3, "{out}");
        assert_eq!(read(&service, &out), read(&service, &text));
    }
}

/// Section 5.4.2: sizes, several dimensions, items of any name.
#[test]
fn arrays_have_items_of_any_name() {
    let service = ints();
    for (p, expected) in [
        ("<p c:arrayType='xsd:int[2]'><number>3</number><number>4</number></p>", "3 4"),
        ("<p c:arrayType='xsd:int[2]'><c:int>3</c:int><xsd:int>4</xsd:int></p>", "3 4"),
        ("<p xsi:type='c:Array' c:arrayType='xsd:int[2,2]'><i>1</i><i>2</i><i>3</i><i>4</i></p>", "2x2 1 2 3 4"),
        ("<p c:arrayType='xsd:short[]'><i>1</i></p>", "1"),
        ("<p c:arrayType='xsd:int[0]'/>", ""),
        ("<p><i>1</i><i xsi:nil='1'/><i xsi:type='xsd:byte'>2</i></p>", "1 nil 2"),
        ("<p c:arrayType='xsd:ur-type[1]' c:offset='[0]' id='a'><i c:root='1'>1</i></p>", "1"),
    ] {
        let (mut values, text) = (Values::new(), call(p));
        let value = xer::read(text.as_bytes(), service.types(), &Options::default(), &mut values).unwrap();
        let Some(Body::Call { value, .. }) = service.message(value).body() else { panic!("no call") };
        let array = value.get("p").unwrap();
        let sizes: Vec<String> = array
            .get("dimensions")
            .map_or(Vec::new(), |sizes| sizes.items().map(|size| size.as_i64().unwrap().to_string()).collect());
        let items = array.get("item").unwrap().items();
        let item =
            |item: Value<'_>| item.get("content").map_or("nil".into(), |item| item.as_i64().unwrap().to_string());
        let items: Vec<String> = items.map(item).collect();
        let sizes = if sizes.is_empty() { String::new() } else { sizes.join("x") + " " };
        assert_eq!(sizes + &items.join(" "), expected);
        read(&service, &text);
    }
    for (p, found) in [
        ("<p c:arrayType='xsd:int[3]'><i>1</i></p>", "1 item"),
        ("<p c:arrayType='xsd:int[1]'><i>1</i><i>2</i></p>", "2 items"),
        ("<p c:arrayType='xsd:int[2147483648]'/>", "0 items"),
        ("<p c:arrayType='xsd:int[4000000000,4000000000,4000000000]'/>", "0 items"),
        ("<p c:arrayType='xsd:string[1]'><i>1</i></p>", "the arrayType 'xsd:string[1]'"),
        ("<p c:arrayType='nope:int[1]'><i>1</i></p>", "the arrayType 'nope:int[1]'"),
        ("<p c:arrayType='xsd:int'><i>1</i></p>", "the arrayType 'xsd:int'"),
        ("<p c:arrayType='xsd:int[99999999999]'><i>1</i></p>", "the arrayType 'xsd:int[99999999999]'"),
        ("<p c:arrayType='xsd:int[2]' c:offset='[1]'><i>1</i></p>", "an array that begins after its first item"),
        ("<p><i c:position='[3]'>1</i></p>", "an item with a position"),
        ("<p xsi:type='xsd:int'><i>1</i></p>", "xsi:type 'xsd:int'"),
        ("<p><i xsi:type='xsd:long'>1</i></p>", "xsi:type 'xsd:long'"),
        ("<p><i>1</i>x</p>", "the text 'x'"),
        ("<p><i>1<b/></i></p>", "<b>"),
        ("<p><i>one</i></p>", "'one'"),
    ] {
        assert_eq!(error(&service, &call(p)).found().to_string(), found, "{p}");
    }
}

/// Sections 5.1 and 5.4: accessors in any order; one that is missing and one that is nil say the same.
#[test]
fn structs_have_members_in_any_order() {
    let service = service(PERSON, "x:person");
    let name = "{ p { name \"n\", street \"s\", phone-list { { content 1 }, { content 2 } } }, q \"q\" }";
    for content in [
        "<p><name>n</name><street>s</street><phone>1</phone><phone>2</phone></p><q>q</q>",
        "<q xsi:type='xsd:string'>q</q><p xsi:type='x:person'><phone>1</phone><phone>2</phone><street>s</street><name>n</name></p>",
        "<q>q</q><p any='1' c:any='2'><street>s</street><phone>1</phone><phone>2</phone>\
         <name xsi:type='c:string' id='7'>n</name></p>",
    ] {
        assert_eq!(read(&service, &call(content)), name);
    }
    let nothing = "{ q \"q\" }";
    assert_eq!(read(&service, &call("<p xsi:nil='true'/><q>q</q>")), nothing);
    assert_eq!(read(&service, &call("<q>q</q>")), nothing);
    let some = read(&service, &call("<p><name xsi:nil='1'/><phone xsi:nil='1'/></p>"));
    assert_eq!(some, "{ p { phone-list { {} } } }");
    for (content, found) in [
        ("<p><name>n</name><street>s</street><name>n</name></p>", "<name>"),
        ("<p><phone>1</phone><name>n</name><phone>2</phone></p>", "<phone>"),
        ("<p><other/></p>", "<other>"),
        ("<p/><p/>", "<p>"),
        ("<p xsi:type='x:other'/>", "xsi:type 'x:other'"),
        ("<p xsi:type='c:Struct'/>", "xsi:type 'c:Struct'"),
        ("<p xsi:nil='true'><name>n</name></p>", "<name>"),
        ("<p xsi:nil='yes'/>", "xsi:nil='yes'"),
    ] {
        let error = error(&service, &call(content));
        assert_eq!((error.kind(), error.found().to_string()), (ErrorKind::Schema, found.to_owned()), "{content}");
    }
}

/// Section 5.4.1, with its example: values that several elements refer to.
#[test]
fn references_are_followed() {
    let person = service(PERSON, "x:person");
    let body = "<m:m xmlns:m='urn:m'><q href='#2'/><p href='#1'/></m:m>\
        <k:x xmlns:k='urn:k' id='1' xsi:type='x:person'><name href='#2'/><street>S</street></k:x>\
        <c:string id='2' xsi:type='xsd:string'>Henry &amp; co</c:string><y id='3'><z/></y>";
    let henry = "{ p { name \"Henry & co\", street \"S\", phone-list {} }, q \"Henry & co\" }";
    assert_eq!(read(&person, &message(body)), henry);
    // An id in the message itself, a chain, and prefixes that are declared where the value is.
    let inside = "<m:m xmlns:m='urn:m'><q id='2'>q</q><p><name href='#3'/></p></m:m><i id='3' href='#2'/>";
    assert_eq!(read(&person, &message(inside)), "{ p { name \"q\", phone-list {} }, q \"q\" }");
    let elsewhere = "<m:m xmlns:m='urn:m'><p href='#1'/></m:m><x xmlns:y='urn:x' id='1' xsi:type='y:person'/>";
    assert_eq!(read(&person, &message(elsewhere)), "{ p { phone-list {} } }");
    let nil = "<m:m xmlns:m='urn:m'><p href='#1'/><q href='#9' xsi:nil='1'/></m:m><x id='1' xsi:nil='true'/>";
    assert_eq!(read(&person, &message(nil)), "{}");
    // In UTF-16, too.
    let utf16: Vec<u8> = format!("\u{FEFF}{}", message(body)).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut values = Values::new();
    assert!(xer::read(&utf16, person.types(), &Options::default(), &mut values).is_ok());

    let int = service("", "xs:int");
    for (body, kind, found, path) in [
        ("<p href='#1'/>", ErrorKind::Schema, "a reference to the id '1', which no element has", "m:m/p"),
        ("<p href='#1'/></m:m><i id='1' href='#1'/>", ErrorKind::Schema, "references in a circle", "i"),
        ("<p href='http://x/'/>", ErrorKind::Unsupported, "a reference to 'http://x/'", "m:m/p"),
        ("<p href='cid:a'/>", ErrorKind::Unsupported, "a reference to 'cid:a'", "m:m/p"),
        ("<p href='#1'/></m:m><i id='1'>1</i><i id='1'>2</i>", ErrorKind::Schema, "the id '1' more than once", "m:m/p"),
        ("<p href='#1'>1</p></m:m><i id='1'>1</i>", ErrorKind::Schema, "text", "m:m/p"),
        ("<p href='#1'><b/></p></m:m><i id='1'>1</i>", ErrorKind::Schema, "an element", "m:m/p/b"),
        ("<p href='#1'/></m:m><i id='1'>one</i>", ErrorKind::Schema, "'one'", "i"),
        ("<p>1</p></m:m><i>1</i>", ErrorKind::Schema, "<i>", "i"),
    ] {
        let end = if body.contains("</m:m>") { "" } else { "</m:m>" };
        let text = message(&format!("<m:m xmlns:m='urn:m'>{body}{end}"));
        let error = error(&int, &text);
        assert_eq!((error.kind(), error.found().to_string().as_str()), (kind, found), "{body}");
        assert_eq!(error.path(), format!("/e:Envelope/e:Body/{path}"));
        let line = error.position().unwrap();
        assert_eq!(line, (1, error.offset() + 1));
    }
    let text = "<m:m xmlns:m='urn:m'><p xmlns:m='urn:y' href='#1'/></m:m><i id='1' m:a='' xmlns:m='urn:z'>1</i>";
    assert_eq!(read(&int, &message(text)), "{ p 1 }");
    // The same prefix means one thing in the name of the element, and another in the value.
    let text = "<x:m xmlns:x='urn:m'><p href='#1'/><x:q href='#2'/></x:m><i id='1'>1</i><i id='2' xsi:type='x:y'>2</i>";
    let error = error(&int, &message(text));
    assert!(error.found().to_string().contains("means something else"), "{error}");
}

#[test]
fn a_value_that_holds_itself_is_refused() {
    let service = service(NODE, "x:node");
    for body in [
        "<m:m xmlns:m='urn:m'><p href='#1'/></m:m><x id='1'><a><b href='#1'/></a></x>",
        "<m:m xmlns:m='urn:m'><p id='1'><a href='#1'/></p></m:m>",
    ] {
        let error = error(&service, &message(body));
        assert_eq!(
            (error.kind(), error.found().to_string().as_str()),
            (ErrorKind::Unsupported, "a reference to what holds it")
        );
    }
}

/// References double a value at each level: a small message must not become all memory.
#[test]
fn references_count_as_often_as_they_are_followed() {
    let service = service(NODE, "x:node");
    let mut body = "<m:m xmlns:m='urn:m'><p href='#0'/></m:m>".to_owned();
    for n in 0..60 {
        body += &format!("<x id='{n}'><a href='#{}'/><b href='#{}'/></x>", n + 1, n + 1);
    }
    body += "<x id='60'/>";
    let limits = Limits { expansion_threshold: 1 << 16, ..Limits::DEFAULT };
    let error = read_with(&service, &message(&body), &Options::default().with_limits(limits)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.found().to_string().contains("references to more bytes"), "{error}");
}

/// Only SOAP 1.1 has this encoding; encoded and literal messages may be in one service.
#[test]
fn what_has_no_schema_is_left_out_with_its_reason() {
    let types = format!(
        "{NODE}<xs:complexType name='w'><xs:sequence><xs:any/></xs:sequence></xs:complexType>\
        <xs:complexType name='t'><xs:sequence/><xs:attribute name='a'/></xs:complexType>"
    );
    let operations =
        [("a", "xs:int", "encoded"), ("b", "x:w", "encoded"), ("c", "x:node", "literal"), ("d", "x:t", "encoded")];
    let each = |write: &dyn Fn(&(&str, &str, &str)) -> String| operations.iter().map(write).collect::<String>();
    let text = format!(
        "<definitions targetNamespace='urn:s' xmlns:t='urn:s' xmlns:x='urn:x' xmlns='http://schemas.xmlsoap.org/wsdl/'
    xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/' xmlns:soap12='http://schemas.xmlsoap.org/wsdl/soap12/'
    xmlns:xs='http://www.w3.org/2001/XMLSchema'><types><xs:schema targetNamespace='urn:x'>{types}</xs:schema></types>
{}<portType name='P'>{}</portType><binding name='B' type='t:P'><soap:binding style='rpc'/>{}</binding>
<binding name='C' type='t:P'><soap12:binding style='rpc'/><operation name='a'><input><soap12:body use='encoded'/></input>
</operation></binding></definitions>",
        each(&|(name, ty, _)| format!("<message name='{name}'><part name='p' type='{ty}'/></message>\n")),
        each(&|(name, ..)| format!("<operation name='{name}'><input message='t:{name}'/></operation>")),
        each(&|(name, _, used)| {
            format!("<operation name='{name}'><input><soap:body use='{used}' namespace='urn:m'/></input></operation>")
        }),
    );
    let service = Service::read(Memory::new().with("s.wsdl", text), "s.wsdl", &Options::default()).unwrap();
    let names: Vec<_> = service.messages(SoapVersion::Soap11).map(|name| name.local.as_str()).collect();
    assert_eq!(names, ["a", "c"]);
    assert_eq!(service.messages(SoapVersion::Soap12).count(), 0);
    let left_out = service.left_out().iter().map(|one| {
        assert_eq!(one.error.path(), "s.wsdl");
        (one.what.as_str(), one.error.found().to_string())
    });
    assert_eq!(
        left_out.collect::<Vec<_>>(),
        [
            ("the request of 'a'", "an encoded message of SOAP 1.2".to_owned()),
            ("the request of 'b'", "xs:any".to_owned()),
            ("the request of 'd'", "the attribute 'a' of the type 't'".to_owned()),
        ]
    );
    assert_eq!(read(&service, &message("<a xmlns='urn:m'><p xmlns=''>1</p></a>")), "{ p 1 }");
    let literal = message("<c xmlns='urn:m'><p xmlns=''><b/><a/></p></c>");
    assert_eq!(error(&service, &literal).found().to_string(), "<a>");
    let literal = message("<c xmlns='urn:m'><p xmlns=''><a/><b/></p></c>");
    assert!(read_with(&service, &literal, &Options::default()).is_ok());
}

/// SOAP 1.1 section 5.4.2: an array has its type and its size, also of several dimensions and of arrays.
#[test]
fn arrays_are_written_with_their_type() {
    let types = [("ints", "xs:int[]"), ("grid", "xs:double[,]"), ("rows", "xs:int[][]"), ("points", "x:point[]")]
        .map(|(name, of)| array(name, of))
        .concat()
        + "<xs:complexType name='point'><xs:all><xs:element name='x' type='xs:int'/></xs:all></xs:complexType>";
    let parts = ["ints", "grid", "rows", "points"];
    let text = format!(
        "<definitions targetNamespace='urn:s' xmlns:t='urn:s' xmlns:x='urn:x' xmlns='http://schemas.xmlsoap.org/wsdl/'
    xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/' xmlns:wsdl='http://schemas.xmlsoap.org/wsdl/'
    xmlns:enc='http://schemas.xmlsoap.org/soap/encoding/' xmlns:xs='http://www.w3.org/2001/XMLSchema'>
<types><xs:schema targetNamespace='urn:x'>{types}</xs:schema></types><message name='m'>{}</message>
<portType name='P'><operation name='a'><input message='t:m'/></operation></portType>
<binding name='B' type='t:P'><soap:binding style='rpc'/><operation name='a'>
<input><soap:body use='encoded' namespace='urn:m'/></input></operation></binding></definitions>",
        parts.map(|part| format!("<part name='{part}' type='x:{part}'/>")).concat()
    );
    let service = Service::read(Memory::new().with("s.wsdl", text), "s.wsdl", &Options::default()).unwrap();
    let text = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:x='urn:x' xmlns:enc='http://schemas.xmlsoap.org/soap/encoding/'
        xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><e:Body><a xmlns='urn:m'>
        <points xmlns='' enc:arrayType='x:point[2]'><p><x>1</x></p><p/></points><rows xmlns='' enc:arrayType='xs:int[][2]'>
        <r enc:arrayType='xs:int[1]'><i>7</i></r><r enc:arrayType='xs:int[0]'/></rows><grid xmlns='' enc:arrayType='xs:double[1,2]'>
        <d>.5</d><d>1</d></grid><ints xmlns='' enc:arrayType='xs:int[2]'><i>1</i><i xsi:nil='true'/></ints></a></e:Body></e:Envelope>";
    let (mut values, mut again) = (Values::new(), Values::new());
    let value = xer::read_by_events(text.as_bytes(), service.types(), &Options::default(), &mut values).unwrap();
    let written = xer::write(value, service.types()).unwrap();
    let shown = String::from_utf8_lossy(&written).into_owned();
    for part in [
        "arrayType=\"x:point[2]\"",
        "arrayType=\"xs:int[][2]\"",
        "arrayType=\"xs:double[1,2]\"",
        "arrayType=\"xs:int[0]\"",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let same = xer::read_by_events(&written, service.types(), &Options::default(), &mut again);
    let same = same.unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert_eq!(asn1::notation::write_value(same), asn1::notation::write_value(value));
}

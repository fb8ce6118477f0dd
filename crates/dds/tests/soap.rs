//! What SOAP says a message means, by hand.

#![allow(clippy::unwrap_used, clippy::panic)]

extern crate lengthwise_dds as dds;

use dds::{Body, Items, Member, Name, Options, Reader, Schema, Simple, Style, Value, Version};
use tam::ErrorKind;

const SOAP: &str = "xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' xmlns:c='http://schemas.xmlsoap.org/soap/encoding/' \
     xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:xsd='http://www.w3.org/2001/XMLSchema'";

fn message(body: &str) -> Vec<u8> {
    format!("<e:Envelope {SOAP}><e:Body>{body}</e:Body></e:Envelope>").into_bytes()
}

/// A reader of one method `m` of the namespace `urn:m`, whose parameters are these.
fn reader(style: Style, parameters: impl FnOnce(&mut Schema) -> Vec<Member>) -> Reader {
    let mut schema = Schema::new();
    let members = parameters(&mut schema);
    let ty = schema.parameters(members);
    schema.method("urn:m", "m", ty, style);
    Reader::new(schema, &Options::default())
}

fn values(reader: &Reader, message: &[u8]) -> Vec<Value> {
    let read = reader.read(message).unwrap();
    assert_eq!(reader.read_plainly(message).unwrap(), read);
    match read.body {
        Body::Call { value: Value::Record(values), .. } => values,
        other => panic!("{other:?}"),
    }
}

fn error(reader: &Reader, message: &[u8]) -> tam::Error {
    let error = reader.read(message).unwrap_err();
    assert_eq!(reader.read_plainly(message).unwrap_err(), error);
    error
}

fn one(simple: Simple) -> Reader {
    reader(Style::Encoded, |schema| vec![Member::new("p", schema.simple(simple))])
}

fn ints() -> Reader {
    reader(Style::Encoded, |schema| {
        let int = schema.simple(Simple::Int);
        vec![Member::new("p", schema.array(int))]
    })
}

/// The message of the paper's figure 1 (a).
const SEARCH: &str = r#"<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:api="urn:GoogleSearch"><SOAP-ENV:Body SOAP-ENV:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><api:doGoogleSearch><key>XXXXX</key><q>Binghamton Grid Computing</q><start>0</start><maxResults>10</maxResults><filter>true</filter><restrict></restrict><safeSearch>false</safeSearch><lr></lr><ie>latin1</ie><oe>latin1</oe></api:doGoogleSearch></SOAP-ENV:Body></SOAP-ENV:Envelope>"#;

#[test]
fn the_papers_search_is_read() {
    assert_eq!(SEARCH.len(), 664, "the paper's Content-Length");
    let mut schema = Schema::new();
    let (string, int, boolean) =
        (schema.simple(Simple::String), schema.simple(Simple::Int), schema.simple(Simple::Boolean));
    let types = [string, string, int, int, boolean, string, boolean, string, string, string];
    let names = ["key", "q", "start", "maxResults", "filter", "restrict", "safeSearch", "lr", "ie", "oe"];
    let members: Vec<_> = names.into_iter().zip(types).map(|(name, ty)| Member::new(name, ty)).collect();
    let parameters = schema.parameters(members);
    schema.method("urn:GoogleSearch", "doGoogleSearch", parameters, Style::Encoded);
    let reader = Reader::new(schema, &Options::default());
    assert!(reader.is_read_in_one_pass(SEARCH.as_bytes()));
    let text = |text: &str| Value::Text(text.into());
    let expected = vec![
        text("XXXXX"),
        text("Binghamton Grid Computing"),
        Value::Int(0),
        Value::Int(10),
        Value::Boolean(true),
        text(""),
        Value::Boolean(false),
        text(""),
        text("latin1"),
        text("latin1"),
    ];
    let message = reader.read(SEARCH.as_bytes()).unwrap();
    assert_eq!(message.version, Version::Soap11);
    assert_eq!(message.value(), Some(&Value::Record(expected)));
}

/// SOAP 1.1 section 5.4.2: sizes, several dimensions, arrays of arrays, items of any name.
#[test]
fn arrays_are_read_as_section_5_4_2_has_them() {
    let read = |inner: &str| match values(&ints(), &message(&format!("<m:m xmlns:m='urn:m'>{inner}</m:m>"))).remove(0) {
        Value::Array(array) => (array.as_ints().unwrap().to_vec(), array.dimensions().to_vec(), array.nil().to_vec()),
        other => panic!("{other:?}"),
    };
    let none = Vec::new;
    assert_eq!(
        read("<p c:arrayType='xsd:int[2]'><number>3</number><number>4</number></p>"),
        (vec![3, 4], none(), none())
    );
    assert_eq!(
        read("<p c:arrayType='xsd:int[2]'><c:int>3</c:int><xsd:int>4</xsd:int></p>"),
        (vec![3, 4], none(), none())
    );
    assert_eq!(
        read("<p xsi:type='c:Array' c:arrayType='xsd:int[2,2]'><i>1</i><i>2</i><i>3</i><i>4</i></p>"),
        (vec![1, 2, 3, 4], vec![2, 2], none())
    );
    assert_eq!(read("<p c:arrayType='xsd:short[]'><i>1</i></p>"), (vec![1], none(), none()));
    assert_eq!(read("<p c:arrayType='xsd:int[0]'/>"), (vec![], none(), none()));
    assert_eq!(read("<p><i>1</i><i xsi:nil='1'/><i xsi:type='xsd:byte'>2</i></p>"), (vec![1, 0, 2], none(), vec![1]));
    for (inner, found) in [
        ("<p c:arrayType='xsd:int[3]'><i>1</i></p>", "1 item"),
        ("<p c:arrayType='xsd:int[1]'><i>1</i><i>2</i></p>", "2 items"),
        ("<p c:arrayType='xsd:string[1]'><i>1</i></p>", "the arrayType 'xsd:string[1]'"),
        ("<p c:arrayType='nope:int[1]'><i>1</i></p>", "the arrayType 'nope:int[1]'"),
        ("<p c:arrayType='xsd:int'><i>1</i></p>", "the arrayType 'xsd:int'"),
        ("<p c:arrayType='xsd:int[99999999999]'><i>1</i></p>", "the arrayType 'xsd:int[99999999999]'"),
        ("<p xsi:type='xsd:int'><i>1</i></p>", "xsi:type 'xsd:int'"),
        ("<p c:arrayType='xsd:int[2]' c:offset='[1]'><i>1</i></p>", "an array that begins after its first item"),
        ("<p><i c:position='[3]'>1</i></p>", "an item with a position"),
        ("<p><i>1</i>x</p>", "text"),
        ("<p><i>1<b/></i></p>", "an element"),
        ("<p><i>one</i></p>", "'one'"),
    ] {
        let error = error(&ints(), &message(&format!("<m:m xmlns:m='urn:m'>{inner}</m:m>")));
        assert_eq!(error.found().to_string(), found);
    }
}

/// SOAP 1.1 section 5.4.1: multi-reference values come after the message, or in it.
#[test]
fn references_stand_for_what_they_refer_to() {
    let person = reader(Style::Encoded, |schema| {
        let string = schema.simple(Simple::String);
        let ty = schema.parameters([Member::new("name", string), Member::new("street", string)]);
        vec![Member::new("a", ty), Member::new("b", ty), Member::new("s", string)]
    });
    let body = "<m:m xmlns:m='urn:m'><a href='#1'/><b href='#1'/><s href='#2'/></m:m>\
                <x id='1'><name>Henry</name><street href='#2'/></x><c:string id='2' xsi:type='xsd:string'>Tree</c:string>";
    let henry = Value::Record(vec![Value::Text("Henry".into()), Value::Text("Tree".into())]);
    assert_eq!(values(&person, &message(body)), [henry.clone(), henry, Value::Text("Tree".into())]);
    for (body, kind, found) in [
        (
            "<m:m xmlns:m='urn:m'><p href='#1'/></m:m>",
            ErrorKind::Schema,
            "a reference to the id '1', which no element has",
        ),
        ("<m:m xmlns:m='urn:m'><p href='#1'/></m:m><i id='1' href='#1'/>", ErrorKind::Schema, "references in a circle"),
        ("<m:m xmlns:m='urn:m'><p href='http://x/'/></m:m>", ErrorKind::Unsupported, "a reference to 'http://x/'"),
        (
            "<m:m xmlns:m='urn:m'><p href='#1'/></m:m><i id='1'>1</i><i id='1'>2</i>",
            ErrorKind::Schema,
            "the id '1' more than once",
        ),
        ("<m:m xmlns:m='urn:m'><p href='#1'>1</p></m:m><i id='1'>1</i>", ErrorKind::Schema, "text"),
        ("<m:m xmlns:m='urn:m'><p>1</p></m:m><i>1</i>", ErrorKind::Schema, "'i'"),
    ] {
        let error = error(&one(Simple::Int), &message(body));
        assert_eq!((error.kind(), error.found().to_string().as_str()), (kind, found));
    }
}

#[test]
fn a_value_that_holds_itself_is_refused() {
    let mut schema = Schema::new();
    let node = schema.declare();
    let members = vec![Member::new("next", node).optional()];
    schema.define(node, dds::Type::Complex(dds::Complex { name: None, members, ordered: false }));
    schema.method("urn:m", "m", node, Style::Encoded);
    let reader = Reader::new(schema, &Options::default());
    let body = "<m:m xmlns:m='urn:m'><next href='#1'/></m:m><x id='1'><next href='#1'/></x>";
    assert_eq!(error(&reader, &message(body)).found().to_string(), "a reference to what holds it");
}

/// References double a value at each level: a small message must not stand for all memory.
#[test]
fn references_count_as_often_as_they_are_followed() {
    let mut schema = Schema::new();
    let node = schema.declare();
    let members = vec![Member::new("a", node).optional(), Member::new("b", node).optional()];
    schema.define(node, dds::Type::Complex(dds::Complex { name: None, members, ordered: false }));
    schema.method("urn:m", "m", node, Style::Encoded);
    let limits = tam::Limits { units: 10_000, ..tam::Limits::DEFAULT };
    let reader = Reader::new(schema, &Options::default().with_limits(limits));
    let mut body = "<m:m xmlns:m='urn:m'><a href='#0'/></m:m>".to_owned();
    for n in 0..60 {
        body += &format!("<x id='{n}'><a href='#{}'/><b href='#{}'/></x>", n + 1, n + 1);
    }
    body += "<x id='60'/>";
    assert_eq!(error(&reader, &message(&body)).kind(), ErrorKind::Limit);
}

#[test]
fn text_is_read_as_xml_has_it() {
    let read =
        |text: &str| values(&one(Simple::String), &message(&format!("<m:m xmlns:m='urn:m'><p>{text}</p></m:m>")));
    for (text, expected) in [
        ("a &lt;&amp;&gt;&quot;&apos; &#65;&#x42;", "a <&>\"' AB"),
        ("a<![CDATA[<b>&amp;]]>c", "a<b>&amp;c"),
        ("a<!-- - -->b", "ab"),
        (" \r\n\r x\t", " \n\n x\t"),
        ("&#13;", "\r"),
        ("é\u{10FFFF}", "é\u{10FFFF}"),
        ("", ""),
    ] {
        assert_eq!(read(text), [Value::Text(expected.into())]);
    }
    for text in
        ["&x;", "&#0;", "&#xFFFE;", "]]>", "a & b", "<![CDATA[", "<!-- a -- b -->", "\u{1}", "\u{FFFF}", "<", "&#;"]
    {
        let message = message(&format!("<m:m xmlns:m='urn:m'><p>{text}</p></m:m>"));
        assert!(
            matches!(error(&one(Simple::String), &message).kind(), ErrorKind::Syntax | ErrorKind::Incomplete),
            "{text}"
        );
    }
}

/// Namespaces in XML 1.0.
#[test]
fn names_are_told_by_their_namespaces() {
    let int = one(Simple::Int);
    for body in [
        "<m xmlns='urn:m'><p xmlns=''>7</p></m>",
        "<a:m xmlns:a='urn:x' xmlns:b='urn:m'><a:p/></a:m>",
        "<b:m xmlns:a='urn:x' xmlns:b='urn:m'><p a:x='1' b:x='2'>7</p></b:m>",
    ] {
        let read = reader_result(&int, body);
        assert_eq!(read, (!body.starts_with("<a")).then_some(7), "{body}");
    }
    for body in [
        "<m:m xmlns:m='urn:m'><q:p>7</q:p></m:m>",
        "<m:m xmlns:m='urn:m'><p q:a=''>7</p></m:m>",
        "<m:m xmlns:m='urn:m'><p xmlns:a='urn:m' a:x='' m:x=''>7</p></m:m>",
        "<m:m xmlns:m='urn:m'><p xmlns:a='u' xmlns:b='u' a:x='' b:x=''>7</p></m:m>",
        "<m:m xmlns:m='urn:m'><p xmlns:a=''>7</p></m:m>",
        "<m:m xmlns:m='urn:m'><p xmlns:xml='urn:x'>7</p></m:m>",
        "<m:m xmlns:m='urn:m'><p xmlns:a='http://www.w3.org/2000/xmlns/'>7</p></m:m>",
        "<m:m xmlns:m='urn:m'><p:p:p xmlns:p='u'>7</p:p:p></m:m>",
        "<m:m xmlns:m='urn:m'><p a:1='' xmlns:a='u'>7</p></m:m>",
        "<m:m xmlns:m='urn:m'><p a='1' a='2'>7</p></m:m>",
    ] {
        assert_eq!(error(&int, &message(body)).kind(), ErrorKind::Syntax, "{body}");
    }
}

fn reader_result(reader: &Reader, body: &str) -> Option<i32> {
    let message = message(body);
    assert_eq!(reader.read(&message), reader.read_plainly(&message));
    match reader.read(&message).ok()?.value()?.member(0)? {
        Value::Int(value) => Some(*value),
        other => panic!("{other:?}"),
    }
}

/// SOAP 1.1 section 4.2.
#[test]
fn header_blocks_are_passed_on() {
    let text = format!(
        "<e:Envelope {SOAP}><e:Header> <t:Transaction xmlns:t='some-URI' e:mustUnderstand='1'>5</t:Transaction>\
         <t:b xmlns:t='u' e:actor='urn:a'><t:c>x</t:c></t:b></e:Header><e:Body><m:m xmlns:m='urn:m'><p>7</p></m:m></e:Body></e:Envelope>"
    );
    let message = one(Simple::Int).read(text.as_bytes()).unwrap();
    assert_eq!(message, one(Simple::Int).read_plainly(text.as_bytes()).unwrap());
    let [first, second] = &message.headers[..] else { panic!() };
    assert_eq!((&first.name, first.must_understand), (&Name::new("some-URI", "Transaction"), true));
    assert!(
        text[first.range.clone()].starts_with("<t:Transaction")
            && text[first.range.clone()].ends_with("</t:Transaction>")
    );
    assert_eq!((second.actor.as_str(), second.must_understand), ("urn:a", false));
    assert_eq!(&text[second.range.clone()], "<t:b xmlns:t='u' e:actor='urn:a'><t:c>x</t:c></t:b>");
}

/// SOAP 1.1 section 4.4 (its example 2) and SOAP 1.2 part 1 section 5.4.
#[test]
fn faults_are_told_apart() {
    let fault = "<e:Fault><faultcode>e:Server</faultcode><faultstring>Server Error</faultstring>\
                 <detail><x:d xmlns:x='Some-URI'><message>no</message></x:d></detail></e:Fault>";
    let text = message(fault);
    let Body::Fault(fault) = one(Simple::Int).read(&text).unwrap().body else { panic!() };
    assert_eq!(fault.code, Name::new("http://schemas.xmlsoap.org/soap/envelope/", "Server"));
    assert_eq!((fault.reason.as_str(), fault.actor.as_str()), ("Server Error", ""));
    assert!(text[fault.detail.unwrap()].starts_with(b"<detail>"));
    let text = "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body><s:Fault><s:Code><s:Value>s:Sender\
                </s:Value></s:Code><s:Reason><s:Text xml:lang='en'>bad</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>";
    let Body::Fault(fault) = one(Simple::Int).read(text.as_bytes()).unwrap().body else { panic!() };
    assert_eq!(fault.code, Name::new("http://www.w3.org/2003/05/soap-envelope", "Sender"));
    assert_eq!(fault.reason, "bad");
}

#[test]
fn what_is_no_soap_is_refused() {
    let int = one(Simple::Int);
    let body = "<m:m xmlns:m='urn:m'><p>7</p></m:m>";
    let soap = |text: &str| error(&int, text.as_bytes());
    let doctype = format!("<!DOCTYPE x [<!ENTITY a 'b'>]>{}", String::from_utf8(message(body)).unwrap());
    assert_eq!(soap(&doctype).found().to_string(), "a document type declaration");
    let instruction = message("<?x y?><m:m xmlns:m='urn:m'><p>7</p></m:m>");
    assert_eq!(error(&int, &instruction).kind(), ErrorKind::Unsupported);
    assert_eq!(soap("<Envelope xmlns='urn:other'/>").kind(), ErrorKind::Unsupported);
    assert_eq!(soap("<x/>").kind(), ErrorKind::Schema);
    assert_eq!(soap(&format!("<e:Envelope {SOAP}/>")).expected().to_string(), "the Body of the envelope");
    assert_eq!(error(&int, &message("")).found().to_string(), "an empty body");
    assert_eq!(error(&int, &message("<n/>")).found().to_string(), "'n'");
    let member = error(&int, &message("<m:m xmlns:m='urn:m'>\n <q>7</q></m:m>"));
    assert_eq!((member.path(), member.position()), ("/e:Envelope/e:Body/m:m/q", Some((2, 2))));
    assert_eq!(error(&int, &message("<m:m xmlns:m='urn:m'/>")).found().to_string(), "missing member 'p'");
    assert_eq!(error(&int, &message("<m:m xmlns:m='urn:m'><p>7</p><p>7</p></m:m>")).found().to_string(), "'p'");
}

/// SOAP 1.2 part 2 section 3 has another encoding: `enc:ref` would be passed over.
#[test]
fn encoded_messages_are_of_soap_1_1() {
    let text = "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body>\
                <m:m xmlns:m='urn:m'><p>7</p></m:m></s:Body></s:Envelope>";
    let int = |style| reader(style, |schema| vec![Member::new("p", schema.simple(Simple::Int))]);
    let error = error(&int(Style::Encoded), text.as_bytes());
    assert_eq!(
        (error.kind(), error.found().to_string().as_str()),
        (ErrorKind::Unsupported, "'m' in the encoding of SOAP 1.2")
    );
    assert!(values(&int(Style::Literal), text.as_bytes()) == [Value::Int(7)]);
}

#[test]
fn a_method_without_parameters_takes_none() {
    let none = reader(Style::Encoded, |_| Vec::new());
    for call in ["<x:m xmlns:x='urn:m'/>", "<x:m xmlns:x='urn:m'> </x:m>"] {
        assert_eq!(values(&none, &message(call)), []);
    }
    let with_one = message("<x:m xmlns:x='urn:m'><p>1</p></x:m>");
    assert_eq!(error(&none, &with_one).kind(), ErrorKind::Schema);
}

#[test]
fn messages_in_other_encodings_are_read() {
    let text = String::from_utf8(message("<m:m xmlns:m='urn:m'><p>é</p></m:m>")).unwrap();
    let utf16: Vec<u8> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(values(&one(Simple::String), &utf16), [Value::Text("é".into())]);
    let latin: Vec<u8> =
        format!("<?xml version='1.0' encoding='ISO-8859-1'?>{text}").chars().map(|c| c as u8).collect();
    assert_eq!(values(&one(Simple::String), &latin), [Value::Text("é".into())]);
}

#[test]
fn arrays_of_compounds_are_columns() {
    let reader = reader(Style::Encoded, |schema| {
        let (int, double) = (schema.simple(Simple::Int), schema.simple(Simple::Double));
        let point = schema.parameters([Member::new("x", int), Member::new("v", double)]);
        vec![Member::new("p", schema.array(point))]
    });
    let body =
        "<m:m xmlns:m='urn:m'><p><i><x>1</x><v>0.5</v></i><i><v>1.5</v><x>2</x></i><i xsi:nil='true'/></p></m:m>";
    let Value::Array(array) = values(&reader, &message(body)).remove(0) else { panic!() };
    let Items::Columns(columns) = array.items() else { panic!() };
    assert_eq!(columns[0].as_ints(), Some(&[1, 2, 0][..]));
    assert_eq!(columns[1].as_doubles(), Some(&[0.5, 1.5, 0.0][..]));
    assert_eq!((array.len(), array.nil()), (3, &[2][..]));
    assert_eq!(array.get(1), Some(Value::Record(vec![Value::Int(2), Value::Double(1.5)])));
    assert_eq!(array.get(2), Some(Value::Nil));
}

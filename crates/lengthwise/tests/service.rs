//! Services by their descriptions: which messages they have, and what these say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

use lengthwise::dds::{Message, Options, Reader, Value, Version};
use lengthwise::service::LeftOut;
use lengthwise::{Error, ErrorKind, Service, xsd};
use xsd::wsdl::Description;

/// A description with a schema of `urn:x`, qualified, and one binding `b` of operations.
fn description(schema: &str, rest: &str) -> String {
    format!(
        r#"<definitions name="T" targetNamespace="urn:t" xmlns="http://schemas.xmlsoap.org/wsdl/"
    xmlns:t="urn:t" xmlns:x="urn:x" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
    xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<types><xs:schema targetNamespace="urn:x" elementFormDefault="qualified">
{schema}
</xs:schema></types>
{rest}</definitions>"#
    )
}

/// One operation `go` whose request has `parts`.
fn operation(parts: &str, style: &str, body: &str) -> String {
    format!(
        "<message name='m'>{parts}</message>
         <portType name='p'><operation name='go'><input message='t:m'/></operation></portType>
         <binding name='b' type='t:p'><soap:binding style='{style}'/>
           <operation name='go'><input><soap:body {body}/></input></operation></binding>"
    )
}

fn service_of(text: &str) -> Result<Service, Error> {
    let options = xsd::Options::default();
    let description = Description::read_from(xsd::Memory::new().with("t.wsdl", text), "t.wsdl", &options)?;
    Service::from_wsdl(&description, &options)
}

/// The service of one literal operation, which has the element `x:e`.
fn literal(schema: &str) -> Result<Service, Error> {
    let rest = operation("<part name='p' element='x:e'/>", "document", "use='literal'");
    service_of(&description(schema, &rest))
}

/// The service of one encoded operation, whose parameter `v` is of a type.
fn encoded(schema: &str, ty: &str) -> Result<Service, Error> {
    let parts = format!("<part name='v' type='{ty}'/>");
    service_of(&description(schema, &operation(&parts, "rpc", "use='encoded' namespace='urn:n'")))
}

fn read(service: &Service, body: &str) -> Result<Message, Error> {
    let message = format!(
        r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:n="urn:n" xmlns:x="urn:x"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/"><e:Body>{body}</e:Body></e:Envelope>"#
    );
    Reader::new(service.schema().clone(), &Options::default()).read(message.as_bytes())
}

fn value(service: &Service, body: &str) -> Value {
    read(service, body).unwrap_or_else(|error| panic!("{error}\n{body}")).value().expect(body).clone()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn the_sample_has_the_operations_of_the_paper_and_literal_twins() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/search.wsdl");
    let options = xsd::Options::default();
    let service = Service::from_wsdl(&Description::read(path, &options).unwrap(), &options).unwrap();
    assert!(service.left_out().is_empty());
    let bindings: Vec<_> = service.bindings().iter().map(|one| (one.name.as_str(), one.version)).collect();
    let (soap11, soap12) = (Version::Soap11, Version::Soap12);
    assert_eq!(bindings, [("EncodedBinding", soap11), ("LiteralBinding", soap11), ("Literal12Binding", soap12)]);
    let of = |n: usize| service.bindings()[n].operations.iter().map(|one| (one.request, one.response));
    // Both literal bindings are of the same messages.
    assert!(of(1).eq(of(2)) && of(0).eq([(Some(0), Some(1)), (Some(2), Some(3))]));
    assert_eq!(service.bindings()[0].operations[0].action, "urn:GoogleSearchAction");
    let port = &service.bindings()[2].ports[0];
    assert_eq!((port.service.as_str(), port.name.as_str()), ("SearchService", "Literal12Port"));
    // The first request of the paper's figure 1.
    let reader = Reader::new(service.schema().clone(), &Options::default());
    let request = br#"<?xml version="1.0" encoding="UTF-8"?><SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:api="urn:GoogleSearch"><SOAP-ENV:Body SOAP-ENV:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><api:doGoogleSearch><key>XXXXX</key><q>Binghamton Grid Computing</q><start>0</start><maxResults>10</maxResults><filter>true</filter><restrict></restrict><safeSearch>false</safeSearch><lr></lr><ie>latin1</ie><oe>latin1</oe></api:doGoogleSearch></SOAP-ENV:Body></SOAP-ENV:Envelope>"#;
    assert!(reader.is_read_in_one_pass(request));
    let message = reader.read(request).unwrap();
    let members = [1, 3, 4].map(|member| message.value().unwrap().member(member).unwrap().clone());
    assert_eq!(members, [text("Binghamton Grid Computing"), Value::Int(10), Value::Boolean(true)]);
}

#[test]
fn simple_types_are_read_as_what_they_come_from() {
    let schema = "
        <xs:simpleType name='colour'><xs:restriction base='xs:string'><xs:enumeration value='red'/></xs:restriction></xs:simpleType>
        <xs:simpleType name='age'><xs:restriction base='xs:unsignedByte'><xs:maxInclusive value='130'/></xs:restriction></xs:simpleType>
        <xs:simpleType name='ints'><xs:list itemType='xs:int'/></xs:simpleType>
        <xs:simpleType name='size'><xs:union memberTypes='x:age xs:boolean'><xs:simpleType>
          <xs:restriction base='xs:token'><xs:enumeration value='huge'/></xs:restriction></xs:simpleType></xs:union></xs:simpleType>
        <xs:simpleType name='nested'><xs:union memberTypes='x:size xs:double'/></xs:simpleType>
        <xs:element name='e'><xs:complexType><xs:sequence>
          <xs:element name='a' type='x:colour'/><xs:element name='b' type='x:age'/><xs:element name='c' type='x:ints'/>
          <xs:element name='d' type='x:size'/><xs:element name='f' type='x:nested'/><xs:element name='g' type='xs:positiveInteger'/>
          <xs:element name='h' type='xs:dateTime'/><xs:element name='i' type='xs:hexBinary'/>
          <xs:element name='j' type='xs:normalizedString'/><xs:element name='k' type='xs:float'/>
        </xs:sequence></xs:complexType></xs:element>";
    let service = literal(schema).unwrap();
    let body = "<x:e><x:a> red </x:a><x:b>7</x:b><x:c> 1  2 </x:c><x:d>huge</x:d><x:f>1.5e3</x:f><x:g> 12345678901234567890 </x:g>\
        <x:h> 2024-01-17T00:00:00 </x:h><x:i>00fF</x:i><x:j> a </x:j><x:k>0.1</x:k></x:e>";
    let union = |n, value| Value::Union(n, Box::new(value));
    let expected = vec![
        text(" red "),
        Value::UnsignedByte(7),
        text("1 2"),
        union(2, text("huge")),
        // The token comes before the double.
        union(2, text("1.5e3")),
        text("12345678901234567890"),
        text("2024-01-17T00:00:00"),
        Value::Binary(vec![0, 255]),
        text(" a "),
        Value::Float(0.1),
    ];
    assert_eq!(value(&service, body), Value::Record(expected));
}

#[test]
fn content_models_become_members() {
    let schema = "
        <xs:group name='g'><xs:choice><xs:element name='l' type='xs:int'/>
          <xs:sequence><xs:element name='m' type='xs:int'/><xs:element name='n' type='xs:int'/></xs:sequence></xs:choice></xs:group>
        <xs:complexType name='base'><xs:sequence><xs:element name='a' type='xs:int' nillable='true'/></xs:sequence></xs:complexType>
        <xs:complexType name='more'><xs:complexContent><xs:extension base='x:base'><xs:sequence>
          <xs:group ref='x:g' minOccurs='0'/>
          <xs:sequence maxOccurs='unbounded'><xs:element name='r' type='xs:short'/></xs:sequence>
          <xs:element ref='x:node' minOccurs='0'/>
        </xs:sequence></xs:extension></xs:complexContent></xs:complexType>
        <xs:element name='node'><xs:complexType><xs:sequence><xs:element name='v' type='xs:int' maxOccurs='3'/>
          <xs:element ref='x:node' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='e' type='x:more'/>";
    let service = literal(schema).unwrap();
    let body = "<x:e xsi:type='x:more'><x:a xsi:nil='true'/><x:m>1</x:m><x:n>2</x:n><x:r>3</x:r><x:r>4</x:r>\
        <x:node><x:v>5</x:v><x:node><x:v>6</x:v></x:node></x:node></x:e>";
    let all = value(&service, body);
    let member = |n: usize| all.member(n).unwrap();
    assert_eq!(
        [member(0), member(1), member(2), member(3)],
        [&Value::Nil, &Value::Absent, &Value::Int(1), &Value::Int(2)]
    );
    assert_eq!(member(4).as_array().map(|array| array.get(1)), Some(Some(Value::Short(4))));
    let inner = member(5).member(1).unwrap();
    assert_eq!(inner.member(0).unwrap().as_array().unwrap().as_ints(), Some(&[6][..]));
    assert_eq!(inner.member(1), Some(&Value::Absent));
    for (wrong, expected) in [
        ("<x:e><x:r>1</x:r></x:e>", "missing member '{urn:x}a'"),
        ("<x:e><x:a>1</x:a><x:l>1</x:l><x:l>1</x:l></x:e>", "'x:l'"),
        ("<x:e><x:r>1</x:r><x:a>1</x:a></x:e>", "'x:a'"),
        ("<x:e><a>1</a></x:e>", "'a'"),
    ] {
        let error = read(&service, wrong).unwrap_err();
        assert!(error.to_string().contains(expected) && error.position().is_some(), "{error}");
    }
}

#[test]
fn encoded_types_are_arrays_and_structs_in_any_order() {
    let schema = "
        <xs:complexType name='ints'><xs:complexContent><xs:restriction base='enc:Array'>
          <xs:attribute ref='enc:arrayType' wsdl:arrayType='xs:int[]'/></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name='grid'><xs:complexContent><xs:restriction base='enc:Array'>
          <xs:attribute ref='enc:arrayType' wsdl:arrayType='xs:double[,]'/></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name='rows'><xs:complexContent><xs:restriction base='enc:Array'>
          <xs:attribute ref='enc:arrayType' wsdl:arrayType='xs:int[][]'/></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name='points'><xs:complexContent><xs:restriction base='enc:Array'><xs:sequence>
          <xs:element name='p' type='x:point' minOccurs='0' maxOccurs='unbounded' form='unqualified'/>
          </xs:sequence></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name='point'><xs:all><xs:element name='x' type='xs:int' form='unqualified'/>
          <xs:element name='y' type='enc:int' form='unqualified'/></xs:all></xs:complexType>
        <xs:complexType name='all'><xs:sequence>
          <xs:element name='i' type='x:ints' form='unqualified'/><xs:element name='g' type='x:grid' form='unqualified'/>
          <xs:element name='r' type='x:rows' form='unqualified'/><xs:element name='p' type='x:points' form='unqualified'/>
        </xs:sequence></xs:complexType>";
    let service = encoded(schema, "x:all").unwrap();
    let body = "<n:go><v xsi:type='x:all'><p enc:arrayType='x:point[2]'><p><y>2</y><x>1</x></p><p><x>3</x><y>4</y></p></p>\
        <g enc:arrayType='xs:double[1,2]'><d>.5</d><d>1</d></g><r enc:arrayType='xs:int[][1]'><r enc:arrayType='xs:int[2]'>\
        <i>7</i><i>8</i></r></r><i enc:arrayType='xs:int[1]'><i>9</i></i></v></n:go>";
    let all = value(&service, body);
    let array = |n: usize| all.member(0).unwrap().member(n).unwrap().as_array().unwrap().clone();
    assert_eq!(array(0).as_ints(), Some(&[9][..]));
    assert_eq!((array(1).as_doubles(), array(1).dimensions()), (Some(&[0.5, 1.0][..]), &[1, 2][..]));
    let Some(Value::Array(row)) = array(2).get(0) else { panic!() };
    assert_eq!(row.as_ints(), Some(&[7, 8][..]));
    assert_eq!(array(3).get(0), Some(Value::Record(vec![Value::Int(1), Value::Int(2)])));
}

#[test]
fn an_array_may_hold_itself() {
    let schema = "<xs:complexType name='a'><xs:complexContent><xs:restriction base='enc:Array'>
        <xs:attribute ref='enc:arrayType' wsdl:arrayType='x:a[]'/></xs:restriction></xs:complexContent></xs:complexType>";
    let service = encoded(schema, "x:a").unwrap();
    let all = value(&service, "<n:go><v><a><a/></a><a/></v></n:go>");
    let array = all.member(0).unwrap().as_array().unwrap();
    let Some(Value::Array(inner)) = array.get(0) else { panic!() };
    assert_eq!((array.len(), inner.len()), (2, 1));
}

/// Why the one message of a description is not carried.
fn refused(service: Result<Service, Error>) -> String {
    let error = service.expect_err("nothing is carried");
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "t.wsdl"), "{error}");
    assert!(error.position().is_some(), "{error}");
    error.to_string()
}

#[test]
fn what_cannot_be_carried_is_named_with_its_file_and_line() {
    let e = |inner: &str| format!("\n<xs:element name='e'><xs:complexType>{inner}</xs:complexType></xs:element>");
    let sequence = |inner: &str| e(&format!("<xs:sequence>{inner}</xs:sequence>"));
    for (schema, expected) in [
        (e("<xs:attribute name='a'/>"), "(line 7, column 38) in t.wsdl: found the attribute 'a' of a type without a name"),
        (e("<xs:anyAttribute/>"), "found xs:anyAttribute of a type without a name"),
        (sequence("<xs:any/>"), "found xs:any, expected elements that are known"),
        (sequence("<xs:element name='a'/>"), "found the element 'a', which is of xs:anyType"),
        (sequence("<xs:element name='a' type='xs:int' default='1'/>"), "found the element 'a', which has a default"),
        (sequence("<xs:element ref='x:h'/>") + "<xs:element name='h' type='xs:int' abstract='true'/>",
         "found the element 'h', which is abstract"),
        (sequence("<xs:element ref='x:h'/>") + "<xs:element name='h' type='xs:int'/><xs:element name='i' \
         type='xs:int' substitutionGroup='x:h'/>", "found the element 'h', which other elements may substitute"),
        (sequence("<xs:choice maxOccurs='2'><xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:int'/>\
         </xs:choice>"), "found an xs:choice that repeats"),
        (e("<xs:sequence maxOccurs='2'><xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:int'/>\
         </xs:sequence>"), "found an xs:sequence that repeats"),
        ("<xs:element name='e'><xs:complexType mixed='true'/></xs:element>".into(), "of mixed content"),
        ("<xs:element name='e' type='x:c'/><xs:complexType name='c' abstract='true'/>".into(),
         "found the type 'c', which is abstract"),
        ("<xs:element name='e' type='x:c'/><xs:complexType name='c'><xs:complexContent><xs:restriction base='enc:Array'/>\
         </xs:complexContent></xs:complexType>".into(), "an array of SOAP's encoding, in a literal message"),
    ] {
        let error = refused(literal(&schema));
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let array = |what: &str| {
        format!(
            "<xs:complexType name='a'><xs:complexContent><xs:restriction base='enc:Array'>{what}</xs:restriction>\
            </xs:complexContent></xs:complexType>"
        )
    };
    let of = |ty: &str| array(&format!("<xs:attribute ref='enc:arrayType' wsdl:arrayType='{ty}'/>"));
    for (schema, ty, expected) in [
        (array(""), "x:a", "found the type 'a', an array that does not say of what"),
        (of("x:no[]"), "x:a", "found the type '{urn:x}no', which no schema defines"),
        (of("xs:anyType[]"), "x:a", "found an array of xs:anyType"),
        (String::new(), "xs:anyType", "found the part 'v' of xs:anyType"),
    ] {
        let error = refused(encoded(&schema, ty));
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let element = "<xs:element name='e' type='xs:int'/>";
    let (by_type, by_element) = ("<part name='v' type='xs:int'/>", "<part name='v' element='x:e'/>");
    for (parts, style, body, expected) in [
        (by_element, "rpc", "use='literal'", "found the part 'v' of an element, in a message of the style rpc"),
        (by_type, "document", "use='literal'", "found the part 'v' of a type, in a message of the style document"),
        ("", "document", "use='literal'", "found a body without a part"),
        (
            "<part name='v' element='x:e'/><part name='w' element='x:e'/>",
            "document",
            "use='literal'",
            "of several parts",
        ),
        (by_element, "document", "use='encoded'", "found an encoded message of the style document"),
        (by_type, "rpc", "use='encoded' encodingStyle='urn:other'", "found the encoding 'urn:other'"),
    ] {
        let error = refused(service_of(&description(element, &operation(parts, style, body))));
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let other = "<portType name='p'/><binding name='b' type='t:p'><x:binding/></binding>";
    assert!(refused(service_of(&description("", other))).contains("found a binding of another protocol"));
}

#[test]
fn the_messages_that_can_be_carried_are() {
    let schema =
        "<xs:complexType name='good'><xs:sequence><xs:element name='a' type='xs:int'/></xs:sequence></xs:complexType>
        <xs:element name='good' type='x:good'/>
        <xs:element name='bad'><xs:complexType><xs:sequence><xs:element name='g' type='x:good'/>
          <xs:element name='h' type='x:mid'/><xs:any/></xs:sequence></xs:complexType></xs:element>
        <xs:complexType name='mid'><xs:sequence><xs:element ref='x:bad'/></xs:sequence></xs:complexType>
        <xs:element name='mid' type='x:mid'/>";
    let operation = |name: &str| {
        format!("<operation name='{name}'><input message='t:bad'/><output message='t:{name}'/></operation>")
    };
    let bound = |name: &str| {
        format!(
            "<operation name='{name}'><input><soap:body use='literal'/></input><output><soap:body use='literal'/></output></operation>"
        )
    };
    let message = |name: &str| format!("<message name='{name}'><part name='p' element='x:{name}'/></message>");
    let each = |of: &dyn Fn(&str) -> String| ["bad", "mid", "good"].map(of).concat();
    let rest = format!(
        "{}<portType name='p'>{}</portType><binding name='b' type='t:p'><soap:binding/>{}</binding>
         <binding name='h' type='t:p'><soap12:binding/><x:policy wsdl:required='1'/>{}</binding>",
        each(&message),
        each(&operation),
        each(&bound),
        each(&bound)
    );
    let service = service_of(&description(schema, &rest)).unwrap();
    let parts: Vec<_> = service
        .left_out()
        .iter()
        .map(|LeftOut { what, error, .. }| (what.as_str(), error.found().to_string()))
        .collect();
    let any = "xs:any".to_owned();
    let expected = [
        ("the request of 'bad'", any.clone()),
        ("the response of 'bad'", any.clone()),
        ("the request of 'mid'", any.clone()),
        ("the response of 'mid'", any.clone()),
        ("the request of 'good'", any),
        ("the binding 'h'", "an extension that is required: {urn:x}policy".to_owned()),
    ];
    assert_eq!(parts, expected);
    let operations: Vec<_> = service.bindings()[0].operations.iter().map(|one| (one.request, one.response)).collect();
    assert_eq!(operations, [(None, None), (None, None), (None, Some(0))]);
    assert_eq!(value(&service, "<x:good><x:a>1</x:a></x:good>"), Value::Record(vec![Value::Int(1)]));
    assert!(read(&service, "<x:mid/>").is_err());
}

#[test]
fn one_element_is_one_message() {
    let element = "<xs:element name='e' type='xs:int'/>";
    let rest = "<message name='m'><part name='v' element='x:e'/></message><message name='n'><part name='v' type='xs:int'/></message>
        <portType name='p'><operation name='e'><input message='t:m'/><output message='t:m'/></operation></portType>
        <portType name='q'><operation name='e'><input message='t:n'/></operation></portType>
        <binding name='b' type='t:p'><soap:binding/><operation name='e'><input><soap:body/></input>
          <output><soap:body/></output></operation></binding>
        <binding name='c' type='t:q'><soap:binding style='rpc'/><operation name='e'>
          <input><soap:body namespace='urn:x'/></input></operation></binding>";
    let service = service_of(&description(element, rest)).unwrap();
    let operation = &service.bindings()[0].operations[0];
    assert_eq!((operation.request, operation.response), (Some(0), Some(0)));
    let [LeftOut { what, error, .. }] = service.left_out() else { panic!() };
    assert_eq!(what, "the request of 'e'");
    assert!(error.to_string().contains("found the element '{urn:x}e' with other contents than it has in another"));
    assert_eq!(value(&service, "<x:e>7</x:e>"), Value::Int(7));
}

#[test]
fn what_types_cost_is_bounded() {
    // Each operation has all parts of one message.
    let parts: String = (0..100).map(|n| format!("<part name='p{n}' type='xs:int'/>")).collect();
    let operations: String =
        (0..100).map(|n| format!("<operation name='o{n}'><input message='t:m'/></operation>")).collect();
    let bound: String =
        (0..100).map(|n| format!("<operation name='o{n}'><input><soap:body/></input></operation>")).collect();
    let rest = format!(
        "<message name='m'>{parts}</message><portType name='p'>{operations}</portType>
         <binding name='b' type='t:p'><soap:binding style='rpc'/>{bound}</binding>"
    );
    let text = description("", &rest);
    assert!(service_of(&text).is_ok());
    let options = xsd::Options::default().with_particles(5_000);
    let description = Description::read_from(xsd::Memory::new().with("t", text), "t", &options).unwrap();
    assert_eq!(Service::from_wsdl(&description, &options).unwrap_err().kind(), ErrorKind::Limit);
}

/// A text with pieces changed, left out, doubled or moved.
fn spoiled(text: &str, random: &mut test_support::Random) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(2) {
        let (from, to) = (random.below(text.len()), random.below(text.len()));
        let len = random.below(20).min(text.len() - from);
        match random.below(4) {
            0 => text[from] = random.of(b"<>'\"/:= ax[]"),
            1 => _ = text.drain(from..from + len),
            2 => {
                let piece = text[from..from + len].to_vec();
                _ = text.splice(to..to, piece);
            }
            // Names in the place of others: what is not there, or of another kind.
            _ => {
                let names: [&[u8]; 8] = [b"s:", b"l:", b"enc:", b"xsd:", b"Array", b"search", b"unbounded", b"encoded"];
                _ = text.splice(from..from, random.of(&names).to_vec());
            }
        }
    }
    text
}

#[test]
fn spoiled_descriptions_are_read_or_refused() {
    let sample = include_str!("../../../samples/search.wsdl");
    let mut random = test_support::Random::new(1);
    let options = xsd::Options::default();
    let mut read = 0;
    for _ in 0..300 {
        let text = spoiled(sample, &mut random);
        let source = xsd::Memory::new().with("t", text.clone());
        let service = Description::read_from(source, "t", &options)
            .and_then(|description| Service::from_wsdl(&description, &options));
        match service {
            Ok(service) => {
                read += 1;
                assert!(!service.schema().methods().is_empty());
                assert!(service.left_out().iter().all(|left_out| !left_out.error.path().is_empty()));
            }
            Err(error) => assert!(!error.path().is_empty(), "{error}"),
        }
    }
    assert!(read > 20, "{read}");
}

//! Services by their descriptions: which messages and operations they have, and what cannot be read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_soap as soap;

mod support;

use asn1::{Value, Values};
use soap::{Body, LeftOut, Service, SoapVersion, Style, Use};
use support::array;
use tam::{Error, ErrorKind};
use x694::xer;
use xsd::{Memory, Options};

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
    Service::read(Memory::new().with("t.wsdl", text), "t.wsdl", &Options::default())
}

/// The service of one encoded operation, whose parameter `v` is of a type.
fn encoded(schema: &str, ty: &str) -> Result<Service, Error> {
    let parts = format!("<part name='v' type='{ty}'/>");
    service_of(&description(schema, &operation(&parts, "rpc", "use='encoded' namespace='urn:n'")))
}

/// What a body has.
fn read<R>(service: &Service, body: &str, then: impl FnOnce(Value<'_>) -> R) -> Result<R, Error> {
    let message = format!(
        r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:n="urn:n" xmlns:x="urn:x"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/"><e:Body>{body}</e:Body></e:Envelope>"#
    );
    let mut values = Values::new();
    let value = xer::read(message.as_bytes(), service.types(), &Options::default(), &mut values)?;
    let Some(Body::Call { value, .. }) = service.message(value).body() else { panic!("a fault") };
    Ok(then(value))
}

#[test]
fn the_sample_has_the_operations_of_the_paper_and_literal_twins() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/search.wsdl");
    let files = xsd::Files::beside(path).unwrap();
    let service = Service::read(files, path, &Options::default()).unwrap();
    assert!(service.left_out().is_empty());
    let bindings: Vec<_> = service.bindings().iter().map(|one| (one.name.as_str(), one.version)).collect();
    let (soap11, soap12) = (SoapVersion::Soap11, SoapVersion::Soap12);
    assert_eq!(bindings, [("EncodedBinding", soap11), ("LiteralBinding", soap11), ("Literal12Binding", soap12)]);
    let operations = |n: usize| &service.bindings()[n].operations;
    let [search, sum] = &operations(0)[..] else { panic!() };
    assert_eq!(
        (search.action.as_str(), search.style, search.usage),
        ("urn:GoogleSearchAction", Style::Rpc, Use::Encoded)
    );
    let shown = |name: &Option<soap::Name>| name.as_ref().unwrap().to_string();
    assert_eq!(shown(&search.request), "{urn:GoogleSearch}doGoogleSearch");
    assert_eq!(shown(&search.response), "{urn:GoogleSearch}doGoogleSearchResponse");
    assert_eq!(shown(&sum.request), "{urn:GoogleSearch}sendDoubles");
    // Both literal bindings are of the same messages.
    let messages = |n: usize| operations(n).iter().map(|one| (&one.request, &one.response)).collect::<Vec<_>>();
    assert_eq!(messages(1), messages(2));
    assert_eq!((operations(1)[0].style, operations(1)[0].usage), (Style::Document, Use::Literal));
    let port = &service.bindings()[2].ports[0];
    assert_eq!((port.service.as_str(), port.name.as_str()), ("SearchService", "Literal12Port"));
    // The first request of the paper's figure 1.
    let body = "<api:doGoogleSearch xmlns:api='urn:GoogleSearch'><key>XXXXX</key><q>Binghamton Grid Computing</q>\
        <start>0</start><maxResults>10</maxResults><filter>true</filter><restrict></restrict><safeSearch>false</safeSearch>\
        <lr></lr><ie>latin1</ie><oe>latin1</oe></api:doGoogleSearch>";
    let found = read(&service, body, |value| {
        let get = |path: &str| value.get(path).unwrap();
        (get("q").as_str().map(str::to_owned), get("maxResults").as_i64(), get("filter").as_bool())
    });
    assert_eq!(found.unwrap(), (Some("Binghamton Grid Computing".to_owned()), Some(10), Some(true)));
}

#[test]
fn encoded_types_are_arrays_and_structs_in_any_order() {
    let arrays = [("ints", "xs:int[]"), ("grid", "xs:double[,]"), ("rows", "xs:int[][]")];
    let schema = arrays.map(|(name, of)| array(name, of)).concat()
        + "
        <xs:complexType name='points'><xs:complexContent><xs:restriction base='enc:Array'><xs:sequence>
          <xs:element name='p' type='x:point' minOccurs='0' maxOccurs='unbounded' form='unqualified'/>
          </xs:sequence></xs:restriction></xs:complexContent></xs:complexType>
        <xs:complexType name='point'><xs:all><xs:element name='x' type='xs:int' form='unqualified'/>
          <xs:element name='y' type='enc:int' form='unqualified'/></xs:all></xs:complexType>
        <xs:complexType name='all'><xs:sequence>
          <xs:element name='i' type='x:ints' form='unqualified'/><xs:element name='g' type='x:grid' form='unqualified'/>
          <xs:element name='r' type='x:rows' form='unqualified'/><xs:element name='p' type='x:points' form='unqualified'/>
        </xs:sequence></xs:complexType>";
    let service = encoded(&schema, "x:all").unwrap();
    let body = "<n:go><v xsi:type='x:all'><p enc:arrayType='x:point[2]'><p><y>2</y><x>1</x></p><p><x>3</x><y>4</y></p></p>\
        <g enc:arrayType='xs:double[1,2]'><d>.5</d><d>1</d></g><r enc:arrayType='xs:int[][1]'><r enc:arrayType='xs:int[2]'>\
        <i>7</i><i>8</i></r></r><i enc:arrayType='xs:int[1]'><i>9</i></i></v></n:go>";
    let numbers = ["v/i/item/0/content", "v/r/item/0/content/item/1/content", "v/p/item/0/content/y"];
    let found = read(&service, body, |value| {
        let dimensions: Vec<_> = value.get("v/g/dimensions").unwrap().items().map(Value::as_i64).collect();
        assert_eq!(dimensions, [Some(1), Some(2)]);
        assert_eq!(value.get("v/g/item/0/content").unwrap().as_f64(), Some(0.5));
        numbers.map(|path| value.get(path).unwrap_or_else(|| panic!("{path}")).as_i64())
    });
    assert_eq!(found.unwrap(), [Some(9), Some(8), Some(2)]);
}

#[test]
fn an_array_may_hold_itself() {
    let schema = "<xs:complexType name='a'><xs:complexContent><xs:restriction base='enc:Array'>
        <xs:attribute ref='enc:arrayType' wsdl:arrayType='x:a[]'/></xs:restriction></xs:complexContent></xs:complexType>";
    let service = encoded(schema, "x:a").unwrap();
    let lens = read(&service, "<n:go><v><a><a/></a><a/></v></n:go>", |value| {
        ["v/item", "v/item/0/content/item"].map(|path| value.get(path).unwrap().len())
    });
    assert_eq!(lens.unwrap(), [2, 1]);
}

/// Why the one message of a description cannot be read.
fn refused(service: Result<Service, Error>) -> String {
    let error = service.expect_err("nothing can be read");
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "t.wsdl"), "{error}");
    assert!(error.position().is_some(), "{error}");
    error.to_string()
}

#[test]
fn what_cannot_be_read_is_named_with_its_file_and_line() {
    let array = |what: &str| {
        format!(
            "\n<xs:complexType name='a'><xs:complexContent><xs:restriction base='enc:Array'>{what}</xs:restriction>\
            </xs:complexContent></xs:complexType>"
        )
    };
    let of = |ty: &str| array(&format!("<xs:attribute ref='enc:arrayType' wsdl:arrayType='{ty}'/>"));
    let named = |inner: &str| format!("<xs:complexType name='a'>{inner}</xs:complexType>");
    let sequence = |inner: &str| named(&format!("<xs:sequence>{inner}</xs:sequence>"));
    for (schema, ty, expected) in [
        (array(""), "x:a", "(line 7, column 1) in t.wsdl: found the type 'a', an array that does not say of what"),
        (of("x:no[]"), "x:a", "found the type '{urn:x}no', which no schema defines"),
        (of("xs:anyType[]"), "x:a", "found an array of xs:anyType"),
        (String::new(), "xs:anyType", "found the part 'v' of xs:anyType"),
        (named("<xs:attribute name='a'/>"), "x:a", "found the attribute 'a' of the type 'a'"),
        (sequence("<xs:any/>"), "x:a", "found xs:any, expected elements that are known"),
        (sequence("<xs:element name='a'/>"), "x:a", "found the element 'a', which is of xs:anyType"),
        (
            sequence("<xs:element name='a' type='xs:int' default='1'/>"),
            "x:a",
            "found the element 'a', which has a default",
        ),
        (
            sequence("<xs:element ref='x:h'/>") + "<xs:element name='h' type='xs:int' abstract='true'/>",
            "x:a",
            "found the element 'h', which is abstract",
        ),
        (
            sequence("<xs:element ref='x:h'/>")
                + "<xs:element name='h' type='xs:int'/><xs:element name='i' \
         type='xs:int' substitutionGroup='x:h'/>",
            "x:a",
            "found the element 'h', which other elements may substitute",
        ),
        (
            sequence(
                "<xs:choice maxOccurs='2'><xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:int'/>\
         </xs:choice>",
            ),
            "x:a",
            "found an xs:choice that repeats",
        ),
        (
            named(
                "<xs:sequence maxOccurs='2'><xs:element name='a' type='xs:int'/><xs:element name='b' type='xs:int'/>\
         </xs:sequence>",
            ),
            "x:a",
            "found an xs:sequence that repeats",
        ),
        ("<xs:complexType name='a' mixed='true'/>".into(), "x:a", "of mixed content"),
        ("<xs:complexType name='a' abstract='true'/>".into(), "x:a", "found the type 'a', which is abstract"),
    ] {
        let error = refused(encoded(&schema, ty));
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let element = "<xs:element name='e' type='xs:int'/>";
    let (by_type, by_element) = ("<part name='v' type='xs:int'/>", "<part name='v' element='x:e'/>");
    for (parts, style, body, expected) in [
        (by_element, "rpc", "use='literal'", "found the part 'v' of an element, in a message of the style rpc"),
        (by_type, "document", "use='literal'", "found the part 'v' of a type, in a message of the style document"),
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
fn the_messages_that_can_be_read_are() {
    let schema =
        "<xs:complexType name='good'><xs:sequence><xs:element name='a' type='xs:int'/></xs:sequence></xs:complexType>
        <xs:complexType name='bad'><xs:sequence><xs:element name='g' type='x:good'/>
          <xs:element name='h' type='x:mid'/><xs:any/></xs:sequence></xs:complexType>
        <xs:complexType name='mid'><xs:sequence><xs:element name='b' type='x:bad'/></xs:sequence></xs:complexType>";
    let names = ["bad", "mid", "good"];
    let each = |of: &dyn Fn(&str) -> String| names.map(of).concat();
    let body = "<soap:body use='encoded' namespace='urn:n'/>";
    let bound =
        each(&|name| format!("<operation name='{name}'><input>{body}</input><output>{body}</output></operation>"));
    let rest = format!(
        "{}<portType name='p'>{}</portType><binding name='b' type='t:p'><soap:binding style='rpc'/>{bound}</binding>
         <binding name='h' type='t:p'><soap12:binding/><x:policy wsdl:required='1'/>{bound}</binding>",
        each(&|name| format!("<message name='{name}'><part name='p' type='x:{name}'/></message>")),
        each(&|name| format!(
            "<operation name='{name}'><input message='t:bad'/><output message='t:{name}'/></operation>"
        )),
    );
    let service = service_of(&description(schema, &rest)).unwrap();
    let all = service.left_out().iter();
    let parts: Vec<_> = all.map(|LeftOut { what, error, .. }| (what.as_str(), error.found().to_string())).collect();
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
    assert_eq!(service.bindings().len(), 1);
    let operations = service.bindings()[0].operations.iter();
    let known: Vec<_> = operations.map(|one| (one.request.is_some(), one.response.is_some())).collect();
    assert_eq!(known, [(false, false), (false, false), (false, true)]);
    let body = "<n:goodResponse><p><a>1</a></p></n:goodResponse>";
    // Elements of a qualified schema have their namespace in the encoding, too.
    let body = body.replace("<a>1</a>", "<x:a>1</x:a>");
    assert_eq!(read(&service, &body, |value| value.get("p/a").unwrap().as_i64()).unwrap(), Some(1));
    assert!(read(&service, "<n:mid/>", |_| ()).is_err());
}

#[test]
fn one_element_is_one_message() {
    let element = "<xs:element name='e' type='xs:int'/><xs:element name='f' type='xs:int'/>";
    let two = |body: &str| {
        format!(
            "<message name='m'><part name='v' element='x:e'/></message><message name='n'>{body}</message>
        <portType name='p'><operation name='e'><input message='t:m'/><output message='t:m'/></operation></portType>
        <portType name='q'><operation name='f'><input message='t:n'/></operation></portType>
        <binding name='b' type='t:p'><soap:binding/><operation name='e'><input><soap:body/></input>
          <output><soap:body/></output></operation></binding>
        <binding name='c' type='t:q'><soap:binding/><operation name='f'>
          <input><soap:body namespace='urn:x'/></input></operation></binding>"
        )
    };
    let same = two("<part name='v' element='x:e'/>");
    let service = service_of(&description(element, &same)).unwrap();
    let operation = &service.bindings()[0].operations[0];
    assert!(operation.request.is_some() && operation.request == operation.response);
    assert_eq!(operation.request, service.bindings()[1].operations[0].request);
    assert!(service.left_out().is_empty());
    assert_eq!(read(&service, "<x:e>7</x:e>", |value| value.as_i64()).unwrap(), Some(7));
    // A message that begins with the same element and goes on differently: neither can be read, and both are named.
    let other = two("<part name='v' element='x:e'/><part name='w' element='x:f'/>");
    let error = service_of(&description(element, &other)).unwrap_err();
    let expected = "found the element '{urn:x}e' with other contents than it has in another message";
    assert!(error.to_string().contains(expected), "{error}");
    let more = other.replace("<binding name='c'", "<message name='z'><part name='v' element='x:f'/></message>
        <portType name='z'><operation name='z'><input message='t:z'/></operation></portType>
        <binding name='z' type='t:z'><soap:binding/><operation name='z'><input><soap:body/></input></operation></binding>
        <binding name='c'");
    let service = service_of(&description(element, &more)).unwrap();
    let what: Vec<_> = service.left_out().iter().map(|one| one.what.as_str()).collect();
    assert_eq!(what, ["the request of 'f'", "the request of 'e'", "the response of 'e'"]);
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
    let options = Options::default().with_particles(5_000);
    assert_eq!(Service::read(Memory::new().with("t", text), "t", &options).unwrap_err().kind(), ErrorKind::Limit);
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
    let options = Options::default();
    let mut read = 0;
    for _ in 0..300 {
        let text = spoiled(sample, &mut random);
        let service = Service::read(Memory::new().with("t", text), "t", &options);
        match service {
            Ok(service) => {
                read += 1;
                assert!(
                    [SoapVersion::Soap11, SoapVersion::Soap12].iter().any(|one| service.messages(*one).count() > 0)
                );
                assert!(service.left_out().iter().all(|left_out| !left_out.error.path().is_empty()));
            }
            Err(error) => assert!(!error.path().is_empty(), "{error}"),
        }
    }
    assert!(read > 20, "{read}");
}

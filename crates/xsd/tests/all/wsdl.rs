//! Descriptions of services: documents, references, and what is wrong with them.

use tam::ErrorKind;
use xsd::wsdl::{Description, PartType, SoapVersion, Style, Use};
use xsd::{Memory, Options, TypeId};

const HEAD: &str = r#"<definitions name="T" targetNamespace="urn:t" xmlns="http://schemas.xmlsoap.org/wsdl/"
    xmlns:t="urn:t" xmlns:x="urn:x" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
    xmlns:enc="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xs="http://www.w3.org/2001/XMLSchema">"#;

fn read(body: &str) -> Result<Description, tam::Error> {
    let text = format!("{HEAD}\n{body}</definitions>");
    Description::read_from(Memory::new().with("t.wsdl", text), "t.wsdl", &Options::default())
}

fn refused(body: &str) -> String {
    let error = read(body).expect_err(body);
    assert_eq!(error.path(), "t.wsdl", "{error}");
    error.to_string()
}

/// One operation `go` of a message, and its binding.
fn service(message: &str, binding: &str) -> String {
    format!(
        "<message name='m'>{message}</message>
         <portType name='p'><operation name='go'><input message='t:m'/></operation></portType>
         <binding name='b' type='t:p'>{binding}</binding>"
    )
}

#[test]
fn components_refer_to_each_other_by_number() {
    let body = "<types><xs:schema targetNamespace='urn:x'><xs:element name='e' type='xs:int'/></xs:schema></types>
        <message name='in'><part name='a' type='xs:int'/><part name='h' type='xs:string'/></message>
        <message name='out'><part name='r' element='x:e'/></message>
        <message name='bad'><part name='f' element='x:e'/></message>
        <portType name='p'>
          <operation name='first'><input message='t:in'/></operation>
          <operation name='go'><documentation>It <b>goes</b>.</documentation>
            <input message='t:in'/><output message='t:out'/><fault name='no' message='t:bad'/></operation>
        </portType>
        <binding name='b' type='t:p'>
          <soap12:binding style='rpc' transport='urn:transport'/>
          <operation name='go'><soap12:operation soapAction=' urn:go ' style='document'/>
            <input><soap12:header message='t:in' part='h' use='literal' namespace='urn:n'/><soap12:body use='literal'/></input>
            <output><soap12:body use='encoded' namespace='urn:n' encodingStyle='urn:e' parts=' r '/></output>
          </operation>
        </binding>
        <binding name='h' type='t:p'><x:binding verb='GET' wsdl:required='true'/><operation name='go'/></binding>
        <service name='s'><port name='q' binding='t:b'><soap12:address location='http://x/'/></port></service>";
    let description = read(body).unwrap();
    let names = &description.schema.names;
    let binding = &description.bindings[0];
    let soap = binding.soap.as_ref().unwrap();
    assert_eq!((soap.version, soap.transport.as_str()), (SoapVersion::Soap12, "urn:transport"));
    let bound = &binding.operations[0];
    assert_eq!((bound.action.as_str(), bound.style, bound.operation), ("urn:go", Style::Document, 1));
    let (input, output) = (bound.input.as_ref().unwrap(), bound.output.as_ref().unwrap());
    let header = &input.headers[0];
    assert_eq!((input.style, &input.parts, header.message, header.part), (Use::Literal, &None, 0, 1));
    assert_eq!(header.namespace, "urn:n");
    assert_eq!((output.style, output.parts.as_deref()), (Use::Encoded, Some(&[0][..])));
    assert_eq!((output.namespace.as_str(), output.encoding.as_str()), ("urn:n", "urn:e"));
    let operation = &description.port_types[binding.port_type].operations[bound.operation];
    assert_eq!((operation.name.as_str(), operation.faults[0].name.as_str()), ("go", "no"));
    let parts = &description.messages[operation.input.as_ref().unwrap().message].parts;
    assert!(matches!(parts[0].ty, PartType::Type(TypeId::Simple(id)) if id == xsd::Builtin::Int.id()));
    let out = &description.messages[operation.output.as_ref().unwrap().message];
    let PartType::Element(element) = out.parts[0].ty else { panic!() };
    assert_eq!(names.shown(description.schema.elements[element].name), "{urn:x}e");
    let other = &description.bindings[1];
    assert!(other.soap.is_none() && other.operations.is_empty());
    assert_eq!(names.shown(other.required[0].0), "{urn:x}binding");
    let port = &description.services[0].ports[0];
    assert_eq!((port.name.as_str(), port.binding, port.address.as_str()), ("q", 0, "http://x/"));
}

/// Header parts may be of other messages; what they refer to is there.
#[test]
fn header_parts_are_of_any_message() {
    let of = |header: &str, attributes: &str| {
        let body = format!(
            "<types><xs:schema targetNamespace='urn:x'><xs:element name='e' type='xs:int'/></xs:schema></types>
            <message name='in'><part name='h' type='xs:int'/><part name='b' element='x:e'/></message>
            <message name='other'><part name='o' type='xs:int'/><part name='h' element='x:e'/></message>
            <portType name='p'><operation name='go'><input message='t:in'/></operation></portType>
            <binding name='b' type='t:p'><soap12:binding style='rpc'/><operation name='go'>
            <input>{header}<soap12:body use='literal'{attributes}/></input></operation></binding>"
        );
        read(&body)
    };
    for (header, attributes, headers, in_body) in [
        ("", "", &[][..], &["h", "b"][..]),
        ("<soap12:header message='t:in' part='h'/>", "", &[(0, 0)][..], &["b"][..]),
        ("<soap12:header message='t:other' part='h'/>", "", &[(1, 1)][..], &["h", "b"][..]),
        ("<soap12:header message='t:other' part='h'/>", " parts='b h'", &[(1, 1)][..], &["b", "h"][..]),
    ] {
        let description = of(header, attributes).unwrap();
        let bound = &description.bindings[0].operations[0];
        let (body, carried) = (bound.input.as_ref().unwrap(), &description.port_types[0].operations[0].input);
        let found: Vec<_> = body.headers.iter().map(|one| (one.message, one.part)).collect();
        assert_eq!(found, headers);
        let parts = description.in_body(carried.as_ref().unwrap(), body);
        assert_eq!(parts.iter().map(|part| &part.name[..]).collect::<Vec<_>>(), in_body);
    }
    for (header, found) in [
        ("<soap12:header message='t:none' part='h'/>", "unknown message 't:none'"),
        ("<soap12:header message='t:other' part='b'/>", "the part 'b', which the message does not have"),
        ("<soap12:header part='h'/>", "<soap:header> without message"),
    ] {
        let error = of(header, "").unwrap_err();
        assert!(error.kind() == ErrorKind::Schema && error.found().to_string().starts_with(found), "{error}");
    }
}

#[test]
fn schemas_see_each_other_and_the_types_of_the_encoding() {
    let body = "<types>
        <xs:schema targetNamespace='urn:x'>
          <xs:complexType name='a'><xs:complexContent><xs:restriction base='enc:Array'>
            <xs:attribute ref='enc:arrayType' wsdl:arrayType='y:b[,][]' xmlns:y='urn:y'/>
          </xs:restriction></xs:complexContent></xs:complexType>
        </xs:schema>
        <xs:schema targetNamespace='urn:y'>
          <xs:import namespace='urn:x'/>
          <xs:complexType name='b'><xs:all><xs:element name='a' type='x:a'/>
            <xs:element name='s' type='enc:string'/></xs:all></xs:complexType>
        </xs:schema></types>";
    let schema = read(body).unwrap().schema;
    let Some(TypeId::Complex(array)) = schema.find_type("urn:x", "a") else { panic!() };
    let of = schema.complex_types[array].attributes.iter().find_map(|one| one.array_type.as_ref()).unwrap();
    assert_eq!((schema.names.shown(of.of).as_str(), of.ranks.as_str()), ("{urn:y}b", "[,][]"));
    assert!(schema.find_type("http://schemas.xmlsoap.org/soap/encoding/", "int").is_some());
    // Where nobody has a name for it, it is not there.
    let source = Memory::new().with("t", "<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'/>");
    let schema = Description::read_from(source, "t", &Options::default()).unwrap().schema;
    assert!(schema.documents.is_empty() && schema.globals.is_empty());
}

#[test]
fn imports_are_followed_and_their_schemas_read() {
    let source = Memory::new()
        .with(
            "a/main.wsdl",
            format!(
                "{HEAD}<import namespace='urn:o' location='parts/other.wsdl'/>
                 <import namespace='urn:x' location='../x.xsd'/>
                 <message name='m'><part name='e' element='x:e'/></message>
                 <binding name='b' type='o:p' xmlns:o='urn:o'/></definitions>"
            ),
        )
        .with(
            "a/parts/other.wsdl",
            "<definitions targetNamespace='urn:o' xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:o='urn:o'>
             <import namespace='urn:t' location='../main.wsdl'/>
             <portType name='p'><operation name='go'><input message='t:m' xmlns:t='urn:t'/></operation></portType>
             </definitions>",
        )
        .with(
            "x.xsd",
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:x'>
             <xs:include schemaLocation='y.xsd'/><xs:element name='e' type='y' xmlns='urn:x'/></xs:schema>",
        )
        .with(
            "y.xsd",
            "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>
             <xs:simpleType name='y'><xs:restriction base='xs:int'/></xs:simpleType></xs:schema>",
        );
    let description = Description::read_from(source.clone(), "a/main.wsdl", &Options::default()).unwrap();
    assert_eq!(description.documents, ["a/main.wsdl", "a/parts/other.wsdl"]);
    assert_eq!((description.port_types.len(), description.bindings[0].port_type), (1, 0));
    let few = Options::default().with_documents(1);
    let error = Description::read_from(source, "a/main.wsdl", &few).unwrap_err();
    assert_eq!((error.kind(), error.path()), (tam::ErrorKind::Limit, "a/main.wsdl"));
}

#[test]
fn unknown_names_are_reported_where_they_are_used() {
    for (body, expected) in [
        (service("<part name='a' type='x:no'/>", ""), "(line 5, column 19) in t.wsdl: unknown type 'x:no': no"),
        (
            service("<part name='a' element='x:no'/>", ""),
            "unknown element 'x:no': no schema defines it in the namespace 'urn:x'",
        ),
        (
            "<types><xs:schema><xs:import namespace='urn:y' schemaLocation='no.xsd'/></xs:schema></types>
             <message name='m'><part name='a' element='y:e' xmlns:y='urn:y'/></message>"
                .into(),
            "unknown element 'y:e': the import of its namespace has no document: its schemaLocation 'no.xsd' cannot be read",
        ),
        (service("<part name='a'/>", ""), "found <part> without element or type"),
        (service("<part name='a' element='x:a' type='x:a'/>", ""), "found <part> of an element and a type"),
        (
            service("<part name='a' type='xs:int'/><part name='a' type='xs:int'/>", ""),
            "found the part 'a' a second time",
        ),
        (service("<part name='a' type='nope:int'/>", ""), "found the prefix of 'nope:int'"),
        (
            "<portType name='p'><operation name='o'><input message='t:m'/></operation></portType>".into(),
            "unknown message 't:m': no document defines it in the namespace 'urn:t'",
        ),
        ("<portType name='p'><operation/></portType>".into(), "found <operation> without name"),
        ("<message name='m'/><message name='m'/>".into(), "found <message> of the name 'm' a second time"),
        (service("", "<soap:binding/><operation name='no'/>"), "unknown operation 'no': not in the portType"),
        (
            service("", "<soap:binding/><operation name='go'/><operation name='go'/>"),
            "found the operation 'go' a second",
        ),
        (service("", "<soap:binding style='odd'/>"), "found style='odd', expected rpc or document"),
        (
            service("", "<soap:binding/><operation name='go'><input><soap:body use='odd'/></input></operation>"),
            "found use='odd', expected literal or encoded",
        ),
        (
            service("", "<soap:binding/><operation name='go'><input><soap:body parts='z'/></input></operation>"),
            "found the part 'z', which the message does not have",
        ),
        ("<service name='s'><port name='p' binding='t:b'/></service>".into(), "unknown binding 't:b': no document"),
        ("<import namespace='urn:o'/>".into(), "found an import without a location"),
        ("<import namespace='urn:o' location='http://example.org/o.wsdl'/>".into(), "which cannot be read"),
        ("<types>\n<xs:schema><xs:odd/></xs:schema></types>".into(), "(line 6, column 12) in t.wsdl: found <xs:odd>"),
        (
            "<types>\n<xs:schema><xs:element name='e' type='x:q'/></xs:schema></types>".into(),
            "(line 6, column 12) in t.wsdl: found the type 'x:q' of a namespace that is not imported",
        ),
        (
            "<types><xs:schema><xs:complexType name='c'><xs:attribute name='a' wsdl:arrayType='xs:int'/>\
          </xs:complexType></xs:schema></types>"
                .into(),
            "found wsdl:arrayType='xs:int'",
        ),
        ("<x:a y:b=''/>".into(), "found the prefix 'y', which is not declared"),
    ] {
        let error = refused(&body);
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}

#[test]
fn other_documents_are_no_descriptions() {
    for (text, expected) in [
        ("<a/>", "found <a>, expected <definitions>"),
        ("<definitions/>", "found <definitions>, expected <definitions> of the namespace"),
        ("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'/>", "found an XML Schema, expected <definitions>"),
        ("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'>", "incomplete at byte"),
    ] {
        let error = Description::read_from(Memory::new().with("t", text), "t", &Options::default()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error = Description::read_from(Memory::new(), "t", &Options::default()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (tam::ErrorKind::Io, "t"));
}

#[test]
fn what_a_description_costs_is_bounded() {
    let units = |units| Options::default().with_limits(xsd::Limits { units, ..xsd::Limits::DEFAULT });
    let text = format!("{HEAD}{}</definitions>", "<message name='m'/>".repeat(50));
    let error = Description::read_from(Memory::new().with("t", text), "t", &units(20)).unwrap_err();
    assert_eq!(error.kind(), tam::ErrorKind::Limit);
    let schemas = "<xs:schema/>".repeat(30);
    let text = format!("{HEAD}<types>{schemas}</types></definitions>");
    let source = Memory::new().with("t", text);
    let error = Description::read_from(source, "t", &Options::default().with_documents(20)).unwrap_err();
    assert_eq!(error.kind(), tam::ErrorKind::Limit);
    // Half a million levels of elements of another namespace.
    let deep = format!("{HEAD}{}{}</definitions>", "<x:a>".repeat(500_000), "</x:a>".repeat(500_000));
    let deep_enough = Options::default().with_limits(xsd::Limits { depth: u32::MAX, ..xsd::Limits::DEFAULT });
    assert!(Description::read_from(Memory::new().with("t", deep), "t", &deep_enough).is_ok());
}

#[test]
fn documents_that_many_import_are_built_in() {
    let body = "<types><xs:schema targetNamespace='urn:x' xmlns:s='http://www.w3.org/2003/05/soap-envelope'
          xmlns:o='http://schemas.xmlsoap.org/soap/envelope/' xmlns:m='http://www.w3.org/2005/05/xmlmime'
          xmlns:i='http://www.w3.org/2004/08/xop/include' xmlns:w='http://www.w3.org/2005/08/addressing'>
        <xs:import namespace='http://www.w3.org/2003/05/soap-envelope' schemaLocation='http://x/soap-envelope'/>
        <xs:import namespace='http://schemas.xmlsoap.org/soap/envelope/'/>
        <xs:import namespace='http://www.w3.org/2005/05/xmlmime' schemaLocation='http://x/xmlmime'/>
        <xs:import namespace='http://www.w3.org/2004/08/xop/include' schemaLocation='http://x/include'/>
        <xs:import namespace='http://www.w3.org/2005/08/addressing' schemaLocation='http://x/ws-addr.xsd'/>
        <xs:element name='e'><xs:complexType><xs:sequence>
          <xs:element name='envelope' type='s:Envelope' minOccurs='0'/><xs:element name='fault' type='o:Fault' minOccurs='0'/>
          <xs:element name='data' type='m:base64Binary' minOccurs='0'/><xs:element ref='i:Include' minOccurs='0'/>
          <xs:element name='to' type='w:EndpointReferenceType' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>
      </xs:schema></types>
      <message name='m'><part name='p' element='x:e'/></message>
      <portType name='p'><operation name='go'><input message='t:m'/></operation></portType>
      <binding name='b' type='t:p'><soap12:binding style='document'/><operation name='go'>
        <input><soap12:body use='literal'/></input></operation></binding>";
    let source = Memory::new().with("t.wsdl", format!("{HEAD}\n{body}</definitions>"));
    let description = Description::read_from(source.clone(), "t.wsdl", &Options::default()).unwrap();
    let schema = &description.schema;
    let xml = |inside: &str| format!("<e xmlns='urn:x' xmlns:m='http://www.w3.org/2005/05/xmlmime'>{inside}</e>");
    let is_valid = |inside: &str| schema.validate(xml(inside).as_bytes(), &Options::default()).is_ok();
    assert!(is_valid("<data xmlns='' m:contentType='image/png'>AAEC</data>"));
    assert!(!is_valid("<data xmlns='' m:contentType='x'>AAEC</data>"));
    assert!(is_valid("<fault xmlns=''><faultcode>m:x</faultcode><faultstring>s</faultstring></fault>"));
    assert!(!is_valid("<fault xmlns=''><faultstring>s</faultstring></fault>"));
    // The types of an envelope are also those of the schema of messages, of which there is one.
    let documents = description.envelopes();
    let (mut source, mut locations) = (source, vec!["t.wsdl".to_owned()]);
    for document in documents {
        source = source.with(document.location.clone(), document.text);
        locations.push(document.location);
    }
    let description = Description::read_all(source, &locations, &Options::default()).unwrap();
    let uri = "http://www.w3.org/2003/05/soap-envelope";
    let message = format!("<s:Envelope xmlns:s='{uri}'><s:Body>{}</s:Body></s:Envelope>", xml(""));
    description.schema.validate(message.as_bytes(), &Options::default()).unwrap();
}

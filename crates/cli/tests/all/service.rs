//! Services by their descriptions: `schema`, `check` and `replay`.

use serde_json::json;

use crate::program::{Place, sample};

const HEAD: &str = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>\n";

fn message(body: &str) -> String {
    format!("{HEAD}{body}</e:Body></e:Envelope>")
}

#[test]
fn schema_prints_operations_messages_and_types() {
    let here = Place::new();
    let run = here.run(&["schema", &sample("search.wsdl")]).done();
    let text = run.text();
    for part in [
        "EncodedBinding: SOAP 1.1\n  SearchService/EncodedPort at http://127.0.0.1:8080/\n\n  \
         doGoogleSearch: urn:GoogleSearchAction (rpc, encoded)\n    request {urn:GoogleSearch}doGoogleSearch\n      \
         key         string\n      q           string\n      start       int\n",
        "    request {urn:GoogleSearch}sendDoubles\n      data  array of double\n",
        "      safeSearch?  boolean\n      lr           string or nil\n",
        "    request {urn:example:search}sum, as above\n",
        "      result*                     {urn:example:search}Found\n",
        "\n{urn:GoogleSearch}ResultElement, in any order\n  URL      string\n",
    ] {
        assert!(text.contains(part), "{text}\n{part}");
    }
    here.run(&["schema", &sample("search.wsdl"), "-o", "out.txt"]).done();
    assert_eq!(here.text("out.txt"), text);
    let lines = here.run(&["schema", "--json", &sample("search.wsdl")]).done().lines();
    assert_eq!(lines[0]["operation"], "doGoogleSearch");
    assert_eq!(lines[0]["ports"][0]["address"], "http://127.0.0.1:8080/");
    let sum = lines.iter().find(|line| line["type"] == "{urn:example:search}sum").unwrap();
    let data = json!({"name": "{urn:example:search}data", "type": "double", "occurs": "many", "nillable": false});
    assert_eq!((&sum["ordered"], &sum["members"]), (&json!(true), &json!([data])));
    assert_eq!((&lines[0]["request_headers"], &lines[0]["response_headers"]), (&json!([]), &json!([])));
    // Header parts are listed with the message that they are for.
    let part = "<soap:header message='s:sum' part='parameters' use='literal'/>";
    let bare = std::fs::read_to_string(sample("search.wsdl")).unwrap();
    here.file("header.wsdl", bare.replacen("<input><soap:body", &format!("<input>{part}<soap:body"), 1));
    let run = here.run(&["schema", "header.wsdl"]).done();
    assert!(run.text().contains("\n    request header {urn:example:search}sum\n"), "{}", run.text());
    let lines = here.run(&["schema", "--json", "header.wsdl"]).done().lines();
    assert!(lines.iter().any(|line| line["request_headers"] == json!(["{urn:example:search}sum"])));
}

/// By the description of their service, messages are values, as by any schema: with their envelopes.
#[test]
fn messages_of_a_service_are_converted() {
    let here = Place::new();
    let (wsdl, request) = (sample("search.wsdl"), sample("requests/search-1.xml"));
    let json = here.run(&["convert", &request, "-s", &wsdl, "-q", "-t", "json"]).done();
    assert!(json.text().contains("\"doGoogleSearch\":{"), "{}", json.text());
    here.run(&["convert", &request, "-s", &wsdl, "-q", "-o", "m.uper"]).done();
    // The service has messages of both versions of SOAP.
    let run = here.run(&["convert", "m.uper", "-s", &wsdl, "-q", "-o", "m.xml"]);
    assert!(run.status == 2 && run.err.contains("select the type of the messages with --root"), "{}", run.err);
    let root = "{http://schemas.xmlsoap.org/soap/envelope/}Envelope";
    here.run(&["convert", "m.uper", "-s", &wsdl, "--root", root, "-q", "-o", "m.xml"]).done();
    here.run(&["check", "m.xml", "-s", &wsdl]).done();
    let again = here.run(&["convert", "m.xml", "-s", &wsdl, "-q", "-t", "json"]).done();
    assert_eq!(again.text(), json.text());
    assert!(here.run(&["compare", &request, "-s", &wsdl, "--time", "0.001"]).done().text().contains("uper, by schema"));
    here.run(&["example", "-s", &wsdl, "--root", root, "-q", "-t", "xml", "-o", "e.xml"]).done();
    here.run(&["check", "e.xml", "-s", &wsdl]).done();
    // An element of the schemas in the description is one still, and the modules are those of its schemas.
    let body = "<search xmlns='urn:example:search'><q>a</q><start>0</start><maxResults>1</maxResults><lr>lang_en</lr></search>";
    here.file("body.xml", body);
    let run = here.run(&["convert", "body.xml", "-s", &wsdl, "-q", "-t", "json"]);
    assert!(run.text().contains("\"q\":\"a\""), "{} {}", run.text(), run.err);
    // Without messages of SOAP that can be read, the schemas are what a description has.
    let no_binding = std::fs::read_to_string(&wsdl).unwrap();
    let (before, after) = no_binding.split_once("<binding ").unwrap();
    here.file("none.wsdl", format!("{before}</definitions>"));
    assert!(after.contains("</definitions>"));
    let run = here.run(&["convert", "body.xml", "-s", "none.wsdl", "-q", "-t", "json"]);
    assert!(run.text().contains("\"q\":\"a\""), "{} {}", run.text(), run.err);
    let modules = here.run(&["schema", &wsdl, "-o", "s.asn1"]).done();
    assert!(!here.text("s.asn1").contains("Envelope"), "{}", modules.text());
}

#[test]
fn schema_lists_whatever_a_schema_has_and_names_what_cannot_be_read() {
    let here = Place::new();
    let wsdl = |inner: &str| {
        format!(
            "<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/' xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/'
               xmlns:xs='http://www.w3.org/2001/XMLSchema'><w:types><xs:schema>
               <xs:element name='a' type='xs:int'/><xs:element name='b'>{inner}</xs:element></xs:schema></w:types>
             <w:message name='a'><w:part name='p' element='a'/></w:message>
             <w:message name='b'><w:part name='p' element='b'/></w:message>
             <w:portType name='p'><w:operation name='o'><w:input message='a'/><w:output message='b'/></w:operation></w:portType>
             <w:binding name='b' type='p'><s:binding/><w:operation name='o'><w:input><s:body/></w:input>
               <w:output><s:body/></w:output></w:operation></w:binding>
             <w:binding name='e' type='p'><s:binding/><w:operation name='o'><w:input><s:body use='encoded'/></w:input>
               </w:operation></w:binding></w:definitions>"
        )
    };
    let inner = "<xs:complexType mixed='true'><xs:sequence>
        <xs:choice><xs:element name='c' type='xs:int' default='7'/><xs:element name='d' type='xs:NMTOKENS'/></xs:choice>
        <xs:any minOccurs='0' maxOccurs='3'/><xs:element name='e' minOccurs='0'><xs:complexType><xs:simpleContent>
          <xs:extension base='xs:decimal'><xs:attribute name='Ccy' use='required'/></xs:extension>
        </xs:simpleContent></xs:complexType></xs:element><xs:element ref='b' minOccurs='0'/></xs:sequence>
        <xs:attribute name='k' type='xs:boolean' fixed='true'/></xs:complexType>";
    here.file("x.wsdl", wsdl(inner));
    let run = here.run(&["schema", "x.wsdl"]);
    let note = "note: not supported: the request of 'o': an encoded message of the style document (x.wsdl, line 14)\n\
        note: not supported: the response of 'o': a message without soap:body (x.wsdl, line 14)\n";
    assert_eq!(run.err, note);
    let expected = "b: SOAP 1.1

  o: (document, literal)
    request a: int
    response b
      text()  text between elements
      c?      int, default '7'
      d?      list of NMTOKEN
      **      any
      e?      compound
        text()  decimal
        @Ccy    anySimpleType
      b?      compound
      @k?     boolean, fixed 'true'

e: SOAP 1.1

  o: (document, encoded)
";
    assert_eq!(run.text(), expected);
    assert_eq!(here.run(&["schema", "-q", "x.wsdl"]).done().err, "");
    let lines = here.run(&["schema", "--json", "-q", "x.wsdl"]).done().lines();
    let types: Vec<_> = lines.iter().filter_map(|line| line["type"].as_str()).collect();
    assert_eq!(types, ["b", "b/e"]);
    assert_eq!(lines[2]["members"][1]["occurs"], "optional");
    here.file("response.xml", message("<b k='1'><d>x</d></b>"));
    here.run(&["check", "response.xml", "-s", "x.wsdl"]).done();
    here.file("other.xml", message("<c/>"));
    let run = here.run(&["check", "other.xml", "-s", "x.wsdl"]);
    assert_eq!(run.status, 1);
    let hint = "hint: the service has a, b\nhint: not supported: the request of 'o': an encoded message";
    assert!(run.err.contains(hint), "{}", run.err);
    // An imported document by -s, and a description that is broken.
    here.file("broken.wsdl", wsdl("<xs:complexType><xs:odd/></xs:complexType>"));
    let run = here.run(&["schema", "broken.wsdl"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.starts_with("error: broken.wsdl: schema at byte ") && run.err.contains("found <xs:odd>"),
        "{}",
        run.err
    );
}

#[test]
fn the_schemas_in_a_description_are_one() {
    let here = Place::new();
    let wsdl = sample("search.wsdl");
    here.file("sum.xml", "<sum xmlns='urn:example:search'><data>1.5</data><data>2</data></sum>");
    here.run(&["convert", "sum.xml", "-s", &wsdl, "-o", "sum.uper"]).done();
    // Two doubles: the number of them, and each as its length, a base of 2, an exponent and a mantissa.
    assert_eq!(here.read("sum.uper"), [2, 3, 0x80, 0xFF, 3, 3, 0x80, 1, 1]);
    let root = "{urn:example:search}sum";
    let back = here.run(&["convert", "sum.uper", "-s", &wsdl, "--root", root, "-t", "json"]).done();
    assert_eq!(back.text().trim_end(), "{\"data\":[1.5,2]}");
    here.run(&["schema", &wsdl, "-o", "search.asn1"]).done();
    let modules = here.text("search.asn1");
    assert!(modules.contains("\nExample-search DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN\n"), "{modules}");
    here.file("other.xsd", "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:other'/>");
    assert_eq!(
        here.run(&["convert", "-q", "sum.xml", "-s", &wsdl, "-s", "other.xsd", "-t", "uper", "-o", "same.uper"]).status,
        0
    );
    assert_eq!(here.read("same.uper"), here.read("sum.uper"));
}

#[test]
fn check_holds_messages_against_a_service() {
    let here = Place::new();
    let wsdl = sample("search.wsdl");
    let all = here.run(&["check", "--json", &sample("requests"), "-s", &wsdl]).done().lines();
    assert_eq!(all.len(), 10);
    assert!(all.iter().all(|line| line["ok"] == true));
    let sum = |data: &str| message(&format!("<sum xmlns='urn:example:search'>\n  <data>{data}</data></sum>"));
    here.file("good.xml", sum("-1.5e3")).file("bad.xml", sum("1,5")).file("other.xml", message("<x/>"));
    here.file("fault.xml", message("<e:Fault><faultcode>e:Client</faultcode><faultstring>no</faultstring></e:Fault>"));
    here.run(&["check", "good.xml", "fault.xml", "-s", &wsdl]).done();
    let run = here.run(&["check", "good.xml", "bad.xml", "-s", &wsdl]);
    let words = "(line 3, column 9) in /e:Envelope/e:Body/sum/data: found '1,5', expected a number, INF, -INF or NaN\n  |\n3 |   <data>1,5</data>";
    assert!(run.status == 1 && run.err.contains(words), "{}", run.err);
    let run = here.run(&["check", "other.xml", "-s", &wsdl]);
    let hint = "hint: the service has {urn:GoogleSearch}doGoogleSearch, {urn:GoogleSearch}doGoogleSearchResponse,";
    assert!(run.status == 1 && run.err.contains(hint), "{}", run.err);
    // The encoded binding is one of SOAP 1.1.
    let double = "<s:sendDoubles xmlns:s='urn:GoogleSearch'><data><i>1</i></data></s:sendDoubles>";
    let soap12 =
        message(double).replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");
    here.file("soap11.xml", message(double)).file("soap12.xml", soap12);
    assert_eq!(here.run(&["check", "soap11.xml", "-s", &wsdl]).status, 0);
    let run = here.run(&["check", "soap12.xml", "-s", &wsdl]);
    assert!(
        run.status == 1
            && run.err.contains("found <sendDoubles>, expected that message in SOAP 1.1, as its binding says"),
        "{}",
        run.err
    );
    here.file("a.json", "{}");
    let run = here.run(&["check", "a.json", "-s", &wsdl]);
    assert_eq!(
        (run.status, run.err.as_str()),
        (2, "error: a.json: json cannot be validated against a service description\n")
    );
    let run = here.run(&["check", "good.xml", "-s", &wsdl, "--root", "sum"]);
    assert_eq!(run.status, 2);
    let run = here.run(&["check", "good.xml", "-s", "none.wsdl"]);
    assert_eq!(run.status, 3, "{}", run.err);
}

#[test]
fn replay_measures_what_differencing_saves() {
    let here = Place::new();
    let (wsdl, requests) = (sample("search.wsdl"), sample("requests"));
    let run = here.run(&["replay", "--rounds", "3", "--json", "--html", "page.xhtml", &requests, "-s", &wsdl]).done();
    let lines = run.lines();
    let rows: Vec<_> = lines.iter().map(|line| (&line["operation"], &line["messages"], &line["rounds"])).collect();
    let expected = [("sendDoubles", 4), ("doGoogleSearch", 6), ("all messages", 10)];
    let expected = expected.map(|(operation, messages)| (json!(operation), json!(messages), json!(3)));
    assert_eq!(rows, expected.iter().map(|(a, b, c)| (a, b, c)).collect::<Vec<_>>());
    // Forty of four hundred doubles change each time.
    let number = |line: usize, name: &str| lines[line][name].as_u64().unwrap();
    assert!(number(0, "bytes_skipped") > number(0, "bytes") / 3 && number(0, "regular") == 1, "{}", run.text());
    assert_eq!(number(2, "bytes"), number(0, "bytes") + number(1, "bytes"));
    assert!(lines.iter().all(|line| line["without_ns"].as_u64() > Some(0) && line["with_ns"].as_u64() > Some(0)));
    here.run(&["check", "page.xhtml"]).done();
    let heading = here.run(&["get", "page.xhtml", "/html/body/main/section[2]/h2/text()"]).done();
    assert_eq!(heading.text(), "sendDoubles\n");
    let page = here.text("page.xhtml");
    assert!(page.contains("<rect class=\"dds\"") && !page.contains("<script") && !page.contains("src="));
    let run = here.run(&["replay", "--rounds", "1", &format!("{requests}/search-1.xml"), "-s", &wsdl]).done();
    let first: Vec<&str> = run.text().lines().map(|line| line.trim().split("  ").next().unwrap()).collect();
    assert_eq!(first, ["1 message of 1 file, 664 bytes, 1 round", "messages", "doGoogleSearch"]);
}

#[test]
fn replay_reads_messages_in_sequence() {
    let here = Place::new();
    let wsdl = sample("search.wsdl");
    let sum = |data: &str| message(&format!("<sum xmlns='urn:example:search'><data>{data}</data></sum>"));
    let response = "<sumResponse xmlns='urn:example:search'><count>1</count><sum>2</sum></sumResponse>";
    let fault = "<e:Fault><faultcode>e:Client</faultcode><faultstring>no</faultstring></e:Fault>";
    let stream = format!("{}\n{}{}\n{}\n", sum("1"), sum("2.5"), message(response), message(fault));
    let run = here.run_with(&["replay", "--rounds", "1", "--json", "-", "-s", &wsdl], stream.as_bytes()).done();
    let rows: Vec<_> = run.lines().iter().map(|line| (line["operation"].clone(), line["messages"].clone())).collect();
    let expected = [("sum", 2), ("sumResponse", 1), ("Fault", 1), ("all messages", 4)];
    assert_eq!(rows, expected.map(|(operation, messages)| (json!(operation), json!(messages))));
    let post = |agent: &str, action: &str, body: &str| {
        let n = body.len();
        format!(
            "POST / HTTP/1.1\r\nUser-Agent: {agent}\r\nSOAPAction: \"{action}\"\r\nContent-Length: {n}\r\n\r\n{body}"
        )
    };
    let stream =
        post("a", "s", &sum("1")) + &post("b", "", &sum("1")) + &post("a", "urn:GoogleSearchAction", &sum("1"));
    here.file("captured.http", stream);
    let run = here.run(&["replay", "--rounds", "1", "--json", "captured.http", "-s", &wsdl]).done();
    let lines = run.lines();
    let rows: Vec<_> = lines.iter().map(|line| (line["operation"].as_str(), line["regular"].as_u64())).collect();
    // Whatever the toolkit is, messages of one shape have one template, for each action that the service knows.
    let other = Some("sum (urn:GoogleSearchAction)");
    assert_eq!(rows, [(Some("sum"), Some(1)), (other, Some(1)), (Some("all messages"), Some(2))]);
}

/// XML documents by their schema, and messages of a service that only the schema of their envelopes can read.
#[test]
fn replay_reads_xml_by_its_schema_whatever_the_schema_has() {
    let here = Place::new();
    let schema = r###"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:r" targetNamespace="urn:r"
        elementFormDefault="qualified"><xs:element name="report"><xs:complexType><xs:sequence>
        <xs:element name="row" maxOccurs="unbounded"><xs:complexType><xs:sequence>
        <xs:element name="name" type="xs:string"/><xs:any namespace="##other" processContents="lax" minOccurs="0"/>
        </xs:sequence><xs:attribute name="id" type="xs:int" use="required"/></xs:complexType></xs:element>
        </xs:sequence><xs:attribute name="of" type="xs:date"/></xs:complexType></xs:element></xs:schema>"###;
    let report = |of: usize, rows: usize| {
        let row = |n: usize| format!("<row id='{n}'><name>the name of row {n}</name><x:x xmlns:x='urn:x'/></row>\n");
        let rows: String = (0..rows).map(row).collect();
        format!("<report xmlns='urn:r' of='2026-11-0{of}'>{rows}</report>")
    };
    for n in 1..6 {
        here.file(&format!("in/{n}.xml"), report(n, 100 + n));
        here.file(&format!("soap/{n}.xml"), message(&report(n, 100 + n)));
    }
    let wsdl = format!(
        "<definitions name='R' targetNamespace='urn:w' xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:w='urn:w'
           xmlns:r='urn:r' xmlns:soap='http://schemas.xmlsoap.org/wsdl/soap/'><types>{schema}</types>
         <message name='m'><part name='p' element='r:report'/></message>
         <portType name='p'><operation name='send'><input message='w:m'/></operation></portType>
         <binding name='b' type='w:p'><soap:binding style='document'/><operation name='send'>
           <input><soap:body use='literal'/></input></operation></binding></definitions>"
    );
    here.file("r.xsd", schema).file("r.wsdl", wsdl);
    for (folder, schema) in [("in", "r.xsd"), ("soap", "r.wsdl")] {
        let run = here.run(&["replay", "--rounds", "1", "--json", folder, "-s", schema]).done();
        let line = &run.lines()[0];
        assert_eq!((&line["operation"], &line["messages"]), (&json!("report"), &json!(5)));
        assert_eq!(line["regular"], 1);
        let number = |name: &str| line[name].as_u64().unwrap();
        assert!(number("bytes_skipped") > number("bytes") * 7 / 10, "{}", run.text());
    }
    here.file("bad.xml", report(1, 2).replace("id='1'", "id='x'"));
    let run = here.run(&["replay", "bad.xml", "-s", "r.xsd"]);
    assert!(run.status == 1 && run.err.contains("/report/row[2]"), "{}", run.err);
    here.file("bad.xml", message(&report(1, 2).replace("id='1'", "")));
    let run = here.run(&["replay", "bad.xml", "-s", "r.wsdl"]);
    assert!(run.status == 1 && run.err.contains("Body/report/row[2]"), "{}", run.err);
}

/// A directory of recordings as tools write them: chunked, compressed, of several parts, and an archive.
#[test]
fn replay_reads_http_as_it_is_recorded() {
    let here = Place::new();
    let wsdl = sample("search.wsdl");
    let sum = |data: &str| message(&format!("<sum xmlns='urn:example:search'><data>{data}</data></sum>"));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, sum("2").as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut http =
        format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n", sum("1").len()).into_bytes();
    http.extend_from_slice(sum("1").as_bytes());
    http.extend_from_slice(b"\r\n0\r\n\r\nPOST / HTTP/1.1\r\nContent-Encoding: gzip\r\n");
    http.extend_from_slice(format!("Content-Length: {}\r\n\r\n", gzip.len()).as_bytes());
    http.extend_from_slice(&gzip);
    http.extend_from_slice(
        b"GET /?wsdl HTTP/1.1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\npng",
    );
    let parts = format!("--b\r\n\r\n{}\r\n--b\r\n\r\noctets\r\n--b--\r\n", sum("3"));
    let multipart = "multipart/related; boundary=b; type=\"application/xop+xml\"; start-info=\"text/xml\"";
    let archive = json!({"log": {"entries": [
        {"request": {"headers": [], "postData": {"mimeType": multipart, "text": parts}}, "response": {}},
    ]}});
    here.file("in/a.http", http).file("in/b.har", archive.to_string()).file("in/c.xml", sum("4"));
    let run = here.run(&["replay", "--rounds", "1", "--json", "in", "-s", &wsdl]);
    assert_eq!(run.status, 0, "{}", run.err);
    let lines = run.lines();
    let (rows, left_out): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line["operation"].is_string());
    assert_eq!(rows.len(), 1, "{}", run.text());
    assert_eq!(rows[0]["messages"], 4, "{}", run.text());
    let skipped = |file: &str, count: u32, why: &str, first: u32, found: &str| json!({"file": file, "messages_skipped": count, "message": why, "first": first, "found": found});
    let expected = [
        skipped("in/a.http", 1, "no body", 3, ""),
        skipped("in/a.http", 1, "not XML", 4, "image/png"),
        skipped("in/b.har", 1, "no body", 2, ""),
        json!({"file": "in/b.har", "attachments": 1, "attachment_bytes": 6}),
    ];
    assert_eq!(left_out, expected.iter().collect::<Vec<_>>());
    let words = "note: in/b.har: skipped 1 message: 1 no body (first: message 2); 1 attachment (6 bytes), \
                 read only where a message includes them";
    assert!(run.err.contains(words), "{}", run.err);
    // One that is bad is named by its number.
    let bad = [b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n".as_slice(), b"<a/>\r\n0\r\n\r\n"].concat();
    let run = here.file("bad.http", bad).run(&["replay", "bad.http", "-s", &wsdl]);
    assert_eq!(run.status, 1);
    assert!(run.err.starts_with("error: bad.http (message 1): "), "{}", run.err);
    // Limits hold for what is decoded.
    let run = here.run(&["replay", "in/a.http", "-s", &wsdl, "--limit", "message_bytes=400"]);
    assert!(run.status == 1 && run.err.contains("message_bytes"), "{}", run.err);
}

/// MTOM: each message is read with the octets of its own part.
#[test]
fn replay_takes_octets_of_other_parts() {
    let here = Place::new();
    let schema = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="photo"><xs:complexType>
        <xs:sequence><xs:element name="name" type="xs:string"/><xs:element name="octets"><xs:simpleType>
        <xs:restriction base="xs:base64Binary"><xs:maxLength value="6"/></xs:restriction></xs:simpleType></xs:element>
        </xs:sequence></xs:complexType></xs:element></xs:schema>"#;
    let post = |octets: &str| {
        let body = format!(
            "--b\r\n\r\n<photo><name>a</name><octets><i:Include xmlns:i='http://www.w3.org/2004/08/xop/include' \
             href='cid:1'/></octets></photo>\r\n--b\r\nContent-ID: <1>\r\n\r\n{octets}\r\n--b--\r\n"
        );
        let related = "multipart/related; boundary=b; type=\"application/xop+xml\"; start-info=\"text/xml\"";
        format!("POST / HTTP/1.1\r\nContent-Type: {related}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    };
    here.file("p.xsd", schema).file("in.http", post("octets") + &post("others") + &post("too many"));
    let run = here.run(&["replay", "--rounds", "1", "--json", "in.http", "-s", "p.xsd"]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(
        run.err.contains("in.http (message 3): ") && run.err.contains("8 octets, expected at most 6"),
        "{}",
        run.err
    );
    assert_eq!(run.lines().last().unwrap()["messages"], 2, "{}", run.text());
    // The other verbs read what the package represents (XOP section 1): the octets are characters in base64.
    let run = here.run(&["check", "in.http", "-s", "p.xsd"]);
    assert!(run.status == 1 && run.err.contains("message 3: ") && run.err.matches("error").count() == 1, "{}", run.err);
    assert!(run.err.contains("3 attachments (20 bytes), read only where a message includes them"), "{}", run.err);
    let table = here.run(&["convert", "in.http", "-s", "p.xsd", "-t", "csv"]);
    assert_eq!((table.status, table.text()), (1, "name,octets\na,6f6374657473\na,6f7468657273\n"));
    let octets = here.run(&["get", "in.http", "//octets/text()", "-q"]).done();
    assert_eq!(octets.text(), "b2N0ZXRz\nb3RoZXJz\ndG9vIG1hbnk=\n");
    // What cannot be put together is refused, with the place in the document.
    for (from, to, words) in [
        (
            "cid:1",
            "cid:2",
            "in /photo/octets/i:Include: found href='cid:2', expected 'cid:' and the Content-ID of one part",
        ),
        (
            "boundary=b;",
            "boundary=c;",
            "found the end of the body, expected '--c--', the last boundary by its Content-Type",
        ),
    ] {
        let run = here.file("bad.http", post("octets").replace(from, to)).run(&["check", "bad.http", "-s", "p.xsd"]);
        assert!(run.status == 1 && run.err.contains(words), "{}", run.err);
    }
}

#[test]
fn replay_reports_bad_messages_with_their_position_and_continues() {
    let here = Place::new();
    let wsdl = sample("search.wsdl");
    let sum = |data: &str| message(&format!("<sum xmlns='urn:example:search'><data>{data}</data></sum>"));
    here.file("s.xml", format!("{}\n{}{}", sum("1"), sum("x"), sum("2")));
    let run = here.run(&["replay", "--rounds", "1", "s.xml", "-s", &wsdl]);
    assert_eq!(run.status, 1);
    let words =
        "error: s.xml: schema at byte 259 (line 4, column 39) in /e:Envelope/e:Body/sum/data: found 'x', expected a";
    assert!(run.err.starts_with(words), "{}", run.err);
    assert!(run.text().starts_with("2 messages of 1 file"), "{}", run.text());
    here.file("bad.xml", "<a").file("h.xml", "POST / HTTP/1.1\n");
    let run = here.run(&["replay", "bad.xml", "h.xml", "-s", &wsdl]);
    assert!(run.status == 1 && run.text().is_empty(), "{}", run.text());
    assert_eq!(run.err.matches("error: ").count(), 2, "{}", run.err);
    // An element of the schema that is no message.
    here.file("bare.xml", "<sum xmlns='urn:example:search'><data>1</data></sum>");
    let run = here.run(&["replay", "bare.xml", "-s", &wsdl]);
    assert!(run.status == 1 && run.err.contains("found <sum>, expected <Envelope> of SOAP 1.1 or 1.2"), "{}", run.err);
    assert_eq!(here.run(&["replay", "none.xml", "-s", &wsdl]).status, 3);
    for (arguments, words) in [
        (&["replay", "s.xml"][..], "replay needs a service description"),
        (&["replay", "s.xml", "-s", &wsdl, "-f", "json"], "so -f must be xml"),
        (&["replay", "s.xml", "-s", &wsdl, "--rounds", "0"], "--rounds"),
    ] {
        let run = here.run(arguments);
        assert!(run.status == 2 && run.err.contains(words), "{}", run.err);
    }
}

/// A description of literal messages: a choice, occurrences, an enumeration, attributes, parts of types.
const LITERAL: &str = r#"<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:s" xmlns:s="urn:s"
    xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <types><xs:schema targetNamespace="urn:s" elementFormDefault="qualified">
    <xs:simpleType name="language"><xs:restriction base="xs:string">
      <xs:enumeration value="en"/><xs:enumeration value="de"/></xs:restriction></xs:simpleType>
    <xs:complexType name="query"><xs:sequence>
      <xs:choice><xs:element name="word" type="xs:string"/><xs:element name="id" type="xs:int"/></xs:choice>
      <xs:element name="in" type="s:language" minOccurs="0" maxOccurs="2"/>
      </xs:sequence><xs:attribute name="page" type="xs:positiveInteger"/></xs:complexType>
    <xs:element name="find" type="s:query"/>
    <xs:element name="found" type="xs:int"/>
    <xs:element name="token" type="xs:int"/>
    <xs:element name="both" type="xs:string"/>
  </xs:schema></types>
  <message name="find"><part name="body" element="s:find"/></message>
  <message name="found"><part name="body" element="s:found"/></message>
  <message name="call"><part name="query" type="s:query"/><part name="top" type="xs:byte"/></message>
  <portType name="p"><operation name="find"><input message="s:find"/><output message="s:found"/></operation></portType>
  <portType name="q"><operation name="both"><input message="s:call"/></operation></portType>
  <binding name="d" type="s:p"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="find"><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output>
    </operation></binding>
  <binding name="r" type="s:q"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="both"><input><soap:body use="literal" namespace="urn:s"/></input></operation></binding>
</definitions>"#;

#[test]
fn literal_messages_are_held_against_the_schemas() {
    let here = Place::new();
    here.file("s.wsdl", LITERAL);
    let check = |body: &str| {
        here.file("m.xml", message(body));
        let run = here.run(&["check", "m.xml", "-s", "s.wsdl"]);
        (run.status, run.err.lines().next().unwrap_or_default().to_owned())
    };
    let find = |inner: &str| format!("<find xmlns='urn:s'>{inner}</find>");
    let call = |inner: &str| format!("<b:both xmlns:b='urn:s' xmlns:s='urn:s'>{inner}</b:both>");
    let (query, top) = ("<query page='2'><s:id>7</s:id></query>", "<top>-128</top>");
    for good in [
        find("<word>a</word>"),
        find("<id>7</id><in>en</in><in>de</in>"),
        "<find xmlns='urn:s' page='1'><id>7</id></find>".to_owned(),
        "<found xmlns='urn:s'>7</found>".to_owned(),
        call(&format!("{query}{top}")),
        "<e:Fault><faultcode>e:Client</faultcode><faultstring>no</faultstring><detail><s:found xmlns:s='urn:s'>1</s:found></detail></e:Fault>".to_owned(),
    ] {
        assert_eq!(check(&good), (0, String::new()), "{good}");
    }
    for (bad, words) in [
        (find("<word>a</word><id>7</id>"), "in /e:Envelope/e:Body/find/id: found <id>, expected <in> or the end of the element"),
        (find("<id>7</id><in>en</in><in>de</in><in>en</in>"), "found <in>, expected the end of the element"),
        (find(""), "found the end of the element, expected <word> or <id>"),
        (find("<id>7</id><in>klingon</in>"), "found 'klingon', expected 'en' or 'de'"),
        ("<find xmlns='urn:s' page='0'><id>7</id></find>".to_owned(), "found page='0', expected at least 1"),
        (find("<id>seven</id>"), "found 'seven'"),
        ("<found xmlns='urn:s'>7</found><found xmlns='urn:s'>7</found>".to_owned(), "found <found>, expected the end of the element"),
        (call(query), "found the end of the element, expected <top>"),
        (call(&format!("{top}{query}")), "found <top>, expected <query>"),
        (call(&format!("{query}<top>128</top>")), "in /e:Envelope/e:Body/b:both/top: found '128'"),
        (call(&format!("<query><s:word>a</s:word><s:id>7</s:id></query>{top}")), "found <s:id>, expected <in>"),
        (call(&format!("{query}{top}<more/>")), "expected the end of the element"),
        ("<token xmlns='urn:s'>7</token>".to_owned(), "found <token>, expected a message of the service"),
        ("<e:Fault><faultcode>e:Client</faultcode><faultstring>no</faultstring><detail><s:found xmlns:s='urn:s'>x</s:found></detail></e:Fault>".to_owned(), "found 'x'"),
    ] {
        let (status, line) = check(&bad);
        assert!(status == 1 && line.contains(words), "{bad}: {line}");
    }
    // Header blocks whose elements are declared.
    let with_header = |token: &str| {
        let header = format!("<e:Header><token xmlns='urn:s'>{token}</token><x xmlns='urn:x'>?</x></e:Header><e:Body>");
        here.file("m.xml", message(&find("<id>7</id>")).replace("<e:Body>", &header));
        here.run(&["check", "m.xml", "-s", "s.wsdl"])
    };
    with_header("7").done();
    // SOAP 1.1 sections 4.2.2 and 4.2.3: the attributes of any block.
    let own = "<token xmlns='urn:s' e:mustUnderstand='1' e:actor='urn:next'>7</token>";
    let text = message(&find("<id>7</id>")).replace("<e:Body>", &format!("<e:Header>{own}</e:Header><e:Body>"));
    here.file("m.xml", &text);
    here.run(&["check", "m.xml", "-s", "s.wsdl"]).done();
    here.file("m.xml", text.replace("e:actor", "x:actor").replace("<token", "<token xmlns:x='urn:x'"));
    let run = here.run(&["check", "m.xml", "-s", "s.wsdl"]);
    assert!(run.status == 1 && run.err.contains("found the attribute 'x:actor'"), "{}", run.err);
    // Section 3.
    here.file("m.xml", format!("<!DOCTYPE e [<!ENTITY a '7'>]>{text}"));
    let run = here.run(&["check", "m.xml", "-s", "s.wsdl"]);
    assert!(run.status == 1 && run.err.contains("expected none: SOAP forbids it"), "{}", run.err);
    here.file("m.xml", text.replace("<e:Body>", "<e:Body><?pi x?>"));
    let run = here.run(&["check", "m.xml", "-s", "s.wsdl"]);
    assert!(run.status == 1 && run.err.contains("found a processing instruction, expected none"), "{}", run.err);
    let run = with_header("seven");
    assert!(run.status == 1 && run.err.contains("in /e:Envelope/e:Header/token: found 'seven'"), "{}", run.err);
}

//! Every verb of `lengthwise` on TDXML.

use crate::program::{Place, sample};

/// The paper's figure 1.
const FIGURE: &str = "<TDXML:Env>
<TDXML:DS>
person [0] ::= SEQUENCE OF{
  lang(0) [ATTRIBUTE]
    UTF8String (\"English\")
  firstname[0] UTF8String,
  lastname[1] UTF8String }
</TDXML:DS>
<TDXML:CT>
[0]0(0) |English
[0]0[0] |Alan
[0]0[1] |Johnson
[0]1(0) |French
[0]1[0] |Chris
[0]1[1] |Michell
</TDXML:CT>
</TDXML:Env>
";

const ORDERS: &str = "<orders id=\"7\"><item><name>tea</name><price>2.50</price></item><item><name>milk</name>\
                      <price>1.10</price></item></orders>\n";

#[test]
fn the_papers_figure_is_read_by_every_verb() {
    let here = Place::new();
    here.file("figure.tdxml", FIGURE);
    // By its first bytes too.
    here.file("figure", FIGURE);
    for name in ["figure.tdxml", "figure"] {
        here.run(&["check", name]).done();
        let last = here.run(&["get", name, "/person[2]/lastname/text()"]).done();
        assert_eq!(last.text(), "Michell\n");
    }
    let inspected = here.run(&["inspect", "figure.tdxml", "--json"]).done();
    let units = inspected.lines();
    let alan = units.iter().find(|unit| unit["value"] == "Alan").unwrap();
    assert_eq!(alan["offset"], FIGURE.find("Alan").unwrap());
    assert_eq!(alan["path"], "[0]0[0]");
    let shown = here.run(&["inspect", "figure.tdxml"]).done().text().to_owned();
    let line = shown.lines().find(|line| line.ends_with("French")).unwrap();
    assert!(shown.lines().next().unwrap().contains("  path  ") && line.contains("  [0]1(0)  "), "{shown}");
    // Two root elements are no document of XML.
    let run = here.run(&["convert", "figure.tdxml", "-t", "xml"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("a second outermost unit"), "{}", run.err);
    let grouped = here.run(&["convert", "figure.tdxml", "-t", "tdxml", "--scheme", "grouped"]).done();
    assert!(grouped.text().contains("[0]0{(0) [0] [1]}\nEnglish|Alan|Johnson\nFrench|Chris|Michell\n"));
    let notation = here.run(&["schema", "figure.tdxml"]).done();
    let by_hand = "person [0] ::= SEQUENCE OF {\n lang(0) [ATTRIBUTE] UTF8String (\"English\")\n firstname[0] UTF8String,\n lastname[1] UTF8String }\n";
    assert_eq!(notation.text(), by_hand);
}

#[test]
fn documents_pass_through_either_scheme() {
    let here = Place::new();
    here.file("orders.xml", ORDERS);
    for scheme in ["aggregated", "grouped"] {
        here.run(&["convert", "orders.xml", "-o", "orders.tdxml", "--scheme", scheme]).done();
        assert_eq!(here.run(&["convert", "orders.tdxml", "-t", "xml"]).done().text(), ORDERS);
        assert_eq!(here.run(&["get", "orders.tdxml", "/orders/item[2]/price/text()"]).done().text(), "1.10\n");
        assert_eq!(here.run(&["get", "orders.tdxml", "/orders/@id"]).done().text(), "7\n");
        let tsf = here.run(&["convert", "orders.tdxml", "-t", "tsf"]).done().out;
        let back = here.run_with(&["convert", "-", "-f", "tsf", "-t", "tdxml", "--scheme", scheme], &tsf).done();
        assert_eq!(back.out, here.read("orders.tdxml"));
    }
    here.run(&["convert", "orders.xml", "-o", "soap.tdxml", "--soap"]).done();
    assert!(here.text("soap.tdxml").starts_with("<soap:Envelope "));
    assert_eq!(here.run(&["convert", "soap.tdxml", "-t", "xml"]).done().text(), ORDERS);
    // An envelope's own body is the table, or the reason why not is given.
    let envelope =
        |body: &str| format!("<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>{body}</e:Envelope>");
    here.file("envelope.xml", envelope("<e:Body><a>1</a></e:Body>"));
    let run = here.run(&["convert", "envelope.xml", "-o", "body.tdxml", "--soap"]);
    assert_eq!((run.status, &*run.err), (0, "note: envelope.xml: 2 elements dropped\n"));
    assert_eq!(here.run(&["convert", "body.tdxml", "-t", "xml"]).done().text(), "<a>1</a>\n");
    assert_eq!(here.run(&["convert", "envelope.xml", "-o", "body.tdxml", "--soap", "--lossless"]).status, 1);
    here.file("headed.xml", envelope("<e:Header/><e:Body><a>1</a></e:Body>"));
    let refused = here.run(&["convert", "headed.xml", "-t", "tdxml", "--soap"]);
    assert!(refused.status == 1 && refused.err.contains("the element e:Header"));
    assert_eq!(here.run(&["convert", "orders.xml", "-t", "tdxml", "--scheme", "none"]).status, 2);
}

#[test]
fn octets_go_to_parts_and_come_back() {
    let here = Place::new();
    let base64 = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8M";
    let xml = format!("<card><name>Ada</name><photo>{base64}</photo></card>\n");
    here.file("card.xml", &xml);
    here.run(&["convert", "card.xml", "-o", "card.tdxml", "--binary", "mime"]).done();
    let message = here.read("card.tdxml");
    assert!(message.starts_with(b"Content-Type: multipart/related;"));
    assert!(message.windows(4).any(|octets| octets == b"\xFF\xD8\xFF\xE0"));
    assert_eq!(here.run(&["convert", "card.tdxml", "-t", "xml"]).done().text(), xml);
}

#[test]
fn schemas_are_referred_to_by_a_directory() {
    let here = Place::new();
    here.file("orders.xml", ORDERS);
    std::fs::create_dir(here.path("schemas")).unwrap();
    here.run(&["convert", "orders.xml", "-o", "first.tdxml"]).done();
    here.run(&["schema", "first.tdxml", "-o", "schemas/urn.orders.ds"]).done();
    let refer = ["--registry", "schemas", "--refer", "urn.orders"];
    here.run(&[&["convert", "orders.xml", "-o", "orders.tdxml"][..], &refer].concat()).done();
    assert!(here.text("orders.tdxml").contains("<TDXML:DS ref=\"urn.orders\"/>"));
    let back = here.run(&["convert", "orders.tdxml", "-t", "xml", "--registry", "schemas"]).done();
    assert_eq!(back.text(), ORDERS);
    let run = here.run(&["check", "orders.tdxml"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("the schema 'urn.orders'"), "{}", run.err);
    here.run(&["check", "orders.tdxml", "--registry", "schemas"]).done();
    let run = here.run(&["convert", "orders.xml", "-t", "tdxml", "--registry", "schemas", "--refer", "other"]);
    assert_eq!(run.status, 2);
}

#[test]
fn mixed_content_and_comments_have_a_place_or_are_dropped() {
    let here = Place::new();
    let xml = "<!-- a --><a>text<b/> and <!-- c --><b>more</b></a>\n";
    here.file("a.xml", xml);
    here.run(&["convert", "a.xml", "-o", "a.tdxml"]).done();
    assert_eq!(here.run(&["convert", "a.tdxml", "-t", "xml"]).done().text(), xml);
    let run = here.run(&["convert", "a.xml", "-o", "a.tdxml", "--drop-mixed"]);
    assert!(run.err.contains("1 text dropped"), "{}", run.err);
    assert_eq!(here.run(&["convert", "a.tdxml", "-t", "xml"]).done().text(), "<a>text<b/><b>more</b></a>\n");
    // The samples are data.
    here.run(&["convert", &sample("map.xml"), "-o", "map.tdxml"]).done();
    here.run(&["check", "map.tdxml"]).done();
}

#[test]
fn broken_tables_are_reported_with_line_and_path() {
    let here = Place::new();
    let swapped = FIGURE.replace("[0]0[0] |Alan\n[0]0[1] |Johnson\n", "[0]0[1] |Johnson\n[0]0[0] |Alan\n");
    here.file("swapped.tdxml", &swapped);
    let run = here.run(&["check", "swapped.tdxml"]);
    assert_eq!(run.status, 1);
    let place = format!("schema at byte {} (line 11, column 1) in /person:", FIGURE.find("[0]0[0]").unwrap());
    assert!(run.err.contains(&place), "{}", run.err);
}

const SCHEMA: &str = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:o" xmlns:o="urn:o"
    elementFormDefault="qualified">
  <xs:element name="order"><xs:complexType><xs:sequence>
    <xs:element name="note" type="xs:string" minOccurs="0"/>
    <xs:choice><xs:element name="card" type="xs:token"/><xs:element name="cash" type="xs:boolean"/></xs:choice>
    <xs:element name="item" type="o:Item" maxOccurs="unbounded"/>
    <xs:element name="tree" type="o:Tree" minOccurs="0"/>
  </xs:sequence><xs:attribute name="id" type="xs:int" use="required"/></xs:complexType></xs:element>
  <xs:complexType name="Item"><xs:simpleContent><xs:extension base="xs:decimal">
    <xs:attribute name="since" type="xs:date"/></xs:extension></xs:simpleContent></xs:complexType>
  <xs:complexType name="Tree"><xs:sequence>
    <xs:element name="tree" type="o:Tree" minOccurs="0" maxOccurs="unbounded"/>
    <xs:element name="octets" type="xs:base64Binary"/></xs:sequence></xs:complexType>
</xs:schema>"#;

/// What X.694 makes of the schema, as a table has it, by hand: clauses 20 (sequences), 14 (references), the types of
/// clause 11 and the ranges of clause 12.5.
const BY_HAND: &str = r#"n1:order [0] ::= SEQUENCE {
 id(0) [ATTRIBUTE] INTEGER (-2147483648..2147483647)
 n1:note[0] UTF8String OPTIONAL,
 n1:card[1] UTF8String OPTIONAL,
 n1:cash[2] BOOLEAN OPTIONAL,
 n1:item[3] SEQUENCE OF Item,
 n1:tree[4] Tree OPTIONAL }
Item ::= SEQUENCE {
 since(0) [ATTRIBUTE] DATE OPTIONAL
 [TEXT] REAL }
Tree ::= SEQUENCE {
 n1:tree[0] SEQUENCE OF Tree,
 n1:octets[1] OCTET STRING }
NAMESPACE xsi "http://www.w3.org/2001/XMLSchema-instance"
NAMESPACE n1 "urn:o"
"#;

#[test]
fn a_schema_of_xml_gives_rows_their_types() {
    let here = Place::new();
    let xml = "<p:order xmlns:p=\"urn:o\" id=\"7\"><p:cash>true</p:cash><p:item since=\"2004-07-20\">1.50</p:item>\
               <p:item>2</p:item><p:tree><p:tree><p:octets>AAEC</p:octets></p:tree><p:octets>AA==</p:octets></p:tree></p:order>\n";
    here.file("o.xsd", SCHEMA).file("o.xml", xml);
    for extra in [&[][..], &["--binary", "mime"], &["--scheme", "aggregated"]] {
        let convert = ["convert", "o.xml", "-s", "o.xsd", "-o", "o.tdxml"];
        here.run(&[&convert[..], extra, &["--embed-schema"]].concat()).done();
        assert_eq!(here.run(&["schema", "o.tdxml"]).done().text(), BY_HAND);
        assert_eq!(here.run(&["convert", "o.tdxml", "-t", "xml"]).done().text(), xml);
        // By reference, whoever has the XML Schema or the data schema reads it.
        here.run(&[&convert[..], extra].concat()).done();
        assert!(!here.read("o.tdxml").windows(10).any(|bytes| bytes == b"SEQUENCE {"));
        assert_eq!(here.run(&["convert", "o.tdxml", "-t", "xml", "-s", "o.xsd"]).done().text(), xml);
        assert_eq!(here.run(&["get", "o.tdxml", "/p:order/p:item[2]/text()", "-s", "o.xsd"]).done().text(), "2\n");
        std::fs::create_dir_all(here.path("schemas")).unwrap();
        here.run(&["schema", "o.xsd", "-o", "schemas/any name.ds"]).done();
        assert_eq!(here.text("schemas/any name.ds"), BY_HAND);
        assert_eq!(here.run(&["convert", "o.tdxml", "-t", "xml", "--registry", "schemas"]).done().text(), xml);
        here.run(&["check", "o.tdxml", "-s", "o.xsd"]).done();
        let run = here.run(&["check", "o.tdxml"]);
        assert!(
            run.err.contains("hint: name the schema with -s, or a directory that has it with --registry"),
            "{}",
            run.err
        );
    }
    // A value that is not of the schema's types is refused at its position.
    here.file("bad.xml", xml.replace("1.50", "a lot"));
    let run = here.run(&["convert", "bad.xml", "-s", "o.xsd", "-t", "tdxml"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("found 'a lot', expected a REAL"), "{}", run.err);
}

/// Types whose text is a list or a union, extended by attributes, restricted and nillable: the schema is one that
/// can be read again, in which that text is one value.
#[test]
fn lists_that_are_extended_by_attributes_are_one_value() {
    let here = Place::new();
    let schema = r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:o" targetNamespace="urn:o" elementFormDefault="qualified">
<xs:simpleType name="Three"><xs:list itemType="xs:float"/></xs:simpleType>
<xs:simpleType name="Most"><xs:restriction base="Three"><xs:maxLength value="3"/></xs:restriction></xs:simpleType>
<xs:simpleType name="Either"><xs:union memberTypes="xs:int Three"/></xs:simpleType>
<xs:complexType name="Position"><xs:simpleContent><xs:extension base="Three"><xs:attribute name="units" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:complexType name="Far"><xs:simpleContent><xs:extension base="Position"><xs:attribute name="scale" type="Three"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:complexType name="Near"><xs:simpleContent><xs:extension base="Most"><xs:attribute name="k" type="xs:int"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:complexType name="Or"><xs:simpleContent><xs:extension base="Either"><xs:attribute name="k" type="xs:int"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:element name="o"><xs:complexType><xs:sequence>
<xs:element name="p" type="Position" maxOccurs="9"/><xs:element name="f" type="Far"/><xs:element name="n" type="Near"/>
<xs:element name="e" type="Or"/><xs:element name="z" type="Position" nillable="true"/><xs:element name="l" type="Three"/></xs:sequence></xs:complexType></xs:element></xs:schema>"#;
    let xml = "<o xmlns=\"urn:o\"><p>1 2 3</p><p units=\"m\">1.5</p><f units=\"km\" scale=\"1 2\">4 5</f><n k=\"1\">6 7</n>\
               <e k=\"1\">8</e><z>9 10</z><l>11 12</l></o>\n";
    here.file("o.xsd", schema).file("o.xml", xml);
    here.run(&["check", "o.xml", "-s", "o.xsd"]).done();
    for scheme in ["aggregated", "grouped"] {
        let convert = ["convert", "o.xml", "-s", "o.xsd", "-o", "o.tdxml", "--embed-schema", "--scheme", scheme];
        here.run(&convert).done();
        here.run(&["check", "o.tdxml"]).done();
        let back = here.run(&["convert", "o.tdxml", "-t", "tsf", "--sort-attributes"]).done().out;
        assert_eq!(back, here.run(&["convert", "o.xml", "-t", "tsf", "--sort-attributes"]).done().out);
    }
}

#[test]
fn plain_xml_is_read_and_written_where_it_is_asked_for() {
    let here = Place::new();
    here.file("o.xml", "<p:a/>\n");
    let run = here.run(&["convert", "o.xml", "-t", "tsf"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("the prefix 'p', which is not declared"), "{}", run.err);
    here.run(&["convert", "o.xml", "-o", "o.tsf", "--plain-xml"]).done();
    assert_eq!(here.run(&["convert", "o.tsf", "-t", "xml"]).status, 1);
    assert_eq!(here.run(&["convert", "o.tsf", "-t", "xml", "--plain-xml"]).done().text(), "<p:a/>\n");
}

#[test]
fn external_entities_are_read_where_they_are_allowed() {
    let here = Place::new();
    here.file("in/doc.xml", "<!DOCTYPE a SYSTEM '../dtd/a.dtd'>\n<a>&e;</a>\n");
    here.file("dtd/a.dtd", "<!ENTITY e SYSTEM 'e.xml'>\n<!ATTLIST a b CDATA 'c'>\n");
    here.file("dtd/e.xml", "<e/>");
    let run = here.run(&["convert", "in/doc.xml", "-t", "json"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("'&e;', an undeclared entity"), "{}", run.err);
    // The folder of the document is not enough.
    let run = here.run(&["check", "in/doc.xml", "--entities", "in"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.contains("outside the folders that may be read") && run.err.contains("in/../dtd/a.dtd")
            || run.err.contains("dtd/a.dtd"),
        "{}",
        run.err
    );
    let run = here.run(&["convert", "in/doc.xml", "-t", "xml", "--entities", "dtd"]);
    assert_eq!((run.status, run.text()), (0, "<a b=\"c\"><e/></a>\n"));
    let note = "entities and defaults were written into the document, and its DOCTYPE left out\n";
    assert_eq!(run.err, format!("note: in/doc.xml: {note}"));
    let run = here.run_with(
        &["get", "-", "/doc/@b", "-f", "xml", "--entities", "dtd", "-q"],
        b"<!DOCTYPE doc [<!ENTITY % d SYSTEM 'd.dtd'>%d;]><doc/>",
    );
    assert_eq!(run.status, 1);
    here.file("dtd/d.dtd", "<!ATTLIST doc b CDATA 'of standard input'>");
    let run = here.run_with(
        &["get", "-", "/doc/@b", "-f", "xml", "--entities", "dtd", "-q"],
        b"<!DOCTYPE doc [<!ENTITY % d SYSTEM 'd.dtd'>%d;]><doc/>",
    );
    assert_eq!(run.done().text(), "of standard input\n");
    here.file("web.xml", "<!DOCTYPE a PUBLIC 'p' 'http://example.org/dtd/a.dtd'><a>&e;</a>");
    let run = here.run(&["check", "web.xml", "--entities", "dtd"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.contains("it is not a local file") && run.err.contains("http://example.org/dtd/a.dtd"),
        "{}",
        run.err
    );
    here.file(
        "dtd/catalog.xml",
        "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>\
         <rewriteSystem systemIdStartString='http://example.org/dtd/' rewritePrefix='./'/></catalog>",
    );
    here.run(&["check", "web.xml", "--entities", "dtd/catalog.xml", "-q"]).done();
    // OASIS XML Catalogs 1.1 section 6.5.9: it goes on in another, once; what is not read is counted.
    here.file(
        "dtd/first.xml",
        "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'><public publicId='p' uri='u'/>\
         <nextCatalog catalog='catalog.xml'/><nextCatalog catalog='first.xml'/></catalog>",
    );
    let run = here.run(&["check", "web.xml", "--entities", "dtd/first.xml"]);
    assert!(run.status == 0 && run.err.contains("note: dtd/first.xml: not read: 1 public\n"), "{}", run.err);
    // An error in an entity names it; an option that does not apply is refused or said.
    here.file("dtd/e.xml", "<e>\n</f>");
    let run = here.run(&["check", "in/doc.xml", "--entities", "dtd"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("found '</f>' in 'dtd/e.xml' (line 2, column 1), expected '</e>'"), "{}", run.err);
    here.file("plain.xml", "<a/>");
    let run = here.run(&["check", "plain.xml", "--entities", "dtd"]);
    assert_eq!(
        (run.status, run.err.as_str()),
        (0, "note: --entities had no effect: no document refers to anything outside itself\n")
    );
    assert_eq!(here.run(&["check", "plain.xml", "--entities", "none"]).status, 3);
    assert_eq!(here.run(&["convert", "plain.xml", "-t", "tsf", "--entities", "dtd", "--lossless"]).status, 2);
}

/// What a wildcard allows, and prefixes declared anywhere, come back as they were.
#[test]
fn wildcards_and_inner_declarations_come_back() {
    let here = Place::new();
    let any = r###"<xs:any namespace="##other" processContents="lax" minOccurs="0"/>"###;
    let any_attribute = r###"<xs:anyAttribute namespace="##other" processContents="lax"/>"###;
    let open = SCHEMA
        .replace("</xs:sequence><xs:attribute name=\"id\"", &format!("{any}</xs:sequence><xs:attribute name=\"id\""));
    let open = open.replace("use=\"required\"/>", &format!("use=\"required\"/>{any_attribute}"));
    here.file("o.xsd", &open);
    let card = "<card>x</card>";
    for xml in [
        format!("<order xmlns='urn:o' id='1'>{card}<item>1</item><q:y xmlns:q='urn:q'>z</q:y></order>"),
        format!("<order xmlns='urn:o' xmlns:q='urn:q' id='1' q:k='v'>{card}<item>1</item></order>"),
        format!("<order xmlns='urn:o' id='1'>{card}<p:item xmlns:p='urn:o'>1</p:item></order>"),
        format!("<order xmlns='urn:o' id='1'>{card}<item xmlns='urn:o'>1</item></order>"),
        "<p:order xmlns:p='urn:o' xmlns='urn:o' id='1'><p:card>x</p:card><item>1</item></p:order>".to_owned(),
    ] {
        here.file("o.xml", &xml);
        here.run(&["convert", "o.xml", "-s", "o.xsd", "-o", "o.tdxml"]).done();
        here.run(&["convert", "o.tdxml", "-s", "o.xsd", "-t", "xml", "-o", "back.xml"]).done();
        let back = here.run(&["convert", "back.xml", "-t", "tsf", "--sort-attributes"]).done().out;
        assert_eq!(back, here.run(&["convert", "o.xml", "-t", "tsf", "--sort-attributes"]).done().out, "{xml}");
    }
    // What is none of its instances is an error of the instance.
    here.file("o.xml", "<order xmlns='urn:o' id='1'><card>x</card><other>1</other></order>");
    let run = here.run(&["convert", "o.xml", "-s", "o.xsd", "-o", "o.tdxml"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("o.xml: schema at byte"), "{}", run.err);
}

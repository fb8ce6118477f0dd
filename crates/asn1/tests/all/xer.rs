//! XML by the XML Encoding Rules (X.693): what asn1tools 0.169 writes, and values of every kind and back.

use asn1::{Compiled, Limits, Options, Values, jer, xer};
use tam::{Error, Table};

fn of_json(types: &Compiled, root: &str, json: &str, canonical: bool) -> String {
    let mut table = Table::new();
    let document = text::json::read(json.as_bytes(), &text::json::Options::default(), &mut table).unwrap();
    let mut values = Values::new();
    let value = jer::read(&document, types, types.find(root).unwrap(), &Limits::default(), &mut values).unwrap();
    xer::write(value, canonical).unwrap()
}

fn to_json(types: &Compiled, root: &str, xml: &str) -> Result<String, Error> {
    let mut table = Table::new();
    let document = text::xml::read(xml.as_bytes(), &text::xml::Options::default(), &mut table)?;
    let mut values = Values::new();
    let value = xer::read(&document, types, types.find(root).unwrap(), &Limits::default(), &mut values)?;
    let (mut table, mut shown) = (Table::new(), Vec::new());
    text::json::append(&jer::write(value, &mut table)?, &text::json::Options::default(), &mut shown)?;
    Ok(String::from_utf8(shown).unwrap())
}

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Foo ::= INTEGER (0..9) Ch ::= CHOICE { a INTEGER, b BOOLEAN } E ::= ENUMERATED { red, green }
    T ::= SEQUENCE { f BOOLEAN, n NULL, i INTEGER { one(1) }, r REAL, e E, bs BIT STRING { x(0), y(1) }, os OCTET STRING,
      o OBJECT IDENTIFIER, u UTF8String, l1 SEQUENCE OF INTEGER, l2 SEQUENCE OF Foo, l3 SEQUENCE OF BOOLEAN,
      l4 SEQUENCE OF Ch, l5 SEQUENCE OF E, l6 SEQUENCE OF NULL, l7 SET OF SEQUENCE OF OCTET STRING, c Ch,
      l8 SEQUENCE OF Foo (1..3), d INTEGER DEFAULT 5 }
    S ::= SET { b [1] INTEGER, a [0] INTEGER DEFAULT 4, c [2] SET OF INTEGER OPTIONAL } END";

const JSON: &str = r#"{"f":true,"n":null,"i":1,"r":15000000000,"e":"red","bs":{"value":"A0","length":3},"os":"01AB","o":"1.2.3","u":"a<&> é","l1":[1,2],"l2":[3],"l3":[true,false],"l4":[{"a":1},{"b":false}],"l5":["red"],"l6":[null,null],"l7":[["01"]],"c":{"b":true},"l8":[1]}"#;

/// What asn1tools writes for this value, with `<true />` for `<true/>` and references for letters that are not ASCII.
const ASN1TOOLS: &str = "<T><f><true /></f><n /><i>1</i><r>1.5E10</r><e><red /></e><bs>101</bs><os>01AB</os><o>1.2.3</o><u>a&lt;&amp;&gt; &#233;</u><l1><INTEGER>1</INTEGER><INTEGER>2</INTEGER></l1><l2><Foo>3</Foo></l2><l3><true /><false /></l3><l4><a>1</a><b><false /></b></l4><l5><red /></l5><l6><NULL /><NULL /></l6><l7><SEQUENCE_OF><OCTET_STRING>01</OCTET_STRING></SEQUENCE_OF></l7><c><b><true /></b></c><l8><Foo>1</Foo></l8></T>";

#[test]
fn xml_is_that_of_asn1tools() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let plain = ASN1TOOLS.replace(" />", "/>").replace("&#233;", "é");
    assert_eq!(of_json(&types, "T", JSON, false), plain);
    for xml in [ASN1TOOLS, &plain, &plain.replace("><", ">\n  <").replace("<NULL/>", "<NULL></NULL>")] {
        assert_eq!(to_json(&types, "T", xml).unwrap(), JSON);
    }
    for (number, xml) in [("-123.456", "-1.23456E2"), ("1", "1.0E0"), ("0.1", "1.0E-1")] {
        let types = Compiled::from_notation("M DEFINITIONS ::= BEGIN R ::= REAL END").unwrap();
        assert_eq!(of_json(&types, "R", number, true), format!("<R>{xml}</R>"));
        assert_eq!(to_json(&types, "R", &format!("<R>{xml}</R>")).unwrap(), number);
    }
}

#[test]
fn other_forms_are_read() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let read = |xml: &str| to_json(&types, "T", &ASN1TOOLS.replace("<i>1</i>", xml)).unwrap();
    assert_eq!(read("<i><one/></i>"), read("<i>1</i>"));
    assert_eq!(read("<i>one</i>"), read("<i>\n01 <!-- one --></i>"));
    let bits = |xml: &str| to_json(&types, "T", &ASN1TOOLS.replace("<bs>101</bs>", xml)).unwrap();
    assert_eq!(bits("<bs><y/></bs>"), bits("<bs> 0\n1 </bs>"));
    assert_eq!(to_json(&types, "S", "<S><b>1</b><a>2</a></S>").unwrap(), r#"{"b":1,"a":2}"#);
    assert_eq!(to_json(&types, "S", "<S><a>2</a><b>1</b></S>").unwrap(), r#"{"b":1,"a":2}"#);
}

/// X.680 clause 22.7: zeros at the end of a BIT STRING whose bits have names fill it up.
#[test]
fn names_of_bits_fill_up_a_string() {
    let types = Compiled::from_notation(
        "M DEFINITIONS ::= BEGIN B ::= BIT STRING { a(0), b(5), far(600000) } (SIZE (4|8)) END",
    )
    .unwrap();
    for (xml, value, length) in [("<a/>", "80", 4), ("<b/><a/>", "84", 8), ("", "00", 4), ("1000", "80", 4)] {
        let json = to_json(&types, "B", &format!("<B>{xml}</B>")).unwrap();
        assert_eq!(json, format!("{{\"value\":\"{value}\",\"length\":{length}}}"), "{xml}");
    }
    for xml in ["<c/>", "<far/>", "1", "<a/>1", "a"] {
        assert!(to_json(&types, "B", &format!("<B>{xml}</B>")).is_err(), "{xml}");
    }
}

/// X.693 clause 9: components of a SET by their tags, those of a SET OF by their text, defaults written, no option left.
#[test]
fn canonical_xml_is_the_only_one() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let canonical = "<S><a>4</a><b>1</b><c><INTEGER>1</INTEGER><INTEGER>20</INTEGER><INTEGER>3</INTEGER></c></S>";
    assert_eq!(of_json(&types, "S", r#"{"b":1,"c":[3,20,1]}"#, true), canonical);
    assert_eq!(of_json(&types, "S", &to_json(&types, "S", canonical).unwrap(), true), canonical);
}

#[test]
fn control_characters_are_elements() {
    let types = Compiled::from_notation("M DEFINITIONS ::= BEGIN U ::= UTF8String END").unwrap();
    let json = "\" a\\u001bb\\u0000\\r\\n\"";
    let xml = of_json(&types, "U", json, false);
    assert_eq!(xml, "<U> a<esc/>b<nul/>&#13;\n</U>");
    assert_eq!(
        to_json(&types, "U", &xml).unwrap(),
        to_json(&types, "U", "<U> a<esc/>b<nul></nul>&#xD;\n</U>").unwrap()
    );
    assert!(to_json(&types, "U", "<U><lf/></U>").is_err());
}

/// An open type and a string are elements named by the type in them.
#[test]
fn open_types_are_elements_of_their_type() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
         Word ::= UTF8String S C ::= { { 1 BOOLEAN } | { 2 Word }, ... }
         F ::= SEQUENCE { v C.&Type ({S}{@id}), id C.&id ({S}), s OCTET STRING (CONTAINING Word) }
         T ::= SEQUENCE OF F END",
    )
    .unwrap();
    let xml = "<T><F><v><BOOLEAN><true/></BOOLEAN></v><id>1</id><s><Word>x</Word></s></F>\
               <F><v><Word>w</Word></v><id>2</id><s>0102</s></F><F><v><per>FF</per></v><id>9</id><s/></F></T>";
    let json = to_json(&types, "T", xml).unwrap();
    assert_eq!(
        json,
        r#"[{"v":true,"id":1,"s":{"containing":"x"}},{"v":"w","id":2,"s":"0102"},{"v":{"per":"FF"},"id":9,"s":""}]"#
    );
    assert_eq!(of_json(&types, "T", &json, false), xml);
}

/// X.680 clause 12.36 has the names of types in capitals, and leaves that of an open type to X.681 clause 14.10.
#[test]
fn open_types_without_a_name_of_their_own_are_named_in_capitals() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
         S C ::= { { 1 BOOLEAN } | { 2 INTEGER } }
         T ::= SEQUENCE { id C.&id ({S}), s OCTET STRING (CONTAINING C.&Type ({S}{@id})), l SEQUENCE OF C.&Type ({S}{@id}) } END",
    )
    .unwrap();
    let xml = "<T><id>2</id><s><OPEN_TYPE><INTEGER>5</INTEGER></OPEN_TYPE></s>\
               <l><OPEN_TYPE><INTEGER>7</INTEGER></OPEN_TYPE></l></T>";
    let json = r#"{"id":2,"s":{"containing":5},"l":[7]}"#;
    assert_eq!(to_json(&types, "T", xml).unwrap(), json);
    assert_eq!(of_json(&types, "T", json, false), xml);
}

/// By X.680 clause 23.4 the value in a string is an element if no `ENCODED BY` names its rules; otherwise the digits of its encoding
/// are there, which are those of X.690 and X.691 here.
#[test]
fn strings_encoded_by_rules_of_their_own_are_digits() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
         T ::= SEQUENCE { a OCTET STRING (CONTAINING Word), b OCTET STRING (CONTAINING Word ENCODED BY der),
           c OCTET STRING (SIZE (2)) (CONTAINING INTEGER (0..65535) ENCODED BY per), d BIT STRING (CONTAINING BOOLEAN ENCODED BY der),
           e OCTET STRING (ENCODED BY der), f SEQUENCE OF OCTET STRING (CONTAINING Word ENCODED BY der) }
         Word ::= UTF8String
         der OBJECT IDENTIFIER ::= { joint-iso-itu-t asn1(1) ber-derived(2) distinguished-encoding(1) }
         per OBJECT IDENTIFIER ::= { joint-iso-itu-t asn1(1) packed-encoding(3) basic(0) unaligned(1) } END",
    )
    .unwrap();
    let json = r#"{"a":{"containing":"x"},"b":{"containing":"x"},"c":{"containing":258},"d":{"containing":true},"e":"0500","f":[{"containing":""},"00"]}"#;
    let xml = "<T><a><Word>x</Word></a><b>0C0178</b><c>0102</c><d>000000010000000111111111</d><e>0500</e>\
               <f><OCTET_STRING>0C00</OCTET_STRING><OCTET_STRING>00</OCTET_STRING></f></T>";
    for canonical in [false, true] {
        assert_eq!(of_json(&types, "T", json, canonical), xml);
    }
    assert_eq!(to_json(&types, "T", xml).unwrap(), json);
    let octets =
        json.replace(r#""b":{"containing":"x"}"#, r#""b":"0C0178""#).replace(r#"{"containing":258}"#, r#""0102""#);
    assert_eq!(of_json(&types, "T", &octets, false), xml);
    for (from, to) in [("0C0178", "<Word>x</Word>"), ("<c>0102", "<c>010203"), ("0001111", "0001112")] {
        assert!(to_json(&types, "T", &xml.replace(from, to)).is_err(), "{to}");
    }
}

/// The identifier selects the type, wherever it comes; what is in the open type is of this type, or octets if there is none. An
/// error has the place of the element.
#[test]
fn an_open_type_holds_the_type_that_the_identifier_selects() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN C ::= CLASS { &id Id UNIQUE, &Type } WITH SYNTAX { &id &Type }
         Id ::= CHOICE { n INTEGER, o OBJECT IDENTIFIER } Word ::= UTF8String Text ::= UTF8String
         S C ::= { { n : 1 BOOLEAN } | { o : { 1 2 3 } Word } | { n : 3 Text } | { n : 4 SEQUENCE OF INTEGER }
           | { n : 5 SEQUENCE OF Word } | { n : 6 F }, ... }
         F ::= SEQUENCE { v C.&Type ({S}{@h.id}), h SEQUENCE { x NULL OPTIONAL, id C.&id ({S}) } } T ::= SEQUENCE OF F END",
    )
    .unwrap();
    let xml = |id: &str, value: &str| format!("<F><v>{value}</v>\n <h><x/> <id>{id}</id></h></F>");
    let whole = |id: &str, value: &str| format!("<T>\n{}\n{}</T>", xml("<n>3</n>", "<Text>a</Text>"), xml(id, value));
    let inner = xml("<n>3</n>", "<Text>b</Text>");
    for (id, value, json) in [
        ("<n>1</n>", "<BOOLEAN><true/></BOOLEAN>", "true"),
        ("<o>1.2.3</o>", "<Word>w</Word>", "\"w\""),
        ("<n>3</n>", "<Text>w</Text>", "\"w\""),
        ("<n>4</n>", "<SEQUENCE_OF><INTEGER>1</INTEGER></SEQUENCE_OF>", "[1]"),
        ("<n>5</n>", "<SEQUENCE_OF><Word>w</Word></SEQUENCE_OF>", "[\"w\"]"),
        ("<n>6</n>", &inner, r#"{"v":"b","h":{"x":null,"id":{"n":3}}}"#),
        ("<n>7</n>", "<ber>0500</ber>", r#"{"ber":"0500"}"#),
        ("<o>1.2</o>", "<per>01</per>", r#"{"per":"01"}"#),
    ] {
        let read = to_json(&types, "T", &whole(id, value)).unwrap();
        assert!(read.contains(&format!("{{\"v\":{json},")), "{id}: {read}");
        assert_eq!(to_json(&types, "T", &of_json(&types, "T", &read, false)).unwrap(), read);
    }
    let within = xml("<n>1</n>", "<Word>w</Word>");
    for (id, value, path, words) in [
        (
            "<n>1</n>",
            "<Word>w</Word>",
            "/1/v",
            "found <Word>, expected <BOOLEAN>, the type that the identifier selects",
        ),
        ("<n>3</n>", "<Word>w</Word>", "/1/v", "found <Word>, expected <Text>"),
        ("<o>1.2.3</o>", "<Text>w</Text>", "/1/v", "found <Text>, expected <Word>"),
        ("<n>1</n>", "<per>00</per>", "/1/v", "found <per>, expected <BOOLEAN>"),
        ("<n>7</n>", "<Word>w</Word>", "/1/v", "found <Word>, expected <per>, <oer> or <ber>"),
        ("<n>7</n>", "<Bar/>", "/1/v", "found <Bar>, expected <per>, <oer> or <ber>"),
        ("<n>5</n>", "<SEQUENCE_OF><INTEGER>1</INTEGER></SEQUENCE_OF>", "/1/v", "found <INTEGER>, expected <Word>"),
        ("<n>6</n>", &within, "/1/v/v", "found <Word>, expected <BOOLEAN>"),
        ("<n>x</n>", "<Word>w</Word>", "/1/v", "found <Word>"),
    ] {
        let xml = whole(id, value);
        let error = to_json(&types, "T", &xml).unwrap_err();
        assert!(error.path() == path && error.to_string().contains(words), "{id} {value}: {error}");
        let found = format!("{}", error.found());
        let at = xml.rfind(found.trim_end_matches('>')).unwrap() as u64 + 1;
        assert_eq!(error.offset(), at, "{error}\n{xml}");
    }
    // Records within each other, each with its identifier after the value.
    let (mut xml, mut end) = ("<T>".to_owned(), String::new());
    for _ in 0..200 {
        xml += "<F><v>";
        end = format!("</v><h><id><n>6</n></id></h></F>{end}");
    }
    xml += &format!("<F><v><per>00</per></v><h><id><n>9</n></id></h></F>{end}</T>");
    assert!(to_json(&types, "T", &xml).is_ok());
}

/// A type without a name is named by its keywords with `_` between them (X.680 clause 12.36), in a table and as a parameter too.
#[test]
fn keywords_of_types_are_one_name() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN C ::= CLASS { &id INTEGER UNIQUE, &Type } WITH SYNTAX { &id &Type }
         S C ::= { { 1 OCTET STRING } } L {X} ::= SEQUENCE OF X
         T ::= SEQUENCE { id C.&id ({S}), v C.&Type ({S}{@id}), l L {SET OF NULL} } END",
    )
    .unwrap();
    let xml = "<T><id>1</id><v><OCTET_STRING>0A</OCTET_STRING></v><l><SET_OF><NULL/></SET_OF></l></T>";
    let json = to_json(&types, "T", xml).unwrap();
    assert_eq!(json, r#"{"id":1,"v":"0A","l":[[null]]}"#);
    assert_eq!(of_json(&types, "T", &json, false), xml);
}

/// Names of elements by table 4 of X.680: what has an associated type is a SEQUENCE; types with a name have that.
#[test]
fn items_of_built_in_types_are_named_by_the_table() {
    let identified = r#"{"identification":{"fixed":null}"#;
    let (external, pdv) = (r#"{"encoding":{"octet-aligned":"01"}}"#, format!("{identified},\"data-value\":\"01\"}}"));
    let string = format!("{identified},\"string-value\":\"61\"}}");
    for (item, name, json) in [
        ("EXTERNAL", "SEQUENCE", external),
        ("EMBEDDED PDV", "SEQUENCE", &pdv),
        ("CHARACTER STRING", "SEQUENCE", &string),
        ("INSTANCE OF TYPE-IDENTIFIER", "SEQUENCE", r#"{"type-id":"1.2.3","value":{"per":"01"}}"#),
        ("[5] EXTERNAL", "SEQUENCE", external),
        ("E", "E", external),
        ("SEQUENCE {}", "SEQUENCE", "{}"),
        ("SET {}", "SET", "{}"),
        ("SEQUENCE OF NULL", "SEQUENCE_OF", "[]"),
        ("SET OF NULL", "SET_OF", "[]"),
        ("BIT STRING", "BIT_STRING", r#"{"value":"80","length":1}"#),
        ("OCTET STRING", "OCTET_STRING", r#""0A""#),
        ("OBJECT IDENTIFIER", "OBJECT_IDENTIFIER", r#""1.2.3""#),
        ("RELATIVE-OID", "RELATIVE_OID", r#""4.5""#),
        ("INTEGER { one(1) }", "INTEGER", "1"),
        ("REAL", "REAL", "0.5"),
        ("IA5String", "IA5String", r#""a""#),
        ("UTF8String", "UTF8String", r#""a""#),
        ("GeneralizedTime", "GeneralizedTime", r#""20250301060000Z""#),
        ("ObjectDescriptor", "ObjectDescriptor", r#""a""#),
        ("DATE", "DATE", r#""2025-03-01""#),
        ("TIME-OF-DAY", "TIME_OF_DAY", r#""06:30:00""#),
        ("DATE-TIME", "DATE_TIME", r#""2012-12-21T06:30:00""#),
        ("DURATION", "DURATION", r#""P1D""#),
        ("XmlPart", "_XmlPart", "5"),
    ] {
        let json = format!("[{json}]");
        for module in ["T ::= SEQUENCE OF $", "T ::= L {$} L {X} ::= SET OF X"] {
            let module = module.replace('$', item);
            let types = Compiled::from_notation(&format!(
                "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {module} E ::= EXTERNAL XmlPart ::= INTEGER END"
            ))
            .unwrap();
            let xml = of_json(&types, "T", &json, false);
            assert!(xml.starts_with(&format!("<T><{name}")), "{module}: {xml}");
            assert_eq!(to_json(&types, "T", &xml).unwrap(), json, "{module}");
        }
    }
}

#[test]
fn what_is_not_a_value_is_refused_with_its_place() {
    let types = Compiled::from_notation(MODULE).unwrap();
    for (from, to, path) in [
        ("<T>", "<U>", ""),
        ("<f><true /></f>", "", ""),
        ("<f><true /></f><n />", "<n /><f><true /></f>", ""),
        ("<f>", "<f a=\"1\">", ""),
        ("<true /></f>", "<maybe /></f>", "/f"),
        ("<i>1</i>", "<i>1.5</i>", "/i"),
        ("<i>1</i>", "<i>1</i>text", ""),
        ("<i>1</i>", "<i>1</i><i>1</i>", ""),
        ("<e><red /></e>", "<e><blue /></e>", "/e"),
        ("<bs>101</bs>", "<bs>102</bs>", "/bs"),
        ("<os>01AB</os>", "<os>01A</os>", "/os"),
        ("<Foo>3</Foo>", "<Bar>3</Bar>", "/l2"),
        ("<Foo>3</Foo>", "<Foo>10</Foo>", "/l2/0"),
        ("<c><b><true /></b></c>", "<c><b><true /></b><a>1</a></c>", ""),
    ] {
        let mut xml = ASN1TOOLS.replace(from, to);
        if from == "<T>" {
            xml = xml.replace("</T>", "</U>");
        }
        let error = to_json(&types, "T", &xml).unwrap_err();
        assert!(error.path().starts_with(path) && error.format() == "xer", "{to}: {error} {:?}", error.path());
    }
    for end in 0..ASN1TOOLS.len() {
        assert!(to_json(&types, "T", ASN1TOOLS.get(..end).unwrap_or("")).is_err());
    }
}

/// Nothing recurses over the document, and depth is bounded.
#[test]
fn deep_documents_are_bounded() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= CHOICE { a T, b SEQUENCE OF T, c NULL } END",
    )
    .unwrap();
    let nested = |levels: usize| format!("<T>{}<c/>{}</T>", "<a>".repeat(levels), "</a>".repeat(levels));
    assert!(to_json(&types, "T", &nested(900)).is_ok());
    assert_eq!(to_json(&types, "T", &nested(100_000)).unwrap_err().kind(), tam::ErrorKind::Limit);
    let mut values = Values::new();
    let message = [0x80u8, 0x80].repeat(10);
    let _ = asn1::read(&message, &types, types.find("T").unwrap(), &Options::ber(), &mut values);
}

/// No double needs more than 17 digits.
#[test]
fn decimal_values_of_many_digits_keep_them() {
    let types = Compiled::from_notation("M DEFINITIONS ::= BEGIN R ::= REAL END").unwrap();
    let node = types.find("R").unwrap();
    for (xml, is_decimal) in [
        ("<R>1.234567890123456789E19</R>", true),
        ("<R>-1.234567890123456789E-3</R>", true),
        ("<R>1.7976931348623157E308</R>", false),
        ("<R>1.0E-1</R>", false),
    ] {
        let (mut table, mut values) = (tam::Table::new(), Values::new());
        let document = text::xml::read(xml.as_bytes(), &text::xml::Options::default(), &mut table).unwrap();
        let value = xer::read(&document, &types, node, &Limits::DEFAULT, &mut values).unwrap();
        assert_eq!(matches!(value.as_real(), Some(asn1::event::Real::Decimal(_))), is_decimal, "{xml}");
        assert_eq!(xer::write(value, false).unwrap(), xml);
    }
}

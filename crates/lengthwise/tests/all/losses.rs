//! What a conversion drops or changes is counted, with the first place of each kind.

use lengthwise::tam::Limits;
use lengthwise::{Format, LossKind, Losses, Options, Schema, Strings, Types, convert, convert_with_losses, x694, xsd};
use test_support::Random;

/// Kind, count and the first place of each loss.
fn lines(losses: &Losses) -> Vec<String> {
    let place = |losses: &lengthwise::Loss| match losses.first.position {
        Some((line, column)) => format!("{line}:{column} {}", losses.first.path),
        None => losses.first.path.clone(),
    };
    losses.iter().map(|loss| format!("{} {} {}", loss.kind, loss.count, place(loss)).trim_end().to_owned()).collect()
}

fn losses(input: &str, from: Format, to: Format, options: &Options<'_>) -> Vec<String> {
    losses_of(input.as_bytes(), from, to, options)
}

fn losses_of(input: &[u8], from: Format, to: Format, options: &Options<'_>) -> Vec<String> {
    lines(&convert_with_losses(input, from, to, options).unwrap().1)
}

fn of_xsd(types: &str) -> Schema {
    let text = format!("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>{types}</xs:schema>");
    let source = xsd::Memory::new().with("s.xsd", text.as_str());
    let schema = xsd::Schema::read_from(source, "s.xsd", &xsd::Options::default()).unwrap();
    Schema::from_xsd(schema, &x694::mapping::Options::default()).unwrap()
}

const DOCUMENT: &str = "<?go now?><!--one--><!DOCTYPE a>\n<a k='1'>\n <b>x<!--two-->y</b>\n <b><![CDATA[<]]></b>\n</a>";

#[test]
fn tsf_keeps_all_of_a_document() {
    for to in [Format::Tsf, Format::Xml] {
        assert_eq!(losses(DOCUMENT, Format::Xml, to, &Options::default()), [""; 0]);
    }
    let sorted = Options::default().with_sorted_attributes(true);
    assert_eq!(losses("<a b='1' a='2'/>", Format::Xml, Format::Tsf, &sorted), [""; 0]);
}

#[test]
fn entities_and_defaults_of_a_doctype_are_counted() {
    let text = "<!DOCTYPE a [<!ENTITY who 'world'><!ATTLIST a k CDATA 'v' l CDATA 'w'>]>\n<a l='x&who;'>hi &who; &amp; &#65;<!-- &who; --></a>";
    let found = losses(text, Format::Xml, Format::Tsf, &Options::default());
    assert_eq!(found, ["default 1 2:1 /a/@k", "entity 2 2:8"]);
    // In UTF-16 no place in the text is one in the input.
    let wide: Vec<u8> = "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let (_, found) = convert_with_losses(&wide, Format::Xml, Format::Tsf, &Options::default()).unwrap();
    assert_eq!(lines(&found), ["default 1 /a/@k", "entity 2"]);
}

#[test]
fn references_that_are_kept_are_no_loss_and_formats_without_them_refuse_them() {
    let text = "<!DOCTYPE a [<!ENTITY who 'wor&e;ld'><!ENTITY e SYSTEM 'e'>]>\n<a>hi &e;&e; &who;<![CDATA[&e;]]>&e;<b>&e;</b></a>";
    let options = Options::default().with_entity_references(true);
    for (to, expected) in [
        (Format::Xml, &["entity 1 2:14"][..]),
        (Format::InfosetUper, &["entity 1 2:14", "cdata 1 2:19 /a"]),
        (Format::InfosetBer, &["entity 1 2:14", "cdata 1 2:19 /a"]),
    ] {
        assert_eq!(losses(text, Format::Xml, to, &options), expected, "{to}");
        let message = convert(text.as_bytes(), Format::Xml, to, &options).unwrap();
        assert_eq!(losses_of(&message, to, Format::Xml, &options), [""; 0], "{to}");
    }
    let of_xml = options.with_output_types(Types::Xml);
    for (to, options) in [(Format::Tsf, options), (Format::Tsf, of_xml), (Format::Tdxml, options)] {
        let error = convert(text.as_bytes(), Format::Xml, to, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (lengthwise::ErrorKind::Unsupported, "/a/1"), "{error}");
        assert_eq!(error.found().to_string(), "a reference to the entity 'e'");
    }
    for to in [Format::Json, Format::Pon] {
        let error = convert(text.as_bytes(), Format::Xml, to, &options).unwrap_err();
        assert_eq!(error.kind(), lengthwise::ErrorKind::Unsupported, "{error}");
    }
    // Values of a schema have none: they are not left out.
    let schema = of_xsd("<xs:element name='a' type='xs:string'/>");
    let message = b"<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>x&e;</a>";
    for to in [Format::Uper, Format::Json] {
        let options = options.with_schema(&schema);
        let error = convert(message, Format::Xml, to, &options).unwrap_err();
        assert_eq!(error.kind(), lengthwise::ErrorKind::Unsupported, "{error}");
    }
}

#[test]
fn an_infoset_makes_text_of_cdata_and_that_of_the_paper_drops_what_is_beside_elements() {
    let options = Options::default().with_strings(Strings::Deflate);
    for to in [Format::InfosetUper, Format::InfosetAper, Format::InfosetBer] {
        assert_eq!(losses(DOCUMENT, Format::Xml, to, &options), ["cdata 1 4:5 /a/b[2]"]);
        let paper = losses(DOCUMENT, Format::Xml, to, &options.with_paper(true));
        let expected = ["comment 2 1:11", "instruction 1", "doctype 1 1:21", "cdata 1 4:5 /a/b[2]"];
        assert_eq!(paper, expected);
    }
}

#[test]
fn words_that_a_table_drops_are_not_comments() {
    let mut options = Options::default();
    options.tables.drop_mixed = true;
    let found = losses("<a>x<b/>important</a>", Format::Xml, Format::Tdxml, &options);
    assert_eq!(found, ["text 1 1:9 /a"]);
    let found = losses("<a>\n <!-- c -->\n <b/>\n</a>", Format::Xml, Format::Tdxml, &options);
    assert_eq!(found, ["comment 1 2:2 /a"]);
    let found = losses("<p>tell <b>me</b> <i>more</i></p>", Format::Xml, Format::Tdxml, &options);
    assert_eq!(found, ["space 1 1:18 /p"]);
    options.tables.drop_mixed = false;
    options.tables.drop_comments = true;
    let found = losses("<a>x<b/>important<!--c--></a>", Format::Xml, Format::Tdxml, &options);
    assert_eq!(found, ["comment 1 1:18 /a"]);
    let found = losses("<!--c--><a><?p q?><b/></a>", Format::Xml, Format::Tdxml, &options);
    assert_eq!(found, ["comment 1 1:1", "instruction 1 1:9 /a"]);
}

#[test]
fn an_instance_says_what_its_values_do_not() {
    let schema = of_xsd(
        "<xs:element name='a'><xs:complexType><xs:sequence>
           <xs:element name='n' type='xs:decimal' maxOccurs='unbounded'/>
           <xs:element name='t' type='xs:boolean' minOccurs='0'/>
         </xs:sequence><xs:attribute name='k' type='xs:int'/></xs:complexType></xs:element>",
    );
    let options = Options::default().with_schema(&schema);
    let input = "<a k='07' xmlns:u='urn:u'\n xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'\n \
                 xsi:noNamespaceSchemaLocation='s.xsd'>\n <!--c--><n>24.00</n>\n <n>1.5</n><t>1</t></a>";
    for to in [Format::Uper, Format::Aper, Format::Ber, Format::Asn1, Format::Json, Format::Pon] {
        let found = losses(input, Format::Xml, to, &options);
        assert_eq!(
            found,
            [
                "comment 1 4:2 /a",
                "xsi 1 3:2 /a/@xsi:noNamespaceSchemaLocation",
                "namespace 2 1:11 /a/@xmlns:u",
                "spelling 3 1:4 /a/@k"
            ],
            "{to}"
        );
    }
    let input = "<a k='7'>\n  <n>24</n>\n</a>\n";
    let empty = of_xsd(
        "<xs:element name='a'><xs:complexType><xs:sequence>
           <xs:element name='b' type='xs:int' minOccurs='0'/>
         </xs:sequence></xs:complexType></xs:element>",
    );
    assert_eq!(losses("<a>\n</a>", Format::Xml, Format::Uper, &Options::default().with_schema(&empty)), [""; 0]);
    assert_eq!(losses(input, Format::Xml, Format::Uper, &options), [""; 0]);
}

/// Names of numbers and bits are other spellings of them, whichever of the two is written (X.693 by X.680 clauses 19.9 and 22.9).
#[test]
fn names_of_numbers_and_bits_are_spellings() {
    let module = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
        T ::= SEQUENCE { n Count, b Bits, c Bits, w [TEXT] Count, s SEQUENCE { x NULL OPTIONAL } }
        Count ::= INTEGER { one(1) } Bits ::= BIT STRING { a(0), b(1) } END";
    let schema = Schema::from_notation(&[("", module)], &Limits::default()).unwrap();
    let options = Options::default().with_schema(&schema);
    let xml = |n: &str, b: &str| format!("<T>\n<n>{n}</n><b>{b}</b><c><b/><a/></c><w>one</w><s><x/></s></T>");
    for to in [Format::Uper, Format::Ber, Format::Json] {
        let found = |n: &str, b: &str| losses(&xml(n, b), Format::Xml, to, &options);
        assert_eq!(found("<one/>", "<a/>"), ["order 1 2:25 /T/c", "spelling 1 2:1 /T/n"], "{to}");
        assert_eq!(found("1", "11"), ["order 1 2:18 /T/c", "spelling 1 2:9 /T/b"], "{to}");
        assert_eq!(found("<one/><!-- c -->", "<b/><a/>")[0], "comment 1 2:10 /T/n", "{to}");
    }
}

#[test]
fn json_by_a_module_is_compared_value_by_value() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a REAL, b OCTET STRING OPTIONAL, \
                  s SET OF INTEGER OPTIONAL } END";
    let schema = Schema::from_notation(&[("", module)], &Limits::default()).unwrap();
    let options = Options::default().with_schema(&schema);
    let found = losses("{\n \"b\": \"ab\", \"a\": 24.00}", Format::Json, Format::Uper, &options);
    assert_eq!(found, ["order 1", "spelling 2 2:3 /b"]);
    assert_eq!(losses("{\"a\": 24}", Format::Json, Format::Uper, &options), [""; 0]);
    let canonical = options.with_canonical(true);
    assert_eq!(losses("{\"a\":1,\"s\":[3,1]}", Format::Json, Format::Uper, &canonical), ["order 1 1:9 /s"]);
    let message = convert(b"{\"a\":24.5}", Format::Json, Format::Ber, &options).unwrap();
    for to in [Format::Json, Format::Pon, Format::Tsf, Format::Uper, Format::Asn1] {
        assert!(convert_with_losses(&message, Format::Ber, to, &options).unwrap().1.is_empty(), "{to}");
    }
    let (_, found) = convert_with_losses(&message, Format::Ber, Format::Xml, &options).unwrap();
    assert_eq!(found.count(LossKind::Structure), 2);
}

#[test]
fn what_a_later_version_of_the_schema_says_is_not_lost_in_silence() {
    let of = |text: &str| Schema::from_notation(&[("", text)], &Limits::default()).unwrap();
    let newer = of("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a BOOLEAN, ..., b INTEGER } END");
    let older = of("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a BOOLEAN, ... } END");
    let options = Options::default().with_schema(&newer);
    let message = convert(b"{\"a\":true,\"b\":5}", Format::Json, Format::Uper, &options).unwrap();
    match convert_with_losses(&message, Format::Uper, Format::Json, &Options::default().with_schema(&older)) {
        Ok((_, found)) => assert_eq!(lines(&found), ["unknown 1"]),
        Err(error) => assert_eq!(error.kind(), lengthwise::ErrorKind::Unsupported),
    }
}

#[test]
fn json_keeps_its_values_in_tsf_and_pon_but_not_in_xml() {
    let text = r#"{"a": [1.50, "\u00e9", -0, 1E2], "a": null}"#;
    for to in [Format::Tsf, Format::Pon, Format::Json] {
        assert_eq!(losses(text, Format::Json, to, &Options::default()), [""; 0]);
    }
    let values = Options::default().with_output_types(Types::Value);
    assert_eq!(losses(text, Format::Json, Format::Tsf, &values), [""; 0]);
    assert_eq!(losses(text, Format::Json, Format::Xml, &Options::default()), ["structure 7"]);
    let types = Options::default().with_output_types(Types::Xml);
    assert_eq!(losses(text, Format::Json, Format::Tsf, &types), ["structure 7"]);
}

#[test]
fn binary_data_in_json_is_another_type() {
    let tsf = "2{3a*xyz1b`A";
    let options = Options::default().with_input_types(Types::Value);
    assert_eq!(losses(tsf, Format::Tsf, Format::Json, &options), ["type 2 /a"]);
    assert_eq!(losses(tsf, Format::Tsf, Format::Pon, &options), [""; 0]);
}

/// Deep, wide and with many names: the walk is a loop, and each name is looked at a few times.
#[test]
fn large_documents_are_compared() {
    let deep = format!("{}x{}", "<a>".repeat(900), "</a>".repeat(900));
    let options = Options::default().with_paper(true);
    assert_eq!(losses(&deep, Format::Xml, Format::InfosetUper, &options), [""; 0]);
    let wide: String = (0..20_000).map(|n| format!("<a{n} k='v'/><!--c-->")).collect();
    let found = losses(&format!("<r>{wide}</r>"), Format::Xml, Format::InfosetUper, &options);
    assert_eq!(found, ["comment 20000 1:15 /r"]);
}

#[test]
fn check_holds_json_against_the_modules_of_a_schema() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { a INTEGER (0..9) } END";
    let schema = Schema::from_notation(&[("", module)], &Limits::default()).unwrap();
    let options = Options::default().with_schema(&schema);
    let kind = |input: &[u8], format| lengthwise::check(input, format, &options).map_err(|error| error.kind());
    for (good, bad, format) in [
        ("{\"a\":9}", "{\"a\":10}", Format::Json),
        ("1{1a#9", "1{2a#10", Format::Tsf),
        ("5{a:1i9", "6{a:2i10", Format::Pon),
    ] {
        assert_eq!(kind(good.as_bytes(), format), Ok(2), "{format}");
        assert_eq!(kind(bad.as_bytes(), format), Err(lengthwise::ErrorKind::Schema), "{format}");
    }
}

/// A document of many parts, and the same with one of them changed: what the comparison must say of the two.
fn made_up(random: &mut Random) -> (String, String, Vec<(LossKind, u64)>) {
    let items = 1 + random.below(12);
    let (changed, how) = (random.below(items), random.below(11));
    let (mut given, mut back, mut expected) = (String::new(), String::new(), Vec::new());
    for n in 0..items {
        let whole = format!("<i{} k='v{n}' n='{n}.50'><x>t{n}</x><!--c{n}--><?p{n} q?><y/>tail</i{0}>", n % 3);
        let (part, kind) = match how {
            0 => (whole.replace(&format!("<!--c{n}-->"), ""), Some(LossKind::Comment)),
            1 => (whole.replace(&format!("<?p{n} q?>"), ""), Some(LossKind::Instruction)),
            2 => (whole.replace(&format!(" k='v{n}'"), ""), Some(LossKind::Attribute)),
            3 => (whole.replace("<y/>", ""), Some(LossKind::Element)),
            4 => (whole.replace("tail", ""), Some(LossKind::Text)),
            5 => (whole.replace(&format!("t{n}<"), &format!("u{n}<")), Some(LossKind::Value)),
            6 => (whole.replace(&format!("{n}.50"), &format!("{n}.5")), Some(LossKind::Spelling)),
            7 => (whole.replace("<y/>", "<y/><z/>"), Some(LossKind::Added)),
            8 => (whole.replace("<y/>", "<y d='1'/>"), Some(LossKind::Added)),
            9 => (
                whole.replace(
                    &format!("<x>t{n}</x><!--c{n}--><?p{n} q?><y/>"),
                    &format!("<y/><!--c{n}--><?p{n} q?><x>t{n}</x>"),
                ),
                Some(LossKind::Order),
            ),
            _ => (whole.clone(), None),
        };
        given.push_str(&whole);
        if n != changed {
            back.push_str(&whole);
            continue;
        }
        back.push_str(&part);
        expected.extend(kind.map(|kind| (kind, 1)));
    }
    (format!("<r>{given}</r>"), format!("<r>{back}</r>"), expected)
}

/// The evidence does not depend on what converts: here the output is made of another document.
#[test]
fn every_change_is_found_and_nothing_else() {
    let mut random = Random::new(7);
    for _ in 0..test_support::rounds(2_000) {
        let (given, other, expected) = made_up(&mut random);
        let options = Options::default();
        let output = convert(other.as_bytes(), Format::Xml, Format::InfosetUper, &options).unwrap();
        let found = Losses::between(given.as_bytes(), Format::Xml, &output, Format::InfosetUper, &options).unwrap();
        let found: Vec<_> = found.iter().map(|loss| (loss.kind, loss.count)).collect();
        assert_eq!(found, expected, "{given}\n{other}");
    }
}

#[test]
fn namespaces_decide_and_not_prefixes() {
    let between = |given: &str, other: &str| {
        let options = Options::default();
        let output = convert(other.as_bytes(), Format::Xml, Format::InfosetUper, &options).unwrap();
        lines(&Losses::between(given.as_bytes(), Format::Xml, &output, Format::InfosetUper, &options).unwrap())
    };
    let given = "<a xmlns='urn:a' xmlns:b='urn:b'><b:c b:k='1' t='b:v'/></a>";
    let other = "<p:a xmlns:p='urn:a' xmlns:q='urn:b'><q:c q:k='1' t='q:v'/></p:a>";
    assert_eq!(between(given, other), ["namespace 2 1:4 /a/@xmlns", "prefix 4 1:1 /a"]);
    let other = "<a xmlns='urn:a' xmlns:b='urn:other'><b:c b:k='1' t='b:v'/></a>";
    let found = between(given, other);
    assert_eq!(
        found,
        ["element 1 1:34 /a/b:c", "added 1 /a/b:c".replace("/a", "1:1 /a").as_str(), "namespace 1 1:18 /a/@xmlns:b"]
    );
    // A declaration further out is equivalent.
    assert_eq!(between("<a><b xmlns:p='u'><p:c/></b></a>", "<a xmlns:p='u'><b><p:c/></b></a>"), [""; 0]);
}

/// Published documents: nothing is lost that the page does not say.
#[test]
fn real_documents_lose_what_is_documented_and_no_more() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let mut files: Vec<_> = ["xmls", "gpx", "kml", "ubl21/xml", "uddi", "tsf-paper"]
        .iter()
        .filter_map(|folder| std::fs::read_dir(data.join(folder)).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .collect();
    files.retain(|path| {
        path.extension().is_some_and(|ending| ["xml", "gpx", "kml"].iter().any(|known| ending == *known))
    });
    if files.is_empty() {
        return test_support::skipped("there is no ../shared/data");
    }
    let mut tried = 0;
    for path in files.iter().step_by(test_support::stride(4)) {
        let input = std::fs::read(path).unwrap();
        if input.len() > 1 << 18 {
            continue;
        }
        let mut options = Options::default();
        options.tables.drop_mixed = true;
        for to in [Format::Tsf, Format::InfosetUper, Format::Tdxml] {
            let Ok((_, found)) = convert_with_losses(&input, Format::Xml, to, &options) else { continue };
            let may_be = |kind| match kind {
                LossKind::CData => to != Format::Tsf,
                LossKind::Comment | LossKind::Instruction | LossKind::Doctype | LossKind::Text | LossKind::Space => {
                    to == Format::Tdxml
                }
                LossKind::Entity | LossKind::Default => true,
                _ => false,
            };
            assert!(found.iter().all(|loss| may_be(loss.kind)), "{} to {to}: {found}", path.display());
            tried += 1;
        }
    }
    assert!(tried > 20 / test_support::stride(4), "{tried}");
}

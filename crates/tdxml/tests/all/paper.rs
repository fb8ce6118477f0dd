//! The paper's example (figure 1), to the letter.

use crate::support::back;
use tam::{ErrorKind, Table};
use tdxml::{Options, Scheme};

const FIGURE_1: &str = r#"<TDXML:Env>
<TDXML:DS>
person [0] ::= SEQUENCE OF{
  lang(0) [ATTRIBUTE]
    UTF8String ("English")
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
"#;

const SAID: &str = "<person lang=\"English\">\n<firstname>\nAlan\n</firstname>\n<lastname>\nJohnson\n</lastname>\n</person>\n\
                    <person lang=\"French\">\n<firstname>\nChris\n</firstname>\n<lastname>\nMichell\n</lastname>\n</person>\n";

#[test]
fn the_example_says_what_the_paper_says_of_it() {
    let mut table = Table::new();
    let document = tdxml::read(FIGURE_1.as_bytes(), &Options::default(), &mut table).unwrap();
    for (path, value) in [
        ("/person/@lang", "English"),
        ("/person[1]/firstname/text()", "Alan"),
        ("/person[2]/@lang", "French"),
        ("/person[2]/lastname/text()", "Michell"),
    ] {
        assert_eq!(document.get(path).unwrap().text(), Ok(value), "{path}");
    }
    assert_eq!(crate::support::said(&document), SAID);
}

#[test]
fn long_tags_say_the_same() {
    let long =
        FIGURE_1.replace(":Env>", ":Envelope>").replace(":DS>", ":DataSchema>").replace(":CT>", ":ContentTable>");
    assert_eq!(back(long.as_bytes(), &Options::default()).unwrap(), SAID);
}

#[test]
fn the_default_needs_no_row() {
    let short = FIGURE_1.replace("[0]0(0) |English\n", "");
    assert_eq!(back(short.as_bytes(), &Options::default()).unwrap(), SAID);
}

#[test]
fn the_example_as_a_group_is_written_by_hand() {
    let start = FIGURE_1.find("[0]0(0)").unwrap();
    let end = FIGURE_1.find("</TDXML:CT>").unwrap();
    let by_hand = "[0]0{(0) [0] [1]}\n|Alan|Johnson\nFrench|Chris|Michell\n";
    let grouped = [&FIGURE_1[..start], by_hand, &FIGURE_1[end..]].concat();
    assert_eq!(back(grouped.as_bytes(), &Options::default()).unwrap(), SAID);

    // The writer's own is the same.
    let mut table = Table::new();
    let document = tdxml::read(FIGURE_1.as_bytes(), &Options::default(), &mut table).unwrap();
    let schema = tdxml::infer(&document, &Options::default()).unwrap();
    assert!(schema.root().repeated);
    let notation = FIGURE_1[FIGURE_1.find("person").unwrap()..FIGURE_1.find("</TDXML:DS>").unwrap()].parse().unwrap();
    let options = Options::default().with_scheme(Scheme::Grouped).with_schema(&notation);
    let written = tdxml::write(&document, &options).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert!(written.contains(&format!("<TDXML:CT>\n{by_hand}</TDXML:CT>")), "{written}");
    let aggregated = tdxml::write(&document, &options.with_scheme(Scheme::Aggregated)).unwrap();
    let rows = FIGURE_1[start..end].replace("[0]0(0) |English\n", "");
    assert!(String::from_utf8(aggregated).unwrap().contains(&rows));
}

#[test]
fn a_schema_that_is_agreed_on_is_referred_to() {
    let notation = "person [0] ::= SEQUENCE OF { lang(0) [ATTRIBUTE] UTF8String (\"English\") firstname[0] UTF8String, lastname[1] UTF8String }";
    let mut registry = tdxml::Registry::new();
    registry.insert("urn:people", notation.parse().unwrap());
    let start = FIGURE_1.find("<TDXML:DS>").unwrap();
    let end = FIGURE_1.find("<TDXML:CT>").unwrap();
    let short = [&FIGURE_1[..start], "<TDXML:DS ref='urn:people'/>", &FIGURE_1[end..]].concat();
    assert_eq!(back(short.as_bytes(), &Options::default().with_registry(&registry)).unwrap(), SAID);
    let error = back(short.as_bytes(), &Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("urn:people"), "{error}");
}

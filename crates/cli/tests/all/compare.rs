//! `lengthwise compare`.

use crate::program::{Place, sample};
use serde_json::json;

/// `<a k='v'>text</a>` by hand: nothing in it could be a group.
const TABLE: &str = r#"<TDXML:Env xmlns:TDXML="urn:tdxml"><TDXML:DS>
a [0] ::= SEQUENCE {
 k(0) [ATTRIBUTE] UTF8String
 [TEXT] UTF8String }
</TDXML:DS><TDXML:CT>
[0](0) |v
[0] |text
</TDXML:CT></TDXML:Env>"#;

/// What is read by lengths alone is looked at too: no memory gives a terabyte a second.
/// A module of ASN.1 says nothing of XML: no form would be by it.
#[test]
fn a_schema_of_other_messages_is_refused() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= SEQUENCE { a INTEGER } END").file("a.xml", "<a/>");
    let run = here.run(&["compare", "a.xml", "-s", "m.asn1"]);
    assert!(run.status == 2 && run.err.contains("the ASN.1 module says nothing of XML"), "{}", run.err);
}

#[test]
fn a_long_value_is_looked_at_in_every_form() {
    let here = Place::new();
    let octets = test_support::rounds(8 << 20);
    here.file("a.pon", [format!("{octets}y").as_bytes(), &vec![7; octets]].concat());
    let lines = here.run(&["compare", "a.pon", "--json", "--time", "0.001", "--within", "600"]).done().lines();
    for line in lines {
        assert!(line["decode_mb_per_s"].as_f64().unwrap() < 500_000.0, "{line}");
    }
}

#[test]
fn compare_measures_every_format_that_can_hold_the_message() {
    let here = Place::new();
    here.file("a.xml", "<a k='v'>text</a>").file("a.json", "{\"a\": [1, \"x\"]}");
    let run = here.run(&["compare", "--time", "0.01", "--json", "a.xml", "a.json"]).done();
    let lines = run.lines();
    let forms = |file: &str| -> Vec<_> {
        let of_file = lines.iter().filter(|line| line["file"] == file && line["strings"].is_null());
        of_file.map(|line| (line["format"].clone(), line["types"].clone(), line["bytes"].clone())).collect()
    };
    let null = json!(null);
    assert_eq!(
        forms("a.xml"),
        [
            (json!("xml"), null.clone(), json!(17)),
            (json!("xml"), null.clone(), json!(17)),
            (json!("tsf"), json!("xml"), json!(15)),
            (json!("tdxml"), null.clone(), json!(TABLE.len())),
            (json!("tdxml"), null.clone(), json!(TABLE.len())),
        ]
    );
    assert_eq!(
        forms("a.json"),
        [
            (json!("json"), null.clone(), json!(15)),
            (json!("json"), null.clone(), json!(13)),
            (json!("tsf"), json!("json"), json!(13)),
            (json!("tsf"), json!("value"), json!(11)),
            (json!("pon"), null.clone(), json!(13)),
            (json!("xml"), null, json!(48)),
        ]
    );
    assert!(lines.iter().all(|line| line["decode_ns"].as_u64().is_some()));
    let all = lines.iter().find(|line| line["file"] == "all messages" && line["as_given"] == true).unwrap();
    assert_eq!((&all["bytes"], &all["messages"]), (&json!(32), &json!(2)));
}

#[test]
fn compare_shows_a_table_of_good_inputs_and_reports_bad_ones() {
    let here = Place::new();
    here.file("a.xml", "<a/>").file("bad.xml", "<a");
    let run = here.run(&["compare", "--time", "0.01", "bad.xml", "a.xml"]);
    assert_eq!(run.status, 1);
    assert!(run.err.starts_with("error: bad.xml: incomplete"), "{}", run.err);
    let text = run.text();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("a.xml: 4 bytes, 1 units"));
    let best: Vec<_> = lines.by_ref().take_while(|line| !line.is_empty()).map(str::trim_start).collect();
    let needs =
        ["smallest  ", "smallest compressed  ", "fastest to read  ", "fastest to write  ", "smallest as text  "];
    assert!(best.iter().zip(needs).all(|(line, need)| line.starts_with(need)), "{best:?}");
    assert!(best.len() == 5 && best[0].starts_with("smallest             tsf "), "{best:?}");
    let first: Vec<_> =
        lines.filter_map(|line| line.split("  ").find(|cell| !cell.is_empty())).map(str::trim).collect();
    let expected = [
        "bytes",
        "xml, original",
        "xml",
        "tsf",
        "infoset-uper",
        "infoset-uper, deflate",
        "infoset-uper, bzip2",
        "infoset-uper, zstd",
        "infoset-aper",
        "infoset-ber",
        "tdxml, aggregated",
        "tdxml, grouped",
    ];
    assert_eq!(first, expected);
}

#[test]
fn a_summary_is_the_sum_of_all_messages() {
    let here = Place::new();
    here.file("in/a.xml", "<a/>").file("in/b.xml", "<b>some more text</b>").file("in/c.json", "[1,2]");
    let run = here.run(&["compare", "--summary", "--time", "0", "in"]).done();
    assert!(run.text().starts_with("all messages: 3 messages, 30 bytes, "), "{}", run.text());
    assert!(run.text().contains("tsf (2 of 3)") && run.text().contains("pon (1 of 3)"));
    let (xml, json) =
        (run.text().find("\n  of 2 in XML\n  smallest  "), run.text().find("\n  of 1 in JSON\n  smallest  "));
    assert!(xml.is_some() && xml < json, "{}", run.text());
    // The sums are those of all messages one by one.
    let sizes = |arguments: &[&str], file: &str| -> Vec<_> {
        let lines = here.run(&[&["compare", "--time", "0", "--json", "in"], arguments].concat()).done().lines();
        lines.iter().filter(|line| line["file"] == file).map(|line| line["zstd_bytes"].clone()).collect()
    };
    let sum = sizes(&["--summary"], "all messages");
    assert!(sum.len() > 12 && sum == sizes(&[], "all messages"), "{sum:?}");
}

#[test]
fn each_need_has_one_best_form() {
    let here = Place::new();
    here.file("a.xml", "<a><b>1</b><b>2</b></a>");
    let lines = here.run(&["compare", "--time", "0", "--json", "a.xml"]).done().lines();
    let forms: Vec<_> = lines.iter().filter(|line| line["as_given"] == false).collect();
    let of = |need: &str| -> Vec<_> {
        let is_best = |line: &&&serde_json::Value| line["best"].as_array().unwrap().contains(&json!(need));
        forms.iter().filter(is_best).collect()
    };
    let [smallest] = of("smallest")[..] else { panic!("{lines:?}") };
    assert!(forms.iter().all(|form| form["bytes"].as_u64() >= smallest["bytes"].as_u64()));
    let [fastest] = of("fastest to read")[..] else { panic!("{lines:?}") };
    assert!(forms.iter().all(|form| form["decode_ns"].as_u64() >= fastest["decode_ns"].as_u64()));
    let [text] = of("smallest as text")[..] else { panic!("{lines:?}") };
    assert!(text["format"] == "xml" || text["format"] == "tdxml");
}

#[test]
fn what_there_is_no_time_for_is_said() {
    let here = Place::new();
    let digits: String = (0..200_000).map(|n: u64| format!("{},", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    here.file("a.json", format!("[{digits}0]")).file("b.json", "1").file("c.json", "2");
    let run = here.run(&["compare", "--within", "0", "a.json", "b.json", "c.json"]);
    assert!(run.err.contains("note: a.json: ") && run.err.contains("sizes not compressed: "), "{}", run.err);
    assert!(run.err.contains("note: 1 of 3 messages were measured; --within gives more time\n"), "{}", run.err);
    assert!(run.text().contains(" –"), "{}", run.text());
    assert!(!run.text().contains("all messages"), "{}", run.text());
    let lines = here.run(&["compare", "--within", "0", "--json", "--quiet", "a.json"]).done().lines();
    assert!(lines.iter().any(|line| line["zstd_bytes"].is_null()), "{lines:?}");
}

#[test]
fn compare_shows_what_is_small_when_compressed() {
    let here = Place::new();
    let orders: String = (0..40).map(|n| format!("<order><number>{n}</number><item>tea</item></order>")).collect();
    here.file("a.xml", format!("<orders>{orders}</orders>"));
    here.run(&["convert", "a.xml", "-t", "tsf", "--compress", "gzip", "-o", "a.tsf.gz"]).done();
    here.run(&["train", "a.xml", "-t", "tsf", "-o", "a.dict", "--quiet"]).done();
    let lines = here.run(&["compare", "--time", "0", "--json", "a.xml"]).done().lines();
    let with = here.run(&["compare", "--time", "0", "--json", "a.xml", "--dictionary", "a.dict"]).done().lines();
    let tsf = |lines: &[serde_json::Value]| lines.iter().find(|line| line["format"] == "tsf").cloned();
    let (alone, with) = (tsf(&lines).unwrap(), tsf(&with).unwrap());
    assert_eq!(alone["gzip_bytes"], here.read("a.tsf.gz").len());
    assert!(alone["zstd_bytes"].as_u64() > with["zstd_bytes"].as_u64() && with["zstd_bytes"].as_u64() < Some(30));
    assert!(lines[0]["gzip_bytes"].as_u64() < lines[0]["bytes"].as_u64());
}

#[test]
fn the_page_is_one_file_of_sound_xml_without_scripts() {
    let here = Place::new();
    here.file("<b>&\".xml", "<a/>");
    let run = here.run(&["compare", "--time", "0.01", "--html", "page.xhtml", "<b>&\".xml", &sample("config.json")]);
    assert_eq!(run.status, 0);
    here.run(&["check", "page.xhtml"]).done();
    let page = here.text("page.xhtml");
    for outside in ["<script", "href=", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    // What is best for each need comes first.
    let lead = here.run(&["get", "page.xhtml", "/html/body/main/section/h2/text()"]).done();
    assert_eq!(lead.text(), "The best format for each need\n");
    for (figure, caption) in [(1, "1 message in XML\n"), (2, "1 message in JSON\n")] {
        let figure = format!("/html/body/main/section/figure[{figure}]");
        assert_eq!(here.run(&["get", "page.xhtml", &format!("{figure}/figcaption/text()")]).done().text(), caption);
        let needs = here.run(&["get", "page.xhtml", &format!("{figure}//li/span[1]/text()"), "--all"]).done();
        let expected = "smallest\nsmallest compressed\nfastest to read\nfastest to write\nsmallest as text\n";
        assert_eq!(needs.text(), expected);
    }
    let heading = here.run(&["get", "page.xhtml", "/html/body/main/section[3]/h2/text()"]).done();
    assert_eq!(heading.text(), "<b>&\".xml\n");
    let chart = here.run(&["get", "page.xhtml", "/html/body/main/section[3]/div/figure/svg"]).done();
    assert!(chart.text().contains("<rect class=\"infoset\" x=\"0\"") && chart.text().contains("width=\"300.0\""));
}

#[test]
fn the_picture_is_one_file_of_sound_xml_without_scripts() {
    let here = Place::new();
    here.file("<b>&.xml", "<a/>");
    let run = here.run(&["compare", "--time", "0.01", "--svg", "p.svg", "<b>&.xml", &sample("config.json")]).done();
    assert_eq!(run.text().lines().next(), Some("<b>&.xml: 4 bytes, 1 units"));
    here.run(&["check", "p.svg"]).done();
    let picture = here.text("p.svg");
    for outside in ["<script", "href=", "src=", "@import", "url("] {
        assert!(!picture.contains(outside), "{outside}");
    }
    for (path, expected) in [
        ("/svg/g/text/text()", "all messages\n"),
        ("/svg/g[2]/title/text()", "<b>&.xml\n"),
        ("/svg/g[2]/g/text/text()", "xml, original\n"),
        ("/svg/g[2]/g/text[2]/text()", "4\n"),
    ] {
        assert_eq!(here.run(&["get", "p.svg", path]).done().text(), expected, "{path}");
    }
    assert_eq!(here.names(), ["<b>&.xml", "p.svg"]);
}

//! The pages that the command writes: one file each, which runs nothing that a message says.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use serde_json::{Value, json};

use crate::program::{Place, sample};

const HOSTILE: &str = r#"</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"'`${alert(3)}"#;

/// The data of a page of `inspect`, after a look at everything around it.
fn data(page: &str) -> Value {
    let (before, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (data, after) = rest.split_once("</script>").unwrap();
    sound(&format!("{before}{after}"));
    assert!(!data.contains('<'));
    serde_json::from_str(data).unwrap()
}

/// Holds that a page asks nothing of a network, and that its policy allows no script beside its own.
fn sound(page: &str) {
    assert!(page.contains("content=\"default-src 'none'; "), "{page}");
    // A namespace is only a name.
    let page = page.replace(" xmlns=\"http://www.w3.org/1999/xhtml\"", "");
    for outside in ["http:", "https:", " src=", "href=\"h", "@import", "url(", "'unsafe-inline'", " style=\"", "<base"]
    {
        assert!(!page.contains(outside), "{outside}");
    }
    let handlers = page.match_indices(" on").filter(|(at, _)| {
        let name = page[at + 3..].trim_start_matches(|c: char| c.is_ascii_lowercase());
        name.starts_with("=\"") || name.starts_with("='")
    });
    assert_eq!(handlers.count(), 0);
}

#[test]
fn a_message_and_its_schema_are_one_page() {
    let here = Place::new();
    let module = sample("weather.asn1");
    here.run(&["convert", &sample("weather.json"), "-s", &module, "-o", "w.uper"]).done();
    let run = here.run(&["inspect", "w.uper", "-s", &module, "--html", "w.html"]).done();
    assert!(run.out.is_empty());
    let page = here.text("w.html");
    let data = data(&page);
    assert_eq!((&data["title"], &data["format"], &data["length"]), (&json!("w.uper"), &json!("uper"), &json!(222)));
    assert_eq!(data["schemas"][0]["text"], String::from_utf8(std::fs::read(&module).unwrap()).unwrap());
    let hex: String = here.read("w.uper").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(data["hex"], hex);
    let rows = data["rows"].as_array().unwrap();
    assert_eq!(rows.len(), data["count"].as_u64().unwrap() as usize);
    // Depth, first bit, bits, type, name, step of the path, value: after two bits of the outermost record and one of the
    // station come the 17 bits of its id.
    let text = |at: &Value| data["strings"][at.as_u64().unwrap() as usize].as_str().unwrap().to_owned();
    let id = rows.iter().find(|row| text(&row[4]) == "id").unwrap();
    assert_eq!(
        (&id[0], &id[1], &id[2], &id[5], &id[6]),
        (&json!(2), &json!(3), &json!(17), &json!(1), &json!("10091"))
    );
    assert_eq!(text(&id[3]), "INTEGER");
    // The same page on standard output.
    assert_eq!(here.run(&["inspect", "w.uper", "-s", &module, "--html", "-"]).done().text(), page);
}

#[test]
fn no_message_puts_markup_into_a_page() {
    let here = Place::new();
    let message = json!({ HOSTILE: HOSTILE, "a": [HOSTILE] }).to_string();
    let name = "<img src=x onerror=alert(1)>.json";
    here.file(name, &message).file("m.asn1", format!("M DEFINITIONS ::= BEGIN T ::= NULL /* {HOSTILE} */ END"));
    here.run(&["inspect", name, "--html", "p.html"]).done();
    let seen = data(&here.text("p.html"));
    assert_eq!(seen["title"], name);
    assert!(seen["strings"].as_array().unwrap().iter().any(|text| text == HOSTILE));
    here.file("null.uper", "");
    here.run(&["inspect", "null.uper", "-s", "m.asn1", "--html", "p.html"]);
    assert!(data(&here.text("p.html"))["schemas"][0]["text"].as_str().unwrap().contains(HOSTILE));
}

#[test]
fn a_page_shows_what_is_before_an_error_in_a_message() {
    let here = Place::new();
    let module = sample("weather.asn1");
    here.run(&["convert", &sample("weather.json"), "-s", &module, "-o", "w.uper"]).done();
    here.file("cut.uper", &here.read("w.uper")[..60]);
    let run = here.run(&["inspect", "cut.uper", "-s", &module, "--html", "cut.html"]);
    assert!(run.status == 1 && run.err.starts_with("error: cut.uper: incomplete at byte"), "{}", run.err);
    let cut = data(&here.text("cut.html"));
    assert!(cut["rows"].as_array().unwrap().len() > 10);
    assert!(cut["error"]["message"].as_str().unwrap().starts_with("incomplete at byte"));

    let run = here.run(&["inspect", &sample("broken.xml"), "--html", "broken.html"]);
    assert_eq!((run.status, &data(&here.text("broken.html"))["error"]["offset"]), (1, &json!(84)));
}

#[test]
fn a_page_has_one_message() {
    let here = Place::new();
    here.file("two.jsonl", "{\"a\":1}\n{\"a\":2}\n").file("one.jsonl", "{\"a\":1}\n");
    let run = here.run(&["inspect", "two.jsonl", "--html", "p.html"]);
    assert!(run.status == 2 && run.err.contains("several messages"), "{}", run.err);
    // Nor of a first one that is followed by something else.
    here.file("cut.jsonl", "{\"a\":1}\n}\n");
    let run = here.run(&["inspect", "cut.jsonl", "--html", "p.html"]);
    assert!(run.status == 2 && run.err.contains("several messages"), "{}", run.err);
    assert_eq!(here.names(), ["cut.jsonl", "one.jsonl", "two.jsonl"]);
    // What is wrong with the first is said all the same.
    for second in ["}", "{\"a\":2}"] {
        here.file("cut.jsonl", format!("{{\"a\":tru}}\n{second}\n"));
        let run = here.run(&["inspect", "cut.jsonl", "--html", "p.html"]);
        assert!(run.status == 2 && run.err.contains("message 1 (byte 0): syntax at byte 5"), "{}", run.err);
    }
    here.run(&["inspect", "one.jsonl", "--html", "p.html"]).done();
    let run = here.run_with(&["inspect", "-", "-f", "ber", "--hex", "--html", "p.html"], b"30 03 02 01 05\n");
    assert_eq!((run.status, &data(&here.text("p.html"))["hex"]), (0, &json!("3003020105")));
    for (arguments, status) in [
        (&["inspect", "one.jsonl", "--html", "p.html", "--json"][..], 2),
        (&["inspect", "p.uper", "--html", "p.html", "--by-type"], 2),
        (&["inspect", "one.jsonl", "--html", "one.jsonl"], 2),
        (&["inspect", "one.jsonl", "--html", "none/p.html"], 3),
    ] {
        assert_eq!(here.run(arguments).status, status, "{arguments:?}");
    }
}

#[test]
fn a_long_message_is_cut_with_a_note() {
    let here = Place::new();
    here.file("long.json", format!("[{}1]", "1,".repeat(200_003)));
    let run = here.run(&["inspect", "long.json", "--html", "p.html"]);
    assert_eq!((run.status, &run.err[..]), (0, "note: long.json: the page leaves out 5 rows and 0 bytes\n"));
    let data = data(&here.text("p.html"));
    assert_eq!((data["rows"].as_array().unwrap().len(), &data["rowsLeftOut"]), (200_000, &json!(5)));
    // What is left out is counted all the same.
    assert_eq!((&data["count"], &data["sizes"][1]["rows"]), (&json!(200_005), &json!(200_004)));
}

/// A page of `schema` is XML as well, so its parts can be read.
fn part(here: &Place, page: &str, path: &str) -> String {
    here.run(&["get", page, "-f", "xml", path]).done().text().trim_end().to_owned()
}

#[test]
fn types_are_a_tree_with_links() {
    let here = Place::new();
    let module = "Shop DEFINITIONS ::= BEGIN IMPORTS Price FROM Money;
        Order ::= [APPLICATION 3] SEQUENCE {
            items SEQUENCE (SIZE (1..9)) OF SEQUENCE { price Price, note UTF8String (SIZE (0..40)) OPTIONAL },
            express BOOLEAN DEFAULT FALSE, ..., other Money.Price } END";
    here.file("shop.asn1", module).file("money.asn1", "Money DEFINITIONS ::= BEGIN Price ::= INTEGER (0..MAX) END");
    let run = here.run(&["schema", "shop.asn1", "money.asn1", "--html", "s.html"]).done();
    assert!(run.out.is_empty());
    let page = here.text("s.html");
    sound(&page);
    assert!(!page.contains("<script"));
    let part = |path: &str| part(&here, "s.html", &format!("/html/body/main/section{path}"));
    assert_eq!(part("/details/summary/code/text()"), "[APPLICATION 3] SEQUENCE");
    assert_eq!(part("/details/summary/span/text()"), "type of messages");
    let items = "/details/ul/li/details";
    assert_eq!(part(&format!("{items}/summary/code/text()")), "SEQUENCE (SIZE (1..9)) OF SEQUENCE");
    assert_eq!(part(&format!("{items}/ul/li[2]/code/text()")), "UTF8String (SIZE (0..40))");
    assert_eq!(part(&format!("{items}/ul/li[2]/span/text()")), "optional");
    assert_eq!(part("/details/ul/li[2]/code[2]/text()"), "FALSE");
    assert_eq!(part("/details/ul/li[3]/span/text()"), "extensions");
    // Names lead to types, also of other modules, and types to what uses them.
    assert_eq!(part("[2]/div/@id"), "t1");
    for link in [format!("{items}/ul/li/code/a/@href"), "/details/ul/li[4]/code/a/@href".to_owned()] {
        assert_eq!(part(&link), "#t1");
    }
    assert_eq!(part("[2]/div/p/a/text()"), "Order");
    assert_eq!(here.run(&["schema", "shop.asn1", "money.asn1", "--html", "-"]).done().text(), page);
}

#[test]
fn schemas_of_xml_and_services_are_pages_too() {
    let here = Place::new();
    here.run(&["schema", &sample("order.xsd"), "--html", "x.html"]).done();
    assert_eq!(part(&here, "x.html", "/html/body/main/section[2]/h2/text()"), "Example-order");
    assert_eq!(here.run(&["schema", &sample("search.wsdl"), "--html", "w.html"]).status, 0);
    assert_eq!(part(&here, "w.html", "/html/body/main/section/h2/text()"), "Operations");
    assert!(
        part(&here, "w.html", "/html/body/main/section/div/pre/text()")
            .contains("doGoogleSearch: urn:GoogleSearchAction")
    );
    assert!(here.text("w.html").contains("<strong>ENTITIES</strong>"));
    for page in ["x.html", "w.html"] {
        sound(&here.text(page).replace("http://", ""));
    }
}

#[test]
fn no_schema_puts_markup_into_a_page() {
    let here = Place::new();
    let hostile = HOSTILE.replace('"', "\"\"") + "\u{202E}";
    let module = format!("M DEFINITIONS ::= BEGIN T ::= UTF8String (\"{hostile}\" | \"T\") U ::= T END");
    here.file("<img src=x>.asn1", module);
    here.run(&["schema", "<img src=x>.asn1", "--html", "s.html"]).done();
    let page = here.text("s.html");
    sound(&page.replace(" src=x", ""));
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<!--"));
    assert!(page.contains('\u{FFFD}') && !page.contains('\u{202E}'));
    assert_eq!(part(&here, "s.html", "/html/body/main/header/h1/text()"), "Schema <img src=x>.asn1");
    let code = part(&here, "s.html", "/html/body/main/section/div/code");
    assert!(code.contains("alert(1)") && !code.contains("<a "), "{code}");
}

#[test]
fn a_page_of_types_is_instead_of_other_output() {
    let here = Place::new();
    here.file("m.asn1", "M DEFINITIONS ::= BEGIN T ::= NULL END").file("a.xml", "<a>1</a>");
    here.run(&["convert", "a.xml", "-o", "a.tdxml"]).done();
    for name in ["order.xsd", "goods.xsd"] {
        here.file(name, std::fs::read(sample(name)).unwrap());
    }
    for arguments in [
        &["schema", "m.asn1", "--html", "p.html", "--json"][..],
        &["schema", "m.asn1", "--html", "p.html", "-o", "n.asn1"],
        &["schema", "m.asn1", "--html", "m.asn1"],
        &["schema", "a.tdxml", "--html", "p.html"],
        // The first includes the second.
        &["schema", "order.xsd", "--html", "goods.xsd"],
        &["check", "a.xml", "--html", "p.html"],
    ] {
        assert_eq!(here.run(arguments).status, 2, "{arguments:?}");
    }
    assert_eq!(here.names(), ["a.tdxml", "a.xml", "goods.xsd", "m.asn1", "order.xsd"]);
    assert_eq!(here.read("goods.xsd"), std::fs::read(sample("goods.xsd")).unwrap());
}

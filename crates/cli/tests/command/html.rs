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
    assert_eq!(here.names(), ["one.jsonl", "two.jsonl"]);
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

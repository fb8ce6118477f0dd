//! Compressed messages, and dictionaries for them.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::program::Place;

/// `{"a":1}` in a frame of zstd, by hand (RFC 8878 sections 3.1.1.1 and 3.1.1.2): one segment, one raw block.
const FRAME: &[u8] = b"\x28\xB5\x2F\xFD\x20\x07\x39\0\0{\"a\":1}";

fn order(number: usize) -> String {
    format!(
        "{{\"order\":{number},\"customer\":\"Boss & Daughters\",\"lines\":[{{\"item\":\"tea\",\"count\":{}}}]}}\n",
        number % 7
    )
}

/// Thirty orders, each in a file, and all of them in one.
fn place() -> Place {
    let here = Place::new();
    let orders: Vec<String> = (1000..1030).map(order).collect();
    for (n, order) in orders.iter().enumerate() {
        here.file(&format!("orders/{n}.json"), order);
    }
    here.file("orders.jsonl", orders.concat()).file("new.json", order(4711));
    here
}

/// A frame may ask for more memory than every reader has (RFC 8878 section 3.1.1.1.2).
#[test]
fn a_large_window_is_a_limit_that_can_be_raised() {
    let here = Place::new();
    // Magic number, a window of 2^27 bytes, and a raw block with `{"a":1}`, the last.
    here.file("a.json.zst", [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x88, 0x39, 0, 0][..], b"{\"a\":1}"].concat());
    let run = here.run(&["get", "a.json.zst", "/a"]);
    assert!(run.status == 1 && run.err.contains("expected at most 8388608 (limit window)"), "{}", run.err);
    assert_eq!(here.run(&["get", "a.json.zst", "/a", "--limit", "window=128M"]).done().text(), "1\n");
    assert_eq!(here.run(&["get", "a.json.zst", "/a", "--limit", "none"]).done().text(), "1\n");
    // A schema is not decompressed.
    let run = here.run(&["check", "a.json.zst", "-s", "a.json.zst", "--limit", "none"]);
    assert!(run.err.contains("found a file that is compressed by zstd, expected a schema that is not"), "{}", run.err);
}

#[test]
fn inputs_are_decompressed() {
    let here = Place::new();
    here.file("a.json.zst", FRAME).file("a.bin", FRAME).file("two.jsonl.zst", [FRAME, FRAME].concat());
    assert_eq!(here.run(&["get", "a.json.zst", "/a"]).done().text(), "1\n");
    assert_eq!(here.run(&["get", "a.bin", "/a"]).done().text(), "1\n");
    assert_eq!(here.run_with(&["convert", "-", "-t", "tsf"], FRAME).done().out, b"1{1a'1");
    assert_eq!(
        here.run_with(&["get", "-", "/a", "--framing", "json"], &[FRAME, FRAME].concat()).done().text(),
        "1\n1\n"
    );
    here.run(&["check", "a.json.zst"]).done();
    // Two messages that do not end with a line are one line.
    assert_eq!(here.run(&["check", "two.jsonl.zst"]).status, 1);
    // The frame is cut, or continues wrongly.
    here.file("cut.json.zst", &FRAME[..12]).file("bad.json.zst", [FRAME, b"more"].concat());
    let (cut, bad) = (here.run(&["check", "cut.json.zst"]), here.run(&["check", "bad.json.zst"]));
    assert!(cut.status == 1 && cut.err.starts_with("error: cut.json.zst: incomplete at byte 12: "), "{}", cut.err);
    assert!(bad.status == 1 && bad.err.starts_with("error: bad.json.zst: syntax at byte 16: "), "{}", bad.err);
}

#[test]
fn outputs_are_compressed_as_the_option_or_the_extension_says() {
    let here = place();
    for arguments in [
        &["convert", "new.json", "-o", "new.pon.gz"][..],
        &["convert", "new.json", "-t", "pon", "--compress", "deflate:1", "-o", "new.pon.gz"],
    ] {
        here.run(arguments).done();
        let mut plain = Vec::new();
        MultiGzDecoder::new(&here.read("new.pon.gz")[..]).read_to_end(&mut plain).unwrap();
        let expected = here.run(&["convert", "new.json", "-t", "pon", "-o", "-"]).done();
        assert_eq!(plain, expected.out);
        assert_eq!(here.run(&["convert", "new.pon.gz", "-t", "json"]).done().text(), order(4711));
    }
    // Messages one after the other, each in a frame of its own; and each in a file.
    here.run(&["convert", "orders.jsonl", "-o", "orders.tsf.zst"]).done();
    let numbers = here.run(&["get", "orders.tsf.zst", "/order", "--framing", "tsf"]).done();
    assert_eq!(numbers.text().lines().count(), 30);
    here.run(&["convert", "orders.jsonl", "-t", "json", "--compress", "gzip", "--to-framing", "u32be", "-o", "o.bin"])
        .done();
    let again = here.run(&["convert", "o.bin", "-f", "json", "--framing", "u32be", "-t", "json"]).done();
    assert_eq!(again.text().as_bytes(), here.read("orders.jsonl"));
    here.run(&["convert", "orders.jsonl", "--each", "-t", "tsf", "--compress", "zstd", "-o", "each"]).done();
    assert_eq!(here.run(&["get", "each/orders-000030.tsf.zst", "/order"]).done().text(), "1029\n");
    here.run(&["convert", "each", "-t", "json", "-o", "back"]).done();
    assert_eq!(here.read("back/orders-000001.json"), order(1000).as_bytes());
    assert_eq!(here.run(&["convert", "new.json", "-t", "pon", "--compress", "zstd:20"]).status, 2);
}

#[test]
fn small_messages_are_compressed_by_a_dictionary() {
    let here = place();
    let note = here.run(&["train", "orders", "-t", "pon", "-o", "orders.dict"]).err;
    assert!(note.contains("of 30 messages") && note.contains("with a dictionary of the others"), "{note}");
    let size = |arguments: &[&str]| {
        here.run(&[&["convert", "new.json", "-o", "new.pon.zst"], arguments].concat()).done();
        here.read("new.pon.zst").len()
    };
    let (without, with) = (size(&[]), size(&["--dictionary", "orders.dict"]));
    assert!(2 * with < without, "{with} and {without} bytes");
    let back = here.run(&["convert", "new.pon.zst", "-t", "json", "--dictionary", "orders.dict"]).done();
    assert_eq!(back.text(), order(4711));
    // Another dictionary, none, one for nothing, one that is none.
    here.run(&["train", "orders.jsonl", "-t", "tsf", "--size", "1K", "-o", "other.dict", "--quiet"]).done();
    let other = here.run(&["check", "new.pon.zst", "--dictionary", "other.dict"]);
    assert!(other.err.contains("which was given"), "{}", other.err);
    let none = here.run(&["check", "new.pon.zst"]);
    assert!(none.err.contains("none was given") && none.err.contains("--dictionary"), "{}", none.err);
    let unused = here.run(&["check", "new.json", "--dictionary", "orders.dict"]);
    assert_eq!((unused.status, unused.err.as_str()), (0, "note: --dictionary had no effect: nothing was compressed\n"));
    assert_eq!(here.run(&["check", "new.json", "--dictionary", "new.json"]).status, 1);
    assert_eq!(here.run(&["convert", "new.json", "-o", "x.pon.gz", "--dictionary", "orders.dict"]).status, 2);
    assert_eq!(here.run(&["schema", "m.asn1", "--dictionary", "orders.dict"]).status, 2);
}

#[test]
fn a_dictionary_needs_samples() {
    let here = place();
    assert_eq!(here.run(&["train", "orders", "-o", "-"]).status, 2);
    assert_eq!(here.run_with(&["train", "-", "-f", "json", "-o", "x.dict"], b"{}").status, 1);
    assert_eq!(here.run(&["train", "orders", "--size", "1000", "-o", "x.dict"]).status, 2);
    let line = &here.run(&["train", "orders", "--json", "-o", "x.dict"]).done().lines()[0];
    assert_eq!((&line["messages"], &line["output"]), (&30.into(), &"x.dict".into()));
    assert!(line["dictionary_bytes"].as_u64() < line["zstd_bytes"].as_u64());
    assert_eq!(line["output_bytes"].as_u64(), Some(here.read("x.dict").len() as u64));
    assert_eq!(line["measured"], 30);
    // Of many, one tenth is measured.
    here.file("many.jsonl", (0..2_000).map(|n| format!("{}\n", order(n))).collect::<String>());
    let line = &here.run(&["train", "many.jsonl", "--size", "1K", "--json", "-o", "x.dict"]).done().lines()[0];
    assert_eq!((&line["messages"], &line["measured"]), (&2_000.into(), &200.into()));
    let run = here.run(&["train", "many.jsonl", "--size", "1K", "-o", "x.dict"]);
    assert!(run.err.contains("; zstd makes 200 of them "), "{}", run.err);
}

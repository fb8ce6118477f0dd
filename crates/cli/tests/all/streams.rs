//! Long streams of messages: verbs work on them in blocks, by several threads.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Child, Stdio};

use crate::program::Place;

/// Enough for many blocks.
const COUNT: usize = 60_000;

/// Lines of JSON, what becomes of them in PON by its rules, and the errors: every line whose number is a multiple of `bad` is
/// not JSON.
fn lines(bad: usize) -> (String, String, Vec<String>) {
    let (mut json, mut pon, mut errors) = (String::new(), String::new(), Vec::new());
    for number in 1..=COUNT {
        if number % bad == 0 {
            errors.push(format!("message {number} (byte {}): syntax at byte 5 (line 1, column 6)", json.len()));
            json.push_str("{\"n\":}\n");
            continue;
        }
        let padding = "é".repeat(number % 7);
        let digits = number.to_string();
        let inside = format!("n:{}i{digits}s:{}s{padding}", digits.len(), padding.len());
        writeln!(json, "{{\"n\": {number}, \"s\": \"{padding}\"}}").unwrap();
        write!(pon, "{}{{{inside}", inside.len()).unwrap();
    }
    (json, pon, errors)
}

#[test]
fn messages_and_errors_keep_their_order_whatever_the_number_of_threads() {
    let here = Place::new();
    let (json, pon, errors) = lines(5_000);
    here.file("x.jsonl", &json);
    for threads in ["1", "2", "9"] {
        let convert = ["convert", "x.jsonl", "-o", "x.pon", "--threads", threads, "-q", "--all-errors", "--json"];
        let run = here.run(&convert);
        assert_eq!((run.status, run.lines()[0]["messages"].as_u64()), (1, Some((COUNT - errors.len()) as u64)));
        assert!(here.text("x.pon") == pon, "{threads}");
        let reported: Vec<&str> = run.err.lines().collect();
        assert_eq!(reported.len(), errors.len());
        for (reported, error) in reported.iter().zip(&errors) {
            assert!(reported.starts_with(&format!("error: x.jsonl, {error}")), "{reported}, but not {error}");
        }
    }
    let run = here.run_with(&["convert", "-", "--framing", "lines", "-t", "pon"], json.as_bytes());
    assert!(run.text() == pon && run.err.ends_with("note: standard input: 2 more failed; --all-errors reports all\n"));
    // Back, where a message has no line of its own.
    let run = here.run_with(&["convert", "-", "--framing", "pon", "-t", "json"], pon.as_bytes());
    let compact = json.lines().filter(|line| !line.ends_with(":}")).map(|line| line.replace(' ', "") + "\n");
    assert!(run.done().text() == compact.collect::<String>());
}

#[test]
fn values_and_reports_keep_the_order_of_the_messages() {
    let here = Place::new();
    let (json, _, errors) = lines(5_000);
    here.file("x.jsonl", &json);
    let is_bad = |number: usize| number.is_multiple_of(5_000);
    let numbers: String = (1..=COUNT).filter(|number| !is_bad(*number)).map(|number| format!("{number}\n")).collect();
    let one_each = "1\n".repeat(COUNT - errors.len());
    let first_of_two = ["get", "x.jsonl", "//*[.>0]"];
    for (arguments, expected) in [
        (&["get", "x.jsonl", "/n"][..], &numbers),
        (&["get", "x.jsonl", "//n", "--all"], &numbers),
        (&["get", "x.jsonl", "//n", "--count"], &one_each),
        (&first_of_two, &numbers),
        (&["check", "x.jsonl"], &String::new()),
    ] {
        let run = here.run(&[arguments, &["-q", "--all-errors"]].concat());
        assert!(run.status == 1 && run.text() == *expected, "{arguments:?}");
        let reported: Vec<&str> = run.err.lines().collect();
        assert_eq!(reported.len(), errors.len(), "{arguments:?}");
        for (reported, error) in reported.iter().zip(&errors) {
            assert!(reported.starts_with(&format!("error: x.jsonl, {error}")), "{reported}, but not {error}");
        }
    }
    for threads in ["1", "9"] {
        let run = here.run(&["check", "x.jsonl", "--json", "-q", "--threads", threads]);
        let lines = run.lines();
        assert_eq!((run.status, lines.len()), (1, COUNT));
        for (number, line) in (1..).zip(lines) {
            let (is_number, is_ok) = (line["message"].as_u64(), line["ok"].as_bool());
            assert_eq!((is_number, is_ok), (Some(number), Some(!is_bad(number as usize))));
        }
    }
}

/// Notes and errors come in the order of the messages that cause them.
#[test]
fn notes_of_get_come_between_the_errors_around_them() {
    let here = Place::new();
    here.file("x.jsonl", "{\"a\":[1,2]}\n{\"a\":}\n{\"a\":[3,4,5]}\n[\n");
    let run = here.run(&["get", "x.jsonl", "/a/*"]);
    assert_eq!((run.status, run.text()), (1, "1\n3\n"));
    let starts = [
        "note: x.jsonl, message 1",
        "error: x.jsonl, message 2",
        "note: x.jsonl, message 3",
        "error: x.jsonl, message 4",
    ];
    let heads: Vec<&str> =
        run.err.lines().filter(|line| line.starts_with("note") || line.starts_with("error")).collect();
    assert_eq!(heads.len(), starts.len(), "{}", run.err);
    for (head, start) in heads.iter().zip(starts) {
        assert!(head.starts_with(start), "{head}, but not {start}");
    }
}

#[test]
fn each_message_of_several_blocks_has_a_file_with_its_number() {
    let here = Place::new();
    let padding = "x".repeat(20_000);
    let line = |number: usize| if number == 20 { "[\n".to_owned() } else { format!("[{number},\"{padding}\"]\n") };
    here.file("x.jsonl", (1..=60).map(line).collect::<String>());
    let run = here.run(&["convert", "x.jsonl", "-o", "each", "-t", "pon", "--each", "--threads", "2"]);
    assert_eq!((run.status, here.names().len()), (1, 2 + 59));
    for number in [1, 19, 21, 60] {
        let inside = format!("{}i{number}20000s{padding}", number.to_string().len());
        assert!(here.text(&format!("each/x-{number:06}.pon")) == format!("{}[{inside}", inside.len()));
    }
}

#[test]
fn a_message_may_be_longer_than_a_block() {
    let here = Place::new();
    let long = "x".repeat(20 << 20);
    here.file("x.jsonl", format!("[1]\n\"{long}\"\n[2]\n\"{long}\"\n[3]"));
    here.run(&["convert", "x.jsonl", "-o", "x.pon"]).done();
    let text = format!("{}s{long}", long.len());
    assert!(here.text("x.pon") == format!("3[1i1{text}3[1i2{text}3[1i3"));
}

/// What is written before an error that ends the run is all that comes before it.
#[test]
fn an_error_that_ends_the_run_comes_after_the_messages_before_it() {
    let here = Place::new();
    here.file("x.txt", format!("{}<a/>\n{}", "{\"a\":\"AAAA\"}\n".repeat(30_000), "{\"a\":1}\n".repeat(30_000)));
    let run = here.run(&["convert", "x.txt", "--framing", "lines", "-t", "pon", "--binary-from-base64=a"]);
    let words = "error: --binary-from-base64 is for writing JSON values as PON or TSF, but this converts xml to pon\n";
    assert_eq!((run.status, run.err.as_str()), (2, words));
    assert!(run.out == b"7{a:3y\0\0\0".repeat(30_000));
}

fn spawned(here: &Place, arguments: &[&str]) -> Child {
    here.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_message_is_written_before_the_next_one_arrives() {
    let here = Place::new();
    let convert = ["convert", "-", "--framing", "lines", "-t", "pon"];
    let get = ["get", "-", "/0", "--framing", "lines"];
    for (arguments, before, after) in [(&convert[..], "3[1i", ""), (&get[..], "", "\n")] {
        let mut child = spawned(&here, arguments);
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        for number in 1..4 {
            writeln!(stdin, "[{number}]").unwrap();
            let expected = format!("{before}{number}{after}");
            let mut message = vec![0; expected.len()];
            stdout.read_exact(&mut message).unwrap();
            assert_eq!(message, expected.as_bytes());
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_closed_output_ends_the_run_although_more_input_may_come() {
    let here = Place::new();
    let mut child = spawned(&here, &["convert", "-", "--framing", "lines", "-t", "pon"]);
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    stdin.write_all(b"[1]\n").unwrap();
    assert!(child.wait().unwrap().success());
    drop(stdin);
}

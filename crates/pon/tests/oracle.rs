//! PON against an independent reader and writer, in another language and written from the page on
//! the format alone: the same values, the same bytes, the same messages refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use pon::Options;
use support::generate::{Random, spoiled, tree as made_up};
use support::{Data, Unit, build, tree};
use tam::{Limits, Table, TypeSet};
use test_support::rounds;

const DOCUMENTS: usize = 10_000;
const SPOILED: usize = 5_000;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// What a message says, in the oracle's words.
fn described(units: &[Unit]) -> String {
    let one = |unit: &Unit| {
        let key = unit.key.as_ref().map_or("-".to_owned(), |key| format!("k{}", hex(key.as_bytes())));
        let value = match &unit.data {
            Data::Null => "n".to_owned(),
            Data::Boolean(value) => if *value { "T" } else { "F" }.to_owned(),
            Data::Integer(text) => format!("i{}", hex(text.as_bytes())),
            Data::Float(text) => format!("d{}", hex(text.as_bytes())),
            Data::String(text) => format!("s{}", hex(text.as_bytes())),
            Data::Binary(octets) => format!("y{}", hex(octets)),
            Data::Char(c) => format!("c{}", hex(c.to_string().as_bytes())),
            Data::Byte(byte) => format!("b{byte:02x}"),
            Data::Array(count) => format!("a{count}"),
            Data::Object(count) => format!("o{count}"),
        };
        format!("{key}={value}")
    };
    units.iter().map(one).collect::<Vec<_>>().join(",")
}

/// The oracle's answers, one a question; `None`, with a word, where there is no Python to ask.
fn asked(questions: &[String]) -> Option<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/pon.py");
    let python = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut python) = python else {
        test_support::skipped("there is no python3");
        return None;
    };
    let mut input = python.stdin.take().unwrap();
    let lines = questions.iter().fold(String::new(), |lines, question| lines + question + "\n");
    // Beside the reading of answers, so that neither pipe fills up.
    let asking = thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    asking.join().unwrap();
    assert!(output.status.success());
    let answers: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), questions.len());
    Some(answers)
}

/// A document made by hand, as a message.
fn written(units: &[Unit]) -> Vec<u8> {
    let mut table = Table::new();
    build(units, &mut table);
    pon::write(&table.document(b"", TypeSet::VALUE)).unwrap()
}

/// What we read in a message, in the oracle's words.
fn ours(message: &[u8]) -> String {
    let mut table = Table::new();
    match pon::read(message, &Options::default().with_limits(Limits::NONE), &mut table) {
        Ok(document) => described(&tree(&document)),
        Err(_) => "bad".to_owned(),
    }
}

#[test]
fn ten_thousand_documents_are_read_and_written_as_an_independent_reader_and_writer_do() {
    let mut random = Random::new(7);
    let documents: Vec<Vec<Unit>> = (0..rounds(DOCUMENTS)).map(|_| made_up(&mut random, 80)).collect();
    let messages: Vec<Vec<u8>> = documents.iter().map(|units| written(units)).collect();
    let questions: Vec<String> = documents
        .iter()
        .zip(&messages)
        .flat_map(|(units, message)| [format!("read {}", hex(message)), format!("write {}", described(units))])
        .collect();
    let Some(answers) = asked(&questions) else { return };
    for ((units, message), answers) in documents.iter().zip(&messages).zip(answers.chunks(2)) {
        let shown = message.escape_ascii();
        assert_eq!(answers[0], described(units), "what we wrote: {shown}");
        let theirs: Vec<u8> =
            (0..answers[1].len() / 2).map(|at| u8::from_str_radix(&answers[1][2 * at..][..2], 16).unwrap()).collect();
        assert_eq!(ours(&theirs), described(units), "what they wrote: {}", theirs.escape_ascii());
        // A document has one message alone.
        assert_eq!(theirs.escape_ascii().to_string(), shown.to_string());
    }
    let units: usize = documents.iter().map(Vec::len).sum();
    assert!(units > 8 * rounds(DOCUMENTS), "{units} values: documents that try little");
}

#[test]
fn spoiled_messages_are_taken_or_refused_alike() {
    let mut random = Random::new(8);
    let mut messages: Vec<Vec<u8>> = Vec::new();
    let all = rounds(SPOILED);
    for _ in 0..all {
        let units = made_up(&mut random, 25);
        let other = messages.last().cloned().unwrap_or_default();
        messages.push(spoiled(&mut random, &units, &written(&units), &other));
    }
    let questions: Vec<String> = messages.iter().map(|message| format!("read {}", hex(message))).collect();
    let Some(answers) = asked(&questions) else { return };
    let mut bad = 0;
    for (message, answer) in messages.iter().zip(&answers) {
        assert_eq!(&ours(message), answer, "{}", message.escape_ascii());
        bad += usize::from(answer == "bad");
    }
    println!("{all} spoiled messages, {bad} of them refused by both");
    assert!((all / 2..all * 9 / 10).contains(&bad), "{bad} refused: messages that try little");
}

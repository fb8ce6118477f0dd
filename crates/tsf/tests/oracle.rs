//! TSF against an independent reader and writer, in another language and written from the grammar
//! alone: the same tree, the same bytes, the same messages refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tsf as tsf;

mod support;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use support::generate::{self, Random, mutate};
use support::{Content, Set, Unit, tree, twin};
use tam::{ErrorKind, Limits, Table};
use test_support::rounds;
use tsf::{Lengths, Options};

struct Message {
    bytes: Vec<u8>,
    set: Set,
    lengths: Lengths,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Messages of all type sets and both kinds of length: in the writer's own form, in any form the
/// grammar allows, and spoiled.
fn messages() -> Vec<Message> {
    let mut random = Random::new(7);
    let mut messages: Vec<Message> = Vec::new();
    while messages.len() < rounds(10_000) {
        let set = generate::set(&mut random);
        let lengths = if random.one_in(2) { Lengths::Bytes } else { Lengths::Chars };
        let units = generate::tree(&mut random, &set, 20, lengths == Lengths::Chars);
        let bytes = match messages.len() % 3 {
            0 => twin::write(&units, &set, lengths),
            _ => generate::sloppy(&mut random, &units, &set, lengths),
        };
        let Some(mut bytes) = bytes else { continue };
        if messages.len() % 3 == 2 {
            let other = messages[random.below(messages.len())].bytes.clone();
            mutate(&mut random, &mut bytes, &other, &set);
        }
        messages.push(Message { bytes, set, lengths });
    }
    messages
}

/// The oracle's answers, one a message; `None` where there is no Python to ask.
fn asked(messages: &[Message]) -> Option<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/tsf.py");
    let mut python = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut questions = String::new();
    for message in messages {
        let lengths = if message.lengths == Lengths::Chars { "chars" } else { "bytes" };
        let (structured, primitive) = (hex(&message.set.structured), hex(&message.set.primitive));
        writeln!(questions, "{structured} {primitive} {lengths} {}", hex(&message.bytes)).unwrap();
    }
    let mut input = python.stdin.take().unwrap();
    // Beside the reading of answers, so that neither pipe fills up.
    let asking = thread::spawn(move || input.write_all(questions.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    asking.join().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

fn shown(unit: &Unit<'_>) -> String {
    let name = unit.name.as_ref().map_or("-".to_owned(), |name| format!("n{}", hex(name)));
    let content = match &unit.content {
        Content::Units(count) => format!("u{count}"),
        Content::Data(data) => format!("d{}", hex(data)),
    };
    format!("{:02x}:{name}:{content}", unit.kind)
}

/// What the oracle should answer, if both are right.
fn is_marked(message: &[u8], document: &tam::Document<'_>) -> bool {
    document.types().vocabulary() == tam::Vocabulary::Value && tsf::is_marked(message)
}

fn ours(message: &Message) -> String {
    let options = Options::new(&message.set.types).with_limits(Limits::NONE);
    let mut table = Table::new();
    let Ok(document) = tsf::read(&message.bytes, &options.with_lengths(message.lengths), &mut table) else {
        return "bad".to_owned();
    };
    let units: Vec<String> = tree(&document).iter().map(shown).collect();
    let [in_bytes, in_chars] = [Lengths::Bytes, Lengths::Chars].map(|lengths| {
        tsf::write(&document, &options.with_lengths(lengths)).map_or_else(
            |error| {
                assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
                "-".to_owned()
            },
            // The mark of the type set is none of the paper's.
            |written| hex(&written[usize::from(is_marked(&written, &document))..]),
        )
    });
    format!("{} {in_bytes} {in_chars}", units.join(","))
}

#[test]
fn ten_thousand_messages_are_what_an_independent_reader_and_writer_say() {
    let messages = messages();
    let Some(answers) = asked(&messages) else {
        test_support::skipped("there is no python3");
        return;
    };
    assert_eq!(answers.len(), messages.len());
    let mut bad = 0;
    for (message, answer) in messages.iter().zip(&answers) {
        assert_eq!(&ours(message), answer, "{:?} {:?}: {}", message.set, message.lengths, message.bytes.escape_ascii());
        bad += usize::from(answer == "bad");
    }
    let all = messages.len();
    println!("{all} messages, {bad} of them refused by both");
    assert!((all / 10..all / 2).contains(&bad), "{bad} refused: messages that try little");
}

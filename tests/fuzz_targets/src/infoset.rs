//! What the fuzz targets of infosets hold true of any bytes.

#[path = "../../../crates/infoset/tests/support/mod.rs"]
mod support;

use infoset::Options;
use support::hold::hold;
use support::{RULES, ways};
use tam::{Limits, Table};
use test_support::Random;

/// Deep enough to be seen; what comes out of a block is soon too much.
const LIMITS: Limits = Limits { depth: 100, units: 1 << 16, decompressed_bytes: 1 << 16, ..Limits::DEFAULT };

/// A message is read under the rules that its first byte chooses, with references to entities kept or not, or refused: as a document, and as
/// events that are pulled and pushed, alike. What was read is written as XML and as a message, and read
/// as the same.
pub fn infoset_read(input: &[u8]) {
    let Some((&choice, message)) = input.split_first() else { return };
    let options = Options::of(RULES[usize::from(choice) % RULES.len()]).with_limits(LIMITS);
    hold(message, &options.with_entity_references(choice >= 128));
}

/// XML is written as a message in the way that its first byte chooses, and is what that says.
pub fn infoset_round(input: &[u8]) {
    let Some((&choice, text)) = input.split_first() else { return };
    let mut table = Table::new();
    let limits = Limits { entity_expansion: 1 << 14, ..LIMITS };
    let options = text::xml::Options::default().with_limits(limits).with_entity_references(true);
    let Ok(document) = text::xml::read(text, &options, &mut table) else { return };
    let options = ways().nth(usize::from(choice) % 15).unwrap_or_default().with_block_bytes(64);
    let message = match infoset::write(&document, &options) {
        Ok(message) => message,
        Err(error) => panic!("{error}"),
    };
    let mut table = Table::new();
    match infoset::read(&message, &options, &mut table) {
        Ok(read) => assert_eq!(support::said(&read), support::said(&document)),
        Err(error) => panic!("{error}"),
    }
    hold(&message, &options);
}

/// Messages to start from, after their first byte, and texts in XML.
pub fn infoset_seeds() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let mut random = Random::new(1);
    let (mut messages, mut texts) = (Vec::new(), Vec::new());
    for number in 0..60 {
        let text = support::made_up::document(&mut random);
        let options = support::made_up::options(&mut random);
        let rules = RULES.iter().position(|rules| *rules == options.rules).unwrap_or(0) as u8;
        messages.push([&[rules], &support::message(&text, &options)[..]].concat());
        texts.push([&[number], text.as_bytes()].concat());
    }
    (messages, texts)
}

//! Documents made up of everything that a message can hold come back as they were, written in any way.

use crate::support::hold::{Outcome, hold};
use crate::support::{by_events, made_up, pushed, said, xml};
use infoset::{Options, Properties};
use proptest::prelude::*;
use tam::Table;
use test_support::Random;

proptest! {
    #[test]
    fn a_document_is_what_its_message_says(seed: u64) {
        let mut random = Random::new(seed);
        let made = made_up::document(&mut random);
        let options = made_up::options(&mut random);
        let mut table = Table::new();
        let document = xml(made.as_bytes(), &mut table).unwrap_or_else(|error| panic!("{error}: {made}"));
        let expected = said(&document);
        let message = infoset::write(&document, &options).unwrap();
        let mut table = Table::new();
        let read = infoset::read(&message, &options, &mut table).unwrap();
        prop_assert_eq!(said(&read), expected.clone());
        prop_assert_eq!(by_events(&message, &options).unwrap(), expected.clone());
        prop_assert_eq!(pushed(&message, &options).unwrap(), expected);
        prop_assert_eq!(hold(&message, &options), Outcome::Read);
        // What was read has the order of messages, and is written in that.
        let again = infoset::write(&read, &options).unwrap();
        let mut table = Table::new();
        let read = infoset::read(&again, &options, &mut table).unwrap();
        prop_assert!(infoset::write(&read, &options).unwrap() == again);
    }

    #[test]
    fn the_properties_of_a_document_are_returned(seed: u64, base: Option<String>, encoding in "[A-Za-z0-9._-]{0,9}",
        standalone: Option<bool>, version in proptest::option::of("1\\.[0-9]")) {
        let mut random = Random::new(seed);
        let made = made_up::document(&mut random);
        let options = made_up::options(&mut random);
        let mut table = Table::new();
        let document = xml(made.as_bytes(), &mut table).unwrap();
        // A standalone document declares all entities.
        let standalone = standalone.filter(|_| !made.contains("&none;"));
        let base = base.filter(|base| base.chars().all(|c| (' '..'\u{FFFE}').contains(&c)));
        let said = Properties { base_uri: base.as_deref(), encoding: &encoding, standalone, version: version.as_deref(), ..Properties::default() };
        let mut message = Vec::new();
        infoset::append_with(&document, &said, &options, &mut message).unwrap();
        let events = infoset::events(&message, &options).unwrap();
        let mut read = events.properties().unwrap();
        read.all_declarations_processed = true;
        prop_assert_eq!(read, said);
    }

    #[test]
    fn any_bytes_are_refused_or_are_a_document(bytes: Vec<u8>, rules in 0..3_usize) {
        hold(&bytes, &Options::of(crate::support::RULES[rules]));
    }
}

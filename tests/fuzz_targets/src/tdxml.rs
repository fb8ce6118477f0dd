//! What the fuzz targets of TDXML hold true of any bytes.

#[path = "../../../crates/tdxml/tests/support/hold.rs"]
mod hold;
#[path = "../../../crates/tdxml/tests/support/mod.rs"]
mod support;

use support::{SCHEMES, ways};
use tam::{Limits, Table};
use tdxml::Options;

/// A message is read or refused; what was read is written by both schemes and read as the same.
pub fn tdxml_read(input: &[u8]) {
    hold::hold(input);
}

/// A type for anything says what the general reader says, or refuses what that refuses.
pub fn tdxml_serde(input: &[u8]) {
    support::any::anything(input);
}

/// XML is written as a message by the scheme that its first byte chooses, and is what that says.
pub fn tdxml_round(input: &[u8]) {
    let Some((&choice, text)) = input.split_first() else { return };
    let mut table = Table::new();
    let limits = Limits { entity_expansion: 1 << 14, ..hold::LIMITS };
    let Ok(document) = text::xml::read(text, &text::xml::Options::default().with_limits(limits), &mut table) else {
        return;
    };
    let scheme = SCHEMES[usize::from(choice) % SCHEMES.len()];
    let Ok(message) = tdxml::write(&document, &Options::default().with_scheme(scheme)) else { return };
    let mut table = Table::new();
    match tdxml::read(&message, &Options::default(), &mut table) {
        Ok(read) => assert_eq!(support::said(&read), support::said(&document)),
        Err(error) => panic!("{error}"),
    }
}

/// Messages to start from.
pub fn tdxml_seeds() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 3] = [
        b"<a k='v'><b>1</b><b>2</b><c>x</c></a>",
        b"<a><b k='1'><c>x</c><f><g>1</g><g>2</g></f></b><b k='3'><c/><d>|[&amp;</d></b></a>",
        b"<a><b>1</b><c/><b>2</b><c k=''/></a>",
    ];
    let all = texts.iter().flat_map(|text| ways().filter_map(|options| support::message(text, &options).ok()));
    all.collect()
}

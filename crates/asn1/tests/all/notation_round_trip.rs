//! Schemas that nobody wrote: what is printed of them says the same when it is read.

#[path = "notation/made_up.rs"]
mod made_up;

use asn1::notation;
use made_up::MadeUp;
use tam::Limits;

#[test]
fn made_up_schemas_are_printed_and_read_again() {
    for seed in 0..test_support::rounds(2_000) {
        let schema = MadeUp::new(seed as u64).schema();
        let text = notation::print_schema(&schema);
        match notation::parse_one(&text, &Limits::default()) {
            Ok(again) if again == schema => {}
            Ok(again) => {
                // The first line that is printed otherwise is near what was read otherwise.
                let other = notation::print_schema(&again);
                let line = text.lines().zip(other.lines()).position(|(a, b)| a != b);
                panic!("seed {seed}: read otherwise at line {line:?} of\n{text}\nas\n{other}");
            }
            Err(error) => panic!("seed {seed}: {error} in\n{text}"),
        }
    }
}

#[test]
fn white_space_and_comments_mean_nothing() {
    for seed in 0..test_support::rounds(300) {
        let text = notation::print_schema(&MadeUp::new(seed as u64).schema());
        // Line ends are in no text, and in no comment but at its end.
        let spread = text.replace('\n', "\n\n\t-- \"a comment' --/* and /* more */ */\u{A0}\r\n ");
        let expected = notation::parse_one(&text, &Limits::default()).unwrap();
        // In these the comments are kept.
        if text.contains("CONSTRAINED") {
            continue;
        }
        let schema =
            notation::parse_one(&spread, &Limits::default()).unwrap_or_else(|error| panic!("{error}\n{spread}"));
        assert_eq!(schema, expected, "seed {seed}");
    }
}

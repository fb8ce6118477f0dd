//! Holds the crate against its twin, whatever a message is.

use tam::{Error, ErrorKind, Limits, Table};
use tsf::{Lengths, Options};

use super::twin::{self, Bad, Roots};
use super::{Set, tree};

/// What came of a message, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Read,
    Refused(ErrorKind),
}

/// Reads a message, or the first one of a buffer, as the twin does: the same tree, or an error
/// that says no more than is true. What was read is written as the twin writes it.
pub(crate) fn hold(message: &[u8], set: &Set, lengths: Lengths, roots: Roots, table: &mut Table<'_>) -> Outcome {
    let options = Options::new(&set.types).with_lengths(lengths).with_limits(Limits::NONE);
    let ours = match roots {
        Roots::First => tsf::read_prefix(message, &options, table),
        Roots::All => tsf::read(message, &options, table).map(|document| (document, message.len())),
    };
    let shown = || std::format!("{set:?} {lengths:?} {roots:?}: {}", message.escape_ascii());
    match (ours, twin::read(message, set, lengths, roots)) {
        (Ok((document, taken)), Ok((units, taken_by_twin))) => {
            assert_eq!(taken, taken_by_twin, "{}", shown());
            assert_eq!(document.units(), units.len(), "{}", shown());
            assert!(tree(&document) == units, "{}\n{:?}\n{units:?}", shown(), tree(&document));
            let written = tsf::write(&document, &options).unwrap_or_else(|error| panic!("{error}: {}", shown()));
            assert!(Some(&written) == twin::write(&units, set, lengths).as_ref(), "written: {}", shown());
            Outcome::Read
        }
        (Err(error), Err(bad)) => {
            same_error(&error, bad, message, &shown);
            Outcome::Refused(error.kind())
        }
        (Ok(_), Err(bad)) => panic!("read, where the twin says {bad:?}: {}", shown()),
        (Err(error), Ok(_)) => panic!("{error}, where the twin reads: {}", shown()),
    }
}

/// Checks that an error is well-formed and matches what the twin found.
fn same_error(error: &Error, bad: Bad, message: &[u8], shown: &dyn Fn() -> std::string::String) {
    assert!(error.offset() <= message.len() as u64, "{error}: {}", shown());
    assert!(!std::format!("{}", error.expected()).is_empty(), "{error}: {}", shown());
    assert!(!std::format!("{error}").contains("a message refused"), "not explained: {}", shown());
    match (error.kind(), bad) {
        // More bytes may make it whole: to call it wrong would be wrong.
        (ErrorKind::Syntax, Bad::Incomplete { .. }) => panic!("{error}, where bytes are missing: {}", shown()),
        (ErrorKind::Syntax, Bad::Syntax { at }) => assert_eq!(error.offset(), at as u64, "{error}: {}", shown()),
        (ErrorKind::Incomplete, bad) => {
            let needed = error.needed().unwrap_or(0);
            assert!(needed >= 1, "{error}: {}", shown());
            if let Bad::Incomplete { least } = bad {
                assert!(u128::from(needed) <= least, "{error}, needs {needed}, not {least}: {}", shown());
            }
        }
        // A number that no table can address.
        (ErrorKind::Limit, _) => {}
        _ => panic!("{error}: {}", shown()),
    }
}

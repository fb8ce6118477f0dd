//! Holds the crate against its twin, whatever a message is.

use pon::{Items, Kind, Members, Options, Value};
use tam::{Error, ErrorKind, Limits, Table};

use super::twin::{self, Bad};
use super::{Data, Unit, tree};

/// What came of a message, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Read,
    Refused(ErrorKind),
}

/// Reads a message, or the first one of a buffer where it need not be `whole`, as the twin does: the
/// same tree, or an error where the twin finds one. The cursor and serde's types must see the same.
/// What was read is written to the letter: PON has one form alone.
pub(crate) fn hold(message: &[u8], whole: bool, table: &mut Table<'_>) -> Outcome {
    let options = Options::default().with_limits(Limits::NONE);
    let ours = match whole {
        true => pon::read(message, &options, table).map(|document| (document, message.len())),
        false => pon::read_prefix(message, &options, table),
    };
    let shown = || format!("whole: {whole}: {}", message.escape_ascii());
    let walked = walk(message, whole);
    let outcome = match (ours, twin::read(message, whole)) {
        (Ok((document, taken)), Ok((units, taken_by_twin))) => {
            assert_eq!(taken, taken_by_twin, "{}", shown());
            assert_eq!(document.units(), units.len(), "{}", shown());
            assert!(tree(&document) == units, "{}\n{:?}\n{units:?}", shown(), tree(&document));
            let written = pon::write(&document).unwrap_or_else(|error| panic!("{error}: {}", shown()));
            assert!(written == message[..taken], "written {}: {}", written.escape_ascii(), shown());
            match walked {
                Ok(walked) => assert!(walked == units, "the cursor: {}\n{walked:?}", shown()),
                Err(error) => panic!("the cursor: {error}: {}", shown()),
            }
            Outcome::Read
        }
        (Err(error), Err(bad)) => {
            same_error(&error, &bad, message, &shown);
            match walked {
                Ok(_) => panic!("{error}, where the cursor walks: {}", shown()),
                Err(walked) => same_error(&walked, &bad, message, &shown),
            }
            Outcome::Refused(error.kind())
        }
        (Ok(_), Err(bad)) => panic!("read, where the twin says {bad:?}: {}", shown()),
        (Err(error), Ok(_)) => panic!("{error}, where the twin reads: {}", shown()),
    };
    #[cfg(feature = "serde")]
    deserialized(message, whole, &shown);
    outcome
}

/// Checks that an error is well-formed and matches what the twin found.
fn same_error(error: &Error, bad: &Bad, message: &[u8], shown: &dyn Fn() -> String) {
    assert!(error.offset() <= message.len() as u64, "{error}: {}", shown());
    assert!(!format!("{}", error.expected()).is_empty(), "{error}: {}", shown());
    assert!(!format!("{}", error.found()).is_empty(), "{error}: {}", shown());
    assert_eq!(error.format(), "pon", "{error}: {}", shown());
    match (error.kind(), bad) {
        (ErrorKind::Incomplete, Bad::Incomplete { needed, .. }) => {
            assert_eq!(error.needed(), Some(*needed), "{error}: {}", shown());
        }
        // It would be waited for in vain: beyond what any limit grants.
        (ErrorKind::Limit, Bad::Incomplete { needed, .. }) => {
            assert!(message.len() as u64 + needed > u64::from(u32::MAX), "{error}: {}", shown());
        }
        (ErrorKind::Syntax | ErrorKind::Limit, Bad::Faulty(faults)) => {
            // Where a container ends too early there can be two: what it lacks, and what follows it.
            let limit = error.kind() == ErrorKind::Limit;
            let fault = faults.iter().any(|fault| fault.at as u64 == error.offset() && fault.limit == limit);
            assert!(fault, "{error}: the faults are {faults:?}: {}", shown());
            assert_eq!(error.needed(), None, "{error}: {}", shown());
        }
        _ => panic!("{error}, where the twin says {bad:?}: {}", shown()),
    }
}

/// The path of an error of [`pon::read`] is that of the fault, as far as a path goes.
pub(crate) fn has_its_path(error: &Error, message: &[u8]) {
    let Err(Bad::Faulty(faults)) = twin::read(message, true) else { return };
    let paths: Vec<_> = faults.iter().filter(|fault| fault.at as u64 == error.offset()).map(|f| &f.path).collect();
    let path = error.path();
    let fits = |whole: &&String| *whole == path || path.strip_suffix("/…").is_some_and(|path| whole.starts_with(path));
    assert!(paths.into_iter().any(|whole| fits(&whole)), "{error}: {faults:?}: {}", message.escape_ascii());
}

/// What is left of a container.
enum Left<'m> {
    Items(Items<'m>),
    Members(Members<'m>),
}

/// All values of a message by the cursor, every one of them looked at.
fn walk(message: &[u8], whole: bool) -> Result<Vec<Unit>, Error> {
    let root = if whole { Value::new(message)? } else { Value::prefix(message)?.0 };
    let mut units = Vec::new();
    let mut open: Vec<(usize, Left<'_>)> = Vec::new();
    let mut next = Some((None, root));
    loop {
        if let Some((key, value)) = next.take() {
            let data = match value.kind() {
                Kind::Null => Data::Null,
                Kind::Boolean => Data::Boolean(value.as_bool()?),
                Kind::Integer => Data::Integer(value.as_str()?.to_owned()),
                Kind::Float => Data::Float(value.as_str()?.to_owned()),
                Kind::String => Data::String(value.as_str()?.to_owned()),
                Kind::Binary => Data::Binary(value.as_bytes()?.to_vec()),
                Kind::Char => Data::Char(value.as_char()?),
                Kind::Byte => Data::Byte(value.as_byte()?),
                Kind::Array => Data::Array(0),
                Kind::Object => Data::Object(0),
            };
            assert!(value.data() == &message[value.offset()..][..value.data().len()]);
            match value.kind() {
                Kind::Array => open.push((units.len(), Left::Items(value.items()))),
                Kind::Object => open.push((units.len(), Left::Members(value.members()))),
                _ => {}
            }
            units.push(Unit { key, data });
        }
        let Some((container, left)) = open.last_mut() else { return Ok(units) };
        next = match left {
            Left::Items(items) => items.next().transpose()?.map(|item| (None, item)),
            Left::Members(members) => {
                members.next().transpose()?.map(|(key, value)| (Some(key.to_cow().into_owned()), value))
            }
        };
        match &mut units[*container].data {
            Data::Array(count) | Data::Object(count) if next.is_some() => *count += 1,
            _ => drop(open.pop()),
        }
    }
}

/// Serde's types are read where they can hold what the message says.
#[cfg(feature = "serde")]
fn deserialized(message: &[u8], whole: bool, shown: &dyn Fn() -> String) {
    use super::dynamic::{self, Dynamic};
    let read: Result<Dynamic, Error> = match whole {
        true => pon::from_slice(message),
        false => pon::from_prefix(message).map(|(value, _)| value),
    };
    match (read, twin::read(message, whole)) {
        (Ok(value), Ok((units, _))) => {
            let mut units = units.iter();
            assert!(dynamic::is(&value, &mut units) && units.len() == 0, "{value:?}: {}", shown());
        }
        (Ok(value), Err(bad)) => panic!("{value:?}, where the twin says {bad:?}: {}", shown()),
        (Err(error), Ok((units, _))) => match error.kind() {
            ErrorKind::Limit => assert!(depth(&units) > 128, "{error}: {}", shown()),
            kind => {
                assert_eq!(kind, ErrorKind::Schema, "{error}: {}", shown());
                assert!(units.iter().any(too_large), "{error}: {}", shown());
            }
        },
        (Err(error), Err(bad)) => match error.kind() {
            // It stopped before it came to what is wrong.
            ErrorKind::Limit | ErrorKind::Schema => assert!(error.offset() <= message.len() as u64),
            _ => same_error(&error, &bad, message, shown),
        },
    }
}

/// Whether a number has no room in 128 bits or in a double.
fn too_large(unit: &Unit) -> bool {
    match &unit.data {
        Data::Integer(text) => text.parse::<i128>().is_err() && text.parse::<u128>().is_err(),
        Data::Float(text) => {
            text.ends_with(|c: char| c.is_ascii_digit()) && text.parse() == Ok(f64::INFINITY)
                || text.starts_with('-')
                    && text.ends_with(|c: char| c.is_ascii_digit())
                    && text.parse() == Ok(f64::NEG_INFINITY)
        }
        _ => false,
    }
}

/// Levels of containers.
pub(crate) fn depth(units: &[Unit]) -> usize {
    let (mut open, mut deepest): (Vec<usize>, usize) = (Vec::new(), 0);
    for unit in units {
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if let Some(count) = unit.data.count() {
            open.push(count);
            deepest = deepest.max(open.len());
        }
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    deepest
}

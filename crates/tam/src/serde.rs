//! [`Error`] as the error of serde's traits.
//!
//! What a type says of a value it does not take is of the kind [`ErrorKind::Schema`], and names
//! neither format nor place: who drives the type knows these, and adds them
//! ([`Error::met_in`], [`Error::in_path`]).

use alloc::string::{String, ToString};
use core::fmt::{Display, Write};

use serde_core::de::{self, Expected, Unexpected};
use serde_core::ser;

use crate::{Error, ErrorKind, Words};

/// What is written in place of a format as long as none is known.
const NO_FORMAT: &str = "";

#[cold]
fn refused(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Schema, NO_FORMAT, 0, found, expected)
}

impl de::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        refused(Words::Own(message.to_string()), "a value that the type takes")
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        refused(Words::Own(found.to_string()), Words::Own(expected.to_string()))
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Error {
        refused(Words::Own(found.to_string()), Words::Own(expected.to_string()))
    }

    #[cold]
    fn invalid_length(found: usize, expected: &dyn Expected) -> Error {
        refused(Words::Count(found as u64, "items"), Words::Own(expected.to_string()))
    }

    #[cold]
    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Error {
        refused(Words::Own(quoted("the variant ", found)), one_of("variants", expected))
    }

    #[cold]
    fn unknown_field(found: &str, expected: &'static [&'static str]) -> Error {
        refused(Words::Own(quoted("the member ", found)), one_of("members", expected))
    }

    #[cold]
    fn missing_field(field: &'static str) -> Error {
        refused(Words::Own(quoted("missing member ", field)), "")
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Error {
        refused(Words::Own(quoted("a second member ", field)), "each member once")
    }
}

impl ser::Error for Error {
    #[cold]
    fn custom<T: Display>(message: T) -> Error {
        Error::new(ErrorKind::Unsupported, NO_FORMAT, 0, Words::Own(message.to_string()), "a value that can be written")
    }
}

fn quoted(before: &str, name: &str) -> String {
    let mut words = String::from(before);
    let _ = write!(words, "'{}'", name.escape_debug());
    words
}

fn one_of(what: &'static str, names: &[&str]) -> Words {
    match names {
        [] => Words::Own(String::from("no ") + what),
        [only] => Words::Own(quoted("", only)),
        [first, rest @ ..] => {
            let mut words = quoted("one of ", first);
            for name in rest {
                words.push_str(&quoted(", ", name));
            }
            Words::Own(words)
        }
    }
}

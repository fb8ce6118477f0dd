//! Arguments that choose how messages are read and written.

use std::collections::HashMap;

use lengthwise::{Error, Format, Limits, Types};
use pyo3::prelude::*;

use crate::error::argument;

/// Names of limits and their values, or the word `untrusted`.
#[derive(FromPyObject)]
pub(crate) enum LimitsArgument {
    Set(String),
    Each(HashMap<String, u32>),
}

/// The default limits with those of the argument.
#[inline]
pub(crate) fn limits(chosen: Option<LimitsArgument>) -> Result<Limits, Error> {
    match chosen {
        None => Ok(Limits::default()),
        Some(chosen) => chosen_limits(chosen),
    }
}

fn chosen_limits(chosen: LimitsArgument) -> Result<Limits, Error> {
    let each = match chosen {
        LimitsArgument::Set(name) if name == "untrusted" => return Ok(Limits::UNTRUSTED),
        LimitsArgument::Set(name) => return Err(argument(name, "'untrusted', or a dict of limits")),
        LimitsArgument::Each(each) => each,
    };
    let mut limits = Limits::default();
    for (name, bound) in each {
        match limits.named_mut(&name) {
            Some(limit) => *limit = bound,
            None => return Err(argument(name, "the name of a limit: depth, units, message_bytes, …")),
        }
    }
    Ok(limits)
}

/// The format of a name.
pub(crate) fn format(name: &str) -> Result<Format, Error> {
    Format::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
        argument(format!("format '{name}'"), format!("one of {}", names.join(", ")))
    })
}

/// The type set of a name.
pub(crate) fn types(name: &str) -> Result<Types<'static>, Error> {
    Types::from_name(name).ok_or_else(|| argument(format!("type set '{name}'"), "xml, json or value"))
}

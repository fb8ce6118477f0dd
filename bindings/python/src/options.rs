//! Arguments that choose how messages are read and written.

use std::collections::HashMap;
use std::ffi::CString;

use lengthwise::{BinaryCounts, Error, Format, Limits, Options, Setting, Settings};
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::error::argument;
use crate::schema::Schema;

/// Names of limits and their values, or the word `untrusted`.
pub(crate) enum LimitsArgument {
    Set(String),
    Each(HashMap<String, u32>),
}

impl FromPyObject<'_, '_> for LimitsArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<LimitsArgument> {
        if let Ok(name) = object.cast::<PyString>() {
            return Ok(LimitsArgument::Set(name.to_str()?.to_owned()));
        }
        object.extract().map(LimitsArgument::Each).map_err(|_| {
            PyTypeError::new_err("limits are 'untrusted', or a dict of names and numbers from 0 to 4294967295")
        })
    }
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

/// Warns of names of `binary_from_base64` that no string is a member of, and of members that are no strings.
pub(crate) fn warn_of_names(py: Python<'_>, options: &Options<'_>, counts: &BinaryCounts) -> PyResult<()> {
    let Some(words) = counts.unmet(options.binary_from_base64) else { return Ok(()) };
    let words = CString::new(format!("binary_from_base64: {words}"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &words, 1)
}

/// Keyword arguments that are options of the library, by their names there, with their values as texts.
pub(crate) struct Given(Vec<(&'static str, String)>);

impl Given {
    /// Of the keyword arguments of a function. One that is `None` was not given.
    pub(crate) fn of(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Given> {
        let mut given = Vec::new();
        for (name, value) in arguments.into_iter().flatten() {
            let name: String = name.extract()?;
            let Some(setting) = Setting::from_name(&name.replace('_', "-")) else {
                return Err(PyTypeError::new_err(format!("there is no keyword argument '{name}'")));
            };
            if !value.is_none() {
                given.push((setting.name(), text(&name, &value)?));
            }
        }
        Ok(Given(given))
    }

    /// With the schema of the messages.
    pub(crate) fn settings<'s>(&'s self, schema: Option<&'s Bound<'_, Schema>>) -> Result<Settings<'s>, Error> {
        let mut settings = Settings::default();
        if let Some(schema) = schema {
            settings.set_schema(&schema.get().schema);
        }
        for (name, value) in &self.0 {
            settings.set(name, value)?;
        }
        Ok(settings)
    }
}

/// The value of an option as a text: a word, a number, a truth value, or names.
fn text(option: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().to_string());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return Ok(number.str()?.to_str()?.to_owned());
    }
    let Ok(names) = value.extract::<Vec<String>>() else {
        return Err(PyTypeError::new_err(format!("{option} is a bool, an int, a str, or a list of str")));
    };
    // No name reads as a truth value, or as two names.
    if names.is_empty()
        || names.iter().any(|name| name.contains(','))
        || names.iter().any(|name| name == "true" || name == "false")
    {
        return Err(PyValueError::new_err(format!("{option} is a list of names without commas, and not empty")));
    }
    Ok(names.join(","))
}

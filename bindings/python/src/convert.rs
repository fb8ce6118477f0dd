//! `convert` and `compare`.

use lengthwise::{Error, ErrorKind, Format, Options};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::{self, Failure, argument};
use crate::input::Input;
use crate::options::{self, LimitsArgument};
use crate::schema::Schema;

/// Converts a message from one format to another.
#[pyfunction]
#[pyo3(signature = (data, source, target, *, schema=None, pretty=false, canonical=false, types=None, limits=None))]
#[allow(clippy::too_many_arguments)] // They are keywords of Python.
pub(crate) fn convert<'p>(
    py: Python<'p>,
    data: Input<'p>,
    source: &str,
    target: &str,
    schema: Option<&Bound<'p, Schema>>,
    pretty: bool,
    canonical: bool,
    types: Option<&str>,
    limits: Option<LimitsArgument>,
) -> Result<Bound<'p, PyBytes>, Failure> {
    let (source, target) = (options::format(source)?, options::format(target)?);
    let mut options = Options::default().with_limits(options::limits(limits)?).with_canonical(canonical);
    if let Some(schema) = schema {
        options = options.with_schema(&schema.get().schema);
    }
    refuse_unless(!pretty || matches!(target, Format::Xml | Format::Json), "pretty", target)?;
    refuse_unless(!canonical || target.needs_schema() && target.rules().is_some(), "canonical", target)?;
    refuse_unless(types.is_none() || target == Format::Tsf, "types", target)?;
    options = options.with_pretty(pretty);
    if let Some(name) = types {
        options = options.with_output_types(options::types(name)?);
    }
    let message = data.as_slice();
    let converted = py.detach(|| lengthwise::convert(message, source, target, &options))?;
    Ok(PyBytes::new(py, &converted))
}

fn refuse_unless(applies: bool, option: &'static str, target: Format) -> Result<(), Error> {
    if applies { Ok(()) } else { Err(argument(option, format!("no such option for {target}"))) }
}

/// The bytes that a message takes in every format that can hold it.
#[pyfunction]
#[pyo3(signature = (data, source, *, schema=None, limits=None))]
pub(crate) fn compare<'p>(
    py: Python<'p>,
    data: Input<'p>,
    source: &str,
    schema: Option<&Bound<'p, Schema>>,
    limits: Option<LimitsArgument>,
) -> Result<Bound<'p, PyDict>, Failure> {
    let source = options::format(source)?;
    let mut options = Options::default().with_limits(options::limits(limits)?);
    if let Some(schema) = schema {
        options = options.with_schema(&schema.get().schema);
    }
    let message = data.as_slice();
    let sizes = PyDict::new(py);
    py.detach(|| lengthwise::check(message, source, &options))?;
    for &format in Format::ALL.iter().filter(|format| !format.needs_schema() || schema.is_some()) {
        let size = match format == source {
            true => Ok(message.len()),
            false => py.detach(|| lengthwise::convert(message, source, format, &options).map(|message| message.len())),
        };
        match size {
            Ok(size) => sizes.set_item(format.as_str(), size)?,
            Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Schema) => {
                sizes.set_item(format.as_str(), error::object(py, &error)?)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(sizes)
}

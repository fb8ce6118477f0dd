//! `convert`, what it does not keep, and `compare`.

use lengthwise::{Error, ErrorKind, Format, Losses, Options};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::{self, Failure, argument};
use crate::input::Input;
use crate::options::{self, Given, LimitsArgument};
use crate::schema::Schema;

#[doc = doc!("Loss")]
#[pyclass(frozen, get_all, eq, hash, module = "lengthwise")]
#[derive(PartialEq, Hash)]
pub(crate) struct Loss {
    #[doc = doc!("Loss.kind")]
    kind: &'static str,
    count: u64,
    #[doc = doc!("Loss.path")]
    path: String,
    #[doc = doc!("Loss.offset")]
    offset: Option<u64>,
    #[doc = doc!("Loss.line")]
    line: Option<u64>,
    #[doc = doc!("Loss.column")]
    column: Option<u64>,
    words: String,
}

#[pymethods]
impl Loss {
    fn __str__(&self) -> &str {
        &self.words
    }

    fn __repr__(&self) -> String {
        format!("<lengthwise.Loss: {}>", self.words)
    }
}

impl From<&lengthwise::Loss> for Loss {
    fn from(loss: &lengthwise::Loss) -> Loss {
        let (line, column) = loss.first.position.unzip();
        let (kind, words) = (loss.kind.as_str(), loss.to_string());
        Loss { kind, count: loss.count, path: loss.first.path.clone(), offset: loss.first.offset, line, column, words }
    }
}

#[doc = doc!("convert")]
#[pyfunction]
#[pyo3(signature = (data, source, target, *, schema=None, limits=None, lossless=false, **options))]
#[allow(clippy::too_many_arguments)] // They are keywords of Python.
pub(crate) fn convert<'p>(
    py: Python<'p>,
    data: Input<'p>,
    source: &str,
    target: &str,
    schema: Option<&Bound<'p, Schema>>,
    limits: Option<LimitsArgument>,
    lossless: bool,
    options: Option<&Bound<'p, PyDict>>,
) -> Result<Bound<'p, PyBytes>, Failure> {
    let (message, losses) = converted(py, &data, (source, target), schema, limits, lossless, options)?;
    if !losses.is_empty() {
        return Err(argument(losses.to_string(), "a conversion that keeps everything").into());
    }
    Ok(message)
}

#[doc = doc!("convert_with_losses")]
#[pyfunction]
#[pyo3(signature = (data, source, target, *, schema=None, limits=None, **options))]
pub(crate) fn convert_with_losses<'p>(
    py: Python<'p>,
    data: Input<'p>,
    source: &str,
    target: &str,
    schema: Option<&Bound<'p, Schema>>,
    limits: Option<LimitsArgument>,
    options: Option<&Bound<'p, PyDict>>,
) -> Result<(Bound<'p, PyBytes>, Vec<Loss>), Failure> {
    let (message, losses) = converted(py, &data, (source, target), schema, limits, true, options)?;
    Ok((message, losses.iter().map(Loss::from).collect()))
}

/// The message in another format, and what is lost if that is to be found out.
fn converted<'p>(
    py: Python<'p>,
    data: &Input<'p>,
    (source, target): (&str, &str),
    schema: Option<&Bound<'p, Schema>>,
    limits: Option<LimitsArgument>,
    finds_losses: bool,
    options: Option<&Bound<'p, PyDict>>,
) -> Result<(Bound<'p, PyBytes>, Losses), Failure> {
    let (source, target) = (options::format(source)?, options::format(target)?);
    let given = Given::of(options)?;
    let settings = given.settings(schema)?;
    let options = settings.options(Some(source), Some(target))?.with_limits(options::limits(limits)?);
    let message = data.as_slice();
    let (converted, counts, losses) = py.detach(|| {
        let (converted, counts) = lengthwise::convert_counted(message, source, target, &options)?;
        let losses = match finds_losses {
            true => Losses::between(message, source, &converted, target, &options)?,
            false => Losses::default(),
        };
        Ok::<_, Error>((converted, counts, losses))
    })?;
    options::warn_of_names(py, &options, &counts)?;
    Ok((PyBytes::new(py, &converted), losses))
}

#[doc = doc!("compare")]
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

//! TSF: `loads` and `dumps`.

use lengthwise::tam::{Table, TypeSet};
use lengthwise::{Error, Format};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::Failure;
use crate::from_python::{self, Form};
use crate::input::{Input, detached};
use crate::options::{self, Given, LimitsArgument};
use crate::units;

#[doc = doc!("tsf_loads")]
#[pyfunction]
#[pyo3(signature = (data, /, *, r#type=None, limits=None, **options))]
pub(crate) fn loads<'p>(
    py: Python<'p>,
    data: Input<'p>,
    r#type: Option<Bound<'p, PyAny>>,
    limits: Option<LimitsArgument>,
    options: Option<&Bound<'p, PyDict>>,
) -> Result<Bound<'p, PyAny>, Failure> {
    let (given, limits) = (Given::of(options)?, options::limits(limits)?);
    let settings = given.settings(None)?;
    let options = settings.options(Some(Format::Tsf), None)?.with_limits(limits);
    let (message, mut table) = (data.as_slice(), Table::new());
    let document = detached(py, message.len(), || lengthwise::read(message, Format::Tsf, &options, &mut table))?;
    units::document(py, &document, r#type.as_ref(), "tsf")
}

#[doc = doc!("tsf_dumps")]
#[pyfunction]
#[pyo3(signature = (obj, /, *, types="value", default=None, **options))]
pub(crate) fn dumps<'p>(
    py: Python<'p>,
    obj: &Bound<'p, PyAny>,
    types: &str,
    default: Option<&Bound<'p, PyAny>>,
    options: Option<&Bound<'p, PyDict>>,
) -> Result<Bound<'p, PyBytes>, Failure> {
    let given = Given::of(options)?;
    let mut settings = given.settings(None)?;
    settings.set("types", types)?;
    let options = settings.options(Some(Format::Json), Some(Format::Tsf))?;
    let mut table = Table::new();
    from_python::fill(obj, Form::Values, default, &mut table)?;
    let document = table.document(b"", TypeSet::VALUE);
    let mut message = Vec::new();
    let counts = py.detach(|| lengthwise::append_counted(&document, Format::Tsf, &options, &mut message));
    let counts = counts.map_err(Error::with_no_place)?;
    options::warn_of_names(py, &options, &counts)?;
    Ok(PyBytes::new(py, &message))
}

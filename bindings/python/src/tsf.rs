//! TSF: `loads` and `dumps`.

use lengthwise::tam::{Table, TypeSet};
use lengthwise::{Format, Options};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Failure;
use crate::from_python::{self, Form};
use crate::input::{Input, detached};
use crate::options::{self, LimitsArgument};
use crate::typed::converted;
use crate::units;

/// Reads a TSF message.
#[pyfunction]
#[pyo3(signature = (data, /, *, r#type=None, types=None, limits=None))]
pub(crate) fn loads<'p>(
    py: Python<'p>,
    data: Input<'p>,
    r#type: Option<Bound<'p, PyAny>>,
    types: Option<&str>,
    limits: Option<LimitsArgument>,
) -> Result<Bound<'p, PyAny>, Failure> {
    let mut options = Options::default().with_limits(options::limits(limits)?);
    if let Some(name) = types {
        options = options.with_input_types(options::types(name)?);
    }
    let (message, mut table) = (data.as_slice(), Table::new());
    let document = detached(py, message.len(), || lengthwise::read(message, Format::Tsf, &options, &mut table))?;
    Ok(converted(units::document(py, &document, "tsf")?, r#type.as_ref(), "tsf")?)
}

/// Writes an object as a TSF message.
#[pyfunction]
#[pyo3(signature = (obj, /, *, types="value", default=None))]
pub(crate) fn dumps<'p>(
    py: Python<'p>,
    obj: &Bound<'p, PyAny>,
    types: &str,
    default: Option<&Bound<'p, PyAny>>,
) -> Result<Bound<'p, PyBytes>, Failure> {
    let options = Options::default().with_output_types(options::types(types)?);
    let mut table = Table::new();
    from_python::fill(obj, Form::Values, default, &mut table)?;
    let document = table.document(b"", TypeSet::VALUE);
    let message = py.detach(|| lengthwise::write(&document, Format::Tsf, &options))?;
    Ok(PyBytes::new(py, &message))
}

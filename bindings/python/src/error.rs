//! Errors of Rust as exceptions of Python.

use std::convert::Infallible;

use arrow_schema::ArrowError;
use lengthwise::tam::Words;
use lengthwise::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use pyo3_arrow::error::PyArrowError;

/// Why a call fails: an error in a message, or an exception that Python code raised.
pub(crate) enum Failure {
    Message(Box<Error>),
    Python(Box<PyErr>),
}

impl From<Error> for Failure {
    #[cold]
    fn from(error: Error) -> Failure {
        Failure::Message(Box::new(error))
    }
}

impl From<PyErr> for Failure {
    #[cold]
    fn from(error: PyErr) -> Failure {
        Failure::Python(Box::new(error))
    }
}

/// The interface of Arrow to C cannot have every table: its names end with U+0000.
impl From<PyArrowError> for Failure {
    #[cold]
    fn from(error: PyArrowError) -> Failure {
        match error {
            PyArrowError::ArrowError(ArrowError::CDataInterface(found)) => {
                Error::new(ErrorKind::Unsupported, "arrow", 0, found, "a table that the C Data Interface has").into()
            }
            error => PyErr::from(error).into(),
        }
    }
}

/// Making some objects cannot fail.
impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Failure {
        match never {}
    }
}

impl From<Failure> for PyErr {
    #[cold]
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Message(error) => Python::attach(|py| exception(py, &error)),
            Failure::Python(error) => *error,
        }
    }
}

/// The exception `lengthwise.Error` for an error.
#[cold]
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    match object(py, error) {
        Ok(object) => PyErr::from_value(object),
        Err(failed) => failed,
    }
}

/// The same as an object, to return instead of raising it.
pub(crate) fn object<'p>(py: Python<'p>, error: &Error) -> PyResult<Bound<'p, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (line, column) = error.position().unzip();
    let kind = error.kind().as_str();
    let fields =
        (error.to_string(), kind, error.format(), error.offset(), error.bit(), line, column, error.path().to_owned());
    CLASS.import(py, "lengthwise._error", "Error")?.call1(fields)
}

/// The error for an argument that is not one of the allowed values.
#[cold]
pub(crate) fn argument(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::without_place(ErrorKind::Unsupported, "python", found, expected)
}

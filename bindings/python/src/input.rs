//! Messages as they come from Python.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A message that nobody can change while it is read: `bytes` are borrowed, and any other buffer is copied first.
pub(crate) enum Input<'p> {
    Bytes(Bound<'p, PyBytes>),
    Copied(Vec<u8>),
}

impl<'p> FromPyObject<'_, 'p> for Input<'p> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'p, PyAny>) -> PyResult<Input<'p>> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Input::Bytes(bytes.to_owned()));
        }
        if object.cast::<PyString>().is_ok() {
            return Err(PyTypeError::new_err("expected bytes, found str: encode it as UTF-8 first"));
        }
        PyBuffer::<u8>::get(&object)?.to_vec(object.py()).map(Input::Copied)
    }
}

impl<'p> Input<'p> {
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Input::Bytes(bytes) => bytes.as_bytes(),
            Input::Copied(bytes) => bytes,
        }
    }

    /// The message as an object of Python, which values can refer to.
    pub(crate) fn into_bytes(self, py: Python<'p>) -> Bound<'p, PyBytes> {
        match self {
            Input::Bytes(bytes) => bytes,
            Input::Copied(bytes) => PyBytes::new(py, &bytes),
        }
    }
}

/// Runs `work` on a message of `bytes` bytes. It touches no object of Python, so other threads run meanwhile, unless the
/// message is so short that letting them would take longer than the work.
pub(crate) fn detached<T: Send>(py: Python<'_>, bytes: usize, work: impl Send + FnOnce() -> T) -> T {
    /// Bytes that every reader of a binary format reads in much less than a millisecond.
    const SHORT: usize = 2048;
    if bytes <= SHORT { work() } else { py.detach(work) }
}

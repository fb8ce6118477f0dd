//! Objects of Python, made from the values of a message.

use lengthwise::Error;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyString, PyType};

use crate::error::{Failure, argument};

/// The keys of a message met last: most come again, and a string that exists already has its hash.
pub(crate) struct Keys<'p, 'm> {
    slots: [Option<(&'m [u8], Bound<'p, PyString>)>; Keys::SLOTS],
}

impl<'p, 'm> Keys<'p, 'm> {
    const SLOTS: usize = 64;
    const LONGEST: usize = 64;

    pub(crate) fn new() -> Keys<'p, 'm> {
        Keys { slots: [const { None }; Keys::SLOTS] }
    }

    /// The string of a key, which is UTF-8.
    #[inline]
    pub(crate) fn get(&mut self, py: Python<'p>, key: &'m [u8]) -> PyResult<Bound<'p, PyString>> {
        if key.len() > Keys::LONGEST {
            return PyString::from_bytes(py, key);
        }
        let hash = key.iter().fold(key.len() as u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
        let slot = &mut self.slots[(hash >> 16) as usize % Keys::SLOTS];
        match slot {
            Some((known, string)) if *known == key => Ok(string.clone()),
            _ => {
                let string = PyString::from_bytes(py, key)?;
                *slot = Some((key, string.clone()));
                Ok(string)
            }
        }
    }
}

/// An integer from its decimal digits, which have been checked.
#[inline]
pub(crate) fn integer<'p>(py: Python<'p>, digits: &[u8]) -> Result<Bound<'p, PyAny>, Failure> {
    /// Any number of so many digits fits in 64 bits.
    const FEW: usize = 18;
    let (negative, unsigned) = match digits {
        [b'-', unsigned @ ..] => (true, unsigned),
        unsigned => (false, unsigned),
    };
    if unsigned.len() > FEW {
        return long_integer(py, digits);
    }
    let number = unsigned.iter().fold(0i64, |number, digit| number * 10 + i64::from(digit & 0xF));
    Ok((if negative { -number } else { number }).into_pyobject(py)?.into_any())
}

#[cold]
fn long_integer<'p>(py: Python<'p>, digits: &[u8]) -> Result<Bound<'p, PyAny>, Failure> {
    let text = PyString::from_bytes(py, digits)?;
    let number = py.get_type::<PyInt>().call1((text,));
    number.map_err(|error| match error.is_instance_of::<PyValueError>(py) {
        // Python bounds the digits, because the time is quadratic.
        true => too_many_digits(digits.len()).into(),
        false => error.into(),
    })
}

fn too_many_digits(digits: usize) -> Error {
    let found = lengthwise::tam::Words::Count(digits as u64, "digits of an integer");
    Error::new(lengthwise::ErrorKind::Limit, "python", 0, found, "at most sys.get_int_max_str_digits()")
}

/// An integer from its octets in two's complement, highest first.
#[cold]
pub(crate) fn integer_of_octets<'p>(py: Python<'p>, octets: &[u8]) -> PyResult<Bound<'p, PyAny>> {
    let signed = PyDict::new(py);
    signed.set_item("signed", true)?;
    py.get_type::<PyInt>().call_method("from_bytes", (PyBytes::new(py, octets), "big"), Some(&signed))
}

/// A float from its text, which has been checked.
pub(crate) fn float<'p>(py: Python<'p>, text: &[u8]) -> Result<Bound<'p, PyAny>, Failure> {
    let number = str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
    // Words say infinity; a number beyond the largest double is none.
    match number.filter(|number| number.is_finite() || text.last().is_none_or(|last| !last.is_ascii_digit())) {
        Some(number) => Ok(PyFloat::new(py, number).into_any()),
        None => {
            let found = lengthwise::tam::excerpt(&String::from_utf8_lossy(text));
            Err(argument(found, "a number that a double is near to").into())
        }
    }
}

/// A `decimal.Decimal` from its text.
pub(crate) fn decimal<'p>(py: Python<'p>, text: &str) -> PyResult<Bound<'p, PyAny>> {
    decimal_type(py)?.call1((text,))
}

/// The type `decimal.Decimal`.
pub(crate) fn decimal_type<'p>(py: Python<'p>) -> PyResult<&'p Bound<'p, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "decimal", "Decimal")
}

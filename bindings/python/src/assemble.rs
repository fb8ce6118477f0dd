//! Objects of Python, made from the values of a message.

use std::borrow::Cow;
use std::cell::Cell;

use lengthwise::Error;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyString, PyType};

use crate::error::{Failure, argument};

/// The keys met last on this thread: most come again, and a string that exists already has its hash.
pub(crate) struct Keys {
    slots: Vec<Known>,
}

#[derive(Default)]
struct Known {
    string: Option<Py<PyString>>,
    len: usize,
    bytes: [u8; Keys::LONGEST],
}

thread_local! { static KEYS: Cell<Vec<Known>> = const { Cell::new(Vec::new()) } }

impl Keys {
    const SLOTS: usize = 1024;
    const LONGEST: usize = 32;

    pub(crate) fn new() -> Keys {
        let mut slots = KEYS.take();
        slots.resize_with(Keys::SLOTS, Known::default);
        Keys { slots }
    }

    /// The string of a key, which is UTF-8. One that is made for it is not likely to come again.
    #[inline]
    pub(crate) fn of<'p>(&mut self, py: Python<'p>, key: Cow<'_, [u8]>) -> PyResult<Bound<'p, PyString>> {
        match key {
            Cow::Borrowed(key) => self.get(py, key),
            Cow::Owned(key) => PyString::from_bytes(py, &key),
        }
    }

    #[inline]
    fn get<'p>(&mut self, py: Python<'p>, key: &[u8]) -> PyResult<Bound<'p, PyString>> {
        let slot = self.slots.get_mut(hash(key) as usize % Keys::SLOTS).filter(|_| key.len() <= Keys::LONGEST);
        let Some(slot) = slot else { return PyString::from_bytes(py, key) };
        if let Some(string) = &slot.string
            && slot.bytes.get(..slot.len) == Some(key)
        {
            return Ok(string.bind(py).clone());
        }
        let string = PyString::from_bytes(py, key)?;
        slot.string = Some(string.clone().unbind());
        slot.len = key.len();
        slot.bytes.iter_mut().zip(key).for_each(|(place, byte)| *place = *byte);
        Ok(string)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        KEYS.set(std::mem::take(&mut self.slots));
    }
}

/// By the bytes at both ends, of which keys have more than a few that differ.
#[inline]
fn hash(key: &[u8]) -> u64 {
    let (first, last) = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (key.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
    };
    let mixed = first ^ last.rotate_left(23) ^ key.len() as u64;
    mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48
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
    Error::without_place(lengthwise::ErrorKind::Limit, "python", found, "at most sys.get_int_max_str_digits()")
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

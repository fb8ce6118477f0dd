//! PON: `loads` and `dumps`.

use lengthwise::pon::{Items, Kind, Members, Value};
use lengthwise::tam::Table;
use lengthwise::{Error, ErrorKind, Limits, pon};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyList, PyString};

use crate::assemble::{Keys, integer};
use crate::error::Failure;
use crate::from_python::{self, Form};
use crate::input::Input;
use crate::options::{self, LimitsArgument};
use crate::typed::converted;

/// Reads a PON message.
#[pyfunction]
#[pyo3(signature = (data, /, *, r#type=None, limits=None))]
pub(crate) fn loads<'p>(
    py: Python<'p>,
    data: Input<'p>,
    r#type: Option<Bound<'p, PyAny>>,
    limits: Option<LimitsArgument>,
) -> Result<Bound<'p, PyAny>, Failure> {
    let limits = options::limits(limits)?;
    let message = data.as_slice();
    let object = match whole(message, &limits) {
        Ok(root) => Reader::new(py, &limits).object(root),
        Err(error) => Err(error.into()),
    };
    let object = object.map_err(|failure| explained(failure, message, &limits))?;
    Ok(converted(object, r#type.as_ref(), "pon")?)
}

fn whole<'m>(message: &'m [u8], limits: &Limits) -> Result<Value<'m>, Error> {
    if message.len() > limits.message_bytes as usize {
        let bound = limits.message_bytes.into();
        return Err(Error::limit("pon", bound, "a longer message", "message_bytes", bound));
    }
    Value::new(message)
}

/// The error that reading the whole message gives, which has a path, if it gives one.
#[cold]
pub(crate) fn explained(failure: Failure, message: &[u8], limits: &Limits) -> Failure {
    let Failure::Message(_) = failure else { return failure };
    match pon::read(message, &pon::Options::default().with_limits(*limits), &mut Table::new()) {
        Ok(_) => failure,
        Err(error) => error.into(),
    }
}

/// Writes an object as a PON message.
#[pyfunction]
#[pyo3(signature = (obj, /, *, default=None))]
pub(crate) fn dumps<'p>(
    obj: &Bound<'p, PyAny>,
    default: Option<&Bound<'p, PyAny>>,
) -> Result<Bound<'p, PyBytes>, Failure> {
    crate::dumps::dumps(obj, default).map_err(|failure| match failure {
        // The same error has its path where the object is gone through from its front. What is too large is too large for that.
        Failure::Message(error) if error.kind() == ErrorKind::Limit => Failure::Message(error),
        Failure::Message(_) => {
            from_python::fill(obj, Form::Values, default, &mut Table::new()).err().unwrap_or(failure)
        }
        failure => failure,
    })
}

/// Makes objects of values. Containers that are open are on a stack of its own.
pub(crate) struct Reader<'p, 'm> {
    py: Python<'p>,
    keys: Keys,
    outer: Vec<Frame<'p, 'm>>,
    depth: usize,
    units_left: u32,
}

/// A container that is being read.
enum Frame<'p, 'm> {
    Object { dict: Bound<'p, PyDict>, members: Members<'m>, count: usize, at: usize },
    Array { list: Bound<'p, PyList>, items: Items<'m> },
}

impl<'p, 'm> Reader<'p, 'm> {
    pub(crate) fn new(py: Python<'p>, limits: &Limits) -> Reader<'p, 'm> {
        let depth = limits.depth as usize;
        Reader { py, keys: Keys::new(), outer: Vec::new(), depth, units_left: limits.units }
    }

    /// The object of a value. Everything in it is checked.
    pub(crate) fn object(&mut self, root: Value<'m>) -> Result<Bound<'p, PyAny>, Failure> {
        let (object, mut content) = match self.container(root)? {
            Some((object, frame)) => (object, Some(frame)),
            None => (scalar(self.py, root)?, None),
        };
        while let Some(mut frame) = content {
            let inner = match &mut frame {
                Frame::Object { dict, members, count, at } => self.members(dict, members, count, *at)?,
                Frame::Array { list, items } => self.items(list, items)?,
            };
            content = match inner {
                Some(inner) if self.outer.len() + 1 >= self.depth => return Err(beyond(inner.place(), "depth")),
                Some(inner) => {
                    self.outer.push(frame);
                    Some(inner)
                }
                None => self.outer.pop(),
            };
        }
        Ok(object)
    }

    /// Adds members up to a container, which it returns.
    #[inline]
    fn members(
        &mut self,
        dict: &Bound<'p, PyDict>,
        members: &mut Members<'m>,
        count: &mut usize,
        at: usize,
    ) -> Result<Option<Frame<'p, 'm>>, Failure> {
        for member in members {
            let (key, value) = member?;
            let key = match key.as_str() {
                Some(plain) => self.keys.get(self.py, plain.as_bytes())?,
                None => PyString::new(self.py, &key.to_cow()),
            };
            *count += 1;
            if let Some((inner, frame)) = self.container(value)? {
                dict.set_item(key, inner)?;
                return Ok(Some(frame));
            }
            dict.set_item(key, scalar(self.py, value)?)?;
        }
        if dict.len() < *count { Err(repeated_key("pon", at, "").into()) } else { Ok(None) }
    }

    /// Adds items up to a container, which it returns.
    #[inline]
    fn items(&mut self, list: &Bound<'p, PyList>, items: &mut Items<'m>) -> Result<Option<Frame<'p, 'm>>, Failure> {
        for item in items {
            let item = item?;
            if let Some((inner, frame)) = self.container(item)? {
                list.append(inner)?;
                return Ok(Some(frame));
            }
            list.append(scalar(self.py, item)?)?;
        }
        Ok(None)
    }

    /// Counts a value. If it is a container: its object, which is still empty, and what is to be read into it.
    #[inline]
    fn container(&mut self, value: Value<'m>) -> Result<Option<(Bound<'p, PyAny>, Frame<'p, 'm>)>, Failure> {
        match self.units_left.checked_sub(1) {
            Some(left) => self.units_left = left,
            None => return Err(beyond(value.offset(), "units")),
        }
        Ok(match value.kind() {
            Kind::Object => {
                let dict = PyDict::new(self.py);
                let object = dict.clone().into_any();
                Some((object, Frame::Object { dict, members: value.members(), count: 0, at: value.offset() }))
            }
            Kind::Array => {
                let list = PyList::empty(self.py);
                let object = list.clone().into_any();
                Some((object, Frame::Array { list, items: value.items() }))
            }
            _ => None,
        })
    }
}

impl Frame<'_, '_> {
    /// About where it begins.
    fn place(&self) -> usize {
        match self {
            Frame::Object { at, .. } => *at,
            Frame::Array { .. } => 0,
        }
    }
}

/// The object of a value that holds no others.
#[inline]
pub(crate) fn scalar<'p>(py: Python<'p>, value: Value<'_>) -> Result<Bound<'p, PyAny>, Failure> {
    Ok(match value.kind() {
        Kind::String => match PyString::from_bytes(py, value.data()) {
            Ok(text) => text.into_any(),
            Err(error) => return Err(value.as_str().err().map_or(error.into(), Failure::from)),
        },
        Kind::Integer => match value.as_i64() {
            Ok(number) => number.into_pyobject(py)?.into_any(),
            Err(_) => integer(py, value.as_str()?.as_bytes())?,
        },
        Kind::Float => PyFloat::new(py, value.as_f64()?).into_any(),
        Kind::Boolean => PyBool::new(py, value.as_bool()?).to_owned().into_any(),
        Kind::Binary => PyBytes::new(py, value.data()).into_any(),
        Kind::Char => PyString::new(py, value.as_char()?.encode_utf8(&mut [0; 4])).into_any(),
        Kind::Byte => value.as_byte()?.into_pyobject(py)?.into_any(),
        Kind::Null | Kind::Object | Kind::Array => py.None().into_bound(py),
    })
}

/// The error of a limit. [`explained`] finds the same, with its place.
#[cold]
fn beyond(at: usize, limit: &'static str) -> Failure {
    Error::limit("pon", at as u64, "a larger message", limit, 0).into()
}

/// The error of an object that has a key twice, of which a dict keeps one.
#[cold]
pub(crate) fn repeated_key(format: &'static str, at: usize, path: &str) -> Error {
    let expected = "each key once: a dict cannot hold the others, a Document can";
    Error::new(ErrorKind::Unsupported, format, at as u64, "a key that an object has twice", expected).in_path(path)
}

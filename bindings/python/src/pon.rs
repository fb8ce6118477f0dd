//! PON: `loads` and `dumps`.

use std::borrow::Cow;

use lengthwise::pon::{Items, Kind, Members, Value};
use lengthwise::tam::Table;
use lengthwise::{Error, ErrorKind, Limits, pon};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyString};

use crate::assemble::integer;
use crate::error::Failure;
use crate::from_python::{self, Form};
use crate::input::Input;
use crate::objects::{self, repeated_key};
use crate::options::{self, LimitsArgument};

#[doc = doc!("pon_loads")]
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
    object(py, whole(message, &limits), r#type.as_ref(), &limits)
        .map_err(|failure| explained(failure, message, &limits))
}

/// The object of a value, of a type if one is asked for.
pub(crate) fn object<'p>(
    py: Python<'p>,
    root: Result<Value<'_>, Error>,
    class: Option<&Bound<'p, PyAny>>,
    limits: &Limits,
) -> Result<Bound<'p, PyAny>, Failure> {
    objects::object(py, root?, class, Some(limits), "pon")
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

#[doc = doc!("pon_dumps")]
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

impl<'m> objects::Value for Value<'m> {
    type Key = pon::Key<'m>;
    type Members = Object<'m>;
    type Items = Items<'m>;

    #[inline]
    fn kind(&self) -> objects::Kind {
        match Value::kind(*self) {
            Kind::Null => objects::Kind::Null,
            Kind::Boolean => objects::Kind::Boolean,
            Kind::Integer => objects::Kind::Integer,
            Kind::Float => objects::Kind::Float,
            Kind::String => objects::Kind::String,
            Kind::Binary => objects::Kind::Binary,
            Kind::Char => objects::Kind::Char,
            Kind::Byte => objects::Kind::Byte,
            Kind::Array => objects::Kind::Array,
            Kind::Object => objects::Kind::Object,
        }
    }

    #[inline]
    fn scalar<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyAny>, Failure> {
        scalar(py, *self)
    }

    fn number(&self) -> Option<&str> {
        matches!(Value::kind(*self), Kind::Integer | Kind::Float).then(|| self.as_str().ok()).flatten()
    }

    #[inline]
    fn members(&self) -> Result<Object<'m>, Error> {
        Ok(Object { members: Value::members(*self), at: self.offset() })
    }

    #[inline]
    fn items(&self) -> Result<Items<'m>, Error> {
        Ok(Value::items(*self))
    }

    fn repeated_key(members: &Object<'m>) -> Error {
        repeated_key("pon", members.at, "")
    }
}

/// The members of an object, and its position in the message.
pub(crate) struct Object<'m> {
    members: Members<'m>,
    at: usize,
}

impl<'m> Iterator for Object<'m> {
    type Item = Result<(pon::Key<'m>, Value<'m>), Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.members.next()
    }
}

impl objects::Key for pon::Key<'_> {
    #[inline]
    fn text(&self) -> Cow<'_, [u8]> {
        match self.as_str() {
            Some(plain) => Cow::Borrowed(plain.as_bytes()),
            None => Cow::Owned(self.to_cow().into_owned().into_bytes()),
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

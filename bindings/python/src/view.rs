//! `pon.View`: a lazy look into a PON message.

use std::sync::{Mutex, PoisonError};
use std::vec::IntoIter;

use lengthwise::pon::{Kind, Place, Value};
use lengthwise::{Error, Limits};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PySlice, PyString, PyType};

use crate::document::{index_in, slice};
use crate::error::Failure;
use crate::input::Input;
use crate::pon::{object, scalar};

/// The key and the value of a member.
type Item<'p> = (Bound<'p, PyString>, Bound<'p, PyAny>);

#[doc = doc!("View")]
#[pyclass(frozen, module = "lengthwise.pon")]
pub(crate) struct View {
    message: Py<PyBytes>,
    place: Place,
}

impl View {
    fn value<'a>(&'a self, py: Python<'a>) -> Result<Value<'a>, Error> {
        // The place is one of this message, which never changes.
        match Value::at_place(self.message.as_bytes(py), self.place) {
            Some(value) => Ok(value),
            None => Value::new(self.message.as_bytes(py)),
        }
    }

    /// What a value is for Python: containers are views, octets are not copied.
    fn object<'p>(&self, py: Python<'p>, value: Value<'_>) -> Result<Bound<'p, PyAny>, Failure> {
        match value.kind() {
            Kind::Object | Kind::Array => {
                let view = View { message: self.message.clone_ref(py), place: value.place() };
                Ok(Bound::new(py, view)?.into_any())
            }
            Kind::Binary => Ok(slice(self.message.bind(py), value.offset(), value.data().len())?),
            _ => scalar(py, value),
        }
    }

    fn find<'a>(&'a self, py: Python<'a>, key: &Bound<'_, PyAny>) -> Result<Option<Value<'a>>, Failure> {
        let value = self.value(py)?;
        if let Ok(text) = key.cast::<PyString>() {
            let text = text.to_str()?;
            return Ok(match (text.starts_with('/'), value.kind()) {
                (true, _) => value.find(text)?,
                (false, Kind::Object) => value.get(text)?,
                (false, _) => return Err(PyTypeError::new_err("an array has indexes, not keys").into()),
            });
        }
        let Ok(index) = key.extract::<isize>() else {
            return Err(PyTypeError::new_err("expected a key, a path or an index").into());
        };
        if value.kind() != Kind::Array {
            return Err(PyTypeError::new_err("an object has keys, not indexes").into());
        }
        let index = match usize::try_from(index) {
            Ok(index) => index,
            Err(_) => index_in(index, count(value)?)?,
        };
        Ok(value.at(index)?)
    }
}

#[pymethods]
impl View {
    #[new]
    fn new<'p>(py: Python<'p>, data: Input<'p>) -> Result<View, Failure> {
        let message = data.into_bytes(py);
        let root = Value::new(message.as_bytes())?;
        if !matches!(root.kind(), Kind::Object | Kind::Array) {
            return Err(PyTypeError::new_err("the message is no object and no array: use loads").into());
        }
        Ok(View { place: root.place(), message: message.unbind() })
    }

    #[doc = doc!("View.kind")]
    #[getter]
    fn kind(&self, py: Python<'_>) -> Result<&'static str, Failure> {
        Ok(if self.value(py)?.kind() == Kind::Object { "object" } else { "array" })
    }

    /// The value of a key, at an index, or at a path that begins with `/`.
    fn __getitem__<'p>(&self, py: Python<'p>, key: &Bound<'p, PyAny>) -> Result<Bound<'p, PyAny>, Failure> {
        if key.cast::<PySlice>().is_ok() && self.value(py)?.kind() == Kind::Array {
            return Ok(PyList::new(py, self.values(py)?)?.into_any().get_item(key)?);
        }
        match self.find(py, key)? {
            Some(value) => self.object(py, value),
            None if key.cast::<PyString>().is_ok() => Err(PyKeyError::new_err(key.clone().unbind()).into()),
            None => Err(pyo3::exceptions::PyIndexError::new_err("index out of range").into()),
        }
    }

    #[doc = doc!("View.get")]
    #[pyo3(signature = (key, default=None))]
    fn get<'p>(
        &self,
        py: Python<'p>,
        key: &Bound<'p, PyAny>,
        default: Option<Bound<'p, PyAny>>,
    ) -> Result<Bound<'p, PyAny>, Failure> {
        match self.find(py, key)? {
            Some(value) => self.object(py, value),
            None => Ok(default.unwrap_or_else(|| py.None().into_bound(py))),
        }
    }

    /// Whether an object has a key, or a path leads to a value; whether an array has an item.
    fn __contains__<'p>(&self, py: Python<'p>, key: &Bound<'p, PyAny>) -> Result<bool, Failure> {
        let is_path = key.cast::<PyString>().is_ok_and(|key| key.to_str().is_ok_and(|key| key.starts_with('/')));
        if self.value(py)?.kind() == Kind::Array && !is_path {
            return Ok(PyList::new(py, self.values(py)?)?.contains(key)?);
        }
        Ok(key.cast::<PyString>().is_ok() && self.find(py, key)?.is_some())
    }

    /// The number of members or items, which are counted.
    fn __len__(&self, py: Python<'_>) -> Result<usize, Failure> {
        Ok(count(self.value(py)?)?)
    }

    fn __bool__(&self, py: Python<'_>) -> Result<bool, Failure> {
        Ok(!self.value(py)?.data().is_empty())
    }

    #[doc = doc!("View.keys")]
    fn keys<'p>(&self, py: Python<'p>) -> Result<Vec<Bound<'p, PyString>>, Failure> {
        let value = self.value(py)?;
        value.record()?;
        let keys = value.members().map(|member| Ok(PyString::new(py, &member?.0.to_cow())));
        keys.collect()
    }

    #[doc = doc!("View.values")]
    fn values<'p>(&self, py: Python<'p>) -> Result<Vec<Bound<'p, PyAny>>, Failure> {
        let value = self.value(py)?;
        match value.kind() {
            Kind::Object => value.members().map(|member| self.object(py, member?.1)).collect(),
            _ => value.items().map(|item| self.object(py, item?)).collect(),
        }
    }

    #[doc = doc!("View.items")]
    fn items<'p>(&self, py: Python<'p>) -> Result<Vec<Item<'p>>, Failure> {
        let value = self.value(py)?;
        value.record()?;
        let items = value.members().map(|member| {
            let (key, value) = member?;
            Ok((PyString::new(py, &key.to_cow()), self.object(py, value)?))
        });
        items.collect()
    }

    /// The keys of an object, the items of an array.
    fn __iter__<'p>(slf: &Bound<'p, View>) -> Result<Bound<'p, PyAny>, Failure> {
        each(slf, false)
    }

    /// The same from the last to the first.
    fn __reversed__<'p>(slf: &Bound<'p, View>) -> Result<Bound<'p, PyAny>, Failure> {
        each(slf, true)
    }

    /// For pickle and copy: a view of a message that has this value alone.
    fn __reduce__<'p>(&self, py: Python<'p>) -> Result<(Bound<'p, PyType>, (Bound<'p, PyBytes>,)), Failure> {
        let value = self.value(py)?;
        let mark = if value.kind() == Kind::Object { '{' } else { '[' };
        let message = [format!("{}{mark}", value.data().len()).as_bytes(), value.data()].concat();
        Ok((py.get_type::<View>(), (PyBytes::new(py, &message),)))
    }

    #[doc = doc!("View.to_python")]
    fn to_python<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyAny>, Failure> {
        object(py, self.value(py), None, &Limits::default())
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String, Failure> {
        let value = self.value(py)?;
        Ok(format!("<lengthwise.pon.View: {} of {} bytes>", value.kind(), value.data().len()))
    }
}

/// The keys of an object or the items of an array, one after the other.
fn each<'p>(of: &Bound<'p, View>, is_reversed: bool) -> Result<Bound<'p, PyAny>, Failure> {
    let (py, view) = (of.py(), of.get());
    let value = view.value(py)?;
    if value.kind() == Kind::Object {
        let mut keys = view.keys(py)?;
        if is_reversed {
            keys.reverse();
        }
        return Ok(PyList::new(py, keys)?.try_iter()?.into_any());
    }
    let mut places = value.items().map(|item| Ok(item?.place())).collect::<Result<Vec<Place>, Error>>()?;
    if is_reversed {
        places.reverse();
    }
    let items = Items { view: of.clone().unbind(), places: Mutex::new(places.into_iter()) };
    Ok(Bound::new(py, items)?.into_any())
}

/// The items of an array, each made when it is its turn.
#[pyclass(frozen)]
struct Items {
    view: Py<View>,
    places: Mutex<IntoIter<Place>>,
}

#[pymethods]
impl Items {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'p>(&self, py: Python<'p>) -> Result<Option<Bound<'p, PyAny>>, Failure> {
        let next = self.places.lock().unwrap_or_else(PoisonError::into_inner).next();
        let view = self.view.bind(py).get();
        let value = next.and_then(|place| Value::at_place(view.message.as_bytes(py), place));
        value.map(|value| view.object(py, value)).transpose()
    }
}

/// The number of members or items.
fn count(value: Value<'_>) -> Result<usize, Error> {
    match value.kind() {
        Kind::Object => value.members().try_fold(0, |count, member| member.map(|_| count + 1)),
        _ => value.items().try_fold(0, |count, item| item.map(|_| count + 1)),
    }
}

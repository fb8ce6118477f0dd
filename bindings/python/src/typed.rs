//! Objects of classes, which the module `lengthwise._typed` makes of others and takes apart.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};

/// What is known of so many classes and types is kept.
const MOST: usize = 1000;

/// The object as one of a type, if one is asked for.
pub(crate) fn converted<'p>(
    object: Bound<'p, PyAny>,
    class: Option<&Bound<'p, PyAny>>,
    format: &str,
    has_bounded_sets: bool,
) -> PyResult<Bound<'p, PyAny>> {
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    match class {
        None => Ok(object),
        Some(class) => CONVERT.import(object.py(), "lengthwise._typed", "convert")?.call1((
            object,
            class,
            format,
            has_bounded_sets,
        )),
    }
}

/// What an object of a class holds; `None` if nothing is known of the class. With `drops_none`, without members that are `None`.
/// More is known `inside` of objects of classes.
pub(crate) fn simpler<'p>(
    object: &Bound<'p, PyAny>,
    drops_none: bool,
    inside: bool,
) -> PyResult<Option<Bound<'p, PyAny>>> {
    static BUILTINS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let simpler = BUILTINS.import(py, "lengthwise._typed", "builtins")?.call1((object, drops_none, inside))?;
    Ok(Some(simpler).filter(|simpler| !simpler.is(py.NotImplemented())))
}

/// What a key that is no string is written as, in an object of a class.
pub(crate) fn key<'p>(key: &Bound<'p, PyAny>) -> PyResult<Bound<'p, PyAny>> {
    static KEY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    KEY.import(key.py(), "lengthwise._typed", "key")?.call1((key,))
}

/// The attributes of a class that are written as members, with the keys of these, and whether all of them must be there; none
/// if it takes more to write its objects.
#[pyclass(frozen)]
pub(crate) struct Fields(pub(crate) Option<(bool, Vec<Field>)>);

/// An attribute and its key.
pub(crate) type Field = (Py<PyString>, Py<PyString>);

impl Fields {
    /// Those of a class.
    pub(crate) fn of<'p>(class: &Bound<'p, PyType>) -> PyResult<Bound<'p, Fields>> {
        static KNOWN: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
        kept(&KNOWN, (&address(class)?, class), "fields", |made| Ok(Fields(made.extract()?)))
    }

    /// The value of a field that is not there.
    pub(crate) fn unset(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
        static UNSET: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        UNSET.import(py, "lengthwise._typed", "UNSET")
    }
}

/// Where an object is.
pub(crate) fn address<'p>(object: &Bound<'p, PyAny>) -> PyResult<Bound<'p, PyAny>> {
    Ok((object.as_ptr() as usize).into_pyobject(object.py())?.into_any())
}

/// What a function of `lengthwise._typed` says of a class or type, made into an object once, and kept with that, under a key.
pub(crate) fn kept<'p, T: PyClass + Into<PyClassInitializer<T>>>(
    known: &PyOnceLock<Py<PyDict>>,
    (key, of): (&Bound<'p, PyAny>, &Bound<'p, PyAny>),
    function: &str,
    make: impl FnOnce(Bound<'p, PyAny>) -> PyResult<T>,
) -> PyResult<Bound<'p, T>> {
    let py = of.py();
    let known = known.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    if let Some(found) = known.get_item(key)? {
        return Ok(found.get_item(1)?.cast_into::<T>()?);
    }
    let made = Bound::new(py, make(py.import("lengthwise._typed")?.call_method1(function, (of,))?)?)?;
    if known.len() >= MOST {
        known.clear();
    }
    known.set_item(key, (of, &made))?;
    Ok(made)
}

//! Objects of classes, which the module `lengthwise._typed` makes of others and takes apart.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;

/// The object as one of a type, if one is asked for.
pub(crate) fn converted<'p>(
    object: Bound<'p, PyAny>,
    class: Option<&Bound<'p, PyAny>>,
    format: &str,
) -> PyResult<Bound<'p, PyAny>> {
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    match class {
        None => Ok(object),
        Some(class) => CONVERT.import(object.py(), "lengthwise._typed", "convert")?.call1((object, class, format)),
    }
}

/// What an object of a class holds; `None` if nothing is known of the class. With `drops_none`, without members that are `None`.
pub(crate) fn simpler<'p>(object: &Bound<'p, PyAny>, drops_none: bool) -> PyResult<Option<Bound<'p, PyAny>>> {
    static BUILTINS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let simpler = BUILTINS.import(py, "lengthwise._typed", "builtins")?.call1((object, drops_none))?;
    Ok(Some(simpler).filter(|simpler| !simpler.is(py.NotImplemented())))
}

/// What objects of one class hold; `None` if nothing is known of it, or of something in them.
pub(crate) fn simpler_run<'p>(objects: &[Bound<'p, PyAny>]) -> PyResult<Option<Vec<Bound<'p, PyAny>>>> {
    static BUILTINS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(first) = objects.first() else { return Ok(None) };
    let py = first.py();
    let simpler = BUILTINS.import(py, "lengthwise._typed", "builtins_run")?.call1((PyList::new(py, objects)?,))?;
    Ok(simpler.cast_into::<PyList>().ok().map(|simpler| simpler.iter().collect()))
}

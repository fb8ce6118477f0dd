//! `Batch`: messages as Arrow columns.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field};
use lengthwise::asn1::NodeId;
use lengthwise::tam::Words;
use lengthwise::{Columns, Error, ErrorKind, Format, Options};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyCapsule, PyList, PyTuple};
use pyo3_arrow::ffi::{to_array_pycapsules, to_schema_pycapsule};
use pyo3_arrow::{PyArray, PyChunkedArray, PyRecordBatch, PyTable};

use crate::error::{self, Failure, argument};

/// What to do with a message that is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnError {
    /// Raise its error.
    Raise,
    /// Its row is null.
    Null,
    /// It has no row; its error is collected.
    Collect,
}

impl OnError {
    pub(crate) fn from_name(name: &str) -> Result<OnError, Error> {
        match name {
            "raise" => Ok(OnError::Raise),
            "null" => Ok(OnError::Null),
            "collect" => Ok(OnError::Collect),
            other => Err(argument(format!("errors='{other}'"), "raise, null or collect")),
        }
    }
}

/// Messages in a sequence of `bytes` and `None`, or in a binary array of Arrow.
pub(crate) enum Messages<'p> {
    Objects(Vec<Option<Bound<'p, PyBytes>>>),
    Arrays(Vec<ArrayRef>),
}

impl<'p> FromPyObject<'_, 'p> for Messages<'p> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'p, PyAny>) -> PyResult<Messages<'p>> {
        if object.hasattr("__arrow_c_array__")? {
            return Ok(Messages::Arrays(vec![object.extract::<PyArray>()?.into_inner().0]));
        }
        if object.hasattr("__arrow_c_stream__")? {
            return Ok(Messages::Arrays(object.extract::<PyChunkedArray>()?.into_inner().0));
        }
        let objects = object.try_iter()?.map(|item| match item? {
            none if none.is_none() => Ok(None),
            item => item
                .cast_into::<PyBytes>()
                .map(Some)
                .map_err(|_| PyTypeError::new_err("expected messages of bytes, or an Arrow array of binary data")),
        });
        objects.collect::<PyResult<_>>().map(Messages::Objects)
    }
}

impl Messages<'_> {
    /// The bytes of each message; null has none.
    pub(crate) fn slices(&self) -> Result<Vec<Option<&[u8]>>, Error> {
        let arrays = match self {
            Messages::Objects(objects) => {
                return Ok(objects.iter().map(|bytes| bytes.as_ref().map(|bytes| bytes.as_bytes())).collect());
            }
            Messages::Arrays(arrays) => arrays,
        };
        let mut slices = Vec::new();
        for array in arrays {
            match array.data_type() {
                DataType::Binary => slices.extend(array.as_binary::<i32>()),
                DataType::LargeBinary => slices.extend(array.as_binary::<i64>()),
                DataType::BinaryView => slices.extend(array.as_binary_view()),
                DataType::FixedSizeBinary(_) => slices.extend(array.as_fixed_size_binary()),
                other => return Err(argument(format!("an array of {other}"), "an array of binary data")),
            }
        }
        Ok(slices)
    }
}

/// Takes over a table. Version 59 of Arrow, which pyo3-arrow needs, panics at a slice of structs in structs (see
/// [`lengthwise::columns::rows`]), and refuses columns of nulls that have a buffer, as those of polars do. The same table in another
/// layout is then asked for.
fn taken(table: Borrowed<'_, '_, PyAny>) -> PyResult<Rows> {
    let take = |table: Borrowed<'_, '_, PyAny>| match table.hasattr("__arrow_c_array__")? {
        true => Ok(Rows(vec![table.extract::<PyRecordBatch>()?.into_inner()])),
        false => Ok(Rows(table.extract::<PyTable>()?.into_inner().0)),
    };
    quietly(|| take(table)).or_else(|refused| {
        static AGAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let again = AGAIN.import(table.py(), "lengthwise._arrow", "again")?.call1((table,))?;
        if again.is_none() { Err(refused) } else { quietly(|| take(again.as_borrowed())) }
    })
}

/// Does some work, whose panic is an error and not printed.
fn quietly<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    static HOOK: Once = Once::new();
    thread_local! { static IS_QUIET: Cell<bool> = const { Cell::new(false) } }
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                usual(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(false);
    done.unwrap_or_else(|_| {
        Err(Failure::from(argument("a slice of structs in structs", "all rows, or pyarrow, which copies them")).into())
    })
}

/// A table whose rows become messages: one batch, or a stream of them.
pub(crate) struct Rows(Vec<RecordBatch>);

impl FromPyObject<'_, '_> for Rows {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Rows> {
        if object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")? {
            return taken(object);
        }
        Err(PyTypeError::new_err("expected a table of Arrow: of pyarrow, polars, pandas and others, or a Batch"))
    }
}

impl Rows {
    /// The message of each row. Errors have its number in their path.
    pub(crate) fn messages(&self, format: Format, root: NodeId, options: &Options<'_>) -> Result<Vec<Vec<u8>>, Error> {
        let mut messages = Vec::new();
        for batch in &self.0 {
            let mut rows = lengthwise::Rows::new(format, root, options, batch.schema_ref())?;
            for row in 0..batch.num_rows() {
                let mut message = Vec::new();
                rows.append(batch, row, &mut message).map_err(|error| {
                    let path = format!("/{}{}", messages.len(), error.path());
                    error.in_path(path)
                })?;
                messages.push(message);
            }
        }
        Ok(messages)
    }
}

#[doc = doc!("Batch")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct Batch {
    pub(crate) batch: RecordBatch,
    /// The messages that were refused, by their place among all.
    pub(crate) errors: Vec<(usize, Error)>,
    /// Their bytes, if they are from a file.
    pub(crate) refused: Vec<Vec<u8>>,
}

impl Batch {
    /// Reads messages. No object of Python is touched.
    pub(crate) fn read(
        mut columns: Columns<'_>,
        messages: &[Option<&[u8]>],
        format: Format,
        on_error: OnError,
    ) -> Result<Batch, Error> {
        let mut errors = Vec::new();
        for (place, message) in messages.iter().enumerate() {
            let read = match message {
                Some(message) => columns.push(message, format),
                None => columns.push_null(),
            };
            let Err(error) = read else { continue };
            match on_error {
                OnError::Raise => {
                    let path = format!("/{place}{}", error.path());
                    return Err(error.in_path(path));
                }
                OnError::Null => columns.push_null()?,
                OnError::Collect => {}
            }
            errors.push((place, error));
        }
        Ok(Batch { batch: columns.finish().map_err(|error| arrow(&error))?, errors, refused: Vec::new() })
    }

    fn record(&self) -> StructArray {
        StructArray::from(self.batch.clone())
    }
}

/// The error of Arrow, which columns of ours do not cause.
pub(crate) fn arrow(error: &ArrowError) -> Error {
    Error::new(ErrorKind::Unsupported, "columns", 0, Words::Own(error.to_string()), "")
}

#[pymethods]
impl Batch {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    #[doc = doc!("Batch.column_names")]
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    #[doc = doc!("Batch.errors")]
    #[getter]
    fn errors<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyList>> {
        let errors = self.errors.iter().map(|(place, error)| Ok((*place, error::object(py, error)?)));
        PyList::new(py, errors.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = doc!("Batch.refused")]
    #[getter]
    fn refused<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyList>> {
        PyList::new(py, self.refused.iter().map(|message| PyBytes::new(py, message)))
    }

    fn __arrow_c_schema__<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyCapsule>, Failure> {
        Ok(to_schema_pycapsule(py, &**self.batch.schema_ref())?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'p>(
        &self,
        py: Python<'p>,
        requested_schema: Option<Bound<'p, PyCapsule>>,
    ) -> Result<Bound<'p, PyTuple>, Failure> {
        let record = self.record();
        let field = Arc::new(Field::new("", record.data_type().clone(), false));
        Ok(to_array_pycapsules(py, field, &record, requested_schema)?)
    }

    /// A column, as an object with the Arrow PyCapsule interface.
    fn __getitem__(&self, name: &str) -> PyResult<Column> {
        match self.batch.schema_ref().column_with_name(name) {
            Some((index, field)) => {
                Ok(Column { array: self.batch.column(index).clone(), field: Arc::new(field.clone()) })
            }
            None => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    fn __repr__(&self) -> String {
        let (rows, errors) = (self.batch.num_rows(), self.errors.len());
        format!("<lengthwise.Batch: {rows} rows of {} columns, {errors} errors>", self.batch.num_columns())
    }
}

#[doc = doc!("Column")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct Column {
    array: ArrayRef,
    field: Arc<Field>,
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __arrow_c_schema__<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyCapsule>, Failure> {
        Ok(to_schema_pycapsule(py, &*self.field)?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'p>(
        &self,
        py: Python<'p>,
        requested_schema: Option<Bound<'p, PyCapsule>>,
    ) -> Result<Bound<'p, PyTuple>, Failure> {
        Ok(to_array_pycapsules(py, self.field.clone(), &self.array, requested_schema)?)
    }
}

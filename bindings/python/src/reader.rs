//! `BatchReader`: the messages of a file, batch by batch.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{ArrowError, Field, FieldRef};
use compress::Method;
use frames::{Frames, Place};
use lengthwise::asn1::NodeId;
use lengthwise::{Columns, Error, ErrorKind, Format, Limits};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use pyo3_arrow::ffi::{ArrayReader, to_schema_pycapsule, to_stream_pycapsule};

use crate::batch::{Batch, OnError, arrow};
use crate::error::{Failure, exception, object};
use crate::schema::{Chosen, Schema};

#[doc = doc!("BatchReader")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct BatchReader {
    source: Arc<Source>,
}

/// How messages are read, and where they come from.
pub(crate) struct Source {
    pub(crate) schema: Py<Schema>,
    pub(crate) root: NodeId,
    pub(crate) format: Format,
    pub(crate) limits: Limits,
    pub(crate) chosen: Chosen,
    pub(crate) on_error: OnError,
    pub(crate) batch_size: usize,
    pub(crate) state: Mutex<State>,
}

/// What is left of the file.
pub(crate) struct State {
    /// `None` at the end, and after an error that was raised.
    frames: Option<Frames<'static>>,
    /// The number of messages that were met.
    met: usize,
    errors: Vec<(usize, Error)>,
    /// Where the message is whose error was raised.
    raised: Option<Place>,
}

/// The error for a file that cannot be read.
pub(crate) fn unread(path: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, "any", 0, format!("{}: {error}", path.display()), "a readable file")
}

impl State {
    /// The messages of a file, which are decompressed if they are compressed; or those that begin in a part of one that is not.
    pub(crate) fn of(path: &Path, part: Option<Range<u64>>, options: &frames::Options) -> Result<State, Error> {
        let unread = |error| unread(path, &error);
        let mut file = File::open(path).map_err(unread)?;
        let frames = match part {
            None => Frames::new(compress::decompressed(file, || None, &options.limits)?, options)?,
            Some(part) => {
                let mut start = Vec::new();
                file.by_ref().take(Method::SNIFFED as u64).read_to_end(&mut start).map_err(unread)?;
                if let Some(method) = Method::sniff(&start) {
                    let found = format!("a part of a file compressed by {method}");
                    return Err(Error::new(ErrorKind::Unsupported, "framing", 0, found, "all of it"));
                }
                Frames::of_part(file, part, options)?
            }
        };
        Ok(State { frames: Some(frames), met: 0, errors: Vec::new(), raised: None })
    }

    /// Looks at the first messages, at most so many, for as long as `look` says so. Those that cannot be read are passed over.
    pub(crate) fn sample(
        mut self,
        most: usize,
        look: &mut (dyn FnMut(&[u8]) -> Result<bool, Error> + Send),
    ) -> Result<(), Error> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        for _ in 0..most {
            match frames.next_frame() {
                Ok(Some(frame)) if !look(frame.bytes)? => break,
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => {}
            }
        }
        Ok(())
    }
}

impl Source {
    fn columns(&self) -> Result<Columns<'_>, Error> {
        self.schema.get().columns(self.format, self.root, self.limits, &self.chosen)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next batch. It touches no object of Python.
    fn next(&self) -> Result<Option<Batch>, Error> {
        let mut state = self.state();
        let mut columns = self.columns()?;
        let mut refused = Vec::new();
        let State { frames, met, errors, raised } = &mut *state;
        let before = errors.len();
        while columns.rows() < self.batch_size {
            let Some(source) = frames else { break };
            let (message, failed, at) = match source.next_frame() {
                Ok(Some(frame)) => (frame.bytes, columns.push(frame.bytes, self.format).err(), Some(frame.place)),
                Ok(None) => {
                    *frames = None;
                    break;
                }
                Err(error) => (&[][..], Some(error), None),
            };
            let place = *met;
            *met += 1;
            let Some(error) = failed else { continue };
            match self.on_error {
                OnError::Raise => {
                    (*frames, *raised) = (None, at);
                    let path = format!("/{place}{}", error.path());
                    return Err(error.in_path(path));
                }
                OnError::Null => columns.push_null()?,
                OnError::Collect => {}
            }
            refused.push(message.to_vec());
            errors.push((place, error));
        }
        if columns.rows() == 0 && refused.is_empty() {
            return Ok(None);
        }
        let batch = columns.finish().map_err(|error| arrow(&error))?;
        Ok(Some(Batch { batch, errors: errors.get(before..).unwrap_or_default().to_vec(), refused }))
    }

    /// The columns that batches have.
    fn field(&self) -> Result<FieldRef, Error> {
        let empty = self.columns()?.finish().map_err(|error| arrow(&error))?;
        let record = StructArray::from(empty);
        Ok(Arc::new(Field::new("", arrow_array::Array::data_type(&record).clone(), false)))
    }
}

impl BatchReader {
    pub(crate) fn new(source: Source) -> Result<BatchReader, Error> {
        source.columns()?;
        Ok(BatchReader { source: Arc::new(source) })
    }
}

#[pymethods]
impl BatchReader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Result<Option<Batch>, Failure> {
        py.detach(|| self.source.next()).map_err(|error| {
            let at = py.detach(|| self.source.state().raised.take());
            let raised = exception(py, &error);
            if let Some(at) = at {
                // The error is of the message, whose first byte is not that of the file.
                let note = format!("the message begins at {at} of the file");
                if let Err(failed) = raised.value(py).call_method1("add_note", (note,)) {
                    return failed.into();
                }
            }
            raised.into()
        })
    }

    #[doc = doc!("BatchReader.errors")]
    #[getter]
    fn errors<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyList>> {
        // The lock is not held while objects of Python are made.
        let known = py.detach(|| self.source.state().errors.clone());
        let errors = known.iter().map(|(place, error)| Ok((*place, object(py, error)?)));
        PyList::new(py, errors.collect::<PyResult<Vec<_>>>()?)
    }

    fn __arrow_c_schema__<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyCapsule>, Failure> {
        let field = py.detach(|| self.source.field())?;
        to_schema_pycapsule(py, &*field).map_err(Failure::from)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'p>(
        &self,
        py: Python<'p>,
        requested_schema: Option<Bound<'p, PyCapsule>>,
    ) -> Result<Bound<'p, PyCapsule>, Failure> {
        let field = py.detach(|| self.source.field())?;
        let stream = Stream { source: self.source.clone(), field };
        to_stream_pycapsule(py, Box::new(stream), requested_schema).map_err(Failure::from)
    }
}

/// The batches for other libraries.
struct Stream {
    source: Arc<Source>,
    field: FieldRef,
}

impl Iterator for Stream {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.source.next() {
            Ok(batch) => batch.map(|batch| Ok(Arc::new(StructArray::from(batch.batch)) as ArrayRef)),
            Err(error) => Some(Err(ArrowError::ExternalError(Box::new(error)))),
        }
    }
}

impl ArrayReader for Stream {
    fn field(&self) -> FieldRef {
        self.field.clone()
    }
}

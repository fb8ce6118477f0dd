//! `messages`: the messages of a file or a stream, one by one.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use frames::Frames;
use lengthwise::{Error, Types};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::{Failure, argument};
use crate::input::Input;
use crate::options::{self, LimitsArgument};
use crate::reader::unread;
use crate::schema::of_file;

/// Where messages come from.
pub(crate) enum Stream {
    Path(PathBuf),
    Bytes(Vec<u8>),
    /// An object that has `read`.
    File(Py<PyAny>),
}

impl FromPyObject<'_, '_> for Stream {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Stream> {
        if object.cast::<PyString>().is_ok() || object.hasattr("__fspath__")? {
            return object.extract().map(Stream::Path);
        }
        match object.hasattr("read")? {
            true => Ok(Stream::File(object.to_owned().unbind())),
            false => Ok(Stream::Bytes(object.extract::<Input<'_>>()?.as_slice().to_vec())),
        }
    }
}

/// A binary file of Python.
struct PythonFile(Py<PyAny>);

impl Read for PythonFile {
    /// What has arrived is enough, if the file can say so.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let file = self.0.bind(py);
            let read = if file.hasattr("read1")? { "read1" } else { "read" };
            let bytes = file.call_method1(read, (buffer.len(),))?.cast_into::<PyBytes>().map_err(PyErr::from)?;
            let bytes = bytes.as_bytes();
            buffer
                .get_mut(..bytes.len())
                .ok_or_else(|| io::Error::other("more bytes than asked for"))?
                .copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}

#[doc = doc!("Messages")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct Messages {
    source: Mutex<Source>,
}

/// The rest of the messages.
enum Source {
    /// Nothing has been read: the first byte may take time to arrive.
    New(Box<dyn Read + Send>, frames::Options),
    Open(Box<Frames<'static>>),
    /// It could not be opened.
    None,
}

impl Source {
    fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        if let Source::New(..) = self
            && let Source::New(reader, options) = mem::replace(self, Source::None)
        {
            *self = Source::Open(Box::new(Frames::new(
                compress::decompressed(reader, || None, &options.limits)?,
                &options,
            )?));
        }
        let Source::Open(frames) = self else { return Ok(None) };
        Ok(frames.next_frame()?.map(|frame| frame.bytes.to_vec()))
    }
}

#[pymethods]
impl Messages {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'p>(&self, py: Python<'p>) -> Result<Option<Bound<'p, PyBytes>>, Failure> {
        let next = || self.source.lock().unwrap_or_else(PoisonError::into_inner).next();
        Ok(py.detach(next)?.map(|message| PyBytes::new(py, &message)))
    }
}

#[doc = doc!("messages")]
#[pyfunction]
#[pyo3(signature = (source, *, framing=None, types=None, hex=false, port=None, limits=None))]
pub(crate) fn messages(
    source: Stream,
    framing: Option<&str>,
    types: Option<&str>,
    hex: bool,
    port: Option<&str>,
    limits: Option<LimitsArgument>,
) -> Result<Messages, Failure> {
    let path = if let Stream::Path(path) = &source { path } else { Path::new("") };
    let named = |name| Types::from_name(name).ok_or_else(|| argument(format!("types='{name}'"), "json, value or xml"));
    let types = types.map(named).transpose()?;
    let options = of_file(framing, path, hex, port, options::limits(limits)?)?.with_types(types.map(Types::set));
    let reader: Box<dyn Read + Send> = match source {
        Stream::Path(path) => Box::new(File::open(&path).map_err(|error| unread(&path, &error))?),
        Stream::Bytes(bytes) => Box::new(Cursor::new(bytes)),
        Stream::File(file) => Box::new(PythonFile(file)),
    };
    Ok(Messages { source: Mutex::new(Source::New(reader, options)) })
}

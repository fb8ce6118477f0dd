//! `Document`: what a message says, without a schema.

use lengthwise::Format;
use lengthwise::tam::{self, NotFound, Query, Table, TypeSet};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMemoryView, PySlice, PyString};

use crate::error::{Failure, argument};
use crate::input::Input;
use crate::options::{self, Given, LimitsArgument};
use crate::schema::Schema;
use crate::units;

#[doc = doc!("Document")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct Document {
    message: Py<PyBytes>,
    table: Table<'static>,
    types: Box<TypeSet>,
    format: Format,
}

impl Document {
    fn view<'a>(&'a self, py: Python<'a>) -> tam::Document<'a> {
        self.table.document(self.message.as_bytes(py), &self.types)
    }
}

#[pymethods]
impl Document {
    #[doc = doc!("Document.read")]
    #[staticmethod]
    #[pyo3(signature = (data, format=None, *, schema=None, limits=None, **options))]
    fn read<'p>(
        py: Python<'p>,
        data: Input<'p>,
        format: Option<&str>,
        schema: Option<&Bound<'p, Schema>>,
        limits: Option<LimitsArgument>,
        options: Option<&Bound<'p, PyDict>>,
    ) -> Result<Document, Failure> {
        let message = data.into_bytes(py);
        let bytes = message.as_bytes();
        let format = match format {
            Some(name) => options::format(name)?,
            None => Format::sniff(bytes)
                .ok_or_else(|| argument("a message that begins like none of the formats", "a name in `format`"))?,
        };
        let given = Given::of(options)?;
        let settings = given.settings(schema)?;
        let options = settings.options(Some(format), None)?.with_limits(options::limits(limits)?);
        let mut table = Table::new();
        let read = || {
            let document = lengthwise::read(bytes, format, &options, &mut table)?;
            // The text of a document may be outside of its message.
            let text = document.texts().0;
            let other = (text.as_ptr() != bytes.as_ptr()).then(|| text.to_vec());
            Ok::<_, lengthwise::Error>((Box::new(document.types().clone()), other))
        };
        let (types, other) = py.detach(read)?;
        let message = other.map_or(message, |text| PyBytes::new(py, &text)).unbind();
        Ok(Document { message, table, types, format })
    }

    #[doc = doc!("Document.format")]
    #[getter]
    fn format(&self) -> &'static str {
        self.format.as_str()
    }

    #[doc = doc!("Document.vocabulary")]
    #[getter]
    fn vocabulary(&self) -> &'static str {
        self.types.vocabulary().as_str()
    }

    #[doc = doc!("Document.units")]
    #[getter]
    fn units(&self, py: Python<'_>) -> usize {
        self.view(py).units()
    }

    #[doc = doc!("Document.root")]
    #[getter]
    fn root(slf: &Bound<'_, Document>) -> Option<Node> {
        let view = slf.get().view(slf.py());
        view.root().map(|root| Node::new(slf, &root))
    }

    #[doc = doc!("Document.get")]
    fn get(slf: &Bound<'_, Document>, path: &str) -> Result<Option<Node>, Failure> {
        let view = slf.get().view(slf.py());
        Ok(found(&view, path)?.ok().map(|node| Node::new(slf, &node)))
    }

    #[doc = doc!("Document.find_all")]
    fn find_all(slf: &Bound<'_, Document>, query: &str) -> Result<Vec<Node>, Failure> {
        let view = slf.get().view(slf.py());
        Ok(query.parse::<Query>()?.select(&view).iter().map(|node| Node::new(slf, node)).collect())
    }

    /// The unit at a path.
    fn __getitem__(slf: &Bound<'_, Document>, path: &str) -> Result<Node, Failure> {
        let view = slf.get().view(slf.py());
        match found(&view, path)? {
            Ok(node) => Ok(Node::new(slf, &node)),
            Err(missing) => Err(PyKeyError::new_err(missing.to_string()).into()),
        }
    }

    fn __contains__(&self, py: Python<'_>, path: &str) -> Result<bool, Failure> {
        Ok(found(&self.view(py), path)?.is_ok())
    }

    /// The outermost units.
    fn __iter__<'p>(slf: &Bound<'p, Document>) -> PyResult<Bound<'p, PyAny>> {
        let view = slf.get().view(slf.py());
        let roots: Vec<Node> = view.roots().map(|node| Node::new(slf, &node)).collect();
        Ok(PyList::new(slf.py(), roots)?.try_iter()?.into_any())
    }

    #[doc = doc!("Document.to")]
    #[pyo3(signature = (format, *, schema=None, **options))]
    fn to<'p>(
        &self,
        py: Python<'p>,
        format: &str,
        schema: Option<&Bound<'p, Schema>>,
        options: Option<&Bound<'p, PyDict>>,
    ) -> Result<Bound<'p, PyBytes>, Failure> {
        let format = options::format(format)?;
        let given = Given::of(options)?;
        let settings = given.settings(schema)?;
        let options = settings.options(None, Some(format))?;
        let view = self.view(py);
        let mut message = Vec::new();
        let counts = py.detach(|| lengthwise::append_counted(&view, format, &options, &mut message))?;
        options::warn_of_names(py, &options, &counts)?;
        Ok(PyBytes::new(py, &message))
    }

    #[doc = doc!("Document.to_xml")]
    #[pyo3(signature = (**options))]
    fn to_xml<'p>(&self, py: Python<'p>, options: Option<&Bound<'p, PyDict>>) -> Result<Bound<'p, PyBytes>, Failure> {
        self.to(py, "xml", None, options)
    }

    #[doc = doc!("Document.to_json")]
    #[pyo3(signature = (**options))]
    fn to_json<'p>(&self, py: Python<'p>, options: Option<&Bound<'p, PyDict>>) -> Result<Bound<'p, PyBytes>, Failure> {
        self.to(py, "json", None, options)
    }

    #[doc = doc!("Document.to_python")]
    fn to_python<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyAny>, Failure> {
        units::document(py, &self.view(py), None, self.format.as_str())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<lengthwise.Document: {}, {} units>", self.format, self.view(py).units())
    }
}

/// The unit at a path. A query that is no path is refused, unless there are such names.
fn found<'d>(
    view: &'d tam::Document<'d>,
    path: &'d str,
) -> Result<Result<tam::Node<'d>, NotFound<'d>>, lengthwise::Error> {
    let found = view.get(path);
    match found.is_err() && path.parse::<Query>().is_ok_and(|query| !query.is_path()) {
        true => Err(argument(format!("the query {path:?}"), "a path, which leads to one unit: find_all takes queries")),
        false => Ok(found),
    }
}

#[doc = doc!("Node")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct Node {
    document: Py<Document>,
    index: usize,
}

impl Node {
    fn new(document: &Bound<'_, Document>, node: &tam::Node<'_>) -> Node {
        Node { document: document.clone().unbind(), index: node.index() }
    }

    /// Runs `look` on the unit.
    fn with<'p, T>(&self, py: Python<'p>, look: impl FnOnce(&Bound<'p, Document>, tam::Node<'_>) -> T) -> T {
        let document = self.document.bind(py);
        let view = document.get().view(py);
        // The index is one of its rows: a document never changes.
        let unit = view.node(self.index).or_else(|| view.root());
        match unit {
            Some(unit) => look(document, unit),
            None => unreachable!("a unit of a document without units"),
        }
    }
}

#[pymethods]
impl Node {
    #[doc = doc!("Node.name")]
    #[getter]
    fn name(&self, py: Python<'_>) -> Option<String> {
        self.with(py, |_, node| (!node.name().is_none()).then(|| node.name().to_text().into_owned()))
    }

    #[doc = doc!("Node.kind")]
    #[getter]
    fn kind(&self, py: Python<'_>) -> char {
        self.with(py, |_, node| char::from(node.kind()))
    }

    #[doc = doc!("Node.path")]
    #[getter]
    fn path(&self, py: Python<'_>) -> String {
        self.with(py, |_, node| node.path())
    }

    #[doc = doc!("Node.text")]
    #[getter]
    fn text<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyString>> {
        self.with(py, |_, node| PyString::from_bytes(py, node.value()))
    }

    #[doc = doc!("Node.payload")]
    #[getter]
    fn payload<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyAny>> {
        self.with(py, |document, node| {
            let row = node.row();
            let message = document.get().message.bind(py);
            let (start, len) = (row.value_at() as usize, row.len() as usize);
            match !row.is_structured() && start + len <= message.as_bytes().len() {
                true => slice(message, start, len),
                false => Ok(PyMemoryView::from(PyBytes::new(py, node.value()).as_any())?.into_any()),
            }
        })
    }

    #[doc = doc!("Node.to_python")]
    fn to_python<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyAny>, Failure> {
        self.with(py, |document, node| units::object(py, node, None, document.get().format.as_str()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.with(py, |_, node| node.children().len())
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __iter__<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyAny>> {
        let children = self
            .with(py, |document, node| node.children().map(|child| Node::new(document, &child)).collect::<Vec<_>>());
        Ok(PyList::new(py, children)?.try_iter()?.into_any())
    }

    /// The first unit inside that has a name, or the one at an index.
    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Node> {
        self.with(py, |document, node| {
            if let Ok(name) = key.cast::<PyString>() {
                let child = node.child(name.to_str()?);
                return child
                    .map(|child| Node::new(document, &child))
                    .ok_or_else(|| PyKeyError::new_err(name.clone().unbind()));
            }
            let Ok(index) = key.extract::<isize>() else {
                return Err(PyTypeError::new_err("expected a name or an index"));
            };
            let index = index_in(index, node.children().len())?;
            let child = node.children().nth(index);
            child.map(|child| Node::new(document, &child)).ok_or_else(|| PyIndexError::new_err("index out of range"))
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        self.with(py, |_, node| format!("<lengthwise.Node {:?}>", node))
    }
}

/// An index of a sequence, which counts from the end if it is negative.
pub(crate) fn index_in(index: isize, len: usize) -> PyResult<usize> {
    let from_start = if index < 0 { index.checked_add_unsigned(len) } else { Some(index) };
    match from_start.and_then(|index| usize::try_from(index).ok()).filter(|index| *index < len) {
        Some(index) => Ok(index),
        None => Err(PyIndexError::new_err("index out of range")),
    }
}

/// A part of a message, without a copy.
pub(crate) fn slice<'p>(message: &Bound<'p, PyBytes>, start: usize, len: usize) -> PyResult<Bound<'p, PyAny>> {
    let range = PySlice::new(message.py(), start as isize, (start + len) as isize, 1);
    PyMemoryView::from(message.as_any())?.get_item(range)
}

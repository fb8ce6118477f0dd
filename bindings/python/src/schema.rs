//! `Schema`: what messages may say, and the messages as objects.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use compress::Method;
use frames::{Framing, Port};
use lengthwise::asn1::compiled::Kind;
use lengthwise::asn1::jer::{self, Inference};
use lengthwise::asn1::{EncodingRules, NodeId, Value, Values};
use lengthwise::columns::{Layout, Times};
use lengthwise::tam::{Table, TypeSet};
use lengthwise::{Columns, Error, ErrorKind, Format, Limits, Options, Types};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::batch::{Batch, Messages, OnError, Rows};
use crate::error::{Failure, argument};
use crate::from_python::{self, Form};
use crate::input::{Input, detached};
use crate::options::{self, LimitsArgument};
use crate::plan;
use crate::reader::{BatchReader, Source, State};
use crate::source::{Documents, Language};
use crate::value::{self, Context, Names};

/// Messages that may say their type, for those that come after them.
const LOOKED_AT: usize = 1000;

#[doc = doc!("Schema")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct Schema {
    pub(crate) schema: lengthwise::Schema,
    names: Names,
    documents: Documents,
    root: Option<String>,
    /// The format of messages, if none is named.
    format: Format,
    /// Its number among all schemas.
    number: u64,
}

impl Schema {
    fn load(
        py: Python<'_>,
        mut documents: Documents,
        root: Option<String>,
        limits: &Limits,
    ) -> Result<Schema, Failure> {
        let schema = py.detach(|| documents.schema(root.as_deref(), limits))?;
        let names = Names::new(py, schema.types());
        let format = match (documents.language, documents.locations.first()) {
            (Language::Inferred, Some(format)) => options::format(format)?,
            _ if schema.is_of_xsd() => Format::Xml,
            _ => Format::Uper,
        };
        static LOADED: AtomicU64 = AtomicU64::new(0);
        let number = LOADED.fetch_add(1, Ordering::Relaxed);
        Ok(Schema { schema, names, documents, root, format, number })
    }

    /// The format of messages.
    fn format(&self, rules: Option<&str>) -> Result<Format, Error> {
        rules.map_or(Ok(self.format), options::format)
    }

    /// The options that messages are written with.
    fn writing(&self, format: Format, canonical: bool) -> Result<Options<'_>, Error> {
        match canonical && format.rules().is_none() {
            true => Err(argument("canonical", format!("no such option for {format}"))),
            false => Ok(Options::default().with_schema(&self.schema).with_canonical(canonical)),
        }
    }

    /// The format and the type of messages that become columns.
    fn of_columns(&self, rules: Option<&str>, root: Option<&str>) -> Result<(Format, NodeId), Error> {
        Ok((self.format(rules)?, self.named(root)?.map_or_else(|| self.schema.root(), Ok)?))
    }

    /// The same. If several types are possible, it is the type of the first message that says one. `each` calls its argument
    /// with one message after the other, until that returns `false`.
    fn of_messages(
        &self,
        rules: Option<&str>,
        root: Option<&str>,
        limits: &Limits,
        each: impl FnOnce(&mut (dyn FnMut(&[u8]) -> Result<bool, Error> + Send)) -> Result<(), Error>,
    ) -> Result<(Format, NodeId), Error> {
        let format = self.format(rules)?;
        let mut found = None;
        if root.is_none() && format == Format::Xml && self.schema.root().is_err() {
            let options = Options::default().with_schema(&self.schema).with_limits(*limits);
            each(&mut |message| {
                found = lengthwise::type_of(message, format, &options).ok();
                Ok(found.is_none())
            })?;
        }
        found.map_or_else(|| self.of_columns(rules, root), |root| Ok((format, root)))
    }

    /// Columns for messages of a type, most of which are in a format.
    pub(crate) fn columns(
        &self,
        format: Format,
        root: NodeId,
        limits: Limits,
        chosen: &Chosen,
    ) -> Result<Columns<'_>, Error> {
        let (paths, exclude) = (chosen.columns.as_ref().map(Paths::each), chosen.exclude.as_ref().map(Paths::each));
        let exclude = exclude.unwrap_or_default();
        let options = Options::default().with_schema(&self.schema).with_limits(limits);
        Columns::new(
            format,
            root,
            &options,
            &Layout { paths: paths.as_deref(), exclude: &exclude, times: chosen.times },
        )
    }

    /// The type that was chosen when the schema was loaded.
    pub(crate) fn chosen(&self) -> Result<Option<NodeId>, Error> {
        self.named(self.root.as_deref())
    }

    /// The object of a value.
    pub(crate) fn object<'p>(
        &self,
        py: Python<'p>,
        value: Value<'_>,
        defaults: bool,
    ) -> Result<Bound<'p, PyAny>, Failure> {
        value::object(py, value, &self.context(defaults, None), None, "asn1")
    }

    fn context(&self, defaults: bool, rules: Option<EncodingRules>) -> Context<'_> {
        Context { types: self.schema.types(), names: &self.names, defaults, rules }
    }

    fn named(&self, root: Option<&str>) -> Result<Option<NodeId>, Error> {
        root.map(|name| self.schema.find(name)).transpose()
    }
}

#[pymethods]
impl Schema {
    #[doc = doc!("Schema.from_asn1")]
    #[staticmethod]
    #[pyo3(signature = (*paths, root=None, limits=None))]
    fn from_asn1(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        root: Option<String>,
        limits: Option<LimitsArgument>,
    ) -> Result<Schema, Failure> {
        let limits = options::limits(limits)?;
        let documents = Documents::of_modules(&paths, &limits)?;
        Schema::load(py, documents, root, &limits)
    }

    #[doc = doc!("Schema.parse")]
    #[staticmethod]
    #[pyo3(signature = (text, *, root=None, limits=None))]
    fn parse(
        py: Python<'_>,
        text: &str,
        root: Option<String>,
        limits: Option<LimitsArgument>,
    ) -> Result<Schema, Failure> {
        const NAME: &str = "<text>";
        let texts = BTreeMap::from([(NAME.to_owned(), text.as_bytes().to_vec())]);
        let documents = Documents::kept(Language::Asn1, vec![NAME.to_owned()], texts);
        Schema::load(py, documents, root, &options::limits(limits)?)
    }

    #[doc = doc!("Schema.from_xsd")]
    #[staticmethod]
    #[pyo3(signature = (*paths, root=None, catalog=None, limits=None))]
    fn from_xsd(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        root: Option<String>,
        catalog: Option<BTreeMap<String, PathBuf>>,
        limits: Option<LimitsArgument>,
    ) -> Result<Schema, Failure> {
        let documents = Documents::of_xml(Language::Xsd, &paths, catalog.unwrap_or_default())?;
        Schema::load(py, documents, root, &options::limits(limits)?)
    }

    #[doc = doc!("Schema.from_wsdl")]
    #[staticmethod]
    #[pyo3(signature = (*paths, catalog=None, limits=None))]
    fn from_wsdl(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        catalog: Option<BTreeMap<String, PathBuf>>,
        limits: Option<LimitsArgument>,
    ) -> Result<Schema, Failure> {
        let documents = Documents::of_xml(Language::Wsdl, &paths, catalog.unwrap_or_default())?;
        Schema::load(py, documents, None, &options::limits(limits)?)
    }

    #[doc = doc!("Schema.infer")]
    #[staticmethod]
    #[pyo3(signature = (messages, *, rules="json", framing=None, sample=65536, limits=None))]
    fn infer(
        py: Python<'_>,
        messages: Sample<'_>,
        rules: &str,
        framing: Option<&str>,
        sample: usize,
        limits: Option<LimitsArgument>,
    ) -> Result<Schema, Failure> {
        let (format, limits) = (options::format(rules)?, options::limits(limits)?);
        if !format.has_json_values() {
            return Err(argument(format!("rules '{format}'"), "json, pon or tsf").into());
        }
        let options = Options::default().with_limits(limits).with_output_types(Types::Value);
        let mut inference = Inference::default();
        let nothing = Error::new(ErrorKind::Incomplete, format.as_str(), 0, "no message", "one at least");
        let (mut first_error, mut is_read) = (None, false);
        let mut add = |message: &[u8]| -> Result<bool, Error> {
            let mut table = Table::new();
            // Some that cannot be read are refused when they are.
            match lengthwise::read(message, format, &options, &mut table) {
                Ok(document) => {
                    inference.add(&document)?;
                    is_read = true;
                }
                Err(error) => drop(first_error.get_or_insert(error)),
            }
            Ok(true)
        };
        match messages {
            Sample::Path(path) => {
                let of_file = of_file(framing, &path, false, None, limits)?;
                py.detach(|| State::of(&path, None, &of_file)?.sample(sample, &mut add))?;
            }
            Sample::Messages(messages) => {
                let messages = messages.slices()?;
                py.detach(|| messages.iter().take(sample).flatten().try_for_each(|message| add(message).map(|_| ())))?;
            }
        }
        if !is_read {
            return Err(first_error.unwrap_or(nothing).into());
        }
        Schema::load(py, Documents::inferred(inference, format, &limits)?, None, &limits)
    }

    /// A schema from its documents, as pickle has them.
    #[staticmethod]
    fn _from_documents(
        py: Python<'_>,
        language: &str,
        locations: Vec<String>,
        texts: BTreeMap<String, Vec<u8>>,
        catalog: BTreeMap<String, String>,
        root: Option<String>,
    ) -> Result<Schema, Failure> {
        let language =
            Language::from_name(language).ok_or_else(|| argument("another language", "asn1, xsd, wsdl or inferred"))?;
        let documents = Documents::kept(language, locations, texts).with_catalog(catalog);
        Schema::load(py, documents, root, &Limits::default())
    }

    fn __reduce__<'p>(&self, py: Python<'p>) -> PyResult<(Bound<'p, PyAny>, Bound<'p, PyTuple>)> {
        let Documents { language, locations, texts, catalog, .. } = &self.documents;
        let bytes = PyDict::new(py);
        for (name, text) in texts {
            bytes.set_item(name, PyBytes::new(py, text))?;
        }
        let fields = (language.as_str(), locations, bytes, catalog, &self.root).into_pyobject(py)?;
        Ok((py.get_type::<Schema>().getattr("_from_documents")?, fields))
    }

    /// The components of a type, with their types; the type of the components of an array.
    fn _components(&self, ty: &Type) -> (Option<Type>, BTreeMap<&str, Type>) {
        let types = self.schema.types();
        match types.node(ty.0).kind {
            Kind::Array(array) => (Some(Type(array.item)), BTreeMap::new()),
            Kind::Record(number) => {
                let members = types.record(number).members.iter();
                (None, members.map(|member| (&member.name[..], Type(member.node))).collect())
            }
            _ => (None, BTreeMap::new()),
        }
    }

    #[doc = doc!("Schema.root")]
    #[getter]
    fn root(&self) -> Option<&str> {
        let types = self.schema.types();
        self.schema.root().ok().map(|node| &types.node(node).name[..])
    }

    #[doc = doc!("Schema.warnings")]
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.schema.model().warnings.iter().map(ToString::to_string).collect()
    }

    #[doc = doc!("Schema.types")]
    #[getter]
    fn types(&self) -> Vec<String> {
        self.schema.types().types().map(|(module, name, _)| format!("{module}.{name}")).collect()
    }

    #[doc = doc!("Schema.decode")]
    #[pyo3(signature = (data, *, r#type=None, rules=None, root=None, defaults=false, limits=None))]
    #[allow(clippy::too_many_arguments)] // They are keywords of Python.
    fn decode<'p>(
        slf: &Bound<'p, Schema>,
        py: Python<'p>,
        data: Input<'p>,
        r#type: Option<Bound<'p, PyAny>>,
        rules: Option<&str>,
        root: Option<&str>,
        defaults: bool,
        limits: Option<LimitsArgument>,
    ) -> Result<Bound<'p, PyAny>, Failure> {
        let schema = slf.get();
        let format = schema.format(rules)?;
        let options = Options::default().with_schema(&schema.schema).with_limits(options::limits(limits)?);
        let root = schema.named(root)?;
        let message = data.as_slice();
        with_values(|values| {
            let (table, options) = (&mut Table::new(), &options);
            // The entities of a short text can be long.
            let work = if format == Format::Xml { usize::MAX } else { message.len() };
            let value =
                detached(py, work, move || lengthwise::read_value(message, format, root, options, table, values))?;
            if let Some(class) = &r#type {
                suits(slf, class, value.node_id())?;
            }
            value::object(py, value, &schema.context(defaults, format.rules()), r#type.as_ref(), format.as_str())
        })
    }

    #[doc = doc!("Schema.encode")]
    #[pyo3(signature = (obj, *, rules=None, root=None, canonical=false))]
    fn encode<'p>(
        &self,
        py: Python<'p>,
        obj: &Bound<'p, PyAny>,
        rules: Option<&str>,
        root: Option<&str>,
        canonical: bool,
    ) -> Result<Bound<'p, PyBytes>, Failure> {
        let format = self.format(rules)?;
        let options = self.writing(format, canonical)?;
        let root = self.named(root)?.map_or_else(|| self.schema.root(), Ok)?;
        let mut table = Table::new();
        from_python::fill(obj, Form::Schema(self.schema.types(), root), None, &mut table)?;
        let document = table.document(b"", TypeSet::VALUE);
        with_values(|values| {
            let mut message = Vec::new();
            let write = || {
                let value = jer::read(&document, self.schema.types(), root, &options.limits, values)?;
                lengthwise::append_value(value, format, &options, &mut message)
            };
            detached(py, document.units() * 16, write).map_err(Error::with_no_place)?;
            Ok(PyBytes::new(py, &message))
        })
    }

    #[doc = doc!("Schema.decode_batch")]
    #[pyo3(signature = (messages, *, rules=None, root=None, columns=None, exclude_columns=None, times="exact", errors="raise", limits=None))]
    #[allow(clippy::too_many_arguments)] // They are keywords of Python.
    fn decode_batch(
        &self,
        py: Python<'_>,
        messages: Messages<'_>,
        rules: Option<&str>,
        root: Option<&str>,
        columns: Option<Paths>,
        exclude_columns: Option<Paths>,
        times: &str,
        errors: &str,
        limits: Option<LimitsArgument>,
    ) -> Result<Batch, Failure> {
        let errors = OnError::from_name(errors)?;
        let chosen = Chosen { columns, exclude: exclude_columns, times: times_named(times)? };
        let limits = options::limits(limits)?;
        let messages = messages.slices()?;
        let (format, root) = py.detach(|| {
            self.of_messages(rules, root, &limits, |look| {
                for message in messages.iter().flatten().take(LOOKED_AT) {
                    if !look(message)? {
                        break;
                    }
                }
                Ok(())
            })
        })?;
        Ok(py.detach(|| {
            let columns = self.columns(format, root, limits, &chosen)?;
            Batch::read(columns, &messages, format, errors)
        })?)
    }

    #[doc = doc!("Schema.encode_batch")]
    #[pyo3(signature = (table, *, rules=None, root=None, canonical=false))]
    fn encode_batch<'p>(
        &self,
        py: Python<'p>,
        table: Rows,
        rules: Option<&str>,
        root: Option<&str>,
        canonical: bool,
    ) -> Result<Bound<'p, PyList>, Failure> {
        let (format, root) = self.of_columns(rules, root)?;
        let options = self.writing(format, canonical)?;
        let messages = py.detach(|| table.messages(format, root, &options))?;
        Ok(PyList::new(py, messages.iter().map(|message| PyBytes::new(py, message)))?)
    }

    #[doc = doc!("Schema.read")]
    #[pyo3(signature = (path, *, framing=None, rules=None, root=None, columns=None, exclude_columns=None, times="exact", errors="raise", batch_size=65536, hex=false,
        port=None, part=None, limits=None))]
    #[allow(clippy::too_many_arguments)] // They are keywords of Python.
    fn read(
        slf: Py<Self>,
        py: Python<'_>,
        path: PathBuf,
        framing: Option<&str>,
        rules: Option<&str>,
        root: Option<&str>,
        columns: Option<Paths>,
        exclude_columns: Option<Paths>,
        times: &str,
        errors: &str,
        batch_size: usize,
        hex: bool,
        port: Option<&str>,
        part: Option<(u64, u64)>,
        limits: Option<LimitsArgument>,
    ) -> Result<BatchReader, Failure> {
        let limits = options::limits(limits)?;
        let of_file = of_file(framing, &path, hex, port, limits)?;
        let (format, root) = slf.get().of_messages(rules, root, &limits, |look| {
            // What a pipe has given once, it does not give again.
            match path.is_file() {
                true => py.detach(|| State::of(&path, None, &of_file)?.sample(LOOKED_AT, look)),
                false => Ok(()),
            }
        })?;
        let on_error = OnError::from_name(errors)?;
        let chosen = Chosen { columns, exclude: exclude_columns, times: times_named(times)? };
        let part = part.map(|(start, end)| start..end);
        let state = Mutex::new(py.detach(|| State::of(&path, part, &of_file))?);
        if batch_size == 0 {
            return Err(argument("batch_size=0", "a number from 1 on").into());
        }
        Ok(BatchReader::new(Source { schema: slf, root, format, limits, chosen, on_error, batch_size, state })?)
    }

    fn __repr__(&self) -> String {
        let root = self.root().unwrap_or("one of several types");
        format!("<lengthwise.Schema: {} of {}>", root, self.documents.language.as_str())
    }
}

/// Where messages are: a file, or in memory.
enum Sample<'p> {
    Path(PathBuf),
    Messages(Messages<'p>),
}

impl<'p> FromPyObject<'_, 'p> for Sample<'p> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'p, PyAny>) -> PyResult<Sample<'p>> {
        match object.extract::<PathBuf>() {
            Ok(path) => Ok(Sample::Path(path)),
            Err(_) => object.extract().map(Sample::Messages),
        }
    }
}

/// A type of a schema, for `lengthwise._typed`.
#[pyclass(frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Type(NodeId);

/// Makes sure that no field of a class has a name like a component that it does not name.
fn suits(schema: &Bound<'_, Schema>, class: &Bound<'_, PyAny>, node: NodeId) -> PyResult<()> {
    let Some(planned) = plan::of(class)? else { return Ok(()) };
    planned.get().suits((schema.get().number, node), || {
        let arguments = (class, schema.getattr("_components")?, Type(node));
        schema.py().import("lengthwise._typed")?.call_method1("check", arguments).map(|_| ())
    })
}

/// The columns that are built.
pub(crate) struct Chosen {
    columns: Option<Paths>,
    exclude: Option<Paths>,
    times: Times,
}

/// Paths of columns.
struct Paths(Vec<String>);

impl Paths {
    fn each(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

impl FromPyObject<'_, '_> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Paths> {
        // A text is a sequence of texts too.
        let paths = object.extract().map(Paths);
        paths.map_err(|_| PyTypeError::new_err("columns are a list of paths, such as ['id', 'place/latitude']"))
    }
}

/// What columns of times are.
fn times_named(name: &str) -> Result<Times, Error> {
    name.parse().map_err(|names| argument(format!("times='{name}'"), names))
}

/// How the messages of a file follow each other: as its extension says, if no framing is named.
pub(crate) fn of_file(
    framing: Option<&str>,
    path: &Path,
    hex: bool,
    port: Option<&str>,
    limits: Limits,
) -> Result<frames::Options, Error> {
    let framing = match framing {
        Some(name) => name.parse().map_err(|_| argument(format!("framing='{name}'"), Framing::NAMES))?,
        None => Method::inner_extension(path).and_then(Framing::from_extension).unwrap_or_default(),
    };
    let port = port.map(str::parse::<Port>).transpose().map_err(|words| argument(words, "38412, sctp:38412, …"))?;
    Ok(frames::Options::default().with_framing(framing).with_hex(hex).with_port(port).with_limits(limits))
}

/// Lends the values of this thread, whose memory is used again.
fn with_values<T>(work: impl FnOnce(&mut Values) -> Result<T, Failure>) -> Result<T, Failure> {
    /// More memory than this is not kept.
    const KEPT: usize = 1 << 20;
    thread_local! { static VALUES: Cell<Option<Values>> = const { Cell::new(None) } }
    let mut values = VALUES.take().unwrap_or_default();
    let result = work(&mut values);
    if values.memory() <= KEPT {
        VALUES.set(Some(values));
    }
    result
}

//! `Template`: XML messages by what differs from those before.

use lengthwise::asn1::Value;
use lengthwise::x694::xer::{Templates, Types};
use lengthwise::{Error, ErrorKind, xsd};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::{Failure, argument};
use crate::input::Input;
use crate::options::{self, LimitsArgument};
use crate::schema::Schema;

/// What is read of a message: the values at a path, or at several.
#[derive(FromPyObject)]
enum Paths {
    One(String),
    Several(Vec<String>),
}

#[doc = doc!("Template")]
#[pyclass(frozen, module = "lengthwise")]
pub(crate) struct Template {
    schema: Py<Schema>,
    templates: Templates,
    options: xsd::Options,
}

impl Template {
    fn types(&self) -> Result<&Types, Error> {
        let expected = "one of from_xsd or from_wsdl";
        self.schema.get().schema.xml().ok_or_else(|| argument("a schema of ASN.1 modules", expected))
    }
}

#[pymethods]
impl Template {
    #[new]
    #[pyo3(signature = (schema, *, memory=16 << 20, limits=None))]
    fn new(schema: Py<Schema>, memory: usize, limits: Option<LimitsArgument>) -> Result<Template, Failure> {
        let options = xsd::Options::default().with_limits(options::limits(limits)?);
        let template = Template { schema, templates: Templates::new(memory), options };
        template.types()?;
        Ok(template)
    }

    #[doc = doc!("Template.read")]
    #[pyo3(signature = (data, *, at=None, defaults=false))]
    fn read<'p>(
        &self,
        py: Python<'p>,
        data: Input<'p>,
        at: Option<Paths>,
        defaults: bool,
    ) -> Result<Bound<'p, PyAny>, Failure> {
        let (types, mut message) = (self.types()?, data.as_slice().to_vec());
        let lease = py.detach(|| self.templates.read(&mut message, types, &self.options))?;
        let value = lease.value();
        let schema = self.schema.get();
        if let Some(root) = schema.chosen()?
            && root != value.node_id()
        {
            let expected = schema.schema.types().node(root).name.clone();
            let found = format!("an element of {}", value.node().name);
            return Err(
                Error::new(ErrorKind::Schema, "xml", 0, found, format!("one of {expected}, as requested")).into()
            );
        }
        let object = |value: Value<'_>| schema.object(py, value, defaults);
        let found = |path: &String| match value.get(path) {
            Some(value) => object(value),
            None => Ok(py.None().into_bound(py)),
        };
        match at {
            None => object(value),
            Some(Paths::One(path)) => found(&path),
            Some(Paths::Several(paths)) => {
                let list = PyList::empty(py);
                paths.iter().try_for_each(|path| Ok::<_, Failure>(list.append(found(path)?)?))?;
                Ok(list.into_any())
            }
        }
    }

    #[doc = doc!("Template.stats")]
    #[getter]
    fn stats<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyDict>> {
        let dict = PyDict::new(py);
        for (name, count) in self.templates.stats().members() {
            dict.set_item(name, count)?;
        }
        Ok(dict)
    }
}

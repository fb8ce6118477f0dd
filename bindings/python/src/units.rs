//! Objects of the units of a document: TSF and every format that a document is read from.

use std::borrow::Cow;

use lengthwise::tam::json::Value;
use lengthwise::tam::{Children, Document, Name, Node, Vocabulary};
use lengthwise::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyString};

use crate::assemble::{Keys, float, integer};
use crate::error::Failure;
use crate::objects::{self, Kind, repeated_key};

/// The object of a whole document of JSON values, of a type if one is asked for.
///
/// # Errors
/// Kind unsupported for a document of XML, for several values, and for an object that has a key twice.
pub(crate) fn document<'p>(
    py: Python<'p>,
    document: &Document<'_>,
    class: Option<&Bound<'p, PyAny>>,
    format: &'static str,
) -> Result<Bound<'p, PyAny>, Failure> {
    if document.types().vocabulary() == Vocabulary::Xml {
        let expected = "a document of JSON values: read XML with Document";
        return Err(Error::new(ErrorKind::Unsupported, format, 0, "an XML document", expected).into());
    }
    match (document.root(), document.root_rows().1) {
        (Some(root), 1) => object(py, root, class, format),
        (_, count) => {
            let found = lengthwise::tam::Words::Count(count.into(), "values");
            Err(Error::new(ErrorKind::Unsupported, format, 0, found, "one value").into())
        }
    }
}

/// The object of a unit, of a type if one is asked for.
pub(crate) fn object<'p>(
    py: Python<'p>,
    root: Node<'_>,
    class: Option<&Bound<'p, PyAny>>,
    format: &'static str,
) -> Result<Bound<'p, PyAny>, Failure> {
    // The document has been read within its limits.
    objects::object(py, Unit::new(root, format)?, class, None, format)
}

/// A unit that is a JSON value.
#[derive(Clone)]
pub(crate) struct Unit<'d> {
    node: Node<'d>,
    value: Value<'d>,
    format: &'static str,
}

impl<'d> Unit<'d> {
    #[inline]
    fn new(node: Node<'d>, format: &'static str) -> Result<Unit<'d>, Error> {
        match Value::new(node) {
            Value::Invalid(_) => Err(no_value(node, format)),
            value => Ok(Unit { node, value, format }),
        }
    }
}

#[cold]
fn no_value(node: Node<'_>, format: &'static str) -> Error {
    let found = "a unit that is no JSON value";
    Error::new(ErrorKind::Unsupported, format, 0, found, "a document of JSON values").in_path(node.path())
}

impl<'d> objects::Value for Unit<'d> {
    type Key = Name<'d>;
    type Members = Members<'d>;
    type Items = Items<'d>;

    #[inline]
    fn kind(&self) -> Kind {
        match &self.value {
            Value::Bool(_) => Kind::Boolean,
            Value::Number(number) if number.is_integer() && self.node.kind() != b'%' => Kind::Integer,
            Value::Number(_) => Kind::Float,
            Value::String(_) => Kind::String,
            Value::Binary(_) => Kind::Binary,
            Value::Char(_) => Kind::Char,
            Value::Byte(_) => Kind::Byte,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
            _ => Kind::Null,
        }
    }

    #[inline]
    fn scalar<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyAny>, Failure> {
        Ok(match &self.value {
            Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
            Value::Number(number) => match self.kind() {
                Kind::Integer => integer(py, number.as_str().as_bytes())?,
                _ => float(py, number.as_str().as_bytes())?,
            },
            Value::String(text) => PyString::new(py, &text.to_cow()).into_any(),
            Value::Binary(octets) => PyBytes::new(py, octets).into_any(),
            Value::Char(character) => PyString::new(py, character.encode_utf8(&mut [0; 4])).into_any(),
            Value::Byte(byte) => byte.into_pyobject(py)?.into_any(),
            _ => py.None().into_bound(py),
        })
    }

    fn number(&self) -> Option<&str> {
        match &self.value {
            Value::Number(number) => Some(number.as_str()),
            _ => None,
        }
    }

    #[inline]
    fn members(&self) -> Result<Members<'d>, Error> {
        Ok(Members { of: self.node, rest: self.node.children(), format: self.format })
    }

    #[inline]
    fn items(&self) -> Result<Items<'d>, Error> {
        Ok(Items { rest: self.node.children(), format: self.format })
    }

    fn repeated_key(members: &Members<'d>) -> Error {
        repeated_key(members.format, 0, &members.of.path())
    }
}

/// The units in another as items.
pub(crate) struct Items<'d> {
    rest: Children<'d>,
    format: &'static str,
}

impl<'d> Iterator for Items<'d> {
    type Item = Result<Unit<'d>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.rest.next().map(|node| Unit::new(node, self.format))
    }
}

/// The units in another as members.
pub(crate) struct Members<'d> {
    of: Node<'d>,
    rest: Children<'d>,
    format: &'static str,
}

impl<'d> Iterator for Members<'d> {
    type Item = Result<(Name<'d>, Unit<'d>), Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.rest.next().map(|node| Ok((node.name(), Unit::new(node, self.format)?)))
    }
}

impl objects::Key for Name<'_> {
    #[inline]
    fn text(&self) -> Cow<'_, [u8]> {
        match self.is_extended() {
            false => Cow::Borrowed(self.written()),
            true => Cow::Owned(self.to_text().into_owned().into_bytes()),
        }
    }

    #[inline]
    fn string<'p>(&self, py: Python<'p>, keys: &mut Keys) -> Result<Bound<'p, PyString>, Failure> {
        // What a name is has not been checked.
        keys.of(py, self.text()).map_err(|_| not_text().into())
    }
}

#[cold]
fn not_text() -> Error {
    Error::without_place(ErrorKind::Syntax, "tsf", "a name of other bytes", "UTF-8")
}

//! Objects of the units of a document: TSF and every format that a document is read from.

use lengthwise::tam::json::Value;
use lengthwise::tam::{Children, Document, Node, Vocabulary};
use lengthwise::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyString};

use crate::assemble::{Keys, float, integer};
use crate::error::Failure;
use crate::pon::repeated_key;

/// The object of a whole document of JSON values.
///
/// # Errors
/// Kind unsupported for a document of XML, for several values, and for an object that has a key twice.
pub(crate) fn document<'p>(
    py: Python<'p>,
    document: &Document<'_>,
    format: &'static str,
) -> Result<Bound<'p, PyAny>, Failure> {
    if document.types().vocabulary() == Vocabulary::Xml {
        let expected = "a document of JSON values: read XML with Document";
        return Err(Error::new(ErrorKind::Unsupported, format, 0, "an XML document", expected).into());
    }
    match (document.root(), document.root_rows().1) {
        (Some(root), 1) => object(py, root, format),
        (_, count) => {
            let found = lengthwise::tam::Words::Count(count.into(), "values");
            Err(Error::new(ErrorKind::Unsupported, format, 0, found, "one value").into())
        }
    }
}

/// A container that is being read.
struct Frame<'p, 'd> {
    container: Container<'p>,
    node: Node<'d>,
    rest: Children<'d>,
}

enum Container<'p> {
    Dict(Bound<'p, PyDict>),
    List(Bound<'p, PyList>),
}

/// The object of a unit.
pub(crate) fn object<'p>(py: Python<'p>, root: Node<'_>, format: &'static str) -> Result<Bound<'p, PyAny>, Failure> {
    let mut keys = Keys::new();
    let mut outer = Vec::new();
    let (object, mut content) = value(py, root, format)?;
    while let Some(mut frame) = content {
        let mut inner = None;
        for child in &mut frame.rest {
            let (object, content) = value(py, child, format)?;
            match &frame.container {
                Container::List(list) => list.append(object)?,
                Container::Dict(dict) => {
                    let name = child.name();
                    let key = match name.is_extended() {
                        false => keys.get(py, name.written())?,
                        true => PyString::new(py, &name.to_text()),
                    };
                    dict.set_item(key, object)?;
                }
            }
            if content.is_some() {
                inner = content;
                break;
            }
        }
        content = match inner {
            Some(inner) => {
                outer.push(frame);
                Some(inner)
            }
            None => {
                if let Container::Dict(dict) = &frame.container
                    && dict.len() < frame.node.row().len() as usize
                {
                    return Err(repeated_key(format, 0, &frame.node.path()).into());
                }
                outer.pop()
            }
        };
    }
    Ok(object)
}

/// The object of a unit. A container is still empty, and is returned with its units.
fn value<'p, 'd>(
    py: Python<'p>,
    node: Node<'d>,
    format: &'static str,
) -> Result<(Bound<'p, PyAny>, Option<Frame<'p, 'd>>), Failure> {
    let scalar = match Value::new(node) {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
        Value::Number(number) => {
            let text = number.as_str().as_bytes();
            let whole = text.iter().all(|c| c.is_ascii_digit() || *c == b'-') && node.kind() != b'%';
            if whole { integer(py, text)? } else { float(py, text)? }
        }
        Value::String(text) => PyString::new(py, &text.to_cow()).into_any(),
        Value::Binary(octets) => PyBytes::new(py, octets).into_any(),
        Value::Char(character) => PyString::new(py, character.encode_utf8(&mut [0; 4])).into_any(),
        Value::Byte(byte) => byte.into_pyobject(py)?.into_any(),
        Value::Array(_) => {
            let list = PyList::empty(py);
            let object = list.clone().into_any();
            return Ok((object, Some(Frame { container: Container::List(list), node, rest: node.children() })));
        }
        Value::Object(_) => {
            let dict = PyDict::new(py);
            let object = dict.clone().into_any();
            return Ok((object, Some(Frame { container: Container::Dict(dict), node, rest: node.children() })));
        }
        _ => {
            let found = "a unit that is no JSON value";
            let error = Error::new(ErrorKind::Unsupported, format, 0, found, "a document of JSON values");
            return Err(error.in_path(node.path()).into());
        }
    };
    Ok((scalar, None))
}

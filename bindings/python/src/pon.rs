//! PON: `loads` and `dumps`.

use lengthwise::pon::{Items, Kind, Members, Value};
use lengthwise::tam::Table;
use lengthwise::{Error, ErrorKind, Limits, pon};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyList, PyString};

use crate::assemble::{Keys, integer};
use crate::error::Failure;
use crate::from_python::{self, Form};
use crate::input::Input;
use crate::options::{self, LimitsArgument};
use crate::plan::{self, ANY, Node, Plan};
use crate::typed::converted;

/// Reads a PON message.
#[pyfunction]
#[pyo3(signature = (data, /, *, r#type=None, limits=None))]
pub(crate) fn loads<'p>(
    py: Python<'p>,
    data: Input<'p>,
    r#type: Option<Bound<'p, PyAny>>,
    limits: Option<LimitsArgument>,
) -> Result<Bound<'p, PyAny>, Failure> {
    let limits = options::limits(limits)?;
    let message = data.as_slice();
    let planned = r#type.as_ref().map(plan::of).transpose()?.flatten();
    let root = whole(message, &limits);
    if let Some(plan) = planned.as_ref().and_then(|planned| planned.get().plan())
        && let Ok(root) = root
    {
        match Reader::<true>::new(py, &limits, Some(plan)).object(root) {
            Ok(object) => return Ok(object),
            // Not that the user wants to stop.
            Err(Failure::Python(error)) if !error.is_instance_of::<PyException>(py) => {
                return Err(Failure::Python(error));
            }
            Err(_) => {}
        }
    }
    // Of what is no message, no value of the type, or takes more than a plan, what is wrong is said here.
    let object = root.map_err(Failure::from).and_then(|root| Reader::<false>::new(py, &limits, None).object(root));
    let object = object.map_err(|failure| explained(failure, message, &limits))?;
    Ok(converted(object, r#type.as_ref(), "pon")?)
}

fn whole<'m>(message: &'m [u8], limits: &Limits) -> Result<Value<'m>, Error> {
    if message.len() > limits.message_bytes as usize {
        let bound = limits.message_bytes.into();
        return Err(Error::limit("pon", bound, "a longer message", "message_bytes", bound));
    }
    Value::new(message)
}

/// The error that reading the whole message gives, which has a path, if it gives one.
#[cold]
pub(crate) fn explained(failure: Failure, message: &[u8], limits: &Limits) -> Failure {
    let Failure::Message(_) = failure else { return failure };
    match pon::read(message, &pon::Options::default().with_limits(*limits), &mut Table::new()) {
        Ok(_) => failure,
        Err(error) => error.into(),
    }
}

/// Writes an object as a PON message.
#[pyfunction]
#[pyo3(signature = (obj, /, *, default=None))]
pub(crate) fn dumps<'p>(
    obj: &Bound<'p, PyAny>,
    default: Option<&Bound<'p, PyAny>>,
) -> Result<Bound<'p, PyBytes>, Failure> {
    crate::dumps::dumps(obj, default).map_err(|failure| match failure {
        // The same error has its path where the object is gone through from its front. What is too large is too large for that.
        Failure::Message(error) if error.kind() == ErrorKind::Limit => Failure::Message(error),
        Failure::Message(_) => {
            from_python::fill(obj, Form::Values, default, &mut Table::new()).err().unwrap_or(failure)
        }
        failure => failure,
    })
}

/// Makes objects of values. Containers that are open are on a stack of its own.
/// If it is not `PLANNED`, they are dicts, lists and what these hold.
pub(crate) struct Reader<'p, 'm, 'r, const PLANNED: bool> {
    py: Python<'p>,
    keys: Keys,
    plan: Option<&'r Plan>,
    outer: Vec<Frame<'p, 'm>>,
    /// The objects of classes that are being read, the values of their fields, and the keys of those in dicts.
    records: Vec<Record<'p, 'm>>,
    fields: Vec<Option<Bound<'p, PyAny>>>,
    waiting: Vec<Bound<'p, PyString>>,
    depth: usize,
    units_left: u32,
}

/// A container that is being read. `of` is the node of what is in it.
enum Frame<'p, 'm> {
    Object {
        dict: Bound<'p, PyDict>,
        members: Members<'m>,
        count: u32,
        of: u32,
        at: usize,
    },
    Array {
        list: Bound<'p, PyList>,
        items: Items<'m>,
        of: u32,
    },
    /// The last record.
    Record,
}

/// The object of a value, and its content if that is to be read yet.
type Begun<'p, 'm> = (Option<Bound<'p, PyAny>>, Option<Frame<'p, 'm>>);

/// An object of a class that is being read.
struct Record<'p, 'm> {
    members: Members<'m>,
    class: u32,
    /// Where the values of its fields are, and the field after the last.
    first: usize,
    next: usize,
    /// Other members.
    others: Option<Bound<'p, PyDict>>,
    at: usize,
}

impl<'p, 'm, 'r, const PLANNED: bool> Reader<'p, 'm, 'r, PLANNED> {
    pub(crate) fn new(py: Python<'p>, limits: &Limits, plan: Option<&'r Plan>) -> Self {
        let (outer, records, fields, waiting) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (depth, units_left) = (limits.depth as usize, limits.units);
        Reader { py, keys: Keys::new(), plan, outer, records, fields, waiting, depth, units_left }
    }

    /// The object of a value. Everything in it is checked.
    pub(crate) fn object(&mut self, root: Value<'m>) -> Result<Bound<'p, PyAny>, Failure> {
        let node = self.plan.map_or(ANY, |plan| plan.root);
        let (mut object, mut content) = self.begin(root, node)?;
        while let Some(mut frame) = content {
            let inner = match &mut frame {
                Frame::Object { dict, members, count, of, at } => self.members(dict, members, count, (*at, *of))?,
                Frame::Array { list, items, of } => self.items(list, items, *of)?,
                Frame::Record => self.record()?,
            };
            content = match inner {
                Some(_) if self.outer.len() + 1 >= self.depth => return Err(beyond(root.offset(), "depth")),
                Some(inner) => {
                    self.outer.push(frame);
                    Some(inner)
                }
                None => {
                    if PLANNED && matches!(frame, Frame::Record) {
                        let made = self.made()?;
                        match self.outer.is_empty() {
                            true => object = Some(made),
                            false => self.put(made)?,
                        }
                    }
                    self.outer.pop()
                }
            };
        }
        object.ok_or_else(unlike)
    }

    /// Adds members up to a container, which it returns.
    #[inline]
    fn members(
        &mut self,
        dict: &Bound<'p, PyDict>,
        members: &mut Members<'m>,
        count: &mut u32,
        (at, of): (usize, u32),
    ) -> Result<Option<Frame<'p, 'm>>, Failure> {
        for member in members {
            let (key, value) = member?;
            let key = match key.as_str() {
                Some(plain) => self.keys.get(self.py, plain.as_bytes())?,
                None => PyString::new(self.py, &key.to_cow()),
            };
            *count += 1;
            if self.is_container(value)? {
                let (inner, frame) = self.container(value, of)?;
                match inner {
                    Some(inner) => dict.set_item(key, inner)?,
                    None => self.waiting.push(key),
                }
                return Ok(Some(frame));
            }
            dict.set_item(key, self.scalar(value, of)?)?;
        }
        if dict.len() < *count as usize { Err(repeated_key("pon", at, "").into()) } else { Ok(None) }
    }

    /// Adds items up to a container, which it returns.
    #[inline]
    fn items(
        &mut self,
        list: &Bound<'p, PyList>,
        items: &mut Items<'m>,
        of: u32,
    ) -> Result<Option<Frame<'p, 'm>>, Failure> {
        for item in items {
            let item = item?;
            if self.is_container(item)? {
                let (inner, frame) = self.container(item, of)?;
                if let Some(inner) = inner {
                    list.append(inner)?;
                }
                return Ok(Some(frame));
            }
            list.append(self.scalar(item, of)?)?;
        }
        Ok(None)
    }

    /// Reads fields of the last record up to a container, which it returns.
    fn record(&mut self) -> Result<Option<Frame<'p, 'm>>, Failure> {
        let last = self.records.len().checked_sub(1).ok_or_else(unlike)?;
        while let Some(member) = self.records[last].members.next() {
            let (key, value) = member?;
            let Record { class, next, first, at, .. } = self.records[last];
            let class = self.plan.and_then(|plan| plan.class(class)).ok_or_else(unlike)?;
            let number = match key.as_str() {
                Some(plain) => class.field(plain.as_bytes(), next),
                None => class.field(key.to_cow().as_bytes(), next),
            };
            let of = number.and_then(|number| class.fields.get(number)).map_or(ANY, |field| field.node);
            let (object, frame) = self.begin(value, of)?;
            let record = &mut self.records[last];
            match number {
                Some(number) => {
                    record.next = number + 1;
                    let place = self.fields.get_mut(first + number).ok_or_else(unlike)?;
                    if place.is_some() {
                        return Err(repeated_key("pon", at, "").into());
                    }
                    *place = object;
                }
                None => {
                    let others = record.others.get_or_insert_with(|| PyDict::new(self.py));
                    let before = others.len();
                    others.set_item(&*key.to_cow(), object)?;
                    if others.len() == before {
                        return Err(repeated_key("pon", at, "").into());
                    }
                }
            }
            if frame.is_some() {
                return Ok(frame);
            }
        }
        Ok(None)
    }

    /// The object of the last record, whose fields have been read.
    fn made(&mut self) -> Result<Bound<'p, PyAny>, Failure> {
        let record = self.records.pop().ok_or_else(unlike)?;
        let class = self.plan.and_then(|plan| plan.class(record.class)).ok_or_else(unlike)?;
        let first = record.first.min(self.fields.len());
        Ok(class.object(self.py, self.fields.drain(first..))?)
    }

    /// Puts an object of a class into the container around it.
    fn put(&mut self, object: Bound<'p, PyAny>) -> Result<(), Failure> {
        match self.outer.last() {
            Some(Frame::Object { dict, .. }) => dict.set_item(self.waiting.pop().ok_or_else(unlike)?, object)?,
            Some(Frame::Array { list, .. }) => list.append(object)?,
            Some(Frame::Record) | None => {
                let record = self.records.last().ok_or_else(unlike)?;
                let place = self.fields.get_mut(record.first + record.next - 1).ok_or_else(unlike)?;
                *place = Some(object);
            }
        }
        Ok(())
    }

    /// What a value may be.
    #[inline]
    fn node(&self, value: Value<'m>, of: u32) -> Result<Option<&'r Node>, Failure> {
        let Some(plan) = self.plan.filter(|_| PLANNED) else { return Ok(None) };
        let node = plan.node(of).filter(|node| node.takes(value.kind()));
        node.map(Some).ok_or_else(unlike)
    }

    /// The object of a value that holds no others.
    #[inline]
    fn scalar(&self, value: Value<'m>, of: u32) -> Result<Bound<'p, PyAny>, Failure> {
        match self.node(value, of)? {
            Some(node) if node.is_float && value.kind() == Kind::Integer => {
                Ok(PyFloat::new(self.py, value.as_i64()? as f64).into_any())
            }
            _ => scalar(self.py, value),
        }
    }

    /// Counts a value, and says whether it holds others.
    #[inline]
    fn is_container(&mut self, value: Value<'m>) -> Result<bool, Failure> {
        match self.units_left.checked_sub(1) {
            Some(left) => self.units_left = left,
            None => return Err(beyond(value.offset(), "units")),
        }
        Ok(matches!(value.kind(), Kind::Object | Kind::Array))
    }

    /// The object of a value. A container's is still empty, and comes with what is to be read into it; one of a class comes
    /// when that has been read.
    #[inline]
    fn begin(&mut self, value: Value<'m>, of: u32) -> Result<Begun<'p, 'm>, Failure> {
        Ok(match self.is_container(value)? {
            true => {
                let (object, frame) = self.container(value, of)?;
                (object, Some(frame))
            }
            false => (Some(self.scalar(value, of)?), None),
        })
    }

    /// The object of a container, which is still empty, or none if it is of a class, and what is to be read into it.
    fn container(&mut self, value: Value<'m>, of: u32) -> Result<(Option<Bound<'p, PyAny>>, Frame<'p, 'm>), Failure> {
        let node = self.node(value, of)?;
        if value.kind() == Kind::Array {
            let list = PyList::empty(self.py);
            let object = list.clone().into_any();
            let of = node.map_or(ANY, |node| node.item);
            return Ok((Some(object), Frame::Array { list, items: value.items(), of }));
        }
        if let Some(class) = node.and_then(|node| node.class) {
            return Ok((None, self.class(value, class)));
        }
        let dict = PyDict::new(self.py);
        let object = dict.clone().into_any();
        let of = node.map_or(ANY, |node| node.member);
        let (members, at) = (value.members(), value.offset());
        Ok((Some(object), Frame::Object { dict, members, count: 0, of, at }))
    }

    /// Begins an object of a class.
    fn class(&mut self, value: Value<'m>, class: u32) -> Frame<'p, 'm> {
        let first = self.fields.len();
        let count = self.plan.and_then(|plan| plan.class(class)).map_or(0, |class| class.fields.len());
        self.fields.resize_with(first + count, || None);
        let (members, at) = (value.members(), value.offset());
        self.records.push(Record { members, class, first, next: 0, others: None, at });
        Frame::Record
    }
}

/// The error for a value that the plan does not have. Reading without it says what is wrong.
#[cold]
fn unlike() -> Failure {
    Error::new(ErrorKind::Schema, "pon", 0, "a value", "one of the type").into()
}

/// The object of a value that holds no others.
#[inline]
pub(crate) fn scalar<'p>(py: Python<'p>, value: Value<'_>) -> Result<Bound<'p, PyAny>, Failure> {
    Ok(match value.kind() {
        Kind::String => match PyString::from_bytes(py, value.data()) {
            Ok(text) => text.into_any(),
            Err(error) => return Err(value.as_str().err().map_or(error.into(), Failure::from)),
        },
        Kind::Integer => match value.as_i64() {
            Ok(number) => number.into_pyobject(py)?.into_any(),
            Err(_) => integer(py, value.as_str()?.as_bytes())?,
        },
        Kind::Float => PyFloat::new(py, value.as_f64()?).into_any(),
        Kind::Boolean => PyBool::new(py, value.as_bool()?).to_owned().into_any(),
        Kind::Binary => PyBytes::new(py, value.data()).into_any(),
        Kind::Char => PyString::new(py, value.as_char()?.encode_utf8(&mut [0; 4])).into_any(),
        Kind::Byte => value.as_byte()?.into_pyobject(py)?.into_any(),
        Kind::Null | Kind::Object | Kind::Array => py.None().into_bound(py),
    })
}

/// The error of a limit. [`explained`] finds the same, with its place.
#[cold]
fn beyond(at: usize, limit: &'static str) -> Failure {
    Error::limit("pon", at as u64, "a larger message", limit, 0).into()
}

/// The error of an object that has a key twice, of which a dict keeps one.
#[cold]
pub(crate) fn repeated_key(format: &'static str, at: usize, path: &str) -> Error {
    let expected = "each key once: a dict cannot hold the others, a Document can";
    Error::new(ErrorKind::Unsupported, format, at as u64, "a key that an object has twice", expected).in_path(path)
}

//! Objects of values of a schema.

use std::collections::HashSet;

use lengthwise::asn1::compiled::Kind;
use lengthwise::asn1::event::{Integer, Real};
use lengthwise::asn1::{Compiled, EncodingRules, Items, NodeId, Value};
use lengthwise::tam::Words;
use lengthwise::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyList, PyString, PyTuple};

use crate::assemble::{decimal, integer_of_octets};
use crate::error::Failure;

/// The names of a schema as strings of Python: of components, alternatives and enumerations, by the numbers of their
/// types.
#[derive(Default)]
pub(crate) struct Names {
    members: Vec<Vec<Py<PyString>>>,
    alternatives: Vec<Vec<Py<PyString>>>,
    enumerations: Vec<Vec<Py<PyString>>>,
}

impl Names {
    pub(crate) fn new(py: Python<'_>, types: &Compiled) -> Names {
        let mut names = Names::default();
        let mut waiting: Vec<NodeId> = types.types().map(|(_, _, node)| node).collect();
        let mut known: HashSet<NodeId> = waiting.iter().copied().collect();
        while let Some(node) = waiting.pop() {
            let mut inner = Vec::new();
            match types.node(node).kind {
                Kind::Record(number) => {
                    let members = &types.record(number).members;
                    put(py, &mut names.members, number, members.iter().map(|member| &member.name[..]));
                    inner.extend(members.iter().map(|member| member.node));
                }
                Kind::Choice(number) => {
                    let alternatives = &types.choice(number).alternatives;
                    put(py, &mut names.alternatives, number, alternatives.iter().map(|of| &of.name[..]));
                    inner.extend(alternatives.iter().map(|alternative| alternative.node));
                }
                Kind::Enumerated(number) => {
                    let items = &types.enumeration(number).items;
                    put(py, &mut names.enumerations, number, items.iter().map(|item| &item.0[..]));
                }
                Kind::Array(array) => inner.push(array.item),
                Kind::Open(number) => inner.extend(&types.open(number).alternatives),
                _ => {}
            }
            waiting.extend(inner.into_iter().filter(|node| known.insert(*node)));
        }
        names
    }
}

fn put<'a>(py: Python<'_>, lists: &mut Vec<Vec<Py<PyString>>>, number: u32, names: impl Iterator<Item = &'a str>) {
    let number = number as usize;
    if lists.len() <= number {
        lists.resize_with(number + 1, Vec::new);
    }
    if let Some(list) = lists.get_mut(number) {
        *list = names.map(|name| PyString::intern(py, name).unbind()).collect();
    }
}

fn name(lists: &[Vec<Py<PyString>>], number: u32, index: u32) -> Option<&Py<PyString>> {
    lists.get(number as usize)?.get(index as usize)
}

/// A container that is being read.
enum Frame<'p, 'v> {
    Record { dict: Bound<'p, PyDict>, value: Value<'v>, number: u32, next: u32 },
    Array { list: Bound<'p, PyList>, items: Items<'v> },
}

/// The object of a value, and its content if that is to be read yet.
type Made<'p, 'v> = (Bound<'p, PyAny>, Option<Frame<'p, 'v>>);

/// Makes objects of values. Containers that are open are on a stack of its own.
pub(crate) struct Reader<'p, 'v> {
    py: Python<'p>,
    types: &'v Compiled,
    names: &'v Names,
    /// Whether absent components get their defaults.
    defaults: bool,
    /// The rules of what is in open types whose type is not known.
    rules: &'static str,
    outer: Vec<Frame<'p, 'v>>,
}

impl<'p, 'v> Reader<'p, 'v> {
    pub(crate) fn new(
        py: Python<'p>,
        (types, names): (&'v Compiled, &'v Names),
        defaults: bool,
        rules: Option<EncodingRules>,
    ) -> Reader<'p, 'v> {
        let rules = match rules {
            Some(EncodingRules::Uper | EncodingRules::Aper) => "per",
            Some(EncodingRules::Oer) => "oer",
            Some(_) => "ber",
            None => "",
        };
        Reader { py, types, names, defaults, rules, outer: Vec::new() }
    }

    /// The object of a value.
    pub(crate) fn object(&mut self, value: Value<'v>) -> Result<Bound<'p, PyAny>, Failure> {
        let (object, mut content) = self.value(value.content())?;
        while let Some(mut frame) = content {
            let inner = match &mut frame {
                Frame::Record { dict, value, number, next } => self.members(dict, *value, *number, next),
                Frame::Array { list, items } => self.items(list, items),
            };
            content = match inner {
                Ok(Some(inner)) => {
                    self.outer.push(frame);
                    Some(inner)
                }
                Ok(None) => self.outer.pop(),
                Err(Failure::Message(error)) => {
                    self.outer.push(frame);
                    return Err(error.in_path(self.path()).into());
                }
                Err(failure) => return Err(failure),
            };
        }
        Ok(object)
    }

    /// Adds components up to one with content, which it returns.
    #[inline]
    fn members(
        &mut self,
        dict: &Bound<'p, PyDict>,
        value: Value<'v>,
        number: u32,
        next: &mut u32,
    ) -> Result<Option<Frame<'p, 'v>>, Failure> {
        let record = self.types.record(number);
        while (*next as usize) < record.members.len() {
            let index = match &record.declared {
                Some(order) => order.get(*next as usize).copied().unwrap_or_default(),
                None => *next,
            };
            *next += 1;
            let Some(component) = (if self.defaults { value.member(index) } else { value.written(index) }) else {
                continue;
            };
            let Some(key) = name(&self.names.members, number, index) else { continue };
            let (object, content) = self.value(component)?;
            dict.set_item(key, object)?;
            if content.is_some() {
                return Ok(content);
            }
        }
        Ok(None)
    }

    /// Adds items up to one with content, which it returns.
    #[inline]
    fn items(&mut self, list: &Bound<'p, PyList>, items: &mut Items<'v>) -> Result<Option<Frame<'p, 'v>>, Failure> {
        for item in items {
            let (object, content) = self.value(item)?;
            list.append(object)?;
            if content.is_some() {
                return Ok(content);
            }
        }
        Ok(None)
    }

    /// The object of a value. A container is still empty.
    #[inline]
    fn value(&mut self, value: Value<'v>) -> Result<Made<'p, 'v>, Failure> {
        let py = self.py;
        let scalar = match value.kind() {
            Kind::Record(number) => {
                let dict = PyDict::new(py);
                let object = dict.clone().into_any();
                return Ok((object, Some(Frame::Record { dict, value, number, next: 0 })));
            }
            Kind::Array(_) => {
                let list = PyList::empty(py);
                let object = list.clone().into_any();
                return Ok((object, Some(Frame::Array { list, items: value.items() })));
            }
            Kind::Choice(_) => return self.choice(value),
            Kind::Integer(_) => match value.as_integer() {
                Some(Integer::Big(octets)) => integer_of_octets(py, octets)?,
                Some(Integer::Small(number)) => number.into_pyobject(py)?.into_any(),
                None => py.None().into_bound(py),
            },
            Kind::Text(_) => PyString::new(py, value.as_str().unwrap_or_default()).into_any(),
            Kind::Enumerated(number) => {
                let item = value.as_item().filter(|_| value.unknown().is_none());
                match item.and_then(|item| name(&self.names.enumerations, number, item)) {
                    Some(name) => name.bind(py).clone().into_any(),
                    None => return Err(later("an enumeration of a later version of the schema").into()),
                }
            }
            Kind::Boolean => PyBool::new(py, value.as_bool().unwrap_or_default()).to_owned().into_any(),
            Kind::OctetString(_) => PyBytes::new(py, value.as_octets().unwrap_or_default()).into_any(),
            Kind::Real => self.real(value)?,
            Kind::BitString(..) => {
                let (octets, bits) = value.as_bits().unwrap_or_default();
                (PyBytes::new(py, octets), bits).into_pyobject(py)?.into_any()
            }
            Kind::ObjectIdentifier | Kind::RelativeOid => match value.as_oid() {
                Some(dotted) => PyString::new(py, &dotted).into_any(),
                None => return Err(later("an object identifier with an arc of more than 128 bits").into()),
            },
            Kind::Open(_) => match (value.contained(), value.unknown()) {
                (Some(inner), _) => {
                    let dict = PyDict::new(py);
                    let (object, content) = self.value(inner)?;
                    dict.set_item("containing", object)?;
                    return Ok((dict.into_any(), content));
                }
                (None, Some(octets)) if !self.rules.is_empty() => {
                    // As X.697 has it.
                    let dict = PyDict::new(py);
                    dict.set_item(self.rules, hex(octets))?;
                    dict.into_any()
                }
                _ => return Err(later("an open type whose type is not known").into()),
            },
            Kind::Null => py.None().into_bound(py),
        };
        Ok((scalar, None))
    }

    /// A tuple of the name and the value, or tuples in each other.
    fn choice(&mut self, value: Value<'v>) -> Result<Made<'p, 'v>, Failure> {
        let (mut chosen, mut names) = (value, Vec::new());
        while let Kind::Choice(number) = chosen.kind() {
            let Some((index, inner)) = chosen.chosen_place() else {
                return Err(later("an alternative of a later version of the schema").into());
            };
            names.extend(name(&self.names.alternatives, number, index));
            chosen = inner;
        }
        let (mut object, content) = self.value(chosen)?;
        for name in names.iter().rev() {
            object = PyTuple::new(self.py, [name.bind(self.py).as_any(), &object])?.into_any();
        }
        Ok((object, content))
    }

    fn real(&self, value: Value<'v>) -> PyResult<Bound<'p, PyAny>> {
        let py = self.py;
        let is_decimal = self.types.is_decimal(value.node_id());
        Ok(match value.as_real() {
            Some(Real::Double(double)) if !is_decimal => PyFloat::new(py, double).into_any(),
            Some(real) => {
                let mut text = String::new();
                match (real.push_plain(&mut text), real) {
                    (false, Real::Decimal(other)) => decimal(py, other)?,
                    (false, Real::Double(double)) => PyFloat::new(py, double).into_any(),
                    (true, _) => decimal(py, &text)?,
                }
            }
            None => py.None().into_bound(py),
        })
    }

    /// The path of what is read now.
    #[cold]
    fn path(&self) -> String {
        const LEVELS: usize = 64;
        let mut path = String::new();
        for (level, frame) in self.outer.iter().take(LEVELS).enumerate() {
            path.push('/');
            match frame {
                Frame::Record { number, next, .. } => {
                    let record = self.types.record(*number);
                    let place = next.saturating_sub(1);
                    let index = record.declared.as_ref().map_or(place, |order| order[place as usize]);
                    path.push_str(record.members.get(index as usize).map_or("", |member| &member.name));
                }
                // The item is in the list already if it is a container.
                Frame::Array { list, .. } => {
                    let item = list.len() - usize::from(level + 1 < self.outer.len());
                    path.push_str(&item.to_string());
                }
            }
        }
        path
    }
}

/// Octets as hexadecimal digits.
pub(crate) fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02X}")).collect()
}

/// The error for what has no form in Python.
#[cold]
fn later(found: &'static str) -> Error {
    Error::without_place(ErrorKind::Unsupported, "python", Words::Text(found), "what the schema knows")
}

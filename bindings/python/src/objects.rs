//! Objects of Python of the values of a message, of any format: `dict`s, `list`s and what these hold, or objects of a type by
//! its plan.

use std::borrow::Cow;

use lengthwise::{Error, ErrorKind, Limits};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyList, PySet, PyString, PyTuple};

use crate::assemble::{Keys, decimal};
use crate::error::Failure;
use crate::plan::{self, ANY, Class, Node, Plan, Shape, Unmade};
use crate::typed::converted;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Integer,
    Float,
    String,
    Binary,
    Char,
    Byte,
    Array,
    Object,
    Decimal,
}

/// A value of a message, as a format has it.
pub(crate) trait Value: Clone {
    type Key: Key;
    type Members: Iterator<Item = Result<(Self::Key, Self), Error>>;
    type Items: Iterator<Item = Result<Self, Error>>;

    fn kind(&self) -> Kind;

    /// The same as far as it matters where no type is asked for: what is no object and no array is made at once.
    #[inline]
    fn rough_kind(&self) -> Kind {
        self.kind()
    }

    /// The object of a value that is made at once.
    fn scalar<'p>(&self, py: Python<'p>) -> Result<Bound<'p, PyAny>, Failure>;

    /// The text of a number, if the message has it as text.
    fn number(&self) -> Option<&str> {
        None
    }

    /// The members of an object.
    fn members(&self) -> Result<Self::Members, Error>;

    /// The items of an array.
    fn items(&self) -> Result<Self::Items, Error>;

    /// Whether an array becomes a tuple, unless a type says otherwise.
    fn is_tuple(&self) -> bool {
        false
    }

    /// The error for an object that has a key twice.
    fn repeated_key(members: &Self::Members) -> Error;

    /// What the last of some members adds to the path of an error in it, if that has none yet.
    fn member_step(_members: &Self::Members) -> Option<String> {
        None
    }

    /// The same for items.
    fn item_step(_items: &Self::Items) -> Option<String> {
        None
    }
}

/// The key of a member.
pub(crate) trait Key {
    /// In UTF-8.
    fn text(&self) -> Cow<'_, [u8]>;

    #[inline]
    fn string<'p>(&self, py: Python<'p>, keys: &mut Keys) -> Result<Bound<'p, PyString>, Failure> {
        Ok(keys.of(py, self.text())?)
    }
}

/// The object of a value: of a type, if one is asked for. What does not fit the plan of a type, or has none, is converted from
/// `dict`s and `list`s, which also says what is wrong.
pub(crate) fn object<'p, V: Value>(
    py: Python<'p>,
    root: V,
    class: Option<&Bound<'p, PyAny>>,
    limits: Option<&Limits>,
    format: &'static str,
) -> Result<Bound<'p, PyAny>, Failure> {
    let planned = class.map(plan::of).transpose()?.flatten();
    if let Some(plan) = planned.as_ref().and_then(|planned| planned.get().plan()) {
        let mut reader = Reader::<V, true>::new(py, Some(plan), limits, format);
        match reader.object(root.clone()) {
            Ok(object) => {
                reader.unmade.into_iter().try_for_each(Unmade::make)?;
                return Ok(object);
            }
            // Not that the user wants to stop.
            Err(Failure::Python(error)) if !error.is_instance_of::<PyException>(py) => {
                return Err(Failure::Python(error));
            }
            Err(_) => {}
        }
    }
    let mut reader = Reader::<V, false>::new(py, None, limits, format);
    let known = planned.as_ref().map(|planned| planned.get());
    reader.is_exact = known.is_some_and(|known| known.has_decimals);
    let object = reader.object(root)?;
    Ok(converted(object, class, format, known.is_some_and(|known| known.has_bounded_sets))?)
}

/// Makes objects of values. Containers that are open are on a stack of its own.
/// If it is not `PLANNED`, they are dicts, lists and what these hold.
struct Reader<'p, 'r, V: Value, const PLANNED: bool> {
    py: Python<'p>,
    keys: Keys,
    plan: Option<&'r Plan>,
    outer: Vec<Frame<'p, V>>,
    /// The objects of classes that are being read, the values of their fields and of tuples and sets, and the keys of all these
    /// in dicts.
    records: Vec<Record<'p, V>>,
    values: Vec<Option<Bound<'p, PyAny>>>,
    waiting: Vec<Bound<'p, PyString>>,
    /// What is made when all of the message has been read.
    unmade: Vec<Unmade<'p, 'r>>,
    depth: usize,
    units_left: usize,
    format: &'static str,
    /// Whether numbers with more digits than a `float` has become decimals, which are asked for in some place.
    is_exact: bool,
}

/// A container that is being read. `of` is the node of what is in it.
enum Frame<'p, V: Value> {
    Object {
        dict: Bound<'p, PyDict>,
        members: V::Members,
        count: usize,
        of: u32,
    },
    Array {
        list: Bound<'p, PyList>,
        items: V::Items,
        of: u32,
    },
    /// A tuple or a set, of which `node` is the node, and the place of its first value.
    Gathered {
        items: V::Items,
        node: u32,
        first: usize,
    },
    /// The last record.
    Record,
}

/// The object of a value, and its content if that is to be read yet.
type Begun<'p, V> = (Option<Bound<'p, PyAny>>, Option<Frame<'p, V>>);

/// An object of a class that is being read.
struct Record<'p, V: Value> {
    members: V::Members,
    class: u32,
    /// Where the values of its fields are, the field that is likely to come next, and the one that came last, if the last
    /// member is one.
    first: usize,
    next: usize,
    last: Option<usize>,
    /// Other members.
    others: Option<Bound<'p, PyDict>>,
}

impl<'p, 'r, V: Value, const PLANNED: bool> Reader<'p, 'r, V, PLANNED> {
    /// Without limits, they have been checked.
    fn new(py: Python<'p>, plan: Option<&'r Plan>, limits: Option<&Limits>, format: &'static str) -> Self {
        let (outer, records, values, waiting, unmade) = Default::default();
        let depth = limits.map_or(usize::MAX, |limits| limits.depth as usize);
        let units_left = limits.map_or(usize::MAX, |limits| limits.units as usize);
        let (keys, is_exact) = (Keys::new(), false);
        Reader { py, keys, plan, outer, records, values, waiting, unmade, depth, units_left, format, is_exact }
    }

    /// The object of a value. Everything in it is checked.
    fn object(&mut self, root: V) -> Result<Bound<'p, PyAny>, Failure> {
        let node = self.plan.map_or(ANY, |plan| plan.root);
        let (mut object, mut content) = self.begin(&root, node)?;
        while let Some(mut frame) = content {
            let inner = match &mut frame {
                Frame::Object { dict, members, count, of } => self.members(dict, members, count, *of),
                Frame::Array { list, items, of } => self.items(list, items, *of),
                Frame::Gathered { items, node, first } => self.gathered(items, *node, *first),
                Frame::Record => self.record(),
            };
            content = match inner {
                Ok(Some(_)) if self.outer.len() + 1 >= self.depth => return Err(self.beyond("depth")),
                Ok(Some(inner)) => {
                    self.outer.push(frame);
                    Some(inner)
                }
                Ok(None) => {
                    if let Some(made) = self.made(&frame)? {
                        match self.outer.is_empty() {
                            true => object = Some(made),
                            false => self.put(made)?,
                        }
                    }
                    self.outer.pop()
                }
                Err(failure) => {
                    self.outer.push(frame);
                    return Err(self.placed(failure));
                }
            };
        }
        object.ok_or_else(|| self.unlike())
    }

    /// Adds members up to a container, which it returns.
    #[inline]
    fn members(
        &mut self,
        dict: &Bound<'p, PyDict>,
        members: &mut V::Members,
        count: &mut usize,
        of: u32,
    ) -> Result<Option<Frame<'p, V>>, Failure> {
        for member in &mut *members {
            let (key, value) = member?;
            let key = key.string(self.py, &mut self.keys)?;
            *count += 1;
            let kind = self.kind(&value)?;
            if is_container(kind) {
                let (inner, frame) = self.container(&value, kind, of)?;
                match inner {
                    Some(inner) => dict.set_item(key, inner)?,
                    None => self.waiting.push(key),
                }
                return Ok(Some(frame));
            }
            dict.set_item(key, self.scalar(&value, kind, of)?)?;
        }
        if dict.len() < *count { Err(V::repeated_key(members).into()) } else { Ok(None) }
    }

    /// Adds items up to a container, which it returns.
    #[inline]
    fn items(
        &mut self,
        list: &Bound<'p, PyList>,
        items: &mut V::Items,
        of: u32,
    ) -> Result<Option<Frame<'p, V>>, Failure> {
        for item in items {
            let item = item?;
            let kind = self.kind(&item)?;
            if is_container(kind) {
                let (inner, frame) = self.container(&item, kind, of)?;
                if let Some(inner) = inner {
                    list.append(inner)?;
                }
                return Ok(Some(frame));
            }
            list.append(self.scalar(&item, kind, of)?)?;
        }
        Ok(None)
    }

    /// Reads items of a tuple or a set up to a container, which it returns.
    fn gathered(&mut self, items: &mut V::Items, node: u32, first: usize) -> Result<Option<Frame<'p, V>>, Failure> {
        let node = self.plan.and_then(|plan| plan.node(node));
        for item in items {
            let of = match node {
                Some(node) => node.item_at(self.values.len() - first).ok_or_else(|| self.unlike())?,
                None => ANY,
            };
            let (object, frame) = self.begin(&item?, of)?;
            if object.is_some() {
                self.values.push(object);
            }
            if frame.is_some() {
                return Ok(frame);
            }
        }
        Ok(None)
    }

    /// Reads fields of the last record up to a container, which it returns.
    fn record(&mut self) -> Result<Option<Frame<'p, V>>, Failure> {
        let last = self.records.len().checked_sub(1).ok_or_else(|| self.unlike())?;
        while let Some(member) = self.records[last].members.next() {
            let (key, value) = member?;
            let Record { class, next, first, .. } = self.records[last];
            let class = self.class(class)?;
            let number = class.field(&key.text(), next);
            let of = number.and_then(|number| class.fields.get(number)).map_or(ANY, |field| field.node);
            let (object, frame) = self.begin(&value, of)?;
            let record = &mut self.records[last];
            record.last = number;
            match number {
                Some(number) => {
                    record.next = number + 1;
                    let place = self.values.get_mut(first + number);
                    let place =
                        place.filter(|place| place.is_none()).ok_or_else(|| V::repeated_key(&record.members))?;
                    *place = object;
                }
                None => {
                    let others = record.others.get_or_insert_with(|| PyDict::new(self.py));
                    let before = others.len();
                    others.set_item(key.string(self.py, &mut self.keys)?, object)?;
                    if others.len() == before {
                        return Err(V::repeated_key(&record.members).into());
                    }
                }
            }
            if frame.is_some() {
                return Ok(frame);
            }
        }
        Ok(None)
    }

    /// The object of a container that has been read, if that is made only then.
    #[inline]
    fn made(&mut self, frame: &Frame<'p, V>) -> Result<Option<Bound<'p, PyAny>>, Failure> {
        Ok(match frame {
            Frame::Record if PLANNED => {
                let record = self.records.pop().ok_or_else(|| self.unlike())?;
                let class = self.class(record.class)?;
                let first = record.first.min(self.values.len());
                let unmade = class.has_factories.then(|| class.unmade(&self.values[first..]));
                let made = class.object(self.py, self.values.drain(first..))?;
                if let Some(unmade) = unmade {
                    self.unmade.extend(unmade.into_iter().map(|field| Unmade { object: made.clone(), class, field }));
                }
                Some(made)
            }
            Frame::Gathered { node, first, .. } => {
                let shape = self.plan.and_then(|plan| plan.node(*node)).map_or(&Shape::Own, |node| &node.shape);
                if matches!(shape, Shape::Fixed(items) if items.len() != self.values.len() - first) {
                    return Err(self.unlike());
                }
                let values = self.values.drain((*first).min(self.values.len())..).flatten();
                Some(match shape {
                    Shape::Set => PySet::new(self.py, values)?.into_any(),
                    Shape::FrozenSet => PyFrozenSet::new(self.py, values)?.into_any(),
                    _ => PyTuple::new(self.py, values.collect::<Vec<_>>())?.into_any(),
                })
            }
            _ => None,
        })
    }

    /// Puts an object that was made last into the container around it.
    fn put(&mut self, object: Bound<'p, PyAny>) -> Result<(), Failure> {
        match self.outer.last() {
            Some(Frame::Object { dict, .. }) => {
                let key = self.waiting.pop().ok_or_else(|| self.unlike())?;
                dict.set_item(key, object)?;
            }
            Some(Frame::Array { list, .. }) => list.append(object)?,
            Some(Frame::Gathered { .. }) => self.values.push(Some(object)),
            Some(Frame::Record) | None => {
                let record = self.records.last().ok_or_else(|| self.unlike())?;
                if let Some(place) = record.last.and_then(|last| self.values.get_mut(record.first + last)) {
                    *place = Some(object);
                }
            }
        }
        Ok(())
    }

    /// The kind of a value, which is counted.
    #[inline]
    fn kind(&mut self, value: &V) -> Result<Kind, Failure> {
        match self.units_left.checked_sub(1) {
            Some(left) => self.units_left = left,
            None => return Err(self.beyond("units")),
        }
        Ok(if PLANNED { value.kind() } else { value.rough_kind() })
    }

    /// What a value of a kind may be.
    #[inline]
    fn node(&self, kind: Kind, of: u32) -> Result<Option<&'r Node>, Failure> {
        let Some(plan) = self.plan.filter(|_| PLANNED) else { return Ok(None) };
        let node = plan.node(of).filter(|node| node.takes(kind));
        node.map(Some).ok_or_else(|| self.unlike())
    }

    /// The object of a value that holds no others.
    #[inline]
    fn scalar(&self, value: &V, kind: Kind, of: u32) -> Result<Bound<'p, PyAny>, Failure> {
        match self.node(kind, of)? {
            Some(node) if node.replaces(kind) => node.replaced(self.py, value, kind)?.ok_or_else(|| self.unlike()),
            None if !PLANNED && self.is_exact && kind == Kind::Float => self.exact(value),
            _ => value.scalar(self.py),
        }
    }

    /// The `float` of a number, or its `Decimal` if no `float` has its digits.
    fn exact(&self, value: &V) -> Result<Bound<'p, PyAny>, Failure> {
        let float = value.scalar(self.py);
        let Some(text) = value.number().filter(|text| text.ends_with(|last: char| last.is_ascii_digit())) else {
            return float;
        };
        let exact = decimal(self.py, text)?;
        match float {
            Ok(float) if exact.eq(decimal(self.py, float.str()?.to_str()?)?)? => Ok(float),
            _ => Ok(exact),
        }
    }

    /// The object of a value. A `dict` or `list` is still empty, and comes with what is to be read into it; other containers
    /// come when that has been read.
    #[inline]
    fn begin(&mut self, value: &V, of: u32) -> Result<Begun<'p, V>, Failure> {
        let kind = self.kind(value)?;
        Ok(match is_container(kind) {
            true => {
                let (object, frame) = self.container(value, kind, of)?;
                (object, Some(frame))
            }
            false => (Some(self.scalar(value, kind, of)?), None),
        })
    }

    /// The object of a container, which is still empty, or none if it is made later, and what is to be read into it.
    fn container(
        &mut self,
        value: &V,
        kind: Kind,
        of: u32,
    ) -> Result<(Option<Bound<'p, PyAny>>, Frame<'p, V>), Failure> {
        let node = self.node(kind, of)?;
        if kind == Kind::Array {
            let items = value.items()?;
            let is_list = match node.map_or(&Shape::Own, |node| &node.shape) {
                Shape::Own => !value.is_tuple(),
                shape => matches!(shape, Shape::List),
            };
            if !is_list {
                return Ok((None, Frame::Gathered { items, node: of, first: self.values.len() }));
            }
            let list = PyList::empty(self.py);
            let object = list.clone().into_any();
            let of = node.map_or(ANY, |node| node.item);
            return Ok((Some(object), Frame::Array { list, items, of }));
        }
        let members = value.members()?;
        if let Some(class) = node.and_then(|node| node.class) {
            let first = self.values.len();
            self.values.resize_with(first + self.class(class)?.fields.len(), || None);
            self.records.push(Record { members, class, first, next: 0, last: None, others: None });
            return Ok((None, Frame::Record));
        }
        let dict = PyDict::new(self.py);
        let object = dict.clone().into_any();
        let of = node.map_or(ANY, |node| node.member);
        Ok((Some(object), Frame::Object { dict, members, count: 0, of }))
    }

    #[inline]
    fn class(&self, number: u32) -> Result<&'r Class, Failure> {
        self.plan.and_then(|plan| plan.class(number)).ok_or_else(|| self.unlike())
    }

    /// The error for a value that the plan does not have. Reading without it says what is wrong.
    #[cold]
    fn unlike(&self) -> Failure {
        Error::without_place(ErrorKind::Schema, self.format, "a value", "one of the type").into()
    }

    /// The error of a limit. Reading the whole message gives the same with its place.
    #[cold]
    fn beyond(&self, limit: &'static str) -> Failure {
        Error::limit(self.format, 0, "a larger message", limit, 0).into()
    }

    /// An error with the path of what is read now.
    #[cold]
    fn placed(&self, failure: Failure) -> Failure {
        const LEVELS: usize = 64;
        let Failure::Message(error) = failure else { return failure };
        let steps = self.outer.iter().take(LEVELS).filter_map(|frame| match frame {
            Frame::Object { members, .. } => V::member_step(members),
            Frame::Array { items, .. } | Frame::Gathered { items, .. } => V::item_step(items),
            Frame::Record => None,
        });
        match steps.fold(String::new(), |path, step| path + "/" + &step) {
            path if path.is_empty() => Failure::Message(error),
            path => error.in_path(path).into(),
        }
    }
}

#[inline]
fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::Object | Kind::Array)
}

/// The error of an object that has a key twice, of which a dict keeps one.
#[cold]
pub(crate) fn repeated_key(format: &'static str, at: usize, path: &str) -> Error {
    let expected = "each key once: a dict cannot hold the others, a Document can";
    Error::new(ErrorKind::Unsupported, format, at as u64, "a key that an object has twice", expected).in_path(path)
}

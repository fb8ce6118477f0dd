//! How values become objects of a type without others in between.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use lengthwise::asn1::NodeId;
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyString, PyTuple, PyType};

use crate::assemble::decimal;
use crate::error::Failure;
use crate::objects::{Kind, Value};
use crate::typed::{address, kept};

/// The node of any value.
pub(crate) const ANY: u32 = 0;

/// The nodes and classes of a type, as `lengthwise._typed.plan` makes them.
pub(crate) struct Plan {
    nodes: Vec<Node>,
    classes: Vec<Class>,
    pub(crate) root: u32,
}

/// What a value may be.
pub(crate) struct Node {
    /// The kinds that it may have, a bit each.
    kinds: u16,
    /// The kinds whose object is made from that of the value: integers for a `float`, the values of enumerations.
    replaced: u16,
    known: Py<PyDict>,
    known_kinds: u16,
    /// Those that a `Decimal` is made of.
    decimal_kinds: u16,
    /// What an array becomes.
    pub(crate) shape: Shape,
    /// The node of items, and that of the members of a `dict`.
    pub(crate) item: u32,
    pub(crate) member: u32,
    /// The class that an object becomes one of.
    pub(crate) class: Option<u32>,
}

/// What an array becomes.
pub(crate) enum Shape {
    /// What it is without a type.
    Own,
    List,
    Tuple,
    /// A tuple of so many items, of these nodes.
    Fixed(Vec<u32>),
    Set,
    FrozenSet,
}

/// A class whose objects are made.
pub(crate) struct Class {
    class: Py<PyType>,
    /// Makes a new object, of which the fields become attributes; without it, the class is called with them.
    new: Option<Py<PyAny>>,
    /// Sets an attribute, if it is not set like that of other objects.
    put: Option<Py<PyAny>>,
    pub(crate) has_factories: bool,
    pub(crate) fields: Vec<Field>,
    /// The fields by their keys, where one does not come in its turn.
    numbers: HashMap<Box<[u8]>, usize>,
}

pub(crate) struct Field {
    name: Py<PyString>,
    key: Box<[u8]>,
    pub(crate) node: u32,
    absent: Absent,
}

/// What becomes of a field that a message does not have.
enum Absent {
    Refused,
    Default(Py<PyAny>),
    /// An empty object of a type of Python.
    Empty(Py<PyAny>),
    /// Made by a function, once nothing can be refused any more.
    Factory(Py<PyAny>),
    /// It is left to the class.
    Left,
}

/// What is known of a type.
#[pyclass(frozen)]
pub(crate) struct Planned {
    /// None if it takes more to make its objects.
    plan: Option<Plan>,
    /// Whether there are decimals in them.
    pub(crate) has_decimals: bool,
    /// Whether there are sets with a least length.
    pub(crate) has_bounded_sets: bool,
    /// The types of schemas whose components its fields name, by the number of the schema.
    suits: Mutex<HashSet<(u64, NodeId)>>,
}

/// What `lengthwise._typed.plan` makes: nodes, classes and the node of the type. A class has what makes a new object, what
/// puts attributes into it, and its fields.
type Made = (Vec<MadeNode>, Vec<MadeClass>, u32);
type MadeClass = (Py<PyType>, Option<Py<PyAny>>, Option<Py<PyAny>>, Fields);
type Fields = Vec<(Py<PyString>, Vec<u8>, u32, u8, Py<PyAny>)>;

/// A node as `lengthwise._typed.Node` has it.
#[derive(FromPyObject)]
struct MadeNode {
    letters: String,
    item: u32,
    member: u32,
    cls: i64,
    shape: String,
    items: Vec<u32>,
    known: Py<PyDict>,
    known_letters: String,
    decimal_letters: String,
}

/// The plan of a type, if there is one. A type that cannot be looked up has none.
pub(crate) fn of<'p>(class: &Bound<'p, PyAny>) -> PyResult<Option<Bound<'p, Planned>>> {
    static KNOWN: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    // A class is itself, whatever its metaclass says; types like `list[T]` are made anew each time.
    let key = if class.is_instance_of::<PyType>() { address(class)? } else { class.clone() };
    if key.hash().is_err() {
        return Ok(None);
    }
    let planned = kept(&KNOWN, (&key, class), "plan", |made| {
        let (made, has_decimals, has_bounded_sets): (Option<Made>, bool, bool) = made.extract()?;
        let plan = made.map(|(nodes, classes, root)| Plan {
            nodes: nodes.into_iter().map(Node::new).collect(),
            classes: classes.into_iter().map(Class::new).collect(),
            root,
        });
        Ok(Planned { plan, has_decimals, has_bounded_sets, suits: Mutex::default() })
    })?;
    Ok(Some(planned))
}

impl Planned {
    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// Makes sure once, by `check`, that the fields are those of a type of a schema.
    pub(crate) fn suits(&self, of: (u64, NodeId), check: impl FnOnce() -> PyResult<()>) -> PyResult<()> {
        let known = || self.suits.lock().unwrap_or_else(PoisonError::into_inner);
        if !known().contains(&of) {
            check()?;
            known().insert(of);
        }
        Ok(())
    }
}

impl Plan {
    #[inline]
    pub(crate) fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }

    #[inline]
    pub(crate) fn class(&self, number: u32) -> Option<&Class> {
        self.classes.get(number as usize)
    }
}

impl Node {
    fn new(made: MadeNode) -> Node {
        let (kinds, known_kinds) = (bits(&made.letters), bits(&made.known_letters));
        let decimal_kinds = bits(&made.decimal_letters);
        // An integer becomes a float where there is no other place for it.
        let to_float = match kinds & bit(Kind::Float) {
            0 => 0,
            _ => (bit(Kind::Integer) | bit(Kind::Decimal)) & !kinds,
        };
        let shape = match &made.shape[..] {
            "list" => Shape::List,
            "tuple" => Shape::Tuple,
            "fixed" => Shape::Fixed(made.items),
            "set" => Shape::Set,
            "frozenset" => Shape::FrozenSet,
            _ => Shape::Own,
        };
        Node {
            kinds: kinds | to_float,
            replaced: known_kinds | decimal_kinds | to_float,
            known: made.known,
            known_kinds,
            decimal_kinds,
            shape,
            item: made.item,
            member: made.member,
            class: u32::try_from(made.cls).ok(),
        }
    }

    /// Whether a value may have a kind.
    #[inline]
    pub(crate) fn takes(&self, kind: Kind) -> bool {
        self.kinds & bit(kind) != 0
    }

    /// Whether another object comes in place of that of a value.
    #[inline]
    pub(crate) fn replaces(&self, kind: Kind) -> bool {
        self.replaced & bit(kind) != 0
    }

    /// What comes in place of it, if there is something.
    pub(crate) fn replaced<'p, V: Value>(
        &self,
        py: Python<'p>,
        value: &V,
        kind: Kind,
    ) -> Result<Option<Bound<'p, PyAny>>, Failure> {
        if self.decimal_kinds & bit(kind) != 0 {
            return Ok(Some(decimal_of(py, value)?));
        }
        let object = value.scalar(py)?;
        Ok(match self.known_kinds & bit(kind) {
            0 => Some(PyFloat::new(py, object.extract()?).into_any()),
            _ => self.known.bind(py).get_item(object)?,
        })
    }

    /// The node of the item at a place of an array, if there may be one.
    #[inline]
    pub(crate) fn item_at(&self, index: usize) -> Option<u32> {
        match &self.shape {
            Shape::Fixed(items) => items.get(index).copied(),
            _ => Some(self.item),
        }
    }
}

/// The `Decimal` of a number, or of a string.
fn decimal_of<'p, V: Value>(py: Python<'p>, value: &V) -> Result<Bound<'p, PyAny>, Failure> {
    Ok(match value.number() {
        Some(text) => decimal(py, text)?,
        None => decimal(py, value.scalar(py)?.str()?.to_str()?)?,
    })
}

fn bits(letters: &str) -> u16 {
    letters.chars().filter_map(kind).fold(0, |kinds, kind| kinds | bit(kind))
}

fn bit(kind: Kind) -> u16 {
    1 << kind as u16
}

impl Class {
    fn new((class, new, put, fields): MadeClass) -> Class {
        let fields: Vec<Field> = fields
            .into_iter()
            .map(|(name, key, node, absent, default)| {
                let absent = match absent {
                    0 => Absent::Refused,
                    1 => Absent::Default(default),
                    2 => Absent::Empty(default),
                    3 => Absent::Factory(default),
                    _ => Absent::Left,
                };
                Field { name, key: key.into(), node, absent }
            })
            .collect();
        let has_factories = fields.iter().any(|field| matches!(field.absent, Absent::Factory(_)));
        let numbers = fields.iter().enumerate().map(|(number, field)| (field.key.clone(), number)).collect();
        Class { class, new, put, has_factories, fields, numbers }
    }

    /// The field with a key, which is likely to be a certain one.
    #[inline]
    pub(crate) fn field(&self, key: &[u8], likely: usize) -> Option<usize> {
        match self.fields.get(likely) {
            Some(field) if *field.key == *key => Some(likely),
            _ => self.numbers.get(key).copied(),
        }
    }

    /// Sets the attribute of a field.
    #[inline]
    fn put<'p>(&self, object: &Bound<'p, PyAny>, field: &Field, value: Bound<'p, PyAny>) -> PyResult<()> {
        match &self.put {
            None => object.setattr(&field.name, value),
            Some(put) => put.bind(object.py()).call1((object, &field.name, value)).map(|_| ()),
        }
    }

    /// An object with the values of its fields; an error if one is missing that has no default. Those of functions are `None`
    /// until [`Unmade::make`].
    pub(crate) fn object<'p>(
        &self,
        py: Python<'p>,
        values: impl Iterator<Item = Option<Bound<'p, PyAny>>>,
    ) -> PyResult<Bound<'p, PyAny>> {
        let mut fields = values.zip(&self.fields).filter_map(|(value, field)| match (value, &field.absent) {
            (Some(value), _) => Some(Ok((field, value))),
            (None, Absent::Refused) => Some(Err(PyLookupError::new_err(()))),
            (None, Absent::Default(default)) => Some(Ok((field, default.bind(py).clone()))),
            (None, Absent::Empty(kind)) => Some(kind.bind(py).call0().map(|made| (field, made))),
            (None, Absent::Factory(_)) => Some(Ok((field, py.None().into_bound(py)))),
            (None, Absent::Left) => None,
        });
        let class = self.class.bind(py);
        match &self.new {
            None => {
                let values: Vec<_> = fields.map(|field| Ok(field?.1)).collect::<PyResult<_>>()?;
                class.call1(PyTuple::new(py, values)?)
            }
            Some(new) => {
                let object = new.bind(py).call1((class,))?;
                // Most classes are of the first kind, and their loop is the one that takes the time.
                match &self.put {
                    None => fields.try_for_each(|field| {
                        let (field, value) = field?;
                        object.setattr(&field.name, value)
                    })?,
                    Some(_) => fields.try_for_each(|field| {
                        let (field, value) = field?;
                        self.put(&object, field, value)
                    })?,
                }
                Ok(object)
            }
        }
    }

    /// The fields without a value for which there are functions.
    #[cold]
    pub(crate) fn unmade(&self, values: &[Option<Bound<'_, PyAny>>]) -> Vec<usize> {
        let fields = self.fields.iter().zip(values).enumerate();
        let unmade = fields.filter(|(_, (field, value))| value.is_none() && matches!(field.absent, Absent::Factory(_)));
        unmade.map(|(number, _)| number).collect()
    }
}

/// A field of an object whose value a function makes.
pub(crate) struct Unmade<'p, 'c> {
    pub(crate) object: Bound<'p, PyAny>,
    pub(crate) class: &'c Class,
    pub(crate) field: usize,
}

impl Unmade<'_, '_> {
    /// Calls the function.
    pub(crate) fn make(self) -> PyResult<()> {
        let Unmade { object, class, field } = self;
        match class.fields.get(field) {
            Some(field @ Field { absent: Absent::Factory(factory), .. }) => {
                class.put(&object, field, factory.bind(object.py()).call0()?)
            }
            _ => Ok(()),
        }
    }
}

/// The kind of a letter of `lengthwise._typed`.
fn kind(letter: char) -> Option<Kind> {
    Some(match letter {
        'u' => Kind::Null,
        'b' => Kind::Boolean,
        'i' => Kind::Integer,
        'd' => Kind::Float,
        's' => Kind::String,
        'y' => Kind::Binary,
        'c' => Kind::Char,
        'z' => Kind::Byte,
        'a' => Kind::Array,
        'o' => Kind::Object,
        'm' => Kind::Decimal,
        _ => return None,
    })
}

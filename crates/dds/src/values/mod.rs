//! What messages are read into: typed values, arrays of numbers side by side.

pub(crate) mod lexical;

use crate::schema::{Schema, Simple, Type, TypeId};

/// Names every kind of number, with its type of Rust.
macro_rules! for_each_number {
    ($macro:ident) => {
        $macro! {
            Boolean bool, Byte i8, Short i16, Int i32, Long i64, UnsignedByte u8, UnsignedShort u16,
            UnsignedInt u32, UnsignedLong u64, Float f32, Double f64
        }
    };
}
pub(crate) use for_each_number;

macro_rules! define_value {
    ($($kind:ident $rust:ty),*) => {
        /// A value of a message.
        ///
        /// Two are equal when they mean the same: a NaN equals itself, and -0 is not 0.
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub enum Value {
            /// An optional member that is not there.
            #[default]
            Absent,
            /// It is `xsi:nil`.
            Nil,
            $(
                #[doc = concat!("A `", stringify!($rust), "`.")]
                $kind($rust),
            )*
            /// Text: `xsd:string`, and the types that are kept as they are written.
            Text(String),
            /// Octets of `xsd:base64Binary` or `xsd:hexBinary`.
            Binary(Vec<u8>),
            /// Of a union: which of its types took the text, and the value.
            Union(usize, Box<Value>),
            /// A compound: a value for every member of its type, in the type's order.
            Record(Vec<Value>),
            /// An array.
            Array(Array),
        }

        impl PartialEq for Value {
            fn eq(&self, other: &Value) -> bool {
                match (self, other) {
                    (Value::Absent, Value::Absent) | (Value::Nil, Value::Nil) => true,
                    $((Value::$kind(a), Value::$kind(b)) => a.is_same(b),)*
                    (Value::Text(a), Value::Text(b)) => a == b,
                    (Value::Binary(a), Value::Binary(b)) => a == b,
                    (Value::Union(m, a), Value::Union(n, b)) => m == n && a == b,
                    (Value::Record(a), Value::Record(b)) => a == b,
                    (Value::Array(a), Value::Array(b)) => a == b,
                    _ => false,
                }
            }
        }

        /// The items of an [`Array`].
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Items {
            $(
                #[doc = concat!("Each a `", stringify!($rust), "`, side by side.")]
                $kind(Vec<$rust>),
            )*
            /// Texts.
            Text(Vec<String>),
            /// Runs of octets.
            Binary(Vec<Vec<u8>>),
            /// Compounds whose members all occur once and are simple: a column for each member.
            Columns(Vec<Array>),
            /// Anything else.
            Values(Vec<Value>),
        }

        impl PartialEq for Items {
            fn eq(&self, other: &Items) -> bool {
                match (self, other) {
                    $((Items::$kind(a), Items::$kind(b)) => {
                        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
                    })*
                    (Items::Text(a), Items::Text(b)) => a == b,
                    (Items::Binary(a), Items::Binary(b)) => a == b,
                    (Items::Columns(a), Items::Columns(b)) => a == b,
                    (Items::Values(a), Items::Values(b)) => a == b,
                    _ => false,
                }
            }
        }

        impl Items {
            fn of(simple: Simple) -> Items {
                match simple {
                    $(Simple::$kind => Items::$kind(Vec::new()),)*
                    Simple::String | Simple::Token | Simple::Integer | Simple::Decimal => Items::Text(Vec::new()),
                    Simple::Base64 | Simple::Hex => Items::Binary(Vec::new()),
                }
            }

            /// One more item: a value of the array's type, or the default in place of nil.
            pub(crate) fn push(&mut self, value: Value) {
                match (self, value) {
                    $(
                        (Items::$kind(items), Value::$kind(value)) => items.push(value),
                        (Items::$kind(items), _) => items.push(<$rust>::default()),
                    )*
                    (Items::Text(items), Value::Text(text)) => items.push(text),
                    (Items::Text(items), _) => items.push(String::new()),
                    (Items::Binary(items), Value::Binary(octets)) => items.push(octets),
                    (Items::Binary(items), _) => items.push(Vec::new()),
                    (Items::Columns(columns), Value::Record(members)) => {
                        for (column, member) in columns.iter_mut().zip(members) {
                            column.push(member);
                        }
                    }
                    (Items::Columns(columns), _) => {
                        for column in columns {
                            column.items.push(Value::Absent);
                            column.len += 1;
                        }
                    }
                    (Items::Values(items), value) => items.push(value),
                }
            }

            /// Puts a value in an item's place.
            pub(crate) fn set(&mut self, at: usize, value: Value) {
                match (self, value) {
                    $((Items::$kind(items), Value::$kind(value)) => set(items, at, value),)*
                    (Items::Text(items), Value::Text(value)) => set(items, at, value),
                    (Items::Binary(items), Value::Binary(value)) => set(items, at, value),
                    (Items::Values(items), value) => set(items, at, value),
                    _ => {}
                }
            }

            /// Forgets the items from `len` on.
            pub(crate) fn truncate(&mut self, len: usize) {
                match self {
                    $(Items::$kind(items) => items.truncate(len),)*
                    Items::Text(items) => items.truncate(len),
                    Items::Binary(items) => items.truncate(len),
                    Items::Values(items) => items.truncate(len),
                    Items::Columns(columns) => columns.iter_mut().for_each(|column| column.truncate(len)),
                }
            }

            /// Forgets the last item.
            pub(crate) fn pop(&mut self) {
                match self {
                    $(Items::$kind(items) => drop(items.pop()),)*
                    Items::Text(items) => drop(items.pop()),
                    Items::Binary(items) => drop(items.pop()),
                    Items::Values(items) => drop(items.pop()),
                    Items::Columns(columns) => columns.iter_mut().for_each(|column| column.items.pop()),
                }
            }

            /// An item as a value of its own.
            fn get(&self, at: usize) -> Option<Value> {
                Some(match self {
                    $(Items::$kind(items) => Value::$kind(*items.get(at)?),)*
                    Items::Text(items) => Value::Text(items.get(at)?.clone()),
                    Items::Binary(items) => Value::Binary(items.get(at)?.clone()),
                    Items::Values(items) => items.get(at)?.clone(),
                    Items::Columns(columns) => {
                        Value::Record(columns.iter().map(|column| column.get(at)).collect::<Option<_>>()?)
                    }
                })
            }

            /// Moves `range` of other items, of the same type, to the end of these.
            pub(crate) fn take_from(&mut self, other: &mut Items, range: core::ops::Range<usize>) {
                match (self, other) {
                    $((Items::$kind(items), Items::$kind(other)) => {
                        items.extend_from_slice(other.get(range).unwrap_or(&[]));
                    })*
                    (Items::Text(items), Items::Text(other)) => take(items, other, range),
                    (Items::Binary(items), Items::Binary(other)) => take(items, other, range),
                    (Items::Values(items), Items::Values(other)) => take(items, other, range),
                    (Items::Columns(columns), Items::Columns(others)) => {
                        for (column, other) in columns.iter_mut().zip(others) {
                            column.items.take_from(&mut other.items, range.clone());
                            column.len += range.len();
                        }
                    }
                    _ => {}
                }
            }

            /// Puts `range` of other items, of the same type, to the end of these: numbers as they are, and places for what
            /// [`Items::claim`] brings.
            pub(crate) fn hold(&mut self, other: &Items, range: core::ops::Range<usize>) {
                match (self, other) {
                    $((Items::$kind(items), Items::$kind(other)) => {
                        items.extend_from_slice(other.get(range).unwrap_or(&[]));
                    })*
                    (Items::Columns(columns), Items::Columns(others)) => {
                        for (column, other) in columns.iter_mut().zip(others) {
                            column.items.hold(&other.items, range.clone());
                            column.len += range.len();
                        }
                    }
                    (Items::Text(items), _) => items.resize(items.len() + range.len(), String::new()),
                    (Items::Binary(items), _) => items.resize(items.len() + range.len(), Vec::new()),
                    (Items::Values(items), _) => items.resize(items.len() + range.len(), Value::Absent),
                    _ => {}
                }
            }

            /// Brings `range` of other items into the places from `at` on that [`Items::hold`] made: their own, or a copy.
            pub(crate) fn claim(&mut self, at: usize, other: &mut Items, range: core::ops::Range<usize>, copies: bool) {
                match (self, other) {
                    (Items::Text(items), Items::Text(other)) => claim(items, at, other, range, copies),
                    (Items::Binary(items), Items::Binary(other)) => claim(items, at, other, range, copies),
                    (Items::Values(items), Items::Values(other)) => claim(items, at, other, range, copies),
                    (Items::Columns(columns), Items::Columns(others)) => {
                        for (column, other) in columns.iter_mut().zip(others) {
                            column.items.claim(at, &mut other.items, range.clone(), copies);
                        }
                    }
                    _ => {}
                }
            }

            /// Whether [`Items::take_from`] leaves nothing in the places of items.
            pub(crate) fn are_moved(&self) -> bool {
                match self {
                    Items::Text(_) | Items::Binary(_) | Items::Values(_) => true,
                    Items::Columns(columns) => columns.iter().any(|column| column.items.are_moved()),
                    _ => false,
                }
            }

            /// No items, of the same type.
            pub(crate) fn emptied(&self) -> Items {
                match self {
                    $(Items::$kind(_) => Items::$kind(Vec::new()),)*
                    Items::Text(_) => Items::Text(Vec::new()),
                    Items::Binary(_) => Items::Binary(Vec::new()),
                    Items::Values(_) => Items::Values(Vec::new()),
                    Items::Columns(columns) => Items::Columns(columns.iter().map(|column| Array {
                        len: 0, items: column.items.emptied(), nil: Vec::new(), dimensions: Vec::new(),
                    }).collect()),
                }
            }

            /// Room for so many items in all.
            pub(crate) fn reserve(&mut self, len: usize) {
                match self {
                    $(Items::$kind(items) => items.reserve(len.saturating_sub(items.len())),)*
                    Items::Text(items) => items.reserve(len.saturating_sub(items.len())),
                    Items::Columns(columns) => columns.iter_mut().for_each(|column| column.items.reserve(len)),
                    Items::Binary(_) | Items::Values(_) => {}
                }
            }

            /// Bytes taken from the system for the items.
            pub(crate) fn bytes(&self) -> usize {
                match self {
                    $(Items::$kind(items) => items.capacity() * size_of::<$rust>(),)*
                    Items::Text(items) => {
                        items.iter().map(String::capacity).sum::<usize>() + items.capacity() * size_of::<String>()
                    }
                    Items::Binary(items) => {
                        items.iter().map(Vec::capacity).sum::<usize>() + items.capacity() * size_of::<Vec<u8>>()
                    }
                    Items::Values(items) => {
                        items.iter().map(Value::bytes).sum::<usize>()
                            + (items.capacity() - items.len()) * size_of::<Value>()
                    }
                    Items::Columns(columns) => {
                        columns.iter().map(Array::bytes).sum::<usize>() + columns.capacity() * size_of::<Array>()
                    }
                }
            }
        }
    };
}

fn set<T>(items: &mut [T], at: usize, value: T) {
    if let Some(place) = items.get_mut(at) {
        *place = value;
    }
}

fn take<T: Default>(items: &mut Vec<T>, other: &mut [T], range: core::ops::Range<usize>) {
    items.extend(other.get_mut(range).unwrap_or(&mut []).iter_mut().map(core::mem::take));
}

fn claim<T: Default + Clone>(
    items: &mut [T],
    at: usize,
    other: &mut [T],
    range: core::ops::Range<usize>,
    copies: bool,
) {
    let others = other.get_mut(range).unwrap_or(&mut []);
    for (place, other) in items.get_mut(at..).unwrap_or(&mut []).iter_mut().zip(others) {
        *place = if copies { other.clone() } else { core::mem::take(other) };
    }
}

/// Equality of what is written, not of numbers: of floats by their bits.
trait Same {
    fn is_same(&self, other: &Self) -> bool;
}

macro_rules! define_same {
    ($($rust:ty),*) => {
        $(impl Same for $rust {
            #[inline(always)]
            fn is_same(&self, other: &Self) -> bool {
                self == other
            }
        })*
    };
}
define_same!(bool, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! define_same_float {
    ($($rust:ty),*) => {
        $(impl Same for $rust {
            #[inline(always)]
            fn is_same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        })*
    };
}
define_same_float!(f32, f64);

for_each_number!(define_value);

impl Value {
    /// The member of a compound, by its number in the type.
    #[must_use]
    pub fn member(&self, at: usize) -> Option<&Value> {
        match self {
            Value::Record(members) => members.get(at),
            _ => None,
        }
    }

    /// The array, if it is one.
    #[must_use]
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value at the end of a path of member and item numbers.
    pub(crate) fn at(&self, path: &[u32]) -> Option<&Value> {
        path.iter().try_fold(self, |value, &step| match value {
            Value::Record(members) => members.get(step as usize),
            Value::Array(Array { items: Items::Values(items), .. }) => items.get(step as usize),
            _ => None,
        })
    }

    /// The same, to be changed.
    pub(crate) fn at_mut(&mut self, path: &[u32]) -> Option<&mut Value> {
        let mut value = self;
        for &step in path {
            value = match value {
                Value::Record(members) => members.get_mut(step as usize)?,
                Value::Array(Array { items: Items::Values(items), .. }) => items.get_mut(step as usize)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Bytes of memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Value>()
            + match self {
                Value::Text(text) => text.capacity(),
                Value::Binary(octets) => octets.capacity(),
                Value::Union(_, value) => value.bytes(),
                Value::Record(members) => members.iter().map(Value::bytes).sum(),
                Value::Array(array) => array.bytes(),
                _ => 0,
            }
    }
}

/// An array: its items lie side by side, as NumPy and Arrow have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub(crate) len: usize,
    pub(crate) items: Items,
    pub(crate) nil: Vec<u32>,
    pub(crate) dimensions: Vec<u32>,
}

impl Array {
    /// An array without items of a type.
    pub(crate) fn new(schema: &Schema, item: TypeId) -> Array {
        let column = |simple| Array { len: 0, items: Items::of(simple), nil: Vec::new(), dimensions: Vec::new() };
        let items = match schema.get(item) {
            Type::Simple(simple) => Items::of(*simple),
            _ => match schema.columns(item) {
                Some(columns) => Items::Columns(columns.into_iter().map(column).collect()),
                None => Items::Values(Vec::new()),
            },
        };
        Array { len: 0, items, nil: Vec::new(), dimensions: Vec::new() }
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The items.
    #[must_use]
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// The numbers of the items that are nil, in order. A column of numbers has a 0 for each.
    #[must_use]
    pub fn nil(&self) -> &[u32] {
        &self.nil
    }

    /// Sizes of the dimensions where there are several (`arrayType="xsd:int[2,3]"`), the last one running
    /// fastest; empty otherwise.
    #[must_use]
    pub fn dimensions(&self) -> &[u32] {
        &self.dimensions
    }

    /// The doubles, if they are some.
    #[must_use]
    pub fn as_doubles(&self) -> Option<&[f64]> {
        match &self.items {
            Items::Double(items) => Some(items),
            _ => None,
        }
    }

    /// The ints, if they are some.
    #[must_use]
    pub fn as_ints(&self) -> Option<&[i32]> {
        match &self.items {
            Items::Int(items) => Some(items),
            _ => None,
        }
    }

    /// A copy of one item.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<Value> {
        if self.nil.binary_search(&(at as u32)).is_ok() {
            return Some(Value::Nil);
        }
        self.items.get(at)
    }

    /// Takes note that there are so many items now.
    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len;
        if let Items::Columns(columns) = &mut self.items {
            columns.iter_mut().for_each(|column| column.len = len);
        }
    }

    pub(crate) fn push(&mut self, value: Value) {
        if matches!(value, Value::Nil) && !matches!(self.items, Items::Values(_)) {
            self.nil.push(self.len as u32);
        }
        self.items.push(value);
        self.len += 1;
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
        self.nil.retain(|&nil| (nil as usize) < len);
        self.len = self.len.min(len);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.items.bytes() + (self.nil.capacity() + self.dimensions.capacity()) * size_of::<u32>()
    }
}

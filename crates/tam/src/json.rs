//! A document of JSON values: one view of both vocabularies, and of type sets of the user's own by their [meanings](crate::Meaning).
//!
//! [`TypeSet::JSON`](crate::TypeSet::JSON) keeps every scalar as its token,
//! [`TypeSet::VALUE`](crate::TypeSet::VALUE) types it. A [`Value`] reads either, so that who
//! looks at a message need not ask which it is. Nothing is allocated.
//!
//! ```
//! use lengthwise_tam::json::Value;
//! use lengthwise_tam::{Builder, Limits, Table, TypeSet};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let mut table = Table::new();
//! let mut reading = Builder::new(b"", TypeSet::JSON, Limits::default(), &mut table);
//! reading.open(b'{', b"")?;
//! reading.primitive(b'\'', b"unit", br#""\u00b0C""#)?;
//! reading.open(b'[', b"values")?;
//! reading.primitive(b'\'', b"", b"21.5")?;
//! reading.close()?;
//! reading.close()?;
//! reading.finish()?;
//!
//! let document = table.document(b"", TypeSet::JSON);
//! let reading = document.root().map(Value::new).unwrap();
//! assert!(matches!(reading.get("unit"), Some(Value::String(unit)) if unit == "°C"));
//! let first = reading.get("values").and_then(|values| values.at(0));
//! assert!(matches!(first, Some(Value::Number(number)) if number.as_f64() == Some(21.5)));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String};
use core::{fmt, iter::FusedIterator, str};

use crate::{Children, Name, Node, Vocabulary};

#[cfg(feature = "alloc")]
mod names;
mod token;

#[cfg(feature = "alloc")]
pub(crate) use names::Names;
#[cfg(feature = "alloc")]
pub use token::append_escapes;
pub use token::{Fault, escape, number, plain_len, string};

/// A JSON value (RFC 8259 section 3), or one of the three that `value` adds to JSON.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value<'d> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number<'d>),
    /// A string.
    String(Text<'d>),
    /// An array.
    Array(Items<'d>),
    /// An object.
    Object(Members<'d>),
    /// Bytes (`value` only).
    Binary(&'d [u8]),
    /// A character (`value` only).
    Char(char),
    /// A byte (`value` only).
    Byte(u8),
    /// A unit that is no such value: of another vocabulary, or made by hand with data that its
    /// type does not allow.
    Invalid(Node<'d>),
}

impl<'d> Value<'d> {
    /// The value of a unit. Its own data is checked, the units below it when they are asked for.
    #[must_use]
    pub fn new(node: Node<'d>) -> Value<'d> {
        let types = node.document().types();
        // A type of the user's own is looked at as the one of `value` that means the same.
        let (vocabulary, kind) = match types.vocabulary() {
            Vocabulary::Custom => match types.meaning(node.kind()) {
                Some(meaning) => (Vocabulary::Value, meaning.kind()),
                None => return Value::Invalid(node),
            },
            vocabulary => (vocabulary, node.kind()),
        };
        let scalar = match (vocabulary, kind) {
            (Vocabulary::Json | Vocabulary::Value, b'{') => return Value::Object(Members(node.children())),
            (Vocabulary::Json | Vocabulary::Value, b'[') => return Value::Array(Items(node.children())),
            (Vocabulary::Json, b'\'') => Value::of_token(node.value()),
            (Vocabulary::Value, kind) => Value::typed(kind, node.value()),
            _ => None,
        };
        scalar.unwrap_or(Value::Invalid(node))
    }

    /// A scalar from its JSON token.
    fn of_token(token: &'d [u8]) -> Option<Value<'d>> {
        match token {
            b"null" => Some(Value::Null),
            b"true" => Some(Value::Bool(true)),
            b"false" => Some(Value::Bool(false)),
            [b'"', ..] => {
                let (len, escaped) = string(token).ok().filter(|(len, _)| *len == token.len())?;
                let written = str::from_utf8(&token[1..len - 1]).ok()?;
                Some(Value::String(Text { written, escaped }))
            }
            _ => Number::new(token).map(Value::Number),
        }
    }

    /// A scalar of the type set `value`.
    fn typed(kind: u8, data: &'d [u8]) -> Option<Value<'d>> {
        match kind {
            b'\'' => Some(Value::String(Text { written: str::from_utf8(data).ok()?, escaped: false })),
            b'#' => Number::new(data).filter(|number| number.is_integer()).map(Value::Number),
            b'%' => Number::new_float(data).map(Value::Number),
            b'?' if data == b"t" => Some(Value::Bool(true)),
            b'?' if data == b"f" => Some(Value::Bool(false)),
            b'~' if data.is_empty() => Some(Value::Null),
            b'*' => Some(Value::Binary(data)),
            b'^' => {
                let mut chars = str::from_utf8(data).ok()?.chars();
                chars.next().filter(|_| chars.as_str().is_empty()).map(Value::Char)
            }
            b'`' => data.first().filter(|_| data.len() == 1).map(|&byte| Value::Byte(byte)),
            _ => None,
        }
    }

    /// The first member of that name, if this is an object that has one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value<'d>> {
        let Value::Object(Members(members)) = self else { return None };
        members.clone().find(|member| !member.name().is_none() && member.name() == *name).map(Value::new)
    }

    /// The item at an index from 0, if this is an array that has one.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<Value<'d>> {
        let Value::Array(Items(items)) = self else { return None };
        items.clone().nth(index).map(Value::new)
    }
}

impl<'d> From<Node<'d>> for Value<'d> {
    fn from(node: Node<'d>) -> Value<'d> {
        Value::new(node)
    }
}

/// The items of an array, in order.
#[derive(Clone, Debug)]
pub struct Items<'d>(Children<'d>);

impl<'d> Iterator for Items<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        self.0.next().map(Value::new)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Value<'d>> {
        self.0.nth(n).map(Value::new)
    }
}

impl ExactSizeIterator for Items<'_> {}
impl FusedIterator for Items<'_> {}

/// The members of an object, in order; a name can come more than once.
#[derive(Clone, Debug)]
pub struct Members<'d>(Children<'d>);

impl<'d> Iterator for Members<'d> {
    type Item = (Name<'d>, Value<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|node| (node.name(), Value::new(node)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Members<'_> {}
impl FusedIterator for Members<'_> {}

/// A number, as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number<'d>(&'d str);

impl<'d> Number<'d> {
    fn new(text: &'d [u8]) -> Option<Number<'d>> {
        let (len, _) = number(text).ok()?;
        str::from_utf8(text).ok().filter(|text| text.len() == len).map(Number)
    }

    /// A float can also be what JSON has no number for.
    fn new_float(text: &'d [u8]) -> Option<Number<'d>> {
        match text {
            b"NaN" => Some(Number("NaN")),
            b"Infinity" => Some(Number("Infinity")),
            b"-Infinity" => Some(Number("-Infinity")),
            _ => Number::new(text),
        }
    }

    /// The number as it is written.
    #[must_use]
    pub fn as_str(self) -> &'d str {
        self.0
    }

    /// Whether it is written without fraction and exponent, in any number of digits.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.0.bytes().all(|c| c.is_ascii_digit() || c == b'-')
    }

    /// The integer, if this is one that fits; one written with a fraction or an exponent is not.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The integer, if this is one that fits; one written with a fraction or an exponent is not.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The nearest double, if the number is not beyond the largest. `NaN`, `Infinity` and
    /// `-Infinity` are themselves.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        let nearest: f64 = self.0.parse().ok()?;
        let word = !self.0.ends_with(|c: char| c.is_ascii_digit());
        (nearest.is_finite() || word).then_some(nearest)
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}

/// A string; comparing and printing see it with its escapes undone.
#[derive(Clone, Copy)]
pub struct Text<'d> {
    /// Between the quotes. Where `escaped`, the escapes are known to be sound.
    written: &'d str,
    escaped: bool,
}

impl<'d> Text<'d> {
    /// The string as one slice, if no escape had to be undone for it.
    #[must_use]
    pub fn as_str(self) -> Option<&'d str> {
        (!self.escaped).then_some(self.written)
    }

    /// The characters, escapes undone.
    #[must_use]
    pub fn chars(self) -> Chars<'d> {
        Chars { rest: self.written, escaped: self.escaped }
    }

    /// The string; a copy only where escapes had to be undone.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_cow(self) -> Cow<'d, str> {
        match self.as_str() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.chars().collect::<String>()),
        }
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        if self.escaped { self.chars().eq(other.chars()) } else { self.written == other }
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Text<'_>) -> bool {
        self.chars().eq(other.chars())
    }
}

impl Eq for Text<'_> {}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => f.pad(text),
            None => self.chars().try_for_each(|c| fmt::Write::write_char(f, c)),
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({self})")
    }
}

/// The characters of a string, escapes undone.
#[derive(Clone, Debug)]
pub struct Chars<'d> {
    rest: &'d str,
    escaped: bool,
}

impl Iterator for Chars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let first = self.rest.chars().next()?;
        let (c, len) = match first {
            '\\' if self.escaped => escape(self.rest.as_bytes()).ok()?,
            c => (c, c.len_utf8()),
        };
        self.rest = self.rest.get(len..)?;
        Some(c)
    }
}

impl FusedIterator for Chars<'_> {}

//! Values that own their content.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

use tam::{Error, Table};

use crate::cursor::unescaped;
use crate::reader::check_size;
use crate::writer::check_len;
use crate::{Backward, End, Kind, Options, Value};

mod build;
mod container;
mod number;

use build::{Content, Source, build};
use container::Children;
pub use container::{Array, Object};
pub use number::{Float, Integer};

/// A value that owns its content, to keep, change and write.
///
/// It says the same as a message: members keep their order, keys may occur twice, numbers keep their digits. Reading,
/// writing, comparing, cloning and dropping it take no stack for its levels; serde does. Equal are values of the same
/// message: `21.50` is not `21.5`.
///
/// ```
/// use lengthwise_pon::{Options, OwnedValue, Value};
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let message = b"37{room:5satticok:tt:5d21.50cal:6[1i01i8";
/// let mut reading = OwnedValue::read(message, &Options::default())?;
/// assert_eq!(reading.get("room").and_then(OwnedValue::as_str), Some("attic"));
/// assert_eq!(reading.find("/cal/1").and_then(OwnedValue::as_i64), Some(8));
/// assert_eq!(reading.write()?, message);
///
/// if let OwnedValue::Object(members) = &mut reading {
///     members.retain(|(key, _)| key != "cal");
///     members.push(("by".to_owned(), "ada".into()));
/// }
/// let message = reading.write()?;
/// assert_eq!(message, b"33{room:5satticok:tt:5d21.50by:3sada");
/// assert_eq!(OwnedValue::from_value(Value::new(&message)?, &Options::default())?, reading);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub enum OwnedValue {
    /// `u`
    #[default]
    Null,
    /// `t` or `f`
    Boolean(bool),
    /// `i`
    Integer(Integer),
    /// `d`
    Float(Float),
    /// `s`
    String(String),
    /// `y`
    Binary(Vec<u8>),
    /// `c`
    Char(char),
    /// `b`
    Byte(u8),
    /// `[`
    Array(Array),
    /// `{`
    Object(Object),
}

impl OwnedValue {
    /// Reads a message, the whole of it, and checks all of it. The options' limits are kept.
    ///
    /// # Errors
    /// As [`read`](crate::read()).
    pub fn read(message: &[u8], options: &Options) -> Result<OwnedValue, Error> {
        check_size(message, options)?;
        let read = Value::new(message).and_then(|value| OwnedValue::from_value(value, options));
        // The reader of documents knows the path.
        read.map_err(|error| crate::read(message, options, &mut Table::new()).err().unwrap_or(error))
    }

    /// Copies a value out of its message, and checks all of it. Of the options' limits, `depth` and `units` are kept.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](tam::ErrorKind::Syntax) where the value is damaged, without a path;
    /// [`ErrorKind::Limit`](tam::ErrorKind::Limit) beyond the options' limits.
    pub fn from_value(value: Value<'_>, options: &Options) -> Result<OwnedValue, Error> {
        build(build::Lazy { value, limits: options.limits })
    }

    /// The message of this value.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`](tam::ErrorKind::Limit) beyond 4 GiB.
    pub fn write(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.append(&mut out)?;
        Ok(out)
    }

    /// Writes the message of this value to the end of `out`; after an error `out` is as it was.
    ///
    /// # Errors
    /// As [`OwnedValue::write`].
    pub fn append(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let len = backward(self, Backward::new(&mut [])).len();
        check_len(len as u64)?;
        let start = out.len();
        out.resize(start + len, 0);
        let written = out.get_mut(start..).map(|room| backward(self, Backward::new(room)).finish().map(|_| ()));
        written.unwrap_or(Ok(()))
    }

    /// What the value is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            OwnedValue::Null => Kind::Null,
            OwnedValue::Boolean(_) => Kind::Boolean,
            OwnedValue::Integer(_) => Kind::Integer,
            OwnedValue::Float(_) => Kind::Float,
            OwnedValue::String(_) => Kind::String,
            OwnedValue::Binary(_) => Kind::Binary,
            OwnedValue::Char(_) => Kind::Char,
            OwnedValue::Byte(_) => Kind::Byte,
            OwnedValue::Array(_) => Kind::Array,
            OwnedValue::Object(_) => Kind::Object,
        }
    }

    /// The first member of that key, if this is an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&OwnedValue> {
        match self {
            OwnedValue::Object(members) => members.get(key),
            _ => None,
        }
    }

    /// The value at a path, as [`Value::find`] takes it.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&OwnedValue> {
        steps(path)?.try_fold(self, |at, step| match at {
            OwnedValue::Array(items) => items.get(tam::index(step)?),
            OwnedValue::Object(members) => members.iter().find(|(key, _)| is_step(key, step)).map(|(_, value)| value),
            _ => None,
        })
    }

    /// The value at a path, to change it.
    ///
    /// ```
    /// use lengthwise_pon::{Options, OwnedValue};
    ///
    /// # fn main() -> Result<(), lengthwise_pon::Error> {
    /// let mut value = OwnedValue::read(b"12{cal:6[3i100t", &Options::default())?;
    /// if let Some(item) = value.find_mut("/cal/0") {
    ///     *item = 7_i64.into();
    /// }
    /// assert_eq!(value.write()?, b"10{cal:4[1i7t");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn find_mut(&mut self, path: &str) -> Option<&mut OwnedValue> {
        steps(path)?.try_fold(self, |at, step| match at {
            OwnedValue::Array(items) => items.get_mut(tam::index(step)?),
            OwnedValue::Object(members) => {
                members.iter_mut().find(|(key, _)| is_step(key, step)).map(|(_, value)| value)
            }
            _ => None,
        })
    }

    /// Whether this is null.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, OwnedValue::Null)
    }

    /// The boolean, if this is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            OwnedValue::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if this is one that fits; a byte is one too.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            OwnedValue::Integer(value) => value.as_i64(),
            OwnedValue::Byte(value) => Some((*value).into()),
            _ => None,
        }
    }

    /// The integer, if this is one that fits; a byte is one too.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            OwnedValue::Integer(value) => value.as_u64(),
            OwnedValue::Byte(value) => Some((*value).into()),
            _ => None,
        }
    }

    /// The double nearest to a float or an integer, if this is one within the largest double.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            OwnedValue::Integer(value) => value.as_f64(),
            OwnedValue::Float(value) => value.as_f64(),
            _ => None,
        }
    }

    /// The text, if this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            OwnedValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The octets, if this is binary data.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            OwnedValue::Binary(octets) => Some(octets),
            _ => None,
        }
    }

    /// Adds a value to a container.
    fn push(&mut self, key: String, value: OwnedValue) {
        match self {
            OwnedValue::Array(items) => items.push(value),
            OwnedValue::Object(members) => members.push((key, value)),
            _ => {}
        }
    }

    /// Values in the container, if it is one.
    fn children(&self) -> Option<Children<'_>> {
        match self {
            OwnedValue::Array(items) => Some(Children::Items(items.iter())),
            OwnedValue::Object(members) => Some(Children::Members(members.iter())),
            _ => None,
        }
    }
}

/// The steps of a path; the empty path has none.
fn steps(path: &str) -> Option<impl Iterator<Item = &str>> {
    let mut steps = path.split('/');
    if steps.next() == Some("") { Some(steps) } else { None }
}

fn is_step(key: &str, step: &str) -> bool {
    key == step && !step.contains('~') || key.chars().eq(unescaped(step))
}

/// Writes a value from its last node to its first, without recursion.
fn backward<'b, 'p>(root: &OwnedValue, mut out: Backward<'b, 'p>) -> Backward<'b, 'p> {
    let mut open: Vec<(&OwnedValue, Option<&str>, Children<'_>, End)> = Vec::new();
    let (mut value, mut key) = (root, None);
    loop {
        if let Some(children) = value.children() {
            open.push((value, key, children, out.end()));
        } else {
            scalar(value, &mut out);
            if let Some(key) = key {
                out.key(key);
            }
        }
        // What is before it; containers of which it was the first value get their heads.
        (key, value) = loop {
            let Some((container, key, children, end)) = open.last_mut() else { return out };
            if let Some(before) = children.next_back() {
                break before;
            }
            match container {
                OwnedValue::Array(_) => out.array(*end),
                _ => out.object(*end),
            }
            if let Some(key) = key {
                out.key(key);
            }
            open.pop();
        };
    }
}

fn scalar(value: &OwnedValue, out: &mut Backward<'_, '_>) {
    match value {
        OwnedValue::Boolean(value) => out.boolean(*value),
        OwnedValue::Integer(value) => value.write(out),
        OwnedValue::Float(value) => out.float_text(value.as_str()),
        OwnedValue::String(text) => out.string(text),
        OwnedValue::Binary(octets) => out.binary(octets),
        OwnedValue::Char(value) => out.character(*value),
        OwnedValue::Byte(value) => out.octet(*value),
        OwnedValue::Null | OwnedValue::Array(_) | OwnedValue::Object(_) => out.null(),
    }
}

impl<'v> Source for &'v OwnedValue {
    type Error = Infallible;
    type Children =
        core::iter::Map<Children<'v>, fn((Option<&'v str>, &'v OwnedValue)) -> Result<(String, Self), Infallible>>;

    fn content(self, _: usize, _: usize) -> Result<Content<Self::Children>, Infallible> {
        Ok(match (self, self.children()) {
            (OwnedValue::Array(_), Some(items)) => Content::Array(items.map(|(_, value)| Ok((String::new(), value)))),
            (_, Some(members)) => {
                Content::Object(members.map(|(key, value)| Ok((key.unwrap_or_default().to_owned(), value))))
            }
            (OwnedValue::Boolean(value), _) => Content::Scalar(OwnedValue::Boolean(*value)),
            (OwnedValue::Integer(value), _) => Content::Scalar(OwnedValue::Integer(value.clone())),
            (OwnedValue::Float(value), _) => Content::Scalar(OwnedValue::Float(value.clone())),
            (OwnedValue::String(text), _) => Content::Scalar(OwnedValue::String(text.clone())),
            (OwnedValue::Binary(octets), _) => Content::Scalar(OwnedValue::Binary(octets.clone())),
            (OwnedValue::Char(value), _) => Content::Scalar(OwnedValue::Char(*value)),
            (OwnedValue::Byte(value), _) => Content::Scalar(OwnedValue::Byte(*value)),
            _ => Content::Scalar(OwnedValue::Null),
        })
    }
}

impl Clone for OwnedValue {
    fn clone(&self) -> OwnedValue {
        let Ok(copy) = build(self);
        copy
    }
}

impl PartialEq for OwnedValue {
    fn eq(&self, other: &OwnedValue) -> bool {
        let mut open = alloc::vec![(self, other)];
        while let Some((one, other)) = open.pop() {
            let same = match (one, other) {
                (OwnedValue::Null, OwnedValue::Null) => true,
                (OwnedValue::Boolean(one), OwnedValue::Boolean(other)) => one == other,
                (OwnedValue::Integer(one), OwnedValue::Integer(other)) => one == other,
                (OwnedValue::Float(one), OwnedValue::Float(other)) => one == other,
                (OwnedValue::String(one), OwnedValue::String(other)) => one == other,
                (OwnedValue::Binary(one), OwnedValue::Binary(other)) => one == other,
                (OwnedValue::Char(one), OwnedValue::Char(other)) => one == other,
                (OwnedValue::Byte(one), OwnedValue::Byte(other)) => one == other,
                (OwnedValue::Array(one), OwnedValue::Array(other)) => {
                    open.extend(one.iter().zip(other.iter()));
                    one.len() == other.len()
                }
                (OwnedValue::Object(one), OwnedValue::Object(other)) => {
                    open.extend(one.iter().zip(other.iter()).map(|((_, one), (_, other))| (one, other)));
                    one.iter().map(|(key, _)| key).eq(other.iter().map(|(key, _)| key))
                }
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }
}

impl Eq for OwnedValue {}

/// The message, with escapes for octets that are not ASCII.
impl fmt::Debug for OwnedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.write().map_err(|_| fmt::Error)?;
        write!(f, "{}", message.escape_ascii())
    }
}

/// Makes a value of what a variant holds, or of what that is made of.
macro_rules! from {
    ($($type:ty => $variant:ident;)*) => {$(
        impl From<$type> for OwnedValue {
            fn from(value: $type) -> OwnedValue {
                OwnedValue::$variant(value.into())
            }
        }
    )*};
}

from! {
    bool => Boolean;
    i64 => Integer;
    u64 => Integer;
    Integer => Integer;
    f64 => Float;
    Float => Float;
    &str => String;
    String => String;
    char => Char;
    Array => Array;
    Vec<OwnedValue> => Array;
    Object => Object;
    Vec<(String, OwnedValue)> => Object;
}

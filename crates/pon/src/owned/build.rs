//! Values made of others, without recursion.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use tam::{Error, Limits};

use super::{Array, Float, Integer, Object, OwnedValue};
use crate::cursor::{Items, Members};
use crate::{FORMAT, Kind, Value};

/// What a value is made of.
pub(super) enum Content<C> {
    Scalar(OwnedValue),
    Array(C),
    Object(C),
}

/// A value that another is made of.
pub(super) trait Source: Sized {
    type Error;
    /// Values with their keys, which in an array are empty.
    type Children: Iterator<Item = Result<(String, Self), Self::Error>>;

    /// The content, inside `level` containers, of the value that is the `unit`th.
    fn content(self, level: usize, unit: usize) -> Result<Content<Self::Children>, Self::Error>;
}

/// A container that is being filled.
struct Open<C> {
    /// Its key in the container around it.
    key: String,
    rest: C,
    made: OwnedValue,
}

/// The value of a source.
pub(super) fn build<S: Source>(root: S) -> Result<OwnedValue, S::Error> {
    let mut open: Vec<Open<S::Children>> = Vec::new();
    let (mut key, mut source) = (String::new(), root);
    let mut unit = 0;
    loop {
        unit += 1;
        let (rest, made) = match source.content(open.len(), unit)? {
            Content::Scalar(value) => (None, value),
            Content::Array(rest) => (Some(rest), Array::default().into()),
            Content::Object(rest) => (Some(rest), Object::default().into()),
        };
        let mut whole = None;
        match rest {
            Some(rest) => open.push(Open { key, rest, made }),
            None => whole = Some((key, made)),
        }
        // The next value. A container that has no more is one of the container around it.
        (key, source) = loop {
            let Some(inner) = open.last_mut() else {
                return Ok(whole.map(|(_, value)| value).unwrap_or_default());
            };
            if let Some((key, value)) = whole.take() {
                inner.made.push(key, value);
            }
            if let Some(next) = inner.rest.next() {
                break next?;
            }
            whole = open.pop().map(|inner| (inner.key, inner.made));
        };
    }
}

/// A value in a message, and the limits that are kept.
pub(super) struct Lazy<'m> {
    pub(super) value: Value<'m>,
    pub(super) limits: Limits,
}

/// The values in a container of a message.
pub(super) struct Rest<'m> {
    /// Of an array there are no members, of an object no items.
    items: Items<'m>,
    members: Members<'m>,
    limits: Limits,
}

impl<'m> Iterator for Rest<'m> {
    type Item = Result<(String, Lazy<'m>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let limits = self.limits;
        let member = match self.items.next() {
            Some(item) => item.map(|value| (String::new(), value)),
            None => self.members.next()?.map(|(key, value)| (key.to_cow().into_owned(), value)),
        };
        Some(member.map(|(key, value)| (key, Lazy { value, limits })))
    }
}

impl<'m> Source for Lazy<'m> {
    type Error = Error;
    type Children = Rest<'m>;

    fn content(self, level: usize, unit: usize) -> Result<Content<Rest<'m>>, Error> {
        let Lazy { value, limits } = self;
        let (at, kind) = (value.offset() as u64, value.kind());
        if unit > limits.units as usize {
            return Err(Error::limit(FORMAT, at, "more units", "units", limits.units.into()));
        }
        if kind.is_container() && level >= limits.depth as usize {
            let at = at.saturating_sub(1);
            return Err(Error::limit(FORMAT, at, "one more level", "depth", limits.depth.into()));
        }
        let rest = Rest { items: value.items(), members: value.members(), limits };
        Ok(match kind {
            Kind::Array => Content::Array(rest),
            Kind::Object => Content::Object(rest),
            _ => Content::Scalar(scalar(value)?),
        })
    }
}

fn scalar(value: Value<'_>) -> Result<OwnedValue, Error> {
    Ok(match value.kind() {
        Kind::Boolean => OwnedValue::Boolean(value.as_bool()?),
        Kind::Integer => OwnedValue::Integer(Integer::of(value.as_str()?)),
        Kind::Float => OwnedValue::Float(Float::of(value.as_str()?)),
        Kind::String => OwnedValue::String(value.as_str()?.to_owned()),
        Kind::Binary => OwnedValue::Binary(value.data().to_vec()),
        Kind::Char => OwnedValue::Char(value.as_char()?),
        Kind::Byte => OwnedValue::Byte(value.as_byte()?),
        _ => OwnedValue::Null,
    })
}

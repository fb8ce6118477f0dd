//! Arrays and objects.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use core::ops::{Deref, DerefMut};
use core::slice;

use super::OwnedValue;

/// The items of an array: a vector that is dropped without recursion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Array(Vec<OwnedValue>);

/// The members of an object, in order: a vector of keys and values that is dropped without recursion. A key can come
/// more than once.
///
/// ```
/// use lengthwise_pon::{Object, OwnedValue};
///
/// let mut members = Object::default();
/// members.push(("t".to_owned(), 21.5.into()));
/// members.push(("cal".to_owned(), vec![(-1_i64).into(), OwnedValue::Null].into()));
/// assert_eq!(members.get("t").and_then(OwnedValue::as_f64), Some(21.5));
/// assert_eq!(OwnedValue::from(members).write()?, b"19{t:4d21.5cal:5[2i-1u");
/// # Ok::<(), lengthwise_pon::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object(Vec<(String, OwnedValue)>);

impl Object {
    /// The first member of that key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&OwnedValue> {
        self.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The first member of that key, to change it.
    #[must_use]
    pub fn get_mut(&mut self, key: &str) -> Option<&mut OwnedValue> {
        self.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

/// What both are as vectors.
macro_rules! vector {
    ($container:ident of $item:ty) => {
        impl $container {
            /// The vector.
            #[must_use]
            pub fn into_vec(mut self) -> Vec<$item> {
                mem::take(&mut self.0)
            }
        }

        impl Deref for $container {
            type Target = Vec<$item>;

            fn deref(&self) -> &Vec<$item> {
                &self.0
            }
        }

        impl DerefMut for $container {
            fn deref_mut(&mut self) -> &mut Vec<$item> {
                &mut self.0
            }
        }

        impl From<Vec<$item>> for $container {
            fn from(items: Vec<$item>) -> $container {
                $container(items)
            }
        }

        impl FromIterator<$item> for $container {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> $container {
                $container(items.into_iter().collect())
            }
        }
    };
}

vector!(Array of OwnedValue);
vector!(Object of (String, OwnedValue));

impl Drop for Array {
    fn drop(&mut self) {
        drop_all(mem::take(&mut self.0).into_iter());
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        drop_all(mem::take(&mut self.0).into_iter().map(|(_, value)| value));
    }
}

/// Drops values. What is in containers is taken out of them first: each is empty when it is dropped.
fn drop_all(values: impl Iterator<Item = OwnedValue>) {
    let is_filled = |value: &OwnedValue| value.children().is_some_and(|children| children.len() > 0);
    let mut left: Vec<OwnedValue> = values.filter(is_filled).collect();
    while let Some(mut value) = left.pop() {
        match &mut value {
            OwnedValue::Array(items) => left.extend(mem::take(&mut items.0).into_iter().filter(is_filled)),
            OwnedValue::Object(members) => {
                left.extend(mem::take(&mut members.0).into_iter().map(|(_, value)| value).filter(is_filled));
            }
            _ => {}
        }
    }
}

/// The values of a container, from either end. Those of an object have keys.
pub(super) enum Children<'v> {
    Items(slice::Iter<'v, OwnedValue>),
    Members(slice::Iter<'v, (String, OwnedValue)>),
}

fn keyed((key, value): &(String, OwnedValue)) -> (Option<&str>, &OwnedValue) {
    (Some(key), value)
}

impl<'v> Iterator for Children<'v> {
    type Item = (Option<&'v str>, &'v OwnedValue);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Children::Items(items) => items.next().map(|value| (None, value)),
            Children::Members(members) => members.next().map(keyed),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Children::Items(items) => items.size_hint(),
            Children::Members(members) => members.size_hint(),
        }
    }
}

impl DoubleEndedIterator for Children<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Children::Items(items) => items.next_back().map(|value| (None, value)),
            Children::Members(members) => members.next_back().map(keyed),
        }
    }
}

impl ExactSizeIterator for Children<'_> {}

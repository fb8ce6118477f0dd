//! Rust's own types as messages, by serde.
//!
//! | Rust | PON |
//! | --- | --- |
//! | `bool` | `t`, `f` |
//! | `u8` | `b` (an `i` is read too) |
//! | `i8` | `i` (a `b` is read as two's complement, as Java does) |
//! | other integers, `i128` and `u128` too | `i` (a `b` is read too) |
//! | `f32`, `f64` | `d` (an `i` is read too) |
//! | `char` | `c` (a string of one is read too) |
//! | `str` | `s` |
//! | bytes (by `serde_bytes`) | `y` (the UTF-8 of an `s` is read too) |
//! | `None`, `()`, unit structs | `u` |
//! | `Some`, newtype structs | what is inside |
//! | sequences, tuples, tuple structs | `[` |
//! | structs, maps whose keys are strings, characters, integers or booleans | `{` |
//! | enums | as JSON has them: `s` for a variant without data, else an `{` of one member |

use alloc::{format, string::String, vec::Vec};
use core::marker::PhantomData;

use serde_core::{Deserialize, Serialize};
use tam::Error;

use crate::FORMAT;
use crate::cursor::trailing;
use crate::head::{self, head};
use crate::path;

mod bytes;
mod de;
mod lengths;
mod map_key;
mod owned;
mod ser;
mod sink;
#[cfg(feature = "std")]
mod stream;

#[cfg(feature = "std")]
pub use stream::{MessageReader, from_reader, to_writer};

/// Reads a value of a Rust type from a message, the whole of `message`.
///
/// `&str` and `&[u8]` are borrowed from it. Members that the type does not know are skipped without
/// being looked at, unless it denies them.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Picture<'m> {
///     name: &'m str,
///     #[serde(with = "serde_bytes")]
///     octets: &'m [u8],
/// }
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let picture: Picture = lengthwise_pon::from_slice(b"24{name:4sp001octets:4y\xFF\xD8\xFF\xE0")?;
/// assert_eq!((picture.name, picture.octets.len()), ("p001", 4));
///
/// let error = lengthwise_pon::from_slice::<Picture>(b"18{name:toctets:4y\xFF\xD8\xFF\xE0").err().unwrap();
/// assert_eq!(error.to_string(), "schema at byte 8 in /name: found boolean `true`, expected a borrowed string");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Schema`](tam::ErrorKind::Schema) where the message is not what the type asks for, with the path of what is
/// not; [`ErrorKind::Syntax`](tam::ErrorKind::Syntax)
/// and [`ErrorKind::Incomplete`](tam::ErrorKind::Incomplete) where it is no message;
/// [`ErrorKind::Limit`](tam::ErrorKind::Limit) where a type that holds itself is nested deeper than 128 levels.
pub fn from_slice<'de, T: Deserialize<'de>>(message: &'de [u8]) -> Result<T, Error> {
    let (value, taken) = from_prefix(message)?;
    if taken < message.len() { Err(trailing(message, taken)) } else { Ok(value) }
}

/// Reads a value of a Rust type from a message at the start of `buffer`, and says how many bytes it
/// took; what follows is not looked at.
///
/// # Errors
/// As [`from_slice`].
pub fn from_prefix<'de, T: Deserialize<'de>>(buffer: &'de [u8]) -> Result<(T, usize), Error> {
    let root = head(buffer).ok_or_else(|| head::fault(0, buffer, false))?;
    Ok((value_of(&buffer[..root.end()], de::LEVELS)?, root.end()))
}

/// The value of a message that is one node, and whole, with at most so many levels of containers.
fn value_of<'de, T: Deserialize<'de>>(message: &'de [u8], levels: u32) -> Result<T, Error> {
    de::Deserializer::new(message, levels).next_value(PhantomData)
}

/// Writes a value of a Rust type as a message.
///
/// The value is walked twice: for the lengths, and for the bytes, which go where they belong at
/// once. A value that holds itself takes stack for each level, and [`from_slice`] reads 128 back.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Reading {
///     room: &'static str,
///     ok: bool,
///     t: f32,
///     cal: [i32; 2],
/// }
///
/// let reading = Reading { room: "attic", ok: true, t: 21.5, cal: [-1, 8] };
/// assert_eq!(lengthwise_pon::to_vec(&reading)?, b"37{room:5satticok:tt:4d21.5cal:7[2i-11i8");
/// # Ok::<(), lengthwise_pon::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Unsupported`](tam::ErrorKind::Unsupported) where a map has keys of another type than
/// strings, characters, integers and booleans, or what the value's own
/// code refuses; [`ErrorKind::Limit`](tam::ErrorKind::Limit) beyond 4 GiB.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    to_buffer(value, &mut out)?;
    Ok(out)
}

/// Writes a value of a Rust type to the end of `out`; after an error `out` is as it was.
///
/// # Errors
/// As [`to_vec`].
pub fn to_buffer<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
    let lengths = ser::measure(value)?;
    ser::emit(value, &lengths, out)
}

/// Bytes a value of a Rust type takes as a message.
///
/// # Errors
/// As [`to_vec`].
pub fn serialized_len<T: Serialize + ?Sized>(value: &T) -> Result<usize, Error> {
    Ok(ser::measure(value)?.total)
}

/// An error of a type's own code, which knows neither format nor place, with both.
#[cold]
fn placed(error: Error, at: usize) -> Error {
    if error.format().is_empty() { error.met_in(FORMAT, at as u64) } else { error }
}

/// The error of what is inside a member.
#[cold]
fn in_member(error: Error, key: &str) -> Error {
    let mut path = String::new();
    path::push_key(key, 1, &mut path);
    path.push_str(error.path());
    error.in_path(path)
}

/// The error of what is inside an item.
#[cold]
fn in_item(error: Error, index: usize) -> Error {
    let path = format!("/{index}{}", error.path());
    error.in_path(path)
}

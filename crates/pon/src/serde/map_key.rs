//! Keys of maps: strings, and what is as plain as a string: characters, integers, booleans.

use core::fmt::Display;

use serde_core::Serialize;
use serde_core::ser;
use tam::{Error, ErrorKind, Words};

use super::in_member;
use super::sink::Sink;
use crate::FORMAT;

/// Adds the key of a map's entry to an error. The key is serialized again for that.
#[cold]
pub(super) fn in_entry<K: Serialize + ?Sized>(error: Error, key: &K) -> Error {
    let mut text = KeyText(alloc::string::String::new());
    match key.serialize(MapKey { sink: &mut text }) {
        Ok(()) => in_member(error, &text.0),
        Err(_) => error,
    }
}

/// A sink that only keeps the text of a key.
struct KeyText(alloc::string::String);

impl Sink for KeyText {
    type Open = ();

    fn node(&mut self, _: u8, _: &[u8]) {}

    fn bare(&mut self, _: &[u8]) {}

    fn integer(&mut self, _: bool, _: u64) {}

    fn key(&mut self, key: &str) {
        self.0.push_str(key);
    }

    fn open(&mut self, _: u8) {}

    fn close(&mut self, (): ()) {}
}

/// Serializes the key of a map.
pub(super) struct MapKey<'s, S> {
    pub(super) sink: &'s mut S,
}

#[cold]
fn no_key(found: &'static str) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        FORMAT,
        0,
        Words::Text(found),
        "a string, an integer or a boolean as the key of a map",
    )
}

/// Writes an integer by its digits.
macro_rules! integers {
    ($($method:ident $value:ty;)*) => {$(
        fn $method(self, key: $value) -> Result<(), Error> {
            self.serialize_str(itoa::Buffer::new().format(key))
        }
    )*};
}

/// Refuses keys that have no text.
macro_rules! refused {
    ($($method:ident $value:ty, $found:literal;)*) => {$(
        fn $method(self, _: $value) -> Result<(), Error> {
            Err(no_key($found))
        }
    )*};
}

impl<S: Sink> ser::Serializer for MapKey<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_str(self, key: &str) -> Result<(), Error> {
        self.sink.map_key(key);
        Ok(())
    }

    fn serialize_char(self, key: char) -> Result<(), Error> {
        self.serialize_str(key.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn collect_str<T: Display + ?Sized>(self, key: &T) -> Result<(), Error> {
        self.serialize_str(&alloc::string::ToString::to_string(key))
    }

    fn serialize_bool(self, key: bool) -> Result<(), Error> {
        self.serialize_str(if key { "true" } else { "false" })
    }

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
    }

    refused! {
        serialize_f32 f32, "a float as a key";
        serialize_f64 f64, "a float as a key";
        serialize_bytes &[u8], "binary data as a key";
        serialize_unit_struct &'static str, "a unit struct as a key";
    }

    fn serialize_none(self) -> Result<(), Error> {
        Err(no_key("no key at all"))
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Err(no_key("a unit as a key"))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(no_key("a variant with data as a key"))
    }

    tam::__transparent_ser! {}
    tam::__refuse! { ();
        seq => no_key("a sequence as a key"),
        tuple => no_key("a tuple as a key"),
        tuple_struct => no_key("a tuple as a key"),
        tuple_variant => no_key("a variant with data as a key"),
        map => no_key("a map as a key"),
        struct => no_key("a struct as a key"),
        struct_variant => no_key("a variant with data as a key"),
    }
}

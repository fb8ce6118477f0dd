//! Keys of maps: strings alone.

use core::fmt::Display;

use serde_core::Serialize;
use serde_core::ser::{self, Impossible};
use tam::{Error, ErrorKind, Words};

use super::in_member;
use super::sink::Sink;
use crate::FORMAT;

/// The error of what is inside an entry of a map: what its key is, the key is asked again.
#[cold]
pub(super) fn in_entry<K: Serialize + ?Sized>(error: Error, key: &K) -> Error {
    let mut text = KeyText(alloc::string::String::new());
    match key.serialize(MapKey { sink: &mut text }) {
        Ok(()) => in_member(error, &text.0),
        Err(_) => error,
    }
}

/// Takes the text of a key alone.
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

/// The key of a map: a string, or what is one in JSON too.
pub(super) struct MapKey<'s, S> {
    pub(super) sink: &'s mut S,
}

#[cold]
fn no_key(found: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, FORMAT, 0, Words::Text(found), "a string as the key of a map")
}

/// Keys that are no strings.
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
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

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

    fn serialize_some<T: Serialize + ?Sized>(self, key: &T) -> Result<(), Error> {
        key.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, key: &T) -> Result<(), Error> {
        key.serialize(self)
    }

    fn collect_str<T: Display + ?Sized>(self, key: &T) -> Result<(), Error> {
        self.serialize_str(&alloc::string::ToString::to_string(key))
    }

    refused! {
        serialize_bool bool, "a boolean as a key";
        serialize_i8 i8, "an integer as a key";
        serialize_i16 i16, "an integer as a key";
        serialize_i32 i32, "an integer as a key";
        serialize_i64 i64, "an integer as a key";
        serialize_i128 i128, "an integer as a key";
        serialize_u8 u8, "an integer as a key";
        serialize_u16 u16, "an integer as a key";
        serialize_u32 u32, "an integer as a key";
        serialize_u64 u64, "an integer as a key";
        serialize_u128 u128, "an integer as a key";
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

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(no_key("a sequence as a key"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(no_key("a tuple as a key"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(no_key("a tuple as a key"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(no_key("a variant with data as a key"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(no_key("a map as a key"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        Err(no_key("a struct as a key"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(no_key("a variant with data as a key"))
    }
}

//! Writes maps as records whose members are named by the keys.

use serde_core::ser::{self, Serialize, SerializeMap};
use tam::Error;

use super::ser::unfit;
use super::ser_methods::{all, refuse};

/// A record that accepts members by name, in rows or in cells.
pub(super) trait Members {
    /// Writes a member.
    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error>;

    /// Ends the record.
    fn finish(self) -> Result<(), Error>;
}

/// A map, written as a record.
pub(super) struct MapSer<R> {
    record: R,
    key: Option<String>,
}

impl<R> MapSer<R> {
    pub(super) fn new(record: R) -> MapSer<R> {
        MapSer { record, key: None }
    }
}

impl<R: Members> SerializeMap for MapSer<R> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(key.serialize(Key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.record.named(&self.key.take().unwrap_or_default(), value)
    }

    fn end(self) -> Result<(), Error> {
        self.record.finish()
    }
}

/// A key of a map, which must be text.
struct Key;

#[cold]
fn no_key() -> Error {
    unfit("another key", "a string for the key of a map")
}

impl ser::Serializer for Key {
    type Ok = String;
    type Error = Error;

    all! { String, Err(no_key()); serialize_unit_struct: &'static str }

    fn serialize_str(self, key: &str) -> Result<String, Error> {
        Ok(key.to_owned())
    }

    fn serialize_none(self) -> Result<String, Error> {
        Err(no_key())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String, Error> {
        Err(no_key())
    }

    fn serialize_unit(self) -> Result<String, Error> {
        Err(no_key())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<String, Error> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, key: &T) -> Result<String, Error> {
        key.serialize(self)
    }

    refuse! { String; all => no_key() }
}

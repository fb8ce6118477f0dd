//! Rust's types as messages: once for the lengths, once for the bytes.

use alloc::vec::Vec;
use core::fmt::Display;

use serde_core::Serialize;
use serde_core::ser::{self, Impossible};
use tam::{Error, ErrorKind, Words};

use super::{in_item, in_member, placed};
use crate::{FORMAT, key, number};

/// What a message is made of, in the order of the wire.
trait Sink {
    /// What is kept of a container while it is open.
    type Open: Copy;

    /// A node that has a length.
    fn node(&mut self, tag: u8, data: &[u8]);

    /// A node that has none, as it is on the wire.
    fn bare(&mut self, node: &[u8]);

    /// An integer.
    fn integer(&mut self, negative: bool, digits: u64);

    fn key(&mut self, key: &str);

    fn open(&mut self, tag: u8) -> Self::Open;

    fn close(&mut self, open: Self::Open);
}

/// The lengths of a message.
pub(super) struct Lengths {
    /// Of the data of each container, in the order of their heads.
    containers: Vec<usize>,
    total: usize,
    /// Whether a key holds what must be escaped.
    escapes: bool,
}

impl Lengths {
    /// Bytes of the whole message.
    pub(super) fn total(&self) -> usize {
        self.total
    }
}

/// Finds out the lengths.
pub(super) fn measure<T: Serialize + ?Sized>(value: &T) -> Result<Lengths, Error> {
    let mut lengths = Lengths { containers: Vec::new(), total: 0, escapes: false };
    value.serialize(Serializer { sink: &mut lengths }).map_err(|error| placed(error, 0))?;
    if u32::try_from(lengths.total).is_err() {
        return Err(Error::limit(FORMAT, 0, "a longer message", "message_bytes", u32::MAX.into()));
    }
    Ok(lengths)
}

/// Writes the message whose lengths are known.
pub(super) fn emit<T: Serialize + ?Sized>(value: &T, lengths: &Lengths, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    out.reserve(lengths.total);
    let mut bytes = Bytes { out, containers: lengths.containers.iter(), escapes: lengths.escapes };
    let written = value.serialize(Serializer { sink: &mut bytes });
    let whole = bytes.containers.len() == 0 && bytes.out.len() - start == lengths.total;
    match written {
        Ok(()) if whole => return Ok(()),
        Ok(()) => {}
        Err(error) => {
            out.truncate(start);
            return Err(placed(error, 0));
        }
    }
    out.truncate(start);
    let expected = "a value that serializes alike twice";
    Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "a value that changes while it is written", expected))
}

/// Decimal digits of a number.
#[inline]
fn digits(value: usize) -> usize {
    match value {
        0..10 => 1,
        10..100 => 2,
        100..1000 => 3,
        _ => value.ilog10() as usize + 1,
    }
}

impl Sink for Lengths {
    /// Its place among the containers, and where it begins.
    type Open = (usize, usize);

    #[inline]
    fn node(&mut self, _: u8, data: &[u8]) {
        self.total += digits(data.len()) + 1 + data.len();
    }

    #[inline]
    fn bare(&mut self, node: &[u8]) {
        self.total += node.len();
    }

    #[inline]
    fn integer(&mut self, negative: bool, magnitude: u64) {
        let len = usize::from(negative) + magnitude.checked_ilog10().map_or(1, |log| log as usize + 1);
        self.total += digits(len) + 1 + len;
    }

    #[inline]
    fn key(&mut self, key: &str) {
        self.total += key.len() + 1;
        if key::needs_escapes(key.as_bytes()) {
            self.escapes = true;
            self.total += key.bytes().filter(|&c| c == b':' || c == b'\\').count();
        }
    }

    #[inline]
    fn open(&mut self, _: u8) -> (usize, usize) {
        self.containers.push(0);
        (self.containers.len() - 1, self.total)
    }

    #[inline]
    fn close(&mut self, (place, start): (usize, usize)) {
        let len = self.total - start;
        self.containers[place] = len;
        self.total += digits(len) + 1;
    }
}

/// The bytes of a message, its lengths being known.
struct Bytes<'o, 'l> {
    out: &'o mut Vec<u8>,
    containers: core::slice::Iter<'l, usize>,
    escapes: bool,
}

impl Bytes<'_, '_> {
    #[inline]
    fn head(&mut self, len: usize, tag: u8) {
        let mut digits = itoa::Buffer::new();
        self.out.extend_from_slice(digits.format(len).as_bytes());
        self.out.push(tag);
    }
}

impl Sink for Bytes<'_, '_> {
    type Open = ();

    #[inline]
    fn node(&mut self, tag: u8, data: &[u8]) {
        self.head(data.len(), tag);
        self.out.extend_from_slice(data);
    }

    #[inline]
    fn bare(&mut self, node: &[u8]) {
        self.out.extend_from_slice(node);
    }

    #[inline]
    fn integer(&mut self, negative: bool, magnitude: u64) {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(magnitude).as_bytes();
        self.head(usize::from(negative) + digits.len(), b'i');
        if negative {
            self.out.push(b'-');
        }
        self.out.extend_from_slice(digits);
    }

    #[inline]
    fn key(&mut self, key: &str) {
        if self.escapes {
            self.out.extend(key::escaped(key.bytes()));
        } else {
            self.out.extend_from_slice(key.as_bytes());
        }
        self.out.push(b':');
    }

    #[inline]
    fn open(&mut self, tag: u8) {
        // Where there is no length, the value has changed: what is written is thrown away.
        let len = self.containers.next().copied().unwrap_or(0);
        self.head(len, tag);
    }

    #[inline]
    fn close(&mut self, (): ()) {}
}

struct Serializer<'s, S> {
    sink: &'s mut S,
}

impl<'s, S: Sink> Serializer<'s, S> {
    fn open(self, tag: u8) -> Container<'s, S> {
        let open = self.sink.open(tag);
        Container { sink: self.sink, open, variant: None, name: "", items: 0 }
    }

    /// An object of one member, which is a container itself.
    fn open_variant(self, variant: &'static str, tag: u8) -> Container<'s, S> {
        let outer = self.sink.open(b'{');
        self.sink.key(variant);
        Container { variant: Some(outer), name: variant, ..self.open(tag) }
    }
}

impl<'s, S: Sink> ser::Serializer for Serializer<'s, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Container<'s, S>;
    type SerializeTuple = Container<'s, S>;
    type SerializeTupleStruct = Container<'s, S>;
    type SerializeTupleVariant = Container<'s, S>;
    type SerializeMap = Members<'s, S>;
    type SerializeStruct = Container<'s, S>;
    type SerializeStructVariant = Container<'s, S>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.sink.bare(if value { b"t" } else { b"f" });
        Ok(())
    }

    #[inline]
    fn serialize_i8(self, value: i8) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    #[inline]
    fn serialize_i16(self, value: i16) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        self.serialize_i64(value.into())
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.sink.integer(value < 0, value.unsigned_abs());
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        self.sink.node(b'i', itoa::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.sink.bare(&[b'b', value]);
        Ok(())
    }

    #[inline]
    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.serialize_u64(value.into())
    }

    #[inline]
    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.serialize_u64(value.into())
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.sink.integer(false, value);
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        self.sink.node(b'i', itoa::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        let mut digits = zmij::Buffer::new();
        let text = number::word(value.into()).unwrap_or_else(|| digits.format_finite(value));
        self.sink.node(b'd', text.as_bytes());
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        let mut digits = zmij::Buffer::new();
        let text = number::word(value).unwrap_or_else(|| digits.format_finite(value));
        self.sink.node(b'd', text.as_bytes());
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        let mut node = [b'c'; 5];
        let len = value.encode_utf8(&mut node[1..]).len();
        self.sink.bare(&node[..=len]);
        Ok(())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.sink.node(b's', value.as_bytes());
        Ok(())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.sink.node(b'y', value);
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Error> {
        self.sink.bare(b"u");
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let open = self.sink.open(b'{');
        self.sink.key(variant);
        let inner = value.serialize(Serializer { sink: &mut *self.sink });
        inner.map_err(|error| in_member(error, variant))?;
        self.sink.close(open);
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Container<'s, S>, Error> {
        Ok(self.open(b'['))
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Container<'s, S>, Error> {
        Ok(self.open(b'['))
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Container<'s, S>, Error> {
        Ok(self.open(b'['))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Container<'s, S>, Error> {
        Ok(self.open_variant(variant, b'['))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Members<'s, S>, Error> {
        let open = self.sink.open(b'{');
        Ok(Members { sink: self.sink, open, key: alloc::string::String::new() })
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Container<'s, S>, Error> {
        Ok(self.open(b'{'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Container<'s, S>, Error> {
        Ok(self.open_variant(variant, b'{'))
    }
}

/// A container that is open: a sequence, a struct, or one of them as the data of a variant.
struct Container<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
    /// The object of one member around it, and that member's name.
    variant: Option<S::Open>,
    name: &'static str,
    items: usize,
}

impl<S: Sink> Container<'_, S> {
    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let index = self.items;
        self.items += 1;
        value.serialize(Serializer { sink: &mut *self.sink }).map_err(|error| self.inside(in_item(error, index)))
    }

    #[inline]
    fn member<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.sink.key(key);
        value.serialize(Serializer { sink: &mut *self.sink }).map_err(|error| self.inside(in_member(error, key)))
    }

    #[cold]
    fn inside(&self, error: Error) -> Error {
        if self.variant.is_some() { in_member(error, self.name) } else { error }
    }

    #[inline]
    fn close(self) {
        self.sink.close(self.open);
        if let Some(outer) = self.variant {
            self.sink.close(outer);
        }
    }
}

/// The traits of items differ in the name of their one method alone.
macro_rules! items {
    ($($kind:ident $method:ident)*) => {$(
        impl<S: Sink> ser::$kind for Container<'_, S> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

/// Those of members do not differ at all.
macro_rules! members {
    ($($kind:ident)*) => {$(
        impl<S: Sink> ser::$kind for Container<'_, S> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
                self.member(key, value)
            }

            #[inline]
            fn end(self) -> Result<(), Error> {
                self.close();
                Ok(())
            }
        }
    )*};
}

members! { SerializeStruct SerializeStructVariant }

/// A map that is open.
struct Members<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
    /// The key written last, for errors.
    key: alloc::string::String,
}

impl<S: Sink> ser::SerializeMap for Members<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key.clear();
        key.serialize(MapKey { sink: &mut *self.sink, key: &mut self.key })
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(Serializer { sink: &mut *self.sink }).map_err(|error| in_member(error, &self.key))
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.sink.close(self.open);
        Ok(())
    }
}

/// The key of a map: a string, or what is one in JSON too.
struct MapKey<'s, S> {
    sink: &'s mut S,
    key: &'s mut alloc::string::String,
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
        self.key.push_str(key);
        self.sink.key(key);
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

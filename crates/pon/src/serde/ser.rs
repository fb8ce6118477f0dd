//! Rust's types as messages: once for the lengths, once for the bytes.

use alloc::vec::Vec;

use serde_core::Serialize;
use serde_core::ser;
use tam::{Error, ErrorKind};

use super::bytes::Bytes;
use super::lengths::Lengths;
use super::map_key::{MapKey, in_entry};
use super::sink::Sink;
use super::{in_item, in_member, placed};
use crate::writer::check_len;
use crate::{FORMAT, number};

/// Finds out the lengths.
pub(super) fn measure<T: Serialize + ?Sized>(value: &T) -> Result<Lengths, Error> {
    let mut lengths = Lengths::new();
    value.serialize(Serializer { sink: &mut lengths }).map_err(|error| placed(error, 0))?;
    check_len(lengths.total as u64)?;
    Ok(lengths)
}

/// Writes the message whose lengths are known; after an error `out` is as it was.
pub(super) fn emit<T: Serialize + ?Sized>(value: &T, lengths: &Lengths, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    let mut bytes = Bytes::new(lengths, out);
    let written = value.serialize(Serializer { sink: &mut bytes });
    let whole = bytes.finish();
    let error = match written {
        Ok(()) if whole => return Ok(()),
        Ok(()) => {
            let expected = "a value that serializes alike twice";
            Error::new(ErrorKind::Unsupported, FORMAT, 0, "a value that changes while it is written", expected)
        }
        Err(error) => placed(error, 0),
    };
    out.truncate(start);
    Err(error)
}

struct Serializer<'s, S> {
    sink: &'s mut S,
}

impl<'s, S: Sink> Serializer<'s, S> {
    #[inline(always)]
    fn items(self) -> Items<'s, S> {
        let open = self.sink.open(b'[');
        Items { sink: self.sink, open, index: 0 }
    }

    #[inline(always)]
    fn fields(self) -> Fields<'s, S> {
        let open = self.sink.open(b'{');
        Fields { sink: self.sink, open }
    }

    /// The object of one member that a variant with data is.
    fn variant(&mut self, name: &'static str) -> S::Open {
        let open = self.sink.open(b'{');
        self.sink.key(name);
        open
    }
}

impl<'s, S: Sink> ser::Serializer for Serializer<'s, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'s, S>;
    type SerializeTuple = Items<'s, S>;
    type SerializeTupleStruct = Items<'s, S>;
    type SerializeTupleVariant = Variant<Items<'s, S>, S::Open>;
    type SerializeMap = Members<'s, S>;
    type SerializeStruct = Fields<'s, S>;
    type SerializeStructVariant = Variant<Fields<'s, S>, S::Open>;

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

    tam::__transparent_ser! {}

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let open = self.variant(variant);
        let inner = value.serialize(Serializer { sink: &mut *self.sink });
        inner.map_err(|error| in_member(error, variant))?;
        self.sink.close(open);
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'s, S>, Error> {
        Ok(self.items())
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Items<'s, S>, Error> {
        Ok(self.items())
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'s, S>, Error> {
        Ok(self.items())
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Variant<Items<'s, S>, S::Open>, Error> {
        let outer = self.variant(name);
        Ok(Variant { inner: self.items(), outer, name })
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Members<'s, S>, Error> {
        let open = self.sink.open(b'{');
        Ok(Members { sink: self.sink, open })
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'s, S>, Error> {
        Ok(self.fields())
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Variant<Fields<'s, S>, S::Open>, Error> {
        let outer = self.variant(name);
        Ok(Variant { inner: self.fields(), outer, name })
    }
}

/// A sequence or a tuple that is open.
struct Items<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
    index: usize,
}

impl<S: Sink> Items<'_, S> {
    #[inline(always)]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let index = self.index;
        self.index += 1;
        value.serialize(Serializer { sink: &mut *self.sink }).map_err(|error| in_item(error, index))
    }

    #[inline(always)]
    fn close(self) {
        self.sink.close(self.open);
    }
}

/// The traits of sequences and tuples differ in the name of their one method alone.
macro_rules! items {
    ($($kind:ident $method:ident)*) => {$(
        impl<S: Sink> ser::$kind for Items<'_, S> {
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
}

/// A struct that is open.
struct Fields<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
}

impl<S: Sink> ser::SerializeStruct for Fields<'_, S> {
    type Ok = ();
    type Error = Error;

    // Inlined into the struct's own code, the key is a constant, and so is the way to copy it.
    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.sink.key(key);
        value.serialize(Serializer { sink: &mut *self.sink }).map_err(|error| in_member(error, key))
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.sink.close(self.open);
        Ok(())
    }
}

/// The data of a variant that is open, in the object of one member around it.
struct Variant<C, O> {
    inner: C,
    outer: O,
    name: &'static str,
}

impl<S: Sink> ser::SerializeTupleVariant for Variant<Items<'_, S>, S::Open> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.inner.item(value).map_err(|error| in_member(error, self.name))
    }

    fn end(self) -> Result<(), Error> {
        self.inner.sink.close(self.inner.open);
        self.inner.sink.close(self.outer);
        Ok(())
    }
}

impl<S: Sink> ser::SerializeStructVariant for Variant<Fields<'_, S>, S::Open> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        let field = ser::SerializeStruct::serialize_field(&mut self.inner, key, value);
        field.map_err(|error| in_member(error, self.name))
    }

    fn end(self) -> Result<(), Error> {
        self.inner.sink.close(self.inner.open);
        self.inner.sink.close(self.outer);
        Ok(())
    }
}

/// A map that is open.
struct Members<'s, S: Sink> {
    sink: &'s mut S,
    open: S::Open,
}

impl<S: Sink> ser::SerializeMap for Members<'_, S> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        key.serialize(MapKey { sink: &mut *self.sink })
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(Serializer { sink: &mut *self.sink })
    }

    #[inline]
    fn serialize_entry<K: Serialize + ?Sized, T: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &T,
    ) -> Result<(), Error> {
        self.serialize_key(key)?;
        self.serialize_value(value).map_err(|error| in_entry(error, key))
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.sink.close(self.open);
        Ok(())
    }
}

//! Writes a simple value.

use serde_core::ser::{self, Serialize};
use tam::Error;
use xml::number::special;

use super::rows::Writer;
use super::ser::unfit;
use crate::schema::{Builtin, NONE, ValueType};

/// Writes a simple value as a text. The result says whether the value is present.
pub(super) struct ValueSer<'a, 'w, 'p> {
    pub(super) writer: &'a mut Writer<'p, 'w>,
    pub(super) of: ValueType,
}

impl ValueSer<'_, '_, '_> {
    #[inline]
    fn text(self, text: &str) -> Result<bool, Error> {
        if self.of != ValueType::TEXT && !self.writer.plan.schema.allows(self.of, text) {
            return Err(self.refused(text));
        }
        self.writer.text(text).map(|()| true)
    }

    #[cold]
    fn refused(&self, text: &str) -> Error {
        unfit(format!("'{}'", tam::excerpt(text).escape_debug()), self.writer.plan.schema.expected(self.of))
    }

    /// Writes a number or truth value.
    #[inline]
    fn plain(self, text: &str, fits: bool) -> Result<bool, Error> {
        if !fits || self.of.facets != NONE && !self.writer.plan.schema.allows(self.of, text) {
            return Err(self.refused(text));
        }
        self.writer.plain(text).map(|()| true)
    }

    #[inline]
    fn real(self, value: f64, text: &str) -> Result<bool, Error> {
        let fits = matches!(self.of.builtin, Builtin::Real | Builtin::Utf8String);
        // A whole number needs no decimal point.
        self.plain(special(value).unwrap_or(text.strip_suffix(".0").unwrap_or(text)), fits)
    }
}

macro_rules! integers {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<bool, Error> {
            let fits = match self.of.builtin {
                Builtin::Integer | Builtin::Real | Builtin::Utf8String => true,
                Builtin::Boolean => matches!(value, 0 | 1),
                _ => false,
            };
            self.plain(itoa::Buffer::new().format(value), fits)
        }
    )*};
}

#[cold]
fn refused(found: &'static str) -> Error {
    unfit(found, "a value without parts")
}

impl ser::Serializer for ValueSer<'_, '_, '_> {
    type Ok = bool;
    type Error = Error;

    integers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
    }

    fn serialize_bool(self, value: bool) -> Result<bool, Error> {
        let fits = matches!(self.of.builtin, Builtin::Boolean | Builtin::Utf8String);
        self.plain(if value { "true" } else { "false" }, fits)
    }

    fn serialize_f32(self, value: f32) -> Result<bool, Error> {
        self.real(value.into(), zmij::Buffer::new().format(value))
    }

    fn serialize_f64(self, value: f64) -> Result<bool, Error> {
        self.real(value, zmij::Buffer::new().format(value))
    }

    fn serialize_char(self, value: char) -> Result<bool, Error> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<bool, Error> {
        self.text(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<bool, Error> {
        if self.of.builtin != Builtin::OctetString {
            return Err(unfit("octets", self.writer.plan.schema.expected(self.of)));
        }
        if self.of.facets != NONE {
            let mut text = String::new();
            xml::base64::push(value, &mut text);
            if !self.writer.plan.schema.allows(self.of, &text) {
                return Err(self.refused(&text));
            }
        }
        self.writer.octets(value).map(|()| true)
    }

    fn serialize_none(self) -> Result<bool, Error> {
        Ok(false)
    }

    fn serialize_unit(self) -> Result<bool, Error> {
        Ok(false)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<bool, Error> {
        Ok(false)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<bool, Error> {
        self.text(variant)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<bool, Error> {
        Err(refused("a variant with data"))
    }

    tam::__transparent_ser! {}
    tam::__refuse! { bool;
        seq => refused("a sequence"),
        tuple => refused("a tuple"),
        tuple_struct => refused("a tuple struct"),
        tuple_variant => refused("a variant with data"),
        map => refused("a map"),
        struct => refused("a struct"),
        struct_variant => refused("a variant with data"),
    }
}

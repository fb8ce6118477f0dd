//! Writes a simple value as a row or a cell.

use serde_core::ser::{self, Serialize};
use tam::{Error, ErrorKind};
use xml::number::special;

use super::form::Form;
use super::ser::{Writer, unfit};
use super::ser_methods::{all, refuse, transparent};
use crate::schema::Builtin;

/// Where and in what form a value is written.
pub(super) struct Value<'a, 'w, 'p, F> {
    pub(super) writer: &'a mut Writer<'w, 'p>,
    pub(super) form: F,
}

impl<F: Form> Value<'_, '_, '_, F> {
    #[inline(always)]
    fn text(self, text: &str) -> Result<(), Error> {
        if self.form.put_plain(self.writer, text) { Ok(()) } else { self.text_after_a_look(text) }
    }

    #[inline(never)]
    fn text_after_a_look(self, text: &str) -> Result<(), Error> {
        let Value { writer, form } = self;
        if !form.builtin().allows(text) {
            return Err(unfit(format!("'{}'", tam::excerpt(text).escape_debug()), form.builtin().expected()));
        }
        form.begin(writer);
        form.push(writer.out, text).map_err(|c| {
            let found = format!("U+{:04X}", u32::from(c));
            Error::new(ErrorKind::Unsupported, crate::FORMAT, 0, found, "characters that XML allows")
        })?;
        form.end(writer);
        Ok(())
    }

    /// Writes text that needs no escaping.
    #[inline(always)]
    fn plain(self, text: &[u8], fits: bool) -> Result<(), Error> {
        if !fits {
            return Err(unfit("a number or truth value", self.form.builtin().expected()));
        }
        self.form.put(self.writer, text);
        Ok(())
    }

    fn is_number(&self) -> bool {
        matches!(self.form.builtin(), Builtin::Integer | Builtin::Real | Builtin::Utf8String)
    }

    fn is_real(&self) -> bool {
        matches!(self.form.builtin(), Builtin::Real | Builtin::Utf8String)
    }
}

macro_rules! integers {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<(), Error> {
            let is_bit = self.form.builtin() == Builtin::Boolean && matches!(value, 0 | 1);
            let fits = self.is_number() || is_bit;
            self.plain(itoa::Buffer::new().format(value).as_bytes(), fits)
        }
    )*};
}

#[cold]
fn refused(found: &'static str) -> Error {
    unfit(found, "a value without parts")
}

impl<F: Form> ser::Serializer for Value<'_, '_, '_, F> {
    type Ok = ();
    type Error = Error;

    integers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        let fits = matches!(self.form.builtin(), Builtin::Boolean | Builtin::Utf8String);
        self.plain(if value { b"true" } else { b"false" }, fits)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        let fits = self.is_real();
        match special(value.into()) {
            Some(text) => self.plain(text.as_bytes(), fits),
            None => self.plain(trimmed(zmij::Buffer::new().format(value)), fits),
        }
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        let fits = self.is_real();
        match special(value) {
            Some(text) => self.plain(text.as_bytes(), fits),
            None => self.plain(trimmed(zmij::Buffer::new().format(value)), fits),
        }
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    // Every text goes through this method exactly once.
    #[inline(always)]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.text(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        let Value { writer, form } = self;
        if form.builtin() != Builtin::OctetString {
            return Err(unfit("octets", form.builtin().expected()));
        }
        if value.is_empty() {
            return Value { writer, form }.text("");
        }
        form.begin(writer);
        if let Some(parts) = &mut writer.parts {
            let number = parts.push(value);
            writer.out.extend_from_slice(b"cid:");
            crate::path::push_number(writer.out, number);
        } else {
            xml::base64::append(value, writer.out);
        }
        form.end(writer);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.form.nothing(self.writer);
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.form.nothing(self.writer);
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.form.nothing(self.writer);
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.text(variant)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(refused("a variant with data"))
    }

    transparent! {}
    refuse! { ();
        seq => refused("a sequence"),
        tuple => refused("a tuple"),
        tuple_struct => refused("a tuple struct"),
        tuple_variant => refused("a variant with data"),
        map => refused("a map"),
        struct => refused("a struct"),
        struct_variant => refused("a variant with data"),
    }
}

/// A whole number needs no decimal point.
fn trimmed(text: &str) -> &[u8] {
    text.strip_suffix(".0").unwrap_or(text).as_bytes()
}

/// Checks whether a value is absent.
pub(super) struct IsNothing;

impl ser::Serializer for IsNothing {
    type Ok = bool;
    type Error = Error;

    all! { bool, Ok(false); serialize_str: &str }

    fn serialize_none(self) -> Result<bool, Error> {
        Ok(true)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<bool, Error> {
        Ok(false)
    }

    fn serialize_unit(self) -> Result<bool, Error> {
        Ok(true)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<bool, Error> {
        Ok(true)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<bool, Error> {
        Ok(false)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<bool, Error> {
        value.serialize(self)
    }

    refuse! { bool; all => refused("a value with parts") }
}

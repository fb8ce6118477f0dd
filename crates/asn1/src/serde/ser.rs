//! Rust's types into documents of JSON, in the forms of X.697 that types of ASN.1 have.

use std::fmt::{self, Display, Write};

use serde_core::{Serialize, ser};
use tam::{Builder, Error, ErrorKind, Words};

use super::FORMAT;
use crate::compiled::{CONTENT, Compiled, Kind, NodeId};
use crate::jer::CONTAINING;
use crate::jer::number::special;

/// Where a value goes: its type, its name in what contains it, and the document.
pub(super) struct Serializer<'s, 'm, 't, 'x> {
    pub(super) types: &'s Compiled,
    pub(super) form: Form,
    pub(super) name: &'s str,
    /// Whether it is a component, which may be left out.
    pub(super) is_component: bool,
    pub(super) json: &'s mut Builder<'m, 't, 'x>,
}

/// What a value is to be.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// One of a type.
    Type(NodeId),
    /// One of a type that only the reader of the document knows, as that of an open type.
    Any,
    /// Octets in hexadecimal digits.
    Digits,
}

impl From<Option<NodeId>> for Form {
    fn from(node: Option<NodeId>) -> Form {
        node.map_or(Form::Any, Form::Type)
    }
}

/// Texts of what JSON has as strings, numbers and booleans: the items of octets and bits, and the keys of maps.
struct Shown<'v, T: ?Sized>(&'v T);

impl<T: Serialize + ?Sized> Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

/// The text of a simple value; `None` of another one.
fn shown<T: Serialize + ?Sized>(value: &T) -> Option<String> {
    let mut text = String::new();
    write!(text, "{}", Shown(value)).ok().map(|()| text)
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

fn hexadecimal(octets: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * octets.len());
    xml::hex::push(octets, &mut digits);
    digits
}

impl<'s, 'm, 't, 'x> Serializer<'s, 'm, 't, 'x> {
    /// The same, lent.
    fn lent(&mut self) -> Serializer<'_, 'm, 't, 'x> {
        let Serializer { types, form, name, is_component, ref mut json } = *self;
        Serializer { types, form, name, is_component, json }
    }

    /// The kind of the value; of one in a string, that of the value there.
    fn kind(&self) -> Option<Kind> {
        let Form::Type(node) = self.form else { return None };
        let kind = self.types.node(node).kind;
        self.content().map_or(Some(kind), |content| Some(self.types.node(content).kind))
    }

    /// The type of the value in a string, if this is a string that contains one.
    fn content(&self) -> Option<NodeId> {
        let Form::Type(node) = self.form else { return None };
        let Kind::Open(number) = self.types.node(node).kind else { return None };
        let open = self.types.open(number);
        open.alternatives.get(CONTENT as usize).copied().filter(|_| open.is_string())
    }

    /// Opens a unit. A value that is in a string is in a member of its own. Returns how many units are open.
    fn open(&mut self, kind: u8) -> Result<u8, Error> {
        let open = self.enter()?;
        self.json.open(kind, self.name.as_bytes())?;
        Ok(open + 1)
    }

    fn enter(&mut self) -> Result<u8, Error> {
        let Some(content) = self.content() else {
            if let Some(Kind::Open(_)) = self.kind() {
                self.form = Form::Any;
            }
            return Ok(0);
        };
        self.form = Form::Type(content);
        self.json.open(b'{', self.name.as_bytes())?;
        self.name = CONTAINING;
        Ok(1)
    }

    fn close(&mut self, open: u8) -> Result<(), Error> {
        (0..open).try_for_each(|_| self.json.close())
    }

    fn primitive(mut self, kind: u8, text: impl AsRef<[u8]>) -> Result<(), Error> {
        let open = self.enter()?;
        self.json.primitive(kind, self.name.as_bytes(), text.as_ref())?;
        self.close(open)
    }

    fn structured(mut self, kind: u8) -> Result<Compound<'s, 'm, 't, 'x>, Error> {
        let open = self.open(kind)?;
        Ok(Compound { of: self, open, next: 0, key: String::new(), content: Content::Members })
    }

    /// A REAL by its decimal digits.
    fn decimal(mut self, digits: &str) -> Result<(), Error> {
        let open = self.open(b'{')?;
        self.json.primitive(b'\'', b"base10Value", digits.as_bytes())?;
        self.close(open)
    }

    /// A BIT STRING by octets and the number of bits.
    fn bits(mut self, octets: &[u8], length: u64) -> Result<(), Error> {
        let open = self.open(b'{')?;
        self.json.primitive(b'\'', b"value", hexadecimal(octets).as_bytes())?;
        self.json.primitive(b'#', b"length", length.to_string().as_bytes())?;
        self.close(open)
    }

    /// Opens a CHOICE, for the alternative of a variant. Returns how many units are open.
    fn variant(&mut self, variant: &'static str) -> Result<u8, Error> {
        let open = self.open(b'{')?;
        self.form = match self.form {
            Form::Type(node) => self.types.member(node, variant).map(|place| place.node).into(),
            form => form,
        };
        (self.name, self.is_component) = (variant, false);
        Ok(open)
    }

    #[cold]
    fn refused(self, found: impl Into<Words>, expected: &'static str) -> Error {
        let path = self.json.path();
        let path = if self.name.is_empty() { path } else { format!("{path}/{}", self.name) };
        Error::new(ErrorKind::Schema, FORMAT, 0, found, expected).in_path(path)
    }
}

/// Integers, as their digits.
macro_rules! integers {
    ($($method:ident $value:ty;)*) => {$(
        #[inline]
        fn $method(self, value: $value) -> Result<(), Error> {
            self.primitive(b'#', value.to_string())
        }
    )*};
}

impl<'s, 'm, 't, 'x> ser::Serializer for Serializer<'s, 'm, 't, 'x> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, 'm, 't, 'x>;
    type SerializeTuple = Compound<'s, 'm, 't, 'x>;
    type SerializeTupleStruct = Compound<'s, 'm, 't, 'x>;
    type SerializeTupleVariant = Compound<'s, 'm, 't, 'x>;
    type SerializeMap = Compound<'s, 'm, 't, 'x>;
    type SerializeStruct = Compound<'s, 'm, 't, 'x>;
    type SerializeStructVariant = Compound<'s, 'm, 't, 'x>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.primitive(b'?', if value { "t" } else { "f" })
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

    /// The same number as a double; of a decimal type, the fewest digits that identify it.
    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        match self.form {
            Form::Type(node) if value.is_finite() && self.types.is_decimal(node) => {
                self.primitive(b'%', value.to_string())
            }
            _ => self.serialize_f64(value.into()),
        }
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        match special(value) {
            Some(word) => self.primitive(b'\'', word),
            None => self.primitive(b'%', value.to_string()),
        }
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    /// A string, or the digits of a number.
    fn serialize_str(mut self, text: &str) -> Result<(), Error> {
        match self.kind() {
            Some(Kind::Integer(_)) if is_integer(text) => self.primitive(b'#', text),
            Some(Kind::Real) if !matches!(text, "INF" | "-INF" | "NaN" | "-0") => self.decimal(text),
            Some(Kind::Choice(choice)) => match self.types.alternative_of(choice, text) {
                Some((_, alternative)) => {
                    let open = self.open(b'{')?;
                    self.json.primitive(b'\'', alternative.name.as_bytes(), text.as_bytes())?;
                    self.close(open)
                }
                None => Err(self.refused(format!("{:?}", tam::excerpt(text)), "what an alternative allows")),
            },
            _ => self.primitive(b'\'', text),
        }
    }

    /// Octets, those of a string that contains a value too; bits, as many as the type has or eight of each.
    fn serialize_bytes(self, octets: &[u8]) -> Result<(), Error> {
        match (self.form, self.kind()) {
            _ if self.content().is_some() => self.json.primitive(b'*', self.name.as_bytes(), octets),
            (Form::Digits, _) => self.primitive(b'\'', hexadecimal(octets)),
            (_, Some(Kind::BitString(size, _))) => {
                let is_whole = size.lower == size.upper && size.lower.div_ceil(8) == octets.len() as u64;
                self.bits(octets, if is_whole { size.lower } else { 8 * octets.len() as u64 })
            }
            _ => self.primitive(b'*', octets),
        }
    }

    fn serialize_none(self) -> Result<(), Error> {
        match self.is_component {
            true => Ok(()),
            false => Err(self.refused("None", "a value")),
        }
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.primitive(b'~', "")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<(), Error> {
        match self.kind() {
            Some(Kind::Choice(_)) => self.serialize_newtype_variant(name, index, variant, &()),
            _ => self.primitive(b'\'', variant),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let open = self.variant(variant)?;
        value.serialize(self.lent())?;
        self.close(open)
    }

    tam::__transparent_ser! {}

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        let content = match (self.form, self.kind()) {
            (Form::Digits, _) | (_, Some(Kind::OctetString(_))) => Content::Octets(Vec::new()),
            (_, Some(Kind::BitString(..))) => Content::Bits(Vec::new(), 0),
            (_, Some(Kind::Real)) => Content::Decimal(Vec::new()),
            _ => return self.structured(b'['),
        };
        Ok(Compound { of: self, open: 0, next: 0, key: String::new(), content })
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Self::SerializeTupleStruct, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        let open = self.variant(variant)?;
        let items = self.serialize_seq(None)?;
        Ok(Compound { open: items.open + open, ..items })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        self.structured(b'{')
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        self.structured(b'{')
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        let open = self.variant(variant)?;
        let members = self.structured(b'{')?;
        Ok(Compound { open: members.open + open, ..members })
    }
}

/// A value that is made of others.
pub(super) struct Compound<'s, 'm, 't, 'x> {
    of: Serializer<'s, 'm, 't, 'x>,
    /// How many units end with it.
    open: u8,
    /// The component after the last one.
    next: usize,
    /// The key of the next value of a map.
    key: String,
    content: Content,
}

/// What has come of it.
enum Content {
    /// Members and items are in the document.
    Members,
    Octets(Vec<u8>),
    /// Bits in octets, and how many.
    Bits(Vec<u8>, u64),
    /// Mantissa and exponent.
    Decimal(Vec<String>),
}

impl Compound<'_, '_, '_, '_> {
    /// What a component or an alternative is to be. Components mostly come in their order.
    fn form(&mut self, name: &str) -> Form {
        let (types, Form::Type(node)) = (self.of.types, self.of.form) else { return Form::Any };
        match types.node(node).kind {
            Kind::Record(number) => {
                let members = &types.record(number).members;
                let is_it = |member: &crate::compiled::Member| member.name == name;
                let place = members.get(self.next).filter(|member| is_it(member)).map(|_| self.next);
                let place = place.or_else(|| members.iter().position(is_it));
                self.next = place.map_or(self.next, |place| place + 1);
                place.and_then(|place| members.get(place)).map(|member| member.node).into()
            }
            Kind::BitString(..) if name == "value" => Form::Digits,
            _ => types.member(node, name).map(|place| place.node).into(),
        }
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        let form = self.form(name);
        let is_component = !matches!(self.of.kind(), Some(Kind::Choice(_)));
        let json = &mut *self.of.json;
        value.serialize(Serializer { types: self.of.types, form, name, is_component, json })
    }

    fn item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
        let taken = match &mut self.content {
            Content::Members => {
                let form = match self.of.kind() {
                    Some(Kind::Array(array)) => Form::Type(array.item),
                    _ => Form::Any,
                };
                let json = &mut *self.of.json;
                let place = Serializer { types: self.of.types, form, name: "", is_component: false, json };
                return item.serialize(place);
            }
            Content::Octets(octets) => shown(item).and_then(|text| text.parse().ok()).map(|octet| octets.push(octet)),
            Content::Bits(octets, len) => shown(item).and_then(|text| text.parse().ok()).map(|bit: bool| {
                let place = *len % 8;
                if place == 0 {
                    octets.push(0);
                }
                if let Some(last) = octets.last_mut() {
                    *last |= u8::from(bit) << (7 - place);
                }
                *len += 1;
            }),
            Content::Decimal(numbers) => shown(item).filter(|text| is_integer(text)).map(|number| numbers.push(number)),
        };
        taken.ok_or_else(|| self.unlike())
    }

    /// The error of items that are none of the type.
    #[cold]
    fn unlike(&mut self) -> Error {
        let (found, expected) = match self.content {
            Content::Bits(..) => ("an item that is no boolean", "one for each bit"),
            Content::Decimal(_) => ("items that are no pair of integers", "mantissa and exponent"),
            _ => ("an item that is no integer of 8 bits", "one for each octet"),
        };
        self.of.lent().refused(found, expected)
    }

    fn ended(mut self) -> Result<(), Error> {
        match &self.content {
            Content::Members => {}
            Content::Octets(octets) => {
                let mut of = self.of.lent();
                let open = of.enter()?;
                ser::Serializer::serialize_bytes(of.lent(), octets)?;
                of.close(open)?;
            }
            Content::Bits(octets, len) => self.of.lent().bits(octets, *len)?,
            Content::Decimal(numbers) => match &numbers[..] {
                [mantissa, exponent] => self.of.lent().decimal(&format!("{mantissa}E{exponent}"))?,
                _ => return Err(self.unlike()),
            },
        }
        self.of.close(self.open)
    }
}

/// Items by one method, and their end.
macro_rules! items {
    ($($of:ident $method:ident;)*) => {$(
        impl ser::$of for Compound<'_, '_, '_, '_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
                self.item(item)
            }

            fn end(self) -> Result<(), Error> {
                self.ended()
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// Members by their names, and their end.
macro_rules! members {
    ($($of:ident;)*) => {$(
        impl ser::$of for Compound<'_, '_, '_, '_> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Error> {
                self.ended()
            }
        }
    )*};
}

members! {
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for Compound<'_, '_, '_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        match shown(key) {
            Some(key) => self.key = key,
            None => return Err(self.of.lent().refused("a key that is no text", "the name of a component")),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        self.member(&key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.ended()
    }
}

//! Numbers into Rust's types.

use serde_core::de::value::{I64Deserializer, I128Deserializer};
use serde_core::de::{self, DeserializeSeed, IntoDeserializer, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use tam::{Error, ErrorKind, Words};

use super::FORMAT;
use crate::event::{Integer, Real};
use crate::integer;
use crate::jer::number::special;

/// An INTEGER or a REAL.
#[derive(Clone, Copy)]
pub(super) enum Number<'de> {
    Integer(Integer<'de>),
    Real(Real<'de>),
}

#[cold]
fn refused(found: impl Into<Words>, expected: &'static str) -> Error {
    Error::new(ErrorKind::Schema, FORMAT, 0, found, expected)
}

/// An INTEGER that is beyond 64 bits with a sign.
#[cold]
fn visit_large<'de, V: Visitor<'de>>(octets: &[u8], visitor: V) -> Result<V::Value, Error> {
    let number = Integer::Big(octets);
    if let Some(number) = number.to_i128() {
        return match u64::try_from(number) {
            Ok(number) => visitor.visit_u64(number),
            Err(_) => visitor.visit_i128(number),
        };
    }
    match <[u8; 17]>::try_from(octets) {
        Ok([0, unsigned @ ..]) => visitor.visit_u128(u128::from_be_bytes(unsigned)),
        _ => Err(refused(integer::words(number), "an INTEGER of 128 bits, or a type that takes text")),
    }
}

/// Whether the exponent has more than two digits: a few octets must not expand to thousands of zeros.
fn is_long(decimal: &str) -> bool {
    let exponent = decimal.rsplit_once(['E', 'e']).map_or("", |(_, exponent)| exponent);
    exponent.trim_start_matches(['+', '-']).len() > 2
}

impl Number<'_> {
    /// The double of a REAL, the nearest if none is equal to it.
    fn double(real: Real<'_>) -> Result<f64, Error> {
        match real {
            Real::Double(double) => Ok(double),
            Real::Decimal(text) => match text.parse::<f64>() {
                Ok(double) if double.is_finite() => Ok(double),
                _ => Err(refused(Words::Own(tam::excerpt(text)), "a REAL in the range of 64 bits")),
            },
        }
    }

    fn text(self) -> Result<String, Error> {
        let mut text = String::new();
        match self {
            Number::Integer(number) if !number.push_digits(&mut text) => {
                return Err(refused("an INTEGER of more than 20 000 digits", "a shorter one"));
            }
            Number::Integer(_) => {}
            Number::Real(Real::Double(double)) => match special(double) {
                Some(word) => text.push_str(word),
                None => drop(Real::Double(double).push_plain(&mut text)),
            },
            Number::Real(Real::Decimal(decimal)) => {
                if is_long(decimal) || !Real::Decimal(decimal).push_plain(&mut text) {
                    text.push_str(decimal);
                }
            }
        }
        Ok(text)
    }
}

impl<'de> de::Deserializer<'de> for Number<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Number::Integer(Integer::Small(number)) => visitor.visit_i64(number),
            Number::Integer(Integer::Big(octets)) => visit_large(octets, visitor),
            Number::Real(real) => visitor.visit_f64(Number::double(real)?),
        }
    }

    /// The nearest float of 32 bits, not that of the nearest one of 64.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let (float, is_finite) = match self {
            Number::Integer(_) => return self.deserialize_any(visitor),
            Number::Real(Real::Double(double)) => (double as f32, double.is_finite()),
            Number::Real(Real::Decimal(text)) => (text.parse().unwrap_or(f32::INFINITY), true),
        };
        if is_finite && !float.is_finite() {
            return Err(refused(self.text()?, "a REAL in the range of 32 bits"));
        }
        visitor.visit_f32(float)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    /// Mantissa and exponent of a REAL.
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let Number::Real(real) = self else { return self.deserialize_any(visitor) };
        if len != 2 {
            return self.deserialize_any(visitor);
        }
        match real.to_decimal() {
            Some((mantissa, exponent)) => visitor.visit_seq(Decimal { mantissa, exponent, next: 0 }),
            None => Err(refused(self.text()?, "a decimal number whose digits fit in 128 bits")),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    tam::__transparent_de! {}

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f64 char bytes byte_buf unit
        unit_struct seq map struct enum identifier ignored_any
    }
}

/// A REAL as mantissa and exponent of 10.
struct Decimal {
    mantissa: i128,
    exponent: i64,
    next: u8,
}

impl<'de> SeqAccess<'de> for Decimal {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.next += 1;
        match self.next {
            1 => {
                // Many types take 64 bits only.
                if let Ok(mantissa) = i64::try_from(self.mantissa) {
                    return seed.deserialize::<I64Deserializer<Error>>(mantissa.into_deserializer()).map(Some);
                }
                seed.deserialize::<I128Deserializer<Error>>(self.mantissa.into_deserializer()).map(Some)
            }
            2 => seed.deserialize::<I64Deserializer<Error>>(self.exponent.into_deserializer()).map(Some),
            _ => Ok(None),
        }
    }
}

//! Text as values of simple types (XML Schema Part 2, section 3).

use xml::kernels::numbers::Fallback;
use xml::number::{Decimal, boolean, double, float, integer, is_integer};
use xml::white_space::{collapse, trim};

use crate::markup::leaf;
use crate::schema::Simple;
use crate::values::Value;

/// The value of a text, `None` if the type has no such value.
pub(crate) fn value(simple: Simple, text: &str) -> Option<Value> {
    let trimmed = trim(text);
    Some(match simple {
        Simple::Boolean => Value::Boolean(boolean(trimmed)?),
        Simple::Byte => Value::Byte(integer(trimmed)?),
        Simple::Short => Value::Short(integer(trimmed)?),
        Simple::Int => Value::Int(integer(trimmed)?),
        Simple::Long => Value::Long(integer(trimmed)?),
        Simple::UnsignedByte => Value::UnsignedByte(integer(trimmed)?),
        Simple::UnsignedShort => Value::UnsignedShort(integer(trimmed)?),
        Simple::UnsignedInt => Value::UnsignedInt(integer(trimmed)?),
        Simple::UnsignedLong => Value::UnsignedLong(integer(trimmed)?),
        Simple::Float => Value::Float(float(trimmed)?),
        Simple::Double => Value::Double(double(trimmed)?),
        Simple::String => Value::Text(text.to_owned()),
        Simple::Token => Value::Text(collapse(trimmed, &mut String::new()).to_owned()),
        Simple::Integer => Value::Text(is_integer(trimmed).then(|| trimmed.to_owned())?),
        Simple::Decimal => Value::Text(Decimal::parse(trimmed).map(|_| trimmed.to_owned())?),
        Simple::Base64 => octets(xml::base64::decode, trimmed)?,
        Simple::Hex => octets(xml::hex::decode, trimmed)?,
    })
}

/// A number of a value.
pub(crate) trait FromValue: Sized {
    fn from_value(value: Value) -> Option<Self>;
}

impl<T: FromValue> Fallback<T> for Simple {
    #[inline(never)]
    fn read(self, bytes: &[u8], at: usize) -> Option<(T, usize)> {
        let (text, end) = leaf::text(bytes, at)?;
        Some((T::from_value(value(self, &text)?)?, end))
    }
}

fn octets(decode: impl Fn(&str, &mut Vec<u8>) -> Option<()>, text: &str) -> Option<Value> {
    let mut octets = Vec::new();
    decode(text, &mut octets).map(|()| Value::Binary(octets))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lexical spaces of XML Schema Part 2, sections 3.2.2 to 3.2.5 and 3.3.
    #[test]
    fn texts_are_values_where_xml_schema_says_so() {
        let yes: &[(Simple, &str, Value)] = &[
            (Simple::Boolean, " 1 ", Value::Boolean(true)),
            (Simple::Boolean, "false", Value::Boolean(false)),
            (Simple::Byte, "-128", Value::Byte(-128)),
            (Simple::Int, "+2147483647", Value::Int(i32::MAX)),
            (Simple::Int, "\n-0007\t", Value::Int(-7)),
            (Simple::Long, "-9223372036854775808", Value::Long(i64::MIN)),
            (Simple::UnsignedInt, "-0", Value::UnsignedInt(0)),
            (Simple::UnsignedLong, "18446744073709551615", Value::UnsignedLong(u64::MAX)),
            (Simple::Double, "-1E4", Value::Double(-10000.0)),
            (Simple::Double, "12.78e-2", Value::Double(0.1278)),
            (Simple::Double, "-0", Value::Double(-0.0)),
            (Simple::Double, ".5", Value::Double(0.5)),
            (Simple::Double, "5.", Value::Double(5.0)),
            (Simple::Double, "INF", Value::Double(f64::INFINITY)),
            (Simple::Double, "-INF", Value::Double(f64::NEG_INFINITY)),
            (Simple::Double, "NaN", Value::Double(f64::NAN)),
            (Simple::Float, "1267.43233E12", Value::Float(1.267_432_3e15)),
            (Simple::String, " a  b ", Value::Text(" a  b ".into())),
            (Simple::Token, " a \n b ", Value::Text("a b".into())),
            (Simple::Decimal, "-1.23", Value::Text("-1.23".into())),
            (Simple::Integer, "12678967543233", Value::Text("12678967543233".into())),
            (Simple::Base64, "aGVs bG8=", Value::Binary(b"hello".into())),
            (Simple::Hex, "0FB7", Value::Binary(vec![15, 183])),
        ];
        for (simple, text, expected) in yes {
            assert_eq!(value(*simple, text).as_ref(), Some(expected), "{simple:?} {text:?}");
        }
        let no = [
            (Simple::Boolean, "TRUE"),
            (Simple::Byte, "128"),
            (Simple::Int, "2147483648"),
            (Simple::Int, "1 2"),
            (Simple::Int, ""),
            (Simple::Int, "1.0"),
            (Simple::UnsignedInt, "-1"),
            (Simple::Double, "inf"),
            (Simple::Double, "+INF"),
            (Simple::Double, "infinity"),
            (Simple::Double, "nan"),
            (Simple::Double, "."),
            (Simple::Double, "1e"),
            (Simple::Double, "0x1p3"),
            (Simple::Integer, "1.0"),
            (Simple::Decimal, "1e3"),
            (Simple::Decimal, "."),
            (Simple::Base64, "a"),
            (Simple::Hex, "0FB"),
        ];
        for (simple, text) in no {
            assert_eq!(value(simple, text), None, "{simple:?} {text:?}");
        }
    }
}

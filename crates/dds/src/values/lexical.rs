//! Text as values of simple types (XML Schema Part 2, section 3).

use base64::Engine;
use xml::chars::{SPACE, is_space};

use crate::schema::Simple;
use crate::values::Value;

/// A text without white space around it.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(SPACE)
}

/// The value of a text, `None` if the type has no such value.
pub(crate) fn value(simple: Simple, text: &str) -> Option<Value> {
    let trimmed = trim(text);
    Some(match simple {
        Simple::Boolean => Value::Boolean(boolean(trimmed)?),
        Simple::Byte => Value::Byte(trimmed.parse().ok()?),
        Simple::Short => Value::Short(trimmed.parse().ok()?),
        Simple::Int => Value::Int(trimmed.parse().ok()?),
        Simple::Long => Value::Long(trimmed.parse().ok()?),
        Simple::UnsignedByte => Value::UnsignedByte(unsigned(trimmed)?.parse().ok()?),
        Simple::UnsignedShort => Value::UnsignedShort(unsigned(trimmed)?.parse().ok()?),
        Simple::UnsignedInt => Value::UnsignedInt(unsigned(trimmed)?.parse().ok()?),
        Simple::UnsignedLong => Value::UnsignedLong(unsigned(trimmed)?.parse().ok()?),
        Simple::Float => Value::Float(float(trimmed)?.parse().ok()?),
        Simple::Double => Value::Double(float(trimmed)?.parse().ok()?),
        Simple::String => Value::Text(text.to_owned()),
        Simple::Token => Value::Text(collapsed(trimmed)),
        Simple::Integer => Value::Text(number(trimmed, false)?.to_owned()),
        Simple::Decimal => Value::Text(number(trimmed, true)?.to_owned()),
        Simple::Base64 => {
            let letters: Vec<u8> = trimmed.bytes().filter(|&byte| !is_space(byte)).collect();
            Value::Binary(base64::engine::general_purpose::STANDARD.decode(letters).ok()?)
        }
        Simple::Hex => Value::Binary(hex(trimmed.as_bytes())?),
    })
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// What Rust reads as an unsigned number: of a zero a minus is taken away, which XML Schema allows there.
fn unsigned(text: &str) -> Option<&str> {
    match text.strip_prefix('-') {
        Some(digits) => (!digits.is_empty() && digits.bytes().all(|byte| byte == b'0')).then_some(digits),
        None => Some(text),
    }
}

/// What Rust reads as the same number: it knows more names of infinity than XML Schema.
fn float(text: &str) -> Option<&str> {
    match text {
        "INF" | "-INF" | "NaN" => Some(text),
        _ => {
            let marks = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
            text.bytes().all(marks).then_some(text)
        }
    }
}

fn number(text: &str, fraction: bool) -> Option<&str> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, rest) = if fraction { digits.split_once('.').unwrap_or((digits, "")) } else { (digits, "") };
    let are_digits = whole.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_digit());
    (are_digits && whole.len() + rest.len() > 0).then_some(text)
}

fn collapsed(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split(SPACE).filter(|word| !word.is_empty()) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

fn hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
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

//! Values of arrays, whatever their layout.

use std::fmt::{self, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::i256;
use arrow_schema::{DataType, TimeUnit};
use asn1::TimePoint;
use asn1::schema::StringKind;

/// A simple value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Boolean(bool),
    Integer(i128),
    Double(f64),
    Text(&'a str),
    Octets(&'a [u8]),
    Point(TimePoint),
    /// A number in units of 10 to the minus scale.
    Decimal(i256, i8),
    /// Null, or a value of another type.
    Other(&'a DataType),
}

impl<'a> Cell<'a> {
    /// The value of a row. The row must exist.
    pub(crate) fn at(array: &'a ArrayRef, row: usize) -> Cell<'a> {
        if array.is_null(row) {
            return Cell::Other(&DataType::Null);
        }
        match array.data_type() {
            DataType::Boolean => Cell::Boolean(array.as_boolean().value(row)),
            DataType::Int8 => Cell::Integer(array.as_primitive::<Int8Type>().value(row).into()),
            DataType::Int16 => Cell::Integer(array.as_primitive::<Int16Type>().value(row).into()),
            DataType::Int32 => Cell::Integer(array.as_primitive::<Int32Type>().value(row).into()),
            DataType::Int64 => Cell::Integer(array.as_primitive::<Int64Type>().value(row).into()),
            DataType::UInt8 => Cell::Integer(array.as_primitive::<UInt8Type>().value(row).into()),
            DataType::UInt16 => Cell::Integer(array.as_primitive::<UInt16Type>().value(row).into()),
            DataType::UInt32 => Cell::Integer(array.as_primitive::<UInt32Type>().value(row).into()),
            DataType::UInt64 => Cell::Integer(array.as_primitive::<UInt64Type>().value(row).into()),
            DataType::Float32 => Cell::Double(array.as_primitive::<Float32Type>().value(row).into()),
            DataType::Float64 => Cell::Double(array.as_primitive::<Float64Type>().value(row)),
            DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Cell::Text(array.as_string::<i64>().value(row)),
            DataType::Utf8View => Cell::Text(array.as_string_view().value(row)),
            DataType::Binary => Cell::Octets(array.as_binary::<i32>().value(row)),
            DataType::LargeBinary => Cell::Octets(array.as_binary::<i64>().value(row)),
            DataType::BinaryView => Cell::Octets(array.as_binary_view().value(row)),
            DataType::FixedSizeBinary(_) => Cell::Octets(array.as_fixed_size_binary().value(row)),
            DataType::Dictionary(..) => Cell::of_dictionary(array, row),
            DataType::Decimal32(_, scale) => {
                Cell::Decimal(i256::from(array.as_primitive::<Decimal32Type>().value(row)), *scale)
            }
            DataType::Decimal64(_, scale) => {
                Cell::Decimal(i256::from(array.as_primitive::<Decimal64Type>().value(row)), *scale)
            }
            DataType::Decimal128(_, scale) => {
                Cell::Decimal(i256::from(array.as_primitive::<Decimal128Type>().value(row)), *scale)
            }
            DataType::Decimal256(_, scale) => Cell::Decimal(array.as_primitive::<Decimal256Type>().value(row), *scale),
            DataType::Date32 => Cell::day(array.as_primitive::<Date32Type>().value(row).into()),
            DataType::Date64 => match array.as_primitive::<Date64Type>().value(row) {
                millis if millis % DAY_MILLIS == 0 => Cell::day(millis / DAY_MILLIS),
                _ => Cell::Other(array.data_type()),
            },
            DataType::Time32(TimeUnit::Second) => {
                Cell::clock(array, array.as_primitive::<Time32SecondType>().value(row).into(), TimeUnit::Second)
            }
            DataType::Time32(_) => Cell::clock(
                array,
                array.as_primitive::<Time32MillisecondType>().value(row).into(),
                TimeUnit::Millisecond,
            ),
            DataType::Time64(TimeUnit::Microsecond) => {
                Cell::clock(array, array.as_primitive::<Time64MicrosecondType>().value(row), TimeUnit::Microsecond)
            }
            DataType::Time64(_) => {
                Cell::clock(array, array.as_primitive::<Time64NanosecondType>().value(row), TimeUnit::Nanosecond)
            }
            DataType::Timestamp(unit, zone) => {
                let value = match unit {
                    TimeUnit::Second => array.as_primitive::<TimestampSecondType>().value(row),
                    TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(row),
                    TimeUnit::Microsecond => array.as_primitive::<TimestampMicrosecondType>().value(row),
                    TimeUnit::Nanosecond => array.as_primitive::<TimestampNanosecondType>().value(row),
                };
                let of_day = 86_400 * per_second(*unit);
                let nanoseconds = Some(value.rem_euclid(of_day) * (SECOND / per_second(*unit)));
                // With a zone, a timestamp is a moment in UTC; the zone says how to show it.
                let ahead = zone.as_ref().map(|_| 0);
                Cell::Point(TimePoint { day: Some(value.div_euclid(of_day)), nanoseconds, ahead })
            }
            other => Cell::Other(other),
        }
    }

    fn day(day: i64) -> Cell<'a> {
        Cell::Point(TimePoint { day: Some(day), nanoseconds: None, ahead: None })
    }

    fn clock(array: &'a ArrayRef, value: i64, unit: TimeUnit) -> Cell<'a> {
        let nanoseconds = value.checked_mul(SECOND / per_second(unit)).filter(|nanos| (0..DAY).contains(nanos));
        match nanoseconds {
            Some(_) => Cell::Point(TimePoint { day: None, nanoseconds, ahead: None }),
            None => Cell::Other(array.data_type()),
        }
    }

    fn of_dictionary(array: &'a ArrayRef, row: usize) -> Cell<'a> {
        let Some(dictionary) = array.as_any_dictionary_opt() else { return Cell::Other(array.data_type()) };
        let key = match dictionary.keys().data_type() {
            DataType::Int8 => usize::try_from(dictionary.keys().as_primitive::<Int8Type>().value(row)).ok(),
            DataType::Int16 => usize::try_from(dictionary.keys().as_primitive::<Int16Type>().value(row)).ok(),
            DataType::Int32 => usize::try_from(dictionary.keys().as_primitive::<Int32Type>().value(row)).ok(),
            DataType::Int64 => usize::try_from(dictionary.keys().as_primitive::<Int64Type>().value(row)).ok(),
            DataType::UInt8 => Some(dictionary.keys().as_primitive::<UInt8Type>().value(row).into()),
            DataType::UInt16 => Some(dictionary.keys().as_primitive::<UInt16Type>().value(row).into()),
            DataType::UInt32 => usize::try_from(dictionary.keys().as_primitive::<UInt32Type>().value(row)).ok(),
            _ => usize::try_from(dictionary.keys().as_primitive::<UInt64Type>().value(row)).ok(),
        };
        match key.filter(|key| *key < dictionary.values().len()) {
            // A dictionary of dictionaries has no meaning that a message could have.
            Some(_) if matches!(dictionary.values().data_type(), DataType::Dictionary(..)) => {
                Cell::Other(array.data_type())
            }
            Some(key) => Cell::at(dictionary.values(), key),
            None => Cell::Other(&DataType::Null),
        }
    }

    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }
}

const DAY_MILLIS: i64 = 86_400_000;

/// Nanoseconds.
const SECOND: i64 = 1_000_000_000;
const DAY: i64 = 86_400 * SECOND;

fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => SECOND,
    }
}

/// The text of a decimal: all of its digits.
pub(crate) fn decimal(number: i256, scale: i8) -> String {
    let text = number.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", &text[..]), |digits| ("-", digits));
    let after = usize::try_from(scale).unwrap_or_default();
    let digits = format!("{digits:0>width$}", width = after + 1);
    let (whole, fraction) = digits.split_at(digits.len() - after);
    let zeros =
        if number == i256::ZERO { "" } else { &"0".repeat(usize::from((-i16::from(scale)).max(0).unsigned_abs())) };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{zeros}{point}{fraction}")
}

/// Adds the text of a simple value of a column: octets in hexadecimal digits, times in the form of ISO 8601. Null has none.
///
/// # Errors
/// The type of a column whose values are not simple. Nothing is then added.
pub fn push_text(out: &mut String, array: &ArrayRef, row: usize) -> Result<(), DataType> {
    match Cell::at(array, row) {
        Cell::Text(text) => out.push_str(text),
        Cell::Octets(octets) => octets.iter().for_each(|octet| {
            let _ = write!(out, "{octet:02x}");
        }),
        Cell::Other(DataType::Null) => {}
        Cell::Other(other) => return Err(other.clone()),
        cell => out.push_str(&cell.to_string()),
    }
    Ok(())
}

/// As errors show it.
impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Boolean(value) => write!(f, "{value}"),
            Cell::Integer(number) => write!(f, "{number}"),
            Cell::Double(number) => write!(f, "{number:?}"),
            Cell::Text(text) => write!(f, "'{}'", tam::excerpt(text)),
            Cell::Octets(octets) => write!(f, "{} octets", octets.len()),
            Cell::Point(point) => f.write_str(&point.text(StringKind::Time).unwrap_or_default()),
            Cell::Decimal(number, scale) => f.write_str(&decimal(*number, *scale)),
            Cell::Other(DataType::Null) => f.write_str("null"),
            Cell::Other(ty) => write!(f, "a value of {ty}"),
        }
    }
}

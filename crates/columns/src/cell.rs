//! Values of arrays, whatever their layout.

use std::fmt;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

/// A simple value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Boolean(bool),
    Integer(i128),
    Double(f64),
    Text(&'a str),
    Octets(&'a [u8]),
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
            other => Cell::Other(other),
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

/// As errors show it.
impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Boolean(value) => write!(f, "{value}"),
            Cell::Integer(number) => write!(f, "{number}"),
            Cell::Double(number) => write!(f, "{number:?}"),
            Cell::Text(text) => write!(f, "'{}'", tam::excerpt(text)),
            Cell::Octets(octets) => write!(f, "{} octets", octets.len()),
            Cell::Other(DataType::Null) => f.write_str("null"),
            Cell::Other(ty) => write!(f, "a value of {ty}"),
        }
    }
}

//! CSV: a column for each value inside a structure, named by its path (`place/latitude`).

use std::fmt::Write as _;
use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

use super::writer::failed;
use crate::report::Failure;

/// Writes rows of simple values.
pub(crate) struct Writer<W: Write> {
    out: csv::Writer<W>,
}

impl<W: Write> Writer<W> {
    /// Writes the heading, which has the paths of the columns of a batch; gives back how many there are as well.
    pub(crate) fn new(out: W, batch: &RecordBatch) -> Result<(Writer<W>, usize), Failure> {
        let mut out = csv::Writer::from_writer(out);
        let columns = columns(batch)?;
        out.write_record(columns.iter().map(|(path, _)| path)).map_err(failed)?;
        Ok((Writer { out }, columns.len()))
    }

    /// Writes a line for each row. Nulls are empty, and octets are hexadecimal digits.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let columns = columns(batch)?;
        let mut value = String::new();
        for row in 0..batch.num_rows() {
            for (_, array) in &columns {
                value.clear();
                push(&mut value, array, row)?;
                self.out.write_field(&value).map_err(failed)?;
            }
            self.out.write_record(None::<&[u8]>).map_err(failed)?;
        }
        self.out.flush().map_err(failed)
    }
}

/// The columns of simple values, with their paths.
fn columns(batch: &RecordBatch) -> Result<Vec<(String, ArrayRef)>, Failure> {
    let mut found = Vec::new();
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        find(field.name().clone(), array, &mut found)?;
    }
    Ok(found)
}

fn find(path: String, array: &ArrayRef, found: &mut Vec<(String, ArrayRef)>) -> Result<(), Failure> {
    match array.data_type() {
        DataType::Struct(inner) => {
            let children = inner.iter().zip(array.as_struct().columns());
            for (field, child) in children {
                find(format!("{path}/{}", field.name()), child, found)?;
            }
        }
        DataType::List(_) => {
            return Err(Failure::Usage(format!(
                "the column {path} has lists, which CSV cannot hold: name other columns with --columns, or write parquet"
            )));
        }
        _ => found.push((path, array.clone())),
    }
    Ok(())
}

/// Adds the text of a value.
fn push(out: &mut String, array: &ArrayRef, row: usize) -> Result<(), Failure> {
    if array.is_null(row) {
        return Ok(());
    }
    let written = match array.data_type() {
        DataType::Boolean => write!(out, "{}", array.as_boolean().value(row)),
        DataType::Int64 => write!(out, "{}", array.as_primitive::<Int64Type>().value(row)),
        DataType::UInt64 => write!(out, "{}", array.as_primitive::<UInt64Type>().value(row)),
        DataType::Float64 => write!(out, "{:?}", array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => write!(out, "{}", array.as_string::<i32>().value(row)),
        DataType::Binary => array.as_binary::<i32>().value(row).iter().try_for_each(|octet| write!(out, "{octet:02x}")),
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<Int32Type>();
            return match dictionary.key(row) {
                Some(key) => push(out, dictionary.values(), key),
                None => Ok(()),
            };
        }
        other => return Err(failed(format!("a column of {other} has no text in CSV"))),
    };
    written.map_err(failed)
}

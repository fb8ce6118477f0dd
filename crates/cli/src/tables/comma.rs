//! CSV: a column for each value inside a structure, named by its path (`place/latitude`).

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use lengthwise::columns::push_text;
use lengthwise::tam::escape_step;

use super::writer::failed;
use crate::report::Failure;

/// Writes rows of simple values. The crate csv would not distinguish null from an empty text.
pub(crate) struct Writer<W: Write> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Writes the heading, which has the paths of the columns of a batch; gives back how many there are as well.
    pub(crate) fn new(mut out: W, batch: &RecordBatch) -> Result<(Writer<W>, usize), Failure> {
        let columns = columns(batch)?;
        let mut line = String::new();
        for (path, _) in &columns {
            push_field(&mut line, path);
        }
        end(&mut line);
        out.write_all(line.as_bytes()).map_err(failed)?;
        Ok((Writer { out }, columns.len()))
    }

    /// Writes a line for each row. A null is nothing, an empty text a pair of quotes; octets are hexadecimal digits.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let columns = columns(batch)?;
        let (mut line, mut value) = (String::new(), String::new());
        for row in 0..batch.num_rows() {
            line.clear();
            for (_, array) in &columns {
                if array.is_null(row) {
                    line.push(',');
                    continue;
                }
                value.clear();
                push_text(&mut value, array, row)
                    .map_err(|held| failed(format!("a column of {held} has no text in CSV")))?;
                push_field(&mut line, &value);
            }
            end(&mut line);
            self.out.write_all(line.as_bytes()).map_err(failed)?;
        }
        Ok(())
    }
}

/// Adds a value and a comma; quotes are around it where RFC 4180 asks for them, and if it is empty.
fn push_field(line: &mut String, value: &str) {
    match value.is_empty() || value.contains([',', '"', '\r', '\n']) {
        true => line.extend(["\"", &value.replace('"', "\"\""), "\","]),
        false => line.extend([value, ","]),
    }
}

/// Ends a line, whose last comma is one too many.
fn end(line: &mut String) {
    line.pop();
    line.push('\n');
}

/// The columns of simple values, with their paths.
fn columns(batch: &RecordBatch) -> Result<Vec<(String, ArrayRef)>, Failure> {
    let mut found = Vec::new();
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        find(escape_step(field.name()), array, &mut found)?;
    }
    Ok(found)
}

fn find(path: String, array: &ArrayRef, found: &mut Vec<(String, ArrayRef)>) -> Result<(), Failure> {
    match array.data_type() {
        DataType::Struct(inner) => {
            let children = inner.iter().zip(array.as_struct().columns());
            for (field, child) in children {
                find(format!("{path}/{}", escape_step(field.name())), child, found)?;
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

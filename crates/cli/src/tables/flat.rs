//! Rows without structure, as CSV has them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema};

use super::writer::failed;
use crate::report::Failure;

/// The same rows with a column for each value inside a structure, named by its path: `place/latitude`.
pub(crate) fn flat(batch: &RecordBatch) -> Result<RecordBatch, Failure> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        push(field.name().clone(), array, &mut fields, &mut arrays)?;
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options).map_err(failed)
}

fn push(path: String, array: &ArrayRef, fields: &mut Vec<Field>, arrays: &mut Vec<ArrayRef>) -> Result<(), Failure> {
    match array.data_type() {
        DataType::Struct(inner) => {
            let record = array.as_struct();
            inner
                .iter()
                .zip(record.columns())
                .try_for_each(|(field, array)| push(format!("{path}/{}", field.name()), array, fields, arrays))
        }
        DataType::List(_) => Err(Failure::Usage(format!(
            "the column {path} has lists, which CSV cannot hold: name other columns with --columns, or write parquet"
        ))),
        kind => {
            fields.push(Field::new(path, kind.clone(), true));
            arrays.push(array.clone());
            Ok(())
        }
    }
}

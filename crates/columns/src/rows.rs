//! Rows of other libraries.

use arrow_array::{Array, RecordBatch, StructArray, make_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};
use tam::{Error, ErrorKind, Words};

use crate::FORMAT;

/// The rows of an array of structs that another library has made, as it comes out of Arrow's C Data Interface.
///
/// # Errors
/// Kind schema for an array that is not valid, that is not of structs, and for a struct that is null.
pub fn rows(data: ArrayData) -> Result<RecordBatch, Error> {
    let based = data.validate_full().and_then(|()| based(&data, 0, data.len()));
    let array = based.map(make_array).map_err(|error| invalid(error.to_string()))?;
    let structs = array.as_any().downcast_ref::<StructArray>().ok_or_else(|| invalid("an array of another type"))?;
    match structs.null_count() {
        0 => Ok(RecordBatch::from(structs)),
        count => Err(invalid(Words::Count(count as u64, "rows of nulls"))),
    }
}

fn invalid(found: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Schema, FORMAT, 0, found, "an array of structs")
}

/// The `len` items of an array from one on, with the offsets of structs in their members. Version 59 of Arrow counts an offset
/// twice where structs are in structs, and ends with a panic; from version 60 on this is not needed.
fn based(data: &ArrayData, first: usize, len: usize) -> Result<ArrayData, ArrowError> {
    let offset = data.offset() + first;
    let is_struct = matches!(data.data_type(), DataType::Struct(_));
    let members = data.child_data().iter().map(|member| match is_struct {
        true => based(member, offset, len),
        false => based(member, 0, member.len()),
    });
    let members = members.collect::<Result<_, _>>()?;
    let nulls = data.nulls().map(|nulls| nulls.slice(first, len));
    let builder = data.clone().into_builder().nulls(nulls).len(len).child_data(members);
    builder.offset(if is_struct { 0 } else { offset }).build()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Int64Array, ListArray};
    use arrow_buffer::{NullBuffer, OffsetBuffer};
    use arrow_schema::Field;

    use super::*;

    fn structs(name: &str, member: Arc<dyn Array>, nulls: Option<NullBuffer>) -> StructArray {
        let field = Field::new(name, member.data_type().clone(), true);
        StructArray::new(vec![field].into(), vec![member], nulls)
    }

    /// Structs in structs in lists in structs, of which each has an offset, as other libraries slice them: by the offset alone.
    #[test]
    fn structs_in_structs_may_have_offsets() {
        let numbers = Arc::new(Int64Array::from_iter_values(0..12));
        let inner = structs("n", numbers, Some((0..12).map(|n| n != 7).collect()));
        let middle = structs("i", Arc::new(inner), None);
        let with_offset = |array: &dyn Array, offset: usize, len: usize| {
            let data = array.to_data();
            let nulls = data.nulls().map(|nulls| nulls.slice(offset, len));
            data.into_builder().nulls(nulls).offset(offset).len(len).build().unwrap()
        };
        let item = Arc::new(Field::new_list_field(middle.data_type().clone(), true));
        let list = ListArray::new(item, OffsetBuffer::from_lengths([1, 2, 3, 2]), Arc::new(middle.slice(0, 8)), None);
        // The items are numbers 3 to 10.
        let list = list.to_data().into_builder().child_data(vec![with_offset(&middle, 3, 8)]).build().unwrap();
        let of = DataType::Struct(vec![Field::new("l", list.data_type().clone(), true)].into());
        let outer = ArrayData::builder(of).child_data(vec![list]).offset(1).len(2).build().unwrap();
        let batch = rows(outer).unwrap();
        let list = batch.column(0).as_any().downcast_ref::<ListArray>().unwrap();
        let numbers = |row: usize| {
            let items = list.value(row);
            let inner = items.as_any().downcast_ref::<StructArray>().unwrap().column(0).clone();
            let inner = inner.as_any().downcast_ref::<StructArray>().unwrap();
            let numbers = inner.column(0).as_any().downcast_ref::<Int64Array>().unwrap();
            (0..inner.len()).map(|at| inner.is_valid(at).then(|| numbers.value(at))).collect::<Vec<_>>()
        };
        assert_eq!(
            (batch.num_rows(), numbers(0), numbers(1)),
            (2, vec![Some(4), Some(5)], vec![Some(6), None, Some(8)])
        );
    }

    #[test]
    fn other_arrays_are_no_rows() {
        let numbers = Arc::new(Int64Array::from(vec![1, 2]));
        let error = rows(numbers.to_data()).unwrap_err();
        assert_eq!(
            (error.kind(), error.found().to_string()),
            (ErrorKind::Schema, "an array of another type".to_owned())
        );
        let with_null = structs("n", numbers.clone(), Some(NullBuffer::from(vec![true, false])));
        assert_eq!(rows(with_null.to_data()).unwrap_err().found().to_string(), "1 row of nulls");
    }
}

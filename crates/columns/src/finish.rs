//! Arrays of columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Decimal128Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    ListArray, StringArray, StructArray, UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field, Fields};
use asn1::EncodingRules;
use asn1::compiled::Compiled;

use crate::column::{Bytes, Column, Data};
use crate::open_types;

/// The array of a column, which is empty afterwards.
pub(crate) fn array(
    columns: &mut [Column],
    number: u32,
    types: &Compiled,
    rules: EncodingRules,
) -> Result<ArrayRef, ArrowError> {
    let Some(column) = columns.get_mut(number as usize) else { return Err(missing()) };
    let valid = column.valid.finish();
    let rows = valid.len();
    let nulls = Some(NullBuffer::new(valid)).filter(|nulls| nulls.null_count() > 0);
    Ok(match &mut column.data {
        Data::Boolean(bits) => Arc::new(BooleanArray::new(bits.finish(), nulls)),
        Data::Integer(numbers) => Arc::new(Int64Array::try_new(std::mem::take(numbers).into(), nulls)?),
        Data::Unsigned(numbers) => Arc::new(UInt64Array::try_new(std::mem::take(numbers).into(), nulls)?),
        Data::Double(doubles) => Arc::new(Float64Array::try_new(std::mem::take(doubles).into(), nulls)?),
        Data::Points { numbers, of, .. } => of.array(std::mem::take(numbers), nulls)?,
        Data::Decimal { numbers, digits: (precision, scale) } => {
            let numbers = Decimal128Array::try_new(std::mem::take(numbers).into(), nulls)?;
            Arc::new(numbers.with_precision_and_scale(*precision, *scale)?)
        }
        Data::Bytes { ends, data, of } => {
            let (offsets, data) = (offsets(ends), Buffer::from_vec(std::mem::take(data)));
            match of {
                Bytes::Text => Arc::new(StringArray::try_new(offsets, data, nulls)?),
                Bytes::Octets | Bytes::Open => Arc::new(BinaryArray::try_new(offsets, data, nulls)?),
            }
        }
        Data::Enumerated { items, names } => dictionary(std::mem::take(items), nulls, names)?,
        Data::Record { number, children, .. } => {
            let (number, children) = (*number, children.clone());
            let members = &types.record(number).members;
            let named = members.iter().map(|member| &member.name[..]).zip(children);
            structure(columns, named, Vec::new(), (rows, nulls), (types, rules))?
        }
        Data::Choice { tags, names, children } => {
            let tag = ("_tag", dictionary(std::mem::take(tags), nulls.clone(), names)?);
            let children = children.clone();
            let names = names.clone();
            let named = names.as_string::<i32>().iter().map(Option::unwrap_or_default).zip(children);
            structure(columns, named, vec![tag], (rows, nulls), (types, rules))?
        }
        Data::List { ends, item } => {
            let (offsets, item) = (offsets(ends), *item);
            let (field, items) = field(columns, item, "item", types, rules)?;
            Arc::new(ListArray::try_new(Arc::new(field), offsets, items, nulls)?)
        }
    })
}

/// The field and the array of a column.
pub(crate) fn field(
    columns: &mut [Column],
    number: u32,
    name: &str,
    types: &Compiled,
    rules: EncodingRules,
) -> Result<(Field, ArrayRef), ArrowError> {
    let is_open = columns.get(number as usize).is_some_and(Column::is_open);
    let array = array(columns, number, types, rules)?;
    let field = Field::new(name, array.data_type().clone(), true);
    Ok((if is_open { open_types::with_rules(field, rules) } else { field }, array))
}

/// A struct of the children that are built.
fn structure<'n>(
    columns: &mut [Column],
    children: impl Iterator<Item = (&'n str, u32)>,
    first: Vec<(&'static str, ArrayRef)>,
    (rows, nulls): (usize, Option<NullBuffer>),
    (types, rules): (&Compiled, EncodingRules),
) -> Result<ArrayRef, ArrowError> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (name, array) in first {
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    for (name, child) in children {
        if (child as usize) < columns.len() {
            let (field, array) = field(columns, child, name, types, rules)?;
            fields.push(field);
            arrays.push(array);
        }
    }
    // There may be no children.
    Ok(Arc::new(StructArray::try_new_with_length(Fields::from(fields), arrays, nulls, rows)?))
}

fn dictionary(keys: Vec<i32>, nulls: Option<NullBuffer>, names: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let keys = Int32Array::try_new(ScalarBuffer::from(keys), nulls)?;
    Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, names.clone())?))
}

/// Offsets from the ends of values.
fn offsets(ends: &mut Vec<i32>) -> OffsetBuffer<i32> {
    let mut offsets = Vec::with_capacity(ends.len() + 1);
    offsets.push(0);
    offsets.append(ends);
    OffsetBuffer::new(ScalarBuffer::from(offsets))
}

fn missing() -> ArrowError {
    ArrowError::InvalidArgumentError("no column".to_owned())
}

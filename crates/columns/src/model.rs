//! A type for rows that come without one.

use arrow_schema::{DataType, Field, Fields, Schema};
use asn1::schema::{self, Component, ComponentKind, Kind, StringKind, Type};
use tam::{Error, ErrorKind};

use crate::FORMAT;
use crate::plan::{DEPTH, join};

/// A schema whose only type, `Document`, has a component for each column.
///
/// | Arrow | type |
/// | --- | --- |
/// | booleans, integers, floats and decimals | BOOLEAN, INTEGER, REAL |
/// | texts, octets | UTF8String, OCTET STRING |
/// | dates, times of day, timestamps | TIME |
/// | structs, lists | SEQUENCE of OPTIONAL components, SEQUENCE OF |
///
/// # Errors
/// Kind unsupported for columns of other types, with their path; kind limit for more than 64 levels.
pub fn model(columns: &Schema) -> Result<schema::Schema, Error> {
    Ok(asn1::jer::documents(sequence(columns.fields(), "", 0)?))
}

fn sequence(fields: &Fields, path: &str, depth: usize) -> Result<Type, Error> {
    let component = |field: &std::sync::Arc<Field>| {
        let ty = of(field.data_type(), &join(path, field.name()), depth)?;
        Ok(Component { kind: ComponentKind::Optional, ..Component::new(field.name().as_str(), ty) })
    };
    let root = fields.iter().map(component).collect::<Result<_, Error>>()?;
    Ok(Type::new(Kind::Sequence(schema::Fields { root, ..schema::Fields::default() })))
}

/// Recursion is as deep as is allowed here.
fn of(column: &DataType, path: &str, depth: usize) -> Result<Type, Error> {
    use DataType::*;
    if depth >= DEPTH {
        return Err(Error::limit(FORMAT, 0, "one more level", "depth", DEPTH as u64).in_path(path));
    }
    Ok(Type::new(match column {
        Boolean => Kind::Boolean,
        Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 => Kind::Integer(Vec::new()),
        Float32 | Float64 | Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => Kind::Real,
        Null | Utf8 | LargeUtf8 | Utf8View => Kind::String(StringKind::Utf8),
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => Kind::OctetString,
        Date32 | Date64 | Time32(_) | Time64(_) | Timestamp(..) => Kind::String(StringKind::Time),
        Dictionary(_, values) => return of(values, path, depth + 1),
        Struct(fields) => return sequence(fields, path, depth + 1),
        List(item) | LargeList(item) | FixedSizeList(item, _) => {
            Kind::SequenceOf(Box::new(Component::new("", of(item.data_type(), path, depth + 1)?)))
        }
        other => {
            let error = Error::new(
                ErrorKind::Unsupported,
                FORMAT,
                0,
                format!("a column of {other}"),
                "a column that has a type of its own",
            );
            return Err(error.in_path(path));
        }
    }))
}

//! Columns that are being filled.

use arrow_array::ArrayRef;
use arrow_buffer::BooleanBufferBuilder;
use asn1::compiled::{Compiled, Kind, Presence};
use asn1::event::{Integer, Real};
use asn1::schema::StringKind;
use asn1::{Options, Value};
use tam::{Error, ErrorKind};

use crate::FORMAT;
use crate::times::{self, Points};

/// A column that is not built.
pub(crate) const SKIPPED: u32 = u32::MAX;

/// A column, and its place among the others of a decoder.
#[derive(Debug)]
pub(crate) struct Column {
    /// Whether each row has a value; its length is that of the column.
    pub(crate) valid: BooleanBufferBuilder,
    pub(crate) data: Data,
}

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    Text,
    Octets,
    /// The encoding of a value of an open type.
    Open,
}

/// The values of a column.
#[derive(Debug)]
pub(crate) enum Data {
    Boolean(BooleanBufferBuilder),
    Integer(Vec<i64>),
    /// Integers up to 2^64 - 1 of a type that has no negative ones.
    Unsigned(Vec<u64>),
    Double(Vec<f64>),
    /// Points in time, of texts of a kind.
    Points {
        numbers: Vec<i64>,
        of: Points,
        kind: StringKind,
    },
    /// Decimals with their precision and scale.
    Decimal {
        numbers: Vec<i128>,
        digits: (u8, i8),
    },
    /// Text or octets one after the other, and the end of each.
    Bytes {
        ends: Vec<i32>,
        data: Vec<u8>,
        of: Bytes,
    },
    /// Indexes of names.
    Enumerated {
        items: Vec<i32>,
        names: ArrayRef,
    },
    /// One child for each component of the record with a number.
    Record {
        number: u32,
        children: Vec<u32>,
        /// Whether only what it has children for was asked for.
        is_part: bool,
    },
    /// One child for each alternative.
    Choice {
        tags: Vec<i32>,
        names: ArrayRef,
        children: Vec<u32>,
    },
    /// The end of each array in the child.
    List {
        ends: Vec<i32>,
        item: u32,
    },
}

impl Column {
    /// Whether it has octets of an open type.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.data, Data::Bytes { of: Bytes::Open, .. })
    }

    pub(crate) fn new(data: Data) -> Column {
        Column { valid: BooleanBufferBuilder::new(0), data }
    }

    pub(crate) fn len(&self) -> usize {
        self.valid.len()
    }

    /// Ends a row of a text or of octets that have been added to the data.
    #[inline]
    fn end_bytes(&mut self, valid: bool) -> Result<(), Error> {
        let Data::Bytes { ends, data, .. } = &mut self.data else { return Ok(()) };
        match i32::try_from(data.len()) {
            Ok(end) => ends.push(end),
            Err(_) => return Err(too_large()),
        }
        self.valid.append(valid);
        Ok(())
    }

    #[inline]
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match &mut self.data {
            Data::Bytes { data, .. } => {
                data.extend_from_slice(bytes);
                self.end_bytes(true)
            }
            Data::Points { numbers, of, kind } => {
                numbers.push(of.read(*kind, bytes)?);
                self.valid.append(true);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds a digit for each bit.
    pub(crate) fn push_bits(&mut self, octets: &[u8], len: u64) -> Result<(), Error> {
        let Data::Bytes { data, .. } = &mut self.data else { return Ok(()) };
        data.extend(asn1::bit_digits(octets, len));
        self.end_bytes(true)
    }

    /// Adds a BOOLEAN, INTEGER or ENUMERATED.
    #[inline]
    pub(crate) fn push_number(&mut self, number: i64) -> Result<(), Error> {
        match &mut self.data {
            Data::Integer(numbers) => numbers.push(number),
            Data::Unsigned(numbers) => numbers.push(u64::try_from(number).map_err(|_| outside())?),
            Data::Boolean(bits) => bits.append(number != 0),
            Data::Enumerated { items, names } => match i32::try_from(number) {
                Ok(item) if (item as usize) < names.len() => items.push(item),
                _ => {
                    return Err(unsupported(
                        "an enumeration of a later version of the schema",
                        "what the schema knows",
                    ));
                }
            },
            _ => return Ok(()),
        }
        self.valid.append(true);
        Ok(())
    }

    pub(crate) fn push_integer(&mut self, integer: Integer<'_>) -> Result<(), Error> {
        match integer {
            Integer::Small(number) => self.push_number(number),
            Integer::Big(_) => {
                let Data::Unsigned(numbers) = &mut self.data else { return Err(outside()) };
                let number = integer.to_i128().and_then(|number| u64::try_from(number).ok());
                numbers.push(number.ok_or_else(outside)?);
                self.valid.append(true);
                Ok(())
            }
        }
    }

    pub(crate) fn push_real(&mut self, real: Real<'_>) -> Result<(), Error> {
        if let Data::Bytes { .. } = self.data {
            let mut text = String::new();
            match (real.push_plain(&mut text), real) {
                (false, Real::Decimal(decimal)) => text.push_str(decimal),
                (false, Real::Double(double)) => text = double.to_string(),
                (true, _) => {}
            }
            return self.push_bytes(text.as_bytes());
        }
        match (&mut self.data, real) {
            (Data::Decimal { numbers, digits }, real) => numbers.push(times::scaled(real, *digits)?),
            (Data::Double(doubles), Real::Double(double)) => doubles.push(double),
            (Data::Double(doubles), Real::Decimal(text)) => {
                doubles.push(text.parse().map_err(|_| unsupported("a decimal REAL", "one that a double is near to"))?);
            }
            _ => return Ok(()),
        }
        self.valid.append(true);
        Ok(())
    }
}

/// Adds a row without a value, in the children of a record or choice as well.
pub(crate) fn push_null(columns: &mut [Column], number: u32) -> Result<(), Error> {
    let Some(column) = columns.get_mut(number as usize) else { return Ok(()) };
    match &mut column.data {
        Data::Boolean(bits) => bits.append(false),
        Data::Integer(numbers) => numbers.push(0),
        Data::Unsigned(numbers) => numbers.push(0),
        Data::Double(doubles) => doubles.push(0.0),
        Data::Points { numbers, .. } => numbers.push(0),
        Data::Decimal { numbers, .. } => numbers.push(0),
        Data::Bytes { .. } => return column.end_bytes(false),
        Data::Enumerated { items, .. } => items.push(0),
        Data::List { ends, .. } => ends.push(ends.last().copied().unwrap_or_default()),
        Data::Record { children, .. } => {
            column.valid.append(false);
            return children.clone().into_iter().try_for_each(|child| push_null(columns, child));
        }
        Data::Choice { tags, children, .. } => {
            tags.push(0);
            column.valid.append(false);
            return children.clone().into_iter().try_for_each(|child| push_null(columns, child));
        }
    }
    column.valid.append(false);
    Ok(())
}

/// Ends a record: components that were not reported have their default, or are null.
pub(crate) fn end_record(columns: &mut [Column], types: &Compiled, number: u32) -> Result<(), Error> {
    let Some(column) = columns.get_mut(number as usize) else { return Ok(()) };
    column.valid.append(true);
    let rows = column.len();
    let mut index = 0;
    while let Some((record, child)) = child_at(columns, number, index) {
        if columns.get(child as usize).is_some_and(|child| child.len() < rows) {
            let member = types.record(record).members.get(index);
            match member.map(|member| member.presence) {
                Some(Presence::Default(default)) => {
                    push_value(columns, child, types.default_value(default), &Options::default())?;
                }
                _ => push_null(columns, child)?,
            }
        }
        index += 1;
    }
    Ok(())
}

fn child_at(columns: &[Column], number: u32, index: usize) -> Option<(u32, u32)> {
    match &columns.get(number as usize)?.data {
        Data::Record { number, children, .. } => Some((*number, *children.get(index)?)),
        Data::Choice { children, .. } => Some((0, *children.get(index)?)),
        _ => None,
    }
}

/// Ends a choice: alternatives that were not chosen are null.
pub(crate) fn end_choice(columns: &mut [Column], number: u32) -> Result<(), Error> {
    let Some(column) = columns.get_mut(number as usize) else { return Ok(()) };
    column.valid.append(true);
    let rows = column.len();
    let mut index = 0;
    while let Some((_, child)) = child_at(columns, number, index) {
        if columns.get(child as usize).is_some_and(|child| child.len() < rows) {
            push_null(columns, child)?;
        }
        index += 1;
    }
    Ok(())
}

/// Ends an array, whose components are in the child.
pub(crate) fn end_list(columns: &mut [Column], number: u32) -> Result<(), Error> {
    let Some(Column { data: Data::List { item, .. }, .. }) = columns.get(number as usize) else { return Ok(()) };
    let end = columns.get(*item as usize).map_or(0, Column::len);
    let end = i32::try_from(end).map_err(|_| too_large())?;
    if let Some(Column { data: Data::List { ends, .. }, valid }) = columns.get_mut(number as usize) {
        ends.push(end);
        valid.append(true);
    }
    Ok(())
}

/// Adds a value. What it holds of open types is written by `options`; defaults of a schema hold none.
pub(crate) fn push_value(
    columns: &mut [Column],
    number: u32,
    value: Value<'_>,
    options: &Options,
) -> Result<(), Error> {
    let Some(column) = columns.get_mut(number as usize) else { return Ok(()) };
    if column.is_open() {
        let Kind::Open(_) = value.kind() else { return column.push_bytes(&asn1::write(value, options)?) };
        let found = "octets of a type that is not known, read by other rules";
        let octets = value.unknown_by(options.rules).ok_or_else(|| unsupported(found, "a type that is known"))?;
        return column.push_bytes(octets);
    }
    let of_string = match value.kind() {
        Kind::Open(_) => value.contained().map_or(Some((1, value.content())), |inner| Some((0, inner))),
        Kind::OctetString(_) | Kind::BitString(..) => Some((1, value)),
        _ => None,
    };
    if let (Data::Choice { tags, children, .. }, Some((index, inner))) = (&mut column.data, of_string) {
        tags.push(index);
        let child = children.get(index as usize).copied().unwrap_or(SKIPPED);
        push_value(columns, child, inner, options)?;
        return end_choice(columns, number);
    }
    match value.kind() {
        Kind::Boolean => column.push_number(value.as_bool().unwrap_or_default().into()),
        Kind::Null => column.push_number(1),
        Kind::Integer(_) => column.push_integer(value.as_integer().unwrap_or(Integer::Small(0))),
        Kind::Enumerated(_) => column.push_number(value.as_item().unwrap_or(u32::MAX).into()),
        Kind::Real => column.push_real(value.as_real().unwrap_or(Real::Double(0.0))),
        Kind::BitString(..) => {
            let (octets, len) = value.as_bits().unwrap_or_default();
            column.push_bits(octets, len)
        }
        Kind::OctetString(_) => column.push_bytes(value.as_octets().unwrap_or_default()),
        Kind::ObjectIdentifier | Kind::RelativeOid => column.push_bytes(value.as_oid().unwrap_or_default().as_bytes()),
        Kind::Text(_) => column.push_bytes(value.as_str().unwrap_or_default().as_bytes()),
        Kind::Record(record) => {
            let Data::Record { children, .. } = &column.data else { return Ok(()) };
            for (index, child) in children.clone().into_iter().enumerate() {
                if let Some(member) = value.written(index as u32) {
                    let pushed = push_value(columns, child, member, options);
                    pushed.map_err(|error| within(error, &value.types().record(record).members[index].name))?;
                }
            }
            end_record(columns, value.types(), number)
        }
        Kind::Choice(choice) => {
            let Data::Choice { tags, children, .. } = &mut column.data else {
                // A date has the column of its text.
                return value.chosen_place().map_or(Ok(()), |(_, chosen)| push_value(columns, number, chosen, options));
            };
            let Some((index, chosen)) = value.chosen_place() else { return push_null(columns, number) };
            tags.push(index as i32);
            let child = children.get(index as usize).copied().unwrap_or(SKIPPED);
            let pushed = push_value(columns, child, chosen, options);
            pushed.map_err(|error| within(error, &value.types().choice(choice).alternatives[index as usize].name))?;
            end_choice(columns, number)
        }
        Kind::Array(_) => {
            let Data::List { item, .. } = column.data else { return Ok(()) };
            for (index, value) in value.items().enumerate() {
                push_value(columns, item, value, options).map_err(|error| within(error, &index.to_string()))?;
            }
            end_list(columns, number)
        }
        Kind::Open(_) => Ok(()),
    }
}

/// An error in a component.
#[cold]
fn within(error: Error, name: &str) -> Error {
    let path = format!("/{name}{}", error.path());
    error.in_path(path)
}

/// Forgets the rows from `rows` on.
pub(crate) fn truncate(columns: &mut [Column], number: u32, rows: usize) {
    let Some(column) = columns.get_mut(number as usize) else { return };
    column.valid.truncate(rows);
    match &mut column.data {
        Data::Boolean(bits) => bits.truncate(rows),
        Data::Integer(numbers) => numbers.truncate(rows),
        Data::Unsigned(numbers) => numbers.truncate(rows),
        Data::Double(doubles) => doubles.truncate(rows),
        Data::Points { numbers, .. } => numbers.truncate(rows),
        Data::Decimal { numbers, .. } => numbers.truncate(rows),
        Data::Enumerated { items, .. } => items.truncate(rows),
        Data::Bytes { ends, data, .. } => {
            ends.truncate(rows);
            data.truncate(ends.last().map_or(0, |end| *end as usize));
        }
        Data::Record { children, .. } => {
            children.clone().into_iter().for_each(|child| truncate(columns, child, rows));
        }
        Data::Choice { tags, children, .. } => {
            tags.truncate(rows);
            children.clone().into_iter().for_each(|child| truncate(columns, child, rows));
        }
        Data::List { ends, item } => {
            ends.truncate(rows);
            let (item, items) = (*item, ends.last().map_or(0, |end| *end as usize));
            truncate(columns, item, items);
        }
    }
}

#[cold]
pub(crate) fn unsupported(found: &'static str, expected: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected)
}

#[cold]
fn outside() -> Error {
    unsupported("an INTEGER that 64 bits do not hold", "one that a column can hold")
}

#[cold]
fn too_large() -> Error {
    Error::limit(FORMAT, 0, "more bytes or items in one column of a batch", "offsets", i32::MAX as u64)
}

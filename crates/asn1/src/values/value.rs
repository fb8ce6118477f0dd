//! A view of one value.

use core::ops::Range;

use super::store::mark;
use super::{Level, ValueReader, Values};
use crate::compiled::{CONTENT, Compiled, Kind, Node, NodeId, Presence};
use crate::event::{At, Integer, Real};
use crate::{EncodingRules, keys, oid};

/// A value of a schema: a small view that can be copied freely.
///
/// Methods return `None` if they do not apply: `as_str` for a BOOLEAN, `get` for an absent component without a default.
#[derive(Clone, Copy)]
pub struct Value<'v> {
    look: ValueReader<'v>,
    node: NodeId,
    place: Position,
}

/// The position of a value: a cell, or a record in an array of records, which is a row of its columns. Views are as small as
/// they can be, because those who walk a message copy many.
#[derive(Clone, Copy)]
struct Position {
    first: u32,
    /// The distance between the columns; 0 for a cell.
    stride: u32,
}

impl Position {
    fn cell(first: u32) -> Position {
        Position { first, stride: 0 }
    }

    fn row(row: Level) -> Position {
        Position { first: row.first, stride: row.stride }
    }

    fn is_row(self) -> bool {
        self.stride != 0
    }
}

impl Values {
    /// The outermost value, of type `node`; `message` is what it was read from, or empty.
    ///
    /// Another type or message than the values were read with gives meaningless values, but never a panic.
    #[must_use]
    pub fn value<'v>(&'v self, types: &'v Compiled, node: NodeId, message: &'v [u8]) -> Value<'v> {
        Value { look: ValueReader { types, values: self, message }, node, place: Position::cell(0) }
    }
}

impl<'v> Value<'v> {
    #[inline]
    fn at(look: ValueReader<'v>, node: NodeId, at: At<Level>) -> Value<'v> {
        Value { look, node, place: Position::cell(at.level.cell_number(at.index)) }.content()
    }

    /// The value in an open type, or this value. Two kinds of open types remain: one whose type is not known, whose octets
    /// are [`Value::unknown`], and a string that contains a value, [`Value::contained`]. Components, items and chosen
    /// values are returned like this.
    #[inline]
    #[must_use]
    pub fn content(self) -> Value<'v> {
        if let Kind::Open(_) = self.kind() { self.opened() } else { self }
    }

    #[inline(never)]
    fn opened(self) -> Value<'v> {
        let mut value = self;
        while let Kind::Open(number) = value.kind() {
            let (cell, open) = (value.cell().0, value.look.types.open(number));
            let alternative = (cell >> 32) as u32;
            if open.is_string() && alternative == CONTENT {
                break;
            }
            let Some(node) = open.alternatives.get(alternative as usize) else { break };
            value = value.within(cell, *node);
        }
        value
    }

    /// The value in a cell of a CHOICE or an open type.
    fn within(self, cell: u64, node: NodeId) -> Value<'v> {
        Value { look: self.look, node, place: Position::cell(cell as u32) }
    }

    /// The value that a string contains, by its contents constraint (X.682 clause 11). A string that is not the encoding
    /// of such a value is returned as a string.
    #[must_use]
    pub fn contained(self) -> Option<Value<'v>> {
        let Kind::Open(number) = self.kind() else { return None };
        let (cell, open) = (self.cell().0, self.look.types.open(number));
        let node = open.alternatives.first().filter(|_| open.is_string() && (cell >> 32) as u32 == CONTENT)?;
        Some(self.within(cell, *node).content())
    }

    /// The octets that a string which contains a value was read from, its number of bits, and the rules of that value.
    #[must_use]
    pub fn content_octets(self) -> Option<(EncodingRules, &'v [u8], u64)> {
        self.contained()?;
        self.look.kept_octets(self.cell().0 as u32)
    }

    /// The schema.
    #[must_use]
    pub fn types(self) -> &'v Compiled {
        self.look.types
    }

    /// The type's number.
    #[must_use]
    pub fn node_id(self) -> NodeId {
        self.node
    }

    /// The type.
    #[inline]
    #[must_use]
    pub fn node(self) -> &'v Node {
        self.look.types.node(self.node)
    }

    /// The kind of the type.
    #[inline]
    #[must_use]
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// The source for a writer, and the place of this value in it.
    pub(crate) fn source(self) -> (ValueReader<'v>, At<Level>) {
        let Position { first, stride } = self.place;
        (self.look, At { level: Level { first, stride: stride.max(1) }, index: 0 })
    }

    /// The record with components at a level.
    pub(super) fn of_record(look: ValueReader<'v>, node: NodeId, level: Level) -> Value<'v> {
        Value { look, node, place: Position::row(level) }
    }

    /// Whether it is a record in an array of records.
    pub(crate) fn is_row(self) -> bool {
        self.place.is_row()
    }

    /// The components of a record.
    fn level(self) -> Level {
        match self.place {
            Position { first, stride: 0 } => Level { first: self.look.values.cell(first as usize) as u32, stride: 1 },
            Position { first, stride } => Level { first, stride },
        }
    }

    fn cell(self) -> (u64, u8) {
        let values = self.look.values;
        match (self.place.is_row(), self.place.first as usize) {
            (false, cell) => (values.cell(cell), values.mark(cell)),
            (true, _) => (0, mark::ABSENT),
        }
    }

    /// The octets of an alternative or an enumeration of a later version of the schema, or of an open type whose type is
    /// not known.
    #[must_use]
    pub fn unknown(self) -> Option<&'v [u8]> {
        let (mut cell, mut marked) = self.cell();
        // Those of an alternative are in the place of the chosen value.
        if let (Kind::Choice(_) | Kind::Open(_), mark::PLAIN) = (self.kind(), marked) {
            let at = At { level: Level { first: cell as u32, stride: 1 }, index: 0 };
            (cell, marked) = (self.look.cell(at), self.look.mark(at));
        }
        (marked == mark::UNKNOWN).then(|| self.look.octets_at(cell))
    }

    /// The octets of an open type whose type is not known, if they are by rules of this kind: PER, OER or BER.
    #[must_use]
    pub fn unknown_by(self, rules: EncodingRules) -> Option<&'v [u8]> {
        let Kind::Open(_) = self.kind() else { return None };
        self.unknown().filter(|_| (self.cell().0 >> 32) as u32 == keys::unknown_by(rules))
    }

    /// BOOLEAN.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        matches!(self.kind(), Kind::Boolean).then(|| self.cell().0 != 0)
    }

    /// INTEGER of any size.
    #[must_use]
    pub fn as_integer(self) -> Option<Integer<'v>> {
        let (cell, mark) = self.cell();
        matches!(self.kind(), Kind::Integer(_)).then(|| self.look.integer_at(cell, mark))
    }

    /// INTEGER, if it fits in 64 bits.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self.as_integer()? {
            Integer::Small(number) => Some(number),
            Integer::Big(_) => None,
        }
    }

    /// INTEGER, if it fits in 128 bits.
    #[must_use]
    pub fn as_i128(self) -> Option<i128> {
        self.as_integer()?.to_i128()
    }

    /// REAL: the double, or the one nearest to a decimal value.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        match self.as_real()? {
            Real::Double(number) => Some(number),
            Real::Decimal(text) => text.parse().ok(),
        }
    }

    /// REAL, exactly.
    #[must_use]
    pub fn as_real(self) -> Option<Real<'v>> {
        let (cell, mark) = self.cell();
        matches!(self.kind(), Kind::Real).then(|| self.look.real_at(cell, mark))
    }

    /// ENUMERATED: the identifier; by an XML Schema the text of the value.
    #[must_use]
    pub fn as_enumerated(self) -> Option<&'v str> {
        let Kind::Enumerated(number) = self.kind() else { return None };
        let item = self.cell().0 as usize;
        self.look.types.enumeration(number).text(item)
    }

    /// ENUMERATED: the index in [`Enumeration::items`](crate::compiled::Enumeration::items).
    #[must_use]
    pub fn as_item(self) -> Option<u32> {
        matches!(self.kind(), Kind::Enumerated(_)).then(|| self.cell().0 as u32)
    }

    /// A type of characters.
    #[must_use]
    pub fn as_str(self) -> Option<&'v str> {
        matches!(self.kind(), Kind::Text(_)).then(|| self.look.text_at(self.cell().0))
    }

    /// A type of characters: the octets of its UTF-8.
    #[inline]
    #[must_use]
    pub fn as_text_octets(self) -> Option<&'v [u8]> {
        matches!(self.kind(), Kind::Text(_)).then(|| self.look.octets_at(self.cell().0))
    }

    /// OCTET STRING.
    #[must_use]
    pub fn as_octets(self) -> Option<&'v [u8]> {
        matches!(self.kind(), Kind::OctetString(_)).then(|| self.look.octets_at(self.cell().0))
    }

    /// BIT STRING: its octets, first bit highest, and the number of bits.
    #[must_use]
    pub fn as_bits(self) -> Option<(&'v [u8], u64)> {
        let Kind::BitString(..) = self.kind() else { return None };
        let cell = self.cell().0;
        Some((self.look.stretch(cell as u32, (cell >> 32).div_ceil(8) as usize), cell >> 32))
    }

    /// OBJECT IDENTIFIER and RELATIVE-OID in the dotted form.
    #[must_use]
    pub fn as_oid(self) -> Option<String> {
        let octets = self.look.octets_at(self.cell().0);
        match self.kind() {
            Kind::ObjectIdentifier => oid::to_dotted(octets, false),
            Kind::RelativeOid => oid::to_dotted(octets, true),
            _ => None,
        }
    }

    /// Whether it is NULL.
    #[must_use]
    pub fn is_null(self) -> bool {
        matches!(self.kind(), Kind::Null)
    }

    /// SEQUENCE and SET: the component at an index of [`Record::members`](crate::compiled::Record::members), or its
    /// default.
    #[must_use]
    pub fn member(self, index: u32) -> Option<Value<'v>> {
        if let Some(value) = self.written(index) {
            return Some(value);
        }
        let Kind::Record(number) = self.kind() else { return None };
        match self.look.types.record(number).members.get(index as usize)?.presence {
            Presence::Default(number) => Some(self.look.types.default_value(number)),
            _ => None,
        }
    }

    /// SEQUENCE and SET: the component at an index, if it is present; defaults do not count.
    #[inline]
    #[must_use]
    pub fn written(self, index: u32) -> Option<Value<'v>> {
        let Kind::Record(number) = self.kind() else { return None };
        let member = self.look.types.record(number).members.get(index as usize)?;
        let at = At { level: self.level(), index };
        (self.look.mark(at) != mark::ABSENT).then(|| Value::at(self.look, member.node, at))
    }

    /// SEQUENCE and SET: the first component that is present among those of a range of indexes, with its index; defaults do
    /// not count.
    #[inline]
    #[must_use]
    pub fn next_written(self, indexes: Range<u32>) -> Option<(u32, Value<'v>)> {
        let Kind::Record(number) = self.kind() else { return None };
        let (level, members) = (self.level(), &self.look.types.record(number).members);
        let Range { start, end } = indexes;
        let end = end.min(members.len() as u32);
        let count = end.saturating_sub(start) as usize;
        let index = start + self.look.values.next_present(level.cell(start), level.stride as usize, count)? as u32;
        Some((index, Value::at(self.look, members.get(index as usize)?.node, At { level, index })))
    }

    /// SEQUENCE and SET: the components that are present, in the order of the notation, with their names; defaults are
    /// not included.
    #[must_use]
    pub fn members(self) -> Members<'v> {
        Members { record: self, next: 0 }
    }

    /// CHOICE: the name of the alternative, and its value; `None` for an alternative of a later version.
    #[must_use]
    pub fn chosen(self) -> Option<(&'v str, Value<'v>)> {
        let Kind::Choice(number) = self.kind() else { return None };
        let (index, value) = self.chosen_place()?;
        Some((&self.look.types.choice(number).alternatives.get(index as usize)?.name, value))
    }

    /// The value itself, or of a CHOICE that is bare ([`Choice::is_bare`](crate::compiled::Choice::is_bare)) that of its alternative.
    #[inline]
    #[must_use]
    pub fn bare(self) -> Value<'v> {
        match self.kind() {
            Kind::Choice(number) if self.look.types.choice(number).is_bare() => {
                self.chosen_place().map_or(self, |(_, value)| value)
            }
            _ => self,
        }
    }

    /// CHOICE: the index of the alternative in [`Choice::alternatives`](crate::compiled::Choice::alternatives), and its
    /// value; `None` for an alternative of a later version.
    #[must_use]
    pub fn chosen_place(self) -> Option<(u32, Value<'v>)> {
        let Kind::Choice(number) = self.kind() else { return None };
        let cell = self.cell().0;
        let index = (cell >> 32) as u32;
        let alternative = self.look.types.choice(number).alternatives.get(index as usize)?;
        let at = At { level: Level { first: cell as u32, stride: 1 }, index: 0 };
        Some((index, Value::at(self.look, alternative.node, at)))
    }

    /// SEQUENCE OF and SET OF: the number of components; 0 for anything else.
    #[must_use]
    pub fn len(self) -> usize {
        if let Kind::Array(_) = self.kind() { (self.cell().0 >> 32) as usize } else { 0 }
    }

    /// Whether there are no components.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// SEQUENCE OF and SET OF: the component at an index.
    #[inline]
    #[must_use]
    pub fn item(self, index: usize) -> Option<Value<'v>> {
        let Kind::Array(array) = self.kind() else { return None };
        let (len, level) = self.look.array_at(self.cell().0, array.item);
        let index = u32::try_from(index).ok().filter(|index| *index < len)?;
        Some(match self.look.types.node(array.item).kind {
            Kind::Record(_) => Value { look: self.look, node: array.item, place: Position::row(level.row(index)) },
            _ => Value::at(self.look, array.item, At { level, index }),
        })
    }

    /// SEQUENCE OF and SET OF: the components.
    #[must_use]
    pub fn items(self) -> Items<'v> {
        Items { array: self, next: 0, end: self.len() }
    }

    /// SEQUENCE OF simple values: their column.
    #[must_use]
    pub fn values(self) -> Option<Column<'v>> {
        let Kind::Array(array) = self.kind() else { return None };
        let (len, level) = self.look.array_at(self.cell().0, array.item);
        match self.look.types.node(array.item).kind {
            Kind::Record(_) => None,
            _ => Some(self.look.column(array.item, level.first, len)),
        }
    }

    /// A simple value as a column of one row.
    #[must_use]
    pub fn as_column(self) -> Option<Column<'v>> {
        match self.kind() {
            Kind::Record(_) | Kind::Array(_) | Kind::Choice(_) | Kind::Open(_) => None,
            _ => (!self.place.is_row()).then(|| self.look.column(self.node, self.place.first, 1)),
        }
    }

    /// SEQUENCE OF records: the column of the component with a name.
    #[must_use]
    pub fn column(self, name: &str) -> Option<Column<'v>> {
        let Kind::Array(array) = self.kind() else { return None };
        let Kind::Record(number) = self.look.types.node(array.item).kind else { return None };
        let (len, level) = self.look.array_at(self.cell().0, array.item);
        let members = &self.look.types.record(number).members;
        let index = members.iter().position(|member| member.name == name)?;
        let first = level.cell(index as u32) as u32;
        Some(self.look.column(members.get(index)?.node, first, len))
    }
}

impl<'v> ValueReader<'v> {
    fn column(&self, node: NodeId, first: u32, len: u32) -> Column<'v> {
        let (cells, marks) = self.values.cells(first as usize, len as usize);
        Column { node, types: self.types, cells, marks }
    }
}

/// The components of a record that are present: name and value.
#[derive(Clone, Copy, Debug)]
pub struct Members<'v> {
    record: Value<'v>,
    next: usize,
}

impl<'v> Iterator for Members<'v> {
    type Item = (&'v str, Value<'v>);

    fn next(&mut self) -> Option<Self::Item> {
        let Kind::Record(number) = self.record.kind() else { return None };
        let record = self.record.look.types.record(number);
        while self.next < record.members.len() {
            let index = match &record.declared {
                Some(order) => order.get(self.next).copied().unwrap_or_default(),
                None => self.next as u32,
            };
            self.next += 1;
            let at = At { level: self.record.level(), index };
            if self.record.look.mark(at) != mark::ABSENT
                && let Some(member) = record.members.get(index as usize)
            {
                return Some((&member.name, Value::at(self.record.look, member.node, at)));
            }
        }
        None
    }
}

/// The components of an array.
#[derive(Clone, Copy, Debug)]
pub struct Items<'v> {
    array: Value<'v>,
    next: usize,
    end: usize,
}

impl<'v> Iterator for Items<'v> {
    type Item = Value<'v>;

    #[inline]
    fn next(&mut self) -> Option<Value<'v>> {
        let item = self.array.item(self.next)?;
        self.next += 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl ExactSizeIterator for Items<'_> {}

/// Consecutive values: the components of an array, or of one name in all of its records.
///
/// Numbers are returned as slices, without a copy.
#[derive(Clone, Copy, Debug)]
pub struct Column<'v> {
    node: NodeId,
    types: &'v Compiled,
    cells: &'v [u64],
    marks: &'v [u8],
}

impl<'v> Column<'v> {
    /// The number of rows.
    #[must_use]
    pub fn len(self) -> usize {
        self.cells.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.cells.is_empty()
    }

    /// The type of its values.
    #[must_use]
    pub fn node(self) -> &'v Node {
        self.types.node(self.node)
    }

    /// Whether a row has a value; defaults do not count.
    #[must_use]
    pub fn is_present(self, row: usize) -> bool {
        self.marks.get(row).is_some_and(|marked| *marked != mark::ABSENT)
    }

    /// One byte for each row, zero for an absent value.
    #[must_use]
    pub fn validity(self) -> &'v [u8] {
        self.marks
    }

    fn plain(self) -> bool {
        self.marks.iter().all(|marked| *marked <= mark::PLAIN)
    }

    /// INTEGER and ENUMERATED (the index of the enumeration): the numbers, if all fit in 64 bits. The number of a row
    /// without a value is meaningless.
    #[must_use]
    pub fn as_i64s(self) -> Option<&'v [i64]> {
        let numbers = matches!(self.node().kind, Kind::Integer(_) | Kind::Enumerated(_));
        (numbers && self.plain()).then(|| bytemuck::cast_slice(self.cells))
    }

    /// REAL: the numbers, if all are doubles. The number of a row without a value is meaningless.
    #[must_use]
    pub fn as_f64s(self) -> Option<&'v [f64]> {
        (matches!(self.node().kind, Kind::Real) && self.plain()).then(|| bytemuck::cast_slice(self.cells))
    }
}

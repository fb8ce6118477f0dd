//! Values, made from what a reader reports.

use tam::{Error, Expansion, Limits};

use super::store::{BESIDE, Level, StringOctets, Values, mark};
use crate::EncodingRules;
use crate::compiled::{Compiled, NodeId};
use crate::event::{At, Integer, Real, Scalar, Sink, Stretch};
use crate::keys::unknown_by;
use crate::real;

/// Fills [`Values`]: a [`Sink`] that keeps everything.
///
/// A program may also pass values to it directly, with components in any order.
///
/// ```
/// use lengthwise_asn1::event::{At, Integer, Sink};
/// use lengthwise_asn1::{Compiled, Filler, Limits, Values};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Point ::= SEQUENCE { x INTEGER, y INTEGER OPTIONAL } END",
/// )?;
/// let point = types.find("Point")?;
/// let mut values = Values::new();
/// let mut filler = Filler::new(&types, Limits::default(), &mut values);
/// let root = filler.root(point);
/// let level = filler.record(At { level: root, index: 0 }, point)?;
/// let x = types.member(point, "x").unwrap();
/// filler.integer(At { level, index: x.index }, x.node, Integer::Small(17))?;
/// let value = values.value(&types, point, b"");
/// assert_eq!(value.get("x").unwrap().as_i64(), Some(17));
/// assert!(value.get("y").is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Filler<'a> {
    pub(super) types: &'a Compiled,
    pub(super) values: &'a mut Values,
    /// The most cells.
    pub(super) limit: u32,
    pub(super) limits: Limits,
    /// Zeros that exponents of decimal numbers expand to.
    pub(super) zeros: Expansion,
}

impl<'a> Filler<'a> {
    /// Starts with an empty store. The limits that apply are `units` for the values, and `decompressed_bytes` and
    /// `expansion_ratio` for the zeros that exponents expand to in numbers written without an exponent, and what a reader
    /// charges.
    pub fn new(types: &'a Compiled, limits: Limits, values: &'a mut Values) -> Filler<'a> {
        values.clear();
        Filler { types, values, limit: limits.units, limits, zeros: limits.decompression(0) }
    }

    /// Sets the length of the message in bytes, for `expansion_ratio`.
    #[must_use]
    pub fn with_input(mut self, bytes: usize) -> Filler<'a> {
        self.zeros = self.limits.decompression(bytes);
        self
    }

    /// Charges bytes that a value has and the message has not, such as text that its elements repeat.
    ///
    /// # Errors
    /// When there are more than `decompressed_bytes` or `expansion_ratio` allow.
    pub fn charge(&mut self, bytes: usize, what: &'static str) -> Result<(), Error> {
        self.zeros.charge(bytes).map_err(|exceeded| exceeded.error("asn1", 0, what))
    }

    /// Charges the zeros that the exponent of a decimal number, at the end of the buffer, expands to.
    #[cold]
    fn charge_zeros(&mut self, node: NodeId, start: usize) -> Result<(), Error> {
        let text = self.values.text.get(start..).unwrap_or_default();
        let exponent = text.iter().rposition(|byte| matches!(byte, b'E' | b'e')).and_then(|at| text.get(at + 1..));
        let exponent = exponent.and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<i64>().ok());
        match exponent.map(i64::unsigned_abs) {
            // Longer numbers keep their exponents.
            Some(zeros @ ..=real::PLAIN) if self.types.is_decimal(node) => {
                self.charge(zeros as usize, "numbers of more zeros")
            }
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn place(&self, octets: Stretch) -> (u32, usize) {
        match octets {
            Stretch::Message { start, len } => (start as u32, len),
            Stretch::Buffer { start } => (start as u32 | BESIDE, self.values.text.len() - start),
        }
    }

    #[inline(always)]
    fn set(&mut self, at: At<Level>, value: u64) {
        self.values.set(at.level.cell(at.index), value, mark::PLAIN);
    }

    /// The position of octets, as a cell.
    #[inline(always)]
    fn stretch(&mut self, octets: Stretch) -> Result<u64, Error> {
        let (start, len) = self.place(octets);
        if self.values.text.len() >= BESIDE as usize {
            return Err(Error::limit("asn1", 0, "more text", "message_bytes", u64::from(BESIDE) - 1));
        }
        Ok(u64::from(start) | (len as u64) << 32)
    }

    /// Stores octets of the caller next to the cells.
    ///
    /// # Errors
    /// If they exceed 2 GiB.
    pub fn keep(&mut self, octets: &[u8]) -> Stretch {
        let start = self.values.text.len();
        self.values.text.extend_from_slice(octets);
        Stretch::Buffer { start }
    }

    /// Fills an open type of no known type with the encoding of its value by some rules.
    ///
    /// # Errors
    /// If the octets of the store exceed 2 GiB.
    pub fn undecoded(&mut self, at: At<Level>, node: NodeId, rules: EncodingRules, octets: &[u8]) -> Result<(), Error> {
        let level = self.choice(at, node, unknown_by(rules))?;
        let octets = self.keep(octets);
        self.unknown(At { level, index: 0 }, node, octets)
    }

    /// How many items a list has room for.
    #[must_use]
    pub fn room(&self, level: Level) -> u32 {
        level.first.checked_sub(1).map_or(0, |header| self.values.cell(header as usize) as u32)
    }

    /// Whether one more item of an open list that has `count` items, and so many cells next to it, are within the limit.
    #[inline]
    #[must_use]
    pub fn fits(&self, node: NodeId, level: Level, count: u32, cells: u64) -> bool {
        let room = self.room(level);
        let columns = u64::from(self.types.columns(node).unwrap_or(1));
        let grown = if count < room { 0 } else { u64::from(room.max(1)) * 2 * columns + 1 };
        self.values.used as u64 + grown + cells <= self.limit.into()
    }

    /// Fills numbers, the items of an open list from `index` on: of REAL, or of records of one REAL.
    pub fn doubles(&mut self, level: Level, index: u32, numbers: &[f64]) {
        self.values.set_each(level.row(index).cell(0), numbers.iter().map(|number| number.to_bits()));
    }

    /// Fills numbers, the items of an open list from `index` on: of INTEGER, or of records of one INTEGER.
    pub fn integers<T: Copy + Into<i64>>(&mut self, level: Level, index: u32, numbers: &[T]) {
        self.values.set_each(level.row(index).cell(0), numbers.iter().map(|number| (*number).into() as u64));
    }

    /// Allocates a run for `room` components, after a cell with this capacity.
    pub(super) fn array_run(&mut self, columns: Option<u32>, room: u32) -> Result<Level, Error> {
        let cells = u64::from(room) * u64::from(columns.unwrap_or(1));
        let header = self.values.run(cells + 1, self.limit)?;
        self.values.set(header as usize, room.into(), mark::PLAIN);
        Ok(Level { first: header + 1, stride: if columns.is_some() { room } else { 1 } })
    }

    /// Moves the items of a list, so many, to where there is room for more.
    fn moved(&mut self, columns: Option<u32>, level: Level, items: u32, room: u32) -> Result<Level, Error> {
        let wider = self.array_run(columns, room)?;
        if columns.is_some() {
            let counts = self.values.additions.range(level.first..level.first + items);
            let counts: Vec<(u32, u32)> = counts.map(|(at, count)| (at - level.first + wider.first, *count)).collect();
            self.values.additions.extend(counts);
        }
        self.copy_columns(level, 0, wider, 0, (items as usize, columns.unwrap_or(1) as usize));
        self.mark_moved(level, wider);
        Ok(wider)
    }
}

impl Sink for Filler<'_> {
    type Level = Level;

    fn root(&mut self, _: NodeId) -> Level {
        // The first cell of an empty store has number 0. A limit of no values is reported later.
        let first = self.values.run(1, self.limit.max(1)).unwrap_or_default();
        Level { first, stride: 1 }
    }

    #[inline(always)]
    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.values.text
    }

    #[inline(always)]
    fn null(&mut self, at: At<Level>, _: NodeId) -> Result<(), Error> {
        self.set(at, 0);
        Ok(())
    }

    #[inline(always)]
    fn boolean(&mut self, at: At<Level>, _: NodeId, value: bool) -> Result<(), Error> {
        self.set(at, value.into());
        Ok(())
    }

    #[inline(always)]
    fn integer(&mut self, at: At<Level>, _: NodeId, value: Integer<'_>) -> Result<(), Error> {
        match value {
            Integer::Small(number) => self.set(at, number as u64),
            Integer::Big(octets) => {
                let octets = self.keep(octets);
                let place = self.stretch(octets)?;
                self.values.set(at.level.cell(at.index), place, mark::LARGE);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn enumerated(&mut self, at: At<Level>, _: NodeId, item: u32) -> Result<(), Error> {
        self.set(at, item.into());
        Ok(())
    }

    #[inline(always)]
    fn scalar(&mut self, at: At<Level>, _: NodeId, _: Scalar, number: i64) -> Result<(), Error> {
        self.set(at, number as u64);
        Ok(())
    }

    #[inline(always)]
    fn scalar_if(&mut self, at: At<Level>, _: NodeId, _: Scalar, number: i64, present: bool) -> Result<(), Error> {
        self.values.set(at.level.cell(at.index), number as u64, u8::from(present) * mark::PLAIN);
        Ok(())
    }

    #[inline(always)]
    fn real(&mut self, at: At<Level>, node: NodeId, value: Real<'_>) -> Result<(), Error> {
        match value {
            Real::Double(number) => self.set(at, number.to_bits()),
            Real::Decimal(text) => {
                let start = self.values.text.len();
                self.values.text.extend_from_slice(text.as_bytes());
                return self.decimal(at, node, start);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn decimal(&mut self, at: At<Level>, node: NodeId, start: usize) -> Result<(), Error> {
        // An exponent of up to two digits is free.
        let text = self.values.text.get(start..).unwrap_or_default();
        if text.last_chunk::<4>().is_some_and(|last| !last.contains(&b'E')) {
            self.charge_zeros(node, start)?;
        }
        let place = self.stretch(Stretch::Buffer { start })?;
        self.values.set(at.level.cell(at.index), place, mark::LARGE);
        Ok(())
    }

    #[inline(always)]
    fn bit_string(&mut self, at: At<Level>, _: NodeId, octets: Stretch, len: u64) -> Result<(), Error> {
        let place = self.stretch(octets)?;
        if len > u64::from(u32::MAX) {
            return Err(Error::limit("asn1", 0, "more bits", "message_bytes", u64::from(u32::MAX / 8)));
        }
        self.set(at, place & u64::from(u32::MAX) | len << 32);
        Ok(())
    }

    #[inline(always)]
    fn octets(&mut self, at: At<Level>, _: NodeId, octets: Stretch) -> Result<(), Error> {
        let place = self.stretch(octets)?;
        self.set(at, place);
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, at: At<Level>, node: NodeId, text: Stretch) -> Result<(), Error> {
        self.octets(at, node, text)
    }

    #[inline]
    fn record(&mut self, at: At<Level>, node: NodeId) -> Result<Level, Error> {
        let first = self.values.run(self.types.width(node).into(), self.limit)?;
        self.set(at, first.into());
        Ok(Level { first, stride: 1 })
    }

    #[inline(always)]
    fn row(&mut self, at: At<Level>, _: NodeId) -> Result<Level, Error> {
        Ok(at.level.row(at.index))
    }

    #[inline]
    fn choice(&mut self, at: At<Level>, _: NodeId, alternative: u32) -> Result<Level, Error> {
        let first = self.values.run(1, self.limit)?;
        self.set(at, u64::from(first) | u64::from(alternative) << 32);
        Ok(Level { first, stride: 1 })
    }

    #[inline(always)]
    fn array(&mut self, at: At<Level>, node: NodeId, len: u32) -> Result<Level, Error> {
        // Cell 0 is the root's, so an array that begins there has no run yet.
        if len == 0 {
            self.set(at, 0);
            return Ok(Level { first: 0, stride: 1 });
        }
        let columns = self.types.columns(node);
        let level = self.array_run(columns, len)?;
        self.set(at, u64::from(level.first) | u64::from(len) << 32);
        Ok(level)
    }

    #[inline(never)]
    fn more(&mut self, at: At<Level>, node: NodeId, level: Level, more: u32) -> Result<Level, Error> {
        let columns = self.types.columns(node);
        let before = (self.values.cell(at.level.cell(at.index)) >> 32) as u32;
        let room = self.room(level);
        let len = before
            .checked_add(more)
            .ok_or_else(|| Error::limit("asn1", 0, "more values", "units", self.limit.into()))?;
        let mut level = level;
        if len > room {
            // Doubles each time, so that all copying together is proportional to the array.
            let wider = len.max(room.saturating_mul(2));
            let is_last = level.first as usize + room as usize == self.values.used && room > 0;
            if is_last && columns.is_none_or(|columns| columns == 1) {
                // Nothing comes after its only column.
                self.values.run(u64::from(wider - room), self.limit)?;
                self.values.set(level.first as usize - 1, wider.into(), mark::PLAIN);
                level.stride = if columns.is_some() { wider } else { 1 };
            } else {
                level = self.moved(columns, level, before, wider)?;
            }
        }
        self.set(at, u64::from(level.first) | u64::from(len) << 32);
        Ok(level)
    }

    #[inline(always)]
    fn unknown(&mut self, at: At<Level>, _: NodeId, octets: Stretch) -> Result<(), Error> {
        let place = self.stretch(octets)?;
        self.values.set(at.level.cell(at.index), place, mark::UNKNOWN);
        Ok(())
    }

    fn content_octets(
        &mut self,
        (at, node): (At<Level>, NodeId),
        rules: EncodingRules,
        octets: Stretch,
        bits: u64,
    ) -> Result<(), Error> {
        let place = self.stretch(octets)?;
        self.values.contents.insert(at.level.first, StringOctets { node, rules, place, bits });
        Ok(())
    }

    fn additions(&mut self, level: Level, count: u32) {
        self.values.additions.insert(level.first, count);
    }

    #[inline(always)]
    fn end(&mut self, _: NodeId, _: Level) -> Result<(), Error> {
        Ok(())
    }
}

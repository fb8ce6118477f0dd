//! The sink that a reader of messages fills columns through.

use asn1::compiled::{Compiled, Kind};
use asn1::event::{At, Integer, Real, Scalar, Sink, Stretch};
use asn1::{EncodingRules, NodeId};
use tam::Error;

use crate::column::{self, Column, Data, SKIPPED, unsupported};

/// The level of the outermost value.
const ROOT: u32 = u32::MAX - 1;

/// Fills columns with one message.
pub(crate) struct Filling<'d, 't, 'm> {
    pub(crate) types: &'t Compiled,
    pub(crate) columns: &'d mut [Column],
    pub(crate) root: u32,
    pub(crate) message: &'m [u8],
    pub(crate) buffer: &'d mut Vec<u8>,
    /// The column of a string whose octets follow, not the value in it.
    pub(crate) string: u32,
}

/// An open value: its column, and for a choice the alternative.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    column: u32,
    alternative: u32,
}

impl Level {
    fn of(column: u32) -> Level {
        Level { column, alternative: 0 }
    }
}

impl Filling<'_, '_, '_> {
    /// The column of the value at a place.
    #[inline]
    fn number(&self, at: At<Level>) -> u32 {
        if at.level.column == ROOT {
            return self.root;
        }
        let Some(outer) = self.columns.get(at.level.column as usize) else { return SKIPPED };
        match &outer.data {
            Data::Record { children, .. } => children.get(at.index as usize).copied().unwrap_or(SKIPPED),
            Data::Choice { children, .. } => children.get(at.level.alternative as usize).copied().unwrap_or(SKIPPED),
            Data::List { item, .. } => *item,
            // The octets of an open type.
            _ => at.level.column,
        }
    }

    #[inline]
    fn column(&mut self, at: At<Level>) -> Option<&mut Column> {
        let number = self.number(at);
        self.columns.get_mut(number as usize)
    }

    /// Passes octets of the message, or of the buffer, to a column.
    #[inline]
    fn with_octets(
        &mut self,
        at: At<Level>,
        octets: Stretch,
        push: impl FnOnce(&mut Column, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let number = self.number(at);
        let (bytes, start) = match octets {
            Stretch::Message { start, len } => (self.message.get(start..start + len), None),
            Stretch::Buffer { start } => (self.buffer.get(start..), Some(start)),
        };
        let pushed = match self.columns.get_mut(number as usize) {
            Some(column) => push(column, bytes.unwrap_or_default()),
            None => Ok(()),
        };
        if let Some(start) = start {
            self.buffer.truncate(start);
        }
        pushed
    }
}

impl Sink for Filling<'_, '_, '_> {
    type Level = Level;

    const KEYS: bool = false;

    fn root(&mut self, _: NodeId) -> Level {
        Level::of(ROOT)
    }

    fn buffer(&mut self) -> &mut Vec<u8> {
        self.buffer
    }

    fn null(&mut self, at: At<Level>, _: NodeId) -> Result<(), Error> {
        self.column(at).map_or(Ok(()), |column| column.push_number(1))
    }

    fn boolean(&mut self, at: At<Level>, _: NodeId, value: bool) -> Result<(), Error> {
        self.column(at).map_or(Ok(()), |column| column.push_number(value.into()))
    }

    fn integer(&mut self, at: At<Level>, _: NodeId, value: Integer<'_>) -> Result<(), Error> {
        self.column(at).map_or(Ok(()), |column| column.push_integer(value))
    }

    fn enumerated(&mut self, at: At<Level>, _: NodeId, item: u32) -> Result<(), Error> {
        self.column(at).map_or(Ok(()), |column| column.push_number(item.into()))
    }

    #[inline]
    fn scalar(&mut self, at: At<Level>, _: NodeId, _: Scalar, number: i64) -> Result<(), Error> {
        self.column(at).map_or(Ok(()), |column| column.push_number(number))
    }

    fn real(&mut self, at: At<Level>, _: NodeId, value: Real<'_>) -> Result<(), Error> {
        self.column(at).map_or(Ok(()), |column| column.push_real(value))
    }

    fn bit_string(&mut self, at: At<Level>, _: NodeId, octets: Stretch, len: u64) -> Result<(), Error> {
        self.with_octets(at, octets, |column, octets| column.push_bits(octets, len))
    }

    fn octets(&mut self, at: At<Level>, node: NodeId, octets: Stretch) -> Result<(), Error> {
        let relative = match self.types.node(node).kind {
            Kind::ObjectIdentifier => false,
            Kind::RelativeOid => true,
            _ => return self.with_octets(at, octets, Column::push_bytes),
        };
        self.with_octets(at, octets, |column, octets| match asn1::dotted_oid(octets, relative) {
            Some(text) => column.push_bytes(text.as_bytes()),
            None => Err(unsupported("an object identifier with an arc of more than 128 bits", "smaller arcs")),
        })
    }

    fn text(&mut self, at: At<Level>, _: NodeId, text: Stretch) -> Result<(), Error> {
        self.with_octets(at, text, Column::push_bytes)
    }

    fn record(&mut self, at: At<Level>, _: NodeId) -> Result<Level, Error> {
        Ok(Level::of(self.number(at)))
    }

    fn row(&mut self, at: At<Level>, _: NodeId) -> Result<Level, Error> {
        Ok(Level::of(self.number(at)))
    }

    fn content_octets(
        &mut self,
        _: (At<Level>, NodeId),
        _: EncodingRules,
        octets: Stretch,
        _: u64,
    ) -> Result<(), Error> {
        let at = At { level: Level::of(std::mem::replace(&mut self.string, SKIPPED)), index: 0 };
        self.with_octets(at, octets, Column::push_bytes)
    }

    fn choice(&mut self, at: At<Level>, node: NodeId, alternative: u32) -> Result<Level, Error> {
        let number = self.number(at);
        if let Kind::Open(open) = self.types.node(node).kind
            && self.types.open(open).is_string()
            && alternative == 0
            && self.columns.get(number as usize).is_some_and(|column| matches!(column.data, Data::Bytes { .. }))
        {
            self.string = number;
            return Ok(Level::of(SKIPPED));
        }
        if let Some(Column { data: Data::Choice { tags, names, .. }, .. }) = self.columns.get_mut(number as usize) {
            if alternative as usize >= names.len() {
                let found = "an alternative of a later version of the schema";
                return Err(unsupported(found, "what the schema knows"));
            }
            tags.push(alternative as i32);
        }
        Ok(Level { column: number, alternative })
    }

    fn array(&mut self, at: At<Level>, _: NodeId, _: u32) -> Result<Level, Error> {
        Ok(Level::of(self.number(at)))
    }

    fn more(&mut self, _: At<Level>, _: NodeId, level: Level, _: u32) -> Result<Level, Error> {
        Ok(level)
    }

    fn unknown(&mut self, at: At<Level>, _: NodeId, octets: Stretch) -> Result<(), Error> {
        let is_open = self.column(at).is_none_or(|column| matches!(column.data, Data::Bytes { .. }));
        if !is_open {
            return Err(unsupported("a value of a later version of the schema", "what the schema knows"));
        }
        self.with_octets(at, octets, Column::push_bytes)
    }

    fn rounded(&mut self, at: At<Level>) -> Result<(), Error> {
        match self.column(at).map(|column| &column.data) {
            Some(Data::Double(_)) => {
                Err(unsupported("a whole number that no double is equal to", "one that a column can hold"))
            }
            _ => Ok(()),
        }
    }

    fn null_item(&mut self, at: At<Level>) -> Result<bool, Error> {
        let number = self.number(at);
        column::push_null(self.columns, number).map(|()| true)
    }

    fn skips(&self, at: At<Level>) -> bool {
        match self.columns.get(at.level.column as usize).map(|column| &column.data) {
            Some(Data::Record { is_part, children, .. }) => {
                self.number(at) == SKIPPED && (*is_part || (at.index as usize) < children.len())
            }
            Some(Data::Choice { .. }) => self.number(at) == SKIPPED,
            _ => false,
        }
    }

    fn end(&mut self, _: NodeId, level: Level) -> Result<(), Error> {
        match self.columns.get(level.column as usize).map(|column| &column.data) {
            Some(Data::Record { .. }) => column::end_record(self.columns, self.types, level.column),
            Some(Data::Choice { .. }) => column::end_choice(self.columns, level.column),
            Some(Data::List { .. }) => column::end_list(self.columns, level.column),
            _ => Ok(()),
        }
    }
}

//! Making a document by hand, or from text that is being read.

use alloc::{string::String, vec::Vec};

use crate::json::Names;
use crate::{Document, Error, Limits, Row, Table, TypeSet, Vocabulary, name};

/// Fills a [`Table`] unit by unit, in document order.
///
/// Names and values that lie in the builder's message are referred to there; every other one is
/// copied once, beside it. A table kept between documents makes the builder allocate nothing once
/// it has reached their size.
///
/// ```
/// use lengthwise_tam::{Builder, Limits, Table, TypeSet};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut table = Table::new();
/// let mut order = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
/// order.open(b'{', b"")?;
/// order.primitive(b'#', b"id", b"17")?;
/// order.primitive(b'\'', b"colour", b"green")?;
/// order.close()?;
/// order.finish()?;
/// let document = table.document(b"", TypeSet::VALUE);
/// assert_eq!(document.root().unwrap().child("id").unwrap().value(), b"17");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Builder<'m, 't, 's> {
    message: &'m [u8],
    types: &'m TypeSet,
    limits: Limits,
    table: &'t mut Table<'s>,
    scratch: Scratch,
    /// Rows of the table that are filled: the runs of closed units.
    used: usize,
    /// Units so far, open ones included.
    units: u32,
    /// Whether no name so far holds a type of [`TypeSet::in_names`].
    plain_names: bool,
}

/// What a builder keeps between documents, in the table.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rows whose parents are still open, level after level.
    pending: Vec<Row>,
    /// For each open unit: its row, and where its children start in `pending`.
    open: Vec<(Row, u32)>,
    names: Names,
}

impl Drop for Builder<'_, '_, '_> {
    fn drop(&mut self) {
        self.table.scratch = core::mem::take(&mut self.scratch);
    }
}

impl<'m, 't, 's> Builder<'m, 't, 's> {
    /// A path names no more levels than these.
    const PATH_LEVELS: usize = 64;

    /// Starts a document over `message` (empty where there is none) in `table`.
    ///
    /// The limits `depth` and `units` are kept.
    pub fn new(message: &'m [u8], types: &'m TypeSet, limits: Limits, table: &'t mut Table<'s>) -> Self {
        // Places are 32 bits wide: of a longer message every piece is copied, as far as that goes.
        let message = if u32::try_from(message.len()).is_ok() { message } else { &[] };
        table.clear();
        let mut scratch = core::mem::take(&mut table.scratch);
        scratch.pending.clear();
        scratch.open.clear();
        scratch.names.begin(matches!(types.vocabulary(), Vocabulary::Json | Vocabulary::Value));
        Builder { message, types, limits, table, scratch, used: 0, units: 0, plain_names: true }
    }

    /// Opens a structured unit.
    ///
    /// # Errors
    /// When a limit is reached, or `kind` is not a structured type of the set.
    #[inline]
    pub fn open(&mut self, kind: u8, name: &[u8]) -> Result<(), Error> {
        let class = self.class(kind, true)?;
        let row = self.name(name)?.with_class(class);
        self.open_named(row)
    }

    /// Adds a primitive unit.
    ///
    /// # Errors
    /// When a limit is reached, or `kind` is not a primitive type of the set.
    #[inline]
    pub fn primitive(&mut self, kind: u8, name: &[u8], value: &[u8]) -> Result<(), Error> {
        let class = self.class(kind, false)?;
        let row = self.name(name)?.with_class(class);
        let at = self.place(value)?;
        self.primitive_named(row.with_content(at, value.len() as u32))
    }

    /// Closes the unit opened last.
    ///
    /// # Errors
    /// When none is open, or the table cannot hold more rows.
    #[inline]
    pub fn close(&mut self) -> Result<(), Error> {
        let Some((row, first)) = self.scratch.open.pop() else {
            return Err(Error::new(crate::ErrorKind::Syntax, "tam", 0, "a unit closed", "an open unit"));
        };
        let count = self.scratch.pending.len() as u32 - first;
        let at = self.settle(first as usize)?;
        self.scratch.pending.push(row.with_content(at, count));
        Ok(())
    }

    /// Opens a structured unit by its row, for readers that know the positions of names in the message.
    /// Kind and name are not checked.
    ///
    /// # Errors
    /// When a limit is reached.
    #[inline]
    pub fn open_row(&mut self, row: Row) -> Result<(), Error> {
        self.plain_names = false;
        self.open_named(row)
    }

    /// [`Builder::open_row`] where the name is that of a row by [`Builder::name`].
    ///
    /// # Errors
    /// When a limit is reached.
    #[inline]
    pub fn open_named(&mut self, row: Row) -> Result<(), Error> {
        if self.scratch.open.len() >= self.limits.depth as usize {
            return Err(Error::limit("tam", 0, "one more level", "depth", self.limits.depth.into()));
        }
        self.count(1)?;
        self.scratch.open.push((row, self.scratch.pending.len() as u32));
        Ok(())
    }

    /// Adds a primitive unit by its row: kind, name and places are not looked at.
    ///
    /// # Errors
    /// When a limit is reached.
    #[inline]
    pub fn primitive_row(&mut self, row: Row) -> Result<(), Error> {
        self.plain_names = false;
        self.primitive_named(row)
    }

    /// [`Builder::primitive_row`] where the name is that of a row by [`Builder::name`].
    ///
    /// # Errors
    /// When a limit is reached.
    #[inline]
    pub fn primitive_named(&mut self, row: Row) -> Result<(), Error> {
        self.count(1)?;
        self.scratch.pending.push(row);
        Ok(())
    }

    /// Adds a structured unit of primitive ones, all by their rows.
    ///
    /// # Errors
    /// When a limit is reached, or the table cannot hold more rows.
    #[inline]
    pub fn list_rows(&mut self, list: Row, rows: impl ExactSizeIterator<Item = Row>) -> Result<(), Error> {
        self.plain_names = false;
        if self.scratch.open.len() >= self.limits.depth as usize {
            return Err(Error::limit("tam", 0, "one more level", "depth", self.limits.depth.into()));
        }
        let (at, end) = (self.used, self.used + rows.len());
        self.count(u32::try_from(rows.len()).unwrap_or(u32::MAX).saturating_add(1))?;
        if end > self.table.capacity() {
            self.grow(end)?;
        }
        for (place, row) in self.table.room().get_mut(at..end).unwrap_or_default().iter_mut().zip(rows) {
            *place = row;
        }
        self.used = end;
        self.scratch.pending.push(list.with_content(at as u32, (end - at) as u32));
        Ok(())
    }

    /// Number of units open now.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.scratch.open.len()
    }

    /// The type of the unit opened last, if one is open.
    #[inline]
    #[must_use]
    pub fn open_kind(&self) -> Option<u8> {
        self.scratch.open.last().map(|(row, _)| row.kind())
    }

    /// The path of the units open now, outermost first, as [`Document::get`] takes it.
    #[must_use]
    pub fn path(&self) -> String {
        let document = Document::from_rows(self.message, self.table.text(), &[], 0, 0, self.types);
        let name = |row: &Row| document.name(row);
        let mut path = String::new();
        let mut first = 0;
        for (level, (row, inner)) in self.scratch.open.iter().enumerate() {
            if level > Self::PATH_LEVELS {
                path.push_str("/…");
                break;
            }
            // An unnamed outermost unit is no step: paths start inside it.
            if level == 0 && name(row).is_none() {
                first = *inner;
                continue;
            }
            // The siblings before an open unit end where, later, its own children start.
            let before = &self.scratch.pending[first as usize..*inner as usize];
            let nth = 1 + before.iter().filter(|other| name(other) == name(row)).count();
            name(row).push_step(nth, before.len(), &mut path);
            first = *inner;
        }
        path
    }

    /// Ends the document: at least one unit, and none left open. [`Table::document`] gives it.
    ///
    /// # Errors
    /// When a unit is open still, or there is none.
    pub fn finish(mut self) -> Result<(), Error> {
        if !self.scratch.open.is_empty() || self.scratch.pending.is_empty() {
            let found = if self.scratch.open.is_empty() { "no unit" } else { "a unit left open" };
            return Err(Error::new(crate::ErrorKind::Syntax, "tam", 0, found, "a whole document"));
        }
        let count = self.scratch.pending.len() as u32;
        let first = self.settle(0)?;
        self.table.fill(self.used as u32, first, count);
        self.table.set_plain_names(self.plain_names);
        Ok(())
    }

    /// The class of a type that is structured or primitive.
    #[inline(always)]
    fn class(&self, kind: u8, structured: bool) -> Result<u16, Error> {
        let class = self.types.class(kind);
        if !self.types.is_type(kind) || TypeSet::is_structured_class(class) != structured {
            return Err(self.wrong_kind(kind, structured));
        }
        Ok(class)
    }

    /// A row that has a name and nothing else; an empty name is none.
    ///
    /// # Errors
    /// When the name is longer than [`Row::MAX_NAME`], or message and copies come to 4 GiB.
    #[inline(always)]
    pub fn name(&mut self, name: &[u8]) -> Result<Row, Error> {
        if name.is_empty() {
            return Ok(Row::EMPTY);
        }
        if name.len() > Row::MAX_NAME {
            return Err(self.long_name());
        }
        if name::needs_extended_form(name, self.types.in_names()) {
            self.plain_names = false;
            if name::needs_extended_form(name, self.types) {
                return self.extended(name);
            }
        }
        let at = self.place(name)?;
        Ok(Row::new(0, at, name.len() as u32, 0, 0))
    }

    /// [`Builder::name`] for the name of a member, which may be the empty string: that is not the same as none.
    ///
    /// # Errors
    /// As [`Builder::name`].
    #[inline]
    pub fn member_name(&mut self, name: &[u8]) -> Result<Row, Error> {
        if name.is_empty() { self.extended(b"") } else { self.name(name) }
    }

    /// [`Builder::name`] for a name in a JSON text, given from its opening quote to the colon, without escapes and spaces. Where it
    /// comes again, it is expected.
    ///
    /// # Errors
    /// As [`Builder::name`].
    pub fn json_name(&mut self, written: &[u8]) -> Result<Row, Error> {
        let name = written.get(1..written.len().saturating_sub(2)).unwrap_or(&[]);
        if name.is_empty() {
            return self.member_name(name);
        }
        let others_are_plain = core::mem::replace(&mut self.plain_names, true);
        let row = self.name(name)?;
        if self.plain_names {
            self.scratch.names.learn(written);
        }
        self.plain_names &= others_are_plain;
        Ok(row)
    }

    /// A row with the name whose opening quote is at a place of the message, if it came after the last name before: in this document
    /// or in one that the table held.
    #[inline(always)]
    pub fn expected_name(&mut self, at: usize) -> Option<Row> {
        let len = self.scratch.names.expect(self.message.get(at..)?)?;
        Some(Row::new(0, at as u32 + 1, len as u32 - 3, 0, 0))
    }

    #[cold]
    fn wrong_kind(&self, kind: u8, structured: bool) -> Error {
        let expected = if structured { "a structured type of the set" } else { "a primitive type of the set" };
        Error::new(crate::ErrorKind::Unsupported, "tam", 0, crate::Words::Byte(kind), expected)
    }

    #[cold]
    fn long_name(&self) -> Error {
        Error::limit("tam", 0, "a longer name", "name", Row::MAX_NAME as u64)
    }

    #[cold]
    fn extended(&mut self, name: &[u8]) -> Result<Row, Error> {
        let start = self.table.text_mut().len();
        name::write_extended(name.iter().copied(), self.types, self.table.text_mut());
        let len = self.table.text_mut().len() - start;
        if len > Row::MAX_NAME {
            return Err(self.long_name());
        }
        let at = self.address(start)?;
        Ok(Row::new(Row::EXTENDED_NAME, at, len as u32, 0, 0))
    }

    /// [`Builder::open`] for a member, whose name may be the empty string, or an item, which has none.
    ///
    /// # Errors
    /// As [`Builder::open`].
    #[inline]
    pub fn open_member(&mut self, kind: u8, name: Option<&[u8]>) -> Result<(), Error> {
        let class = self.class(kind, true)?;
        let row = name.map_or(Ok(Row::EMPTY), |name| self.member_name(name))?.with_class(class);
        self.open_named(row)
    }

    /// [`Builder::primitive`] for a member, whose name may be the empty string, or an item, which has none.
    ///
    /// # Errors
    /// As [`Builder::primitive`].
    #[inline]
    pub fn primitive_member(&mut self, kind: u8, name: Option<&[u8]>, value: &[u8]) -> Result<(), Error> {
        let class = self.class(kind, false)?;
        let row = name.map_or(Ok(Row::EMPTY), |name| self.member_name(name))?.with_class(class);
        let at = self.place(value)?;
        self.primitive_named(row.with_content(at, value.len() as u32))
    }

    /// The position of a text: in the message, or in the copied text after it.
    ///
    /// # Errors
    /// When message and copies come to 4 GiB.
    #[inline]
    pub fn place(&mut self, text: &[u8]) -> Result<u32, Error> {
        let at = text.as_ptr().addr().wrapping_sub(self.message.as_ptr().addr());
        if at <= self.message.len() && text.len() <= self.message.len() - at {
            return Ok(at as u32);
        }
        self.copy(text)
    }

    #[inline(never)]
    fn copy(&mut self, text: &[u8]) -> Result<u32, Error> {
        if text.is_empty() {
            return Ok(0);
        }
        let start = self.table.text_mut().len();
        self.table.text_mut().extend_from_slice(text);
        self.address(start)
    }

    /// The position of the copied text that begins at `start`.
    fn address(&mut self, start: usize) -> Result<u32, Error> {
        let end = self.message.len() as u64 + self.table.text_mut().len() as u64;
        match u32::try_from(end) {
            Ok(_) => Ok((self.message.len() + start) as u32),
            Err(_) => Err(Error::limit("tam", 0, "more text", "message_bytes", u32::MAX.into())),
        }
    }

    /// Open units count too, or nesting could take memory that `units` does not grant.
    #[inline]
    fn count(&mut self, more: u32) -> Result<(), Error> {
        match self.units.checked_add(more).filter(|units| *units <= self.limits.units) {
            Some(units) => {
                self.units = units;
                Ok(())
            }
            None => Err(Error::limit("tam", 0, "one more unit", "units", self.limits.units.into())),
        }
    }

    /// Moves the pending rows from `first` on into the table, side by side; where they lie now.
    #[inline]
    fn settle(&mut self, first: usize) -> Result<u32, Error> {
        let (at, end) = (self.used, self.used + self.scratch.pending.len() - first);
        if end > self.table.capacity() {
            self.grow(end)?;
        }
        let run = self.scratch.pending.get(first..).unwrap_or(&[]);
        match (self.table.room().get_mut(at..end).unwrap_or_default(), run) {
            // Most runs are of one row or two; a call that copies takes longer than they do.
            ([place], [row]) => *place = *row,
            ([place, second_place], [row, second]) => (*place, *second_place) = (*row, *second),
            (places, run) => places.copy_from_slice(run),
        }
        self.scratch.pending.truncate(first);
        self.used = end;
        Ok(at as u32)
    }

    #[cold]
    fn grow(&mut self, end: usize) -> Result<(), Error> {
        let rows = end.max(self.table.capacity() * 2).max(64);
        if !self.table.make_room(rows) && !self.table.make_room(end) {
            let room = self.table.capacity() as u64;
            return Err(Error::limit("tam", 0, "more units than rows lent", "rows", room));
        }
        Ok(())
    }
}

//! The rows of a value while it is written: directly, as lines of a group, or as items first.

use serde_core::ser::Serialize;
use tam::Error;

use super::fields::Member;
use super::value_ser::ValueSer;
use super::{LEVELS, Plan};
use crate::escape::{self, EMPTY};
use crate::items::{Class, Items, single};
use crate::path::{self, Step, push_attribute, push_step};
use crate::row_writer::{self, AGAIN, Room, illegal};
use crate::schema::{Content, ValueType};
use crate::{Binary, FORMAT};

/// How what is written becomes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Each value is a row.
    Rows,
    /// Each value is a cell: all elements of a sequence had values of the same members so far.
    Lines,
    /// Values are items, until their sequence ends.
    Items,
}

/// Vectors that writing needs, which can be used again.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) items: Items,
    room: Room,
    /// The path of the open elements whose values are rows.
    path: Vec<u8>,
    columns: Vec<Member>,
    head: Vec<u8>,
}

/// The state of writing.
pub(super) struct Writer<'p, 'w> {
    pub(super) plan: &'p Plan,
    memory: &'w mut Memory,
    out: &'w mut Vec<u8>,
    pub(super) mode: Mode,
    levels: u32,
    lines: Lines,
}

/// The lines of a group. Their columns are those of the first line.
#[derive(Default)]
struct Lines {
    /// Their start, and the end of the last head.
    start: usize,
    head_end: usize,
    /// The number of lines that are complete, and that of cells in the next one.
    count: u32,
    cells: usize,
}

impl<'p, 'w> Writer<'p, 'w> {
    pub(super) fn new(plan: &'p Plan, memory: &'w mut Memory, out: &'w mut Vec<u8>) -> Writer<'p, 'w> {
        memory.path.clear();
        memory.items.clear();
        Writer { plan, memory, out, mode: Mode::Rows, levels: LEVELS, lines: Lines::default() }
    }

    #[inline]
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        self.levels = self
            .levels
            .checked_sub(1)
            .ok_or_else(|| Error::limit(FORMAT, 0, "one more level", "depth", LEVELS.into()))?;
        Ok(())
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.levels += 1;
    }

    /// Appends the text of a value.
    #[inline]
    pub(super) fn text(&mut self, text: &str) -> Result<(), Error> {
        match text.as_bytes() {
            // Most texts are the same in rows and in cells.
            [first, ..]
                if !matches!(first, b'[' | b'"') && self.mode != Mode::Items && escape::is_plain(text.as_bytes()) =>
            {
                self.out.extend_from_slice(text.as_bytes());
                Ok(())
            }
            _ => self.any_text(text),
        }
    }

    #[inline(never)]
    fn any_text(&mut self, text: &str) -> Result<(), Error> {
        match self.mode {
            Mode::Rows => escape::push_value(self.out, text, false).map_err(illegal),
            Mode::Lines => escape::push_cell(self.out, text, self.lines.cells == 0, false).map_err(illegal),
            Mode::Items => self.memory.items.push_text(text),
        }
    }

    /// The same for a text that is not empty and needs no references.
    #[inline]
    pub(super) fn plain(&mut self, text: &str) -> Result<(), Error> {
        match self.mode {
            Mode::Rows | Mode::Lines => {
                self.out.extend_from_slice(text.as_bytes());
                Ok(())
            }
            Mode::Items => self.memory.items.push_text(text),
        }
    }

    /// Adds octets as a part of the message, or appends them in base64.
    pub(super) fn octets(&mut self, octets: &[u8]) -> Result<(), Error> {
        if octets.is_empty() {
            return self.text("");
        }
        if self.plan.binary == Binary::Mime {
            let id = self.memory.items.add_part(octets.to_vec());
            return self.plain(&id);
        }
        if self.mode != Mode::Items {
            xml::base64::append(octets, self.out);
            return Ok(());
        }
        let mut text = String::new();
        xml::base64::push(octets, &mut text);
        self.plain(&text)
    }

    /// Writes a text that is not part of the message.
    pub(super) fn aside<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Option<String>, Error> {
        let mode = std::mem::replace(&mut self.mode, Mode::Items);
        let start = self.memory.items.texts_len();
        let is_there = value.serialize(ValueSer { writer: self, of: ValueType::TEXT })?;
        self.mode = mode;
        Ok(is_there.then(|| self.memory.items.take_text(start)))
    }

    /// Writes an attribute, the text, or a simple element of the innermost record. Whether it is present.
    #[inline]
    pub(super) fn value<T: Serialize + ?Sized>(
        &mut self,
        (class, step): (Class, Step),
        of: ValueType,
        value: &T,
    ) -> Result<bool, Error> {
        if self.mode == Mode::Items {
            let start = self.memory.items.texts_len();
            let is_there = value.serialize(ValueSer { writer: self, of })?;
            if is_there {
                let text = self.memory.items.text_from(start);
                self.memory.items.push(class, step, Content::Value(of), text);
            }
            return Ok(is_there);
        }
        let start = self.out.len();
        self.out.extend_from_slice(&self.memory.path);
        match class {
            Class::Element => push_step(self.out, step),
            Class::Attribute => push_attribute(self.out, step.number),
            Class::Text | Class::Rest => {}
        }
        self.out.extend_from_slice(b" |");
        let is_there = value.serialize(ValueSer { writer: self, of })?;
        match is_there {
            true => self.out.push(b'\n'),
            false => self.out.truncate(start),
        }
        Ok(is_there)
    }

    /// Begins an element that is a record. Returns what [`Writer::close`] needs.
    #[inline]
    pub(super) fn open(&mut self, step: Step, content: Content) -> Open {
        match self.mode {
            Mode::Rows => {
                let path = self.memory.path.len();
                push_step(&mut self.memory.path, step);
                Open { start: self.out.len(), path }
            }
            Mode::Lines => {
                self.begin_line(step);
                Open { start: 0, path: 0 }
            }
            Mode::Items => Open { start: self.memory.items.push(Class::Element, step, content, (0, 0)), path: 0 },
        }
    }

    /// Ends a record. `is_sorted` says whether its members came in the order of the schema.
    #[inline]
    pub(super) fn close(&mut self, open: &mut Open, element: (Step, Content), is_sorted: bool) -> Result<(), Error> {
        if self.mode == Mode::Lines {
            if self.lines.cells > 0 && (self.lines.count == 0 || self.lines.cells == self.memory.columns.len()) {
                self.end_line(element.0);
                return Ok(());
            }
            self.spill(element, open)?;
        }
        if self.mode == Mode::Items {
            self.memory.items.end(open.start);
            if !is_sorted {
                self.memory.items.sort(open.start);
                self.memory.items.end(open.start);
            }
            return Ok(());
        }
        if self.out.len() == open.start {
            // No other row shows that it is present.
            self.out.extend_from_slice(&self.memory.path);
            self.out.extend_from_slice(b" |\n");
        } else if !is_sorted {
            self.sort(open.start)?;
        }
        self.memory.path.truncate(open.path);
        Ok(())
    }

    /// Sorts the rows of the innermost record, from a position on, by their members.
    #[cold]
    fn sort(&mut self, start: usize) -> Result<(), Error> {
        let rows = self.out.split_off(start);
        let rows = String::from_utf8_lossy(&rows);
        let mut pieces: Vec<(u64, &str)> = Vec::new();
        let mut steps = Vec::new();
        for line in rows.split_inclusive('\n') {
            steps.clear();
            let own = line.starts_with('[').then_some(self.memory.path.len());
            let attribute = own.map_or(Ok(None), |at| path::read(line, at, 0, &mut steps).map(|(found, _)| found))?;
            let order = match (steps.first(), attribute, pieces.last()) {
                (Some(step), ..) => Class::Element.order(step.number),
                (None, Some(number), _) => Class::Attribute.order(number),
                // The cells of a group follow its head.
                (None, None, Some((last, _))) if own.is_none() => *last,
                _ => Class::Text.order(0),
            };
            pieces.push((order, line));
        }
        pieces.sort_by_key(|(order, _)| *order);
        pieces.iter().for_each(|(_, line)| self.out.extend_from_slice(line.as_bytes()));
        Ok(())
    }

    /// Begins the elements of a sequence. Whether [`Writer::end_group`] has to end them.
    pub(super) fn begin_group(&mut self, len: Option<usize>, is_flat: bool) -> bool {
        let is_one = len.is_some_and(|len| len < 2);
        if self.mode != Mode::Rows || is_one || self.plan.scheme == crate::Scheme::Aggregated {
            return false;
        }
        self.mode = Mode::Items;
        if is_flat {
            self.mode = Mode::Lines;
            self.lines = Lines { start: self.out.len(), ..Lines::default() };
            self.memory.columns.clear();
        }
        true
    }

    pub(super) fn end_group(&mut self, element: (Step, Content)) -> Result<(), Error> {
        if self.mode == Mode::Lines && self.lines.count < 2 {
            self.unite(element)?;
        }
        if self.mode == Mode::Items {
            let Memory { items, room, path, .. } = &mut *self.memory;
            row_writer::write(items, self.plan.scheme, room, path, self.out)?;
            items.clear();
        }
        self.mode = Mode::Rows;
        Ok(())
    }

    /// Begins a line, after one more head if the last one is far away.
    #[inline]
    pub(super) fn begin_line(&mut self, step: Step) {
        self.lines.cells = 0;
        if self.lines.count > 0 && self.out.len() - self.lines.head_end > AGAIN {
            self.out.extend_from_slice(&self.memory.path);
            push_step(self.out, step);
            self.out.extend_from_slice(&self.memory.head);
            self.lines.head_end = self.out.len();
        }
    }

    /// Writes the value of a member as the next cell of a line.
    #[inline]
    pub(super) fn cell<T: Serialize + ?Sized>(
        &mut self,
        member: &Member,
        of: ValueType,
        value: &T,
    ) -> Result<Cell, Error> {
        let (start, parts) = (self.out.len(), self.memory.items.parts().len());
        if self.lines.cells > 0 {
            self.out.push(b'|');
        }
        if !value.serialize(ValueSer { writer: self, of })? {
            self.out.truncate(start);
            return Ok(Cell::Absent);
        }
        let is_next = match self.memory.columns.get(self.lines.cells) {
            Some(column) => self.lines.count > 0 && column.place == member.place,
            None => self.lines.count == 0 && self.memory.columns.last().is_none_or(|last| last.place < member.place),
        };
        if !is_next {
            self.out.truncate(start);
            self.memory.items.truncate_parts(parts);
            return Ok(Cell::NoColumn);
        }
        if self.lines.count == 0 {
            self.memory.columns.push(*member);
        }
        self.lines.cells += 1;
        Ok(Cell::Written)
    }

    /// Ends a line. The head is known once the first one has ended.
    #[inline]
    pub(super) fn end_line(&mut self, first: Step) {
        self.out.push(b'\n');
        if self.lines.count == 0 {
            self.first_head(first);
        }
        self.lines.count += 1;
    }

    fn first_head(&mut self, first: Step) {
        let Memory { path, columns, head, .. } = &mut *self.memory;
        head.clear();
        for column in columns {
            head.push(if head.is_empty() { b'{' } else { b' ' });
            match column.place {
                (Class::Element, number) => push_step(head, single(number)),
                (Class::Attribute, number) => push_attribute(head, number),
                (Class::Text | Class::Rest, _) => head.push(b'.'),
            }
        }
        head.extend_from_slice(b"}\n");
        let start = self.lines.start;
        let mut place = path.clone();
        push_step(&mut place, first);
        let len = place.len() + head.len();
        self.out.splice(start..start, place.into_iter().chain(head.iter().copied()));
        self.lines.head_end = start + len;
    }

    /// Goes on with items inside of a record whose members are not those of the record before. `open` becomes its item.
    #[cold]
    pub(super) fn spill(&mut self, element: (Step, Content), open: &mut Open) -> Result<(), Error> {
        self.unite(element)?;
        let items = &mut self.memory.items;
        if self.lines.cells == 0 {
            items.push(Class::Element, element.0, element.1, (0, 0));
        }
        open.start =
            items.all.iter().rposition(|item| item.class == Class::Element && item.step == element.0).unwrap_or(0);
        Ok(())
    }

    /// Makes items of the lines.
    #[cold]
    fn unite(&mut self, (step, content): (Step, Content)) -> Result<(), Error> {
        self.mode = Mode::Items;
        let text = self.out.split_off(self.lines.start);
        let text = String::from_utf8_lossy(&text);
        let Memory { items, columns, .. } = &mut *self.memory;
        let lines = text.lines().filter(|line| !line.starts_with('['));
        for (line, occurrence) in lines.zip(0..) {
            let at = items.all.len();
            let element = (Class::Element, Step { occurrence, ..step });
            let mut cells = line.split('|').zip(columns.iter());
            if let Content::Record(_) = content {
                items.push(element.0, element.1, content, (0, 0));
            }
            for (cell, column) in &mut cells {
                let start = items.texts_len();
                items.push_text(&escape::decode(if cell == EMPTY { "" } else { cell })?)?;
                let text = items.text_from(start);
                match (column.value, content) {
                    (_, Content::Value(_)) => items.push(element.0, element.1, content, text),
                    (Some(of), _) => items.push(column.place.0, single(column.place.1), Content::Value(of), text),
                    _ => at,
                };
            }
            items.end(at);
        }
        Ok(())
    }
}

/// Where a record begins: in the message, or its item; and the length of the path around it.
pub(super) struct Open {
    start: usize,
    path: usize,
}

/// Whether a value became a cell.
pub(super) enum Cell {
    Written,
    Absent,
    /// The lines have no column for it there.
    NoColumn,
}

//! Reads rows as events: the one reader of documents, streams, lookups and Rust's own types.

use tam::{Error, Expansion, Limits, Row, Words};

use crate::FORMAT;
use crate::columns::{Column, Columns};
use crate::escape::EMPTY;
use crate::path::{self, REST, Step, push_step};
use crate::place::{found, schema, syntax};
use crate::progress::{Progress, missing};
use crate::schema::{Attribute, Content, DataSchema, Element, NONE, Order, Record, ValueType};

/// A value as it is written: references are not resolved yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'t> {
    pub(crate) text: &'t str,
    /// Its position in the message.
    at: u32,
    /// Whether it has references.
    pub(crate) escaped: bool,
}

impl<'t> Raw<'t> {
    /// A text at a position of the message.
    #[inline]
    pub(crate) fn new(text: &'t str, at: usize, escaped: bool) -> Raw<'t> {
        Raw { text, at: u32::try_from(at).unwrap_or(u32::MAX), escaped }
    }

    /// Its position in the message.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at as usize
    }
}

/// What rows say, one thing after another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'t, 's> {
    /// An element begins.
    Open(&'s Element, Step),
    /// A simple element: its start, its text and its end.
    Value(&'s Element, Step, ValueType, Raw<'t>),
    /// What the element that began last has beyond its numbers, before anything else in it.
    Rest(Raw<'t>),
    /// An attribute of the element that began last.
    Attribute(&'s Attribute, Raw<'t>),
    /// An attribute that has no row, but a default.
    Default(&'s Attribute, &'s str),
    /// The text of the element that began last, before its elements.
    Text(ValueType, Raw<'t>),
    /// The innermost open element ends.
    Close,
    /// Every line so far has been read, and more may come.
    More,
    /// The table ends.
    End,
}

/// The progress within an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Attributes,
    Text,
    Elements,
}

/// An open element.
#[derive(Debug)]
struct Level<'s> {
    element: &'s Element,
    record: Option<&'s Record>,
    step: Step,
    /// The length of its path in rows of its own; [`GROUPED`] in a group.
    path_end: usize,
    /// The number of attributes that rows have passed.
    attributes: u32,
    /// Whether the row `(*)` has been read.
    rest: bool,
    phase: Phase,
    progress: Progress,
}

/// The rows of a group never continue as other rows.
const GROUPED: usize = usize::MAX;

/// A group whose rows are being read.
#[derive(Debug)]
struct Frame {
    group: u32,
    /// The number of open elements around the one that each row is.
    base: usize,
    /// The number of that element, and whether its rows are nothing but its value.
    number: u32,
    is_value: bool,
    /// The occurrence of the element of the row.
    occurrence: u32,
    /// The next column.
    column: usize,
    /// Whether the element of the row has been opened.
    has_begun: bool,
    /// The number of rows left; `None` for the outermost group, which does not have it.
    left: Option<u64>,
}

/// What follows once the elements of a path are open.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// The next line or cell.
    Next,
    /// A value: the attribute it belongs to, and its place in the text.
    Value { attribute: Option<u32>, start: usize, end: usize, escaped: bool },
    /// The rows after a head.
    Head { first: Step, columns: usize },
    /// The rows of a nested group.
    Group { group: u32, number: u32, count: u64 },
    /// The end of the table.
    End,
}

/// Reads rows.
#[derive(Debug)]
pub(crate) struct RowReader<'s> {
    schema: &'s DataSchema,
    limits: Limits,
    /// The expansion by the schema: names, defaults, and elements without a cell.
    pub(crate) expansion: Expansion,
    /// The start of the text in the message, and how far it has been read.
    base: usize,
    at: usize,
    /// Whether the text ends with the table, and whether lines end with a carriage return and a line feed.
    is_last: bool,
    returns: bool,
    open: Vec<Level<'s>>,
    /// The path of the open elements that are not in a group, as rows begin.
    path: Vec<u8>,
    root: Progress,
    /// The start of the current row or cell in the text.
    row: usize,
    /// How many of the open elements stay open, and the steps to those that are opened next.
    keep: usize,
    steps: Vec<Step>,
    next_step: usize,
    goal: Goal,
    columns: Columns,
    /// The columns as they are written, while they are the last ones.
    head: Vec<u8>,
    frames: Vec<Frame>,
    /// Whether the group has had a row.
    has_rows: bool,
    /// The simple element of the last value, for errors.
    leaf: Option<(&'s Element, Step)>,
}

/// The charge for an element or attribute that takes a row of a document but no byte of the message.
const IMPLIED: usize = size_of::<Row>();

impl<'s> RowReader<'s> {
    /// `len` is the length of the message in bytes, as far as known.
    pub(crate) fn new(schema: &'s DataSchema, limits: Limits, len: usize) -> RowReader<'s> {
        RowReader {
            schema,
            limits,
            expansion: limits.decompression(len),
            base: 0,
            at: 0,
            is_last: false,
            returns: false,
            open: Vec::with_capacity(8),
            path: Vec::with_capacity(32),
            root: Progress::default(),
            row: 0,
            keep: 0,
            steps: Vec::with_capacity(8),
            next_step: 0,
            goal: Goal::Next,
            columns: Columns::default(),
            head: Vec::new(),
            frames: Vec::new(),
            has_rows: false,
            leaf: None,
        }
    }

    /// Reads a text from now on: whole lines, at a position of the message.
    ///
    /// # Errors
    /// Of kind syntax if a carriage return is not at the end of a line.
    pub(crate) fn begin(&mut self, text: &str, base: usize, is_last: bool) -> Result<(), Error> {
        (self.base, self.at, self.is_last, self.returns) = (base, 0, is_last, false);
        for at in memchr::memchr_iter(b'\r', text.as_bytes()) {
            self.returns = true;
            if text.as_bytes().get(at + 1).is_some_and(|next| *next != b'\n') {
                return Err(syntax(
                    base + at,
                    "a carriage return alone",
                    "a line feed after it, or '&#13;' in a value",
                ));
            }
        }
        Ok(())
    }

    /// Begins inside elements, of which the last is the next to be opened. What comes before it is not checked.
    pub(crate) fn begin_inside(&mut self, steps: &[Step]) {
        let schema_of = self.schema;
        let Some((last, around)) = steps.split_last() else { return };
        let mut elements = std::slice::from_ref(&schema_of.root);
        for step in around {
            let Some(element) = elements.get(step.number as usize) else { return };
            self.progress().last = Some(*step);
            self.push(element, *step, schema_of.record(&element.content));
            elements = schema_of.elements_of(&element.content);
        }
        self.open.iter_mut().for_each(|level| level.phase = Phase::Elements);
        self.progress().last = Some(Step { occurrence: last.occurrence.wrapping_sub(1), ..*last });
    }

    fn progress(&mut self) -> &mut Progress {
        self.open.last_mut().map_or(&mut self.root, |top| &mut top.progress)
    }

    /// The length of the message so far.
    pub(crate) fn set_input(&mut self, len: usize) {
        self.expansion.set_input(len);
    }

    /// How far the message has been read.
    pub(crate) fn position(&self) -> usize {
        self.base + self.at
    }

    /// The next event of the text that [`RowReader::begin`] was given.
    #[inline]
    pub(crate) fn next<'t>(&mut self, text: &'t str) -> Result<Event<'t, 's>, Error> {
        match self.plain(text) {
            Some((element, number, raw)) => {
                let of = if let Content::Value(of) = element.content { of } else { ValueType::TEXT };
                Ok(Event::Value(element, Step { number, occurrence: NONE }, of, raw))
            }
            None => self.advance(text).map_err(|error| error.in_path(self.path())),
        }
    }

    /// The next simple element, its number and its value, if it is in the innermost open one and not repeated. `None`
    /// if it takes more than a look at the row to say so.
    #[inline(always)]
    pub(crate) fn plain<'t>(&mut self, text: &'t str) -> Option<(&'s Element, u32, Raw<'t>)> {
        if !matches!(self.goal, Goal::Next) || self.open.len() != self.keep {
            return None;
        }
        if self.frames.is_empty() { self.plain_row(text) } else { self.plain_cell(text) }
    }

    /// Reads a row of a simple element in the innermost open one, `[1] |`, if nothing has to be said before it.
    #[inline(always)]
    fn plain_row<'t>(&mut self, text: &'t str) -> Option<(&'s Element, u32, Raw<'t>)> {
        let line = text.as_bytes().get(self.at..)?;
        let path_len = self.path.len();
        let row = line.get(path_len..)?.first_chunk()?;
        let [b'[', digit @ b'0'..=b'9', b']', b' ', b'|'] = row else { return None };
        let is_below = match (line.first_chunk(), self.path.first_chunk()) {
            (Some(one), Some(other)) if path_len == 8 => u64::from_le_bytes(*one) == u64::from_le_bytes(*other),
            _ => line.starts_with(&self.path),
        };
        let is_grouped = self.open.last().is_some_and(|top| top.path_end == GROUPED);
        if !is_below || is_grouped {
            return None;
        }
        self.row = self.at;
        let number = u32::from(digit - b'0');
        let element = self.simple(number)?;
        let (start, end, escaped) = self.value_end(text, self.at + path_len + 5);
        Some((element, number, self.raw(text, start, end, escaped)))
    }

    /// Reads a cell of a simple element in that of the row, if nothing has to be said before it.
    #[inline(always)]
    fn plain_cell<'t>(&mut self, text: &'t str) -> Option<(&'s Element, u32, Raw<'t>)> {
        let frame = self.frames.last().filter(|frame| frame.has_begun && self.open.len() == frame.base + 1)?;
        let columns = self.columns.of(frame.group);
        let column = columns.get(frame.column).filter(|column| column.child != NONE)?;
        let (number, is_last) = (column.child, frame.column + 1 == columns.len());
        let rest = text.as_bytes().get(self.at..)?;
        let len = find(rest, [b'|', b'\n', b'&']);
        let end = if is_last { b'\n' } else { b'|' };
        if rest.get(len) != Some(&end)
            || len == 0
            || rest.starts_with(b"\"\"")
            || rest.first() == Some(&b'[')
            || is_last && self.returns
        {
            return None;
        }
        self.row = self.at;
        let element = self.simple(number)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.column += 1;
        }
        let raw = self.raw(text, self.row, self.row + len, false);
        self.at += len + 1;
        if is_last {
            self.settle();
        }
        Some((element, number, raw))
    }

    /// The next element in the innermost open one, if it is simple and may follow without more ado.
    #[inline(always)]
    fn simple(&mut self, number: u32) -> Option<&'s Element> {
        let top = self.open.last_mut()?;
        let record = top.record.filter(|record| record.order == Order::Sequence)?;
        let element = record.elements.get(number as usize).filter(|element| !element.repeated)?;
        let from = top.progress.last.map_or(0, |last| last.number + 1);
        let is_next = top.phase == Phase::Elements
            || top.phase == Phase::Text
            || record.next_needed(top.attributes) as usize == record.attributes.len();
        if !is_next
            || number < from
            || record.next_required(from) < number
            || matches!(element.content, Content::Record(_))
            || self.expansion.charge(element.name.len()).is_err()
        {
            return None;
        }
        let step = Step { number, occurrence: NONE };
        (top.phase, top.progress.last) = (Phase::Elements, Some(step));
        self.leaf = Some((element, step));
        Some(element)
    }

    fn advance<'t>(&mut self, text: &'t str) -> Result<Event<'t, 's>, Error> {
        self.leaf = None;
        loop {
            let event = if self.open.len() > self.keep {
                Some(self.close()?)
            } else if self.next_step < self.steps.len() {
                self.open_next(text)?
            } else {
                match self.goal {
                    Goal::Next => self.line(text)?,
                    Goal::Value { attribute, start, end, escaped } => {
                        let raw = self.raw(text, start, end, escaped);
                        match attribute {
                            Some(number) => Some(self.attribute(number, raw)?),
                            None => self.text(raw)?,
                        }
                    }
                    Goal::Head { first, columns } => {
                        self.enter_group(first, columns)?;
                        None
                    }
                    Goal::Group { group, number, count } => {
                        self.begin_group(group, Step { number, occurrence: 0 }, Some(count));
                        None
                    }
                    Goal::End => Some(match self.root.last {
                        Some(_) => Event::End,
                        None => {
                            let expected = format!("the root element {}", self.schema.root.name);
                            return Err(schema(self.position(), "no row", expected));
                        }
                    }),
                }
            };
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// The path of the open elements.
    #[cold]
    pub(crate) fn path(&self) -> String {
        const SHOWN: usize = 64;
        let mut out = String::new();
        let leaf = self.leaf.as_ref().map(|(element, step)| (*element, *step));
        for (level, (element, step)) in self.open.iter().map(|one| (one.element, one.step)).chain(leaf).enumerate() {
            if level == SHOWN {
                out.push_str("/…");
                break;
            }
            out.push('/');
            out.push_str(&element.name);
            if step.occurrence != NONE && step.occurrence > 0 {
                out.push_str(&format!("[{}]", u64::from(step.occurrence) + 1));
            }
        }
        out
    }

    /// The position of the current row in the message.
    fn place(&self) -> usize {
        self.base + self.row
    }

    /// A part of the text.
    #[inline]
    fn raw<'t>(&self, text: &'t str, start: usize, end: usize, escaped: bool) -> Raw<'t> {
        Raw::new(text.get(start..end).unwrap_or_default(), self.base + start, escaped)
    }

    /// The end of the line that ends at `end`, without its carriage return.
    #[inline]
    fn line_end(&self, text: &str, start: usize, end: usize) -> usize {
        let has_return = self.returns && end > start && text.as_bytes().get(end - 1) == Some(&b'\r');
        end - usize::from(has_return)
    }

    /// Reads the next line up to its value, or the next cell.
    #[inline]
    fn line<'t>(&mut self, text: &'t str) -> Result<Option<Event<'t, 's>>, Error> {
        let bytes = text.as_bytes();
        if let Some(frame) = self.frames.last() {
            if frame.has_begun {
                let begins_line = self.at == 0 || bytes.get(self.at - 1) == Some(&b'\n');
                return match bytes.get(self.at) {
                    None if begins_line && frame.column > 0 && !self.is_last => Ok(Some(Event::More)),
                    None | Some(b'[') if begins_line && frame.column > 0 => Err(self.in_group(text)),
                    _ => self.cell(text),
                };
            }
            match bytes.get(self.at) {
                Some(b'[') => {}
                None if !self.is_last => return Ok(Some(Event::More)),
                None => {}
                Some(_) => return self.begin_row(text),
            }
            self.end_group(text)?;
        }
        self.row = self.at;
        self.steps.clear();
        self.next_step = 0;
        if bytes.get(self.at) != Some(&b'[') {
            return self.blank_line(text);
        }
        let line = bytes.get(self.at..).unwrap_or_default();
        let (keep, end) = self.shared(line);
        self.keep = keep;
        let (attribute, end) = path::read(text, self.at + end, self.base, &mut self.steps)?;
        if attribute.is_none() && bytes.get(end) == Some(&b'{') {
            return self.head(text, end);
        }
        let bar = end + bytes.get(end..).unwrap_or_default().iter().take_while(|c| **c == b' ').count();
        if bytes.get(bar) != Some(&b'|') {
            return Err(syntax(self.base + bar, found(text, bar), "'|' and a value"));
        }
        let (start, end, escaped) = self.value_end(text, bar + 1);
        self.goal = Goal::Value { attribute, start, end, escaped };
        Ok(None)
    }

    /// How many of the open elements a row shares with the one before it, and the length of their path.
    #[inline]
    fn shared(&self, line: &[u8]) -> (usize, usize) {
        let is_grouped = self.open.last().is_some_and(|top| top.path_end == GROUPED);
        // `[0]1` is not a prefix of `[0]12`.
        if !is_grouped && line.starts_with(&self.path) && !line.get(self.path.len()).is_some_and(u8::is_ascii_digit) {
            return (self.open.len(), self.path.len());
        }
        let common = line.iter().zip(&self.path).take_while(|(one, other)| one == other).count();
        let is_shared =
            |level: &Level<'_>| level.path_end <= common && !line.get(level.path_end).is_some_and(u8::is_ascii_digit);
        let keep = self.open.iter().rposition(is_shared).map_or(0, |top| top + 1);
        (keep, keep.checked_sub(1).and_then(|top| self.open.get(top)).map_or(0, |top| top.path_end))
    }

    /// Finds the end of the value of a row, and moves after the line.
    #[inline(always)]
    fn value_end(&mut self, text: &str, start: usize) -> (usize, usize, bool) {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let mut len = find(rest, [b'\n', b'&']);
        let escaped = rest.get(len) == Some(&b'&');
        if escaped {
            len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
        self.at = (start + len + 1).min(text.len());
        (start, self.line_end(text, start, start + len), escaped)
    }

    /// Skips a line without a path, which must be blank.
    #[cold]
    fn blank_line<'t>(&mut self, text: &'t str) -> Result<Option<Event<'t, 's>>, Error> {
        if self.at >= text.len() {
            if !self.is_last {
                return Ok(Some(Event::More));
            }
            (self.keep, self.goal) = (0, Goal::End);
            return Ok(None);
        }
        let rest = text.as_bytes().get(self.at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        if rest.iter().take(end).all(|c| matches!(c, b' ' | b'\t' | b'\r')) {
            self.at = (self.at + end + 1).min(text.len());
            return Ok(None);
        }
        Err(syntax(self.base + self.at, found(text, self.at), "the path of a row: '['"))
    }

    /// Ends the group whose rows were the last ones.
    fn end_group(&mut self, text: &str) -> Result<(), Error> {
        if self.frames.len() > 1 {
            return Err(self.in_group(text));
        }
        self.frames.clear();
        match self.has_rows {
            true => Ok(()),
            false => Err(syntax(self.position(), "the end of a group without rows", "a row of the group")),
        }
    }

    #[cold]
    fn in_group(&self, text: &str) -> Error {
        let found = if self.at < text.len() { "a path in a group" } else { "the end of the table in a group" };
        syntax(self.position(), found, "the rows and cells that it still has, or '&#91;'")
    }

    /// Reads the head of a group, whose columns are at a position.
    fn head<'t>(&mut self, text: &'t str, at: usize) -> Result<Option<Event<'t, 's>>, Error> {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let end = at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = (end + 1).min(text.len());
        let line = text.get(..self.line_end(text, at, end)).unwrap_or_default();
        let columns = line.as_bytes().get(at..).unwrap_or_default();
        if self.head != columns {
            self.columns = Columns::read(line, at, self.base, self.limits.depth)?;
            self.head.clear();
            self.head.extend_from_slice(columns);
        }
        let last = self.steps.pop();
        let Some(first) = last.filter(|last| last.occurrence != NONE) else {
            return Err(syntax(self.base + at, found(text, at), "the number of an occurrence"));
        };
        // The elements around the rows exist even if there are no rows.
        self.goal = Goal::Head { first, columns: at };
        Ok(None)
    }

    /// Begins the rows after a head.
    fn enter_group(&mut self, first: Step, at: usize) -> Result<(), Error> {
        let elements = self.elements();
        let Some(element) = elements.get(first.number as usize) else {
            return Err(beyond(self.place(), first.number, elements.len(), "element"));
        };
        if !self.columns.fit(self.schema, element.content) {
            let expected = "columns of the schema, in the order of rows";
            return Err(schema(self.base + at, "a column that the schema does not have there", expected));
        }
        self.has_rows = false;
        self.begin_group(0, first, None);
        Ok(())
    }

    /// The elements that the innermost open one may have.
    fn elements(&self) -> &'s [Element] {
        match self.open.last() {
            None => std::slice::from_ref(&self.schema.root),
            Some(above) => above.record.map_or(&[][..], |record| &record.elements),
        }
    }

    fn begin_group(&mut self, group: u32, first: Step, left: Option<u64>) {
        let content = self.elements().get(first.number as usize).map(|element| element.content);
        let is_value = match self.columns.of(group) {
            [column] => column.attribute.is_none() && self.columns.steps(column).is_empty(),
            _ => false,
        };
        self.frames.push(Frame {
            group,
            base: self.open.len(),
            number: first.number,
            is_value: is_value && matches!(content, Some(Content::Value(_))),
            occurrence: first.occurrence,
            column: 0,
            has_begun: false,
            left,
        });
        self.goal = Goal::Next;
    }

    /// Begins the next row of a group.
    #[inline]
    fn begin_row<'t>(&mut self, text: &'t str) -> Result<Option<Event<'t, 's>>, Error> {
        self.row = self.at;
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        self.keep = frame.base;
        self.steps.clear();
        self.next_step = 0;
        self.steps.push(Step { number: frame.number, occurrence: frame.occurrence });
        self.has_rows = true;
        if !frame.is_value {
            (frame.has_begun, self.goal) = (true, Goal::Next);
            return Ok(None);
        }
        frame.column = 1;
        let (start, end, escaped) = self.next_cell(text, 1)?;
        let is_empty = text.get(start..end) == Some(EMPTY);
        self.goal = Goal::Value { attribute: None, start, end: if is_empty { start } else { end }, escaped };
        self.settle();
        Ok(None)
    }

    /// Finds the end of the next cell, and moves after its delimiter. `left` is the number of columns from it on.
    #[inline]
    fn next_cell(&mut self, text: &str, left: usize) -> Result<(usize, usize, bool), Error> {
        let start = self.at;
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let mut len = find(rest, [b'|', b'\n', b'&']);
        let escaped = rest.get(len) == Some(&b'&');
        if escaped {
            len = memchr::memchr2(b'|', b'\n', rest).unwrap_or(rest.len());
        }
        let end = start + len;
        self.at = (end + 1).min(text.len());
        if rest.get(len) == Some(&b'|') {
            return match left {
                0 | 1 => Err(syntax(self.base + end, "one more cell", "the end of the line")),
                _ => Ok((start, end, escaped)),
            };
        }
        let end = self.line_end(text, start, end);
        if left > 1 {
            let more = Words::Count(left as u64 - 1, "cells more");
            return Err(syntax(self.base + end, "the end of the line", more));
        }
        Ok((start, end, escaped))
    }

    /// Reads the next cell of a row that has begun.
    #[inline]
    fn cell<'t>(&mut self, text: &'t str) -> Result<Option<Event<'t, 's>>, Error> {
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        let (base, group) = (frame.base, frame.group);
        let columns = self.columns.of(group);
        let left = columns.len() - frame.column.min(columns.len());
        let Some(column) = columns.get(frame.column).copied() else {
            let (start, end, _) = self.next_cell(text, 1)?;
            if end > start {
                return Err(syntax(self.base + start, found(text, start), "the end of the line: no columns"));
            }
            self.settle();
            return Ok(None);
        };
        frame.column += 1;
        self.row = self.at;
        if column.group.is_some() {
            return self.count(text, &column, base);
        }
        let (start, end, escaped) = self.next_cell(text, left)?;
        if end > start {
            let is_empty = end - start == EMPTY.len() && text.get(start..end) == Some(EMPTY);
            self.goal =
                Goal::Value { attribute: column.attribute, start, end: if is_empty { start } else { end }, escaped };
            self.lead(&column, base, 0);
        }
        if left == 1 {
            self.settle();
        }
        Ok(None)
    }

    /// Plans to open the elements of a column, without the last ones.
    #[inline]
    fn lead(&mut self, column: &Column, base: usize, without: usize) {
        let steps = self.columns.steps(column);
        let steps = steps.get(..steps.len() - without).unwrap_or_default();
        let open = self.open.get(base + 1..).unwrap_or_default();
        let shared = steps.iter().zip(open).take_while(|(step, level)| step.number == level.step.number).count();
        self.keep = base + 1 + shared;
        self.steps.clear();
        self.next_step = 0;
        self.steps.extend_from_slice(steps.get(shared..).unwrap_or_default());
    }

    /// Reads a cell with the number of rows of a nested group that follow.
    fn count<'t>(&mut self, text: &'t str, column: &Column, base: usize) -> Result<Option<Event<'t, 's>>, Error> {
        let start = self.at;
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let len = memchr::memchr2(b'|', b'\n', rest).unwrap_or(rest.len());
        let end = self.line_end(text, start, start + len);
        let cell = text.get(start..end).unwrap_or_default();
        let plain = cell.bytes().all(|c| c.is_ascii_digit()) && (cell == "0" || !cell.starts_with('0'));
        let Some(count) = cell.parse::<u64>().ok().filter(|_| plain) else {
            let found = Words::Own(format!("'{}'", tam::excerpt(cell).escape_debug()));
            return Err(syntax(self.base + start, found, "how many rows come"));
        };
        if rest.get(len) == Some(&b'|') {
            return Err(syntax(self.base + end, "one more cell", "the end of the line, and the rows"));
        }
        self.at = (start + len + 1).min(text.len());
        let Some(group) = column.group.filter(|_| count > 0) else {
            self.settle();
            return Ok(None);
        };
        self.lead(column, base, 1);
        let number = self.columns.steps(column).last().map_or(0, |step| step.number);
        self.goal = Goal::Group { group, number, count };
        Ok(None)
    }

    /// Ends the rows that have all their cells.
    #[inline]
    fn settle(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if frame.column < self.columns.of(frame.group).len() {
                return;
            }
            (frame.column, frame.has_begun) = (0, false);
            frame.occurrence = frame.occurrence.saturating_add(1);
            match &mut frame.left {
                None => return,
                Some(left) if *left > 1 => {
                    *left -= 1;
                    return;
                }
                Some(_) => {
                    self.frames.pop();
                }
            }
        }
    }

    /// Opens the next element of the path, or passes on a default before it. The name and what takes no byte are
    /// charged.
    #[inline]
    fn open_next<'t>(&mut self, text: &'t str) -> Result<Option<Event<'t, 's>>, Error> {
        let Some(step) = self.steps.get(self.next_step).copied() else { return Ok(None) };
        let at = self.place();
        if self.open.len() >= self.limits.depth as usize {
            return Err(Error::limit(FORMAT, at as u64, "one more level", "depth", self.limits.depth.into()));
        }
        let schema_of = self.schema;
        let element = match self.open.last_mut() {
            None => {
                let element = Some(&schema_of.root).filter(|_| step.number == 0);
                let element = element.ok_or_else(|| beyond(at, step.number, 1, "element"))?;
                self.root.follow(step, element, at)?;
                element
            }
            Some(parent) => {
                let Some(record) = parent.record else {
                    return Err(schema(at, "an element inside a value", "no element: the schema has none there"));
                };
                if parent.phase < Phase::Elements {
                    if let Some(event) = supply(parent, u32::MAX, &mut self.expansion, at)? {
                        return Ok(Some(event));
                    }
                    parent.phase = Phase::Elements;
                }
                let count = record.elements.len();
                let element = record.elements.get(step.number as usize);
                let element = element.ok_or_else(|| beyond(at, step.number, count, "element"))?;
                self.leaf = Some((element, step));
                let from = parent.progress.step(record, step, element, at)?;
                self.leaf = None;
                missing(record, from, step.number, at)?;
                element
            }
        };
        self.next_step += 1;
        let is_last = self.next_step == self.steps.len();
        let is_implied = !is_last || matches!(self.goal, Goal::Head { .. } | Goal::Group { .. });
        let implied = if is_implied { IMPLIED } else { 0 };
        charge(&mut self.expansion, element.name.len() + implied, at, "more names of elements")?;
        if let (Content::Value(of), Goal::Value { attribute: None, start, end, escaped }) = (element.content, self.goal)
            && is_last
        {
            self.leaf = Some((element, step));
            self.goal = Goal::Next;
            let raw = self.raw(text, start, end, escaped);
            return Ok(Some(Event::Value(element, step, of, raw)));
        }
        self.push(element, step, schema_of.record(&element.content));
        self.leaf = None;
        Ok(Some(Event::Open(element, step)))
    }

    fn push(&mut self, element: &'s Element, step: Step, record: Option<&'s Record>) {
        let path_end = match self.frames.is_empty() {
            true => {
                push_step(&mut self.path, step);
                self.path.len()
            }
            false => GROUPED,
        };
        let (phase, progress) = (Phase::Attributes, Progress::default());
        self.open.push(Level { element, record, step, path_end, attributes: 0, rest: false, phase, progress });
        self.keep = self.open.len();
    }

    /// Closes the innermost element, or passes on a default of it.
    #[inline]
    fn close<'t>(&mut self) -> Result<Event<'t, 's>, Error> {
        let at = if matches!(self.goal, Goal::End) { self.position() } else { self.place() };
        if let Some(top) = self.open.last_mut()
            && let Some(record) = top.record
        {
            if top.phase == Phase::Attributes
                && let Some(event) = supply(top, u32::MAX, &mut self.expansion, at)?
            {
                return Ok(event);
            }
            top.progress.whole(record, at)?;
        }
        if self.open.pop().is_some_and(|level| level.path_end != GROUPED) {
            self.path.truncate(self.open.last().map_or(0, |level| level.path_end));
        }
        Ok(Event::Close)
    }

    /// Passes on an attribute of the innermost open element, or a default before it.
    fn attribute<'t>(&mut self, number: u32, raw: Raw<'t>) -> Result<Event<'t, 's>, Error> {
        let (schema_of, at) = (self.schema, self.place());
        let Some(top) = self.open.last_mut() else { return Ok(Event::End) };
        if number == REST {
            if top.phase > Phase::Attributes || top.attributes > 0 || std::mem::replace(&mut top.rest, true) {
                return Err(schema(at, "the row (*) after what follows it", "rows in order, each once"));
            }
            if !schema_of.has_rest(&top.element.content) {
                return Err(schema(at, "the row (*)", "only what the schema has a number for"));
            }
            self.goal = Goal::Next;
            return Ok(Event::Rest(raw));
        }
        let count = top.record.map_or(0, |record| record.attributes.len());
        let attribute = top.record.and_then(|record| record.attributes.get(number as usize));
        let Some(attribute) = attribute else { return Err(beyond(at, number, count, "attribute")) };
        if top.phase > Phase::Attributes || number < top.attributes {
            let found = format!("the attribute ({number}) after what follows it");
            return Err(schema(at, found, "rows in order, each once"));
        }
        if let Some(event) = supply(top, number, &mut self.expansion, at)? {
            return Ok(event);
        }
        top.attributes = number + 1;
        charge(&mut self.expansion, attribute.name.len(), at, "more names of attributes")?;
        self.goal = Goal::Next;
        Ok(Event::Attribute(attribute, raw))
    }

    /// Passes on the text of the innermost open element, or a default before it.
    fn text<'t>(&mut self, raw: Raw<'t>) -> Result<Option<Event<'t, 's>>, Error> {
        let at = self.place();
        let Some(top) = self.open.last_mut() else { return Ok(None) };
        if top.phase > Phase::Attributes {
            return Err(schema(at, "a row a second time, or after what follows it", "rows in order, each once"));
        }
        if let Some(event) = supply(top, u32::MAX, &mut self.expansion, at)? {
            return Ok(Some(event));
        }
        (top.phase, self.goal) = (Phase::Text, Goal::Next);
        match (top.record.map(|record| record.text), top.element.content) {
            (Some(Some(of)), _) | (None, Content::Value(of)) => Ok(Some(Event::Text(of, raw))),
            _ if raw.text.is_empty() => Ok(None),
            _ => Err(schema(raw.at(), "text in an element that has none", "no value after the '|'")),
        }
    }
}

#[cold]
fn beyond(at: usize, number: u32, count: usize, what: &str) -> Error {
    let (open, close) = if what == "element" { ('[', ']') } else { ('(', ')') };
    let expected = match count {
        0 => format!("no {what}: the schema has none there"),
        1 => format!("{open}0{close}, the only {what} that the schema has there"),
        count => format!("one of the {count} {what}s that the schema has there"),
    };
    schema(at, format!("the {what} {open}{number}{close}"), expected)
}

/// Charges what the schema adds to a row at `at`.
#[inline]
pub(crate) fn charge(expansion: &mut Expansion, bytes: usize, at: usize, found: &'static str) -> Result<(), Error> {
    expansion.charge(bytes).map_err(|exceeded| exceeded.error(FORMAT, at as u64, found))
}

/// The next default of an attribute before `number` that has no row.
#[inline]
fn supply<'t, 's>(
    top: &mut Level<'s>,
    before: u32,
    expansion: &mut Expansion,
    at: usize,
) -> Result<Option<Event<'t, 's>>, Error> {
    let Some(record) = top.record else { return Ok(None) };
    let next = record.next_needed(top.attributes);
    let Some(attribute) = record.attributes.get(next as usize).filter(|_| next < before) else {
        return Ok(None);
    };
    let Some(default) = &attribute.default else {
        return Err(schema(at, format!("missing attribute {}", attribute.name), ""));
    };
    charge(expansion, default.len() + attribute.name.len() + IMPLIED, at, "more defaults")?;
    top.attributes = next + 1;
    Ok(Some(Event::Default(attribute, default)))
}

/// The position of the first of some bytes, or the length. Most values are short, so eight bytes at a time are checked
/// before a call would pay off.
#[inline(always)]
fn find<const N: usize>(bytes: &[u8], wanted: [u8; N]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const WORDS: usize = 8;
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().take(WORDS).enumerate() {
        let word = u64::from_le_bytes(*word);
        let marks = wanted.iter().fold(0, |all, byte| {
            let none = word ^ (ONES * u64::from(*byte));
            all | none.wrapping_sub(ONES) & !none
        });
        // The first of the marked bytes is certainly one of them.
        let marks = marks & (ONES * 0x80);
        if marks != 0 {
            return number * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    if words.len() <= WORDS {
        let before = words.len() * 8;
        return rest.iter().position(|byte| wanted.contains(byte)).map_or(bytes.len(), |at| before + at);
    }
    let rest = bytes.get(WORDS * 8..).unwrap_or_default();
    let found = match wanted[..] {
        [one, other] => memchr::memchr2(one, other, rest),
        [one, other, third] => memchr::memchr3(one, other, third, rest),
        _ => rest.iter().position(|byte| wanted.contains(byte)),
    };
    found.map_or(bytes.len(), |at| WORDS * 8 + at)
}

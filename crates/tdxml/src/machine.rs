//! Converts rows, one after another, to elements, attributes and text.

use std::collections::HashMap;

use tam::{Error, Expansion, Limits, Row, Words};

use crate::FORMAT;
use crate::escape::EMPTY;
use crate::group::Groups;
use crate::path::{self, REST, Step};
use crate::place::{found, schema, syntax};
use crate::schema::{Attribute, Content, DataSchema, Element, NONE, Order, Record, ValueType};

/// Receives the content of rows. Values are raw: references are not resolved yet.
pub(crate) trait Sink<'s> {
    /// An element begins.
    fn open(&mut self, element: &'s Element, step: Step, at: usize) -> Result<(), Error>;

    /// What the element that began last has beyond its numbers, before anything else in it.
    fn rest(&mut self, value: &str, at: usize, expansion: &mut Expansion) -> Result<(), Error>;

    /// An attribute of the element that began last, before anything else in it. `at` is `None` if the value is the
    /// schema's default.
    fn attribute(&mut self, attribute: &'s Attribute, value: &str, at: Option<usize>) -> Result<(), Error>;

    /// The text of the element that began last.
    fn text(&mut self, of: ValueType, value: &str, at: usize) -> Result<(), Error>;

    /// The innermost open element ends.
    fn close(&mut self) -> Result<(), Error>;
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
struct OpenElement {
    step: Step,
    content: Content,
    /// The number of attributes that rows have passed.
    attributes: u32,
    /// Whether the row `(*)` has been read.
    rest: bool,
    phase: Phase,
    progress: Progress,
}

/// A group whose rows are being read.
#[derive(Debug)]
struct Frame {
    group: u32,
    /// The number of steps to the element of the rows.
    base: usize,
    /// The next column.
    column: usize,
    /// The occurrence of the element of the row.
    occurrence: u32,
    /// The number of rows left; `None` for the outermost group, which does not have it.
    left: Option<u64>,
}

/// Reads rows.
#[derive(Debug)]
pub(crate) struct Machine<'s> {
    schema: &'s DataSchema,
    limits: Limits,
    open: Vec<OpenElement>,
    roots: u32,
    root: Option<Step>,
    steps: Vec<Step>,
    groups: Groups,
    frames: Vec<Frame>,
    /// Whether the previous line was the head of a group.
    is_head: bool,
    /// The expansion by the schema: names, defaults, and elements without a cell.
    expansion: Expansion,
}

/// The charge for an element or attribute that takes a row of a document but no byte of the message.
const IMPLIED: usize = size_of::<Row>();

impl<'s> Machine<'s> {
    /// `len` is the length of the message in bytes, as far as known.
    pub(crate) fn new(schema: &'s DataSchema, limits: Limits, len: usize) -> Machine<'s> {
        Machine {
            schema,
            limits,
            open: Vec::new(),
            roots: 0,
            root: None,
            steps: Vec::new(),
            groups: Groups::default(),
            frames: Vec::new(),
            is_head: false,
            expansion: limits.decompression(len),
        }
    }

    /// Sets the length of the message so far.
    pub(crate) fn set_input(&mut self, len: usize) {
        self.expansion.set_input(len);
    }

    /// Reads a line without its end, at position `at`.
    pub(crate) fn line(&mut self, line: &str, at: usize, sink: &mut impl Sink<'s>) -> Result<(), Error> {
        if let [.., top] = &self.frames[..] {
            let is_path = line.starts_with('[');
            if is_path && (self.frames.len() > 1 || top.column > 0) {
                return Err(syntax(at, "a path in a group", "the rows and cells that it still has, or '&#91;'"));
            }
            if !is_path {
                self.is_head = false;
                return self.cells(line, at, sink);
            }
            self.end_group(at)?;
            self.frames.clear();
        }
        if line.bytes().all(|c| matches!(c, b' ' | b'\t')) {
            return Ok(());
        }
        self.steps.clear();
        let (attribute, mut end) = path::read(line, 0, at, &mut self.steps)?;
        if self.steps.is_empty() {
            return Err(syntax(at, found(line, 0), "the path of a row: '['"));
        }
        if attribute.is_none() && line.as_bytes().get(end) == Some(&b'{') {
            return self.head(line, end, at, sink);
        }
        end += line.get(end..).unwrap_or_default().bytes().take_while(|c| *c == b' ').count();
        let Some(value) = line.get(end..).and_then(|rest| rest.strip_prefix('|')) else {
            return Err(syntax(at + end, found(line, end), "'|' and a value"));
        };
        self.place(at, sink)?;
        self.value(attribute, value, at, at + end + 1, sink)
    }

    /// Ends the table.
    pub(crate) fn end(&mut self, at: usize, sink: &mut impl Sink<'s>) -> Result<(), Error> {
        if let Some(top) = self.frames.last()
            && (self.frames.len() > 1 || top.column > 0)
        {
            return Err(syntax(at, "the end of the table in a group", "the rows and cells that it still has"));
        }
        self.end_group(at)?;
        self.close_to(0, at, sink)?;
        match self.roots {
            0 => Err(schema(at, "no row", format!("the root element {}", self.schema.root.name))),
            _ => Ok(()),
        }
    }

    /// Checks that the group has at least one row.
    fn end_group(&self, at: usize) -> Result<(), Error> {
        match self.is_head {
            true => Err(syntax(at, "the end of a group without rows", "a row of the group")),
            false => Ok(()),
        }
    }

    /// The path of the open elements.
    pub(crate) fn path(&self) -> String {
        const SHOWN: usize = 64;
        let mut out = String::new();
        let mut elements = std::slice::from_ref(&self.schema.root);
        for (level, open) in self.open.iter().enumerate() {
            if level == SHOWN {
                out.push_str("/…");
                break;
            }
            let Some(element) = elements.get(open.step.number as usize) else { break };
            out.push('/');
            out.push_str(&element.name);
            if open.step.occurrence != NONE && open.step.occurrence > 0 {
                out.push_str(&format!("[{}]", u64::from(open.step.occurrence) + 1));
            }
            elements = self.schema.elements_of(&open.content);
        }
        out
    }

    /// Reads the head of a group: its columns, and the first occurrence that has a row.
    fn head(&mut self, line: &str, end: usize, at: usize, sink: &mut impl Sink<'s>) -> Result<(), Error> {
        let groups = Groups::read(line, end, at, self.limits.depth)?;
        let Some(last) = self.steps.pop() else { return Ok(()) };
        if last.occurrence == NONE {
            return Err(syntax(at + end, found(line, end), "the number of an occurrence"));
        }
        // The elements around the rows exist even if there are no rows.
        if !self.steps.is_empty() {
            self.place(at, sink)?;
        }
        self.steps.push(last);
        let schema_of = self.schema;
        let above = self.open.last().and_then(|open| schema_of.record(&open.content));
        let elements = if self.steps.len() == 1 {
            std::slice::from_ref(&schema_of.root)
        } else {
            above.map_or(&[][..], |record| &record.elements)
        };
        let Some(element) = elements.get(last.number as usize) else {
            return Err(beyond(at, last.number, elements.len(), "element"));
        };
        if !groups.fit(schema_of, element.content) {
            let expected = "columns of the schema, in the order of rows";
            return Err(schema(at + end, "a column that the schema does not have there", expected));
        }
        self.groups = groups;
        let (base, occurrence) = (self.steps.len(), last.occurrence);
        self.frames.push(Frame { group: 0, base, column: 0, occurrence, left: None });
        self.is_head = true;
        Ok(())
    }

    /// Reads a line of a group.
    fn cells(&mut self, line: &str, at: usize, sink: &mut impl Sink<'s>) -> Result<(), Error> {
        let mut from = 0;
        loop {
            let Some(frame) = self.frames.last() else { return Ok(()) };
            let (group, base, number) = (frame.group, frame.base, frame.column);
            let columns = self.groups.columns(group);
            let count = columns.len();
            if number == 0 {
                self.steps.truncate(base);
                if let Some(step) = self.steps.last_mut() {
                    step.occurrence = frame.occurrence;
                }
                self.place(at, sink)?;
            }
            let Some(column) = self.groups.columns(group).get(number).copied() else {
                if !line.is_empty() {
                    return Err(syntax(at, found(line, 0), "the end of the line: the group has no columns"));
                }
                break;
            };
            let rest = line.get(from..).unwrap_or_default();
            let end = memchr::memchr(b'|', rest.as_bytes()).map_or(line.len(), |end| from + end);
            let cell = line.get(from..end).unwrap_or_default();
            self.next_column();
            if let Some(inner) = column.group {
                return self.count(inner, &column, cell, end == line.len(), at + from);
            }
            if !cell.is_empty() {
                self.steps.truncate(base);
                self.steps.extend_from_slice(self.groups.steps(&column));
                let value = if cell == EMPTY { "" } else { cell };
                self.place(at + from, sink)?;
                self.value(column.attribute, value, at + from, at + from, sink)?;
            }
            if end == line.len() {
                if number + 1 < count {
                    let more = Words::Count((count - number - 1) as u64, "cells more");
                    return Err(syntax(at + end, "the end of the line", more));
                }
                break;
            }
            if number + 1 == count {
                return Err(syntax(at + end, "one more cell", "the end of the line"));
            }
            from = end + 1;
        }
        self.settle();
        Ok(())
    }

    fn next_column(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.column += 1;
        }
    }

    /// Reads a cell with the number of rows of a nested group that follow.
    fn count(
        &mut self,
        group: u32,
        column: &crate::group::Column,
        cell: &str,
        is_last: bool,
        at: usize,
    ) -> Result<(), Error> {
        let plain = cell.bytes().all(|c| c.is_ascii_digit()) && (cell == "0" || !cell.starts_with('0'));
        let Some(count) = cell.parse::<u64>().ok().filter(|_| plain) else {
            let found = Words::Own(format!("'{}'", tam::excerpt(cell).escape_debug()));
            return Err(syntax(at, found, "how many rows come"));
        };
        if !is_last {
            return Err(syntax(at + cell.len(), "one more cell", "the end of the line, and the rows"));
        }
        if count == 0 {
            self.settle();
            return Ok(());
        }
        let base = self.frames.last().map_or(0, |frame| frame.base);
        self.steps.truncate(base);
        self.steps.extend_from_slice(self.groups.steps(column));
        let base = self.steps.len();
        self.frames.push(Frame { group, base, column: 0, occurrence: 0, left: Some(count) });
        Ok(())
    }

    /// Ends the rows that have all their cells.
    fn settle(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if frame.column < self.groups.groups.get(frame.group as usize).map_or(0, Vec::len) {
                return;
            }
            frame.column = 0;
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

    /// Opens and closes elements until those of the steps are open.
    fn place(&mut self, at: usize, sink: &mut impl Sink<'s>) -> Result<(), Error> {
        let shared = self.steps.iter().zip(&self.open).take_while(|(step, open)| **step == open.step).count();
        self.close_to(shared, at, sink)?;
        for level in shared..self.steps.len() {
            let Some(step) = self.steps.get(level).copied() else { break };
            let implied = if level + 1 < self.steps.len() { IMPLIED } else { 0 };
            self.open_child(step, implied, at, sink)?;
        }
        Ok(())
    }

    /// Opens an element, and charges its name and `implied` more bytes.
    fn open_child(&mut self, step: Step, implied: usize, at: usize, sink: &mut impl Sink<'s>) -> Result<(), Error> {
        if self.open.len() >= self.limits.depth as usize {
            return Err(Error::limit(FORMAT, at as u64, "one more level", "depth", self.limits.depth.into()));
        }
        let schema_of = self.schema;
        let element = match self.open.last_mut() {
            None => {
                let element = Some(&schema_of.root).filter(|_| step.number == 0);
                let element = element.ok_or_else(|| beyond(at, step.number, 1, "element"))?;
                follows(self.root, step, element, at)?;
                self.root = Some(step);
                self.roots += 1;
                element
            }
            Some(parent) => {
                let Some(record) = schema_of.record(&parent.content) else {
                    return Err(schema(at, "an element inside a value", "no element: the schema has none there"));
                };
                if parent.phase < Phase::Elements {
                    flush(record, parent, &mut self.expansion, at, sink)?;
                    parent.phase = Phase::Elements;
                }
                let count = record.elements.len();
                let element = record.elements.get(step.number as usize);
                let element = element.ok_or_else(|| beyond(at, step.number, count, "element"))?;
                parent.progress.step(record, step, element, at)?;
                element
            }
        };
        charge(&mut self.expansion, element.name.len() + implied, at, "more names of elements")?;
        sink.open(element, step, at)?;
        self.open.push(OpenElement {
            step,
            content: element.content,
            attributes: 0,
            rest: false,
            phase: Phase::Attributes,
            progress: Progress::default(),
        });
        Ok(())
    }

    /// Closes the open elements beyond a level.
    fn close_to(&mut self, level: usize, at: usize, sink: &mut impl Sink<'s>) -> Result<(), Error> {
        while self.open.len() > level {
            let schema_of = self.schema;
            let Some(top) = self.open.last_mut() else { break };
            if let Some(record) = schema_of.record(&top.content) {
                if top.phase == Phase::Attributes {
                    flush(record, top, &mut self.expansion, at, sink)?;
                }
                top.progress.whole(record, at)?;
            }
            sink.close()?;
            self.open.pop();
        }
        Ok(())
    }

    /// Reads the value of the innermost open element, or of one of its attributes. `row` is the start of the row.
    fn value(
        &mut self,
        attribute: Option<u32>,
        value: &str,
        row: usize,
        at: usize,
        sink: &mut impl Sink<'s>,
    ) -> Result<(), Error> {
        let schema_of = self.schema;
        let Some(top) = self.open.last_mut() else { return Ok(()) };
        let record = schema_of.record(&top.content);
        if let Some(number) = attribute {
            if number == REST {
                if top.phase > Phase::Attributes || top.attributes > 0 || std::mem::replace(&mut top.rest, true) {
                    return Err(schema(row, "the row (*) after what follows it", "rows in order, each once"));
                }
                if !schema_of.has_rest(&top.content) {
                    return Err(schema(row, "the row (*)", "only what the schema has a number for"));
                }
                return sink.rest(value, at, &mut self.expansion);
            }
            let count = record.map_or(0, |record| record.attributes.len());
            let attribute = record.and_then(|record| record.attributes.get(number as usize));
            let Some((record, attribute)) = record.zip(attribute) else {
                return Err(beyond(row, number, count, "attribute"));
            };
            if top.phase > Phase::Attributes || number < top.attributes {
                let found = format!("the attribute ({number}) after what follows it");
                return Err(schema(row, found, "rows in order, each once"));
            }
            supply(record, top, number, &mut self.expansion, row, sink)?;
            top.attributes = number + 1;
            charge(&mut self.expansion, attribute.name.len(), row, "more names of attributes")?;
            return sink.attribute(attribute, value, Some(at));
        }
        if top.phase > Phase::Attributes {
            return Err(schema(row, "a row a second time, or after what follows it", "rows in order, each once"));
        }
        match (record, top.content) {
            (Some(record), _) => {
                flush(record, top, &mut self.expansion, row, sink)?;
                top.phase = Phase::Text;
                match record.text {
                    Some(of) => sink.text(of, value, at),
                    None if value.is_empty() => Ok(()),
                    None => Err(schema(at, "text in an element that has none", "no value after the '|'")),
                }
            }
            (None, Content::Value(of)) => {
                top.phase = Phase::Text;
                sink.text(of, value, at)
            }
            (None, _) => Ok(()),
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

/// Checks that a step may follow the last one of the same parent, by its occurrence.
fn follows(last: Option<Step>, step: Step, element: &Element, at: usize) -> Result<(), Error> {
    if element.repeated != (step.occurrence != NONE) {
        let (found, expected) = match element.repeated {
            true => ("a path without the number of an occurrence", "one"),
            false => ("the number of an occurrence", "none: the schema has at most one such element"),
        };
        return Err(schema(at, found, expected));
    }
    let next = last.filter(|last| last.number == step.number).map_or(0, |last| last.occurrence.wrapping_add(1));
    let right =
        if element.repeated { step.occurrence == next } else { last.is_none_or(|last| last.number != step.number) };
    if right { Ok(()) } else { Err(out_of_order(at, step, element, next)) }
}

#[cold]
fn out_of_order(at: usize, step: Step, element: &Element, next: u32) -> Error {
    if !element.repeated {
        return schema(at, format!("{} a second time", element.name), "at most one, with adjacent rows");
    }
    let found = format!("occurrence {} of {}", step.occurrence, element.name);
    schema(at, found, format!("{next}: rows in order, those of an element together"))
}

/// Which elements of a record have been read.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// The last element and its occurrence.
    pub(crate) last: Option<Step>,
    /// In a record with any order: the number of elements with each number.
    counts: HashMap<u32, u32, foldhash::fast::RandomState>,
}

impl Progress {
    /// The number of elements with a number, in a record with any order.
    pub(crate) fn count(&self, number: u32) -> u32 {
        self.counts.get(&number).copied().unwrap_or(0)
    }

    /// Advances to an element, if it may follow.
    pub(crate) fn step(&mut self, record: &Record, step: Step, element: &Element, at: usize) -> Result<(), Error> {
        let last = self.last;
        match record.order {
            Order::Set => {
                let seen = self.counts.entry(step.number).or_insert(0);
                let before = seen.checked_sub(1).map(|occurrence| Step {
                    number: step.number,
                    occurrence: if element.repeated { occurrence } else { NONE },
                });
                follows(before, step, element, at)?;
                *seen += 1;
            }
            Order::Choice => {
                if let Some(last) = last.filter(|last| last.number != step.number) {
                    let found = format!("{} after another alternative", element.name);
                    return Err(schema(at, found, format!("one alternative, [{}]", last.number)));
                }
                follows(last, step, element, at)?;
            }
            Order::Sequence => {
                follows(last, step, element, at)?;
                let from = last.map_or(0, |last| last.number + 1);
                if step.number + 1 < from {
                    let found = format!("{} after what follows it", element.name);
                    return Err(schema(at, found, "rows in the order of the schema"));
                }
                missing(record, from.min(step.number), step.number, at)?;
            }
        }
        self.last = Some(step);
        Ok(())
    }

    /// Checks that a record has all mandatory elements.
    pub(crate) fn whole(&self, record: &Record, at: usize) -> Result<(), Error> {
        match record.order {
            Order::Sequence => {
                missing(record, self.last.map_or(0, |last| last.number + 1), record.elements.len() as u32, at)
            }
            Order::Choice => match self.last {
                None if record.required() > 0 && record.required() as usize == record.elements.len() => {
                    Err(schema(at, "no alternative", "one of those that the schema has"))
                }
                _ => Ok(()),
            },
            Order::Set => {
                let mut number = record.next_required(0);
                // Each element that is present cost a row, and the first missing one ends the loop.
                while (number as usize) < record.elements.len() {
                    if !self.counts.contains_key(&number) {
                        return missing(record, number, number + 1, at);
                    }
                    number = record.next_required(number + 1);
                }
                Ok(())
            }
        }
    }
}

/// Checks that no mandatory element is missing between two numbers.
fn missing(record: &Record, from: u32, to: u32, at: usize) -> Result<(), Error> {
    let next = record.next_required(from);
    if next >= to {
        return Ok(());
    }
    let name = record.elements.get(next as usize).map_or("", |element| &element.name);
    Err(schema(at, format!("missing element {name}"), ""))
}

/// Charges what the schema adds to a row at `at`.
#[inline]
pub(crate) fn charge(expansion: &mut Expansion, bytes: usize, at: usize, found: &'static str) -> Result<(), Error> {
    expansion.charge(bytes).map_err(|exceeded| exceeded.error(FORMAT, at as u64, found))
}

/// Passes on the attributes that have no row.
fn flush<'s>(
    record: &'s Record,
    top: &mut OpenElement,
    expansion: &mut Expansion,
    at: usize,
    sink: &mut impl Sink<'s>,
) -> Result<(), Error> {
    let count = record.attributes.len() as u32;
    supply(record, top, count, expansion, at, sink)?;
    top.attributes = count;
    Ok(())
}

/// Passes on the defaults of the attributes before `number` that have no row.
fn supply<'s>(
    record: &'s Record,
    top: &OpenElement,
    before: u32,
    expansion: &mut Expansion,
    at: usize,
    sink: &mut impl Sink<'s>,
) -> Result<(), Error> {
    let mut next = record.next_needed(top.attributes);
    while next < before {
        let Some(attribute) = record.attributes.get(next as usize) else { break };
        match &attribute.default {
            Some(default) => {
                charge(expansion, default.len() + attribute.name.len() + IMPLIED, at, "more defaults")?;
                sink.attribute(attribute, default, None)?;
            }
            None => {
                let name = &attribute.name;
                return Err(schema(at, format!("missing attribute {name}"), ""));
            }
        }
        next = record.next_needed(next + 1);
    }
    Ok(())
}

//! The structure of a message, next to its bits.

use std::fmt::Write;

use lengthwise::{Error, Format, Options};
use wasm_bindgen::prelude::*;

use crate::failure::{json, push_string};

mod page;
mod units;
#[cfg(feature = "asn1")]
mod values;

/// Bits of a message with one purpose.
#[derive(Clone, Copy, Debug)]
struct Span {
    bit: u64,
    bits: u64,
    part: &'static str,
    row: u32,
}

/// A line of the tree.
#[derive(Clone, Debug)]
struct Row {
    parent: u32,
    depth: u32,
    /// The row after the last one below this.
    end: u32,
    name: Text,
    kind: Kind,
    value: Option<Text>,
    /// All bits of the row and of those below it.
    bit: u64,
    bits: u64,
}

/// A type: a word that is known, or one of the message.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Word(&'static str),
    #[cfg(feature = "asn1")]
    Text(Text),
}

/// Where a text is: in the message, or after it in the copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Text {
    at: usize,
    len: usize,
}

/// The most bytes of a value that a row shows.
const SHOWN: usize = 200;

/// The rows of a message in order. They stay in the module, and are asked for a few at a time.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Inspection {
    format: Format,
    message: Vec<u8>,
    copied: Vec<u8>,
    rows: Vec<Row>,
    /// In order of their bits.
    spans: Vec<Span>,
    error: Option<String>,
}

impl Inspection {
    /// The structure of a message up to the first error in it.
    pub(crate) fn of(message: Vec<u8>, format: Format, options: &Options<'_>) -> Inspection {
        let mut of =
            Inspection { format, message, copied: Vec::new(), rows: Vec::new(), spans: Vec::new(), error: None };
        if let Err(error) = of.fill(options) {
            of.error = Some(json(&error, None));
        }
        // Less code than a stable sort, and spans of the same bit are in order of their rows.
        of.spans.sort_unstable_by_key(|span| (span.bit, span.row));
        of.settle();
        of
    }

    fn fill(&mut self, options: &Options<'_>) -> Result<(), Error> {
        #[cfg(feature = "asn1")]
        if self.format.rules().is_some() {
            return values::fill(self, options);
        }
        units::fill(self, options)
    }

    /// Opens a row below another, and returns its number.
    fn open(&mut self, parent: Option<u32>, name: Text, kind: Kind, value: Option<Text>) -> u32 {
        let number = self.rows.len() as u32;
        let depth = parent.and_then(|parent| self.rows.get(parent as usize)).map_or(0, |row| row.depth + 1);
        let parent = parent.unwrap_or(u32::MAX);
        self.rows.push(Row { parent, depth, end: number + 1, name, kind, value, bit: 0, bits: 0 });
        number
    }

    fn text(&self, text: Text) -> &[u8] {
        let (from, at) = match text.at.checked_sub(self.message.len()) {
            Some(at) => (&self.copied, at),
            None => (&self.message, text.at),
        };
        from.get(at..at.saturating_add(text.len)).unwrap_or_default()
    }

    /// Gives each row the end of its descendants and all their bits.
    fn settle(&mut self) {
        let mut bits: Vec<Option<(u64, u64)>> = vec![None; self.rows.len()];
        let widen = |bits: &mut Option<(u64, u64)>, start: u64, end: u64| {
            *bits = Some(bits.map_or((start, end), |(first, last)| (first.min(start), last.max(end))));
        };
        for span in &self.spans {
            if let Some(bits) = bits.get_mut(span.row as usize) {
                widen(bits, span.bit, span.bit + span.bits);
            }
        }
        for number in (0..self.rows.len()).rev() {
            let (own, end) = (bits.get(number).copied().flatten(), self.rows.get(number).map_or(0, |row| row.end));
            let parent = self.rows.get(number).map_or(u32::MAX, |row| row.parent) as usize;
            if let Some(above) = self.rows.get_mut(parent) {
                above.end = above.end.max(end);
            }
            if let (Some((start, end)), Some(above)) = (own, bits.get_mut(parent)) {
                widen(above, start, end);
            }
            if let (Some(row), Some((start, end))) = (self.rows.get_mut(number), own) {
                (row.bit, row.bits) = (start, end - start);
            }
        }
    }

    fn name(&self, row: &Row) -> String {
        String::from_utf8_lossy(self.text(row.name)).into_owned()
    }

    fn kind<'i>(&'i self, row: &'i Row) -> std::borrow::Cow<'i, str> {
        match row.kind {
            Kind::Word(word) => word.into(),
            #[cfg(feature = "asn1")]
            Kind::Text(text) => String::from_utf8_lossy(self.text(text)),
        }
    }

    /// The start of a value, as text or as hexadecimal digits.
    fn value(&self, row: &Row) -> Option<String> {
        let text = row.value?;
        let octets = self.text(text);
        if matches!(row.kind, Kind::Word("binary" | "byte")) {
            let shown = octets.get(..SHOWN / 2).unwrap_or(octets);
            let mut digits: String = shown.iter().map(|octet| format!("{octet:02X}")).collect();
            if shown.len() < octets.len() {
                digits.push('…');
            }
            return Some(digits);
        }
        let shown = octets.get(..SHOWN).unwrap_or(octets);
        let mut shown = String::from_utf8_lossy(shown).into_owned();
        if octets.len() > SHOWN {
            // A character may have been cut.
            shown.truncate(shown.trim_end_matches('\u{FFFD}').len());
            shown.push('…');
        }
        Some(shown)
    }

    /// A row as JSON.
    fn push(&self, number: usize, row: &Row, out: &mut String) {
        let _ = write!(
            out,
            "{{\"row\":{number},\"end\":{},\"depth\":{},\"bit\":{},\"bits\":{},\"kind\":",
            row.end, row.depth, row.bit, row.bits
        );
        push_string(out, &self.kind(row));
        out.push_str(",\"name\":");
        push_string(out, &self.name(row));
        if let Some(value) = self.value(row) {
            out.push_str(",\"value\":");
            push_string(out, &value);
        }
        out.push('}');
    }
}

#[wasm_bindgen]
impl Inspection {
    /// The number of rows.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn length(&self) -> usize {
        self.rows.len()
    }

    /// The error in the message, as JSON.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.error.clone()
    }

    /// For each row, the number of the row after the last one below it.
    #[must_use]
    pub fn ends(&self) -> Vec<u32> {
        self.rows.iter().map(|row| row.end).collect()
    }

    /// Some of the rows, as JSON.
    #[must_use]
    pub fn rows(&self, numbers: &[u32]) -> String {
        let mut out = String::from("[");
        for number in numbers {
            if let Some(row) = self.rows.get(*number as usize) {
                if out.len() > 1 {
                    out.push(',');
                }
                self.push(*number as usize, row, &mut out);
            }
        }
        out.push(']');
        out
    }

    /// What the bits from `bit` on, as many as `bits`, are for: spans as JSON.
    #[must_use]
    pub fn spans(&self, bit: f64, bits: f64) -> String {
        let (start, end) = (bit as u64, (bit + bits) as u64);
        let first = self.spans.partition_point(|span| span.bit + span.bits <= start);
        let mut out = String::from("[");
        for span in self.spans.iter().skip(first).take_while(|span| span.bit < end).filter(|span| span.bits > 0) {
            if out.len() > 1 {
                out.push(',');
            }
            let Span { bit, bits, part, row } = span;
            let _ = write!(out, "{{\"bit\":{bit},\"bits\":{bits},\"part\":\"{part}\",\"row\":{row}}}");
        }
        out.push(']');
        out
    }

    /// The row that a bit belongs to.
    #[must_use]
    pub fn at(&self, bit: f64) -> Option<u32> {
        let bit = bit as u64;
        let next = self.spans.partition_point(|span| span.bit <= bit);
        let of = self.spans.iter().take(next).rev().take(64).find(|span| bit < span.bit + span.bits)?;
        Some(of.row)
    }

    /// The path of a row, as a query has it.
    #[must_use]
    pub fn path(&self, row: u32) -> String {
        if self.is_of_units() { units::path(self, row) } else { plain_path(self, row) }
    }

    /// The row at a path; of several elements of a name the first.
    #[must_use]
    pub fn row_at(&self, path: &str) -> Option<u32> {
        let steps = path.strip_prefix('/')?;
        let mut here = None;
        for step in steps.split('/').filter(|_| !steps.is_empty()) {
            here = Some(units::child_at(self, here, step)?);
        }
        here.or_else(|| (!self.rows.is_empty()).then_some(0))
    }

    /// The next row from `from` on, starting again at the first, whose name or value contains a text. Upper and lower case
    /// of ASCII are the same.
    #[must_use]
    pub fn search(&self, text: &str, from: u32) -> Option<u32> {
        let wanted = text.to_ascii_lowercase();
        let matches = |row: &Row| {
            let has = |text: Text| contains(self.text(text), wanted.as_bytes());
            has(row.name)
                || row.value.is_some_and(has)
                || self.value(row).is_some_and(|value| contains(value.as_bytes(), wanted.as_bytes()))
        };
        let count = self.rows.len();
        let numbers = (from as usize..count).chain(0..count.min(from as usize));
        numbers.into_iter().find(|number| self.rows.get(*number).is_some_and(matches)).map(|number| number as u32)
    }

    /// The message.
    #[must_use]
    pub fn bytes(&self, from: usize, len: usize) -> Vec<u8> {
        let end = from.saturating_add(len).min(self.message.len());
        self.message.get(from..end).unwrap_or_default().to_vec()
    }

    /// A page of its own with the structure and the bytes: HTML without a script.
    #[must_use]
    pub fn page(&self, title: &str) -> String {
        page::of(self, title)
    }
}

impl Inspection {
    fn is_of_units(&self) -> bool {
        #[cfg(feature = "asn1")]
        return self.format.rules().is_none();
        #[cfg(not(feature = "asn1"))]
        true
    }
}

/// Whether a text contains another in lower case.
fn contains(text: &[u8], wanted: &[u8]) -> bool {
    wanted.is_empty() || text.windows(wanted.len()).any(|part| part.eq_ignore_ascii_case(wanted))
}

/// The names from the root to a row.
fn plain_path(of: &Inspection, row: u32) -> String {
    let mut names = Vec::new();
    let mut row = of.rows.get(row as usize);
    while let Some(here) = row.filter(|row| row.parent != u32::MAX) {
        names.push(of.name(here));
        row = of.rows.get(here.parent as usize);
    }
    names.iter().rev().fold(String::new(), |path, name| path + "/" + name)
}

//! The structure of a message, next to its bits: rows that are asked for a few at a time.

use std::fmt::Write;

use lengthwise::{Error, Format, Options};

use crate::json::push_json_string;

mod page;
mod sizes;
mod steps;
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
    /// The number of the row among those directly below its parent, from 0.
    index: u32,
    /// In XML, the number among those of its name, from 1; 0 if it is the only one.
    nth: u32,
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

/// What the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// The units of a document.
    Units,
    /// Values of a schema.
    #[cfg(feature = "asn1")]
    Values,
    /// Encodings of BER without a schema.
    #[cfg(feature = "asn1")]
    Elements,
}

/// The structure of a message: rows in document order, each with its bits. What is shown of them is JSON, a few rows at a time.
///
/// ```
/// # use lengthwise::{Format, Options};
/// use lengthwise_inspect::Inspection;
///
/// let seen = Inspection::new(br#"{"a": [1, 2]}"#.to_vec(), Format::Json, &Options::default());
/// assert_eq!((seen.len(), seen.path(3)), (4, "/a/1".to_owned()));
/// assert_eq!(seen.row_at("/a/1"), Some(3));
/// assert_eq!(seen.at(8 * 10), Some(3));
/// ```
#[derive(Debug)]
pub struct Inspection {
    format: Format,
    message: Vec<u8>,
    copied: Vec<u8>,
    shape: Shape,
    rows: Vec<Row>,
    /// In order of their bits.
    spans: Vec<Span>,
    error: Option<Error>,
}

impl Inspection {
    /// The structure of a message up to the first error in it. A document with an error has no rows; values of a schema have
    /// those before it.
    #[must_use]
    pub fn new(message: Vec<u8>, format: Format, options: &Options<'_>) -> Inspection {
        let (rows, spans, copied) = (Vec::new(), Vec::new(), Vec::new());
        let mut of = Inspection { format, message, copied, shape: Shape::Units, rows, spans, error: None };
        of.error = of.fill(options).err();
        // Less code than a stable sort, and spans of the same bit are in order of their rows.
        of.spans.sort_unstable_by_key(|span| (span.bit, span.row));
        of.settle();
        of.number();
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
        self.rows.push(Row { parent, depth, end: number + 1, name, kind, value, index: 0, nth: 0, bit: 0, bits: 0 });
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

    fn kind_name(&self, kind: Kind) -> std::borrow::Cow<'_, str> {
        match kind {
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
        push_json_string(out, &self.kind_name(row.kind));
        out.push_str(",\"name\":");
        push_json_string(out, &self.name(row));
        if let Some(value) = self.value(row) {
            out.push_str(",\"value\":");
            push_json_string(out, &value);
        }
        out.push('}');
    }
}

impl Inspection {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row: the message has an error.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The format of the message.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// The error in the message.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// For each row, the number of the row after the last one below it.
    #[must_use]
    pub fn ends(&self) -> Vec<u32> {
        self.rows.iter().map(|row| row.end).collect()
    }

    /// Some of the rows, as an array of JSON: each has `row`, `end`, `depth`, `bit`, `bits`, `kind`, `name`, and the start of its
    /// `value` if it has one.
    #[must_use]
    pub fn rows(&self, numbers: &[u32]) -> String {
        let known = numbers.iter().filter_map(|number| Some((*number as usize, self.rows.get(*number as usize)?)));
        array(known, |(number, row), out| self.push(number, row, out))
    }

    /// What the bits from `bit` on, as many as `bits`, are for: spans as an array of JSON, each with `bit`, `bits`, `part`, `row`.
    #[must_use]
    pub fn spans(&self, bit: u64, bits: u64) -> String {
        let first = self.spans.partition_point(|span| span.bit + span.bits <= bit);
        let end = bit.saturating_add(bits);
        array(self.spans.iter().skip(first).take_while(|span| span.bit < end).filter(|span| span.bits > 0), push_span)
    }

    /// The first bits of a row itself, without those of the rows below it: spans as [`spans`](Inspection::spans) has them.
    #[must_use]
    pub fn parts(&self, row: u32) -> String {
        const SHOWN: usize = 16;
        let (bit, bits) = self.rows.get(row as usize).map_or((0, 0), |row| (row.bit, row.bits));
        let first = self.spans.partition_point(|span| span.bit < bit);
        let inside = self.spans.iter().skip(first).take_while(|span| span.bit < bit + bits);
        array(inside.filter(|span| span.row == row && span.bits > 0).take(SHOWN), push_span)
    }

    /// The row that a bit belongs to.
    #[must_use]
    pub fn at(&self, bit: u64) -> Option<u32> {
        let next = self.spans.partition_point(|span| span.bit <= bit);
        let of = self.spans.iter().take(next).rev().take(64).find(|span| bit < span.bit + span.bits)?;
        Some(of.row)
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
}

/// An array of JSON.
fn array<T>(items: impl IntoIterator<Item = T>, mut push: impl FnMut(T, &mut String)) -> String {
    let mut out = String::from("[");
    for item in items {
        if out.len() > 1 {
            out.push(',');
        }
        push(item, &mut out);
    }
    out.push(']');
    out
}

fn push_span(Span { bit, bits, part, row }: &Span, out: &mut String) {
    let _ = write!(out, "{{\"bit\":{bit},\"bits\":{bits},\"part\":\"{part}\",\"row\":{row}}}");
}

/// Whether a text contains another in lower case.
fn contains(text: &[u8], wanted: &[u8]) -> bool {
    wanted.is_empty() || text.windows(wanted.len()).any(|part| part.eq_ignore_ascii_case(wanted))
}

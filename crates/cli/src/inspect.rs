//! `inspect`: the structure of a message beside its bytes.

use std::fmt::Write;

use lengthwise::Format;
use lengthwise::tam::{Document, Node, Step, Table, Vocabulary, Walk};

use crate::args::Inspect;
use crate::heads::{Head, Heads};
use crate::inputs::Input;
use crate::kind;
use crate::line::Line;
use crate::output::Standard;
use crate::report::{Failure, Reading, Status};

pub(crate) fn run(args: &Inspect) -> Result<Status, Failure> {
    let input = Input::named(&args.input);
    let options = args.common.options();
    let (bytes, told) = input.read(args.common.from.map(|from| from.0), &options.limits)?;
    let format = told.format;
    let mut table = Table::new();
    let document = lengthwise::read(&bytes, format, &options, &mut table)
        .map_err(|error| Failure::unread(&input, &Reading::new(told, &options), error, &bytes))?;
    let mut units = Units::new(&document, &bytes, format);
    let mut out = Standard::new();
    if args.common.json {
        units.try_for_each(|unit| out.put(unit.line()))?;
    } else {
        let widths = units.clone().fold(Widths::new(format), |widths, unit| widths.with(&unit));
        out.put(widths.heading())?;
        let mut row = String::new();
        units.try_for_each(|unit| {
            row.clear();
            widths.row(&unit, &mut row);
            out.put(&row)
        })?;
    }
    out.end()?;
    Ok(Status::Done)
}

/// One unit and where it stands.
struct Unit<'d> {
    node: Node<'d>,
    depth: usize,
    word: &'static str,
    /// Where the unit begins (wire formats), or where its data or its name stands; `None` where
    /// that is nowhere, or not as it is read.
    offset: Option<usize>,
    head: Option<Head<'d>>,
    /// Number of what is in it, and whether these are bytes; else they are units.
    number: usize,
    in_bytes: bool,
}

/// All units of a message, in its order.
#[derive(Clone)]
struct Units<'d> {
    walk: Walk<'d>,
    heads: Option<Heads<'d>>,
    is_pon: bool,
    above: Vec<u8>,
}

impl<'d> Units<'d> {
    fn new(document: &'d Document<'d>, bytes: &'d [u8], format: Format) -> Units<'d> {
        let heads = Heads::of(bytes, format);
        Units { walk: document.walk(), heads, is_pon: format == Format::Pon, above: Vec::new() }
    }

    fn unit(&mut self, node: Node<'d>) -> Unit<'d> {
        let mut above = self.above.iter().rev().copied();
        let inside = (above.next(), above.next());
        let word = kind::word(&node, inside);
        let head = self.heads.as_mut().map(|heads| heads.next(&node, inside.0));
        let offset = head.map_or_else(|| offset(&node), |head| Some(head.offset));
        let number = head.map_or(node.row().len() as usize, |head| head.number);
        let in_bytes = self.is_pon || !node.is_structured();
        Unit { node, depth: self.above.len(), word, offset, head, number, in_bytes }
    }
}

impl<'d> Iterator for Units<'d> {
    type Item = Unit<'d>;

    fn next(&mut self) -> Option<Unit<'d>> {
        loop {
            match self.walk.next()? {
                Step::Primitive(node) => return Some(self.unit(node)),
                Step::Open(node) => {
                    let unit = self.unit(node);
                    self.above.push(node.kind());
                    return Some(unit);
                }
                Step::Close(_) => drop(self.above.pop()),
            }
        }
    }
}

/// Where the data of a unit of a text stands in it, or, where it has none, its name.
fn offset(node: &Node<'_>) -> Option<usize> {
    let (message, _) = node.document().texts();
    let row = node.row();
    let (at, len) = if row.is_structured() { (row.name_at(), row.name_len()) } else { (row.value_at(), row.len()) };
    let end = at as usize + len as usize;
    (len > 0 && end <= message.len()).then_some(at as usize)
}

impl Unit<'_> {
    /// The type character, as the message has it or would have it in TSF.
    fn kind(&self) -> char {
        char::from(self.head.map_or(self.node.kind(), |head| head.kind()))
    }

    /// What the number of the unit counts, in a word.
    fn counted(&self) -> &'static str {
        match (self.in_bytes, self.number) {
            (false, 1) => "unit ",
            (false, _) => "units",
            (true, 1) => "byte ",
            (true, _) => "bytes",
        }
    }

    /// Whether the data is octets, which are no text.
    fn is_binary(&self) -> bool {
        let node = &self.node;
        node.document().types().vocabulary() == Vocabulary::Value && matches!(node.kind(), b'*' | b'`')
    }

    /// The data of a unit, or the word for what the type alone says.
    fn data(&self) -> &[u8] {
        match (self.head.map(|head| head.kind()), self.word) {
            (Some(b't'), "boolean") => b"true",
            (Some(b'f'), "boolean") => b"false",
            _ => self.node.value(),
        }
    }

    fn line(&self) -> String {
        let node = &self.node;
        let name = node.name();
        let line = Line::new().maybe("offset", self.offset).json("depth", self.depth);
        let line = match self.head {
            Some(head) => line.text("head", &String::from_utf8_lossy(head.bytes)),
            None => line,
        };
        let line = line.text("type", &self.kind().to_string()).text("kind", self.word);
        let line = line.maybe("name", (!name.is_none()).then(|| Line::string(&name.to_text())));
        let line = if self.in_bytes { line.json("length", self.number) } else { line };
        if node.is_structured() {
            return line.json("units", node.row().len()).end();
        }
        if self.is_binary() {
            let octets = node.value();
            return line.text("hex", &hex(octets.get(..OCTETS).unwrap_or(octets), "")).end();
        }
        let line = line.text("value", &String::from_utf8_lossy(self.data()));
        line.json("utf8", node.text().is_ok()).end()
    }
}

/// The longest name, head and value shown, in characters.
const NAME: usize = 40;
const HEAD: usize = 24;
const VALUE: usize = 60;

/// Octets of binary data shown, in a row of the table and as JSON.
const OCTETS_IN_ROW: usize = 16;
const OCTETS: usize = 32;

/// How wide the columns are, in characters.
struct Widths {
    offset: usize,
    head: Option<usize>,
    length: usize,
    kind: usize,
    name: usize,
}

impl Widths {
    fn new(format: Format) -> Widths {
        let head = (!format.is_text()).then_some("head".len());
        Widths { offset: "offset".len(), head, length: "length".len(), kind: "type".len(), name: "name".len() }
    }

    fn with(mut self, unit: &Unit<'_>) -> Widths {
        self.offset = self.offset.max(unit.offset.map_or(1, digits));
        let head = unit.head.map_or(0, |head| width(head.bytes, HEAD));
        self.head = self.head.map(|width| width.max(head));
        self.length = self.length.max(digits(unit.number) + 1 + unit.counted().len());
        self.kind = self.kind.max(2 + unit.word.len());
        self.name = self.name.max(indentation(unit.depth) + width(&unit.node.name().to_bytes(), NAME));
        self
    }

    fn heading(&self) -> String {
        let head = self.head.map_or(String::new(), |width| format!("  {:<width$}", "head"));
        let Widths { offset, length, kind, name, .. } = self;
        format!("{:>offset$}{head}  {:>length$}  {:<kind$}  {:<name$}  value\n", "offset", "length", "type", "name")
    }

    /// Appends the row of a unit. A message can have millions: no column is a string of its own.
    fn row(&self, unit: &Unit<'_>, out: &mut String) {
        match unit.offset {
            Some(at) => push_number(out, at, self.offset),
            None => push_right(out, "-", self.offset),
        }
        out.push_str("  ");
        if let (Some(width), Some(head)) = (self.head, unit.head) {
            push_visible(out, head.bytes, HEAD, width);
            out.push_str("  ");
        }
        let counted = unit.counted();
        push_number(out, unit.number, self.length.saturating_sub(1 + counted.len()));
        out.extend([" ", counted, "  "]);
        out.extend([unit.kind(), ' ']);
        out.push_str(unit.word);
        push_blank(out, 2 + self.kind.saturating_sub(2 + unit.word.len()));
        let indentation = indentation(unit.depth);
        push_blank(out, indentation);
        push_visible(out, &unit.node.name().to_bytes(), NAME, self.name.saturating_sub(indentation));
        out.push_str("  ");
        if unit.is_binary() {
            push_octets(out, unit.node.value());
        } else if !unit.node.is_structured() {
            push_visible(out, unit.data(), VALUE, 0);
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}

/// How many digits a number has.
fn digits(number: usize) -> usize {
    1 + number.checked_ilog10().unwrap_or(0) as usize
}

fn push_blank(out: &mut String, width: usize) {
    out.extend(std::iter::repeat_n(' ', width));
}

fn push_right(out: &mut String, text: &str, width: usize) {
    push_blank(out, width.saturating_sub(text.len()));
    out.push_str(text);
}

fn push_number(out: &mut String, number: usize, width: usize) {
    push_blank(out, width.saturating_sub(digits(number)));
    let _ = write!(out, "{number}");
}

/// Appends data as [`visible`] shows it, and blanks up to a width.
fn push_visible(out: &mut String, data: &[u8], most: usize, width: usize) {
    let shown = match plain(data, most) {
        Some(text) => {
            out.push_str(text);
            text.len()
        }
        None => {
            let text = visible(data, most);
            out.push_str(&text);
            text.chars().count()
        }
    };
    push_blank(out, width.saturating_sub(shown));
}

/// Appends the first octets of binary data in hexadecimal, and `…` for more.
fn push_octets(out: &mut String, octets: &[u8]) {
    match octets.get(..OCTETS_IN_ROW) {
        Some(first) if octets.len() > OCTETS_IN_ROW => out.extend([&hex(first, " "), " …"]),
        _ => out.push_str(&hex(octets, " ")),
    }
}

fn hex(octets: &[u8], between: &str) -> String {
    let octets: Vec<_> = octets.iter().map(|octet| format!("{octet:02x}")).collect();
    octets.join(between)
}

/// How many characters [`visible`] shows of data.
fn width(data: &[u8], most: usize) -> usize {
    plain(data, most).map_or_else(|| visible(data, most).chars().count(), str::len)
}

/// Data that [`visible`] shows as it is, as most are: short, and of characters of one byte.
fn plain(data: &[u8], most: usize) -> Option<&str> {
    let is_plain = data.len() <= most && data.iter().all(|c| matches!(c, b' '..=b'~'));
    if is_plain { std::str::from_utf8(data).ok() } else { None }
}

/// Deep levels do not push the value off the screen.
fn indentation(depth: usize) -> usize {
    const DEEPEST: usize = 20;
    2 * depth.min(DEEPEST)
}

/// Data on one line: controls and bytes that are not UTF-8 as escapes, `…` for what is beyond
/// `most` characters.
fn visible(data: &[u8], most: usize) -> String {
    let mut out = String::new();
    // Data can be long; no more than what may be shown is looked at.
    let start = data.get(..4 * (most + 1)).unwrap_or(data);
    let mut shown = 0;
    for chunk in start.utf8_chunks() {
        for c in chunk.valid().chars() {
            shown += 1;
            if shown > most {
                out.push('…');
                return out;
            }
            match c {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                c if c.is_control() || is_invisible(c) => {
                    let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
                }
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            shown += 1;
            if shown > most {
                out.push('…');
                return out;
            }
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Characters that would change how the line reads: direction marks and the like.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plain_is_shown_as_the_rest_is() {
        for data in [&b""[..], b"abc", b"abcd", b"a\x7f", b"a b~", "é".as_bytes(), b"\xff"] {
            let mut out = String::new();
            push_visible(&mut out, data, 3, 0);
            assert_eq!((out.as_str(), out.chars().count()), (visible(data, 3).as_str(), width(data, 3)));
        }
        assert_eq!([0, 9, 10, 99, 100].map(digits), [1, 1, 2, 2, 3]);
    }

    #[test]
    fn what_cannot_be_seen_is_escaped_and_what_is_long_is_cut() {
        assert_eq!(visible("a\nb\t\u{1b}[31m\u{202e}é".as_bytes(), 60), "a\\nb\\t\\u{1b}[31m\\u{202e}é");
        assert_eq!(visible(b"\xff\0ok", 60), "\\xff\\u{0}ok");
        assert_eq!(visible(b"abcdef", 3), "abc…");
        assert_eq!(visible(b"abc", 3), "abc");
        assert_eq!(visible("é".repeat(500).as_bytes(), 3), "ééé…");
        assert_eq!(visible(&[0xff; 500], 2), "\\xff\\xff…");
    }
}

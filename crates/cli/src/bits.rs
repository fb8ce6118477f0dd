//! `inspect` for bit-packed formats: a row or a line for each field.

use std::borrow::Cow;
use std::fmt::Write;
use std::io::IsTerminal;

use lengthwise::asn1::{self, Compiled, NodeId};
use lengthwise::{Error, Options, Schema};
use lengthwise_inspect::{Field, fields};

use crate::args::Inspect;
use crate::line::Line;
use crate::messages::Message;
use crate::output::Standard;
use crate::report::{Failure, Reading};
use crate::table::Table;
use crate::visible::{digits, hex, push_blank, push_number, push_visible, width};

/// The longest path and value shown in a row on a terminal, in characters.
const PATH: usize = 48;
const VALUE: usize = 60;

/// The most octets that are shown in a row, and in a line of JSON.
const OCTETS_IN_ROW: usize = 6;
const OCTETS_IN_LINE: usize = 32;

pub(crate) fn run(args: &Inspect, message: &Message<'_>, options: &Options<'_>) -> Result<(), Failure> {
    let Message { input, bytes, detected, .. } = message;
    let unread = |error| Failure::unread(input, &Reading::new(*detected, options), error, bytes);
    let infoset;
    let schema = match options.schema {
        Some(schema) => schema,
        // An infoset is a value of its schema.
        None => {
            infoset = Schema::infoset().map_err(unread)?;
            &infoset
        }
    };
    let (types, root) = (schema.types(), schema.root().map_err(unread)?);
    let rules = asn1::Options::of(detected.format.rules().unwrap_or_default()).with_limits(options.limits);
    if args.by_type {
        return sums(args, message, types, root, &rules).and_then(|read| read.map_err(unread));
    }
    let mut out = Standard::new();
    let mut closed = Ok(());
    let mut row = String::new();
    let widths = match args.common.json {
        true => None,
        false => {
            let mut widths = Widths::new(std::io::stdout().is_terminal());
            // The error is reported below, after the fields before it.
            let _ = fields(bytes, types, root, &rules, &mut |field| {
                widths.widen(field);
                true
            });
            out.put(message.heading())?;
            out.put(widths.heading())?;
            Some(widths)
        }
    };
    let start = message.start_of_line();
    let read = fields(bytes, types, root, &rules, &mut |field| {
        closed = match &widths {
            None => out.put(line(&start, field, bytes)),
            Some(widths) => {
                row.clear();
                widths.row(field, bytes, &mut row);
                out.put(&row)
            }
        };
        closed.is_ok()
    });
    closed?;
    out.end()?;
    read.map(drop).map_err(unread)
}

/// Sums of the bits of a message: a row or a line for each part and, for values, each type.
fn sums(
    args: &Inspect,
    message: &Message<'_>,
    types: &Compiled,
    root: NodeId,
    rules: &asn1::Options,
) -> Result<Result<(), Error>, Failure> {
    let mut sums: Vec<Sum> = Vec::new();
    let read = fields(&message.bytes, types, root, rules, &mut |field| {
        let kind = if field.part == "value" { field.kind } else { "" };
        match sums.iter_mut().find(|sum| (sum.part, sum.kind) == (field.part, kind)) {
            Some(sum) => {
                sum.fields += 1;
                sum.bits += field.bits;
            }
            None => sums.push(Sum { part: field.part, kind, fields: 1, bits: field.bits }),
        }
        true
    });
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.bits));
    let all: u64 = sums.iter().map(|sum| sum.bits).sum();
    let percent = |bits: u64| format!("{:.1}", 100.0 * bits as f64 / all.max(1) as f64);
    let mut out = Standard::new();
    if args.common.json {
        for Sum { part, kind, fields, bits } in &sums {
            let line = message.start_of_line().text("part", part);
            let line = line.maybe("type", (!kind.is_empty()).then(|| Line::string(kind)));
            out.put(line.json("fields", fields).json("bits", bits).json("percent", percent(*bits)).end())?;
        }
    } else {
        out.put(message.heading())?;
        let mut table = Table::new(&["for", "fields", "bits", "%"]);
        for Sum { part, kind, fields, bits } in &sums {
            let what = if kind.is_empty() { (*part).to_owned() } else { format!("{part} of {kind}") };
            table.row([what, fields.to_string(), bits.to_string(), percent(*bits)]);
        }
        let fields: u64 = sums.iter().map(|sum| sum.fields).sum();
        table.row(["all".to_owned(), fields.to_string(), all.to_string(), percent(all)]);
        out.put(table.text())?;
    }
    out.end()?;
    Ok(read)
}

/// The fields of one kind.
struct Sum {
    part: &'static str,
    /// For values, the type.
    kind: &'static str,
    fields: u64,
    bits: u64,
}

fn line(start: &Line, field: &Field<'_>, bytes: &[u8]) -> String {
    let is_padding = field.kind.is_empty();
    let line = start.clone().json("bit", field.bit).json("bits", field.bits).text("part", field.part);
    let octets = octets(field, bytes);
    let shown = octets.get(..OCTETS_IN_LINE).unwrap_or(octets);
    let line = line.text("octets", &hex(shown, ""));
    let line = line.maybe("path", (!is_padding).then(|| Line::string(field.path)));
    let line = line.maybe("type", (!is_padding).then(|| Line::string(field.kind)));
    line.maybe("value", field.value.map(Line::string)).end()
}

/// The octets that the bits of a field are in.
fn octets<'m>(field: &Field<'_>, bytes: &'m [u8]) -> &'m [u8] {
    let end = (field.bit + field.bits).div_ceil(8);
    let start = if field.bits == 0 { end } else { field.bit / 8 };
    bytes.get(start as usize..end as usize).unwrap_or_default()
}

/// The width of the first octets of some.
fn octets_width(octets: usize) -> usize {
    match octets {
        0 => 0,
        1..=OCTETS_IN_ROW => 3 * octets - 1,
        _ => 3 * OCTETS_IN_ROW + 1,
    }
}

/// The widths of the columns, in characters.
struct Widths {
    /// Whether long paths and values are shortened, so that a row fits on a line of a terminal.
    is_short: bool,
    bit: usize,
    bits: usize,
    octets: usize,
    part: usize,
    kind: usize,
    path: usize,
}

impl Widths {
    fn new(is_short: bool) -> Widths {
        let (bit, bits, octets) = ("bit".len(), "bits".len(), "octets".len());
        Widths { is_short, bit, bits, octets, part: "part".len(), kind: "type".len(), path: "path".len() }
    }

    fn widen(&mut self, field: &Field<'_>) {
        self.bit = self.bit.max(digits(field.bit as usize));
        self.bits = self.bits.max(digits(field.bits as usize));
        let octets = (field.bit + field.bits).div_ceil(8).saturating_sub(field.bit / 8);
        self.octets = self.octets.max(octets_width(octets as usize));
        self.part = self.part.max(field.part.len());
        self.kind = self.kind.max(field.kind.len());
        self.path = self.path.max(width(self.path(field).as_bytes(), usize::MAX));
    }

    /// The path of a field, or its end.
    fn path<'f>(&self, field: &Field<'f>) -> Cow<'f, str> {
        if self.is_short { end_of(field.path) } else { Cow::Borrowed(field.path) }
    }

    fn heading(&self) -> String {
        let Widths { bit, bits, octets, part, kind, path, .. } = self;
        let start = format!("{:>bit$}  {:>bits$}  {:<octets$}  {:<part$}", "bit", "bits", "octets", "part");
        format!("{start}  {:<kind$}  {:<path$}  value\n", "type", "path")
    }

    /// Appends the row of a field.
    fn row(&self, field: &Field<'_>, bytes: &[u8], out: &mut String) {
        push_number(out, field.bit as usize, self.bit);
        out.push_str("  ");
        push_number(out, field.bits as usize, self.bits);
        out.push_str("  ");
        let octets = octets(field, bytes);
        match octets.get(..OCTETS_IN_ROW) {
            Some(first) if octets.len() > OCTETS_IN_ROW => out.extend([&hex(first, " "), " …"]),
            _ => out.push_str(&hex(octets, " ")),
        }
        push_blank(out, self.octets.saturating_sub(octets_width(octets.len())));
        let _ = write!(out, "  {:<part$}  {:<kind$}  ", field.part, field.kind, part = self.part, kind = self.kind);
        push_visible(out, self.path(field).as_bytes(), usize::MAX, self.path);
        out.push_str("  ");
        let most = if self.is_short { VALUE } else { usize::MAX };
        push_visible(out, field.value.unwrap_or_default().as_bytes(), most, 0);
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}

/// A path, or the end of a long one.
fn end_of(path: &str) -> Cow<'_, str> {
    match path.char_indices().rev().nth(PATH) {
        Some((at, first)) => format!("…{}", path.get(at + first.len_utf8()..).unwrap_or_default()).into(),
        None => path.into(),
    }
}

//! `inspect` for bit-packed formats: a row or a line for each field.

use std::fmt::Write;

use lengthwise::asn1::{self, Compiled, NodeId};
use lengthwise::{Error, Options, Schema};

use crate::args::Inspect;
use crate::fields::{Field, walk};
use crate::inputs::{Detected, Input};
use crate::line::Line;
use crate::output::Standard;
use crate::report::{Failure, Reading, Status};
use crate::table::Table;
use crate::visible::{digits, push_blank, push_number, push_visible, width};

/// The longest path and value shown in a row, in characters.
const PATH: usize = 48;
const VALUE: usize = 60;

pub(crate) fn run(
    args: &Inspect,
    input: &Input,
    detected: Detected,
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<Status, Failure> {
    let unread = |error| Failure::unread(input, &Reading::new(detected, options), error, bytes);
    let infoset = Schema::infoset().map_err(unread)?;
    // An infoset is a value of its schema, unless `-s` gives another.
    let schema = options.schema.unwrap_or(&infoset);
    let (types, root) = (schema.types(), schema.root().map_err(unread)?);
    let rules = asn1::Options::of(detected.format.rules().unwrap_or_default()).with_limits(options.limits);
    if args.by_type {
        return sums(args, bytes, types, root, &rules).and_then(|read| read.map(|()| Status::Done).map_err(unread));
    }
    let mut out = Standard::new();
    let mut closed = Ok(());
    let mut row = String::new();
    let widths = match args.common.json {
        true => None,
        false => {
            let mut widths = Widths::new();
            // The error is reported below, after the fields before it.
            let _ = walk(bytes, types, root, &rules, &mut |field| {
                widths.widen(field);
                true
            });
            out.put(widths.heading())?;
            Some(widths)
        }
    };
    let read = walk(bytes, types, root, &rules, &mut |field| {
        closed = match &widths {
            None => out.put(line(field)),
            Some(widths) => {
                row.clear();
                widths.row(field, &mut row);
                out.put(&row)
            }
        };
        closed.is_ok()
    });
    closed?;
    out.end()?;
    read.map_err(unread)?;
    Ok(Status::Done)
}

/// Sums of the bits of a message: a row or a line for each part and, for values, each type.
fn sums(
    args: &Inspect,
    bytes: &[u8],
    types: &Compiled,
    root: NodeId,
    rules: &asn1::Options,
) -> Result<Result<(), Error>, Failure> {
    let mut sums: Vec<Sum> = Vec::new();
    let read = walk(bytes, types, root, rules, &mut |field| {
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
            let line = Line::new().text("part", part);
            let line = line.maybe("type", (!kind.is_empty()).then(|| Line::string(kind)));
            out.put(line.json("fields", fields).json("bits", bits).json("percent", percent(*bits)).end())?;
        }
    } else {
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

fn line(field: &Field<'_>) -> String {
    let is_padding = field.kind.is_empty();
    let line = Line::new().json("bit", field.bit).json("bits", field.bits).text("part", field.part);
    let line = line.maybe("path", (!is_padding).then(|| Line::string(field.path)));
    let line = line.maybe("type", (!is_padding).then(|| Line::string(field.kind)));
    line.maybe("value", field.value.map(Line::string)).end()
}

/// The widths of the columns, in characters.
struct Widths {
    bit: usize,
    bits: usize,
    part: usize,
    kind: usize,
    path: usize,
}

impl Widths {
    fn new() -> Widths {
        Widths { bit: "bit".len(), bits: "bits".len(), part: "part".len(), kind: "type".len(), path: "path".len() }
    }

    fn widen(&mut self, field: &Field<'_>) {
        self.bit = self.bit.max(digits(field.bit as usize));
        self.bits = self.bits.max(digits(field.bits as usize));
        self.part = self.part.max(field.part.len());
        self.kind = self.kind.max(field.kind.len());
        self.path = self.path.max(width(end_of(field.path).as_bytes(), PATH + 1));
    }

    fn heading(&self) -> String {
        let Widths { bit, bits, part, kind, path } = self;
        format!("{:>bit$}  {:>bits$}  {:<part$}  {:<kind$}  {:<path$}  value\n", "bit", "bits", "part", "type", "path")
    }

    /// Appends the row of a field.
    fn row(&self, field: &Field<'_>, out: &mut String) {
        push_number(out, field.bit as usize, self.bit);
        out.push_str("  ");
        push_number(out, field.bits as usize, self.bits);
        let _ = write!(out, "  {:<part$}  {:<kind$}  ", field.part, field.kind, part = self.part, kind = self.kind);
        let path = end_of(field.path);
        push_visible(out, path.as_bytes(), PATH + 1, 0);
        push_blank(out, self.path.saturating_sub(width(path.as_bytes(), PATH + 1)));
        out.push_str("  ");
        push_visible(out, field.value.unwrap_or_default().as_bytes(), VALUE, 0);
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}

/// A path, or the end of a long one.
fn end_of(path: &str) -> String {
    match path.char_indices().rev().nth(PATH) {
        Some((at, first)) => format!("…{}", path.get(at + first.len_utf8()..).unwrap_or_default()),
        None => path.to_owned(),
    }
}

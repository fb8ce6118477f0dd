//! `inspect` for formats of bits: a row or a line for each field.

use std::fmt::Write;

use lengthwise::asn1;
use lengthwise::{Options, Schema};

use crate::args::Inspect;
use crate::fields::{Field, walk};
use crate::inputs::{Input, Told};
use crate::line::Line;
use crate::output::Standard;
use crate::report::{Failure, Reading, Status};
use crate::visible::{digits, push_blank, push_number, push_visible, width};

/// The longest path and value shown in a row, in characters.
const PATH: usize = 48;
const VALUE: usize = 60;

pub(crate) fn run(
    args: &Inspect,
    input: &Input,
    told: Told,
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<Status, Failure> {
    let unread = |error| Failure::unread(input, &Reading::new(told, options), error, bytes);
    let infoset = Schema::infoset().map_err(unread)?;
    // An infoset is a value of its schema, unless another is said.
    let schema = options.schema.unwrap_or(&infoset);
    let (types, root) = (schema.types(), schema.root().map_err(unread)?);
    let rules = match told.format.rules() {
        Some(asn1::EncodingRules::Aper) => asn1::Options::aper(),
        Some(asn1::EncodingRules::Ber) => asn1::Options::ber(),
        _ => asn1::Options::uper(),
    };
    let rules = rules.with_limits(options.limits);
    let mut out = Standard::new();
    let mut closed = Ok(());
    let mut row = String::new();
    let widths = match args.common.json {
        true => None,
        false => {
            let mut widths = Widths::new();
            // What is at fault is told when it has been shown how far the message goes.
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

fn line(field: &Field<'_>) -> String {
    let is_padding = field.kind.is_empty();
    let line = Line::new().json("bit", field.bit).json("bits", field.bits).text("part", field.part);
    let line = line.maybe("path", (!is_padding).then(|| Line::string(field.path)));
    let line = line.maybe("type", (!is_padding).then(|| Line::string(field.kind)));
    line.maybe("value", field.value.map(Line::string)).end()
}

/// How wide the columns are, in characters.
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

/// A path as it is, or the end of a long one.
fn end_of(path: &str) -> String {
    match path.char_indices().rev().nth(PATH) {
        Some((at, first)) => format!("…{}", path.get(at + first.len_utf8()..).unwrap_or_default()),
        None => path.to_owned(),
    }
}

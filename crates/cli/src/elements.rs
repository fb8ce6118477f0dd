//! `inspect` for BER without a schema: a row or a line for each encoding.

use std::fmt::Write;

use lengthwise::asn1::{Element, Elements, schema::TagClass};
use lengthwise::{Error, Options};
use lengthwise_inspect::object_identifier;

use crate::args::Inspect;
use crate::line::Line;
use crate::messages::Message;
use crate::output::Standard;
use crate::report::{Failure, Reading};
use crate::visible::{digits, push_visible};

/// The longest value shown in a row, in characters.
const VALUE: usize = 64;

/// The most levels that are shown by indentation.
const INDENTED: usize = 40;

pub(crate) fn run(args: &Inspect, message: &Message<'_>, options: &Options<'_>) -> Result<(), Failure> {
    let Message { input, bytes, detected, .. } = message;
    let unread = |error| Failure::unread(input, &Reading::new(*detected, options), error, bytes);
    if args.by_type {
        return Err(Failure::Usage(format!("--by-type of {} needs a schema: name one with -s", detected.format)));
    }
    let elements = || Elements::new(bytes, &options.limits);
    let mut out = Standard::new();
    let mut failed = None;
    // The error is reported after the rows before it.
    let mut each = |put: &mut dyn FnMut(&Element) -> Result<(), Failure>| -> Result<(), Failure> {
        for element in elements() {
            match element {
                Ok(element) => put(&element)?,
                Err(error) => failed = Some(error),
            }
        }
        Ok(())
    };
    if args.common.json {
        let start = message.start_of_line();
        each(&mut |element| out.put(line(&start, element, bytes)))?;
    } else {
        let (mut deepest, mut widest) = (0, "type".len());
        for element in elements().map_while(Result::ok) {
            deepest = deepest.max(element.contents);
            widest = widest.max(indent(&element) + element.kind().len());
        }
        let offset = digits(deepest).max("offset".len());
        out.put(message.heading())?;
        out.put(format!("{:>offset$}  header  length  {:<widest$}  value\n", "offset", "type"))?;
        let mut row = String::new();
        each(&mut |element| {
            row.clear();
            push_row(element, bytes, offset, widest, &mut row);
            out.put(&row)
        })?;
    }
    out.end()?;
    match failed {
        Some(error) => Err(unread(error)),
        None if bytes.is_empty() => Err(unread(Error::incomplete("ber", 0, 2, "a tag and a length"))),
        None => Ok(()),
    }
}

fn indent(element: &Element) -> usize {
    2 * (element.depth as usize).min(INDENTED)
}

/// The name of an object identifier, if it is well known.
fn name_of(element: &Element, value: &str) -> Option<&'static str> {
    let is_identifier = element.tag.class == TagClass::Universal && element.tag.number == 6;
    if is_identifier { object_identifier(value) } else { None }
}

fn push_row(element: &Element, bytes: &[u8], offset: usize, widest: usize, out: &mut String) {
    let (blank, kind) = (indent(element), element.kind());
    let length = element.end.map_or("…".to_owned(), |end| (end - element.contents).to_string());
    let header = element.contents - element.start;
    let start = element.start;
    let width = widest - blank;
    let _ = write!(out, "{start:>offset$}  {header:>6}  {length:>6}  {:blank$}{kind:<width$}  ", "");
    let value = element.text(bytes);
    push_visible(out, value.as_bytes(), VALUE, 0);
    if let Some(name) = name_of(element, &value) {
        let _ = write!(out, "  {name}");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
}

fn line(start: &Line, element: &Element, bytes: &[u8]) -> String {
    let class = match element.tag.class {
        TagClass::Universal => "universal",
        TagClass::Application => "application",
        TagClass::Context => "context",
        TagClass::Private => "private",
    };
    let line = start.clone().json("offset", element.start).json("header", element.contents - element.start);
    let line = line.maybe("length", element.end.map(|end| end - element.contents)).json("depth", element.depth);
    let line = line.text("class", class).json("tag", element.tag.number).json("constructed", element.constructed);
    let line = line.json("holds", element.holds.is_some()).text("type", &element.kind());
    let value = element.text(bytes);
    let holds = element.constructed || element.holds.is_some();
    let name = name_of(element, &value);
    let line = line.maybe("value", (!holds).then(|| Line::string(&value)));
    line.maybe("name", name.map(Line::string)).end()
}

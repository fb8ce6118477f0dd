//! `inspect`: shows the structure of a message next to its bytes.

mod page;

use lengthwise::tam::Table;
use lengthwise::{Format, Options};
use lengthwise_inspect::{Unit, Units};

use crate::applies::{self, Task, Verb};
use crate::args::Inspect;
use crate::bits;
use crate::elements;
use crate::inputs::Input;
use crate::line::Line;
use crate::messages::{self, Message};
use crate::output::Standard;
use crate::report::{Failure, Reading, Status};
use crate::schema;
use crate::stats;
use crate::visible::{digits, hex, push_blank, push_number, push_octets, push_right, push_visible, width};

pub(crate) fn run(args: &Inspect) -> Result<Status, Failure> {
    let input = Input::named(&args.input);
    let schema = schema::from_flags(&args.common)?;
    let options = args.common.options(schema.as_ref());
    match &args.html {
        Some(path) => page::write(args, &input, &options, path),
        None => messages::each(&input, &args.common, |message| inspect(args, &message, &options)),
    }
}

fn inspect(args: &Inspect, message: &Message<'_>, options: &Options<'_>) -> Result<(), Failure> {
    let Message { input, bytes, detected, .. } = message;
    let format = detected.format;
    applies::check(&args.common, Task { verb: Verb::Inspect, from: Some(format), to: None })?;
    if args.stats {
        return stats::run(args, message, options);
    }
    if options.schema.is_none() && matches!(format, Format::Ber | Format::Der | Format::Cer) {
        return elements::run(args, message, options);
    }
    if format.rules().is_some() {
        schema::suits(options.schema, format)?;
        return bits::run(args, message, options);
    }
    let mut table = Table::new();
    let document = lengthwise::read(bytes, format, options, &mut table)
        .map_err(|error| Failure::unread(input, &Reading::new(*detected, options), error, bytes))?;
    let units = Units::new(&document, bytes, format);
    let paths = RowPaths::of(message, options);
    let mut out = Standard::new();
    if args.common.json {
        let start = message.start_of_line();
        units.enumerate().try_for_each(|(at, unit)| out.put(line(&unit, paths.get(at), &start)))?;
    } else {
        out.put(message.heading())?;
        let widths = units.clone().enumerate();
        let widths = widths.fold(Widths::new(format), |widths, (at, unit)| widths.with(&unit, paths.get(at)));
        out.put(widths.heading())?;
        let mut row = String::new();
        units.enumerate().try_for_each(|(at, unit)| {
            row.clear();
            widths.row(&unit, paths.get(at), &mut row);
            out.put(&row)
        })?;
    }
    out.end()
}

/// The path in numbers of the row of each unit of TDXML.
struct RowPaths(Vec<Option<String>>);

impl RowPaths {
    fn of(message: &Message<'_>, options: &Options<'_>) -> RowPaths {
        RowPaths(match message.detected.format {
            Format::Tdxml => crate::tdxml::paths(&message.bytes, options),
            _ => Vec::new(),
        })
    }

    /// The path of the row that the unit with a number is the value of.
    fn get(&self, number: usize) -> Option<&str> {
        self.0.get(number)?.as_deref()
    }
}

/// The name of what the number of a unit counts.
fn counted(unit: &Unit<'_>) -> &'static str {
    match (unit.in_bytes, unit.number) {
        (false, 1) => "unit ",
        (false, _) => "units",
        (true, 1) => "byte ",
        (true, _) => "bytes",
    }
}

fn line(unit: &Unit<'_>, path: Option<&str>, start: &Line) -> String {
    let node = &unit.node;
    let name = node.name();
    let line = start.clone().maybe("offset", unit.offset).json("depth", unit.depth);
    let line = match unit.head {
        Some(head) => line.text("head", &String::from_utf8_lossy(head.bytes)),
        None => line.maybe("path", path.map(Line::string)),
    };
    let line = line.text("type", &unit.kind().to_string()).text("kind", unit.word);
    let line = line.maybe("name", (!name.is_none()).then(|| Line::string(&name.to_text())));
    let line = if unit.in_bytes { line.json("length", unit.number) } else { line };
    if node.is_structured() {
        return line.json("units", node.row().len()).end();
    }
    if unit.is_binary() {
        let octets = node.value();
        return line.text("hex", &hex(octets.get(..OCTETS).unwrap_or(octets), "")).end();
    }
    let line = line.text("value", &String::from_utf8_lossy(unit.data()));
    line.json("utf8", node.text().is_ok()).end()
}

/// The longest name, head and value shown, in characters.
const NAME: usize = 40;
const HEAD: usize = 24;
const VALUE: usize = 60;

/// Octets of binary data shown as JSON.
const OCTETS: usize = 32;

/// The widths of the columns, in characters.
struct Widths {
    offset: usize,
    head: Option<usize>,
    path: Option<usize>,
    length: usize,
    kind: usize,
    name: usize,
}

impl Widths {
    fn new(format: Format) -> Widths {
        let head = (!format.is_text()).then_some("head".len());
        let path = (format == Format::Tdxml).then_some("path".len());
        Widths { offset: "offset".len(), head, path, length: "length".len(), kind: "type".len(), name: "name".len() }
    }

    fn with(mut self, unit: &Unit<'_>, path: Option<&str>) -> Widths {
        self.offset = self.offset.max(unit.offset.map_or(1, digits));
        let head = unit.head.map_or(0, |head| width(head.bytes, HEAD));
        self.head = self.head.map(|width| width.max(head));
        let path = path.map_or(0, |path| width(path.as_bytes(), NAME));
        self.path = self.path.map(|width| width.max(path));
        self.length = self.length.max(digits(unit.number) + 1 + counted(unit).len());
        self.kind = self.kind.max(2 + unit.word.len());
        self.name = self.name.max(indentation(unit.depth) + width(&unit.node.name().to_bytes(), NAME));
        self
    }

    fn heading(&self) -> String {
        let of = |width: Option<usize>, name: &str| width.map_or(String::new(), |width| format!("  {name:<width$}"));
        let head = of(self.head, "head") + &of(self.path, "path");
        let Widths { offset, length, kind, name, .. } = self;
        format!("{:>offset$}{head}  {:>length$}  {:<kind$}  {:<name$}  value\n", "offset", "length", "type", "name")
    }

    /// Appends the row of a unit without temporary strings, because a message can have millions of units.
    fn row(&self, unit: &Unit<'_>, path: Option<&str>, out: &mut String) {
        match unit.offset {
            Some(at) => push_number(out, at, self.offset),
            None => push_right(out, "-", self.offset),
        }
        out.push_str("  ");
        if let (Some(width), Some(head)) = (self.head, unit.head) {
            push_visible(out, head.bytes, HEAD, width);
            out.push_str("  ");
        }
        if let Some(width) = self.path {
            push_visible(out, path.unwrap_or_default().as_bytes(), NAME, width);
            out.push_str("  ");
        }
        let counted = counted(unit);
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

/// The indentation is limited, so that deep levels do not push the value off the screen.
fn indentation(depth: usize) -> usize {
    const DEEPEST: usize = 20;
    2 * depth.min(DEEPEST)
}

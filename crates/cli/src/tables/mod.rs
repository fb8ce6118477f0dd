//! `convert -t parquet|arrow|csv`: a table of messages, a row for each.

mod comma;
mod paths;
mod rows;
mod writer;

use std::path::Path;

use lengthwise::asn1::NodeId;
use lengthwise::asn1::compiled::Kind as TypeKind;
use lengthwise::asn1::jer::Inference;
use lengthwise::columns::{Layout, Times};
use lengthwise::tam::{Table, Vocabulary};
use lengthwise::{Columns, Error, Format, Options, Schema, Types};

use crate::applies;
use crate::args::{Common, Convert};
use crate::choice::choice;
use crate::inputs::{InputFile, Inputs, is_standard};
use crate::jobs::progress;
use crate::line::Line;
use crate::messages::{self, Message};
use crate::output::Standard;
use crate::report::{Failure, Reading, Status, note};
use crate::schema;
use crate::stdin;
pub(crate) use paths::{Paths, paths};
pub(crate) use rows::{each as each_row, kind_of};
use writer::Writer;

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Parquet,
    Arrow,
    Csv,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Parquet, Kind::Arrow, Kind::Csv];

    /// Its name, which is also the extension of its files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Parquet => "parquet",
            Kind::Arrow => "arrow",
            Kind::Csv => "csv",
        }
    }

    /// The kind of a file, by its extension.
    pub(crate) fn of_file(path: &Path) -> Option<Kind> {
        let ending = path.extension()?.to_str()?;
        Kind::ALL.into_iter().find(|kind| ending.eq_ignore_ascii_case(kind.as_str()))
    }
}

/// What becomes of a message that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    Raise,
    Null,
    Collect,
}

choice! {
    /// What becomes of a message that cannot be read, as `--on-error` names it.
    OnErrorArg(OnError):
        OnError::Collect => "collect", "it is reported and has no row";
        OnError::Null => "null", "it is reported and has a row of nulls";
        OnError::Raise => "raise", "the run ends, and no file is written";
}

const OF_ONE_TYPE: &str = "a table is of one type, that of its first message or of --root: write a table for each";

choice! {
    /// What columns of times are, as `--times` names it.
    TimesArg(Times):
        Times::Exact => "exact", "texts, as in the message; only DATE is a date";
        Times::Utc => "utc", "dates, times and timestamps; a date-time must have a time zone, and is a moment in UTC";
        Times::Local => "local", "the same, but a date-time must have no time zone, unless its type demands one";
}

pub(crate) fn run(args: &Convert, kind: Kind) -> Result<Status, Failure> {
    let common = &args.common;
    applies::check_table(common, kind.as_str())?;
    let output = args.output.as_deref().filter(|path| !is_standard(path));
    if let Some(path) = output.filter(|path| path.is_dir()) {
        return Err(Failure::Usage(format!("a table is one file, but '{}' is a directory", path.display())));
    }
    if common.json && output.is_none() {
        return Err(Failure::Usage(
            "--json prints the result on standard output: name a file for the table with -o OUTPUT".to_owned(),
        ));
    }
    let takes_all = common.from.is_some() || messages::are_several(common, None);
    let inputs = Inputs::of(&args.inputs, takes_all, None);
    let given = schema::from_flags(common)?;
    let is_inferred = given.is_none();
    let schema = given.map_or_else(|| inferred(common, &inputs, args.batch_rows, kind.as_str()), Ok)?;
    for InputFile { input, .. } in &inputs.found {
        common.refuse_overwriting(input)?;
    }
    let mut status = inputs.report(common)?;
    let mut rows = Rows::new(args, &schema, Writer::new(kind, args.output.as_deref())?);
    let bar = progress(inputs.found.len() as u64, "files", common.quiet || inputs.found.len() < 2);
    for InputFile { input, .. } in &inputs.found {
        let read = messages::each(input, common, |message| rows.take(&message));
        if let Some(failure) = rows.ends_the_run.take() {
            return Err(failure);
        }
        status = status.max(match read {
            Ok(status) => status,
            // Some time without messages is a table without rows.
            Err(Failure::Missing { input, what, .. }) if !is_inferred && common.port.is_none() => {
                if !common.quiet {
                    bar.suspend(|| note(&format!("{input}: {what}")));
                }
                rows.begin()?;
                Status::Done
            }
            Err(failure @ (Failure::Bad { .. } | Failure::Missing { .. })) => {
                bar.suspend(|| failure.print(common.quiet))
            }
            Err(failure) => return Err(failure),
        });
        if args.on_error.0 == OnError::Raise && status != Status::Done {
            return Ok(status);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !is_inferred && status == Status::Done {
        rows.begin()?;
    }
    // If no message could be read, that has been reported.
    let Some(done) = rows.end(is_inferred)? else { return Ok(status.max(Status::Bad)) };
    if common.json {
        let mut standard = Standard::new();
        let line = Line::new().text("output", &output.unwrap_or(Path::new("-")).display().to_string());
        let line = line.text("to", kind.as_str()).json("rows", done.rows).json("columns", done.columns);
        let line = line.json("failed", done.failed).json("bytes", done.read).json("output_bytes", done.written);
        standard.put(line.end())?;
        standard.end()?;
    }
    if !common.quiet && done.failed > 0 {
        note(&format!("{} rows; messages that could not be read: {}", done.rows, done.failed));
        if is_inferred {
            note("without a schema (-s), the first value in a column decides its type");
            if done.rows + done.failed > u64::from(args.batch_rows) {
                note(&format!(
                    "the columns are those of the first {} messages: --batch-rows looks at more",
                    args.batch_rows
                ));
            }
        }
    }
    Ok(status)
}

/// The schema of documents that have none, by the first `most` of them, for what is to be made.
pub(crate) fn inferred(common: &Common, inputs: &Inputs, most: u32, made: &str) -> Result<Schema, Failure> {
    let needs = |of: &str| Failure::Usage(format!("{made} of {of} needs a schema: name one with -s"));
    let (mut inference, mut count) = (Inference::default(), 0);
    for InputFile { input, .. } in &inputs.found {
        let look = |message: Message<'_>| {
            let format = message.detected.format;
            if !format.has_json_values() {
                return Err(needs(format.as_str()));
            }
            let mut table = Table::new();
            let options = common.options(None).with_output_types(Types::Value);
            // What cannot be read is reported when it is.
            if let Ok(document) = lengthwise::read(&message.bytes, format, &options, &mut table) {
                if document.types().vocabulary() == Vocabulary::Xml {
                    return Err(needs("XML"));
                }
                inference.add(&document).map_err(|error| Failure::bad(&message.input, error, &[]))?;
            }
            count += 1;
            if count == most { Err(Failure::Closed) } else { Ok(()) }
        };
        match stdin::looked_at(|| messages::sample(input, common, look)) {
            Err(failure @ Failure::Usage(_)) => return Err(failure),
            Err(Failure::Closed) => break,
            Ok(_) | Err(_) => {}
        }
    }
    let schema = Schema::from_model(inference.schema(), &common.limits());
    let schema = schema.map_err(|error| Failure::Usage(error.to_string()))?;
    let types = schema.types();
    let is_empty =
        |node| matches!(types.node(node).kind, TypeKind::Record(number) if types.record(number).members.is_empty());
    let is_array = |node| matches!(types.node(node).kind, TypeKind::Array(_));
    if count == 1 && !common.quiet && schema.root().is_ok_and(is_array) {
        note("the document is an array, which is one row: `jq -c '.[]'` makes lines of its items, which are rows each");
    }
    match schema.root().is_ok_and(is_empty) {
        true => Err(Failure::Usage("the documents have no members that could be columns".to_owned())),
        false => Ok(schema),
    }
}

/// Rows that are read and written in batches.
struct Rows<'r> {
    args: &'r Convert,
    schema: &'r Schema,
    options: Options<'r>,
    columns: Option<Columns<'r>>,
    writer: Writer,
    /// What the messages of the batch take.
    pending: usize,
    rows: u64,
    failed: u64,
    read: u64,
    /// A failure after which there is no table.
    ends_the_run: Option<Failure>,
}

/// What a table has.
struct Done {
    rows: u64,
    columns: usize,
    failed: u64,
    read: u64,
    written: u64,
}

impl<'r> Rows<'r> {
    fn new(args: &'r Convert, schema: &'r Schema, writer: Writer) -> Rows<'r> {
        let options = args.common.options(Some(schema));
        let (columns, ends_the_run) = (None, None);
        Rows { args, schema, options, columns, writer, pending: 0, rows: 0, failed: 0, read: 0, ends_the_run }
    }

    /// Takes a message. After a failure that ends the run, the rest of the input is not read.
    fn take(&mut self, message: &Message<'_>) -> Result<(), Failure> {
        let taken = self.row(message).map(|()| None).or_else(|failure| match (&failure, self.args.on_error.0) {
            (Failure::Bad { .. }, OnError::Collect) => Ok(Some(failure)),
            (Failure::Bad { .. }, OnError::Null) => self.null(message).map(|()| Some(failure)),
            _ => Err(failure),
        });
        let taken = taken.and_then(|failure| self.write_full().map(|()| failure));
        match taken {
            Ok(None) => Ok(()),
            Ok(Some(failure)) => {
                self.failed += 1;
                Err(failure)
            }
            Err(failure) => {
                self.ends_the_run = Some(failure);
                Err(Failure::Closed)
            }
        }
    }

    /// Makes the columns without a message, if their type is known.
    fn begin(&mut self) -> Result<(), Failure> {
        if let (None, Ok(root)) = (&self.columns, self.schema.root()) {
            let format = self.args.common.from.map_or(Format::Json, |from| from.0);
            self.made(format, root)?;
        }
        Ok(())
    }

    /// The columns, which are made for the first message.
    fn columns(&mut self, message: &Message<'_>) -> Result<&mut Columns<'r>, Failure> {
        if let Some(ref mut columns) = self.columns {
            return Ok(columns);
        }
        let format = message.detected.format;
        // An instance of an XML Schema has its type, whatever is likely, but not whatever is asked for.
        let is_asked = self.args.common.root.is_some();
        let is_instance = format == Format::Xml && self.schema.xml().is_some() && !is_asked;
        let own = is_instance.then(|| lengthwise::type_of(&message.bytes, format, &self.options));
        let root = match (own, self.schema.root()) {
            (Some(Ok(root)), _) | (_, Ok(root)) => root,
            (Some(Err(error)), Err(_)) => return Err(unread(message, &self.options, error)),
            (None, Err(_)) => return Err(schema::has_root(self.schema).err().unwrap_or(Failure::Closed)),
        };
        self.made(format, root)
    }

    fn made(&mut self, format: Format, root: NodeId) -> Result<&mut Columns<'r>, Failure> {
        let each = |of: &'r [Paths]| of.iter().flat_map(|paths| &paths.0).map(String::as_str).collect::<Vec<_>>();
        let (paths, mut exclude) = (each(&self.args.columns), each(&self.args.exclude_columns));
        let paths = Some(&paths[..]).filter(|paths| !paths.is_empty());
        let columns = |exclude: &[&str]| {
            let layout = Layout { paths, exclude, times: self.args.times.0 };
            Columns::new(format, root, &self.options, &layout).map_err(|error| {
                let words = error.to_string();
                Failure::Usage(words.strip_prefix("columns: ").unwrap_or(&words).to_owned())
            })
        };
        let mut made = columns(&exclude)?;
        let unwritable = self.writer.unwritable(&made.finish().map_err(writer::failed)?);
        if !unwritable.is_empty() {
            for path in &unwritable {
                if !self.args.common.quiet {
                    note(&format!("{path} has no components and no column, which parquet cannot hold"));
                }
            }
            exclude.extend(unwritable.iter().map(String::as_str));
            made = columns(&exclude)?;
        }
        Ok(self.columns.insert(made))
    }

    /// Reads a message into a row.
    fn row(&mut self, message: &Message<'_>) -> Result<(), Failure> {
        schema::suits(Some(self.schema), message.detected.format)?;
        let options = self.options;
        let bytes = &message.bytes;
        let read = self.columns(message)?.push(bytes, message.detected.format);
        read.map_err(|error| {
            let is_other = error.expected().to_string().ends_with(", as requested");
            let failure = unread(message, &options, error);
            if is_other { failure.with_hint(OF_ONE_TYPE) } else { failure }
        })?;
        self.pending += bytes.len();
        self.read += bytes.len() as u64;
        Ok(())
    }

    fn null(&mut self, message: &Message<'_>) -> Result<(), Failure> {
        let pushed = self.columns(message)?.push_null();
        pushed.map_err(|error| Failure::bad(&message.input, error, &[]))
    }

    /// Writes the rows so far, if they are enough for a batch.
    fn write_full(&mut self) -> Result<(), Failure> {
        /// Bytes of messages in a batch.
        const MOST: usize = 64 << 20;
        match &self.columns {
            Some(columns) if columns.rows() >= self.args.batch_rows as usize || self.pending >= MOST => self.write(),
            _ => Ok(()),
        }
    }

    fn write(&mut self) -> Result<(), Failure> {
        let Some(columns) = &mut self.columns else { return Ok(()) };
        self.pending = 0;
        self.rows += columns.rows() as u64;
        let batch = columns.finish().map_err(writer::failed)?;
        self.writer.put(&batch)
    }

    /// Writes the rest. A table without rows has its columns; if no type is known, or it was inferred from no row, there is no
    /// table.
    fn end(mut self, is_inferred: bool) -> Result<Option<Done>, Failure> {
        let pending = match &self.columns {
            Some(columns) if !is_inferred || self.rows > 0 || columns.rows() > 0 => columns.rows(),
            _ => return Ok(None),
        };
        if self.rows == 0 || pending > 0 {
            self.write()?;
        }
        let (columns, written) = self.writer.end()?;
        Ok(Some(Done { rows: self.rows, columns, failed: self.failed, read: self.read, written }))
    }
}

fn unread(message: &Message<'_>, options: &Options<'_>, error: Error) -> Failure {
    Failure::unread(&message.input, &Reading::new(message.detected, options), error, &message.bytes)
}

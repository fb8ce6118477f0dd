//! Rows of a table as messages.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::{ArrowError, Schema};
use lengthwise::columns::model;
use lengthwise::tam::Words;
use lengthwise::{Error, ErrorKind, Format, Rows};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::metadata::RowGroupMetaData;

use super::Kind;
use crate::args::Common;
use crate::inputs::{Detected, DetectedBy, Input};
use crate::messages::{Failures, Message};
use crate::report::Failure;
use crate::schema;

/// Rows that are in memory at once.
const ROWS: usize = 4096;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// The kind of an input that is a table, by its name.
pub(crate) fn kind_of(input: &Input) -> Option<Kind> {
    let Input::File(path) = input else { return None };
    Kind::of_file(path).filter(|kind| *kind != Kind::Csv)
}

/// Does some work on each row of a table, as a message by the rules of `-f`, or in UPER; without a schema as one of JSON.
///
/// A row that the type does not allow is reported, and the next one is read.
pub(crate) fn each<'c>(
    (input, path): (&Input, &Path),
    kind: Kind,
    common: &Common,
    mut failures: Failures<'c>,
    mut work: impl FnMut(Message<'_>) -> Result<(), Failure>,
) -> Result<Failures<'c>, Failure> {
    let given = schema::from_flags(common)?;
    let default = if given.is_some() { Format::Uper } else { Format::Json };
    let format = common.from.map_or(default, |from| from.0);
    if common.from.is_some() && given.is_none() {
        return Err(Failure::Usage(format!("-f {format} of {} needs a schema: name one with -s", kind.as_str())));
    }
    if given.is_some() && (format.rules().is_none() || !format.needs_schema()) {
        let found = format!("-f {format} is for messages, but {} is a table", input.name());
        return Err(Failure::Usage(format!(
            "{found}: -f names the rules of open types in it (uper, ber, oer and so on)"
        )));
    }
    given.as_ref().map_or(Ok(()), schema::has_root)?;
    let (columns, batches) = open(path, kind).map_err(|error| unread(input, kind, &error))?;
    let of_columns = || model(&columns).and_then(|model| lengthwise::Schema::from_model(model, &common.limits()));
    let types = given.map_or_else(of_columns, Ok).map_err(|error| Failure::bad(input, error, &[]))?;
    let root = types.root().map_err(|error| Failure::bad(input, error, &[]))?;
    let rows = Rows::new(format, root, &common.options(Some(&types)), &columns);
    let mut rows = rows.map_err(|error| Failure::bad(input, error, &[]))?;
    let (name, mut number) = (Arc::<str>::from(input.name()), 0);
    for batch in batches {
        let batch = batch.map_err(|error| unread(input, kind, &error))?;
        for row in 0..batch.num_rows() {
            number += 1;
            let of_row = Input::Message(name.clone(), number, None);
            let mut bytes = Vec::new();
            let done = match rows.append(&batch, row, &mut bytes) {
                Ok(_) => {
                    let detected = Detected { format, by: DetectedBy::Message };
                    work(Message { input: of_row, bytes: bytes.into(), detected, place: Some((number, None)) })
                }
                Err(error) => Err(Failure::bad(&of_row, error, &[])),
            };
            done.or_else(|failure| failures.take(failure))?;
        }
    }
    if number == 0 {
        let error = Error::new(ErrorKind::Incomplete, kind.as_str(), 0, "no row", "a row for each message");
        return Err(Failure::bad(input, error, &[]));
    }
    Ok(failures)
}

/// The columns of a file, and its rows in batches.
fn open(path: &Path, kind: Kind) -> Result<(Schema, Batches), ArrowError> {
    let file = File::open(path)?;
    if kind == Kind::Arrow {
        let reader = FileReader::try_new_buffered(file, None)?;
        return Ok((Schema::clone(&reader.schema()), Box::new(reader)));
    }
    let reader = ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(ROWS);
    let columns = reader.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns);
    if let Some(method) = columns.filter_map(|column| unknown(column.compression())).next() {
        let words = format!("{method} is not supported: write the file with zstd, gzip, snappy or lz4");
        return Err(ArrowError::NotYetImplemented(words));
    }
    let columns = Schema::clone(reader.schema());
    Ok((columns, Box::new(reader.build()?)))
}

/// The name of a compression that is not read here.
fn unknown(compression: Compression) -> Option<&'static str> {
    match compression {
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZO => Some("lzo"),
        _ => None,
    }
}

/// The failure for a table that cannot be read.
#[cold]
fn unread(input: &Input, kind: Kind, error: &ArrowError) -> Failure {
    if let ArrowError::IoError(_, error) = error {
        let error = std::io::Error::new(error.kind(), error.to_string());
        return Failure::Io { path: input.name(), doing: "read", error };
    }
    if let ArrowError::NotYetImplemented(words) = error {
        return Failure::bad(
            input,
            Error::without_place(ErrorKind::Unsupported, kind.as_str(), words.clone(), ""),
            &[],
        );
    }
    let found = Words::Own(error.to_string());
    let expected = format!("a file of {}", if kind == Kind::Arrow { "Arrow" } else { "Parquet" });
    Failure::bad(input, Error::new(ErrorKind::Syntax, kind.as_str(), 0, found, expected), &[])
}

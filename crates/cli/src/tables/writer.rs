//! Batches into a file.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::DataType;
use lengthwise::tam::escape_step;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::{Kind, comma};
use crate::output::Output;
use crate::report::Failure;

/// A table that is being written. It appears when it is complete.
pub(crate) struct Writer {
    kind: Kind,
    format: Option<Format>,
    written: Buffer,
    output: Output,
    bytes: u64,
    columns: usize,
}

/// The writers of the formats, which are made for the first batch.
enum Format {
    Parquet(Box<ArrowWriter<Buffer>>),
    Arrow(Box<FileWriter<Buffer>>),
    Csv(comma::Writer<Buffer>),
}

/// What a writer has written and the output has not. Writing to it never fails, so failures of the output are ours.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Writer {
    pub(crate) fn new(kind: Kind, output: Option<&Path>) -> Result<Writer, Failure> {
        let output = Output::new(output)?;
        Ok(Writer { kind, format: None, written: Buffer::default(), output, bytes: 0, columns: 0 })
    }

    /// The paths of the columns of a batch that the format cannot hold.
    pub(crate) fn unwritable(&self, batch: &RecordBatch) -> Vec<String> {
        let mut found = Vec::new();
        if self.kind == Kind::Parquet {
            for field in batch.schema_ref().fields() {
                without_components(escape_step(field.name()), field.data_type(), &mut found);
            }
        }
        found
    }

    pub(crate) fn put(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        /// The most bytes of a row group of Parquet that are kept.
        const GROUP: usize = 64 << 20;
        if self.format.is_none() {
            self.columns = batch.num_columns();
            self.format = Some(self.begin(batch)?);
        }
        match &mut self.format {
            Some(Format::Parquet(writer)) => {
                writer.write(batch).map_err(failed)?;
                if writer.in_progress_size() >= GROUP {
                    writer.flush().map_err(failed)?;
                }
            }
            Some(Format::Arrow(writer)) => writer.write(batch).map_err(failed)?,
            Some(Format::Csv(writer)) => writer.write(batch)?,
            None => {}
        }
        self.hand_on()
    }

    fn begin(&mut self, batch: &RecordBatch) -> Result<Format, Failure> {
        let (schema, out) = (batch.schema(), self.written.clone());
        Ok(match self.kind {
            Kind::Parquet => {
                let level = ZstdLevel::try_new(3).map_err(failed)?;
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(level))
                    .set_created_by(concat!("lengthwise ", env!("CARGO_PKG_VERSION")).to_owned());
                let writer = ArrowWriter::try_new(out, schema, Some(properties.build())).map_err(failed)?;
                Format::Parquet(Box::new(writer))
            }
            Kind::Arrow => Format::Arrow(Box::new(FileWriter::try_new(out, &schema).map_err(failed)?)),
            Kind::Csv => {
                let (writer, columns) = comma::Writer::new(out, batch)?;
                self.columns = columns;
                Format::Csv(writer)
            }
        })
    }

    /// Gives the output what has been written so far.
    fn hand_on(&mut self) -> Result<(), Failure> {
        let bytes = std::mem::take(&mut *self.written.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.bytes += bytes.len() as u64;
        if bytes.is_empty() { Ok(()) } else { self.output.put(bytes) }
    }

    /// Writes the end; gives back the number of columns, and of bytes.
    pub(crate) fn end(mut self) -> Result<(usize, u64), Failure> {
        match self.format.take() {
            Some(Format::Parquet(writer)) => drop(writer.close().map_err(failed)?),
            Some(Format::Arrow(mut writer)) => writer.finish().map_err(failed)?,
            Some(Format::Csv(_)) | None => {}
        }
        self.hand_on()?;
        self.output.end()?;
        Ok((self.columns, self.bytes))
    }
}

/// Finds the paths of columns of structures that have nothing in them, or only such structures. Items of a list have the path of
/// the list.
fn without_components(path: String, held: &DataType, found: &mut Vec<String>) -> bool {
    match held {
        DataType::Struct(fields) => {
            let mut inner = Vec::new();
            let is_empty = fields.iter().fold(true, |is_empty, field| {
                let path = format!("{path}/{}", escape_step(field.name()));
                without_components(path, field.data_type(), &mut inner) && is_empty
            });
            found.extend(if is_empty { vec![path] } else { inner });
            is_empty
        }
        DataType::List(item) => without_components(path, item.data_type(), found),
        _ => false,
    }
}

/// What a library refuses to write.
pub(super) fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Io { path: "the table".to_owned(), doing: "write", error: io::Error::other(error.to_string()) }
}

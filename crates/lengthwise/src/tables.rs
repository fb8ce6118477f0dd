//! Messages of a schema as columns of Arrow, and rows as messages, whatever their format.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use asn1::{NodeId, Values};
use lengthwise_columns::{Decoder, Encoder};
use tam::{Error, ErrorKind, Table};

use crate::{Format, Options, append_value, read_value, typed};

/// Reads messages of one type of a schema into columns. The table of [`lengthwise_columns`] says what becomes of each type.
///
/// PER, BER, OER, and documents of JSON values fill the columns directly. XML by its schema, XER and value notation are read as
/// values first.
///
/// ```
/// use lengthwise::{Columns, Format, Options, Schema, tam::Limits};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Reading ::= SEQUENCE { celsius INTEGER (-40..87) } END";
/// let schema = Schema::from_notation(&[("", module)], &Limits::default())?;
/// let options = Options::default().with_schema(&schema);
///
/// let mut columns = Columns::new(Format::Json, schema.root()?, &options, None)?;
/// columns.push(br#"{"celsius": 20}"#, Format::Json)?;
/// columns.push(b"<Reading><celsius>21</celsius></Reading>", Format::Xer)?;
/// assert!(columns.push(b"{}", Format::Json).is_err());
/// assert_eq!(columns.finish()?.num_rows(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Columns<'s> {
    decoder: Decoder<'s>,
    /// The format whose messages the decoder reads.
    format: Format,
    root: NodeId,
    options: Options<'s>,
    /// Room for messages in other formats.
    table: Table<'static>,
    values: Values,
}

impl<'s> Columns<'s> {
    /// Columns for messages of the type `root` of [`Options::schema`], most of which are in a format. `paths` are those of the
    /// columns that are built, as [`Decoder::new`] has them.
    ///
    /// # Errors
    /// Those of [`Decoder::new`]; kind unsupported without a schema, and for a format that has no values of one.
    pub fn new(
        format: Format,
        root: NodeId,
        options: &Options<'s>,
        paths: Option<&[&str]>,
    ) -> Result<Columns<'s>, Error> {
        let schema = typed::schema(format, options)?;
        typed::is_of_values(format, schema)?;
        let format = if has_rules(format) { format } else { Format::Oer };
        let decoder = Decoder::new(schema.types(), root, &typed::rules(format, options), paths)?;
        Ok(Columns { decoder, format, root, options: *options, table: Table::new(), values: Values::new() })
    }

    /// Reads a message in a format, which becomes a row.
    ///
    /// # Errors
    /// Those of the format's reader and of [`Decoder::push`]; kind schema for an instance of an XML Schema that is of another
    /// type. The columns are then as they were.
    pub fn push(&mut self, message: &[u8], format: Format) -> Result<(), Error> {
        if format == self.format {
            return self.decoder.push(message);
        }
        if format.has_json_values() {
            let document = typed::json_document(message, format, &self.options, &mut self.table)?;
            let pushed = self.decoder.push_document(&document);
            return pushed.map_err(|error| format.with_line(error, message));
        }
        let root = if format == Format::Xml { None } else { Some(self.root) };
        let value = read_value(message, format, root, &self.options, &mut self.table, &mut self.values)?;
        if value.node_id() != self.root {
            let name = |node| format!("a message of type {}", value.types().node(node).name);
            return Err(Error::new(ErrorKind::Schema, "columns", 0, name(value.node_id()), name(self.root)));
        }
        self.decoder.push_value(value)
    }

    /// Adds a row of nulls, for a message that was refused.
    ///
    /// # Errors
    /// Kind limit if a column is full.
    pub fn push_null(&mut self) -> Result<(), Error> {
        self.decoder.push_null()
    }

    /// The number of rows since the last batch.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.decoder.rows()
    }

    /// The rows so far as a batch. The columns are then empty.
    ///
    /// # Errors
    /// Those of Arrow, which would be a defect of this crate.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.decoder.finish()
    }
}

/// Writes rows as messages of a type of a schema.
///
/// ```
/// use lengthwise::{Columns, Format, Options, Rows, Schema, tam::Limits};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Reading ::= SEQUENCE { celsius INTEGER (-40..87) } END";
/// let schema = Schema::from_notation(&[("", module)], &Limits::default())?;
/// let options = Options::default().with_schema(&schema);
/// let mut columns = Columns::new(Format::Uper, schema.root()?, &options, None)?;
/// columns.push(&[0x78], Format::Uper)?;
///
/// let batch = columns.finish()?;
/// let mut rows = Rows::new(Format::Json, schema.root()?, &options, batch.schema_ref())?;
/// let mut message = Vec::new();
/// rows.append(&batch, 0, &mut message)?;
/// assert_eq!(message, br#"{"celsius":20}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Rows<'s> {
    encoder: Encoder<'s>,
    /// The format that the encoder writes, and that of the messages.
    written: Format,
    format: Format,
    root: NodeId,
    options: Options<'s>,
    values: Values,
    buffer: Vec<u8>,
}

impl<'s> Rows<'s> {
    /// Rows with some columns, which become messages of the type `root` of [`Options::schema`] in a format. If open types are
    /// octets in the columns, these are by the rules of the format, or in OER.
    ///
    /// # Errors
    /// Those of [`Encoder::new`]; kind unsupported without a schema, and for a format that has no values of one.
    pub fn new(
        format: Format,
        root: NodeId,
        options: &Options<'s>,
        columns: &arrow_schema::Schema,
    ) -> Result<Rows<'s>, Error> {
        let schema = typed::schema(format, options)?;
        typed::is_of_values(format, schema)?;
        let written = if has_rules(format) { format } else { Format::Oer };
        let encoder = Encoder::new(schema.types(), root, &typed::rules(written, options), columns)?;
        let (values, buffer) = (Values::new(), Vec::new());
        Ok(Rows { encoder, written, format, root, options: *options, values, buffer })
    }

    /// Appends a row as a message. On an error the buffer is unchanged.
    ///
    /// # Errors
    /// Those of [`Encoder::append`] and of the format's writer.
    pub fn append(&mut self, batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.format == self.written {
            return self.encoder.append(batch, row, out).map(|_| ());
        }
        self.buffer.clear();
        self.encoder.append(batch, row, &mut self.buffer)?;
        let (root, mut table) = (Some(self.root), Table::new());
        let value = read_value(&self.buffer, self.written, root, &self.options, &mut table, &mut self.values)?;
        append_value(value, self.format, &self.options, out)
    }
}

/// Whether messages are by encoding rules and a schema.
fn has_rules(format: Format) -> bool {
    format.rules().is_some() && format.needs_schema()
}

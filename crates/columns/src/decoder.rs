//! Messages into a batch.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Schema};
use asn1::compiled::Kind;
use asn1::{Compiled, Filler, NodeId, Options, Value, Values, jer};
use tam::{Document, Error, ErrorKind, Words};

use crate::column::{self, Column, Data, SKIPPED};
use crate::plan::{Layout, Planner, join};
use crate::sink::Filling;
use crate::{FORMAT, finish};

/// Reads messages of one type into columns.
#[derive(Debug)]
pub struct Decoder<'t> {
    types: &'t Compiled,
    node: NodeId,
    options: Options,
    columns: Vec<Column>,
    root: u32,
    /// Whether there are columns of open types.
    has_open_types: bool,
    rows: usize,
    buffer: Vec<u8>,
    /// Room for values of documents that have open types.
    values: Values,
}

impl<'t> Decoder<'t> {
    /// A decoder of messages of a type. A SEQUENCE or SET has a column for each component, and any other type one
    /// named `value`.
    ///
    /// # Errors
    /// Kind unsupported for types that contain themselves, with the path of the column; kind schema for a path that leads
    /// nowhere.
    pub fn new(
        types: &'t Compiled,
        node: NodeId,
        options: &Options,
        layout: &Layout<'_>,
    ) -> Result<Decoder<'t>, Error> {
        let each = |paths: &[&str]| -> Result<Vec<String>, Error> {
            paths.iter().map(|path| checked(types, node, path)).collect()
        };
        let (projection, exclude) = (layout.paths.map(each).transpose()?, each(layout.exclude)?);
        let (times, columns, outer) = (layout.times, Vec::new(), Vec::new());
        let (projection, exclude) = (projection.as_deref(), &exclude[..]);
        let mut planner = Planner { types, projection, exclude, times, columns, outer };
        let root = planner.column(node, "")?;
        let (options, columns) = (*options, planner.columns);
        let has_open_types = columns.iter().any(Column::is_open);
        let (buffer, values) = (Vec::new(), Values::new());
        Ok(Decoder { types, node, options, columns, root, has_open_types, rows: 0, buffer, values })
    }

    /// Reads a message, which becomes a row.
    ///
    /// # Errors
    /// Those of [`asn1::read`]; kind unsupported for what a column cannot hold. The columns are then as they were.
    pub fn push(&mut self, message: &[u8]) -> Result<(), Error> {
        self.buffer.clear();
        let (types, root) = (self.types, self.root);
        let mut filling =
            Filling { types, columns: &mut self.columns, root, message, buffer: &mut self.buffer, string: SKIPPED };
        let read = asn1::read_events(message, types, self.node, &self.options, &mut filling);
        let read = read.and_then(|used| match message.len() - used {
            0 => Ok(()),
            more => {
                let found = Words::Count(more as u64, "bytes after the value");
                let format = self.options.rules.as_str();
                Err(Error::new(ErrorKind::Syntax, format, used as u64, found, "the end of the message"))
            }
        });
        self.pushed(read)
    }

    /// Reads a document of JSON values as a value of the type ([`jer::read_nullable`]), which becomes a row. `null` is an absent
    /// component. Members that no column needs are not read, and may be of any kind.
    ///
    /// # Errors
    /// Those of [`jer::read_nullable`]; kind unsupported for what a column cannot hold. The columns are then as they were.
    pub fn push_document(&mut self, document: &Document<'_>) -> Result<(), Error> {
        self.buffer.clear();
        let (types, root) = (self.types, self.root);
        let message = document.texts().0;
        if self.has_open_types {
            let (limits, values) = (self.options.limits, &mut self.values);
            let read = jer::read_nullable(document, types, self.node, &limits, &mut Filler::new(types, limits, values));
            let pushed = read.and_then(|()| {
                let value = values.value(types, self.node, message);
                column::push_value(&mut self.columns, root, value, &self.options)
            });
            return self.pushed(pushed);
        }
        let mut filling =
            Filling { types, columns: &mut self.columns, root, message, buffer: &mut self.buffer, string: SKIPPED };
        let read = jer::read_nullable(document, types, self.node, &self.options.limits, &mut filling);
        self.pushed(read)
    }

    /// Takes a value of the type, which becomes a row.
    ///
    /// # Errors
    /// Kind unsupported for what a column cannot hold, and those of [`asn1::write()`] for what is in an open type. The columns are
    /// then as they were.
    pub fn push_value(&mut self, value: Value<'_>) -> Result<(), Error> {
        let pushed = column::push_value(&mut self.columns, self.root, value, &self.options);
        self.pushed(pushed)
    }

    /// Counts a row, or forgets what a message that was refused has left.
    fn pushed(&mut self, pushed: Result<(), Error>) -> Result<(), Error> {
        match pushed {
            Ok(()) => self.rows += 1,
            Err(_) => column::truncate(&mut self.columns, self.root, self.rows),
        }
        pushed
    }

    /// Adds a row of nulls, for a message that was refused.
    ///
    /// # Errors
    /// Kind limit if a column is full.
    pub fn push_null(&mut self) -> Result<(), Error> {
        column::push_null(&mut self.columns, self.root)?;
        self.rows += 1;
        Ok(())
    }

    /// The number of rows since the last batch.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The rows so far as a batch. The decoder goes on with an empty one.
    ///
    /// # Errors
    /// Those of Arrow, which would be a defect of this crate.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let rows = std::mem::take(&mut self.rows);
        let is_record = matches!(self.columns.get(self.root as usize), Some(Column { data: Data::Record { .. }, .. }));
        if self.root == SKIPPED {
            let options = RecordBatchOptions::new().with_row_count(Some(rows));
            return RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options);
        }
        let (field, root) = finish::field(&mut self.columns, self.root, "value", self.types, self.options.rules)?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        match root.as_struct_opt().filter(|_| is_record) {
            Some(record) => {
                let schema = Arc::new(Schema::new(record.fields().clone()));
                RecordBatch::try_new_with_options(schema, record.columns().to_vec(), &options)
            }
            None => {
                let schema = Schema::new(vec![field]);
                RecordBatch::try_new_with_options(Arc::new(schema), vec![root], &options)
            }
        }
    }
}

/// The path of a component that a path of a projection leads to.
fn checked(types: &Compiled, node: NodeId, path: &str) -> Result<String, Error> {
    let (path, mut node, mut found) = (path.strip_prefix('/').unwrap_or(path), node, String::new());
    for step in path.split('/') {
        while let Kind::Array(array) = types.node(node).kind {
            node = array.item;
        }
        let name = tam::unescape_step(step);
        let Some(place) = types.member(node, &name) else {
            let found = format!("no component '{name}' in {}", types.node(node).name);
            return Err(Error::new(ErrorKind::Schema, FORMAT, 0, found, "").in_path(format!("/{path}")));
        };
        node = place.node;
        found = join(&found, &name);
    }
    Ok(found)
}

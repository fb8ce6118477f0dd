//! Reading messages into documents.

use std::sync::Arc;

use tam::{Builder, Document, Error, ErrorKind, Limits, Row, Table, TypeSet, Words};

use crate::envelope::{self, Envelope, SchemaSource};
use crate::mime::{self, Parts};
use crate::place::{at_line, unsupported};
use crate::rest::Kind;
use crate::restore::{Name, Output, Restorer};
use crate::row_reader::RowReader;
use crate::schema::{self, DataSchema};
use crate::{FORMAT, Options};

/// Reads a message into a table, as a document of XML ([`TypeSet::XML`]).
///
/// Accepts both schemes, and long or short tags with any prefix that is bound to [`NAMESPACE`](crate::NAMESPACE), or
/// `TDXML` unbound. The envelope may be the root element or inside another, such as the body of SOAP. The message may
/// be one part of a `multipart/related` message, whose octets become base64 in the document. Values stay in the message
/// if they need no conversion.
///
/// # Errors
/// Of kind syntax or incomplete if it is not a message; of kind schema if rows do not match the data schema: out of
/// order, missing, or unknown; of kind unsupported if the schema is one that the registry does not have; of kind limit.
/// Errors have byte, line, column and path.
pub fn read<'a>(message: &'a [u8], options: &Options<'_>, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    fill(message, options, table).map_err(|error| at_line(error, message))?;
    Ok(table.document(message, TypeSet::XML))
}

/// The data schema of a message, which includes it or refers to it.
///
/// # Errors
/// Those of [`read`] about what is around the rows, which are not read.
pub fn schema_of(message: &[u8], options: &Options<'_>) -> Result<DataSchema, Error> {
    let taken = Message::new(message, &options.limits).map_err(|error| at_line(error, message))?;
    let schema = taken.schema(options).map_err(|error| at_line(error, message))?;
    Ok(Arc::unwrap_or_clone(schema))
}

/// The identifier of the schema that a message refers to; `None` if the message has its schema.
///
/// # Errors
/// Those of [`read`] about what is around the rows, which are not read.
pub fn reference(message: &[u8], options: &Options<'_>) -> Result<Option<String>, Error> {
    let id = |source: &SchemaSource<'_>| match source {
        SchemaSource::Reference(id) => Some(id.clone().into_owned()),
        SchemaSource::Inline { .. } => None,
    };
    if let Some((head, _)) = envelope::front(message) {
        return Ok(id(&head.schema));
    }
    let taken = Message::new(message, &options.limits).map_err(|error| at_line(error, message))?;
    Ok(id(&taken.envelope.schema))
}

/// A message that has been split.
pub(crate) struct Message<'a> {
    /// The text of the envelope, and its start in the message.
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) envelope: Envelope<'a>,
    pub(crate) parts: Parts<'a>,
}

impl<'a> Message<'a> {
    /// Splits a message. Positions in errors refer to the whole message.
    pub(crate) fn new(message: &'a [u8], limits: &Limits) -> Result<Message<'a>, Error> {
        if message.len() > limits.message_bytes as usize {
            let found = Words::Count(message.len() as u64, "bytes");
            let limit = limits.message_bytes.into();
            return Err(Error::limit(FORMAT, limit, found, "message_bytes", limit));
        }
        let parts = mime::read(message, limits)?;
        let (bytes, at) = parts.root(message);
        let text = envelope::characters(bytes).map_err(|error| moved(error, at))?;
        let envelope = envelope::find(text, limits).map_err(|error| moved(error, at))?;
        Ok(Message { text, at, envelope, parts })
    }

    /// The schema of the message.
    pub(crate) fn schema(&self, options: &Options<'_>) -> Result<Arc<DataSchema>, Error> {
        match &self.envelope.schema {
            SchemaSource::Inline { id, notation } => {
                let text = self.text.get(notation.clone()).unwrap_or_default();
                let mut schema = schema::parse(text, true, &options.limits)
                    .map_err(|error| unplaced(&moved(error, self.at + notation.start)))?;
                schema.id = id.as_ref().map(|id| id.clone().into_owned());
                Ok(Arc::new(schema))
            }
            SchemaSource::Reference(id) => {
                let found = options.registry.and_then(|registry| registry.get(id));
                found.cloned().ok_or_else(|| {
                    let found = Words::Own(format!("a reference to the schema '{}'", id.escape_debug()));
                    unsupported(self.at, found, "a schema in the message, or one that the registry has")
                })
            }
        }
    }

    /// The rows, and their start in the message.
    pub(crate) fn table(&self) -> (&'a str, usize) {
        let range = self.envelope.table.clone();
        (self.text.get(range.clone()).unwrap_or_default(), self.at + range.start)
    }
}

/// Moves the position of an error.
#[cold]
pub(crate) fn moved(error: Error, by: usize) -> Error {
    if by == 0 {
        return error;
    }
    let at = error.offset() + by as u64;
    unplaced(&error).met_in(FORMAT, at)
}

/// Removes line and column from an error, because they refer to a part.
#[cold]
fn unplaced(error: &Error) -> Error {
    if error.kind() == ErrorKind::Incomplete {
        return Error::incomplete(FORMAT, error.offset(), error.needed().unwrap_or(1), error.expected().clone());
    }
    let again = Error::new(error.kind(), FORMAT, error.offset(), error.found().clone(), error.expected().clone());
    again.in_path(error.path())
}

fn fill(message: &[u8], options: &Options<'_>, table: &mut Table<'_>) -> Result<(), Error> {
    let taken = Message::new(message, &options.limits)?;
    let schema = taken.schema(options)?;
    // The list of an element's attributes counts as one more level, and that around a document as well.
    let limits = Limits { depth: options.limits.depth.saturating_add(2), ..options.limits };
    let builder = Builder::new(message, TypeSet::XML, limits, table);
    let mut tree = Restorer::new(&schema, options.limits, Some(&taken.parts), Tree::new(builder, message));
    let mut reader = RowReader::new(&schema, options.limits, message.len());
    let (rows, start) = taken.table();
    reader.begin(rows, start, true)?;
    tree.read(&mut reader, rows)?;
    tree.out.finish().map_err(|error| error.met_in(FORMAT, (start + rows.len()) as u64))
}

/// Fills a table.
struct Tree<'m, 't, 's> {
    builder: Builder<'m, 't, 's>,
    message: &'m [u8],
    /// The position of each name, once it has been needed, and the state that it belongs to.
    names: Vec<Option<(u32, u32)>>,
    /// Whether the list of attributes is open.
    in_list: bool,
    /// Whether there is a list around the document.
    is_surrounded: bool,
}

const fn class(kind: u8) -> u16 {
    TypeSet::XML.class(kind)
}

impl<'m, 't, 's> Tree<'m, 't, 's> {
    fn new(builder: Builder<'m, 't, 's>, message: &'m [u8]) -> Tree<'m, 't, 's> {
        Tree { builder, message, names: Vec::new(), in_list: false, is_surrounded: false }
    }

    fn end_list(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.in_list) { self.builder.close() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(), Error> {
        if self.is_surrounded {
            self.builder.close()?;
        }
        self.builder.finish()
    }

    /// The position of a name in the table.
    fn name(&mut self, name: Name<'_>) -> Result<u32, Error> {
        let Some((slot, state)) = name.slot else { return self.builder.place(name.text.as_bytes()) };
        let known = self.names.get(slot as usize).copied().flatten().filter(|(_, of)| *of == state);
        if let Some((place, _)) = known {
            return Ok(place);
        }
        let place = self.builder.place(name.text.as_bytes())?;
        let slot = slot as usize;
        if slot >= self.names.len() {
            self.names.resize(slot + 1, None);
        }
        if let Some(known) = self.names.get_mut(slot) {
            *known = Some((place, state));
        }
        Ok(place)
    }

    /// The position and length of a value in the message, or of a copy of it.
    fn place(&mut self, value: &str, at: Option<usize>) -> Result<(u32, u32), Error> {
        let len = value.len() as u32;
        // The line may have come from elsewhere.
        let is_there = |at: &usize| self.message.get(*at..*at + value.len()) == Some(value.as_bytes());
        match at.filter(is_there).and_then(|at| u32::try_from(at).ok()) {
            Some(at) => Ok((at, len)),
            None => Ok((self.builder.place(value.as_bytes())?, len)),
        }
    }

    fn leaf(&mut self, kind: u8, value: &str, at: Option<usize>) -> Result<(), Error> {
        self.end_list()?;
        let (place, len) = self.place(value, at)?;
        self.builder.primitive_row(Row::new(class(kind), 0, 0, place, len))
    }
}

fn located<T>(result: Result<T, Error>, at: usize) -> Result<T, Error> {
    result.map_err(|error| error.met_in(FORMAT, at as u64))
}

impl Output for Tree<'_, '_, '_> {
    fn surround(&mut self) -> Result<(), Error> {
        self.is_surrounded = true;
        self.builder.open_row(Row::new(class(b'='), 0, 0, 0, 0))
    }

    fn start(&mut self, name: Name<'_>, at: usize) -> Result<(), Error> {
        self.end_list()?;
        let place = located(self.name(name), at)?;
        located(self.builder.open_row(Row::new(class(b'<'), place, name.text.len() as u32, 0, 0)), at)
    }

    fn attribute(&mut self, name: Name<'_>, value: &str, at: Option<usize>) -> Result<(), Error> {
        let place = at.unwrap_or(0);
        if !self.in_list {
            located(self.builder.open_row(Row::new(class(b'='), 0, 0, 0, 0)), place)?;
            self.in_list = true;
        }
        let name_at = located(self.name(name), place)?;
        let (value_at, len) = self.place(value, at)?;
        let row = Row::new(class(b'['), name_at, name.text.len() as u32, value_at, len);
        located(self.builder.primitive_row(row), place)
    }

    fn text(&mut self, value: &str, at: Option<usize>) -> Result<(), Error> {
        located(self.leaf(b'[', value, at), at.unwrap_or(0))
    }

    fn note(&mut self, kind: Kind, text: &str) -> Result<(), Error> {
        let kind = match kind {
            Kind::Instruction => b'?',
            Kind::Doctype => b'!',
            _ => b'+',
        };
        located(self.leaf(kind, text, None), 0)
    }

    fn end(&mut self) -> Result<(), Error> {
        self.end_list()?;
        self.builder.close()
    }
}

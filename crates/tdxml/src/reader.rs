//! Reading messages into documents.

use std::borrow::Cow;
use std::sync::Arc;

use tam::{Builder, Document, Error, ErrorKind, Limits, Row, Table, TypeSet, Words};

use crate::envelope::{self, Envelope, SchemaSource};
use crate::escape;
use crate::machine::{Machine, Sink};
use crate::mime::{self, Parts};
use crate::path::Step;
use crate::place::{at_line, schema as schema_error, syntax, unsupported};
use crate::schema::{self, Attribute, Builtin, DataSchema, Element};
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
    // The list of an element's attributes counts as one more level.
    let limits = Limits { depth: options.limits.depth.saturating_add(1), ..options.limits };
    let builder = Builder::new(message, TypeSet::XML, limits, table);
    let mut tree = Tree::new(builder, &schema, message, &taken.parts);
    let mut machine = Machine::new(&schema, options.limits, message.len());
    let (rows, start) = taken.table();
    lines(rows, start, |line, at| machine.line(line, at, &mut tree).map_err(|error| error.in_path(machine.path())))?;
    let end = start + rows.len();
    machine.end(end, &mut tree).map_err(|error| error.in_path(machine.path()))?;
    tree.builder.finish().map_err(|error| error.met_in(FORMAT, end as u64))
}

/// The lines of a table without their ends, and the position of each. The first may be empty, because the table may
/// begin with a line end.
#[inline]
pub(crate) fn lines<'a>(
    rows: &'a str,
    start: usize,
    mut each: impl FnMut(&'a str, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let bytes = rows.as_bytes();
    let returns = memchr::memchr(b'\r', bytes).is_some();
    let mut at = 0;
    if bytes.starts_with(b"\r\n") {
        at = 2;
    } else if bytes.starts_with(b"\n") {
        at = 1;
    }
    while at < rows.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(rows.len(), |end| at + end);
        let mut line = rows.get(at..end).unwrap_or_default();
        if returns {
            line = line.strip_suffix('\r').unwrap_or(line);
            if let Some(alone) = line.find('\r') {
                return Err(lone_return(start + at + alone));
            }
        }
        each(line, start + at)?;
        at = end + 1;
    }
    Ok(())
}

#[cold]
pub(crate) fn lone_return(at: usize) -> Error {
    syntax(at, "a carriage return alone", "a line feed after it, or '&#13;' in a value")
}

/// Fills a table.
struct Tree<'m, 't, 's, 'p> {
    builder: Builder<'m, 't, 's>,
    message: &'m [u8],
    parts: &'p Parts<'m>,
    /// The position of each name, once it has been needed.
    elements: Vec<Option<u32>>,
    attributes: Vec<Option<u32>>,
    /// Whether the list of attributes is open.
    in_list: bool,
}

const fn class(kind: u8) -> u16 {
    TypeSet::XML.class(kind)
}

impl<'m, 't, 's, 'p> Tree<'m, 't, 's, 'p> {
    fn new(
        builder: Builder<'m, 't, 's>,
        schema: &DataSchema,
        message: &'m [u8],
        parts: &'p Parts<'m>,
    ) -> Tree<'m, 't, 's, 'p> {
        let (elements, attributes) = (schema.elements as usize, schema.attributes as usize);
        Tree {
            builder,
            message,
            parts,
            elements: vec![None; elements],
            attributes: vec![None; attributes],
            in_list: false,
        }
    }

    fn end_list(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.in_list) { self.builder.close() } else { Ok(()) }
    }

    /// The position and length of a value in the message, or of a copy of it.
    fn place(&mut self, builtin: Builtin, value: &str, at: Option<usize>) -> Result<(u32, u32), Error> {
        let Some(at) = at else {
            return Ok((self.builder.place(value.as_bytes())?, value.len() as u32));
        };
        let decoded = escape::decode(value).map_err(|error| moved(error, at))?;
        let text = match (builtin, decoded.strip_prefix("cid:")) {
            (Builtin::OctetString, Some(id)) => {
                let mut text = String::new();
                xml::base64::push(self.parts.copied(id, at)?, &mut text);
                Cow::Owned(text)
            }
            _ => decoded,
        };
        if builtin != Builtin::Utf8String && !builtin.allows(&text) {
            let found = Words::Own(format!("'{}'", tam::excerpt(&text).escape_debug()));
            return Err(schema_error(at, found, builtin.expected()));
        }
        // A borrowed value may be in the message even if the line came from elsewhere.
        let is_there =
            matches!(text, Cow::Borrowed(_)) && self.message.get(at..at + text.len()) == Some(text.as_bytes());
        match (is_there, u32::try_from(at)) {
            (true, Ok(place)) => Ok((place, text.len() as u32)),
            _ => Ok((self.builder.place(text.as_bytes())?, text.len() as u32)),
        }
    }
}

impl Sink for Tree<'_, '_, '_, '_> {
    fn open(&mut self, element: &Element, _: Step, at: usize) -> Result<(), Error> {
        self.end_list()?;
        let name = match self.elements.get(element.id as usize).copied().flatten() {
            Some(name) => name,
            None => {
                let name =
                    self.builder.place(element.name.as_bytes()).map_err(|error| error.met_in(FORMAT, at as u64))?;
                if let Some(place) = self.elements.get_mut(element.id as usize) {
                    *place = Some(name);
                }
                name
            }
        };
        let row = Row::new(class(b'<'), name, element.name.len() as u32, 0, 0);
        self.builder.open_row(row).map_err(|error| error.met_in(FORMAT, at as u64))
    }

    fn attribute(&mut self, attribute: &Attribute, value: &str, at: Option<usize>) -> Result<(), Error> {
        let located = |error: Error| error.met_in(FORMAT, at.unwrap_or(0) as u64);
        if !self.in_list {
            self.builder.open_row(Row::new(class(b'='), 0, 0, 0, 0)).map_err(located)?;
            self.in_list = true;
        }
        let name = match self.attributes.get(attribute.id as usize).copied().flatten() {
            Some(name) => name,
            None => {
                let name = self.builder.place(attribute.name.as_bytes()).map_err(located)?;
                if let Some(place) = self.attributes.get_mut(attribute.id as usize) {
                    *place = Some(name);
                }
                name
            }
        };
        let (place, len) = self.place(attribute.builtin, value, at)?;
        let row = Row::new(class(b'['), name, attribute.name.len() as u32, place, len);
        self.builder.primitive_row(row).map_err(located)
    }

    fn text(&mut self, builtin: Builtin, value: &str, at: usize) -> Result<(), Error> {
        self.end_list()?;
        let (place, len) = self.place(builtin, value, Some(at))?;
        if len == 0 {
            return Ok(());
        }
        let row = Row::new(class(b'['), 0, 0, place, len);
        self.builder.primitive_row(row).map_err(|error| error.met_in(FORMAT, at as u64))
    }

    fn close(&mut self) -> Result<(), Error> {
        self.end_list()?;
        self.builder.close()
    }
}

//! Rows as they arrive: each is passed on as soon as its line is complete.

use std::io::BufRead;
use std::sync::Arc;

use tam::{Error, ErrorKind};

use crate::envelope::{self, SchemaSource};
use crate::place::unsupported;
use crate::reader::moved;
use crate::rest::Kind;
use crate::restore::{Name, Output, Restorer};
use crate::row_reader::RowReader;
use crate::schema::{self, DataSchema};
use crate::{FORMAT, Options};

/// The content of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The start of an element with this name.
    Start(&'e str),
    /// An attribute of the element that began last: name and value.
    Attribute(&'e str, &'e str),
    /// The text of the element that began last; never empty.
    Text(&'e str),
    /// A comment.
    Comment(&'e str),
    /// A processing instruction: its target, a space and its data.
    Instruction(&'e str),
    /// A DOCTYPE: the text between `<!DOCTYPE ` and its `>`.
    Doctype(&'e str),
    /// The end of the innermost open element.
    End,
}

/// Reads a message from a stream and passes on each row when its line has arrived. It buffers only what comes before
/// the rows, and one line.
///
/// The envelope must be the root element; octets must be in base64.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tdxml::{Event, Options};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let message = br#"<Env xmlns="urn:tdxml"><DS>a[0] ::= SEQUENCE { b[0] SEQUENCE OF UTF8String }</DS><CT>
/// [0][0]0{.}
/// one
/// two
/// </CT></Env>"#;
/// let mut texts = Vec::new();
/// lengthwise_tdxml::read_rows(&message[..], &Options::default(), |event| {
///     if let Event::Text(text) = event {
///         texts.push(text.to_owned());
///     }
///     Ok(())
/// })?;
/// assert_eq!(texts, ["one", "two"]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`read`](crate::read), without line and column; of kind io if the stream fails; and those of `each`.
pub fn read_rows(
    input: impl BufRead,
    options: &Options<'_>,
    each: impl FnMut(Event<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let bound = u64::from(options.limits.message_bytes);
    let mut lines = Lines { input: input.take(bound.saturating_add(1)), line: Vec::new(), at: 0, bound };
    // The head ends with the start tag of the table, which may be in the middle of a line.
    let mut head = Vec::new();
    let mut table_start = envelope::TableStart::default();
    let (schema, mut rest) = loop {
        let more = lines.next()?;
        head.extend_from_slice(&lines.line);
        if let Some((before, rows)) = table_start.find(&head).and_then(|start| head.split_at_checked(start))
            && let Some(source) = envelope::head(before)
        {
            break (schema_of(before, source, options)?, rows.to_vec());
        }
        if !more {
            // Reading the whole message gives the error.
            return Err(match crate::reader::Message::new(&head, &options.limits) {
                Err(error) => error,
                Ok(_) => unsupported(0, "an envelope inside another document", "the envelope as the root element"),
            });
        }
    };
    let mut reader = RowReader::new(&schema, options.limits, lines.at);
    let mut events = Restorer::new(&schema, options.limits, None, Events { each });
    let mut at = lines.at - rest.len();
    loop {
        let end = memchr::memchr(b'<', &rest);
        let row = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let text = envelope::characters(row).map_err(|error| moved(error, at))?;
        reader.set_input(lines.at);
        reader.begin(text, at, end.is_some())?;
        events.read(&mut reader, text)?;
        if let Some(end) = end {
            let mut tail = rest.get(end..).unwrap_or_default().to_vec();
            while lines.next()? {
                tail.extend_from_slice(&lines.line);
            }
            return envelope::is_tail(&tail).map_err(|error| moved(error, at + end));
        }
        at = lines.at;
        if !lines.next()? {
            return Err(lines.incomplete());
        }
        rest.clear();
        rest.extend_from_slice(&lines.line);
    }
}

fn schema_of(head: &[u8], source: SchemaSource<'_>, options: &Options<'_>) -> Result<Arc<DataSchema>, Error> {
    match source {
        SchemaSource::Reference(id) => {
            let found = options.registry.and_then(|registry| registry.get(&id));
            found.cloned().ok_or_else(|| {
                let found = format!("a reference to the schema '{}'", id.escape_debug());
                unsupported(0, found, "a schema in the message, or one that the registry has")
            })
        }
        SchemaSource::Inline { notation, .. } => {
            let text = head.get(notation.clone()).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default();
            let schema = schema::parse(text, true, &options.limits).map_err(|error| moved(error, notation.start))?;
            Ok(Arc::new(schema))
        }
    }
}

/// A stream, line by line.
struct Lines<R> {
    input: std::io::Take<R>,
    line: Vec<u8>,
    /// The position after the line, from the start of the message.
    at: usize,
    bound: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads the next line with its end. Returns whether there is one.
    fn next(&mut self) -> Result<bool, Error> {
        self.line.clear();
        let read = self.input.read_until(b'\n', &mut self.line);
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Io, FORMAT, self.at as u64, error.to_string(), "more bytes").with_source(error)
        };
        let count = read.map_err(failed)?;
        self.at += count;
        if self.at as u64 > self.bound {
            return Err(Error::limit(FORMAT, self.bound, "a longer message", "message_bytes", self.bound));
        }
        Ok(count > 0)
    }

    fn incomplete(&self) -> Error {
        Error::incomplete(FORMAT, self.at as u64, 1, "the end of the table")
    }
}

/// Passes on events.
struct Events<F> {
    each: F,
}

impl<F: FnMut(Event<'_>) -> Result<(), Error>> Output for Events<F> {
    fn surround(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn start(&mut self, name: Name<'_>, _: usize) -> Result<(), Error> {
        (self.each)(Event::Start(name.text))
    }

    fn attribute(&mut self, name: Name<'_>, value: &str, _: Option<usize>) -> Result<(), Error> {
        (self.each)(Event::Attribute(name.text, value))
    }

    fn text(&mut self, value: &str, _: Option<usize>) -> Result<(), Error> {
        (self.each)(Event::Text(value))
    }

    fn note(&mut self, kind: Kind, text: &str) -> Result<(), Error> {
        (self.each)(match kind {
            Kind::Instruction => Event::Instruction(text),
            Kind::Doctype => Event::Doctype(text),
            _ => Event::Comment(text),
        })
    }

    fn end(&mut self) -> Result<(), Error> {
        (self.each)(Event::End)
    }
}

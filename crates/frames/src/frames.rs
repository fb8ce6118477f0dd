//! The messages of a file, one by one.

use std::fmt;
use std::io::Read;

use tam::{Error, ErrorKind, Limits, TypeSet, Words};

use crate::capture::{Capture, Port, Skipped};
use crate::cut::{Cut, Cutter, Next};
use crate::framing::Framing;
use crate::hex::{self, Dump};
use crate::stream::{Stream, later};

/// How the messages of a file are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How they follow each other: in the file, or in each payload of a capture.
    pub framing: Framing,
    /// Whether the file is hexadecimal text.
    pub hex: bool,
    /// The type set of messages in TSF; by default it is detected.
    pub types: Option<&'static TypeSet>,
    /// The port that they are sent to or from; then the file is a capture.
    pub port: Option<Port>,
    /// `message_bytes` bounds a message, the text of a file in hexadecimal, and what is kept of connections; `units` the
    /// number of connections.
    pub limits: Limits,
}

impl Options {
    /// The same with a framing.
    #[must_use]
    pub const fn with_framing(self, framing: Framing) -> Options {
        Options { framing, ..self }
    }

    /// The same for a file in hexadecimal text, or not.
    #[must_use]
    pub const fn with_hex(self, hex: bool) -> Options {
        Options { hex, ..self }
    }

    /// The same with a type set.
    #[must_use]
    pub const fn with_types(self, types: Option<&'static TypeSet>) -> Options {
        Options { types, ..self }
    }

    /// The same for a capture.
    #[must_use]
    pub const fn with_port(self, port: Option<Port>) -> Options {
        Options { port, ..self }
    }

    /// The same with limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options {
        Options { limits, ..self }
    }
}

/// A message of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame<'b> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it is.
    pub place: Place,
    /// The message.
    pub bytes: &'b [u8],
}

/// Where a message is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// At an offset in bytes.
    Byte(u64),
    /// In hexadecimal text that begins in a line, from 1.
    Line(u64),
    /// In a packet of a capture, from 1: the one that completes it.
    Packet(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Byte(offset) => write!(f, "byte {offset}"),
            Place::Line(line) => write!(f, "line {line}"),
            Place::Packet(number) => write!(f, "packet {number}"),
        }
    }
}

/// Reads the messages of a file one by one.
pub struct Frames<'r> {
    source: Source<'r>,
    number: u64,
}

enum Source<'r> {
    Stream(Stream<Box<dyn Read + Send + 'r>>),
    /// Lines of digits, and the bytes of the last one.
    Lines {
        stream: Stream<Box<dyn Read + Send + 'r>>,
        bytes: Vec<u8>,
    },
    Dumps(Dumps),
    Capture(Box<Capture<'r>>),
}

/// Messages of hexadecimal text.
struct Dumps {
    dumps: std::vec::IntoIter<Dump>,
    current: Option<Dump>,
    at: usize,
    cutter: Cutter,
}

impl<'r> Frames<'r> {
    /// Reads from a file or a stream.
    ///
    /// # Errors
    /// If the start of a capture or hexadecimal text cannot be read; [`ErrorKind::Unsupported`] for a combination of options
    /// that has no meaning.
    pub fn new(mut reader: impl Read + Send + 'r, options: &Options) -> Result<Frames<'r>, Error> {
        let Options { framing, hex, port, limits, .. } = *options;
        let unsupported = |found: &'static str, expected: &'static str| {
            Err(Error::new(ErrorKind::Unsupported, "framing", 0, found, expected))
        };
        let source = match (port, hex, framing) {
            (Some(_), true, _) => return unsupported("hexadecimal text with a port", "a capture"),
            (_, true, Framing::HexLines) => return unsupported("hexadecimal text in lines", "one of both"),
            (Some(_), _, Framing::HexLines) => return unsupported("lines of digits in a capture", "another framing"),
            (Some(port), ..) => Source::Capture(Box::new(Capture::new(reader, port, options)?)),
            (None, true, _) => {
                let mut text = Vec::new();
                let most = u64::from(limits.message_bytes);
                let read = reader.by_ref().take(most + 1).read_to_end(&mut text);
                read.map_err(|error| Error::new(ErrorKind::Io, "any", 0, error.to_string(), "a readable input"))?;
                if text.len() as u64 > most {
                    let found = Words::Text("a longer text");
                    return Err(Error::limit("hex", most, found, "message_bytes", most));
                }
                let dumps = hex::read(&text)?.into_iter();
                Source::Dumps(Dumps { dumps, current: None, at: 0, cutter: Cutter::new(options) })
            }
            (None, false, _) => {
                let stream = Stream::new(Box::new(reader) as Box<dyn Read + Send + 'r>, options);
                match framing {
                    Framing::HexLines => Source::Lines { stream, bytes: Vec::new() },
                    _ => Source::Stream(stream),
                }
            }
        };
        Ok(Frames { source, number: 0 })
    }

    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read or cut any further. After an error in a line of digits, a dump or a packet the next one can
    /// be read; after any other there is no next message.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, Error> {
        let found = match &mut self.source {
            Source::Stream(stream) => stream.next_message()?.map(|(offset, bytes)| (Place::Byte(offset), bytes)),
            Source::Lines { stream, bytes } => loop {
                let Some((offset, text)) = stream.next_message()? else { break None };
                if text.starts_with(b"#") {
                    continue;
                }
                self.number += 1;
                *bytes = hex::line(text).map_err(|error| later(error, offset))?;
                return Ok(Some(Frame { number: self.number, place: Place::Byte(offset), bytes }));
            },
            Source::Dumps(dumps) => dumps.next_message()?,
            Source::Capture(capture) => capture.next_message()?.map(|(packet, bytes)| (Place::Packet(packet), bytes)),
        };
        let Some((place, bytes)) = found else { return Ok(None) };
        self.number += 1;
        Ok(Some(Frame { number: self.number, place, bytes }))
    }

    /// How many messages were passed.
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.number
    }

    /// Packets of a capture that were not read although they may belong to the port, by reason.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        match &self.source {
            Source::Capture(capture) => capture.skipped(),
            _ => &[],
        }
    }
}

impl Dumps {
    fn next_message(&mut self) -> Result<Option<(Place, &[u8])>, Error> {
        loop {
            let is_over = self.current.as_ref().is_none_or(|dump| self.at == dump.bytes.len());
            if is_over {
                self.current = self.dumps.next();
                self.at = 0;
            }
            let Some(dump) = &self.current else { return Ok(None) };
            let (line, len, at) = (dump.line, dump.bytes.len(), self.at);
            match self.cutter.cut(&dump.bytes[at..], true) {
                Ok(Next::Message(Cut { start, end })) => {
                    self.at += end;
                    let bytes = self.current.as_ref().map_or(&[][..], |dump| &dump.bytes);
                    return Ok(Some((Place::Line(line), &bytes[at + start..at + end])));
                }
                Ok(_) => self.at = len,
                // The next dump can be read.
                Err(error) => {
                    self.at = len;
                    return Err(later(error, at as u64));
                }
            }
        }
    }
}

//! The messages of a file, one by one.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use tam::{Error, ErrorKind, Limits, TypeSet, Words};

use crate::capture::{Capture, Port, Skipped};
use crate::cut::{Cut, Cutter, Next};
use crate::framing::Framing;
use crate::hex::{self, Dump};
use crate::pem;
use crate::stream::{Stream, later, unread};

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
    /// Lines of digits, or parts of PEM, and the bytes of the last one.
    Text {
        stream: Stream<Box<dyn Read + Send + 'r>>,
        is_pem: bool,
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
        let unsupported = |found: &'static str, expected| Err(unsupported(found, expected));
        let source = match (port, hex, framing) {
            (Some(_), true, _) => return unsupported("hexadecimal text with a port", "a capture"),
            (_, true, Framing::HexLines) => return unsupported("hexadecimal text in lines", "one of both"),
            (_, true, Framing::Pem) => return unsupported("PEM in hexadecimal text", "one of both"),
            (Some(_), _, Framing::HexLines | Framing::Pem) => {
                return unsupported("text in a capture", "another framing");
            }
            (Some(port), ..) => Source::Capture(Box::new(Capture::new(reader, port, options)?)),
            (None, true, _) => {
                let mut text = Vec::new();
                let most = u64::from(limits.message_bytes);
                let read = reader.by_ref().take(most + 1).read_to_end(&mut text);
                read.map_err(unread)?;
                if text.len() as u64 > most {
                    let found = Words::Text("a longer text");
                    return Err(Error::limit("hex", most, found, "message_bytes", most));
                }
                let dumps = hex::read(&text)?.into_iter();
                Source::Dumps(Dumps { dumps, current: None, at: 0, cutter: Cutter::new(options) })
            }
            (None, false, _) => {
                Source::of(Stream::new(Box::new(reader) as Box<dyn Read + Send + 'r>, options), framing)
            }
        };
        Ok(Frames { source, number: 0 })
    }

    /// Reads the messages that begin in a part of a file: between two offsets in bytes, the second excluded. Parts that follow
    /// each other have all messages of the file, each once. Messages are numbered from the first of the part; their places are
    /// those in the file.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use std::io::Cursor;
    ///
    /// use lengthwise_frames::{Frames, Framing, Options};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let options = Options::default().with_framing(Framing::Lines);
    /// let mut frames = Frames::of_part(Cursor::new(b"[1]\n[2]\n[3]\n"), 2..5, &options)?;
    /// let frame = frames.next_frame()?.unwrap();
    /// assert_eq!((frame.bytes, frame.place.to_string()), (&b"[2]"[..], "byte 4".to_owned()));
    /// assert!(frames.next_frame()?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read; [`ErrorKind::Unsupported`] where only reading from the start of the file finds its messages:
    /// with a framing other than `fixed:N`, `lines` and `hex-lines`, in hexadecimal text and in captures.
    pub fn of_part(
        mut file: impl Read + Seek + Send + 'r,
        Range { start, end }: Range<u64>,
        options: &Options,
    ) -> Result<Frames<'r>, Error> {
        let Options { framing, hex, port, .. } = *options;
        let first = match framing {
            _ if hex || port.is_some() => return Err(unsupported("hexadecimal text or a capture", IN_PARTS)),
            Framing::Fixed(len) => start.checked_next_multiple_of(len.into()).unwrap_or(u64::MAX),
            Framing::Lines | Framing::HexLines if start == 0 => 0,
            Framing::Lines | Framing::HexLines => next_line(&mut file, start - 1..end).map_err(unread)?,
            other => return Err(unsupported(format!("the framing {other}"), IN_PARTS)),
        };
        file.seek(SeekFrom::Start(first)).map_err(unread)?;
        let stream = Stream::of_part(Box::new(file) as Box<dyn Read + Send + 'r>, first..end, options);
        Ok(Frames { source: Source::of(stream, framing), number: 0 })
    }

    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read or cut any further. After an error in a line of digits, a part of PEM, a dump or a packet
    /// the next one can be read; after any other there is no next message.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, Error> {
        self.next(true)
    }

    /// The next message, if it is in what has been read so far: a stream is not waited for. Captures are read on.
    ///
    /// # Errors
    /// Those of [`Frames::next_frame`].
    pub fn next_arrived(&mut self) -> Result<Option<Frame<'_>>, Error> {
        self.next(false)
    }

    fn next(&mut self, waits: bool) -> Result<Option<Frame<'_>>, Error> {
        let found = match &mut self.source {
            Source::Stream(stream) => stream.next_message(waits)?.map(|(offset, bytes)| (Place::Byte(offset), bytes)),
            Source::Text { stream, is_pem, bytes } => loop {
                let Some((offset, text)) = stream.next_message(waits)? else { break None };
                if text.starts_with(b"#") && !*is_pem {
                    continue;
                }
                self.number += 1;
                *bytes = match is_pem {
                    true => pem::part(text, offset)?,
                    false => hex::line(text).map_err(|error| later(error, offset))?,
                };
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

    /// Bytes of 00 between encodings of BER, which were passed over.
    #[must_use]
    pub fn filler(&self) -> u64 {
        match &self.source {
            Source::Stream(stream) => stream.filler(),
            Source::Dumps(dumps) => dumps.cutter.filler(),
            _ => 0,
        }
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

const IN_PARTS: &str = "fixed:N, lines or hex-lines, to read a part of a file";

#[cold]
fn unsupported(found: impl Into<Words>, expected: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, "framing", 0, found, expected)
}

/// Where the first line begins after a place, if it begins in the part; otherwise the end of that.
fn next_line(file: &mut (impl Read + Seek), part: Range<u64>) -> io::Result<u64> {
    file.seek(SeekFrom::Start(part.start))?;
    let most = part.end.saturating_sub(part.start);
    Ok(part.start + BufReader::new(file.take(most)).skip_until(b'\n')? as u64)
}

impl<'r> Source<'r> {
    fn of(stream: Stream<Box<dyn Read + Send + 'r>>, framing: Framing) -> Source<'r> {
        match framing {
            Framing::HexLines | Framing::Pem => {
                Source::Text { stream, is_pem: framing == Framing::Pem, bytes: Vec::new() }
            }
            _ => Source::Stream(stream),
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

//! Messages of a stream, with no more in memory than one of them.

use std::io::{self, ErrorKind as IoKind, Read};
use std::ops::Range;

use tam::{Error, ErrorKind, Words};

use crate::cut::{Cut, Cutter, Next};
use crate::frames::Options;

/// Bytes that are read at once, at the least: at first, and where there are as many.
const PIECE: usize = 64 << 10;
const LARGE: usize = 256 << 10;

/// A stream, cut into messages.
pub(crate) struct Stream<R> {
    reader: R,
    cutter: Cutter,
    most: u64,
    buffer: Vec<u8>,
    /// Bytes that are read at once, at the least.
    piece: usize,
    /// The part of the buffer that is filled and not yet passed on.
    at: usize,
    filled: usize,
    is_last: bool,
    /// After an error nothing is read.
    is_broken: bool,
    /// Bytes of the file before the buffer.
    before: u64,
    /// Where no message of this part of the file begins any more.
    end: u64,
}

impl<R: Read> Stream<R> {
    pub(crate) fn new(reader: R, options: &Options) -> Stream<R> {
        Stream::of_part(reader, 0..u64::MAX, options)
    }

    /// The messages that begin in a part of a file; the reader is where it starts.
    pub(crate) fn of_part(reader: R, part: Range<u64>, options: &Options) -> Stream<R> {
        let (cutter, most) = (Cutter::new(options), options.limits.message_bytes.into());
        Stream {
            reader,
            cutter,
            most,
            buffer: Vec::new(),
            piece: PIECE,
            at: 0,
            filled: 0,
            is_last: false,
            is_broken: false,
            before: part.start,
            end: part.end,
        }
    }

    /// The bytes between messages so far.
    pub(crate) fn filler(&self) -> u64 {
        self.cutter.filler()
    }

    /// The next message, and its offset in the file. Without `waits` nothing is read.
    pub(crate) fn next_message(&mut self, waits: bool) -> Result<Option<(u64, &[u8])>, Error> {
        if self.is_broken {
            return Ok(None);
        }
        match self.find(waits) {
            Ok(Some((offset, range))) => Ok(Some((offset, &self.buffer[range]))),
            Ok(None) => Ok(None),
            Err(error) => {
                self.is_broken = true;
                Err(error)
            }
        }
    }

    /// The offset of the next message, and where it is in the buffer.
    fn find(&mut self, waits: bool) -> Result<Option<(u64, Range<usize>)>, Error> {
        loop {
            let offset = self.before + self.at as u64;
            let window = &self.buffer[self.at..self.filled];
            if offset.saturating_add(self.cutter.skip_blank(window) as u64) >= self.end {
                return Ok(None);
            }
            match self.cutter.cut(window, self.is_last).map_err(|error| later(error, offset))? {
                Next::Message(Cut { start, end }) => {
                    let range = self.at + start..self.at + end;
                    self.at += end;
                    return Ok(Some((offset + start as u64, range)));
                }
                Next::End => return Ok(None),
                Next::More if !waits => return Ok(None),
                Next::More if window.len() as u64 > self.most + 8 => {
                    let found = Words::Text("a longer message");
                    return Err(Error::limit("framing", offset, found, "message_bytes", self.most));
                }
                Next::More => self.fill()?,
            }
        }
    }

    fn fill(&mut self) -> Result<(), Error> {
        if self.at > 0 {
            self.buffer.copy_within(self.at..self.filled, 0);
            self.before += self.at as u64;
            self.filled -= self.at;
            self.at = 0;
        }
        if self.buffer.len() < self.filled + self.piece {
            // Twice what has arrived.
            self.buffer.resize((2 * self.filled).max(self.piece), 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.is_last = true,
                Ok(read) => {
                    self.filled += read;
                    if self.filled == self.buffer.len() {
                        self.piece = LARGE;
                    }
                }
                Err(error) if error.kind() == IoKind::Interrupted => continue,
                Err(error) => return Err(unread(error)),
            }
            return Ok(());
        }
    }
}

/// The error of a reader, which may be of a format that it decompresses.
#[cold]
pub(crate) fn unread(error: io::Error) -> Error {
    let words = error.to_string();
    let own = error.into_inner().and_then(|inner| inner.downcast::<Error>().ok());
    own.map_or_else(|| Error::new(ErrorKind::Io, "any", 0, words, "a readable input"), |own| *own)
}

/// The same error in the file, not in a message of it.
pub(crate) fn later(error: Error, offset: u64) -> Error {
    let (format, at) = (error.format(), error.offset());
    error.met_in(format, offset + at)
}

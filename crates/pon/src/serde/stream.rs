//! Rust's own types from and to streams of bytes.

use alloc::vec::Vec;
use std::io::{Read, Write};

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;
use tam::Error;

use super::{de, to_vec, value_of};
use crate::Options;
use crate::payload::failed;
use crate::reader::root;

/// Reads a value of a Rust type from the next message of a stream.
///
/// A message says its length, so exactly its bytes are read: what follows stays in the stream, and messages can follow
/// each other. The message is in memory while it is read. Memory is taken for the bytes that have come, not for those
/// that a length announces. The head is read in small pieces: put a file or a socket into a [`std::io::BufReader`].
///
/// Of the options' limits, `message_bytes` and `depth` are kept; types that hold themselves are nested at most 128 deep.
///
/// If reading fails in the middle of a message, the bytes before are lost: of a stream that may time out, read with a
/// [`MessageReader`].
///
/// ```
/// use lengthwise_pon::{Options, from_reader};
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut stream = &b"5shello2i17"[..];
/// let options = Options::default();
/// assert_eq!(from_reader::<String>(&mut stream, &options)?, "hello");
/// assert_eq!(from_reader::<u32>(&mut stream, &options)?, 17);
/// // The end of the stream: not one byte of another message has come.
/// let error = from_reader::<u32>(&mut stream, &options).unwrap_err();
/// assert_eq!((error.needed(), error.offset()), (Some(1), 0));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`from_slice`](crate::from_slice); [`ErrorKind::Incomplete`](tam::ErrorKind::Incomplete) where the stream ends before the message does, at byte
/// 0 where it ends before one begins; [`ErrorKind::Limit`](tam::ErrorKind::Limit) where the message is longer than it may be, of which no more
/// than the head is read; [`ErrorKind::Io`](tam::ErrorKind::Io) where reading fails. Offsets count from the start of the message.
pub fn from_reader<T: DeserializeOwned>(reader: impl Read, options: &Options) -> Result<T, Error> {
    MessageReader::new(reader, *options).read()
}

/// Reads the messages of a stream one by one, as [`from_reader`] does, and keeps what has come of a message when reading fails:
/// after a timeout, or of a socket that does not block, the next call goes on.
///
/// ```
/// use std::io::{self, ErrorKind, Read};
///
/// use lengthwise_pon::{MessageReader, Options};
///
/// /// A stream whose second read comes too early.
/// struct Late(&'static [u8], u32);
///
/// impl Read for Late {
///     fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
///         self.1 += 1;
///         if self.1 == 2 { Err(ErrorKind::WouldBlock.into()) } else { self.0.read(into) }
///     }
/// }
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut messages = MessageReader::new(Late(b"5shello", 0), Options::default());
/// let error = messages.read::<String>().unwrap_err();
/// let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<io::Error>());
/// assert_eq!(source.map(io::Error::kind), Some(ErrorKind::WouldBlock));
/// assert_eq!(messages.begun(), b"5");
/// assert_eq!(messages.read::<String>()?, "hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MessageReader<R> {
    reader: R,
    options: Options,
    /// The bytes of the next message that have come.
    begun: Vec<u8>,
}

impl<R: Read> MessageReader<R> {
    /// A reader of messages, which puts no buffer before the stream.
    pub fn new(reader: R, options: Options) -> MessageReader<R> {
        MessageReader { reader, options, begun: Vec::new() }
    }

    /// Reads the next message.
    ///
    /// # Errors
    /// As [`from_reader`]. Where reading fails (kind [`Io`](tam::ErrorKind::Io)), the `std::io::Error` is the source of the error. After this
    /// error and [`Incomplete`](tam::ErrorKind::Incomplete), the next call goes on with the same message; after one about the type, with the next message. After
    /// any other, the start of the next message is not known, and each call returns that error again.
    pub fn read<T: DeserializeOwned>(&mut self) -> Result<T, Error> {
        self.complete()?;
        let value = value_of(&self.begun, de::LEVELS.min(self.options.limits.depth));
        self.begun.clear();
        value
    }

    /// The bytes of the next message that have come.
    #[must_use]
    pub fn begun(&self) -> &[u8] {
        &self.begun
    }

    /// Reads as many bytes as are missing at least, until the message is whole.
    fn complete(&mut self) -> Result<(), Error> {
        loop {
            let Err(error) = root(&self.begun, &self.options.limits) else { return Ok(()) };
            let Some(needed) = error.needed() else { return Err(error) };
            let came = self.reader.by_ref().take(needed).read_to_end(&mut self.begun);
            if came.map_err(|error| failed(self.begun.len() as u64, error, "the message to be read"))? == 0 {
                return Err(error);
            }
        }
    }
}

/// Writes a value of a Rust type as a message to a stream. The message is in memory until it is written.
///
/// ```
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut stream = Vec::new();
/// for reading in [("attic", 21.5), ("cellar", 9.0)] {
///     lengthwise_pon::to_writer(&reading, &mut stream)?;
/// }
/// assert_eq!(stream, b"13[5sattic4d21.513[6scellar3d9.0");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`to_vec`], and then nothing is written; [`ErrorKind::Io`](tam::ErrorKind::Io) where writing fails, and then a part of the message may
/// have been written.
pub fn to_writer<T: Serialize + ?Sized>(value: &T, mut writer: impl Write) -> Result<(), Error> {
    let message = to_vec(value)?;
    writer.write_all(&message).map_err(|error| failed(0, error, "the message to be written"))
}

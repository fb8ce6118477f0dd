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
pub fn from_reader<T: DeserializeOwned>(mut reader: impl Read, options: &Options) -> Result<T, Error> {
    let message = next_message(&mut reader, options)?;
    value_of(&message, de::LEVELS.min(options.limits.depth))
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
    writer.write_all(&message).map_err(|error| failed(0, &error, "the message to be written"))
}

/// Reads as many bytes as are missing at least, until the message is whole.
fn next_message(reader: &mut impl Read, options: &Options) -> Result<Vec<u8>, Error> {
    let mut message = Vec::new();
    loop {
        let error = match root(&message, &options.limits) {
            Ok(_) => return Ok(message),
            Err(error) => error,
        };
        let Some(needed) = error.needed() else { return Err(error) };
        let came = reader.take(needed).read_to_end(&mut message);
        if came.map_err(|error| failed(message.len() as u64, &error, "the message to be read"))? == 0 {
            return Err(error);
        }
    }
}

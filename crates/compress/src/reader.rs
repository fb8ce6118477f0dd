//! Decompresses messages.

use std::io::Read;

use tam::{Error, Limits};

use crate::stream::{Stream, located};
use crate::{Dictionary, Method};

/// Decompresses messages, one after the other.
#[derive(Debug)]
pub struct Decompressor<'d> {
    dictionary: Option<&'d Dictionary>,
    limits: Limits,
}

impl<'d> Decompressor<'d> {
    /// Reads messages within `decompressed_bytes`, `expansion_ratio`, `expansion_threshold` and `window` of the limits; those that are
    /// compressed with a dictionary need that one.
    #[must_use]
    pub fn new(dictionary: Option<&'d Dictionary>, limits: &Limits) -> Decompressor<'d> {
        Decompressor { dictionary, limits: *limits }
    }

    /// The message in a frame of zstd or a member of gzip, or in several one after the other. Memory grows with what has been
    /// decompressed, whatever size the frame says that it has.
    ///
    /// # Errors
    /// If it is not whole or damaged, needs another dictionary, or the message is longer than the limits allow. The offset is in the
    /// compressed bytes.
    pub fn read(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let name = Method::sniff(bytes).map_or("compression", Method::as_str);
        let bound = self.limits.decompression(bytes.len());
        let mut stream = Stream::new(bytes, self.dictionary, &self.limits)?;
        let mut message = Vec::new();
        let read = (&mut stream).take(bound.left() + 1).read_to_end(&mut message);
        match read {
            Ok(len) if len as u64 > bound.left() => {
                Err(bound.exceeded().error(name, stream.taken(), "a longer message"))
            }
            Ok(_) => Ok(message),
            Err(error) => Err(located(error)),
        }
    }
}

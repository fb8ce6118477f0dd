//! Compresses messages.

use std::io::Write;

use flate2::write::GzEncoder;
use tam::{Error, ErrorKind};
use zstd::bulk;
use zstd::zstd_safe::CParameter;

use crate::{Compression, Dictionary, Method};

/// Compresses messages, one after the other, in the same way.
pub struct Compressor<'d> {
    compression: Compression,
    zstd: Option<bulk::Compressor<'d>>,
}

impl std::fmt::Debug for Compressor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compressor").field("compression", &self.compression).finish_non_exhaustive()
    }
}

impl<'d> Compressor<'d> {
    /// Compresses with a dictionary, or none.
    ///
    /// # Errors
    /// With a dictionary, if the method is gzip, which has none. If memory is short.
    pub fn new(compression: Compression, dictionary: Option<&'d Dictionary>) -> Result<Compressor<'d>, Error> {
        let level = compression.level as i32;
        let zstd = match (compression.method, dictionary) {
            (Method::Gzip, None) => None,
            (Method::Gzip, Some(_)) => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    "gzip",
                    0,
                    "a dictionary",
                    "zstd, which has dictionaries",
                ));
            }
            (Method::Zstd, dictionary) => {
                let bytes = dictionary.map_or(&[][..], Dictionary::bytes);
                let mut zstd = bulk::Compressor::with_dictionary(level, bytes).map_err(|error| failed(&error))?;
                zstd.set_parameter(CParameter::ChecksumFlag(false)).map_err(|error| failed(&error))?;
                Some(zstd)
            }
        };
        Ok(Compressor { compression, zstd })
    }

    /// Appends a message compressed.
    ///
    /// # Errors
    /// If memory is short.
    pub fn append(&mut self, message: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        match &mut self.zstd {
            Some(zstd) => {
                out.extend_from_slice(&zstd.compress(message).map_err(|error| failed(&error))?);
            }
            None => {
                let mut gzip = GzEncoder::new(out, flate2::Compression::new(self.compression.level));
                gzip.write_all(message).and_then(|()| gzip.finish()).map_err(|error| failed(&error))?;
            }
        }
        Ok(())
    }
}

#[cold]
fn failed(error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, "compression", 0, error.to_string(), "memory to compress")
}

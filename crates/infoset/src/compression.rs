//! Compression and decompression of blocks of strings.

use std::io::{self, Read, Write};

use tam::{Error, ErrorKind};

use crate::Strings;
use crate::rules::FORMAT;

/// Higher levels of Zstandard take much longer and save only a few percent.
const ZSTD_LEVEL: i32 = 9;

/// The binary logarithm of the largest window, 8 MiB: RFC 8878 (section 3.1.1.1.2) asks every decoder to support it,
/// and ours supports no more.
const ZSTD_WINDOW: u32 = 23;

/// Appends a compressed block.
pub(crate) fn compress(block: &[u8], algorithm: Strings, out: &mut Vec<u8>) -> Result<(), Error> {
    let done = match algorithm {
        Strings::None => out.write_all(block),
        Strings::Deflate => {
            let mut encoder = flate2::write::ZlibEncoder::new(out, flate2::Compression::best());
            encoder.write_all(block).and_then(|()| encoder.finish().map(drop))
        }
        Strings::Bzip2 => {
            let mut encoder = bzip2::write::BzEncoder::new(out, bzip2::Compression::best());
            encoder.write_all(block).and_then(|()| encoder.finish().map(drop))
        }
        Strings::Zstd => zstd::stream::copy_encode(block, out, ZSTD_LEVEL),
    };
    done.map_err(|error| Error::new(ErrorKind::Io, FORMAT, 0, error.to_string(), "strings that can be compressed"))
}

/// The outcome of decompression.
pub(crate) enum Decompressed {
    Whole,
    /// The block is larger than allowed.
    TooMuch,
    /// The block is corrupt.
    Bad(io::Error),
    /// The receiver refused the data.
    Refused(Error),
}

/// Decompresses a block piece by piece, up to `most` bytes.
pub(crate) fn decompress(
    block: &[u8],
    algorithm: Strings,
    most: u64,
    take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Decompressed {
    match algorithm {
        Strings::None => pieces(block, most, take),
        Strings::Deflate => {
            let mut decoder = flate2::bufread::ZlibDecoder::new(block);
            let done = pieces(&mut decoder, most, take);
            whole(done, decoder.into_inner())
        }
        Strings::Bzip2 => {
            let mut decoder = bzip2::bufread::BzDecoder::new(block);
            let done = pieces(&mut decoder, most, take);
            whole(done, decoder.into_inner())
        }
        Strings::Zstd => {
            let decoder = zstd::stream::read::Decoder::with_buffer(block).and_then(|mut decoder| {
                decoder.window_log_max(ZSTD_WINDOW)?;
                Ok(decoder)
            });
            match decoder {
                Ok(decoder) => pieces(decoder, most, take),
                Err(error) => Decompressed::Bad(error),
            }
        }
    }
}

/// The outcome for a block, given the bytes left after its end.
fn whole(done: Decompressed, rest: &[u8]) -> Decompressed {
    match done {
        Decompressed::Whole if !rest.is_empty() => Decompressed::Bad(io::Error::other("more after its end")),
        done => done,
    }
}

/// Memory grows with the decompressed bytes, whatever size the block claims.
fn pieces(mut decoder: impl Read, mut most: u64, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Decompressed {
    let mut piece = vec![0; PIECE];
    loop {
        let read = match decoder.read(&mut piece) {
            Ok(0) => return Decompressed::Whole,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Decompressed::Bad(error),
        };
        let Some(left) = most.checked_sub(read as u64) else { return Decompressed::TooMuch };
        most = left;
        if let Err(error) = take(piece.get(..read).unwrap_or_default()) {
            return Decompressed::Refused(error);
        }
    }
}

/// The number of bytes decompressed at a time.
const PIECE: usize = 16 * 1024;

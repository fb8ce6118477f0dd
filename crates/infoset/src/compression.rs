//! Blocks of strings, compressed and decompressed.

use std::io::{self, Read, Write};

use tam::{Error, ErrorKind};

use crate::Strings;
use crate::rules::FORMAT;

/// Higher levels of Zstandard take much longer for a few bytes in a hundred.
const ZSTD_LEVEL: i32 = 9;

/// Appends a block, compressed.
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

/// What became of a block.
pub(crate) enum Decompressed {
    Whole,
    /// It is more than was allowed.
    TooMuch,
    /// It is not what its algorithm makes.
    Bad(io::Error),
    /// What it stands for was not taken.
    Refused(Error),
}

/// Gives piece by piece what a compressed block stands for, of which there may be `most` bytes.
pub(crate) fn decompress(
    block: &[u8],
    algorithm: Strings,
    most: u64,
    take: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Decompressed {
    match algorithm {
        Strings::None => pieces(block, most, take),
        Strings::Deflate => pieces(flate2::bufread::ZlibDecoder::new(block), most, take),
        Strings::Bzip2 => pieces(bzip2::bufread::BzDecoder::new(block), most, take),
        Strings::Zstd => match zstd::stream::read::Decoder::with_buffer(block) {
            Ok(decoder) => pieces(decoder, most, take),
            Err(error) => Decompressed::Bad(error),
        },
    }
}

/// Memory is taken as bytes come out, whatever the block claims.
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

/// Bytes that are decompressed at a time.
const PIECE: usize = 16 * 1024;

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
}

/// Appends what a compressed block stands for, of which there may be `most` bytes.
pub(crate) fn decompress(block: &[u8], algorithm: Strings, most: u64, out: &mut Vec<u8>) -> Decompressed {
    match algorithm {
        Strings::None => append(block, most, out),
        Strings::Deflate => append(flate2::bufread::ZlibDecoder::new(block), most, out),
        Strings::Bzip2 => append(bzip2::bufread::BzDecoder::new(block), most, out),
        Strings::Zstd => match zstd::stream::read::Decoder::with_buffer(block) {
            Ok(decoder) => append(decoder, most, out),
            Err(error) => Decompressed::Bad(error),
        },
    }
}

/// Memory is taken as bytes come out, whatever the block claims.
fn append(decoder: impl Read, most: u64, out: &mut Vec<u8>) -> Decompressed {
    let before = out.len();
    match decoder.take(most.saturating_add(1)).read_to_end(out) {
        Err(error) => Decompressed::Bad(error),
        Ok(_) if (out.len() - before) as u64 > most => Decompressed::TooMuch,
        Ok(_) => Decompressed::Whole,
    }
}

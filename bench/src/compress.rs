//! How small compressors make bytes, at their best.

use std::io::Write;

/// Bytes under `gzip -9`.
pub(crate) fn gzip(bytes: &[u8]) -> usize {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_or(0, |out| out.len())
}

/// Bytes under `zstd -19`.
pub(crate) fn zstd(bytes: &[u8]) -> usize {
    zstd::bulk::compress(bytes, 19).map_or(0, |out| out.len())
}

/// Bytes under `bzip2 -9`.
pub(crate) fn bzip2(bytes: &[u8]) -> usize {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_or(0, |out| out.len())
}

/// Bytes under zlib at its highest level, as they are sent.
pub(crate) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

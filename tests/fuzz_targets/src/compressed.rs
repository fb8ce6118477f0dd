//! What holds of compressed messages.

use std::io::Read;

use lengthwise_compress::{Compression, Compressor, Decompressor, Method, Stream};

use crate::frames::Slow;

/// Messages of both methods, at the beginning of fuzzing.
#[must_use]
pub fn compressed_seeds() -> Vec<Vec<u8>> {
    let message = b"a message, and a message, and another message";
    [Method::Zstd, Method::Gzip].map(|method| compressed(message, method).unwrap_or_default()).to_vec()
}

fn compressed(message: &[u8], method: Method) -> Result<Vec<u8>, tam::Error> {
    let mut small = Vec::new();
    Compressor::new(Compression::from(method), None)?.append(message, &mut small)?;
    Ok(small)
}

/// What is decompressed comes in pieces as it does whole, and comes back by both methods.
///
/// # Panics
/// If it does not.
pub fn compressed_read(input: &[u8]) {
    let reader = Decompressor::new(None, &hostile::LIMITS);
    let Ok(message) = reader.read(input) else { return };
    let mut pieces = Vec::new();
    let stream = Stream::new(Slow(input, 3), None, &hostile::LIMITS);
    let _ = stream.map(|mut stream| stream.read_to_end(&mut pieces));
    assert_eq!(pieces, message, "in pieces");
    for method in [Method::Zstd, Method::Gzip] {
        let again = compressed(&message, method).and_then(|small| {
            // What has been decompressed may be compressed better than the ratio allows.
            Decompressor::new(None, &tam::Limits::NONE).read(&small)
        });
        assert_eq!(again.as_ref(), Ok(&message), "by {method}");
    }
}

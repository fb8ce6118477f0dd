//! Shapes of compressed messages.

use test_support::Random;

use crate::Family::{self, Compression, Counts};
use crate::Shape;
use crate::http_shapes::gzip;

const fn shape(family: Family, name: &'static str, make: fn(&mut Random, usize) -> Vec<u8>) -> Shape {
    Shape { readers: &["compressed"], family, name, make }
}

pub(crate) const SHAPES: &[Shape] = &[
    shape(Compression, "a byte repeated in each block of zstd", |_, n| frame(0x38, n / 4)),
    shape(Compression, "a window of 8 MiB", |_, n| frame(0x68, n / 4)),
    shape(Counts, "frames with a window of 8 MiB", |_, n| frame(0x68, 1).repeat(n / 14)),
    shape(Counts, "empty frames", |_, n| b"\x28\xB5\x2F\xFD\x20\0\x01\0\0".repeat(n / 9)),
    shape(Counts, "frames that are skipped", |_, n| {
        [&b"\x28\xB5\x2F\xFD\x20\0\x01\0\0"[..], &b"\x50\x2A\x4D\x18\0\0\0\0".repeat(n / 8)].concat()
    }),
    shape(Compression, "a member of zeros", |_, n| gzip(&vec![0; n << 10])),
    shape(Counts, "empty members", |_, n| gzip(b"").repeat(n / 20)),
];

/// A frame whose head has a window, with blocks of 128 KiB that repeat a byte (RFC 8878 section 3.1.1.2.2).
fn frame(window: u8, blocks: usize) -> Vec<u8> {
    let mut frame = b"\x28\xB5\x2F\xFD\0".to_vec();
    frame.push(window);
    for _ in 1..blocks {
        frame.extend_from_slice(b"\x02\0\x10a");
    }
    frame.extend_from_slice(b"\x0B\0\0a");
    frame
}

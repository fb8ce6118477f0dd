//! Shapes of bodies of HTTP.

use std::io::Write;

use flate2::write::{GzEncoder, ZlibEncoder};
use flate2::{Compression, GzBuilder};
use test_support::Random;

use crate::Family::{self, Compression as Compressed, Counts, Names, Parameters};
use crate::Shape;

const fn shape(family: Family, name: &'static str, make: fn(&mut Random, usize) -> Vec<u8>) -> Shape {
    Shape { readers: &["http body"], family, name, make }
}

pub(crate) const SHAPES: &[Shape] = &[
    // What is compressed has a thousand times the bytes.
    shape(Compressed, "a body of zeros", |_, n| body(0, &gzip(&vec![0; n << 10]))),
    shape(Compressed, "a body of zeros, as zlib", |_, n| body(1, &zlib(&vec![0; n << 10]))),
    shape(Compressed, "empty members of gzip", |_, n| body(0, &gzip(b"").repeat(n / 20))),
    shape(Names, "members of gzip with names", |_, n| body(0, &named_gzip(n / 30).repeat(20))),
    shape(Compressed, "parts of zeros", |_, n| body(3, &gzip(&parts("", &vec![0; n << 10], 1)))),
    shape(Counts, "empty parts", |_, n| body(2, &parts("", b"", n / 10))),
    shape(Counts, "beginnings of boundaries", |_, n| body(2, &parts("", &b"\r\n--".repeat(n / 4), 1))),
    shape(Parameters, "heads of fields", |_, n| {
        body(2, &parts(&"a:b\r\n".repeat(n.min(16_000) / 5), b"", n / 16_000 + 1))
    }),
    shape(Names, "a head of one line", |_, n| {
        body(2, &parts(&format!("a:{}\r\n", "b".repeat(n.min(16_000))), b"", n / 16_000 + 1))
    }),
    shape(Names, "a line of a delimiter", |_, n| body(2, &[b"--b".as_slice(), &vec![b' '; n]].concat())),
    shape(Names, "a preamble", |_, n| body(2, &vec![b'-'; n])),
    shape(Parameters, "characters of two bytes", |_, n| body(5, &vec![0xE9; n])),
    shape(Parameters, "surrogates", |_, n| body(4, &b"\xD8\x3D\xDE\x00".repeat(n / 4))),
];

fn body(head: u8, bytes: &[u8]) -> Vec<u8> {
    [&[head], bytes].concat()
}

/// Parts with a head and content.
fn parts(head: &str, content: &[u8], count: usize) -> Vec<u8> {
    let part = [b"--b\r\n".as_slice(), head.as_bytes(), b"\r\n", content, b"\r\n"].concat();
    [part.repeat(count), b"--b--".to_vec()].concat()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An empty member with a name, a comment and an extra field.
fn named_gzip(len: usize) -> Vec<u8> {
    let text = "n".repeat(len / 3);
    let builder = GzBuilder::new().filename(&*text).comment(&*text).extra(&*text);
    builder.write(Vec::new(), Compression::best()).finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

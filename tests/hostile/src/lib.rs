//! Inputs that are made to cost, for every reader, and what the readers may cost.
//!
//! A *shape* is a way to make a small input that asks for much: by references, names, defaults, counts,
//! compression, namespaces, identity constraints, patterns or parameters. [`shapes`] has all of them, [`READERS`] all
//! readers, and [`check`] holds what a reader does with an input against its bound in [`test_support::cost`].
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)] // A test that cannot be set up fails.

mod asn1_shapes;
mod compressed_shapes;
mod frame_shapes;
mod http_shapes;
mod json_shapes;
mod readers;
mod soap_shapes;
mod table_shapes;
mod xml_shapes;
mod xsd_shapes;

pub use readers::{LIMITS, READERS, Reader};

use test_support::Random;
use test_support::cost::{Bound, Cost, Given, measured};

/// What multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// A name for something long, used often.
    References,
    /// Names that are long, or many.
    Names,
    /// What an input does not say, and is there.
    Defaults,
    /// Numbers that promise much, and levels.
    Counts,
    /// Text that was compressed.
    Compression,
    /// Prefixes in scope.
    Namespaces,
    /// Identity constraints.
    Identity,
    /// Patterns, and what is like them.
    Patterns,
    /// What a type or a header takes as arguments.
    Parameters,
}

/// A way to make inputs of about a number of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The readers that the inputs are for.
    pub readers: &'static [&'static str],
    /// What multiplies.
    pub family: Family,
    /// What it is.
    pub name: &'static str,
    /// Makes an input of about so many bytes.
    pub make: fn(&mut Random, usize) -> Vec<u8>,
}

/// All shapes.
pub fn shapes() -> Vec<Shape> {
    [
        xml_shapes::SHAPES,
        json_shapes::SHAPES,
        asn1_shapes::SHAPES,
        xsd_shapes::SHAPES,
        soap_shapes::SHAPES,
        table_shapes::SHAPES,
        http_shapes::SHAPES,
        asn1_shapes::OER_SHAPES,
        frame_shapes::SHAPES,
        compressed_shapes::SHAPES,
    ]
    .concat()
}

/// Reads an input. What it cost, or in words what of it is too much.
///
/// # Errors
/// If it cost more than the bound of the reader.
pub fn check(reader: &Reader, input: &[u8]) -> Result<Cost, String> {
    let (_, cost) = measured(|| (reader.read)(input));
    Bound::of(reader.name).check(&given(input), &cost).map(|()| cost)
}

/// What a reader is given with an input.
#[must_use]
pub fn given(input: &[u8]) -> Given {
    Given {
        input: input.len(),
        units: LIMITS.units as usize,
        expansion: LIMITS.entity_expansion as usize + LIMITS.decompressed_bytes as usize,
    }
}

/// [`check`] for the fuzz targets: by the name of the reader, and with a panic.
///
/// # Panics
/// If it cost more than the bound of the reader.
pub fn hold(reader: &str, input: &[u8]) {
    let reader = READERS.iter().find(|other| other.name == reader).expect("a reader");
    if let Err(error) = check(reader, input) {
        panic!("{error}");
    }
}

/// An input of a shape, of up to so many bytes, a few of them spoiled now and then; and what it is.
pub fn generate(shape: &Shape, random: &mut Random, most: usize) -> (&'static Reader, String, Vec<u8>) {
    let size = 64 + random.below(most);
    let mut input = (shape.make)(random, size);
    let name = random.of(shape.readers);
    if random.one_in(4) {
        for _ in 0..1 + random.below(3) {
            let at = random.below(input.len());
            match random.below(3) {
                0 => input[at] = random.next() as u8,
                1 => drop(input.remove(at)),
                _ => input.insert(at, random.of(b"0123456789<>&;[]{}\"|")),
            }
            if input.is_empty() {
                break;
            }
        }
    }
    let reader = READERS.iter().find(|reader| reader.name == name).expect("a reader");
    (reader, format!("{name}, {:?}: {} ({size})", shape.family, shape.name), input)
}

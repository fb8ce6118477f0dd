//! The XML declaration (XML 1.0 section 2.8).

use tam::Error;
use xml::chars::{is_space, space_end};

use super::encoding::is_encoding_name;
use super::expect::{after, after_space, unexpected};
use super::markup::literal;

/// Whether an XML declaration begins the text. `<?xml-stylesheet` is another thing.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"<?xml") && bytes.get(5).is_some_and(|&byte| is_space(byte))
}

/// The XML declaration at the start of a document: whether it says `standalone="yes"`, and the
/// position after it (productions 23-26, 32, 80).
pub(crate) fn read(bytes: &[u8]) -> Result<(bool, usize), Error> {
    let mut next = version(bytes, space_end(bytes, 5))?;
    let mut at = space_end(bytes, next);
    if at > next && bytes.get(at) == Some(&b'e') {
        next = encoding(bytes, at)?;
        at = space_end(bytes, next);
    }
    let mut standalone = false;
    if at > next && bytes.get(at) == Some(&b's') {
        let (range, after) = pseudo_attribute(bytes, at, "standalone")?;
        standalone = match &bytes[range.clone()] {
            b"yes" => true,
            b"no" => false,
            _ => return Err(unexpected(bytes, range.start, "'yes' or 'no'")),
        };
        at = space_end(bytes, after);
    }
    Ok((standalone, after(bytes, at, "?>")?))
}

/// The text declaration at the start of an external entity, which has no version or one, an encoding and nothing more:
/// the position after it (production 77).
pub(crate) fn read_of_entity(bytes: &[u8]) -> Result<usize, Error> {
    let mut at = space_end(bytes, 5);
    if bytes.get(at) == Some(&b'v') {
        at = after_space(bytes, version(bytes, at)?, "white space")?;
    }
    let next = encoding(bytes, at)?;
    after(bytes, space_end(bytes, next), "?>")
}

/// The position after the version that is at `at`.
fn version(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let (range, next) = pseudo_attribute(bytes, at, "version")?;
    let number = &bytes[range.clone()];
    if !number.strip_prefix(b"1.").is_some_and(|minor| !minor.is_empty() && minor.iter().all(u8::is_ascii_digit)) {
        return Err(unexpected(bytes, range.start, "a version number ('1.0')"));
    }
    Ok(next)
}

/// The position after the encoding that is at `at`.
fn encoding(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let (range, next) = pseudo_attribute(bytes, at, "encoding")?;
    if is_encoding_name(&bytes[range.clone()]) {
        Ok(next)
    } else {
        Err(unexpected(bytes, range.start, "the name of an encoding"))
    }
}

/// The value of `name = "value"` at `at`, and the position after it.
fn pseudo_attribute(bytes: &[u8], at: usize, name: &'static str) -> Result<(core::ops::Range<usize>, usize), Error> {
    let equals = space_end(bytes, after(bytes, at, name)?);
    let value = space_end(bytes, after(bytes, equals, "=")?);
    literal(bytes, value, "a value in quotes")
}

//! The XML declaration (XML 1.0 section 2.8).

use tam::Error;
use xml::chars::{is_space, space_end};

use super::encoding::is_encoding_name;
use super::expect::{after, unexpected};
use super::markup::literal;

/// Whether an XML declaration begins the text. `<?xml-stylesheet` is another thing.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"<?xml") && bytes.get(5).is_some_and(|&byte| is_space(byte))
}

/// The XML declaration at the start of a document: whether it says `standalone="yes"`, and the
/// position after it (productions 23-26, 32, 80).
pub(crate) fn read(bytes: &[u8]) -> Result<(bool, usize), Error> {
    let version = space_end(bytes, 5);
    let (range, mut next) = pseudo_attribute(bytes, version, "version")?;
    let number = &bytes[range.clone()];
    if !number.strip_prefix(b"1.").is_some_and(|minor| !minor.is_empty() && minor.iter().all(u8::is_ascii_digit)) {
        return Err(unexpected(bytes, range.start, "a version number ('1.0')"));
    }
    let mut at = space_end(bytes, next);
    if at > next && bytes.get(at) == Some(&b'e') {
        let (range, after) = pseudo_attribute(bytes, at, "encoding")?;
        if !is_encoding_name(&bytes[range.clone()]) {
            return Err(unexpected(bytes, range.start, "the name of an encoding"));
        }
        (next, at) = (after, space_end(bytes, after));
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

/// The value of `name = "value"` at `at`, and the position after it.
fn pseudo_attribute(bytes: &[u8], at: usize, name: &'static str) -> Result<(core::ops::Range<usize>, usize), Error> {
    let equals = space_end(bytes, after(bytes, at, name)?);
    let value = space_end(bytes, after(bytes, equals, "=")?);
    literal(bytes, value, "a value in quotes")
}

//! The XML declaration (XML 1.0 section 2.8).

use std::ops::Range;

use tam::{Error, ErrorKind};
use xml::chars::{is_space, space_end};

use super::Options;
use super::encoding::is_encoding_name;
use super::expect::{after, after_space, unexpected};
use super::markup::literal;

/// Whether an XML declaration begins the text. `<?xml-stylesheet` is another thing.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"<?xml") && bytes.get(5).is_some_and(|&byte| is_space(byte))
}

/// What an XML declaration says (XML 1.0 section 2.8).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declaration {
    /// The version of XML: `1.0`.
    pub version: String,
    /// The name of the character encoding, if there is one.
    pub encoding: Option<String>,
    /// The standalone document declaration, if there is one.
    pub standalone: Option<bool>,
}

impl Declaration {
    /// A declaration with a version.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if it is none of XML 1.0, which begins with `1.`.
    pub fn new(version: &str) -> Result<Declaration, Error> {
        if is_version(version.as_bytes()) {
            return Ok(Declaration { version: version.to_owned(), encoding: None, standalone: None });
        }
        let found = format!("the version '{}'", version.escape_debug());
        Err(Error::new(ErrorKind::Unsupported, "xml", 0, found, "a version of XML ('1.0')"))
    }

    /// Appends it as the first line of a document in UTF-8, which ends as [`Options::line_ends`] says.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// let mut declaration = lengthwise_text::xml::Declaration::new("1.0")?;
    /// declaration.standalone = Some(true);
    /// let mut out = Vec::new();
    /// declaration.append(&lengthwise_text::xml::Options::default(), &mut out);
    /// assert_eq!(out, b"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n");
    /// # Ok::<(), lengthwise_tam::Error>(())
    /// ```
    pub fn append(&self, options: &Options, out: &mut Vec<u8>) {
        let standalone = match self.standalone {
            Some(true) => " standalone=\"yes\"",
            Some(false) => " standalone=\"no\"",
            None => "",
        };
        let parts =
            ["<?xml version=\"", &self.version, "\" encoding=\"UTF-8\"", standalone, "?>", options.line_ends.as_str()];
        out.extend(parts.iter().flat_map(|part| part.bytes()));
    }
}

/// An XML declaration in its document.
pub(crate) struct Parts {
    version: Range<usize>,
    encoding: Option<Range<usize>>,
    pub(crate) standalone: Option<bool>,
    /// The position after it.
    pub(crate) end: usize,
}

impl Parts {
    pub(crate) fn of(&self, text: &str) -> Declaration {
        let part = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
        let (version, encoding) = (part(&self.version), self.encoding.as_ref().map(part));
        Declaration { version, encoding, standalone: self.standalone }
    }
}

/// The XML declaration at the start of a document (productions 23-26, 32, 80).
pub(crate) fn read(bytes: &[u8]) -> Result<Parts, Error> {
    let (version, mut next) = version(bytes, space_end(bytes, 5))?;
    let mut said = Parts { version, encoding: None, standalone: None, end: 0 };
    let mut at = space_end(bytes, next);
    if at > next && bytes.get(at) == Some(&b'e') {
        let (range, after) = encoding(bytes, at)?;
        said.encoding = Some(range);
        next = after;
        at = space_end(bytes, next);
    }
    if at > next && bytes.get(at) == Some(&b's') {
        let (range, after) = pseudo_attribute(bytes, at, "standalone")?;
        said.standalone = match &bytes[range.clone()] {
            b"yes" => Some(true),
            b"no" => Some(false),
            _ => return Err(unexpected(bytes, range.start, "'yes' or 'no'")),
        };
        at = space_end(bytes, after);
    }
    said.end = after(bytes, at, "?>")?;
    Ok(said)
}

/// The text declaration at the start of an external entity, which has no version or one, an encoding and nothing more:
/// the position after it (production 77).
pub(crate) fn read_of_entity(bytes: &[u8]) -> Result<usize, Error> {
    let mut at = space_end(bytes, 5);
    if bytes.get(at) == Some(&b'v') {
        at = after_space(bytes, version(bytes, at)?.1, "white space")?;
    }
    let (_, next) = encoding(bytes, at)?;
    after(bytes, space_end(bytes, next), "?>")
}

/// The version that is at `at`, and the position after it.
fn version(bytes: &[u8], at: usize) -> Result<(Range<usize>, usize), Error> {
    let (range, next) = pseudo_attribute(bytes, at, "version")?;
    if is_version(&bytes[range.clone()]) {
        Ok((range, next))
    } else {
        Err(unexpected(bytes, range.start, "a version number ('1.0')"))
    }
}

fn is_version(number: &[u8]) -> bool {
    number.strip_prefix(b"1.").is_some_and(|minor| !minor.is_empty() && minor.iter().all(u8::is_ascii_digit))
}

/// The encoding that is at `at`, and the position after it.
fn encoding(bytes: &[u8], at: usize) -> Result<(Range<usize>, usize), Error> {
    let (range, next) = pseudo_attribute(bytes, at, "encoding")?;
    if is_encoding_name(&bytes[range.clone()]) {
        Ok((range, next))
    } else {
        Err(unexpected(bytes, range.start, "the name of an encoding"))
    }
}

/// The value of `name = "value"` at `at`, and the position after it.
fn pseudo_attribute(bytes: &[u8], at: usize, name: &'static str) -> Result<(Range<usize>, usize), Error> {
    let equals = space_end(bytes, after(bytes, at, name)?);
    let value = space_end(bytes, after(bytes, equals, "=")?);
    literal(bytes, value, "a value in quotes")
}

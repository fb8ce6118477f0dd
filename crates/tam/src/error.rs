//! The one error of every format.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, string::String};
use core::fmt;

use crate::limits::RATIO;

/// What went wrong, in kinds that stay the same across formats, languages and releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are not a message of the format.
    Syntax,
    /// The message goes on where the bytes end: more of them may make it whole.
    Incomplete,
    /// One of the [`Limits`](crate::Limits), or what a table can address, is exceeded.
    Limit,
    /// Sound, but not what a schema or the type to be read into asks for.
    Schema,
    /// Sound, but nothing this format or conversion can carry.
    Unsupported,
    /// Reading or writing failed.
    Io,
}

impl ErrorKind {
    /// The kind's stable name: `syntax`, `incomplete`, `limit`, `schema`, `unsupported`, `io`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorKind::Syntax => "syntax",
            ErrorKind::Incomplete => "incomplete",
            ErrorKind::Limit => "limit",
            ErrorKind::Schema => "schema",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Io => "io",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A few words of an error: what was found, or what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Words {
    /// A fixed phrase.
    Text(&'static str),
    /// The end of the input.
    End,
    /// One byte of the input.
    Byte(u8),
    /// A number of things, with their plural: `3 units`. For one thing the first word loses its `s`.
    Count(u64, &'static str),
    /// A bound: `at most 3 units (limit units)`; the last is the limit's name.
    AtMost(u64, &'static str),
    /// A phrase of its own.
    #[cfg(feature = "alloc")]
    Own(String),
}

/// The start of a text as errors show it: at most 40 characters, then `…` if there are more.
#[cfg(feature = "alloc")]
#[cold]
#[must_use]
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.into(),
    }
}

impl From<&'static str> for Words {
    fn from(text: &'static str) -> Words {
        Words::Text(text)
    }
}

#[cfg(feature = "alloc")]
impl From<String> for Words {
    fn from(text: String) -> Words {
        Words::Own(text)
    }
}

impl Words {
    fn is_empty(&self) -> bool {
        match self {
            Words::Text(text) => text.is_empty(),
            #[cfg(feature = "alloc")]
            Words::Own(text) => text.is_empty(),
            _ => false,
        }
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Words::Text(text) => f.write_str(text),
            Words::End => f.write_str("the end of the input"),
            Words::Byte(byte @ 0x20..=0x7E) => write!(f, "'{}'", char::from(*byte)),
            Words::Byte(byte) => write!(f, "byte 0x{byte:02X}"),
            Words::Count(1, things) => {
                let (first, others) = things.split_at(things.find(' ').unwrap_or(things.len()));
                write!(f, "1 {}{others}", first.strip_suffix('s').unwrap_or(first))
            }
            Words::Count(n, things) => write!(f, "{n} {things}"),
            Words::AtMost(n, limit) if *limit == RATIO => {
                write!(f, "at most {n} bytes for each byte of the message (limit {limit})")
            }
            Words::AtMost(n, limit) => write!(f, "at most {n} (limit {limit})"),
            #[cfg(feature = "alloc")]
            Words::Own(text) => f.write_str(text),
        }
    }
}

/// What went wrong, in which format, where, and what was expected there.
///
/// It prints as `KIND at byte N (line L, column C) in /path: found F, expected E`, or with a sentence of its own after the
/// path; line and
/// column are there for text formats, a bit (`at byte N (bit B)`) for formats of bits, the path where
/// the failing node lies inside another.
///
/// ```
/// use lengthwise_tam::{Error, ErrorKind, Words};
///
/// let error = Error::new(ErrorKind::Syntax, "tsf", 7, Words::Byte(b'x'), "a digit");
/// assert_eq!(error.kind(), ErrorKind::Syntax);
/// assert_eq!(error.to_string(), "syntax at byte 7: found 'x', expected a digit");
/// ```
#[derive(Clone)]
pub struct Error {
    #[cfg(feature = "alloc")]
    detail: Box<Detail>,
    #[cfg(not(feature = "alloc"))]
    detail: Detail,
}

/// The offset of an error that is at no place of a message.
const NOWHERE: u64 = u64::MAX;

#[derive(Clone)]
struct Detail {
    kind: ErrorKind,
    format: &'static str,
    offset: u64,
    bit: Option<u8>,
    #[cfg(feature = "alloc")]
    position: Option<(u64, u64)>,
    found: Words,
    expected: Words,
    needed: Option<u64>,
    #[cfg(feature = "alloc")]
    path: String,
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    source: Option<Source>,
}

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
type Source = Arc<dyn core::error::Error + Send + Sync>;

/// The source does not count.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        let place = |error: &Error| (error.detail.kind, error.detail.format, error.detail.offset, error.detail.bit);
        place(self) == place(other)
            && (self.found(), self.expected(), self.needed()) == (other.found(), other.expected(), other.needed())
            && (self.position(), self.path()) == (other.position(), other.path())
    }
}

impl Eq for Error {}

impl Error {
    /// An error at a byte offset of a message of `format`. An empty `expected` leaves `found` to state the error by itself:
    /// `missing component a`.
    #[cold]
    #[must_use]
    pub fn new(
        kind: ErrorKind,
        format: &'static str,
        offset: u64,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        let detail = Detail {
            kind,
            format,
            offset,
            bit: None,
            #[cfg(feature = "alloc")]
            position: None,
            found: found.into(),
            expected: expected.into(),
            needed: None,
            #[cfg(feature = "alloc")]
            path: String::new(),
            #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
            source: None,
        };
        Error {
            #[cfg(feature = "alloc")]
            detail: Box::new(detail),
            #[cfg(not(feature = "alloc"))]
            detail,
        }
    }

    /// An error that is at no place of a message: of an option, or of a value that is not in a message yet. Its offset is 0.
    #[cold]
    #[must_use]
    pub fn without_place(
        kind: ErrorKind,
        format: &'static str,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        Error::new(kind, format, NOWHERE, found, expected)
    }

    /// "Need more": at least `needed` bytes beyond the ones given.
    #[cold]
    #[must_use]
    pub fn incomplete(format: &'static str, offset: u64, needed: u64, expected: impl Into<Words>) -> Error {
        let mut error = Error::new(ErrorKind::Incomplete, format, offset, Words::End, expected);
        error.detail.needed = Some(needed);
        error
    }

    /// The same error, `found` saying more exactly what was met.
    #[must_use]
    pub fn with_found(mut self, found: impl Into<Words>) -> Error {
        self.detail.found = found.into();
        self
    }

    /// A bound of [`Limits`](crate::Limits) exceeded.
    #[cold]
    #[must_use]
    pub fn limit(format: &'static str, offset: u64, found: impl Into<Words>, limit: &'static str, bound: u64) -> Error {
        Error::new(ErrorKind::Limit, format, offset, found, Words::AtMost(bound, limit))
    }

    /// The same error, met while reading or writing `format` at `offset`: what a reader says of an
    /// error of the [`Builder`](crate::Builder), which knows neither.
    #[must_use]
    pub fn met_in(mut self, format: &'static str, offset: u64) -> Error {
        self.detail.format = format;
        self.detail.offset = offset;
        self
    }

    /// The same error at no place of a message: one that was made on the way, where nobody can look, or an object that is in no
    /// message yet.
    #[must_use]
    pub fn with_no_place(mut self) -> Error {
        self.detail.offset = NOWHERE;
        self.detail.bit = None;
        #[cfg(feature = "alloc")]
        {
            self.detail.position = None;
        }
        self
    }

    /// The same error at a bit of the message, counted from its start, where fields are not whole
    /// bytes.
    #[must_use]
    pub fn at_bit(mut self, bit: u64) -> Error {
        self.detail.offset = bit / 8;
        self.detail.bit = Some((bit % 8) as u8);
        self
    }

    /// The same error with the line and the column (in characters), both from 1.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn at_line(mut self, line: u64, column: u64) -> Error {
        self.detail.position = Some((line, column));
        self
    }

    /// The same error with the path of the node it was met in.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn in_path(mut self, path: impl Into<String>) -> Error {
        self.detail.path = path.into();
        self
    }

    /// The same error with the one that it comes from, such as an `std::io::Error`.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[must_use]
    pub fn with_source(mut self, source: impl core::error::Error + Send + Sync + 'static) -> Error {
        self.detail.source = Some(Arc::new(source));
        self
    }

    /// The kind, for programs to decide by.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.detail.kind
    }

    /// The format that was read or written: `tsf`, `pon`, `xml`, `json`.
    #[must_use]
    pub fn format(&self) -> &'static str {
        self.detail.format
    }

    /// Where, in bytes from the start of the message.
    #[must_use]
    pub fn offset(&self) -> u64 {
        if self.has_place() { self.detail.offset } else { 0 }
    }

    /// Whether it is at a place of the message ([`Error::without_place`]).
    #[must_use]
    pub fn has_place(&self) -> bool {
        self.detail.offset != NOWHERE
    }

    /// Where in the byte at [`Error::offset`], in bits from its highest one: 0 to 7; of formats
    /// whose fields are not whole bytes.
    #[must_use]
    pub fn bit(&self) -> Option<u8> {
        self.detail.bit
    }

    /// Line and column (in characters), both from 1, where the format is a text.
    #[must_use]
    pub fn position(&self) -> Option<(u64, u64)> {
        #[cfg(feature = "alloc")]
        return self.detail.position;
        #[cfg(not(feature = "alloc"))]
        None
    }

    /// What was met.
    #[must_use]
    pub fn found(&self) -> &Words {
        &self.detail.found
    }

    /// What should have been there.
    #[must_use]
    pub fn expected(&self) -> &Words {
        &self.detail.expected
    }

    /// Of an incomplete message: how many more bytes it needs at the least.
    #[must_use]
    pub fn needed(&self) -> Option<u64> {
        self.detail.needed
    }

    /// The path of the node that failed, empty where there is none.
    #[must_use]
    pub fn path(&self) -> &str {
        #[cfg(feature = "alloc")]
        return &self.detail.path;
        #[cfg(not(feature = "alloc"))]
        ""
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = &self.detail;
        write!(f, "{}", detail.kind)?;
        if detail.offset != NOWHERE {
            write!(f, " at byte {}", detail.offset)?;
        }
        if let Some(bit) = detail.bit {
            write!(f, " (bit {bit})")?;
        }
        if let Some((line, column)) = self.position() {
            write!(f, " (line {line}, column {column})")?;
        }
        if !self.path().is_empty() {
            write!(f, " in {}", self.path())?;
        }
        if detail.expected.is_empty() {
            return write!(f, ": {}", detail.found);
        }
        write!(f, ": found {}, expected {}", detail.found, detail.expected)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.detail.format)
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        return self.detail.source.as_deref().map(|source| source as _);
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        None
    }
}

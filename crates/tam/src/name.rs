//! Names, plain and in the extended form (paper section 3.1.4).

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

use crate::TypeSet;

/// The name of a unit, as written in the message.
///
/// A name that starts with `"` is in the extended form: the quote is not part of it, and a `\`
/// makes the next character a plain one. Comparing and printing see the name itself.
///
/// ```
/// use lengthwise_tam::Name;
///
/// assert!(Name::plain(b"id") == *b"id");
/// assert!(Name::extended(br#""\{\\\[\'"#) == *br"{\['");
/// assert_eq!(Name::extended(br#""64th"#).to_string(), "64th");
/// ```
#[derive(Clone, Copy)]
pub struct Name<'d> {
    written: &'d [u8],
    extended: bool,
}

impl<'d> Name<'d> {
    /// A name written as it is.
    #[inline]
    #[must_use]
    pub const fn plain(written: &'d [u8]) -> Name<'d> {
        Name { written, extended: false }
    }

    /// A name in the extended form, its opening quote included.
    #[inline]
    #[must_use]
    pub const fn extended(written: &'d [u8]) -> Name<'d> {
        Name { written, extended: true }
    }

    /// The name as the message has it, with quote and escapes where it is extended.
    #[inline]
    #[must_use]
    pub const fn written(self) -> &'d [u8] {
        self.written
    }

    /// Whether the name is in the extended form.
    #[inline]
    #[must_use]
    pub const fn is_extended(self) -> bool {
        self.extended
    }

    /// Whether the unit has no name. An extended name can be the empty string and still be one.
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.written.is_empty()
    }

    /// The bytes of the name itself.
    #[must_use]
    pub fn bytes(self) -> NameBytes<'d> {
        NameBytes { rest: self.written.get(usize::from(self.extended)..).unwrap_or(&[]), extended: self.extended }
    }

    /// The name itself; a copy only where escapes had to be undone.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_bytes(self) -> Cow<'d, [u8]> {
        if !self.extended {
            return Cow::Borrowed(self.written);
        }
        let body = self.written.get(1..).unwrap_or(&[]);
        if body.contains(&b'\\') { Cow::Owned(self.bytes().collect()) } else { Cow::Borrowed(body) }
    }

    /// The name itself as text; bytes that are not UTF-8 become U+FFFD.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_text(self) -> Cow<'d, str> {
        match self.to_bytes() {
            Cow::Borrowed(bytes) => alloc::string::String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(alloc::string::String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

/// The bytes of a name, escapes undone.
#[derive(Clone)]
pub struct NameBytes<'d> {
    rest: &'d [u8],
    extended: bool,
}

impl Iterator for NameBytes<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        if first == b'\\' && self.extended {
            let (&second, rest) = rest.split_first()?;
            self.rest = rest;
            return Some(second);
        }
        Some(first)
    }
}

impl PartialEq<[u8]> for Name<'_> {
    #[inline]
    fn eq(&self, other: &[u8]) -> bool {
        // No name is not the same as the empty one.
        if self.extended { self.bytes().eq(other.iter().copied()) } else { self.written == other && !self.is_none() }
    }
}

impl<const N: usize> PartialEq<[u8; N]> for Name<'_> {
    fn eq(&self, other: &[u8; N]) -> bool {
        *self == other[..]
    }
}

impl PartialEq<str> for Name<'_> {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        *self == *other.as_bytes()
    }
}

impl PartialEq<&str> for Name<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for Name<'_> {
    fn eq(&self, other: &Name<'_>) -> bool {
        self.is_none() == other.is_none() && self.bytes().eq(other.bytes())
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.extended {
            return write!(f, "{}", Lossy(self.written));
        }
        let mut rest = self.written.get(1..).unwrap_or(&[]);
        let mut plain = 0;
        while let Some(escape) = rest.iter().skip(plain).position(|&c| c == b'\\').map(|i| i + plain) {
            write!(f, "{}", Lossy(&rest[..escape]))?;
            rest = &rest[escape + 1..];
            plain = 1;
        }
        write!(f, "{}", Lossy(rest))
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({self})")
    }
}

/// Bytes printed as text, what is not UTF-8 as U+FFFD.
pub(crate) struct Lossy<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

/// In quotes, with escapes for what cannot be seen.
impl fmt::Debug for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for chunk in self.0.utf8_chunks() {
            write!(f, "{}{}", chunk.valid().escape_debug(), chunk.invalid().escape_ascii())?;
        }
        f.write_str("\"")
    }
}

/// Whether a name must be written in the extended form under a type set: it starts with a digit
/// or `"`, or holds a type.
#[inline]
#[must_use]
pub fn needs_extended_form(name: &[u8], types: &TypeSet) -> bool {
    name.first().is_some_and(|first| first.is_ascii_digit() || *first == b'"') || name.iter().any(|&c| types.is_type(c))
}

/// Appends a name in the extended form: `"`, then every type, `"` and `\` after a `\`.
#[cfg(feature = "alloc")]
pub fn write_extended(name: impl IntoIterator<Item = u8>, types: &TypeSet, out: &mut Vec<u8>) {
    out.push(b'"');
    for c in name {
        if c == b'"' || c == b'\\' || types.is_type(c) {
            out.push(b'\\');
        }
        out.push(c);
    }
}

//! A walk over a value, led by the schema: what a reader reports and what a writer requests.
//!
//! A reader walks through a message, guided by the schema, and passes each value to a [`Sink`]. A writer walks through
//! the schema and requests each value from a [`Source`]. Neither builds anything. [`crate::Values`] is both a sink and
//! a source.
//!
//! The place of a value is its parent's level and an index: for a component of a record, its index in
//! [`Record::members`](crate::compiled::Record::members); for an item of an array, its position. The sink
//! or source decides what a level is.

use tam::Error;

use crate::EncodingRules;
use crate::compiled::NodeId;
use crate::integer::{integer_octets, minimal_octets};
use crate::jer::number::{MOST_OCTETS, push_integer, push_small};
use crate::real::{self, push_plain};

/// The place of a value: the level of what contains it, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At<L> {
    /// The level of the record, array or choice that contains it.
    pub level: L,
    /// Its index there, from 0.
    pub index: u32,
}

/// The position of octets that a reader reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// In the message.
    Message {
        /// First octet.
        start: usize,
        /// Number of octets.
        len: usize,
    },
    /// At the end of the sink's own buffer, where the reader has put them.
    Buffer {
        /// First octet.
        start: usize,
    },
}

/// An INTEGER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integer<'a> {
    /// A number of 64 bits.
    Small(i64),
    /// A larger number: its octets in two's complement, highest first.
    Big(&'a [u8]),
}

/// A REAL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Real<'a> {
    /// A number that a double represents exactly.
    Double(f64),
    /// A decimal number as text: digits, `.`, `E` and signs (ISO 6093).
    Decimal(&'a str),
}

impl Real<'_> {
    /// Appends a finite number in decimal digits, without an exponent and without redundant zeros. Appends nothing and
    /// returns `false` for an infinity, for what is not a number, and for more than 20 000 digits.
    ///
    /// ```
    /// use lengthwise_asn1::event::Real;
    ///
    /// let mut text = String::new();
    /// assert!(Real::Decimal("-2925.E-1").push_plain(&mut text));
    /// assert_eq!(text, "-292.5");
    /// assert!(!Real::Double(f64::NAN).push_plain(&mut text));
    /// ```
    pub fn push_plain(self, text: &mut String) -> bool {
        match self {
            Real::Double(double) if !double.is_finite() => false,
            Real::Double(0.0) => {
                text.push('0');
                true
            }
            Real::Double(double) => {
                text.push_str(&double.to_string());
                true
            }
            Real::Decimal(digits) => push_plain(digits, text),
        }
    }

    /// The number as `mantissa` * 10^`exponent`, exactly, with a mantissa that is no multiple of 10. `None` of an
    /// infinity, of what is no number, and of a mantissa that 128 bits do not hold: that of 0.1 as a double has 55
    /// digits.
    ///
    /// ```
    /// use lengthwise_asn1::event::Real;
    ///
    /// assert_eq!(Real::Decimal("-2925.E-1").to_decimal(), Some((-2925, -1)));
    /// assert_eq!(Real::Double(1200.0).to_decimal(), Some((12, 2)));
    /// assert_eq!(Real::Decimal("1.E-1").to_decimal(), Some((1, -1)));
    /// assert_eq!(Real::Double(0.1).to_decimal(), None);
    /// ```
    #[must_use]
    pub fn to_decimal(self) -> Option<(i128, i64)> {
        match self {
            Real::Double(double) => real::decimal_of_double(double),
            Real::Decimal(text) => real::decimal_of_text(text),
        }
    }
}

/// The type of a small number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// BOOLEAN: 0 or 1.
    Boolean,
    /// INTEGER.
    Integer,
    /// ENUMERATED: the number of its enumeration.
    Enumerated,
}

/// The purpose of bits of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Whether the value is in the extension root.
    Extension,
    /// Which components are present.
    Presence,
    /// The index of the alternative.
    Index,
    /// The number of octets, bits, characters or components.
    Length,
    /// A tag and the length of its value (BER).
    Header,
    /// The value.
    Value,
    /// Unknown data: an extension addition of a later version.
    Unknown,
}

impl Part {
    /// Its name: `extension`, `presence`, `index`, `length`, `header`, `value`, `unknown`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Part::Extension => "extension",
            Part::Presence => "presence",
            Part::Index => "index",
            Part::Length => "length",
            Part::Header => "header",
            Part::Value => "value",
            Part::Unknown => "unknown",
        }
    }
}

/// Receives the values that a reader finds. Any error ends the reading.
#[allow(unused_variables)]
pub trait Sink {
    /// Identifies an open value to the sink.
    type Level: Copy;

    /// Whether the reader calls [`Sink::bits`].
    const BITS: bool = false;

    /// Whether the reader finds the types of open types. Otherwise these are octets.
    #[doc(hidden)]
    const KEYS: bool = true;

    /// Whether the reader looks for values in strings with a contents constraint. Otherwise these are octets or bits.
    const CONTENTS: bool = true;

    /// The level of the outermost value, which has index 0 in it.
    fn root(&mut self, node: NodeId) -> Self::Level;

    /// The buffer for octets that differ from those in the message. The sink decides when it is cleared.
    fn buffer(&mut self) -> &mut Vec<u8>;

    /// The bits from `start` up to `end` of the message are for `part` of the value at a place.
    fn bits(&mut self, at: At<Self::Level>, node: NodeId, part: Part, start: u64, end: u64) {}

    /// NULL.
    ///
    /// # Errors
    /// The sink's own, as for all these methods.
    fn null(&mut self, at: At<Self::Level>, node: NodeId) -> Result<(), Error>;
    /// BOOLEAN.
    fn boolean(&mut self, at: At<Self::Level>, node: NodeId, value: bool) -> Result<(), Error>;
    /// INTEGER.
    fn integer(&mut self, at: At<Self::Level>, node: NodeId, value: Integer<'_>) -> Result<(), Error>;
    /// ENUMERATED, by its index in [`Enumeration::items`](crate::compiled::Enumeration::items); a higher index is an
    /// addition of a later version.
    fn enumerated(&mut self, at: At<Self::Level>, node: NodeId, item: u32) -> Result<(), Error>;
    /// A BOOLEAN, INTEGER or ENUMERATED as a number. Override this to handle all three alike.
    #[inline(always)]
    fn scalar(&mut self, at: At<Self::Level>, node: NodeId, scalar: Scalar, number: i64) -> Result<(), Error> {
        match scalar {
            Scalar::Boolean => self.boolean(at, node, number != 0),
            Scalar::Integer => self.integer(at, node, Integer::Small(number)),
            Scalar::Enumerated => self.enumerated(at, node, number as u32),
        }
    }
    /// The same, if it is present. Override this to handle it without a branch.
    ///
    /// # Errors
    /// The sink's own.
    #[inline(always)]
    fn scalar_if(
        &mut self,
        at: At<Self::Level>,
        node: NodeId,
        scalar: Scalar,
        number: i64,
        present: bool,
    ) -> Result<(), Error> {
        if present { self.scalar(at, node, scalar, number) } else { Ok(()) }
    }
    /// REAL.
    fn real(&mut self, at: At<Self::Level>, node: NodeId, value: Real<'_>) -> Result<(), Error>;
    /// A REAL of a type that allows base 10 only. Its text is at the end of the sink's own buffer, from `start` on.
    /// Override this to leave the text there.
    ///
    /// # Errors
    /// The sink's own.
    fn decimal(&mut self, at: At<Self::Level>, node: NodeId, start: usize) -> Result<(), Error> {
        let text = String::from_utf8_lossy(self.buffer().get(start..).unwrap_or_default()).into_owned();
        self.buffer().truncate(start);
        self.real(at, node, Real::Decimal(&text))
    }
    /// BIT STRING of `len` bits; the remaining bits of the last octet are zero.
    fn bit_string(&mut self, at: At<Self::Level>, node: NodeId, octets: Stretch, len: u64) -> Result<(), Error>;
    /// OCTET STRING, OBJECT IDENTIFIER and RELATIVE-OID (these as BER's contents octets).
    fn octets(&mut self, at: At<Self::Level>, node: NodeId, octets: Stretch) -> Result<(), Error>;
    /// A type of characters, in UTF-8, which the reader has checked.
    fn text(&mut self, at: At<Self::Level>, node: NodeId, text: Stretch) -> Result<(), Error>;
    /// SEQUENCE and SET: the level of its components. Absent components are not reported.
    fn record(&mut self, at: At<Self::Level>, node: NodeId) -> Result<Self::Level, Error>;
    /// The same for an item of an array.
    fn row(&mut self, at: At<Self::Level>, node: NodeId) -> Result<Self::Level, Error>;
    /// CHOICE: returns the level of the chosen value, which has index 0 in it; `alternative` is the index in
    /// [`Choice::alternatives`](crate::compiled::Choice::alternatives). Also for an open type, whose `alternative` is the
    /// index in [`Open::alternatives`](crate::compiled::Open::alternatives), or greater if its type is not known;
    /// [`Sink::unknown`] follows then. Also for a string with a contents constraint.
    fn choice(&mut self, at: At<Self::Level>, node: NodeId, alternative: u32) -> Result<Self::Level, Error>;
    /// SEQUENCE OF and SET OF: returns the level of its `len` components. If the length is in fragments, [`Sink::more`]
    /// follows.
    fn array(&mut self, at: At<Self::Level>, node: NodeId, len: u32) -> Result<Self::Level, Error>;
    /// An open array has `more` components in addition to those announced; returns its level from here on.
    /// Indexes continue.
    fn more(&mut self, at: At<Self::Level>, node: NodeId, level: Self::Level, more: u32) -> Result<Self::Level, Error>;
    /// Unknown data: the octets of an alternative of a later version, at index 0 of its choice; or the contents octets
    /// of an enumeration of a later version (BER).
    fn unknown(&mut self, at: At<Self::Level>, node: NodeId, octets: Stretch) -> Result<(), Error>;
    /// A string contains the value that follows, at this place and of this type: the encoding of that value, its number
    /// of bits, and its rules.
    ///
    /// # Errors
    /// The sink's own.
    fn content_octets(
        &mut self,
        value: (At<Self::Level>, NodeId),
        rules: EncodingRules,
        octets: Stretch,
        bits: u64,
    ) -> Result<(), Error> {
        Ok(())
    }
    /// The open record has this many presence bits of additions, not as many as its type: it was written by another
    /// version of the schema (PER, OER).
    fn additions(&mut self, level: Self::Level, count: u32) {}
    /// A reader has passed over an extension addition of a later version.
    fn skipped(&mut self) {}
    /// The REAL that follows is the nearest to a whole number of a document, and not equal to it.
    ///
    /// # Errors
    /// The sink's own, if it takes no such number.
    fn rounded(&mut self, at: At<Self::Level>) -> Result<(), Error> {
        Ok(())
    }
    /// Takes a null for a component of an array, where documents may have one: whether it could.
    ///
    /// # Errors
    /// The sink's own.
    fn null_item(&mut self, at: At<Self::Level>) -> Result<bool, Error> {
        Ok(false)
    }
    /// Whether a reader of a document passes over the value at a place, unread. It also asks for the components that are missing,
    /// and, with an index that the record does not have, for members that are no components.
    fn skips(&self, at: At<Self::Level>) -> bool {
        false
    }
    /// A record, choice or array ends.
    fn end(&mut self, node: NodeId, level: Self::Level) -> Result<(), Error>;
}

/// Provides the values that a writer requests.
///
/// They are requested in the order of writing, some of them more than once.
pub trait Source {
    /// Identifies an open value to the source.
    type Level: Copy;

    /// The level of the outermost value, which has index 0 in it.
    fn root(&self) -> Self::Level;
    /// Whether a component is present.
    fn is_present(&self, at: At<Self::Level>, node: NodeId) -> bool;
    /// The presence of the first `count` components, at most 64: one bit each, the last one's lowest. `None` means that
    /// each must be asked for. Override this if they are stored together.
    #[inline(always)]
    fn presence(&self, level: Self::Level, count: u32) -> Option<u64> {
        let _ = (level, count);
        None
    }
    /// A BOOLEAN, INTEGER or ENUMERATED as a number; `None` if it is absent, or does not fit in 64 bits. Override this
    /// if all three are stored alike.
    #[inline(always)]
    fn scalar(&self, at: At<Self::Level>, node: NodeId, scalar: Scalar) -> Option<i64> {
        if !self.is_present(at, node) || self.unknown(at, node).is_some() {
            return None;
        }
        match scalar {
            Scalar::Boolean => Some(self.boolean(at, node).into()),
            Scalar::Integer => match self.integer(at, node) {
                Integer::Small(number) => Some(number),
                Integer::Big(_) => None,
            },
            Scalar::Enumerated => Some(self.enumerated(at, node).into()),
        }
    }
    /// BOOLEAN.
    fn boolean(&self, at: At<Self::Level>, node: NodeId) -> bool;
    /// INTEGER.
    fn integer(&self, at: At<Self::Level>, node: NodeId) -> Integer<'_>;
    /// The octets of unknown data, if that is the value here.
    fn unknown(&self, at: At<Self::Level>, node: NodeId) -> Option<&[u8]>;
    /// ENUMERATED, by its index.
    fn enumerated(&self, at: At<Self::Level>, node: NodeId) -> u32;
    /// REAL.
    fn real(&self, at: At<Self::Level>, node: NodeId) -> Real<'_>;
    /// The octets of a REAL that is [`Real::Decimal`]. They need not be UTF-8. Override this to avoid a check.
    #[inline(always)]
    fn decimal_octets(&self, at: At<Self::Level>, node: NodeId) -> Option<&[u8]> {
        match self.real(at, node) {
            Real::Decimal(text) => Some(text.as_bytes()),
            Real::Double(_) => None,
        }
    }
    /// BIT STRING: octets and the number of bits.
    fn bit_string(&self, at: At<Self::Level>, node: NodeId) -> (&[u8], u64);
    /// OCTET STRING, OBJECT IDENTIFIER and RELATIVE-OID (these as BER's contents octets).
    fn octets(&self, at: At<Self::Level>, node: NodeId) -> &[u8];
    /// A type of characters.
    fn text(&self, at: At<Self::Level>, node: NodeId) -> &str;
    /// The same as octets, which need not be UTF-8. Override this to avoid a check.
    #[inline(always)]
    fn text_octets(&self, at: At<Self::Level>, node: NodeId) -> &[u8] {
        self.text(at, node).as_bytes()
    }
    /// SEQUENCE and SET: the level of its components.
    fn record(&self, at: At<Self::Level>, node: NodeId) -> Self::Level;
    /// The same for an item of an array.
    fn row(&self, at: At<Self::Level>, node: NodeId) -> Self::Level;
    /// The number of presence bits of a record's additions, if it is not that of its type (PER, OER).
    fn additions(&self, level: Self::Level) -> Option<u32> {
        let _ = level;
        None
    }
    /// The encoding that the value in an open string was read from, its number of bits, and its rules: it is written
    /// back by these rules. `None` if the value was not read from a string.
    fn content_octets(&self, level: Self::Level) -> Option<(EncodingRules, &[u8], u64)> {
        let _ = level;
        None
    }
    /// CHOICE, open types and strings that contain values: the index of the alternative, and the level of the chosen
    /// value.
    fn choice(&self, at: At<Self::Level>, node: NodeId) -> (u32, Self::Level);
    /// SEQUENCE OF and SET OF: the number of components, and their level.
    fn array(&self, at: At<Self::Level>, node: NodeId) -> (u32, Self::Level);
}

impl From<i64> for Integer<'_> {
    fn from(number: i64) -> Self {
        Integer::Small(number)
    }
}

impl Integer<'_> {
    /// The octets of a decimal number in two's complement, highest first and as few as possible, for [`Integer::Big`].
    /// `None` if the text is not a number: at most 20 000 digits, after a `-` if it is negative.
    ///
    /// ```
    /// use lengthwise_asn1::event::Integer;
    ///
    /// assert_eq!(Integer::octets_of("-129").unwrap(), [0xFF, 0x7F]);
    /// assert_eq!(Integer::octets_of("1e3"), None);
    /// ```
    #[must_use]
    pub fn octets_of(digits: &str) -> Option<Vec<u8>> {
        let octets = integer_octets(digits)?;
        Some(minimal_octets(&octets).to_vec())
    }

    /// Appends the decimal digits. Appends nothing and returns `false` for more than 8 304 octets (at least 19 999
    /// digits), because the time is quadratic.
    ///
    /// ```
    /// use lengthwise_asn1::event::Integer;
    ///
    /// let mut text = String::new();
    /// assert!(Integer::Big(&[0xFF, 0x7F]).push_digits(&mut text));
    /// assert_eq!(text, "-129");
    /// ```
    pub fn push_digits(self, text: &mut String) -> bool {
        match self {
            Integer::Small(number) => push_small(number, text),
            Integer::Big(octets) if octets.len() <= MOST_OCTETS => push_integer(octets, text),
            Integer::Big(_) => return false,
        }
        true
    }

    /// The number, if it fits in 128 bits.
    #[must_use]
    pub fn to_i128(self) -> Option<i128> {
        match self {
            Integer::Small(number) => Some(number.into()),
            Integer::Big(octets) if octets.len() <= 16 => {
                let negative = octets.first().is_some_and(|first| first & 0x80 != 0);
                let start = if negative { -1i128 } else { 0 };
                Some(octets.iter().fold(start, |number, octet| number << 8 | i128::from(*octet)))
            }
            Integer::Big(_) => None,
        }
    }
}

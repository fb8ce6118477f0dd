//! A walk over a value, led by the schema: what a reader reports and what a writer requests.
//!
//! A reader goes through a message as the schema says and passes each value to a [`Sink`]; a writer
//! goes through the schema and requests each value from a [`Source`]. Neither builds anything.
//! [`crate::Values`] is both a sink and a source.
//!
//! The place of a value is its parent's level and an index: for a component of a record, its index in
//! [`Record::members`](crate::compiled::Record::members); for an item of an array, its position. The sink
//! or source decides what a level is.

use tam::Error;

use crate::compiled::NodeId;
use crate::integer::{integer_octets, minimal_octets};
use crate::jer::number::{MOST_OCTETS, push_integer, push_small};
use crate::real::push_plain;

/// A place for a value: the level of what it is part of, and its number in there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At<L> {
    /// The level of the record, array or choice around it.
    pub level: L,
    /// Its number there, from 0.
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
    /// In the sink's own buffer, where the reader has put them, from an octet on to the end.
    Buffer {
        /// First octet.
        start: usize,
    },
}

/// An INTEGER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integer<'a> {
    /// One of 64 bits.
    Small(i64),
    /// A larger one: its octets in two's complement, highest first.
    Big(&'a [u8]),
}

/// A REAL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Real<'a> {
    /// One that a double holds as it is.
    Double(f64),
    /// A decimal one, as its text: digits, `.`, `E` and signs (ISO 6093).
    Decimal(&'a str),
}

impl Real<'_> {
    /// Appends a finite number in decimal digits, without an exponent and without zeros that say nothing.
    /// Of an infinity, of what is no number and of one of more than 20 000 digits nothing is appended, and the
    /// answer is `false`.
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

/// What the bits of a message are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Whether the value is of the extension root.
    Extension,
    /// Which components are there.
    Presence,
    /// Which alternative.
    Index,
    /// How many octets, bits, characters or components.
    Length,
    /// A tag and what says how long its value is (BER).
    Header,
    /// The value.
    Value,
    /// What no one knows: an extension addition of a later version.
    Unknown,
}

impl Part {
    /// A word for it: `extension`, `presence`, `index`, `length`, `header`, `value`, `unknown`.
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

/// What takes the values that a reader meets.
///
/// Every error ends the reading.
#[allow(unused_variables)]
pub trait Sink {
    /// How the sink knows what is open.
    type Level: Copy;

    /// Whether [`Sink::bits`] is to be called.
    const BITS: bool = false;

    /// The level of the outermost value, which is number 0 in it.
    fn root(&mut self, node: NodeId) -> Self::Level;

    /// The buffer for octets that differ from those in the message. The sink decides when it is cleared.
    fn buffer(&mut self) -> &mut Vec<u8>;

    /// The bits from `start` up to `end` of the message are for `part` of the value at a place.
    fn bits(&mut self, at: At<Self::Level>, node: NodeId, part: Part, start: u64, end: u64) {}

    /// NULL.
    ///
    /// # Errors
    /// The sink's own, as of all these.
    fn null(&mut self, at: At<Self::Level>, node: NodeId) -> Result<(), Error>;
    /// BOOLEAN.
    fn boolean(&mut self, at: At<Self::Level>, node: NodeId, value: bool) -> Result<(), Error>;
    /// INTEGER.
    fn integer(&mut self, at: At<Self::Level>, node: NodeId, value: Integer<'_>) -> Result<(), Error>;
    /// ENUMERATED, by the number of its enumeration in [`Enumeration::items`](crate::compiled::Enumeration::items);
    /// beyond them it is an addition of a later version.
    fn enumerated(&mut self, at: At<Self::Level>, node: NodeId, item: u32) -> Result<(), Error>;
    /// A BOOLEAN, INTEGER or ENUMERATED, all of which are numbers: what takes them alike may say so
    /// here.
    #[inline(always)]
    fn scalar(&mut self, at: At<Self::Level>, node: NodeId, scalar: Scalar, number: i64) -> Result<(), Error> {
        match scalar {
            Scalar::Boolean => self.boolean(at, node, number != 0),
            Scalar::Integer => self.integer(at, node, Integer::Small(number)),
            Scalar::Enumerated => self.enumerated(at, node, number as u32),
        }
    }
    /// The same, if it is there: what takes it without a branch may say so here.
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
    /// A REAL of a type of decimal ones alone, whose text is the last octets of the sink's own buffer, from one on:
    /// a sink that leaves texts there may say so here.
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
    /// The same, where it is an item of an array.
    fn row(&mut self, at: At<Self::Level>, node: NodeId) -> Result<Self::Level, Error>;
    /// CHOICE: the level of what is chosen, which is number 0 in it; `alternative` is its number
    /// in [`Choice::alternatives`](crate::compiled::Choice::alternatives).
    fn choice(&mut self, at: At<Self::Level>, node: NodeId, alternative: u32) -> Result<Self::Level, Error>;
    /// SEQUENCE OF and SET OF: the level of its `len` components. If the message has the length in
    /// pieces, [`Sink::more`] follows.
    fn array(&mut self, at: At<Self::Level>, node: NodeId, len: u32) -> Result<Self::Level, Error>;
    /// An open array has `more` components in addition to those announced; returns its level from here on.
    /// Indexes continue.
    fn more(&mut self, at: At<Self::Level>, node: NodeId, level: Self::Level, more: u32) -> Result<Self::Level, Error>;
    /// What no one knows: the octets of an alternative of a later version, number 0 of its choice;
    /// the contents octets of an enumeration of a later version (BER).
    fn unknown(&mut self, at: At<Self::Level>, node: NodeId, octets: Stretch) -> Result<(), Error>;
    /// A record, choice or array ends.
    fn end(&mut self, node: NodeId, level: Self::Level) -> Result<(), Error>;
}

/// What has the values that a writer asks for.
///
/// A source is asked in the order in which values are written, some of them more than once.
pub trait Source {
    /// How the source knows what is open.
    type Level: Copy;

    /// The level of the outermost value, which is number 0 in it.
    fn root(&self) -> Self::Level;
    /// Whether a component is there.
    fn is_present(&self, at: At<Self::Level>, node: NodeId) -> bool;
    /// Which of the first `count` components are there, 64 of them at the most: a bit each, the last one's lowest.
    /// `None` where each is to be asked for; what has them side by side may say so here.
    #[inline(always)]
    fn presence(&self, level: Self::Level, count: u32) -> Option<u64> {
        let _ = (level, count);
        None
    }
    /// A BOOLEAN, INTEGER or ENUMERATED that is there, as a number; `None` where it is not, or 64
    /// bits do not hold it. What has them alike may say so here.
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
    /// The octets of what no one knows, if that is here.
    fn unknown(&self, at: At<Self::Level>, node: NodeId) -> Option<&[u8]>;
    /// ENUMERATED, by the number of its enumeration.
    fn enumerated(&self, at: At<Self::Level>, node: NodeId) -> u32;
    /// REAL.
    fn real(&self, at: At<Self::Level>, node: NodeId) -> Real<'_>;
    /// The octets of a REAL that is [`Real::Decimal`]. They need not be UTF-8: what would have to look whether they are
    /// may say so here.
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
    /// The octets of the same. They need not be UTF-8: what would have to look whether they are may say so here.
    #[inline(always)]
    fn text_octets(&self, at: At<Self::Level>, node: NodeId) -> &[u8] {
        self.text(at, node).as_bytes()
    }
    /// SEQUENCE and SET: the level of its components.
    fn record(&self, at: At<Self::Level>, node: NodeId) -> Self::Level;
    /// The same, where it is an item of an array.
    fn row(&self, at: At<Self::Level>, node: NodeId) -> Self::Level;
    /// CHOICE: the number of the alternative, and the level of what is chosen.
    fn choice(&self, at: At<Self::Level>, node: NodeId) -> (u32, Self::Level);
    /// SEQUENCE OF and SET OF: how many components, and their level.
    fn array(&self, at: At<Self::Level>, node: NodeId) -> (u32, Self::Level);
}

impl From<i64> for Integer<'_> {
    fn from(number: i64) -> Self {
        Integer::Small(number)
    }
}

impl Integer<'_> {
    /// The octets of a decimal number in two's complement, highest first and as few as there may be; for
    /// [`Integer::Big`]. `None` if the text is no number of at most 20 000 digits, a `-` in front of those
    /// of one below zero.
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

    /// Appends its decimal digits. Of more than 8 304 octets, which are no fewer than 19 999 digits, nothing
    /// is appended, and the answer is `false`: the time that it takes is quadratic.
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

    /// The number, if 128 bits hold it.
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

//! Numbers that keep their digits.

use alloc::boxed::Box;
use core::fmt;

use tam::Error;

use crate::{Backward, number};

/// An integer of any size.
///
/// ```
/// use lengthwise_pon::Integer;
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// assert_eq!(Integer::from(-17_i64).as_i64(), Some(-17));
/// let large = Integer::parse("123456789012345678901234567890")?;
/// assert_eq!((large.as_i64(), large.to_string().len()), (None, 30));
/// assert!(Integer::parse("007").is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Digits);

/// A text has only one of these forms.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Digits {
    Signed(i64),
    Unsigned(u64),
    /// More than 64 bits, or `-0`.
    Text(Box<str>),
}

impl Integer {
    /// The integer that a text is, in the form that JSON has for it.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](tam::ErrorKind::Syntax) where it is none.
    pub fn parse(text: &str) -> Result<Integer, Error> {
        if number::is_integer(text.as_bytes()) {
            Ok(Integer::of(text))
        } else {
            Err(number::fault(b'i', text.as_bytes(), 0))
        }
    }

    /// The integer that a text is.
    pub(super) fn of(text: &str) -> Integer {
        let digits = text.as_bytes();
        Integer(match (number::to_i64(digits), number::to_u64(digits)) {
            (Some(value), _) if digits != b"-0" => Digits::Signed(value),
            (None, Some(value)) => Digits::Unsigned(value),
            _ => Digits::Text(text.into()),
        })
    }

    /// The integer, if it fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match &self.0 {
            Digits::Signed(value) => Some(*value),
            Digits::Unsigned(_) => None,
            Digits::Text(text) => number::to_i64(text.as_bytes()),
        }
    }

    /// The integer, if it fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match &self.0 {
            Digits::Signed(value) => u64::try_from(*value).ok(),
            Digits::Unsigned(value) => Some(*value),
            Digits::Text(_) => None,
        }
    }

    /// The nearest double, unless the integer is beyond the largest one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        number::to_f64(self.to_text(&mut itoa::Buffer::new()).as_bytes())
    }

    /// The digits.
    fn to_text<'t>(&'t self, buffer: &'t mut itoa::Buffer) -> &'t str {
        match &self.0 {
            Digits::Signed(value) => buffer.format(*value),
            Digits::Unsigned(value) => buffer.format(*value),
            Digits::Text(text) => text,
        }
    }

    pub(super) fn write(&self, out: &mut Backward<'_, '_>) {
        match &self.0 {
            Digits::Signed(value) => out.integer(*value),
            Digits::Unsigned(value) => out.unsigned(*value),
            Digits::Text(text) => out.integer_text(text),
        }
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Integer {
        Integer(Digits::Signed(value))
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Integer {
        Integer(i64::try_from(value).map_or(Digits::Unsigned(value), Digits::Signed))
    }
}

impl From<i128> for Integer {
    fn from(value: i128) -> Integer {
        Integer::of(itoa::Buffer::new().format(value))
    }
}

impl From<u128> for Integer {
    fn from(value: u128) -> Integer {
        Integer::of(itoa::Buffer::new().format(value))
    }
}

/// The digits.
impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_text(&mut itoa::Buffer::new()))
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A float as it is written, which may be `NaN` or an infinity. Equal are floats of the same text.
///
/// ```
/// use lengthwise_pon::Float;
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let price = Float::parse("21.50")?;
/// assert_eq!((price.as_str(), price.as_f64()), ("21.50", Some(21.5)));
/// assert_eq!(Float::from(21.5).as_str(), "21.5");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Float(Box<str>);

impl Float {
    /// The float that a text is: a number as JSON writes it, `NaN`, `Infinity` or `-Infinity`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`](tam::ErrorKind::Syntax) where it is none.
    pub fn parse(text: &str) -> Result<Float, Error> {
        if number::is_float(text.as_bytes()) {
            Ok(Float::of(text))
        } else {
            Err(number::fault(b'd', text.as_bytes(), 0))
        }
    }

    /// The float that a text is.
    pub(super) fn of(text: &str) -> Float {
        Float(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest double, unless the number is beyond the largest one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        number::to_f64(self.0.as_bytes())
    }
}

/// In the fewest digits that distinguish it from every other.
impl From<f64> for Float {
    fn from(value: f64) -> Float {
        let mut digits = zmij::Buffer::new();
        Float::of(number::word(value).unwrap_or_else(|| digits.format_finite(value)))
    }
}

/// The text.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

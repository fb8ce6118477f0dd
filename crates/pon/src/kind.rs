//! The types of values.

use core::fmt;

/// What a value is (the paper's table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `u`
    Null,
    /// `t` or `f`
    Boolean,
    /// `i`: an integer in decimal digits
    Integer,
    /// `d`: a number, `NaN`, `Infinity` or `-Infinity`
    Float,
    /// `s`: UTF-8 text
    String,
    /// `y`: octets
    Binary,
    /// `c`: one character, in UTF-8
    Char,
    /// `b`: one octet
    Byte,
    /// `[`: values
    Array,
    /// `{`: keys and values
    Object,
}

impl Kind {
    /// The kind of a type character, if it is one.
    pub(crate) const fn of(tag: u8) -> Option<Kind> {
        Some(match tag {
            b'u' => Kind::Null,
            b't' | b'f' => Kind::Boolean,
            b'i' => Kind::Integer,
            b'd' => Kind::Float,
            b's' => Kind::String,
            b'y' => Kind::Binary,
            b'c' => Kind::Char,
            b'b' => Kind::Byte,
            b'[' => Kind::Array,
            b'{' => Kind::Object,
            _ => return None,
        })
    }

    /// Whether the value holds others.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Kind::Array | Kind::Object)
    }

    /// The type of a unit of the set [`TypeSet::VALUE`](tam::TypeSet::VALUE) that says the same.
    pub(crate) const fn unit(tag: u8) -> u8 {
        match tag {
            b'u' => b'~',
            b't' | b'f' => b'?',
            b'i' => b'#',
            b'd' => b'%',
            b's' => b'\'',
            b'y' => b'*',
            b'c' => b'^',
            b'b' => b'`',
            container => container,
        }
    }

    /// The kind in a sentence: `a string`.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Boolean => "a boolean",
            Kind::Integer => "an integer",
            Kind::Float => "a float",
            Kind::String => "a string",
            Kind::Binary => "binary data",
            Kind::Char => "a character",
            Kind::Byte => "a byte",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Null => "null",
            Kind::Boolean => "boolean",
            Kind::Integer => "integer",
            Kind::Float => "float",
            Kind::String => "string",
            Kind::Binary => "binary",
            Kind::Char => "char",
            Kind::Byte => "byte",
            Kind::Array => "array",
            Kind::Object => "object",
        })
    }
}

//! What the types of a user's own set mean, and the file that says it.

#[cfg(feature = "alloc")]
use alloc::{format, string::String};

#[cfg(feature = "alloc")]
use crate::{Error, ErrorKind, TypeSet, TypeSetError, Words};

/// What a type of values means: one of the types of [`TypeSet::VALUE`](crate::TypeSet::VALUE), whose data it has, or any number.
///
/// ```
/// use lengthwise_tam::{Meaning, TypeSet};
///
/// assert_eq!(TypeSet::VALUE.meaning(b'#'), Some(Meaning::Integer));
/// assert_eq!(Meaning::from_name("array"), Some(Meaning::Array));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Meaning {
    /// Named units.
    Object,
    /// Units without names.
    Array,
    /// Text in UTF-8.
    String,
    /// A number of JSON without fraction and exponent.
    Integer,
    /// A number of JSON, `NaN` or an infinity.
    Float,
    /// An integer or a float.
    Number,
    /// `t` or `f`.
    Boolean,
    /// No data.
    Null,
    /// Any bytes.
    Binary,
    /// One character in UTF-8.
    Character,
    /// One byte.
    Byte,
}

impl Meaning {
    /// Every one there is.
    pub const ALL: &'static [Meaning] = &[
        Meaning::Object,
        Meaning::Array,
        Meaning::String,
        Meaning::Integer,
        Meaning::Float,
        Meaning::Number,
        Meaning::Boolean,
        Meaning::Null,
        Meaning::Binary,
        Meaning::Character,
        Meaning::Byte,
    ];

    /// The name: `object`, `integer` and so on.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Meaning::Object => "object",
            Meaning::Array => "array",
            Meaning::String => "string",
            Meaning::Integer => "integer",
            Meaning::Float => "float",
            Meaning::Number => "number",
            Meaning::Boolean => "boolean",
            Meaning::Null => "null",
            Meaning::Binary => "binary",
            Meaning::Character => "character",
            Meaning::Byte => "byte",
        }
    }

    /// The meaning of a name, as [`Meaning::as_str`] gives it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Meaning> {
        Meaning::ALL.iter().copied().find(|meaning| meaning.as_str() == name)
    }

    /// Whether its units hold others.
    #[must_use]
    pub const fn is_structured(self) -> bool {
        matches!(self, Meaning::Object | Meaning::Array)
    }

    /// The type of [`TypeSet::VALUE`](crate::TypeSet::VALUE) by which its data is looked at.
    pub(crate) const fn kind(self) -> u8 {
        match self {
            Meaning::Object => b'{',
            Meaning::Array => b'[',
            Meaning::String => b'\'',
            Meaning::Integer => b'#',
            Meaning::Float | Meaning::Number => b'%',
            Meaning::Boolean => b'?',
            Meaning::Null => b'~',
            Meaning::Binary => b'*',
            Meaning::Character => b'^',
            Meaning::Byte => b'`',
        }
    }
}

#[cfg(feature = "alloc")]
impl TypeSet {
    /// The type set that a text describes: a line for each type, with `primitive` or `structured`, the character, and the name of
    /// its [`Meaning`] if it has one. Lines that begin with `#` are comments. A character may be written as its code, such as
    /// `0x20`.
    ///
    /// Several types may have one meaning: of these the first is written for values that come from elsewhere.
    ///
    /// ```
    /// use lengthwise_tam::{Meaning, TypeSet};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let readings = TypeSet::from_text(
    ///     "# Readings of the greenhouse
    ///      structured ( object
    ///      primitive  # number
    ///      primitive  $",
    /// )?;
    /// assert!(readings.is_structured(b'('));
    /// assert_eq!(readings.meaning(b'#'), Some(Meaning::Number));
    /// assert_eq!(readings.meaning(b'$'), None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Of kind syntax, with the line, where a line is none of these, a character cannot be a type or is named twice, or there is no
    /// type.
    pub fn from_text(text: &str) -> Result<TypeSet, Error> {
        let mut types = TypeSet::EMPTY;
        for (number, line) in text.split('\n').enumerate() {
            if !line.trim_start().starts_with('#') {
                types.add_line(line).map_err(|(word, found, expected)| {
                    let place = |from: &str| word.as_ptr().addr() - from.as_ptr().addr();
                    let column = line.get(..place(line)).map_or(0, |before| before.chars().count());
                    let error = Error::new(ErrorKind::Syntax, "types", place(text) as u64, found, expected);
                    error.at_line(number as u64 + 1, column as u64 + 1)
                })?;
            }
        }
        match types == TypeSet::EMPTY {
            true => Err(Error::new(ErrorKind::Syntax, "types", 0, "no type", "lines such as 'primitive # integer'")),
            false => Ok(types),
        }
    }

    /// Adds the type of a line. A fault is the word that has it, what it is, and what should be there.
    fn add_line<'t>(&mut self, line: &'t str) -> Result<(), (&'t str, Words, Words)> {
        let mut words = line.split_ascii_whitespace();
        let end = &line[line.trim_end().len()..];
        let Some(kind) = words.next() else { return Ok(()) };
        let is_structured = match kind {
            "structured" => true,
            "primitive" => false,
            _ => return Err((kind, shown(kind), "'primitive', 'structured' or a comment after '#'".into())),
        };
        let character = words.next().ok_or((end, Words::Text("the end of the line"), "a character".into()))?;
        let expected = || Words::Text("a character, or its code such as 0x23");
        let c = code(character).ok_or_else(|| (character, shown(character), expected()))?;
        let refused = |word, error: TypeSetError| (word, Words::Own(format!("{error}")), Words::Text(""));
        self.add(c, is_structured).map_err(|error| refused(character, error))?;
        let Some(name) = words.next() else { return Ok(()) };
        let Some(meaning) = Meaning::from_name(name) else {
            let names: alloc::vec::Vec<_> = Meaning::ALL.iter().map(|meaning| meaning.as_str()).collect();
            return Err((name, shown(name), format!("a meaning ({})", names.join(", ")).into()));
        };
        self.mean(c, meaning).map_err(|error| refused(name, error))?;
        match words.next() {
            Some(more) => Err((more, shown(more), "the end of the line".into())),
            None => Ok(()),
        }
    }
}

#[cfg(feature = "alloc")]
fn shown(word: &str) -> Words {
    Words::Own(String::from("'") + &crate::error::excerpt(word) + "'")
}

/// The character that a word is, or that it is the code of.
#[cfg(feature = "alloc")]
fn code(word: &str) -> Option<u8> {
    match word.as_bytes() {
        [c] => Some(*c),
        [b'0', b'x', digits @ ..] if digits.len() == 2 && digits.iter().all(u8::is_ascii_hexdigit) => {
            u8::from_str_radix(&word[2..], 16).ok()
        }
        _ => None,
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_line_of_the_file_is_a_type() {
        let text = "\n# comment\r\n\tstructured\t( object\r\n  #primitive x\nprimitive # integer\nprimitive 0x20\nprimitive a string\n\
                    primitive b string";
        let types = TypeSet::from_text(text).unwrap();
        let characters: alloc::vec::Vec<u8> = types.characters().collect();
        assert_eq!(characters, b"( #ab");
        assert!(types.is_structured(b'(') && !types.is_structured(b' '));
        let meanings = [b'(', b'#', b' ', b'b', b'x'].map(|kind| types.meaning(kind));
        assert_eq!(meanings, [Some(Meaning::Object), Some(Meaning::Integer), None, Some(Meaning::String), None]);
        assert_eq!([Meaning::String, Meaning::Null].map(|meaning| types.type_of(meaning)), [Some(b'a'), None]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_column() {
        for (text, expected) in [
            ("", "syntax at byte 0: found no type, expected lines such as 'primitive # integer'"),
            ("# only\n", "syntax at byte 0: found no type, expected lines such as 'primitive # integer'"),
            (
                "primitive # integer\n  # structured\nprimitif x",
                "syntax at byte 35 (line 3, column 1): found 'primitif', expected 'primitive', 'structured' or a comment \
                 after '#'",
            ),
            ("primitive \r\n", "syntax at byte 9 (line 1, column 10): found the end of the line, expected a character"),
            (
                "primitive é",
                "syntax at byte 10 (line 1, column 11): found 'é', expected a character, or its code such as 0x23",
            ),
            (
                "primitive +1",
                "syntax at byte 10 (line 1, column 11): found '+1', expected a character, or its code such as 0x23",
            ),
            (
                "primitive 7",
                "syntax at byte 10 (line 1, column 11): '7' cannot be a type: types are ASCII 0x20-0x7E, not a digit, not \
                 '\"' and not '\\'",
            ),
            ("primitive x\n\nstructured x array", "syntax at byte 24 (line 3, column 12): the type 'x' is named twice"),
            (
                "primitive x array",
                "syntax at byte 12 (line 1, column 13): the type 'x' is primitive, which 'array' is not",
            ),
            (
                "structured x null",
                "syntax at byte 13 (line 1, column 14): the type 'x' is structured, which 'null' is not",
            ),
            (
                "primitive x int",
                "syntax at byte 12 (line 1, column 13): found 'int', expected a meaning (object, array, string, integer, \
                 float, number, boolean, null, binary, character, byte)",
            ),
            (
                "primitive x integer # counts",
                "syntax at byte 20 (line 1, column 21): found '#', expected the end of the line",
            ),
        ] {
            assert_eq!(TypeSet::from_text(text).unwrap_err().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn the_meanings_of_the_set_value_are_its_types() {
        for meaning in Meaning::ALL {
            let kind = TypeSet::VALUE.type_of(*meaning);
            assert_eq!(kind, (*meaning != Meaning::Number).then_some(meaning.kind()), "{meaning:?}");
            assert_eq!(kind.and_then(|kind| TypeSet::VALUE.meaning(kind)), kind.map(|_| *meaning));
            assert_eq!(Meaning::from_name(meaning.as_str()), Some(*meaning));
            assert_eq!(meaning.is_structured(), TypeSet::VALUE.is_structured(meaning.kind()));
        }
        assert!((0..=255).all(|c| TypeSet::XML.meaning(c).is_none() && TypeSet::JSON.meaning(c).is_none()));
    }
}

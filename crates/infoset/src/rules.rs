//! The interface of the encoding rules: the steps of reading a message of Appendix A.

use tam::{Error, ErrorKind, Words};

use crate::scan::State;

/// The name of the format in errors.
pub(crate) const FORMAT: &str = "infoset";

/// Text in the message itself rather than in the table of strings: UTF-8 or octets, in one piece or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Octets {
    /// Its start, with its length, in bits from the start of the message.
    pub(crate) at: u64,
    /// Its length in bytes, all pieces together.
    pub(crate) len: u64,
}

/// The size constraint of a SEQUENCE OF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// None.
    Any,
    /// `SIZE (0..3, ..., 0..MAX)`: children.
    Children,
    /// `SIZE (1..4, ..., 1..MAX)`: attributes.
    Attributes,
}

/// The ranges with short numbers.
pub(crate) const SMALL: u32 = 15;
pub(crate) const LARGE: u32 = 2047;

/// A number that is not an index.
pub(crate) const NO_INDEX: u32 = u32::MAX;

/// A message that is read from front to back with some encoding rules.
///
/// Types and fields are entered and left in the order of Appendix A. A step does nothing if the rules have no bits for
/// it.
pub(crate) trait Rules: Copy {
    /// Which optional fields of a SEQUENCE are present.
    type Fields: Copy;
    /// A field, alternative or item that has been entered.
    type Entered: Copy;
    /// The rest of a SEQUENCE OF.
    type List: Copy;
    /// The rest of the children of an element.
    type Children: Copy;

    /// The current position, in bits from the start of the message.
    fn position(&self) -> u64;

    /// Enters the outermost type.
    fn document(&mut self) -> Result<Self::Entered, Error>;
    /// Begins a SEQUENCE with `optional` optional fields.
    fn sequence(&mut self, optional: u32) -> Result<Self::Fields, Error>;
    /// Enters the field with a number.
    fn field(&mut self, number: u8) -> Result<Self::Entered, Error>;
    /// Enters the field with a number, if present.
    fn optional(&mut self, fields: &mut Self::Fields, number: u8) -> Result<Option<Self::Entered>, Error>;
    /// Whether any of the optional fields is present, as far as known.
    fn any_field(fields: Self::Fields) -> bool;
    /// Enters one of `count` alternatives of a CHOICE, and returns its number.
    fn alternative(&mut self, count: u8) -> Result<(u8, Self::Entered), Error>;
    /// Enters an item of a SEQUENCE OF that is not a CHOICE, with its universal tag.
    fn enter_item(&mut self, tag: u8) -> Result<Self::Entered, Error>;
    /// Leaves what was entered, all of which must have been read.
    fn leave(&mut self, open: Self::Entered) -> Result<(), Error>;
    /// Begins a SEQUENCE OF.
    fn list(&mut self, size: Size) -> Result<Self::List, Error>;
    /// Whether a SEQUENCE OF has another item.
    fn item(&mut self, list: &mut Self::List) -> Result<bool, Error>;
    fn boolean(&mut self) -> Result<bool, Error>;
    /// Reads a number of `(0..most, ..., 0..MAX)`; [`NO_INDEX`] if it is beyond any index.
    fn number(&mut self, most: u32) -> Result<u32, Error>;
    /// Reads one of `count` values of an ENUMERATED.
    fn enumerated(&mut self, count: u8) -> Result<u8, Error>;
    /// Reads a UTF8String, an OCTET STRING, or the content of a RELATIVE-OID.
    fn octets(&mut self) -> Result<Octets, Error>;
    /// Passes on what [`Rules::octets`] has read, piece by piece.
    fn pieces(&self, octets: Octets, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error>;

    /// Continues with a fast path for what most messages contain. Everything else, and every error, is left to the
    /// steps above.
    fn run(&mut self, state: &mut State<Self>);
    /// Begins the children of an element whose field and alternative have been entered.
    fn enter_children(
        &mut self,
        element: Self::Entered,
        field: Self::Entered,
        alternative: Self::Entered,
    ) -> Result<Self::Children, Error>;
    /// Whether there is another child.
    fn next_child(&mut self, children: &mut Self::Children) -> Result<bool, Error>;
    /// Leaves the children of an element, which continues.
    fn leave_children(&mut self, children: Self::Children) -> Result<Self::Entered, Error>;
}

/// A syntax error at a bit of the message.
#[cold]
pub(crate) fn syntax(at: u64, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Syntax, FORMAT, 0, found, expected).at_bit(at)
}

//! What the encoding rules have in common: the steps in which a message of Appendix A is read.

use tam::{Error, ErrorKind, Words};

use crate::scan::State;

/// The name of the format in errors.
pub(crate) const FORMAT: &str = "infoset";

/// Text that stands in the message itself rather than in the table of strings: UTF-8 or octets, in
/// one piece or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Octets {
    /// Where it begins, its length included, in bits from the start of the message.
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

/// The ranges whose numbers are written short.
pub(crate) const SMALL: u32 = 15;
pub(crate) const LARGE: u32 = 2047;

/// A number that no index can be.
pub(crate) const NO_INDEX: u32 = u32::MAX;

/// A message that is read from front to back under some encoding rules.
///
/// Types and fields are entered and left in the order that Appendix A has them; where a rule has
/// nothing on the wire for a step, it does nothing.
pub(crate) trait Rules: Copy {
    /// What is known of the optional fields of a SEQUENCE.
    type Fields: Copy;
    /// A field, alternative or item that has been entered.
    type Open: Copy;
    /// What is left of a SEQUENCE OF.
    type List: Copy;
    /// What is left of the children of an element.
    type Children: Copy;

    /// The place reached, in bits from the start of the message.
    fn position(&self) -> u64;

    /// Enters the outermost type.
    fn document(&mut self) -> Result<Self::Open, Error>;
    /// Begins a SEQUENCE with so many optional fields.
    fn sequence(&mut self, optional: u32) -> Result<Self::Fields, Error>;
    /// Enters the field of a number.
    fn field(&mut self, number: u8) -> Result<Self::Open, Error>;
    /// Enters the field of a number, if it is there.
    fn optional(&mut self, fields: &mut Self::Fields, number: u8) -> Result<Option<Self::Open>, Error>;
    /// Whether any of the optional fields is there, as far as that is known.
    fn any_field(fields: Self::Fields) -> bool;
    /// Enters one of so many alternatives of a CHOICE, and tells its number.
    fn alternative(&mut self, count: u8) -> Result<(u8, Self::Open), Error>;
    /// Enters an item of a SEQUENCE OF that is no CHOICE: its universal tag.
    fn enter_item(&mut self, tag: u8) -> Result<Self::Open, Error>;
    /// Leaves what was entered; all of it must have been read.
    fn leave(&mut self, open: Self::Open) -> Result<(), Error>;
    /// Begins a SEQUENCE OF.
    fn list(&mut self, size: Size) -> Result<Self::List, Error>;
    /// Whether another item comes in a SEQUENCE OF.
    fn item(&mut self, list: &mut Self::List) -> Result<bool, Error>;
    fn boolean(&mut self) -> Result<bool, Error>;
    /// A number of `(0..most, ..., 0..MAX)`; [`NO_INDEX`] for one that is beyond any index.
    fn number(&mut self, most: u32) -> Result<u32, Error>;
    /// One of so many values of an ENUMERATED.
    fn enumerated(&mut self, count: u8) -> Result<u8, Error>;
    /// A UTF8String, an OCTET STRING, or the content of a RELATIVE-OID.
    fn octets(&mut self) -> Result<Octets, Error>;
    /// Gives piece by piece what [`Rules::octets`] has read.
    fn pieces(&self, octets: Octets, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error>;

    /// Goes on through what is as most messages have it, faster than by the steps above; whatever is
    /// not so, and every fault, is left to them.
    fn run(&mut self, state: &mut State<Self>);
    /// Begins the children of an element, whose field and alternative have been entered.
    fn enter_children(
        &mut self,
        element: Self::Open,
        field: Self::Open,
        alternative: Self::Open,
    ) -> Result<Self::Children, Error>;
    /// Whether another child comes.
    fn next_child(&mut self, children: &mut Self::Children) -> Result<bool, Error>;
    /// Leaves the children of an element, which goes on.
    fn leave_children(&mut self, children: Self::Children) -> Result<Self::Open, Error>;
}

/// An error of kind syntax at a bit of the message.
#[cold]
pub(crate) fn syntax(at: u64, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Syntax, FORMAT, 0, found, expected).at_bit(at)
}

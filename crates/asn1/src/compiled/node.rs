//! The description of a type for the codecs.

use super::open::RecordKey;
use super::time::TimeType;
use crate::event::{self, Scalar};
use crate::integer::{Number, compare, difference};
use crate::per::{Constrained, Offset};
use crate::schema::{StringKind, Tag};

/// A type of a [`Compiled`](super::Compiled) schema, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// A type with its constraints reduced.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Its tags, outermost first; empty for an untagged CHOICE. All but the last are explicit.
    pub tags: Vec<Tag>,
    /// The least number of bits of a value in PER, in either variant.
    pub min_bits: u32,
    /// Its name, or that of its position: `Element`, `Document.children`.
    pub name: String,
}

/// The kind of a type, and the number of its description.
// `repr(u8)` keeps the discriminant in its own octet: the compiler would hide it in the widest variant, and take
// sixteen instructions to extract it.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// BOOLEAN.
    Boolean,
    /// NULL.
    Null,
    /// INTEGER.
    Integer(Integer),
    /// ENUMERATED: a number for [`Compiled::enumeration`](super::Compiled::enumeration).
    Enumerated(u32),
    /// REAL.
    Real,
    /// BIT STRING, and the number of its named bits for [`Compiled::names`](super::Compiled::names): if it has them,
    /// trailing zero bits mean nothing.
    BitString(Size, Option<u32>),
    /// OCTET STRING.
    OctetString(Size),
    /// OBJECT IDENTIFIER.
    ObjectIdentifier,
    /// RELATIVE-OID.
    RelativeOid,
    /// A type of characters: a number for [`Compiled::characters`](super::Compiled::characters).
    Text(u32),
    /// SEQUENCE and SET: a number for [`Compiled::record`](super::Compiled::record).
    Record(u32),
    /// CHOICE: a number for [`Compiled::choice`](super::Compiled::choice).
    Choice(u32),
    /// A type that other components select: a number for [`Compiled::open`](super::Compiled::open).
    Open(u32),
    /// SEQUENCE OF and SET OF.
    Array(Array),
}

/// An INTEGER.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Integer {
    /// How PER encodes a value of the root.
    pub range: Range,
    /// Whether the constraint has an extension marker, which allows other values.
    pub extensible: bool,
    /// The allowed intervals, if they have gaps: a number for [`Compiled::intervals`](super::Compiled::intervals).
    pub intervals: Option<u32>,
    /// Its named numbers: a number for [`Compiled::names`](super::Compiled::names).
    pub names: Option<u32>,
}

/// The effective value constraint of an INTEGER (X.691 clause 13).
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Both bounds, less than 2^64 apart: the lower one, and the range above it.
    Constrained(i64, Constrained),
    /// A lower bound.
    SemiConstrained(i64),
    /// No lower bound visible to PER; an upper one is in [`Integer::intervals`].
    Unconstrained,
    /// Bounds that do not fit the other variants: a number for [`Compiled::wide`](super::Compiled::wide).
    Wide(u32),
}

/// The bounds of an INTEGER, of any size.
#[derive(Clone, Debug, PartialEq)]
pub struct Wide {
    /// The least number.
    pub lower: Number,
    /// The greatest one.
    pub upper: Option<Number>,
    /// How PER encodes the offset from the lower bound, if there is an upper one.
    pub(crate) offset: Option<Offset>,
}

impl Wide {
    pub(super) fn new(lower: Number, upper: Option<Number>) -> Wide {
        let span = |upper: &Number| difference(upper.as_integer(), lower.as_integer());
        let offset = upper.as_ref().map(|upper| Offset::new(&span(upper)));
        Wide { lower, upper, offset }
    }

    /// Whether a number is between the bounds.
    pub(crate) fn contains(&self, number: event::Integer<'_>) -> bool {
        let below = |upper: &Number| compare(number, upper.as_integer()).is_le();
        compare(number, self.lower.as_integer()).is_ge() && self.upper.as_ref().is_none_or(below)
    }

    /// The least number of bits of a number, in either variant.
    pub(super) fn min_bits(&self) -> u32 {
        self.offset.map_or(16, Offset::min_bits)
    }
}

/// The effective size constraint of a string or an array: octets, bits, characters or components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The least size.
    pub lower: u64,
    /// The greatest size; `u64::MAX` if unbounded.
    pub upper: u64,
    /// Whether other sizes are allowed.
    pub extensible: bool,
    /// The allowed intervals, if they have gaps: a number for [`Compiled::intervals`](super::Compiled::intervals).
    pub intervals: Option<u32>,
}

impl Size {
    /// Any size.
    pub const ANY: Size = Size { lower: 0, upper: u64::MAX, extensible: false, intervals: None };
}

/// SEQUENCE OF or SET OF.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Array {
    /// The type of its components.
    pub item: NodeId,
    /// The number of components.
    pub size: Size,
    /// Whether their order has no meaning.
    pub set: bool,
    /// Whether documents may have null for a component: their type was inferred.
    pub(crate) nullable: bool,
    /// What XER calls a component: a number for [`Compiled::element_name`](super::Compiled::element_name).
    pub(crate) name: u32,
}

/// A type of characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Characters {
    /// Which one.
    pub kind: StringKind,
    /// The size in characters; PER ignores it for [`StringKind::Utf8`] and others that are not known-multiplier types.
    pub size: Size,
    /// How PER encodes a character; `None` if it encodes octets instead.
    pub known_multiplier: Option<KnownMultiplier>,
    /// The allowed characters, as intervals of code points, if some of the type's are not: a number for
    /// [`Compiled::intervals`](super::Compiled::intervals).
    pub alphabet: Option<u32>,
    /// The allowed ASCII characters, if no others are allowed.
    pub(crate) ascii: Option<Box<Ascii>>,
    /// The allowed ASCII characters, if others are allowed as well, but not all.
    pub(crate) among: Option<Box<Ascii>>,
    /// Whether PER distinguishes characters that are not allowed: it ignores EXCEPT.
    pub(crate) wider: bool,
    /// The span of the size, if everything is plain: ASCII characters, encoded as their code points in 7 bits (8 in the
    /// aligned variant), of a size below 65 536 without gaps and without an extension marker.
    pub(crate) plain: Option<Constrained>,
    /// For TIME and the like: which times are allowed, and how PER encodes them. Other fields are unused.
    pub(crate) time: Option<Box<TimeType>>,
    /// The text of its last `CONSTRAINED BY` (X.682 clause 9), which no value is checked against. A pattern of an XML Schema is
    /// in one (X.694 clause 12.2).
    pub user_defined: Option<Box<str>>,
}

impl Characters {
    /// Whether a text is a value of a type of times. Types of other texts allow any.
    #[must_use]
    pub fn allows_time(&self, text: &str) -> bool {
        self.time.as_ref().is_none_or(|time| time.read(text).is_ok())
    }

    /// Whether bytes are allowed ASCII characters, by looking at each.
    #[inline]
    pub(crate) fn plainly_allows(&self, bytes: &[u8]) -> bool {
        match self.ascii.as_ref().or(self.among.as_ref()) {
            Some(ascii) => ascii.has(bytes),
            None => self.alphabet.is_none() && bytes.is_ascii(),
        }
    }

    /// Whether it is a UTF8String of any size that allows all ASCII characters from 0x20 on.
    pub(super) fn is_plain_utf8(&self) -> bool {
        self.kind == StringKind::Utf8
            && self.size == Size::ANY
            && self.ascii.as_ref().or(self.among.as_ref()).map_or(self.alphabet.is_none(), |ascii| ascii.all_above)
    }

    /// Fills the field `plain`.
    pub(super) fn plain(self) -> Characters {
        let Size { lower, upper, extensible, intervals } = self.size;
        let by_code_point = |known: &KnownMultiplier| {
            (known.bits, known.aligned_bits) == (7, 8) && known.index.is_none() && known.aligned_index.is_none()
        };
        let checked = self.wider || self.kind.is_plain_time();
        let plain = self.known_multiplier.as_ref().is_some_and(by_code_point) && self.ascii.is_some() && !checked;
        let sized = upper < 1 << 16 && !extensible && intervals.is_none();
        Characters { plain: (plain && sized).then(|| Constrained::new(upper - lower)), ..self }
    }
}

/// An alphabet within ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ascii {
    /// By byte; `false` beyond ASCII.
    allowed: [bool; 256],
    all: bool,
    /// Whether all except control characters are allowed: those from 0x20 on.
    all_above: bool,
}

impl Ascii {
    /// The characters for which a test returns `true`.
    pub(super) fn new(allowed: impl Fn(u8) -> bool) -> Ascii {
        let allowed: [bool; 256] = std::array::from_fn(|byte| byte < 0x80 && allowed(byte as u8));
        let (ascii, _) = allowed.split_at(0x80);
        let (_, above) = ascii.split_at(0x20);
        Ascii { all: !ascii.contains(&false), all_above: !above.contains(&false), allowed }
    }

    /// Whether all bytes are characters of the alphabet.
    #[inline]
    pub(crate) fn has(&self, bytes: &[u8]) -> bool {
        if self.all {
            return bytes.is_ascii();
        }
        if self.all_above {
            // Eight at once: those that are neither control characters nor beyond ASCII need no second check.
            let (eights, rest) = bytes.as_chunks::<8>();
            let has = |eight: &[u8; 8]| not_above(u64::from_ne_bytes(*eight)) == 0 || self.has_each(eight);
            return eights.iter().all(has) && bytes.last_chunk().map_or_else(|| self.has_each(rest), has);
        }
        self.has_each(bytes)
    }

    #[inline]
    fn has_each(&self, bytes: &[u8]) -> bool {
        // Checking every byte is faster than stopping at the first wrong one.
        bytes.iter().fold(true, |all, byte| all & self.allowed[usize::from(*byte)])
    }
}

/// Eight spaces.
pub(crate) const SPACES: u64 = 0x2020_2020_2020_2020;

/// Zero if each of eight bytes is from 0x20 to 0x7F. If none is below, none borrows from its neighbour.
#[inline(always)]
pub(crate) fn not_above(eight: u64) -> u64 {
    (eight | eight.wrapping_sub(SPACES)) & 0x8080_8080_8080_8080
}

/// How PER encodes the characters of a known-multiplier type (X.691 clause 30.5).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KnownMultiplier {
    /// Bits of a character, unaligned.
    pub bits: u32,
    /// Bits of a character, aligned: a power of two.
    pub aligned_bits: u32,
    /// The alphabet in order of code points, if the unaligned variant encodes characters as their index in
    /// it.
    pub index: Option<Vec<u32>>,
    /// The same for the aligned variant.
    pub aligned_index: Option<Vec<u32>>,
}

/// The enumerations of an ENUMERATED type: those of the root in the order of their numbers, then
/// the additions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Enumeration {
    /// Name and number of each enumeration.
    pub items: Vec<(String, Number)>,
    /// The number of enumerations in the root.
    pub root: u32,
    /// Whether there is an extension marker.
    pub extensible: bool,
    /// How PER encodes the index in the root.
    pub index: Constrained,
    /// The numbers with their indexes, sorted by number (BER).
    pub by_number: Vec<(Number, u32)>,
    /// What the enumerations are called in JSON, columns and Rust's types; empty where these are the names.
    pub(crate) texts: Vec<Box<str>>,
    /// Whether the texts are numbers, in JSON too.
    pub(crate) is_of_numbers: bool,
}

/// A SEQUENCE or SET.
// The fields that a walk needs come first, in one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Record {
    /// The members as a walk needs them.
    pub(crate) steps: Vec<Step>,
    /// The members of the root without a presence bit, the last one's bit lowest; meaningless if the root has more than
    /// 64.
    pub(crate) mandatory: u64,
    /// The number of members in the root.
    pub root: u32,
    /// The number of members of the root with a presence bit.
    pub optional: u32,
    /// The number of bits before the members that are read at once: the extension bit, and up to 56 presence bits.
    pub(crate) head: u32,
    /// Whether there is an extension marker.
    pub extensible: bool,
    /// Whether it has no extension marker and only small numbers, at most 57 of them optional.
    pub(crate) flat: bool,
    /// Whether a member has a default.
    pub(crate) defaults: bool,
    /// Whether its root takes no bits in PER, as far as known.
    pub(crate) free: bool,
    /// Whether members select the types of others.
    pub(crate) keyed: bool,
    /// The components in the order of PER: those of the root, then additions.
    pub members: Vec<Member>,
    /// Whether it is a SET.
    pub set: bool,
    /// The members that select the types of others.
    pub(crate) keys: Vec<RecordKey>,
    /// The number of members of the root before the additions in the notation.
    pub(crate) before: u32,
    /// The additions, in order.
    pub additions: Vec<Addition>,
    /// The indexes of the members in the order of the notation, if it differs (SET, a second extension marker).
    pub declared: Option<Vec<u32>>,
    /// Every possible tag in BER with the index of its member, sorted by tag.
    pub by_tag: Vec<(Tag, u32)>,
}

/// The facts about a component that a walk needs, next to those of its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) code: Code,
    pub(crate) node: NodeId,
    /// The number of consecutive components from this one on that have a presence bit; 0 if this one has
    /// none.
    pub(crate) optional: u32,
}

impl Step {
    /// Whether it has a presence bit.
    #[inline(always)]
    pub(crate) fn is_optional(&self) -> bool {
        self.optional > 0
    }

    /// For a value that is not a component.
    pub(crate) fn new(code: Code, node: NodeId) -> Step {
        Step { code, node, optional: 0 }
    }
}

/// How PER encodes a value, for the few kinds that most values have.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Code {
    /// A number of a range within 64 bits, of 1 to 57 bits, without gaps and without an extension
    /// marker: its lower bound, its range, and its type.
    Scalar(i64, Constrained, Scalar),
    /// A SEQUENCE or SET: its number.
    Record(u32),
    /// A CHOICE: its number.
    Choice(u32),
    /// An open type: its number.
    Open(u32),
    /// A SEQUENCE OF or SET OF, and whether one octet of zero means that it is empty.
    Array(bool),
    /// A scalar with an extension marker.
    Extensible(i64, Constrained, Scalar),
    /// An OCTET STRING of a fixed size of 1 to 65535.
    Octets(u32),
    /// A BIT STRING of a fixed size of 1 to 57.
    Bits(u32),
    /// A UTF8String of any size that allows all ASCII characters from 0x20 on, so that most values need only one check
    /// of each byte: its number.
    Utf8(u32),
    /// A type of characters that is plain: its number.
    Ascii(u32),
    /// A type of time: its number.
    Time(u32),
    /// A REAL in base 10 only.
    Decimal,
    /// Anything else; see its node.
    Other,
}

/// A component.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member {
    /// What it is called in JSON, paths, columns and the types of other languages: its identifier, or by an XML Schema its name in
    /// XML.
    pub name: String,
    /// Its identifier, if that is another one.
    pub(crate) identifier: Option<Box<str>>,
    /// Its type.
    pub node: NodeId,
    /// Whether it is mandatory.
    pub presence: Presence,
}

/// Whether a component is mandatory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is mandatory.
    Mandatory,
    /// It may be left out.
    Optional,
    /// It may be left out for its default, which is [`Compiled::default_value`](super::Compiled::default_value) with
    /// this number.
    Default(u32),
}

/// An extension addition of a SEQUENCE or SET: members from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Addition {
    /// The first of its members.
    pub first: u32,
    /// The number of members.
    pub count: u32,
    /// For a group, the number of its members with a presence bit; `None` if the addition is a single component.
    pub group: Option<u32>,
}

/// A CHOICE.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The alternatives: those of the root in the canonical order of tags, as PER numbers them, then the additions.
    pub alternatives: Vec<Alternative>,
    /// The number of alternatives in the root.
    pub root: u32,
    /// Whether there is an extension marker.
    pub extensible: bool,
    /// How PER encodes the index in the root.
    pub index: Constrained,
    /// The number of bits before the value that are read at once: the extension bit and the index in the root; 0 if
    /// there are none, or too many.
    pub(crate) head: u32,
    /// The alternatives as a walk needs them.
    pub(crate) steps: Vec<Step>,
    /// Every possible tag in BER with the index of its alternative, sorted by tag.
    pub by_tag: Vec<(Tag, u32)>,
    /// Whether it is bare ([`Choice::is_bare`]).
    pub(super) is_bare: bool,
}

/// An alternative of a CHOICE.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Alternative {
    /// What it is called in JSON, paths, columns and the types of other languages: its identifier, or by an XML Schema its name in
    /// XML.
    pub name: String,
    /// Its identifier, if that is another one.
    pub(crate) identifier: Option<Box<str>>,
    /// Its type.
    pub node: NodeId,
}

impl Member {
    /// Its identifier in ASN.1.
    #[must_use]
    pub fn identifier(&self) -> &str {
        self.identifier.as_deref().unwrap_or(&self.name)
    }
}

impl Alternative {
    /// Its identifier in ASN.1.
    #[must_use]
    pub fn identifier(&self) -> &str {
        self.identifier.as_deref().unwrap_or(&self.name)
    }
}

impl Record {
    pub(crate) const EMPTY: Record = Record {
        set: false,
        extensible: false,
        members: Vec::new(),
        root: 0,
        before: 0,
        optional: 0,
        head: 0,
        steps: Vec::new(),
        mandatory: 0,
        flat: false,
        defaults: false,
        free: false,
        keyed: false,
        keys: Vec::new(),
        additions: Vec::new(),
        declared: None,
        by_tag: Vec::new(),
    };
}

impl Choice {
    /// Whether a value is the text of its alternative in JSON and in the types of other languages. A date, a time or a duration by an
    /// XML Schema is one: X.694 Annex A has a type of ASN.1 for most of them, and text for those that it does not hold.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.is_bare
    }

    pub(crate) const EMPTY: Choice = Choice {
        alternatives: Vec::new(),
        root: 0,
        extensible: false,
        index: Constrained::new(0),
        head: 0,
        steps: Vec::new(),
        by_tag: Vec::new(),
        is_bare: false,
    };
}

impl Enumeration {
    pub(crate) const EMPTY: Enumeration = Enumeration {
        items: Vec::new(),
        root: 0,
        extensible: false,
        index: Constrained::new(0),
        by_number: Vec::new(),
        texts: Vec::new(),
        is_of_numbers: false,
    };

    /// What the enumeration of an index is called in JSON, columns and Rust's types: its name, or by an XML Schema its text.
    #[must_use]
    pub fn text(&self, index: usize) -> Option<&str> {
        let name = || self.items.get(index).map(|(name, _)| &name[..]);
        self.texts.get(index).map(|text| &text[..]).or_else(name)
    }

    /// [`Enumeration::text`] of each, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.items.len()).filter_map(|index| self.text(index))
    }

    /// Whether they are numbers in JSON: the values of an XML Schema's enumeration of integers.
    #[must_use]
    pub fn is_of_numbers(&self) -> bool {
        self.is_of_numbers
    }
}

impl Characters {
    pub(crate) const ANY: Characters = Characters {
        kind: StringKind::Utf8,
        size: Size::ANY,
        known_multiplier: None,
        alphabet: None,
        ascii: None,
        among: None,
        wider: false,
        plain: None,
        time: None,
        user_defined: None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_classified_alike_alone_and_eight_at_once() {
        let xml = Ascii::new(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..));
        assert!(xml.all_above && !xml.all);
        for byte in 0..=0xFF {
            for place in 0..11 {
                let mut bytes = *b"some octets";
                bytes[place] = byte;
                let expected = matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7F);
                assert_eq!(xml.has(&bytes), expected, "{byte} at {place}");
            }
        }
        // A byte that borrows does not hide another.
        assert!(!xml.has(&[0x1F, 0x80, 0x20, 0x7F, 0x20, 0x20, 0x20, 0x20]));
    }
}

//! One row of the table.

use core::fmt;

/// Bit of a row's tag, and of a class in a [`TypeSet`](crate::TypeSet): the unit is structured.
pub(crate) const STRUCTURED: u32 = 1 << 8;
/// Bit of a row's tag: the name is written in the extended form.
const EXTENDED: u32 = 1 << 9;
const NAME_SHIFT: u32 = 10;

/// One lexical unit: type, name and value or children (the paper's figure 2), 16 bytes.
///
/// Names and primitive values are places in the text of the [`Document`](crate::Document) the
/// row belongs to; the value of a structured unit is the run of rows below it. A row means
/// nothing without its document.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Row {
    tag: u32,
    name: u32,
    value: u32,
    len: u32,
}

impl Row {
    /// The longest name a row can hold, in bytes.
    pub const MAX_NAME: usize = (1 << (32 - NAME_SHIFT)) - 1;

    /// A row without content.
    pub const EMPTY: Row = Row { tag: 0, name: 0, value: 0, len: 0 };

    /// Added to the class of a row, says that its name is written in the extended form.
    pub const EXTENDED_NAME: u16 = EXTENDED as u16;

    /// A row from its parts.
    ///
    /// `class` is what [`TypeSet::class`](crate::TypeSet::class) says of the unit's type
    /// character, with [`Row::EXTENDED_NAME`] where that holds. `name` is the place of the name's
    /// first byte and `name_len` its length in bytes, at most [`Row::MAX_NAME`]. For a primitive unit `value` is the place of its data
    /// and `len` its length in bytes; for a structured unit `value` is the index of its first
    /// child row and `len` the number of children.
    #[inline(always)]
    #[must_use]
    pub const fn new(class: u16, name: u32, name_len: u32, value: u32, len: u32) -> Row {
        Row { tag: class as u32 | name_len << NAME_SHIFT, name, value, len }
    }

    /// The same row, its name being in the extended form (`"` and escapes).
    #[inline]
    #[must_use]
    pub const fn with_extended_name(self) -> Row {
        Row { tag: self.tag | EXTENDED, ..self }
    }

    /// A row without a class with one: the first argument of [`Row::new`].
    #[inline(always)]
    #[must_use]
    pub const fn with_class(self, class: u16) -> Row {
        Row { tag: self.tag | class as u32, ..self }
    }

    /// The same row with other content: `value` and `len` of [`Row::new`].
    #[inline(always)]
    #[must_use]
    pub const fn with_content(self, value: u32, len: u32) -> Row {
        Row { value, len, ..self }
    }

    /// The type character.
    #[inline]
    #[must_use]
    pub const fn kind(&self) -> u8 {
        self.tag as u8
    }

    /// Whether the unit holds other units.
    #[inline]
    #[must_use]
    pub const fn is_structured(&self) -> bool {
        self.tag & STRUCTURED != 0
    }

    /// Whether the name is written in the extended form.
    #[inline]
    #[must_use]
    pub const fn has_extended_name(&self) -> bool {
        self.tag & EXTENDED != 0
    }

    /// Place of the name in the document's text.
    #[inline]
    #[must_use]
    pub const fn name_at(&self) -> u32 {
        self.name
    }

    /// Length of the name as written, in bytes.
    #[inline]
    #[must_use]
    pub const fn name_len(&self) -> u32 {
        self.tag >> NAME_SHIFT
    }

    /// Primitive: place of the data in the document's text. Structured: index of the first child.
    #[inline]
    #[must_use]
    pub const fn value_at(&self) -> u32 {
        self.value
    }

    /// Primitive: length of the data in bytes. Structured: number of children.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether a primitive has no data, or a structured unit no children.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("kind", &char::from(self.kind()))
            .field("structured", &self.is_structured())
            .field("name", &(self.name, self.name_len()))
            .field("value", &(self.value, self.len))
            .finish()
    }
}

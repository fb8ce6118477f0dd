//! The arena that holds the rows.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::{Document, Row, TypeSet};

/// Where rows live: one growing arena, kept by the caller and reused from message to message.
///
/// A table that has held a message of a size reads the next one of that size without
/// allocating. Without the `alloc` feature the caller lends the rows
/// ([`Table::in_rows`]); a message of `n` bytes needs at most `n / 2 + 1` of them.
#[derive(Debug, Default)]
pub struct Table<'s> {
    store: Store<'s>,
    used: u32,
    first_root: u32,
    roots: u32,
    /// Whether no name of a document of `json` holds a type of `value`.
    plain_names: bool,
    /// Whether a reader has said that the document is sound.
    sound: bool,
    /// Text that differs from its form in the message (entities resolved, escapes undone). Its positions
    /// follow those of the message.
    #[cfg(feature = "alloc")]
    text: Vec<u8>,
    #[cfg(feature = "alloc")]
    pub(crate) scratch: crate::builder::Scratch,
}

#[derive(Debug)]
enum Store<'s> {
    #[cfg(feature = "alloc")]
    Owned(Vec<Row>),
    Lent(&'s mut [Row]),
}

impl Default for Store<'_> {
    fn default() -> Self {
        #[cfg(feature = "alloc")]
        return Store::Owned(Vec::new());
        #[cfg(not(feature = "alloc"))]
        Store::Lent(&mut [])
    }
}

impl<'s> Table<'s> {
    /// A table that grows as it needs. Nothing is allocated yet.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn new() -> Table<'s> {
        Table::default()
    }

    /// A table in rows of the caller's; it never grows.
    #[must_use]
    pub fn in_rows(rows: &'s mut [Row]) -> Table<'s> {
        Table {
            store: Store::Lent(rows),
            used: 0,
            first_root: 0,
            roots: 0,
            plain_names: false,
            sound: false,
            #[cfg(feature = "alloc")]
            text: Vec::new(),
            #[cfg(feature = "alloc")]
            scratch: crate::builder::Scratch::default(),
        }
    }

    /// Number of rows there is room for now.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.all_rows().len()
    }

    fn all_rows(&self) -> &[Row] {
        match &self.store {
            #[cfg(feature = "alloc")]
            Store::Owned(rows) => rows,
            Store::Lent(rows) => rows,
        }
    }

    /// Forgets the document, keeps the room.
    pub fn clear(&mut self) {
        (self.used, self.first_root, self.roots) = (0, 0, 0);
        #[cfg(feature = "alloc")]
        self.text.clear();
    }

    /// The rows there is room for, to be filled by a reader.
    #[inline]
    pub fn room(&mut self) -> &mut [Row] {
        self.sound = false;
        match &mut self.store {
            #[cfg(feature = "alloc")]
            Store::Owned(rows) => rows,
            Store::Lent(rows) => rows,
        }
    }

    /// Makes room for `rows` rows in all, what is filled being kept. `false` where the rows are
    /// lent and there are fewer.
    #[cold]
    pub fn make_room(&mut self, rows: usize) -> bool {
        match &mut self.store {
            #[cfg(feature = "alloc")]
            Store::Owned(owned) => {
                if owned.len() < rows {
                    owned.reserve_exact(rows - owned.len());
                    owned.resize(rows, Row::EMPTY);
                }
                true
            }
            Store::Lent(lent) => lent.len() >= rows,
        }
    }

    /// Sets which rows are filled: the first `used`. Of these, `roots` from `first_root` on are the outermost units.
    pub fn fill(&mut self, used: u32, first_root: u32, roots: u32) {
        (self.used, self.first_root, self.roots) = (used, first_root, roots);
        (self.plain_names, self.sound) = (false, false);
    }

    /// Says that every name has been looked at, and none holds a type of `value` that `json` has not.
    #[cfg(feature = "alloc")]
    pub(crate) fn set_plain_names(&mut self, plain: bool) {
        self.plain_names = plain;
    }

    /// Says that writers need not check the document, because the reader that filled the table has: all data are of their
    /// types, texts and names are UTF-8, and the units in objects have names, no others do.
    pub fn set_sound(&mut self) {
        self.sound = true;
    }

    /// The text beside the message.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        #[cfg(feature = "alloc")]
        return &self.text;
        #[cfg(not(feature = "alloc"))]
        &[]
    }

    /// The text beside the message, to add to.
    #[cfg(feature = "alloc")]
    pub fn text_mut(&mut self) -> &mut Vec<u8> {
        self.sound = false;
        &mut self.text
    }

    /// The document in the table. Its text is in `message` and in the table's own text.
    ///
    /// `message` and `types` must be those with which the table was filled; otherwise the content is meaningless.
    #[must_use]
    pub fn document<'a>(&'a self, message: &'a [u8], types: &'a TypeSet) -> Document<'a> {
        let rows = self.all_rows().get(..self.used as usize).unwrap_or(&[]);
        Document::from_rows(message, self.text(), rows, self.first_root, self.roots, types)
            .with_known(self.plain_names, self.sound)
    }
}

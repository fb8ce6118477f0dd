//! What a message says: a view of the table.

use core::iter::FusedIterator;

use crate::{Name, Row, TypeSet, name::Lossy};

/// What a message says: rows over the text they came from.
///
/// A document is a view, cheap to copy: it borrows the message and the [`Table`](crate::Table).
#[derive(Clone, Copy)]
pub struct Document<'a> {
    message: &'a [u8],
    beside: &'a [u8],
    rows: &'a [Row],
    first_root: u32,
    roots: u32,
    types: &'a TypeSet,
    plain_names: bool,
    sound: bool,
}

impl<'a> Document<'a> {
    /// A document from rows.
    ///
    /// Places in the rows count through `message` and go on in `beside`. The outermost units are
    /// the `roots` rows from `first_root` on.
    #[must_use]
    pub fn from_rows(
        message: &'a [u8],
        beside: &'a [u8],
        rows: &'a [Row],
        first_root: u32,
        roots: u32,
        types: &'a TypeSet,
    ) -> Document<'a> {
        Document { message, beside, rows, first_root, roots, types, plain_names: false, sound: false }
    }

    pub(crate) fn with_known(self, plain_names: bool, sound: bool) -> Document<'a> {
        Document { plain_names, sound, ..self }
    }

    /// Whether a reader has said that the document is sound ([`Table::set_sound`](crate::Table::set_sound)). Of other documents
    /// it is not known.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// Whether it is known that no name of a document of `json` holds a type of `value` which `json` has not. The
    /// [`Builder`](crate::Builder) finds that out; of other documents it is not known.
    #[must_use]
    pub fn has_plain_names(&self) -> bool {
        self.plain_names
    }

    /// The type set the kinds of the units are of.
    #[inline]
    #[must_use]
    pub fn types(&self) -> &'a TypeSet {
        self.types
    }

    /// Number of lexical units, on all levels.
    #[inline]
    #[must_use]
    pub fn units(&self) -> usize {
        self.rows.len()
    }

    /// The rows as they lie in the table, children of one unit side by side.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &'a [Row] {
        self.rows
    }

    /// Index of the first outermost row, and their number.
    #[inline]
    #[must_use]
    pub fn root_rows(&self) -> (u32, u32) {
        (self.first_root, self.roots)
    }

    /// The unit whose row has an index, as [`Node::index`] gives it.
    #[must_use]
    pub fn node(&self, index: usize) -> Option<Node<'_>> {
        self.rows.get(index).map(|row| Node { document: self, row })
    }

    /// The text at a place, as rows name it. Nothing where the place is not of this document.
    #[inline]
    #[must_use]
    pub fn text(&self, at: u32, len: u32) -> &'a [u8] {
        let (at, len) = (at as usize, len as usize);
        match self.message.get(at..).and_then(|rest| rest.get(..len)) {
            Some(text) => text,
            None => self.text_beside(at, len),
        }
    }

    fn text_beside(&self, at: usize, len: usize) -> &'a [u8] {
        let rest = at.checked_sub(self.message.len()).and_then(|at| self.beside.get(at..));
        rest.and_then(|rest| rest.get(..len)).unwrap_or(&[])
    }

    /// The name in a row.
    #[inline]
    #[must_use]
    pub fn name(&self, row: &Row) -> Name<'a> {
        let written = self.text(row.name_at(), row.name_len());
        if row.has_extended_name() { Name::extended(written) } else { Name::plain(written) }
    }

    /// The message, and the text beside it: what [`Document::text`] looks in.
    #[inline]
    #[must_use]
    pub fn texts(&self) -> (&'a [u8], &'a [u8]) {
        (self.message, self.beside)
    }

    /// The first outermost unit.
    #[inline]
    #[must_use]
    pub fn root(&self) -> Option<Node<'_>> {
        self.roots().next()
    }

    /// The outermost units.
    #[inline]
    #[must_use]
    pub fn roots(&self) -> Children<'_> {
        self.run(self.first_root, self.roots)
    }

    #[inline]
    fn run(&self, first: u32, count: u32) -> Children<'_> {
        let rows = self.rows.get(first as usize..first as usize + count as usize).unwrap_or(&[]);
        Children { document: self, rows: rows.iter() }
    }
}

impl core::fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Document")
            .field("types", &self.types)
            .field("units", &self.units())
            .field("root", &self.root())
            .finish()
    }
}

/// One lexical unit of a document: a place in the table.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    row: &'d Row,
}

impl<'d> Node<'d> {
    /// The type character.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.row.kind()
    }

    /// Whether the unit holds other units.
    #[inline]
    #[must_use]
    pub fn is_structured(&self) -> bool {
        self.row.is_structured()
    }

    /// The name; [`Name::is_none`] where there is none.
    #[inline]
    #[must_use]
    pub fn name(&self) -> Name<'d> {
        self.document.name(self.row)
    }

    /// The name as bytes, if there is one, which may be empty: what [`Builder::open_member`](crate::Builder::open_member) takes.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn member_name(&self) -> Option<alloc::borrow::Cow<'d, [u8]>> {
        let name = self.name();
        (!name.is_none()).then(|| name.to_bytes())
    }

    /// The data of a primitive unit; nothing for a structured one.
    #[inline]
    #[must_use]
    pub fn value(&self) -> &'d [u8] {
        if self.row.is_structured() { &[] } else { self.document.text(self.row.value_at(), self.row.len()) }
    }

    /// The data of a primitive unit as UTF-8 text.
    ///
    /// # Errors
    /// When the data is not UTF-8.
    pub fn text(&self) -> Result<&'d str, core::str::Utf8Error> {
        core::str::from_utf8(self.value())
    }

    /// The units directly inside a structured one; none in a primitive.
    #[inline]
    #[must_use]
    pub fn children(&self) -> Children<'d> {
        if self.row.is_structured() {
            self.document.run(self.row.value_at(), self.row.len())
        } else {
            Children::none(self.document)
        }
    }

    /// The first child of a name.
    #[must_use]
    pub fn child<N: ?Sized>(&self, name: &N) -> Option<Node<'d>>
    where
        Name<'d>: PartialEq<N>,
    {
        self.children().find(|child| child.name() == *name)
    }

    /// The row of the unit.
    #[inline]
    #[must_use]
    pub fn row(&self) -> &'d Row {
        self.row
    }

    /// Index of the unit's row in the table.
    #[must_use]
    pub fn index(&self) -> usize {
        (core::ptr::from_ref(self.row).addr() - self.document.rows.as_ptr().addr()) / size_of::<Row>()
    }

    /// The document the unit is of.
    #[inline]
    #[must_use]
    pub fn document(&self) -> &'d Document<'d> {
        self.document
    }
}

impl core::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}{}", self.name(), char::from(self.kind()))?;
        if self.is_structured() {
            write!(f, "({} units)", self.row.len())
        } else {
            write!(f, "{:?}", Lossy(self.value()))
        }
    }
}

/// The units directly inside one, in order.
#[derive(Clone, Debug)]
pub struct Children<'d> {
    document: &'d Document<'d>,
    rows: core::slice::Iter<'d, Row>,
}

impl<'d> Children<'d> {
    /// No units at all.
    #[inline]
    pub(crate) fn none(document: &'d Document<'d>) -> Children<'d> {
        Children { document, rows: [].iter() }
    }

    /// One unit alone.
    #[cfg(feature = "alloc")]
    pub(crate) fn one(node: Node<'d>) -> Children<'d> {
        Children { document: node.document, rows: core::slice::from_ref(node.row).iter() }
    }
}

impl<'d> Iterator for Children<'d> {
    type Item = Node<'d>;

    #[inline]
    fn next(&mut self) -> Option<Node<'d>> {
        let row = self.rows.next()?;
        Some(Node { document: self.document, row })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Node<'d>> {
        let row = self.rows.nth(n)?;
        Some(Node { document: self.document, row })
    }
}

impl DoubleEndedIterator for Children<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let row = self.rows.next_back()?;
        Some(Node { document: self.document, row })
    }
}

impl ExactSizeIterator for Children<'_> {}
impl FusedIterator for Children<'_> {}

//! All units of a document in document order.

use alloc::vec::Vec;

use crate::{Children, Document, Node};

/// A step of a [`Walk`].
#[derive(Clone, Copy, Debug)]
pub enum Step<'d> {
    /// A structured unit begins; its children follow, then [`Step::Close`] with the same unit.
    Open(Node<'d>),
    /// A primitive unit.
    Primitive(Node<'d>),
    /// A structured unit ends.
    Close(Node<'d>),
}

/// All units of a document in document order, without recursion.
///
/// ```
/// # use lengthwise_tam::{Builder, Limits, Step, Table, TypeSet};
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// # let mut table = Table::new();
/// # let mut build = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
/// # build.open(b'<', b"a")?;
/// # build.primitive(b'[', b"", b"text")?;
/// # build.close()?;
/// # build.finish()?;
/// # let document = table.document(b"", TypeSet::XML);
/// let mut depth = 0;
/// for step in document.walk() {
///     match step {
///         Step::Open(_) => depth += 1,
///         Step::Close(_) => depth -= 1,
///         Step::Primitive(node) => assert_eq!((depth, node.value()), (1, &b"text"[..])),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Walk<'d> {
    at: Children<'d>,
    open: Vec<(Node<'d>, Children<'d>)>,
}

impl Document<'_> {
    /// Walks all units in document order.
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        Walk { at: self.roots(), open: Vec::new() }
    }
}

impl<'d> Node<'d> {
    /// Walks the unit and all below it in document order.
    #[must_use]
    pub fn walk(&self) -> Walk<'d> {
        Walk { at: Children::one(*self), open: Vec::new() }
    }
}

impl Walk<'_> {
    /// Number of units open now.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

impl<'d> Iterator for Walk<'d> {
    type Item = Step<'d>;

    fn next(&mut self) -> Option<Step<'d>> {
        match self.at.next() {
            Some(node) if node.is_structured() => {
                let after = core::mem::replace(&mut self.at, node.children());
                self.open.push((node, after));
                Some(Step::Open(node))
            }
            Some(node) => Some(Step::Primitive(node)),
            None => {
                let (node, after) = self.open.pop()?;
                self.at = after;
                Some(Step::Close(node))
            }
        }
    }
}

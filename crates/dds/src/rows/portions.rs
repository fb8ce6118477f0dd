//! Message portions: how many items of an array lie in how many bytes.

use crate::rows::lens::Lens;

/// Message portions, and how long their items are, so that a shift costs nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Portions {
    pub(crate) items: usize,
    /// How long each item is, if that is remembered.
    pub(crate) lens: Lens,
    pub(crate) list: Vec<Portion>,
    /// The hash of each portion, where bytes are not kept.
    pub(crate) hashes: Vec<u64>,
}

/// A message portion: how many items, of how many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portion {
    pub(crate) items: u16,
    pub(crate) bytes: u16,
}

impl Portions {
    pub(crate) fn clear(&mut self) {
        self.items = 0;
        self.lens.clear();
        self.list.clear();
        self.hashes.clear();
    }

    /// Bytes of the message in them.
    pub(crate) fn len(&self) -> usize {
        self.list.iter().map(|portion| usize::from(portion.bytes)).sum()
    }

    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        self.lens.bytes() + self.list.capacity() * size_of::<Portion>() + self.hashes.capacity() * size_of::<u64>()
    }
}

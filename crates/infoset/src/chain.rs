//! Texts that had to be put together, kept as long as they are referred to.

use std::cell::OnceCell;

/// Holds texts; [`Chain::end`] adds to it.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    first: OnceCell<Box<Link>>,
}

#[derive(Debug)]
struct Link {
    text: Box<[u8]>,
    next: OnceCell<Box<Link>>,
}

/// The end of a chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<'c> {
    next: &'c OnceCell<Box<Link>>,
}

impl Chain {
    /// The end, to add to; there may be one alone.
    pub(crate) fn end(&self) -> End<'_> {
        End { next: &self.first }
    }
}

impl<'c> End<'c> {
    /// Adds a text, and lends it for as long as the chain is there.
    pub(crate) fn add(&mut self, text: &[u8]) -> &'c [u8] {
        let link = self.next.get_or_init(|| Box::new(Link { text: text.into(), next: OnceCell::new() }));
        self.next = &link.next;
        &link.text
    }
}

impl Drop for Chain {
    /// Link by link, as dropping the first would recurse through all of them.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

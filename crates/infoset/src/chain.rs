//! Joined texts, kept as long as they are referenced.

use std::cell::OnceCell;

/// Owns texts; [`Chain::end`] adds to it.
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
    /// The end, to append to. There must be only one at a time.
    pub(crate) fn end(&self) -> End<'_> {
        End { next: &self.first }
    }
}

impl<'c> End<'c> {
    /// Appends a text, and lends it for the lifetime of the chain.
    pub(crate) fn add(&mut self, text: &[u8]) -> &'c [u8] {
        let link = self.next.get_or_init(|| Box::new(Link { text: text.into(), next: OnceCell::new() }));
        self.next = &link.next;
        &link.text
    }
}

impl Drop for Chain {
    /// Drops link by link, because dropping the first would recurse through all of them.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

//! Portions, cut as items are read.

use core::ops::Range;

use crate::rows::lens::Lens;
use crate::rows::portions::{Portion, Portions};

/// How long items are, as they are read.
pub(crate) struct Marks<'p> {
    portions: &'p mut Portions,
    /// Bytes of the portion that is being read, and the items in it.
    bytes: usize,
    count: u16,
    least: usize,
    pub(crate) items: usize,
    /// Whether it is remembered how long each item is, and not only each portion.
    keeps_lens: bool,
}

impl<'p> Marks<'p> {
    /// Goes on with the last portion, unless it is full.
    pub(crate) fn new(portions: &'p mut Portions, least: u32, keeps_lens: bool) -> Marks<'p> {
        let (items, least) = (portions.items, least as usize);
        let last = portions.list.pop_if(|portion| usize::from(portion.bytes) < least);
        let Portion { items: count, bytes } = last.unwrap_or(Portion { items: 0, bytes: 0 });
        Marks { portions, bytes: bytes.into(), count, least, items, keeps_lens }
    }

    /// Room for the lengths of so many items.
    pub(crate) fn reserve(&mut self, items: usize) {
        if self.keeps_lens {
            self.portions.lens.reserve(items);
        }
    }

    /// How long an item is that ends at `end`, if the portion has room for it.
    #[inline(always)]
    pub(crate) fn room(&self, start: usize, end: usize) -> Option<u16> {
        u16::try_from(end - start).ok().filter(|&len| self.bytes + usize::from(len) <= u16::MAX.into())
    }

    /// An item of this length follows, for which there is room.
    #[inline]
    pub(crate) fn item(&mut self, len: u16) {
        self.items(&[len]);
    }

    /// Items of these lengths follow, for each of which there is room.
    #[inline]
    pub(crate) fn items(&mut self, lens: &[u16]) {
        // Eight at once, where no portion ends in them.
        let (eights, rest) = lens.as_chunks::<8>();
        for eight in eights {
            let bytes = self.bytes + eight.iter().map(|&len| usize::from(len)).sum::<usize>();
            if bytes < self.least {
                (self.bytes, self.count) = (bytes, self.count + 8);
            } else {
                eight.iter().for_each(|&len| self.count(len));
            }
        }
        rest.iter().for_each(|&len| self.count(len));
        if self.keeps_lens {
            self.portions.lens.extend(lens);
        }
        self.items += lens.len();
    }

    /// Ends the portion after an item of this length, if it is as long as it should be.
    fn count(&mut self, len: u16) {
        (self.bytes, self.count) = (self.bytes + usize::from(len), self.count + 1);
        if self.bytes >= self.least {
            self.cut();
        }
    }

    /// Items of the message before follow, as they were; `None` if the portion has no room for one.
    pub(crate) fn copy(&mut self, lens: &Lens, range: Range<usize>) -> Option<()> {
        for n in range.clone() {
            let len = self.room(0, lens.get(n)?)?;
            self.count(len);
        }
        self.items += range.len();
        self.portions.lens.extend_from(lens, range);
        Some(())
    }

    /// A portion of the message before follows, as it was.
    pub(crate) fn portion(&mut self, portion: Portion, lens: &Lens, range: Range<usize>) {
        if self.count > 0 {
            self.cut();
        }
        self.items += range.len();
        self.portions.lens.extend_from(lens, range);
        (self.bytes, self.count) = (portion.bytes.into(), portion.items);
        self.cut();
    }

    #[inline(never)]
    fn cut(&mut self) {
        self.portions.list.push(Portion { items: self.count, bytes: self.bytes as u16 });
        (self.bytes, self.count) = (0, 0);
    }

    /// No item follows.
    pub(crate) fn finish(mut self) {
        if self.count > 0 {
            self.cut();
        }
        self.portions.items = self.items;
    }
}

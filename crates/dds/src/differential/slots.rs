//! The values that the items of a run are read into.

use xml::kernels::number::{Number, Powers};
use xml::kernels::numbers::{Batch, GATHERED, Numbers, Several};
use xml::kernels::{Kernel, LINE, Pace};

use crate::rows::Row;
use crate::schema::Simple;
use crate::values::Items;
use crate::values::lexical::FromValue;

/// Of the places of a portion that differs so many lines of memory are brought near.
const NEAR: usize = 5;

/// The values that items are read into.
pub(crate) trait Slots {
    /// Reads the `count` items at `at`, of which there are no more than lengths, into the places from the `n`th on, and
    /// has the length of each; the place after them in the message.
    fn replace<K: Kernel>(
        &mut self,
        kernel: K,
        at: usize,
        n: usize,
        count: usize,
        lens: &mut [u16; GATHERED],
    ) -> Option<usize>;

    /// Reads the items at `at` into the places from the `n`th on, as many as there are lengths and as take no more care, or up
    /// to one that equals the number it replaces; `old` is the message before from the first of these on.
    fn follow<K: Kernel>(&mut self, kernel: K, at: usize, n: usize, lens: &mut [u8], old: &[u8]) -> Several;

    /// Has the places from the `n`th on brought near.
    fn fetch<K: Kernel>(&self, kernel: K, n: usize);

    /// Reads the item at `at` into the `n`th place; the place after it in the message.
    fn replace_one<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize>;

    /// Whether items of one length are read several at once.
    fn reads_several<K: Kernel>(&self, kernel: K) -> bool;
}

/// Items of one number each.
pub(crate) struct NumberSlots<'a, T> {
    pub(crate) numbers: Numbers<'a, Simple>,
    pub(crate) items: &'a mut [T],
    pub(crate) pace: Pace,
}

impl<T: Number + FromValue> Slots for NumberSlots<'_, T> {
    #[inline(always)]
    fn replace<K: Kernel>(
        &mut self,
        kernel: K,
        at: usize,
        n: usize,
        count: usize,
        lens: &mut [u16; GATHERED],
    ) -> Option<usize> {
        let places = self.items.get_mut(n..n + count)?;
        let Self { numbers, pace, .. } = self;
        let found = kernel.apart(Batch::<T, u16, _, false> { numbers, old: &[], at, places, lens, pace });
        (found.count == count).then_some(at + found.bytes)
    }

    #[inline(always)]
    fn follow<K: Kernel>(&mut self, kernel: K, at: usize, n: usize, lens: &mut [u8], old: &[u8]) -> Several {
        let places = self.items.get_mut(n..).unwrap_or(&mut []);
        let Self { numbers, pace, .. } = self;
        kernel.apart(Batch::<T, u8, _, true> { numbers, old, at, places, lens, pace })
    }

    #[inline(always)]
    fn fetch<K: Kernel>(&self, kernel: K, n: usize) {
        (0..NEAR).for_each(|line| kernel.fetch(self.items, n + line * LINE / size_of::<T>()));
    }

    #[inline(always)]
    fn replace_one<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize> {
        let place = self.items.get_mut(n)?;
        let (value, end) = self.numbers.read_one(kernel, at, &mut self.pace)?;
        *place = value;
        Some(end)
    }

    #[inline(always)]
    fn reads_several<K: Kernel>(&self, _: K) -> bool {
        K::FOUR && T::FOUR
    }
}

/// Items of any other kind.
pub(crate) struct RowSlots<'a> {
    pub(crate) row: &'a Row,
    pub(crate) items: &'a mut Items,
    pub(crate) first: usize,
    pub(crate) bytes: &'a [u8],
    pub(crate) powers: &'static Powers,
}

impl Slots for RowSlots<'_> {
    #[inline(always)]
    fn replace<K: Kernel>(
        &mut self,
        kernel: K,
        mut at: usize,
        n: usize,
        count: usize,
        lens: &mut [u16; GATHERED],
    ) -> Option<usize> {
        for (n, len) in (n..n + count).zip(lens) {
            let end = self.replace_one(kernel, at, n)?;
            *len = u16::try_from(end - at).ok()?;
            at = end;
        }
        Some(at)
    }

    #[inline(always)]
    fn follow<K: Kernel>(&mut self, _: K, _: usize, _: usize, _: &mut [u8], _: &[u8]) -> Several {
        Several::default()
    }

    #[inline(always)]
    fn fetch<K: Kernel>(&self, _: K, _: usize) {}

    #[inline(always)]
    fn replace_one<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize> {
        self.row.replace(kernel, self.bytes, at, self.items, self.first + n, self.powers)
    }

    #[inline(always)]
    fn reads_several<K: Kernel>(&self, _: K) -> bool {
        false
    }
}

//! Runs that have as many items as before: those that differ are read in their places.

use crate::kernel::{self, Job, Kernel, Portable};
use crate::matching::Matching;
use crate::number::{Number, Powers};
use crate::rows::{FromValue, Numbers, Row};
use crate::trace::{Portion, Portions, Run};
use crate::value::{Array, Items, for_each_number};

/// After so many items that differ only every so-manieth is compared, until one is the same.
const PATIENCE: u32 = 8;

/// What was done to a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Done {
    /// Bytes that were read.
    pub(crate) read: usize,
    /// Portions in which something differed.
    pub(crate) dirty: u64,
    /// How often reading began after something that was the same.
    pub(crate) switches: u64,
}

/// Makes the items of a run those of the new message; `None` where one is not written as they were.
pub(crate) fn run(matching: &mut Matching<'_>, run: &mut Run, array: &mut Array) -> Option<Done> {
    let Run { row, portions, first, .. } = run;
    update(matching, row, portions, *first, &mut array.items)
}

macro_rules! define_update {
    ($($kind:ident $rust:ty),*) => {
        fn update(
            matching: &mut Matching<'_>,
            row: &Row,
            portions: &mut Portions,
            first: usize,
            items: &mut Items,
        ) -> Option<Done> {
            let powers = Powers::get();
            let bytes = matching.new;
            match (items, row.single(bytes, powers)) {
                $((Items::$kind(items), Some(numbers)) => {
                    let place = NumberPlaces { numbers, items: items.get_mut(first..)?, guess: 0 };
                    kernel::run(Update { matching, portions, places: place })
                })*
                (items, _) => Update { matching, portions, places: RowPlaces { row, items, first, bytes, powers } }
                    .run(Portable),
            }
        }
    };
}
for_each_number!(define_update);

/// The values that items are read into.
trait Places {
    /// Reads the item at `at` into the place of the `n`th; the place behind it in the message.
    fn replace<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize>;
}

/// Items of one number each.
struct NumberPlaces<'a, T> {
    numbers: Numbers<'a>,
    items: &'a mut [T],
    guess: usize,
}

impl<T: Number + FromValue> Places for NumberPlaces<'_, T> {
    #[inline(always)]
    fn replace<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize> {
        let (value, end) = self.numbers.read::<T, K>(kernel, at, &mut self.guess)?;
        *self.items.get_mut(n)? = value;
        Some(end)
    }
}

/// Items of any other kind.
struct RowPlaces<'a> {
    row: &'a Row,
    items: &'a mut Items,
    first: usize,
    bytes: &'a [u8],
    powers: &'static Powers,
}

impl Places for RowPlaces<'_> {
    #[inline(always)]
    fn replace<K: Kernel>(&mut self, _: K, at: usize, n: usize) -> Option<usize> {
        self.row.replace(self.bytes, at, self.items, self.first + n, self.powers)
    }
}

struct Update<'a, 'm, P> {
    matching: &'a mut Matching<'m>,
    portions: &'a mut Portions,
    places: P,
}

impl<P: Places> Job for Update<'_, '_, P> {
    type Output = Option<Done>;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) -> Option<Done> {
        let mut done = Done::default();
        // Items that differed, one after the other.
        let mut misses = 0;
        let mut first = 0;
        for portion in &mut self.portions.list {
            let count = portion.items as usize;
            if self.matching.is_same(portion.bytes as usize) {
                self.matching.skip(portion.bytes as usize);
                misses = 0;
            } else {
                let ends = self.portions.ends.get_mut(first..first + count)?;
                done.dirty += 1;
                done.switches += u64::from(misses == 0);
                done.read += dirty(self.matching, portion, ends, first, &mut self.places, &mut misses, kernel)?;
            }
            first += count;
        }
        Some(done)
    }
}

/// Compares the items of a portion one by one, and reads those that differ; gives the bytes read.
#[inline(always)]
fn dirty<P: Places, K: Kernel>(
    matching: &mut Matching<'_>,
    portion: &mut Portion,
    ends: &mut [u16],
    first: usize,
    places: &mut P,
    misses: &mut u32,
    kernel: K,
) -> Option<usize> {
    let (old_start, new_start) = (matching.old_at, matching.new_at);
    let (mut old_at, mut at) = (old_start, new_start);
    let mut read = 0;
    for (n, end) in ends.iter_mut().enumerate() {
        let old_end = old_start + usize::from(*end);
        let len = old_end - old_at;
        let is_compared = *misses < PATIENCE || (n as u32).is_multiple_of(PATIENCE);
        if is_compared && matching.is_item(old_at, at, len) {
            at += len;
            *misses = 0;
        } else {
            let behind = places.replace(kernel, at, first + n)?;
            read += behind - at;
            *misses += 1;
            at = behind;
        }
        *end = u16::try_from(at - new_start).ok()?;
        old_at = old_end;
    }
    portion.bytes = (at - new_start) as u32;
    matching.resume(old_at, at);
    Some(read)
}

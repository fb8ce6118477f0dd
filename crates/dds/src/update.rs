//! Runs that have as many items as before: those that differ are read in their places.

use crate::differ::{Arrived, Went};
use crate::hash::Hasher;
use crate::hashed::Rehash;
use crate::kernel::{self, Job, Kernel, Portable};
use crate::matching::Matching;
use crate::number::{Number, Powers};
use crate::rows::{FromValue, Numbers, Row};
use crate::trace::{Portion, Portions, Run};
use crate::value::{Array, Items, for_each_number};

/// After so many items that differ only every so-manieth is compared, until one is the same.
const PATIENCE: u32 = 8;

/// How far a run has been gone over.
#[derive(Debug)]
pub(crate) struct Place {
    /// Where it begins in the new message.
    pub(crate) start: usize,
    /// The portion that comes next, and its first item.
    pub(crate) portion: usize,
    pub(crate) item: usize,
    /// Items that differed, one after the other.
    pub(crate) misses: u32,
    pub(crate) done: Done,
}

impl Place {
    pub(crate) fn at(start: usize) -> Place {
        Place { start, portion: 0, item: 0, misses: 0, done: Done::default() }
    }
}

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

/// Makes the items of a run those of the new message, from `place` on and as far as they have arrived; `None`
/// where one is not written as they were.
pub(crate) fn run(
    matching: &mut Matching<'_>,
    run: &mut Run,
    array: &mut Array,
    place: &mut Place,
    new: Arrived<'_>,
    hasher: Option<&Hasher>,
) -> Option<Went> {
    let Run { row, portions, first, .. } = run;
    update(matching, row, portions, *first, &mut array.items, place, new, hasher)
}

macro_rules! define_update {
    ($($kind:ident $rust:ty),*) => {
        #[allow(clippy::too_many_arguments)]
        fn update(
            matching: &mut Matching<'_>,
            row: &Row,
            portions: &mut Portions,
            first: usize,
            items: &mut Items,
            place: &mut Place,
            new: Arrived<'_>,
            hasher: Option<&Hasher>,
        ) -> Option<Went> {
            let powers = Powers::get();
            let bytes = matching.new;
            match (items, row.single(bytes, powers)) {
                $((Items::$kind(items), Some(numbers)) => {
                    let places = NumberPlaces { numbers, items: items.get_mut(first..)?, guess: 0 };
                    match hasher {
                        Some(hasher) => {
                            let at = &mut matching.new_at;
                            kernel::run(Rehash { hasher, portions, places, place, new, at })
                        }
                        None => kernel::run(Update { matching, portions, places, place, new }),
                    }
                })*
                (items, _) => {
                    let places = RowPlaces { row, items, first, bytes, powers };
                    match hasher {
                        Some(hasher) => {
                            let at = &mut matching.new_at;
                            Rehash { hasher, portions, places, place, new, at }.run(Portable)
                        }
                        None => Update { matching, portions, places, place, new }.run(Portable),
                    }
                }
            }
        }
    };
}
for_each_number!(define_update);

/// The values that items are read into.
pub(crate) trait Places {
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
    place: &'a mut Place,
    new: Arrived<'a>,
}

impl<P: Places> Job for Update<'_, '_, P> {
    type Output = Option<Went>;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) -> Option<Went> {
        let Place { portion: next, item: first, misses, done, .. } = self.place;
        for portion in self.portions.list.get_mut(*next..)? {
            if !self.new.has(self.matching.new_at, portion.bytes as usize) {
                return Some(Went::Waits);
            }
            let count = portion.items as usize;
            if self.matching.is_same(portion.bytes as usize) {
                self.matching.skip(portion.bytes as usize);
                *misses = 0;
            } else {
                let ends = self.portions.ends.get_mut(*first..*first + count)?;
                done.dirty += 1;
                done.switches += u64::from(*misses == 0);
                done.read += dirty(self.matching, portion, ends, *first, &mut self.places, misses, kernel)?;
            }
            (*next, *first) = (*next + 1, *first + count);
        }
        Some(Went::Whole)
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

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
    /// Reads the `count` items at `at` into the places from the `n`th on, and tells where each ends; the place behind
    /// them in the message.
    fn replace<K: Kernel>(
        &mut self,
        kernel: K,
        at: usize,
        n: usize,
        count: usize,
        ends: impl FnMut(usize),
    ) -> Option<usize>;
}

/// Items of one number each.
struct NumberPlaces<'a, T> {
    numbers: Numbers<'a>,
    items: &'a mut [T],
    guess: usize,
}

impl<T: Number + FromValue> Places for NumberPlaces<'_, T> {
    #[inline(always)]
    fn replace<K: Kernel>(
        &mut self,
        kernel: K,
        at: usize,
        n: usize,
        count: usize,
        ends: impl FnMut(usize),
    ) -> Option<usize> {
        self.numbers.replace(kernel, at, self.items.get_mut(n..n + count)?, &mut self.guess, ends)
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
    fn replace<K: Kernel>(
        &mut self,
        _: K,
        mut at: usize,
        n: usize,
        count: usize,
        mut ends: impl FnMut(usize),
    ) -> Option<usize> {
        for n in n..n + count {
            at = self.row.replace(self.bytes, at, self.items, self.first + n, self.powers)?;
            ends(at);
        }
        Some(at)
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

/// Reads the items of a portion that differ; gives the bytes read.
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
    let old_end = old_start + portion.bytes as usize;
    let (mut n, mut read) = (0, 0);
    loop {
        n += pass(matching, old_start, new_start, old_end, ends.get_mut(n..)?, misses)?;
        // Items that differ, until one is the same.
        loop {
            let left = ends.get_mut(n..)?;
            if left.is_empty() {
                portion.bytes = (matching.new_at - new_start) as u32;
                return Some(read);
            }
            let count = if *misses < PATIENCE { 1 } else { left.len().min(PATIENCE as usize) };
            let at = matching.new_at;
            let (mut fits, mut old_at) = (true, 0);
            let mut places_of_ends = left.iter_mut();
            let behind = places.replace(kernel, at, first + n, count, |end| {
                if let Some(place) = places_of_ends.next() {
                    old_at = old_start + usize::from(*place);
                    fits &= end - new_start <= usize::from(u16::MAX);
                    *place = (end - new_start) as u16;
                }
            })?;
            if !fits {
                return None;
            }
            matching.resume(old_at, behind);
            read += behind - at;
            *misses += count as u32;
            n += count;
            if let Some(&end) = ends.get(n)
                && matching.is_item(old_at, behind, old_start + usize::from(end) - old_at)
            {
                break;
            }
        }
    }
}

/// Goes over items that are the same, and keeps where they end now; how many there are, `None` if they are too many for
/// a portion.
#[inline(always)]
fn pass(
    matching: &mut Matching<'_>,
    old_start: usize,
    new_start: usize,
    old_end: usize,
    ends: &mut [u16],
    misses: &mut u32,
) -> Option<usize> {
    let before = matching.old_at - old_start;
    let same = before + matching.same(old_end - matching.old_at);
    let count = ends.iter().take_while(|&&end| usize::from(end) <= same).count();
    let ends = ends.get_mut(..count)?;
    let Some(&last) = ends.last() else { return Some(0) };
    // How far they have moved within the portion, which the last one must not leave.
    let moved = (matching.new_at - new_start).wrapping_sub(before);
    u16::try_from(usize::from(last).wrapping_add(moved)).ok()?;
    let shift = moved as u16;
    if shift != 0 {
        ends.iter_mut().for_each(|end| *end = end.wrapping_add(shift));
    }
    matching.skip(usize::from(last) - before);
    *misses = 0;
    Some(count)
}

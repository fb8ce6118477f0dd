//! Runs that have as many items as before: those that differ are read in their places.

use crate::differ::{Arrived, Went};
use crate::hash::Hasher;
use crate::hashed::Rehash;
use crate::kernel::{self, Job, Kernel, Pace};
use crate::lens::Lens;
use crate::matching::Matching;
use crate::number::{Number, Powers};
use crate::numbers::{FromValue, GATHERED, Numbers};
use crate::rows::Row;
use crate::trace::{Portion, Portions, Run};
use crate::value::{Array, Items, for_each_number};

/// After so many items that differ only every so-manieth is compared, until one is the same.
const PATIENCE: u32 = 8;
/// After so many the first of each portion is.
const ENDURANCE: u32 = 64;
/// What it costs to begin reading behind what is the same, in bytes of regular mode: mostly branches that go wrong.
const SWITCH: usize = 48;
/// The same where regular mode reads several items at once.
const SWITCH_STEADY: usize = 160;
/// So many portions are read as a whole behind one that would better have been.
const BUSY: u32 = 8;

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
    /// Portions to be read as a whole.
    busy: u32,
    pub(crate) done: Done,
}

impl Place {
    pub(crate) fn at(start: usize) -> Place {
        Place { start, portion: 0, item: 0, misses: 0, busy: 0, done: Done::default() }
    }
}

/// What was done to a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Done {
    /// Bytes that were read.
    pub(crate) read: usize,
    /// What that cost, in bytes of regular mode.
    pub(crate) cost: usize,
    /// Portions in which something differed.
    pub(crate) dirty: u64,
    /// How often reading began after something that was the same.
    pub(crate) switches: u64,
}

/// Whether regular mode reads several items of a run at once, so that comparing is not much faster than reading.
pub(crate) fn is_fast(run: &Run, array: &Array) -> bool {
    let lens = &run.portions.lens;
    matches!(array.items, Items::Int(_)) && lens.are_alike(0..run.portions.items.min(GATHERED))
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
                    let places = NumberPlaces { numbers, items: items.get_mut(first..)?, pace: Pace::default() };
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
                            kernel::run(Rehash { hasher, portions, places, place, new, at })
                        }
                        None => kernel::run(Update { matching, portions, places, place, new }),
                    }
                }
            }
        }
    };
}
for_each_number!(define_update);

/// The values that items are read into.
pub(crate) trait Places {
    /// Reads the `count` items at `at`, of which there are no more than lengths, into the places from the `n`th on, and
    /// tells how long each is; the place behind them in the message.
    fn replace<K: Kernel>(
        &mut self,
        kernel: K,
        at: usize,
        n: usize,
        count: usize,
        lens: &mut [u16; GATHERED],
    ) -> Option<usize>;

    /// Reads the item at `at` into the `n`th place; the place behind it in the message.
    fn replace_one<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize>;

    /// Whether items of one length are read several at once.
    fn reads_several<K: Kernel>(&self, kernel: K) -> bool;

    /// Whether the items read last were of one length.
    fn is_steady(&self) -> bool;
}

/// Items of one number each.
struct NumberPlaces<'a, T> {
    numbers: Numbers<'a>,
    items: &'a mut [T],
    pace: Pace,
}

impl<T: Number + FromValue> Places for NumberPlaces<'_, T> {
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
        let each = |n: usize, count: u16, len: u16| {
            if let Some(lens) = lens.get_mut(n..n + usize::from(count)) {
                lens.fill(len);
            }
        };
        let (found, end) = self.numbers.read(kernel, at, places, &mut self.pace, each);
        (found == count).then_some(end)
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

    #[inline(always)]
    fn is_steady(&self) -> bool {
        self.pace.is_steady()
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
    fn replace_one<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize> {
        self.row.replace(kernel, self.bytes, at, self.items, self.first + n, self.powers)
    }

    #[inline(always)]
    fn reads_several<K: Kernel>(&self, _: K) -> bool {
        false
    }

    #[inline(always)]
    fn is_steady(&self) -> bool {
        false
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
        let Place { portion: next, item: first, misses, busy, done, .. } = self.place;
        let Portions { list, lens, .. } = self.portions;
        let (bytes, items) = sums(list.get(*next..)?);
        if self.new.has(self.matching.new_at, bytes) && self.matching.is_same(bytes) {
            self.matching.skip(bytes);
            (*next, *first, *misses) = (list.len(), *first + items, 0);
        }
        let mut is_fast = false;
        for portion in list.get_mut(*next..)? {
            let (bytes, items) = (usize::from(portion.bytes), usize::from(portion.items));
            if !self.new.has(self.matching.new_at, bytes) {
                return Some(Went::Waits);
            }
            if *busy > 0 {
                let (_, read) = dirty(self.matching, portion, lens, *first, &mut self.places, None, kernel)?;
                (*busy, *misses, *next, *first) = (*busy - 1, 0, *next + 1, *first + items);
                (done.dirty, done.read, done.cost) = (done.dirty + 1, done.read + read, done.cost + read);
                continue;
            }
            // Behind items that differ the first is looked at alone: mostly it differs as well.
            if *misses >= PATIENCE && is_item(self.matching, lens, *first) {
                *misses = 0;
            }
            if *misses < PATIENCE && self.matching.is_same(bytes) {
                self.matching.skip(bytes);
                *misses = 0;
            } else {
                done.dirty += 1;
                done.switches += u64::from(*misses == 0);
                let (turns, read) =
                    dirty(self.matching, portion, lens, *first, &mut self.places, Some(misses), kernel)?;
                is_fast = self.places.reads_several(kernel) && lens.are_alike(*first..*first + items);
                let switch = if is_fast { SWITCH_STEADY } else { SWITCH };
                let cost = read + read / 8 + turns * switch;
                *busy = if turns > 1 && cost >= bytes { BUSY } else { 0 };
                (done.read, done.cost) = (done.read + read, done.cost + cost);
            }
            (*next, *first) = (*next + 1, *first + items);
        }
        if is_fast {
            // Comparing is not much faster than reading.
            done.cost += bytes / 4;
        }
        Some(Went::Whole)
    }
}

/// Bytes and items of portions.
fn sums(list: &[Portion]) -> (usize, usize) {
    list.iter().fold((0, 0), |(bytes, items), portion| {
        (bytes + usize::from(portion.bytes), items + usize::from(portion.items))
    })
}

/// Whether the next item is the same.
#[inline(always)]
fn is_item(matching: &Matching<'_>, lens: &Lens, n: usize) -> bool {
    lens.get(n).is_some_and(|len| matching.is_item(matching.old_at, matching.new_at, len))
}

/// Reads the items of a portion that differ, or all where it is not counted how many did one after the other; gives how
/// often reading began, and the bytes read.
#[inline(always)]
fn dirty<P: Places, K: Kernel>(
    matching: &mut Matching<'_>,
    portion: &mut Portion,
    lens: &mut Lens,
    first: usize,
    places: &mut P,
    mut misses: Option<&mut u32>,
    kernel: K,
) -> Option<(usize, usize)> {
    let (start, old_end) = (matching.new_at, matching.old_at + usize::from(portion.bytes));
    let (mut n, last) = (first, first + usize::from(portion.items));
    let (mut turns, mut read) = (0, 0);
    let mut new_lens = [0; GATHERED];
    if let Some(byte) = matching.old.get(old_end) {
        // Of what follows the first item is looked at, mostly alone.
        kernel.fetch(byte);
    }
    loop {
        if let Some(misses) = misses.as_deref_mut()
            && *misses < PATIENCE
        {
            let (count, len) = lens.within(n..last, matching.same().min(old_end - matching.old_at))?;
            matching.skip(len);
            n += count;
            *misses = if count > 0 { 0 } else { *misses };
        }
        turns += usize::from(n < last);
        // Items that differ, until one is the same.
        while n < last {
            let at = matching.new_at;
            let (count, behind, len) = if misses.as_deref().is_some_and(|&misses| misses < PATIENCE) {
                let behind = places.replace_one(kernel, at, n)?;
                (1, behind, lens.replace_one(n, behind - at)?)
            } else {
                let most = match misses.as_deref() {
                    Some(&misses) if misses < ENDURANCE && !places.is_steady() => PATIENCE as usize,
                    _ => GATHERED,
                };
                let count = most.min(last - n);
                let behind = places.replace(kernel, at, n, count, &mut new_lens)?;
                (count, behind, lens.replace(n, new_lens.get(..count)?)?)
            };
            matching.resume(matching.old_at + len, behind);
            read += behind - at;
            n += count;
            if let Some(misses) = misses.as_deref_mut() {
                *misses += count as u32;
                if n < last && is_item(matching, lens, n) {
                    *misses = 0;
                    break;
                }
            }
        }
        if n == last {
            portion.bytes = u16::try_from(matching.new_at - start).ok()?;
            return Some((turns, read));
        }
    }
}

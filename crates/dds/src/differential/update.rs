//! Runs that have as many items as before: those that differ are read in their places.

use crate::differential::matching::Matching;
use crate::differential::rehash::Rehash;
use crate::differential::{Arrived, Went};
use crate::hash::Hasher;
use crate::kernels::number::{Number, Powers};
use crate::kernels::numbers::{Batch, FromValue, GATHERED, Numbers, Several};
use crate::kernels::{self, Job, Kernel, LINE, Pace};
use crate::rows::Row;
use crate::rows::lens::Lens;
use crate::trace::undo::Changes;
use crate::trace::{Portion, Portions, Run};
use crate::values::{Array, Items, for_each_number};

/// What it costs to begin reading behind what is the same, in bytes of regular mode: mostly branches that go wrong.
const SWITCH: usize = 128;
/// The same where regular mode reads several items at once.
const SWITCH_STEADY: usize = 160;
/// Of the places of a portion that differs so many lines of memory are brought near.
const NEAR: usize = 5;
/// So many portions are read as a whole behind one that would better have been.
const BUSY: u32 = 8;

/// How far a run has been gone over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// Where it begins in the new message.
    pub(crate) start: usize,
    /// The portion that comes next, and its first item.
    pub(crate) portion: usize,
    pub(crate) item: usize,
    /// Items that differed, one after the other, and how many did the time before.
    pub(crate) misses: u32,
    usual: u32,
    /// Whether the next item is known to differ, or to be read without a look.
    goes_on: bool,
    /// Portions to be read as a whole.
    busy: u32,
    pub(crate) done: Done,
}

impl Place {
    pub(crate) fn at(start: usize) -> Place {
        Place { start, ..Place::default() }
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
    changes: &mut Changes,
) -> Option<Went> {
    let Run { row, portions, first, .. } = run;
    update(matching, row, portions, *first, &mut array.items, place, new, hasher, changes)
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
            changes: &mut Changes,
        ) -> Option<Went> {
            let powers = Powers::get();
            let bytes = matching.new;
            match (items, row.single(bytes, powers)) {
                $((Items::$kind(items), Some(numbers)) => {
                    let places = NumberPlaces { numbers, items: items.get_mut(first..)?, pace: Pace::default() };
                    match hasher {
                        Some(hasher) => {
                            let at = &mut matching.new_at;
                            kernels::run(Rehash { hasher, portions, places, place, new, at })
                        }
                        None => kernels::run(Update { matching, portions, places, place, new, changes }),
                    }
                })*
                (items, _) => {
                    let places = RowPlaces { row, items, first, bytes, powers };
                    match hasher {
                        Some(hasher) => {
                            let at = &mut matching.new_at;
                            kernels::run(Rehash { hasher, portions, places, place, new, at })
                        }
                        None => kernels::run(Update { matching, portions, places, place, new, changes }),
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

    /// Reads the items at `at` into the places from the `n`th on, as many as there are lengths and as take no more care, or up
    /// to one that is the number that stood in its place; `old` is the message before from the first of these on.
    fn follow<K: Kernel>(&mut self, kernel: K, at: usize, n: usize, lens: &mut [u8], old: &[u8]) -> Several;

    /// Has the places from the `n`th on brought near.
    fn fetch<K: Kernel>(&self, kernel: K, n: usize);

    /// Reads the item at `at` into the `n`th place; the place behind it in the message.
    fn replace_one<K: Kernel>(&mut self, kernel: K, at: usize, n: usize) -> Option<usize>;

    /// Whether items of one length are read several at once.
    fn reads_several<K: Kernel>(&self, kernel: K) -> bool;
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
        let Self { numbers, pace, .. } = self;
        let found = kernel.apart(Batch::<T, u16, false> { numbers, old: &[], at, places, lens, pace });
        (found.count == count).then_some(at + found.bytes)
    }

    #[inline(always)]
    fn follow<K: Kernel>(&mut self, kernel: K, at: usize, n: usize, lens: &mut [u8], old: &[u8]) -> Several {
        let places = self.items.get_mut(n..).unwrap_or(&mut []);
        let Self { numbers, pace, .. } = self;
        kernel.apart(Batch::<T, u8, true> { numbers, old, at, places, lens, pace })
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

struct Update<'a, 'm, P> {
    matching: &'a mut Matching<'m>,
    portions: &'a mut Portions,
    places: P,
    place: &'a mut Place,
    new: Arrived<'a>,
    changes: &'a mut Changes,
}

impl<P: Places> Job for Update<'_, '_, P> {
    type Output = Option<Went>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<Went> {
        let Update { matching, portions, mut places, place, new, changes } = self;
        // Copies, which registers hold.
        let (mut here, mut now) = (*matching, *place);
        let went = go_over(&mut here, portions, &mut places, &mut now, new, changes, kernel);
        (*matching, *place) = (here, now);
        went
    }
}

/// Goes over portions from `place` on, as far as they have arrived.
#[inline(always)]
fn go_over<P: Places, K: Kernel>(
    matching: &mut Matching<'_>,
    portions: &mut Portions,
    places: &mut P,
    place: &mut Place,
    new: Arrived<'_>,
    changes: &mut Changes,
    kernel: K,
) -> Option<Went> {
    let Portions { list, lens, .. } = portions;
    let start = matching.new_at;
    let mut is_fast = false;
    loop {
        if place.busy == 0 && !place.goes_on {
            let same = matching.same_by(kernel);
            let mut bytes = 0;
            while let Some(portion) = list.get(place.portion)
                && bytes + usize::from(portion.bytes) <= same
                && new.has(matching.new_at + bytes, portion.bytes.into())
            {
                bytes += usize::from(portion.bytes);
                (place.portion, place.item) = (place.portion + 1, place.item + usize::from(portion.items));
            }
            matching.skip(bytes);
        }
        let Some(portion) = list.get(place.portion) else { break };
        let (bytes, items) = (usize::from(portion.bytes), usize::from(portion.items));
        if !new.has(matching.new_at, bytes) {
            return Some(Went::Waits);
        }
        places.fetch(kernel, place.item);
        let Matching { old_at, new_at, .. } = *matching;
        let (first, before) = (place.item, place.portion);
        let is_busy = place.busy > 0;
        place.done.switches += u64::from(!place.goes_on && !is_busy);
        let reach = if new.is_whole { usize::MAX } else { first + items };
        let read = dirty(matching, list, lens, places, place, reach, kernel);
        changes.items(before, first, old_at, matching.old_at, read.is_none());
        let Some((turns, read)) = read else {
            // In vain.
            place.done.cost += matching.new_at - new_at;
            return None;
        };
        let bytes = matching.old_at - old_at;
        place.done.dirty += (place.portion - before) as u64;
        let mut cost = read;
        if is_busy {
            (place.busy, place.goes_on) = (place.busy - 1, false);
        } else {
            is_fast = places.reads_several(kernel) && lens.are_alike(first..first + items);
            let switch = if is_fast { SWITCH_STEADY } else { SWITCH };
            cost += read / 8 + turns * switch;
            place.busy = if turns > 1 && cost >= bytes { BUSY } else { 0 };
        }
        (place.done.read, place.done.cost) = (place.done.read + read, place.done.cost + cost);
    }
    if is_fast {
        // Comparing is not much faster than reading.
        place.done.cost += (matching.new_at - start) / 4;
    }
    Some(Went::Whole)
}

/// Reads the items of the next portion that differ, or all where many did, and those behind it, none from `reach` on, as far
/// as they are read without a look; gives how often reading began, and the bytes read.
#[inline(always)]
fn dirty<P: Places, K: Kernel>(
    matching: &mut Matching<'_>,
    list: &mut [Portion],
    lens: &mut Lens,
    places: &mut P,
    place: &mut Place,
    reach: usize,
    kernel: K,
) -> Option<(usize, usize)> {
    let Place { portion: next, item: first, misses, usual, goes_on, busy, .. } = place;
    let is_busy = *busy > 0;
    let mut portion = list.get_mut(*next)?;
    let (mut start, mut old_end) = (matching.new_at, matching.old_at + usize::from(portion.bytes));
    let (mut n, mut last) = (*first, *first + usize::from(portion.items));
    let (mut turns, mut read) = (usize::from(*goes_on || is_busy), 0);
    while n < last {
        if !*goes_on && !is_busy {
            let (same, left) = (matching.same_by(kernel), old_end - matching.old_at);
            let (count, len) = if same >= left { (last - n, left) } else { lens.within(n..last, same)? };
            matching.skip(len);
            n += count;
            if count > 0 && *misses > 0 {
                (*usual, *misses) = (*misses, 0);
            }
            if n == last {
                break;
            }
            turns += usize::from(*misses != 1);
        }
        let new_at = matching.new_at;
        let mut found = Several::default();
        // One alone, if it was one alone the last time: what stood in its place is not looked at.
        let is_alone = *misses == 0 && *usual < 2;
        if !is_busy
            && !is_alone
            && let Lens::Narrow(lens) = lens
        {
            let reach = reach.min(lens.len());
            let old = matching.old.get(matching.old_at..)?;
            found = places.follow(kernel, new_at, n, lens.get_mut(n..reach)?, old);
        }
        if found.count == 0 && is_busy {
            let count = GATHERED.min(last - n);
            let mut new_lens = [0; GATHERED];
            let bytes = places.replace(kernel, new_at, n, count, &mut new_lens)? - new_at;
            let stood = lens.replace(n, new_lens.get(..count)?)?;
            found = Several { count, bytes, stood, has_met: false };
        } else if found.count == 0 {
            let bytes = places.replace_one(kernel, new_at, n)? - new_at;
            found = Several { count: 1, bytes, stood: lens.replace_one(n, bytes)?, has_met: false };
        }
        matching.resume(matching.old_at + found.stood, new_at + found.bytes);
        lens.fetch(kernel, n + found.count);
        let end = n + found.count;
        if end > last {
            // Portions end where they did, by items.
            let mut at = new_at + lens.sum(n..last)?;
            loop {
                portion.bytes = u16::try_from(at - start).ok()?;
                *next += 1;
                (portion, *first, start) = (list.get_mut(*next)?, last, at);
                last += usize::from(portion.items);
                if end <= last {
                    break;
                }
                at += lens.sum(*first..last)?;
            }
            old_end = matching.old_at + lens.sum(end..last)?;
        }
        *goes_on = !is_alone && !found.has_met && end == last;
        (n, read) = (end, read + found.bytes);
        *misses += found.count as u32 - u32::from(found.has_met);
    }
    portion.bytes = u16::try_from(matching.new_at - start).ok()?;
    (*next, *first) = (*next + 1, last);
    Some((turns, read))
}

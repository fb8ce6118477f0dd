//! Runs that have as many items as before: those that differ are read in their places.

use xml::kernels::number::Powers;
use xml::kernels::numbers::{GATHERED, Several};
use xml::kernels::{self, Job, Kernel, Pace};

use crate::differential::cursor::{Arrived, Cursor, Outcome};
use crate::differential::rehash::Rehash;
use crate::differential::slots::{NumberSlots, RowSlots, Slots};
use crate::hash::Hasher;
use crate::matching::Alignment;
use crate::rows::Row;
use crate::rows::lens::Lens;
use crate::rows::portions::{Portion, Portions};
use crate::trace::Run;
use crate::trace::undo::Changes;
use crate::values::{Array, Items, for_each_number};

/// What it costs to begin reading after what is the same, in bytes of regular mode: mostly branches that go wrong.
const SWITCH: usize = 128;
/// The same where regular mode reads several items at once.
const SWITCH_STEADY: usize = 160;
/// After a portion that would better have been read whole, so many are.
const BUSY: u32 = 8;

/// Makes the items of a run those of the new message, from `cursor` on and as far as they have arrived; `None`
/// where one is not written as they were.
pub(crate) fn run(
    matching: &mut Alignment<'_>,
    run: &mut Run,
    array: &mut Array,
    cursor: &mut Cursor,
    new: Arrived<'_>,
    hasher: Option<&Hasher>,
    changes: &mut Changes,
) -> Option<Outcome> {
    let Run { row, portions, first, .. } = run;
    update(matching, row, portions, *first, &mut array.items, cursor, new, hasher, changes)
}

macro_rules! define_update {
    ($($kind:ident $rust:ty),*) => {
        #[allow(clippy::too_many_arguments)]
        fn update(
            matching: &mut Alignment<'_>,
            row: &Row,
            portions: &mut Portions,
            first: usize,
            items: &mut Items,
            cursor: &mut Cursor,
            new: Arrived<'_>,
            hasher: Option<&Hasher>,
            changes: &mut Changes,
        ) -> Option<Outcome> {
            let powers = Powers::get();
            let bytes = matching.new;
            match (items, row.single(bytes, powers)) {
                $((Items::$kind(items), Some(numbers)) => {
                    let slots = NumberSlots { numbers, items: items.get_mut(first..)?, pace: Pace::default() };
                    match hasher {
                        Some(hasher) => {
                            let at = &mut matching.new_at;
                            kernels::run(Rehash { hasher, portions, slots, cursor, new, at })
                        }
                        None => kernels::run(Update { matching, portions, slots, cursor, new, changes }),
                    }
                })*
                (items, _) => {
                    let slots = RowSlots { row, items, first, bytes, powers };
                    match hasher {
                        Some(hasher) => {
                            let at = &mut matching.new_at;
                            kernels::run(Rehash { hasher, portions, slots, cursor, new, at })
                        }
                        None => kernels::run(Update { matching, portions, slots, cursor, new, changes }),
                    }
                }
            }
        }
    };
}
for_each_number!(define_update);

struct Update<'a, 'm, P> {
    matching: &'a mut Alignment<'m>,
    portions: &'a mut Portions,
    slots: P,
    cursor: &'a mut Cursor,
    new: Arrived<'a>,
    changes: &'a mut Changes,
}

impl<P: Slots> Job for Update<'_, '_, P> {
    type Output = Option<Outcome>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<Outcome> {
        let Update { matching, portions, mut slots, cursor, new, changes } = self;
        // Copies, which registers hold.
        let (mut here, mut now) = (*matching, *cursor);
        let went = go_over(&mut here, portions, &mut slots, &mut now, new, changes, kernel);
        (*matching, *cursor) = (here, now);
        went
    }
}

/// Goes over portions from `cursor` on, as far as they have arrived.
#[inline(always)]
fn go_over<P: Slots, K: Kernel>(
    matching: &mut Alignment<'_>,
    portions: &mut Portions,
    slots: &mut P,
    cursor: &mut Cursor,
    new: Arrived<'_>,
    changes: &mut Changes,
    kernel: K,
) -> Option<Outcome> {
    let Portions { list, lens, .. } = portions;
    let start = matching.new_at;
    let mut is_fast = false;
    loop {
        if cursor.busy == 0 && !cursor.goes_on {
            let same = matching.same_by(kernel);
            let mut bytes = 0;
            while let Some(portion) = list.get(cursor.portion)
                && bytes + usize::from(portion.bytes) <= same
                && new.has(matching.new_at + bytes, portion.bytes.into())
            {
                bytes += usize::from(portion.bytes);
                (cursor.portion, cursor.item) = (cursor.portion + 1, cursor.item + usize::from(portion.items));
            }
            matching.skip(bytes);
        }
        let Some(portion) = list.get(cursor.portion) else { break };
        let (bytes, items) = (usize::from(portion.bytes), usize::from(portion.items));
        if !new.has(matching.new_at, bytes) {
            return Some(Outcome::Waits);
        }
        slots.fetch(kernel, cursor.item);
        let Alignment { old_at, new_at, .. } = *matching;
        let (first, before) = (cursor.item, cursor.portion);
        let is_busy = cursor.busy > 0;
        cursor.done.switches += u64::from(!cursor.goes_on && !is_busy);
        let reach = if new.is_whole { usize::MAX } else { first + items };
        let read = dirty(matching, list, lens, slots, cursor, reach, kernel);
        changes.items(before, first, old_at, matching.old_at, read.is_none());
        let Some((turns, read)) = read else {
            // In vain.
            cursor.done.cost += matching.new_at - new_at;
            return None;
        };
        let bytes = matching.old_at - old_at;
        cursor.done.dirty += (cursor.portion - before) as u64;
        let mut cost = read;
        if is_busy {
            (cursor.busy, cursor.goes_on) = (cursor.busy - 1, false);
        } else {
            is_fast = slots.reads_several(kernel) && lens.are_alike(first..first + items);
            let switch = if is_fast { SWITCH_STEADY } else { SWITCH };
            cost += read / 8 + turns * switch;
            cursor.busy = if turns > 1 && cost >= bytes { BUSY } else { 0 };
        }
        (cursor.done.read, cursor.done.cost) = (cursor.done.read + read, cursor.done.cost + cost);
    }
    if is_fast {
        // Comparing is not much faster than reading.
        cursor.done.cost += (matching.new_at - start) / 4;
    }
    Some(Outcome::Whole)
}

/// Reads the items of the next portion that differ, or all where many did, and those after it, none from `reach` on, as far
/// as they are read without a look; gives how often reading began, and the bytes read.
#[inline(always)]
fn dirty<P: Slots, K: Kernel>(
    matching: &mut Alignment<'_>,
    list: &mut [Portion],
    lens: &mut Lens,
    slots: &mut P,
    cursor: &mut Cursor,
    reach: usize,
    kernel: K,
) -> Option<(usize, usize)> {
    let Cursor { portion: next, item: first, misses, usual, goes_on, busy, .. } = cursor;
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
        // One alone, if it was one alone the last time: what it replaces is not looked at.
        let is_alone = *misses == 0 && *usual < 2;
        if !is_busy
            && !is_alone
            && let Lens::Narrow(lens) = lens
        {
            let reach = reach.min(lens.len());
            let old = matching.old.get(matching.old_at..)?;
            found = slots.follow(kernel, new_at, n, lens.get_mut(n..reach)?, old);
        }
        if found.count == 0 && is_busy {
            let count = GATHERED.min(last - n);
            let mut new_lens = [0; GATHERED];
            let bytes = slots.replace(kernel, new_at, n, count, &mut new_lens)? - new_at;
            let replaced = lens.replace(n, new_lens.get(..count)?)?;
            found = Several { count, bytes, replaced, has_met: false };
        } else if found.count == 0 {
            let bytes = slots.replace_one(kernel, new_at, n)? - new_at;
            found = Several { count: 1, bytes, replaced: lens.replace_one(n, bytes)?, has_met: false };
        }
        matching.resume(matching.old_at + found.replaced, new_at + found.bytes);
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

//! Items of a run that come again: where items were inserted, left out or changed, what follows is found again.

use core::ops::Range;

use xml::kernels::numbers::GATHERED;

use crate::matching::{Alignment, PATIENCE, WINDOW};
use crate::pool::Pool;
use crate::rows::lens::Lens;
use crate::rows::marks::Marks;
use crate::rows::portions::Portions;
use crate::stats::Stats;
use crate::trace::Run;
use crate::values::{Array, Items};

/// An item of the message before.
#[derive(Clone, Copy, Debug)]
struct Item {
    n: usize,
    /// Where it begins and, unless it is after the last, ends.
    start: usize,
    end: usize,
}

impl Item {
    fn at(n: usize, start: usize, lens: &Lens) -> Item {
        Item { n, start, end: start + lens.get(n).unwrap_or(0) }
    }

    fn next(self, lens: &Lens) -> Option<Item> {
        lens.get(self.n)?;
        Some(Item::at(self.n + 1, self.end, lens))
    }

    fn previous(self, lens: &Lens) -> Option<Item> {
        let n = self.n.checked_sub(1)?;
        Some(Item { n, start: self.start - lens.get(n)?, end: self.start })
    }
}

/// What it costs to look at an item by itself, to read it so, and to look for it around, in bytes of regular mode.
const LOOK: usize = 32;
const READ: usize = 64;
const SEARCH: usize = 256;
/// What a look costs where regular mode reads several items at once.
const LOOK_STEADY: usize = 128;

/// How far a run of the message before has been gone over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunCursor {
    /// The next item that may come.
    expected: Item,
    /// The first item that has not been taken.
    free: usize,
    /// Items that were read one after the other.
    misses: usize,
    /// The portion that the expected item is in, or the next, and the first item of that.
    portion: usize,
    first: usize,
}

impl RunCursor {
    /// Before the first item of a run of the message before.
    pub(crate) fn new(run: &Run) -> RunCursor {
        let expected = Item::at(0, run.start, &run.portions.lens);
        RunCursor { expected, free: 0, misses: 0, portion: 0, first: 0 }
    }

    /// An item was read that is not known to be one of the run.
    pub(crate) fn pass(&mut self, run: &Run) {
        self.expected = self.expected.next(&run.portions.lens).unwrap_or(self.expected);
        self.misses += 1;
    }
}

/// Why a run is not followed any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// As many items were read as were asked for.
    Full,
    /// What comes next is not written like the items of the run.
    Other,
    /// No item of the run is left.
    Exhausted,
    /// Looking for items costs more than it gains.
    Dear,
}

/// What became of a run that was followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Followed {
    pub(crate) end: End,
    /// Items, and the place after the last.
    pub(crate) items: usize,
    pub(crate) at: usize,
    /// Bytes that were taken, and bytes that were read.
    pub(crate) taken: usize,
    pub(crate) read: usize,
    /// What all of it cost, in bytes of regular mode.
    pub(crate) cost: usize,
    /// How often reading began after items that were taken.
    pub(crate) switches: u64,
}

/// Whether regular mode reads several items of a run at once, so that comparing is not much faster than reading.
pub(crate) fn is_fast(run: &Run, items: &Items) -> bool {
    let lens = &run.portions.lens;
    matches!(items, Items::Int(_)) && lens.are_alike(0..run.portions.items.min(GATHERED))
}

/// Reads items of an array. Those that a run of the message before has as well are taken from it by `take`, which gets the
/// number of items read before them, and their numbers in the run. At most `most` items are read. Reading goes on after the
/// last item of the run if `goes_on`.
#[allow(clippy::too_many_arguments)]
pub(crate) fn follow(
    matching: &mut Alignment<'_>,
    run: &Run,
    cursor: &mut RunCursor,
    items: &mut Items,
    marks: &mut Marks<'_>,
    most: usize,
    goes_on: bool,
    mut take: impl FnMut(&mut Items, usize, Range<usize>),
) -> Option<Followed> {
    let Portions { list, lens, items: before, .. } = &run.portions;
    let start = matching.new_at;
    let is_fast = is_fast(run, items);
    let look = if is_fast { LOOK_STEADY } else { LOOK };
    // Comparing is not much faster than reading, where that is fast.
    let cost = if is_fast { run.portions.len() / 4 } else { 0 };
    let stake = cost + 4096 + run.portions.len() / 16;
    let mut done = Followed { end: End::Full, items: 0, at: start, taken: 0, read: 0, cost, switches: 0 };
    while done.items < most {
        if done.cost > done.at - start + stake {
            done.end = End::Dear;
            break;
        }
        while let Some(passed) = list.get(cursor.portion)
            && cursor.first < cursor.expected.n
        {
            cursor.first += usize::from(passed.items);
            cursor.portion += 1;
        }
        let portion = list.get(cursor.portion);
        if let Some(portion) = portion
            && cursor.first == cursor.expected.n
        {
            let (bytes, all) = (usize::from(portion.bytes), usize::from(portion.items));
            if (matching.old_at, matching.new_at) != (cursor.expected.start, done.at) {
                matching.resume(cursor.expected.start, done.at);
            }
            if all <= most - done.items && matching.is_same(bytes) {
                matching.skip(bytes);
                let taken = cursor.first..cursor.first + all;
                take(items, done.items, taken.clone());
                marks.portion(*portion, lens, taken.clone());
                cursor.expected = Item::at(taken.end, cursor.expected.start + bytes, lens);
                (cursor.free, cursor.misses) = (taken.end, 0);
                (done.items, done.at, done.taken) = (done.items + all, done.at + bytes, done.taken + bytes);
                continue;
            }
        }
        let is = |item: &Item| item.n < *before && matching.is_item(item.start, done.at, item.end - item.start);
        done.cost += look;
        let found = if is(&cursor.expected) {
            Some(cursor.expected)
        } else if cursor.misses < 2 || cursor.misses.is_multiple_of(PATIENCE) {
            done.cost += SEARCH / LOOK * look;
            around(cursor.expected, cursor.free, lens).find(is)
        } else {
            None
        };
        if let Some(item) = found {
            // It, and those after it in its portion that are the same.
            if (matching.old_at, matching.new_at) != (item.start, done.at) {
                matching.resume(item.start, done.at);
            }
            let end = match portion {
                Some(portion) if item.n >= cursor.first => cursor.first + usize::from(portion.items),
                _ => cursor.first,
            };
            let end = end.min(item.n.saturating_add(most - done.items)).max(item.n + 1);
            let (count, bytes) = lens.within(item.n..end, matching.same())?;
            let taken = item.n..item.n + count;
            marks.copy(lens, taken.clone())?;
            take(items, done.items, taken.clone());
            matching.skip(bytes);
            cursor.expected = Item::at(taken.end, item.start + bytes, lens);
            (cursor.free, cursor.misses) = (taken.end, 0);
            (done.items, done.at, done.taken) = (done.items + count, done.at + bytes, done.taken + bytes);
            continue;
        }
        if cursor.expected.n >= *before && !goes_on {
            done.end = End::Exhausted;
            break;
        }
        let pushed = run.row.push(matching.new, done.at, items).and_then(|end| {
            let room = marks.room(done.at, end);
            if room.is_none() {
                items.pop();
            }
            Some((end, room?))
        });
        let Some((end, len)) = pushed else {
            done.end = End::Other;
            break;
        };
        done.switches += u64::from(cursor.misses == 0);
        let bytes = end - done.at;
        (done.read, done.cost) = (done.read + bytes, done.cost + bytes + READ / LOOK * look);
        marks.item(len);
        cursor.pass(run);
        (done.items, done.at) = (done.items + 1, end);
    }
    Some(done)
}

/// Makes the items of `run` those of the new message, of which there are `count` if that is known; gives
/// the bytes that had to be read, and what all of it cost in bytes of regular mode. It is given up where nothing is to
/// be won.
pub(crate) fn resize(
    matching: &mut Alignment<'_>,
    run: &mut Run,
    array: &mut Array,
    count: Option<usize>,
    least: u32,
    pool: &mut Pool,
    stats: &mut Stats,
) -> Option<(usize, usize)> {
    let start = matching.new_at;
    let before = run.portions.items;
    let mut portions = pool.portions();
    let mut items = pool.items_like(&array.items);
    let most = count.unwrap_or(usize::MAX);
    items.reserve(most.min(before + (matching.new.len() / run.row.shortest().max(1)).min(before)));
    let mut marks = Marks::new(&mut portions, least, true);
    // The run's places are those of the message before, to which the part before it has been gone over.
    let mut cursor = RunCursor::new(run);
    let old = &mut array.items;
    let take = |items: &mut Items, _, taken: Range<usize>| items.take_from(old, taken);
    let done = follow(matching, run, &mut cursor, &mut items, &mut marks, most, true, take)?;
    stats.switches += done.switches;
    let len = marks.items;
    marks.finish();
    // An array without items has no run, and no row to read more by.
    if done.end == End::Dear || done.end == End::Other && count.is_some() || len == 0 {
        return None;
    }
    let old_end = run.start + run.portions.len();
    if (matching.old_at, matching.new_at) != (old_end, done.at) {
        matching.resume(old_end, done.at);
    }
    array.len = len;
    if let Items::Columns(columns) = &mut items {
        columns.iter_mut().for_each(|column| column.len = len);
    }
    pool.keep_items(core::mem::replace(&mut array.items, items));
    stats.portions += portions.list.len() as u64;
    pool.keep_portions(core::mem::replace(&mut run.portions, portions));
    run.start = start;
    Some((done.read, done.cost))
}

/// Items around one, the nearest first, none below `free`.
fn around(expected: Item, free: usize, lens: &Lens) -> impl Iterator<Item = Item> {
    let (mut below, mut above) = (Some(expected), Some(expected));
    (0..WINDOW)
        .flat_map(move |_| {
            below = below.and_then(|item| item.previous(lens)).filter(|item| item.n >= free);
            above = above.and_then(|item| item.next(lens));
            [below, above]
        })
        .flatten()
}

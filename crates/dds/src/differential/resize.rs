//! Runs that have got more or fewer items: what follows a difference is found again.

use crate::differential::matching::Matching;
use crate::differential::update;
use crate::pool::Pool;
use crate::rows::lens::Lens;
use crate::rows::marks::Marks;
use crate::stats::Stats;
use crate::trace::Run;
use crate::values::{Array, Items};

/// Items before and behind the one expected that are looked at.
const WINDOW: usize = 16;
/// After so many items that differ, only every so-manieth is looked for.
const PATIENCE: usize = 16;

/// An item of the message before.
#[derive(Clone, Copy)]
struct Item {
    n: usize,
    /// Where it begins and, unless it is behind the last, ends.
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

/// Makes the items of `run` those of the new message, of which there are `count` if that is known; gives
/// the bytes that had to be read, and what all of it cost in bytes of regular mode. It is given up where nothing is to
/// be won.
pub(crate) fn run(
    matching: &mut Matching<'_>,
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
    let lens = &run.portions.lens;
    let mut marks = Marks::new(&mut portions, least, true);
    // The next item of the message before that may come, and the first that has not been taken.
    let (mut expected, mut free) = (Item::at(0, matching.old_at, lens), 0);
    // The portion that item is in, or the next, and the first item of that.
    let mut list = run.portions.list.iter();
    let (mut portion, mut first) = (list.next(), 0);
    let (mut misses, mut read) = (0, 0);
    let is_fast = update::is_fast(run, array);
    let look = if is_fast { LOOK_STEADY } else { LOOK };
    // Comparing is not much faster than reading, where that is fast.
    let mut cost = if is_fast { run.portions.len() / 4 } else { 0 };
    let stake = cost + 4096 + run.portions.len() / 16;
    let mut at = start;
    while marks.items < most && cost <= at - start + stake {
        while let Some(passed) = portion
            && first < expected.n
        {
            first += usize::from(passed.items);
            portion = list.next();
        }
        if let Some(portion) = portion
            && first == expected.n
        {
            let (bytes, all) = (usize::from(portion.bytes), usize::from(portion.items));
            if (matching.old_at, matching.new_at) != (expected.start, at) {
                matching.resume(expected.start, at);
            }
            if all <= most - marks.items && matching.is_same(bytes) {
                matching.skip(bytes);
                let taken = first..first + all;
                items.take_from(&mut array.items, taken.clone());
                marks.portion(*portion, lens, taken);
                expected = Item::at(first + all, expected.start + bytes, lens);
                (free, misses, at) = (first + all, 0, at + bytes);
                continue;
            }
        }
        let is = |item: &Item| item.n < before && matching.is_item(item.start, at, item.end - item.start);
        cost += look;
        let found = if is(&expected) {
            Some(expected)
        } else if misses < 2 || misses % PATIENCE == 0 {
            cost += SEARCH / LOOK * look;
            around(expected, free, lens).find(is)
        } else {
            None
        };
        if let Some(item) = found {
            // It, and those behind it in its portion that are the same.
            if (matching.old_at, matching.new_at) != (item.start, at) {
                matching.resume(item.start, at);
            }
            let end = match portion {
                Some(portion) if item.n >= first => first + usize::from(portion.items),
                _ => first,
            };
            let end = end.min(item.n.saturating_add(most - marks.items)).max(item.n + 1);
            let (count, bytes) = lens.within(item.n..end, matching.same())?;
            let taken = item.n..item.n + count;
            marks.copy(lens, taken.clone())?;
            items.take_from(&mut array.items, taken.clone());
            matching.skip(bytes);
            expected = Item::at(taken.end, item.start + bytes, lens);
            (free, misses, at) = (taken.end, 0, at + bytes);
            continue;
        }
        let pushed = run.row.push(matching.new, at, &mut items).and_then(|end| Some((end, marks.room(at, end)?)));
        let Some((end, len)) = pushed else {
            if count.is_some() {
                return None;
            }
            break;
        };
        stats.switches += u64::from(misses == 0);
        (read, cost) = (read + end - at, cost + end - at + READ / LOOK * look);
        marks.item(len);
        expected = expected.next(lens).unwrap_or(expected);
        (misses, at) = (misses + 1, end);
    }
    if cost > at - start + stake {
        return None;
    }
    let len = marks.items;
    marks.finish();
    // An array without items has no run, and no row to read more by.
    if len == 0 {
        return None;
    }
    let old_end = run.start + run.portions.len();
    if (matching.old_at, matching.new_at) != (old_end, at) {
        matching.resume(old_end, at);
    }
    array.len = len;
    if let Items::Columns(columns) = &mut items {
        columns.iter_mut().for_each(|column| column.len = len);
    }
    pool.keep_items(core::mem::replace(&mut array.items, items));
    stats.portions += portions.list.len() as u64;
    pool.keep_portions(core::mem::replace(&mut run.portions, portions));
    run.start = start;
    Some((read, cost))
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

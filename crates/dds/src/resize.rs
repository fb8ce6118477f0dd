//! Runs that have got more or fewer items: what follows a difference is found again.

use crate::matching::Matching;
use crate::pool::Pool;
use crate::rows::Marks;
use crate::stats::Stats;
use crate::trace::{Portions, Run};
use crate::value::{Array, Items};

/// Items before and behind the one expected that are looked at.
const WINDOW: usize = 16;
/// After so many items that differ, only every so-manieth is looked for.
const PATIENCE: usize = 16;

/// The items of the message before, by number.
struct Old<'p> {
    portions: &'p Portions,
    /// The portion looked at last: its number, its first item, where it begins.
    portion: usize,
    first: usize,
    start: usize,
}

impl Old<'_> {
    /// Where an item begins and ends.
    #[inline]
    fn item(&mut self, at: usize) -> Option<(usize, usize)> {
        while at < self.first {
            self.portion -= 1;
            let portion = self.portions.list.get(self.portion)?;
            (self.first, self.start) = (self.first - portion.items as usize, self.start - portion.bytes as usize);
        }
        loop {
            let portion = self.portions.list.get(self.portion)?;
            if at - self.first < portion.items as usize {
                let end = |n: usize| self.portions.ends.get(n).map(|&end| self.start + usize::from(end));
                let start = if at == self.first { self.start } else { end(at - 1)? };
                return Some((start, end(at)?));
            }
            (self.first, self.start) = (self.first + portion.items as usize, self.start + portion.bytes as usize);
            self.portion += 1;
        }
    }
}

/// Makes the items of `run` those of the new message, of which there are `count` if that is known; gives
/// the bytes that had to be read.
pub(crate) fn run(
    matching: &mut Matching<'_>,
    run: &mut Run,
    array: &mut Array,
    count: Option<usize>,
    least: u32,
    pool: &mut Pool,
    stats: &mut Stats,
) -> Option<usize> {
    let start = matching.new_at;
    let before = run.portions.items;
    let mut portions = pool.portions();
    let mut items = pool.items_like(&array.items);
    let most = count.unwrap_or(usize::MAX);
    items.reserve(most.min(before + (matching.new.len() / run.row.shortest().max(1)).min(before)));
    let mut old = Old { portions: &run.portions, portion: 0, first: 0, start: matching.old_at };
    let mut marks = Marks::new(&mut portions, start, least, true);
    // The next item of the message before that may come, and the first that has not been taken.
    let (mut expected, mut free) = (0, 0);
    let (mut misses, mut read) = (0, 0);
    let mut at = start;
    while marks.items < most {
        if let Some((from, to)) = old.item(expected) {
            if let Some(portion) = run.portions.list.get(old.portion).filter(|_| old.first == expected) {
                let (bytes, all) = (portion.bytes as usize, portion.items as usize);
                if (matching.old_at, matching.new_at) != (from, at) {
                    matching.resume(from, at);
                }
                if all <= most - marks.items && matching.is_same(bytes) {
                    matching.skip(bytes);
                    items.take_from(&mut array.items, expected..expected + all);
                    marks.portion(at, *portion, &run.portions.ends[expected..expected + all]);
                    (expected, free, misses, at) = (expected + all, expected + all, 0, at + bytes);
                    continue;
                }
            }
            let found = if matching.is_item(from, at, to - from) {
                Some((expected, to - from))
            } else if misses < 2 || misses % PATIENCE == 0 {
                around(expected, free, before).find_map(|n| {
                    let (from, to) = old.item(n)?;
                    matching.is_item(from, at, to - from).then_some((n, to - from))
                })
            } else {
                None
            };
            if let Some((n, len)) = found {
                items.take_from(&mut array.items, n..n + 1);
                (expected, free, misses, at) = (n + 1, n + 1, 0, at + len);
                if !marks.has_room(at) {
                    return None;
                }
                marks.item(at);
                continue;
            }
        }
        let Some(end) = run.row.push(matching.new, at, &mut items).filter(|&end| marks.has_room(end)) else {
            if count.is_some() {
                return None;
            }
            break;
        };
        stats.switches += u64::from(misses == 0);
        read += end - at;
        (expected, misses, at) = (expected + 1, misses + 1, end);
        marks.item(at);
    }
    let len = marks.items;
    marks.finish(at);
    // An array without items has no run, and no row to read more by.
    if len == 0 {
        return None;
    }
    let old_end = run.start + run.portions.list.iter().map(|portion| portion.bytes as usize).sum::<usize>();
    matching.resume(old_end, at);
    array.len = len;
    if let Items::Columns(columns) = &mut items {
        columns.iter_mut().for_each(|column| column.len = len);
    }
    pool.keep_items(core::mem::replace(&mut array.items, items));
    stats.portions += portions.list.len() as u64;
    pool.keep_portions(core::mem::replace(&mut run.portions, portions));
    run.start = start;
    Some(read)
}

/// Numbers around `expected`, the nearest first, none below `free`.
fn around(expected: usize, free: usize, before: usize) -> impl Iterator<Item = usize> {
    (1..=WINDOW)
        .flat_map(move |n| [expected.checked_sub(n), Some(expected + n)])
        .flatten()
        .filter(move |&n| n >= free && n < before)
}

//! Work on many inputs side by side.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// How many to work on at a time: as told, or as many as there are cores.
pub(crate) fn threads(told: Option<u16>) -> usize {
    told.map(usize::from).or_else(|| thread::available_parallelism().ok().map(NonZero::get)).unwrap_or(1)
}

/// Does `work` on every item, `threads` at a time, and gives the results to `take` in the order of
/// the items. Workers take the next item from a shared place, so that a large one holds up none
/// but its own.
pub(crate) fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R),
) {
    let next = AtomicUsize::new(0);
    let (results, arrived) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            let (results, next, work) = (results.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if results.send((at, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (at, result) in arrived {
            early.insert(at, result);
            while let (Some(item), Some(result)) = (items.get(due), early.remove(&due)) {
                take(item, result);
                due += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_told_in_order() {
        let items: Vec<usize> = (0..100).collect();
        for threads in [1, 3, 200] {
            let mut told = Vec::new();
            side_by_side(&items, threads, |item| item * 2, |item, result| told.push((*item, result)));
            assert_eq!(told, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
        }
        side_by_side(&[], 4, |(): &()| (), |(), ()| panic!("nothing to do"));
    }
}

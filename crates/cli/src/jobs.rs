//! Parallel work on many inputs, and how far it is.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The number of threads: as requested, or the number of cores.
pub(crate) fn threads(requested: Option<u16>) -> usize {
    requested.map(usize::from).or_else(|| thread::available_parallelism().ok().map(NonZero::get)).unwrap_or(1)
}

/// Calls `work` on every item, with `threads` threads, and passes the results to `take` in the order of the items. Each
/// worker takes the next item when it is free, so that a large one delays no other.
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

/// A progress bar over `len` files, rounds or whatever is `counted`, on a terminal; nothing elsewhere.
pub(crate) fn progress(len: u64, counted: &str, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(len);
    let template = format!("{{bar:30}} {{pos}} of {{len}} {counted}, {{elapsed}}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_reported_in_order() {
        let items: Vec<usize> = (0..100).collect();
        for threads in [1, 3, 200] {
            let mut results = Vec::new();
            side_by_side(&items, threads, |item| item * 2, |item, result| results.push((*item, result)));
            assert_eq!(results, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
        }
        side_by_side(&[], 4, |(): &()| (), |(), ()| panic!("nothing to do"));
    }
}

//! Parallel work on many inputs, or on the blocks of one, and how far it is.

use std::collections::{BTreeMap, VecDeque};
use std::io::IsTerminal;
use std::num::NonZero;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
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

/// Bytes of blocks that are read before the first of them is taken. One block may have more.
const AHEAD: usize = 16 << 20;

/// Reads blocks from `source` in a thread of its own, until `fill` has no more, works on them with `threads` others, and
/// passes them to `take` in the order in which they were read. Gives the source back.
///
/// `fill` returns the size of a block in bytes. Blocks are used again, and few are in use at once. After an error nothing is
/// waited for, as a source may never have more.
pub(crate) fn in_blocks<S: Send + 'static, B: Default + Send + 'static, E>(
    mut source: S,
    threads: usize,
    fill: impl Fn(&mut S, &mut B) -> Option<usize> + Send + 'static,
    work: impl Fn(&mut B) + Sync,
    mut take: impl FnMut(&mut B) -> Result<(), E>,
) -> Result<S, E> {
    let (to_work, waiting) = mpsc::channel::<Option<(B, Sender<B>)>>();
    let (to_take, results) = mpsc::channel::<Receiver<B>>();
    let (to_use_again, used) = mpsc::channel::<B>();
    let stop = to_work.clone();
    let reader = thread::spawn(move || {
        let (mut sizes, mut spare) = (VecDeque::new(), Vec::new());
        loop {
            while sizes.len() > 2 * threads || !sizes.is_empty() && sizes.iter().sum::<usize>() > AHEAD {
                let Ok(block) = used.recv() else { return source };
                // What a large block has grown to is not kept.
                spare.extend(sizes.pop_front().filter(|size| *size < AHEAD).map(|_| block));
            }
            let mut block = spare.pop().unwrap_or_default();
            let Some(size) = fill(&mut source, &mut block) else { return source };
            sizes.push_back(size);
            let (done, result) = mpsc::channel();
            if to_take.send(result).is_err() || to_work.send(Some((block, done))).is_err() {
                return source;
            }
        }
    });
    let waiting = Mutex::new(waiting);
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Ok(Some((mut block, done))) = next() {
                    work(&mut block);
                    let _ = done.send(block);
                }
            });
        }
        let taken = results.iter().try_for_each(|result| {
            // There is no result if a worker panicked, which the scope passes on.
            let Ok(mut block) = result.recv() else { return Ok(()) };
            take(&mut block)?;
            let _ = to_use_again.send(block);
            Ok(())
        });
        for _ in 0..threads {
            let _ = stop.send(None);
        }
        taken
    })?;
    Ok(reader.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)))
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
    use std::mem;

    use super::*;

    #[test]
    fn blocks_are_taken_in_the_order_in_which_they_are_read_and_used_again() {
        for threads in [1, 2, 7] {
            let fill = |next: &mut u64, block: &mut Vec<u64>| {
                // One is too large to be kept or to wait beside others.
                let size = if *next == 50 { 2 * AHEAD } else { 8 };
                block.clear();
                block.push(*next);
                *next += 1;
                (*next <= 1000).then_some(size)
            };
            let mut taken = Vec::new();
            let take = |block: &mut Vec<u64>| {
                taken.push(block[0]);
                Ok::<(), ()>(())
            };
            assert_eq!(in_blocks(0, threads, fill, |block| block[0] *= 2, take), Ok(1001));
            assert_eq!(taken, (0..1000).map(|number| 2 * number).collect::<Vec<_>>());
        }
    }

    /// The source waits until all of the test is over.
    #[test]
    fn an_error_ends_the_work_although_the_source_still_waits() {
        let (hold, held) = mpsc::channel::<()>();
        let fill = |(held, is_first): &mut (Receiver<()>, bool), (): &mut ()| {
            if !mem::take(is_first) {
                let _ = held.recv();
            }
            Some(1)
        };
        let ended = in_blocks((held, true), 1, fill, |()| (), |()| Err("closed"));
        assert_eq!(ended.err(), Some("closed"));
        drop(hold);
    }

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

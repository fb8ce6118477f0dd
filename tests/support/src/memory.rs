//! The system's allocator, counting what the thread asks of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocator. A test program that counts makes it its own:
/// `#[global_allocator] static COUNTING: Counting = Counting;`.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

fn holds(more: isize) {
    HELD.set(HELD.get() + more);
    PEAK.set(PEAK.get().max(HELD.get()));
}

#[allow(unsafe_code)] // No other way to see allocations than to be the allocator.
// SAFETY: every call is handed on to the system's allocator as it is. The counters are cells of
// the thread, made without allocating and never dropped.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        TAKEN.set(TAKEN.get().wrapping_add(layout.size()));
        holds(layout.size() as isize);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        holds(-(layout.size() as isize));
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        TAKEN.set(TAKEN.get().wrapping_add(size));
        // Old and new block may be there at once, while one is copied into the other.
        holds(size as isize);
        holds(-(layout.size() as isize));
        // SAFETY: as the caller promised.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What `work` gives, the most bytes it held at once, and how often it allocated.
pub fn cost<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let (before, held) = (ALLOCATIONS.get(), HELD.get());
    PEAK.set(held);
    let result = work();
    (result, (PEAK.get() - held) as usize, ALLOCATIONS.get() - before)
}

/// Bytes that the thread has asked for so far, those of a block that grows as often as it does.
pub(crate) fn taken() -> usize {
    TAKEN.get()
}

/// Whether [`Counting`] is the allocator of this program.
pub(crate) fn is_counted() -> bool {
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(Box::new(0_u8)));
    ALLOCATIONS.get() != before
}

/// What `work` gives, and the bytes it has taken and not given back.
pub fn kept<T>(work: impl FnOnce() -> T) -> (T, isize) {
    let before = HELD.get();
    let result = work();
    (result, HELD.get() - before)
}

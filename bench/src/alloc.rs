//! An allocator that counts, to say how often a message makes us allocate.
#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

#[global_allocator]
static COUNTING: Counting = Counting { calls: AtomicU64::new(0) };

struct Counting {
    calls: AtomicU64,
}

impl Counting {
    /// A load and a store, not one locked instruction: all timed work is on one thread, and the
    /// Rust peers that allocate a lot must not pay for being counted.
    #[inline]
    fn count(&self) {
        self.calls.store(self.calls.load(Relaxed).wrapping_add(1), Relaxed);
    }
}

// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: the caller keeps the rules of this same method.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.count();
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

/// How often `work` allocates, growing included.
pub(crate) fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNTING.calls.load(Relaxed);
    work();
    COUNTING.calls.load(Relaxed) - before
}

//! The caller's memory instead of the system's, for handles and temporary data.

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::alloc::System;

use crate::code::{LW_OK, LW_UNSUPPORTED};

/// Memory of the caller. If several threads use the library, they may call both functions at once.
#[repr(C)]
#[derive(Debug)]
pub struct Memory {
    /// Returns `bytes` bytes at a multiple of `alignment` (a power of two), or NULL.
    pub allocate: unsafe extern "C" fn(context: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void,
    /// Releases what `allocate` returned for the same numbers.
    pub free: unsafe extern "C" fn(context: *mut c_void, place: *mut c_void, bytes: usize, alignment: usize),
    /// Passed to both.
    pub context: *mut c_void,
}

/// The owner of the memory: not used yet (null), the system, or a caller.
static OWNER: AtomicPtr<Memory> = AtomicPtr::new(null_mut());

/// Its address represents the system.
static SYSTEM: u8 = 0;

fn system() -> *mut Memory {
    (&raw const SYSTEM).cast_mut().cast()
}

/// Makes the library take all its memory from the caller. `*memory` must stay valid as long as the library is used.
/// This must be the first call. A Rust program with a global allocator of its own keeps that.
///
/// Returns LW_OK, or LW_UNSUPPORTED if the library has memory already. If memory runs out, the program ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_use_memory(memory: *const Memory) -> i32 {
    match OWNER.compare_exchange(null_mut(), memory.cast_mut(), Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => LW_OK,
        Err(_) => LW_UNSUPPORTED,
    }
}

/// The allocator that forwards to the owner.
struct OwnerAllocator;

#[global_allocator]
static ASKED: OwnerAllocator = OwnerAllocator;

impl OwnerAllocator {
    /// The caller that owns the memory; `None` for the system.
    fn owner() -> Option<&'static Memory> {
        let mut owner = OWNER.load(Ordering::Acquire);
        if owner.is_null() {
            // Nothing was chosen, so it is the system from here on.
            owner = match OWNER.compare_exchange(null_mut(), system(), Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => system(),
                Err(other) => other,
            };
        }
        // SAFETY: the caller has promised that it is valid as long as the library is used.
        if owner == system() { None } else { unsafe { owner.as_ref() } }
    }
}

// SAFETY: the caller has promised that its memory has the requested size and alignment, and it gets the same memory
// back.
unsafe impl GlobalAlloc for OwnerAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe {
            match OwnerAllocator::owner() {
                Some(memory) => (memory.allocate)(memory.context, layout.size(), layout.align()).cast(),
                None => System.alloc(layout),
            }
        }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe {
            match OwnerAllocator::owner() {
                Some(memory) => (memory.free)(memory.context, place.cast(), layout.size(), layout.align()),
                None => System.dealloc(place, layout),
            }
        }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        unsafe {
            if OwnerAllocator::owner().is_none() {
                return System.realloc(place, layout, bytes);
            }
            let moved = self.alloc(Layout::from_size_align_unchecked(bytes, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(place, layout.size().min(bytes));
                self.dealloc(place, layout);
            }
            moved
        }
    }
}

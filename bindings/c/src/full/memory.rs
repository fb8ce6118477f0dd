//! The caller's memory in place of the system's, for all that handles keep and functions need for a while.

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::alloc::System;

use crate::code::{LW_OK, LW_UNSUPPORTED};

/// Memory of the caller's. Both functions may be called by several threads at once, where several use the library.
#[repr(C)]
#[derive(Debug)]
pub struct Memory {
    /// Gives so many bytes whose address is a multiple of `alignment` (a power of two), or NULL.
    pub allocate: unsafe extern "C" fn(context: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void,
    /// Takes back what `allocate` gave for the same numbers.
    pub free: unsafe extern "C" fn(context: *mut c_void, place: *mut c_void, bytes: usize, alignment: usize),
    /// Handed to both.
    pub context: *mut c_void,
}

/// Whose memory it is: nobody has asked for any (null), the system's, or a caller's.
static OWNER: AtomicPtr<Memory> = AtomicPtr::new(null_mut());

/// Where the system's memory is taken.
static SYSTEM: u8 = 0;

fn system() -> *mut Memory {
    (&raw const SYSTEM).cast_mut().cast()
}

/// Has the library take all its memory from the caller, which stays there as long as the library is used. It must be the first
/// call. A program in Rust that has other memory of its own keeps that.
///
/// Returns LW_OK, or LW_UNSUPPORTED where the library has memory already. Where there is none left, the program ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_use_memory(memory: *const Memory) -> i32 {
    match OWNER.compare_exchange(null_mut(), memory.cast_mut(), Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => LW_OK,
        Err(_) => LW_UNSUPPORTED,
    }
}

/// Asks whoever gives the memory.
struct Asked;

#[global_allocator]
static ASKED: Asked = Asked;

impl Asked {
    /// The caller whose memory it is; none is the system.
    fn owner() -> Option<&'static Memory> {
        let mut owner = OWNER.load(Ordering::Acquire);
        if owner.is_null() {
            // Nobody has said anything, so it is the system's from here on.
            owner = match OWNER.compare_exchange(null_mut(), system(), Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => system(),
                Err(other) => other,
            };
        }
        // SAFETY: the caller has said that it is there as long as the library is used.
        if owner == system() { None } else { unsafe { owner.as_ref() } }
    }
}

// SAFETY: what a caller gives is as large and as aligned as it has promised, and goes back to it.
unsafe impl GlobalAlloc for Asked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe {
            match Asked::owner() {
                Some(memory) => (memory.allocate)(memory.context, layout.size(), layout.align()).cast(),
                None => System.alloc(layout),
            }
        }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe {
            match Asked::owner() {
                Some(memory) => (memory.free)(memory.context, place.cast(), layout.size(), layout.align()),
                None => System.dealloc(place, layout),
            }
        }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        unsafe {
            if Asked::owner().is_none() {
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

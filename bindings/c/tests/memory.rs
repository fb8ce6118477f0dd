//! A caller's memory in place of the system's, from before the start of the program on.
#![cfg(all(feature = "full", target_os = "linux"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use lengthwise_c::code::{LW_OK, LW_UNSUPPORTED};
use lengthwise_c::full::memory::{Memory, lengthwise_use_memory};

/// What has been given and not taken back, in bytes.
static HELD: AtomicUsize = AtomicUsize::new(0);
/// What the library said to the memory, and one more.
static ANSWER: AtomicUsize = AtomicUsize::new(0);

struct Shared(Memory);

// SAFETY: the functions may be called by several threads, and the context is an address of nothing.
unsafe impl Sync for Shared {}

static MEMORY: Shared =
    Shared(Memory { allocate: give, free: take, context: without_provenance_mut::<c_void>(0x600D) });

unsafe extern "C" fn give(context: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void {
    // No panic, which would take memory.
    let Ok(layout) = Layout::from_size_align(bytes, alignment) else { return null_mut() };
    if context.addr() != 0x600D {
        return null_mut();
    }
    HELD.fetch_add(bytes, Relaxed);
    unsafe { System.alloc(layout) }.cast()
}

unsafe extern "C" fn take(_: *mut c_void, place: *mut c_void, bytes: usize, alignment: usize) {
    let Ok(layout) = Layout::from_size_align(bytes, alignment) else { return };
    HELD.fetch_sub(bytes, Relaxed);
    unsafe { System.dealloc(place.cast(), layout) };
}

/// Runs before the start, which takes the first memory.
#[used]
#[unsafe(link_section = ".init_array")]
static FIRST: extern "C" fn() = {
    extern "C" fn first() {
        let answer = unsafe { lengthwise_use_memory(&MEMORY.0) };
        ANSWER.store(1 + usize::from(answer != LW_OK), Relaxed);
    }
    first
};

#[test]
fn all_memory_is_the_callers() {
    assert_eq!(ANSWER.load(Relaxed), 1);
    let before = HELD.load(Relaxed);
    assert!(before > 0);
    let mut grown = vec![7u8; 100_000];
    assert!(HELD.load(Relaxed) >= before + 100_000);
    grown.reserve_exact(200_000);
    assert!(grown.iter().all(|byte| *byte == 7) && HELD.load(Relaxed) >= before + 300_000);
    grown.truncate(10);
    grown.shrink_to_fit();
    assert_eq!(grown, [7; 10]);
    drop(grown);
    assert!(HELD.load(Relaxed) < before + 100_000);
    assert_eq!(unsafe { lengthwise_use_memory(&MEMORY.0) }, LW_UNSUPPORTED);
}

//! Bytes that are added to a message, piece by piece.

use crate::bytes::{copy_apart, late, made, plain};
use crate::out::Out;

/// Adds bytes behind what is written, if there is room for them. Otherwise they are counted. Returns `out`, for what is
/// added next.
#[inline(never)]
pub(crate) unsafe fn add_behind(out: *mut Out, bytes: *const u8, len: u32) -> *mut Out {
    unsafe {
        let at = (*out).len;
        let total = count(out, len);
        if total <= late(&raw const (*out).capacity) {
            copy_apart((*out).buffer.cast::<u8>().wrapping_add(at as usize), bytes, len);
        }
        // The compiler need not know which it is: it would keep it for what is added next.
        plain(out.cast()).cast_mut().cast()
    }
}

/// Adds bytes in front of what is written, as [`add_behind`].
#[inline(never)]
pub(crate) unsafe fn add_in_front(out: *mut Out, bytes: *const u8, len: u32) -> *mut Out {
    unsafe {
        let total = count(out, len);
        let capacity = late(&raw const (*out).capacity);
        if total <= capacity {
            copy_apart((*out).buffer.cast::<u8>().wrapping_add((capacity - total) as usize), bytes, len);
        }
        out
    }
}

/// Counts bytes: how many there are then.
#[inline(always)]
unsafe fn count(out: *mut Out, len: u32) -> u32 {
    unsafe {
        let (mut total, is_beyond) = (*out).len.overflowing_add(len);
        // No buffer is so large; so nothing that comes later finds room either.
        if is_beyond {
            total = !made::<0>();
        }
        // In this order, which takes fewer registers.
        (&raw mut (*out).len).write_volatile(total);
        total
    }
}

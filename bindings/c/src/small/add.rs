//! Bytes that are added to a message, piece by piece.

use crate::bytes::{copy_apart, late};
use crate::out::Out;

/// Adds bytes behind what is written, or in front of it, if there is room for them. Otherwise they are counted.
#[inline(never)]
pub(crate) unsafe fn add(out: *mut Out, bytes: *const u8, len: u32, in_front: bool) {
    unsafe {
        let mut at = (*out).len;
        let mut total = at.wrapping_add(len);
        // No buffer is so large; so nothing that comes later finds room either.
        if ((total | len) as i32) < 0 {
            total = 1 << 31;
        }
        // In this order, which takes fewer registers.
        (&raw mut (*out).len).write_volatile(total);
        let capacity = late(&raw const (*out).capacity);
        if total <= capacity {
            if in_front {
                at = capacity - total;
            }
            copy_apart((*out).buffer.cast::<u8>().wrapping_add(at as usize), bytes, len);
        }
    }
}

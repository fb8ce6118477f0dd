//! A message that comes in several buffers, one after the other.
//!
//! Nothing is kept of a buffer. Data that is cut is told in parts; a head that is cut is read again, together
//! with what comes next: the caller carries these few bytes over.

use core::ffi::c_void;

use crate::bytes::gap;
use crate::code::{LW_INCOMPLETE, LW_LIMIT};
use crate::tsf::cursor::{Tsf, lw_tsf_next, lw_tsf_open};
use crate::tsf::next::fault;
use crate::types::Types;

/// A reader of a message in several buffers.
#[repr(C)]
#[derive(Debug)]
pub struct Parts {
    /// The unit, as a cursor has it: but of its data, only `here` bytes are at `value`.
    pub unit: Tsf,
    /// Bytes of the unit's data that are here.
    pub here: u32,
    /// Bytes of the unit's data that are still to come.
    pub pending: u32,
    /// Units still owed.
    pub owed: u32,
}

/// Begins a message, before its first buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_parts_open(parts: &mut Parts, types: *const Types) {
    unsafe {
        lw_tsf_open(&mut parts.unit, core::ptr::null(), 0, types);
        (parts.here, parts.pending, parts.owed) = (0, 0, 1);
    }
}

/// The next buffer: `len` bytes, which begin with those that the one before had left (`unit.at` to `unit.end` after
/// LW_INCOMPLETE).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_parts_add(parts: &mut Parts, buffer: *const c_void, len: u32) {
    parts.unit.at = buffer.cast();
    parts.unit.end = parts.unit.at.wrapping_add(len as usize);
}

/// Goes to the next unit, or to the next part of the data of the one it is at.
///
/// Returns 1 at a unit; 2 at a further part of its data; 0 behind the message; LW_INCOMPLETE where the buffer is
/// used up, but for what has to be carried over; LW_SYNTAX or LW_LIMIT as `lw_tsf_next`. That as many units come as
/// were announced is only seen at the end: a message is sound when this has returned 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_parts_next(parts: &mut Parts) -> i32 {
    unsafe {
        let left = gap(parts.unit.at.cast(), parts.unit.end.cast());
        if parts.pending != 0 {
            if left == 0 {
                return LW_INCOMPLETE;
            }
            parts.unit.value = parts.unit.at;
            take(parts, left);
            return 2;
        }
        if parts.owed == 0 {
            return 0;
        }
        if left < 2 {
            // A byte alone may be wrong already.
            return fault(&mut parts.unit);
        }
        // The unit alone is held against the buffer, not what else is owed.
        parts.unit.owed = 1;
        parts.unit.value = core::ptr::null();
        let code = lw_tsf_next(&mut parts.unit);
        if code < 0 && (code != LW_INCOMPLETE || parts.unit.value.is_null()) {
            return code;
        }
        // The head is whole, and what is in the unit may be cut.
        parts.owed -= 1;
        parts.here = 0;
        parts.unit.at = parts.unit.value;
        if parts.unit.is_structured() {
            match parts.owed.checked_add(parts.unit.len) {
                Some(owed) => parts.owed = owed,
                None => return LW_LIMIT,
            }
        } else {
            parts.pending = parts.unit.len;
            let left = gap(parts.unit.at.cast(), parts.unit.end.cast());
            take(parts, left);
        }
        1
    }
}

/// Takes what is here of the data that is pending.
fn take(parts: &mut Parts, left: u32) {
    parts.here = left.min(parts.pending);
    parts.pending -= parts.here;
    parts.unit.at = parts.unit.at.wrapping_add(parts.here as usize);
}

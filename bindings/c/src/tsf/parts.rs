//! A message in several buffers, one after another.
//!
//! No buffer is kept. Truncated data is returned in parts. A truncated head is read again together with the next
//! buffer, so the caller must copy these few bytes over.

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
    /// The unit, as in a cursor, except that only `here` bytes of its data are at `value`.
    pub unit: Tsf,
    /// Bytes of the unit's data in this buffer.
    pub here: u32,
    /// Bytes of the unit's data in later buffers.
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

/// Adds the next buffer: `len` bytes, which begin with those left over from the previous one (`unit.at` to `unit.end`
/// after LW_INCOMPLETE). These are the start of a head, which is as long as the name in it: refuse the message if they fill
/// the buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_parts_add(parts: &mut Parts, buffer: *const c_void, len: u32) {
    parts.unit.at = buffer.cast();
    parts.unit.end = parts.unit.at.wrapping_add(len as usize);
}

/// Moves to the next unit, or to the next part of the data of the current one.
///
/// Returns 1 at a unit; 2 at a further part of its data; 0 after the message; LW_INCOMPLETE if the buffer is used up,
/// except for the bytes to carry over; LW_SYNTAX or LW_LIMIT like `lw_tsf_next`. Whether the announced number of units
/// is present is known only at the end: a message is valid once this has returned 0.
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
            // A single byte may already be invalid.
            return fault(&mut parts.unit);
        }
        // Only this unit is checked against the buffer, not the others that are owed.
        parts.unit.owed = 1;
        parts.unit.value = core::ptr::null();
        let code = lw_tsf_next(&mut parts.unit);
        if code < 0 && (code != LW_INCOMPLETE || parts.unit.value.is_null()) {
            return code;
        }
        // The head is complete, and the content of the unit may be truncated.
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

/// Takes the part of the pending data in this buffer.
fn take(parts: &mut Parts, left: u32) {
    parts.here = left.min(parts.pending);
    parts.pending -= parts.here;
    parts.unit.at = parts.unit.at.wrapping_add(parts.here as usize);
}

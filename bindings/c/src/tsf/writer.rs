//! Writes units, one after another.

use core::ffi::{c_char, c_void};

use crate::bytes::gap;
use crate::out::{Number, Out, lw_format_fixed, signed};
use crate::text::decimal;
use crate::tsf::put::put_unit;

/// Writes a unit of data: its length, its name and type, and the data. Without data (NULL) only the head is written,
/// and `len` bytes of data must follow.
///
/// The name is written unchanged, followed by its type: LW_NAME("t#") is the name t and the type #, and their length.
/// It must be a plain name (not begin with a digit or a `"`, and contain no type), or an extended one with its `"` and
/// escapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put(out: &mut Out, name: *const c_char, name_len: u32, data: *const c_void, len: u32) {
    unsafe {
        put_unit(out, name, name_len, data.cast(), len);
    }
}

/// Writes the head of a unit of units. The caller must write the `count` units that belong to it next: nothing counts
/// them. LW_NAME("r{") is its name and type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_units(out: &mut Out, name: *const c_char, name_len: u32, count: u32) {
    unsafe { lw_tsf_put(out, name, name_len, core::ptr::null(), count) }
}

/// Writes an integer: LW_NAME("t#") in the set `value`. Integers of 64 bits are written by tables (LW_I64), or as text
/// by `lw_tsf_put`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_i32(out: &mut Out, name: *const c_char, name_len: u32, value: i32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        put(out, name, name_len, signed(end, value), end);
    }
}

/// Writes a non-negative integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_u32(out: &mut Out, name: *const c_char, name_len: u32, value: u32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        put(out, name, name_len, decimal(end, value), end);
    }
}

/// Writes a fixed number, as read by `lw_fixed`: LW_NAME("t%") in the set `value`. 2150 with two `decimals` is 21.50.
/// With more than nine, `lw_tsf_finish` returns LW_LIMIT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_fixed(
    out: &mut Out,
    name: *const c_char,
    name_len: u32,
    value: i32,
    decimals: u32,
) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        put(out, name, name_len, lw_format_fixed(end.cast(), value, decimals).cast(), end);
    }
}

/// Writes a unit whose data is between two places.
#[inline(always)]
unsafe fn put(out: &mut Out, name: *const c_char, name_len: u32, start: *const u8, end: *const u8) {
    unsafe { lw_tsf_put(out, name, name_len, start.cast(), gap(start, end)) }
}

/// Ends the message. Returns its length in the buffer, from the start of the buffer; LW_LIMIT if it does not fit (`len`
/// is the size needed), LW_UNSUPPORTED if a payload is elsewhere, which requires `lw_tsf_gathered`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_finish(out: &Out) -> i32 {
    out.result(|| ())
}

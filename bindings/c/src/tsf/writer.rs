//! Units, one behind the other.

use core::ffi::{c_char, c_void};

use crate::bytes::gap;
use crate::out::{Number, Out, lw_format_fixed, signed};
use crate::text::decimal;
use crate::tsf::put::put_unit;

/// Writes a unit of data: its length, its name and type, and the data. Without data (NULL) the head alone is
/// written, and `len` bytes of data must follow.
///
/// The name is written as it is, its type behind it: LW_NAME("t#") is the name t and the type #, and their length. It must
/// be a plain name (not begin with a digit or a `"`, and hold no type), or an extended one with its `"` and escapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put(out: &mut Out, name: *const c_char, name_len: u32, data: *const c_void, len: u32) {
    unsafe {
        put_unit(out, name, name_len, data.cast(), len);
    }
}

/// Writes the head of a unit of units: `count` units follow, which are in it. LW_NAME("r{") is its name and type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_units(out: &mut Out, name: *const c_char, name_len: u32, count: u32) {
    unsafe { lw_tsf_put(out, name, name_len, core::ptr::null(), count) }
}

/// Writes an integer: LW_NAME("t#") in the set `value`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_i32(out: &mut Out, name: *const c_char, name_len: u32, value: i32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        put(out, name, name_len, signed(end, value), end);
    }
}

/// Writes an integer that is not negative.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_u32(out: &mut Out, name: *const c_char, name_len: u32, value: u32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        put(out, name, name_len, decimal(end, value), end);
    }
}

/// Writes a fixed number, which `lw_fixed` reads: LW_NAME("t%") in the set `value`. 2150 with two `decimals` is 21.50;
/// there are nine at the most.
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

/// Writes a unit whose data lies between two places.
#[inline(always)]
unsafe fn put(out: &mut Out, name: *const c_char, name_len: u32, start: *const u8, end: *const u8) {
    unsafe { lw_tsf_put(out, name, name_len, start.cast(), gap(start, end)) }
}

/// Ends the message. Returns its bytes in the buffer, from the start of that; LW_LIMIT where there was no room for
/// them (`len` says for how many there must be), LW_UNSUPPORTED where a payload was left elsewhere, which
/// `lw_tsf_gathered` is for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_finish(out: &Out) -> i32 {
    out.result(|| ())
}

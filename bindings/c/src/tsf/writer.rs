//! Units, one behind the other.

use core::ffi::{c_char, c_void};

use crate::bytes::{copy, kept, plain};
use crate::out::{Out, decimal, digit, fixed, fixed_width, signed, width};

/// Writes a unit of data: its length, its name and type, and the data. Without data (NULL) the head alone is
/// written, and `len` bytes of data must follow.
///
/// The name is written as it is, its type behind it: LW_NAME("t#") is the name t and the type #, and their length. It must
/// be a plain name (not begin with a digit or a `"`, and hold no type), or an extended one with its `"` and escapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put(out: &mut Out, name: *const c_char, name_len: u32, data: *const c_void, len: u32) {
    unsafe {
        let here = if data.is_null() { 0 } else { len };
        let place = head(out, name, name_len, len, here);
        if !place.is_null() {
            copy(place, data.cast(), here);
        }
    }
}

/// Writes the head of a unit; room for `here` bytes of data behind it, null where there is none.
#[inline(never)]
unsafe fn head(out: &mut Out, name: *const c_char, name_len: u32, number: u32, here: u32) -> *mut u8 {
    unsafe {
        let digits = width(number);
        let at = out.len;
        if !out.count(digits + name_len, here) {
            return core::ptr::null_mut();
        }
        let place = out.buffer.cast::<u8>().wrapping_add(at as usize);
        let end = plain(place.wrapping_add(digits as usize)).cast_mut();
        if digits == 1 {
            digit(end, kept(number));
        } else {
            decimal(end, number);
        }
        copy(end, name.cast(), name_len)
    }
}

/// Writes the head of a unit of units: `count` units follow, which are in it. LW_NAME("r{") is its name and type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_units(out: &mut Out, name: *const c_char, name_len: u32, count: u32) {
    unsafe {
        head(out, name, name_len, count, 0);
    }
}

/// Writes an integer: LW_NAME("t#") in the set `value`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_i32(out: &mut Out, name: *const c_char, name_len: u32, value: i32) {
    unsafe {
        let len = width(value.unsigned_abs()) + u32::from(value < 0);
        let place = head(out, name, name_len, len, len);
        if !place.is_null() {
            signed(place.wrapping_add(len as usize), value);
        }
    }
}

/// Writes an integer that is not negative.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_u32(out: &mut Out, name: *const c_char, name_len: u32, value: u32) {
    unsafe {
        let len = width(value);
        let place = head(out, name, name_len, len, len);
        if !place.is_null() {
            decimal(place.wrapping_add(len as usize), value);
        }
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
        let len = fixed_width(value, decimals);
        let place = head(out, name, name_len, len, len);
        if !place.is_null() {
            fixed(place.wrapping_add(len as usize), value, decimals);
        }
    }
}

/// Ends the message. Returns its bytes in the buffer, from the start of that; LW_LIMIT where there was no room for
/// them (`len` says for how many there must be), LW_UNSUPPORTED where a payload was left elsewhere, which
/// `lw_tsf_gathered` is for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_finish(out: &Out) -> i32 {
    out.result()
}

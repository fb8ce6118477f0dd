//! Values, last one first: every length is known when it is due.

use core::ffi::{c_char, c_void};

use crate::bytes::{copy, plain};
use crate::out::{Out, decimal, fixed, fixed_width, signed, width};

/// Writes a value with a length in front of those written: its key, its length, its type and the data. Without data
/// (NULL) the head alone is written, in front of data that is.
///
/// The key is written as it is: a `:` or a `\` in it must have a `\` before it. LW_NAME("t") is a key and its
/// length; an item of an array, and the outermost value, have none: NULL and 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put(
    out: &mut Out,
    key: *const c_char,
    key_len: u32,
    kind: c_char,
    data: *const c_void,
    len: u32,
) {
    unsafe {
        let here = if data.is_null() { 0 } else { len };
        let place = head(out, key, key_len, kind as u8, len, here);
        if !place.is_null() {
            copy(place, data.cast(), here);
        }
    }
}

/// Writes the head of a value; room for `here` bytes of data behind it, null where there is none.
#[inline(never)]
unsafe fn head(out: &mut Out, key: *const c_char, key_len: u32, kind: u8, number: u32, here: u32) -> *mut u8 {
    unsafe {
        let digits = width(number);
        let place = keyed(out, key, key_len, digits + 1, here);
        if place.is_null() {
            return place;
        }
        let end = plain(place.wrapping_add(digits as usize)).cast_mut();
        if digits == 1 {
            place.write(number as u8 + b'0');
        } else {
            decimal(end, number);
        }
        end.write(kind);
        end.wrapping_add(1)
    }
}

/// Writes a key, if there is one; room for a head and data behind its `:`, null where there is none.
#[inline(always)]
unsafe fn keyed(out: &mut Out, key: *const c_char, key_len: u32, head: u32, here: u32) -> *mut u8 {
    unsafe {
        let colon = u32::from(!key.is_null());
        if !out.count(head + colon + key_len, here) {
            return core::ptr::null_mut();
        }
        let place = copy(out.front(), key.cast(), key_len);
        // Without a key the byte is the head's.
        place.write(b':');
        place.wrapping_add(colon as usize)
    }
}

/// Writes a value that is its type alone: t, f or u.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_word(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char) {
    unsafe {
        let place = keyed(out, key, key_len, 1, 0);
        if !place.is_null() {
            place.write(kind as u8);
        }
    }
}

/// Writes an integer in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_i32(out: &mut Out, key: *const c_char, key_len: u32, value: i32) {
    unsafe {
        let len = width(value.unsigned_abs()) + u32::from(value < 0);
        let place = head(out, key, key_len, b'i', len, len);
        if !place.is_null() {
            signed(place.wrapping_add(len as usize), value);
        }
    }
}

/// Writes an integer that is not negative in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_u32(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        let len = width(value);
        let place = head(out, key, key_len, b'i', len, len);
        if !place.is_null() {
            decimal(place.wrapping_add(len as usize), value);
        }
    }
}

/// Writes a fixed number, which `lw_fixed` reads: 2150 with two `decimals` is 21.50; there are nine at the most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_fixed(out: &mut Out, key: *const c_char, key_len: u32, value: i32, decimals: u32) {
    unsafe {
        let len = fixed_width(value, decimals);
        let place = head(out, key, key_len, b'd', len, len);
        if !place.is_null() {
            fixed(place.wrapping_add(len as usize), value, decimals);
        }
    }
}

/// The place where a container ends that is to be written now: `lw_pon_put_container` wants it back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_end(out: &Out) -> u32 {
    out.len.wrapping_add(out.elsewhere)
}

/// Writes the head of an object (`{`) or of an array (`[`): all written since `end` was taken is in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_container(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char, end: u32) {
    unsafe { lw_pon_put(out, key, key_len, kind, core::ptr::null(), lw_pon_end(out).wrapping_sub(end)) }
}

/// Ends the message, which is the end of the buffer. Returns its bytes there, and in `*start` where they begin (it may be
/// NULL); LW_LIMIT where there was no room for them (`len` says for how many there must be), LW_UNSUPPORTED where a
/// payload was left elsewhere, which `lw_pon_gathered` is for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_finish(out: &Out, start: *mut *const c_char) -> i32 {
    unsafe {
        let len = out.result();
        if len >= 0 && !start.is_null() {
            *start = out.front().cast();
        }
        len
    }
}

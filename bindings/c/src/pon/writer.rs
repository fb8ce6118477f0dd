//! Values, last one first: every length is known when it is due.

use core::ffi::{c_char, c_void};

use crate::bytes::gap;
use crate::out::{Number, Out, lw_format_fixed};
use crate::pon::put;

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
        put::value(out, key, key_len, kind, data.cast(), len);
    }
}

/// Writes a value that is its type alone: t, f or u.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_word(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char) {
    unsafe {
        put::word(out, key, key_len, kind);
    }
}

/// Writes an integer in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_i32(out: &mut Out, key: *const c_char, key_len: u32, value: i32) {
    unsafe {
        put::signed(out, key, key_len, value);
    }
}

/// Writes an integer that is not negative in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_u32(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        put::unsigned(out, key, key_len, value);
    }
}

/// Writes a fixed number, which `lw_fixed` reads: 2150 with two `decimals` is 21.50; there are nine at the most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_fixed(out: &mut Out, key: *const c_char, key_len: u32, value: i32, decimals: u32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        let start = lw_format_fixed(end.cast(), value, decimals).cast::<u8>();
        lw_pon_put(out, key, key_len, b'd' as _, start.cast(), gap(start, end));
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
    unsafe {
        put::container(out, key, key_len, kind, end);
    }
}

/// Ends the message, which is the end of the buffer. Returns its bytes there, and in `*start` where they begin (it may be
/// NULL); LW_LIMIT where there was no room for them (`len` says for how many there must be), LW_UNSUPPORTED where a
/// payload was left elsewhere, which `lw_pon_gathered` is for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_finish(out: &Out, start: *mut *const c_char) -> i32 {
    unsafe {
        out.result(|| {
            if !start.is_null() {
                *start = out.front().cast();
            }
        })
    }
}

//! Writes values, the last one first, so that every length is known when it is needed.

use core::ffi::{c_char, c_void};

use crate::bytes::gap;
use crate::out::{Number, Out, lw_format_fixed};
use crate::pon::put;

/// Writes a value with a length before those already written: its key, its length, its type and the data. Without data
/// (NULL) only the head is written, before data that is already written. `kind` is s (text), i (an integer as text), d (a
/// number as text), y (bytes), `{` or `[`; it and the data are not checked. `b` and `c`, which have no length, cannot be
/// written: use y and s.
///
/// The key is written unchanged: a `:` or a `\` in it must have a `\` before it. LW_NAME("t") is a key and its length;
/// items of an array, and the outermost value, have none: NULL and 0.
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

/// Writes a value that consists of its type: t, f or u (null). Other types make an invalid message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_word(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char) {
    unsafe {
        put::word(out, key, key_len, kind);
    }
}

/// Writes an integer before the values already written. Integers of 64 bits are written by tables (LW_I64), or as text by
/// `lw_pon_put`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_i32(out: &mut Out, key: *const c_char, key_len: u32, value: i32) {
    unsafe {
        put::signed(out, key, key_len, value);
    }
}

/// Writes a non-negative integer before the values already written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_u32(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        put::unsigned(out, key, key_len, value);
    }
}

/// Writes a fixed number, as read by `lw_fixed`: 2150 with two `decimals` is 21.50. With more than nine,
/// `lw_pon_finish` returns LW_LIMIT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_fixed(out: &mut Out, key: *const c_char, key_len: u32, value: i32, decimals: u32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        let start = lw_format_fixed(end.cast(), value, decimals).cast::<u8>();
        lw_pon_put(out, key, key_len, b'd' as _, start.cast(), gap(start, end));
    }
}

/// The end of a container that is to be written next; pass it to `lw_pon_put_container`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_end(out: &Out) -> u32 {
    out.len.wrapping_add(out.elsewhere)
}

/// Writes the head of an object (`{`) or an array (`[`) that contains everything written since `end`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_container(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char, end: u32) {
    unsafe {
        put::container(out, key, key_len, kind, end);
    }
}

/// Ends the message, which is at the end of the buffer. Returns its length, and its start in `*start` (which may be
/// NULL); LW_LIMIT if it does not fit (`len` is the size needed), LW_UNSUPPORTED if a payload is elsewhere, which
/// requires `lw_pon_gathered`.
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

//! Writes a value in place, optimized for speed.

use core::ffi::c_char;

use crate::out::{Out, signed_width, width};
use crate::pon::place::{place, put_data, put_end, put_key, put_length};
use crate::pon::writer::{lw_pon_end, lw_pon_put_container};
use crate::text::{decimal, text_of};

/// [`lw_pon_put`](crate::pon::writer::lw_pon_put).
#[inline(always)]
pub(crate) unsafe fn value(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char, data: *const u8, len: u32) {
    unsafe {
        if data.is_null() {
            return lw_pon_put_container(out, key, key_len, kind, lw_pon_end(out).wrapping_sub(len));
        }
        if let Some(start) = put_data(out, !key.is_null(), key_len, data, len) {
            put_head(out, key, key_len, start, kind);
        }
    }
}

/// [`lw_pon_put_word`](crate::pon::writer::lw_pon_put_word).
#[inline(always)]
pub(crate) unsafe fn word(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char) {
    unsafe {
        // A word has no length.
        let Some(place) = place(out, !key.is_null(), key_len, 1, || 0) else { return };
        let at = place.wrapping_sub(1);
        at.write(kind as u8);
        put_key(out, !key.is_null(), key, key_len, at, out.end());
    }
}

/// [`lw_pon_put_i32`](crate::pon::writer::lw_pon_put_i32).
#[inline(always)]
pub(crate) unsafe fn signed(out: &mut Out, key: *const c_char, key_len: u32, value: i32) {
    unsafe {
        if let Some(place) = place(out, !key.is_null(), key_len, 0, || signed_width(value)) {
            put_head(out, key, key_len, text_of(place, value as u32, value < 0), b'i' as _);
        }
    }
}

/// [`lw_pon_put_u32`](crate::pon::writer::lw_pon_put_u32).
#[inline(always)]
pub(crate) unsafe fn unsigned(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        if let Some(place) = place(out, !key.is_null(), key_len, 0, || width(value)) {
            put_head(out, key, key_len, decimal(place, value), b'i' as _);
        }
    }
}

/// [`lw_pon_put_container`](crate::pon::writer::lw_pon_put_container).
#[inline(always)]
pub(crate) unsafe fn container(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char, end: u32) {
    unsafe {
        if let Some(start) = put_end(out, !key.is_null(), key_len, end) {
            put_head(out, key, key_len, start, kind);
        }
    }
}

/// Writes the type and the rest of the head of a value, whose data is in place.
#[inline(always)]
unsafe fn put_head(out: &mut Out, key: *const c_char, key_len: u32, start: *mut u8, kind: c_char) {
    unsafe {
        let at = start.wrapping_sub(1);
        at.write(kind as u8);
        head(out, key, key_len, at);
    }
}

/// Writes the head of a value whose type is already in place before its data.
#[inline(never)]
unsafe fn head(out: &mut Out, key: *const c_char, key_len: u32, kind: *mut u8) {
    unsafe {
        let (at, end) = put_length(out, kind);
        put_key(out, !key.is_null(), key, key_len, at, end);
    }
}

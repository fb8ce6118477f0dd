//! A value is written, in the least flash: piece by piece.

use core::ffi::c_char;

use crate::add::add_in_front;
use crate::bytes::gap;
use crate::out::{Number, Out};
use crate::pon::writer::{lw_pon_end, lw_pon_put};
use crate::text::{decimal, text_of};

/// [`lw_pon_put`](crate::pon::writer::lw_pon_put).
#[inline(always)]
pub(crate) unsafe fn value(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char, data: *const u8, len: u32) {
    unsafe {
        let mut out = &raw mut *out;
        if !data.is_null() {
            out = add_in_front(out, data, len);
        }
        let mut head = Number::new();
        let end = head.end();
        let at = end.wrapping_sub(1);
        at.write(kind as u8);
        put_key(out, key, key_len, decimal(at, len), end);
    }
}

/// [`lw_pon_put_word`](crate::pon::writer::lw_pon_put_word).
#[inline(always)]
pub(crate) unsafe fn word(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char) {
    unsafe {
        let mut head = Number::new();
        let end = head.end();
        let at = end.wrapping_sub(1);
        at.write(kind as u8);
        put_key(out, key, key_len, at, end);
    }
}

/// Writes a key, if there is one, and the rest of a head, which there is room for a `:` in front of.
#[inline(always)]
unsafe fn put_key(out: *mut Out, key: *const c_char, key_len: u32, mut at: *mut u8, end: *const u8) {
    unsafe {
        if !key.is_null() {
            at = at.wrapping_sub(1);
            at.write(b':');
        }
        let out = add_in_front(out, at, gap(at, end));
        add_in_front(out, key.cast(), key_len);
    }
}

/// [`lw_pon_put_i32`](crate::pon::writer::lw_pon_put_i32).
#[inline(always)]
pub(crate) unsafe fn signed(out: &mut Out, key: *const c_char, key_len: u32, value: i32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        let start = text_of(end, value as u32, value < 0);
        lw_pon_put(out, key, key_len, b'i' as _, start.cast(), gap(start, end));
    }
}

/// [`lw_pon_put_u32`](crate::pon::writer::lw_pon_put_u32).
#[inline(always)]
pub(crate) unsafe fn unsigned(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        let start = decimal(end, value);
        lw_pon_put(out, key, key_len, b'i' as _, start.cast(), gap(start, end));
    }
}

/// [`lw_pon_put_container`](crate::pon::writer::lw_pon_put_container).
#[inline(always)]
pub(crate) unsafe fn container(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char, end: u32) {
    unsafe {
        let len = lw_pon_end(out).wrapping_sub(end);
        lw_pon_put(out, key, key_len, kind, core::ptr::null(), len);
    }
}

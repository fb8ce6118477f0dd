//! Values, last one first: every length is known when it is due.

use core::ffi::{c_char, c_void};

use crate::bytes::{again, copy_apart, gap, kept, plain};
use crate::out::{NUMBER, Number, Out, decimal, digit, lw_format_fixed, seldom, signed, signed_width, width};

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
        if data.is_null() {
            return lw_pon_put_container(out, key, key_len, kind, lw_pon_end(out).wrapping_sub(len));
        }
        if let Some(start) = put_data(out, key, key_len, data.cast(), len) {
            put_head(out, key, key_len, start, kind);
        }
    }
}

/// Writes data, if there is room for it and its head: where it starts.
#[inline(always)]
pub(crate) unsafe fn put_data(
    out: &mut Out,
    key: *const c_char,
    key_len: u32,
    data: *const u8,
    len: u32,
) -> Option<*mut u8> {
    unsafe {
        let mut room = room(out);
        let spare = room.wrapping_sub(key_len.wrapping_add(HEAD) as i32);
        if spare < 0 || (spare as u32) < len {
            room = room_for(out, key, key_len, len);
            if room < 0 {
                return None;
            }
        }
        let start = plain(front(out, room).wrapping_sub(len as usize)).cast_mut();
        copy_apart(start, data, len);
        Some(start)
    }
}

/// Bytes of a head at the most, without the key: `:`, digits, type.
const HEAD: u32 = 12;

/// Bytes that are left in the buffer; below zero where there was no room for an earlier value.
#[inline(always)]
fn room(out: &Out) -> i32 {
    out.capacity.wrapping_sub(out.len) as i32
}

/// Where the next value ends, in a buffer of which so many bytes are left.
#[inline(always)]
fn front(out: &Out, room: i32) -> *mut u8 {
    out.buffer.cast::<u8>().wrapping_add(room as usize)
}

/// Where the next value ends, if there is room for it: it is no longer than a number, but for `here` bytes that are in
/// their place already, or not written at all.
#[inline(always)]
pub(crate) unsafe fn place(
    out: &mut Out,
    key: *const c_char,
    key_len: u32,
    here: u32,
    len: impl FnOnce() -> u32,
) -> Option<*mut u8> {
    let mut room = room(out);
    if room.wrapping_sub(key_len as i32) < (HEAD + NUMBER as u32) as i32 {
        room = room_for(out, key, key_len.wrapping_sub(here), len());
        if room < 0 {
            return None;
        }
    }
    Some(front(out, room))
}

/// Bytes that are left in the buffer, of which there are none to spare, if a value of so many has room; otherwise it is
/// counted, and they are below zero.
#[cold]
#[inline(never)]
fn room_for(out: &mut Out, key: *const c_char, key_len: u32, len: u32) -> i32 {
    let head = width(len) + 1 + u32::from(!key.is_null());
    let total = out.len.wrapping_add(key_len).wrapping_add(len).wrapping_add(head);
    if total > out.capacity || (len as i32) < 0 {
        // No buffer is so large; so nothing that comes later finds room either.
        out.len = if (total | len) >> 30 != 0 { kept(3 << 29) } else { total };
    }
    room(out)
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

/// Writes the head of a value, whose type is in place in front of its data.
#[inline(never)]
unsafe fn head(out: &mut Out, key: *const c_char, key_len: u32, kind: *mut u8) {
    unsafe {
        let (at, end) = put_length(out, kind);
        put_key(out, key, key_len, at, end);
    }
}

/// Writes the length of what stands behind the type of a value: where it begins, and the end of the buffer.
#[inline(always)]
pub(crate) unsafe fn put_length(out: *mut Out, kind: *mut u8) -> (*mut u8, *const u8) {
    unsafe {
        // Read again: there are few registers.
        let end = plain(
            again(&raw const (*out).buffer).cast::<u8>().wrapping_add(again(&raw const (*out).capacity) as usize),
        );
        let len = kept(gap(kind, end).wrapping_sub(again(&raw const (*out).len)).wrapping_sub(1));
        if len < 10 {
            return (digit(kind, kept(len)), end);
        }
        seldom();
        (decimal(kind, len), end)
    }
}

/// Writes a key, if there is one, in front of the rest of a value.
#[inline(always)]
pub(crate) unsafe fn put_key(out: &mut Out, key: *const c_char, key_len: u32, mut at: *mut u8, end: *const u8) {
    unsafe {
        if !key.is_null() {
            at = at.wrapping_sub(1);
            at.write(b':');
            at = plain(at.wrapping_sub(key_len as usize)).cast_mut();
            copy_apart(at, key.cast(), key_len);
        }
        out.len = gap(at, end);
    }
}

/// Writes a value that is its type alone: t, f or u.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_word(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char) {
    unsafe {
        // It has no length.
        let Some(place) = place(out, key, key_len, 1, || 0) else { return };
        let at = place.wrapping_sub(1);
        at.write(kind as u8);
        put_key(out, key, key_len, at, out.end());
    }
}

/// Writes an integer in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_i32(out: &mut Out, key: *const c_char, key_len: u32, value: i32) {
    unsafe {
        if let Some(place) = place(out, key, key_len, 0, || signed_width(value)) {
            put_head(out, key, key_len, signed(place, value), b'i' as _);
        }
    }
}

/// Writes an integer that is not negative in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_u32(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        if let Some(place) = place(out, key, key_len, 0, || width(value)) {
            put_head(out, key, key_len, decimal(place, value), b'i' as _);
        }
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
        if let Some(start) = put_end(out, key, key_len, end) {
            put_head(out, key, key_len, start, kind);
        }
    }
}

/// As if what is in a container had not been written yet, if there is room for its head: where it starts.
#[inline(always)]
pub(crate) unsafe fn put_end(out: &mut Out, key: *const c_char, key_len: u32, end: u32) -> Option<*mut u8> {
    unsafe {
        let len = lw_pon_end(out).wrapping_sub(end);
        let start = place(out, key, key_len, len, || len);
        if start.is_some() {
            out.len = out.len.wrapping_sub(len);
        }
        start
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

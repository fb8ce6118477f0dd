//! Values, last one first: every length is known when it is due.

use core::ffi::{c_char, c_void};

use crate::bytes::{again, copy_apart, gap, kept, plain};
use crate::out::{Out, decimal, digit, fixed, fixed_width, signed, signed_width, width};

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
        // Below zero where there was no room for an earlier one.
        let room = out.capacity.wrapping_sub(out.len);
        let head_len = key_len.wrapping_add(HEAD);
        let is_scarce = (room as i32) < head_len as i32 || room.wrapping_sub(head_len) < len;
        if is_scarce && !is_room(out, key, key_len, len) {
            return;
        }
        let place = plain(out.front().wrapping_sub(len as usize)).cast_mut();
        copy_apart(place, data.cast(), len);
        let at = place.wrapping_sub(1);
        at.write(kind as u8);
        head(out, key, key_len, at);
    }
}

/// Bytes of a head at the most, without the key: `:`, digits, type.
const HEAD: u32 = 12;
/// Bytes of a number at the most.
const NUMBER: u32 = 12;

/// Whether there is room for a value of so many bytes, of which there is none to spare; otherwise it is counted.
#[cold]
#[inline(never)]
fn is_room(out: &mut Out, key: *const c_char, key_len: u32, len: u32) -> bool {
    let before = out.len;
    let head = width(len) + 1 + u32::from(!key.is_null());
    let is_room = out.count(head.wrapping_add(key_len), len);
    if is_room {
        out.len = before;
    }
    is_room
}

/// Writes the head of a value, whose type is in place in front of its data.
#[inline(never)]
unsafe fn head(out: &mut Out, key: *const c_char, key_len: u32, kind: *mut u8) {
    unsafe {
        // Read again: there are few registers.
        let out = &raw mut *out;
        let end = plain(
            again(&raw const (*out).buffer).cast::<u8>().wrapping_add(again(&raw const (*out).capacity) as usize),
        );
        let len = kept(gap(kind, end).wrapping_sub(again(&raw const (*out).len)).wrapping_sub(1));
        let at = if len < 10 { digit(kind, kept(len)) } else { decimal(kind, len) };
        keyed(&mut *out, key, key_len, at, end);
    }
}

/// Writes a key, if there is one, in front of the rest of a value.
#[inline(always)]
unsafe fn keyed(out: &mut Out, key: *const c_char, key_len: u32, mut at: *mut u8, end: *const u8) {
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
        if is_scarce(out, key_len) && !is_room(out, key, key_len.wrapping_sub(1), 0) {
            return;
        }
        let at = out.front().wrapping_sub(1);
        at.write(kind as u8);
        keyed(out, key, key_len, at, out.end());
    }
}

/// Whether there may be no room for a number or less.
#[inline(always)]
fn is_scarce(out: &Out, key_len: u32) -> bool {
    // Below zero where there was no room for an earlier value.
    (out.capacity.wrapping_sub(out.len) as i32) < key_len.wrapping_add(HEAD + NUMBER) as i32
}

/// Writes an integer in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_i32(out: &mut Out, key: *const c_char, key_len: u32, value: i32) {
    unsafe {
        if is_scarce(out, key_len) && !is_room(out, key, key_len, signed_width(value)) {
            return;
        }
        let at = signed(out.front(), value).wrapping_sub(1);
        at.write(b'i');
        head(out, key, key_len, at);
    }
}

/// Writes an integer that is not negative in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_u32(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        if is_scarce(out, key_len) && !is_room(out, key, key_len, width(value)) {
            return;
        }
        let at = decimal(out.front(), value).wrapping_sub(1);
        at.write(b'i');
        head(out, key, key_len, at);
    }
}

/// Writes a fixed number, which `lw_fixed` reads: 2150 with two `decimals` is 21.50; there are nine at the most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_fixed(out: &mut Out, key: *const c_char, key_len: u32, value: i32, decimals: u32) {
    unsafe {
        let len = fixed_width(value, decimals);
        if is_scarce(out, key_len) && !is_room(out, key, key_len, len) {
            return;
        }
        let at = fixed(out.front(), value, decimals).wrapping_sub(1);
        at.write(b'd');
        head(out, key, key_len, at);
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
        let len = lw_pon_end(out).wrapping_sub(end);
        // What is in it has its room already.
        if is_scarce(out, key_len) && !is_room(out, key, key_len.wrapping_sub(len), len) {
            return;
        }
        let at = out.front().wrapping_sub(1);
        at.write(kind as u8);
        // As if that had not been written yet.
        out.len = out.len.wrapping_sub(len);
        head(out, key, key_len, at);
    }
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

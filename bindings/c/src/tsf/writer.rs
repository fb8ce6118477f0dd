//! Units, one behind the other.

use core::ffi::{c_char, c_void};

use crate::bytes::copy;
use crate::out::{Out, Piece, copy_to, decimal, fixed, fixed_width, head_number, magnitude, signed, together, width};

/// Writes a unit of data: its length, its name, its type, and the data.
///
/// The name is written as it is: it must be a plain one (not begin with a digit or a `"`, and hold no type), or an
/// extended one with its `"` and escapes. LW_NAME("t") is a name and its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put(
    out: &mut Out,
    name: *const c_char,
    name_len: u32,
    kind: c_char,
    data: *const c_void,
    len: u32,
) {
    unsafe { copy_to(head(out, len, name, name_len, kind, len), data, len) }
}

/// Writes the head of a unit of units: `count` units follow, which are in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_units(out: &mut Out, name: *const c_char, name_len: u32, kind: c_char, count: u32) {
    unsafe {
        head(out, count, name, name_len, kind, 0);
    }
}

/// Writes an integer as a unit of the type `kind`, which is `#` in the set `value`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_i32(out: &mut Out, name: *const c_char, name_len: u32, kind: c_char, value: i32) {
    unsafe {
        let (len, _) = magnitude(value);
        let place = head(out, len, name, name_len, kind, len);
        if !place.is_null() {
            signed(place, len, value);
        }
    }
}

/// Writes an integer that is not negative as a unit of the type `kind`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_u32(out: &mut Out, name: *const c_char, name_len: u32, kind: c_char, value: u32) {
    unsafe {
        let len = width(value);
        let place = head(out, len, name, name_len, kind, len);
        if !place.is_null() {
            decimal(place.wrapping_add(len as usize), value);
        }
    }
}

/// Writes a fixed number, which `lw_fixed` reads, as a unit of the type `kind`: `%` in the set `value`. 2150 with two
/// `decimals` is 21.50; there are nine at the most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_fixed(
    out: &mut Out,
    name: *const c_char,
    name_len: u32,
    kind: c_char,
    value: i32,
    decimals: u32,
) {
    unsafe {
        let len = fixed_width(value, decimals);
        let place = head(out, len, name, name_len, kind, len);
        if !place.is_null() {
            fixed(place, len, value, decimals);
        }
    }
}

/// Writes a unit of data that stays where it is, as a piece of its own (`lw_out_gather`); the data must be there
/// until the message is sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_borrowed(
    out: &mut Out,
    name: *const c_char,
    name_len: u32,
    kind: c_char,
    data: *const c_void,
    len: u32,
) {
    unsafe {
        head(out, len, name, name_len, kind, 0);
        flush(out);
        push(out, data, len as usize);
        out.elsewhere = out.elsewhere.saturating_add(len);
    }
}

/// Ends the message. Returns its bytes in the buffer, from the start of that; LW_LIMIT where there was no room for
/// them (`len` says for how many there must be) or for its pieces (`piece_count`), LW_UNSUPPORTED where a payload
/// was left elsewhere without `lw_out_gather`. The pieces, `piece_count` of them, are in the order of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_finish(out: &mut Out) -> i32 {
    unsafe {
        if !out.pieces.is_null() {
            flush(out);
        }
    }
    out.result()
}

/// What is in the buffer and in no piece becomes one.
unsafe fn flush(out: &mut Out) {
    unsafe {
        let from = out.in_pieces;
        if out.len != from {
            out.in_pieces = out.len;
            push(out, out.buffer.wrapping_add(from as usize).cast(), (out.len - from) as usize);
        }
    }
}

unsafe fn push(out: &mut Out, data: *const c_void, len: usize) {
    unsafe {
        if out.piece_count < out.piece_capacity {
            out.pieces.add(out.piece_count as usize).write(Piece { data, len });
        }
        out.piece_count = out.piece_count.saturating_add(1);
    }
}

/// Writes the head of a unit; room for `len` bytes of data behind it, null where there is none.
#[inline(never)]
pub(crate) unsafe fn head(
    out: &mut Out,
    number: u32,
    name: *const c_char,
    name_len: u32,
    kind: c_char,
    len: u32,
) -> *mut u8 {
    unsafe {
        let digits = width(number);
        let Some(place) = out.behind(together(digits + 1, name_len, len)) else { return core::ptr::null_mut() };
        let place = head_number(place, digits, number);
        let place = copy(place, name.cast(), name_len);
        place.write(kind as u8);
        place.wrapping_add(1)
    }
}

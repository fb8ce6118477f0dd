//! Values, last one first: every length is known when it is due.

use core::ffi::{c_char, c_void};

use crate::bytes::copy;
use crate::out::{Out, Piece, copy_to, decimal, fixed, fixed_width, head_number, magnitude, signed, together, width};

/// Writes a value with a length in front of those written: its key, its length, its type and the data.
///
/// The key is written as it is: a `:` or a `\` in it must have a `\` before it. LW_NAME("t") is a key and its
/// length; an item of an array, and the outermost value, have none: NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put(
    out: &mut Out,
    key: *const c_char,
    key_len: u32,
    kind: c_char,
    data: *const c_void,
    len: u32,
) {
    unsafe { copy_to(head(out, len, key, key_len, kind, len), data, len) }
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
        let (len, _) = magnitude(value);
        let place = head(out, len, key, key_len, b'i' as c_char, len);
        if !place.is_null() {
            signed(place, len, value);
        }
    }
}

/// Writes an integer that is not negative in front of what is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_u32(out: &mut Out, key: *const c_char, key_len: u32, value: u32) {
    unsafe {
        let len = width(value);
        let place = head(out, len, key, key_len, b'i' as c_char, len);
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
        let place = head(out, len, key, key_len, b'd' as c_char, len);
        if !place.is_null() {
            fixed(place, len, value, decimals);
        }
    }
}

/// The place where a container ends that is to be written now: `lw_pon_put_container` wants it back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_end(out: &Out) -> u32 {
    out.total()
}

/// Writes the head of an object (`{`) or of an array (`[`): all written since `end` was taken is in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_container(out: &mut Out, key: *const c_char, key_len: u32, kind: c_char, end: u32) {
    unsafe {
        let len = out.total().saturating_sub(end);
        head(out, len, key, key_len, kind, 0);
    }
}

/// Writes a value whose data stays where it is, as a piece of its own (`lw_out_gather`); the data must be there
/// until the message is sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_borrowed(
    out: &mut Out,
    key: *const c_char,
    key_len: u32,
    kind: c_char,
    data: *const c_void,
    len: u32,
) {
    unsafe {
        flush(out);
        push(out, data, len as usize);
        out.elsewhere = out.elsewhere.saturating_add(len);
        head(out, len, key, key_len, kind, 0);
    }
}

/// Ends the message, which is the end of the buffer. Returns its bytes there, and in `*start` where they begin;
/// LW_LIMIT where there was no room for them (`len` says for how many there must be) or for its pieces
/// (`piece_count`), LW_UNSUPPORTED where a payload was left elsewhere without `lw_out_gather`. The pieces,
/// `piece_count` of them, are in the order of the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_finish(out: &mut Out, start: *mut *const c_char) -> i32 {
    unsafe {
        if !out.pieces.is_null() {
            flush(out);
            if out.piece_count <= out.piece_capacity {
                reverse(out.pieces, out.piece_count as usize);
            }
        }
        let len = out.result();
        if len >= 0 && !start.is_null() {
            *start = out.buffer.wrapping_add((out.capacity - out.len) as usize);
        }
        len
    }
}

/// Turns the pieces round, which were left last one first.
unsafe fn reverse(pieces: *mut Piece, count: usize) {
    unsafe {
        let mut front = 0;
        while front < count / 2 {
            pieces.add(front).swap(pieces.add(count - 1 - front));
            front += 1;
        }
    }
}

/// What is in the buffer and in no piece becomes one.
unsafe fn flush(out: &mut Out) {
    unsafe {
        let from = out.in_pieces;
        if out.len != from {
            out.in_pieces = out.len;
            if out.len <= out.capacity {
                let data = out.buffer.wrapping_add((out.capacity - out.len) as usize);
                push(out, data.cast(), (out.len - from) as usize);
            }
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

/// Writes the head of a value; room for `len` bytes of data behind it, null where there is none.
#[inline(never)]
pub(crate) unsafe fn head(
    out: &mut Out,
    number: u32,
    key: *const c_char,
    key_len: u32,
    kind: c_char,
    len: u32,
) -> *mut u8 {
    unsafe {
        let digits = width(number);
        let place = keyed(out, key, key_len, digits + 1, len);
        if place.is_null() {
            return place;
        }
        let place = head_number(place, digits, number);
        place.write(kind as u8);
        place.wrapping_add(1)
    }
}

/// Writes a key, if there is one, in front of what is written; room for a head and data behind its `:`, null where
/// there is none.
#[inline(always)]
unsafe fn keyed(out: &mut Out, key: *const c_char, key_len: u32, head: u32, len: u32) -> *mut u8 {
    unsafe {
        let colon = u32::from(!key.is_null());
        let Some(place) = out.before(together(head + colon, key_len, len)) else { return core::ptr::null_mut() };
        let place = copy(place, key.cast(), key_len);
        // Without a key the byte is the head's.
        place.write(b':');
        place.wrapping_add(colon as usize)
    }
}

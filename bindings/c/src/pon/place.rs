//! Places values in the buffer, if there is room.

use core::ffi::c_char;

use crate::bytes::{again, copy_apart, gap, plain};
use crate::out::{NUMBER, Out, digit, seldom, width};
use crate::pon::writer::lw_pon_end;
use crate::text::decimal;

/// Writes data, if there is room for it and its head. Returns its start.
#[inline(always)]
pub(crate) unsafe fn put_data(
    out: &mut Out,
    has_key: bool,
    key_len: u32,
    data: *const u8,
    len: u32,
) -> Option<*mut u8> {
    unsafe {
        let mut room = room(out);
        let spare = room.wrapping_sub(key_len.wrapping_add(HEAD) as i32);
        if spare < 0 || (spare as u32) < len {
            room = room_for(out, has_key, key_len, len);
            if room < 0 {
                return None;
            }
        }
        let start = front(out, room).wrapping_sub(len as usize);
        copy_apart(start, data, len);
        Some(start)
    }
}

/// The maximal length of a head without the key: `:`, digits, type.
const HEAD: u32 = 12;

/// The bytes left in the buffer; negative if an earlier value did not fit.
#[inline(always)]
fn room(out: &Out) -> i32 {
    out.capacity.wrapping_sub(out.len) as i32
}

/// The end of the next value, in a buffer with `room` bytes left.
#[inline(always)]
fn front(out: &Out, room: i32) -> *mut u8 {
    out.buffer.cast::<u8>().wrapping_add(room as usize)
}

/// The end of the next value, if there is room for it: it is as long as a number at most, except for `here` bytes that
/// are in place already, or not written at all.
#[inline(always)]
pub(crate) unsafe fn place(
    out: &mut Out,
    has_key: bool,
    key_len: u32,
    here: u32,
    len: impl FnOnce() -> u32,
) -> Option<*mut u8> {
    let mut room = room(out);
    if room.wrapping_sub(key_len as i32) < (HEAD + NUMBER as u32) as i32 {
        room = room_for(out, has_key, key_len.wrapping_sub(here), len());
        if room < 0 {
            return None;
        }
    }
    Some(front(out, room))
}

/// The bytes left in the buffer after a value of `len` bytes; negative if it does not fit, in which case it is only
/// counted.
#[cold]
#[inline(never)]
fn room_for(out: &mut Out, has_key: bool, key_len: u32, len: u32) -> i32 {
    let head = width(len) + 1 + u32::from(has_key);
    let total = out.len.wrapping_add(key_len).wrapping_add(len).wrapping_add(head);
    if total > out.capacity || (len as i32) < 0 {
        // No buffer is this large, so nothing later fits either.
        out.len = if (total | len) >> 30 != 0 { 3 << 29 } else { total };
    }
    room(out)
}

/// Writes the length of what follows the type of a value. Returns its start, and the end of the buffer.
#[inline(always)]
pub(crate) unsafe fn put_length(out: *mut Out, kind: *mut u8) -> (*mut u8, *const u8) {
    unsafe {
        // Read again, because there are few registers.
        let end = plain(
            again(&raw const (*out).buffer).cast::<u8>().wrapping_add(again(&raw const (*out).capacity) as usize),
        );
        let len = gap(kind, end).wrapping_sub(again(&raw const (*out).len)).wrapping_sub(1);
        if len < 10 {
            return (digit(kind, len), end);
        }
        seldom();
        (decimal(kind, len), end)
    }
}

/// Writes a key, if there is one, before the rest of a value.
#[inline(always)]
pub(crate) unsafe fn put_key(
    out: &mut Out,
    has_key: bool,
    key: *const c_char,
    key_len: u32,
    mut at: *mut u8,
    end: *const u8,
) {
    unsafe {
        if has_key {
            at = at.wrapping_sub(1);
            at.write(b':');
            at = at.wrapping_sub(key_len as usize);
            copy_apart(at, key.cast(), key_len);
        }
        out.len = gap(at, end);
    }
}

/// Takes back the content of a container from the count, if there is room for its head. Returns its start.
#[inline(always)]
pub(crate) unsafe fn put_end(out: &mut Out, has_key: bool, key_len: u32, end: u32) -> Option<*mut u8> {
    unsafe {
        let len = lw_pon_end(out).wrapping_sub(end);
        let start = place(out, has_key, key_len, len, || len);
        if start.is_some() {
            out.len = out.len.wrapping_sub(len);
        }
        start
    }
}

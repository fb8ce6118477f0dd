//! Where writers write to: a buffer of the caller's, and a list of pieces that lie elsewhere.

use core::ffi::{c_char, c_void};

use crate::bytes::{copy, kept, plain};
use crate::code::{LW_LIMIT, LW_UNSUPPORTED};

/// A message that is being written. What has no room is counted and not written: with a capacity of 0 it
/// is a count alone.
#[repr(C)]
#[derive(Debug)]
pub struct Out {
    /// The caller's buffer. TSF fills it from its start, PON from its end.
    pub buffer: *mut c_char,
    /// Bytes of it.
    pub capacity: u32,
    /// Bytes written, and those that had no room; payloads that lie elsewhere are not among them.
    pub len: u32,
    /// Bytes of payloads that lie elsewhere.
    pub elsewhere: u32,
    /// The pieces of the message, if payloads may lie elsewhere.
    pub pieces: *mut Piece,
    /// How many pieces there is room for.
    pub piece_capacity: u32,
    /// How many there are, and those that had no room.
    pub piece_count: u32,
    /// Bytes of the buffer that are in pieces already.
    pub in_pieces: u32,
}

/// A piece of a message: what `struct iovec` says.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Where it lies.
    pub data: *const c_void,
    /// Bytes.
    pub len: usize,
}

/// Begins a message in a buffer of `capacity` bytes, which must be below 4 GiB - 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_out_init(out: &mut Out, buffer: *mut c_void, capacity: u32) {
    let out = &raw mut *out;
    unsafe {
        (*out).buffer = buffer.cast();
        (*out).capacity = capacity.min(u32::MAX - 1);
        // One by one: a call that clears memory is longer.
        (&raw mut (*out).len).write_volatile(0);
        (&raw mut (*out).elsewhere).write_volatile(0);
        (&raw mut (*out).pieces).write_volatile(core::ptr::null_mut());
        (&raw mut (*out).piece_capacity).write_volatile(0);
        (&raw mut (*out).piece_count).write_volatile(0);
        (&raw mut (*out).in_pieces).write_volatile(0);
    }
}

/// Lets payloads stay where they are: `lw_tsf_finish` or `lw_pon_finish` then leave the message in `pieces`, which
/// have room for `capacity` of them: two for each payload, and one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_out_gather(out: &mut Out, pieces: *mut Piece, capacity: u32) {
    out.pieces = pieces;
    out.piece_capacity = capacity;
}

impl Out {
    /// Room for `len` bytes behind those written; none where there is no room, and they are counted.
    #[inline(always)]
    pub(crate) fn behind(&mut self, len: u32) -> Option<*mut u8> {
        let at = self.len;
        self.len = at.saturating_add(len);
        (self.len <= self.capacity).then(|| self.buffer.cast::<u8>().wrapping_add(at as usize))
    }

    /// Room for `len` bytes in front of those written.
    #[inline(always)]
    pub(crate) fn before(&mut self, len: u32) -> Option<*mut u8> {
        let at = self.len.saturating_add(len);
        self.len = at;
        (at <= self.capacity).then(|| self.buffer.cast::<u8>().wrapping_add((self.capacity - at) as usize))
    }

    /// The whole message's bytes so far.
    #[inline(always)]
    pub(crate) fn total(&self) -> u32 {
        self.len.saturating_add(self.elsewhere)
    }

    /// What the message turned out to be: its bytes in the buffer.
    pub(crate) fn result(&self) -> i32 {
        if self.piece_count != 0 && self.pieces.is_null() {
            LW_UNSUPPORTED
        } else if self.len > self.capacity || self.piece_count > self.piece_capacity || self.total() > i32::MAX as u32 {
            LW_LIMIT
        } else {
            self.len as i32
        }
    }
}

/// Digits of a number, 1 to 10.
#[inline(always)]
pub(crate) fn width(number: u32) -> u32 {
    match number {
        0..10 => 1,
        10..100 => 2,
        _ => great_width(number),
    }
}

#[inline(never)]
fn great_width(number: u32) -> u32 {
    if number < 1000 {
        return 3;
    }
    let mut width = 4;
    let mut bound = 10_000;
    while number >= bound {
        width += 1;
        if width == 10 {
            break;
        }
        bound *= 10;
    }
    width
}

/// Writes a number so that its last digit stands before `end`.
///
/// Small processors have no instruction to divide, and none that multiplies to 64 bits. So four
/// digits at a time are taken off by multiplications of 16 bits by 16 and of 14 by 18.
#[inline(never)]
pub(crate) unsafe fn decimal(mut end: *mut u8, mut number: u32) {
    unsafe {
        while number >= 10_000 {
            let (rest, mut four) = by_ten_thousand(number);
            let mut left = kept(4);
            while left != 0 {
                let tens = (four * 6554) >> 16;
                end = plain(end.wrapping_sub(1)).cast_mut();
                end.write((four - tens * 10) as u8 + b'0');
                four = tens;
                left -= 1;
            }
            number = rest;
        }
        loop {
            let tens = (number * 6554) >> 16;
            end = plain(end.wrapping_sub(1)).cast_mut();
            end.write((number - tens * 10) as u8 + b'0');
            number = tens;
            if number == 0 {
                return;
            }
        }
    }
}

/// What a head of so many bytes, a name and data take together.
#[inline(always)]
pub(crate) fn together(head: u32, name_len: u32, len: u32) -> u32 {
    // Far more than there can be room for is too much as well.
    if (name_len | len) >> 30 != 0 { u32::MAX } else { head + name_len + len }
}

/// A number by 10 000: quotient and remainder.
#[inline(always)]
pub(crate) fn by_ten_thousand(number: u32) -> (u32, u32) {
    // 2^27 / 625, rounded down: the quotient is right or one too small.
    const FACTOR: u32 = 214_748;
    let sixteenth = number >> 4;
    let low = ((sixteenth & 0x3FFF) * FACTOR) >> 14;
    let mut quotient = ((sixteenth >> 14) * FACTOR + low) >> 13;
    let mut rest = number - quotient * 10_000;
    if rest >= 10_000 {
        rest -= 10_000;
        quotient += 1;
    }
    (quotient, rest)
}

/// Number of digits and magnitude of a signed number: what its text takes.
#[inline(always)]
pub(crate) fn magnitude(value: i32) -> (u32, u32) {
    let magnitude = value.unsigned_abs();
    (width(magnitude) + u32::from(value < 0), magnitude)
}

/// Writes a signed number that takes `len` bytes.
#[inline(always)]
pub(crate) unsafe fn signed(place: *mut u8, len: u32, value: i32) {
    unsafe {
        if value < 0 {
            place.write(b'-');
        }
        decimal(place.wrapping_add(len as usize), value.unsigned_abs());
    }
}

/// Writes digits of a number that takes `len` of them; behind them.
#[inline(always)]
pub(crate) unsafe fn head_number(place: *mut u8, len: u32, number: u32) -> *mut u8 {
    unsafe {
        let end = place.wrapping_add(len as usize);
        if len == 1 {
            place.write(number as u8 + b'0');
        } else {
            decimal(end, number);
        }
        end
    }
}

/// Copies bytes to a place that may not be there.
#[inline(always)]
pub(crate) unsafe fn copy_to(place: *mut u8, from: *const c_void, len: u32) {
    unsafe {
        if !place.is_null() {
            copy(place, from.cast(), len);
        }
    }
}

/// Bytes that a fixed number takes as text, `decimals` places behind its point.
#[inline(always)]
pub(crate) fn fixed_width(value: i32, decimals: u32) -> u32 {
    width(value.unsigned_abs()).max(decimals + 1) + 1 + u32::from(value < 0)
}

/// Writes a fixed number that takes `len` bytes: 2150 with two places is 21.50.
#[inline(never)]
pub(crate) unsafe fn fixed(place: *mut u8, len: u32, value: i32, decimals: u32) {
    unsafe {
        let end = place.wrapping_add(len as usize);
        let mut at = place;
        while at != end {
            at.write_volatile(b'0');
            at = at.add(1);
        }
        decimal(end, value.unsigned_abs());
        if value < 0 {
            place.write(b'-');
        }
        // The digits in front of the point stand a byte too far behind.
        let point = end.wrapping_sub(decimals as usize + 1);
        let mut at = place.wrapping_add(usize::from(value < 0));
        while at != point {
            at.write_volatile(*at.add(1));
            at = at.add(1);
        }
        point.write(b'.');
    }
}

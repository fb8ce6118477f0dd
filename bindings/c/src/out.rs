//! Output: a buffer of the caller, and pieces elsewhere.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

use crate::bytes::{kept, plain};
use crate::code::{LW_LIMIT, LW_UNSUPPORTED, refused};
use crate::text::{decimal, text_of};

/// A message being written. What does not fit is counted but not written: with a capacity of 0 the message is only
/// counted.
#[repr(C)]
#[derive(Debug)]
pub struct Out {
    /// The caller's buffer. TSF fills it from its start, PON from its end.
    pub buffer: *mut core::ffi::c_char,
    /// Size of the buffer in bytes.
    pub capacity: u32,
    /// Bytes written, including those that did not fit, but not payloads elsewhere.
    pub len: u32,
    /// Bytes of payloads that are elsewhere.
    pub elsewhere: u32,
}

/// Begins a message in a buffer of `capacity` bytes, of which at most 1 GiB is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_out_init(out: &mut Out, buffer: *mut c_void, capacity: u32) {
    out.buffer = buffer.cast();
    out.capacity = if capacity >> 30 != 0 { kept(1) << 30 } else { capacity };
    out.len = 0;
    out.elsewhere = 0;
}

impl Out {
    /// The end of the buffer.
    #[inline(always)]
    pub(crate) fn end(&self) -> *const u8 {
        self.buffer.cast::<u8>().wrapping_add(self.capacity as usize)
    }

    /// The start of the bytes counted last, before those written earlier.
    #[inline(always)]
    pub(crate) fn front(&self) -> *mut u8 {
        self.buffer.cast::<u8>().wrapping_add((self.capacity - self.len) as usize)
    }

    /// The result of writing: the length in the buffer, if everything fits. Then `whole` is called.
    #[inline(always)]
    pub(crate) fn result(&self, whole: impl FnOnce()) -> i32 {
        if self.elsewhere != 0 {
            return refused(LW_UNSUPPORTED);
        }
        if self.len > self.capacity {
            return refused(LW_LIMIT);
        }
        whole();
        self.len as i32
    }
}

/// Digits of a number, 1 to 10.
#[cold]
#[inline(never)]
pub(crate) fn width(number: u32) -> u32 {
    let mut width = 1;
    let mut bound = 10;
    while number >= bound {
        width += 1;
        if width == 10 {
            break;
        }
        bound *= 10;
    }
    width
}

/// Bytes that a number takes as text.
#[inline(never)]
pub(crate) fn signed_width(value: i32) -> u32 {
    width(value.unsigned_abs()) + u32::from(value < 0)
}

/// Marks the path with this call as rare, so that the other one has no branch.
#[cold]
#[inline(always)]
pub(crate) fn seldom() {}

/// Room for the text of a number, which is written from its end.
pub(crate) struct Number(MaybeUninit<[u8; NUMBER]>);

/// The maximal length of a number: its sign, ten digits, a point.
pub(crate) const NUMBER: usize = 12;

impl Number {
    #[inline(always)]
    pub(crate) fn new() -> Number {
        Number(MaybeUninit::uninit())
    }

    #[inline(always)]
    pub(crate) fn end(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast::<u8>().wrapping_add(NUMBER)
    }
}

/// Writes the text of a number so that it ends before `end`. Returns its first character.
#[inline(always)]
pub(crate) unsafe fn signed(end: *mut u8, value: i32) -> *mut u8 {
    unsafe { text_of(end, value as u32, value < 0) }
}

/// Writes a digit before `end`.
#[inline(always)]
pub(crate) unsafe fn digit(end: *mut u8, digit: u32) -> *mut u8 {
    let end = plain(end.wrapping_sub(1)).cast_mut();
    unsafe { end.write(digit as u8 + b'0') };
    end
}

/// Writes the text of a fixed number with `decimals` places after the point, so that it ends before `end`: 2150 with two
/// places is 21.50, and with none 2150. It takes at most 12 bytes. Returns its first character. With more than nine
/// `decimals` it writes nothing and returns a place after `end`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_format_fixed(end: *mut c_char, value: i32, decimals: u32) -> *mut c_char {
    unsafe {
        let end = end.cast::<u8>();
        if decimals > 9 {
            // The writers take this for a text of 4 GiB, which no buffer has room for.
            return end.wrapping_add(1).cast();
        }
        let mut start = decimal(end, value.unsigned_abs());
        if decimals != 0 {
            let point = end.wrapping_sub(decimals as usize);
            while start >= point {
                start = start.wrapping_sub(1);
                start.write_volatile(b'0');
            }
            // The digits before the point move by one.
            let mut at = start;
            start = start.wrapping_sub(1);
            while at != point {
                at.wrapping_sub(1).write_volatile(*at);
                at = at.wrapping_add(1);
            }
            point.wrapping_sub(1).write(b'.');
        }
        if value < 0 {
            start = start.wrapping_sub(1);
            start.write(b'-');
        }
        start.cast()
    }
}

//! Where writers write to: a buffer of the caller's, and pieces that lie elsewhere.

use core::ffi::{c_char, c_void};

use crate::bytes::{FEW_REGISTERS, kept, plain};
use crate::code::{LW_LIMIT, LW_UNSUPPORTED, refused};

/// A message that is being written. What has no room is counted and not written: with a capacity of 0 it
/// is a count alone.
#[repr(C)]
#[derive(Debug)]
pub struct Out {
    /// The caller's buffer. TSF fills it from its start, PON from its end.
    pub buffer: *mut core::ffi::c_char,
    /// Bytes of it.
    pub capacity: u32,
    /// Bytes written, and those that had no room; payloads that lie elsewhere are not among them.
    pub len: u32,
    /// Bytes of payloads that lie elsewhere.
    pub elsewhere: u32,
    /// What writes decimals for a table of fields: `lw_tsf_encode` and `lw_pon_encode` set it, unless LW_NO_DECIMALS is
    /// defined.
    pub put_fixed:
        Option<unsafe extern "C" fn(out: *mut Out, name: *const c_char, name_len: u32, value: i32, decimals: u32)>,
}

/// Begins a message in a buffer of `capacity` bytes, of which no more than 2 GiB are used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_out_init(out: &mut Out, buffer: *mut c_void, capacity: u32) {
    out.buffer = buffer.cast();
    out.capacity = capacity.min(i32::MAX as u32);
    out.len = 0;
    out.elsewhere = 0;
    out.put_fixed = None;
}

impl Out {
    /// Counts bytes of a head and of data, and says whether there is room for them.
    #[inline(always)]
    pub(crate) fn count(&mut self, head: u32, data: u32) -> bool {
        let mut len = self.len.wrapping_add(head).wrapping_add(data);
        // No buffer is so large; so nothing that comes later finds room either.
        if ((len | data) as i32) < 0 {
            len = kept(1 << 31);
        }
        self.len = len;
        len <= self.capacity
    }

    /// The end of the buffer.
    #[inline(always)]
    pub(crate) fn end(&self) -> *const u8 {
        self.buffer.cast::<u8>().wrapping_add(self.capacity as usize)
    }

    /// Where the last bytes counted stand in front of those written before.
    #[inline(always)]
    pub(crate) fn front(&self) -> *mut u8 {
        self.buffer.cast::<u8>().wrapping_add((self.capacity - self.len) as usize)
    }

    /// Writes a decimal number of a table of fields, if such are wanted in the program.
    #[inline(always)]
    pub(crate) unsafe fn fixed(&mut self, name: *const c_char, name_len: u32, value: i32, decimals: u32) {
        match self.put_fixed {
            Some(put) => unsafe { put(self, name, name_len, value, decimals) },
            // The message cannot be had: `result` says so.
            None => self.elsewhere = u32::MAX,
        }
    }

    /// What the message turned out to be: its bytes in the buffer.
    #[inline(always)]
    pub(crate) fn result(&self) -> i32 {
        if self.elsewhere != 0 {
            refused(LW_UNSUPPORTED)
        } else if self.len > self.capacity {
            refused(LW_LIMIT)
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
    let mut width = 3;
    let mut bound = 1000;
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

/// Writes the text of a number so that it ends before `end`; its first character.
#[inline(always)]
pub(crate) unsafe fn signed(end: *mut u8, value: i32) -> *mut u8 {
    unsafe {
        let mut start = decimal(end, value.unsigned_abs());
        if value < 0 {
            start = start.wrapping_sub(1);
            start.write(b'-');
        }
        start
    }
}

/// Writes a number so that its last digit stands before `end`; its first one.
#[inline(never)]
pub(crate) unsafe fn decimal(mut end: *mut u8, mut number: u32) -> *mut u8 {
    unsafe {
        // A Cortex-M0+ has no instruction to divide, and none that multiplies to 64 bits.
        while FEW_REGISTERS && number >= 1 << 16 {
            let left = ten_thousands(number);
            end = four_digits(end, number - left * 10_000);
            number = left;
        }
        if number >= 10 {
            loop {
                let tens = if FEW_REGISTERS { small_tens(number) } else { number / 10 };
                end = digit(end, number - tens * 10);
                number = tens;
                if number < 10 {
                    break;
                }
            }
        }
        digit(end, kept(number))
    }
}

/// Writes a digit before `end`.
#[inline(always)]
pub(crate) unsafe fn digit(end: *mut u8, digit: u32) -> *mut u8 {
    let end = plain(end.wrapping_sub(1)).cast_mut();
    unsafe { end.write(digit as u8 + b'0') };
    end
}

/// Writes four digits before `end`, zeros as well: the first one is what is above 28 bits.
#[inline(always)]
unsafe fn four_digits(end: *mut u8, number: u32) -> *mut u8 {
    unsafe {
        let end = plain(end).cast_mut();
        let mut fraction = number * 268_436;
        let ten = kept(10);
        // From below zero up to it, which a processor sees without a comparison.
        let mut left = kept(0u32.wrapping_sub(4));
        loop {
            end.wrapping_offset(left as i32 as isize).write(kept(fraction >> 28) as u8 + b'0');
            fraction = (kept(fraction << 4) >> 4).wrapping_mul(ten);
            left = left.wrapping_add(1);
            if left == 0 {
                break;
            }
        }
        end.wrapping_sub(4)
    }
}

/// How often 10 is in a number of 16 bits.
#[inline(always)]
fn small_tens(number: u32) -> u32 {
    (number * 52_429) >> 19
}

/// How often 10 000 is in a number. The first factor is 65 536 / 10 000 and too small by 0.000011, so that less than
/// 83 000 is left; the second is 16 / 10 000 and too large by no more than what a number of 17 bits bears.
#[inline(always)]
fn ten_thousands(number: u32) -> u32 {
    let most = ((number >> 16) * 53_687) >> 13;
    most + ((((number - most * 10_000) >> 4) * 53_688) >> 25)
}

/// Bytes that a fixed number takes as text, `decimals` places behind its point.
#[inline(always)]
pub(crate) fn fixed_width(value: i32, decimals: u32) -> u32 {
    width(value.unsigned_abs()).max(decimals + 1) + 1 + u32::from(value < 0)
}

/// Writes a fixed number, `decimals` places behind its point, so that it ends before `end`: 2150 with two places is
/// 21.50. Its first character.
#[inline(never)]
pub(crate) unsafe fn fixed(end: *mut u8, value: i32, decimals: u32) -> *mut u8 {
    unsafe {
        let mut start = decimal(end, value.unsigned_abs());
        let point = end.wrapping_sub(decimals as usize);
        while start >= point {
            start = plain(start.wrapping_sub(1)).cast_mut();
            start.write_volatile(b'0');
        }
        // The digits in front of the point move by one.
        let mut at = start;
        start = start.wrapping_sub(1);
        while at != point {
            at.wrapping_sub(1).write_volatile(*at);
            at = plain(at.wrapping_add(1)).cast_mut();
        }
        point.wrapping_sub(1).write(b'.');
        if value < 0 {
            start = start.wrapping_sub(1);
            start.write(b'-');
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // What a Cortex-M0+ does in place of a division, which the tests elsewhere do not run.

    #[test]
    fn ten_thousands_are_those_of_a_division() {
        // Where either changes: at multiples of 10 000, of 16 and of 65 536.
        let tens = (1..=u32::MAX / 10_000).map(|n| n * 10_000);
        let high = (1..=0xFFFFu32).map(|n| n << 16);
        for number in tens.chain(high).flat_map(|n| [n - 16, n - 1, n, n | 15]).filter(|&n| n >= 1 << 16) {
            assert_eq!(ten_thousands(number), number / 10_000, "{number}");
        }
        assert_eq!(ten_thousands(u32::MAX), u32::MAX / 10_000);
    }

    #[test]
    fn four_digits_are_those_of_a_number() {
        for number in 0..10_000 {
            let mut text = [0xA5; 5];
            let end = &raw mut text[4];
            let start = unsafe { four_digits(end, number) };
            assert_eq!(start, &raw mut text[0]);
            assert_eq!((&text[..4], text[4]), (format!("{number:04}").as_bytes(), 0xA5));
        }
    }

    #[test]
    fn small_tens_are_those_of_a_division() {
        assert!((0..1u32 << 16).all(|number| small_tens(number) == number / 10));
    }
}

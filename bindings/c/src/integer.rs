//! Parses integers, optimized for speed: a number of nine digits always fits.

use crate::bytes::{WORDS, kept, plain, word_at};
use crate::code::{LW_LIMIT, LW_SYNTAX, refused};
use crate::field::{LW_I32, LW_U32};

/// The kinds of integers, as wide as a register.
pub(crate) const I32: u32 = LW_I32 as u32;
pub(crate) const U32: u32 = LW_U32 as u32;

/// Reads an integer: `kind` is LW_I32 or LW_U32. The grammar is that of JSON (RFC 8259, section 6, without fraction and
/// exponent).
#[inline(never)]
pub(crate) unsafe fn integer(p: *const u8, len: u32, out: &mut u32, kind: u32) -> i32 {
    unsafe {
        let end = plain(p.wrapping_add(len as usize));
        // Counts up from below zero to zero, which a processor detects without a comparison.
        let mut left = 0u32.wrapping_sub(len);
        // The number of digits; negative for a negative number.
        let mut size = len;
        'syntax: {
            if left == 0 {
                break 'syntax;
            }
            let mut first = u32::from(*p);
            if first <= ZERO {
                if first == u32::from(b'-') {
                    left = left.wrapping_add(1);
                    if left == 0 {
                        break 'syntax;
                    }
                    size = left;
                    first = u32::from(*p.add(1));
                }
                // 0 is a number, but nothing else may begin with 0.
                if first == ZERO && kept(left) != u32::MAX {
                    break 'syntax;
                }
            }
            let mut value = 0u32;
            'read: {
                while WORDS && left as i32 <= -4 {
                    let digits = word_at(end.wrapping_offset(left as i32 as isize)) ^ 0x3030_3030;
                    // The sum sets the highest bit of a byte above 9, or the byte had it before.
                    if (digits.wrapping_add(0x7676_7676) | digits) & 0x8080_8080 != 0 {
                        break 'syntax;
                    }
                    value = with_four(value, digits);
                    left = left.wrapping_add(4);
                    if left == 0 {
                        break 'read;
                    }
                }
                let ten = kept(10);
                loop {
                    let digit = u32::from(*end.wrapping_offset(left as i32 as isize)).wrapping_sub(48);
                    if digit > 9 {
                        break 'syntax;
                    }
                    value = value.wrapping_mul(ten).wrapping_add(digit);
                    left = left.wrapping_add(1);
                    if left == 0 {
                        break;
                    }
                }
            }
            'limit: {
                if size > 9 {
                    let sign = kept((size as i32 >> 31) as u32);
                    let digits = (size ^ sign).wrapping_sub(sign);
                    if digits <= 9 {
                        // Nothing negative fits in LW_U32, not even -0.
                        if kind != I32 {
                            break 'limit;
                        }
                    } else {
                        // Ten digits that begin with 4 may exceed 32 bits, which leaves less than half of them.
                        let first = u32::from(*end.wrapping_sub(10));
                        if digits != 10 || (first >= ZERO + 4 && (first != ZERO + 4 || (value as i32) >= 0)) {
                            break 'limit;
                        }
                        // What does not fit in LW_I32 is negative here; for LW_U32 only the sign is checked.
                        if ((value & kind.wrapping_sub(U32)).wrapping_add(sign) as i32) < 0 {
                            break 'limit;
                        }
                    }
                    value = (value ^ sign).wrapping_sub(sign);
                }
                *out = value;
                return 0;
            }
            return refused(LW_LIMIT);
        }
        refused(LW_SYNTAX)
    }
}

const ZERO: u32 = b'0' as u32;

/// A number and four more digits, the first one in the lowest byte. Adds the tens and ones of both halves at once.
#[inline(always)]
fn with_four(number: u32, digits: u32) -> u32 {
    let pairs = (digits & 0x00FF_00FF) * 10 + (digits >> 8 & 0x00FF_00FF);
    // Made here because shorter numbers do not need it.
    let hundred = kept(100);
    number.wrapping_mul(hundred).wrapping_add(pairs & 0xFFFF).wrapping_mul(hundred).wrapping_add(pairs >> 16)
}

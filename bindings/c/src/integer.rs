//! Integers from their text, for speed: of a number of nine digits it is known that it fits.

use crate::bytes::{WORDS, kept, plain, word_at};
use crate::code::{LW_LIMIT, LW_SYNTAX, refused};
use crate::field::{LW_I32, LW_U32};

/// The kinds of integers, in a register's width.
pub(crate) const I32: u32 = LW_I32 as u32;
pub(crate) const U32: u32 = LW_U32 as u32;

/// Reads an integer: `kind` is LW_I32 or LW_U32.
///
/// An integer is what JSON writes (RFC 8259, section 6, without fraction and exponent).
#[inline(never)]
pub(crate) unsafe fn integer(p: *const u8, len: u32, out: &mut u32, kind: u32) -> i32 {
    unsafe {
        let end = plain(p.wrapping_add(len as usize));
        // From below zero up to it, which a processor sees without a comparison.
        let mut left = 0u32.wrapping_sub(len);
        // Digits; below zero, those of a negative number.
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
                // 0 is a number, and what begins with it none.
                if first == ZERO && kept(left) != u32::MAX {
                    break 'syntax;
                }
            }
            let mut value = 0u32;
            'read: {
                while WORDS && left as i32 <= -4 {
                    let digits = word_at(end.wrapping_offset(left as i32 as isize)) ^ 0x3030_3030;
                    // A byte above 9 gets its highest bit, if it has not got it yet.
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
                        // Nothing negative fits into LW_U32, not even -0.
                        if kind != I32 {
                            break 'limit;
                        }
                    } else {
                        // Of numbers that begin with 4, those beyond 32 bits leave less than half of these.
                        let first = u32::from(*end.wrapping_sub(10));
                        if digits != 10 || (first >= ZERO + 4 && (first != ZERO + 4 || (value as i32) >= 0)) {
                            break 'limit;
                        }
                        // What does not fit into LW_I32 is below zero here, and of LW_U32 the sign alone is asked.
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

/// A number and four more digits, the first one in the lowest byte. The tens and ones of both halves are added at once.
#[inline(always)]
fn with_four(number: u32, digits: u32) -> u32 {
    let pairs = (digits & 0x00FF_00FF) * 10 + (digits >> 8 & 0x00FF_00FF);
    // Made where it is needed: shorter numbers come by as well.
    let hundred = kept(100);
    number.wrapping_mul(hundred).wrapping_add(pairs & 0xFFFF).wrapping_mul(hundred).wrapping_add(pairs >> 16)
}

//! Integers from their text, in the least flash: each digit is asked whether the number still fits.

use crate::bytes::{kept, made, plain};
use crate::code::{LW_LIMIT, LW_SYNTAX};
use crate::field::{LW_I32, LW_U32};

/// The kinds of integers, in a register's width.
pub(crate) const I32: u32 = LW_I32 as u32;
pub(crate) const U32: u32 = LW_U32 as u32;

/// Reads an integer: `kind` is LW_I32 or LW_U32.
///
/// An integer is what JSON writes (RFC 8259, section 6, without fraction and exponent).
#[inline(never)]
pub(crate) unsafe fn integer(mut p: *const u8, len: u32, out: &mut u32, kind: u32) -> i32 {
    unsafe {
        let end = plain(p.wrapping_add(len as usize));
        let mut value = made::<0>();
        // All bits of a negative number, and of one beyond 32 bits.
        let mut sign = made::<0>();
        let why;
        'why: {
            'syntax: {
                if p == end {
                    break 'syntax;
                }
                if *p == b'-' {
                    sign = kept(!sign);
                    p = plain(p.add(1));
                    if p == end {
                        break 'syntax;
                    }
                }
                loop {
                    let digit = kept(u32::from(*p).wrapping_sub(48));
                    if digit > 9 {
                        break 'syntax;
                    }
                    // A sum that has lost a bit is less than most of it.
                    let most = kept(value << 3);
                    let more = kept(most.wrapping_add(value << 1).wrapping_add(digit));
                    if value >> 29 != 0 || more < most {
                        sign = kept(!made::<0>());
                        value = sign;
                    } else {
                        value = more;
                    }
                    p = plain(p.add(1));
                    if p == end {
                        break;
                    }
                    // 0 is a number, and what begins with it none.
                    if value == 0 {
                        break 'syntax;
                    }
                }
                // Nothing negative fits into LW_U32, not even -0. -2147483648 fits into LW_I32.
                let mut beyond = sign;
                if kind == I32 {
                    beyond = kept(value.wrapping_add(sign) & value);
                }
                if (beyond as i32) < 0 {
                    why = made::<{ LW_LIMIT.unsigned_abs() as u8 }>();
                    break 'why;
                }
                *out = (value ^ sign).wrapping_sub(sign);
                return made::<0>() as i32;
            }
            why = made::<{ LW_SYNTAX.unsigned_abs() as u8 }>();
        }
        (why as i32).wrapping_neg()
    }
}

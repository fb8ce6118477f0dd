//! Parses and formats numbers. Floating point is linked only if `lw_double` is called.

use core::ffi::c_char;

use crate::bytes::{gap, plain};
use crate::code::{LW_LIMIT, LW_SYNTAX, LW_UNSUPPORTED, refused};
use crate::integer::{I32, U32, integer};

/// Parses a JSON integer into 32 bits.
///
/// Returns LW_OK, LW_SYNTAX if the text is not an integer, LW_LIMIT if it does not fit. `*value` is set only with
/// LW_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_i32(text: *const c_char, len: u32, value: &mut i32) -> i32 {
    unsafe { integer(text.cast(), len, &mut *(&raw mut *value).cast(), I32) }
}

/// Parses a non-negative JSON integer into 32 bits; otherwise like `lw_i32`. -0 does not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_u32(text: *const c_char, len: u32, value: &mut u32) -> i32 {
    unsafe { integer(text.cast(), len, value, U32) }
}

/// Parses a JSON integer into 64 bits, like `lw_i32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_i64(text: *const c_char, len: u32, value: &mut i64) -> i32 {
    unsafe {
        let text = text.cast::<u8>();
        let negative = u32::from(len != 0 && *text == b'-');
        let mut magnitude = 0;
        let code = long_digits(text.add(negative as usize), len - negative, &mut magnitude);
        if code != 0 {
            return code;
        }
        if magnitude > i64::MAX as u64 + u64::from(negative) {
            return LW_LIMIT;
        }
        *value = if negative != 0 { magnitude.wrapping_neg() } else { magnitude } as i64;
        0
    }
}

/// Parses a non-negative JSON integer into 64 bits, like `lw_u32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_u64(text: *const c_char, len: u32, value: &mut u64) -> i32 {
    unsafe {
        let bytes = text.cast::<u8>();
        let negative = u32::from(len != 0 && *bytes == b'-');
        let mut magnitude = 0;
        let code = long_digits(bytes.add(negative as usize), len - negative, &mut magnitude);
        if code == 0 && negative != 0 {
            return LW_LIMIT;
        }
        if code == 0 {
            *value = magnitude;
        }
        code
    }
}

/// The value of decimal digits, in 64 bits.
#[inline(never)]
unsafe fn long_digits(p: *const u8, len: u32, out: &mut u64) -> i32 {
    unsafe {
        if len == 0 || (len != 1 && *p == b'0') {
            return LW_SYNTAX;
        }
        let (mut value, mut code, mut i) = (0u64, 0, 0);
        while i != len {
            let digit = u32::from(*p.add(i as usize)).wrapping_sub(48);
            if digit > 9 {
                return LW_SYNTAX;
            }
            // Compared with a tenth of what fits, because a division of 64 bits would be long.
            let ten = value.wrapping_mul(10);
            let sum = ten.wrapping_add(digit.into());
            if value > 0x1999_9999_9999_9999 || sum < ten {
                code = LW_LIMIT;
            }
            value = sum;
            i += 1;
        }
        *out = value;
        code
    }
}

/// Parses a JSON number, or NaN, Infinity or -Infinity, to the nearest double. This links floating point and its tables,
/// 25 kilobytes on a Cortex-M4; `lw_fixed` has 0.6.
///
/// Returns LW_OK, LW_SYNTAX if the text is not a number, LW_LIMIT beyond the largest double.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_double(text: *const c_char, len: u32, value: &mut f64) -> i32 {
    // SAFETY: the caller's text.
    let bytes = if len == 0 { &[] } else { unsafe { core::slice::from_raw_parts(text.cast::<u8>(), len as usize) } };
    let word = matches!(bytes, b"NaN" | b"Infinity" | b"-Infinity");
    let mut exactly = 0;
    // `lw_fixed` checks the grammar.
    if !word && unsafe { lw_fixed(text, len, 0, &mut exactly) } == LW_SYNTAX {
        return LW_SYNTAX;
    }
    let parsed = core::str::from_utf8(bytes).ok().and_then(|text| text.parse::<f64>().ok());
    match parsed {
        Some(number) if number.is_finite() || word => {
            *value = number;
            0
        }
        Some(_) => LW_LIMIT,
        None => LW_SYNTAX,
    }
}

/// Parses a decimal JSON number as an integer, shifted by `decimals` places: 21.5 with two is 2150.
///
/// Returns LW_OK, LW_SYNTAX if the text is not a number, LW_LIMIT if it does not fit, LW_UNSUPPORTED if it has further
/// places that are not 0: nothing is rounded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_fixed(text: *const c_char, len: u32, decimals: u32, value: *mut i32) -> i32 {
    unsafe {
        let start = text.cast::<u8>();
        let mut decimal =
            Decimal { p: start, end: start.wrapping_add(len as usize), magnitude: 0, zeros: 0, fits: true };
        let decimal = &raw mut decimal;
        let negative = take(decimal, b'-');
        let whole = (*decimal).p;
        let mut digits = read_digits(decimal);
        // 012 is not a number.
        if digits == 0 || (digits != 1 && *whole == b'0') {
            return refused(LW_SYNTAX);
        }
        let mut shift = decimals as i32;
        if take(decimal, b'.') {
            digits = read_digits(decimal);
            if digits == 0 {
                return refused(LW_SYNTAX);
            }
            shift -= digits as i32;
        }
        if take(decimal, b'e') || take(decimal, b'E') {
            let below = take(decimal, b'-');
            if !below {
                take(decimal, b'+');
            }
            let mut p = (*decimal).p;
            let end = (*decimal).end;
            let mut exponent = 0i32;
            if p == end {
                return refused(LW_SYNTAX);
            }
            loop {
                let digit = i32::from(*p).wrapping_sub(48);
                if digit as u32 > 9 {
                    return refused(LW_SYNTAX);
                }
                // Any larger exponent is too large as well.
                if exponent < 10_000_000 {
                    exponent = exponent * 10 + digit;
                }
                p = p.add(1);
                if p == end {
                    break;
                }
            }
            (*decimal).p = end;
            shift += if below { -exponent } else { exponent };
        }
        if (*decimal).p != (*decimal).end {
            return refused(LW_SYNTAX);
        }
        let mut signed = 0;
        if (*decimal).magnitude != 0 || !(*decimal).fits {
            shift += (*decimal).zeros;
            if shift < 0 {
                return refused(LW_UNSUPPORTED);
            }
            (*decimal).zeros = shift;
            times_ten(decimal, 0);
            let magnitude = (*decimal).magnitude;
            signed = if negative { magnitude.wrapping_neg() } else { magnitude } as i32;
            if !(*decimal).fits || (signed < 0) != negative {
                return refused(LW_LIMIT);
            }
        }
        *value = signed;
        0
    }
}

/// A decimal number being parsed.
struct Decimal {
    p: *const u8,
    end: *const u8,
    magnitude: u32,
    /// Factors of ten to apply to the magnitude: zeros that count only if another digit follows.
    zeros: i32,
    fits: bool,
}

/// Skips a character, if it is next.
#[inline(never)]
unsafe fn take(decimal: *mut Decimal, c: u8) -> bool {
    unsafe {
        let p = (*decimal).p;
        if p == (*decimal).end || *p != c {
            return false;
        }
        (*decimal).p = p.add(1);
        true
    }
}

/// Reads digits, and returns their number.
#[inline(never)]
unsafe fn read_digits(decimal: *mut Decimal) -> u32 {
    unsafe {
        let mut p = (*decimal).p;
        while p != (*decimal).end {
            let digit = u32::from(*p).wrapping_sub(48);
            if digit > 9 {
                break;
            }
            (*decimal).zeros += 1;
            if digit != 0 {
                times_ten(decimal, digit);
            }
            p = plain(p.add(1));
        }
        let digits = gap((*decimal).p, p);
        (*decimal).p = p;
        digits
    }
}

/// Applies the pending factors of ten, and adds a digit.
#[inline(never)]
unsafe fn times_ten(decimal: *mut Decimal, digit: u32) {
    unsafe {
        let mut magnitude = (*decimal).magnitude;
        // Each factor of ten contains a factor of two, so soon none of the 32 bits is left.
        while (*decimal).zeros > 0 && magnitude != 0 {
            if magnitude > u32::MAX / 10 {
                (*decimal).fits = false;
            }
            magnitude = magnitude.wrapping_mul(10);
            (*decimal).zeros -= 1;
        }
        (*decimal).zeros = 0;
        let sum = magnitude.wrapping_add(digit);
        if sum < magnitude {
            (*decimal).fits = false;
        }
        (*decimal).magnitude = sum;
    }
}

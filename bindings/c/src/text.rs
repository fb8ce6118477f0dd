//! Formats numbers, optimized for speed.

use crate::bytes::{FEW_REGISTERS, kept};
use crate::out::digit;

/// Writes the text of a number of 32 bits, which may be negative.
#[inline(always)]
pub(crate) unsafe fn text_of(end: *mut u8, value: u32, negative: bool) -> *mut u8 {
    unsafe {
        if !negative {
            return decimal(end, value);
        }
        let start = decimal(end, value.wrapping_neg()).wrapping_sub(1);
        start.write(b'-');
        start
    }
}

/// Writes a number so that its last digit is before `end`. Returns its first digit.
#[inline(never)]
pub(crate) unsafe fn decimal(mut end: *mut u8, mut number: u32) -> *mut u8 {
    unsafe {
        // A Cortex-M0+ has no instructions for division or for multiplication to 64 bits.
        let factor = if FEW_REGISTERS { kept(TENTH) } else { 0 };
        while FEW_REGISTERS && number >= 1 << 16 {
            let tens = great_tens(number, factor);
            end = digit(end, number.wrapping_sub(tens * 10));
            number = tens;
        }
        if number >= 10 {
            loop {
                let all = number;
                number = kept(if FEW_REGISTERS { small_tens(number, factor) } else { number / 10 });
                end = digit(end, all.wrapping_sub(number * 10));
                if number < 10 {
                    break;
                }
            }
        }
        digit(end, number)
    }
}

/// 2 to the 19, by 10.
const TENTH: u32 = 52_429;

/// A tenth of a number of 16 bits.
#[inline(always)]
fn small_tens(number: u32, factor: u32) -> u32 {
    number.wrapping_mul(factor) >> 19
}

/// A tenth of a number. The first factor is 65 536 / 10 and too small by less than 0.2, so that the rest has fewer than
/// 18 bits.
#[inline(always)]
fn great_tens(number: u32, factor: u32) -> u32 {
    let most = ((number >> 16) * (factor - 1)) >> 3;
    let left = number - most * 10;
    most + (((left >> 1) * factor) >> 18)
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::stride;

    // What a Cortex-M0+ does instead of a division; tests on other processors do not run it otherwise.

    #[test]
    fn great_tens_are_those_of_a_division() {
        // Where either part changes: at multiples of 10 and of 65 536.
        let high = (0..=0xFFFFu32).step_by(stride(509)).map(|n| n << 16);
        for number in high.flat_map(|high| (0..=0xFFFF).step_by(641 * stride(7)).map(move |low| high | low)) {
            let ten = number - number % 10;
            for number in [number, number | 0xFFFF, ten.wrapping_sub(1), ten] {
                assert_eq!(great_tens(number, TENTH), number / 10, "{number}");
            }
        }
    }

    #[test]
    fn small_tens_are_those_of_a_division() {
        assert!((0..1u32 << 16).step_by(stride(61)).all(|number| small_tens(number, TENTH) == number / 10));
    }
}

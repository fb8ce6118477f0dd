//! The text of numbers, in the least flash: one way to divide, for large and small ones.

use crate::bytes::{kept, made, plain};

/// Writes the text of a number of 32 bits, which may be one below zero, so that it ends before `end`; its first character.
#[inline(always)]
pub(crate) unsafe fn text_of(end: *mut u8, value: u32, negative: bool) -> *mut u8 {
    unsafe { signed_text(end, value, negative.into()) }
}

/// Writes a number so that its last digit stands before `end`; its first one.
#[inline(always)]
pub(crate) unsafe fn decimal(end: *mut u8, number: u32) -> *mut u8 {
    unsafe { signed_text(end, number, NOT_NEGATIVE) }
}

/// A sign that is none, and not 0, which the compiler would keep on the stack for others.
const NOT_NEGATIVE: u32 = 2;

/// Writes a number whose sign is 1, if it is below zero.
#[inline(never)]
unsafe fn signed_text(mut end: *mut u8, mut number: u32, sign: u32) -> *mut u8 {
    unsafe {
        if sign == 1 {
            number = kept(number.wrapping_neg());
        }
        loop {
            let (mut tens, mut digit) = tens(number);
            if digit >= 10 {
                digit = kept(digit - 10);
                tens = kept(tens + 1);
            }
            end = plain(end.wrapping_sub(1)).cast_mut();
            end.write(kept(digit + u32::from(b'0')) as u8);
            number = kept(tens);
            if number == 0 {
                break;
            }
        }
        if sign == 1 {
            end = plain(end.wrapping_sub(1)).cast_mut();
            end.write(b'-');
        }
        end
    }
}

/// How often 10 is in a number, or once less, and what is left: 0.8 of it by the sum of a series, an eighth of which is taken.
#[inline(always)]
fn tens(number: u32) -> (u32, u32) {
    let mut tens = kept((number >> 1) + (number >> 2));
    tens = kept(tens + (tens >> 4));
    tens = kept(tens + (tens >> 8));
    tens = kept(tens + (tens >> 16));
    tens = kept(tens >> 3);
    (tens, kept(number.wrapping_sub(tens.wrapping_mul(made::<10>()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tens_are_those_of_a_division_or_one_less() {
        // Where either changes: at multiples of 10 and of 65 536.
        let high = (0..=0xFFFFu32).map(|n| n << 16);
        for number in high.flat_map(|high| (0..=0xFFFF).step_by(641).map(move |low| high | low)) {
            let ten = number - number % 10;
            for number in [number, number | 0xFFFF, ten.wrapping_sub(1), ten] {
                let (tens, left) = tens(number);
                assert!(left < 20 && tens + left / 10 == number / 10, "{number}");
            }
        }
    }
}

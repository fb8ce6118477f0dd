//! Numbers from their digits, exactly as [`str::parse`] reads them.
//!
//! Two things make this faster than to find the end of the text, check it and call the library: the end
//! of the number is where its digits end, and the digits of a double become one by the product of two
//! words (D. Lemire, *Number Parsing at a Gigabyte per Second*, 2021). What is rare (more than 19
//! digits, subnormal numbers, INF, products too close to the middle of two doubles) is not read here.

use std::sync::LazyLock;

use crate::kernels::len::Len;
use crate::kernels::numbers::{AHEAD, Numbers, Several};
use crate::kernels::{Kernel, LINE, Pace};

/// Powers of five from 5^-342 on, their upper 128 bits, the highest of which is 1.
pub struct Powers([(u64, u64); COUNT]);

const LOWEST: i32 = -342;
const HIGHEST: i32 = 308;
const COUNT: usize = (HIGHEST - LOWEST + 1) as usize;

static POWERS: LazyLock<Box<Powers>> = LazyLock::new(Powers::new);

impl Powers {
    /// The table, which is made when it is first asked for.
    pub fn get() -> &'static Powers {
        &POWERS
    }

    fn new() -> Box<Powers> {
        let mut powers = Box::new(Powers([(0, 0); COUNT]));
        let table = &mut powers.0;
        let mut power = Big::one();
        for q in 0..=-LOWEST {
            if q <= HIGHEST {
                table[(q - LOWEST) as usize] = split(power.upper());
            }
            if q > 0 {
                // Rounded up where the quotient's missing digits can matter.
                let quotient = power.reciprocal() + u128::from(q <= 27);
                table[(-q - LOWEST) as usize] = split(quotient);
            }
            power.times_five();
        }
        powers
    }

    /// The double nearest to `digits` times ten to the `exponent`, its bits; `None` where it takes more care. The upper
    /// half of the product of digits and power holds all bits of the double, and the one to round by, unless the bits
    /// after it are all ones.
    #[inline(always)]
    pub fn double(&self, digits: u64, exponent: i32) -> Option<u64> {
        let &(high, low) = self.0.get(exponent.wrapping_sub(LOWEST) as u32 as usize)?;
        if digits == 0 {
            return zero();
        }
        let zeros = digits.leading_zeros();
        let digits = digits << zeros;
        let product = u128::from(digits) * u128::from(high);
        let (mut upper, mut lower) = ((product >> 64) as u64, product as u64);
        if upper.wrapping_add(1) & 0x1FF == 0 {
            let more = ((u128::from(digits) * u128::from(low)) >> 64) as u64;
            let (sum, carry) = lower.overflowing_add(more);
            (lower, upper) = (sum, upper + u64::from(carry));
            if lower == u64::MAX && !(-27..=55).contains(&exponent) {
                return None;
            }
        }
        let top = (upper >> 63) as u32;
        let mut mantissa = upper >> (top + 9);
        // 217706 / 2^16 is log2(10), near enough for every exponent of the table. One less than the double has it: the
        // highest bit of the mantissa counts it up; where rounding has made that one bit longer, twice, which is what it
        // comes to.
        let power = ((217_706 * exponent) >> 16) + 1023 + 62 + top as i32 - zeros as i32;
        // Subnormal, or so large that rounding may make it infinite.
        if power as u32 >= 2045 {
            return None;
        }
        // Exactly in the middle of two doubles, which only these powers allow: to the even one.
        if lower <= 1 && (-4..=23).contains(&exponent) && mantissa & 3 == 1 && mantissa << (top + 9) == upper {
            mantissa &= !1;
        }
        Some(((power as u64) << 52) + ((mantissa + 1) >> 1))
    }
}

/// So that the way of all other numbers has no jump more.
#[cold]
#[inline(never)]
fn zero() -> Option<u64> {
    Some(0)
}

fn split(value: u128) -> (u64, u64) {
    ((value >> 64) as u64, value as u64)
}

/// A large whole number, its lowest digit first.
struct Big(Vec<u64>);

impl Big {
    fn one() -> Big {
        Big(vec![1])
    }

    fn times_five(&mut self) {
        let mut carry = 0;
        for digit in &mut self.0 {
            let product = u128::from(*digit) * 5 + carry;
            *digit = product as u64;
            carry = product >> 64;
        }
        if carry > 0 {
            self.0.push(carry as u64);
        }
    }

    /// The upper 128 bits, shifted up until the highest one is 1.
    fn upper(&self) -> u128 {
        let digit = |n: usize| self.0.len().checked_sub(n).map_or(0, |at| u128::from(self.0[at]));
        let zeros = digit(1).leading_zeros() - 64;
        let upper = digit(1) << 64 | digit(2);
        if zeros == 0 { upper } else { upper << zeros | digit(3) >> (64 - zeros) }
    }

    /// The first 128 bits of one divided by it.
    fn reciprocal(&self) -> u128 {
        let bits = self.0.len() * 64 - self.0.last().map_or(0, |digit| digit.leading_zeros() as usize);
        // The largest power of two that is not larger; each step of the division brings one bit.
        let mut rest = vec![0; self.0.len() + 1];
        rest[(bits - 1) / 64] = 1_u64 << ((bits - 1) % 64);
        let mut quotient = 0_u128;
        for _ in 0..128 {
            let mut carry = 0;
            for digit in &mut rest {
                (*digit, carry) = (*digit << 1 | carry, *digit >> 63);
            }
            quotient <<= 1;
            if self.is_at_most(&rest) {
                self.take_from(&mut rest);
                quotient |= 1;
            }
        }
        quotient
    }

    fn is_at_most(&self, other: &[u64]) -> bool {
        let own = |n: usize| self.0.get(n).copied().unwrap_or(0);
        (0..other.len())
            .rev()
            .map(|n| other[n].cmp(&own(n)))
            .find(|order| order.is_ne())
            .is_none_or(|order| order.is_gt())
    }

    fn take_from(&self, other: &mut [u64]) {
        let mut borrow = false;
        for (n, digit) in other.iter_mut().enumerate() {
            let (difference, first) = digit.overflowing_sub(self.0.get(n).copied().unwrap_or(0));
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            (*digit, borrow) = (difference, first || second);
        }
    }
}

/// A number that can be read from the front of a text.
pub trait Number: Copy + Default {
    /// Whether kernels may read four at once.
    const FOUR: bool = false;

    /// The number at `at` and the place after it; `None` where it takes more care, or where there is
    /// none. What follows is not looked at.
    fn by_words(bytes: &[u8], at: usize, powers: &Powers) -> Option<(Self, usize)>;

    /// The same in the way of a kernel, which may want a `<` after the number.
    #[inline(always)]
    fn read<K: Kernel>(_: K, bytes: &[u8], at: usize, _: &mut Pace, powers: &Powers) -> Option<(Self, usize)> {
        Self::by_words(bytes, at, powers)
    }

    /// Items in the way of a kernel, the text of the first at `start`, as many as there are places and lengths and as take no
    /// more care, or up to one that equals the number it replaces.
    #[inline(always)]
    fn several<K: Kernel, L: Len, F, const UNTIL_SAME: bool>(
        _: K,
        _: &Numbers<'_, F>,
        _: usize,
        _: &mut [Self],
        _: &mut [L],
        _: &mut Pace,
    ) -> Several {
        Several::default()
    }

    /// Whether it is the same number, also where it is none.
    fn is(self, other: Self) -> bool;
}

/// The digits at `at`: their value, and the place after them; more than 19 may overflow.
#[inline(always)]
fn digits(bytes: &[u8], mut at: usize, mut value: u64) -> (u64, usize) {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>())
        && let Some(eight) = eight_digits(u64::from_le_bytes(*chunk))
    {
        value = value.wrapping_mul(100_000_000).wrapping_add(eight);
        at += 8;
    }
    while let Some(&byte) = bytes.get(at)
        && byte.is_ascii_digit()
    {
        value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        at += 1;
    }
    (value, at)
}

/// The value of eight digits, the first in the lowest byte.
#[inline(always)]
fn eight_digits(text: u64) -> Option<u64> {
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let values = text.wrapping_sub(ZEROS);
    // A byte below '0' borrows and one above '9' carries into the high bits of its own place.
    if (text.wrapping_add(0x4646_4646_4646_4646) | values) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = (values * 10).wrapping_add(values >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF)
}

impl Number for f64 {
    #[inline(always)]
    fn read<K: Kernel>(kernel: K, bytes: &[u8], at: usize, _: &mut Pace, powers: &Powers) -> Option<(f64, usize)> {
        kernel.double(bytes, at, powers)
    }

    #[inline(always)]
    fn several<K: Kernel, L: Len, F, const UNTIL_SAME: bool>(
        kernel: K,
        numbers: &Numbers<'_, F>,
        start: usize,
        places: &mut [f64],
        lens: &mut [L],
        _: &mut Pace,
    ) -> Several {
        kernel.doubles::<L, F, UNTIL_SAME>(numbers, start, places, lens)
    }

    #[inline(always)]
    fn is(self, other: f64) -> bool {
        self.to_bits() == other.to_bits()
    }

    #[inline(always)]
    fn by_words(bytes: &[u8], at: usize, powers: &Powers) -> Option<(f64, usize)> {
        let negative = bytes.get(at) == Some(&b'-');
        let start = at + usize::from(negative);
        let (mut value, mut end) = digits(bytes, start, 0);
        let mut count = end - start;
        let mut exponent = 0;
        if bytes.get(end) == Some(&b'.') {
            let point = end + 1;
            (value, end) = digits(bytes, point, value);
            count += end - point;
            exponent = -((end - point) as i32);
        }
        if count == 0 || count > 19 {
            return None;
        }
        if bytes.get(end).is_some_and(|byte| byte | 0x20 == b'e') {
            let below = bytes.get(end + 1) == Some(&b'-');
            let start = end + 1 + usize::from(below || bytes.get(end + 1) == Some(&b'+'));
            let (written, after) = digits(bytes, start, 0);
            if after == start || after > start + 4 {
                return None;
            }
            exponent += if below { -(written as i32) } else { written as i32 };
            end = after;
        }
        let bits = powers.double(value, exponent)?;
        Some((f64::from_bits(bits | u64::from(negative) << 63), end))
    }
}

macro_rules! integers {
    ($($rust:ty: $sign:expr $(=> $kernel:ident)?),*) => {
        $(impl Number for $rust {
            $(integers!(@$kernel $rust);)?

            #[inline(always)]
            fn by_words(bytes: &[u8], at: usize, _: &Powers) -> Option<($rust, usize)> {
                let negative = $sign && bytes.get(at) == Some(&b'-');
                let start = at + usize::from(negative);
                let (value, end) = digits(bytes, start, 0);
                if end == start || end > start + 18 {
                    return None;
                }
                let value = if negative { -(value as i64) } else { value as i64 };
                Some((<$rust>::try_from(value).ok()?, end))
            }

            #[inline(always)]
            fn is(self, other: $rust) -> bool {
                self == other
            }
        })*
    };
    (@int $rust:ty) => {
        const FOUR: bool = true;

        #[inline(always)]
        fn read<K: Kernel>(
            kernel: K,
            bytes: &[u8],
            at: usize,
            pace: &mut Pace,
            powers: &Powers,
        ) -> Option<($rust, usize)> {
            kernel.int(bytes, at, pace, powers)
        }

        #[inline(always)]
        fn several<K: Kernel, L: Len, F, const UNTIL_SAME: bool>(
            kernel: K,
            numbers: &Numbers<'_, F>,
            start: usize,
            places: &mut [$rust],
            lens: &mut [L],
            pace: &mut Pace,
        ) -> Several {
            if pace.is_steady()
                && let Some(four) = places.first_chunk_mut()
                && let Some(lens) = lens.first_chunk_mut::<4>()
                && let bytes = pace.len + numbers.between.len()
                && let Some(len) = L::of(bytes)
            {
                let before = *four;
                // Four are mostly longer than a line, and shorter than two.
                kernel.fetch(numbers.bytes, start + AHEAD);
                kernel.fetch(numbers.bytes, start + AHEAD + LINE);
                if kernel.four_ints(numbers.between, numbers.bytes, start, pace.len, four) {
                    *lens = [len; 4];
                    let has_met = UNTIL_SAME && four.iter().zip(before).fold(false, |any, (new, old)| any | (*new == old));
                    return Several { count: 4, bytes: 4 * bytes, has_met };
                }
                pace.stumble();
            }
            Several::default()
        }
    };
}
integers!(i8: true, i16: true, i32: true => int, i64: true, u8: false, u16: false, u32: false, u64: false);

impl Number for bool {
    #[inline(always)]
    fn by_words(bytes: &[u8], at: usize, _: &Powers) -> Option<(bool, usize)> {
        let rest = bytes.get(at..)?;
        match rest {
            [b't', b'r', b'u', b'e', ..] => Some((true, at + 4)),
            [b'f', b'a', b'l', b's', b'e', ..] => Some((false, at + 5)),
            [digit @ (b'0' | b'1'), ..] => Some((*digit == b'1', at + 1)),
            _ => None,
        }
    }

    #[inline(always)]
    fn is(self, other: bool) -> bool {
        self == other
    }
}

impl Number for f32 {
    /// Not by way of a double, which would round twice.
    #[inline(always)]
    fn by_words(_: &[u8], _: usize, _: &Powers) -> Option<(f32, usize)> {
        None
    }

    #[inline(always)]
    fn is(self, other: f32) -> bool {
        self.to_bits() == other.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{self, Job, Portable};
    use test_support::{Random, rounds, stride};

    #[test]
    fn the_table_has_the_powers_that_are_published() {
        // The ends and the middle of the table in the paper's own implementation.
        assert_eq!(Powers::get().0[0], (0xEEF4_53D6_923B_D65A, 0x113F_AA29_06A1_3B3F));
        assert_eq!(Powers::get().0[342], (1 << 63, 0));
        assert_eq!(Powers::get().0[343], (0xA000_0000_0000_0000, 0));
        assert_eq!(Powers::get().0[341], (0xCCCC_CCCC_CCCC_CCCC, 0xCCCC_CCCC_CCCC_CCCD));
    }

    /// Reads a text by every kernel there is.
    struct Check<'t>(&'t str);

    impl Job for Check<'_> {
        type Output = ();

        fn run<K: Kernel>(self, kernel: K) {
            check_by(kernel, self.0);
        }
    }

    fn check(text: &str) {
        check_by(Portable, text);
        kernels::run(Check(text));
    }

    fn check_by<K: Kernel>(kernel: K, text: &str) {
        // There are as many bytes before and after as vectors load.
        let padded = format!("<data><item>{text}</item>                                ");
        let padded = (padded.as_bytes(), 12);
        let mut pace = Pace::default();
        (0..text.len() % 20).for_each(|_| pace.take(text.len() % 13));
        if let Some((number, end)) = f64::read(kernel, padded.0, padded.1, &mut pace, Powers::get()) {
            let read = str::from_utf8(&padded.0[padded.1..end]).unwrap();
            let expected = crate::number::double(read);
            assert_eq!(Some(number.to_bits()), expected.map(f64::to_bits), "{text}");
        }
        if let Some((number, end)) = i32::read(kernel, padded.0, padded.1, &mut pace, Powers::get()) {
            let read = str::from_utf8(&padded.0[padded.1..end]).unwrap();
            assert_eq!(Some(number), crate::number::integer(read), "{text}");
        }
        if let Some((number, end)) = u64::read(kernel, padded.0, padded.1, &mut pace, Powers::get()) {
            let read = str::from_utf8(&padded.0[padded.1..end]).unwrap();
            assert_eq!(Some(number), crate::number::integer(read), "{text}");
        }
    }

    #[test]
    fn numbers_are_those_of_the_library() {
        let mut random = Random::new(1);
        let mut read = 0;
        for _ in 0..rounds(200_000) {
            let number = f64::from_bits(random.next());
            let text = match random.below(4) {
                0 => format!("{number}"),
                1 => format!("{number:e}"),
                2 => format!("{number:.16e}"),
                _ => format!("{:.*}", random.below(18), random.next() as i64 as f64 / 1e15),
            };
            read += usize::from(f64::by_words(text.as_bytes(), 0, Powers::get()).is_some());
            check(&text);
        }
        assert!(read > rounds(100_000), "{read}");
    }

    #[test]
    fn texts_of_a_few_marks_are_read_as_the_library_does() {
        let mut random = Random::new(2);
        for _ in 0..rounds(300_000) {
            let len = random.below(24);
            let marks = b"0123456789012345678901234567890123456789-+.eE";
            let text: String = (0..len).map(|_| char::from(random.of(marks))).collect();
            check(&text);
        }
    }

    #[test]
    fn numbers_in_the_middle_of_two_doubles_go_to_the_even_one() {
        for text in ["9007199254740993", "9007199254740995", "1.00000000000000011102230246251565", "2.5e-324"] {
            check(text);
        }
        for exponent in (-30..60).step_by(stride(10)) {
            for digits in [9007199254740993_u64, 9007199254740991, 1 << 63, u64::MAX, 4503599627370497] {
                check(&format!("{digits}e{exponent}"));
            }
        }
    }

    #[test]
    fn rounding_goes_on_to_the_next_power_and_to_the_ends_of_the_range() {
        for digits in [
            "9",
            "17976931348623157",
            "17976931348623158",
            "17976931348623159",
            "22250738585072011",
            "22250738585072014",
        ] {
            for nines in 0..19 - digits.len().min(18) {
                for exponent in [-327, -326, -325, -324, -308, -17, -16, -1, 0, 5, 289, 290, 291, 292, 293, 307, 308] {
                    check(&format!("{digits}{}e{exponent}", "9".repeat(nines)));
                }
            }
        }
        let mut carried = 0;
        for power in (-300..300).step_by(stride(10)) {
            // Just below a power of two: its digits are those of the power, less one in the last.
            let below = format!("{:.16e}", 2_f64.powi(power));
            let (digits, exponent) = below.split_once('e').unwrap();
            let digits: u64 = digits.replace('.', "").parse().unwrap();
            for digits in [digits * 100 - 1, digits * 100 - 40, digits * 10 - 1, digits - 1] {
                let text = format!("{digits}e{}", exponent.parse::<i32>().unwrap() - digits.ilog10() as i32);
                check(&text);
                carried += u32::from(
                    f64::by_words(text.as_bytes(), 0, Powers::get())
                        .is_some_and(|(number, _)| number.to_bits() << 12 == 0),
                );
            }
        }
        assert!(carried as usize > 100 / stride(10), "{carried}");
    }

    #[test]
    fn whole_numbers_end_at_their_bounds() {
        for (text, number) in [("2147483647", Some(i32::MAX)), ("-2147483648", Some(i32::MIN)), ("2147483648", None)] {
            assert_eq!(i32::by_words(text.as_bytes(), 0, Powers::get()).map(|(number, _)| number), number);
        }
        assert_eq!(u8::by_words(b"-1", 0, Powers::get()), None);
        assert_eq!(i32::by_words(b"-", 0, Powers::get()), None);
        assert_eq!(f64::by_words(b".", 0, Powers::get()), None);
    }
}

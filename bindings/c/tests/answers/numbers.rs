//! Numbers from their text.

use lengthwise_c::code::LW_UNSUPPORTED;
use lengthwise_c::number::{lw_double, lw_fixed, lw_i32, lw_i64, lw_u32, lw_u64};

use super::*;

/// The integer a text is, by RFC 8259.
pub(super) fn integer_of(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let sound =
        !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    sound.then(|| text.parse::<i128>().unwrap_or(i128::MAX))
}

fn number<T: Default>(read: unsafe extern "C" fn(*const c_char, u32, &mut T) -> i32, text: &str) -> Result<T, i32> {
    let mut value = T::default();
    let text = block(text.as_bytes());
    match unsafe { read(text.as_ptr().cast(), text.len() as u32, &mut value) } {
        0 => Ok(value),
        code => Err(code),
    }
}

#[test]
fn integers_are_read_or_said_not_to_fit() {
    let mut random = Random::new(7);
    let bounds = [
        "2147483647",
        "2147483648",
        "-2147483648",
        "-2147483649",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "0",
        "-0",
        "",
        "-",
        "00",
        "-01",
        "1.0",
        "+1",
    ];
    let made = (0..rounds(20_000))
        .map(|_| (0..random.below(13)).map(|_| char::from(random.of(b"0123456789-."))).collect::<String>());
    for text in bounds.into_iter().map(String::from).chain(made) {
        let expected = integer_of(&text);
        let i32s = expected.ok_or(LW_SYNTAX).and_then(|value| i32::try_from(value).map_err(|_| LW_LIMIT));
        assert_eq!(number(lw_i32, &text), i32s, "{text}");
        let u32s = expected.ok_or(LW_SYNTAX).and_then(|value| u32::try_from(value).map_err(|_| LW_LIMIT));
        let i64s = expected.ok_or(LW_SYNTAX).and_then(|value| i64::try_from(value).map_err(|_| LW_LIMIT));
        assert_eq!(number(lw_i64, &text), i64s, "{text}");
        let u64s = expected.ok_or(LW_SYNTAX).and_then(|value| u64::try_from(value).map_err(|_| LW_LIMIT));
        let u64s = if text == "-0" { Err(LW_LIMIT) } else { u64s };
        assert_eq!(number(lw_u64, &text), u64s, "{text}");
        let u32s = if text == "-0" { Err(LW_LIMIT) } else { u32s };
        assert_eq!(number(lw_u32, &text), u32s, "{text}");
    }
}

#[test]
fn doubles_are_those_of_the_standard_library() {
    for text in ["0", "-0.5", "21.50", "1e300", "5e-324", "0.1", "123456789012345678901234567890", "NaN", "-Infinity"] {
        let read = number(lw_double, text).unwrap();
        assert_eq!(read.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
    }
    assert_eq!(number(lw_double, "1e400"), Err(LW_LIMIT));
    for text in ["", "inf", "nan", "+1", "1.", ".5", "1e", "01", "0x1", "1 "] {
        assert_eq!(number(lw_double, text), Err(LW_SYNTAX), "{text}");
    }
}

#[test]
fn decimals_are_scaled_exactly_or_refused() {
    let read = |text: &str, decimals| {
        let mut value = 77;
        let text = block(text.as_bytes());
        match unsafe { lw_fixed(text.as_ptr().cast(), text.len() as u32, decimals, &mut value) } {
            0 => Ok(value),
            code => Err((code, value)),
        }
    };
    for (text, decimals, expected) in [
        ("21.5", 2, 2150),
        ("21.50", 2, 2150),
        ("21.500000000000000", 2, 2150),
        ("-0.05", 2, -5),
        ("0", 9, 0),
        ("-0.0", 3, 0),
        ("0e9", 0, 0),
        ("1e3", 0, 1000),
        ("1.5E+1", 1, 150),
        ("250e-2", 1, 25),
        ("100", 0, 100),
        ("1000000000e-9", 0, 1),
        ("2147483.647", 3, i32::MAX),
        ("-2147483.648", 3, i32::MIN),
        ("0.001", 3, 1),
    ] {
        assert_eq!(read(text, decimals), Ok(expected), "{text}");
    }
    for (text, decimals, expected) in [
        ("21.505", 2, -5),
        ("1e-1", 0, -5),
        ("2147483.648", 3, LW_LIMIT),
        ("-2147483.649", 3, LW_LIMIT),
        ("1e10", 0, LW_LIMIT),
        ("99999999999", 0, LW_LIMIT),
        ("1e99999999999999999999", 0, LW_LIMIT),
        ("", 0, LW_SYNTAX),
        ("-", 0, LW_SYNTAX),
        (".5", 1, LW_SYNTAX),
        ("5.", 1, LW_SYNTAX),
        ("01", 0, LW_SYNTAX),
        ("00", 0, LW_SYNTAX),
        ("1e", 0, LW_SYNTAX),
        ("1e+", 0, LW_SYNTAX),
        ("1.2.3", 0, LW_SYNTAX),
        ("1x", 0, LW_SYNTAX),
        ("NaN", 0, LW_SYNTAX),
    ] {
        assert_eq!(read(text, decimals), Err((expected, 77)), "{text}");
    }
}

/// What a decimal number is, scaled, in more bits than are needed.
fn scaled(negative: bool, digits: &str, fraction: usize, exponent: i32, decimals: u32) -> Result<i32, i32> {
    let mut number = digits.parse::<i128>().unwrap() * if negative { -1 } else { 1 };
    let shift = exponent + decimals as i32 - fraction as i32;
    let power = 10i128.pow(shift.unsigned_abs());
    if shift < 0 && number % power != 0 {
        return Err(LW_UNSUPPORTED);
    }
    number = if shift < 0 { number / power } else { number * power };
    i32::try_from(number).map_err(|_| LW_LIMIT)
}

#[test]
fn decimals_of_all_shapes_are_scaled() {
    let random = &mut Random::new(0xDEC1);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds(200_000) {
        // Zeros are likely.
        let mut run = |most| (0..random.below(most)).map(|_| random.of(b"000123456789") as char).collect::<String>();
        let (whole, fraction) = (run(12), run(10));
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            whole => whole,
        };
        let (negative, decimals) = (random.one_in(2), random.below(10) as u32);
        let exponent = if random.one_in(2) { 0 } else { random.below(17) as i32 - 8 };
        let mut text = format!("{}{whole}", if negative { "-" } else { "" });
        if !fraction.is_empty() {
            text += &format!(".{fraction}");
        }
        text += &match (exponent, random.below(3)) {
            (0, 0 | 1) => String::new(),
            (0.., 1) => format!("E+{exponent}"),
            _ => format!("e{exponent}"),
        };
        let expected = scaled(negative, &format!("{whole}{fraction}"), fraction.len(), exponent, decimals);
        let (block, mut value) = (block(text.as_bytes()), 77);
        let code = unsafe { lw_fixed(block.as_ptr().cast(), block.len() as u32, decimals, &mut value) };
        assert_eq!(if code == 0 { Ok(value) } else { Err(code) }, expected, "{text} by {decimals}");
        *if code == 0 { &mut read } else { &mut refused } += 1;
    }
    assert!(read > rounds(20_000) && refused > rounds(20_000), "{read} read, {refused} refused");
}

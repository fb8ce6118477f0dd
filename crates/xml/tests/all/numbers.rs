//! Booleans and numbers: XML Schema Part 2 sections 3.2.2 to 3.2.5 and 3.3.13.

use std::cmp::Ordering;

use lengthwise_xml::number::{
    Decimal, boolean, canonical_integer, compare_doubles, double, float, integer, is_double, is_integer, special,
};
use test_support::Random;

/// Section 3.2.2.1: "legal literals {true, false, 1, 0}".
#[test]
fn booleans_have_four_texts() {
    assert_eq!(["true", "1", "false", "0"].map(boolean), [Some(true), Some(true), Some(false), Some(false)]);
    assert_eq!(["TRUE", "yes", "", "2", " true", "01"].map(boolean), [None; 6]);
}

/// Section 3.2.3.1: "a finite-length sequence of decimal digits (#x30-#x39) separated by a period as a decimal indicator.
/// An optional leading sign is allowed."
#[test]
fn decimals_are_digits_with_a_point_or_without() {
    for text in ["-1.23", "12678967.543233", "+100000.00", "210", ".5", "5.", "-.0", "00"] {
        assert!(Decimal::parse(text).is_some(), "{text}");
    }
    for text in ["", ".", "-", "+", "-.", "1e3", "INF", "--1", "1.2.3", "1,5", " 1", "0x1", "١"] {
        assert_eq!(Decimal::parse(text), None, "{text}");
    }
    let Decimal { negative, whole, fraction } = Decimal::parse("-0012.3400").unwrap();
    assert_eq!((negative, whole, fraction), (true, "12", "34"));
    // Section 3.2.3.2: leading and trailing zeros are no part of the value, nor is a sign of zero.
    assert_eq!(Decimal::parse("-0.0"), Decimal::parse("0"));
    assert_eq!(Decimal::parse("+1.50"), Decimal::parse("01.5"));
    assert_eq!(Decimal::parse("0012.3400").unwrap().total_digits(), 4);
}

/// Section 3.2.3: "The order-relation on decimal is the order relation on real numbers."
#[test]
fn decimals_have_the_order_of_numbers() {
    let mut random = Random::new(1);
    let mut number = || {
        let scaled = random.below(4_000_000) as i64 - 2_000_000;
        let (whole, fraction) = (scaled.abs() / 1000, scaled.abs() % 1000);
        let zeros = "0".repeat(random.below(12));
        let sign = if scaled < 0 { "-" } else { random.of(&["", "+"]) };
        (scaled, format!("{sign}{zeros}{whole}.{fraction:03}{}", "0".repeat(random.below(12))))
    };
    for _ in 0..test_support::rounds(20_000) {
        let ((one, text), (other, other_text)) = (number(), number());
        let order = Decimal::parse(&text).unwrap().cmp(&Decimal::parse(&other_text).unwrap());
        assert_eq!(order, one.cmp(&other), "{text} {other_text}");
    }
}

/// Section 3.3.13.1: "a finite-length sequence of decimal digits (#x30-#x39) with an optional leading sign".
#[test]
fn integers_are_digits_after_a_sign_or_none() {
    for text in ["-1", "0", "+12678967543233", "000", "-0"] {
        assert!(is_integer(text), "{text}");
    }
    for text in ["", "-", "+", "1.0", "1e3", "--1", "+-1", " 1", "1 ", "12345678a", "123456789/"] {
        assert!(!is_integer(text), "{text}");
    }
    assert_eq!(["+007", "-007", "-0", "000", "-12", "12"].map(canonical_integer), ["7", "-7", "0", "0", "-12", "12"]);
}

/// Sections 3.3.16 to 3.3.24: the bounds of the derived types.
#[test]
fn bounded_integers_end_at_their_bounds() {
    assert_eq!((integer::<i8>("-128"), integer::<i8>("+127"), integer::<i8>("128")), (Some(-128), Some(127), None));
    assert_eq!(
        (integer("-9223372036854775808"), integer("0000000000000000000000000000001")),
        (Some(i64::MIN), Some(1_i64))
    );
    assert_eq!((integer::<u8>("255"), integer::<u8>("256"), integer::<u8>("-1")), (Some(255), None, None));
    assert_eq!(integer("18446744073709551615"), Some(u64::MAX));
    assert_eq!([integer::<i32>(""), integer("-"), integer("1.0"), integer("1e3"), integer("1 ")], [None; 5]);
}

/// Sections 3.3.20 and 3.3.13.1: minus zero is a nonNegativeInteger, as a sign is allowed and the value is not below 0.
/// `tdxml` refused it as an unsigned number, and `dds` and `xsd` did not.
#[test]
fn minus_zero_is_an_unsigned_number() {
    assert_eq!((integer("-0"), integer("-000")), (Some(0_u32), Some(0_u64)));
    assert_eq!((integer::<u32>("-"), integer::<u32>("--0"), integer::<u32>("-01")), (None, None, None));
}

/// Section 3.2.5.1: "The special values positive and negative infinity and not-a-number have lexical representations INF,
/// -INF and NaN, respectively. Lexical representations for zero may take a positive or negative sign."
/// `tdxml` took `+INF` for a number, and `dds` and `xsd` did not.
#[test]
fn doubles_have_three_special_values() {
    assert_eq!((double("INF"), double("-INF")), (Some(f64::INFINITY), Some(f64::NEG_INFINITY)));
    assert!(double("NaN").is_some_and(f64::is_nan) && float("NaN").is_some_and(f32::is_nan));
    assert_eq!((float("INF"), float("-INF")), (Some(f32::INFINITY), Some(f32::NEG_INFINITY)));
    for text in ["+INF", "inf", "Inf", "infinity", "-Infinity", "nan", "NAN", "-NaN", "+NaN", "INFINITY"] {
        assert_eq!((is_double(text), double(text), float(text)), (false, None, None), "{text}");
    }
    for value in [f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(special(value).and_then(double), Some(value));
    }
    assert_eq!((special(f64::NAN), special(0.0), special(-1e300)), (Some("NaN"), None, None));
}

/// Section 3.2.5.1: "a mantissa followed, optionally, by the character "E" or "e", followed by an exponent. The exponent
/// must be an integer. The mantissa must be a decimal number."
#[test]
fn doubles_are_a_decimal_and_an_exponent() {
    let numbers = [("-1E4", -1e4), ("1267.43233E12", 1_267.432_33e12), ("12.78e-2", 0.1278), ("12", 12.0), ("5.", 5.0)];
    for (text, value) in numbers {
        assert_eq!(double(text), Some(value), "{text}");
    }
    assert_eq!(double("-0").map(f64::to_bits), Some((-0.0_f64).to_bits()));
    // Not by way of a double, which rounds to the middle of two floats.
    assert_eq!(float("1.00000017881393432617187499"), Some(1.000_000_1));
    assert_eq!((double("1e999"), float("1e39")), (Some(f64::INFINITY), Some(f32::INFINITY)));
}

/// The grammar of a double, written as a machine of states.
fn is_double_by_states(text: &str) -> bool {
    let (mut state, mut digits) = (0, 0);
    for c in text.chars() {
        state = match (state, c) {
            (0, '+' | '-') => 1,
            (0..=2, '0'..='9') => 2,
            (0..=2, '.') => 3,
            (3, '0'..='9') => 3,
            (2..=3, 'e' | 'E') if digits > 0 => 4,
            (4, '+' | '-') => 5,
            (4..=6, '0'..='9') => 6,
            _ => return false,
        };
        digits += usize::from(c.is_ascii_digit());
    }
    matches!(state, 2 | 3 if digits > 0) || state == 6
}

/// What a text is, and what its value is, agree; Rust reads the same numbers.
#[test]
fn texts_of_a_few_marks_are_doubles_by_one_rule() {
    let mut random = Random::new(2);
    let mut count = 0;
    for _ in 0..test_support::rounds(200_000) {
        let most = random.of(&[7, 7, 7, 20]);
        let len = random.below(most);
        let text: String = (0..len).map(|_| char::from(random.of(b"0123456789-+.eE"))).collect();
        let is = is_double_by_states(&text);
        assert_eq!(is_double(&text), is, "{text}");
        assert_eq!((double(&text).is_some(), float(&text).is_some()), (is, is), "{text}");
        assert_eq!(Decimal::parse(&text).is_some(), is && !text.contains(['e', 'E']), "{text}");
        assert_eq!(is_integer(&text), is && !text.contains(['e', 'E', '.']), "{text}");
        count += usize::from(is);
    }
    assert!(count > test_support::rounds(20_000), "{count}");
}

/// Section 3.2.5: "not-a-number equals itself"; "the order relation: not-a-number is incomparable with any other value".
#[test]
fn nan_equals_itself_and_has_no_order() {
    assert_eq!(compare_doubles(f64::NAN, f64::NAN), Some(Ordering::Equal));
    assert_eq!(compare_doubles(f64::NAN, 1.0), None);
    assert_eq!(compare_doubles(-0.0, 0.0), Some(Ordering::Equal));
    assert_eq!(compare_doubles(1.0, f64::INFINITY), Some(Ordering::Less));
}

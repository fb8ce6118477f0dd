//! Texts against types, by the clauses of Part 2.

use super::Checker;
use crate::{Builtin, Schema};

fn schema() -> Schema {
    let text = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'/>";
    Schema::read_from(crate::Memory::new().with("a", text), "a", &crate::Options::default()).unwrap()
}

fn holds(ty: Builtin, good: &[&str], bad: &[&str]) {
    let schema = schema();
    let mut checker = Checker::default();
    for text in good {
        let checked = checker.check(&schema, ty.id(), text, &(), true);
        assert!(checked.is_ok(), "{} '{text}': {checked:?}", ty.name());
    }
    for text in bad {
        assert!(checker.check(&schema, ty.id(), text, &(), true).is_err(), "{} '{text}'", ty.name());
    }
}

/// Whether two texts are the same value.
fn same(ty: Builtin, one: &str, other: &str) -> bool {
    let schema = schema();
    let mut checker = Checker::default();
    checker.check(&schema, ty.id(), one, &(), true).unwrap();
    let key = checker.key.clone();
    checker.check(&schema, ty.id(), other, &(), true).unwrap();
    key == checker.key
}

fn order(ty: Builtin, one: &str, other: &str) -> Option<std::cmp::Ordering> {
    super::Ordered::parse(ty, one).unwrap().compare(&super::Ordered::parse(ty, other).unwrap())
}

#[test]
fn booleans_and_numbers_are_what_section_3_2_says() {
    holds(Builtin::Boolean, &["true", " false ", "1", "0"], &["TRUE", "", "yes", "2"]);
    holds(
        Builtin::Decimal,
        &["-1.23", "12678967.543233", "+100000.00", "210", ".5", "5."],
        &["", ".", "1e3", "INF", "--1"],
    );
    holds(
        Builtin::Float,
        &["-1E4", "1267.43233E12", "12.78e-2", "12", "INF", "-INF", "NaN", "-0"],
        &["", "inf", "+INF", "1e", "e5", "0x1"],
    );
    holds(Builtin::Integer, &["-1", "0", "+12678967543233"], &["1.0", "", "-", "1e3"]);
}

#[test]
fn bounded_integers_end_where_section_3_3_says() {
    holds(Builtin::Byte, &["-128", "127", "-0"], &["-129", "128"]);
    holds(Builtin::Short, &["-32768", "32767"], &["-32769", "32768"]);
    holds(Builtin::Int, &["-2147483648", "2147483647"], &["-2147483649", "2147483648"]);
    holds(
        Builtin::Long,
        &["-9223372036854775808", "9223372036854775807"],
        &["-9223372036854775809", "9223372036854775808"],
    );
    holds(Builtin::UnsignedByte, &["0", "255"], &["-1", "256"]);
    holds(Builtin::UnsignedShort, &["65535"], &["65536"]);
    holds(Builtin::UnsignedInt, &["4294967295"], &["4294967296"]);
    holds(Builtin::UnsignedLong, &["18446744073709551615"], &["18446744073709551616"]);
    holds(Builtin::NonNegativeInteger, &["0", "-0"], &["-1"]);
    holds(Builtin::PositiveInteger, &["1"], &["0"]);
    holds(Builtin::NonPositiveInteger, &["0"], &["1"]);
    holds(Builtin::NegativeInteger, &["-1"], &["0"]);
}

#[test]
fn dates_and_times_are_of_the_calendar() {
    holds(
        Builtin::DateTime,
        &[
            "2000-03-04T23:00:00+03:00",
            "1999-05-31T13:20:00.5",
            "-0001-01-01T00:00:00Z",
            "12004-04-12T13:20:00-14:00",
            "2000-02-29T24:00:00",
        ],
        &[
            "2000-03-04",
            "0000-01-01T00:00:00",
            "2001-02-29T00:00:00",
            "99-01-01T00:00:00",
            "2000-01-01T24:00:01",
            "2000-01-01T00:00:60",
            "2000-01-01T00:00:00+14:01",
            "2000-01-01T00:00:00.",
            "2000-13-01T00:00:00",
            "02000-01-01T00:00:00",
        ],
    );
    holds(Builtin::Time, &["13:20:00", "13:20:30.5555Z", "24:00:00"], &["5:20:00", "13:20", "25:00:00", "13:61:00"]);
    holds(
        Builtin::Date,
        &["2004-04-12", "2004-04-12+14:00", "-0045-01-01", "1900-02-28"],
        &["1900-02-29", "2004-4-12", "2004-04-31"],
    );
    holds(Builtin::GYearMonth, &["2004-04", "2004-04-05:00"], &["99-04", "2004", "2004-13"]);
    holds(Builtin::GYear, &["2004", "-2004", "12004Z"], &["99", "0000", "04"]);
    holds(Builtin::GMonthDay, &["--04-12", "--02-29Z"], &["04-12", "--02-30", "--13-01"]);
    holds(Builtin::GDay, &["---02", "---31Z"], &["--30", "---32", "---2"]);
    holds(Builtin::GMonth, &["--04", "--12-05:00"], &["--13", "-04", "--4"]);
}

#[test]
fn durations_have_their_parts_in_order() {
    holds(
        Builtin::Duration,
        &["P1Y2M3DT10H30M", "-P120D", "P1347Y", "PT1.5S", "P0Y", "P1MT2H"],
        &["P-1347M", "P1Y2MT", "P", "PT", "1Y", "P1S", "P1M1Y", "PT1M1H", "PT1.S", "P1.5Y", "+P1D"],
    );
}

#[test]
fn durations_are_in_order_where_every_month_agrees() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    // The table of section 3.2.6.2.
    assert_eq!(order(Builtin::Duration, "P1Y", "P364D"), Some(Greater));
    assert_eq!(order(Builtin::Duration, "P1Y", "P365D"), None);
    assert_eq!(order(Builtin::Duration, "P1Y", "P367D"), Some(Less));
    assert_eq!(order(Builtin::Duration, "P1M", "P27D"), Some(Greater));
    assert_eq!(order(Builtin::Duration, "P1M", "P28D"), None);
    assert_eq!(order(Builtin::Duration, "P1M", "P31D"), None);
    assert_eq!(order(Builtin::Duration, "P1M", "P32D"), Some(Less));
    assert_eq!(order(Builtin::Duration, "P5M", "P149D"), Some(Greater));
    assert_eq!(order(Builtin::Duration, "P5M", "P154D"), Some(Less));
    assert_eq!(order(Builtin::Duration, "PT36H", "P1DT12H"), Some(Equal));
    assert_eq!(order(Builtin::Duration, "-PT0.5S", "PT0.5S"), Some(Less));
    assert_eq!(order(Builtin::Duration, "PT1.5S", "PT1.25S"), Some(Greater));
}

#[test]
fn moments_without_a_zone_may_have_no_order() {
    use std::cmp::Ordering::{Equal, Less};
    // The table of section 3.2.7.4.
    let of = |one: &str, other: &str| order(Builtin::DateTime, one, other);
    assert_eq!(of("2000-01-15T00:00:00", "2000-02-15T00:00:00"), Some(Less));
    assert_eq!(of("2000-01-15T12:00:00", "2000-01-16T12:00:00Z"), Some(Less));
    assert_eq!(of("2000-01-01T12:00:00", "1999-12-31T23:00:00Z"), None);
    assert_eq!(of("2000-01-16T12:00:00", "2000-01-16T12:00:00Z"), None);
    assert_eq!(of("2000-01-16T00:00:00", "2000-01-16T12:00:00Z"), None);
    assert_eq!(of("2000-03-04T23:00:00-03:00", "2000-03-05T02:00:00Z"), Some(Equal));
    assert_eq!(of("-0001-12-31T24:00:00Z", "0001-01-01T00:00:00Z"), Some(Equal));
}

#[test]
fn values_are_equal_whatever_their_text() {
    assert!(same(Builtin::Decimal, "+1.50", "01.5") && same(Builtin::Integer, "-0", "0"));
    assert!(!same(Builtin::Decimal, "1.5", "-1.5"));
    assert!(
        same(Builtin::Double, "1e2", "100") && same(Builtin::Float, "NaN", "NaN") && same(Builtin::Double, "-0", "0")
    );
    assert!(same(Builtin::Boolean, "1", "true") && !same(Builtin::Boolean, "0", "true"));
    assert!(same(Builtin::HexBinary, "0FB7", "0fb7") && same(Builtin::Base64Binary, "AQ ID", "AQID"));
    assert!(same(Builtin::DateTime, "2002-10-10T12:00:00-05:00", "2002-10-10T17:00:00Z"));
    assert!(!same(Builtin::DateTime, "2002-10-10T12:00:00", "2002-10-10T12:00:00Z"));
    // Section 3.2.8.2: midnight is 00:00:00.
    assert!(same(Builtin::Time, "24:00:00", "00:00:00") && !same(Builtin::Time, "24:00:00", "23:59:59"));
    assert!(same(Builtin::Duration, "P1Y", "P12M") && !same(Builtin::Duration, "P1D", "-P1D"));
    assert!(!same(Builtin::String, " a", "a") && same(Builtin::Token, "a  b ", "a b"));
    assert!(same(Builtin::NmTokens, "a  b", " a b") && !same(Builtin::NmTokens, "a b", "ab"));
}

#[test]
fn names_tokens_and_lists() {
    holds(Builtin::Language, &["en", "de-CH", "x-klingon", "EN-us-1a"], &["", "en_US", "e1", "abcdefghi", "en-"]);
    holds(Builtin::NmToken, &["1a", "-", "a:b", "é.x"], &["", "a b", "a,b"]);
    holds(Builtin::NmTokens, &["a 1b", " a "], &["", " ", "a ,"]);
    holds(Builtin::Name, &["a:b", "_a", ":"], &["1a", "-a", ""]);
    holds(Builtin::NcName, &["a-b.c"], &["a:b", ""]);
    holds(Builtin::Id, &["a"], &["1"]);
    holds(Builtin::IdRefs, &["a b c"], &["", "a 1"]);
    holds(Builtin::QName, &["a"], &["a:b", ":a", "a:", ""]);
    holds(Builtin::HexBinary, &["", "0F"], &["0", "0G", "0 0"]);
    holds(Builtin::Base64Binary, &["", "AQ==", "AQI=", "AQ I D"], &["A", "AQ", "AQ=A", "A===", "*"]);
    holds(
        Builtin::AnyUri,
        &["", "http://a/b?c#d", "../a", "a b", "urn:a:b", "é"],
        &["%", "a%zz", "#a#b", ":a", "http://a:b/"],
    );
}

//! Durations: XML Schema Part 2 section 3.2.6.

use std::cmp::Ordering::{self, Equal, Greater, Less};

use lengthwise_xml::calendar::Duration;
use test_support::Random;

fn order(one: &str, other: &str) -> Option<Ordering> {
    let amount = |text| Duration::parse(text).unwrap().amount().unwrap();
    amount(one).partial_cmp(&amount(other))
}

/// Section 3.2.6.1: "PnYnMnDTnHnMnS"; "at least one number and its designator must be present"; "the designator 'T' must be
/// absent if and only if all of the time items are absent"; 'P' is always there.
#[test]
fn durations_have_their_parts_in_order() {
    for text in [
        "P1Y2M3DT10H30M",
        "-P120D",
        "P1347Y",
        "PT1.5S",
        "P0Y",
        "P1MT2H",
        "P1Y2M3DT4H5M6.7S",
        "PT0S",
        "PT1M",
        "P1M",
        "-P0D",
    ] {
        assert!(Duration::parse(text).is_some(), "{text}");
    }
    let bad = [
        "P-1347M",
        "P1Y2MT",
        "P",
        "PT",
        "",
        "-",
        "1Y",
        "P1S",
        "P1M1Y",
        "PT1M1H",
        "PT1.S",
        "PT.5S",
        "P1.5Y",
        "P1.5D",
        "PT1.5M",
        "+P1D",
        "P1Y1Y",
        "P1é",
        "P1DT1HT1M",
        "PT1H1D",
        "P1H",
        "P1",
        "PY",
        "P1D ",
        "p1d",
        "P1W",
        "PT1,5S",
        "--P1D",
        "P T1S",
    ];
    for text in bad {
        assert_eq!(Duration::parse(text), None, "{text}");
    }
}

#[test]
fn parts_are_where_they_were_written() {
    let duration = Duration::parse("-P1Y3DT05M6.70S").unwrap();
    assert_eq!(duration.parts, [Some("1"), None, Some("3"), None, Some("05"), Some("6")]);
    assert_eq!((duration.negative, duration.fraction), (true, "7"));
    let amount = duration.amount().unwrap();
    assert_eq!((amount.months, amount.seconds, &*amount.fraction), (12, 3 * 86_400 + 306, "7"));
    // There is one zero.
    assert_eq!(order("-P0Y", "PT0.0S"), Some(Equal));
}

/// Section 3.2.6: the numbers may be of any size; values are compared up to 10^15.
#[test]
fn numbers_of_any_length_are_read() {
    let long = format!("P{}Y", "9".repeat(100));
    assert!(Duration::parse(&long).is_some_and(|duration| duration.amount().is_none()));
    assert!(Duration::parse("P1000000000000000M").unwrap().amount().is_some());
    assert!(Duration::parse("P1000000000000001M").unwrap().amount().is_none());
    assert!(Duration::parse("P1000000000000000D").unwrap().amount().is_none());
}

/// The table of section 3.2.6.2.
#[test]
fn durations_are_in_order_if_all_four_dates_agree() {
    let table = [
        ("P1Y", "P364D", Some(Greater)),
        ("P1Y", "P365D", None),
        ("P1Y", "P366D", None),
        ("P1Y", "P367D", Some(Less)),
        ("P1M", "P27D", Some(Greater)),
        ("P1M", "P28D", None),
        ("P1M", "P29D", None),
        ("P1M", "P30D", None),
        ("P1M", "P31D", None),
        ("P1M", "P32D", Some(Less)),
        ("P5M", "P149D", Some(Greater)),
        ("P5M", "P150D", None),
        ("P5M", "P151D", None),
        ("P5M", "P152D", None),
        ("P5M", "P153D", None),
        ("P5M", "P154D", Some(Less)),
    ];
    for (one, other, expected) in table {
        assert_eq!(order(one, other), expected, "{one} {other}");
        assert_eq!(order(other, one), expected.map(Ordering::reverse), "{other} {one}");
    }
    assert_eq!(order("PT36H", "P1DT12H"), Some(Equal));
    assert_eq!(order("P1Y", "P12M"), Some(Equal));
    assert_eq!(order("-PT0.5S", "PT0.5S"), Some(Less));
    assert_eq!(order("PT1.5S", "PT1.25S"), Some(Greater));
    assert_eq!(order("-PT1.5S", "-PT1.25S"), Some(Less));
    assert_eq!(order("-P1M", "-P32D"), Some(Greater));
}

/// Days from the first of a month to the same day some months later, by counting months.
fn days(start: (i64, i64), months: i64) -> i64 {
    let (mut year, mut month) = start;
    let mut days = 0;
    let len = |year: i64, month: i64| match month {
        2 => 28 + i64::from(if year % 100 == 0 { year % 400 == 0 } else { year % 4 == 0 }),
        9 | 4 | 6 | 11 => 30,
        _ => 31,
    };
    for _ in 0..months.abs() {
        if months > 0 {
            days += len(year, month);
            (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
        } else {
            (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
            days -= len(year, month);
        }
    }
    days
}

/// Section 3.2.6.2: x < y iff s+x < s+y for each s of 1696-09-01, 1697-02-01, 1903-03-01 and 1903-07-01.
#[test]
fn the_order_is_that_of_the_four_dates() {
    let starts = [(1696, 9), (1697, 2), (1903, 3), (1903, 7)];
    let mut random = Random::new(1);
    let mut counts = [0; 4];
    for _ in 0..test_support::rounds(20_000) {
        let mut duration = || {
            let sign = if random.one_in(3) { -1 } else { 1 };
            let months = random.below(60) as i64;
            // Near to what the months of another may come to.
            let hours = (random.below(60) as i64 * 731 + random.below(200) as i64 - 100).max(0);
            let (months, hours) = random.of(&[(months, 0), (0, hours), (months, hours % 1000)]);
            let text = format!("{}P{}Y{}MT{hours}H", if sign < 0 { "-" } else { "" }, months / 12, months % 12);
            (text, starts.map(|start| days(start, sign * months) * 24 + sign * hours))
        };
        let ((one, sums), (other, other_sums)) = (duration(), duration());
        let orders: Vec<Ordering> = sums.iter().zip(&other_sums).map(|(a, b)| a.cmp(b)).collect();
        let expected = orders.iter().all(|order| *order == orders[0]).then_some(orders[0]);
        assert_eq!(order(&one, &other), expected, "{one} {other}");
        counts[expected.map_or(3, |order| (order as i8 + 1) as usize)] += 1;
    }
    assert!(counts.iter().all(|count| *count > test_support::rounds(20)), "{counts:?}");
}

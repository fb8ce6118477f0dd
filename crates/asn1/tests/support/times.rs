//! Made-up times of ISO 8601, each with the settings that it has.

use asn1::schema::StringKind;
use test_support::Random;

/// A time, and a setting of each of its properties but Midnight.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) settings: Vec<String>,
}

/// A time that a type holds: any of TIME, one of their form of the others.
pub(crate) fn of_kind(kind: StringKind, random: &mut Random) -> String {
    match kind {
        StringKind::Date => date(random, Some("YMD"), true).0,
        StringKind::TimeOfDay => clock(random, Some("HMS"), Some(0), Some("L")).0,
        StringKind::DateTime => {
            let day = date(random, Some("YMD"), true).0;
            format!("{day}T{}", clock(random, Some("HMS"), Some(0), Some("L")).0)
        }
        StringKind::Duration => duration(random),
        _ => time(random).text,
    }
}

/// Any time.
pub(crate) fn time(random: &mut Random) -> Made {
    let basic = random.of(&["Date", "Time", "Date-Time", "Interval", "Rec-Interval"]);
    let mut settings = vec![format!("Basic={basic}")];
    if !basic.ends_with("Interval") {
        let text = point(random, basic, None, &mut settings);
        return Made { text, settings };
    }
    let mut text = String::new();
    if basic == "Rec-Interval" {
        let count = number(random);
        let unlimited = random.one_in(3);
        text = if unlimited { "R/".to_owned() } else { format!("R{count}/") };
        settings.push(if unlimited {
            "Recurrence=Unlimited".into()
        } else {
            format!("Recurrence=R{}", count.to_string().len())
        });
    }
    let kind = random.of(&["SE", "D", "SD", "DE"]);
    settings.push(format!("Interval-type={kind}"));
    if kind == "D" {
        text += &duration(random);
        return Made { text, settings };
    }
    let parts = random.of(&["Date", "Time", "Date-Time"]);
    settings.push(format!("SE-point={parts}"));
    let first = point(random, parts, None, &mut settings);
    text += &match kind {
        "SE" => {
            let mut same = Vec::new();
            let second = point(random, parts, Some(&settings), &mut same);
            // Only what both ends have.
            settings.retain(|setting| !setting.starts_with("Year=") || same.contains(setting));
            format!("{first}/{second}")
        }
        "SD" => format!("{first}/{}", duration(random)),
        _ => format!("{}/{first}", duration(random)),
    };
    Made { text, settings }
}

/// A point of time, in the form of one of the settings given.
fn point(random: &mut Random, parts: &str, like: Option<&[String]>, settings: &mut Vec<String>) -> String {
    let set = |property: &str| {
        like.into_iter()
            .flatten()
            .find_map(|setting| setting.strip_prefix(property)?.strip_prefix('='))
            .map(str::to_owned)
    };
    let mut text = String::new();
    if parts.contains("Date") {
        let form = set("Date").unwrap_or_else(|| {
            let forms: &[&str] =
                if parts == "Date" { &["C", "Y", "YM", "YMD", "YD", "YW", "YWD"] } else { &["YMD", "YD", "YWD"] };
            random.of(forms).to_owned()
        });
        let (day, year) = date(random, Some(&form), false);
        settings.extend([format!("Date={form}"), format!("Year={year}")]);
        text += &day;
    }
    if parts == "Date-Time" {
        text.push('T');
    }
    if parts.contains("Time") {
        let (accuracy, digits) = match set("Time") {
            Some(time) => match time.split_once('F') {
                Some((accuracy, digits)) => (Some(accuracy.to_owned()), Some(digits.parse().unwrap())),
                None => (Some(time), Some(0)),
            },
            None => (None, None),
        };
        let (clock, time, zone) = clock(random, accuracy.as_deref(), digits, set("Local-or-UTC").as_deref());
        settings.extend([format!("Time={time}"), format!("Local-or-UTC={zone}")]);
        text += &clock;
    }
    text
}

/// A date, and its setting of Year.
fn date(random: &mut Random, form: Option<&str>, basic: bool) -> (String, String) {
    let form = form.unwrap();
    let kind = if basic { 0 } else { random.below(4) };
    let year: i64 = match kind {
        0 => random.of(&[1582, 1748, 1749, 2004, 2005, 2020, 2021, 2276, 2277, 9999, 2024, 2000, 1900]),
        1 => random.of(&[0, 1, 1581, 4]),
        2 => -random.of(&[1, 4, 400, 9999]),
        _ => random.of(&[10_000, 99_999, 100_000, 123_456_789_012_345_678, 999_999_999_999_999_999]),
    };
    let year = if kind == 3 && random.one_in(2) { -year } else { year };
    if form == "C" {
        let century = random.of(&[[15, 20, 99], [0, 7, 14], [-1, -50, -99], [100, -123, 9999]][kind]);
        let digits = i64::abs(century).to_string().len() + 2;
        let setting = ["Basic".into(), "Proleptic".into(), "Negative".into(), format!("L{digits}")][kind].clone();
        let sign = if century < 0 {
            "-"
        } else if century > 99 {
            "+"
        } else {
            ""
        };
        return (format!("{sign}{:02}C", century.abs()), setting);
    }
    let digits = year.abs().to_string().len();
    let setting = ["Basic".into(), "Proleptic".into(), "Negative".into(), format!("L{digits}")][kind].clone();
    let sign = if year < 0 {
        "-"
    } else if year > 9999 {
        "+"
    } else {
        ""
    };
    let rest = match form {
        "Y" => "".to_owned(),
        "YM" => format!("-{:02}", 1 + random.below(12)),
        "YMD" => random.of(&["-01-01", "-12-31", "-02-28", "-06-30", "-03-15"]).into(),
        "YD" => format!("-{:03}", 1 + random.below(365)),
        "YW" => format!("-W{:02}", 1 + random.below(52)),
        _ => format!("-W{:02}-{}", 1 + random.below(52), 1 + random.below(7)),
    };
    (format!("{sign}{:04}{rest}", year.abs()), setting)
}

/// A time of day, and its settings of Time and Local-or-UTC.
fn clock(
    random: &mut Random,
    accuracy: Option<&str>,
    digits: Option<usize>,
    zone: Option<&str>,
) -> (String, String, String) {
    let accuracy = accuracy.unwrap_or_else(|| random.of(&["H", "HM", "HMS"])).to_owned();
    let digits = digits.unwrap_or_else(|| random.of(&[0, 0, 1, 2, 3, 4, 9, 18]));
    let zone = zone.unwrap_or_else(|| random.of(&["L", "Z", "LD"])).to_owned();
    let midnight = random.one_in(6);
    let mut text = if midnight { "24".to_owned() } else { format!("{:02}", random.below(24)) };
    for (place, most) in [("HM", 60), ("HMS", 61)] {
        if accuracy.len() >= place.len() {
            text += &format!(":{:02}", if midnight { 0 } else { random.below(most) });
        }
    }
    if digits > 0 {
        text.push('.');
        let kind = random.below(3);
        text.extend((0..digits).map(|_| match kind {
            0 => '0',
            1 if !midnight => '9',
            _ if midnight => '0',
            _ => char::from(b'0' + random.below(10) as u8),
        }));
    }
    text += &match &zone[..] {
        "L" => "".to_owned(),
        "Z" => "Z".to_owned(),
        _ => random.of(&["+00:00", "+01:00", "-01:00", "+05:30", "-15:59", "+15:59", "-00:01"]).to_owned(),
    };
    let fraction = if digits > 0 { format!("F{digits}") } else { String::new() };
    (text, format!("{accuracy}{fraction}"), zone)
}

/// A duration in the form in which it is stored.
fn duration(random: &mut Random) -> String {
    let mut parts: Vec<String> = Vec::new();
    let letters: &[(char, usize)] = match random.below(4) {
        0 => &[('W', 0)],
        1 => &[('Y', 0), ('M', 0), ('D', 0)],
        2 => &[('H', 1), ('M', 1), ('S', 1)],
        _ => &[('Y', 0), ('M', 0), ('D', 0), ('H', 1), ('M', 1), ('S', 1)],
    };
    let last = random.below(letters.len());
    let mut time = false;
    for (place, (letter, group)) in letters.iter().enumerate().take(last + 1) {
        if place < last && random.one_in(2) {
            continue;
        }
        let number = if place < last { number(random).max(1) } else { number(random) };
        let fraction = match place == last && random.one_in(3) {
            true => format!(".{}", random.of(&["0", "5", "50", "999", "1000", "999999999999999999"])),
            false => String::new(),
        };
        let mark = if *group == 1 && !time { "T" } else { "" };
        time |= *group == 1;
        parts.push(format!("{mark}{number}{fraction}{letter}"));
    }
    format!("P{}", parts.concat())
}

/// A number at one of the edges that PER has.
fn number(random: &mut Random) -> u64 {
    random.of(&[0, 1, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 32_767, 32_768, 1 << 40, 999_999_999_999_999_999])
}

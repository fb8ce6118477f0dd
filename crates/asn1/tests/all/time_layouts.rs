//! Times in PER are encoded like other types that represent them (X.691 clause 32): code that is not specific to times
//! must write the same bits.

use crate::support::{Type, every_way};
use asn1::{Compiled, Options};

/// SETTINGS, a time with them, the type that represents it, and its value.
const ROWS: &[(&str, &str, &str, &str)] = &[
    ("Basic=Date Date=C Year=Basic", "20C", "Century", "20"),
    ("Basic=Date Date=C Year=Proleptic", "00C", "Century", "0"),
    ("Basic=Date Date=C Year=Negative", "-03C", "Any", "-3"),
    ("Basic=Date Date=C Year=L5", "+123C", "Any", "123"),
    ("Basic=Date Date=Y Year=Basic", "2005", "Year", r#"{"n":2005}"#),
    ("Basic=Date Date=Y Year=Basic", "2020", "Year", r#"{"n":2020}"#),
    ("Basic=Date Date=Y Year=Basic", "2021", "Year", r#"{"f":2021}"#),
    ("Basic=Date Date=Y Year=Basic", "2276", "Year", r#"{"f":2276}"#),
    ("Basic=Date Date=Y Year=Basic", "2277", "Year", r#"{"r":2277}"#),
    ("Basic=Date Date=Y Year=Basic", "9999", "Year", r#"{"r":9999}"#),
    ("Basic=Date Date=Y Year=Basic", "2004", "Year", r#"{"p":2004}"#),
    ("Basic=Date Date=Y Year=Basic", "1749", "Year", r#"{"p":1749}"#),
    ("Basic=Date Date=Y Year=Basic", "1748", "Year", r#"{"r":1748}"#),
    ("Basic=Date Date=Y Year=Proleptic", "0000", "Year", r#"{"r":0}"#),
    ("Basic=Date Date=Y Year=Negative", "-0001", "Any", "-1"),
    ("Basic=Date Date=Y Year=L6", "-123456", "Any", "-123456"),
    ("Basic=Date Date=Y Year=L18", "+123456789012345678", "Any", "123456789012345678"),
    ("Basic=Date Date=YM Year=Basic", "2025-03", "Month", r#"{"y":{"f":2025},"m":3}"#),
    ("Basic=Date Date=YM Year=Negative", "-0044-03", "AnyMonth", r#"{"y":-44,"m":3}"#),
    ("Basic=Date Date=YMD Year=Basic", "1985-04-12", "Date", r#"{"y":{"p":1985},"m":4,"d":12}"#),
    ("Basic=Date Date=YMD Year=L5", "+12000-12-31", "AnyDate", r#"{"y":12000,"m":12,"d":31}"#),
    ("Basic=Date Date=YD Year=Basic", "2024-366", "YearDay", r#"{"y":{"f":2024},"d":366}"#),
    ("Basic=Date Date=YD Year=Negative", "-0001-001", "AnyYearDay", r#"{"y":-1,"d":1}"#),
    ("Basic=Date Date=YW Year=Basic", "2020-W53", "Week", r#"{"y":{"n":2020},"w":53}"#),
    ("Basic=Date Date=YW Year=Negative", "-0002-W07", "AnyWeek", r#"{"y":-2,"w":7}"#),
    ("Basic=Date Date=YWD Year=Basic", "1985-W15-5", "WeekDay", r#"{"y":{"p":1985},"w":15,"d":5}"#),
    ("Basic=Date Date=YWD Year=L5", "+10000-W01-7", "AnyWeekDay", r#"{"y":10000,"w":1,"d":7}"#),
    ("Basic=Time Time=H Local-or-UTC=L", "24", "Hours", "24"),
    ("Basic=Time Time=H Local-or-UTC=Z", "07Z", "HoursZ", "7"),
    ("Basic=Time Time=H Local-or-UTC=LD", "07-03:30", "HoursD", r#"{"h":7,"z":{"s":"negative","h":3,"m":30}}"#),
    ("Basic=Time Time=HM Local-or-UTC=L", "23:59", "Minutes", r#"{"h":23,"m":59}"#),
    ("Basic=Time Time=HM Local-or-UTC=Z", "23:59Z", "MinutesZ", r#"{"h":23,"m":59}"#),
    (
        "Basic=Time Time=HM Local-or-UTC=LD",
        "23:59+15:59",
        "MinutesD",
        r#"{"t":{"h":23,"m":59},"z":{"s":"positive","h":15,"m":59}}"#,
    ),
    ("Basic=Time Time=HMS Local-or-UTC=L", "15:27:46", "Seconds", r#"{"h":15,"m":27,"s":46}"#),
    ("Basic=Time Time=HMS Local-or-UTC=Z", "23:59:60Z", "SecondsZ", r#"{"h":23,"m":59,"s":60}"#),
    (
        "Basic=Time Time=HMS Local-or-UTC=LD",
        "15:27:46+01:00",
        "SecondsD",
        r#"{"t":{"h":15,"m":27,"s":46},"z":{"s":"positive","h":1}}"#,
    ),
    ("Basic=Time Time=HF1 Local-or-UTC=L", "06.5", "HoursF", r#"{"h":6,"f":5}"#),
    ("Basic=Time Time=HF2 Local-or-UTC=Z", "06.05Z", "HoursFZ", r#"{"h":6,"f":5}"#),
    ("Basic=Time Time=HF3 Local-or-UTC=LD", "06.999+00:00", "HoursFD", r#"{"h":6,"f":999,"z":{"s":"positive","h":0}}"#),
    ("Basic=Time Time=HMF4 Local-or-UTC=L", "06:30.1000", "MinutesF", r#"{"h":6,"m":30,"f":1000}"#),
    ("Basic=Time Time=HMF4 Local-or-UTC=Z", "06:30.0999Z", "MinutesFZ", r#"{"h":6,"m":30,"f":999}"#),
    (
        "Basic=Time Time=HMF1 Local-or-UTC=LD",
        "06:30.0-01:30",
        "MinutesFD",
        r#"{"t":{"h":6,"m":30,"f":0},"z":{"s":"negative","h":1,"m":30}}"#,
    ),
    ("Basic=Time Time=HMSF1 Local-or-UTC=L", "15:27:35.5", "SecondsF", r#"{"h":15,"m":27,"s":35,"f":5}"#),
    (
        "Basic=Time Time=HMSF9 Local-or-UTC=Z",
        "15:27:35.123456789Z",
        "SecondsFZ",
        r#"{"h":15,"m":27,"s":35,"f":123456789}"#,
    ),
    (
        "Basic=Time Time=HMSF18 Local-or-UTC=LD",
        "15:27:35.999999999999999999-14:00",
        "SecondsFD",
        r#"{"t":{"h":15,"m":27,"s":35,"f":999999999999999999},"z":{"s":"negative","h":14}}"#,
    ),
    (
        "Basic=Date-Time Date=YMD Year=Basic Time=HMS Local-or-UTC=L",
        "1985-11-06T21:00:59",
        "DateSeconds",
        r#"{"d":{"y":{"p":1985},"m":11,"d":6},"t":{"h":21,"m":0,"s":59}}"#,
    ),
    (
        "Basic=Date-Time Date=YWD Year=Basic Time=HM Local-or-UTC=Z",
        "1985-W15-5T10:15Z",
        "WeekDayMinutesZ",
        r#"{"d":{"y":{"p":1985},"w":15,"d":5},"t":{"h":10,"m":15}}"#,
    ),
    (
        "Basic=Date-Time Date=YMD Year=Negative Time=HMSF2 Local-or-UTC=LD",
        "-0044-03-15T12:00:00.25+01:00",
        "AnyDateSecondsFD",
        r#"{"d":{"y":-44,"m":3,"d":15},"t":{"t":{"h":12,"m":0,"s":0,"f":25},"z":{"s":"positive","h":1}}}"#,
    ),
    (
        "Basic=Interval Interval-type=SE SE-point=Date Date=YMD Year=Basic",
        "2005-01-01/2020-12-31",
        "StartEndDate",
        r#"{"s":{"y":{"n":2005},"m":1,"d":1},"e":{"y":{"n":2020},"m":12,"d":31}}"#,
    ),
    (
        "Basic=Interval Interval-type=SE SE-point=Time Time=HM Local-or-UTC=L",
        "08:00/24:00",
        "StartEndTime",
        r#"{"s":{"h":8,"m":0},"e":{"h":24,"m":0}}"#,
    ),
    (
        "Basic=Interval Interval-type=SE SE-point=Date-Time Date=YMD Year=Basic Time=HMS Local-or-UTC=L",
        "1985-04-12T23:20:50/1985-06-25T10:30:00",
        "StartEndDateTime",
        r#"{"s":{"d":{"y":{"p":1985},"m":4,"d":12},"t":{"h":23,"m":20,"s":50}},
            "e":{"d":{"y":{"p":1985},"m":6,"d":25},"t":{"h":10,"m":30,"s":0}}}"#,
    ),
    (
        "Basic=Interval Interval-type=D",
        "P2Y10M15DT10H20M30S",
        "Duration",
        r#"{"y":2,"mo":10,"d":15,"h":10,"mi":20,"s":30}"#,
    ),
    ("Basic=Interval Interval-type=D", "P6W", "Duration", r#"{"w":6}"#),
    ("Basic=Interval Interval-type=D", "PT0S", "Duration", r#"{"s":0}"#),
    (
        "Basic=Interval Interval-type=D",
        "P32Y16M32DT32H64M64S",
        "Duration",
        r#"{"y":32,"mo":16,"d":32,"h":32,"mi":64,"s":64}"#,
    ),
    ("Basic=Interval Interval-type=D", "P64.5W", "Duration", r#"{"w":64,"f":{"n":1,"v":5}}"#),
    ("Basic=Interval Interval-type=D", "PT1.0050S", "Duration", r#"{"s":1,"f":{"n":4,"v":50}}"#),
    ("Basic=Interval Interval-type=D", "P1YT0.001H", "Duration", r#"{"y":1,"h":0,"f":{"n":3,"v":1}}"#),
    ("Basic=Interval Interval-type=D", "P999999999999999999D", "Duration", r#"{"d":999999999999999999}"#),
    (
        "Basic=Interval Interval-type=SD SE-point=Date Date=YMD Year=Basic",
        "2005-01-01/P1M",
        "StartDuration",
        r#"{"s":{"y":{"n":2005},"m":1,"d":1},"d":{"mo":1}}"#,
    ),
    (
        "Basic=Interval Interval-type=DE SE-point=Time Time=HM Local-or-UTC=L",
        "PT1H/08:00",
        "DurationEnd",
        r#"{"d":{"h":1},"e":{"h":8,"m":0}}"#,
    ),
    (
        "Basic=Rec-Interval Recurrence=Unlimited Interval-type=SE SE-point=Date Date=YMD Year=Basic",
        "R/2005-01-01/2005-01-02",
        "RecStartEnd",
        r#"{"s":{"y":{"n":2005},"m":1,"d":1},"e":{"y":{"n":2005},"m":1,"d":2}}"#,
    ),
    ("Basic=Rec-Interval Interval-type=D", "R12/PT5M", "RecDuration", r#"{"r":12,"d":{"mi":5}}"#),
    ("Basic=Rec-Interval Interval-type=D Recurrence=R3", "R128/PT5M", "RecDuration", r#"{"r":128,"d":{"mi":5}}"#),
    (
        "Basic=Rec-Interval Interval-type=SD SE-point=Date-Time Date=YMD Year=Basic Time=HMS Local-or-UTC=L",
        "R1/2005-01-01T00:00:00/P1D",
        "RecStartDuration",
        r#"{"r":1,"s":{"d":{"y":{"n":2005},"m":1,"d":1},"t":{"h":0,"m":0,"s":0}},"d":{"d":1}}"#,
    ),
    (
        "Basic=Rec-Interval Interval-type=DE SE-point=Time Time=HM Local-or-UTC=L",
        "R0/PT1H/08:00",
        "RecDurationEnd",
        r#"{"r":0,"d":{"h":1},"e":{"h":8,"m":0}}"#,
    ),
];

/// The same for a TIME that may be any.
const MIXED: &[(&str, &str)] = &[
    ("20C", r#"{"r1":20}"#),
    ("+100C", r#"{"r2":100}"#),
    ("2012", r#"{"r3":{"n":2012}}"#),
    ("-0001", r#"{"r4":-1}"#),
    ("2025-03", r#"{"r5":{"y":{"f":2025},"m":3}}"#),
    ("+10000-03", r#"{"r6":{"y":10000,"m":3}}"#),
    ("2012-12-21", r#"{"r7":{"y":{"n":2012},"m":12,"d":21}}"#),
    ("-0002-04-12", r#"{"r8":{"y":-2,"m":4,"d":12}}"#),
    ("1985-102", r#"{"r9":{"y":{"p":1985},"d":102}}"#),
    ("+12345-365", r#"{"r10":{"y":12345,"d":365}}"#),
    ("1985-W15", r#"{"r11":{"y":{"p":1985},"w":15}}"#),
    ("-1985-W15", r#"{"r12":{"y":-1985,"w":15}}"#),
    ("1985-W15-5", r#"{"r13":{"y":{"p":1985},"w":15,"d":5}}"#),
    ("+1234567-W15-5", r#"{"r14":{"y":1234567,"w":15,"d":5}}"#),
    ("06", r#"{"r15":6}"#),
    ("06Z", r#"{"r16":6}"#),
    ("06+00:00", r#"{"r17":{"h":6,"z":{"s":"positive","h":0}}}"#),
    ("06:30", r#"{"r18":{"h":6,"m":30}}"#),
    ("06:30Z", r#"{"r19":{"h":6,"m":30}}"#),
    ("06:30-08:00", r#"{"r20":{"t":{"h":6,"m":30},"z":{"s":"negative","h":8}}}"#),
    ("06:30:15", r#"{"r21":{"h":6,"m":30,"s":15}}"#),
    ("06:30:15Z", r#"{"r22":{"h":6,"m":30,"s":15}}"#),
    ("06:30:15+05:30", r#"{"r23":{"t":{"h":6,"m":30,"s":15},"z":{"s":"positive","h":5,"m":30}}}"#),
    ("06.25", r#"{"r24":{"n":2,"t":{"h":6,"f":25}}}"#),
    ("06.250Z", r#"{"r25":{"n":3,"t":{"h":6,"f":250}}}"#),
    ("06.2500+01:00", r#"{"r26":{"n":4,"t":{"h":6,"f":2500,"z":{"s":"positive","h":1}}}}"#),
    ("06:30.5", r#"{"r27":{"n":1,"t":{"h":6,"m":30,"f":5}}}"#),
    ("06:30.5Z", r#"{"r28":{"n":1,"t":{"h":6,"m":30,"f":5}}}"#),
    ("06:30.5+01:00", r#"{"r29":{"n":1,"t":{"t":{"h":6,"m":30,"f":5},"z":{"s":"positive","h":1}}}}"#),
    ("06:30:15.5", r#"{"r30":{"n":1,"t":{"h":6,"m":30,"s":15,"f":5}}}"#),
    ("06:30:15.5Z", r#"{"r31":{"n":1,"t":{"h":6,"m":30,"s":15,"f":5}}}"#),
    ("06:30:15.5+01:00", r#"{"r32":{"n":1,"t":{"t":{"h":6,"m":30,"s":15,"f":5},"z":{"s":"positive","h":1}}}}"#),
    (
        "2012-12-21T06:30:15.125Z",
        r#"{"r33":{"d":{"r7":{"y":{"n":2012},"m":12,"d":21}},"t":{"n":3,"t":{"r31":{"h":6,"m":30,"s":15,"f":125}}}}}"#,
    ),
    ("1985-102T06", r#"{"r33":{"d":{"r9":{"y":{"p":1985},"d":102}},"t":{"t":{"r15":6}}}}"#),
    ("1999/2012", r#"{"r34":{"s":{"r3":{"p":1999}},"e":{"r3":{"n":2012}}}}"#),
    ("-0001/2012", r#"{"r34":{"s":{"r4":-1},"e":{"r3":{"n":2012}}}}"#),
    ("06:30/07:30", r#"{"r35":{"s":{"t":{"r18":{"h":6,"m":30}}},"e":{"t":{"r18":{"h":7,"m":30}}}}}"#),
    (
        "2012-W01-1T06/2012-W01-1T07",
        r#"{"r36":{"s":{"d":{"r13":{"y":{"n":2012},"w":1,"d":1}},"t":{"t":{"r15":6}}},
                   "e":{"d":{"r13":{"y":{"n":2012},"w":1,"d":1}},"t":{"t":{"r15":7}}}}}"#,
    ),
    ("P1Y", r#"{"r37":{"y":1}}"#),
    ("2012/P1Y", r#"{"r38":{"s":{"r3":{"n":2012}},"d":{"y":1}}}"#),
    ("06.5/PT1M", r#"{"r39":{"s":{"n":1,"t":{"r24":{"h":6,"f":5}}},"d":{"mi":1}}}"#),
    ("1985-102T06/P1W", r#"{"r40":{"s":{"d":{"r9":{"y":{"p":1985},"d":102}},"t":{"t":{"r15":6}}},"d":{"w":1}}}"#),
    ("P1Y/2012", r#"{"r41":{"d":{"y":1},"e":{"r3":{"n":2012}}}}"#),
    ("PT1M/06Z", r#"{"r42":{"d":{"mi":1},"e":{"t":{"r16":6}}}}"#),
    ("P1W/1985-102T06", r#"{"r43":{"d":{"w":1},"e":{"d":{"r9":{"y":{"p":1985},"d":102}},"t":{"t":{"r15":6}}}}}"#),
    ("R/1999/2012", r#"{"r44":{"s":{"r3":{"p":1999}},"e":{"r3":{"n":2012}}}}"#),
    ("R300/06/07", r#"{"r45":{"r":300,"s":{"t":{"r15":6}},"e":{"t":{"r15":7}}}}"#),
    (
        "R2/1985-102T06/1985-102T07",
        r#"{"r46":{"r":2,"s":{"d":{"r9":{"y":{"p":1985},"d":102}},"t":{"t":{"r15":6}}},
                   "e":{"d":{"r9":{"y":{"p":1985},"d":102}},"t":{"t":{"r15":7}}}}}"#,
    ),
    ("R/P1W", r#"{"r47":{"d":{"w":1}}}"#),
    ("R1/2012/P1Y", r#"{"r48":{"r":1,"s":{"r3":{"n":2012}},"d":{"y":1}}}"#),
    ("R1/06/PT1M", r#"{"r49":{"r":1,"s":{"t":{"r15":6}},"d":{"mi":1}}}"#),
    (
        "R1/1985-102T06/P1W",
        r#"{"r50":{"r":1,"s":{"d":{"r9":{"y":{"p":1985},"d":102}},"t":{"t":{"r15":6}}},"d":{"w":1}}}"#,
    ),
    ("R1/P1Y/2012", r#"{"r51":{"r":1,"d":{"y":1},"e":{"r3":{"n":2012}}}}"#),
    ("R1/PT1M/06", r#"{"r52":{"r":1,"d":{"mi":1},"e":{"t":{"r15":6}}}}"#),
    (
        "R1/P1W/1985-102T06",
        r#"{"r53":{"r":1,"d":{"w":1},"e":{"d":{"r9":{"y":{"p":1985},"d":102}},"t":{"t":{"r15":6}}}}}"#,
    ),
];

/// Checks that a time has the bits of what represents it, in both variants, and is read back from every encoding.
fn agree(time: &Type, text: &str, twin: &Type, value: &str) {
    let json = format!("{text:?}");
    for options in [Options::uper(), Options::aper()] {
        let expected = twin.message(value, &options).unwrap_or_else(|error| panic!("{error} in {value}"));
        let message = time.message(&json, &options).unwrap_or_else(|error| panic!("{error} in {text}"));
        assert_eq!(message, expected, "{text} by {options:?}");
    }
    for (name, options) in every_way() {
        let message = time.message(&json, &options).unwrap();
        let back = time.json(&message, &options).unwrap_or_else(|error| panic!("{error} in {text} by {name}"));
        assert_eq!(back, json, "{name}");
    }
}

fn twin(name: &str) -> Type {
    let types = Compiled::from_notation(include_str!("../time_support/clause_32.asn1")).unwrap();
    let node = types.find(name).unwrap();
    Type { types, node }
}

#[test]
fn times_of_one_row_have_the_bits_of_its_type() {
    for (settings, text, name, value) in ROWS {
        let time = Type::new(&format!("T ::= TIME (SETTINGS \"{settings}\")"));
        agree(&time, text, &twin(name), value);
    }
}

#[test]
fn times_of_several_rows_have_the_bits_of_a_choice() {
    let (time, mixed) = (Type::new("T ::= TIME"), twin("Mixed"));
    for (text, value) in MIXED {
        agree(&time, text, &mixed, value);
    }
    let rows: Vec<String> = MIXED.iter().map(|(_, value)| value[2..].split('"').next().unwrap().to_owned()).collect();
    assert!((1..=53).all(|row| rows.contains(&format!("r{row}"))));
}

#[test]
fn useful_types_are_times_of_one_row() {
    let dates = [("DATE", "2012-12-21", "Date", r#"{"y":{"n":2012},"m":12,"d":21}"#)];
    let times = [("TIME-OF-DAY", "06:30:00", "Seconds", r#"{"h":6,"m":30,"s":0}"#)];
    let both = "1951-10-14T15:30:00";
    let both =
        [("DATE-TIME", both, "DateSeconds", r#"{"d":{"y":{"p":1951},"m":10,"d":14},"t":{"h":15,"m":30,"s":0}}"#)];
    let durations = [("DURATION", "P1DT12H", "Duration", r#"{"d":1,"h":12}"#)];
    for (ty, text, name, value) in dates.into_iter().chain(times).chain(both).chain(durations) {
        agree(&Type::new(&format!("T ::= {ty}")), text, &twin(name), value);
    }
}

/// What of a constraint PER sees.
#[test]
fn settings_decide_whether_one_row_is_left() {
    let row = r#"{"y":{"n":2012},"m":12,"d":21}"#;
    for one in [
        r#"((SETTINGS "Basic=Date Date=YMD Year=Basic") | (SETTINGS "Basic=Date Date=YMD Year=Proleptic"))"#,
        r#"(SETTINGS "Basic=Date") (SETTINGS "Date=YMD") (SETTINGS "Year=Basic")"#,
        r#"(SETTINGS "Basic=Date" ^ SETTINGS "Date=YMD Year=Basic")"#,
        r#"(SETTINGS "Basic=Date Date=YMD Year=Basic" EXCEPT "2012-12-22")"#,
        r#"(SETTINGS "Basic=Date Date=YMD Year=Basic") (CONSTRAINED BY { /* a working day */ })"#,
        r#"(SETTINGS "Basic=Date Date=YMD Year=Basic") ("2012-12-01".."2012-12-31")"#,
        r#"(D) (SETTINGS "Basic=Date")"#,
        r#"(SETTINGS "Year=Basic") (INCLUDES DATE)"#,
    ] {
        let assignments = format!("T ::= TIME {one} D ::= TIME (SETTINGS \"Date=YMD Year=Basic\")");
        agree(&Type::new(&assignments), "2012-12-21", &twin("Date"), row);
    }
    for mixed in [
        "",
        r#"(SETTINGS "Basic=Date Date=YMD")"#,
        r#"(SETTINGS "Date=YMD Year=Basic")"#,
        r#"(SETTINGS "Basic=Date Year=Basic")"#,
        r#"((SETTINGS "Basic=Date Date=YMD Year=Basic") | (SETTINGS "Basic=Date Date=YMD Year=Negative"))"#,
        r#"(SETTINGS "Basic=Date Date=YMD Year=Basic" | "06:30")"#,
        r#"("2012-12-21")"#,
        r#"(ALL EXCEPT (SETTINGS "Basic=Time"))"#,
    ] {
        agree(&Type::new(&format!("T ::= TIME {mixed}")), "2012-12-21", &twin("Mixed"), &format!("{{\"r7\":{row}}}"));
    }
}

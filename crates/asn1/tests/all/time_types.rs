//! TIME, DATE, TIME-OF-DAY, DATE-TIME and DURATION (X.680 clause 38): in each encoding, in JSON and in
//! notation, what is allowed and what is refused.

use crate::support::{Type, compiled, hex};
use asn1::{Compiled, Limits, NodeId, Options, Values, notation};
use tam::{Error, ErrorKind};

/// What the ASN.1 quick reference of OSS Nokalva prints, at its pages of these types.
#[test]
fn published_values_in_ber() {
    for (ty, text, octets) in [
        ("DATE", "2012-12-21", "1F1F 08 3230313231323231"),
        ("TIME-OF-DAY", "06:30:00", "1F20 06 303633303030"),
        ("DATE-TIME", "1951-10-14T15:30:00", "1F21 0E 3139353131303134313533303030"),
        ("DURATION", "P2Y10M15DT10H20M30S", "1F22 12 325931304D3135445431304832304D333053"),
        ("TIME", "1985-W15-5", "0E 0A 313938352D5731352D35"),
        ("TIME", "-0002-04-12", "0E 0B 2D303030322D30342D3132"),
    ] {
        let ty = Type::new(&format!("T ::= {ty}"));
        for options in [Options::ber(), Options::der()] {
            assert_eq!(ty.message(&format!("{text:?}"), &options).unwrap(), hex(octets), "{text}");
            assert_eq!(ty.json(&hex(octets), &options).unwrap(), format!("{text:?}"));
        }
    }
    let ty = Type::new("T ::= TIME");
    for (text, octets) in
        [("15:27:35,5", "0E 0A 31353A32373A33352E35"), ("15:27:46+01:00", "0E 0B 31353A32373A34362B3031")]
    {
        assert_eq!(ty.message(&format!("{text:?}"), &Options::der()).unwrap(), hex(octets), "{text}");
    }
    // BER in another form than DER.
    let octets = hex("0E 0E 31353A32373A34362C35303B3030");
    assert_eq!(ty.refusal(&octets, &Options::ber()).kind(), ErrorKind::Schema);
    let octets = hex("0E 0D 31353A32373A34362C352B3031");
    assert_eq!(ty.json(&octets, &Options::ber()).unwrap(), "\"15:27:46.5+01:00\"");
}

/// The octets are those that asn1tools 0.169 makes of the same values.
#[test]
fn useful_types_in_per_as_asn1tools_has_them() {
    let [date, time, both] = ["DATE", "TIME-OF-DAY", "DATE-TIME"].map(|ty| Type::new(&format!("T ::= {ty}")));
    for (year, unaligned, aligned) in [
        (1582, "C0818B8D60", "C002062E3580"),
        (1748, "C081B50D60", "C00206D43580"),
        (1749, "800D60", "80003580"),
        (1985, "BB0D60", "80EC3580"),
        (2004, "BFCD60", "80FF3580"),
        (2005, "00D6", "00D6"),
        (2020, "3CD6", "3CD6"),
        (2021, "400D60", "40003580"),
        (2276, "7FCD60", "40FF3580"),
        (2277, "C082394D60", "C00208E53580"),
        (9999, "C089C3CD60", "C002270F3580"),
    ] {
        let text = format!("\"{year}-04-12\"");
        for (options, octets) in [(Options::uper(), unaligned), (Options::aper(), aligned)] {
            assert_eq!(date.message(&text, &options).unwrap(), hex(octets), "{text}");
            assert_eq!(date.json(&hex(octets), &options).unwrap(), text);
        }
    }
    assert_eq!(time.message("\"15:27:46\"", &Options::uper()).unwrap(), hex("7B7700"));
    assert_eq!(both.message("\"1985-11-06T21:00:59\"", &Options::uper()).unwrap(), hex("BB28B503B0"));
}

/// By hand from X.691 clause 32: 8 bits for what is there, then 5 of each part but minutes and weeks,
/// which have 6, and an extension bit in front of each.
#[test]
fn durations_in_per_by_hand() {
    let ty = Type::new("T ::= DURATION");
    for (text, bits) in [
        ("P1Y", "10000000 0 00001"),
        ("P15M", "01000000 0 1111"),
        ("P16M", "01000000 1 00000001 00010000"),
        ("P63W", "00100000 0 111111"),
        ("P1DT2H", "00011000 0 00001 0 00010"),
        ("PT2M0S", "00000110 0 000010 0 000000"),
        ("PT1.05S", "00000011 0 000001 0 01 0 0000000101"),
    ] {
        let message = crate::support::binary(bits);
        assert_eq!(ty.message(&format!("{text:?}"), &Options::uper()).unwrap(), message, "{text}");
        assert_eq!(ty.json(&message, &Options::uper()).unwrap(), format!("{text:?}"));
    }
}

/// Texts that are no times of ISO 8601 in the extended format.
const NO_TIMES: &[&str] = &[
    "",
    " ",
    "T",
    "P",
    "PT",
    "R",
    "R/",
    "/",
    "Z",
    "C",
    "W",
    "2",
    "200",
    "20001",
    "2000-",
    "2000-1",
    "2000-13",
    "2000-00",
    "2000-02-30",
    "1900-02-29",
    "-0001-02-29",
    "2000-04-31",
    "2000-01-00",
    "2000-01-01-",
    "20000101",
    "2000-000",
    "2001-366",
    "2000-367",
    "2000-W00",
    "2000-W53",
    "2015-W54",
    "2015-W01-0",
    "2015-W01-8",
    "2015W01",
    "+2000",
    "-0000",
    "-00C",
    "+20C",
    "020C",
    "+09999",
    "-02000",
    "200C",
    "25",
    "24:01",
    "24:00:01",
    "24:00:00.1",
    "24.5",
    "12:60",
    "12:59:61",
    "1:00",
    "12:0",
    "12:00:00:00",
    "12:00.",
    "12.",
    "12,",
    "12:00:00.5.5",
    "12Z+01",
    "12+1",
    "12+16",
    "12+01:60",
    "12-00",
    "12-00:00",
    "12+01:00:00",
    "T12:00",
    "2000T12:00",
    "2000-01T12:00",
    "20CT12",
    "2000-01-01T",
    "2000-01-01 12:00",
    "2000-01-01T12:00T",
    "P1",
    "1Y",
    "PY",
    "P1M1Y",
    "P1D1M",
    "P1H",
    "PT1Y",
    "P1YT",
    "P1Y1W",
    "P1WT1H",
    "P1.5Y1M",
    "P1.Y",
    "P.5Y",
    "P-1Y",
    "P1Y1Y",
    "P1S",
    "PT1S1M",
    "P1Y/P1Y",
    "2000/01",
    "2000-01/2000-01-01",
    "12:00/12:00Z",
    "12.5/12.55",
    "R1",
    "R1/2000",
    "R-1/P1Y",
    "Rx/P1Y",
    "R1/R1/P1Y",
    "2000/2000/2000",
    "P1Y/",
    "/P1Y",
    "é000",
    "200é",
    "2000-é1",
    "12:é0",
    "P1é",
    "12+é",
    "１２:00",
    "+1234567890123456789",
    "12.1234567890123456789",
    "P1234567890123456789D",
    "R1234567890123456789/P1Y",
];

#[test]
fn what_is_no_time_is_refused() {
    let ty = Type::new("T ::= TIME");
    for text in NO_TIMES {
        let json = format!("{text:?}");
        let error = ty.message(&json, &Options::uper()).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Schema, 0), "{error}: {text}");
        let mut message = vec![0x0E, text.len() as u8];
        message.extend(text.as_bytes());
        let error = ty.refusal(&message, &Options::ber());
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Schema, 0), "{error}: {text}");
    }
    let error = ty.message("\"2025-02-30\"", &Options::uper()).unwrap_err();
    let words = "found \"2025-02-30\", which is not in the calendar, expected what the constraint of T allows";
    assert!(error.to_string().ends_with(words), "{error}");
}

/// Bits of clause 32 that are not a time, each after its error.
#[test]
fn bits_that_are_no_time_are_refused() {
    for (ty, bits, kind, words) in [
        // The 30th of February 2005; month 13.
        ("DATE", "00 0000 0001 11101", ErrorKind::Syntax, "which is not in the calendar"),
        ("DATE", "00 0000 1100 00000", ErrorKind::Syntax, "12 above the lower bound"),
        // Year 10000, year -1.
        ("DATE", "11 00000010 00100111 00010000 0000 00000", ErrorKind::Syntax, "a year of another row"),
        ("DATE", "11 00000001 11111111 0000 00000", ErrorKind::Syntax, "a year of another row"),
        // Year 1581, which DATE does not have.
        ("DATE", "11 00000010 00000110 00101101 0000 00000", ErrorKind::Schema, "\"1581-01-01\""),
        // Years of 9 octets, of none, of 19 digits.
        ("DATE", "11 00001001", ErrorKind::Unsupported, "a number of 9 octets"),
        ("DATE", "11 00000000", ErrorKind::Syntax, "an INTEGER without octets"),
        (
            "TIME (SETTINGS \"Basic=Date Date=Y Year=L5\")",
            "00001000 01111111 11111111 11111111 11111111 11111111 11111111 11111111 11111111",
            ErrorKind::Unsupported,
            "9223372036854775807",
        ),
        ("TIME (SETTINGS \"Basic=Date Date=Y Year=Negative\")", "00000001 00000000", ErrorKind::Syntax, "another row"),
        // 24:00:01 and 25 hours.
        ("TIME-OF-DAY", "11000 000000 000001", ErrorKind::Syntax, "which is not a time of day"),
        ("TIME-OF-DAY", "11001 000000 000000", ErrorKind::Syntax, "25 above the lower bound"),
        // A difference of -00:00.
        ("TIME (SETTINGS \"Basic=Time Time=H Local-or-UTC=LD\")", "00000 01 0000", ErrorKind::Syntax, "minus sign"),
        // A fraction of more digits than the type has, and below zero.
        (
            "TIME (SETTINGS \"Basic=Time Time=HF1 Local-or-UTC=L\")",
            "00000 0 0000001010",
            ErrorKind::Syntax,
            "more digits",
        ),
        (
            "TIME (SETTINGS \"Basic=Time Time=HF1 Local-or-UTC=L\")",
            "00000 1 00000001 11111111",
            ErrorKind::Syntax,
            "below zero",
        ),
        // No duration; weeks and days; a fraction of nothing.
        ("DURATION", "00000000", ErrorKind::Syntax, "a duration of nothing"),
        ("DURATION", "00110000 0 000001 0 00001", ErrorKind::Syntax, "a duration of weeks and something else"),
        ("DURATION", "00000001 0 00 0 0000000000", ErrorKind::Syntax, "a duration of nothing"),
        ("DURATION", "10000000 1 00000001 11111111", ErrorKind::Syntax, "below zero"),
        // Rows 54 and 64 of a CHOICE of 53; 19 digits; digits where there is no fraction.
        ("TIME", "110101", ErrorKind::Syntax, "53 above the lower bound"),
        ("TIME", "111111", ErrorKind::Syntax, "63 above the lower bound"),
        ("TIME", "010111 00000001 00010010 00000 0 0000000000", ErrorKind::Unsupported, "19 digits of a fraction"),
        (
            "TIME",
            "100000 0110 00 0000 0000 00000 1 00000001 00000000 00000",
            ErrorKind::Syntax,
            "a number of digits without a fraction",
        ),
        // A year alone before a time of day; ends in different forms.
        (
            "TIME",
            "100000 0010 00 0000 0 00000 00000",
            ErrorKind::Syntax,
            "a time of day after something that is not a day",
        ),
        ("TIME", "100001 0010 00 0000 0000 0000000", ErrorKind::Syntax, "an interval whose end"),
        // A recurrence below zero.
        (
            "TIME (SETTINGS \"Basic=Rec-Interval Interval-type=D\")",
            "1 00000001 11111111",
            ErrorKind::Syntax,
            "below zero",
        ),
    ] {
        let time = Type::new(&format!("T ::= {ty}"));
        let error = time.refusal(&crate::support::binary(bits), &Options::uper());
        assert_eq!(error.kind(), kind, "{error}: {ty} {bits}");
        assert!(error.found().to_string().contains(words), "{error}: {ty} {bits}");
        assert!(error.offset() <= bits.len() as u64 / 8);
    }
}

fn refused(ty: &str, text: &str) -> bool {
    let time = Type::new(&format!("T ::= {ty}"));
    [Options::uper(), Options::ber()].map(|options| time.message(&format!("{text:?}"), &options).is_err()) == [true; 2]
}

/// What each property and setting lets in, and what not (X.680 clause 38.2).
#[test]
fn settings_are_held() {
    for (settings, fit, unfit) in [
        ("Basic=Date", "2000 20C 2000-W01-1", "12 2000-01-01T12 P1D R/P1D"),
        ("Basic=Time", "12 12:30Z 24:00", "2000 2000-01-01T12 P1D"),
        ("Basic=Date-Time", "2000-01-01T12", "2000 12 P1D"),
        ("Basic=Interval", "P1D 2000/2001 12/P1D", "R/P1D 12 2000"),
        ("Basic=Rec-Interval", "R/P1D R1/12/13", "P1D 12/13"),
        ("Date=C", "20C -20C +200C", "2000 12"),
        ("Date=Y", "2000 1999/2000", "20C 2000-01 12"),
        ("Date=YM", "2000-01 2000-01/P1D", "2000 2000-01-01"),
        ("Date=YMD", "2000-01-01 2000-01-01T12", "2000-001 2000-01"),
        ("Date=YD", "2000-001 2000-001T12", "2000-01-01"),
        ("Date=YW", "2000-W01", "2000-W01-1 2000"),
        ("Date=YWD", "2000-W01-1", "2000-W01"),
        ("Year=Basic", "1582 9999 2000-01-01 20C 99C", "1581 -0001 +10000 12 P1D"),
        ("Year=Proleptic", "0000 1581 14C", "1582 -0001 +10000"),
        ("Year=Negative", "-0001 -9999 -01C -99C", "0000 -10000"),
        ("Year=L5", "+10000 -99999 +100C", "9999 +100000 +1000C"),
        ("Year=L6", "+100000 -999999", "+99999 +1000000"),
        ("Time=H", "12 12Z 2000-01-01T12", "12:00 12.5 2000"),
        ("Time=HM", "12:00 12:00+01", "12 12:00:00 12:00.0"),
        ("Time=HMS", "12:00:00Z", "12:00 12:00:00.0"),
        ("Time=HF1", "12.5 12,5", "12 12.50 12:00.5"),
        ("Time=HMF2", "12:00.50", "12:00.5 12.50"),
        ("Time=HMSF3", "12:00:00.000 12:00:00.000/12:00:01.000", "12:00:00 12:00:00.0000"),
        ("Local-or-UTC=L", "12 2000-01-01T12", "12Z 12+01 2000"),
        ("Local-or-UTC=Z", "12Z", "12 12+00"),
        ("Local-or-UTC=LD", "12+00 12-01:30", "12 12Z"),
        ("Interval-type=SE", "12/13 R/12/13", "P1D 12/P1D 12"),
        ("Interval-type=D", "P1D R1/P1D", "12/P1D 12/13"),
        ("Interval-type=SD", "12/P1D", "P1D/12"),
        ("Interval-type=DE", "P1D/12", "12/P1D"),
        ("SE-point=Date", "2000/2001 2000/P1D", "2000 12/13 P1D"),
        ("SE-point=Time", "12/13", "12 2000/2001"),
        ("SE-point=Date-Time", "2000-01-01T12/P1D", "2000-01-01T12 12/13"),
        ("Recurrence=Unlimited", "R/P1D", "R1/P1D P1D"),
        ("Recurrence=R1", "R0/P1D R9/P1D", "R10/P1D R/P1D"),
        ("Recurrence=R3", "R100/P1D R0999/P1D", "R99/P1D"),
        ("Midnight=Start", "00:00 12:30", "24:00 24 2000"),
        ("Midnight=End", "24:00 24Z", "00:00 12:30"),
    ] {
        let ty = format!("TIME (SETTINGS \"{settings}\")");
        for text in fit.split(' ') {
            assert!(!refused(&ty, text), "{settings}: {text}");
        }
        for text in unfit.split(' ') {
            assert!(refused(&ty, text), "{settings}: {text}");
        }
    }
}

#[test]
fn other_constraints_are_held() {
    for (ty, fit, unfit) in [
        ("DATE", "1582-01-01 9999-12-31", "1581-12-31 2000-001 2000 12:00:00"),
        ("TIME-OF-DAY", "00:00:00 24:00:00 23:59:60", "12:00 12:00:00Z 12:00:00.0"),
        ("DATE-TIME", "2000-01-01T24:00:00", "2000-01-01 2000-01-01T12:00:00Z"),
        ("DURATION", "P1W PT0.5S", "R/P1W 2000/P1W"),
        ("DATE (\"2000-01-01\" | \"2000-12-31\")", "2000-01-01 2000-12-31", "2000-06-30"),
        ("DATE (\"2000-01-01\"..\"2000-12-31\")", "2000-01-01 2000-06-30 2000-12-31", "1999-12-31 2001-01-01"),
        ("TIME-OF-DAY (MIN..\"12:00:00\")", "00:00:00 12:00:00", "12:00:01"),
        ("TIME (\"12:00:00.5\"..MAX)", "12:00:00.5 12:00:01.0", "12:00:00.4 12:00:01 12:00:01.00 2000 12:00:01.0Z"),
        ("DURATION (\"P1Y0M\"..\"P2Y6M\")", "P1Y1M P2Y0M P2Y6M", "P1Y P2Y7M P18M"),
        ("DATE (ALL EXCEPT \"2000-01-01\")", "2000-01-02", "2000-01-01"),
        ("TIME ((SETTINGS \"Basic=Time\") EXCEPT (SETTINGS \"Midnight=End\"))", "00:00 12", "24:00 2000"),
        ("DURATION (WITH COMPONENTS { ..., seconds ABSENT, fractional-part ABSENT })", "P1Y PT1M", "PT1S P0.5Y"),
        ("DURATION (WITH COMPONENTS { ..., seconds PRESENT })", "PT1S PT1M0.5S", "PT1M P1Y"),
        ("DURATION (WITH COMPONENTS { days (0..31), hours OPTIONAL })", "P31D P1DT1H", "P32D PT1H P1DT1M P1.5D"),
        ("DURATION (WITH COMPONENTS { ..., weeks (1 | 3..5) })", "P1W P4W P2Y", "P2W P6W"),
        (
            "DURATION (WITH COMPONENTS { ..., fractional-part (WITH COMPONENTS { number-of-digits (1..3), fractional-value (0..500) }) })",
            "PT1S PT1.500S PT0.5S",
            "PT1.501S PT1.0005S",
        ),
    ] {
        for text in fit.split(' ') {
            assert!(!refused(ty, text), "{ty}: {text}");
        }
        for text in unfit.split(' ') {
            assert!(refused(ty, text), "{ty}: {text}");
        }
    }
}

fn fault(assignments: &str) -> Error {
    match compiled("AUTOMATIC TAGS", assignments) {
        Err(error) => error,
        Ok(_) => panic!("{assignments} is compiled"),
    }
}

#[test]
fn meaningless_constraints_are_refused_at_their_position() {
    for (ty, kind, words) in [
        ("TIME (SETTINGS \"\")", ErrorKind::Schema, "no settings"),
        ("TIME (SETTINGS \"Basic\")", ErrorKind::Schema, "Basic"),
        ("TIME (SETTINGS \"Basic=Date Colour=Red\")", ErrorKind::Schema, "Colour=Red"),
        ("TIME (SETTINGS \"Basic=Day\")", ErrorKind::Schema, "Basic=Day"),
        ("TIME (SETTINGS \"Year=L4\")", ErrorKind::Schema, "Year=L4"),
        ("TIME (SETTINGS \"Time=HF0\")", ErrorKind::Schema, "Time=HF0"),
        ("TIME (SETTINGS \"Basic=Date Basic=Time\")", ErrorKind::Schema, "Basic=Time"),
        ("TIME (SETTINGS \"Basic=Date Time=H\")", ErrorKind::Schema, "settings that no time has together"),
        ("DATE (SETTINGS \"Basic=Time\")", ErrorKind::Schema, "settings that no time has together"),
        ("DATE (\"2000-02-30\")", ErrorKind::Schema, "which is not in the calendar"),
        ("DATE (1)", ErrorKind::Schema, "another value"),
        ("DATE (\"2001-01-01\"..\"2000-01-01\")", ErrorKind::Schema, "a range whose end"),
        ("DATE (\"2000-01-01\"..\"2000\")", ErrorKind::Schema, "a range whose end"),
        ("TIME (\"12+01\"..\"13+01\")", ErrorKind::Unsupported, "a range of such times"),
        ("DATE (\"2000-01-01\"<..MAX)", ErrorKind::Unsupported, "a range of times without its end"),
        ("DATE (SIZE (3))", ErrorKind::Unsupported, "SIZE of a type of time"),
        ("DATE (FROM (\"0\"))", ErrorKind::Unsupported, "FROM of a type of time"),
        ("DATE (INTEGER)", ErrorKind::Schema, "a type that is none of time"),
        ("DATE (SETTINGS \"Year=Basic\", ...)", ErrorKind::Unsupported, "an extensible constraint of a type of time"),
        ("DURATION (WITH COMPONENTS { ..., moons ABSENT })", ErrorKind::Schema, "moons"),
        ("DATE DEFAULT \"2000-02-30\"", ErrorKind::Schema, "which is not in the calendar"),
    ] {
        let assignments = format!("T ::= SEQUENCE {{ a {ty} }}");
        let error = fault(&assignments);
        assert_eq!(error.kind(), kind, "{ty}: {error}");
        assert!(error.found().to_string().contains(words), "{ty}: {error}");
        assert!(error.to_string().contains("line 1") && error.path().contains('T'), "{ty}: {error}");
    }
}

/// Contained types would be gone through twice as often at every level.
#[test]
fn constraints_that_grow_without_end_are_refused() {
    let mut text = "T ::= TIME (T0 | T0) ".to_owned();
    for level in 0..40 {
        text += &format!("T{level} ::= TIME (T{} | T{}) ", level + 1, level + 1);
    }
    text += "T40 ::= TIME (SETTINGS \"Basic=Date\")";
    assert_eq!(fault(&text).kind(), ErrorKind::Limit);
    let text = "T ::= TIME (T)";
    assert_eq!(fault(text).kind(), ErrorKind::Schema);
    let years = |from: u32| {
        let settings: Vec<String> = (from..from + 100).map(|year| format!("SETTINGS \"Year=L{year}\"")).collect();
        settings.join(" | ")
    };
    let text = format!("T ::= TIME ({}) ({})", years(5), years(50));
    assert_eq!(fault(&text).kind(), ErrorKind::Limit);
}

#[test]
fn notation_of_values_and_defaults() {
    let types = Compiled::from_notation(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE { at TIME DEFAULT \"12:00,5+01\", on DATE OPTIONAL, for DURATION DEFAULT noon }
            noon DURATION ::= \"PT12H\"
         END",
    )
    .unwrap();
    let node: NodeId = types.find("T").unwrap();
    let mut values = Values::new();
    let read = |text: &str, values: &mut Values| -> Result<(String, Vec<u8>), Error> {
        let value = notation::read_value(text, &types, Some(node), &Limits::default(), values)?;
        Ok((notation::write_value(value)?, asn1::write(value, &Options::uper())?))
    };
    let (text, message) = read("{ at \"12:00.5+01:00\", on \"2005-01-01\" }", &mut values).unwrap();
    assert_eq!(message, crate::support::binary("010 000000 0000 00000"));
    assert!(text.contains("on \"2005-01-01\""), "{text}");
    for (text, words) in [
        ("{ on \"2005-02-29\" }", "which is not in the calendar"),
        ("{ on { 2005 } }", "a character string"),
        ("{ on 2005 }", "a character string"),
        ("{ on \"12:00\" }", "12:00"),
    ] {
        let error = read(text, &mut values).unwrap_err();
        assert!(error.to_string().contains(words) && error.to_string().contains("line 1"), "{error}");
    }
}

/// What a text says is what is written, however it says it.
#[test]
fn values_are_stored_in_one_form() {
    let ty = Type::new("T ::= TIME");
    for (text, stored) in [
        ("12:00:00,50", "12:00:00.50"),
        ("12+01", "12+01:00"),
        ("P01Y00M3D", "P1Y3D"),
        ("P0Y0M", "P0M"),
        ("P1DT0H0.0S", "P1DT0.0S"),
        ("R007/P1D", "R7/P1D"),
    ] {
        for options in [Options::uper(), Options::aper(), Options::ber(), Options::der()] {
            let message = ty.message(&format!("{text:?}"), &options).unwrap();
            assert_eq!(ty.json(&message, &options).unwrap(), format!("{stored:?}"), "{text}");
            assert_eq!(message, ty.message(&format!("{stored:?}"), &options).unwrap(), "{text}");
        }
    }
}

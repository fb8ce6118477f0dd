//! The types of time of the module XSD, version 2 (X.694 Annex A): each is compiled and carries values.

use crate::support::{Type, binary, every_way};
use asn1::{Compiled, Options};
use tam::ErrorKind;

/// The definitions of the module, without the instructions of XER, which say nothing here.
const XSD: &str = r#"XSD DEFINITIONS AUTOMATIC TAGS ::= BEGIN

Date ::= CHOICE {
  asn1supportedvalue TIME (SETTINGS "Basic=Date Date=YMD"),
  othervalues VisibleString (FROM ("0".."9" | "DHMPSTY:.+-")) (CONSTRAINED BY { /* with a time zone */ })
} (CONSTRAINED BY { })

DateTime ::= TIME ((SETTINGS "Basic=Date-Time Date=YMD Midnight=Start"))
  (CONSTRAINED BY { /* time zones from -14 to +14 */ })

Duration ::= CHOICE {
  asn1supportedvalue DURATION
    ((WITH COMPONENTS { ..., seconds ABSENT, fractional-part ABSENT }) | (WITH COMPONENTS { ..., seconds PRESENT })),
  othervalues VisibleString (FROM ("0".."9" | "DHMPSTY:.+-")) (CONSTRAINED BY { /* below zero */ })
} (CONSTRAINED BY { })

GYear ::= CHOICE {
  asn1supportedvalue TIME (SETTINGS "Basic=Date Date=Y"),
  othervalues VisibleString (FROM ("0".."9" | "Z:+-"))
}

GYearMonth ::= CHOICE {
  asn1supportedvalue TIME (SETTINGS "Basic=Date Date=YM"),
  othervalues VisibleString (FROM ("0".."9" | "Z:+-"))
}

Time ::= TIME ((SETTINGS "Basic=Time") EXCEPT (SETTINGS "Midnight=End"))
  (CONSTRAINED BY { /* Time=HMSFn for any n */ })

GDay ::= DateTimeType (Day)
GMonth ::= DateTimeType (Month)
GMonthDay ::= DateTimeType (MonthDay)
DateTimeType ::= VisibleString (FROM ("0".."9" | "TZ:.+-")) (CONSTRAINED BY { })
Day ::= DateTimeType (FROM ("0".."9" | "Z:+-")) (CONSTRAINED BY { })
Month ::= DateTimeType (FROM ("0".."9" | "Z:+-")) (CONSTRAINED BY { })
MonthDay ::= DateTimeType (FROM ("0".."9" | "Z:+-")) (CONSTRAINED BY { })

END"#;

fn ty(name: &str) -> Type {
    let types = Compiled::from_notation(XSD).unwrap();
    let node = types.find(name).unwrap();
    Type { types, node }
}

#[test]
fn values_go_by_all_rules_and_come_back() {
    for (name, values, refused) in [
        (
            "Date",
            r#""2025-03-01" "-0044-03-15" "2025-03-01+01:00""#,
            r#"{"asn1supportedvalue":"2025-03"} {"asn1supportedvalue":"2025-03-01Z"} {"asn1supportedvalue":"2025-060"}"#,
        ),
        (
            "DateTime",
            r#""2025-03-01T06:30:00" "2025-03-01T06:30:00.125Z" "+12025-03-01T06:30:00-14:00" "2025-03-01T00:00:00""#,
            r#""2025-03-01T24:00:00" "2025-060T06:30:00" "2025-03-01" "06:30:00""#,
        ),
        (
            "Duration",
            r#""P1Y2M3DT4H5M6.789S" "P1Y" "-P1Y""#,
            r#"{"asn1supportedvalue":"P1.5Y"} {"asn1supportedvalue":"-P1Y"} {"asn1supportedvalue":"2025/P1Y"}"#,
        ),
        ("GYear", r#""2025" "2025Z""#, r#"{"asn1supportedvalue":"2025-03"}"#),
        ("GYearMonth", r#""2025-03""#, r#"{"asn1supportedvalue":"2025"}"#),
        (
            "Time",
            r#""00:00:00" "06:30:00Z" "23:59:59.999999999+14:00""#,
            r#""24:00:00" "2025-03-01T06:30:00" "06:30:00+16:00""#,
        ),
        ("GDay", r#""---01" "---31Z""#, r#""a""#),
        ("GMonth", r#""--03""#, r#""a""#),
        ("GMonthDay", r#""--03-01+01:00""#, r#""T""#),
    ] {
        let ty = ty(name);
        for value in values.split(' ') {
            for (rules, options) in every_way() {
                let message = ty.message(value, &options).unwrap_or_else(|error| panic!("{error}: {value} by {rules}"));
                assert_eq!(ty.json(&message, &options).unwrap(), value, "{name} by {rules}");
            }
        }
        for value in refused.split(' ') {
            assert!(ty.message(value, &Options::uper()).is_err(), "{name}: {value}");
        }
    }
}

/// The text alone is the first alternative that allows it; either may be named.
#[test]
fn alternatives_may_be_named() {
    for (text, named) in [
        (r#""2025-03-01""#, r#"{"asn1supportedvalue":"2025-03-01"}"#),
        (r#""2025-03-01+01:00""#, r#"{"othervalues":"2025-03-01+01:00"}"#),
    ] {
        let messages = [text, named].map(|value| ty("Date").message(value, &Options::uper()).unwrap());
        assert_eq!(messages[0], messages[1]);
    }
    for (name, text) in [
        ("Date", "1 March"),
        ("Date", "2025-3-1"),
        ("Date", "2025-03"),
        ("Date", "2025-02-30+01:00"),
        ("GYear", "2025-03"),
        ("GYearMonth", "2025"),
        ("GYearMonth", "2025-13-01:00"),
        ("Duration", "-P"),
        ("Duration", "2025-03-01+01:00"),
    ] {
        let error = ty(name).message(&format!("\"{text}\""), &Options::uper()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema, "{error}");
        assert!(error.to_string().contains(&format!("found {text:?}")), "{error}");
    }
}

/// The settings allow more than one form of a date, so the form is encoded (X.691 clause 32.11): 6 bits select it, or 4
/// and 1 + 5 for a date and a time of day in the 33rd form.
#[test]
fn bits_by_hand() {
    for (name, value, bits) in [
        ("Date", r#"{"asn1supportedvalue":"2005-01-02"}"#, "0 000110 00 0000 0000 00001"),
        ("GYear", r#"{"asn1supportedvalue":"2021"}"#, "0 000010 01 00000000"),
        ("GYearMonth", r#"{"asn1supportedvalue":"2021-12"}"#, "0 000100 01 00000000 1011"),
        ("Time", r#""06:30:00Z""#, "010101 00110 011110 000000"),
        ("DateTime", r#""2005-01-02T06:30:00Z""#, "100000 0110 00 0000 0000 00001 0 00111 00110 011110 000000"),
        (
            "DateTime",
            r#""2005-01-02T06:30:00.5+01:30""#,
            "100000 0110 00 0000 0000 00001 1 00000001 00000000 10001 00110 011110 000000 0 0000000101 1 0 0001 011101",
        ),
        ("Duration", r#"{"asn1supportedvalue":"P1Y"}"#, "0 10000000 0 00001"),
    ] {
        assert_eq!(ty(name).message(value, &Options::uper()).unwrap(), binary(bits), "{value}");
    }
}

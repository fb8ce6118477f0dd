//! Times: as they are, and by canonical rules in UTC with seconds.

use crate::support::{Type, hex};
use asn1::Options;
use tam::ErrorKind;

fn canonical_ways() -> [Options; 3] {
    [Options::der(), Options::uper().with_canonical(true), Options::aper().with_canonical(true)]
}

/// X.690 clause 11.7.
#[test]
fn canonical_rules_write_a_time_in_utc() {
    let ty = Type::new("T ::= GeneralizedTime");
    let local = r#""20250301003000+0100""#;
    let der = ["180F".to_owned(), "20250228233000Z".bytes().map(|byte| format!("{byte:02X}")).collect()].concat();
    assert_eq!(ty.message(local, &Options::der()).unwrap(), hex(&der));
    for options in canonical_ways() {
        let message = ty.message(local, &options).unwrap();
        assert_eq!(ty.json(&message, &options).unwrap(), r#""20250228233000Z""#);
        assert_eq!(ty.rewritten(&message, &options).unwrap(), message);
    }
    for options in [Options::ber(), Options::uper(), Options::aper()] {
        let message = ty.message(local, &options).unwrap();
        assert_eq!(ty.json(&message, &options).unwrap(), local);
    }
}

#[test]
fn a_time_without_a_zone_has_no_canonical_form() {
    let ty = Type::new("T ::= SEQUENCE { t GeneralizedTime }");
    for options in canonical_ways() {
        let error = ty.message(r#"{"t":"20250301060000"}"#, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "/t"), "{error}");
    }
    ty.message(r#"{"t":"20250301060000"}"#, &Options::ber()).unwrap();
}

/// X.690 clause 11.5 with 11.8, X.691 clause 19.5.
#[test]
fn a_time_that_is_the_default_in_another_form_is_left_out_by_canonical_rules() {
    let ty = Type::new(r#"T ::= SEQUENCE { t UTCTime DEFAULT "250301060000Z" }"#);
    let json = r#"{"t":"2503010600Z"}"#;
    for (options, message) in canonical_ways().into_iter().zip(["3000", "00", "00"]) {
        assert_eq!(ty.message(json, &options).unwrap(), hex(message));
    }
    for options in [Options::ber(), Options::uper(), Options::aper()] {
        let message = ty.message(json, &options).unwrap();
        assert_eq!(ty.json(&message, &options).unwrap(), json);
    }
}

//! BER held against PER: made-up values come back by either, in whatever form a message has.

use crate::ber_support::forms::Forms;
use crate::ber_support::hex;
use crate::jer_support::{MODULE, Made, json_of, uper_of};
use asn1::{Compiled, Options, Values};
use tam::ErrorKind;
use test_support::Random;

#[test]
fn made_up_values_come_back_in_every_form() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(90);
    for round in 0..test_support::rounds(1500) {
        let text = Made::value(&types, ty, &mut random);
        let packed = uper_of(&types, ty, &text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let mut values = Values::new();
        let value = asn1::read(&packed, &types, ty, &Options::uper(), &mut values).unwrap();
        let (basic, distinguished) =
            (asn1::write(value, &Options::ber()).unwrap(), asn1::write(value, &Options::der()).unwrap());
        assert_eq!(json_of(&types, ty, &basic, &Options::ber()).unwrap(), text);
        let other = Forms { random: &mut random }.all(&basic);
        assert_eq!(json_of(&types, ty, &other, &Options::ber()).unwrap(), text, "round {round}: {other:02X?}");
        // Whatever the form, there is one canonical one, and what is packed is the same.
        for message in [&basic, &distinguished, &other] {
            let mut values = Values::new();
            let value = asn1::read(message, &types, ty, &Options::ber(), &mut values).unwrap();
            assert!(asn1::write(value, &Options::der()).unwrap() == distinguished);
            assert!(asn1::write(value, &Options::uper()).unwrap() == packed);
        }
    }
}

/// Of messages that are spoiled in a few places: what is read is written, read, and the same then.
#[test]
fn spoiled_messages_that_are_read_are_written_and_read_again() {
    let types = Compiled::from_notation(MODULE).unwrap();
    let ty = types.find("Batch").unwrap();
    let mut random = Random::new(91);
    let (mut read, mut refused) = (0, [0; 5]);
    for _ in 0..test_support::rounds(1500) {
        let text = Made::value(&types, ty, &mut random);
        let packed = uper_of(&types, ty, &text).unwrap();
        let mut values = Values::new();
        let value = asn1::read(&packed, &types, ty, &Options::uper(), &mut values).unwrap();
        let basic = asn1::write(value, &Options::ber()).unwrap();
        let whole = Forms { random: &mut random }.all(&basic);
        for _ in 0..20 {
            let mut message = whole.clone();
            for _ in 0..random.below(3) + 1 {
                let at = random.below(message.len());
                match random.below(4) {
                    0 => drop(message.remove(at)),
                    1 => message.insert(at, random.next() as u8),
                    _ => message[at] = [0, 0x30, 0x80, 0xA0, 0xFF, random.next() as u8][random.below(6)],
                }
                if message.is_empty() {
                    message.push(0x30);
                }
            }
            let mut values = Values::new();
            match asn1::read(&message, &types, ty, &Options::ber(), &mut values) {
                Ok(value) => {
                    read += 1;
                    for options in [Options::ber(), Options::der()] {
                        let written = asn1::write(value, &options).unwrap();
                        let mut values = Values::new();
                        let again = asn1::read(&written, &types, ty, &options, &mut values).unwrap();
                        assert!(asn1::write(again, &options).unwrap() == written);
                    }
                }
                Err(error) => {
                    assert!(error.offset() <= message.len() as u64 && error.format() == "ber", "{error:?}");
                    refused[error.kind() as usize] += 1;
                }
            }
        }
    }
    assert!(read > test_support::rounds(1000), "{read}");
    let kinds = [ErrorKind::Syntax, ErrorKind::Incomplete, ErrorKind::Schema];
    assert!(kinds.iter().all(|kind| refused[*kind as usize] > 100), "{refused:?}");
}

/// Two messages that are read as the same value have one canonical form, and two values never do:
/// small messages of a small type, all of them.
#[test]
fn the_canonical_form_is_one_for_each_value() {
    let ty = crate::ber_support::Type::implicit(
        "T ::= SET { a [0] BOOLEAN DEFAULT TRUE, b [1] SET OF NULL OPTIONAL, c [2] INTEGER (0..1) OPTIONAL }",
    );
    let mut forms = std::collections::HashMap::new();
    let mut seen = 0;
    let pieces =
        ["", "800100", "800101", "8001FF", "A100", "A180 0000", "A102 0500", "A103 058100", "820100", "820101"];
    for one in pieces {
        for two in pieces {
            for three in pieces {
                let contents = hex(&[one, two, three].concat());
                let message = [vec![0x31, contents.len() as u8], contents].concat();
                let mut values = Values::new();
                let Ok(value) = asn1::read(&message, &ty.types, ty.node, &Options::ber(), &mut values) else {
                    continue;
                };
                let packed = asn1::write(value, &Options::uper().with_canonical(true)).unwrap();
                let canonical = asn1::write(value, &Options::der()).unwrap();
                seen += 1;
                assert_eq!(forms.entry(canonical.clone()).or_insert_with(|| packed.clone()), &packed);
                assert!(ty.rewritten(&canonical, &Options::der()).unwrap() == canonical);
            }
        }
    }
    // TRUE and absent are one: 2 of `a`, 3 of `b`, 3 of `c`.
    assert_eq!(forms.len(), 2 * 3 * 3);
    assert!(seen > 100, "{seen}");
}

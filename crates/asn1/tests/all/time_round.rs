//! Made-up times, whole and spoiled, by all rules.

use crate::support::spoiled::spoiled;
use crate::support::times::{Made, time};
use crate::support::{Type, every_way};
use asn1::{Options, Values};
use test_support::Random;

/// A type of a part of a time's settings.
fn of_settings(made: &Made, random: &mut Random) -> Type {
    let some: Vec<&str> = made.settings.iter().filter(|_| random.one_in(2)).map(String::as_str).collect();
    let some = if random.one_in(3) { made.settings.iter().map(String::as_str).collect() } else { some };
    match some.is_empty() {
        true => Type::new("T ::= TIME"),
        false => Type::new(&format!("T ::= TIME (SETTINGS \"{}\")", some.join(" "))),
    }
}

#[test]
fn times_go_round() {
    let mut random = Random::new(32);
    for _ in 0..test_support::rounds(4_000) {
        let made = time(&mut random);
        let ty = of_settings(&made, &mut random);
        let json = format!("{:?}", made.text);
        for (name, options) in every_way() {
            let message = ty.message(&json, &options).unwrap_or_else(|error| panic!("{error}: {made:?} by {name}"));
            let back = ty.json(&message, &options).unwrap_or_else(|error| panic!("{error}: {made:?} by {name}"));
            assert_eq!(back, json, "{name}");
            assert_eq!(ty.rewritten(&message, &options).unwrap(), message, "{name}: {made:?}");
        }
    }
}

/// A setting that a time does not have keeps it out.
#[test]
fn times_of_other_settings_are_refused() {
    let mut random = Random::new(33);
    let mut held = 0;
    for _ in 0..test_support::rounds(2_000) {
        let (made, other) = (time(&mut random), time(&mut random));
        let setting = random.of(&other.settings.iter().map(String::as_str).collect::<Vec<_>>()).to_owned();
        let property = setting.split_once('=').unwrap().0;
        // Ends of an interval may have years of different settings; then it has none.
        if made.settings.contains(&setting) || property == "Year" {
            continue;
        }
        let ty = Type::new(&format!("T ::= TIME (SETTINGS \"{setting}\")"));
        let json = format!("{:?}", made.text);
        assert!(ty.message(&json, &Options::uper()).is_err(), "{made:?} of {setting}");
        held += 1;
    }
    assert!(held > test_support::rounds(500), "{held}");
}

/// Whatever the bits say, it is read as a time that is written and read again, or refused.
fn spoiled_messages(rounds: usize, random: &mut Random) -> (usize, usize) {
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds {
        let made = time(random);
        let ty = of_settings(&made, random);
        let json = format!("{:?}", made.text);
        for (name, options) in every_way() {
            let message = ty.message(&json, &options).unwrap();
            for _ in 0..20 {
                let message = spoiled(&message, random);
                let mut values = Values::new();
                match asn1::read_prefix(&message, &ty.types, ty.node, &options, &mut values) {
                    Ok((value, used)) => {
                        assert!(used <= message.len());
                        let text = crate::support::text_of(value).unwrap();
                        let again =
                            asn1::write(value, &options).unwrap_or_else(|error| panic!("{error}: {text} by {name}"));
                        assert_eq!(ty.json(&again, &options).unwrap(), text, "{name} of {message:02X?}");
                        read += 1;
                    }
                    Err(error) => {
                        assert!(error.offset() <= message.len() as u64, "{error}: {message:02X?}");
                        refused += 1;
                    }
                }
            }
        }
    }
    (read, refused)
}

#[test]
fn spoiled_times_are_read_or_refused() {
    let (read, refused) = spoiled_messages(150, &mut Random::new(34));
    assert!(read > test_support::rounds(2_000) && refused > test_support::rounds(2_000), "{read} {refused}");
}

#[test]
#[ignore = "minutes; run with --release"]
fn many_spoiled_times_are_read_or_refused() {
    let mut random = Random::new(35);
    let (read, refused) = spoiled_messages(test_support::rounds(50_000), &mut random);
    println!("{read} read, {refused} refused");
}

/// Texts with characters changed: read as what they say, or refused; what is read is read again as it
/// is stored.
#[test]
fn spoiled_texts_are_read_or_refused() {
    let mut random = Random::new(36);
    let ty = Type::new("T ::= TIME");
    let mut read = 0;
    for _ in 0..test_support::rounds(20_000) {
        let mut text: Vec<char> = time(&mut random).text.chars().collect();
        for _ in 0..=random.below(2) {
            let at = random.below(text.len().max(1));
            match random.below(4) {
                0 if !text.is_empty() => drop(text.remove(at)),
                1 => text.insert(
                    at.min(text.len()),
                    random.of(&['0', '9', '-', ':', 'T', 'Z', '/', 'P', 'R', 'W', '.', ',', 'é', '+']),
                ),
                _ if !text.is_empty() => text[at] = char::from(b'0' + random.below(10) as u8),
                _ => {}
            }
        }
        let json = format!("{:?}", text.iter().collect::<String>());
        let Ok(message) = ty.message(&json, &Options::uper()) else { continue };
        read += 1;
        let stored = ty.json(&message, &Options::uper()).unwrap();
        assert_eq!(ty.message(&stored, &Options::uper()).unwrap(), message, "{json}");
        for options in [Options::ber(), Options::der(), Options::aper()] {
            let message = ty.message(&json, &options).unwrap();
            assert_eq!(ty.json(&message, &options).unwrap(), stored, "{json}");
        }
    }
    assert!(read > test_support::rounds(2_000), "{read}");
}

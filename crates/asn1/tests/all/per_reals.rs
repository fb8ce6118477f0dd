//! REAL in base 2 in PER, at any position in an octet, compared with BER's reading of the same contents octets.

use asn1::per::BitWriter;
use asn1::{Compiled, Options, Values};
use tam::ErrorKind;
use test_support::{Random, rounds};

/// Contents octets: numbers as they are mostly written, others that are none or that no double holds, and some with
/// octets too many or too few.
fn contents(random: &mut Random) -> Vec<u8> {
    let first = [0x80, 0xC0, 0x81, 0xC1, 0x80, 0xC0, 0x82, 0x83, 0x84, 0x8C, 0x90, 0xA0, 0xB0, 0x40, 0x43, 0x03];
    let mut octets = vec![random.of(&first)];
    let exponent: i16 = match random.below(4) {
        0 => random.below(256) as i16 - 128,
        1 => random.of(&[-1074, -1075, -1022, -1023, 970, 971, 1023, 1024, -128, 127, 0]),
        _ => random.below(2300) as i16 - 1150,
    };
    match octets[0] & 3 {
        0 => octets.push(exponent as u8),
        _ => octets.extend(exponent.to_be_bytes()),
    }
    let mantissa = random.next() >> random.below(64);
    let mantissa = random.of(&[mantissa, mantissa, 1, 1 << 53, (1 << 53) - 1, 0]).to_be_bytes();
    octets.extend(mantissa.iter().skip(random.below(9)));
    octets
}

#[test]
fn numbers_in_base_2_are_read_as_ber_reads_them_at_any_position() {
    let types: Vec<Compiled> = (1..=8)
        .map(|lead| {
            let text = format!(
                "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
                    Alone ::= REAL
                    After ::= SEQUENCE {{ lead BIT STRING (SIZE ({lead})), number REAL, after OCTET STRING (SIZE (9)) }}
                 END"
            );
            Compiled::from_notation(&text).unwrap()
        })
        .collect();
    let mut random = Random::new(7);
    let (mut held, mut refused) = (0, 0);
    for _ in 0..rounds(20_000) {
        let contents = contents(&mut random);
        let lead = random.below(8);
        let types = &types[lead];
        let ber = [&[0x09, contents.len() as u8], &contents[..]].concat();
        let mut values = Values::new();
        let read = asn1::read(&ber, types, types.find("Alone").unwrap(), &Options::ber(), &mut values);
        let expected = read.map(|value| value.as_f64().unwrap().to_bits()).map_err(|error| error.kind());
        match expected {
            Ok(_) => held += 1,
            Err(_) => refused += 1,
        }
        for options in [Options::uper(), Options::aper()] {
            let mut message = Vec::new();
            let mut bits = BitWriter::new(&mut message);
            bits.write(0, lead as u32 + 1);
            if options.rules == asn1::EncodingRules::Aper {
                bits.align();
            }
            bits.write(contents.len() as u64, 8);
            bits.bytes(&contents);
            let end = bits.position();
            bits.bytes(&[0xA5; 9]);
            bits.finish();
            let node = types.find("After").unwrap();
            let mut values = Values::new();
            let found = asn1::read(&message, types, node, &options, &mut values);
            let found = found.map(|value| {
                assert_eq!(value.get("after").unwrap().as_octets(), Some(&[0xA5; 9][..]));
                value.get("number").unwrap().as_f64().unwrap().to_bits()
            });
            assert_eq!(found.map_err(|error| error.kind()), expected, "{contents:02X?}");
            // A message that ends within the number.
            let short = &message[..(end as usize - 1) / 8];
            let error = asn1::read(short, types, node, &options, &mut Values::new()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incomplete, "{contents:02X?}");
        }
    }
    assert!(held > rounds(5_000) && refused > rounds(2_000), "{held} held, {refused} refused");
}

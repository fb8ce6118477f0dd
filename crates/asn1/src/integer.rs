//! INTEGERs of any size, as octets in two's complement.

use tam::Error;

use crate::compiled::NodeId;
use crate::event::{At, Integer, Sink};

/// The octets of a decimal number in two's complement, any number of them.
pub(crate) fn integer_octets(digits: &str) -> Option<Vec<u8>> {
    if let Ok(number) = digits.parse::<i128>() {
        return Some(number.to_be_bytes().to_vec());
    }
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    // Long numbers are rare, and the time is quadratic: a bound keeps it short.
    if digits.is_empty() || digits.len() > 20_000 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let mut words: Vec<u32> = Vec::new();
    for part in digits.as_bytes().chunks(9) {
        let part = std::str::from_utf8(part).ok()?;
        let mut carry: u64 = part.parse().ok()?;
        let scale = 10u64.pow(part.len() as u32);
        for word in &mut words {
            carry += u64::from(*word) * scale;
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            words.push(carry as u32);
        }
    }
    let mut octets: Vec<u8> =
        std::iter::once(0).chain(words.iter().rev().flat_map(|word| word.to_be_bytes())).collect();
    if negative {
        let mut carry = true;
        for octet in octets.iter_mut().rev() {
            let (negated, over) = (!*octet).overflowing_add(u8::from(carry));
            (*octet, carry) = (negated, over);
        }
    }
    Some(octets)
}

/// Tells an integer of any size, by its octets in two's complement.
pub(crate) fn tell_integer<S: Sink>(sink: &mut S, at: At<S::Level>, node: NodeId, octets: &[u8]) -> Result<(), Error> {
    let minimal = minimal_octets(octets);
    match Integer::Big(minimal).to_i128().and_then(|number| i64::try_from(number).ok()) {
        Some(number) => sink.integer(at, node, Integer::Small(number)),
        None => sink.integer(at, node, Integer::Big(minimal)),
    }
}

/// Octets in two's complement without those in front that say nothing.
pub(crate) fn minimal_octets(octets: &[u8]) -> &[u8] {
    let mut octets = octets;
    while let [0, second, ..] | [0xFF, second, ..] = octets
        && (octets.first() == Some(&0xFF)) == (second & 0x80 != 0)
    {
        octets = octets.get(1..).unwrap_or_default();
    }
    octets
}

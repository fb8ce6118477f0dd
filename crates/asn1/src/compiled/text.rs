//! Types of characters: how PER encodes their characters (X.691 clause 30).

use super::node::KnownMultiplier;
use super::{End, Intervals};
use crate::schema::StringKind;

/// The characters of a type, by code point; `None` for all of Unicode.
pub(super) fn repertoire(kind: StringKind) -> Option<Intervals> {
    let of = |text: &str| {
        text.chars().fold(Intervals::NONE, |set, point| set.union(&Intervals::of([u32::from(point).into()])))
    };
    let letters = Intervals::range(0x41, 0x5A).union(&Intervals::range(0x61, 0x7A));
    let digits = Intervals::range(0x30, 0x39);
    match kind {
        StringKind::Utf8 | StringKind::Universal => None,
        // Their texts are parsed instead.
        StringKind::Time | StringKind::Date | StringKind::TimeOfDay | StringKind::DateTime | StringKind::Duration => {
            None
        }
        StringKind::Bmp => Some(Intervals::range(0, 0xFFFF)),
        StringKind::Numeric => Some(digits.union(&of(" "))),
        StringKind::Printable => Some(letters.union(&digits).union(&of(" '()+,-./:=?"))),
        StringKind::Ia5 => Some(Intervals::range(0, 0x7F)),
        StringKind::Visible | StringKind::UtcTime | StringKind::GeneralizedTime => Some(Intervals::range(0x20, 0x7E)),
        // Octets whose meaning escape sequences may change; each counts as one character.
        StringKind::Teletex
        | StringKind::Videotex
        | StringKind::Graphic
        | StringKind::General
        | StringKind::ObjectDescriptor => Some(Intervals::range(0, 0xFF)),
    }
}

/// How PER encodes the characters of a type, if it encodes them one by one; `alphabet` is the part of the type's own
/// that the constraints allow.
pub(super) fn known_multiplier(kind: StringKind, alphabet: &Intervals) -> Option<KnownMultiplier> {
    let own = match kind {
        StringKind::Numeric
        | StringKind::Printable
        | StringKind::Ia5
        | StringKind::Visible
        | StringKind::Bmp
        | StringKind::UtcTime
        | StringKind::GeneralizedTime => repertoire(kind)?,
        StringKind::Universal => Intervals::range(0, 0xFFFF_FFFF),
        _ => return None,
    };
    let left = own.intersection(alphabet);
    let point = End::to_nearest_i64;
    let count: i64 = left.as_slice().iter().map(|(lower, upper)| point(upper) - point(lower) + 1).sum();
    let count = count.max(1) as u64;
    let top = left.bounds().map_or(0, |(_, upper)| point(upper) as u64);
    let bits = bits_for(count);
    let aligned_bits = match bits {
        0 => 0,
        bits => bits.next_power_of_two(),
    };
    // Characters are encoded as their code points if these fit (X.691 clause 30.5.4).
    let index = |bits: u32| {
        let fits = bits >= 64 || top < 1 << bits;
        let points = || {
            let points = left.as_slice().iter().flat_map(|(lower, upper)| point(lower) as u32..=point(upper) as u32);
            // If an alphabet is too large for a list, all its code points fit.
            points.take(1 << 16).collect()
        };
        (!fits).then(points)
    };
    Some(KnownMultiplier { bits, aligned_bits, index: index(bits), aligned_index: index(aligned_bits) })
}

/// The number of bits for `count` values.
fn bits_for(count: u64) -> u32 {
    64 - (count - 1).leading_zeros()
}

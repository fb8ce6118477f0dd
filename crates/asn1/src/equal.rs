//! Equality of values, and the order of encodings.

use std::cmp::Ordering;

use crate::compiled::{Compiled, Kind, NodeId};
use crate::event::{At, Integer, Real, Source};
use crate::time;
use crate::values::Value;

/// Whether a value equals another of its type, under `canonical` rules or not; `None` if it has content of its own.
pub(crate) fn simple<S: Source>(
    types: &Compiled,
    source: &S,
    at: At<S::Level>,
    node: NodeId,
    other: Value<'_>,
    canonical: bool,
) -> Option<bool> {
    let (look, place) = other.source();
    Some(match types.node(node).kind {
        Kind::Boolean => source.boolean(at, node) == look.boolean(place, node),
        Kind::Null => true,
        Kind::Integer(_) => match (source.integer(at, node), look.integer(place, node)) {
            (Integer::Small(one), Integer::Small(two)) => one == two,
            (Integer::Big(one), Integer::Big(two)) => one == two,
            _ => false,
        },
        Kind::Enumerated(_) => {
            source.unknown(at, node).is_none() && source.enumerated(at, node) == look.enumerated(place, node)
        }
        Kind::Real => match (source.real(at, node), look.real(place, node)) {
            (Real::Double(one), Real::Double(two)) => one.to_bits() == two.to_bits(),
            (one, two) => {
                let write = |real| crate::real::write(real, types.is_decimal(node));
                write(one) == write(two)
            }
        },
        Kind::BitString(_, names) => {
            let (one, two) = (source.bit_string(at, node), look.bit_string(place, node));
            let lens = match names {
                Some(_) => (significant_bits(one.0, one.1), significant_bits(two.0, two.1)),
                None => (one.1, two.1),
            };
            let octets = lens.0.div_ceil(8) as usize;
            lens.0 == lens.1 && one.0.get(..octets) == two.0.get(..octets)
        }
        Kind::OctetString(_) | Kind::ObjectIdentifier | Kind::RelativeOid => {
            source.octets(at, node) == look.octets(place, node)
        }
        Kind::Text(number) => {
            let (one, two) = (source.text(at, node), look.text(place, node));
            let kind = types.characters(number).kind;
            // Canonical rules treat different forms of the same time as equal.
            one == two
                || (canonical || kind.is_iso8601())
                    && matches!((time::canonical(kind, one, ""), time::canonical(kind, two, "")), (Ok(one), Ok(two)) if one == two)
        }
        Kind::Open(_) | Kind::Record(_) | Kind::Choice(_) | Kind::Array(_) => return None,
    })
}

/// The bits of a BIT STRING as digits, `b'0'` or `b'1'`, as XER has them (`xmlbstring` of X.680). Bits after the last octet
/// are 0.
///
/// ```
/// let digits: Vec<u8> = lengthwise_asn1::bit_digits(&[0b1010_0000], 3).collect();
/// assert_eq!(digits, b"101");
/// ```
pub fn bit_digits(octets: &[u8], len: u64) -> impl Iterator<Item = u8> {
    let octet = |at: u64| octets.get((at / 8) as usize).copied().unwrap_or_default();
    (0..len).map(move |at| b'0' + (octet(at) >> (7 - at % 8) & 1))
}

/// The number of bits of a BIT STRING up to the last one that is set.
pub(crate) fn significant_bits(octets: &[u8], len: u64) -> u64 {
    let last = octets.iter().rposition(|octet| *octet != 0);
    match last.and_then(|last| Some((last, octets.get(last)?))) {
        Some((last, octet)) => (last as u64 * 8 + 8 - u64::from(octet.trailing_zeros())).min(len),
        None => 0,
    }
}

/// The order of two encodings, the shorter one padded with zero octets (X.690 clause 11.6).
pub(crate) fn padded_order(one: &[u8], other: &[u8]) -> Ordering {
    let common = one.len().min(other.len());
    let is_zero = |rest: &[u8]| rest.iter().all(|octet| *octet == 0);
    one.get(..common).cmp(&other.get(..common)).then_with(|| {
        match (is_zero(one.get(common..).unwrap_or_default()), is_zero(other.get(common..).unwrap_or_default())) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        }
    })
}

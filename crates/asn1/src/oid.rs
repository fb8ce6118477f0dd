//! Object identifiers: dotted, and as the contents octets of BER (X.690 clauses 8.19 and 8.20).

/// The dotted form of the contents octets of an OBJECT IDENTIFIER or RELATIVE-OID; `None` if they are invalid, or an arc has
/// more than 128 bits.
///
/// ```
/// assert_eq!(lengthwise_asn1::dotted_oid(&[0x2A, 0x86, 0x48], false).as_deref(), Some("1.2.840"));
/// ```
#[must_use]
pub fn to_dotted(octets: &[u8], relative: bool) -> Option<String> {
    let mut dotted = String::new();
    let mut rest = octets;
    while !rest.is_empty() {
        let end = rest.iter().position(|octet| octet & 0x80 == 0)? + 1;
        let (arc, after) = rest.split_at(end);
        // A leading 0x80 is a leading zero digit.
        if arc.first() == Some(&0x80) {
            return None;
        }
        let first = !relative && dotted.is_empty();
        match arc.iter().try_fold(0u128, |number, octet| number.checked_mul(128)?.checked_add(u128::from(octet & 0x7F)))
        {
            Some(number) if first => {
                let root = (number / 40).min(2);
                dotted.push_str(&format!("{root}.{}", number - root * 40));
            }
            Some(number) => {
                if !dotted.is_empty() {
                    dotted.push('.');
                }
                dotted.push_str(&number.to_string());
            }
            None => return None,
        }
        rest = after;
    }
    (!dotted.is_empty()).then_some(dotted)
}

/// Whether octets are the contents of an object identifier.
pub(crate) fn is_valid(octets: &[u8]) -> bool {
    let starts = |i: usize| i == 0 || octets.get(i - 1).is_some_and(|before| before & 0x80 == 0);
    octets.last().is_some_and(|last| last & 0x80 == 0)
        && octets.iter().enumerate().all(|(i, octet)| *octet != 0x80 || !starts(i))
}

/// The contents octets of arcs; `None` if the first two are invalid, or there are fewer than two (or one, for a
/// relative identifier).
pub(crate) fn from_arcs(arcs: &[u128], relative: bool) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    let mut push = |arc: u128| {
        let groups = (128 - arc.leading_zeros()).div_ceil(7).max(1);
        for group in (0..groups).rev() {
            let last = if group == 0 { 0 } else { 0x80 };
            octets.push((arc >> (7 * group)) as u8 & 0x7F | last);
        }
    };
    let rest = match arcs {
        [] => return None,
        _ if relative => arcs,
        [root @ 0..=1, second @ 0..=39, rest @ ..] | [root @ 2, second, rest @ ..] => {
            push((root * 40).checked_add(*second)?);
            rest
        }
        _ => return None,
    };
    rest.iter().for_each(|arc| push(*arc));
    Some(octets)
}

/// The contents octets of a dotted form; `None` for what is no OBJECT IDENTIFIER or RELATIVE-OID, or has an arc of more than
/// 128 bits.
///
/// ```
/// assert_eq!(lengthwise_asn1::oid_octets("1.2.840", false).as_deref(), Some(&[0x2A, 0x86, 0x48][..]));
/// ```
#[must_use]
pub fn from_dotted(dotted: &str, relative: bool) -> Option<Vec<u8>> {
    let number = |arc: &str| {
        let digits = !arc.is_empty() && arc.bytes().all(|byte| byte.is_ascii_digit());
        if digits { arc.parse().ok() } else { None }
    };
    let arcs: Option<Vec<u128>> = dotted.split('.').map(number).collect();
    from_arcs(&arcs?, relative)
}

/// The number of an arc with a standard name (X.660 Annex A), after the given arcs.
pub(crate) fn known_arc(before: &[u128], name: &str) -> Option<u128> {
    Some(match (before, name) {
        ([], "itu-t" | "ccitt" | "itu-r") => 0,
        ([], "iso") => 1,
        ([], "joint-iso-itu-t" | "joint-iso-ccitt") => 2,
        ([0], "recommendation") | ([1], "standard") => 0,
        ([0], "question") | ([1], "registration-authority") => 1,
        ([0], "administration") | ([1], "member-body") => 2,
        ([0], "network-operator") | ([1], "identified-organization") => 3,
        ([0], "identified-organization") => 4,
        // The letter of a Recommendation.
        ([0, 0], name) => match name.as_bytes() {
            [letter @ b'a'..=b'z'] => (letter - b'a' + 1).into(),
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// X.690 clause 8.19.5 example 1 and 8.20.5's relative one; arcs of 2.999 from clause 8.19.5.
    #[test]
    fn the_examples_of_the_recommendation() {
        assert_eq!(from_dotted("2.999.3", false).unwrap(), [0x88, 0x37, 0x03]);
        assert_eq!(to_dotted(&[0x88, 0x37, 0x03], false).unwrap(), "2.999.3");
        assert_eq!(from_dotted("8571.3.2", true).unwrap(), [0xC2, 0x7B, 0x03, 0x02]);
        assert_eq!(to_dotted(&[0xC2, 0x7B, 0x03, 0x02], true).unwrap(), "8571.3.2");
    }

    #[test]
    fn what_is_no_identifier() {
        for bad in ["", "1", "3.1", "1.40", "1..2", "1.2.", "+1.2", "1.-2"] {
            assert_eq!(from_dotted(bad, false), None, "{bad}");
        }
        for bad in [&[][..], &[0x80, 1], &[1, 0x80, 1], &[0x88]] {
            assert!(!is_valid(bad) && to_dotted(bad, false).is_none());
        }
        assert!(is_valid(&[0x88, 0x37, 0x03]) && is_valid(&[0x81, 0x80, 0x01]));
    }
}

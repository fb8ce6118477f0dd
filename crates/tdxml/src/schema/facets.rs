//! Constraints of values: sizes, ranges, enumerations.

use std::cmp::Ordering;
use std::fmt::{self, Write};

use xml::white_space::trim;

use super::Builtin;

/// What a data schema asks of values beyond their built-in type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Facets {
    /// The number of characters, or of octets.
    pub size: Option<(u64, Option<u64>)>,
    /// The least and the greatest number, as decimal numbers.
    pub range: Option<(Option<String>, Option<String>)>,
    /// The values, without white space around them; any if there are none.
    pub values: Vec<String>,
    /// Whether the empty text is a value as well: the element then has a default of the XML Schema.
    pub empty: bool,
    /// What only a reader of the notation can check, such as a pattern.
    pub comment: Option<String>,
}

impl Facets {
    /// Whether a text is a value.
    pub(super) fn allow(&self, builtin: Builtin, text: &str) -> bool {
        if text.is_empty() && self.empty {
            return true;
        }
        let trimmed = trim(text);
        let is = |value: &String| value == text || words(value).eq(words(text));
        builtin.allows(text)
            && (self.values.is_empty() || self.values.iter().any(is))
            && self.size.is_none_or(|(lower, upper)| {
                let fits = |size: u64| size >= lower && upper.is_none_or(|upper| size <= upper);
                fits(size(builtin, text)) || builtin == Builtin::Utf8String && fits(collapsed(text))
            })
            && self.range.as_ref().is_none_or(|(lower, upper)| {
                let is = |bound: &Option<String>, beyond| {
                    bound.as_ref().is_none_or(|bound| compare(trimmed, bound).is_none_or(|order| order != beyond))
                };
                is(lower, Ordering::Less) && is(upper, Ordering::Greater)
            })
    }

    /// A description of the values.
    pub(super) fn expected(&self, builtin: Builtin) -> String {
        let mut out = builtin.expected().to_owned();
        let _ = write!(out, "{self}");
        tam::excerpt(&out).to_string()
    }
}

fn size(builtin: Builtin, text: &str) -> u64 {
    match builtin {
        Builtin::OctetString => {
            let mut octets = Vec::new();
            xml::base64::decode(text, &mut octets).map_or(0, |()| octets.len() as u64)
        }
        _ => text.chars().count() as u64,
    }
}

/// The number of characters after white space is collapsed, as a `token` counts them.
fn collapsed(text: &str) -> u64 {
    let (count, characters) =
        words(text).fold((0_u64, 0_u64), |(count, all), word| (count + 1, all + word.chars().count() as u64));
    characters + count.saturating_sub(1)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty())
}

/// Compares decimal numbers by their digits; `None` if one has an exponent or is none.
fn compare(one: &str, other: &str) -> Option<Ordering> {
    let (one, other) = (Decimal::of(one)?, Decimal::of(other)?);
    let by_size = || {
        one.whole
            .len()
            .cmp(&other.whole.len())
            .then_with(|| one.whole.cmp(other.whole))
            .then_with(|| one.part.cmp(other.part))
    };
    Some(match (one.negative, other.negative) {
        (false, false) => by_size(),
        (true, true) => by_size().reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

struct Decimal<'t> {
    negative: bool,
    whole: &'t str,
    part: &'t str,
}

impl<'t> Decimal<'t> {
    fn of(text: &'t str) -> Option<Decimal<'t>> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        if !(whole.bytes().chain(part.bytes())).all(|c| c.is_ascii_digit()) {
            return None;
        }
        let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
        let negative = text.starts_with('-') && !(whole.is_empty() && part.is_empty());
        Some(Decimal { negative, whole, part })
    }
}

/// The notation: `(SIZE (1..5))`, `(0..255)`, `("red" | "green")`, `EMPTY`, and comments.
impl fmt::Display for Facets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((lower, upper)) = &self.size {
            match upper {
                Some(upper) if upper == lower => write!(f, " (SIZE ({lower}))")?,
                Some(upper) => write!(f, " (SIZE ({lower}..{upper}))")?,
                None => write!(f, " (SIZE ({lower}..MAX))")?,
            }
        }
        if let Some((lower, upper)) = &self.range {
            write!(f, " ({}..{})", lower.as_deref().unwrap_or("MIN"), upper.as_deref().unwrap_or("MAX"))?;
        }
        for (at, value) in self.values.iter().enumerate() {
            write!(f, "{}\"{}\"", if at == 0 { " VALUES (" } else { " | " }, value.replace('"', "\"\""))?;
        }
        if !self.values.is_empty() {
            f.write_char(')')?;
        }
        if self.empty {
            f.write_str(" EMPTY")?;
        }
        self.comment.as_ref().map_or(Ok(()), |comment| write!(f, " /* {} */", comment.replace("*/", "* /")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By XML Schema part 2, sections 4.3.1 to 4.3.10.
    #[test]
    fn facets_are_those_of_xml_schema() {
        let sized = Facets { size: Some((2, Some(3))), ..Facets::default() };
        let ranged = Facets { range: Some((Some("-1.5".into()), Some("10".into()))), ..Facets::default() };
        let listed = Facets { values: vec!["red".into(), "light blue".into()], empty: true, ..Facets::default() };
        for (facets, builtin, good, bad) in [
            (&sized, Builtin::Utf8String, &["ab", "éé", "abc"][..], &["", "a", "abcd"][..]),
            (&sized, Builtin::OctetString, &["AAE=", "AAEC"], &["", "AA==", "AAECAw=="]),
            (&ranged, Builtin::Real, &["-1.5", "0", "9.999", "10.00", "+3"], &["-1.51", "10.01", "100", "-2", "x"]),
            (&listed, Builtin::Utf8String, &["red", " red ", "light blue", ""], &["blue", "Red"]),
        ] {
            good.iter().for_each(|text| assert!(facets.allow(builtin, text), "{facets} {text:?}"));
            bad.iter().for_each(|text| assert!(!facets.allow(builtin, text), "{facets} {text:?}"));
        }
    }
}

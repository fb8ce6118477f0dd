//! What constraints allow, in words for errors.

use std::fmt::Display;

use super::text;
use super::{Characters, Compiled, End, Intervals, Kind, NodeId, Range, Size};

/// So many intervals are listed.
const LISTED: usize = 8;

impl Compiled {
    /// What the constraint of a type allows, and the name of the type: `a size of 1 to 3 (T.a)`.
    #[cold]
    #[must_use]
    pub fn allowed(&self, node: NodeId) -> String {
        let allowed = match self.node(node).kind {
            // Numbers and sizes beyond an extension marker are allowed.
            Kind::Integer(integer) if integer.extensible => None,
            Kind::Integer(integer) => match (integer.intervals, integer.range) {
                (Some(number), _) => Some(listed(self.intervals(number), ToString::to_string)),
                (None, Range::Constrained(lower, above)) => {
                    Some(span(lower, Some(i128::from(lower) + i128::from(above.span))))
                }
                (None, Range::SemiConstrained(lower)) => Some(span(lower, None::<i64>)),
                (None, Range::Wide(number)) => {
                    let wide = self.wide(number);
                    Some(span(&wide.lower, wide.upper.as_ref()))
                }
                (None, Range::Unconstrained) => None,
            },
            Kind::OctetString(size) | Kind::BitString(size, _) => self.size_allowed(&size),
            Kind::Array(array) => self.size_allowed(&array.size),
            Kind::Text(number) => self.text_allowed(self.characters(number)),
            _ => None,
        };
        let name = &self.node(node).name;
        match allowed {
            Some(allowed) => format!("{allowed} ({name})"),
            None => format!("what the constraint of {name} allows"),
        }
    }

    fn size_allowed(&self, size: &Size) -> Option<String> {
        if size.extensible || *size == Size::ANY {
            return None;
        }
        let allowed = match size.intervals {
            Some(number) => listed(self.intervals(number), ToString::to_string),
            None => span(size.lower, Some(size.upper).filter(|upper| *upper < u64::MAX)),
        };
        Some(format!("a size of {allowed}"))
    }

    fn text_allowed(&self, of: &Characters) -> Option<String> {
        if of.time.is_some() {
            return None;
        }
        let character = |end: &End| match end.number().and_then(|number| u32::try_from(number.to_nearest_i64()).ok()) {
            Some(code) => char::from_u32(code).map_or_else(|| format!("U+{code:04X}"), |c| format!("{c:?}")),
            None => end.to_string(),
        };
        let own = of.alphabet.map(|number| self.intervals(number));
        let characters = match own.filter(|own| text::repertoire(of.kind).as_ref() != Some(*own)) {
            Some(own) => format!("characters of {}", listed(own, character)),
            None => format!("characters of {}", of.kind.as_str()),
        };
        Some(match self.size_allowed(&of.size) {
            Some(size) => format!("{size}, {characters}"),
            None => characters,
        })
    }
}

/// A number, or those between two.
fn span<L: Display, U: Display>(lower: L, upper: Option<U>) -> String {
    let Some(upper) = upper else { return format!("at least {lower}") };
    let (lower, upper) = (lower.to_string(), upper.to_string());
    if lower == upper { lower } else { format!("{lower} to {upper}") }
}

/// Intervals, the first of many.
fn listed(intervals: &Intervals, shown: impl Fn(&End) -> String) -> String {
    let all = intervals.as_slice();
    let mut words: Vec<String> = all
        .iter()
        .take(LISTED)
        .map(|ends| match ends {
            (End::Min, upper) => format!("at most {}", shown(upper)),
            (lower, End::Max) => span(shown(lower), None::<String>),
            (lower, upper) => span(shown(lower), Some(shown(upper))),
        })
        .collect();
    if all.len() > LISTED {
        words.push("others".to_owned());
    }
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((only, _)) => only.clone(),
        None => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Compiled;

    #[test]
    fn constraints_are_said_in_words() {
        for (notation, words) in [
            ("INTEGER (0..15)", "0 to 15 (T)"),
            ("INTEGER (7)", "7 (T)"),
            ("INTEGER (3..MAX)", "at least 3 (T)"),
            ("INTEGER (MIN..-1)", "at most -1 (T)"),
            ("INTEGER (0..3 | 7 | 9..MAX)", "0 to 3, 7 or at least 9 (T)"),
            ("INTEGER (0..99999999999999999999999)", "0 to 99999999999999999999999 (T)"),
            ("INTEGER (1|3|5|7|9|11|13|15|17)", "1, 3, 5, 7, 9, 11, 13, 15 or others (T)"),
            ("INTEGER", "what the constraint of T allows"),
            ("OCTET STRING (SIZE (2))", "a size of 2 (T)"),
            ("BIT STRING (SIZE (1 | 8))", "a size of 1 or 8 (T)"),
            ("SEQUENCE (SIZE (1..MAX)) OF NULL", "a size of at least 1 (T)"),
            ("IA5String (SIZE (1..3))", "a size of 1 to 3, characters of IA5String (T)"),
            (r#"IA5String (FROM ("0".."9" | "A"))"#, "characters of '0' to '9' or 'A' (T)"),
            ("DATE", "what the constraint of T allows"),
            ("INTEGER (0..15, ...)", "what the constraint of T allows"),
            ("OCTET STRING (SIZE (1..3, ...))", "what the constraint of T allows"),
            (r#"PrintableString (SIZE (1..3, ...))"#, "characters of PrintableString (T)"),
        ] {
            let types = Compiled::from_notation(&format!("M DEFINITIONS ::= BEGIN T ::= {notation} END")).unwrap();
            assert_eq!(types.allowed(types.find("T").unwrap()), words, "{notation}");
        }
    }
}

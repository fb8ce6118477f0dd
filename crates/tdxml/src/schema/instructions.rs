//! XER encoding instructions (X.693 Amendment 1) and constraints of types, as modules have them.

use asn1::schema::{Argument, Bound, Constraints, Element, Prefix, Type, Value};

use super::Wildcard;

/// A set of instructions, by their keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Keywords(u32);

macro_rules! keywords {
    ($($name:ident $keyword:literal $bit:literal),*) => {
        impl Keywords {
            $(pub(super) const $name: Keywords = Keywords(1 << $bit);)*

            fn of(keyword: &str) -> Keywords {
                match keyword {
                    $($keyword => Keywords::$name,)*
                    _ => Keywords(0),
                }
            }
        }
    };
}

keywords! {
    ANY_ATTRIBUTES "ANY-ATTRIBUTES" 0, ANY_ELEMENT "ANY-ELEMENT" 1, ATTRIBUTE "ATTRIBUTE" 2, BASE64 "BASE64" 3,
    DEFAULT_FOR_EMPTY "DEFAULT-FOR-EMPTY" 4, EMBED_VALUES "EMBED-VALUES" 5, LIST "LIST" 6, UNTAGGED "UNTAGGED" 7,
    USE_NIL "USE-NIL" 8, USE_NUMBER "USE-NUMBER" 9, USE_ORDER "USE-ORDER" 10, USE_QNAME "USE-QNAME" 11,
    USE_TYPE "USE-TYPE" 12, USE_UNION "USE-UNION" 13
}

impl Keywords {
    pub(super) fn has(self, other: Keywords) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn add(&mut self, ty: &Type) {
        for prefix in &ty.prefixes {
            if let Prefix::Instruction(instruction) = prefix
                && !instruction.negating
            {
                self.0 |= Keywords::of(&instruction.keyword).0;
            }
        }
    }

    /// Those that change the content of elements.
    pub(super) fn of_content(self) -> Keywords {
        let content = [Keywords::EMBED_VALUES, Keywords::USE_NIL, Keywords::USE_ORDER, Keywords::USE_TYPE];
        Keywords(self.0 & content.iter().fold(0, |all, one| all | one.0))
    }
}

/// The namespaces that an instruction for wildcards allows.
pub(super) fn wildcard(chain: &[&Type], keyword: &str) -> Wildcard {
    let mut wildcard = Wildcard { except: true, listed: Vec::new() };
    let found = chain.iter().find_map(|ty| ty.instruction(keyword));
    for argument in found.into_iter().flat_map(|instruction| &instruction.arguments) {
        match argument {
            Argument::Word(word) if word == "FROM" => wildcard.except = false,
            Argument::Word(word) if word == "ABSENT" => wildcard.listed.push(String::new()),
            Argument::Word(_) => {}
            Argument::Text(uri) => wildcard.listed.push(uri.clone()),
        }
    }
    wildcard
}

/// The single elements among the constraints of types.
fn elements<'m>(chain: &'m [&Type]) -> impl Iterator<Item = &'m Element> {
    let constraints = chain.iter().flat_map(|ty| &ty.constraints);
    constraints.filter_map(|constraint| match (&constraint.root, &constraint.additions) {
        (Constraints::Element(element), None) => Some(&**element),
        _ => None,
    })
}

/// The bounds of a REAL: those of the outermost constraint with one. Exclusive bounds count as inclusive.
pub(super) fn range(chain: &[&Type]) -> Option<(Option<String>, Option<String>)> {
    let number = |bound: &Bound| match bound {
        Bound::Inclusive(Value::Number(text)) | Bound::Exclusive(Value::Number(text)) => {
            // The notation of a data schema has decimal numbers without exponents.
            Some(text.clone()).filter(|text| text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'-' | b'.')))
        }
        _ => None,
    };
    let ranges = elements(chain).filter_map(|element| match element {
        Element::Range(lower, upper) => Some((number(lower), number(upper))),
        _ => None,
    });
    let (lower, upper) = ranges.fold((None, None), |(lower, upper), range| (lower.or(range.0), upper.or(range.1)));
    (lower.is_some() || upper.is_some()).then_some((lower, upper))
}

/// What no reader checks, such as patterns.
pub(super) fn comment(chain: &[&Type]) -> Option<String> {
    let mut words = elements(chain).filter_map(|element| match element {
        Element::UserDefined(text) => Some(text.trim_start_matches("/*").trim_end_matches("*/").trim()),
        _ => None,
    });
    // White space around values is their own matter.
    let mut words = words.by_ref().filter(|words| !words.starts_with("no space"));
    let first = words.next()?;
    Some(words.fold(first.to_owned(), |all, one| all + "; " + one))
}

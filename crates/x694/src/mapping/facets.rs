//! Restrictions, and facets as constraints (X.694 clauses 12 and 13.4).

use asn1::compiled::Number;
use asn1::schema::{Bound, Constraint, Constraints, Element, Kind, Type, Value};
use tam::Error;
use xml::number;
use xsd::{Builtin, Facets, SimpleId, SimpleType, Variety, WhiteSpace};

use super::instruction::{prefix, word};
use super::mapper::Mapper;
use super::value::decimal;

/// A range of integers.
pub(super) fn range(lower: Option<i128>, upper: Option<i128>) -> Constraint {
    let lower = lower.map_or(Bound::Min, |number| Bound::Inclusive(Value::integer(number)));
    let upper = upper.map_or(Bound::Max, |number| Bound::Inclusive(Value::integer(number)));
    Constraint::of(Element::Range(lower, upper))
}

/// `(SIZE (…))` for a least and a greatest number; `None` if any number is allowed.
pub(super) fn sized(least: u64, most: Option<u64>) -> Option<Constraint> {
    let number = |n: u64| Value::Number(n.to_string());
    let inner = match most {
        None if least == 0 => return None,
        Some(most) if most == least => Element::Single(number(least)),
        most => {
            let upper = most.map_or(Bound::Max, |most| Bound::Inclusive(number(most)));
            Element::Range(Bound::Inclusive(number(least)), upper)
        }
    };
    Some(Constraint::of(Element::Size(Constraint::of(inner))))
}

/// `length`, `minLength` and `maxLength` as written in a step of derivation (clause 12.1).
pub(super) fn size(own: &Facets) -> Option<Constraint> {
    let length = own.length.as_ref().map(|facet| facet.value);
    let least = length.or(own.min_length.as_ref().map(|facet| facet.value));
    let most = length.or(own.max_length.as_ref().map(|facet| facet.value));
    sized(least.unwrap_or(0), most)
}

/// `(CONSTRAINED BY { /* … */ })`. The values are escaped like XML text, so that the comment does not end in them.
pub(super) fn user_defined(words: &str, values: &[&str]) -> Constraint {
    let mut text = format!("/* {words}");
    for (n, value) in values.iter().enumerate() {
        text.push_str(if n == 0 { " \"" } else { ", \"" });
        escape(value, &mut text);
        text.push('"');
    }
    Constraint::of(Element::UserDefined(text + " */"))
}

fn escape(value: &str, into: &mut String) {
    let mut last = ' ';
    for c in value.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '"' => into.push_str("&quot;"),
            // `/*`, `*/` and `--` mean something in notation.
            '/' | '*' if matches!(last, '/' | '*') => into.push_str(if c == '/' { "&#47;" } else { "&#42;" }),
            '-' if last == '-' => into.push_str("&#45;"),
            c if c.is_control() => into.push_str(&format!("&#{};", u32::from(c))),
            c => into.push(c),
        }
        last = c;
    }
    // The end of the comment follows a quotation mark, so that a last `*` or `/` does not matter.
}

impl Mapper<'_> {
    /// A type derived by restriction.
    pub(super) fn restriction(&mut self, id: SimpleId) -> Result<Type, Error> {
        let schema = self.schema;
        let ty = &schema.simple_types[id];
        if let Some(items) = self.own_items(id) {
            return Ok(self.patterns(ty, self.enumerated(&items)));
        }
        let mut made = self.simple(ty.base)?;
        if let Some(values) = &ty.own.enumeration {
            let texts: Vec<&str> = values.values.iter().map(|value| &value.text[..]).collect();
            made = made.constrained(self.allowed(ty, &texts));
        }
        if !matches!(ty.lexical, Builtin::QName | Builtin::Notation) && self.has_size(ty) {
            made.constraints.extend(size(&ty.own));
        }
        made = self.patterns(ty, made);
        made = self.white_space(ty, made);
        made = self.bounds(ty, made);
        for (words, facet) in [("totalDigits", &ty.own.total_digits), ("fractionDigits", &ty.own.fraction_digits)] {
            if let Some(facet) = facet {
                made = made.constrained(user_defined(words, &[&facet.value.to_string()]));
            }
        }
        Ok(made)
    }

    /// Whether values have a size in ASN.1: texts that are not ENUMERATED, octets and lists.
    fn has_size(&self, ty: &SimpleType) -> bool {
        match ty.variety {
            Variety::List(_) => true,
            Variety::Atomic(primitive) => {
                let sized = [Builtin::String, Builtin::AnyUri, Builtin::HexBinary, Builtin::Base64Binary];
                sized.contains(&primitive) && !self.is_enumerated(ty.base)
            }
            Variety::Any | Variety::Union(_) => false,
        }
    }

    /// Patterns, which become comments (clause 12.2).
    fn patterns(&self, ty: &SimpleType, mut made: Type) -> Type {
        for pattern in &ty.own.patterns {
            let whole = pattern.sources.join("|");
            made = made.constrained(user_defined("XML representation of the XSD pattern", &[&whole]));
        }
        made
    }

    /// White space (clause 12.3). Only texts need it, because all other types collapse white space.
    fn white_space(&self, ty: &SimpleType, made: Type) -> Type {
        let own = ty.own.white_space.as_ref().map(|facet| facet.value);
        if ty.variety != Variety::Atomic(Builtin::String) || self.is_enumerated(ty.base) {
            return made;
        }
        let base = self.schema.simple_types[ty.base].facets.white_space();
        match own.filter(|own| *own > base) {
            Some(WhiteSpace::Replace) => {
                made.constrained(no_line_ends()).prefixed(prefix("WHITESPACE", vec![word("REPLACE")]))
            }
            Some(WhiteSpace::Collapse) => made
                .constrained(no_line_ends())
                .constrained(user_defined("no space at either end, and no two in a row", &[]))
                .prefixed(prefix("WHITESPACE", vec![word("COLLAPSE")])),
            _ => made,
        }
    }

    /// `minInclusive`, `maxExclusive` and so on (clause 12.5): ranges for numbers, comments for other types.
    fn bounds(&self, ty: &SimpleType, made: Type) -> Type {
        let Facets { min, max, .. } = &ty.own;
        if min.is_none() && max.is_none() {
            return made;
        }
        let integer = is_of_integers(ty);
        let number = |text: &str| if integer { integer_value(text) } else { decimal(text) };
        let real = matches!(ty.variety, Variety::Atomic(Builtin::Decimal | Builtin::Float | Builtin::Double));
        let facets = if integer { &ty.facets } else { &ty.own };
        let lower = facets.min.as_ref().map(|facet| (number(&facet.value.text), facet.value.inclusive));
        let upper = facets.max.as_ref().map(|facet| (number(&facet.value.text), facet.value.inclusive));
        let ends = (end(lower, Bound::Min), end(upper, Bound::Max));
        if let (true, (Some(lower), Some(upper))) = (real && !self.is_enumerated(ty.base), ends)
            && !(integer && is_empty(&lower, &upper))
        {
            return bounded(made, Constraint::of(Element::Range(lower, upper)));
        }
        let mut made = made;
        for (facet, words) in [(min, ["minExclusive", "minInclusive"]), (max, ["maxExclusive", "maxInclusive"])] {
            if let Some(facet) = facet {
                let words = words[usize::from(facet.value.inclusive)];
                made = made.constrained(user_defined(words, &[&facet.value.text]));
            }
        }
        made
    }

    /// The values of an enumeration that does not become an ENUMERATED: single values, or a comment.
    fn allowed(&mut self, ty: &SimpleType, texts: &[&str]) -> Constraint {
        let values: Option<Vec<Value>> = texts.iter().map(|text| self.value(ty.base, text)).collect();
        let single = match ty.variety {
            Variety::Atomic(primitive) => !matches!(primitive, Builtin::QName | Builtin::Notation),
            Variety::Any => true,
            // Lists and unions that are equal in XML Schema may differ in ASN.1.
            Variety::List(_) | Variety::Union(_) => false,
        };
        let Some(mut values) = values.filter(|_| single) else {
            return user_defined("XML representation of the XSD enumeration", texts);
        };
        let mut seen = std::collections::HashSet::new();
        values.retain(|value| seen.insert(format!("{value:?}")));
        let mut elements: Vec<Constraints> =
            values.into_iter().map(|value| Constraints::Element(Box::new(Element::Single(value)))).collect();
        match elements.pop() {
            Some(only) if elements.is_empty() => only.into(),
            Some(last) => {
                elements.push(last);
                Constraints::Union(elements).into()
            }
            None => user_defined("XML representation of the XSD enumeration", texts),
        }
    }
}

/// Whether a type is a date, a time or a duration. ASN.1 compares these by their texts, XML Schema by their values.
pub(crate) fn is_of_times(ty: &SimpleType) -> bool {
    use Builtin::{Date, DateTime, Duration, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time};
    let of_times = [Date, DateTime, Duration, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time];
    matches!(ty.variety, Variety::Atomic(primitive) if of_times.contains(&primitive))
}

/// Whether values of a type are integers.
pub(super) fn is_of_integers(ty: &SimpleType) -> bool {
    let mut ty = ty.lexical;
    while ty != Builtin::Integer && ty.base() != ty {
        ty = ty.base();
    }
    ty == Builtin::Integer
}

/// Whether a range has no integer. ASN.1 notation does not allow an empty range (X.680 clause 51.4).
fn is_empty(lower: &Bound, upper: &Bound) -> bool {
    let end = |bound: &Bound, inward: i64| match bound {
        Bound::Inclusive(Value::Number(digits)) => Number::from_digits(digits),
        Bound::Exclusive(Value::Number(digits)) => Some(Number::from_digits(digits)?.plus(inward)),
        _ => None,
    };
    matches!((end(lower, 1), end(upper, -1)), (Some(lower), Some(upper)) if lower > upper)
}

/// An end of a range: `none` if there is no facet; `None` if the facet is not a number.
fn end(facet: Option<(Option<Value>, bool)>, none: Bound) -> Option<Bound> {
    match facet {
        None => Some(none),
        Some((None, _)) => None,
        Some((Some(value), true)) => Some(Bound::Inclusive(value)),
        Some((Some(value), false)) => Some(Bound::Exclusive(value)),
    }
}

/// A type with a range. It replaces an earlier range of an INTEGER, because it includes the inherited bounds.
fn bounded(mut made: Type, range: Constraint) -> Type {
    let is_range = |constraint: &Constraint| match &constraint.root {
        Constraints::Element(element) => matches!(&**element, Element::Range(..)),
        _ => false,
    };
    if matches!(made.kind, Kind::Integer(_)) {
        made.constraints.retain(|constraint| !is_range(constraint));
    }
    made.constrained(range)
}

/// The value of an integer.
pub(super) fn integer_value(text: &str) -> Option<Value> {
    number::is_integer(text).then(|| Value::Number(number::canonical_integer(text).into_owned()))
}

/// Allows the characters of XML without tabs and line ends.
fn no_line_ends() -> Constraint {
    let quad = |numbers: [u8; 4]| {
        Bound::Inclusive(Value::Braces(numbers.iter().map(|n| vec![Value::integer((*n).into())]).collect()))
    };
    let ranges =
        [([0, 0, 0, 32], [0, 0, 215, 255]), ([0, 0, 224, 0], [0, 0, 255, 253]), ([0, 1, 0, 0], [0, 16, 255, 253])];
    let ranges = ranges.map(|(first, last)| Constraints::Element(Box::new(Element::Range(quad(first), quad(last)))));
    Constraint::of(Element::Alphabet(Constraints::Union(ranges.into()).into()))
}

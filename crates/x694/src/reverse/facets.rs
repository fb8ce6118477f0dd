//! Constraints as facets.

use asn1::schema::{Bound, Constraint, Constraints, Element, Kind, Type, Value};

use super::Describer;
use super::documents::attribute;
use crate::iso8601;
use crate::xer::instructions::{REFERENCES, Resolved};

/// The facets that one step of derivation has: their names and attributes.
pub(super) type Facets = Vec<(String, String)>;

/// The words of comments that name a facet (X.694 clauses 12.2 to 12.5).
const NAMED: [(&str, &str); 8] = [
    ("XML representation of the XSD pattern", "pattern"),
    ("XML representation of the XSD enumeration", "enumeration"),
    ("totalDigits", "totalDigits"),
    ("fractionDigits", "fractionDigits"),
    ("minInclusive", "minInclusive"),
    ("minExclusive", "minExclusive"),
    ("maxInclusive", "maxInclusive"),
    ("maxExclusive", "maxExclusive"),
];

impl<'m> Describer<'m> {
    /// The facets of a type's own constraints and of its `WHITESPACE`, in steps of derivation.
    pub(super) fn facets(&self, module: usize, ty: &'m Type, of: &Resolved<'m>) -> Vec<Facets> {
        let mut steps: Vec<Facets> = vec![Vec::new()];
        if let Some(white) = ty.instruction("WHITESPACE") {
            let value = if white
                .arguments
                .iter()
                .any(|one| matches!(one, asn1::schema::Argument::Word(word) if word == "COLLAPSE"))
            {
                "collapse"
            } else {
                "replace"
            };
            steps[0].push(("whiteSpace".to_owned(), attribute("value", value)));
        }
        for constraint in &ty.constraints {
            let facets = self.facets_of(module, constraint, of);
            let is_known = |name: &str| steps.iter().flatten().any(|(known, _)| known == name);
            if facets.iter().any(|(name, _)| is_known(name)) {
                steps.push(facets);
            } else if let Some(last) = steps.last_mut() {
                last.extend(facets);
            }
        }
        steps.retain(|step| !step.is_empty());
        steps
    }

    fn facets_of(&self, module: usize, constraint: &Constraint, of: &Resolved<'m>) -> Facets {
        let value = |name: &str, value: &str| (name.to_owned(), attribute("value", value));
        // Numbers that have names are checked where they are read.
        if matches!(&of.ty.kind, Kind::Integer(names) if !names.is_empty()) {
            return Vec::new();
        }
        match &constraint.root {
            Constraints::Element(element) => match &**element {
                Element::UserDefined(text) => commented(text, of),
                Element::Size(size) if !matches!(of.ty.kind, Kind::Enumerated(_) | Kind::BitString(_)) => {
                    let (least, most) = self.bounds(module, size);
                    let least = (least > 0).then(|| value("minLength", &least.to_string()));
                    let most = most.map(|most| value("maxLength", &most.to_string()));
                    least.into_iter().chain(most).collect()
                }
                Element::Range(lower, upper) if matches!(of.ty.kind, Kind::Integer(_) | Kind::Real) => {
                    let end = |bound: &Bound, [inclusive, exclusive]: [&str; 2]| match bound {
                        Bound::Inclusive(end) => Some(value(inclusive, &self.number(module, end)?)),
                        Bound::Exclusive(end) => Some(value(exclusive, &self.number(module, end)?)),
                        Bound::Min | Bound::Max => None,
                    };
                    let lower = end(lower, ["minInclusive", "minExclusive"]);
                    lower.into_iter().chain(end(upper, ["maxInclusive", "maxExclusive"])).collect()
                }
                Element::Single(one) => self.enumeration(module, std::iter::once(one), of),
                _ => Vec::new(),
            },
            Constraints::Union(all) => {
                let single = |one: &'_ Constraints| match one {
                    Constraints::Element(element) => match &**element {
                        Element::Single(value) => Some(value.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let values: Option<Vec<Value>> = all.iter().map(single).collect();
                self.enumeration(module, values.iter().flatten(), of)
            }
            _ => Vec::new(),
        }
    }

    /// The enumeration of some values; nothing if one of them has no text.
    fn enumeration<'v>(&self, module: usize, values: impl Iterator<Item = &'v Value>, of: &Resolved<'m>) -> Facets {
        let facets = values.map(|value| {
            // Truth values have no enumerations in XML Schema, unless they have other words.
            let is_pattern = matches!(of.ty.kind, Kind::Boolean) && of.texts().is_empty();
            let facet = if is_pattern { "pattern" } else { "enumeration" };
            Some((facet.to_owned(), attribute("value", &self.text_of(module, value, of)?)))
        });
        facets.collect::<Option<_>>().unwrap_or_default()
    }

    /// A value as characters; `None` for values that the mapping does not write.
    fn text_of(&self, module: usize, value: &Value, of: &Resolved<'m>) -> Option<String> {
        Some(match (value, &of.ty.kind) {
            (Value::Number(_), Kind::Integer(_) | Kind::Real) => self.number(module, value)?,
            (Value::Special(_), _) => match value {
                Value::Special(asn1::schema::SpecialReal::PlusInfinity) => "INF".to_owned(),
                Value::Special(asn1::schema::SpecialReal::MinusInfinity) => "-INF".to_owned(),
                _ => "NaN".to_owned(),
            },
            (Value::Text(text), Kind::String(kind)) if kind.is_iso8601() => iso8601::to_xsd(text)?.to_owned(),
            (Value::Text(text), Kind::String(_)) => text.clone(),
            (Value::Boolean(value), Kind::Boolean) => {
                let (texts, name) = (of.texts(), if *value { "true" } else { "false" });
                match texts.get(name) {
                    Some(text) => text.clone().into_owned(),
                    None if !texts.is_empty() => name.to_owned(),
                    None => format!("{name}|{}", u8::from(*value)),
                }
            }
            (Value::Hexadecimal(digits), Kind::OctetString) if of.instructions.base64 => {
                let (mut octets, mut text) = (Vec::new(), String::new());
                xml::hex::decode(digits, &mut octets)?;
                xml::base64::push(&octets, &mut text);
                text
            }
            (Value::Hexadecimal(digits), Kind::OctetString) => digits.clone(),
            (Value::Name { name, .. }, Kind::Enumerated(_)) => {
                of.texts().get(&name[..]).map_or_else(|| name.clone(), |text| text.clone().into_owned())
            }
            (Value::Name { .. }, Kind::Integer(_)) => self.number(module, value)?,
            (Value::Choice(name, inner), Kind::Choice(fields)) => {
                let component = fields.root.iter().find(|component| component.name == *name)?;
                let of = self.resolve(of.module, &component.ty).ok()?;
                self.text_of(of.module, inner, &of)?
            }
            _ => return None,
        })
    }

    /// A number, or the value of a name, as its text.
    pub(super) fn number(&self, module: usize, value: &Value) -> Option<String> {
        use asn1::schema::Meaning;
        let (mut module, mut value) = (module, value);
        for _ in 0..REFERENCES {
            match value {
                Value::Number(digits) => return Some(digits.clone()),
                Value::Special(asn1::schema::SpecialReal::PlusInfinity) => return Some("INF".to_owned()),
                Value::Special(asn1::schema::SpecialReal::MinusInfinity) => return Some("-INF".to_owned()),
                Value::Name { module: of, name } => {
                    let (found, assignment) = self.by_name.find(module, of.as_deref(), name)?;
                    let Meaning::Value(_, next) = &assignment.meaning else { return None };
                    (module, value) = (found, next);
                }
                _ => return None,
            }
        }
        None
    }
}

/// The facets that a comment of the mapping names. Its values are escaped like XML text.
fn commented(text: &str, of: &Resolved<'_>) -> Facets {
    let Some(text) = text.strip_prefix("/* ") else { return Vec::new() };
    let (words, values) = text.split_once(" \"").unwrap_or((text, ""));
    let Some((_, facet)) = NAMED.iter().find(|(known, _)| *known == words) else { return Vec::new() };
    if of.instructions.use_qname {
        return Vec::new();
    }
    let values = values.split('"').step_by(2).take_while(|value| *value != " */");
    values.map(|value| ((*facet).to_owned(), format!(" value=\"{value}\""))).collect()
}

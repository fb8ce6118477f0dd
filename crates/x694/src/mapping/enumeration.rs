//! Enumerations that become ENUMERATED (X.694 clause 12.4).

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use asn1::compiled::Number;
use asn1::schema::{Enumeration, Enumerator, Kind, Position, Type, Value};
use xsd::{Builtin, SimpleId, Variety};

use super::facets::{integer_value, is_of_integers};
use super::instruction::{prefix, spelling, with, word};
use super::mapper::Mapper;
use super::names::{NameKind, UsedNames};

/// The items of an enumeration.
pub(super) struct Items {
    /// Each text, or the digits of each number, with its identifier, in order.
    pub(super) items: Vec<(String, String)>,
    by_text: HashMap<String, usize>,
    /// Whether they are integers.
    numbers: bool,
}

impl Items {
    /// The identifier of a value.
    pub(super) fn identifier(&self, text: &str) -> Option<&str> {
        let number = self.numbers.then(|| integer_value(text));
        let key = match &number {
            Some(Some(Value::Number(digits))) => digits,
            Some(_) => return None,
            None => text,
        };
        self.by_text.get(key).and_then(|place| self.items.get(*place)).map(|(_, identifier)| &identifier[..])
    }
}

impl Mapper<'_> {
    /// Whether a type is an ENUMERATED, or a restriction of one.
    pub(super) fn is_enumerated(&self, id: SimpleId) -> bool {
        self.enumerated_step(id).is_some()
    }

    /// The step of derivation that makes a type an ENUMERATED: the first step with an enumeration of texts or integers.
    fn enumerated_step(&self, id: SimpleId) -> Option<SimpleId> {
        let types = &self.schema.simple_types;
        let text = match types[id].variety {
            Variety::Atomic(Builtin::String) => true,
            Variety::Atomic(Builtin::Decimal) if is_of_integers(&types[id]) => false,
            _ => return None,
        };
        let (mut at, mut found) = (id, None);
        loop {
            let ty = &types[at];
            // A base type of integers may be a decimal, whose enumeration does not become an ENUMERATED.
            if ty.own.enumeration.is_some() && (text || is_of_integers(ty)) {
                found = Some(at);
            }
            if ty.base == at || ty.builtin.is_some() {
                return found;
            }
            at = ty.base;
        }
    }

    /// The items of a type that becomes an ENUMERATED by its own facets.
    pub(super) fn own_items(&mut self, id: SimpleId) -> Option<Rc<Items>> {
        if self.enumerated_step(id) == Some(id) { self.items(id) } else { None }
    }

    /// The items of the ENUMERATED that a type is, or that it restricts.
    pub(super) fn items(&mut self, id: SimpleId) -> Option<Rc<Items>> {
        let step = self.enumerated_step(id)?;
        if let Some(items) = self.enumerations.get(&step) {
            return Some(Rc::clone(items));
        }
        let ty = &self.schema.simple_types[step];
        let enumeration = ty.own.enumeration.as_ref()?;
        let numbers = is_of_integers(ty);
        // Texts are sorted by their characters, numbers by value.
        let mut sorted: BTreeSet<(Option<Number>, String)> = BTreeSet::new();
        for value in &enumeration.values {
            let key = if numbers {
                let Some(Value::Number(digits)) = integer_value(&value.text) else { continue };
                (Number::from_digits(&digits), digits)
            } else {
                (None, value.text.clone())
            };
            sorted.insert(key);
        }
        let mut given = UsedNames::default();
        let identifier = |text: &str| match numbers {
            true => given.distinct(format!("int{text}"), NameKind::Identifier),
            false => given.name(text, NameKind::Identifier),
        };
        let texts: Vec<String> = sorted.into_iter().map(|(_, text)| text).collect();
        let identifiers: Vec<String> = texts.iter().map(|text| &text[..]).map(identifier).collect();
        let by_text = texts.iter().cloned().enumerate().map(|(place, text)| (text, place)).collect();
        let items = Rc::new(Items { items: texts.into_iter().zip(identifiers).collect(), by_text, numbers });
        self.enumerations.insert(step, Rc::clone(&items));
        Some(items)
    }

    /// The ENUMERATED of some items, with `[TEXT … AS …]` where the identifier differs from the text, and `[USE-NUMBER]`
    /// for numbers.
    pub(super) fn enumerated(&self, items: &Items) -> Type {
        let enumerator = |(text, name): &(String, String)| Enumerator {
            name: name.clone(),
            text: Some(text[..].into()),
            number: items.numbers.then(|| Value::Number(text.clone())),
            position: Position::default(),
        };
        let root = items.items.iter().map(enumerator).collect();
        let mut ty = Type::new(Kind::Enumerated(Enumeration { root, additions: None }));
        if items.numbers {
            return with("USE-NUMBER", ty);
        }
        for (text, name) in &items.items {
            if let Some(spelling) = spelling(name, text) {
                ty.prefixes.push(prefix("TEXT", vec![word(name), word("AS"), spelling]));
            }
        }
        ty
    }
}

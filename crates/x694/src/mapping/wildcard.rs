//! Wildcards (X.694 clause 21).

use asn1::schema::{Argument, Component, Kind, Prefix, Type};
use xsd::{Namespaces, WildcardId};

use super::facets::user_defined;
use super::instruction::{prefix, text, word};
use super::mapper::Mapper;

impl Mapper<'_> {
    /// The text of an element: `[ANY-ELEMENT …] XSD.String`.
    pub(super) fn any_element(&mut self, id: WildcardId) -> Type {
        let element = user_defined("an element, X.693 clause 19", &[]);
        self.built_in("String").constrained(element).prefixed(self.restricted("ANY-ELEMENT", id))
    }

    /// The texts of attributes: `[ANY-ATTRIBUTES …] SEQUENCE OF XSD.String`.
    pub(super) fn any_attributes(&mut self, id: WildcardId) -> Type {
        let item = Component::new("", self.built_in("String"));
        Type::new(Kind::SequenceOf(Box::new(item)))
            .constrained(user_defined("each item an attribute, X.693 clause 18", &[]))
            .prefixed(self.restricted("ANY-ATTRIBUTES", id))
    }

    /// An instruction with the namespaces that a wildcard allows.
    fn restricted(&self, keyword: &str, id: WildcardId) -> Prefix {
        let namespace = |uri: &str| if uri.is_empty() { word("ABSENT") } else { text(uri) };
        let arguments: Vec<Argument> = match &self.schema.wildcards[id].namespaces {
            Namespaces::Any => Vec::new(),
            Namespaces::Not(other) => match self.uri(*other) {
                "" => vec![word("EXCEPT"), word("ABSENT")],
                uri => vec![word("EXCEPT"), word("ABSENT"), text(uri)],
            },
            Namespaces::Only(these) => {
                std::iter::once(word("FROM")).chain(these.iter().map(|one| namespace(self.uri(*one)))).collect()
            }
        };
        prefix(keyword, arguments)
    }
}

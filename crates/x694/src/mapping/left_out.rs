//! What the mapping leaves out (X.694 clause 8).

use xsd::{Global, IdentityCategory, Position, Schema};

/// A component of a schema that ASN.1 modules do not carry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The kind of component: `xs:key`, `xs:notation`, …
    pub what: &'static str,
    /// Its name, or the name of the component that it belongs to, with its namespace.
    pub name: String,
    /// Its position in the schema documents.
    pub position: Position,
}

impl LeftOut {
    /// The identity constraints and notations of a schema, which have no counterpart in ASN.1.
    pub(super) fn of(schema: &Schema) -> Vec<LeftOut> {
        let identities = schema.identities.iter().map(|(_, identity)| LeftOut {
            what: match identity.category {
                IdentityCategory::Key => "xs:key",
                IdentityCategory::Unique => "xs:unique",
                IdentityCategory::Keyref(_) => "xs:keyref",
            },
            name: schema.names.shown(identity.name),
            position: identity.position,
        });
        let notations = schema.globals.iter().filter_map(|global| match global {
            Global::Notation(id) => {
                let notation = &schema.notations[*id];
                let name = schema.names.shown(notation.name);
                Some(LeftOut { what: "xs:notation", name, position: notation.position })
            }
            _ => None,
        });
        identities.chain(notations).collect()
    }
}

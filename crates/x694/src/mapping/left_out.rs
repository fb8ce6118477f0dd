//! What the mapping leaves out (X.694 clause 8).

use xsd::{Global, IdentityCategory, Position, Schema};

/// A component of a schema that modules of ASN.1 do not carry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// What it is: `xs:key`, `xs:notation`, …
    pub what: &'static str,
    /// Its name, or that of what it belongs to, with its namespace.
    pub name: String,
    /// Where it stands.
    pub position: Position,
}

impl LeftOut {
    /// What of a schema has no counterpart in ASN.1: identity constraints and notations.
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

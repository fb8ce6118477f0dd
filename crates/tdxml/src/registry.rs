//! The schemas that two parties have agreed on (paper sections 2 and 3.2.2).

use std::collections::HashMap;
use std::sync::Arc;

use crate::DataSchema;

/// Schemas by their identifiers: a message that refers to one has its rows alone.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tdxml::{DataSchema, Options, Registry};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut registry = Registry::new();
/// registry.insert("urn:note", "note[0] ::= UTF8String".parse::<DataSchema>()?);
///
/// let message = br#"<Env xmlns="urn:tdxml"><DS ref="urn:note"/><CT>[0] |Hello</CT></Env>"#;
/// let mut table = lengthwise_tam::Table::new();
/// let document = lengthwise_tdxml::read(message, &Options::default().with_registry(&registry), &mut table)?;
/// assert_eq!(document.get("/note/text()").unwrap().value(), b"Hello");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    schemas: HashMap<String, Arc<DataSchema>>,
}

impl Registry {
    /// No schemas.
    #[must_use]
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Adds a schema under an identifier; the one that was there before.
    pub fn insert(&mut self, id: impl Into<String>, schema: DataSchema) -> Option<Arc<DataSchema>> {
        let id = id.into();
        self.schemas.insert(id.clone(), Arc::new(schema.with_id(id)))
    }

    /// The schema of an identifier.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<DataSchema>> {
        self.schemas.get(id)
    }

    /// All of them, in no order.
    pub fn schemas(&self) -> impl Iterator<Item = &DataSchema> {
        self.schemas.values().map(|schema| &**schema)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.schemas.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.schemas.is_empty()
    }
}

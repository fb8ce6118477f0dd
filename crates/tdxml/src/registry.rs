//! Schemas that two parties have agreed on (paper sections 2 and 3.2.2).

use std::collections::HashMap;
use std::sync::Arc;

use crate::DataSchema;

/// Schemas by their identifiers. A message that refers to one contains only rows.
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
    /// The identifiers of the schemas by those of their contents.
    by_content: HashMap<String, String>,
}

impl Registry {
    /// No schemas.
    #[must_use]
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Adds a schema with an identifier, and returns the previous one.
    pub fn insert(&mut self, id: impl Into<String>, schema: DataSchema) -> Option<Arc<DataSchema>> {
        let id = id.into();
        self.by_content.insert(schema.content_id(), id.clone());
        self.insert_shared(id.clone(), Arc::new(schema.with_id(id)))
    }

    /// The same for a schema that already has an identifier.
    pub fn insert_shared(&mut self, id: impl Into<String>, schema: Arc<DataSchema>) -> Option<Arc<DataSchema>> {
        self.schemas.insert(id.into(), schema)
    }

    /// The schema with an identifier: the one it was added with, or that of its content
    /// ([`DataSchema::content_id`]).
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<DataSchema>> {
        self.schemas.get(id).or_else(|| self.schemas.get(self.by_content.get(id)?))
    }

    /// All schemas, in no particular order.
    pub fn schemas(&self) -> impl Iterator<Item = &DataSchema> {
        self.schemas.values().map(|schema| &**schema)
    }

    /// The number of schemas.
    #[must_use]
    pub fn len(&self) -> usize {
        self.schemas.len()
    }

    /// Whether there are no schemas.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.schemas.is_empty()
    }
}

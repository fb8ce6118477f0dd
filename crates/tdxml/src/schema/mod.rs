//! The data schema: what the rows of a table may contain (paper section 2.1).

mod builtin;
mod from_asn1;
mod notation;
mod print;

use std::fmt;

use tam::{Error, Limits};

pub use builtin::Builtin;
pub use from_asn1::Prefixes;
pub(crate) use notation::parse;

/// Marks the absence of a number.
pub(crate) const NONE: u32 = u32::MAX;

/// A data schema: the elements and attributes that a table has rows for, and their numbers.
///
/// Numbers are positions: the element `[1]` of a record is its second. Named types may be recursive.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tdxml::DataSchema;
///
/// let schema: DataSchema = "person [0] ::= SEQUENCE OF {
///     lang(0) [ATTRIBUTE] UTF8String (\"English\")
///     firstname[0] UTF8String,
///     lastname[1] UTF8String }".parse()?;
/// assert_eq!(schema.root().name, "person");
/// assert!(schema.root().repeated);
/// let person = schema.record(&schema.root().content).unwrap();
/// assert_eq!(person.attributes[0].default.as_deref(), Some("English"));
/// # Ok::<(), lengthwise_tam::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSchema {
    pub(crate) id: Option<String>,
    pub(crate) root: Element,
    pub(crate) records: Vec<Record>,
    /// The number of elements and attributes, for tables indexed by them.
    pub(crate) elements: u32,
    pub(crate) attributes: u32,
}

/// The number of a record in its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(pub(crate) u32);

/// An element of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// Its XML name, including the prefix.
    pub name: String,
    /// Its content.
    pub content: Content,
    /// Whether it may occur any number of times; its rows then have the number of the occurrence.
    pub repeated: bool,
    /// Whether it can be left out.
    pub optional: bool,
    pub(crate) id: u32,
}

/// The content of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A simple value.
    Value(Builtin),
    /// Attributes and elements.
    Record(RecordId),
}

/// Attributes, text and elements of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The name by which others refer to it.
    pub name: Option<String>,
    /// The order of its elements.
    pub order: Order,
    /// Its attributes, by number.
    pub attributes: Vec<Attribute>,
    /// The type of its text, if it may have text.
    pub text: Option<Builtin>,
    /// Its elements, by number.
    pub elements: Vec<Element>,
    /// For each number, the first mandatory element from it on.
    next_required: Vec<u32>,
    /// For each number, the first attribute from it on that is mandatory or has a default.
    next_needed: Vec<u32>,
    required: u32,
}

/// The order of the elements of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The order of their numbers.
    #[default]
    Sequence,
    /// Any order.
    Set,
    /// Exactly one of them.
    Choice,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute {
    /// Its XML name.
    pub name: String,
    /// The type of its values.
    pub builtin: Builtin,
    /// Whether it may be left out.
    pub optional: bool,
    /// Its value if no row has it.
    pub default: Option<String>,
    pub(crate) id: u32,
    pub(crate) number: u32,
}

impl Element {
    pub(crate) fn new(name: impl Into<String>, content: Content) -> Element {
        Element { name: name.into(), content, repeated: false, optional: false, id: 0 }
    }

    /// Whether it is mandatory.
    pub(crate) fn is_required(&self) -> bool {
        !self.optional && !self.repeated
    }
}

impl Attribute {
    pub(crate) fn new(name: impl Into<String>, builtin: Builtin) -> Attribute {
        Attribute { name: name.into(), builtin, optional: false, default: None, id: 0, number: 0 }
    }
}

impl Record {
    /// The number of the first mandatory element from `number` on, or the number of elements.
    #[inline]
    pub(crate) fn next_required(&self, number: u32) -> u32 {
        self.next_required.get(number as usize).copied().unwrap_or(self.elements.len() as u32)
    }

    /// The same for attributes that are mandatory or have a default.
    #[inline]
    pub(crate) fn next_needed(&self, number: u32) -> u32 {
        self.next_needed.get(number as usize).copied().unwrap_or(self.attributes.len() as u32)
    }

    /// The number of mandatory elements.
    pub(crate) fn required(&self) -> u32 {
        self.required
    }

    fn finish(&mut self, elements: &mut u32, attributes: &mut u32) {
        let number = |place: &mut u32| std::mem::replace(place, place.saturating_add(1));
        self.elements.iter_mut().for_each(|element| element.id = number(elements));
        for (at, attribute) in self.attributes.iter_mut().enumerate() {
            (attribute.id, attribute.number) = (number(attributes), at as u32);
        }
        self.required = self.elements.iter().filter(|element| element.is_required()).count() as u32;
        self.next_required = next(self.elements.iter().map(Element::is_required));
        self.next_needed = next(self.attributes.iter().map(|one| !one.optional || one.default.is_some()));
    }
}

/// For each index, the first index from it on for which `holds` is true.
fn next(holds: impl DoubleEndedIterator<Item = bool> + ExactSizeIterator) -> Vec<u32> {
    let len = holds.len();
    let mut found = len as u32;
    let mut all: Vec<u32> = holds
        .enumerate()
        .rev()
        .map(|(at, holds)| {
            if holds {
                found = at as u32;
            }
            found
        })
        .collect();
    all.reverse();
    all
}

impl DataSchema {
    /// A schema from its parts.
    pub(crate) fn new(root: Element, records: Vec<Record>) -> DataSchema {
        let mut schema = DataSchema { id: None, root, records, elements: 1, attributes: 0 };
        for record in &mut schema.records {
            record.finish(&mut schema.elements, &mut schema.attributes);
        }
        schema
    }

    /// Reads a schema in its own notation (the grammar is in `docs/formats/tdxml.md`), from a file of its own and not
    /// from XML.
    ///
    /// # Errors
    /// Of kind syntax if the text is not a schema, of kind schema if it refers to a missing type, with line and column;
    /// of kind limit if records are nested deeper than `depth`.
    pub fn read(text: &str, limits: &Limits) -> Result<DataSchema, Error> {
        parse(text, false, limits)
    }

    /// The same schema with an identifier for messages to refer to, for example a URI.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> DataSchema {
        self.id = Some(id.into());
        self
    }

    /// The identifier of the schema.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The root element.
    #[must_use]
    pub fn root(&self) -> &Element {
        &self.root
    }

    /// The record of an element's content, if it is one.
    #[must_use]
    #[inline]
    pub fn record(&self, content: &Content) -> Option<&Record> {
        match content {
            Content::Record(id) => self.records.get(id.0 as usize),
            Content::Value(_) => None,
        }
    }

    /// The elements in some content.
    #[inline]
    pub(crate) fn elements_of(&self, content: &Content) -> &[Element] {
        self.record(content).map_or(&[], |record| &record.elements)
    }
}

impl std::str::FromStr for DataSchema {
    type Err = Error;

    fn from_str(text: &str) -> Result<DataSchema, Error> {
        DataSchema::read(text, &Limits::default())
    }
}

impl fmt::Display for DataSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::print(self, f)
    }
}

//! What the rows of a table may say: the data schema (paper section 2.1).

mod builtin;
mod from_asn1;
mod notation;
mod print;

use std::fmt;

use tam::{Error, Limits};

pub use builtin::Builtin;
pub use from_asn1::Prefixes;
pub(crate) use notation::parse;

/// Nothing, where a number would stand.
pub(crate) const NONE: u32 = u32::MAX;

/// A data schema: the elements and attributes that a table has rows for, and their numbers.
///
/// Numbers are places: the element `[1]` of a record is its second. Types that are named may hold
/// themselves.
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
    /// How many elements and attributes there are, for tables by their places.
    pub(crate) elements: u32,
    pub(crate) attributes: u32,
}

/// The number of a record among those of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(pub(crate) u32);

/// An element that a record may have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// Its name, as XML has it: a prefix is part of it.
    pub name: String,
    /// What it holds.
    pub content: Content,
    /// Whether it can come several times, or not at all; its rows then tell which one they are of.
    pub repeated: bool,
    /// Whether it can be left out.
    pub optional: bool,
    pub(crate) id: u32,
}

/// What an element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A value alone.
    Value(Builtin),
    /// Attributes and elements.
    Record(RecordId),
}

/// Attributes, text and elements that stand together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The name that others refer to it by.
    pub name: Option<String>,
    /// In which order elements come.
    pub order: Order,
    /// Its attributes, by number.
    pub attributes: Vec<Attribute>,
    /// The type of its text, where it can have text.
    pub text: Option<Builtin>,
    /// Its elements, by number.
    pub elements: Vec<Element>,
    /// For each number the next one, from it on, of an element that must be there.
    next_required: Vec<u32>,
    /// The same of attributes that must be there or have a default.
    next_told: Vec<u32>,
    required: u32,
}

/// In which order the elements of a record come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// In that of their numbers.
    #[default]
    Sequence,
    /// In any: the rows tell it.
    Set,
    /// One of them alone.
    Choice,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute {
    /// Its name, as XML has it.
    pub name: String,
    /// Of what its values are.
    pub builtin: Builtin,
    /// Whether it can be left out, and is then not there.
    pub optional: bool,
    /// Its value where no row tells one.
    pub default: Option<String>,
    pub(crate) id: u32,
    pub(crate) number: u32,
}

impl Element {
    pub(crate) fn new(name: impl Into<String>, content: Content) -> Element {
        Element { name: name.into(), content, repeated: false, optional: false, id: 0 }
    }

    /// Whether it must be there.
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
    /// The number of the next element from `number` on that must be there, or how many there are.
    #[inline]
    pub(crate) fn next_required(&self, number: u32) -> u32 {
        self.next_required.get(number as usize).copied().unwrap_or(self.elements.len() as u32)
    }

    /// The same of attributes that must be there or have a default.
    #[inline]
    pub(crate) fn next_told(&self, number: u32) -> u32 {
        self.next_told.get(number as usize).copied().unwrap_or(self.attributes.len() as u32)
    }

    /// How many elements must be there.
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
        self.next_told = next(self.attributes.iter().map(|one| !one.optional || one.default.is_some()));
    }
}

/// For each place the next one that holds.
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
    /// A schema of its parts.
    pub(crate) fn new(root: Element, records: Vec<Record>) -> DataSchema {
        let mut schema = DataSchema { id: None, root, records, elements: 1, attributes: 0 };
        for record in &mut schema.records {
            record.finish(&mut schema.elements, &mut schema.attributes);
        }
        schema
    }

    /// Reads a schema in its own notation (the grammar is in `docs/formats/tdxml.md`), as it stands in a
    /// file of its own: not inside XML.
    ///
    /// # Errors
    /// Of kind syntax where the text is no schema, of kind schema where it refers to a type that is not
    /// there, with line and column; of kind limit where records are nested deeper than `depth`.
    pub fn read(text: &str, limits: &Limits) -> Result<DataSchema, Error> {
        parse(text, false, limits)
    }

    /// The same schema with the identifier that messages refer to it by: a URI, say.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> DataSchema {
        self.id = Some(id.into());
        self
    }

    /// What messages refer to it by.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The root element.
    #[must_use]
    pub fn root(&self) -> &Element {
        &self.root
    }

    /// The record that an element holds, if it holds one.
    #[must_use]
    #[inline]
    pub fn record(&self, content: &Content) -> Option<&Record> {
        match content {
            Content::Record(id) => self.records.get(id.0 as usize),
            Content::Value(_) => None,
        }
    }

    /// The elements that stand in one of some content.
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

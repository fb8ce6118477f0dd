//! The data schema: what the rows of a table may contain (paper section 2.1).

mod builtin;
mod derive;
mod facets;
mod instructions;
mod merge;
mod notation;
mod print;

use std::fmt;

use tam::{Error, Limits};

pub use builtin::Builtin;
pub(crate) use derive::XSI;
pub use facets::Facets;
pub(crate) use notation::{keyword, parse};

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
    /// Constraints of values, which types refer to by their index.
    pub(crate) facets: Vec<Facets>,
    /// The namespaces of its names, each with the prefix that the notation has for it. If there are any, names of
    /// documents match by their namespace, whatever their prefix, and every element may have comments and namespace
    /// declarations.
    pub(crate) namespaces: Vec<(String, String)>,
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
    pub(crate) name_at: NameParts,
}

/// The parts of a name: the index of its namespace, or [`NONE`], and the start of its local part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameParts {
    pub(crate) namespace: u32,
    pub(crate) local: u32,
}

impl NameParts {
    pub(crate) const WHOLE: NameParts = NameParts { namespace: NONE, local: 0 };

    fn of(name: &str, namespaces: &[(String, String)]) -> NameParts {
        let found = name.split_once(':').and_then(|(prefix, _)| {
            let namespace = namespaces.iter().position(|(other, _)| other == prefix)?;
            Some(NameParts { namespace: namespace as u32, local: prefix.len() as u32 + 1 })
        });
        found.unwrap_or(NameParts::WHOLE)
    }
}

/// The content of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A simple value.
    Value(ValueType),
    /// Attributes and elements.
    Record(RecordId),
}

/// The type of a value: a built-in type, and the constraints of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// The built-in type.
    pub builtin: Builtin,
    /// The index of the constraints, or [`NONE`].
    pub(crate) facets: u32,
}

impl ValueType {
    /// Any text.
    pub(crate) const TEXT: ValueType = ValueType { builtin: Builtin::Utf8String, facets: NONE };

    pub(crate) const fn of(builtin: Builtin) -> ValueType {
        ValueType { builtin, facets: NONE }
    }
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
    pub text: Option<ValueType>,
    /// Its elements, by number.
    pub elements: Vec<Element>,
    /// Whether it may have text between elements, and without namespaces also comments and instructions.
    pub rest: bool,
    /// The namespaces of elements that it may have without a number.
    pub any_element: Option<Wildcard>,
    /// The namespaces of attributes that it may have without a number.
    pub any_attribute: Option<Wildcard>,
    /// For each number, the first mandatory element from it on.
    next_required: Vec<u32>,
    /// For each number, the first attribute from it on that is mandatory or has a default.
    next_needed: Vec<u32>,
    required: u32,
}

/// The namespaces of a wildcard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wildcard {
    /// Whether all but the listed ones are allowed.
    pub except: bool,
    /// The listed namespaces; the empty one is that of names without a namespace.
    pub listed: Vec<String>,
}

impl Wildcard {
    /// Whether names of a namespace are allowed.
    pub(crate) fn allows(&self, uri: &str) -> bool {
        self.listed.iter().any(|one| one == uri) != self.except
    }

    /// A wildcard that allows what either allows, and perhaps more.
    fn either(one: Option<Wildcard>, other: Option<Wildcard>) -> Option<Wildcard> {
        match (one, other) {
            (Some(one), Some(other)) if one == other => Some(one),
            (Some(_), Some(_)) => Some(Wildcard { except: true, listed: Vec::new() }),
            (one, other) => one.or(other),
        }
    }
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
    pub value: ValueType,
    /// Whether it may be left out.
    pub optional: bool,
    /// Its value if no row has it.
    pub default: Option<String>,
    pub(crate) id: u32,
    pub(crate) number: u32,
    pub(crate) name_at: NameParts,
}

impl Element {
    pub(crate) fn new(name: impl Into<String>, content: Content) -> Element {
        Element { name: name.into(), content, repeated: false, optional: false, id: 0, name_at: NameParts::WHOLE }
    }

    /// Its name without a prefix of the notation.
    pub(crate) fn local(&self) -> &str {
        self.name.get(self.name_at.local as usize..).unwrap_or_default()
    }

    /// Whether it is mandatory.
    pub(crate) fn is_required(&self) -> bool {
        !self.optional && !self.repeated
    }
}

impl Attribute {
    pub(crate) fn new(name: impl Into<String>, value: ValueType) -> Attribute {
        Attribute {
            name: name.into(),
            value,
            optional: false,
            default: None,
            id: 0,
            number: 0,
            name_at: NameParts::WHOLE,
        }
    }

    /// Its name without a prefix of the notation.
    pub(crate) fn local(&self) -> &str {
        self.name.get(self.name_at.local as usize..).unwrap_or_default()
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

    fn finish(&mut self, elements: &mut u32, attributes: &mut u32, namespaces: &[(String, String)]) {
        let number = |place: &mut u32| std::mem::replace(place, place.saturating_add(1));
        for element in &mut self.elements {
            (element.id, element.name_at) = (number(elements), NameParts::of(&element.name, namespaces));
        }
        for (at, attribute) in self.attributes.iter_mut().enumerate() {
            (attribute.id, attribute.number) = (number(attributes), at as u32);
            attribute.name_at = NameParts::of(&attribute.name, namespaces);
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
    pub(crate) fn new(
        mut root: Element,
        mut records: Vec<Record>,
        facets: Vec<Facets>,
        namespaces: Vec<(String, String)>,
    ) -> DataSchema {
        let (mut elements, mut attributes) = (1, 0);
        root.name_at = NameParts::of(&root.name, &namespaces);
        for record in &mut records {
            record.finish(&mut elements, &mut attributes, &namespaces);
        }
        DataSchema { id: None, root, records, facets, namespaces, elements, attributes }
    }

    /// Whether its names have namespaces, so that documents may have any prefixes.
    #[must_use]
    pub fn has_namespaces(&self) -> bool {
        !self.namespaces.is_empty()
    }

    /// The index of a namespace.
    pub(crate) fn namespace(&self, uri: &str) -> Option<u32> {
        self.namespaces.iter().position(|(_, other)| other == uri).map(|place| place as u32)
    }

    /// What a declaration of a namespace binds a prefix to.
    pub(crate) fn binding(&self, uri: &str) -> u32 {
        let unknown = if uri.is_empty() { NONE } else { crate::rest::OTHER };
        self.namespace(uri).unwrap_or(unknown)
    }

    /// Whether an element of some content may have a row for what has no number.
    pub(crate) fn has_rest(&self, content: &Content) -> bool {
        self.has_namespaces() || self.record(content).is_some_and(|record| record.rest)
    }

    /// Whether a text is a valid value of a type.
    #[must_use]
    #[inline]
    pub fn allows(&self, value: ValueType, text: &str) -> bool {
        if value.facets == NONE {
            return value.builtin.allows(text);
        }
        self.facets.get(value.facets as usize).is_none_or(|facets| facets.allow(value.builtin, text))
    }

    /// A description of the values of a type for error messages.
    #[cold]
    pub(crate) fn expected(&self, value: ValueType) -> tam::Words {
        match self.facets.get(value.facets as usize) {
            None => value.builtin.expected().into(),
            Some(facets) => facets.expected(value.builtin).into(),
        }
    }

    /// An identifier made of the name of the root element and a hash of everything that the schema says.
    #[must_use]
    pub fn content_id(&self) -> String {
        use sha2::Digest;
        let digest = sha2::Sha256::digest(self.to_string().as_bytes());
        let mut hash = String::new();
        xml::base64::push(digest.get(..12).unwrap_or_default(), &mut hash);
        format!("{}:{}", self.root.local(), hash.replace('+', "-").replace('/', "_"))
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

//! The schema for the codecs: names resolved, tags and constraints reduced, once.

mod allowed;
mod assigned;
mod bare;
mod build;
mod built_in;
mod by_tag;
mod constraint;
mod contents;
mod decimal;
mod default;
mod enumeration;
mod expand;
mod fields;
mod float;
mod interval;
mod node;
mod open;
mod relation;
mod scope;
mod tags;
mod text;
mod time;
mod unchecked;
pub(crate) mod value;
mod walk;
mod written;

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::HashMap;
use tam::{Error, ErrorKind, Limits, Words};

use crate::notation::{self, SourceError};
use crate::schema::{Position, Schema, element_name};
use crate::values::{Value, Values};

pub use crate::integer::Number;
#[doc(hidden)]
pub use expand::Expansion;
pub(crate) use float::Float;
pub use interval::{End, Intervals};
pub use node::{
    Addition, Alternative, Array, Characters, Choice, Enumeration, Integer, Kind, KnownMultiplier, Member, Node,
    NodeId, Presence, Range, Record, Size, Wide,
};
pub(crate) use node::{Ascii, Code, SPACES, Step, not_above};
pub(crate) use open::RecordKey;
pub(crate) use open::{CONTENT, ContentString, STRING};
pub use open::{Open, RowKey};
pub(crate) use relation::Relation;
pub use time::PointForm;
pub(crate) use time::TimeType;
pub use unchecked::Unchecked;

/// A schema ready for reading and writing messages.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::Compiled;
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "Weather DEFINITIONS AUTOMATIC TAGS ::= BEGIN Degrees ::= INTEGER (-90..60) END",
/// )?;
/// let degrees = types.find("Degrees")?;
/// assert_eq!(types.node(degrees).name, "Degrees");
/// assert_eq!(types.node(degrees).min_bits, 8);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Compiled {
    nodes: Vec<Node>,
    /// How each node's values are encoded.
    codes: Vec<Code>,
    /// The number of components of each SEQUENCE or SET; for an array of these, one more than that; 0 for others.
    widths: Vec<u32>,
    enumerations: Vec<Enumeration>,
    characters: Vec<Characters>,
    records: Vec<Record>,
    choices: Vec<Choice>,
    opens: Vec<Open>,
    intervals: Vec<Intervals>,
    names: Vec<Vec<(String, Number)>>,
    wide: Vec<Wide>,
    /// The names in XML of the components of SEQUENCE OF and SET OF that have one.
    element_names: Vec<String>,
    /// Whether each node is a REAL in base 10 alone; entries after the last such node are left out.
    decimal: Vec<bool>,
    decimal_digits: HashMap<NodeId, (u64, u64)>,
    /// The REALs whose values are IEEE 754 numbers.
    floats: HashMap<NodeId, Float>,
    defaults: Vec<DefaultValue>,
    unchecked: Vec<Unchecked>,
    /// The components that tables relate to others of their record, by its number.
    relations: HashMap<u32, Vec<Relation>>,
    /// Module, name and number of each type, in the order of the schema.
    types: Vec<(Arc<str>, String, NodeId)>,
    by_name: HashMap<String, Vec<usize>>,
    /// Types that use missing imports: module, name and error.
    refused: Vec<(Arc<str>, String, Error)>,
}

/// The default of a component.
#[derive(Debug)]
struct DefaultValue {
    node: NodeId,
    values: Values,
    /// Its canonical encoding, to recognize equal values.
    encoded: Vec<u8>,
}

/// A component or an alternative, found by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Its index among its record's members, or its choice's alternatives.
    pub index: u32,
    /// Its type.
    pub node: NodeId,
}

impl Compiled {
    /// Resolves the names of a schema and reduces its constraints.
    ///
    /// # Errors
    /// A name that is undefined, or defined by itself; tags that are not distinct; what no codec here supports. Each
    /// error has its position and the path of the type.
    pub fn new(schema: &Schema) -> Result<Compiled, Error> {
        build::compile(schema, &Limits::DEFAULT)
    }

    /// The same with limits: `units` limits what short notation may expand to. Types with their components, and
    /// intervals of constraints, are at most this many each, and at most 2^22. The work for constraints and the memory
    /// for defaults are proportional.
    ///
    /// # Errors
    /// Those of [`Compiled::new`].
    pub fn with_limits(schema: &Schema, limits: &Limits) -> Result<Compiled, Error> {
        build::compile(schema, limits)
    }

    /// Parses notation and compiles it.
    ///
    /// # Errors
    /// Those of [`notation::parse_one`] and of [`Compiled::new`].
    pub fn from_notation(text: &str) -> Result<Compiled, Error> {
        Compiled::new(&notation::parse_one(text, &Limits::DEFAULT)?)
    }

    /// Parses the modules of several sources and compiles them.
    ///
    /// # Errors
    /// Those of [`notation::parse`] and of [`Compiled::new`], with the source they are in.
    pub fn from_sources<T: AsRef<[u8]>>(
        sources: &[(&str, T)],
        limits: &Limits,
    ) -> Result<(Schema, Compiled), SourceError> {
        let schema = notation::parse(sources, limits)?;
        match Compiled::with_limits(&schema, limits) {
            Ok(types) => Ok((schema, types)),
            Err(error) => Err(notation::in_source(sources, limits, error)),
        }
    }

    /// The type with a name: `Element`, or `Infoset.Element` if several modules have one.
    ///
    /// # Errors
    /// If there is no such type, or more than one.
    pub fn find(&self, name: &str) -> Result<NodeId, Error> {
        let (module, own) = match name.split_once('.') {
            Some((module, own)) => (Some(module), own),
            None => (None, name),
        };
        let found: Vec<_> = self.by_name.get(own).into_iter().flatten().filter_map(|i| self.types.get(*i)).collect();
        let mut fits = found.iter().filter(|(of, _, _)| module.is_none_or(|module| *module == **of));
        match (fits.next(), fits.next()) {
            (Some((_, _, node)), None) => Ok(*node),
            (Some((one, ..)), Some((other, ..))) => {
                let words = format!("{own} in {one} and in {other}");
                Err(Error::new(ErrorKind::Schema, "asn1", 0, words, "the module in front of the type's name"))
            }
            _ => {
                let is_it = |of: &str, other: &str| other == own && module.is_none_or(|module| module == of);
                match self.refused.iter().find(|(of, other, _)| is_it(of, other)) {
                    Some((.., error)) => Err(error.clone()),
                    None => Err(Error::new(ErrorKind::Schema, "asn1", 0, format!("type {name} not found"), "")),
                }
            }
        }
    }

    /// The types with a name: module, name and number, in the order of the schema.
    pub fn types(&self) -> impl Iterator<Item = (&str, &str, NodeId)> {
        self.types.iter().map(|(module, name, node)| (&module[..], &name[..], *node))
    }

    /// The types that use names from modules that are missing: module, name, and the error that says which.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str, &Error)> {
        self.refused.iter().map(|(module, name, error)| (&module[..], &name[..], error))
    }

    /// The constraints that no value is checked against, by module and in the order of its source.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_asn1::Compiled;
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let types = Compiled::from_notation(
    ///     r#"Mail DEFINITIONS ::= BEGIN Address ::= IA5String (SIZE (1..64)) (PATTERN ".+@.+") END"#,
    /// )?;
    /// let [pattern] = types.unchecked() else { unreachable!() };
    /// assert_eq!((pattern.element, &pattern.path[..], pattern.position.column), ("PATTERN", "Address", 65));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    /// A type. The number of another schema returns some type of this one.
    #[inline(always)]
    #[must_use]
    pub fn node(&self, node: NodeId) -> &Node {
        const NONE: &Node = &Node { kind: Kind::Null, tags: Vec::new(), min_bits: 0, name: String::new() };
        self.nodes.get(node.0 as usize).unwrap_or(NONE)
    }

    /// The kind of a type, as in the notation: `SEQUENCE OF`.
    #[must_use]
    pub fn kind_name(&self, node: NodeId) -> &'static str {
        match self.node(node).kind {
            Kind::Boolean => "BOOLEAN",
            Kind::Null => "NULL",
            Kind::Integer(_) => "INTEGER",
            Kind::Enumerated(_) => "ENUMERATED",
            Kind::Real => "REAL",
            Kind::BitString(..) => "BIT STRING",
            Kind::OctetString(_) => "OCTET STRING",
            Kind::ObjectIdentifier => "OBJECT IDENTIFIER",
            Kind::RelativeOid => "RELATIVE-OID",
            Kind::Text(number) => self.characters(number).kind.as_str(),
            Kind::Record(number) if self.record(number).set => "SET",
            Kind::Record(_) => "SEQUENCE",
            Kind::Choice(_) => "CHOICE",
            Kind::Open(number) => match self.open(number).string.map(|string| string.kind) {
                Some(Kind::BitString(..)) => "BIT STRING",
                Some(_) => "OCTET STRING",
                None => "open type",
            },
            Kind::Array(array) if array.set => "SET OF",
            Kind::Array(_) => "SEQUENCE OF",
        }
    }

    /// The name of an element that holds a value of a type (X.680 clauses 12.36 and 16.2): that of the type, or of its
    /// kind.
    pub(crate) fn type_element(&self, node: NodeId) -> Cow<'_, str> {
        match &self.node(node).name[..] {
            name if name.is_empty() || name.contains('.') => element_name(self.kind_name(node)),
            name => element_name(name),
        }
    }

    /// The name of an element that holds a component of a SEQUENCE OF or SET OF.
    pub(crate) fn item_element(&self, array: &Array) -> Cow<'_, str> {
        let name = self.element_names.get(array.name as usize);
        element_name(name.map_or_else(|| self.kind_name(array.item), String::as_str))
    }

    /// How a type's values are encoded.
    #[inline(always)]
    pub(crate) fn code(&self, node: NodeId) -> Code {
        self.codes.get(node.0 as usize).copied().unwrap_or(Code::Other)
    }

    /// The number of components of a SEQUENCE or SET.
    #[inline(always)]
    #[must_use]
    pub fn width(&self, node: NodeId) -> u32 {
        self.widths.get(node.0 as usize).copied().unwrap_or_default()
    }

    /// The number of components of the items of a SEQUENCE OF or SET OF, if they are SEQUENCEs or SETs.
    #[inline(always)]
    #[must_use]
    pub fn columns(&self, node: NodeId) -> Option<u32> {
        self.widths.get(node.0 as usize).copied().unwrap_or_default().checked_sub(1)
    }

    /// Whether a type is a REAL whose constraint allows base 10 only (X.680 clause 21). Values in base 10 differ from
    /// values in base 2, even if the numbers are equal.
    #[must_use]
    pub fn is_decimal(&self, node: NodeId) -> bool {
        self.decimal.get(node.0 as usize).copied().unwrap_or_default()
    }

    /// The digits that all values of a REAL in base 10 have room in: how many of them, and how many after the point. Those that
    /// `totalDigits` and `fractionDigits` of an XML Schema allow (X.694 clause 12.5), which are not checked.
    #[must_use]
    pub fn decimal_digits(&self, node: NodeId) -> Option<(u64, u64)> {
        self.decimal_digits.get(&node).copied()
    }

    /// What all values of a type are, if they are points in time: days, times of a day, or both.
    #[must_use]
    pub fn point_form(&self, node: NodeId) -> Option<PointForm> {
        let Kind::Text(number) = self.node(node).kind else { return None };
        let characters = self.characters(number);
        characters.time.as_ref().map_or(PointForm::of_characters(characters.kind), |time| time.form)
    }

    /// The IEEE 754 numbers that hold all values of a REAL, if its constraint says so.
    pub(crate) fn float(&self, node: NodeId) -> Option<Float> {
        self.floats.get(&node).copied()
    }

    /// A SEQUENCE or SET by its number.
    #[inline(always)]
    #[must_use]
    pub fn record(&self, number: u32) -> &Record {
        const NONE: &Record = &Record::EMPTY;
        self.records.get(number as usize).unwrap_or(NONE)
    }

    /// A CHOICE by its number.
    #[inline(always)]
    #[must_use]
    pub fn choice(&self, number: u32) -> &Choice {
        const NONE: &Choice = &Choice::EMPTY;
        self.choices.get(number as usize).unwrap_or(NONE)
    }

    /// An ENUMERATED type by its number.
    #[inline(always)]
    #[must_use]
    pub fn enumeration(&self, number: u32) -> &Enumeration {
        const NONE: &Enumeration = &Enumeration::EMPTY;
        self.enumerations.get(number as usize).unwrap_or(NONE)
    }

    /// Calls components and alternatives by their texts. Until here a name is the identifier, which the modules refer to, and in
    /// the place of the identifier is the text.
    fn use_texts(&mut self) {
        let members = self.records.iter_mut().flat_map(|record| &mut record.members);
        let members = members.map(|member| (&mut member.name, &mut member.identifier));
        let alternatives = self.choices.iter_mut().flat_map(|choice| &mut choice.alternatives);
        let alternatives = alternatives.map(|alternative| (&mut alternative.name, &mut alternative.identifier));
        for (name, identifier) in members.chain(alternatives) {
            if let Some(text) = identifier.take() {
                *identifier = Some(std::mem::replace(name, text.into()).into());
            }
        }
    }

    /// A type of characters by its number.
    #[inline(always)]
    #[must_use]
    pub fn characters(&self, number: u32) -> &Characters {
        const NONE: &Characters = &Characters::ANY;
        self.characters.get(number as usize).unwrap_or(NONE)
    }

    /// Intervals by their number.
    #[inline]
    #[must_use]
    pub fn intervals(&self, number: u32) -> &Intervals {
        const NONE: &Intervals = &Intervals::ALL;
        self.intervals.get(number as usize).unwrap_or(NONE)
    }

    /// Bounds of an INTEGER by their number.
    #[must_use]
    pub fn wide(&self, number: u32) -> &Wide {
        const NONE: &Wide = &Wide { lower: Number::Small(0), upper: None, offset: None };
        self.wide.get(number as usize).unwrap_or(NONE)
    }

    /// The named numbers of an INTEGER or BIT STRING, by their number.
    #[must_use]
    pub fn names(&self, number: u32) -> &[(String, Number)] {
        self.names.get(number as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// The default of a component, by its number.
    #[must_use]
    pub fn default_value(&self, number: u32) -> Value<'_> {
        const NONE: &DefaultValue = &DefaultValue { node: NodeId(u32::MAX), values: Values::NONE, encoded: Vec::new() };
        let default = self.defaults.get(number as usize).unwrap_or(NONE);
        default.values.value(self, default.node, b"")
    }

    /// The canonical encoding of a default, in unaligned PER.
    pub(crate) fn default_encoded(&self, number: u32) -> &[u8] {
        self.defaults.get(number as usize).map(|default| &default.encoded[..]).unwrap_or_default()
    }

    /// The text that stores have for a value of TIME and the like, given any text of that value; `None` if the type has
    /// no such value, or is another type.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let types = lengthwise_asn1::Compiled::from_notation("M DEFINITIONS ::= BEGIN D ::= DURATION END")?;
    /// let duration = types.find("D")?;
    /// assert_eq!(types.time_text(duration, "PT1,5S").as_deref(), Some("PT1.5S"));
    /// assert_eq!(types.time_text(duration, "2025-03-01"), None);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn time_text<'t>(&self, node: NodeId, text: &'t str) -> Option<Cow<'t, str>> {
        let Kind::Text(number) = self.node(node).kind else { return None };
        let stored = self.characters(number).time.as_ref()?.stored(text).ok()?;
        Some(stored.map_or(Cow::Borrowed(text), Cow::Owned))
    }

    /// A component of a SEQUENCE or SET, or an alternative of a CHOICE, by its name.
    #[must_use]
    pub fn member(&self, node: NodeId, name: &str) -> Option<Place> {
        self.place(node, |one, _| one == name)
    }

    /// The same by its identifier in ASN.1.
    #[must_use]
    pub fn component(&self, node: NodeId, identifier: &str) -> Option<Place> {
        self.place(node, |_, one| one == identifier)
    }

    /// The first of a name and an identifier.
    fn place(&self, node: NodeId, is_it: impl Fn(&str, &str) -> bool) -> Option<Place> {
        let (index, node) = match self.node(node).kind {
            Kind::Record(number) => {
                let members = &self.record(number).members;
                let index = members.iter().position(|member| is_it(&member.name, member.identifier()))?;
                (index, members.get(index)?.node)
            }
            Kind::Choice(number) => {
                let alternatives = &self.choice(number).alternatives;
                let index = alternatives.iter().position(|one| is_it(&one.name, one.identifier()))?;
                (index, alternatives.get(index)?.node)
            }
            _ => return None,
        };
        Some(Place { index: index as u32, node })
    }
}

/// The path of a part of a type. A long path is truncated, because all components of a type repeat its own.
fn within(path: &str, name: &str) -> String {
    const LONGEST: usize = 200;
    match path.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}….{name}", &path[..end]),
        None => format!("{path}.{name}"),
    }
}

/// An error in the notation of a schema.
#[cold]
fn fault(
    kind: ErrorKind,
    position: Position,
    path: &str,
    found: impl Into<Words>,
    expected: impl Into<Words>,
) -> Error {
    let error = Error::new(kind, "asn1", position.offset.into(), found, expected).in_path(path);
    if position.line > 0 { error.at_line(position.line.into(), position.column.into()) } else { error }
}

//! Types (X.680 clauses 17 to 45).

use std::borrow::Cow;

use super::{Constraint, Constraints, FieldReference, Instance, Instruction, Position, Value};

/// A type as written: prefixes, kind, and constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Tags and encoding instructions before it, outermost first.
    pub prefixes: Vec<Prefix>,
    /// Its kind.
    pub kind: Kind,
    /// Constraints after it, applied in order (serial application, X.680 clause 49.2).
    pub constraints: Vec<Constraint>,
    /// Its position.
    pub position: Position,
}

impl Type {
    /// A type of a kind, without tags and constraints.
    #[must_use]
    pub fn new(kind: Kind) -> Type {
        Type { prefixes: Vec::new(), kind, constraints: Vec::new(), position: Position::default() }
    }

    /// A reference to a type of the same module, or one it imports.
    #[must_use]
    pub fn reference(name: impl Into<String>) -> Type {
        Type::new(Kind::Reference { module: None, name: name.into() })
    }

    /// The same type with one more constraint.
    #[must_use]
    pub fn constrained(mut self, constraint: Constraint) -> Type {
        self.constraints.push(constraint);
        self
    }

    /// The same type with one more prefix before it.
    #[must_use]
    pub fn prefixed(mut self, prefix: Prefix) -> Type {
        self.prefixes.insert(0, prefix);
        self
    }
}

/// The tag in square brackets before a type.
#[derive(Clone, Debug, PartialEq)]
pub enum Prefix {
    /// `[APPLICATION 3] IMPLICIT`.
    Tag(Tag, Option<TagMode>),
    /// `[XER:ATTRIBUTE]`, or `[ATTRIBUTE]` in a module of `XER INSTRUCTIONS` (X.693 Amd 1).
    Instruction(Instruction),
}

/// A tag (X.680 clause 31.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    /// Its class; context-specific if none is written.
    pub class: TagClass,
    /// Its number. The parser resolves a number given by a value's name.
    pub number: u32,
}

/// Classes of tags, in canonical order (X.680 clause 8.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TagClass {
    /// `UNIVERSAL`.
    Universal,
    /// `APPLICATION`.
    Application,
    /// No keyword.
    Context,
    /// `PRIVATE`.
    Private,
}

/// How a tag is combined with the tag below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagMode {
    /// `IMPLICIT`: replaces it.
    Implicit,
    /// `EXPLICIT`: around it.
    Explicit,
}

/// The kind of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `BOOLEAN`.
    Boolean,
    /// `NULL`.
    Null,
    /// `INTEGER`, with its named numbers.
    Integer(Vec<NamedNumber>),
    /// `ENUMERATED`.
    Enumerated(Enumeration),
    /// `REAL`.
    Real,
    /// `BIT STRING`, with its named bits.
    BitString(Vec<NamedNumber>),
    /// `OCTET STRING`.
    OctetString,
    /// `OBJECT IDENTIFIER`.
    ObjectIdentifier,
    /// `RELATIVE-OID`.
    RelativeOid,
    /// A type of characters.
    String(StringKind),
    /// `SEQUENCE`.
    Sequence(Fields),
    /// `SET`.
    Set(Fields),
    /// `SEQUENCE OF`.
    SequenceOf(Box<Component>),
    /// `SET OF`.
    SetOf(Box<Component>),
    /// `CHOICE`.
    Choice(Fields),
    /// A name: `Element`, `Infoset.Element`.
    Reference {
        /// The module, if given.
        module: Option<String>,
        /// The type's name.
        name: String,
    },
    /// `alternative < Choice`: the type of an alternative (X.680 clause 30).
    Selection(String, Box<Type>),
    /// A name with parameters: `SetupRelease { Config }` (X.683).
    Instance(Box<Instance>),
    /// A field of a class, of an object, or of a set of objects: `ALGORITHM.&Type` (X.681).
    Field(Box<FieldReference>),
    /// `INSTANCE OF CLASS` (X.681 Annex C).
    InstanceOf(Box<Instance>),
    /// `ANY`, with the component after `DEFINED BY` (X.208).
    Any(Option<String>),
    /// An open type whose table is known, by number; only compiling makes it.
    #[doc(hidden)]
    Open(u32),
    /// A type by its keyword: `EXTERNAL`, `EMBEDDED PDV`, `CHARACTER STRING`; or `OID-IRI`, which no codec here
    /// supports.
    Other(&'static str),
}

impl Kind {
    /// The keyword of the notation, such as `SEQUENCE OF`; for a reference or a selection, the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Kind::Boolean => "BOOLEAN",
            Kind::Null => "NULL",
            Kind::Integer(_) => "INTEGER",
            Kind::Enumerated(_) => "ENUMERATED",
            Kind::Real => "REAL",
            Kind::BitString(_) => "BIT STRING",
            Kind::OctetString => "OCTET STRING",
            Kind::ObjectIdentifier => "OBJECT IDENTIFIER",
            Kind::RelativeOid => "RELATIVE-OID",
            Kind::String(kind) => kind.as_str(),
            Kind::Sequence(_) => "SEQUENCE",
            Kind::Set(_) => "SET",
            Kind::SequenceOf(_) => "SEQUENCE OF",
            Kind::SetOf(_) => "SET OF",
            Kind::Choice(_) => "CHOICE",
            Kind::Reference { name, .. } | Kind::Selection(name, _) => name,
            Kind::Instance(instance) => &instance.name,
            Kind::Field(field) => field.path.last().map_or("", String::as_str),
            Kind::InstanceOf(_) => "INSTANCE OF",
            Kind::Any(_) | Kind::Open(_) => "ANY",
            Kind::Other(words) => words,
        }
    }
}

/// The name in XML of elements of a type, given its name or its keywords (X.680 clauses 12.36 and 14.2).
#[doc(hidden)]
#[must_use]
pub fn element_name(name: &str) -> Cow<'_, str> {
    match name {
        "EXTERNAL" | "EMBEDDED PDV" | "CHARACTER STRING" | "INSTANCE OF" => "SEQUENCE".into(),
        // X.681 clause 14.10.
        "open type" => "OPEN_TYPE".into(),
        "RELATIVE-OID" | "TIME-OF-DAY" | "DATE-TIME" => name.replace('-', "_").into(),
        name if name.contains(' ') => name.replace(' ', "_").into(),
        // Identifiers, which begin with a lower case letter, stay as they are.
        name if name.starts_with('X') && name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("xml")) => {
            format!("_{name}").into()
        }
        name => name.into(),
    }
}

/// A name for a number: of an INTEGER's value, or of a BIT STRING's bit.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNumber {
    /// The identifier.
    pub name: String,
    /// The number, or the name of a value.
    pub number: Value,
}

/// The enumerations of an ENUMERATED type (X.680 clause 20).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enumeration {
    /// Those before the extension marker.
    pub root: Vec<Enumerator>,
    /// Those after the marker; `None` if the type has no marker.
    pub additions: Option<Vec<Enumerator>>,
}

/// One enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumerator {
    /// The identifier.
    pub name: String,
    /// What it is called outside of ASN.1, as [`Component::text`].
    pub text: Option<Box<str>>,
    /// The number, if written.
    pub number: Option<Value>,
    /// Its position.
    pub position: Position,
}

/// The content of the braces of a SEQUENCE, SET or CHOICE.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// Components before the extension marker.
    pub root: Vec<Component>,
    /// Additions after the marker, each alone or in a group; `None` if the type has no marker.
    pub additions: Option<Vec<Field>>,
    /// Components of the root after a second marker (SEQUENCE and SET only).
    pub root_after: Vec<Component>,
    /// The components that tables find their rows by; only compiling fills this.
    #[doc(hidden)]
    pub keys: Vec<FieldKey>,
    /// The components whose values tables relate to others; only compiling fills this.
    #[doc(hidden)]
    pub relations: Vec<FieldRelation>,
}

/// A component whose value is that of a row of a table, which components of the same type select.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRelation {
    /// Its name.
    pub member: String,
    /// The names that lead to the components that select the row.
    pub keys: Vec<Vec<String>>,
    /// The number of the table.
    pub table: usize,
}

/// A component that tables find their rows by.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq)]
pub struct FieldKey {
    /// The names that lead to it.
    pub path: Vec<String>,
    /// Its number among those of all types.
    pub slot: u32,
    /// The first component that is or contains an open type with this key.
    pub user: String,
}

/// An extension addition.
#[allow(clippy::large_enum_variant)] // Hardly any is a group.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// One component.
    Component(Component),
    /// `[[ 2: a A, b B ]]`: a group, with its version if written.
    Group(Option<u32>, Vec<Component>),
}

/// A named type: a component of a SEQUENCE or SET, or an alternative of a CHOICE, which is always
/// mandatory.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// The identifier; empty for the component of a SEQUENCE OF without one.
    pub name: String,
    /// What it is called in JSON, paths, columns and the types of other languages, if that is not its identifier: by an XML
    /// Schema the name in XML. The notation does not have it.
    pub text: Option<Box<str>>,
    /// The type.
    pub ty: Type,
    /// Whether it is mandatory.
    pub kind: ComponentKind,
    /// Its position.
    pub position: Position,
}

/// Whether a component is mandatory.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ComponentKind {
    /// It is mandatory.
    #[default]
    Mandatory,
    /// `OPTIONAL`. The component of a SEQUENCE OF, which notation cannot make optional, may be null in documents
    /// ([`jer::read_nullable`](crate::jer::read_nullable)).
    Optional,
    /// `DEFAULT value`.
    Default(Value),
    /// `COMPONENTS OF Type`, which replaces a component; the type provides the components.
    ComponentsOf,
}

/// Types whose values are text (X.680 clauses 38, 41 and 46 to 48).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StringKind {
    /// `UTF8String`.
    Utf8,
    /// `NumericString`.
    Numeric,
    /// `PrintableString`.
    Printable,
    /// `IA5String`.
    Ia5,
    /// `VisibleString`, `ISO646String`.
    Visible,
    /// `BMPString`.
    Bmp,
    /// `UniversalString`.
    Universal,
    /// `TeletexString`, `T61String`.
    Teletex,
    /// `VideotexString`.
    Videotex,
    /// `GraphicString`.
    Graphic,
    /// `GeneralString`.
    General,
    /// `ObjectDescriptor`.
    ObjectDescriptor,
    /// `UTCTime`.
    UtcTime,
    /// `GeneralizedTime`.
    GeneralizedTime,
    /// `TIME` (clause 38): a time of ISO 8601 in quotes.
    Time,
    /// `DATE`.
    Date,
    /// `TIME-OF-DAY`.
    TimeOfDay,
    /// `DATE-TIME`.
    DateTime,
    /// `DURATION`.
    Duration,
}

/// Every type of characters and its name in the notation.
const STRING_NAMES: &[(StringKind, &str)] = &[
    (StringKind::Utf8, "UTF8String"),
    (StringKind::Numeric, "NumericString"),
    (StringKind::Printable, "PrintableString"),
    (StringKind::Ia5, "IA5String"),
    (StringKind::Visible, "VisibleString"),
    (StringKind::Bmp, "BMPString"),
    (StringKind::Universal, "UniversalString"),
    (StringKind::Teletex, "TeletexString"),
    (StringKind::Videotex, "VideotexString"),
    (StringKind::Graphic, "GraphicString"),
    (StringKind::General, "GeneralString"),
    (StringKind::ObjectDescriptor, "ObjectDescriptor"),
    (StringKind::UtcTime, "UTCTime"),
    (StringKind::GeneralizedTime, "GeneralizedTime"),
    (StringKind::Time, "TIME"),
    (StringKind::Date, "DATE"),
    (StringKind::TimeOfDay, "TIME-OF-DAY"),
    (StringKind::DateTime, "DATE-TIME"),
    (StringKind::Duration, "DURATION"),
];

impl StringKind {
    /// The name in the notation: `UTF8String`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        STRING_NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// The type with a name or a synonym: `ISO646String` is a `VisibleString`, `T61String` a `TeletexString`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<StringKind> {
        match name {
            "ISO646String" => Some(StringKind::Visible),
            "T61String" => Some(StringKind::Teletex),
            _ => STRING_NAMES.iter().find(|(_, other)| *other == name).map(|(kind, _)| *kind),
        }
    }

    /// The number of octets of a character, if all have the same in every encoding by whole octets.
    pub(crate) fn octets_a_character(self) -> Option<u64> {
        use StringKind::{Bmp, Ia5, Numeric, Printable, Universal, Visible};
        match self {
            Numeric | Printable | Ia5 | Visible => Some(1),
            Bmp => Some(2),
            Universal => Some(4),
            _ => None,
        }
    }

    /// Whether its values are times of ISO 8601: TIME, DATE, TIME-OF-DAY, DATE-TIME, DURATION.
    #[must_use]
    pub fn is_iso8601(self) -> bool {
        use StringKind::{Date, DateTime, Duration, Time, TimeOfDay};
        matches!(self, Time | Date | TimeOfDay | DateTime | Duration)
    }

    /// Whether its values are times in characters: GeneralizedTime, UTCTime.
    pub(crate) fn is_plain_time(self) -> bool {
        matches!(self, StringKind::GeneralizedTime | StringKind::UtcTime)
    }
}

impl Component {
    /// A mandatory component.
    #[must_use]
    pub fn new(name: impl Into<String>, ty: Type) -> Component {
        Component { name: name.into(), text: None, ty, kind: ComponentKind::Mandatory, position: Position::default() }
    }
}

impl From<Constraints> for Constraint {
    fn from(root: Constraints) -> Constraint {
        Constraint { root, additions: None, position: Position::default() }
    }
}

impl Field {
    /// Its components: one, or those of a group.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        match self {
            Field::Component(component) => std::slice::from_ref(component),
            Field::Group(_, components) => components,
        }
    }
}

//! What a service expects: the schema classes of the paper's section 2.2.
//!
//! A [`Schema`] is an arena of [`Type`]s and the [`Method`]s that are made of them. Types are referred to by
//! [`TypeId`], so that a type can hold itself.

pub(crate) mod compiled;

use std::sync::Arc;

/// A simple type: what the text of an element is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Simple {
    /// `xsd:boolean`.
    Boolean,
    /// `xsd:byte`, 8 bits.
    Byte,
    /// `xsd:short`, 16 bits.
    Short,
    /// `xsd:int`, 32 bits.
    Int,
    /// `xsd:long`, 64 bits.
    Long,
    /// `xsd:unsignedByte`, 8 bits.
    UnsignedByte,
    /// `xsd:unsignedShort`, 16 bits.
    UnsignedShort,
    /// `xsd:unsignedInt`, 32 bits.
    UnsignedInt,
    /// `xsd:unsignedLong`, 64 bits.
    UnsignedLong,
    /// `xsd:float`, 32 bits.
    Float,
    /// `xsd:double`, 64 bits.
    Double,
    /// `xsd:string`: text, unchanged.
    String,
    /// Text whose white space is collapsed, such as `xsd:anyURI`, `xsd:dateTime`, `xsd:QName`. What else
    /// those types ask of it is left to the application.
    Token,
    /// `xsd:integer`, of any length, kept as text.
    Integer,
    /// `xsd:decimal`, of any length, kept as text.
    Decimal,
    /// `xsd:base64Binary`, and `SOAP-ENC:base64`.
    Base64,
    /// `xsd:hexBinary`.
    Hex,
}

impl Simple {
    /// Whether its values are numbers, or booleans, of a fixed size.
    pub(crate) fn is_number(self) -> bool {
        use Simple::{Base64, Decimal, Hex, Integer, String, Token};
        !matches!(self, String | Token | Integer | Decimal | Base64 | Hex)
    }

    /// Whether `xsi:type` may call a value of this type by the name of a built-in type: its own, or of
    /// one derived from it by restriction.
    pub(crate) fn is_called(self, name: &[u8]) -> bool {
        let names: &[&[u8]] = match self {
            Simple::Boolean => &[b"boolean"],
            Simple::Byte => &[b"byte"],
            Simple::Short => &[b"short", b"byte"],
            Simple::Int => &[b"int", b"short", b"byte"],
            Simple::Long => &[b"long", b"int", b"short", b"byte"],
            Simple::UnsignedByte => &[b"unsignedByte"],
            Simple::UnsignedShort => &[b"unsignedShort", b"unsignedByte"],
            Simple::UnsignedInt => &[b"unsignedInt", b"unsignedShort", b"unsignedByte"],
            Simple::UnsignedLong => &[b"unsignedLong", b"unsignedInt", b"unsignedShort", b"unsignedByte"],
            Simple::Float => &[b"float"],
            Simple::Double => &[b"double"],
            Simple::String => &[b"string", b"normalizedString", b"token", b"language", b"Name", b"NCName", b"NMTOKEN"],
            Simple::Integer => return is_integer(name),
            Simple::Decimal => return name == b"decimal" || is_integer(name),
            Simple::Base64 => &[b"base64Binary", b"base64"],
            Simple::Hex => &[b"hexBinary"],
            Simple::Token => return true,
        };
        names.contains(&name)
    }

    /// What is expected, in an error's words.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Simple::Boolean => "a boolean: true, false, 1 or 0",
            Simple::Byte => "a byte: an integer from -128 to 127",
            Simple::Short => "a short: an integer of 16 bits",
            Simple::Int => "an int: an integer of 32 bits",
            Simple::Long => "a long: an integer of 64 bits",
            Simple::UnsignedByte => "an unsignedByte: an integer from 0 to 255",
            Simple::UnsignedShort => "an unsignedShort: an integer of 16 bits, not below 0",
            Simple::UnsignedInt => "an unsignedInt: an integer of 32 bits, not below 0",
            Simple::UnsignedLong => "an unsignedLong: an integer of 64 bits, not below 0",
            Simple::Float => "a float: a number, INF, -INF or NaN",
            Simple::Double => "a double: a number, INF, -INF or NaN",
            Simple::String | Simple::Token => "text",
            Simple::Integer => "an integer",
            Simple::Decimal => "a decimal number",
            Simple::Base64 => "base64",
            Simple::Hex => "hexadecimal digits, two a byte",
        }
    }
}

fn is_integer(name: &[u8]) -> bool {
    let names: [&[u8]; 13] = [
        b"integer",
        b"long",
        b"int",
        b"short",
        b"byte",
        b"nonNegativeInteger",
        b"positiveInteger",
        b"nonPositiveInteger",
        b"negativeInteger",
        b"unsignedLong",
        b"unsignedInt",
        b"unsignedShort",
        b"unsignedByte",
    ];
    names.contains(&name)
}

/// Which type of a [`Schema`]; of use with that schema alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeId(pub(crate) u32);

/// A name with its namespace, which is empty where there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The namespace name (a URI), or nothing. Names that a message has in one namespace share it.
    pub namespace: Arc<str>,
    /// The local part.
    pub local: String,
}

impl Name {
    /// A name of a namespace.
    #[must_use]
    pub fn new(namespace: impl Into<Arc<str>>, local: impl Into<String>) -> Name {
        Name { namespace: namespace.into(), local: local.into() }
    }
}

impl core::fmt::Display for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.namespace.is_empty() {
            return f.write_str(&self.local);
        }
        write!(f, "{{{}}}{}", self.namespace, self.local)
    }
}

/// A type: one of the schema classes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Type {
    /// Text read as one simple type (the paper's `SimpleElement`).
    Simple(Simple),
    /// Text read as the first of several simple types that takes it: a union of XML Schema (the paper's
    /// planned `UnionElement`).
    Union(Vec<Simple>),
    /// Items of one type, side by side in memory (`ArrayElement`): of SOAP's encoding, or, in literal
    /// messages, an element that holds nothing but items.
    Array {
        /// The type of every item.
        item: TypeId,
        /// What an item's element is called; `None` is any name, as in SOAP's encoding (SOAP 1.1
        /// section 5.4.2).
        name: Option<Name>,
    },
    /// Members by name (`ComplexElement`).
    Complex(Complex),
}

/// A compound type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complex {
    /// What `xsi:type` may call it; `None` lets every name pass.
    pub name: Option<Name>,
    /// The members.
    pub members: Vec<Member>,
    /// Whether members come in the order above (`xsd:sequence`, the default of literal messages), or in
    /// any (`xsd:all`, and structs of SOAP's encoding).
    pub ordered: bool,
}

/// How often a member occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occurs {
    /// Once.
    Required,
    /// Once, or not at all.
    Optional,
    /// Any number of times, one after the other: an array.
    Many,
}

/// A member of a compound type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The element's name.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// How often it occurs.
    pub occurs: Occurs,
    /// Whether a value may be `xsi:nil`. In SOAP's encoding it always may.
    pub nillable: bool,
}

impl Member {
    /// A member without a namespace that occurs once.
    #[must_use]
    pub fn new(name: impl Into<String>, ty: TypeId) -> Member {
        Member { name: Name::new("", name), ty, occurs: Occurs::Required, nillable: false }
    }

    /// The same, its element in a namespace.
    #[must_use]
    pub fn qualified(mut self, namespace: impl Into<Arc<str>>) -> Member {
        self.name.namespace = namespace.into();
        self
    }

    /// The same, which may be left out.
    #[must_use]
    pub fn optional(mut self) -> Member {
        self.occurs = Occurs::Optional;
        self
    }

    /// The same, which occurs any number of times.
    #[must_use]
    pub fn many(mut self) -> Member {
        self.occurs = Occurs::Many;
        self
    }

    /// The same, which may be nil.
    #[must_use]
    pub fn nillable(mut self) -> Member {
        self.nillable = true;
        self
    }
}

/// How the content of the body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// SOAP 1.1 section 5: `xsi:type`, arrays with `SOAP-ENC:arrayType`, `href` and `id`, nil anywhere.
    Encoded,
    /// As the schema says, and no more.
    Literal,
}

/// An operation's message (`MethodElement`): the element in the body, and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name of the element in the body.
    pub name: Name,
    /// Its type: for a call of SOAP's section 7 a compound of the parameters.
    pub ty: TypeId,
    /// How it is written.
    pub style: Style,
}

/// The messages of a service.
///
/// ```
/// use lengthwise_dds::{Member, Schema, Simple, Style};
///
/// let mut schema = Schema::new();
/// let double = schema.simple(Simple::Double);
/// let doubles = schema.array(double);
/// let parameters = schema.parameters([Member::new("data", doubles)]);
/// schema.method("urn:example", "sendDoubles", parameters, Style::Encoded);
/// assert_eq!(schema.methods().len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    types: Vec<Type>,
    methods: Vec<Method>,
    /// Which methods are refused, by number.
    refused: Vec<bool>,
}

impl Schema {
    /// A schema of nothing.
    #[must_use]
    pub fn new() -> Schema {
        Schema::default()
    }

    /// A type of its own number.
    pub fn add(&mut self, ty: Type) -> TypeId {
        self.types.push(ty);
        TypeId(self.types.len() as u32 - 1)
    }

    /// A simple type.
    pub fn simple(&mut self, simple: Simple) -> TypeId {
        self.add(Type::Simple(simple))
    }

    /// A union of simple types, tried in this order.
    pub fn union(&mut self, alternatives: impl IntoIterator<Item = Simple>) -> TypeId {
        self.add(Type::Union(alternatives.into_iter().collect()))
    }

    /// An array, whose items may have any name.
    pub fn array(&mut self, item: TypeId) -> TypeId {
        self.add(Type::Array { item, name: None })
    }

    /// A compound whose members come in this order.
    pub fn sequence(&mut self, members: impl IntoIterator<Item = Member>) -> TypeId {
        self.add(Type::Complex(Complex { name: None, members: members.into_iter().collect(), ordered: true }))
    }

    /// A compound whose members come in any order: a struct of SOAP's encoding, the parameters of a call.
    pub fn parameters(&mut self, members: impl IntoIterator<Item = Member>) -> TypeId {
        self.add(Type::Complex(Complex { name: None, members: members.into_iter().collect(), ordered: false }))
    }

    /// A compound of no members whose members are given later with [`Schema::define`]: for types that hold
    /// themselves.
    pub fn declare(&mut self) -> TypeId {
        self.add(Type::Complex(Complex::default()))
    }

    /// Says what a declared type is. A type of another schema is left as it is.
    pub fn define(&mut self, id: TypeId, ty: Type) {
        if let Some(place) = self.types.get_mut(id.0 as usize) {
            *place = ty;
        }
    }

    /// An operation's message; gives its number.
    pub fn method(
        &mut self,
        namespace: impl Into<Arc<str>>,
        name: impl Into<String>,
        ty: TypeId,
        style: Style,
    ) -> usize {
        self.methods.push(Method { name: Name::new(namespace, name), ty, style });
        self.methods.len() - 1
    }

    /// Has messages of a method refused before their content is read, as if there were no such method: those that a service
    /// sends, and does not receive. The numbers of others stay as they are.
    pub fn refuse(&mut self, method: usize) {
        self.refused.resize(self.methods.len().max(self.refused.len()), false);
        if let Some(refused) = self.refused.get_mut(method) {
            *refused = true;
        }
    }

    pub(crate) fn refuses(&self, method: usize) -> bool {
        self.refused.get(method).is_some_and(|&refused| refused)
    }

    /// All messages, by number.
    #[must_use]
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// All types, by number.
    pub(crate) fn types(&self) -> &[Type] {
        &self.types
    }

    /// What a type is. One of another schema is text.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get(id.0 as usize).unwrap_or(&Type::Simple(Simple::String))
    }

    /// The simple types of a compound whose arrays are kept as a column each: every member occurs once
    /// and is simple.
    pub(crate) fn columns(&self, id: TypeId) -> Option<Vec<Simple>> {
        let Type::Complex(complex) = self.get(id) else { return None };
        if complex.members.is_empty() {
            return None;
        }
        let simple = |member: &Member| match self.get(member.ty) {
            Type::Simple(simple) if member.occurs == Occurs::Required => Some(*simple),
            _ => None,
        };
        complex.members.iter().map(simple).collect()
    }
}

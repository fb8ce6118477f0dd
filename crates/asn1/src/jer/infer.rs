//! A type for documents of JSON that come without one.

use foldhash::HashMap;
use tam::json::Value as Json;
use tam::{Document, Error, Node};

use super::FORMAT;
use crate::schema::{
    Assignment, Component, ComponentKind, Fields, Kind, Meaning, Module, Position, Schema, StringKind, Tagging, Type,
};

/// How deep objects and arrays may be in each other.
const DEPTH: usize = 100;

/// The most members of all objects.
const MEMBERS: usize = 1 << 16;

/// What documents of JSON values have in common: their type, inferred from some of them.
///
/// | JSON | type |
/// | --- | --- |
/// | numbers, bytes of PON | INTEGER; REAL if one has a fraction or an exponent |
/// | strings, characters of PON | UTF8String |
/// | booleans, binary data | BOOLEAN, OCTET STRING |
/// | arrays | SEQUENCE OF, whose components may be `null` |
/// | objects | SEQUENCE, its members OPTIONAL, in the order in which they came first |
/// | nothing but `null`, an array that is always empty | UTF8String |
///
/// Of values of several kinds at one place the first decides; the others are not of the type.
///
/// ```
/// use lengthwise_asn1::{Compiled, jer::Inference};
/// use lengthwise_tam::{Builder, Limits, Table, TypeSet};
///
/// # use ::tam as lengthwise_tam;
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut inference = Inference::default();
/// for digits in ["20", "20.5"] {
///     let mut table = Table::new();
///     let mut json = Builder::new(b"", TypeSet::JSON, Limits::default(), &mut table);
///     json.open(b'{', b"")?;
///     json.primitive(b'\'', b"celsius", digits.as_bytes())?;
///     json.close()?;
///     json.finish()?;
///     inference.add(&table.document(b"", TypeSet::JSON))?;
/// }
/// let types = Compiled::new(&inference.schema())?;
/// let celsius = types.member(types.find("Document")?, "celsius").unwrap();
/// assert_eq!(types.kind_name(celsius.node), "REAL");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Inference {
    root: Shape,
    /// The members of all objects.
    members: usize,
}

/// What the values at one place are.
#[derive(Debug, Default)]
enum Shape {
    /// `null` so far.
    #[default]
    Unknown,
    Boolean,
    Integer,
    Real,
    Text,
    Octets,
    Array(Box<Shape>),
    Object(Object),
}

#[derive(Debug, Default)]
struct Object {
    members: Vec<(String, Shape)>,
    places: HashMap<String, usize>,
}

impl Inference {
    /// Looks at one more document.
    ///
    /// # Errors
    /// Kind limit, beyond 100 levels or 65 536 members of all objects; kind unsupported, if the document is one of XML.
    pub fn add(&mut self, document: &Document<'_>) -> Result<(), Error> {
        match document.root() {
            Some(unit) => add(&mut self.root, unit, 0, &mut self.members),
            None => Ok(()),
        }
    }

    /// A module with the type `Document`.
    #[must_use]
    pub fn schema(self) -> Schema {
        documents(self.root.into_type())
    }
}

/// A module whose only type, `Document`, is one that nobody has named.
#[must_use]
pub fn documents(ty: Type) -> Schema {
    let assignment = Assignment {
        name: "Document".to_owned(),
        parameters: Vec::new(),
        meaning: Meaning::Type(ty),
        position: Position::default(),
    };
    let module = Module {
        name: "Documents".to_owned(),
        tagging: Tagging::Automatic,
        assignments: vec![assignment],
        ..Module::default()
    };
    Schema { modules: vec![module], ..Schema::default() }
}

/// Whether a unit is a float by its type, not by its digits.
pub(super) fn is_float(unit: Node<'_>) -> bool {
    unit.document().types().meaning(unit.kind()) == Some(tam::Meaning::Float)
}

/// Recursion is as deep as is allowed here.
fn add(shape: &mut Shape, unit: Node<'_>, depth: usize, count: &mut usize) -> Result<(), Error> {
    if depth > DEPTH {
        return Err(Error::limit(FORMAT, 0, "one more level", "depth", DEPTH as u64));
    }
    let value = Json::new(unit);
    let found = match &value {
        Json::Null => return Ok(()),
        Json::Bool(_) => Shape::Boolean,
        // A float of PON may have no fraction.
        Json::Number(number) if is_float(unit) || number.as_str().contains(['.', 'e', 'E', 'N', 'I']) => Shape::Real,
        Json::Number(_) | Json::Byte(_) => Shape::Integer,
        Json::String(_) | Json::Char(_) => Shape::Text,
        Json::Binary(_) => Shape::Octets,
        Json::Array(_) => Shape::Array(Box::default()),
        Json::Object(_) => Shape::Object(Object::default()),
        _ => {
            return Err(Error::new(tam::ErrorKind::Unsupported, FORMAT, 0, "a unit of XML", "a value of JSON"));
        }
    };
    match (&*shape, found) {
        (Shape::Unknown, found) => *shape = found,
        (Shape::Integer, Shape::Real) => *shape = Shape::Real,
        _ => {}
    }
    match (shape, value) {
        (Shape::Array(item), Json::Array(_)) => {
            unit.children().try_for_each(|child| add(item, child, depth + 1, count))?;
        }
        (Shape::Object(object), Json::Object(_)) => {
            for child in unit.children() {
                let name = child.name().to_text();
                let place = match object.places.get(&*name) {
                    Some(place) => *place,
                    None => {
                        *count += 1;
                        if *count > MEMBERS {
                            return Err(Error::limit(FORMAT, 0, "more members of objects", "members", MEMBERS as u64));
                        }
                        object.places.insert(name.to_string(), object.members.len());
                        object.members.push((name.into_owned(), Shape::default()));
                        object.members.len() - 1
                    }
                };
                if let Some((name, shape)) = object.members.get_mut(place) {
                    add(shape, child, depth + 1, count).map_err(|error| error.in_path(format!("/{name}")))?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

impl Shape {
    fn into_type(self) -> Type {
        Type::new(match self {
            Shape::Unknown | Shape::Text => Kind::String(StringKind::Utf8),
            Shape::Boolean => Kind::Boolean,
            Shape::Integer => Kind::Integer(Vec::new()),
            Shape::Real => Kind::Real,
            Shape::Octets => Kind::OctetString,
            Shape::Array(item) => Kind::SequenceOf(Box::new(Component {
                kind: ComponentKind::Optional,
                ..Component::new("", item.into_type())
            })),
            Shape::Object(object) => {
                let members = object.members.into_iter().map(|(name, shape)| Component {
                    kind: ComponentKind::Optional,
                    ..Component::new(name, shape.into_type())
                });
                Kind::Sequence(Fields { root: members.collect(), ..Fields::default() })
            }
        })
    }
}

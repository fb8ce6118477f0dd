//! A schema as the fast way wants it: namespaces by number, types that arrays keep as columns found once.

use xml::namespaces::XML;

use crate::schema::{Name, Occurs, Schema, Simple, Style, Type, TypeId};
use crate::soap::envelope::{ENCODING, SOAP_11, SOAP_12, XSD, XSI};
use crate::values::Value;
use crate::values::lexical;

/// The number of a namespace that every schema knows, or that this one names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Uri(u32);

impl Uri {
    pub(crate) const NONE: Uri = Uri(0);
    pub(crate) const SOAP_11: Uri = Uri(1);
    pub(crate) const SOAP_12: Uri = Uri(2);
    pub(crate) const ENCODING: Uri = Uri(3);
    pub(crate) const XSD: Uri = Uri(4);
    pub(crate) const XSI: Uri = Uri(5);
    pub(crate) const XML: Uri = Uri(6);
    /// Any other.
    pub(crate) const OTHER: Uri = Uri(u32::MAX);
}

/// A name with its namespace's number.
#[derive(Clone, Debug)]
pub(crate) struct CompiledName {
    pub(crate) uri: Uri,
    pub(crate) local: Box<[u8]>,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledMember {
    pub(crate) name: CompiledName,
    pub(crate) ty: TypeId,
    pub(crate) occurs: Occurs,
    pub(crate) nillable: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum CompiledType {
    Simple(Simple),
    Union(Box<[Simple]>),
    Array {
        item: TypeId,
        name: Option<CompiledName>,
    },
    /// `distinct`: no two members have the same name.
    Complex {
        name: Option<CompiledName>,
        members: Box<[CompiledMember]>,
        ordered: bool,
        distinct: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledMethod {
    pub(crate) name: CompiledName,
    pub(crate) ty: TypeId,
    pub(crate) encoded: bool,
}

/// A schema, ready to be read by.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) schema: Schema,
    uris: Vec<Box<[u8]>>,
    types: Vec<CompiledType>,
    pub(crate) methods: Vec<CompiledMethod>,
}

impl Compiled {
    pub(crate) fn new(schema: Schema) -> Compiled {
        let known = ["", SOAP_11, SOAP_12, ENCODING, XSD, XSI, XML];
        let mut uris: Vec<Box<[u8]>> = known.iter().map(|uri| uri.as_bytes().into()).collect();
        let mut name = |name: &Name| {
            let number = uris.iter().position(|uri| **uri == *name.namespace.as_bytes()).unwrap_or_else(|| {
                uris.push(name.namespace.as_bytes().into());
                uris.len() - 1
            });
            CompiledName { uri: Uri(number as u32), local: name.local.as_bytes().into() }
        };
        let mut types = Vec::new();
        for ty in schema.types() {
            types.push(match ty {
                Type::Simple(simple) => CompiledType::Simple(*simple),
                Type::Union(alternatives) => CompiledType::Union(alternatives.as_slice().into()),
                Type::Array { item, name: item_name } => {
                    CompiledType::Array { item: *item, name: item_name.as_ref().map(&mut name) }
                }
                Type::Complex(complex) => CompiledType::Complex {
                    name: complex.name.as_ref().map(&mut name),
                    members: (complex.members.iter())
                        .map(|member| CompiledMember {
                            name: name(&member.name),
                            ty: member.ty,
                            occurs: member.occurs,
                            nillable: member.nillable,
                        })
                        .collect(),
                    ordered: complex.ordered,
                    distinct: {
                        let mut names: Vec<_> = complex.members.iter().map(|member| &member.name).collect();
                        names.sort_by_key(|name| (&name.namespace, &name.local));
                        names.windows(2).all(|pair| pair[0] != pair[1])
                    },
                },
            });
        }
        let method = |method: &crate::schema::Method| CompiledMethod {
            name: name(&method.name),
            ty: method.ty,
            encoded: method.style == Style::Encoded,
        };
        let methods = schema.methods().iter().map(method).collect();
        Compiled { schema, uris, types, methods }
    }

    /// The number of a namespace by its name.
    pub(crate) fn uri(&self, name: &[u8]) -> Uri {
        self.uris.iter().position(|uri| **uri == *name).map_or(Uri::OTHER, |number| Uri(number as u32))
    }

    /// What a type is; of another schema's, text.
    pub(crate) fn get(&self, id: TypeId) -> &CompiledType {
        self.types.get(id.0 as usize).unwrap_or(&CompiledType::Simple(Simple::String))
    }

    /// The value of a text, `None` if the type has no such value, or is not of text.
    pub(crate) fn value(&self, id: TypeId, text: &str) -> Option<Value> {
        match self.get(id) {
            CompiledType::Simple(simple) => lexical::value(*simple, text),
            CompiledType::Union(alternatives) => {
                let value =
                    |(n, simple): (usize, &Simple)| Some(Value::Union(n, lexical::value(*simple, text)?.into()));
                alternatives.iter().enumerate().find_map(value)
            }
            _ => None,
        }
    }

    /// The members of a compound; none of another type.
    pub(crate) fn members(&self, id: TypeId) -> &[CompiledMember] {
        match self.get(id) {
            CompiledType::Complex { members, .. } => members,
            _ => &[],
        }
    }

    /// The type of the items of an array.
    pub(crate) fn item(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            CompiledType::Array { item, .. } => *item,
            _ => id,
        }
    }
}

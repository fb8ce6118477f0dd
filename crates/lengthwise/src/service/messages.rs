//! Messages of a description as methods.

use std::collections::{HashMap, HashSet};

use dds::{Complex, Member, Name, Style};
use tam::{Error, ErrorKind};
use xsd::wsdl::{self, BodyUse, Bound, Carried, Description, Message, PartType, SoapVersion, Use};
use xsd::{ENCODING_NAMESPACE, ElementId, Schema};

use super::types::Types;

/// What a method was made of; two that are equal are one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// An element of the schema.
    Element(ElementId),
    /// The parts of a message.
    Parts { message: usize, parts: Option<Vec<usize>>, headers: Vec<usize>, style: Style },
}

/// Messages while they become methods.
pub(super) struct Messages<'d> {
    description: &'d Description,
    types: Types<'d>,
    known: HashMap<Name, (Origin, usize)>,
}

impl<'d> Messages<'d> {
    pub(super) fn new(description: &'d Description, options: &xsd::Options) -> Messages<'d> {
        Messages { description, types: Types::new(&description.schema, options), known: HashMap::new() }
    }

    pub(super) fn description(&self) -> &'d Description {
        self.description
    }

    pub(super) fn into_schema(self) -> dds::Schema {
        self.types.into_schema()
    }

    /// The number of the method that a message of an operation is.
    pub(super) fn method(
        &mut self,
        binding: &wsdl::Binding,
        bound: &Bound,
        carried: &Carried,
        body: Option<&BodyUse>,
        response: bool,
    ) -> Result<usize, Error> {
        let description = self.description;
        let refuse = |place: wsdl::Place, found: String, expected: &'static str| {
            description.error(ErrorKind::Unsupported, place, found, expected)
        };
        let Some(body) = body else {
            return Err(refuse(bound.place, "a message without soap:body".to_owned(), "soap:body in the binding"));
        };
        let style = match body.style {
            Use::Literal => Style::Literal,
            Use::Encoded => Style::Encoded,
        };
        if style == Style::Encoded {
            let is_soap12 = binding.soap.as_ref().is_some_and(|soap| soap.version == SoapVersion::Soap12);
            let other = !body.encoding.is_empty() && !body.encoding.split_whitespace().any(is_encoding);
            if is_soap12 || other || bound.style == wsdl::Style::Document {
                let (found, expected) = match (is_soap12, other) {
                    (true, _) => ("an encoded message of SOAP 1.2".to_owned(), "a literal one"),
                    (_, true) => (format!("the encoding '{}'", body.encoding), "that of SOAP 1.1"),
                    _ => ("an encoded message of the style document".to_owned(), "a literal one, or the style rpc"),
                };
                return Err(refuse(body.place, found, expected));
            }
        }
        let message = &description.messages[carried.message];
        let operation = &description.port_types[binding.port_type].operations[bound.operation].name;
        let (name, origin) = match bound.style {
            wsdl::Style::Rpc => {
                // The response is called so by convention (SOAP 1.1 section 7.1).
                let local = if response { format!("{operation}Response") } else { operation.clone() };
                let (parts, headers) = (body.parts.clone(), body.headers.clone());
                let origin = Origin::Parts { message: carried.message, parts, headers, style };
                (Name::new(body.namespace.as_str(), local), origin)
            }
            wsdl::Style::Document => {
                let element = self.element(message, body)?;
                (self.types.name(self.types.schema.elements[element].name), Origin::Element(element))
            }
        };
        if let Some((other, method)) = self.known.get(&name) {
            if *other == origin {
                return Ok(*method);
            }
            let found = format!("the element '{name}' with other contents than it has in another message");
            return Err(refuse(bound.place, found, "an element in the body that identifies the message"));
        }
        let ty = match &origin {
            Origin::Element(element) => self.types.element(*element)?,
            Origin::Parts { .. } => self.parts(message, body, style)?,
        };
        let method = self.types.method(&name, ty, style);
        self.known.insert(name, (origin, method));
        Ok(method)
    }

    /// The element that a message of the style document has in its body.
    fn element(&self, message: &Message, body: &BodyUse) -> Result<ElementId, Error> {
        let mut parts = in_body(message, body);
        let part = match (parts.next(), parts.next()) {
            (Some(part), None) => part,
            (None, _) => return Err(self.refuse(body.place, "a body without a part", "one part, of an element")),
            _ => return Err(self.refuse(body.place, "a body of several parts", "one part, of an element")),
        };
        match part.ty {
            PartType::Element(element) => Ok(element),
            PartType::Type(_) => {
                let found = format!("the part '{}' of a type, in a message of the style document", part.name);
                Err(self.refuse(part.place, found, "a part of an element"))
            }
        }
    }

    /// The compound that a call or its result is: a member for each part.
    fn parts(&mut self, message: &Message, body: &BodyUse, style: Style) -> Result<dds::TypeId, Error> {
        let mut members = Vec::new();
        let mut types = Vec::new();
        for part in in_body(message, body) {
            match part.ty {
                PartType::Type(xsd::TypeId::Complex(Schema::ANY_TYPE)) => {
                    let found = format!("the part '{}' of xs:anyType", part.name);
                    return Err(self.refuse(part.place, found, "a type whose values are known"));
                }
                PartType::Type(ty) => types.push((part.name.as_str(), ty)),
                PartType::Element(_) => {
                    let found = format!("the part '{}' of an element, in a message of the style rpc", part.name);
                    return Err(self.refuse(part.place, found, "a part of a type"));
                }
            }
        }
        let ids = self.types.all(types.iter().map(|(_, ty)| *ty), style)?;
        for ((name, _), ty) in types.into_iter().zip(ids) {
            members.push(Member::new(name, ty));
        }
        Ok(self.types.add(Complex { name: None, members, ordered: style == Style::Literal }))
    }

    fn refuse(&self, place: wsdl::Place, found: impl Into<tam::Words>, expected: &'static str) -> Error {
        self.description.error(ErrorKind::Unsupported, place, found, expected)
    }
}

/// The parts of a message that are in the body.
fn in_body<'m>(message: &'m Message, body: &'m BodyUse) -> impl Iterator<Item = &'m wsdl::Part> {
    let headers: HashSet<usize> = body.headers.iter().copied().collect();
    let all = body.parts.is_none().then_some(0..message.parts.len());
    let all = all.into_iter().flatten().filter(move |part| !headers.contains(part));
    let body_parts = body.parts.iter().flatten().copied();
    all.chain(body_parts).filter_map(|part| message.parts.get(part))
}

fn is_encoding(uri: &str) -> bool {
    uri == ENCODING_NAMESPACE
}

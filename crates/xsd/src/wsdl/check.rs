//! Validates SOAP messages against the schemas of a description.
//!
//! The envelope is assessed laxly (XML Schema Part 1 section 5.2): every element with a declaration is validated, wherever
//! it is. These are the elements of literal bodies, header blocks and the details of faults. In a literal body of style
//! rpc, the element of the operation has no declaration, and the message defines the types of its parts (WSDL sections 3.5
//! and 2.3.1). Bodies in SOAP's encoding are instances of the schema that [`Description::encode`] makes, and are not
//! validated here.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tam::{Error, ErrorKind};

use super::encoded::Encoder;
use super::model::{Binding, BodyUse, Bound, Carried, Description, LeftOut, Part, PartType, SoapVersion, Style, Use};
use crate::{ENCODING_NAMESPACE, ElementId, Event, Name, Names, Options, Position, Schema, TypeId, Validator};

/// What is expected in a body.
const MESSAGE: &str = "a message of the service";

/// What is expected where a message has a DOCTYPE or an instruction (SOAP 1.1 section 3, SOAP 1.2 part 1 section 5).
const NO_OTHERS: &str = "none: SOAP forbids it";

pub(crate) const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
pub(crate) const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// How much of a message was validated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Held {
    /// The whole message.
    Whole,
    /// A fault with its details.
    Fault,
    /// Everything but the body, for this reason.
    NotBody(&'static str),
}

/// The bodies of a description's messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    /// The bodies by the name of their first element.
    pub(super) known: HashMap<Name, Body>,
    /// The elements in bodies that have no declaration.
    undeclared: Arc<HashSet<Name>>,
    /// Whether there are messages with an empty body.
    pub(super) may_be_empty: bool,
    /// The messages, in the order of the description: the names of their first elements.
    order: Vec<(Name, Way)>,
    /// Messages that have no schema.
    pub(super) left_out: Vec<LeftOut>,
    /// The names of SOAP 1.1 and 1.2.
    names: Option<[Soap; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct Soap {
    envelope: Name,
    header: Name,
    body: Name,
    fault: Name,
}

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) content: Content,
    /// Whether it is in bindings of SOAP 1.1, and of SOAP 1.2.
    pub(super) versions: [bool; 2],
    /// Whether it is in the schema of the envelopes.
    pub(super) has_schema: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// These elements, one after the other.
    Elements(Vec<ElementId>),
    /// An element of the operation with an element for each part.
    Parts(Vec<(Name, TypeId)>),
    /// The same, in SOAP's encoding.
    Encoded(Vec<(Name, TypeId)>),
    /// Content that cannot be validated, and why.
    Unchecked(&'static str),
}

/// A message of an operation.
#[derive(Clone, Debug)]
struct Way {
    operation: String,
    is_response: bool,
    /// Indices of the binding, and of the operation in it.
    bound: (usize, usize),
}

impl Way {
    fn left_out(&self, error: Error) -> LeftOut {
        LeftOut { operation: self.operation.clone(), is_response: self.is_response, error }
    }
}

impl Bodies {
    pub(super) fn new(description: &Description, names: &mut Names) -> Bodies {
        let mut bodies =
            Bodies { names: Some([SOAP_11, SOAP_12].map(|uri| Soap::new(names, uri))), ..Bodies::default() };
        for (number, binding) in description.bindings.iter().enumerate() {
            if binding.soap.is_none() || !binding.required.is_empty() {
                continue;
            }
            for (of_binding, bound) in binding.operations.iter().enumerate() {
                let operation = &description.port_types[binding.port_type].operations[bound.operation];
                let ways = [(&operation.input, &bound.input), (&operation.output, &bound.output)];
                for ((carried, body), is_response) in ways.into_iter().zip([false, true]) {
                    let Some(carried) = carried else { continue };
                    let way = Way { operation: operation.name.clone(), is_response, bound: (number, of_binding) };
                    let added = bodies.add(description, names, (binding, bound), carried, body.as_ref(), &way);
                    match added {
                        Ok(Some(name)) => bodies.order.push((name, way)),
                        Ok(None) => {}
                        Err(error) => bodies.left_out.push(way.left_out(error)),
                    }
                }
            }
        }
        bodies.leave_out_ambiguous(description, names);
        let parts = |(name, body): (&Name, &Body)| (!matches!(body.content, Content::Elements(_))).then_some(*name);
        bodies.undeclared = Arc::new(bodies.known.iter().filter_map(parts).collect());
        bodies
    }

    /// Adds a message. Returns the name of its first element, if it has any.
    fn add(
        &mut self,
        description: &Description,
        names: &mut Names,
        (binding, bound): (&Binding, &Bound),
        carried: &Carried,
        body: Option<&BodyUse>,
        way: &Way,
    ) -> Result<Option<Name>, Error> {
        let refuse = |place, found: String, expected: &'static str| {
            Err(description.error(ErrorKind::Unsupported, place, found, expected))
        };
        let Some(body) = body else {
            return refuse(bound.place, "a message without soap:body".to_owned(), "soap:body in the binding");
        };
        let is_12 = binding.soap.as_ref().is_some_and(|soap| soap.version == SoapVersion::Soap12);
        let is_other =
            !body.encoding.is_empty() && !body.encoding.split_whitespace().any(|uri| uri == ENCODING_NAMESPACE);
        let parts = description.in_body(carried, body);
        let (name, content) = match (body.style, bound.style) {
            (Use::Encoded, _) if is_12 => {
                return refuse(body.place, "an encoded message of SOAP 1.2".to_owned(), "a literal one");
            }
            (Use::Encoded, _) if is_other => {
                return refuse(body.place, format!("the encoding '{}'", body.encoding), "that of SOAP 1.1");
            }
            (Use::Encoded, Style::Document) => {
                let found = "an encoded message of the style document".to_owned();
                return refuse(body.place, found, "a literal one, or the style rpc");
            }
            (style, Style::Rpc) => {
                let mut types = Vec::with_capacity(parts.len());
                for Part { name, ty, place } in parts {
                    match ty {
                        PartType::Type(TypeId::Complex(Schema::ANY_TYPE)) if style == Use::Encoded => {
                            let found = format!("the part '{name}' of xs:anyType");
                            return refuse(*place, found, "a type whose values are known");
                        }
                        PartType::Type(ty) => types.push((names.intern("", name), *ty)),
                        PartType::Element(_) => {
                            let found = format!("the part '{name}' of an element, in a message of the style rpc");
                            return refuse(*place, found, "a part of a type");
                        }
                    }
                }
                // The response is called so by convention (SOAP 1.1 section 7.1).
                let local = if way.is_response { format!("{}Response", way.operation) } else { way.operation.clone() };
                let content = if style == Use::Encoded { Content::Encoded(types) } else { Content::Parts(types) };
                (names.intern(&body.namespace, &local), content)
            }
            (Use::Literal, Style::Document) => {
                let mut elements = Vec::with_capacity(parts.len());
                for Part { name, ty, place } in parts {
                    let PartType::Element(element) = ty else {
                        let found = format!("the part '{name}' of a type, in a message of the style document");
                        return refuse(*place, found, "a part of an element");
                    };
                    elements.push(*element);
                }
                let Some(first) = elements.first() else {
                    self.may_be_empty = true;
                    return Ok(None);
                };
                (description.schema.elements[*first].name, Content::Elements(elements))
            }
        };
        let known = self.known.entry(name).or_insert_with(|| Body {
            content: content.clone(),
            versions: [false; 2],
            has_schema: true,
        });
        known.versions[usize::from(is_12)] = true;
        if known.content != content {
            known.content = Content::Unchecked("several messages of one name");
            return Err(ambiguous(description, names, bound, name));
        }
        if bound.style == Style::Rpc && description.schema.element_names.contains_key(&name) {
            known.has_schema = false;
            let found = format!("the element '{}', which a schema declares", names.shown(name));
            return refuse(bound.place, found, "an operation whose name is that of no element");
        }
        Ok(Some(name))
    }

    /// Leaves out the messages whose element has other contents in a later message.
    fn leave_out_ambiguous(&mut self, description: &Description, names: &Names) {
        let Bodies { known, order, left_out, .. } = self;
        order.retain(|(name, way)| {
            let is_checked = !matches!(known.get(name), Some(Body { content: Content::Unchecked(_), .. }));
            if !is_checked {
                let bound = &description.bindings[way.bound.0].operations[way.bound.1];
                left_out.push(way.left_out(ambiguous(description, names, bound, *name)));
            }
            is_checked
        });
    }

    /// The messages that have a schema: indices of the binding and of its operation, whether it is the response, and the name
    /// of its first element.
    pub(super) fn elements(&self) -> Vec<((usize, usize), bool, Name)> {
        let has_schema = |name| {
            let body: Option<&Body> = self.known.get(name);
            body.is_some_and(|body| body.has_schema && !matches!(body.content, Content::Unchecked(_)))
        };
        let all = self.order.iter().filter(|(name, _)| has_schema(name));
        all.map(|(name, way)| (way.bound, way.is_response, *name)).collect()
    }

    /// Leaves out the encoded messages with types that have no encoded values.
    pub(super) fn check_encoded(&mut self, schema: &Schema, limit: u32) {
        let mut encoder = Encoder::new(schema, limit);
        for (name, way) in &self.order {
            let Some(body) = self.known.get_mut(name) else { continue };
            let Content::Encoded(parts) = &body.content else { continue };
            if let Err(error) = encoder.message(Position::BUILT_IN, parts.iter().copied()) {
                body.content = Content::Unchecked("SOAP's encoding");
                self.left_out.push(way.left_out(error));
            }
        }
    }
}

fn ambiguous(description: &Description, names: &Names, bound: &Bound, name: Name) -> Error {
    let found = format!("the element '{}' with other contents than it has in another message", names.shown(name));
    let expected = "an element in the body that identifies the message";
    description.error(ErrorKind::Unsupported, bound.place, found, expected)
}

impl Soap {
    fn new(names: &mut Names, uri: &str) -> Soap {
        let mut name = |local| names.intern(uri, local);
        Soap { envelope: name("Envelope"), header: name("Header"), body: name("Body"), fault: name("Fault") }
    }
}

impl Description {
    /// The messages of SOAP that [`Description::envelopes`] has no schema for.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.bodies.left_out
    }

    /// Whether there are messages that [`Description::check`] can validate.
    #[must_use]
    pub fn has_messages(&self) -> bool {
        self.bodies.may_be_empty || !self.bodies.known.is_empty()
    }

    /// Validates a SOAP message: a literal body by the elements or types of its parts, and declared elements in header
    /// blocks and details of faults. The result says how much was validated: a body in SOAP's encoding is not.
    ///
    /// # Errors
    /// When it is not a message of a SOAP binding, or is invalid (kind schema); those of
    /// [`Schema::validate`](crate::Schema::validate).
    pub fn check(&self, xml: &[u8], options: &Options) -> Result<Held, Error> {
        let (schema, bodies) = (&self.schema, &self.bodies);
        let mut validator = Validator::new(schema, xml, options)?;
        validator.assess_laxly(bodies.undeclared.clone());
        validator.refuse_others(NO_OTHERS);
        let Some(soap) = bodies.names else { return Ok(Held::NotBody("the description has no binding of SOAP")) };
        let shown = |name: Name| match name {
            Name::UNKNOWN => "an element that is not declared".to_owned(),
            name => format!("<{}>", schema.names.local(name)),
        };
        let wrong = |validator: &Validator<'_, '_>, found: Name, expected: String| {
            Err(validator.error(ErrorKind::Schema, shown(found), expected))
        };
        let (mut depth, mut version, mut held) = (0, 0, None);
        let (mut has_header, mut has_body, mut is_in_body) = (false, false, false);
        // The level of the elements that must come next, and these elements in reverse order.
        let (mut level, mut rest): (usize, Vec<(Name, Option<TypeId>)>) = (3, Vec::new());
        loop {
            let name = match validator.next_event()? {
                None => return Ok(held.unwrap_or(Held::Whole)),
                Some(Event::Start(start)) => start.name,
                Some(Event::End(_)) => {
                    depth -= 1;
                    if let Some((next, _)) = rest.last().filter(|_| is_in_body && depth + 2 == level) {
                        return Err(validator.error(ErrorKind::Schema, "the end of the element", shown(*next)));
                    }
                    if depth == 1 && is_in_body && held.is_none() && !bodies.may_be_empty {
                        return Err(validator.error(ErrorKind::Schema, "an empty body", MESSAGE));
                    }
                    is_in_body &= depth > 1;
                    continue;
                }
                Some(_) => continue,
            };
            depth += 1;
            match depth {
                1 => match soap.iter().position(|soap| soap.envelope == name) {
                    Some(found) => version = found,
                    None => return wrong(&validator, name, "<Envelope> of SOAP 1.1 or 1.2".to_owned()),
                },
                2 if name == soap[version].header && !has_header && !has_body => has_header = true,
                2 if name == soap[version].body && !has_body => (has_body, is_in_body) = (true, true),
                2 => return wrong(&validator, name, "<Body>".to_owned()),
                3 if is_in_body && held.is_none() => {
                    if name == soap[version].fault {
                        held = Some(Held::Fault);
                        continue;
                    }
                    let Some(known) = bodies.known.get(&name) else {
                        return wrong(&validator, name, MESSAGE.to_owned());
                    };
                    if !known.versions[version] {
                        let other = ["SOAP 1.2", "SOAP 1.1"][version];
                        return wrong(&validator, name, format!("that message in {other}, as its binding says"));
                    }
                    (level, rest) = match &known.content {
                        Content::Encoded(_) => return Ok(Held::NotBody("SOAP's encoding")),
                        Content::Unchecked(why) => return Ok(Held::NotBody(why)),
                        Content::Parts(parts) => (4, parts.iter().map(|(name, ty)| (*name, Some(*ty))).rev().collect()),
                        Content::Elements(all) => {
                            (3, all[1..].iter().map(|one| (schema.elements[*one].name, None)).rev().collect())
                        }
                    };
                    held = Some(Held::Whole);
                    validator.expect_part(rest.last().filter(|_| level == 4).copied());
                }
                3 | 4 if is_in_body && held == Some(Held::Whole) && (depth == level || depth == 3) => {
                    match rest.pop().filter(|_| depth == level) {
                        Some((next, _)) if next == name => {
                            validator.expect_part(rest.last().filter(|_| level == 4).copied());
                        }
                        Some((next, _)) => return wrong(&validator, name, shown(next)),
                        None => return wrong(&validator, name, "the end of the element".to_owned()),
                    }
                }
                _ => {}
            }
        }
    }
}

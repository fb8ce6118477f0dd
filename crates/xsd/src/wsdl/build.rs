//! Builds the components of a description and resolves their references.

use std::collections::{HashMap, HashSet};

use tam::Error;

use super::check::Bodies;
use super::documents::{Documents, NodeRef};
use super::model::{Binding, Carried, Description, Fault, Message, Operation, Part, PartType, Port, PortType, Service};
use super::soap;
use crate::build::reference::in_namespace;
use crate::{Name, NamespaceId, Schema, WSDL_NAMESPACE};

/// The indices of the components of one kind, by their names.
type Known = HashMap<Name, usize>;

struct Builder<'d> {
    documents: &'d Documents,
    schema: Schema,
    /// The namespaces of imports without a document, and why there is none.
    missing: &'d [(NamespaceId, String)],
    messages: Vec<Message>,
    port_types: Vec<PortType>,
    bindings: Vec<Binding>,
}

/// Builds the description of some documents, whose encoded messages may have so many members.
pub(super) fn build(
    documents: &Documents,
    schema: Schema,
    missing: &[(NamespaceId, String)],
    limit: u32,
) -> Result<Description, Error> {
    let (messages, port_types, bindings) = (Vec::new(), Vec::new(), Vec::new());
    let mut builder = Builder { documents, schema, missing, messages, port_types, bindings };
    let (places, messages) = builder.register("message")?;
    for (name, at) in places {
        let message = builder.message(name, at)?;
        builder.messages.push(message);
    }
    let (places, port_types) = builder.register("portType")?;
    for (name, at) in places {
        let port_type = builder.port_type(name, at, &messages)?;
        builder.port_types.push(port_type);
    }
    let (places, bindings) = builder.register("binding")?;
    for (name, at) in places {
        let binding = builder.binding(name, at, &messages, &port_types)?;
        builder.bindings.push(binding);
    }
    let (places, _) = builder.register("service")?;
    let services =
        places.into_iter().map(|(name, at)| builder.service(name, at, &bindings)).collect::<Result<_, _>>()?;
    let Builder { schema, messages, port_types, bindings, .. } = builder;
    let documents = documents.all.iter().map(|document| document.location.clone()).collect();
    let bodies = Bodies::default();
    let mut description = Description { schema, documents, messages, port_types, bindings, services, bodies };
    let mut names = std::mem::take(&mut description.schema.names);
    description.bodies = Bodies::new(&description, &mut names);
    description.schema.names = names;
    description.bodies.check_encoded(&description.schema, limit);
    for ((binding, operation), is_response, element) in description.bodies.elements() {
        let bound = &mut description.bindings[binding].operations[operation];
        let body = if is_response { &mut bound.output } else { &mut bound.input };
        body.iter_mut().for_each(|body| body.element = Some(element));
    }
    Ok(description)
}

impl Builder<'_> {
    /// The components of a kind: their names and nodes, and their indices by name.
    fn register(&mut self, kind: &str) -> Result<(Vec<(Name, NodeRef)>, Known), Error> {
        let (mut places, mut known) = (Vec::new(), Known::new());
        for document in 0..self.documents.all.len() {
            for at in self.documents.children(NodeRef { document, node: 0 }, &self.schema.names, kind) {
                let local = self.required(at, kind, "name")?.to_owned();
                let name = self.schema.names.intern(&self.documents.all[document].target, &local);
                if known.insert(name, places.len()).is_some() {
                    let found = format!("<{kind}> of the name '{local}' a second time");
                    return Err(self.documents.fault(at, found, "each name once"));
                }
                places.push((name, at));
            }
        }
        Ok((places, known))
    }

    fn attribute(&self, at: NodeRef, local: &str) -> Option<&str> {
        self.documents.attribute(at, &self.schema.names, local)
    }

    fn required(&self, at: NodeRef, element: &str, local: &str) -> Result<&str, Error> {
        self.attribute(at, local).filter(|value| !value.is_empty()).ok_or_else(|| {
            self.documents.fault(at, format!("<{element}> without {local}"), format!("the attribute {local}"))
        })
    }

    fn children(&self, at: NodeRef, local: &str) -> Vec<NodeRef> {
        self.documents.children(at, &self.schema.names, local)
    }

    /// The namespace and local part of a reference.
    fn reference<'t>(&self, at: NodeRef, text: &'t str) -> Result<(NamespaceId, &'t str), Error> {
        let unbound = || self.documents.fault(at, format!("the prefix of '{text}'"), "a declared prefix");
        self.documents.qname(at, text).ok_or_else(unbound)
    }

    /// The component that an attribute refers to. A name without a prefix may also be in the document's target namespace,
    /// because descriptions often use it like that.
    fn find(&self, at: NodeRef, element: &str, attribute: &str, kind: &str, known: &Known) -> Result<usize, Error> {
        let text = self.required(at, element, attribute)?;
        let (namespace, local) = self.reference(at, text)?;
        let names = &self.schema.names;
        let target = &self.documents.all[at.document].target;
        let own = if text.contains(':') { None } else { names.find(target, local) };
        let found = names.find_in(namespace, local).and_then(|name| known.get(&name));
        found.or_else(|| known.get(&own?)).copied().ok_or_else(|| {
            let of = in_namespace(names.uri(namespace));
            self.documents.fault(at, format!("unknown {kind} '{text}': no document defines it {of}"), "")
        })
    }

    fn message(&self, name: Name, at: NodeRef) -> Result<Message, Error> {
        let (mut parts, mut numbers) = (Vec::new(), HashMap::new());
        for at in self.children(at, "part") {
            let own = self.required(at, "part", "name")?.to_owned();
            if numbers.insert(own.clone(), parts.len()).is_some() {
                return Err(self.documents.fault(at, format!("the part '{own}' a second time"), "each name once"));
            }
            let ty = self.part(at)?;
            parts.push(Part { name: own, ty, place: self.documents.place(at) });
        }
        Ok(Message { name, parts, place: self.documents.place(at), numbers })
    }

    fn part(&self, at: NodeRef) -> Result<PartType, Error> {
        let names = &self.schema.names;
        let absent = |kind: &str, text: &str, namespace: NamespaceId| {
            let why = match self.missing.iter().find(|(of, _)| *of == namespace) {
                Some((_, why)) => format!("the import of its namespace has no document: {why}"),
                None => format!("no schema defines it {}", in_namespace(names.uri(namespace))),
            };
            self.documents.fault(at, format!("unknown {kind} '{text}': {why}"), "")
        };
        match (self.attribute(at, "element"), self.attribute(at, "type")) {
            (Some(element), None) => {
                let (namespace, local) = self.reference(at, element)?;
                let found = self.schema.find_element(names.uri(namespace), local);
                found.map(PartType::Element).ok_or_else(|| absent("element", element, namespace))
            }
            (None, Some(ty)) => {
                let (namespace, local) = self.reference(at, ty)?;
                let found = self.schema.find_type(names.uri(namespace), local);
                found.map(PartType::Type).ok_or_else(|| absent("type", ty, namespace))
            }
            (both, _) => {
                let found =
                    if both.is_some() { "<part> of an element and a type" } else { "<part> without element or type" };
                Err(self.documents.fault(at, found, "the attribute element, or the attribute type"))
            }
        }
    }

    fn port_type(&self, name: Name, at: NodeRef, messages: &Known) -> Result<PortType, Error> {
        let (mut operations, mut known) = (Vec::new(), HashSet::new());
        for at in self.children(at, "operation") {
            let own = self.required(at, "operation", "name")?.to_owned();
            if !known.insert(own.clone()) {
                let found = format!("the operation '{own}' a second time");
                return Err(self.documents.fault(at, found, "operations of different names"));
            }
            let carried = |local: &str| {
                let at = self.children(at, local).first().copied();
                let message = |at: NodeRef| {
                    let message = self.find(at, local, "message", "message", messages)?;
                    Ok::<_, Error>(Carried { message, place: self.documents.place(at) })
                };
                at.map(message).transpose()
            };
            let fault = |at: NodeRef| {
                let name = self.required(at, "fault", "name")?.to_owned();
                let message = self.find(at, "fault", "message", "message", messages)?;
                Ok(Fault { name, message, place: self.documents.place(at) })
            };
            let faults = self.children(at, "fault").into_iter().map(fault).collect::<Result<_, Error>>()?;
            let (input, output) = (carried("input")?, carried("output")?);
            operations.push(Operation { name: own, input, output, faults, place: self.documents.place(at) });
        }
        Ok(PortType { name, operations, place: self.documents.place(at) })
    }

    fn binding(&self, name: Name, at: NodeRef, messages: &Known, port_types: &Known) -> Result<Binding, Error> {
        let port_type = self.find(at, "binding", "type", "portType", port_types)?;
        let required = self.extensions_required(at);
        let place = self.documents.place(at);
        let Some(soap) = soap::Binding::read(self.documents, &self.schema.names, at)? else {
            return Ok(Binding { name, port_type, soap: None, required, operations: Vec::new(), place });
        };
        let all = &self.port_types[port_type].operations;
        let numbers: HashMap<&str, usize> =
            all.iter().enumerate().map(|(number, operation)| (operation.name.as_str(), number)).collect();
        let find = |at: NodeRef| self.find(at, "soap:header", "message", "message", messages);
        let messages = soap::Messages { all: &self.messages, find: &find };
        let (mut operations, mut known) = (Vec::new(), HashSet::new());
        for at in self.children(at, "operation") {
            let own = self.required(at, "operation", "name")?;
            let Some(&number) = numbers.get(own) else {
                return Err(self.documents.fault(at, format!("unknown operation '{own}': not in the portType"), ""));
            };
            if !known.insert(number) {
                let found = format!("the operation '{own}' a second time");
                return Err(self.documents.fault(at, found, "operations of different names"));
            }
            let message = |carried: &Option<Carried>| carried.as_ref().map(|carried| carried.message);
            let carried = (message(&all[number].input), message(&all[number].output));
            operations.push(soap.operation(at, number, carried, &messages)?);
        }
        Ok(Binding { name, port_type, soap: Some(soap.soap), required, operations, place })
    }

    /// Required extensions of a binding that this reader does not understand (section 2.1.3).
    fn extensions_required(&self, at: NodeRef) -> Vec<(Name, super::Place)> {
        let (names, tree) = (&self.schema.names, &self.documents.all[at.document].tree);
        let is_required = |node: &u32| {
            let required = tree.attribute(*node, names, WSDL_NAMESPACE, "required");
            let name = tree.nodes[*node as usize].name;
            required.and_then(xml::number::boolean) == Some(true) && !soap::is_understood(names, name)
        };
        let own = tree.children(at.node).filter(is_required);
        own.map(|node| (tree.nodes[node as usize].name, self.documents.place(NodeRef { node, ..at }))).collect()
    }

    fn service(&self, name: Name, at: NodeRef, bindings: &Known) -> Result<Service, Error> {
        let port = |at: NodeRef| {
            let name = self.required(at, "port", "name")?.to_owned();
            let binding = self.find(at, "port", "binding", "binding", bindings)?;
            let address = soap::address(self.documents, &self.schema.names, at);
            Ok(Port { name, binding, address, place: self.documents.place(at) })
        };
        let ports = self.children(at, "port").into_iter().map(port).collect::<Result<_, Error>>()?;
        Ok(Service { name, ports, place: self.documents.place(at) })
    }
}

//! Bindings: the operations of a service, and where it is.

use tam::{Error, ErrorKind};
use xsd::wsdl::{self, BodyUse, Bound, Description, HeaderPart, PartType, SoapVersion, Style, Use};

use crate::service::Name;

/// A binding of SOAP: operations, and their addresses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Binding {
    /// Its name.
    pub name: String,
    /// The version of SOAP of its messages.
    pub version: SoapVersion,
    /// The ports that have it.
    pub ports: Vec<Port>,
    /// In the order of the description.
    pub operations: Vec<Operation>,
}

/// A port: an address of a binding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Port {
    /// The name of the service.
    pub service: String,
    /// Its name.
    pub name: String,
    /// The address, empty if the description has none.
    pub address: String,
}

/// An operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// `SOAPAction`, empty if the description has none.
    pub action: String,
    /// The style of the body.
    pub style: Style,
    /// How the parts are written; that of the request, if the two differ.
    pub usage: Use,
    /// What the service receives: the first element in the body. `None` if nothing is received, the body is empty, or the
    /// message is left out.
    pub request: Option<Name>,
    /// What it sends.
    pub response: Option<Name>,
    /// The header blocks of the request (`soap:header`). A message may have others, and may lack them.
    pub request_headers: Vec<Name>,
    /// Those of the response.
    pub response_headers: Vec<Name>,
    /// The names of the faults that it may send instead.
    pub faults: Vec<String>,
}

/// A message or a binding that cannot be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its name: `the request of 'search'`.
    pub what: String,
    /// What was found there, and what could be read; the path is the document.
    pub error: Error,
}

/// The bindings of SOAP in a description.
pub(crate) fn bindings(description: &Description) -> Vec<Binding> {
    let names = &description.schema.names;
    let mut bindings: Vec<Option<Binding>> = description
        .bindings
        .iter()
        .map(|binding| {
            let version = binding.soap.as_ref().filter(|_| binding.required.is_empty())?.version;
            let operations = binding.operations.iter().map(|bound| operation(description, binding, bound)).collect();
            Some(Binding { name: names.local(binding.name).to_owned(), version, ports: Vec::new(), operations })
        })
        .collect();
    for service in &description.services {
        for port in &service.ports {
            let Some(Some(binding)) = bindings.get_mut(port.binding) else { continue };
            let service = names.local(service.name).to_owned();
            binding.ports.push(Port { service, name: port.name.clone(), address: port.address.clone() });
        }
    }
    bindings.into_iter().flatten().collect()
}

fn operation(description: &Description, binding: &wsdl::Binding, bound: &Bound) -> Operation {
    let described = &description.port_types[binding.port_type].operations[bound.operation];
    let names = &description.schema.names;
    let element = |body: &Option<BodyUse>| Some(Name::of(names, body.as_ref()?.element?));
    let block = |of: &HeaderPart| {
        let part = &description.messages[of.message].parts[of.part];
        match part.ty {
            PartType::Element(element) => Name::of(names, description.schema.elements[element].name),
            PartType::Type(_) => Name { namespace: of.namespace.clone(), local: part.name.clone() },
        }
    };
    let blocks = |body: &Option<BodyUse>| body.iter().flat_map(|body| &body.headers).map(block).collect();
    Operation {
        name: described.name.clone(),
        action: bound.action.clone(),
        style: bound.style,
        usage: bound.input.as_ref().or(bound.output.as_ref()).map_or(Use::Literal, |body| body.style),
        request: element(&bound.input),
        response: element(&bound.output),
        request_headers: blocks(&bound.input),
        response_headers: blocks(&bound.output),
        faults: described.faults.iter().map(|fault| fault.name.clone()).collect(),
    }
}

/// What of a description cannot be read.
pub(crate) fn left_out(description: &Description) -> Vec<LeftOut> {
    let messages = description.left_out().iter().map(|one| {
        let which = if one.is_response { "response" } else { "request" };
        LeftOut { what: format!("the {which} of '{}'", one.operation), error: one.error.clone() }
    });
    let names = &description.schema.names;
    let bindings = description.bindings.iter().filter_map(|binding| {
        let (place, found) = match (&binding.soap, binding.required.first()) {
            (None, _) => (binding.place, "a binding of another protocol".to_owned()),
            (_, Some((extension, place))) => {
                (*place, format!("an extension that is required: {}", names.shown(*extension)))
            }
            _ => return None,
        };
        let error = description.error(ErrorKind::Unsupported, place, found, "a binding of SOAP 1.1 or 1.2");
        Some(LeftOut { what: format!("the binding '{}'", names.local(binding.name)), error })
    });
    messages.chain(bindings).collect()
}

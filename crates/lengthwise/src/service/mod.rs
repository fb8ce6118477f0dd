//! What a service expects and sends, by its description in WSDL.

mod messages;
mod types;

use tam::{Error, ErrorKind};
use xsd::wsdl::{self, Description, SoapVersion};

use messages::Messages;

/// The operations of a service, and the messages that they are made of as a [`dds::Schema`].
///
/// ```
/// use lengthwise::{Service, dds, xsd};
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let source = xsd::Memory::new().with(
///     "ping.wsdl",
///     r#"<definitions name="Ping" targetNamespace="urn:ping" xmlns:t="urn:ping"
///            xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
///            xmlns:xs="http://www.w3.org/2001/XMLSchema">
///          <message name="Ping"><part name="count" type="xs:int"/></message>
///          <portType name="Port"><operation name="ping"><input message="t:Ping"/></operation></portType>
///          <binding name="Soap" type="t:Port">
///            <soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
///            <operation name="ping">
///              <input><soap:body use="literal" namespace="urn:ping"/></input>
///            </operation>
///          </binding>
///        </definitions>"#,
/// );
/// let options = xsd::Options::default();
/// let description = xsd::wsdl::Description::read_from(source, "ping.wsdl", &options)?;
/// let service = Service::from_wsdl(&description, &options)?;
/// let reader = dds::Reader::new(service.schema().clone(), &dds::Options::default());
///
/// let message = reader.read(
///     br#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
///           <p:ping xmlns:p="urn:ping"><count>7</count></p:ping></e:Body></e:Envelope>"#,
/// )?;
/// assert_eq!(message.value().unwrap().member(0), Some(&dds::Value::Int(7)));
/// # Ok(())
/// # }
/// ```
///
/// Elements become members by their names, simple types what they are derived from (an enumeration its base, a list
/// text), unions unions, complex types that restrict `SOAP-ENC:Array` arrays. A `choice` becomes members that may be
/// left out; that one of them is there, and how many of those that repeat, is not looked at. What has no place in
/// that model (attributes, wildcards, mixed content, substitution, defaults) is named with its file and line in
/// [`Service::left_out`], and the messages that need it are not there.
#[derive(Clone, Debug)]
pub struct Service {
    schema: dds::Schema,
    bindings: Vec<Binding>,
    left_out: Vec<LeftOut>,
}

/// A binding of SOAP: operations, and their addresses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Binding {
    /// Its name.
    pub name: String,
    /// Which SOAP its messages are of.
    pub version: dds::Version,
    /// The services and ports that have it.
    pub ports: Vec<Port>,
    /// In the order of the description.
    pub operations: Vec<Operation>,
}

/// An address of a binding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Port {
    /// The name of the service.
    pub service: String,
    /// The name of the port.
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
    pub style: wsdl::Style,
    /// What the service receives: the number of the method in [`Service::schema`].
    pub request: Option<usize>,
    /// What it sends.
    pub response: Option<usize>,
    /// The names of the faults that it may send instead.
    pub faults: Vec<String>,
}

/// A message or a binding that is not carried.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its name: `the request of 'search'`.
    pub what: String,
    /// Why: what was found there, and what could be carried; the path is the file.
    pub error: Error,
}

impl Service {
    /// Reads a service from its description. `options.particles` limits the number of members of all types
    /// and messages together.
    ///
    /// # Errors
    /// When none of its messages can be carried: why the first of them cannot. When the limit is exceeded.
    pub fn from_wsdl(description: &Description, options: &xsd::Options) -> Result<Service, Error> {
        let mut messages = Messages::new(description, options);
        let names = &description.schema.names;
        let mut left_out = Vec::new();
        let mut bindings: Vec<Option<Binding>> = Vec::new();
        for binding in &description.bindings {
            let name = names.local(binding.name).to_owned();
            let refusal = match (&binding.soap, binding.required.first()) {
                (None, _) => Some((binding.place, "a binding of another protocol".to_owned())),
                (_, Some((extension, place))) => {
                    Some((*place, format!("an extension that is required: {}", names.shown(*extension))))
                }
                _ => None,
            };
            if let Some((place, found)) = refusal {
                let error = description.error(ErrorKind::Unsupported, place, found, "a binding of SOAP 1.1 or 1.2");
                left_out.push(LeftOut { what: format!("the binding '{name}'"), error });
                bindings.push(None);
                continue;
            }
            let mut operations = Vec::new();
            for bound in &binding.operations {
                operations.push(operation(&mut messages, binding, bound, &mut left_out)?);
            }
            let version = match &binding.soap {
                Some(soap) if soap.version == SoapVersion::Soap12 => dds::Version::Soap12,
                _ => dds::Version::Soap11,
            };
            bindings.push(Some(Binding { name, version, ports: Vec::new(), operations }));
        }
        for service in &description.services {
            for port in &service.ports {
                let Some(Some(binding)) = bindings.get_mut(port.binding) else { continue };
                let service = names.local(service.name).to_owned();
                binding.ports.push(Port { service, name: port.name.clone(), address: port.address.clone() });
            }
        }
        let schema = messages.into_schema();
        if schema.methods().is_empty() {
            return Err(match left_out.into_iter().next() {
                Some(first) => first.error,
                None => {
                    let path = description.documents.first().cloned().unwrap_or_default();
                    let expected = "a binding of SOAP, with operations";
                    Error::new(ErrorKind::Unsupported, "wsdl", 0, "no operation", expected).in_path(path)
                }
            });
        }
        Ok(Service { schema, bindings: bindings.into_iter().flatten().collect(), left_out })
    }

    /// The messages, each with its type.
    #[must_use]
    pub fn schema(&self) -> &dds::Schema {
        &self.schema
    }

    /// The bindings of SOAP, with their operations.
    #[must_use]
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Whether a message is of a SOAP that a binding has it in: of SOAP 1.2, say, where none but a binding of that
    /// has the operation. Faults are of either.
    ///
    /// # Errors
    /// When it is not, of kind schema.
    pub fn check_version(&self, message: &dds::Message) -> Result<(), Error> {
        let dds::Body::Call { method, .. } = message.body else { return Ok(()) };
        let has_it = |operation: &Operation| [operation.request, operation.response].contains(&Some(method));
        let mut bindings = self.bindings.iter().filter(|binding| binding.operations.iter().any(has_it));
        if bindings.any(|binding| binding.version == message.version) {
            return Ok(());
        }
        let (found, expected) = match message.version {
            dds::Version::Soap11 => ("a message of SOAP 1.1", "one of SOAP 1.2, as its binding is"),
            dds::Version::Soap12 => ("a message of SOAP 1.2", "one of SOAP 1.1, as its binding is"),
        };
        Err(Error::new(ErrorKind::Schema, "soap", 0, found, expected))
    }

    /// What of the description is not carried.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }
}

/// An operation with its messages, those that can be carried.
fn operation(
    messages: &mut Messages<'_>,
    binding: &wsdl::Binding,
    bound: &wsdl::Bound,
    left_out: &mut Vec<LeftOut>,
) -> Result<Operation, Error> {
    let described = &messages.description().port_types[binding.port_type].operations[bound.operation];
    let name = described.name.clone();
    let mut carried = |of: &Option<wsdl::Carried>, body: &Option<wsdl::BodyUse>, response: bool| {
        let Some(carried) = of else { return Ok(None) };
        match messages.method(binding, bound, carried, body.as_ref(), response) {
            Ok(method) => Ok(Some(method)),
            Err(error) if error.kind() == ErrorKind::Limit => Err(error),
            Err(error) => {
                let which = if response { "response" } else { "request" };
                left_out.push(LeftOut { what: format!("the {which} of '{name}'"), error });
                Ok(None)
            }
        }
    };
    let request = carried(&described.input, &bound.input, false)?;
    let response = carried(&described.output, &bound.output, true)?;
    let faults = described.faults.iter().map(|fault| fault.name.clone()).collect();
    Ok(Operation { name, action: bound.action.clone(), style: bound.style, request, response, faults })
}

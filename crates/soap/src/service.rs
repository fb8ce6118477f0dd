//! The messages of a service.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::sync::Arc;

use asn1::{NodeId, Value};
use tam::{Error, ErrorKind};
use x694::mapping;
use x694::xer::Types;
use xsd::wsdl::{Description, SoapVersion};
use xsd::{Options, Source};

use crate::binding::{self, Binding, LeftOut};
use crate::message::Message;
use crate::references::References;

/// A name with its namespace, which is empty where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// The namespace name (a URI), or nothing.
    pub namespace: String,
    /// The local part.
    pub local: String,
}

impl Name {
    pub(crate) fn of(names: &xsd::Names, name: xsd::Name) -> Name {
        Name { namespace: names.uri(names.namespace(name)).to_owned(), local: names.local(name).to_owned() }
    }

    fn new((namespace, local): (String, String)) -> Name {
        Name { namespace, local }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            return f.write_str(&self.local);
        }
        write!(f, "{{{}}}{}", self.namespace, self.local)
    }
}

/// The envelope of a version of SOAP.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    pub(crate) version: SoapVersion,
    /// The type of its values.
    pub(crate) node: NodeId,
    /// The first element of each message, in the order of the alternatives in the body.
    pub(crate) messages: Vec<Name>,
}

/// The messages of a service.
#[derive(Debug)]
pub struct Service {
    types: Types,
    bindings: Vec<Binding>,
    left_out: Vec<LeftOut>,
    pub(crate) envelopes: Vec<Envelope>,
    /// The first elements of messages in SOAP's encoding.
    pub(crate) encoded: Arc<HashSet<Name>>,
}

impl Service {
    /// Reads a description in a document of a source, with what it imports.
    ///
    /// # Errors
    /// As [`Service::read_all`].
    pub fn read(source: impl Source, location: &str, options: &Options) -> Result<Service, Error> {
        Service::read_all(source, &[location], options)
    }

    /// Reads a description and further descriptions or schema documents.
    ///
    /// # Errors
    /// Those of [`Description::read_all`] and of [`Types::new`]; kind unsupported if no message
    /// has a schema.
    pub fn read_all(source: impl Source, locations: &[impl AsRef<str>], options: &Options) -> Result<Service, Error> {
        let description = Description::read_all(&source, locations, options)?;
        Service::of(&description, source, locations, options)
    }

    /// The messages of a description that has been read from these documents.
    ///
    /// # Errors
    /// As [`Service::read_all`].
    pub fn of(
        description: &Description,
        source: impl Source,
        locations: &[impl AsRef<str>],
        options: &Options,
    ) -> Result<Service, Error> {
        let left_out = binding::left_out(description);
        if let Some(exceeded) = left_out.iter().find(|one| one.error.kind() == ErrorKind::Limit) {
            return Err(exceeded.error.clone());
        }
        let mut source = WithMade { source, made: HashMap::new() };
        let mut locations: Vec<String> = locations.iter().map(|location| location.as_ref().to_owned()).collect();
        let documents = description.envelopes();
        for document in &documents {
            locations.push(document.location.clone());
            source.made.insert(document.location.clone(), document.text.clone());
        }
        if documents.iter().all(|document| document.version.is_none()) {
            if let Some(first) = left_out.into_iter().next() {
                return Err(first.error);
            }
            let path = description.documents.first().cloned().unwrap_or_default();
            let expected = "a binding of SOAP, with operations";
            return Err(Error::new(ErrorKind::Unsupported, "wsdl", 0, "no operation", expected).in_path(path));
        }
        let schema = Description::read_all(&source, &locations, options)?.encode(&documents, options)?;
        let types = Types::new(schema, &mapping::Options::default())?;
        // SOAP 1.1 section 3, SOAP 1.2 part 1 section 5.
        let mut types = types.with_elements_only("none: SOAP forbids it");
        let (mut envelopes, mut encoded) = (Vec::new(), HashSet::new());
        for document in documents {
            encoded.extend(document.encoded.into_iter().map(Name::new));
            let Some(version) = document.version else { continue };
            let root = types.root(&format!("{{{}}}Envelope", version.namespace()))?;
            let messages = document.messages.into_iter().map(Name::new).collect();
            envelopes.push(Envelope { version, node: root.node(), messages });
        }
        let encoded = Arc::new(encoded);
        if !encoded.is_empty() {
            types = types.with_rewrite(References { messages: encoded.clone() });
        }
        Ok(Service { types, bindings: binding::bindings(description), left_out, envelopes, encoded })
    }

    /// The bindings of SOAP, with their operations.
    #[must_use]
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The messages and bindings that cannot be read, and why.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The types by which messages are read and written: [`xer::read`](x694::xer::read),
    /// [`xer::Templates`](x694::xer::Templates), [`xer::append`](x694::xer::append).
    #[must_use]
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// The same types, without the description.
    #[must_use]
    pub fn into_types(self) -> Types {
        self.types
    }

    /// The first element of each message that a version of SOAP has: of a request, or of a response.
    pub fn messages(&self, version: SoapVersion) -> impl Iterator<Item = &Name> {
        self.envelopes
            .iter()
            .filter(move |envelope| envelope.version == version)
            .flat_map(|envelope| &envelope.messages)
    }

    /// The message that a value is, which was read by [`Service::types`].
    #[must_use]
    pub fn message<'v>(&'v self, value: Value<'v>) -> Message<'v> {
        Message::new(self, value)
    }
}

/// A source with documents that have been made.
struct WithMade<S> {
    source: S,
    made: HashMap<String, String>,
}

impl<S: Source> Source for WithMade<S> {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        if base.is_none() && self.made.contains_key(location) {
            return location.to_owned();
        }
        self.source.resolve(base, location)
    }

    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        match self.made.get(name) {
            Some(text) if text.len() as u64 > most => Err(io::ErrorKind::FileTooLarge.into()),
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.source.load(name, most),
        }
    }
}

//! Schemas: what the messages of a format may contain.

#[cfg(all(feature = "tdxml", feature = "xsd"))]
use std::collections::HashMap;
use std::sync::Arc;
#[cfg(all(feature = "tdxml", feature = "xsd"))]
use std::sync::Mutex;
#[cfg(feature = "xsd")]
use std::sync::OnceLock;

use asn1::notation::SourceError;
use asn1::{Compiled, NodeId, schema as model};
use tam::{Error, ErrorKind, Limits, Words};
#[cfg(feature = "xsd")]
use x694::{mapping, xer};

/// What messages may say: modules of ASN.1, or a schema of XML and the modules that X.694 makes of it; and
/// which of the types messages are of.
///
/// ```
/// use lengthwise::{Format, Options, Schema, convert, tam::Limits};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = "Weather DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///     Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius Degrees OPTIONAL }
///     Degrees ::= INTEGER (-40..87)
/// END";
/// let schema = Schema::from_notation(&[("weather.asn1", module)], &Limits::default())?;
/// let options = Options::default().with_schema(&schema);
/// let reading = br#"{"sensor":3,"celsius":20}"#;
/// let message = convert(reading, Format::Json, Format::Uper, &options)?;
/// assert_eq!(message, [0x9B, 0xC0]);
/// assert_eq!(convert(&message, Format::Uper, Format::Json, &options)?, reading);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Schema {
    source: Source,
    root: Root,
    /// The data schemas that have been derived, by the names of their root elements.
    #[cfg(all(feature = "tdxml", feature = "xsd"))]
    tables: Mutex<HashMap<(String, String), Arc<tdxml::DataSchema>>>,
}

/// What a schema was made of.
#[derive(Debug)]
enum Source {
    Notation(Box<Notation>),
    #[cfg(feature = "xsd")]
    Xml(Box<xer::Types>),
}

/// Modules of ASN.1.
#[derive(Debug)]
struct Notation {
    model: model::Schema,
    types: Arc<Compiled>,
    /// What their XER encoding instructions describe, once a message in XML asks for it.
    #[cfg(feature = "xsd")]
    xml: OnceLock<Result<xer::Types, SourceError>>,
}

impl Notation {
    /// Whether a module has XER encoding instructions.
    fn describes_xml(&self) -> bool {
        let modules = &self.model.modules;
        cfg!(feature = "xsd") && modules.iter().any(|one| one.xer_instructions || one.encoding_control.is_some())
    }

    /// What the instructions describe.
    #[cfg(feature = "xsd")]
    fn described(&self) -> &Result<xer::Types, SourceError> {
        self.xml.get_or_init(|| {
            let made = xer::Types::from_modules(self.model.clone(), Arc::clone(&self.types));
            made.map_err(|error| self.in_source(error))
        })
    }

    /// An error of the modules with its source, in which its position is.
    #[cfg(feature = "xsd")]
    #[cold]
    fn in_source(&self, error: Error) -> SourceError {
        let module = error.path().split('.').next().unwrap_or_default();
        let name = self.model.module(module).map_or("", |module| &module.source).to_owned();
        let index = self.model.modules.iter().map(|module| &module.source).position(|other| *other == name);
        SourceError { index: index.unwrap_or_default(), name, error }
    }
}

/// The type of messages.
#[derive(Debug)]
enum Root {
    /// Given by its name.
    Named(NodeId),
    /// The only one that it could be.
    Only(NodeId),
    /// Those that it could be.
    Several(Vec<String>),
}

/// The same schema is equal to itself alone.
impl PartialEq for Schema {
    fn eq(&self, other: &Schema) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Schema {}

impl Schema {
    fn new(source: Source, root: Root) -> Schema {
        Schema {
            source,
            root,
            #[cfg(all(feature = "tdxml", feature = "xsd"))]
            tables: Mutex::default(),
        }
    }

    /// The data schema of TDXML for the documents of a root element, given by its namespace (empty for none) and local
    /// name. It is derived from the modules once, and its identifier is made of its content.
    ///
    /// # Errors
    /// Those of [`tdxml::DataSchema::derive`].
    #[cfg(all(feature = "tdxml", feature = "xsd"))]
    pub fn data_schema(&self, uri: &str, local: &str) -> Result<Arc<tdxml::DataSchema>, Error> {
        let key = (uri.to_owned(), local.to_owned());
        let known = || self.tables.lock().ok()?.get(&key).cloned();
        if let Some(known) = known() {
            return Ok(known);
        }
        let schema = tdxml::DataSchema::derive(self.model(), self.types(), uri, local)?;
        let id = schema.content_id();
        let schema = Arc::new(schema.with_id(id));
        if let Ok(mut tables) = self.tables.lock() {
            tables.insert(key, schema.clone());
        }
        Ok(schema)
    }

    /// The data schema that a message of TDXML refers to by the identifier that [`Schema::data_schema`] gives it.
    /// `None` if no global element has the name in the identifier.
    ///
    /// # Errors
    /// Kind unsupported when the schema has such elements, but the data schemas of all are other ones.
    #[cfg(all(feature = "tdxml", feature = "xsd"))]
    pub fn data_schema_of(&self, id: &str) -> Result<Option<Arc<tdxml::DataSchema>>, Error> {
        let (Some(types), Some((local, _))) = (self.xml(), id.rsplit_once(':')) else { return Ok(None) };
        let known = || self.tables.lock().ok()?.values().find(|schema| schema.id() == Some(id)).cloned();
        if let Some(known) = known() {
            return Ok(Some(known));
        }
        let mut other = None;
        for root in types.roots().filter(|root| root.name(types) == local) {
            let schema = self.data_schema(root.namespace(types), local)?;
            if schema.id() == Some(id) {
                return Ok(Some(schema));
            }
            other = schema.id().map(str::to_owned);
        }
        match other {
            None => Ok(None),
            Some(other) => {
                let found = format!("a reference to the data schema '{}'", id.escape_debug());
                let expected = format!("'{other}', the one of the given schema");
                Err(Error::new(ErrorKind::Unsupported, "tdxml", 0, found, expected))
            }
        }
    }

    /// Reads modules in the notation of ASN.1, each source given by a name (of its file, say) and its
    /// text.
    ///
    /// Messages are of the type that no other refers to; where there are several, or none,
    /// [`Schema::with_root`] says which.
    ///
    /// # Errors
    /// When a text is no notation, or a type cannot be followed or carried; with its source, offset,
    /// line and column. Of what was read although it is not right, [`Schema::model`] has
    /// [warnings](model::Schema::warnings).
    pub fn from_notation<T: AsRef<[u8]>>(sources: &[(&str, T)], limits: &Limits) -> Result<Schema, SourceError> {
        let (model, types) = Compiled::from_sources(sources, limits)?;
        Ok(Schema::of_model(model, types))
    }

    /// Takes modules that a program made, such as those that [`asn1::jer::Inference`] infers from documents. Messages are of the
    /// only type that no other refers to.
    ///
    /// # Errors
    /// Those of [`Compiled::with_limits`].
    pub fn from_model(model: model::Schema, limits: &Limits) -> Result<Schema, Error> {
        let types = Compiled::with_limits(&model, limits)?;
        Ok(Schema::of_model(model, types))
    }

    fn of_model(model: model::Schema, types: Compiled) -> Schema {
        let names = model.unreferenced_types();
        let root = match &names[..] {
            [name] => types.find(name).map_or_else(|_| Root::Several(names.clone()), Root::Only),
            _ => Root::Several(names),
        };
        let notation = Notation {
            model,
            types: Arc::new(types),
            #[cfg(feature = "xsd")]
            xml: OnceLock::new(),
        };
        Schema::new(Source::Notation(Box::new(notation)), root)
    }

    /// Takes a schema of XML: messages are values of the types that X.694 makes of it, and instances of it
    /// become these and are made of them.
    ///
    /// Messages are of the element that the first schema document declares globally; where there are
    /// several, or none, [`Schema::with_root`] says which. The root element of an instance decides for XML; a binary message does
    /// not say which element it is of, so reading it needs the root.
    ///
    /// ```
    /// use lengthwise::{Format, Options, Schema, convert, x694, xsd};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let source = xsd::Memory::new().with(
    ///     "reading.xsd",
    ///     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
    ///          <xs:element name="celsius" type="xs:byte"/>
    ///        </xs:schema>"#,
    /// );
    /// let schema = xsd::Schema::read_from(source, "reading.xsd", &xsd::Options::default())?;
    /// let schema = Schema::from_xsd(schema, &x694::mapping::Options::default())?;
    /// let options = Options::default().with_schema(&schema);
    /// let message = convert(b"<celsius>21</celsius>", Format::Xml, Format::Uper, &options)?;
    /// assert_eq!(message, [128 + 21]);
    /// assert_eq!(convert(&message, Format::Uper, Format::Xml, &options)?, b"<celsius>21</celsius>");
    /// assert_eq!(convert(&message, Format::Uper, Format::Json, &options)?, b"21");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of [`xer::Types::new`](x694::xer::Types::new).
    #[cfg(feature = "xsd")]
    pub fn from_xsd(schema: xsd::Schema, options: &mapping::Options) -> Result<Schema, Error> {
        let types = xer::Types::new(schema, options)?;
        let components = types.schema();
        let first = components.documents.ids().next();
        let is_first = |root: &xer::Root| components.elements[root.element()].position.document == first;
        let mut roots: Vec<xer::Root> = types.roots().filter(is_first).collect();
        if roots.is_empty() {
            roots = types.roots().collect();
        }
        let root = match &roots[..] {
            [one] => Root::Only(one.node()),
            roots => Root::Several(roots.iter().map(|root| root.name(&types).to_owned()).collect()),
        };
        Ok(Schema::new(Source::Xml(Box::new(types)), root))
    }

    /// The schema of a service's messages: envelopes of SOAP, with what its description lets be in them. In SOAP's encoding,
    /// references are followed. Of a service with SOAP 1.1 and 1.2, set the envelope of one version
    /// ([`Schema::with_root`]) to read binary messages back.
    ///
    /// ```
    /// use lengthwise::{Format, Options, Schema, convert, soap, xsd};
    /// use std::path::Path;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let path = "../../samples/search.wsdl";
    /// let service = soap::Service::read(xsd::Files::beside(Path::new(path))?, path, &xsd::Options::default())?;
    /// let schema = Schema::from_service(service);
    /// let request = std::fs::read("../../samples/requests/search-1.xml")?;
    /// let message = convert(&request, Format::Xml, Format::Uper, &Options::default().with_schema(&schema))?;
    /// assert!(message.len() < request.len() / 4);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "soap")]
    #[must_use]
    pub fn from_service(service: soap::Service) -> Schema {
        // A service has faults of both versions of SOAP, and of each that it has messages of, these.
        let versions = [soap::SoapVersion::Soap11, soap::SoapVersion::Soap12].into_iter();
        let versions = versions.filter(|version| service.messages(*version).next().is_some());
        let envelopes: Vec<String> = versions.map(|version| format!("{{{}}}Envelope", version.namespace())).collect();
        let types = service.into_types();
        // Of two versions, a message in XML says which it is in.
        let root = match &envelopes[..] {
            [only] => types.root(only).ok().map(|root| Root::Only(root.node())),
            _ => None,
        };
        let root = root.unwrap_or(Root::Several(envelopes));
        Schema::new(Source::Xml(Box::new(types)), root)
    }

    /// The schema of the XML Infoset (the paper's Appendix A), whose messages are what
    /// [`Format::InfosetUper`](crate::Format::InfosetUper) and its kin hold: to look at them by it, not
    /// as documents.
    ///
    /// # Errors
    /// None, as the schema is sound.
    #[cfg(feature = "infoset")]
    pub fn infoset() -> Result<Schema, Error> {
        let schema = Schema::from_notation(&[("", infoset::NOTATION)], &Limits::default())?;
        schema.with_root("Document")
    }

    /// The same schema, messages being of the type of a name: `Reading`, or `Weather.Reading` where
    /// several modules have one. Of a schema of XML the name is that of a global element: `order`, or
    /// `{urn:orders}order`.
    ///
    /// # Errors
    /// When there is no such type or element, or more than one.
    pub fn with_root(self, name: &str) -> Result<Schema, Error> {
        Ok(Schema { root: Root::Named(self.find(name)?), ..self })
    }

    /// The type of a name, as [`Schema::with_root`] finds it.
    ///
    /// # Errors
    /// When there is no such type or element, or more than one.
    pub fn find(&self, name: &str) -> Result<NodeId, Error> {
        match &self.source {
            Source::Notation(notation) => notation.types.find(name),
            #[cfg(feature = "xsd")]
            Source::Xml(types) => types.root(name).map(|root| root.node()),
        }
    }

    /// The same schema; unless the type of messages is known, it is the only candidate in some modules, such as those of one
    /// file.
    #[must_use]
    pub fn with_root_in(self, modules: &[&str]) -> Schema {
        let (Root::Several(names), Source::Notation(notation)) = (&self.root, &self.source) else { return self };
        let Notation { model, types, .. } = &**notation;
        let is_there = |name: &&String| match name.split_once('.') {
            Some((module, _)) => modules.contains(&module),
            None => model.modules.iter().any(|module| {
                modules.contains(&&module.name[..]) && module.assignments.iter().any(|one| one.name == **name)
            }),
        };
        let mut candidates = names.iter().filter(is_there);
        match (candidates.next().and_then(|name| types.find(name).ok()), candidates.next()) {
            (Some(node), None) => Schema { root: Root::Only(node), ..self },
            _ => self,
        }
    }

    /// The modules as they were understood, or as X.694 makes them.
    #[must_use]
    pub fn model(&self) -> &model::Schema {
        match &self.source {
            Source::Notation(notation) => &notation.model,
            #[cfg(feature = "xsd")]
            Source::Xml(types) => &types.mapping().schema,
        }
    }

    /// The types, ready for reading and writing.
    #[must_use]
    pub fn types(&self) -> &Compiled {
        match &self.source {
            Source::Notation(notation) => &notation.types,
            #[cfg(feature = "xsd")]
            Source::Xml(types) => types.compiled(),
        }
    }

    /// What messages are in XML: by the schema of XML that it was made of, or by XER encoding instructions of its modules
    /// (EXTENDED-XER). `None` where the modules have no instructions, or some that are not supported.
    #[cfg(feature = "xsd")]
    #[must_use]
    pub fn xml(&self) -> Option<&xer::Types> {
        self.described().ok()
    }

    /// The same, or why there is none.
    #[cfg(feature = "xsd")]
    pub(crate) fn described(&self) -> Result<&xer::Types, Error> {
        match &self.source {
            Source::Notation(notation) if notation.describes_xml() => notation.described().as_ref().map_err(of_message),
            Source::Notation(_) => {
                let expected = "an XML Schema, or a module with XER INSTRUCTIONS";
                Err(Error::new(ErrorKind::Unsupported, "xml", 0, "an ASN.1 module", expected))
            }
            Source::Xml(types) => Ok(types),
        }
    }

    /// Why the XER encoding instructions of its modules are not supported, if they have some.
    #[cfg(feature = "xsd")]
    #[must_use]
    pub fn xml_fault(&self) -> Option<&SourceError> {
        match &self.source {
            Source::Notation(notation) if notation.describes_xml() => notation.described().as_ref().err(),
            _ => None,
        }
    }

    /// Whether messages in XML are values of the schema: it was made of a schema of XML, or its modules have XER encoding
    /// instructions.
    #[must_use]
    pub fn is_xml(&self) -> bool {
        match &self.source {
            Source::Notation(notation) => notation.describes_xml(),
            #[cfg(feature = "xsd")]
            Source::Xml(_) => true,
        }
    }

    /// Whether it was made of a schema of XML.
    #[must_use]
    pub fn is_of_xsd(&self) -> bool {
        !matches!(self.source, Source::Notation(_))
    }

    /// The type set by [`Schema::with_root`].
    #[cfg(feature = "xsd")]
    pub(crate) fn chosen_root(&self) -> Option<NodeId> {
        match self.root {
            Root::Named(node) => Some(node),
            _ => None,
        }
    }

    /// The type of messages.
    ///
    /// # Errors
    /// When several could be, or none, and none was named; the error has their names.
    pub fn root(&self) -> Result<NodeId, Error> {
        const SHOWN: usize = 8;
        let names = match &self.root {
            Root::Named(node) | Root::Only(node) => return Ok(*node),
            Root::Several(names) => names,
        };
        let (one, all) = match &self.source {
            Source::Notation(..) => ("no type that no other refers to", "types that no other refers to"),
            #[cfg(feature = "xsd")]
            Source::Xml(_) => ("no global element", "global elements"),
        };
        let found = match &names[..] {
            [] => Words::Text(one),
            names => {
                let more = if names.len() > SHOWN { ", …" } else { "" };
                // What messages are of is often called so.
                let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
                names.sort_by_key(|name| !name.contains("PDU"));
                let shown = names.get(..SHOWN).unwrap_or(&names).join(", ");
                Words::Own(format!("{} {all}: {shown}{more}", names.len()))
            }
        };
        Err(Error::new(ErrorKind::Schema, "asn1", 0, found, "the name of the one that messages are of"))
    }
}

/// An error of modules as the error of a message that needs them: the position is in their text, so words have it.
#[cfg(feature = "xsd")]
#[cold]
fn of_message(SourceError { name, error, .. }: &SourceError) -> Error {
    let place = error.position().map(|(line, column)| format!(", line {line}, column {column}"));
    let file = if name.is_empty() { "the schema" } else { name };
    let found = format!("{} (in {file}{}, {})", error.found(), place.unwrap_or_default(), error.path());
    Error::without_place(error.kind(), "xml", found, error.expected().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(sources: &[&str]) -> Schema {
        let named: Vec<(&str, &str)> = sources.iter().map(|text| ("", *text)).collect();
        Schema::from_notation(&named, &Limits::default()).unwrap()
    }

    fn root(sources: &[&str]) -> Result<String, String> {
        let schema = schema(sources);
        schema.root().map(|node| schema.types().node(node).name.clone()).map_err(|error| error.found().to_string())
    }

    #[test]
    fn messages_are_of_the_type_that_no_other_refers_to() {
        let one = |types: &str| root(&[&format!("M DEFINITIONS ::= BEGIN {types} END")]);
        assert_eq!(one("A ::= SEQUENCE { b B } B ::= INTEGER"), Ok("A".to_owned()));
        assert_eq!(one("B ::= INTEGER a B ::= 3"), Ok("B".to_owned()));
        assert_eq!(one("A ::= SEQUENCE OF A"), Ok("A".to_owned()));
        assert_eq!(one("A ::= SET OF CHOICE { b B } B ::= INTEGER (C) C ::= INTEGER (0..9)"), Ok("A".to_owned()));
        assert_eq!(one("A ::= INTEGER B ::= INTEGER"), Err("2 types that no other refers to: A, B".to_owned()));
        let circle = one("A ::= SEQUENCE { b B OPTIONAL } B ::= SEQUENCE { a A OPTIONAL }");
        assert_eq!(circle, Err("no type that no other refers to".to_owned()));
        let imported =
            ["M DEFINITIONS ::= BEGIN IMPORTS T FROM N; A ::= SET OF T END", "N DEFINITIONS ::= BEGIN T ::= NULL END"];
        assert_eq!(root(&imported), Ok("A".to_owned()));
        let alike = ["M DEFINITIONS ::= BEGIN T ::= NULL END", "N DEFINITIONS ::= BEGIN T ::= NULL END"];
        assert_eq!(root(&alike), Err("2 types that no other refers to: M.T, N.T".to_owned()));
    }

    #[test]
    fn a_name_says_which_type_it_is() {
        let two = || schema(&["M DEFINITIONS ::= BEGIN A ::= INTEGER B ::= NULL END"]);
        let named = two().with_root("M.B").unwrap();
        assert_eq!(named.types().node(named.root().unwrap()).name, "B");
        assert_eq!(two().with_root("C").unwrap_err().to_string(), "schema at byte 0: type C not found");
    }

    #[test]
    fn errors_name_the_source_that_they_are_in() {
        let sources = [("a", "A DEFINITIONS ::= BEGIN T ::= NULL END"), ("b", "B DEFINITIONS ::= BEGIN T ::= U END")];
        let error = Schema::from_notation(&sources, &Limits::default()).unwrap_err();
        assert_eq!((error.index, error.name.as_str()), (1, "b"));
        assert_eq!(error.error.position(), Some((1, 31)));
    }
}

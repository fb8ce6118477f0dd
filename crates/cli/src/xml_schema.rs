//! Schemas of XML, and documents held against them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lengthwise::tam::Words;
use lengthwise::text::xml::{self, Event as XmlEvent, Reader};
use lengthwise::xsd::{self, Catalog, Event, Files, Source, Validator, mapping};
use lengthwise::{Error, ErrorKind, Format, Limits, Options, Schema};

use crate::args::Common;
use crate::inputs::Input;
use crate::report::{EMPTY, Failure};
use crate::schema;
use crate::service;

/// A schema of XML.
pub(crate) struct XmlSchema {
    schema: xsd::Schema,
    /// The local name that `--root` says the root element must have.
    root: Option<String>,
    /// The files that the schema was read from.
    files: Vec<PathBuf>,
}

/// The schema that the flags name, if it is one of XML.
///
/// Where `-s` is given more than once, the first file is the schema, and each other one what it imports of
/// that one's namespace.
pub(crate) fn told(common: &Common) -> Result<Option<XmlSchema>, Failure> {
    of(&common.schema, common)
}

/// The schema of some files, the first of which says what they are.
pub(crate) fn of(paths: &[PathBuf], common: &Common) -> Result<Option<XmlSchema>, Failure> {
    let [first, others @ ..] = paths else { return Ok(None) };
    // The schemas in a description of a service are one.
    if let Some(description) = service::description(paths, common)? {
        return of_schema(description.schema, &description.documents, common).map(Some);
    }
    let limits = common.limits();
    let mut bytes = HashMap::new();
    let mut no_xml = None;
    for path in paths {
        match read(path, &limits)? {
            Some(read) => _ = bytes.insert(name(path), read),
            None => no_xml = Some(path),
        }
    }
    match no_xml {
        Some(_) if bytes.is_empty() => return Ok(None),
        Some(path) => {
            return Err(Failure::Usage(format!("-s names schemas of XML, and {}, which is none", path.display())));
        }
        None => {}
    }
    let mut catalog = Catalog::new();
    for path in others {
        let name = name(path);
        let text = bytes.get(&name).map_or(&[][..], Vec::as_slice);
        catalog = catalog.with_namespace(target(text, &limits), name);
    }
    let options = xsd::Options::default().with_limits(limits).with_catalog(catalog);
    let schema =
        xsd::Schema::read_from(Given { bytes }, &name(first), &options).map_err(|error| bad(error, &limits))?;
    check_used(others, schema.documents.iter().map(|(_, document)| document.location.as_str()))?;
    of_schema(schema, &[], common).map(Some)
}

/// A schema that has been read, by way of other documents if it was.
fn of_schema(schema: xsd::Schema, by_way_of: &[String], common: &Common) -> Result<XmlSchema, Failure> {
    let locations = schema.documents.iter().map(|(_, document)| &document.location).chain(by_way_of);
    let files = locations.filter_map(|location| fs::canonicalize(location).ok()).collect();
    let schema = XmlSchema { schema, root: common.root.clone(), files };
    schema.check_root()?;
    Ok(schema)
}

/// Each file of `-s` but the first must be one that was asked for.
pub(crate) fn check_used<'l>(others: &[PathBuf], documents: impl Iterator<Item = &'l str>) -> Result<(), Failure> {
    let known: HashSet<&str> = documents.collect();
    match others.iter().find(|path| !known.contains(name(path).as_str())) {
        None => Ok(()),
        Some(path) => {
            let words = "no document of the schema imports its namespace, or the file has been given twice";
            Err(Failure::Usage(format!("-s {}: {words}", path.display())))
        }
    }
}

/// What is in a file that `-s` names, if that is a schema of XML.
fn read(path: &Path, limits: &Limits) -> Result<Option<Vec<u8>>, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is = |other: &str| ending.eq_ignore_ascii_case(other);
    // What is no file can be read once only.
    if is("asn1") || is("asn") || path.metadata().is_ok_and(|data| !data.is_file()) {
        return Ok(None);
    }
    let input = Input::File(path.to_owned());
    let bytes = input.bytes(limits)?;
    let other = match Format::sniff(&bytes) {
        Some(Format::Json) => "JSON",
        Some(Format::Xml) => return Ok(Some(bytes)),
        _ if is("xsd") => return Ok(Some(bytes)),
        _ => return Ok(None),
    };
    let error = Error::new(ErrorKind::Unsupported, "xsd", 0, other, "a schema: XML Schema or a module of ASN.1");
    Err(Failure::bad(&input, error, &[]))
}

/// The name that the reader of schemas knows a file of `-s` by: its path, though that may look like a URI.
pub(crate) fn name(path: &Path) -> String {
    let path = path.to_string_lossy();
    if path.contains([':', '#']) { path.into_owned() } else { Files.resolve(None, &path) }
}

/// The files of `-s`, which have been read, and those that they name.
pub(crate) struct Given {
    pub(crate) bytes: HashMap<String, Vec<u8>>,
}

impl Source for Given {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        if base.is_none() && self.bytes.contains_key(location) {
            return location.to_owned();
        }
        Files.resolve(base, location)
    }

    fn load(&mut self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        self.bytes.remove(name).map_or_else(|| Files.load(name, most), Ok)
    }
}

/// An error of a schema: its path is the file that it is in.
#[cold]
pub(crate) fn bad(error: Error, limits: &Limits) -> Failure {
    let input = Input::File(PathBuf::from(error.path()));
    let bytes = input.bytes(limits).unwrap_or_default();
    let is_unknown = matches!(error.found(), Words::Own(words) if words.starts_with("nothing to import"));
    let failure = Failure::bad(&input, error.in_path(""), &bytes);
    match bytes.is_empty() {
        true => failure.with_hint(EMPTY),
        false if is_unknown => failure.with_hint("if there is such a document here, name it with another -s"),
        false => failure,
    }
}

/// The root element of a document.
pub(crate) struct Root {
    written: String,
    local: String,
    namespace: String,
    /// Of a schema document.
    target: String,
}

impl Root {
    /// Whether it is an element of a namespace and a name.
    pub(crate) fn is(&self, namespace: &str, local: &str) -> bool {
        (self.namespace.as_str(), self.local.as_str()) == (namespace, local)
    }
}

/// The root element of a document, as far as it can be read.
pub(crate) fn root(bytes: &[u8], limits: &Limits) -> Option<Root> {
    let mut reader = Reader::new(bytes, &xml::Options::default().with_limits(*limits)).ok()?;
    loop {
        let XmlEvent::Start(tag) = reader.next_event().ok()?? else { continue };
        let (prefix, local) = tag.name().split_once(':').unwrap_or(("", tag.name()));
        let binding = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
        let attribute = |name: &str| tag.attribute(name).unwrap_or_default().to_owned();
        return Some(Root {
            written: tag.name().to_owned(),
            local: local.to_owned(),
            namespace: attribute(&binding),
            target: attribute("targetNamespace"),
        });
    }
}

/// Whether `--root` names an element: by its local name, or with its namespace in braces in front.
fn is(root: &str, (namespace, local): (&str, &str)) -> bool {
    let rest = match root.strip_prefix('{') {
        Some(rest) => rest.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('}')),
        None => Some(root),
    };
    rest == Some(local)
}

/// The namespace that a schema document is of.
pub(crate) fn target(bytes: &[u8], limits: &Limits) -> String {
    root(bytes, limits).map(|root| root.target).unwrap_or_default()
}

impl XmlSchema {
    /// Its components.
    pub(crate) fn components(&self) -> &xsd::Schema {
        &self.schema
    }

    /// The same with the modules that X.694 makes of it, to carry messages.
    pub(crate) fn to_schema(&self, common: &Common) -> Result<Schema, Failure> {
        let options = mapping::Options::default().with_version(common.mapping.0);
        let schema = Schema::from_xsd(self.schema.clone(), &options).map_err(|error| bad(error, &common.limits()))?;
        schema::rooted(schema, common)
    }

    /// Whether a file is one of those that the schema was read from.
    pub(crate) fn has(&self, input: &Input) -> bool {
        let Input::File(path) = input else { return false };
        path.canonicalize().is_ok_and(|path| self.files.contains(&path))
    }

    /// The names of the elements that a document may begin with: namespace and local name.
    fn roots(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = &self.schema.names;
        self.schema.globals.iter().filter_map(move |global| {
            let xsd::Global::Element(id) = global else { return None };
            let name = self.schema.elements[*id].name;
            Some((names.uri(names.namespace(name)), names.local(name)))
        })
    }

    fn check_root(&self) -> Result<(), Failure> {
        match &self.root {
            Some(root) if !self.roots().any(|name| is(root, name)) => {
                Err(Failure::Usage(format!("--root: the schema declares no element '{root}' globally")))
            }
            _ => Ok(()),
        }
    }

    /// Holds a document against the schema: how many elements and attributes there are that it knows.
    pub(crate) fn check(&self, bytes: &[u8], format: Format, options: &Options<'_>) -> Result<usize, Fault> {
        if format != Format::Xml {
            return Err(Fault::Format);
        }
        let limits = options.limits;
        let options = xsd::Options::default().with_limits(limits);
        let mut validator = Validator::new(&self.schema, bytes, &options)?;
        let mut units = 0;
        loop {
            let event = match validator.next_event() {
                Ok(event) => event,
                Err(error) if units == 0 && error.kind() == ErrorKind::Schema => {
                    return Err(Fault::Bad(error, self.other_roots(bytes, &limits)));
                }
                Err(error) => return Err(error.into()),
            };
            match event {
                None => return Ok(units),
                Some(Event::Start(start)) => {
                    let names = &self.schema.names;
                    let local = names.local(start.name);
                    let name = (names.uri(names.namespace(start.name)), local);
                    if let Some(root) = self.root.as_deref().filter(|root| units == 0 && !is(root, name)) {
                        let found = format!("<{local}>");
                        return Err(validator
                            .error(ErrorKind::Schema, found, format!("<{root}>, as --root says"))
                            .into());
                    }
                    units += 1 + start.attributes().len();
                }
                Some(_) => {}
            }
        }
    }

    /// What the root element of a document could be instead, when it is none that is declared.
    fn other_roots(&self, bytes: &[u8], limits: &Limits) -> Option<String> {
        const SHOWN: usize = 6;
        let root = root(bytes, limits)?;
        if self.roots().any(|(namespace, local)| (namespace, local) == (&root.namespace, &root.local)) {
            return None;
        }
        let shown = |namespace: &str| match namespace {
            "" => "no namespace".to_owned(),
            namespace => format!("the namespace '{namespace}'"),
        };
        let (written, own) = (&root.written, shown(&root.namespace));
        if let Some((namespace, local)) = self.roots().find(|(_, local)| *local == root.local) {
            let other = shown(namespace);
            return Some(format!("<{written}> is in {own}; the schema declares '{local}' in {other}"));
        }
        let here: Vec<&str> =
            self.roots().filter(|(namespace, _)| *namespace == root.namespace).map(|(_, local)| local).collect();
        if here.is_empty() {
            let mut namespaces: Vec<&str> = Vec::new();
            for (namespace, _) in self.roots() {
                if !namespaces.contains(&namespace) {
                    namespaces.push(namespace);
                }
            }
            return Some(match &namespaces[..] {
                [] => "the schema declares no element globally".to_owned(),
                [one] => format!("<{written}> is in {own}; the schema declares elements of {}", shown(one)),
                [first, others @ ..] => {
                    let (first, n) = (shown(first), others.len());
                    let others = if n == 1 { "namespace" } else { "namespaces" };
                    format!("<{written}> is in {own}; the schema declares elements of {first} and {n} other {others}")
                }
            });
        }
        let more = if here.len() > SHOWN { ", …" } else { "" };
        Some(format!("a document can begin with {}{more}", here.get(..SHOWN).unwrap_or(&here).join(", ")))
    }
}

/// Why a message is not what the schema says.
pub(crate) enum Fault {
    /// It is not XML.
    Format,
    /// It is bad; and what to do about it.
    Bad(Error, Option<String>),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Bad(error, None)
    }
}

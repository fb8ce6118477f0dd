//! XML Schemas, and validation of documents against them.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lengthwise::tam::Words;
use lengthwise::text::xml::{self, Event as XmlEvent, Reader};
use lengthwise::x694::mapping;
use lengthwise::xsd::{self, Catalog, Event, Files, Source, Validator};
use lengthwise::{Error, ErrorKind, Format, Limits, Options, Schema};

use crate::args::Common;
use crate::inputs::Input;
use crate::report::{EMPTY, Failure};
use crate::schema;
use crate::service;

/// A schema of XML.
pub(crate) struct XmlSchema {
    schema: xsd::Schema,
    documents: Documents,
    /// The local name that `--root` requires for the root element.
    root: Option<String>,
    /// The files that the schema was read from.
    files: Vec<PathBuf>,
}

/// The schema given by the flags, if it is an XML Schema. Several files are one schema.
pub(crate) fn from_flags(common: &Common) -> Result<Option<XmlSchema>, Failure> {
    of(&common.schema, common)
}

/// The schema in some files. The first file determines whether they are XML Schemas.
pub(crate) fn of(paths: &[PathBuf], common: &Common) -> Result<Option<XmlSchema>, Failure> {
    // The schemas in a service description form one schema.
    if let Some((description, documents)) = service::description(paths, common)? {
        return of_schema(description.schema, documents, &description.documents, common).map(Some);
    }
    let limits = common.limits();
    let mut documents = Documents::new(common)?;
    let mut no_xml = None;
    for path in paths {
        match read(path, &limits)? {
            Some(read) => documents.give(path, read)?,
            None => no_xml = Some(path),
        }
    }
    match no_xml {
        Some(_) if documents.given.is_empty() => return Ok(None),
        Some(path) => {
            return Err(Failure::Usage(format!("-s names XML Schemas and also {}, which is not one", path.display())));
        }
        None => {}
    }
    if documents.given.is_empty() {
        return Ok(None);
    }
    let options = documents.options();
    let schema = xsd::Schema::read_all(&documents, &names(paths), &options).map_err(|error| documents.bad(error))?;
    of_schema(schema, documents, &[], common).map(Some)
}

/// The names of the files of `-s`.
pub(crate) fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| name(path)).collect()
}

/// A schema that has been read, perhaps from within other documents.
fn of_schema(
    schema: xsd::Schema,
    documents: Documents,
    by_way_of: &[String],
    common: &Common,
) -> Result<XmlSchema, Failure> {
    let locations = schema.documents.iter().map(|(_, document)| &document.location).chain(by_way_of);
    let files = locations.filter_map(|location| fs::canonicalize(location).ok()).collect();
    let schema = XmlSchema { schema, documents, root: common.root.clone(), files };
    if let Some(output) = common.outputs.iter().find(|output| schema.has(&Input::File((*output).clone()))) {
        let words = "is part of the schema: name another output";
        return Err(Failure::Usage(format!("{} {words}", output.display())));
    }
    schema.check_root()?;
    Ok(schema)
}

/// The content of a file of `-s`, if it is an XML Schema.
fn read(path: &Path, limits: &Limits) -> Result<Option<Vec<u8>>, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is = |other: &str| ending.eq_ignore_ascii_case(other);
    // A pipe can be read only once.
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
    let error =
        Error::new(ErrorKind::Unsupported, "xsd", 0, other, "an ASN.1 module, an XML Schema or a service description");
    Err(Failure::bad(&input, error, &[]))
}

/// The name of a file of `-s` for the schema reader: its path, even if that looks like a URI.
fn name(path: &Path) -> String {
    let path = path.to_string_lossy();
    if path.contains([':', '#']) { path.into_owned() } else { Files::new().resolve(None, &path) }
}

/// The files of `-s`, which have been read, and files that they may refer to.
pub(crate) struct Documents {
    given: HashMap<String, Vec<u8>>,
    catalog: Catalog,
    files: Files,
    limits: Limits,
    /// Folders that would have to be allowed.
    refused: Mutex<Vec<PathBuf>>,
}

impl Documents {
    /// With the folders that the flags allow.
    pub(crate) fn new(common: &Common) -> Result<Documents, Failure> {
        let mut files = Files::new();
        for path in &common.allow_path {
            files = files.allow(path).map_err(|error| unread(path, error))?;
        }
        let (catalog, limits) = (Catalog::new(), common.limits());
        Ok(Documents { given: HashMap::new(), catalog, files, limits, refused: Mutex::default() })
    }

    /// Adds a file of `-s` and its folder. Imports of its namespace refer to it, unless it is the first file.
    pub(crate) fn give(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        self.files = std::mem::take(&mut self.files).allow(folder).map_err(|error| unread(path, error))?;
        if !self.given.is_empty() {
            let target = root(&bytes, &self.limits).map(|root| root.target).unwrap_or_default();
            self.catalog = std::mem::take(&mut self.catalog).with_namespace(target, name(path));
        }
        self.given.insert(name(path), bytes);
        Ok(())
    }

    fn refused(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The options for reading them.
    pub(crate) fn options(&self) -> xsd::Options {
        xsd::Options::default().with_limits(self.limits).with_catalog(self.catalog.clone())
    }

    /// The failure for an error of a schema. Its path is the file with the error, which is shown only if it may be
    /// read.
    #[cold]
    pub(crate) fn bad(&self, error: Error) -> Failure {
        let path = error.path().to_owned();
        let most = self.limits.message_bytes.into();
        let bytes = self.given.get(&path).cloned().or_else(|| self.files.load(&path, most).ok());
        let is_unknown = matches!(error.found(), Words::Own(words) if words.contains("without a document: "));
        let input = Input::File(PathBuf::from(path));
        let mut failure = Failure::bad(&input, error.in_path(""), bytes.as_deref().unwrap_or_default());
        for folder in self.refused().iter() {
            let folder = folder.display();
            failure = failure.with_hint(format!("if you trust these schemas, add --allow-path {folder}"));
        }
        match bytes.as_deref() {
            Some([]) => failure.with_hint(EMPTY),
            _ if is_unknown && self.refused().is_empty() => {
                failure.with_hint("if you have that schema, name it with another -s")
            }
            _ => failure,
        }
    }
}

#[cold]
fn unread(path: &Path, error: io::Error) -> Failure {
    Failure::Io { path: path.display().to_string(), doing: "read", error }
}

impl Source for Documents {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        if base.is_none() && self.given.contains_key(location) {
            return location.to_owned();
        }
        self.files.resolve(base, location)
    }

    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        if let Some(bytes) = self.given.get(name) {
            return Ok(bytes.clone());
        }
        let loaded = self.files.load(name, most);
        if loaded.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
            && let Some(folder) = self.files.refused_folder(name)
        {
            let mut refused = self.refused();
            if !refused.contains(&folder) {
                refused.push(folder);
            }
        }
        loaded
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
    /// Whether it has this namespace and name.
    pub(crate) fn is(&self, namespace: &str, local: &str) -> bool {
        (self.namespace.as_str(), self.local.as_str()) == (namespace, local)
    }
}

/// The root element of a document, as far as it can be read.
pub(crate) fn root(bytes: &[u8], limits: &Limits) -> Option<Root> {
    let mut reader = Reader::new(bytes, &xml::Options::default().with_limits(*limits)).ok()?;
    loop {
        let XmlEvent::Start(tag) = reader.next_event().ok()?? else { continue };
        let (prefix, local) = ::xml::name::split(tag.name());
        return Some(Root {
            written: tag.name().to_owned(),
            local: local.to_owned(),
            namespace: tag.declared(prefix).unwrap_or_default().to_owned(),
            target: tag.attribute("targetNamespace").unwrap_or_default().to_owned(),
        });
    }
}

/// Whether `--root` matches an element: by its local name, or with its namespace in braces before it.
fn is(root: &str, (namespace, local): (&str, &str)) -> bool {
    let rest = match root.strip_prefix('{') {
        Some(rest) => rest.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('}')),
        None => Some(root),
    };
    rest == Some(local)
}

impl XmlSchema {
    /// The failure for an error of the schema. Its path is the file with the error.
    #[cold]
    pub(crate) fn bad(&self, error: Error) -> Failure {
        self.documents.bad(error)
    }

    /// Its components.
    pub(crate) fn components(&self) -> &xsd::Schema {
        &self.schema
    }

    /// The schema with its X.694 modules, for messages in other formats.
    pub(crate) fn to_schema(&self, common: &Common) -> Result<Schema, Failure> {
        let options = mapping::Options::default().with_version(common.mapping.0);
        let schema = Schema::from_xsd(self.schema.clone(), &options).map_err(|error| self.bad(error))?;
        schema::rooted(schema, common)
    }

    /// Whether the schema was read from this file.
    pub(crate) fn has(&self, input: &Input) -> bool {
        let Input::File(path) = input else { return false };
        path.canonicalize().is_ok_and(|path| self.files.contains(&path))
    }

    /// The names of possible root elements: namespace and local name.
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
                Err(Failure::Usage(format!("--root: the schema has no global element '{root}'")))
            }
            _ => Ok(()),
        }
    }

    /// Validates a document. Returns the number of elements and attributes that the schema declares. The errors
    /// are the first, or with `all` as many as there may be.
    pub(crate) fn check(&self, bytes: &[u8], options: &Options<'_>, all: bool) -> Result<usize, Vec<Fault>> {
        let limits = options.limits;
        let options = xsd::Options::default().with_limits(limits);
        let mut validator = Validator::new(&self.schema, bytes, &options).map_err(|error| vec![error.into()])?;
        let (mut units, mut faults) = (0, Vec::new());
        loop {
            let event = match validator.next_event() {
                Ok(event) => event,
                Err(error) if units == 0 && error.kind() == ErrorKind::Schema => {
                    return Err(vec![Fault { error, hint: self.other_roots(bytes, &limits) }]);
                }
                Err(error) => {
                    faults.push(error.into());
                    match all && faults.len() < MOST_FAULTS && validator.recover() {
                        true => continue,
                        false => return Err(faults),
                    }
                }
            };
            match event {
                None if !faults.is_empty() => return Err(faults),
                None => return Ok(units),
                Some(Event::Start(start)) => {
                    let names = &self.schema.names;
                    let local = names.local(start.name);
                    let name = (names.uri(names.namespace(start.name)), local);
                    if let Some(root) = self.root.as_deref().filter(|root| units == 0 && !is(root, name)) {
                        let found = format!("<{local}>");
                        let expected = format!("<{root}>, as --root says");
                        return Err(vec![validator.error(ErrorKind::Schema, found, expected).into()]);
                    }
                    units += 1 + start.attributes().len();
                }
                Some(_) => {}
            }
        }
    }

    /// Suggests root elements, if that of the document is not declared.
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
                [] => "the schema has no global element".to_owned(),
                [one] => format!("<{written}> is in {own}; the schema declares elements of {}", shown(one)),
                [first, others @ ..] => {
                    let (first, n) = (shown(first), others.len());
                    let others = if n == 1 { "namespace" } else { "namespaces" };
                    format!("<{written}> is in {own}; the schema declares elements of {first} and {n} other {others}")
                }
            });
        }
        let more = if here.len() > SHOWN { ", …" } else { "" };
        Some(format!("the root element can be {}{more}", here.get(..SHOWN).unwrap_or(&here).join(", ")))
    }
}

/// So many errors of a document are found at the most: the place of each takes time.
pub(crate) const MOST_FAULTS: usize = 1_000;

/// Why a document is not valid.
pub(crate) struct Fault {
    pub(crate) error: Error,
    pub(crate) hint: Option<String>,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault { error, hint: None }
    }
}

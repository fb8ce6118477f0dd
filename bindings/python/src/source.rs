//! The documents that a schema is made of: kept, so that a schema can be pickled.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use lengthwise::asn1::compiled::Kind;
use lengthwise::asn1::jer::Inference;
use lengthwise::asn1::notation::SourceError;
use lengthwise::asn1::{Compiled, NodeId};
use lengthwise::tam::{Builder, Table, TypeSet, Words};
use lengthwise::x694::mapping;
use lengthwise::xsd::{self, Catalog, Files, Source};
use lengthwise::{Error, ErrorKind, Format, Limits, Options, Schema, Types, soap};

/// What the documents of a schema are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Asn1,
    Xsd,
    Wsdl,
    /// None: the types are inferred. The document is one in PON of which the same are; its location is the name of the format of
    /// messages.
    Inferred,
}

impl Language {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Language::Asn1 => "asn1",
            Language::Xsd => "xsd",
            Language::Wsdl => "wsdl",
            Language::Inferred => "inferred",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Language> {
        [Language::Asn1, Language::Xsd, Language::Wsdl, Language::Inferred]
            .into_iter()
            .find(|language| language.as_str() == name)
    }
}

/// The documents of a schema. Those that were named are at `locations`, in order; others are what these refer to.
#[derive(Clone, Debug)]
pub(crate) struct Documents {
    pub(crate) language: Language,
    pub(crate) locations: Vec<String>,
    pub(crate) texts: BTreeMap<String, Vec<u8>>,
    /// Documents by the namespaces of imports that do not say where they are.
    pub(crate) catalog: BTreeMap<String, String>,
    files: Files,
}

impl Documents {
    /// Documents that are in memory. No file is read.
    pub(crate) fn kept(language: Language, locations: Vec<String>, texts: BTreeMap<String, Vec<u8>>) -> Documents {
        Documents { language, locations, texts, catalog: BTreeMap::new(), files: Files::new() }
    }

    /// The same documents with a catalog.
    pub(crate) fn with_catalog(self, catalog: BTreeMap<String, String>) -> Documents {
        Documents { catalog, ..self }
    }

    /// Modules of ASN.1 in files and folders.
    pub(crate) fn of_modules(paths: &[PathBuf], limits: &Limits) -> Result<Documents, Error> {
        let mut documents = Documents::kept(Language::Asn1, Vec::new(), BTreeMap::new());
        for path in paths {
            for file in modules(path).map_err(|error| unread(path, &error))? {
                let text = read(&file, limits).map_err(|error| unread(&file, &error))?;
                let location = file.to_string_lossy().into_owned();
                documents.locations.push(location.clone());
                documents.texts.insert(location, text);
            }
        }
        Ok(documents)
    }

    /// Documents in XML, which may refer to others in and below their folders.
    pub(crate) fn of_xml(
        language: Language,
        paths: &[PathBuf],
        catalog: BTreeMap<String, PathBuf>,
    ) -> Result<Documents, Error> {
        let mut files = Files::new();
        for path in paths.iter().chain(catalog.values()) {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            files = files.allow(folder).and_then(|files| files.allow(path)).map_err(|error| unread(path, &error))?;
        }
        let locations = paths.iter().map(|path| location(path)).collect();
        let catalog = catalog.into_iter().map(|(namespace, path)| (namespace, location(&path))).collect();
        Ok(Documents { language, locations, texts: BTreeMap::new(), catalog, files })
    }

    /// The schema of the documents. Errors have the document as their path.
    pub(crate) fn schema(&mut self, root: Option<&str>, limits: &Limits) -> Result<Schema, Error> {
        if self.locations.is_empty() {
            return Err(Error::without_place(ErrorKind::Schema, "python", "no document", "one at least"));
        }
        let schema = match self.language {
            Language::Asn1 => self.of_notation(limits)?,
            Language::Inferred => self.of_example()?,
            Language::Xsd => {
                let locations = self.locations.clone();
                let options = self.options(limits);
                let schema = self.reading(|source| xsd::Schema::read_all(source, &locations, &options))?;
                Schema::from_xsd(schema, &mapping::Options::default())?
            }
            Language::Wsdl => {
                let (options, locations) = (self.options(limits), self.locations.clone());
                Schema::from_service(self.reading(|source| soap::Service::read_all(source, &locations, &options))?)
            }
        };
        match root {
            Some(root) => schema.with_root(root),
            None => Ok(schema),
        }
    }

    /// The document of messages whose types were inferred.
    pub(crate) fn inferred(inference: Inference, format: Format, limits: &Limits) -> Result<Documents, Error> {
        let schema = Schema::from_model(inference.schema(), limits)?;
        let mut table = Table::new();
        let mut builder = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
        example(schema.types(), schema.root()?, None, &mut builder)?;
        builder.finish()?;
        let document = table.document(b"", TypeSet::VALUE);
        let message = lengthwise::write(&document, Format::Pon, &Options::default())?;
        let location = format.as_str().to_owned();
        Ok(Documents::kept(Language::Inferred, vec![location.clone()], BTreeMap::from([(location, message)])))
    }

    fn of_example(&self) -> Result<Schema, Error> {
        let options = Options::default().with_output_types(Types::Value);
        let (mut inference, mut table) = (Inference::default(), Table::new());
        let message = self.texts.values().next().map(Vec::as_slice).unwrap_or_default();
        inference.add(&lengthwise::read(message, Format::Pon, &options, &mut table)?)?;
        Schema::from_model(inference.schema(), &Limits::default())
    }

    fn of_notation(&self, limits: &Limits) -> Result<Schema, Error> {
        let mut sources = Vec::with_capacity(self.locations.len());
        for location in &self.locations {
            let text = self.texts.get(location).map(Vec::as_slice).unwrap_or_default();
            sources.push((&location[..], text));
        }
        Schema::from_notation(&sources, limits).map_err(|SourceError { error, name, .. }| error.in_path(name))
    }

    /// What a reader makes of the documents. Those that it loads are kept.
    fn reading<T>(&mut self, read: impl FnOnce(&Reading<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let reading = Reading { documents: self, loaded: RefCell::default() };
        let result = read(&reading);
        let loaded = reading.loaded.into_inner();
        self.texts.extend(loaded);
        result
    }

    fn options(&self, limits: &Limits) -> xsd::Options {
        let catalog = self.catalog.iter().fold(Catalog::new(), |catalog, (namespace, document)| {
            catalog.with_namespace(namespace.as_str(), document.as_str())
        });
        xsd::Options::default().with_limits(*limits).with_catalog(catalog)
    }
}

/// Adds a value that has a type that was inferred, and no other. Recursion is as deep as inferred types are.
fn example(types: &Compiled, node: NodeId, name: Option<&str>, builder: &mut Builder<'_, '_, '_>) -> Result<(), Error> {
    let (kind, data) = match types.node(node).kind {
        Kind::Boolean => (b'?', &b"f"[..]),
        Kind::Integer(_) => (b'#', &b"0"[..]),
        Kind::Real => (b'%', &b"0.5"[..]),
        Kind::OctetString(_) => (b'*', &b""[..]),
        Kind::Array(_) => (b'[', &b""[..]),
        Kind::Record(_) => (b'{', &b""[..]),
        _ => (b'\'', &b""[..]),
    };
    let is_container = matches!(kind, b'[' | b'{');
    match is_container {
        true => builder.open_member(kind, name.map(str::as_bytes))?,
        false => builder.primitive_member(kind, name.map(str::as_bytes), data)?,
    }
    match types.node(node).kind {
        Kind::Array(array) => example(types, array.item, None, builder)?,
        Kind::Record(number) => {
            let mut members = types.record(number).members.iter();
            members.try_for_each(|member| example(types, member.node, Some(&member.name), builder))?;
        }
        _ => {}
    }
    if is_container { builder.close() } else { Ok(()) }
}

/// Documents while they are read, and those that have been loaded.
struct Reading<'d> {
    documents: &'d Documents,
    loaded: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Source for Reading<'_> {
    fn resolve(&self, base: Option<&str>, location: &str) -> String {
        match base {
            None if self.documents.texts.contains_key(location) => location.to_owned(),
            base => self.documents.files.resolve(base, location),
        }
    }

    fn load(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        if let Some(text) = self.documents.texts.get(name) {
            return Ok(text.clone());
        }
        let text = self.documents.files.load(name, most)?;
        self.loaded.borrow_mut().insert(name.to_owned(), text.clone());
        Ok(text)
    }
}

/// The name of a file for the reader of schemas.
fn location(path: &Path) -> String {
    let path = path.to_string_lossy();
    // It would be taken for a URI.
    if path.contains([':', '#']) { path.into_owned() } else { Files::new().resolve(None, &path) }
}

/// A file, or the modules in a folder.
fn modules(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in path.read_dir()? {
        let file = entry?.path();
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ending.eq_ignore_ascii_case("asn1") || ending.eq_ignore_ascii_case("asn") {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no ASN.1 modules (.asn, .asn1) in this folder"));
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path, limits: &Limits) -> io::Result<Vec<u8>> {
    match std::fs::metadata(path)?.len() {
        len if len > limits.message_bytes.into() => Err(io::Error::other("it is larger than message_bytes")),
        _ => std::fs::read(path),
    }
}

fn unread(path: &Path, error: &io::Error) -> Error {
    let found = Words::Own(format!("{}: {error}", path.display()));
    Error::without_place(ErrorKind::Io, "python", found, "").in_path(path.to_string_lossy())
}

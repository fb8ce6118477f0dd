//! Catalogs, which map namespaces and locations to local files.

use std::io;
use std::path::Path;

use tam::{Error, ErrorKind, Limits};
use text::xml::{self, Event, Files, Reader, Source};

/// Local documents for namespaces and locations, so that nothing has to be loaded over a network.
///
/// ```
/// use lengthwise_xsd::Catalog;
///
/// let catalog = Catalog::new().with_namespace("http://www.w3.org/1999/xlink", "local/xlink.xsd");
/// assert_eq!(catalog.find("http://www.w3.org/1999/xlink", None), Some("local/xlink.xsd".to_owned()));
///
/// let catalog = Catalog::read(
///     br#"<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
///           <rewriteSystem systemIdStartString="http://example.org/xsd/" rewritePrefix="local/"/>
///         </catalog>"#,
///     "schemas/catalog.xml",
/// ).unwrap();
/// assert_eq!(
///     catalog.find("", Some("http://example.org/xsd/a.xsd")),
///     Some("schemas/local/a.xsd".to_owned()),
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// Namespaces and locations, each with its document.
    whole: Vec<(String, String)>,
    /// Beginnings of locations, each with its replacement.
    beginnings: Vec<(String, String)>,
    /// Ends of locations, each with its document.
    ends: Vec<(String, String)>,
    /// The catalogs that it goes on in.
    next: Vec<String>,
    /// The names of entries that are not read.
    unread: Vec<String>,
}

const CATALOG_NAMESPACE: &str = "urn:oasis:names:tc:entity:xmlns:xml:catalog";

impl Catalog {
    /// An empty catalog.
    #[must_use]
    pub fn new() -> Catalog {
        Catalog::default()
    }

    /// The same catalog with a document for a namespace, or for a location as it is written.
    #[must_use]
    pub fn with_namespace(mut self, namespace: impl Into<String>, document: impl Into<String>) -> Catalog {
        self.whole.push((namespace.into(), document.into()));
        self
    }

    /// Reads an OASIS XML Catalog file (version 1.1) with its location: its entries `uri`, `system`, `rewriteURI`,
    /// `rewriteSystem`, `uriSuffix` and `systemSuffix`. Those of `nextCatalog` are in [`Catalog::next`], others in
    /// [`Catalog::unread`].
    ///
    /// # Errors
    /// When it is not well-formed, or not a catalog (kind schema).
    pub fn read(text: &[u8], location: &str) -> Result<Catalog, Error> {
        let options = xml::Options::default().with_limits(Limits { message_bytes: 16 << 20, ..Limits::DEFAULT });
        let mut reader = Reader::new(text, &options).map_err(|error| error.in_path(location))?;
        let mut catalog = Catalog::new();
        let mut bases: Vec<String> = Vec::new();
        loop {
            let event = reader.next_event().map_err(|error| error.in_path(location))?;
            let tag = match event {
                None => return Ok(catalog),
                Some(Event::Start(tag)) => tag,
                Some(Event::End(_)) => {
                    bases.pop();
                    continue;
                }
                Some(_) => continue,
            };
            let local = tag.name().rsplit(':').next().unwrap_or("");
            if bases.is_empty()
                && (local != "catalog" || !tag.attributes().any(|(_, value)| value == CATALOG_NAMESPACE))
            {
                let found = format!("<{}>", tag.name());
                let error = reader.error(ErrorKind::Schema, found, "<catalog> of the namespace of OASIS XML Catalogs");
                return Err(error.in_path(location));
            }
            let outer = bases.last().map_or(location, String::as_str);
            let base = tag
                .attribute("xml:base")
                .map_or_else(|| outer.to_owned(), |base| Files::new().resolve(Some(outer), base));
            let entry = |key: &str, value: &str| Some((tag.attribute(key)?.to_owned(), tag.attribute(value)?));
            let (list, entry) = match local {
                "uri" => (&mut catalog.whole, entry("name", "uri")),
                "system" => (&mut catalog.whole, entry("systemId", "uri")),
                "rewriteURI" => (&mut catalog.beginnings, entry("uriStartString", "rewritePrefix")),
                "rewriteSystem" => (&mut catalog.beginnings, entry("systemIdStartString", "rewritePrefix")),
                "uriSuffix" => (&mut catalog.ends, entry("uriSuffix", "uri")),
                "systemSuffix" => (&mut catalog.ends, entry("systemIdSuffix", "uri")),
                _ => (&mut catalog.whole, None),
            };
            match (entry, local) {
                (Some((key, value)), _) => list.push((key, Files::new().resolve(Some(&base), value))),
                (None, "nextCatalog") => {
                    let next = tag.attribute("catalog").unwrap_or_default();
                    catalog.next.push(Files::new().resolve(Some(&base), next));
                }
                (None, "catalog" | "group") => {}
                (None, _) => catalog.unread.push(local.to_owned()),
            }
            bases.push(base);
        }
    }

    /// The catalogs that are read after this one, where it has no entry.
    #[must_use]
    pub fn next(&self) -> &[String] {
        &self.next
    }

    /// The names of entries that were not read, such as `public`.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        &self.unread
    }

    /// The document for a location, otherwise for a namespace.
    #[must_use]
    pub fn find(&self, namespace: &str, location: Option<&str>) -> Option<String> {
        let whole = |key: &str| self.whole.iter().find(|(other, _)| other == key).map(|(_, document)| document.clone());
        let by_location = || {
            let location = location?;
            let by_beginning = || {
                let fits = self.beginnings.iter().filter(|(start, _)| location.starts_with(start.as_str()));
                let (start, instead) = fits.max_by_key(|(start, _)| start.len())?;
                Some(format!("{instead}{}", &location[start.len()..]))
            };
            let by_end = || {
                let fits = self.ends.iter().filter(|(end, _)| location.ends_with(end.as_str()));
                Some(fits.max_by_key(|(end, _)| end.len())?.1.clone())
            };
            whole(location).or_else(by_beginning).or_else(by_end)
        };
        let by_namespace = || if namespace.is_empty() { None } else { whole(namespace) };
        by_location().or_else(by_namespace)
    }

    /// The files beside a document, and the documents and folders that the catalog names.
    pub(crate) fn files(&self, document: &Path) -> io::Result<Files> {
        let named = self.whole.iter().chain(&self.beginnings).chain(&self.ends).map(|(_, document)| document);
        // A document that does not exist is reported when it is read.
        Ok(named.fold(Files::beside(document)?, |files, local| files.clone().allow(local).unwrap_or(files)))
    }

    /// The document for a location.
    pub(crate) fn find_location(&self, location: &str) -> Option<String> {
        self.find("", Some(location))
    }
}

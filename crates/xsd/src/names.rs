//! Interned names: expanded names as small numbers.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};
use xml::scan::is_same;

/// The namespace of XML Schema, of `xs:element` and the built-in types.
pub const XSD_NAMESPACE: &str = "http://www.w3.org/2001/XMLSchema";
/// The namespace of `xsi:type`, `xsi:nil`, `xsi:schemaLocation`.
pub const XSI_NAMESPACE: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// The namespace that the prefix `xml` is bound to.
pub const XML_NAMESPACE: &str = xml::namespaces::XML;
/// The namespace of WSDL 1.1, of `wsdl:definitions` and `wsdl:arrayType`.
pub const WSDL_NAMESPACE: &str = "http://schemas.xmlsoap.org/wsdl/";
/// The namespace of SOAP 1.1's encoding, of `SOAP-ENC:Array`.
pub const ENCODING_NAMESPACE: &str = "http://schemas.xmlsoap.org/soap/encoding/";

/// The number of a namespace in [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamespaceId(pub(crate) u32);

impl NamespaceId {
    /// No namespace ("absent" in the Recommendation).
    pub const NONE: NamespaceId = NamespaceId(0);
    /// [`XSD_NAMESPACE`].
    pub const XSD: NamespaceId = NamespaceId(1);
    /// [`XSI_NAMESPACE`].
    pub const XSI: NamespaceId = NamespaceId(2);
    /// [`XML_NAMESPACE`].
    pub const XML: NamespaceId = NamespaceId(3);
    /// A namespace of an instance that no schema document mentions.
    pub const UNKNOWN: NamespaceId = NamespaceId(u32::MAX);
}

/// The number of an expanded name (namespace and local name) in [`Names`]. Equal names have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub(crate) u32);

impl Name {
    /// A name of an instance that no schema document mentions.
    pub const UNKNOWN: Name = Name(u32::MAX);
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    namespace: NamespaceId,
    start: u32,
    end: u32,
}

/// All names of a schema, each once.
///
/// ```
/// use lengthwise_xsd::{Names, XSD_NAMESPACE};
///
/// let mut names = Names::new();
/// let name = names.intern(XSD_NAMESPACE, "string");
/// assert_eq!(names.find(XSD_NAMESPACE, "string"), Some(name));
/// assert_eq!((names.uri(names.namespace(name)), names.local(name)), (XSD_NAMESPACE, "string"));
/// assert_eq!(names.shown(name), "{http://www.w3.org/2001/XMLSchema}string");
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    text: String,
    entries: Vec<Entry>,
    table: HashTable<u32>,
    uris: Vec<Box<str>>,
    uri_table: HashTable<u32>,
    hasher: RandomState,
}

#[inline(always)]
fn hash(hasher: &RandomState, namespace: NamespaceId, local: &str) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write_u32(namespace.0);
    hasher.write(local.as_bytes());
    hasher.finish()
}

impl Default for Names {
    fn default() -> Names {
        Names::new()
    }
}

impl Names {
    /// Only the namespaces that have a constant, and no names.
    #[must_use]
    pub fn new() -> Names {
        let mut names = Names {
            text: String::new(),
            entries: Vec::new(),
            table: HashTable::new(),
            uris: Vec::new(),
            uri_table: HashTable::new(),
            hasher: RandomState::default(),
        };
        for uri in ["", XSD_NAMESPACE, XSI_NAMESPACE, XML_NAMESPACE] {
            names.intern_uri(uri);
        }
        names
    }

    /// The number of a namespace, which is added if it is new. An empty URI means no namespace.
    pub fn intern_uri(&mut self, uri: &str) -> NamespaceId {
        if let Some(id) = self.find_uri(uri) {
            return id;
        }
        let id = self.uris.len() as u32;
        self.uris.push(uri.into());
        let (uris, hasher) = (&self.uris, &self.hasher);
        let hash = |id: &u32| hasher.hash_one(&*uris[*id as usize]);
        self.uri_table.insert_unique(hasher.hash_one(uri), id, hash);
        NamespaceId(id)
    }

    /// The number of a namespace, if it is known.
    #[must_use]
    pub fn find_uri(&self, uri: &str) -> Option<NamespaceId> {
        let same = |id: &u32| &*self.uris[*id as usize] == uri;
        self.uri_table.find(self.hasher.hash_one(uri), same).map(|id| NamespaceId(*id))
    }

    /// The number of an expanded name, which is added if it is new.
    pub fn intern(&mut self, uri: &str, local: &str) -> Name {
        let namespace = self.intern_uri(uri);
        self.intern_in(namespace, local)
    }

    /// The number of a name in a namespace, which is added if it is new.
    pub fn intern_in(&mut self, namespace: NamespaceId, local: &str) -> Name {
        if let Some(name) = self.find_in(namespace, local) {
            return name;
        }
        let (start, id) = (self.text.len() as u32, self.entries.len() as u32);
        self.text.push_str(local);
        self.entries.push(Entry { namespace, start, end: self.text.len() as u32 });
        let (text, entries, hasher) = (&self.text, &self.entries, &self.hasher);
        let again = |id: &u32| {
            let entry = entries[*id as usize];
            hash(hasher, entry.namespace, &text[entry.start as usize..entry.end as usize])
        };
        self.table.insert_unique(hash(hasher, namespace, local), id, again);
        Name(id)
    }

    /// The number of an expanded name, if it is known.
    #[must_use]
    pub fn find(&self, uri: &str, local: &str) -> Option<Name> {
        self.find_in(self.find_uri(uri)?, local)
    }

    /// The number of a name in a namespace, if it is known.
    #[inline]
    #[must_use]
    pub fn find_in(&self, namespace: NamespaceId, local: &str) -> Option<Name> {
        let same = |id: &u32| {
            let entry = self.entries[*id as usize];
            let text = self.text.as_bytes().get(entry.start as usize..entry.end as usize);
            entry.namespace == namespace && text.is_some_and(|text| is_same(text, local.as_bytes()))
        };
        self.table.find(hash(&self.hasher, namespace, local), same).map(|id| Name(*id))
    }

    /// The namespace of a name.
    #[must_use]
    pub fn namespace(&self, name: Name) -> NamespaceId {
        self.entries.get(name.0 as usize).map_or(NamespaceId::UNKNOWN, |entry| entry.namespace)
    }

    /// The local part of a name; empty for [`Name::UNKNOWN`].
    #[must_use]
    pub fn local(&self, name: Name) -> &str {
        let entry = self.entries.get(name.0 as usize);
        entry.and_then(|entry| self.text.get(entry.start as usize..entry.end as usize)).unwrap_or("")
    }

    /// The URI of a namespace; empty for no namespace.
    #[must_use]
    pub fn uri(&self, namespace: NamespaceId) -> &str {
        self.uris.get(namespace.0 as usize).map_or("", |uri| uri)
    }

    /// The name for display: `{namespace}local`, or `local` in no namespace.
    #[must_use]
    pub fn shown(&self, name: Name) -> String {
        match self.uri(self.namespace(name)) {
            "" => self.local(name).to_owned(),
            uri => format!("{{{uri}}}{}", self.local(name)),
        }
    }
}

//! Namespace prefixes of an instance that is written.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use xml::escape::Context;
use xsd::{Names, NamespaceId, Schema, XML_NAMESPACE, XSI_NAMESPACE};

/// For each namespace, the first prefix that the schema documents declare for it.
#[derive(Debug, Default)]
pub(crate) struct Preferred(HashMap<String, String>);

impl Preferred {
    pub(crate) fn of(schema: &Schema) -> Preferred {
        let mut preferred = HashMap::new();
        let mut taken = HashSet::new();
        for (prefix, namespace) in schema.documents.iter().flat_map(|(_, document)| &document.prefixes) {
            let uri = schema.names.uri(*namespace);
            // Prefixes that look like generated ones, or begin with `xml`, are not used.
            let is_made_up = prefix == "xsi" || prefix.strip_prefix("ns").is_some_and(is_number);
            let is_reserved = prefix.get(..3).is_some_and(|first| first.eq_ignore_ascii_case("xml"));
            if !is_made_up
                && !is_reserved
                && uri != XSI_NAMESPACE
                && !preferred.contains_key(uri)
                && taken.insert(prefix)
            {
                preferred.insert(uri.to_owned(), prefix.clone());
            }
        }
        Preferred(preferred)
    }

    /// The prefix of a namespace, if it has one.
    pub(crate) fn of_uri(&self, uri: &str) -> Option<&str> {
        self.0.get(uri).map(String::as_str)
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The prefixes of an instance. The root element declares all of them, so that no prefix changes its namespace.
#[derive(Debug)]
pub(super) struct Prefixes<'t> {
    preferred: &'t Preferred,
    /// The namespace of names without a prefix.
    default: Option<NamespaceId>,
    /// The prefixes used so far, each with its namespace.
    declared: Vec<(String, String)>,
    by_id: HashMap<NamespaceId, usize, RandomState>,
    by_uri: HashMap<String, usize>,
    is_default_used: bool,
    /// How many prefixes have been generated.
    made_up: usize,
}

impl<'t> Prefixes<'t> {
    /// Prefixes for an instance, whose default namespace is that of the root unless names may be in no namespace.
    pub(super) fn new(default: Option<NamespaceId>, preferred: &'t Preferred) -> Prefixes<'t> {
        Prefixes {
            preferred,
            default,
            declared: Vec::new(),
            by_id: HashMap::default(),
            by_uri: HashMap::new(),
            is_default_used: false,
            made_up: 0,
        }
    }

    /// Whether names without a prefix may be in a namespace.
    pub(super) fn has_default(&self) -> bool {
        self.default.is_some()
    }

    /// Appends the prefix of an element's name and a colon; nothing in the default namespace.
    pub(super) fn push_element(&mut self, names: &Names, namespace: NamespaceId, out: &mut Vec<u8>) {
        if self.default == Some(namespace) {
            self.is_default_used = true;
            return;
        }
        self.push_attribute(names, namespace, out);
    }

    /// Appends the prefix of an attribute's name and a colon; nothing in no namespace.
    pub(super) fn push_attribute(&mut self, names: &Names, namespace: NamespaceId, out: &mut Vec<u8>) {
        match namespace {
            NamespaceId::NONE => {}
            NamespaceId::XML => out.extend_from_slice(b"xml:"),
            _ => {
                let at = match self.by_id.get(&namespace) {
                    Some(at) => *at,
                    None => {
                        let at = self.declare(names.uri(namespace));
                        self.by_id.insert(namespace, at);
                        at
                    }
                };
                out.extend_from_slice(self.declared[at].0.as_bytes());
                out.push(b':');
            }
        }
    }

    /// The prefix of a namespace that a value uses.
    pub(super) fn of_value(&mut self, uri: &str) -> &str {
        if uri == XML_NAMESPACE {
            return "xml";
        }
        let at = self.declare(uri);
        &self.declared[at].0
    }

    fn declare(&mut self, uri: &str) -> usize {
        if let Some(at) = self.by_uri.get(uri) {
            return *at;
        }
        let prefix = match self.preferred.of_uri(uri) {
            Some(prefix) => prefix.to_owned(),
            None if uri == XSI_NAMESPACE => "xsi".to_owned(),
            None => {
                self.made_up += 1;
                format!("ns{}", self.made_up)
            }
        };
        let at = self.declared.len();
        self.declared.push((prefix, uri.to_owned()));
        self.by_uri.insert(uri.to_owned(), at);
        at
    }

    /// The declarations for the root's start tag.
    pub(super) fn declarations(&self, names: &Names) -> Vec<u8> {
        let mut out = Vec::new();
        let mut push = |name: &str, uri: &str| {
            out.extend_from_slice(b" xmlns");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"=\"");
            xml::escape::push(&mut out, uri, Context::Attribute);
            out.push(b'"');
        };
        if let Some(default) = self.default.filter(|_| self.is_default_used) {
            push("", names.uri(default));
        }
        for (prefix, uri) in &self.declared {
            push(&format!(":{prefix}"), uri);
        }
        out
    }
}

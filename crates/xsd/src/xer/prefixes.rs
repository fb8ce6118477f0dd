//! Prefixes of namespaces, where an instance is written.

use std::collections::HashMap;

use crate::{Names, NamespaceId, XML_NAMESPACE, XSI_NAMESPACE};

/// The prefixes of an instance. All are declared by the root element, so that none changes what it is bound
/// to.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    /// The namespace of names without a prefix.
    default: Option<NamespaceId>,
    /// Prefix and namespace of each that has been used, in that order.
    declared: Vec<(String, String)>,
    by_id: HashMap<NamespaceId, usize>,
    by_uri: HashMap<String, usize>,
    is_default_used: bool,
}

impl Prefixes {
    /// The namespace of the root element is that of names without a prefix, unless some are in none.
    pub(super) fn new(default: Option<NamespaceId>) -> Prefixes {
        Prefixes { default, ..Prefixes::default() }
    }

    /// Whether names without a prefix may be in a namespace.
    pub(super) fn has_default(&self) -> bool {
        self.default.is_some()
    }

    /// The prefix of an element's name with the colon; empty for none.
    pub(super) fn push_element(&mut self, names: &Names, namespace: NamespaceId, out: &mut Vec<u8>) {
        if self.default == Some(namespace) {
            self.is_default_used = true;
            return;
        }
        self.push_attribute(names, namespace, out);
    }

    /// The same of an attribute's name.
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

    /// The prefix of a namespace that a value names.
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
        let prefix = match uri {
            XSI_NAMESPACE => "xsi".to_owned(),
            _ => format!("ns{}", self.by_uri.len() + 1 - usize::from(self.by_uri.contains_key(XSI_NAMESPACE))),
        };
        let at = self.declared.len();
        self.declared.push((prefix, uri.to_owned()));
        self.by_uri.insert(uri.to_owned(), at);
        at
    }

    /// The declarations, as they stand in the root's start tag.
    pub(super) fn declarations(&self, names: &Names) -> Vec<u8> {
        let mut out = Vec::new();
        let mut push = |name: &str, uri: &str| {
            out.extend_from_slice(b" xmlns");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"=\"");
            text::xml::push_attribute(&mut out, uri);
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

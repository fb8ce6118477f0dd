//! Namespace declarations that hold where the instance has been read to.

use text::xml::StartTag;

use super::{Checked, Fault};
use xml::name::colon;
use xml::scan::first_word;

use crate::names::XMLNS_NAMESPACE;
use crate::value::Scope;
use crate::{Names, NamespaceId, XML_NAMESPACE};

#[derive(Clone, Copy, Debug)]
struct Binding {
    start: u32,
    middle: u32,
    end: u32,
    namespace: NamespaceId,
    /// The prefix's first eight bytes, which is all of most.
    word: u64,
    /// The number of this binding among all there have been, from 1.
    number: u32,
}

/// Declarations that hold at a time: they are looked through one by one.
const MOST: usize = 1_000;

/// The bindings, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    bindings: Vec<Binding>,
    /// The namespace of names without a prefix, which most are, if one has been declared.
    default: Option<NamespaceId>,
    /// Bindings there have been.
    count: u32,
    /// Prefixes and namespaces, one behind the other.
    text: String,
}

impl Bindings {
    pub(super) fn len(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// A number for the bindings that hold: others have another.
    pub(super) fn scope(&self) -> u32 {
        self.bindings.last().map_or(0, |last| last.number)
    }

    /// Forgets what was declared since there were so many.
    pub(super) fn truncate(&mut self, len: u32) {
        if self.bindings.len() > len as usize {
            self.text.truncate(self.bindings[len as usize].start as usize);
            self.bindings.truncate(len as usize);
            self.default = self.binding("").map(|binding| binding.namespace);
        }
    }

    /// Takes the declarations of a start tag; whether others of its attributes have a prefix.
    pub(super) fn declare(&mut self, tag: StartTag<'_>, names: &Names) -> Checked<bool> {
        let mut prefixed = false;
        for (name, uri) in tag.attributes() {
            let Some(rest) = name.strip_prefix("xmlns") else {
                prefixed |= colon(name.as_bytes()).is_some();
                continue;
            };
            let prefix = match rest.strip_prefix(':') {
                Some(prefix) => prefix,
                None if rest.is_empty() => "",
                None => {
                    prefixed |= rest.contains(':');
                    continue;
                }
            };
            let undeclared = uri.is_empty() && !prefix.is_empty();
            let reserved = prefix == "xmlns" || (prefix == "xml") != (uri == XML_NAMESPACE) || uri == XMLNS_NAMESPACE;
            if undeclared || reserved {
                return Err(Fault::new(format!("{name}='{uri}'"), "a namespace that the prefix may be bound to"));
            }
            if self.bindings.len() >= MOST {
                return Err(Fault::limit("more namespace declarations", format!("at most {MOST} that hold at a time")));
            }
            let start = self.text.len() as u32;
            self.text.push_str(prefix);
            let middle = self.text.len() as u32;
            self.text.push_str(uri);
            let end = self.text.len() as u32;
            let namespace = names.find_uri(uri).unwrap_or(NamespaceId::UNKNOWN);
            let word = first_word(prefix.as_bytes());
            self.count = self.count.wrapping_add(1);
            self.bindings.push(Binding { start, middle, end, namespace, word, number: self.count });
            if prefix.is_empty() {
                self.default = Some(namespace);
            }
        }
        Ok(prefixed)
    }

    #[inline]
    fn binding(&self, prefix: &str) -> Option<&Binding> {
        let word = first_word(prefix.as_bytes());
        let is = |binding: &&Binding| {
            // No prefix has a zero in it: of fewer than eight bytes, the word says all.
            binding.word == word && (prefix.len() < 8 || self.prefix(binding) == prefix.as_bytes())
        };
        self.bindings.iter().rev().find(is)
    }

    fn prefix(&self, binding: &Binding) -> &[u8] {
        self.text.as_bytes().get(binding.start as usize..binding.middle as usize).unwrap_or_default()
    }

    /// The namespace of a prefix; `None` if it is not bound.
    pub(super) fn namespace(&self, prefix: &str) -> Option<NamespaceId> {
        if prefix.is_empty() {
            return Some(self.default.unwrap_or(NamespaceId::NONE));
        }
        match self.binding(prefix) {
            Some(binding) => Some(binding.namespace),
            None if prefix == "xml" => Some(NamespaceId::XML),
            None => None,
        }
    }
}

impl Scope for Bindings {
    fn uri(&self, prefix: &str) -> Option<&str> {
        match self.binding(prefix) {
            Some(binding) => self.text.get(binding.middle as usize..binding.end as usize),
            None if prefix.is_empty() => Some(""),
            None if prefix == "xml" => Some(XML_NAMESPACE),
            None => None,
        }
    }
}

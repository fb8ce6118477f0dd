//! The namespace declarations in scope.

use text::xml::StartTag;
use xml::name::colon;
use xml::namespaces::declared;

use super::{Checked, Fault};
use crate::value::Scope;
use crate::{Names, NamespaceId};

/// The most declarations in scope.
const MOST: usize = 1_000;

/// The bound prefixes, and the numbers of their namespaces in the schema. The reader has checked the declarations.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    scope: xml::namespaces::Scope,
    /// The number in the schema of each namespace of the scope.
    ids: Vec<NamespaceId>,
    /// The default namespace, if one is declared. It is stored because most names have no prefix.
    default: Option<NamespaceId>,
}

impl Bindings {
    /// A number that identifies the current bindings.
    pub(super) fn scope(&self) -> u32 {
        self.scope.state()
    }

    /// Appends the current bindings; `false` if they take more than `most` bytes.
    pub(super) fn push(&self, out: &mut Vec<u8>, most: usize) -> bool {
        self.scope.push_bindings(out, most)
    }

    /// Whether the element at a depth, which is the innermost one, declares namespaces.
    #[inline]
    pub(super) fn are_declared_at(&self, depth: usize) -> bool {
        self.scope.held() > 0 && self.scope.watched() >= depth
    }

    /// Removes the declarations of elements below a depth.
    #[inline]
    pub(super) fn end(&mut self, depth: usize) {
        if depth < self.scope.watched() {
            self.scope.end(depth);
            self.default = self.scope.namespace(b"").map(|number| self.id(number));
        }
    }

    /// Adds the declarations of a start tag, whose element is the `depth`th open one. Returns whether other attributes have
    /// a prefix.
    pub(super) fn declare(&mut self, depth: usize, tag: StartTag<'_>, names: &Names) -> Checked<bool> {
        let mut prefixed = false;
        for (name, uri) in tag.attributes() {
            let Some(prefix) = declared(name) else {
                prefixed |= colon(name.as_bytes()).is_some();
                continue;
            };
            if self.scope.held() >= MOST {
                return Err(Fault::limit("more namespace declarations", format!("at most {MOST} that hold at a time")));
            }
            let number = self.scope.bind(depth, prefix.as_bytes(), uri.as_bytes());
            while self.ids.len() < self.scope.uris() as usize {
                let uri = str::from_utf8(self.scope.uri(self.ids.len() as u32)).unwrap_or_default();
                self.ids.push(names.find_uri(uri).unwrap_or(NamespaceId::UNKNOWN));
            }
            if prefix.is_empty() {
                self.default = Some(self.id(number));
            }
        }
        Ok(prefixed)
    }

    #[inline]
    fn id(&self, number: u32) -> NamespaceId {
        self.ids.get(number as usize).copied().unwrap_or(NamespaceId::UNKNOWN)
    }

    /// The namespace of a prefix; `None` if it is not bound.
    pub(super) fn namespace(&self, prefix: &str) -> Option<NamespaceId> {
        match prefix {
            "" => Some(self.default.unwrap_or(NamespaceId::NONE)),
            "xml" => Some(NamespaceId::XML),
            _ => self.scope.namespace(prefix.as_bytes()).map(|number| self.id(number)),
        }
    }
}

impl Scope for Bindings {
    fn uri(&self, prefix: &str) -> Option<&str> {
        match self.scope.namespace(prefix.as_bytes()) {
            Some(number) => str::from_utf8(self.scope.uri(number)).ok(),
            None => prefix.is_empty().then_some(""),
        }
    }
}

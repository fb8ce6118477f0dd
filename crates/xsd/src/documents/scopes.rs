//! Namespace declarations of schema documents, and their scopes.

use text::xml::StartTag;
use xml::namespaces::declared;

use crate::{Names, NamespaceId};

/// The scope in which nothing is declared.
pub(crate) const OUTSIDE: u32 = u32::MAX;

/// A namespace declaration, and the scope around it.
#[derive(Clone, Debug)]
struct Binding {
    outer: u32,
    prefix: Box<str>,
    namespace: NamespaceId,
}

/// The namespace declarations of a document. A scope is the index of the innermost declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes {
    bindings: Vec<Binding>,
}

impl Scopes {
    /// The scope in an element, from the scope around it. The reader has checked the declarations.
    pub(crate) fn declare(&mut self, around: u32, tag: StartTag<'_>, names: &mut Names) -> u32 {
        let mut scope = around;
        for (name, value) in tag.attributes() {
            let Some(prefix) = declared(name) else { continue };
            let namespace = names.intern_uri(value);
            self.bindings.push(Binding { outer: scope, prefix: prefix.into(), namespace });
            scope = self.last();
        }
        scope
    }

    /// The number of declarations.
    pub(crate) fn len(&self) -> u32 {
        self.bindings.len() as u32
    }

    /// Removes the declarations from an index on.
    pub(crate) fn truncate(&mut self, len: u32) {
        self.bindings.truncate(len as usize);
    }

    /// The scope of the last declaration.
    pub(crate) fn last(&self) -> u32 {
        self.len().checked_sub(1).unwrap_or(OUTSIDE)
    }

    /// The namespace of a prefix in a scope; `None` if it is not declared. Without a default namespace, the empty prefix is
    /// [`NamespaceId::NONE`].
    pub(crate) fn find(&self, scope: u32, prefix: &str) -> Option<NamespaceId> {
        if prefix == "xml" {
            return Some(NamespaceId::XML);
        }
        let found = self.outwards(scope).find(|binding| *binding.prefix == *prefix);
        found.map(|binding| binding.namespace).or_else(|| prefix.is_empty().then_some(NamespaceId::NONE))
    }

    /// The declarations in a scope, except for the empty prefix, in order.
    pub(crate) fn within(&self, scope: u32) -> impl Iterator<Item = (&str, NamespaceId)> {
        let mut declared: Vec<&Binding> = self.outwards(scope).filter(|one| !one.prefix.is_empty()).collect();
        declared.reverse();
        declared.into_iter().map(|one| (&*one.prefix, one.namespace))
    }

    /// Only the declarations of a scope and those around it.
    pub(crate) fn alone(&self, scope: u32) -> Scopes {
        let mut bindings: Vec<Binding> = self.outwards(scope).cloned().collect();
        bindings.reverse();
        for (n, binding) in bindings.iter_mut().enumerate() {
            binding.outer = (n as u32).checked_sub(1).unwrap_or(OUTSIDE);
        }
        Scopes { bindings }
    }

    fn outwards(&self, scope: u32) -> impl Iterator<Item = &Binding> {
        let binding = |scope: u32| self.bindings.get(scope as usize);
        std::iter::successors(binding(scope), move |inner| binding(inner.outer))
    }
}

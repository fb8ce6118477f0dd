//! Namespaces in scope while a message is read (Namespaces in XML 1.0, sections 3 and 6).
//!
//! Appendix A gives the namespace of a name, and optionally the namespaces in scope, without any attribute that
//! declares them. A document needs the attributes, so missing ones are added.

use tam::Error;

use crate::message::unreadable;
use crate::names::Names;

/// The bindings of prefixes.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// The number of the namespace name of each prefix, by the prefix's number.
    bindings: Vec<u32>,
    /// The previous bindings, to restore.
    undo: Vec<(u32, u32)>,
    /// For each level that binds prefixes: the number of open elements, and the previous length of `undo`.
    levels: Vec<(usize, usize)>,
    /// For the current element: its number, the previous length of `undo`, and the prefixes and namespaces that no
    /// attribute declares.
    element: u32,
    height: usize,
    missing: Vec<(u32, u32)>,
    /// The last element that bound each prefix.
    bound_by: Vec<u32>,
}

impl Scope {
    #[inline(always)]
    fn bound(&mut self, prefix: u32, names: &Names) -> u32 {
        if let Some(bound) = self.bindings.get(prefix as usize) {
            return *bound;
        }
        while self.bindings.len() <= prefix as usize {
            let next = self.bindings.len() as u32;
            self.bindings.push(names.bound_always(next));
        }
        self.bindings.get(prefix as usize).copied().unwrap_or(0)
    }

    fn bind(&mut self, prefix: u32, namespace: u32, names: &Names) {
        let before = self.bound(prefix, names);
        if before != namespace
            && names.bound_always(prefix) == 0
            && let Some(bound) = self.bindings.get_mut(prefix as usize)
        {
            *bound = namespace;
            self.undo.push((prefix, before));
        }
    }

    /// Enters an element.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.height = self.undo.len();
        self.element += 1;
        self.missing.clear();
    }

    /// Records that an attribute of the element binds a prefix.
    pub(crate) fn declare(&mut self, prefix: u32, namespace: u32, names: &Names) {
        let at = prefix as usize;
        if at >= self.bound_by.len() {
            self.bound_by.resize(at + 1, 0);
        }
        if let Some(element) = self.bound_by.get_mut(at) {
            *element = self.element;
        }
        self.bind(prefix, namespace, names);
    }

    /// Makes sure that the name of the element, or of one of its attributes, is in its namespace.
    #[inline(always)]
    pub(crate) fn require_name(&mut self, number: u32, is_element: bool, names: &mut Names) -> Result<(), Error> {
        let name = names.name(number);
        if name.namespace != 0 && (name.declares == 0 || is_element) {
            if name.prefix == 0 && !is_element {
                return Err(unreadable("an attribute of a namespace without a prefix", "a prefix"));
            }
            self.require(name.prefix, name.namespace, names)?;
        }
        Ok(())
    }

    /// Makes sure that a prefix is bound to a namespace.
    #[inline(always)]
    pub(crate) fn require(&mut self, prefix: u32, namespace: u32, names: &Names) -> Result<(), Error> {
        if self.bound(prefix, names) == namespace {
            return Ok(());
        }
        if self.bound_by.get(prefix as usize) == Some(&self.element) || names.bound_always(prefix) != 0 {
            let found = "a namespace that is not what its prefix is bound to";
            return Err(unreadable(found, "the namespace that the attributes declare"));
        }
        self.declare(prefix, namespace, names);
        self.missing.push((prefix, namespace));
        Ok(())
    }

    /// Ends the start of an element at depth `depth`.
    #[inline(always)]
    pub(crate) fn end(&mut self, depth: usize, names: &mut Names) {
        if self.undo.len() > self.height {
            self.levels.push((depth, self.height));
            names.next_scope();
        }
    }

    /// The missing declarations of the element.
    pub(crate) fn missing(&self) -> &[(u32, u32)] {
        &self.missing
    }

    /// The number of open elements at the innermost one that binds prefixes; 0 if there is none.
    pub(crate) fn depth(&self) -> usize {
        self.levels.last().map_or(0, |(depth, _)| *depth)
    }

    /// Leaves the innermost element that binds prefixes.
    pub(crate) fn leave(&mut self, names: &mut Names) {
        if let Some((_, height)) = self.levels.pop() {
            while self.undo.len() > height {
                if let Some((prefix, before)) = self.undo.pop()
                    && let Some(bound) = self.bindings.get_mut(prefix as usize)
                {
                    *bound = before;
                }
            }
            names.next_scope();
        }
    }
}

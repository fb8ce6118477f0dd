//! Namespaces in scope while a message is read (Namespaces in XML 1.0, sections 3 and 6).
//!
//! Appendix A tells the namespace of a name, and may tell which namespaces are in scope, without any
//! attribute that declares them. In a document attributes are all there is: those that are missing
//! are added.

use tam::Error;

use crate::message::unreadable;
use crate::names::Names;

/// What the prefixes are bound to.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// The number of the namespace name of each prefix, by the prefix's number.
    bindings: Vec<u32>,
    /// What was bound before, to be bound again.
    undo: Vec<(u32, u32)>,
    /// How many elements are open where prefixes are bound, and how much was there to undo before.
    levels: Vec<(usize, usize)>,
    /// Of the element at hand: its number among those looked at, how much there was to undo before, and
    /// the prefixes and namespaces that no attribute declares.
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

    /// Goes into an element: its attributes declare these prefixes.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.height = self.undo.len();
        self.element += 1;
        self.missing.clear();
    }

    /// An attribute of the element binds a prefix.
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

    /// The name of the element, or of an attribute of it, has to be in its namespace.
    #[inline(always)]
    pub(crate) fn tell(&mut self, number: u32, is_element: bool, names: &mut Names) -> Result<(), Error> {
        let name = names.name(number);
        if name.namespace != 0 && (name.declares == 0 || is_element) {
            if name.prefix == 0 && !is_element {
                return Err(unreadable("an attribute of a namespace without a prefix", "a prefix"));
            }
            self.want(name.prefix, name.namespace, names)?;
        }
        Ok(())
    }

    /// Makes sure that a prefix is bound to a namespace.
    #[inline(always)]
    pub(crate) fn want(&mut self, prefix: u32, namespace: u32, names: &Names) -> Result<(), Error> {
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

    /// All of an element that is the `depth`th that is open has been told.
    #[inline(always)]
    pub(crate) fn end(&mut self, depth: usize, names: &mut Names) {
        if self.undo.len() > self.height {
            self.levels.push((depth, self.height));
            names.next_scope();
        }
    }

    /// The declarations that are missing of the element.
    pub(crate) fn missing(&self) -> &[(u32, u32)] {
        &self.missing
    }

    /// How many elements are open in the innermost one that binds prefixes; 0 if there is none.
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

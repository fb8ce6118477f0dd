//! The bindings of prefixes to namespaces, and names resolved with them (Namespaces in XML 1.0, sections 3, 5 and 6).

use std::collections::HashMap;

use xml::namespaces::{XML, XMLNS};

use crate::intern::Interner;

/// A part of a name, as its number plus one; 0 if there is none.
type PartId = u32;

/// A binding that does not exist: nothing has been resolved yet.
const UNRESOLVED: PartId = u32::MAX;

/// A name as written, and its latest resolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Qualified {
    prefix: PartId,
    local: PartId,
    /// The number of the prefix among those that can be bound.
    binding: u32,
    /// The number of the prefix that an attribute of this name binds.
    pub(crate) declares: Option<u32>,
    element: (PartId, u32),
    attribute: (PartId, u32),
}

/// The names of a document.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    qualified: Interner<'a>,
    uses: Vec<Qualified>,
    /// Namespace names, local names and prefixes.
    parts: Interner<'a>,
    /// The binding of each prefix, the default first.
    bindings: Vec<PartId>,
    prefixes: HashMap<PartId, u32>,
    /// Previous bindings, to restore.
    undo: Vec<(u32, PartId)>,
    /// Namespace name, local name and prefix of each name, and how often it is used.
    names: Vec<([PartId; 3], u32)>,
    numbers: HashMap<[PartId; 3], u32>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new() -> Scope<'a> {
        let mut scope = Scope {
            qualified: Interner::new(),
            uses: Vec::new(),
            parts: Interner::new(),
            bindings: vec![0],
            prefixes: HashMap::from([(0, 0)]),
            undo: Vec::new(),
            names: Vec::new(),
            numbers: HashMap::new(),
        };
        for (prefix, namespace) in [("xml", XML), ("xmlns", XMLNS)] {
            let binding = scope.prefix(prefix.as_bytes()).1;
            scope.bindings[binding as usize] = scope.part(namespace.as_bytes());
        }
        scope
    }

    fn part(&mut self, text: &'a [u8]) -> PartId {
        self.parts.intern(text).0 + 1
    }

    /// A prefix, and its number among those that can be bound.
    fn prefix(&mut self, text: &'a [u8]) -> (PartId, u32) {
        let part = self.part(text);
        let number = *self.prefixes.entry(part).or_insert(self.bindings.len() as u32);
        if number as usize == self.bindings.len() {
            self.bindings.push(0);
        }
        (part, number)
    }

    /// The number of a name as written, and whether it is new.
    #[inline(always)]
    pub(crate) fn written(&mut self, name: &'a [u8]) -> (u32, bool) {
        let (number, new) = self.qualified.intern(name);
        if new {
            self.add(name);
        }
        (number, new)
    }

    #[inline(never)]
    fn add(&mut self, name: &'a [u8]) {
        let mut use_ = Qualified {
            prefix: 0,
            local: 0,
            binding: 0,
            declares: None,
            element: (UNRESOLVED, 0),
            attribute: (UNRESOLVED, 0),
        };
        // A name that is not a QName counts as a local name.
        let mut parts = name.splitn(2, |byte| *byte == b':');
        match (parts.next(), parts.next()) {
            (Some(prefix), Some(local)) if !prefix.is_empty() && !local.is_empty() && !local.contains(&b':') => {
                (use_.prefix, use_.binding) = self.prefix(prefix);
                use_.local = self.part(local);
                if prefix == b"xmlns" {
                    use_.declares = Some(self.prefix(local).1);
                }
            }
            _ => {
                use_.local = self.part(name);
                if name == b"xmlns" {
                    use_.declares = Some(0);
                }
            }
        }
        self.uses.push(use_);
    }

    /// The prefix that an attribute of this name binds, if any.
    #[inline(always)]
    pub(crate) fn declares(&self, written: u32) -> Option<u32> {
        self.uses.get(written as usize)?.declares
    }

    /// The number of bindings to restore.
    #[inline(always)]
    pub(crate) fn height(&self) -> usize {
        self.undo.len()
    }

    /// Binds a prefix; the bindings of `xml` and `xmlns` are fixed.
    pub(crate) fn bind(&mut self, prefix: u32, namespace: &'a [u8]) {
        if (XML_BINDING..=XMLNS_BINDING).contains(&prefix) {
            return;
        }
        let part = if namespace.is_empty() { 0 } else { self.part(namespace) };
        if let Some(bound) = self.bindings.get_mut(prefix as usize) {
            self.undo.push((prefix, core::mem::replace(bound, part)));
        }
    }

    /// Restores bindings down to a height.
    #[inline(always)]
    pub(crate) fn unbind(&mut self, height: usize) {
        while self.undo.len() > height {
            if let Some((prefix, before)) = self.undo.pop()
                && let Some(bound) = self.bindings.get_mut(prefix as usize)
            {
                *bound = before;
            }
        }
    }

    /// The number of the name of an element, which is counted.
    #[inline(always)]
    pub(crate) fn element(&mut self, written: u32) -> u32 {
        let Some(name) = self.uses.get(written as usize) else { return 0 };
        let namespace = self.bindings.get(name.binding as usize).copied().unwrap_or(0);
        let (last, mut number) = name.element;
        if last != namespace {
            number = self.resolve(written, namespace);
            if let Some(name) = self.uses.get_mut(written as usize) {
                name.element = (namespace, number);
            }
        }
        self.count(number)
    }

    /// The number of the name of an attribute, which is counted.
    #[inline(always)]
    pub(crate) fn attribute(&mut self, written: u32) -> u32 {
        let Some(name) = self.uses.get(written as usize) else { return 0 };
        // The default namespace does not apply to attributes.
        let namespace = match name.prefix {
            0 if name.declares.is_some() => self.bindings.get(XMLNS_BINDING as usize).copied().unwrap_or(0),
            0 => 0,
            _ => self.bindings.get(name.binding as usize).copied().unwrap_or(0),
        };
        let (last, mut number) = name.attribute;
        if last != namespace {
            number = self.resolve(written, namespace);
            if let Some(name) = self.uses.get_mut(written as usize) {
                name.attribute = (namespace, number);
            }
        }
        self.count(number)
    }

    #[inline(always)]
    fn count(&mut self, number: u32) -> u32 {
        if let Some((_, count)) = self.names.get_mut(number as usize) {
            *count += 1;
        }
        number
    }

    #[inline(never)]
    fn resolve(&mut self, written: u32, namespace: PartId) -> u32 {
        let Some(name) = self.uses.get(written as usize) else { return 0 };
        let key = [namespace, name.local, name.prefix];
        let names = &mut self.names;
        *self.numbers.entry(key).or_insert_with(|| {
            names.push((key, 0));
            names.len() as u32 - 1
        })
    }

    /// Namespace name, local name and prefix of each name, and how often it is used, in the order of first use.
    pub(crate) fn names(&self) -> &[([PartId; 3], u32)] {
        &self.names
    }

    /// The text of a part.
    pub(crate) fn text(&self, part: PartId) -> Option<&'a [u8]> {
        self.parts.entries().get(part.checked_sub(1)? as usize).map(|entry| entry.text)
    }
}

/// The numbers of the prefixes that are always bound, besides the default.
const XML_BINDING: u32 = 1;
const XMLNS_BINDING: u32 = 2;

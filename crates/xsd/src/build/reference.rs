//! Reads attributes of schema documents: names, references, numbers (Part 1 sections 3.15.3 and 4.2.3).

use tam::Error;
use xml::name::{is_local, is_qualified, split};
use xml::number::boolean;
use xml::white_space::{trim, words};

use super::Builder;
use crate::components::{ByName, Derivations, Position, Schema};
use crate::documents::{Key, NodeRef};
use crate::{Name, NamespaceId};

/// The derivations that `final` and `block` may name, by kind of component.
pub(super) const COMPLEX: &[(&str, Derivations)] =
    &[("extension", Derivations::EXTENSION), ("restriction", Derivations::RESTRICTION)];
pub(super) const SIMPLE: &[(&str, Derivations)] =
    &[("restriction", Derivations::RESTRICTION), ("list", Derivations::LIST), ("union", Derivations::UNION)];
pub(super) const ELEMENT: &[(&str, Derivations)] = &[
    ("extension", Derivations::EXTENSION),
    ("restriction", Derivations::RESTRICTION),
    ("substitution", Derivations::SUBSTITUTION),
];

impl Builder<'_> {
    /// The name of a component.
    pub(super) fn name(&self, at: NodeRef) -> Result<&str, Error> {
        let Some(name) = self.attribute(at, Key::Name).map(trim) else {
            return Err(self.set.fault(at, format!("<{}> without a name", self.tag(at).name()), "the attribute name"));
        };
        if !is_local(name) {
            return Err(self.set.fault(at, format!("name='{name}'"), "a name without a colon"));
        }
        Ok(name)
    }

    /// The target namespace of a node's document.
    pub(super) fn target(&self, at: NodeRef) -> NamespaceId {
        self.set.documents[at.document as usize].target
    }

    pub(super) fn is_true(&self, at: NodeRef, key: Key) -> Result<bool, Error> {
        let Some(text) = self.attribute(at, key).map(trim) else { return Ok(false) };
        boolean(text).ok_or_else(|| self.set.fault(at, format!("{}='{text}'", key.name()), "true, false, 1 or 0"))
    }

    /// How often a particle occurs.
    pub(super) fn occurs(&self, at: NodeRef) -> Result<(u32, Option<u32>), Error> {
        let number = |key: Key, text: &str| {
            let text = trim(text);
            let digits = text.strip_prefix('+').unwrap_or(text);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                let expected =
                    if key == Key::MaxOccurs { "a number from 0 on, or unbounded" } else { "a number from 0 on" };
                return Err(self.set.fault(at, format!("{}='{text}'", key.name()), expected));
            }
            Ok(digits.parse::<u32>().ok().filter(|number| *number != u32::MAX))
        };
        let min = match self.attribute(at, Key::MinOccurs) {
            None => 1,
            // No instance has as many elements as a number that does not fit.
            Some(text) => number(Key::MinOccurs, text)?.unwrap_or(u32::MAX - 1),
        };
        let max = match self.attribute(at, Key::MaxOccurs) {
            None => Some(1),
            Some(text) if trim(text) == "unbounded" => None,
            Some(text) => number(Key::MaxOccurs, text)?,
        };
        if max.is_some_and(|max| max < min) {
            let found = format!("maxOccurs={} below minOccurs={min}", max.unwrap_or(0));
            return Err(self.set.fault(at, found, "minOccurs no greater than maxOccurs"));
        }
        Ok((min, max))
    }

    /// Reads `final` or `block`, or the default of the document.
    pub(super) fn derivations(
        &self,
        at: NodeRef,
        key: Key,
        default: Key,
        allowed: &[(&str, Derivations)],
    ) -> Result<Derivations, Error> {
        let all = allowed.iter().fold(Derivations::NONE, |all, (_, one)| all.with(*one));
        let read = |at: NodeRef, key: Key, text: &str, strict: bool| {
            if trim(text) == "#all" {
                return Ok(all);
            }
            let mut found = Derivations::NONE;
            for word in words(text) {
                match allowed.iter().find(|(name, _)| *name == word) {
                    Some((_, one)) => found = found.with(*one),
                    // Defaults may name derivations of other kinds of components.
                    None if !strict
                        && matches!(word, "extension" | "restriction" | "substitution" | "list" | "union") => {}
                    None => {
                        let names: Vec<&str> = allowed.iter().map(|(name, _)| *name).collect();
                        let expected = format!("#all, or some of {}", names.join(", "));
                        return Err(self.set.fault(at, format!("{}='{word}'", key.name()), expected));
                    }
                }
            }
            Ok(found)
        };
        if let Some(text) = self.attribute(at, key) {
            return read(at, key, text, true);
        }
        let root = NodeRef { document: at.document, node: 0 };
        self.attribute(root, default).map_or(Ok(Derivations::NONE), |text| read(root, default, text, false))
    }

    /// Checks the defaults of `xs:schema`.
    pub(super) fn check_defaults(&self, root: NodeRef) -> Result<(), Error> {
        self.is_qualified(root, Key::ElementFormDefault)?;
        self.is_qualified(root, Key::AttributeFormDefault)?;
        let all = [COMPLEX, SIMPLE, ELEMENT].concat();
        self.derivations(root, Key::FinalDefault, Key::FinalDefault, &all)?;
        self.derivations(root, Key::BlockDefault, Key::BlockDefault, ELEMENT)?;
        Ok(())
    }

    /// Whether a local declaration has the target namespace.
    pub(super) fn is_qualified(&self, at: NodeRef, default: Key) -> Result<bool, Error> {
        let root = NodeRef { document: at.document, node: 0 };
        let (place, key, text) = match self.attribute(at, Key::Form) {
            Some(text) => (at, Key::Form, text),
            None => (root, default, self.attribute(root, default).unwrap_or("unqualified")),
        };
        match trim(text) {
            "qualified" => Ok(true),
            "unqualified" => Ok(false),
            other => Err(self.set.fault(place, format!("{}='{other}'", key.name()), "qualified or unqualified")),
        }
    }

    /// The name of a local declaration.
    pub(super) fn local_name(&mut self, at: NodeRef, default: Key) -> Result<Name, Error> {
        let namespace = if self.is_qualified(at, default)? { self.target(at) } else { NamespaceId::NONE };
        let name = self.name(at)?.to_owned();
        Ok(self.schema.names.intern_in(namespace, &name))
    }

    /// The namespace and local part of a reference.
    pub(super) fn qname<'t>(&self, at: NodeRef, text: &'t str) -> Result<(NamespaceId, &'t str), Error> {
        let text = trim(text);
        if !is_qualified(text) {
            return Err(self.set.fault(at, format!("'{text}'"), "a qualified name"));
        }
        let (prefix, local) = split(text);
        let Some(namespace) = self.set.tree_of(at.document).namespace(at.node, prefix) else {
            return Err(self.set.fault(at, format!("the prefix of '{text}'"), "a declared prefix"));
        };
        let document = &self.set.documents[at.document as usize];
        if namespace == NamespaceId::NONE && document.chameleon {
            return Ok((document.target, local));
        }
        Ok((namespace, local))
    }

    /// The component that a qualified name refers to.
    pub(super) fn find<T: Copy>(
        &self,
        at: NodeRef,
        text: &str,
        what: &str,
        names: impl Fn(&Schema) -> &ByName<T>,
    ) -> Result<T, Error> {
        let (namespace, local) = self.qname(at, text)?;
        let name = self.schema.names.find_in(namespace, local);
        let found = name.and_then(|name| names(&self.schema).get(&name).copied());
        let document = &self.set.documents[at.document as usize];
        let import = document.imports.iter().find(|import| import.namespace == namespace);
        let uri = self.schema.names.uri(namespace);
        let known = namespace == document.target || namespace == NamespaceId::XSD || import.is_some();
        match found {
            Some(found) if known => Ok(found),
            _ if !known => {
                let found = format!("{what} '{}' of a namespace that is not imported", trim(text));
                let expected = match uri {
                    "" => "an <import> of no namespace".to_owned(),
                    uri => format!("an <import> of '{uri}'"),
                };
                Err(self.set.fault(at, found, expected))
            }
            _ => match import.and_then(|import| Some((import, import.missing.as_ref()?))) {
                Some((import, why)) => {
                    let of = if uri.is_empty() { "no namespace".to_owned() } else { format!("'{uri}'") };
                    let node = self.set.tree_of(at.document).nodes[at.node as usize];
                    let expected = format!(
                        "a schema document that has {what} '{local}' (referred to in line {}, column {})",
                        node.line, node.column
                    );
                    Err(self.set.fault(import.at, format!("an import of {of} without a document: {why}"), expected))
                }
                None => {
                    let of = in_namespace(uri);
                    let name = trim(text);
                    let what = what.trim_start_matches("the ");
                    Err(self.set.fault(at, format!("unknown {what} '{name}': no document defines it {of}"), ""))
                }
            },
        }
    }

    /// The name of a component for error messages.
    pub(super) fn shown(&self, name: Option<Name>) -> String {
        name.map_or_else(|| "an anonymous type".to_owned(), |name| format!("'{}'", self.schema.names.local(name)))
    }

    /// The position of a component for error messages.
    pub(super) fn place(&self, position: Position) -> String {
        match position.document {
            Some(document) => {
                format!("{} line {}", self.schema.documents[document].location, position.line)
            }
            None => "the built-in schema".to_owned(),
        }
    }
}

/// Where a name was looked up, for error messages.
pub(crate) fn in_namespace(uri: &str) -> String {
    if uri.is_empty() { "without a namespace".to_owned() } else { format!("in the namespace '{uri}'") }
}

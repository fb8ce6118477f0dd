//! What attributes of schema documents say: names, references, numbers (Part 1 sections 3.15.3, 4.2.3).

use tam::Error;
use xml::name::{is_local, is_qualified};
use xml::number::boolean;
use xml::white_space::{trim, words};

use super::Builder;
use crate::components::{ByName, Derivations, Position, Schema};
use crate::documents::{At, Key};
use crate::{Name, NamespaceId};

/// A set of derivations as an attribute may say it.
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
    /// The name that a component is given.
    pub(super) fn name(&self, at: At) -> Result<&str, Error> {
        let Some(name) = self.attribute(at, Key::Name).map(trim) else {
            return Err(self.set.fault(at, format!("<{}> without a name", self.tag(at).name()), "the attribute name"));
        };
        if !is_local(name) {
            return Err(self.set.fault(at, format!("name='{name}'"), "a name without a colon"));
        }
        Ok(name)
    }

    /// The target namespace at a place.
    pub(super) fn target(&self, at: At) -> NamespaceId {
        self.set.documents[at.document as usize].target
    }

    pub(super) fn is_true(&self, at: At, key: Key) -> Result<bool, Error> {
        let Some(text) = self.attribute(at, key).map(trim) else { return Ok(false) };
        boolean(text).ok_or_else(|| self.set.fault(at, format!("{}='{text}'", key.name()), "true, false, 1 or 0"))
    }

    /// How often a particle occurs.
    pub(super) fn occurs(&self, at: At) -> Result<(u32, Option<u32>), Error> {
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
            // No instance has as many as do not fit.
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

    /// `final` and `block`, and what they default to.
    pub(super) fn derivations(
        &self,
        at: At,
        key: Key,
        default: Key,
        allowed: &[(&str, Derivations)],
    ) -> Result<Derivations, Error> {
        let all = allowed.iter().fold(Derivations::NONE, |all, (_, one)| all.with(*one));
        let read = |at: At, key: Key, text: &str, strict: bool| {
            if trim(text) == "#all" {
                return Ok(all);
            }
            let mut found = Derivations::NONE;
            for word in words(text) {
                match allowed.iter().find(|(name, _)| *name == word) {
                    Some((_, one)) => found = found.with(*one),
                    // Defaults may tell of other kinds of components.
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
        let root = At { document: at.document, node: 0 };
        self.attribute(root, default).map_or(Ok(Derivations::NONE), |text| read(root, default, text, false))
    }

    /// What `xs:schema` says for all declarations in it.
    pub(super) fn check_defaults(&self, root: At) -> Result<(), Error> {
        self.is_qualified(root, Key::ElementFormDefault)?;
        self.is_qualified(root, Key::AttributeFormDefault)?;
        let all = [COMPLEX, SIMPLE, ELEMENT].concat();
        self.derivations(root, Key::FinalDefault, Key::FinalDefault, &all)?;
        self.derivations(root, Key::BlockDefault, Key::BlockDefault, ELEMENT)?;
        Ok(())
    }

    /// Whether a local declaration has the target namespace.
    pub(super) fn is_qualified(&self, at: At, default: Key) -> Result<bool, Error> {
        let root = At { document: at.document, node: 0 };
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

    /// The name of a declaration within a type or group.
    pub(super) fn local_name(&mut self, at: At, default: Key) -> Result<Name, Error> {
        let namespace = if self.is_qualified(at, default)? { self.target(at) } else { NamespaceId::NONE };
        let name = self.name(at)?.to_owned();
        Ok(self.schema.names.intern_in(namespace, &name))
    }

    /// Namespace and local part of a qualified name, as references know them.
    pub(super) fn qname<'t>(&self, at: At, text: &'t str) -> Result<(NamespaceId, &'t str), Error> {
        let text = trim(text);
        if !is_qualified(text) {
            return Err(self.set.fault(at, format!("'{text}'"), "a qualified name"));
        }
        let (prefix, local) = text.split_once(':').unwrap_or(("", text));
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
        at: At,
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
                    Err(self.set.fault(import.at, format!("nothing to import of {of}: {why}"), expected))
                }
                None => {
                    let of = if uri.is_empty() { "no namespace".to_owned() } else { format!("the namespace '{uri}'") };
                    Err(self.set.fault(
                        at,
                        format!("{what} '{}', which is not there", trim(text)),
                        format!("{what} of {of}, defined in one of the documents"),
                    ))
                }
            },
        }
    }

    /// A component's name for people.
    pub(super) fn shown(&self, name: Option<Name>) -> String {
        name.map_or_else(|| "an anonymous type".to_owned(), |name| format!("'{}'", self.schema.names.local(name)))
    }

    /// Where a component stands, for people.
    pub(super) fn place(&self, position: Position) -> String {
        match position.document {
            Some(document) => {
                format!("{} line {}", self.schema.documents[document].location, position.line)
            }
            None => "what is built in".to_owned(),
        }
    }
}

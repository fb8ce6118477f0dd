//! Reads identity-constraint definitions (Part 1 section 3.11).

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use tam::Error;

use super::{Builder, xpath};
use crate::components::{Identity, IdentityCategory, IdentityId, IdentityPath};
use crate::documents::{Key, NodeRef, Tag};

impl Builder<'_> {
    pub(super) fn read_identity(&mut self, at: NodeRef) -> Result<IdentityId, Error> {
        let local = self.name(at)?.to_owned();
        let name = self.schema.names.intern_in(self.target(at), &local);
        let (mut selector, mut fields) = (String::new(), Vec::new());
        let (mut selector_paths, mut field_paths) = (Vec::new(), Vec::new());
        for child in self.children(at) {
            let Some(written) = self.attribute(child, Key::Xpath).map(str::to_owned) else {
                let found = format!("<{}> without xpath", self.tag(child).name());
                return Err(self.set.fault(child, found, "the attribute xpath"));
            };
            if self.tag(child) == Tag::Selector {
                selector_paths = self.paths(child, &written, false)?;
                selector = written;
            } else {
                field_paths.push(self.paths(child, &written, true)?);
                fields.push(written);
            }
        }
        if selector_paths.is_empty() || fields.is_empty() {
            let found = format!("<{}> without <selector> or <field>", self.tag(at).name());
            return Err(self.set.fault(at, found, "<selector>, then <field>"));
        }
        let category = if self.tag(at) == Tag::Unique { IdentityCategory::Unique } else { IdentityCategory::Key };
        let position = self.position(at);
        let steps = |path: &IdentityPath| 1 + path.steps.len() as u64;
        let reach = |path: &IdentityPath| if path.anywhere { usize::MAX } else { path.steps.len() };
        let selector_steps = selector_paths.iter().map(steps).sum();
        let field_steps = field_paths.iter().flatten().map(steps).sum();
        let reach = field_paths.iter().flatten().map(reach).max().unwrap_or(0);
        let id = self.schema.identities.push(Identity {
            name,
            category,
            selector,
            fields,
            selector_paths,
            field_paths,
            selector_steps,
            field_steps,
            reach,
            position,
        });
        match self.schema.identity_names.entry(name) {
            Entry::Vacant(place) => {
                place.insert(id);
            }
            Entry::Occupied(_) => {
                let found = format!("<{}> of the name '{local}' a second time", self.tag(at).name());
                return Err(self.set.fault(at, found, "each name once"));
            }
        }
        if self.tag(at) == Tag::Keyref {
            self.identity_refers.push((id, at));
        }
        Ok(id)
    }

    fn paths(&mut self, at: NodeRef, written: &str, is_field: bool) -> Result<Vec<IdentityPath>, Error> {
        let tree = self.set.tree_of(at.document);
        let found = xpath::paths(written, is_field, &mut self.schema.names, |prefix| tree.namespace(at.node, prefix));
        found.map_err(|(found, expected)| self.set.fault(at, format!("{found} in an XPath"), expected))
    }

    /// Resolves `refer` of each `xs:keyref`.
    pub(super) fn resolve_identities(&mut self) -> Result<(), Error> {
        let refers = std::mem::take(&mut self.identity_refers);
        let keyrefs: HashSet<IdentityId> = refers.iter().map(|(id, _)| *id).collect();
        for (id, at) in refers {
            let Some(reference) = self.attribute(at, Key::Refer) else {
                return Err(self.set.fault(at, "<keyref> without refer", "the attribute refer"));
            };
            let key = self.find(at, reference, "the key", |schema| &schema.identity_names)?;
            let (own, other) = (&self.schema.identities[id], &self.schema.identities[key]);
            if keyrefs.contains(&key) {
                return Err(self.set.fault(at, "a <keyref> to a <keyref>", "a <key> or <unique>"));
            }
            if own.fields.len() != other.fields.len() {
                let expected = format!("{} fields, as the key has", other.fields.len());
                return Err(self.set.fault(at, format!("{} fields", own.fields.len()), expected));
            }
            self.schema.identities[id].category = IdentityCategory::Keyref(key);
        }
        Ok(())
    }
}

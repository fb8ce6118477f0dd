//! Redefined groups (Part 1 section 4.2.2): a redefinition that does not refer to the original must be a restriction of it.

use std::collections::HashMap;

use tam::Error;

use super::{Builder, Original};
use crate::Name;
use crate::components::{AttributeGroupId, AttributeUse, GroupId, NamedGroupId, Particle, ParticleId, Position, Term};
use crate::content::{Budget, Outside, compile, within};
use crate::documents::NodeRef;

impl Builder<'_> {
    /// Checks redefined model groups against their originals.
    pub(super) fn check_redefined_groups(&mut self, budget: &mut Budget) -> Result<(), Error> {
        for (at, name, original) in std::mem::take(&mut self.originals) {
            let Original::Group(original) = original else { continue };
            let Some(n) = self.group_at.iter().position(|other| *other == at) else { continue };
            let own = self.schema.named_groups[NamedGroupId(n as u32)].group;
            match self.references(own, original) {
                0 => {}
                1 => continue,
                _ => {
                    let found =
                        format!("{} times the group {}", self.references(own, original), self.shown(Some(name)));
                    return Err(self.set.fault(at, found, "it once, where it is redefined"));
                }
            }
            let position = self.position(at);
            let (own, base) =
                (self.alone(own, position), self.alone(self.schema.named_groups[original].group, position));
            let own = compile(&self.schema, own, budget).map_err(|error| self.set.placed(at, error))?;
            let base = compile(&self.schema, base, budget).map_err(|error| self.set.placed(at, error))?;
            let leaf = match within(&self.schema, &own, &base, &mut 0) {
                Ok(_) => continue,
                Err(Outside::Leaf(leaf)) => self.schema.particles[own.particle(leaf)].position,
                Err(Outside::End(_)) => position,
            };
            let found = format!("the group {} redefined", self.shown(Some(name)));
            return Err(self.fault_at(leaf, found, "no more than the original allows, or a reference to it"));
        }
        Ok(())
    }

    /// How often a group refers to another.
    fn references(&self, group: GroupId, to: NamedGroupId) -> usize {
        let (mut count, mut waiting) = (0, vec![group]);
        while let Some(group) = waiting.pop() {
            for particle in &self.schema.groups[group].particles {
                let particle = &self.schema.particles[*particle];
                match (particle.term, particle.reference) {
                    (_, Some(reference)) => count += usize::from(reference == to),
                    (Term::Group(inner), None) => waiting.push(inner),
                    _ => {}
                }
            }
        }
        count
    }

    /// A particle for a group that occurs once.
    fn alone(&mut self, group: GroupId, position: Position) -> ParticleId {
        let term = Term::Group(group);
        self.schema.particles.push(Particle { min: 1, max: Some(1), term, reference: None, position })
    }

    /// Checks a redefined attribute group against its original.
    pub(super) fn check_redefined_attributes(
        &self,
        at: NodeRef,
        own: AttributeGroupId,
        original: AttributeGroupId,
    ) -> Result<(), Error> {
        let (own, base) = (&self.schema.attribute_groups[own], &self.schema.attribute_groups[original]);
        let name = |one: &AttributeUse| self.schema.attributes[one.attribute].name;
        let mut uses: HashMap<Name, &AttributeUse> = own.attributes.iter().map(|one| (name(one), one)).collect();
        let fault = |name: Name, expected: &'static str| {
            let found = format!("the attribute {} in a redefinition", self.shown(Some(name)));
            Err(self.set.fault(at, found, expected))
        };
        for one in &base.attributes {
            match uses.remove(&name(one)) {
                Some(own) => self.check_use(own, one)?,
                None if one.required => return fault(name(one), "it to be present, as in the original"),
                None => {}
            }
        }
        for other in uses.into_keys() {
            let namespace = self.schema.names.namespace(other);
            let wildcard = base.wildcard.map(|id| &self.schema.wildcards[id].namespaces);
            if !wildcard.is_some_and(|namespaces| namespaces.allows(namespace)) {
                return fault(other, "attributes of the original");
            }
        }
        let wider = own.wildcard.is_some_and(|id| {
            let own = &self.schema.wildcards[id].namespaces;
            !base.wildcard.is_some_and(|id| own.within(&self.schema.wildcards[id].namespaces))
        });
        if wider { Err(self.set.fault(at, "<anyAttribute>", "no more than the original allows")) } else { Ok(()) }
    }
}

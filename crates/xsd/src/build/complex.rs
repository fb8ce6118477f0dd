//! Reads complex type definitions (Part 1 section 3.4).

use tam::Error;

use super::{Builder, WrittenComplex, reference};
use crate::components::{ComplexId, Derivation, Derivations, Holder, ParticleId, Scope, TypeId};
use crate::documents::{Key, NodeRef, Tag};

impl Builder<'_> {
    pub(super) fn read_complex(&mut self, id: ComplexId, at: NodeRef) -> Result<(), Error> {
        let exclusions = self.derivations(at, Key::Final, Key::FinalDefault, reference::COMPLEX)?;
        let disallowed = self.derivations(at, Key::Block, Key::BlockDefault, reference::COMPLEX)?;
        let is_named = self.schema.complex_types[id].name.is_some();
        let mut written = WrittenComplex { mixed: self.is_true(at, Key::Mixed)?, ..WrittenComplex::new(at) };
        let content = self
            .children(at)
            .into_iter()
            .find(|child| matches!(self.tag(*child), Tag::SimpleContent | Tag::ComplexContent));
        let mut derivation = Derivation::Restriction;
        if let Some(content) = content {
            if self.attribute(content, Key::Mixed).is_some() {
                written.mixed = self.is_true(content, Key::Mixed)?;
            }
            written.simple_content = self.tag(content) == Tag::SimpleContent;
            let Some(body) = self.children(content).into_iter().next() else { return Ok(()) };
            written.body = body;
            if self.tag(body) == Tag::Extension {
                derivation = Derivation::Extension;
            }
            let Some(reference) = self.attribute(body, Key::Base) else {
                return Err(self.set.fault(body, "no base", "the attribute base"));
            };
            let base = self.base_type(body, reference)?;
            self.check_base(body, id, base, &written, derivation)?;
            self.schema.complex_types[id].base = base;
            if let Some(inner) = self.child(body, Tag::SimpleType).filter(|_| written.simple_content) {
                written.inner = Some(self.later_simple(inner, Holder::Complex(id)));
            }
        }
        let is_abstract = self.is_true(at, Key::Abstract)?;
        let ty = &mut self.schema.complex_types[id];
        ty.derivation = derivation;
        if is_named {
            (ty.exclusions, ty.disallowed) = (exclusions, disallowed);
        }
        ty.is_abstract = is_abstract;
        if !written.simple_content
            && let Some(group) = self.group_child(written.body)
        {
            // In a redefined type, references to groups are not to the originals.
            let particle = self.group_particle(group, Scope::Complex(id))?;
            written.particle = particle.filter(|particle| !self.is_nothing(group, *particle));
        }
        written.attributes = self.read_attributes(written.body, Scope::Complex(id))?;
        self.complex.insert(id, written);
        Ok(())
    }

    /// Whether a group is empty as written (section 3.4.2, explicit content). A group of particles with `maxOccurs="0"`, or
    /// a reference to an empty group, is not: its content is element-only.
    fn is_nothing(&self, at: NodeRef, particle: ParticleId) -> bool {
        let may_be = match self.tag(at) {
            Tag::Group => false,
            Tag::Choice => self.schema.particles[particle].min == 0,
            _ => true,
        };
        may_be && self.children(at).is_empty()
    }

    fn check_base(
        &self,
        at: NodeRef,
        id: ComplexId,
        base: TypeId,
        written: &WrittenComplex,
        derivation: Derivation,
    ) -> Result<(), Error> {
        let what = self.shown(self.schema.type_name(base));
        match base {
            TypeId::Simple(_) if !written.simple_content => {
                Err(self.set.fault(at, format!("the simple type {what} as base of complex content"), "a complex type"))
            }
            TypeId::Simple(_) if derivation == Derivation::Restriction => {
                let found = format!("a restriction of the simple type {what} in simple content");
                Err(self.set.fault(at, found, "a complex type with simple content"))
            }
            TypeId::Complex(base) if base == id => {
                Err(self.set.fault(at, format!("the type {what} as its own base"), "another type"))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the base type allows the derivation (`final`).
    pub(super) fn check_final(&self, id: ComplexId) -> Result<(), Error> {
        let ty = &self.schema.complex_types[id];
        let what = match ty.derivation {
            Derivation::Extension => Derivations::EXTENSION,
            Derivation::Restriction => Derivations::RESTRICTION,
        };
        let exclusions = match ty.base {
            TypeId::Complex(base) => self.schema.complex_types[base].exclusions,
            TypeId::Simple(base) => self.schema.simple_types[base].exclusions,
        };
        if exclusions.has(what) {
            let found = format!("a type derived from {}", self.shown(self.schema.type_name(ty.base)));
            return Err(self.fault_at(ty.position, found, "a base that is not final"));
        }
        Ok(())
    }
}

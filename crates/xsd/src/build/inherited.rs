//! The content and attributes that complex types inherit from their bases (Part 1 sections 3.4.2 and 3.4.6).

use std::collections::HashMap;

use tam::Error;

use super::attributes::Gathered;
use super::{Builder, Written, WrittenComplex, order::order};
use crate::Name;
use crate::components::{
    AttributeUse, ComplexId, Compositor, Content, Derivation, Derivations, Holder, ModelGroup, Particle, ParticleId,
    Schema, SimpleId, Term, TypeId, ValueConstraint, WildcardId,
};
use crate::documents::NodeRef;
use crate::value::Checker;

impl Builder<'_> {
    /// Resolves content and attributes, base types first.
    pub(super) fn resolve_complex_types(&mut self) -> Result<(), Error> {
        let types = &self.schema.complex_types;
        let order = order(types.len(), |n, others| {
            if let TypeId::Complex(base) = types[ComplexId(n as u32)].base
                && n != Schema::ANY_TYPE.0 as usize
            {
                others.push(base.0 as usize);
            }
        });
        let order = order.map_err(|n| {
            let ty = &types[ComplexId(n as u32)];
            let found = format!("the complex type {}, which is derived from itself", self.shown(ty.name));
            self.fault_at(ty.position, found, "a base that is another type")
        })?;
        let mut room = self.options.particles;
        for n in order {
            let id = ComplexId(n as u32);
            if id == Schema::ANY_TYPE {
                continue;
            }
            let Some(written) = self.complex.get(&id).cloned() else { continue };
            self.check_final(id)?;
            self.resolve_attributes(id, &written, &mut room)?;
            self.resolve_content(id, &written)?;
        }
        Ok(())
    }

    fn resolve_content(&mut self, id: ComplexId, written: &WrittenComplex) -> Result<(), Error> {
        let content = if written.simple_content {
            self.simple_content(id, written)?
        } else {
            let own = written.particle;
            self.schema.complex_types[id].own_particle = own;
            let content = match (own, written.mixed) {
                (Some(own), true) => Content::Mixed(Some(own)),
                (Some(own), false) => Content::ElementOnly(own),
                (None, true) => Content::Mixed(None),
                (None, false) => Content::Empty,
            };
            match (self.schema.complex_types[id].base, self.schema.complex_types[id].derivation) {
                (TypeId::Complex(base), Derivation::Extension) => self.extended(id, base, content, written)?,
                (TypeId::Complex(base), Derivation::Restriction) => {
                    self.check_restricted(id, base, content, written)?;
                    content
                }
                (TypeId::Simple(_), _) => content,
            }
        };
        self.schema.complex_types[id].content = content;
        Ok(())
    }

    fn simple_content(&mut self, id: ComplexId, written: &WrittenComplex) -> Result<Content, Error> {
        let ty = &self.schema.complex_types[id];
        let base = match ty.base {
            TypeId::Simple(base) => return Ok(Content::Simple(base)),
            TypeId::Complex(base) => base,
        };
        let derivation = ty.derivation;
        let content = self.schema.complex_types[base].content;
        let of_base = match content {
            Content::Simple(simple) => simple,
            Content::Mixed(_) if derivation == Derivation::Restriction && self.is_emptiable(base) => {
                match written.inner {
                    Some(inner) => inner,
                    None => {
                        return Err(self.set.fault(
                            written.body,
                            "a restriction of mixed content to simple content",
                            "<simpleType>",
                        ));
                    }
                }
            }
            _ => {
                let found = format!("simple content from {}", self.shown(self.schema.complex_types[base].name));
                return Err(self.set.fault(written.body, found, "a base with simple content"));
            }
        };
        if derivation == Derivation::Extension {
            return Ok(Content::Simple(of_base));
        }
        if let Some(inner) = written.inner
            && !self.schema.is_derived(TypeId::Simple(inner), TypeId::Simple(of_base), Derivations::NONE)
        {
            return Err(self.set.fault(
                written.body,
                "a type that is not of the base's",
                "a restriction of its content",
            ));
        }
        self.restricted_simple(id, written.inner.unwrap_or(of_base), written.body)
    }

    /// The anonymous type for facets in simple content; the base type if there are no facets.
    fn restricted_simple(&mut self, id: ComplexId, base: SimpleId, body: NodeRef) -> Result<Content, Error> {
        if !self.children(body).into_iter().any(|child| self.tag(child).is_facet()) {
            return Ok(Content::Simple(base));
        }
        let simple = self.new_simple(None, Holder::Complex(id), body);
        self.schema.simple_types[simple].base = base;
        self.simple[simple.0 as usize].restriction = Some(body);
        self.resolve_simple(simple)?;
        Ok(Content::Simple(simple))
    }

    /// The content of an extension: that of its base, then its own.
    fn extended(
        &mut self,
        id: ComplexId,
        base: ComplexId,
        own: Content,
        written: &WrittenComplex,
    ) -> Result<Content, Error> {
        let base_content = self.schema.complex_types[base].content;
        let own_particle = self.schema.complex_types[id].own_particle;
        let fault = |expected: &'static str| {
            let found = format!("an extension of {}", self.shown(self.schema.complex_types[base].name));
            Err(self.set.fault(written.body, found, expected))
        };
        let base_particle = match base_content {
            Content::Empty => return Ok(own),
            Content::Simple(_) if own_particle.is_none() && !written.mixed => return Ok(base_content),
            Content::Simple(_) => return fault("simple content, as the base has"),
            Content::ElementOnly(_) if written.mixed => {
                return fault("no mixed content, as the base has none");
            }
            Content::Mixed(_) if own_particle.is_some() && !written.mixed => {
                return fault("mixed content, as the base has");
            }
            Content::Mixed(None) => return Ok(own_particle.map_or(base_content, |_| own)),
            Content::ElementOnly(particle) | Content::Mixed(Some(particle)) => particle,
        };
        let Some(own_particle) = own_particle else { return Ok(base_content) };
        let is_all = |schema: &Schema, particle: ParticleId| match schema.particles[particle].term {
            Term::Group(group) => schema.groups[group].compositor == Compositor::All,
            _ => false,
        };
        if is_all(&self.schema, base_particle) || is_all(&self.schema, own_particle) {
            return fault("a base without elements where one of the two is <all>");
        }
        let position = self.schema.complex_types[id].position;
        let particles = vec![base_particle, own_particle];
        let group = self.schema.groups.push(ModelGroup { compositor: Compositor::Sequence, particles, position });
        let emptiable = self.particle_emptiable(base_particle) && self.particle_emptiable(own_particle);
        self.emptiable.push(emptiable);
        let term = Term::Group(group);
        let particle = self.schema.particles.push(Particle { min: 1, max: Some(1), term, reference: None, position });
        Ok(match base_content {
            Content::Mixed(_) => Content::Mixed(Some(particle)),
            _ => Content::ElementOnly(particle),
        })
    }

    /// Checks the kind of content of a restriction (section 3.4.6, clause 5). Its particles are checked later.
    fn check_restricted(
        &self,
        id: ComplexId,
        base: ComplexId,
        own: Content,
        written: &WrittenComplex,
    ) -> Result<(), Error> {
        let base_content = self.schema.complex_types[base].content;
        let expected = match (own, base_content) {
            (_, Content::Simple(_)) => "simple content, as the base has",
            (Content::Mixed(_), Content::Empty | Content::ElementOnly(_)) => "no mixed content, as the base has none",
            (Content::ElementOnly(_) | Content::Mixed(Some(_)), Content::Empty | Content::Mixed(None)) => {
                "no elements, as the base has none"
            }
            (Content::Empty | Content::Mixed(None), _) if !self.is_emptiable(base) => {
                "the elements that the base must have"
            }
            _ => return Ok(()),
        };
        if id == base {
            return Ok(());
        }
        let found = format!("a restriction of {}", self.shown(self.schema.complex_types[base].name));
        Err(self.set.fault(written.body, found, expected))
    }

    fn resolve_attributes(&mut self, id: ComplexId, written: &WrittenComplex, room: &mut u32) -> Result<(), Error> {
        let position = self.schema.complex_types[id].position;
        let Gathered { uses: own, mut prohibited, wildcard: own_wildcard } =
            self.gather(&written.attributes, position, room)?;
        let (base_uses, base_wildcard) = match self.schema.complex_types[id].base {
            TypeId::Complex(base) => {
                let base = &self.schema.complex_types[base];
                (base.attributes.clone(), base.attribute_wildcard)
            }
            TypeId::Simple(_) => (Vec::new(), None),
        };
        self.take_places(&base_uses, position, room)?;
        let (uses, wildcard) = if self.schema.complex_types[id].derivation == Derivation::Extension {
            let uses: Vec<AttributeUse> = base_uses.into_iter().chain(own).collect();
            let wildcard = match (own_wildcard, base_wildcard) {
                (Some(own), Some(base)) => Some(self.union(own, base, written.body)?),
                (own, base) => own.or(base),
            };
            (uses, wildcard)
        } else {
            // A prohibited use in an attribute group has no effect (section 3.2.2).
            prohibited.retain(|name| written.attributes.prohibits(*name));
            let uses = self.restricted_uses(written.body, base_uses, own, &prohibited, base_wildcard)?;
            self.check_wildcard(id, written.body, own_wildcard, base_wildcard)?;
            (uses, own_wildcard)
        };
        self.check_unique(&uses, position)?;
        let ty = &mut self.schema.complex_types[id];
        (ty.attributes, ty.attribute_wildcard) = (uses, wildcard);
        Ok(())
    }

    /// The attribute uses of a restriction: those of the base, some of them replaced, and those that the base's wildcard
    /// allows.
    fn restricted_uses(
        &self,
        body: NodeRef,
        base_uses: Vec<AttributeUse>,
        own: Vec<AttributeUse>,
        prohibited: &[Name],
        base_wildcard: Option<WildcardId>,
    ) -> Result<Vec<AttributeUse>, Error> {
        let name = |one: &AttributeUse| self.schema.attributes[one.attribute].name;
        let mut anew: HashMap<Name, AttributeUse> = HashMap::new();
        let mut order = Vec::new();
        for one in own {
            order.push(name(&one));
            anew.insert(name(&one), one);
        }
        let mut uses = Vec::new();
        for base in base_uses {
            if let Some(own) = anew.remove(&name(&base)) {
                self.check_use(&own, &base)?;
                uses.push(own);
            } else if !prohibited.contains(&name(&base)) {
                uses.push(base);
            } else if base.required {
                let found = format!("the attribute {} prohibited", self.shown(Some(name(&base))));
                return Err(self.set.fault(body, found, "it required, as in the base"));
            }
        }
        for name in order {
            let Some(one) = anew.remove(&name) else { continue };
            let namespace = self.schema.names.namespace(name);
            let allows = |wildcard: WildcardId| self.schema.wildcards[wildcard].namespaces.allows(namespace);
            if !base_wildcard.is_some_and(allows) {
                let found = format!("the attribute {}, which the base does not have", self.shown(Some(name)));
                return Err(self.fault_at(one.position, found, "attributes of the base, or that its wildcard allows"));
            }
            uses.push(one);
        }
        Ok(uses)
    }

    pub(super) fn check_use(&self, own: &AttributeUse, base: &AttributeUse) -> Result<(), Error> {
        let (attribute, of_base) = (&self.schema.attributes[own.attribute], &self.schema.attributes[base.attribute]);
        let found = format!("the attribute {}", self.shown(Some(attribute.name)));
        if base.required && !own.required {
            return Err(self.fault_at(own.position, format!("{found} optional"), "it required, as in the base"));
        }
        let (ty, base_ty) = (TypeId::Simple(attribute.ty), TypeId::Simple(of_base.ty));
        if !self.schema.is_derived(ty, base_ty, Derivations::NONE) {
            return Err(self.fault_at(
                own.position,
                format!("{found} of another type"),
                "a type derived from the base's",
            ));
        }
        if let Some(ValueConstraint::Fixed(value)) = &base.value
            && !matches!(&own.value, Some(ValueConstraint::Fixed(own)) if self.is_same(attribute.ty, own, value))
        {
            return Err(self.fault_at(own.position, found, format!("it fixed to '{value}', as in the base")));
        }
        Ok(())
    }

    /// Whether two texts of a schema are the same value of a type.
    pub(super) fn is_same(&self, ty: SimpleId, one: &str, other: &str) -> bool {
        let mut checker = Checker::default();
        let mut key = |text: &str| {
            let checked = checker.check(&self.schema, ty, text, &(), true);
            checked.is_ok().then(|| checker.key.clone())
        };
        one == other || key(one).is_some_and(|one| Some(one) == key(other))
    }

    fn check_wildcard(
        &self,
        id: ComplexId,
        body: NodeRef,
        own: Option<WildcardId>,
        base: Option<WildcardId>,
    ) -> Result<(), Error> {
        let Some(own) = own else { return Ok(()) };
        let own = &self.schema.wildcards[own];
        let of_any = self.schema.complex_types[id].base == TypeId::Complex(Schema::ANY_TYPE);
        let within = base.map(|base| &self.schema.wildcards[base]).is_some_and(|base| {
            own.namespaces.within(&base.namespaces) && (of_any || own.process.strictness() >= base.process.strictness())
        });
        if within { Ok(()) } else { Err(self.set.fault(body, "<anyAttribute>", "no more than the base's allows")) }
    }
}

impl super::WrittenAttributes {
    fn prohibits(&self, name: Name) -> bool {
        self.uses.iter().any(|one| matches!(one, Written::Prohibited(other) if *other == name))
    }
}

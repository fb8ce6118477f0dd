//! Particles and model groups (X.694 clauses 17 to 19).

use asn1::schema::{Component, ComponentKind, Fields, Kind, Type};
use tam::Error;
use xsd::{Compositor, ElementId, GroupId, Name, NamedGroupId, Particle, Term};

use super::facets::sized;
use super::instruction::with;
use super::mapper::Mapper;
use super::names::{Given, Use, converted};
use super::plan::Source;

/// What a particle is of: how its component is called, and its type.
struct Occurring {
    /// An identifier, if it need not be told from others.
    identifier: String,
    ty: Type,
    /// The name in XML; `None` of what has no tags of its own.
    name: Option<Name>,
}

impl Mapper<'_> {
    /// The components of a group's particles. A sequence that comes once within a sequence adds its own, as
    /// extensions do to what their base has; there may be many of these within each other.
    pub(super) fn particles(
        &mut self,
        group: GroupId,
        choice: bool,
        given: &mut Given,
    ) -> Result<Vec<Component>, Error> {
        let schema = self.schema;
        let mut made = Vec::with_capacity(schema.groups[group].particles.len());
        let mut open = vec![schema.groups[group].particles.iter()];
        while let Some(rest) = open.last_mut() {
            let Some(id) = rest.next() else {
                open.pop();
                continue;
            };
            let particle = &schema.particles[*id];
            match self.spliced(particle).filter(|_| !choice) {
                Some(inner) => open.push(schema.groups[inner].particles.iter()),
                None => made.extend(self.particle(particle, choice, given)?),
            }
        }
        Ok(made)
    }

    /// The sequence that a particle is of, if it comes once and has no name.
    pub(super) fn spliced(&self, particle: &Particle) -> Option<GroupId> {
        match particle.term {
            Term::Group(group)
                if particle.reference.is_none()
                    && (particle.min, particle.max) == (1, Some(1))
                    && self.schema.groups[group].compositor == Compositor::Sequence =>
            {
                Some(group)
            }
            _ => None,
        }
    }

    /// The component of a particle (clause 19); `None` of a group that holds nothing. As an alternative it
    /// cannot be OPTIONAL: one that may be absent is a list of at most one.
    pub(super) fn particle(
        &mut self,
        particle: &Particle,
        choice: bool,
        given: &mut Given,
    ) -> Result<Option<Component>, Error> {
        let position = particle.position;
        if particle.max == Some(1) && !(choice && particle.min == 0) {
            let of = self.within(position, |mapper| mapper.occurring(particle, choice))?;
            let Some(of) = of else { return Ok(None) };
            let made = given.distinct(of.identifier, Use::Identifier);
            let ty = self.tagged(of.ty, &made, of.name);
            let kind = if particle.min == 0 { ComponentKind::Optional } else { ComponentKind::Mandatory };
            return Ok(Some(Component { kind, ..Component::new(made, ty) }));
        }
        let of =
            self.within(position, |mapper| mapper.within(position, |mapper| mapper.occurring(particle, choice)))?;
        let Some(Occurring { identifier, ty, name }) = of else { return Ok(None) };
        let made = given.distinct(format!("{identifier}-list"), Use::Identifier);
        let item = Component::new(identifier.clone(), self.tagged(ty, &identifier, name));
        let mut list = Type::new(Kind::SequenceOf(Box::new(item)));
        list.constraints.extend(sized(particle.min.into(), particle.max.map(u64::from)));
        Ok(Some(Component::new(made, with("UNTAGGED", list))))
    }

    fn tagged(&self, ty: Type, made: &str, name: Option<Name>) -> Type {
        match name {
            Some(name) => self.called(ty, made, name),
            None => ty,
        }
    }

    /// An alternative that holds nothing is one nevertheless.
    fn occurring(&mut self, particle: &Particle, choice: bool) -> Result<Option<Occurring>, Error> {
        Ok(match (particle.term, particle.reference) {
            (Term::Element(id), _) => Some(self.element(id)?),
            (Term::Wildcard(id), _) => {
                Some(Occurring { identifier: "elem".to_owned(), ty: self.any_element(id), name: None })
            }
            (Term::Group(group), reference) => {
                let named = reference.and_then(|id| {
                    let ty = self.refer(Source::Group(id))?;
                    Some((converted(self.local(self.schema.named_groups[id].name), Use::Identifier), ty))
                });
                let (identifier, ty) = match named {
                    Some(named) => named,
                    None => {
                        let is_choice = self.schema.groups[group].compositor == Compositor::Choice;
                        let may_be_nothing = choice && !(is_choice && particle.min > 0);
                        let nothing = || may_be_nothing.then(|| Type::new(Kind::Sequence(Fields::default())));
                        let Some(ty) = self.group(group)?.or_else(nothing) else { return Ok(None) };
                        let identifier = match self.schema.groups[group].compositor {
                            Compositor::Sequence => "sequence",
                            Compositor::Choice => "choice",
                            Compositor::All => "all",
                        };
                        (identifier.to_owned(), ty)
                    }
                };
                Some(Occurring { identifier, ty: with("UNTAGGED", ty), name: None })
            }
        })
    }

    /// An element, or those that may stand in its place.
    fn element(&mut self, id: ElementId) -> Result<Occurring, Error> {
        let name = self.schema.elements[id].name;
        let identifier = converted(self.local(name), Use::Identifier);
        if let Some(group) = self.refer(Source::Substitution(id)) {
            let identifier = format!("{identifier}-group");
            return Ok(Occurring { identifier, ty: with("UNTAGGED", group), name: None });
        }
        let ty = match self.refer(Source::Element(id)) {
            Some(reference) => reference,
            None => self.element_type(id)?,
        };
        Ok(Occurring { identifier, ty, name: Some(name) })
    }

    /// The SEQUENCE or CHOICE of a group; `None` if it holds nothing.
    fn group(&mut self, id: GroupId) -> Result<Option<Type>, Error> {
        let choice = self.schema.groups[id].compositor == Compositor::Choice;
        let root = self.particles(id, choice, &mut Given::default())?;
        if root.is_empty() {
            return Ok(None);
        }
        let fields = Fields { root, ..Fields::default() };
        Ok(Some(Type::new(if choice { Kind::Choice(fields) } else { Kind::Sequence(fields) })))
    }

    /// A model group definition (clause 17).
    pub(super) fn named_group(&mut self, id: NamedGroupId) -> Result<Type, Error> {
        let ty = self.group(self.schema.named_groups[id].group)?;
        Ok(with("UNTAGGED", ty.unwrap_or_else(|| Type::new(Kind::Sequence(Fields::default())))))
    }
}

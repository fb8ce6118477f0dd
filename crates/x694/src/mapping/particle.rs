//! Particles and model groups (X.694 clauses 17 to 19).

use asn1::schema::{Component, ComponentKind, Fields, Kind, Type};
use tam::Error;
use xsd::{Compositor, ElementId, GroupId, Name, NamedGroupId, Particle, Term};

use super::facets::sized;
use super::instruction::with;
use super::mapper::Mapper;
use super::names::{NameKind, UsedNames, converted, settle_texts};
use super::plan::Source;

/// The component for one occurrence of a particle.
struct Occurrence {
    /// Its identifier, before it is made unique.
    identifier: String,
    /// What it is called outside of ASN.1, where that comes from a name of the schema.
    text: Option<String>,
    ty: Type,
    /// The name in XML; `None` for wildcards and groups, which have no tags of their own.
    name: Option<Name>,
}

impl Mapper<'_> {
    /// The components of a group's particles. The components of a sequence that comes once in a sequence are added to it.
    /// Extensions of extensions nest such sequences deeply, hence the loop.
    pub(super) fn particles(
        &mut self,
        group: GroupId,
        choice: bool,
        given: &mut UsedNames,
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

    /// The sequence of a particle, if it has no name and occurs exactly once.
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

    /// The component of a particle (clause 19); `None` for an empty group. An alternative cannot be OPTIONAL: one that may
    /// be absent becomes a list of at most one item.
    pub(super) fn particle(
        &mut self,
        particle: &Particle,
        choice: bool,
        given: &mut UsedNames,
    ) -> Result<Option<Component>, Error> {
        let position = particle.position;
        if particle.max == Some(1) && !(choice && particle.min == 0) {
            let of = self.within(position, |mapper| mapper.occurring(particle, choice))?;
            let Some(of) = of else { return Ok(None) };
            let made = given.distinct(of.identifier, NameKind::Identifier);
            let ty = self.tagged(of.ty, &made, of.name);
            let kind = if particle.min == 0 { ComponentKind::Optional } else { ComponentKind::Mandatory };
            let text = of.text.map(String::into);
            return Ok(Some(Component { text, kind, ..Component::new(made, ty) }));
        }
        let of =
            self.within(position, |mapper| mapper.within(position, |mapper| mapper.occurring(particle, choice)))?;
        let Some(Occurrence { identifier, text, ty, name }) = of else { return Ok(None) };
        // A list of elements has their name.
        let text = text.map(|text| if name.is_some() { text } else { format!("{text}-list") }.into());
        let made = given.distinct(format!("{identifier}-list"), NameKind::Identifier);
        let item = Component::new(identifier.clone(), self.tagged(ty, &identifier, name));
        let mut list = Type::new(Kind::SequenceOf(Box::new(item)));
        list.constraints.extend(sized(particle.min.into(), particle.max.map(u64::from)));
        Ok(Some(Component { text, ..Component::new(made, with("UNTAGGED", list)) }))
    }

    fn tagged(&self, ty: Type, made: &str, name: Option<Name>) -> Type {
        match name {
            Some(name) => self.called(ty, made, name),
            None => ty,
        }
    }

    /// The component for one occurrence of a particle; `None` for an empty group, except as an alternative.
    fn occurring(&mut self, particle: &Particle, choice: bool) -> Result<Option<Occurrence>, Error> {
        Ok(match (particle.term, particle.reference) {
            (Term::Element(id), _) => Some(self.element(id)?),
            (Term::Wildcard(id), _) => {
                Some(Occurrence { identifier: "elem".to_owned(), text: None, ty: self.any_element(id), name: None })
            }
            (Term::Group(group), reference) => {
                let named = reference.and_then(|id| {
                    let ty = self.refer(Source::Group(id))?;
                    let name = self.local(self.schema.named_groups[id].name);
                    Some((converted(name, NameKind::Identifier), Some(name.to_owned()), ty))
                });
                let (identifier, text, ty) = match named {
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
                        (identifier.to_owned(), None, ty)
                    }
                };
                Some(Occurrence { identifier, text, ty: with("UNTAGGED", ty), name: None })
            }
        })
    }

    /// An element, or the CHOICE of an element and its substitutes.
    fn element(&mut self, id: ElementId) -> Result<Occurrence, Error> {
        let name = self.schema.elements[id].name;
        let text = self.local(name).to_owned();
        let identifier = converted(&text, NameKind::Identifier);
        if let Some(group) = self.refer(Source::Substitution(id)) {
            let (identifier, text) = (format!("{identifier}-group"), Some(format!("{text}-group")));
            return Ok(Occurrence { identifier, text, ty: with("UNTAGGED", group), name: None });
        }
        let ty = match self.refer(Source::Element(id)) {
            Some(reference) => reference,
            None => self.element_type(id)?,
        };
        Ok(Occurrence { identifier, text: Some(text), ty, name: Some(name) })
    }

    /// The SEQUENCE or CHOICE of a group; `None` if it is empty.
    fn group(&mut self, id: GroupId) -> Result<Option<Type>, Error> {
        let choice = self.schema.groups[id].compositor == Compositor::Choice;
        let mut root = self.particles(id, choice, &mut UsedNames::default())?;
        settle_texts(&mut root);
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

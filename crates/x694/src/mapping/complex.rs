//! Complex types (X.694 clauses 20 and 27).

use asn1::schema::{Component, ComponentKind, Enumeration, Enumerator, Fields, Kind, Position, Type};
use tam::Error;
use xsd::{AttributeUse, ComplexId, ComplexType, Compositor, Content, Particle, ParticleId, Term};

use super::instruction::with;
use super::mapper::Mapper;
use super::names::{NameKind, UsedNames, settle_texts};

/// The components of a complex type that is being made.
struct Components {
    given: UsedNames,
    components: Vec<Component>,
}

impl Components {
    /// Adds a component that the mapping introduces.
    fn push(&mut self, name: &str, ty: Type, kind: ComponentKind) {
        let name = self.given.distinct(name.to_owned(), NameKind::Identifier);
        self.components.push(Component { kind, ..Component::new(name, ty) });
    }
}

impl Mapper<'_> {
    /// The definition of a complex type. For nillable elements, its content is a component of its own.
    pub(super) fn complex(&mut self, id: ComplexId, nillable: bool) -> Result<Type, Error> {
        let ty = &self.schema.complex_types[id];
        self.within(ty.position, |mapper| mapper.sequence_of(ty, nillable))
    }

    fn sequence_of(&mut self, ty: &ComplexType, nillable: bool) -> Result<Type, Error> {
        let mut parts = Components { given: UsedNames::default(), components: Vec::new() };
        let mixed = matches!(ty.content, Content::Mixed(_));
        if mixed {
            let item = Component::new("", self.built_in("String"));
            parts.push("embed-values", Type::new(Kind::SequenceOf(Box::new(item))), ComponentKind::Mandatory);
        }
        let particle = match ty.content {
            Content::ElementOnly(particle) => Some(particle),
            Content::Mixed(particle) => particle,
            Content::Empty | Content::Simple(_) => None,
        };
        // Without elements there is no order: an ENUMERATED needs at least one item.
        let holds_any = |all: Particle| match all.term {
            Term::Group(group) => !self.schema.groups[group].particles.is_empty(),
            Term::Element(_) | Term::Wildcard(_) => false,
        };
        // The order of the members says nothing in SOAP's encoding.
        let all = ty.encoded.is_none() && particle.and_then(|particle| self.all_group(particle)).is_some_and(holds_any);
        let order = parts.components.len();
        if all {
            // Its items are set below, when the content is known.
            parts.push("order", Type::new(Kind::Null), ComponentKind::Mandatory);
        }
        self.attributes(ty, &mut parts)?;
        let content = parts.components.len();
        match (ty.content, nillable) {
            (Content::Simple(simple), false) => {
                let base = with("UNTAGGED", self.simple(simple)?);
                parts.push("base", base, ComponentKind::Mandatory);
            }
            (Content::Simple(simple), true) => {
                let content = self.simple(simple)?;
                parts.push("content", content, ComponentKind::Optional);
            }
            (_, false) => parts.components.extend(self.content(particle, &mut parts.given)?),
            (_, true) => {
                let mut root =
                    self.within(ty.position, |mapper| mapper.content(particle, &mut UsedNames::default()))?;
                settle_texts(&mut root);
                let content = Type::new(Kind::Sequence(Fields { root, ..Fields::default() }));
                parts.push("content", content, ComponentKind::Optional);
            }
        }
        settle_texts(&mut parts.components);
        if all {
            let ordered = match parts.components.get(content..).unwrap_or_default() {
                [Component { ty: Type { kind: Kind::Sequence(fields), .. }, .. }] if nillable => &fields.root,
                components => components,
            };
            let ty = order_of(ordered);
            if let Some(component) = parts.components.get_mut(order) {
                component.ty = ty;
            }
        }
        let mut made = Type::new(Kind::Sequence(Fields { root: parts.components, ..Fields::default() }));
        for (keyword, there) in [("USE-ORDER", all), ("USE-NIL", nillable), ("EMBED-VALUES", mixed)] {
            if there {
                made = with(keyword, made);
            }
        }
        Ok(made)
    }

    /// Attributes by namespace and name, then the attribute wildcard (clause 20.6).
    fn attributes(&mut self, ty: &ComplexType, parts: &mut Components) -> Result<(), Error> {
        let schema = self.schema;
        let mut uses: Vec<&AttributeUse> = ty.attributes.iter().collect();
        uses.sort_by_key(|used| {
            let name = schema.attributes[used.attribute].name;
            (schema.names.uri(schema.names.namespace(name)), schema.names.local(name))
        });
        for used in uses {
            let component = self.attribute(used, &mut parts.given)?;
            parts.components.push(component);
        }
        if let Some(wildcard) = ty.attribute_wildcard {
            let any = self.any_attributes(wildcard);
            parts.push("attr", any, ComponentKind::Mandatory);
        }
        Ok(())
    }

    /// The components of content: those of its sequence or all-group, or one for another group.
    fn content(&mut self, particle: Option<ParticleId>, given: &mut UsedNames) -> Result<Vec<Component>, Error> {
        let Some(id) = particle else { return Ok(Vec::new()) };
        if let Some(all) = self.all_group(id) {
            let Term::Group(group) = all.term else { return Ok(Vec::new()) };
            let mut made = self.particles(group, false, given)?;
            if all.min == 0 {
                // The whole group may be absent.
                made.iter_mut().for_each(|component| component.kind = ComponentKind::Optional);
            }
            return Ok(made);
        }
        let particle = self.schema.particles[id];
        if let Some(group) = self.spliced(&particle) {
            return self.particles(group, false, given);
        }
        Ok(self.particle(&particle, false, given)?.into_iter().collect())
    }

    /// The particle of an all-group that is the whole content. It may be alone in sequences, as in an extension that adds
    /// nothing to its base.
    fn all_group(&self, id: ParticleId) -> Option<Particle> {
        let mut particle = self.schema.particles[id];
        loop {
            let Term::Group(group) = particle.term else { return None };
            let group = &self.schema.groups[group];
            match (group.compositor, &group.particles[..]) {
                (Compositor::All, _) => return Some(particle),
                (Compositor::Sequence, [only]) if (particle.min, particle.max) == (1, Some(1)) => {
                    particle = self.schema.particles[*only];
                }
                _ => return None,
            }
        }
    }
}

/// `SEQUENCE OF ENUMERATED { … }`: the order of the elements of an all-group.
fn order_of(components: &[Component]) -> Type {
    let enumerator = |of: &Component| {
        let (name, text) = (of.name.clone(), of.text.clone());
        Enumerator { name, text, number: None, position: Position::default() }
    };
    let root = components.iter().map(enumerator).collect();
    let item = Type::new(Kind::Enumerated(Enumeration { root, additions: None }));
    Type::new(Kind::SequenceOf(Box::new(Component::new("", item))))
}

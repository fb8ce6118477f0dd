//! Reads model groups and particles (Part 1 sections 3.7 to 3.9).

use tam::Error;

use super::{Builder, Original, order::order};
use crate::components::{Compositor, GroupId, ModelGroup, NamedGroupId, Particle, ParticleId, Scope, Term};
use crate::documents::{Key, NodeRef, Tag};

impl Builder<'_> {
    pub(super) fn read_named_group(&mut self, id: NamedGroupId, at: NodeRef) -> Result<(), Error> {
        let Some(child) = self.group_child(at) else { return Ok(()) };
        let group = self.schema.named_groups[id].group;
        self.schema.groups[group].compositor = compositor(self.tag(child));
        self.read_group(child, group, Scope::Group(id))
    }

    /// The child that is a model group, or a reference to one.
    pub(super) fn group_child(&self, at: NodeRef) -> Option<NodeRef> {
        let is_group = |tag| matches!(tag, Tag::Group | Tag::All | Tag::Choice | Tag::Sequence);
        self.children(at).into_iter().find(|child| is_group(self.tag(*child)))
    }

    /// Reads the model group of a type as a particle; `None` for `maxOccurs="0"`.
    pub(super) fn group_particle(&mut self, at: NodeRef, scope: Scope) -> Result<Option<ParticleId>, Error> {
        let mut waiting = Vec::new();
        let particle = self.particle(at, scope, &mut waiting)?;
        self.read_waiting(waiting, scope)?;
        Ok(particle)
    }

    fn read_group(&mut self, at: NodeRef, group: GroupId, scope: Scope) -> Result<(), Error> {
        self.read_waiting(vec![(at, group)], scope)
    }

    /// Reads groups and the groups in them.
    fn read_waiting(&mut self, mut waiting: Vec<(NodeRef, GroupId)>, scope: Scope) -> Result<(), Error> {
        while let Some((at, group)) = waiting.pop() {
            let is_all = self.tag(at) == Tag::All;
            let mut particles = Vec::new();
            for child in self.children(at) {
                let Some(id) = self.particle(child, scope, &mut waiting)? else { continue };
                if is_all && self.schema.particles[id].max != Some(1) {
                    return Err(self.set.fault(child, "an element of <all> more than once", "maxOccurs='0' or '1'"));
                }
                particles.push(id);
            }
            self.schema.groups[group].particles = particles;
        }
        Ok(())
    }

    /// Reads a particle and queues its group; `None` for `maxOccurs="0"`.
    fn particle(
        &mut self,
        at: NodeRef,
        scope: Scope,
        waiting: &mut Vec<(NodeRef, GroupId)>,
    ) -> Result<Option<ParticleId>, Error> {
        let (min, max) = self.occurs(at)?;
        if self.tag(at) == Tag::All && (max != Some(1) || min > 1) {
            return Err(self.set.fault(at, "<all> that does not occur once", "minOccurs='0' or '1', maxOccurs='1'"));
        }
        let position = self.position(at);
        let mut reference = None;
        let term = match self.tag(at) {
            Tag::Element => self.element_term(at, scope)?,
            Tag::Any => Term::Wildcard(self.read_wildcard(at)?),
            Tag::Group => {
                let Some(name) = self.attribute(at, Key::Ref) else {
                    return Err(self.set.fault(at, "<group> without ref", "the attribute ref"));
                };
                let mut id = self.find(at, name, "the group", |schema| &schema.group_names)?;
                if let Some((name, Original::Group(original))) = self.redefining
                    && self.schema.named_groups[id].name == name
                {
                    if (min, max) != (1, Some(1)) {
                        return Err(self.set.fault(
                            at,
                            "a redefined group that does not occur once",
                            "minOccurs='1' maxOccurs='1'",
                        ));
                    }
                    id = original;
                }
                reference = Some(id);
                Term::Group(self.schema.named_groups[id].group)
            }
            tag => {
                let compositor = compositor(tag);
                let group = self.schema.groups.push(ModelGroup { compositor, particles: Vec::new(), position });
                waiting.push((at, group));
                Term::Group(group)
            }
        };
        if max == Some(0) {
            return Ok(None);
        }
        Ok(Some(self.schema.particles.push(Particle { min, max, term, reference, position })))
    }

    /// Checks that no group contains itself, and that no group contains `xs:all` (section 3.8.6).
    pub(super) fn resolve_groups(&mut self) -> Result<(), Error> {
        let schema = &self.schema;
        let order = order(schema.groups.len(), |n, others| {
            let particles = &schema.groups[GroupId(n as u32)].particles;
            others.extend(particles.iter().filter_map(|particle| match schema.particles[*particle].term {
                Term::Group(group) => Some(group.0 as usize),
                _ => None,
            }));
        });
        if let Err(n) = order {
            let named = schema.named_groups.iter().find(|(_, named)| named.group.0 as usize == n);
            let position = schema.groups[GroupId(n as u32)].position;
            let name = named.map_or_else(
                || "a group".to_owned(),
                |(_, named)| format!("the group {}", self.shown(Some(named.name))),
            );
            return Err(self.fault_at(
                position,
                format!("{name}, which contains itself"),
                "a group that does not refer to itself",
            ));
        }
        for (_, group) in schema.groups.iter() {
            for id in &group.particles {
                let particle = &schema.particles[*id];
                if let Term::Group(inner) = particle.term
                    && schema.groups[inner].compositor == Compositor::All
                {
                    let found = "<all> in another group";
                    return Err(self.fault_at(particle.position, found, "<all> alone in its type or group"));
                }
            }
        }
        self.emptiable = vec![false; schema.groups.len()];
        for n in order.unwrap_or_default() {
            let group = &self.schema.groups[GroupId(n as u32)];
            let mut particles = group.particles.iter();
            self.emptiable[n] = match group.compositor {
                Compositor::Choice => particles.any(|particle| self.particle_emptiable(*particle)),
                _ => particles.all(|particle| self.particle_emptiable(*particle)),
            };
        }
        Ok(())
    }

    /// Whether a particle may be empty (section 3.9.6, particle emptiable).
    pub(super) fn particle_emptiable(&self, id: ParticleId) -> bool {
        let particle = &self.schema.particles[id];
        particle.min == 0
            || match particle.term {
                Term::Group(group) => self.emptiable.get(group.0 as usize).copied().unwrap_or(false),
                _ => false,
            }
    }
}

fn compositor(tag: Tag) -> Compositor {
    match tag {
        Tag::All => Compositor::All,
        Tag::Choice => Compositor::Choice,
        _ => Compositor::Sequence,
    }
}

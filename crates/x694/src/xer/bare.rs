//! Which elements may contain names in no namespace. Their instances cannot have a default namespace.

use xsd::{Names, NamespaceId};

use super::build::Forms;
use super::form::{Content, Element, Form, Sequence, Simple, Term};

impl Forms {
    /// For each form, whether its elements may contain an element in no namespace, or a QName.
    pub(super) fn with_bare_names(&self, names: &Names) -> Vec<bool> {
        let mut uses =
            Uses { forms: self.forms.len(), particles: self.particles.len(), used_by: Vec::new(), bare: Vec::new() };
        uses.used_by.resize(uses.forms + uses.particles + self.simples.len(), Vec::new());
        for (form, at) in self.forms.iter().zip(0..) {
            match form {
                Form::Simple(simple) => uses.simple(at, simple.0),
                Form::Named(_) => uses.bare.push(at),
                Form::Derived(alternatives) => alternatives.iter().for_each(|one| uses.add(at, one.of.form.0 as usize)),
                Form::Element(element) => uses.element(at, element),
                Form::Group(particle) => uses.particle(at, particle.0),
                Form::Content(of) => of.particle.iter().for_each(|particle| uses.particle(at, particle.0)),
                Form::Nothing | Form::Word(_) => {}
            }
        }
        for (particle, at) in self.particles.iter().zip(uses.forms..) {
            match &particle.term {
                Term::Element(name, form) => {
                    uses.add(at, form.0 as usize);
                    if names.namespace(*name) == NamespaceId::NONE {
                        uses.bare.push(at);
                    }
                }
                Term::Any(_) => {}
                Term::Words(_) => uses.bare.push(at),
                Term::Sequence(sequence) => uses.sequence(at, sequence),
                Term::Choice(choice) => {
                    choice.alternatives.iter().for_each(|(_, particle)| uses.particle(at, particle.0))
                }
                Term::List(list) => uses.particle(at, list.item.0),
            }
        }
        for (simple, at) in self.simples.iter().zip(uses.forms + uses.particles..) {
            match simple {
                Simple::List(item, _) => uses.simple(at, item.0),
                Simple::Union(members) => members.iter().for_each(|(_, member)| uses.simple(at, member.0)),
                Simple::QName(..) => uses.bare.push(at),
                _ => {}
            }
        }
        uses.finish()
    }
}

/// What uses what: forms, then particles, then forms of character data.
struct Uses {
    forms: usize,
    particles: usize,
    used_by: Vec<Vec<usize>>,
    /// Those with a name in no namespace of their own.
    bare: Vec<usize>,
}

impl Uses {
    fn add(&mut self, user: usize, used: usize) {
        self.used_by[used].push(user);
    }

    fn particle(&mut self, user: usize, particle: u32) {
        self.add(user, self.forms + particle as usize);
    }

    fn simple(&mut self, user: usize, simple: u32) {
        self.add(user, self.forms + self.particles + simple as usize);
    }

    fn element(&mut self, user: usize, element: &Element) {
        element.attributes.iter().for_each(|attribute| self.simple(user, attribute.form.0));
        match &element.content {
            Content::Nothing => {}
            Content::Characters(_, simple) => self.simple(user, simple.0),
            Content::Particles(sequence) => self.sequence(user, sequence),
            Content::Group(_, particle) => self.particle(user, particle.0),
        }
    }

    fn sequence(&mut self, user: usize, sequence: &Sequence) {
        sequence.slots.iter().for_each(|slot| self.particle(user, slot.particle.0));
    }

    /// The forms that use something with a name in no namespace.
    fn finish(mut self) -> Vec<bool> {
        let mut found = vec![false; self.used_by.len()];
        while let Some(at) = self.bare.pop() {
            if !std::mem::replace(&mut found[at], true) {
                self.bare.append(&mut self.used_by[at]);
            }
        }
        found.truncate(self.forms);
        found
    }
}

//! The beginning of an element (Part 1 sections 3.3.4 and 3.4.4).

use text::xml::StartTag;

use super::{Checked, Fault, Frame, Inside, State, Told};
use crate::components::{Content, Derivations, ElementId, Process, Schema, Term, TypeId};
use crate::content::Place;
use crate::names::split;
use crate::value::collapse;
use crate::{Name, NamespaceId};

/// What an element is found to be by its place.
#[derive(Clone, Copy)]
enum Role {
    Declared(ElementId),
    /// A wildcard stands for it.
    Any(Process),
}

/// `xsi:type` and `xsi:nil`.
#[derive(Clone, Copy, Default)]
struct Said<'r> {
    ty: Option<&'r str>,
    nil: Option<&'r str>,
}

impl<'s> State<'s> {
    #[inline(never)]
    pub(super) fn start(&mut self, tag: StartTag<'_>) -> Checked<Told> {
        let bindings = self.bindings.len();
        let prefixed = self.bindings.declare(tag, &self.schema.names)?;
        let (prefix, local) = split(tag.name());
        let namespace = self.namespace_of(prefix)?;
        let name = self.find_name(namespace, local);
        self.transition = None;
        (self.namespace, self.wild) = (namespace, false);
        let role = self.role(name, namespace, tag.name())?;
        let said = if prefixed { self.said(tag) } else { Said::default() };
        let (element, ty, inside) = match role {
            Role::Any(Process::Skip) => (None, None, Inside::Skip),
            Role::Declared(element) => {
                let (ty, inside) = self.typed(Some(element), said)?;
                (Some(element), ty, inside)
            }
            Role::Any(process) => {
                let element = self.schema.element_names.get(&name).copied();
                if element.is_none() && process == Process::Strict && said.ty.is_none() {
                    return Err(Fault::new(format!("<{}>", tag.name()), "an element that is declared"));
                }
                let (ty, inside) = self.typed(element, said)?;
                (element, ty, inside)
            }
        };
        let nil = self.nil(element, said)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.parent = true;
        }
        self.frames.push(Frame {
            name,
            element,
            ty,
            inside,
            place: Place::START,
            counters: self.counters.len() as u32,
            bindings,
            text: self.text.len() as u32,
            nil,
            parent: false,
        });
        if let (Some(TypeId::Complex(id)), Inside::Elements { .. }) = (ty, inside) {
            let counters = self.counters.len() + self.schema.model(id).counters();
            self.counters.resize(counters, 0);
        }
        self.begin_identities()?;
        self.check_attributes(tag, ty, inside)?;
        self.take_ids()?;
        Ok(Told::Start)
    }

    /// The namespace of a prefix.
    pub(super) fn namespace_of(&self, prefix: &str) -> Checked<NamespaceId> {
        let bound = self.bindings.namespace(prefix);
        bound.ok_or_else(|| Fault::new(format!("the prefix '{prefix}'"), "a prefix that is bound"))
    }

    pub(super) fn find_name(&self, namespace: NamespaceId, local: &str) -> Name {
        if namespace == NamespaceId::UNKNOWN {
            return Name::UNKNOWN;
        }
        self.schema.names.find_in(namespace, local).unwrap_or(Name::UNKNOWN)
    }

    /// What the place of an element makes of it.
    fn role(&mut self, name: Name, namespace: NamespaceId, written: &str) -> Checked<Role> {
        let Some(frame) = self.frames.last_mut() else {
            let Some(element) = self.schema.element_names.get(&name) else {
                return Err(Fault::new(format!("<{written}>"), "an element that the schema declares globally"));
            };
            return Ok(Role::Declared(*element));
        };
        if frame.nil {
            return Err(Fault::new(format!("<{written}>"), "nothing in an element of xsi:nil='true'"));
        }
        let model = match (frame.inside, frame.ty) {
            (Inside::Skip, _) => return Ok(Role::Any(Process::Skip)),
            (Inside::Lax, _) => return Ok(Role::Any(Process::Lax)),
            (Inside::Elements { .. }, Some(TypeId::Complex(id))) => self.schema.model(id),
            (Inside::Nothing, _) => return Err(Fault::new(format!("<{written}>"), "nothing in the element")),
            _ => return Err(Fault::new(format!("<{written}>"), "characters, and no elements")),
        };
        let counters = &mut self.counters[frame.counters as usize..];
        let Some(transition) = model.step(self.schema, frame.place, name, namespace, counters) else {
            return Err(self.unexpected(written));
        };
        frame.place = Place(transition.to.0);
        self.transition = Some(transition);
        let element = match self.schema.particles[model.particle(transition.to)].term {
            Term::Element(element) => element,
            Term::Wildcard(wildcard) => {
                self.wild = true;
                return Ok(Role::Any(self.schema.wildcards[wildcard].process));
            }
            Term::Group(_) => return Ok(Role::Any(Process::Lax)),
        };
        // A member of a substitution group has the declaration that its name tells.
        if self.schema.elements[element].name == name {
            return Ok(Role::Declared(element));
        }
        Ok(Role::Declared(self.schema.element_names.get(&name).copied().unwrap_or(element)))
    }

    fn said<'r>(&self, tag: StartTag<'r>) -> Said<'r> {
        let mut said = Said::default();
        for (name, value) in tag.attributes() {
            let Some((prefix, local @ ("type" | "nil"))) = name.split_once(':') else { continue };
            if self.bindings.namespace(prefix) == Some(NamespaceId::XSI) {
                let place = if local == "type" { &mut said.ty } else { &mut said.nil };
                *place = Some(value);
            }
        }
        said
    }

    /// The type of an element, and what may be in it.
    fn typed(&mut self, element: Option<ElementId>, said: Said<'_>) -> Checked<(Option<TypeId>, Inside)> {
        let declared = element.map(|id| &self.schema.elements[id]);
        if let Some(element) = declared.filter(|element| element.is_abstract) {
            let found = format!("the abstract element '{}'", self.shown(element.name));
            return Err(Fault::new(found, "an element that may stand in its place"));
        }
        let mut ty = declared.map(|element| element.ty);
        self.other_type = false;
        if let Some(written) = said.ty {
            let said = self.said_type(written)?;
            if let Some(element) = declared {
                let mut blocked = element.disallowed;
                if let TypeId::Complex(id) = element.ty {
                    blocked = blocked.with(self.schema.complex_types[id].disallowed);
                }
                let blocked = blocked.and(Derivations::EXTENSION.with(Derivations::RESTRICTION));
                if !self.schema.is_derived(said, element.ty, blocked) {
                    let of = self.schema.type_name(element.ty).map_or("that of the element", |name| self.shown(name));
                    let expected = format!("a type derived from '{of}', as that allows");
                    return Err(Fault::new(format!("xsi:type='{written}'"), expected));
                }
            }
            self.other_type = ty.is_some_and(|declared| declared != said);
            ty = Some(said);
        }
        let inside = match ty {
            None => Inside::Lax,
            Some(TypeId::Simple(id)) => Inside::Simple(id),
            Some(TypeId::Complex(id)) => self.inside(id)?,
        };
        Ok((ty, inside))
    }

    fn inside(&self, id: crate::ComplexId) -> Checked<Inside> {
        let ty = &self.schema.complex_types[id];
        if ty.is_abstract {
            let name = ty.name.map_or("", |name| self.shown(name));
            return Err(Fault::new(format!("the abstract type '{name}'"), "xsi:type with a type derived from it"));
        }
        Ok(match ty.content {
            Content::Empty => Inside::Nothing,
            Content::Simple(simple) => Inside::Simple(simple),
            Content::ElementOnly(_) => Inside::Elements { mixed: false },
            Content::Mixed(Some(_)) => Inside::Elements { mixed: true },
            Content::Mixed(None) => Inside::Characters,
        })
    }

    fn said_type(&self, written: &str) -> Checked<TypeId> {
        let mut scratch = String::new();
        let text = collapse(written, &mut scratch);
        let (prefix, local) = text.split_once(':').unwrap_or(("", text));
        let name = self.bindings.namespace(prefix).map(|namespace| self.find_name(namespace, local));
        let ty = name.and_then(|name| self.schema.type_names.get(&name).copied());
        ty.ok_or_else(|| Fault::new(format!("xsi:type='{written}'"), "the name of a type that the schema has"))
    }

    fn nil(&self, element: Option<ElementId>, said: Said<'_>) -> Checked<bool> {
        let (Some(written), Some(element)) = (said.nil, element) else { return Ok(false) };
        let nil = match written.trim_matches([' ', '\t', '\n', '\r']) {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => return Err(Fault::new(format!("xsi:nil='{written}'"), "true, false, 1 or 0")),
        };
        let element = &self.schema.elements[element];
        if !element.nillable {
            return Err(Fault::new(format!("xsi:nil='{written}'"), "no such attribute: the element is not nillable"));
        }
        if nil && matches!(element.value, Some(crate::ValueConstraint::Fixed(_))) {
            return Err(Fault::new("xsi:nil='true'", "the fixed value of the element"));
        }
        Ok(nil)
    }

    #[cold]
    fn unexpected(&self, written: &str) -> Box<Fault> {
        let local = written.split_once(':').map_or(written, |(_, local)| local);
        Fault::new(format!("<{written}>"), self.expected_instead(Some(local)))
    }

    /// What could stand where the innermost element has been read to.
    pub(super) fn expected(&self) -> String {
        self.expected_instead(None)
    }

    /// The same, what has the local name that was found being told with its namespace: that is what is wrong.
    fn expected_instead(&self, found: Option<&str>) -> String {
        const MOST: usize = 8;
        let Some(frame) = self.frames.last() else { return String::new() };
        let Some(TypeId::Complex(id)) = frame.ty else { return String::new() };
        let model = self.schema.model(id);
        let counters = self.counters.get(frame.counters as usize..).unwrap_or(&[]);
        let counters = counters.get(..model.counters()).unwrap_or(counters);
        let mut words: Vec<String> = Vec::new();
        let leaves = model.expected(frame.place, counters, MOST + 1);
        for leaf in leaves.iter().take(MOST) {
            words.push(match (model.element(self.schema, *leaf), model.wildcard(self.schema, *leaf)) {
                (Some(element), _) => {
                    let name = self.schema.elements[element].name;
                    let local = self.shown(name);
                    match self.schema.names.uri(self.schema.names.namespace(name)) {
                        _ if found != Some(local) => format!("<{local}>"),
                        "" => format!("<{local}> of no namespace"),
                        uri => format!("<{local}> of the namespace '{uri}'"),
                    }
                }
                (None, Some(wildcard)) => self.wildcard_words(&wildcard.namespaces),
                (None, None) => continue,
            });
        }
        if leaves.len() > MOST {
            words.push("others".to_owned());
        }
        if model.accepts(frame.place, counters) {
            words.push("the end of the element".to_owned());
        }
        words.dedup();
        words.join(" or ")
    }

    fn wildcard_words(&self, namespaces: &crate::Namespaces) -> String {
        let shown = |namespace: NamespaceId| match self.schema.names.uri(namespace) {
            "" => "no namespace".to_owned(),
            uri => format!("'{uri}'"),
        };
        match namespaces {
            crate::Namespaces::Any => "any element".to_owned(),
            crate::Namespaces::Not(not) => format!("an element of another namespace than {}", shown(*not)),
            crate::Namespaces::Only(some) => {
                let some: Vec<String> = some.iter().take(4).map(|namespace| shown(*namespace)).collect();
                format!("an element of {}", some.join(" or "))
            }
        }
    }

    pub(super) fn schema(&self) -> &'s Schema {
        self.schema
    }
}

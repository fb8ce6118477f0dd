//! The beginning of an element (Part 1 sections 3.3.4 and 3.4.4).

use text::xml::StartTag;
use xml::name::split;
use xml::number::boolean;
use xml::white_space::{collapse, trim};

use super::{Checked, EventKind, Fault, Frame, Outer, State};
use crate::components::{Derivations, ElementId, Inside, Process, Schema, TypeId};
use crate::content::Place;
use crate::{Name, NamespaceId};

const ANY_TYPE: TypeId = TypeId::Complex(Schema::ANY_TYPE);

/// The role of an element in the content of its parent.
#[derive(Clone, Copy)]
pub(super) enum Role {
    Declared(ElementId),
    /// It matches a wildcard.
    Any(Process),
    /// It is not declared, and may have this type.
    Typed(Option<TypeId>),
}

/// The declaration of an element, and its type after `xsi:type` is applied.
#[derive(Clone, Copy)]
struct Resolved {
    element: Option<ElementId>,
    ty: Option<TypeId>,
    inside: Inside,
    counters: u32,
    has_value: bool,
    has_identities: bool,
    wants_attributes: bool,
}

/// `xsi:type` and `xsi:nil`.
#[derive(Clone, Copy, Default)]
struct XsiAttributes<'r> {
    ty: Option<&'r str>,
    nil: Option<&'r str>,
}

impl<'s> State<'s> {
    #[inline(never)]
    pub(super) fn start(&mut self, tag: StartTag<'_>) -> Checked<EventKind> {
        let has_attributes = tag.attributes().len() > 0;
        let prefixed = has_attributes && self.bindings.declare(self.frames.len() + 1, tag, &self.schema.names)?;
        (self.transition, self.wild) = (None, false);
        let (name, namespace, role) = match self.again(tag.name()) {
            Some(known) => known,
            None => self.found(tag.name())?,
        };
        self.namespace = namespace;
        self.wild |= self.frames.last().is_some_and(|around| around.in_any);
        let xsi = if prefixed { self.xsi_attributes(tag) } else { XsiAttributes::default() };
        self.other_type = false;
        let is_encoded = matches!(role, Role::Declared(element) if self.schema.outline(element).is_encoded);
        let found = match role {
            Role::Declared(element) if is_encoded || xsi.ty.is_none() && !self.schema.outline(element).is_abstract => {
                self.as_declared(element)
            }
            role => self.resolved(role, name, xsi, tag.name())?,
        };
        let nil = xsi.nil.is_some() && self.nil(found.element, xsi)?;
        self.items = None;
        if let Some(frame) = self.frames.last_mut() {
            frame.parent = true;
        }
        self.frames.push(Frame {
            name,
            element: found.element,
            ty: found.ty,
            inside: found.inside,
            place: Place::START,
            counters: self.counters.len() as u32,
            text: self.text.len() as u32,
            nil,
            parent: false,
            has_value: found.has_value,
            in_any: self.other_type && found.element.is_some_and(|element| self.schema.outline(element).ty == ANY_TYPE),
        });
        if found.counters > 0 {
            self.counters.resize(self.counters.len() + found.counters as usize, 0);
        }
        if found.has_identities || self.has_open_identities() {
            self.begin_identities()?;
        }
        self.attributes.clear();
        self.values.clear();
        if is_encoded {
            if has_attributes {
                self.check_encoded(tag, found.ty, nil, xsi.ty)?;
            }
        } else if has_attributes || found.wants_attributes {
            self.check_attributes(tag, found.ty, found.inside)?;
        }
        self.take_ids()?;
        Ok(EventKind::Start)
    }

    /// An element without `xsi:type`.
    fn as_declared(&self, element: ElementId) -> Resolved {
        let outline = self.schema.outline(element);
        Resolved {
            element: Some(element),
            ty: Some(outline.ty),
            inside: outline.inside,
            counters: outline.counters,
            has_value: outline.has_value,
            has_identities: outline.has_identities,
            wants_attributes: outline.wants_attributes,
        }
    }

    /// An element whose type must be resolved.
    #[inline(never)]
    fn resolved(&mut self, role: Role, name: Name, xsi: XsiAttributes<'_>, written: &str) -> Checked<Resolved> {
        let element = match role {
            Role::Any(Process::Skip) => {
                return Ok(Resolved {
                    element: None,
                    ty: None,
                    inside: Inside::Skip,
                    counters: 0,
                    has_value: false,
                    has_identities: false,
                    wants_attributes: false,
                });
            }
            Role::Declared(element) => Some(element),
            Role::Typed(_) => None,
            Role::Any(process) => {
                let known = name != Name::UNKNOWN;
                let element = if known { self.schema.element_names.get(&name).copied() } else { None };
                if element.is_none() && process == Process::Strict && xsi.ty.is_none() {
                    return Err(Fault::new(format!("<{written}>"), "an element that is declared"));
                }
                element
            }
        };
        let own = if let Role::Typed(own) = role { own } else { None };
        let (ty, inside) = self.typed(element, own, xsi)?;
        let (counters, wants_attributes) = match (ty, inside) {
            (Some(TypeId::Complex(id)), Inside::Elements { .. }) => {
                (self.schema.model(id).counters() as u32, self.schema.wants_attributes(id))
            }
            (Some(TypeId::Complex(id)), _) => (0, self.schema.wants_attributes(id)),
            _ => (0, false),
        };
        let declared = element.map(|id| self.schema.outline(id));
        Ok(Resolved {
            element,
            ty,
            inside,
            counters,
            has_value: declared.is_some_and(|declared| declared.has_value),
            has_identities: declared.is_some_and(|declared| declared.has_identities),
            wants_attributes,
        })
    }

    /// The namespace of a prefix.
    pub(super) fn namespace_of(&self, prefix: &str) -> Checked<NamespaceId> {
        let bound = self.bindings.namespace(prefix);
        bound.ok_or_else(|| Fault::new(format!("the prefix '{prefix}'"), "a declared prefix"))
    }

    pub(super) fn find_name(&self, namespace: NamespaceId, local: &str) -> Name {
        if namespace == NamespaceId::UNKNOWN {
            return Name::UNKNOWN;
        }
        self.schema.names.find_in(namespace, local).unwrap_or(Name::UNKNOWN)
    }

    /// The name of an element, its namespace, and its role.
    #[inline(never)]
    fn found(&mut self, written: &str) -> Checked<(Name, NamespaceId, Role)> {
        let (prefix, local) = split(written);
        let namespace = self.namespace_of(prefix)?;
        let name = self.find_name(namespace, local);
        Ok((name, namespace, self.role(name, namespace, written)?))
    }

    /// The role of an element in its parent, whose place moves on.
    fn role(&mut self, name: Name, namespace: NamespaceId, written: &str) -> Checked<Role> {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else {
            if self.outer.is_some() {
                return Ok(Role::Any(Process::Lax));
            }
            let Some(element) = self.schema.element_names.get(&name) else {
                return Err(Fault::new(format!("<{written}>"), "an element that the schema declares globally"));
            };
            return Ok(Role::Declared(*element));
        };
        if frame.nil {
            return Err(Fault::new(format!("<{written}>"), "nothing in an element of xsi:nil='true'"));
        }
        let ty = match (frame.inside, frame.ty) {
            (Inside::Skip, _) => return Ok(Role::Any(Process::Skip)),
            (Inside::Lax, _) => {
                return Ok(match self.outer.as_deref() {
                    Some(outer) if depth == 2 && outer.undeclared.contains(&name) => Role::Typed(None),
                    Some(Outer { part: Some((part, ty)), .. }) if depth == 3 && *part == name => Role::Typed(*ty),
                    _ => Role::Any(Process::Lax),
                });
            }
            (Inside::Elements { .. }, Some(TypeId::Complex(id))) => id,
            (Inside::Nothing, _) => return Err(Fault::new(format!("<{written}>"), "nothing in the element")),
            _ => return Err(Fault::new(format!("<{written}>"), "characters, and no elements")),
        };
        let (model, at) = (self.schema.model(ty), frame.place);
        let counters = &mut self.counters[frame.counters as usize..];
        let Some(transition) = model.step(self.schema, frame.place, name, namespace, counters) else {
            let is_sure = !model.has_dropped(counters);
            return Err(if is_sure { self.unexpected(written) } else { Fault::too_many_ways() });
        };
        frame.place = Place(transition.to.0);
        self.transition = Some(transition);
        let Some(element) = model.element(transition.to) else {
            self.wild = true;
            let wildcard = model.wildcard(self.schema, transition.to);
            return Ok(Role::Any(wildcard.map_or(Process::Lax, |wildcard| wildcard.process)));
        };
        // A member of a substitution group has a declaration of its own.
        if self.schema.outline(element).name == name || model.takes_any_name {
            self.remember(written, namespace, (ty, at), transition.to);
            return Ok(Role::Declared(element));
        }
        Ok(Role::Declared(self.schema.element_names.get(&name).copied().unwrap_or(element)))
    }

    fn xsi_attributes<'r>(&self, tag: StartTag<'r>) -> XsiAttributes<'r> {
        let mut xsi = XsiAttributes::default();
        for (name, value) in tag.attributes() {
            let Some((prefix, local @ ("type" | "nil"))) = name.split_once(':') else { continue };
            if self.bindings.namespace(prefix) == Some(NamespaceId::XSI) {
                let place = if local == "type" { &mut xsi.ty } else { &mut xsi.nil };
                *place = Some(value);
            }
        }
        xsi
    }

    /// The type of an element, and the content that it may have.
    fn typed(
        &mut self,
        element: Option<ElementId>,
        own: Option<TypeId>,
        xsi: XsiAttributes<'_>,
    ) -> Checked<(Option<TypeId>, Inside)> {
        let declared = element.map(|id| &self.schema.elements[id]);
        if let Some(element) = declared.filter(|element| element.is_abstract) {
            let found = format!("the abstract element '{}'", self.shown(element.name));
            return Err(Fault::new(found, "an element that may substitute it"));
        }
        let mut ty = declared.map(|element| element.ty).or(own);
        if let Some(written) = xsi.ty {
            let named = self.xsi_type(written)?;
            if let Some(own) = ty {
                let mut blocked = declared.map_or(Derivations::NONE, |element| element.disallowed);
                if let TypeId::Complex(id) = own {
                    blocked = blocked.with(self.schema.complex_types[id].disallowed);
                }
                let blocked = blocked.and(Derivations::EXTENSION.with(Derivations::RESTRICTION));
                if !self.schema.is_derived_counted(named, own, blocked, &mut self.checker.steps) {
                    let of = self.schema.type_name(own).map_or("that of the element", |name| self.shown(name));
                    let expected = format!("a type derived from '{of}' in a way that is not blocked");
                    return Err(Fault::new(format!("xsi:type='{written}'"), expected));
                }
            }
            self.other_type = ty.is_some_and(|declared| declared != named);
            ty = Some(named);
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
        Ok(ty.content.into())
    }

    fn xsi_type(&self, written: &str) -> Checked<TypeId> {
        let mut scratch = String::new();
        let text = collapse(written, &mut scratch);
        let (prefix, local) = split(text);
        let name = self.bindings.namespace(prefix).map(|namespace| self.find_name(namespace, local));
        let ty = name.and_then(|name| self.schema.type_names.get(&name).copied());
        ty.ok_or_else(|| Fault::new(format!("xsi:type='{written}'"), "the name of a type that the schema has"))
    }

    fn nil(&self, element: Option<ElementId>, xsi: XsiAttributes<'_>) -> Checked<bool> {
        let (Some(written), Some(id)) = (xsi.nil, element) else { return Ok(false) };
        let nil =
            boolean(trim(written)).ok_or_else(|| Fault::new(format!("xsi:nil='{written}'"), "true, false, 1 or 0"))?;
        let element = &self.schema.elements[id];
        if !element.nillable && !self.schema.outline(id).is_encoded {
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

    /// What may come next in the innermost element, for error messages.
    pub(super) fn expected(&self) -> String {
        self.expected_instead(None)
    }

    /// Like [`State::expected`]. Elements with the local name that was found are shown with their namespace, because it
    /// differs.
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
            words.push(match (model.element(*leaf), model.wildcard(self.schema, *leaf)) {
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

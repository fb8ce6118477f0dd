//! Builds the forms in XML of the types of the mapped modules.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use asn1::compiled::{Integer, Kind as Compiled, Number, Open, Size};
use asn1::schema::{self, Component, ComponentKind, Fields, Kind, Type};
use asn1::{Compiled as Types, NodeId};
use tam::{Error, ErrorKind, Words};
use xsd::{Name, Names};

use super::form::{
    Alternative, Alternatives, Attribute, Choice, Contained, Content, Element, FieldRef, Form, FormId, Items, List,
    Named, Particle, ParticleId, Rare, Real, Sequence, Simple, SimpleForm, Slot, SlotKind, Table, Term, TypedForm,
    are_dense,
};
use super::instructions::{Assignments, Instructions, Made, OCTETS, Position, Resolved, STRING, made_of};
use super::leaves::Leaves;

/// How deep groups and unions may be nested.
const NESTED: u32 = 128;

/// The forms of a schema.
#[derive(Debug, Default)]
pub(super) struct Forms {
    pub(super) forms: Vec<Form>,
    pub(super) particles: Vec<Particle>,
    pub(super) simples: Vec<Simple>,
    /// What is written at the elements of some forms.
    marks: HashMap<u32, Vec<(Position, String)>>,
}

impl Forms {
    pub(super) fn form(&self, id: FormId) -> &Form {
        &self.forms[id.0 as usize]
    }

    pub(super) fn particle(&self, id: ParticleId) -> &Particle {
        &self.particles[id.0 as usize]
    }

    /// The processing instructions and comments at the elements of a form.
    pub(super) fn marks(&self, id: FormId) -> &[(Position, String)] {
        if self.marks.is_empty() { &[] } else { self.marks.get(&id.0).map_or(&[], Vec::as_slice) }
    }

    fn push(&mut self, particle: Particle) -> ParticleId {
        self.particles.push(particle);
        ParticleId(self.particles.len() as u32 - 1)
    }

    pub(super) fn simple(&self, id: SimpleForm) -> &Simple {
        &self.simples[id.0 as usize]
    }
}

/// What a form depends on: the type (by its address), its instructions, and the references with texts.
type Key = (usize, Instructions, Vec<usize>);

pub(super) struct Builder<'m> {
    assignments: Assignments<'m>,
    types: &'m Types,
    names: &'m Names,
    pub(super) forms: Forms,
    /// For each CHOICE of a type and its derived types (by its address), the type that needs no `xsi:type`.
    declared: HashMap<usize, Name>,
    known_forms: HashMap<Key, FormId>,
    known_particles: HashMap<Key, ParticleId>,
    known_simples: HashMap<Key, SimpleForm>,
    /// Forms that are still to be built.
    queue: Vec<(FormId, Resolved<'m>, NodeId)>,
    nested: u32,
}

fn key(resolved: &Resolved<'_>) -> Key {
    let address = |ty: &Type| std::ptr::from_ref(ty).addr();
    let references = resolved.references.iter().map(|ty| address(ty)).collect();
    (address(resolved.ty), resolved.instructions.clone(), references)
}

impl<'m> Builder<'m> {
    pub(super) fn new(
        schema: &'m schema::Schema,
        declared: HashMap<usize, Name>,
        types: &'m Types,
        names: &'m Names,
    ) -> Builder<'m> {
        Builder {
            assignments: Assignments::new(schema),
            declared,
            types,
            names,
            forms: Forms::default(),
            known_forms: HashMap::new(),
            known_particles: HashMap::new(),
            known_simples: HashMap::new(),
            queue: Vec::new(),
            nested: 0,
        }
    }

    /// Adds the form of an element. [`Builder::finish`] builds its content.
    pub(super) fn element(&mut self, module: usize, ty: &'m Type, node: NodeId) -> Result<TypedForm, Error> {
        let resolved = self.resolve(module, ty)?;
        let key = key(&resolved);
        if let Some(form) = self.known_forms.get(&key) {
            return Ok(TypedForm { form: *form, node });
        }
        let form = FormId(self.forms.forms.len() as u32);
        if !resolved.instructions.marks.is_empty() {
            self.forms.marks.insert(form.0, resolved.instructions.marks.clone());
        }
        self.known_forms.insert(key, form);
        self.forms.forms.push(Form::Derived(Alternatives::default()));
        self.queue.push((form, resolved, node));
        Ok(TypedForm { form, node })
    }

    /// The forms.
    pub(super) fn finish(mut self) -> Result<Forms, Error> {
        while let Some((form, resolved, node)) = self.queue.pop() {
            let made = self.form(&resolved, node)?;
            self.forms.forms[form.0 as usize] = made;
        }
        Ok(self.forms)
    }

    fn resolve(&self, module: usize, ty: &'m Type) -> Result<Resolved<'m>, Error> {
        self.assignments.resolve(self.names, module, ty).ok_or_else(|| self.lost("a name that refers to nothing"))
    }

    /// An error for what the mapping never makes.
    #[cold]
    fn lost(&self, found: &'static str) -> Error {
        Error::new(ErrorKind::Unsupported, "xsd", 0, found, "a module that X.694 makes")
    }

    fn form(&mut self, of: &Resolved<'m>, node: NodeId) -> Result<Form, Error> {
        Ok(match &of.ty.kind {
            Kind::Sequence(fields) | Kind::Set(fields) if !of.instructions.use_qname => {
                Form::Element(self.record_with_tags(of, &fields.root, node)?)
            }
            Kind::Choice(fields) if of.instructions.use_type => {
                let mut alternatives = Vec::with_capacity(fields.root.len());
                for component in &fields.root {
                    let place = self.place(node, component)?;
                    let (uri, local) = component.ty.xml_name(&component.name);
                    let ty = self.name(uri, &local)?;
                    let of = self.element(of.module, &component.ty, place.node)?;
                    alternatives.push(Alternative { ty, index: place.index, of });
                }
                let declared = self.declared.get(&std::ptr::from_ref(of.ty).addr()).copied();
                Form::Derived(Alternatives::new(alternatives, declared))
            }
            Kind::Choice(fields) if made_of(&of.ty.kind) == Some(Made::Content) => self.content(of, fields, node)?,
            Kind::Null => Form::Nothing,
            _ if of.instructions.named_elements => Form::Named(self.simple(of, node)?),
            _ if is_characters(of) => Form::Simple(self.simple(of, node)?),
            _ => match self.group(of, node)? {
                Some(particle) => Form::Group(self.forms.push(particle)),
                None => return Err(self.lost("a type without a form")),
            },
        })
    }

    /// A string that may contain a value, unless its content has rules that are not known.
    fn content(&mut self, of: &Resolved<'m>, fields: &'m Fields, node: NodeId) -> Result<Form, Error> {
        let Some(string) = fields.root.last() else { return Err(self.lost("a string of no kind")) };
        let (particle, place) = match self.types.node(node).kind {
            Compiled::Open(_) => {
                let particle = self.group(of, node)?;
                (particle.map(|particle| self.forms.push(particle)), Some(self.place(node, string)?))
            }
            _ => (None, None),
        };
        let resolved = self.resolve(of.module, &string.ty)?;
        let form = self.simple(&resolved, place.map_or(node, |place| place.node))?;
        Ok(Form::Content(Contained { particle, place, form }))
    }

    fn name(&self, uri: &str, local: &str) -> Result<Name, Error> {
        self.names.find(uri, local).ok_or_else(|| self.lost("a name that no schema document declares"))
    }

    fn place(&self, node: NodeId, component: &Component) -> Result<FieldRef, Error> {
        if let Compiled::Open(number) = self.types.node(node).kind {
            return self.place_in_open(node, self.types.open(number), &component.name);
        }
        let place = self.types.component(node, &component.name);
        let place = place.ok_or_else(|| self.lost("a component that its type does not have"))?;
        Ok(FieldRef { index: place.index, node: place.node })
    }

    /// The place of an alternative of a CHOICE that is made of an open type or of a string.
    fn place_in_open(&self, node: NodeId, open: &Open, name: &str) -> Result<FieldRef, Error> {
        if let Some((_, rules)) = OCTETS.iter().find(|(octets, _)| *octets == name) {
            return Ok(FieldRef { index: Open::undecoded(*rules), node });
        }
        let at = name.parse::<usize>().ok();
        let index = match open.is_string() {
            true => Some(u32::from(name == STRING)),
            false => at.and_then(|at| open.declared.get(at).copied()),
        };
        let place = index.and_then(|index| Some(FieldRef { index, node: *open.alternatives.get(index as usize)? }));
        place.ok_or_else(|| self.lost("an open type of another table"))
    }

    /// The type of a list's items, and their number.
    fn item(&self, node: NodeId) -> Result<(NodeId, Size), Error> {
        match self.types.node(node).kind {
            Compiled::Array(array) => Ok((array.item, array.size)),
            _ => Err(self.lost("a list of no items")),
        }
    }

    fn record_with_tags(
        &mut self,
        of: &Resolved<'m>,
        components: &'m [Component],
        node: NodeId,
    ) -> Result<Element, Error> {
        let (mut made, mut rare) = (Element::default(), Rare::default());
        let mut rest = components.iter();
        if of.instructions.embed_values
            && let Some(component) = rest.next()
        {
            let place = self.place(node, component)?;
            rare.embedded = Some((place, self.item(place.node)?.0));
        }
        if of.instructions.use_order
            && let Some(component) = rest.next()
        {
            let place = self.place(node, component)?;
            rare.order = Some((place, self.item(place.node)?.0));
        }
        let mut slots = Vec::new();
        for component in rest {
            let place = self.place(node, component)?;
            let resolved = self.resolve(of.module, &component.ty)?;
            if resolved.instructions.any_attributes {
                rare.any_attributes = Some((place, self.item(place.node)?.0));
            } else if resolved.instructions.attribute {
                let (uri, local) = component.ty.xml_name(&component.name);
                let name = self.name(uri, &local)?;
                let form = self.simple(&resolved, place.node)?;
                made.attributes.push(Attribute { name, place, form });
            } else if of.instructions.use_nil {
                rare.nil = Some(place);
                made.content = match &resolved.ty.kind {
                    Kind::Sequence(fields) if !resolved.instructions.use_qname => {
                        let mut slots = Vec::with_capacity(fields.root.len());
                        for component in &fields.root {
                            slots.push(self.slot(resolved.module, place.node, component)?);
                        }
                        Content::Particles(self.sequence(slots, false))
                    }
                    _ if is_characters(&resolved) => Content::Characters(place, self.simple(&resolved, place.node)?),
                    _ => match self.group(&resolved, place.node)? {
                        Some(group) => Content::Group(place, self.forms.push(group)),
                        None => return Err(self.lost("a content without a form")),
                    },
                };
            } else if resolved.instructions.untagged && is_characters(&resolved) {
                made.content = Content::Characters(place, self.simple(&resolved, place.node)?);
            } else {
                slots.push(self.slot(of.module, node, component)?);
            }
        }
        if !slots.is_empty() {
            let is_unordered = matches!(of.ty.kind, Kind::Set(_));
            made.content = Content::Particles(self.sequence(slots, is_unordered));
        }
        let is_rare = rare.embedded.is_some() || rare.order.is_some() || rare.any_attributes.is_some();
        made.rare = (is_rare || rare.nil.is_some()).then(|| Box::new(rare));
        made.attribute_names = made.attributes.iter().map(|attribute| attribute.name).zip(0..).collect();
        made.attribute_names.sort_unstable();
        made.has_dense_attributes = are_dense(made.attributes.iter().map(|attribute| attribute.place));
        Ok(made)
    }

    fn slot(&mut self, module: usize, node: NodeId, component: &'m Component) -> Result<Slot, Error> {
        let place = self.place(node, component)?;
        let particle = self.particle(module, component, place.node)?;
        let optional = component.kind != ComponentKind::Mandatory;
        let kind = match self.forms.particle(particle).term {
            Term::Element(_, form) => SlotKind::Element(form),
            _ => SlotKind::Other,
        };
        Ok(Slot { place, particle, kind, optional, since: 0 })
    }

    /// A sequence of components, each with the slots that it can be reached from: all, if they come in any order.
    fn sequence(&self, mut slots: Vec<Slot>, is_unordered: bool) -> Sequence {
        let mut since = 0;
        let mut table = Table::default();
        for (at, slot) in slots.iter_mut().enumerate() {
            slot.since = since;
            let particle = self.forms.particle(slot.particle);
            self.note(&mut table, slot.particle, at as u32);
            if !slot.optional && !particle.empty && !is_unordered {
                since = at as u32;
            }
        }
        table.by_name.sort_unstable();
        let (mut lists, mut groups) = (Vec::new(), Vec::new());
        for (slot, at) in slots.iter().zip(0..).filter(|(slot, _)| !slot.optional) {
            match self.forms.particle(slot.particle).term {
                Term::Element(..) | Term::Any(_) => {}
                Term::List(list) if list.least == 0 => lists.push(slot.place),
                _ => groups.push(at),
            }
        }
        let is_dense = are_dense(slots.iter().map(|slot| slot.place));
        Sequence { slots, is_dense, lists, groups, table, leaves: Leaves::default(), is_unordered }
    }

    fn note(&self, table: &mut Table, particle: ParticleId, at: u32) {
        let particle = self.forms.particle(particle);
        table.by_name.extend(particle.first.iter().map(|name| (*name, at)));
        if particle.wild {
            table.wild.push(at);
        }
    }

    fn depth(&self, particle: ParticleId) -> u32 {
        self.forms.particle(particle).depth
    }

    /// Refuses particles and unions that are nested too deep.
    fn deeper(&self, what: &'static str, depth: u32) -> Result<(), Error> {
        match depth < NESTED {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Limit, "xsd", 0, what, Words::AtMost(NESTED.into(), what))),
        }
    }

    /// The particle of a component, of an alternative or of the item of a list.
    fn particle(&mut self, module: usize, component: &'m Component, node: NodeId) -> Result<ParticleId, Error> {
        let resolved = self.resolve(module, &component.ty)?;
        let tagless = resolved.instructions.untagged || resolved.instructions.any_element.is_some();
        // The name of an element comes from its component, so that elements are not shared.
        let key = key(&resolved);
        if tagless && let Some(known) = self.known_particles.get(&key) {
            return Ok(*known);
        }
        self.deeper("groups within each other", self.nested)?;
        self.nested += 1;
        let made = self.made(module, component, &resolved, node)?;
        self.nested -= 1;
        // Shared particles may be deep themselves.
        self.deeper("groups within each other", made.depth)?;
        let id = ParticleId(self.forms.particles.len() as u32);
        self.forms.particles.push(made);
        if tagless {
            self.known_particles.insert(key, id);
        }
        Ok(id)
    }

    fn made(
        &mut self,
        module: usize,
        component: &'m Component,
        of: &Resolved<'m>,
        node: NodeId,
    ) -> Result<Particle, Error> {
        if let Some(allowed) = &of.instructions.any_element {
            let term = Term::Any(allowed.clone());
            return Ok(Particle { term, first: Vec::new(), wild: true, empty: false, depth: 1 });
        }
        if is_untagged(component, of)
            && let Some(group) = self.group(of, node)?
        {
            return Ok(group);
        }
        let (uri, local) = self.assignments.element_name(module, component);
        let name = self.name(uri, &local)?;
        let form = self.element(module, &component.ty, node)?.form;
        Ok(Particle { term: Term::Element(name, form), first: vec![name], wild: false, empty: false, depth: 1 })
    }

    /// The particle of a SEQUENCE, CHOICE, SEQUENCE OF or SET OF without tags of its own; `None` for other types.
    fn group(&mut self, of: &Resolved<'m>, node: NodeId) -> Result<Option<Particle>, Error> {
        Ok(Some(match &of.ty.kind {
            Kind::Sequence(fields) | Kind::Set(fields) => {
                let mut slots = Vec::with_capacity(fields.root.len());
                for component in &fields.root {
                    slots.push(self.slot(of.module, node, component)?);
                }
                let sequence = self.sequence(slots, matches!(of.ty.kind, Kind::Set(_)));
                let (mut first, mut wild, mut empty) = (Vec::new(), false, true);
                for slot in &sequence.slots {
                    if !empty && !sequence.is_unordered {
                        break;
                    }
                    let particle = self.forms.particle(slot.particle);
                    first.extend_from_slice(&particle.first);
                    wild |= particle.wild;
                    empty &= slot.optional || particle.empty;
                }
                let depth = 1 + sequence.slots.iter().map(|slot| self.depth(slot.particle)).max().unwrap_or(0);
                Particle { term: Term::Sequence(sequence), first: in_order(first), wild, empty, depth }
            }
            Kind::Choice(fields) => {
                let mut choice = Choice { is_open: made_of(&of.ty.kind).is_some(), ..Choice::default() };
                let (mut first, mut wild) = (Vec::new(), false);
                let mut named = HashMap::new();
                for component in &fields.root {
                    if choice.is_open && !self.is_distinct(&mut named, of.module, component)? {
                        continue;
                    }
                    let (at, place) = (choice.alternatives.len(), self.place(node, component)?);
                    let id = self.particle(of.module, component, place.node)?;
                    self.note(&mut choice.table, id, at as u32);
                    let particle = self.forms.particle(id);
                    first.extend_from_slice(&particle.first);
                    wild |= particle.wild;
                    if particle.empty {
                        choice.empty.get_or_insert(at as u32);
                    }
                    choice.alternatives.push((place, id));
                }
                choice.table.by_name.sort_unstable();
                let empty = choice.empty.is_some();
                let depth = 1 + choice.alternatives.iter().map(|(_, id)| self.depth(*id)).max().unwrap_or(0);
                Particle { term: Term::Choice(choice), first: in_order(first), wild, empty, depth }
            }
            Kind::Boolean | Kind::Enumerated(_) => {
                let names: Vec<&str> = match self.types.node(node).kind {
                    Compiled::Enumerated(number) => {
                        self.types.enumeration(number).items.iter().map(|(name, _)| &name[..]).collect()
                    }
                    _ => vec!["false", "true"],
                };
                let mut words = Vec::with_capacity(names.len());
                for (name, number) in names.iter().zip(0..) {
                    self.forms.forms.push(Form::Word(number));
                    words.push((self.name("", name)?, FormId(self.forms.forms.len() as u32 - 1)));
                }
                let first = in_order(words.iter().map(|(name, _)| *name).collect());
                Particle { term: Term::Words(words), first, wild: false, empty: false, depth: 1 }
            }
            Kind::SequenceOf(item) | Kind::SetOf(item) => {
                let (item_node, size) = self.item(node)?;
                let id = self.particle(of.module, item, item_node)?;
                let particle = self.forms.particle(id);
                let (first, wild, empty) = (particle.first.clone(), particle.wild, particle.empty || size.lower == 0);
                let element = match particle.term {
                    Term::Element(_, form) => Some(form),
                    _ => None,
                };
                let list = List { item: id, node: item_node, element, least: size.lower, most: size.upper };
                Particle { term: Term::List(list), first, wild, empty, depth: 1 + self.depth(id) }
            }
            _ => return Ok(None),
        }))
    }

    /// Whether the element of a type in a table is read, given the names of those before it and whether they may be shared. A string
    /// that may contain a value is no element.
    fn is_distinct(
        &self,
        named: &mut HashMap<(&'m str, Cow<'m, str>), bool>,
        module: usize,
        component: &'m Component,
    ) -> Result<bool, Error> {
        let of = self.resolve(module, &component.ty)?;
        if component.name == STRING || is_untagged(component, &of) {
            return Ok(component.name != STRING);
        }
        let shares = shares_name(&of);
        Ok(match named.entry(self.assignments.element_name(module, component)) {
            Entry::Occupied(mut others) => {
                *others.get_mut() &= shares;
                *others.get()
            }
            Entry::Vacant(first) => {
                first.insert(shares);
                true
            }
        })
    }

    fn simple(&mut self, of: &Resolved<'m>, node: NodeId) -> Result<SimpleForm, Error> {
        let key = key(of);
        if let Some(known) = self.known_simples.get(&key) {
            return Ok(*known);
        }
        self.deeper("unions within each other", self.nested)?;
        self.nested += 1;
        let made = self.characters(of, node)?;
        self.nested -= 1;
        let id = SimpleForm(self.forms.simples.len() as u32);
        self.forms.simples.push(made);
        self.known_simples.insert(key, id);
        Ok(id)
    }

    fn characters(&mut self, of: &Resolved<'m>, node: NodeId) -> Result<Simple, Error> {
        if let Compiled::Open(_) = self.types.node(node).kind {
            return Ok(Simple::Undecoded);
        }
        Ok(match &of.ty.kind {
            Kind::Boolean if of.texts().is_empty() => Simple::Boolean,
            Kind::Boolean => Simple::Enumerated(Items::named(of, ["false", "true"].into_iter())),
            Kind::Integer(_) => match self.named(of, node) {
                Some(named) => Simple::Number(named),
                None => Simple::Integer,
            },
            Kind::Real if of.instructions.decimal => Simple::Real(Real::Decimal),
            Kind::Real if !self.assignments.is_modified(of.module) => Simple::Real(Real::Finite),
            Kind::Real => Simple::Real(if of.instructions.float { Real::Float } else { Real::Double }),
            Kind::OctetString => Simple::Octets(of.instructions.base64),
            Kind::BitString(_) => Simple::Bits(self.named(of, node)),
            Kind::ObjectIdentifier | Kind::RelativeOid => Simple::Arcs,
            Kind::Enumerated(_) => match self.types.node(node).kind {
                Compiled::Enumerated(number) => Simple::Enumerated(self.items(of, number)),
                _ => Simple::Enumerated(Items::default()),
            },
            Kind::String(kind) if kind.is_iso8601() => Simple::Time,
            Kind::String(_) => Simple::Text(of.instructions.white_space),
            Kind::SequenceOf(item) | Kind::SetOf(item) => {
                let (node, _) = self.item(node)?;
                let resolved = self.resolve(of.module, &item.ty)?;
                Simple::List(self.simple(&resolved, node)?, node)
            }
            Kind::Choice(fields) => {
                let mut alternatives = Vec::with_capacity(fields.root.len());
                for component in &fields.root {
                    let place = self.place(node, component)?;
                    let resolved = self.resolve(of.module, &component.ty)?;
                    alternatives.push((place, self.simple(&resolved, place.node)?));
                }
                Simple::Union(alternatives)
            }
            Kind::Sequence(fields) => match &fields.root[..] {
                [uri, name] => Simple::QName(self.place(node, uri)?, self.place(node, name)?),
                _ => return Err(self.lost("a name that does not have two parts")),
            },
            _ => return Err(self.lost("a type that no simple type becomes")),
        })
    }

    /// The named numbers of an INTEGER or the named bits of a BIT STRING, if there are any.
    fn named(&self, of: &Resolved<'m>, node: NodeId) -> Option<Box<Named>> {
        let (Compiled::Integer(Integer { names, .. }) | Compiled::BitString(_, names)) = self.types.node(node).kind
        else {
            return None;
        };
        let texts = of.texts();
        let named = self.types.names(names?).iter().map(|(name, number)| {
            let text = texts.get(&name[..]).map_or(&name[..], |text| text);
            (text.into(), number.clone())
        });
        let numbers: Vec<(Box<str>, Number)> = named.collect();
        let by_text = numbers.iter().map(|(text, _)| text.clone()).zip(0..).collect();
        Some(Box::new(Named { numbers, by_text, is_written: of.instructions.text }))
    }

    fn items(&self, of: &Resolved<'m>, number: u32) -> Items {
        let items = self.types.enumeration(number).items.iter();
        match of.instructions.use_number {
            true => Items { numbers: true, ..Items::of(items.map(|(_, number)| number.to_string().into()).collect()) },
            false => Items::named(of, items.map(|(name, _)| &name[..])),
        }
    }
}

/// Whether the values of a component have no tags of their own: `UNTAGGED`, or a CHOICE or words in a list without identifiers.
pub(crate) fn is_untagged(component: &Component, of: &Resolved<'_>) -> bool {
    let is_choice = matches!(of.ty.kind, Kind::Choice(_)) && made_of(&of.ty.kind).is_none();
    let is_item =
        component.name.is_empty() && (of.instructions.empty_elements || is_choice && !of.instructions.use_type);
    let is_group = !matches!(of.ty.kind, Kind::Null) && !is_characters(of);
    is_group && (of.instructions.untagged || is_item)
}

/// Whether the values of a type are character data.
pub(crate) fn is_characters(of: &Resolved<'_>) -> bool {
    match of.ty.kind {
        Kind::Sequence(_) => of.instructions.use_qname,
        Kind::Choice(_) => of.instructions.use_union,
        Kind::SequenceOf(_) | Kind::SetOf(_) => of.instructions.list,
        Kind::Set(_) | Kind::Null => false,
        _ => of.instructions.any_element.is_none() && !of.instructions.empty_elements,
    }
}

/// Whether the values of a type in a table may have an element of the same name as those of another one. Their characters are
/// then read alike, before the identifier selects the type.
pub(crate) fn shares_name(of: &Resolved<'_>) -> bool {
    let has_names = matches!(&of.ty.kind, Kind::Integer(names) if !names.is_empty());
    is_characters(of) && !has_names && !matches!(of.ty.kind, Kind::BitString(_))
}

fn in_order(mut names: Vec<Name>) -> Vec<Name> {
    names.sort_unstable();
    names.dedup();
    names
}

//! Messages in SOAP's encoding (SOAP 1.1 sections 5 and 7): the types of a description as the encoding writes their values.
//!
//! Structs have their members in any order, and each may be missing, which says the same as `xsi:nil`. Arrays have items of
//! any name. So types get a second definition, which only elements in encoded messages have.

use std::collections::{HashMap, VecDeque};

use tam::{Error, ErrorKind, Words};

use crate::components::{
    Attribute, AttributeUse, Builtin, ComplexId, ComplexType, Compositor, Content, Derivations, Element, ElementId,
    Encoded, Facets, Global, GroupId, Holder, ModelGroup, Particle, ParticleId, Position, Schema, Scope, SimpleId,
    SimpleType, Term, TypeId, Variety,
};
use crate::content::{Budget, Model, compile};
use crate::{ENCODING_NAMESPACE, Name, NamespaceId};

/// The type of a member or an item: as it is, or one of those that are made.
#[derive(Clone, Copy, Debug)]
enum Of {
    Simple(SimpleId),
    Made(usize),
}

/// A type that is made.
#[derive(Clone, Debug)]
struct Made {
    name: Option<Name>,
    position: Position,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Struct(Vec<Member>),
    Array(Of),
}

#[derive(Clone, Copy, Debug)]
struct Member {
    name: Name,
    of: Of,
    /// Whether it may occur several times, one after the other.
    repeats: bool,
    position: Position,
}

/// Finds the encoded types that messages need.
#[derive(Debug)]
pub(super) struct Encoder<'s> {
    schema: &'s Schema,
    made: Vec<Made>,
    known: HashMap<ComplexId, usize>,
    /// Those that are known, in the order in which they were found.
    found: Vec<ComplexId>,
    /// Types that are known, and whose content is still to be found.
    waiting: VecDeque<(ComplexId, usize)>,
    /// How many members there may still be, and how many in all.
    room: u32,
    limit: u32,
}

impl<'s> Encoder<'s> {
    pub(super) fn new(schema: &'s Schema, limit: u32) -> Encoder<'s> {
        Encoder {
            schema,
            made: Vec::new(),
            known: HashMap::new(),
            found: Vec::new(),
            waiting: VecDeque::new(),
            room: limit,
            limit,
        }
    }

    /// Adds a message of these parts, which is a struct.
    ///
    /// # Errors
    /// Why a type has no encoded values; kind limit where there are too many members.
    pub(super) fn message(
        &mut self,
        position: Position,
        parts: impl Iterator<Item = (Name, TypeId)>,
    ) -> Result<usize, Error> {
        let (before, mut members) = ((self.made.len(), self.found.len()), Vec::new());
        let all = parts.into_iter().try_for_each(|(name, ty)| {
            members.push(Member { name, of: self.of(ty)?, repeats: false, position });
            Ok(())
        });
        let done = all.and_then(|()| self.finish());
        if let Err(error) = done {
            // Those that are missing one may not be used by another message.
            self.waiting.clear();
            self.made.truncate(before.0);
            self.found.drain(before.1..).for_each(|id| _ = self.known.remove(&id));
            return Err(error);
        }
        self.made.push(Made { name: None, position, kind: Kind::Struct(members) });
        Ok(self.made.len() - 1)
    }

    fn finish(&mut self) -> Result<(), Error> {
        while let Some((id, number)) = self.waiting.pop_front() {
            let kind = if self.is_array(id)? { Kind::Array(self.item(id)?) } else { Kind::Struct(self.members(id)?) };
            self.made[number].kind = kind;
        }
        Ok(())
    }

    fn of(&mut self, ty: TypeId) -> Result<Of, Error> {
        self.take_room()?;
        let id = match ty {
            TypeId::Simple(id) => return Ok(Of::Simple(id)),
            TypeId::Complex(id) => id,
        };
        if let Some(number) = self.known.get(&id) {
            return Ok(Of::Made(*number));
        }
        let definition = &self.schema.complex_types[id];
        if let Content::Simple(simple) = definition.content {
            self.check_attributes(id)?;
            return Ok(Of::Simple(simple));
        }
        let number = self.made.len();
        let (name, position) = (definition.name, definition.position);
        self.made.push(Made { name, position, kind: Kind::Struct(Vec::new()) });
        self.known.insert(id, number);
        self.found.push(id);
        self.waiting.push_back((id, number));
        Ok(Of::Made(number))
    }

    fn members(&mut self, id: ComplexId) -> Result<Vec<Member>, Error> {
        let definition = &self.schema.complex_types[id];
        if definition.is_abstract {
            return Err(self.refuse(definition.position, format!("{}, which is abstract", self.shown(id)), "a type"));
        }
        self.check_attributes(id)?;
        let particle = match definition.content {
            Content::Empty | Content::Simple(_) => return Ok(Vec::new()),
            Content::ElementOnly(particle) => particle,
            Content::Mixed(_) => {
                let found = format!("{} of mixed content", self.shown(id));
                return Err(self.refuse(definition.position, found, "only elements, or only text"));
            }
        };
        let mut members = Vec::new();
        for (element, repeats) in self.elements(particle)? {
            let Element { name, position, ty, .. } = self.schema.elements[element];
            members.push(Member { name, of: self.of(ty)?, repeats, position });
        }
        Ok(members)
    }

    /// The elements of a content model, and whether each may repeat.
    fn elements(&mut self, particle: ParticleId) -> Result<Vec<(ElementId, bool)>, Error> {
        let schema = self.schema;
        let (mut elements, mut waiting) = (Vec::new(), vec![particle]);
        while let Some(particle) = waiting.pop() {
            self.take_room()?;
            let particle = &schema.particles[particle];
            let repeats = particle.max != Some(1);
            match particle.term {
                Term::Wildcard(wildcard) => return Err(self.refuse_any(schema.wildcards[wildcard].position)),
                Term::Element(element) => elements.push((element, repeats)),
                Term::Group(group) if repeats => elements.push((self.repeated(group)?, true)),
                Term::Group(group) => waiting.extend(schema.groups[group].particles.iter().rev()),
            }
        }
        elements.iter().try_for_each(|(element, _)| self.check_element(*element))?;
        Ok(elements)
    }

    /// The one element of a group that repeats.
    fn repeated(&self, mut group: GroupId) -> Result<ElementId, Error> {
        let first = &self.schema.groups[group];
        loop {
            let [one] = self.schema.groups[group].particles[..] else {
                let found = match first.compositor {
                    Compositor::Choice => "an xs:choice that repeats",
                    _ => "an xs:sequence that repeats",
                };
                return Err(self.refuse(first.position, found, "elements that repeat each by itself"));
            };
            match self.schema.particles[one].term {
                Term::Element(element) => return Ok(element),
                Term::Group(inner) => group = inner,
                Term::Wildcard(wildcard) => return Err(self.refuse_any(self.schema.wildcards[wildcard].position)),
            }
        }
    }

    /// Whether a type is derived from `SOAP-ENC:Array`.
    fn is_array(&mut self, mut id: ComplexId) -> Result<bool, Error> {
        let array = self.schema.find_type(ENCODING_NAMESPACE, "Array");
        while id != Schema::ANY_TYPE {
            self.take_room()?;
            if array == Some(TypeId::Complex(id)) {
                return Ok(true);
            }
            let TypeId::Complex(base) = self.schema.complex_types[id].base else { return Ok(false) };
            id = base;
        }
        Ok(false)
    }

    /// The items of an array: what `wsdl:arrayType` says, or else the one element of its content.
    fn item(&mut self, id: ComplexId) -> Result<Of, Error> {
        let schema = self.schema;
        let definition = &schema.complex_types[id];
        if let Some((array, position)) =
            definition.attributes.iter().find_map(|one| Some((one.array_type.as_ref()?, one.position)))
        {
            let names = &schema.names;
            let Some(of) = schema.type_of_name(array.of) else {
                let found = format!("the type '{}', which no schema defines", names.shown(array.of));
                return Err(self.refuse(position, found, "a type of one of the schemas"));
            };
            if of == TypeId::Complex(Schema::ANY_TYPE) {
                return Err(self.refuse(position, "an array of xs:anyType", "a type whose values are known"));
            }
            let mut item = self.of(of)?;
            // The last brackets are those of the array itself.
            for _ in 1..array.ranks.matches('[').count() {
                self.take_room()?;
                self.made.push(Made { name: None, position, kind: Kind::Array(item) });
                item = Of::Made(self.made.len() - 1);
            }
            return Ok(item);
        }
        let elements = match definition.content {
            Content::ElementOnly(particle) if definition.own_particle.is_some() => self.elements(particle)?,
            _ => Vec::new(),
        };
        let [(element, _)] = elements[..] else {
            let found = format!("{}, an array that does not say of what", self.shown(id));
            return Err(self.refuse(definition.position, found, "wsdl:arrayType, or one element that repeats"));
        };
        self.of(schema.elements[element].ty)
    }

    /// What the declaration of a member may not say.
    fn check_element(&self, element: ElementId) -> Result<(), Error> {
        let declared = &self.schema.elements[element];
        let why = if declared.is_abstract {
            "which is abstract"
        } else if !declared.substitutes.is_empty() {
            "which other elements may substitute"
        } else if declared.value.is_some() {
            "which has a default or fixed value"
        } else if declared.ty == TypeId::Complex(Schema::ANY_TYPE) {
            "which is of xs:anyType"
        } else {
            return Ok(());
        };
        let found = format!("the element '{}', {why}", self.schema.names.local(declared.name));
        Err(self.refuse(declared.position, found, "an element without substitutes"))
    }

    /// Encoded values have no attributes but those of the encoding.
    fn check_attributes(&self, id: ComplexId) -> Result<(), Error> {
        let names = &self.schema.names;
        for one in &self.schema.complex_types[id].attributes {
            let name = self.schema.attributes[one.attribute].name;
            let (uri, local) = (names.uri(names.namespace(name)), names.local(name));
            if uri != ENCODING_NAMESPACE && !(uri.is_empty() && matches!(local, "id" | "href")) {
                let found = format!("the attribute '{local}' of {}", self.shown(id));
                return Err(self.refuse(one.position, found, "members, which SOAP's encoding has instead"));
            }
        }
        Ok(())
    }

    fn shown(&self, id: ComplexId) -> String {
        match self.schema.complex_types[id].name {
            Some(name) => format!("the type '{}'", self.schema.names.local(name)),
            None => "a type without a name".to_owned(),
        }
    }

    fn refuse_any(&self, position: Position) -> Error {
        self.refuse(position, "xs:any", "elements that are known")
    }

    #[cold]
    fn refuse(&self, position: Position, found: impl Into<Words>, expected: &'static str) -> Error {
        let error = Error::new(ErrorKind::Unsupported, "xsd", position.offset.into(), found, expected);
        match position.document {
            Some(document) => error
                .at_line(position.line.into(), position.column.into())
                .in_path(self.schema.documents[document].location.as_str()),
            None => error,
        }
    }

    fn take_room(&mut self) -> Result<(), Error> {
        let left = self.room.checked_sub(1);
        self.room = left.ok_or_else(|| Error::limit("wsdl", 0, "more members", "particles", self.limit.into()))?;
        Ok(())
    }

    /// The types that messages need.
    fn into_types(self) -> Vec<Made> {
        self.made
    }
}

impl Schema {
    /// Gives global elements, which are messages with their parts in a sequence, their types in SOAP's encoding.
    pub(super) fn encode(&mut self, elements: &[ElementId], limit: u32) -> Result<(), Error> {
        let (mut encoder, mut messages) = (Encoder::new(self, limit), Vec::new());
        for element in elements {
            let Element { ty: TypeId::Complex(id), position, .. } = self.elements[*element] else { continue };
            let parts = self.model(id).nodes().filter_map(|node| self.model(id).element(node));
            let parts = parts.map(|part| (self.elements[part].name, self.elements[part].ty)).collect::<Vec<_>>();
            messages.push((*element, encoder.message(position, parts.into_iter())?));
        }
        let made = encoder.into_types();
        let item = self.names.intern_in(NamespaceId::NONE, "item");
        let mut types = Types { first: self.complex_types.len() as u32, item, dimensions: None };
        let mut budget = Budget { nodes: limit, limit };
        for one in &made {
            let particle = types.add(self, one);
            let model = compile(self, particle, &mut budget)?;
            let names_items = matches!(one.kind, Kind::Struct(_));
            self.models.push(if names_items { model } else { Model { takes_any_name: true, ..model } });
        }
        for (element, number) in messages {
            self.elements[element].ty = TypeId::Complex(types.id(number));
            self.outlines[element.0 as usize] = self.outline_of(element);
        }
        let first = self.outlines.len();
        let new = self.elements.ids().skip(first).map(|id| self.outline_of(id)).collect::<Vec<_>>();
        self.outlines.extend(new);
        Ok(())
    }
}

/// Adds encoded types to a schema, one after the other.
struct Types {
    /// The first of them.
    first: u32,
    /// The name of an array's items, whatever they are called in messages.
    item: Name,
    /// The attribute with the sizes of an array that has several dimensions.
    dimensions: Option<AttributeUse>,
}

impl Types {
    fn id(&self, number: usize) -> ComplexId {
        ComplexId(self.first + number as u32)
    }

    /// Adds the next type, and returns its content.
    fn add(&mut self, schema: &mut Schema, made: &Made) -> ParticleId {
        let Made { name, position, ref kind } = *made;
        let id = ComplexId(schema.complex_types.len() as u32);
        let element = |member: &Member| Element {
            name: member.name,
            scope: Scope::Complex(id),
            ty: match member.of {
                Of::Simple(simple) => TypeId::Simple(simple),
                Of::Made(number) => TypeId::Complex(self.id(number)),
            },
            // A member that is nil is as one that is missing; an item of an array or a repeated member cannot be missing.
            nillable: member.repeats,
            value: None,
            identities: Vec::new(),
            substitution_head: None,
            substitutes: Vec::new(),
            exclusions: Derivations::NONE,
            disallowed: Derivations::NONE,
            is_abstract: false,
            position: member.position,
        };
        let particle = |term, max| Particle { min: 0, max, term, reference: None, position };
        let items;
        let (compositor, members) = match kind {
            Kind::Struct(members) => (Compositor::All, &members[..]),
            Kind::Array(of) => {
                items = [Member { name: self.item, of: *of, repeats: true, position }];
                (Compositor::Sequence, &items[..])
            }
        };
        let mut particles = Vec::with_capacity(members.len());
        for member in members {
            let element = schema.elements.push(element(member));
            let max = (!member.repeats).then_some(1);
            particles.push(schema.particles.push(particle(Term::Element(element), max)));
        }
        let group = schema.groups.push(ModelGroup { compositor, particles, position });
        let content = schema.particles.push(Particle { min: 1, ..particle(Term::Group(group), Some(1)) });
        let mut ty = ComplexType::empty(name, Holder::Schema, position);
        (ty.content, ty.own_particle) = (Content::ElementOnly(content), Some(content));
        ty.encoded = Some(Encoded::Struct);
        if let Kind::Array(_) = kind {
            ty.encoded = Some(Encoded::Array);
            let made = self.dimensions.take().unwrap_or_else(|| dimensions(schema, id));
            self.dimensions = Some(made.clone());
            ty.attributes = vec![made];
        }
        let added = schema.complex_types.push(ty);
        if name.is_some() {
            schema.globals.push(Global::Type(TypeId::Complex(added)));
        }
        let uses = schema.outlines_of_uses(added);
        schema.uses.push(uses);
        schema.required.push(Vec::new());
        schema.supplied.push(Vec::new());
        content
    }
}

/// An attribute of a list of sizes, which messages do not have.
fn dimensions(schema: &mut Schema, of: ComplexId) -> AttributeUse {
    let position = Position::BUILT_IN;
    let ty = schema.simple_types.push(SimpleType {
        name: None,
        holder: Holder::Schema,
        builtin: None,
        base: Builtin::AnySimpleType.id(),
        variety: Variety::List(Builtin::UnsignedInt.id()),
        exclusions: Derivations::NONE,
        lexical: Builtin::AnySimpleType,
        own: Facets::default(),
        facets: Facets::default(),
        position,
    });
    schema.any_text.push(false);
    let name = schema.names.intern_in(NamespaceId::NONE, "dimensions");
    let attribute = schema.attributes.push(Attribute { name, scope: Scope::Complex(of), ty, value: None, position });
    AttributeUse { attribute, required: false, value: None, array_type: None, position }
}

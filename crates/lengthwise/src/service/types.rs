//! Types of a schema of XML as types of messages.

use std::collections::{HashMap, VecDeque};

use dds::{Complex, Member, Name, Occurs, Simple, Style, Type, TypeId};
use tam::{Error, ErrorKind};
use xsd::{
    Builtin, ComplexId, Compositor, Content, ENCODING_NAMESPACE, ElementId, GroupId, ParticleId, Position, Schema,
    SimpleId, Term, Variety, WhiteSpace,
};

/// Types while they are translated.
pub(super) struct Types<'s> {
    pub(super) schema: &'s Schema,
    out: dds::Schema,
    simple: HashMap<Simple, TypeId>,
    unions: HashMap<SimpleId, TypeId>,
    complex: HashMap<(ComplexId, Style), TypeId>,
    /// Those that are there and still have to be read.
    queue: VecDeque<(ComplexId, Style, TypeId)>,
    /// Members that may still be made, and that may be in all.
    room: u32,
    particles: u32,
}

impl<'s> Types<'s> {
    pub(super) fn new(schema: &'s Schema, options: &xsd::Options) -> Types<'s> {
        Types {
            schema,
            out: dds::Schema::new(),
            simple: HashMap::new(),
            unions: HashMap::new(),
            complex: HashMap::new(),
            queue: VecDeque::new(),
            room: options.particles,
            particles: options.particles,
        }
    }

    pub(super) fn into_schema(self) -> dds::Schema {
        self.out
    }

    pub(super) fn name(&self, name: xsd::Name) -> Name {
        let names = &self.schema.names;
        Name::new(names.uri(names.namespace(name)), names.local(name))
    }

    pub(super) fn add(&mut self, complex: Complex) -> TypeId {
        self.out.add(Type::Complex(complex))
    }

    pub(super) fn method(&mut self, name: &Name, ty: TypeId, style: Style) -> usize {
        self.out.method(name.namespace.clone(), name.local.as_str(), ty, style)
    }

    /// The type of an element in the body of a literal message.
    pub(super) fn element(&mut self, element: ElementId) -> Result<TypeId, Error> {
        self.check_element(element)?;
        let ty = self.schema.elements[element].ty;
        let all = self.all([ty].into_iter(), Style::Literal)?;
        Ok(all.first().copied().unwrap_or_else(|| self.out.declare()))
    }

    /// Types with all that is in them; none of them, where one cannot be carried.
    pub(super) fn all(&mut self, types: impl Iterator<Item = xsd::TypeId>, style: Style) -> Result<Vec<TypeId>, Error> {
        let mut made = Vec::new();
        let result = self.try_all(types, style, &mut made);
        if result.is_err() {
            // These types refer to missing ones. Asking for them again gives the same error.
            self.queue.clear();
            made.iter().for_each(|key| _ = self.complex.remove(key));
        }
        result
    }

    fn try_all(
        &mut self,
        types: impl Iterator<Item = xsd::TypeId>,
        style: Style,
        made: &mut Vec<(ComplexId, Style)>,
    ) -> Result<Vec<TypeId>, Error> {
        let mut ids = Vec::new();
        for ty in types {
            self.take_room()?;
            ids.push(self.ty(ty, style, made)?);
        }
        while let Some((complex, style, id)) = self.queue.pop_front() {
            let ty = self.complex(complex, style, made)?;
            self.out.define(id, ty);
        }
        Ok(ids)
    }

    /// A type; a compound one is read later.
    fn ty(&mut self, ty: xsd::TypeId, style: Style, made: &mut Vec<(ComplexId, Style)>) -> Result<TypeId, Error> {
        let complex = match ty {
            xsd::TypeId::Simple(simple) => return self.simple(simple),
            xsd::TypeId::Complex(complex) => complex,
        };
        if let Some(id) = self.complex.get(&(complex, style)) {
            return Ok(*id);
        }
        let definition = &self.schema.complex_types[complex];
        if let Content::Simple(simple) = definition.content {
            self.check_attributes(complex, style)?;
            return self.simple(simple);
        }
        let id = self.out.declare();
        self.complex.insert((complex, style), id);
        made.push((complex, style));
        self.queue.push_back((complex, style, id));
        Ok(id)
    }

    fn simple(&mut self, id: SimpleId) -> Result<TypeId, Error> {
        let schema = self.schema;
        if let Variety::Union(_) = schema.simple_types[id].variety {
            if let Some(known) = self.unions.get(&id) {
                return Ok(*known);
            }
            let (mut alternatives, mut waiting) = (Vec::new(), vec![id]);
            while let Some(one) = waiting.pop() {
                self.take_room()?;
                match &schema.simple_types[one].variety {
                    Variety::Union(members) => waiting.extend(members.iter().rev()),
                    _ => alternatives.push(simple(schema, one)),
                }
            }
            let union = self.out.union(alternatives);
            self.unions.insert(id, union);
            return Ok(union);
        }
        let simple = simple(schema, id);
        let out = &mut self.out;
        Ok(*self.simple.entry(simple).or_insert_with(|| out.simple(simple)))
    }

    fn complex(&mut self, id: ComplexId, style: Style, made: &mut Vec<(ComplexId, Style)>) -> Result<Type, Error> {
        let definition = &self.schema.complex_types[id];
        if definition.is_abstract {
            return Err(self.refuse(definition.position, format!("{}, which is abstract", self.shown(id)), "a type"));
        }
        if self.is_array(id)? {
            return self.array(id, style, made);
        }
        self.check_attributes(id, style)?;
        let (mut members, mut ordered) = (Vec::new(), style == Style::Literal);
        match definition.content {
            Content::Empty | Content::Simple(_) => {}
            Content::Mixed(_) => {
                let found = format!("{} of mixed content", self.shown(id));
                return Err(self.refuse(definition.position, found, "only elements, or only text"));
            }
            Content::ElementOnly(particle) => {
                for (element, occurs) in self.elements(particle, &mut ordered)? {
                    members.push(self.member(element, occurs, style, made)?);
                }
            }
        }
        let name = definition.name.map(|name| self.name(name));
        Ok(Type::Complex(Complex { name, members, ordered }))
    }

    fn member(
        &mut self,
        element: ElementId,
        occurs: Occurs,
        style: Style,
        made: &mut Vec<(ComplexId, Style)>,
    ) -> Result<Member, Error> {
        self.check_element(element)?;
        let declared = &self.schema.elements[element];
        let ty = self.ty(declared.ty, style, made)?;
        Ok(Member { name: self.name(declared.name), ty, occurs, nillable: declared.nillable })
    }

    /// The elements of a content model, in their order, and how often each may be there.
    fn elements(&mut self, particle: ParticleId, ordered: &mut bool) -> Result<Vec<(ElementId, Occurs)>, Error> {
        let (mut elements, mut waiting) = (Vec::new(), vec![(particle, false)]);
        while let Some((particle, optional)) = waiting.pop() {
            self.take_room()?;
            let schema = self.schema;
            let particle = &schema.particles[particle];
            let optional = optional || particle.min == 0;
            let many = particle.max != Some(1);
            match particle.term {
                Term::Wildcard(wildcard) => {
                    let position = schema.wildcards[wildcard].position;
                    return Err(self.refuse(position, "xs:any", "elements that are known"));
                }
                Term::Element(element) if many => elements.push((element, Occurs::Many)),
                Term::Element(element) if optional => elements.push((element, Occurs::Optional)),
                Term::Element(element) => elements.push((element, Occurs::Required)),
                Term::Group(group) if many => elements.push((self.repeated(group)?, Occurs::Many)),
                Term::Group(group) => {
                    let group = &schema.groups[group];
                    let optional = optional || group.compositor == Compositor::Choice && group.particles.len() > 1;
                    *ordered &= group.compositor != Compositor::All;
                    waiting.extend(group.particles.iter().rev().map(|particle| (*particle, optional)));
                }
            }
        }
        Ok(elements)
    }

    /// The one element of a group that repeats.
    fn repeated(&self, mut group: GroupId) -> Result<ElementId, Error> {
        let first = group;
        loop {
            let [one] = self.schema.groups[group].particles[..] else {
                let found = match self.schema.groups[first].compositor {
                    Compositor::Choice => "an xs:choice that repeats",
                    _ => "an xs:sequence that repeats",
                };
                let position = self.schema.groups[first].position;
                return Err(self.refuse(position, found, "elements that repeat each by itself"));
            };
            match self.schema.particles[one].term {
                Term::Element(element) => return Ok(element),
                Term::Group(inner) => group = inner,
                Term::Wildcard(wildcard) => {
                    let position = self.schema.wildcards[wildcard].position;
                    return Err(self.refuse(position, "xs:any", "elements that are known"));
                }
            }
        }
    }

    /// Whether a type is derived from `SOAP-ENC:Array`.
    fn is_array(&mut self, mut id: ComplexId) -> Result<bool, Error> {
        let array = self.schema.find_type(ENCODING_NAMESPACE, "Array");
        while id != Schema::ANY_TYPE {
            self.take_room()?;
            if array == Some(xsd::TypeId::Complex(id)) {
                return Ok(true);
            }
            let xsd::TypeId::Complex(base) = self.schema.complex_types[id].base else { return Ok(false) };
            id = base;
        }
        Ok(false)
    }

    /// An array of SOAP's encoding: of what `wsdl:arrayType` says, or else of the one element of its content.
    fn array(&mut self, id: ComplexId, style: Style, made: &mut Vec<(ComplexId, Style)>) -> Result<Type, Error> {
        let schema = self.schema;
        let definition = &schema.complex_types[id];
        if style == Style::Literal {
            let found = format!("{}, an array of SOAP's encoding, in a literal message", self.shown(id));
            return Err(self.refuse(definition.position, found, "elements that repeat"));
        }
        if let Some((array, position)) =
            definition.attributes.iter().find_map(|one| Some((one.array_type.as_ref()?, one.position)))
        {
            let names = &schema.names;
            let of = schema.find_type(names.uri(names.namespace(array.of)), names.local(array.of));
            let Some(of) = of else {
                let found = format!("the type '{}', which no schema defines", names.shown(array.of));
                return Err(self.refuse(position, found, "a type of one of the schemas"));
            };
            if of == xsd::TypeId::Complex(Schema::ANY_TYPE) {
                return Err(self.refuse(position, "an array of xs:anyType", "a type whose values are known"));
            }
            let mut item = self.ty(of, style, made)?;
            // The last brackets are those of the array itself.
            for _ in 1..array.ranks.matches('[').count() {
                self.take_room()?;
                item = self.out.array(item);
            }
            return Ok(Type::Array { item, name: None });
        }
        let elements = match definition.content {
            Content::ElementOnly(particle) if definition.own_particle.is_some() => {
                self.elements(particle, &mut false)?
            }
            _ => Vec::new(),
        };
        let [(element, _)] = elements[..] else {
            let found = format!("{}, an array that does not say of what", self.shown(id));
            return Err(self.refuse(definition.position, found, "wsdl:arrayType, or one element that repeats"));
        };
        Ok(Type::Array { item: self.member(element, Occurs::Many, style, made)?.ty, name: None })
    }

    /// What an element's declaration may not say.
    fn check_element(&self, element: ElementId) -> Result<(), Error> {
        let declared = &self.schema.elements[element];
        let why = if declared.is_abstract {
            "which is abstract"
        } else if !declared.substitutes.is_empty() {
            "which other elements may substitute"
        } else if declared.value.is_some() {
            "which has a default or fixed value"
        } else if declared.ty == xsd::TypeId::Complex(Schema::ANY_TYPE) {
            "which is of xs:anyType"
        } else {
            return Ok(());
        };
        let found = format!("the element '{}', {why}", self.schema.names.local(declared.name));
        Err(self.refuse(declared.position, found, "an element without substitutes"))
    }

    /// Values have no attributes, but for those of SOAP's encoding.
    fn check_attributes(&self, id: ComplexId, style: Style) -> Result<(), Error> {
        let (schema, names) = (self.schema, &self.schema.names);
        let definition = &schema.complex_types[id];
        for one in &definition.attributes {
            let name = schema.attributes[one.attribute].name;
            let (uri, local) = (names.uri(names.namespace(name)), names.local(name));
            let of_encoding = uri == ENCODING_NAMESPACE || uri.is_empty() && matches!(local, "id" | "href");
            if style == Style::Literal || !of_encoding {
                let found = format!("the attribute '{local}' of {}", self.shown(id));
                return Err(self.refuse(one.position, found, "elements, whose values are supported"));
            }
        }
        match definition.attribute_wildcard {
            Some(wildcard) if style == Style::Literal => {
                let found = format!("xs:anyAttribute of {}", self.shown(id));
                Err(self.refuse(schema.wildcards[wildcard].position, found, "elements, whose values are supported"))
            }
            _ => Ok(()),
        }
    }

    fn shown(&self, id: ComplexId) -> String {
        let definition = &self.schema.complex_types[id];
        match definition.name {
            Some(name) => format!("the type '{}'", self.schema.names.local(name)),
            None => "a type without a name".to_owned(),
        }
    }

    #[cold]
    fn refuse(&self, position: Position, found: impl Into<tam::Words>, expected: &'static str) -> Error {
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
        self.room = left.ok_or_else(|| Error::limit("wsdl", 0, "more members", "particles", self.particles.into()))?;
        Ok(())
    }
}

/// What the text of a simple type that is no union is read as.
fn simple(schema: &Schema, id: SimpleId) -> Simple {
    let ty = &schema.simple_types[id];
    if let Variety::List(_) = ty.variety {
        return Simple::Token;
    }
    match ty.lexical {
        Builtin::AnySimpleType => Simple::String,
        Builtin::Boolean => Simple::Boolean,
        Builtin::Byte => Simple::Byte,
        Builtin::Short => Simple::Short,
        Builtin::Int => Simple::Int,
        Builtin::Long => Simple::Long,
        Builtin::UnsignedByte => Simple::UnsignedByte,
        Builtin::UnsignedShort => Simple::UnsignedShort,
        Builtin::UnsignedInt => Simple::UnsignedInt,
        Builtin::UnsignedLong => Simple::UnsignedLong,
        Builtin::Float => Simple::Float,
        Builtin::Double => Simple::Double,
        Builtin::Decimal => Simple::Decimal,
        Builtin::Base64Binary => Simple::Base64,
        Builtin::HexBinary => Simple::Hex,
        builtin => match builtin.primitive() {
            Builtin::Decimal => Simple::Integer,
            Builtin::String if ty.facets.white_space() != WhiteSpace::Collapse => Simple::String,
            _ => Simple::Token,
        },
    }
}

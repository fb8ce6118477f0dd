//! The operations of a service, their messages and types, as text for people and as lines of JSON.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use lengthwise::soap::{self, SoapVersion, Style, Use};
use lengthwise::xsd::wsdl::{BodyUse, Carried, Description, Part, PartType};
use lengthwise::xsd::{
    ComplexId, Compositor, Content, ENCODING_NAMESPACE, ElementId, Name, ParticleId, Schema, SimpleId, Term, TypeId,
    ValueConstraint, Variety,
};

use crate::line::Line;

/// How often a member may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occurs {
    Once,
    Optional,
    Many,
}

impl Occurs {
    /// The mark after a name.
    fn mark(self) -> &'static str {
        match self {
            Occurs::Once => "",
            Occurs::Optional => "?",
            Occurs::Many => "*",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Occurs::Once => "once",
            Occurs::Optional => "optional",
            Occurs::Many => "many",
        }
    }
}

/// A type as it is listed: arrays of something.
#[derive(Clone)]
struct Type {
    /// The number of arrays around the item.
    levels: usize,
    item: Item,
}

#[derive(Clone)]
enum Item {
    /// A simple type, in words.
    Simple(String),
    /// A type with members.
    Members(ComplexId),
    Any,
}

/// An element, an attribute, the characters or a wildcard of a compound.
#[derive(Clone)]
struct Member {
    /// Without and with its namespace.
    local: String,
    name: String,
    occurs: Occurs,
    ty: Type,
    nillable: bool,
    /// What else is said of it.
    remark: String,
}

impl Member {
    fn column(&self) -> String {
        format!("{}{}", self.local, self.occurs.mark())
    }
}

/// A message: one element, or several members.
enum Message {
    Element(ElementId),
    Members(Vec<Member>),
}

/// A description as it is listed.
struct Listing<'d> {
    description: &'d Description,
    schema: &'d Schema,
    array: Option<TypeId>,
}

impl<'d> Listing<'d> {
    fn new(description: &'d Description) -> Listing<'d> {
        let schema = &description.schema;
        Listing { description, schema, array: schema.find_type(ENCODING_NAMESPACE, "Array") }
    }

    /// The message of an operation by the parts that are in the body.
    fn message(&self, carried: &Carried, body: &BodyUse) -> Message {
        let parts = self.description.in_body(carried, body);
        if let [part] = parts[..]
            && let PartType::Element(element) = part.ty
        {
            return Message::Element(element);
        }
        let member = |part: &&Part| match part.ty {
            PartType::Element(element) => self.element(element, Occurs::Once),
            PartType::Type(ty) => Member {
                local: part.name.clone(),
                name: part.name.clone(),
                occurs: Occurs::Once,
                ty: self.ty(ty),
                nillable: false,
                remark: String::new(),
            },
        };
        Message::Members(parts.iter().map(member).collect())
    }

    fn local(&self, name: Name) -> String {
        self.schema.names.local(name).to_owned()
    }

    fn element(&self, id: ElementId, occurs: Occurs) -> Member {
        let element = &self.schema.elements[id];
        let mut remark = remark(element.value.as_ref());
        if !element.substitutes.is_empty() {
            remark += ", or a substitute";
        }
        Member {
            local: self.local(element.name),
            name: self.schema.names.shown(element.name),
            occurs,
            ty: self.ty(element.ty),
            nillable: element.nillable,
            remark,
        }
    }

    /// A type. An array of itself is followed only so far.
    fn ty(&self, mut ty: TypeId) -> Type {
        const SHOWN: usize = 8;
        let mut levels = 0;
        loop {
            let id = match ty {
                TypeId::Simple(id) => return Type { levels, item: Item::Simple(self.simple(id)) },
                TypeId::Complex(Schema::ANY_TYPE) => return Type { levels, item: Item::Any },
                TypeId::Complex(id) => id,
            };
            if levels < SHOWN
                && let Some((item, more)) = self.item(id)
            {
                (ty, levels) = (item, levels + more);
                continue;
            }
            let definition = &self.schema.complex_types[id];
            let item = match definition.content {
                Content::Simple(simple)
                    if definition.attributes.is_empty() && definition.attribute_wildcard.is_none() =>
                {
                    Item::Simple(self.simple(simple))
                }
                _ => Item::Members(id),
            };
            return Type { levels, item };
        }
    }

    /// The item type of an array of SOAP's encoding, and the number of arrays around it.
    fn item(&self, id: ComplexId) -> Option<(TypeId, usize)> {
        let (array, mut base) = (self.array?, TypeId::Complex(id));
        // Types are not derived in a circle.
        while base != array {
            base = match base {
                TypeId::Complex(id) if id != Schema::ANY_TYPE => self.schema.complex_types[id].base,
                _ => return None,
            };
        }
        let definition = &self.schema.complex_types[id];
        if let Some(of) = definition.attributes.iter().find_map(|one| one.array_type.as_ref()) {
            return Some((self.schema.type_of_name(of.of)?, of.ranks.matches('[').count().max(1)));
        }
        let [Place { term: Term::Element(element), .. }] = self.places(definition.own_particle?)[..] else {
            return None;
        };
        Some((self.schema.elements[element].ty, 1))
    }

    /// A simple type by the built-in types that it is made of.
    fn simple(&self, id: SimpleId) -> String {
        const SHOWN: usize = 16;
        let (mut names, mut waiting, mut shown) = (Vec::new(), vec![(id, "")], 0);
        while let Some((id, lists)) = waiting.pop() {
            shown += 1;
            if shown > SHOWN {
                names.push("…".to_owned());
                break;
            }
            let ty = &self.schema.simple_types[id];
            match &ty.variety {
                Variety::List(item) if lists.is_empty() => waiting.push((*item, "list of ")),
                Variety::Union(members) => waiting.extend(members.iter().rev().map(|member| (*member, lists))),
                _ => names.push(format!("{lists}{}", ty.lexical.name())),
            }
        }
        names.dedup();
        names.join(" | ")
    }

    /// The elements and wildcards of a particle, in order.
    fn places(&self, particle: ParticleId) -> Vec<Place> {
        let (mut places, mut waiting) = (Vec::new(), vec![(particle, Occurs::Once)]);
        while let Some((particle, around)) = waiting.pop() {
            let particle = &self.schema.particles[particle];
            let occurs = match (around, particle.max, particle.min) {
                (Occurs::Many, ..) => Occurs::Many,
                (_, max, _) if max != Some(1) => Occurs::Many,
                (Occurs::Once, _, 1) => Occurs::Once,
                _ => Occurs::Optional,
            };
            match particle.term {
                Term::Group(group) => {
                    let group = &self.schema.groups[group];
                    let is_choice = group.compositor == Compositor::Choice && group.particles.len() > 1;
                    let occurs = if is_choice && occurs == Occurs::Once { Occurs::Optional } else { occurs };
                    waiting.extend(group.particles.iter().rev().map(|particle| (*particle, occurs)));
                }
                term => places.push(Place { term, occurs }),
            }
        }
        places
    }

    /// The members of a compound, its attributes last, and whether they are in order.
    fn members(&self, id: ComplexId, usage: Use) -> (Vec<Member>, bool) {
        let definition = &self.schema.complex_types[id];
        let (particle, text) = match definition.content {
            Content::Empty => (None, None),
            Content::Simple(simple) => (None, Some(self.simple(simple))),
            Content::ElementOnly(particle) => (Some(particle), None),
            Content::Mixed(particle) => (particle, Some("text between elements".to_owned())),
        };
        let other = |name: &str, occurs, item| Member {
            local: name.to_owned(),
            name: name.to_owned(),
            occurs,
            ty: Type { levels: 0, item },
            nillable: false,
            remark: String::new(),
        };
        let mut members: Vec<Member> =
            text.into_iter().map(|words| other("text()", Occurs::Once, Item::Simple(words))).collect();
        let places = particle.map(|particle| self.places(particle)).unwrap_or_default();
        members.extend(places.into_iter().map(|Place { term, occurs }| match term {
            Term::Element(element) => self.element(element, occurs),
            _ => other("*", occurs, Item::Any),
        }));
        for used in &definition.attributes {
            let attribute = &self.schema.attributes[used.attribute];
            let occurs = if used.required { Occurs::Once } else { Occurs::Optional };
            let ty = Item::Simple(self.simple(attribute.ty));
            let (local, name) = (self.local(attribute.name), self.schema.names.shown(attribute.name));
            members.push(Member {
                name: format!("@{name}"),
                remark: remark(used.value.as_ref()),
                ..other(&format!("@{local}"), occurs, ty)
            });
        }
        if definition.attribute_wildcard.is_some() {
            members.push(other("@*", Occurs::Many, Item::Any));
        }
        let is_all = |particle: ParticleId| match self.schema.particles[particle].term {
            Term::Group(group) => self.schema.groups[group].compositor == Compositor::All,
            _ => false,
        };
        (members, usage == Use::Literal && !particle.is_some_and(is_all))
    }

    fn words(&self, ty: &Type) -> String {
        let arrays = "array of ".repeat(ty.levels);
        match &ty.item {
            Item::Simple(words) => format!("{arrays}{words}"),
            Item::Any => format!("{arrays}any"),
            Item::Members(id) => match self.schema.complex_types[*id].name {
                Some(name) => format!("{arrays}{}", self.schema.names.shown(name)),
                None => format!("{arrays}compound"),
            },
        }
    }

    /// The messages that can be read, by the names of their first elements: how each is written, and what it has.
    fn messages(&self) -> HashMap<String, (Use, Message)> {
        let mut messages = HashMap::new();
        for binding in &self.description.bindings {
            for bound in &binding.operations {
                let operation = &self.description.port_types[binding.port_type].operations[bound.operation];
                for (carried, body) in [(&operation.input, &bound.input), (&operation.output, &bound.output)] {
                    if let (Some(carried), Some(body)) = (carried, body)
                        && let Some(element) = body.element
                    {
                        let message = || (body.style, self.message(carried, body));
                        messages.entry(self.schema.names.shown(element)).or_insert_with(message);
                    }
                }
            }
        }
        messages
    }

    /// The members of a compound without a name.
    fn unnamed(&self, ty: &Type) -> Option<ComplexId> {
        match ty.item {
            Item::Members(id) if self.schema.complex_types[id].name.is_none() => Some(id),
            _ => None,
        }
    }
}

/// An element or a wildcard in content.
struct Place {
    term: Term,
    occurs: Occurs,
}

fn remark(value: Option<&ValueConstraint>) -> String {
    match value {
        Some(ValueConstraint::Default(text)) => format!(", default '{text}'"),
        Some(ValueConstraint::Fixed(text)) => format!(", fixed '{text}'"),
        None => String::new(),
    }
}

/// The operations of a service, their messages and types, as text for people.
pub(crate) fn text(description: &Description, service: &soap::Service) -> String {
    let listing = Listing::new(description);
    let messages = listing.messages();
    let mut printer = Printer { listing, out: String::new(), printed: HashSet::new(), waiting: Vec::new() };
    let mut known = HashSet::new();
    for binding in service.bindings() {
        let _ = writeln!(printer.out, "{}: {}", binding.name, version(binding.version));
        for port in &binding.ports {
            let _ = writeln!(printer.out, "  {}/{} at {}", port.service, port.name, port.address);
        }
        for operation in &binding.operations {
            let action = if operation.action.is_empty() { String::new() } else { format!(" {}", operation.action) };
            let words = (style(operation.style), usage(operation.usage));
            let _ = writeln!(printer.out, "\n  {}:{action} ({}, {})", operation.name, words.0, words.1);
            for (which, name, headers) in [
                ("request", &operation.request, &operation.request_headers),
                ("response", &operation.response, &operation.response_headers),
            ] {
                let name = name.as_ref().map(ToString::to_string);
                if let Some((name, (usage, message))) = name.and_then(|name| Some((name.clone(), messages.get(&name)?)))
                {
                    let is_known = !known.insert(name.clone());
                    printer.message(which, &name, *usage, message, is_known);
                }
                for header in headers {
                    let _ = writeln!(printer.out, "    {which} header {header}");
                }
            }
            for fault in &operation.faults {
                let _ = writeln!(printer.out, "    fault {fault}");
            }
        }
        printer.out.push('\n');
    }
    printer.types();
    printer.out
}

struct Printer<'d> {
    listing: Listing<'d>,
    out: String,
    /// Types that have been printed or will be.
    printed: HashSet<(ComplexId, Use)>,
    /// Named types that have still to be printed.
    waiting: Vec<(ComplexId, Use)>,
}

/// Members that are being printed: their column, the width of their names, and those that are left.
struct Level {
    indent: usize,
    width: usize,
    members: std::vec::IntoIter<Member>,
}

impl Level {
    fn new(indent: usize, members: Vec<Member>) -> Level {
        const WIDEST: usize = 40;
        let width = members.iter().map(|member| member.column().chars().count()).max();
        Level { indent, width: width.unwrap_or_default().min(WIDEST), members: members.into_iter() }
    }
}

impl Printer<'_> {
    fn message(&mut self, which: &str, name: &str, usage: Use, message: &Message, is_known: bool) {
        let _ = write!(self.out, "    {which} {name}");
        match message {
            _ if is_known => self.out.push_str(", as above\n"),
            Message::Members(members) => {
                self.out.push('\n');
                self.members(members.clone(), usage, 6);
            }
            Message::Element(element) => {
                let ty = self.listing.ty(self.listing.schema.elements[*element].ty);
                if let Some(id) = self.listing.unnamed(&ty).filter(|_| ty.levels == 0) {
                    self.out.push('\n');
                    self.printed.insert((id, usage));
                    self.members(self.listing.members(id, usage).0, usage, 6);
                    return;
                }
                let words = self.words(&ty, usage);
                let _ = writeln!(self.out, ": {words}");
            }
        }
    }

    /// Members, with those of unnamed compounds below them.
    fn members(&mut self, members: Vec<Member>, usage: Use, indent: usize) {
        let mut levels = vec![Level::new(indent, members)];
        while let Some(level) = levels.last_mut() {
            let (indent, width) = (level.indent, level.width);
            let Some(member) = level.members.next() else {
                levels.pop();
                continue;
            };
            let nil = if member.nillable { " or nil" } else { "" };
            let (name, words) = (member.column(), self.words(&member.ty, usage));
            let _ = writeln!(self.out, "{:indent$}{name:<width$}  {words}{nil}{}", "", member.remark);
            if let Some(inner) = self.listing.unnamed(&member.ty)
                && self.printed.insert((inner, usage))
            {
                levels.push(Level::new(indent + 2, self.listing.members(inner, usage).0));
            }
        }
    }

    /// A short description of a type; a named one is printed later.
    fn words(&mut self, ty: &Type, usage: Use) -> String {
        if let Item::Members(id) = ty.item
            && self.listing.schema.complex_types[id].name.is_some()
            && self.printed.insert((id, usage))
        {
            self.waiting.push((id, usage));
        }
        self.listing.words(ty)
    }

    /// The named types, followed by those that they refer to.
    fn types(&mut self) {
        while !self.waiting.is_empty() {
            for (id, usage) in std::mem::take(&mut self.waiting) {
                let (members, is_ordered) = self.listing.members(id, usage);
                let order = if is_ordered || members.len() < 2 { "" } else { ", in any order" };
                let words = self.listing.words(&Type { levels: 0, item: Item::Members(id) });
                let _ = writeln!(self.out, "{words}{order}");
                self.members(members, usage, 2);
                self.out.push('\n');
            }
        }
        self.out.truncate(self.out.trim_end().len());
        self.out.push('\n');
    }
}

/// A line for each operation, and for each type.
pub(crate) fn lines(description: &Description, service: &soap::Service) -> String {
    let listing = Listing::new(description);
    let messages = listing.messages();
    let (mut out, mut waiting) = (String::new(), Vec::new());
    for binding in service.bindings() {
        let ports = binding.ports.iter().map(|port| {
            let line = Line::new().text("service", &port.service).text("port", &port.name);
            line.text("address", &port.address).object()
        });
        let ports = ports.collect::<Vec<_>>().join(",");
        for operation in &binding.operations {
            let faults: Vec<String> = operation.faults.iter().map(|fault| Line::string(fault)).collect();
            let element = |name: &Option<soap::Name>| Some(Line::string(&name.as_ref()?.to_string()));
            let elements = |names: &[soap::Name]| {
                let all: Vec<String> = names.iter().map(|name| Line::string(&name.to_string())).collect();
                format!("[{}]", all.join(","))
            };
            let line = Line::new()
                .text("operation", &operation.name)
                .text("binding", &binding.name)
                .text("version", version(binding.version))
                .text("style", style(operation.style))
                .text("use", usage(operation.usage))
                .text("action", &operation.action)
                .maybe("request", element(&operation.request))
                .maybe("response", element(&operation.response))
                .json("request_headers", elements(&operation.request_headers))
                .json("response_headers", elements(&operation.response_headers))
                .json("faults", format!("[{}]", faults.join(",")))
                .json("ports", format!("[{ports}]"));
            out.push_str(&line.end());
            waiting.extend([&operation.request, &operation.response].into_iter().flatten().map(ToString::to_string));
        }
    }
    let mut known = HashSet::new();
    let mut types: Vec<(String, Use, ComplexId)> = Vec::new();
    let mut printed = HashSet::new();
    for name in waiting.into_iter().filter(|name| known.insert(name.clone())) {
        let Some((usage, message)) = messages.get(&name) else { continue };
        match message {
            Message::Members(members) => {
                let is_ordered = *usage == Use::Literal;
                out.push_str(&line(&listing, &name, members, *usage, is_ordered, &mut types));
            }
            Message::Element(element) => {
                let ty = listing.ty(listing.schema.elements[*element].ty);
                if let Item::Members(id) = ty.item {
                    types.push((listing.unnamed(&ty).map_or_else(|| listing.words(&ty), |_| name), *usage, id));
                }
            }
        }
        while let Some((name, usage, id)) = types.pop() {
            if printed.insert((id, usage)) {
                let (members, is_ordered) = listing.members(id, usage);
                out.push_str(&line(&listing, &name, &members, usage, is_ordered, &mut types));
            }
        }
    }
    out
}

/// The line of a type. Its members' types are added to those to be printed.
fn line(
    listing: &Listing<'_>,
    name: &str,
    members: &[Member],
    usage: Use,
    is_ordered: bool,
    types: &mut Vec<(String, Use, ComplexId)>,
) -> String {
    let members = members.iter().map(|member| {
        let inner = match member.ty.item {
            Item::Members(id) if listing.unnamed(&member.ty).is_none() => {
                Some((listing.words(&Type { levels: 0, item: Item::Members(id) }), id))
            }
            Item::Members(id) => Some((format!("{name}/{}", member.local), id)),
            _ => None,
        };
        let words = match &inner {
            Some((inner, _)) => format!("{}{inner}", "array of ".repeat(member.ty.levels)),
            None => listing.words(&member.ty),
        };
        types.extend(inner.map(|(inner, id)| (inner, usage, id)));
        let line = Line::new().text("name", &member.name).text("type", &words);
        line.text("occurs", member.occurs.name()).json("nillable", member.nillable).object()
    });
    let members: Vec<String> = members.collect();
    let line = Line::new().text("type", name).json("ordered", is_ordered);
    line.json("members", format!("[{}]", members.join(","))).end()
}

fn version(version: SoapVersion) -> &'static str {
    match version {
        SoapVersion::Soap11 => "SOAP 1.1",
        SoapVersion::Soap12 => "SOAP 1.2",
    }
}

fn style(style: Style) -> &'static str {
    match style {
        Style::Rpc => "rpc",
        Style::Document => "document",
    }
}

fn usage(usage: Use) -> &'static str {
    match usage {
        Use::Encoded => "encoded",
        Use::Literal => "literal",
    }
}

//! Instances made up of any schema.

use std::fmt::Write;

use test_support::Random;
use xsd::{
    AttributeId, Builtin, Compositor, Content, ElementId, Facets, Global, ParticleId, Schema, SimpleId, Term, TypeId,
    Variety,
};

/// Elements inside each other from which on nothing is made that need not be there.
const DEEP: usize = 9;
/// Elements of an instance from which on the same holds.
const LONG: usize = 400;

/// Makes instances of an envelope, all with one element in the body.
pub(crate) struct Instances<'s> {
    schema: &'s Schema,
    envelope: ElementId,
    body: ParticleId,
}

/// Texts for types with patterns.
const PATTERNED: &[&str] =
    &["1.2.840", "A1", "AB", "EUR", "00:00", "1", "a", "PT1S", "http://a/b", "2024-05-20T10:00:00Z"];

/// The particles of the messages that may be in the body of an envelope.
pub(crate) fn bodies(schema: &Schema, envelope: ElementId) -> Vec<ParticleId> {
    let inside = |particle: ParticleId| match schema.particles[particle].term {
        Term::Group(group) => schema.groups[group].particles.clone(),
        _ => vec![particle],
    };
    let content = |element: ElementId| match schema.elements[element].ty {
        TypeId::Complex(ty) => match schema.complex_types[ty].content {
            Content::ElementOnly(particle) => inside(particle),
            _ => Vec::new(),
        },
        TypeId::Simple(_) => Vec::new(),
    };
    let of = |particle: &ParticleId| match schema.particles[*particle].term {
        Term::Element(element) => content(element),
        _ => Vec::new(),
    };
    content(envelope).last().map(of).unwrap_or_default()
}

struct Making<'a, 'r> {
    of: &'a Instances<'a>,
    random: &'r mut Random,
    out: String,
    depth: usize,
    elements: usize,
}

impl<'s> Instances<'s> {
    pub(crate) fn new(schema: &'s Schema, envelope: ElementId, body: ParticleId) -> Instances<'s> {
        Instances { schema, envelope, body }
    }

    pub(crate) fn make(&self, random: &mut Random) -> Vec<u8> {
        let mut making = Making { of: self, random, out: String::new(), depth: 0, elements: 0 };
        let name = making.name(self.schema.elements[self.envelope].name, "");
        write!(making.out, "<{name}><Body>").unwrap();
        making.depth = 2;
        making.particle(self.body);
        let local = self.schema.names.local(self.schema.elements[self.envelope].name);
        write!(making.out, "</Body></{local}>").unwrap();
        making.out.into_bytes()
    }
}

impl Making<'_, '_> {
    /// A name with the declaration of its namespace, which is the default one.
    fn name(&self, name: xsd::Name, attributes: &str) -> String {
        let names = &self.of.schema.names;
        let uri = names.uri(names.namespace(name)).replace('&', "&amp;");
        format!("{} xmlns=\"{uri}\"{attributes}", names.local(name))
    }

    fn is_short(&self) -> bool {
        self.depth > DEEP || self.elements > LONG
    }

    fn times(&mut self, min: u32, max: Option<u32>) -> u32 {
        let most = max.unwrap_or(u32::MAX).min(min + 3);
        if self.is_short() { min } else { min + self.random.below((most - min + 1) as usize) as u32 }
    }

    fn particle(&mut self, id: ParticleId) {
        let schema = self.of.schema;
        let particle = &schema.particles[id];
        for _ in 0..self.times(particle.min, particle.max) {
            match particle.term {
                Term::Element(element) => self.element(element),
                Term::Group(group) => {
                    let group = &schema.groups[group];
                    match group.compositor {
                        Compositor::Choice => {
                            let shallow = |id: &ParticleId| match schema.particles[*id].term {
                                Term::Element(element) => !matches!(schema.elements[element].ty, TypeId::Complex(_)),
                                _ => false,
                            };
                            let some = if self.is_short() { group.particles.iter().position(shallow) } else { None };
                            let at = some.unwrap_or_else(|| self.random.below(group.particles.len().max(1)));
                            if let Some(one) = group.particles.get(at) {
                                self.particle(*one);
                            }
                        }
                        _ => group.particles.iter().for_each(|one| self.particle(*one)),
                    }
                }
                Term::Wildcard(wildcard) => {
                    let wildcard = &schema.wildcards[wildcard];
                    let other = "<other xmlns=\"urn:other\" a=\"1\">text</other>";
                    let uri = schema.names.find_uri("urn:other").unwrap_or(xsd::NamespaceId::UNKNOWN);
                    if wildcard.process != xsd::Process::Strict && wildcard.namespaces.allows(uri) {
                        self.out.push_str(other);
                        continue;
                    }
                    let fits = |global: &&Global| match global {
                        Global::Element(id) => {
                            let element = &schema.elements[*id];
                            let namespace = schema.names.namespace(element.name);
                            matches!(element.ty, TypeId::Simple(_)) && wildcard.namespaces.allows(namespace)
                        }
                        _ => false,
                    };
                    if let Some(Global::Element(id)) = schema.globals.iter().find(fits) {
                        self.element(*id);
                    }
                }
            }
        }
    }

    fn element(&mut self, declared: ElementId) {
        let schema = self.of.schema;
        let substitutes = &schema.elements[declared].substitutes;
        let mut element = declared;
        if !substitutes.is_empty() && (schema.elements[declared].is_abstract || self.random.one_in(2)) {
            element = self.random.of(substitutes);
        }
        let of = &schema.elements[element];
        self.elements += 1;
        self.depth += 1;
        let (mut attributes, mut ty) = (String::new(), of.ty);
        if let TypeId::Complex(complex) = ty
            && (schema.complex_types[complex].is_abstract || self.random.one_in(8) && !self.is_short())
        {
            let is_derived = |id: &xsd::ComplexId| {
                let mut base = TypeId::Complex(*id);
                while base != ty && base != TypeId::Complex(Schema::ANY_TYPE) {
                    base = schema.base(base);
                }
                let derived = &schema.complex_types[*id];
                base == ty && !derived.is_abstract && derived.name.is_some() && ty != TypeId::Complex(Schema::ANY_TYPE)
            };
            let derived: Vec<_> = schema.complex_types.ids().filter(is_derived).collect();
            if !derived.is_empty() {
                let one = self.random.of(&derived);
                let name = schema.complex_types[one].name.unwrap();
                let uri = schema.names.uri(schema.names.namespace(name));
                if one != complex {
                    write!(
                        attributes,
                        " xmlns:x=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:q=\"{uri}\" x:type=\"q:{}\"",
                        schema.names.local(name)
                    )
                    .unwrap();
                }
                ty = TypeId::Complex(one);
            }
        }
        if of.nillable && of.value.is_none() && self.random.one_in(4) {
            attributes.push_str(" xmlns:n=\"http://www.w3.org/2001/XMLSchema-instance\" n:nil=\"true\"");
            self.attributes(ty, &mut attributes);
            let name = self.name(of.name, &attributes);
            write!(self.out, "<{name}/>").unwrap();
            self.depth -= 1;
            return;
        }
        self.attributes(ty, &mut attributes);
        let name = self.name(of.name, &attributes);
        write!(self.out, "<{name}>").unwrap();
        let value = of.value.as_ref().map(|value| value.text().to_owned());
        match ty {
            TypeId::Simple(simple) => {
                let text = value.unwrap_or_else(|| self.text(simple, None));
                self.out.push_str(&text);
            }
            TypeId::Complex(complex) => match schema.complex_types[complex].content {
                Content::Simple(simple) => {
                    let text = value.unwrap_or_else(|| self.text(simple, None));
                    self.out.push_str(&text);
                }
                Content::ElementOnly(particle) | Content::Mixed(Some(particle)) if complex != Schema::ANY_TYPE => {
                    self.particle(particle);
                }
                _ => {}
            },
        }
        write!(self.out, "</{}>", schema.names.local(of.name)).unwrap();
        self.depth -= 1;
    }

    fn attributes(&mut self, ty: TypeId, out: &mut String) {
        let schema = self.of.schema;
        let TypeId::Complex(ty) = ty else { return };
        for (n, one) in schema.complex_types[ty].attributes.iter().enumerate() {
            if !one.required && !self.random.one_in(3) {
                continue;
            }
            let id: AttributeId = one.attribute;
            let attribute = &schema.attributes[id];
            let value = one.value.as_ref().or(attribute.value.as_ref()).map(|value| value.text().to_owned());
            let text = value.unwrap_or_else(|| self.text(attribute.ty, None));
            let uri = schema.names.uri(schema.names.namespace(attribute.name));
            let local = schema.names.local(attribute.name);
            match uri {
                "" => write!(out, " {local}=\"{text}\"").unwrap(),
                "http://www.w3.org/XML/1998/namespace" => write!(out, " xml:{local}=\"{text}\"").unwrap(),
                _ => write!(out, " xmlns:a{n}=\"{uri}\" a{n}:{local}=\"{text}\"").unwrap(),
            }
        }
    }

    /// A value of a simple type.
    fn text(&mut self, ty: SimpleId, facets: Option<&Facets>) -> String {
        let schema = self.of.schema;
        let of = &schema.simple_types[ty];
        let facets = facets.unwrap_or(&of.facets);
        if let Some(items) = &facets.enumeration {
            return items.values[self.random.below(items.values.len())].text.clone();
        }
        match &of.variety {
            Variety::List(item) => {
                let least = facets.length.as_ref().or(facets.min_length.as_ref()).map_or(0, |least| least.value);
                let count = (least as usize).max(self.random.below(4));
                (0..count).map(|_| self.text(*item, None)).collect::<Vec<_>>().join(" ")
            }
            Variety::Union(members) => {
                let member = self.random.of(members);
                self.text(member, None)
            }
            Variety::Any => "any".to_owned(),
            Variety::Atomic(builtin) => self.atomic(*builtin, of.lexical, facets),
        }
    }

    fn atomic(&mut self, builtin: Builtin, lexical: Builtin, facets: &Facets) -> String {
        let least = facets.length.as_ref().or(facets.min_length.as_ref()).map_or(0, |least| least.value as usize);
        let most = facets.length.as_ref().or(facets.max_length.as_ref()).map_or(24, |most| most.value as usize);
        let n = self.random.below(100);
        if !facets.patterns.is_empty() {
            let fits = |text: &&&str| facets.patterns.iter().all(|pattern| pattern.is_match(text));
            return (*PATTERNED.iter().find(fits).unwrap_or(&"no value is known")).to_owned();
        }
        match builtin {
            Builtin::Boolean => ["true", "false", "1"][n % 3].to_owned(),
            Builtin::Decimal => {
                let bound = |bound: &Option<xsd::Facet<xsd::Bound>>| {
                    bound
                        .as_ref()
                        .and_then(|bound| Some((bound.value.text.parse::<f64>().ok()?, bound.value.inclusive)))
                };
                let (min, max) = (bound(&facets.min), bound(&facets.max));
                let low = min.map_or(0.0, |(min, inclusive)| if inclusive { min } else { min + 1.0 });
                let high = max.map_or(low + 100.0, |(max, inclusive)| if inclusive { max } else { max - 1.0 });
                let low = if min.is_none() { low.min(high) } else { low };
                let value = low + n as f64 % (high - low + 1.0).max(1.0);
                format!("{}", value.trunc().clamp(low.ceil().min(high), high))
            }
            Builtin::Float | Builtin::Double => format!("0.{n}"),
            Builtin::Duration => format!("PT{n}S"),
            Builtin::DateTime => format!("2024-05-{:02}T10:00:{:02}Z", 1 + n % 28, n % 60),
            Builtin::Date => format!("2024-05-{:02}", 1 + n % 28),
            Builtin::Time => format!("10:{:02}:00", n % 60),
            Builtin::GYear => "2024".to_owned(),
            Builtin::GYearMonth => "2024-05".to_owned(),
            Builtin::GMonthDay => "--05-20".to_owned(),
            Builtin::GMonth => "--05".to_owned(),
            Builtin::GDay => "---20".to_owned(),
            Builtin::HexBinary => "0A".repeat(least.max(1)),
            Builtin::Base64Binary => "AAEC".to_owned(),
            Builtin::AnyUri => format!("http://a/{n}"),
            Builtin::QName => "xml:q".to_owned(),
            _ => {
                let word = match lexical {
                    Builtin::Language => "en".to_owned(),
                    Builtin::Id => format!("i{}", self.elements * 100 + n),
                    Builtin::String | Builtin::Token | Builtin::NormalizedString => format!("some text {n}"),
                    _ => format!("n{n}"),
                };
                let word: String = word.chars().take(most).collect();
                format!("{word}{}", "x".repeat(least.saturating_sub(word.len())))
            }
        }
    }
}

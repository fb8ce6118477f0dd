//! Schemas that nobody wrote, of everything that the notation can say.

use asn1::schema::{
    Argument, Assignment, Bound, Component, ComponentKind, Constraint, Constraints, Element, EncodingControl,
    Enumeration, Enumerator, Exports, Field, Fields, Import, Instruction, Kind, Meaning, Module, NamedNumber,
    ObjectIdArc, Position, Prefix, Presence, Schema, SpecialReal, StringKind, Tag, TagClass, TagMode, Tagging, Type,
    Value,
};
use test_support::Random;

/// Makes schemas up.
pub(crate) struct MadeUp {
    random: Random,
    /// Names made so far, so that none comes twice.
    names: u32,
    xer: bool,
}

/// Levels of types, values and constraints within each other, at the most.
const DEEPEST: u32 = 4;

impl MadeUp {
    pub(crate) fn new(seed: u64) -> MadeUp {
        MadeUp { random: Random::new(seed), names: 0, xer: false }
    }

    /// Up to a number of things, or none.
    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.random.below(most + 1)).map(|_| make(self)).collect()
    }

    fn some_or_more<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..=self.random.below(most)).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.random.one_in(3) { Some(make(self)) } else { None }
    }

    fn name(&mut self, starts: &[&str]) -> String {
        self.names += 1;
        let long = if self.random.one_in(8) { "-and-a-name-that-is-longer-than-others" } else { "" };
        format!("{}{}{long}", self.random.of(starts), self.names)
    }

    fn lower(&mut self) -> String {
        self.name(&["a", "b", "some-Name", "x-Y9-"])
    }

    fn upper(&mut self) -> String {
        self.name(&["T", "U", "Some-name", "X-Y9-", "ALL", "SETOF"])
    }

    pub(crate) fn schema(&mut self) -> Schema {
        Schema { modules: self.some_or_more(3, Self::module), ..Schema::default() }
    }

    fn module(&mut self) -> Module {
        self.xer = self.random.one_in(3);
        let assignments = self.some(8, Self::assignment);
        let exports = self.maybe(|made| made.some(30, Self::upper)).map_or(Exports::All, Exports::Only);
        Module {
            name: self.upper(),
            identifier: self.some(5, Self::arc),
            tagging: self.random.of(&[Tagging::Explicit, Tagging::Implicit, Tagging::Automatic]),
            xer_instructions: self.xer,
            extensibility_implied: self.random.one_in(4),
            exports,
            imports: self.some(3, Self::import),
            assignments,
            encoding_control: self.maybe(Self::encoding_control),
            source: String::new(),
            position: Position::default(),
        }
    }

    fn arc(&mut self) -> ObjectIdArc {
        let number = (self.random.next() >> self.random.below(64)).into();
        let (name, number) = match self.random.below(3) {
            0 => (String::new(), number),
            1 => (self.lower(), None),
            _ => (self.lower(), number),
        };
        ObjectIdArc { name, number, position: Position::default() }
    }

    fn import(&mut self) -> Import {
        let names = self.some_or_more(12, |made| if made.random.one_in(2) { made.lower() } else { made.upper() });
        Import { names, module: self.upper(), identifier: self.some(2, Self::arc), position: Position::default() }
    }

    fn assignment(&mut self) -> Assignment {
        let upper = self.upper();
        let (name, meaning) = match self.random.below(4) {
            0 => (self.lower(), Meaning::Value(self.ty(1), self.value(0))),
            1 => (upper, Meaning::ValueSet(self.ty(1), self.constraint(1))),
            _ => (upper, Meaning::Type(self.ty(0))),
        };
        Assignment { name, parameters: vec![], meaning, position: Position::default() }
    }

    fn ty(&mut self, level: u32) -> Type {
        let kind = self.kind(level);
        // After these, a constraint would belong to another type.
        let many = if matches!(kind, Kind::Selection(..)) { 0 } else { 2 };
        Type {
            prefixes: if self.random.one_in(4) { self.some(2, Self::prefix) } else { Vec::new() },
            constraints: if self.random.one_in(3) {
                self.some(many, |made| made.constraint(level + 1))
            } else {
                vec![]
            },
            kind,
            position: Position::default(),
        }
    }

    fn kind(&mut self, level: u32) -> Kind {
        let nested = if level < DEEPEST { 18 } else { 12 };
        match self.random.below(nested) {
            0 => Kind::Boolean,
            1 => Kind::Null,
            2 => Kind::Real,
            3 if self.random.one_in(2) => Kind::OctetString,
            3 if self.random.one_in(2) => Kind::ObjectIdentifier,
            3 => Kind::RelativeOid,
            4 => Kind::Integer(self.some(3, Self::named_number)),
            5 => Kind::BitString(self.some(3, Self::named_number)),
            6 => Kind::Enumerated(Enumeration {
                root: self.some_or_more(6, Self::enumerator),
                additions: self.maybe(|made| made.some(2, Self::enumerator)),
            }),
            7 | 8 => Kind::String(self.string_kind()),
            9 => Kind::Other(self.random.of(&["EXTERNAL", "EMBEDDED PDV", "OID-IRI", "RELATIVE-OID-IRI"])),
            10 | 11 => Kind::Reference { module: self.maybe(Self::upper), name: self.upper() },
            12 => Kind::SequenceOf(Box::new(self.element(level))),
            13 => Kind::SetOf(Box::new(self.element(level))),
            14 => Kind::Selection(self.lower(), Box::new(self.ty(level + 1))),
            15 => Kind::Choice(self.fields(level, true)),
            16 => Kind::Set(self.fields(level, false)),
            _ => Kind::Sequence(self.fields(level, false)),
        }
    }

    fn string_kind(&mut self) -> StringKind {
        self.random.of(&[
            StringKind::Utf8,
            StringKind::Numeric,
            StringKind::Printable,
            StringKind::Ia5,
            StringKind::Visible,
            StringKind::Bmp,
            StringKind::Universal,
            StringKind::Teletex,
            StringKind::Videotex,
            StringKind::Graphic,
            StringKind::General,
            StringKind::ObjectDescriptor,
            StringKind::UtcTime,
            StringKind::GeneralizedTime,
            StringKind::Time,
            StringKind::Date,
            StringKind::TimeOfDay,
            StringKind::DateTime,
            StringKind::Duration,
        ])
    }

    fn prefix(&mut self) -> Prefix {
        if self.random.one_in(3) {
            return Prefix::Instruction(Instruction { targets: Vec::new(), ..self.instruction() });
        }
        let classes = [TagClass::Universal, TagClass::Application, TagClass::Context, TagClass::Private];
        let tag = Tag { class: self.random.of(&classes), number: (self.random.next() >> 32) as u32 };
        Prefix::Tag(tag, self.random.of(&[None, Some(TagMode::Implicit), Some(TagMode::Explicit)]))
    }

    fn instruction(&mut self) -> Instruction {
        let keyword = self.random.of(&["ATTRIBUTE", "NAME", "NAMESPACE", "TEXT", "LIST", "PI-OR-COMMENT", "USE-NIL"]);
        let target = |made: &mut Self| match made.random.below(4) {
            0 => "ALL".to_owned(),
            1 => format!("{}.{}", made.upper(), made.lower()),
            2 => format!("{}:{}", made.upper(), made.lower()),
            _ => format!("{} IN {}", made.lower(), made.upper()),
        };
        let argument = |made: &mut Self| match made.random.below(3) {
            0 => Argument::Text(made.text()),
            1 => Argument::Word(made.random.of(&["PREFIX", "CAPITALIZED", ",", "17", "lower"]).to_owned()),
            _ => Argument::Word(made.upper()),
        };
        let mut arguments = self.maybe(|made| made.some(4, argument)).unwrap_or_default();
        if !arguments.is_empty() {
            arguments.insert(0, Argument::Word("AS".to_owned()));
        }
        Instruction {
            negating: self.random.one_in(5),
            keyword: keyword.to_owned(),
            targets: self.some(3, target),
            arguments,
            position: Position::default(),
        }
    }

    fn encoding_control(&mut self) -> EncodingControl {
        EncodingControl { instructions: self.some(5, Self::instruction), position: Position::default() }
    }

    fn named_number(&mut self) -> NamedNumber {
        NamedNumber { name: self.lower(), number: self.number_or_name() }
    }

    fn number_or_name(&mut self) -> Value {
        match self.random.below(4) {
            0 => Value::Name { module: self.maybe(Self::upper), name: self.lower() },
            _ => Value::integer(i128::from(self.random.next() as i64 >> self.random.below(64))),
        }
    }

    fn enumerator(&mut self) -> Enumerator {
        let number = self.maybe(Self::number_or_name);
        Enumerator { name: self.lower(), text: None, number, position: Position::default() }
    }

    fn element(&mut self, level: u32) -> Component {
        let name = self.maybe(Self::lower).unwrap_or_default();
        Component::new(name, self.ty(level + 1))
    }

    fn fields(&mut self, level: u32, choice: bool) -> Fields {
        let least = usize::from(choice);
        let root = (0..least + self.random.below(4)).map(|_| self.component(level, choice)).collect();
        let additions = self.maybe(|made| made.some(4, |made| made.addition(level, choice)));
        let after = if choice || additions.is_none() { 0 } else { 2 };
        let root_after = self.some(after, |made| made.component(level, choice));
        Fields { root, additions, root_after, ..Fields::default() }
    }

    fn addition(&mut self, level: u32, choice: bool) -> Field {
        if self.random.one_in(2) {
            return Field::Component(self.component(level, choice));
        }
        let version = self.maybe(|made| made.random.next() as u32);
        Field::Group(version, self.some_or_more(3, |made| made.component(level, choice)))
    }

    fn component(&mut self, level: u32, choice: bool) -> Component {
        let mut component = Component::new(self.lower(), self.ty(level + 1));
        component.kind = match self.random.below(8) {
            _ if choice => ComponentKind::Mandatory,
            0 | 1 => ComponentKind::Optional,
            2 => ComponentKind::Default(self.value(level)),
            3 => ComponentKind::ComponentsOf,
            _ => ComponentKind::Mandatory,
        };
        if component.kind == ComponentKind::ComponentsOf {
            component.name.clear();
        }
        component
    }

    fn constraint(&mut self, level: u32) -> Constraint {
        let root = self.set(level);
        let additions = self.maybe(|made| made.maybe(|made| made.set(level)));
        Constraint { root, additions, position: Position::default() }
    }

    fn set(&mut self, level: u32) -> Constraints {
        match self.random.below(8) {
            0 => Constraints::AllExcept(Box::new(self.subset(level))),
            1 | 2 => {
                let first = self.intersection(level);
                let mut parts = self.some_or_more(6, |made| made.intersection(level));
                parts.push(first);
                Constraints::Union(parts)
            }
            _ => self.intersection(level),
        }
    }

    fn intersection(&mut self, level: u32) -> Constraints {
        if !self.random.one_in(5) {
            return self.exception(level);
        }
        let first = self.exception(level);
        let mut parts = self.some_or_more(3, |made| made.exception(level));
        parts.push(first);
        Constraints::Intersection(parts)
    }

    fn exception(&mut self, level: u32) -> Constraints {
        if !self.random.one_in(6) {
            return self.subset(level);
        }
        Constraints::Except(Box::new(self.subset(level)), Box::new(self.subset(level)))
    }

    fn subset(&mut self, level: u32) -> Constraints {
        Constraints::Element(Box::new(self.subtype(level)))
    }

    fn subtype(&mut self, level: u32) -> Element {
        let nested = if level < DEEPEST { 15 } else { 5 };
        match self.random.below(nested) {
            0 | 1 => Element::Single(self.value(level)),
            2 | 3 => Element::Range(self.bound(Bound::Min), self.bound(Bound::Max)),
            4 => self.user_defined(),
            5 => Element::Size(self.constraint(level + 1)),
            6 => Element::Alphabet(self.constraint(level + 1)),
            7 => Element::Contained(self.ty(level + 1)),
            8 => Element::Pattern(Value::Text(self.text())),
            9 => Element::Settings(self.text()),
            10 => Element::WithComponent(self.constraint(level + 1)),
            11 | 12 => Element::WithComponents {
                partial: self.random.one_in(2),
                components: self.some_or_more(3, |made| {
                    let presence = [Presence::Present, Presence::Absent, Presence::Optional];
                    let constraint = made.maybe(|made| made.constraint(level + 1));
                    (made.lower(), constraint, made.maybe(|made| made.random.of(&presence)))
                }),
            },
            13 if self.random.one_in(2) => Element::Contents(None, Some(self.value(level))),
            13 => Element::Contents(Some(self.ty(level + 1)), self.maybe(|made| made.value(level))),
            _ => Element::Group(Constraint { additions: None, ..self.constraint(level + 1) }),
        }
    }

    fn user_defined(&mut self) -> Element {
        let texts = ["", "T", "{ a, {b} } \"}\"", "-- with a } --", "T -- to the end }", "/* } */ [1]\n  INTEGER"];
        Element::UserDefined(self.random.of(&texts).to_owned())
    }

    fn bound(&mut self, outermost: Bound) -> Bound {
        let value = match self.random.below(4) {
            0 => Value::Text(self.text()),
            1 => Value::Name { module: self.maybe(Self::upper), name: self.lower() },
            _ => Value::Number(self.number()),
        };
        match self.random.below(4) {
            0 => outermost,
            1 => Bound::Exclusive(value),
            _ => Bound::Inclusive(value),
        }
    }

    fn number(&mut self) -> String {
        let sign = if self.random.one_in(3) { "-" } else { "" };
        let number = self.random.next() >> self.random.below(64);
        match self.random.below(6) {
            0 => format!("{sign}{number}."),
            1 => format!("{sign}{number}.50"),
            2 => format!("{sign}{number}E-{}", self.random.below(300)),
            3 => format!("{sign}0.{number}e5"),
            _ => format!("{sign}{number}"),
        }
    }

    fn value(&mut self, level: u32) -> Value {
        let nested = if level < DEEPEST { 14 } else { 10 };
        match self.random.below(nested) {
            0 => Value::Null,
            1 => Value::Boolean(self.random.one_in(2)),
            2 | 3 => Value::Number(self.number()),
            4 => Value::Special(self.random.of(&[
                SpecialReal::PlusInfinity,
                SpecialReal::MinusInfinity,
                SpecialReal::NotANumber,
            ])),
            5 => Value::Text(self.text()),
            6 => Value::Binary(self.some(20, |made| made.random.of(&['0', '1'])).into_iter().collect()),
            7 => Value::Hexadecimal(self.some(200, |made| made.random.of(&['0', '9', 'A', 'F'])).into_iter().collect()),
            8 | 9 => Value::Name { module: self.maybe(Self::upper), name: self.lower() },
            10 | 11 => Value::Choice(self.lower(), Box::new(self.value(level + 1))),
            _ => Value::Braces(self.some(5, |made| made.item(level + 1))),
        }
    }

    /// What is between the commas of a value in braces.
    fn item(&mut self, level: u32) -> Vec<Value> {
        match self.random.below(4) {
            0 => vec![self.value(level)],
            1 => vec![Value::Name { module: None, name: self.lower() }, Value::Containing(Box::new(self.value(level)))],
            2 => self.some_or_more(4, |made| match made.random.below(3) {
                0 => Value::NameAndNumber(made.lower(), made.random.next().to_string()),
                1 => Value::NameAndNumber(made.lower(), format!("{}.{}", made.upper(), made.lower())),
                _ => Value::integer(made.random.next().into()),
            }),
            _ => vec![Value::Name { module: None, name: self.lower() }, self.value(level)],
        }
    }

    fn text(&mut self) -> String {
        let characters = ['a', 'Z', ' ', '"', '\'', '-', '/', '*', '{', '}', '\t', '\0', 'é', '\u{A0}', '\u{1F600}'];
        self.some(30, |made| made.random.of(&characters)).into_iter().collect()
    }
}

//! Types as the clauses of X.680 have them, looked up in the notation each time anew: slow and plain.

use asn1::schema::{
    Bound, Component, ComponentKind, Constraint, Constraints, Element, Field, Fields, Kind, Meaning, Prefix, Schema,
    StringKind, Tag, TagClass, Tagging, Type, Value,
};

/// A type with its references followed: its definition, its tags and constraints, outermost first and innermost first.
pub(crate) struct Resolved<'s> {
    pub(crate) kind: &'s Kind,
    pub(crate) tags: Vec<Tag>,
    pub(crate) constraints: Vec<&'s Constraint>,
}

/// What a constraint is asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum About {
    Number,
    Size,
    Alphabet,
    /// Within FROM.
    Character,
}

/// Whether EXCEPT counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Eyes {
    /// It does: what the type allows.
    All,
    /// It does not: what PER sees.
    Per,
}

/// Beyond every number of the notation.
const FAR: i128 = 1 << 120;

/// A component in its place: its automatic tag, if it has one.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'s> {
    pub(crate) component: &'s Component,
    pub(crate) tag: Option<Tag>,
}

/// The types of a schema of one module.
#[derive(Clone, Copy)]
pub(crate) struct Notation<'s>(pub(crate) &'s Schema);

impl<'s> Notation<'s> {
    pub(crate) fn named(self, name: &str) -> &'s Type {
        match &self.0.modules[0].assignment(name).unwrap().meaning {
            Meaning::Type(ty) => ty,
            _ => panic!("{name} is no type"),
        }
    }

    pub(crate) fn resolve(self, ty: &'s Type) -> Resolved<'s> {
        let tags: Vec<Tag> = ty
            .prefixes
            .iter()
            .filter_map(|prefix| match prefix {
                Prefix::Tag(tag, _) => Some(*tag),
                Prefix::Instruction(_) => None,
            })
            .collect();
        match &ty.kind {
            Kind::Reference { name, .. } => {
                let inner = self.resolve(self.named(name));
                Resolved {
                    kind: inner.kind,
                    tags: [tags, inner.tags].concat(),
                    constraints: inner.constraints.into_iter().chain(&ty.constraints).collect(),
                }
            }
            kind => Resolved { kind, tags, constraints: ty.constraints.iter().collect() },
        }
    }

    /// The tags that a value may start with (X.680 clause 8.6).
    pub(crate) fn first_tags(self, ty: &'s Type, automatic: Option<Tag>) -> Vec<Tag> {
        let resolved = self.resolve(ty);
        if let Some(tag) = automatic.or(resolved.tags.first().copied()) {
            return vec![tag];
        }
        if let Kind::Choice(fields) = resolved.kind {
            let (root, additions) = self.parts(fields);
            let all = root.into_iter().chain(additions.into_iter().flat_map(|(_, placed)| placed));
            return all.flat_map(|placed| self.first_tags(&placed.component.ty, placed.tag)).collect();
        }
        let number = match resolved.kind {
            Kind::Boolean => 1,
            Kind::Integer(_) => 2,
            Kind::BitString(_) => 3,
            Kind::OctetString => 4,
            Kind::Null => 5,
            Kind::ObjectIdentifier => 6,
            Kind::String(StringKind::ObjectDescriptor) => 7,
            Kind::Real => 9,
            Kind::Enumerated(_) => 10,
            Kind::String(StringKind::Utf8) => 12,
            Kind::RelativeOid => 13,
            Kind::Sequence(_) | Kind::SequenceOf(_) => 16,
            Kind::Set(_) | Kind::SetOf(_) => 17,
            Kind::String(kind) => match kind {
                StringKind::Numeric => 18,
                StringKind::Printable => 19,
                StringKind::Teletex => 20,
                StringKind::Videotex => 21,
                StringKind::Ia5 => 22,
                StringKind::Graphic => 25,
                StringKind::Visible => 26,
                StringKind::General => 27,
                StringKind::Universal => 28,
                StringKind::Bmp => 30,
                _ => panic!("{kind:?}"),
            },
            other => panic!("{other:?}"),
        };
        vec![Tag { class: TagClass::Universal, number }]
    }

    /// COMPONENTS OF replaced by the components (X.680 clause 25.4).
    fn expanded(self, components: &'s [Component]) -> Vec<&'s Component> {
        let mut all = Vec::new();
        for component in components {
            match (&component.kind, self.resolve(&component.ty).kind) {
                (ComponentKind::ComponentsOf, Kind::Sequence(fields) | Kind::Set(fields)) => {
                    all.extend(self.expanded(&fields.root));
                    all.extend(self.expanded(&fields.root_after));
                }
                _ => all.push(component),
            }
        }
        all
    }

    /// Components of the root as written, and the additions, each with whether it is a group.
    pub(crate) fn parts(self, fields: &'s Fields) -> (Vec<Placed<'s>>, Vec<(bool, Vec<Placed<'s>>)>) {
        let additions = fields.additions.as_deref().unwrap_or_default();
        let written = fields.root.iter().chain(&fields.root_after).chain(additions.iter().flat_map(Field::components));
        let tagged = written.clone().any(|component| {
            component.kind != ComponentKind::ComponentsOf
                && component.ty.prefixes.iter().any(|p| matches!(p, Prefix::Tag(..)))
        });
        let automatic = self.0.modules[0].tagging == Tagging::Automatic && !tagged;
        let mut number = 0;
        let mut place = |component: &'s Component| {
            let tag = automatic.then_some(Tag { class: TagClass::Context, number });
            number += 1;
            Placed { component, tag }
        };
        let root = self.expanded(&fields.root).into_iter().chain(self.expanded(&fields.root_after));
        let root = root.map(&mut place).collect();
        let mut placed = Vec::new();
        for addition in additions {
            let group = matches!(addition, Field::Group(..));
            let components: Vec<_> = self.expanded(addition.components()).into_iter().map(&mut place).collect();
            match group {
                true => placed.push((true, components)),
                false => placed.extend(components.into_iter().map(|one| (false, vec![one]))),
            }
        }
        (root, placed)
    }

    /// The same, the root in the order of tags (X.691 clauses 21.1 and 23.2).
    pub(crate) fn sorted_parts(self, fields: &'s Fields) -> (Vec<Placed<'s>>, Vec<(bool, Vec<Placed<'s>>)>) {
        let (mut root, additions) = self.parts(fields);
        root.sort_by_key(|placed| self.first_tags(&placed.component.ty, placed.tag).into_iter().min());
        (root, additions)
    }

    pub(crate) fn number(self, value: &Value) -> i128 {
        match value {
            Value::Number(digits) => digits.parse().unwrap(),
            Value::Name { name, .. } => match &self.0.modules[0].assignment(name).unwrap().meaning {
                Meaning::Value(_, value) => self.number(value),
                _ => panic!("{name} is no value"),
            },
            other => panic!("{other:?}"),
        }
    }

    /// Whether a set of elements has a number; `None` where it says nothing about such.
    fn has(self, set: &'s Constraints, about: About, eyes: Eyes, number: i128) -> Option<bool> {
        let has = |set| self.has(set, about, eyes, number);
        match set {
            Constraints::Element(element) => self.element_has(element, about, eyes, number),
            Constraints::Union(sets) => {
                let each: Vec<Option<bool>> = sets.iter().map(has).collect();
                each.iter().any(Option::is_some).then(|| each.iter().any(|one| one.unwrap_or(true)))
            }
            Constraints::Intersection(sets) => {
                let each: Vec<Option<bool>> = sets.iter().map(has).collect();
                each.iter().any(Option::is_some).then(|| each.iter().all(|one| one.unwrap_or(true)))
            }
            Constraints::Except(all, but) => match (has(all), has(but), eyes) {
                (all, Some(but), Eyes::All) => Some(all.unwrap_or(true) && !but),
                (all, ..) => all,
            },
            Constraints::AllExcept(but) => match eyes {
                Eyes::All => has(but).map(|but| !but),
                Eyes::Per => has(but).map(|_| true),
            },
        }
    }

    fn element_has(self, element: &'s Element, about: About, eyes: Eyes, number: i128) -> Option<bool> {
        let inside = |lower: &Bound, upper: &Bound, of: &dyn Fn(&Value) -> i128| {
            let lower = match lower {
                Bound::Min | Bound::Max => true,
                Bound::Inclusive(value) => of(value) <= number,
                Bound::Exclusive(value) => of(value) < number,
            };
            let upper = match upper {
                Bound::Min | Bound::Max => true,
                Bound::Inclusive(value) => number <= of(value),
                Bound::Exclusive(value) => number < of(value),
            };
            lower && upper
        };
        match (element, about) {
            (Element::Group(constraint), _) => self.allows(constraint, about, eyes, number),
            (Element::Single(value), About::Number) => Some(self.number(value) == number),
            (Element::Range(lower, upper), About::Number) => Some(inside(lower, upper, &|value| self.number(value))),
            (Element::Single(value), About::Character) => Some(points(value).contains(&number)),
            (Element::Range(lower, upper), About::Character) => Some(inside(lower, upper, &|value| points(value)[0])),
            (Element::Size(size), About::Size) => {
                Some(number >= 0 && self.allows(size, About::Number, eyes, number).unwrap_or(true))
            }
            (Element::Alphabet(from), About::Alphabet | About::Character) => {
                self.allows(from, About::Character, eyes, number)
            }
            (Element::Contained(ty), _) => {
                let about = if about == About::Character { About::Alphabet } else { about };
                Some(self.all_allow(&self.resolve(ty).constraints, about, eyes, number))
            }
            _ => None,
        }
    }

    /// Whether a constraint's root has a number. An alphabet that may grow is none.
    fn allows(self, constraint: &'s Constraint, about: About, eyes: Eyes, number: i128) -> Option<bool> {
        let grows = constraint.additions.is_some() && matches!(about, About::Alphabet | About::Character);
        self.has(&constraint.root, about, eyes, number).filter(|_| !grows)
    }

    /// Whether all constraints of a type have a number.
    pub(crate) fn all_allow(self, constraints: &[&'s Constraint], about: About, eyes: Eyes, number: i128) -> bool {
        constraints.iter().all(|constraint| self.allows(constraint, about, eyes, number) != Some(false))
    }

    /// Whether any constraint says anything.
    pub(crate) fn is_said(self, constraints: &[&'s Constraint], about: About) -> bool {
        constraints.iter().any(|constraint| self.allows(constraint, about, Eyes::Per, 0).is_some())
    }

    /// The least and the greatest number that PER sees (X.691 clause 10.3).
    pub(crate) fn bounds(self, constraints: &[&'s Constraint], about: About) -> (Option<i128>, Option<i128>) {
        let mut ends = vec![-FAR, FAR];
        constraints.iter().for_each(|constraint| self.ends(&constraint.root, &mut ends));
        let sees = |number: &i128| self.all_allow(constraints, about, Eyes::Per, *number);
        let near = ends.iter().flat_map(|end| [end - 1, *end, end + 1]).filter(|end| end.abs() < FAR - 1);
        let near: Vec<i128> = near.filter(sees).collect();
        let lower = if sees(&-FAR) { None } else { near.iter().min().copied() };
        let upper = if sees(&FAR) { None } else { near.iter().max().copied() };
        (lower, upper)
    }

    /// Every number in a constraint.
    fn ends(self, set: &'s Constraints, ends: &mut Vec<i128>) {
        match set {
            Constraints::Element(element) => match &**element {
                Element::Single(Value::Text(_)) | Element::Alphabet(_) => {}
                Element::Single(value) => ends.push(self.number(value)),
                Element::Range(lower, upper) => {
                    for bound in [lower, upper] {
                        if let Bound::Inclusive(value) | Bound::Exclusive(value) = bound {
                            ends.push(self.number(value));
                        }
                    }
                }
                Element::Group(constraint) | Element::Size(constraint) => self.ends(&constraint.root, ends),
                Element::Contained(ty) => {
                    self.resolve(ty).constraints.iter().for_each(|inner| self.ends(&inner.root, ends));
                }
                _ => {}
            },
            Constraints::Union(sets) | Constraints::Intersection(sets) => {
                sets.iter().for_each(|set| self.ends(set, ends));
            }
            Constraints::Except(all, but) => [all, but].into_iter().for_each(|set| self.ends(set, ends)),
            Constraints::AllExcept(but) => self.ends(but, ends),
        }
    }

    /// Whether the last of a type's constraints has a marker that counts (X.680 clause 50.8).
    pub(crate) fn is_extensible(self, constraints: &[&'s Constraint], about: About) -> bool {
        constraints.last().is_some_and(|last| self.is_marked(last, about))
    }

    fn is_marked(self, constraint: &'s Constraint, about: About) -> bool {
        let said = self.allows(constraint, about, Eyes::Per, 0).is_some();
        said && (constraint.additions.is_some() || self.has_mark(&constraint.root, about))
    }

    fn has_mark(self, set: &'s Constraints, about: About) -> bool {
        match set {
            Constraints::Element(element) => match (&**element, about) {
                (Element::Group(constraint), _) => self.is_marked(constraint, about),
                (Element::Size(size), About::Size) => self.is_marked(size, About::Number),
                _ => false,
            },
            Constraints::Union(sets) | Constraints::Intersection(sets) => {
                sets.iter().any(|set| self.has_mark(set, about))
            }
            Constraints::Except(all, _) => self.has_mark(all, about),
            Constraints::AllExcept(_) => false,
        }
    }
}

fn points(value: &Value) -> Vec<i128> {
    match value {
        Value::Text(text) => text.chars().map(|point| u32::from(point).into()).collect(),
        other => panic!("{other:?}"),
    }
}

//! Types of open types in notation: which of those in a table `SEQUENCE OF INTEGER` is, before a value.

use super::{Array, Compiled, Kind, NodeId};
use crate::schema::{Component, Field, Fields, Kind as Notation, Type};

/// How well notation fits a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Not,
    /// It is of its kind and has its components, but the type has a name.
    Kind,
    Whole,
}

impl Compiled {
    /// The types that fit notation best, as indexes among several: those with its name; otherwise those of its kind that have
    /// its components. `ANY` fits all, and a keyword all that are made by it. Constraints and tags mean nothing.
    pub(crate) fn written_as(&self, ty: &Type, among: &[NodeId]) -> Vec<u32> {
        let fits: Vec<Fit> = among.iter().map(|node| self.fit(*node, ty)).collect();
        let best = fits.iter().copied().max().filter(|best| *best > Fit::Not);
        (0..).zip(fits).filter(|(_, fit)| Some(*fit) == best).map(|(index, _)| index).collect()
    }

    /// Whether notation fits a type.
    pub(crate) fn is_written_as(&self, ty: &Type, node: NodeId) -> bool {
        self.fit(node, ty) > Fit::Not
    }

    // Recursion is safe, because the parser limits the depth of notation.
    fn fit(&self, node: NodeId, ty: &Type) -> Fit {
        let (own, word) = (&self.node(node).name[..], ty.kind.as_str());
        let whole = |is: bool| if is { Fit::Whole } else { Fit::Not };
        let fit = match (&ty.kind, self.node(node).kind) {
            (Notation::Any(_), _) => return Fit::Whole,
            (Notation::Other(_), _) => whole(own == word || own.contains('.') && word == self.kind_name(node)),
            (Notation::InstanceOf(_), Kind::Record(_)) => whole(own == "SEQUENCE"),
            (Notation::SequenceOf(item), Kind::Array(array)) if !array.set => self.fit_of_item(array, item),
            (Notation::SetOf(item), Kind::Array(array)) if array.set => self.fit_of_item(array, item),
            (Notation::Sequence(fields) | Notation::Set(fields), Kind::Record(number))
                if self.record(number).set == matches!(ty.kind, Notation::Set(_)) =>
            {
                let record = self.record(number);
                let members = (0..record.members.len() as u32).map(|place| match &record.declared {
                    Some(declared) => declared.get(place as usize).copied().unwrap_or(place),
                    None => place,
                });
                let members = members.filter_map(|index| record.members.get(index as usize));
                self.fit_of_fields(fields, members.map(|one| (one.identifier(), one.node)))
            }
            (Notation::Choice(fields), Kind::Choice(number)) => {
                let alternatives = &self.choice(number).alternatives;
                self.fit_of_fields(fields, alternatives.iter().map(|one| (one.identifier(), one.node)))
            }
            (Notation::Enumerated(items), Kind::Enumerated(number)) => {
                let known = &self.enumeration(number).items;
                let all = items.root.iter().chain(items.additions.iter().flatten());
                let is_one = |name: &String| known.iter().any(|(known, _)| known == name);
                whole(all.clone().count() == known.len() && all.into_iter().all(|item| is_one(&item.name)))
            }
            (Notation::Reference { .. } | Notation::Instance(_), _) if own == word => Fit::Whole,
            // With a tag or a constraint it has lost its name.
            (Notation::Reference { .. } | Notation::Instance(_), _) if own.contains('.') => Fit::Kind,
            (Notation::Sequence(_) | Notation::Set(_) | Notation::Choice(_) | Notation::Enumerated(_), _) => Fit::Not,
            _ => whole(word == self.kind_name(node)),
        };
        if own == word || own.contains('.') { fit } else { fit.min(Fit::Kind) }
    }

    fn fit_of_item(&self, array: Array, item: &Component) -> Fit {
        let name = self.element_names.get(array.name as usize).map_or("", String::as_str);
        match &item.ty.kind {
            // It has an identifier, the name of its type, or none if that has none.
            Notation::Reference { name: of, .. } if item.name.is_empty() && !name.starts_with(is_lower) => {
                if of == name { Fit::Whole } else { Fit::Not }
            }
            _ if item.name.is_empty() || item.name == name => self.fit(array.item, &item.ty),
            _ => Fit::Not,
        }
    }

    fn fit_of_fields<'t>(&self, fields: &Fields, members: impl Iterator<Item = (&'t str, NodeId)>) -> Fit {
        let additions = fields.additions.iter().flatten().flat_map(Field::components);
        let mut written = fields.root.iter().chain(additions).chain(&fields.root_after);
        let mut fit = Fit::Whole;
        for (name, node) in members {
            fit = match written.next() {
                Some(component) if component.name == name => fit.min(self.fit(node, &component.ty)),
                _ => Fit::Not,
            };
        }
        if written.next().is_some() { Fit::Not } else { fit }
    }

    /// Writes the name of a type, or its keywords up to the next name: `SEQUENCE OF Word`.
    pub(crate) fn push_type(&self, node: NodeId, out: &mut String) {
        let mut node = node;
        loop {
            let own = &self.node(node).name[..];
            match self.node(node).kind {
                Kind::Array(array) if own.contains('.') || own == self.kind_name(node) => {
                    out.push_str(self.kind_name(node));
                    out.push(' ');
                    let name = self.element_names.get(array.name as usize).map_or("", String::as_str);
                    out.push_str(name);
                    match name {
                        "" => {}
                        name if name.starts_with(is_lower) => out.push(' '),
                        _ => return,
                    }
                    node = array.item;
                }
                _ => return out.push_str(if own.contains('.') { self.kind_name(node) } else { own }),
            }
        }
    }
}

fn is_lower(first: char) -> bool {
    first.is_ascii_lowercase()
}

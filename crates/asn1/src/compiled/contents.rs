//! Strings whose octets or bits are the encoding of a value (X.682 clause 11).

use std::cell::RefCell;

use tam::Error;

use super::build::Builder;
use super::node::Kind;
use super::open::{ContentString, Lookup, Open};
use super::scope::Followed;
use super::value::ValueBuilder;
use super::{Unchecked, within};
use crate::notation::typed::names::Names;
use crate::schema::{Constraint, Constraints, Element, Position, Type, Value};
use crate::{EncodingRules, Options};

/// A string whose content may turn out to use missing imports.
pub(super) struct PendingContent {
    /// Its number among the open types.
    place: u32,
    module: usize,
    position: Position,
}

impl<'s> Builder<'_, 's> {
    /// The kind of a string: an open type of one row if a constraint says what it contains. Content of rules that are
    /// not known, or of several types, stays octets, and is noted.
    pub(super) fn string(&mut self, followed: &Followed<'s>, kind: Kind, path: &str) -> Result<Kind, Error> {
        let found: Vec<_> = followed
            .constraints
            .iter()
            .filter_map(|(module, constraint)| Some((*module, constraint.position, contents(constraint)?)))
            .collect();
        let Some((module, position, (ty, rules))) = found.first().copied() else { return Ok(kind) };
        let rules = rules.map(|rules| self.rules(module, rules, position));
        let ty = ty.filter(|_| found.len() == 1 && rules != Some(None));
        let content = match ty.map(|ty| self.inner(module, ty, None, within(path, "content"))) {
            Some(Err(error)) if !self.scope.is_missing(&error) => return Err(error),
            Some(Ok(content)) => content,
            _ => {
                self.note(path.to_owned(), module, position);
                return Ok(kind);
            }
        };
        let string = self.allocate(path.to_owned(), followed.position)?;
        if let Some(node) = self.out.nodes.get_mut(string.0 as usize) {
            node.kind = kind;
        }
        let string_type = Some(ContentString { kind, rules: rules.flatten() });
        let alternatives = vec![content, string];
        self.contents.push(PendingContent { place: self.out.opens.len() as u32, module, position });
        self.out.opens.push(Open { alternatives, lookup: Lookup::Only, string: string_type, ..Open::default() });
        Ok(Kind::Open(self.out.opens.len() as u32 - 1))
    }

    /// Notes a constraint whose content is not read.
    fn note(&mut self, path: String, module: usize, position: Position) {
        let module = self.scope.module_name(module).to_owned();
        self.out.unchecked.push(Unchecked { element: "CONTAINING", path, module, position });
    }

    /// The rules that an object identifier names, if they are known.
    fn rules(&self, module: usize, value: &Value, position: Position) -> Option<Options> {
        let names = RefCell::new(Names::new(&self.out));
        let builder = ValueBuilder { types: &self.out, names: &names, scope: Some(self.scope), position };
        rules_of(&builder.object_identifier(module, value)?)
    }

    /// Strings that contain types that use missing imports stay octets.
    pub(super) fn close_broken_contents(&mut self) {
        let mut closed = Vec::new();
        for PendingContent { place, module, position } in std::mem::take(&mut self.contents) {
            let open = self.out.open(place);
            if let (Some(string), [content, own]) = (open.string, &open.alternatives[..])
                && self.broken.contains_key(content)
            {
                closed.push((Kind::Open(place), string.kind));
                self.note(self.out.node(*own).name.clone(), module, position);
            }
        }
        if closed.is_empty() {
            return;
        }
        for node in &mut self.out.nodes {
            if let Some((_, kind)) = closed.iter().find(|(open, _)| *open == node.kind) {
                node.kind = *kind;
            }
        }
    }
}

/// The contents constraint that a constraint is.
fn contents(constraint: &Constraint) -> Option<(Option<&Type>, Option<&Value>)> {
    let Constraints::Element(element) = &constraint.root else { return None };
    match &**element {
        Element::Contents(ty, rules) => Some((ty.as_ref(), rules.as_ref())),
        Element::Group(inner) => contents(inner),
        _ => None,
    }
}

/// The rules with an object identifier (X.690 clause 12, X.691 clause 33, X.696 clause 31).
fn rules_of(arcs: &[u128]) -> Option<Options> {
    Some(match arcs {
        [2, 1, 1] => Options::ber(),
        [2, 1, 2, 0] => Options::cer(),
        [2, 1, 2, 1] => Options::der(),
        [2, 1, 3, form @ 0..=1, 0] => Options::aper().with_canonical(*form == 1),
        [2, 1, 3, form @ 0..=1, 1] => Options::uper().with_canonical(*form == 1),
        [2, 1, 6, form @ 0..=1] => Options::of(EncodingRules::Oer).with_canonical(*form == 1),
        _ => return None,
    })
}

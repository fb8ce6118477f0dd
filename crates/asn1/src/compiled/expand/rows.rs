//! Rows of tables: the fields of an object, joined over fields that are sets.

use std::rc::Rc;

use tam::Error;

use super::super::scope::Definition;
use super::{Env, Expander, MADE, ObjectId, Source, is_upper};
use crate::schema::{Meaning, Position, Type};

impl<'s> Expander<'_, 's> {
    /// The rows that paths of fields lead to from an object. Paths with the same first field go through the same object
    /// of it: `&Errors.&errorCode` and `&Errors.&ParameterType` give a row for each error.
    pub(super) fn joined(
        &mut self,
        object: ObjectId,
        paths: &[&[String]],
        env: &Env,
        position: Position,
    ) -> Result<Vec<Vec<Option<Definition>>>, Error> {
        let mut rows = vec![vec![None; paths.len()]];
        let mut done = vec![false; paths.len()];
        for place in 0..paths.len() {
            let Some((first, rest)) = paths[place].split_first() else { continue };
            if std::mem::replace(&mut done[place], true) {
                continue;
            }
            if rest.is_empty() {
                let leaf = match is_upper(first) {
                    true => self.setting_type(object, first),
                    false => self.setting_value(object, first),
                };
                let leaf = match leaf {
                    Err(error) if self.scope.is_missing(&error) => None,
                    leaf => leaf?,
                };
                rows.iter_mut().for_each(|row| row[place] = leaf);
                continue;
            }
            let same = |path: &&[String]| path.len() > 1 && path.first() == Some(first);
            let places: Vec<usize> = (place..paths.len()).filter(|other| same(&paths[*other])).collect();
            let tails: Vec<&[String]> = places.iter().map(|other| &paths[*other][1..]).collect();
            let mut inner = Vec::new();
            for next in self.setting_set(object, first)? {
                inner.extend(self.follow(env, position, |expander| expander.joined(next, &tails, env, position))?);
            }
            self.spend(rows.len().saturating_mul(inner.len()), env, position)?;
            let mut product = Vec::with_capacity(rows.len() * inner.len());
            for row in &rows {
                for found in &inner {
                    let mut row = row.clone();
                    places.iter().zip(found).for_each(|(place, leaf)| row[*place] = *leaf);
                    product.push(row);
                }
            }
            places.iter().for_each(|place| done[*place] = true);
            rows = product;
        }
        Ok(rows)
    }

    /// The type that a definition is, as written, and the names bound there.
    pub(super) fn source(&mut self, definition: Definition) -> Option<(Rc<Type>, Env)> {
        match definition.1.checked_sub(MADE) {
            Some(made) => {
                let (source, env) = self.sources.get(made)?;
                let env = Rc::clone(env);
                match source {
                    Source::Template(assignment) => match &assignment.meaning {
                        Meaning::Type(ty) | Meaning::ValueSet(ty, _) => Some((Rc::new(ty.clone()), env)),
                        _ => None,
                    },
                    Source::Type(ty) => Some((Rc::clone(ty), env)),
                    Source::Value(..) | Source::ValueSet(..) => None,
                }
            }
            None => match &self.scope.assignment(definition)?.meaning {
                Meaning::Type(ty) | Meaning::ValueSet(ty, _) => Some((Rc::new(ty.clone()), self.module(definition.0))),
                _ => None,
            },
        }
    }
}

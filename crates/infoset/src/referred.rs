//! Entities that content refers to. The DOCTYPE declares them, so that a document is read back with its references.

use std::collections::{HashMap, HashSet};

use tam::{Error, ErrorKind};
use xml::name::is_name;
use xml::reference::character;

use crate::cursor::Cursor;
use crate::doctype::{Doctype, Identifier};
use crate::items::{Declared, Text};
use crate::message::unreadable;
use crate::outline::{Kind, Outline, Special, Token};
use crate::rules::FORMAT;
use crate::store::Store;

/// An entity that content refers to.
#[derive(Debug)]
pub(crate) struct Referred {
    name: String,
    /// `None` if the declaration is not known.
    id: Option<Identifiers>,
    /// The number of the first reference.
    reference: usize,
}

impl Referred {
    /// Name and identifiers, if the declaration is known.
    pub(crate) fn declared(&self) -> Option<(&str, Identifier<'_>)> {
        Some((&self.name, self.identifier()?))
    }

    fn identifier(&self) -> Option<Identifier<'_>> {
        let (public, system) = self.id.as_ref()?;
        Some(Identifier { public: public.as_deref(), system: Some(system) })
    }
}

impl Cursor<'_> {
    /// The entities that content refers to, in the order of the first references.
    ///
    /// # Errors
    /// If a name is that of no entity, or references to one entity have several identifiers.
    pub(crate) fn referred<S: Store>(&self, store: &mut S) -> Result<Vec<Referred>, Error> {
        let (mut entities, mut numbers): (Vec<Referred>, HashMap<String, usize>) = Default::default();
        let mut seen: HashSet<[Option<Text>; 3]> = HashSet::new();
        for (number, reference) in self.outline.entity_references.iter().enumerate() {
            if !seen.insert([Some(reference.name), reference.system, reference.public]) {
                continue;
            }
            let located = |error| self.at_reference(number, error);
            let (name, id) = referred_by(reference, store).map_err(located)?;
            let known = *numbers.entry(name.clone()).or_insert(entities.len());
            match entities.get_mut(known) {
                None => entities.push(Referred { name, id, reference: number }),
                Some(known) if id.is_none() || known.id == id => {}
                Some(known) if known.id.is_none() => known.id = id,
                Some(_) => {
                    let found = format!("references to the entity '{name}' with several identifiers");
                    return Err(located(unreadable(found, "those of one declaration")));
                }
            }
        }
        Ok(entities)
    }

    /// Checks that a DOCTYPE declares the entities, with the same identifiers if they are known, or may leave that to a part
    /// outside of it.
    pub(crate) fn check_declared(&self, entities: &[Referred], doctype: &str) -> Result<(), Error> {
        if entities.is_empty() {
            return Ok(());
        }
        let doctype = Doctype::read(doctype).map_err(|(found, expected)| unreadable(found, expected))?;
        let is_standalone = self.properties().standalone == Some(true);
        let declared = doctype.entities_by_name(is_standalone);
        for entity in entities {
            let is_kept = match (declared.get(&*entity.name), entity.identifier()) {
                (Some(Some(declared)), Some(id)) => *declared == id,
                (Some(declared), None) => declared.is_some(),
                (None, None) => !doctype.is_all && !is_standalone,
                _ => false,
            };
            if !is_kept {
                let found = format!("a reference to the entity '{}'", entity.name);
                let expected = "its declaration: identifiers, or a document type declaration with an external subset";
                let error = Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected);
                return Err(self.at_reference(entity.reference, error));
            }
        }
        Ok(())
    }

    /// Adds the position of a reference to an error.
    #[cold]
    fn at_reference(&self, reference: usize, error: Error) -> Error {
        let is_it = |special: Option<&Special>| matches!(special, Some(Special::EntityReference(number)) if *number as usize == reference);
        let Outline { tokens, specials, .. } = &self.outline;
        let is_there = |token: &Token| token.kind() == Kind::Special && is_it(specials.get(token.value() as usize));
        match tokens.iter().position(is_there) {
            Some(token) => self.located(token, error),
            None => error,
        }
    }
}

/// Public and system identifier of a declaration that is known.
type Identifiers = (Option<String>, String);

/// Name and identifiers of the entity of a reference.
fn referred_by<S: Store>(reference: &Declared, store: &mut S) -> Result<(String, Option<Identifiers>), Error> {
    let mut text = |text: Text| -> Result<String, Error> {
        let piece = store.get(text)?;
        Ok(store.str(piece).to_owned())
    };
    let name = text(reference.name)?;
    if !is_name(&name) || character(name.as_bytes()).is_some() {
        let found = format!("a reference to the entity '{}'", name.escape_debug());
        return Err(unreadable(found, "the name of an entity that a DOCTYPE can declare"));
    }
    let public = reference.public.map(&mut text).transpose()?;
    let id = match reference.system.map(&mut text).transpose()? {
        Some(system) => Some((public, system)),
        None if public.is_some() => {
            let found = format!("the entity '{name}' without a system identifier");
            return Err(unreadable(found, "a system identifier"));
        }
        None => None,
    };
    Ok((name, id))
}

//! Comments, instructions, the DOCTYPE and references to its entities.

use tam::xml::unit;
use tam::{Error, Row};
use xml::name::is_name;
use xml::reference::character;

use super::{Collector, Declaration, Identifier, Token};
use crate::doctype::{self, Doctype, WHOLE, escape};
use crate::markup::{wrong_comment, wrong_instruction};

impl<'a> Collector<'a> {
    pub(super) fn unnamed_text(&self, row: &'a Row) -> Result<&'a str, Error> {
        if row.name_len() > 0 {
            return Err(self.refused(row, format!("a name of {}", unit(row.kind())), "no name"));
        }
        let text = self.document.text(row.value_at(), row.len());
        str::from_utf8(text).map_err(|_| self.refused(row, "bytes that are not UTF-8", "text"))
    }

    pub(super) fn comment(&mut self, row: &'a Row) -> Result<(), Error> {
        let text = self.unnamed_text(row)?;
        if let Some(found) = wrong_comment(text) {
            return Err(self.refused(row, found, "neither"));
        }
        let text = self.string_of(text.as_bytes(), row)?;
        self.tokens.push(Token::Comment { text });
        Ok(())
    }

    pub(super) fn instruction(&mut self, row: &'a Row) -> Result<(), Error> {
        let text = self.unnamed_text(row)?;
        let (target, content) = text.split_once(' ').unwrap_or((text, ""));
        if let Some(found) = wrong_instruction(target, content) {
            return Err(self.refused(row, found, "an instruction that XML allows"));
        }
        if content.is_empty() && text.len() > target.len() {
            return Err(self.refused(row, "a space after the target alone", "target, one space, data"));
        }
        let target = self.string_of(target.as_bytes(), row)?;
        let content = self.string_of(content.as_bytes(), row)?;
        self.tokens.push(Token::Instruction { target, content });
        Ok(())
    }

    /// Collects the DOCTYPE, which precedes the root element.
    pub(super) fn doctype(&mut self, row: &'a Row, root: Option<&'a Row>) -> Result<(), Error> {
        let text = self.unnamed_text(row)?;
        if text.contains('\r') {
            return Err(self.refused(row, "a carriage return in a DOCTYPE", "none"));
        }
        let parts = Doctype::read(text)
            .map_err(|(found, expected)| self.refused(row, format!("{found} in a DOCTYPE"), expected))?;
        let mut declaration = Declaration { is_part: !parts.is_all, ..Declaration::default() };
        declaration.id = self.identifier(parts.id, row)?;
        // The root element has the name, so it is not written.
        let root = root.map_or(&b""[..], |root| self.document.text(root.name_at(), root.name_len()));
        let is_said = parts.name.as_bytes() == root && parts.text([]).is_ok_and(|said| said == text);
        if self.document.types().is_type(b'&') {
            self.entities = parts.entities_by_name(self.is_standalone);
            self.may_be_declared = !parts.is_all && !self.is_standalone;
        }
        if !is_said || parts.instructions.first().is_some_and(|(target, _)| *target == WHOLE) {
            let target = self.string_of(WHOLE.as_bytes(), row)?;
            let content = self.chain.add(escape(text).as_bytes());
            declaration.instructions.push((target, self.string_of(content, row)?));
        }
        for (target, data) in parts.instructions {
            let instruction = (self.string_of(target.as_bytes(), row)?, self.string_of(data.as_bytes(), row)?);
            declaration.instructions.push(instruction);
        }
        for (name, id) in parts.notations {
            declaration.notations.push((self.string_of(name.as_bytes(), row)?, self.identifier(id, row)?));
        }
        for (name, id, notation) in parts.entities {
            let name = self.string_of(name.as_bytes(), row)?;
            let id = self.identifier(id, row)?;
            declaration.entities.push((name, id, self.string_of(notation.as_bytes(), row)?));
        }
        self.declaration = declaration;
        self.tokens.push(Token::Doctype);
        Ok(())
    }

    /// Collects a reference to an entity, which the DOCTYPE declares as external or may leave to a part outside of it.
    pub(super) fn entity_reference(&mut self, row: &'a Row) -> Result<(), Error> {
        let name = self.unnamed_text(row)?;
        let entity = match self.referred.get(name) {
            Some(entity) => *entity,
            None => {
                let entity = self.referred.len() as u32;
                let referred = self.referred_entity(name, row)?;
                self.declaration.referred.push(referred);
                self.referred.insert(name, entity);
                entity
            }
        };
        self.tokens.push(Token::EntityReference { entity });
        Ok(())
    }

    /// The name and the identifiers of an entity that is referred to for the first time.
    fn referred_entity(&mut self, name: &'a str, row: &'a Row) -> Result<(u32, Option<Identifier>), Error> {
        let id = self.entities.get(name).copied();
        let is_kept = matches!(id, Some(Some(_))) || id.is_none() && self.may_be_declared;
        if !is_kept || !is_name(name) || character(name.as_bytes()).is_some() {
            let expected = match self.options.paper {
                true => "none: what the paper's program wrote has no DOCTYPE, which would declare it",
                false => "one that the DOCTYPE declares as external",
            };
            let found = format!("a reference to the entity '{}'", name.escape_debug());
            return Err(self.refused(row, found, expected));
        }
        let name = self.string_of(name.as_bytes(), row)?;
        Ok((name, id.flatten().map(|id| self.identifier(id, row)).transpose()?))
    }

    fn identifier(&mut self, id: doctype::Identifier<'a>, row: &'a Row) -> Result<Identifier, Error> {
        let mut string = |text: Option<&'a str>| text.map(|text| self.string_of(text.as_bytes(), row)).transpose();
        Ok(Identifier { public: string(id.public)?, system: string(id.system)? })
    }
}

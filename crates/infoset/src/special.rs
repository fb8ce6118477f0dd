//! Rarer items: comments, instructions, the document type declaration, octets in place of text.

use tam::{Error, ErrorKind};

use crate::cursor::{Cursor, Found, ItemOf, Parts};
use crate::doctype::{Doctype, Identifier, WHOLE, unescape};
use crate::items::{Declared, Instruction, Text};
use crate::markup::{wrong_comment, wrong_instruction};
use crate::message::unreadable;
use crate::outline::Special;
use crate::referred::Referred;
use crate::rules::FORMAT;
use crate::store::Store;

impl Cursor<'_> {
    /// Reads a rarer item; `None` if it is empty text.
    #[inline(never)]
    pub(crate) fn special<S: Store>(&mut self, parts: &mut ItemOf<S>, special: u32) -> Result<Option<Found>, Error> {
        parts.store.forget();
        match self.outline.specials.get(special as usize).copied() {
            None => Ok(None),
            Some(Special::Comment(text)) => self.comment(parts, text),
            Some(Special::Instruction(instruction)) => self.instruction(parts, instruction),
            Some(Special::Doctype { public, system }) => self.declaration(parts, public, system),
            Some(Special::EntityReference(reference)) => self.entity_reference(parts, reference),
            Some(Special::Binary(_)) => match self.binary(parts, special) {
                Ok(text) => {
                    parts.text = parts.store.text_of(text);
                    if self.is_text_next() {
                        self.more_text(parts)?;
                    }
                    Ok((!parts.store.is_empty(parts.text)).then_some(Found::Text))
                }
                Err(error) => Err(error),
            },
        }
    }

    fn comment<S: Store>(&self, parts: &mut ItemOf<S>, content: Text) -> Result<Option<Found>, Error> {
        let content = parts.store.get(content)?;
        parts.text = parts.store.text_of(content);
        match wrong_comment(parts.store.str(content)) {
            None => Ok(Some(Found::Comment)),
            Some(found) => Err(unreadable(found, "a comment that XML allows")),
        }
    }

    fn instruction<S: Store>(&self, parts: &mut ItemOf<S>, instruction: Instruction) -> Result<Option<Found>, Error> {
        let target = parts.store.get(instruction.target)?;
        let content = parts.store.get(instruction.content)?;
        let both = (parts.store.str(target), parts.store.str(content));
        if let Some(found) = wrong_instruction(both.0, both.1) {
            return Err(unreadable(found, "an instruction that XML allows"));
        }
        let mut text = target;
        if content.len > 0 {
            let joined = format!("{} {}", both.0, both.1);
            text = parts.store.push(&joined)?;
        }
        parts.text = parts.store.text_of(text);
        Ok(Some(Found::Instruction))
    }

    /// Reads a reference to an entity, which the DOCTYPE has been checked for.
    fn entity_reference<S: Store>(&self, parts: &mut ItemOf<S>, reference: u32) -> Result<Option<Found>, Error> {
        let Some(reference) = self.outline.entity_references.get(reference as usize) else { return Ok(None) };
        let name = parts.store.get(reference.name)?;
        if !self.message.entity_references {
            let found = format!("a reference to the entity '{}'", parts.store.str(name).escape_debug());
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "its replacement"));
        }
        parts.text = parts.store.text_of(name);
        Ok(Some(Found::EntityReference))
    }

    /// Assembles a DOCTYPE, or takes the whole of it from its first instruction.
    #[inline(never)]
    fn declaration<S: Store>(
        &self,
        parts: &mut ItemOf<S>,
        public: Option<Text>,
        system: Option<Text>,
    ) -> Result<Option<Found>, Error> {
        let Parts { store, names, .. } = parts;
        let referred = if self.message.entity_references { self.referred(store)? } else { Vec::new() };
        let mut owned = |text: Text| -> Result<String, Error> {
            let span = store.get(text)?;
            Ok(store.str(span).to_owned())
        };
        let mut instructions = Vec::new();
        for Instruction { target, content } in &self.outline.in_doctype {
            instructions.push((owned(*target)?, owned(*content)?));
        }
        let mut optional = |text: Option<Text>| text.map(&mut owned).transpose();
        let id = (optional(public)?, optional(system)?);
        let mut declared = [Vec::new(), Vec::new()];
        let all = [&self.outline.notations, &self.outline.unparsed_entities];
        for (texts, declared) in all.into_iter().zip(&mut declared) {
            for Declared { name, system, public, notation } in texts {
                let name = optional(Some(*name))?.unwrap_or_default();
                let id = (optional(*public)?, optional(*system)?);
                declared.push((name, id, optional(*notation)?.unwrap_or_default()));
            }
        }
        if let Some((target, content)) = instructions.first()
            && target == WHOLE
        {
            let whole = unescape(content);
            if Doctype::read(&whole).is_err() || whole.contains('\r') {
                return Err(unreadable("a DOCTYPE that is not well-formed", "a DOCTYPE"));
            }
            self.check_declared(&referred, &whole)?;
            let whole = store.push(&whole)?;
            parts.text = store.text_of(whole);
            return Ok(Some(Found::Doctype));
        }
        fn identifier((public, system): &(Option<String>, Option<String>)) -> Identifier<'_> {
            Identifier { public: public.as_deref(), system: system.as_deref() }
        }
        let [notations, entities] = &declared;
        let root = self.outline.tokens.get(self.outline.root).map_or(0, |root| root.name());
        let root = names.prepare(root, [0; 2], store)?;
        let root = store.str(names.name(root).qualified).to_owned();
        let doctype = Doctype {
            name: &root,
            id: identifier(&id),
            instructions: instructions.iter().map(|(target, content)| (&**target, &**content)).collect(),
            notations: notations.iter().map(|(name, id, _)| (&**name, identifier(id))).collect(),
            entities: entities.iter().map(|(name, id, of)| (&**name, identifier(id), &**of)).collect(),
            ..Doctype::default()
        };
        let text = doctype.text(referred.iter().filter_map(Referred::declared))?;
        self.check_declared(&referred, &text)?;
        let text = store.push(&text)?;
        parts.text = store.text_of(text);
        Ok(Some(Found::Doctype))
    }
}

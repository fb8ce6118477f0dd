//! The second way through a message: one thing after the other, in document order.

use tam::{Error, ErrorKind, Limits, Words};

use crate::chars;
use crate::doctype::{Doctype, Identifier, WHOLE, unescape};
use crate::items::{self, Attribute, Characters, Content, Declared, Instruction, LiteralName, Name, Namespace, Text};
use crate::names::Names;
use crate::rules::{FORMAT, Quick, Rules, Size, syntax};
use crate::scan::{Outline, Properties, scan};
use crate::strings::{Span, Strings};

/// What the cursor finds; the parts of it stand in the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// An element with children, named `name`, with `attributes`.
    Start,
    /// An element with `text` alone, which may be empty; its end with it.
    Leaf,
    /// The element opened last is over.
    End,
    /// `text`, which is not empty and behind which no other text comes.
    Text,
    /// A comment: `text`.
    Comment,
    /// A processing instruction: `text` is target and content with a space between.
    Instruction,
    /// The document type declaration: `text` is what stands between `<!DOCTYPE ` and its `>`.
    Doctype,
    /// The document is over.
    Over,
}

/// An attribute: the number of its name, and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) name: u32,
    pub(crate) value: Span,
}

/// An element that is open.
#[derive(Clone, Copy)]
struct Level<R: Rules> {
    children: R::Children,
    fields: R::Fields,
    name: u32,
    /// Where its end is, if what follows its children has been read.
    after: Option<R::Mark>,
}

/// A message that is being read.
pub(crate) struct Cursor<R: Rules> {
    r: R,
    pub(crate) strings: Strings,
    pub(crate) names: Names,
    pub(crate) properties: Properties,
    marks: std::vec::IntoIter<R::Mark>,
    all_marks: bool,
    outside: R::List,
    level: Option<Level<R>>,
    open: Vec<Level<R>>,
    /// Where the root element begins, behind the number of its alternative.
    root: Option<R::Mark>,
    /// What a DOCTYPE declares, until it has been told.
    declared: Option<(Vec<Declared>, Vec<Declared>)>,
    /// The end of the message, in bits.
    end: u64,
    pub(crate) name: u32,
    pub(crate) text: Span,
    pub(crate) attributes: Vec<Value>,
    /// Of the attributes, how many are namespace attributes; they come first.
    pub(crate) namespace_attributes: usize,
}

impl<R: Rules> Cursor<R> {
    /// At the beginning of a message that has been gone through once; `text` is room to be used.
    pub(crate) fn new(mut r: R, message_len: usize, limits: &Limits, text: Vec<u8>) -> Result<Self, Error> {
        let outline = scan(r, limits)?;
        let Outline { children, marks, all_marks, root, properties, notations, unparsed_entities, blocks, names, end } =
            outline;
        r.go(children);
        let outside = r.list(Size::Any)?;
        Ok(Cursor {
            r,
            strings: Strings::new(blocks, limits, message_len, text),
            names: Names::new(names),
            properties,
            marks: marks.into_iter(),
            all_marks,
            outside,
            level: None,
            open: Vec::new(),
            root,
            declared: Some((notations, unparsed_entities)),
            end,
            name: 0,
            text: Span::default(),
            attributes: Vec::new(),
            namespace_attributes: 0,
        })
    }

    /// The end of the message, in bits from its start.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Goes on to the next thing.
    #[inline(always)]
    pub(crate) fn advance(&mut self) -> Result<Found, Error> {
        let Some(mut level) = self.level else { return self.beside() };
        loop {
            if !self.r.next_child(&mut level.children)? {
                return self.close(level);
            }
            match self.r.quick()? {
                Quick::Leaf(name, text, fields, element) => {
                    self.level = Some(level);
                    self.name = self.names.common(name, &mut self.strings, &self.r)?;
                    self.text = self.strings.index(text, &self.r)?;
                    if R::any_field(fields) || !self.r.quick_end() {
                        self.tail(fields, element)?;
                    } else {
                        self.attributes.clear();
                    }
                    return Ok(Found::Leaf);
                }
                Quick::Open(name, children, fields) => {
                    self.level = Some(level);
                    let name = self.names.common(name, &mut self.strings, &self.r)?;
                    self.opened(name, children, fields)?;
                    return Ok(Found::Start);
                }
                Quick::Text(text) => {
                    self.text = self.strings.index(text, &self.r)?;
                    if self.r.text_may_follow(&level.children) {
                        self.more_text(&mut level)?;
                    }
                    if self.text.len > 0 {
                        self.level = Some(level);
                        return Ok(Found::Text);
                    }
                }
                Quick::Other => {
                    self.level = Some(level);
                    if let Some(found) = self.child()? {
                        return Ok(found);
                    }
                    let Some(same) = self.level else { return self.beside() };
                    level = same;
                }
            }
        }
    }

    /// The element opened last is over.
    #[inline(always)]
    fn close(&mut self, level: Level<R>) -> Result<Found, Error> {
        match level.after {
            Some(after) => self.r.go(after),
            None => {
                let element = self.r.leave_children(level.children)?;
                if !self.r.quick_end() {
                    let mut fields = level.fields;
                    items::after_children(&mut self.r, &mut fields, |_, _| Ok(()), |_, _| Ok(()))?;
                    self.r.leave(element)?;
                }
            }
        }
        self.name = level.name;
        self.level = self.open.pop();
        Ok(Found::End)
    }

    /// An element with children has begun.
    #[inline(always)]
    fn opened(&mut self, name: u32, children: R::Children, fields: R::Fields) -> Result<(), Error> {
        self.name = name;
        let mut level = Level { children, fields, name, after: None };
        if R::any_field(fields) || self.all_marks {
            self.look_ahead(&mut level)?;
        } else {
            self.attributes.clear();
        }
        if let Some(outer) = self.level.replace(level) {
            self.open.push(outer);
        }
        Ok(())
    }

    /// Reads what follows the children of an element that begins.
    #[inline(never)]
    fn look_ahead(&mut self, level: &mut Level<R>) -> Result<(), Error> {
        let Some(mark) = self.marks.next() else {
            return Err(syntax(self.r.position(), "an element that was not there before", "the same message"));
        };
        let here = self.r.mark();
        self.r.go(mark);
        self.tail(level.fields, R::element(level.children))?;
        level.after = Some(self.r.mark());
        self.r.go(here);
        Ok(())
    }

    /// What follows the children of the element `name`: its attributes, and its end.
    #[inline(never)]
    fn tail(&mut self, mut fields: R::Fields, element: R::Open) -> Result<(), Error> {
        let Cursor { r, strings, names, attributes, .. } = self;
        attributes.clear();
        let of_element = names.name(self.name).namespace;
        let mut namespace_attributes = 0;
        let here = *r;
        items::after_children(
            r,
            &mut fields,
            |attribute: Attribute, of_namespace| {
                let before =
                    attributes.last().map_or(Span::default(), |value: &Value| names.name(value.name).namespace);
                let name = match attribute.name {
                    Name::Common(index) => names.common(index, strings, &here)?,
                    Name::Literal(LiteralName { namespace, local, prefix }) => {
                        let namespace = match namespace {
                            Namespace::None => Span::default(),
                            Namespace::Named(text) => strings.get(text, &here)?,
                            Namespace::OfElement => of_element,
                            Namespace::OfPrevious => before,
                        };
                        names.literal(namespace, local, prefix, strings, &here)?
                    }
                };
                let value = strings.get(attribute.value, &here)?;
                attributes.push(Value { name, value });
                namespace_attributes += usize::from(of_namespace);
                Ok(())
            },
            |_, _| Ok(()),
        )?;
        r.leave(element)?;
        let others = attributes.len() - namespace_attributes;
        attributes.rotate_left(others);
        self.namespace_attributes = namespace_attributes;
        if attributes.len() > 1 { self.check_unique() } else { Ok(()) }
    }

    /// No attribute may come twice.
    fn check_unique(&self) -> Result<(), Error> {
        const FEW: usize = 12;
        let text = |value: &Value| self.strings.str(self.names.name(value.name).qualified);
        let twice = if self.attributes.len() <= FEW {
            let is_before = |n: usize, value: &Value| {
                self.attributes.iter().take(n).any(|other| other.name == value.name || text(other) == text(value))
            };
            self.attributes.iter().enumerate().find(|(n, value)| is_before(*n, value)).map(|(_, value)| text(value))
        } else {
            let mut names: Vec<&str> = self.attributes.iter().map(text).collect();
            names.sort_unstable();
            names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
        };
        match twice {
            None => Ok(()),
            Some(name) => {
                Err(syntax(self.r.position(), format!("the attribute '{name}' a second time"), "each attribute once"))
            }
        }
    }

    /// Puts text that follows text behind it.
    #[cold]
    #[inline(never)]
    fn more_text(&mut self, level: &mut Level<R>) -> Result<(), Error> {
        let mut pieces = vec![self.text];
        loop {
            let (r, children) = (self.r, level.children);
            if !self.r.next_child(&mut level.children)? || !self.r.is_text() {
                (self.r, level.children) = (r, children);
                break;
            }
            let (_, item) = self.r.alternative(5)?;
            pieces.push(self.characters()?);
            self.r.leave(item)?;
        }
        pieces.retain(|piece| piece.len > 0);
        self.text = match pieces.as_slice() {
            [] => Span::default(),
            [piece] => *piece,
            pieces => self.strings.join(pieces, &self.r)?,
        };
        Ok(())
    }

    fn characters(&mut self) -> Result<Span, Error> {
        match items::characters(&mut self.r)? {
            Characters::Text(text) => self.strings.get(text, &self.r),
            Characters::Binary(octets) => {
                use base64::{Engine, engine::general_purpose::STANDARD};
                let mut raw = Vec::new();
                self.r.copy(octets, &mut raw)?;
                self.strings.push(&STANDARD.encode(raw), &self.r)
            }
        }
    }

    /// A child of any kind; nothing, if it is empty text.
    #[inline(never)]
    fn child(&mut self) -> Result<Option<Found>, Error> {
        let at = self.r.position();
        let (number, item) = self.r.alternative(5)?;
        let found = match number {
            0 => return self.element(item).map(Some),
            1 => self.instruction()?,
            2 => {
                let name = items::entity_reference(&mut self.r)?;
                let name = self.strings.get(name, &self.r)?;
                let found = format!("a reference to the entity '{}'", self.strings.str(name));
                let error = Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "its replacement");
                return Err(error.at_bit(at));
            }
            3 => {
                self.text = self.characters()?;
                self.r.leave(item)?;
                if let Some(mut level) = self.level
                    && self.r.text_may_follow(&level.children)
                {
                    self.more_text(&mut level)?;
                    self.level = Some(level);
                }
                return Ok((self.text.len > 0).then_some(Found::Text));
            }
            _ => self.comment()?,
        };
        self.r.leave(item)?;
        Ok(Some(found))
    }

    /// An element that has been entered.
    fn element(&mut self, item: R::Open) -> Result<Found, Error> {
        let fields = self.r.sequence(3)?;
        let name = self.element_name()?;
        match items::content(&mut self.r, item)? {
            Content::Text(text) => {
                self.name = name;
                self.text = self.strings.get(text, &self.r)?;
                self.tail(fields, item)?;
                Ok(Found::Leaf)
            }
            Content::Children(children) => {
                self.opened(name, children, fields)?;
                Ok(Found::Start)
            }
        }
    }

    /// The name of an element whose fields begin.
    fn element_name(&mut self) -> Result<u32, Error> {
        match items::field(&mut self.r, 0, |r| items::name(r, false))? {
            Name::Common(index) => self.names.common(index, &mut self.strings, &self.r),
            Name::Literal(LiteralName { namespace, local, prefix }) => {
                let namespace = match (namespace, &self.level) {
                    (Namespace::Named(text), _) => self.strings.get(text, &self.r)?,
                    (Namespace::OfElement, Some(parent)) => self.names.name(parent.name).namespace,
                    _ => Span::default(),
                };
                self.names.literal(namespace, local, prefix, &mut self.strings, &self.r)
            }
        }
    }

    /// What stands outside of the root element.
    #[inline(never)]
    fn beside(&mut self) -> Result<Found, Error> {
        let before = (self.r, self.outside);
        if !self.r.item(&mut self.outside)? {
            return Ok(Found::Over);
        }
        let (number, item) = self.r.alternative(4)?;
        let found = match number {
            0 => match self.declared.take() {
                // A declaration that is missing, but for what it declares.
                Some((notations, entities)) if !notations.is_empty() || !entities.is_empty() => {
                    (self.r, self.outside) = before;
                    return self.declaration(None, None, &[], (notations, entities));
                }
                _ => return self.element(item),
            },
            1 => self.instruction()?,
            2 => self.comment()?,
            _ => self.doctype()?,
        };
        self.r.leave(item)?;
        Ok(found)
    }

    fn doctype(&mut self) -> Result<Found, Error> {
        let mut instructions = Vec::new();
        let (system, public) = items::doctype(&mut self.r, |instruction| {
            instructions.push(instruction);
            Ok(())
        })?;
        let declared = self.declared.take().unwrap_or_default();
        self.declaration(public, system, &instructions, declared)
    }

    /// Puts a DOCTYPE together, or takes the whole of it from its first instruction.
    fn declaration(
        &mut self,
        public: Option<Text>,
        system: Option<Text>,
        instructions: &[Instruction],
        (notations, entities): (Vec<Declared>, Vec<Declared>),
    ) -> Result<Found, Error> {
        let at = self.r.position();
        if let Some(Instruction { target, content }) = instructions.first() {
            let (target, content) = (self.strings.get(*target, &self.r)?, self.strings.get(*content, &self.r)?);
            if self.strings.str(target) == WHOLE {
                let whole = unescape(self.strings.str(content));
                if Doctype::read(&whole).is_err() || whole.contains('\r') {
                    return Err(syntax(at, "a whole DOCTYPE that is none", "a DOCTYPE"));
                }
                self.text = self.strings.push(&whole, &self.r)?;
                return Ok(Found::Doctype);
            }
        }
        let name = self.root_name()?;
        let mut owned = |text: Option<Text>| text.map(|text| self.owned(text)).transpose();
        let id = (owned(public)?, owned(system)?);
        let mut all = Vec::new();
        for Instruction { target, content } in instructions {
            all.push((owned(Some(*target))?.unwrap_or_default(), owned(Some(*content))?.unwrap_or_default()));
        }
        let mut declared = [Vec::new(), Vec::new()];
        for (texts, declared) in [notations, entities].into_iter().zip(&mut declared) {
            for Declared { name, system, public, notation } in texts {
                let name = owned(Some(name))?.unwrap_or_default();
                declared.push((name, (owned(public)?, owned(system)?), owned(notation)?.unwrap_or_default()));
            }
        }
        fn identifier((public, system): &(Option<String>, Option<String>)) -> Identifier<'_> {
            Identifier { public: public.as_deref(), system: system.as_deref() }
        }
        let [notations, entities] = &declared;
        let doctype = Doctype {
            name: &name,
            id: identifier(&id),
            instructions: all.iter().map(|(target, content)| (&**target, &**content)).collect(),
            notations: notations.iter().map(|(name, id, _)| (&**name, identifier(id))).collect(),
            entities: entities.iter().map(|(name, id, of)| (&**name, identifier(id), &**of)).collect(),
            is_all: true,
        };
        let text = doctype.text().map_err(|error| error.at_bit(at))?;
        self.text = self.strings.push(&text, &self.r)?;
        Ok(Found::Doctype)
    }

    fn owned(&mut self, text: Text) -> Result<String, Error> {
        let span = self.strings.get(text, &self.r)?;
        Ok(self.strings.str(span).to_owned())
    }

    /// The name of the root element, which may come later.
    fn root_name(&mut self) -> Result<String, Error> {
        let Some(root) = self.root else { return Ok(String::new()) };
        let here = self.r.mark();
        self.r.go(root);
        self.r.sequence(3)?;
        let name = self.element_name()?;
        self.r.go(here);
        Ok(self.strings.str(self.names.name(name).qualified).to_owned())
    }

    fn comment(&mut self) -> Result<Found, Error> {
        let content = items::comment(&mut self.r)?;
        self.text = self.strings.get(content, &self.r)?;
        match wrong_comment(self.strings.str(self.text)) {
            None => Ok(Found::Comment),
            Some(found) => Err(syntax(self.r.position(), found, "a comment that XML allows")),
        }
    }

    fn instruction(&mut self) -> Result<Found, Error> {
        let Instruction { target, content } = items::instruction(&mut self.r)?;
        let target = self.strings.get(target, &self.r)?;
        let content = self.strings.get(content, &self.r)?;
        let parts = (self.strings.str(target), self.strings.str(content));
        if let Some(found) = wrong_instruction(parts.0, parts.1) {
            return Err(syntax(self.r.position(), found, "an instruction that XML allows"));
        }
        self.text = target;
        if content.len > 0 {
            let both = format!("{} {}", parts.0, parts.1);
            self.text = self.strings.push(&both, &self.r)?;
        }
        Ok(Found::Instruction)
    }
}

/// What keeps a text from being a comment.
pub(crate) fn wrong_comment(text: &str) -> Option<&'static str> {
    if text.contains("--") || text.ends_with('-') {
        return Some("'--' in a comment, or '-' at its end");
    }
    text.contains('\r').then_some("a carriage return in a comment")
}

/// What keeps target and content from being a processing instruction.
pub(crate) fn wrong_instruction(target: &str, content: &str) -> Option<Words> {
    if !chars::is_name(target) || target.eq_ignore_ascii_case("xml") {
        return Some(Words::Own(format!("an instruction with the target '{}'", target.escape_debug())));
    }
    if content.starts_with([' ', '\t', '\n']) {
        return Some("white space before the data of an instruction".into());
    }
    if content.contains("?>") {
        return Some("'?>' in an instruction".into());
    }
    content.contains('\r').then_some("a carriage return in an instruction".into())
}

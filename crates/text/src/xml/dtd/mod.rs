//! The document type declaration with its subsets (XML 1.0 sections 2.8, 3.2, 3.3, 4.2).

mod external;
mod grammar;

use core::ops::Range;
use std::sync::Arc;

use tam::{Error, ErrorKind, Words};
use xml::chars::space_end;

use super::attlist::AttLists;
use super::encoding::{Text, line_and_column};
use super::entity::{
    Declared, Entities, Entity, Expansion, External, Kind, Nesting, Referrer, Replacement, Written, push_value,
};
use super::expect::{after, after_name, after_space, unexpected};
use super::markup::{char_reference, comment, instruction, literal, push, push_lines};
use super::outside::{Outside, in_file};
use grammar::{Names, attribute_type, element, external_id, keyword, notation};

/// What a DOCTYPE declares, as far as it bears on the content.
#[derive(Debug, Default)]
pub(crate) struct Dtd<'a> {
    pub(crate) entities: Entities<'a>,
    pub(crate) attributes: AttLists,
    parameters: Declared<'a>,
    /// Whether an external entity is declared, or there is an external subset.
    pub(crate) refers_outside: bool,
    /// Whether a parameter entity was referred to whose text is not known. What comes after it must
    /// not be taken for what the author meant (section 5.1).
    unread: bool,
}

/// A place in the document, in an external text, or in the replacement text of a parameter entity.
struct Frame<'a> {
    text: Text<'a>,
    at: usize,
    end: usize,
    /// The parameter entity.
    number: Option<usize>,
    /// Whether it is outside the document, or in what is: parameter entities may be referred to everywhere in it, and
    /// there may be conditional sections.
    is_external: bool,
    /// Whether the text is that of a file.
    is_file: bool,
    /// The file that it is in, which system identifiers are relative to.
    base: Option<Arc<str>>,
    /// How many conditional sections have begun in it that are included and not over.
    sections: usize,
}

/// Reads declarations into a [`Dtd`].
pub(crate) struct Reading<'d, 'a> {
    pub(crate) dtd: &'d mut Dtd<'a>,
    pub(crate) expansion: &'d mut Expansion,
    outside: Option<&'d Outside<'a>>,
    /// The parameter entities that are open, which have names and numbers of their own.
    open: Nesting,
    names: Names,
    /// The text that is read, and those that go on after it.
    frames: Vec<Frame<'a>>,
    /// In the document, where what is outside it is referred to.
    referred_at: usize,
    /// The text of the declaration, and what of its frame bears on it.
    text: Text<'a>,
    in_parameter: bool,
    is_external: bool,
    base: Option<Arc<str>>,
}

/// A document type declaration: the text between `<!DOCTYPE ` and `>`, and the position after it.
pub(crate) struct Doctype {
    pub(crate) data: Range<usize>,
    pub(crate) next: usize,
}

impl<'d, 'a> Reading<'d, 'a> {
    pub(crate) fn new(
        dtd: &'d mut Dtd<'a>,
        expansion: &'d mut Expansion,
        outside: Option<&'d Outside<'a>>,
        document: Text<'a>,
        namespaces: bool,
    ) -> Self {
        Reading {
            dtd,
            expansion,
            outside,
            open: Nesting::default(),
            names: Names { namespaces },
            frames: Vec::new(),
            referred_at: 0,
            text: document,
            in_parameter: false,
            is_external: false,
            base: outside.and_then(|outside| outside.base.clone()),
        }
    }

    /// The declaration at `at` of the document's text, which ends at `end` (production 28).
    pub(crate) fn doctype(&mut self, at: usize, end: usize) -> Result<Doctype, Error> {
        let document = self.text.clone();
        let bytes = &document.as_str().as_bytes()[..end];
        let space = after(bytes, at, "<!DOCTYPE")?;
        let name = after_space(bytes, space, "white space")?;
        let mut at = self.names.after_qualified(bytes, name, "the name of the root element")?;
        let id = space_end(bytes, at);
        let mut external = None;
        if id > at && matches!(bytes.get(id), Some(b'S' | b'P')) {
            let (system, next) = external_id(bytes, id, false)?;
            at = next;
            self.dtd.entities.has_outside = true;
            self.dtd.entities.unread |= self.outside.is_none();
            external = system.map(|system| self.named(bytes, system));
        }
        at = space_end(bytes, at);
        if bytes.get(at) == Some(&b'[') {
            let base = self.base.clone();
            let frame = Frame {
                text: document.clone(),
                at: at + 1,
                end,
                number: None,
                is_external: false,
                is_file: false,
                base,
                sections: 0,
            };
            at = space_end(bytes, self.subset(frame)?);
        }
        let next = after(bytes, at, ">")?;
        // The external subset is read after the internal one, whose declarations hold.
        if let (Some(name), Some(outside)) = (external, self.outside) {
            self.referred_at = id;
            let Replacement { text, range } = outside.load(&name, id, self.expansion)?;
            self.expansion.count(range.len().max(1), id)?;
            let (at, end, base) = (range.start, range.end, Some(Arc::from(name)));
            self.subset(Frame { text, at, end, number: None, is_external: true, is_file: true, base, sections: 0 })?;
        }
        // The space after the keyword may be one line end.
        let start = space + if bytes[space..].starts_with(b"\r\n") { 2 } else { 1 };
        Ok(Doctype { data: start..at, next })
    }

    /// What the source calls the file of a system identifier.
    fn named(&mut self, bytes: &[u8], system: Range<usize>) -> Box<str> {
        self.dtd.refers_outside = true;
        let system = str::from_utf8(&bytes[system]).unwrap_or("");
        match self.outside {
            Some(outside) => outside.source.resolve(self.base.as_deref(), system).into(),
            None => system.into(),
        }
    }

    /// The declarations of a frame and of what it refers to. The internal subset ends with its `]`: the position after it
    /// (production 28b).
    fn subset(&mut self, frame: Frame<'a>) -> Result<usize, Error> {
        self.frames.push(frame);
        loop {
            let outermost = self.frames.len() == 1;
            let Some(frame) = self.frames.last_mut() else {
                return Ok(0);
            };
            let text = frame.text.clone();
            let bytes = &text.as_str().as_bytes()[..frame.end];
            let at = space_end(bytes, frame.at);
            let is_external = frame.is_external;
            frame.at = at;
            // Errors outside have the position of the reference in the document.
            let outside = (!outermost || is_external).then(|| Place { text: text.clone(), file: frame.file() });
            if outside.is_none() {
                self.referred_at = at;
            }
            match &bytes[at..] {
                [b']', ..] if outside.is_none() => {
                    self.frames.clear();
                    return Ok(at + 1);
                }
                [] if outside.is_some() => self.leave()?,
                _ => {
                    let read = if is_external { self.external(bytes) } else { self.next(bytes) };
                    read.map_err(|error| self.inside(error, outside, at))?;
                }
            }
        }
    }

    /// One step at the position of the innermost frame, the text of which is `bytes`.
    fn next(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let in_parameter = self.frames.len() > 1;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let (at, is_external, base) = (frame.at, frame.is_external, frame.base.clone());
        if bytes.get(at) == Some(&b'%') {
            let (name, next) = parameter_reference(bytes, at)?;
            frame.at = next;
            let inner = self.parameter(name, is_external, base)?;
            self.frames.extend(inner);
            return Ok(());
        }
        self.text = frame.text.clone();
        (self.is_external, self.in_parameter, self.base) = (is_external, in_parameter || is_external, base);
        let next = self.declaration(bytes, at)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.at = next;
        }
        Ok(())
    }

    /// The innermost frame is over.
    fn leave(&mut self) -> Result<(), Error> {
        if let Some(frame) = self.frames.pop() {
            if let Some(number) = frame.number {
                self.open.end(number);
            }
            if frame.sections > 0 {
                let error = Error::incomplete("xml", frame.end as u64, 1, "']]>'");
                let place = Place { file: frame.file(), text: frame.text };
                return Err(self.inside(error, Some(place), frame.end));
            }
        }
        Ok(())
    }

    /// The text of a parameter entity, to be read in place of a reference in a frame; `None`, if it is not known.
    fn parameter(
        &mut self,
        name: &[u8],
        in_external: bool,
        base: Option<Arc<str>>,
    ) -> Result<Option<Frame<'a>>, Error> {
        let at = self.referred_at;
        self.dtd.entities.has_outside = true;
        let found = match self.dtd.parameters.get_mut(name) {
            Some((number, Entity { kind: Kind::Internal(replacement), .. })) => {
                Some((number, replacement.clone(), None))
            }
            Some((number, Entity { kind: Kind::External(external), .. })) => {
                let file: Arc<str> = Arc::from(&*external.name);
                let text = external.text(self.outside, at, self.expansion)?;
                text.map(|text| (number, text.clone(), Some(file)))
            }
            _ => None,
        };
        let Some((number, Replacement { text, range }, file)) = found else {
            self.dtd.entities.unread = true;
            self.dtd.unread = !self.dtd.entities.standalone;
            return Ok(None);
        };
        self.expansion.count(range.len().max(1), at)?;
        self.open.begin(number, name, at)?;
        let (is_file, is_external) = (file.is_some(), in_external || file.is_some());
        let (at, end, base) = (range.start, range.end, file.or(base));
        Ok(Some(Frame { text, at, end, number: Some(number), is_external, is_file, base, sections: 0 }))
    }

    /// An error in a text outside the document, with the position of the reference in the document.
    #[cold]
    fn inside(&self, error: Error, outside: Option<Place<'a>>, declaration: usize) -> Error {
        let Some(Place { text, file }) = outside else {
            return error;
        };
        if let Some(file) = file {
            return in_file(&error, &file, line_and_column(text.as_str(), declaration), self.referred_at);
        }
        let found = match error.kind() {
            ErrorKind::Incomplete => Words::Text("the end of the text of a parameter entity"),
            _ => Words::Own(format!("{} in the text of a parameter entity", error.found())),
        };
        let kind = if error.kind() == ErrorKind::Incomplete { ErrorKind::Syntax } else { error.kind() };
        Error::new(kind, "xml", self.referred_at as u64, found, error.expected().clone())
    }

    /// One markup declaration, comment or processing instruction; the position after it.
    fn declaration(&mut self, bytes: &[u8], at: usize) -> Result<usize, Error> {
        let rest = &bytes[at..];
        for keyword in ["<!--", "<?", "<!ELEMENT", "<!ATTLIST", "<!ENTITY", "<!NOTATION"] {
            if rest.starts_with(keyword.as_bytes()) {
                let next = at + keyword.len();
                return match keyword {
                    "<!--" => Ok(comment(bytes, at)?.1),
                    "<?" => {
                        let found = instruction(bytes, at)?;
                        self.names.after_local(bytes, found.target.start, "a target")?;
                        Ok(found.next)
                    }
                    "<!ELEMENT" => element(bytes, next, self.names),
                    "<!ATTLIST" => self.attlist(bytes, next),
                    "<!ENTITY" => self.entity(bytes, next),
                    _ => notation(bytes, next, self.names),
                };
            }
        }
        let cut = ["<!--", "<!ELEMENT", "<!ATTLIST", "<!ENTITY", "<!NOTATION"];
        let at = if cut.iter().any(|keyword| keyword.as_bytes().starts_with(rest)) { bytes.len() } else { at };
        let expected =
            if self.is_external { "a declaration" } else { "a declaration, or ']' at the end of the internal subset" };
        let error = unexpected(bytes, at, expected);
        Err(if rest.starts_with(b"<![") { error.with_found("a conditional section") } else { error })
    }

    /// An attribute-list declaration (productions 52-60); the position after it.
    fn attlist(&mut self, bytes: &[u8], at: usize) -> Result<usize, Error> {
        let start = after_space(bytes, at, "white space")?;
        let mut at = self.names.after_qualified(bytes, start, "the name of an element type")?;
        let element = &bytes[start..at];
        loop {
            let name = space_end(bytes, at);
            if bytes.get(name) == Some(&b'>') {
                return Ok(name + 1);
            }
            after_space(bytes, at, "white space or '>'")?;
            let end = self.names.after_qualified(bytes, name, "the name of an attribute or '>'")?;
            let kind = after_space(bytes, end, "white space")?;
            let (tokenized, next) = attribute_type(bytes, kind, self.names)?;
            let default = after_space(bytes, next, "white space")?;
            let (value, next) = self.attribute_default(bytes, default)?;
            if !self.dtd.unread {
                let name = str::from_utf8(&bytes[name..end]).unwrap_or("");
                self.dtd.attributes.declare(element, name, tokenized, value);
            }
            at = next;
        }
    }

    /// A default declaration (production 60): the position of the value in the text of defaults, and
    /// the position after it.
    fn attribute_default(&mut self, bytes: &[u8], at: usize) -> Result<(Option<Range<usize>>, usize), Error> {
        let expected = "'#REQUIRED', '#IMPLIED', '#FIXED' or a value in quotes";
        let mut value = at;
        if bytes.get(at) == Some(&b'#') {
            let (keyword, next) = keyword(bytes, at, &["#REQUIRED", "#IMPLIED", "#FIXED"], expected)?;
            if keyword != "#FIXED" {
                return Ok((None, next));
            }
            value = after_space(bytes, next, "white space")?;
        }
        let (range, next) = literal(bytes, value, expected)?;
        let start = self.dtd.attributes.text.len();
        let by = if self.in_parameter { Referrer::Default } else { Referrer::Value };
        let written = Written { bytes, range, in_document: !self.in_parameter, by };
        match push_value(&mut self.dtd.attributes.text, &written, &self.dtd.entities, self.expansion) {
            // Where declarations are not taken over any more, their entities may be missing.
            Err(error) if error.kind() == ErrorKind::Unsupported && self.dtd.unread => self.expansion.abandon(),
            result => result?,
        }
        Ok((Some(start..self.dtd.attributes.text.len()), next))
    }

    /// An entity declaration (productions 70-76); the position after it.
    fn entity(&mut self, bytes: &[u8], at: usize) -> Result<usize, Error> {
        let mut start = after_space(bytes, at, "white space")?;
        let parameter = bytes.get(start) == Some(&b'%');
        if parameter {
            start = after_space(bytes, start + 1, "white space")?;
        }
        let end = self.names.after_local(bytes, start, "the name of an entity")?;
        let at = after_space(bytes, end, "white space")?;
        let (kind, at) = self.entity_definition(bytes, at, parameter)?;
        let next = after(bytes, space_end(bytes, at), ">")?;
        if !self.dtd.unread {
            let name = str::from_utf8(&bytes[start..end]).unwrap_or("").into();
            let entity = Entity { name, kind, in_parameter: self.in_parameter };
            if parameter { &mut self.dtd.parameters } else { &mut self.dtd.entities.general }.declare(entity);
        }
        Ok(next)
    }

    fn entity_definition(&mut self, bytes: &[u8], at: usize, parameter: bool) -> Result<(Kind<'a>, usize), Error> {
        if !matches!(bytes.get(at), Some(b'S' | b'P')) {
            let (range, next) = literal(bytes, at, "'SYSTEM', 'PUBLIC' or a value in quotes")?;
            return Ok((Kind::Internal(self.replacement(bytes, range)?), next));
        }
        let (system, at) = external_id(bytes, at, false)?;
        let notation = space_end(bytes, at);
        if parameter || bytes.get(notation) != Some(&b'N') {
            let name = system.map_or_else(Box::default, |system| self.named(bytes, system));
            return Ok((Kind::External(External { name, text: None }), at));
        }
        after_space(bytes, at, "white space or '>'")?;
        let at = after_space(bytes, after(bytes, notation, "NDATA")?, "white space")?;
        Ok((Kind::Unparsed, self.names.after_local(bytes, at, "the name of a notation")?))
    }

    /// The replacement text of an entity value (section 4.5): character references resolved,
    /// references to general entities kept. It is not copied if nothing changes.
    fn replacement(&mut self, bytes: &[u8], range: Range<usize>) -> Result<Replacement<'a>, Error> {
        if self.is_external && memchr::memchr(b'%', &bytes[range.clone()]).is_some() {
            return self.with_parameters(range);
        }
        let mut out = String::new();
        let mut at = range.start;
        let mut changed = false;
        let lines = if self.in_parameter { push } else { push_lines };
        for place in memchr::memchr3_iter(b'&', b'%', b'\r', &bytes[range.clone()]) {
            let place = range.start + place;
            match bytes[place] {
                b'%' => {
                    let found = Words::Byte(b'%');
                    let expected = "no parameter entity inside a declaration of the internal subset ('&#37;')";
                    return Err(Error::new(ErrorKind::Syntax, "xml", place as u64, found, expected));
                }
                b'&' if bytes.get(place + 1) == Some(&b'#') => {
                    let (c, next) = char_reference(bytes, place)?;
                    lines(&mut out, &bytes[at..place]);
                    out.push(c);
                    (at, changed) = (next, true);
                }
                b'&' => {
                    let end =
                        after_name(bytes, place + 1, "the name of an entity after '&' ('&#38;' is the character)")?;
                    after(bytes, end, ";")?;
                }
                _ => changed = true,
            }
        }
        if !changed {
            return Ok(Replacement { text: self.text.clone(), range });
        }
        lines(&mut out, &bytes[at..range.end]);
        Ok(Replacement { range: 0..out.len(), text: Text::Shared(out.into()) })
    }
}

/// A text outside the document, and the file that it is the text of.
struct Place<'a> {
    text: Text<'a>,
    file: Option<Arc<str>>,
}

impl Frame<'_> {
    /// The file that the text is that of.
    fn file(&self) -> Option<Arc<str>> {
        self.base.clone().filter(|_| self.is_file)
    }
}

/// A reference to a parameter entity (production 69): its name, and the position after it.
fn parameter_reference(bytes: &[u8], at: usize) -> Result<(&[u8], usize), Error> {
    let end = after_name(bytes, at + 1, "the name of a parameter entity")?;
    Ok((&bytes[at + 1..end], after(bytes, end, ";")?))
}

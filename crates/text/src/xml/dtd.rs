//! The document type declaration with its internal subset (XML 1.0 sections 2.8, 3.2, 3.3, 4.2).

use core::ops::Range;

use tam::{Error, ErrorKind, Words};
use xml::chars::{is_public, space_end};
use xml::name::token_end;

use super::attlist::AttLists;
use super::encoding::Text;
use super::entity::{Declared, Entities, Entity, Expansion, Kind, Nesting, Replacement, Written, push_value};
use super::expect::{after, after_name, after_space, unexpected};
use super::markup::{char_reference, comment, instruction, literal, push, push_lines};
use super::namespaces::{check_local, check_qualified};

/// What a DOCTYPE declares, as far as it bears on the content.
#[derive(Debug, Default)]
pub(crate) struct Dtd<'a> {
    pub(crate) entities: Entities<'a>,
    pub(crate) attributes: AttLists,
    parameters: Declared<'a>,
    /// Whether a parameter entity was referred to whose text is not in the document. What comes
    /// after it must not be taken for what the author meant (section 5.1).
    unread: bool,
}

/// A place in the document, or in the replacement text of a parameter entity.
struct Frame<'a> {
    text: Text<'a>,
    at: usize,
    end: usize,
    /// The parameter entity.
    number: Option<usize>,
}

/// Reads declarations into a [`Dtd`].
pub(crate) struct Reading<'d, 'a> {
    pub(crate) dtd: &'d mut Dtd<'a>,
    pub(crate) expansion: &'d mut Expansion,
    /// The parameter entities that are open, which have names and numbers of their own.
    open: Nesting,
    text: Text<'a>,
    in_parameter: bool,
    names: Names,
}

/// Which names there are: all of XML 1.0, or those that Namespaces in XML 1.0 has left of them.
#[derive(Clone, Copy, Debug)]
struct Names {
    namespaces: bool,
}

impl Names {
    /// The place after the name at `at` of an element type or an attribute.
    fn after_qualified(self, bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
        let end = after_name(bytes, at, expected)?;
        if self.namespaces {
            check_qualified(bytes, at, end)?;
        }
        Ok(end)
    }

    /// The place after the name at `at` of an entity or a notation.
    fn after_local(self, bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
        let end = after_name(bytes, at, expected)?;
        if self.namespaces {
            check_local(bytes, at, end)?;
        }
        Ok(end)
    }
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
        document: Text<'a>,
        namespaces: bool,
    ) -> Self {
        let (open, names) = (Nesting::default(), Names { namespaces });
        Reading { dtd, expansion, open, text: document, in_parameter: false, names }
    }

    /// The declaration at `at` of the document's text, which ends at `end` (production 28).
    pub(crate) fn doctype(&mut self, at: usize, end: usize) -> Result<Doctype, Error> {
        let document = self.text.clone();
        let bytes = &document.as_str().as_bytes()[..end];
        let space = after(bytes, at, "<!DOCTYPE")?;
        let name = after_space(bytes, space, "white space")?;
        let mut at = self.names.after_qualified(bytes, name, "the name of the root element")?;
        let id = space_end(bytes, at);
        if id > at && matches!(bytes.get(id), Some(b'S' | b'P')) {
            at = external_id(bytes, id, false)?;
            self.dtd.entities.more_outside = true;
        }
        at = space_end(bytes, at);
        if bytes.get(at) == Some(&b'[') {
            at = space_end(bytes, self.subset(at + 1, end)?);
        }
        let next = after(bytes, at, ">")?;
        // The space after the keyword may be one line end.
        let start = space + if bytes[space..].starts_with(b"\r\n") { 2 } else { 1 };
        Ok(Doctype { data: start..at, next })
    }

    /// The internal subset from `at` on; the position after its `]` (production 28b).
    fn subset(&mut self, at: usize, end: usize) -> Result<usize, Error> {
        let mut outer: Vec<Frame<'a>> = Vec::new();
        let mut frame = Frame { text: self.text.clone(), at, end, number: None };
        let mut referred_at = 0;
        loop {
            // Errors inside a parameter entity have the position of the reference in the document.
            let place = (!outer.is_empty()).then_some(referred_at);
            let text = frame.text.clone();
            let bytes = &text.as_str().as_bytes()[..frame.end];
            let at = space_end(bytes, frame.at);
            match bytes.get(at) {
                Some(b']') if outer.is_empty() => return Ok(at + 1),
                Some(b'%') => {
                    let (name, next) = parameter_reference(bytes, at).map_err(|error| inside(error, place))?;
                    frame.at = next;
                    referred_at = place.unwrap_or(at);
                    if let Some(inner) = self.parameter(name, referred_at)? {
                        outer.push(core::mem::replace(&mut frame, inner));
                    }
                }
                None if !outer.is_empty() => {
                    if let Some(number) = frame.number {
                        self.open.end(number);
                    }
                    if let Some(saved) = outer.pop() {
                        frame = saved;
                    }
                }
                _ => {
                    self.in_parameter = !outer.is_empty();
                    self.text = text.clone();
                    frame.at = self.declaration(bytes, at).map_err(|error| inside(error, place))?;
                }
            }
        }
    }

    /// The text of a parameter entity, to be read in place of the reference at `at`.
    fn parameter(&mut self, name: &[u8], at: usize) -> Result<Option<Frame<'a>>, Error> {
        self.dtd.entities.more_outside = true;
        let Some((number, Entity { kind: Kind::Internal(replacement), .. })) = self.dtd.parameters.get(name) else {
            self.dtd.unread = !self.dtd.entities.standalone;
            return Ok(None);
        };
        let Replacement { text, range } = replacement.clone();
        self.expansion.count(range.len().max(1), at)?;
        self.open.begin(number, name, at)?;
        Ok(Some(Frame { text, at: range.start, end: range.end, number: Some(number) }))
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
        let error = unexpected(bytes, at, "a declaration, or ']' at the end of the internal subset");
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
        let written = Written { bytes, range, in_document: !self.in_parameter };
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
        let at = external_id(bytes, at, false)?;
        let notation = space_end(bytes, at);
        if parameter || bytes.get(notation) != Some(&b'N') {
            return Ok((Kind::External, at));
        }
        after_space(bytes, at, "white space or '>'")?;
        let at = after_space(bytes, after(bytes, notation, "NDATA")?, "white space")?;
        Ok((Kind::Unparsed, self.names.after_local(bytes, at, "the name of a notation")?))
    }

    /// The replacement text of an entity value (section 4.5): character references resolved,
    /// references to general entities kept. It is not copied if nothing changes.
    fn replacement(&self, bytes: &[u8], range: Range<usize>) -> Result<Replacement<'a>, Error> {
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

/// An error in the text of a parameter entity, with the position `at` of the reference in the document.
fn inside(error: Error, at: Option<usize>) -> Error {
    let Some(at) = at else {
        return error;
    };
    let found = match error.kind() {
        ErrorKind::Incomplete => Words::Text("the end of the text of a parameter entity"),
        _ => Words::Own(format!("{} in the text of a parameter entity", error.found())),
    };
    Error::new(ErrorKind::Syntax, "xml", at as u64, found, error.expected().clone())
}

/// A reference to a parameter entity (production 69): its name, and the position after it.
fn parameter_reference(bytes: &[u8], at: usize) -> Result<(&[u8], usize), Error> {
    let end = after_name(bytes, at + 1, "the name of a parameter entity")?;
    Ok((&bytes[at + 1..end], after(bytes, end, ";")?))
}

/// One of several keywords, and the position after it.
fn keyword(
    bytes: &[u8],
    at: usize,
    keywords: &[&'static str],
    expected: &'static str,
) -> Result<(&'static str, usize), Error> {
    let rest = bytes.get(at..).unwrap_or(&[]);
    // The longest first: IDREFS before IDREF before ID.
    let found =
        keywords.iter().filter(|keyword| rest.starts_with(keyword.as_bytes())).max_by_key(|keyword| keyword.len());
    if let Some(keyword) = found {
        return Ok((keyword, at + keyword.len()));
    }
    let cut = keywords.iter().any(|keyword| keyword.as_bytes().starts_with(rest));
    Err(unexpected(bytes, if cut { bytes.len() } else { at }, expected))
}

/// An external identifier (production 75), or for a notation a public one alone (83).
fn external_id(bytes: &[u8], at: usize, public_alone: bool) -> Result<usize, Error> {
    let (kind, next) = keyword(bytes, at, &["SYSTEM", "PUBLIC"], "'SYSTEM' or 'PUBLIC'")?;
    let mut at = after_space(bytes, next, "white space")?;
    if kind == "PUBLIC" {
        let (id, next) = literal(bytes, at, "a public identifier in quotes")?;
        if let Some(place) = id.clone().find(|&place| !is_public(bytes[place])) {
            return Err(unexpected(bytes, place, "a character of public identifiers"));
        }
        at = space_end(bytes, next);
        if public_alone && !matches!(bytes.get(at), Some(b'"' | b'\'')) {
            return Ok(next);
        }
        at = after_space(bytes, next, "white space")?;
    }
    Ok(literal(bytes, at, "a system identifier in quotes")?.1)
}

/// A notation declaration (production 82); the position after it.
fn notation(bytes: &[u8], at: usize, names: Names) -> Result<usize, Error> {
    let name = after_space(bytes, at, "white space")?;
    let at = after_space(bytes, names.after_local(bytes, name, "the name of a notation")?, "white space")?;
    let at = external_id(bytes, at, true)?;
    after(bytes, space_end(bytes, at), ">")
}

/// An element type declaration (production 45); the position after it.
fn element(bytes: &[u8], at: usize, names: Names) -> Result<usize, Error> {
    let name = after_space(bytes, at, "white space")?;
    let end = names.after_qualified(bytes, name, "the name of an element type")?;
    let at = after_space(bytes, end, "white space")?;
    let at = if bytes.get(at) == Some(&b'(') {
        let first = space_end(bytes, at + 1);
        if bytes.get(first) == Some(&b'#') { mixed(bytes, first, names)? } else { children(bytes, at, names)? }
    } else {
        keyword(bytes, at, &["EMPTY", "ANY"], "'EMPTY', 'ANY' or '('")?.1
    };
    after(bytes, space_end(bytes, at), ">")
}

/// Mixed content from its `#PCDATA` on (production 51); the position after it.
fn mixed(bytes: &[u8], at: usize, names: Names) -> Result<usize, Error> {
    let mut at = after(bytes, at, "#PCDATA")?;
    let mut elements = false;
    loop {
        at = space_end(bytes, at);
        match bytes.get(at) {
            Some(b'|') => {
                at = names.after_qualified(bytes, space_end(bytes, at + 1), "the name of an element type")?;
                elements = true;
            }
            Some(b')') if elements => return after(bytes, at + 1, "*"),
            Some(b')') => return Ok(at + 1 + usize::from(bytes.get(at + 1) == Some(&b'*'))),
            _ => return Err(unexpected(bytes, at, "'|' or ')'")),
        }
    }
}

/// A content model (productions 47-50) from its `(` on; the position after it. Groups that are open
/// are kept with their separator, once it is known.
fn children(bytes: &[u8], mut at: usize, names: Names) -> Result<usize, Error> {
    let mut open: Vec<Option<u8>> = Vec::new();
    loop {
        at = space_end(bytes, at);
        if bytes.get(at) == Some(&b'(') {
            open.push(None);
            at += 1;
            continue;
        }
        at = occurrence(bytes, names.after_qualified(bytes, at, "the name of an element type or '('")?);
        loop {
            at = space_end(bytes, at);
            match (bytes.get(at), open.last_mut()) {
                (Some(b')'), Some(_)) => {
                    at = occurrence(bytes, at + 1);
                    open.pop();
                    if open.is_empty() {
                        return Ok(at);
                    }
                }
                (Some(&mark @ (b',' | b'|')), Some(separator)) => {
                    if separator.is_some_and(|first| first != mark) {
                        return Err(unexpected(bytes, at, "one kind of separator in a group"));
                    }
                    *separator = Some(mark);
                    at += 1;
                    break;
                }
                _ => return Err(unexpected(bytes, at, "',', '|' or ')'")),
            }
        }
    }
}

/// The position after a `?`, `*` or `+`, if there is one at `at`.
fn occurrence(bytes: &[u8], at: usize) -> usize {
    at + usize::from(matches!(bytes.get(at), Some(b'?' | b'*' | b'+')))
}

/// An attribute type (productions 54-59): whether it is another than CDATA, and the position after it.
fn attribute_type(bytes: &[u8], at: usize, names: Names) -> Result<(bool, usize), Error> {
    if bytes.get(at) == Some(&b'(') {
        return Ok((true, enumeration(bytes, at + 1, after_token)?));
    }
    let types = ["CDATA", "ID", "IDREF", "IDREFS", "ENTITY", "ENTITIES", "NMTOKEN", "NMTOKENS", "NOTATION"];
    let (kind, next) = keyword(bytes, at, &types, "the type of an attribute")?;
    if kind != "NOTATION" {
        return Ok((kind != "CDATA", next));
    }
    let at = after(bytes, after_space(bytes, next, "white space")?, "(")?;
    Ok((true, enumeration(bytes, at, |bytes, at| names.after_local(bytes, at, "the name of a notation"))?))
}

/// The place after the Nmtoken (production 7) that must be at `at`.
fn after_token(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let end = token_end(bytes, at);
    if end > at { Ok(end) } else { Err(unexpected(bytes, at, "a name token")) }
}

/// The tokens of an enumeration after its `(`; the position after its `)`.
fn enumeration(
    bytes: &[u8],
    mut at: usize,
    after_token: impl Fn(&[u8], usize) -> Result<usize, Error>,
) -> Result<usize, Error> {
    loop {
        at = space_end(bytes, after_token(bytes, space_end(bytes, at))?);
        match bytes.get(at) {
            Some(b'|') => at += 1,
            Some(b')') => return Ok(at + 1),
            _ => return Err(unexpected(bytes, at, "'|' or ')'")),
        }
    }
}

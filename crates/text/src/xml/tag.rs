//! Start tags and their attributes (XML 1.0 sections 3.1 and 3.3.3).

use tam::{Error, ErrorKind, Words};
use xml::chars::space_end;
use xml::name::name_and_colon;
use xml::namespaces::Fault;
use xml::scan::is_same;

use super::attlist::{AttLists, is_tokens, tokens};
use super::entity::{Entities, Referrer, Written, push_value};
use super::expect::{after, unexpected};
use super::markup::literal;
use super::reader::{Attribute, Found, Reader, Span, Within, scratch_span};
use super::scan::value_end;

/// Up to so many attributes each is compared with each; beyond, they are sorted.
const FEW: usize = 12;

impl Reader<'_> {
    /// The start tag at the place reached.
    #[inline(always)]
    pub(crate) fn start_tag(&mut self, bytes: &[u8]) -> Found {
        let start = self.at + 1;
        let (end, colon) = name_and_colon(bytes, start);
        if end == start {
            return self.no_element(bytes, start);
        }
        if self.open.len() >= self.limits.depth as usize {
            return self.too_deep();
        }
        let name = Span::frame(start, end);
        self.name = name;
        self.attributes.clear();
        let mut qualified = false;
        self.at = match bytes.get(end) {
            Some(b'>') => end + 1,
            _ => match self.attributes(bytes, end) {
                Ok(next) => {
                    qualified = self.qualified;
                    next
                }
                Err(error) => return self.fail(error),
            },
        };
        if self.dtd.as_ref().is_some_and(|dtd| !dtd.attributes.is_empty()) {
            if let Err(error) = self.declared_attributes(bytes, start) {
                return self.fail(error);
            }
            qualified = true;
        }
        if (qualified || colon < end && !self.scope.is_bound(bytes, start, colon))
            && self.namespaces
            && let Err(error) = self.check_namespaces(bytes, qualified)
        {
            return self.fail(error);
        }
        self.open.push(name);
        Found::Start
    }

    #[cold]
    fn no_element(&mut self, bytes: &[u8], at: usize) -> Found {
        self.fail(unexpected(bytes, at, "the name of an element ('&lt;' is the character)"))
    }

    #[cold]
    fn too_deep(&mut self) -> Found {
        let found = "an element one level deeper";
        self.fail(Error::limit("xml", self.at as u64, found, "depth", self.limits.depth.into()))
    }

    /// The attributes from the end of the element's name on; the position after the tag.
    #[inline]
    fn attributes(&mut self, bytes: &[u8], mut at: usize) -> Result<usize, Error> {
        self.qualified = false;
        self.scope.begin();
        let next = loop {
            let start = space_end(bytes, at);
            match bytes.get(start) {
                Some(b'>') => break start + 1,
                Some(b'/') => {
                    self.empty = true;
                    break after(bytes, start + 1, ">")?;
                }
                _ if start == at => return Err(unexpected(bytes, at, "white space, '>' or '/>'")),
                _ => at = self.attribute(bytes, start)?,
            }
        };
        if self.attributes.len() > 1 {
            self.check_unique(bytes)?;
        }
        Ok(next)
    }

    /// One attribute; the position after its value.
    #[inline(always)]
    fn attribute(&mut self, bytes: &[u8], start: usize) -> Result<usize, Error> {
        let (end, colon) = name_and_colon(bytes, start);
        if end == start {
            return Err(unexpected(bytes, start, "the name of an attribute, '>' or '/>'"));
        }
        let mut quote = end;
        if bytes.get(end) == Some(&b'=') && matches!(bytes.get(end + 1), Some(b'"' | b'\'')) {
            quote += 1;
        } else {
            quote = space_end(bytes, after(bytes, space_end(bytes, end), "=")?);
        }
        let value = quote + 1;
        let mark = match bytes.get(quote) {
            Some(&mark @ (b'"' | b'\'')) => mark,
            _ => return Err(unexpected(bytes, quote, "a value in quotes")),
        };
        let run = value_end(bytes, value, mark);
        let (value, next) = if bytes.get(run) == Some(&mark) {
            (Span::frame(value, run), run + 1)
        } else {
            self.value_in_pieces(bytes, quote)?
        };
        self.attributes.push(Attribute { name: Span::frame(start, end), value });
        // As long as `xmlns`: it may be that.
        if colon < end || end - start == 5 && bytes[start] == b'x' {
            self.qualify(bytes, colon);
        }
        Ok(next)
    }

    /// Whether the namespaces of the start tag have to be checked because of the last attribute.
    #[inline(never)]
    fn qualify(&mut self, bytes: &[u8], colon: usize) {
        if let Some(Attribute { name, value }) = self.attributes.last() {
            let uri = bytes.get(value.start as usize..value.end as usize).filter(|_| value.source == Within::Frame);
            let name = (name.start as usize, colon, name.end as usize);
            self.qualified |= self.scope.is_due(self.open.len() + 1, bytes, name, uri);
        }
    }

    /// An attribute value that may have to be put together.
    #[inline(never)]
    fn value_in_pieces(&mut self, bytes: &[u8], quote: usize) -> Result<(Span, usize), Error> {
        let (range, next) = literal(bytes, quote, "a value in quotes")?;
        let none = Entities::default();
        let entities = self.dtd.as_ref().map_or(&none, |dtd| &dtd.entities);
        let start = self.scratch.len();
        let written = Written { bytes, range, in_document: self.in_document(), by: Referrer::Value };
        push_value(&mut self.scratch, &written, entities, &mut self.expansion)?;
        Ok((scratch_span(start..self.scratch.len(), quote)?, next))
    }

    /// No attribute may be written twice (well-formedness constraint: unique att spec).
    #[inline]
    fn check_unique(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let name = |attribute: &Attribute| &bytes[attribute.name.start as usize..attribute.name.end as usize];
        if self.attributes.len() > FEW {
            return self.check_unique_among_many(bytes);
        }
        for (n, attribute) in self.attributes.iter().enumerate() {
            for other in &self.attributes[..n] {
                if is_same(name(other), name(attribute)) {
                    return Err(twice(bytes, attribute.name));
                }
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn check_unique_among_many(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut names: Vec<Span> = self.attributes.iter().map(|attribute| attribute.name).collect();
        let text = |span: &Span| &bytes[span.start as usize..span.end as usize];
        names.sort_unstable_by(|a, b| text(a).cmp(text(b)).then(a.start.cmp(&b.start)));
        let doubled = names.windows(2).filter(|pair| text(&pair[0]) == text(&pair[1])).map(|pair| pair[1]);
        match doubled.min_by_key(|span| span.start) {
            Some(span) => Err(twice(bytes, span)),
            None => Ok(()),
        }
    }

    /// What the DOCTYPE says of the attributes: values of other types than CDATA lose spaces, and
    /// defaults are supplied.
    #[inline(never)]
    fn declared_attributes(&mut self, bytes: &[u8], at: usize) -> Result<(), Error> {
        let Some(dtd) = &self.dtd else {
            return Ok(());
        };
        let lists: &AttLists = &dtd.attributes;
        let Some(declared) = lists.of(&bytes[self.name.start as usize..self.name.end as usize]) else {
            return Ok(());
        };
        self.tag += 1;
        for attribute in &mut self.attributes {
            let name = &bytes[attribute.name.start as usize..attribute.name.end as usize];
            let Some(known) = declared.get(name) else {
                continue;
            };
            if self.written_in.len() <= known.number {
                self.written_in.resize(known.number + 1, 0);
            }
            self.written_in[known.number] = self.tag;
            if known.tokenized {
                let range = attribute.value.start as usize..attribute.value.end as usize;
                let value = match attribute.value.source {
                    Within::Scratch => self.scratch.get(range),
                    _ => bytes.get(range).and_then(|value| str::from_utf8(value).ok()),
                };
                if let Some(value) = value.filter(|value| !is_tokens(value)) {
                    let value = tokens(value);
                    let start = self.scratch.len();
                    self.scratch.push_str(&value);
                    attribute.value = scratch_span(start..self.scratch.len(), at)?;
                }
            }
        }
        for default in &declared.defaults {
            if self.written_in.get(default.number) == Some(&self.tag) {
                continue;
            }
            // Many elements may each get them: their text counts like that of entities.
            self.expansion.count(default.name.len() + default.value.len(), at)?;
            let span = |range: &core::ops::Range<usize>| Span {
                start: range.start as u32,
                end: range.end as u32,
                source: Within::Declared,
            };
            self.attributes.push(Attribute { name: span(&default.name), value: span(&default.value) });
        }
        Ok(())
    }

    /// What Namespaces in XML 1.0 asks of a start tag with a colon or a declaration in it.
    #[inline(never)]
    fn check_namespaces(&mut self, bytes: &[u8], qualified: bool) -> Result<(), Error> {
        let at = self.name.start as usize;
        let name = &bytes[at..self.name.end as usize];
        let checked = if qualified {
            let declared = self.dtd.as_ref().map_or(&b""[..], |dtd| dtd.attributes.text.as_bytes());
            let (attributes, scratch) = (&self.attributes, self.scratch.as_bytes());
            let piece = |span: Span| match span.source {
                Within::Frame => &bytes[span.start as usize..span.end as usize],
                Within::Scratch => &scratch[span.start as usize..span.end as usize],
                Within::Declared => &declared[span.start as usize..span.end as usize],
            };
            let attribute = |n: usize| (piece(attributes[n].name), piece(attributes[n].value));
            self.scope.start(self.open.len() + 1, name, attributes.len(), attribute)
        } else {
            self.scope.element(name)
        };
        checked.map_err(|fault| self.namespace_error(fault, at))
    }

    #[cold]
    fn namespace_error(&self, fault: Fault, element_at: usize) -> Error {
        let attribute = fault.attribute.and_then(|n| self.attributes.get(n));
        let name = attribute.map(|attribute| attribute.name).filter(|name| name.source == Within::Frame);
        let at = name.map_or(element_at, |name| name.start as usize);
        // As with entities: a declaration may be outside the document, which is not read.
        let outside = self.dtd.as_ref().is_some_and(|dtd| dtd.entities.unread) && !self.standalone;
        let kind = if fault.undeclared && outside { ErrorKind::Unsupported } else { ErrorKind::Syntax };
        Error::new(kind, "xml", at as u64, fault.found, fault.expected)
    }
}

#[cold]
fn twice(bytes: &[u8], name: Span) -> Error {
    let name = name.start as usize..name.end as usize;
    let found = Words::Own(format!("the attribute '{}' a second time", String::from_utf8_lossy(&bytes[name.clone()])));
    Error::new(ErrorKind::Syntax, "xml", name.start as u64, found, "each attribute once")
}

//! The steps of a [`Reader`] outside of tags (XML 1.0 sections 2.1, 2.4, 2.7, 3.1, 4.4).

use core::ops::Range;

use memchr::{memchr, memchr3, memmem};
use tam::{Error, ErrorKind, Words};
use xml::chars::space_end;
use xml::name::name_end;
use xml::scan::is_same;

use super::dtd::{Dtd, Reading};
use super::entity::{Entity, Kind, Referrer};
use super::expect::{after, unexpected};
use super::markup::{Reference, comment, instruction, push, push_lines, reference};
use super::namespaces::check_local;
use super::reader::{Found, Part, Reader, Span, scratch_span};
use super::scan::less_than_from;

impl<'a> Reader<'a> {
    /// One step over `bytes`, the text being read.
    #[inline(always)]
    pub(crate) fn step(&mut self, bytes: &[u8]) -> Found {
        if self.part == Part::Content {
            return self.content(bytes);
        }
        match self.around(bytes) {
            Ok(found) => found,
            Err(error) => self.fail(error),
        }
    }

    #[inline(always)]
    fn content(&mut self, bytes: &[u8]) -> Found {
        let at = self.at;
        if bytes.get(at) != Some(&b'<') {
            return self.text(bytes);
        }
        if !self.scratch.is_empty() {
            return self.in_full(Self::put_together);
        }
        match bytes.get(at + 1) {
            Some(b'/') => self.end_tag(bytes),
            Some(b'!' | b'?') => self.in_full(|reader| reader.other_markup(bytes)),
            _ => self.start_tag(bytes),
        }
    }

    /// What is rarer than tags and plain text, and may fail.
    #[inline(never)]
    fn in_full(&mut self, step: impl FnOnce(&mut Self) -> Result<Found, Error>) -> Found {
        match step(self) {
            Ok(found) => found,
            Err(error) => self.fail(error),
        }
    }

    /// The prolog and what follows the root element (productions 22 and 27).
    fn around(&mut self, bytes: &[u8]) -> Result<Found, Error> {
        self.at = space_end(bytes, self.at);
        // No entity is referred to here.
        self.event_at = self.at;
        let rest = &bytes[self.at..];
        match rest {
            [b'<', b'?' | b'!', ..] if !rest.starts_with(b"<![") => self.other_markup(bytes),
            [b'<'] if self.part == Part::AfterRoot => {
                Err(unexpected(bytes, bytes.len(), "a comment or an instruction"))
            }
            [b'<', b'/', ..] if self.part != Part::AfterRoot => {
                Err(unexpected(bytes, self.at, "the root element").with_found("an end tag"))
            }
            [b'<', ..] if self.part == Part::AfterRoot => {
                let found = if rest.get(1) == Some(&b'/') { "an unmatched end tag" } else { "a second root element" };
                Err(unexpected(bytes, self.at, "one root element alone").with_found(found))
            }
            [b'<', ..] => {
                self.part = Part::Content;
                Ok(self.start_tag(bytes))
            }
            [] if self.part == Part::AfterRoot && self.is_over() => Ok(Found::Over),
            [..] if self.part == Part::AfterRoot => {
                Err(unexpected(bytes, self.at, "only comments and instructions after the root element"))
            }
            [..] => Err(unexpected(bytes, self.at, "the root element")),
        }
    }

    /// A comment, a processing instruction, a CDATA section or a DOCTYPE.
    fn other_markup(&mut self, bytes: &[u8]) -> Result<Found, Error> {
        let at = self.at;
        let rest = &bytes[at..];
        if rest.starts_with(b"<?") {
            let found = instruction(bytes, at)?;
            if self.namespaces {
                check_local(bytes, found.target.start, found.target.end)?;
            }
            self.name = Span::frame(found.target.start, found.target.end);
            self.data = self.lines(bytes, found.data)?;
            self.at = found.next;
            return Ok(Found::Instruction);
        }
        if rest.starts_with(b"<!--") {
            let (range, next) = comment(bytes, at)?;
            self.data = self.lines(bytes, range)?;
            self.at = next;
            return Ok(Found::Comment);
        }
        if self.part == Part::Content {
            return self.section(bytes);
        }
        if rest.starts_with(b"<!D") && self.part == Part::Prolog {
            return self.doctype(bytes);
        }
        let at = if b"<!--".starts_with(rest) || b"<!DOCTYPE".starts_with(rest) { bytes.len() } else { at };
        let error = unexpected(
            bytes,
            at,
            if self.part == Part::Prolog {
                "a comment, a DOCTYPE or the root element"
            } else {
                "a comment, or one DOCTYPE before the root element"
            },
        );
        Err(if at < bytes.len() { error.with_found("'<!'") } else { error })
    }

    /// A CDATA section (production 18).
    fn section(&mut self, bytes: &[u8]) -> Result<Found, Error> {
        let rest = &bytes[self.at..];
        if !rest.starts_with(b"<![CDATA[") {
            let cut = b"<![CDATA[".starts_with(rest) || b"<!--".starts_with(rest);
            let at = if cut { bytes.len() } else { self.at };
            let error = unexpected(bytes, at, "a comment or a CDATA section");
            return Err(if cut { error } else { error.with_found("'<!'") });
        }
        let start = self.at + 9;
        let Some(len) = memmem::find(&bytes[start..], b"]]>") else {
            return Err(unexpected(bytes, bytes.len(), "']]>'"));
        };
        self.data = self.lines(bytes, start..start + len)?;
        self.at = start + len + 3;
        Ok(Found::CData)
    }

    fn doctype(&mut self, bytes: &[u8]) -> Result<Found, Error> {
        let mut dtd = Box::new(Dtd::default());
        dtd.entities.standalone = self.standalone;
        let document = self.text.clone();
        let doctype = Reading::new(&mut dtd, &mut self.expansion, self.outside.as_ref(), document, self.namespaces)
            .doctype(self.at, bytes.len())?;
        self.dtd = Some(dtd);
        self.data = self.lines(bytes, doctype.data)?;
        self.at = doctype.next;
        self.part = Part::BeforeRoot;
        Ok(Found::Doctype)
    }

    /// A piece of the text with its line ends normalised; in an entity they have been.
    fn lines(&mut self, bytes: &[u8], range: Range<usize>) -> Result<Span, Error> {
        let piece = &bytes[range.clone()];
        if !self.in_document() || memchr(b'\r', piece).is_none() {
            return Ok(Span::frame(range.start, range.end));
        }
        push_lines(&mut self.scratch, piece);
        scratch_span(0..self.scratch.len(), range.start)
    }

    /// Finds the first position in a range where character data needs a change. If there is none, `special` is not in the
    /// range.
    #[inline(always)]
    pub(crate) fn find_special(&mut self, bytes: &[u8], range: Range<usize>) {
        if self.special < range.end {
            let start = self.special.max(range.start);
            self.special = special_from(bytes, start, range.end.saturating_add(LOOKED_AHEAD), self.in_document());
        }
    }

    /// Character data, up to the next markup.
    #[inline(always)]
    fn text(&mut self, bytes: &[u8]) -> Found {
        let start = self.at;
        // What follows many references in one piece of text is looked through once.
        let end = if self.data_end > start { self.data_end } else { less_than_from(bytes, start) };
        self.find_special(bytes, start..end);
        let mut from = start;
        if self.special == start && bytes[start..].starts_with(b"\r\n") {
            // The text after the carriage return needs no change.
            from += 1;
            self.find_special(bytes, from..end);
        }
        if self.special < end || !self.scratch.is_empty() || end == bytes.len() {
            self.at = from;
            return self.in_full(|reader| reader.text_in_pieces(bytes, end));
        }
        self.at = end;
        self.data = Span::frame(from, end);
        Found::Text
    }

    /// Character data that has to be put together, up to the `<` or the end of the text at `end`.
    fn text_in_pieces(&mut self, bytes: &[u8], end: usize) -> Result<Found, Error> {
        while self.special < end {
            let at = self.special;
            push(&mut self.scratch, &bytes[self.at..at]);
            self.at = at;
            match bytes[at] {
                b'&' => {
                    let (reference, next) = reference(bytes, at)?;
                    self.at = next;
                    self.find_special(bytes, next..end);
                    match reference {
                        Reference::Char(c) => self.scratch.push(c),
                        Reference::Entity(name) => {
                            self.data_end = end;
                            return self.entity(name, at);
                        }
                    }
                }
                b'\r' => {
                    self.scratch.push('\n');
                    self.at += 1 + usize::from(bytes.get(at + 1) == Some(&b'\n'));
                    self.find_special(bytes, self.at..end);
                }
                _ => {
                    let error = unexpected(bytes, at, "no ']]>' in text (']]&gt;')");
                    return Err(error.with_found("']]>'"));
                }
            }
        }
        push(&mut self.scratch, &bytes[self.at..end]);
        self.at = end;
        if end < bytes.len() {
            return self.put_together();
        }
        if self.in_document() {
            return Err(unexpected(bytes, end, self.expected_end(bytes)));
        }
        self.leave()?;
        Ok(Found::Nothing)
    }

    /// The text that has been put together; none, if nothing has.
    fn put_together(&mut self) -> Result<Found, Error> {
        if self.scratch.is_empty() {
            return Ok(Found::Nothing);
        }
        self.data = scratch_span(0..self.scratch.len(), self.at)?;
        Ok(Found::Text)
    }

    /// A reference to an entity in content: its replacement text is read in its place.
    fn entity(&mut self, name: &[u8], at: usize) -> Result<Found, Error> {
        let Some(dtd) = &mut self.dtd else {
            let found = Words::Own(format!("'&{};', an undeclared entity", String::from_utf8_lossy(name)));
            return Err(Error::new(ErrorKind::Syntax, "xml", at as u64, found, "a declared entity"));
        };
        if let Some((_, Entity { kind: Kind::External(external), .. })) = dtd.entities.general.get_mut(name) {
            external.text(self.outside.as_ref(), at, &self.expansion)?;
        }
        if self.entity_references && dtd.entities.is_unknown(name) {
            return self.entity_reference(name, at);
        }
        let (number, replacement) = dtd.entities.replacement(name, at, Referrer::Content)?;
        let replacement = replacement.clone();
        self.expansion.open(number, name, replacement.range.len(), at)?;
        self.enter(number, replacement, at);
        Ok(Found::Nothing)
    }

    /// A reference at `at` that is kept. Text before it comes first.
    fn entity_reference(&mut self, name: &[u8], at: usize) -> Result<Found, Error> {
        if !self.scratch.is_empty() {
            (self.at, self.special) = (at, at);
            return self.put_together();
        }
        let (start, end) = (at + 1, at + 1 + name.len());
        if self.namespaces {
            check_local(self.text.as_str().as_bytes(), start, end)?;
        }
        self.data = Span::frame(start, end);
        Ok(Found::EntityReference)
    }

    #[inline(always)]
    fn end_tag(&mut self, bytes: &[u8]) -> Found {
        let start = self.at + 2;
        let Some(name) = self.open.last().filter(|_| self.open.len() > self.base) else {
            return self.stray_end_tag(bytes);
        };
        let end = start + (name.end - name.start) as usize;
        let (written, name) = (bytes.get(start..end), bytes.get(name.start as usize..name.end as usize));
        if let (Some(written), Some(name)) = (written, name)
            && bytes.get(end) == Some(&b'>')
            && is_same(written, name)
        {
            self.at = end + 1;
            return self.closed();
        }
        self.in_full(|reader| reader.end_tag_with_space(bytes, start))
    }

    fn end_tag_with_space(&mut self, bytes: &[u8], start: usize) -> Result<Found, Error> {
        let end = name_end(bytes, start);
        let expected = self.expected_end(bytes);
        let name = self.open.last().map_or(&b""[..], |name| &bytes[name.start as usize..name.end as usize]);
        if &bytes[start..end] != name {
            if end == bytes.len() && name.starts_with(&bytes[start..end]) {
                return Err(unexpected(bytes, end, expected));
            }
            let found = Words::Own(format!("'</{}>'", String::from_utf8_lossy(&bytes[start..end])));
            return Err(unexpected(bytes, start - 2, expected).with_found(found));
        }
        self.at = after(bytes, space_end(bytes, end), ">")?;
        Ok(self.closed())
    }

    #[cold]
    fn stray_end_tag(&mut self, bytes: &[u8]) -> Found {
        let expected = "the element to have begun in the entity that ends it";
        self.fail(unexpected(bytes, self.at, expected).with_found("an end tag"))
    }

    /// The end tag that is due.
    #[cold]
    fn expected_end(&self, bytes: &[u8]) -> Words {
        match self.open.last().and_then(|name| bytes.get(name.start as usize..name.end as usize)) {
            Some(name) => Words::Own(format!("'</{}>'", String::from_utf8_lossy(name))),
            None => Words::Text("the root element"),
        }
    }

    /// The element that is over is the root, or has declared namespaces.
    #[inline(never)]
    fn leave_scope(&mut self) {
        self.scope.end(self.open.len());
        if self.open.is_empty() {
            self.part = Part::AfterRoot;
        }
    }

    /// The element opened last is over.
    #[inline(always)]
    pub(crate) fn closed(&mut self) -> Found {
        if let Some(name) = self.open.pop() {
            self.name = name;
        }
        if self.open.len() < self.scope.watched() {
            self.leave_scope();
        }
        Found::End
    }
}

/// So many bytes after some text are looked through with it, so that short texts are not looked through one by one.
const LOOKED_AHEAD: usize = 4 << 10;

/// The first position from `start` on, and before `end`, where character data needs a change: a reference, in the document a
/// carriage return, or a `]]>`, which is an error. If there is none, it is `end`, or that of `bytes`.
#[inline(never)]
pub(super) fn special_from(bytes: &[u8], start: usize, end: usize, in_document: bool) -> usize {
    let return_or_none = if in_document { b'\r' } else { b'&' };
    let end = end.min(bytes.len());
    let mut at = start;
    while let Some(len) = bytes.get(at..end).and_then(|rest| memchr3(b'&', return_or_none, b']', rest)) {
        at += len;
        if bytes[at] != b']' || bytes[at..].starts_with(b"]]>") {
            return at;
        }
        at += 1;
    }
    end
}

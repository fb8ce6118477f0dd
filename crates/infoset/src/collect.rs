//! The first half of writing: strings and names are told apart and counted, and what refers to
//! them becomes a run of tokens, in the order in which Appendix A has it.

use tam::{Document, Error, ErrorKind, Row, Vocabulary, Words};

use crate::Options;
use crate::chain::End;
use crate::chars::{first_illegal, is_name, is_plain, is_white};
use crate::cursor::{wrong_comment, wrong_instruction};
use crate::doctype::{self, Doctype, WHOLE, escape};
use crate::intern::Interner;
use crate::rules::FORMAT;
use crate::scope::Scope;

/// A step of writing. Strings and names are numbers in the order of first use, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// An element with text alone.
    Leaf {
        name: u32,
        text: u32,
        fields: Fields,
    },
    /// An element with so many children, which follow up to [`Token::Close`].
    Open {
        name: u32,
        children: u32,
        fields: Fields,
    },
    /// The end of the children.
    Close {
        fields: Fields,
    },
    /// So many attributes, which follow; behind [`Token::Leaf`] and [`Token::Close`].
    Attributes {
        count: u32,
        /// Whether no namespace attributes come behind them.
        is_last: bool,
    },
    /// So many namespace attributes, which follow.
    NamespaceAttributes {
        count: u32,
        is_last: bool,
    },
    Attribute {
        name: u32,
        value: u32,
    },
    Text {
        text: u32,
        white: bool,
    },
    Comment {
        text: u32,
    },
    /// A processing instruction; without content that is [`NO_STRING`].
    Instruction {
        target: u32,
        content: u32,
    },
    /// The document type declaration.
    Doctype,
}

/// The empty string, which has index 0 whatever else there is.
pub(crate) const NO_STRING: u32 = u32::MAX;

/// Which optional fields an element has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) attributes: bool,
    pub(crate) namespace_attributes: bool,
}

/// A document type declaration, its texts being strings.
#[derive(Debug, Default)]
pub(crate) struct Declaration {
    pub(crate) id: Identifier,
    /// Target and content of each instruction.
    pub(crate) instructions: Vec<(u32, u32)>,
    pub(crate) notations: Vec<(u32, Identifier)>,
    /// Unparsed entities, each with the name of its notation.
    pub(crate) entities: Vec<(u32, Identifier, u32)>,
    /// Whether there is something outside of it that declares more.
    pub(crate) is_part: bool,
}

/// Public and system identifier.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Identifier {
    pub(crate) public: Option<u32>,
    pub(crate) system: Option<u32>,
}

/// A document, its strings and names told apart.
#[derive(Debug)]
pub(crate) struct Collected<'a> {
    pub(crate) tokens: Vec<Token>,
    /// How many of the tokens are children of the document itself.
    pub(crate) outermost: u32,
    pub(crate) declaration: Declaration,
    pub(crate) strings: Interner<'a>,
    /// Namespace name, local name and prefix of each name as strings, and how often it is used.
    pub(crate) names: Vec<([Option<u32>; 3], u32)>,
}

/// An element whose children are being collected.
struct Open<'a> {
    rest: &'a [Row],
    /// Its token.
    token: usize,
    children: u32,
    /// Where its attributes begin among those that wait, and its namespace attributes.
    attributes: usize,
    fields: Fields,
    /// Bindings to go back to.
    bindings: usize,
}

pub(crate) struct Collector<'a> {
    document: &'a Document<'a>,
    options: Options,
    chain: End<'a>,
    tokens: Vec<Token>,
    declaration: Declaration,
    /// Whether each string is white space.
    white: Vec<bool>,
    strings: Interner<'a>,
    scope: Scope<'a>,
    open: Vec<Open<'a>>,
    /// Attributes of the elements that are open: they are written behind the children.
    waiting: Vec<(Token, bool)>,
    written: Vec<u32>,
    /// Whether text stands in XML text, as the paper's parser had it.
    splits: bool,
    first_use: FirstUse,
    names: Vec<[Option<u32>; 3]>,
}

/// The order in which strings get their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstUse {
    /// In which a document has them, the parts of a name where that is first used.
    Document,
    /// The text of an element before that of its elements, and the parts of names last.
    TextFirst,
}

/// The paper's parser gave text in pieces where its buffer of so many bytes ended.
const BUFFER: u32 = 48 * 1024;

pub(crate) fn collect<'a>(
    document: &'a Document<'a>,
    options: &Options,
    chain: End<'a>,
) -> Result<Collected<'a>, Error> {
    if document.types().vocabulary() != Vocabulary::Xml {
        let found = format!("a document of the vocabulary {}", document.types().vocabulary().as_str());
        return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "the XML vocabulary"));
    }
    let mut collector = Collector {
        document,
        options: *options,
        chain,
        tokens: Vec::with_capacity(document.units()),
        declaration: Declaration::default(),
        white: Vec::new(),
        // A guess: of ten units one brings a string that was not there before.
        strings: Interner::with_room(document.units() / 10),
        scope: Scope::new(),
        open: Vec::new(),
        waiting: Vec::new(),
        written: Vec::new(),
        splits: options.paper && is_xml_text(document),
        first_use: if is_text_first(options) { FirstUse::TextFirst } else { FirstUse::Document },
        names: Vec::new(),
    };
    let outermost = collector.outermost()?;
    let names = collector.names();
    let Collector { tokens, declaration, strings, .. } = collector;
    Ok(Collected { tokens, outermost, declaration, strings, names })
}

/// Whether strings come in the order of the independent encoder that reproduced the paper's sizes.
/// The paper tells no order; compressed, its sizes come out in that of the document alone.
pub(crate) fn is_text_first(options: &Options) -> bool {
    options.paper && options.strings == crate::Strings::None
}

/// Whether the rows of a document lie in XML text.
fn is_xml_text(document: &Document<'_>) -> bool {
    let root = tam::xml::root(document).map(|root| *root.node().row());
    root.and_then(|root| root.name_at().checked_sub(1)).is_some_and(|at| document.text(at, 1) == b"<")
}

impl<'a> Collector<'a> {
    /// The root element and what stands beside it; how many things that are.
    fn outermost(&mut self) -> Result<u32, Error> {
        let (first, count) = self.document.root_rows();
        let outermost = self.run(first, count)?;
        let [root] = outermost else {
            let found = if outermost.is_empty() { "no unit" } else { "several outermost units" };
            return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "one root element"));
        };
        let beside = match root.kind() {
            b'=' if root.is_structured() && root.name_len() == 0 => self.run(root.value_at(), root.len())?,
            _ => outermost,
        };
        let (mut written, mut roots) = (0, 0);
        let mut has_doctype = false;
        for row in beside {
            match row.kind() {
                b'<' if roots > 0 => return Err(self.refused(row, "a second root element", "one root element")),
                b'<' => {
                    roots += 1;
                    self.element(row)?;
                }
                b'!' if roots > 0 || has_doctype => {
                    return Err(self.refused(row, "a DOCTYPE", "one alone, before the root element"));
                }
                b'+' | b'?' | b'!' if self.options.paper => continue,
                b'+' => self.comment(row)?,
                b'?' => self.instruction(row)?,
                b'!' => {
                    has_doctype = true;
                    let root = beside.iter().find(|row| row.kind() == b'<');
                    self.doctype(row, root)?;
                }
                _ => {
                    let expected = "elements, comments, instructions and a DOCTYPE alone outside the root element";
                    return Err(self.refused(row, unit(row), expected));
                }
            }
            written += 1;
        }
        if roots == 0 {
            return Err(self.refused(root, "no element", "a root element"));
        }
        Ok(written)
    }

    fn run(&self, first: u32, count: u32) -> Result<&'a [Row], Error> {
        let rows = self.document.rows().get(first as usize..first as usize + count as usize);
        rows.ok_or_else(|| Error::new(ErrorKind::Syntax, FORMAT, 0, "rows that are not there", "a whole document"))
    }

    /// The root element with all that is in it.
    fn element(&mut self, root: &'a Row) -> Result<(), Error> {
        let Some(mut level) = self.start(root)? else { return Ok(()) };
        loop {
            let Some((row, rest)) = level.rest.split_first() else {
                self.end(&level);
                match self.open.pop() {
                    Some(outer) => level = outer,
                    None => return Ok(()),
                }
                continue;
            };
            match row.kind() {
                b'<' => {
                    level.rest = rest;
                    level.children += 1;
                    if let Some(inner) = self.start(row)? {
                        self.open.push(core::mem::replace(&mut level, inner));
                    }
                }
                b'[' | b']' => self.text(&mut level)?,
                b'+' | b'?' => {
                    level.rest = rest;
                    if !self.options.paper {
                        level.children += 1;
                        if row.kind() == b'+' { self.comment(row)? } else { self.instruction(row)? }
                    }
                }
                _ => {
                    let expected = "an element, text, CDATA, a comment or an instruction";
                    return Err(self.refused(row, unit(row), expected));
                }
            }
        }
    }

    /// An element, up to its content. If that is text alone, it is done with the element.
    #[inline(always)]
    fn start(&mut self, row: &'a Row) -> Result<Option<Open<'a>>, Error> {
        let written = self.name(row)?;
        let mut rest = self.run(row.value_at(), row.len())?;
        let (attributes, bindings) = (self.waiting.len(), self.scope.height());
        let (mut fields, mut name) = (Fields::default(), None);
        if let Some((list, content)) = rest.split_first()
            && list.kind() == b'='
        {
            rest = content;
            (name, fields) = self.attributes(list, written)?;
        }
        let name = match name {
            Some(name) => name,
            None => self.element_name(written),
        };
        if let [text] = rest
            && text.kind() == b'['
            && !self.is_split(text)
        {
            let text = self.string(text)?;
            if !self.is_white(text) {
                self.tokens.push(Token::Leaf { name, text, fields });
                self.after_content(fields, attributes);
                self.scope.unbind(bindings);
                return Ok(None);
            }
            let token = self.tokens.len();
            self.tokens.push(Token::Open { name, children: 1, fields });
            self.tokens.push(Token::Text { text, white: true });
            let level = Open { rest: &[], token, children: 1, attributes, fields, bindings };
            self.end(&level);
            return Ok(None);
        }
        let token = self.tokens.len();
        self.tokens.push(Token::Open { name, children: 0, fields });
        if self.first_use == FirstUse::TextFirst {
            self.texts_first(rest)?;
        }
        Ok(Some(Open { rest, token, children: 0, attributes, fields, bindings }))
    }

    /// The paper's program met the text of an element before its elements: gives the strings their
    /// places so.
    fn texts_first(&mut self, rest: &'a [Row]) -> Result<(), Error> {
        let here = self.tokens.len();
        let mut level = Open { rest, token: 0, children: 0, attributes: 0, fields: Fields::default(), bindings: 0 };
        while let Some((row, rest)) = level.rest.split_first() {
            match row.kind() {
                b'[' | b']' => self.text(&mut level)?,
                _ => level.rest = rest,
            }
        }
        for token in self.tokens.drain(here..) {
            if let Token::Text { text, .. } = token {
                self.strings.discount(text);
            }
        }
        Ok(())
    }

    /// The end of an element whose children are known.
    #[inline(always)]
    fn end(&mut self, level: &Open<'a>) {
        let last = self.tokens.last().copied();
        let Some(token) = self.tokens.get_mut(level.token) else { return };
        let Token::Open { name, children, fields } = token else { return };
        *children = level.children;
        match last {
            // Text that was in several pieces in the document.
            Some(Token::Text { text, white: false }) if level.children == 1 => {
                *token = Token::Leaf { name: *name, text, fields: *fields };
                self.tokens.pop();
            }
            _ => self.tokens.push(Token::Close { fields: level.fields }),
        }
        self.after_content(level.fields, level.attributes);
        self.scope.unbind(level.bindings);
    }

    /// What is written behind the content of an element: the attributes that wait since `from`.
    #[inline(always)]
    fn after_content(&mut self, fields: Fields, from: usize) {
        if fields != Fields::default() {
            self.attributes_behind(from);
        }
    }

    #[inline(never)]
    fn attributes_behind(&mut self, from: usize) {
        let waiting = self.waiting.get(from..).unwrap_or_default();
        let namespaces = waiting.iter().filter(|(_, namespace)| *namespace).count();
        for of_namespace in [false, true] {
            let count = if of_namespace { namespaces } else { waiting.len() - namespaces } as u32;
            if count == 0 {
                continue;
            }
            self.tokens.push(if of_namespace {
                Token::NamespaceAttributes { count, is_last: true }
            } else {
                Token::Attributes { count, is_last: namespaces == 0 }
            });
            let these = waiting.iter().filter(|(_, namespace)| *namespace == of_namespace);
            self.tokens.extend(these.map(|(token, _)| *token));
        }
        self.waiting.truncate(from);
    }

    /// The name of an element or attribute, as it is written.
    #[inline(always)]
    fn name(&mut self, row: &'a Row) -> Result<u32, Error> {
        if row.has_extended_name() {
            return Err(self.refused(row, format!("the name '{}'", self.document.name(row)), "an XML name"));
        }
        let (written, new) = self.scope.written(self.document.text(row.name_at(), row.name_len()));
        if new {
            self.check_name(row)?;
        }
        Ok(written)
    }

    #[inline(never)]
    fn check_name(&self, row: &Row) -> Result<(), Error> {
        let name = self.document.text(row.name_at(), row.name_len());
        if str::from_utf8(name).is_ok_and(is_name) {
            return Ok(());
        }
        let found = match name {
            [] => Words::Own(format!("{} without a name", unit(row))),
            name => Words::Own(format!("the name '{}'", String::from_utf8_lossy(name).escape_debug())),
        };
        Err(self.refused(row, found, "an XML name"))
    }

    /// The attributes of an element, which wait for its end; the number of its name, by the
    /// namespaces that they bind.
    #[inline(never)]
    fn attributes(&mut self, list: &'a Row, element: u32) -> Result<(Option<u32>, Fields), Error> {
        let rows = self.run(list.value_at(), list.len())?;
        if list.name_len() > 0 || rows.is_empty() || !list.is_structured() {
            let found = if rows.is_empty() { "an empty attribute list" } else { "a named attribute list" };
            return Err(self.refused(list, found, "an unnamed list of attributes"));
        }
        self.written.clear();
        let mut fields = Fields::default();
        for row in rows {
            if row.kind() != b'[' {
                return Err(self.refused(row, unit(row), "an attribute ('[')"));
            }
            let written = self.name(row)?;
            self.written.push(written);
            match self.scope.declares(written) {
                Some(prefix) => {
                    fields.namespace_attributes = true;
                    self.scope.bind(prefix, self.document.text(row.value_at(), row.len()));
                }
                None => fields.attributes = true,
            }
        }
        self.check_unique(rows)?;
        let name = self.element_name(element);
        for (n, row) in rows.iter().enumerate() {
            let Some(&written) = self.written.get(n) else { continue };
            let name = self.scope.attribute(written);
            let name = self.named(name);
            let value = if row.is_empty() { NO_STRING } else { self.string(row)? };
            let attribute = Token::Attribute { name, value };
            self.waiting.push((attribute, self.scope.declares(written).is_some()));
        }
        Ok((Some(name), fields))
    }

    /// No attribute may come twice.
    fn check_unique(&self, rows: &'a [Row]) -> Result<(), Error> {
        const FEW: usize = 12;
        let twice = if self.written.len() <= FEW {
            let is_before = |n: usize, name| self.written.iter().take(n).any(|other| *other == name);
            self.written.iter().enumerate().find(|(n, name)| is_before(*n, **name)).map(|(n, _)| n)
        } else {
            let mut sorted: Vec<(u32, usize)> = self.written.iter().copied().zip(0..).collect();
            sorted.sort_unstable();
            sorted.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1)
        };
        match twice.and_then(|n| rows.get(n)) {
            Some(row) => Err(self.refused(row, "an attribute a second time", "each attribute once")),
            None => Ok(()),
        }
    }

    /// The string that is the data of a row.
    #[inline(always)]
    fn string(&mut self, row: &'a Row) -> Result<u32, Error> {
        let text = self.document.text(row.value_at(), row.len());
        let (number, new) = self.strings.intern(text);
        if new {
            self.check_string(text).map_err(|found| self.refused(row, found, "text that XML allows"))?;
        }
        Ok(number)
    }

    /// A string that is part of the data of a row, or has been put together.
    fn string_of(&mut self, text: &'a [u8], row: &'a Row) -> Result<u32, Error> {
        if text.is_empty() {
            return Ok(NO_STRING);
        }
        let (number, new) = self.strings.intern(text);
        if new {
            self.check_string(text).map_err(|found| self.refused(row, found, "text that XML allows"))?;
        }
        Ok(number)
    }

    /// What keeps a new string from being text of XML; what is known of it otherwise is kept.
    #[inline(always)]
    fn check_string(&mut self, text: &[u8]) -> Result<(), Words> {
        self.white.push(is_white(text));
        if is_plain(text) { Ok(()) } else { check_text(text) }
    }

    #[inline(always)]
    fn is_white(&self, string: u32) -> bool {
        self.white.get(string as usize).copied().unwrap_or(false)
    }

    /// Whether the paper's parser gave a text in pieces.
    #[inline(always)]
    fn is_split(&self, row: &Row) -> bool {
        self.splits && row.value_at() / BUFFER != (row.value_at() + row.len()).saturating_sub(1) / BUFFER
    }

    /// Text and CDATA that are next to each other: one text.
    #[inline(always)]
    fn text(&mut self, level: &mut Open<'a>) -> Result<(), Error> {
        let Some((row, rest)) = level.rest.split_first() else { return Ok(()) };
        let alone = !self.options.paper && !rest.first().is_some_and(|next| matches!(next.kind(), b'[' | b']'));
        if alone && row.kind() == b'[' && !row.is_empty() && row.name_len() == 0 {
            let text = self.string(row)?;
            self.tokens.push(Token::Text { text, white: self.is_white(text) });
            level.children += 1;
            level.rest = rest;
            return Ok(());
        }
        self.text_in_pieces(level)
    }

    #[inline(never)]
    fn text_in_pieces(&mut self, level: &mut Open<'a>) -> Result<(), Error> {
        let mut pieces: Vec<&'a [u8]> = Vec::new();
        let mut last: Option<&'a Row> = None;
        let mut after_text = false;
        while let Some((row, rest)) = level.rest.split_first() {
            match row.kind() {
                b'[' | b']' => {}
                b'+' | b'?' if self.options.paper => {
                    (level.rest, after_text) = (rest, false);
                    continue;
                }
                _ => break,
            }
            if row.name_len() > 0 {
                return Err(self.refused(row, format!("a name of {}", unit(row)), "no name"));
            }
            if row.kind() == b'[' && row.is_empty() {
                return Err(self.refused(row, "empty text", "text of one character or more, or none at all"));
            }
            if row.kind() == b'[' && after_text {
                let expected = "a tag, a comment, an instruction or CDATA between two texts";
                return Err(self.refused(row, "text behind text", expected));
            }
            after_text = row.kind() == b'[';
            (level.rest, last) = (rest, Some(row));
            let text = self.document.text(row.value_at(), row.len());
            let mut from = 0;
            if self.is_split(row) {
                let cut = (BUFFER - row.value_at() % BUFFER) as usize;
                for end in (cut..text.len()).step_by(BUFFER as usize) {
                    pieces.push(text.get(from..end).unwrap_or_default());
                    self.pieces(&mut pieces, row, level)?;
                    from = end;
                }
            }
            pieces.push(text.get(from..).unwrap_or_default());
        }
        match last {
            Some(row) => self.pieces(&mut pieces, row, level),
            None => Ok(()),
        }
    }

    /// Pieces that make up one text, if there is anything in them.
    fn pieces(&mut self, pieces: &mut Vec<&'a [u8]>, row: &'a Row, level: &mut Open<'a>) -> Result<(), Error> {
        pieces.retain(|piece| !piece.is_empty());
        let text = match pieces.as_slice() {
            [] => return Ok(()),
            [piece] => piece,
            pieces => self.chain.add(&pieces.concat()),
        };
        pieces.clear();
        let text = self.string_of(text, row)?;
        self.tokens.push(Token::Text { text, white: self.is_white(text) });
        level.children += 1;
        Ok(())
    }

    fn unnamed_text(&self, row: &'a Row) -> Result<&'a str, Error> {
        if row.name_len() > 0 {
            return Err(self.refused(row, format!("a name of {}", unit(row)), "no name"));
        }
        let text = self.document.text(row.value_at(), row.len());
        str::from_utf8(text).map_err(|_| self.refused(row, "bytes that are not UTF-8", "text"))
    }

    fn comment(&mut self, row: &'a Row) -> Result<(), Error> {
        let text = self.unnamed_text(row)?;
        if let Some(found) = wrong_comment(text) {
            return Err(self.refused(row, found, "neither"));
        }
        let text = self.string_of(text.as_bytes(), row)?;
        self.tokens.push(Token::Comment { text });
        Ok(())
    }

    fn instruction(&mut self, row: &'a Row) -> Result<(), Error> {
        let text = self.unnamed_text(row)?;
        let (target, content) = text.split_once(' ').unwrap_or((text, ""));
        if let Some(found) = wrong_instruction(target, content) {
            return Err(self.refused(row, found, "an instruction that XML allows"));
        }
        if content.is_empty() && text.len() > target.len() {
            return Err(self.refused(row, "a space behind the target alone", "target, one space, data"));
        }
        let target = self.string_of(target.as_bytes(), row)?;
        let content = self.string_of(content.as_bytes(), row)?;
        self.tokens.push(Token::Instruction { target, content });
        Ok(())
    }

    /// The name of an element under the bindings that hold.
    #[inline(always)]
    fn element_name(&mut self, written: u32) -> u32 {
        let name = self.scope.element(written);
        self.named(name)
    }

    /// The DOCTYPE, which is before the root element.
    fn doctype(&mut self, row: &'a Row, root: Option<&'a Row>) -> Result<(), Error> {
        let text = self.unnamed_text(row)?;
        if text.contains('\r') {
            return Err(self.refused(row, "a carriage return in a DOCTYPE", "none"));
        }
        let parts = Doctype::read(text)
            .map_err(|(found, expected)| self.refused(row, format!("{found} in a DOCTYPE"), expected))?;
        let mut declaration = Declaration { is_part: !parts.is_all, ..Declaration::default() };
        declaration.id = self.identifier(parts.id, row)?;
        // The name is said by the root element, or not at all.
        let root = root.map_or(&b""[..], |root| self.document.text(root.name_at(), root.name_len()));
        let is_said = parts.name.as_bytes() == root && parts.text().is_ok_and(|said| said == text);
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

    fn identifier(&mut self, id: doctype::Identifier<'a>, row: &'a Row) -> Result<Identifier, Error> {
        let mut string = |text: Option<&'a str>| text.map(|text| self.string_of(text.as_bytes(), row)).transpose();
        Ok(Identifier { public: string(id.public)?, system: string(id.system)? })
    }

    /// A name that has been resolved; where it is new, its parts become strings.
    #[inline(always)]
    fn named(&mut self, name: u32) -> u32 {
        if name as usize == self.names.len() && self.first_use == FirstUse::Document {
            self.add_names();
        }
        name
    }

    /// Adds the parts of new names to the strings.
    #[inline(never)]
    fn add_names(&mut self) {
        for (parts, _) in self.scope.names().iter().skip(self.names.len()) {
            let parts = parts.map(|part| {
                let (number, new) = self.strings.intern(self.scope.text(part)?);
                if new {
                    self.white.push(false);
                }
                Some(number)
            });
            self.names.push(parts);
        }
    }

    /// The names, their parts being strings, and how often they are used.
    fn names(&mut self) -> Vec<([Option<u32>; 3], u32)> {
        self.add_names();
        self.names.iter().zip(self.scope.names()).map(|(parts, (_, count))| (*parts, *count)).collect()
    }

    /// What cannot be written, told of its path.
    #[cold]
    #[inline(never)]
    fn refused(&self, row: &Row, found: impl Into<Words>, expected: impl Into<Words>) -> Error {
        let index = (core::ptr::from_ref(row).addr() - self.document.rows().as_ptr().addr()) / size_of::<Row>();
        let error = Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected);
        let mut units = self.document.walk().filter_map(|step| match step {
            tam::Step::Open(node) | tam::Step::Primitive(node) => Some(node),
            tam::Step::Close(_) => None,
        });
        match units.find(|node| node.index() == index) {
            Some(node) => error.in_path(node.path()),
            None => error,
        }
    }
}

/// What keeps bytes from being text of XML.
#[cold]
fn check_text(text: &[u8]) -> Result<(), Words> {
    let Ok(utf8) = simdutf8::basic::from_utf8(text) else { return Err("bytes that are not UTF-8".into()) };
    match first_illegal(text, false).and_then(|at| utf8.get(at..)?.chars().next()) {
        None => Ok(()),
        Some(c) => Err(Words::Own(format!("the character U+{:04X}", u32::from(c)))),
    }
}

/// A unit as errors name it.
fn unit(row: &Row) -> Words {
    match row.kind() {
        b'<' => "an element".into(),
        b'=' => "an attribute list".into(),
        b'@' => "an array".into(),
        b'[' => "text".into(),
        b']' => "CDATA".into(),
        b'+' => "a comment".into(),
        b'?' => "an instruction".into(),
        b'!' => "a DOCTYPE".into(),
        kind => Words::Byte(kind),
    }
}

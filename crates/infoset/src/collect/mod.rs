//! The first half of writing: strings and names are numbered and counted, and everything that refers to them becomes a
//! sequence of tokens in the order of Appendix A.

mod attributes;
mod declaration;
mod text;
mod tokens;

use std::collections::HashMap;

use tam::xml::unit;
use tam::{Document, Error, ErrorKind, Row, Vocabulary, Words};
use xml::name::is_name;

use crate::chain::End;
use crate::doctype;
use crate::intern::Interner;
use crate::properties::Numbers;
use crate::rules::FORMAT;
use crate::scope::Scope;
use crate::{Options, Properties};

pub(crate) use tokens::{Collected, Declaration, Fields, Identifier, NO_STRING, Token};

/// An element whose children are being collected.
struct OpenElement<'a> {
    rest: &'a [Row],
    /// Its token.
    token: usize,
    children: u32,
    /// The start of its attributes among those waiting, and of its namespace attributes.
    attributes: usize,
    fields: Fields,
    /// The number of bindings to restore.
    bindings: usize,
}

pub(crate) struct Collector<'a> {
    document: &'a Document<'a>,
    options: Options<'a>,
    chain: End<'a>,
    tokens: Vec<Token>,
    declaration: Declaration,
    /// The general entities that the DOCTYPE declares, with the identifiers of those that are external and parsed, and the numbers
    /// of those that content refers to.
    entities: HashMap<&'a str, Option<doctype::Identifier<'a>>>,
    referred: HashMap<&'a str, u32>,
    /// Whether what is outside of the DOCTYPE may declare others.
    may_be_declared: bool,
    is_standalone: bool,
    /// Whether each string is white space.
    white: Vec<bool>,
    strings: Interner<'a>,
    scope: Scope<'a>,
    open: Vec<OpenElement<'a>>,
    /// Attributes of the open elements, which are written after the children.
    waiting: Vec<(Token, bool)>,
    written: Vec<u32>,
    /// Whether long text is split, as the paper's parser did.
    splits: bool,
    first_use: FirstUse,
    names: Vec<[Option<u32>; 3]>,
}

/// The order in which strings get their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstUse {
    /// Document order; the parts of a name are numbered at its first use.
    Document,
    /// The text of an element before that of its elements, and the parts of names last.
    TextFirst,
}

/// The paper's parser split text at the end of its buffer of this many bytes.
const BUFFER: u32 = 48 * 1024;

pub(crate) fn collect<'a>(
    document: &'a Document<'a>,
    properties: &Properties<'a>,
    options: &Options<'a>,
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
        entities: HashMap::new(),
        referred: HashMap::new(),
        may_be_declared: false,
        is_standalone: properties.standalone == Some(true),
        white: Vec::new(),
        // A guess: one unit in ten has a new string.
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
    let properties = collector.properties(properties)?;
    let names = collector.names();
    let Collector { tokens, declaration, strings, .. } = collector;
    Ok(Collected { tokens, outermost, declaration, properties, strings, names })
}

/// Whether strings are ordered as in the independent encoder that reproduced the paper's sizes. The paper does not
/// specify an order; its compressed sizes result only from document order.
pub(crate) fn is_text_first(options: &Options<'_>) -> bool {
    options.paper && options.strings == crate::Strings::None
}

/// Whether the document was read from XML text.
fn is_xml_text(document: &Document<'_>) -> bool {
    let root = tam::xml::root(document).map(|root| *root.node().row());
    root.and_then(|root| root.name_at().checked_sub(1)).is_some_and(|at| document.text(at, 1) == b"<")
}

impl<'a> Collector<'a> {
    /// Collects the root element and its siblings; returns their number.
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
                    let expected = "only elements, comments, instructions and a DOCTYPE outside the root element";
                    return Err(self.refused(row, unit(row.kind()), expected));
                }
            }
            written += 1;
        }
        if roots == 0 {
            return Err(self.refused(root, "no element", "a root element"));
        }
        Ok(written)
    }

    /// Collects the properties of the document.
    fn properties(&mut self, properties: &Properties<'a>) -> Result<Numbers, Error> {
        let all_declarations_processed = properties.all_declarations_processed && !self.declaration.is_part;
        let (encoding, standalone) = (NO_STRING, properties.standalone);
        let nothing = Numbers { base_uri: None, encoding, standalone: None, version: None, all_declarations_processed };
        if self.options.paper {
            return Ok(nothing);
        }
        let mut string = |text: &'a str| {
            let text = text.as_bytes();
            let refused = |found| Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "text that XML allows");
            self.plain_string(text).map_err(refused)
        };
        Ok(Numbers {
            base_uri: properties.base_uri.map(&mut string).transpose()?,
            encoding: string(properties.encoding)?,
            version: properties.version.map(&mut string).transpose()?,
            standalone,
            ..nothing
        })
    }

    fn run(&self, first: u32, count: u32) -> Result<&'a [Row], Error> {
        let rows = self.document.rows().get(first as usize..first as usize + count as usize);
        rows.ok_or_else(|| Error::new(ErrorKind::Syntax, FORMAT, 0, "rows that are not there", "a whole document"))
    }

    /// Collects the root element and everything in it.
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
                b'&' => {
                    level.rest = rest;
                    level.children += 1;
                    self.entity_reference(row)?;
                }
                _ => {
                    let expected = "an element, text, CDATA, a comment or an instruction";
                    return Err(self.refused(row, unit(row.kind()), expected));
                }
            }
        }
    }

    /// Collects the start of an element. If its content is only text, collects the whole element.
    #[inline(always)]
    fn start(&mut self, row: &'a Row) -> Result<Option<OpenElement<'a>>, Error> {
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
            let level = OpenElement { rest: &[], token, children: 1, attributes, fields, bindings };
            self.end(&level);
            return Ok(None);
        }
        let token = self.tokens.len();
        self.tokens.push(Token::Open { name, children: 0, fields });
        if self.first_use == FirstUse::TextFirst {
            self.texts_first(rest)?;
        }
        Ok(Some(OpenElement { rest, token, children: 0, attributes, fields, bindings }))
    }

    /// Numbers the texts of an element before those in its elements, as the paper's program did.
    fn texts_first(&mut self, rest: &'a [Row]) -> Result<(), Error> {
        let here = self.tokens.len();
        let mut level =
            OpenElement { rest, token: 0, children: 0, attributes: 0, fields: Fields::default(), bindings: 0 };
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

    /// Collects the end of an element whose children are known.
    #[inline(always)]
    fn end(&mut self, level: &OpenElement<'a>) {
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

    /// Writes what follows the content of an element: the attributes waiting since `from`.
    #[inline(always)]
    fn after_content(&mut self, fields: Fields, from: usize) {
        if fields != Fields::default() {
            self.waiting_attributes(from);
        }
    }

    /// The number of the name of an element or attribute, as written.
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
            [] => Words::Own(format!("{} without a name", unit(row.kind()))),
            name => Words::Own(format!("the name '{}'", String::from_utf8_lossy(name).escape_debug())),
        };
        Err(self.refused(row, found, "an XML name"))
    }

    /// The number of the name of an element with the current bindings.
    #[inline(always)]
    fn element_name(&mut self, written: u32) -> u32 {
        let name = self.scope.element(written);
        self.named(name)
    }

    /// A resolved name. The parts of a new name become strings.
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

    /// The names, with their parts as strings, and how often each is used.
    fn names(&mut self) -> Vec<([Option<u32>; 3], u32)> {
        self.add_names();
        self.names.iter().zip(self.scope.names()).map(|(parts, (_, count))| (*parts, *count)).collect()
    }

    /// The error for something that cannot be written, with its path.
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

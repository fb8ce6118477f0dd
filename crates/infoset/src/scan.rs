//! The first pass through a message.

use tam::{Error, Limits};

use crate::items::{self, Characters, Content, LiteralName, Name, Namespace, Part, Text};
use crate::outline::{Attribute, Kind, LITERAL, LITERAL_NAME, List, Outline, Special, Token};
use crate::properties::Numbers;
use crate::rules::{FORMAT, Rules, Size, syntax};

/// An element whose children are being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level<C, F> {
    pub(crate) children: C,
    pub(crate) fields: F,
    /// The number of its list.
    pub(crate) list: u32,
    /// The number of elements that have begun in it.
    pub(crate) elements: u32,
}

/// For an element without a list.
pub(crate) const NO_LIST: u32 = u32::MAX;

/// The progress of the pass, and its results.
#[derive(Debug)]
pub(crate) struct State<R: Rules> {
    pub(crate) open: Vec<Level<R::Children, R::Fields>>,
    /// The most elements that may be open.
    pub(crate) depth: usize,
    pub(crate) tokens: Vec<Token>,
    /// The most tokens.
    pub(crate) most: usize,
    pub(crate) found: ScanResults,
    /// Whether every element with children gets a list, not only those that are known to have one when they begin.
    pub(crate) all_lists: bool,
}

struct Scan<R: Rules> {
    r: R,
    limits: Limits,
    state: State<R>,
    /// Whether a list turned out to be missing.
    more_lists: bool,
    root: Option<usize>,
    /// Whether the current child is an element, rather than another item or what follows the children.
    at_element: bool,
}

/// The results besides the tokens.
#[derive(Debug, Default)]
pub(crate) struct ScanResults {
    pub(crate) lists: Vec<List>,
    pub(crate) attributes: Vec<Attribute>,
    in_scope: Vec<(Option<Text>, Text)>,
    specials: Vec<Special>,
    entity_references: Vec<items::Declared>,
    in_doctype: Vec<items::Instruction>,
    literals: Vec<crate::rules::Octets>,
    literal_names: Vec<LiteralName>,
}

/// Makes the first pass through a message.
pub(crate) fn scan<R: Rules>(r: R, message_len: usize, limits: &Limits) -> Result<Outline, Error> {
    let mut all_lists = false;
    loop {
        let mut scan = Scan::new(r, message_len, limits, all_lists, usize::MAX);
        let outline = match scan.document() {
            Ok(outline) => outline,
            Err(error) => return Err(scan.located(&error)),
        };
        if !scan.more_lists || all_lists {
            return Ok(outline);
        }
        all_lists = true;
    }
}

/// Adds the position of a token to an error.
#[cold]
pub(crate) fn locate<R: Rules>(r: R, limits: &Limits, token: usize, error: &Error) -> Error {
    let mut scan = Scan::new(r, 0, limits, false, token);
    let _ = scan.document();
    scan.located(&error.clone().at_bit(scan.r.position()))
}

impl<R: Rules> Scan<R> {
    fn new(r: R, message_len: usize, limits: &Limits, all_lists: bool, stop: usize) -> Scan<R> {
        let state = State {
            open: Vec::new(),
            depth: limits.depth as usize,
            // Guesses: most of a message is text.
            tokens: Vec::with_capacity(message_len / 8),
            // The end of an element is not a unit.
            most: stop.min((limits.units as usize).saturating_mul(2)),
            found: ScanResults {
                lists: Vec::with_capacity(message_len / 64),
                attributes: Vec::with_capacity(message_len / 32),
                ..ScanResults::default()
            },
            all_lists,
        };
        Scan { r, limits: *limits, state, more_lists: false, root: None, at_element: false }
    }

    fn document(&mut self) -> Result<Outline, Error> {
        let document = self.r.document()?;
        let mut fields = self.r.sequence(3)?;
        let open = self.r.field(0)?;
        let has_doctype = self.children()?;
        self.r.leave(open)?;
        let Scan { r, state: State { found, .. }, .. } = self;
        let notations = items::field(r, 1, |r| items::all(r, |r, _| items::notation(r)))?;
        let unparsed_entities = items::field(r, 2, |r| items::all(r, |r, _| items::unparsed_entity(r)))?;
        let mut text = |r: &mut R| {
            let text = items::text(r)?;
            found.text(text, r.position())
        };
        let properties = Numbers {
            base_uri: items::optional(r, &mut fields, 3, &mut text)?,
            encoding: items::field(r, 4, &mut text)?,
            standalone: items::optional(r, &mut fields, 5, R::boolean)?,
            version: items::optional(r, &mut fields, 6, &mut text)?,
            all_declarations_processed: items::field(r, 7, R::boolean)?,
        };
        let blocks = items::field(r, 8, |r| items::all(r, |r, _| items::block(r)))?;
        let names = items::field(r, 9, |r| items::all(r, common_name))?;
        r.leave(document)?;
        let end = r.position();
        let mut root = self.root.unwrap_or_default();
        let refers = !self.state.found.entity_references.is_empty();
        let declares = !notations.is_empty() || !unparsed_entities.is_empty() || refers;
        let added = (declares && !has_doctype).then_some(root);
        if added.is_some() {
            // A placeholder for a missing declaration, to hold what it declares.
            let doctype = self.special(Special::Doctype { public: None, system: None });
            self.state.tokens.insert(root, doctype);
            root += 1;
        }
        let ScanResults {
            lists,
            attributes,
            in_scope,
            specials,
            entity_references,
            in_doctype,
            literals,
            literal_names,
        } = core::mem::take(&mut self.state.found);
        Ok(Outline {
            tokens: core::mem::take(&mut self.state.tokens),
            root,
            added,
            lists,
            attributes,
            in_scope,
            specials,
            entity_references,
            in_doctype,
            literals,
            literal_names,
            properties,
            notations,
            unparsed_entities,
            blocks,
            names,
            end,
        })
    }

    /// Reads the root element and its siblings. Returns whether there is a document type declaration.
    fn children(&mut self) -> Result<bool, Error> {
        let mut list = self.r.list(Size::Any)?;
        let mut has_doctype = false;
        while self.r.item(&mut list)? {
            let at = self.r.position();
            let (number, item) = self.r.alternative(4)?;
            let special = match number {
                0 if self.root.is_some() => return Err(syntax(at, "a second root element", "one root element")),
                0 => {
                    self.root = Some(self.state.tokens.len());
                    self.root_element(item)?;
                    continue;
                }
                1 => Special::Instruction(items::instruction(&mut self.r)?),
                2 => Special::Comment(items::comment(&mut self.r)?),
                _ if has_doctype || self.root.is_some() => {
                    let found = "a document type declaration";
                    return Err(syntax(at, found, "one alone, before the root element"));
                }
                _ => {
                    has_doctype = true;
                    let instructions = &mut self.state.found.in_doctype;
                    let (system, public) = items::doctype(&mut self.r, |instruction| {
                        instructions.push(instruction);
                        Ok(())
                    })?;
                    Special::Doctype { public, system }
                }
            };
            let special = self.special(special);
            self.push(special)?;
            self.r.leave(item)?;
        }
        if self.root.is_none() {
            return Err(syntax(self.r.position(), "no element", "a root element"));
        }
        Ok(has_doctype)
    }

    /// Reads the root element, which has been entered, and everything in it.
    fn root_element(&mut self, item: R::Entered) -> Result<(), Error> {
        self.start(item)?;
        loop {
            self.r.run(&mut self.state);
            self.at_element = false;
            let Some(level) = self.state.open.last_mut() else { return Ok(()) };
            if self.r.next_child(&mut level.children)? {
                self.child()?;
            } else {
                self.close()?;
            }
        }
    }

    /// Adds a token.
    fn push(&mut self, token: Token) -> Result<(), Error> {
        if self.state.tokens.len() >= self.state.most {
            return Err(self.too_many());
        }
        self.state.tokens.push(token);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn too_many(&self) -> Error {
        let limit = self.limits.units;
        Error::limit(FORMAT, 0, "one more unit", "units", limit.into()).at_bit(self.r.position())
    }

    /// Adds the start of an element with children.
    fn opened(&mut self, name: u32, children: R::Children, fields: R::Fields) -> Result<(), Error> {
        self.check_depth()?;
        let has_list = R::any_field(fields) || self.state.all_lists;
        let mut list = NO_LIST;
        if has_list {
            list = self.state.found.lists.len() as u32;
            self.state.found.lists.push(List::default());
        }
        self.push(Token::new(Kind::Open, has_list, name, 0))?;
        self.state.open.push(Level { children, fields, list, elements: 0 });
        Ok(())
    }

    /// Adds the end of the element opened last.
    fn close(&mut self) -> Result<(), Error> {
        let Some(Level { children, fields, list, .. }) = self.state.open.last().copied() else { return Ok(()) };
        let element = self.r.leave_children(children)?;
        self.end(fields, element, list)?;
        self.state.tokens.push(Token::new(Kind::Close, false, 0, 0));
        self.state.open.pop();
        Ok(())
    }

    /// Adds an element with only text, and reads its end.
    fn leaf(&mut self, name: u32, text: u32, fields: R::Fields, element: R::Entered) -> Result<(), Error> {
        self.check_depth()?;
        let token = self.state.tokens.len();
        self.push(Token::new(Kind::Leaf, false, name, text))?;
        let list = self.state.found.lists.len();
        self.state.found.lists.push(List::default());
        self.end(fields, element, list as u32)?;
        match self.state.found.lists.last() {
            Some(last) if last.is_empty() => drop(self.state.found.lists.pop()),
            _ => {
                if let Some(token) = self.state.tokens.get_mut(token) {
                    *token = Token::new(Kind::Leaf, true, name, text);
                }
            }
        }
        Ok(())
    }

    /// Reads a child of any kind.
    fn child(&mut self) -> Result<(), Error> {
        let (number, item) = self.r.alternative(5)?;
        let special = match number {
            0 => {
                if let Some(level) = self.state.open.last_mut() {
                    level.elements += 1;
                }
                self.at_element = true;
                return self.start(item);
            }
            1 => Special::Instruction(items::instruction(&mut self.r)?),
            2 => {
                let reference = items::entity_reference(&mut self.r)?;
                let references = &mut self.state.found.entity_references;
                references.push(reference);
                Special::EntityReference(references.len() as u32 - 1)
            }
            3 => match items::characters(&mut self.r)? {
                Characters::Binary(octets) => {
                    self.join_text();
                    Special::Binary(octets)
                }
                Characters::Text(text) => {
                    self.join_text();
                    let text = self.text(text)?;
                    self.push(Token::new(Kind::Text, false, 0, text))?;
                    return self.r.leave(item);
                }
            },
            _ => Special::Comment(items::comment(&mut self.r)?),
        };
        let special = self.special(special);
        self.push(special)?;
        self.r.leave(item)
    }

    /// Called before text: if the previous item is text, marks it as continued.
    fn join_text(&mut self) {
        if let Some(last) = self.state.tokens.last_mut().filter(|last| last.kind() == Kind::Text) {
            last.set_list();
        }
    }

    /// Reads an element that has been entered, up to its children, or all of it if it has only text.
    fn start(&mut self, item: R::Entered) -> Result<(), Error> {
        self.check_depth()?;
        let fields = self.r.sequence(3)?;
        let name = items::field(&mut self.r, 0, |r| items::name(r, false))?;
        let name = self.name(name)?;
        match items::content(&mut self.r, item)? {
            Content::Text(text) => {
                let text = self.text(text)?;
                self.leaf(name, text, fields, item)
            }
            Content::Children(children) => self.opened(name, children, fields),
        }
    }

    /// Reads what follows the children of an element, and its end.
    fn end(&mut self, mut fields: R::Fields, element: R::Entered, list: u32) -> Result<(), Error> {
        let Scan { r, state: State { found, .. }, .. } = self;
        let mut read = List { first: found.attributes.len() as u32, ..List::default() };
        read.in_scope.0 = found.in_scope.len() as u32;
        for (number, count) in [(2, &mut read.attributes), (3, &mut read.namespaces)] {
            let Some(open) = r.optional(&mut fields, number)? else { continue };
            let mut list = r.list(Size::Attributes)?;
            while r.item(&mut list)? {
                *count += 1;
                let attribute = items::attribute(r)?;
                let name = found.name(attribute.name, r.position())?;
                let value = found.text(attribute.value, r.position())?;
                found.attributes.push(Attribute { name, value });
            }
            r.leave(open)?;
            if *count == 0 {
                return Err(syntax(r.position(), "no attributes", "at least one"));
            }
        }
        items::namespaces_in_scope(r, |prefix, name| {
            found.in_scope.push((prefix, name));
            Ok(())
        })?;
        read.in_scope.1 = found.in_scope.len() as u32 - read.in_scope.0;
        items::base_uri(r, &mut fields)?;
        match found.lists.get_mut(list as usize) {
            Some(place) => *place = read,
            None => self.more_lists |= read.in_scope.1 > 0,
        }
        self.r.leave(element)
    }

    /// The number of a name.
    fn name(&mut self, name: Name) -> Result<u32, Error> {
        self.state.found.name(name, self.r.position())
    }

    /// The number of a string.
    fn text(&mut self, text: Text) -> Result<u32, Error> {
        self.state.found.text(text, self.r.position())
    }

    fn special(&mut self, special: Special) -> Token {
        let number = self.state.found.specials.len() as u32;
        self.state.found.specials.push(special);
        Token::new(Kind::Special, false, 0, number)
    }

    fn check_depth(&self) -> Result<(), Error> {
        if self.state.open.len() < self.state.depth { Ok(()) } else { Err(self.too_deep()) }
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&self) -> Error {
        let found = "an element one level deeper";
        Error::limit(FORMAT, 0, found, "depth", self.limits.depth.into()).at_bit(self.r.position())
    }

    /// Adds the path of open elements to an error, as their numbers among their siblings: the message has their names
    /// further on.
    #[cold]
    fn located(&self, error: &Error) -> Error {
        let mut path = String::new();
        if self.root.is_some() && !self.state.open.is_empty() {
            path.push_str("/*");
        }
        for (n, level) in self.state.open.iter().enumerate().take(PATH_LEVELS) {
            match level.elements {
                0 => {}
                _ if n + 1 == self.state.open.len() && !self.at_element => {}
                1 => path.push_str("/*"),
                n => path.push_str(&format!("/*[{n}]")),
            }
        }
        if self.state.open.len() > PATH_LEVELS {
            path.push_str("/…");
        }
        error.clone().met_in(FORMAT, error.offset()).in_path(path)
    }
}

impl ScanResults {
    fn name(&mut self, name: Name, at: u64) -> Result<u32, Error> {
        let (number, literal) = match name {
            Name::Common(index) => (index, 0),
            Name::Literal(name) => {
                self.literal_names.push(name);
                (self.literal_names.len() as u32 - 1, LITERAL_NAME)
            }
        };
        if number < LITERAL_NAME {
            return Ok(number | literal);
        }
        Err(Error::limit(FORMAT, 0, "the index of a name", "index", u64::from(LITERAL_NAME) - 1).at_bit(at))
    }

    fn text(&mut self, text: Text, at: u64) -> Result<u32, Error> {
        match text {
            // No table has so many.
            Text::Index(index) => Ok(index.min(LITERAL - 1)),
            Text::Literal(octets) if self.literals.len() < MOST_LITERALS => {
                self.literals.push(octets);
                Ok(LITERAL | (self.literals.len() as u32 - 1))
            }
            Text::Literal(_) => {
                let found = "one more string in its place";
                Err(Error::limit(FORMAT, 0, found, "strings", MOST_LITERALS as u64).at_bit(at))
            }
        }
    }
}

impl List {
    fn is_empty(&self) -> bool {
        self.attributes == 0 && self.namespaces == 0 && self.in_scope.1 == 0
    }
}

/// The most strings in place; higher numbers have another meaning.
const MOST_LITERALS: usize = 1 << 30;

/// The most levels shown in a path.
const PATH_LEVELS: usize = 64;

/// Reads a common name, with repeated parts filled in from the previous one.
fn common_name<R: Rules>(r: &mut R, before: Option<&LiteralName>) -> Result<LiteralName, Error> {
    let at = r.position();
    let (namespace, local, prefix) = items::common_name(r)?;
    let nothing = || syntax(at, "'same-as-previous-item' without a previous item", "an item before that has it");
    let namespace = match namespace {
        None => Namespace::None,
        Some(Part::Text(text)) => Namespace::Named(text),
        Some(Part::Same) => before.map(|name| name.namespace).filter(|n| *n != Namespace::None).ok_or_else(nothing)?,
    };
    let prefix = match prefix {
        None => None,
        Some(Part::Text(text)) => Some(text),
        Some(Part::Same) => Some(before.and_then(|name| name.prefix).ok_or_else(nothing)?),
    };
    Ok(LiteralName { namespace, local, prefix })
}

//! The names of elements and attributes, each prepared when first needed.

use std::collections::HashMap;

use tam::{Error, Row, Words};
use xml::name::is_name;
use xml::namespaces::{XML, XMLNS};

use crate::cursor::Value;
use crate::items::{LiteralName, Namespace, Text};
use crate::message::unreadable;
use crate::outline::LITERAL_NAME;
use crate::rules::FORMAT;
use crate::store::{Span, Store};

/// A name as a document has it: prefix, colon and local name in one text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Name {
    /// Empty if the name has not been needed yet.
    pub(crate) qualified: Span,
    /// Bytes of the prefix; 0 if there is none.
    prefix_len: u32,
    /// The number of the prefix; 0 if there is none.
    pub(crate) prefix: u32,
    /// The number of the namespace name; 0 if not given.
    pub(crate) namespace: u32,
    /// The number of the prefix that an attribute of this name declares, plus one.
    pub(crate) declares: u32,
    /// The scope in which the prefix of the name is bound to its namespace.
    bound_in: u32,
}

/// For a name that is valid in any scope.
const ANYWHERE: u32 = u32::MAX;

/// Numbers for distinct texts, from 1; 0 is the empty text.
#[derive(Debug, Default)]
struct TextNumbers {
    known: HashMap<Box<str>, u32>,
    /// The position of each, if it has one.
    pieces: Vec<Span>,
}

impl TextNumbers {
    fn number(&mut self, text: &str, piece: Span) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(number) = self.known.get(text) {
            if let Some(place) = self.pieces.get_mut(*number as usize - 1).filter(|place| place.len == 0) {
                *place = piece;
            }
            return *number;
        }
        self.pieces.push(piece);
        let number = self.pieces.len() as u32;
        self.known.insert(text.into(), number);
        number
    }

    fn piece(&self, number: u32) -> Span {
        number.checked_sub(1).and_then(|at| self.pieces.get(at as usize)).copied().unwrap_or_default()
    }
}

/// The names of a message.
#[derive(Debug)]
pub(crate) struct Names {
    /// The common names, from 1, as far as needed so far.
    ready: Vec<Name>,
    common: Vec<LiteralName>,
    /// The names in place, which are numbered when needed.
    literal: Vec<LiteralName>,
    distinct: Vec<Name>,
    /// Their numbers, by namespace name, local name and prefix.
    known: HashMap<[Box<str>; 3], u32>,
    prefixes: TextNumbers,
    namespaces: TextNumbers,
    /// The namespace name used last.
    last_namespace: (Span, u32),
    /// The current scope, and whether scopes are tracked.
    scope: u32,
    scoped: bool,
}

impl Names {
    /// The names. With `scoped`, a name is ready only where its prefix is bound.
    pub(crate) fn new(common: Vec<LiteralName>, literal: Vec<LiteralName>, scoped: bool) -> Names {
        let mut names = Names {
            ready: vec![Name::default(); common.len() + 1],
            common,
            literal,
            distinct: Vec::new(),
            known: HashMap::new(),
            prefixes: TextNumbers::default(),
            namespaces: TextNumbers::default(),
            last_namespace: (Span::default(), 0),
            scope: 1,
            scoped,
        };
        for (prefix, namespace) in [("xml", XML), ("xmlns", XMLNS)] {
            names.prefixes.number(prefix, Span::default());
            names.namespaces.number(namespace, Span::default());
        }
        names
    }

    /// The number of the namespace that a prefix is always bound to; 0 if none.
    pub(crate) fn bound_always(&self, prefix: u32) -> u32 {
        // The first two prefixes, and their namespaces.
        if prefix <= 2 { prefix } else { 0 }
    }

    /// A name by the number that [`Names::prepare`] returned.
    #[inline(always)]
    pub(crate) fn name(&self, number: u32) -> Name {
        match self.ready.get(number as usize) {
            Some(name) => *name,
            None => self.distinct.get((number & !LITERAL_NAME) as usize).copied().unwrap_or_default(),
        }
    }

    fn name_mut(&mut self, number: u32) -> Option<&mut Name> {
        match self.ready.get_mut(number as usize) {
            Some(name) => Some(name),
            None => self.distinct.get_mut((number & !LITERAL_NAME) as usize),
        }
    }

    /// Whether the number is that of a common name that is ready in the current scope.
    #[inline(always)]
    pub(crate) fn is_ready(&self, number: u32) -> bool {
        self.ready.get(number as usize).is_some_and(|name| name.bound_in == ANYWHERE || name.bound_in == self.scope)
    }

    /// Whether the number is that of a common name that was needed before, perhaps in another scope.
    #[inline(always)]
    pub(crate) fn is_prepared(&self, number: u32) -> bool {
        self.ready.get(number as usize).is_some_and(|name| name.qualified.len > 0)
    }

    /// Begins a scope with other bindings.
    pub(crate) fn next_scope(&mut self) {
        self.scope += 1;
        if self.scope == ANYWHERE {
            for name in self.ready.iter_mut().chain(&mut self.distinct).filter(|name| name.bound_in != ANYWHERE) {
                name.bound_in = 0;
            }
            self.scope = 1;
        }
    }

    /// Records that the prefix of a name is bound to its namespace in the current scope.
    pub(crate) fn set_bound(&mut self, number: u32) {
        let scope = self.scope;
        if let Some(name) = self.name_mut(number).filter(|name| name.bound_in != ANYWHERE) {
            name.bound_in = scope;
        }
    }

    /// The number of the prefix at a piece of a store's text.
    pub(crate) fn prefix<S: Store>(&mut self, piece: Span, store: &S) -> u32 {
        self.prefixes.number(store.str(piece), piece)
    }

    /// The number of the namespace name at a piece of a store's text. Declarations often repeat the last one.
    #[inline(always)]
    pub(crate) fn namespace<S: Store>(&mut self, piece: Span, store: &S) -> u32 {
        if self.last_namespace.0 != piece {
            self.last_namespace = (piece, self.namespaces.number(store.str(piece), piece));
        }
        self.last_namespace.1
    }

    /// The text of the namespace name with a number.
    pub(crate) fn namespace_text(&self, number: u32) -> Span {
        self.namespaces.piece(number)
    }

    /// Prepares a name, except for its scope, and returns its number: for a common name, that is its index.
    ///
    /// `before` are the names whose namespace a name in place may share: that of the element, and that of the previous
    /// attribute.
    #[cold]
    #[inline(never)]
    pub(crate) fn prepare<S: Store>(&mut self, number: u32, before: [u32; 2], store: &mut S) -> Result<u32, Error> {
        if let Some(literal) = number.checked_sub(LITERAL_NAME) {
            let Some(name) = self.literal.get(literal as usize).copied() else { return Ok(0) };
            return self.in_place(name, before, store);
        }
        let Some(common) = number.checked_sub(1).and_then(|at| self.common.get(at as usize)).copied() else {
            let expected = Words::Own(format!("1 to {}, the common names", self.common.len()));
            return Err(unreadable(format!("the index {number} of a name"), expected));
        };
        if self.name(number).qualified.len == 0 {
            let name = self.qualified(common, before, store)?;
            store.keep();
            if let Some(place) = self.ready.get_mut(number as usize) {
                *place = name;
            }
        }
        Ok(number)
    }

    /// The number of a name in place.
    fn in_place<S: Store>(&mut self, name: LiteralName, before: [u32; 2], store: &mut S) -> Result<u32, Error> {
        let name = self.qualified(name, before, store)?;
        let (prefix, local) = name.parts(store.str(name.qualified));
        let namespace = store.str(self.namespace_text(name.namespace));
        let key = [namespace, prefix.unwrap_or_default(), local].map(Box::from);
        if let Some(number) = self.known.get(&key) {
            return Ok(*number);
        }
        let number = LITERAL_NAME | self.distinct.len() as u32;
        self.distinct.push(name);
        store.keep();
        self.known.insert(key, number);
        Ok(number)
    }

    /// The number of the name of an attribute that declares a prefix.
    pub(crate) fn declaration<S: Store>(&mut self, prefix: u32, store: &mut S) -> Result<u32, Error> {
        let piece = self.prefixes.piece(prefix);
        let xmlns = store.push("xmlns")?;
        let name = if prefix == 0 { xmlns } else { store.push_name(xmlns, piece)? };
        let number = LITERAL_NAME | self.distinct.len() as u32;
        let prefix_len = if prefix == 0 { 0 } else { xmlns.len };
        store.keep();
        self.distinct.push(Name { qualified: name, prefix_len, bound_in: ANYWHERE, ..Name::default() });
        Ok(number)
    }

    /// The first name that reads the same as one before it.
    #[inline(always)]
    pub(crate) fn repeated<'s, S: Store>(&self, names: &[Value<S::Text>], store: &'s S) -> Option<&'s str> {
        const FEW: usize = 12;
        if names.len() > FEW {
            let mut texts: Vec<&str> = names.iter().map(|name| store.str(self.name(name.name).qualified)).collect();
            texts.sort_unstable();
            return texts.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        }
        let mut before = names;
        while let Some((last, others)) = before.split_last() {
            before = others;
            let len = self.name(last.name).qualified.len;
            for other in others {
                if self.name(other.name).qualified.len == len && self.same(other.name, last.name, store) {
                    return Some(store.str(self.name(last.name).qualified));
                }
            }
        }
        None
    }

    /// Whether two names of the same length read the same.
    #[inline(never)]
    fn same<S: Store>(&self, a: u32, b: u32, store: &S) -> bool {
        a == b || store.str(self.name(a).qualified) == store.str(self.name(b).qualified)
    }

    fn qualified<S: Store>(
        &mut self,
        LiteralName { namespace, local, prefix }: LiteralName,
        [element, attribute]: [u32; 2],
        store: &mut S,
    ) -> Result<Name, Error> {
        let namespace = match namespace {
            Namespace::None => 0,
            Namespace::Named(text) => {
                let piece = store.get(text)?;
                self.namespaces.number(store.str(piece), piece)
            }
            Namespace::OfElement => self.name(element).namespace,
            Namespace::OfPrevious => self.name(attribute).namespace,
        };
        let prefix = store.get(prefix.unwrap_or(Text::EMPTY))?;
        let local = store.get(local)?;
        let mut name = Name { qualified: local, prefix_len: prefix.len, namespace, ..Name::default() };
        if prefix.len > 0 {
            name.prefix = self.prefixes.number(store.str(prefix), prefix);
            name.qualified = store.push_name(prefix, local)?;
        }
        let text = store.str(name.qualified);
        if !is_name(text) {
            let found = Words::Own(format!("the name '{}'", text.escape_debug()));
            return Err(unreadable(found, "an XML name"));
        }
        if text.len() > Row::MAX_NAME {
            return Err(Error::limit(FORMAT, 0, "a longer name", "name", Row::MAX_NAME as u64));
        }
        let is_whole = match text.split_once(':') {
            // With a prefix, the one colon must be between two nonempty parts.
            Some(("", _) | (_, "")) => prefix.len == 0,
            Some((before, after)) if prefix.len > 0 => before.len() == prefix.len as usize && !after.contains(':'),
            // Without a prefix, a colon must not look like one in a namespace.
            Some((_, after)) => namespace == 0 || after.contains(':'),
            None => true,
        };
        if !is_whole {
            let found = Words::Own(format!("the name '{text}' with a colon in its prefix or local name"));
            return Err(unreadable(found, "one colon alone, between them"));
        }
        name.declares = match text.strip_prefix("xmlns") {
            Some("") => 1,
            Some(rest) => rest.strip_prefix(':').map_or(0, |declared| {
                let Span { at, len } = name.qualified;
                let piece = Span { at: at + len - declared.len() as u32, len: declared.len() as u32 };
                self.prefixes.number(declared, piece) + 1
            }),
            None => 0,
        };
        // A name without a namespace is valid in any scope.
        let needs_scope = self.scoped && (name.namespace != 0 || name.declares != 0);
        name.bound_in = if needs_scope { 0 } else { ANYWHERE };
        Ok(name)
    }
}

impl Name {
    /// Prefix and local name of the qualified name.
    pub(crate) fn parts<'s>(&self, name: &'s str) -> (Option<&'s str>, &'s str) {
        match self.prefix_len as usize {
            0 => (None, name),
            len => (name.get(..len), name.get(len + 1..).unwrap_or_default()),
        }
    }
}

//! The names of elements and attributes, each made ready when it is wanted.

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

/// A name as a document has it: prefix, colon and local name side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Name {
    /// Nothing of a name that has not been wanted yet.
    pub(crate) qualified: Span,
    /// Bytes of the prefix, 0 where there is none.
    prefix_len: u32,
    /// The number of the prefix, 0 where there is none.
    pub(crate) prefix: u32,
    /// The number of the namespace name, 0 where none is told.
    pub(crate) namespace: u32,
    /// The number of the prefix that an attribute of this name declares, and one.
    pub(crate) declares: u32,
    /// In which scope the name can be told as it is: its prefix is bound to its namespace there.
    told_in: u32,
}

/// A name that can be told as it is in any scope.
const ANYWHERE: u32 = u32::MAX;

/// Texts that are told apart by numbers, from 1 on; 0 is the empty one.
#[derive(Debug, Default)]
struct Numbers {
    known: HashMap<Box<str>, u32>,
    /// Where each stands, if it does.
    pieces: Vec<Span>,
}

impl Numbers {
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
    /// The common names, from 1 on, as far as they have been wanted.
    ready: Vec<Name>,
    common: Vec<LiteralName>,
    /// Those that stand in their places, told apart when they are wanted.
    literal: Vec<LiteralName>,
    distinct: Vec<Name>,
    /// Their numbers, by namespace name, local name and prefix.
    known: HashMap<[Box<str>; 3], u32>,
    prefixes: Numbers,
    namespaces: Numbers,
    /// The namespace name that was told last.
    last_namespace: (Span, u32),
    /// The scope reached, and whether scopes are looked at.
    scope: u32,
    scoped: bool,
}

impl Names {
    /// The names, which are told as they are, or only where their prefixes are bound (`scoped`).
    pub(crate) fn new(common: Vec<LiteralName>, literal: Vec<LiteralName>, scoped: bool) -> Names {
        let mut names = Names {
            ready: vec![Name::default(); common.len() + 1],
            common,
            literal,
            distinct: Vec::new(),
            known: HashMap::new(),
            prefixes: Numbers::default(),
            namespaces: Numbers::default(),
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

    /// The number of the namespace that a prefix is bound to from the start; 0 if that is none.
    pub(crate) fn bound_always(&self, prefix: u32) -> u32 {
        // The first two prefixes, and their namespaces.
        if prefix <= 2 { prefix } else { 0 }
    }

    /// A name by the number that [`Names::prepare`] has given.
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

    /// Whether a number is that of a common name that can be told as it is.
    #[inline(always)]
    pub(crate) fn is_ready(&self, number: u32) -> bool {
        self.ready.get(number as usize).is_some_and(|name| name.told_in == ANYWHERE || name.told_in == self.scope)
    }

    /// Whether a number is that of a common name that has been wanted before, if in another scope.
    #[inline(always)]
    pub(crate) fn is_prepared(&self, number: u32) -> bool {
        self.ready.get(number as usize).is_some_and(|name| name.qualified.len > 0)
    }

    /// Other bindings hold than before.
    pub(crate) fn next_scope(&mut self) {
        self.scope += 1;
        if self.scope == ANYWHERE {
            for name in self.ready.iter_mut().chain(&mut self.distinct).filter(|name| name.told_in != ANYWHERE) {
                name.told_in = 0;
            }
            self.scope = 1;
        }
    }

    /// The prefix of a name is bound to its namespace in the scope reached.
    pub(crate) fn set_bound(&mut self, number: u32) {
        let scope = self.scope;
        if let Some(name) = self.name_mut(number).filter(|name| name.told_in != ANYWHERE) {
            name.told_in = scope;
        }
    }

    /// The number of the prefix that is a piece of a store's text.
    pub(crate) fn prefix<S: Store>(&mut self, piece: Span, store: &S) -> u32 {
        self.prefixes.number(store.str(piece), piece)
    }

    /// The number of the namespace name that is a piece of a store's text. One that is declared is often
    /// declared again.
    #[inline(always)]
    pub(crate) fn namespace<S: Store>(&mut self, piece: Span, store: &S) -> u32 {
        if self.last_namespace.0 != piece {
            self.last_namespace = (piece, self.namespaces.number(store.str(piece), piece));
        }
        self.last_namespace.1
    }

    /// The text of the namespace name of a number.
    pub(crate) fn namespace_text(&self, number: u32) -> Span {
        self.namespaces.piece(number)
    }

    /// The number of a name that is ready now, but for its scope: that of the index of a common name is
    /// the same.
    ///
    /// `before` are the names whose namespace a name in its place can have: that of the element, and
    /// that of the attribute before.
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

    /// The number of a name that stands in its place.
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
        self.distinct.push(Name { qualified: name, prefix_len, told_in: ANYWHERE, ..Name::default() });
        Ok(number)
    }

    /// Whether two of several names read the same: the first that reads as one before it.
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

    /// Whether two names as long as each other read the same.
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
            // With a prefix one colon is what stands between, and something on both sides.
            Some(("", _) | (_, "")) => prefix.len == 0,
            Some((before, behind)) if prefix.len > 0 => before.len() == prefix.len as usize && !behind.contains(':'),
            // Without one it is none that could be taken for a prefix in a namespace.
            Some((_, behind)) => namespace == 0 || behind.contains(':'),
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
        // Where no namespace is told, none can be wrong.
        let needs_scope = self.scoped && (name.namespace != 0 || name.declares != 0);
        name.told_in = if needs_scope { 0 } else { ANYWHERE };
        Ok(name)
    }
}

impl Name {
    /// Prefix and local name of what `qualified` is.
    pub(crate) fn parts<'s>(&self, name: &'s str) -> (Option<&'s str>, &'s str) {
        match self.prefix_len as usize {
            0 => (None, name),
            len => (name.get(..len), name.get(len + 1..).unwrap_or_default()),
        }
    }
}

//! The names of elements and attributes, each made ready when it is wanted.

use std::collections::HashMap;

use tam::{Error, Row, Words};

use crate::chars::is_name;
use crate::cursor::Value;
use crate::items::{LiteralName, Namespace};
use crate::message::unreadable;
use crate::outline::LITERAL_NAME;
use crate::store::{Span, Store};

/// A name as a document has it: prefix, colon and local name side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Name {
    /// Nothing of a name that has not been wanted yet.
    pub(crate) qualified: Span,
    /// Bytes of the prefix, 0 where there is none.
    pub(crate) prefix_len: u32,
    /// The namespace name, empty where there is none.
    pub(crate) namespace: Span,
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
}

impl Names {
    pub(crate) fn new(common: Vec<LiteralName>, literal: Vec<LiteralName>) -> Names {
        Names {
            ready: vec![Name::default(); common.len() + 1],
            common,
            literal,
            distinct: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// A name by the number that [`Names::prepare`] has given.
    #[inline(always)]
    pub(crate) fn name(&self, number: u32) -> Name {
        match self.ready.get(number as usize) {
            Some(name) => *name,
            None => self.distinct.get((number & !LITERAL_NAME) as usize).copied().unwrap_or_default(),
        }
    }

    /// Whether a number is that of a common name that is ready.
    #[inline(always)]
    pub(crate) fn is_ready(&self, number: u32) -> bool {
        self.ready.get(number as usize).is_some_and(|name| name.qualified.len > 0)
    }

    /// The number of a name that is ready now: that of the index of a common name is the same.
    ///
    /// `before` are the names whose namespace a name in its place can have: that of the element, and
    /// that of the attribute before.
    #[cold]
    #[inline(never)]
    pub(crate) fn prepare<S: Store>(&mut self, number: u32, before: [u32; 2], store: &mut S) -> Result<u32, Error> {
        if let Some(literal) = number.checked_sub(LITERAL_NAME) {
            return self.literal(literal, before, store);
        }
        let Some(common) = number.checked_sub(1).and_then(|at| self.common.get(at as usize)) else {
            let expected = Words::Own(format!("1 to {}, the common names", self.common.len()));
            return Err(unreadable(format!("the index {number} of a name"), expected));
        };
        let name = self.qualified(*common, before, store)?;
        store.keep();
        if let Some(place) = self.ready.get_mut(number as usize) {
            *place = name;
        }
        Ok(number)
    }

    /// The number of a name that stands in its place.
    fn literal<S: Store>(&mut self, literal: u32, before: [u32; 2], store: &mut S) -> Result<u32, Error> {
        let Some(name) = self.literal.get(literal as usize).copied() else { return Ok(0) };
        let name = self.qualified(name, before, store)?;
        let (prefix, local) = name.parts(store.str(name.qualified));
        let key = [store.str(name.namespace), prefix.unwrap_or_default(), local].map(Box::from);
        if let Some(number) = self.known.get(&key) {
            return Ok(*number);
        }
        let number = LITERAL_NAME | self.distinct.len() as u32;
        self.distinct.push(name);
        store.keep();
        self.known.insert(key, number);
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
        &self,
        LiteralName { namespace, local, prefix }: LiteralName,
        [element, attribute]: [u32; 2],
        store: &mut S,
    ) -> Result<Name, Error> {
        let namespace = match namespace {
            Namespace::None => Span::default(),
            Namespace::Named(text) => store.get(text)?,
            Namespace::OfElement => self.name(element).namespace,
            Namespace::OfPrevious => self.name(attribute).namespace,
        };
        let Some(prefix) = prefix else { return checked(store.get(local)?, Span::default(), namespace, store) };
        let (prefix, local) = (store.get(prefix)?, store.get(local)?);
        if prefix.len == 0 {
            return checked(local, prefix, namespace, store);
        }
        if local.len == 0 {
            return Err(unreadable("a name with a prefix alone", "an XML name"));
        }
        let name = store.push_name(prefix, local)?;
        checked(name, prefix, namespace, store)
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

/// A name that is one.
fn checked<S: Store>(name: Span, prefix: Span, namespace: Span, store: &S) -> Result<Name, Error> {
    let text = store.str(name);
    if !is_name(text) {
        let found = Words::Own(format!("the name '{}'", text.escape_debug()));
        return Err(unreadable(found, "an XML name"));
    }
    if name.len as usize > Row::MAX_NAME {
        return Err(Error::limit(crate::rules::FORMAT, 0, "a longer name", "name", Row::MAX_NAME as u64));
    }
    Ok(Name { qualified: name, prefix_len: prefix.len, namespace })
}

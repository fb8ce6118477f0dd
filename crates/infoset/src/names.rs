//! The names of elements and attributes, each made ready when it is wanted.

use std::collections::HashMap;

use tam::{Error, Row, Words};

use crate::chars::is_name;
use crate::items::{LiteralName, Namespace, Text};
use crate::rules::{Rules, syntax};
use crate::strings::{Span, Strings};

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
    /// The common names, from 1 on, and behind them those that stood in their places.
    ready: Vec<Name>,
    common: Vec<LiteralName>,
    /// Those that stood in their places, by namespace name, local name and prefix.
    literal: HashMap<[Box<str>; 3], u32>,
}

impl Names {
    pub(crate) fn new(common: Vec<LiteralName>) -> Names {
        Names { ready: vec![Name::default(); common.len() + 1], common, literal: HashMap::new() }
    }

    /// A name by its number, which is one that [`Names::common`] or [`Names::literal`] has let pass.
    #[inline(always)]
    pub(crate) fn name(&self, number: u32) -> Name {
        self.ready.get(number as usize).copied().unwrap_or_default()
    }

    /// Makes sure that the common name of an index is there.
    #[inline(always)]
    pub(crate) fn common<R: Rules>(&mut self, index: u32, strings: &mut Strings, r: &R) -> Result<u32, Error> {
        match self.ready.get(index as usize) {
            Some(name) if name.qualified.len > 0 => Ok(index),
            _ => self.prepare(index, strings, r),
        }
    }

    #[cold]
    #[inline(never)]
    fn prepare<R: Rules>(&mut self, index: u32, strings: &mut Strings, r: &R) -> Result<u32, Error> {
        let Some(common) = index.checked_sub(1).and_then(|at| self.common.get(at as usize)) else {
            let found = format!("the index {index} of a name");
            let expected = Words::Own(format!("1 to {}, the common names", self.common.len()));
            return Err(syntax(r.position(), found, expected));
        };
        let namespace = match common.namespace {
            Namespace::Named(text) => strings.get(text, r)?,
            _ => Span::default(),
        };
        let local = strings.get(common.local, r)?;
        let prefix = strings.get(common.prefix.unwrap_or(Text::EMPTY), r)?;
        let name = qualified(namespace, local, prefix, strings, r)?;
        if let Some(place) = self.ready.get_mut(index as usize) {
            *place = name;
        }
        Ok(index)
    }

    /// The number of a name that stands in its place.
    #[cold]
    pub(crate) fn literal<R: Rules>(
        &mut self,
        namespace: Span,
        local: Text,
        prefix: Option<Text>,
        strings: &mut Strings,
        r: &R,
    ) -> Result<u32, Error> {
        let local = strings.get(local, r)?;
        let prefix = strings.get(prefix.unwrap_or(Text::EMPTY), r)?;
        let key = [namespace, local, prefix].map(|span| Box::from(strings.str(span)));
        if let Some(number) = self.literal.get(&key) {
            return Ok(*number);
        }
        let name = qualified(namespace, local, prefix, strings, r)?;
        let number = self.ready.len() as u32;
        self.ready.push(name);
        self.literal.insert(key, number);
        Ok(number)
    }
}

fn qualified<R: Rules>(
    namespace: Span,
    local: Span,
    prefix: Span,
    strings: &mut Strings,
    r: &R,
) -> Result<Name, Error> {
    let mut name = local;
    if prefix.len > 0 {
        let both = format!("{}:{}", strings.str(prefix), strings.str(local));
        name = strings.push(&both, r)?;
    }
    let text = strings.str(name);
    if !is_name(text) || prefix.len > 0 && local.len == 0 {
        let found = Words::Own(format!("the name '{}'", text.escape_debug()));
        return Err(syntax(r.position(), found, "an XML name"));
    }
    if name.len as usize > Row::MAX_NAME {
        return Err(Error::limit(crate::rules::FORMAT, 0, "a longer name", "name", Row::MAX_NAME as u64));
    }
    Ok(Name { qualified: name, prefix_len: prefix.len, namespace })
}

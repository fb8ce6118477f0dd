//! The size of the text of a message when every reference to a string is counted.
//!
//! A message contains a string once and can refer to it a million times, so neither its length nor the strings limit
//! the result. Usually a bound suffices: the number of references times the longest string is within the limit. Only if
//! it is not are the references counted.

use std::collections::HashMap;

use tam::Error;

use crate::items::{Declared, Instruction, LiteralName, Namespace, Text};
use crate::message::Message;
use crate::outline::{Kind, LITERAL, LITERAL_NAME, Outline, Special};
use crate::rules::FORMAT;
use crate::store::Span;

/// The references of a message to strings.
#[derive(Debug)]
pub(crate) struct References {
    /// An upper bound of the number of references.
    most: u64,
    /// Bytes of the longest string so far.
    longest: u64,
    counted: Option<Box<Counted>>,
}

/// Counted references.
#[derive(Debug)]
struct Counted {
    /// The number of references to each string, by index.
    uses: HashMap<u32, u32>,
    /// Bytes of all references to the strings so far.
    bytes: u64,
}

impl References {
    /// The references of a message.
    pub(crate) fn new(message: &Message<'_>, outline: &Outline) -> Result<References, Error> {
        let mut references = References { most: most(outline), longest: 0, counted: None };
        let parts = outline.names.iter().flat_map(|name| [Some(name.local), name.prefix]).flatten();
        let longest = parts.map(|part| if let Text::Literal(octets) = part { octets.len } else { 0 }).max();
        references.met(longest.unwrap_or(0), 0, core::iter::empty(), message)?;
        Ok(references)
    }

    /// A block at a bit of the message has been opened: the index of its first string, and the positions of its
    /// strings. `before` are the strings of the blocks opened before it, by index and length.
    pub(crate) fn opened(
        &mut self,
        at: u64,
        first: u32,
        spans: &[Span],
        before: impl Iterator<Item = (u32, u32)>,
        message: &Message<'_>,
    ) -> Result<(), Error> {
        let longest = spans.iter().map(|span| span.len).max().unwrap_or(0);
        let before = before.take(if self.counted.is_none() { usize::MAX } else { 0 });
        let block = (first..).zip(spans).map(|(index, span)| (index, span.len));
        self.met(longest.into(), at, before.chain(block), message)
    }

    /// Strings have been found, of which the longest has `longest` bytes.
    fn met(
        &mut self,
        longest: u64,
        at: u64,
        strings: impl Iterator<Item = (u32, u32)>,
        message: &Message<'_>,
    ) -> Result<(), Error> {
        self.longest = self.longest.max(longest);
        if self.most.saturating_mul(self.longest) <= message.limits.decompressed_bytes.into() {
            return Ok(());
        }
        self.count(strings, at, message)
    }

    #[cold]
    #[inline(never)]
    fn count(
        &mut self,
        strings: impl Iterator<Item = (u32, u32)>,
        at: u64,
        message: &Message<'_>,
    ) -> Result<(), Error> {
        let counted = match &mut self.counted {
            Some(counted) => counted,
            // The outline has been consumed, so the references are found again.
            place => place.insert(Box::new(Counted::of(&message.scan()?))),
        };
        for (index, len) in strings {
            let uses = counted.uses.get(&index).copied().unwrap_or(0);
            counted.bytes = counted.bytes.saturating_add(u64::from(uses) * u64::from(len));
        }
        let limit = u64::from(message.limits.decompressed_bytes);
        if counted.bytes <= limit {
            return Ok(());
        }
        let found = "text that comes to more with every reference to a string";
        Err(Error::limit(FORMAT, 0, found, "decompressed_bytes", limit).at_bit(at))
    }
}

/// An upper bound of the number of references.
fn most(outline: &Outline) -> u64 {
    let names = outline.tokens.len() + outline.attributes.len();
    let rare = outline.specials.len() + outline.in_doctype.len() + outline.literal_names.len();
    let declared = outline.notations.len() + outline.unparsed_entities.len();
    // A name and a value each, with the name in three parts; a prefix and its namespace.
    (4 * names + 3 * rare + 4 * declared + 2 * outline.in_scope.len()) as u64
}

impl Counted {
    fn of(outline: &Outline) -> Counted {
        let mut counted = Counted { uses: HashMap::new(), bytes: 0 };
        let mut names = vec![0_u32; outline.names.len() + 1];
        let mut name = |number: u32| {
            if let Some(uses) = names.get_mut(number as usize).filter(|_| number < LITERAL_NAME) {
                *uses = uses.saturating_add(1);
            }
        };
        for token in &outline.tokens {
            if matches!(token.kind(), Kind::Open | Kind::Leaf) {
                name(token.name());
            }
            if matches!(token.kind(), Kind::Text | Kind::Leaf) {
                counted.number(token.value());
            }
        }
        for attribute in &outline.attributes {
            name(attribute.name);
            counted.number(attribute.value);
        }
        for (parts, uses) in outline.names.iter().zip(names.iter().skip(1)) {
            counted.name(parts, *uses);
        }
        outline.literal_names.iter().for_each(|parts| counted.name(parts, 1));
        for (prefix, namespace) in &outline.in_scope {
            counted.text(*prefix, 1);
            counted.text(Some(*namespace), 1);
        }
        for special in &outline.specials {
            match *special {
                Special::Comment(text) => counted.text(Some(text), 1),
                Special::Instruction(instruction) => counted.instruction(instruction),
                Special::Doctype { public, system } => {
                    counted.text(public, 1);
                    counted.text(system, 1);
                }
                Special::Binary(_) | Special::EntityReference(_) => {}
            }
        }
        outline.in_doctype.iter().for_each(|instruction| counted.instruction(*instruction));
        let declared = outline.notations.iter().chain(&outline.unparsed_entities).chain(&outline.entity_references);
        for Declared { name, system, public, notation } in declared {
            [Some(*name), *system, *public, *notation].into_iter().for_each(|text| counted.text(text, 1));
        }
        counted
    }

    fn number(&mut self, number: u32) {
        // A string in place counts once for each occurrence.
        if number < LITERAL {
            self.uses(number, 1);
        }
    }

    fn uses(&mut self, index: u32, uses: u32) {
        let place = self.uses.entry(index).or_default();
        *place = place.saturating_add(uses);
    }

    fn text(&mut self, text: Option<Text>, uses: u32) {
        match text {
            None => {}
            Some(Text::Index(index)) => self.uses(index, uses),
            Some(Text::Literal(octets)) if uses > 1 => {
                self.bytes = self.bytes.saturating_add(octets.len * u64::from(uses));
            }
            Some(Text::Literal(_)) => {}
        }
    }

    fn name(&mut self, name: &LiteralName, uses: u32) {
        self.text(Some(name.local), uses);
        self.text(name.prefix, uses);
        // A namespace of this name is looked up once.
        if let Namespace::Named(namespace) = name.namespace {
            self.text(Some(namespace), uses.min(1));
        }
    }

    fn instruction(&mut self, Instruction { target, content }: Instruction) {
        self.text(Some(target), 1);
        self.text(Some(content), 1);
    }
}

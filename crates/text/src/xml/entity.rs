//! Entities: their replacement text, and attribute values that refer to them (XML 1.0 section 4).

use core::ops::Range;
use std::collections::HashMap;

use tam::{Error, ErrorKind, Words};

use super::encoding::Text;
use super::markup::{Reference, push, reference};
use super::scan::value_run_end;

/// The position of an entity's replacement text.
#[derive(Clone, Debug)]
pub(crate) struct Replacement<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) range: Range<usize>,
}

/// An entity by its declaration.
#[derive(Debug)]
pub(crate) struct Entity<'a> {
    pub(crate) name: Box<str>,
    pub(crate) kind: Kind<'a>,
    /// Whether the declaration is in the replacement text of a parameter entity.
    pub(crate) in_parameter: bool,
}

#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Internal(Replacement<'a>),
    External,
    Unparsed,
}

/// Entities of one kind, general or parameter. The first declaration of a name holds.
#[derive(Debug, Default)]
pub(crate) struct Declared<'a> {
    list: Vec<Entity<'a>>,
    numbers: HashMap<Box<[u8]>, usize>,
}

impl<'a> Declared<'a> {
    pub(crate) fn get(&self, name: &[u8]) -> Option<(usize, &Entity<'a>)> {
        let number = *self.numbers.get(name)?;
        Some((number, self.list.get(number)?))
    }

    pub(crate) fn name(&self, number: usize) -> &str {
        self.list.get(number).map_or("", |entity| &entity.name)
    }

    pub(crate) fn declare(&mut self, entity: Entity<'a>) {
        let name: Box<[u8]> = entity.name.as_bytes().into();
        if !self.numbers.contains_key(&name) {
            self.numbers.insert(name, self.list.len());
            self.list.push(entity);
        }
    }
}

/// The general entities of a document, and what is known of those it does not declare.
#[derive(Debug, Default)]
pub(crate) struct Entities<'a> {
    pub(crate) general: Declared<'a>,
    /// Whether an external subset or a parameter entity could declare more.
    pub(crate) more_outside: bool,
    /// Whether the XML declaration says `standalone="yes"`.
    pub(crate) standalone: bool,
}

impl<'a> Entities<'a> {
    /// The replacement text of an entity that is referred to at `at`.
    pub(crate) fn replacement(
        &self,
        name: &[u8],
        at: usize,
        in_attribute: bool,
    ) -> Result<(usize, &Replacement<'a>), Error> {
        let Some((number, entity)) = self.general.get(name) else {
            return Err(self.undeclared(name, at));
        };
        if self.standalone && entity.in_parameter {
            let found = "an entity declared in a parameter entity";
            return Err(refusal(
                ErrorKind::Syntax,
                name,
                at,
                found,
                "its declaration in the document, which is standalone",
            ));
        }
        match &entity.kind {
            Kind::Internal(replacement) => Ok((number, replacement)),
            Kind::Unparsed => Err(refusal(ErrorKind::Syntax, name, at, "an unparsed entity", "a parsed entity")),
            Kind::External if in_attribute => {
                let expected = "only internal entities in an attribute value";
                Err(refusal(ErrorKind::Syntax, name, at, "an external entity", expected))
            }
            Kind::External => {
                let expected = "entities whose text is in the document";
                Err(refusal(ErrorKind::Unsupported, name, at, "an external entity", expected))
            }
        }
    }

    #[cold]
    fn undeclared(&self, name: &[u8], at: usize) -> Error {
        let found = "an undeclared entity";
        if self.more_outside && !self.standalone {
            let expected = "entities declared in the document (external ones are not read)";
            return refusal(ErrorKind::Unsupported, name, at, found, expected);
        }
        refusal(ErrorKind::Syntax, name, at, found, "a declared entity")
    }
}

#[cold]
fn refusal(kind: ErrorKind, name: &[u8], at: usize, what: &str, expected: &'static str) -> Error {
    let found = Words::Own(format!("'&{};', {what}", String::from_utf8_lossy(name)));
    Error::new(kind, "xml", at as u64, found, expected)
}

/// What expanding entities has cost, and which of them are being expanded.
#[derive(Debug)]
pub(crate) struct Expansion {
    budget: tam::Expansion,
    open: Nesting,
}

impl Expansion {
    pub(crate) fn new(budget: tam::Expansion) -> Expansion {
        Expansion { budget, open: Nesting::default() }
    }

    /// Counts text that is not in the document itself.
    pub(crate) fn count(&mut self, bytes: usize, at: usize) -> Result<(), Error> {
        self.budget.charge(bytes).map_err(|exceeded| exceeded.error("xml", at as u64, "more text from entities"))
    }

    /// Begins the expansion of an entity, which may not hold itself. Even without text a reference
    /// counts as a byte.
    pub(crate) fn open(&mut self, number: usize, name: &[u8], bytes: usize, at: usize) -> Result<(), Error> {
        self.count(bytes.max(1), at)?;
        self.open.begin(number, name, at)
    }

    /// Ends all expansions, where one went wrong and it does not matter.
    pub(crate) fn abandon(&mut self) {
        self.open = Nesting::default();
    }

    pub(crate) fn close(&mut self, number: usize) {
        self.open.end(number);
    }
}

/// Which entities of one kind are being expanded, by number.
#[derive(Debug, Default)]
pub(crate) struct Nesting {
    open: Vec<bool>,
}

impl Nesting {
    pub(crate) fn begin(&mut self, number: usize, name: &[u8], at: usize) -> Result<(), Error> {
        if self.open.len() <= number {
            self.open.resize(number + 1, false);
        }
        if core::mem::replace(&mut self.open[number], true) {
            return Err(refusal(ErrorKind::Syntax, name, at, "an entity within itself", "no recursion"));
        }
        Ok(())
    }

    pub(crate) fn end(&mut self, number: usize) {
        if let Some(open) = self.open.get_mut(number) {
            *open = false;
        }
    }
}

/// An attribute value as it is written: `bytes[range]`, in the document itself (whose line ends
/// are to be normalised) or in the replacement text of an entity.
pub(crate) struct Written<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) range: Range<usize>,
    pub(crate) in_document: bool,
}

/// Appends the normalised attribute value (section 3.3.3, as of type CDATA): references are
/// resolved, white space becomes spaces.
pub(crate) fn push_value(
    out: &mut String,
    value: &Written<'_>,
    entities: &Entities<'_>,
    expansion: &mut Expansion,
) -> Result<(), Error> {
    let mut outer: Vec<(&[u8], usize, usize)> = Vec::new();
    let mut text = &value.bytes[..value.range.end];
    let mut at = value.range.start;
    let mut number = usize::MAX;
    let mut referred_at = 0;
    loop {
        let end = value_run_end(text, at);
        push(out, &text[at..end]);
        let place = if outer.is_empty() { end } else { referred_at };
        at = end + 1;
        match text.get(end) {
            None => {
                let Some(saved) = outer.pop() else {
                    return Ok(());
                };
                expansion.close(number);
                (text, at, number) = saved;
            }
            Some(b'<') => return Err(less_than(entities, number, place)),
            Some(b'&') => {
                // A reference never extends beyond the quote. Errors show the text after it.
                let whole = if outer.is_empty() { value.bytes } else { text };
                let (reference, next) =
                    reference(whole, end).map_err(|error| inside(error, !outer.is_empty(), place))?;
                at = next;
                match reference {
                    Reference::Char(c) => out.push(c),
                    Reference::Entity(name) => {
                        let (inner, replacement) = entities.replacement(name, place, true)?;
                        expansion.open(inner, name, replacement.range.len(), place)?;
                        referred_at = place;
                        outer.push((text, at, number));
                        text = &replacement.text.as_str().as_bytes()[..replacement.range.end];
                        (at, number) = (replacement.range.start, inner);
                    }
                }
            }
            Some(b'\r') => {
                out.push(' ');
                if outer.is_empty() && value.in_document && text.get(at) == Some(&b'\n') {
                    at += 1;
                }
            }
            Some(&c @ (b'"' | b'\'')) => out.push(char::from(c)),
            Some(_) => out.push(' '),
        }
    }
}

/// An error in the text of an entity, with the position of the reference to it.
fn inside(error: Error, nested: bool, at: usize) -> Error {
    if !nested {
        return error;
    }
    let found = match error.kind() {
        ErrorKind::Incomplete => Words::Text("the end of the text of an entity"),
        _ => Words::Own(format!("{} in the text of an entity", error.found())),
    };
    Error::new(ErrorKind::Syntax, "xml", at as u64, found, error.expected().clone())
}

#[cold]
fn less_than(entities: &Entities<'_>, number: usize, at: usize) -> Error {
    let name = entities.general.name(number);
    let found = if name.is_empty() { Words::Byte(b'<') } else { Words::Own(format!("'<' in the text of '&{name};'")) };
    Error::new(ErrorKind::Syntax, "xml", at as u64, found, "no '<' in an attribute value ('&lt;')")
}

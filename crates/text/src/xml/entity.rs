//! Entities: their replacement text, and attribute values that refer to them (XML 1.0 section 4).

use core::ops::Range;
use std::collections::HashMap;

use tam::{Error, ErrorKind, Words};

use super::encoding::Text;
use super::markup::{Reference, push, reference};
use super::outside::Outside;
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
    /// Whether the declaration is in the external subset, or in the replacement text of a parameter entity.
    pub(crate) in_parameter: bool,
}

#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Internal(Replacement<'a>),
    External(External<'a>),
    Unparsed,
}

/// An external entity that is parsed.
#[derive(Debug)]
pub(crate) struct External<'a> {
    /// What its source calls it.
    pub(crate) name: Box<str>,
    /// Its text, once it has been referred to and there is a source.
    pub(crate) text: Option<Replacement<'a>>,
}

impl<'a> External<'a> {
    /// Its text, which is loaded at the first reference; `None`, if there is no source.
    pub(crate) fn text(
        &mut self,
        outside: Option<&Outside<'_>>,
        at: usize,
        expansion: &Expansion,
    ) -> Result<Option<&Replacement<'a>>, Error> {
        if let (None, Some(outside)) = (&self.text, outside) {
            self.text = Some(outside.load(&self.name, at, expansion)?);
        }
        Ok(self.text.as_ref())
    }
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

    pub(crate) fn get_mut(&mut self, name: &[u8]) -> Option<(usize, &mut Entity<'a>)> {
        let number = *self.numbers.get(name)?;
        Some((number, self.list.get_mut(number)?))
    }

    /// The file of an external entity.
    pub(crate) fn file(&self, number: usize) -> Option<&str> {
        match &self.list.get(number)?.kind {
            Kind::External(external) => Some(&external.name),
            _ => None,
        }
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
    /// Whether there is an external subset or a reference to a parameter entity. A reference to an undeclared entity
    /// is then no error of well-formedness (section 4.1).
    pub(crate) has_outside: bool,
    /// Whether some of that was not read, and could declare more.
    pub(crate) unread: bool,
    /// Whether the XML declaration says `standalone="yes"`.
    pub(crate) standalone: bool,
}

impl<'a> Entities<'a> {
    /// The replacement text of an entity that is referred to at `at`.
    pub(crate) fn replacement(&self, name: &[u8], at: usize, by: Referrer) -> Result<(usize, &Replacement<'a>), Error> {
        let Some((number, entity)) = self.general.get(name) else {
            return Err(self.undeclared(name, at));
        };
        if self.standalone && entity.in_parameter && by != Referrer::Default {
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
            Kind::External(_) if by != Referrer::Content => {
                let expected = "only internal entities in an attribute value";
                Err(refusal(ErrorKind::Syntax, name, at, "an external entity", expected))
            }
            Kind::External(External { text: Some(replacement), .. }) => Ok((number, replacement)),
            Kind::External(_) => {
                let expected = "entities whose text is in the document";
                Err(refusal(ErrorKind::Unsupported, name, at, "an external entity", expected))
            }
        }
    }

    /// Whether an entity that content refers to is external and its text is not known, or may be declared where nothing was read
    /// (section 4.1, "Entity Declared").
    pub(crate) fn is_unknown(&self, name: &[u8]) -> bool {
        match self.general.get(name) {
            Some((_, Entity { kind: Kind::External(External { text: None, .. }), in_parameter, .. })) => {
                !(self.standalone && *in_parameter)
            }
            Some(_) => false,
            None => self.has_outside && !self.standalone,
        }
    }

    #[cold]
    fn undeclared(&self, name: &[u8], at: usize) -> Error {
        let found = "an undeclared entity";
        if self.is_unknown(name) {
            let expected = match self.unread {
                true => "entities declared in the document (external ones are not read)",
                false => "a declared entity",
            };
            return refusal(ErrorKind::Unsupported, name, at, found, expected);
        }
        refusal(ErrorKind::Syntax, name, at, found, "a declared entity")
    }
}

/// Where a reference to an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Referrer {
    Content,
    /// An attribute value in the document.
    Value,
    /// A default in the external subset or in a parameter entity.
    Default,
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
        self.budget.charge(bytes).map_err(|_| self.exceeded(at))
    }

    /// Bytes that may yet be counted.
    pub(crate) fn left(&self) -> u64 {
        self.budget.left()
    }

    /// The error of more than that, at `at`.
    #[cold]
    pub(crate) fn exceeded(&self, at: usize) -> Error {
        self.budget.exceeded().error("xml", at as u64, "more text from entities")
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
    pub(crate) by: Referrer,
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
                        let (inner, replacement) = entities.replacement(name, place, value.by)?;
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
    let kind = if error.kind() == ErrorKind::Incomplete { ErrorKind::Syntax } else { error.kind() };
    Error::new(kind, "xml", at as u64, found, error.expected().clone())
}

#[cold]
fn less_than(entities: &Entities<'_>, number: usize, at: usize) -> Error {
    let name = entities.general.name(number);
    let found = if name.is_empty() { Words::Byte(b'<') } else { Words::Own(format!("'<' in the text of '&{name};'")) };
    Error::new(ErrorKind::Syntax, "xml", at as u64, found, "no '<' in an attribute value ('&lt;')")
}

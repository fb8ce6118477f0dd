//! What an element has beyond its numbered attributes, text and elements: the value of its row `(*)`.
//!
//! Each item is a place, a character for its kind, the number of bytes after the colon, and these bytes. So
//! `2+3: c ` is the comment ` c ` after two elements. Backslashes mark characters that would need references in a row.
//! `docs/formats/tdxml.md` has the grammar.

use std::borrow::Cow;
use std::fmt::Write;

use tam::{Error, Words};

use crate::FORMAT;
use crate::place::{schema, syntax};
use crate::schema::{DataSchema, NONE};

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A declaration of a namespace of the schema: `prefix=number`.
    Namespace,
    /// An attribute: `name=value`.
    Attribute,
    /// The prefix of the element, or of an attribute: `prefix`, `number=prefix`.
    Prefix,
    Text,
    Comment,
    Instruction,
    Doctype,
    /// An element as XML.
    Element,
}

impl Kind {
    const ALL: [(u8, Kind); 8] = [
        (b'=', Kind::Namespace),
        (b'@', Kind::Attribute),
        (b':', Kind::Prefix),
        (b'\'', Kind::Text),
        (b'+', Kind::Comment),
        (b'?', Kind::Instruction),
        (b'!', Kind::Doctype),
        (b'<', Kind::Element),
    ];
}

/// The place of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// After this many elements with rows; among the text before all elements, after this many bytes.
    Inside(u32, u32),
    /// Before the root element, in the list around it.
    Before,
    /// After the root element.
    After,
}

/// An item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'t> {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
}

/// Appends an item.
pub(crate) fn push(out: &mut String, place: Place, kind: Kind, text: &[&str]) {
    let _ = match place {
        Place::Inside(0, 0) => Ok(()),
        Place::Inside(children, 0) => write!(out, "{children}"),
        Place::Inside(children, offset) => write!(out, "{children}.{offset}"),
        Place::Before => out.write_char('^'),
        Place::After => out.write_char('$'),
    };
    let sign = Kind::ALL.iter().find(|(_, other)| *other == kind).map_or('?', |(sign, _)| char::from(*sign));
    let _ = write!(out, "{sign}{}:", text.iter().map(|piece| piece.len()).sum::<usize>());
    text.iter().for_each(|piece| out.push_str(piece));
}

/// The letter that replaces a character after a backslash, so that values need no references.
const ESCAPED: [(char, char); 6] = [('\n', 'n'), ('\r', 'r'), ('<', 'l'), ('&', 'a'), ('|', 'b'), ('\\', '\\')];

/// A value as it is written.
pub(crate) fn escaped(value: &str) -> Cow<'_, str> {
    let is_marked = |c: char| ESCAPED.iter().any(|(marked, _)| *marked == c);
    if !value.contains(is_marked) {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len() + 16);
    for c in value.chars() {
        match ESCAPED.iter().find(|(marked, _)| *marked == c) {
            None => out.push(c),
            Some((_, sign)) => out.extend(['\\', *sign]),
        }
    }
    Cow::Owned(out)
}

/// A value as it was before [`escaped`].
pub(crate) fn unescaped(written: Cow<'_, str>, at: usize) -> Result<Cow<'_, str>, Error> {
    if !written.contains('\\') {
        return Ok(written);
    }
    let mut out = String::with_capacity(written.len());
    let mut rest = &*written;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let sign = after.chars().next();
        let Some((c, _)) = ESCAPED.iter().find(|(_, other)| Some(*other) == sign) else {
            return Err(unread(rest, at));
        };
        out.push(*c);
        rest = after.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    Ok(Cow::Owned(out))
}

/// The items of a value. `at` is its position in the message, for errors.
pub(crate) fn items(value: &str, at: usize) -> impl Iterator<Item = Result<Item<'_>, Error>> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let item = (!rest.is_empty()).then(|| next(&mut rest).ok_or_else(|| unread(rest, at)));
        if matches!(item, Some(Err(_))) {
            rest = "";
        }
        item
    })
}

#[cold]
fn unread(rest: &str, at: usize) -> Error {
    let found = Words::Own(format!("'{}'", tam::excerpt(rest).escape_debug()));
    syntax(at, found, "an item: a place, a kind, a length, ':' and as many bytes")
}

fn next<'t>(rest: &mut &'t str) -> Option<Item<'t>> {
    let place = match rest.as_bytes().first()? {
        b'^' => {
            *rest = rest.get(1..)?;
            Place::Before
        }
        b'$' => {
            *rest = rest.get(1..)?;
            Place::After
        }
        _ => {
            let children = number(rest)?.unwrap_or(0);
            let offset = match rest.strip_prefix('.') {
                Some(after) => {
                    *rest = after;
                    number(rest)??
                }
                None => 0,
            };
            Place::Inside(children, offset)
        }
    };
    let sign = *rest.as_bytes().first()?;
    let kind = Kind::ALL.iter().find(|(other, _)| *other == sign).map(|(_, kind)| *kind)?;
    *rest = rest.get(1..)?;
    let len = number(rest)?? as usize;
    let after = rest.strip_prefix(':')?;
    let text = after.get(..len)?;
    *rest = after.get(len..)?;
    Some(Item { place, kind, text })
}

/// The number at the start of a text, if there is one. `None` if it is too large.
fn number(rest: &mut &str) -> Option<Option<u32>> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Some(None);
    }
    let number = rest.get(..digits)?.parse().ok()?;
    *rest = rest.get(digits..)?;
    Some(Some(number))
}

/// A namespace that the schema does not have.
pub(crate) const OTHER: u32 = NONE - 1;

/// More declarations than this are not in scope at once, because each name may be compared with all of them.
const IN_SCOPE: usize = 256;

/// The declared prefixes, and the namespaces of a schema that they are bound to.
#[derive(Debug)]
pub(crate) struct Bindings {
    bound: Vec<Binding>,
    /// The number of the current state, for caches of names.
    pub(crate) generation: u32,
    generations: u32,
}

#[derive(Debug)]
struct Binding {
    prefix: String,
    uri: String,
    /// The index of the namespace, [`NONE`] for no namespace, or [`OTHER`].
    namespace: u32,
    /// The state before.
    before: u32,
}

impl Bindings {
    pub(crate) fn new(schema: &DataSchema) -> Bindings {
        let mut bindings = Bindings { bound: Vec::new(), generation: 1, generations: 1 };
        if let Some(namespace) = schema.namespace(xml::namespaces::XML) {
            bindings.bound.push(Binding {
                prefix: "xml".to_owned(),
                uri: xml::namespaces::XML.to_owned(),
                namespace,
                before: 1,
            });
        }
        bindings
    }

    /// The number of declarations, for [`Bindings::end`].
    pub(crate) fn len(&self) -> usize {
        self.bound.len()
    }

    /// Binds a prefix.
    ///
    /// # Errors
    /// Of kind limit if too many declarations are in scope.
    pub(crate) fn bind(&mut self, prefix: &str, uri: &str, schema: &DataSchema, at: usize) -> Result<(), Error> {
        if self.bound.len() >= IN_SCOPE {
            let limit = IN_SCOPE as u64;
            return Err(Error::limit(FORMAT, at as u64, "one more namespace in scope", "declarations", limit));
        }
        let (before, namespace) = (self.generation, schema.binding(uri));
        self.bound.push(Binding { prefix: prefix.to_owned(), uri: uri.to_owned(), namespace, before });
        self.generations += 1;
        self.generation = self.generations;
        Ok(())
    }

    /// Takes back the declarations after the first `len`.
    pub(crate) fn end(&mut self, len: usize) {
        while self.bound.len() > len {
            if let Some(binding) = self.bound.pop() {
                self.generation = binding.before;
            }
        }
    }

    /// The namespace of a prefix, empty for none.
    pub(crate) fn uri(&self, prefix: &str) -> &str {
        self.bound.iter().rev().find(|binding| binding.prefix == prefix).map_or("", |binding| &binding.uri)
    }

    /// The namespace of a prefix: its index in the schema, [`NONE`] or [`OTHER`].
    pub(crate) fn namespace(&self, prefix: &str) -> u32 {
        let unbound = if prefix.is_empty() { NONE } else { OTHER };
        self.bound.iter().rev().find(|binding| binding.prefix == prefix).map_or(unbound, |binding| binding.namespace)
    }

    /// The prefix that names of a namespace have: the one declared last.
    pub(crate) fn prefix(&self, namespace: u32, is_attribute: bool) -> Option<&str> {
        let mut of_namespace = self
            .bound
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, binding)| binding.namespace == namespace && !(is_attribute && binding.prefix.is_empty()));
        let is_current = |place: usize, prefix: &str| self.bound.iter().skip(place + 1).all(|one| one.prefix != prefix);
        of_namespace
            .find(|(place, binding)| is_current(*place, &binding.prefix))
            .map(|(_, binding)| &binding.prefix[..])
    }

    /// Applies the declarations among items.
    pub(crate) fn apply(&mut self, item: &Item<'_>, schema_of: &DataSchema, at: usize) -> Result<(), Error> {
        match (item.kind, item.text.split_once('=')) {
            (Kind::Namespace, Some((prefix, number))) => {
                let found = number.parse().ok().and_then(|number: usize| schema_of.namespaces.get(number));
                let (_, uri) =
                    found.ok_or_else(|| schema(at, "a namespace", "the number of one that the schema has"))?;
                self.bind(prefix, uri, schema_of, at)
            }
            (Kind::Attribute, Some((name, uri))) => match xml::namespaces::declared(name) {
                Some(prefix) => self.bind(prefix, uri, schema_of, at),
                None => Ok(()),
            },
            (Kind::Namespace | Kind::Attribute, None) => Err(unread(item.text, at)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // How a test fails.
mod tests {
    use super::*;

    #[test]
    fn items_come_back() {
        let all = [
            (Place::Inside(0, 0), Kind::Namespace, "n=1"),
            (Place::Before, Kind::Comment, " 3+é "),
            (Place::Inside(12, 0), Kind::Text, ""),
            (Place::Inside(0, 7), Kind::Instruction, "a b"),
            (Place::After, Kind::Comment, "$"),
        ];
        let mut value = String::new();
        all.iter().for_each(|(place, kind, text)| push(&mut value, *place, *kind, &[text]));
        assert_eq!(value, "=3:n=1^+6: 3+é 12'0:0.7?3:a b$+1:$");
        let read: Vec<_> =
            items(&value, 0).map(|item| item.map(|one| (one.place, one.kind, one.text)).unwrap()).collect();
        assert_eq!(read, all);
        for text in ["", "<a>&\n\r|\\</a>", "plain", "\\n"] {
            let written = escaped(text);
            assert!(!written.contains(['<', '&', '\n', '|']));
            assert_eq!(unescaped(written, 0).unwrap(), text);
        }
        assert!(unescaped("\\x".into(), 0).is_err() && unescaped("\\".into(), 0).is_err());
        for bad in ["x", "+", "+3:ab", "+1:é", "1.+1:a", "99999999999+0:", "=3", "+1:ab"] {
            assert!(items(bad, 0).any(|item| item.is_err()), "{bad}");
        }
    }
}

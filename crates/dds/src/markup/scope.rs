//! Start tags, their attributes that mean something, and the namespaces in scope.

use xml::namespaces::check_declaration;

use crate::markup::scan::{RawName, Scanner, Unusual};
use crate::schema::compiled::{Compiled, Uri};

/// More prefixes than this are left to the plain way, which finds them by hashing.
const MOST: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Binding {
    prefix: (usize, usize),
    name: (usize, usize),
    uri: Uri,
}

/// What prefixes mean, whatever the order and the places of their declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bindings(Vec<Bound>);

/// A prefix and the name of its namespace.
type Bound = (Box<[u8]>, Box<[u8]>);

impl Bindings {
    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        let texts = self.0.iter().map(|(prefix, name)| prefix.len() + name.len()).sum::<usize>();
        texts + self.0.capacity() * size_of::<Bound>() + size_of::<Bindings>()
    }
}

/// The namespaces in scope, the innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    bindings: Vec<Binding>,
    attributes: Vec<Attribute>,
}

#[derive(Clone, Copy, Debug)]
struct Attribute {
    name: RawName,
    value: (usize, usize),
    uri: Uri,
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) name: RawName,
    pub(crate) uri: Uri,
    pub(crate) empty: bool,
    /// The place after the attributes, or the name.
    pub(crate) attributes_end: usize,
    /// How many namespaces were in scope before it.
    pub(crate) mark: usize,
    pub(crate) nil: bool,
    /// What `xsi:type` names.
    pub(crate) ty: Option<(Uri, (usize, usize))>,
    /// The value of `SOAP-ENC:arrayType`.
    pub(crate) array_type: Option<(usize, usize)>,
    /// Whether it has `href`, or places of items in an array.
    pub(crate) refers: bool,
}

impl Scope {
    /// The start tag at `<`.
    pub(crate) fn open(&mut self, scanner: &mut Scanner<'_>, schema: &Compiled) -> Result<Tag, Unusual> {
        scanner.expect(b'<')?;
        self.attributes.clear();
        let name = scanner.name()?;
        let mut tag = Tag {
            name,
            uri: Uri::NONE,
            empty: false,
            attributes_end: name.end,
            mark: self.bindings.len(),
            nil: false,
            ty: None,
            array_type: None,
            refers: false,
        };
        if scanner.peek() == Some(b'>') {
            scanner.at += 1;
        } else {
            self.attributes(scanner, schema, &mut tag)?;
        }
        tag.uri = self.uri(scanner, &name, true)?;
        Ok(tag)
    }

    fn attributes(&mut self, scanner: &mut Scanner<'_>, schema: &Compiled, tag: &mut Tag) -> Result<(), Unusual> {
        loop {
            let before = scanner.at;
            scanner.space();
            match scanner.peek() {
                Some(b'>') => {
                    scanner.at += 1;
                    tag.attributes_end = before;
                    break;
                }
                Some(b'/') => {
                    scanner.at += 1;
                    scanner.expect(b'>')?;
                    (tag.empty, tag.attributes_end) = (true, before);
                    break;
                }
                _ if scanner.at == before => return Err(Unusual),
                _ => {}
            }
            let name = scanner.name()?;
            let value = scanner.value()?;
            if self.attributes.len() == 16 {
                return Err(Unusual);
            }
            match (scanner.slice(name.start, name.local), scanner.slice(name.local, name.end)) {
                (b"", b"xmlns") => self.declare(scanner, schema, (0, 0), value)?,
                (b"xmlns:", _) => self.declare(scanner, schema, (name.local, name.end), value)?,
                _ => self.attributes.push(Attribute { name, value, uri: Uri::NONE }),
            }
        }
        let mine = tag.mark..self.bindings.len();
        for n in mine.clone() {
            let prefix = |n: usize| scanner.slice(self.bindings[n].prefix.0, self.bindings[n].prefix.1);
            if mine.clone().take_while(|&m| m < n).any(|m| prefix(m) == prefix(n)) {
                return Err(Unusual);
            }
        }
        for n in 0..self.attributes.len() {
            let Attribute { name, value, .. } = self.attributes[n];
            let uri = self.uri(scanner, &name, false)?;
            self.attributes[n].uri = uri;
            let local = scanner.slice(name.local, name.end);
            for other in &self.attributes[..n] {
                // Of two namespaces that the schema does not know it is not known whether they are one.
                if other.uri == uri && scanner.slice(other.name.local, other.name.end) == local {
                    return Err(Unusual);
                }
            }
            match (uri, local) {
                (Uri::XSI, b"nil") => match scanner.slice(value.0, value.1) {
                    b"true" | b"1" => tag.nil = true,
                    b"false" | b"0" => {}
                    _ => return Err(Unusual),
                },
                (Uri::XSI, b"type") => tag.ty = Some(self.qname(scanner, value)?),
                (Uri::ENCODING, b"arrayType") => tag.array_type = Some(value),
                (Uri::ENCODING, b"offset" | b"position") | (Uri::NONE, b"href") => tag.refers = true,
                _ => {}
            }
        }
        Ok(())
    }

    fn declare(
        &mut self,
        scanner: &Scanner<'_>,
        schema: &Compiled,
        prefix: (usize, usize),
        name: (usize, usize),
    ) -> Result<(), Unusual> {
        let (text, prefix_text) = (scanner.slice(name.0, name.1), scanner.slice(prefix.0, prefix.1));
        check_declaration((!prefix_text.is_empty()).then_some(prefix_text), text).map_err(|_| Unusual)?;
        if self.bindings.len() == MOST {
            return Err(Unusual);
        }
        self.bindings.push(Binding { prefix, name, uri: schema.uri(text) });
        Ok(())
    }

    /// The namespace of a name.
    fn uri(&self, scanner: &Scanner<'_>, name: &RawName, is_element: bool) -> Result<Uri, Unusual> {
        if name.local == name.start && !is_element {
            return Ok(Uri::NONE);
        }
        let prefix = scanner.slice(name.start, name.local.saturating_sub(1).max(name.start));
        self.bound(scanner, prefix)
    }

    fn bound(&self, scanner: &Scanner<'_>, prefix: &[u8]) -> Result<Uri, Unusual> {
        for binding in self.bindings.iter().rev() {
            if scanner.slice(binding.prefix.0, binding.prefix.1) == prefix {
                return Ok(binding.uri);
            }
        }
        match prefix {
            b"" => Ok(Uri::NONE),
            b"xml" => Ok(Uri::XML),
            _ => Err(Unusual),
        }
    }

    /// A qualified name in a value, with the place of its local part.
    pub(crate) fn qname(&self, scanner: &Scanner<'_>, value: (usize, usize)) -> Result<(Uri, (usize, usize)), Unusual> {
        // The name must end where the value does: the scanner wants one byte more, a quote or a bracket.
        let mut ahead = scanner.clone();
        ahead.at = value.0;
        let name = ahead.name()?;
        if name.end != value.1 {
            return Err(Unusual);
        }
        Ok((self.uri(scanner, &name, true)?, (name.local, name.end)))
    }

    /// The prefixes that the first `mark` declarations bind, and their namespaces.
    fn in_force<'m>(&self, scanner: &Scanner<'m>, mark: usize) -> impl Iterator<Item = (&'m [u8], &'m [u8])> {
        let declared = self.bindings.get(..mark).unwrap_or(&[]);
        let pieces = |binding: &Binding| {
            let Binding { prefix, name, .. } = *binding;
            (scanner.slice(prefix.0, prefix.1), scanner.slice(name.0, name.1))
        };
        let is_hidden = move |n: usize, prefix: &[u8]| declared[n + 1..].iter().any(|inner| pieces(inner).0 == prefix);
        let all = declared.iter().enumerate().map(move |(n, binding)| (n, pieces(binding)));
        all.filter(move |&(n, (prefix, name))| !(prefix.is_empty() && name.is_empty() || is_hidden(n, prefix)))
            .map(|(_, binding)| binding)
    }

    /// What the prefixes mean that the first `mark` declarations bind.
    pub(crate) fn bindings(&self, scanner: &Scanner<'_>, mark: usize) -> Bindings {
        let mut bound: Vec<Bound> =
            self.in_force(scanner, mark).map(|(prefix, name)| (prefix.into(), name.into())).collect();
        bound.sort();
        Bindings(bound)
    }

    /// Whether these are what the prefixes mean that the first `mark` declarations bind.
    pub(crate) fn is_bound(&self, scanner: &Scanner<'_>, mark: usize, known: &Bindings) -> bool {
        let is_known = |(prefix, name): (&[u8], &[u8])| known.0.iter().any(|(p, n)| **p == *prefix && **n == *name);
        let mut count = 0;
        let are_known = self.in_force(scanner, mark).inspect(|_| count += 1).all(is_known);
        are_known && count == known.0.len()
    }

    /// The number of declarations before `mark`, and the position of the last of them. Within a message these are equal only
    /// if all declarations are the same.
    pub(crate) fn place(&self, mark: usize) -> (usize, usize) {
        let last = mark.checked_sub(1).and_then(|last| self.bindings.get(last));
        (mark, last.map_or(0, |binding| binding.name.0))
    }

    /// How many namespaces are in scope.
    pub(crate) fn mark(&self) -> usize {
        self.bindings.len()
    }

    /// Forgets what was declared since.
    pub(crate) fn close(&mut self, mark: usize) {
        self.bindings.truncate(mark);
    }

    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        self.bindings.capacity() * size_of::<Binding>() + self.attributes.capacity() * size_of::<Attribute>()
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.bindings.clear();
    }

    /// Whether the same names are bound in the same order, each of its own message.
    pub(crate) fn is_same(&self, message: &[u8], other: &Scope, others: &[u8]) -> bool {
        let pieces = |scope: &Scope, n: usize| {
            let Binding { prefix, name, .. } = scope.bindings[n];
            (prefix, name)
        };
        self.bindings.len() == other.bindings.len()
            && (0..self.bindings.len()).all(|n| {
                let ((a, b), (c, d)) = (pieces(self, n), pieces(other, n));
                message.get(a.0..a.1) == others.get(c.0..c.1) && message.get(b.0..b.1) == others.get(d.0..d.1)
            })
    }

    /// The value of an attribute of the tag opened last.
    pub(crate) fn attribute(&self, uri: Uri, local: &[u8], scanner: &Scanner<'_>) -> Option<(usize, usize)> {
        let is = |attribute: &&Attribute| {
            attribute.uri == uri && scanner.slice(attribute.name.local, attribute.name.end) == local
        };
        self.attributes.iter().find(is).map(|attribute| attribute.value)
    }

    /// Where the name of the namespace of a tag is; nowhere if it has none.
    pub(crate) fn namespace(&self, scanner: &Scanner<'_>, tag: &Tag) -> (usize, usize) {
        let prefix = scanner.slice(tag.name.start, tag.name.local.saturating_sub(1).max(tag.name.start));
        let is = |binding: &&Binding| scanner.slice(binding.prefix.0, binding.prefix.1) == prefix;
        self.bindings.iter().rev().find(is).map_or((0, 0), |binding| binding.name)
    }
}

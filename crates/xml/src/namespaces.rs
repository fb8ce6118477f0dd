//! Prefixes and the namespaces they are bound to (Namespaces in XML 1.0, third edition, sections 3 to 6).

use std::collections::HashMap;

use memchr::memchr;
use tam::{Document, Words};

use crate::name::{is_local_part, name_and_colon, split};
use crate::scan::{eight, is_same};

/// The namespace that the prefix `xml` is bound to, always (section 3).
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The namespace that the prefix `xmlns` is bound to, always (section 3).
pub const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The prefix that an attribute of this name declares, empty for the default namespace; `None` if it is not a
/// declaration (productions 1 to 3).
#[inline]
#[must_use]
pub fn declared(name: &str) -> Option<&str> {
    match name.strip_prefix("xmlns")? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}

/// The namespace (empty for none) and the local name of the root element of a document; `None` if it has none.
///
/// ```
/// use tam::{Builder, Limits, Table, TypeSet};
/// use lengthwise_xml::namespaces::root_name;
///
/// # fn main() -> Result<(), tam::Error> {
/// let mut table = Table::new();
/// let mut order = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
/// order.open(b'<', b"o:order")?;
/// order.open(b'=', b"")?;
/// order.primitive(b'[', b"xmlns:o", b"urn:o")?;
/// order.close()?;
/// order.close()?;
/// order.finish()?;
/// let document = table.document(b"", TypeSet::XML);
/// assert_eq!(root_name(&document), Some(("urn:o".to_owned(), "order".to_owned())));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn root_name(document: &Document<'_>) -> Option<(String, String)> {
    let root = tam::xml::root(document)?;
    let name = root.name().to_text();
    let (prefix, local) = split(&name);
    let is_it = |name: &str| declared(name) == Some(prefix);
    let mut attributes = root.attributes().filter(|attribute| is_it(&attribute.name().to_text()));
    let uri = attributes.next().and_then(|attribute| attribute.text().ok()).unwrap_or_default();
    Some((uri.to_owned(), local.to_owned()))
}

/// Refuses a declaration of a prefix, or of the default namespace without one, that no document may contain: of a
/// reserved prefix or namespace (section 3), of a prefix that is not an NCName (production 2), or of a prefix without a
/// namespace (section 5, No Prefix Undeclaring).
///
/// # Errors
/// A description of what is wrong.
#[inline]
pub fn check_declaration(prefix: Option<&[u8]>, uri: &[u8]) -> Result<(), Fault> {
    let reserved = if uri == XML.as_bytes() { Some("xml") } else { (uri == XMLNS.as_bytes()).then_some("xmlns") };
    match (prefix, reserved) {
        (Some(b"xmlns"), _) => Err(fault("a declaration of the prefix 'xmlns'", "none (it is reserved)")),
        (Some(b"xml"), Some("xml")) => Ok(()),
        (Some(b"xml"), _) => Err(fault("the prefix 'xml' bound to another namespace", "its own, or no declaration")),
        (_, Some(own)) => {
            let found = format!("the namespace of the prefix '{own}'");
            Err(fault(found, "another namespace (this one is reserved)"))
        }
        (Some(prefix), None) if !is_local(prefix) => {
            Err(fault(format!("the prefix '{}'", String::from_utf8_lossy(prefix)), "a name without a colon"))
        }
        (Some(prefix), None) if uri.is_empty() => {
            let found = format!("xmlns:{}=\"\"", String::from_utf8_lossy(prefix));
            Err(fault(found, "the name of a namespace (XML 1.0 cannot take back a prefix)"))
        }
        (_, None) => Ok(()),
    }
}

/// Up to this many prefixes are searched linearly, and up to this many attributes are compared pairwise.
const FEW: usize = 8;

/// The initial text: the prefix `xml` and its namespace.
const OWN: &str = "xmlhttp://www.w3.org/XML/1998/namespace";

/// `xmlns` as a word.
const DECLARES: u64 = u64::from_le_bytes(*b"xmlns\0\0\0");

/// The number of an unbound prefix, which has no namespace.
const UNBOUND: u32 = u32::MAX;

/// An error in a start tag or a declaration.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The attribute with the error; `None` if it is the name of the element.
    pub attribute: Option<usize>,
    /// What was found.
    pub found: Words,
    /// What was expected.
    pub expected: Words,
    /// Whether a declaration is missing, which an external subset could supply.
    pub undeclared: bool,
}

/// A piece of the text of a [`Scope`].
type Span = core::ops::Range<usize>;

/// A declared prefix and its current binding.
#[derive(Debug)]
struct Prefix {
    name: Span,
    /// The name in eight bytes, padded with zeros; zero if it is longer.
    word: u64,
    uri: u32,
    /// The namespace of its last declaration, which most declarations repeat.
    last: u32,
}

/// The binding that a declaration replaced.
#[derive(Debug)]
struct Replaced {
    depth: usize,
    prefix: usize,
    uri: u32,
    /// Its own number among all declarations, from 1.
    number: u32,
}

/// An attribute with a prefix.
#[derive(Clone, Copy, Debug)]
struct Qualified {
    uri: u32,
    attribute: usize,
    local: usize,
}

/// The prefixes bound at the current position of a document.
///
/// Each prefix and each namespace name is stored once and numbered, so memory is proportional to the declarations, and
/// no check takes longer than its tag. Nothing is allocated before the first start tag that needs a check, or the first
/// binding.
///
/// [`Scope::start`] and related methods check start tags and bind their prefixes, but not the default namespace, which
/// never makes a name invalid. [`Scope::bind`] binds without a check.
///
/// ```
/// use lengthwise_xml::namespaces::Scope;
///
/// let mut scope = Scope::default();
/// let one = scope.bind(1, b"p", b"urn:one");
/// scope.bind(2, b"p", b"urn:two");
/// assert_eq!(scope.namespace(b"p").map(|number| scope.uri(number)), Some(&b"urn:two"[..]));
/// scope.end(1);
/// assert_eq!((scope.namespace(b"p"), scope.namespace(b"q")), (Some(one), None));
/// ```
#[derive(Debug)]
pub struct Scope {
    /// The prefixes and the namespace names, concatenated.
    text: Vec<u8>,
    prefixes: Vec<Prefix>,
    /// The words of the first prefixes, zero where one is not bound.
    words: [u64; FEW],
    uris: Vec<Span>,
    index: Option<Box<Index>>,
    replaced: Vec<Replaced>,
    /// The prefix that was looked up last.
    recent: usize,
    /// The depth of the innermost element with a declaration, or that of the root.
    depth: usize,
    /// The number of declarations so far.
    count: u32,
    qualified: Vec<Qualified>,
    /// Whether an attribute of the start tag has a prefix.
    prefixed: bool,
}

/// Prefixes and namespace names by their text, once there are more than a few.
#[derive(Debug, Default)]
struct Index {
    prefixes: HashMap<Box<[u8]>, usize>,
    uris: HashMap<Box<[u8]>, u32>,
}

impl Default for Scope {
    fn default() -> Scope {
        let mut words = [0; FEW];
        words[0] = word(b"xml", 0, 3);
        Scope {
            text: Vec::new(),
            prefixes: Vec::new(),
            words,
            uris: Vec::new(),
            index: None,
            replaced: Vec::new(),
            recent: 0,
            depth: 1,
            count: 0,
            qualified: Vec::new(),
            prefixed: false,
        }
    }
}

impl Scope {
    /// Begins a start tag, before its attributes.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.prefixed = false;
    }

    /// Whether [`Scope::start`] must check the start tag because of the attribute with the name `bytes[at..end]`, which
    /// has a colon at `colon` or may be `xmlns`. A known prefix that is declared as before is bound at once.
    #[inline(always)]
    pub fn is_due(
        &mut self,
        depth: usize,
        bytes: &[u8],
        (at, colon, end): (usize, usize, usize),
        value: Option<&[u8]>,
    ) -> bool {
        if colon == end {
            return is_same(&bytes[at..end], b"xmlns");
        }
        let prefix = word(bytes, at, colon - at);
        if prefix == DECLARES {
            return !value.is_some_and(|uri| self.repeat(depth, word(bytes, colon + 1, end - colon - 1), uri));
        }
        // A single attribute with a bound prefix needs no further check, because declarations cannot unbind prefixes.
        let due = self.prefixed || prefix == 0 || !self.words.contains(&prefix);
        self.prefixed = true;
        due
    }

    /// Binds a prefix to the namespace of its last declaration, if it is one of the first prefixes and the namespace is
    /// the same.
    #[inline]
    fn repeat(&mut self, depth: usize, word: u64, uri: &[u8]) -> bool {
        let mut few = self.prefixes.iter_mut().take(FEW).enumerate().skip(1);
        let Some((number, prefix)) = few.find(|(_, prefix)| prefix.word == word && word != 0) else {
            return false;
        };
        if self.uris.get(prefix.last as usize).is_none_or(|known| self.text[known.clone()] != *uri) {
            return false;
        }
        self.count = self.count.wrapping_add(1);
        self.replaced.push(Replaced { depth, prefix: number, uri: prefix.uri, number: self.count });
        prefix.uri = prefix.last;
        self.words[number] = word;
        self.depth = depth;
        true
    }

    /// Adds the prefix `xml`, which needs no declaration, as the first.
    #[inline]
    fn declare_xml(&mut self) {
        if self.prefixes.is_empty() {
            self.text = Vec::with_capacity(512);
            self.prefixes = Vec::with_capacity(FEW);
            self.uris = Vec::with_capacity(FEW + 1);
            self.replaced = Vec::with_capacity(FEW);
            self.text.extend_from_slice(OWN.as_bytes());
            self.uris.extend([0..0, 3..OWN.len()]);
            self.prefixes.push(Prefix { name: 0..3, word: self.words[0], uri: 1, last: 1 });
        }
    }

    /// Stores a prefix or a namespace name.
    #[inline]
    fn keep(&mut self, piece: &[u8]) -> Span {
        let start = self.text.len();
        self.text.extend_from_slice(piece);
        start..self.text.len()
    }

    /// Checks a start tag whose element or attributes have a colon or declare a namespace. `depth` is the depth of the
    /// element, from 1; `attribute` returns name and value of each of `count` attributes.
    pub fn start<'n>(
        &mut self,
        depth: usize,
        element: &[u8],
        count: usize,
        attribute: impl Fn(usize) -> (&'n [u8], &'n [u8]),
    ) -> Result<(), Fault> {
        self.declare_xml();
        self.qualified.clear();
        for n in 0..count {
            let (name, uri) = attribute(n);
            if is_declaration(name) {
                self.declare(depth, name.get(6..), uri).map_err(|fault| Fault { attribute: Some(n), ..fault })?;
            } else if let Some(colon) = name.iter().position(|byte| *byte == b':') {
                self.qualified.push(Qualified { uri: UNBOUND, attribute: n, local: colon + 1 });
            }
        }
        if let Some(colon) = element.iter().position(|byte| *byte == b':') {
            self.resolved(element, colon)?;
        }
        if self.qualified.is_empty() { Ok(()) } else { self.attributes(attribute) }
    }

    /// Whether a quick check shows that the QName at `at`, with a colon at `colon`, has a bound prefix.
    #[inline(always)]
    pub fn is_bound(&self, bytes: &[u8], at: usize, colon: usize) -> bool {
        let word = word(bytes, at, colon - at);
        word != 0 && self.words.contains(&word)
    }

    /// Checks the name of an element whose attributes have no prefixes.
    #[inline]
    pub fn element(&mut self, name: &[u8]) -> Result<(), Fault> {
        self.declare_xml();
        match memchr(b':', name) {
            Some(colon) => self.resolved(name, colon).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Restores the bindings outside of elements below `depth`, which have ended.
    #[inline]
    pub fn end(&mut self, depth: usize) {
        while let Some(replaced) = self.replaced.pop_if(|replaced| replaced.depth > depth) {
            if let Some(prefix) = self.prefixes.get_mut(replaced.prefix) {
                prefix.uri = replaced.uri;
                if let Some(word) = self.words.get_mut(replaced.prefix) {
                    *word = if prefix.uri == UNBOUND { 0 } else { prefix.word };
                }
            }
        }
        self.depth = self.replaced.last().map_or(1, |replaced| replaced.depth);
    }

    /// The depth of the innermost element with a declaration, or of the root: when it ends, [`Scope::end`] must be
    /// called.
    #[inline(always)]
    pub fn watched(&self) -> usize {
        self.depth
    }

    /// Checks a declaration and binds its prefix.
    #[inline]
    fn declare(&mut self, depth: usize, prefix: Option<&[u8]>, uri: &[u8]) -> Result<(), Fault> {
        check_declaration(prefix, uri)?;
        match prefix {
            None | Some(b"xml") => {}
            Some(prefix) => {
                self.rebind(depth, prefix, uri);
            }
        }
        Ok(())
    }

    /// Binds a prefix (or the default namespace if it is empty) to a namespace (or to none if it is empty) in the
    /// element at depth `depth`. The prefix `xml` never changes. Returns the number of the namespace.
    #[inline]
    pub fn bind(&mut self, depth: usize, prefix: &[u8], uri: &[u8]) -> u32 {
        self.declare_xml();
        if prefix == b"xml" { 1 } else { self.rebind(depth, prefix, uri) }
    }

    #[inline]
    fn rebind(&mut self, depth: usize, name: &[u8], uri: &[u8]) -> u32 {
        let number = match self.find(name) {
            Some(number) => number,
            None => {
                let (word, name) = (word(name, 0, name.len()), self.keep(name));
                self.prefixes.push(Prefix { name, word, uri: UNBOUND, last: UNBOUND });
                self.index_prefixes();
                self.prefixes.len() - 1
            }
        };
        let last = self.prefixes[number].last;
        let repeated = self.uris.get(last as usize).is_some_and(|known| self.text[known.clone()] == *uri);
        let uri = if repeated { last } else { self.number(uri) };
        let prefix = &mut self.prefixes[number];
        self.count = self.count.wrapping_add(1);
        self.replaced.push(Replaced { depth, prefix: number, uri: prefix.uri, number: self.count });
        (prefix.uri, prefix.last) = (uri, uri);
        if let Some(word) = self.words.get_mut(number) {
            *word = prefix.word;
        }
        self.depth = depth;
        uri
    }

    /// The number of the namespace of a prefix (or of names without one, if it is empty); `None` if it is not bound. 0
    /// is no namespace, 1 is that of `xml`.
    #[inline]
    pub fn namespace(&self, prefix: &[u8]) -> Option<u32> {
        if prefix == b"xml" {
            return Some(1);
        }
        let bound = self.look(prefix).map_or(UNBOUND, |number| self.prefixes[number].uri);
        (bound != UNBOUND).then_some(bound)
    }

    /// The namespace with a number; empty for none.
    #[inline]
    #[must_use]
    pub fn uri(&self, number: u32) -> &[u8] {
        match number {
            1 => XML.as_bytes(),
            _ => self.uris.get(number as usize).and_then(|uri| self.text.get(uri.clone())).unwrap_or_default(),
        }
    }

    /// The number of numbered namespaces.
    #[must_use]
    pub fn uris(&self) -> u32 {
        self.uris.len() as u32
    }

    /// A number for the current bindings. It recurs when later bindings are undone, and differs for all other bindings.
    #[inline]
    #[must_use]
    pub fn state(&self) -> u32 {
        self.replaced.last().map_or(0, |last| last.number)
    }

    /// Appends the current bindings in the order of the prefixes: each prefix and its namespace, with a zero byte after each.
    /// Returns `false` if they
    /// come to more than `most` bytes, or there have been more than `most / 32` prefixes.
    pub fn push_bindings(&self, out: &mut Vec<u8>, most: usize) -> bool {
        let start = out.len();
        if self.prefixes.len() > most / 32 {
            return false;
        }
        let mut bound: Vec<_> = self.prefixes.iter().filter(|prefix| prefix.uri != UNBOUND).collect();
        bound.sort_unstable_by_key(|prefix| &self.text[prefix.name.clone()]);
        for prefix in bound {
            for piece in [&self.text[prefix.name.clone()], self.uri(prefix.uri)] {
                if out.len() - start + piece.len() >= most {
                    return false;
                }
                out.extend_from_slice(piece);
                out.push(0);
            }
        }
        true
    }

    /// The number of current declarations.
    #[inline]
    #[must_use]
    pub fn held(&self) -> usize {
        self.replaced.len()
    }

    /// Adds the prefixes to the map, once there are more than a few.
    #[inline]
    fn index_prefixes(&mut self) {
        if self.prefixes.len() <= FEW {
            return;
        }
        let by_name = &mut self.index.get_or_insert_default().prefixes;
        for number in by_name.len()..self.prefixes.len() {
            by_name.insert(self.text[self.prefixes[number].name.clone()].into(), number);
        }
    }

    /// The number of a namespace, which is assigned if it has none.
    #[inline]
    pub fn number(&mut self, uri: &[u8]) -> u32 {
        self.declare_xml();
        let known = if self.uris.len() <= FEW + 1 {
            self.uris.iter().position(|known| self.text[known.clone()] == *uri).map(|number| number as u32)
        } else {
            self.index.as_ref().and_then(|index| index.uris.get(uri).copied())
        };
        if let Some(number) = known {
            return number;
        }
        let kept = self.keep(uri);
        self.uris.push(kept);
        if self.uris.len() > FEW + 1 {
            let by_uri = &mut self.index.get_or_insert_default().uris;
            for number in by_uri.len()..self.uris.len() {
                by_uri.insert(self.text[self.uris[number].clone()].into(), number as u32);
            }
        }
        self.uris.len() as u32 - 1
    }

    #[inline]
    fn find(&mut self, name: &[u8]) -> Option<usize> {
        if self.prefixes.get(self.recent).is_some_and(|prefix| is_same(&self.text[prefix.name.clone()], name)) {
            return Some(self.recent);
        }
        let found = self.look(name)?;
        self.recent = found;
        Some(found)
    }

    #[inline]
    fn look(&self, name: &[u8]) -> Option<usize> {
        if self.prefixes.len() <= FEW {
            let word = word(name, 0, name.len());
            let is_it = |prefix: &Prefix| prefix.word == word && (word != 0 || self.text[prefix.name.clone()] == *name);
            self.prefixes.iter().position(is_it)
        } else {
            self.index.as_ref()?.prefixes.get(name).copied()
        }
    }

    /// The namespace of a name with a prefix, which must be bound.
    #[inline]
    fn resolved(&mut self, name: &[u8], colon: usize) -> Result<u32, Fault> {
        let (prefix, local) = (&name[..colon], &name[colon + 1..]);
        if colon == 0 || !is_local_part(local) {
            return Err(not_qualified(name));
        }
        let found = self.find(prefix).map_or(UNBOUND, |number| self.prefixes[number].uri);
        if found == UNBOUND { Err(unbound(prefix)) } else { Ok(found) }
    }

    /// Checks the attributes with a prefix: each prefix is bound, and no two have the same expanded name (section 6.3).
    #[inline]
    fn attributes<'n>(&mut self, attribute: impl Fn(usize) -> (&'n [u8], &'n [u8])) -> Result<(), Fault> {
        let mut found = core::mem::take(&mut self.qualified);
        for one in &mut found {
            let n = one.attribute;
            let uri = self.resolved(attribute(n).0, one.local - 1);
            one.uri = uri.map_err(|fault| Fault { attribute: Some(n), ..fault })?;
        }
        let local = |one: &Qualified| &attribute(one.attribute).0[one.local..];
        let twice = if found.len() <= FEW {
            let same = |one: &Qualified, other: &Qualified| one.uri == other.uri && is_same(local(one), local(other));
            found
                .iter()
                .enumerate()
                .find(|(n, one)| found[..*n].iter().any(|other| same(one, other)))
                .map(|(_, one)| *one)
        } else {
            found.sort_unstable_by(|a, b| (a.uri, local(a), a.attribute).cmp(&(b.uri, local(b), b.attribute)));
            let same = |pair: &&[Qualified]| pair[0].uri == pair[1].uri && local(&pair[0]) == local(&pair[1]);
            found.windows(2).find(same).map(|pair| pair[1])
        };
        self.qualified = found;
        match twice {
            None => Ok(()),
            Some(twice) => {
                let name = String::from_utf8_lossy(attribute(twice.attribute).0);
                let found = format!("the attribute '{name}', the second of its namespace and name");
                Err(Fault { attribute: Some(twice.attribute), ..fault(found, "each attribute once") })
            }
        }
    }
}

/// A piece of up to eight bytes as a number, padded with zeros; 0 for a longer or an empty one.
#[inline(always)]
fn word(bytes: &[u8], at: usize, len: usize) -> u64 {
    match (len, eight(bytes, at)) {
        (1..8, Some(word)) => word & ((1 << (8 * len)) - 1),
        (8, Some(word)) => word,
        (1..8, None) => {
            let piece = bytes.get(at..at + len).unwrap_or_default();
            piece.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
        }
        _ => 0,
    }
}

/// Whether an attribute declares a namespace: `xmlns`, or `xmlns:` and a prefix.
#[inline]
fn is_declaration(name: &[u8]) -> bool {
    name.strip_prefix(b"xmlns").is_some_and(|rest| matches!(rest.first(), None | Some(b':')))
}

/// Whether a piece of a name is a name without a colon (NCName).
#[inline]
fn is_local(name: &[u8]) -> bool {
    !name.is_empty() && name_and_colon(name, 0) == (name.len(), name.len())
}

#[cold]
fn fault(found: impl Into<Words>, expected: impl Into<Words>) -> Fault {
    Fault { attribute: None, found: found.into(), expected: expected.into(), undeclared: false }
}

/// The error for a name that is not a QName.
#[cold]
pub fn not_qualified(name: &[u8]) -> Fault {
    fault(format!("the name '{}'", String::from_utf8_lossy(name)), "a name, or a prefix, one colon and a name")
}

#[cold]
fn unbound(prefix: &[u8]) -> Fault {
    if prefix == b"xmlns" {
        return fault("the prefix 'xmlns'", "another prefix (this one is reserved)");
    }
    let prefix = String::from_utf8_lossy(prefix);
    let found = format!("the prefix '{prefix}', which is not declared");
    Fault { undeclared: true, ..fault(found, format!("a declaration xmlns:{prefix}=\"...\" around it")) }
}

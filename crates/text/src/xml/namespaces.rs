//! Prefixes and the namespaces they are bound to (Namespaces in XML 1.0, third edition).

use std::collections::HashMap;

use memchr::memchr;
use tam::{Error, ErrorKind, Words};
use xml::name::{is_local_part, name_and_colon};
use xml::scan::{eight, is_same};

const XML: &[u8] = b"http://www.w3.org/XML/1998/namespace";
const XMLNS: &[u8] = b"http://www.w3.org/2000/xmlns/";

/// Up to so many prefixes are searched one by one; up to so many attributes each is compared with each.
const FEW: usize = 8;

/// `xmlns` as a word.
const DECLARES: u64 = u64::from_le_bytes(*b"xmlns\0\0\0");

/// The number of no namespace: the prefix is not bound.
const UNBOUND: u32 = u32::MAX;

/// What is wrong with a start tag.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The attribute that is at fault; without one, it is the name of the element.
    pub(crate) attribute: Option<usize>,
    pub(crate) found: Words,
    pub(crate) expected: Words,
    /// Whether a declaration is missing, which an external subset could supply.
    pub(crate) undeclared: bool,
}

/// A piece of the text of a [`Scope`].
type Piece = core::ops::Range<usize>;

/// A prefix that has been declared, and what it is bound to now.
#[derive(Debug)]
struct Prefix {
    name: Piece,
    /// The name in eight bytes, zeros after it; zero if it is longer.
    word: u64,
    uri: u32,
    /// The namespace of its last declaration: most repeat the one before.
    last: u32,
}

/// The binding that a declaration replaced.
#[derive(Debug)]
struct Replaced {
    depth: usize,
    prefix: usize,
    uri: u32,
}

/// An attribute with a prefix.
#[derive(Clone, Copy, Debug)]
struct Qualified {
    uri: u32,
    attribute: usize,
    local: usize,
}

/// The prefixes that are bound where the document has been read or written to.
///
/// Each prefix and each namespace name is kept once, by number, so that the memory is in proportion
/// to the declarations and no check is longer than the tag it is for.
///
/// Nothing is allocated before the first start tag that has to be checked.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The prefixes and the namespace names, one behind the other.
    text: Vec<u8>,
    prefixes: Vec<Prefix>,
    /// The words of the first prefixes, zero where one is not bound.
    words: [u64; FEW],
    uris: Vec<Piece>,
    index: Option<Box<Index>>,
    replaced: Vec<Replaced>,
    /// The prefix that was looked up last.
    recent: usize,
    /// The depth of the innermost element with a declaration, or that of the root.
    depth: usize,
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
            qualified: Vec::new(),
            prefixed: false,
        }
    }
}

impl Scope {
    /// A start tag begins: no attribute of it has been seen.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.prefixed = false;
    }

    /// Whether the start tag has to be checked by [`Scope::start`] because of the attribute with the name
    /// `bytes[at..end]`, which has a colon at `colon` or may be `xmlns`. A known prefix that is declared as
    /// before is bound at once.
    #[inline(always)]
    pub(crate) fn is_due(
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
        // One alone with a prefix that is bound needs no further check: no declaration takes back a prefix.
        let due = self.prefixed || prefix == 0 || !self.words.contains(&prefix);
        self.prefixed = true;
        due
    }

    /// Binds a prefix to the namespace of its last declaration, if it is one of the first and the namespace is that.
    fn repeat(&mut self, depth: usize, word: u64, uri: &[u8]) -> bool {
        let mut few = self.prefixes.iter_mut().take(FEW).enumerate().skip(1);
        let Some((number, prefix)) = few.find(|(_, prefix)| prefix.word == word && word != 0) else {
            return false;
        };
        if self.uris.get(prefix.last as usize).is_none_or(|known| self.text[known.clone()] != *uri) {
            return false;
        }
        self.replaced.push(Replaced { depth, prefix: number, uri: prefix.uri });
        prefix.uri = prefix.last;
        self.words[number] = word;
        self.depth = depth;
        true
    }

    /// Makes the prefix `xml` the first, which needs no declaration.
    #[inline]
    fn declare_xml(&mut self) {
        if self.prefixes.is_empty() {
            self.text.reserve(512);
            self.prefixes.reserve(FEW);
            self.uris.reserve(FEW);
            self.replaced.reserve(FEW);
            let (name, uri) = (self.keep(b"xml"), self.keep(XML));
            self.uris.push(uri);
            self.prefixes.push(Prefix { name, word: self.words[0], uri: 0, last: 0 });
        }
    }

    /// Keeps a prefix or a namespace name.
    fn keep(&mut self, piece: &[u8]) -> Piece {
        let start = self.text.len();
        self.text.extend_from_slice(piece);
        start..self.text.len()
    }

    /// Checks a start tag whose element or attributes have a colon or declare a namespace. `depth` is that of
    /// the element, from 1; `attribute` gives name and value of each of `count` attributes.
    pub(crate) fn start<'n>(
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
            self.namespace(element, colon)?;
        }
        if self.qualified.is_empty() { Ok(()) } else { self.attributes(attribute) }
    }

    /// Whether it is plain that the QName at `at`, whose colon is at `colon`, has a prefix that is bound.
    #[inline(always)]
    pub(crate) fn is_bound(&self, bytes: &[u8], at: usize, colon: usize) -> bool {
        let word = word(bytes, at, colon - at);
        word != 0 && self.words.contains(&word)
    }

    /// Checks the name of an element whose attributes have no prefixes.
    pub(crate) fn element(&mut self, name: &[u8]) -> Result<(), Fault> {
        self.declare_xml();
        match memchr(b':', name) {
            Some(colon) => self.namespace(name, colon).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The elements down to `depth` are still open: what the others declared no longer holds.
    #[inline(never)]
    pub(crate) fn end(&mut self, depth: usize) {
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

    /// The depth of the innermost element with a declaration, or that of the root: [`Scope::end`] is due where it ends.
    #[inline(always)]
    pub(crate) fn watched(&self) -> usize {
        self.depth
    }

    /// Binds a prefix; without one, the namespace of names that have none.
    fn declare(&mut self, depth: usize, prefix: Option<&[u8]>, uri: &[u8]) -> Result<(), Fault> {
        let reserved = if uri == XML { Some("xml") } else { (uri == XMLNS).then_some("xmlns") };
        match (prefix, reserved) {
            (Some(b"xmlns"), _) => return Err(fault("a declaration of the prefix 'xmlns'", "none (it is reserved)")),
            (Some(b"xml"), Some("xml")) => return Ok(()),
            (Some(b"xml"), _) => {
                return Err(fault("the prefix 'xml' bound to another namespace", "its own, or no declaration"));
            }
            (_, Some(own)) => {
                let found = format!("the namespace of the prefix '{own}'");
                return Err(fault(found, "another namespace (this one is reserved)"));
            }
            (None, None) => return Ok(()),
            (Some(prefix), None) if !is_local(prefix) => {
                return Err(fault(
                    format!("the prefix '{}'", String::from_utf8_lossy(prefix)),
                    "a name without a colon",
                ));
            }
            (Some(prefix), None) if uri.is_empty() => {
                let found = format!("xmlns:{}=\"\"", String::from_utf8_lossy(prefix));
                return Err(fault(found, "the name of a namespace (XML 1.0 cannot take back a prefix)"));
            }
            (Some(prefix), None) => self.bind(depth, prefix, uri),
        }
        Ok(())
    }

    fn bind(&mut self, depth: usize, name: &[u8], uri: &[u8]) {
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
        let uri = if repeated { last } else { self.uri(uri) };
        let prefix = &mut self.prefixes[number];
        self.replaced.push(Replaced { depth, prefix: number, uri: prefix.uri });
        (prefix.uri, prefix.last) = (uri, uri);
        if let Some(word) = self.words.get_mut(number) {
            *word = prefix.word;
        }
        self.depth = depth;
    }

    /// Puts the prefixes into the map, once they are more than a few.
    fn index_prefixes(&mut self) {
        if self.prefixes.len() <= FEW {
            return;
        }
        let by_name = &mut self.index.get_or_insert_default().prefixes;
        for number in by_name.len()..self.prefixes.len() {
            by_name.insert(self.text[self.prefixes[number].name.clone()].into(), number);
        }
    }

    /// The number of a namespace name.
    fn uri(&mut self, uri: &[u8]) -> u32 {
        let known = if self.uris.len() <= FEW {
            self.uris.iter().position(|known| self.text[known.clone()] == *uri).map(|number| number as u32)
        } else {
            self.index.as_ref().and_then(|index| index.uris.get(uri).copied())
        };
        if let Some(number) = known {
            return number;
        }
        let kept = self.keep(uri);
        self.uris.push(kept);
        if self.uris.len() > FEW {
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
        let found = if self.prefixes.len() <= FEW {
            self.prefixes.iter().position(|prefix| is_same(&self.text[prefix.name.clone()], name))?
        } else {
            *self.index.as_ref()?.prefixes.get(name)?
        };
        self.recent = found;
        Some(found)
    }

    /// The namespace of a name with a prefix.
    #[inline]
    fn namespace(&mut self, name: &[u8], colon: usize) -> Result<u32, Fault> {
        let (prefix, local) = (&name[..colon], &name[colon + 1..]);
        if colon == 0 || !is_local_part(local) {
            return Err(not_qualified(name));
        }
        let found = self.find(prefix).map_or(UNBOUND, |number| self.prefixes[number].uri);
        if found == UNBOUND { Err(unbound(prefix)) } else { Ok(found) }
    }

    /// The attributes with a prefix: each bound, and no two of one expanded name (section 6.3).
    fn attributes<'n>(&mut self, attribute: impl Fn(usize) -> (&'n [u8], &'n [u8])) -> Result<(), Fault> {
        let mut found = core::mem::take(&mut self.qualified);
        for one in &mut found {
            let n = one.attribute;
            let uri = self.namespace(attribute(n).0, one.local - 1);
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

/// A piece of up to eight bytes as a number, zeros after it; 0 of a longer or an empty one.
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
fn is_declaration(name: &[u8]) -> bool {
    name.strip_prefix(b"xmlns").is_some_and(|rest| matches!(rest.first(), None | Some(b':')))
}

/// Whether a piece of a name is a name without a colon (NCName).
#[inline]
fn is_local(name: &[u8]) -> bool {
    !name.is_empty() && name_and_colon(name, 0) == (name.len(), name.len())
}

/// Whether a Name is a QName as well (production 7 of the namespaces).
pub(crate) fn is_qualified(name: &[u8]) -> bool {
    match memchr(b':', name) {
        None => true,
        Some(colon) => colon > 0 && is_local_part(&name[colon + 1..]),
    }
}

/// Refuses the name at `bytes[start..end]` unless it is a QName.
pub(crate) fn check_qualified(bytes: &[u8], start: usize, end: usize) -> Result<(), Error> {
    if is_qualified(&bytes[start..end]) {
        return Ok(());
    }
    let fault = not_qualified(&bytes[start..end]);
    Err(Error::new(ErrorKind::Syntax, "xml", start as u64, fault.found, fault.expected))
}

/// Refuses the name at `bytes[start..end]` if it has a colon (section 7).
pub(crate) fn check_local(bytes: &[u8], start: usize, end: usize) -> Result<(), Error> {
    let name = &bytes[start..end];
    if memchr(b':', name).is_none() {
        return Ok(());
    }
    let found = format!("the name '{}'", String::from_utf8_lossy(name));
    let expected = "no colon in the name of an entity, a notation or an instruction";
    Err(Error::new(ErrorKind::Syntax, "xml", start as u64, found, expected))
}

#[cold]
fn fault(found: impl Into<Words>, expected: impl Into<Words>) -> Fault {
    Fault { attribute: None, found: found.into(), expected: expected.into(), undeclared: false }
}

#[cold]
fn not_qualified(name: &[u8]) -> Fault {
    fault(format!("the name '{}'", String::from_utf8_lossy(name)), "a name, or a prefix, one colon and a name")
}

#[cold]
fn unbound(prefix: &[u8]) -> Fault {
    let prefix = String::from_utf8_lossy(prefix);
    let found = format!("the prefix '{prefix}', which is not declared");
    Fault { undeclared: true, ..fault(found, format!("a declaration xmlns:{prefix}=\"...\" around it")) }
}

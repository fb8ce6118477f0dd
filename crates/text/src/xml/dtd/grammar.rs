//! What declarations are made of (XML 1.0 sections 3.2, 3.3, 4.2.2 and 4.7).

use core::ops::Range;

use tam::Error;
use xml::chars::{is_public, space_end};
use xml::name::token_end;

use super::super::expect::{after, after_name, after_space, unexpected};
use super::super::markup::literal;
use super::super::namespaces::{check_local, check_qualified};

/// Which names there are: all of XML 1.0, or those that Namespaces in XML 1.0 has left of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub(super) namespaces: bool,
}

impl Names {
    /// The place after the name at `at` of an element type or an attribute.
    pub(super) fn after_qualified(self, bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
        let end = after_name(bytes, at, expected)?;
        if self.namespaces {
            check_qualified(bytes, at, end)?;
        }
        Ok(end)
    }

    /// The place after the name at `at` of an entity or a notation.
    pub(super) fn after_local(self, bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, Error> {
        let end = after_name(bytes, at, expected)?;
        if self.namespaces {
            check_local(bytes, at, end)?;
        }
        Ok(end)
    }
}

/// One of several keywords, and the position after it.
pub(super) fn keyword(
    bytes: &[u8],
    at: usize,
    keywords: &[&'static str],
    expected: &'static str,
) -> Result<(&'static str, usize), Error> {
    let rest = bytes.get(at..).unwrap_or(&[]);
    // The longest first: IDREFS before IDREF before ID.
    let found =
        keywords.iter().filter(|keyword| rest.starts_with(keyword.as_bytes())).max_by_key(|keyword| keyword.len());
    if let Some(keyword) = found {
        return Ok((keyword, at + keyword.len()));
    }
    let cut = keywords.iter().any(|keyword| keyword.as_bytes().starts_with(rest));
    Err(unexpected(bytes, if cut { bytes.len() } else { at }, expected))
}

/// An external identifier (production 75), or for a notation a public one alone (83): the system identifier, and the
/// position after it.
pub(super) fn external_id(bytes: &[u8], at: usize, public_alone: bool) -> Result<(Option<Range<usize>>, usize), Error> {
    let (kind, next) = keyword(bytes, at, &["SYSTEM", "PUBLIC"], "'SYSTEM' or 'PUBLIC'")?;
    let mut at = after_space(bytes, next, "white space")?;
    if kind == "PUBLIC" {
        let (id, next) = literal(bytes, at, "a public identifier in quotes")?;
        if let Some(place) = id.clone().find(|&place| !is_public(bytes[place])) {
            return Err(unexpected(bytes, place, "a character of public identifiers"));
        }
        at = space_end(bytes, next);
        if public_alone && !matches!(bytes.get(at), Some(b'"' | b'\'')) {
            return Ok((None, next));
        }
        at = after_space(bytes, next, "white space")?;
    }
    let (system, next) = literal(bytes, at, "a system identifier in quotes")?;
    Ok((Some(system), next))
}

/// A notation declaration (production 82); the position after it.
pub(super) fn notation(bytes: &[u8], at: usize, names: Names) -> Result<usize, Error> {
    let name = after_space(bytes, at, "white space")?;
    let at = after_space(bytes, names.after_local(bytes, name, "the name of a notation")?, "white space")?;
    let (_, at) = external_id(bytes, at, true)?;
    after(bytes, space_end(bytes, at), ">")
}

/// An element type declaration (production 45); the position after it.
pub(super) fn element(bytes: &[u8], at: usize, names: Names) -> Result<usize, Error> {
    let name = after_space(bytes, at, "white space")?;
    let end = names.after_qualified(bytes, name, "the name of an element type")?;
    let at = after_space(bytes, end, "white space")?;
    let at = if bytes.get(at) == Some(&b'(') {
        let first = space_end(bytes, at + 1);
        if bytes.get(first) == Some(&b'#') { mixed(bytes, first, names)? } else { children(bytes, at, names)? }
    } else {
        keyword(bytes, at, &["EMPTY", "ANY"], "'EMPTY', 'ANY' or '('")?.1
    };
    after(bytes, space_end(bytes, at), ">")
}

/// Mixed content from its `#PCDATA` on (production 51); the position after it.
fn mixed(bytes: &[u8], at: usize, names: Names) -> Result<usize, Error> {
    let mut at = after(bytes, at, "#PCDATA")?;
    let mut elements = false;
    loop {
        at = space_end(bytes, at);
        match bytes.get(at) {
            Some(b'|') => {
                at = names.after_qualified(bytes, space_end(bytes, at + 1), "the name of an element type")?;
                elements = true;
            }
            Some(b')') if elements => return after(bytes, at + 1, "*"),
            Some(b')') => return Ok(at + 1 + usize::from(bytes.get(at + 1) == Some(&b'*'))),
            _ => return Err(unexpected(bytes, at, "'|' or ')'")),
        }
    }
}

/// A content model (productions 47-50) from its `(` on; the position after it. Groups that are open
/// are kept with their separator, once it is known.
fn children(bytes: &[u8], mut at: usize, names: Names) -> Result<usize, Error> {
    let mut open: Vec<Option<u8>> = Vec::new();
    loop {
        at = space_end(bytes, at);
        if bytes.get(at) == Some(&b'(') {
            open.push(None);
            at += 1;
            continue;
        }
        at = occurrence(bytes, names.after_qualified(bytes, at, "the name of an element type or '('")?);
        loop {
            at = space_end(bytes, at);
            match (bytes.get(at), open.last_mut()) {
                (Some(b')'), Some(_)) => {
                    at = occurrence(bytes, at + 1);
                    open.pop();
                    if open.is_empty() {
                        return Ok(at);
                    }
                }
                (Some(&mark @ (b',' | b'|')), Some(separator)) => {
                    if separator.is_some_and(|first| first != mark) {
                        return Err(unexpected(bytes, at, "one kind of separator in a group"));
                    }
                    *separator = Some(mark);
                    at += 1;
                    break;
                }
                _ => return Err(unexpected(bytes, at, "',', '|' or ')'")),
            }
        }
    }
}

/// The position after a `?`, `*` or `+`, if there is one at `at`.
fn occurrence(bytes: &[u8], at: usize) -> usize {
    at + usize::from(matches!(bytes.get(at), Some(b'?' | b'*' | b'+')))
}

/// An attribute type (productions 54-59): whether it is another than CDATA, and the position after it.
pub(super) fn attribute_type(bytes: &[u8], at: usize, names: Names) -> Result<(bool, usize), Error> {
    if bytes.get(at) == Some(&b'(') {
        return Ok((true, enumeration(bytes, at + 1, after_token)?));
    }
    let types = ["CDATA", "ID", "IDREF", "IDREFS", "ENTITY", "ENTITIES", "NMTOKEN", "NMTOKENS", "NOTATION"];
    let (kind, next) = keyword(bytes, at, &types, "the type of an attribute")?;
    if kind != "NOTATION" {
        return Ok((kind != "CDATA", next));
    }
    let at = after(bytes, after_space(bytes, next, "white space")?, "(")?;
    Ok((true, enumeration(bytes, at, |bytes, at| names.after_local(bytes, at, "the name of a notation"))?))
}

/// The place after the Nmtoken (production 7) that must be at `at`.
fn after_token(bytes: &[u8], at: usize) -> Result<usize, Error> {
    let end = token_end(bytes, at);
    if end > at { Ok(end) } else { Err(unexpected(bytes, at, "a name token")) }
}

/// The tokens of an enumeration after its `(`; the position after its `)`.
fn enumeration(
    bytes: &[u8],
    mut at: usize,
    after_token: impl Fn(&[u8], usize) -> Result<usize, Error>,
) -> Result<usize, Error> {
    loop {
        at = space_end(bytes, after_token(bytes, space_end(bytes, at))?);
        match bytes.get(at) {
            Some(b'|') => at += 1,
            Some(b')') => return Ok(at + 1),
            _ => return Err(unexpected(bytes, at, "'|' or ')'")),
        }
    }
}

//! Checks the texts that wildcards have for elements and attributes (X.693 clauses 18 and 19).

use ::xml::name::is_local;
use tam::{Error, ErrorKind};
use text::xml::{self, Event, Reader};
use xsd::internal::Copy;

/// Checks that a text is one element that declares all prefixes it uses. If it has names in no namespace, returns the
/// position where `xmlns=""` can be inserted.
pub(super) fn element(text: &str) -> Result<Option<usize>, Error> {
    let mut copy = Copy::default();
    if text.trim_start().starts_with("<?xml") {
        return Err(refused("an XML declaration before an element"));
    }
    let mut reader = Reader::from_text(text, &xml::Options::default())?;
    let mut has_ended = false;
    while let Some(event) = reader.next_event()? {
        let is_before = copy.is_empty() && !matches!(event, Event::Start(_));
        if has_ended || is_before {
            return Err(refused("more than an element"));
        }
        has_ended = copy.event(&event);
    }
    if copy.needs_prefixes() {
        return Err(refused("an element with a prefix that it does not declare"));
    }
    // Only white space may come before the element.
    let before = text.find('<').unwrap_or_default();
    Ok(copy.bare_names().map(|at| before + at))
}

/// Checks that a text is one element that declares all prefixes it uses, as a wildcard has it.
///
/// # Errors
/// Kind syntax, incomplete or unsupported.
pub fn check_element(text: &str) -> Result<(), Error> {
    element(text).map(drop)
}

/// Checks that a text is an attribute. Returns its namespace and local name, and stores its value in `value`.
pub(super) fn check_attribute<'t>(text: &'t str, value: &mut String) -> Result<(&'t str, &'t str), Error> {
    let fault = || refused("a text that is not an attribute");
    let (before, quoted) = text.split_once("=").ok_or_else(fault)?;
    let (uri, local) = match before.rsplit_once(' ') {
        Some((uri, local)) => (uri, local),
        None => ("", before),
    };
    if !is_local(local) || local == "xmlns" || uri.contains([' ', '<', '"', '&']) {
        return Err(fault());
    }
    let element = format!("<a a={quoted}/>");
    let mut reader = Reader::from_text(&element, &xml::Options::default())?;
    value.clear();
    match reader.next_event()? {
        Some(Event::Start(tag)) if tag.attributes().len() == 1 => {
            value.push_str(tag.attribute("a").unwrap_or_default());
        }
        _ => return Err(fault()),
    }
    if !matches!(reader.next_event()?, Some(Event::End(_))) || reader.next_event()?.is_some() {
        return Err(fault());
    }
    Ok((uri, local))
}

#[cold]
fn refused(found: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, "xsd", 0, found, "a value that is allowed in an instance")
}

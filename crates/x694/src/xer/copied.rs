//! Where characters of elements that match wildcards are in the copies of these, if they are copied as they are and nothing
//! is checked of them: others may take their places there.

use std::ops::Range;

use ::xml::name::split;
use ::xml::namespaces::declared;
use text::xml::Reader as Xml;
use xsd::Validator;

use super::expect::{Places, ValuePlace};
use super::place::{OpenGroup, Target};

/// Attributes that say how an element is checked.
const CHECKED: [&str; 4] = ["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"];

/// Characters in an element that is being copied.
#[derive(Debug)]
pub(super) struct Copied {
    /// Where they are in the instance, and how many bytes they are.
    start: usize,
    len: usize,
    /// Whether they are the value of an attribute.
    is_attribute: bool,
    /// Where they are in the copy, without the declarations that are added.
    at: usize,
}

/// Notes the characters of the last event, in an element that is being copied.
pub(super) fn note_text(validator: &Validator<'_, '_>, noted: &mut Vec<Copied>) {
    let (text, start) = (validator.state.event_text(), validator.reader.event_place());
    if validator.state.checks_nothing()
        && let Some(ahead) = validator.reader.ahead()
        && as_it_is(ahead.text.as_bytes(), start, false) == Some(text)
    {
        let at = validator.copied_so_far().len() - text.len();
        noted.push(Copied { start, len: text.len(), is_attribute: false, at });
    }
}

/// Notes the attributes of the element that has begun, which is being copied.
pub(super) fn note_attributes(validator: &Validator<'_, '_>, noted: &mut Vec<Copied>) {
    let copied = validator.copied_so_far();
    // Values have no `<` in the copy.
    let from = copied.iter().rposition(|byte| *byte == b'<').unwrap_or_default();
    let (Some(ahead), Some(start)) = (validator.reader.ahead(), validator.state.started()) else { return };
    if !validator.state.checks_nothing() {
        return;
    }
    let text = ahead.text.as_bytes();
    let tag = validator.reader.event_place()..ahead.at;
    let mut checked = start.attributes().filter(|(one, _)| one.attribute.is_some()).map(|(one, _)| start.written(&one));
    let mut next_checked = checked.next();
    let mut copies = attributes(copied, from..copied.len());
    for (name, value) in attributes(text, tag) {
        let Some((_, copy)) = copies.find(|(one, _)| copied.get(one.clone()) == text.get(name.clone())) else { return };
        let Some(name) = ahead.text.get(name) else { return };
        if next_checked == Some(name) {
            next_checked = checked.next();
        } else if declared(name).is_none()
            && !CHECKED.contains(&split(name).1)
            && as_it_is(text, value.start, true).map(str::as_bytes) == copied.get(copy.clone())
        {
            noted.push(Copied { start: value.start, len: value.len(), is_attribute: true, at: copy.start });
        }
    }
}

/// The names and values in a start tag.
fn attributes(text: &[u8], tag: Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let find = move |from: usize, is: &dyn Fn(u8) -> bool| {
        let rest = text.get(from..tag.end)?;
        rest.iter().position(|byte| is(*byte)).map(|at| from + at)
    };
    let is_space = |byte: u8| byte <= b' ';
    let mut at = tag.start;
    std::iter::from_fn(move || {
        // A tag ends with `>`, or in a copy that is not finished with a quote.
        let space = find(at, &is_space)?;
        let name = find(space, &|byte| !is_space(byte) && byte != b'/' && byte != b'>')?;
        let name_end = find(name, &|byte| byte == b'=' || is_space(byte))?;
        let quote = find(name_end, &|byte| byte == b'"' || byte == b'\'')?;
        let end = find(quote + 1, &|byte| Some(&byte) == text.get(quote))?;
        at = end + 1;
        Some((name..name_end, quote + 1..end))
    })
}

/// Characters at a place of a text, if they are copied as they are.
pub(super) fn as_it_is(text: &[u8], start: usize, is_attribute: bool) -> Option<&str> {
    match is_attribute {
        true => {
            let quote = *text.get(start.checked_sub(1)?)?;
            Xml::plain_value(text, start, quote).filter(|value| !value.contains('"'))
        }
        // An element without any is written in another way.
        false => Xml::plain_text(text, start).filter(|piece| !piece.is_empty() && !piece.contains('>')),
    }
}

/// Notes the places of what is in a copy that has been filled in with so many bytes of declarations.
pub(super) fn keep(noted: &mut Vec<Copied>, declarations: usize, to: Target, open: &[OpenGroup], places: &mut Places) {
    for Copied { start, len, is_attribute, at } in noted.drain(..) {
        places.push(start, ValuePlace::copied(len, is_attribute, at + declarations, to, open));
    }
}

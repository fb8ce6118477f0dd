//! Where characters of elements that match wildcards are in the copies of these, if they are copied as they are and nothing
//! but a type is checked of them: others may take their places there.

use std::ops::Range;

use ::xml::name::split;
use ::xml::namespaces::declared;
use text::xml::Reader as Xml;
use xsd::{Builtin, SimpleId, Validator, XSI_NAMESPACE};

use super::expect::{Places, ValuePlace};
use super::place::{OpenGroup, Target};

/// Attributes that say how an element is checked, or how it is copied: those of `xsi` ...
const OF_XSI: [&str; 4] = ["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"];
/// ... and of SOAP's encoding.
const OF_ENCODING: [&str; 3] = ["arrayType", "offset", "position"];

/// The type of characters of which nothing is checked.
const ANY: SimpleId = Builtin::AnySimpleType.id();

/// The characters in an element that is being copied.
#[derive(Debug, Default)]
pub(super) struct Copying {
    noted: Vec<Copied>,
    /// The type of the innermost element, if it has simple content.
    simple: Option<SimpleId>,
}

/// Characters in an element that is being copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    /// Where they are in the instance, and how many bytes they are.
    start: usize,
    pub(super) len: usize,
    /// Their type.
    pub(super) ty: SimpleId,
    /// Whether they are the value of an attribute.
    pub(super) is_attribute: bool,
    /// Where they are in the copy.
    pub(super) at: usize,
}

impl Copied {
    /// The type that others must have in their place, if any.
    pub(super) fn checked(ty: SimpleId) -> Option<SimpleId> {
        Some(ty).filter(|ty| *ty != ANY)
    }
}

impl Copying {
    /// Notes the characters of the last event.
    pub(super) fn text(&mut self, validator: &Validator<'_, '_>) {
        let text = validator.state.event_text();
        let at = validator.copied_so_far().len() - text.len();
        if let Some(ty) = validator.state.type_of_characters() {
            self.note(validator, text, ty, (validator.reader.event_place(), at));
        }
    }

    /// Notes the characters of an element with simple content, which has ended.
    pub(super) fn end(&mut self, validator: &Validator<'_, '_>) {
        let text = validator.state.ended().value.unwrap_or_default();
        let Some(ty) = self.simple.take() else { return };
        // The end tag of the copy begins with the last `<`: values have none.
        let tag = validator.copied_so_far().iter().rposition(|byte| *byte == b'<').unwrap_or_default();
        let start = validator.reader.event_place().checked_sub(text.len());
        if let Some((start, at)) = start.zip(tag.checked_sub(text.len())) {
            self.note(validator, text, ty, (start, at));
        }
    }

    /// Notes characters at places in the instance and in the copy, if they are all that is between two tags.
    fn note(&mut self, validator: &Validator<'_, '_>, text: &str, ty: SimpleId, (start, at): (usize, usize)) {
        let Some(all) = validator.reader.ahead().map(|ahead| ahead.text.as_bytes()) else { return };
        let is_after_tag = start.checked_sub(1).and_then(|before| all.get(before)) == Some(&b'>');
        if is_after_tag && as_it_is(all, start, false) == Some(text) {
            self.noted.push(Copied { start, len: text.len(), ty, is_attribute: false, at });
        }
    }

    /// Notes the attributes of the element that has begun, and the type of its characters.
    pub(super) fn start(&mut self, validator: &Validator<'_, '_>) {
        let state = &validator.state;
        let copied = validator.copied_so_far();
        // Values have no `<` in the copy.
        let from = copied.iter().rposition(|byte| *byte == b'<').unwrap_or_default();
        let (Some(ahead), Some(start)) = (validator.reader.ahead(), state.started()) else { return };
        self.simple = start.simple.and_then(|_| state.type_of_characters());
        let text = ahead.text.as_bytes();
        let tag = validator.reader.event_place()..ahead.at;
        let is_of_xsi = |name: &str| {
            let (prefix, local) = split(name);
            OF_XSI.contains(&local) && state.scope().uri(prefix) == Some(XSI_NAMESPACE)
        };
        // Where nothing is checked, there are none.
        let mut matches = start.attributes();
        let are_checked = matches.len() > 0;
        let mut copies = attributes(copied, from..copied.len());
        for (name, value) in attributes(text, tag) {
            let Some((_, copy)) = copies.find(|(one, _)| copied.get(one.clone()) == text.get(name.clone())) else {
                return;
            };
            let Some(name) = ahead.text.get(name) else { return };
            if declared(name).is_some() || is_of_xsi(name) {
                continue;
            }
            let ty = match are_checked {
                true => matches.next().and_then(|(one, _)| state.type_of_attribute(&one)),
                false => Some(ANY),
            };
            if let Some(ty) = ty
                && !OF_XSI.iter().chain(&OF_ENCODING).any(|local| *local == split(name).1)
                && as_it_is(text, value.start, true).map(str::as_bytes) == copied.get(copy.clone())
            {
                self.noted.push(Copied {
                    start: value.start,
                    len: value.len(),
                    ty,
                    is_attribute: true,
                    at: copy.start,
                });
            }
        }
    }

    /// Notes the places of what is in a copy that has been filled in with so many bytes of declarations.
    pub(super) fn keep(&mut self, declarations: usize, to: Target, open: &[OpenGroup], places: &mut Places) {
        for copied in self.noted.drain(..) {
            let at = copied.at + declarations;
            places.push(copied.start, ValuePlace::copied(Copied { at, ..copied }, to, open));
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

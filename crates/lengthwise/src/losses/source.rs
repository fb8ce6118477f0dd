//! What reading XML text itself changes, where a DOCTYPE declares entities or defaults.

use std::borrow::Cow;

use tam::{Error, Table};
use text::xml::{Event, Reader};

use super::evidence::Evidence;
use super::{Loss, LossKind, Losses, Place};
use crate::convert::document_options;
use crate::{Format, Options};

/// Looks for references to entities and for attributes that only the DOCTYPE supplies.
pub(super) fn look(input: &[u8], options: &Options<'_>, losses: &mut Losses) -> Result<(), Error> {
    let text = as_utf8(input);
    let has = |word: &str| memchr::memmem::find(&text, word.as_bytes()).is_some();
    if !has("<!DOCTYPE") {
        return Ok(());
    }
    // In another encoding a place in the input is not one in the text.
    let is_in_place = matches!(text, Cow::Borrowed(_));
    if has("<!ATTLIST") {
        defaults(&text, is_in_place, options, losses)?;
    }
    if has("<!ENTITY") {
        entities(&text, is_in_place, options, losses)?;
    }
    Ok(())
}

/// UTF-8 without a declaration of another encoding, so that the reader leaves the text in its place.
fn as_utf8(input: &[u8]) -> Cow<'_, [u8]> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units = input.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        undeclared(text.trim_start_matches('\u{FEFF}')).into_bytes()
    };
    match input {
        [0xFE, 0xFF, ..] | [0, b'<', ..] => Cow::Owned(wide(u16::from_be_bytes)),
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => Cow::Owned(wide(u16::from_le_bytes)),
        _ if input.is_ascii() || std::str::from_utf8(input).is_ok() => Cow::Borrowed(input),
        // The reader knows no other encoding than ISO-8859-1.
        _ => Cow::Owned(undeclared(&input.iter().map(|byte| char::from(*byte)).collect::<String>()).into_bytes()),
    }
}

/// A text without its XML declaration.
fn undeclared(text: &str) -> String {
    let end = if text.starts_with("<?xml") { text.find("?>").map_or(0, |at| at + 2) } else { 0 };
    text.get(end..).unwrap_or_default().to_owned()
}

/// The names of supplied attributes were copied from the declaration, those of the tag were not.
fn defaults(text: &[u8], is_in_place: bool, options: &Options<'_>, losses: &mut Losses) -> Result<(), Error> {
    let mut table = Table::new();
    let document = text::xml::read(text, &document_options(options), &mut table)?;
    let (message, _) = document.texts();
    let is_written = |at: u32| (at as usize) < message.len();
    let mut evidence = Evidence::new(text, Format::Xml);
    let mut open = Vec::new();
    for step in document.walk() {
        match step {
            tam::Step::Open(node) => open.push(node),
            tam::Step::Close(_) => drop(open.pop()),
            tam::Step::Primitive(attribute) => {
                let [.., element, list] = open[..] else { continue };
                let is_own = list.kind() == b'=' && element.kind() == b'<' && is_written(element.row().name_at());
                if is_own && !is_written(attribute.row().name_at()) {
                    evidence.below(LossKind::Default, Some(element), || format!("/@{}", attribute.name()));
                }
            }
        }
    }
    let unplaced = |mut loss: Loss| {
        if !is_in_place {
            (loss.first.offset, loss.first.position) = (None, None);
        }
        loss
    };
    losses.merge(evidence.into_losses().map(unplaced));
    Ok(())
}

/// Counts references in the document itself that are not kept, event by event; what an entity refers to is its own.
fn entities(text: &[u8], is_in_place: bool, options: &Options<'_>, losses: &mut Losses) -> Result<(), Error> {
    let mut reader = Reader::new(text, &document_options(options))?;
    let (mut count, mut first, mut from) = (0, None, 0);
    loop {
        let event = reader.next_event()?;
        let is_over = event.is_none();
        let kept = match event {
            Some(Event::EntityReference(name)) => format!("&{name};"),
            _ => String::new(),
        };
        let to = if is_over { text.len() } else { usize::try_from(reader.offset()).unwrap_or(text.len()) };
        if to > from {
            let piece = text.get(from..to).unwrap_or_default();
            for at in references(piece) {
                count += 1;
                first.get_or_insert(from + at);
            }
            from = to;
        }
        if text.get(from..).is_some_and(|rest| rest.starts_with(kept.as_bytes())) {
            from += kept.len();
        }
        if is_over {
            break;
        }
    }
    if let Some(at) = first {
        let offset = is_in_place.then_some(at as u64);
        let position = is_in_place.then(|| crate::format::position(text, at));
        let first = Place { path: String::new(), offset, position };
        losses.merge([Loss { kind: LossKind::Entity, count, first }]);
    }
    Ok(())
}

/// Where a piece of text or a tag refers to entities that are not built in.
fn references(piece: &[u8]) -> impl Iterator<Item = usize> {
    let has_none = [&b"<!"[..], b"<?"].iter().any(|start| piece.starts_with(start));
    let piece = if has_none { b"" } else { piece };
    memchr::memchr_iter(b'&', piece).filter(|at| {
        let rest = piece.get(at + 1..).unwrap_or_default();
        let name = rest.split(|c| *c == b';').next().unwrap_or_default();
        !name.starts_with(b"#") && !matches!(name, b"lt" | b"gt" | b"amp" | b"apos" | b"quot")
    })
}

//! The path of an error, which is found by reading the instance once more.

use std::collections::HashMap;

use tam::{Error, ErrorKind, Limits};
use text::xml::{self, Event, Reader};

/// Longer names are cut off.
const MOST_SHOWN: usize = 100;

/// An element on the path: its text there, and how many children it has had with each name.
#[derive(Default)]
struct Step {
    text: String,
    children: HashMap<String, u32>,
}

/// The path of the element that an event is in. Events count from 1. Elements that are not the first with their name have
/// an index.
pub(super) fn path(input: &[u8], limits: Limits, event: u64) -> String {
    walk(input, limits, event).map_or_else(String::new, |(path, ..)| path)
}

/// An error, moved to an event.
pub fn at_event(input: &[u8], limits: Limits, event: u64, error: &Error) -> Error {
    walk(input, limits, event).map_or_else(|| error.clone(), |(path, reader, _)| moved(error, &reader, path))
}

fn moved(error: &Error, reader: &Reader<'_>, path: String) -> Error {
    reader.error(error.kind(), error.found().clone(), error.expected().clone()).in_path(path)
}

/// An error for an IDREF without an ID.
pub(super) fn reference(input: &[u8], limits: Limits, name: &str, event: u64) -> Error {
    let found = format!("the IDREF '{name}'");
    let expected = "an ID of an element of the document";
    match walk(input, limits, event) {
        Some((path, reader, _)) => reader.error(ErrorKind::Schema, found, expected).in_path(path),
        None => Error::new(ErrorKind::Schema, "xml", 0, found, expected),
    }
}

/// The error at the end of an element, moved to the characters before the end tag if there are any.
pub(super) fn at_characters(input: &[u8], limits: Limits, end: u64, error: Error) -> Error {
    match walk(input, limits, end.saturating_sub(1)) {
        Some((path, reader, true)) => moved(&error, &reader, path),
        _ => error,
    }
}

/// The path of the element that an event is in, the reader at the event, and whether that is characters.
fn walk(input: &[u8], limits: Limits, event: u64) -> Option<(String, Reader<'_>, bool)> {
    let mut reader = Reader::new(input, &xml::Options::default().with_limits(limits)).ok()?;
    let mut steps = vec![Step::default()];
    let mut characters = false;
    for n in 1..=event {
        characters = false;
        match reader.next_event().ok()?? {
            Event::Start(tag) => {
                let name: String = tag.name().chars().take(MOST_SHOWN).collect();
                let count = steps.last_mut()?.children.entry(name.clone()).or_default();
                *count += 1;
                let text = if *count > 1 { format!("{name}[{count}]") } else { name };
                steps.push(Step { text, children: HashMap::new() });
            }
            Event::End(_) if n < event => {
                steps.pop();
            }
            Event::Text(_) | Event::CData(_) => characters = true,
            _ => {}
        }
    }
    let path = steps.iter().skip(1).fold(String::new(), |path, step| path + "/" + &step.text);
    Some((path, reader, characters))
}

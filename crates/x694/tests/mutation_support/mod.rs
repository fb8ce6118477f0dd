//! Documents with a change: elements left out, repeated, renamed and moved, attributes and texts exchanged.

#![allow(clippy::unwrap_used, clippy::panic)] // How a test fails.

use test_support::Random;
use text::xml::{Event, Reader};

/// An element as it is written: an element may be copied, moved and renamed by its places.
struct Element {
    start: usize,
    content: usize,
    close: usize,
    end: usize,
    children: usize,
}

/// The elements of a document.
fn elements(text: &str) -> Vec<Element> {
    let mut reader = Reader::from_text(text, &text::xml::Options::default()).unwrap();
    let (mut elements, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    loop {
        let event = match reader.next_event().unwrap() {
            None => return elements,
            Some(Event::Start(_)) => 1,
            Some(Event::End(_)) => 2,
            Some(_) => 0,
        };
        // Before the root element there may be white space.
        let at = reader.offset() as usize;
        let at = at + text[at..].len() - text[at..].trim_start().len();
        match event {
            1 => {
                if let Some(parent) = open.last() {
                    elements[*parent].children += 1;
                }
                open.push(elements.len());
                let content = tag_end(text, at);
                elements.push(Element { start: at, content, close: at, end: at, children: 0 });
            }
            2 => {
                let element = &mut elements[open.pop().unwrap()];
                let empty = text[..element.content].ends_with("/>");
                element.close = if empty { element.content } else { at };
                element.end = if empty { element.content } else { at + text[at..].find('>').unwrap() + 1 };
            }
            _ => {}
        }
    }
}

/// The position after a start tag.
fn tag_end(text: &str, start: usize) -> usize {
    let mut quote = None;
    for (n, byte) in text.bytes().enumerate().skip(start) {
        match (quote, byte) {
            (None, b'>') => return n + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(mark), _) if mark == byte => quote = None,
            _ => {}
        }
    }
    panic!("a tag without an end");
}

const TEXTS: &[&str] = &[
    "",
    " ",
    "x",
    "-1",
    "1.5",
    "true",
    "2004-01-01",
    "2004-02-30",
    "2004-01-01T00:00:00Z",
    "12:00:00",
    "  7 ",
    "abc def",
    "1e5",
    "INF",
    "%zz",
    "a:b",
    "#x#y",
    "P1Y",
    "http://x/y",
    "+5",
    "é",
    "en-US",
    "id",
    "\n",
];

/// A document with one change.
pub(crate) fn mutated(text: &str, random: &mut Random) -> String {
    let elements = elements(text);
    let element = &elements[random.below(elements.len())];
    let other = &elements[random.below(elements.len())];
    let (mut out, whole) = (text.to_owned(), &text[element.start..element.end]);
    let name_end =
        |element: &Element| element.start + text[element.start..].find([' ', '>', '/', '\n', '\t', '\r']).unwrap_or(1);
    let has_attributes = text[name_end(element)..element.content].contains('=');
    match random.below(9) {
        0 => out.replace_range(element.start..element.end, ""),
        1 => out.insert_str(element.end, &whole.repeat(1 + random.below(3))),
        2 => {
            let name = text[other.start + 1..name_end(other)].to_owned();
            let name = if random.one_in(4) { "foo".to_owned() } else { name };
            if element.close > element.content {
                let close = element.close + 2..element.end - 1;
                out.replace_range(close, &name);
            }
            out.replace_range(element.start + 1..name_end(element), &name);
        }
        3 => {
            // Moved before another that is neither in it nor around it.
            if other.end <= element.start {
                let whole = whole.to_owned();
                out.replace_range(element.start..element.end, "");
                out.insert_str(other.start, &whole);
            }
        }
        4 => out.insert_str(element.content, random.of(&["x", " ", "<foo/>", "<!-- c -->"])),
        5 => {
            let at = name_end(element);
            let attribute = random.of(&["foo", "id", "xml:lang", "lang", "unitCode", "currencyID"]);
            out.insert_str(at, &format!(" {attribute}='{}'", random.of(TEXTS)));
        }
        6 if has_attributes => {
            // The value of the first attribute.
            let from = name_end(element);
            let quote = from + text[from..].find(['"', '\'']).unwrap();
            let mark = &text[quote..=quote];
            let end = quote + 1 + text[quote + 1..].find(mark).unwrap();
            if random.one_in(2) {
                out.replace_range(quote + 1..end, random.of(TEXTS));
            } else {
                out.replace_range(from..=end, "");
            }
        }
        _ => {
            let leaves: Vec<&Element> =
                elements.iter().filter(|leaf| leaf.children == 0 && leaf.close > leaf.content).collect();
            if !leaves.is_empty() {
                let leaf = leaves[random.below(leaves.len())];
                out.replace_range(leaf.content..leaf.close, random.of(TEXTS));
            }
        }
    }
    out
}

//! A fast path of the first pass in BER, for what most messages contain: definite lengths, indexes in the fewest
//! octets, attributes with only a name and a value.

use crate::ber::{Ber, Children, Entered};
use crate::outline::{Attribute, Kind, List, Token};
use crate::scan::{Level, NO_LIST, State};

/// Identifier octets of fields and alternatives: constructed and primitive.
const CONSTRUCTED: u8 = 0xA0;
const PRIMITIVE: u8 = 0x80;
/// The identifier octet of an attribute.
const SEQUENCE: u8 = 0x30;

/// The field that says that the namespaces in scope are those of the parent element.
const SAME_NAMESPACES: [u8; 4] = [CONSTRUCTED | 4, 2, PRIMITIVE | 1, 0];

/// A position in a message. A step returns `None` if it does not find what it expects; the position is then
/// meaningless.
#[derive(Clone, Copy)]
struct Scanner<'m> {
    message: &'m [u8],
    at: usize,
}

impl Scanner<'_> {
    /// The end of the contents after an identifier octet and a length. They end at `most` or before.
    #[inline(always)]
    fn enter(&mut self, identifier: u8, most: usize) -> Option<usize> {
        let [first, length, rest @ ..] = self.message.get(self.at..)? else { return None };
        if *first != identifier {
            return None;
        }
        let (octets, length) = match (length, rest) {
            (0..=0x7F, _) => (0, usize::from(*length)),
            (0x81, [a, ..]) => (1, usize::from(*a)),
            (0x82, [a, b, ..]) => (2, usize::from(*a) << 8 | usize::from(*b)),
            (0x83, [a, b, c, ..]) => (3, usize::from(*a) << 16 | usize::from(*b) << 8 | usize::from(*c)),
            (0x84, [a, b, c, d, ..]) => (4, u32::from_be_bytes([*a, *b, *c, *d]) as usize),
            _ => return None,
        };
        self.at += 2 + octets;
        Some(self.at + length).filter(|end| *end <= most)
    }

    /// Reads an index, the second alternative, which ends at `end`.
    #[inline(always)]
    fn index(&mut self, end: usize) -> Option<u32> {
        let index = match self.message.get(self.at..end)? {
            [0x81, 1, a @ 0..0x80] => u32::from(*a),
            [0x81, 2, a @ 0..0x80, b] if *a > 0 || *b > 0x7F => u32::from(*a) << 8 | u32::from(*b),
            [0x81, 3, a @ 0..0x80, b, c] if *a > 0 || *b > 0x7F => {
                u32::from(*a) << 16 | u32::from(*b) << 8 | u32::from(*c)
            }
            _ => return None,
        };
        self.at = end;
        Some(index)
    }

    /// Reads a field that is an index.
    #[inline(always)]
    fn indexed(&mut self, field: u8, most: usize) -> Option<u32> {
        let end = self.enter(CONSTRUCTED | field, most)?;
        self.index(end)
    }

    /// Reads characters: a string, and whether it is white space.
    #[inline(always)]
    fn text(&mut self, most: usize) -> Option<u32> {
        let end = self.enter(CONSTRUCTED | 3, most)?;
        let characters = self.enter(CONSTRUCTED, end)?;
        let text = self.indexed(0, characters)?;
        let [0x81, 1, _] = self.message.get(self.at..end)? else { return None };
        let is_whole = self.at == characters;
        self.at = end;
        is_whole.then_some(text)
    }

    /// Reads what follows the content of an element, and appends its attributes. On `None`, nothing is appended.
    #[inline(always)]
    fn end(&mut self, end: usize, attributes: &mut Vec<Attribute>) -> Option<List> {
        let mut list = List { first: attributes.len() as u32, ..List::default() };
        if self.message.get(self.at..end)? != SAME_NAMESPACES {
            let read = self.attributes(end, &mut list, attributes);
            if read.is_none() {
                attributes.truncate(list.first as usize);
            }
            read?;
        }
        self.at = end;
        Some(list)
    }

    #[inline(never)]
    fn attributes(&mut self, end: usize, list: &mut List, attributes: &mut Vec<Attribute>) -> Option<()> {
        for (field, count) in [(2, &mut list.attributes), (3, &mut list.namespaces)] {
            if self.message.get(self.at) != Some(&(CONSTRUCTED | field)) {
                continue;
            }
            let all = self.enter(CONSTRUCTED | field, end)?;
            while self.at < all {
                let one = self.enter(SEQUENCE, all)?;
                let attribute = Attribute { name: self.indexed(0, one)?, value: self.indexed(1, one)? };
                if self.at != one {
                    return None;
                }
                attributes.push(attribute);
                *count += 1;
            }
            if *count == 0 {
                return None;
            }
        }
        (self.message.get(self.at..end)? == SAME_NAMESPACES).then_some(())
    }
}

/// Reads elements as long as the fast path applies.
pub(crate) fn run(r: &mut Ber<'_>, state: &mut State<Ber<'_>>) {
    let State { open, depth, tokens, most, found, .. } = state;
    // Stops at contents of an indefinite length, and inside contents entered within an element.
    while let Some(level) = open.last_mut().filter(|_| r.has_end())
        && !level.children.is_indefinite()
    {
        let children_end = r.end();
        let mut place = Scanner { message: r.message(), at: r.at() };
        if place.at == children_end {
            let Children { element, field, alternative } = level.children;
            if alternative.end != children_end {
                return;
            }
            let Some(list) = place.end(field.end, &mut found.attributes) else { return };
            if level.list != NO_LIST {
                if let Some(kept) = found.lists.get_mut(level.list as usize) {
                    *kept = list;
                }
            } else if list.attributes + list.namespaces > 0 {
                return;
            }
            r.go(place.at, element);
            tokens.push(Token::new(Kind::Close, false, 0, 0));
            open.pop();
            continue;
        }
        if tokens.len() >= *most || open.len() >= *depth {
            return;
        }
        let Some(next) = place.message.get(place.at) else { return };
        if *next == CONSTRUCTED | 3 {
            let is_after_text = tokens.last().is_some_and(|last| last.kind() == Kind::Text);
            let Some(text) = place.text(children_end).filter(|_| !is_after_text) else { return };
            tokens.push(Token::text(text));
            r.at_place(place.at);
            continue;
        }
        let Some(end) = place.enter(CONSTRUCTED, children_end) else { return };
        let Some(name) = place.indexed(0, end).filter(|name| name >> (Token::NAME_BITS - 1) == 0) else { return };
        let Some(content) = place.enter(CONSTRUCTED | 1, end) else { return };
        if place.message.get(place.at) == Some(&CONSTRUCTED) {
            let Some(text) = place.indexed(0, content).filter(|_| place.at == content) else { return };
            let Some(list) = place.end(end, &mut found.attributes) else { return };
            let has_list = list.attributes + list.namespaces > 0;
            tokens.push(Token::new(Kind::Leaf, has_list, name, text));
            if has_list {
                found.lists.push(list);
            }
            if let Some(level) = open.last_mut() {
                level.elements += 1;
            }
            r.at_place(place.at);
            continue;
        }
        let Some(children) = place.enter(CONSTRUCTED | 1, content).filter(|end| *end == content) else { return };
        // The end of the children is known, so what follows them can be checked here.
        let has_list = place.message.get(content..end) != Some(&SAME_NAMESPACES);
        let mut list = NO_LIST;
        if has_list {
            list = found.lists.len() as u32;
            found.lists.push(List::default());
        }
        tokens.push(Token::new(Kind::Open, has_list, name, 0));
        if let Some(level) = open.last_mut() {
            level.elements += 1;
        }
        let outer = |end| Entered { end, bounded: true, indefinite: false };
        let around = Children { element: outer(children_end), field: outer(end), alternative: outer(content) };
        open.push(Level { children: around, fields: (), list, elements: 0 });
        r.go(place.at, outer(children));
    }
}

//! What rows are written from: elements, attributes and texts in order, each with its number.

use tam::{Error, Words};

use crate::path::{REST, Step};
use crate::schema::{Builtin, Content, NONE};

/// What an item is, in the order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// What an element has beyond its numbers.
    Rest,
    Attribute,
    /// The text of a record.
    Text,
    Element,
}

impl Class {
    /// The place of something with a number among the items of its parent.
    #[inline]
    pub(crate) const fn order(self, number: u32) -> u64 {
        (self as u64) << 32 | number as u64
    }
}

/// An element, or something in one.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) class: Class,
    /// The number, and the occurrence of an element that is repeated.
    pub(crate) step: Step,
    /// The end of the items in it.
    pub(crate) end: u32,
    /// Of an element: its type. Of others: the type of the value.
    pub(crate) content: Content,
    /// Whether all items in it, at any depth, are in the order of rows.
    pub(crate) ordered: bool,
    /// The place of its value among the texts.
    text: (u32, u32),
}

impl Item {
    /// Whether it has a row of its own: it is a value, or nothing in it shows that it is present. A simple element that
    /// has more than its value has that as an item.
    #[inline]
    pub(crate) fn has_row(&self, at: usize) -> bool {
        self.class != Class::Element || self.len(at) == 1
    }

    /// The number of items that it is, by its own place.
    #[inline]
    pub(crate) fn len(&self, at: usize) -> usize {
        (self.end as usize).wrapping_sub(at)
    }

    /// Its place among the items of its parent.
    #[inline]
    pub(crate) fn order(&self) -> u64 {
        self.class.order(self.step.number)
    }

    /// The number of the attribute that it is.
    pub(crate) fn attribute(&self) -> Option<u32> {
        match self.class {
            Class::Rest => Some(REST),
            Class::Attribute => Some(self.step.number),
            Class::Text | Class::Element => None,
        }
    }
}

/// The items of a message, and the octets of its parts.
#[derive(Debug, Default)]
pub(crate) struct Items {
    pub(crate) all: Vec<Item>,
    texts: String,
    /// Whether no text needs references.
    all_plain: std::cell::OnceCell<bool>,
    octets: Vec<Vec<u8>>,
}

impl Items {
    /// No items, with the memory and the parts of these.
    #[cfg(feature = "serde")]
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.texts.clear();
        self.all_plain.take();
    }

    /// The bytes of memory that items take.
    #[cfg(feature = "serde")]
    pub(crate) fn memory(&self) -> usize {
        self.texts.capacity() + self.all.capacity() * size_of::<Item>()
    }

    /// Adds an item. Its end is set by [`Items::end`].
    #[inline]
    pub(crate) fn push(&mut self, class: Class, step: Step, content: Content, text: (u32, u32)) -> usize {
        let at = self.all.len();
        self.all.push(Item { class, step, end: at as u32 + 1, content, ordered: true, text });
        at
    }

    /// Ends an element: what was added after it is in it.
    #[inline]
    pub(crate) fn end(&mut self, at: usize) {
        let end = self.all.len() as u32;
        if let Some(item) = self.all.get_mut(at) {
            item.end = end;
        }
    }

    /// Adds a text.
    ///
    /// # Errors
    /// Of kind limit if all texts are longer than a message can be.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) -> Result<(u32, u32), Error> {
        let start = self.texts_len();
        self.push_text(text)?;
        Ok(self.text_from(start))
    }

    /// Adds to the text that begins at [`Items::texts_len`].
    ///
    /// # Errors
    /// As [`Items::text`].
    #[inline]
    pub(crate) fn push_text(&mut self, text: &str) -> Result<(), Error> {
        self.texts.push_str(text);
        if u32::try_from(self.texts.len()).is_ok() { Ok(()) } else { Err(too_long(self.texts.len())) }
    }

    /// The length of all texts.
    #[inline]
    pub(crate) fn texts_len(&self) -> usize {
        self.texts.len()
    }

    /// The text from a position on.
    #[inline]
    pub(crate) fn text_from(&self, start: usize) -> (u32, u32) {
        (start as u32, self.texts.len() as u32)
    }

    /// The value of an item.
    #[inline]
    pub(crate) fn value(&self, item: &Item) -> &str {
        self.texts.get(item.text.0 as usize..item.text.1 as usize).unwrap_or_default()
    }

    /// Whether no value needs references.
    #[inline]
    pub(crate) fn all_plain(&self) -> bool {
        *self.all_plain.get_or_init(|| crate::escape::is_plain(self.texts.as_bytes()))
    }

    /// Adds octets as a part. Returns the reference to it.
    pub(crate) fn add_part(&mut self, octets: Vec<u8>) -> String {
        self.octets.push(octets);
        format!("cid:{}", self.octets.len())
    }

    /// Takes back the last parts.
    #[cfg(feature = "serde")]
    pub(crate) fn truncate_parts(&mut self, count: usize) {
        self.octets.truncate(count);
    }

    /// Takes back the text from a position on.
    #[cfg(feature = "serde")]
    pub(crate) fn take_text(&mut self, start: usize) -> String {
        self.texts.split_off(start)
    }

    /// The octets of the parts.
    pub(crate) fn parts(&self) -> &[Vec<u8>] {
        &self.octets
    }

    /// Takes the octets of the parts.
    #[cfg(feature = "serde")]
    pub(crate) fn take_parts(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.octets)
    }

    /// Moves octets in base64 to parts. Only canonical base64 is moved, because it is restored exactly.
    pub(crate) fn move_octets(&mut self) -> Result<(), Error> {
        for at in 0..self.all.len() {
            let of = self
                .all
                .get(at)
                .filter(|item| matches!(item.content, Content::Value(of) if of.builtin == Builtin::OctetString));
            let text = of.map_or("", |item| self.value(item));
            let mut octets = Vec::new();
            if !text.is_empty() && xml::base64::decode_canonical(text, &mut octets).is_some() {
                let reference = self.add_part(octets);
                let text = self.text(&reference)?;
                if let Some(item) = self.all.get_mut(at) {
                    item.text = text;
                }
            }
        }
        Ok(())
    }

    /// Makes the texts of simple elements part of them.
    pub(crate) fn take_texts(&mut self) {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.all.len() + 1);
        let mut kept: Vec<Item> = Vec::with_capacity(self.all.len());
        for item in std::mem::take(&mut self.all) {
            numbers.push(kept.len() as u32);
            match (item.class, kept.last_mut()) {
                (Class::Text, Some(Item { content: Content::Value(_), class: Class::Element, text, .. })) => {
                    *text = item.text;
                }
                _ => kept.push(item),
            }
        }
        numbers.push(kept.len() as u32);
        for item in &mut kept {
            item.end = numbers.get(item.end as usize).copied().unwrap_or(item.end);
        }
        self.all = kept;
    }

    /// The items directly in an element.
    pub(crate) fn inner(&self, at: usize) -> impl Iterator<Item = (usize, &Item)> {
        let end = self.all.get(at).map_or(at, |item| item.end as usize);
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let found = next;
            let item = self.all.get(found).filter(|_| found < end)?;
            next = item.end as usize;
            Some((found, item))
        })
    }

    /// Sorts the items of an element into the order of rows.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn sort(&mut self, at: usize) {
        let mut pieces: Vec<(usize, usize)> = self.inner(at).map(|(start, item)| (start, item.end as usize)).collect();
        pieces.sort_by_key(|(start, _)| self.all.get(*start).map(Item::order));
        let mut sorted = Vec::with_capacity(self.all.len() - at - 1);
        for (start, end) in pieces {
            let shift = (at + 1 + sorted.len()).wrapping_sub(start) as u32;
            sorted.extend(self.all.get(start..end).unwrap_or_default().iter().cloned().map(|mut item| {
                item.end = item.end.wrapping_add(shift);
                item
            }));
        }
        self.all.truncate(at + 1);
        self.all.append(&mut sorted);
    }

    /// Marks the elements whose items are in the order of rows.
    pub(crate) fn mark_order(&mut self) {
        struct Open {
            at: usize,
            end: u32,
            last: Option<(Class, Step)>,
        }
        let mut open: Vec<Open> = Vec::new();
        for at in 0..=self.all.len() {
            let next = self.all.get(at).map(|item| (item.class, item.step, item.end));
            while let Some(inner) = open.pop_if(|one| one.end as usize <= at) {
                let ordered = self.all.get(inner.at).is_none_or(|inner| inner.ordered);
                if let Some(outer) = open.last().and_then(|outer| self.all.get_mut(outer.at)) {
                    outer.ordered &= ordered;
                }
            }
            let Some((class, step, end)) = next else { break };
            if let Some(parent) = open.last_mut() {
                let right = parent.last.is_none_or(|(of, last)| {
                    of.order(last.number) < class.order(step.number)
                        || of == class
                            && last.number == step.number
                            && step.occurrence == last.occurrence.wrapping_add(1)
                });
                parent.last = Some((class, step));
                if let Some(parent) = self.all.get_mut(parent.at) {
                    parent.ordered &= right;
                }
            }
            open.push(Open { at, end, last: None });
        }
    }
}

/// A step without an occurrence.
pub(crate) const fn single(number: u32) -> Step {
    Step { number, occurrence: NONE }
}

#[cold]
fn too_long(len: usize) -> Error {
    Error::limit(crate::FORMAT, 0, Words::Count(len as u64, "bytes"), "message_bytes", u32::MAX.into())
}

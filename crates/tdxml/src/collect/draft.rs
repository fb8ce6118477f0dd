//! Infers schemas from a document: which elements occur in which others, in what order, how often.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::items::{Class, Items};
use crate::path::Step;
use crate::schema::{Attribute, Builtin, Content, DataSchema, Element, NONE, Order, Record, RecordId, ValueType};

/// The text of an element becomes octets if it is always base64 of this many characters or more: shorter text may look
/// like base64 by chance.
const OCTETS: usize = 64;

/// The type of the elements at one path.
#[derive(Debug, Default)]
struct Draft {
    name: String,
    /// The number of elements of this type.
    seen: u32,
    elements: Vec<Child>,
    by_name: HashMap<String, u32, RandomState>,
    /// Pairs of elements of which the first came directly before the second.
    before: HashSet<(u32, u32), RandomState>,
    attributes: Vec<(String, u32)>,
    attributes_by_name: HashMap<String, u32, RandomState>,
    /// Whether any of them has something without a number.
    rest: bool,
    /// Whether any of them has text.
    has_text: bool,
    /// Whether all text is base64.
    octets: Option<bool>,
}

#[derive(Debug)]
struct Child {
    draft: u32,
    /// The number of elements that contain it.
    seen: u32,
    repeated: bool,
    /// The element that contained it last, and its number of occurrences there.
    last_in: u32,
    times: u32,
}

/// What is known so far: one draft for each path.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    drafts: Vec<Draft>,
    repeated: bool,
}

/// A schema, and the mapping from drafts to it.
pub(super) struct Settled {
    pub(super) schema: DataSchema,
    /// For each draft: the type, and the new number of each element.
    types: Vec<(Content, Vec<u32>)>,
}

impl Drafts {
    pub(super) fn root(&mut self, name: &str, repeated: bool) {
        if self.drafts.is_empty() {
            self.drafts.push(Draft { name: name.to_owned(), ..Draft::default() });
        }
        self.repeated = repeated;
    }

    fn at(&mut self, ty: Content) -> Option<&mut Draft> {
        let Content::Record(RecordId(number)) = ty else { return None };
        self.drafts.get_mut(number as usize)
    }

    /// Counts one more element of a draft.
    pub(super) fn enter(&mut self, ty: Content) {
        if let Some(draft) = self.at(ty) {
            draft.seen += 1;
        }
    }

    /// The number of an attribute of the element that is entered next.
    pub(super) fn attribute(&mut self, ty: Content, name: &str) -> u32 {
        let Some(draft) = self.at(ty) else { return 0 };
        let number = match draft.attributes_by_name.get(name) {
            Some(number) => *number,
            None => {
                let number = draft.attributes.len() as u32;
                draft.attributes_by_name.insert(name.to_owned(), number);
                draft.attributes.push((name.to_owned(), 0));
                number
            }
        };
        if let Some((_, seen)) = draft.attributes.get_mut(number as usize) {
            *seen += 1;
        }
        number
    }

    /// Number, occurrence and draft of an element inside one of draft `ty`, after the sibling `last`.
    pub(super) fn element(&mut self, ty: Content, last: Option<Step>, name: &str) -> (u32, u32, Content) {
        let next = self.drafts.len() as u32;
        let Some(draft) = self.at(ty) else { return (0, 0, ty) };
        let (number, is_new) = match draft.by_name.get(name) {
            Some(number) => (*number, false),
            None => {
                let number = draft.elements.len() as u32;
                draft.by_name.insert(name.to_owned(), number);
                draft.elements.push(Child { draft: next, seen: 0, repeated: false, last_in: 0, times: 0 });
                (number, true)
            }
        };
        if let Some(last) = last.filter(|last| last.number != number) {
            draft.before.insert((last.number, number));
        }
        let seen = draft.seen;
        let Some(child) = draft.elements.get_mut(number as usize) else { return (0, 0, ty) };
        if child.last_in == seen && child.times > 0 {
            child.repeated = true;
            child.times += 1;
        } else {
            (child.last_in, child.times) = (seen, 1);
            child.seen += 1;
        }
        let found = (number, child.times - 1, Content::Record(RecordId(child.draft)));
        if is_new {
            self.drafts.push(Draft { name: name.to_owned(), ..Draft::default() });
        }
        found
    }

    /// Notes that an element has something without a number. Always possible.
    pub(super) fn rest(&mut self, ty: Content) -> bool {
        self.at(ty).is_some_and(|draft| {
            draft.rest = true;
            true
        })
    }

    /// Notes the text of an element.
    pub(super) fn text(&mut self, ty: Content, text: &str, looks_for_octets: bool) {
        let Some(draft) = self.at(ty) else { return };
        draft.has_text = true;
        if looks_for_octets && draft.octets != Some(false) {
            let is_base64 = || xml::base64::decode_canonical(text, &mut Vec::new()).is_some();
            draft.octets = Some(text.len() >= OCTETS && is_base64());
        }
    }

    /// Makes the schema.
    pub(super) fn settle(self) -> Settled {
        let mut records = Vec::new();
        let mut types = Vec::with_capacity(self.drafts.len());
        for draft in &self.drafts {
            let builtin = if draft.octets == Some(true) { Builtin::OctetString } else { Builtin::Utf8String };
            let value = ValueType::of(builtin);
            let (order, numbers) = draft.order();
            if draft.elements.is_empty() && draft.attributes.is_empty() && !draft.rest {
                types.push((Content::Value(value), numbers));
                continue;
            }
            types.push((Content::Record(RecordId(records.len() as u32)), numbers));
            let mut record = Record::default();
            (record.order, record.text, record.rest) = (order, draft.has_text.then_some(value), draft.rest);
            records.push(record);
        }
        for (draft, (content, numbers)) in self.drafts.iter().zip(&types) {
            let Content::Record(RecordId(record)) = content else { continue };
            let mut elements: Vec<(u32, Element)> = draft
                .elements
                .iter()
                .zip(numbers)
                .map(|(child, number)| {
                    let content = types.get(child.draft as usize).map_or(Content::Value(ValueType::TEXT), |ty| ty.0);
                    let name = self.drafts.get(child.draft as usize).map_or("", |draft| &draft.name);
                    let mut element = Element::new(name, content);
                    element.repeated = child.repeated;
                    element.optional = child.seen < draft.seen && !child.repeated;
                    (*number, element)
                })
                .collect();
            elements.sort_unstable_by_key(|(number, _)| *number);
            let attributes = draft.attributes.iter().map(|(name, seen)| {
                let mut attribute = Attribute::new(name, ValueType::TEXT);
                attribute.optional = *seen < draft.seen;
                attribute
            });
            if let Some(record) = records.get_mut(*record as usize) {
                record.elements = elements.into_iter().map(|(_, element)| element).collect();
                record.attributes = attributes.collect();
            }
        }
        let content = types.first().map_or(Content::Value(ValueType::TEXT), |ty| ty.0);
        let mut root = Element::new(self.drafts.first().map_or("", |draft| &draft.name), content);
        root.repeated = self.repeated;
        Settled { schema: DataSchema::new(root, records, Vec::new(), Vec::new()), types }
    }
}

impl Draft {
    /// The order of elements that all elements of the draft share, if there is one, and the number of each element in
    /// it.
    fn order(&self) -> (Order, Vec<u32>) {
        let count = self.elements.len();
        let mut after = vec![Vec::new(); count];
        let mut waits = vec![0_u32; count];
        for (one, other) in &self.before {
            if let (Some(after), Some(waits)) = (after.get_mut(*one as usize), waits.get_mut(*other as usize)) {
                after.push(*other);
                *waits += 1;
            }
        }
        let free = (0..count as u32).filter(|number| waits.get(*number as usize) == Some(&0));
        let mut free: BinaryHeap<Reverse<u32>> = free.map(Reverse).collect();
        let mut numbers = vec![0; count];
        let mut next = 0;
        while let Some(Reverse(number)) = free.pop() {
            if let Some(place) = numbers.get_mut(number as usize) {
                *place = next;
            }
            next += 1;
            for other in after.get(number as usize).into_iter().flatten() {
                if let Some(waits) = waits.get_mut(*other as usize) {
                    *waits -= 1;
                    if *waits == 0 {
                        free.push(Reverse(*other));
                    }
                }
            }
        }
        match next as usize == count {
            true => (Order::Sequence, numbers),
            false => (Order::Set, (0..count as u32).collect()),
        }
    }
}

impl Settled {
    /// Assigns the final numbers and types to elements and texts.
    pub(super) fn apply(&self, items: &mut Items) {
        // The drafts of the open elements, and the end of each.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (at, item) in items.all.iter_mut().enumerate() {
            while open.last().is_some_and(|(_, end)| *end <= at as u32) {
                open.pop();
            }
            let parent = open.last().and_then(|(parent, _)| self.types.get(*parent));
            if item.class == Class::Text {
                let of = parent.and_then(|(content, _)| self.schema.record(content)).and_then(|record| record.text);
                item.content = Content::Value(of.unwrap_or(ValueType::TEXT));
            }
            let (Content::Record(RecordId(draft)), Class::Element) = (item.content, item.class) else { continue };
            let elements = match parent {
                None => std::slice::from_ref(self.schema.root()),
                Some((content, numbers)) => {
                    item.step.number = numbers.get(item.step.number as usize).copied().unwrap_or(0);
                    self.schema.elements_of(content)
                }
            };
            if !elements.get(item.step.number as usize).is_some_and(|element| element.repeated) {
                item.step.occurrence = NONE;
            }
            if let Some((content, _)) = self.types.get(draft as usize) {
                item.content = *content;
            }
            open.push((draft as usize, item.end));
        }
        items.take_texts();
    }
}

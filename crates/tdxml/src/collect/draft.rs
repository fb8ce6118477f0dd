//! Infers schemas from a document: which elements occur in which others, in what order, how often.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::fmt::Write;

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
    parent: u32,
    /// The number of elements of this type.
    seen: u32,
    elements: Vec<Child>,
    by_name: HashMap<String, u32, RandomState>,
    /// Pairs of elements of which the first came directly before the second.
    before: HashSet<(u32, u32), RandomState>,
    attributes: Vec<AttributeDraft>,
    attributes_by_name: HashMap<String, u32, RandomState>,
    /// Whether any of them has something without a number.
    rest: bool,
    text: Texts,
    /// Whether all text is base64.
    octets: Option<bool>,
}

#[derive(Clone, Debug)]
struct Child {
    name: String,
    draft: u32,
    /// The number of elements that contain it.
    seen: u32,
    repeated: bool,
    /// The element that contained it last, and its number of occurrences there.
    last_in: u32,
    times: u32,
}

#[derive(Clone, Debug)]
struct AttributeDraft {
    name: String,
    texts: Texts,
}

/// The texts of a type: their number, and the built-in types that all of them are values of, as bits.
#[derive(Clone, Copy, Debug)]
struct Texts {
    seen: u32,
    builtins: u8,
}

/// The types that are inferred, the first that fits.
const INFERRED: [Builtin; 4] = [Builtin::Integer, Builtin::Boolean, Builtin::Real, Builtin::DateTime];

impl Default for Texts {
    fn default() -> Texts {
        Texts { seen: 0, builtins: (1 << INFERRED.len()) - 1 }
    }
}

impl Texts {
    fn add(&mut self, text: &str) {
        self.seen += 1;
        for (bit, builtin) in INFERRED.iter().enumerate() {
            if self.builtins & 1 << bit != 0 && !is_written(*builtin, text) {
                self.builtins &= !(1 << bit);
            }
        }
    }

    fn join(&mut self, other: Texts) {
        self.seen += other.seen;
        self.builtins &= other.builtins;
    }

    fn builtin(self) -> Builtin {
        let fits = |bit: &usize| self.seen > 0 && self.builtins & 1 << bit != 0;
        (0..INFERRED.len()).find(fits).and_then(|bit| INFERRED.get(bit)).copied().unwrap_or_default()
    }
}

/// Whether a text is how a program writes a value of a type, so that it does not change when it is read and written.
fn is_written(builtin: Builtin, text: &str) -> bool {
    match builtin {
        Builtin::Boolean => matches!(text, "true" | "false"),
        Builtin::Integer => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            digits.bytes().all(|c| c.is_ascii_digit()) && !digits.starts_with('0') && !digits.is_empty() || text == "0"
        }
        Builtin::Real => text.parse::<f64>().is_ok_and(|value| {
            let mut buffer = zmij::Buffer::new();
            let written = buffer.format(value);
            value.is_finite() && written.strip_suffix(".0").unwrap_or(written) == text
        }),
        _ => text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && builtin.has(text),
    }
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
    /// For each draft: the type, and the new number of each element and of each attribute.
    types: Vec<(Content, Vec<u32>, Vec<u32>)>,
}

impl Drafts {
    pub(super) fn root(&mut self, name: &str, repeated: bool) {
        if self.drafts.is_empty() {
            self.drafts.push(Draft { name: name.to_owned(), parent: NONE, ..Draft::default() });
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
    pub(super) fn attribute(&mut self, ty: Content, name: &str, value: &str) -> u32 {
        let Some(draft) = self.at(ty) else { return 0 };
        let number = draft.attribute(name);
        if let Some(attribute) = draft.attributes.get_mut(number as usize) {
            attribute.texts.add(value);
        }
        number
    }

    /// Number, occurrence and draft of an element inside one of draft `ty`, after the sibling `last`.
    pub(super) fn element(&mut self, ty: Content, last: Option<Step>, name: &str) -> (u32, u32, Content) {
        let next = self.drafts.len() as u32;
        let Content::Record(RecordId(parent)) = ty else { return (0, 0, ty) };
        let Some(draft) = self.at(ty) else { return (0, 0, ty) };
        let number = draft.element(name, next);
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
        let (times, of) = (child.times, child.draft);
        if of == next {
            self.drafts.push(Draft { name: name.to_owned(), parent, ..Draft::default() });
        }
        (number, times - 1, Content::Record(RecordId(of)))
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
        draft.text.add(text);
        if looks_for_octets && draft.octets != Some(false) {
            let is_base64 = || xml::base64::decode_canonical(text, &mut Vec::new()).is_some();
            draft.octets = Some(text.len() >= OCTETS && is_base64());
        }
    }

    /// Makes the schema.
    pub(super) fn settle(self) -> Settled {
        let shared = self.shared();
        // For each draft the type that it became, and its own numbers there.
        let mut places: HashMap<u32, usize, RandomState> = HashMap::default();
        let mut merged: Vec<Draft> = Vec::new();
        let mut numbers = Vec::with_capacity(self.drafts.len());
        for (draft, class) in self.drafts.iter().zip(&shared) {
            let place = *places.entry(*class).or_insert_with(|| {
                merged.push(Draft { name: draft.name.clone(), ..Draft::default() });
                merged.len() - 1
            });
            if let Some(of) = merged.get_mut(place) {
                numbers.push((place, of.join(draft, &shared)));
            }
        }
        let place = |draft: u32| shared.get(draft as usize).and_then(|class| places.get(class)).copied().unwrap_or(0);
        let mut records = Vec::new();
        let orders: Vec<(Order, Vec<u32>)> = merged.iter().map(Draft::order).collect();
        let mut types = Vec::with_capacity(merged.len());
        for (draft, (order, _)) in merged.iter().zip(&orders) {
            let value = ValueType::of(draft.builtin());
            if draft.is_simple() {
                types.push(Content::Value(value));
                continue;
            }
            types.push(Content::Record(RecordId(records.len() as u32)));
            let mut record = Record::default();
            record.order = *order;
            record.text = (draft.text.seen > 0).then_some(value);
            record.rest = draft.rest;
            records.push(record);
        }
        for ((draft, content), (_, numbers)) in merged.iter().zip(&types).zip(&orders) {
            let Content::Record(RecordId(record)) = content else { continue };
            let mut elements: Vec<(u32, Element)> = draft
                .elements
                .iter()
                .zip(numbers)
                .map(|(child, number)| {
                    let of = place(child.draft);
                    let content = types.get(of).copied().unwrap_or(Content::Value(ValueType::TEXT));
                    let mut element = Element::new(&child.name, content);
                    element.repeated = child.repeated;
                    element.optional = child.seen < draft.seen && !child.repeated;
                    (*number, element)
                })
                .collect();
            elements.sort_unstable_by_key(|(number, _)| *number);
            let attributes = draft.attributes.iter().map(|one| {
                let mut attribute = Attribute::new(&one.name, ValueType::of(one.texts.builtin()));
                attribute.optional = one.texts.seen < draft.seen;
                attribute
            });
            if let Some(record) = records.get_mut(*record as usize) {
                record.elements = elements.into_iter().map(|(_, element)| element).collect();
                record.attributes = attributes.collect();
            }
        }
        let content = types.first().copied().unwrap_or(Content::Value(ValueType::TEXT));
        name_shared(&mut records, content, |record| {
            let is_it = |(content, _): &(&Content, _)| **content == Content::Record(RecordId(record));
            types.iter().zip(&merged).find(is_it).map_or("", |(_, draft)| &draft.name)
        });
        let mut root = Element::new(self.drafts.first().map_or("", |draft| &draft.name), content);
        root.repeated = self.repeated;
        let types = numbers.into_iter().map(|(place, (elements, attributes))| {
            let order = orders.get(place).map_or(&[][..], |(_, order)| order);
            let elements =
                elements.into_iter().map(|number| order.get(number as usize).copied().unwrap_or(0)).collect();
            (types.get(place).copied().unwrap_or(content), elements, attributes)
        });
        let types = types.collect();
        Settled { schema: DataSchema::new(root, records, Vec::new(), Vec::new()), types }
    }

    /// For each draft, the number of the first one that is of the same type.
    ///
    /// Records with the same members are of one type. Records of one name are of one type if an order of elements fits all of them and each element is repeated in all
    /// or in none. They are in any case if one is inside another, or else each level would have a type of its own.
    fn shared(&self) -> Vec<u32> {
        let mut by_name: HashMap<&str, Vec<u32>, RandomState> = HashMap::default();
        for (number, draft) in self.drafts.iter().enumerate().filter(|(_, draft)| !draft.is_simple()) {
            by_name.entry(&draft.name).or_default().push(number as u32);
        }
        let mut classes: Vec<u32> = (0..self.drafts.len() as u32).collect();
        let mut waiting = Vec::new();
        let mut by_members: HashMap<String, u32, RandomState> = HashMap::default();
        for (number, draft) in (0..).zip(&self.drafts) {
            if draft.is_simple() {
                continue;
            }
            match by_members.entry(self.members(draft)) {
                Entry::Vacant(entry) => drop(entry.insert(number)),
                Entry::Occupied(entry) => waiting.push((*entry.get(), number)),
            }
            // The first draft of each name decides for all.
            let Some(all) = by_name.get(&draft.name[..]).filter(|all| all.first() == Some(&number)) else { continue };
            if all.len() > 1 && (all.iter().any(|one| self.is_inside(*one)) || self.is_compatible(all)) {
                waiting.extend(all.iter().skip(1).map(|other| (number, *other)));
            }
        }
        // One type has one element of each name, so these are of one type as well.
        let mut members: HashMap<u32, Vec<u32>, RandomState> = HashMap::default();
        while let Some((one, other)) = waiting.pop() {
            let find = |draft: u32| classes.get(draft as usize).copied().unwrap_or(draft);
            let (kept, gone) = (find(one).min(find(other)), find(one).max(find(other)));
            if kept == gone {
                continue;
            }
            let moved = members.remove(&gone).unwrap_or_else(|| vec![gone]);
            let all = members.entry(kept).or_insert_with(|| vec![kept]);
            let of = |number: u32| self.drafts.get(number as usize);
            for number in &moved {
                if let Some(class) = classes.get_mut(*number as usize) {
                    *class = kept;
                }
                for child in of(*number).into_iter().flat_map(|draft| &draft.elements) {
                    let same = all.iter().find_map(|member| {
                        let draft = of(*member)?;
                        draft.elements.get(*draft.by_name.get(&child.name)? as usize)
                    });
                    waiting.extend(same.map(|same| (same.draft, child.draft)));
                }
                all.push(*number);
            }
        }
        classes
    }

    /// The names of everything in a draft, in order, which are the same in records that are of one type.
    fn members(&self, draft: &Draft) -> String {
        let mut out: String = draft.attributes.iter().map(|one| format!("@{} ", one.name)).collect();
        let (order, numbers) = draft.order();
        let mut places: Vec<(u32, &Child)> = numbers.iter().copied().zip(&draft.elements).collect();
        places.sort_unstable_by_key(|(number, _)| *number);
        for (_, child) in places {
            let is_simple = self.drafts.get(child.draft as usize).is_none_or(Draft::is_simple);
            let _ = write!(out, "{} {}{} ", child.name, u8::from(child.repeated), u8::from(is_simple));
        }
        out + if order == Order::Set { "SET" } else { "" }
    }

    /// Whether a draft is inside another one of its name.
    fn is_inside(&self, number: u32) -> bool {
        let Some(draft) = self.drafts.get(number as usize) else { return false };
        let mut above = self.drafts.get(draft.parent as usize);
        while let Some(one) = above {
            if one.name == draft.name {
                return true;
            }
            above = self.drafts.get(one.parent as usize);
        }
        false
    }

    /// Whether one type fits records as well as their own ones.
    fn is_compatible(&self, all: &[u32]) -> bool {
        let mut merged = Draft::default();
        for number in all {
            let Some(draft) = self.drafts.get(*number as usize) else { return false };
            let has_text = merged.text.seen > 0 && merged.elements.is_empty();
            let differs = |child: &Child| {
                let known = merged.by_name.get(&child.name).and_then(|number| merged.elements.get(*number as usize));
                known.is_some_and(|known| known.repeated != child.repeated)
            };
            if draft.elements.iter().any(differs) || has_text && !draft.elements.is_empty() {
                return false;
            }
            merged.join(draft, &[]);
        }
        merged.order().0 == Order::Sequence
    }
}

/// Names the records that several elements have.
fn name_shared<'n>(records: &mut [Record], root: Content, name: impl Fn(u32) -> &'n str) {
    let mut uses: HashMap<u32, u32, RandomState> = HashMap::default();
    let elements = records.iter().flat_map(|record| record.elements.iter().map(|element| element.content));
    for content in elements.chain([root]) {
        if let Content::Record(RecordId(number)) = content {
            *uses.entry(number).or_default() += 1;
        }
    }
    let mut taken: HashMap<String, u32, RandomState> = HashMap::default();
    for (record, number) in records.iter_mut().zip(0..) {
        if uses.get(&number).is_some_and(|uses| *uses > 1) {
            let name = name(number);
            let times = taken.entry(name.to_owned()).or_default();
            *times += 1;
            let is_free = *times == 1 && !crate::schema::keyword(name);
            record.name = Some(if is_free { name.to_owned() } else { format!("{name}.{times}") });
        }
    }
}

impl Draft {
    /// Whether its elements are nothing but text.
    fn is_simple(&self) -> bool {
        self.elements.is_empty() && self.attributes.is_empty() && !self.rest
    }

    /// The type of its texts.
    fn builtin(&self) -> Builtin {
        match self.octets {
            Some(true) => Builtin::OctetString,
            // An element without text has an empty one.
            _ if self.elements.is_empty() && self.text.seen == self.seen => self.text.builtin(),
            _ => Builtin::Utf8String,
        }
    }

    /// The number of an attribute.
    fn attribute(&mut self, name: &str) -> u32 {
        if let Some(number) = self.attributes_by_name.get(name) {
            return *number;
        }
        let number = self.attributes.len() as u32;
        self.attributes_by_name.insert(name.to_owned(), number);
        self.attributes.push(AttributeDraft { name: name.to_owned(), texts: Texts::default() });
        number
    }

    /// The number of an element, whose draft is `new` if it is new.
    fn element(&mut self, name: &str, new: u32) -> u32 {
        if let Some(number) = self.by_name.get(name) {
            return *number;
        }
        let number = self.elements.len() as u32;
        self.by_name.insert(name.to_owned(), number);
        self.elements.push(Child { name: name.to_owned(), draft: new, seen: 0, repeated: false, last_in: 0, times: 0 });
        number
    }

    /// Adds another draft of the same type. Returns the new numbers of its elements and attributes.
    fn join(&mut self, other: &Draft, classes: &[u32]) -> (Vec<u32>, Vec<u32>) {
        self.seen += other.seen;
        self.rest |= other.rest;
        self.text.join(other.text);
        self.octets = match (self.octets, other.octets) {
            (Some(one), Some(other)) => Some(one && other),
            (one, other) => one.or(other),
        };
        let mut elements = Vec::with_capacity(other.elements.len());
        for child in &other.elements {
            let of = classes.get(child.draft as usize).copied().unwrap_or(child.draft);
            let number = self.element(&child.name, of);
            if let Some(own) = self.elements.get_mut(number as usize) {
                own.seen += child.seen;
                own.repeated |= child.repeated;
            }
            elements.push(number);
        }
        let number = |old: u32| elements.get(old as usize).copied().unwrap_or(0);
        self.before.extend(other.before.iter().map(|(one, other)| (number(*one), number(*other))));
        let mut attributes = Vec::with_capacity(other.attributes.len());
        for one in &other.attributes {
            let number = self.attribute(&one.name);
            if let Some(own) = self.attributes.get_mut(number as usize) {
                own.texts.join(one.texts);
            }
            attributes.push(number);
        }
        (elements, attributes)
    }

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
    /// Assigns the final numbers and types.
    pub(super) fn apply(&self, items: &mut Items) {
        // The drafts of the open elements, and the end of each.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (at, item) in items.all.iter_mut().enumerate() {
            while open.last().is_some_and(|(_, end)| *end <= at as u32) {
                open.pop();
            }
            let parent = open.last().and_then(|(parent, _)| self.types.get(*parent));
            let record = parent.and_then(|(content, ..)| self.schema.record(content));
            match (item.class, item.content) {
                (Class::Text, _) => {
                    let of = record.and_then(|record| record.text);
                    item.content = Content::Value(of.unwrap_or(ValueType::TEXT));
                }
                (Class::Attribute, _) => {
                    let numbers = parent.map_or(&[][..], |(.., attributes)| attributes);
                    item.step.number = numbers.get(item.step.number as usize).copied().unwrap_or(0);
                    let of = record.and_then(|record| record.attributes.get(item.step.number as usize));
                    item.content = Content::Value(of.map_or(ValueType::TEXT, |of| of.value));
                }
                (Class::Element, Content::Record(RecordId(draft))) => {
                    let elements = match parent {
                        None => std::slice::from_ref(self.schema.root()),
                        Some((content, numbers, _)) => {
                            item.step.number = numbers.get(item.step.number as usize).copied().unwrap_or(0);
                            self.schema.elements_of(content)
                        }
                    };
                    if !elements.get(item.step.number as usize).is_some_and(|element| element.repeated) {
                        item.step.occurrence = NONE;
                    }
                    if let Some((content, ..)) = self.types.get(draft as usize) {
                        item.content = *content;
                    }
                    open.push((draft as usize, item.end));
                }
                _ => {}
            }
        }
        // Types that several drafts share number attributes in the order of the first one.
        for attributes in
            items.all.chunk_by_mut(|one, other| (one.class, other.class) == (Class::Attribute, Class::Attribute))
        {
            if let [first, .., _] = attributes {
                let start = first.end;
                attributes.sort_unstable_by_key(|item| item.step.number);
                attributes.iter_mut().zip(start..).for_each(|(item, end)| item.end = end);
            }
        }
        items.take_texts();
    }
}

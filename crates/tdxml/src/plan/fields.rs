//! Maps the fields of types to attributes and elements of records, once for each type.

use std::sync::OnceLock;

use crate::items::Class;
use crate::schema::{Content, Element, Record, ValueType};

/// Marks a field without a number.
pub(super) const NONE: u32 = u32::MAX;

/// A record, and the types used with it so far.
#[derive(Debug)]
pub(super) struct RecordPlan {
    /// The names of fields in maps.
    attribute_names: Vec<String>,
    /// The elements that are repeated.
    pub(super) repeated: Vec<u32>,
    /// Whether each element is one value.
    pub(super) is_flat: bool,
    read: OnceLock<Fields>,
    /// The members of the first struct that was written, by field.
    written: Vec<OnceLock<(usize, usize, Member)>>,
}

/// What a field of a struct that is written refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Its place in the order of rows.
    pub(super) place: (Class, u32),
    /// The type of its values; `None` for elements that are not simple, or repeated.
    pub(super) value: Option<ValueType>,
}

/// The fields of a struct that is read, by number.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    of: (usize, usize),
    attributes: Box<[u32]>,
    text: u32,
    elements: Box<[u32]>,
}

impl Fields {
    fn new(names: &'static [&'static str], record: &Record) -> Fields {
        let number = |wanted: &str| names.iter().position(|name| *name == wanted).map_or(NONE, |number| number as u32);
        let either = |marked: &str, plain: &str| match number(marked) {
            NONE => number(plain),
            found => found,
        };
        let is_element = |name: &str| record.elements.iter().any(|element| element.name == name);
        let attribute = |name: &str| {
            let plain = if is_element(name) { "" } else { name };
            either(&format!("@{name}"), plain)
        };
        Fields {
            of: (names.as_ptr().addr(), names.len()),
            attributes: record.attributes.iter().map(|one| attribute(&one.name)).collect(),
            text: either("$text", "$value"),
            elements: record.elements.iter().map(|element| number(&element.name)).collect(),
        }
    }

    /// The number of a field, or [`NONE`].
    #[inline(always)]
    pub(super) fn number(&self, (class, number): (Class, u32)) -> u32 {
        match class {
            Class::Attribute => self.attributes.get(number as usize).copied().unwrap_or(NONE),
            Class::Element => self.elements.get(number as usize).copied().unwrap_or(NONE),
            Class::Text | Class::Rest => self.text,
        }
    }
}

impl RecordPlan {
    pub(super) fn new(record: &Record) -> RecordPlan {
        let mut written = Vec::new();
        written.resize_with(record.attributes.len() + record.elements.len() + 1, OnceLock::new);
        let numbers = record.elements.iter().zip(0..).filter(|(element, _)| element.repeated);
        RecordPlan {
            attribute_names: record.attributes.iter().map(|attribute| format!("@{}", attribute.name)).collect(),
            repeated: numbers.map(|(_, number)| number).collect(),
            is_flat: record.elements.iter().all(|one| !one.repeated && matches!(one.content, Content::Value(_))),
            read: OnceLock::new(),
            written,
        }
    }

    /// The fields of a struct, in its own order. Computed once for the first struct, and each time for others.
    #[inline]
    pub(super) fn fields<'p>(
        &'p self,
        names: &'static [&'static str],
        record: &Record,
        other: &'p mut Option<Fields>,
    ) -> &'p Fields {
        let known = self.read.get_or_init(|| Fields::new(names, record));
        if known.of == (names.as_ptr().addr(), names.len()) { known } else { other.insert(Fields::new(names, record)) }
    }

    /// The name of a field in a map.
    pub(super) fn name<'p>(&'p self, record: &'p Record, (class, number): (Class, u32)) -> &'p str {
        match class {
            Class::Attribute => self.attribute_names.get(number as usize).map_or("", String::as_str),
            Class::Element => record.elements.get(number as usize).map_or("", |element| &element.name),
            Class::Text | Class::Rest => "$text",
        }
    }

    /// What the `nth` field of a struct refers to, if that struct was the first one written.
    #[inline(always)]
    pub(super) fn member(&self, nth: usize, name: &'static str) -> Option<&Member> {
        let (at, len, member) = self.written.get(nth)?.get()?;
        ((*at, *len) == (name.as_ptr().addr(), name.len())).then_some(member)
    }

    /// The same for a field that is used for the first time, or of another struct.
    #[cold]
    pub(super) fn first(&self, nth: usize, name: &'static str, record: &Record) -> Option<Member> {
        let member = RecordPlan::find(name, record)?;
        if let Some(place) = self.written.get(nth) {
            let _ = place.set((name.as_ptr().addr(), name.len(), member));
        }
        Some(member)
    }

    pub(super) fn find(name: &str, record: &Record) -> Option<Member> {
        let attribute = |name: &str| {
            let number = record.attributes.iter().position(|attribute| attribute.name == name)?;
            let value = record.attributes.get(number).map(|one| one.value);
            Some(Member { place: (Class::Attribute, number as u32), value })
        };
        if let Some(name) = name.strip_prefix('@') {
            return attribute(name);
        }
        if matches!(name, "$text" | "$value") && record.text.is_some() {
            return Some(Member { place: (Class::Text, 0), value: record.text });
        }
        let Some(number) = record.elements.iter().position(|element| element.name == name) else {
            return attribute(name);
        };
        let value = match record.elements.get(number) {
            Some(Element { repeated: false, content: Content::Value(of), .. }) => Some(*of),
            _ => None,
        };
        Some(Member { place: (Class::Element, number as u32), value })
    }
}

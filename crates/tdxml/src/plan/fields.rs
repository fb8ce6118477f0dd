//! Maps the fields of types to attributes and elements of records, once for each type.

use std::sync::OnceLock;

use super::copy::ShortBytes;
use crate::schema::{Builtin, Content, Element, Record};

/// What a field refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Attribute(u32),
    Text,
    Element(u32),
}

/// Marks a field without a number.
pub(super) const NONE: u32 = u32::MAX;

/// A record, and the types used with it so far.
#[derive(Debug)]
pub(super) struct RecordPlan {
    /// The names of fields in maps.
    pub(super) attribute_names: Vec<String>,
    attributes: u32,
    /// The attributes that have defaults.
    pub(super) defaults: Vec<u32>,
    read: OnceLock<Fields>,
    /// The members of the first struct that was written, by field.
    written: Vec<OnceLock<(usize, usize, Member)>>,
}

/// What a field of a struct that is written refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) target: Target,
    /// Its index in the order of rows.
    pub(super) order: u32,
    /// The end of its row; `None` for elements that are not simple.
    pub(super) row: Option<RowEnd>,
}

/// The text between the path of a record and a value, and the type of the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowEnd {
    /// `[4294967294] |` is the longest.
    pub(super) bytes: ShortBytes<16>,
    pub(super) builtin: Builtin,
}

impl RowEnd {
    /// The end of the rows of a target.
    pub(super) fn new(target: Target, builtin: Builtin) -> RowEnd {
        let mut bytes = ShortBytes::before([0; 16]);
        let mut step = |open, number: u32, close| {
            bytes.push(open);
            bytes.push(itoa::Buffer::new().format(number).as_bytes());
            bytes.push(close);
        };
        match target {
            Target::Attribute(number) => step(b"(", number, b")"),
            Target::Text => {}
            Target::Element(number) => step(b"[", number, b"]"),
        }
        bytes.push(b" |");
        RowEnd { bytes, builtin }
    }
}

/// The fields of a struct that is read, by number.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    of: (usize, usize),
    pub(super) attributes: Box<[u32]>,
    pub(super) text: u32,
    pub(super) elements: Box<[u32]>,
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
}

impl RecordPlan {
    pub(super) fn new(record: &Record) -> RecordPlan {
        let mut written = Vec::new();
        written.resize_with(record.attributes.len() + record.elements.len() + 1, OnceLock::new);
        let has_default =
            |number: &u32| record.attributes.get(*number as usize).is_some_and(|one| one.default.is_some());
        RecordPlan {
            attribute_names: record.attributes.iter().map(|attribute| format!("@{}", attribute.name)).collect(),
            attributes: record.attributes.len() as u32,
            defaults: (0..record.attributes.len() as u32).filter(has_default).collect(),
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

    /// What the `nth` field of a struct refers to.
    #[inline(always)]
    pub(super) fn member<'p>(
        &'p self,
        nth: usize,
        name: &'static str,
        record: &Record,
        other: &'p mut Option<Member>,
    ) -> Option<&'p Member> {
        if let Some((at, len, member)) = self.written.get(nth).and_then(OnceLock::get)
            && (*at, *len) == (name.as_ptr().addr(), name.len())
        {
            return Some(member);
        }
        *other = self.first(nth, name, record);
        other.as_ref()
    }

    /// The same for a field that is used for the first time, or of another struct.
    #[cold]
    fn first(&self, nth: usize, name: &'static str, record: &Record) -> Option<Member> {
        let member = self.find(name, record)?;
        if let Some(place) = self.written.get(nth) {
            let _ = place.set((name.as_ptr().addr(), name.len(), member));
        }
        Some(member)
    }

    #[cold]
    pub(super) fn find(&self, name: &str, record: &Record) -> Option<Member> {
        let target = RecordPlan::target(name, record)?;
        let of = match target {
            Target::Attribute(number) => record.attributes.get(number as usize).map(|one| one.value),
            Target::Text => record.text,
            Target::Element(number) => match record.elements.get(number as usize) {
                Some(Element { repeated: false, content: Content::Value(of), .. }) => Some(*of),
                _ => None,
            },
        };
        let row = of.map(|of| RowEnd::new(target, of.builtin));
        Some(Member { target, order: self.order(target), row })
    }

    fn target(name: &str, record: &Record) -> Option<Target> {
        let attribute = |name: &str| record.attributes.iter().position(|attribute| attribute.name == name);
        if let Some(name) = name.strip_prefix('@') {
            return attribute(name).map(|number| Target::Attribute(number as u32));
        }
        if matches!(name, "$text" | "$value") && record.text.is_some() {
            return Some(Target::Text);
        }
        let element = record.elements.iter().position(|element| element.name == name);
        let element = element.map(|number| Target::Element(number as u32));
        element.or_else(|| attribute(name).map(|number| Target::Attribute(number as u32)))
    }

    /// The index of a target in the order of rows.
    #[inline]
    pub(super) fn order(&self, target: Target) -> u32 {
        match target {
            Target::Attribute(number) => number,
            Target::Text => self.attributes,
            Target::Element(number) => self.attributes + 1 + number,
        }
    }
}

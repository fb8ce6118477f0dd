//! Which field of a type is which attribute or element of a record: looked up once.

use std::sync::OnceLock;

use crate::schema::Record;

/// What a field is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Attribute(u32),
    Text,
    Element(u32),
}

/// Nothing, where the number of a field would stand.
pub(super) const NONE: u32 = u32::MAX;

/// A record, and the types that have been met for it.
#[derive(Debug)]
pub(super) struct RecordPlan {
    /// The names of fields, as maps have them.
    pub(super) attribute_names: Vec<String>,
    attributes: u32,
    /// The attributes that have defaults.
    pub(super) defaults: Vec<u32>,
    read: OnceLock<Fields>,
    written: Vec<OnceLock<(usize, usize, Target)>>,
}

/// The fields of a struct that is read, by numbers.
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

    /// The fields of a struct, in what order it has them; looked up for the first struct that is met, and
    /// for others each time.
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

    /// What the field that is the `nth` of its struct is of.
    #[inline]
    pub(super) fn target(&self, nth: usize, name: &'static str, record: &Record) -> Option<Target> {
        let place = self.written.get(nth);
        if let Some((at, len, target)) = place.and_then(OnceLock::get)
            && (*at, *len) == (name.as_ptr().addr(), name.len())
        {
            return Some(*target);
        }
        let target = RecordPlan::find(name, record)?;
        if let Some(place) = place {
            let _ = place.set((name.as_ptr().addr(), name.len(), target));
        }
        Some(target)
    }

    #[cold]
    pub(super) fn find(name: &str, record: &Record) -> Option<Target> {
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

    /// The place of a target in the order of rows.
    #[inline]
    pub(super) fn order(&self, target: Target) -> u32 {
        match target {
            Target::Attribute(number) => number,
            Target::Text => self.attributes,
            Target::Element(number) => self.attributes + 1 + number,
        }
    }
}

//! A path of names as numbers.

use tam::Error;
use xml::name::split;

use crate::path::{REST, Step};
use crate::place::schema as schema_error;
use crate::rest::{Bindings, Kind, items, unescaped};
use crate::schema::{Content, DataSchema, Element, NONE, NameParts, Order, ValueType};

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// An attribute.
    Attribute,
    /// The text of an element.
    Text,
    /// An element that has only text.
    Element,
    /// An element with attributes or elements, of which the value is the text before the elements.
    Record,
}

/// The target of a lookup.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) steps: Vec<Step>,
    pub(super) attribute: Option<u32>,
    /// Whether the rows on the way are in the order of their paths.
    pub(super) sorted: bool,
    /// The value if no row has it.
    pub(super) default: Option<String>,
    pub(super) place: Place,
    /// The type of the value; `None` if there can be no text.
    pub(super) value: Option<ValueType>,
    /// Whether a record on the way has several elements of a name, so that their occurrences depend on the rows.
    pub(super) is_ambiguous: bool,
    /// Whether the element may have a row `(*)`.
    pub(super) has_rest: bool,
}

/// What the row `(*)` of an element says, if there is one.
pub(super) type RestOf<'f> = dyn Fn(&Target) -> Result<Option<String>, Error> + 'f;

impl Target {
    pub(super) fn of(schema: &DataSchema, path: &str, rest_of: &RestOf<'_>) -> Result<Target, Error> {
        let mut target = Target {
            steps: Vec::new(),
            attribute: None,
            sorted: true,
            default: None,
            place: Place::Record,
            value: None,
            is_ambiguous: false,
            has_rest: false,
        };
        let mut names = Names { schema, bindings: Bindings::new(schema) };
        let mut elements = std::slice::from_ref(schema.root());
        let mut content = None;
        let path = path.strip_prefix('/').unwrap_or(path);
        let mut steps = path.split('/').peekable();
        while let Some(step) = steps.next() {
            let record = content.and_then(|content| schema.record(content));
            let is_last = steps.peek().is_none();
            if step == "text()" && is_last && !target.steps.is_empty() {
                target.place = Place::Text;
                break;
            }
            if let Some(name) = step.strip_prefix('@').filter(|_| is_last) {
                let attributes = record.map_or(&[][..], |record| &record.attributes);
                let is_it = names.is(name, true);
                let number = attributes.iter().position(|one| is_it(&one.name, one.name_at));
                let number = number.ok_or_else(|| unknown(step))?;
                let found = attributes.get(number);
                (target.attribute, target.place) = (Some(number as u32), Place::Attribute);
                target.default = found.and_then(|attribute| attribute.default.clone());
                target.value = found.map(|attribute| attribute.value);
                return Ok(target);
            }
            // Only one alternative of a choice is present, so its rows are in order.
            target.sorted &= record.is_none_or(|record| record.order != Order::Set || record.elements.len() == 1);
            if target.steps.is_empty() {
                // The root element declares the prefixes of its own name.
                let occurrence = if schema.root().repeated { 0 } else { NONE };
                let root = Step { number: 0, occurrence };
                names.declare(&mut target, root, rest_of)?;
            }
            let (number, occurrence) = element(elements, step, &names, &mut target.is_ambiguous)?;
            let is_root = target.steps.is_empty();
            let next = Step { number, occurrence };
            if !is_root && names.declare(&mut target, next, rest_of)? {
                // Its own name may have been meant by these prefixes.
                return Err(unknown(step));
            }
            target.steps.push(next);
            let found = elements.get(number as usize);
            content = found.map(|element| &element.content);
            elements = content.map_or(&[], |content| schema.elements_of(content));
        }
        target.has_rest = content.is_some_and(|content| schema.has_rest(content));
        match content {
            Some(Content::Value(value)) => {
                target.value = Some(*value);
                if target.place == Place::Record {
                    target.place = Place::Element;
                }
            }
            Some(content) => target.value = schema.record(content).and_then(|record| record.text),
            None => {}
        }
        Ok(target)
    }
}

/// The prefixes that are declared so far.
struct Names<'s> {
    schema: &'s DataSchema,
    bindings: Bindings,
}

impl Names<'_> {
    /// Applies what an element declares. Returns whether it declares anything.
    fn declare(&mut self, target: &mut Target, step: Step, rest_of: &RestOf<'_>) -> Result<bool, Error> {
        if !self.schema.has_namespaces() {
            return Ok(false);
        }
        target.steps.push(step);
        target.attribute = Some(REST);
        let rest = rest_of(target);
        target.attribute = None;
        target.steps.pop();
        let Some(rest) = rest? else { return Ok(false) };
        let mut declares = false;
        for item in items(&unescaped(rest.into(), 0)?, 0) {
            let item = item?;
            declares |= matches!(item.kind, Kind::Namespace | Kind::Prefix);
            declares |= item.kind == Kind::Attribute && item.text.starts_with("xmlns");
            self.bindings.apply(&item, self.schema, 0)?;
        }
        Ok(declares)
    }

    /// Whether a name of the schema is the one in a path.
    fn is<'n>(&self, name: &'n str, is_attribute: bool) -> impl Fn(&str, NameParts) -> bool + use<'n> {
        let has_namespaces = self.schema.has_namespaces();
        let (prefix, local) = if has_namespaces { split(name) } else { ("", name) };
        let namespace = match has_namespaces && !(is_attribute && prefix.is_empty()) {
            true => self.bindings.namespace(prefix),
            false => NONE,
        };
        move |name, parts| parts.namespace == namespace && name.get(parts.local as usize..) == Some(local)
    }
}

/// The element that a step leads to, and its occurrence.
fn element(elements: &[Element], step: &str, names: &Names<'_>, is_ambiguous: &mut bool) -> Result<(u32, u32), Error> {
    let (name, nth) = match step.strip_suffix(']').and_then(|step| step.rsplit_once('[')) {
        Some((name, nth)) => {
            (name, nth.parse::<u32>().ok().and_then(|nth| nth.checked_sub(1)).ok_or_else(|| unknown(step))?)
        }
        None => (step, 0),
    };
    let mut passed = nth;
    let is_it = names.is(name, false);
    let found = elements.iter().enumerate().filter(|(_, element)| is_it(&element.name, element.name_at));
    *is_ambiguous |= found.clone().nth(1).is_some();
    for (number, element) in found {
        let number = number as u32;
        if element.repeated && nth < NONE {
            return Ok((number, passed));
        }
        // Others of the same name may follow it.
        match passed.checked_sub(1) {
            None => return Ok((number, NONE)),
            Some(fewer) => passed = fewer,
        }
    }
    Err(unknown(step))
}

#[cold]
fn unknown(step: &str) -> Error {
    schema_error(0, format!("the step '{}'", step.escape_debug()), "an element or @attribute that the schema has there")
}

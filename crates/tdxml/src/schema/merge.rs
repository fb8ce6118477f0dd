//! One record for components from several places: groups, and the types that `xsi:type` selects.

use super::{Attribute, Content, Element, Order, Record, RecordId, ValueType, Wildcard};

/// A record that also has to hold the elements of another content.
#[derive(Debug)]
pub(super) struct Conflict {
    pub(super) kept: RecordId,
    pub(super) other: Content,
}

/// Adds an attribute, unless there is one of the name.
pub(super) fn add_attribute(record: &mut Record, attribute: Attribute) {
    match record.attributes.iter_mut().find(|other| other.name == attribute.name) {
        Some(other) => {
            other.optional |= attribute.optional;
            if other.value != attribute.value {
                other.value = ValueType::TEXT;
            }
        }
        None => record.attributes.push(attribute),
    }
}

/// Adds an element. A second one of a name makes it repeated, at any position.
pub(super) fn add_element(record: &mut Record, element: Element, conflicts: &mut Vec<Conflict>) {
    let Some(other) = record.elements.iter_mut().find(|other| other.name == element.name) else {
        record.elements.push(element);
        return;
    };
    unite(other, element.content, conflicts);
    (other.repeated, other.optional) = (true, false);
    record.order = Order::Set;
}

/// Gives an element a content that also holds another one.
fn unite(element: &mut Element, content: Content, conflicts: &mut Vec<Conflict>) {
    match (element.content, content) {
        (one, other) if one == other => {}
        (Content::Value(_), Content::Value(_)) => element.content = Content::Value(ValueType::TEXT),
        (Content::Record(kept), other) => conflicts.push(Conflict { kept, other }),
        (other, Content::Record(kept)) => {
            element.content = content;
            conflicts.push(Conflict { kept, other });
        }
    }
}

/// Adds to a record what another one may have instead. What only one of them has becomes optional.
pub(super) fn merge(record: &mut Record, other: Record, conflicts: &mut Vec<Conflict>) {
    for one in [&mut *record].into_iter().filter(|one| one.order == Order::Choice) {
        one.order = Order::Sequence;
        one.elements.iter_mut().for_each(|element| element.optional = !element.repeated);
    }
    let is_choice = other.order == Order::Choice;
    if other.order == Order::Set {
        record.order = Order::Set;
    }
    record.rest |= other.rest;
    record.any_element = Wildcard::either(record.any_element.take(), other.any_element);
    record.any_attribute = Wildcard::either(record.any_attribute.take(), other.any_attribute);
    record.text = match (record.text, other.text) {
        (Some(one), Some(other)) if one != other => Some(ValueType::TEXT),
        (one, other) => one.or(other),
    };
    for attribute in &mut record.attributes {
        attribute.optional |= !other.attributes.iter().any(|one| one.name == attribute.name && !one.optional);
    }
    for mut attribute in other.attributes {
        if !record.attributes.iter().any(|one| one.name == attribute.name) {
            attribute.optional = true;
        }
        add_attribute(record, attribute);
    }
    let is_required = |name: &str| other.elements.iter().any(|one| one.name == name && one.is_required() && !is_choice);
    for element in &mut record.elements {
        element.optional |= !element.repeated && !is_required(&element.name);
    }
    let mut last = None;
    for mut element in other.elements {
        let place = record.elements.iter().position(|one| one.name == element.name);
        let at = place.unwrap_or(record.elements.len());
        // The numbers no longer follow the order of both.
        if last.is_some_and(|last| last > at) {
            record.order = Order::Set;
        }
        last = Some(at);
        match record.elements.get_mut(at) {
            None => {
                element.optional = !element.repeated;
                record.elements.push(element);
            }
            Some(known) => {
                known.repeated |= element.repeated;
                known.optional &= !known.repeated;
                unite(known, element.content, conflicts);
            }
        }
    }
}

//! Two documents of JSON values, walked in step.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use tam::{Document, Node};

use super::LossKind;
use super::evidence::Evidence;

/// Compares two documents of the type set `value`. `decodes` is whether strings of base64 were to become binary data.
pub(super) fn compare<'d>(
    given: &'d Document<'d>,
    back: &'d Document<'d>,
    decodes: bool,
    evidence: &mut Evidence<'d, '_>,
) {
    let mut open = Vec::new();
    match (given.root(), back.root()) {
        (Some(given), Some(back)) => open.push((given, back)),
        (Some(given), None) => evidence.at(LossKind::Member, given, Some(given)),
        _ => {}
    }
    while let Some((given, back)) = open.pop() {
        match (class(given.kind()), class(back.kind())) {
            (b'{', b'{') => members(given, back, &mut open, evidence),
            (b'[', b'[') => items(given, back, &mut open, evidence),
            (b'\'', b'*') if decodes => octets(given, back, evidence),
            (one, other) if one != other => evidence.at(LossKind::Type, given, Some(given)),
            _ => {
                let (one, other) = (given.value(), back.value());
                if one != other {
                    let kind = if is_same_value(one, other) { LossKind::Spelling } else { LossKind::Value };
                    evidence.at(kind, given, Some(given));
                }
            }
        }
    }
}

/// Compares a string with the octets that it became: they are to be the string again.
fn octets<'d>(given: Node<'d>, back: Node<'d>, evidence: &mut Evidence<'d, '_>) {
    let (mut text, mut octets) = (Vec::new(), Vec::new());
    xml::base64::append(back.value(), &mut text);
    if text == given.value() {
        return;
    }
    let is_read = given.text().is_ok_and(|text| xml::base64::decode(text, &mut octets).is_some());
    let kind = if is_read && octets == back.value() { LossKind::Spelling } else { LossKind::Value };
    evidence.at(kind, given, Some(given));
}

/// Integers and other numbers are numbers to JSON.
const fn class(kind: u8) -> u8 {
    if kind == b'%' { b'#' } else { kind }
}

fn is_same_value(one: &[u8], other: &[u8]) -> bool {
    match (std::str::from_utf8(one), std::str::from_utf8(other)) {
        (Ok(one), Ok(other)) => xml::is_same_value(one, other),
        _ => false,
    }
}

fn members<'d>(given: Node<'d>, back: Node<'d>, open: &mut Vec<(Node<'d>, Node<'d>)>, evidence: &mut Evidence<'d, '_>) {
    let names = |node: Node<'d>| node.children().map(|member| member.name().to_bytes());
    if names(given).eq(names(back)) {
        open.extend(given.children().zip(back.children()));
        return;
    }
    let mut left: HashMap<Cow<'d, [u8]>, VecDeque<(usize, Node<'d>)>> = HashMap::new();
    for (at, member) in back.children().enumerate() {
        left.entry(member.name().to_bytes()).or_default().push_back((at, member));
    }
    let mut last = 0;
    let mut is_moved = false;
    for member in given.children() {
        match left.get_mut(&member.name().to_bytes()).map(VecDeque::pop_front) {
            Some(Some((at, other))) => {
                is_moved |= at < last;
                last = at;
                open.push((member, other));
            }
            Some(None) => evidence.at(LossKind::Duplicate, member, Some(member)),
            None => evidence.at(LossKind::Member, member, Some(member)),
        }
    }
    if is_moved {
        evidence.at(LossKind::Order, given, Some(given));
    }
    for member in back.children() {
        if left.get_mut(&member.name().to_bytes()).is_some_and(|nodes| nodes.pop_front().is_some()) {
            evidence.below(LossKind::Added, Some(given), || format!("/{}", member.name()));
        }
    }
}

fn items<'d>(given: Node<'d>, back: Node<'d>, open: &mut Vec<(Node<'d>, Node<'d>)>, evidence: &mut Evidence<'d, '_>) {
    if is_reordered(given, back) {
        evidence.at(LossKind::Order, given, Some(given));
        return;
    }
    let (count, count_back) = (given.children().len(), back.children().len());
    open.extend(given.children().zip(back.children()));
    for item in given.children().skip(count_back) {
        evidence.at(LossKind::Member, item, Some(item));
    }
    for at in count..count_back {
        evidence.below(LossKind::Added, Some(given), || format!("/{at}"));
    }
}

/// Whether the same scalars come in another order, as the canonical encoding of a SET OF has them.
fn is_reordered(given: Node<'_>, back: Node<'_>) -> bool {
    let scalars = |node: Node<'_>| -> Option<Vec<(u8, Vec<u8>)>> {
        node.children().map(|item| (!item.is_structured()).then(|| (item.kind(), item.value().to_vec()))).collect()
    };
    if given.children().len() != back.children().len()
        || given.children().zip(back.children()).all(|(one, other)| one.value() == other.value())
    {
        return false;
    }
    match (scalars(given), scalars(back)) {
        (Some(mut one), Some(mut other)) => {
            one.sort_unstable();
            other.sort_unstable();
            one == other
        }
        _ => false,
    }
}

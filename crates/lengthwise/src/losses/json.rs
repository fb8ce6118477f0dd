//! Two documents of JSON values, walked in step.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use tam::{Document, Node, Step};

use super::LossKind;
use super::evidence::Evidence;

/// Compares two documents of the type set `value`. `decodes` is whether strings of base64 were to become binary data.
pub(super) fn compare<'d>(
    given: &'d Document<'d>,
    back: &'d Document<'d>,
    decodes: bool,
    evidence: &mut Evidence<'d, '_>,
) {
    let (mut open, mut digests) = (Vec::new(), None);
    match (given.root(), back.root()) {
        (Some(given), Some(back)) => open.push((given, back)),
        (Some(given), None) => evidence.at(LossKind::Member, given, Some(given)),
        _ => {}
    }
    while let Some((given, back)) = open.pop() {
        match (class(given.kind()), class(back.kind())) {
            (b'{', b'{') => members(given, back, &mut open, evidence),
            (b'[', b'[') => items(given, back, &mut digests, &mut open, evidence),
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

fn items<'d>(
    given: Node<'d>,
    back: Node<'d>,
    digests: &mut Digests,
    open: &mut Vec<(Node<'d>, Node<'d>)>,
    evidence: &mut Evidence<'d, '_>,
) {
    if is_reordered(given, back, digests) {
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

/// What the units of two documents say, by their indexes, once a list asks for it.
type Digests = Option<[Vec<u64>; 2]>;

/// Whether the same items come in another order, as the canonical encoding of a SET OF has them.
fn is_reordered(given: Node<'_>, back: Node<'_>, digests: &mut Digests) -> bool {
    let is_same = |(one, other): (Node<'_>, Node<'_>)| {
        !one.is_structured() && class(one.kind()) == class(other.kind()) && one.value() == other.value()
    };
    if given.children().len() != back.children().len() || given.children().zip(back.children()).all(is_same) {
        return false;
    }
    let [one, other] = digests.get_or_insert_with(|| [given, back].map(|node| digests_of(node.document())));
    let items = |node: Node<'_>, of: &[u64]| node.children().map(|item| of[item.index()]).collect::<Vec<u64>>();
    let (mut one, mut other) = (items(given, one), items(back, other));
    if one == other {
        return false;
    }
    one.sort_unstable();
    other.sort_unstable();
    one == other
}

/// What each unit says, whatever the order of lists in it.
fn digests_of(document: &Document<'_>) -> Vec<u64> {
    let (mut digests, mut open) = (Vec::new(), Vec::<(Node<'_>, DefaultHasher, u64)>::new());
    for step in document.walk() {
        let (node, hasher, list) = match step {
            Step::Open(node) => {
                open.push((node, begun(&node), 0));
                continue;
            }
            Step::Primitive(node) => (node, begun(&node), 0),
            Step::Close(_) => match open.pop() {
                Some(closed) => closed,
                None => break,
            },
        };
        let mut hasher: DefaultHasher = hasher;
        list.hash(&mut hasher);
        let digest = hasher.finish();
        digests.resize(digests.len().max(node.index() + 1), 0);
        digests[node.index()] = digest;
        match open.last_mut() {
            Some((around, _, list)) if around.kind() == b'[' => *list = list.wrapping_add(digest),
            Some((_, hasher, _)) => (node.name().to_bytes(), digest).hash(hasher),
            None => {}
        }
    }
    digests
}

fn begun(node: &Node<'_>) -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    (class(node.kind()), node.value()).hash(&mut hasher);
    hasher
}

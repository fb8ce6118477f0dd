//! Two documents of JSON values, walked in step.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

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
    let (mut open, mut digests) = (Vec::new(), Digests::default());
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
    if given.children().len() == back.children().len() && digests.are_reordered(given, back) {
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

/// What items say, whatever the order of lists in them, by the addresses of their rows.
#[derive(Default)]
struct Digests(HashMap<usize, u64>);

impl Digests {
    /// Whether the same items come in another order, as the canonical encoding of a SET OF has them.
    fn are_reordered(&mut self, given: Node<'_>, back: Node<'_>) -> bool {
        let mut items = |node: Node<'_>| node.children().map(|item| self.of(item)).collect::<Vec<u64>>();
        let (mut one, mut other) = (items(given), items(back));
        if one == other {
            return false;
        }
        one.sort_unstable();
        other.sort_unstable();
        one == other
    }

    /// The digest of a node, which those in it are known for next time.
    fn of(&mut self, node: Node<'_>) -> u64 {
        let key = |node: Node<'_>| std::ptr::from_ref(node.row()).addr();
        // A node comes a second time once all in it are known.
        let mut open = vec![(node, false)];
        while let Some((node, is_inside_known)) = open.pop() {
            if self.0.contains_key(&key(node)) {
                continue;
            }
            if !is_inside_known && node.is_structured() {
                open.push((node, true));
                open.extend(node.children().map(|child| (child, false)));
                continue;
            }
            let mut hasher = DefaultHasher::new();
            (class(node.kind()), node.value()).hash(&mut hasher);
            let is_list = node.kind() == b'[';
            let mut list: u64 = 0;
            for child in node.children() {
                let inner = self.0.get(&key(child)).copied().unwrap_or_default();
                match is_list {
                    true => list = list.wrapping_add(inner),
                    false => (child.name().to_bytes(), inner).hash(&mut hasher),
                }
            }
            list.hash(&mut hasher);
            self.0.insert(key(node), hasher.finish());
        }
        self.0.get(&key(node)).copied().unwrap_or_default()
    }
}

//! Two documents of XML, walked in step.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::str;

use tam::xml::{Attributes, Element, around};
use tam::{Document, Node};
use xml::chars::is_white;
use xml::name::colon;
use xml::namespaces;
use xsd::XSI_NAMESPACE;

use super::LossKind;
use super::evidence::Evidence;

/// Compares two documents of the vocabulary of XML. A schema knows where white space is no content: in elements
/// that hold nothing but elements, if any.
pub(super) fn compare<'d>(
    given: &'d Document<'d>,
    back: &'d Document<'d>,
    has_schema: bool,
    evidence: &mut Evidence<'d, '_>,
) {
    let (given_scope, back_scope) = (Scope::default(), Scope::default());
    let mut walk = Walk { evidence, has_schema, given: given_scope, back: back_scope, open: Vec::new() };
    let (around_given, around_back): (Vec<_>, Vec<_>) = (around(given).collect(), around(back).collect());
    let outside = Inside { given: None, is_alike: true, preserves: false, depth: 0 };
    walk.content(&outside, &around_given, &around_back);
    while let Some((given, back, inside)) = walk.open.pop() {
        walk.element(given, back, &inside);
    }
}

/// A name without its prefix, and the namespace that the prefix is bound to.
type Expanded<'d> = (&'d [u8], Cow<'d, [u8]>);

/// Prefixes that are bound where the walk is.
#[derive(Default)]
struct Scope<'d> {
    bound: namespaces::Scope,
    /// The namespaces by their numbers, as far as the document has them.
    uris: Vec<&'d [u8]>,
}

impl<'d> Scope<'d> {
    fn bind(&mut self, depth: usize, prefix: &[u8], uri: &'d [u8]) {
        let number = self.bound.bind(depth, prefix, uri) as usize;
        if self.uris.len() <= number {
            self.uris.resize(number + 1, uri);
        }
    }

    fn uri(&self, prefix: &[u8]) -> Option<&'d [u8]> {
        match self.bound.namespace(prefix)? {
            0 => Some(b""),
            1 => Some(namespaces::XML.as_bytes()),
            number => self.uris.get(number as usize).copied(),
        }
    }

    /// The expanded name of a name; `own` are the declarations of its own element, if they are not bound yet.
    fn expand(&self, name: Cow<'d, [u8]>, is_attribute: bool, own: Option<Attributes<'d>>) -> Expanded<'d> {
        let (prefix, local) = split(&name);
        if is_attribute && prefix.is_empty() {
            return (b"", name);
        }
        let declared = own.and_then(|own| {
            let mut declarations = own.filter_map(declaration);
            declarations.find(|(bound, _)| **bound == *prefix).map(|(_, uri)| uri)
        });
        match declared.or_else(|| self.uri(prefix)) {
            None if !prefix.is_empty() => (b"", name),
            uri => {
                let start = name.len() - local.len();
                (uri.unwrap_or_default(), from(name, start))
            }
        }
    }
}

/// Prefix and local name.
fn split(name: &[u8]) -> (&[u8], &[u8]) {
    match colon(name) {
        Some(colon) => (&name[..colon], &name[colon + 1..]),
        None => (b"", name),
    }
}

fn from(name: Cow<'_, [u8]>, start: usize) -> Cow<'_, [u8]> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(name.get(start..).unwrap_or_default()),
        Cow::Owned(name) => Cow::Owned(name.get(start..).unwrap_or_default().to_vec()),
    }
}

/// The prefix that an attribute binds, and to what.
fn declaration(attribute: Node<'_>) -> Option<(Cow<'_, [u8]>, &[u8])> {
    let name = attribute.name().to_bytes();
    let prefix = match name.strip_prefix(b"xmlns")? {
        [] => Cow::Borrowed(&b""[..]),
        [b':', ..] => from(name, 6),
        _ => return None,
    };
    Some((prefix, attribute.value()))
}

fn attributes(node: Node<'_>) -> Option<Attributes<'_>> {
    Element::new(node).map(Element::attributes)
}

/// What is in an element but its attributes.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.children().filter(|child| child.kind() != b'=').collect()
}

fn declares(node: Node<'_>) -> bool {
    attributes(node).is_some_and(|mut all| all.any(|attribute| declaration(attribute).is_some()))
}

/// What an element takes over from those around it.
#[derive(Clone)]
struct Inside<'d> {
    given: Option<Node<'d>>,
    /// Whether both documents declare the same namespaces, so that equal names mean the same.
    is_alike: bool,
    preserves: bool,
    /// Elements that are open.
    depth: usize,
}

struct Walk<'d, 'e, 'i> {
    evidence: &'e mut Evidence<'d, 'i>,
    has_schema: bool,
    given: Scope<'d>,
    back: Scope<'d>,
    open: Vec<(Node<'d>, Node<'d>, Inside<'d>)>,
}

impl<'d> Walk<'d, '_, '_> {
    fn element(&mut self, given: Node<'d>, back: Node<'d>, around: &Inside<'d>) {
        self.given.bound.end(around.depth);
        self.back.bound.end(around.depth);
        let mut inside = Inside { given: Some(given), depth: around.depth + 1, ..around.clone() };
        self.attributes(given, back, &mut inside);
        let (name, name_back) = (given.name(), back.name());
        if name.written() != name_back.written() && name.to_bytes() != name_back.to_bytes() {
            self.evidence.at(LossKind::Prefix, given, Some(given));
        }
        self.content(&inside, &children(given), &children(back));
    }

    fn attributes(&mut self, given: Node<'d>, back: Node<'d>, inside: &mut Inside<'d>) {
        let (Some(all), Some(all_back)) = (attributes(given), attributes(back)) else { return };
        let mut is_equal = all.len() == all_back.len();
        for (attribute, other) in all.clone().zip(all_back.clone()) {
            is_equal =
                is_equal && attribute.name().written() == other.name().written() && attribute.value() == other.value();
        }
        for attribute in all.clone() {
            if let Some((prefix, uri)) = declaration(attribute) {
                self.given.bind(inside.depth, &prefix, uri);
            } else if attribute.name() == *"xml:space" {
                inside.preserves = attribute.value() == b"preserve";
            }
        }
        for (prefix, uri) in all_back.clone().filter_map(declaration) {
            self.back.bind(inside.depth, &prefix, uri);
        }
        if is_equal && inside.is_alike {
            return;
        }
        let mut left: HashMap<Expanded<'d>, Node<'d>> = HashMap::new();
        let mut declared = 0;
        for attribute in all_back.clone() {
            if declaration(attribute).is_some() {
                declared += 1;
            } else {
                left.insert(self.back.expand(attribute.name().to_bytes(), true, None), attribute);
            }
        }
        for attribute in all {
            if let Some((prefix, uri)) = declaration(attribute) {
                let is_kept = self.back.uri(&prefix).unwrap_or_default() == uri;
                inside.is_alike &= is_kept && declared > 0;
                declared -= usize::from(declared > 0);
                if !is_kept {
                    self.evidence.at(LossKind::Namespace, attribute, Some(attribute));
                }
                continue;
            }
            let name = self.given.expand(attribute.name().to_bytes(), true, None);
            match left.remove(&name) {
                Some(other) => {
                    if attribute.name().to_bytes() != other.name().to_bytes() {
                        self.evidence.at(LossKind::Prefix, attribute, Some(attribute));
                    }
                    if let Some(kind) = self.difference(attribute.value(), other.value()) {
                        self.evidence.at(kind, attribute, Some(attribute));
                    }
                }
                None => {
                    let is_xsi = name.0 == XSI_NAMESPACE.as_bytes();
                    let kind = if is_xsi { LossKind::Xsi } else { LossKind::Attribute };
                    self.evidence.at(kind, attribute, Some(attribute));
                }
            }
        }
        inside.is_alike &= declared == 0;
        for attribute in all_back.filter(|attribute| declaration(*attribute).is_none()) {
            let name = self.back.expand(attribute.name().to_bytes(), true, None);
            if left.remove(&name).is_some() {
                self.evidence.below(LossKind::Added, Some(given), || format!("/@{}", attribute.name()));
            }
        }
    }

    /// How a text differs from what it has become.
    fn difference(&self, given: &[u8], back: &[u8]) -> Option<LossKind> {
        if given == back {
            return None;
        }
        let (Ok(one), Ok(other)) = (str::from_utf8(given), str::from_utf8(back)) else {
            return Some(LossKind::Value);
        };
        if xml::is_same_value(one, other) {
            return Some(LossKind::Spelling);
        }
        let (one, other) = (one.trim_ascii().as_bytes(), other.trim_ascii().as_bytes());
        let ((prefix, local), (prefix_back, local_back)) = (split(one), split(other));
        let uri = self.given.uri(prefix).filter(|uri| !uri.is_empty());
        let is_renamed = local == local_back && uri.is_some() && uri == self.back.uri(prefix_back);
        Some(if is_renamed { LossKind::Prefix } else { LossKind::Value })
    }

    fn is_same_name(&self, given: Node<'d>, back: Node<'d>, is_alike: bool) -> bool {
        if is_alike && given.name().written() == back.name().written() && !declares(given) && !declares(back) {
            return true;
        }
        self.expanded(given) == self.expanded_back(back)
    }

    fn expanded(&self, node: Node<'d>) -> Expanded<'d> {
        self.given.expand(node.name().to_bytes(), false, attributes(node))
    }

    fn expanded_back(&self, node: Node<'d>) -> Expanded<'d> {
        self.back.expand(node.name().to_bytes(), false, attributes(node))
    }

    fn content(&mut self, inside: &Inside<'d>, given: &[Node<'d>], back: &[Node<'d>]) {
        let is_in_step = given.len() == back.len()
            && given.iter().zip(back).all(|(one, other)| {
                one.kind() == other.kind()
                    && match one.kind() {
                        b'<' => self.is_same_name(*one, *other, inside.is_alike),
                        b'[' => true,
                        _ => one.value() == other.value(),
                    }
            });
        if !is_in_step {
            return self.content_out_of_step(inside, given, back);
        }
        let has_words = given.iter().any(|node| node.kind() == b'[' && !is_white(node.value()));
        let may_be_layout = self.has_schema || given.iter().any(|node| node.kind() == b'<');
        for (one, other) in given.iter().zip(back) {
            if one.kind() == b'[' && one.value() != other.value() {
                let is_layout = may_be_layout && !has_words && !inside.preserves;
                self.text(inside, one.value(), other.value(), Some(*one), is_layout);
            }
        }
        let elements = given.iter().zip(back).rev().filter(|(one, _)| one.kind() == b'<');
        self.open.extend(elements.map(|(one, other)| (*one, *other, inside.clone())));
    }

    /// A text of the input and what it has become. White space alone can be layout.
    fn text(&mut self, inside: &Inside<'d>, given: &[u8], back: &[u8], first: Option<Node<'d>>, is_layout: bool) {
        let (white, white_back) = (is_white(given), is_white(back));
        if given == back || is_layout && white && white_back {
            return;
        }
        let kind = match (white, white_back) {
            (true, true) => LossKind::Space,
            (false, true) => LossKind::Text,
            (true, false) => LossKind::Added,
            (false, false) => match self.difference(given, back) {
                Some(kind) => kind,
                None => return,
            },
        };
        match first {
            Some(node) => self.evidence.at(kind, node, inside.given),
            None => self.evidence.below(kind, inside.given, || "/text()".to_owned()),
        }
    }

    /// Content that does not agree child by child: elements are matched by name, the rest in its order.
    fn content_out_of_step(&mut self, inside: &Inside<'d>, given: &[Node<'d>], back: &[Node<'d>]) {
        // Numbers and bits may be spelled as their names, which are empty elements.
        let is_spelled =
            self.has_schema && (are_names(given) && are_words(back) || are_words(given) && are_names(back));
        if is_spelled {
            self.evidence.below(LossKind::Spelling, inside.given, String::new);
        }
        let is_parallel = is_spelled || self.elements(inside, given, back);
        let mut is_moved = false;
        for kind in [b'+', b'?', b'!', b'&'] {
            is_moved |= self.others(inside, kind, given, back) && is_parallel;
        }
        if is_moved {
            self.evidence.below(LossKind::Order, inside.given, String::new);
        }
        let sections = |nodes: &[Node<'d>]| nodes.iter().filter(|node| node.kind() == b']').count();
        let kept = sections(back);
        for section in given.iter().filter(|node| node.kind() == b']').skip(kept) {
            self.evidence.at(LossKind::CData, *section, inside.given);
        }
        if is_spelled {
            return;
        }
        let may_be_layout = self.has_schema || given.iter().any(|node| node.kind() == b'<');
        let has_words = has_words(given);
        let is_layout = (may_be_layout && !has_words && !inside.preserves) || inside.given.is_none();
        let (texts, texts_back) = (texts(given, is_parallel), texts(back, is_parallel));
        for at in 0..texts.len().max(texts_back.len()) {
            let none = (Cow::Borrowed(&b""[..]), None);
            let (text, first) = texts.get(at).unwrap_or(&none);
            let (text_back, _) = texts_back.get(at).unwrap_or(&none);
            self.text(inside, text, text_back, *first, is_layout);
        }
    }

    /// Matches elements by name, in their order for each name; whether all have a match, in one order.
    fn elements(&mut self, inside: &Inside<'d>, given: &[Node<'d>], back: &[Node<'d>]) -> bool {
        let is_element = |node: &&Node<'d>| node.kind() == b'<';
        let mut left: HashMap<Expanded<'d>, VecDeque<(usize, Node<'d>)>> = HashMap::new();
        for (at, node) in back.iter().filter(is_element).enumerate() {
            left.entry(self.expanded_back(*node)).or_default().push_back((at, *node));
        }
        let (mut last, mut is_moved, mut is_whole) = (0, false, true);
        let before = self.open.len();
        for node in given.iter().filter(is_element) {
            match left.get_mut(&self.expanded(*node)).and_then(VecDeque::pop_front) {
                Some((at, other)) => {
                    is_moved |= at < last;
                    last = at;
                    self.open.push((*node, other, inside.clone()));
                }
                None => {
                    is_whole = false;
                    self.evidence.at(LossKind::Element, *node, Some(*node));
                }
            }
        }
        // The first element comes off the stack first.
        self.open[before..].reverse();
        if is_moved {
            self.evidence.below(LossKind::Order, inside.given, String::new);
        }
        for node in back.iter().filter(is_element) {
            let name = self.expanded_back(*node);
            if left.get_mut(&name).is_some_and(|nodes| nodes.pop_front().is_some()) {
                is_whole = false;
                self.evidence.below(LossKind::Added, inside.given, || format!("/{}", node.name()));
            }
        }
        is_whole && !is_moved
    }

    /// Comments, instructions, DOCTYPEs or references to entities: whether one of them is between other elements now.
    fn others(&mut self, inside: &Inside<'d>, kind: u8, given: &[Node<'d>], back: &[Node<'d>]) -> bool {
        let mut others = placed(kind, back).peekable();
        let mut is_moved = false;
        for (at, node) in placed(kind, given) {
            if let Some((at_back, _)) = others.next_if(|(_, other)| other.value() == node.value()) {
                is_moved |= at != at_back;
                continue;
            }
            let loss = match kind {
                b'+' => LossKind::Comment,
                b'?' => LossKind::Instruction,
                b'&' => LossKind::Text,
                _ => LossKind::Doctype,
            };
            self.evidence.at(loss, node, inside.given);
        }
        others.for_each(|_| self.evidence.below(LossKind::Added, inside.given, String::new));
        is_moved
    }
}

/// Whether there is text that is no white space.
fn has_words(nodes: &[Node<'_>]) -> bool {
    nodes.iter().any(|node| matches!(node.kind(), b'[' | b']') && !is_white(node.value()))
}

/// Whether there is such text, and no element.
fn are_words(nodes: &[Node<'_>]) -> bool {
    has_words(nodes) && nodes.iter().all(|node| node.kind() != b'<')
}

/// Whether there are elements without content and attributes, and no such text.
fn are_names(nodes: &[Node<'_>]) -> bool {
    let mut elements = nodes.iter().filter(|node| node.kind() == b'<').peekable();
    elements.peek().is_some() && elements.all(|node| node.children().next().is_none()) && !has_words(nodes)
}

/// The nodes of a kind, each with the number of elements before it.
fn placed<'d>(kind: u8, nodes: &[Node<'d>]) -> impl Iterator<Item = (usize, Node<'d>)> {
    nodes
        .iter()
        .scan(0, |elements, node| {
            *elements += usize::from(node.kind() == b'<');
            Some((*elements, *node))
        })
        .filter(move |(_, node)| node.kind() == kind)
}

/// The texts before, between and after elements, or all text as one; each with its first unit.
fn texts<'d>(nodes: &[Node<'d>], between: bool) -> Vec<(Cow<'d, [u8]>, Option<Node<'d>>)> {
    let mut texts: Vec<(Cow<'d, [u8]>, Option<Node<'d>>)> = vec![(Cow::Borrowed(b""), None)];
    for node in nodes {
        match node.kind() {
            b'<' if between => texts.push((Cow::Borrowed(b""), None)),
            b'[' | b']' => {
                if let Some((text, first)) = texts.last_mut() {
                    if text.is_empty() {
                        *text = Cow::Borrowed(node.value());
                    } else {
                        text.to_mut().extend_from_slice(node.value());
                    }
                    // The place is that of the words.
                    if first.is_none() || !is_white(node.value()) && first.is_some_and(|first| is_white(first.value()))
                    {
                        *first = Some(*node);
                    }
                }
            }
            _ => {}
        }
    }
    texts
}

//! A message as a tree of elements, names resolved (Namespaces in XML 1.0).
//!
//! Nodes are of one size: names, attributes, texts and children are in lists of the tree, so that reading a message takes
//! few allocations, and memory of a few times its bytes.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use tam::{Error, ErrorKind, Limits, Words};
use text::xml::{Event, Reader, StartTag};
use xml::chars::is_white;
use xml::name::{is_qualified, split};
use xml::namespaces::declared;
use xml::white_space::trim;

use crate::schema::Name;
use crate::soap::envelope::{ENCODING, XSI};

/// A name: the numbers of its namespace and of its local part in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Named {
    pub(crate) namespace: u32,
    local: u32,
}

#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Named,
    value: Range<u32>,
    /// What the value means as a qualified name, where it is one whose prefix is declared.
    pub(crate) qname: Option<Named>,
}

/// Where the text of an element is.
#[derive(Debug)]
enum Text {
    /// In a range of all texts.
    At(u32, u32),
    /// Among those that other elements are in.
    Joined(u32),
}

#[derive(Debug)]
pub(crate) struct Node {
    /// The element it is in; of the outermost, itself.
    parent: u32,
    pub(crate) name: Named,
    /// The number of the name as it is written.
    written: u32,
    attributes: Range<u32>,
    children: Range<u32>,
    text: Text,
    /// Where its text begins in the message, in bytes.
    text_at: Option<NonZeroU32>,
    /// Where the element begins and ends in the message, in bytes.
    start: u32,
    end: u32,
}

pub(crate) struct Tree<'m> {
    message: &'m [u8],
    pub(crate) nodes: Vec<Node>,
    namespaces: Strings,
    names: Strings,
    attributes: Vec<Attribute>,
    children: Vec<u32>,
    /// Texts of elements, and values of attributes.
    texts: String,
    joined: Vec<String>,
    /// What texts that may be the code of a fault mean as qualified names.
    codes: HashMap<usize, Named>,
}

/// Strings, each once and by its number.
#[derive(Default)]
struct Strings {
    list: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    /// The last one asked for.
    last: u32,
}

impl Strings {
    fn number(&mut self, string: &str) -> u32 {
        if self.get(self.last) == string && !self.list.is_empty() {
            return self.last;
        }
        self.last = match self.numbers.get(string) {
            Some(&number) => number,
            None => {
                let number = self.list.len() as u32;
                let string: Arc<str> = string.into();
                self.list.push(string.clone());
                self.numbers.insert(string, number);
                number
            }
        };
        self.last
    }

    fn find(&self, string: &str) -> Option<u32> {
        self.numbers.get(string).copied()
    }

    fn get(&self, number: u32) -> &str {
        self.list.get(number as usize).map_or("", |string| string)
    }
}

/// The elements in an element, in their order.
pub(crate) type Children<'t> = core::iter::Map<core::slice::Iter<'t, u32>, fn(&u32) -> usize>;

/// The namespaces in scope, and what names mean there. The reader has checked both.
struct Scope {
    bound: xml::namespaces::Scope,
    /// Elements that are open.
    depth: usize,
    /// `xsi:type` and `SOAP-ENC:arrayType`, whose values are names.
    own_type: Named,
    array_type: Named,
    /// What names of elements and of attributes mean, by the number of the name as it is written, by the state of the bindings.
    known: [Vec<(u32, Named)>; 2],
}

const NO_NAME: Named = Named { namespace: 0, local: 0 };

impl<'m> Tree<'m> {
    pub(crate) fn read(message: &'m [u8], limits: Limits) -> Result<Tree<'m>, Error> {
        let options = text::xml::Options::default().with_limits(limits);
        let mut reader = Reader::new(message, &options)?;
        let mut tree = Tree {
            message,
            nodes: Vec::new(),
            namespaces: Strings::default(),
            names: Strings::default(),
            attributes: Vec::new(),
            children: Vec::new(),
            texts: String::new(),
            joined: Vec::new(),
            codes: HashMap::new(),
        };
        let mut bound = xml::namespaces::Scope::default();
        let mut name = |namespace: &str, local| Named {
            namespace: bound.number(namespace.as_bytes()),
            local: tree.names.number(local),
        };
        let (own_type, array_type) = (name(XSI, "type"), name(ENCODING, "arrayType"));
        let mut scope = Scope { bound, depth: 0, own_type, array_type, known: Default::default() };
        let mut open: Option<usize> = None;
        let (mut ended, mut units): (Option<usize>, usize) = (None, 0);
        while let Some(event) = reader.next_event()? {
            let found = match event {
                Event::Start(tag) => {
                    units += 1 + tag.attributes().len();
                    if units > limits.units as usize {
                        let (at, bound) = (reader.offset(), limits.units.into());
                        return Err(Error::limit("soap", at, "more elements and attributes", "units", bound));
                    }
                    Found::Start(tree.element(tag, &mut scope))
                }
                Event::End(_) => Found::End,
                Event::Text(text) | Event::CData(text) => Found::Text(tree.keep(text)),
                Event::Comment(_) => Found::Nothing,
                Event::Instruction(_) => {
                    let expected = "none: SOAP forbids it";
                    return Err(reader.error(ErrorKind::Unsupported, "a processing instruction", expected));
                }
                _ => {
                    let expected = "none: SOAP forbids it";
                    return Err(reader.error(ErrorKind::Unsupported, "a document type declaration", expected));
                }
            };
            // No message is so long that places in it take more bits.
            let at = reader.offset() as u32;
            if let Some(node) = ended.take() {
                tree.nodes[node].end = at;
            }
            match found {
                Found::Start(mut node) => {
                    let number = tree.nodes.len();
                    (node.parent, node.start) = (open.unwrap_or(number) as u32, at);
                    open = Some(number);
                    tree.nodes.push(node);
                }
                Found::End => {
                    if let Some(node) = open {
                        if matches!(tree.local(tree.nodes[node].name), "faultcode" | "Value")
                            && let Some(name) = tree.code_of(node, &scope)
                        {
                            tree.codes.insert(node, name);
                        }
                        (ended, open) = (open, tree.parent(node));
                    }
                    scope.close();
                }
                Found::Text(text) => {
                    if let Some(node) = open {
                        let first = &mut tree.nodes[node].text_at;
                        *first = first.or(NonZeroU32::new(at));
                        tree.add_text(node, text);
                    }
                }
                Found::Nothing => {}
            }
        }
        if let Some(node) = ended {
            tree.nodes[node].end = message.len() as u32;
        }
        for number in 0..scope.bound.uris() {
            tree.namespaces.number(str::from_utf8(scope.bound.uri(number)).unwrap_or_default());
        }
        tree.list_children();
        Ok(tree)
    }

    /// What the text of an element means as a qualified name.
    fn code_of(&mut self, node: usize, scope: &Scope) -> Option<Named> {
        let text = self.text(node).to_owned();
        scope.qname(&text, &mut self.names)
    }

    /// Puts a text after the others.
    fn keep(&mut self, text: &str) -> Range<u32> {
        let from = self.texts.len() as u32;
        self.texts.push_str(text);
        from..self.texts.len() as u32
    }

    /// The last of all texts is the next of an element.
    fn add_text(&mut self, node: usize, text: Range<u32>) {
        let own = &mut self.nodes[node].text;
        match *own {
            Text::At(start, end) if start == end => *own = Text::At(text.start, text.end),
            Text::At(start, end) if end == text.start => *own = Text::At(start, text.end),
            Text::At(start, end) => {
                *own = Text::Joined(self.joined.len() as u32);
                self.joined.push(self.texts[start as usize..end as usize].into());
                self.add_text(node, text);
            }
            Text::Joined(number) => {
                self.joined[number as usize].push_str(&self.texts[text.start as usize..]);
                self.texts.truncate(text.start as usize);
            }
        }
    }

    /// Lists the children of all elements, in their order.
    fn list_children(&mut self) {
        for n in 0..self.nodes.len() {
            if let Some(parent) = self.parent(n) {
                self.nodes[parent].children.end += 1;
            }
        }
        let mut count = 0;
        for node in &mut self.nodes {
            let own = node.children.end;
            node.children = count..count;
            count += own;
        }
        self.children = vec![0; count as usize];
        for n in 0..self.nodes.len() {
            if let Some(parent) = self.parent(n) {
                let place = &mut self.nodes[parent].children.end;
                self.children[*place as usize] = n as u32;
                *place += 1;
            }
        }
    }

    /// A start tag with its names resolved.
    fn element(&mut self, tag: StartTag<'_>, scope: &mut Scope) -> Node {
        scope.depth += 1;
        for (name, value) in tag.attributes() {
            if let Some(prefix) = declared(name) {
                scope.bound.bind(scope.depth, prefix.as_bytes(), value.as_bytes());
            }
        }
        let first = self.attributes.len();
        for (name, value) in tag.attributes().filter(|(name, _)| declared(name).is_none()) {
            let (_, named) = scope.named(name, false, &mut self.names);
            let qname = match named {
                name if name == scope.own_type => scope.qname(value, &mut self.names),
                name if name == scope.array_type => scope.qname(value.split('[').next().unwrap_or(""), &mut self.names),
                _ => None,
            };
            let value = self.keep(value);
            self.attributes.push(Attribute { name: named, value, qname });
        }
        let (written, name) = scope.named(tag.name(), true, &mut self.names);
        Node {
            parent: 0,
            name,
            written,
            attributes: first as u32..self.attributes.len() as u32,
            children: 0..0,
            text: Text::At(0, 0),
            text_at: None,
            start: 0,
            end: 0,
        }
    }

    /// Bytes of the message.
    pub(crate) fn len(&self) -> usize {
        self.message.len()
    }

    /// The name of the namespace of a name.
    pub(crate) fn namespace(&self, name: Named) -> &str {
        self.namespaces.get(name.namespace)
    }

    /// A name with its namespace, which it shares with all names of the tree.
    pub(crate) fn qualified(&self, name: Named) -> Name {
        let namespace = self.namespaces.list.get(name.namespace as usize).cloned();
        Name::new(namespace.unwrap_or_default(), self.local(name))
    }

    /// The local part of a name.
    pub(crate) fn local(&self, name: Named) -> &str {
        self.names.get(name.local)
    }

    /// Whether a name is this one.
    pub(crate) fn is(&self, name: Named, namespace: &str, local: &str) -> bool {
        self.local(name) == local && self.namespace(name) == namespace
    }

    /// The name of an element as it is written.
    pub(crate) fn written(&self, node: usize) -> &str {
        self.names.get(self.nodes[node].written)
    }

    fn parent(&self, node: usize) -> Option<usize> {
        let parent = self.nodes[node].parent as usize;
        (parent != node).then_some(parent)
    }

    /// The elements in an element.
    pub(crate) fn children(&self, node: usize) -> Children<'_> {
        let Range { start, end } = self.nodes[node].children;
        self.children[start as usize..end as usize].iter().map(|&child| child as usize)
    }

    /// All text of an element that is its own.
    pub(crate) fn text(&self, node: usize) -> &str {
        match self.nodes[node].text {
            Text::At(start, end) => &self.texts[start as usize..end as usize],
            Text::Joined(number) => &self.joined[number as usize],
        }
    }

    /// Where the text of an element begins, or the element, if there is no text.
    pub(crate) fn text_at(&self, node: usize) -> usize {
        self.nodes[node].text_at.map_or(self.nodes[node].start, NonZeroU32::get) as usize
    }

    /// What the text of an element that may be the code of a fault means as a qualified name.
    pub(crate) fn code(&self, node: usize) -> Option<Named> {
        self.codes.get(&node).copied()
    }

    /// Where an element is in the message.
    pub(crate) fn range(&self, node: usize) -> Range<usize> {
        self.nodes[node].start as usize..self.nodes[node].end as usize
    }

    /// The name, if anything in the tree may have it.
    pub(crate) fn name(&self, namespace: &str, local: &str) -> Option<Named> {
        Some(Named { namespace: self.namespaces.find(namespace)?, local: self.names.find(local)? })
    }

    /// The attribute of a name.
    pub(crate) fn attribute(&self, node: usize, name: Option<Named>) -> Option<&Attribute> {
        let Range { start, end } = self.nodes[node].attributes;
        let attributes = &self.attributes[start as usize..end as usize];
        attributes.iter().find(|attribute| Some(attribute.name) == name)
    }

    /// What an attribute says.
    pub(crate) fn value(&self, attribute: &Attribute) -> &str {
        &self.texts[attribute.value.start as usize..attribute.value.end as usize]
    }

    /// An error at an element.
    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        node: usize,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        self.error_at(self.range(node).start, Error::new(kind, "soap", 0, found, expected), node)
    }

    /// The error, at a place inside an element.
    pub(crate) fn error_at(&self, at: usize, error: Error, node: usize) -> Error {
        let error = error.met_in("soap", at as u64).in_path(self.path(node));
        match str::from_utf8(self.message.get(..at).unwrap_or(&[])) {
            Ok(before) => {
                let line = before.split('\n').count() as u64;
                let column = before.rsplit('\n').next().unwrap_or("").chars().count() as u64 + 1;
                error.at_line(line, column)
            }
            Err(_) => error,
        }
    }

    fn path(&self, node: usize) -> String {
        let mut steps = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let mut step = self.written(node).to_owned();
            let parent = self.parent(node);
            if let Some(parent) = parent {
                let alike = |&child: &usize| self.nodes[child].written == self.nodes[node].written;
                let siblings = self.children(parent).filter(alike);
                if siblings.clone().nth(1).is_some() {
                    let place = siblings.take_while(|&sibling| sibling != node).count();
                    step = format!("{step}[{}]", place + 1);
                }
            }
            steps.push(step);
            at = parent;
        }
        steps.iter().rev().fold(String::new(), |path, step| path + "/" + step)
    }
}

enum Found {
    Start(Node),
    End,
    Text(Range<u32>),
    Nothing,
}

impl Scope {
    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.bound.end(self.depth);
    }

    /// The number of a name as it is written, and what it means.
    fn named(&mut self, name: &str, is_element: bool, names: &mut Strings) -> (u32, Named) {
        let written = names.number(name);
        let state = self.bound.state();
        if let Some(&(as_of, named)) = self.known[usize::from(is_element)].get(written as usize)
            && as_of == state
        {
            return (written, named);
        }
        // The reader refuses a name with a prefix that is not bound.
        let named = self.resolved(name, is_element, names).unwrap_or(NO_NAME);
        let known = &mut self.known[usize::from(is_element)];
        if known.len() <= written as usize {
            known.resize(written as usize + 1, (u32::MAX, NO_NAME));
        }
        known[written as usize] = (state, named);
        (written, named)
    }

    /// What a name means, if its prefix is bound. The default namespace is not that of attributes.
    fn resolved(&self, name: &str, is_element: bool, names: &mut Strings) -> Option<Named> {
        let (prefix, local) = split(name);
        let namespace = match self.bound.namespace(prefix.as_bytes()) {
            _ if prefix.is_empty() && !is_element => 0,
            None if prefix.is_empty() => 0,
            bound => bound?,
        };
        Some(Named { namespace, local: names.number(local) })
    }

    /// What a text means as a qualified name.
    fn qname(&self, text: &str, names: &mut Strings) -> Option<Named> {
        let text = trim(text);
        if is_qualified(text) { self.resolved(text, true, names) } else { None }
    }
}

/// No text may be in an element, only elements.
pub(crate) fn check_blank(tree: &Tree<'_>, node: usize) -> Result<(), Error> {
    if is_white(tree.text(node).as_bytes()) {
        return Ok(());
    }
    let error = Error::new(ErrorKind::Schema, "soap", 0, "text", "elements alone");
    Err(tree.error_at(tree.text_at(node), error, node))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(message: &str) -> Tree<'_> {
        Tree::read(message.as_bytes(), Limits::default()).unwrap()
    }

    #[test]
    fn texts_are_joined_around_elements_and_comments() {
        let tree = tree("<a>x<b>y<!-- no -->y&amp;<![CDATA[<]]></b>z<b/><!-- no -->w<b>v<c>u</c>t</b>s</a>");
        let texts: Vec<_> = (0..tree.nodes.len()).map(|node| tree.text(node)).collect();
        assert_eq!(texts, ["xzws", "yy&<", "", "vt", "u"]);
        assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(tree.children(3).collect::<Vec<_>>(), [4]);
        assert_eq!((tree.text_at(0), tree.text_at(1), tree.text_at(2), tree.range(2)), (3, 7, 43, 43..47));
        assert_eq!((tree.path(2), tree.path(4)), ("/a/b[2]".into(), "/a/b[3]/c".into()));
    }

    /// Text on both sides of each of many elements is not gone over once for each.
    #[test]
    #[cfg_attr(miri, ignore = "long: a message of 800 KiB")]
    fn much_mixed_text_takes_memory_of_its_length() {
        let message = format!("<a>{}</a>", "x<b>y</b>".repeat(100_000));
        let tree = tree(&message);
        assert_eq!(tree.text(0), "x".repeat(100_000));
        assert_eq!(tree.text(100_000), "y");
        assert!(tree.texts.len() == 100_001 && tree.joined.len() == 1);
    }

    /// What a name means is looked up again where prefixes mean something else.
    #[test]
    fn names_mean_what_is_declared_where_they_stand() {
        let tree = tree(
            "<p:a xmlns:p='urn:1' xmlns='urn:d'><p:b x='' p:x=''/><p:b xmlns:p='urn:2' p:x=''/><p:b p:x=''/>\
             <c/><c xmlns=''/><c/></p:a>",
        );
        let namespaces: Vec<_> = tree.nodes.iter().map(|node| tree.namespace(node.name)).collect();
        assert_eq!(namespaces, ["urn:1", "urn:1", "urn:2", "urn:1", "urn:d", "", "urn:d"]);
        for (node, namespace) in [(1, "urn:1"), (2, "urn:2"), (3, "urn:1")] {
            assert!(tree.attribute(node, tree.name(namespace, "x")).is_some(), "{node}");
        }
        assert!(tree.attribute(1, tree.name("", "x")).is_some());
        assert!(tree.attribute(2, tree.name("urn:1", "x")).is_none() && tree.attribute(2, None).is_none());
        let twice = "<a xmlns:p='urn:1' xmlns:q='urn:1' p:x='' q:x=''/>";
        assert!(Tree::read(twice.as_bytes(), Limits::default()).is_err());
    }
}

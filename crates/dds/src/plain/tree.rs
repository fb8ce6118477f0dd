//! A message as a tree of elements, names resolved (Namespaces in XML 1.0).

use std::collections::{HashMap, HashSet};

use tam::{Error, ErrorKind, Limits, Words};
use text::xml::{Event, Reader, StartTag};

use crate::envelope::{ENCODING, XML, XMLNS, XSI};
use crate::lexical::{is_space, trim};

/// A name with the number of its namespace in the tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Named {
    pub(crate) namespace: u32,
    pub(crate) local: String,
}

#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Named,
    pub(crate) value: String,
    /// What the value means as a qualified name, where it is one whose prefix is declared.
    pub(crate) qname: Option<Named>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) name: Named,
    /// The name as it is written.
    pub(crate) written: String,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) children: Vec<usize>,
    /// All of its own text, and where it begins.
    pub(crate) text: String,
    pub(crate) text_at: Option<usize>,
    /// What the text means as a qualified name.
    pub(crate) text_qname: Option<Named>,
    /// Where the element begins and ends in the message, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

pub(crate) struct Tree<'m> {
    message: &'m [u8],
    pub(crate) nodes: Vec<Node>,
    pub(crate) namespaces: Vec<String>,
}

/// The namespaces in scope, by prefix: the innermost last.
struct Scope {
    prefixes: HashMap<String, Vec<u32>>,
    numbers: HashMap<String, u32>,
    /// The prefixes each open element declares.
    declared: Vec<Vec<String>>,
}

impl<'m> Tree<'m> {
    pub(crate) fn read(message: &'m [u8], limits: Limits) -> Result<Tree<'m>, Error> {
        let options = text::xml::Options::default().with_limits(limits);
        let mut reader = Reader::new(message, &options)?;
        let mut tree = Tree { message, nodes: Vec::new(), namespaces: Vec::new() };
        let mut scope = Scope { prefixes: HashMap::new(), numbers: HashMap::new(), declared: Vec::new() };
        scope.number("", &mut tree.namespaces);
        let xml = scope.number(XML, &mut tree.namespaces);
        scope.prefixes.insert("xml".into(), vec![xml]);
        let mut open: Option<usize> = None;
        let mut ended: Option<usize> = None;
        while let Some(event) = reader.next_event()? {
            let found = match event {
                Event::Start(tag) => match tree.element(tag, &mut scope) {
                    Ok(node) => Found::Start(node),
                    Err((found, expected)) => return Err(reader.error(ErrorKind::Syntax, found, expected)),
                },
                Event::End(_) => Found::End,
                Event::Text(text) | Event::CData(text) => Found::Text(text.to_owned()),
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
            let at = reader.offset() as usize;
            if let Some(node) = ended.take() {
                tree.nodes[node].end = at;
            }
            match found {
                Found::Start(mut node) => {
                    if tree.nodes.len() >= limits.units as usize {
                        return Err(Error::limit("soap", at as u64, "more elements", "units", limits.units.into()));
                    }
                    (node.parent, node.start) = (open, at);
                    let number = tree.nodes.len();
                    if let Some(parent) = open {
                        tree.nodes[parent].children.push(number);
                    }
                    tree.nodes.push(node);
                    open = Some(number);
                }
                Found::End => {
                    if let Some(node) = open {
                        let qname = scope.qname(trim(&tree.nodes[node].text));
                        tree.nodes[node].text_qname = qname;
                        (ended, open) = (open, tree.nodes[node].parent);
                    }
                    scope.close();
                }
                Found::Text(text) => {
                    if let Some(node) = open {
                        tree.nodes[node].text_at.get_or_insert(at);
                        tree.nodes[node].text.push_str(&text);
                    }
                }
                Found::Nothing => {}
            }
        }
        if let Some(node) = ended {
            tree.nodes[node].end = message.len();
        }
        Ok(tree)
    }

    /// A start tag with its names resolved; what is wrong with them otherwise.
    fn element(&mut self, tag: StartTag<'_>, scope: &mut Scope) -> Result<Node, (Words, &'static str)> {
        let mut declared = Vec::new();
        for (name, value) in tag.attributes() {
            let prefix = match name.split_once(':') {
                Some(("xmlns", prefix)) => prefix,
                None if name == "xmlns" => "",
                _ => continue,
            };
            check_declaration(prefix, value)?;
            let number = scope.number(value, &mut self.namespaces);
            scope.prefixes.entry(prefix.to_owned()).or_default().push(number);
            declared.push(prefix.to_owned());
        }
        scope.declared.push(declared);
        let mut attributes = Vec::new();
        for (name, value) in tag.attributes().filter(|(name, _)| *name != "xmlns" && !name.starts_with("xmlns:")) {
            let named = scope.resolved(name, false)?;
            let namespace = self.namespaces[named.namespace as usize].as_str();
            let qname = match (namespace, named.local.as_str()) {
                (XSI, "type") => scope.qname(trim(value)),
                (ENCODING, "arrayType") => scope.qname(trim(value.split('[').next().unwrap_or(""))),
                _ => None,
            };
            attributes.push(Attribute { name: named, value: value.to_owned(), qname });
        }
        let mut seen = HashSet::new();
        if let Some(twice) = attributes.iter().find(|attribute| !seen.insert(&attribute.name)) {
            let found = Words::Own(format!("the attribute '{}' a second time", twice.name.local));
            return Err((found, "each attribute once"));
        }
        Ok(Node {
            parent: None,
            name: scope.resolved(tag.name(), true)?,
            written: tag.name().to_owned(),
            attributes,
            children: Vec::new(),
            text: String::new(),
            text_at: None,
            text_qname: None,
            start: 0,
            end: 0,
        })
    }

    /// The name of the namespace of a name.
    pub(crate) fn namespace(&self, name: &Named) -> &str {
        self.namespaces.get(name.namespace as usize).map_or("", String::as_str)
    }

    /// Whether a name is this one.
    pub(crate) fn is(&self, name: &Named, namespace: &str, local: &str) -> bool {
        name.local == local && self.namespace(name) == namespace
    }

    /// The attribute of a name.
    pub(crate) fn attribute(&self, node: usize, namespace: &str, local: &str) -> Option<&Attribute> {
        self.nodes[node].attributes.iter().find(|attribute| self.is(&attribute.name, namespace, local))
    }

    /// An error at an element.
    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        node: usize,
        found: impl Into<Words>,
        expected: impl Into<Words>,
    ) -> Error {
        self.error_at(self.nodes[node].start, Error::new(kind, "soap", 0, found, expected), node)
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
            let this = &self.nodes[node];
            let mut step = this.written.clone();
            if let Some(parent) = this.parent {
                let alike = |&&child: &&usize| self.nodes[child].written == this.written;
                let siblings: Vec<_> = self.nodes[parent].children.iter().filter(alike).collect();
                if siblings.len() > 1 {
                    let place = siblings.iter().position(|&&sibling| sibling == node).unwrap_or(0);
                    step = format!("{step}[{}]", place + 1);
                }
            }
            steps.push(step);
            at = this.parent;
        }
        steps.iter().rev().fold(String::new(), |path, step| path + "/" + step)
    }
}

enum Found {
    Start(Node),
    End,
    Text(String),
    Nothing,
}

/// What may be declared (Namespaces in XML 1.0, sections 2.2 and 3).
fn check_declaration(prefix: &str, namespace: &str) -> Result<(), (Words, &'static str)> {
    let found = || Words::Own(format!("the declaration of the prefix '{prefix}' as '{namespace}'"));
    if prefix == "xml" {
        return if namespace == XML { Ok(()) } else { Err((found(), "the prefix xml bound to its own namespace")) };
    }
    if prefix == "xmlns" || namespace == XML || namespace == XMLNS {
        return Err((found(), "a namespace that is not reserved"));
    }
    if !prefix.is_empty() && namespace.is_empty() {
        return Err((found(), "the name of a namespace"));
    }
    if !prefix.is_empty() && !is_local(prefix) {
        return Err((found(), "a prefix without a colon"));
    }
    Ok(())
}

/// Whether a part of a Name is an NCName.
fn is_local(part: &str) -> bool {
    let begins = |c: char| match c {
        'A'..='Z' | 'a'..='z' | '_' => true,
        '\0'..='\u{7F}' => false,
        _ => !matches!(c, '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}'),
    };
    part.chars().next().is_some_and(begins) && !part.contains(':')
}

impl Scope {
    fn number(&mut self, namespace: &str, namespaces: &mut Vec<String>) -> u32 {
        if let Some(&number) = self.numbers.get(namespace) {
            return number;
        }
        let number = namespaces.len() as u32;
        namespaces.push(namespace.to_owned());
        self.numbers.insert(namespace.to_owned(), number);
        number
    }

    fn resolved(&self, name: &str, is_element: bool) -> Result<Named, (Words, &'static str)> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if !is_local(local) || name.starts_with(':') {
            let found = Words::Own(format!("the name '{name}'"));
            return Err((found, "a name, or a prefix and a name with one colon between them"));
        }
        let bound = self.prefixes.get(prefix).and_then(|numbers| numbers.last());
        let namespace = match bound {
            _ if prefix.is_empty() && !is_element => 0,
            Some(&number) => number,
            None if prefix.is_empty() => 0,
            None => return Err((Words::Own(format!("the undeclared prefix '{prefix}'")), "a declared prefix")),
        };
        Ok(Named { namespace, local: local.to_owned() })
    }

    /// What a text means as a qualified name.
    fn qname(&self, text: &str) -> Option<Named> {
        let is_name = |part: &str| {
            is_local(part)
                && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_') || !c.is_ascii())
        };
        let (prefix, local) = text.split_once(':').unwrap_or(("", text));
        if !is_name(local) || text.starts_with(':') {
            return None;
        }
        self.resolved(text, true).ok().filter(|_| prefix.is_empty() || is_name(prefix))
    }

    fn close(&mut self) {
        for prefix in self.declared.pop().unwrap_or_default() {
            if let Some(numbers) = self.prefixes.get_mut(&prefix) {
                numbers.pop();
            }
        }
    }
}

/// Whether a text is white space alone.
pub(crate) fn is_blank(text: &str) -> bool {
    text.bytes().all(is_space)
}

//! The documents of a derived schema.

use std::collections::{HashMap, HashSet};

use asn1::schema::{Argument, Module};
use xml::escape::{Context, push};
use xml::name::is_local;
use xsd::{Memory, XML_NAMESPACE, XSI_NAMESPACE};

/// The documents, one for each namespace.
#[derive(Default)]
pub(super) struct Documents {
    /// Namespace and components of each.
    all: Vec<(String, String)>,
    by_uri: HashMap<String, usize>,
    /// The names of types that are written, or will be.
    announced: HashSet<String>,
    /// Names of components without a name of their own, by what they contain.
    interned: HashMap<(usize, String), String>,
    /// The prefixes that modules give to namespaces.
    preferred: Vec<(String, String)>,
}

impl Documents {
    /// The document of a namespace.
    pub(super) fn of(&mut self, uri: &str) -> usize {
        if let Some(known) = self.by_uri.get(uri) {
            return *known;
        }
        self.all.push((uri.to_owned(), String::new()));
        self.by_uri.insert(uri.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }

    /// Takes the prefixes that a module gives to namespaces.
    pub(super) fn prefer(&mut self, module: &Module) {
        for instruction in module.encoding_control.iter().flat_map(|control| &control.instructions) {
            if let [.., Argument::Text(uri), Argument::Word(_), Argument::Text(prefix)] = &instruction.arguments[..]
                && uri != XSI_NAMESPACE
            {
                self.preferred.push((prefix.clone(), uri.clone()));
            }
        }
    }

    pub(super) fn uri(&self, document: usize) -> &str {
        &self.all[document].0
    }

    fn prefix(&self, document: usize) -> String {
        if self.uri(document) == XML_NAMESPACE { "xml".to_owned() } else { format!("ns{document}") }
    }

    /// The name of a component of a document, with its prefix.
    pub(super) fn qname(&self, document: usize, local: &str) -> String {
        if self.uri(document).is_empty() { local.to_owned() } else { format!("{}:{local}", self.prefix(document)) }
    }

    /// Whether a type's name is new.
    pub(super) fn announce(&mut self, name: &str) -> bool {
        self.announced.insert(name.to_owned())
    }

    /// Adds a component.
    pub(super) fn push(&mut self, document: usize, text: &str) {
        self.all[document].1.push_str(text);
    }

    /// The name of a component of a kind with some content, which is added if it is new.
    pub(super) fn intern(&mut self, document: usize, kind: &str, content: &str) -> String {
        let key = (document, format!("{kind}{content}"));
        if let Some(known) = self.interned.get(&key) {
            return known.clone();
        }
        let local = format!("_.{}", self.interned.len());
        let name = self.qname(document, &local);
        self.push(document, &format!("<xs:{kind} name=\"{local}\"{content}</xs:{kind}>"));
        self.interned.insert(key, name.clone());
        name
    }

    /// The namespaces of the prefixes of names.
    pub(super) fn prefixes(&self) -> HashMap<String, String> {
        let all = self.all.iter().enumerate();
        let mut prefixes: HashMap<String, String> = all.map(|(at, (uri, _))| (self.prefix(at), uri.clone())).collect();
        prefixes.insert("xs".to_owned(), xsd::XSD_NAMESPACE.to_owned());
        prefixes
    }

    /// The documents, and their names.
    pub(super) fn finish(self) -> (Memory, Vec<String>) {
        let mut declared = String::new();
        for (at, (uri, _)) in
            self.all.iter().enumerate().filter(|(_, (uri, _))| uri != XML_NAMESPACE && !uri.is_empty())
        {
            declared += &attribute(&format!("xmlns:{}", self.prefix(at)), uri);
        }
        let mut seen = HashSet::from(["xs", "xml"]);
        for (prefix, uri) in &self.preferred {
            if is_local(prefix) && !prefix.starts_with("ns") && seen.insert(prefix) {
                declared += &attribute(&format!("xmlns:{prefix}"), uri);
            }
        }
        let (mut source, mut names) = (Memory::new(), Vec::new());
        for (at, (uri, components)) in self.all.iter().enumerate() {
            let mut text = format!("<xs:schema xmlns:xs=\"{}\"{declared}", xsd::XSD_NAMESPACE);
            if !uri.is_empty() {
                text += &attribute("targetNamespace", uri);
            }
            text.push('>');
            for (other, _) in self.all.iter().filter(|(other, _)| other != uri) {
                let namespace = if other.is_empty() { String::new() } else { attribute("namespace", other) };
                text += &format!("<xs:import{namespace}/>");
            }
            text += components;
            text += "</xs:schema>";
            names.push(format!("{at}.xsd"));
            source = source.with(format!("{at}.xsd"), text);
        }
        (source, names)
    }
}

/// An attribute with a space before it.
pub(super) fn attribute(name: &str, value: &str) -> String {
    let mut out = format!(" {name}=\"").into_bytes();
    push(&mut out, value, Context::Attribute);
    out.push(b'"');
    String::from_utf8_lossy(&out).into_owned()
}

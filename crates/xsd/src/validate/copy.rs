//! Copies the text of an element (for `ANY-ELEMENT`), and adds the namespace declarations that it needs from outside.

use text::xml::Event;
use xml::escape::{self, Context};
use xml::name::split;
use xml::namespaces::declared;
use xml::scan::is_same;

/// The range of a prefix in the text of all prefixes.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    start: usize,
    end: usize,
}

impl Prefix {
    fn of(self, prefixes: &str) -> &str {
        prefixes.get(self.start..self.end).unwrap_or_default()
    }
}

/// Copies one element.
#[derive(Debug, Default)]
pub struct Copy {
    text: Vec<u8>,
    /// How many elements are open.
    depth: u32,
    /// Whether the last start tag still lacks its end.
    is_tag_open: bool,
    /// Where declarations are inserted: after the name of the outermost element.
    name_end: usize,
    /// Prefixes declared inside, each with the depth of its element.
    declared: Vec<(Prefix, u32)>,
    /// Prefixes used inside that are declared outside.
    used: Vec<Prefix>,
    /// Prefixes in attribute values that may name types (`xsi:type`).
    hinted: Vec<Prefix>,
    /// The texts of all these prefixes.
    prefixes: String,
    /// Whether the outermost element has `xmlns=""`, which the copy does not need.
    is_bare: bool,
    /// The declarations that are added.
    declarations: Vec<u8>,
}

impl Copy {
    /// Prepares for another element.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        (self.depth, self.is_tag_open, self.name_end, self.is_bare) = (0, false, 0, false);
        self.declared.clear();
        self.used.clear();
        self.hinted.clear();
        self.prefixes.clear();
    }

    /// What has been copied so far, without the declarations that are added.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether nothing has been copied.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Copies an event. Returns whether the element has ended.
    pub fn event(&mut self, event: &Event<'_>) -> bool {
        if self.is_tag_open && !matches!(event, Event::End(_)) {
            self.text.push(b'>');
            self.is_tag_open = false;
        }
        match event {
            Event::Start(tag) => {
                self.depth += 1;
                self.text.push(b'<');
                self.text.extend_from_slice(tag.name().as_bytes());
                if self.depth == 1 {
                    self.name_end = self.text.len();
                }
                for (name, value) in tag.attributes() {
                    match declared(name) {
                        Some("") if self.is_outermost_bare(value) => self.is_bare = true,
                        Some(prefix) => {
                            let prefix = self.keep(prefix);
                            self.declared.push((prefix, self.depth));
                        }
                        None => {}
                    }
                }
                self.note(prefix(tag.name()).unwrap_or(""));
                for (name, value) in tag.attributes() {
                    match declared(name) {
                        Some("") if self.is_outermost_bare(value) => continue,
                        Some(_) => {}
                        None => {
                            prefix(name).into_iter().for_each(|prefix| self.note(prefix));
                            if name.ends_with(":type")
                                && let Some(prefix) = prefix(value)
                                && !self.declares(prefix)
                            {
                                let prefix = self.keep(prefix.trim_start());
                                self.hinted.push(prefix);
                            }
                        }
                    }
                    self.text.push(b' ');
                    self.text.extend_from_slice(name.as_bytes());
                    self.text.extend_from_slice(b"=\"");
                    escape::push(&mut self.text, value, Context::Attribute);
                    self.text.push(b'"');
                }
                self.is_tag_open = true;
            }
            Event::End(name) => {
                if self.is_tag_open {
                    self.text.extend_from_slice(b"/>");
                    self.is_tag_open = false;
                } else {
                    self.text.extend_from_slice(b"</");
                    self.text.extend_from_slice(name.as_bytes());
                    self.text.push(b'>');
                }
                while self.declared.pop_if(|(_, depth)| *depth == self.depth).is_some() {}
                self.depth -= 1;
            }
            Event::Text(text) | Event::CData(text) => escape::push(&mut self.text, text, Context::Content),
            _ => {}
        }
        self.depth == 0
    }

    /// Whether a declaration of the default namespace is `xmlns=""` on the outermost element.
    fn is_outermost_bare(&self, value: &str) -> bool {
        self.depth == 1 && value.is_empty()
    }

    fn keep(&mut self, prefix: &str) -> Prefix {
        let start = self.prefixes.len();
        self.prefixes.push_str(prefix);
        Prefix { start, end: self.prefixes.len() }
    }

    /// Whether a prefix is declared by an open element inside.
    fn declares(&self, prefix: &str) -> bool {
        self.declared.iter().any(|(one, _)| is_same(one.of(&self.prefixes).as_bytes(), prefix.as_bytes()))
    }

    fn note(&mut self, prefix: &str) {
        let is = |one: &Prefix| is_same(one.of(&self.prefixes).as_bytes(), prefix.as_bytes());
        if prefix != "xml" && !self.declares(prefix) && !self.used.iter().any(is) {
            let prefix = self.keep(prefix);
            self.used.push(prefix);
        }
    }

    /// Whether prefixes are used that are declared outside.
    pub fn needs_prefixes(&self) -> bool {
        self.used.iter().any(|prefix| prefix.start < prefix.end)
    }

    /// If names without a prefix are used and no default namespace is declared inside, the position for such a declaration.
    pub fn bare_names(&self) -> Option<usize> {
        self.used.iter().any(|prefix| prefix.start == prefix.end).then_some(self.name_end)
    }

    /// Adds the declarations from outside and returns the text in pieces; `uri` is the namespace of a prefix outside.
    pub(super) fn finish<'u>(&mut self, uri: impl Fn(&str) -> Option<&'u str>) -> [&[u8]; 3] {
        let is_bare = self.is_bare || uri("").is_none_or(str::is_empty);
        self.used.retain(|prefix| prefix.start < prefix.end || !is_bare);
        self.used.append(&mut self.hinted);
        let prefixes = &self.prefixes;
        self.used.sort_unstable_by(|a, b| a.of(prefixes).cmp(b.of(prefixes)));
        self.used.dedup_by(|a, b| a.of(prefixes) == b.of(prefixes));
        let declarations = &mut self.declarations;
        declarations.clear();
        for prefix in self.used.iter().map(|prefix| prefix.of(prefixes)) {
            let Some(uri) = uri(prefix).filter(|_| prefix != "xml") else { continue };
            declarations.extend_from_slice(if prefix.is_empty() { b" xmlns" } else { b" xmlns:" });
            declarations.extend_from_slice(prefix.as_bytes());
            declarations.extend_from_slice(b"=\"");
            escape::push(declarations, uri, Context::Attribute);
            declarations.push(b'"');
        }
        let (name, rest) = self.text.split_at_checked(self.name_end).unwrap_or_default();
        [name, declarations, rest]
    }
}

fn prefix(name: &str) -> Option<&str> {
    match split(name) {
        ("", _) => None,
        (prefix, _) => Some(prefix),
    }
}

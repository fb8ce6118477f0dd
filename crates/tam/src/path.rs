//! One unit by its path.

use core::fmt;

use crate::{Children, Document, Name, Node, Vocabulary};

/// A path that leads nowhere in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotFound<'p> {
    /// The part of the path that was found.
    pub found: &'p str,
    /// The step that was not.
    pub step: &'p str,
}

impl fmt::Display for NotFound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = if self.found.is_empty() { "/" } else { self.found };
        write!(f, "no '{}' in {within}", self.step)
    }
}

impl core::error::Error for NotFound<'_> {}

/// The index, from 0, that a step of a path is: decimal digits without a sign or a leading zero, as
/// RFC 6901 has them.
///
/// ```
/// assert_eq!(lengthwise_tam::index("10"), Some(10));
/// assert_eq!(lengthwise_tam::index("01"), None);
/// ```
#[must_use]
pub fn index(step: &str) -> Option<usize> {
    let plain = step.bytes().all(|c| c.is_ascii_digit()) && (step == "0" || !step.starts_with('0'));
    if plain { step.parse().ok() } else { None }
}

/// A name as a step of a path (RFC 6901): `~0` for `~`, and `~1` for `/`.
///
/// ```
/// assert_eq!(lengthwise_tam::escape_step("a/~1"), "a~1~01");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn escape_step(name: &str) -> alloc::string::String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The name that a step of a path is for: what [`escape_step`] is the inverse of.
///
/// ```
/// assert_eq!(lengthwise_tam::unescape_step("a~1~01"), "a/~1");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn unescape_step(step: &str) -> alloc::string::String {
    step.replace("~1", "/").replace("~0", "~")
}

impl Document<'_> {
    /// The unit at a path.
    ///
    /// A path is a sequence of steps, each after a `/`. The empty path is the first outermost unit, and so
    /// is `/` alone if that has no child whose name is the empty string. A step is
    /// * `name`: the first child of that name (`~1` means `/` and `~0` means `~`, as in RFC 6901);
    /// * `name[k]`: the k-th child of that name, from 1, where no child is named so to the letter;
    ///   `*[k]`: the k-th element or named child;
    /// * a number: the child of that name or, failing one, the child of that index, from 0;
    /// * in XML, `@name`: the attribute, and `text()` or `text()[k]`: a text (or CDATA) child.
    ///
    /// Where the outermost unit has a name, or is the list around an XML document, the first
    /// step chooses among the outermost units; otherwise it is a step into the unit. XML
    /// attribute lists are passed over: numbers count the content.
    ///
    /// ```
    /// # use lengthwise_tam::{Builder, Limits, Table, TypeSet};
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// # let mut table = Table::new();
    /// # let mut build = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
    /// # build.open(b'{', b"")?;
    /// # build.open(b'[', b"user")?;
    /// # build.primitive(b'\'', b"", b"Ada")?;
    /// # build.close()?;
    /// # build.close()?;
    /// # build.finish()?;
    /// # let document = table.document(b"", TypeSet::VALUE);
    /// assert_eq!(document.get("/user/0").unwrap().value(), b"Ada");
    /// assert_eq!(document.get("/user/1").unwrap_err().to_string(), "no '1' in /user");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a step leads nowhere.
    pub fn get<'p>(&self, path: &'p str) -> Result<Node<'_>, NotFound<'p>> {
        let root = self.root().ok_or(NotFound { found: "", step: path })?;
        let xml = self.types().vocabulary() == Vocabulary::Xml;
        let mut at = None;
        let mut start = 0;
        let steps = path.strip_prefix('/').unwrap_or(path);
        let skipped = path.len() - steps.len();
        if steps.is_empty() {
            let empty = root.children().find(|child| path == "/" && matches(child.name(), ""));
            return Ok(empty.unwrap_or(root));
        }
        for text in steps.split('/') {
            let step = Step::parse(text, xml);
            let among = match at {
                Some(node) => inside(node, matches!(step, Step::Attribute(_))),
                None => outermost(self),
            };
            // No name of XML could be taken for one of the other steps.
            let literal = if xml { None } else { among.clone().find(|node| matches(node.name(), text)) };
            let next = literal.or_else(|| step.find(xml, among));
            let end = start + text.len();
            let missing = NotFound { found: path.get(..(start + skipped).saturating_sub(1)).unwrap_or(""), step: text };
            at = Some(next.ok_or(missing)?);
            start = end + 1;
        }
        at.ok_or(NotFound { found: "", step: path })
    }
}

#[cfg(feature = "alloc")]
impl Node<'_> {
    /// The path of the unit, as [`Document::get`] takes it and errors print it; controls in names
    /// are shown as escapes, bytes that are not UTF-8 as U+FFFD.
    ///
    /// An attribute list of XML has the path of its element. Units do not know what they are in,
    /// so this walks the document up to the unit; [`Document::paths`] finds several in one walk.
    #[must_use]
    pub fn path(&self) -> alloc::string::String {
        self.document().paths(core::slice::from_ref(self)).pop().unwrap_or_default()
    }
}

#[cfg(feature = "alloc")]
impl Document<'_> {
    /// The [path](Node::path) of each of some units of the document, in one walk.
    #[must_use]
    pub fn paths(&self, nodes: &[Node<'_>]) -> alloc::vec::Vec<alloc::string::String> {
        use alloc::collections::BTreeMap;
        use alloc::string::String;
        use alloc::vec::Vec;
        let mut paths: Vec<String> = nodes.iter().map(|_| String::new()).collect();
        let mut wanted: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            wanted.entry(node.index()).or_default().push(at);
        }
        let mut way = Way { outermost: Siblings::default(), open: Vec::new(), stepped: 0, path: String::new() };
        for step in self.walk() {
            let node = match step {
                crate::Step::Open(node) | crate::Step::Primitive(node) => node,
                crate::Step::Close(_) => {
                    way.close();
                    continue;
                }
            };
            way.open.push(Level { node, start: way.path.len(), siblings: Siblings::default() });
            if let Some(places) = wanted.remove(&node.index()) {
                way.step(self);
                for at in places {
                    if let Some(path) = paths.get_mut(at) {
                        path.clone_from(&way.path);
                    }
                }
            }
            if wanted.is_empty() {
                break;
            }
            if matches!(step, crate::Step::Primitive(_)) {
                way.close();
            }
        }
        paths
    }
}

/// The way to a unit: the units that it is in, and the path of the first of them.
#[cfg(feature = "alloc")]
struct Way<'d> {
    outermost: Siblings<'d>,
    open: alloc::vec::Vec<Level<'d>>,
    /// How many of the units are in the path.
    stepped: usize,
    path: alloc::string::String,
}

#[cfg(feature = "alloc")]
struct Level<'d> {
    node: Node<'d>,
    /// Length of the path before its step, if it has one.
    start: usize,
    /// Of the units in it.
    siblings: Siblings<'d>,
}

/// Which unit of several a step leads to.
#[cfg(feature = "alloc")]
#[derive(Default)]
enum Siblings<'d> {
    #[default]
    New,
    /// One was looked for.
    Known,
    /// Several were: the units so far are counted by name.
    Counted(alloc::boxed::Box<Counted<'d>>),
}

#[cfg(feature = "alloc")]
struct Counted<'d> {
    rest: Children<'d>,
    index: usize,
    names: alloc::collections::BTreeMap<alloc::vec::Vec<u8>, usize>,
}

#[cfg(feature = "alloc")]
impl<'d> Way<'d> {
    /// Adds the steps that the path does not have.
    fn step(&mut self, document: &'d Document<'d>) {
        let is_xml = document.types().vocabulary() == Vocabulary::Xml;
        for at in self.stepped..self.open.len() {
            let (outer, inner) = self.open.split_at_mut(at);
            let (Some(level), parent) = (inner.first_mut(), outer.last_mut()) else { break };
            let (node, name) = (level.node, level.node.name());
            level.start = self.path.len();
            let is_attribute = at > 1 && parent.as_ref().is_some_and(|list| is_xml && list.node.kind() == b'=');
            if is_attribute {
                name.push_step(1, 0, &mut self.path);
                self.path.insert(level.start + 1, '@');
            } else if !(at == 0 && name.is_none() || is_xml && node.kind() == b'=') {
                let (siblings, all) = match parent {
                    Some(parent) => (&mut parent.siblings, inside(parent.node, false)),
                    None => (&mut self.outermost, document.roots()),
                };
                let (nth, index) = siblings.place(node, all);
                name.push_step(nth, index, &mut self.path);
            }
        }
        self.stepped = self.open.len();
    }

    fn close(&mut self) {
        if let Some(level) = self.open.pop()
            && self.stepped > self.open.len()
        {
            self.stepped = self.open.len();
            self.path.truncate(level.start);
        }
    }
}

#[cfg(feature = "alloc")]
impl<'d> Siblings<'d> {
    /// Which unit of its name one is, from 1, and its index among all. A later one is asked for each time.
    fn place(&mut self, node: Node<'d>, all: Children<'d>) -> (usize, usize) {
        match self {
            Siblings::New => {
                *self = Siblings::Known;
                let (mut nth, mut index) = (1, 0);
                for other in all.take_while(|other| other.index() != node.index()) {
                    nth += usize::from(other.name() == node.name());
                    index += 1;
                }
                (nth, index)
            }
            Siblings::Known => {
                let counted = Counted { rest: all, index: 0, names: alloc::collections::BTreeMap::new() };
                *self = Siblings::Counted(alloc::boxed::Box::new(counted));
                self.place(node, Children::none(node.document()))
            }
            Siblings::Counted(counted) => {
                for other in counted.rest.by_ref() {
                    counted.index += 1;
                    let nth = counted.names.entry(other.name().bytes().collect()).or_default();
                    *nth += 1;
                    if other.index() == node.index() {
                        return (*nth, counted.index - 1);
                    }
                }
                (1, counted.index)
            }
        }
    }
}

/// The units that the first step of a path chooses from.
pub(crate) fn outermost<'d>(document: &'d Document<'d>) -> Children<'d> {
    match document.root() {
        Some(root) if root.name().is_none() => root.children(),
        _ => document.roots(),
    }
}

/// The units that a step into a unit chooses from: the attributes, or the content without them.
pub(crate) fn inside<'d>(node: Node<'d>, attributes: bool) -> Children<'d> {
    let mut content = node.children();
    if node.document().types().vocabulary() == Vocabulary::Xml && node.kind() == b'<' {
        let list = content.clone().next().filter(|first| first.kind() == b'=');
        if attributes {
            return list.map_or(Children::none(node.document()), |list| list.children());
        }
        if list.is_some() {
            content.next();
        }
    }
    content
}

enum Step<'p> {
    Named { name: &'p str, nth: usize, index: Option<usize> },
    Any { nth: usize },
    Attribute(&'p str),
    Text { nth: usize },
}

impl<'p> Step<'p> {
    fn parse(text: &'p str, xml: bool) -> Step<'p> {
        let (name, nth) = match text.strip_suffix(']').and_then(|t| t.rsplit_once('[')) {
            Some((name, k)) => match k.parse::<usize>() {
                Ok(k) if k > 0 => (name, k),
                _ => (text, 1),
            },
            None => (text, 1),
        };
        match name {
            "*" => Step::Any { nth },
            "text()" if xml => Step::Text { nth },
            _ => match name.strip_prefix('@') {
                Some(attribute) if xml => Step::Attribute(attribute),
                _ => Step::Named { name, nth, index: if nth == 1 { index(text) } else { None } },
            },
        }
    }

    fn find<'d>(&self, xml: bool, mut among: Children<'d>) -> Option<Node<'d>> {
        match *self {
            Step::Named { name, nth, index } => {
                let by_name = among.clone().filter(|node| matches(node.name(), name)).nth(nth - 1);
                by_name.or_else(|| among.nth(index?))
            }
            Step::Any { nth } => {
                among.filter(|node| if xml { node.kind() == b'<' } else { !node.name().is_none() }).nth(nth - 1)
            }
            Step::Attribute(name) => among.find(|node| matches(node.name(), name)),
            Step::Text { nth } => among.filter(|node| matches!(node.kind(), b'[' | b']')).nth(nth - 1),
        }
    }
}

/// Whether a name is what a step says, the escapes of RFC 6901 undone.
fn matches(name: Name<'_>, step: &str) -> bool {
    if name.is_none() {
        return false;
    }
    let mut rest = step.bytes();
    let unescaped = core::iter::from_fn(|| match rest.next()? {
        b'~' => match rest.clone().next() {
            Some(b'1') => rest.next().map(|_| b'/'),
            Some(b'0') => rest.next().map(|_| b'~'),
            _ => Some(b'~'),
        },
        c => Some(c),
    });
    name.bytes().eq(unescaped)
}

#[cfg(feature = "alloc")]
impl Name<'_> {
    /// Appends the step of a path to a unit of this name: the `nth` of the name, from 1, or, where
    /// there is no name, the unit of an index, from 0.
    pub fn push_step(self, nth: usize, index: usize, path: &mut alloc::string::String) {
        use core::fmt::Write;
        path.push('/');
        if self.is_none() {
            let _ = write!(path, "{index}");
            return;
        }
        for c in self.to_text().chars() {
            match c {
                '/' => path.push_str("~1"),
                '~' => path.push_str("~0"),
                c if c.is_control() => path.extend(c.escape_default()),
                c => path.push(c),
            }
        }
        if nth > 1 {
            let _ = write!(path, "[{nth}]");
        }
    }
}

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
        let xml = self.types().vocabulary() == Vocabulary::Xml;
        let mut path = String::new();
        let mut levels = alloc::vec![Level::default()];
        for step in self.walk() {
            let (crate::Step::Open(node) | crate::Step::Primitive(node)) = step else {
                path.truncate(levels.pop().map_or(0, |level| level.start));
                continue;
            };
            let (start, is_outermost) = (path.len(), levels.len() == 1);
            if let Some(level) = levels.last_mut() {
                level.push_step(&node, xml, is_outermost, &mut path);
            }
            for at in wanted.remove(&node.index()).unwrap_or_default() {
                if let Some(of_node) = paths.get_mut(at) {
                    of_node.clone_from(&path);
                }
            }
            if wanted.is_empty() {
                break;
            }
            match step {
                crate::Step::Open(_) => {
                    let is_list = xml && node.kind() == b'=' && !is_outermost;
                    levels.push(Level { start, is_element: xml && node.kind() == b'<', is_list, ..Level::default() });
                }
                _ => path.truncate(start),
            }
        }
        paths
    }
}

/// The units met so far inside one unit.
#[cfg(feature = "alloc")]
#[derive(Default)]
struct Level {
    /// Length of the path before the step to the unit.
    start: usize,
    is_element: bool,
    /// Whether they are attributes.
    is_list: bool,
    /// How many there were, without an attribute list at their head, and how many of each name.
    count: usize,
    has_list: bool,
    names: alloc::collections::BTreeMap<alloc::vec::Vec<u8>, usize>,
}

#[cfg(feature = "alloc")]
impl Level {
    /// Appends the step to the next unit.
    fn push_step(&mut self, node: &Node<'_>, xml: bool, is_outermost: bool, path: &mut alloc::string::String) {
        let name = node.name();
        if self.is_list {
            let step = path.len();
            name.push_step(1, 0, path);
            path.insert(step + 1, '@');
            return;
        }
        let is_list = xml && node.kind() == b'=';
        if self.is_element && is_list && self.count == 0 && !self.has_list {
            self.has_list = true;
            return;
        }
        let nth = self.names.entry(name.bytes().collect()).or_default();
        *nth += 1;
        self.count += 1;
        if !(is_outermost && name.is_none() || is_list) {
            name.push_step(*nth, self.count - 1, path);
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

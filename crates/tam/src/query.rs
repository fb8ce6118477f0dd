//! Units by a query: several steps at once, and conditions.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::str::FromStr;

use crate::json::Value;
use crate::path::{inside, outermost, unescape_step};
use crate::{Children, Document, Error, ErrorKind, Node, Step as Walked, Vocabulary, Words, index};

/// A query of a document: what a path of [`Document::get`] finds, and all of it.
///
/// A query is a sequence of steps, each after `/`, or after `//` for any depth. A step is
/// * `name`, `*` for any, `*:name` for a name with any prefix or none, `'a name'` in quotes for one with other characters,
///   such as `(` and `|`, which mean something else in XPath;
/// * a number: the child of that name or, failing one, the child of that index, from 0;
/// * in XML, `@name`, `@*`, and `text()`, and `{uri}name`, `{uri}*`, `@{uri}name` for names in a namespace, whatever their prefix.
///
/// Conditions follow in brackets, with or without spaces around names, signs and values: `[2]` is the second of those with
/// the same parent, `[@id]` and `[price]` those that have one, `[@id='x']`, `[price>10]`, `[text()='x']`, `[.=4]` those whose
/// value is so, by `=`, `!=`, `<`, `<=`, `>` and `>=`. A condition may look further down: `[price/@currency='EUR']`. It is true
/// if one of the units found so makes it true. A value in quotes is compared as text and only by `=` and `!=`, and so are
/// `true`, `false` and `null`; any other is a number, and integers are compared exactly. The value of an element is the text
/// directly in it.
///
/// ```
/// # use lengthwise_tam::{Builder, Limits, Query, Table, TypeSet};
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// # let mut table = Table::new();
/// # let mut build = Builder::new(b"", TypeSet::VALUE, Limits::default(), &mut table);
/// # build.open(b'{', b"")?;
/// # build.open(b'[', b"users")?;
/// # for (name, age) in [("Ada", "36"), ("Bob", "7")] {
/// #     build.open(b'{', b"")?;
/// #     build.primitive(b'\'', b"name", name.as_bytes())?;
/// #     build.primitive(b'#', b"age", age.as_bytes())?;
/// #     build.close()?;
/// # }
/// # build.close()?;
/// # build.close()?;
/// # build.finish()?;
/// # let document = table.document(b"", TypeSet::VALUE);
/// // {"users": [{"name": "Ada", "age": 36}, {"name": "Bob", "age": 7}]}
/// let adults: Query = "//*[age>=18]/name".parse()?;
/// let names: Vec<_> = adults.select(&document).iter().map(|name| name.value()).collect();
/// assert_eq!(names, [b"Ada"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    steps: Vec<Step>,
    /// The namespaces that the names in it are in.
    namespaces: Vec<String>,
}

#[derive(Clone, Debug)]
struct Step {
    /// Whether it is taken from every unit below, at any depth.
    is_deep: bool,
    test: Test,
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug)]
enum Test {
    Child(Named),
    Attribute(Named),
    Text,
}

/// What a name must be.
#[derive(Clone, Debug)]
enum Named {
    Any,
    As(String),
    /// A name after a prefix, or without one.
    Local(String),
    /// In a namespace, of those that the query names; the local part, or any.
    In(usize, Option<String>),
}

#[derive(Clone, Debug)]
enum Condition {
    /// The place among the units of one parent, from 1.
    Nth(usize),
    Has(Operand),
    IsText {
        of: Operand,
        text: String,
        is_equal: bool,
    },
    IsNumber {
        of: Operand,
        relation: Relation,
        number: Comparable,
    },
}

/// The steps that lead from a unit to what a condition is about; none, if it is about the unit.
#[derive(Clone, Debug)]
struct Operand(Vec<Test>);

#[derive(Clone, Copy, Debug)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Relation {
    /// Their texts, the longer ones first.
    const ALL: [(&'static str, Relation); 6] = [
        ("!=", Relation::NotEqual),
        ("<=", Relation::AtMost),
        (">=", Relation::AtLeast),
        ("=", Relation::Equal),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ];

    /// Whether it holds of two numbers in this order; what is not a number has none.
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Relation::Equal => order.is_some_and(Ordering::is_eq),
            Relation::NotEqual => order.is_none_or(Ordering::is_ne),
            Relation::Less => order.is_some_and(Ordering::is_lt),
            Relation::AtMost => order.is_some_and(Ordering::is_le),
            Relation::Greater => order.is_some_and(Ordering::is_gt),
            Relation::AtLeast => order.is_some_and(Ordering::is_ge),
        }
    }
}

/// A number to compare with. Integers are compared exactly, others as doubles.
#[derive(Clone, Copy, Debug)]
struct Comparable {
    double: f64,
    integer: Option<i128>,
}

impl Comparable {
    fn of(text: &str) -> Option<Comparable> {
        Some(Comparable { double: text.parse().ok()?, integer: text.parse().ok() })
    }

    fn order(self, other: Comparable) -> Option<Ordering> {
        match (self.integer, other.integer) {
            (Some(one), Some(other)) => Some(one.cmp(&other)),
            _ => self.double.partial_cmp(&other.double),
        }
    }
}

/// The most steps, and the most conditions of a step with the steps in them: each may look at every unit.
const MOST: usize = 64;

impl FromStr for Query {
    type Err = Error;

    /// # Errors
    /// If it is not a query: the offset in it, and what is expected there.
    fn from_str(text: &str) -> Result<Query, Error> {
        let mut parser = Parser { text, at: 0, in_condition: false, namespaces: Vec::new() };
        let mut steps = Vec::new();
        if !text.starts_with('/') {
            steps.push(parser.step(false)?);
        }
        while parser.at < text.len() {
            parser.expect("/")?;
            let is_deep = parser.take("/");
            steps.push(parser.step(is_deep)?);
            if steps.len() > MOST {
                return Err(parser.error("at most 64 steps"));
            }
        }
        Ok(Query { steps, namespaces: parser.namespaces })
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// Whether spaces may follow a name.
    in_condition: bool,
    namespaces: Vec<String>,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn take(&mut self, token: &str) -> bool {
        let is_there = self.rest().starts_with(token);
        self.at += if is_there { token.len() } else { 0 };
        is_there
    }

    fn spaces(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| *byte == b' ').count();
    }

    fn expect(&mut self, token: &'static str) -> Result<(), Error> {
        if self.take(token) { Ok(()) } else { Err(self.error(token)) }
    }

    #[cold]
    fn error(&self, expected: &'static str) -> Error {
        let found = self.rest().chars().next().map_or(Words::End, |c| alloc::format!("'{c}'").into());
        Error::new(ErrorKind::Syntax, "query", self.at as u64, found, expected)
    }

    fn step(&mut self, is_deep: bool) -> Result<Step, Error> {
        let test = self.test()?;
        let (mut conditions, mut left) = (Vec::new(), MOST);
        while self.take("[") {
            self.in_condition = true;
            self.spaces();
            conditions.push(self.condition(&mut left)?);
            self.spaces();
            self.expect("]")?;
            self.in_condition = false;
        }
        Ok(Step { is_deep, test, conditions })
    }

    fn test(&mut self) -> Result<Test, Error> {
        if self.take("@") {
            return self.named().map(Test::Attribute);
        }
        if self.take("text()") {
            return Ok(Test::Text);
        }
        self.named().map(Test::Child)
    }

    fn named(&mut self) -> Result<Named, Error> {
        if self.take("*:") {
            return self.name().map(Named::Local);
        }
        if self.take("*") {
            return Ok(Named::Any);
        }
        if !self.take("{") {
            return self.name().map(Named::As);
        }
        let (uri, _) = self.rest().split_once('}').ok_or_else(|| self.error("a namespace and }"))?;
        self.at += uri.len() + 1;
        let known = self.namespaces.iter().position(|known| known == uri);
        let namespace = known.unwrap_or(self.namespaces.len());
        if known.is_none() {
            self.namespaces.push(uri.into());
        }
        let local = if self.take("*") { None } else { Some(self.name()?) };
        Ok(Named::In(namespace, local))
    }

    /// A name, in quotes or not, with the escapes of RFC 6901.
    fn name(&mut self) -> Result<String, Error> {
        if let Some(quoted) = self.quoted()? {
            return Ok(quoted.into());
        }
        let rest = self.rest();
        let len = rest.find(['/', '[', ']', '=', '!', '<', '>', '\'', '"']).unwrap_or(rest.len());
        let (name, _) = rest.split_at(len);
        let name = if self.in_condition { name.trim_end_matches(' ') } else { name };
        // What XPath has besides is not taken for a name.
        let other = name.find(['(', ')', '|']).or_else(|| name.find("::"));
        if let Some(other) = other.or_else(|| matches!(name, "" | "." | "..").then_some(0)) {
            self.at += other;
            return Err(self.error("a name, *, @name or text(); other names in quotes"));
        }
        self.at += name.len();
        Ok(unescape_step(name))
    }

    fn quoted(&mut self) -> Result<Option<&'t str>, Error> {
        let Some(quote) = ["'", "\""].into_iter().find(|quote| self.take(quote)) else { return Ok(None) };
        let Some((text, _)) = self.rest().split_once(quote) else {
            self.at = self.text.len();
            return Err(self.error("a closing quote"));
        };
        self.at += text.len() + 1;
        Ok(Some(text))
    }

    /// Counts one more condition, or step in one.
    fn count(&self, left: &mut usize) -> Result<(), Error> {
        *left = left.checked_sub(1).ok_or_else(|| self.error("at most 64 conditions and steps in them"))?;
        Ok(())
    }

    /// A condition; `left` is how many more of them, and steps in them, a step may have.
    fn condition(&mut self, left: &mut usize) -> Result<Condition, Error> {
        self.count(left)?;
        let rest = self.rest();
        if let Some((number, _)) = rest.split_once(']')
            && let Ok(nth) = number.trim_end_matches(' ').parse()
        {
            if nth == 0 {
                return Err(self.error("a place from 1 on, or a name in quotes"));
            }
            self.at += number.len();
            return Ok(Condition::Nth(nth));
        }
        let mut steps = Vec::new();
        if !self.take(".") {
            steps.push(self.test()?);
        }
        while self.take("/") {
            self.count(left)?;
            steps.push(self.test()?);
        }
        let of = Operand(steps);
        self.spaces();
        let Some((_, relation)) = Relation::ALL.into_iter().find(|(text, _)| self.take(text)) else {
            return Ok(Condition::Has(of));
        };
        self.spaces();
        let is_end = |rest: &str| rest.trim_start_matches(' ').starts_with(']');
        let is_word = |word: &&str| self.rest().strip_prefix(*word).is_some_and(is_end);
        let word = ["true", "false", "null"].into_iter().find(is_word);
        self.at += word.map_or(0, str::len);
        if let Some(text) = word.map_or_else(|| self.quoted(), |word| Ok(Some(word)))? {
            let is_equal = match relation {
                Relation::Equal => true,
                Relation::NotEqual => false,
                _ => return Err(self.error("a number to compare with, or = or !=")),
            };
            return Ok(Condition::IsText { of, text: text.into(), is_equal });
        }
        let (number, _) = self.rest().split_once(']').ok_or_else(|| self.error("a number or a text in quotes"))?;
        let value = Comparable::of(number.trim()).ok_or_else(|| self.error("a number or a text in quotes"))?;
        self.at += number.len();
        Ok(Condition::IsNumber { of, relation, number: value })
    }
}

impl Query {
    /// Whether it has nothing but what a path of [`Document::get`] has as well: such a path leads to the first that the query
    /// finds, or further, as a name in it is also taken by its letters.
    #[must_use]
    pub fn is_path(&self) -> bool {
        self.steps.iter().all(|step| {
            let is_nth = matches!(step.conditions[..], [] | [Condition::Nth(_)]);
            let is_one = match &step.test {
                Test::Child(Named::As(_)) | Test::Text => true,
                Test::Attribute(Named::As(_)) => step.conditions.is_empty(),
                Test::Child(Named::Any) => !step.conditions.is_empty(),
                _ => false,
            };
            !step.is_deep && is_nth && is_one
        })
    }

    /// The units that it finds, each once, in the order of the document. The work is in proportion to the units of the
    /// document, and to the steps of the query and of its conditions.
    #[must_use]
    pub fn select<'d>(&self, document: &'d Document<'d>) -> Vec<Node<'d>> {
        // The outermost units are in none.
        let mut found = vec![None];
        // Whether what is found may be in units that are in each other, so that their content is not in order.
        let mut is_nested = false;
        let mut ranks = Vec::new();
        let names = Namespaces::of(document, &self.namespaces);
        for (at, step) in self.steps.iter().enumerate() {
            if at == 0
                && let Some(elements) = step.elements(document, &names)
            {
                (found, is_nested) = (elements, true);
                continue;
            }
            if step.is_deep {
                found = below(document, &found);
                is_nested = true;
            }
            let mut next = Vec::new();
            for parent in found {
                let mut those = step.test.among(document, parent, &names);
                step.conditions.iter().for_each(|condition| condition.keep(&mut those, &names));
                next.extend(those);
            }
            if is_nested {
                if ranks.is_empty() {
                    ranks = ranks_of(document);
                }
                next.sort_unstable_by_key(|node| ranks.get(node.index()).copied());
            }
            found = next.into_iter().map(Some).collect();
        }
        found.into_iter().flatten().collect()
    }
}

impl Step {
    /// What `//name` finds in a document of XML, in one walk; `None` for other steps.
    fn elements<'d>(&self, document: &'d Document<'d>, names: &Namespaces) -> Option<Vec<Option<Node<'d>>>> {
        let Test::Child(name) = &self.test else { return None };
        let is_index = matches!(name, Named::As(step) if index(step).is_some());
        let has_places = self.conditions.iter().any(|condition| matches!(condition, Condition::Nth(_)));
        // In an element without a name a path begins at its content.
        let is_outermost = document.root().is_none_or(|root| !root.name().is_none() || root.kind() == b'=');
        if !self.is_deep || !is_xml(document) || is_index || has_places || !is_outermost || document.roots().len() > 1 {
            return None;
        }
        let elements = document.walk().filter_map(|walked| match walked {
            Walked::Open(node) | Walked::Primitive(node) => Some(node),
            Walked::Close(_) => None,
        });
        let mut found: Vec<_> = elements.filter(|node| node.kind() == b'<' && name.is_of(node, names)).collect();
        // Without places they are true of a unit whatever its neighbours are.
        self.conditions.iter().for_each(|condition| condition.keep(&mut found, names));
        Some(found.into_iter().map(Some).collect())
    }
}

/// The place of each unit in the order of the document.
fn ranks_of(document: &Document<'_>) -> Vec<u32> {
    let mut ranks = vec![0; document.units()];
    let mut rank = 0;
    for walked in document.walk() {
        let (Walked::Open(node) | Walked::Primitive(node)) = walked else { continue };
        if let Some(place) = ranks.get_mut(node.index()) {
            *place = rank;
            rank += 1;
        }
    }
    ranks
}

/// Some units and all below them that have children, each once.
fn below<'d>(document: &'d Document<'d>, from: &[Option<Node<'d>>]) -> Vec<Option<Node<'d>>> {
    let mut is_seen = vec![false; document.units()];
    let (mut all, mut open) = (Vec::new(), Vec::new());
    for node in from {
        open.push(*node);
        while let Some(node) = open.pop() {
            if let Some(node) = node
                && (!node.is_structured()
                    || is_seen.get_mut(node.index()).is_none_or(|seen| core::mem::replace(seen, true)))
            {
                continue;
            }
            all.push(node);
            open.extend(content(document, node).map(Some));
        }
    }
    all
}

/// The content of a unit; of none, the outermost units.
fn content<'d>(document: &'d Document<'d>, parent: Option<Node<'d>>) -> Children<'d> {
    parent.map_or_else(|| outermost(document), |parent| inside(parent, false))
}

#[inline]
fn named(node: &Node<'_>, name: &str) -> bool {
    // Most have another length, which is quicker to see.
    let row = node.row();
    (row.has_extended_name() || row.name_len() as usize == name.len()) && !node.name().is_none() && node.name() == *name
}

fn is_xml(document: &Document<'_>) -> bool {
    document.types().vocabulary() == Vocabulary::Xml
}

/// Which names of a document are in the namespaces of a query (Namespaces in XML 1.0, section 6).
struct Namespaces {
    /// For each unit one more than the index of its namespace among those of the query; 0 for none of them.
    of_units: Vec<usize>,
}

impl Namespaces {
    fn of(document: &Document<'_>, asked: &[String]) -> Namespaces {
        if asked.is_empty() || !is_xml(document) {
            return Namespaces { of_units: Vec::new() };
        }
        let number = |uri: &[u8]| asked.iter().position(|asked| asked.as_bytes() == uri).map_or(0, |at| at + 1);
        let mut of_units = vec![0; document.units()];
        // What each prefix has been bound to, the innermost last, and which prefixes each open unit binds.
        let mut bound: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        bound.insert(b"xml".to_vec(), vec![number(b"http://www.w3.org/XML/1998/namespace")]);
        let no_namespace = number(b"");
        let mut open: Vec<Vec<Vec<u8>>> = Vec::new();
        for walked in document.walk() {
            let node = match walked {
                Walked::Open(node) => node,
                Walked::Primitive(node) if node.kind() == b'<' => node,
                Walked::Primitive(_) => continue,
                Walked::Close(_) => {
                    for prefix in open.pop().unwrap_or_default() {
                        bound.get_mut(&prefix).and_then(Vec::pop);
                    }
                    continue;
                }
            };
            let mut binds = Vec::new();
            if node.kind() == b'<' {
                for attribute in inside(node, true) {
                    let name: Vec<u8> = attribute.name().bytes().collect();
                    let prefix = match name.strip_prefix(b"xmlns") {
                        Some([]) => Vec::new(),
                        Some([b':', prefix @ ..]) => prefix.to_vec(),
                        _ => continue,
                    };
                    bound.entry(prefix.clone()).or_default().push(number(attribute.value()));
                    binds.push(prefix);
                }
                let of_prefix = |name: &[u8], default: Option<usize>| {
                    let prefix = name.iter().position(|c| *c == b':').map(|colon| &name[..colon]);
                    if prefix.is_none() && default.is_some() {
                        return default.unwrap_or(0);
                    }
                    let bound = bound.get(prefix.unwrap_or_default()).and_then(|bound| bound.last());
                    bound.copied().unwrap_or(if prefix.is_none() { no_namespace } else { 0 })
                };
                let mut set = |node: Node<'_>, default| {
                    let name: Vec<u8> = node.name().bytes().collect();
                    if let Some(known) = of_units.get_mut(node.index()) {
                        *known = of_prefix(&name, default);
                    }
                };
                set(node, None);
                // An attribute without a prefix is in no namespace, a declaration in one of its own.
                let is_declaration = |attribute: &Node<'_>| named(attribute, "xmlns");
                inside(node, true).filter(|one| !is_declaration(one)).for_each(|one| set(one, Some(no_namespace)));
            }
            if matches!(walked, Walked::Open(_)) {
                open.push(binds);
            }
        }
        Namespaces { of_units }
    }

    fn has(&self, node: &Node<'_>, namespace: usize) -> bool {
        self.of_units.get(node.index()).is_some_and(|known| *known == namespace + 1)
    }
}

impl Named {
    #[inline]
    fn is_of(&self, node: &Node<'_>, names: &Namespaces) -> bool {
        let is_local = |local: &str| {
            let name = node.name().to_text();
            let last = name.rsplit_once(':').map_or(&*name, |(_, last)| last);
            !node.name().is_none() && last == local
        };
        match self {
            Named::Any => true,
            Named::As(name) => named(node, name),
            Named::Local(local) => is_local(local),
            Named::In(namespace, local) => {
                names.has(node, *namespace) && local.as_ref().is_none_or(|local| is_local(local))
            }
        }
    }
}

impl Test {
    /// The units inside another that it is true of.
    fn among<'d>(&self, document: &'d Document<'d>, parent: Option<Node<'d>>, names: &Namespaces) -> Vec<Node<'d>> {
        let (is_xml, mut units) = (is_xml(document), content(document, parent));
        match self {
            Test::Attribute(name) => {
                let element = parent.filter(|parent| is_xml && parent.kind() == b'<');
                let attributes = element.into_iter().flat_map(|element| inside(element, true));
                attributes.filter(|node| name.is_of(node, names)).collect()
            }
            Test::Child(name) => {
                let is_found = |node: &Node<'_>| (!is_xml || node.kind() == b'<') && name.is_of(node, names);
                let found: Vec<_> = units.clone().filter(is_found).collect();
                match name {
                    Named::As(step) if found.is_empty() => match index(step) {
                        Some(at) => units.nth(at).into_iter().collect(),
                        None => found,
                    },
                    _ => found,
                }
            }
            Test::Text => units.filter(|node| is_xml && matches!(node.kind(), b'[' | b']')).collect(),
        }
    }
}

impl Condition {
    /// Keeps those units of one parent that it is true of.
    fn keep(&self, those: &mut Vec<Node<'_>>, names: &Namespaces) {
        match self {
            Condition::Nth(nth) => {
                let one = those.get(nth - 1).copied();
                those.clear();
                those.extend(one);
            }
            Condition::Has(of) => those.retain(|node| !of.values(*node, names).is_empty()),
            Condition::IsText { of, text, is_equal } => those.retain(|node| {
                let values = of.values(*node, names);
                values.iter().any(|value| value_of(*value).is_some_and(|value| (value == *text) == *is_equal))
            }),
            Condition::IsNumber { of, relation, number } => those.retain(|node| {
                let is_so = |value: Cow<'_, str>| {
                    Comparable::of(value.trim()).is_some_and(|value| relation.holds(value.order(*number)))
                };
                of.values(*node, names).iter().any(|value| value_of(*value).is_some_and(is_so))
            }),
        }
    }
}

impl Operand {
    fn values<'d>(&self, node: Node<'d>, names: &Namespaces) -> Vec<Node<'d>> {
        let step = |node: Node<'d>, test: &Test| test.among(node.document(), Some(node), names);
        let Some((first, further)) = self.0.split_first() else { return vec![node] };
        let all = |found: Vec<Node<'d>>, test| found.into_iter().flat_map(|node| step(node, test)).collect();
        further.iter().fold(step(node, first), all)
    }
}

/// The value of a unit as text: of an element, the text directly in it. `None` for other units that hold units.
fn value_of(node: Node<'_>) -> Option<Cow<'_, str>> {
    if is_xml(node.document()) && node.kind() == b'<' {
        let texts = inside(node, false).filter(|child| matches!(child.kind(), b'[' | b']'));
        return Some(texts.filter_map(|child| child.text().ok()).collect());
    }
    match Value::new(node) {
        Value::String(text) => Some(text.to_cow()),
        Value::Number(number) => Some(number.as_str().into()),
        Value::Bool(value) => Some(if value { "true" } else { "false" }.into()),
        Value::Null => Some("null".into()),
        _ if node.is_structured() => None,
        _ => node.text().ok().map(Cow::Borrowed),
    }
}

//! Units by a query: several steps at once, and conditions.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::str::FromStr;

use crate::json::Value;
use crate::path::{inside, outermost};
use crate::{Children, Document, Error, ErrorKind, Node, Step as Walked, Vocabulary, Words, index};

/// A query of a document: what a path of [`Document::get`] finds, and all of it.
///
/// A query is a sequence of steps, each after `/`, or after `//` for any depth. A step is
/// * `name`, `*` for any, `*:name` for a name with any prefix or none, `'a name'` in quotes for one with other characters;
/// * a number: the child of that name or, failing one, the child of that index, from 0;
/// * in XML, `@name`, `@*`, and `text()`.
///
/// Conditions follow in brackets: `[2]` is the second of those with the same parent, `[@id]` and `[price]` those that have
/// one, `[@id='x']`, `[price>10]`, `[text()='x']`, `[.=4]` those whose value is so, by `=`, `!=`, `<`, `<=`, `>` and `>=`. A
/// value in quotes is compared as text and only by `=` and `!=`, any other as a number. The value of an element is the
/// text directly in it.
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
    Named(String),
    /// A name after a prefix, or without one.
    Local(String),
    Any,
    /// An attribute of a name, or any.
    Attribute(Option<String>),
    Text,
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
        number: f64,
    },
}

#[derive(Clone, Debug)]
enum Operand {
    Itself,
    /// A step to a child or an attribute.
    Child(Test),
}

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

    fn holds(self, one: f64, other: f64) -> bool {
        match self {
            Relation::Equal => one == other,
            Relation::NotEqual => one != other,
            Relation::Less => one < other,
            Relation::AtMost => one <= other,
            Relation::Greater => one > other,
            Relation::AtLeast => one >= other,
        }
    }
}

/// The most steps, and the most conditions of a step: each may look at every unit.
const MOST: usize = 64;

impl FromStr for Query {
    type Err = Error;

    /// # Errors
    /// If it is not a query: the offset in it, and what is expected there.
    fn from_str(text: &str) -> Result<Query, Error> {
        let mut parser = Parser { text, at: 0 };
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
        Ok(Query { steps })
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
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
        let mut conditions = Vec::new();
        while self.take("[") {
            conditions.push(self.condition()?);
            self.expect("]")?;
            if conditions.len() > MOST {
                return Err(self.error("at most 64 conditions"));
            }
        }
        Ok(Step { is_deep, test, conditions })
    }

    fn test(&mut self) -> Result<Test, Error> {
        if self.take("@") {
            return Ok(Test::Attribute(if self.take("*") { None } else { Some(self.name()?) }));
        }
        if self.take("text()") {
            return Ok(Test::Text);
        }
        if self.take("*:") {
            return self.name().map(Test::Local);
        }
        if self.take("*") {
            return Ok(Test::Any);
        }
        self.name().map(Test::Named)
    }

    /// A name, in quotes or not, with the escapes of RFC 6901.
    fn name(&mut self) -> Result<String, Error> {
        if let Some(quoted) = self.quoted()? {
            return Ok(quoted.into());
        }
        let rest = self.rest();
        let len = rest.find(['/', '[', ']', '=', '!', '<', '>', '\'', '"']).unwrap_or(rest.len());
        let (name, _) = rest.split_at(len);
        if name.is_empty() {
            return Err(self.error("a name, *, @name or text()"));
        }
        self.at += len;
        Ok(name.replace("~1", "/").replace("~0", "~"))
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

    fn condition(&mut self) -> Result<Condition, Error> {
        let rest = self.rest();
        if let Some((number, _)) = rest.split_once(']')
            && let Ok(nth @ 1..) = number.parse()
        {
            self.at += number.len();
            return Ok(Condition::Nth(nth));
        }
        let of = if self.take(".") { Operand::Itself } else { Operand::Child(self.test()?) };
        let Some((_, relation)) = Relation::ALL.into_iter().find(|(text, _)| self.take(text)) else {
            return Ok(Condition::Has(of));
        };
        if let Some(text) = self.quoted()? {
            let is_equal = match relation {
                Relation::Equal => true,
                Relation::NotEqual => false,
                _ => return Err(self.error("a number to compare with, or = or !=")),
            };
            return Ok(Condition::IsText { of, text: text.into(), is_equal });
        }
        let (number, _) = self.rest().split_once(']').ok_or_else(|| self.error("a number or a text in quotes"))?;
        let value = number.trim().parse().map_err(|_| self.error("a number or a text in quotes"))?;
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
                Test::Named(_) | Test::Text => true,
                Test::Attribute(name) => name.is_some() && step.conditions.is_empty(),
                Test::Any => !step.conditions.is_empty(),
                Test::Local(_) => false,
            };
            !step.is_deep && is_nth && is_one
        })
    }

    /// The units that it finds, each once, in the order of the document. The work is in proportion to the units of the
    /// document and the steps and conditions of the query.
    #[must_use]
    pub fn select<'d>(&self, document: &'d Document<'d>) -> Vec<Node<'d>> {
        // The outermost units are in none.
        let mut found = vec![None];
        let mut ranks = Vec::new();
        for step in &self.steps {
            if step.is_deep {
                found = below(document, &found);
            }
            let mut next = Vec::new();
            for parent in found {
                let mut those = step.test.among(document, parent);
                step.conditions.iter().for_each(|condition| condition.keep(&mut those));
                next.extend(those);
            }
            if step.is_deep || !ranks.is_empty() {
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

fn named(node: &Node<'_>, name: &str) -> bool {
    !node.name().is_none() && node.name().bytes().eq(name.bytes())
}

fn is_xml(document: &Document<'_>) -> bool {
    document.types().vocabulary() == Vocabulary::Xml
}

impl Test {
    /// The units inside another that it is true of.
    fn among<'d>(&self, document: &'d Document<'d>, parent: Option<Node<'d>>) -> Vec<Node<'d>> {
        let (is_xml, mut units) = (is_xml(document), content(document, parent));
        if let Test::Attribute(name) = self {
            let element = parent.filter(|parent| is_xml && parent.kind() == b'<');
            let attributes = element.into_iter().flat_map(|element| inside(element, true));
            return attributes.filter(|node| name.as_ref().is_none_or(|name| named(node, name))).collect();
        }
        let is_element = |node: &Node<'_>| !is_xml || node.kind() == b'<';
        match self {
            Test::Named(name) => {
                let found: Vec<_> = units.clone().filter(|node| is_element(node) && named(node, name)).collect();
                match index(name).filter(|_| found.is_empty()) {
                    Some(at) => units.nth(at).into_iter().collect(),
                    None => found,
                }
            }
            Test::Local(local) => {
                let is_local = |node: &Node<'_>| {
                    let name = node.name().to_text();
                    let last = name.rsplit_once(':').map_or(&*name, |(_, last)| last);
                    !node.name().is_none() && last == local
                };
                units.filter(|node| is_element(node) && is_local(node)).collect()
            }
            Test::Any => units.filter(is_element).collect(),
            Test::Attribute(_) => Vec::new(),
            Test::Text => units.filter(|node| is_xml && matches!(node.kind(), b'[' | b']')).collect(),
        }
    }
}

impl Condition {
    /// Keeps those units of one parent that it is true of.
    fn keep(&self, those: &mut Vec<Node<'_>>) {
        match self {
            Condition::Nth(nth) => {
                let one = those.get(nth - 1).copied();
                those.clear();
                those.extend(one);
            }
            Condition::Has(of) => those.retain(|node| !of.values(*node).is_empty()),
            Condition::IsText { of, text, is_equal } => those.retain(|node| {
                let values = of.values(*node);
                values.iter().any(|value| value_of(*value).is_some_and(|value| (value == *text) == *is_equal))
            }),
            Condition::IsNumber { of, relation, number } => those.retain(|node| {
                let is_so =
                    |value: Cow<'_, str>| value.trim().parse().is_ok_and(|value| relation.holds(value, *number));
                of.values(*node).iter().any(|value| value_of(*value).is_some_and(is_so))
            }),
        }
    }
}

impl Operand {
    fn values<'d>(&self, node: Node<'d>) -> Vec<Node<'d>> {
        match self {
            Operand::Itself => vec![node],
            Operand::Child(test) => test.among(node.document(), Some(node)),
        }
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
        _ if node.is_structured() => None,
        _ => node.text().ok().map(Cow::Borrowed),
    }
}

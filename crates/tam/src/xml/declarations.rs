//! The namespace declarations around units.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::Element;
use crate::{Builder, Document, Error, Limits, Node, Step, Table, Walk};

/// Finds the namespace declarations around units of a document, which units do not know. It walks the document once, if
/// the units come in document order.
///
/// ```
/// # use lengthwise_tam::xml::{self, Declarations};
/// # use lengthwise_tam::{Builder, Limits, Table, TypeSet};
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// # let mut table = Table::new();
/// # let mut order = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
/// # order.open(b'<', b"o:order")?;
/// # order.open(b'=', b"")?;
/// # order.primitive(b'[', b"xmlns:o", b"urn:orders")?;
/// # order.close()?;
/// # order.open(b'<', b"o:line")?;
/// # order.close()?;
/// # order.close()?;
/// # order.finish()?;
/// // <o:order xmlns:o="urn:orders"><o:line/></o:order>
/// let document = table.document(b"", TypeSet::XML);
/// let line = xml::root(&document).unwrap().element("o:line").unwrap();
/// let mut around = Declarations::of(&document);
/// let mut table = Table::new();
/// xml::copy_alone(line, around.around(line.node()), &mut table)?;
/// // <o:line xmlns:o="urn:orders"/>
/// let part = table.document(b"", TypeSet::XML);
/// assert_eq!(xml::root(&part).unwrap().attribute("xmlns:o"), Some("urn:orders"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Declarations<'d> {
    document: &'d Document<'d>,
    walk: Walk<'d>,
    /// The unit that the walk has reached.
    reached: usize,
    /// The type of each open unit, and the number of declarations before it.
    open: Vec<(u8, usize)>,
    found: Vec<Node<'d>>,
}

impl<'d> Declarations<'d> {
    /// Those of a document.
    #[must_use]
    pub fn of(document: &'d Document<'d>) -> Declarations<'d> {
        Declarations { document, walk: document.walk(), reached: usize::MAX, open: Vec::new(), found: Vec::new() }
    }

    /// The declarations of the elements that a unit is in, the outermost first: attributes whose name is `xmlns` or begins
    /// with `xmlns:`. Its own are not among them.
    pub fn around(&mut self, node: Node<'d>) -> &[Node<'d>] {
        if self.reached != node.index() && !self.walk_to(node) {
            *self = Declarations::of(self.document);
            self.walk_to(node);
        }
        let own = self.open.len().checked_sub(1).filter(|_| node.is_structured());
        let end = own.and_then(|own| self.open.get(own)).map_or(self.found.len(), |(_, before)| *before);
        self.found.get(..end).unwrap_or_default()
    }

    /// Walks on to a unit. Returns whether it came.
    fn walk_to(&mut self, node: Node<'d>) -> bool {
        for step in self.walk.by_ref() {
            let unit = match step {
                Step::Close(_) => {
                    // What a list declares holds in its element.
                    if let Some((b'<', before)) = self.open.pop() {
                        self.found.truncate(before);
                    }
                    continue;
                }
                Step::Open(unit) => {
                    self.open.push((unit.kind(), self.found.len()));
                    unit
                }
                Step::Primitive(unit) => {
                    if self.open.last().is_some_and(|(kind, _)| *kind == b'=') && is_declaration(unit) {
                        self.found.push(unit);
                    }
                    unit
                }
            };
            if unit.index() == node.index() {
                self.reached = unit.index();
                return true;
            }
        }
        false
    }
}

fn is_declaration(attribute: Node<'_>) -> bool {
    let name = attribute.name().to_text();
    name == "xmlns" || name.starts_with("xmlns:")
}

/// Makes an element a document of its own, in a table: with declarations from around it, those that neither it nor a later
/// one of them has again. The document has no message, and the type set of the element's.
///
/// # Errors
/// Of kind limit if the table cannot hold it.
pub fn copy_alone(element: Element<'_>, around: &[Node<'_>], table: &mut Table<'_>) -> Result<(), Error> {
    let types = element.node().document().types();
    let limits = Limits { depth: u32::MAX, ..Limits::DEFAULT };
    let mut builder = Builder::new(b"", types, limits, table);
    let mut content = element.node().children().peekable();
    let list = content.next_if(|first| first.kind() == b'=');
    let own: Vec<Node<'_>> = list.into_iter().flat_map(|list| list.children()).collect();
    let mut names: BTreeSet<Vec<u8>> = own.iter().map(|one| one.name().bytes().collect()).collect();
    let mut kept: Vec<&Node<'_>> =
        around.iter().rev().filter(|one| names.insert(one.name().bytes().collect())).collect();
    kept.reverse();
    builder.open(b'<', &element.name().to_bytes())?;
    if !kept.is_empty() || !own.is_empty() {
        builder.open(b'=', b"")?;
        kept.into_iter()
            .chain(&own)
            .try_for_each(|one| builder.primitive(one.kind(), &one.name().to_bytes(), one.value()))?;
        builder.close()?;
    }
    content.try_for_each(|child| copy(child, &mut builder))?;
    builder.close()?;
    builder.finish()
}

/// Copies a unit with all it holds.
///
/// # Errors
/// Those of the builder.
pub fn copy(node: Node<'_>, builder: &mut Builder<'_, '_, '_>) -> Result<(), Error> {
    node.walk().try_for_each(|step| match step {
        Step::Open(unit) => builder.open(unit.kind(), &unit.name().to_bytes()),
        Step::Primitive(unit) => builder.primitive(unit.kind(), &unit.name().to_bytes(), unit.value()),
        Step::Close(_) => builder.close(),
    })
}

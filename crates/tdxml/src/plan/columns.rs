//! The columns of a group as a tree, parallel to the types.

use tam::Error;

use crate::FORMAT;
use crate::group::Groups;
use crate::path::{REST, Step, push_attribute, push_step};
use crate::place::schema as schema_error;
use crate::schema::{Builtin, Content, DataSchema, Element, NONE};

/// The maximal depth of a tree of types.
pub(super) const LEVELS: u32 = 128;
/// An element with more columns than this is not a group.
const COLUMNS: usize = 1000;

/// The columns of a repeated element.
#[derive(Debug)]
pub(super) struct Group {
    /// The columns as in the head of the group: `{(0) [0]}` and a line end.
    pub(super) columns: Vec<u8>,
    pub(super) node: Node,
}

/// The contents of the cells of an element.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) content: Content,
    pub(super) items: Vec<Item>,
    /// The cells of an absent element: the delimiter of each, as if more cells followed.
    pub(super) blank: Vec<u8>,
    /// Whether its first cell is the first of its line, and its last one the last of its row.
    pub(super) begins_line: bool,
    pub(super) ends_row: bool,
}

/// A cell, or the cells of a nested element.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// For a cell: whether it is the last of its row.
    pub(super) last: bool,
    /// For a cell: whether it is the first of its line.
    pub(super) first: bool,
    /// Its index in the order of the record.
    pub(super) order: u32,
}

#[derive(Debug)]
pub(super) enum Kind {
    Attribute(u32, Builtin),
    /// The text of the element itself, or a mark that it is present.
    Own(Builtin),
    /// A simple element.
    Value(u32, Builtin),
    /// A record element.
    Record(u32, Node),
    /// A repeated element: the number of its occurrences, followed by their rows.
    Group(u32, Node),
}

impl Group {
    /// All possible columns of an element; `None` if it is recursive, or has too many.
    pub(super) fn of(schema: &DataSchema, element: &Element) -> Option<Group> {
        let mut count = 0;
        let mut node = whole(schema, element.content, true, &mut Vec::new(), &mut count)?;
        finish(&mut node);
        let mut columns = Vec::new();
        print(&node, &mut columns);
        columns.push(b'\n');
        Some(Group { columns, node })
    }

    /// The columns that a head lists.
    pub(super) fn read(schema: &DataSchema, element: &Element, groups: &Groups, at: usize) -> Result<Node, Error> {
        let columns: Vec<ColumnPath<'_>> = parts(groups, 0);
        let mut node = tree(schema, element.content, &columns, groups, at, 0)?;
        finish(&mut node);
        Ok(node)
    }
}

fn whole(schema: &DataSchema, content: Content, is_row: bool, above: &mut Vec<u32>, count: &mut usize) -> Option<Node> {
    let mut items = Vec::new();
    let mut add = |kind, order, count: &mut usize| {
        *count += 1;
        items.push(Item { kind, last: false, first: false, order });
        (*count <= COLUMNS).then_some(())
    };
    match content {
        Content::Value(of) => add(Kind::Own(of.builtin), 0, count)?,
        Content::Record(id) => {
            let record = schema.record(&content)?;
            if above.contains(&id.0) || above.len() as u32 >= LEVELS || record.order != crate::Order::Sequence {
                return None;
            }
            above.push(id.0);
            for (number, attribute) in record.attributes.iter().enumerate() {
                add(Kind::Attribute(number as u32, attribute.value.builtin), number as u32, count)?;
            }
            let order = record.attributes.len() as u32;
            // If everything in an element is optional, a cell shows that it is present.
            let all_can_miss = record.required() == 0
                && record.attributes.iter().all(|attribute| attribute.optional || attribute.default.is_some());
            if let Some(of) = record.text {
                add(Kind::Own(of.builtin), order, count)?;
            } else if all_can_miss && !is_row {
                add(Kind::Own(Builtin::Null), order, count)?;
            }
            for (number, element) in record.elements.iter().enumerate() {
                let number = number as u32;
                let kind = match (element.repeated, element.content) {
                    (false, Content::Value(of)) => Kind::Value(number, of.builtin),
                    (false, content) => Kind::Record(number, whole(schema, content, false, above, count)?),
                    (true, content) => Kind::Group(number, whole(schema, content, true, above, count)?),
                };
                add(kind, order + 1 + number, count)?;
            }
            above.pop();
        }
    }
    Some(Node { content, items, blank: Vec::new(), begins_line: false, ends_row: false })
}

/// A column, and the steps of it that are left.
struct ColumnPath<'g> {
    steps: &'g [Step],
    attribute: Option<u32>,
    group: Option<u32>,
}

fn parts(groups: &Groups, group: u32) -> Vec<ColumnPath<'_>> {
    let part = |column: &crate::group::Column| ColumnPath {
        steps: groups.steps(column),
        attribute: column.attribute,
        group: column.group,
    };
    groups.columns(group).iter().map(part).collect()
}

/// The columns of a head as a tree. The depth of types limits the recursion.
fn tree(
    schema: &DataSchema,
    content: Content,
    columns: &[ColumnPath<'_>],
    groups: &Groups,
    at: usize,
    level: u32,
) -> Result<Node, Error> {
    if level >= LEVELS {
        return Err(Error::limit(FORMAT, at as u64, "one more level", "depth", LEVELS.into()));
    }
    let beyond = || schema_error(at, "a column that the schema does not have there", "columns of the schema, in order");
    let mut items: Vec<Item> = Vec::new();
    let record = schema.record(&content);
    let attributes = record.map_or(0, |record| record.attributes.len() as u32);
    let mut next = 0;
    while let Some(column) = columns.get(next) {
        let mut end = next + 1;
        let (kind, order) = match (column.steps.first(), column.attribute) {
            // What has no number has no field.
            (None, Some(REST)) if schema.has_rest(&content) && items.is_empty() => {
                (Kind::Attribute(REST, Builtin::Utf8String), 0)
            }
            (None, Some(number)) => {
                let attribute = record.and_then(|record| record.attributes.get(number as usize)).ok_or_else(beyond)?;
                (Kind::Attribute(number, attribute.value.builtin), number)
            }
            (None, None) => {
                let builtin = match (record, content) {
                    (Some(record), _) => record.text.map_or(Builtin::Null, |of| of.builtin),
                    (None, Content::Value(of)) => of.builtin,
                    (None, _) => return Err(beyond()),
                };
                (Kind::Own(builtin), attributes)
            }
            (Some(step), _) => {
                let number = step.number;
                let element = record.and_then(|record| record.elements.get(number as usize)).ok_or_else(beyond)?;
                let is_same = |part: &ColumnPath<'_>| part.steps.first().is_some_and(|step| step.number == number);
                let kind = if element.repeated {
                    let (Some(group), 1) = (column.group, column.steps.len()) else { return Err(beyond()) };
                    Kind::Group(number, tree(schema, element.content, &parts(groups, group), groups, at, level + 1)?)
                } else {
                    end += columns.get(end..).unwrap_or_default().iter().take_while(|part| is_same(part)).count();
                    let inner: Vec<ColumnPath<'_>> = columns
                        .get(next..end)
                        .unwrap_or_default()
                        .iter()
                        .map(|part| ColumnPath { steps: part.steps.get(1..).unwrap_or_default(), ..*part })
                        .collect();
                    match (element.content, &inner[..]) {
                        (Content::Value(of), [ColumnPath { steps: [], attribute: None, group: None }]) => {
                            Kind::Value(number, of.builtin)
                        }
                        (Content::Value(_), _) => return Err(beyond()),
                        (content, inner) => {
                            if inner.iter().any(|part| part.steps.is_empty() && part.group.is_some()) {
                                return Err(beyond());
                            }
                            Kind::Record(number, tree(schema, content, inner, groups, at, level + 1)?)
                        }
                    }
                };
                (kind, attributes + 1 + number)
            }
        };
        let is_rest = |item: &Item| matches!(item.kind, Kind::Attribute(REST, _));
        if items.last().is_some_and(|last| last.order >= order && !is_rest(last)) {
            return Err(beyond());
        }
        items.push(Item { kind, last: false, first: false, order });
        next = end;
    }
    Ok(Node { content, items, blank: Vec::new(), begins_line: false, ends_row: false })
}

/// Marks the cells that begin a line or end a row, and computes the blank cells.
fn finish(node: &mut Node) {
    mark(node, true, &mut true);
    blank(node);
}

fn mark(node: &mut Node, ends_row: bool, begins_line: &mut bool) {
    let count = node.items.len();
    (node.begins_line, node.ends_row) = (*begins_line, ends_row);
    for (number, item) in node.items.iter_mut().enumerate() {
        let last = ends_row && number + 1 == count;
        (item.last, item.first) = (last, *begins_line);
        match &mut item.kind {
            Kind::Record(_, inner) => mark(inner, last, begins_line),
            Kind::Group(_, inner) => {
                mark(inner, true, &mut true);
                *begins_line = true;
            }
            _ => *begins_line = false,
        }
    }
}

fn blank(node: &mut Node) {
    let mut out = Vec::new();
    for item in &mut node.items {
        match &mut item.kind {
            Kind::Record(_, inner) => {
                blank(inner);
                out.extend_from_slice(&inner.blank);
            }
            Kind::Group(_, inner) => {
                blank(inner);
                out.extend_from_slice(b"0\n");
            }
            _ => out.push(b'|'),
        }
    }
    node.blank = out;
}

fn print(node: &Node, out: &mut Vec<u8>) {
    out.push(b'{');
    let mut is_first = true;
    columns(node, &mut Vec::new(), &mut is_first, out);
    out.push(b'}');
}

fn columns(node: &Node, path: &mut Vec<u8>, is_first: &mut bool, out: &mut Vec<u8>) {
    for item in &node.items {
        let len = path.len();
        let step = |path: &mut Vec<u8>, number: u32| push_step(path, Step { number, occurrence: NONE });
        match &item.kind {
            Kind::Attribute(number, _) => push_attribute(path, *number),
            Kind::Own(_) => {}
            Kind::Value(number, _) | Kind::Group(number, _) => step(path, *number),
            Kind::Record(number, inner) => {
                step(path, *number);
                columns(inner, path, is_first, out);
                path.truncate(len);
                continue;
            }
        }
        if !std::mem::take(is_first) {
            out.push(b' ');
        }
        out.extend_from_slice(if path.is_empty() { b"." } else { path });
        if let Kind::Group(_, inner) = &item.kind {
            print(inner, out);
        }
        path.truncate(len);
    }
}

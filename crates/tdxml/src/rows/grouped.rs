//! The grouped scheme: paths once, then one row for each occurrence.

use std::collections::BTreeMap;

use tam::Error;

use super::Rows;
use crate::collect::Collected;
use crate::path::{Step, push_attribute, push_number, push_step, rank};
use crate::schema::{Builtin, Content, NONE};

/// The head of a group is repeated after this many bytes of rows, so that a reader looking for one value need not go
/// back further.
const AGAIN: usize = 16 << 10;

/// The end of the elements with the same number, from `at` on, that can be written as a group. `None` if there are
/// fewer than two.
fn run(collected: &Collected<'_, '_>, at: usize) -> Option<usize> {
    let instances = &collected.instances;
    let first = instances.get(at)?;
    if first.step.occurrence == NONE || !first.ordered {
        return None;
    }
    let mut end = first.end as usize;
    let mut occurrence = first.step.occurrence;
    // Siblings are consecutive. An element beyond the parent does not have the next occurrence.
    while let Some(next) = instances.get(end) {
        let follows = next.step == Step { number: first.step.number, occurrence: occurrence + 1 };
        if !follows || next.content != first.content || !next.ordered {
            break;
        }
        occurrence += 1;
        end = next.end as usize;
    }
    (occurrence > first.step.occurrence).then_some(end)
}

/// The group that begins at an element, if any, and its end. `Err` is the end of elements that could be a group but
/// have so little in common that most cells would be empty.
pub(super) fn group(collected: &Collected<'_, '_>, at: usize) -> Option<Result<Shape, usize>> {
    let end = run(collected, at)?;
    let shape = Shape::of(collected, at, end);
    // One column for each attribute and element, in each row of its group.
    let mut cells = 0;
    let mut open = vec![(0, 0)];
    while let Some((number, rows)) = open.pop() {
        let Some(node) = shape.nodes.get(number) else { continue };
        let rows: u64 = if node.repeated || number == 0 { node.times } else { rows };
        cells += rows * (node.attributes.len() as u64 + 1);
        open.extend(node.elements.values().map(|child| (*child, rows)));
    }
    let first = collected.instances.get(at).map_or(0, |one| one.attributes);
    let last = collected.instances.get(end).map_or(collected.attributes.len() as u32, |one| one.attributes);
    let values = (end - at) as u64 + u64::from(last - first);
    Some(if cells <= SPARSE * values { Ok(shape) } else { Err(end) })
}

/// This many cells for each value are too many.
const SPARSE: u64 = 8;

/// The possible contents of the occurrences of a group: a tree of elements.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) end: usize,
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// Whether it is repeated, which makes it a nested group.
    repeated: bool,
    /// The number of elements that it represents.
    times: u64,
    content: Option<Content>,
    attributes: BTreeMap<u32, Builtin>,
    /// Whether any has text, or nothing else that would show that it is present.
    own: bool,
    elements: BTreeMap<u32, usize>,
}

/// The content of a cell.
#[derive(Debug)]
enum Cell {
    Attribute(usize, u32, Builtin),
    Own(usize, Builtin),
    Group(usize),
}

/// A nested group whose rows are being written.
struct Frame {
    node: usize,
    /// The occurrence of the row, and the number of occurrences after it.
    instance: usize,
    left: u32,
    cell: usize,
}

impl Shape {
    fn of(collected: &Collected<'_, '_>, start: usize, end: usize) -> Shape {
        let mut shape = Shape { end, nodes: vec![Node::default()] };
        // The nodes of the open elements, and the end of each.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for at in start..end {
            while open.last().is_some_and(|(_, end)| *end as usize <= at) {
                open.pop();
            }
            let Some(instance) = collected.instances.get(at) else { break };
            let node = match open.last() {
                None => 0,
                Some((parent, _)) => shape.child(*parent, instance.step),
            };
            let record = collected.schema.record(&instance.content);
            let attributes = collected.attributes(at);
            let is_alone = attributes.is_empty() && instance.end as usize == at + 1;
            // A row of a group shows the presence itself.
            let own = match instance.content {
                Content::Value(_) => true,
                Content::Record(_) => {
                    let is_row = node == 0 || instance.step.occurrence != NONE;
                    instance.text.as_ref().is_some_and(|text| !text.is_empty()) || is_alone && !is_row
                }
            };
            if let Some(place) = shape.nodes.get_mut(node) {
                place.content = Some(instance.content);
                place.times += 1;
                place.own |= own;
                for (number, _) in attributes {
                    let attribute = record.and_then(|record| record.attributes.get(*number as usize));
                    place
                        .attributes
                        .insert(rank(*number), attribute.map_or(Builtin::Utf8String, |one| one.value.builtin));
                }
            }
            open.push((node, instance.end));
        }
        shape
    }

    fn child(&mut self, parent: usize, step: Step) -> usize {
        let next = self.nodes.len();
        let known = self.nodes.get(parent).and_then(|parent| parent.elements.get(&step.number).copied());
        if let Some(node) = known {
            return node;
        }
        self.nodes.push(Node { repeated: step.occurrence != NONE, ..Node::default() });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.elements.insert(step.number, next);
        }
        next
    }

    /// Computes the cells of a group's row, and appends its columns in notation.
    fn cells(&self, collected: &Collected<'_, '_>, groups: &mut [Option<Vec<Cell>>], out: &mut Vec<u8>) {
        enum Work {
            Node(usize, usize, Vec<u8>),
            End,
        }
        let mut work = vec![Work::Node(0, 0, Vec::new())];
        let mut is_first = true;
        out.push(b'{');
        while let Some(next) = work.pop() {
            let (group, number, path) = match next {
                Work::End => {
                    out.push(b'}');
                    is_first = false;
                    continue;
                }
                Work::Node(group, number, path) => (group, number, path),
            };
            let Some(node) = self.nodes.get(number) else { continue };
            let mut add = |cell: Cell, path: &[u8], attribute: Option<u32>| {
                if !std::mem::take(&mut is_first) {
                    out.push(b' ');
                }
                out.extend_from_slice(if path.is_empty() && attribute.is_none() { b"." } else { path });
                attribute.iter().for_each(|number| push_attribute(out, *number));
                if let Some(cells) = groups.get_mut(group) {
                    cells.get_or_insert_default().push(cell);
                }
            };
            let mut inside = path.clone();
            let mut own_group = group;
            if node.repeated {
                add(Cell::Group(number), &path, None);
                out.push(b'{');
                is_first = true;
                work.push(Work::End);
                inside.clear();
                own_group = number;
                if let Some(cells) = groups.get_mut(number) {
                    cells.get_or_insert_default();
                }
            }
            let mut add = |cell: Cell, path: &[u8], attribute: Option<u32>| {
                if !std::mem::take(&mut is_first) {
                    out.push(b' ');
                }
                out.extend_from_slice(if path.is_empty() && attribute.is_none() { b"." } else { path });
                attribute.iter().for_each(|number| push_attribute(out, *number));
                if let Some(cells) = groups.get_mut(own_group) {
                    cells.get_or_insert_default().push(cell);
                }
            };
            for (rank, builtin) in &node.attributes {
                let attribute = rank.wrapping_sub(2);
                add(Cell::Attribute(number, attribute, *builtin), &inside, Some(attribute));
            }
            if node.own {
                let builtin = match node.content {
                    Some(Content::Value(value)) => value.builtin,
                    Some(content) => collected
                        .schema
                        .record(&content)
                        .and_then(|record| record.text)
                        .map_or(Builtin::Utf8String, |value| value.builtin),
                    None => Builtin::Utf8String,
                };
                add(Cell::Own(number, builtin), &inside, None);
            }
            for (step, child) in node.elements.iter().rev() {
                let mut path = inside.clone();
                push_step(&mut path, Step { number: *step, occurrence: NONE });
                work.push(Work::Node(own_group, *child, path));
            }
        }
        out.push(b'}');
    }
}

/// Writes the elements from `start` on as a group.
pub(super) fn write(rows: &mut Rows<'_, '_>, start: usize, shape: &Shape, out: &mut Vec<u8>) -> Result<(), Error> {
    let (collected, end) = (rows.collected, shape.end);
    let mut groups: Vec<Option<Vec<Cell>>> = Vec::new();
    groups.resize_with(shape.nodes.len(), || None);
    let mut columns = Vec::new();
    shape.cells(collected, &mut groups, &mut columns);
    columns.push(b'\n');
    // For each node the element of the current row: its index, and for groups their number.
    let mut slots: Vec<Option<(usize, u32)>> = vec![None; shape.nodes.len()];
    let (mut at, mut head_at) = (start, None);
    while at < end {
        let Some(instance) = collected.instances.get(at) else { break };
        if head_at.is_none_or(|head| out.len() - head > AGAIN) {
            out.extend_from_slice(&rows.path);
            push_step(out, instance.step);
            out.extend_from_slice(&columns);
            head_at = Some(out.len());
        }
        occurrence(rows, shape, &groups, at, &mut slots, out)?;
        at = instance.end as usize;
    }
    Ok(())
}

/// Finds the element of an occurrence for each node of its group.
fn fill(collected: &Collected<'_, '_>, shape: &Shape, node: usize, at: usize, slots: &mut [Option<(usize, u32)>]) {
    // Clears the slots of the previous occurrence.
    let mut stale = vec![node];
    while let Some(number) = stale.pop() {
        if let Some(slot) = slots.get_mut(number) {
            *slot = None;
        }
        let elements = shape.nodes.get(number).map(|node| &node.elements);
        let is_group = |child: usize| shape.nodes.get(child).is_some_and(|child| child.repeated);
        for child in elements.into_iter().flat_map(|elements| elements.values()) {
            if is_group(*child) {
                if let Some(slot) = slots.get_mut(*child) {
                    *slot = None;
                }
            } else {
                stale.push(*child);
            }
        }
    }
    let end = collected.instances.get(at).map_or(at, |instance| instance.end as usize);
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut next = at;
    while next < end {
        while open.last().is_some_and(|(_, end)| *end as usize <= next) {
            open.pop();
        }
        let Some(instance) = collected.instances.get(next) else { break };
        let number = match open.last() {
            None => node,
            Some((parent, _)) => {
                let child = shape.nodes.get(*parent).and_then(|parent| parent.elements.get(&instance.step.number));
                child.copied().unwrap_or(0)
            }
        };
        let is_group = number != node && shape.nodes.get(number).is_some_and(|node| node.repeated);
        if let Some(slot) = slots.get_mut(number) {
            match slot {
                Some((_, count)) => *count += 1,
                None => *slot = Some((next, 1)),
            }
        }
        if is_group {
            next = instance.end as usize;
        } else {
            open.push((number, instance.end));
            next += 1;
        }
    }
}

/// Writes the row of an occurrence, and the rows of nested groups.
fn occurrence(
    rows: &mut Rows<'_, '_>,
    shape: &Shape,
    groups: &[Option<Vec<Cell>>],
    at: usize,
    slots: &mut [Option<(usize, u32)>],
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let collected = rows.collected;
    let mut frames = vec![Frame { node: 0, instance: at, left: 0, cell: 0 }];
    fill(collected, shape, 0, at, slots);
    let mut is_first = true;
    while let Some(frame) = frames.last_mut() {
        let cells = groups.get(frame.node).and_then(Option::as_deref).unwrap_or_default();
        let Some(cell) = cells.get(frame.cell) else {
            // The count has already ended its line.
            if !matches!(cells.last(), Some(Cell::Group(_))) {
                out.push(b'\n');
            }
            is_first = true;
            if frame.left == 0 {
                frames.pop();
                continue;
            }
            let end = collected.instances.get(frame.instance).map_or(0, |instance| instance.end as usize);
            (frame.instance, frame.left, frame.cell) = (end, frame.left - 1, 0);
            fill(collected, shape, frame.node, end, slots);
            continue;
        };
        frame.cell += 1;
        if !std::mem::take(&mut is_first) {
            out.push(b'|');
        }
        let starts_line = out.last() == Some(&b'\n');
        let slot = |node: usize| slots.get(node).copied().flatten();
        match cell {
            Cell::Attribute(node, number, builtin) => {
                let attributes = slot(*node).map_or(&[][..], |(at, _)| collected.attributes(at));
                if let Ok(found) = attributes.binary_search_by_key(&rank(*number), |(number, _)| rank(*number)) {
                    rows.cell(*builtin, &attributes[found].1, starts_line, out)?;
                }
            }
            Cell::Own(node, builtin) => {
                let found = slot(*node).and_then(|(at, _)| Some((at, collected.instances.get(at)?)));
                if let Some((at, instance)) = found {
                    let text = instance.text.as_deref().unwrap_or("");
                    // Otherwise the contents show that the record is present.
                    let is_alone = collected.attributes(at).is_empty() && instance.end as usize == at + 1;
                    let is_row = *node == frames.last().map_or(0, |frame| frame.node);
                    let is_value = matches!(instance.content, Content::Value(_));
                    if is_value || !text.is_empty() || is_alone && !is_row {
                        rows.cell(*builtin, text, starts_line, out)?;
                    }
                }
            }
            Cell::Group(node) => {
                let found = slot(*node);
                push_number(out, found.map_or(0, |(_, count)| count));
                out.push(b'\n');
                is_first = true;
                if let Some((first, count)) = found {
                    let node = *node;
                    frames.push(Frame { node, instance: first, left: count - 1, cell: 0 });
                    fill(collected, shape, node, first, slots);
                }
            }
        }
    }
    Ok(())
}

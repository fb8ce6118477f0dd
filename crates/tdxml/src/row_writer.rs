//! Writes rows in both schemes.

use tam::{Error, ErrorKind};

use crate::columns::{Column, Columns};
use crate::escape;
use crate::items::{Class, Item, Items};
use crate::path::{REST, Step, push_attribute, push_number, push_step};
use crate::schema::{Content, NONE};
use crate::{FORMAT, Scheme};

/// The head of a group is repeated after this many bytes of rows, so that a reader looking for one value need not go
/// back further.
pub(crate) const AGAIN: usize = 16 << 10;

/// This many cells for each value are too many for a group.
const SPARSE: u64 = 8;

/// Vectors that writing needs, which can be used again.
#[derive(Debug, Default)]
pub(crate) struct Room {
    path: Vec<u8>,
    /// For each open element its end, and the length of the path before it.
    open: Vec<(u32, usize)>,
    /// At each depth, the end of the items that are no group.
    no_group: Vec<usize>,
}

/// Appends the rows of items in the element with a path, which is empty around the root.
///
/// # Errors
/// Of kind unsupported if a value has characters that XML does not allow.
pub(crate) fn write(
    items: &Items,
    scheme: Scheme,
    room: &mut Room,
    around: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let Room { path, open, no_group } = room;
    path.clear();
    path.extend_from_slice(around);
    open.clear();
    no_group.clear();
    let all_plain = items.all_plain();
    let mut at = 0;
    while let Some(item) = items.all.get(at) {
        while let Some((end, len)) = open.last().copied()
            && end as usize <= at
        {
            path.truncate(len);
            open.pop();
        }
        if scheme != Scheme::Aggregated && item.step.occurrence != NONE {
            no_group.resize(open.len() + 1, 0);
            let limit = open.last().map_or(items.all.len(), |(end, _)| *end as usize);
            let is_tried = no_group.last().is_some_and(|end| at < *end);
            let end = if is_tried { at } else { run(items, at, item, limit) };
            if end > item.end as usize {
                let shape = Shape::of(items, at, end, path.len());
                if shape.is_worth_it(scheme) {
                    group(items, &shape.columns, (at, end), path, out)?;
                    at = end;
                    continue;
                }
                no_group[open.len()] = end;
            }
        }
        let len = path.len();
        match item.attribute() {
            Some(number) => push_attribute(path, number),
            None if item.class == Class::Element => push_step(path, item.step),
            None => {}
        }
        let own = path.len();
        if item.has_row(at) {
            path.extend_from_slice(b" |");
            out.extend_from_slice(path);
            escape::push_value(out, items.value(item), all_plain).map_err(illegal)?;
            out.push(b'\n');
        }
        if item.len(at) > 1 {
            open.push((item.end, len));
            path.truncate(own);
        } else {
            path.truncate(len);
        }
        at += 1;
    }
    Ok(())
}

#[cold]
pub(crate) fn illegal(c: char) -> Error {
    let found = format!("U+{:04X}", u32::from(c));
    Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "characters that XML allows")
}

/// The end of the occurrences of an element from one on that can be rows of a group, up to the end of their parent.
fn run(items: &Items, at: usize, first: &Item, limit: usize) -> usize {
    let (mut last, mut end) = (first.step, at);
    while let Some(next) = items.all.get(end).filter(|next| end < limit && next.ordered) {
        let follows = next.step == Step { occurrence: last.occurrence.wrapping_add(1), ..last };
        if end > at && !(follows && next.class == Class::Element && next.content == first.content) {
            break;
        }
        (last, end) = (next.step, next.end as usize);
    }
    end
}

/// A node of the tree of what the rows of a group contain. Its siblings are in the order of rows.
#[derive(Debug)]
struct Node {
    order: u64,
    /// Whether it is repeated, which makes it a nested group.
    repeated: bool,
    /// The number of items that it represents.
    times: u64,
    /// The first node in it, and the next one beside it.
    first: u32,
    next: u32,
}

/// The nodes of a group. The first one is the element that each row is.
struct Nodes(Vec<Node>);

impl Nodes {
    /// The node of an item in a parent. `last` is where the search for it begins, and becomes its number.
    fn child(&mut self, parent: u32, last: &mut u32, order: u64, repeated: bool) -> u32 {
        let get = |nodes: &Vec<Node>, at: u32| nodes.get(at as usize).map(|node| (node.order, node.next));
        // Most items are those of the row before.
        let after = self.0.get(*last as usize).map_or(NONE, |node| node.next);
        if get(&self.0, after).is_some_and(|(of, _)| of == order) {
            *last = after;
            return after;
        }
        let mut before = NONE;
        let mut at = match get(&self.0, *last) {
            Some((of, _)) if of <= order => *last,
            _ => self.0.get(parent as usize).map_or(NONE, |node| node.first),
        };
        while let Some((of, next)) = get(&self.0, at).filter(|(of, _)| *of <= order) {
            if of == order {
                *last = at;
                return at;
            }
            (before, at) = (at, next);
        }
        let new = self.0.len() as u32;
        self.0.push(Node { order, repeated, times: 0, first: NONE, next: at });
        match (self.0.get_mut(before as usize), parent) {
            (Some(before), _) => before.next = new,
            (None, parent) => {
                if let Some(parent) = self.0.get_mut(parent as usize) {
                    parent.first = new;
                }
            }
        }
        *last = new;
        new
    }
}

/// What the rows of a group contain.
struct Shape {
    columns: Columns,
    /// The number of values and of cells; the bytes of the head, and those of rows with paths besides values.
    values: u64,
    cells: u64,
    head: u64,
    paths: u64,
}

impl Shape {
    /// The shape of the items between two positions. Their path has `path` bytes before the last step.
    fn of(items: &Items, start: usize, end: usize, path: usize) -> Shape {
        let mut nodes = Nodes(Vec::with_capacity(16));
        nodes.0.push(Node { order: Class::Element.order(0), repeated: true, times: 0, first: NONE, next: NONE });
        // The nodes of the open items, the last node in each, the end of each, and the length of its path.
        let mut open: Vec<(u32, u32, u32, usize)> = Vec::with_capacity(8);
        let mut shape = Shape { columns: Columns::new(), values: 0, cells: 0, head: path as u64 + 8, paths: 0 };
        for (item, at) in items.all.get(start..end).unwrap_or_default().iter().zip(start..) {
            while open.last().is_some_and(|(_, _, end, _)| *end as usize <= at) {
                open.pop();
            }
            let (number, len) = match open.last_mut() {
                None => (0, path),
                Some((parent, last, _, len)) => {
                    (nodes.child(*parent, last, item.order(), item.step.occurrence != NONE), *len)
                }
            };
            let len = len + step_len(item);
            if item.has_row(at) {
                shape.values += 1;
                shape.paths += len as u64 + 3;
            }
            let Some(node) = nodes.0.get_mut(number as usize) else { break };
            node.times += 1;
            if item.class != Class::Element {
                continue;
            }
            let mut last = NONE;
            // A row of a group shows the presence of a record itself.
            if matches!(item.content, Content::Value(_)) || !node.repeated && item.end as usize == at + 1 {
                nodes.child(number, &mut last, Class::Text.order(0), false);
            }
            open.push((number, last, item.end, len));
        }
        shape.add(&nodes.0);
        shape
    }

    /// Makes columns of nodes.
    fn add(&mut self, nodes: &[Node]) {
        struct Level {
            next: u32,
            group: u32,
            rows: u64,
            /// The start of the path from the element of the group, and its end.
            base: usize,
            len: usize,
        }
        let Some(root) = nodes.first() else { return };
        let mut open = vec![Level { next: root.first, group: 0, rows: root.times, base: 0, len: 0 }];
        let mut path: Vec<u32> = Vec::new();
        while let Some(level) = open.last_mut() {
            let Some(node) = nodes.get(level.next as usize) else {
                open.pop();
                continue;
            };
            level.next = node.next;
            let &mut Level { group, rows, base, len, .. } = level;
            path.truncate(len);
            let number = node.order as u32;
            let attribute = match node.order >> 32 {
                of if of == Class::Element as u64 => {
                    path.push(number);
                    if !node.repeated {
                        open.push(Level { next: node.first, group, rows, base, len: path.len() });
                        continue;
                    }
                    None
                }
                of => Some(number).filter(|_| of != Class::Text as u64),
            };
            let nests = node.repeated;
            let steps = path.get(base..).unwrap_or_default();
            let inner = self.columns.push(group, steps, attribute, nests);
            self.cells += rows;
            self.head += 4 * (steps.len() as u64 + 1);
            if let Some(group) = inner {
                let base = path.len();
                open.push(Level { next: node.first, group, rows: node.times, base, len: base });
            }
        }
    }

    /// Whether the group is smaller than rows with paths, or wanted; and not mostly empty.
    fn is_worth_it(&self, scheme: Scheme) -> bool {
        self.cells <= SPARSE * self.values && (scheme == Scheme::Grouped || self.head + self.cells < self.paths)
    }
}

/// The bytes that an item adds to a path.
fn step_len(item: &Item) -> usize {
    let digits = |number: u32| if number < 10 { 1 } else { number.ilog10() as usize + 1 };
    match (item.class, item.step.occurrence) {
        (Class::Rest, _) => 3,
        (Class::Text, _) => 0,
        (_, NONE) => digits(item.step.number) + 2,
        (_, occurrence) => digits(item.step.number) + digits(occurrence) + 2,
    }
}

/// An element on the way to a cell, and the next item in it.
#[derive(Clone, Copy)]
struct Cursor {
    number: u32,
    /// `None` if the row does not have it.
    item: Option<usize>,
    next: usize,
    end: usize,
}

impl Cursor {
    fn new(items: &Items, number: u32, item: Option<usize>) -> Cursor {
        let found = item.and_then(|at| items.all.get(at).map(|item| (at + 1, item.end as usize)));
        let (next, end) = found.unwrap_or((0, 0));
        Cursor { number, item, next, end }
    }

    /// The item at a place. Places come in order.
    #[inline]
    fn find(&mut self, items: &Items, order: u64) -> Option<usize> {
        while let Some(item) = items.all.get(self.next).filter(|_| self.next < self.end) {
            match item.order().cmp(&order) {
                std::cmp::Ordering::Less => self.next = item.end as usize,
                std::cmp::Ordering::Equal => return Some(self.next),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}

/// The rows of a group that are being written.
struct Frame {
    group: u32,
    /// The number of rows left, with the current one.
    left: u64,
    column: usize,
    /// The cursor of its element among all.
    base: usize,
}

/// Writes the items between two positions as the rows of a group.
fn group(
    items: &Items,
    columns: &Columns,
    (start, end): (usize, usize),
    path: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let mut head = Vec::new();
    columns.print(&mut head);
    head.push(b'\n');
    let (mut at, mut head_at) = (start, None);
    let mut cursors = Vec::with_capacity(8);
    let mut frames = Vec::with_capacity(4);
    while let Some(item) = items.all.get(at).filter(|_| at < end) {
        if head_at.is_none_or(|head| out.len() - head > AGAIN) {
            out.extend_from_slice(path);
            push_step(out, item.step);
            out.extend_from_slice(&head);
            head_at = Some(out.len());
        }
        cursors.clear();
        cursors.push(Cursor::new(items, item.step.number, Some(at)));
        frames.push(Frame { group: 0, left: 1, column: 0, base: 0 });
        rows(items, columns, &mut frames, &mut cursors, out)?;
        at = item.end as usize;
    }
    Ok(())
}

/// Writes a row, and those of nested groups.
fn rows(
    items: &Items,
    columns: &Columns,
    frames: &mut Vec<Frame>,
    cursors: &mut Vec<Cursor>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let mut is_first = true;
    while let Some(frame) = frames.last_mut() {
        let all = columns.of(frame.group);
        let base = frame.base;
        let Some(column) = all.get(frame.column) else {
            // A count has already ended its line.
            if all.last().is_none_or(|last| last.group.is_none()) {
                out.push(b'\n');
            }
            is_first = true;
            frame.left -= 1;
            frame.column = 0;
            cursors.truncate(base + 1);
            let next = cursors.last().map_or(0, |cursor| cursor.end);
            match (frame.left, cursors.last_mut()) {
                (1.., Some(cursor)) => *cursor = Cursor::new(items, cursor.number, Some(next)),
                _ => {
                    frames.pop();
                    cursors.truncate(base);
                }
            }
            continue;
        };
        frame.column += 1;
        let begins_line = std::mem::take(&mut is_first);
        if !begins_line {
            out.push(b'|');
        }
        let Some((top, last)) = descend(items, columns, column, base, cursors) else { continue };
        let found = match (column.attribute, last) {
            (Some(REST), _) => top.find(items, Class::Rest.order(REST)),
            (Some(number), _) => top.find(items, Class::Attribute.order(number)),
            (None, Some(number)) => top.find(items, Class::Element.order(number)),
            (None, None) => top.item,
        };
        let Some(group) = column.group else {
            if let Some(value) = found.and_then(|at| value(items, at, last.is_some())) {
                escape::push_cell(out, value, begins_line, items.all_plain()).map_err(illegal)?;
            }
            continue;
        };
        let siblings = std::iter::successors(found, |at| items.all.get(*at).map(|item| item.end as usize));
        let is_sibling =
            |at: &usize| *at < top.end && items.all.get(*at).is_some_and(|item| Some(item.step.number) == last);
        let count = siblings.take_while(is_sibling).count();
        push_number(out, count as u32);
        out.push(b'\n');
        is_first = true;
        if count > 0 {
            let base = cursors.len();
            cursors.push(Cursor::new(items, last.unwrap_or(0), found));
            frames.push(Frame { group, left: count as u64, column: 0, base });
        }
    }
    Ok(())
}

/// Moves to the element that a column's item is in. Returns it, and the number of the item if that is an element.
#[inline]
fn descend<'c>(
    items: &Items,
    columns: &Columns,
    column: &Column,
    base: usize,
    cursors: &'c mut Vec<Cursor>,
) -> Option<(&'c mut Cursor, Option<u32>)> {
    let steps = columns.steps(column);
    let (lead, last) = match (column.attribute, steps.split_last()) {
        (None, Some((last, lead))) => (lead, Some(last.number)),
        _ => (steps, None),
    };
    let open = cursors.get(base + 1..).unwrap_or_default();
    let shared = lead.iter().zip(open).take_while(|(step, cursor)| step.number == cursor.number).count();
    cursors.truncate(base + 1 + shared);
    for step in lead.get(shared..).unwrap_or_default() {
        let found = cursors.last_mut()?.find(items, Class::Element.order(step.number));
        cursors.push(Cursor::new(items, step.number, found));
    }
    Some((cursors.last_mut()?, last))
}

/// The value in the cell of an item. Empty if the cell shows that a record is present, unless the row does.
fn value(items: &Items, at: usize, is_inside: bool) -> Option<&str> {
    let item = items.all.get(at)?;
    if item.class != Class::Element || item.len(at) == 1 && matches!(item.content, Content::Value(_)) {
        return Some(items.value(item));
    }
    let text = items.inner(at).map(|(_, item)| item).take_while(|item| item.class <= Class::Text);
    let text = text.filter(|item| item.class == Class::Text).last().map(|item| items.value(item));
    text.or((is_inside && item.len(at) == 1).then_some(""))
}

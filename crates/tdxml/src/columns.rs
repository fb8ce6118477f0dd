//! The columns of a group: what the cells of its rows contain.

use std::cmp::Ordering;

use tam::Error;

use crate::path::{self, REST, Step, push_attribute, push_step};
use crate::place::{found, syntax};
use crate::schema::{Content, DataSchema, NONE};

/// What a cell contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// The start of its steps, from the element of the group on, in the list of all steps.
    first: u32,
    steps: u32,
    /// The attribute, if it is one.
    pub(crate) attribute: Option<u32>,
    /// The nested group whose rows the cell counts.
    pub(crate) group: Option<u32>,
    /// The number of an element directly in that of the group; [`NONE`] for others.
    pub(crate) child: u32,
}

/// A group's columns, and those of nested groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    /// The columns of each group; the first one is the outermost.
    groups: Vec<Vec<Column>>,
    steps: Vec<Step>,
}

impl Columns {
    /// No columns of the outermost group.
    pub(crate) fn new() -> Columns {
        Columns { groups: vec![Vec::new()], steps: Vec::new() }
    }

    /// Parses the columns in `line` from `at` to its end: `{(0) [0] [2]{. (0)}}`.
    pub(crate) fn read(line: &str, at: usize, base: usize, depth: u32) -> Result<Columns, Error> {
        let mut columns = Columns::new();
        let mut open = vec![0];
        let mut at = at + 1;
        let bytes = line.as_bytes();
        let mut is_first = true;
        while let Some(&group) = open.last() {
            match bytes.get(at) {
                Some(b'}') => {
                    open.pop();
                    at += 1;
                    is_first = false;
                    continue;
                }
                Some(b' ') if !is_first => at += 1,
                _ if is_first => {}
                _ => return Err(syntax(base + at, found(line, at), "a space or '}'")),
            }
            let first = columns.steps.len();
            let mut attribute = None;
            if bytes.get(at) == Some(&b'.') {
                at += 1;
            } else {
                let (of, end) = path::read(line, at, base, &mut columns.steps)?;
                if end == at {
                    return Err(syntax(base + at, found(line, at), "the path of a column, or '}'"));
                }
                (attribute, at) = (of, end);
                if columns.steps.iter().skip(first).any(|step| step.occurrence != NONE) {
                    return Err(syntax(base + end, "the number of an occurrence", "a path that applies to every row"));
                }
            }
            is_first = bytes.get(at) == Some(&b'{');
            let mut inner = None;
            if is_first {
                if attribute.is_some() || columns.steps.len() == first {
                    return Err(syntax(base + at, "columns of something that is not an element", "a space or '}'"));
                }
                if open.len() >= depth as usize {
                    let found = "one more group inside another";
                    return Err(Error::limit(crate::FORMAT, (base + at) as u64, found, "depth", depth.into()));
                }
                inner = Some(columns.new_group());
                open.extend(inner);
                at += 1;
            }
            columns.add(group, first, attribute, inner);
        }
        if at == line.len() { Ok(columns) } else { Err(syntax(base + at, found(line, at), "the end of the line")) }
    }

    fn new_group(&mut self) -> u32 {
        self.groups.push(Vec::new());
        self.groups.len() as u32 - 1
    }

    fn add(&mut self, group: u32, first: usize, attribute: Option<u32>, inner: Option<u32>) {
        let steps = (self.steps.len() - first) as u32;
        let child = match self.steps.get(first..) {
            Some([step]) if attribute.is_none() && inner.is_none() => step.number,
            _ => NONE,
        };
        if let Some(columns) = self.groups.get_mut(group as usize) {
            columns.push(Column { first: first as u32, steps, attribute, group: inner, child });
        }
    }

    /// Adds a column to a group. Returns the nested group, if the column has one.
    pub(crate) fn push(&mut self, group: u32, path: &[u32], attribute: Option<u32>, nests: bool) -> Option<u32> {
        let first = self.steps.len();
        self.steps.extend(path.iter().map(|number| Step { number: *number, occurrence: NONE }));
        let inner = nests.then(|| self.new_group());
        self.add(group, first, attribute, inner);
        inner
    }

    /// Appends the columns as the head of a group has them.
    pub(crate) fn print(&self, out: &mut Vec<u8>) {
        let mut open = vec![self.of(0).iter()];
        out.push(b'{');
        while let Some(top) = open.last_mut() {
            let Some(column) = top.next() else {
                open.pop();
                out.push(b'}');
                continue;
            };
            if out.last() != Some(&b'{') {
                out.push(b' ');
            }
            self.steps(column).iter().for_each(|step| push_step(out, *step));
            match column.attribute {
                Some(number) => push_attribute(out, number),
                None if column.steps == 0 => out.push(b'.'),
                None => {}
            }
            if let Some(inner) = column.group {
                out.push(b'{');
                open.push(self.of(inner).iter());
            }
        }
    }

    /// Whether the columns belong to elements of some content, in the order of rows.
    pub(crate) fn fit(&self, schema: &DataSchema, content: Content) -> bool {
        let mut work = vec![(0, content)];
        while let Some((group, content)) = work.pop() {
            let columns = self.of(group);
            if columns.windows(2).any(|pair| self.order(&pair[0], &pair[1]) != Ordering::Less) {
                return false;
            }
            for column in columns {
                let Some(content) = self.content(column, schema, content) else { return false };
                work.extend(column.group.map(|inner| (inner, content)));
            }
        }
        true
    }

    /// Compares the rows of two columns: attributes come before text, and text before elements.
    fn order(&self, one: &Column, other: &Column) -> Ordering {
        let rank = |column: &Column, shared: usize| {
            let next = self.steps(column).get(shared).map(|step| step.number);
            match (next, column.attribute) {
                (Some(number), _) => (3, number),
                (None, Some(REST)) => (0, 0),
                (None, Some(number)) => (1, number),
                (None, None) => (2, 0),
            }
        };
        let shared = self.steps(one).iter().zip(self.steps(other)).take_while(|(one, other)| one == other).count();
        rank(one, shared).cmp(&rank(other, shared))
    }

    /// The content of a column's element; `None` if the schema has no such column.
    fn content(&self, column: &Column, schema: &DataSchema, mut content: Content) -> Option<Content> {
        let steps = self.steps(column);
        for (number, step) in steps.iter().enumerate() {
            let element = schema.elements_of(&content).get(step.number as usize)?;
            let is_group = column.group.is_some() && number + 1 == steps.len();
            if element.repeated != is_group {
                return None;
            }
            content = element.content;
        }
        let attributes = schema.record(&content).map_or(0, |record| record.attributes.len() as u32);
        let is_there = match column.attribute {
            None => true,
            Some(REST) => schema.has_rest(&content),
            Some(number) => number < attributes,
        };
        is_there.then_some(content)
    }

    /// The columns of a group.
    #[inline]
    pub(crate) fn of(&self, group: u32) -> &[Column] {
        self.groups.get(group as usize).map_or(&[], Vec::as_slice)
    }

    /// The steps of a column from the element of its group on.
    #[inline]
    pub(crate) fn steps(&self, column: &Column) -> &[Step] {
        let first = column.first as usize;
        self.steps.get(first..first + column.steps as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_paths_from_the_element_on() {
        let text = "{(0) . [0] [1][2] [3]{[0]} [4]{}}";
        let columns = Columns::read(text, 0, 0, 10).unwrap();
        let sizes: Vec<usize> = columns.groups.iter().map(Vec::len).collect();
        assert_eq!(sizes, [6, 1, 0]);
        assert_eq!(columns.of(0)[0].attribute, Some(0));
        assert_eq!(columns.steps(&columns.of(0)[3]).len(), 2);
        assert_eq!((columns.of(0)[4].group, columns.of(0)[5].group), (Some(1), Some(2)));
        let mut out = Vec::new();
        columns.print(&mut out);
        assert_eq!(String::from_utf8_lossy(&out), text);
        for bad in
            ["{", "{[0]", "{[0]}x", "{[0]1}", "{ [0]}", "{[0]  [1]}", "{[0] }", "{(0){}}", "{.{}}", "{x}", "{[0}}"]
        {
            assert!(Columns::read(bad, 0, 0, 10).is_err(), "{bad}");
        }
        assert!(Columns::read("{[0]{[0]{}}}", 0, 0, 2).is_err());
    }
}

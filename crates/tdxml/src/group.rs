//! The columns of a group: what the cells of its rows contain.

use tam::Error;

use crate::path::{self, REST, Step, rank};
use crate::place::{found, syntax};
use crate::schema::{Content, DataSchema, NONE};

/// What a cell contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// The start of its steps, from the element of the group on, in the list of all steps.
    pub(crate) first: u32,
    pub(crate) steps: u32,
    /// The attribute, if it is one.
    pub(crate) attribute: Option<u32>,
    /// The nested group whose rows the cell counts.
    pub(crate) group: Option<u32>,
}

/// A group's columns, and those of nested groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Groups {
    /// The columns of each group; the first one is the outermost.
    pub(crate) groups: Vec<Vec<Column>>,
    pub(crate) steps: Vec<Step>,
}

impl Groups {
    /// Parses the columns in `line` from `at` to its end: `{(0) [0] [2]{. (0)}}`.
    pub(crate) fn read(line: &str, at: usize, base: usize, depth: u32) -> Result<Groups, Error> {
        let mut groups = Groups { groups: vec![Vec::new()], steps: Vec::new() };
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
            let mut column = Column { first: groups.steps.len() as u32, steps: 0, attribute: None, group: None };
            if bytes.get(at) == Some(&b'.') {
                at += 1;
            } else {
                let (attribute, end) = path::read(line, at, base, &mut groups.steps)?;
                if end == at {
                    return Err(syntax(base + at, found(line, at), "the path of a column, or '}'"));
                }
                (column.attribute, at) = (attribute, end);
                column.steps = groups.steps.len() as u32 - column.first;
                let steps = groups.steps.get(column.first as usize..).unwrap_or_default();
                if steps.iter().any(|step| step.occurrence != NONE) {
                    return Err(syntax(base + end, "the number of an occurrence", "a path that applies to every row"));
                }
            }
            is_first = false;
            if bytes.get(at) == Some(&b'{') {
                if column.attribute.is_some() || column.steps == 0 {
                    return Err(syntax(base + at, "columns of something that is not an element", "a space or '}'"));
                }
                if open.len() >= depth as usize {
                    let found = "one more group inside another";
                    return Err(Error::limit(crate::FORMAT, (base + at) as u64, found, "depth", depth.into()));
                }
                column.group = Some(groups.groups.len() as u32);
                open.push(groups.groups.len());
                groups.groups.push(Vec::new());
                at += 1;
                is_first = true;
            }
            if let Some(columns) = groups.groups.get_mut(group) {
                columns.push(column);
            }
        }
        if at == line.len() { Ok(groups) } else { Err(syntax(base + at, found(line, at), "the end of the line")) }
    }

    /// Whether the columns belong to elements of some content, in the order of rows.
    pub(crate) fn fit(&self, schema: &DataSchema, content: Content) -> bool {
        let mut work = vec![(0, content)];
        while let Some((group, content)) = work.pop() {
            let mut before: Vec<u32> = Vec::new();
            for column in self.columns(group) {
                let Some((order, content)) = self.order(column, schema, content) else { return false };
                if !before.is_empty() && order <= before {
                    return false;
                }
                before = order;
                work.extend(column.group.map(|inner| (inner, content)));
            }
        }
        true
    }

    /// The sort key of a column, and the content of its element; `None` if the schema has none there.
    fn order(&self, column: &Column, schema: &DataSchema, mut content: Content) -> Option<(Vec<u32>, Content)> {
        let steps = self.steps(column);
        let mut order = Vec::with_capacity(steps.len() + 1);
        for (number, step) in steps.iter().enumerate() {
            let record = schema.record(&content)?;
            let element = record.elements.get(step.number as usize)?;
            let is_group = column.group.is_some() && number + 1 == steps.len();
            if element.repeated != is_group {
                return None;
            }
            order.push(record.attributes.len() as u32 + 4 + step.number);
            content = element.content;
        }
        if column.group.is_none() {
            let attributes = schema.record(&content).map_or(0, |record| record.attributes.len() as u32);
            order.push(match column.attribute {
                Some(REST) if schema.has_rest(&content) => rank(REST),
                Some(number) => rank(Some(number).filter(|number| *number < attributes)?),
                None => rank(attributes) + 1,
            });
        }
        Some((order, content))
    }

    pub(crate) fn columns(&self, group: u32) -> &[Column] {
        self.groups.get(group as usize).map_or(&[], Vec::as_slice)
    }

    /// The steps of a column from the element of its group on.
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
        let groups = Groups::read("{(0) . [0] [1][2] [3]{[0]} [4]{}}", 0, 0, 10).unwrap();
        let sizes: Vec<usize> = groups.groups.iter().map(Vec::len).collect();
        assert_eq!(sizes, [6, 1, 0]);
        assert_eq!(groups.columns(0)[0].attribute, Some(0));
        assert_eq!(groups.steps(&groups.columns(0)[3]).len(), 2);
        assert_eq!((groups.columns(0)[4].group, groups.columns(0)[5].group), (Some(1), Some(2)));
        for bad in
            ["{", "{[0]", "{[0]}x", "{[0]1}", "{ [0]}", "{[0]  [1]}", "{[0] }", "{(0){}}", "{.{}}", "{x}", "{[0}}"]
        {
            assert!(Groups::read(bad, 0, 0, 10).is_err(), "{bad}");
        }
        assert!(Groups::read("{[0]{[0]{}}}", 0, 0, 2).is_err());
    }
}

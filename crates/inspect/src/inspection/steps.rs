//! Paths of rows, as a query has them: an item of an array is its index, one of several elements of a name has its number.

use lengthwise::tam::{escape_step, unescape_step};

use super::{Inspection, Kind, Row, Shape};

impl Inspection {
    /// Gives each row its number among those directly below its parent, and among those of its kind and name.
    pub(super) fn number(&mut self) {
        let mut next = vec![0; self.rows.len() + 1];
        let top = self.rows.len();
        for row in &mut self.rows {
            if let Some(next) = next.get_mut((row.parent as usize).min(top)) {
                row.index = *next;
                *next += 1;
            }
        }
        let mut of_xml: Vec<u32> = (0..self.rows.len() as u32)
            .filter(|row| self.rows.get(*row as usize).is_some_and(|row| is_of_xml(row.kind)))
            .collect();
        let key = |row: &u32| {
            let row = self.rows.get(*row as usize)?;
            let name = if word(row.kind) == "element" { self.text(row.name) } else { nameless(row.kind).as_bytes() };
            Some((row.parent, name))
        };
        of_xml.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(a.cmp(b)));
        let mut numbers = Vec::with_capacity(of_xml.len());
        for same in of_xml.chunk_by(|a, b| key(a) == key(b)).filter(|same| same.len() > 1) {
            numbers.extend(same.iter().zip(1..).map(|(row, nth)| (*row, nth)));
        }
        for (row, nth) in numbers {
            if let Some(row) = self.rows.get_mut(row as usize) {
                row.nth = nth;
            }
        }
    }

    /// The path of a row, as [`row_at`](Inspection::row_at) reads it.
    #[must_use]
    pub fn path(&self, row: u32) -> String {
        let mut steps = Vec::new();
        let mut row = self.rows.get(row as usize);
        while let Some(here) = row {
            steps.extend(self.step(here));
            row = self.rows.get(here.parent as usize);
        }
        let path = steps.iter().rev().fold(String::new(), |path, step| path + "/" + step);
        if path.is_empty() { "/".to_owned() } else { path }
    }

    /// The step of a path that leads to a row from those above it, if it takes one.
    pub(super) fn step(&self, row: &Row) -> Option<String> {
        let above = self.rows.get(row.parent as usize);
        match self.shape {
            #[cfg(feature = "asn1")]
            Shape::Values => above.map(|_| escape_step(&self.name(row))),
            #[cfg(feature = "asn1")]
            Shape::Elements => above.map(|_| row.index.to_string()),
            Shape::Units => self.step_of_unit(row, above),
        }
    }

    fn step_of_unit(&self, row: &Row, above: Option<&Row>) -> Option<String> {
        let numbered = |step: String| if row.nth > 0 { format!("{step}[{}]", row.nth) } else { step };
        match (above.map(|above| word(above.kind)), word(row.kind)) {
            (_, "attributes" | "document") => None,
            (None, _) if !is_of_xml(row.kind) => None,
            (Some("array"), _) => Some(row.index.to_string()),
            (Some("object"), _) => Some(escape_step(&self.name(row))),
            (_, "attribute") => Some(format!("@{}", self.name(row))),
            (_, "element") => Some(numbered(self.name(row))),
            _ => Some(numbered(nameless(row.kind).to_owned())),
        }
    }

    /// The row at a path; of several elements of a name the first.
    #[must_use]
    pub fn row_at(&self, path: &str) -> Option<u32> {
        let steps = path.strip_prefix('/')?;
        let mut here = None;
        for step in steps.split('/').filter(|_| !steps.is_empty()) {
            here = Some(self.child_at(here, &unescape_step(step))?);
        }
        here.or_else(|| (!self.rows.is_empty()).then_some(0))
    }

    /// The row that a step of a path leads to, from a row or from above the message. Siblings are counted once for a step, not
    /// for each of them.
    fn child_at(&self, from: Option<u32>, step: &str) -> Option<u32> {
        let root = self.rows.first()?;
        let parent = match from {
            Some(row) => row,
            // The root element of XML is a step, other roots are not.
            None if self.shape == Shape::Units && is_of_xml(root.kind) => {
                let is_top = |row: &u32| self.rows.get(*row as usize).is_some_and(|row| row.depth == 0);
                return (0..self.rows.len() as u32).filter(is_top).find(|row| self.is_step(*row, step));
            }
            None => 0,
        };
        let above = self.rows.get(parent as usize)?;
        let is_of_units = self.shape == Shape::Units;
        let has_indexes = match self.shape {
            Shape::Units => word(above.kind) == "array",
            #[cfg(feature = "asn1")]
            Shape::Values => false,
            #[cfg(feature = "asn1")]
            Shape::Elements => true,
        };
        if has_indexes {
            return self.children(parent).nth(step.parse().ok()?);
        }
        let (name, number) = step
            .strip_suffix(']')
            .and_then(|step| step.rsplit_once('['))
            .and_then(|(name, number)| Some((name, number.parse::<usize>().ok()?.checked_sub(1)?)))
            .filter(|_| is_of_units && (is_of_xml(root.kind) || word(root.kind) == "document"))
            .unwrap_or((step, 0));
        let inside =
            |row: u32| matches!(self.rows.get(row as usize).map(|row| row.kind), Some(Kind::Word("attributes")));
        self.children(parent)
            .flat_map(|row| if inside(row) { self.children(row).collect::<Vec<_>>() } else { vec![row] })
            .filter(|row| self.is_step(*row, name))
            .nth(number)
    }

    /// Whether a row is what a step without a number names.
    fn is_step(&self, row: u32, step: &str) -> bool {
        let Some(row) = self.rows.get(row as usize) else { return false };
        match row.kind {
            Kind::Word("attribute") => {
                step.strip_prefix('@').is_some_and(|name| self.text(row.name) == name.as_bytes())
            }
            Kind::Word("text" | "CDATA" | "DOCTYPE" | "instruction" | "comment") => step == nameless(row.kind),
            _ => self.text(row.name) == step.as_bytes(),
        }
    }

    /// The rows directly below another.
    fn children(&self, parent: u32) -> impl Iterator<Item = u32> {
        let above = self.rows.get(parent as usize);
        let mut next = parent.wrapping_add(1);
        let end = above.map_or(self.rows.len() as u32, |row| row.end);
        std::iter::from_fn(move || {
            let row = next;
            (row < end).then(|| {
                next = self.rows.get(row as usize).map_or(end, |row| row.end);
                row
            })
        })
    }
}

/// The word of a type, or nothing for a type that the message names.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Word(word) => word,
        #[cfg(feature = "asn1")]
        Kind::Text(_) => "",
    }
}

/// The step to a unit of XML without a name. No element has such a name.
fn nameless(kind: Kind) -> &'static str {
    if matches!(word(kind), "text" | "CDATA") { "text()" } else { "node()" }
}

fn is_of_xml(kind: Kind) -> bool {
    matches!(word(kind), "element" | "text" | "CDATA" | "DOCTYPE" | "instruction" | "comment")
}

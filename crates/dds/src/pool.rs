//! Memory of messages before, kept for the next (the paper's section 3.5).

use std::sync::Arc;

use crate::markup::leaf::Leaf;
use crate::markup::scope::Scope;
use crate::rows::portions::Portions;
use crate::rows::{Leaves, Row};
use crate::schema::{Schema, Simple, TypeId};
use crate::trace::undo::Changes;
use crate::trace::{Part, Trace};
use crate::values::{Array, Items, Value};

/// The number of unused arrays that are kept, and searched for one of a kind.
const MOST: usize = 64;

/// Empty vectors with room in them.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    items: Vec<Items>,
    portions: Vec<Portions>,
    trace: Trace,
    scope: Scope,
    /// How items of each type were written last.
    rows: Vec<Option<Arc<Row>>>,
    holes: Vec<(Leaf, usize, Simple)>,
    changes: Changes,
}

impl Pool {
    /// An array without items of a type.
    pub(crate) fn array(&mut self, schema: &Schema, item: TypeId) -> Array {
        let mut array = Array::new(schema, item);
        let is_plain = !matches!(array.items, Items::Columns(_) | Items::Values(_));
        if is_plain && let Some(items) = self.kept(&array.items) {
            array.items = items;
        }
        array
    }

    /// Kept items of the type of others.
    fn kept(&mut self, like: &Items) -> Option<Items> {
        let kind = core::mem::discriminant(like);
        let found = self.items.iter().rev().take(MOST).position(|items| core::mem::discriminant(items) == kind)?;
        Some(self.items.swap_remove(self.items.len() - 1 - found))
    }

    /// No items, of the type of others.
    pub(crate) fn items_like(&mut self, like: &Items) -> Items {
        self.kept(like).unwrap_or_else(|| like.emptied())
    }

    /// Bytes of memory kept.
    pub(crate) fn bytes(&self) -> usize {
        let own_rows = self.rows.iter().flatten().filter(|row| Arc::strong_count(row) == 1);
        self.items.iter().map(Items::bytes).sum::<usize>()
            + self.items.capacity() * size_of::<Items>()
            + self.portions.iter().map(Portions::bytes).sum::<usize>()
            + self.portions.capacity() * size_of::<Portions>()
            + self.trace.bytes()
            + self.scope.bytes()
            + own_rows.map(|row| size_of::<Row>() + row.bytes()).sum::<usize>()
            + self.rows.capacity() * size_of::<Option<Arc<Row>>>()
            + self.holes.capacity() * size_of::<(Leaf, usize, Simple)>()
            + self.changes.bytes()
    }

    /// Takes the memory of items.
    pub(crate) fn keep_items(&mut self, mut items: Items) {
        if !matches!(items, Items::Columns(_) | Items::Values(_)) {
            items.truncate(0);
            self.items.push(items);
        }
    }

    /// Takes the memory of portions.
    pub(crate) fn keep_portions(&mut self, mut portions: Portions) {
        portions.clear();
        self.portions.push(portions);
    }

    /// A message has been read: little is kept of what it did not need.
    pub(crate) fn trim(&mut self) {
        self.items.truncate(MOST);
        self.portions.truncate(MOST);
    }

    /// Portions of a run.
    pub(crate) fn portions(&mut self) -> Portions {
        self.portions.pop().unwrap_or_default()
    }

    /// A trace of nothing.
    pub(crate) fn trace(&mut self) -> Trace {
        core::mem::take(&mut self.trace)
    }

    /// Namespaces in scope.
    pub(crate) fn scope(&mut self) -> Scope {
        core::mem::take(&mut self.scope)
    }

    /// The row of an item of a type, that which items of the type had before, if it is the same; `None` if it cannot be one.
    pub(crate) fn row(
        &mut self,
        item: TypeId,
        bytes: &[u8],
        start: usize,
        end: usize,
        leaves: &Leaves,
    ) -> Option<Arc<Row>> {
        let number = item.0 as usize;
        if self.rows.len() <= number {
            self.rows.resize(number + 1, None);
        }
        let known = self.rows.get_mut(number)?;
        if !known.as_ref().is_some_and(|row| row.is_of(bytes, start, end, leaves)) {
            *known = Row::learn(bytes, start, end, leaves).map(Arc::new);
        }
        known.clone()
    }

    /// Nothing that a message has changed yet.
    pub(crate) fn changes(&mut self) -> Changes {
        core::mem::take(&mut self.changes)
    }

    pub(crate) fn keep_changes(&mut self, mut changes: Changes) {
        changes.clear();
        self.changes = changes;
    }

    /// Room for the elements of an item.
    pub(crate) fn holes(&mut self) -> Vec<(Leaf, usize, Simple)> {
        core::mem::take(&mut self.holes)
    }

    pub(crate) fn keep_holes(&mut self, mut holes: Vec<(Leaf, usize, Simple)>) {
        holes.clear();
        self.holes = holes;
    }

    /// Takes the memory of a value that is not wanted any more.
    pub(crate) fn keep(&mut self, value: Value) {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Record(values) => waiting.extend(values),
                Value::Array(Array { items: Items::Values(values), .. }) => waiting.extend(values),
                Value::Array(Array { items, .. }) => self.keep_items(items),
                _ => {}
            }
        }
    }

    /// Takes the memory of a trace.
    pub(crate) fn keep_trace(&mut self, mut trace: Trace) {
        for part in trace.parts.drain(..) {
            if let Part::Run(run) = part {
                self.keep_portions(run.portions);
            }
        }
        trace.steps.clear();
        trace.absent = 0;
        trace.bindings.clear();
        self.trace = trace;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Matching, Options};
    use crate::reader::Reader;
    use crate::schema::{Member, Style};
    use crate::templates::template::Template;

    /// Arrays of ints in an array, and of texts beside.
    fn message(arrays: usize, name: &str) -> Vec<u8> {
        let array = |n: usize| {
            let ints: String = (n..n + 20).map(|int| format!("<{name}>{int}</{name}>")).collect();
            format!("<list>{ints}</list>")
        };
        let arrays: String = (0..arrays).map(array).collect();
        format!(
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><m:send xmlns:m=\"urn:m\">\
             <data>{arrays}</data></m:send></e:Body></e:Envelope>"
        )
        .into_bytes()
    }

    #[test]
    #[cfg_attr(miri, ignore = "long: messages of 500 arrays")]
    fn runs_share_how_items_are_written_and_memory_is_used_again() {
        let mut schema = Schema::new();
        let int = schema.simple(Simple::Int);
        let ints = schema.array(int);
        let lists = schema.array(ints);
        let parameters = schema.parameters([Member::new("data", lists)]);
        schema.method("urn:m", "send", parameters, Style::Encoded);
        let reader = Reader::new(schema, &Options::default().with_matching(Matching::Never));
        let mut template = Template::new(reader.clone());
        let mut whole = 0;
        for (arrays, name) in [(500, "i"), (500, "item"), (500, "i"), (2, "i"), (500, "item")] {
            let text = message(arrays, name);
            assert_eq!(*template.read(&mut text.clone()).unwrap(), reader.read(&text).unwrap());
            let places = template.state.as_ref().and_then(|state| state.places.as_ref()).unwrap();
            let rows = places.2.parts.iter().filter_map(|part| match part {
                Part::Run(run) => Some(&run.row),
                _ => None,
            });
            let rows: Vec<_> = rows.collect();
            assert!(rows.len() == arrays && rows.iter().all(|row| Arc::ptr_eq(row, rows[0])));
            let kept = template.stats().memory;
            match arrays {
                2 => assert!(kept < whole / 2, "{kept} {whole}"),
                _ if whole == 0 => whole = kept,
                // The buffers of two messages, and of what they are read into no more than of one.
                _ => assert!(kept < whole + 2 * text.len() as u64, "{kept} {whole}"),
            }
        }
    }
}

//! Memory of messages before, kept for the next (the paper's section 3.5).

use crate::schema::{Schema, TypeId};
use crate::scope::Scope;
use crate::trace::{Part, Portions, Trace};
use crate::value::{Array, Items, Value};

/// So many arrays are kept.
const MOST: usize = 64;

/// Empty vectors with room in them.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    items: Vec<Items>,
    portions: Vec<Portions>,
    parts: Vec<Part>,
    scope: Scope,
}

impl Pool {
    /// An array without items of a type.
    pub(crate) fn array(&mut self, schema: &Schema, item: TypeId) -> Array {
        let mut array = Array::new(schema, item);
        let kind = core::mem::discriminant(&array.items);
        let is_plain = !matches!(array.items, Items::Columns(_) | Items::Values(_));
        if is_plain && let Some(at) = self.items.iter().position(|items| core::mem::discriminant(items) == kind) {
            array.items = self.items.swap_remove(at);
        }
        array
    }

    /// No items, of the type of others.
    pub(crate) fn items_like(&mut self, like: &Items) -> Items {
        let kind = core::mem::discriminant(like);
        match self.items.iter().position(|items| core::mem::discriminant(items) == kind) {
            Some(at) => self.items.swap_remove(at),
            None => like.emptied(),
        }
    }

    /// Bytes of memory kept.
    pub(crate) fn bytes(&self) -> usize {
        self.items.iter().map(Items::bytes).sum::<usize>() + self.portions.iter().map(Portions::bytes).sum::<usize>()
    }

    /// Takes the memory of items.
    pub(crate) fn keep_items(&mut self, mut items: Items) {
        if self.items.len() < MOST && !matches!(items, Items::Columns(_) | Items::Values(_)) {
            items.truncate(0);
            self.items.push(items);
        }
    }

    /// Takes the memory of portions.
    pub(crate) fn keep_portions(&mut self, mut portions: Portions) {
        if self.portions.len() < MOST {
            portions.clear();
            self.portions.push(portions);
        }
    }

    /// Portions of a run.
    pub(crate) fn portions(&mut self) -> Portions {
        self.portions.pop().unwrap_or_default()
    }

    /// The parts of a trace.
    pub(crate) fn parts(&mut self) -> Vec<Part> {
        core::mem::take(&mut self.parts)
    }

    /// Namespaces in scope.
    pub(crate) fn scope(&mut self) -> Scope {
        core::mem::take(&mut self.scope)
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
    pub(crate) fn keep_trace(&mut self, trace: Trace) {
        let mut parts = trace.parts;
        for part in parts.drain(..) {
            if let Part::Run(run) = part {
                self.keep_portions(run.portions);
            }
        }
        self.parts = parts;
    }
}

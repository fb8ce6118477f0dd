//! Which group each element belongs to, where that depends on the elements after it.
//!
//! In `(a{3,5})*`, the fourth of six elements belongs to the second group, but the fourth of seven to the first. Groups
//! are UNTAGGED and leave no trace in the instance, so several values are written as the same instance. The reader takes
//! the value whose inner groups are as long as the schema allows. It scans the instance beforehand, but only if an
//! element with such content comes.

use tam::Error;
use xsd::content::Model;
use xsd::internal::{EventKind, Tally};
use xsd::{Options, Schema, TypeId, Validator};

/// The elements whose content can be grouped in several ways, and how far they have been read.
#[derive(Debug)]
pub(super) struct Groupings<'a> {
    xml: &'a [u8],
    options: &'a Options,
    /// All of them in order; `None` before the instance has been scanned.
    known: Option<Vec<AmbiguousElement>>,
    /// The index of the first that has not been read or passed over.
    next: usize,
    open: Vec<OpenElement>,
}

/// An element whose content can be grouped in several ways.
#[derive(Debug)]
struct AmbiguousElement {
    /// Where it begins, which several elements of an entity have in common.
    at: usize,
    /// For each child, how many groups that could take it end before it.
    passed: Vec<u32>,
}

/// An open element that is being read.
#[derive(Clone, Copy, Debug)]
struct OpenElement {
    /// How many elements are open, itself included.
    depth: usize,
    /// Its index among the ambiguous elements.
    known: usize,
    /// How many children it has so far.
    children: usize,
}

/// An open element that is being scanned.
struct Tallied<'s> {
    /// Its index among the ambiguous elements.
    at: usize,
    model: &'s Model,
    tally: Tally,
}

impl<'a> Groupings<'a> {
    pub(super) fn new(xml: &'a [u8], options: &'a Options) -> Groupings<'a> {
        Groupings { xml, options, known: None, next: 0, open: Vec::new() }
    }

    /// Begins an element of a type at a place; `depth` is the number of open elements, itself included. What is taken from the
    /// instance before may have had others in it.
    #[inline(never)]
    pub(super) fn begin(&mut self, schema: &Schema, ty: Option<TypeId>, depth: usize, at: usize) -> Result<(), Error> {
        if several(schema, ty).is_none() {
            return Ok(());
        }
        if self.known.is_none() {
            self.known = Some(scan(schema, self.xml, self.options)?);
        }
        let known = self.known.as_deref().unwrap_or_default();
        let first = known.partition_point(|known| known.at < at).max(self.next);
        if known.get(first).is_some_and(|known| known.at == at) {
            self.open.push(OpenElement { depth, known: first, children: 0 });
            self.next = first + 1;
        }
        Ok(())
    }

    /// Whether an ambiguous element is open.
    #[inline]
    pub(super) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// How many groups that could take the next child of the innermost element end before it.
    #[inline(never)]
    pub(super) fn passed(&mut self, depth: usize) -> u32 {
        match self.open.last_mut() {
            Some(open) if open.depth == depth => {
                open.children += 1;
                let known = self.known.as_ref().and_then(|known| known.get(open.known));
                known.and_then(|known| known.passed.get(open.children - 1)).copied().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Ends the innermost element; `depth` is the number of open elements, itself included.
    #[inline(never)]
    pub(super) fn end(&mut self, depth: usize) {
        if self.open.last().is_some_and(|open| open.depth == depth) {
            self.open.pop();
        }
    }
}

/// The content model of a type, if content can be grouped in several ways.
fn several(schema: &Schema, ty: Option<TypeId>) -> Option<&Model> {
    match ty {
        Some(TypeId::Complex(id)) => Some(schema.model(id)).filter(|model| !model.is_countable()),
        _ => None,
    }
}

/// Scans an instance up to its end or its first error. The reader finds the same error later.
fn scan(schema: &Schema, xml: &[u8], options: &Options) -> Result<Vec<AmbiguousElement>, Error> {
    let mut validator = Validator::new(schema, xml, options)?;
    let (mut known, mut open): (Vec<AmbiguousElement>, Vec<Option<Tallied<'_>>>) = (Vec::new(), Vec::new());
    while let Ok(Some(kind)) = validator.step() {
        match kind {
            EventKind::Start => {
                let Some(start) = validator.state.started() else { continue };
                if let (Some(Some(parent)), Some(transition)) = (open.last_mut(), start.transition) {
                    parent.tally.push(transition.to);
                }
                open.push(several(schema, start.ty).map(|model| {
                    known.push(AmbiguousElement { at: validator.reader.event_place(), passed: Vec::new() });
                    Tallied { at: known.len() - 1, model, tally: Tally::default() }
                }));
            }
            EventKind::End => end(&mut known, open.pop().flatten()),
            EventKind::Text | EventKind::Nothing => {}
        }
    }
    while let Some(last) = open.pop() {
        end(&mut known, last);
    }
    Ok(known)
}

fn end(known: &mut [AmbiguousElement], ended: Option<Tallied<'_>>) {
    if let Some(Tallied { at, model, tally }) = ended {
        known[at].passed = tally.finish(model);
    }
}

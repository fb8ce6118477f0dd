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

/// The elements that need one, and where they have been read to.
#[derive(Debug)]
pub(super) struct Groupings<'a> {
    xml: &'a [u8],
    options: &'a Options,
    /// All of them in order; `None` before the instance has been looked through.
    known: Option<Vec<AmbiguousElement>>,
    open: Vec<OpenElement>,
}

/// An element whose content can be counted in several ways.
#[derive(Debug)]
struct AmbiguousElement {
    /// The number of the event that it begins with.
    event: u64,
    /// For each child how many groups that could go on with it end instead.
    passed: Vec<u32>,
}

/// One that has been read to a child.
#[derive(Clone, Copy, Debug)]
struct OpenElement {
    /// How many elements are open, itself included.
    depth: usize,
    known: usize,
    children: usize,
}

/// One that is looked through.
struct Tallied<'s> {
    /// Which it is.
    at: usize,
    model: &'s Model,
    tally: Tally,
}

impl<'a> Groupings<'a> {
    pub(super) fn new(xml: &'a [u8], options: &'a Options) -> Groupings<'a> {
        Groupings { xml, options, known: None, open: Vec::new() }
    }

    /// An element of a type begins, the how-manieth that is open.
    #[inline(never)]
    pub(super) fn begin(&mut self, schema: &Schema, ty: Option<TypeId>, depth: usize, event: u64) -> Result<(), Error> {
        if several(schema, ty).is_none() {
            return Ok(());
        }
        if self.known.is_none() {
            self.known = Some(found(schema, self.xml, self.options)?);
        }
        let known = self.known.as_deref().unwrap_or_default();
        if let Ok(known) = known.binary_search_by_key(&event, |known| known.event) {
            self.open.push(OpenElement { depth, known, children: 0 });
        }
        Ok(())
    }

    /// Whether elements are open whose content can be counted in several ways.
    #[inline]
    pub(super) fn are_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// How many groups that could go on with the next child of the innermost element end before it.
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

    /// The innermost element ends, the how-manieth that is open.
    #[inline(never)]
    pub(super) fn end(&mut self, depth: usize) {
        if self.open.last().is_some_and(|open| open.depth == depth) {
            self.open.pop();
        }
    }
}

/// The model of a type whose content can be counted in several ways.
fn several(schema: &Schema, ty: Option<TypeId>) -> Option<&Model> {
    match ty {
        Some(TypeId::Complex(id)) => Some(schema.model(id)).filter(|model| !model.is_countable()),
        _ => None,
    }
}

/// Looks an instance through. Where it is not valid it is known up to there: who reads it meets the same error.
fn found(schema: &Schema, xml: &[u8], options: &Options) -> Result<Vec<AmbiguousElement>, Error> {
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
                    known.push(AmbiguousElement { event: validator.state.event_number(), passed: Vec::new() });
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

//! What regular mode remembers of a message: where its values are.
//!
//! These are the checkpoints of the paper's section 3.1, predicted rather than saved: between two of
//! the remembered places is markup. Where the bytes are the same, it means the same, and the
//! state after an item of an array is the state before it, one item on.

pub(crate) mod undo;

use std::sync::Arc;

use crate::markup::leaf::Leaf;
use crate::markup::scope::Bindings;
use crate::rows::Row;
use crate::rows::portions::Portions;
use crate::schema::TypeId;

/// The place of a value, in the order of the message.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// The element of one simple value.
    Slot { leaf: Leaf, ty: TypeId, path: Path },
    /// The number of items in an `arrayType`: those of the run that follows.
    Count { start: usize, end: usize },
    /// Items of an array that are written alike.
    Run(Box<Run>),
    /// Where an item of an array begins that is not of columns, or where the last one has ended.
    Mark(Mark),
}

/// A checkpoint between items of an array: a message that differs here may be the same again from one of them on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) at: usize,
    /// The path of the array: one range of steps for all marks of an array, and for no others.
    pub(crate) path: Path,
    /// Which of the trace's bindings are in scope.
    pub(crate) bindings: u32,
    /// The number of the item; of a mark at the end, how many there are.
    pub(crate) item: u32,
    /// Members that are left out up to the next mark; `None` at the end of the array.
    pub(crate) absent: Option<u32>,
}

impl Mark {
    /// Bytes between marks at the least, so that short items do not take much memory.
    pub(crate) const LEAST: usize = 64;
}

impl Part {
    /// Where it begins and, unless it is a run, ends; of a run, where the first portion ends.
    pub(crate) fn range(&self) -> (usize, usize) {
        match self {
            Part::Slot { leaf, .. } => (leaf.start, leaf.end),
            Part::Count { start, end } => (*start, *end),
            Part::Run(run) => {
                let first = run.portions.list.first().map_or(0, |portion| portion.bytes.into());
                (run.start, run.start + first)
            }
            Part::Mark(mark) => (mark.at, mark.at),
        }
    }
}

/// The path of a value in another: a range of a trace's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    start: u32,
    len: u32,
}

/// Items of one array, side by side, written alike.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Where the first item begins: after the start tag of the array, or after what comes before.
    pub(crate) start: usize,
    /// How its items are written, which other runs may share.
    pub(crate) row: Arc<Row>,
    pub(crate) portions: Portions,
    /// The path of the array.
    pub(crate) path: Path,
    /// Number in the array of the first item.
    pub(crate) first: usize,
    /// Whether there is nothing in the array but these items.
    pub(crate) whole: bool,
    /// Whether a [`Part::Count`] says how many there are.
    pub(crate) counted: bool,
    /// Which of the trace's bindings are in scope.
    pub(crate) bindings: u32,
}

/// What is remembered of a message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) parts: Vec<Part>,
    pub(crate) steps: Steps,
    /// Members that are left out, which have room in their compounds all the same.
    pub(crate) absent: usize,
    /// The namespaces in scope in arrays.
    pub(crate) bindings: Vec<Bindings>,
}

/// The steps of all paths: numbers of members and of items.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps(Vec<u32>);

impl Steps {
    pub(crate) fn push(&mut self, step: usize) {
        self.0.push(step as u32);
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The path of all steps from the `start`th on; `None` where there are more than can be counted.
    pub(crate) fn path(&self, start: usize) -> Option<Path> {
        Some(Path { start: start.try_into().ok()?, len: (self.0.len() - start).try_into().ok()? })
    }

    pub(crate) fn of(&self, path: Path) -> &[u32] {
        let start = path.start as usize;
        self.0.get(start..start + path.len as usize).unwrap_or(&[])
    }

    /// Puts the steps of a path after the last.
    pub(crate) fn extend_from(&mut self, path: Path) {
        let start = path.start as usize;
        self.0.extend_from_within(start..start + path.len as usize);
    }

    /// Puts steps after the last.
    pub(crate) fn extend(&mut self, steps: &[u32]) {
        self.0.extend_from_slice(steps);
    }

    /// Forgets a path, and those after it.
    pub(crate) fn forget_from(&mut self, path: Path) {
        self.0.truncate(path.start as usize);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// More bindings than this are not kept: elements declare prefixes of their own then.
const MOST_BINDINGS: usize = 16;

/// Bindings that are not kept.
const UNKNOWN: u32 = u32::MAX;

impl Trace {
    /// Keeps the bindings that `make` makes, if there is room; their number.
    pub(crate) fn add_bindings(&mut self, make: impl FnOnce() -> Bindings) -> u32 {
        if self.bindings.len() == MOST_BINDINGS {
            return UNKNOWN;
        }
        self.bindings.push(make());
        self.bindings.len() as u32 - 1
    }

    /// Where the last part ends, `None` where there is none; `is_cut` where runs are left out of what is kept.
    pub(crate) fn end(&self, is_cut: bool) -> Option<usize> {
        Some(match self.parts.last()? {
            Part::Run(run) if is_cut => run.start,
            Part::Slot { leaf, .. } => leaf.end,
            Part::Count { end, .. } => *end,
            Part::Run(run) => run.start + run.portions.len(),
            Part::Mark(mark) => mark.at,
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        let mut row = None;
        let own = |part: &Part| match part {
            Part::Run(run) => {
                // Runs that share one mostly follow each other.
                let is_shared = row.replace(Arc::as_ptr(&run.row)) == Some(Arc::as_ptr(&run.row));
                size_of_val(&**run) + run.portions.bytes() + if is_shared { 0 } else { run.row.bytes() }
            }
            Part::Slot { .. } | Part::Count { .. } | Part::Mark(_) => 0,
        };
        let own = self.parts.iter().map(own).sum::<usize>();
        let bindings = self.bindings.iter().map(Bindings::bytes).sum::<usize>();
        own + bindings + self.parts.capacity() * size_of::<Part>() + self.steps.0.capacity() * size_of::<u32>()
    }
}

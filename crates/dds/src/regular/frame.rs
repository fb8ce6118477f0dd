//! The elements that are open, and where their next value goes.

use crate::markup::scan::RawName;
use crate::regular::twin::{List, Twin};
use crate::schema::compiled::Compiled;
use crate::schema::{Occurs, TypeId};
use crate::trace::{Mark, Part, Path, Steps};
use crate::values::{Array, Value};

/// An element that is open.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) name: RawName,
    pub(crate) mark: usize,
    /// Where it began: the place after what came before it.
    pub(crate) start: usize,
    /// Parts there were before it.
    pub(crate) parts: usize,
    pub(crate) kind: Kind,
    pub(crate) run: LastRun,
    /// What it is compared with.
    pub(crate) twin: Option<Box<Twin>>,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Record { ty: TypeId, values: Vec<Value>, last: usize },
    Array { ty: TypeId, array: Array, declared: Option<usize>, count: Option<usize> },
}

/// What is known of how the items of the array are written that is being read.
#[derive(Debug, Default)]
pub(crate) struct LastRun {
    /// Which part the last run is, and where it or the last marked item ended.
    pub(crate) part: Option<usize>,
    pub(crate) end: usize,
    pub(crate) runs: u32,
    pub(crate) rows: u32,
    /// The last mark, unless items were taken since; and the members left out before it.
    pub(crate) mark: Option<usize>,
    pub(crate) absent: usize,
    /// The path and the bindings of all marks.
    pub(crate) marks: Option<(Path, u32)>,
    /// The array of the message before, whose items are taken.
    pub(crate) list: List,
}

/// No item follows: whether the array is one run is known now, and the last item has ended.
pub(crate) fn finish(parts: &mut Vec<Part>, absent: usize, last: &LastRun, length: Option<usize>) {
    if let Some(Part::Run(run)) = last.part.and_then(|part| parts.get_mut(part)) {
        run.whole = last.runs == 1 && Some(run.portions.items) == length;
    }
    if let Some((path, bindings)) = last.marks {
        end_items(parts, absent, last);
        let item = length.unwrap_or(0) as u32;
        parts.push(Part::Mark(Mark { at: last.end, path, bindings, item, absent: None }));
    }
}

/// The items from the last mark on have ended: how many members are left out in them is known now.
pub(crate) fn end_items(parts: &mut [Part], absent: usize, last: &LastRun) {
    if let Some(Part::Mark(mark)) = last.mark.and_then(|mark| parts.get_mut(mark)) {
        mark.absent = Some((absent - last.absent) as u32);
    }
}

/// The array that the next value goes to.
pub(crate) fn top_array(frames: &mut [Frame]) -> Option<(&mut Array, &mut LastRun)> {
    let frame = frames.last_mut()?;
    let array = match &mut frame.kind {
        Kind::Array { array, .. } => array,
        Kind::Record { values, last, .. } => match &mut values[*last] {
            Value::Array(array) => array,
            _ => return None,
        },
    };
    Some((array, &mut frame.run))
}

/// The array that the next value goes to.
pub(crate) fn array_path(frames: &[Frame], schema: &Compiled, steps: &mut Steps) -> Option<Path> {
    let start = steps.len();
    push_steps(frames, schema, steps);
    steps.pop();
    steps.path(start)
}

/// Where the next value goes.
pub(crate) fn path(frames: &[Frame], schema: &Compiled, steps: &mut Steps) -> Option<Path> {
    let start = steps.len();
    push_steps(frames, schema, steps);
    steps.path(start)
}

fn push_steps(frames: &[Frame], schema: &Compiled, steps: &mut Steps) {
    for frame in frames {
        match &frame.kind {
            Kind::Array { array, .. } => steps.push(array.len),
            Kind::Record { ty, values, last } => {
                steps.push(*last);
                if schema.members(*ty).get(*last).is_some_and(|member| member.occurs == Occurs::Many)
                    && let Some(Value::Array(array)) = values.get(*last)
                {
                    steps.push(array.len);
                }
            }
        }
    }
}

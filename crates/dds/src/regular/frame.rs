//! The elements that are open, and where their next value goes.

use crate::markup::scan::RawName;
use crate::schema::compiled::Compiled;
use crate::schema::{Occurs, TypeId};
use crate::trace::{Part, Path, Steps};
use crate::values::{Array, Value};

/// An element that is open.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) name: RawName,
    pub(crate) mark: usize,
    /// Where it began: the place behind what stood before it.
    pub(crate) start: usize,
    /// Parts there were before it.
    pub(crate) parts: usize,
    pub(crate) kind: Kind,
    pub(crate) run: LastRun,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Record { ty: TypeId, values: Vec<Value>, last: usize },
    Array { ty: TypeId, array: Array, declared: Option<usize>, count: Option<usize> },
}

/// What is known of how the items of the array are written that is being read.
#[derive(Debug, Default)]
pub(crate) struct LastRun {
    /// Which part the last run is, and where it ended.
    pub(crate) part: Option<usize>,
    pub(crate) end: usize,
    pub(crate) runs: u32,
    pub(crate) rows: u32,
}

/// No item follows: whether the array is one run is known now.
pub(crate) fn finish(parts: &mut [Part], last: &LastRun, length: Option<usize>) {
    let Some(part) = last.part else { return };
    if let Some(Part::Run(run)) = parts.get_mut(part) {
        run.whole = last.runs == 1 && Some(run.portions.items) == length;
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

/// Where the array stands that the next value goes to.
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

//! What a message takes from the one before it, when it has been read.

use core::ops::Range;

use crate::markup::scope::Bindings;
use crate::regular::Reading;
use crate::trace::{Part, Path, Steps, Trace};
use crate::values::Value;

/// Items of an array of the message before that are items of an array of this one.
#[derive(Clone, Debug)]
pub(crate) struct Take {
    /// How many parts of this message come before them.
    pub(crate) at: usize,
    /// Their parts in the message before.
    pub(crate) parts: Range<usize>,
    /// Where they begin in the message before, and in this one.
    pub(crate) bytes: (usize, usize),
    /// The array in the message before, and the items.
    pub(crate) old: Vec<u32>,
    pub(crate) old_items: Range<usize>,
    /// The array in this message, and the first place for them.
    pub(crate) new: Path,
    pub(crate) new_item: usize,
    /// Whether they are taken a second time, so that this is a copy.
    pub(crate) copies: bool,
}

/// All that is taken, in the order of the message.
#[derive(Debug, Default)]
pub(crate) struct Takes(Vec<Take>);

impl Takes {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn push(&mut self, take: Take) {
        self.0.push(take);
    }

    /// What these take is also taken as a part of something larger.
    pub(crate) fn copy(&mut self, takes: Range<usize>) {
        for take in self.0.get_mut(takes).unwrap_or(&mut []) {
            take.copies = true;
        }
    }

    /// Moves what is taken out of the message before; if `copies`, that one is left as it is.
    pub(crate) fn commit(mut self, reading: &mut Reading, old: &mut Trace, old_value: &mut Value, copies: bool) {
        if copies {
            self.copy(0..self.0.len());
        }
        let Reading { trace, value, .. } = reading;
        let taken: usize = self.0.iter().map(|take| take.parts.len()).sum();
        // Runs of columns have their parts already.
        if taken > 0 {
            let own = core::mem::take(&mut trace.parts);
            let mut parts = Vec::with_capacity(own.len() + taken);
            let mut own = own.into_iter();
            let mut passed = 0;
            // The numbers that bindings of the message before have in this one.
            let mut bindings: Vec<Option<u32>> = vec![None; old.bindings.len()];
            for take in self.0.iter().filter(|take| !take.parts.is_empty()) {
                parts.extend(own.by_ref().take(take.at - passed));
                passed = take.at;
                move_parts(take, old, &mut bindings, trace, &mut parts);
            }
            parts.extend(own);
            trace.parts = parts;
        }
        for take in self.0 {
            let Some(Value::Array(old)) = old_value.at_mut(&take.old) else { continue };
            let Some(Value::Array(new)) = value.at_mut(trace.steps.of(take.new)) else { continue };
            new.items.claim(take.new_item, &mut old.items, take.old_items, take.copies);
        }
    }
}

/// Moves the parts of some items to the end of others.
fn move_parts(take: &Take, old: &mut Trace, known: &mut [Option<u32>], trace: &mut Trace, to: &mut Vec<Part>) {
    let Trace { parts, steps, bindings, .. } = old;
    let mut places = Places { steps, bindings, known, take, last: None, marks: Vec::new() };
    let (from, start) = take.bytes;
    let shift = |at: usize| at - from + start;
    for part in parts.get_mut(take.parts.clone()).unwrap_or(&mut []) {
        let nothing = Part::Count { start: 0, end: 0 };
        let mut part = if take.copies { part.clone() } else { core::mem::replace(part, nothing) };
        match &mut part {
            Part::Slot { leaf, path, .. } => {
                (leaf.start, leaf.end) = (shift(leaf.start), shift(leaf.end));
                *path = places.path(*path, &mut trace.steps);
            }
            Part::Count { start, end } => (*start, *end) = (shift(*start), shift(*end)),
            Part::Run(run) => {
                run.start = shift(run.start);
                run.path = places.path(run.path, &mut trace.steps);
                run.bindings = places.bindings(run.bindings, trace);
            }
            Part::Mark(mark) => {
                mark.at = shift(mark.at);
                if places.steps.of(mark.path).len() == take.old.len() {
                    mark.item = (mark.item as usize - take.old_items.start + take.new_item) as u32;
                }
                mark.path = places.path_of_mark(mark.path, mark.absent.is_none(), &mut trace.steps);
                mark.bindings = places.bindings(mark.bindings, trace);
            }
        }
        to.push(part);
    }
}

/// The places of taken items in this message.
struct Places<'t> {
    /// Of the message before.
    steps: &'t Steps,
    bindings: &'t [Bindings],
    /// The numbers that its bindings have in this one.
    known: &'t mut [Option<u32>],
    take: &'t Take,
    /// Many parts have the path of the one before, and all marks of an array one path.
    last: Option<(Path, Path)>,
    marks: Vec<(Path, Path)>,
}

impl Places<'_> {
    fn bindings(&mut self, number: u32, trace: &mut Trace) -> u32 {
        let n = number as usize;
        let (Some(known), Some(bindings)) = (self.known.get_mut(n), self.bindings.get(n)) else { return number };
        *known.get_or_insert_with(|| match trace.bindings.iter().position(|other| other == bindings) {
            Some(place) => place as u32,
            None => trace.add_bindings(|| bindings.clone()),
        })
    }

    fn path_of_mark(&mut self, path: Path, is_last: bool, steps: &mut Steps) -> Path {
        let known = self.marks.iter().rposition(|(old, _)| *old == path);
        let new = match known {
            Some(known) => self.marks[known].1,
            None => {
                let new = self.path(path, steps);
                self.marks.push((path, new));
                new
            }
        };
        if is_last {
            self.marks.pop();
        }
        new
    }

    fn path(&mut self, path: Path, steps: &mut Steps) -> Path {
        if let Some((old, new)) = self.last
            && old == path
        {
            return new;
        }
        let Take { old, old_items, new, new_item, .. } = self.take;
        let rest = self.steps.of(path).get(old.len()..).unwrap_or(&[]);
        let new = match rest {
            [] => *new,
            [item, rest @ ..] => {
                let start = steps.len();
                steps.extend_from(*new);
                steps.push(*item as usize - old_items.start + new_item);
                steps.extend(rest);
                steps.path(start).unwrap_or(*new)
            }
        };
        self.last = Some((path, new));
        new
    }
}

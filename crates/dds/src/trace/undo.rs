//! Taking back what a message has changed in the one before it, where the message is then refused.
//!
//! Between messages a template has the bytes of the last one. So it is enough to remember which places have changed: their
//! values are read again from those bytes, which costs as much as changing them did.

use xml::kernels::numbers::GATHERED;

use crate::rows::marks::Marks;
use crate::rows::portions::Portions;
use crate::schema::compiled::Compiled;
use crate::trace::{Part, Run, Trace};
use crate::values::{Array, Value};

/// What a message has changed, in the order of the message.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    list: Vec<Change>,
    /// The part that is being gone over.
    pub(crate) part: usize,
}

#[derive(Clone, Copy, Debug)]
struct Change {
    part: usize,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// A slot or a count that had this many bytes.
    Place { len: usize },
    /// Items from one on, which is the first of a portion; where they began and ended.
    Items { portion: usize, item: usize, start: usize, end: usize, is_cut: bool },
    /// All items of a run: how many there were, and where they began.
    Run { items: usize, start: usize },
}

impl Changes {
    pub(crate) fn place(&mut self, len: usize) {
        self.list.push(Change { part: self.part, what: What::Place { len } });
    }

    /// Items have changed whose bytes were those from `start` to `end`. Where `is_cut`, some after them may have changed too.
    #[inline(always)]
    pub(crate) fn items(&mut self, portion: usize, item: usize, start: usize, end: usize, is_cut: bool) {
        if let Some(Change { part, what: What::Items { end: last, is_cut: false, .. } }) = self.list.last_mut()
            && (*part, *last) == (self.part, start)
            && !is_cut
        {
            *last = end;
            return;
        }
        self.list.push(Change { part: self.part, what: What::Items { portion, item, start, end, is_cut } });
    }

    pub(crate) fn run(&mut self, items: usize, start: usize) {
        self.list.push(Change { part: self.part, what: What::Run { items, start } });
    }

    /// The last change has not happened.
    pub(crate) fn pop(&mut self) {
        self.list.pop();
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Change>()
    }

    /// Makes `trace` and `value` again those of `message`, in which the first part begins after `old_at`, and after `new_at` in
    /// the one whose changes these are. `None` where that fails.
    pub(crate) fn undo(
        &self,
        message: &[u8],
        (mut old_at, mut new_at): (usize, usize),
        trace: &mut Trace,
        value: &mut Value,
        schema: &Compiled,
        portion: u32,
    ) -> Option<()> {
        let Trace { parts, steps, .. } = trace;
        let mut changes = self.list.iter().peekable();
        for (n, part) in parts.iter_mut().enumerate().take(self.part + 1) {
            let is_done = n < self.part;
            let mut own = core::iter::from_fn(|| changes.next_if(|change| change.part == n));
            match part {
                Part::Run(run) => {
                    let new_start = run.start;
                    let len = run.portions.len();
                    if is_done {
                        run.start = (old_at + new_start).checked_sub(new_at)?;
                    }
                    let mut array = None;
                    for change in own {
                        if array.is_none() {
                            let Some(Value::Array(found)) = value.at_mut(steps.of(run.path)) else { return None };
                            array = Some(found);
                        }
                        restore(message, run, array.as_deref_mut()?, change.what, portion)?;
                    }
                    (old_at, new_at) = (run.start + run.portions.len(), new_start + len);
                }
                // A part that was not gone over to its end is as it was.
                Part::Slot { .. } | Part::Count { .. } | Part::Mark(_) if !is_done => break,
                Part::Slot { leaf, ty, path } => {
                    let (new_start, new_end) = (leaf.start, leaf.end);
                    let start = (old_at + new_start).checked_sub(new_at)?;
                    let mut len = new_end - new_start;
                    if let Some(Change { what: What::Place { len: old }, .. }) = own.next() {
                        len = *old;
                        let (text, _) = leaf.name.read(message, start)?;
                        *value.at_mut(steps.of(*path))? = schema.value(*ty, &text)?;
                    }
                    (leaf.start, leaf.end) = (start, start + len);
                    (old_at, new_at) = (leaf.end, new_end);
                }
                Part::Mark(mark) => {
                    let new = mark.at;
                    mark.at = (old_at + new).checked_sub(new_at)?;
                    (old_at, new_at) = (mark.at, new);
                }
                Part::Count { start, end } => {
                    let (new_start, new_end) = (*start, *end);
                    let mut len = new_end - new_start;
                    if let Some(Change { what: What::Place { len: old }, .. }) = own.next() {
                        len = *old;
                    }
                    *start = (old_at + new_start).checked_sub(new_at)?;
                    *end = *start + len;
                    (old_at, new_at) = (*end, new_end);
                }
            }
        }
        Some(())
    }
}

/// Reads items of a run again.
fn restore(message: &[u8], run: &mut Run, array: &mut Array, what: What, least: u32) -> Option<()> {
    let Run { row, portions, first, .. } = run;
    match what {
        What::Place { .. } => None,
        What::Run { items, start } => {
            array.items.truncate(0);
            (0..items).for_each(|_| array.items.push(Value::Absent));
            array.len = items;
            *portions = Portions::default();
            let mut marks = Marks::new(portions, least, true);
            let mut at = start;
            for n in 0..items {
                let end = row.restore(message, at, &mut array.items, n)?;
                marks.item(marks.room(at, end)?);
                at = end;
            }
            marks.finish();
            Some(())
        }
        What::Items { portion, item, start, end, is_cut } => {
            let (mut at, mut n, mut left) = (start, item, if is_cut { GATHERED + 1 } else { 0 });
            for portion in portions.list.get_mut(portion..)? {
                let begin = at;
                for _ in 0..portion.items {
                    if at >= end {
                        if left == 0 {
                            return Some(());
                        }
                        left -= 1;
                    }
                    let end = row.restore(message, at, &mut array.items, *first + n)?;
                    portions.lens.replace_one(n, end - at)?;
                    (at, n) = (end, n + 1);
                }
                portion.bytes = u16::try_from(at - begin).ok()?;
            }
            Some(())
        }
    }
}

//! A run of which the instance before has another one like it: items that both have are taken, the others are read.

use dds::checkpoints::{Alignment, within};
use tam::Error;
use text::xml::Ahead;
use xml::kernels::numbers::GATHERED;
use xml::kernels::{self, Job, Kernel};
use xsd::Validator;

use super::super::place::OpenGroup;
use super::super::reader::Reader;
use super::super::trail::OldRun;
use super::run::{Replaced, Run};

/// Items before and after the one expected that are looked at.
const WINDOW: usize = 16;
/// After a few items that differ, only one in this many is looked for.
const PATIENCE: u32 = 16;

/// Fewer items than these are read as fast as they are found; if that happens so often in a row, reading goes on without
/// looking for a while.
const FEW: usize = 24;
const SHORT: u32 = 4;

/// What a look at an item costs, in bytes that are read.
const LOOK: usize = 16;

impl<'r> Reader<'r> {
    /// The run of the instance before that is likely to have something in common with one at a place.
    pub(super) fn counterpart(&mut self, validator: &Validator<'_, '_>, at: usize, scope: u64) -> Option<OldRun<'r>> {
        let old = self.old_run(validator, at, scope)?;
        let row = self.memory.known(old.plan).row.as_ref()?;
        (row.id == old.row && row.scope == scope).then_some(old)
    }

    /// Reads a run from a place on, if the instance before has one there of which something is the same. Returns the position
    /// after it and the number of events so far.
    pub(super) fn follow(
        &mut self,
        validator: &mut Validator<'_, '_>,
        ahead: &Ahead<'_>,
        at: usize,
        events: u64,
        scope: u64,
    ) -> Result<Option<(usize, u64)>, Error> {
        let Some(old) = self.counterpart(validator, at, scope) else { return Ok(None) };
        if !self.may_run(validator, old.plan, old.leaf) {
            return Ok(None);
        }
        self.begin_run(validator, at, scope);
        let run = Run { reader: self, validator, ahead, plan: old.plan, end: at, events };
        let Followed { end, rest, taken, cost } = kernels::run(Follow { run, old })?;
        if end == at {
            return Ok(None);
        }
        self.end_run(validator, end, scope, (old.plan, old.row, old.leaf));
        self.pass_run(&old, rest, end, taken, cost);
        // Events are only counted where an instance is read whole.
        Ok(Some((end, events)))
    }
}

/// A run, and the one of the instance before.
struct Follow<'a, 'r, 'v, 'x, 't, 'o> {
    run: Run<'a, 'r, 'v, 'x, 't>,
    old: OldRun<'o>,
}

/// What became of it.
struct Followed<'o> {
    /// Where it ends, and what is left of that of the instance before.
    end: usize,
    rest: OldRun<'o>,
    /// How many bytes were taken, and what looking for them cost, in bytes that are read.
    taken: usize,
    cost: usize,
}

impl<'o> Job for Follow<'_, '_, '_, '_, '_, 'o> {
    type Output = Result<Followed<'o>, Error>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Follow { mut run, old } = self;
        let OldRun { text, start, lens, cell, first, .. } = old;
        let mut both = Alignment::new(text, run.ahead.text.as_bytes(), start, run.end);
        // The item of the run before that may come next, how many in a row were read, and how many are read at once.
        let (mut next, mut misses, mut batch) = (0, 0u32, 2);
        let (mut taken, mut cost, mut short) = (0, 0, 0u32);
        loop {
            if short > SHORT && next < lens.len() {
                // Little is taken at once, so reading without comparing is faster.
                let count = GATHERED.min(lens.len() - next);
                let read = run.read(kernel, count, None)?;
                let passed = lens.iter().skip(next).take(read).map(|len| usize::from(*len)).sum::<usize>();
                both.resume(both.old_at + passed, run.end);
                (next, short) = (next + read, SHORT);
                if read < count {
                    break;
                }
            }
            let (count, len) = within(lens.get(next..).unwrap_or_default(), both.same_by(kernel));
            if count > 0 {
                run.take(&old, next..next + count)?;
                (run.end, taken) = (run.end + len, taken + len);
                both.skip(len);
                (next, misses, batch) = (next + count, 0, 2);
                short = if count < FEW { short + 1 } else { 0 };
            }
            cost += LOOK;
            if next >= lens.len() {
                while run.read(kernel, GATHERED, None)? == GATHERED {}
                break;
            }
            if (misses == 1 || misses == 2 || misses > 0 && misses.is_multiple_of(PATIENCE))
                && let Some((found, at)) = around(lens, next, both.old_at, |at, len| both.is_item(at, run.end, len))
            {
                cost += LOOK * WINDOW;
                (next, misses) = (found, 0);
                both.resume(at, run.end);
                continue;
            }
            let rest = lens.get(next..).unwrap_or_default();
            let replaced = Replaced { cell, first: first as usize + next };
            let read = run.read(kernel, batch.min(rest.len()), Some(replaced))?;
            if read == 0 {
                break;
            }
            let passed = rest.iter().take(read).map(|len| usize::from(*len)).sum::<usize>();
            both.resume(both.old_at + passed, run.end);
            (next, misses, batch) = (next + read, misses + 1, (4 * batch).min(GATHERED));
        }
        let rest = old.rest(next, both.old_at);
        Ok(Followed { end: run.end, rest, taken, cost })
    }
}

impl Run<'_, '_, '_, '_, '_> {
    /// Takes items of a run of the instance before.
    #[inline(always)]
    fn take(&mut self, old: &OldRun<'_>, which: std::ops::Range<usize>) -> Result<(), Error> {
        let Reader { filler, open, trail, .. } = &mut *self.reader;
        let (first, items) = (old.first + which.start as u32, which.len() as u32);
        if let Some(OpenGroup::List { at, node, level, count, .. }) = open.last_mut() {
            *level = filler.take_items((*at, *node, *level, *count), old.cell, first..first + items)?;
            *count += items;
        }
        if let Some(trail) = trail {
            trail.lens.extend_from_slice(old.lens.get(which).unwrap_or_default());
            trail.cells += u64::from(items) * old.cells_each;
        }
        Ok(())
    }
}

/// The nearest item around one for which `is` holds: its number, and where it begins. `is` gets where one begins, and its
/// length.
#[inline]
fn around(lens: &[u16], expected: usize, at: usize, is: impl Fn(usize, usize) -> bool) -> Option<(usize, usize)> {
    let (mut below, mut above) = ((expected, at), (expected, at));
    for _ in 0..WINDOW {
        if let Some(len) = below.0.checked_sub(1).and_then(|before| lens.get(before)) {
            below = (below.0 - 1, below.1 - usize::from(*len));
            if is(below.1, (*len).into()) {
                return Some(below);
            }
        }
        if let Some(len) = lens.get(above.0) {
            let next = (above.0 + 1, above.1 + usize::from(*len));
            if lens.get(next.0).is_some_and(|len| is(next.1, (*len).into())) {
                return Some(next);
            }
            above = next;
        }
    }
    None
}

//! A run of which the instance before has another one like it: items that both have are taken, the others are read.

use tam::Error;
use text::xml::Ahead;
use xml::kernels::alignment::{Alignment, is_same_at, within};
use xml::kernels::numbers::{Compared, GATHERED};
use xml::kernels::{self, Job, Kernel};
use xsd::Validator;

use super::super::place::OpenGroup;
use super::super::reader::Reader;
use super::super::trail::OldRun;
use super::run::{NumberKind, Run};

/// Items before and after the one expected that are looked at.
const WINDOW: usize = 16;
/// After so many items in a row that differ, those around are looked at; if that is in vain, only after one in so many
/// batches.
const PATIENCE: usize = 4;
const SELDOM: u32 = 16;
/// Where many differ, so many records are read before one is compared again.
const SEVERAL: usize = 8;

/// So many numbers in a row are taken at once; fewer are compared and read in one loop.
const FEW: usize = 24;

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

/// What is left of the run of the instance before, where both instances correspond, and how many items in a row may differ.
pub(super) struct Old<'b, 'o> {
    pub(super) run: &'b OldRun<'o>,
    pub(super) both: &'b mut Alignment<'o>,
    pub(super) patience: usize,
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
        let Follow { mut run, mut old } = self;
        let (all, number) = (old, run.number());
        let mut both = Alignment::new(old.text, run.ahead.text.as_bytes(), old.start, run.end);
        let (mut taken, mut cost, mut patience, mut misses) = (0, 0, PATIENCE, 0_u32);
        loop {
            let (count, compared) = run.compare(kernel, number, Old { run: &old, both: &mut both, patience })?;
            taken += compared.same_bytes;
            cost += LOOK;
            if run.end != both.new_at {
                // A number was read that is not allowed.
                old = old.after(count);
                break;
            }
            old = all.rest(all.lens.len() - old.lens.len() + count, both.old_at);
            if old.lens.is_empty() {
                while run.read(kernel, GATHERED)? == GATHERED {}
                break;
            }
            if compared.same > 0 {
                (patience, misses) = (PATIENCE, 0);
            }
            if compared.in_a_row < patience {
                if count < GATHERED {
                    break;
                }
                continue;
            }
            misses += 1;
            if misses > 1 && !misses.is_multiple_of(SELDOM) {
                continue;
            }
            cost += LOOK * WINDOW;
            let is_item = |at, len| is_same_at(kernel, (old.text, at), (run.ahead.text.as_bytes(), run.end), len);
            if let Some((found, at)) = around(all.lens, all.lens.len() - old.lens.len(), old.start, is_item) {
                (old, patience) = (all.rest(found, at), PATIENCE);
                both.resume(at, run.end);
            } else {
                patience = GATHERED;
            }
        }
        Ok(Followed { end: run.end, rest: old, taken, cost })
    }
}

impl Run<'_, '_, '_, '_, '_> {
    /// Takes items that are the same as those of the run before, and reads the others: some of them, or until too
    /// many in a row differ. Returns how many.
    #[inline(always)]
    fn compare<K: Kernel>(
        &mut self,
        kernel: K,
        number: Option<NumberKind>,
        old: Old<'_, '_>,
    ) -> Result<(usize, Compared), Error> {
        let Old { run: old, both, patience } = old;
        let (mut next, mut compared) = (*old, Compared::default());
        let few = if number.is_some() { FEW } else { 1 };
        loop {
            let (count, len) = within(next.lens, both.same_by(kernel));
            if count >= few {
                self.take(&next, count)?;
                both.skip(len);
                compared = Compared { same: compared.same + count, same_bytes: compared.same_bytes + len, in_a_row: 0 };
                self.end += len;
                next = next.rest(count, both.old_at);
            }
            let passed = old.lens.len() - next.lens.len();
            if let Some(number) = number {
                let wanted = GATHERED.min(next.lens.len());
                let (read, more) = self.numbers_of(number, wanted, Some(Old { run: &next, both, patience }))?;
                return Ok((passed + read, compared.and(more)));
            }
            let wanted = if patience == PATIENCE { 1 } else { SEVERAL }.min(next.lens.len());
            let read = if compared.in_a_row < patience { self.rows(kernel, wanted)? } else { 0 };
            if read == 0 {
                return Ok((passed, compared));
            }
            (compared.in_a_row, next) = (compared.in_a_row + read, next.after(read));
            both.resume(next.start, self.end);
        }
    }

    /// Takes so many items of the run before.
    #[inline(always)]
    fn take(&mut self, old: &OldRun<'_>, count: usize) -> Result<(), Error> {
        let Run { reader, plan, .. } = self;
        let Reader { filler, open, memory, trail, .. } = &mut **reader;
        let items = count as u32;
        if let Some(OpenGroup::List { at, node, level, count, .. }) = open.last_mut() {
            *level = filler.take_items((*at, *node, *level, *count), old.cell, old.first..old.first + items)?;
            *count += items;
        }
        if let Some(trail) = trail {
            trail.lens.extend_from_slice(old.lens.get(..count).unwrap_or_default());
            let inside =
                memory.known.get(*plan as usize).and_then(|known| known.row.as_ref()).map_or(0, |row| row.cells);
            trail.cells += u64::from(items) * inside;
        }
        Ok(())
    }
}

/// The nearest item around one for which `is` holds: its number, and where it begins. `is` gets where one begins, and its
/// length.
#[inline]
pub(super) fn around(
    lens: &[u16],
    expected: usize,
    at: usize,
    is: impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
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

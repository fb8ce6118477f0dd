//! Differential mode: from one message to the next (the paper's sections 3.2 to 3.5).
//!
//! The places of values are known from the message before. Between them the bytes must be the same, and
//! then mean the same; the values are compared, and read where they differ. Whatever does not fit is
//! left to regular mode.

pub(crate) mod cursor;
mod rehash;
mod slots;
mod update;

pub(crate) use self::cursor::Arrived;
use self::cursor::{Cursor, Outcome};
use crate::hash::Hasher;
use crate::markup::leaf::Leaf;
use crate::markup::scan::Scanner;
use crate::markup::scope::Scope;
use crate::matching::{self, Alignment};
use crate::options::Options;
use crate::pool::Pool;
use crate::regular;
use crate::schema::TypeId;
use crate::schema::compiled::Compiled;
use crate::soap::envelope::Header;
use crate::soap::head::{self, Head};
use crate::stats::Stats;
use crate::trace::undo::Changes;
use crate::trace::{Mark, Part, Run, Trace};
use crate::values::Value;

/// The message before: what was in it, and where.
#[derive(Debug)]
pub(crate) struct Last<'l> {
    /// Its bytes; without those of runs, if there is a hasher.
    pub(crate) message: &'l [u8],
    /// How many bytes it had.
    pub(crate) len: usize,
    pub(crate) head: &'l mut Head,
    pub(crate) scope: &'l mut Scope,
    pub(crate) trace: &'l mut Trace,
    pub(crate) value: &'l mut Value,
}

/// The next message cannot be read by the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Different {
    /// Bytes that were read in vain.
    pub(crate) wasted: usize,
}

/// What it costs to come to a slot that differs, in bytes of regular mode.
const SLOT: usize = 32;
/// What reading a byte of an envelope costs, in such bytes.
const HEAD: usize = 4;

/// After so many different slots in a row, an item may have another position in the message before.
const MOVED: u32 = 3;
/// So many items before the one expected are looked at then, and so many parts after it for the next.
const RECENT: usize = 4;
const AHEAD: usize = 32;

/// A message that is read by the one before it: which part comes next, and places in the two that
/// correspond.
#[derive(Debug)]
pub(crate) struct Progress {
    part: usize,
    old_at: usize,
    new_at: usize,
    /// The envelope, where it is another.
    head: Option<(Head, Scope)>,
    /// The number of items in an `arrayType`, if it is another.
    count: Option<usize>,
    /// How far the run is gone over that comes next.
    cursor: Option<Cursor>,
    /// How many bytes of both are the same from here on, if that is known.
    same: Option<usize>,
    /// Slots that differed, one after the other, and where the last items between marks began in the message before.
    misses: u32,
    recent: [usize; RECENT],
    /// What has changed in the message before.
    changes: Changes,
    /// The header blocks, where the envelope is another.
    headers: Option<Vec<Header>>,
    /// Whether the memory that is kept is to be counted anew.
    is_resized: bool,
    /// Bytes of values that were read, and what that cost, in bytes of regular mode.
    read: usize,
    cost: usize,
}

/// By what messages are compared.
#[derive(Debug)]
pub(crate) struct Context<'c> {
    pub(crate) schema: &'c Compiled,
    pub(crate) options: &'c Options,
    pub(crate) hasher: Option<&'c Hasher>,
    pub(crate) pool: &'c mut Pool,
    pub(crate) stats: &'c mut Stats,
}

impl Progress {
    /// Compares the envelopes; `None` where too little has arrived. `same` is how many bytes of both are, if that is known.
    pub(crate) fn begin(
        last: &Last<'_>,
        new: Arrived<'_>,
        same: Option<usize>,
        context: &mut Context<'_>,
    ) -> Result<Option<Progress>, Different> {
        let untouched = Different { wasted: same.unwrap_or(0) / 4 };
        if new.is_whole {
            // A few bytes first: most messages that are of another kind end in another way.
            let tail = last.trace.end(context.hasher.is_some()).unwrap_or(last.head.at);
            if !new.bytes.ends_with(last.message.get(tail..).unwrap_or(&[])) {
                return Err(untouched);
            }
            if !regular::has_room(new.bytes, &context.options.limits, last.trace.absent) {
                return Err(untouched);
            }
        }
        let at = last.head.at;
        let mut head = None;
        if !new.has(0, at) {
            return Ok(None);
        }
        let is_same = match same {
            Some(same) => same >= at,
            None => new.bytes.get(..at) == last.message.get(..at),
        };
        if !is_same {
            let another = another_head(last, new.bytes, context);
            head = Some(another.map_err(|read| Different { wasted: HEAD * read })?);
        }
        let new_at = head.as_ref().map_or(at, |(head, _)| head.at);
        let cost = head.as_ref().map_or(0, |(head, _)| HEAD * head.at);
        let (part, old_at, same) = (0, at, same.and_then(|same| same.checked_sub(at)));
        Ok(Some(Progress {
            part,
            old_at,
            new_at,
            head,
            count: None,
            cursor: None,
            same,
            misses: 0,
            recent: [usize::MAX; RECENT],
            changes: context.pool.changes(),
            headers: None,
            is_resized: false,
            read: 0,
            cost,
        }))
    }

    /// Makes the values those of `new`, as far as it has arrived; whether that is all of them.
    pub(crate) fn advance(
        &mut self,
        last: &mut Last<'_>,
        new: Arrived<'_>,
        context: &mut Context<'_>,
    ) -> Result<bool, Different> {
        let mut matching = Alignment::new(last.message, new.bytes, self.old_at, self.new_at);
        if let Some(known) = self.same.take() {
            matching = matching.with(known);
        }
        let mut update = Update { progress: self, matching, old_len: last.len, new, value: last.value, context };
        let went = update.parts(last.trace);
        let (old_at, new_at) = (update.matching.old_at, update.matching.new_at);
        (self.old_at, self.new_at) = (old_at, new_at);
        match went {
            Some(Outcome::Whole) => {
                if let Some((mut head, scope)) = self.head.take() {
                    self.headers = Some(core::mem::take(&mut head.headers));
                    (*last.head, *last.scope) = (head, scope);
                }
                Ok(true)
            }
            Some(Outcome::Waits) => Ok(false),
            None => Err(Different { wasted: self.cost + self.new_at / 12 }),
        }
    }

    /// Where the next that has not been compared begins.
    pub(crate) fn at(&self) -> usize {
        self.new_at
    }

    /// Makes all places and values again those of the message before.
    pub(crate) fn undo(mut self, last: &mut Last<'_>, context: &mut Context<'_>) -> Option<()> {
        self.changes.part = self.part;
        let new_at = self.head.as_ref().map_or(last.head.at, |(head, _)| head.at);
        let Context { schema, options, pool, .. } = context;
        let slots = (last.head.at, new_at);
        let undone = self.changes.undo(last.message, slots, last.trace, last.value, schema, options.portion());
        pool.keep_changes(self.changes);
        undone
    }

    /// What a message leaves that has been read: its header blocks, where its envelope is another, and whether more or less
    /// memory is kept.
    pub(crate) fn finish(&mut self, pool: &mut Pool) -> (Option<Vec<Header>>, bool) {
        pool.keep_changes(core::mem::take(&mut self.changes));
        (self.headers.take(), self.is_resized)
    }

    /// Bytes that were read.
    pub(crate) fn read(&self) -> usize {
        self.read
    }

    /// What reading them cost, in bytes of regular mode.
    pub(crate) fn cost(&self) -> usize {
        self.cost
    }
}

/// The envelope differs: it may, as long as the same namespaces are in scope for the message in it, and
/// the same end tags are due. Otherwise the bytes that were read in vain.
fn another_head(last: &Last<'_>, new: &[u8], context: &mut Context<'_>) -> Result<(Head, Scope), usize> {
    let mut scanner = Scanner { bytes: new, at: 0 };
    let mut scope = context.pool.scope();
    let depth = context.options.limits.depth;
    let head = head::read(&mut scanner, &mut scope, context.schema, depth).map_err(|_| scanner.at)?;
    let names = |head: &Head, message: &[u8]| {
        [&head.envelope, &head.body].map(|name| message.get(name.start..name.end).map(<[u8]>::to_vec))
    };
    let is_same = head.version == last.head.version
        && names(&head, new) == names(last.head, last.message)
        && scope.is_same(new, last.scope, last.message);
    if is_same { Ok((head, scope)) } else { Err(scanner.at) }
}

struct Update<'a, 'c> {
    progress: &'a mut Progress,
    matching: Alignment<'a>,
    old_len: usize,
    new: Arrived<'a>,
    value: &'a mut Value,
    context: &'a mut Context<'c>,
}

impl Update<'_, '_> {
    /// Parts and the markup between them; their places become those of the new message.
    fn parts(&mut self, trace: &mut Trace) -> Option<Outcome> {
        let Trace { parts, steps, .. } = trace;
        loop {
            let n = self.progress.part;
            self.progress.changes.part = n;
            let is_counted = matches!(parts.get(n + 1), Some(Part::Run(run)) if run.counted);
            let next = parts.get(n + 1).map_or(self.matching.old.len(), |part| part.range().0);
            let Some(part) = parts.get_mut(n) else { break };
            let (begin, end) = part.range();
            if self.progress.cursor.is_none() && !self.new.has(self.matching.new_at, end - self.matching.old_at) {
                return Some(Outcome::Waits);
            }
            match part {
                Part::Slot { leaf, ty, path } => {
                    self.markup(begin)?;
                    self.slot(leaf, *ty, steps.of(*path))?;
                }
                Part::Count { start, end } => {
                    self.markup(begin)?;
                    self.progress.count = self.count(start, end, is_counted)?;
                }
                Part::Mark(_) => {
                    self.markup(begin)?;
                    self.check_moved(parts.get(n + 1..).unwrap_or(&[]))?;
                    if let Some(Part::Mark(mark)) = parts.get_mut(n) {
                        mark.at = self.matching.new_at;
                    }
                }
                Part::Run(run) => {
                    if self.progress.cursor.is_none() {
                        self.markup(begin)?;
                    }
                    if let Outcome::Waits = self.run(run, steps.of(run.path), next)? {
                        return Some(Outcome::Waits);
                    }
                    (self.progress.cursor, self.progress.count) = (None, None);
                }
            }
            self.progress.part += 1;
        }
        if !self.new.is_whole {
            return Some(Outcome::Waits);
        }
        let left = self.matching.old.len() - self.matching.old_at;
        let is_whole = self.matching.new.len() - self.matching.new_at == left;
        (is_whole && self.matching.is_same(left)).then_some(Outcome::Whole)
    }

    /// The markup must be the same up to a place in the message before.
    #[inline]
    fn markup(&mut self, old_end: usize) -> Option<()> {
        let len = old_end.checked_sub(self.matching.old_at)?;
        self.matching.is_same(len).then(|| self.matching.skip(len))
    }

    /// Finds out whether items were inserted or left out, so that each would be read into the place of another. Returns `None`
    /// if the next item has another position in the message before. `rest` are the parts after it.
    fn check_moved(&mut self, rest: &[Part]) -> Option<()> {
        let Progress { misses, recent, .. } = &mut *self.progress;
        let Alignment { old, new, old_at, new_at, .. } = self.matching;
        if *misses >= MOVED && self.context.hasher.is_none() {
            let next = new.get(new_at..new_at + Mark::LEAST);
            let is_next = |at: usize| next.is_some() && old.get(at..at.saturating_add(Mark::LEAST)) == next;
            let ahead = rest.iter().take(AHEAD).filter_map(|part| match part {
                Part::Mark(mark) => Some(mark.at),
                _ => None,
            });
            if !is_next(old_at) && recent.iter().copied().chain(ahead).any(is_next) {
                return None;
            }
        }
        recent.rotate_right(1);
        recent[0] = old_at;
        Some(())
    }

    fn slot(&mut self, leaf: &mut Leaf, ty: TypeId, path: &[u32]) -> Option<()> {
        let new_start = self.matching.new_at;
        let len = leaf.end - leaf.start;
        if self.matching.is_same(len) {
            self.matching.skip(len);
            self.progress.misses = 0;
        } else {
            self.progress.misses += 1;
            let (text, new_end) = leaf.name.read(self.matching.new, new_start)?;
            let value = self.context.schema.value(ty, &text)?;
            *self.value.at_mut(path)? = value;
            self.progress.changes.place(len);
            self.progress.read += new_end - new_start;
            self.progress.cost += new_end - new_start + SLOT;
            self.context.stats.switches += 1;
            self.matching.resume(leaf.end, new_end);
        }
        (leaf.start, leaf.end) = (new_start, self.matching.new_at);
        Some(())
    }

    /// The number of items, if it is another than before, which it may be where it `is_counted` by a run.
    fn count(&mut self, start: &mut usize, end: &mut usize, is_counted: bool) -> Option<Option<usize>> {
        let len = *end - *start;
        let new_start = self.matching.new_at;
        let mut count = None;
        if self.matching.is_same(len + 1) {
            self.matching.skip(len);
        } else {
            let rest = self.matching.new.get(new_start..)?;
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            count =
                Some(str::from_utf8(rest.get(..digits)?).ok()?.parse::<u32>().ok()? as usize).filter(|_| is_counted);
            count?;
            self.progress.changes.place(len);
            self.matching.resume(*end, new_start + digits);
        }
        (*start, *end) = (new_start, self.matching.new_at);
        Some(count)
    }

    /// Goes over a run of the array at `path`, after which the next part begins at `next` in the message before.
    fn run(&mut self, run: &mut Run, path: &[u32], next: usize) -> Option<Outcome> {
        // More or fewer items of an array without a count are only known at its end; unless all is the same, and
        // so ends as it did.
        // By hashes it is read as if there were as many items, and if not, what follows is not as it was.
        let may_be_open = !run.counted && run.whole && self.context.hasher.is_none() && self.progress.cursor.is_none();
        let is_open = may_be_open && !self.matching.is_same(next.saturating_sub(self.matching.old_at));
        let Some(Value::Array(array)) = self.value.at_mut(path) else { return None };
        let count = self.progress.count;
        let may_differ = is_open && self.old_len != self.new.bytes.len();
        if count.is_some_and(|count| count != run.portions.items) || may_differ || is_open && !self.new.is_whole {
            if !self.new.is_whole {
                // Where items come and go, what follows a difference is looked for in all of them. The
                // markup before them is found the same once more then.
                return Some(Outcome::Waits);
            }
            if !run.whole || count == Some(0) || self.context.hasher.is_some() {
                return None;
            }
            let Context { options, pool, stats, .. } = &mut *self.context;
            self.progress.changes.run(run.portions.items, self.matching.old_at);
            self.progress.is_resized = true;
            let resized = matching::run::resize(&mut self.matching, run, array, count, options.portion(), pool, stats);
            if resized.is_none() && !array.items.are_moved() {
                self.progress.changes.pop();
            }
            // What was given up went on for some time.
            let (read, cost) = resized.unwrap_or((0, run.portions.len() / 4));
            self.progress.read += read;
            self.progress.cost += cost;
            resized?;
            return Some(Outcome::Whole);
        }
        let Progress { cursor, changes, .. } = &mut *self.progress;
        let cursor = cursor.get_or_insert_with(|| Cursor::at(self.matching.new_at));
        let Some(went) = update::run(&mut self.matching, run, array, cursor, self.new, self.context.hasher, changes)
        else {
            let compared =
                if matching::run::is_fast(run, &array.items) { self.matching.new_at - cursor.start } else { 0 };
            let cost = cursor.done.cost + compared / 4;
            self.progress.cost += cost;
            return None;
        };
        if self.context.hasher.is_some() {
            // After hashed portions nothing is known of what comes next.
            self.matching.resume(self.matching.old_at, self.matching.new_at);
        }
        if let Outcome::Waits = went {
            return Some(went);
        }
        let (done, start) = (cursor.done, cursor.start);
        self.progress.read += done.read;
        self.progress.cost += done.cost;
        self.context.stats.switches += done.switches;
        self.context.stats.dirty_portions += done.dirty;
        self.context.stats.portions += run.portions.list.len() as u64;
        run.start = start;
        Some(Outcome::Whole)
    }
}

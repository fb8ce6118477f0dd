//! Progressive matching (the paper's sections 3.3 and 3.4). If a message differs in more than its values, it is read by its
//! tags, and items of arrays that the message before has as well are taken from it.
//!
//! An open element is paired with its *twin*: the element at the same path of the message before. If the next bytes are
//! those of items of the twin's array, they mean the same, because the array has the same type and prefixes have the same
//! meaning around it. Nothing is moved until the message has been read as a whole ([`super::take`]).

use core::ops::Range;

use crate::markup::scope::Bindings;
use crate::matching::run::{self, End, RunCursor};
use crate::matching::{Alignment, PATIENCE, WINDOW};
use crate::regular::frame::{self, Frame, Kind, LastRun, end_items, top_array};
use crate::regular::take::{Take, Takes};
use crate::regular::{Progress, Regular, Stop};
use crate::rows::marks::Marks;
use crate::schema::Occurs;
use crate::schema::compiled::CompiledType;
use crate::trace::{Mark, Part, Path, Trace};
use crate::values::{Items, Value};

/// After so many items that differ, only one in `PATIENCE` is looked for. The white space before an item belongs to it, so
/// that one more in front makes two that differ.
const EAGER: usize = 4;
/// What it costs to look at an item, in bytes of regular mode; so many compared bytes cost as much as one.
const LOOK: usize = 8;
const COMPARE: usize = 16;
/// So many parts are gone over for what a byte of regular mode costs.
const PARTS: usize = 4;
/// What looking in vain may cost in one message: this, and a share of the message before. How often it may is for the balance.
const STAKE: usize = 4096;
const SHARE: usize = 4;
/// The message before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Old<'o> {
    pub(crate) message: &'o [u8],
    pub(crate) method: usize,
    pub(crate) trace: &'o Trace,
    pub(crate) value: &'o Value,
    /// Whether all of the new message has arrived.
    pub(crate) is_whole: bool,
}

/// What a message takes from the one before.
#[derive(Debug, Default)]
pub(crate) struct Follow {
    pub(crate) takes: Takes,
    /// Bytes that were taken.
    pub(crate) taken: usize,
    /// What looking for them cost, in bytes of regular mode.
    pub(crate) cost: usize,
    /// How often reading began after items that were taken.
    pub(crate) switches: u64,
    /// The bindings that were looked up last, and their number in the trace.
    known: Option<((usize, usize), u32)>,
}

impl Follow {
    /// Whether looking has not cost too much for this message, so far.
    fn may_look(&self, old: Old<'_>) -> bool {
        self.cost <= STAKE + old.message.len() / SHARE + self.taken
    }
}

/// The element of the message before that an open element is paired with.
#[derive(Debug)]
pub(crate) struct Twin {
    /// Its path of member and item numbers.
    path: Vec<u32>,
    /// Its parts, and the next of them that has not been looked at.
    parts: Range<usize>,
    next: usize,
}

/// The array of the message before whose items are taken.
#[derive(Debug, Default)]
pub(crate) enum List {
    /// It has not been looked for.
    #[default]
    Unpaired,
    /// There is none.
    Missing,
    Items(Box<ItemList>),
    Runs(Box<RunList>),
}

/// Items between marks.
#[derive(Debug)]
pub(crate) struct ItemList {
    path: Vec<u32>,
    /// The parts that are marks, the last of them at the end, and the numbers of their items.
    marks: Vec<(usize, usize)>,
    /// The mark that is expected, and the first after what has been taken.
    expected: usize,
    free: usize,
    /// Items that were read one after the other, all of them and since the expected mark was another.
    misses: usize,
    passed: usize,
    /// The mark of the item that the open one is compared with, and the takes there were before.
    open: Option<(usize, usize)>,
    /// Marks of items of which parts have been taken, and these takes.
    lent: Vec<(usize, Range<usize>)>,
}

/// Items in runs.
#[derive(Debug)]
pub(crate) struct RunList {
    path: Vec<u32>,
    /// The parts that are runs of the array, from the one on that is gone over.
    runs: Range<usize>,
    cursor: RunCursor,
}

impl ItemList {
    fn len(&self) -> usize {
        self.marks.len() - 1
    }

    /// Takes note of what the open item has taken from its twin.
    fn settle(&mut self, takes: usize) {
        if let Some((item, before)) = self.open.take()
            && before < takes
        {
            self.lent.push((item, before..takes));
        }
    }

    /// An item is read by its tags, which is compared with that of the mark expected, if it is there alone.
    fn pass(&mut self, takes: usize) {
        (self.misses, self.passed) = (self.misses + 1, self.passed + 1);
        let item = |n: usize| self.marks.get(n).map(|(_, item)| *item);
        let (Some(from), Some(to)) = (item(self.expected), item(self.expected + 1)) else { return };
        if to - from == 1 {
            self.open = Some((self.expected, takes));
        }
        if self.passed >= to - from {
            (self.expected, self.passed) = (self.expected + 1, 0);
        }
    }

    /// Marks that may come next, the likeliest first.
    fn candidates(&self) -> impl Iterator<Item = usize> + use<> {
        let (expected, free, len) = (self.expected, self.free, self.len());
        let window = if self.misses < EAGER || self.misses.is_multiple_of(PATIENCE) { WINDOW } else { 0 };
        let around = (1..=window).flat_map(move |n| [expected.checked_sub(n), Some(expected + n)]);
        [Some(expected)].into_iter().chain(around).flatten().filter(move |&n| n >= free && n < len)
    }
}

impl Regular<'_, '_> {
    /// Marks where an item of an array begins, unless it is of columns; `mark` namespaces are declared around it.
    pub(crate) fn mark(&mut self, at: usize, mark: usize) {
        let Some((array, run)) = top_array(&mut self.progress.frames) else { return };
        if !matches!(array.items, Items::Values(_)) {
            return;
        }
        let marks = match run.marks {
            Some(marks) => Some(marks),
            None => self.array_place(mark),
        };
        self.pair(mark);
        let Progress { frames, trace: Trace { parts, absent, .. }, follow, .. } = &mut *self.progress;
        let (Some((array, run)), Some((path, bindings))) = (top_array(frames), marks) else { return };
        let last = run.mark.and_then(|mark| parts.get(mark));
        if !matches!(last, Some(Part::Mark(last)) if at - last.at < Mark::LEAST) {
            end_items(parts, *absent, run);
            (run.marks, run.mark, run.absent) = (marks, Some(parts.len()), *absent);
            parts.push(Part::Mark(Mark { at, path, bindings, item: array.len as u32, absent: Some(0) }));
        }
        if let List::Items(list) = &mut run.list {
            list.settle(follow.takes.len());
            list.pass(follow.takes.len());
        }
    }

    /// The path of the array that the next item goes to, and the number of the bindings around it.
    pub(crate) fn array_place(&mut self, mark: usize) -> Option<(Path, u32)> {
        let bindings = self.bindings(mark);
        let Progress { frames, trace, .. } = &mut *self.progress;
        Some((frame::array_path(frames, self.schema, &mut trace.steps)?, bindings))
    }

    /// Which of the trace's bindings the first `mark` declarations in scope are.
    fn bindings(&mut self, mark: usize) -> u32 {
        let Progress { scope, trace, follow, .. } = &mut *self.progress;
        let place = scope.place(mark);
        if let Some((known, number)) = follow.known
            && known == place
        {
            return number;
        }
        let known = trace.bindings.iter().position(|known| scope.is_bound(&self.scanner, mark, known));
        let number = match known {
            Some(number) => number as u32,
            None => trace.add_bindings(|| scope.bindings(&self.scanner, mark)),
        };
        follow.known = Some((place, number));
        number
    }

    /// The twin of an element that begins in the one that is open.
    pub(crate) fn twin(&self) -> Option<Box<Twin>> {
        let old = self.old?;
        let Some(Frame { twin, kind, run, .. }) = self.progress.frames.last() else {
            let parts = 0..old.trace.parts.len();
            return (old.method == self.progress.method).then(|| Box::new(Twin { path: Vec::new(), next: 0, parts }));
        };
        let twin = twin.as_deref()?;
        let (mut path, parts, step) = match (&run.list, kind) {
            (List::Items(list), _) => {
                let (mark, _) = list.open?;
                let (&(from, item), &(to, _)) = (list.marks.get(mark)?, list.marks.get(mark + 1)?);
                (list.path.clone(), from + 1..to, item)
            }
            (List::Unpaired, Kind::Record { last, .. }) => (twin.path.clone(), twin.next..twin.parts.end, *last),
            _ => return None,
        };
        path.push(step as u32);
        Some(Box::new(Twin { path, next: parts.start, parts }))
    }

    /// Pairs the open array with that of the message before, unless that was done. `mark` namespaces are declared around it.
    pub(crate) fn pair(&mut self, mark: usize) {
        let Some(old) = self.old else { return };
        let Some(Frame { twin: Some(_), kind, run: LastRun { list: List::Unpaired, .. }, .. }) =
            self.progress.frames.last()
        else {
            return;
        };
        if let Kind::Record { ty, values, last } = kind {
            // Where a name may be of several members, which one it is depends on those before.
            let CompiledType::Complex { members, distinct: true, .. } = self.schema.get(*ty) else { return };
            let is_list = members.get(*last).is_some_and(|member| member.occurs == Occurs::Many);
            if !is_list || !matches!(values.get(*last), Some(Value::Array(_))) {
                return;
            }
        }
        let bindings = self.progress.follow.may_look(old).then(|| self.bindings(mark));
        let Progress { frames, trace, follow, .. } = &mut *self.progress;
        let Some(frame) = frames.last_mut() else { return };
        let bindings = bindings.and_then(|bindings| trace.bindings.get(bindings as usize));
        let list = bindings.and_then(|bindings| find(old, frame, bindings, &mut follow.cost));
        frame.run.list = list.unwrap_or(List::Missing);
    }

    /// Takes the next items from the message before, if it has them.
    pub(crate) fn follow(&mut self) -> Result<(), Stop> {
        let Some(old) = self.old else { return Ok(()) };
        self.pair(self.progress.scope.mark());
        let Progress { frames, follow, .. } = &mut *self.progress;
        let Some(frame) = frames.last_mut() else { return Ok(()) };
        if !follow.may_look(old) {
            frame.run.list = List::Missing;
        }
        match frame.run.list {
            List::Items(_) => match self.next_items()? {
                Some(found) => self.take_items(&found).ok_or(Stop::ForGood),
                None => Ok(()),
            },
            List::Runs(_) => self.take_from_runs().ok_or(Stop::ForGood),
            _ => Ok(()),
        }
    }

    /// The items of the message before that come next.
    fn next_items(&mut self) -> Result<Option<Found>, Stop> {
        let Some(old) = self.old else { return Ok(None) };
        let (at, new) = (self.scanner.at, self.scanner.bytes);
        let Progress { frames, follow, .. } = &mut *self.progress;
        let Some(Frame { kind, run: LastRun { list: List::Items(list), .. }, .. }) = frames.last_mut() else {
            return Ok(None);
        };
        list.settle(follow.takes.len());
        let place = |n: usize| list.marks.get(n).map_or(usize::MAX, |&(part, _)| old.place(part));
        let most = match kind {
            Kind::Array { array, declared: Some(declared), .. } => declared.saturating_sub(array.len),
            _ => usize::MAX,
        };
        let mut looks = 0;
        let found = list.candidates().find_map(|n| {
            looks += 1;
            let (start, end) = (place(n), place(n + 1));
            let same = Alignment::new(old.message, new, start, at).same();
            follow.cost += same.min(end - start) / COMPARE;
            (same >= end - start).then_some((n, start, same))
        });
        follow.cost += if looks > 1 { looks * LOOK } else { 0 };
        let Some((mark, start, same)) = found else {
            let start = place(list.expected);
            let begun = old.message.get(start..start.saturating_add(new.len() - at)) == new.get(at..);
            let waits = !old.is_whole && list.expected < list.len() && begun;
            return if waits { Err(Stop::Here) } else { Ok(None) };
        };
        let item = |n: usize| list.marks.get(n).map_or(usize::MAX, |&(_, item)| item);
        let fits = |n: &usize| place(*n) - start <= same && item(*n) - item(mark) <= most;
        let count = (mark + 1..=list.len()).take_while(fits).count();
        Ok((count > 0).then(|| Found { marks: mark..mark + count, bytes: start..place(mark + count) }))
    }

    /// Takes items between marks.
    fn take_items(&mut self, found: &Found) -> Option<()> {
        let old = self.old?;
        let at = self.scanner.at;
        let own = match top_array(&mut self.progress.frames)?.1.marks {
            Some(marks) => marks,
            None => self.array_place(self.progress.scope.mark())?,
        };
        let Progress { frames, trace: Trace { parts, absent, .. }, follow, .. } = &mut *self.progress;
        let (array, run) = top_array(frames)?;
        end_items(parts, *absent, run);
        let List::Items(list) = &mut run.list else { return None };
        let [marks @ .., (last, end)] = list.marks.get(found.marks.start..=found.marks.end)? else { return None };
        let &(first, start) = marks.first()?;
        for (part, _) in marks {
            if let Some(Part::Mark(mark)) = old.trace.parts.get(*part) {
                *absent += mark.absent? as usize;
            }
        }
        for (_, takes) in list.lent.iter().filter(|(n, _)| found.marks.contains(n)) {
            follow.takes.copy(takes.clone());
        }
        follow.takes.push(Take {
            at: parts.len(),
            parts: first..*last,
            bytes: (found.bytes.start, at),
            old: list.path.clone(),
            old_items: start..*end,
            new: own.0,
            new_item: array.len,
            copies: false,
        });
        let count = *end - start;
        array.items.hold(&Items::Values(Vec::new()), 0..count);
        array.len += count;
        (list.free, list.expected, list.misses, list.passed) = (found.marks.end, found.marks.end, 0, 0);
        list.lent.retain(|(n, _)| *n >= found.marks.end);
        self.scanner.at = at + found.bytes.len();
        (run.marks, run.mark, run.end) = (Some(own), None, self.scanner.at);
        follow.taken += found.bytes.len();
        follow.switches += 1;
        Some(())
    }

    /// Takes items from runs, and reads those between them that are written like them.
    fn take_from_runs(&mut self) -> Option<()> {
        let old = self.old?;
        loop {
            let at = self.scanner.at;
            let frame = self.progress.frames.last()?;
            let List::Runs(list) = &frame.run.list else { return None };
            let (RunList { runs, path, .. }, mut cursor) = (&**list, list.cursor);
            let (Some(Part::Run(run)), Some(Value::Array(from))) =
                (old.trace.parts.get(runs.start), old.value.at(path))
            else {
                return None;
            };
            let most = match &frame.kind {
                Kind::Array { array, declared: Some(declared), .. } => declared.saturating_sub(array.len),
                _ => usize::MAX,
            };
            if most == 0 {
                return Some(());
            }
            let (path, is_last) = (path.clone(), runs.len() == 1);
            let first = top_array(&mut self.progress.frames)?.0.len;
            let LastRun { rows, runs, part: last, end, .. } = self.progress.frames.last()?.run;
            let Some(part) = self.open_run(at, &run.row, first) else {
                self.progress.frames.last_mut()?.run.list = List::Missing;
                return Some(());
            };
            let Progress { frames, trace: Trace { parts, .. }, follow, .. } = &mut *self.progress;
            let Some(Part::Run(own)) = parts.get_mut(part) else { return None };
            let (new, is_new) = (own.path, own.portions.items == 0);
            let mut marks = Marks::new(&mut own.portions, self.portion, true);
            let (array, own_run) = top_array(frames)?;
            let mut matching = Alignment::new(old.message, self.scanner.bytes, run.start, at);
            let takes = &mut follow.takes;
            let take = |items: &mut Items, before: usize, taken: Range<usize>| {
                let old_items = run.first + taken.start..run.first + taken.end;
                items.hold(&from.items, old_items.clone());
                if from.items.are_moved() {
                    let (parts, bytes, new_item) = (0..0, (0, 0), first + before);
                    takes.push(Take {
                        at: 0,
                        parts,
                        bytes,
                        old: path.clone(),
                        old_items,
                        new,
                        new_item,
                        copies: false,
                    });
                }
            };
            let mut done =
                run::follow(&mut matching, run, &mut cursor, &mut array.items, &mut marks, most, false, take)?;
            array.set_len(first + done.items);
            if is_last && matches!(done.end, End::Exhausted | End::Dear) {
                own_run.list = List::Missing;
                // What is left is read as usual.
                done.at = run.row.run(self.scanner.bytes, done.at, array, most - done.items, &mut marks);
            } else if let List::Runs(list) = &mut own_run.list {
                list.cursor = cursor;
            }
            marks.finish();
            own_run.end = done.at;
            self.scanner.at = done.at;
            follow.taken += done.taken;
            follow.cost += done.cost - done.read;
            follow.switches += done.switches;
            if is_new && array.len == first {
                // Nothing was there for a run.
                (own_run.rows, own_run.runs, own_run.part, own_run.end) = (rows, runs, last, end);
                parts.pop();
            }
            if is_last || done.end != End::Exhausted {
                return Some(());
            }
            let List::Runs(list) = &mut own_run.list else { return Some(()) };
            list.runs.start += 1;
            if let Some(Part::Run(run)) = old.trace.parts.get(list.runs.start) {
                list.cursor = RunCursor::new(run);
            }
        }
    }
}

impl RunList {
    /// Passes over an item that was read by its tags.
    pub(crate) fn pass(&mut self, old: Old<'_>) -> Option<()> {
        let Some(Part::Run(run)) = old.trace.parts.get(self.runs.start) else { return None };
        self.cursor.pass(run);
        Some(())
    }
}

/// The array of the message before that has the same path as that of `frame`.
fn find(old: Old<'_>, frame: &mut Frame, bindings: &Bindings, cost: &mut usize) -> Option<List> {
    let twin = frame.twin.as_deref_mut()?;
    let mut path = twin.path.clone();
    if let Kind::Record { last, .. } = &frame.kind {
        path.push(*last as u32);
    }
    let parts = &old.trace.parts;
    let place = |part: &Part| match part {
        Part::Mark(mark) => Some((mark.path, mark.bindings)),
        Part::Run(run) => Some((run.path, run.bindings)),
        _ => None,
    };
    let is = |part: &Part| place(part).is_some_and(|(place, _)| *old.trace.steps.of(place) == *path);
    let found = parts.get(twin.next..twin.parts.end)?.iter().position(is);
    *cost += found.unwrap_or(twin.parts.end - twin.next) / PARTS;
    let first = twin.next + found?;
    let (own, old_bindings) = place(parts.get(first)?)?;
    if bindings != old.trace.bindings.get(old_bindings as usize)? {
        return None;
    }
    let rest = parts.get(first..twin.parts.end)?;
    if let Part::Run(run) = parts.get(first)? {
        let runs = first..first + rest.iter().take_while(|part| is(part)).count();
        twin.next = runs.end;
        return Some(List::Runs(Box::new(RunList { path, runs, cursor: RunCursor::new(run) })));
    }
    let mut marks = Vec::new();
    for (n, part) in (first..).zip(rest) {
        if let Part::Mark(mark) = part
            && mark.path == own
        {
            marks.push((n, mark.item as usize));
            if mark.absent.is_none() {
                twin.next = n + 1;
                break;
            }
        }
    }
    *cost += marks.last()?.0.saturating_sub(first) / PARTS;
    let (expected, free, misses, passed, open, lent) = (0, 0, 0, 0, None, Vec::new());
    let list = ItemList { path, marks, expected, free, misses, passed, open, lent };
    (list.marks.len() > 1).then(|| List::Items(Box::new(list)))
}

/// Items of the message before: their marks and their bytes.
struct Found {
    marks: Range<usize>,
    bytes: Range<usize>,
}

impl Old<'_> {
    /// The position of a mark.
    fn place(&self, part: usize) -> usize {
        match self.trace.parts.get(part) {
            Some(Part::Mark(mark)) => mark.at,
            _ => usize::MAX,
        }
    }
}

//! Checkpoints of an instance, and what of it is taken from the instance before.
//!
//! Between two child elements of an element whose content is known, reading could begin anew: the state there is the place
//! in the content model, the groups that are open, and the bindings. What has been read between two such places is a
//! [`Span`], if it is some items of a list or some components of a record, whose cells can be copied. The engine of `dds`
//! finds the spans that the next instance has as well.

use asn1::event::At;
use asn1::{Level, NodeId};
use dds::checkpoints::{Follower, Span};
use tam::Error;
use xsd::Validator;
use xsd::content::{NodeId as LeafId, Place as ContentPlace};

use super::expect::{Changes, NONE, Places, RunPlace, run_around};
use super::lexical::unknown;
use super::place::{OpenGroup, SequenceRef};
use super::reader::Reader;

/// The least number of bytes between two checkpoints, and of an element whose own checkpoints are kept.
const LEAST: usize = 256;
const ELEMENT: usize = 1024;

/// The state between two child elements of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    place: ContentPlace,
    /// The set of bindings.
    scope: u64,
    /// How many groups of the element are open, and the next component of the innermost record.
    groups: u32,
    next: u32,
    /// Whether a list is open in that record.
    is_list: bool,
}

/// What has been read in a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// What cannot be taken as a whole.
    Other,
    /// Items of the list in a cell.
    Items { cell: u32, node: NodeId, first: u32, count: u32 },
    /// Components of a record, which may be an item in a run of a list.
    Components { level: Level, run: u32, of: SequenceRef, from: u32, to: u32 },
}

/// What is known of a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The states before and after it.
    before: Spot,
    after: Spot,
    content: Content,
    /// Of the spans inside an element, where the memory has its content.
    row: u32,
    /// The steps that checking it took, and its cells.
    steps: u32,
    cells: u32,
    /// If it is a run: where the lengths of its items begin, the number of their plan, of their row, and their leaf.
    run: Option<(u32, u32, u32, LeafId)>,
}

/// A run of the instance before.
#[derive(Clone, Copy, Debug)]
pub(super) struct OldRun<'o> {
    /// The number of its span.
    span: usize,
    /// The instance, where the run begins in it, and where the first of these items does.
    pub(super) text: &'o [u8],
    begin: usize,
    pub(super) start: usize,
    /// The bytes of each item.
    pub(super) lens: &'o [u16],
    pub(super) plan: u32,
    pub(super) row: u32,
    pub(super) leaf: LeafId,
    /// The cell of its list, the type of that, and the number of its first item.
    pub(super) cell: u32,
    node: NodeId,
    pub(super) first: u32,
    /// The state before it.
    before: Spot,
}

impl OldRun<'_> {
    /// What is left of it from an item on, which begins at a place.
    pub(super) fn rest(mut self, item: usize, start: usize) -> Self {
        self.start = start;
        self.first += item as u32;
        self.lens = self.lens.get(item..).unwrap_or_default();
        self
    }

    /// What is left of it after so many items.
    #[inline(always)]
    pub(super) fn after(self, items: usize) -> Self {
        let passed = self.lens.iter().take(items).map(|len| usize::from(*len)).sum::<usize>();
        self.rest(items, self.start + passed)
    }
}

/// What an instance leaves to the next: its spans, and the bytes of each item of its runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Checkpoints {
    pub(super) spans: Vec<Span<Mark>>,
    pub(super) lens: Vec<u16>,
    /// Where the values are, if nothing was taken from the instance before it.
    pub(super) places: Places,
    /// The most steps that checking it took, and its cells.
    steps: u64,
    cells: u64,
    /// Whether several values may have the same list, as something with lists inside was taken twice.
    is_shared: bool,
}

impl Checkpoints {
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.lens.clear();
        self.places.clear();
        self.is_shared = false;
    }

    /// Takes over what has changed in values: lengths, and steps.
    pub(super) fn update(&mut self, changes: &Changes, cells: u64) {
        self.cells += cells;
        self.places.update(changes);
        let mut lens = &changes.lens[..];
        for (first, count) in &changes.items {
            let (these, rest) = lens.split_at(*count);
            if let Some(places) = self.lens.get_mut(*first..*first + *count) {
                places.copy_from_slice(these);
            }
            lens = rest;
        }
        if changes.shifts.is_empty() {
            return;
        }
        let mut sums = vec![(0, 0, 0)];
        let (mut by, mut steps) = (0, 0);
        for shift in &changes.shifts {
            (by, steps) = (by + shift.by, steps + shift.steps);
            sums.push((shift.at as usize + 1, by, steps));
        }
        self.steps += steps;
        // Of what comes before a place.
        let sum = |at: usize| sums[sums.partition_point(|sum| sum.0 <= at) - 1];
        let mut open = vec![(usize::MAX, 0)];
        for number in 0..self.spans.len() {
            while open.last().is_some_and(|(end, _)| *end <= number) {
                open.pop();
            }
            let (Some((_, next)), Some(span)) = (open.last_mut(), self.spans.get_mut(number)) else { return };
            let begin = *next;
            *next += span.len as usize;
            let ((_, before, steps_before), (_, after, steps_after)) = (sum(begin), sum(*next));
            if span.inside > 0 {
                let content = begin + span.content as usize;
                open.push((number + 1 + span.inside as usize, content));
                span.content = span.content.wrapping_add_signed(sum(content).1 - before);
            }
            span.len = span.len.wrapping_add_signed(after - before);
            span.mark.steps =
                u32::try_from(u64::from(span.mark.steps) + steps_after - steps_before).unwrap_or(u32::MAX);
        }
    }

    /// The steps that checking the instance took, and its cells.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.steps, self.cells)
    }

    /// The memory that they take, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.spans.capacity() * size_of::<Span<Mark>>() + self.lens.capacity() * size_of::<u16>() + self.places.memory()
    }
}

/// What has been read so far.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    steps: u64,
    cells: u64,
    ids: u64,
}

/// A place between two child elements.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    at: usize,
    /// `None` where reading cannot begin anew.
    spot: Option<Spot>,
    top: Top,
    counts: Counts,
}

/// The innermost groups of an element: a record, and the list that is open in it, with its number of items.
#[derive(Clone, Copy, Debug, Default)]
struct Top {
    record: Option<(Level, u32, SequenceRef, u32)>,
    list: Option<(At<Level>, NodeId, u32)>,
    /// Whether that list must have more items.
    is_short: bool,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Element {
    /// The number of its span, and where its content begins.
    span: usize,
    content: usize,
    row: u32,
    /// The last checkpoint in it.
    first: Checkpoint,
}

/// The checkpoints of the instance that is being read, and the instance before.
#[derive(Debug)]
pub(super) struct Trail<'o> {
    spans: Vec<Span<Mark>>,
    /// The bytes of each item of its runs, and where those of the last run begin.
    pub(super) lens: Vec<u16>,
    run: usize,
    run_at: usize,
    /// Where its values are, if nothing is taken.
    pub(super) places: Option<Places>,
    /// The instance before, and the lengths of its items.
    before: (&'o [u8], &'o [u16]),
    open: Vec<Element>,
    /// What is left of the run that was followed last, in the element with this span.
    rest: Option<(usize, OldRun<'o>)>,
    follower: Option<Follower<'o, Mark>>,
    /// Cells of what has been taken.
    pub(super) cells: u64,
    /// Lists of the instance before whose items were taken, in the order of the spans.
    left: Vec<LeftList>,
    /// Before this span some were taken that have others inside.
    taken_to: usize,
    is_shared: bool,
    is_lost: bool,
}

/// A list of the instance before whose items were taken.
#[derive(Clone, Copy, Debug)]
struct LeftList {
    /// The first span that was.
    span: usize,
    node: NodeId,
    cell: u32,
    /// Whether nothing inside the items was left a checkpoint, which refers to their cells.
    is_flat: bool,
}

/// What an instance leaves to the next.
#[derive(Debug, Default)]
pub(super) struct Left {
    pub(super) checkpoints: Checkpoints,
    /// Lists that no value refers to any more: their types and their cells.
    pub(super) lists: Vec<(NodeId, u32)>,
    /// Cells that have been filled in or taken.
    pub(super) cells: u64,
    /// Whether numbers of more digits than are written count.
    pub(super) has_charged: bool,
    /// Bytes that were taken, and what finding them has cost.
    pub(super) taken: usize,
    pub(super) cost: usize,
}

impl<'o> Trail<'o> {
    /// Leaves checkpoints in `room`, whose contents go; `before` is the text of an earlier instance, and its checkpoints.
    pub(super) fn new(mut room: Checkpoints, before: Option<(&'o [u8], &'o Checkpoints)>) -> Trail<'o> {
        room.clear();
        let Checkpoints { spans, lens, places, .. } = room;
        let is_shared = before.is_some_and(|(_, left)| left.is_shared);
        let follower = before.map(|(text, left)| Follower::new(text, &left.spans));
        let before = before.map_or((&[][..], &[][..]), |(text, left)| (text, &left.lens[..]));
        Trail {
            spans,
            lens,
            run: 0,
            run_at: 0,
            places: follower.is_none().then_some(places),
            before,
            open: Vec::new(),
            rest: None,
            follower,
            cells: 0,
            left: Vec::new(),
            taken_to: 0,
            is_shared,
            is_lost: false,
        }
    }

    /// What is left when an instance has been read; `used` cells have been filled in.
    pub(super) fn finish(mut self, used: usize, steps: u64, has_charged: bool) -> Left {
        let cells = self.cells + used as u64;
        let places = self.places.take().unwrap_or_default();
        let mut checkpoints =
            Checkpoints { spans: self.spans, lens: self.lens, places, steps, cells, is_shared: self.is_shared };
        if self.is_lost || !self.open.is_empty() {
            checkpoints.clear();
        }
        let (taken, cost) = self.follower.as_ref().map_or((0, 0), |follower| (follower.taken(), follower.cost()));
        let mut lists = Vec::new();
        if !self.is_shared {
            self.left.sort_unstable_by_key(|left| left.cell);
            let each = self.left.chunk_by(|one, other| one.cell == other.cell);
            lists.extend(each.filter(|all| all.iter().all(|left| left.is_flat)).map(|all| (all[0].node, all[0].cell)));
        }
        Left { checkpoints, lists, cells, has_charged, taken, cost }
    }

    /// Items of a list of the instance before are taken or replaced. A list inside of what has been taken is still referred to.
    fn leave_list(&mut self, list: LeftList) {
        match self.left.last_mut() {
            Some(last) if last.cell == list.cell => last.is_flat &= list.is_flat,
            _ if list.span < self.taken_to => {}
            _ => self.left.push(list),
        }
    }

    fn begin(&mut self, row: u32, here: Checkpoint) {
        let span = self.spans.len();
        self.spans.push(Span::new(0, Mark::nothing(row)));
        self.open.push(Element { span, content: here.at, row, first: here });
        if let Some(follower) = &mut self.follower {
            follower.enter(here.at, |mark| mark.row == row && row != NONE);
        }
    }

    /// Goes on after child elements.
    fn pass(&mut self, here: Checkpoint, has_grown: bool) {
        let Some(element) = self.open.last_mut() else { return };
        self.spans.push(span(&element.first, &here, has_grown));
        element.first = here;
    }

    /// Ends an element. Returns it if its spans are kept.
    fn end(&mut self, at: usize) -> Option<Element> {
        if let Some(follower) = &mut self.follower {
            follower.leave(at);
        }
        let element = self.open.pop()?;
        let inside = self.spans.len() - element.span - 1;
        if self.open.is_empty() {
            // The root, which nobody takes.
            if let Some(root) = self.spans.get_mut(element.span) {
                (root.len, root.inside, root.content) = (at as u32, inside as u32, element.content as u32);
            }
            return None;
        }
        if element.row == NONE || at - element.content < ELEMENT || inside == 0 {
            self.spans.truncate(element.span);
            return None;
        }
        Some(element)
    }

    /// Makes a span of an element that has ended, and what came before it.
    fn keep(&mut self, element: &Element, here: Checkpoint, has_grown: bool) {
        let inside = (self.spans.len() - element.span - 1) as u32;
        let (Some(parent), Some(place)) = (self.open.last_mut(), self.spans.get_mut(element.span)) else { return };
        let whole = span(&parent.first, &here, has_grown);
        let content = (element.content - parent.first.at) as u32;
        *place = Span { inside, content, mark: Mark { row: element.row, ..whole.mark }, ..whole };
        parent.first = here;
    }
}

impl Mark {
    fn nothing(row: u32) -> Mark {
        let spot = Spot { place: ContentPlace::START, scope: 0, groups: 0, next: 0, is_list: false };
        Mark { before: spot, after: spot, content: Content::Other, row, steps: 0, cells: 0, run: None }
    }
}

/// The span between two checkpoints; whether the list that was open at the first has got more items.
fn span(first: &Checkpoint, last: &Checkpoint, has_grown: bool) -> Span<Mark> {
    let len = (last.at - first.at) as u32;
    let (Some(before), Some(after)) = (first.spot, last.spot) else { return Span::new(len, Mark::nothing(NONE)) };
    let steps = last.counts.steps - first.counts.steps;
    let cells = last.counts.cells - first.counts.cells;
    let (Ok(steps), Ok(cells)) = (u32::try_from(steps), u32::try_from(cells)) else {
        return Span::new(len, Mark::nothing(NONE));
    };
    Span::new(len, Mark { before, after, content: content(first, last, has_grown), row: NONE, steps, cells, run: None })
}

/// What has been read between two checkpoints of an element.
fn content(first: &Checkpoint, last: &Checkpoint, has_grown: bool) -> Content {
    let (Some(before), Some(after)) = (first.spot, last.spot) else { return Content::Other };
    if first.counts.ids != last.counts.ids || before.scope != after.scope {
        return Content::Other;
    }
    match (first.top, last.top) {
        (Top { list: Some((at, node, first)), .. }, Top { list: Some((same, _, last)), .. })
            if at == same && first < last && before.groups == after.groups =>
        {
            Content::Items { cell: cell(at), node, first, count: last - first }
        }
        // The list that was open has ended.
        (
            Top { record: Some((level, run, of, from)), list, .. },
            Top { record: Some((same, _, _, to)), list: None, .. },
        ) if level == same
            && from < to
            && before.groups == after.groups + u32::from(list.is_some())
            && !(list.is_some() && has_grown) =>
        {
            Content::Components { level, run, of, from, to }
        }
        _ => Content::Other,
    }
}

impl<'a> Reader<'a> {
    /// Leaves a checkpoint, if it is time for one, where the innermost element has got to; outside of elements that match
    /// wildcards.
    #[inline]
    pub(super) fn leave_checkpoint(&mut self, validator: &Validator<'_, '_>, at: usize, scope: Option<u64>) {
        let depth = self.frames.len();
        let Some(trail) = &mut self.trail else { return };
        match depth.wrapping_sub(trail.open.len()) {
            0 if trail.open.last().is_none_or(|element| at - element.first.at < LEAST) => {}
            _ if self.any.is_some() => {}
            0 => {
                let (here, has_grown) = self.checkpoint(validator, at, scope);
                self.trail.iter_mut().for_each(|trail| trail.pass(here, has_grown));
            }
            1 => {
                let (here, _) = self.checkpoint(validator, at, scope);
                let row = self.frames.last().map_or(NONE, |frame| frame.row);
                self.trail.iter_mut().for_each(|trail| trail.begin(row, here));
            }
            usize::MAX => {
                if let Some(element) = trail.end(at) {
                    let (here, has_grown) = self.checkpoint(validator, at, scope);
                    self.trail.iter_mut().for_each(|trail| trail.keep(&element, here, has_grown));
                } else {
                    self.leave_checkpoint(validator, at, scope);
                }
            }
            _ => trail.is_lost = true,
        }
    }

    /// The checkpoint where the innermost element has got to; whether the list that was open at its last one has got more
    /// items.
    #[inline(never)]
    fn checkpoint(&self, validator: &Validator<'_, '_>, at: usize, scope: Option<u64>) -> (Checkpoint, bool) {
        let top = self.top();
        let spot = scope.and_then(|scope| self.spot(validator, scope, &top));
        let taken = self.trail.as_ref().map_or(0, |trail| trail.cells);
        let (steps, ids) = (validator.state.steps(), validator.state.ids_taken());
        let counts = Counts { steps, ids, cells: taken + self.filler.used() as u64 };
        let last = self.trail.as_ref().and_then(|trail| trail.open.last()?.first.top.list);
        let has_grown = last.is_some_and(|(at, _, count)| self.filler.list_len(at) != count);
        (Checkpoint { at, spot, top, counts }, has_grown)
    }

    /// Begins a run where the innermost element has got to.
    pub(super) fn begin_run(&mut self, validator: &Validator<'_, '_>, at: usize, scope: u64) {
        if self.trail.is_none() {
            return;
        }
        self.leave_checkpoint(validator, at, Some(scope));
        let (here, has_grown) = self.checkpoint(validator, at, Some(scope));
        let Some(trail) = &mut self.trail else { return };
        if trail.open.last().is_some_and(|element| element.first.at < at) {
            trail.pass(here, has_grown);
        }
        (trail.run, trail.run_at) = (trail.lens.len(), at);
    }

    /// Ends the run that has begun, where the innermost element has got to: of items of a plan, read by a row, at a leaf.
    pub(super) fn end_run(
        &mut self,
        validator: &Validator<'_, '_>,
        at: usize,
        scope: u64,
        (plan, row, leaf): (u32, u32, LeafId),
    ) {
        if self.trail.is_none() {
            return;
        }
        let (here, has_grown) = self.checkpoint(validator, at, Some(scope));
        let is_by_itself = self.memory.is_by_itself(plan);
        let Some(trail) = &mut self.trail else { return };
        if let (Some(places), Some((last, around))) = (&mut trail.places, self.open.split_last())
            && is_by_itself
            && let OpenGroup::List { at: list, node, of, count, .. } = last
            && trail.run < trail.lens.len()
        {
            let items = (trail.lens.len() - trail.run) as u32;
            places.push_run(RunPlace {
                start: trail.run_at as u32,
                len: (at - trail.run_at) as u32,
                lens: trail.run as u32,
                count: items,
                plan,
                row,
                cell: cell(*list),
                run: run_around(list.level, around),
                node: *node,
                item: of.node,
                first: *count - items,
            });
        }
        if trail.open.last().is_some_and(|element| element.first.at < at) {
            trail.pass(here, has_grown);
            if let Some(span) = trail.spans.last_mut() {
                span.mark.run = Some((trail.run as u32, plan, row, leaf));
            }
        }
    }

    /// The run that the instance before has at a place, where something of it has changed.
    pub(super) fn old_run(&self, validator: &Validator<'_, '_>, at: usize, scope: u64) -> Option<OldRun<'a>> {
        let trail = self.trail.as_ref()?;
        let follower = trail.follower.as_ref().filter(|follower| follower.may_find(at))?;
        let top = self.top();
        let (_, list, _) = top.list?;
        let spot = self.spot(validator, scope, &top)?;
        let element = trail.open.last()?.span;
        if let Some((_, rest)) =
            trail.rest.filter(|(of, rest)| *of == element && rest.before == spot && rest.node == list)
        {
            return Some(rest);
        }
        let (span, start) = follower.changed(at, |mark| {
            mark.run.is_some()
                && mark.before == spot
                && matches!(mark.content, Content::Items { node, .. } if node == list)
        })?;
        let mark = &follower.spans().get(span)?.mark;
        let (lens, plan, row, leaf) = mark.run?;
        let Content::Items { cell, node, first, count } = mark.content else { return None };
        let (text, all) = trail.before;
        let lens = all.get(lens as usize..lens as usize + count as usize)?;
        Some(OldRun { span, text, begin: start, start, lens, plan, row, leaf, cell, node, first, before: spot })
    }

    /// Goes on after a run of which so many bytes were taken from the instance before; `rest` may follow where it goes on.
    pub(super) fn pass_run(&mut self, old: &OldRun<'_>, rest: OldRun<'a>, at: usize, taken: usize, cost: usize) {
        let Some(trail) = &mut self.trail else { return };
        let element = trail.open.last().map(|element| element.span);
        trail.rest = element.map(|element| (element, rest)).filter(|(_, rest)| !rest.lens.is_empty());
        trail.leave_list(LeftList { span: old.span, node: old.node, cell: old.cell, is_flat: true });
        if let Some(follower) = &mut trail.follower {
            follower.pass((old.span, old.begin), at, taken, cost);
        }
    }

    /// The state in the innermost element, if reading may begin anew there.
    #[inline]
    fn spot(&self, validator: &Validator<'_, '_>, scope: u64, top: &Top) -> Option<Spot> {
        let frame = self.frames.last().filter(|frame| frame.row != NONE && !frame.is_ordered)?;
        if validator.state.is_counting_groups() {
            return None;
        }
        let groups = self.open.len() as u32 - frame.base;
        let (.., next) = top.record?;
        Some(Spot { place: validator.state.place(), scope, groups, next, is_list: top.list.is_some() })
    }

    /// The innermost groups of the innermost element.
    #[inline]
    fn top(&self) -> Top {
        let base = self.frames.last().map_or(0, |frame| frame.base as usize);
        let record = |number: usize| match self.open.get(number) {
            Some(OpenGroup::Sequence { of, level, next, .. }) => {
                let run = run_around(*level, self.open.get(..number).unwrap_or_default());
                Some((*level, run, *of, *next))
            }
            _ => None,
        };
        let last = self.open.len().wrapping_sub(1);
        match self.open.get(base..) {
            Some([.., OpenGroup::Sequence { .. }]) => Top { record: record(last), ..Top::default() },
            Some([.., _, OpenGroup::List { at, node, of, count, .. }]) => {
                let is_short = u64::from(*count) < of.least;
                Top { record: record(last - 1), list: Some((*at, *node, *count)), is_short }
            }
            _ => Top::default(),
        }
    }

    /// Takes what the instance before has as well from a place on; the place after it.
    #[inline]
    pub(super) fn take(
        &mut self,
        validator: &mut Validator<'_, '_>,
        text: &[u8],
        at: usize,
        scope: u64,
    ) -> Result<Option<usize>, Error> {
        let Some(Trail { follower: Some(follower), .. }) = &self.trail else { return Ok(None) };
        if !follower.may_find(at) {
            return Ok(None);
        }
        let top = self.top();
        let Some(spot) = self.spot(validator, scope, &top) else { return Ok(None) };
        let Some(Trail { follower: Some(follower), .. }) = &mut self.trail else { return Ok(None) };
        let fits = |mark: &Mark| {
            mark.before == spot
                && match (mark.content, top) {
                    (Content::Items { node, .. }, Top { list: Some((_, same, _)), .. }) => node == same,
                    (Content::Components { of, .. }, Top { record: Some((_, _, same, _)), is_short: false, .. }) => {
                        of == same
                    }
                    _ => false,
                }
        };
        let Some(found) = follower.find(text, at, fits, goes_on) else { return Ok(None) };
        let taken = follower.spans().get(found.spans.clone()).unwrap_or_default();
        let items = top.list.map_or(0, |(.., count)| count);
        let (here, has_grown) = self.checkpoint(validator, at, Some(scope));
        self.take_values(taken)?;
        let top = self.top();
        let Some(trail) = &mut self.trail else { return Ok(None) };
        if trail.open.last().is_some_and(|element| element.first.at < at) {
            trail.pass(here, has_grown);
        }
        let (steps, after) = trail.copy(found.spans.start, taken, &top, items);
        let occurred = top.list.map_or(0, |(.., count)| count);
        validator.state.skip_to(after.place, occurred, steps);
        let (here, _) = self.checkpoint(validator, at + found.len, Some(scope));
        debug_assert_eq!(here.spot, Some(after));
        if let Some(element) = self.trail.as_mut().and_then(|trail| trail.open.last_mut()) {
            element.first = here;
        }
        Ok(Some(here.at))
    }

    /// Copies the cells of spans that are taken together.
    fn take_values(&mut self, taken: &[Span<Mark>]) -> Result<(), Error> {
        let Reader { types, filler, open, .. } = self;
        let Some(begin) = taken.first().map(|span| span.mark.content) else { return Ok(()) };
        match begin {
            Content::Items { cell, first, .. } => {
                let all = siblings(taken).filter_map(|(_, span)| match span.mark.content {
                    Content::Items { count, .. } => Some(count),
                    _ => None,
                });
                let all = all.sum::<u32>();
                if let Some(OpenGroup::List { at, node, of, level, count, .. }) = open.last_mut() {
                    if u64::from(*count) + u64::from(all) > of.most {
                        return Err(unknown("more items than are allowed"));
                    }
                    *level = filler.take_items((*at, *node, *level, *count), cell, first..first + all)?;
                    *count += all;
                }
            }
            Content::Components { level: other, run, .. } => {
                let other = filler.level_now(other, run);
                if let Some(OpenGroup::List { .. }) = open.last() {
                    types.forms.close_last(filler, open)?;
                }
                let ends = siblings(taken).filter_map(|(_, span)| match span.mark.content {
                    Content::Components { to, .. } => Some(to),
                    _ => None,
                });
                if let (Some(OpenGroup::Sequence { of, level, next, .. }), Some(end)) = (open.last_mut(), ends.last()) {
                    let slots = types.forms.row(*of).and_then(|row| row.slots.get(*next as usize..end as usize));
                    for slot in slots.unwrap_or_default() {
                        filler.take_component(*level, other, slot.place.index);
                    }
                    *next = end;
                }
            }
            Content::Other => {}
        }
        Ok(())
    }
}

/// Spans beside each other, with their numbers: without those inside them.
fn siblings(spans: &[Span<Mark>]) -> impl Iterator<Item = (usize, &Span<Mark>)> {
    let first = spans.first().map(|span| (0, span));
    std::iter::successors(first, |(at, span)| {
        let next = at + 1 + span.inside as usize;
        spans.get(next).map(|span| (next, span))
    })
}

impl Trail<'_> {
    /// Takes over spans, the first of which has a number. The innermost groups are those after them; if these are items of a
    /// list, so many came before. Returns the steps that checking them took, and the state after them.
    fn copy(&mut self, number: usize, taken: &[Span<Mark>], top: &Top, mut items: u32) -> (u64, Spot) {
        // What was taken before is also part of this.
        while self.left.last().is_some_and(|list| list.span >= number) {
            self.left.pop();
        }
        let is_flat = taken.iter().all(|span| span.inside == 0);
        if let Some(Content::Items { cell, node, .. }) = taken.first().map(|span| span.mark.content) {
            self.leave_list(LeftList { span: number, node, cell, is_flat });
        }
        if !is_flat {
            self.is_shared |= number < self.taken_to;
            self.taken_to = self.taken_to.max(number + taken.len());
        }
        let before = self.spans.len();
        self.spans.extend_from_slice(taken);
        for Span { mark, .. } in self.spans.iter_mut().skip(before) {
            if let (Some((first, ..)), Content::Items { count, .. }) = (&mut mark.run, mark.content) {
                let lens = self.before.1.get(*first as usize..(*first + count) as usize).unwrap_or_default();
                *first = self.lens.len() as u32;
                self.lens.extend_from_slice(lens);
            }
        }
        let (mut steps, mut after) = (0, Mark::nothing(NONE).after);
        for (at, span) in siblings(taken) {
            (steps, after) = (steps + u64::from(span.mark.steps), span.mark.after);
            self.cells += u64::from(span.mark.cells);
            let Some(Span { mark, .. }) = self.spans.get_mut(before + at) else { continue };
            match (&mut mark.content, top) {
                (Content::Items { cell: to, first, count, .. }, Top { list: Some((list, ..)), .. }) => {
                    (*to, *first) = (cell(*list), items);
                    items += *count;
                }
                (Content::Components { level, run, .. }, Top { record: Some((to, to_run, ..)), .. }) => {
                    (*level, *run) = (*to, *to_run);
                }
                _ => {}
            }
        }
        (steps, after)
    }
}

fn goes_on(one: &Mark, next: &Mark) -> bool {
    match (one.content, next.content) {
        (Content::Items { cell, first, count, .. }, Content::Items { cell: same, first: next, .. }) => {
            cell == same && first + count == next
        }
        (Content::Components { level, to, .. }, Content::Components { level: same, from, .. }) => {
            level == same && to == from
        }
        _ => false,
    }
}

/// The number of a list's cell.
fn cell(at: At<Level>) -> u32 {
    at.level.cell_number(at.index)
}

//! Reading by expectation. If the next tag is the one that came at this position in an earlier instance, it is read
//! without an event and without a look-up in the schema.
//!
//! Both ways of reading share their stack of open elements. So a tag that is not expected, and any error, is left to the
//! event reader (`reader.rs`), and expectation continues after it. Switching expectation off changes only the speed.

mod follow;
mod in_place;
mod literal;
mod memory;
mod plan;
mod row;
mod run;
mod value;

use std::ops::Range;

use asn1::event::{At, Sink};
use tam::Error;
use text::xml::{Ahead, Reader as Xml};
use xml::chars::{is_white, space_end};
use xml::scan::is_same;
use xsd::content::NodeId;
use xsd::internal::EventKind;
use xsd::{ElementId, Schema, Validator};

pub(super) use self::in_place::{Changes, Places, RunPlace, ValuePlace, run_around};
use self::literal::Literal;
use self::memory::{ExpectedStart, ExpectedTag, LeafSlot, TagKind};
pub(super) use self::memory::{Memory, NONE};
use self::plan::{Content, Kind, Plan, Record};
use self::row::ReadTag;
pub(super) use self::row::RowLesson;
pub(super) use self::run::ListItem;
pub(super) use self::value::ReadValue;
use super::form::{FormId, SlotKind, Term};
use super::place::{Child, ChildForm, OpenGroup, SequenceRef, Target, no_place, target_of};
use super::reader::{Frame, List, Reader};
use super::types::Types;

/// In longer messages, texts could not be referenced by their position.
const LONGEST_MESSAGE: usize = i32::MAX as usize;

/// The state before an event, which is needed to learn from the event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snapshot<'x> {
    ahead: Ahead<'x>,
    key: usize,
    /// The number of the prefix bindings in the instance.
    bindings: u32,
    /// The number of the prefix bindings in the memory.
    scope: u64,
}

impl<'x> Reader<'_> {
    /// Reads as long as the next tag is an expected one.
    pub(super) fn expect(&mut self, validator: &mut Validator<'_, 'x>) -> Result<(), Error> {
        let Some(Snapshot { ahead, scope, .. }) = self.snapshot(validator) else {
            if self.trail.is_some() {
                self.leave_checkpoint(validator, validator.reader.place_ahead(), None);
            }
            return Ok(());
        };
        let (mut at, mut events) = (ahead.at, validator.events());
        self.lesson.is_on = false;
        loop {
            if self.trail.is_some() {
                self.leave_checkpoint(validator, at, Some(scope));
                if let Some(end) = self.take(validator, ahead.text.as_bytes(), at, scope)? {
                    at = end;
                    continue;
                }
                if let Some((end, count)) = self.follow(validator, &ahead, at, events, scope)? {
                    (at, events) = (end, count);
                    continue;
                }
            }
            let Some((next, count)) = self.step(validator, &ahead, at, events, scope)? else { break };
            (at, events) = (next, count);
        }
        validator.resume(at, events);
        Ok(())
    }

    /// The state before the next event. `None` where nothing is expected.
    pub(super) fn snapshot(&mut self, validator: &mut Validator<'_, 'x>) -> Option<Snapshot<'x>> {
        let row = self.frames.last()?.row;
        if row == NONE || self.any.is_some() || self.groupings.are_open() {
            return None;
        }
        let ahead = validator.ahead()?;
        if ahead.start + ahead.text.len() > LONGEST_MESSAGE {
            return None;
        }
        let state = &validator.state;
        let bindings = state.binding_state();
        if self.scope.0 != Some(bindings) {
            self.scope = (Some(bindings), self.memory.scope(|out, most| state.push_bindings(out, most)));
        }
        Some(Snapshot { ahead, key: Memory::key(row, state.place()), bindings, scope: self.scope.1? })
    }

    /// Remembers the tag of an event.
    pub(super) fn learn(&mut self, validator: &Validator<'_, '_>, snapshot: &Snapshot<'_>, kind: EventKind) {
        match (kind, self.began) {
            (EventKind::Start, Some(began)) => self.learn_start(validator, snapshot, began),
            (EventKind::End, _) => self.learn_end(validator, snapshot),
            _ => {}
        }
    }

    /// Remembers a start tag.
    fn learn_start(
        &mut self,
        validator: &Validator<'_, '_>,
        snapshot: &Snapshot<'_>,
        (leaf, element, form): (NodeId, ElementId, FormId),
    ) {
        let name = validator.reader.tag_name();
        let text = snapshot.ahead.text.as_bytes();
        let gap = (snapshot.ahead.at, name.start.wrapping_sub(1));
        let Some(end) = self.expected_end(validator, text, element, name.end) else { return };
        let (Some(white), Some(tag)) = (text.get(gap.0..gap.1), text.get(gap.0..end)) else { return };
        if !is_white(white) || snapshot.bindings != validator.state.binding_state() {
            return;
        }
        let Some(literal) = Literal::new(tag) else { return };
        let plan = self.memory.plan(self.types, element, form);
        let slot = self.slot(leaf, form);
        let is_plain = self.memory.plans.get(plan as usize).is_some_and(Plan::is_plain);
        let items = match validator.state.started().and_then(|start| start.items).map(u32::try_from) {
            None => NONE,
            Some(Ok(items)) if items != NONE => items,
            Some(_) => return,
        };
        let next = TagKind::Start(ExpectedStart { leaf, element, form, plan, is_plain, slot, items });
        let (gap, name) = (white.len() as u32, name.len() as u32);
        self.memory.learn(snapshot.key, ExpectedTag { literal, gap, name, scope: snapshot.scope, next });
    }

    /// Where what is expected of a start tag ends: with the name, or in a message in SOAP's encoding with the attributes,
    /// which then say nothing but what the schema says, and the number of items. `None` if they say more.
    fn expected_end(
        &self,
        validator: &Validator<'_, '_>,
        text: &[u8],
        element: ElementId,
        name_end: usize,
    ) -> Option<usize> {
        if !self.types.schema().outline(element).is_encoded || matches!(text.get(name_end), Some(b'>' | b'/')) {
            return Some(name_end);
        }
        let start = validator.state.started()?;
        let tag = text.get(..validator.reader.place_ahead())?.strip_suffix(b">")?;
        let end = tag.strip_suffix(b"/").unwrap_or(tag).len();
        (!start.nil && start.attributes().len() == 0 && end > name_end).then_some(end)
    }

    /// The component that a leaf fills in the parent of the element that began last, if its elements have this form.
    fn slot(&self, leaf: NodeId, form: FormId) -> Option<LeafSlot> {
        let parent = self.frames.iter().rev().nth(1).filter(|parent| !parent.is_ordered)?;
        let Some(OpenGroup::Sequence { of, matched: true, .. }) = self.open.get(parent.base as usize) else {
            return None;
        };
        let sequence = self.types.forms.row(*of)?;
        let number = sequence.leaves.slot(leaf.index() as u32)?;
        let slot = sequence.slots.get(number as usize)?;
        let is_list = match slot.kind {
            SlotKind::Element(of) if of == form => false,
            SlotKind::Element(_) => return None,
            SlotKind::Other => match &self.types.forms.particle(slot.particle).term {
                Term::List(list) if list.element == Some(form) => true,
                _ => return None,
            },
        };
        let after = sequence.groups.iter().filter(|group| **group < number).max().map_or(0, |group| group + 1);
        Some(LeafSlot { number, place: slot.place, is_list, after })
    }

    /// Remembers an end tag.
    fn learn_end(&mut self, validator: &Validator<'_, '_>, snapshot: &Snapshot<'_>) {
        let text = snapshot.ahead.text.as_bytes();
        let Some(tag) = text.get(snapshot.ahead.at..validator.reader.place_ahead()) else { return };
        let Some(gap) = tag.iter().position(|byte| *byte == b'<') else { return };
        let (white, end) = tag.split_at(gap);
        if !is_white(white) || !end.starts_with(b"</") || !end.ends_with(b">") || end.iter().any(|byte| *byte <= b' ') {
            return;
        }
        let Some(literal) = Literal::new(tag) else { return };
        let (gap, name) = (gap as u32, end.len() as u32 - 3);
        self.memory.learn(snapshot.key, ExpectedTag { literal, gap, name, scope: snapshot.scope, next: TagKind::End });
    }

    /// Reads the next tag if it is expected. An element without child elements is read to its end. Returns the position
    /// after it and the number of events so far.
    #[inline(always)]
    fn step(
        &mut self,
        validator: &mut Validator<'_, '_>,
        ahead: &Ahead<'_>,
        at: usize,
        events: u64,
        scope: u64,
    ) -> Result<Option<(usize, u64)>, Error> {
        let Some(frame) = self.frames.last().filter(|frame| frame.row != NONE) else { return Ok(None) };
        let text = ahead.text.as_bytes();
        let key = Memory::key(frame.row, validator.state.place());
        let Some((found, tag)) = self.memory.find(key, text, at, scope) else { return Ok(None) };
        let (name, begun) = (found.name as usize, events + u64::from(tag > at) + 1);
        let end = tag + found.literal.len() - found.gap as usize;
        match &found.next {
            TagKind::End => {
                // The position of an end tag's event is where the tag begins.
                let ended = self.end_expected(validator, text, (tag, tag + 2..tag + 2 + name), begun)?;
                let Some(item) = ended else { return Ok(None) };
                let next = tag + 3 + name;
                if self.lesson.is_on {
                    self.lesson.seen.push(ReadTag::end(tag, next));
                }
                match item {
                    Some(item) => self.items(validator, ahead, (item, next), begun, scope).map(Some),
                    None => Ok(Some((next, begun))),
                }
            }
            TagKind::Start(start) => {
                let (start, steps) = (*start, validator.state.steps());
                let read = self.start_expected(validator, ahead, (tag + 1..tag + 1 + name, end), begun, &start)?;
                let Some((next, events)) = read else {
                    validator.state.undo(steps);
                    return Ok(None);
                };
                if !(self.is_item | self.lesson.is_on) {
                    return Ok(Some((next, events)));
                }
                self.pass_start(validator, ahead, &start, (key, at, next), events, scope).map(Some)
            }
        }
    }

    /// Goes on after a start tag or an element without child elements that is the item of a list, or part of one that is
    /// being learned from: after other items like it. Its tag was found at a position in content and at a place of the text.
    #[inline(never)]
    fn pass_start(
        &mut self,
        validator: &mut Validator<'_, '_>,
        ahead: &Ahead<'_>,
        start: &ExpectedStart,
        (key, at, next): (usize, usize, usize),
        events: u64,
        scope: u64,
    ) -> Result<(usize, u64), Error> {
        let is_item = std::mem::take(&mut self.is_item);
        let tag = space_end(ahead.text.as_bytes(), at);
        let is_open = validator.reader.innermost().start == tag + 1;
        if self.lesson.is_on && (is_item || self.lesson.is_full()) {
            // An item that has lists in it, or is long, has no row.
            self.lesson.is_on = false;
            self.memory.known(self.lesson.plan).tried(false);
        }
        if is_item && self.memory.known(start.plan).good_row().is_none() {
            self.lesson.begin(start.plan, at);
        }
        if self.lesson.is_on {
            let found = self.memory.last_found(key);
            let found = found.map(|found| (found.name as usize, found.literal.len() - found.gap as usize));
            let (name, len) = found.unwrap_or_default();
            self.lesson.seen.push(ReadTag::start(start, (tag, name, tag + len, next), is_open));
        }
        if !is_item {
            return Ok((next, events));
        }
        let item = ListItem { plan: start.plan, leaf: start.leaf, start: at as u32 };
        if is_open {
            if let Some(frame) = self.frames.last_mut() {
                frame.item = Some(item);
            }
            return Ok((next, events));
        }
        self.items(validator, ahead, (item, next), events, scope)
    }

    /// Ends the innermost element, if the end tag has its name and its content is complete.
    #[inline]
    fn end_expected(
        &mut self,
        validator: &mut Validator<'_, '_>,
        text: &[u8],
        (at, name): (usize, Range<usize>),
        events: u64,
    ) -> Result<Option<Option<ListItem>>, Error> {
        let is_due = match (text.get(validator.reader.innermost()), text.get(name)) {
            (Some(open), Some(name)) => is_same(open, name),
            _ => false,
        };
        let Some(&Frame { ty, base, lists, items, item, .. }) = self.frames.last() else { return Ok(None) };
        let model = self.types.schema().model(ty);
        if items.is_some_and(|said| self.check_items(said, base).is_err()) {
            return Ok(None);
        }
        if !is_due || !validator.state.may_end(model) || !validator.reader.close() {
            return Ok(None);
        }
        validator.state.leave();
        self.frames.pop();
        self.lists.truncate(lists as usize);
        let closed = self.types.forms.close(&mut self.filler, &mut self.open, base as usize);
        closed.map_err(|error| located(validator, &error, at, events))?;
        Ok(Some(item))
    }

    /// Reads an element as its plan says: to its end if it has no child elements, otherwise its start tag.
    #[inline(always)]
    fn start_expected(
        &mut self,
        validator: &mut Validator<'_, '_>,
        ahead: &Ahead<'_>,
        (name, end): (Range<usize>, usize),
        begun: u64,
        start: &ExpectedStart,
    ) -> Result<Option<(usize, u64)>, Error> {
        let (types, text) = (self.types, ahead.text.as_bytes());
        let Some(plan) = self.memory.plans.get_mut(start.plan as usize) else { return Ok(None) };
        if !validator.reader.may_open(1) {
            return Ok(None);
        }
        let mut at = end;
        match &mut plan.kind {
            Kind::Walk => return Ok(None),
            Kind::Characters(_) => {}
            Kind::Record(record) => match attributes(types, record, validator, ahead, at, &mut self.checked) {
                Some(end) => at = end,
                None => return Ok(None),
            },
        }
        let Some(value) = plan.value() else {
            let Kind::Record(record) = &plan.kind else { return Ok(None) };
            let is_open = record.opens(text, at);
            let end = if is_open { Some((at + 1..at + 1, at + 1)) } else { characters(validator, text, at, &name) };
            let Some((characters, next)) = end.filter(|(characters, _)| is_open || characters.is_empty()) else {
                return Ok(None);
            };
            if !is_open && !record.may_be_empty(types) || !self.go_expected(validator, start.leaf) {
                return Ok(None);
            }
            self.begin_expected(validator, ahead, start, (name.start - 1, begun))?;
            if is_open {
                validator.state.enter(start.element);
                validator.reader.open(name);
                return Ok(Some((next, begun)));
            }
            self.close_begun(start).map_err(|error| located(validator, &error, characters.end, begun + 1))?;
            return Ok(Some((next, begun + 1)));
        };
        let waited = validator.state.waiting();
        let Some((Range { start: from, end }, next)) = characters(validator, text, at, &name) else { return Ok(None) };
        if from == end && value.has_default {
            return Ok(None);
        }
        let Some(checked) =
            value.check(types, &mut validator.state, ahead.text.get(from..end).unwrap_or_default(), from)
        else {
            return Ok(None);
        };
        // An ID is stored with the number of the end event, which is not known here.
        if validator.state.waiting() != waited || !self.go_expected(validator, start.leaf) {
            return Ok(None);
        }
        let to = self.begin_expected(validator, ahead, start, (name.start - 1, begun))?;
        let ended = begun + 1 + u64::from(from < end);
        if let (Some(value), Some(to)) = (self.memory.plans.get(start.plan as usize).and_then(Plan::value), to) {
            let parts = (types, &mut self.parser);
            let lent = self.lends.map(|from| from + ahead.start);
            let filled = value.fill(parts, &mut self.filler, &validator.state, to, checked, (text, lent));
            filled.map_err(|error| located(validator, &error, end, ended))?;
            if let Some(places) = self.trail.as_mut().and_then(|trail| trail.places.as_mut())
                && value.is_by_itself
                && text.get(at) == Some(&b'>')
            {
                places.push(from, ValuePlace::new(end - from, (start.plan, None), to, &self.open));
            }
        }
        Ok(Some((next, ended)))
    }

    /// Moves to the leaf of an element, if it may come next.
    #[inline(always)]
    fn go_expected(&self, validator: &mut Validator<'_, '_>, leaf: NodeId) -> bool {
        let ty = self.frames.last().map_or(Schema::ANY_TYPE, |frame| frame.ty);
        validator.state.go(self.types.schema().model(ty), leaf).is_some()
    }

    /// Begins the value of an element after the move to its leaf. Returns where its characters go.
    #[inline(always)]
    fn begin_expected(
        &mut self,
        validator: &mut Validator<'_, '_>,
        ahead: &Ahead<'_>,
        start: &ExpectedStart,
        (at, begun): (usize, u64),
    ) -> Result<Option<Target>, Error> {
        validator.state.take_checked(begun);
        let to = match self.place_expected(start) {
            Ok(to) if start.is_plain => return Ok(Some(to)),
            Ok(to) => self.begin_record(start, to, ahead, validator),
            Err(error) => Err(error),
        };
        to.map_err(|error| located(validator, &error, at, begun))
    }

    /// Where the value of an element goes, after the move to its leaf.
    #[inline(always)]
    fn place_expected(&mut self, start: &ExpectedStart) -> Result<Target, Error> {
        let Reader { types, filler, open, memory, is_item, .. } = self;
        let leaf = start.leaf.index() as u32;
        if let Some(OpenGroup::List { at, node, of, level, count, leaf: known }) = open.last_mut() {
            if *known == Some(leaf) && of.element.is_some() && u64::from(*count) < of.most {
                *level = filler.more(*at, *node, *level, 1)?;
                let target = Target { at: At { level: *level, index: *count }, node: of.node, is_item: true };
                *count += 1;
                *is_item = memory.known(start.plan).is_due();
                return Ok(target);
            }
            if known.is_some() && *known != Some(leaf) && u64::from(*count) >= of.least {
                open.pop();
            }
        }
        if let (Some(slot), Some(OpenGroup::Sequence { of, level, next, matched: true })) =
            (&start.slot, open.last_mut())
            && slot.after <= *next
            && *next <= slot.number
        {
            *next = slot.number + 1;
            let to = slot.place.at(*level);
            if !slot.is_list {
                return Ok(to);
            }
            let list = types.forms.row(*of).and_then(|sequence| sequence.slots.get(slot.number as usize));
            let list = list.map(|slot| &types.forms.particle(slot.particle).term);
            let Some(&Term::List(list)) = list else { return Err(no_place()) };
            let level = filler.array(to.at, to.node, 1)?;
            open.push(OpenGroup::List { at: to.at, node: to.node, of: list, level, count: 1, leaf: Some(leaf) });
            return Ok(Target { at: At { level, index: 0 }, node: list.node, is_item: true });
        }
        self.place_by_walk(start)
    }

    #[inline(never)]
    fn place_by_walk(&mut self, start: &ExpectedStart) -> Result<Target, Error> {
        let Some(frame) = self.frames.last() else { return Err(no_place()) };
        let name = self.types.schema().outline(start.element).name;
        let child = Child { name, any: None, leaf: Some(start.leaf.index() as u32) };
        match self.place(frame.base, frame.is_ordered, child)? {
            Some((to, ChildForm::Element(of))) => {
                debug_assert_eq!(of.form, start.form);
                Ok(to)
            }
            _ => Err(no_place()),
        }
    }

    /// Begins a record and fills its attributes. Returns where its characters go.
    #[inline(always)]
    fn begin_record(
        &mut self,
        start: &ExpectedStart,
        to: Target,
        ahead: &Ahead<'_>,
        validator: &Validator<'_, '_>,
    ) -> Result<Option<Target>, Error> {
        let lent = self.lends.map(|from| from + ahead.start);
        let Reader { types, filler, parser, memory, checked, lists, open, frames, trail, .. } = self;
        let (mut form, mut to) = (start.form, to);
        let Some(plan) = memory.plans.get(start.plan as usize) else { return Err(no_place()) };
        if let Some((index, of)) = plan.derived {
            let level = filler.choice(to.at, to.node, index)?;
            (form, to) = (of.form, target_of(level, 0, of.node));
        }
        let Kind::Record(record) = &plan.kind else { return Ok(Some(to)) };
        let level = to.record(filler)?;
        let lists_before = lists.len() as u32;
        if let Some(list) = record.order {
            lists.push(List::begin(filler, level, list)?);
        }
        if let Some(list) = record.any_attributes {
            List::begin(filler, level, list)?;
        }
        let text = (ahead.text.as_bytes(), lent);
        for ReadValue { number, value, start: at, len } in checked {
            let Some(attribute) = record.attributes.get(*number as usize) else { continue };
            let to = attribute.place.at(level);
            attribute.value.fill((types, parser), filler, &validator.state, to, *value, text)?;
            if let Some(places) = trail.as_mut().and_then(|trail| trail.places.as_mut())
                && attribute.value.is_by_itself
            {
                places.push(*at, ValuePlace::new(*len, (start.plan, Some(*number as u8)), to, open));
            }
        }
        match &record.content {
            Content::Nothing => Ok(None),
            Content::Characters(place, _) => Ok(Some(place.at(level))),
            Content::Elements { matched, ty, row } => {
                let level = match record.nil {
                    Some(place) => place.at(level).record(filler)?,
                    None => level,
                };
                let of = SequenceRef::Content(form);
                if let Some(sequence) = types.forms.row(of) {
                    sequence.begin(filler, level)?;
                }
                let (base, is_ordered) = (open.len() as u32, record.order.is_some());
                open.push(OpenGroup::Sequence { of, level, next: 0, matched: *matched });
                let (row, ty) = (*row, *ty);
                let items = Some(start.items).filter(|items| *items != NONE).map(u64::from);
                frames.push(Frame { base, lists: lists_before, is_ordered, row, ty, items, ..Frame::default() });
                Ok(None)
            }
        }
    }

    /// Closes an element that began without child elements.
    fn close_begun(&mut self, start: &ExpectedStart) -> Result<(), Error> {
        if !self.memory.plans.get(start.plan as usize).is_some_and(Plan::has_elements) {
            return Ok(());
        }
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        self.lists.truncate(frame.lists as usize);
        if let Some(said) = frame.items {
            self.check_items(said, frame.base)?;
        }
        self.types.forms.close(&mut self.filler, &mut self.open, frame.base as usize)
    }
}

/// Checks the attributes of a record, from the end of its name. Returns the position of `>` or `/`.
#[inline(always)]
fn attributes(
    types: &Types,
    record: &mut Record,
    validator: &mut Validator<'_, '_>,
    ahead: &Ahead<'_>,
    mut at: usize,
    checked: &mut Vec<ReadValue>,
) -> Option<usize> {
    let text = ahead.text.as_bytes();
    let (mut last, mut present) = (0, 0u64);
    checked.clear();
    if text.get(at) != Some(&b'>') {
        loop {
            let start = space_end(text, at);
            if matches!(text.get(start), Some(b'>' | b'/')) {
                at = start;
                break;
            }
            let number = if start > at { record.find(text, start, last)? } else { return None };
            let attribute = record.attributes.get(number)?;
            let quote = start + attribute.literal.len();
            let mark = *text.get(quote).filter(|mark| matches!(mark, b'"' | b'\''))?;
            let end = Xml::plain_value_end(text, quote + 1, mark)?;
            if present & 1 << number != 0 {
                return None;
            }
            present |= 1 << number;
            let value =
                attribute.value.check(types, &mut validator.state, ahead.text.get(quote + 1..end)?, quote + 1)?;
            checked.push(ReadValue { number: number as u32, value, start: quote + 1, len: end - quote - 1 });
            (at, last) = (end + 1, number + 1);
        }
    }
    (record.is_complete(present) && validator.state.names_once()).then_some(at)
}

/// The characters of an element whose start tag ends at `at`, and the position after its end tag. `None` if the element
/// has other content, or characters that cannot be used as they are.
#[inline(always)]
fn characters(
    validator: &mut Validator<'_, '_>,
    text: &[u8],
    at: usize,
    name: &Range<usize>,
) -> Option<(Range<usize>, usize)> {
    match text.get(at) {
        Some(b'>') => {
            let end = validator.reader.plain_text_end(text, at + 1)?;
            let close = end + 2 + name.len();
            let is_due = text.get(end + 1) == Some(&b'/')
                && text.get(close) == Some(&b'>')
                && is_same(text.get(end + 2..close)?, text.get(name.clone())?);
            is_due.then_some((at + 1..end, close + 1))
        }
        Some(b'/') if text.get(at + 1) == Some(&b'>') => Some((at + 2..at + 2, at + 2)),
        _ => None,
    }
}

/// Adds a position and an event number to an error.
#[cold]
fn located(validator: &mut Validator<'_, '_>, error: &Error, at: usize, events: u64) -> Error {
    validator.resume(at, events);
    validator.reader.locate(at);
    validator.located(error)
}

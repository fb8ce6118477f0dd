//! Items of a list that are all written in the same way: the same tags around their values. Such an item is learned from
//! one that has been read tag by tag.

use asn1::event::{At, Sink};
use asn1::{Filler, Level};
use tam::Error;
use text::xml::Reader as Xml;
use xml::chars::space_end;
use xml::kernels::Pace;
use xml::kernels::literal::Literal;
use xml::kernels::number::Powers;
use xml::kernels::numbers::Numbers;

use super::super::form::{FieldRef, FormId};
use super::super::place::SequenceRef;
use super::super::types::Types;
use super::memory::{ExpectedStart, NONE};
use super::plan::{Content, Kind, Plan, Record};
use super::run::{LibraryParser, NumberKind};

/// The most values of an item, and the most tags.
const MOST: usize = 64;

/// The longest markup between two values.
const LONGEST: usize = 1 << 10;

/// After an attempt in vain, so many items are not tried; at the most.
const PATIENCE: u32 = 1 << 10;

/// An element that has been read by expectation.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadTag {
    /// `None` for an end tag.
    start: Option<ExpectedStart>,
    /// Where the tag begins, the length of its name, where what is always the same of it ends, and where the next one may
    /// begin.
    tag: usize,
    name: usize,
    same: usize,
    end: usize,
    /// Whether child elements follow.
    is_open: bool,
}

impl ReadTag {
    pub(super) fn start(
        start: &ExpectedStart,
        (tag, name, same, end): (usize, usize, usize, usize),
        is_open: bool,
    ) -> ReadTag {
        ReadTag { start: Some(*start), tag, name, same, end, is_open }
    }

    pub(super) fn end(tag: usize, end: usize) -> ReadTag {
        ReadTag { start: None, tag, name: 0, same: tag, end, is_open: false }
    }
}

/// An item that is being read tag by tag, to learn its row.
#[derive(Debug, Default)]
pub(in super::super) struct RowLesson {
    /// The number of the item's plan, and where it begins, with the white space before it.
    pub(super) plan: u32,
    from: usize,
    pub(super) seen: Vec<ReadTag>,
    pub(super) is_on: bool,
}

/// Where a value is in an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    /// The number of the plan that reads it, and of its attribute.
    pub(super) plan: u32,
    pub(super) attribute: Option<u8>,
    /// The record that it is a component of, and which; `None` if it is the item itself.
    pub(super) place: Option<(u8, FieldRef)>,
    /// The numbers that it holds, if kernels read them: characters of an element.
    pub(super) number: Option<NumberKind>,
}

/// A record in an item: the record that it is a component of, and which; and its content, if it has child elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begin {
    parent: u8,
    place: FieldRef,
    content: Option<FormId>,
}

/// How the items of a list are written.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// What is before the first value, between two of them, and after the last.
    pub(super) literals: Vec<Literal>,
    /// The last literal and the first.
    pub(super) between: Literal,
    pub(super) holes: Vec<Hole>,
    /// Whether the item is a record, and its content, if it has child elements.
    pub(super) record: Option<Option<FormId>>,
    /// The records in it.
    pub(super) begins: Vec<Begin>,
    /// Events, but for those of characters in values.
    pub(super) events: u64,
    /// Cells of its records, next to the list.
    pub(super) cells: u64,
    /// How deep its elements are nested.
    pub(super) depth: usize,
    /// The number of the prefix bindings that its names are read with.
    pub(super) scope: u64,
    /// Whether nothing else in the instance decides what is a value.
    pub(super) is_by_itself: bool,
    /// Another number for each row.
    pub(super) id: u32,
}

impl Row {
    /// The memory of what it refers to, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let literals = self.literals.iter().map(|literal| size_of::<Literal>() + literal.len()).sum::<usize>();
        let values = self.holes.len() * size_of::<Hole>() + self.begins.len() * size_of::<Begin>();
        literals + self.between.len() + values
    }
}

/// What is known of the items of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct RowState {
    pub(super) row: Option<Row>,
    /// How long the last numbers of its items were.
    pub(super) pace: Pace,
    /// So many items are not tried, and so many were not after the last attempt in vain.
    wait: u32,
    patience: u32,
}

impl RowState {
    /// Whether the items are tried, now that one begins.
    #[inline]
    pub(super) fn is_due(&mut self) -> bool {
        self.wait = self.wait.saturating_sub(1);
        self.wait == 0
    }

    /// The row, if the last attempt with it was not in vain.
    pub(super) fn good_row(&self) -> Option<&Row> {
        self.row.as_ref().filter(|_| self.patience == 0)
    }

    /// An attempt was in vain, or not.
    pub(super) fn tried(&mut self, was_good: bool) {
        self.patience = if was_good { 0 } else { (2 * self.patience.max(1)).min(PATIENCE) };
        self.wait = self.patience;
    }
}

impl RowLesson {
    pub(super) fn begin(&mut self, plan: u32, from: usize) {
        (self.plan, self.from, self.is_on) = (plan, from, true);
        self.seen.clear();
    }

    /// Whether the item has more tags than a row may have.
    pub(super) fn is_full(&self) -> bool {
        self.seen.len() >= 2 * MOST
    }

    /// The row of the item, which ends at a place of a text. `None` if it cannot be one.
    pub(super) fn learn(&self, types: &Types, plans: &[Plan], text: &[u8], to: usize, scope: u64) -> Option<Row> {
        let mut builder =
            RowBuilder { types, plans, text, cuts: Vec::new(), holes: Vec::new(), begins: Vec::new(), events: 0 };
        let (first, rest) = self.seen.split_first()?;
        let mut open: Vec<u8> = Vec::new();
        builder.space(self.from, first.tag);
        let element = builder.element(first, None)?;
        let record = element.map(|element| builder.contents(element, 0));
        if first.is_open {
            open.push(builder.begins.len() as u8);
        }
        let (mut at, mut depth) = (first.end, 1);
        for seen in rest {
            builder.space(at, seen.tag);
            at = seen.end;
            match &seen.start {
                None => {
                    open.pop()?;
                    builder.events += 1;
                }
                Some(start) => {
                    let slot = start.slot.filter(|slot| !slot.is_list)?;
                    let parent = *open.last()?;
                    depth = depth.max(open.len() + 1);
                    if let Some(element) = builder.element(seen, Some((parent, slot.place)))? {
                        let number = builder.begins.len();
                        builder.begins.push(Begin { parent, place: slot.place, content: None });
                        let content = builder.contents(element, number as u8 + 1);
                        if let Some(begin) = builder.begins.get_mut(number) {
                            begin.content = content;
                        }
                        if seen.is_open {
                            open.push(builder.begins.len() as u8);
                        }
                    }
                }
            }
        }
        if !open.is_empty() || at != to || builder.holes.is_empty() {
            return None;
        }
        let RowBuilder { cuts, holes, begins, events, .. } = builder;
        let (mut literals, mut from) = (Vec::new(), self.from);
        for (start, end) in cuts.into_iter().chain([(to, to)]) {
            let literal = text.get(from..start).filter(|literal| literal.len() <= LONGEST)?;
            literals.push(Literal::new(literal));
            from = end;
        }
        let cells = begins.iter().map(|begin| types.compiled().width(begin.place.node)).map(u64::from).sum();
        let between = Literal::joined(literals.last()?, literals.first()?);
        let value = |hole: &Hole| plans.get(hole.plan as usize).and_then(|plan| plan.value_of(hole.attribute));
        let is_by_itself = holes.iter().all(|hole| value(hole).is_some_and(|value| value.is_by_itself));
        Some(Row { literals, between, holes, record, begins, events, cells, depth, scope, is_by_itself, id: 0 })
    }
}

/// An element that is a record: its content, if it has child elements, and the component that these are in, if it may be
/// nil.
#[derive(Clone, Copy, Debug)]
struct RecordElement {
    content: Option<FormId>,
    nil: Option<FieldRef>,
}

/// What has been learned of an item so far.
struct RowBuilder<'a> {
    types: &'a Types,
    plans: &'a [Plan],
    text: &'a [u8],
    /// Where the values begin and end.
    cuts: Vec<(usize, usize)>,
    holes: Vec<Hole>,
    begins: Vec<Begin>,
    events: u64,
}

impl RowBuilder<'_> {
    /// White space before a tag.
    fn space(&mut self, from: usize, to: usize) {
        self.events += u64::from(from < to);
    }

    /// Begins the record of the child elements of another record, if they have one of their own, because that may be nil.
    /// Returns the content that is in the other record itself.
    fn contents(&mut self, element: RecordElement, record: u8) -> Option<FormId> {
        match element.nil {
            Some(place) => {
                self.begins.push(Begin { parent: record, place, content: element.content });
                None
            }
            None => element.content,
        }
    }

    /// An element: its attributes and characters. `Some(None)` if it is not a record.
    fn element(&mut self, seen: &ReadTag, place: Option<(u8, FieldRef)>) -> Option<Option<RecordElement>> {
        if self.holes.len() > MOST || self.begins.len() > MOST {
            return None;
        }
        // An array of SOAP's encoding says how many items it has.
        let start = seen.start.as_ref().filter(|start| start.items == NONE)?;
        let (number, plan) = (start.plan, self.plans.get(start.plan as usize).filter(|plan| plan.derived.is_none())?);
        // An element that is not open has an end tag, or is an empty element tag.
        self.events += 1 + u64::from(!seen.is_open);
        match &plan.kind {
            Kind::Walk => None,
            Kind::Characters(value) => {
                self.characters(seen, seen.same)?;
                self.holes.push(Hole { plan: number, attribute: None, place, number: value.number() });
                Some(None)
            }
            Kind::Record(Record { order: None, any_attributes: None, nil, attributes, content, .. }) => {
                let level = place.map_or(0, |_| self.begins.len() as u8 + 1);
                let mut at = seen.same;
                loop {
                    let from = space_end(self.text, at);
                    if matches!(self.text.get(from), Some(b'>' | b'/')) {
                        at = from;
                        break;
                    }
                    let one = attributes.iter().position(|one| one.literal.is_at(self.text, from))?;
                    let quote = from + attributes[one].literal.len();
                    let mark = *self.text.get(quote)?;
                    let end = Xml::plain_value_end(self.text, quote + 1, mark)?;
                    self.cuts.push((quote + 1, end));
                    let place = Some((level, attributes[one].place));
                    let attribute = Some(u8::try_from(one).ok()?);
                    self.holes.push(Hole { plan: number, attribute, place, number: None });
                    at = end + 1;
                }
                let mut record = RecordElement { content: None, nil: None };
                match content {
                    Content::Nothing if nil.is_none() => self.nothing(seen, at)?,
                    Content::Characters(place, value) => {
                        self.characters(seen, at)?;
                        let (place, holds) = (Some((level, *place)), value.number());
                        self.holes.push(Hole { plan: number, attribute: None, place, number: holds });
                    }
                    Content::Elements { matched: true, .. } => {
                        let of = self.types.forms.row(SequenceRef::Content(start.form))?;
                        of.groups.is_empty().then_some(())?;
                        record = RecordElement { content: Some(start.form), nil: *nil };
                    }
                    _ => return None,
                }
                Some(Some(record))
            }
            Kind::Record(_) => None,
        }
    }

    /// The characters of an element whose attributes end at a place.
    fn characters(&mut self, seen: &ReadTag, at: usize) -> Option<()> {
        let end = seen.end.checked_sub(3 + seen.name)?;
        (self.text.get(at) == Some(&b'>') && at < end && self.text.get(end) == Some(&b'<')).then_some(())?;
        self.cuts.push((at + 1, end));
        Some(())
    }

    /// An element without content whose attributes end at a place.
    fn nothing(&self, seen: &ReadTag, at: usize) -> Option<()> {
        let rest = self.text.get(at..seen.end)?;
        (rest == b"/>" || rest.len() == seen.name + 4).then_some(())
    }
}

impl Row {
    /// The numbers that the items are, if they are nothing else: or records of which a number is the first component.
    #[inline]
    pub(super) fn number(&self) -> Option<NumberKind> {
        match &self.holes[..] {
            [hole] if self.begins.is_empty() && hole.place.is_none_or(|(_, place)| place.index == 0) => hole.number,
            _ => None,
        }
    }

    /// How items are read that are numbers and nothing else ([`Row::number`]).
    #[inline(always)]
    pub(super) fn numbers<'a>(&'a self, bytes: &'a [u8]) -> Option<Numbers<'a, LibraryParser>> {
        let [before, after] = &self.literals[..] else { return None };
        let (between, powers) = (&self.between, Powers::get());
        Some(Numbers { before, between, after, fallback: LibraryParser, bytes, powers })
    }

    /// The records of an item that has been read: its own level, and those of the records in it, each by the cell that it is in.
    #[inline]
    pub(super) fn levels(&self, item: Level, in_cell: impl Fn(u32) -> Level, levels: &mut Vec<Level>) {
        levels.clear();
        levels.push(item);
        for Begin { parent, place, .. } in &self.begins {
            let parent = levels.get(usize::from(*parent)).copied().unwrap_or(item);
            levels.push(in_cell(parent.cell_number(place.index)));
        }
    }

    /// Begins the records of an item, of which the list has room for one; `levels` are theirs.
    #[inline]
    pub(super) fn begin(
        &self,
        types: &Types,
        filler: &mut Filler<'_>,
        (at, node): (At<Level>, asn1::NodeId),
        levels: &mut Vec<Level>,
    ) -> Result<(), Error> {
        levels.clear();
        let Some(content) = self.record else { return Ok(()) };
        let level = filler.row(at, node)?;
        begin(types, filler, content, level)?;
        levels.push(level);
        for Begin { parent, place, content } in &self.begins {
            let parent = levels.get(usize::from(*parent)).copied().unwrap_or(level);
            let level = filler.record(At { level: parent, index: place.index }, place.node)?;
            begin(types, filler, *content, level)?;
            levels.push(level);
        }
        Ok(())
    }
}

fn begin(types: &Types, filler: &mut Filler<'_>, content: Option<FormId>, level: Level) -> Result<(), Error> {
    match content.and_then(|form| types.forms.row(SequenceRef::Content(form))) {
        Some(sequence) => sequence.begin(filler, level),
        None => Ok(()),
    }
}

//! Which tags came at which position, kept from one instance to the next.
//!
//! It only decides what is tried first. The values that are read do not depend on it.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use xml::chars::space_end;
use xsd::content::{NodeId, Place as ContentPlace};
use xsd::internal::Room;
use xsd::{ComplexId, ElementId};

use super::super::form::{FieldRef, FormId};
use super::super::place::OpenGroup;
use super::super::reader::Frame;
use super::super::types::Types;
use super::literal::Literal;
use super::plan::{Content, Kind, Plan, Record};
use super::row::{Row, RowState};
use super::run::NumberKind;
use super::value::ReadValue;

/// The most positions in content that are remembered.
const MOST_PLACES: usize = 1 << 16;

/// The most sets of prefix bindings that are remembered.
const MOST_SCOPES: usize = 64;

/// The most bytes of one set of prefix bindings.
const MOST_OF_SCOPE: usize = 4096;

/// No row, no tag.
pub(in super::super) const NONE: u32 = u32::MAX;

/// Which tag is expected.
#[derive(Clone, Copy, Debug)]
pub(super) enum TagKind {
    Start(ExpectedStart),
    /// The end tag of the innermost element.
    End,
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedStart {
    /// The leaf of the content model that the element matches.
    pub(super) leaf: NodeId,
    /// Its declaration.
    pub(super) element: ElementId,
    pub(super) form: FormId,
    /// The index of its plan.
    pub(super) plan: u32,
    /// Whether the element has only characters, and its type no alternatives.
    pub(super) is_plain: bool,
    pub(super) slot: Option<LeafSlot>,
    /// How many items an array of SOAP's encoding says it has; `NONE` for any other element.
    pub(super) items: u32,
}

/// The component that the elements of a leaf fill, where the leaf determines it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafSlot {
    /// The index of its slot.
    pub(super) number: u32,
    pub(super) place: FieldRef,
    /// Whether it is a list.
    pub(super) is_list: bool,
    /// From this slot on, no slot is skipped that needs a value even without an element.
    pub(super) after: u32,
}

/// A tag with the white space before it, up to the end of its name, or of attributes that always say the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedTag {
    pub(super) literal: Literal,
    /// Bytes of white space.
    pub(super) gap: u32,
    /// Bytes of the name.
    pub(super) name: u32,
    /// The number of the prefix bindings that the name was read with.
    pub(super) scope: u64,
    pub(super) next: TagKind,
}

impl ExpectedTag {
    /// Whether a text has it at a position.
    #[inline(always)]
    fn is_at(&self, text: &[u8], at: usize) -> bool {
        self.literal.is_at(text, at) && self.ends_at(text, at + self.literal.len())
    }

    /// Whether the name of a start tag ends at a position. The literal of an end tag includes the `>`.
    #[inline(always)]
    fn ends_at(&self, text: &[u8], at: usize) -> bool {
        matches!(self.next, TagKind::End) || matches!(text.get(at), Some(b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r'))
    }
}

/// The last tags at one position in content, the most recent one first.
type RecentTags = [u32; 4];

#[derive(Debug, Default)]
pub(in super::super) struct Memory {
    recent_tags: Vec<RecentTags>,
    tags: Vec<ExpectedTag>,
    /// For each form, the first row of its content in `recent_tags`.
    rows: HashMap<u32, u32, RandomState>,
    pub(super) plans: Vec<Plan>,
    plan_numbers: HashMap<(ElementId, u32), u32, RandomState>,
    /// What is known of the items of each plan.
    pub(super) known: Vec<RowState>,
    /// How many rows have been learned.
    row_count: u32,
    scopes: HashMap<Box<[u8]>, u64, RandomState>,
    /// How many sets of prefix bindings have been seen.
    scope_count: u64,
    /// Bytes of the sets of prefix bindings, and of what plans and rows refer to.
    scope_bytes: usize,
    plan_bytes: usize,
    row_bytes: usize,
    scratch: Vec<u8>,
    /// Buffers of the validator.
    pub(in super::super) room: Room,
    frames: Vec<Frame>,
    open: Vec<OpenGroup>,
    checked: Vec<ReadValue>,
}

/// The buffers of a reader: its open elements and groups, and the attributes that it has checked.
type Buffers = (Vec<Frame>, Vec<OpenGroup>, Vec<ReadValue>);

impl Memory {
    /// Empty buffers for a reader.
    pub(in super::super) fn take(&mut self) -> Buffers {
        use std::mem::take;
        (take(&mut self.frames), take(&mut self.open), take(&mut self.checked))
    }

    /// Keeps the buffers for the next reader.
    pub(in super::super) fn give(&mut self, (mut frames, mut open, mut checked): Buffers) {
        frames.clear();
        open.clear();
        checked.clear();
        (self.frames, self.open, self.checked) = (frames, open, checked);
    }

    /// What it knows, without its buffers.
    pub(in super::super) fn copied(&self) -> Box<Memory> {
        Box::new(Memory {
            recent_tags: self.recent_tags.clone(),
            tags: self.tags.clone(),
            rows: self.rows.clone(),
            plans: self.plans.clone(),
            plan_numbers: self.plan_numbers.clone(),
            known: self.known.clone(),
            row_count: self.row_count,
            scopes: self.scopes.clone(),
            scope_count: self.scope_count,
            scope_bytes: self.scope_bytes,
            plan_bytes: self.plan_bytes,
            row_bytes: self.row_bytes,
            ..Memory::default()
        })
    }

    /// The memory that what it knows takes, in bytes.
    pub(in super::super) fn bytes(&self) -> usize {
        self.recent_tags.capacity() * size_of::<RecentTags>()
            + self.tags.capacity() * size_of::<ExpectedTag>()
            + self.rows.capacity() * size_of::<(u32, u32)>()
            + self.plans.capacity() * size_of::<Plan>()
            + self.plan_numbers.capacity() * size_of::<(ElementId, u32, u32)>()
            + self.known.capacity() * size_of::<RowState>()
            + self.scopes.capacity() * size_of::<(Box<[u8]>, u64)>()
            + (self.scope_bytes + self.plan_bytes + self.row_bytes)
    }

    /// The first row of a form, whose content is that of a type.
    pub(in super::super) fn row(&mut self, types: &Types, form: FormId, ty: ComplexId) -> u32 {
        if let Some(row) = self.rows.get(&form.0) {
            return *row;
        }
        let places = types.schema().model(ty).nodes().len() + 1;
        if self.recent_tags.len() + places > MOST_PLACES {
            return NONE;
        }
        let row = self.recent_tags.len() as u32;
        self.recent_tags.resize(self.recent_tags.len() + places, [NONE; 4]);
        self.rows.insert(form.0, row);
        row
    }

    /// The index in `recent_tags` of a position in content.
    #[inline(always)]
    pub(in super::super) fn key(row: u32, place: ContentPlace) -> usize {
        row as usize + place.node().map_or(0, |node| node.index() + 1)
    }

    /// The recent tag that is at a position of a text, and where it begins after white space.
    #[inline(always)]
    pub(super) fn find(&mut self, key: usize, text: &[u8], at: usize, scope: u64) -> Option<(&ExpectedTag, usize)> {
        let first = *self.recent_tags.get(key)?.first()?;
        // Looked up twice, because the result borrows `self`.
        if self.tags.get(first as usize).is_some_and(|one| one.scope == scope && one.is_at(text, at)) {
            return self.tags.get(first as usize).map(|one| (one, at + one.gap as usize));
        }
        self.find_other(key, text, at, scope)
    }

    /// The tag that was found last at a position in content.
    pub(super) fn last_found(&self, key: usize) -> Option<&ExpectedTag> {
        self.tags.get(*self.recent_tags.get(key)?.first()? as usize)
    }

    /// Tries the other recent tags, then all of them with other white space before the tag.
    #[inline(never)]
    fn find_other(&mut self, key: usize, text: &[u8], at: usize, scope: u64) -> Option<(&ExpectedTag, usize)> {
        let recent = self.recent_tags.get_mut(key)?;
        let known = |number: &u32| self.tags.get(*number as usize).filter(|one| one.scope == scope);
        let is_there = |number: &u32| known(number).is_some_and(|one| one.is_at(text, at));
        let found = recent.iter().skip(1).position(is_there).map(|found| found + 1);
        let found = match found {
            Some(found) => found,
            None => {
                let rest = text.get(space_end(text, at)..)?;
                let tag = |one: &ExpectedTag| {
                    let literal = one.literal.bytes().get(one.gap as usize..).unwrap_or_default();
                    rest.starts_with(literal) && one.ends_at(rest, literal.len())
                };
                recent.iter().position(|number| known(number).is_some_and(tag))?
            }
        };
        let number = recent[found];
        recent.copy_within(..found, 1);
        recent[0] = number;
        self.tags.get(number as usize).map(|one| (one, space_end(text, at)))
    }

    /// Remembers a tag.
    pub(super) fn learn(&mut self, key: usize, new: ExpectedTag) {
        let Some(recent) = self.recent_tags.get_mut(key) else { return };
        recent.rotate_right(1);
        match self.tags.get_mut(recent[0] as usize) {
            Some(known) => *known = new,
            None => {
                recent[0] = self.tags.len() as u32;
                self.tags.push(new);
            }
        }
    }

    /// How an element of a form is read.
    pub(super) fn plan(&mut self, types: &Types, element: ElementId, form: FormId) -> u32 {
        if let Some(number) = self.plan_numbers.get(&(element, form.0)) {
            return *number;
        }
        let mut plan = Plan::new(types, element, form);
        let content = plan.derived.map_or(form, |(_, of)| of.form);
        if let Kind::Record(Record { content: Content::Elements { ty, row, .. }, .. }) = &mut plan.kind {
            *row = self.row(types, content, *ty);
        }
        let number = self.plans.len() as u32;
        self.plan_bytes += plan.bytes();
        self.plans.push(plan);
        self.known.push(RowState::default());
        self.plan_numbers.insert((element, form.0), number);
        number
    }

    /// What is known of the items of a plan.
    #[inline]
    pub(super) fn known(&mut self, plan: u32) -> &mut RowState {
        &mut self.known[plan as usize]
    }

    /// Whether values of the items of a plan may take the places of others.
    pub(in super::super) fn is_by_itself(&self, plan: u32) -> bool {
        self.known.get(plan as usize).and_then(|known| known.row.as_ref()).is_some_and(|row| row.is_by_itself)
    }

    /// Keeps the row of the items of a plan.
    pub(super) fn learn_row(&mut self, plan: u32, row: Row) {
        self.row_count += 1;
        let id = self.row_count;
        self.row_bytes += row.bytes();
        let before = self.known(plan).row.replace(Row { id, ..row });
        self.row_bytes -= before.map_or(0, |row| row.bytes());
    }

    /// The numbers that the items of a plan are, if they have a row, and kernels read them.
    pub(super) fn number_of(&self, plan: u32) -> Option<NumberKind> {
        self.known.get(plan as usize)?.row.as_ref()?.number()
    }

    /// A number for the set of bindings that `push` appends. `None` if the set is too long: comparing long sets at every
    /// element that changes a few bindings would take quadratic time.
    pub(super) fn scope(&mut self, push: impl FnOnce(&mut Vec<u8>, usize) -> bool) -> Option<u64> {
        self.scratch.clear();
        if !push(&mut self.scratch, MOST_OF_SCOPE) {
            return None;
        }
        if let Some(number) = self.scopes.get(&self.scratch[..]) {
            return Some(*number);
        }
        if self.scopes.len() == MOST_SCOPES {
            self.scopes.clear();
            self.scope_bytes = 0;
        }
        self.scope_count += 1;
        self.scope_bytes += self.scratch.len();
        self.scopes.insert(self.scratch[..].into(), self.scope_count);
        Some(self.scope_count)
    }
}

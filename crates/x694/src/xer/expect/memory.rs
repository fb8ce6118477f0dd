//! What came next the last time, kept from one instance to the next.
//!
//! Nothing that is read depends on it: it only decides where to look first.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use xml::chars::space_end;
use xsd::content::{NodeId, Place as ContentPlace};
use xsd::internal::Room;
use xsd::{ComplexId, ElementId};

use super::super::form::{FormId, Place};
use super::super::place::Open;
use super::super::reader::Frame;
use super::super::types::Types;
use super::literal::Literal;
use super::plan::{Content, Kind, Plan, Record};
use super::value::Checked;

/// Places in content, and sets of bindings, that are remembered at the most.
const MOST_PLACES: usize = 1 << 16;
const MOST_SCOPES: usize = 64;

/// Bytes of one set of bindings.
const MOST_OF_SCOPE: usize = 4096;

/// No row, no move.
pub(in super::super) const NONE: u32 = u32::MAX;

/// Which tag came.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    Start(Start),
    /// The end tag of the element around.
    End,
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// The leaf of the content that the element is of, its declaration, and its form.
    pub(super) leaf: NodeId,
    pub(super) element: ElementId,
    pub(super) form: FormId,
    /// How it is read.
    pub(super) plan: u32,
    /// Whether that has characters alone, and no other types.
    pub(super) is_plain: bool,
    pub(super) slot: Option<Slot>,
}

/// The component that the elements of a leaf fill, where the leaf determines it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Which of the components it is.
    pub(super) number: u32,
    pub(super) place: Place,
    /// Whether it is a list.
    pub(super) is_list: bool,
    /// From which component on none is passed over that has a value without an element.
    pub(super) after: u32,
}

/// A tag up to its name, with the white space before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) literal: Literal,
    /// Bytes of white space.
    pub(super) gap: u32,
    /// Bytes of the name.
    pub(super) name: u32,
    /// The set of bindings that the name was read by.
    pub(super) scope: u64,
    pub(super) next: Next,
}

impl Move {
    /// Whether a text goes on with it from a place on.
    #[inline(always)]
    fn is_at(&self, text: &[u8], at: usize) -> bool {
        self.literal.is_at(text, at) && self.ends_at(text, at + self.literal.len())
    }

    /// Whether its name, if it is that of a start tag, ends at a place.
    #[inline(always)]
    fn ends_at(&self, text: &[u8], at: usize) -> bool {
        matches!(self.next, Next::End) || matches!(text.get(at), Some(b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r'))
    }
}

/// The tags that came last at a place, the most recent one first.
type Guess = [u32; 4];

#[derive(Debug, Default)]
pub(in super::super) struct Memory {
    guesses: Vec<Guess>,
    moves: Vec<Move>,
    /// Where the guesses of the content of a form begin.
    rows: HashMap<u32, u32, RandomState>,
    pub(super) plans: Vec<Plan>,
    plan_numbers: HashMap<(ElementId, u32), u32, RandomState>,
    scopes: HashMap<Box<[u8]>, u64, RandomState>,
    /// Sets of bindings there have been.
    scope_count: u64,
    scratch: Vec<u8>,
    /// Room for what is open.
    pub(in super::super) room: Room,
    frames: Vec<Frame>,
    open: Vec<Open>,
    checked: Vec<(usize, Checked)>,
}

/// What a reader has open, and the attributes that it has checked.
type Parts = (Vec<Frame>, Vec<Open>, Vec<(usize, Checked)>);

impl Memory {
    /// Room for a reader, in which nothing is.
    pub(in super::super) fn take(&mut self) -> Parts {
        use std::mem::take;
        (take(&mut self.frames), take(&mut self.open), take(&mut self.checked))
    }

    /// Keeps it for the next reader.
    pub(in super::super) fn give(&mut self, (mut frames, mut open, mut checked): Parts) {
        frames.clear();
        open.clear();
        checked.clear();
        (self.frames, self.open, self.checked) = (frames, open, checked);
    }

    /// Where the guesses of the content of a form begin, which is that of a type.
    pub(in super::super) fn row(&mut self, types: &Types, form: FormId, ty: ComplexId) -> u32 {
        if let Some(row) = self.rows.get(&form.0) {
            return *row;
        }
        let places = types.schema().model(ty).nodes().len() + 1;
        if self.guesses.len() + places > MOST_PLACES {
            return NONE;
        }
        let row = self.guesses.len() as u32;
        self.guesses.resize(self.guesses.len() + places, [NONE; 4]);
        self.rows.insert(form.0, row);
        row
    }

    /// The place of a guess.
    #[inline(always)]
    pub(in super::super) fn key(row: u32, place: ContentPlace) -> usize {
        row as usize + place.node().map_or(0, |node| node.index() + 1)
    }

    /// The tag that is at a place of a text, if it is one of those that came last; and where it begins.
    #[inline(always)]
    pub(super) fn find(&mut self, key: usize, text: &[u8], at: usize, scope: u64) -> Option<(&Move, usize)> {
        let first = *self.guesses.get(key)?.first()?;
        // Asked for twice: what is returned is borrowed.
        if self.moves.get(first as usize).is_some_and(|one| one.scope == scope && one.is_at(text, at)) {
            return self.moves.get(first as usize).map(|one| (one, at + one.gap as usize));
        }
        self.find_other(key, text, at, scope)
    }

    /// The same of the others, and with any white space before the tag.
    #[inline(never)]
    fn find_other(&mut self, key: usize, text: &[u8], at: usize, scope: u64) -> Option<(&Move, usize)> {
        let guess = self.guesses.get_mut(key)?;
        let known = |number: &u32| self.moves.get(*number as usize).filter(|one| one.scope == scope);
        let is_there = |number: &u32| known(number).is_some_and(|one| one.is_at(text, at));
        let found = guess.iter().skip(1).position(is_there).map(|found| found + 1);
        let found = match found {
            Some(found) => found,
            None => {
                let rest = text.get(space_end(text, at)..)?;
                let tag = |one: &Move| {
                    let literal = one.literal.bytes().get(one.gap as usize..).unwrap_or_default();
                    rest.starts_with(literal) && one.ends_at(rest, literal.len())
                };
                guess.iter().position(|number| known(number).is_some_and(tag))?
            }
        };
        let number = guess[found];
        guess.copy_within(..found, 1);
        guess[0] = number;
        self.moves.get(number as usize).map(|one| (one, space_end(text, at)))
    }

    /// Takes note of a tag that came at a place.
    pub(super) fn learn(&mut self, key: usize, new: Move) {
        let Some(guess) = self.guesses.get_mut(key) else { return };
        guess.rotate_right(1);
        match self.moves.get_mut(guess[0] as usize) {
            Some(known) => *known = new,
            None => {
                guess[0] = self.moves.len() as u32;
                self.moves.push(new);
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
        self.plans.push(plan);
        self.plan_numbers.insert((element, form.0), number);
        number
    }

    /// A number for a set of bindings, which `push` appends; `None` if these come to more bytes than it may append, so that
    /// an element that changes some of them costs no more than those.
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
        }
        self.scope_count += 1;
        self.scopes.insert(self.scratch[..].into(), self.scope_count);
        Some(self.scope_count)
    }
}

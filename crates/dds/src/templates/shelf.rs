//! Templates between messages: by kind, by last use, within a bound of memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use crate::checkpoints::{BEGINNING, Likeness};
use crate::options::Matching;
use crate::reader::Reader;
use crate::stats::Stats;
use crate::templates::balance::Balance;
use crate::templates::template::Template;

/// Templates that a kind of message has at most: one for each shape, and for each thread that reads messages of a shape.
const SHAPES: usize = 8;

/// What the first messages of a kind, or later hits, allow for new shapes: a hit 1, and a shape takes 4.
const ROOM: u8 = 32;
const SHAPE: u8 = 4;

/// Where nothing is like what came before, a template that is not proven goes after so many messages.
const FUTILE: u32 = 4;

/// Bytes of all templates of a kind that a message is compared with to choose one.
const COMPARED: usize = 8 << 10;

/// What the shelf itself takes for a template, in bytes, rather more than less.
const PLACE: usize = 256;

/// Proven templates take at most so much of the bound, as a fraction of 4.
const PROVEN: usize = 3;

/// A template that has not been used while so many messages per template came is no longer proven.
const COLD: u64 = 64;

/// All templates that are not in use.
///
/// Which one has to go is decided as by a segmented LRU cache: first those that no message has been read by yet, then
/// those that have proven useful. So messages that come once put out no template that is used.
#[derive(Debug)]
pub(crate) struct Shelf {
    kinds: HashMap<u64, Kind, foldhash::fast::RandomState>,
    /// The kind of each template, in the order in which they have to go: whether it is proven, and its last use.
    order: BTreeMap<(bool, u64), u64>,
    /// Bytes that may be kept, that are (those of templates in use as they were before), and those of proven templates.
    bound: usize,
    kept: usize,
    proven: usize,
    /// Counts messages.
    clock: u64,
    /// What all templates counted; those in use are left out.
    stats: Stats,
}

/// Messages of one kind.
#[derive(Debug)]
struct Kind {
    shapes: Vec<Entry>,
    in_use: usize,
    /// How many shapes it may still get; if there is none, messages take the place of others.
    room: u8,
    /// Messages that were read whole while there was no room.
    futile: u32,
    /// What trying may cost, and has saved, with messages of this kind.
    balance: Balance,
}

/// A template, on the shelf or in use.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) template: Box<Template>,
    pub(crate) kind: u64,
    /// When it was last used; a number of its own, 0 if it is being used.
    pub(crate) used: u64,
    /// Bytes of it that count against the bound.
    pub(crate) kept: usize,
    /// Whether its last message was read by what differed from the one before.
    pub(crate) is_proven: bool,
    /// Whether its last message took the place of another, with which it was compared in vain.
    pub(crate) is_torn: bool,
    /// Whether it was taken to compare a message with its last.
    pub(crate) is_tried: bool,
    /// The balance of its kind when it was taken.
    lent: Balance,
}

impl Entry {
    /// The same place for another template, which takes over what was kept; this one has been used just now.
    pub(crate) fn replace(&mut self, template: Box<Template>) -> Entry {
        let lent = template.balance;
        let (used, kept) = (std::mem::take(&mut self.used), std::mem::take(&mut self.kept));
        Entry {
            template,
            kind: self.kind,
            used,
            kept,
            is_proven: self.is_proven,
            is_torn: false,
            is_tried: false,
            lent,
        }
    }

    fn place(&self) -> (bool, u64) {
        (self.is_proven, self.used)
    }
}

impl Kind {
    fn new() -> Kind {
        Kind { shapes: Vec::new(), in_use: 0, room: ROOM, futile: 0, balance: Balance::default() }
    }

    /// The template for a message that begins with some bytes and has so many in all; `None` for a new one.
    fn choose(&self, beginning: &[u8], len: &RangeInclusive<usize>) -> Option<usize> {
        let (may_try, has_room) = (self.balance.allows(), self.room >= SHAPE);
        match &self.shapes[..] {
            _ if !may_try && !has_room => return self.last_unproven(),
            [only] if may_try && !only.is_torn => return Some(0),
            _ => {}
        }
        let Choice { n, off, is_alike } = self.most_alike(beginning, len)?;
        let entry = &self.shapes[n];
        // Where bytes are not kept, two shapes would put each other out in turn.
        let is_other = entry.is_torn && !(is_alike && off <= entry.template.message_len() / 16);
        if has_room && (is_other || !may_try && !is_alike) { None } else { Some(n) }
    }

    /// The template whose message begins most like another; among equals the one of the nearest length, then the last used.
    fn most_alike(&self, beginning: &[u8], len: &RangeInclusive<usize>) -> Option<Choice> {
        let window = (COMPARED / self.shapes.len().max(1)).min(BEGINNING);
        let beginning = &beginning[..beginning.len().min(window)];
        let mut best = None;
        for (n, entry) in self.shapes.iter().enumerate() {
            let earlier = entry.template.beginning();
            let Likeness { len: alike, is_alike } = Likeness::of(beginning, &earlier[..earlier.len().min(window)]);
            let off = distance(entry.template.message_len(), len);
            let rank = (alike, Reverse(off), entry.used);
            if best.as_ref().is_none_or(|(best, _)| rank > *best) {
                best = Some((rank, Choice { n, off, is_alike }));
            }
            if is_alike && off == 0 {
                break;
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// The template whose place a message takes that is not tried: always the same, whose memory is in the caches.
    fn last_unproven(&self) -> Option<usize> {
        (0..self.shapes.len()).max_by_key(|n| (!self.shapes[*n].is_proven, self.shapes[*n].used))
    }

    /// The place of the template that has to go first.
    fn oldest(&self) -> Option<(bool, u64)> {
        self.shapes.iter().map(Entry::place).min()
    }
}

/// One of the templates of a kind.
struct Choice {
    n: usize,
    /// How far its message's length is from that of the message.
    off: usize,
    is_alike: bool,
}

/// How far a length is from those that a message may have.
fn distance(len: usize, of: &RangeInclusive<usize>) -> usize {
    of.start().saturating_sub(len).max(len.saturating_sub(*of.end()))
}

impl Shelf {
    pub(crate) fn new(bound: usize) -> Shelf {
        Shelf {
            kinds: HashMap::default(),
            order: BTreeMap::new(),
            bound,
            kept: 0,
            proven: 0,
            clock: 1,
            stats: Stats::default(),
        }
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats { memory: self.kept as u64, ..self.stats }
    }

    /// Takes the template for a message of a kind, or a new one.
    pub(crate) fn take(&mut self, id: u64, beginning: &[u8], len: &RangeInclusive<usize>, reader: &Reader) -> Entry {
        let kind = self.kinds.entry(id).or_insert_with(Kind::new);
        kind.in_use += 1;
        let parts = kind.room >= SHAPE;
        let chosen = match reader.options.matching {
            Matching::Never => kind.shapes.len().checked_sub(1),
            _ => kind.choose(beginning, len),
        };
        let lent = kind.balance;
        let mut entry = match chosen {
            Some(n) => {
                let entry = kind.shapes.swap_remove(n);
                self.order.remove(&entry.place());
                self.proven -= if entry.is_proven { entry.kept } else { 0 };
                entry
            }
            None => {
                let template = Box::new(Template::new(reader.clone()));
                kind.room = kind.room.saturating_sub(SHAPE);
                Entry { template, kind: id, used: 0, kept: 0, is_proven: false, is_torn: false, is_tried: false, lent }
            }
        };
        (entry.lent, entry.template.balance, entry.template.parts) = (lent, lent, parts);
        let has_places = entry.template.state.as_ref().is_some_and(|state| state.places.is_some());
        entry.is_tried = has_places && lent.allows();
        entry
    }

    /// Puts back a template that was taken; those that had to go, to be dropped outside of locks.
    #[must_use]
    pub(crate) fn put(&mut self, mut entry: Entry) -> Vec<Entry> {
        self.stats += std::mem::take(&mut entry.template.stats);
        let Some(kind) = self.kinds.get_mut(&entry.kind) else { return vec![entry] };
        kind.in_use -= 1;
        kind.balance.settle(entry.lent, entry.template.balance);
        if kind.shapes.is_empty() && entry.kept == 0 && entry.template.state.is_some() {
            kind.balance.begin(entry.template.message_len());
        }
        let mut futile = None;
        if entry.used == 0 && entry.is_proven {
            kind.room = (kind.room + 1).min(ROOM);
        } else if entry.used == 0 && kind.room < SHAPE {
            kind.futile = kind.futile.wrapping_add(1);
            let oldest = if kind.futile.is_multiple_of(FUTILE) { kind.oldest() } else { None };
            futile = oldest.filter(|(is_proven, _)| !is_proven);
        }
        let id = entry.kind;
        let mut gone = self.add(entry);
        if let Some(place) = futile {
            gone.extend(self.remove(id, place));
        }
        gone
    }

    /// Adds the template of a shape beside which another has begun, that is in use.
    #[must_use]
    pub(crate) fn part(&mut self, entry: Entry) -> Vec<Entry> {
        if let Some(kind) = self.kinds.get_mut(&entry.kind) {
            kind.room = kind.room.saturating_sub(SHAPE);
        }
        self.add(entry)
    }

    fn add(&mut self, mut entry: Entry) -> Vec<Entry> {
        let before = std::mem::replace(&mut entry.kept, entry.template.kept() + PLACE);
        self.kept = self.kept - before + entry.kept;
        if entry.used == 0 {
            self.clock += 1;
            entry.used = self.clock;
        }
        let (id, place, kept) = (entry.kind, entry.place(), entry.kept);
        let kind = self.kinds.entry(id).or_insert_with(Kind::new);
        if entry.template.state.is_none() || kept > self.bound {
            self.kept -= kept;
            self.clear(id);
            return vec![entry];
        }
        kind.shapes.push(entry);
        let most = if kind.shapes.len() > SHAPES { kind.oldest() } else { None };
        self.order.insert(place, id);
        self.proven += if place.0 { kept } else { 0 };
        let mut gone = Vec::new();
        gone.extend(most.and_then(|oldest| self.remove(id, oldest)));
        if self.kept > self.bound {
            self.cool();
            if self.proven + kept > self.bound {
                // If it is not proven, it would put out all others before it.
                gone.extend(self.remove(id, (false, place.1)));
            }
        }
        while self.kept > self.bound
            && let Some((place, id)) = self.order.first_key_value().map(|(place, id)| (*place, *id))
        {
            gone.extend(self.remove(id, place));
        }
        gone
    }

    /// Takes a template out that has to go.
    fn remove(&mut self, id: u64, place: (bool, u64)) -> Option<Entry> {
        let shapes = &mut self.kinds.get_mut(&id)?.shapes;
        let n = shapes.iter().position(|entry| entry.place() == place)?;
        let entry = shapes.swap_remove(n);
        self.order.remove(&place);
        self.proven -= if entry.is_proven { entry.kept } else { 0 };
        self.kept -= entry.kept;
        self.clear(id);
        Some(entry)
    }

    /// Forgets a kind without templates.
    fn clear(&mut self, id: u64) {
        if self.kinds.get(&id).is_some_and(|kind| kind.shapes.is_empty() && kind.in_use == 0) {
            self.kinds.remove(&id);
        }
    }

    /// Makes proven templates ordinary ones where they take too much of the bound, or have not been used for long.
    fn cool(&mut self) {
        while let Some((place, id)) = self.order.range((true, 0)..).next().map(|(place, id)| (*place, *id)) {
            let age = self.clock.saturating_sub(place.1);
            if self.proven <= self.bound / 4 * PROVEN && age <= COLD * self.order.len() as u64 {
                return;
            }
            self.clock += 1;
            let used = self.clock;
            self.order.remove(&place);
            self.order.insert((false, used), id);
            let shapes = self.kinds.get_mut(&id).map(|kind| &mut kind.shapes);
            let Some(entry) = shapes.and_then(|shapes| shapes.iter_mut().find(|entry| entry.place() == place)) else {
                return;
            };
            (entry.is_proven, entry.used) = (false, used);
            self.proven -= entry.kept;
        }
    }
}

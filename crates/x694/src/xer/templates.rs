//! Templates of several kinds and shapes of instance, which threads share.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ::xml::xop::Package;
use asn1::{NodeId, Value, Values};
use dds::checkpoints::{BEGINNING, Likeness, method};
use tam::Error;
use xsd::Options;

use super::balance::cost_of_tries;
use super::template::{Template, as_package};
use super::types::Types;

/// Shapes of one kind at the most, and bytes of all of them that an instance is compared with to choose one.
const SHAPES: usize = 16;
const COMPARED: usize = 8 << 10;

/// As long as none of all shapes of a kind has saved anything, a few that were used last are looked at, and all of them seldom:
/// looking at all costs a tenth of reading a short instance.
const FEW: usize = 2;
const SELDOM: u64 = 8;

/// The first instance brings so many tries, and so many bytes more. Each reading brings a part of its bytes for further ones, and
/// what is skipped another; all of it is at most so many instances.
const TRIES: i64 = 8;
const BEGINNING_CREDIT: i64 = 256 << 10;
const SHARE: usize = 64;

/// Of a kind of which nothing has been saved, so many shapes are begun with what the first instance has brought. A try with a new
/// shape costs more than reading a short instance.
const UNPROVEN: usize = 4;

/// When there is no room left, so much of the bound is made free, as a part of it.
const FREED: usize = 8;

/// Templates for instances of a schema, within a bound of memory: one for each way in which they are written, whatever their
/// values. So instances of different elements, or of different programs, may come in turn, and in several threads.
///
/// A *kind* is the name of the root element or, in an envelope of SOAP, that of the element in the body. It has up to
/// sixteen *shapes*. An instance is read by the shape that it begins most like. A kind or shape that is new is only compared
/// with later ones if earlier tries have saved enough: so many kinds that come once each cost little.
///
/// When there is no room left, templates that have not saved anything go first; among equals, those used least recently.
#[derive(Debug)]
pub struct Templates {
    shelf: Mutex<Shelf>,
    bound: usize,
    hasher: RandomState,
    /// Of a template that has been given back.
    none: Values,
}

/// The templates that are not in use.
#[derive(Debug, Default)]
struct Shelf {
    kinds: HashMap<u64, Vec<Kept>>,
    memory: usize,
    clock: u64,
    /// What tries with new templates may cost, in bytes: what the first instance has brought, and what readings have.
    brought: i64,
    credit: i64,
    has_begun: bool,
    /// What those counted that have had to go.
    gone: dds::Stats,
}

#[derive(Debug)]
struct Kept {
    template: Box<Template>,
    used: u64,
    memory: usize,
    has_saved: bool,
}

/// A value that has been read by a template, which is in use until this is dropped.
#[derive(Debug)]
pub struct Lease<'t> {
    templates: &'t Templates,
    types: &'t Types,
    kind: u64,
    node: NodeId,
    /// There until this is dropped.
    template: Option<Box<Template>>,
    skipped: usize,
}

impl Lease<'_> {
    /// The value.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        match &self.template {
            Some(template) => template.value(self.types, self.node),
            None => self.templates.none.value(self.types.compiled(), self.node, b""),
        }
    }

    /// Bytes of the instance that were taken from the one before.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(template) = self.template.take() {
            self.templates.give_back(self.kind, template, self.skipped);
        }
    }
}

impl Templates {
    /// Templates that keep at most about `bound` bytes between instances; one is always kept.
    #[must_use]
    pub fn new(bound: usize) -> Templates {
        Templates { shelf: Mutex::default(), bound, hasher: RandomState::new(), none: Values::new() }
    }

    /// Reads an instance by the template that it begins most like; see [`Template::read`].
    ///
    /// # Errors
    /// Those of [`Template::read`].
    pub fn read<'t>(&'t self, xml: &mut Vec<u8>, types: &'t Types, options: &Options) -> Result<Lease<'t>, Error> {
        as_package(xml, |package| self.read_package(package, types, options))
    }

    /// Like [`Templates::read`], for the document of a package; see [`Template::read_package`].
    ///
    /// # Errors
    /// Those of [`Template::read`].
    pub fn read_package<'t>(
        &'t self,
        package: &mut Package,
        types: &'t Types,
        options: &Options,
    ) -> Result<Lease<'t>, Error> {
        let xml = package.document();
        let kind = self.hasher.hash_one(method(xml));
        let mut template = self.lock().choose(kind, xml);
        let before = template.stats().bytes_skipped;
        let read = template.advance(package, types, options);
        let skipped = (template.stats().bytes_skipped - before) as usize;
        match read {
            Ok(node) => Ok(Lease { templates: self, types, kind, node, template: Some(template), skipped }),
            Err(error) => {
                self.give_back(kind, template, 0);
                Err(error)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, kind: u64, template: Box<Template>, skipped: usize) {
        let mut shelf = self.lock();
        let (len, most) = (template.last().len(), TRIES * template.last().len() as i64);
        shelf.credit = (shelf.credit + (len / SHARE + skipped / 2) as i64).min(most.max(shelf.credit));
        if len == 0 {
            // Nothing has been read by it.
            if shelf.kinds.get(&kind).is_some_and(Vec::is_empty) {
                shelf.kinds.remove(&kind);
            }
            shelf.gone += template.stats();
            shelf.gone.memory = 0;
            return;
        }
        shelf.clock += 1;
        let (used, stats) = (shelf.clock, template.stats());
        let (memory, has_saved) = (stats.memory as usize, stats.bytes_skipped > 0);
        shelf.memory += memory;
        shelf.kinds.entry(kind).or_default().push(Kept { template, used, memory, has_saved });
        if shelf.memory > self.bound {
            shelf.make_room(self.bound - self.bound / FREED);
        }
    }

    /// What differencing was worth so far, in all templates that are not in use together.
    #[must_use]
    pub fn stats(&self) -> dds::Stats {
        let shelf = self.lock();
        let mut stats = shelf.gone;
        shelf.kinds.values().flatten().for_each(|kept| stats += kept.template.stats());
        stats
    }
}

impl Shelf {
    /// Takes the template for an instance from the shelf.
    fn choose(&mut self, kind: u64, xml: &[u8]) -> Box<Template> {
        if !self.has_begun {
            self.has_begun = true;
            self.brought = TRIES * cost_of_tries(xml.len()) + BEGINNING_CREDIT;
        }
        let (cost, shapes) = (cost_of_tries(xml.len()), self.kinds.get_mut(&kind));
        let is_promising = |shapes: &Vec<Kept>| shapes.len() < UNPROVEN || shapes.iter().any(|kept| kept.has_saved);
        let for_new = if shapes.as_deref().is_none_or(is_promising) { self.brought } else { 0 };
        let may_begin = for_new + self.credit >= cost;
        let kept =
            shapes.and_then(|shapes| best(shapes, xml, may_begin, self.clock).map(|place| shapes.swap_remove(place)));
        self.memory -= kept.as_ref().map_or(0, |kept| kept.memory);
        let brought = if kept.is_some() { self.brought } else { for_new };
        let mut template = kept.map_or_else(Box::default, |kept| kept.template);
        if brought + self.credit >= cost && template.wants_try(xml.len()) {
            let of_brought = cost.min(brought);
            self.brought -= of_brought;
            self.credit -= cost - of_brought;
            template.grant_try(xml.len());
        }
        template
    }

    /// Drops templates until they take at most so much memory.
    fn make_room(&mut self, most: usize) {
        let rank = |kept: &Kept| (kept.has_saved, kept.used);
        let mut all: Vec<_> = self.kinds.values().flatten().map(|kept| (rank(kept), kept.memory)).collect();
        all.sort_unstable();
        all.pop();
        let (mut memory, mut go) = (self.memory, None);
        for (rank, size) in all {
            if memory <= most {
                break;
            }
            memory -= size;
            go = Some(rank);
        }
        let Some(last) = go else { return };
        for shapes in self.kinds.values_mut() {
            shapes.retain(|kept| {
                let stays = rank(kept) > last;
                if !stays {
                    self.gone += kept.template.stats();
                }
                stays
            });
        }
        self.kinds.retain(|_, shapes| !shapes.is_empty());
        (self.memory, self.gone.memory) = (memory, 0);
    }
}

/// The template whose instance begins like this one; `None` for a new one, if there `may` be one.
fn best(shapes: &[Kept], xml: &[u8], may: bool, clock: u64) -> Option<usize> {
    let looks_at_all =
        shapes.len() < SHAPES || clock.is_multiple_of(SELDOM) || shapes.iter().any(|kept| kept.has_saved);
    let first = if looks_at_all { 0 } else { shapes.len() - FEW };
    let window = (COMPARED / (shapes.len() - first).max(1)).min(BEGINNING);
    let beginning = &xml[..xml.len().min(window)];
    let mut best: Option<((bool, usize, usize), usize)> = None;
    for (place, Kept { template, .. }) in shapes.iter().enumerate().skip(first) {
        let last = template.last();
        let likeness = Likeness::of(beginning, &last[..last.len().min(window)]);
        // Among those that are alike, the one of the nearest length.
        let rank = (likeness.is_alike, likeness.len, usize::MAX - last.len().abs_diff(xml.len()));
        if best.as_ref().is_none_or(|(known, _)| rank >= *known) {
            best = Some((rank, place));
        }
    }
    // Where the beginning differs, most of the rest may be the same; if it was not, the two go different ways.
    let is_for = |place: usize| !may || shapes.len() >= SHAPES || shapes[place].template.takes_others();
    best.filter(|((is_alike, ..), place)| *is_alike || is_for(*place)).map(|(_, place)| place)
}

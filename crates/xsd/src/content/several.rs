//! Content whose occurrences can be counted in several ways: all are followed side by side.
//!
//! The first counter tells how many ways there are; behind it are the counters of each. They are in the order of
//! preference: groups within go on before those around them begin again.

use smallvec::SmallVec;

use super::step::{Place, Transition};
use super::{MOST_WAYS, Model, NodeId};

/// In the first counter: there have been more ways than are followed.
const DROPPED: u32 = 1 << 31;

/// How a way goes on with a child element.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The way that goes on.
    from: u32,
    /// How many groups that could go on with the element end instead.
    passed: u32,
}

/// The ways to count the children of an element up to one.
#[derive(Clone, Debug, Default)]
struct Ways {
    counts: Vec<u32>,
    branches: SmallVec<[Branch; 4]>,
    /// What the first of them begins again.
    again: Option<u32>,
    dropped: bool,
}

impl Model {
    /// All ways to go on to a leaf from those before.
    fn ways_on(&self, at: Place, to: u32, before: &[u32]) -> Ways {
        let width = self.counters as usize;
        let mut ways = Ways::default();
        for (from, counts) in (0..).zip(before.chunks_exact(width)) {
            let mut found: SmallVec<[Option<u32>; 4]> = SmallVec::new();
            self.follows(at, to, counts, |again| {
                found.push(again);
                false
            });
            for (passed, again) in (0..).zip(found) {
                let start = ways.counts.len();
                ways.counts.extend_from_slice(counts);
                self.count(at, to, again, &mut ways.counts[start..]);
                let (known, new) = ways.counts.split_at(start);
                let is_known = known.chunks_exact(width).any(|way| way == new);
                if is_known || ways.branches.len() == MOST_WAYS {
                    ways.dropped |= !is_known;
                    ways.counts.truncate(start);
                    continue;
                }
                if ways.branches.is_empty() {
                    ways.again = again;
                }
                ways.branches.push(Branch { from, passed });
            }
        }
        ways
    }

    /// Goes to a leaf in every way that there is.
    pub(super) fn go_several(&self, at: Place, to: u32, counts: &mut [u32]) -> Option<Transition> {
        let (first, counts) = counts.split_first_mut()?;
        let before = if at == Place::START { 1 } else { (*first & !DROPPED) as usize };
        let ways = self.ways_on(at, to, counts.get(..before * self.counters as usize)?);
        if ways.branches.is_empty() {
            return None;
        }
        *first = *first & DROPPED | ways.branches.len() as u32 | if ways.dropped { DROPPED } else { 0 };
        counts.get_mut(..ways.counts.len())?.copy_from_slice(&ways.counts);
        Some(Transition { to: NodeId(to), again: ways.again.map(NodeId) })
    }

    /// Whether everything around a leaf has occurred often enough in one of the ways.
    pub(super) fn accepts_several(&self, leaf: u32, counts: &[u32]) -> bool {
        let Some((first, counts)) = counts.split_first() else { return false };
        let width = self.counters as usize;
        counts.chunks_exact(width).take((first & !DROPPED) as usize).any(|counts| self.is_counted(leaf, counts))
    }

    /// The counters that say something: those of the ways that there are.
    pub(super) fn kept(&self, counts: &[u32]) -> Box<[u32]> {
        let ways = counts.first().filter(|_| self.several).map(|first| (first & !DROPPED) as usize);
        let most = ways.map_or(counts.len(), |ways| 1 + ways * self.counters as usize);
        counts.get(..most).unwrap_or(counts).into()
    }

    /// As many counters as a step wants.
    pub(super) fn all_counters(&self, kept: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.counters()];
        counts[..kept.len()].copy_from_slice(kept);
        counts
    }

    /// Whether there have been more ways to count than are followed, so that what none of these allows may be
    /// allowed nevertheless.
    pub(crate) fn has_dropped(&self, counts: &[u32]) -> bool {
        self.several && counts.first().is_some_and(|first| first & DROPPED != 0)
    }
}

/// The children of an element whose content can be counted in several ways: which group each goes on in, when all
/// of them are known.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    at: Place,
    ways: Vec<u32>,
    /// For each child of which it is not settled, and each way, how that goes on.
    branches: Vec<Branch>,
    /// Where those of each child begin.
    begins: Vec<usize>,
    settled: Vec<u32>,
}

impl Tally {
    pub(crate) fn new(model: &Model) -> Tally {
        let ways = vec![0; model.counters as usize];
        Tally { at: Place::START, ways, branches: Vec::new(), begins: Vec::new(), settled: Vec::new() }
    }

    /// Takes note of the leaf that the next child is of, which it may be of.
    pub(crate) fn push(&mut self, model: &Model, to: NodeId) {
        let ways = model.ways_on(self.at, to.0, &self.ways);
        self.begins.push(self.branches.len());
        self.branches.extend_from_slice(&ways.branches);
        (self.at, self.ways) = (Place(to.0), ways.counts);
        if ways.branches.len() == 1 {
            self.settle(0);
        }
    }

    /// Of each child how many of the groups that it could go on in it passes over, those within first: as few as
    /// the content allows, the first children first.
    pub(crate) fn finish(mut self, model: &Model) -> Vec<u32> {
        let mut ways = self.ways.chunks_exact(model.counters as usize);
        let last = self.at.node().and_then(|leaf| ways.position(|counts| model.is_counted(leaf.0, counts)));
        self.settle(last.unwrap_or(0) as u32);
        self.settled
    }

    /// Settles what led to a way of the last child.
    fn settle(&mut self, way: u32) {
        let (start, mut way) = (self.settled.len(), way);
        while let Some(begin) = self.begins.pop() {
            let Some(branch) = self.branches.get(begin + way as usize) else { continue };
            self.settled.push(branch.passed);
            way = branch.from;
        }
        self.branches.clear();
        self.settled[start..].reverse();
    }
}

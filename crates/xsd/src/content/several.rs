//! Content whose occurrences can be counted in several ways: all are followed side by side.
//!
//! A *way* has for each counter the least and the most that it may have come to, each of which goes with each of the
//! other counters'. The first counter tells how many ways there are; behind it are they, those first in which groups
//! within have gone on as long as they can.

use smallvec::SmallVec;

use super::step::{Place, Transition};
use super::{MOST_WAYS, Model, NONE, NodeId};

/// In the first counter: there have been more ways than are followed.
const DROPPED: u32 = 1 << 31;

/// Ways to count the children of an element up to one.
#[derive(Clone, Debug, Default)]
struct Ways {
    /// The least of each counter and the most, way by way.
    counts: Vec<u32>,
    dropped: bool,
}

impl Ways {
    /// Adds the way in the last place, of so many counters, unless it is in another or goes with that.
    fn settle_last(&mut self, width: usize) {
        let start = self.counts.len() - 2 * width;
        let (known, new) = self.counts.split_at_mut(start);
        if known.chunks_exact_mut(2 * width).any(|way| join(way, new)) {
            self.counts.truncate(start);
        } else if start == MOST_WAYS * 2 * width {
            self.counts.truncate(start);
            self.dropped = true;
        }
    }
}

/// Makes one way of two, if that is what they say.
fn join(way: &mut [u32], new: &[u32]) -> bool {
    let width = way.len() / 2;
    let (least, most) = way.split_at_mut(width);
    let (new_least, new_most) = new.split_at(width);
    let mut other = None;
    for n in 0..width {
        let is_within = least[n] <= new_least[n] && new_most[n] <= most[n];
        let touches = new_least[n] <= most[n].saturating_add(1) && least[n] <= new_most[n].saturating_add(1);
        let is_same = least[n] == new_least[n] && most[n] == new_most[n];
        match other {
            _ if is_same => {}
            None if touches => other = Some((n, is_within)),
            Some((_, true)) if is_within => {}
            _ => return false,
        }
    }
    if let Some((n, false)) = other {
        (least[n], most[n]) = (least[n].min(new_least[n]), most[n].max(new_most[n]));
    }
    true
}

impl Model {
    /// All ways to go on to a leaf from those before, and what the first of them begins again; `None` if there are
    /// none.
    fn ways_on(&self, at: Place, to: u32, before: &[u32]) -> Option<(Ways, Option<u32>)> {
        let width = self.counters as usize;
        let (mut ways, mut first) = (Ways::default(), None);
        for way in before.chunks_exact(2 * width) {
            let (least, most) = way.split_at(width);
            let mut found: SmallVec<[Option<u32>; 4]> = SmallVec::new();
            self.follows(at, to, least, most, |again| {
                found.push(again);
                false
            });
            for again in found {
                first = first.or(Some(again));
                let start = ways.counts.len();
                ways.counts.extend_from_slice(way);
                let (least, most) = ways.counts[start..].split_at_mut(width);
                if let Some(node) = again.map(|node| &self.nodes[node as usize])
                    && node.counter != NONE
                {
                    let most = &mut most[node.counter as usize];
                    *most = (*most).min(node.max - 1);
                }
                self.count_on(at, to, again, least);
                self.count_on(at, to, again, most);
                ways.settle_last(width);
            }
        }
        first.map(|again| (ways, again))
    }

    /// Counts what begins on the way to a leaf, and forgets what is not around it.
    fn count_on(&self, at: Place, to: u32, again: Option<u32>, counts: &mut [u32]) {
        self.count(at, to, again, counts);
        let innermost = self.around(to).find(|node| self.nodes[*node as usize].counter != NONE);
        let used = innermost.map_or(0, |node| self.nodes[node as usize].counter as usize + 1);
        counts[used..].fill(0);
    }

    /// A node and those around it.
    fn around(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |node| Some(self.nodes[*node as usize].parent).filter(|node| *node != NONE))
    }

    /// Goes to a leaf in every way that there is.
    pub(super) fn go_several(&self, at: Place, to: u32, counts: &mut [u32]) -> Option<Transition> {
        let (first, counts) = counts.split_first_mut()?;
        let width = 2 * self.counters as usize;
        let before = if at == Place::START { 1 } else { (*first & !DROPPED) as usize };
        let (ways, again) = self.ways_on(at, to, counts.get(..before * width)?)?;
        let dropped = if ways.dropped { DROPPED } else { *first & DROPPED };
        *first = (ways.counts.len() / width) as u32 | dropped;
        counts.get_mut(..ways.counts.len())?.copy_from_slice(&ways.counts);
        Some(Transition { to: NodeId(to), again: again.map(NodeId) })
    }

    /// Whether everything around a leaf has occurred often enough in one of the ways.
    pub(super) fn accepts_several(&self, leaf: u32, counts: &[u32]) -> bool {
        let Some((first, counts)) = counts.split_first() else { return false };
        let width = self.counters as usize;
        let mut ways = counts.chunks_exact(2 * width).take((first & !DROPPED) as usize);
        ways.any(|way| self.is_counted(leaf, &way[width..]))
    }

    /// The counters that say something: those of the ways that there are.
    pub(super) fn kept(&self, counts: &[u32]) -> Box<[u32]> {
        let ways = counts.first().filter(|_| self.several).map(|first| (first & !DROPPED) as usize);
        let most = ways.map_or(counts.len(), |ways| 1 + ways * 2 * self.counters as usize);
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

    /// The ways before a step from which it leads to one of some ways behind it.
    fn ways_before(&self, at: u32, to: u32, behind: &[u32]) -> Ways {
        let width = self.counters as usize;
        let mut ways = Ways::default();
        let mut found: SmallVec<[Option<u32>; 4]> = SmallVec::new();
        self.follows(Place(at), to, &vec![0; width], &vec![u32::MAX; width], |again| {
            found.push(again);
            false
        });
        for again in found {
            for way in behind.chunks_exact(2 * width) {
                let start = ways.counts.len();
                ways.counts.resize(start + width, 0);
                ways.counts.resize(start + 2 * width, u32::MAX);
                let (least, most) = ways.counts[start..].split_at_mut(width);
                if self.step_back(at, to, again, way, (least, most)) {
                    ways.settle_last(width);
                } else {
                    ways.counts.truncate(start);
                }
            }
        }
        ways
    }

    /// The counts before a step that lead to those behind it; `false` if there are none.
    fn step_back(
        &self,
        at: u32,
        to: u32,
        again: Option<u32>,
        behind: &[u32],
        before: (&mut [u32], &mut [u32]),
    ) -> bool {
        let (least, most) = behind.split_at(self.counters as usize);
        let meeting = again.unwrap_or_else(|| self.meeting(at, to));
        let depth = self.nodes[meeting as usize].depth;
        let counted = |leaf: u32| {
            let nodes = self.around(leaf).map(|node| (node, &self.nodes[node as usize]));
            nodes.filter(|(_, node)| node.counter != NONE).map(|(id, node)| (id, node, node.counter as usize))
        };
        // What begins has occurred once.
        let mut begun = counted(to).filter(|(_, node, _)| node.depth > depth);
        if begun.any(|(_, _, n)| least[n] > 1 || most[n] < 1) {
            return false;
        }
        for (id, node, n) in counted(at) {
            (before.0[n], before.1[n]) = if node.depth > depth {
                (node.min, u32::MAX)
            } else if again == Some(id) {
                // What need not stop is counted until it is enough.
                let is_enough = node.max == u32::MAX && most[n] >= node.min;
                let one_less = most[n].min(node.max).checked_sub(1);
                let Some(one_less) = one_less else { return false };
                (least[n].saturating_sub(1), if is_enough { u32::MAX } else { one_less })
            } else {
                (least[n], most[n])
            };
        }
        true
    }
}

/// The children of an element whose content can be counted in several ways: which group each goes on in, when all
/// of them are known.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    leaves: Vec<u32>,
}

impl Tally {
    /// Takes note of the leaf that the next child is of.
    pub fn push(&mut self, leaf: NodeId) {
        self.leaves.push(leaf.0);
    }

    /// Of each child how many of the groups that it could go on in it passes over, those within first: as few as
    /// the content allows, the first children first. What is not valid to the end is taken as far as it is.
    pub fn finish(self, model: &Model) -> Vec<u32> {
        let Some(last) = self.leaves.last() else { return Vec::new() };
        let width = model.counters as usize;
        let mut end = vec![0; width];
        for node in model.around(*last).map(|node| &model.nodes[node as usize]).filter(|node| node.counter != NONE) {
            end[node.counter as usize] = node.min;
        }
        let ends = |least: &[u32]| [least, &vec![u32::MAX; width]].concat();
        let found = self.passed(model, ends(&end)).or_else(|| self.passed(model, ends(&vec![0; width])));
        found.unwrap_or_default()
    }

    /// The same, given the ways behind the last child.
    fn passed(&self, model: &Model, end: Vec<u32>) -> Option<Vec<u32>> {
        // From the end: with which counts behind each child the others can follow.
        let (mut behind, mut ends) = (Vec::new(), Vec::with_capacity(self.leaves.len()));
        let mut ways = end;
        for (n, to) in self.leaves.iter().enumerate().rev() {
            behind.extend_from_slice(&ways);
            ends.push(behind.len());
            if n > 0 {
                ways = model.ways_before(self.leaves[n - 1], *to, &ways).counts;
            }
        }
        let width = model.counters as usize;
        let mut counts = vec![0; width];
        let mut next = counts.clone();
        let (mut at, mut passed) = (Place::START, Vec::with_capacity(self.leaves.len()));
        for to in &self.leaves {
            let from = ends.len().checked_sub(2).map_or(0, |before| ends[before]);
            let behind = &behind[from..ends.pop()?];
            let (mut number, mut found) = (0, false);
            model.follows(at, *to, &counts, &counts, |again| {
                next.copy_from_slice(&counts);
                model.count_on(at, *to, again, &mut next);
                let is_in = |way: &[u32]| (0..width).all(|n| way[n] <= next[n] && next[n] <= way[width + n]);
                found = behind.chunks_exact(2 * width).any(is_in);
                number += u32::from(!found);
                found
            });
            if !found {
                return None;
            }
            passed.push(number);
            (at, counts) = (Place(*to), next.clone());
        }
        Some(passed)
    }
}

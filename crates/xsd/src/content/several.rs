//! Content whose occurrences can be counted in several ways. All ways are followed at the same time.
//!
//! A *way* is a range for each counter, from the least to the greatest number of occurrences. All combinations of numbers
//! in the ranges are possible. The first counter is the number of ways. After it come the ways, beginning with those whose
//! inner groups are longest.

use smallvec::SmallVec;

use super::step::{Place, Transition};
use super::{MOST_WAYS, Model, NONE, NodeId};

/// A flag in the first counter: there were more ways than are followed.
const DROPPED: u32 = 1 << 31;

/// The ways to count the children of an element so far.
#[derive(Clone, Debug, Default)]
struct Ways {
    /// For each way, the least number of each counter, then the greatest of each.
    counts: Vec<u32>,
    dropped: bool,
}

impl Ways {
    /// Keeps the last way, of `width` counters, unless another includes it or can be merged with it.
    fn settle_last(&mut self, width: usize) {
        let start = self.counts.len() - 2 * width;
        let (known, new) = self.counts.split_at_mut(start);
        // Most ways differ in the first counter, so that the others need not be looked at.
        let (least, most) = (new[0], new[width]);
        let is_near = |way: &[u32]| least <= way[width].saturating_add(1) && way[0] <= most.saturating_add(1);
        if known.chunks_exact_mut(2 * width).any(|way| is_near(way) && join(way, new)) {
            self.counts.truncate(start);
        } else if start == MOST_WAYS * 2 * width {
            self.counts.truncate(start);
            self.dropped = true;
        }
    }
}

/// Merges two ways into one, if no combination of numbers is added.
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
    /// All ways after a step to a leaf, and the node that begins again in the first of them; `None` if there are none.
    fn ways_after(&self, at: Place, to: u32, before: &[u32]) -> Option<(Ways, Option<u32>)> {
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

    /// Counts the occurrences that begin on the path to a leaf, and clears the counters of groups that it is not in.
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

    /// Goes to a leaf in all ways that are possible.
    pub(super) fn go_several(&self, at: Place, to: u32, counts: &mut [u32]) -> Option<Transition> {
        let (first, counts) = counts.split_first_mut()?;
        let width = 2 * self.counters as usize;
        let before = if at == Place::START { 1 } else { (*first & !DROPPED) as usize };
        let (ways, again) = self.ways_after(at, to, counts.get(..before * width)?)?;
        let dropped = if ways.dropped { DROPPED } else { *first & DROPPED };
        *first = (ways.counts.len() / width) as u32 | dropped;
        counts.get_mut(..ways.counts.len())?.copy_from_slice(&ways.counts);
        Some(Transition { to: NodeId(to), again: again.map(NodeId) })
    }

    /// Whether all groups around a leaf have occurred often enough in one of the ways.
    pub(super) fn accepts_several(&self, leaf: u32, counts: &[u32]) -> bool {
        let Some((first, counts)) = counts.split_first() else { return false };
        let width = self.counters as usize;
        let mut ways = counts.chunks_exact(2 * width).take((first & !DROPPED) as usize);
        ways.any(|way| self.is_counted(leaf, &way[width..]))
    }

    /// The counters in use: those of the existing ways.
    pub(super) fn used_counters(&self, counts: &[u32]) -> Box<[u32]> {
        let ways = counts.first().filter(|_| self.several).map(|first| (first & !DROPPED) as usize);
        let most = ways.map_or(counts.len(), |ways| 1 + ways * 2 * self.counters as usize);
        counts.get(..most).unwrap_or(counts).into()
    }

    /// The used counters, with room for all others that a step may need.
    pub(super) fn all_counters(&self, used: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.counters()];
        counts[..used.len()].copy_from_slice(used);
        counts
    }

    /// Whether there were more ways to count than are followed. Then content may be valid even if none of these allows it.
    pub(crate) fn has_dropped(&self, counts: &[u32]) -> bool {
        self.several && counts.first().is_some_and(|first| first & DROPPED != 0)
    }

    /// The ways before a step that lead to one of the ways after it.
    fn ways_before(&self, at: u32, to: u32, after: &[u32]) -> Ways {
        let width = self.counters as usize;
        let mut ways = Ways::default();
        let mut found: SmallVec<[Option<u32>; 4]> = SmallVec::new();
        self.follows(Place(at), to, &vec![0; width], &vec![u32::MAX; width], |again| {
            found.push(again);
            false
        });
        for again in found {
            for way in after.chunks_exact(2 * width) {
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

    /// The counts before a step that lead to those after it; `false` if there are none.
    fn step_back(&self, at: u32, to: u32, again: Option<u32>, after: &[u32], before: (&mut [u32], &mut [u32])) -> bool {
        let (least, most) = after.split_at(self.counters as usize);
        let meeting = again.unwrap_or_else(|| self.meeting(at, to));
        let depth = self.nodes[meeting as usize].depth;
        let counted = |leaf: u32| {
            let nodes = self.around(leaf).map(|node| (node, &self.nodes[node as usize]));
            nodes.filter(|(_, node)| node.counter != NONE).map(|(id, node)| (id, node, node.counter as usize))
        };
        // Groups that begin with this step have occurred once.
        let mut begun = counted(to).filter(|(_, node, _)| node.depth > depth);
        if begun.any(|(_, _, n)| least[n] > 1 || most[n] < 1) {
            return false;
        }
        for (id, node, n) in counted(at) {
            (before.0[n], before.1[n]) = if node.depth > depth {
                (node.min, u32::MAX)
            } else if again == Some(id) {
                // Occurrences without an upper limit are counted only up to the least number.
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

/// Finds the group of each child in content that can be counted in several ways, when all children are known.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    leaves: Vec<u32>,
}

impl Tally {
    /// Adds the leaf of the next child.
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

    /// Like [`Tally::finish`], for given ways after the last child.
    fn passed(&self, model: &Model, end: Vec<u32>) -> Option<Vec<u32>> {
        // From the end: the ways after each child with which the rest can follow.
        let (mut after_each, mut ends) = (Vec::new(), Vec::with_capacity(self.leaves.len()));
        let mut ways = end;
        for (n, to) in self.leaves.iter().enumerate().rev() {
            after_each.extend_from_slice(&ways);
            ends.push(after_each.len());
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
            let after = &after_each[from..ends.pop()?];
            let (mut number, mut found) = (0, false);
            model.follows(at, *to, &counts, &counts, |again| {
                next.copy_from_slice(&counts);
                model.count_on(at, *to, again, &mut next);
                let is_in = |way: &[u32]| (0..width).all(|n| way[n] <= next[n] && next[n] <= way[width + n]);
                found = after.chunks_exact(2 * width).any(is_in);
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

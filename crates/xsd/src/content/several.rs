//! Content whose occurrences can be counted in several ways: all are followed side by side.
//!
//! The first counter tells how many ways there are; behind it are the counters of each.

use smallvec::SmallVec;

use super::step::{Place, Transition};
use super::{MOST_WAYS, Model, NodeId};

impl Model {
    /// Goes to a leaf in every way that there is.
    pub(super) fn go_several(&self, at: Place, to: u32, counts: &mut [u32]) -> Option<Transition> {
        let width = self.counters as usize;
        let (ways, counts) = counts.split_first_mut()?;
        let before = if at == Place::START { 1 } else { *ways as usize };
        let mut after: Vec<u32> = Vec::new();
        let mut first = None;
        for way in 0..before {
            let counts = counts.get(way * width..(way + 1) * width)?;
            let mut found: SmallVec<[Option<u32>; 4]> = SmallVec::new();
            self.follows(at, to, counts, |again| {
                found.push(again);
                false
            });
            for again in found {
                let start = after.len();
                after.extend_from_slice(counts);
                self.count(at, to, again, &mut after[start..]);
                first = first.or(Some(again));
                let (known, new) = after.split_at(start);
                if known.chunks_exact(width).any(|way| way == new) || start / width == MOST_WAYS {
                    after.truncate(start);
                }
            }
        }
        let again = first?;
        *ways = (after.len() / width) as u32;
        counts.get_mut(..after.len())?.copy_from_slice(&after);
        Some(Transition { to: NodeId(to), again: again.map(NodeId) })
    }

    /// Whether everything around a leaf has occurred often enough in one of the ways.
    pub(super) fn accepts_several(&self, leaf: u32, counts: &[u32]) -> bool {
        let Some((ways, counts)) = counts.split_first() else { return false };
        let width = self.counters as usize;
        counts.chunks_exact(width).take(*ways as usize).any(|counts| self.is_counted(leaf, counts))
    }
}

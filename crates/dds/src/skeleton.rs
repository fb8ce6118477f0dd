//! What is kept of a message whose portions are known by their hashes: all that stands outside of them.

use crate::hash::Hasher;
use crate::leaf::Leaf;
use crate::trace::{Part, Trace};

/// Puts what stands outside of runs into `kept`, makes all places those in it, and hashes portions that
/// have no hash yet.
pub(crate) fn keep(message: &[u8], trace: &mut Trace, hasher: &Hasher, kept: &mut Vec<u8>) {
    kept.clear();
    // How far `message` has been gone over, and how much of it is left out.
    let (mut at, mut cut) = (0, 0);
    for part in &mut trace.parts {
        match part {
            Part::Slot { leaf: Leaf { start, end, .. }, .. } | Part::Count { start, end } => {
                *start -= cut;
                *end -= cut;
            }
            Part::Run(run) => {
                kept.extend_from_slice(message.get(at..run.start).unwrap_or(&[]));
                at = run.start;
                run.start -= cut;
                let hashed = run.portions.hashes.len();
                run.portions.hashes.reserve_exact(run.portions.list.len() - hashed);
                for (n, portion) in run.portions.list.iter().enumerate() {
                    let end = at + usize::from(portion.bytes);
                    if n >= hashed {
                        run.portions.hashes.push(hasher.hash(message.get(at..end).unwrap_or(&[])));
                    }
                    cut += usize::from(portion.bytes);
                    at = end;
                }
            }
        }
    }
    kept.extend_from_slice(message.get(at..).unwrap_or(&[]));
}

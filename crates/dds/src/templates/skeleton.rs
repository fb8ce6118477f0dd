//! What is kept of a message whose portions are known by their hashes: all that is outside of them.

use crate::hash::Hasher;
use crate::markup::leaf::Leaf;
use crate::rows::portions::Portions;
use crate::trace::{Part, Trace};

/// Puts what is outside of runs into `kept`, makes all places those in it, and hashes portions that
/// have no hash yet, if there is a hasher.
pub(crate) fn keep(message: &[u8], trace: &mut Trace, hasher: Option<&Hasher>, kept: &mut Vec<u8>) {
    kept.clear();
    // How far `message` has been gone over, and how much of it is left out.
    let (mut at, mut cut) = (0, 0);
    for part in &mut trace.parts {
        match part {
            Part::Slot { leaf: Leaf { start, end, .. }, .. } | Part::Count { start, end } => {
                *start -= cut;
                *end -= cut;
            }
            Part::Mark(mark) => mark.at -= cut,
            Part::Run(run) => {
                kept.extend_from_slice(message.get(at..run.start).unwrap_or(&[]));
                if let Some(hasher) = hasher {
                    hash(&mut run.portions, message.get(run.start..).unwrap_or(&[]), hasher);
                }
                let len = run.portions.len();
                at = run.start + len;
                run.start -= cut;
                cut += len;
            }
        }
    }
    kept.extend_from_slice(message.get(at..).unwrap_or(&[]));
}

/// Hashes the portions that have no hash yet; they are at the beginning of `bytes`.
fn hash(portions: &mut Portions, bytes: &[u8], hasher: &Hasher) {
    let Portions { list, hashes, .. } = portions;
    let hashed = hashes.len();
    hashes.reserve_exact(list.len() - hashed);
    let mut at = 0;
    for (n, portion) in list.iter().enumerate() {
        let end = at + usize::from(portion.bytes);
        if n >= hashed {
            hashes.push(hasher.hash(bytes.get(at..end).unwrap_or(&[])));
        }
        at = end;
    }
}

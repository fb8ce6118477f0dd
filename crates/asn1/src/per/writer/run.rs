//! The rows of an array that are nothing but small numbers: a loop that most of such a message goes through, as in
//! the reader.
//!
//! It writes what is as it should be, and leaves anything else to who can say what is wrong with it.

use super::super::bits::BitWriter;
use crate::compiled::{Code, NodeId, Step};
use crate::event::{At, Source};

/// Writes the records of an array that are nothing but small numbers without defaults; the first
/// one that is not as it should be, of which nothing is written.
#[inline(never)]
pub(super) fn rows<S: Source, const ALIGNED: bool>(
    source: &S,
    bits: &mut BitWriter<'_>,
    steps: &[Step],
    item: NodeId,
    level: S::Level,
    rows: std::ops::Range<u32>,
) -> u32 {
    for row in rows.clone() {
        let level = source.row(At { level, index: row }, item);
        let mark = bits.mark();
        let (mut presence, mut left) = (0u64, 0u32);
        for (index, step) in (0..).zip(steps) {
            if step.is_optional() {
                presence = presence << 1 | u64::from(source.is_present(At { level, index }, step.node));
                left += 1;
            }
        }
        bits.write(presence, left);
        for (index, step) in (0..).zip(steps) {
            if step.is_optional() {
                left -= 1;
                if presence >> left & 1 == 0 {
                    continue;
                }
            }
            let number = match step.code {
                Code::Scalar(lower, range, scalar) => source
                    .scalar(At { level, index }, step.node, scalar)
                    .map(|number| (number.wrapping_sub(lower) as u64, range))
                    .filter(|(above, range)| *above <= range.span),
                _ => None,
            };
            let Some((above, range)) = number else {
                bits.back(mark);
                return row;
            };
            range.write_short::<ALIGNED>(above, bits);
        }
    }
    rows.end
}

//! Rows that consist of small numbers only: a loop that takes most of the time of some messages, as in the reader.
//!
//! It writes valid rows. An invalid one is left to the general code, which reports the error.

use super::super::bits::BitWriter;
use crate::compiled::{Code, NodeId, Step};
use crate::event::{At, Source};

/// Writes the records of an array that consist of small numbers without defaults. Returns the index of the first
/// invalid row, of which nothing is written.
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

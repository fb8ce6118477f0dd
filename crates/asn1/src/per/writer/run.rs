//! Runs of small numbers, of what is absent and of what is empty: the loops that most of a message goes
//! through, as in the reader.
//!
//! They write what is as it should be, and leave anything else to who can say what is wrong with it.

use super::super::bits::BitWriter;
use super::super::frame::RecordFrame;
use super::super::primitive::write_length;
use crate::compiled::{Code, NodeId, Step};
use crate::event::{At, Source};

/// Writes members from the frame's next one on, as long as they are absent, small numbers or, with `arrays`,
/// arrays of none.
#[inline(always)]
pub(super) fn members<S: Source, const ALIGNED: bool>(
    source: &S,
    bits: &mut BitWriter<'_>,
    steps: &[Step],
    arrays: bool,
    frame: &mut RecordFrame<S::Level>,
) {
    let RecordFrame { level, mut next, mut presence, mut left, .. } = *frame;
    while let Some(step) = steps.get(next as usize) {
        if step.is_optional() {
            if left == 0 {
                break;
            }
            let absent = presence.leading_zeros().min(left).min(step.optional);
            if absent > 0 {
                // They may be all 64.
                presence = presence << (absent - 1) << 1;
                (next, left) = (next + absent, left - absent);
                continue;
            }
        }
        let at = At { level, index: next };
        match step.code {
            Code::Scalar(lower, range, scalar) => {
                let number = source.scalar(at, step.node, scalar);
                let above = number.map_or(u64::MAX, |number| number.wrapping_sub(lower) as u64);
                if above > range.span {
                    break;
                }
                range.write_short::<ALIGNED>(above, bits);
            }
            Code::Array(true) if arrays && source.is_present(at, step.node) && source.array(at, step.node).0 == 0 => {
                write_length::<ALIGNED>(0, bits);
            }
            _ => break,
        }
        next += 1;
        if step.is_optional() {
            (presence, left) = (presence << 1, left - 1);
        }
    }
    (frame.next, frame.presence, frame.left) = (next, presence, left);
}

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

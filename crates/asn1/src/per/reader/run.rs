//! Runs of small numbers: the loops that most of a message goes through.
//!
//! They keep everything in locals, so that compilers keep it in registers.

use tam::Error;

use super::super::bits::BitReader;
use crate::compiled::{Code, NodeId, Step};
use crate::event::{At, Part, Sink};

/// How far the members of a record have been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The next member.
    pub(super) next: u32,
    /// Which optional members are there, the next one's bit highest, and how many of these bits
    /// are left.
    pub(super) presence: u64,
    pub(super) left: u32,
}

/// Reads members as long as they are small numbers, and tells them.
#[inline(always)]
pub(super) fn numbers<S: Sink, const ALIGNED: bool>(
    sink: &mut S,
    bits: &mut BitReader<'_>,
    steps: &[Step],
    level: S::Level,
    run: &mut Run,
) -> Result<(), Error> {
    for step in steps.get(run.next as usize..).unwrap_or_default() {
        let Code::Scalar(lower, range, scalar) = step.code else { break };
        let at = At { level, index: run.next };
        if step.is_optional() {
            if run.left == 0 {
                break;
            }
            run.left -= 1;
            let present = (run.presence >> 63) as u32;
            run.presence <<= 1;
            run.next += 1;
            if ALIGNED || S::BITS {
                if present == 0 {
                    continue;
                }
            } else {
                // Whether it is there no processor can foretell: nothing is left to a branch.
                let number = lower.wrapping_add(range.read_if(bits, present)? as i64);
                sink.scalar_if(at, step.node, scalar, number, present != 0)?;
                continue;
            }
        } else {
            run.next += 1;
        }
        let start = bits.position();
        let above = range.read_short::<ALIGNED>(bits)?;
        if S::BITS {
            sink.bits(at, step.node, Part::Value, start, bits.position());
        }
        sink.scalar(at, step.node, scalar, lower.wrapping_add(above as i64))?;
    }
    Ok(())
}

/// Reads the records of an array, from row `next` up to `end`, that are nothing but small numbers;
/// how far it has come within the last one, and that one's number.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub(super) fn rows<S: Sink, const ALIGNED: bool>(
    sink: &mut S,
    bits: &mut BitReader<'_>,
    steps: &[Step],
    optional: u32,
    item: NodeId,
    level: S::Level,
    rows: &mut std::ops::Range<u32>,
) -> Result<(), (Run, Error)> {
    let mut here = *bits;
    let mut result = Ok(());
    for row in rows.by_ref() {
        let at = At { level, index: row };
        let start = here.position();
        let mut run = Run { next: 0, presence: 0, left: optional };
        let read = sink.row(at, item).and_then(|inside| {
            if optional > 0 {
                run.presence = here.read_short(optional)? << (64 - optional);
                if S::BITS {
                    sink.bits(at, item, Part::Presence, start, here.position());
                }
            }
            numbers::<S, ALIGNED>(sink, &mut here, steps, inside, &mut run)?;
            sink.end(item, inside)
        });
        if let Err(error) = read {
            result = Err((run, error));
            break;
        }
    }
    *bits = here;
    result
}

//! Rows of small numbers: the loop that takes most of the time of some messages.
//!
//! It keeps everything in locals, so that compilers keep it in registers.

use tam::Error;

use super::super::bits::BitReader;
use crate::compiled::{Code, NodeId, Record};
use crate::event::{At, Part, Sink};

/// Reads the records of an array from row `next` to `end`, which consist of small numbers only. With an error, returns
/// the index of the member after the one that failed.
#[inline(never)]
pub(super) fn rows<S: Sink, const ALIGNED: bool>(
    sink: &mut S,
    bits: &mut BitReader<'_>,
    record: &Record,
    item: NodeId,
    level: S::Level,
    rows: &mut std::ops::Range<u32>,
) -> Result<(), (u32, Error)> {
    let mut here = *bits;
    let mut result = Ok(());
    for row in rows.by_ref() {
        let mut next = 0;
        if let Err(error) = one::<S, ALIGNED>(sink, &mut here, record, At { level, index: row }, item, &mut next) {
            result = Err((next, error));
            break;
        }
    }
    *bits = here;
    result
}

#[inline(always)]
fn one<S: Sink, const ALIGNED: bool>(
    sink: &mut S,
    bits: &mut BitReader<'_>,
    record: &Record,
    at: At<S::Level>,
    item: NodeId,
    next: &mut u32,
) -> Result<(), Error> {
    let level = sink.row(at, item)?;
    let start = bits.position();
    let mut presence = match record.optional {
        0 => 0,
        optional => bits.read_short(optional)? << (64 - optional),
    };
    if S::BITS && record.optional > 0 {
        sink.bits(at, item, Part::Presence, start, bits.position());
    }
    for step in &record.steps {
        // The members are nothing else.
        let Code::Scalar(lower, range, scalar) = step.code else { break };
        let at = At { level, index: *next };
        *next += 1;
        if step.is_optional() {
            let present = (presence >> 63) as u32;
            presence <<= 1;
            if !ALIGNED && !S::BITS {
                // The processor cannot predict whether the member is present, so the loop has no branch on it.
                let number = lower.wrapping_add(range.read_if(bits, present)? as i64);
                sink.scalar_if(at, step.node, scalar, number, present != 0)?;
                continue;
            }
            if present == 0 {
                continue;
            }
        }
        let start = bits.position();
        let above = range.read_short::<ALIGNED>(bits)?;
        if S::BITS {
            sink.bits(at, step.node, Part::Value, start, bits.position());
        }
        sink.scalar(at, step.node, scalar, lower.wrapping_add(above as i64))?;
    }
    sink.end(item, level)
}

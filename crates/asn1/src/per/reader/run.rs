//! Runs of small numbers: the loops that most of a message goes through.
//!
//! They stand alone and keep everything in locals, so that compilers keep it in registers.

use tam::Error;

use super::super::bits::BitReader;
use crate::compiled::{Code, NodeId, Step};
use crate::event::{At, Part, Sink};

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The next bit of the message.
    pub(super) position: u64,
    /// The next member.
    pub(super) next: u32,
    /// Which optional members are there, the next one's bit highest, and how many of these bits
    /// are left.
    pub(super) presence: u64,
    pub(super) left: u32,
}

/// Reads members as long as they are small numbers, and tells them; where the first other one is.
#[inline(always)]
pub(super) fn members<S: Sink, const ALIGNED: bool>(
    sink: &mut S,
    mut bits: BitReader<'_>,
    steps: &[Step],
    level: S::Level,
    run: Run,
) -> (Run, Result<(), Error>) {
    let Run { mut next, mut presence, mut left, .. } = run;
    for step in steps.get(next as usize..).unwrap_or_default() {
        let Code::Scalar(lower, range, scalar) = step.code else { break };
        let at = At { level, index: next };
        if step.optional {
            if left == 0 {
                break;
            }
            left -= 1;
            let present = presence >> 63 != 0;
            presence <<= 1;
            if !present {
                next += 1;
                continue;
            }
        }
        next += 1;
        let start = bits.position();
        let told = match range.read_short::<ALIGNED>(&mut bits) {
            Ok(above) => {
                if S::BITS {
                    sink.bits(at, step.node, Part::Value, start, bits.position());
                }
                sink.scalar(at, step.node, scalar, lower.wrapping_add(above as i64))
            }
            Err(error) => Err(error),
        };
        if let Err(error) = told {
            return (Run { position: bits.position(), next, presence, left }, Err(error));
        }
    }
    (Run { position: bits.position(), next, presence, left }, Ok(()))
}

/// Reads the records of an array, from row `next` up to `end`, that are nothing but small numbers;
/// how far it has come within the last one, and that one's number.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
pub(super) fn rows<S: Sink, const ALIGNED: bool>(
    sink: &mut S,
    mut bits: BitReader<'_>,
    steps: &[Step],
    optional: u32,
    item: NodeId,
    level: S::Level,
    rows: std::ops::Range<u32>,
) -> (u32, Run, Result<(), Error>) {
    for row in rows.clone() {
        let at = At { level, index: row };
        let start = bits.position();
        let mut run = Run { position: start, next: 0, presence: 0, left: optional };
        let inside = match sink.row(at, item) {
            Ok(inside) => inside,
            Err(error) => return (row, run, Err(error)),
        };
        if optional > 0 {
            match bits.read_short(optional) {
                Ok(presence) => run.presence = presence << (64 - optional),
                Err(error) => return (row, run, Err(error)),
            }
            if S::BITS {
                sink.bits(at, item, Part::Presence, start, bits.position());
            }
        }
        let (run, told) = members::<S, ALIGNED>(sink, bits, steps, inside, run);
        bits.seek(run.position);
        if let Err(error) = told.and_then(|()| sink.end(item, inside)) {
            return (row, run, Err(error));
        }
    }
    (rows.end, Run { position: bits.position(), next: 0, presence: 0, left: 0 }, Ok(()))
}

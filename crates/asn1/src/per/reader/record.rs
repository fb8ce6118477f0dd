//! SEQUENCE and SET (X.691 clauses 19 and 21).

use tam::Error;

use super::super::bits::BitReader;
use super::super::primitive::Constrained;
use super::Reader;
use crate::compiled::{Code, NodeId, Record};
use crate::event::{At, Part, Sink};
use crate::path;

/// Members of a SEQUENCE or SET that are being read: those of the root, or of a group of additions.
#[derive(Clone, Copy)]
pub(super) struct Members<L> {
    pub(super) node: NodeId,
    pub(super) number: u32,
    pub(super) level: L,
    /// The next member, and the end of the members.
    pub(super) next: u32,
    pub(super) end: u32,
    /// The presence bits of the optional members, the next one's highest; a set bit marks the end.
    pub(super) presence: u64,
    /// The position of further presence bits in the message.
    pub(super) more: u64,
    /// Whether additions follow the root.
    pub(super) extended: bool,
    /// Whether these are a group of additions, not the record itself.
    pub(super) group: bool,
}

impl<S: Sink, const ALIGNED: bool> Reader<'_, '_, S, ALIGNED> {
    #[inline(never)]
    pub(super) fn record(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        if calls == 0 {
            return self.deeper(level, index, node, calls);
        }
        let record = self.types.record(number);
        if S::KEYS && record.keyed {
            return self.keyed_record(level, index, node, number, false, calls);
        }
        let members = self.begin_record(At { level, index }, node, (number, record), false)?;
        self.all_members(record, members, calls)
    }

    /// Reads a record that is an item of an array.
    #[inline(never)]
    pub(super) fn row(
        &mut self,
        level: S::Level,
        index: u32,
        node: NodeId,
        number: u32,
        calls: u32,
    ) -> Result<(), Error> {
        let record = self.types.record(number);
        if S::KEYS && record.keyed {
            return self.keyed_record(level, index, node, number, true, calls);
        }
        let members = self.begin_record(At { level, index }, node, (number, record), true)?;
        self.all_members(record, members, calls)
    }

    #[inline(always)]
    pub(super) fn all_members(
        &mut self,
        record: &Record,
        mut members: Members<S::Level>,
        calls: u32,
    ) -> Result<(), Error> {
        if let Err(error) = self.members(record, &mut members, calls - 1) {
            return self.met(path::Step::before(members.number, members.next), error);
        }
        match members {
            Members { extended: true, node, number, level, .. } => self.additions(node, number, level, calls - 1),
            Members { group: true, .. } => Ok(()),
            Members { node, level, .. } => self.sink.end(node, level),
        }
    }

    /// Reads what comes before the members of a SEQUENCE or SET.
    #[inline(always)]
    pub(super) fn begin_record(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        (number, record): (u32, &Record),
        row: bool,
    ) -> Result<Members<S::Level>, Error> {
        // Rows were counted with their array.
        if record.free && !row {
            self.spend(record.members.len() as u64 + 1)?;
        }
        let start = self.bits.position();
        let head = match record.head {
            0 => 0,
            head => self.bits.read_short(head)? << (64 - head),
        };
        let marker = u32::from(record.extensible);
        if S::BITS && record.extensible {
            self.sink.bits(at, node, Part::Extension, start, start + 1);
        }
        let level = if row { self.sink.row(at, node)? } else { self.sink.record(at, node)? };
        let extended = (head >> 63) as u32 & marker != 0;
        let present = record.head - marker;
        let presence = head << marker | END >> present;
        let mut more = 0;
        if record.optional > present {
            more = self.bits.position();
            self.bits.skip(u64::from(record.optional - present))?;
        }
        self.report(at, node, Part::Presence, start + u64::from(marker));
        Ok(Members { node, number, level, next: 0, end: record.root, presence, more, extended, group: false })
    }

    /// Reads members; those with content get `calls` levels.
    #[inline(always)]
    fn members(&mut self, record: &Record, members: &mut Members<S::Level>, calls: u32) -> Result<(), Error> {
        let steps = record.steps.get(..members.end as usize).unwrap_or_default();
        // Locals, so that compilers keep them in registers.
        let mut bits = self.bits;
        let Members { level, mut next, mut presence, .. } = *members;
        let read = loop {
            let Some(step) = steps.get(next as usize) else { break Ok(()) };
            if step.is_optional() {
                if presence == END {
                    match more_presence(bits, members.more) {
                        Ok(read) => (presence, members.more) = read,
                        Err(error) => break Err(error),
                    }
                    continue;
                }
                let absent = presence.leading_zeros().min(step.optional);
                if absent > 0 {
                    // At most 63, because the end marker is a bit too.
                    presence <<= absent & 63;
                    next += absent;
                    continue;
                }
                presence <<= 1;
            }
            let at = At { level, index: next };
            next += 1;
            match step.code {
                Code::Scalar(lower, range, scalar) => {
                    let start = bits.position();
                    match range.read_short::<ALIGNED>(&mut bits) {
                        Ok(above) => {
                            if S::BITS {
                                self.sink.bits(at, step.node, Part::Value, start, bits.position());
                            }
                            match self.sink.scalar(at, step.node, scalar, lower.wrapping_add(above as i64)) {
                                Ok(()) => continue,
                                Err(error) => break Err(error),
                            }
                        }
                        Err(error) => break Err(error),
                    }
                }
                Code::Array(true) if !S::BITS && calls > 0 && no_components::<ALIGNED>(&mut bits) => {
                    let done = self.sink.array(at, step.node, 0).and_then(|level| self.sink.end(step.node, level));
                    match done {
                        Ok(()) => continue,
                        Err(error) => break Err(error),
                    }
                }
                Code::Record(_) | Code::Choice(_) | Code::Open(_) | Code::Array(_) => {
                    self.bits.go(bits.position());
                    let read = self.value(level, at.index, step, calls);
                    bits.go(self.bits.position());
                    match read {
                        Ok(()) => continue,
                        Err(error) => break Err(error),
                    }
                }
                Code::Extensible(lower, range, scalar) if range.short_bits().is_some() => {
                    if let Some(above) = self.in_root_at_once(&mut bits, at, step.node, range) {
                        let done = self.sink.scalar(at, step.node, scalar, lower.wrapping_add(above as i64));
                        match done {
                            Ok(()) => continue,
                            Err(error) => break Err(error),
                        }
                    }
                }
                Code::Utf8(_) if !S::BITS => {
                    if let Some(done) = self.short_utf8(&mut bits, at, step.node) {
                        match done {
                            Ok(()) => continue,
                            Err(error) => break Err(error),
                        }
                    }
                }
                _ => {}
            }
            self.bits.go(bits.position());
            let done = match step.code {
                Code::Utf8(number) if !S::BITS => self.long_utf8(at, step.node, number),
                _ => self.coded(level, at.index, step),
            };
            bits.go(self.bits.position());
            if let Err(error) = done {
                break Err(error);
            }
        };
        self.bits.go(bits.position());
        members.next = next;
        read
    }

    /// Reads the extension bit and a number of a few bits at once. `None`, and nothing is read, if the value is not of
    /// the root or the message ends.
    #[inline(always)]
    fn in_root_at_once(
        &mut self,
        bits: &mut BitReader<'_>,
        at: At<S::Level>,
        node: NodeId,
        range: Constrained,
    ) -> Option<u64> {
        let start = bits.position();
        // The extension bit makes it large. A value outside of the root may have fewer bits.
        let above = bits.read_short(range.short_bits()? + 1).ok().filter(|above| *above <= range.span);
        if above.is_none() {
            bits.go(start);
            return None;
        }
        if S::BITS {
            self.sink.bits(at, node, Part::Extension, start, start + 1);
            self.sink.bits(at, node, Part::Value, start + 1, bits.position());
        }
        above
    }
}

/// Whether an array has no components. Reads nothing if it has some.
#[inline(always)]
fn no_components<const ALIGNED: bool>(bits: &mut BitReader<'_>) -> bool {
    let start = bits.position();
    if ALIGNED {
        bits.align();
    }
    let empty = matches!(bits.read_short(8), Ok(0));
    if !empty {
        bits.go(start);
    }
    empty
}

/// The bit after the last of the presence bits that have been read.
pub(super) const END: u64 = 1 << 63;

/// The presence bits of the next 63 optional members with the end marker after them, and the position of more.
#[inline(never)]
pub(super) fn more_presence(mut bits: BitReader<'_>, more: u64) -> Result<(u64, u64), Error> {
    bits.seek(more);
    let count = bits.left().clamp(1, 63) as u32;
    let presence = bits.read(count)? << (64 - count) | END >> count;
    Ok((presence, bits.position()))
}

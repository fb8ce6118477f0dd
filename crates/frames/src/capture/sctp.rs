//! Messages of SCTP: DATA chunks, put together where they are fragments (RFC 9260 sections 3.3.1 and 6.9).

use std::collections::{HashMap, VecDeque};

use tam::{Error, Limits, Words};

use super::packet::Ends;

/// Numbers of chunks that are remembered of each direction, to know what is sent again.
const REMEMBERED: usize = 512;

/// Flags of a DATA chunk: the last and the first fragment.
const LAST: u8 = 1;
const FIRST: u8 = 2;

const DATA: u8 = 0;
/// RFC 8260.
const I_DATA: u8 = 64;

/// Direction of an association, by its ends and its verification tag.
type Direction = (Ends, u32);

/// The fragments of messages that are not complete.
pub(super) struct Sctp {
    limits: Limits,
    /// Messages by the number of the chunk that continues them.
    open: HashMap<(Direction, u32), Vec<u8>>,
    kept: u64,
    seen: HashMap<Direction, VecDeque<u32>>,
}

/// The chunks of a packet.
pub(super) struct Chunks<'p>(pub(super) &'p [u8]);

/// A chunk.
pub(super) struct Chunk<'p> {
    kind: u8,
    flags: u8,
    value: &'p [u8],
}

impl Chunk<'_> {
    pub(super) fn is_data(&self) -> bool {
        self.kind == DATA
    }
}

impl<'p> Iterator for Chunks<'p> {
    type Item = Chunk<'p>;

    fn next(&mut self) -> Option<Chunk<'p>> {
        let [kind, flags, high, low, ..] = *self.0.first_chunk::<4>()?;
        let len = usize::from(u16::from_be_bytes([high, low]));
        let value = self.0.get(4..len)?;
        // The last chunk may come without its padding.
        self.0 = self.0.get(len.next_multiple_of(4)..).unwrap_or_default();
        Some(Chunk { kind, flags, value })
    }
}

impl Sctp {
    pub(super) fn new(limits: &Limits) -> Sctp {
        Sctp { limits: *limits, open: HashMap::new(), kept: 0, seen: HashMap::new() }
    }

    /// Takes the chunks of a packet, and passes on the messages that they complete. Returns why chunks were not read.
    pub(super) fn take(
        &mut self,
        ends: &Ends,
        (tag, chunks): (u32, &[u8]),
        each: &mut dyn FnMut(Vec<u8>),
    ) -> Result<Vec<&'static str>, Error> {
        let direction = (*ends, tag);
        let mut skipped = Vec::new();
        for chunk in Chunks(chunks) {
            match chunk.kind {
                DATA => {}
                I_DATA => {
                    skipped.push("I-DATA chunks of SCTP");
                    continue;
                }
                _ => continue,
            }
            let (Some(number), Some(data)) = (chunk.value.first_chunk::<4>(), chunk.value.get(12..)) else {
                skipped.push("broken chunks of SCTP");
                continue;
            };
            let number = u32::from_be_bytes(*number);
            if self.is_seen(&direction, number)? {
                continue;
            }
            let before = match chunk.flags & FIRST {
                0 => self.open.remove(&(direction, number)),
                _ => Some(Vec::new()),
            };
            let Some(mut message) = before else {
                skipped.push("fragments of SCTP without those before them");
                continue;
            };
            self.kept -= message.len() as u64;
            message.extend_from_slice(data);
            if chunk.flags & LAST != 0 {
                each(message);
                continue;
            }
            self.kept += message.len() as u64;
            let most = u64::from(self.limits.message_bytes);
            if self.kept > most {
                return Err(Error::limit("sctp", 0, Words::Text("more of incomplete messages"), "message_bytes", most));
            }
            // A fragment that is sent anew with the same number replaces the earlier one.
            let earlier = self.open.insert((direction, number.wrapping_add(1)), message);
            self.kept -= earlier.map_or(0, |earlier| earlier.len() as u64);
            self.bounded(self.open.len())?;
        }
        Ok(skipped)
    }

    /// Whether a chunk was seen before.
    fn is_seen(&mut self, direction: &Direction, number: u32) -> Result<bool, Error> {
        let seen = self.seen.entry(*direction).or_default();
        if seen.contains(&number) {
            return Ok(true);
        }
        if seen.len() == REMEMBERED {
            seen.pop_front();
        }
        seen.push_back(number);
        self.bounded(self.seen.len()).map(|()| false)
    }

    fn bounded(&self, count: usize) -> Result<(), Error> {
        let most = u64::from(self.limits.units);
        match count as u64 > most {
            true => Err(Error::limit("sctp", 0, Words::Text("more associations"), "units", most)),
            false => Ok(()),
        }
    }

    /// Messages that the capture does not complete.
    pub(super) fn left(&self) -> (&'static str, u64) {
        ("messages of SCTP that the capture does not complete", self.open.len() as u64)
    }
}

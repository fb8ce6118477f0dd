//! Messages of TCP: the bytes of each direction in order, cut by their framing.

use std::collections::{BTreeMap, HashMap};

use tam::{Error, ErrorKind, Words};

use super::in_packet;
use super::packet::Ends;
use crate::cut::{Cut, Cutter, Next};
use crate::frames::Options;
use crate::framing::Framing;

/// A segment with its sequence number.
pub(crate) struct Segment<'p> {
    pub(super) sequence: u32,
    pub(super) syn: bool,
    pub(super) payload: &'p [u8],
}

/// The directions of connections.
pub(super) struct Tcp {
    options: Options,
    flows: HashMap<Ends, Flow>,
    /// Bytes that are kept of all of them.
    kept: u64,
}

/// One direction of a connection.
struct Flow {
    /// The sequence number of the next byte.
    next: u32,
    /// Bytes of a message that is not complete.
    buffer: Vec<u8>,
    cutter: Cutter,
    /// Segments after a missing one, by their distance from the first number.
    early: BTreeMap<u64, Vec<u8>>,
    early_bytes: usize,
    /// Bytes that came in order, all together.
    taken: u64,
    /// Whether its bytes can no longer be cut.
    is_broken: bool,
}

impl Tcp {
    pub(super) fn new(options: &Options) -> Tcp {
        Tcp { options: *options, flows: HashMap::new(), kept: 0 }
    }

    /// Takes a segment, and passes on the messages that it completes. Returns why it was not read.
    pub(super) fn take(
        &mut self,
        ends: &Ends,
        segment: &Segment<'_>,
        packet: u64,
        each: &mut dyn FnMut(Vec<u8>),
    ) -> Result<Option<&'static str>, Error> {
        let Segment { sequence, syn, payload } = *segment;
        if payload.is_empty() && !syn {
            return Ok(None);
        }
        if self.options.framing == Framing::Whole {
            let found = "a stream of TCP without a framing";
            return Err(Error::new(ErrorKind::Unsupported, "pcap", 0, found, "the framing of its messages"));
        }
        let first = if syn { sequence.wrapping_add(1) } else { sequence };
        if syn || !self.flows.contains_key(ends) {
            let fresh = Flow {
                next: first,
                buffer: Vec::new(),
                cutter: Cutter::new(&self.options),
                early: BTreeMap::new(),
                early_bytes: 0,
                taken: 0,
                is_broken: false,
            };
            let earlier = self.flows.insert(*ends, fresh);
            self.kept -= earlier.map_or(0, |earlier| earlier.kept());
            let most = u64::from(self.options.limits.units);
            if self.flows.len() as u64 > most {
                return Err(Error::limit("tcp", 0, Words::Text("more connections"), "units", most));
            }
        }
        let Some(flow) = self.flows.get_mut(ends) else { return Ok(None) };
        if flow.is_broken {
            return Ok((!payload.is_empty()).then_some("segments of TCP after a broken message"));
        }
        let before = flow.kept();
        let result = flow.take(first, payload, packet, each);
        self.kept = self.kept - before + flow.kept();
        let most = u64::from(self.options.limits.message_bytes);
        if self.kept > most {
            return Err(Error::limit("tcp", 0, Words::Text("more of incomplete messages"), "message_bytes", most));
        }
        result.map(|()| None)
    }

    /// Segments that came after a missing one.
    pub(super) fn early(&self) -> (&'static str, u64) {
        let count = self.flows.values().map(|flow| flow.early.len() as u64).sum();
        ("segments of TCP after a missing one", count)
    }

    /// Messages that the capture does not complete.
    pub(super) fn left(&self) -> (&'static str, u64) {
        let is_left = |flow: &&Flow| !flow.is_broken && !flow.buffer.is_empty();
        ("messages of TCP that the capture does not complete", self.flows.values().filter(is_left).count() as u64)
    }
}

impl Flow {
    /// Bytes that it keeps.
    fn kept(&self) -> u64 {
        (self.buffer.len() + self.early_bytes) as u64
    }

    fn take(&mut self, first: u32, payload: &[u8], packet: u64, each: &mut dyn FnMut(Vec<u8>)) -> Result<(), Error> {
        let ahead = first.wrapping_sub(self.next) as i32;
        if ahead > 0 {
            // What is sent again may be longer.
            let place = self.early.entry(self.taken + u64::from(ahead.unsigned_abs())).or_default();
            if place.len() < payload.len() {
                self.early_bytes += payload.len() - place.len();
                *place = payload.to_vec();
            }
            return Ok(());
        }
        self.append(payload.get(ahead.unsigned_abs() as usize..).unwrap_or_default());
        while let Some((at, _)) = self.early.first_key_value()
            && *at <= self.taken
        {
            let Some((at, bytes)) = self.early.pop_first() else { break };
            self.early_bytes -= bytes.len();
            self.append(bytes.get((self.taken - at) as usize..).unwrap_or_default());
        }
        let mut at = 0;
        let cut = loop {
            match self.cutter.cut(&self.buffer[at..], false) {
                Ok(Next::Message(Cut { start, end })) => {
                    each(self.buffer[at + start..at + end].to_vec());
                    at += end;
                }
                Ok(_) => break Ok(()),
                Err(error) => {
                    self.is_broken = true;
                    break Err(in_packet(error, packet, at));
                }
            }
        };
        self.buffer.drain(..at);
        if self.is_broken {
            (self.buffer, self.early, self.early_bytes) = (Vec::new(), BTreeMap::new(), 0);
        }
        cut
    }

    fn append(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        self.next = self.next.wrapping_add(bytes.len() as u32);
        self.taken += bytes.len() as u64;
    }
}

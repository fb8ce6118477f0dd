//! Messages in captures of a network: pcap and pcapng.

mod container;
mod packet;
mod port;
mod sctp;
mod tcp;

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::io::Read;

use tam::{Error, ErrorKind};

use crate::cut::{Cut, Cutter, Next};
use crate::frames::Options;
use crate::stream::later;
use container::Container;
use packet::{Body, Packet};
use sctp::Sctp;
use tcp::Tcp;

pub use container::is_capture;
pub use port::{Port, Protocol};

/// Packets that were not read, although they may belong to the port.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// What they are, such as `fragments of IP`.
    pub reason: Cow<'static, str>,
    /// How many there are.
    pub count: u64,
}

/// The ports of a capture with the number of packets that have data from or to each, the most frequent first.
///
/// # Errors
/// If it is no capture, or is not complete.
pub fn ports(capture: &[u8]) -> Result<Vec<(Port, u64)>, Error> {
    let mut counts: BTreeMap<(Protocol, u16), u64> = BTreeMap::new();
    let mut container = Container::new(capture)?;
    while container.each(&mut |_, link, data| {
        if let Ok(Some(packet)) = Packet::of(link, data)
            && packet.has_data()
        {
            let (source, destination) = packet.ends.ports;
            *counts.entry((packet.protocol(), source)).or_default() += 1;
            *counts.entry((packet.protocol(), destination)).or_default() += u64::from(source != destination);
        }
        Ok(())
    })? {}
    let mut ports: Vec<_> = counts
        .into_iter()
        .map(|((protocol, number), count)| (Port { protocol: Some(protocol), number }, count))
        .collect();
    ports.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Ok(ports)
}

/// Reads the messages of a port.
pub(crate) struct Capture<'r> {
    container: Container<'r>,
    packets: Payloads,
    /// Messages that are complete, and the error after them.
    ready: VecDeque<(u64, Vec<u8>)>,
    error: Option<Error>,
    current: Vec<u8>,
    is_over: bool,
}

/// What is known of the connections of a port.
struct Payloads {
    port: Port,
    options: Options,
    sctp: Sctp,
    tcp: Tcp,
    skipped: Vec<Skipped>,
}

impl<'r> Capture<'r> {
    pub(crate) fn new(reader: impl Read + Send + 'r, port: Port, options: &Options) -> Result<Capture<'r>, Error> {
        let packets = Payloads {
            port,
            options: *options,
            sctp: Sctp::new(&options.limits),
            tcp: Tcp::new(options),
            skipped: Vec::new(),
        };
        let container = Container::new(reader)?;
        Ok(Capture { container, packets, ready: VecDeque::new(), error: None, current: Vec::new(), is_over: false })
    }

    /// The next message, and the number of the packet that completes it. After an error in a message the next one can be read.
    pub(crate) fn next_message(&mut self) -> Result<Option<(u64, &[u8])>, Error> {
        loop {
            if let Some((packet, bytes)) = self.ready.pop_front() {
                self.current = bytes;
                return Ok(Some((packet, &self.current)));
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.is_over {
                return Ok(None);
            }
            let Capture { container, packets, ready, error, .. } = self;
            let more = container.each(&mut |number, link, data| {
                packets.take(number, link, data, &mut |message| ready.push_back((number, message))).or_else(|failed| {
                    match failed.kind() {
                        // No packet after it would be read either.
                        ErrorKind::Limit | ErrorKind::Unsupported => Err(failed),
                        _ => {
                            *error = Some(failed);
                            Ok(())
                        }
                    }
                })
            });
            match more {
                Ok(true) => {}
                Ok(false) => {
                    self.is_over = true;
                    self.packets.end();
                }
                Err(error) => {
                    self.is_over = true;
                    return Err(error);
                }
            }
        }
    }

    pub(crate) fn skipped(&self) -> &[Skipped] {
        &self.packets.skipped
    }
}

impl Payloads {
    /// Takes a packet, and hands on the messages that it completes.
    fn take(&mut self, number: u64, link: i32, data: &[u8], each: &mut dyn FnMut(Vec<u8>)) -> Result<(), Error> {
        let packet = match Packet::of(link, data) {
            Ok(Some(packet)) if self.port.has(&packet) => packet,
            Ok(_) => return Ok(()),
            Err(reason) => {
                self.skip(reason, 1);
                return Ok(());
            }
        };
        let options = self.options;
        match packet.body {
            Body::Udp(payload) if !payload.is_empty() => cut(payload, number, &options, each),
            Body::Udp(_) => Ok(()),
            Body::Sctp(chunks) => {
                let mut result = Ok(());
                let skipped = self.sctp.take(&packet.ends, chunks, &mut |message| {
                    if result.is_ok() {
                        result = cut(&message, number, &options, each);
                    }
                })?;
                skipped.into_iter().for_each(|reason| self.skip(reason, 1));
                result
            }
            Body::Tcp(segment) => match self.tcp.take(&packet.ends, &segment, number, each)? {
                Some(reason) => {
                    self.skip(reason, 1);
                    Ok(())
                }
                None => Ok(()),
            },
        }
    }

    fn end(&mut self) {
        for (reason, count) in [self.sctp.left(), self.tcp.early(), self.tcp.left()] {
            self.skip(reason, count);
        }
    }

    fn skip(&mut self, reason: impl Into<Cow<'static, str>>, count: u64) {
        let reason = reason.into();
        match self.skipped.iter_mut().find(|known| known.reason == reason) {
            _ if count == 0 => {}
            Some(known) => known.count += count,
            None => self.skipped.push(Skipped { reason, count }),
        }
    }
}

/// The messages of a payload.
fn cut(payload: &[u8], packet: u64, options: &Options, each: &mut dyn FnMut(Vec<u8>)) -> Result<(), Error> {
    let mut cutter = Cutter::new(options);
    let mut at = 0;
    while let Next::Message(Cut { start, end }) =
        cutter.cut(&payload[at..], true).map_err(|error| in_packet(error, packet, at))?
    {
        each(payload[at + start..at + end].to_vec());
        at += end;
    }
    Ok(())
}

/// The same error, in a packet.
fn in_packet(error: Error, packet: u64, at: usize) -> Error {
    let path = format!("packet {packet}");
    later(error, at as u64).in_path(path)
}

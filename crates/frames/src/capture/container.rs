//! The containers: pcap and pcapng.

use std::io::Read;

use pcap_parser::traits::{PcapNGPacketBlock, PcapReaderIterator};
use pcap_parser::{Block, PcapBlockOwned, PcapError, create_reader};
use tam::{Error, ErrorKind, Words};

/// Bytes that are read at once, and the most that a block may have.
const PIECE: usize = 64 << 10;
const LONGEST: usize = 16 << 20;

/// The most interfaces of a section.
const INTERFACES: usize = 1 << 16;

/// Whether a file is a capture, by its first four bytes.
#[must_use]
pub fn is_capture(start: &[u8]) -> bool {
    let Some(magic) = start.first_chunk::<4>() else { return false };
    // A section header of pcapng; pcap in both orders of bytes, with micro- or nanoseconds.
    [0x0A0D_0D0A, 0xA1B2_C3D4, 0xD4C3_B2A1, 0xA1B2_3C4D, 0x4D3C_B2A1].contains(&u32::from_be_bytes(*magic))
}

/// Receives the number of a packet, its link type, and its bytes.
pub(super) type Packets<'p> = dyn FnMut(u64, i32, &[u8]) -> Result<(), Error> + 'p;

/// The packets of a container.
pub(super) struct Container<'r> {
    reader: Box<dyn PcapReaderIterator + Send + 'r>,
    capacity: usize,
    /// Link types of the interfaces.
    links: Vec<i32>,
    packet: u64,
    consumed: u64,
}

impl<'r> Container<'r> {
    pub(super) fn new(reader: impl Read + Send + 'r) -> Result<Container<'r>, Error> {
        let reader = create_reader(PIECE, Filled(reader)).map_err(|error| match error {
            PcapError::Eof | PcapError::Incomplete(_) => Error::incomplete("pcap", 0, 1, "the head of a capture"),
            PcapError::ReadError => unreadable(),
            _ => Error::new(ErrorKind::Syntax, "pcap", 0, "no capture", "pcap or pcapng"),
        })?;
        Ok(Container { reader, capacity: PIECE, links: Vec::new(), packet: 0, consumed: 0 })
    }

    /// Passes on the packet of the next block, if it is one. False at the end.
    pub(super) fn each(&mut self, take: &mut Packets<'_>) -> Result<bool, Error> {
        let mut before = usize::MAX;
        loop {
            let offset = self.consumed;
            let at_end = || Err(Error::incomplete("pcap", offset, 1, "the rest of a block"));
            match self.reader.next() {
                Ok((len, block)) => {
                    let result = match block {
                        PcapBlockOwned::LegacyHeader(header) => {
                            self.links = vec![header.network.0];
                            Ok(())
                        }
                        PcapBlockOwned::NG(Block::SectionHeader(_)) => {
                            self.links.clear();
                            Ok(())
                        }
                        PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                            if self.links.len() == INTERFACES {
                                let found = "more interfaces";
                                return Err(Error::limit("pcap", offset, found, "interfaces", INTERFACES as u64));
                            }
                            self.links.push(interface.linktype.0);
                            Ok(())
                        }
                        PcapBlockOwned::Legacy(packet) => {
                            self.packet += 1;
                            take(self.packet, self.links.first().copied().unwrap_or(-1), packet.data)
                        }
                        PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                            self.packet += 1;
                            let link = self.links.get(packet.if_id as usize).copied().unwrap_or(-1);
                            take(self.packet, link, packet.packet_data())
                        }
                        PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
                            self.packet += 1;
                            take(self.packet, self.links.first().copied().unwrap_or(-1), packet.packet_data())
                        }
                        PcapBlockOwned::NG(_) => Ok(()),
                    };
                    self.reader.consume(len);
                    self.consumed += len as u64;
                    return result.map(|()| true);
                }
                Err(PcapError::Eof) => return Ok(false),
                Err(PcapError::UnexpectedEof) => return at_end(),
                Err(PcapError::Incomplete(_) | PcapError::BufferTooSmall) => {
                    let have = self.reader.data().len();
                    if have == before {
                        // Nothing has arrived: the buffer is full, or the file ends.
                        if self.reader.reader_exhausted() {
                            return if have == 0 { Ok(false) } else { at_end() };
                        }
                        if self.capacity >= LONGEST {
                            let found = Words::Text("a longer block");
                            return Err(Error::limit("pcap", offset, found, "block_bytes", LONGEST as u64));
                        }
                        self.capacity *= 2;
                        self.reader.grow(self.capacity);
                    }
                    before = have;
                    self.reader.refill().map_err(|_| unreadable())?;
                }
                Err(PcapError::ReadError) => return Err(unreadable()),
                Err(_) => {
                    return Err(Error::new(
                        ErrorKind::Syntax,
                        "pcap",
                        offset,
                        "a broken block",
                        "a block of a capture",
                    ));
                }
            }
        }
    }
}

fn unreadable() -> Error {
    Error::new(ErrorKind::Io, "pcap", 0, "an input that cannot be read", "")
}

/// Fills a buffer before it returns, as the head of a capture has to arrive at once.
struct Filled<R>(R);

impl<R: Read> Read for Filled<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut at = 0;
        while at < buffer.len() {
            match self.0.read(&mut buffer[at..]) {
                Ok(0) => break,
                Ok(read) => at += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(at)
    }
}

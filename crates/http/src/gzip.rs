//! gzip (RFC 1952): one member or several, with one decompressor for all of them.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use crate::Sink;
use crate::coding::BROKEN;
use crate::decoder::Refusal;
use crate::message::Message;

/// Bytes that are decompressed at once.
const PIECE: usize = 32 << 10;

/// The length of the fixed part of a head, and of a trailer.
const HEAD: usize = 10;
const TRAILER: usize = 8;

/// Flags of a head (section 2.3.1).
const HEAD_CRC: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;
const RESERVED: u8 = 0xE0;

/// Decompresses a body of members.
///
/// A member may be as short as 20 bytes, and a decompressor takes 40 kilobytes, so the members share one.
pub(crate) struct Gzip<S: Sink> {
    message: Message<S>,
    part: Part,
    /// Bytes of a part of fixed length that have arrived.
    fixed: [u8; HEAD],
    have: usize,
    /// What the head of the member says will follow.
    flags: u8,
    head_crc: Crc,
    crc: Crc,
    inflate: Decompress,
    out: Box<[u8]>,
}

/// The part of a member that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Head,
    ExtraLength,
    Extra(usize),
    /// A name or a comment, up to a zero byte.
    Text(u8),
    HeadCrc,
    Data,
    Trailer,
}

impl<S: Sink> Gzip<S> {
    pub(crate) fn new(message: Message<S>) -> Gzip<S> {
        Gzip {
            message,
            part: Part::Head,
            fixed: [0; HEAD],
            have: 0,
            flags: 0,
            head_crc: Crc::new(),
            crc: Crc::new(),
            inflate: Decompress::new(false),
            out: vec![0; PIECE].into(),
        }
    }

    /// Takes the next piece of a body, `len` bytes of which have arrived with it.
    pub(crate) fn feed(&mut self, mut piece: &[u8], len: usize) -> Result<(), Refusal<S::Refusal>> {
        self.message.expansion.set_input(len);
        while !piece.is_empty() {
            let used = match self.part {
                Part::Data => self.data(piece)?,
                Part::Head => self.fixed(piece, HEAD)?,
                Part::ExtraLength | Part::HeadCrc => self.fixed(piece, 2)?,
                Part::Trailer => self.fixed(piece, TRAILER)?,
                Part::Extra(left) => {
                    let used = left.min(piece.len());
                    self.part = Part::Extra(left - used);
                    self.head_crc.update(&piece[..used]);
                    self.next_of_head();
                    used
                }
                Part::Text(flag) => {
                    let end = memchr::memchr(0, piece);
                    let used = end.map_or(piece.len(), |end| end + 1);
                    self.head_crc.update(&piece[..used]);
                    if end.is_some() {
                        self.flags &= !flag;
                        self.next_of_head();
                    }
                    used
                }
            };
            piece = &piece[used..];
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Message<S>, Refusal<S::Refusal>> {
        // At least one member has ended, and no other has begun.
        match (self.part, self.have, self.head_crc.amount()) {
            (Part::Head, 0, 1..) => Ok(self.message),
            _ => Err(Refusal::Broken(BROKEN)),
        }
    }

    /// Takes bytes of a part of a fixed length. Returns how many.
    fn fixed(&mut self, piece: &[u8], len: usize) -> Result<usize, Refusal<S::Refusal>> {
        let used = piece.len().min(len - self.have);
        self.fixed[self.have..self.have + used].copy_from_slice(&piece[..used]);
        self.have += used;
        if self.have < len {
            return Ok(used);
        }
        self.have = 0;
        let [a, b, c, d, e, f, g, h, ..] = self.fixed;
        let is_sound = match self.part {
            Part::Head => {
                self.flags = d;
                self.head_crc = Crc::new();
                self.head_crc.update(&self.fixed);
                self.next_of_head();
                (a, b, c) == (0x1F, 0x8B, 8) && d & RESERVED == 0
            }
            Part::ExtraLength => {
                self.head_crc.update(&[a, b]);
                self.flags &= !EXTRA;
                self.part = Part::Extra(u16::from_le_bytes([a, b]).into());
                self.next_of_head();
                true
            }
            Part::HeadCrc => {
                let is_sound = self.head_crc.sum() & 0xFFFF == u16::from_le_bytes([a, b]).into();
                self.flags = 0;
                self.next_of_head();
                is_sound
            }
            _ => {
                self.part = Part::Head;
                let sums = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
                sums == (self.crc.sum(), self.crc.amount())
            }
        };
        if is_sound { Ok(used) } else { Err(Refusal::Broken(BROKEN)) }
    }

    /// Goes on to the next part that the head has, or to the data. A part of no length is over at once.
    fn next_of_head(&mut self) {
        self.part = match (self.part, self.flags) {
            (Part::Extra(left @ 1..), _) => Part::Extra(left),
            (_, flags) if flags & EXTRA != 0 => Part::ExtraLength,
            (_, flags) if flags & NAME != 0 => Part::Text(NAME),
            (_, flags) if flags & COMMENT != 0 => Part::Text(COMMENT),
            (_, flags) if flags & HEAD_CRC != 0 => Part::HeadCrc,
            _ => {
                self.inflate.reset(false);
                self.crc = Crc::new();
                Part::Data
            }
        };
    }

    /// Decompresses all that a piece holds. Returns how many of its bytes belong to the member.
    fn data(&mut self, piece: &[u8]) -> Result<usize, Refusal<S::Refusal>> {
        let mut used = 0;
        loop {
            let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self.inflate.decompress(&piece[used..], &mut self.out, FlushDecompress::None);
            let status = status.map_err(|_| Refusal::Broken(BROKEN))?;
            used += (self.inflate.total_in() - before_in) as usize;
            let made = (self.inflate.total_out() - before_out) as usize;
            self.crc.update(&self.out[..made]);
            self.message.take(&self.out[..made])?;
            if status == Status::StreamEnd {
                self.part = Part::Trailer;
                return Ok(used);
            }
            // Where the buffer is not full, there is no more.
            if used == piece.len() && made < self.out.len() {
                return Ok(used);
            }
            if self.inflate.total_in() == before_in && made == 0 {
                return Err(Refusal::Broken(BROKEN));
            }
        }
    }
}

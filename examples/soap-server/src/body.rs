//! The body of a request: decompressed, in UTF-8, and read while it arrives.

use std::io::{self, Write};

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use lengthwise::Limits;
use lengthwise::dds::Arriving;

use crate::charset::{Charset, Transcoder};
use crate::peers::Room;

/// How a body is compressed (RFC 9110 section 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    /// The zlib format; some send bare deflate, which is read as well.
    Deflate,
}

impl Coding {
    /// What is read, as `Accept-Encoding` names it.
    pub(crate) const NAMES: &'static str = "gzip, deflate";

    pub(crate) fn of(name: &str) -> Option<Coding> {
        match name.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Coding::Identity),
            "gzip" | "x-gzip" => Some(Coding::Gzip),
            "deflate" => Some(Coding::Deflate),
            _ => None,
        }
    }
}

/// Why a body is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Longer than a message may be, or than what it is compressed to may expand to.
    TooLong,
    /// There is no room for it now.
    Busy,
    /// Not what its head says it is.
    Broken(&'static str),
}

/// A body on its way.
pub(crate) struct Body<'t> {
    decoder: Decoder<'t>,
    /// Bytes that have arrived.
    len: usize,
}

enum Decoder<'t> {
    Plain(Box<Sink<'t>>),
    Gzip(Box<MultiGzDecoder<Sink<'t>>>),
    Zlib(Box<ZlibDecoder<Sink<'t>>>),
    Deflate(Box<DeflateDecoder<Sink<'t>>>),
    /// The first bytes show which form of deflate it is.
    Unknown(Vec<u8>, Box<Sink<'t>>),
    Failed,
}

/// Where a body goes.
struct Sink<'t> {
    arriving: Arriving<'t>,
    transcoder: Transcoder,
    room: Room,
    expansion: lengthwise::tam::Expansion,
    is_compressed: bool,
    refusal: Option<Refusal>,
}

impl Sink<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if self.is_compressed && self.expansion.charge(bytes.len()).is_err() {
            return Err(Refusal::TooLong);
        }
        let Sink { arriving, transcoder, room, .. } = self;
        transcoder.take(bytes, |text| feed(arriving, room, text))
    }

    fn finish(&mut self) -> Result<(), Refusal> {
        let Sink { arriving, transcoder, room, .. } = self;
        transcoder.finish(|text| feed(arriving, room, text))
    }
}

fn feed(arriving: &mut Arriving<'_>, room: &mut Room, text: &[u8]) -> Result<(), Refusal> {
    if !room.take(text.len()) {
        return Err(Refusal::Busy);
    }
    arriving.feed(text).map_err(|_| Refusal::TooLong)
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.take(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(refusal) => {
                self.refusal = Some(refusal);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const BROKEN: Refusal = Refusal::Broken("The message is not compressed as its Content-Encoding says.\n");

impl<'t> Body<'t> {
    pub(crate) fn new(
        arriving: Arriving<'t>,
        coding: Coding,
        charset: Option<Charset>,
        room: Room,
        limits: &Limits,
    ) -> Body<'t> {
        let (transcoder, expansion) = (Transcoder::new(charset), limits.decompression(0));
        let is_compressed = coding != Coding::Identity;
        let sink = Sink { arriving, transcoder, room, expansion, is_compressed, refusal: None };
        let decoder = match coding {
            Coding::Identity => Decoder::Plain(Box::new(sink)),
            Coding::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(sink))),
            Coding::Deflate => Decoder::Unknown(Vec::new(), Box::new(sink)),
        };
        Body { decoder, len: 0 }
    }

    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Result<(), Refusal> {
        self.len += piece.len();
        let len = self.len;
        match &mut self.decoder {
            Decoder::Plain(sink) => sink.take(piece),
            Decoder::Gzip(decoder) => write(&mut **decoder, piece, len, MultiGzDecoder::get_mut),
            Decoder::Zlib(decoder) => write(&mut **decoder, piece, len, ZlibDecoder::get_mut),
            Decoder::Deflate(decoder) => write(&mut **decoder, piece, len, DeflateDecoder::get_mut),
            Decoder::Unknown(begin, _) => {
                begin.extend_from_slice(piece);
                let &[first, second, ..] = &begin[..] else { return Ok(()) };
                let Decoder::Unknown(begin, sink) = std::mem::replace(&mut self.decoder, Decoder::Failed) else {
                    return Err(BROKEN);
                };
                // RFC 1950 section 2.2.
                let is_zlib = first & 0x0F == 8 && u16::from_be_bytes([first, second]).is_multiple_of(31);
                self.decoder = match is_zlib {
                    true => Decoder::Zlib(Box::new(ZlibDecoder::new(*sink))),
                    false => Decoder::Deflate(Box::new(DeflateDecoder::new(*sink))),
                };
                self.len = 0;
                self.feed(&begin)
            }
            Decoder::Failed => Err(BROKEN),
        }
    }

    /// The complete message, and the room it has.
    pub(crate) fn finish(self) -> Result<(Arriving<'t>, Room), Refusal> {
        let sink = match self.decoder {
            Decoder::Plain(sink) => Ok(*sink),
            Decoder::Gzip(decoder) => decoder.finish(),
            Decoder::Zlib(decoder) => decoder.finish(),
            Decoder::Deflate(decoder) => decoder.finish(),
            Decoder::Unknown(..) | Decoder::Failed => return Err(BROKEN),
        };
        let mut sink = sink.map_err(|_| BROKEN)?;
        sink.refusal.map_or(Ok(()), Err)?;
        sink.finish()?;
        Ok((sink.arriving, sink.room))
    }
}

/// Decompresses a piece of a body; `len` bytes have arrived.
fn write<'t, D: Write>(
    decoder: &mut D,
    piece: &[u8],
    len: usize,
    sink: fn(&mut D) -> &mut Sink<'t>,
) -> Result<(), Refusal> {
    sink(decoder).expansion.set_input(len);
    let written = decoder.write_all(piece);
    // What has been decompressed is with the sink before the next piece.
    written.and_then(|()| decoder.flush()).map_err(|_| sink(decoder).refusal.unwrap_or(BROKEN))
}

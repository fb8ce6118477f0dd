//! Compressed bodies, decompressed as they arrive.

use std::io::{self, Write};

use flate2::write::{DeflateDecoder, ZlibDecoder};

use crate::Sink;
use crate::decoder::Refusal;
use crate::gzip::Gzip;
use crate::message::Message;

/// How a body is compressed (RFC 9110 section 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coding {
    /// It is not.
    Identity,
    /// gzip, in one member or several.
    Gzip,
    /// The zlib format. Some send bare deflate, which is read as well.
    Deflate,
}

impl Coding {
    /// What is read, as `Accept-Encoding` names it.
    pub const NAMES: &'static str = "gzip, deflate";

    /// The coding of a name; an empty one is [`Coding::Identity`].
    #[must_use]
    pub fn of(name: &str) -> Option<Coding> {
        match name.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Coding::Identity),
            "gzip" | "x-gzip" => Some(Coding::Gzip),
            "deflate" => Some(Coding::Deflate),
            _ => None,
        }
    }
}

/// Decompresses a body.
pub(crate) enum Decompressor<S: Sink> {
    Identity(Box<Message<S>>),
    Gzip(Box<Gzip<S>>),
    Zlib(Box<ZlibDecoder<Message<S>>>),
    Deflate(Box<DeflateDecoder<Message<S>>>),
    /// The first bytes distinguish the two kinds of deflate.
    Unknown(Vec<u8>, Box<Message<S>>),
    Failed,
}

pub(crate) const BROKEN: &str = "The message is not compressed as its Content-Encoding says.";

impl<S: Sink> Decompressor<S> {
    pub(crate) fn new(coding: Coding, message: Message<S>) -> Decompressor<S> {
        match coding {
            Coding::Identity => Decompressor::Identity(Box::new(message)),
            Coding::Gzip => Decompressor::Gzip(Box::new(Gzip::new(message))),
            Coding::Deflate => Decompressor::Unknown(Vec::new(), Box::new(message)),
        }
    }

    /// Takes the next piece of a body, `len` bytes of which have arrived with it.
    pub(crate) fn feed(&mut self, piece: &[u8], len: usize) -> Result<(), Refusal<S::Refusal>> {
        match self {
            Decompressor::Identity(message) => message.take(piece),
            Decompressor::Gzip(gzip) => gzip.feed(piece, len),
            Decompressor::Zlib(decoder) => write(&mut **decoder, piece, len, ZlibDecoder::get_mut),
            Decompressor::Deflate(decoder) => write(&mut **decoder, piece, len, DeflateDecoder::get_mut),
            Decompressor::Unknown(begin, _) => {
                begin.extend_from_slice(piece);
                let &[first, second, ..] = &begin[..] else { return Ok(()) };
                let Decompressor::Unknown(begin, message) = std::mem::replace(self, Decompressor::Failed) else {
                    return Err(Refusal::Broken(BROKEN));
                };
                // RFC 1950 section 2.2.
                let is_zlib = first & 0x0F == 8 && u16::from_be_bytes([first, second]).is_multiple_of(31);
                *self = match is_zlib {
                    true => Decompressor::Zlib(Box::new(ZlibDecoder::new(*message))),
                    false => Decompressor::Deflate(Box::new(DeflateDecoder::new(*message))),
                };
                self.feed(&begin, len)
            }
            Decompressor::Failed => Err(Refusal::Broken(BROKEN)),
        }
    }

    pub(crate) fn finish(self) -> Result<Message<S>, Refusal<S::Refusal>> {
        let message = match self {
            Decompressor::Identity(message) => Ok(*message),
            Decompressor::Gzip(gzip) => return gzip.finish(),
            Decompressor::Zlib(decoder) => decoder.finish(),
            Decompressor::Deflate(decoder) => decoder.finish(),
            Decompressor::Unknown(..) | Decompressor::Failed => return Err(Refusal::Broken(BROKEN)),
        };
        let mut message = message.map_err(|_| Refusal::Broken(BROKEN))?;
        message.refusal.take().map_or(Ok(message), Err)
    }
}

impl<S: Sink> Write for Message<S> {
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

/// Decompresses a piece.
fn write<S: Sink, D: Write>(
    decoder: &mut D,
    piece: &[u8],
    len: usize,
    message: fn(&mut D) -> &mut Message<S>,
) -> Result<(), Refusal<S::Refusal>> {
    message(decoder).expansion.set_input(len);
    let written = decoder.write_all(piece);
    // What has been decompressed is taken before the next piece.
    written
        .and_then(|()| decoder.flush())
        .map_err(|_| message(decoder).refusal.take().unwrap_or(Refusal::Broken(BROKEN)))
}

//! A body, decoded as it arrives.

use std::fmt;

use tam::{Exceeded, Limits};
use xml::xop::Package;

use crate::coding::Decompressor;
use crate::content::Content;
use crate::message::Message;
use crate::multipart::Attachments;

/// Takes the message of a body, in UTF-8, piece by piece.
pub trait Sink {
    /// Why it takes no more.
    type Refusal;

    /// Takes the next bytes of the message.
    ///
    /// # Errors
    /// If it takes no more.
    fn take(&mut self, text: &[u8]) -> Result<(), Self::Refusal>;

    /// A part beside the message begins: its Content-ID, without angle brackets. Parts are left out unless a sink wants them;
    /// so is one that has no Content-ID or a Content-Transfer-Encoding, because its octets are not the bytes that are sent.
    ///
    /// # Errors
    /// If it takes no more.
    fn begin_part(&mut self, _id: &str) -> Result<(), Self::Refusal> {
        Ok(())
    }

    /// Takes the next octets of the part.
    ///
    /// # Errors
    /// If it takes no more.
    fn take_part(&mut self, _octets: &[u8]) -> Result<(), Self::Refusal> {
        Ok(())
    }
}

impl Sink for Vec<u8> {
    type Refusal = core::convert::Infallible;

    fn take(&mut self, text: &[u8]) -> Result<(), Self::Refusal> {
        self.extend_from_slice(text);
        Ok(())
    }
}

/// Takes the message and the parts that it may include octets from.
impl Sink for Package {
    type Refusal = core::convert::Infallible;

    fn take(&mut self, text: &[u8]) -> Result<(), Self::Refusal> {
        if self.document().is_empty() {
            self.begin_document();
        }
        self.push(text);
        Ok(())
    }

    fn begin_part(&mut self, id: &str) -> Result<(), Self::Refusal> {
        Package::begin_part(self, id);
        Ok(())
    }

    fn take_part(&mut self, octets: &[u8]) -> Result<(), Self::Refusal> {
        self.push(octets);
        Ok(())
    }
}

/// Why a body is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal<R> {
    /// It is longer than `message_bytes`, or than what it may expand to: the limit that it exceeds.
    TooLong(Exceeded),
    /// It is not what its head says; a sentence says why.
    Broken(&'static str),
    /// It ends before the last boundary of its parts, [`Content::boundary`].
    NotEnded,
    /// The sink takes no more.
    Sink(R),
}

impl<R: fmt::Display> fmt::Display for Refusal<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooLong(exceeded) => {
                write!(f, "The body is too long: {} is {}.", exceeded.limit, exceeded.bound)
            }
            Refusal::Broken(words) => f.write_str(words),
            Refusal::NotEnded => f.write_str("The body ends before the last boundary."),
            Refusal::Sink(refusal) => refusal.fmt(f),
        }
    }
}

impl<R: fmt::Debug + fmt::Display> std::error::Error for Refusal<R> {}

/// Decodes a body: decompresses it, finds the root of several parts, and makes UTF-8 of it.
///
/// Memory and work are bounded by [`Limits`]: `message_bytes` for the body as it is decompressed, all parts together, and for
/// the message in UTF-8; `decompressed_bytes`, `expansion_ratio` and `expansion_threshold` for what compression saves.
/// Nothing is kept but by the sink: the message, and parts where it wants them ([`Package`](xml::xop::Package) does).
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_http::{Content, Decoder};
/// use lengthwise_tam::Limits;
///
/// let content = Content::of("multipart/related; type=\"text/xml\"; boundary=b", "")?;
/// let mut decoder = Decoder::new(&content, &Limits::UNTRUSTED, Vec::new());
/// for piece in ["--b\r\nContent-Type: text/xml\r\n\r\n<a", "/>\r\n--b\r\nContent-ID: <x>\r\n\r\noctets\r\n--b", "--"] {
///     decoder.feed(piece.as_bytes()).unwrap();
/// }
/// let (message, attachments) = decoder.finish().unwrap();
/// assert_eq!((message.as_slice(), attachments.count, attachments.bytes), (&b"<a/>"[..], 1, 6));
/// # Ok::<(), lengthwise_http::Unsupported>(())
/// ```
pub struct Decoder<S: Sink> {
    body: Decompressor<S>,
    /// Bytes that have arrived.
    len: usize,
}

impl<S: Sink> Decoder<S> {
    /// A decoder of a body that has not arrived.
    #[must_use]
    pub fn new(content: &Content, limits: &Limits, sink: S) -> Decoder<S> {
        Decoder { body: Decompressor::new(content.coding, Message::new(content, limits, sink)), len: 0 }
    }

    /// Takes the next piece of the body. Pieces may end anywhere.
    ///
    /// # Errors
    /// If the body is too long or broken, or the sink takes no more. Then the decoder must not be used any more.
    pub fn feed(&mut self, piece: &[u8]) -> Result<(), Refusal<S::Refusal>> {
        self.len += piece.len();
        self.body.feed(piece, self.len)
    }

    /// Ends the body; gives back the sink, which has taken all of the message.
    ///
    /// # Errors
    /// If the body ends too early, or as with [`Decoder::feed`].
    pub fn finish(self) -> Result<(S, Attachments), Refusal<S::Refusal>> {
        self.body.finish()?.finish()
    }
}

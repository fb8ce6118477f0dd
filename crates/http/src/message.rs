//! The message in a body that is no longer compressed: the root of several parts, in UTF-8.

use tam::{Exceeded, Expansion, Limits};

use crate::Sink;
use crate::charset::Transcoder;
use crate::content::Content;
use crate::decoder::Refusal;
use crate::multipart::{Attachments, Splitter};

/// Takes the bytes of a body, and gives those of the message to a sink.
pub(crate) struct Message<S: Sink> {
    splitter: Option<Splitter>,
    text: Text<S>,
    /// Bytes that have come, and that may come.
    len: u64,
    most: u32,
    is_compressed: bool,
    pub(crate) expansion: Expansion,
    /// Why it takes no more.
    pub(crate) refusal: Option<Refusal<S::Refusal>>,
}

/// The message as it is sent, which the sink gets as UTF-8.
pub(crate) struct Text<S: Sink> {
    pub(crate) transcoder: Transcoder,
    sink: S,
    len: u64,
    most: u32,
}

impl<S: Sink> Text<S> {
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), Refusal<S::Refusal>> {
        let Text { transcoder, sink, len, most } = self;
        transcoder.take(bytes, |text| give(sink, len, *most, text))
    }

    pub(crate) fn begin_part(&mut self, id: &str) -> Result<(), Refusal<S::Refusal>> {
        self.sink.begin_part(id).map_err(Refusal::Sink)
    }

    pub(crate) fn take_part(&mut self, octets: &[u8]) -> Result<(), Refusal<S::Refusal>> {
        self.sink.take_part(octets).map_err(Refusal::Sink)
    }

    fn finish(&mut self) -> Result<(), Refusal<S::Refusal>> {
        let Text { transcoder, sink, len, most } = self;
        transcoder.finish(|text| give(sink, len, *most, text))
    }
}

fn give<S: Sink>(sink: &mut S, len: &mut u64, most: u32, text: &[u8]) -> Result<(), Refusal<S::Refusal>> {
    *len += text.len() as u64;
    within(*len, most)?;
    sink.take(text).map_err(Refusal::Sink)
}

/// Whether a length is within `message_bytes`.
fn within<R>(len: u64, most: u32) -> Result<(), Refusal<R>> {
    if len > most.into() { Err(Refusal::TooLong(Exceeded::new("message_bytes", most))) } else { Ok(()) }
}

impl<S: Sink> Message<S> {
    pub(crate) fn new(content: &Content, limits: &Limits, sink: S) -> Message<S> {
        let most = limits.message_bytes;
        Message {
            splitter: content.parts.as_ref().map(Splitter::new),
            text: Text { transcoder: Transcoder::new(content.charset), sink, len: 0, most },
            len: 0,
            most,
            is_compressed: content.coding != crate::Coding::Identity,
            expansion: limits.decompression(0),
            refusal: None,
        }
    }

    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), Refusal<S::Refusal>> {
        self.len += bytes.len() as u64;
        within(self.len, self.most)?;
        if self.is_compressed {
            self.expansion.charge(bytes.len()).map_err(Refusal::TooLong)?;
        }
        match &mut self.splitter {
            Some(splitter) => splitter.take(bytes, &mut self.text),
            None => self.text.take(bytes),
        }
    }

    /// The body ends here.
    pub(crate) fn finish(mut self) -> Result<(S, Attachments), Refusal<S::Refusal>> {
        let attachments = match self.splitter.take() {
            Some(splitter) => splitter.finish()?,
            None => Attachments::default(),
        };
        self.text.finish()?;
        Ok((self.text.sink, attachments))
    }
}

//! A message with its encoding rules and limits.

use asn1::EncodingRules;
use tam::{Error, Expansion, Limits, Words};

use crate::ber::Ber;
use crate::outline::Outline;
use crate::per::Per;
use crate::rules::{FORMAT, Octets, Rules};
use crate::scan::{locate, scan};
use crate::{Options, SharedStrings};

/// A message, and how to read it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'m> {
    pub(crate) bytes: &'m [u8],
    rules: EncodingRules,
    pub(crate) limits: Limits,
    pub(crate) shared: Option<&'m SharedStrings>,
    pub(crate) entity_references: bool,
}

impl<'m> Message<'m> {
    /// A message, after its length has been checked.
    pub(crate) fn new(bytes: &'m [u8], options: &Options<'m>) -> Result<Message<'m>, Error> {
        let (len, limit) = (bytes.len(), options.limits.message_bytes);
        if len > limit as usize {
            let found = Words::Count(len as u64, "bytes");
            return Err(Error::limit(FORMAT, limit.into(), found, "message_bytes", limit.into()));
        }
        let Options { rules, limits, shared, entity_references, .. } = *options;
        Ok(Message { bytes, rules, limits, shared, entity_references })
    }

    /// The limit on the expansion of the strings, with nothing counted yet.
    pub(crate) fn expansion(&self) -> Expansion {
        self.limits.decompression(self.bytes.len())
    }

    /// The error for strings that exceed this limit.
    #[cold]
    pub(crate) fn too_much(&self, found: &'static str) -> Error {
        self.expansion().exceeded().error(FORMAT, 0, found)
    }

    /// Makes the first pass through the message.
    pub(crate) fn scan(&self) -> Result<Outline, Error> {
        match self.rules {
            EncodingRules::Uper => scan(Per::<false>::new(self.bytes), self.bytes.len(), &self.limits),
            EncodingRules::Aper => scan(Per::<true>::new(self.bytes), self.bytes.len(), &self.limits),
            _ => scan(Ber::new(self.bytes), self.bytes.len(), &self.limits),
        }
    }

    /// Passes on the octets found in the first pass, piece by piece.
    pub(crate) fn pieces(&self, octets: Octets, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        match self.rules {
            EncodingRules::Uper => Per::<false>::new(self.bytes).pieces(octets, take),
            EncodingRules::Aper => Per::<true>::new(self.bytes).pieces(octets, take),
            _ => Ber::new(self.bytes).pieces(octets, take),
        }
    }

    /// Appends the octets found in the first pass.
    pub(crate) fn copy(&self, octets: Octets, out: &mut Vec<u8>) -> Result<(), Error> {
        self.pieces(octets, &mut |piece| {
            out.extend_from_slice(piece);
            Ok(())
        })
    }

    /// Adds to an error the position of the first reference to a string, unless it has a position.
    #[cold]
    #[inline(never)]
    pub(crate) fn locate_string(&self, number: u32, error: Error) -> Error {
        if error.bit().is_some() {
            return error;
        }
        match self.scan().ok().and_then(|outline| outline.first_token(number).map(|token| outline.in_message(token))) {
            Some(token) => self.locate(token, error),
            None => error,
        }
    }

    /// Adds to an error the position of a token, unless it has a position.
    #[cold]
    #[inline(never)]
    pub(crate) fn locate(&self, token: usize, error: Error) -> Error {
        if error.bit().is_some() {
            return error;
        }
        match self.rules {
            EncodingRules::Uper => locate(Per::<false>::new(self.bytes), &self.limits, token, &error),
            EncodingRules::Aper => locate(Per::<true>::new(self.bytes), &self.limits, token, &error),
            _ => locate(Ber::new(self.bytes), &self.limits, token, &error),
        }
    }
}

/// An error about content that cannot be read; its position is that of the current item.
#[cold]
pub(crate) fn unreadable(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(tam::ErrorKind::Syntax, FORMAT, 0, found, expected)
}

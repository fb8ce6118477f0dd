//! A message under one of the encoding rules.

use asn1::EncodingRules;
use tam::{Error, Expansion, Limits, Words};

use crate::Options;
use crate::ber::Ber;
use crate::outline::Outline;
use crate::per::Per;
use crate::rules::{FORMAT, Octets, Rules};
use crate::scan::{locate, scan};

/// A message, and how it is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'m> {
    pub(crate) bytes: &'m [u8],
    rules: EncodingRules,
    pub(crate) limits: Limits,
}

impl<'m> Message<'m> {
    /// A message that is not longer than it may be.
    pub(crate) fn new(bytes: &'m [u8], options: &Options) -> Result<Message<'m>, Error> {
        let (len, limit) = (bytes.len(), options.limits.message_bytes);
        if len > limit as usize {
            let found = Words::Count(len as u64, "bytes");
            return Err(Error::limit(FORMAT, limit.into(), found, "message_bytes", limit.into()));
        }
        Ok(Message { bytes, rules: options.rules, limits: options.limits })
    }

    /// What the strings of the message may come to, with nothing counted yet.
    pub(crate) fn expansion(&self) -> Expansion {
        self.limits.decompression(self.bytes.len())
    }

    /// Strings that come to more than that.
    #[cold]
    pub(crate) fn too_much(&self, found: &'static str) -> Error {
        self.expansion().exceeded().error(FORMAT, 0, found)
    }

    /// The first way through the message.
    pub(crate) fn scan(&self) -> Result<Outline, Error> {
        match self.rules {
            EncodingRules::Uper => scan(Per::<false>::new(self.bytes), self.bytes.len(), &self.limits),
            EncodingRules::Aper => scan(Per::<true>::new(self.bytes), self.bytes.len(), &self.limits),
            _ => scan(Ber::new(self.bytes), self.bytes.len(), &self.limits),
        }
    }

    /// Gives octets that the first way has passed, piece by piece.
    pub(crate) fn pieces(&self, octets: Octets, take: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        match self.rules {
            EncodingRules::Uper => Per::<false>::new(self.bytes).pieces(octets, take),
            EncodingRules::Aper => Per::<true>::new(self.bytes).pieces(octets, take),
            _ => Ber::new(self.bytes).pieces(octets, take),
        }
    }

    /// Appends octets that the first way has passed.
    pub(crate) fn copy(&self, octets: Octets, out: &mut Vec<u8>) -> Result<(), Error> {
        self.pieces(octets, &mut |piece| {
            out.extend_from_slice(piece);
            Ok(())
        })
    }

    /// The same error, told of the first place that refers to a string, unless it tells one.
    #[cold]
    #[inline(never)]
    pub(crate) fn locate_string(&self, number: u32, error: Error) -> Error {
        if error.bit().is_some() {
            return error;
        }
        match self.scan().ok().and_then(|outline| outline.first_token(number)) {
            Some(token) => self.locate(token, error),
            None => error,
        }
    }

    /// The same error, told of the place of a token, unless it tells one.
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

/// What cannot be read, its place being that of the thing that is read.
#[cold]
pub(crate) fn unreadable(found: impl Into<Words>, expected: impl Into<Words>) -> Error {
    Error::new(tam::ErrorKind::Syntax, FORMAT, 0, found, expected)
}

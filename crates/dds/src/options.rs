//! What a caller may choose.

use tam::Limits;

/// How a [`Template`](crate::Template) finds out what a message has in common with the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matching {
    /// Not at all: every message is read in regular mode, into the memory of the one before.
    Never,
    /// By comparing bytes with the message before, which is kept. No two messages can be mistaken for each
    /// other.
    #[default]
    Exact,
}

/// How messages are read.
///
/// ```
/// let options = dds::Options::default().with_portion(4096);
/// assert_eq!(options.portion, 4096);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What reading may cost: `depth` bounds the open elements, `message_bytes` the message, `units` the
    /// elements, each counted as often as it is referred to. Default [`Limits::DEFAULT`].
    pub limits: Limits,
    /// Bytes of a message portion at the least (the paper's N); portions end where items end. From 32 to
    /// 16384. Default 512.
    pub portion: u32,
    /// How templates find out what messages have in common. Default [`Matching::Exact`].
    pub matching: Matching,
    /// Bytes of a message that have to be waiting before [`Template::feed`](crate::Template::feed) reads on: few
    /// let reading begin early, many keep it from going to and fro. Default 16384.
    pub piece: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { limits: Limits::DEFAULT, portion: 512, matching: Matching::Exact, piece: 16 << 10 }
    }
}

impl Options {
    /// The same options with other limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Options {
        self.limits = limits;
        self
    }

    /// The same options with another way to find out what messages have in common.
    #[must_use]
    pub const fn with_matching(mut self, matching: Matching) -> Options {
        self.matching = matching;
        self
    }

    /// The same options with another number of bytes that reading waits for.
    #[must_use]
    pub const fn with_piece(mut self, bytes: u32) -> Options {
        self.piece = bytes;
        self
    }

    /// The same options with another portion size; below 32 is 32, above 16384 is 16384.
    #[must_use]
    pub const fn with_portion(mut self, bytes: u32) -> Options {
        self.portion = if bytes < 32 {
            32
        } else if bytes > 16384 {
            16384
        } else {
            bytes
        };
        self
    }
}

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
    /// By a keyed hash of each message portion. Of arrays nothing is kept but 16 bytes a portion (0.4 % of the
    /// message at the default size) and a secret of seven kilobytes, which is drawn from the system's randomness when
    /// the [`Reader`](crate::Reader) is made. Two portions of one length that differ are mistaken for each other by
    /// less than one secret in 2^62, and nobody who does not know the secret can do better than to try. Where the
    /// system has no randomness nothing is compared, as with [`Matching::Never`].
    Keyed,
    /// By a checksum of each message portion, as the paper does (section 3.1, table 2). **Unsafe** where senders are
    /// not trusted, and not only there: portions that differ may have the same checksum, and then the values
    /// of the message before are given for those of this one.
    Checksum(Checksum),
}

/// The checksums of the paper's table 2. Anyone can make two portions that have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Checksum {
    /// The exclusive or of all 32-bit words, which does not see them change places.
    Xor,
    /// Adler-32 (RFC 1950).
    Adler32,
    /// CRC-32 (ISO 3309), the paper's choice.
    Crc32,
}

/// How messages are read.
///
/// ```
/// let options = lengthwise_dds::Options::default().with_portion(4096);
/// assert_eq!(options.portion, Some(4096));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What reading may cost: `depth` bounds the open elements, `message_bytes` the message, `units` the elements, each
    /// counted as often as it is referred to, their attributes, members that are left out, and the
    /// references that are followed; `decompressed_bytes` and
    /// `expansion_ratio` bound the bytes that references repeat. Default [`Limits::DEFAULT`].
    pub limits: Limits,
    /// Bytes of a message portion at the least (the paper's N); portions end where items end. From 32 to
    /// 16384. Default `None`: 1024 where bytes are compared, 4096 where hashes are.
    pub portion: Option<u32>,
    /// How templates find out what messages have in common. Default [`Matching::Exact`].
    pub matching: Matching,
    /// Bytes of a message that have to be waiting before [`Template::feed`](crate::Template::feed) reads on: few
    /// let reading begin early, many keep it from going to and fro. Default 16384.
    pub piece: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { limits: Limits::DEFAULT, portion: None, matching: Matching::Exact, piece: 16 << 10 }
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
        self.portion = Some(if bytes < 32 {
            32
        } else if bytes > 16384 {
            16384
        } else {
            bytes
        });
        self
    }

    /// Bytes of a portion at the least.
    pub(crate) fn portion(&self) -> u32 {
        self.portion.unwrap_or(if matches!(self.matching, Matching::Keyed | Matching::Checksum(_)) {
            4096
        } else {
            1024
        })
    }
}

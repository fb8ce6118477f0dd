//! What a message may cost.

use crate::error::{Error, Words};

/// Bounds on what reading a message may cost; the error that a bound causes names it.
///
/// ```
/// use lengthwise_tam::Limits;
///
/// let small = Limits { depth: 16, message_bytes: 32 * 1024, ..Limits::default() };
/// assert_eq!(small.units, Limits::default().units);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of nesting, the outermost unit being level 1. Default 1 000.
    pub depth: u32,
    /// Lexical units (rows) of one document. Default 2^28.
    pub units: u32,
    /// Bytes of one message. Default 1 GiB; never more than 4 GiB - 1, what a row can address.
    pub message_bytes: u32,
    /// Bytes that the entities of one XML document may add up to. Default 8 MiB.
    pub entity_expansion: u32,
    /// Bytes that the text of a message may come to which is compressed, or says a text once and
    /// refers to it often (infoset), every reference counted. Default 1 GiB, as `message_bytes`: such a
    /// message may contain no more text than one that repeats all of it.
    pub decompressed_bytes: u32,
    /// Bytes of expanded text for each byte of the message, where the text comes to more than
    /// `expansion_threshold`. It bounds entities, decompression and the copies of references in addition to
    /// the two limits above. Default 100, as in expat.
    pub expansion_ratio: u32,
    /// Bytes of expanded text that any message may have, whatever its ratio. Default 8 MiB, as in expat.
    pub expansion_threshold: u32,
    /// Bytes of memory that a frame of zstd may ask for, its window; the next lower power of two counts. Default 8 MiB,
    /// which each reader should have (RFC 8878 section 3.1.1.1.2).
    pub window: u32,
}

impl Limits {
    /// The defaults, for messages of known senders.
    pub const DEFAULT: Limits = Limits {
        depth: 1_000,
        units: 1 << 28,
        message_bytes: 1 << 30,
        entity_expansion: 8 << 20,
        decompressed_bytes: 1 << 30,
        expansion_ratio: 100,
        expansion_threshold: 8 << 20,
        window: 8 << 20,
    };

    /// For messages of anybody, as a server has them: 16 MiB a message, which may expand to 64 MiB and
    /// to no more than 100 times its bytes beyond the first MiB; 2^20 units, 256 levels, 1 MiB of entities.
    pub const UNTRUSTED: Limits = Limits {
        depth: 256,
        units: 1 << 20,
        message_bytes: 16 << 20,
        entity_expansion: 1 << 20,
        decompressed_bytes: 64 << 20,
        expansion_ratio: 100,
        expansion_threshold: 1 << 20,
        window: 8 << 20,
    };

    /// No bound but what the table can address.
    pub const NONE: Limits = Limits {
        depth: u32::MAX,
        units: u32::MAX,
        message_bytes: u32::MAX,
        entity_expansion: u32::MAX,
        decompressed_bytes: u32::MAX,
        expansion_ratio: u32::MAX,
        expansion_threshold: u32::MAX,
        window: u32::MAX,
    };

    /// The names of all limits, as errors and `--limit` spell them.
    pub const NAMES: [&'static str; 8] = [
        "depth",
        "units",
        "message_bytes",
        "entity_expansion",
        "decompressed_bytes",
        "expansion_ratio",
        "expansion_threshold",
        "window",
    ];

    /// The limit of a name.
    ///
    /// ```
    /// use lengthwise_tam::Limits;
    ///
    /// let mut limits = Limits::UNTRUSTED;
    /// *limits.named_mut("depth").unwrap() = 32;
    /// assert_eq!(limits, Limits { depth: 32, ..Limits::UNTRUSTED });
    /// assert_eq!(limits.named_mut("patience"), None);
    /// ```
    #[must_use]
    pub fn named_mut(&mut self, name: &str) -> Option<&mut u32> {
        Some(match name {
            "depth" => &mut self.depth,
            "units" => &mut self.units,
            "message_bytes" => &mut self.message_bytes,
            "entity_expansion" => &mut self.entity_expansion,
            "decompressed_bytes" => &mut self.decompressed_bytes,
            "expansion_ratio" => &mut self.expansion_ratio,
            "expansion_threshold" => &mut self.expansion_threshold,
            "window" => &mut self.window,
            _ => return None,
        })
    }

    /// A budget for text that the entities of a message of `input` bytes add: `entity_expansion`,
    /// `expansion_ratio`.
    #[must_use]
    pub fn entities(&self, input: usize) -> Expansion {
        self.expansion(self.entity_expansion, "entity_expansion", input)
    }

    /// A budget for text that a message of `input` bytes is decompressed to, or that its references
    /// repeat: `decompressed_bytes`, `expansion_ratio`.
    #[must_use]
    pub fn decompression(&self, input: usize) -> Expansion {
        self.expansion(self.decompressed_bytes, "decompressed_bytes", input)
    }

    fn expansion(&self, most: u32, name: &'static str, input: usize) -> Expansion {
        let (ratio, threshold) = (self.expansion_ratio, self.expansion_threshold);
        let mut expansion = Expansion { used: 0, bound: 0, most, name, ratio, threshold };
        expansion.set_input(input);
        expansion
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}

/// Text that a message has expanded to, held against the limits: the one rule for entities,
/// compression and references. Made by [`Limits::entities`] and [`Limits::decompression`].
///
/// ```
/// use lengthwise_tam::Limits;
///
/// let limits = Limits { expansion_ratio: 10, expansion_threshold: 1000, ..Limits::default() };
/// let mut expansion = limits.decompression(200);
/// assert!(expansion.charge(2000).is_ok());
/// let error = expansion.charge(1).unwrap_err().error("soap", 7, "more referred text");
/// let said = "limit at byte 7: found more referred text, \
///     expected at most 10 bytes for each byte of the message (limit expansion_ratio)";
/// assert_eq!(error.to_string(), said);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    used: u64,
    /// The most that `used` may be, from the other fields and the length of the input.
    bound: u64,
    most: u32,
    name: &'static str,
    ratio: u32,
    threshold: u32,
}

impl Expansion {
    /// Counts bytes of expanded text. Call it before they are made, once a reference or a piece.
    ///
    /// # Errors
    /// When there are more than a limit allows.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Result<(), Exceeded> {
        self.used = self.used.saturating_add(bytes as u64);
        if self.used > self.bound { Err(self.exceeded()) } else { Ok(()) }
    }

    /// Bytes that have been charged.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Bytes that may yet be charged.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.bound.saturating_sub(self.used)
    }

    /// The message has `input` bytes so far: for input that comes in pieces.
    pub fn set_input(&mut self, input: usize) {
        let by_ratio = (input as u64).saturating_mul(self.ratio.into()).max(self.threshold.into());
        // No ratio at all, whatever the input.
        let by_ratio = if self.ratio == u32::MAX { u64::MAX } else { by_ratio };
        self.bound = by_ratio.min(self.most.into());
    }

    /// The limit that [`Expansion::charge`] meets first.
    #[cold]
    #[must_use]
    pub fn exceeded(&self) -> Exceeded {
        if self.bound == u64::from(self.most) {
            return Exceeded { limit: self.name, bound: self.most };
        }
        Exceeded { limit: RATIO, bound: self.ratio }
    }
}

pub(crate) const RATIO: &str = "expansion_ratio";

/// A limit that expanded text exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exceeded {
    /// Its name.
    pub limit: &'static str,
    /// Its value.
    pub bound: u32,
}

impl Exceeded {
    /// A limit that is exceeded, by its name.
    #[must_use]
    pub const fn new(limit: &'static str, bound: u32) -> Exceeded {
        Exceeded { limit, bound }
    }

    /// The error, at a byte offset of a message of `format`.
    #[cold]
    #[must_use]
    pub fn error(self, format: &'static str, offset: u64, found: impl Into<Words>) -> Error {
        Error::limit(format, offset, found, self.limit, self.bound.into())
    }
}

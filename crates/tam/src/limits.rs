//! What a message may cost.

/// Bounds on what reading a message may cost; the error that a bound causes names it.
///
/// ```
/// use tam::Limits;
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
    /// message may stand for no more than one that says all of it.
    pub decompressed_bytes: u32,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Limits = Limits {
        depth: 1_000,
        units: 1 << 28,
        message_bytes: 1 << 30,
        entity_expansion: 8 << 20,
        decompressed_bytes: 1 << 30,
    };

    /// No bound but what the table can address.
    pub const NONE: Limits = Limits {
        depth: u32::MAX,
        units: u32::MAX,
        message_bytes: u32::MAX,
        entity_expansion: u32::MAX,
        decompressed_bytes: u32::MAX,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}

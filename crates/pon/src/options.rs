//! What the caller decides.

use tam::Limits;

/// How messages are read. Nothing here changes bytes on the wire.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_pon::Options;
/// use lengthwise_tam::Limits;
///
/// let options = Options::default().with_limits(Limits { depth: 8, ..Limits::default() });
/// assert_eq!(options.limits.depth, 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What a message may cost to read: `depth`, `units` and `message_bytes` are kept. Default
    /// [`Limits::DEFAULT`].
    pub limits: Limits,
}

impl Options {
    /// The same options under other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Options {
        Options { limits }
    }
}

//! The extent of contents.

/// The end of the contents being read, and of those around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The end of these contents, or [`INDEFINITE`](super::header::INDEFINITE).
    pub(super) end: usize,
    /// The end of the surrounding contents, as far as known.
    pub(super) outer: usize,
}

//! How far the contents of a value go.

/// How far the contents go that are being read, and what was before them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Where they end, or [`INDEFINITE`](super::header::INDEFINITE).
    pub(super) end: usize,
    /// Where what is around them ends, as far as is known.
    pub(super) outer: usize,
}

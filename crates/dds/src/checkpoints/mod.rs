//! Checkpoints of any message of elements, and progressive matching by them (the paper's sections 3.1, 3.3 and 3.4).
//!
//! A *grammar* reads a message whole. While it reads, it leaves checkpoints: places between elements where the message
//! could be read on from. What is between two checkpoints of one element is a [`Span`]. The next message is read by the
//! same grammar, which asks at each place whether the earlier message goes on in the same way there: a [`Follower`] finds
//! the spans that both have. The grammar takes what they mean from the earlier message, and reads on after them.
//!
//! Nothing here knows what the messages are. [`Span::mark`] belongs to the grammar: in which state a span begins, and what
//! was read from it.

mod follower;
mod shape;

pub use follower::{Follower, Found};
pub use shape::{BEGINNING, Likeness, method};

/// What is between two checkpoints of one element: some of its child elements. Spans inside a child element follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<M> {
    /// Bytes from one checkpoint to the other.
    pub len: u32,
    /// How many of the spans that follow are inside it; those of one child element, its last.
    pub inside: u32,
    /// Where the first of these begins, in bytes from its own beginning.
    pub content: u32,
    /// What the grammar knows of it.
    pub mark: M,
}

impl<M> Span<M> {
    /// A span without others inside.
    #[must_use]
    pub fn new(len: u32, mark: M) -> Span<M> {
        Span { len, inside: 0, content: 0, mark }
    }
}

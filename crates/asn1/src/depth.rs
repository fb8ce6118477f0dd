//! The depth of a walk. It recurses over the levels of a value, a few at a time, and makes sure that the stack has room
//! before each few.

use tam::Error;

/// Levels that a walk opens before it checks the stack again.
const LEVELS: u32 = 32;

/// Stack for these levels, in bytes: in a debug build a level takes a quarter of its share.
#[cfg(not(target_family = "wasm"))]
const ROOM: usize = 256 << 10;

/// The size of each piece of stack that is added, in bytes.
#[cfg(not(target_family = "wasm"))]
const PIECE: usize = 1 << 20;

/// The most levels on a target whose stack cannot grow: they fit in 1 MiB in a debug build.
#[cfg(target_family = "wasm")]
const FIXED: u32 = 128;

/// Continues on a stack that has room for a few levels, wherever it is called.
pub(crate) fn with_room<T>(walk: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    Depth { limit: 0, left: 0 }.with_room(walk)
}

/// The limit on levels open at the same time, and how many of them are still available.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    limit: u32,
    left: u32,
}

impl Depth {
    pub(crate) fn new(limit: u32) -> Depth {
        #[cfg(target_family = "wasm")]
        let limit = limit.min(FIXED);
        Depth { limit, left: limit }
    }

    /// The levels that are available.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// Whether more levels are available.
    pub(crate) fn is_left(&self) -> bool {
        self.left > 0
    }

    /// Takes the next few levels; returns 0 if all are open.
    pub(crate) fn take(&mut self) -> u32 {
        let levels = self.left.min(LEVELS);
        self.left -= levels;
        levels
    }

    /// Returns levels that are no longer open.
    pub(crate) fn give_back(&mut self, levels: u32) {
        self.left += levels;
    }

    /// The error for a level beyond the limit.
    #[cold]
    #[inline(never)]
    pub(crate) fn exceeded(&self) -> Error {
        Error::limit("asn1", 0, "one more level", "depth", self.limit.into())
    }

    /// Continues the walk on a stack that has room for the levels taken last.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn with_room<T>(self, walk: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        stacker::maybe_grow(ROOM, PIECE, || {
            // Some processors cannot change the stack. Miri does not need to.
            if cfg!(miri) || stacker::remaining_stack().is_some_and(|left| left >= ROOM / 2) {
                return walk();
            }
            Err(Depth { limit: self.limit - self.left, ..self }.exceeded())
        })
    }

    /// Continues the walk. Without a growing stack there is always room for the levels available.
    #[cfg(target_family = "wasm")]
    pub(crate) fn with_room<T>(self, walk: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        walk()
    }
}

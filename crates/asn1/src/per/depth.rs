//! How deep a walk may go. It recurses over the levels of a value, a few at a time, and asks for stack before each few.

use tam::Error;

/// Levels that a walk opens before it asks for more stack.
const LEVELS: u32 = 32;

/// Stack that is there for them, in bytes: a level takes a quarter of its share in a debug build.
#[cfg(not(target_family = "wasm"))]
const ROOM: usize = 256 << 10;

/// A piece of stack that is added where there is less, in bytes.
#[cfg(not(target_family = "wasm"))]
const PIECE: usize = 1 << 20;

/// The most levels where no stack can be added: they fit 1 MiB in a debug build.
#[cfg(target_family = "wasm")]
const FIXED: u32 = 128;

/// The limit on levels that are open at the same time, and how many of them no walk has been given yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    limit: u32,
    left: u32,
}

impl Depth {
    pub(super) fn new(limit: u32) -> Depth {
        #[cfg(target_family = "wasm")]
        let limit = limit.min(FIXED);
        Depth { limit, left: limit }
    }

    /// Whether a walk may be given more levels.
    pub(super) fn is_left(&self) -> bool {
        self.left > 0
    }

    /// The next few levels; none where all are open.
    pub(super) fn take(&mut self) -> u32 {
        let levels = self.left.min(LEVELS);
        self.left -= levels;
        levels
    }

    /// Takes back levels that are no longer open.
    pub(super) fn give_back(&mut self, levels: u32) {
        self.left += levels;
    }

    /// A level beyond the limit.
    #[cold]
    #[inline(never)]
    pub(super) fn exceeded(&self) -> Error {
        Error::limit("per", 0, "one more level", "depth", self.limit.into())
    }

    /// Walks on where the stack has room for the levels taken last.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn with_room<T>(self, walk: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        stacker::maybe_grow(ROOM, PIECE, || {
            // Some processors have no way to change the stack. Miri needs none.
            if cfg!(miri) || stacker::remaining_stack().is_some_and(|left| left >= ROOM / 2) {
                return walk();
            }
            Err(Depth { limit: self.limit - self.left, ..self }.exceeded())
        })
    }

    /// Walks on: so many levels as there are always have room.
    #[cfg(target_family = "wasm")]
    pub(super) fn with_room<T>(self, walk: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        walk()
    }
}

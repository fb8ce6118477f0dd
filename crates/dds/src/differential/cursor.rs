//! How far a run has been compared, in a message that may still be arriving.

/// Bytes a value may grow by.
const MARGIN: usize = 256;

/// The next message, as far as it has arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) is_whole: bool,
}

impl Arrived<'_> {
    /// Whether so much has arrived from `at` on that what takes `len` bytes in the message before is there,
    /// even if it takes twice as many in this one.
    pub(crate) fn has(&self, at: usize, len: usize) -> bool {
        self.is_whole || self.bytes.len().saturating_sub(at) >= 2 * len + MARGIN
    }
}

/// How far it went.
pub(crate) enum Outcome {
    /// All of it has been gone over.
    Whole,
    /// What comes next has not arrived.
    Waits,
}

/// How far a run has been gone over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    /// Where it begins in the new message.
    pub(crate) start: usize,
    /// The portion that comes next, and its first item.
    pub(crate) portion: usize,
    pub(crate) item: usize,
    /// Items that differed, one after the other, and how many did the time before.
    pub(crate) misses: u32,
    pub(crate) usual: u32,
    /// Whether the next item is known to differ, or to be read without a look.
    pub(crate) goes_on: bool,
    /// Portions to be read as a whole.
    pub(crate) busy: u32,
    pub(crate) done: Done,
}

impl Cursor {
    pub(crate) fn at(start: usize) -> Cursor {
        Cursor { start, ..Cursor::default() }
    }
}

/// What was done to a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Done {
    /// Bytes that were read.
    pub(crate) read: usize,
    /// What that cost, in bytes of regular mode.
    pub(crate) cost: usize,
    /// Portions in which something differed.
    pub(crate) dirty: u64,
    /// How often reading began after something that was the same.
    pub(crate) switches: u64,
}

//! What differencing was worth.

/// Counts since a template was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Messages that arrived, those that were refused among them.
    pub messages: u64,
    /// Messages that were read whole in regular mode: the first, those that have nothing in common with the one before, and
    /// those that were not compared.
    pub regular: u64,
    /// Messages that were refused. These leave the template as it was.
    pub errors: u64,
    /// Bytes of all messages.
    pub bytes: u64,
    /// Bytes that were not read because the message before had them.
    pub bytes_skipped: u64,
    /// Message portions gone over in differential mode.
    pub portions: u64,
    /// Those of them in which something differed.
    pub dirty_portions: u64,
    /// Switches from fast mode to regular mode.
    pub switches: u64,
    /// Bytes of memory kept for the next message: the message itself, its header blocks, values and places, and
    /// room for others.
    pub memory: u64,
}

impl core::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.messages += other.messages;
        self.regular += other.regular;
        self.errors += other.errors;
        self.bytes += other.bytes;
        self.bytes_skipped += other.bytes_skipped;
        self.portions += other.portions;
        self.dirty_portions += other.dirty_portions;
        self.switches += other.switches;
        self.memory += other.memory;
    }
}

//! What differencing was worth.

/// Counts since a template was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Messages that arrived, those that were refused among them.
    pub messages: u64,
    /// Messages that were read whole: the first, those that have nothing in common with the one before, and
    /// those that were not compared.
    pub regular: u64,
    /// Messages that were refused. These leave the template as it was.
    pub errors: u64,
    /// Bytes of all messages.
    pub bytes: u64,
    /// Bytes that were not read because the message before had them.
    pub bytes_skipped: u64,
    /// Bytes of memory kept for the next message: the message itself, its values and checkpoints, and room for others.
    pub memory: u64,
}

impl Stats {
    /// The counts with their names.
    #[must_use]
    pub const fn members(&self) -> [(&'static str, u64); 6] {
        [
            ("messages", self.messages),
            ("regular", self.regular),
            ("errors", self.errors),
            ("bytes", self.bytes),
            ("bytes_skipped", self.bytes_skipped),
            ("memory", self.memory),
        ]
    }
}

impl core::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.messages += other.messages;
        self.regular += other.regular;
        self.errors += other.errors;
        self.bytes += other.bytes;
        self.bytes_skipped += other.bytes_skipped;
        self.memory += other.memory;
    }
}

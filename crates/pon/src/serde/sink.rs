//! Where the pieces of a message go.

/// What a message is made of, in the order of the wire.
pub(super) trait Sink {
    /// What is kept of a container while it is open.
    type Open: Copy;

    /// A node that has a length.
    fn node(&mut self, tag: u8, data: &[u8]);

    /// A node that has none, as it is on the wire.
    fn bare(&mut self, node: &[u8]);

    /// An integer.
    fn integer(&mut self, negative: bool, digits: u64);

    fn key(&mut self, key: &str);

    /// A key that is not a name in a program.
    #[inline(always)]
    fn map_key(&mut self, key: &str) {
        self.key(key);
    }

    fn open(&mut self, tag: u8) -> Self::Open;

    fn close(&mut self, open: Self::Open);
}

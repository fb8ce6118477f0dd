//! Bytes that are appended often, and are usually few.

use super::copy::ShortBytes;

/// Bytes, usually `N` at most. If so, they are appended without a call.
#[derive(Clone, Debug)]
pub(super) struct SmallBytes<const N: usize> {
    /// The first bytes.
    short: ShortBytes<N>,
    /// All bytes, if there are more.
    long: Vec<u8>,
}

impl<const N: usize> SmallBytes<N> {
    /// Empty, with `bytes` in the buffer, which [`SmallBytes::take`] may include.
    #[inline(always)]
    pub(super) const fn before(bytes: [u8; N]) -> SmallBytes<N> {
        SmallBytes { short: ShortBytes::before(bytes), long: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        if self.long.is_empty() { self.short.len() } else { self.long.len() }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        if self.long.is_empty() { self.short.as_bytes() } else { &self.long }
    }

    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if !self.long.is_empty() || !self.short.push(bytes) {
            self.push_long(bytes);
        }
    }

    #[cold]
    fn push_long(&mut self, bytes: &[u8]) {
        if self.long.is_empty() {
            self.long.extend_from_slice(self.short.as_bytes());
        }
        self.long.extend_from_slice(bytes);
    }

    /// The bytes after the last one, as far as known.
    #[inline(always)]
    pub(super) fn beyond(&self) -> &[u8] {
        if self.long.is_empty() { self.short.beyond() } else { &[] }
    }

    /// Includes `count` of the bytes after the last one.
    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) {
        self.short.set_len(self.short.len() + count);
    }

    /// Truncates to a length; the bytes after it remain in the buffer.
    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        if self.long.is_empty() {
            self.short.set_len(len.min(self.short.len()));
        } else {
            self.truncate_long(len);
        }
    }

    #[cold]
    fn truncate_long(&mut self, len: usize) {
        self.long.truncate(len);
        if len <= self.short.len() {
            self.short.set_len(len);
            self.long.clear();
        }
    }

    /// The bytes, if they are few.
    #[inline(always)]
    pub(super) fn few(&self) -> Option<&ShortBytes<N>> {
        if self.long.is_empty() { Some(&self.short) } else { None }
    }

    /// Appends the bytes to `out`.
    #[inline(always)]
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        match self.few() {
            Some(few) => few.put(out),
            None => out.extend_from_slice(&self.long),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_its_bytes_however_many() {
        let mut piece = SmallBytes::before(*b"abcd");
        let mut expected = Vec::new();
        let check = |piece: &SmallBytes<4>, expected: &[u8]| {
            let mut out = b"x".to_vec();
            piece.put(&mut out);
            assert_eq!((piece.as_bytes(), piece.len(), &out[1..]), (expected, expected.len(), expected));
            assert!(piece.few().is_none_or(|few| few.as_bytes() == expected));
        };
        piece.take(2);
        expected.extend_from_slice(b"ab");
        check(&piece, &expected);
        assert_eq!(piece.beyond(), b"cd");
        for (more, back) in [(&b"12"[..], 3), (b"34567", 7), (b"8", 5), (b"", 4), (b"9", 0)] {
            piece.push(more);
            expected.extend_from_slice(more);
            check(&piece, &expected);
            piece.truncate(back);
            expected.truncate(back);
            check(&piece, &expected);
        }
        assert!(piece.few().is_some());
        assert_eq!(piece.beyond(), b"ab12");
    }
}

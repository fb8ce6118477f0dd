//! Appends rows and what is around them without a call for each piece.
//!
//! A row is three pieces and a line end. Appending them one by one costs a capacity check, a call and a store of the
//! length for each, and the next piece waits for that store. Here there is one check, one store, and no call for pieces
//! whose maximal size the compiler knows: they are copied together with the bytes after them, which the next piece
//! overwrites. A text is checked in the same registers that copy it. This saves a third of the time of writing a
//! message of short values. The safe twin appends piece by piece, and tests compare the two.
#![allow(unsafe_code)]

use crate::escape;

/// At most `N` bytes, which are always copied whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortBytes<const N: usize> {
    bytes: [u8; N],
    /// At most `N`.
    len: usize,
}

impl<const N: usize> ShortBytes<N> {
    /// Empty, with `bytes` in the buffer, which [`ShortBytes::set_len`] may include.
    #[inline(always)]
    pub(super) const fn before(bytes: [u8; N]) -> ShortBytes<N> {
        ShortBytes { bytes, len: 0 }
    }

    /// Adds bytes, if there is room. Returns whether there was.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) -> bool {
        let place = self.bytes.get_mut(self.len..).and_then(|rest| rest.get_mut(..bytes.len()));
        let has_room = place.map(|place| place.copy_from_slice(bytes)).is_some();
        self.len += if has_room { bytes.len() } else { 0 };
        has_room
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Sets the length to include any of the bytes that have been written.
    #[inline(always)]
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len.min(N);
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The bytes after the last one.
    #[inline(always)]
    pub(super) fn beyond(&self) -> &[u8] {
        self.bytes.get(self.len..).unwrap_or_default()
    }

    /// Appends the bytes to `out`.
    #[inline(always)]
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        out.reserve(N);
        let start = out.len();
        // SAFETY: there is room for `N` bytes, and the first `len` have been written then.
        unsafe {
            out.as_mut_ptr().add(start).cast::<[u8; N]>().write_unaligned(self.bytes);
            out.set_len(start + self.len);
        }
    }
}

/// Appends a row: a path, the end of it, a value and a line end.
#[inline(always)]
pub(super) fn row<const P: usize, const E: usize>(
    out: &mut Vec<u8>,
    path: &ShortBytes<P>,
    end: &ShortBytes<E>,
    value: &[u8],
) {
    // SAFETY: all bytes of the value are copied.
    unsafe { write(out, path, end, value.len(), b'\n', |to| copy(value, to)) };
}

/// Appends the row if its value is ASCII that needs no escaping ([`escape::is_plain_ascii`]). Otherwise appends nothing
/// and returns `false`.
#[inline(always)]
pub(super) fn plain_row<const P: usize, const E: usize>(
    out: &mut Vec<u8>,
    path: &ShortBytes<P>,
    end: &ShortBytes<E>,
    value: &[u8],
) -> bool {
    // SAFETY: all bytes of the value are copied if the answer is `true`.
    unsafe { write(out, path, end, value.len(), b'\n', |to| copy_plain(value, to)) }
}

const NOTHING: &ShortBytes<0> = &ShortBytes::before([]);

/// Appends a cell: a value and its delimiter.
#[inline(always)]
pub(super) fn cell(out: &mut Vec<u8>, value: &[u8]) {
    // SAFETY: all bytes of the value are copied.
    unsafe { write(out, NOTHING, NOTHING, value.len(), b'|', |to| copy(value, to)) };
}

/// Like [`plain_row`], for a cell.
#[inline(always)]
pub(super) fn plain_cell(out: &mut Vec<u8>, value: &[u8]) -> bool {
    // SAFETY: all bytes of the value are copied if the answer is `true`.
    unsafe { write(out, NOTHING, NOTHING, value.len(), b'|', |to| copy_plain(value, to)) }
}

/// Appends two pieces, a value that `copy` writes, and a byte that ends it, unless `copy` returns `false`.
///
/// # Safety
/// `copy` writes no more than `len` bytes, and all of them if it returns `true`.
#[inline(always)]
unsafe fn write<const P: usize, const E: usize>(
    out: &mut Vec<u8>,
    path: &ShortBytes<P>,
    end: &ShortBytes<E>,
    len: usize,
    last: u8,
    copy: impl FnOnce(*mut u8) -> bool,
) -> bool {
    out.reserve(P + E + 1 + len);
    let start = out.len();
    // SAFETY: the pieces are no longer than `P`, `E` and `len`, for all of which there is room, and for one byte more.
    // Each begins where the one before it ends, so that none is left unwritten.
    unsafe {
        let to = out.as_mut_ptr().add(start);
        to.cast::<[u8; P]>().write_unaligned(path.bytes);
        let to = to.add(path.len);
        to.cast::<[u8; E]>().write_unaligned(end.bytes);
        let to = to.add(end.len);
        let is_copied = copy(to);
        if is_copied {
            to.add(len).write(last);
            out.set_len(start + path.len + end.len + len + 1);
        }
        is_copied
    }
}

/// Copies a value.
///
/// # Safety
/// There is room for it.
#[inline(always)]
unsafe fn copy(value: &[u8], to: *mut u8) -> bool {
    // SAFETY: there is room.
    unsafe { to.copy_from_nonoverlapping(value.as_ptr(), value.len()) };
    true
}

/// Copies a value if it is plain. Returns whether it is.
///
/// # Safety
/// There is room for it.
#[inline(always)]
unsafe fn copy_plain(value: &[u8], to: *mut u8) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(last) = value.last_chunk() {
        // SAFETY: the processor has these instructions, as all of this architecture do, and there is room.
        return unsafe { sse2::copy_plain(value.as_chunks().0, last, to, value.len()) };
    }
    // SAFETY: there is room.
    unsafe { to.copy_from_nonoverlapping(value.as_ptr(), value.len()) };
    escape::is_plain_ascii(value)
}

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use core::arch::x86_64::*;

    /// Copies `len` bytes, in chunks of sixteen and the last sixteen, which may overlap, as long as they are plain.
    ///
    /// # Safety
    /// There is room for them.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) unsafe fn copy_plain(chunks: &[[u8; 16]], last: &[u8; 16], to: *mut u8, len: usize) -> bool {
        let mut next = to;
        // SAFETY: there is room for `len` bytes, which the chunks and the last sixteen are within.
        unsafe {
            for chunk in chunks {
                // An exit in each iteration keeps the compiler from turning the loop into a call and another loop.
                if !copy(chunk, next) {
                    return false;
                }
                next = next.add(16);
            }
            copy(last, to.add(len - 16))
        }
    }

    /// Copies sixteen bytes. Returns whether they are plain.
    ///
    /// # Safety
    /// There is room for them.
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn copy(chunk: &[u8; 16], to: *mut u8) -> bool {
        // SAFETY: sixteen bytes are there to be read, there is room for as many, and neither need be aligned.
        let bytes = unsafe {
            let bytes = _mm_loadu_si128(chunk.as_ptr().cast());
            _mm_storeu_si128(to.cast(), bytes);
            bytes
        };
        // `<`, `>`, `|` and `~` differ in one bit or two. Bytes beyond ASCII are negative.
        let brackets = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x42)), _mm_set1_epi8(b'~' as i8));
        let reference = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'&' as i8));
        let low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(b' ' as i8));
        _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(reference, brackets), low)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::stride;

    fn few<const N: usize>(bytes: &[u8]) -> ShortBytes<N> {
        let mut few = ShortBytes::before([b'?'; N]);
        assert!(few.push(bytes));
        few
    }

    /// The safe twin.
    fn by_pieces(path: &ShortBytes<32>, end: &ShortBytes<16>, value: &[u8]) -> Vec<u8> {
        [b"before", path.as_bytes(), end.as_bytes(), value, b"\n"].concat()
    }

    #[test]
    fn rows_are_their_pieces_one_after_the_other() {
        for (path, end) in [(few(b"[0][12]"), few(b"(3) |")), (few(&[b'p'; 32]), few(&[b'e'; 16]))] {
            for len in (0..100).step_by(stride(7)) {
                let value: Vec<u8> = (b'a'..=b'z').cycle().take(len).collect();
                let [mut one, mut other] = [b"before".to_vec(), b"before".to_vec()];
                row(&mut one, &path, &end, &value);
                assert!(plain_row(&mut other, &path, &end, &value));
                let expected = by_pieces(&path, &end, &value);
                assert_eq!((one, other), (expected.clone(), expected), "{len}");
            }
        }
    }

    #[test]
    fn a_row_is_appended_where_all_of_its_value_is_plain() {
        let (path, end) = (few(b"[0]"), few(b" |"));
        for len in (1..70).step_by(stride(7)) {
            for at in (0..len).step_by(stride(5)) {
                for sign in (0..=u8::MAX).step_by(stride(31)) {
                    let mut value = vec![b'a'; len];
                    value[at] = sign;
                    let mut out = b"before".to_vec();
                    let is_plain = (b' '..0x80).contains(&sign) && !b"&<>|~".contains(&sign);
                    assert_eq!(plain_row(&mut out, &path, &end, &value), is_plain, "{sign} at {at} of {len}");
                    assert_eq!(out, if is_plain { by_pieces(&path, &end, &value) } else { b"before".to_vec() });
                }
            }
        }
    }

    #[test]
    fn few_bytes_are_those_that_there_is_room_for() {
        let mut few = few::<4>(b"abc");
        assert!(!few.push(b"de") && few.push(b"d") && !few.push(b"e"));
        assert_eq!((few.as_bytes(), few.len(), few.beyond()), (&b"abcd"[..], 4, &b""[..]));
        few.set_len(1);
        assert_eq!((few.as_bytes(), few.beyond()), (&b"a"[..], &b"bcd"[..]));
        few.set_len(5);
        assert_eq!(few.len(), 4);
        let mut out = b"x".to_vec();
        few.put(&mut out);
        assert_eq!(out, b"xabcd");
    }
}

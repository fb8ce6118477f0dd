//! ASCII text that XML allows: what most messages are.
//!
//! A message is looked through once for both: whether it is UTF-8, and whether XML allows its characters. Only `unsafe` code
//! can then turn the bytes into text without a second look. The safe equivalent is [`core::str::from_utf8`] with
//! [`first_illegal`](crate::chars::first_illegal); tests compare them.
#![allow(unsafe_code)]

use crate::kernels::numbers::AHEAD;
use crate::kernels::{self, Job, Kernel, LINE, Portable};

/// Bytes that are checked together.
const CHECKED: usize = 128;

/// The text that bytes are, if it is ASCII without control characters other than white space: XML allows it then.
///
/// # Errors
/// If it is not, a place before which all of it is.
///
/// ```
/// use lengthwise_xml::ascii::plain_text;
///
/// assert_eq!(plain_text(b"<a>1</a>\n"), Ok("<a>1</a>\n"));
/// assert_eq!((plain_text(b"\x07"), plain_text("\u{e9}".as_bytes())), (Err(0), Err(0)));
/// ```
#[inline]
pub fn plain_text(bytes: &[u8]) -> Result<&str, usize> {
    match plain_len(bytes) {
        // SAFETY: ASCII is UTF-8, and all bytes have been looked at.
        len if len == bytes.len() => Ok(unsafe { core::str::from_utf8_unchecked(bytes) }),
        len => Err(len),
    }
}

/// Whether a text is ASCII without control characters other than white space.
#[inline]
#[must_use]
pub fn is_plain(text: &[u8]) -> bool {
    plain_len(text) == text.len()
}

/// The length of a text, if it is plain, or of as many pieces at its start as are.
#[inline]
fn plain_len(text: &[u8]) -> usize {
    let job = PlainLen(text);
    if text.len() <= CHECKED { job.run(Portable) } else { kernels::run(job) }
}

struct PlainLen<'t>(&'t [u8]);

impl Job for PlainLen<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        // Without a branch inside, so that many bytes are checked at a time.
        let is_other =
            |byte: u8| (byte.wrapping_sub(b' ') >= 0x60) & (byte != b'\n') & (byte != b'\t') & (byte != b'\r');
        let mut len = 0;
        for chunk in self.0.chunks(CHECKED) {
            kernel.fetch(self.0, len + AHEAD);
            kernel.fetch(self.0, len + AHEAD + LINE);
            if chunk.iter().fold(false, |any, byte| any | is_other(*byte)) {
                break;
            }
            len += chunk.len();
        }
        len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chars::illegal_char;
    use test_support::stride;

    /// The text is that of the standard library, whatever byte is in any place of it.
    #[test]
    fn plain_text_is_what_the_standard_library_says_of_it() {
        let is_as_expected = |len: usize, place: usize, byte: u8| {
            let mut bytes = vec![b'a'; len];
            bytes[place] = byte;
            let text = str::from_utf8(&bytes).ok().filter(|text| text.is_ascii() && illegal_char(text).is_none());
            let plain = plain_text(&bytes);
            assert_eq!(plain.ok(), text, "{byte} at {place} of {len}");
            assert!(plain.is_ok() || plain.is_err_and(|plain| plain <= place), "{byte} at {place} of {len}");
        };
        (0..=u8::MAX).for_each(|byte| is_as_expected(CHECKED + 1, CHECKED, byte));
        for len in (1..2 * CHECKED + 2).step_by(stride(5)) {
            for place in (0..len).step_by(stride(11)) {
                [0, b'\t', b'\r', 0x1F, 0x7F, 0x80, 0xEF].iter().for_each(|byte| is_as_expected(len, place, *byte));
            }
        }
        assert_eq!(plain_text(b""), Ok(""));
    }
}

//! Short texts that are likely to come next. Each is compared in a few instructions.

use xml::scan::eight;

/// The most bytes of a literal.
pub(super) const LONGEST: usize = 64;

/// Bytes that one step compares.
const BLOCK: usize = 32;

/// A text of up to [`LONGEST`] bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    bytes: [u8; LONGEST],
    len: u32,
}

/// For each length of a text, the bits of four words that it covers.
static MASKS: [[u64; 4]; BLOCK + 1] = {
    let mut masks = [[0; 4]; BLOCK + 1];
    let mut len = 0;
    while len <= BLOCK {
        let mut word = 0;
        while word < 4 {
            let bytes = len.saturating_sub(8 * word);
            masks[len][word] = if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
            word += 1;
        }
        len += 1;
    }
    masks
};

impl Literal {
    /// `None` for a text that is too long, or empty.
    pub(super) fn new(text: &[u8]) -> Option<Literal> {
        let mut bytes = [0; LONGEST];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        (!text.is_empty()).then_some(Literal { bytes, len: text.len() as u32 })
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len()).unwrap_or_default()
    }

    /// Whether a text has it at a position. Near the end of the text the answer is no.
    #[inline(always)]
    pub(super) fn is_at(&self, text: &[u8], at: usize) -> bool {
        let len = self.len();
        if !self.has_block(text, at, 0, &MASKS[len.min(BLOCK)]) {
            return false;
        }
        len <= BLOCK || self.has_block(text, at + BLOCK, BLOCK, &MASKS[(len - BLOCK).min(BLOCK)])
    }

    #[inline(always)]
    fn has_block(&self, text: &[u8], at: usize, from: usize, mask: &[u64; 4]) -> bool {
        let Some(there) = text.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) else { return false };
        let difference = |word: usize| {
            let (there, here) = (eight(there, 8 * word), eight(&self.bytes, from + 8 * word));
            (there.unwrap_or_default() ^ here.unwrap_or_default()) & mask[word]
        };
        difference(0) | difference(1) | difference(2) | difference(3) == 0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_literal_is_where_its_bytes_are() {
        let text: Vec<u8> = (0..200u8).collect();
        for len in 1..=LONGEST {
            for at in 0..100 {
                let mut own = text[at..at + len].to_vec();
                assert!(Literal::new(&own).unwrap().is_at(&text, at));
                for changed in 0..len {
                    own[changed] ^= 0x80;
                    assert!(!Literal::new(&own).unwrap().is_at(&text, at), "{len} {changed}");
                    own[changed] ^= 0x80;
                }
            }
        }
        assert!(Literal::new(&[]).is_none() && Literal::new(&text[..LONGEST + 1]).is_none());
        assert!(!Literal::new(&text[190..]).unwrap().is_at(&text, 190));
    }
}

//! Names of members that come again.

use alloc::vec::Vec;

/// The last names, and for each the two that came after it. In records each name is one of these: to compare it with them takes
/// less than to find its end and to look for types in it.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Buckets and [`FIRST`], or nothing before the first name that is kept.
    slots: Vec<Slot>,
    /// The slot of the last name, [`FIRST`], or [`NONE`].
    last: u8,
    /// How many names have come before the first that is kept.
    passed: u8,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// As it is written: quotes, name, colon.
    written: [u8; LONGEST],
    len: u8,
    /// The slots of the names that came after it, the last one first.
    next: [u8; 2],
}

const LONGEST: usize = 46;
const BUCKET: usize = 4;
const BUCKETS: usize = 32;

/// The slot before the first name of a document.
const FIRST: u8 = (BUCKETS * BUCKET) as u8;

/// So few names are not worth the memory.
const FEW: u8 = 64;

/// No slot, after which nothing is expected.
const NONE: u8 = u8::MAX;

impl Names {
    /// Begins another document. Only for names of JSON is anything expected.
    pub(crate) fn begin(&mut self, is_json: bool) {
        self.last = if is_json { FIRST } else { NONE };
    }

    /// The length of a name that came after the last one, if the text starts with it.
    #[inline(always)]
    pub(crate) fn expect(&mut self, text: &[u8]) -> Option<usize> {
        let next = self.slots.get(usize::from(self.last))?.next;
        next.into_iter().find_map(|next| {
            let slot = self.slots.get(usize::from(next))?;
            let written = slot.written.get(..usize::from(slot.len)).filter(|written| !written.is_empty())?;
            text.starts_with(written).then(|| {
                self.last = next;
                written.len()
            })
        })
    }

    /// Takes a name that was not expected.
    pub(crate) fn learn(&mut self, written: &[u8]) {
        if written.len() > LONGEST || self.last == NONE {
            return;
        }
        if self.passed < FEW {
            self.passed += 1;
            return;
        }
        if self.slots.is_empty() {
            self.slots.resize(usize::from(FIRST) + 1, Slot { written: [0; LONGEST], len: 0, next: [0; 2] });
        }
        let sum = written.iter().fold(0usize, |sum, &c| sum.wrapping_mul(31).wrapping_add(c.into()));
        let bucket = sum % BUCKETS * BUCKET;
        let slots = &mut self.slots[bucket..bucket + BUCKET];
        let known = slots.iter().position(|slot| slot.len == 0 || slot.written[..slot.len.into()] == *written);
        let at = known.unwrap_or(usize::from(self.last) % BUCKET);
        slots[at].len = written.len() as u8;
        slots[at].written[..written.len()].copy_from_slice(written);
        let next = (bucket + at) as u8;
        let after = &mut self.slots[usize::from(self.last)].next;
        *after = [next, after[0]];
        self.last = next;
    }
}

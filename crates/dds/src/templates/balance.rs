//! Whether comparing pays.

/// What differencing has saved and cost, in bytes of arrays in regular mode: messages that only look alike, or that
/// differ nearly everywhere, must not cost much above regular mode in the long run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Balance(i64);

/// What regular mode takes for the envelope, and for each value that it reads by its tags and each array it begins, in such
/// bytes; rather less than more.
const ENVELOPE: usize = 4096;

const PART: usize = 256;

/// What a try costs at the least.
const TRY: usize = 512;

/// What hashing a message costs, as a part of reading it: of doubles less, of ints more.
const HASHING: usize = 8;

impl Balance {
    /// Whether another try can be afforded.
    pub(crate) fn allows(&self) -> bool {
        self.0 >= 0
    }

    /// Comparing costs about a twelfth of reading, and values that differ what they did cost.
    pub(crate) fn succeeded(&mut self, len: usize, parts: usize, cost: usize) {
        let all = (len + ENVELOPE + parts * PART) as i64;
        self.change(all - (len / 12 + cost) as i64, all);
    }

    /// A message was read by its tags but for so many bytes, which were taken from the one before: that costs a sixth of
    /// reading them, and what is read costs an eighth more while the message before is kept.
    pub(crate) fn took(&mut self, len: usize, taken: usize, cost: usize) {
        let saved = taken - taken / 6;
        let lost = cost + len.saturating_sub(taken) / 8;
        self.0 = (self.0 + saved as i64 - lost as i64).min((len + ENVELOPE) as i64);
    }

    /// A message was compared in vain with one of which so many bytes were hashed.
    pub(crate) fn failed(&mut self, wasted: usize, hashed: usize) {
        self.0 -= (TRY.max(hashed / HASHING) + wasted + wasted / 4) as i64;
    }

    /// A message was read whole, which brings what trying may cost: a part in 32.
    pub(crate) fn read(&mut self, len: usize) {
        let all = (len + ENVELOPE) as i64;
        self.change(all / 32, all);
    }

    /// What has been saved does not come to more than a message.
    fn change(&mut self, by: i64, most: i64) {
        self.0 = (self.0 + by).min(most.max(self.0));
    }

    /// The first message of a kind was read whole, which brings a few tries that fail soon, and one that costs a quarter of it:
    /// for the shapes that are still to come.
    pub(crate) fn begin(&mut self, len: usize) {
        self.0 += ((len + ENVELOPE) / 4 + 8 * TRY) as i64;
    }

    /// Takes over what has changed since a balance was lent, perhaps to several threads.
    pub(crate) fn settle(&mut self, lent: Balance, now: Balance) {
        self.change(now.0 - lent.0, now.0);
    }
}

//! What reading by differences may cost.

/// Reading an instance with checkpoints, as one whole that the next is compared with, costs this part of it more; comparing
/// one in vain, with checkpoints of its own, this part.
const KEEPING: usize = 4;
const COMPARING: usize = 2;

/// The part of reading that trying may cost in the long run, where nothing is ever found.
const SHARE: usize = 64;

/// What has been saved does not come to more than so many instances.
const MOST: usize = 2;

/// A short instance brings a second try: the first was read tag by tag, and it is not known where its values are.
pub(super) const SHORT: usize = 4 << 10;

/// What the tries cost that an instance brings.
pub(super) fn cost_of_tries(len: usize) -> i64 {
    if len <= SHORT { 2 * cost_of_try(len) } else { cost_of_try(len) }
}

/// What a try costs: an instance is read with checkpoints, and the next is compared with it.
fn cost_of_try(len: usize) -> i64 {
    (len / KEEPING + len / COMPARING) as i64
}

/// What reading by differences has saved, less what it has cost, in bytes that are read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Balance {
    bytes: i64,
    /// Whether comparing the next instance has been paid for.
    is_paid: bool,
}

impl Balance {
    /// Brings tries.
    pub(super) fn grant(&mut self, len: usize) {
        self.bytes += cost_of_tries(len);
    }

    /// Whether an instance that is read whole is kept for the next; this pays for both.
    pub(super) fn keeps(&mut self, len: usize) -> bool {
        let cost = cost_of_try(len);
        self.is_paid = self.bytes >= cost;
        self.bytes += (len / SHARE) as i64;
        if self.is_paid {
            self.bytes -= cost;
        }
        self.is_paid
    }

    /// Whether an instance may be compared with the one before.
    pub(super) fn may_compare(&self, len: usize) -> bool {
        self.is_paid || self.bytes >= (len / COMPARING) as i64
    }

    /// Whether an instance could be kept for the next now.
    pub(super) fn may_keep(&self, len: usize) -> bool {
        self.bytes >= cost_of_try(len)
    }

    /// Comparing an instance has cost some bytes, in vain.
    pub(super) fn lost(&mut self, cost: usize) {
        self.bytes -= cost as i64;
    }

    /// An instance has been compared, which took some bytes from the one before, and cost others.
    pub(super) fn compared(&mut self, len: usize, taken: usize, cost: usize) {
        let paid = if self.is_paid { 0 } else { len / COMPARING };
        self.is_paid = false;
        let saved = taken + taken / COMPARING;
        self.bytes = (self.bytes + saved as i64 - (paid + cost) as i64).min((MOST * len) as i64);
    }
}

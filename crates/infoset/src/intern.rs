//! Numbers for distinct texts, from 0, in the order of first occurrence.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A text that has been seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) text: &'a [u8],
    /// How often it was counted.
    pub(crate) count: u32,
    hash: u32,
}

/// Assigns numbers to texts.
///
/// The hash has a new random seed each time, so that nobody can choose colliding texts. If long chains of collisions
/// occur anyway, a keyed hash without known collisions takes over.
#[derive(Debug)]
pub(crate) struct Interner<'a> {
    entries: Vec<Entry<'a>>,
    /// The hash and the number plus one of each text; 0 marks a free slot.
    slots: Vec<(u32, u32)>,
    hash: Hash,
}

#[derive(Debug)]
enum Hash {
    Fast(foldhash::fast::RandomState),
    Keyed(RandomState),
}

/// The most steps to a free slot. Longer chains do not occur by chance in a table at most half full.
const MOST_STEPS: usize = 256;

impl<'a> Interner<'a> {
    pub(crate) fn new() -> Interner<'a> {
        Interner::with_room(32)
    }

    /// An interner with room for about this many texts.
    pub(crate) fn with_room(texts: usize) -> Interner<'a> {
        let slots = (texts.max(32) * 2).next_power_of_two();
        Interner {
            entries: Vec::new(),
            slots: vec![(0, 0); slots],
            hash: Hash::Fast(foldhash::fast::RandomState::default()),
        }
    }

    /// The texts, by number.
    pub(crate) fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// The number of a text, and whether it is new. Counts the text.
    #[inline(always)]
    pub(crate) fn intern(&mut self, text: &'a [u8]) -> (u32, bool) {
        let hash = match &self.hash {
            Hash::Fast(state) => hash_of(state, text),
            Hash::Keyed(state) => hash_of(state, text),
        };
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(&(other, number)) = self.slots.get(at) {
            if number == 0 {
                break;
            }
            if other == hash
                && let Some(entry) = self.entries.get_mut(number as usize - 1)
                && is_same(entry.text, text)
            {
                entry.count += 1;
                return (number - 1, false);
            }
            at = (at + 1) & mask;
        }
        (self.add(text, hash, at), true)
    }

    /// Undoes the counting of a text.
    pub(crate) fn discount(&mut self, number: u32) {
        if let Some(entry) = self.entries.get_mut(number as usize) {
            entry.count -= 1;
        }
    }

    #[inline(never)]
    fn add(&mut self, text: &'a [u8], hash: u32, at: usize) -> u32 {
        self.entries.push(Entry { text, count: 1, hash });
        let number = self.entries.len() as u32;
        let steps = at.wrapping_sub(hash as usize) & (self.slots.len() - 1);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = (hash, number);
        }
        if steps > MOST_STEPS && matches!(self.hash, Hash::Fast(_)) {
            let state = RandomState::new();
            self.entries.iter_mut().for_each(|entry| entry.hash = hash_of(&state, entry.text));
            self.hash = Hash::Keyed(state);
            self.place(self.slots.len());
        } else if self.entries.len() * 2 > self.slots.len() {
            self.place(self.slots.len() * 2);
        }
        number - 1
    }

    /// Rebuilds the table with `slots` slots.
    fn place(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, (0, 0));
        for (entry, number) in self.entries.iter().zip(1..) {
            let mut at = entry.hash as usize & (slots - 1);
            while self.slots.get(at).is_some_and(|slot| slot.1 != 0) {
                at = (at + 1) & (slots - 1);
            }
            if let Some(slot) = self.slots.get_mut(at) {
                *slot = (entry.hash, number);
            }
        }
    }
}

/// Whether two texts are equal. Most are short, and comparing their ends is faster than a call.
#[inline(always)]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        8..=16 => a.first_chunk::<8>() == b.first_chunk::<8>() && a.last_chunk::<8>() == b.last_chunk::<8>(),
        4..8 => a.first_chunk::<4>() == b.first_chunk::<4>() && a.last_chunk::<4>() == b.last_chunk::<4>(),
        2 | 3 => a.first_chunk::<2>() == b.first_chunk::<2>() && a.last() == b.last(),
        1 => a.first() == b.first(),
        _ => a == b,
    }
}

#[inline(always)]
fn hash_of(state: &impl BuildHasher, text: &[u8]) -> u32 {
    let mut hasher = state.build_hasher();
    hasher.write(text);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

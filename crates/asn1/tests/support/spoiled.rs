//! Messages with a fault put in.

use test_support::Random;

/// A message with one to three things changed: bits, octets, its end, its length, parts of it.
pub(crate) fn spoiled(message: &[u8], random: &mut Random) -> Vec<u8> {
    let mut spoiled = message.to_vec();
    for _ in 0..=random.below(3) {
        let len = spoiled.len();
        let at = random.below(len.max(1));
        match random.below(9) {
            0 | 1 if len > 0 => spoiled[at] ^= 1 << random.below(8),
            2 if len > 0 => spoiled[at] = random.of(&[0, 0xFF, 0x7F, 0x80, 0xC1, 0xC4, 1]),
            3 => spoiled.truncate(at),
            4 => spoiled.insert(at, random.next() as u8),
            5 if len > 0 => drop(spoiled.remove(at)),
            6 => {
                // All bits after a position move by one.
                let mut carry = random.one_in(2);
                for octet in spoiled.iter_mut().skip(at) {
                    let next = *octet & 1 != 0;
                    *octet = *octet >> 1 | u8::from(carry) << 7;
                    carry = next;
                }
            }
            7 if len > 0 => {
                let part = spoiled[at..(at + 1 + random.below(8)).min(len)].to_vec();
                let to = random.below(len);
                spoiled.splice(to..to, part);
            }
            _ => spoiled.extend((0..random.below(5)).map(|_| random.next() as u8)),
        }
    }
    spoiled
}

//! Plain times in a type that allows any: a field of a few bits, read at once.

use super::*;
use crate::iso8601::{Accuracy, DateForm, Plain, PlainKind};
use crate::per::{BitReader, BitWriter};

/// The rows of dates, of times of day without a zone, and of both (clause 32.11).
const DATE: u8 = DateForm::Day as u8 * 2;
const CLOCK: u8 = Accuracy::Seconds as u8 * 3;
const BOTH: u8 = DATES + CLOCKS;

/// The three choices for years: the first year of each, and the bits of the offset from it.
const YEARS: [(u16, u32); 3] = [(2005, 4), (2021, 8), (1749, 8)];

/// The bits left, the next one on top, and the number of bits taken.
struct Fields {
    bits: u64,
    count: u32,
}

impl Fields {
    #[inline(always)]
    fn take(&mut self, count: u32) -> u8 {
        let field = self.bits >> (64 - count);
        self.bits <<= count;
        self.count += count;
        field as u8
    }
}

/// Reads a plain time of [`TimeLayout::Mixed`]; `None`, and nothing is read, for any other time.
#[inline]
pub(crate) fn read_plain<const ALIGNED: bool>(bits: &mut BitReader<'_>) -> Option<Plain> {
    // At most 52 bits.
    let mut fields = Fields { bits: bits.peek(), count: 0 };
    let row = fields.take(6);
    let kind = match row {
        DATE => PlainKind::Date,
        BOTH => PlainKind::Both,
        _ if row == DATES + CLOCK => PlainKind::Clock,
        _ if row == DATES + CLOCK + 1 => PlainKind::ClockUtc,
        _ => return None,
    };
    if row == BOTH && fields.take(4) != DATE {
        return None;
    }
    let mut plain = Plain::sample(kind);
    if kind.has_date() {
        let choice = fields.take(2);
        let (first, count) = *YEARS.get(usize::from(choice))?;
        // Fields of a whole octet are aligned.
        if ALIGNED && count == 8 {
            return None;
        }
        plain.year = first + u16::from(fields.take(count));
        plain.month = fields.take(4) + 1;
        plain.day = fields.take(5) + 1;
    }
    if kind == PlainKind::Both {
        // A bit for "no fraction", and the row.
        plain.kind = match fields.take(6) {
            CLOCK => PlainKind::Both,
            row if row == CLOCK + 1 => PlainKind::BothUtc,
            _ => return None,
        };
    }
    if kind.has_clock() {
        plain.hours = fields.take(5);
        plain.minutes = fields.take(6);
        plain.seconds = fields.take(6);
    }
    let plain = plain.checked()?;
    if bits.left() < fields.count.into() {
        return None;
    }
    bits.go(bits.position() + u64::from(fields.count));
    Some(plain)
}

/// Writes a plain time of [`TimeLayout::Mixed`]. Returns `false`, and writes nothing, if it needs another encoding.
#[inline]
pub(crate) fn write_plain<const ALIGNED: bool>(plain: Plain, bits: &mut BitWriter<'_>) -> bool {
    let (mut field, mut count) = (0u64, 0u32);
    let mut put = |number: u8, bits: u32| (field, count) = (field << bits | u64::from(number), count + bits);
    let kind = plain.kind;
    let clock = CLOCK + u8::from(kind.is_utc());
    match (kind.has_date(), kind.has_clock()) {
        (true, false) => put(DATE, 6),
        (false, _) => put(DATES + clock, 6),
        (true, true) => {
            put(BOTH, 6);
            put(DATE, 4);
        }
    }
    if kind.has_date() {
        let choice = match plain.year {
            2005..=2020 => 0,
            2021..=2276 => 1,
            1749..=2004 => 2,
            _ => return false,
        };
        let Some((first, width)) = YEARS.get(usize::from(choice)).copied() else { return false };
        if ALIGNED && width == 8 {
            return false;
        }
        put(choice, 2);
        put((plain.year - first) as u8, width);
        put(plain.month - 1, 4);
        put(plain.day - 1, 5);
        if kind.has_clock() {
            put(clock, 6);
        }
    }
    if kind.has_clock() {
        put(plain.hours, 5);
        put(plain.minutes, 6);
        put(plain.seconds, 6);
    }
    bits.write(field, count);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const ALIGNED: bool>(plain: Plain) {
        let mut careful = Vec::new();
        let mut bits = BitWriter::new(&mut careful);
        // This position is not the beginning of an octet.
        bits.write(0b101, 3);
        write::<ALIGNED>(TimeLayout::Mixed, &plain.into(), &mut bits);
        let end = bits.position();
        bits.finish();
        let mut out = Vec::new();
        let mut bits = BitWriter::new(&mut out);
        bits.write(0b101, 3);
        let written = write_plain::<ALIGNED>(plain, &mut bits);
        bits.finish();
        let short = !plain.kind.has_date() || (2005..=2020).contains(&plain.year);
        assert_eq!(written, short || !ALIGNED && (1749..=2276).contains(&plain.year), "{plain:?}");
        let mut bits = BitReader::new(&careful);
        bits.seek(3);
        let read = read_plain::<ALIGNED>(&mut bits);
        assert_eq!(
            (read.map(Time::from), bits.position()),
            match written {
                true => (Some(plain.into()), end),
                false => (None, 3),
            }
        );
        if written {
            assert_eq!(out, careful, "{plain:?}");
            // `read_plain` leaves messages that end early to the general reader.
            let mut bits = BitReader::new(&careful[..careful.len() - 1]);
            bits.seek(3);
            assert_eq!((read_plain::<ALIGNED>(&mut bits), bits.position()), (None, 3));
        }
    }

    #[test]
    fn plain_times_take_the_bits_that_all_take() {
        for kind in PlainKind::ALL {
            for year in [1582, 1748, 1749, 2004, 2005, 2020, 2021, 2276, 2277, 9999] {
                for (month, day, hours, minutes, seconds) in
                    [(1, 1, 0, 0, 0), (12, 31, 23, 59, 59), (6, 19, 15, 36, 37)]
                {
                    let plain = Plain { kind, year, month, day, hours, minutes, seconds };
                    check::<false>(plain);
                    check::<true>(plain);
                }
            }
        }
    }

    #[test]
    fn whatever_is_read_as_a_plain_time_is_that_time() {
        let mut seed = 0x2545_F491_4F6C_DD1D_u64;
        let mut found = 0;
        for n in 0..test_support::rounds(200_000) as u64 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            // Half of them begin like plain times.
            let start = [u64::from(BOTH) << 4 | u64::from(DATE), seed >> 54][n as usize % 2];
            let message = (start << 54 | seed >> 10).to_be_bytes();
            let (mut bits, mut careful) = (BitReader::new(&message), BitReader::new(&message));
            if let Some(plain) = read_plain::<false>(&mut bits) {
                found += 1;
                assert_eq!(read::<false>(TimeLayout::Mixed, &mut careful).unwrap(), plain.into());
                assert_eq!(bits.position(), careful.position());
            }
            let (mut bits, mut careful) = (BitReader::new(&message), BitReader::new(&message));
            if let Some(plain) = read_plain::<true>(&mut bits) {
                assert_eq!(read::<true>(TimeLayout::Mixed, &mut careful).unwrap(), plain.into());
                assert_eq!(bits.position(), careful.position());
            }
        }
        assert!(found > test_support::rounds(1000), "{found}");
    }
}

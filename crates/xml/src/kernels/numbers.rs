//! Items of one number each, read one after the other.

use crate::kernels::alignment::{Alignment, within};
use crate::kernels::len::Len;
use crate::kernels::literal::Literal;
use crate::kernels::number::{Number, Powers};
use crate::kernels::{Job, Kernel, Pace};

/// So many items are gathered before they are put with the others.
pub const GATHERED: usize = 128;

/// So many bytes ahead of what is read, the message is brought near, which may come out of slow memory.
pub const AHEAD: usize = 1024;

/// How numbers are read that kernels leave alone.
pub trait Fallback<T>: Copy {
    /// The number whose text begins at `at`, and the place of the end tag after it.
    fn read(self, bytes: &[u8], at: usize) -> Option<(T, usize)>;
}

/// The number at `at`, which ends where an end tag begins.
#[inline(always)]
pub fn number<T: Number, K: Kernel, F: Fallback<T>>(
    kernel: K,
    fallback: F,
    bytes: &[u8],
    at: usize,
    pace: &mut Pace,
    powers: &Powers,
) -> Option<(T, usize)> {
    match T::read(kernel, bytes, at, pace, powers) {
        Some((value, end)) if bytes.get(end) == Some(&b'<') => Some((value, end)),
        _ => fallback.read(bytes, at),
    }
}

/// Items of one number each.
#[derive(Clone, Copy)]
pub struct Numbers<'a, F> {
    pub before: &'a Literal,
    pub between: &'a Literal,
    pub after: &'a Literal,
    pub fallback: F,
    pub bytes: &'a [u8],
    pub powers: &'static Powers,
}

impl<F> Numbers<'_, F> {
    /// Reads the item at `at`; the place after it.
    #[inline(always)]
    pub fn read_one<T: Number, K: Kernel>(&self, kernel: K, at: usize, pace: &mut Pace) -> Option<(T, usize)>
    where
        F: Fallback<T>,
    {
        let start = self.before.after(kernel, self.bytes, at)?;
        let (value, end) = number(kernel, self.fallback, self.bytes, start, pace, self.powers)?;
        Some((value, self.after.after(kernel, self.bytes, end)?))
    }
}

/// What has been read of items.
#[derive(Clone, Copy, Default)]
pub struct Several {
    pub count: usize,
    /// Bytes of them.
    pub bytes: usize,
    /// Whether the last equals the number it replaces.
    pub has_met: bool,
}

/// Items from `at` on that are written alike, as many as there are places and lengths, or up to one that equals the number
/// it replaces.
pub struct Batch<'b, 'a, T, L, F, const UNTIL_SAME: bool> {
    pub numbers: &'b Numbers<'a, F>,
    pub at: usize,
    pub places: &'b mut [T],
    /// How long each item is.
    pub lens: &'b mut [L],
    pub pace: &'b mut Pace,
}

impl<T: Number, L: Len, F: Fallback<T>, const UNTIL_SAME: bool> Job for Batch<'_, '_, T, L, F, UNTIL_SAME> {
    type Output = Several;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Several {
        let Batch { numbers, at, places, lens, pace } = self;
        let Numbers { before, between, after, fallback, bytes, powers } = *numbers;
        let most = places.len().min(lens.len());
        let (places, lens) = (&mut places[..most], &mut lens[..most]);
        let mut all = Several::default();
        let mut next = before.after(kernel, bytes, at);
        while let Some(start) = next
            && all.count < most
            && !all.has_met
        {
            let (places, lens) = (&mut places[all.count..], &mut lens[all.count..]);
            let more = T::several::<K, L, F, UNTIL_SAME>(kernel, numbers, start, places, lens, pace);
            if more.count > 0 {
                next = Some(start + more.bytes);
                all.add(more);
                continue;
            }
            kernel.fetch(bytes, start + AHEAD);
            let Some((value, to)): Option<(T, usize)> = number(kernel, fallback, bytes, start, pace, powers) else {
                break;
            };
            // The end of an item and the beginning of the next at once.
            next = between.after(kernel, bytes, to);
            if next.is_none() && after.after(kernel, bytes, to).is_none() {
                break;
            }
            let bytes = to + after.len() - (at + all.bytes);
            let (Some(len), [place, ..], [place_of_len, ..]) = (L::of(bytes), places, lens) else { break };
            *place_of_len = len;
            let has_met = UNTIL_SAME && core::mem::replace(place, value).is(value);
            *place = value;
            all.add(Several { count: 1, bytes, has_met });
        }
        all
    }
}

/// How items compare with those of an earlier message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// How many have been taken.
    pub same: usize,
    /// Bytes of these.
    pub same_bytes: usize,
    /// How many have been read since.
    pub in_a_row: usize,
}

impl Compared {
    /// These, and more after them.
    #[must_use]
    pub fn and(self, more: Compared) -> Compared {
        let in_a_row = if more.same > 0 { more.in_a_row } else { self.in_a_row + more.in_a_row };
        Compared { same: self.same + more.same, same_bytes: self.same_bytes + more.same_bytes, in_a_row }
    }
}

/// Items from where two messages correspond: taken where they are the same as those of the earlier message, and read where they
/// differ, until so many in a row do. The places have the numbers of the earlier ones.
pub struct Comparison<'b, 'a, 'o, T, L, F> {
    pub numbers: &'b Numbers<'a, F>,
    pub both: &'b mut Alignment<'o>,
    /// How long each item of the earlier message is.
    pub old_lens: &'b [L],
    pub places: &'b mut [T],
    /// How long each item is.
    pub lens: &'b mut [L],
    pub pace: &'b mut Pace,
    pub patience: usize,
}

impl<T: Number, L: Len, F: Fallback<T>> Job for Comparison<'_, '_, '_, T, L, F> {
    type Output = (Several, Compared);

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> (Several, Compared) {
        let Comparison { numbers, both, old_lens, places, lens, pace, patience } = self;
        let (start, most) = (both.new_at, places.len().min(lens.len()).min(old_lens.len()));
        let (mut count, mut compared) = (0, Compared::default());
        while count < most {
            let (same, bytes) = within(&old_lens[count..most], both.same_by(kernel));
            if same > 0 {
                lens[count..count + same].copy_from_slice(&old_lens[count..count + same]);
                both.skip(bytes);
                (count, compared.same) = (count + same, compared.same + same);
                (compared.same_bytes, compared.in_a_row) = (compared.same_bytes + bytes, 0);
                continue;
            }
            if compared.in_a_row >= patience {
                break;
            }
            // One by itself, as is likely; more in a row up to one that is the same again.
            let is_first = compared.in_a_row == 0 && count > 0;
            let most = most.min(count + if is_first { 1 } else { patience - compared.in_a_row });
            let (places, lens) = (&mut places[count..most], &mut lens[count..most]);
            let several =
                Batch::<T, L, F, true> { numbers, at: both.new_at, places, lens, pace: &mut *pace }.run(kernel);
            if several.count == 0 {
                break;
            }
            let passed: usize = old_lens[count..count + several.count].iter().map(|len| (*len).into()).sum();
            both.resume(both.old_at + passed, both.new_at + several.bytes);
            count += several.count;
            compared.in_a_row = if several.has_met { 0 } else { compared.in_a_row + several.count };
        }
        (Several { count, bytes: both.new_at - start, has_met: false }, compared)
    }
}

impl Several {
    #[inline(always)]
    fn add(&mut self, more: Several) {
        self.count += more.count;
        self.bytes += more.bytes;
        self.has_met = more.has_met;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{self, Portable};
    use test_support::{Random, rounds};

    /// The rules of the library.
    #[derive(Clone, Copy)]
    struct Library;

    impl Fallback<f64> for Library {
        fn read(self, bytes: &[u8], at: usize) -> Option<(f64, usize)> {
            read_text(bytes, at, crate::number::double)
        }
    }

    impl Fallback<i32> for Library {
        fn read(self, bytes: &[u8], at: usize) -> Option<(i32, usize)> {
            read_text(bytes, at, crate::number::integer)
        }
    }

    fn read_text<T>(bytes: &[u8], at: usize, parse: impl Fn(&str) -> Option<T>) -> Option<(T, usize)> {
        let len = bytes.get(at..)?.iter().position(|byte| *byte == b'<')?;
        let text = str::from_utf8(&bytes[at..at + len]).ok()?;
        Some((parse(crate::white_space::trim(text))?, at + len))
    }

    /// Reads items into the places of others, as many as there are of these.
    struct Items<'t, T, const UNTIL_SAME: bool> {
        before: &'t [u8],
        text: &'t [u8],
        replaced: Vec<T>,
    }

    impl<T: Number, const UNTIL_SAME: bool> Job for Items<'_, T, UNTIL_SAME>
    where
        Library: Fallback<T>,
    {
        /// The values, their lengths, and the place after them.
        type Output = (Vec<T>, Vec<u16>, usize);

        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let [before, after] = [self.before, b"</i>"].map(Literal::new);
            let between = &Literal::joined(&after, &before);
            let (before, after, powers) = (&before, &after, Powers::get());
            let numbers = &Numbers { before, between, after, fallback: Library, bytes: self.text, powers };
            let (mut places, mut lens, mut pace) = (self.replaced, [7; GATHERED], Pace::default());
            let (all, lengths, pace) = (&mut places[..], &mut lens[..], &mut pace);
            let batch = Batch::<T, u16, _, UNTIL_SAME> { numbers, at: 16, places: all, lens: lengths, pace };
            let Several { count, bytes, .. } = batch.run(kernel);
            (places[..count].into(), lens[..count].into(), 16 + bytes)
        }
    }

    fn ints(text: &[u8], most: usize) -> Items<'_, i32, false> {
        Items { before: b"<i>", text, replaced: vec![0; most] }
    }

    /// Whole blocks by vectors, and each by itself.
    #[test]
    fn ints_of_one_length_are_read_as_each_is() {
        let mut random = Random::new(1);
        let mut read = 0;
        for _ in 0..rounds(20_000) {
            let count = random.below(60);
            let least = 10_u64.pow(random.below(9) as u32);
            let mut text = String::from("<data the=\"int\">");
            for _ in 0..count {
                let number = match random.below(60) {
                    0 => "-7".into(),
                    1 => "12345678901".into(),
                    2 => "-".to_owned() + &least.to_string(),
                    _ => (least + random.next() % (9 * least)).to_string(),
                };
                text += &format!("<i>{number}</i>");
            }
            let (mut text, end) = (text.clone().into_bytes(), text.len());
            if random.one_in(3) && count > 0 {
                let at = 16 + random.below(end - 16);
                text[at] = random.of(b"<>/0:-i 9+.");
            }
            if random.one_in(2) {
                text.extend_from_slice(b"</data>                                  ");
            }
            let most = random.below(64);
            let (text, plain) = (&text[..], ints(&text, most).run(Portable));
            let (values, lens, end) = kernels::run(ints(text, most));
            assert_eq!((values, lens, end), (plain.0.clone(), plain.1, plain.2), "{}", String::from_utf8_lossy(text));
            read += plain.0.len();
        }
        assert!(read > rounds(200_000), "{read}");
    }

    /// Of every form there is, with markup between them that is longer than what is compared at once, or not, and spoiled.
    #[test]
    fn doubles_are_read_as_each_is() {
        let mut random = Random::new(2);
        let mut read = 0;
        for round in 0..rounds(20_000) {
            let before = format!("<i{}>", " ".repeat(if round % 4 == 0 { 20 + random.below(30) } else { 0 }));
            let mut texts = Vec::new();
            for _ in 0..random.below(40) {
                let number = f64::from_bits(random.next());
                texts.push(match random.below(40) {
                    0 => random
                        .of(&["INF", "NaN", "1e", "", "-", ".5", "5.", "+1", "1e+", "1e-1234", "--1", "1.2.3"])
                        .into(),
                    1..4 => format!("{number:.17e}"),
                    4..8 => format!("{:E}", random.below(1000) as f64 / 8.0),
                    8..12 => format!("{}", random.next() as i64 / 1000),
                    12..20 => format!("{}", random.below(100_000) as f64 / 1000.0),
                    _ => format!("{number:.16e}").replace('e', random.of(&["e", "e+", "E"])).replace("+-", "-"),
                });
            }
            let mut text =
                format!("<data the=\"num\">{before}{}</i>", texts.join(&format!("</i>{before}"))).into_bytes();
            if random.one_in(3) {
                let at = 16 + random.below(text.len() - 16);
                text[at] = random.of(b"<>/0:-i 9+.eE");
            }
            if random.one_in(2) {
                text.resize(text.len() + 100, b' ');
            }
            let replaced: Vec<f64> = (0..random.below(64)).map(|_| random.below(100_000) as f64 / 1000.0).collect();
            let items = || Items::<f64, false> { before: before.as_bytes(), text: &text, replaced: replaced.clone() };
            let bits = |(values, lens, end): (Vec<f64>, Vec<u16>, usize)| {
                (values.into_iter().map(f64::to_bits).collect::<Vec<_>>(), lens, end)
            };
            let plain = bits(items().run(Portable));
            read += plain.0.len();
            assert_eq!(bits(kernels::run(items())), plain, "{}", String::from_utf8_lossy(&text));
            // Up to one that is the same.
            let met = plain.0.iter().zip(&replaced).position(|(read, replaced)| *read == replaced.to_bits());
            let count = met.map_or(plain.0.len(), |met| met + 1);
            let Items { before, text, replaced } = items();
            let until_same = kernels::run(Items::<f64, true> { before, text, replaced });
            assert_eq!(bits(until_same).0, plain.0[..count]);
        }
        assert!(read > rounds(150_000), "{read}");
    }

    /// Compares items with others, and reads those that differ.
    struct Others<'t> {
        text: &'t [u8],
        old: &'t [u8],
        values: Vec<i32>,
        lens: &'t [u16],
        patience: usize,
    }

    impl Job for Others<'_> {
        type Output = (Vec<i32>, Vec<u16>, usize, Compared);

        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let [before, after] = [b"<i>".as_slice(), b"</i>"].map(Literal::new);
            let between = &Literal::joined(&after, &before);
            let (before, after, powers) = (&before, &after, Powers::get());
            let numbers = &Numbers { before, between, after, fallback: Library, bytes: self.text, powers };
            let (mut places, mut lens, mut pace) = (self.values, vec![7; self.lens.len()], Pace::default());
            let (both, patience) = (&mut Alignment::new(self.old, self.text, 0, 0), self.patience);
            let (values, read_lens, pace, old_lens) = (&mut places[..], &mut lens[..], &mut pace, self.lens);
            let job = Comparison { numbers, both, old_lens, places: values, lens: read_lens, pace, patience };
            let (Several { count, bytes, .. }, compared) = job.run(kernel);
            (places[..count].into(), lens[..count].into(), bytes, compared)
        }
    }

    fn text_of(numbers: &[i32]) -> String {
        numbers.iter().map(|number| format!("<i>{number}</i>")).collect()
    }

    #[test]
    fn items_that_differ_are_read() {
        let mut random = Random::new(3);
        for _ in 0..rounds(5_000) {
            let old: Vec<i32> = (0..random.below(60)).map(|_| random.next() as i32 >> random.below(31)).collect();
            let lens: Vec<u16> = old.iter().map(|number| text_of(&[*number]).len() as u16).collect();
            let mut new = old.clone();
            for number in &mut new {
                if random.one_in(4) {
                    *number = random.next() as i32 >> random.below(31);
                }
            }
            new.truncate(random.below(new.len() + 1));
            let patience = 1 + random.below(4);
            let padding = " ".repeat(random.below(80));
            let (text, old_text) = (text_of(&new) + &padding, text_of(&old) + &padding);
            let job = || Others {
                text: text.as_bytes(),
                old: old_text.as_bytes(),
                values: old.clone(),
                lens: &lens,
                patience,
            };
            let (values, read_lens, bytes, compared) = kernels::run(job());
            let count = values.len();
            assert_eq!(values, new[..count], "{text} {old_text}");
            // It ends with the items, or when it has had enough that differ.
            let (same, end) = (|n: &usize| new[*n] == old[*n], new.len().min(old.len()));
            assert!(count == end || compared.in_a_row >= patience, "{text} {old_text}");
            assert!(compared.same <= (0..count).filter(same).count());
            assert!((0..count).filter(same).count() <= compared.same + (0..count).filter(|n| !same(n)).count());
            assert_eq!(bytes, text_of(&values).len());
            assert_eq!(read_lens.iter().map(|len| usize::from(*len)).sum::<usize>(), bytes);
            assert_eq!(job().run(Portable), (values, read_lens, bytes, compared));
        }
    }

    #[test]
    fn reading_ends_at_an_int_that_stood_there() {
        let mut random = Random::new(3);
        for _ in 0..rounds(2_000) {
            let numbers: Vec<i32> = (0..60).map(|_| 10_000 + random.below(90_000) as i32).collect();
            let text: String = numbers.iter().map(|number| format!("<i>{number}</i>")).collect();
            let text = format!("<data the=\"int\">{text}                                        ");
            let met = random.below(60);
            let replaced = numbers.iter().enumerate().map(|(n, number)| if n < met { 0 } else { *number }).collect();
            let (before, text) = (&b"<i>"[..], text.as_bytes());
            let (values, lens, ..) = kernels::run(Items::<i32, true> { before, text, replaced });
            // Four at once are read to their end.
            assert!((met + 1..=met + 4).contains(&values.len()), "{met} {}", values.len());
            assert_eq!((&values[..], lens.len()), (&numbers[..values.len()], values.len()));
        }
    }
}

//! Items of one number each, read one after the other.

use crate::kernel::{Job, Kernel, Pace};
use crate::leaf;
use crate::lexical;
use crate::literal::Literal;
use crate::marks::Marks;
use crate::number::{Number, Powers};
use crate::schema::Simple;
use crate::value::Value;

/// So many items are gathered before they are put with the others.
pub(crate) const GATHERED: usize = 128;

/// A number of a value.
pub(crate) trait FromValue: Sized {
    fn from_value(value: Value) -> Option<Self>;
}

/// A number as the plain way reads it.
#[inline(never)]
fn from_text<T: FromValue>(simple: Simple, bytes: &[u8], at: usize) -> Option<(T, usize)> {
    let (text, end) = leaf::text(bytes, at)?;
    Some((T::from_value(lexical::value(simple, &text)?)?, end))
}

/// The number at `at`, which ends where an end tag begins.
#[inline(always)]
pub(crate) fn number<T: Number + FromValue, K: Kernel>(
    kernel: K,
    simple: Simple,
    bytes: &[u8],
    at: usize,
    pace: &mut Pace,
    powers: &Powers,
) -> Option<(T, usize)> {
    match T::read(kernel, bytes, at, pace, powers) {
        Some((value, end)) if bytes.get(end) == Some(&b'<') => Some((value, end)),
        _ => from_text(simple, bytes, at),
    }
}

/// Items of one number each.
pub(crate) struct Numbers<'a> {
    pub(crate) before: &'a Literal,
    pub(crate) between: &'a Literal,
    pub(crate) after: &'a Literal,
    pub(crate) simple: Simple,
    pub(crate) bytes: &'a [u8],
    pub(crate) powers: &'static Powers,
}

impl Numbers<'_> {
    /// Reads the item at `at`; the place behind it.
    #[inline(always)]
    pub(crate) fn read_one<T: Number + FromValue, K: Kernel>(
        &self,
        kernel: K,
        at: usize,
        pace: &mut Pace,
    ) -> Option<(T, usize)> {
        let start = self.before.after(kernel, self.bytes, at)?;
        let (value, end) = number(kernel, self.simple, self.bytes, start, pace, self.powers)?;
        Some((value, self.after.after(kernel, self.bytes, end)?))
    }
}

/// Items from `at` on, as many as there are places, of which there are no more than lengths, and as are written alike.
pub(crate) struct Batch<'b, 'a, T> {
    pub(crate) numbers: &'b Numbers<'a>,
    pub(crate) at: usize,
    pub(crate) places: &'b mut [T],
    /// How long each item is.
    pub(crate) lens: &'b mut [u16; GATHERED],
    pub(crate) pace: &'b mut Pace,
}

impl<T: Number + FromValue> Job for Batch<'_, '_, T> {
    type Output = (usize, usize);

    /// How many there are, and the place behind them.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> (usize, usize) {
        let Batch { numbers, at, places, lens, pace } = self;
        let Numbers { before, between, after, simple, bytes, powers } = *numbers;
        let most = places.len().min(lens.len());
        let (places, lens) = (&mut places[..most], &mut lens[..most]);
        let (mut count, mut end) = (0, at);
        let mut next = before.after(kernel, bytes, at);
        while let Some(start) = next
            && count < most
        {
            let text = pace.len;
            if pace.is_steady()
                && let Some(four) = places.get_mut(count..).and_then(|places| places.first_chunk_mut::<4>())
                && let Some(lens) = lens.get_mut(count..).and_then(|lens| lens.first_chunk_mut::<4>())
                && T::four(kernel, between, bytes, start, four, pace)
            {
                let len = text + between.len();
                *lens = [len as u16; 4];
                (count, end, next) = (count + 4, end + 4 * len, Some(start + 4 * len));
                continue;
            }
            let Some((value, to)) = number::<T, K>(kernel, simple, bytes, start, pace, powers) else { break };
            // The end of an item and the beginning of the next at once.
            next = between.after(kernel, bytes, to);
            if next.is_none() && after.after(kernel, bytes, to).is_none() {
                break;
            }
            let behind = to + after.len();
            // Neither text nor markup is longer than 2^15 bytes.
            (places[count], lens[count]) = (value, (behind - end) as u16);
            (count, end) = (count + 1, behind);
        }
        (count, end)
    }
}

/// A run of items of one number each, read to the end of some.
pub(crate) struct NumberRun<'a, 'p, T> {
    pub(crate) numbers: Numbers<'a>,
    pub(crate) at: usize,
    pub(crate) items: &'a mut Vec<T>,
    pub(crate) most: usize,
    pub(crate) marks: &'a mut Marks<'p>,
}

impl<T: Number + FromValue> Job for NumberRun<'_, '_, T> {
    type Output = usize;

    /// The place behind the last item. Values are gathered in an array first: vectors would look at their
    /// room for every one of them.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        let NumberRun { numbers, mut at, items, most, marks } = self;
        let (mut left, mut pace) = (most, Pace::default());
        let (mut values, mut lens) = ([T::default(); GATHERED], [0; GATHERED]);
        loop {
            let wanted = left.min(GATHERED);
            let (places, lens, pace) = (&mut values[..wanted], &mut lens, &mut pace);
            let (count, end) = kernel.apart(Batch { numbers: &numbers, at, places, lens, pace });
            items.extend_from_slice(&values[..count]);
            marks.items(&lens[..count]);
            (left, at) = (left - count, end);
            if count < wanted || left == 0 {
                return at;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{self, Portable};
    use test_support::Random;

    struct Ints<'t> {
        text: &'t [u8],
        most: usize,
    }

    impl Job for Ints<'_> {
        type Output = (Vec<i32>, Vec<u16>, usize);

        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let [before, between, after] = [&b"<i>"[..], b"</i><i>", b"</i>"].map(Literal::new);
            let (before, between, after) = (&before, &between, &after);
            let powers = Powers::get();
            let numbers = Numbers { before, between, after, simple: Simple::Int, bytes: self.text, powers };
            let (mut places, mut lens) = (vec![0; self.most], [0; GATHERED]);
            let mut pace = Pace::default();
            let batch = Batch { numbers: &numbers, at: 16, places: &mut places, lens: &mut lens, pace: &mut pace };
            let (count, end) = batch.run(kernel);
            (places[..count].into(), lens[..count].into(), end)
        }
    }

    /// Whole blocks by vectors, and each by itself.
    #[test]
    fn ints_of_one_length_are_read_as_each_is() {
        let mut random = Random::new(1);
        let mut read = 0;
        for _ in 0..20_000 {
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
            let (text, plain) = (&text[..], Ints { text: &text, most }.run(Portable));
            assert_eq!(kernel::run(Ints { text, most }), plain, "{}", String::from_utf8_lossy(text));
            read += plain.0.len();
        }
        assert!(read > 200_000, "{read}");
    }
}

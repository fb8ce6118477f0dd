//! Runs whose portions are known by their hashes: those with another hash are read anew.

use xml::kernels::numbers::GATHERED;
use xml::kernels::{Job, Kernel};

use crate::differential::cursor::{Arrived, Cursor, Outcome};
use crate::differential::slots::Slots;
use crate::hash::Hasher;
use crate::rows::portions::Portions;

/// A run that is gone over from `at` on, as far as it has arrived.
pub(crate) struct Rehash<'a, P> {
    pub(crate) hasher: &'a Hasher,
    pub(crate) portions: &'a mut Portions,
    pub(crate) slots: P,
    pub(crate) cursor: &'a mut Cursor,
    pub(crate) new: Arrived<'a>,
    pub(crate) at: &'a mut usize,
}

impl<P: Slots> Job for Rehash<'_, P> {
    type Output = Option<Outcome>;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) -> Option<Outcome> {
        let Cursor { portion: next, item: first, misses, done, .. } = self.cursor;
        let Portions { list, hashes, .. } = self.portions;
        if list.len() != hashes.len() {
            // The message was not hashed.
            return None;
        }
        for (portion, hash) in list.get_mut(*next..)?.iter_mut().zip(hashes.get_mut(*next..)?) {
            let (len, items) = (usize::from(portion.bytes), usize::from(portion.items));
            if !self.new.has(*self.at, len) {
                return Some(Outcome::Waits);
            }
            let found = self.new.bytes.get(*self.at..*self.at + len).map(|bytes| self.hasher.hash(bytes));
            if found == Some(*hash) {
                *self.at += len;
                *misses = 0;
            } else {
                done.dirty += 1;
                done.switches += u64::from(*misses == 0);
                let start = *self.at;
                let mut lens = [0; GATHERED];
                for from in (0..items).step_by(GATHERED) {
                    let count = GATHERED.min(items - from);
                    *self.at = self.slots.replace(kernel, *self.at, *first + from, count, &mut lens)?;
                }
                *misses += items as u32;
                let read = *self.at - start;
                // It is hashed twice.
                (done.read, done.cost) = (done.read + read, done.cost + read + read / 4);
                let bytes = self.new.bytes.get(start..*self.at)?;
                portion.bytes = u16::try_from(bytes.len()).ok()?;
                *hash = found.filter(|_| bytes.len() == len).unwrap_or_else(|| self.hasher.hash(bytes));
            }
            (*next, *first) = (*next + 1, *first + items);
        }
        Some(Outcome::Whole)
    }
}

#[cfg(test)]
mod tests {
    use crate::hash::Hasher;
    use crate::options::{Matching, Options};
    use crate::reader::Reader;
    use crate::schema::{Member, Schema, Simple, Style};
    use crate::templates::template::Template;
    use crate::trace::Part;
    use test_support::Random;

    fn reader(hasher: Hasher) -> Reader {
        let mut schema = Schema::new();
        let int = schema.simple(Simple::Int);
        let ints = schema.array(int);
        let parameters = schema.parameters([Member::new("data", ints)]);
        schema.method("urn:m", "send", parameters, Style::Encoded);
        let mut reader = Reader::new(schema, &Options::default().with_matching(Matching::Keyed));
        reader.hasher = Some(hasher);
        reader
    }

    fn message(items: &str) -> Vec<u8> {
        format!(
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><m:send xmlns:m=\"urn:m\">\
             <data>{items}</data></m:send></e:Body></e:Envelope>"
        )
        .into_bytes()
    }

    /// Whoever knows the secret can make the first word of a row, and of the parity of the rows, come to 0:
    /// then the word beside it does not count.
    #[test]
    #[cfg_attr(miri, ignore = "long: six messages of 500 bytes, each compared with the one before")]
    fn a_known_secret_deceives_and_another_does_not() {
        let items: String = (10..40).map(|n| format!("<item>{n}</item>")).collect();
        let changed = items.replacen("10", "99", 1);
        let word = |row: usize| {
            let bytes = items.as_bytes()[row * 32..].first_chunk().unwrap();
            u32::from_le_bytes(*bytes)
        };
        let parity = (0..5).fold(0, |parity, row| parity ^ word(row));
        let (first, last) = (word(0).wrapping_neg().to_le_bytes(), parity.wrapping_neg().to_le_bytes());
        let known = Hasher::known(|at| match at {
            0..4 => first[at],
            160..164 => last[at - 160],
            _ => (at * 7 + at / 256) as u8,
        });
        let other = Hasher::known(|at| (at * 7 + at / 256) as u8);
        let drawn = Hasher::new(Matching::Keyed).unwrap().unwrap();
        for (hasher, is_deceived) in [(known, true), (other, false), (drawn, false)] {
            let reader = reader(hasher);
            let mut template = Template::new(reader.clone());
            let (before, after) = (message(&items), message(&changed));
            let first = template.read(&mut before.clone()).unwrap().clone();
            let second = template.read(&mut after.clone()).unwrap().clone();
            assert_eq!(first, reader.read(&before).unwrap());
            assert_ne!(first, reader.read(&after).unwrap());
            assert_eq!(second, reader.read(if is_deceived { &before } else { &after }).unwrap());
            assert_eq!(template.stats().regular, 1);
        }
    }

    fn is_hashed(template: &Template) -> bool {
        let places = template.state.as_ref().and_then(|state| state.places.as_ref()).unwrap();
        places.2.parts.iter().any(|part| matches!(part, Part::Run(run) if !run.portions.hashes.is_empty()))
    }

    /// Large messages that differ everywhere are mostly not hashed; what comes to repeat itself then is found to.
    #[test]
    #[cfg_attr(miri, ignore = "long: 200 messages of 50 KiB")]
    fn what_is_not_compared_is_not_hashed() {
        let mut random = Random::new(1);
        let reader = reader(Hasher::known(|at| (at * 7 + at / 256) as u8));
        let mut template = Template::new(reader.clone());
        let mut items = String::new();
        let (mut hashed, mut regular) = (0, 0);
        for n in 0..200 {
            if n < 100 {
                items = (0..3_000).map(|_| format!("<item>{}</item>", 10_000 + random.below(90_000))).collect();
            }
            let text = message(&items);
            assert_eq!(*template.read(&mut text.clone()).unwrap(), reader.read(&text).unwrap());
            if n < 100 {
                hashed += u32::from(is_hashed(&template));
                regular = template.stats().regular;
            }
        }
        assert!((2..30).contains(&hashed), "{hashed}");
        assert!(template.stats().regular < regular + 40, "{regular} {}", template.stats().regular);
        assert!(is_hashed(&template));
    }
}

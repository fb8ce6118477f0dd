//! Items of an array that are written alike: the markup of one is looked for in all.
//!
//! The first item is read by its tags. Its text apart, its bytes are the *row*: where the same bytes
//! stand around the next item's text, in the same array, they mean the same. That is what reading
//! tags as they are expected comes to, whatever the toolkit writes into them.

use crate::kernel::{self, Job, Kernel, Portable};
use crate::lexical;
use crate::number::{Number, Powers};
use crate::scan::plain_len;
use crate::schema::Simple;
use crate::trace::{Portion, Portions};
use crate::value::{Array, Items, Value, for_each_number};

/// Markup longer than this is not looked for.
const LONGEST: usize = 1024;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    bytes: Box<[u8]>,
    /// The first 32 bytes and which of them count, for comparing without a call.
    first: [u8; 32],
    mask: u32,
}

impl Literal {
    fn new(bytes: &[u8]) -> Literal {
        let mut first = [0; 32];
        first.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        let mask = if bytes.len() >= 32 { u32::MAX } else { (1 << bytes.len()) - 1 };
        Literal { bytes: bytes.into(), first, mask }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The place behind it, if it stands at `at`.
    #[inline(always)]
    pub(crate) fn after<K: Kernel>(&self, kernel: K, bytes: &[u8], at: usize) -> Option<usize> {
        let end = at + self.bytes.len();
        if let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<32>())
            && self.bytes.len() <= 32
        {
            return kernel.is_same(chunk, &self.first, self.mask).then_some(end);
        }
        self.after_long(bytes, at, end)
    }

    #[inline(never)]
    fn after_long(&self, bytes: &[u8], at: usize, end: usize) -> Option<usize> {
        (bytes.get(at..end)? == &*self.bytes).then_some(end)
    }
}

/// How the items of an array are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The markup before each value, and behind the last.
    literals: Box<[Literal]>,
    /// The last markup of an item and the first of the next.
    between: Literal,
    /// Of each value, which column it goes to, and its type.
    holes: Box<[(usize, Simple)]>,
}

/// Where the values of an item stand, and which columns they go to.
pub(crate) type Holes = [(usize, usize, usize, Simple)];

impl Row {
    /// The row of an item that stands from `start` to `end`; `None` if it cannot be one.
    pub(crate) fn learn(bytes: &[u8], start: usize, end: usize, holes: &Holes) -> Option<Row> {
        let mut literals = Vec::with_capacity(holes.len() + 1);
        let mut at = start;
        for &(from, to, ..) in holes {
            literals.push(Literal::new(bytes.get(at..from)?));
            at = to;
        }
        literals.push(Literal::new(bytes.get(at..end)?));
        if literals.iter().map(Literal::len).sum::<usize>() > LONGEST {
            return None;
        }
        let holes = holes.iter().map(|&(_, _, column, simple)| (column, simple)).collect();
        let ends = [literals.last()?, literals.first()?];
        let between = Literal::new(&ends.map(|literal| &*literal.bytes).concat());
        Some(Row { literals: literals.into(), between, holes })
    }

    /// The row of items of one value each.
    pub(crate) fn single<'a>(&'a self, bytes: &'a [u8], powers: &'static Powers) -> Option<Numbers<'a>> {
        match (&*self.literals, &*self.holes) {
            ([before, after], &[(_, simple)]) => {
                Some(Numbers { before, between: &self.between, after, simple, bytes, powers })
            }
            _ => None,
        }
    }

    /// Bytes of markup in an item.
    pub(crate) fn shortest(&self) -> usize {
        self.literals.iter().map(Literal::len).sum()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.shortest() + self.literals.len() * size_of::<Literal>()
    }

    /// Reads items into the end of an array, `most` of them at the most; the place behind the last one
    /// that is written like this.
    pub(crate) fn run(&self, bytes: &[u8], at: usize, array: &mut Array, most: usize, marks: &mut Marks<'_>) -> usize {
        let room = bytes.len().saturating_sub(at) / self.shortest().max(1);
        array.items.reserve(array.len + most.min(room));
        if marks.keeps_ends {
            marks.portions.ends.reserve(most.min(room));
        }
        let before = marks.items;
        let end = match (&*self.literals, &*self.holes, &mut array.items) {
            ([_, _], [_], items) => self.each(bytes, at, items, most, marks),
            (_, _, Items::Columns(columns)) => self.several(bytes, at, columns, most, marks),
            _ => at,
        };
        array.len += marks.items - before;
        if let Items::Columns(columns) = &mut array.items {
            columns.iter_mut().for_each(|column| column.len = array.len);
        }
        end
    }

    /// Reads one item to the end of some; the place behind it.
    pub(crate) fn push(&self, bytes: &[u8], at: usize, items: &mut Items) -> Option<usize> {
        let powers = Powers::get();
        match items {
            Items::Columns(columns) => match self.append(bytes, at, columns, powers) {
                Some(end) => {
                    columns.iter_mut().for_each(|column| column.len += 1);
                    Some(end)
                }
                None => {
                    columns.iter_mut().for_each(|column| column.items.truncate(column.len));
                    None
                }
            },
            items => {
                let ([before, after], &[(_, simple)]) = (&*self.literals, &*self.holes) else { return None };
                let start = before.after(Portable, bytes, at)?;
                // What stands behind the value decides whether it is one, before it is kept.
                let end = append(items, simple, bytes, start, powers)?;
                let behind = after.after(Portable, bytes, end);
                if behind.is_none() {
                    items.pop();
                }
                behind
            }
        }
    }

    fn several(&self, bytes: &[u8], mut at: usize, columns: &mut [Array], most: usize, marks: &mut Marks<'_>) -> usize {
        let powers = Powers::get();
        for _ in 0..most {
            match self.append(bytes, at, columns, powers).filter(|&end| marks.has_room(end)) {
                Some(end) => at = end,
                None => {
                    let len = columns.iter().map(|column| column.len).min().unwrap_or(0);
                    columns.iter_mut().for_each(|column| column.items.truncate(len));
                    break;
                }
            }
            columns.iter_mut().for_each(|column| column.len += 1);
            marks.item(at);
        }
        at
    }

    /// Reads one item to the ends of columns.
    fn append(&self, bytes: &[u8], mut at: usize, columns: &mut [Array], powers: &Powers) -> Option<usize> {
        for (literal, &(column, simple)) in self.literals.iter().zip(&self.holes) {
            at = append(
                &mut columns.get_mut(column)?.items,
                simple,
                bytes,
                literal.after(Portable, bytes, at)?,
                powers,
            )?;
        }
        self.literals.last()?.after(Portable, bytes, at)
    }

    /// Reads one item into the place of another; the place behind it. Where it is not written like this
    /// some values may have been replaced.
    pub(crate) fn replace(
        &self,
        bytes: &[u8],
        mut at: usize,
        items: &mut Items,
        place: usize,
        powers: &Powers,
    ) -> Option<usize> {
        for (literal, &(column, simple)) in self.literals.iter().zip(&self.holes) {
            let column = match &mut *items {
                Items::Columns(columns) => &mut columns.get_mut(column)?.items,
                items => items,
            };
            at = replace(column, place, simple, bytes, literal.after(Portable, bytes, at)?, powers)?;
        }
        self.literals.last()?.after(Portable, bytes, at)
    }
}

/// Where items end, as they are read.
pub(crate) struct Marks<'p> {
    pub(crate) portions: &'p mut Portions,
    /// Where the portion began that is being read, and the items in it.
    start: usize,
    count: u32,
    least: usize,
    pub(crate) items: usize,
    /// Whether it is remembered where each item ends, and not only each portion.
    keeps_ends: bool,
}

impl<'p> Marks<'p> {
    /// Goes on behind the last portion, which begins at `start`.
    pub(crate) fn new(portions: &'p mut Portions, start: usize, least: u32, keeps_ends: bool) -> Marks<'p> {
        let items = portions.items;
        let count = portions.list.pop().map_or(0, |last| last.items);
        Marks { portions, start, count, least: least as usize, items, keeps_ends }
    }

    /// Whether an item that ends at `end` can be in the portion.
    #[inline(always)]
    pub(crate) fn has_room(&self, end: usize) -> bool {
        end - self.start <= usize::from(u16::MAX)
    }

    /// An item ends here.
    #[inline(always)]
    pub(crate) fn item(&mut self, end: usize) {
        if self.keeps_ends {
            self.portions.ends.push((end - self.start) as u16);
        }
        self.count(end);
    }

    /// Counts an item that ends here, the place of which is kept by the caller.
    #[inline(always)]
    fn count(&mut self, end: usize) {
        self.items += 1;
        self.count += 1;
        if end - self.start >= self.least {
            self.cut(end);
        }
    }

    /// A portion of the message before follows, as it was.
    pub(crate) fn portion(&mut self, start: usize, portion: Portion, ends: &[u16]) {
        if self.count > 0 {
            self.cut(start);
        }
        self.portions.ends.extend_from_slice(ends);
        self.items += ends.len();
        (self.start, self.count) = (start, portion.items);
        self.cut(start + portion.bytes as usize);
    }

    #[inline(never)]
    fn cut(&mut self, end: usize) {
        self.portions.list.push(Portion { items: self.count, bytes: (end - self.start) as u32 });
        (self.start, self.count) = (end, 0);
    }

    /// No item follows; the last one ended here.
    pub(crate) fn finish(mut self, end: usize) {
        if self.count > 0 {
            self.cut(end);
        }
        self.portions.items = self.items;
    }
}

/// The text at `at`, up to an end tag, and the place behind it.
fn hole(bytes: &[u8], at: usize) -> Option<(&str, usize)> {
    let rest = bytes.get(at..)?;
    let len = plain_len(rest).ok().filter(|&len| rest.get(len) == Some(&b'<') && len <= 32 << 10)?;
    Some((str::from_utf8(rest.get(..len)?).ok()?, at + len))
}

/// A number of a value.
pub(crate) trait FromValue: Sized {
    fn from_value(value: Value) -> Option<Self>;
}

/// A number as the plain way reads it.
#[inline(never)]
fn from_text<T: FromValue>(simple: Simple, bytes: &[u8], at: usize) -> Option<(T, usize)> {
    let (text, end) = hole(bytes, at)?;
    Some((T::from_value(lexical::value(simple, text)?)?, end))
}

/// The number at `at`, which ends where an end tag begins.
#[inline(always)]
fn number<T: Number + FromValue, K: Kernel>(
    kernel: K,
    simple: Simple,
    bytes: &[u8],
    at: usize,
    guess: &mut usize,
    powers: &Powers,
) -> Option<(T, usize)> {
    match T::read(kernel, bytes, at, guess, powers) {
        Some((value, end)) if bytes.get(end) == Some(&b'<') => Some((value, end)),
        _ => from_text(simple, bytes, at),
    }
}

/// Items of one number each.
pub(crate) struct Numbers<'a> {
    pub(crate) before: &'a Literal,
    between: &'a Literal,
    pub(crate) after: &'a Literal,
    pub(crate) simple: Simple,
    pub(crate) bytes: &'a [u8],
    pub(crate) powers: &'static Powers,
}

impl Numbers<'_> {
    /// Reads the items at `at` into places, and tells where each ends; the place behind them.
    #[inline(always)]
    pub(crate) fn replace<T: Number + FromValue, K: Kernel>(
        &self,
        kernel: K,
        at: usize,
        places: &mut [T],
        guess: &mut usize,
        mut ends: impl FnMut(usize),
    ) -> Option<usize> {
        let (last, places) = places.split_last_mut()?;
        let mut start = self.before.after(kernel, self.bytes, at)?;
        for place in places {
            let (value, to) = number(kernel, self.simple, self.bytes, start, guess, self.powers)?;
            *place = value;
            // The end of an item and the beginning of the next at once.
            start = self.between.after(kernel, self.bytes, to)?;
            ends(to + self.after.len());
        }
        let (value, to) = number(kernel, self.simple, self.bytes, start, guess, self.powers)?;
        *last = value;
        let end = self.after.after(kernel, self.bytes, to)?;
        ends(end);
        Some(end)
    }
}

/// A run of items of one number each, read to the end of some.
struct NumberRun<'a, 'p, T> {
    numbers: Numbers<'a>,
    at: usize,
    items: &'a mut Vec<T>,
    most: usize,
    marks: &'a mut Marks<'p>,
}

impl<T: Number + FromValue> Job for NumberRun<'_, '_, T> {
    type Output = usize;

    /// The place behind the last item. Values are gathered in an array first: vectors would look at their
    /// room for every one of them.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        let NumberRun { numbers, mut at, items, most, marks } = self;
        let Numbers { before, between, after, simple, bytes, powers } = numbers;
        let (mut left, mut guess) = (most, 0);
        let mut start = before.after(kernel, bytes, at);
        let (mut values, mut ends) = ([T::default(); GATHERED], [0_u16; GATHERED]);
        loop {
            let mut count = 0;
            while let Some(from) = start
                && count < left.min(GATHERED)
            {
                let Some((value, to)) = number::<T, K>(kernel, simple, bytes, from, &mut guess, powers) else { break };
                // The end of an item and the beginning of the next at once.
                start = between.after(kernel, bytes, to);
                if start.is_none() && after.after(kernel, bytes, to).is_none() {
                    break;
                }
                let end = to + after.len();
                if !marks.has_room(end) {
                    start = None;
                    break;
                }
                (values[count], ends[count]) = (value, (end - marks.start) as u16);
                count += 1;
                at = end;
                marks.count(end);
            }
            items.extend_from_slice(&values[..count]);
            if marks.keeps_ends {
                marks.portions.ends.extend_from_slice(&ends[..count]);
            }
            left -= count;
            if count < GATHERED || left == 0 {
                return at;
            }
        }
    }
}

/// So many items are gathered before they are put with the others.
const GATHERED: usize = 64;

macro_rules! define_runs {
    ($($kind:ident $rust:ty),*) => {
        $(impl FromValue for $rust {
            fn from_value(value: Value) -> Option<$rust> {
                match value {
                    Value::$kind(value) => Some(value),
                    _ => None,
                }
            }
        })*

        impl Row {
            /// A run of items of one value each.
            fn each(
                &self,
                bytes: &[u8],
                mut at: usize,
                items: &mut Items,
                most: usize,
                marks: &mut Marks<'_>,
            ) -> usize {
                let Some(numbers) = self.single(bytes, Powers::get()) else { return at };
                match items {
                    $(Items::$kind(items) => kernel::run(NumberRun { numbers, at, items, most, marks }),)*
                    Items::Columns(columns) => {
                        let Some(column) = columns.first_mut() else { return at };
                        self.each(bytes, at, &mut column.items, most, marks)
                    }
                    items => {
                        let Numbers { before, after, simple, .. } = numbers;
                        for _ in 0..most {
                            let read = |items: &mut Items| {
                                let (text, end) = hole(bytes, before.after(Portable, bytes, at)?)?;
                                let end = after.after(Portable, bytes, end)?;
                                if !marks.has_room(end) {
                                    return None;
                                }
                                items.push(lexical::value(simple, text)?);
                                Some(end)
                            };
                            let Some(end) = read(items) else { break };
                            marks.item(end);
                            at = end;
                        }
                        at
                    }
                }
            }
        }

        /// Reads a value to the end of a column; the place behind it.
        #[inline]
        fn append(items: &mut Items, simple: Simple, bytes: &[u8], at: usize, powers: &Powers) -> Option<usize> {
            match items {
                $(Items::$kind(items) => {
                    let (value, end) = number(Portable, simple, bytes, at, &mut 0, powers)?;
                    items.push(value);
                    Some(end)
                })*
                items => {
                    let (text, end) = hole(bytes, at)?;
                    items.push(lexical::value(simple, text)?);
                    Some(end)
                }
            }
        }

        /// Reads a value into the place of another; the place behind it.
        #[inline(always)]
        fn replace(
            items: &mut Items,
            place: usize,
            simple: Simple,
            bytes: &[u8],
            at: usize,
            powers: &Powers,
        ) -> Option<usize> {
            match items {
                $(Items::$kind(items) => {
                    let (value, end) = number(Portable, simple, bytes, at, &mut 0, powers)?;
                    *items.get_mut(place)? = value;
                    Some(end)
                })*
                items => {
                    let (text, end) = hole(bytes, at)?;
                    items.set(place, lexical::value(simple, text)?);
                    Some(end)
                }
            }
        }
    };
}
for_each_number!(define_runs);

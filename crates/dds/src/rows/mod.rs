//! Items of an array that are written alike: the markup of one is looked for in all.
//!
//! The first item is read by its tags. Its text apart, its bytes are the *row*: where the same bytes
//! are around the next item's text, in the same array, they mean the same. That is what reading
//! tags as they are expected comes to, whatever the toolkit writes into them.

pub(crate) mod lens;
pub(crate) mod marks;
mod numbers;
pub(crate) mod portions;

use xml::kernels::literal::Literal;
use xml::kernels::number::Powers;
use xml::kernels::numbers::{AHEAD, Numbers, number};
use xml::kernels::{self, Job, Kernel, Pace, Portable};

use self::marks::Marks;
use self::numbers::NumberRun;
use crate::markup::leaf::{self, Leaf, LeafName};
use crate::schema::Simple;
use crate::values::lexical;
use crate::values::lexical::FromValue;
use crate::values::{Array, Items, Value, for_each_number};

/// Markup longer than this is not looked for.
const LONGEST: usize = 1024;

/// How the items of an array are written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The markup before each value, and after the last.
    literals: Box<[Literal]>,
    /// The last markup of an item and the first of the next.
    between: Literal,
    holes: Box<[Hole]>,
}

/// The place of a value: a number between tags, which belong to the markup; other text from the end of its
/// attributes to the end of its element, as it may be an empty tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hole {
    /// The column it goes to.
    column: usize,
    simple: Simple,
    name: LeafName,
}

/// The elements of an item, and which columns they go to.
pub(crate) type Leaves = [(Leaf, usize, Simple)];

impl Hole {
    fn of(&(leaf, column, simple): &(Leaf, usize, Simple)) -> Hole {
        Hole { column, simple, name: leaf.name }
    }
}

/// The markup of an item before each value, and after the last; nothing where an empty tag has a number.
fn markup<'b>(bytes: &'b [u8], start: usize, end: usize, leaves: &Leaves) -> impl Iterator<Item = Option<&'b [u8]>> {
    let mut at = start;
    let places = leaves.iter().map(
        |(leaf, _, simple)| {
            if simple.is_number() { leaf.text(bytes) } else { Some((leaf.start, leaf.end)) }
        },
    );
    places.chain([Some((end, end))]).map(move |place| {
        let (from, to) = place?;
        bytes.get(core::mem::replace(&mut at, to)..from)
    })
}

impl Row {
    /// The row of an item from `start` to `end`; `None` if it cannot be one.
    pub(crate) fn learn(bytes: &[u8], start: usize, end: usize, leaves: &Leaves) -> Option<Row> {
        let literals: Option<Box<[_]>> =
            markup(bytes, start, end, leaves).map(|piece| piece.map(Literal::new)).collect();
        let literals = literals.filter(|literals| literals.iter().map(Literal::len).sum::<usize>() <= LONGEST)?;
        let holes = leaves.iter().map(Hole::of).collect();
        let between = Literal::joined(literals.last()?, literals.first()?);
        Some(Row { literals, between, holes })
    }

    /// Whether it is the row of an item.
    pub(crate) fn is_of(&self, bytes: &[u8], start: usize, end: usize, leaves: &Leaves) -> bool {
        let mut literals = self.literals.iter();
        leaves.iter().map(Hole::of).eq(self.holes.iter().copied())
            && markup(bytes, start, end, leaves)
                .all(|piece| literals.next().zip(piece).is_some_and(|(literal, piece)| literal.is(piece)))
    }

    /// The row of items of one number each.
    pub(crate) fn single<'a>(&'a self, bytes: &'a [u8], powers: &'static Powers) -> Option<Numbers<'a, Simple>> {
        match (&*self.literals, &*self.holes) {
            ([before, after], &[Hole { simple, .. }]) if simple.is_number() => {
                Some(Numbers { before, between: &self.between, after, fallback: simple, bytes, powers })
            }
            _ => None,
        }
    }

    /// Bytes of markup in an item, at the least.
    pub(crate) fn shortest(&self) -> usize {
        self.markup() + 2 * self.holes.iter().filter(|hole| !hole.simple.is_number()).count()
    }

    fn markup(&self) -> usize {
        self.literals.iter().map(Literal::len).sum()
    }

    /// Bytes of memory taken beside its own.
    pub(crate) fn bytes(&self) -> usize {
        2 * self.markup() + self.holes.len() * size_of::<Hole>() + self.literals.len() * size_of::<Literal>()
    }

    /// Reads items into the end of an array, `most` of them at the most; the place after the last one
    /// that is written like this.
    pub(crate) fn run(&self, bytes: &[u8], at: usize, array: &mut Array, most: usize, marks: &mut Marks<'_>) -> usize {
        let room = bytes.len().saturating_sub(at) / self.shortest().max(1);
        // Of arrays that nobody counts there may be many in what is left of the message.
        if most < usize::MAX {
            array.items.reserve(array.len + most.min(room));
            marks.reserve(most.min(room));
        }
        let before = marks.items;
        let end = match (&*self.literals, &*self.holes, &mut array.items) {
            ([_, _], [_], items) => self.each(bytes, at, items, most, marks),
            (_, _, Items::Columns(columns)) => kernels::run(Several { row: self, bytes, at, columns, most, marks }),
            _ => at,
        };
        array.len += marks.items - before;
        if let Items::Columns(columns) = &mut array.items {
            columns.iter_mut().for_each(|column| column.len = array.len);
        }
        end
    }

    /// Reads one item to the end of some; the place after it.
    pub(crate) fn push(&self, bytes: &[u8], at: usize, items: &mut Items) -> Option<usize> {
        let powers = Powers::get();
        match items {
            Items::Columns(columns) => match self.append(Portable, bytes, at, columns, powers) {
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
                let ([before, after], [hole]) = (&*self.literals, &*self.holes) else { return None };
                let start = before.after(Portable, bytes, at)?;
                // What follows the value decides whether it is one, before it is kept.
                let end = append(Portable, items, hole, bytes, start, powers)?;
                let next = after.after(Portable, bytes, end);
                if next.is_none() {
                    items.pop();
                }
                next
            }
        }
    }

    /// Reads one item to the ends of columns.
    #[inline(always)]
    fn append<K: Kernel>(
        &self,
        kernel: K,
        bytes: &[u8],
        mut at: usize,
        columns: &mut [Array],
        powers: &Powers,
    ) -> Option<usize> {
        for (literal, hole) in self.literals.iter().zip(&self.holes) {
            kernel.fetch(bytes, at + AHEAD);
            let start = literal.after(kernel, bytes, at)?;
            at = append(kernel, &mut columns.get_mut(hole.column)?.items, hole, bytes, start, powers)?;
        }
        self.literals.last()?.after(kernel, bytes, at)
    }

    /// Reads one item, which has been read before, into the place of another; the place after it. Its values may have been
    /// read by their tags then.
    pub(crate) fn restore(&self, bytes: &[u8], mut at: usize, items: &mut Items, place: usize) -> Option<usize> {
        for (literal, hole) in self.literals.iter().zip(&self.holes) {
            let start = literal.after(Portable, bytes, at)?;
            let is_number = hole.simple.is_number();
            let (text, end) = if is_number { leaf::text(bytes, start) } else { hole.name.read_short(bytes, start) }?;
            let column = match &mut *items {
                Items::Columns(columns) => &mut columns.get_mut(hole.column)?.items,
                items => items,
            };
            column.set(place, lexical::value(hole.simple, &text)?);
            at = end;
        }
        self.literals.last()?.after(Portable, bytes, at)
    }

    /// Reads one item into the place of another; the place after it. Where it is not written like this
    /// some values may have been replaced.
    #[inline(always)]
    pub(crate) fn replace<K: Kernel>(
        &self,
        kernel: K,
        bytes: &[u8],
        mut at: usize,
        items: &mut Items,
        place: usize,
        powers: &Powers,
    ) -> Option<usize> {
        for (literal, hole) in self.literals.iter().zip(&self.holes) {
            let column = match &mut *items {
                Items::Columns(columns) => &mut columns.get_mut(hole.column)?.items,
                items => items,
            };
            let start = literal.after(kernel, bytes, at)?;
            at = replace(kernel, column, place, hole, bytes, start, powers)?;
        }
        self.literals.last()?.after(kernel, bytes, at)
    }
}

/// A run of items of several values each, read to the ends of columns.
struct Several<'a, 'p> {
    row: &'a Row,
    bytes: &'a [u8],
    at: usize,
    columns: &'a mut [Array],
    most: usize,
    marks: &'a mut Marks<'p>,
}

impl Job for Several<'_, '_> {
    type Output = usize;

    /// The place after the last item.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        let Several { row, bytes, mut at, columns, most, marks } = self;
        let powers = Powers::get();
        for _ in 0..most {
            let read = row.append(kernel, bytes, at, columns, powers);
            let Some((end, len)) = read.and_then(|end| Some((end, marks.room(at, end)?))) else {
                let len = columns.iter().map(|column| column.len).min().unwrap_or(0);
                columns.iter_mut().for_each(|column| column.items.truncate(len));
                break;
            };
            columns.iter_mut().for_each(|column| column.len += 1);
            marks.item(len);
            at = end;
        }
        at
    }
}

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
                match (items, self.single(bytes, Powers::get())) {
                    $((Items::$kind(items), Some(numbers)) => {
                        kernels::run(NumberRun { numbers, at, items, most, marks })
                    })*
                    (Items::Columns(columns), _) => {
                        let Some(column) = columns.first_mut() else { return at };
                        self.each(bytes, at, &mut column.items, most, marks)
                    }
                    (items, _) => {
                        for _ in 0..most {
                            let Some(end) = self.push(bytes, at, items) else { break };
                            let Some(len) = marks.room(at, end) else {
                                items.pop();
                                break;
                            };
                            marks.item(len);
                            at = end;
                        }
                        at
                    }
                }
            }
        }

        /// Reads a value to the end of a column; the place after it.
        #[inline(always)]
        fn append<K: Kernel>(
            kernel: K,
            items: &mut Items,
            hole: &Hole,
            bytes: &[u8],
            at: usize,
            powers: &Powers,
        ) -> Option<usize> {
            match items {
                $(Items::$kind(items) => {
                    let (value, end) = number(kernel, hole.simple, bytes, at, &mut Pace::default(), powers)?;
                    items.push(value);
                    Some(end)
                })*
                items => {
                    let (text, end) = hole.name.read_short(bytes, at)?;
                    items.push(lexical::value(hole.simple, &text)?);
                    Some(end)
                }
            }
        }

        /// Reads a value into the place of another; the place after it.
        #[inline(always)]
        fn replace<K: Kernel>(
            kernel: K,
            items: &mut Items,
            place: usize,
            hole: &Hole,
            bytes: &[u8],
            at: usize,
            powers: &Powers,
        ) -> Option<usize> {
            match items {
                $(Items::$kind(items) => {
                    let (value, end) = number(kernel, hole.simple, bytes, at, &mut Pace::default(), powers)?;
                    *items.get_mut(place)? = value;
                    Some(end)
                })*
                items => {
                    let (text, end) = hole.name.read_short(bytes, at)?;
                    items.set(place, lexical::value(hole.simple, &text)?);
                    Some(end)
                }
            }
        }
    };
}
for_each_number!(define_runs);

//! A run of items of one number each.

use xml::kernels::number::Number;
use xml::kernels::numbers::{Batch, GATHERED, Numbers, Several};
use xml::kernels::{Job, Kernel, Pace};

use crate::rows::marks::Marks;
use crate::schema::Simple;
use crate::values::lexical::FromValue;

/// A run of items of one number each, read to the end of some.
pub(crate) struct NumberRun<'a, 'p, T> {
    pub(crate) numbers: Numbers<'a, Simple>,
    pub(crate) at: usize,
    pub(crate) items: &'a mut Vec<T>,
    pub(crate) most: usize,
    pub(crate) marks: &'a mut Marks<'p>,
}

impl<T: Number + FromValue> Job for NumberRun<'_, '_, T> {
    type Output = usize;

    /// The place after the last item. Values are gathered in an array first: vectors would look at their
    /// room for every one of them.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        let NumberRun { numbers, mut at, items, most, marks } = self;
        let (mut left, mut pace) = (most, Pace::default());
        let (mut values, mut lens) = ([T::default(); GATHERED], [0; GATHERED]);
        loop {
            let wanted = left.min(GATHERED);
            let (places, lens, pace) = (&mut values[..wanted], &mut lens[..], &mut pace);
            let batch = Batch::<T, u16, _, false> { numbers: &numbers, old: &[], at, places, lens, pace };
            let Several { count, bytes, .. } = kernel.apart(batch);
            items.extend_from_slice(&values[..count]);
            marks.items(&lens[..count]);
            (left, at) = (left - count, at + bytes);
            if count < wanted || left == 0 {
                return at;
            }
        }
    }
}

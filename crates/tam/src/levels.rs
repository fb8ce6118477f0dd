//! What a writer keeps of each level of nesting.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::Error;

/// A stack of one entry for each open unit: as deep as memory goes, or without the feature `alloc`
/// [`Levels::MOST`] deep.
///
/// ```
/// let mut levels = lengthwise_tam::Levels::new();
/// levels.push('a', "tsf")?;
/// levels.push('b', "tsf")?;
/// assert_eq!((levels.pop(), levels.last()), (Some('b'), Some(&'a')));
/// # Ok::<(), lengthwise_tam::Error>(())
/// ```
#[derive(Debug)]
pub struct Levels<T> {
    #[cfg(feature = "alloc")]
    open: Vec<T>,
    #[cfg(not(feature = "alloc"))]
    open: [Option<T>; Levels::<()>::MOST],
    #[cfg(not(feature = "alloc"))]
    len: usize,
}

impl Levels<()> {
    /// How many levels there can be without the feature `alloc`.
    pub const MOST: usize = 64;
}

impl<T> Default for Levels<T> {
    fn default() -> Self {
        Levels::new()
    }
}

#[cfg(feature = "alloc")]
impl<T> Levels<T> {
    /// No levels.
    #[must_use]
    pub const fn new() -> Levels<T> {
        Levels { open: Vec::new() }
    }

    /// One more level, while `format` is written.
    ///
    /// # Errors
    /// Without the feature `alloc`, beyond [`Levels::MOST`].
    #[inline]
    pub fn push(&mut self, level: T, _format: &'static str) -> Result<(), Error> {
        self.open.push(level);
        Ok(())
    }

    /// Takes the innermost level away.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.open.pop()
    }

    /// The innermost level.
    #[inline]
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.open.last()
    }
}

#[cfg(not(feature = "alloc"))]
impl<T> Levels<T> {
    /// No levels.
    #[must_use]
    pub const fn new() -> Levels<T> {
        Levels { open: [const { None }; Levels::<()>::MOST], len: 0 }
    }

    /// One more level, while `format` is written.
    ///
    /// # Errors
    /// Without the feature `alloc`, beyond [`Levels::MOST`].
    pub fn push(&mut self, level: T, format: &'static str) -> Result<(), Error> {
        let Some(place) = self.open.get_mut(self.len) else {
            return Err(Error::limit(format, 0, "one more level", "depth", Levels::<()>::MOST as u64));
        };
        *place = Some(level);
        self.len += 1;
        Ok(())
    }

    /// Takes the innermost level away.
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        self.open.get_mut(self.len)?.take()
    }

    /// The innermost level.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.open.get(self.len.checked_sub(1)?)?.as_ref()
    }
}

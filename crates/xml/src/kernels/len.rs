//! How a kernel stores the length of an item.

/// The length of an item.
pub trait Len: Copy + Into<usize> {
    /// `None` where it is greater than it can be.
    fn of(len: usize) -> Option<Self>;

    /// One that is known not to be.
    #[cfg(target_arch = "x86_64")]
    fn cut(len: usize) -> Self;
}

impl Len for u8 {
    #[inline(always)]
    fn of(len: usize) -> Option<u8> {
        len.try_into().ok()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn cut(len: usize) -> u8 {
        len as u8
    }
}

impl Len for u16 {
    #[inline(always)]
    fn of(len: usize) -> Option<u16> {
        len.try_into().ok()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn cut(len: usize) -> u16 {
        len as u16
    }
}

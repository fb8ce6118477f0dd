//! Where a name ends: the short way, inside the window of a [head](crate::head).

use tam::TypeSet;

/// Finds the type that ends a name.
pub(crate) trait NameEnd: Copy {
    /// The position of the first type after `first`, the first byte of a name; `None` if the window has
    /// none.
    fn end(self, window: &[u8; 64], first: usize) -> Option<usize>;
}

/// One byte after the other, in the classes of the type set.
#[derive(Clone, Copy)]
pub(crate) struct ByBytes<'t>(pub(crate) &'t TypeSet);

impl NameEnd for ByBytes<'_> {
    #[inline(always)]
    fn end(self, window: &[u8; 64], first: usize) -> Option<usize> {
        let mut at = first + 1;
        while at < window.len() {
            if self.0.is_type(window[at]) {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

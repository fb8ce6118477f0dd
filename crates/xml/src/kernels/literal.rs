//! Markup that is looked for.

use crate::kernels::Kernel;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    bytes: Box<[u8]>,
    /// The first 32 bytes and which of them count, for comparing without a call.
    pub first: [u8; 32],
    pub mask: u32,
}

#[allow(clippy::len_without_is_empty)] // No markup is empty.
impl Literal {
    pub fn new(bytes: &[u8]) -> Literal {
        let mut first = [0; 32];
        first.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        let mask = if bytes.len() >= 32 { u32::MAX } else { (1 << bytes.len()) - 1 };
        Literal { bytes: bytes.into(), first, mask }
    }

    /// Two, one after the other.
    pub fn joined(first: &Literal, second: &Literal) -> Literal {
        Literal::new(&[&*first.bytes, &second.bytes].concat())
    }

    /// Whether it is these bytes.
    pub fn is(&self, bytes: &[u8]) -> bool {
        *self.bytes == *bytes
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The place after it, if it is at `at`.
    #[inline(always)]
    pub fn after<K: Kernel>(&self, kernel: K, bytes: &[u8], at: usize) -> Option<usize> {
        let end = at + self.bytes.len();
        if let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<32>())
            && self.bytes.len() <= 32
        {
            return kernel.is_same(chunk, &self.first, self.mask).then_some(end);
        }
        self.after_long(bytes, at, end)
    }

    /// Whether the rest of a literal follows its first 32 bytes, which are at `at`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn ends(&self, bytes: &[u8], at: usize) -> bool {
        self.bytes.len() <= 32 || self.after_long(bytes, at, at + self.bytes.len()).is_some()
    }

    #[inline(never)]
    fn after_long(&self, bytes: &[u8], at: usize, end: usize) -> Option<usize> {
        (bytes.get(at..end)? == &*self.bytes).then_some(end)
    }
}

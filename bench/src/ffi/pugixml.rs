//! pugixml in place.

use super::*;

unsafe extern "C" {
    fn pugixml_new(keep: c_int) -> *mut Opaque;
    fn pugixml_free(tree: *mut Opaque);
    fn pugixml_parse(tree: *mut Opaque, xml: *mut c_char, len: usize) -> c_int;
    fn pugixml_clear(tree: *mut Opaque);
    fn pugixml_count(tree: *const Opaque, counts: *mut XmlCounts);
    fn pugixml_version() -> c_int;
}

/// pugixml in place. Its tree points into the text it was made of, which it has destroyed.
pub(crate) struct Pugixml(*mut Opaque);

impl Pugixml {
    /// With `keep`, memory is kept between documents. Only one such tree can be at a time:
    /// they share one arena.
    pub(crate) fn new(keep: bool) -> Pugixml {
        // SAFETY: takes a flag, and throws (which ends the program) rather than give null.
        Pugixml(unsafe { pugixml_new(keep.into()) })
    }

    /// Builds the tree and passes it to `look` while the text is there.
    #[inline]
    pub(crate) fn parse<R>(&mut self, xml: &mut [u8], look: impl FnOnce(&Self) -> R) -> Result<R, String> {
        // SAFETY: the tree is ours and alive; the text outlives `look`, after which nobody
        // reads the tree before the next parse empties it.
        match unsafe { pugixml_parse(self.0, xml.as_mut_ptr().cast(), xml.len()) } {
            0 => Ok(look(self)),
            _ => Err("not well-formed".into()),
        }
    }

    /// Gives memory back.
    pub(crate) fn clear(&mut self) {
        // SAFETY: the tree is ours and alive.
        unsafe { pugixml_clear(self.0) }
    }

    /// Only within `look` of [`Pugixml::parse`].
    pub(crate) fn counts(&self) -> XmlCounts {
        let mut counts = XmlCounts::default();
        // SAFETY: called from `look`, so the text the tree points to is alive.
        unsafe { pugixml_count(self.0, &raw mut counts) };
        counts
    }

    pub(crate) fn version() -> String {
        // SAFETY: gives a number.
        let version = unsafe { pugixml_version() };
        format!("{}.{}", version / 1000, version % 1000 / 10)
    }
}

impl Drop for Pugixml {
    fn drop(&mut self) {
        // SAFETY: made by `pugixml_new`, and dropped once.
        unsafe { pugixml_free(self.0) }
    }
}

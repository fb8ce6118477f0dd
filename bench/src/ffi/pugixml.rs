//! pugixml in place.

use super::*;

unsafe extern "C" {
    fn pugixml_new(keep: c_int) -> *mut Opaque;
    fn pugixml_free(tree: *mut Opaque);
    fn pugixml_parse(tree: *mut Opaque, xml: *mut c_char, len: usize) -> c_int;
    fn pugixml_clear(tree: *mut Opaque);
    fn pugixml_count(tree: *const Opaque, counts: *mut XmlCounts);
    fn pugixml_version() -> c_int;
    fn pugixml_write(tree: *mut Opaque, len: *mut usize) -> *const c_char;
    fn pugixml_copy(tree: *mut Opaque, from: *const Opaque);
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

    /// Only within `look` of [`Pugixml::parse`], or of a copy, which owns its text.
    pub(crate) fn counts(&self) -> XmlCounts {
        let mut counts = XmlCounts::default();
        // SAFETY: called from `look` or on a copy, so the text the tree points to is alive.
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

/// A tree of pugixml that stays: the text it points into is kept with it.
pub(crate) struct PugixmlTree {
    tree: Pugixml,
    _text: Vec<u8>,
}

impl PugixmlTree {
    pub(crate) fn new(xml: &[u8]) -> Result<PugixmlTree, String> {
        let (mut tree, mut text) = (Pugixml::new(false), xml.to_vec());
        // The text goes with the tree: what moves is where its bytes are noted, not the bytes.
        tree.parse(&mut text, |_| ())?;
        Ok(PugixmlTree { tree, _text: text })
    }

    /// Writes the tree as XML, and shows it.
    pub(crate) fn write<R>(&mut self, look: impl FnOnce(&[u8]) -> R) -> R {
        let mut len = 0;
        // SAFETY: tree and text are ours and alive; what is written stays until the next writing.
        look(unsafe {
            let text = pugixml_write(self.tree.0, &raw mut len);
            std::slice::from_raw_parts(text.cast(), len)
        })
    }

    /// Copies the tree into another one, from which what was there is gone.
    pub(crate) fn copy_to(&self, to: &mut Pugixml) {
        // SAFETY: both are alive and two; names and values are copied, as the text is not the copy's.
        unsafe { pugixml_copy(to.0, self.tree.0) }
    }
}

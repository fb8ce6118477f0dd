//! The peers written in C and C++: all foreign calls of the program, and all its `unsafe`.
#![allow(unsafe_code)]

#[cfg(any(expat, pugixml))]
use std::ffi::{CStr, c_char, c_int};

#[cfg(any(expat, pugixml))]
use crate::counts::XmlCounts;

/// `struct counts` of `peers/counts.h`.
#[cfg(any(expat, pugixml))]
#[repr(C)]
#[derive(Default)]
struct Counts {
    elements: u64,
    attributes: u64,
    texts: u64,
    others: u64,
    name_bytes: u64,
    value_bytes: u64,
}

#[cfg(any(expat, pugixml))]
impl From<Counts> for XmlCounts {
    fn from(c: Counts) -> XmlCounts {
        XmlCounts {
            elements: c.elements,
            attributes: c.attributes,
            texts: c.texts,
            others: c.others,
            name_bytes: c.name_bytes,
            value_bytes: c.value_bytes,
        }
    }
}

#[cfg(expat)]
pub(crate) use self::expat::Expat;
#[cfg(pugixml)]
pub(crate) use self::pugixml::Pugixml;

#[cfg(expat)]
mod expat {
    use super::*;

    #[repr(C)]
    struct Tree {
        _opaque: [u8; 0],
    }

    unsafe extern "C" {
        fn expat_new() -> *mut Tree;
        fn expat_free(tree: *mut Tree);
        fn expat_parse(tree: *mut Tree, xml: *const c_char, len: usize) -> c_int;
        fn expat_count(tree: *const Tree, counts: *mut Counts);
        fn expat_version() -> *const c_char;
    }

    /// libexpat with a tree in an arena, parser and arena kept.
    pub(crate) struct Expat(*mut Tree);

    impl Expat {
        pub(crate) fn new() -> Expat {
            // SAFETY: takes nothing, and aborts rather than give a null pointer.
            Expat(unsafe { expat_new() })
        }

        /// Builds the tree; the one before is gone.
        pub(crate) fn parse(&mut self, xml: &[u8]) -> Result<(), String> {
            // SAFETY: the tree is ours and alive, and the slice lasts longer than the call.
            match unsafe { expat_parse(self.0, xml.as_ptr().cast(), xml.len()) } {
                0 => Ok(()),
                _ => Err("not well-formed".into()),
            }
        }

        pub(crate) fn counts(&self) -> XmlCounts {
            let mut counts = Counts::default();
            // SAFETY: the tree owns all it points to; the counts are laid out as in counts.h.
            unsafe { expat_count(self.0, &raw mut counts) };
            counts.into()
        }

        pub(crate) fn version() -> String {
            // SAFETY: expat gives a constant string closed by a zero.
            unsafe { CStr::from_ptr(expat_version()) }.to_string_lossy().replace("expat_", "")
        }
    }

    impl Drop for Expat {
        fn drop(&mut self) {
            // SAFETY: made by `expat_new`, and dropped once.
            unsafe { expat_free(self.0) }
        }
    }
}

#[cfg(pugixml)]
mod pugixml {
    use super::*;

    #[repr(C)]
    struct Tree {
        _opaque: [u8; 0],
    }

    unsafe extern "C" {
        fn pugixml_new(keep: c_int) -> *mut Tree;
        fn pugixml_free(tree: *mut Tree);
        fn pugixml_parse(tree: *mut Tree, xml: *mut c_char, len: usize) -> c_int;
        fn pugixml_clear(tree: *mut Tree);
        fn pugixml_count(tree: *const Tree, counts: *mut Counts);
        fn pugixml_version() -> c_int;
    }

    /// pugixml in place. Its tree points into the text it was made of, which it has destroyed.
    pub(crate) struct Pugixml(*mut Tree);

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
            let mut counts = Counts::default();
            // SAFETY: called from `look`, so the text the tree points to is alive.
            unsafe { pugixml_count(self.0, &raw mut counts) };
            counts.into()
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
}

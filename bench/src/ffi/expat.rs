//! libexpat building a tree, and reporting what it passes.

use super::*;

unsafe extern "C" {
    fn expat_new() -> *mut Opaque;
    fn expat_free(tree: *mut Opaque);
    fn expat_parse(tree: *mut Opaque, xml: *const c_char, len: usize) -> c_int;
    fn expat_count(tree: *const Opaque, counts: *mut XmlCounts);
    fn expat_version() -> *const c_char;
    fn expat_events_new() -> *mut Opaque;
    fn expat_events_free(events: *mut Opaque);
    fn expat_events_parse(events: *mut Opaque, xml: *const c_char, len: usize) -> c_int;
    fn expat_events_count(events: *const Opaque, counts: *mut XmlCounts);
}

/// libexpat with a tree in an arena, parser and arena kept.
pub(crate) struct Expat(*mut Opaque);

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
        let mut counts = XmlCounts::default();
        // SAFETY: the tree owns all it points to; the counts are laid out as in counts.h.
        unsafe { expat_count(self.0, &raw mut counts) };
        counts
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

/// libexpat with handlers that look and count, and build nothing; the parser is kept.
pub(crate) struct ExpatEvents(*mut Opaque);

impl ExpatEvents {
    pub(crate) fn new() -> ExpatEvents {
        // SAFETY: takes nothing, and aborts rather than give a null pointer.
        ExpatEvents(unsafe { expat_events_new() })
    }

    /// Goes through the document.
    pub(crate) fn parse(&mut self, xml: &[u8]) -> Result<(), String> {
        // SAFETY: the parser is ours and alive, and the slice lasts longer than the call.
        match unsafe { expat_events_parse(self.0, xml.as_ptr().cast(), xml.len()) } {
            0 => Ok(()),
            _ => Err("not well-formed".into()),
        }
    }

    /// What the handlers counted in the document before.
    pub(crate) fn counts(&self) -> XmlCounts {
        let mut counts = XmlCounts::default();
        // SAFETY: the parser is ours and alive; the counts are laid out as in counts.h.
        unsafe { expat_events_count(self.0, &raw mut counts) };
        counts
    }
}

impl Drop for ExpatEvents {
    fn drop(&mut self) {
        // SAFETY: made by `expat_events_new`, and dropped once.
        unsafe { expat_events_free(self.0) }
    }
}

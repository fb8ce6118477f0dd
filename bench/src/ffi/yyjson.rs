//! yyjson in situ.

use super::*;

unsafe extern "C" {
    fn yyjson_new() -> *mut Opaque;
    fn yyjson_delete(dom: *mut Opaque);
    fn yyjson_padding() -> usize;
    fn yyjson_parse(dom: *mut Opaque, json: *mut c_char, len: usize) -> c_int;
    fn yyjson_count(dom: *const Opaque, counts: *mut JsonCounts);
    fn yyjson_version_text() -> *const c_char;
}

/// yyjson in situ with a pool that is kept. It destroys its buffer: [`Yyjson::restore`].
pub(crate) struct Yyjson {
    dom: *mut Opaque,
    padded: Vec<u8>,
    len: usize,
}

impl Yyjson {
    pub(crate) fn new(json: &[u8]) -> Yyjson {
        // SAFETY: neither takes anything; the first aborts rather than give null.
        let (dom, padding) = unsafe { (yyjson_new(), yyjson_padding()) };
        let mut padded = json.to_vec();
        padded.resize(json.len() + padding, 0);
        Yyjson { dom, padded, len: json.len() }
    }

    pub(crate) fn restore(&mut self, json: &[u8]) {
        self.padded[..self.len].copy_from_slice(json);
        self.padded[self.len..].fill(0);
    }

    pub(crate) fn parse(&mut self) -> Result<(), String> {
        // SAFETY: the DOM is ours and alive; the buffer is ours, has the padding, and lives as
        // long as the DOM that points into it.
        match unsafe { yyjson_parse(self.dom, self.padded.as_mut_ptr().cast(), self.len) } {
            0 => Ok(()),
            _ => Err("not sound".into()),
        }
    }

    /// After a parse that went well, before the buffer is restored.
    pub(crate) fn counts(&self) -> JsonCounts {
        let mut counts = JsonCounts::default();
        // SAFETY: the buffer the DOM points into is as the parse left it.
        unsafe { yyjson_count(self.dom, &raw mut counts) };
        counts
    }

    pub(crate) fn version() -> String {
        // SAFETY: a constant string closed by a zero.
        unsafe { CStr::from_ptr(yyjson_version_text()) }.to_string_lossy().into_owned()
    }
}

impl Drop for Yyjson {
    fn drop(&mut self) {
        // SAFETY: made by `yyjson_new`, and dropped once.
        unsafe { yyjson_delete(self.dom) }
    }
}

//! simdjson: its DOM, and on demand.

use super::*;

unsafe extern "C" {
    fn simdjson_new() -> *mut Opaque;
    fn simdjson_free(dom: *mut Opaque);
    fn simdjson_padding() -> usize;
    fn simdjson_parse(dom: *mut Opaque, json: *const c_char, len: usize) -> c_int;
    fn simdjson_count(dom: *const Opaque, counts: *mut JsonCounts);
    fn simdjson_version() -> *const c_char;
    fn simdjson_lookup_new() -> *mut Opaque;
    fn simdjson_lookup_free(lookup: *mut Opaque);
    fn simdjson_lookup_find(
        lookup: *mut Opaque,
        json: *const c_char,
        len: usize,
        first: *const c_char,
        first_len: usize,
        second: *const c_char,
        second_len: usize,
        found: *mut u64,
    ) -> c_int;
}

/// simdjson's DOM, its parser kept, over a padded copy of the document.
pub(crate) struct Simdjson {
    dom: *mut Opaque,
    padded: Vec<u8>,
    len: usize,
}

impl Simdjson {
    pub(crate) fn new(json: &[u8]) -> Simdjson {
        let mut padded = json.to_vec();
        // SAFETY: neither takes anything; the first throws (which ends the program) rather
        // than give null.
        let (dom, padding) = unsafe { (simdjson_new(), simdjson_padding()) };
        padded.resize(json.len() + padding, 0);
        Simdjson { dom, padded, len: json.len() }
    }

    pub(crate) fn parse(&mut self) -> Result<(), String> {
        // SAFETY: the DOM is ours and alive, and the padding it reads into is there.
        match unsafe { simdjson_parse(self.dom, self.padded.as_ptr().cast(), self.len) } {
            0 => Ok(()),
            _ => Err("not sound".into()),
        }
    }

    pub(crate) fn counts(&self) -> JsonCounts {
        let mut counts = JsonCounts::default();
        // SAFETY: the DOM owns all it points to; the counts are laid out as in counts.h.
        unsafe { simdjson_count(self.dom, &raw mut counts) };
        counts
    }

    pub(crate) fn version() -> String {
        // SAFETY: a constant string closed by a zero.
        unsafe { CStr::from_ptr(simdjson_version()) }.to_string_lossy().replace('"', "")
    }
}

impl Drop for Simdjson {
    fn drop(&mut self) {
        // SAFETY: made by `simdjson_new`, and dropped once.
        unsafe { simdjson_free(self.dom) }
    }
}

/// simdjson on demand, its parser kept, over a padded copy of the document.
pub(crate) struct SimdjsonLookup {
    lookup: *mut Opaque,
    padded: Vec<u8>,
    len: usize,
}

impl SimdjsonLookup {
    pub(crate) fn new(json: &[u8]) -> SimdjsonLookup {
        let mut padded = json.to_vec();
        // SAFETY: neither takes anything; the first throws (which ends the program) rather
        // than give null.
        let (lookup, padding) = unsafe { (simdjson_lookup_new(), simdjson_padding()) };
        padded.resize(json.len() + padding, 0);
        SimdjsonLookup { lookup, padded, len: json.len() }
    }

    /// The integer that a member of a member is.
    pub(crate) fn find(&mut self, [first, second]: [&str; 2]) -> Result<u64, String> {
        let mut found = 0;
        // SAFETY: the parser is ours and alive, the padding it reads into is there, names are
        // as long as said, and the number is ours.
        let result = unsafe {
            simdjson_lookup_find(
                self.lookup,
                self.padded.as_ptr().cast(),
                self.len,
                first.as_ptr().cast(),
                first.len(),
                second.as_ptr().cast(),
                second.len(),
                &raw mut found,
            )
        };
        if result == 0 { Ok(found) } else { Err("there is no such member".into()) }
    }
}

impl Drop for SimdjsonLookup {
    fn drop(&mut self) {
        // SAFETY: made by `simdjson_lookup_new`, and dropped once.
        unsafe { simdjson_lookup_free(self.lookup) }
    }
}

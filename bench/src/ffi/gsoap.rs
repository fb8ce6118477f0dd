//! gSOAP reading messages.

use super::*;

unsafe extern "C" {
    fn gsoap_new() -> *mut Opaque;
    fn gsoap_free(peer: *mut Opaque);
    fn gsoap_read(peer: *mut Opaque, kind: c_int, xml: *const c_char, len: usize) -> std::ffi::c_long;
    fn gsoap_item(peer: *const Opaque, kind: c_int, item: std::ffi::c_long) -> f64;
    fn gsoap_version() -> std::ffi::c_long;
}

/// gSOAP with the memory of its messages before.
pub(crate) struct Gsoap(*mut Opaque);

impl Gsoap {
    pub(crate) fn new() -> Gsoap {
        // SAFETY: takes nothing, and aborts rather than give a null pointer.
        Gsoap(unsafe { gsoap_new() })
    }

    /// Reads a message of doubles (0), ints (1) or points (2); gives the number of items.
    pub(crate) fn read(&mut self, kind: u8, xml: &[u8]) -> Option<usize> {
        // SAFETY: the peer is ours and alive, and the slice lasts longer than the call.
        usize::try_from(unsafe { gsoap_read(self.0, kind.into(), xml.as_ptr().cast(), xml.len()) }).ok()
    }

    /// A number of the message read last: an item that it gave the number of.
    pub(crate) fn items(&self, kind: u8, count: usize) -> Vec<f64> {
        // SAFETY: there are so many items, as the last call of `read` said.
        (0..count).map(|item| unsafe { gsoap_item(self.0, kind.into(), item as std::ffi::c_long) }).collect()
    }

    pub(crate) fn version() -> String {
        // SAFETY: takes nothing and gives a number.
        let version = unsafe { gsoap_version() };
        format!("{}.{}.{}", version / 100_000, version / 1000 % 100, version % 1000)
    }
}

impl Drop for Gsoap {
    fn drop(&mut self) {
        // SAFETY: made by `gsoap_new`, and dropped once.
        unsafe { gsoap_free(self.0) }
    }
}

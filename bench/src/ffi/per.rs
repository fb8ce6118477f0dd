//! The peers of `peers/rust` with messages under the packed encoding rules.

use std::marker::PhantomData;

use super::*;
use crate::timing::Contestant;

/// Text that the peer looks at.
#[repr(C)]
struct Text<'a> {
    at: *const u8,
    len: usize,
    of: PhantomData<&'a str>,
}

unsafe extern "C" {
    fn rust_per_new(words: *const [Text<'_>; 4]) -> *mut Opaque;
    fn rust_per_free(peer: *mut Opaque);
    fn rust_per_message(peer: *const Opaque, nth: usize, len: *mut usize) -> *const u8;
    fn rust_per_decode(peer: *mut Opaque, times: u32) -> u64;
    fn rust_per_encode(peer: *mut Opaque, times: u32) -> u64;
}

/// A peer of `peers/rust` with many messages of one kind. It runs and times itself.
pub(crate) struct PerPeer(*mut Opaque);

impl PerPeer {
    /// The peer of a name with messages of a kind under `rules` (`uper` or `aper`), where
    /// it takes them; `json` has their values, one a line.
    pub(crate) fn new(name: &str, kind: &str, rules: &str, json: &str) -> Option<PerPeer> {
        let words = [name, kind, rules, json].map(|text| Text { at: text.as_ptr(), len: text.len(), of: PhantomData });
        // SAFETY: all are text, as long as said, and used during the call only.
        let peer = unsafe { rust_per_new(&raw const words) };
        (!peer.is_null()).then(|| PerPeer(peer))
    }

    /// Its messages, as it writes them.
    pub(crate) fn messages(&self) -> Vec<&[u8]> {
        let message = |nth| {
            let mut len = 0;
            // SAFETY: the peer is alive as long as we are, and never changes its messages.
            unsafe {
                let at = rust_per_message(self.0, nth, &raw mut len);
                (!at.is_null()).then(|| std::slice::from_raw_parts(at, len))
            }
        };
        (0..).map_while(message).collect()
    }

    pub(crate) fn decoding<'s>(&'s self, name: &str) -> Contestant<'s> {
        // SAFETY: the peer is alive, and contestants run one after the other on one thread.
        Contestant::timed(name, |times| Duration::from_nanos(unsafe { rust_per_decode(self.0, times) }))
    }

    pub(crate) fn encoding<'s>(&'s self, name: &str) -> Contestant<'s> {
        // SAFETY: as above.
        Contestant::timed(name, |times| Duration::from_nanos(unsafe { rust_per_encode(self.0, times) }))
    }
}

impl Drop for PerPeer {
    fn drop(&mut self) {
        // SAFETY: made by `rust_per_new`, and dropped once.
        unsafe { rust_per_free(self.0) }
    }
}

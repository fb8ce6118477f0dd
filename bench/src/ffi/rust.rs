//! The peers of `peers/rust` that read one document.

use std::marker::PhantomData;

use super::*;
use crate::timing::Contestant;

unsafe extern "C" {
    fn rust_peer_new(name: *const u8, name_len: usize, document: *const u8, len: usize) -> *mut Opaque;
    fn rust_peer_free(peer: *mut Opaque);
    fn rust_peer_prepare(peer: *mut Opaque);
    fn rust_peer_read(peer: *mut Opaque) -> c_int;
    fn rust_peer_counts(peer: *mut Opaque, counts: *mut [u64; 7]) -> c_int;
}

/// A peer of `peers/rust` over a document; null where it cannot take it.
pub(crate) struct RustPeer<'a> {
    peer: *mut Opaque,
    document: PhantomData<&'a [u8]>,
}

impl<'a> RustPeer<'a> {
    /// The peer, and what it counts in the document.
    pub(crate) fn new(name: &str, document: &'a [u8]) -> (RustPeer<'a>, Result<[u64; 7], String>) {
        // SAFETY: both are as long as said, and the document outlives the peer by its lifetime.
        let peer = unsafe { rust_peer_new(name.as_ptr(), name.len(), document.as_ptr(), document.len()) };
        let mut counts = [0; 7];
        // SAFETY: the peer is new and ours, and the counts are ours.
        let sound = !peer.is_null() && unsafe { rust_peer_counts(peer, &raw mut counts) } == 0;
        let counts = if sound { Ok(counts) } else { Err("not sound".to_owned()) };
        (RustPeer { peer, document: PhantomData }, counts)
    }

    pub(crate) fn contestant(self, name: &str) -> Contestant<'a> {
        // SAFETY: the peer is alive and ours alone; one that is null is never timed, because it
        // has not found what we find.
        Contestant::prepared(
            name,
            self,
            |peer| unsafe { rust_peer_prepare(peer.peer) },
            // SAFETY: as above.
            |peer| unsafe { rust_peer_read(peer.peer) },
        )
    }
}

impl Drop for RustPeer<'_> {
    fn drop(&mut self) {
        if !self.peer.is_null() {
            // SAFETY: made by `rust_peer_new`, and dropped once.
            unsafe { rust_peer_free(self.peer) }
        }
    }
}

//! The peers of `peers/rust` with one message as typed structs.

use std::marker::PhantomData;

use super::*;
use crate::timing::Contestant;

unsafe extern "C" {
    fn rust_typed_new(
        name: *const u8,
        name_len: usize,
        message: *const u8,
        message_len: usize,
        document: *const u8,
        len: usize,
    ) -> *mut Opaque;
    fn rust_typed_free(peer: *mut Opaque);
    fn rust_typed_size(peer: *mut Opaque) -> usize;
    fn rust_typed_agrees(peer: *mut Opaque, text: *const u8, len: usize) -> c_int;
    fn rust_typed_parse(peer: *mut Opaque, times: u32) -> u64;
    fn rust_typed_generate(peer: *mut Opaque, times: u32) -> u64;
}

/// A peer of `peers/rust` with one message as typed structs. It runs and times itself, so that
/// small messages do not pay for the way into another library.
pub(crate) struct TypedPeer<'a> {
    peer: *mut Opaque,
    document: PhantomData<&'a [u8]>,
}

impl<'a> TypedPeer<'a> {
    /// The peer of a name, where it takes such messages; `json` is the text of a document, and
    /// empty for the paper's messages.
    pub(crate) fn new(name: &str, message: &str, json: &'a [u8]) -> Option<TypedPeer<'a>> {
        // SAFETY: all are as long as said, and the document outlives the peer by its lifetime.
        let peer = unsafe {
            rust_typed_new(name.as_ptr(), name.len(), message.as_ptr(), message.len(), json.as_ptr(), json.len())
        };
        (!peer.is_null()).then(|| TypedPeer { peer, document: PhantomData })
    }

    /// Bytes of the message on the wire.
    pub(crate) fn size(&self) -> usize {
        // SAFETY: the peer is alive and ours.
        unsafe { rust_typed_size(self.peer) }
    }

    /// Whether the peer reads out of its message what `Debug` writes like this.
    pub(crate) fn agrees(&self, text: &str) -> bool {
        // SAFETY: the peer is alive and ours alone, and the text is as long as said.
        unsafe { rust_typed_agrees(self.peer, text.as_ptr(), text.len()) == 1 }
    }

    pub(crate) fn parsing<'s>(&'s self, name: &str) -> Contestant<'s> {
        // SAFETY: the peer is alive, and contestants run one after the other on one thread.
        Contestant::timed(name, |times| Duration::from_nanos(unsafe { rust_typed_parse(self.peer, times) }))
    }

    pub(crate) fn generating<'s>(&'s self, name: &str) -> Contestant<'s> {
        // SAFETY: as above.
        Contestant::timed(name, |times| Duration::from_nanos(unsafe { rust_typed_generate(self.peer, times) }))
    }
}

impl Drop for TypedPeer<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `rust_typed_new`, and dropped once.
        unsafe { rust_typed_free(self.peer) }
    }
}

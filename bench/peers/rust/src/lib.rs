//! The peers that are Rust crates, behind a few C functions: each reads one document again and
//! again, and says what it finds in it.

mod json;
mod xml;

use std::ffi::c_int;

/// Counts as `struct counts` or `struct json_counts` of `counts.h` has them.
pub type Counts = [u64; 7];

/// One peer with its document.
pub trait Peer {
    /// Makes the document whole again, where reading destroys it.
    fn prepare(&mut self) {}

    /// Reads the document.
    fn read(&mut self) -> bool;

    /// What it finds; after [`Peer::prepare`].
    fn counts(&mut self) -> Result<Counts, String>;
}

/// A peer for a document that lasts as long as it.
type Maker = fn(&'static [u8]) -> Result<Box<dyn Peer>, String>;

static MAKERS: [(&str, Maker); 8] = [
    ("quick-xml events", xml::quick_xml),
    ("roxmltree", xml::roxmltree),
    ("uppsala events", xml::uppsala_events),
    ("uppsala dom", xml::uppsala_dom),
    ("sonic-rs value", json::sonic),
    ("simd-json tape", json::simd_json_tape),
    ("simd-json borrowed value", json::simd_json_borrowed),
    ("serde_json value", json::serde_json),
];

/// The peer of a name over a document, or null where there is none of that name, or it cannot
/// take the document at all.
///
/// # Safety
/// Name and document are as long as said, and the document outlives the peer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_peer_new(
    name: *const u8,
    name_len: usize,
    document: *const u8,
    len: usize,
) -> *mut Box<dyn Peer> {
    // SAFETY: as the caller promises; the document is only called static, it dies after the peer.
    let (name, document) = unsafe {
        (std::slice::from_raw_parts(name, name_len), std::slice::from_raw_parts::<'static, u8>(document, len))
    };
    let made = MAKERS.iter().find(|maker| maker.0.as_bytes() == name).and_then(|maker| maker.1(document).ok());
    made.map_or(std::ptr::null_mut(), |peer| Box::into_raw(Box::new(peer)))
}

/// # Safety
/// The peer is one of [`rust_peer_new`], not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_peer_free(peer: *mut Box<dyn Peer>) {
    // SAFETY: as the caller promises.
    drop(unsafe { Box::from_raw(peer) });
}

/// # Safety
/// The peer is one of [`rust_peer_new`], alive, and used by nobody else now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_peer_prepare(peer: *mut Box<dyn Peer>) {
    // SAFETY: as the caller promises.
    unsafe { &mut *peer }.prepare();
}

/// 0 when the document is sound.
///
/// # Safety
/// The peer is one of [`rust_peer_new`], alive, and used by nobody else now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_peer_read(peer: *mut Box<dyn Peer>) -> c_int {
    // SAFETY: as the caller promises.
    c_int::from(!unsafe { &mut *peer }.read())
}

/// 0 when the document is sound, and then its counts are filled in.
///
/// # Safety
/// The peer is one of [`rust_peer_new`], alive, and used by nobody else now; there is room for
/// the counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_peer_counts(peer: *mut Box<dyn Peer>, counts: *mut Counts) -> c_int {
    // SAFETY: as the caller promises.
    let (peer, room) = unsafe { (&mut *peer, &mut *counts) };
    peer.prepare();
    match peer.counts() {
        Ok(counts) => {
            *room = counts;
            0
        }
        Err(_) => 1,
    }
}

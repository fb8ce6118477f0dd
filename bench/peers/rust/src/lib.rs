//! The peers that are Rust crates, with a few C functions as their interface: each reads one document repeatedly and
//! returns what it finds in it; or reads and writes one message as typed structs; or many of one kind with the packed
//! encoding rules of ASN.1.

mod json;
mod lookup;
mod per;
mod typed;
mod xml;

use std::ffi::c_int;

use per::Per;
use typed::Typed;

/// Counts as `struct counts` or `struct json_counts` of `counts.h` has them; a look-up has the number
/// it found in the first of them.
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

static MAKERS: [(&str, Maker); 14] = [
    ("quick-xml events", xml::quick_xml),
    ("roxmltree", xml::roxmltree),
    ("uppsala events", xml::uppsala_events),
    ("uppsala dom", xml::uppsala_dom),
    ("sonic-rs value", json::sonic),
    ("simd-json tape", json::simd_json_tape),
    ("simd-json borrowed value", json::simd_json_borrowed),
    ("serde_json value", json::serde_json),
    ("sonic-rs get", lookup::sonic),
    ("sonic-rs get_unchecked", lookup::sonic_unchecked),
    ("simd-json tape look-up", lookup::simd_json_tape),
    ("serde_json visitor", lookup::serde_json),
    ("bson raw document", lookup::bson),
    ("minicbor skip", lookup::minicbor),
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

/// The peer of a name with a message as typed structs, or null where it does not take such messages.
///
/// # Safety
/// All three are as long as said, names are UTF-8, and the document outlives the peer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_typed_new(
    name: *const u8,
    name_len: usize,
    message: *const u8,
    message_len: usize,
    document: *const u8,
    len: usize,
) -> *mut Box<dyn Typed> {
    // SAFETY: as the caller promises; the document is only called static, it dies after the peer.
    let (name, message, document) = unsafe {
        (
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(name, name_len)),
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(message, message_len)),
            std::slice::from_raw_parts::<'static, u8>(document, len),
        )
    };
    match typed::make(name, message, document) {
        Ok(peer) => Box::into_raw(Box::new(peer)),
        Err(error) => {
            eprintln!("{name}, {message}: {error}");
            std::ptr::null_mut()
        }
    }
}

/// # Safety
/// The peer is one of [`rust_typed_new`], not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_typed_free(peer: *mut Box<dyn Typed>) {
    // SAFETY: as the caller promises.
    drop(unsafe { Box::from_raw(peer) });
}

/// The length of the message as the peer writes it.
///
/// # Safety
/// The peer is one of [`rust_typed_new`], alive, and used by nobody else now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_typed_size(peer: *mut Box<dyn Typed>) -> usize {
    // SAFETY: as the caller promises.
    unsafe { &*peer }.message().len()
}

/// Whether the peer reads out of its message what `Debug` writes like this; says so if not.
///
/// # Safety
/// The peer is one of [`rust_typed_new`], alive, and used by nobody else now; the text is as long as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_typed_agrees(peer: *mut Box<dyn Typed>, text: *const u8, len: usize) -> c_int {
    // SAFETY: as the caller promises.
    let (peer, text) = unsafe { (&mut *peer, std::slice::from_raw_parts(text, len)) };
    match peer.read() {
        Ok(found) if found.as_bytes() == text => 1,
        Ok(found) => {
            let at = found.bytes().zip(text).position(|(a, b)| a != *b).unwrap_or(0);
            eprintln!("found {}", String::from_utf8_lossy(&found.as_bytes()[at..(at + 80).min(found.len())]));
            0
        }
        Err(error) => {
            eprintln!("says: {error}");
            0
        }
    }
}

/// Nanoseconds of so many readings.
///
/// # Safety
/// The peer is one of [`rust_typed_new`], alive, and used by nobody else now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_typed_parse(peer: *mut Box<dyn Typed>, times: u32) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { &mut *peer }.parse(times)
}

/// Nanoseconds of so many writings.
///
/// # Safety
/// The peer is one of [`rust_typed_new`], alive, and used by nobody else now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_typed_generate(peer: *mut Box<dyn Typed>, times: u32) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { &mut *peer }.generate(times)
}

/// The peer of a name with messages of a kind under rules, or null where it does not take them; their
/// values are in JSON, one a line.
///
/// # Safety
/// All four are UTF-8 and as long as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_per_new(words: *const [Text; 4]) -> *mut Box<dyn Per> {
    // SAFETY: as the caller promises.
    let [name, kind, rules, json] = unsafe { *words }
        .map(|text| unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(text.at, text.len)) });
    match per::make(name, kind, rules, json) {
        Ok(peer) => Box::into_raw(Box::new(peer)),
        Err(error) => {
            eprintln!("{name}, {kind}, {rules}: {error}");
            std::ptr::null_mut()
        }
    }
}

/// Text of the caller's.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Text {
    at: *const u8,
    len: usize,
}

/// # Safety
/// The peer is one of [`rust_per_new`], not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_per_free(peer: *mut Box<dyn Per>) {
    // SAFETY: as the caller promises.
    drop(unsafe { Box::from_raw(peer) });
}

/// A message as the peer writes it; null where there are not so many.
///
/// # Safety
/// The peer is one of [`rust_per_new`] and alive as long as the message is used; there is room for its
/// length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_per_message(peer: *const Box<dyn Per>, nth: usize, len: *mut usize) -> *const u8 {
    // SAFETY: as the caller promises.
    let (peer, len) = unsafe { (&*peer, &mut *len) };
    peer.messages().get(nth).map_or(std::ptr::null(), |message| {
        *len = message.len();
        message.as_ptr()
    })
}

/// Nanoseconds of decoding so many messages.
///
/// # Safety
/// The peer is one of [`rust_per_new`], alive, and used by nobody else now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_per_decode(peer: *mut Box<dyn Per>, times: u32) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { &mut *peer }.decode(times)
}

/// Nanoseconds of encoding so many.
///
/// # Safety
/// The peer is one of [`rust_per_new`], alive, and used by nobody else now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_per_encode(peer: *mut Box<dyn Per>, times: u32) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { &mut *peer }.encode(times)
}

//! All foreign calls of the program: the peers in C and C++, those in Rust, which are a library
//! of their own, and the clock of a thread.
#![allow(unsafe_code)]
// Which of the peers are there is known only when the program is built.
#![allow(unused_imports, dead_code)]

use std::{
    ffi::{CStr, c_char, c_int},
    time::Duration,
};

use crate::counts::{JsonCounts, XmlCounts};

/// Time that this thread has had a processor; none where the system does not say.
pub(crate) fn thread_time() -> Duration {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the place is ours, and the call does nothing but fill it.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) } == 0 {
            return Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
        }
    }
    Duration::ZERO
}

/// A peer's own state, behind a pointer.
#[repr(C)]
struct Opaque {
    _bytes: [u8; 0],
}

#[cfg(expat)]
pub(crate) use self::expat::Expat;
#[cfg(pugixml)]
pub(crate) use self::pugixml::Pugixml;
#[cfg(rust_peers)]
pub(crate) use self::rust::RustPeer;
#[cfg(simdjson)]
pub(crate) use self::simdjson::{Simdjson, SimdjsonLookup};
pub(crate) use self::typed::TypedPeer;
#[cfg(yyjson)]
pub(crate) use self::yyjson::Yyjson;

#[cfg(expat)]
mod expat {
    use super::*;

    unsafe extern "C" {
        fn expat_new() -> *mut Opaque;
        fn expat_free(tree: *mut Opaque);
        fn expat_parse(tree: *mut Opaque, xml: *const c_char, len: usize) -> c_int;
        fn expat_count(tree: *const Opaque, counts: *mut XmlCounts);
        fn expat_version() -> *const c_char;
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
}

#[cfg(pugixml)]
mod pugixml {
    use super::*;

    unsafe extern "C" {
        fn pugixml_new(keep: c_int) -> *mut Opaque;
        fn pugixml_free(tree: *mut Opaque);
        fn pugixml_parse(tree: *mut Opaque, xml: *mut c_char, len: usize) -> c_int;
        fn pugixml_clear(tree: *mut Opaque);
        fn pugixml_count(tree: *const Opaque, counts: *mut XmlCounts);
        fn pugixml_version() -> c_int;
    }

    /// pugixml in place. Its tree points into the text it was made of, which it has destroyed.
    pub(crate) struct Pugixml(*mut Opaque);

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
            let mut counts = XmlCounts::default();
            // SAFETY: called from `look`, so the text the tree points to is alive.
            unsafe { pugixml_count(self.0, &raw mut counts) };
            counts
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

#[cfg(simdjson)]
mod simdjson {
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
}

#[cfg(yyjson)]
mod yyjson {
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
}

#[cfg(rust_peers)]
mod rust {
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
}

#[cfg(rust_peers)]
mod typed {
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
            (!peer.is_null()).then_some(TypedPeer { peer, document: PhantomData })
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
}

/// Where the library is missing, there are no such peers.
#[cfg(not(rust_peers))]
mod typed {
    use std::{convert::Infallible, marker::PhantomData};

    use crate::timing::Contestant;

    pub(crate) struct TypedPeer<'a>(Infallible, PhantomData<&'a [u8]>);

    impl<'a> TypedPeer<'a> {
        pub(crate) fn new(_: &str, _: &str, _: &'a [u8]) -> Option<TypedPeer<'a>> {
            None
        }

        pub(crate) fn size(&self) -> usize {
            match self.0 {}
        }

        pub(crate) fn agrees(&self, _: &str) -> bool {
            match self.0 {}
        }

        pub(crate) fn parsing(&self, _: &str) -> Contestant<'_> {
            match self.0 {}
        }

        pub(crate) fn generating(&self, _: &str) -> Contestant<'_> {
            match self.0 {}
        }
    }
}

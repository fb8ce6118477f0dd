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

#[cfg(expat)]
mod expat;
#[cfg(gsoap)]
mod gsoap;
#[cfg(libxml2)]
mod libxml2;
#[cfg(not(rust_peers))]
mod missing;
#[cfg(rust_peers)]
mod per;
#[cfg(pugixml)]
mod pugixml;
#[cfg(rust_peers)]
mod rust;
#[cfg(simdjson)]
mod simdjson;
#[cfg(soap_numbers)]
pub(crate) mod soap_numbers;
#[cfg(rust_peers)]
mod typed;
mod validators;
#[cfg(yyjson)]
mod yyjson;

#[cfg(expat)]
pub(crate) use self::expat::{Expat, ExpatEvents};
#[cfg(gsoap)]
pub(crate) use self::gsoap::Gsoap;
#[cfg(libxml2)]
pub(crate) use self::libxml2::Libxml2;
#[cfg(not(rust_peers))]
pub(crate) use self::missing::{PerPeer, TypedPeer};
#[cfg(rust_peers)]
pub(crate) use self::per::PerPeer;
#[cfg(pugixml)]
pub(crate) use self::pugixml::{Pugixml, PugixmlTree};
#[cfg(rust_peers)]
pub(crate) use self::rust::RustPeer;
#[cfg(simdjson)]
pub(crate) use self::simdjson::{Simdjson, SimdjsonLookup};
#[cfg(rust_peers)]
pub(crate) use self::typed::TypedPeer;
pub(crate) use self::validators::{Library, Mode, Validator};
#[cfg(yyjson)]
pub(crate) use self::yyjson::Yyjson;

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

/// A peer's own state, as an opaque pointer.
#[repr(C)]
struct Opaque {
    _bytes: [u8; 0],
}

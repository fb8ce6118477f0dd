//! Lengthwise for C: what `include/lengthwise.h` declares.
//!
//! The crate is the border to C, and the one place of the project where pointers are followed. It has
//! two storeys:
//!
//! * **TSF and PON for devices**, without a heap, recursion or variables of their own: [`tsf`],
//!   [`pon`], [`number`], [`field`]. This code is written for small processors: pointers that are checked once a unit
//!   instead of slices that are checked at every byte, and no path that can panic. The tests hold it
//!   against the crates `tsf` and `pon`, whose answers it must give.
//! * **The other formats** (feature `full`), through handles.
//!
//! # Safety
//! Every function expects of its caller what C functions do: pointers that lead to what they are said
//! to, for as long as it is used; cursors and writers that an `_open` or `_init` function has set up.
//! What a *message* says is never believed.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// What callers have to hold stands above, once.
#![allow(clippy::missing_safety_doc)]
// Functions in C have no other way to take many things.
#![allow(clippy::too_many_arguments)]

pub mod bytes;
pub mod code;
pub mod codec;
pub mod field;
#[cfg(feature = "full")]
pub mod full;
pub mod gather;
mod integer;
mod lookup;
pub mod number;
pub mod out;
pub mod pon;
pub mod row;
mod text;
pub mod tsf;
pub mod types;
mod wanted;

/// There is nothing here that panics; a test of `make test-embedded` looks whether this is linked.
#[cfg(not(any(test, feature = "std")))]
#[panic_handler]
fn lengthwise_panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

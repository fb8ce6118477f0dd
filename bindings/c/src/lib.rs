//! Lengthwise for C: what `include/lengthwise.h` declares.
//!
//! The crate is the C interface, and one of the few places of the project with `unsafe`. It has two layers:
//!
//! * **TSF and PON for devices**, without a heap, recursion or static variables: [`tsf`], [`pon`], [`number`],
//!   [`field`]. This code is written for small processors: pointers that are checked once per unit instead of slices
//!   that are checked at every byte, and no path that can panic. Tests compare its results with those of the crates
//!   `tsf` and `pon`.
//! * **The other formats** (feature `full`), through handles.
//!
//! # Safety
//! Every function has the usual requirements of C: pointers must be valid for as long as they are used, and cursors and
//! writers must have been set up by an `_open` or `_init` function. The content of a *message* is never trusted.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// The requirements for callers are documented above.
#![allow(clippy::missing_safety_doc)]
// C functions with many inputs need many arguments.
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

/// Nothing here panics; a test of `make test-embedded` checks that this is not linked.
#[cfg(not(any(test, feature = "std")))]
#[panic_handler]
fn lengthwise_panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

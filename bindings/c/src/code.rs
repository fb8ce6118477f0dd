//! What functions return: a count, 0, or one of these codes.

use core::ffi::{CStr, c_char};

use crate::bytes::kept;

/// Success.
pub const LW_OK: i32 = 0;
/// The bytes are invalid.
pub const LW_SYNTAX: i32 = -1;
/// The message continues after the end of the bytes: more bytes may complete it.
pub const LW_INCOMPLETE: i32 = -2;
/// A number does not fit, or there are too few rows or too little buffer.
pub const LW_LIMIT: i32 = -3;
/// Valid, but not of the requested type; or TSF of another type set, see `lw_tsf_decode`.
pub const LW_SCHEMA: i32 = -4;
/// Valid, but this function does not support it.
pub const LW_UNSUPPORTED: i32 = -5;
/// Reading or writing a file failed.
pub const LW_IO: i32 = -6;

/// A code, made where it is returned: otherwise the compiler would make it at the start of each function.
#[inline(always)]
pub(crate) fn refused(code: i32) -> i32 {
    !kept(!code as u32) as i32
}

/// The version of the library; that of the header is LENGTHWISE_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn lengthwise_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// A description of what a function returned, beginning with "syntax", "incomplete" and so on, or "ok".
#[unsafe(no_mangle)]
pub extern "C" fn lengthwise_strerror(code: i32) -> *const c_char {
    let words: &CStr = match code {
        0.. => c"ok",
        LW_SYNTAX => c"syntax: invalid bytes",
        LW_INCOMPLETE => c"incomplete: the message continues after the last byte",
        LW_LIMIT => c"limit: a number does not fit, or there are too few rows or too little buffer",
        LW_SCHEMA => c"schema: not of the requested type, or TSF of another type set",
        LW_UNSUPPORTED => c"unsupported: valid, but not supported here",
        LW_IO => c"io: reading or writing failed",
        _ => c"unknown code",
    };
    words.as_ptr()
}

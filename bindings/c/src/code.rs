//! What functions return: a count or 0, or one of these.

use core::ffi::{CStr, c_char};

use crate::bytes::kept;

/// All is well.
pub const LW_OK: i32 = 0;
/// The bytes are not what they should be.
pub const LW_SYNTAX: i32 = -1;
/// The message goes on where the bytes end: more of them may make it whole.
pub const LW_INCOMPLETE: i32 = -2;
/// A number does not fit, or the rows or the buffer do not suffice.
pub const LW_LIMIT: i32 = -3;
/// Sound, but not of the type asked for.
pub const LW_SCHEMA: i32 = -4;
/// Sound, but nothing this function can do.
pub const LW_UNSUPPORTED: i32 = -5;
/// Reading or writing a file failed.
pub const LW_IO: i32 = -6;

/// A code, made where it is returned: the compiler would make it at the function's start, each time.
#[inline(always)]
pub(crate) fn refused(code: i32) -> i32 {
    !kept(!code as u32) as i32
}

/// The words for what a function returned: "syntax", "incomplete" and so on, "ok" for what is no error.
#[unsafe(no_mangle)]
pub extern "C" fn lengthwise_strerror(code: i32) -> *const c_char {
    let words: &CStr = match code {
        0.. => c"ok",
        LW_SYNTAX => c"syntax: the bytes are not what they should be",
        LW_INCOMPLETE => c"incomplete: the message goes on where the bytes end",
        LW_LIMIT => c"limit: a number does not fit, or the rows or the buffer do not suffice",
        LW_SCHEMA => c"schema: not of the type asked for",
        LW_UNSUPPORTED => c"unsupported: sound, but cannot be done",
        LW_IO => c"io: reading or writing failed",
        _ => c"no code of lengthwise",
    };
    words.as_ptr()
}

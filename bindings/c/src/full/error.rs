//! Errors in a struct of the caller.

use core::ffi::c_char;

use lengthwise::{Error, ErrorKind};

use crate::code::{LW_INCOMPLETE, LW_IO, LW_LIMIT, LW_OK, LW_SCHEMA, LW_SYNTAX, LW_UNSUPPORTED};

/// An error and its position. All texts end with a zero, and are truncated if too long.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ErrorOut {
    /// LW_SYNTAX and so on.
    pub code: i32,
    /// The position in bytes from the start of the message.
    pub offset: u64,
    /// For text: the line, from 1; otherwise 0.
    pub line: u64,
    /// For text: the column in characters, from 1; otherwise 0.
    pub column: u64,
    /// The path of the node with the error; empty if there is none.
    pub path: [c_char; 128],
    /// The whole error as a sentence. A long path is shortened in it.
    pub message: [c_char; 256],
}

/// The code for a kind of error.
pub(crate) fn code(kind: ErrorKind) -> i32 {
    match kind {
        ErrorKind::Syntax => LW_SYNTAX,
        ErrorKind::Incomplete => LW_INCOMPLETE,
        ErrorKind::Limit => LW_LIMIT,
        ErrorKind::Schema => LW_SCHEMA,
        ErrorKind::Io => LW_IO,
        _ => LW_UNSUPPORTED,
    }
}

/// Copies an error to the caller, if requested. Returns its code.
pub(crate) unsafe fn fill_error(error: &Error, into: *mut ErrorOut) -> i32 {
    let code = code(error.kind());
    let Some(into) = (unsafe { into.as_mut() }) else { return code };
    let (line, column) = error.position().unwrap_or_default();
    *into = ErrorOut { code, offset: error.offset(), line, column, path: [0; 128], message: [0; 256] };
    copy(error.path(), &mut into.path);
    copy(&sentence(error, into.message.len() - 1), &mut into.message);
    code
}

/// The error as a sentence. If it has more than `most` bytes, the end of its path is left out, so that its reason is kept.
fn sentence(error: &Error, most: usize) -> String {
    const CUT: &str = "...";
    let mut words = error.to_string();
    let path = error.path();
    let longest = path.len().saturating_sub((words.len() + CUT.len()).saturating_sub(most));
    let kept = (0..=longest).rev().find(|&len| path.is_char_boundary(len)).unwrap_or(0);
    if let (true, Some(at)) = (words.len() > most && path.len() > CUT.len(), words.find(path)) {
        words.replace_range(at + kept..at + path.len(), CUT);
    }
    words
}

/// LW_OK, or the code of an error, which is copied to the caller.
pub(crate) unsafe fn outcome(done: Result<(), Error>, into: *mut ErrorOut) -> i32 {
    match done {
        Ok(()) => LW_OK,
        Err(fault) => unsafe { fill_error(&fault, into) },
    }
}

/// Copies as much of a text as fits: whole characters and a zero.
fn copy(text: &str, into: &mut [c_char]) {
    let most = text.len().min(into.len() - 1);
    let len = (0..=most).rev().find(|&len| text.is_char_boundary(len)).unwrap_or(0);
    for (place, &byte) in into.iter_mut().zip(&text.as_bytes()[..len]) {
        *place = byte as c_char;
    }
}

/// An error of the interface itself: an unknown name.
pub(crate) fn unknown(found: &str, expected: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, "c", 0, lengthwise::tam::Words::Own(found.into()), expected)
}

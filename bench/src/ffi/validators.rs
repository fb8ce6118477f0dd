//! The parsers that can hold a document against a schema: libxml2 and Xerces-C.

use std::{ffi::CString, path::Path};

use super::*;

macro_rules! calls {
    ($cfg:ident, $name:ident: $new:ident $free:ident $parse:ident $keep:ident $write:ident $count:ident $version:ident) => {
        #[cfg($cfg)]
        static $name: Calls = {
            unsafe extern "C" {
                fn $new(schema: *const c_char) -> *mut Opaque;
                fn $free(parser: *mut Opaque);
                fn $parse(parser: *mut Opaque, mode: c_int, xml: *const c_char, len: usize) -> c_int;
                fn $keep(parser: *mut Opaque, xml: *const c_char, len: usize) -> c_int;
                fn $write(parser: *mut Opaque, text: *mut *const c_char) -> usize;
                fn $count(parser: *const Opaque, mode: c_int, counts: *mut XmlCounts);
                fn $version() -> *const c_char;
            }
            Calls {
                new: $new,
                free: $free,
                parse: $parse,
                keep: $keep,
                write: $write,
                count: $count,
                version: $version,
            }
        };
    };
}

calls!(libxml2, LIBXML2: libxml2_new libxml2_free libxml2_parse libxml2_keep libxml2_write libxml2_count libxml2_version);
calls!(xerces, XERCES: xerces_new xerces_free xerces_parse xerces_keep xerces_write xerces_count xerces_version);

/// What a library of C has to be asked by.
struct Calls {
    new: unsafe extern "C" fn(*const c_char) -> *mut Opaque,
    free: unsafe extern "C" fn(*mut Opaque),
    parse: unsafe extern "C" fn(*mut Opaque, c_int, *const c_char, usize) -> c_int,
    keep: unsafe extern "C" fn(*mut Opaque, *const c_char, usize) -> c_int,
    write: unsafe extern "C" fn(*mut Opaque, *mut *const c_char) -> usize,
    count: unsafe extern "C" fn(*const Opaque, c_int, *mut XmlCounts),
    version: unsafe extern "C" fn() -> *const c_char,
}

/// How a document is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Events = 0,
    EventsValidated = 1,
    Tree = 2,
    TreeValidated = 3,
}

/// Which of the libraries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Library {
    Libxml2,
    Xerces,
}

impl Library {
    fn calls(self) -> Option<&'static Calls> {
        match self {
            #[cfg(libxml2)]
            Library::Libxml2 => Some(&LIBXML2),
            #[cfg(xerces)]
            Library::Xerces => Some(&XERCES),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }

    /// Its version, where it is there.
    pub(crate) fn version(self) -> Option<String> {
        // SAFETY: the call gives a constant string closed by a zero.
        self.calls().map(|calls| unsafe { CStr::from_ptr((calls.version)()) }.to_string_lossy().into_owned())
    }
}

/// A parser with a schema in it. Its calls change the state, and are made one after another.
pub(crate) struct Validator {
    calls: &'static Calls,
    parser: *mut Opaque,
}

impl Validator {
    /// `None` where the library is missing; an error where it cannot read the schema.
    pub(crate) fn new(library: Library, schema: &Path) -> Option<Result<Validator, String>> {
        let calls = library.calls()?;
        let Ok(path) = CString::new(schema.as_os_str().as_encoded_bytes()) else {
            return Some(Err("no name of a file".into()));
        };
        // SAFETY: the path is closed by a zero and outlives the call.
        let parser = unsafe { (calls.new)(path.as_ptr()) };
        Some(if parser.is_null() { Err("cannot read the schema".into()) } else { Ok(Validator { calls, parser }) })
    }

    /// Reads a document; whether it is sound, and valid where that is looked at.
    pub(crate) fn parse(&self, mode: Mode, xml: &[u8]) -> bool {
        // SAFETY: the parser is ours and alive, and the slice lasts longer than the call.
        unsafe { (self.calls.parse)(self.parser, mode as c_int, xml.as_ptr().cast(), xml.len()) == 0 }
    }

    /// Builds a tree that stays, to be counted or written.
    pub(crate) fn keep(&self, xml: &[u8]) -> bool {
        // SAFETY: as above.
        unsafe { (self.calls.keep)(self.parser, xml.as_ptr().cast(), xml.len()) == 0 }
    }

    /// Writes the tree that was kept; `look` gets the text.
    pub(crate) fn write<R>(&self, look: impl FnOnce(&[u8]) -> R) -> R {
        let mut text = std::ptr::null();
        // SAFETY: as above; the text is the parser's until the next call, and as long as said.
        let text = unsafe {
            let len = (self.calls.write)(self.parser, &raw mut text);
            if len == 0 { &[][..] } else { std::slice::from_raw_parts(text.cast::<u8>(), len) }
        };
        look(text)
    }

    /// What was in the document that was read last by events, or in the tree that was kept.
    pub(crate) fn counts(&self, mode: Mode) -> XmlCounts {
        let mut counts = XmlCounts::default();
        // SAFETY: as above; the counts are laid out as in counts.h.
        unsafe { (self.calls.count)(self.parser, mode as c_int, &raw mut counts) };
        counts
    }
}

impl Drop for Validator {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and dropped once.
        unsafe { (self.calls.free)(self.parser) }
    }
}

//! Messages as documents, for access by paths.

use core::ffi::c_char;
use core::ptr::null;

use lengthwise::tam::{Document, Table, TypeSet};

use crate::code::{LW_OK, LW_SCHEMA};
use crate::full::convert::format;
use crate::full::error::ErrorOut;
use crate::full::handle;
use crate::full::options::{Given, OptionsIn};
use crate::full::schema::{bytes, word};

/// A document. Opaque. Any number of threads may read one.
#[derive(Debug)]
pub struct DocumentHandle {
    message: Vec<u8>,
    table: Table<'static>,
    types: Box<TypeSet>,
}

impl DocumentHandle {
    fn document(&self) -> Document<'_> {
        self.table.document(&self.message, &self.types)
    }
}

/// Reads a message of a format that needs no schema into a document with its own memory. `options` may be NULL for the
/// defaults.
///
/// Returns the document, for lengthwise_document_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_document_read(
    message: *const c_char,
    len: usize,
    from: *const c_char,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut DocumentHandle {
    let read = || {
        let from = unsafe { format(from) }?;
        let given = unsafe { Given::of(options, null()) }?;
        let options = given.options(from, None)?;
        let message = unsafe { bytes(message, len) }.to_vec();
        let mut table = Table::new();
        let document = lengthwise::read(&message, from, &options, &mut table)?;
        let types = Box::new(document.types().clone());
        // The text of a document may be outside of its message, or in a message of its own.
        let text = document.texts().0;
        let other = (text.as_ptr() != message.as_ptr()).then(|| text.to_vec());
        let message = other.unwrap_or(message);
        Ok(DocumentHandle { message, table, types })
    };
    unsafe { handle::give(read(), error) }
}

/// Finds the value at a path such as "/readings/0/t", or "" for the whole message: its data and type character. The data
/// belongs to the document. `data`, `len` and `kind` must not be NULL.
///
/// The type characters are those of TSF (lw_types_value, lw_types_json, lw_types_xml), whatever the format. A document of
/// JSON has the type set `json`: `kind` is `'` for strings, numbers, booleans and null alike, and the data is their token
/// with quotes and escapes. One of PON has the set `value`, and its data is decoded. Objects and arrays have no data; their
/// members are found by paths: items are 0, 1 and so on, up to the first that is LW_SCHEMA.
///
/// Returns LW_OK, or LW_SCHEMA if there is nothing at the path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_document_get(
    document: &DocumentHandle,
    path: *const c_char,
    data: &mut *const c_char,
    len: &mut usize,
    kind: &mut c_char,
) -> i32 {
    let Ok(Some(path)) = (unsafe { word(path) }) else { return LW_SCHEMA };
    match document.document().get(path) {
        Ok(node) => {
            *kind = node.kind() as c_char;
            let value = node.value();
            (*data, *len) = (value.as_ptr().cast(), value.len());
            LW_OK
        }
        Err(_) => LW_SCHEMA,
    }
}

/// Releases a document. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_document_free(document: *mut DocumentHandle) {
    unsafe { handle::release(document) };
}

//! Schemas, which are loaded once and used by any number of conversions.

use core::ffi::c_char;
use std::sync::Arc;

use lengthwise::Schema;

use crate::full::error::{ErrorOut, unknown};
use crate::full::handle;
use crate::full::options::{self, OptionsIn};

/// A schema. Opaque.
#[derive(Debug)]
pub struct SchemaHandle(pub(crate) Arc<Schema>);

/// Loads an ASN.1 module in notation, `len` bytes of UTF-8. `root` is the type of messages; it may be NULL if there is
/// exactly one type that no other refers to. The limits in `options` apply to the notation; NULL means the defaults.
///
/// Returns the schema, for lengthwise_schema_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_schema_load(
    notation: *const c_char,
    len: usize,
    root: *const c_char,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut SchemaHandle {
    let load = || {
        let text = unsafe { bytes(notation, len) };
        let text = core::str::from_utf8(text).map_err(|_| unknown("other bytes", "notation in UTF-8"))?;
        let limits = unsafe { options::limits(options) }?;
        let schema = Schema::from_notation(&[("", text)], &limits).map_err(|fault| fault.error)?;
        match unsafe { word(root) }? {
            Some(root) => schema.with_root(root),
            None => Ok(schema),
        }
    };
    unsafe { handle::give(load().map(|schema| SchemaHandle(Arc::new(schema))), error) }
}

/// Releases a schema. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_schema_free(schema: *mut SchemaHandle) {
    unsafe { handle::release(schema) };
}

/// The bytes at a pointer, which may be NULL if there are none.
pub(crate) unsafe fn bytes<'a>(at: *const c_char, len: usize) -> &'a [u8] {
    unsafe { items(at.cast(), len) }
}

/// The items at a pointer, which may be NULL if there are none.
pub(crate) unsafe fn items<'a, T>(at: *const T, count: usize) -> &'a [T] {
    if count == 0 { &[] } else { unsafe { core::slice::from_raw_parts(at, count) } }
}

/// A word that ends with a zero, or `None`.
pub(crate) unsafe fn word<'a>(at: *const c_char) -> Result<Option<&'a str>, lengthwise::Error> {
    if at.is_null() {
        return Ok(None);
    }
    let word = unsafe { core::ffi::CStr::from_ptr(at) }.to_str();
    word.map(Some).map_err(|_| unknown("other bytes", "a name in UTF-8"))
}

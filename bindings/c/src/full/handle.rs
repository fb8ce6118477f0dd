//! Handles: values of Rust that C holds by a pointer.

use lengthwise::Error;

use crate::full::error::{ErrorOut, fill_error};

/// Hands over what was made, or NULL and its error.
pub(crate) unsafe fn give<T>(made: Result<T, Error>, error: *mut ErrorOut) -> *mut T {
    match made {
        Ok(made) => Box::into_raw(Box::new(made)),
        Err(fault) => {
            unsafe { fill_error(&fault, error) };
            core::ptr::null_mut()
        }
    }
}

/// Releases what was handed over, if anything.
pub(crate) unsafe fn release<T>(handle: *mut T) {
    if !handle.is_null() {
        drop(unsafe { Box::from_raw(handle) });
    }
}

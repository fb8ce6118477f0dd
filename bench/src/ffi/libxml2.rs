//! libxml2: messages as records, read by its tree and written by its writer.

use super::*;

unsafe extern "C" {
    fn libxml2_message_read(xml: *const c_char, len: usize) -> *mut Opaque;
    fn libxml2_message_free(message: *mut Opaque);
    fn libxml2_message_write(message: *const Opaque, buffer: *mut Opaque) -> usize;
    fn libxml2_buffer_new() -> *mut Opaque;
    fn libxml2_buffer_free(buffer: *mut Opaque);
    fn libxml2_buffer_text(buffer: *mut Opaque) -> *const c_char;
    fn libxml2_version() -> *const c_char;
}

/// A message of the table `tdxml` in records, and a buffer to write it into.
pub(crate) struct Libxml2 {
    message: *mut Opaque,
    buffer: *mut Opaque,
}

impl Libxml2 {
    /// Reads a document; nothing where it is no message.
    pub(crate) fn read(xml: &[u8]) -> Option<Libxml2> {
        // SAFETY: the slice lasts longer than the call, which gives what is ours to free, or null.
        let message = unsafe { libxml2_message_read(xml.as_ptr().cast(), xml.len()) };
        // Made only where there is one: what is dropped is freed.
        (!message.is_null()).then(|| Libxml2 { message, buffer: std::ptr::null_mut() })
    }

    /// Writes it; how long the text is.
    pub(crate) fn write(&mut self) -> usize {
        if self.buffer.is_null() {
            // SAFETY: takes nothing.
            self.buffer = unsafe { libxml2_buffer_new() };
        }
        // SAFETY: both are ours and alive.
        unsafe { libxml2_message_write(self.message, self.buffer) }
    }

    /// What was written last.
    pub(crate) fn text(&self) -> &[u8] {
        if self.buffer.is_null() {
            return b"";
        }
        // SAFETY: the buffer is alive, and its text is closed by a zero.
        unsafe { CStr::from_ptr(libxml2_buffer_text(self.buffer)) }.to_bytes()
    }

    pub(crate) fn version() -> String {
        // SAFETY: a constant string closed by a zero.
        unsafe { CStr::from_ptr(libxml2_version()) }.to_string_lossy().into_owned()
    }
}

impl Drop for Libxml2 {
    fn drop(&mut self) {
        // SAFETY: made by the functions above, and dropped once.
        unsafe {
            libxml2_message_free(self.message);
            if !self.buffer.is_null() {
                libxml2_buffer_free(self.buffer);
            }
        }
    }
}

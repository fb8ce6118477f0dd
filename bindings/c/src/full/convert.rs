//! Converts messages between formats.

use core::ffi::{c_char, c_void};

use lengthwise::{Base64, Error, Format, Losses};

use crate::code::{LW_LIMIT, LW_OK};
use crate::full::error::{ErrorOut, fill_error, unknown};
use crate::full::options::{Given, OptionsIn};
use crate::full::schema::{SchemaHandle, bytes, word};

/// Where results are stored: memory of the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Allocator {
    /// Returns memory of `bytes` bytes, or NULL. It gets `context`.
    pub allocate: Option<unsafe extern "C" fn(context: *mut c_void, bytes: usize) -> *mut c_void>,
    /// Passed to `allocate`.
    pub context: *mut c_void,
}

/// Converts a message of `len` bytes from one format to another. The names of formats are those of the command: "xml",
/// "json", "tsf", "pon", "infoset-uper", "infoset-aper", "infoset-ber", "uper", "aper", "ber", "der", "cer", "oer",
/// "coer", "asn1", "tdxml". Formats that need a schema get it in `schema`, which may otherwise be NULL; a schema without
/// effect for the two formats is LW_UNSUPPORTED. `options` may be NULL for the defaults.
///
/// The result is stored in memory from `allocator`, which then belongs to the caller. Without one (NULL) the memory
/// belongs to the library; release it with lengthwise_free.
///
/// Returns LW_OK; otherwise a code, fills `*error` (which may be NULL), and leaves `*out` and `*out_len` unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_convert(
    message: *const c_char,
    len: usize,
    from: *const c_char,
    to: *const c_char,
    schema: *const SchemaHandle,
    options: *const OptionsIn,
    allocator: *const Allocator,
    out: &mut *mut c_char,
    out_len: &mut usize,
    error: *mut ErrorOut,
) -> i32 {
    let convert = || {
        let (from, to) = (unsafe { format(from) }?, unsafe { format(to) }?);
        let given = unsafe { Given::of(options, schema) }?;
        lengthwise::convert(unsafe { bytes(message, len) }, from, to, &given.options(from, Some(to))?)
    };
    match convert() {
        Ok(result) => unsafe { hand_over(result, allocator, out, out_len) },
        Err(fault) => unsafe { fill_error(&fault, error) },
    }
}

/// Compares a message with what lengthwise_convert made of it by the same schema and options, and says what that dropped or
/// changed: "2 comments dropped (line 1, column 4, in /a)", with commas between kinds. `words` has room for `room` bytes;
/// longer words are cut there. They end with a NUL, and are empty if everything was kept, and each name in the setting
/// "binary-from-base64" has strings that became binary data. Names without are named: "no string in a member 'image'".
///
/// Returns the length that the words have without the NUL; or a code, and fills `*error` (which may be NULL), if the result
/// cannot be read back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_losses(
    message: *const c_char,
    len: usize,
    from: *const c_char,
    converted: *const c_char,
    converted_len: usize,
    to: *const c_char,
    schema: *const SchemaHandle,
    options: *const OptionsIn,
    words: *mut c_char,
    room: usize,
    error: *mut ErrorOut,
) -> i32 {
    let compare = || {
        let (from, to) = (unsafe { format(from) }?, unsafe { format(to) }?);
        let given = unsafe { Given::of(options, schema) }?;
        let (message, converted) = unsafe { (bytes(message, len), bytes(converted, converted_len)) };
        let options = given.options(from, Some(to))?;
        let losses = Losses::between(message, from, converted, to, &options)?.to_string();
        let unmet = match options.binary_from_base64 {
            which @ Base64::Members(_) => lengthwise::convert_counted(message, from, to, &options)?.1.unmet(which),
            _ => None,
        };
        Ok([losses, unmet.unwrap_or_default()]
            .into_iter()
            .filter(|words| !words.is_empty())
            .collect::<Vec<_>>()
            .join("; "))
    };
    match compare() {
        Ok(report) => {
            let longest = report.len().min(room.saturating_sub(1));
            let cut = (0..=longest).rev().find(|&at| report.is_char_boundary(at)).unwrap_or(0);
            if room > 0 {
                unsafe {
                    words.cast::<u8>().copy_from_nonoverlapping(report.as_ptr(), cut);
                    words.add(cut).write(0);
                }
            }
            i32::try_from(report.len()).unwrap_or(i32::MAX)
        }
        Err(fault) => unsafe { fill_error(&fault, error) },
    }
}

/// The format with a name.
pub(crate) unsafe fn format(name: *const c_char) -> Result<Format, Error> {
    let name = unsafe { word(name) }?.unwrap_or("");
    Format::from_name(name).ok_or_else(|| unknown(name, "the name of a format"))
}

unsafe fn hand_over(result: Vec<u8>, allocator: *const Allocator, out: &mut *mut c_char, out_len: &mut usize) -> i32 {
    let len = result.len();
    let place = match unsafe { allocator.as_ref() } {
        Some(Allocator { allocate: Some(allocate), context }) => {
            let place = unsafe { allocate(*context, len) }.cast::<u8>();
            if place.is_null() {
                return LW_LIMIT;
            }
            unsafe { place.copy_from_nonoverlapping(result.as_ptr(), len) };
            place
        }
        _ => Box::into_raw(result.into_boxed_slice()).cast(),
    };
    *out = place.cast();
    *out_len = len;
    LW_OK
}

/// Releases what lengthwise_convert stored in memory of the library. `len` must be its `*out_len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_free(out: *mut c_char, len: usize) {
    if !out.is_null() {
        drop(unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(out.cast::<u8>(), len)) });
    }
}

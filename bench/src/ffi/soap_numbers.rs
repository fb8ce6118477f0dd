//! expat and pugixml reading the numbers of SOAP messages.

use super::*;

unsafe extern "C" {
    #[cfg(expat)]
    fn expat_numbers(kind: c_int, xml: *const c_char, len: usize) -> std::ffi::c_long;
    #[cfg(pugixml)]
    fn pugixml_numbers(kind: c_int, xml: *mut c_char, len: usize) -> std::ffi::c_long;
    fn soap_numbers_item(kind: c_int, item: std::ffi::c_long) -> f64;
}

/// The items of a message of doubles (0) or ints (1), read by expat; gives their number.
#[cfg(expat)]
pub(crate) fn by_expat(kind: u8, xml: &[u8]) -> Option<usize> {
    // SAFETY: the slice lasts longer than the call.
    usize::try_from(unsafe { expat_numbers(kind.into(), xml.as_ptr().cast(), xml.len()) }).ok()
}

/// The items of a message, read by pugixml in place: the message is none any more.
#[cfg(pugixml)]
pub(crate) fn by_pugixml(kind: u8, xml: &mut [u8]) -> Option<usize> {
    // SAFETY: the slice is ours alone, and lasts longer than the call.
    usize::try_from(unsafe { pugixml_numbers(kind.into(), xml.as_mut_ptr().cast(), xml.len()) }).ok()
}

/// The items that the last call gave the number of.
pub(crate) fn items(kind: u8, count: usize) -> Vec<f64> {
    // SAFETY: there are so many, as that call said.
    (0..count).map(|item| unsafe { soap_numbers_item(kind.into(), item as std::ffi::c_long) }).collect()
}

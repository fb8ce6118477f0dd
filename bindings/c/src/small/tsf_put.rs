//! A unit is written, in the least flash: piece by piece.

use core::ffi::c_char;

use crate::add::add_behind;
use crate::bytes::gap;
use crate::out::{Number, Out};
use crate::text::decimal;

/// [`lw_tsf_put`](crate::tsf::writer::lw_tsf_put).
#[inline(always)]
pub(crate) unsafe fn put_unit(out: &mut Out, name: *const c_char, name_len: u32, data: *const u8, len: u32) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        let start = decimal(end, len);
        let out = add_behind(&raw mut *out, start, gap(start, end));
        let out = add_behind(out, name.cast(), name_len);
        if !data.is_null() {
            add_behind(out, data, len);
        }
    }
}

//! Writes a unit, optimized for speed: computes its size first, then writes it at once.

use core::ffi::c_char;

use crate::bytes::{copy, kept};
use crate::out::{Out, seldom, width};
use crate::text::decimal;

/// [`lw_tsf_put`](crate::tsf::writer::lw_tsf_put).
#[inline(always)]
pub(crate) unsafe fn put_unit(out: &mut Out, name: *const c_char, name_len: u32, data: *const u8, len: u32) {
    unsafe {
        let out = &raw mut *out;
        let here = if data.is_null() { 0 } else { len };
        let mut digits = 1;
        if len >= 10 {
            digits = width(len);
        }
        let at = (*out).len;
        if !count(&mut *out, digits + name_len, here) {
            return;
        }
        let mut place = (*out).buffer.cast::<u8>().wrapping_add(at as usize);
        if digits == 1 {
            place.write(len as u8 + b'0');
            place = place.wrapping_add(1);
        } else {
            seldom();
            place = place.wrapping_add(digits as usize);
            decimal(place, len);
        }
        copy(copy(place, name.cast(), name_len), data, here);
    }
}

/// Counts bytes of a head and of data. Returns whether there is room for them.
#[inline(always)]
fn count(out: &mut Out, head: u32, data: u32) -> bool {
    let mut len = out.len.wrapping_add(head).wrapping_add(data);
    // No buffer is this large, so nothing later fits either.
    if ((len | data) as i32) < 0 {
        len = kept(1 << 31);
    }
    out.len = len;
    len <= out.capacity
}

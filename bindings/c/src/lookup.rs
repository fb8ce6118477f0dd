//! Looks up a name among rows, optimized for speed: names are compared as written, unless they are extended.

use core::ffi::c_char;

use crate::bytes::{ESCAPE, Name, kept, same_before, unlike};
use crate::code::refused;

/// Looks up a name among the `count` rows of a run. `name_of` returns the start and length of a row's name, and whether
/// it is extended.
#[inline(always)]
pub(crate) unsafe fn search(
    is_run: bool,
    first: u32,
    count: u32,
    hint: &mut u32,
    name: *const c_char,
    name_len: u32,
    name_of: impl Fn(u32) -> (*const u8, u32, bool),
) -> i32 {
    unsafe {
        if !is_run {
            return refused(-1);
        }
        let mut at = *hint;
        let mut left = count;
        while left != 0 {
            if at.wrapping_sub(first) >= count {
                at = first;
            }
            let (place, len, extended) = name_of(at);
            let found = if extended {
                unlike_extended(place, len, name, name_len) == 0
            } else {
                let (end, wanted_end) = (place.add(len as usize), name.cast::<u8>().wrapping_add(len as usize));
                len == name_len && same_before(end, wanted_end, kept(len))
            };
            if found {
                *hint = at + 1;
                return at as i32;
            }
            at += 1;
            left -= 1;
        }
        refused(-1)
    }
}

/// 0 if an extended name is the wanted one.
#[cold]
#[inline(never)]
unsafe fn unlike_extended(place: *const u8, len: u32, wanted: *const c_char, wanted_len: u32) -> u32 {
    let Ok(wanted_len) = u16::try_from(wanted_len) else { return 1 };
    let wanted = Name { name: wanted, len: wanted_len, code: 0 };
    unsafe { unlike(place, place.add(len as usize), ESCAPE, &wanted) }
}

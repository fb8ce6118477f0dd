//! A name among rows, in the least flash: compared as the cursor does.

use core::ffi::c_char;
use core::mem::MaybeUninit;

use crate::bytes::{ESCAPE, Name, is_name, kept, made, plain};

/// Looks a name up among the `count` rows of a run, if it is one. `name_of` tells their names: where they begin, their
/// bytes, and whether they are extended.
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
        // No row has a name of so many bytes.
        if name_len >> 16 == 0 && is_run {
            let mut wanted = MaybeUninit::<Name>::uninit();
            let wanted = wanted.as_mut_ptr();
            (&raw mut (*wanted).name).write(name);
            let len = &raw mut (*wanted).len;
            if cfg!(target_endian = "little") {
                // With no code, a word at once.
                len.cast::<u32>().write(name_len);
            } else {
                len.write(name_len as u16);
            }
            let mut at = *hint;
            let mut left = count;
            while left != 0 {
                if at.wrapping_sub(first) >= count {
                    at = first;
                }
                let (place, len, extended) = name_of(at);
                let mut escape = kept(ESCAPE);
                if !extended {
                    // Which no byte is.
                    escape = kept(!escape);
                }
                let found = is_name(place, plain(place.add(len as usize)), escape, wanted);
                at = kept(at + 1);
                if found {
                    *hint = at;
                    return at as i32 - 1;
                }
                left = kept(left - 1);
            }
        }
        !made::<0>() as i32
    }
}

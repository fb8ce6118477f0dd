//! Which of the names that are looked for a unit has, in the least flash: all of them are asked for again behind the last.

use crate::bytes::{Name, Named, gap, is_name, kept, late};

/// No list of names.
pub(crate) const NO_NAMES: *const Name = core::ptr::null();

/// The name of the unit ends at `end`, which is left in `value`: what the readers return for it. It is looked for in the
/// list from `due` on, and then from the first. `escape` as for [`is_name`].
#[inline(never)]
pub(crate) unsafe fn code(unit: *mut Named, end: *const u8, escape: u32) -> i32 {
    unsafe {
        (*unit).value = end.cast();
        (*unit).name_len = gap((*unit).name.cast(), end);
        let escape = &raw const escape;
        if !(*unit).names.is_null() {
            let mut start = (*unit).due;
            loop {
                let mut at = start;
                loop {
                    let wanted = at;
                    at = at.add(1);
                    let code = Name::code(wanted);
                    if code < 0 {
                        break;
                    }
                    let (name, end) = (late(&raw const (*unit).name), late(&raw const (*unit).value));
                    if is_name(name.cast(), end.cast(), late(escape), wanted) {
                        (*unit).due = at;
                        return code;
                    }
                }
                let first = late(&raw const (*unit).names);
                if start == first {
                    break;
                }
                start = first;
            }
        }
        kept(1) as i32
    }
}

//! Finds the wanted name of a unit, if it has one.

use crate::bytes::{Cursor, Name, gap, is_name, kept, late};
use crate::code::LW_SYNTAX;

/// An empty list of names, and the end of any list: LW_NAMES_END. No unit has its name, because it begins with a digit,
/// and a key with such a `\` is invalid; so its code is the right result.
pub(crate) const NO_NAMES: *const Name = &raw const END;

static END: Name = Name { name: (&raw const NO_NAME).cast(), len: NO_NAME.len() as u16, code: LW_SYNTAX as i16 };
// Not a C literal, because the linker keeps all of these together.
static NO_NAME: [u8; 3] = *b"0\\0";

/// Stores the end of the unit's name in `value`, and returns what the readers return for the name. The search begins at
/// `due`, and continues at the first of the list. `escape` as for [`is_name`].
#[inline(never)]
pub(crate) unsafe fn code(unit: *mut Cursor, end: *const u8, escape: u32) -> i32 {
    unsafe {
        (*unit).value = end.cast();
        (*unit).name_len = gap((*unit).name.cast(), end);
        let escape = &raw const escape;
        // In an empty list, the name that is due does not count.
        if Name::code((*unit).names) >= 0 {
            let start = (*unit).due;
            let mut at = start;
            loop {
                let wanted = at;
                at = at.add(1);
                let code = Name::code(wanted);
                if code < 0 {
                    at = late(&raw const (*unit).names);
                } else {
                    let (name, end) = (late(&raw const (*unit).name), late(&raw const (*unit).value));
                    if is_name(name.cast(), end.cast(), late(escape), wanted) {
                        (*unit).due = at;
                        return code;
                    }
                }
                if at == start {
                    break;
                }
            }
        }
        kept(1) as i32
    }
}

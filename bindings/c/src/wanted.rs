//! Which of the names that are looked for a unit has.

use crate::bytes::{Cursor, Name, gap, is_name, kept, late};
use crate::code::LW_SYNTAX;

/// A list of no names, and the end of any: LW_NAMES_END. Its name is no unit's, because it begins with a digit, and a key
/// with such a `\` is none: what the readers would return for it is right.
pub(crate) const NO_NAMES: *const Name = &raw const END;

static END: Name = Name { name: (&raw const NO_NAME).cast(), len: NO_NAME.len() as u16, code: LW_SYNTAX as i16 };
// No literal of C: all of them come together.
static NO_NAME: [u8; 3] = *b"0\\0";

/// The name of the unit ends at `end`, which is left in `value`: what the readers return for it. It is looked for in the
/// list from `due` on, and then from the first. `escape` as for [`is_name`].
#[inline(never)]
pub(crate) unsafe fn code(unit: *mut Cursor, end: *const u8, escape: u32) -> i32 {
    unsafe {
        (*unit).value = end.cast();
        (*unit).name_len = gap((*unit).name.cast(), end);
        let escape = &raw const escape;
        // The one that is due may be none of an empty list.
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

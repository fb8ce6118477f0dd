//! The step to the next unit, in the least flash: every name is looked for from its start.

use core::ffi::c_char;

use crate::bytes::{ESCAPE, gap, kept, made, plain};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SYNTAX};
use crate::tsf::cursor::{Tsf, lw_tsf_next};
use crate::types::Class;
use crate::wanted;

/// [`lw_tsf_next`](crate::tsf::cursor::lw_tsf_next).
#[inline(always)]
pub(crate) unsafe fn next(cursor: *mut Tsf) -> i32 {
    unsafe {
        let owed = (*cursor).owed;
        if kept(owed) == 0 {
            return owed as i32;
        }
        let mut p = (*cursor).at.cast::<u8>();
        let end = plain((*cursor).end.cast());
        let mut number = made::<0>();
        let why;
        'why: {
            'cut: {
                loop {
                    if p == end {
                        break 'cut;
                    }
                    let digit = kept(u32::from(*p).wrapping_sub(48));
                    if digit > 9 {
                        break;
                    }
                    // A sum that has lost a bit is less than most of it.
                    let most = kept(number << 3);
                    let more = most.wrapping_add(number << 1).wrapping_add(digit);
                    if number >> 29 != 0 || more < most {
                        why = made::<{ LW_LIMIT.unsigned_abs() as u8 }>();
                        break 'why;
                    }
                    number = more;
                    p = plain(p.add(1));
                }
                if p == (*cursor).at.cast() {
                    why = made::<{ LW_SYNTAX.unsigned_abs() as u8 }>();
                    break 'why;
                }
                (*cursor).len = number;
                let mut escape = kept(ESCAPE);
                if *p == b'"' {
                    p = plain(p.add(1));
                } else {
                    // Which no byte is.
                    escape = kept(!escape);
                }
                (*cursor).name = p.cast();
                let (mut c, mut class);
                loop {
                    // A `\` may have stood last.
                    if p >= end {
                        break 'cut;
                    }
                    c = kept((*p).into());
                    class = Class::of((*cursor).types, c);
                    if class.is_type() {
                        break;
                    }
                    p = plain(p.add(1));
                    if c == escape {
                        p = plain(p.add(1));
                    }
                }
                (*cursor).kind = c as c_char;
                (*cursor).holds = class.holds();
                let code = wanted::code(Tsf::named(cursor), p, escape);
                p = plain(p.add(1));
                (*cursor).value = p.cast();
                let mut left = gap(p, end);
                let number = (*cursor).len;
                if number > left {
                    break 'cut;
                }
                let mut owed = (*cursor).owed - 1;
                if (*cursor).is_structured() {
                    owed = kept(owed + number);
                } else {
                    left = kept(left - number);
                    p = plain(p.add(number as usize));
                }
                // Units take two bytes each at the least.
                if left / 2 < owed {
                    break 'cut;
                }
                (*cursor).owed = owed;
                (*cursor).at = p.cast();
                return code;
            }
            why = made::<{ LW_INCOMPLETE.unsigned_abs() as u8 }>();
        }
        (why as i32).wrapping_neg()
    }
}

/// Why no unit begins where the cursor is.
#[inline(always)]
pub(crate) unsafe fn fault(cursor: *mut Tsf) -> i32 {
    unsafe {
        (*cursor).owed = 1;
        let code = lw_tsf_next(&mut *cursor);
        (*cursor).owed = 0;
        code
    }
}

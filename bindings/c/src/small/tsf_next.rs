//! The step to the next unit, in the least flash: every name is looked for from its start.

use crate::bytes::{again, gap, kept, plain};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SYNTAX, refused};
use crate::tsf::cursor::{Tsf, other_name};

/// [`lw_tsf_next`](crate::tsf::cursor::lw_tsf_next).
#[inline(always)]
pub(crate) unsafe fn next(cursor: *mut Tsf) -> i32 {
    unsafe {
        if (*cursor).owed == 0 {
            return 0;
        }
        let mut code = fault(cursor);
        if code == 0 {
            code = other_name(cursor);
            if code != 0 {
                let mut p = (*cursor).value.cast::<u8>();
                p = plain(p.add(1));
                (*cursor).value = p.cast();
                let number = (*cursor).len;
                let mut left = gap(p, (*cursor).end.cast());
                if number <= left {
                    let mut owed = (*cursor).owed - 1;
                    if (*cursor).is_structured() {
                        owed = kept(owed + number);
                    } else {
                        left = kept(left - number);
                        p = plain(p.add(number as usize));
                    }
                    // Units take two bytes each at the least.
                    if left / 2 >= owed {
                        (*cursor).owed = owed;
                        (*cursor).at = p.cast();
                        return code;
                    }
                }
            }
            code = refused(LW_INCOMPLETE);
        }
        code
    }
}

/// Reads the number that a unit begins with into `len`, and leaves in `name` where it ends: 0, or why none is there.
#[inline(never)]
pub(crate) unsafe fn fault(cursor: *mut Tsf) -> i32 {
    unsafe {
        let mut p = (*cursor).at.cast::<u8>();
        let mut number = kept(0);
        let mut why = kept(LW_SYNTAX.unsigned_abs());
        loop {
            if p == again(&raw const (*cursor).end).cast() {
                why = kept(LW_INCOMPLETE.unsigned_abs());
                break;
            }
            let digit = kept(u32::from(*p).wrapping_sub(48));
            if digit > 9 {
                break;
            }
            p = plain(p.add(1));
            let more = number.wrapping_mul(10).wrapping_add(digit);
            if number > u32::MAX / 10 || more < digit {
                why = kept(LW_LIMIT.unsigned_abs());
                break;
            }
            number = more;
            why = 0;
        }
        (*cursor).len = number;
        (*cursor).name = p.cast();
        (why as i32).wrapping_neg()
    }
}

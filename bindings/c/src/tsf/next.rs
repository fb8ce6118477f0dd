//! The step to the next unit, for speed: the name that is due is compared before another is looked for.

use core::ffi::c_char;

use crate::bytes::{again, gap, kept, plain, same_before};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SYNTAX, refused};
use crate::tsf::cursor::{LONGEST, Tsf, other_name};
use crate::types::Class;

/// [`lw_tsf_next`](crate::tsf::cursor::lw_tsf_next).
#[inline(always)]
pub(crate) unsafe fn next(cursor: *mut Tsf) -> i32 {
    unsafe {
        // What the cursor holds is read from it again where it is needed: there are few registers.
        if again(&raw const (*cursor).owed) == 0 {
            return 0;
        }
        let mut p = again(&raw const (*cursor).at).cast::<u8>();
        'fault: {
            let mut number = u32::from(*p).wrapping_sub(48);
            if number > 9 {
                break 'fault;
            }
            loop {
                p = plain(p.add(1));
                let digit = u32::from(*p).wrapping_sub(48);
                if digit > 9 {
                    break;
                }
                if p.add(1) == again(&raw const (*cursor).end).cast() || number > LONGEST / 10 {
                    break 'fault;
                }
                number = number * 10 + digit;
            }
            (*cursor).len = number;
            (*cursor).name = p.cast();
            let (mut kind, mut class, code);
            'found: {
                'other: {
                    let due = (*cursor).due;
                    let len = u32::from((*due).len);
                    if gap(p, again(&raw const (*cursor).end).cast()) <= len {
                        break 'other;
                    }
                    (*cursor).name_len = len;
                    p = plain(p.wrapping_add(len as usize));
                    // A plain name does not begin with a quotation mark, nor does one that is looked for.
                    let name = plain((*due).name.cast::<u8>().wrapping_add(len as usize));
                    if !same_before(p, name, len) {
                        break 'other;
                    }
                    kind = *p;
                    class = Class::of(again(&raw const (*cursor).types), kind.into());
                    if !class.is_type() {
                        break 'other;
                    }
                    code = (*due).code.into();
                    (*cursor).due = due.add(1);
                    break 'found;
                }
                code = other_name(cursor);
                if code == 0 {
                    break 'fault;
                }
                p = again(&raw const (*cursor).value).cast();
                kind = *p;
                class = Class::of_type(again(&raw const (*cursor).types), kind);
            }
            (*cursor).kind = kind as c_char;
            (*cursor).holds = class.holds();
            p = p.add(1);
            (*cursor).value = p.cast();
            let number = again(&raw const (*cursor).len);
            // Neither number is beyond 30 bits.
            let mut left = gap(p, again(&raw const (*cursor).end).cast()) as i32;
            let mut owed = again(&raw const (*cursor).owed) - 1;
            if class.is_units() {
                owed = kept(owed + number);
            } else {
                left -= number as i32;
                p = p.wrapping_add(number as usize);
            }
            if left < (owed * 2) as i32 {
                break 'fault;
            }
            (*cursor).owed = owed;
            (*cursor).at = p.cast();
            return code;
        }
        fault(cursor)
    }
}

/// Why no unit begins where the cursor is: no digit, a number beyond what 32 bits hold, or too few bytes.
#[cold]
#[inline(never)]
pub(crate) unsafe fn fault(cursor: *mut Tsf) -> i32 {
    unsafe {
        let (mut at, end) = ((*cursor).at.cast::<u8>(), (*cursor).end.cast());
        let mut number = 0u32;
        let mut code = LW_SYNTAX;
        while at != end {
            let digit = u32::from(*at).wrapping_sub(48);
            if digit > 9 {
                return code;
            }
            let more = number.wrapping_mul(10).wrapping_add(digit);
            if number > u32::MAX / 10 || more < digit {
                return refused(LW_LIMIT);
            }
            number = more;
            code = refused(LW_INCOMPLETE);
            at = plain(at.add(1));
        }
        refused(LW_INCOMPLETE)
    }
}

//! Moves to the next unit, optimized for speed: the name that is due is compared before any other.

use core::ffi::c_char;

use crate::bytes::{ESCAPE, FEW_REGISTERS, again, gap, kept, no_escape, plain, same_before};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SYNTAX, refused};
use crate::tsf::cursor::{Tsf, is_long};
use crate::types::Class;
use crate::wanted;

/// [`lw_tsf_next`](crate::tsf::cursor::lw_tsf_next).
#[inline(always)]
pub(crate) unsafe fn next(cursor: *mut Tsf) -> i32 {
    unsafe {
        // Fields of the cursor are read again on processors with few registers.
        let (bytes_end, units) = ((*cursor).end.cast::<u8>(), (*cursor).owed);
        let place = &raw const (*cursor).end;
        let end = || if FEW_REGISTERS { again(place).cast() } else { bytes_end };
        let mut owed = if FEW_REGISTERS { again(&raw const (*cursor).owed) } else { units };
        if owed == 0 {
            return 0;
        }
        'fault: {
            let mut p = again(&raw const (*cursor).at).cast::<u8>();
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
                if p.add(1) == end() || is_long(number) {
                    break 'fault;
                }
                number = number * 10 + digit;
            }
            if FEW_REGISTERS {
                (*cursor).len = number;
            }
            (*cursor).name = p.cast();
            let (mut code, kind, class);
            let mut compare = true;
            loop {
                'found: {
                    'other: {
                        if !compare {
                            break 'other;
                        }
                        let due = (*cursor).due;
                        let len = u32::from((*due).len);
                        if gap(p, end()) <= len {
                            break 'other;
                        }
                        (*cursor).name_len = len;
                        p = plain(p.wrapping_add(len as usize));
                        // A plain name does not begin with a quotation mark, and neither does one to look for.
                        let name = plain((*due).name.cast::<u8>().wrapping_add(len as usize));
                        if !same_before(p, name, len) {
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
                }
                let c = (*p).into();
                let found = Class::of(again(&raw const (*cursor).types), c);
                if found.is_type() {
                    (kind, class) = (c, found);
                    break;
                }
                // The name only begins like the one due, which stays due.
                (*cursor).due = (*cursor).due.sub(1);
                compare = false;
            }
            (*cursor).kind = kind as c_char;
            (*cursor).holds = class.holds();
            p = p.add(1);
            (*cursor).value = p.cast();
            if FEW_REGISTERS {
                number = again(&raw const (*cursor).len);
            } else {
                (*cursor).len = number;
            }
            // Neither number exceeds 30 bits.
            let mut left = gap(p, end()) as i32;
            owed = if FEW_REGISTERS { again(&raw const (*cursor).owed) } else { owed } - 1;
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

/// Finds the end of any name of the unit, and stores it in `value`. Returns what [`next`] returns; 0 if the name does
/// not end.
#[inline(never)]
unsafe fn other_name(cursor: *mut Tsf) -> i32 {
    unsafe {
        let mut p = (*cursor).name.cast::<u8>();
        let end = (*cursor).end.cast::<u8>();
        let types = (*cursor).types;
        let escape;
        if *p == b'"' {
            p = p.add(1);
            (*cursor).name = p.cast();
            escape = ESCAPE;
        } else {
            escape = no_escape();
        }
        loop {
            // The last byte may have been a `\`.
            if p >= end {
                return 0;
            }
            let c = (*p).into();
            if Class::of(types, c).is_type() {
                break;
            }
            p = plain(p.wrapping_add(1));
            if c == escape {
                p = plain(p.wrapping_add(1));
            }
        }
        wanted::code(cursor.cast(), p, escape)
    }
}

/// Why no unit begins at the cursor: no digit, a number of more than 32 bits, or too few bytes.
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
            at = at.add(1);
        }
        refused(LW_INCOMPLETE)
    }
}

//! The step to the next value, in the least flash: every key is looked for from its start, and a length is read as any
//! number is.

use core::ffi::c_char;
use core::mem::MaybeUninit;

use crate::bytes::{ESCAPE, again, character_len, gap, kept, made, plain};
use crate::code::{LW_INCOMPLETE, LW_SYNTAX};
use crate::integer::{U32, integer};
use crate::pon::cursor::{Pon, has_length};
use crate::wanted;

/// [`lw_pon_next`](crate::pon::cursor::lw_pon_next).
#[inline(always)]
pub(crate) unsafe fn next(cursor: *mut Pon) -> i32 {
    unsafe {
        let mut p = (*cursor).at.cast::<u8>();
        let end = plain((*cursor).end.cast());
        if p == end {
            return 0;
        }
        // On the stack: there are few registers.
        let mut code = made::<1>() as i32;
        let code = &raw mut code;
        (*cursor).key = p.cast();
        (*cursor).key_len = made::<0>();
        let mut why;
        'why: {
            'syntax: {
                'cut: {
                    if (*cursor).inside as u8 == b'{' {
                        let mut escaped = made::<0>();
                        loop {
                            let mut c = kept((*p).into());
                            if c == u32::from(b':') {
                                break;
                            }
                            p = plain(p.add(1));
                            if c == ESCAPE {
                                escaped = made::<1>();
                                if p == end {
                                    break 'syntax;
                                }
                                c = kept((*p).into());
                                if c != u32::from(b':') && c != ESCAPE {
                                    break 'syntax;
                                }
                                p = plain(p.add(1));
                            }
                            if p == end {
                                break 'syntax;
                            }
                        }
                        (&raw mut (*cursor).escaped).cast::<u8>().write(escaped as u8);
                        code.write_volatile(wanted::code(Pon::named(cursor), p, ESCAPE));
                        // Behind the `:`.
                        p = plain(p.add(1));
                    }
                    if p == end {
                        break 'cut;
                    }
                    let mut kind = kept((*p).into());
                    (*cursor).kind = kind as c_char;
                    // The data of a boolean is its type.
                    let mut len = made::<1>();
                    if kind != u32::from(b't') && kind != u32::from(b'f') {
                        'typed: {
                            if kind == u32::from(b'b') {
                                break 'typed;
                            }
                            len = made::<0>();
                            if kind == u32::from(b'u') {
                                break 'typed;
                            }
                            if kind == u32::from(b'c') {
                                let data = plain(p.add(1));
                                let left = gap(data, end);
                                if left == 0 {
                                    break 'cut;
                                }
                                len = character_len(data, left) as u32;
                                if len as i32 > 0 {
                                    break 'typed;
                                }
                                if len == 0 {
                                    break 'syntax;
                                }
                                break 'cut;
                            }
                            // A length, behind which a type follows, or may.
                            let start = plain(p);
                            loop {
                                kind = kept((*p).into());
                                if kept(kind.wrapping_sub(48)) > 9 {
                                    break;
                                }
                                p = plain(p.add(1));
                                kind = kept(b'i'.into());
                                if p == end {
                                    break;
                                }
                            }
                            let digits = gap(start, p);
                            // More digits than any number has are too many, whatever follows.
                            (*cursor).kind = kind as c_char;
                            if digits <= 10 && !has_length(kind) {
                                break 'syntax;
                            }
                            let mut number = MaybeUninit::uninit();
                            let found = integer(start, digits, &mut *number.as_mut_ptr(), U32);
                            if found != 0 {
                                return found;
                            }
                            len = number.as_ptr().read();
                        }
                        // The type, if it is there, and the data.
                        if len >= gap(p, end) {
                            break 'cut;
                        }
                        p = plain(p.add(1));
                    }
                    (*cursor).value = p.cast();
                    (*cursor).len = len;
                    (*cursor).at = p.wrapping_add(len as usize).cast();
                    return code.read_volatile();
                }
                // What is cut may go on behind the message; inside a container it is as wrong as anything else.
                why = made::<{ LW_INCOMPLETE.unsigned_abs() as u8 }>();
                if again(&raw const (*cursor).inside) == 0 {
                    break 'why;
                }
            }
            why = made::<{ LW_SYNTAX.unsigned_abs() as u8 }>();
        }
        (why as i32).wrapping_neg()
    }
}

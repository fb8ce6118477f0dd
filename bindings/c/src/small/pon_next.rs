//! The step to the next value, in the least flash: every key is looked for from its start, and a length is read as any
//! number is.

use core::ffi::c_char;

use crate::bytes::{again, character_len, gap, kept, plain};
use crate::code::{LW_INCOMPLETE, LW_SYNTAX};
use crate::number::{self, U32};
use crate::pon::cursor::{Pon, has_length, other_key};

/// [`lw_pon_next`](crate::pon::cursor::lw_pon_next).
#[inline(always)]
pub(crate) unsafe fn next(cursor: *mut Pon) -> i32 {
    unsafe {
        let mut p = (*cursor).at.cast::<u8>();
        if p == (*cursor).end.cast() {
            return 0;
        }
        let mut code = 1;
        (*cursor).key = p.cast();
        (*cursor).key_len = 0;
        let inside = &raw const (*cursor).inside;
        if again(inside) as u8 == b'{' {
            code = other_key(cursor);
            if code < 0 {
                return code;
            }
            // Behind the `:`.
            p = plain((*cursor).value.cast::<u8>().add(1));
        }
        let place = &raw const (*cursor).end;
        let end = || again(place).cast::<u8>();
        let mut why;
        'why: {
            'syntax: {
                'cut: {
                    if p == end() {
                        break 'cut;
                    }
                    let mut kind = *p;
                    (*cursor).kind = kind as c_char;
                    // The data of a boolean is its type.
                    (*cursor).len = 1;
                    if kind != b't' && kind != b'f' {
                        'typed: {
                            if kind == b'b' {
                                break 'typed;
                            }
                            (*cursor).len = 0;
                            if kind == b'u' {
                                break 'typed;
                            }
                            if kind == b'c' {
                                let data = plain(p.add(1));
                                let left = gap(data, end());
                                if left == 0 {
                                    break 'cut;
                                }
                                let len = character_len(data, left);
                                (*cursor).len = len as u32;
                                if len > 0 {
                                    break 'typed;
                                }
                                if len == 0 {
                                    break 'syntax;
                                }
                                break 'cut;
                            }
                            // A length, behind which a type follows, or may.
                            let start = p;
                            loop {
                                kind = *p;
                                if kept(u32::from(kind).wrapping_sub(48)) > 9 {
                                    break;
                                }
                                p = plain(p.add(1));
                                kind = b'i';
                                if p == end() {
                                    break;
                                }
                            }
                            let digits = gap(start, p);
                            // More digits than any number has are too many, whatever follows.
                            if digits <= 10 && !has_length(kind) {
                                break 'syntax;
                            }
                            (*cursor).kind = kind as c_char;
                            let found = number::integer(start, digits, &mut (*cursor).len, U32);
                            if found != 0 {
                                return found;
                            }
                        }
                        // The type, if it is there, and the data.
                        if again(&raw const (*cursor).len) >= gap(p, end()) {
                            break 'cut;
                        }
                        p = plain(p.add(1));
                    }
                    (*cursor).value = p.cast();
                    (*cursor).at = p.wrapping_add(again(&raw const (*cursor).len) as usize).cast();
                    return code;
                }
                // What is cut may go on behind the message; inside a container it is as wrong as anything else.
                why = kept(LW_INCOMPLETE.unsigned_abs());
                if again(inside) == 0 {
                    break 'why;
                }
            }
            why = LW_SYNTAX.unsigned_abs();
        }
        (why as i32).wrapping_neg()
    }
}

//! Moves to the next value, optimized for speed: the key that is due is compared before any other.

use core::ffi::c_char;

use crate::bytes::{ESCAPE, again, character_len, gap, kept, late, plain, same_before};
use crate::code::{LW_INCOMPLETE, LW_SYNTAX, refused};
use crate::integer::{U32, integer};
use crate::pon::cursor::{Pon, has_length};
use crate::wanted;

/// [`lw_pon_next`](crate::pon::cursor::lw_pon_next).
#[inline(always)]
pub(crate) unsafe fn next(cursor: *mut Pon) -> i32 {
    unsafe {
        // Fields of the cursor are read again when needed, because there are few registers.
        let mut p = again(&raw const (*cursor).at).cast::<u8>();
        if p == again(&raw const (*cursor).end).cast() {
            return 0;
        }
        let mut code = 1;
        (*cursor).key = p.cast();
        'rest: {
            'found: {
                if again(&raw const (*cursor).inside) as u8 == b'{' {
                    'other: {
                        let due = (*cursor).due;
                        let len = u32::from((*due).len);
                        p = plain(p.wrapping_add(len as usize));
                        // A `:` and two more bytes; otherwise the remaining number is negative.
                        if (gap(p, again(&raw const (*cursor).end).cast()) as i32) < 3 {
                            break 'other;
                        }
                        (*cursor).key_len = len;
                        if *p != b':' {
                            break 'other;
                        }
                        // Neither the key looked for nor this one needs escapes.
                        let name = plain((*due).name.cast::<u8>().wrapping_add(len as usize));
                        if !same_before(p, name, len) {
                            break 'other;
                        }
                        // [`rest`] begins here.
                        (*cursor).value = p.cast();
                        code = (*due).code.into();
                        (*cursor).due = due.add(1);
                        break 'found;
                    }
                    code = other_key(cursor);
                    if code < 0 {
                        return code;
                    }
                    p = again(&raw const (*cursor).value).cast();
                } else {
                    (*cursor).key_len = 0;
                    p = p.wrapping_sub(1);
                    (*cursor).value = p.cast();
                }
                if gap(p, again(&raw const (*cursor).end).cast()) < 3 {
                    break 'rest;
                }
            }
            // From here on `p` is one byte after.
            let mut len = u32::from(*p.wrapping_add(1)).wrapping_sub(48);
            if len > 9 {
                break 'rest;
            }
            let mut kind;
            loop {
                p = plain(p.wrapping_add(1));
                kind = *p.add(1);
                // Most likely a number.
                if kind == b'i' {
                    break;
                }
                let digit = u32::from(kind).wrapping_sub(48);
                if digit > 9 {
                    if !has_length(kind.into()) {
                        break 'rest;
                    }
                    break;
                }
                if len == 0 {
                    break 'rest;
                }
                len = len * 10 + digit;
                // A type and this many bytes must follow; so another byte can be read, and the next digit fits.
                if len.wrapping_add(1) >= gap(p, again(&raw const (*cursor).end).cast()) {
                    break 'rest;
                }
            }
            p = p.add(2);
            if len > gap(p, again(&raw const (*cursor).end).cast()) {
                break 'rest;
            }
            (*cursor).kind = kind as c_char;
            (*cursor).value = p.cast();
            (*cursor).len = len;
            (*cursor).at = p.wrapping_add(len as usize).cast();
            return code;
        }
        rest(cursor, code)
    }
}

/// Finds the end of any key, and stores it in `value`. Returns what [`next`] returns.
#[inline(never)]
unsafe fn other_key(cursor: *mut Pon) -> i32 {
    unsafe {
        let end = (*cursor).end.cast::<u8>();
        let mut p = (*cursor).key.cast::<u8>();
        let mut escaped = kept(0);
        loop {
            let c = *p;
            if c == b':' {
                break;
            }
            p = plain(p.add(1));
            if c == b'\\' {
                escaped = 1;
                if p == end || (*p != b':' && *p != b'\\') {
                    return refused(LW_SYNTAX);
                }
                p = p.add(1);
            }
            if p == end {
                return refused(LW_SYNTAX);
            }
        }
        // The value is 0 or 1 already.
        (&raw mut (*cursor).escaped).cast::<u8>().write(escaped as u8);
        wanted::code(cursor.cast(), p, ESCAPE)
    }
}

// These types are checked twice.
const T: u32 = b't' as u32;
const F: u32 = b'f' as u32;
const C: u32 = b'c' as u32;

/// Reads a value that begins with its type: a boolean, null, a byte, a character. Otherwise returns why there is no
/// valid value after the key.
#[inline(never)]
unsafe fn rest(cursor: *mut Pon, mut code: i32) -> i32 {
    unsafe {
        let place = &raw const (*cursor).end;
        let end = || again(place).cast::<u8>();
        let mut p = (*cursor).value.cast::<u8>().wrapping_add(1);
        let inside = &raw const (*cursor).inside;
        let mut why;
        'why: {
            'syntax: {
                'cut: {
                    if p == end() {
                        break 'cut;
                    }
                    let kind = u32::from(*p);
                    (*cursor).kind = kind as c_char;
                    // The data of a boolean is its type.
                    let mut len = 1;
                    if kind != T && kind != F {
                        'typed: {
                            if kind == u32::from(b'b') || kind == C {
                                break 'typed;
                            }
                            len = 0;
                            if kind == u32::from(b'u') {
                                break 'typed;
                            }
                            // A length, after which a type follows, or may follow.
                            let start = p;
                            let mut after;
                            loop {
                                after = *p;
                                if kept(u32::from(after).wrapping_sub(48)) > 9 {
                                    break;
                                }
                                p = p.add(1);
                                after = b'i';
                                if p == end() {
                                    break;
                                }
                            }
                            let digits = gap(start, p);
                            // More digits than any number has are an error, whatever follows.
                            if digits <= 10 && !has_length(after.into()) {
                                break 'syntax;
                            }
                            code = integer(start, digits, &mut (*cursor).len, U32);
                            if code != 0 {
                                return code;
                            }
                            break 'cut;
                        }
                        p = plain(p.add(1));
                        let left = gap(p, end());
                        if len as u32 > left {
                            break 'cut;
                        }
                        if kind == C {
                            len = character_len(p, left);
                            if len == 0 {
                                break 'syntax;
                            }
                            if len < 0 {
                                break 'cut;
                            }
                        }
                    }
                    (*cursor).value = p.cast();
                    (*cursor).len = len as u32;
                    (*cursor).at = p.wrapping_add(len as usize).cast();
                    return code;
                }
                // A truncated value may continue after the message. Inside a container it is invalid.
                why = kept(LW_INCOMPLETE.unsigned_abs());
                if late(inside) == 0 {
                    break 'why;
                }
            }
            why = LW_SYNTAX.unsigned_abs();
        }
        (why as i32).wrapping_neg()
    }
}

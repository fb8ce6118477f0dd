//! A struct of the caller's from a message and into one, in one call.
//!
//! The fields come in the order of the messages, mostly. So a name is not looked for: the bytes behind
//! a unit's number are compared with the name and the type of the field that is due, and only where they
//! differ is the name read for its own sake.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use crate::bytes::{gap, plain};
use crate::code::{LW_SCHEMA, LW_UNSUPPORTED};
use crate::field::{
    Field, LEVELS, LW_BOOL, LW_BYTES, LW_END, LW_FIXED1, LW_I32, LW_OBJECT_OF, LW_TEXT, LW_U32, TSF_TYPES, Text,
    behind, integer, search, store, type_of,
};
use crate::number;
use crate::out::Out;
use crate::tsf::cursor::{LONGEST, Tsf, fault, lw_tsf_next, lw_tsf_skip};
use crate::tsf::writer::{lw_tsf_put, lw_tsf_put_fixed, lw_tsf_put_i32, lw_tsf_put_u32, lw_tsf_put_units};

/// Reads the message at an open cursor, an object of the type set `value`, into a struct. Text and bytes stay in the
/// message, which `struct lw_text` points into. What the message does not have is left as it is, and so
/// is what is null in it.
///
/// Returns how many fields were filled; LW_SCHEMA where a member is of another type than its field; LW_SYNTAX or
/// LW_LIMIT for a number that is none or does not fit; otherwise as `lw_tsf_next`. The cursor is then at the unit
/// at fault, and fields may be filled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_decode(cursor: &mut Tsf, fields: *const Field, into: *mut c_void) -> i32 {
    unsafe {
        let code = outermost(cursor);
        if code <= 0 {
            return code;
        }
        let mut due = fields;
        // Steps of `due` that filled no field.
        let mut empty = 0;
        let mut p = cursor.at.cast::<u8>();
        let end = cursor.end.cast::<u8>();
        // Bytes that the units owed take at the least, and those of them that are behind the object.
        let mut owed = 2 * cursor.owed;
        let mut after = 0;
        let mut open = [MaybeUninit::<u32>::uninit(); LEVELS];
        let mut depth = 0;
        'units: loop {
            cursor.at = p.cast();
            while owed == after {
                if depth == 0 {
                    cursor.owed = 0;
                    return steps(fields, due) - empty;
                }
                depth -= 1;
                after = (*open.as_ptr().add(depth)).assume_init();
                let (next, _) = behind(due);
                empty += steps(due, next);
                due = next;
            }
            let mut number;
            'found: {
                'other: {
                    number = u32::from(*p).wrapping_sub(48);
                    if number > 9 {
                        break 'other;
                    }
                    p = plain(p.add(1));
                    let mut digit = u32::from(*p).wrapping_sub(48);
                    while digit <= 9 {
                        p = plain(p.add(1));
                        if p == end || number > LONGEST / 10 {
                            break 'other;
                        }
                        number = number * 10 + digit;
                        digit = u32::from(*p).wrapping_sub(48);
                    }
                    let mut left = u32::from((*due).name_len);
                    if gap(p, end) <= left {
                        break 'other;
                    }
                    let wanted = type_of(&TSF_TYPES, (*due).kind);
                    let name = plain((*due).name.cast::<u8>().wrapping_sub(1));
                    p = p.wrapping_add(left as usize);
                    if *p != wanted {
                        break 'other;
                    }
                    // Backwards, from the byte before the type.
                    let first = plain(p.wrapping_sub(left as usize + 1));
                    loop {
                        if *first.wrapping_add(left as usize) != *name.wrapping_add(left as usize) {
                            break 'other;
                        }
                        left = left.wrapping_sub(1);
                        if left == 0 {
                            break;
                        }
                    }
                    p = p.add(1);
                    break 'found;
                }
                cursor.owed = owed / 2;
                let other = other(cursor, fields, due);
                if other.code <= 0 {
                    if other.code < 0 {
                        return other.code;
                    }
                    p = cursor.at.cast();
                    owed = 2 * cursor.owed;
                    continue 'units;
                }
                empty += steps(due, other.field);
                due = other.field;
                number = cursor.len;
                p = cursor.value.cast();
            }
            owed -= 2;
            let kind = (*due).kind;
            let field = due;
            due = due.add(1);
            if kind == LW_OBJECT_OF {
                if depth == LEVELS {
                    return LW_UNSUPPORTED;
                }
                (*open.as_mut_ptr().add(depth)).write(after);
                depth += 1;
                empty += 1;
                after = owed;
                owed += 2 * number;
                if owed > gap(p, end) {
                    return fault(cursor.at.cast(), end);
                }
                continue;
            }
            if number + owed > gap(p, end) {
                return fault(cursor.at.cast(), end);
            }
            // What most fields are goes the short way.
            let code = if kind.wrapping_sub(LW_I32) <= LW_U32 - LW_I32 {
                let place = into.cast::<u8>().add((*field).offset as usize);
                number::integer(p, number, kind == LW_I32, &mut *place.cast())
            } else {
                store(field, into.cast(), p, number)
            };
            if code < 0 {
                return code;
            }
            p = p.add(number as usize);
        }
    }
}

/// How many fields lie between two.
#[inline(always)]
fn steps(from: *const Field, to: *const Field) -> i32 {
    (to as usize as i32).wrapping_sub(from as usize as i32) / size_of::<Field>() as i32
}

/// Goes into the outermost unit, which should be an object: 1, or why not.
#[inline(always)]
unsafe fn outermost(cursor: &mut Tsf) -> i32 {
    unsafe {
        let p = cursor.at.cast::<u8>();
        // What every message begins with that this library writes.
        if cursor.owed == 1 && *p.add(1) == b'{' {
            let units = u32::from(*p).wrapping_sub(48);
            if units <= 9 && 2 * units <= gap(p, cursor.end.cast()) - 2 {
                cursor.at = p.add(2).cast();
                cursor.owed = units;
                return 1;
            }
        }
        let code = lw_tsf_next(cursor);
        if code > 0 && cursor.kind as u8 != b'{' { LW_SCHEMA } else { code }
    }
}

/// What a unit is that is not the one due.
struct Other {
    /// 1: the field's, which the cursor is at; 0: none that is wanted, and it is passed; or an error.
    code: i32,
    field: *const Field,
}

/// Reads the unit that the cursor stands before, for its own sake.
#[cold]
#[inline(never)]
unsafe fn other(cursor: &mut Tsf, fields: *const Field, due: *const Field) -> Other {
    unsafe {
        let start = cursor.at;
        let mut code = lw_tsf_next(cursor);
        let mut field = core::ptr::null();
        if code > 0 {
            field = search(fields, due, cursor.name, cursor.name_len, cursor.extended);
            let kind = cursor.kind as u8;
            if field.is_null() || kind == b'~' {
                code = lw_tsf_skip(cursor);
            } else {
                let wanted = type_of(&TSF_TYPES, (*field).kind);
                if kind != wanted && (wanted != b'%' || kind != b'#') {
                    code = LW_SCHEMA;
                }
                cursor.at = start;
            }
        }
        Other { code, field }
    }
}

/// Writes a struct as a message: an object of the type set `value` without a name, of all the fields, in their
/// order. `lw_tsf_finish` tells how it went.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_encode(out: &mut Out, fields: *const Field, from: *const c_void) {
    unsafe {
        let mut at = fields;
        let mut depth = 0;
        lw_tsf_put_units(out, core::ptr::null(), 0, b'{' as _, behind(fields).1);
        loop {
            let field = &*at;
            at = at.add(1);
            let (name, len) = (field.name, u32::from(field.name_len));
            let place = from.cast::<u8>().add(field.offset as usize);
            match field.kind {
                LW_END => {
                    if depth == 0 {
                        return;
                    }
                    depth -= 1;
                }
                LW_OBJECT_OF => {
                    depth += 1;
                    lw_tsf_put_units(out, name, len, b'{' as _, behind(at).1);
                }
                LW_TEXT | LW_BYTES => {
                    let text = &*place.cast::<Text>();
                    lw_tsf_put(out, name, len, type_of(&TSF_TYPES, field.kind) as _, text.data.cast(), text.len);
                }
                LW_BOOL => {
                    let word = if *place == 0 { c"f" } else { c"t" };
                    lw_tsf_put(out, name, len, b'?' as _, word.as_ptr().cast(), 1);
                }
                LW_U32 => lw_tsf_put_u32(out, name, len, b'#' as _, *place.cast()),
                LW_FIXED1.. => {
                    let decimals = u32::from(field.kind - LW_FIXED1 + 1);
                    lw_tsf_put_fixed(out, name, len, b'%' as _, *place.cast(), decimals);
                }
                _ => lw_tsf_put_i32(out, name, len, b'#' as _, integer(field, from.cast())),
            }
        }
    }
}

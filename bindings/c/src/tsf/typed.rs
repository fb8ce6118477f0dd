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
    Field, LEVELS, LW_BOOL, LW_BYTES, LW_END, LW_FIXED1, LW_OBJECT_OF, LW_TEXT, LW_U32, TSF_TYPES, Text, behind,
    integer, search, store, type_of,
};
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
        let mut units = outermost(cursor);
        if units < 0 {
            return units;
        }
        let mut due = fields;
        // Steps of `due` that filled no field.
        let mut empty = 0;
        let mut p = cursor.at.cast::<u8>();
        let end = cursor.end.cast::<u8>();
        // The units left of the objects that are open.
        let mut open = [MaybeUninit::<i32>::uninit(); LEVELS];
        let mut depth = 0;
        'units: loop {
            units -= 1;
            cursor.at = p.cast();
            while units < 0 {
                if depth == 0 {
                    cursor.owed = 0;
                    return steps(fields, due) - empty;
                }
                depth -= 1;
                units = (*open.as_ptr().add(depth)).assume_init() - 1;
                let (next, _) = behind(due);
                empty += steps(due, next);
                due = next;
            }
            p = unit_due(cursor, end, due);
            if p.is_null() {
                let other = other(cursor, fields, due);
                if other.code <= 0 {
                    if other.code < 0 {
                        return other.code;
                    }
                    p = cursor.at.cast();
                    continue 'units;
                }
                empty += steps(due, other.field);
                due = other.field;
                p = cursor.value.cast();
            }
            let number = cursor.len;
            let field = due;
            let kind = (*due).kind;
            due = due.add(1);
            if kind == LW_OBJECT_OF {
                if depth == LEVELS {
                    return LW_UNSUPPORTED;
                }
                (*open.as_mut_ptr().add(depth)).write(units);
                depth += 1;
                empty += 1;
                units = number as i32;
                continue;
            }
            let code = store(field, into.cast(), p, number);
            if code < 0 {
                return code;
            }
            p = p.add(number as usize);
        }
    }
}

/// Where the data begins of the unit before which the cursor stands, if it is the one that is due; its number is
/// left in the cursor. Null where it is another, or is not whole.
#[inline(never)]
unsafe fn unit_due(cursor: &mut Tsf, end: *const u8, due: *const Field) -> *const u8 {
    unsafe {
        let mut p = cursor.at.cast::<u8>();
        let mut left = u32::from((*due).name_len);
        // A digit, the name, a type.
        if gap(p, end) > left + 1 {
            let mut number = u32::from(*p).wrapping_sub(48);
            let mut digit = number;
            p = plain(p.add(1));
            if digit <= 9 {
                loop {
                    digit = u32::from(*p).wrapping_sub(48);
                    if digit > 9 {
                        break;
                    }
                    p = plain(p.add(1));
                    // Another look whether there is room for the name.
                    if gap(p, end) <= left || number > LONGEST / 10 {
                        return core::ptr::null();
                    }
                    number = number * 10 + digit;
                }
                cursor.len = number;
                let first = plain(p.wrapping_sub(1));
                p = p.wrapping_add(left as usize);
                if *p == type_of(&TSF_TYPES, (*due).kind) {
                    let name = plain((*due).name.cast::<u8>().wrapping_sub(1));
                    // Backwards, from the byte before the type.
                    while *first.wrapping_add(left as usize) == *name.wrapping_add(left as usize) {
                        left = left.wrapping_sub(1);
                        if left == 0 {
                            p = p.add(1);
                            return if number <= gap(p, end) { p } else { core::ptr::null() };
                        }
                    }
                }
            }
        }
        core::ptr::null()
    }
}

/// How many fields lie between two.
#[inline(always)]
fn steps(from: *const Field, to: *const Field) -> i32 {
    (to as usize as i32).wrapping_sub(from as usize as i32) / size_of::<Field>() as i32
}

/// Goes into the outermost unit, which should be an object: the count of units in it, or why not.
#[inline(always)]
unsafe fn outermost(cursor: &mut Tsf) -> i32 {
    unsafe {
        let p = cursor.at.cast::<u8>();
        // What every message begins with that this library writes.
        if cursor.owed == 1 && *p.add(1) == b'{' {
            let units = u32::from(*p).wrapping_sub(48);
            if units <= 9 {
                cursor.at = p.add(2).cast();
                return units as i32;
            }
        }
        let code = lw_tsf_next(cursor);
        if code > 0 && cursor.kind as u8 == b'{' {
            cursor.len as i32
        } else if code < 0 {
            code
        } else {
            LW_SCHEMA
        }
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
        let mut field = core::ptr::null();
        if gap(start.cast(), cursor.end.cast()) < 2 {
            return Other { code: fault(start.cast(), cursor.end.cast()), field };
        }
        cursor.owed = 1;
        let mut code = lw_tsf_next(cursor);
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

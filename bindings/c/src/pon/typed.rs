//! A struct of the caller's from a message and into one, in one call.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

use crate::bytes::{ESCAPE, Name, again};
use crate::code::{LW_SCHEMA, LW_UNSUPPORTED, refused};
use crate::field::{
    Field, LEVELS, LW_BOOL, LW_BYTES, LW_END, LW_FIXED1, LW_OBJECT_OF, LW_TEXT, LW_U32, Text, behind, integer, search,
    store_other,
};
use crate::integer;
use crate::out::{Out, fixed_width, signed_width, width};
use crate::pon::cursor::{Pon, lw_pon_enter, lw_pon_next};
use crate::pon::place::{place, put_data, put_end, put_key, put_length};
use crate::pon::writer::lw_pon_end;

/// Reads the message at an open cursor, an object, into a struct. Text and bytes stay in the message, which
/// `struct lw_text` points into. What the message does not have is left as it is, and so is what is null in it.
///
/// Returns how many fields were filled, and `at` is where the message ends; LW_SCHEMA where a member is of
/// another type than its field; LW_SYNTAX or LW_LIMIT for a number that is none or does not fit; LW_UNSUPPORTED
/// for a decimal one with LW_NO_DECIMALS; otherwise as
/// `lw_pon_next`. The cursor is then at the member at fault, and fields may be filled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_decode(cursor: &mut Pon, fields: *const Field, into: *mut c_void) -> i32 {
    unsafe {
        let code = lw_pon_next(cursor);
        if code <= 0 || cursor.kind as u8 != b'{' {
            return if code < 0 { code } else { refused(LW_SCHEMA) };
        }
        let cursor = &raw mut *cursor;
        lw_pon_enter(cursor, cursor);
        let mut due = fields;
        let mut ends = MaybeUninit::<[*const c_char; LEVELS]>::uninit();
        let ends = (&raw mut ends).cast::<*const c_char>();
        let mut wanted = MaybeUninit::<Name>::uninit();
        let wanted = wanted.as_mut_ptr();
        // How many objects are open around the one that is read, and DEPTHS times the fields that are filled.
        let mut state = 0;
        let state = &raw mut state;
        let result = loop {
            // The field that is due is the name that is looked for; where fields end there is none.
            if (*due).kind == LW_END {
                (*cursor).due = (*cursor).names;
            } else {
                wanted.write(Name { name: (*due).name, len: (*due).name_len.into(), code: DUE as i16 });
                (*cursor).due = wanted;
            }
            let mut code = lw_pon_next(&mut *cursor);
            if code <= 0 {
                let depth = again(state) % DEPTHS;
                if code < 0 || depth == 0 {
                    break if code < 0 { code } else { (again(state) / DEPTHS) as i32 };
                }
                state.write(again(state) - 1);
                (*cursor).end = *ends.wrapping_add(depth as usize - 1);
                (due, _) = behind(due);
                continue;
            }
            let mut field = due;
            if code != DUE {
                field = other(cursor, fields, due);
            }
            let kind = (*cursor).kind as u8;
            if field.is_null() || kind == b'u' {
                continue;
            }
            let wanted = (*field).pon();
            code = refused(LW_SCHEMA);
            if kind == wanted || (kind == b'i' && wanted == b'd') || (kind == b'f' && wanted == b't') {
                due = field.add(1);
                if wanted == b'{' {
                    let depth = again(state) % DEPTHS;
                    if depth != LEVELS as u32 {
                        ends.wrapping_add(depth as usize).write((*cursor).end);
                        state.write(again(state) + 1);
                        lw_pon_enter(cursor, cursor);
                        continue;
                    }
                    code = refused(LW_UNSUPPORTED);
                } else {
                    let kind = (*field).kind;
                    let place = into.cast::<u8>().add((*field).offset.into());
                    code = if kind <= LW_U32 {
                        integer::integer((*cursor).value.cast(), (*cursor).len, &mut *place.cast(), kind.into())
                    } else if kind < LW_FIXED1 {
                        store_other(kind, place, (*cursor).value.cast(), (*cursor).len)
                    } else {
                        store_fixed(cursor, kind, place)
                    };
                }
            }
            if code < 0 {
                // The member begins with its key.
                (*cursor).at = (*cursor).key;
                break code;
            }
            state.write(again(state) + DEPTHS);
        };
        (*cursor).due = (*cursor).names;
        result
    }
}

/// The field of the member that the cursor is at, which is not the one due.
#[cold]
#[inline(never)]
unsafe fn other(cursor: *const Pon, fields: *const Field, due: *const Field) -> *const Field {
    unsafe { search(fields, due, (*cursor).key, (*cursor).key_len, ESCAPE) }
}

/// Stores the decimal number that the cursor is at, if such are wanted in the program.
#[cold]
#[inline(never)]
unsafe fn store_fixed(cursor: *const Pon, kind: u8, place: *mut u8) -> i32 {
    unsafe {
        let Some(fixed) = (*cursor).fixed else { return refused(LW_UNSUPPORTED) };
        fixed((*cursor).value, (*cursor).len, u32::from(kind - LW_FIXED1 + 1), place.cast())
    }
}

/// More than there are levels.
const DEPTHS: u32 = 8;

/// What the cursor returns for the field that is due.
const DUE: i32 = 2;

/// Writes a struct as a message: an object of all the fields, in their order. `lw_pon_finish` tells how it went:
/// LW_UNSUPPORTED also for decimals with LW_NO_DECIMALS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_encode(out: &mut Out, fields: *const Field, from: *const c_void) {
    unsafe {
        let out = &raw mut *out;
        // Where the objects end that are open, the outermost one first.
        let mut ends = MaybeUninit::<[u32; LEVELS + 1]>::uninit();
        let ends = (&raw mut ends).cast::<u32>();
        ends.write(lw_pon_end(&*out));
        let mut depth = 1;
        let (mut at, _) = behind(fields);
        at = at.sub(1);
        loop {
            // In front of the first field begins the outermost object, which has no key.
            let is_outermost = at == fields;
            let (mut key, mut key_len, mut kind) = (core::ptr::null(), 0, LW_OBJECT_OF);
            if !is_outermost {
                at = at.sub(1);
                (key, key_len, kind) = ((*at).name, u32::from((*at).name_len), (*at).kind);
            }
            if kind == LW_END {
                if depth <= LEVELS {
                    ends.add(depth).write(lw_pon_end(&*out));
                }
                depth += 1;
                continue;
            }
            let value = from.cast::<u8>().add((*at).offset as usize);
            let mut pon = b'{';
            let start;
            if kind == LW_OBJECT_OF {
                depth -= 1;
                if depth > LEVELS {
                    continue;
                }
                start = put_end(&mut *out, key, key_len, *ends.add(depth));
            } else {
                pon = (*at).pon();
                if kind == LW_TEXT || kind == LW_BYTES {
                    let text = &*value.cast::<Text>();
                    start = put_data(&mut *out, key, key_len, text.data.cast(), text.len);
                } else if kind == LW_BOOL {
                    // It is its type, and has no length.
                    pon = if *value == 0 { b'f' } else { b't' };
                    start = place(&mut *out, key, key_len, 1, || 0);
                } else {
                    let end = place(&mut *out, key, key_len, 0, || number_width(&*at, from.cast()));
                    start = end.map(|end| (*out).number(&*at, from.cast(), end));
                }
            }
            if let Some(start) = start {
                let mut head = start.wrapping_sub(1);
                head.write(pon);
                let mut end = (*out).end();
                if kind != LW_BOOL {
                    (head, end) = put_length(out, head);
                }
                put_key(&mut *out, key, key_len, head, end);
            }
            if is_outermost {
                return;
            }
        }
    }
}

/// Bytes of the number that a field is, as text.
#[cold]
#[inline(never)]
unsafe fn number_width(field: &Field, from: *const u8) -> u32 {
    unsafe {
        let value = integer(field, from);
        match field.kind {
            LW_U32 => width(value as u32),
            LW_FIXED1.. => fixed_width(value, u32::from(field.kind - LW_FIXED1 + 1)),
            _ => signed_width(value),
        }
    }
}

//! A struct of the caller's from a message and into one, in one call.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

use crate::bytes::{Name, is_name};
use crate::code::{LW_SCHEMA, LW_UNSUPPORTED};
use crate::field::{
    Field, LEVELS, LW_BOOL, LW_BYTES, LW_END, LW_FIXED1, LW_OBJECT_OF, LW_TEXT, LW_U32, PON_TYPES, Text, behind,
    integer, search, store, type_of,
};
use crate::out::Out;
use crate::pon::cursor::{Pon, lw_pon_enter, lw_pon_next};
use crate::pon::writer::{
    lw_pon_end, lw_pon_put, lw_pon_put_container, lw_pon_put_fixed, lw_pon_put_i32, lw_pon_put_u32, lw_pon_put_word,
};

/// Reads the message at an open cursor, an object, into a struct. Text and bytes stay in the message, which
/// `struct lw_text` points into. What the message does not have is left as it is, and so is what is null in it.
///
/// Returns how many fields were filled, and `at` is where the message ends; LW_SCHEMA where a member is of
/// another type than its field; LW_SYNTAX or LW_LIMIT for a number that is none or does not fit; otherwise as
/// `lw_pon_next`. The cursor is then at the member at fault, and fields may be filled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_decode(cursor: &mut Pon, fields: *const Field, into: *mut c_void) -> i32 {
    unsafe {
        let code = lw_pon_next(cursor);
        if code < 0 {
            return code;
        }
        if code == 0 || cursor.kind as u8 != b'{' {
            return LW_SCHEMA;
        }
        lw_pon_enter(cursor);
        let mut due = fields;
        let mut filled = 0;
        let mut ends = [MaybeUninit::<*const c_char>::uninit(); LEVELS];
        let mut depth = 0;
        loop {
            let start = cursor.at;
            let code = lw_pon_next(cursor);
            if code < 0 {
                return code;
            }
            if code == 0 {
                if depth == 0 {
                    return filled;
                }
                depth -= 1;
                cursor.end = (*ends.as_ptr().add(depth)).assume_init();
                (due, _) = behind(due);
                continue;
            }
            let kind = cursor.kind as u8;
            let (key, len, escaped) = (cursor.key, cursor.key_len, cursor.escaped);
            let wanted = Name { name: (*due).name, len: (*due).name_len.into() };
            let is_due = (*due).kind != LW_END && is_name(key.cast(), len, escaped, wanted);
            let found = if is_due { due } else { search(fields, due, key, len, escaped) };
            if found.is_null() || kind == b'u' {
                continue;
            }
            due = found;
            let wanted = type_of(&PON_TYPES, (*found).kind);
            let agree = match kind {
                b'i' => matches!(wanted, b'i' | b'd'),
                b'f' => wanted == b't',
                _ => kind == wanted,
            };
            let mut code = LW_SCHEMA;
            if agree {
                due = found.add(1);
                if wanted == b'{' {
                    if depth == LEVELS {
                        cursor.at = start;
                        return LW_UNSUPPORTED;
                    }
                    (*ends.as_mut_ptr().add(depth)).write(cursor.end);
                    depth += 1;
                    lw_pon_enter(cursor);
                    continue;
                }
                code = store(found, into.cast(), cursor.value.cast(), cursor.len);
            }
            if code < 0 {
                cursor.at = start;
                return code;
            }
            filled += 1;
        }
    }
}

/// Writes a struct as a message: an object of all the fields, in their order. `lw_pon_finish` tells how it went.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_encode(out: &mut Out, fields: *const Field, from: *const c_void) {
    unsafe {
        let mut ends = [MaybeUninit::<u32>::uninit(); LEVELS];
        let mut depth = 0;
        let outermost = lw_pon_end(out);
        let (mut at, _) = behind(fields);
        at = at.sub(1);
        while at != fields {
            at = at.sub(1);
            let field = &*at;
            let (key, len) = (field.name, u32::from(field.name_len));
            let place = from.cast::<u8>().add(field.offset as usize);
            match field.kind {
                LW_END => {
                    if depth < LEVELS {
                        (*ends.as_mut_ptr().add(depth)).write(lw_pon_end(out));
                    }
                    depth += 1;
                }
                LW_OBJECT_OF => {
                    depth = depth.saturating_sub(1);
                    if depth < LEVELS {
                        lw_pon_put_container(out, key, len, b'{' as _, (*ends.as_ptr().add(depth)).assume_init());
                    }
                }
                LW_TEXT | LW_BYTES => {
                    let text = &*place.cast::<Text>();
                    lw_pon_put(out, key, len, type_of(&PON_TYPES, field.kind) as _, text.data.cast(), text.len);
                }
                LW_BOOL => lw_pon_put_word(out, key, len, if *place == 0 { b'f' } else { b't' } as _),
                LW_U32 => lw_pon_put_u32(out, key, len, *place.cast()),
                LW_FIXED1.. => lw_pon_put_fixed(out, key, len, *place.cast(), u32::from(field.kind - LW_FIXED1 + 1)),
                _ => lw_pon_put_i32(out, key, len, integer(field, from.cast())),
            }
        }
        lw_pon_put_container(out, core::ptr::null(), 0, b'{' as _, outermost);
    }
}

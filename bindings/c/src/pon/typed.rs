//! Reads a message into a struct of the caller, or writes it, in one call.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

use crate::bytes::{ESCAPE, Name, again};
use crate::code::{LW_SCHEMA, LW_UNSUPPORTED, refused};
use crate::codec::{Reading, Writing};
use crate::field::{
    self, Field, LEVELS, LW_BOOL, LW_BYTES, LW_CODED, LW_DETAIL, LW_END, LW_OBJECT_OF, LW_TEXT, LW_U32, Text,
    end_of_object, number_of, search, store_other,
};
use crate::integer;
use crate::out::{Out, signed_width, width};
use crate::pon::cursor::{Pon, lw_pon_enter, lw_pon_next};
use crate::pon::place::{place, put_data, put_end, put_key, put_length};
use crate::pon::writer::lw_pon_end;

/// Reads the message at an open cursor, an object, into a struct. Text and bytes stay in the message, and `struct
/// lw_text` points to them. A field that is absent or null in the message keeps its value, and an array that is absent
/// its count: clear the struct before each message, with the masks and values in the items of arrays of structs.
///
/// Returns the number of fields filled, and `at` is the end of the message; LW_SCHEMA if a member has another type than
/// its field, or the message is no object; LW_SYNTAX for an invalid number; LW_LIMIT for a number or an array that does
/// not fit; LW_UNSUPPORTED for a decimal with more places than its field; otherwise like `lw_pon_next`. After an error
/// the cursor is at the invalid member, or at the array that contains it, and some fields may be filled; if the message
/// is no object, it is after it. Bytes after the message are ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_decode(cursor: &mut Pon, fields: *const Field, into: *mut c_void) -> i32 {
    unsafe {
        let code = lw_pon_next(cursor);
        if code <= 0 || cursor.kind as u8 != b'{' {
            return if code < 0 { code } else { refused(LW_SCHEMA) };
        }
        let cursor = &raw mut *cursor;
        lw_pon_enter(cursor, cursor);
        let into = into.cast::<u8>();
        let mut due = fields;
        let mut ends = MaybeUninit::<[*const c_char; LEVELS]>::uninit();
        let ends = (&raw mut ends).cast::<*const c_char>();
        let mut wanted = MaybeUninit::<Name>::uninit();
        let wanted = wanted.as_mut_ptr();
        // The number of open objects around the current one, and DEPTHS times the number of fields filled.
        let mut state = 0;
        let state = &raw mut state;
        let result = loop {
            // The field that is due is the name to look for; at the end of the fields there is none.
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
                (due, _) = end_of_object(due, core::ptr::null());
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
                    let place = into.add((*field).offset.into());
                    code = if kind <= LW_U32 {
                        integer::integer((*cursor).value.cast(), (*cursor).len, &mut *place.cast(), kind.into())
                    } else if kind < LW_CODED {
                        store_other(kind, place, (*cursor).value.cast(), (*cursor).len)
                    } else {
                        let detail = due;
                        while (*due).kind >= LW_DETAIL {
                            due = due.add(1);
                        }
                        coded(cursor, detail, into)
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

/// The field of the member at the cursor, which is not the one due.
#[cold]
#[inline(never)]
unsafe fn other(cursor: *const Pon, fields: *const Field, due: *const Field) -> *const Field {
    unsafe { search(fields, due, (*cursor).key, (*cursor).key_len, ESCAPE) }
}

/// What the codecs of fields need to read PON.
static READING: Reading = Reading::Pon { next: lw_pon_next, decode: lw_pon_decode };

/// Reads the field with the given details, whose value is at the cursor.
#[cold]
#[inline(never)]
unsafe fn coded(cursor: *mut Pon, detail: *const Field, into: *mut u8) -> i32 {
    unsafe { ((*(*detail).codec()).read)(cursor.cast(), &READING, detail.sub(1), detail, into) }
}

/// More than the number of levels.
const DEPTHS: u32 = 8;

/// What the cursor returns for the field that is due.
const DUE: i32 = 2;

/// Writes a struct as a message: an object of all fields that are present, in their order. `lw_pon_finish` returns
/// whether it succeeded: LW_LIMIT also for an array with more items than its member has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_encode(out: &mut Out, fields: *const Field, from: *const c_void) {
    unsafe {
        let (after, _) = end_of_object(fields, core::ptr::null());
        let end = lw_pon_end(&*out);
        put_fields(out, fields, after.sub(1), from.cast(), end);
        // The outermost object has no key.
        let object = Field { name: (&raw const OBJECT).cast(), offset: 0, name_len: 0, kind: LW_OBJECT_OF };
        let object = &raw const object;
        put_fields(out, object, object.add(1), from.cast(), end);
    }
}

/// The types of an object.
static OBJECT: [u8; 2] = *b"{{";

/// What the codecs of fields need to write PON.
static WRITING: Writing = Writing { is_pon: true, fields: put_fields };

/// Writes the fields from `first` up to `last`, the last one first. An object that only begins in them ends at `end`.
unsafe fn put_fields(out: *mut Out, first: *const Field, last: *const Field, from: *const u8, end: u32) {
    unsafe {
        // The ends of the open objects, the outermost one first.
        let mut ends = MaybeUninit::<[u32; LEVELS + 1]>::uninit();
        let ends = (&raw mut ends).cast::<u32>();
        ends.write(end);
        let mut depth = 1;
        let mut at = last;
        while at != first {
            at = at.sub(1);
            let (key_len, kind) = (u32::from((*at).name_len), (*at).kind);
            // Items have no key.
            let has_key = key_len != 0;
            if kind == LW_END {
                if depth <= LEVELS {
                    ends.add(depth).write(lw_pon_end(&*out));
                }
                depth += 1;
                continue;
            }
            let value = from.add((*at).offset as usize);
            // No data if it has no length: a boolean is its type.
            let mut typed = 0;
            let start;
            if kind == LW_OBJECT_OF {
                depth -= 1;
                if depth > LEVELS {
                    continue;
                }
                start = put_end(&mut *out, has_key, key_len, *ends.add(depth));
            } else if kind == LW_TEXT || kind == LW_BYTES {
                let text = &*value.cast::<Text>();
                start = put_data(&mut *out, has_key, key_len, text.data.cast(), text.len);
            } else if kind == LW_BOOL {
                typed = if *value == 0 { b'f' } else { b't' };
                start = place(&mut *out, has_key, key_len, 1, || 0);
            } else if kind >= LW_CODED {
                if kind < LW_DETAIL {
                    ((*(*at.add(1)).codec()).write)(out, &WRITING, at, at.add(1), from);
                }
                continue;
            } else {
                let end = place(&mut *out, has_key, key_len, 0, || number_width(&*at, from));
                start = end.map(|end| field::number(&*at, from, end));
            }
            if let Some(start) = start {
                let mut head = start.wrapping_sub(1);
                let mut end = (*out).end();
                if typed != 0 {
                    head.write(typed);
                } else {
                    head.write((*at).pon());
                    (head, end) = put_length(out, head);
                }
                put_key(&mut *out, has_key, (*at).name, key_len, head, end);
            }
        }
    }
}

/// The length of an integer field as text.
#[cold]
#[inline(never)]
unsafe fn number_width(field: &Field, from: *const u8) -> u32 {
    unsafe {
        let value = number_of(field, from);
        if field.kind == LW_U32 { width(value as u32) } else { signed_width(value) }
    }
}
